/* Reads files of row pairs, --pairs and --scores: tables whose lines name two rows by
 * number, for --scores also by their texts, with a score. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "data/pairs.h"
#include "data/reader.h"

enum { LEFT, RIGHT, SCORE, KIND, COLUMNS };
#define NONE SIZE_MAX /* no column */

/* A line. */
typedef struct line {
    uint32_t row[2];
    uint32_t kind;
    size_t number; /* in its file */
    double score;
} line;

/* Pairs or scores that are read. */
typedef struct reading {
    ig_reader file; /* its path, line and failure */
    const ig_dataset *set;
    const char *score; /* its column, or NULL */
    size_t files;
    bool scored, by_text;
    size_t column[COLUMNS]; /* fields of a record, or NONE */
    ig_names texts;         /* of the rows, or pairs by number; … */
    uint32_t *row;          /* … and the first row of each; NULL: not made */
    ig_names kinds;         /* of scores */
    line *line;
    size_t count, capacity;
} reading;

static void index_texts(reading *r)
{
    const ig_dataset *set = r->set;

    if (!set->has_text)
        ig_reader_fail(&r->file, "names texts, but %s has none", set->name);
    if (r->row || !set->has_text)
        return; /* by a file before */
    r->row = ig_alloc(set->rows, sizeof *r->row);
    for (size_t i = 0; i < set->rows && r->row; i++) {
        size_t before = r->texts.count;

        if (*set->text[i])
            ig_names_add(&r->texts, set->text[i], strlen(set->text[i]));
        if (r->texts.count > before)
            r->row[before] = (uint32_t)i;
    }
    if (!r->row || r->texts.texts.failed)
        r->file.status = ig_fail_memory(r->file.error, "the texts");
}

/* The row of a field, by its text or its number. */
static uint32_t find_row(reading *r, const ig_record *record, size_t k)
{
    const ig_dataset *set = r->set;
    ig_field f = record->field[r->column[k]];
    uint32_t text = r->by_text ? ig_names_find(&r->texts, f.bytes, f.length) : 0;
    char quoted[IG_QUOTE_SIZE];
    size_t number = 0;

    ig_quote(quoted, f.bytes, f.length);
    if (r->by_text && text < UINT32_MAX)
        return r->row[text];
    if (r->by_text)
        ig_reader_fail(&r->file, "no row of %s has the text '%s'", set->name, quoted);
    else if (set->notes.dropped)
        ig_reader_fail(&r->file, "numbers rows, but --drop-invalid left out rows of %s",
                       set->name);
    else if (!ig_number_size(f.bytes, f.length, &number) || number >= set->rows)
        ig_reader_fail(&r->file, "column %zu (%s) is no row of %s (0 to %zu): '%s'",
                       r->column[k] + 1, k ? "right" : "left", set->name, set->rows - 1,
                       quoted);
    return (uint32_t)number;
}

/* Find the columns in a header by the first of their names that it has. */
static void read_header(reading *r, const ig_record *record)
{
    const char *const names[COLUMNS + 2][5] = {
        {"left"},
        {"right"},
        {r->score ? r->score : "score", r->score ? NULL : "z_mean", "mean"},
        {"pair"},
        {"sentence1", "original", "source"},
        {"sentence2", "translation"}};
    size_t found[COLUMNS + 2], missing = LEFT;

    for (size_t k = 0; k < COLUMNS + 2; k++) {
        found[k] = NONE;
        for (const char *const *name = names[k]; *name && found[k] == NONE; name++)
            for (size_t i = record->count; i-- > 0;)
                if (record->field[i].length == strlen(*name) &&
                    memcmp(record->field[i].bytes, *name, strlen(*name)) == 0)
                    found[k] = i;
    }
    r->by_text = r->scored && found[COLUMNS] != NONE;
    memcpy(r->column, found, sizeof r->column);
    if (r->by_text)
        memcpy(r->column, found + COLUMNS, 2 * sizeof *found);
    while (missing <= (r->scored ? SCORE : RIGHT) && r->column[missing] != NONE)
        missing++;
    if (missing <= (r->scored ? SCORE : RIGHT))
        ig_reader_fail(&r->file, "no column %s (%s)", names[missing][0],
                       r->scored ? "scores are the columns left, right, score and, "
                                   "where there are several kinds, pair; or "
                                   "sentence1, sentence2, score"
                                 : "pairs are two columns, left and right");
    else if (r->by_text)
        index_texts(r);
}

/* Read the score of a record, and its kind: its column, or the languages of its rows,
 * the lower first ("en-de"); in a set of one language, of several files the name. */
static void read_score(reading *r, const ig_record *record, line *l)
{
    const ig_dataset *set = r->set;
    size_t a = set->lang[l->row[0]], b = set->lang[l->row[1]];
    ig_field f = record->field[r->column[SCORE]], kind = {NULL, 0};
    char quoted[IG_QUOTE_SIZE], languages[256];

    if (!ig_number_double(f.bytes, f.length, &l->score) || !isfinite(l->score))
        ig_reader_fail(&r->file, "column %zu (score) is not a finite number: '%s'",
                       r->column[SCORE] + 1, ig_quote(quoted, f.bytes, f.length));
    if (r->column[KIND] != NONE) {
        kind = record->field[r->column[KIND]];
        if (kind.length == 0 || !ig_quote_is_text(kind.bytes, kind.length))
            ig_reader_fail(&r->file, "column %zu (pair) is empty or not valid UTF-8",
                           r->column[KIND] + 1);
    } else if (set->languages > 1) {
        snprintf(languages, sizeof languages, "%s-%s", set->language[a < b ? a : b],
                 set->language[a < b ? b : a]);
        kind = (ig_field){languages, strlen(languages)};
    } else if (r->files > 1) {
        kind.bytes = ig_path_stem(r->file.path, &kind.length);
    }
    if (kind.length)
        l->kind = ig_names_add(&r->kinds, kind.bytes, kind.length);
    if (r->kinds.texts.failed)
        r->file.status = ig_fail_memory(r->file.error, "the scores");
}

/* Refuse a row with itself, and a pair that a line before has, in any order. */
static void check_pair(reading *r, const line *l)
{
    bool up = l->row[0] < l->row[1];
    char pair[32];
    size_t length = (size_t)sprintf(pair, "%u and %u", l->row[!up], l->row[up]);
    size_t first = ig_names_add(&r->texts, pair, length);

    if (r->texts.texts.failed)
        r->file.status = ig_fail_memory(r->file.error, "the pairs");
    else if (l->row[0] == l->row[1])
        ig_reader_fail(&r->file, "row %u is paired with itself", l->row[0]);
    else if (first < r->count)
        ig_reader_fail(&r->file, "rows %s are paired in line %zu, too", pair,
                       r->line[first].number);
}

static ig_status take_record(void *context, const ig_record *record, ig_error *error)
{
    reading *r = context;
    line l = {.number = record->line};

    r->file.line = record->line;
    if (record->number == 0) {
        read_header(r, record);
        return r->file.status;
    }
    for (size_t k = LEFT; k <= RIGHT; k++)
        l.row[k] = find_row(r, record, k);
    if (r->file.status == IG_OK && r->scored)
        read_score(r, record, &l);
    else if (r->file.status == IG_OK)
        check_pair(r, &l);
    if (r->file.status == IG_OK)
        r->file.status = ig_array_grow(&r->line, &r->capacity, r->count + 1, sizeof l,
                                       r->scored ? "the scores" : "the pairs", error);
    if (r->file.status == IG_OK)
        r->line[r->count++] = l;
    return r->file.status;
}

/* Read the rows, kinds and scores of all files. */
static ig_status read_files(reading *r, const char *const *path, ig_scores *out,
                            ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < r->files && status == IG_OK; i++) {
        size_t before = r->count;

        r->file.path = path[i];
        status = ig_table_read(path[i], take_record, r, error);
        if (status == IG_OK && r->count == before)
            status = ig_fail(error, IG_VALUE, "%s: has no %s of rows of %s", path[i],
                             r->scored ? "scores" : "pairs", r->set->name);
    }
    *out = (ig_scores){.count = r->count, .pairs = r->kinds.count, .kinds = r->kinds};
    out->left = ig_arena_array(&out->memory, r->count, sizeof *out->left);
    out->right = ig_arena_array(&out->memory, r->count, sizeof *out->right);
    out->pair = ig_arena_array(&out->memory, r->count, sizeof *out->pair);
    out->score = ig_arena_array(&out->memory, r->count, sizeof *out->score);
    if (status == IG_OK && out->memory.failed)
        status = ig_fail_memory(error, "the pairs");
    for (size_t i = 0; i < r->count && status == IG_OK; i++) {
        out->left[i] = r->line[i].row[0];
        out->right[i] = r->line[i].row[1];
        out->pair[i] = r->line[i].kind;
        out->score[i] = r->line[i].score;
    }
    IG_FREE(r->line, r->row);
    ig_names_free(&r->texts);
    if (status != IG_OK)
        ig_scores_free(out);
    return status;
}

ig_status ig_scores_connect(ig_scores *scores, const uint32_t *id, size_t rows,
                            size_t ids, ig_error *error)
{
    size_t nodes = rows + ids; /* rows, then ids */
    ig_arena work = {0};
    uint32_t *parent = ig_arena_array(&work, nodes, sizeof *parent);
    uint32_t *of = ig_arena_array(&work, nodes, sizeof *of); /* a root, from 1 */
    ig_status status = work.failed ? ig_fail_memory(error, "groups of pairs") : IG_OK;

    for (size_t i = 0; i < nodes && status == IG_OK; i++)
        parent[i] = (uint32_t)i;
    for (size_t i = 0; i < rows && status == IG_OK; i++)
        if (id[i] != IG_NO_ID)
            ig_joined_add(parent, (uint32_t)i, (uint32_t)rows + id[i]);
    for (size_t i = 0; i < scores->count && status == IG_OK; i++)
        ig_joined_add(parent, scores->left[i], scores->right[i]);
    for (size_t i = 0; i < scores->count && status == IG_OK; i++) {
        uint32_t *own = &of[ig_joined_root(parent, scores->left[i])];

        *own = *own ? *own : (uint32_t)++scores->items;
        scores->item[i] = *own - 1;
    }
    ig_arena_free(&work);
    return status;
}

ig_status ig_pairs_read(ig_pairs *pairs, const ig_dataset *set, const char *path,
                        ig_error *error)
{
    reading r = {.file = {.error = error}, .set = set, .files = 1};
    ig_scores read;
    ig_status status = read_files(&r, &path, &read, error);

    read.item = read.pair; /* there are no kinds */
    if (status == IG_OK)
        status = ig_scores_connect(&read, set->id, set->rows, set->ids, error);
    *pairs = (ig_pairs){.count = read.count,
                        .left = read.left,
                        .right = read.right,
                        .group = read.item,
                        .groups = read.items,
                        .given = true,
                        .memory = read.memory};
    if (status != IG_OK)
        ig_pairs_free(pairs);
    return status;
}

ig_status ig_scores_read(ig_scores *scores, const ig_dataset *set,
                         const char *const *path, const char *column, ig_error *error)
{
    reading r = {.file = {.error = error}, .set = set, .score = column, .scored = true};

    while (path[r.files])
        r.files++;
    return read_files(&r, path, scores, error);
}

void ig_scores_free(ig_scores *scores)
{
    ig_arena_free(&scores->memory);
    ig_names_free(&scores->kinds);
    *scores = (ig_scores){0};
}
