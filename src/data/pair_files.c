/* Reads files of row pairs, --pairs and --scores: each line names two rows by number or
 * by their texts, for --scores with a score. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "data/pairs.h"
#include "data/table.h"

enum { LEFT, RIGHT, SCORE, KIND, COLUMNS };
#define NONE SIZE_MAX /* no column, no row */

/* Texts of rows, and the first row of each. */
typedef struct text_index {
    ig_names texts;
    uint32_t *row; /* NULL: not made */
} text_index;

/* Pairs or scores that are read. */
typedef struct reading {
    const ig_dataset *set;
    const char *path, *score; /* score: its column, or NULL */
    size_t files;
    bool scored, by_text;
    size_t column[COLUMNS]; /* fields of a record, or NONE */
    text_index index[2];    /* of the two sides of a dictionary; of scores one of all */
    ig_arena memory;        /* of the indexes */
    ig_pairs pairs;         /* groups: kinds of scores */
    double *value;          /* (count) scores */
    ig_names kinds;
} reading;

/* Index the texts of the rows of a language, or of all (NONE). */
static ig_status index_texts(reading *r, text_index *index, size_t language,
                             ig_error *error)
{
    const ig_dataset *set = r->set;

    if (index->row)
        return IG_OK; /* by a file before */
    if (!set->has_text)
        return ig_fail(error, IG_VALUE, "%s names texts, but %s has none", r->path,
                       set->name);
    index->row = ig_arena_array(&r->memory, set->rows, sizeof *index->row);
    if (!index->row)
        return ig_fail_memory(error, "the texts");
    for (size_t i = 0; i < set->rows; i++) {
        size_t before = index->texts.count;
        uint32_t number;

        if (!*set->text[i] || (language != NONE && set->lang[i] != language))
            continue;
        number = ig_names_add(&index->texts, set->text[i], strlen(set->text[i]));
        if (index->texts.count > before)
            index->row[number] = (uint32_t)i;
    }
    return index->texts.texts.failed ? ig_fail_memory(error, "the texts") : IG_OK;
}

/* The row of a field, by its text or its number; NONE: a word of no row. */
static ig_status find_row(const reading *r, const ig_record *record, size_t k,
                          size_t *row, ig_error *error)
{
    const text_index *index = &r->index[r->scored ? 0 : k];
    ig_field f = record->field[r->column[k]];
    char quoted[IG_QUOTE_SIZE];
    uint32_t number;

    ig_quote(quoted, f.bytes, f.length);
    if (r->by_text) {
        number = ig_names_find(&index->texts, f.bytes, f.length);
        *row = number == UINT32_MAX ? NONE : index->row[number];
        return *row != NONE || !r->scored
                   ? IG_OK
                   : ig_fail(error, IG_VALUE, "%s:%zu: no row of %s has the text '%s'",
                             r->path, record->line, r->set->name, quoted);
    }
    if (r->set->notes.dropped || r->set->notes.sampled_from)
        return ig_fail(error, IG_VALUE,
                       "%s:%zu: numbers rows, but %s left out rows of %s; texts name "
                       "rows, too",
                       r->path, record->line,
                       r->set->notes.dropped ? "--drop-invalid" : "--limit",
                       r->set->name);
    if (ig_number_size(f.bytes, f.length, row) && *row < r->set->rows)
        return IG_OK;
    return ig_fail(error, IG_VALUE,
                   "%s:%zu: column %zu (%s) is no row of %s (0 to %zu): '%s'", r->path,
                   record->line, r->column[k] + 1, k ? "right" : "left", r->set->name,
                   r->set->rows - 1, quoted);
}

/* Find the columns in a header by the first of their names that it has. False: none on
 * the left. */
static bool read_header(reading *r, const ig_record *record)
{
    const char *const names[COLUMNS + 2][5] = {{"left"},
                                               {"right"},
                                               {r->score ? r->score : "score",
                                                r->score ? NULL : "z_mean",
                                                r->score ? NULL : "mean"},
                                               {"pair"},
                                               {"sentence1", "original", "source"},
                                               {"sentence2", "translation"}};
    size_t found[COLUMNS + 2];

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
    return r->column[LEFT] != NONE;
}

/* Read the score of a record, and its kind: its column, or the languages of its rows,
 * the lower number first ("en-de"); in a dataset of one language, of several files the
 * name. */
static ig_status read_score(reading *r, const ig_record *record, const size_t row[2],
                            ig_error *error)
{
    const ig_dataset *set = r->set;
    size_t n = r->pairs.count, a = set->lang[row[0]], b = set->lang[row[1]];
    ig_field f = record->field[r->column[SCORE]], kind = {NULL, 0};
    char quoted[IG_QUOTE_SIZE], languages[256];

    if (!ig_number_double(f.bytes, f.length, &r->value[n]) || !isfinite(r->value[n]))
        return ig_fail(error, IG_VALUE,
                       "%s:%zu: column %zu (score) is not a finite number: '%s'",
                       r->path, record->line, r->column[SCORE] + 1,
                       ig_quote(quoted, f.bytes, f.length));
    if (r->column[KIND] != NONE) {
        kind = record->field[r->column[KIND]];
        if (kind.length == 0 || !ig_quote_is_text(kind.bytes, kind.length))
            return ig_fail(error, IG_FORMAT,
                           "%s:%zu: column %zu (pair) is empty or not valid UTF-8",
                           r->path, record->line, r->column[KIND] + 1);
    } else if (set->languages > 1) {
        snprintf(languages, sizeof languages, "%s-%s", set->language[a < b ? a : b],
                 set->language[a < b ? b : a]);
        kind = (ig_field){languages, strlen(languages)};
    } else if (r->files > 1) {
        kind.bytes = ig_path_stem(r->path, &kind.length);
    }
    if (kind.length)
        r->pairs.group[n] = ig_names_add(&r->kinds, kind.bytes, kind.length);
    return r->kinds.texts.failed ? ig_fail_memory(error, "the scores") : IG_OK;
}

static ig_status add_record(reading *r, const ig_record *record, ig_error *error)
{
    size_t row[2];
    ig_status status = find_row(r, record, LEFT, &row[0], error);

    if (status == IG_OK)
        status = find_row(r, record, RIGHT, &row[1], error);
    if (status == IG_OK && (row[0] == NONE || row[1] == NONE)) {
        r->pairs.unknown++;
        return IG_OK;
    }
    if (status == IG_OK && r->scored)
        status = read_score(r, record, row, error);
    else if (status == IG_OK && row[0] == row[1])
        status = ig_fail(error, IG_VALUE, "%s:%zu: row %zu is paired with itself",
                         r->path, record->line, row[0]);
    if (status == IG_OK) {
        r->pairs.left[r->pairs.count] = (uint32_t)row[0];
        r->pairs.right[r->pairs.count++] = (uint32_t)row[1];
    }
    return status;
}

/* Read the header, and open a dictionary that has none at its first record: two words,
 * separated by a tab or by blanks. Their languages are in the name of the file, or
 * those of a dataset of two. */
static ig_status read_first(reading *r, ig_table_reader *t, const ig_content *content,
                            ig_error *error)
{
    ig_table_style bare = {.delimiter = '\t', .raw = true, .bare = true};
    const char *slash = strrchr(r->path, '/'), *name = slash ? slash + 1 : r->path;
    size_t side[2];
    ig_status status = IG_OK;

    if (!ig_table_next(t))
        return t->status;
    if (read_header(r, &t->record) && r->column[RIGHT] != NONE &&
        (!r->scored || r->column[SCORE] != NONE))
        return r->by_text ? index_texts(r, &r->index[0], NONE, error) : IG_OK;
    if (!r->scored && r->column[LEFT] == NONE) {
        ig_table_close(t);
        bare.delimiter = memchr(content->bytes, '\t', content->size) ? '\t' : ' ';
        ig_table_open(t, r->path, content, bare, error);
        if (!ig_table_next(t))
            return t->status;
        r->by_text = t->record.count == 2;
    }
    if (r->scored || !r->by_text)
        return ig_fail(
            error, IG_FORMAT, "%s:%zu: no column %s (%s)", r->path, t->record.line,
            r->column[LEFT] == NONE    ? "left"
            : r->column[RIGHT] == NONE ? "right"
            : r->score                 ? r->score
                                       : "score",
            r->scored ? "scores are the columns left, right, score and, where "
                        "there are several kinds, pair; or sentence1, sentence2, "
                        "score"
                      : "pairs are two columns, left and right");
    r->column[LEFT] = 0;
    r->column[RIGHT] = 1;
    if (!ig_pairs_languages(r->set, name, strcspn(name, "."), side) ||
        side[0] == side[1]) {
        if (r->set->languages != 2)
            return ig_fail(error, IG_VALUE,
                           "%s: unknown languages of its words: %s has %zu languages, "
                           "and the file is not named for two, such as en-de.txt",
                           r->path, r->set->name, r->set->languages);
        side[0] = 0;
        side[1] = 1;
    }
    for (size_t k = 0; k < 2 && status == IG_OK; k++)
        status = index_texts(r, &r->index[k], side[k], error);
    return status == IG_OK ? add_record(r, &t->record, error) : status;
}

static ig_status read_file(reading *r, const ig_content *content, ig_error *error)
{
    size_t before = r->pairs.count;
    ig_table_reader t = {0};
    ig_status status;

    ig_table_open(&t, r->path, content, ig_table_guess(r->path, content, NULL), error);
    t.status = read_first(r, &t, content, error);
    while (ig_table_next(&t))
        t.status = add_record(r, &t.record, error);
    status = ig_table_close(&t);
    return status != IG_OK || r->pairs.count > before
               ? status
               : ig_fail(error, IG_VALUE, "%s: has no %s of rows of %s", r->path,
                         r->scored ? "scores" : "pairs", r->set->name);
}

/* Read files, which have a pair a line at most. */
static ig_status read_files(reading *r, const char *const *path, ig_error *error)
{
    ig_content *content = ig_arena_array(&r->memory, r->files, sizeof *content);
    ig_status status = content ? IG_OK : ig_fail_memory(error, "the pairs");
    size_t lines = r->files;

    for (size_t i = 0; i < r->files && status == IG_OK; i++) {
        status = ig_content_open(&content[i], path[i], NULL, error);
        for (size_t k = 0; k < content[i].size; k++)
            lines += content[i].bytes[k] == '\n';
    }
    if (status == IG_OK)
        status = ig_pairs_allocate(&r->pairs, lines, error);
    if (status == IG_OK && r->scored &&
        !(r->value = ig_arena_array(&r->pairs.memory, lines, sizeof *r->value)))
        status = ig_fail_memory(error, "the scores");
    for (size_t i = 0; i < r->files && status == IG_OK; i++) {
        r->path = path[i];
        status = read_file(r, &content[i], error);
    }
    for (size_t i = 0; i < r->files && content; i++)
        ig_content_close(&content[i]);
    for (size_t k = 0; k < 2; k++)
        ig_names_free(&r->index[k].texts);
    ig_arena_free(&r->memory);
    return status;
}

/* Set groups: pairs connected by shared rows or ids have the same meaning. */
static ig_status group_pairs(ig_pairs *pairs, const ig_dataset *set, ig_error *error)
{
    size_t nodes = set->rows + set->ids; /* rows, then ids */
    ig_arena work = {0};
    uint32_t *parent = ig_arena_array(&work, nodes, sizeof *parent);
    uint32_t *number = ig_arena_array(&work, nodes, sizeof *number); /* of a root */

    if (work.failed)
        return ig_fail_memory(error, "groups of pairs");
    for (size_t i = 0; i < nodes; i++)
        parent[i] = (uint32_t)i;
    for (size_t i = 0; i < set->rows; i++)
        if (set->id[i] != IG_NO_ID)
            ig_joined_add(parent, (uint32_t)i, (uint32_t)(set->rows + set->id[i]));
    for (size_t i = 0; i < pairs->count; i++)
        ig_joined_add(parent, pairs->left[i], pairs->right[i]);
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t root = ig_joined_root(parent, pairs->left[i]);

        if (number[root] == 0)
            number[root] = (uint32_t)++pairs->groups;
        pairs->group[i] = number[root] - 1;
    }
    ig_arena_free(&work);
    return IG_OK;
}

ig_status ig_pairs_read(ig_pairs *pairs, const ig_dataset *set, const char *path,
                        ig_error *error)
{
    reading r = {.set = set, .files = 1};
    ig_status status = read_files(&r, &path, error);

    *pairs = r.pairs;
    pairs->given = true;
    if (status == IG_OK)
        status = group_pairs(pairs, set, error);
    if (status != IG_OK)
        ig_pairs_free(pairs);
    return status;
}

ig_status ig_scores_read(ig_scores *scores, const ig_dataset *set,
                         const char *const *path, const char *column, ig_error *error)
{
    reading r = {.set = set, .score = column, .scored = true};
    ig_status status;

    while (path[r.files])
        r.files++;
    status = read_files(&r, path, error);
    *scores = (ig_scores){.count = r.pairs.count,
                          .left = r.pairs.left,
                          .right = r.pairs.right,
                          .score = r.value,
                          .pairs = r.kinds.count,
                          .pair_name = r.kinds.name,
                          .pair = r.kinds.count ? r.pairs.group : NULL,
                          .memory = r.pairs.memory,
                          .kinds = r.kinds};
    if (status != IG_OK)
        ig_scores_free(scores);
    return status;
}

void ig_scores_free(ig_scores *scores)
{
    if (!scores)
        return;
    ig_arena_free(&scores->memory);
    ig_names_free(&scores->kinds);
    *scores = (ig_scores){0};
}
