/* Reads files of row pairs: --pairs and --scores. A record names two rows by number or
 * by their texts, for --scores with a score. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "data/columns.h"
#include "data/number.h"
#include "data/pairs.h"
#include "data/scores.h"
#include "data/table.h"

enum { LEFT, RIGHT, SCORE, KIND, COLUMNS };
#define NONE SIZE_MAX /* no column, no row */

/* Texts of rows, and the first row of each. */
typedef struct text_index {
    ig_names texts;
    uint32_t *row;
} text_index;

/* Pairs or scores that are read. */
typedef struct reading {
    const ig_dataset *set;
    const char *path, *score; /* score: its column, or NULL */
    size_t files;
    bool scored, by_text;
    size_t column[COLUMNS]; /* fields of a record, or NONE */
    size_t lang[2];         /* of the two sides of a dictionary */
    text_index side[2];     /* of its languages; of scores the first has all rows */
    ig_pairs pairs;         /* groups: kinds of scores */
    double *value;          /* (count) scores */
    size_t values;          /* capacity */
    ig_names kinds;
} reading;

/* --- rows ------------------------------------------------------------------------- */

/* Index the texts of the rows of a language, or of all. */
static ig_status index_texts(text_index *index, const reading *r, bool all,
                             size_t language, ig_error *error)
{
    const ig_dataset *set = r->set;
    if (index->row)
        return IG_OK; /* by a file before */
    if (!set->has_text)
        return ig_fail(error, IG_VALUE, "%s names texts, but %s has none", r->path,
                       set->name);
    index->row = ig_alloc(set->rows, sizeof *index->row);
    if (!index->row)
        return ig_fail_memory(error, "the texts");
    for (size_t i = 0; i < set->rows; i++) {
        size_t before = index->texts.count, length = strlen(set->text[i]);
        uint32_t number;

        if (length == 0 || (!all && set->lang[i] != language))
            continue;
        number = ig_names_add(&index->texts, set->text[i], length);
        if (index->texts.count > before)
            index->row[number] = (uint32_t)i;
    }
    return index->texts.texts.failed ? ig_fail_memory(error, "the texts") : IG_OK;
}

/* The row of a field, by its text or its number; NONE: a word of no row. */
static ig_status find_row(const reading *r, const ig_record *record, size_t k,
                          size_t *row, ig_error *error)
{
    const text_index *index = &r->side[r->scored ? 0 : k];
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
    if (r->set->notes.dropped)
        return ig_fail(error, IG_VALUE,
                       "%s:%zu: numbers rows, but --drop-invalid left out %zu rows of "
                       "%s; texts name rows, too",
                       r->path, record->line, r->set->notes.dropped, r->set->name);
    if (ig_number_size(f.bytes, f.length, row) && *row < r->set->rows)
        return IG_OK;
    return ig_fail(error, IG_VALUE,
                   "%s:%zu: column %zu (%s) is no row of %s (0 to %zu): '%s'", r->path,
                   record->line, r->column[k] + 1, k ? "right" : "left", r->set->name,
                   r->set->rows - 1, quoted);
}

/* Set the languages of the two sides from the file's name, else those of a dataset of
 * two. */
static ig_status find_sides(reading *r, ig_error *error)
{
    const ig_dataset *set = r->set;
    const char *slash = strrchr(r->path, '/'), *name = slash ? slash + 1 : r->path;

    for (const char *dash = strchr(name, '-'); dash; dash = strchr(dash + 1, '-')) {
        int left = ig_dataset_language_of(set, name, (size_t)(dash - name));
        int right = ig_dataset_language_of(set, dash + 1, strcspn(dash + 1, "."));

        r->lang[0] = (size_t)left;
        r->lang[1] = (size_t)right;
        if (left >= 0 && right >= 0 && left != right)
            return IG_OK;
    }
    r->lang[0] = 0;
    r->lang[1] = 1;
    if (set->languages == 2)
        return IG_OK;
    return ig_fail(error, IG_VALUE,
                   "%s: unknown languages of its words: %s has %zu languages, and the "
                   "file is not named for two, such as en-de.txt",
                   r->path, set->name, set->languages);
}

/* --- records ---------------------------------------------------------------------- */

/* Column of a role by the first of its names that the header has, or NONE. */
static size_t find_column(const ig_record *record, const char *const *name)
{
    for (; *name; name++)
        for (size_t i = 0; i < record->count; i++)
            if (record->field[i].length == strlen(*name) &&
                memcmp(record->field[i].bytes, *name, strlen(*name)) == 0)
                return i;
    return NONE;
}

/* Find the columns in a header. False: it has no pairs, and the file no header. */
static bool read_header(reading *r, const ig_record *record)
{
    static const char *const rows[2][2] = {{"left"}, {"right"}};
    static const char *const texts[2][4] = {{"sentence1", "original", "source"},
                                            {"sentence2", "translation"}};
    const char *const usual[] = {"score", "z_mean", "mean", NULL};
    const char *const given[] = {r->score, NULL}, *const kind[] = {"pair", NULL};

    r->by_text = r->scored && find_column(record, texts[LEFT]) != NONE;
    for (size_t k = LEFT; k <= RIGHT; k++)
        r->column[k] = find_column(record, r->by_text ? texts[k] : rows[k]);
    r->column[SCORE] = r->scored ? find_column(record, r->score ? given : usual) : NONE;
    r->column[KIND] = r->scored ? find_column(record, kind) : NONE;
    return r->column[LEFT] != NONE;
}

static ig_status fail_columns(const reading *r, const ig_record *record,
                              ig_error *error)
{
    const char *const name[] = {"left", "right", r->score ? r->score : "score"};
    size_t k = LEFT;

    while (k < SCORE && r->column[k] != NONE)
        k++;
    return ig_fail(
        error, IG_FORMAT, "%s:%zu: no column %s (%s)", r->path, record->line, name[k],
        r->scored ? "scores are the columns left, right, score and, where "
                    "there are several kinds, pair; or sentence1, sentence2, "
                    "score"
                  : "pairs are two columns, left and right");
}

/* The kind of a score: its column, or the languages of its rows, the lower number
 * first ("en-de"); in a dataset of one language, of several files the name. */
static ig_status find_kind(reading *r, const ig_record *record, const size_t row[2],
                           uint32_t *kind, ig_error *error)
{
    const ig_dataset *set = r->set;
    size_t a = set->lang[row[0]], b = set->lang[row[1]], column = r->column[KIND];
    char name[256];
    ig_field f = {name, 0};

    if (column != NONE) {
        f = record->field[column];
        if (f.length == 0 || !ig_quote_is_text(f.bytes, f.length))
            return ig_fail(error, IG_FORMAT,
                           "%s:%zu: column %zu (pair) is empty or not valid UTF-8",
                           r->path, record->line, column + 1);
    } else if (set->languages > 1) {
        snprintf(name, sizeof name, "%s-%s", set->language[a < b ? a : b],
                 set->language[a < b ? b : a]);
        f.length = strlen(name);
    } else if (r->files > 1) {
        f.bytes = ig_path_stem(r->path, &f.length);
    }
    if (f.length)
        *kind = ig_names_add(&r->kinds, f.bytes, f.length);
    return r->kinds.texts.failed ? ig_fail_memory(error, "the scores") : IG_OK;
}

static ig_status read_score(reading *r, const ig_record *record, const size_t row[2],
                            uint32_t *kind, ig_error *error)
{
    ig_field f = record->field[r->column[SCORE]];
    char quoted[IG_QUOTE_SIZE];
    size_t n = r->pairs.count;
    ig_status status = ig_array_grow(&r->value, &r->values, n + 1, sizeof *r->value,
                                     "the scores", error);

    if (status != IG_OK)
        return status;
    if (!ig_number_double(f.bytes, f.length, &r->value[n]) || !isfinite(r->value[n]))
        return ig_fail(error, IG_VALUE,
                       "%s:%zu: column %zu (score) is not a finite number: '%s'",
                       r->path, record->line, r->column[SCORE] + 1,
                       ig_quote(quoted, f.bytes, f.length));
    return find_kind(r, record, row, kind, error);
}

static ig_status add_record(reading *r, const ig_record *record, ig_error *error)
{
    size_t row[2], n = r->pairs.count;
    uint32_t kind = 0;
    ig_status status = find_row(r, record, LEFT, &row[0], error);

    if (status == IG_OK)
        status = find_row(r, record, RIGHT, &row[1], error);
    if (status == IG_OK && (row[0] == NONE || row[1] == NONE)) {
        r->pairs.unknown++;
        return IG_OK;
    }
    if (status == IG_OK && r->scored)
        status = read_score(r, record, row, &kind, error);
    else if (status == IG_OK && row[0] == row[1])
        status = ig_fail(error, IG_VALUE, "%s:%zu: row %zu is paired with itself",
                         r->path, record->line, row[0]);
    if (status == IG_OK)
        status = ig_pairs_reserve(&r->pairs, n + 1, error);
    if (status != IG_OK)
        return status;
    r->pairs.left[n] = (uint32_t)row[0];
    r->pairs.right[n] = (uint32_t)row[1];
    r->pairs.group[n] = kind;
    r->pairs.count++;
    return IG_OK;
}

/* --- files ------------------------------------------------------------------------ */

/* Open a table behind its header, or a dictionary without one at its first record: two
 * words, separated by a tab or by blanks. */
static ig_status open_table(reading *r, ig_table_reader *t, const ig_content *content,
                            ig_error *error)
{
    ig_table_style bare = {.delimiter = '\t', .raw = true, .bare = true};
    ig_status status = IG_OK;

    ig_table_open(t, r->path, content, ig_table_guess(r->path, content, NULL), NULL,
                  error);
    if (!ig_table_next(t))
        return t->status;
    if (read_header(r, &t->record))
        return r->column[RIGHT] == NONE || (r->scored && r->column[SCORE] == NONE)
                   ? fail_columns(r, &t->record, error)
               : r->by_text ? index_texts(&r->side[0], r, true, 0, error)
                            : IG_OK;
    if (r->scored)
        return fail_columns(r, &t->record, error);
    ig_table_close(t);
    if (!memchr(content->bytes, '\t', content->size))
        bare.delimiter = ' ';
    ig_table_open(t, r->path, content, bare, NULL, error);
    if (!ig_table_next(t) || t->record.count != 2)
        return t->status == IG_OK ? fail_columns(r, &t->record, error) : t->status;
    r->by_text = true;
    r->column[RIGHT] = 1;
    r->column[LEFT] = 0;
    status = find_sides(r, error);
    for (size_t k = 0; k < 2 && status == IG_OK; k++)
        status = index_texts(&r->side[k], r, false, r->lang[k], error);
    return status == IG_OK ? add_record(r, &t->record, error) : status;
}

static ig_status read_file(reading *r, const char *path, ig_error *error)
{
    size_t before = r->pairs.count;
    ig_content content;
    ig_table_reader t = {0};
    ig_status status = ig_content_open(&content, path, NULL, error);

    r->path = path;
    if (status != IG_OK)
        return status;
    t.status = open_table(r, &t, &content, error);
    while (ig_table_next(&t))
        t.status = add_record(r, &t.record, error);
    status = ig_table_close(&t);
    ig_content_close(&content);
    if (status != IG_OK || r->pairs.count > before)
        return status;
    return ig_fail(error, IG_VALUE, "%s: has no %s of rows of %s", path,
                   r->scored ? "scores" : "pairs", r->set->name);
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

static void free_indexes(reading *r)
{
    for (size_t k = 0; k < 2; k++) {
        ig_names_free(&r->side[k].texts);
        ig_free(r->side[k].row);
    }
}

ig_status ig_pairs_read(ig_pairs *pairs, const ig_dataset *set, const char *path,
                        ig_error *error)
{
    reading r = {.set = set, .files = 1};
    ig_status status = read_file(&r, path, error);

    *pairs = r.pairs;
    pairs->given = true;
    free_indexes(&r);
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
    ig_status status = IG_OK;

    while (path[r.files])
        r.files++;
    for (size_t i = 0; i < r.files && status == IG_OK; i++)
        status = read_file(&r, path[i], error);
    *scores = (ig_scores){.count = r.pairs.count,
                          .left = r.pairs.left,
                          .right = r.pairs.right,
                          .score = r.value,
                          .pairs = r.kinds.count,
                          .pair_name = r.kinds.name,
                          .kinds = r.kinds,
                          .pair = r.kinds.count ? r.pairs.group : NULL};
    if (!scores->pair)
        ig_free(r.pairs.group);
    free_indexes(&r);
    if (status != IG_OK)
        ig_scores_free(scores);
    return status;
}

/* --- scores ----------------------------------------------------------------------- */

ig_status ig_scores_keep(ig_scores *to, const ig_scores *from, const uint8_t *mark,
                         ig_error *error)
{
    ig_scores kept = *from;
    size_t n = 0;

    if (to != from) {
        kept.kinds = (ig_names){0}; /* names are shared */
        kept.left = ig_alloc(kept.count, sizeof *kept.left);
        kept.right = ig_alloc(kept.count, sizeof *kept.right);
        kept.score = ig_alloc(kept.count, sizeof *kept.score);
        kept.pair = from->pair ? ig_alloc(kept.count, sizeof *kept.pair) : NULL;
        if (!kept.left || !kept.right || !kept.score || (from->pair && !kept.pair)) {
            ig_scores_free(&kept);
            return ig_fail_memory(error, "the scores");
        }
    }
    for (size_t i = 0; i < from->count; i++)
        if (!mark || (mark[from->left[i]] && mark[from->right[i]])) {
            kept.left[n] = from->left[i];
            kept.right[n] = from->right[i];
            kept.score[n] = from->score[i];
            if (from->pair)
                kept.pair[n] = from->pair[i];
            n++;
        }
    kept.count = n;
    *to = kept;
    return IG_OK;
}

void ig_scores_free(ig_scores *scores)
{
    if (!scores)
        return;
    IG_FREE(scores->left, scores->right, scores->score, scores->pair);
    ig_names_free(&scores->kinds);
    *scores = (ig_scores){0};
}
