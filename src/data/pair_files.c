/* Reads files of row pairs: --pairs and --scores. A record names two rows by number, or
 * by their texts: pairs as two words (dictionaries), scores as two sentences and a
 * score. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "data/columns.h"
#include "data/number.h"
#include "data/pairs.h"
#include "data/scores.h"
#include "data/table.h"

enum { LEFT, RIGHT, SCORE, KIND, COLUMNS };
#define NONE UINT32_MAX /* no row */

/* Pairs or scores that are read. */
typedef struct reading {
    const ig_dataset *set;
    const char *path, *score; /* score: its column, or NULL */
    size_t files;
    bool scored, by_text;
    size_t column[COLUMNS]; /* fields of a record; KIND may be SIZE_MAX */
    size_t count, capacity, unknown;
    uint32_t *row[2], *kind; /* (count) */
    double *value;           /* (count) scores */
    ig_names kinds;
    size_t lang[2]; /* languages of a dictionary's two sides */

    ig_names texts;
    uint32_t *first; /* (texts) the first row with a text */
    uint32_t *next;  /* (rows) the next row with the same text, or NONE */
} reading;

/* --- rows ------------------------------------------------------------------------- */

static ig_status index_texts(reading *r, ig_error *error)
{
    const ig_dataset *set = r->set;
    ig_status status = IG_OK;

    if (!set->has_text)
        return ig_fail(error, IG_VALUE, "%s names texts, but %s has none", r->path,
                       set->name);
    r->by_text = true;
    if (r->first)
        return IG_OK; /* by a file before */
    r->first = ig_alloc(set->rows, sizeof *r->first);
    r->next = ig_alloc(set->rows, sizeof *r->next);
    if (!r->first || !r->next)
        return ig_fail_memory(error, "the texts");
    /* Backwards, so that each list starts with the first row. */
    for (size_t i = set->rows; i-- > 0 && status == IG_OK;) {
        size_t before = r->texts.count, length = strlen(set->text[i]);
        uint32_t number;

        r->next[i] = NONE;
        if (length == 0)
            continue;
        status = ig_names_add(&r->texts, set->text[i], length, &number, error);
        if (status != IG_OK)
            break;
        if (number < before)
            r->next[i] = r->first[number];
        r->first[number] = (uint32_t)i;
    }
    return status;
}

static uint32_t find_text(const reading *r, ig_field text)
{
    uint32_t number = ig_names_find(&r->texts, text.bytes, text.length);

    return number == UINT32_MAX ? NONE : r->first[number];
}

/* The row of a field, by its text or its number. */
static ig_status find_row(const reading *r, const ig_record *record, size_t side,
                          uint32_t *row, ig_error *error)
{
    const char *name = side ? "right" : "left";
    size_t number, column = r->column[side];
    ig_field f = record->field[column];
    char quoted[IG_QUOTE_SIZE];

    ig_quote(quoted, f.bytes, f.length);
    if (r->by_text) {
        *row = find_text(r, f);
        return *row != NONE
                   ? IG_OK
                   : ig_fail(error, IG_VALUE, "%s:%zu: no row of %s has the text '%s'",
                             r->path, record->line, r->set->name, quoted);
    }
    if (!ig_number_size(f.bytes, f.length, &number))
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: column %zu (%s) is not a row number: '%s'", r->path,
                       record->line, column + 1, name, quoted);
    if (number >= r->set->rows)
        return ig_fail(error, IG_VALUE,
                       "%s:%zu: column %zu (%s) is row %zu, but %s has rows 0 to %zu",
                       r->path, record->line, column + 1, name, number, r->set->name,
                       r->set->rows - 1);
    *row = (uint32_t)number;
    return IG_OK;
}

static ig_status add(reading *r, const uint32_t row[2], double value, uint32_t kind,
                     ig_error *error)
{
    void *const array[] = {&r->row[0], &r->row[1], &r->kind, &r->value};
    size_t capacity = r->capacity;
    ig_status status = IG_OK;

    if (r->count == IG_MAX_ROWS)
        return ig_fail(error, IG_VALUE, "%s: more than %zu pairs", r->path,
                       IG_MAX_ROWS);
    for (size_t k = 0; k < 4 && status == IG_OK; k++) {
        capacity = r->capacity;
        status = ig_array_grow(array[k], &capacity, r->count + 1,
                               k < 3 ? sizeof(uint32_t) : sizeof(double), "the pairs",
                               error);
    }
    if (status != IG_OK)
        return status;
    r->capacity = capacity;
    r->row[0][r->count] = row[0];
    r->row[1][r->count] = row[1];
    r->value[r->count] = value;
    r->kind[r->count++] = kind;
    return IG_OK;
}

/* --- records ---------------------------------------------------------------------- */

/* Column of a role by the first of its names that the header has; SIZE_MAX: none. */
static size_t find_column(const ig_record *record, const char *const *name)
{
    for (; *name; name++)
        for (size_t i = 0; i < record->count; i++)
            if (record->field[i].length == strlen(*name) &&
                memcmp(record->field[i].bytes, *name, strlen(*name)) == 0)
                return i;
    return SIZE_MAX;
}

static ig_status read_header(reading *r, const ig_record *record, ig_error *error)
{
    static const char *const by_row[COLUMNS][4] = {
        {"left"}, {"right"}, {"score"}, {"pair"}};
    static const char *const by_text[COLUMNS][4] = {{"sentence1", "original", "source"},
                                                    {"sentence2", "translation"},
                                                    {"score", "z_mean", "mean"},
                                                    {"pair"}};
    const char *const score[] = {r->score, NULL};
    bool texts = r->scored && find_column(record, by_text[LEFT]) != SIZE_MAX;
    ig_status status = texts ? index_texts(r, error) : IG_OK;

    for (size_t k = 0; k < COLUMNS && status == IG_OK; k++) {
        const char *const *name = (texts ? by_text : by_row)[k];

        name = k == SCORE && r->score ? score : name;
        r->column[k] = k < SCORE || r->scored ? find_column(record, name) : SIZE_MAX;
        if (r->column[k] == SIZE_MAX && k < (r->scored ? KIND : SCORE))
            status = ig_fail(error, IG_FORMAT, "%s:%zu: no column %s (%s)", r->path,
                             record->line, *name,
                             r->scored ? "scores are the columns left, right, score "
                                         "and, where there are several kinds, pair; or "
                                         "sentence1, sentence2, score"
                                       : "pairs are two columns, left and right");
    }
    return status;
}

/* Whether a file has no header but records of a known form: words or texts with a tab
 * between them, words with blanks, sentences and a score with tabs. Sets the columns
 * and the style. */
static bool has_no_header(reading *r, const ig_content *content, ig_table_style *style)
{
    static const struct {
        bool scored;
        size_t fields, column[KIND];
    } forms[] = {{false, 2, {0, 1, 0}},
                 {true, 3, {0, 1, 2}},
                 {true, 3, {1, 2, 0}},
                 {true, 7, {5, 6, 4}}}; /* the STS benchmark */
    static const char *const header[] = {"left", "right", NULL};
    bool found = false;
    double score;

    for (const char *c = r->scored ? "\t" : "\t "; *c && !found; c++) {
        ig_table_reader t;

        *style = (ig_table_style){.delimiter = *c, .raw = true, .bare = true};
        ig_table_open(&t, r->path, content, *style, NULL, NULL);
        if (ig_table_next(&t) && find_column(&t.record, header) == SIZE_MAX)
            for (size_t i = 0; i < sizeof forms / sizeof *forms && !found; i++) {
                const ig_field *f = &t.record.field[forms[i].column[SCORE]];

                found = forms[i].scored == r->scored &&
                        forms[i].fields == t.record.count &&
                        (!r->scored || ig_number_double(f->bytes, f->length, &score));
                memcpy(r->column, forms[i].column, sizeof forms[i].column);
            }
        ig_table_close(&t);
    }
    r->column[KIND] = SIZE_MAX;
    return found;
}

/* Languages of the two sides: from the file's name, else the dataset's two
 * languages. */
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
                   "%s: unknown languages of its words: %s has %zu, and the "
                   "file name does not give two (%s-%s.txt)",
                   r->path, set->name, set->languages, set->language[0],
                   set->languages > 1 ? set->language[1] : "de");
}

static ig_status add_pairs(reading *r, const ig_record *record, ig_error *error)
{
    const uint16_t *lang = r->set->lang;
    size_t before = r->count;
    uint32_t row[2];
    ig_status status = IG_OK;

    if (r->by_text) { /* all pairs of rows with the two texts in the two languages */
        for (row[0] = find_text(r, record->field[0]); row[0] != NONE;
             row[0] = r->next[row[0]])
            for (row[1] = find_text(r, record->field[1]); row[1] != NONE;
                 row[1] = r->next[row[1]])
                if (status == IG_OK && lang[row[0]] == r->lang[0] &&
                    lang[row[1]] == r->lang[1])
                    status = add(r, row, 0, 0, error);
        r->unknown += r->count == before;
        return status;
    }
    for (size_t k = LEFT; k <= RIGHT && status == IG_OK; k++)
        status = find_row(r, record, k, &row[k], error);
    if (status == IG_OK && row[0] == row[1])
        status = ig_fail(error, IG_VALUE, "%s:%zu: row %u is paired with itself",
                         r->path, record->line, (unsigned)row[0]);
    return status == IG_OK ? add(r, row, 0, 0, error) : status;
}

/* The kind of a score: its column, or the languages of its rows, the lower number
 * first ("en-de"); in a dataset of one language, of several files the name. */
static ig_status find_kind(reading *r, const ig_record *record, const uint32_t row[2],
                           uint32_t *kind, ig_error *error)
{
    const ig_dataset *set = r->set;
    size_t a = set->lang[row[0]], b = set->lang[row[1]], column = r->column[KIND];
    const char *stem;
    size_t length;
    ig_builder name = {0};
    ig_status status;

    *kind = 0;
    if (column != SIZE_MAX) {
        ig_field f = record->field[column];

        if (f.length == 0 || !ig_quote_is_text(f.bytes, f.length))
            return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu (pair) is %s", r->path,
                           record->line, column + 1,
                           f.length ? "not valid UTF-8" : "empty");
        return ig_names_add(&r->kinds, f.bytes, f.length, kind, error);
    }
    if (set->languages == 1 && r->files == 1)
        return IG_OK;
    stem = ig_path_stem(r->path, &length);
    if (set->languages == 1)
        ig_builder_put(&name, stem, length);
    else
        ig_builder_add(&name, "%s-%s", set->language[a < b ? a : b],
                       set->language[a < b ? b : a]);
    status = name.failed ? ig_fail_memory(error, "kinds of pairs")
                         : ig_names_add(&r->kinds, name.text, name.length, kind, error);
    ig_builder_free(&name);
    return status;
}

static ig_status add_score(reading *r, const ig_record *record, ig_error *error)
{
    ig_field f = record->field[r->column[SCORE]];
    char quoted[IG_QUOTE_SIZE];
    uint32_t row[2] = {0}, kind;
    double value;
    ig_status status = IG_OK;

    for (size_t k = LEFT; k <= RIGHT && status == IG_OK; k++)
        status = find_row(r, record, k, &row[k], error);
    if (status != IG_OK)
        return status;
    if (r->by_text && row[0] == row[1] && r->next[row[0]] != NONE)
        row[1] = r->next[row[0]]; /* of equal sentences two rows */
    if (!ig_number_double(f.bytes, f.length, &value) || !isfinite(value))
        return ig_fail(error, IG_VALUE,
                       "%s:%zu: column %zu (score) is not a finite number: '%s'",
                       r->path, record->line, r->column[SCORE] + 1,
                       ig_quote(quoted, f.bytes, f.length));
    status = find_kind(r, record, row, &kind, error);
    return status == IG_OK ? add(r, row, value, kind, error) : status;
}

/* --- files ------------------------------------------------------------------------ */

static ig_status read_file(reading *r, const char *path, ig_error *error)
{
    const ig_dataset *set = r->set;
    size_t before = r->count;
    ig_table_style style;
    ig_content content;
    bool header;
    ig_table_reader t;
    ig_status status = ig_content_open(&content, path, NULL, error);

    r->path = path;
    r->by_text = false;
    if (status != IG_OK)
        return status;
    header = !has_no_header(r, &content, &style);
    if (header)
        style = ig_table_guess(path, &content, NULL);
    else
        status = r->scored ? IG_OK : find_sides(r, error);
    if (status == IG_OK && !header)
        status = index_texts(r, error);
    ig_table_open(&t, path, &content, style, NULL, error);
    t.status = status == IG_OK ? t.status : status;
    while (ig_table_next(&t))
        t.status = header && t.record.number == 0 ? read_header(r, &t.record, error)
                   : r->scored                    ? add_score(r, &t.record, error)
                                                  : add_pairs(r, &t.record, error);
    status = ig_table_close(&t);
    ig_content_close(&content);
    if (status != IG_OK || r->count > before)
        return status;
    if (header)
        return ig_fail(error, IG_VALUE, "%s: has a header and no %s", path,
                       r->scored ? "scores" : "pairs");
    return ig_fail(error, IG_VALUE,
                   "%s: no line has a word of %s and one of %s that are in %s", path,
                   set->language[r->lang[0]], set->language[r->lang[1]], set->name);
}

/* Set groups: pairs connected by shared rows or ids have the same meaning. */
static ig_status group_pairs(ig_pairs *pairs, const ig_dataset *set, ig_error *error)
{
    size_t nodes = set->rows + set->ids; /* rows, then ids */
    uint32_t *parent = ig_alloc(nodes, sizeof *parent);
    uint32_t *number = ig_alloc(nodes, sizeof *number); /* group of a root, plus 1 */

    if (!parent || !number) {
        IG_FREE(parent, number);
        return ig_fail_memory(error, "groups of pairs");
    }
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
    IG_FREE(parent, number);
    return IG_OK;
}

ig_status ig_pairs_read(ig_pairs *pairs, const ig_dataset *set, const char *path,
                        ig_error *error)
{
    reading r = {.set = set, .files = 1};
    ig_status status = read_file(&r, path, error);

    *pairs = (ig_pairs){.count = r.count,
                        .left = r.row[0],
                        .right = r.row[1],
                        .group = r.kind,
                        .given = true,
                        .unknown = r.unknown};
    ig_names_free(&r.texts);
    IG_FREE(r.first, r.next, r.value);
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
    *scores = (ig_scores){.count = r.count,
                          .left = r.row[0],
                          .right = r.row[1],
                          .score = r.value,
                          .pairs = r.kinds.count,
                          .pair_name = r.kinds.name,
                          .kinds = r.kinds,
                          .pair = r.kind};
    ig_names_free(&r.texts);
    IG_FREE(r.first, r.next);
    if (status != IG_OK)
        ig_scores_free(scores);
    if (!scores->pairs) {
        ig_free(scores->pair);
        scores->pair = NULL;
    }
    return status;
}

/* --- scores ----------------------------------------------------------------------- */

ig_status ig_scores_keep(ig_scores *to, const ig_scores *from, const uint8_t *mark,
                         ig_error *error)
{
    ig_scores all = *from, kept = all;
    size_t n = 0;

    kept.kinds = (ig_names){0}; /* names are shared */
    kept.left = ig_alloc(all.count, sizeof *kept.left);
    kept.right = ig_alloc(all.count, sizeof *kept.right);
    kept.score = ig_alloc(all.count, sizeof *kept.score);
    kept.pair = all.pair ? ig_alloc(all.count, sizeof *kept.pair) : NULL;
    if (!kept.left || !kept.right || !kept.score || (all.pair && !kept.pair)) {
        ig_scores_free(&kept);
        return ig_fail_memory(error, "the scores");
    }
    for (size_t i = 0; i < all.count; i++)
        if (!mark || (mark[all.left[i]] && mark[all.right[i]])) {
            kept.left[n] = all.left[i];
            kept.right[n] = all.right[i];
            kept.score[n] = all.score[i];
            if (all.pair)
                kept.pair[n] = all.pair[i];
            n++;
        }
    kept.count = n;
    if (to == from) {
        IG_FREE(all.left, all.right, all.score, all.pair);
        kept.kinds = all.kinds;
    }
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
