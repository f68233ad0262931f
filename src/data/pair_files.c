/* Reads files of row pairs: --pairs and --scores. A record gives two rows by number, or
 * two texts of rows: pairs as lines of two words (dictionaries), scores as columns or
 * lines of two sentences and a score. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "data/columns.h"
#include "data/number.h"
#include "data/pairs.h"
#include "data/scores.h"
#include "data/table.h"

enum { LEFT, RIGHT, SCORE, KIND, COLUMNS, FIELDS = 7 };
#define NONE UINT32_MAX /* no row */

/* Reader of pairs or scores. */
typedef struct reading {
    const ig_dataset *set;
    const char *path;
    bool scored;
    size_t column[COLUMNS]; /* fields of a record; KIND may be SIZE_MAX */
    size_t count, unknown;
    uint32_t *row[2], *kind; /* (count) */
    double *score;
    size_t capacity[COLUMNS];
    ig_names kinds;
    int lang[2]; /* languages of a dictionary's two sides */

    /* Rows by their text; NULL if rows are given by number. */
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
    r->first = ig_alloc(set->rows, sizeof *r->first);
    r->next = ig_alloc(set->rows, sizeof *r->next);
    if (!r->first || !r->next)
        return ig_fail_memory(error, "the texts");
    /* Backwards, so that each list starts with the first row. */
    for (size_t i = set->rows; i-- > 0 && status == IG_OK;) {
        const char *text = set->text[i];
        size_t before = r->texts.count;
        uint32_t number;

        r->next[i] = NONE;
        if (*text == '\0')
            continue;
        status = ig_names_add(&r->texts, text, strlen(text), &number, error);
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
    size_t column = r->column[side], number;
    const char *name = side ? "right" : "left";
    ig_field f = record->field[column];
    char quoted[IG_QUOTE_SIZE];

    ig_quote(quoted, f.bytes, f.length);
    if (r->first) {
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

static ig_status add(reading *r, size_t line, const uint32_t row[2], double score,
                     uint32_t kind, ig_error *error)
{
    const char *what = r->scored ? "scores" : "pairs";
    const struct {
        void *array;
        size_t size;
    } arrays[COLUMNS] = {{&r->row[0], sizeof *r->row[0]},
                         {&r->row[1], sizeof *r->row[1]},
                         {&r->score, sizeof *r->score},
                         {&r->kind, sizeof *r->kind}};

    if (!r->scored && row[0] == row[1])
        return ig_fail(error, IG_VALUE, "%s:%zu: row %u is paired with itself", r->path,
                       line, (unsigned)row[0]);
    if (r->count == IG_MAX_ROWS)
        return ig_fail(error, IG_VALUE, "%s: more than %zu %s", r->path, IG_MAX_ROWS,
                       what);
    for (size_t k = 0; k < COLUMNS; k++) {
        ig_status status = ig_array_grow(arrays[k].array, &r->capacity[k], r->count + 1,
                                         arrays[k].size, what, error);

        if (status != IG_OK)
            return status;
    }
    r->row[0][r->count] = row[0];
    r->row[1][r->count] = row[1];
    r->score[r->count] = score;
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
    bool texts = r->scored && find_column(record, by_text[LEFT]) != SIZE_MAX;
    ig_status status = texts ? index_texts(r, error) : IG_OK;

    for (size_t k = 0; k < COLUMNS && status == IG_OK; k++) {
        const char *const *name = (texts ? by_text : by_row)[k];

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

/* Add the rows of a record and their score. */
static ig_status add_record(reading *r, const ig_record *record, ig_error *error)
{
    uint32_t row[2] = {0}, kind = 0;
    double score = 0;
    ig_field f;
    ig_status status = IG_OK;

    for (size_t k = LEFT; k <= RIGHT && status == IG_OK; k++)
        status = find_row(r, record, k, &row[k], error);
    if (status != IG_OK || !r->scored)
        return status == IG_OK ? add(r, record->line, row, 0, 0, error) : status;
    if (r->first && row[0] == row[1] && r->next[row[0]] != NONE)
        row[1] = r->next[row[0]]; /* of equal sentences two rows */
    f = record->field[r->column[SCORE]];
    if (!ig_number_double(f.bytes, f.length, &score) || !isfinite(score)) {
        char quoted[IG_QUOTE_SIZE];

        return ig_fail(error, IG_VALUE,
                       "%s:%zu: column %zu (score) is not a finite number: '%s'",
                       r->path, record->line, r->column[SCORE] + 1,
                       ig_quote(quoted, f.bytes, f.length));
    }
    if (r->column[KIND] != SIZE_MAX) {
        f = record->field[r->column[KIND]];
        if (f.length == 0 || !ig_quote_is_text(f.bytes, f.length))
            return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu (pair) is %s", r->path,
                           record->line, r->column[KIND] + 1,
                           f.length ? "not valid UTF-8" : "empty");
        status = ig_names_add(&r->kinds, f.bytes, f.length, &kind, error);
    }
    return status == IG_OK ? add(r, record->line, row, score, kind, error) : status;
}

static ig_status read_record(void *context, const ig_record *record, ig_error *error)
{
    return record->number == 0 ? read_header(context, record, error)
                               : add_record(context, record, error);
}

/* --- lines ------------------------------------------------------------------------ */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Split a line at its tab, else at its only run of blanks. False if there is none. */
static bool split_words(const char *line, size_t length, ig_field word[2])
{
    const char *end = line + length, *tab = memchr(line, '\t', length), *at = tab;

    while (end > line && is_blank(end[-1]))
        end--;
    if (!at || at >= end)
        for (at = line; at < end && !is_blank(*at);)
            at++;
    word[0] = (ig_field){line, (size_t)(at - line)};
    while (at < end && is_blank(*at))
        at++;
    word[1] = (ig_field){at, (size_t)(end - at)};
    for (const char *c = at; c < end && !tab; c++)
        if (is_blank(*c))
            return false;
    return word[0].length > 0 && word[1].length > 0;
}

/* Languages of the two sides: from the file's name, else the dataset's two
 * languages. */
static ig_status find_sides(reading *r, ig_error *error)
{
    const ig_dataset *set = r->set;
    const char *slash = strrchr(r->path, '/'), *name = slash ? slash + 1 : r->path;

    for (const char *dash = strchr(name, '-'); dash; dash = strchr(dash + 1, '-')) {
        r->lang[0] = ig_dataset_language_of(set, name, (size_t)(dash - name));
        r->lang[1] = ig_dataset_language_of(set, dash + 1, strcspn(dash + 1, "."));
        if (r->lang[0] >= 0 && r->lang[1] >= 0 && r->lang[0] != r->lang[1])
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

/* Add all pairs of rows with the two words of a line in the two languages. */
static ig_status add_words(void *context, const char *line, size_t length,
                           size_t number, ig_error *error)
{
    reading *r = context;
    size_t before = r->count;
    const uint16_t *lang = r->set->lang;
    ig_status status = IG_OK;
    ig_field word[2];

    if (length == 0)
        return IG_OK;
    if (!split_words(line, length, word))
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: expected two words, or two texts with a tab between "
                       "them",
                       r->path, number);
    for (uint32_t a = find_text(r, word[0]); a != NONE; a = r->next[a])
        for (uint32_t b = find_text(r, word[1]); b != NONE; b = r->next[b])
            if (status == IG_OK && lang[a] == r->lang[0] && lang[b] == r->lang[1])
                status = add(r, number, (uint32_t[]){a, b}, 0, 0, error);
    r->unknown += r->count == before;
    return status;
}

/* Split two sentences and a score at tabs: sentence, sentence, score; score, sentence,
 * sentence; or fields 5 to 7 as in the STS benchmark. Returns the number of fields, 0
 * if the line has none of these forms. */
static size_t split_sentences(const char *line, size_t length, ig_field field[FIELDS],
                              size_t column[COLUMNS])
{
    static const size_t known[][4] = {{0, 1, 2, 3}, {1, 2, 0, 3}, {5, 6, 4, 7}};
    const char *end = line + length;
    size_t count = 0;
    double score;

    while (count < FIELDS) {
        const char *tab = memchr(line, '\t', (size_t)(end - line));

        field[count++] = (ig_field){line, (size_t)((tab ? tab : end) - line)};
        if (!tab)
            break;
        line = tab + 1;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const ig_field *f = &field[known[i][SCORE]];

        if (count == known[i][3] && ig_number_double(f->bytes, f->length, &score)) {
            memcpy(column, known[i], KIND * sizeof *column);
            return count;
        }
    }
    return 0;
}

static ig_status add_sentences(void *context, const char *line, size_t length,
                               size_t number, ig_error *error)
{
    reading *r = context;
    ig_field field[FIELDS];
    ig_record record = {.line = number, .field = field};

    if (length == 0)
        return IG_OK;
    record.count = split_sentences(line, length, field, r->column);
    return record.count ? add_record(r, &record, error)
                        : ig_fail(error, IG_FORMAT,
                                  "%s:%zu: expected two sentences and a score with "
                                  "tabs between them",
                                  r->path, number);
}

/* --- files ------------------------------------------------------------------------ */

/* Whether the first line holds texts rather than a table header. */
static bool is_lines(const reading *r, const ig_content *content)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    size_t length, column[COLUMNS];
    ig_field field[FIELDS];
    const char *line;

    if (!ig_lines_next(&lines, &line, &length))
        return false;
    if (r->scored)
        return split_sentences(line, length, field, column) > 0;
    return split_words(line, length, field) &&
           !(field[0].length == 4 && memcmp(field[0].bytes, "left", 4) == 0) &&
           !(field[0].length == 5 && memcmp(field[0].bytes, "right", 5) == 0);
}

static ig_status read_file(reading *r, ig_error *error)
{
    const ig_dataset *set = r->set;
    ig_content content;
    ig_status status = ig_content_open(&content, r->path, NULL, error);
    bool lines = status == IG_OK && is_lines(r, &content);

    r->column[KIND] = SIZE_MAX;
    if (lines && !r->scored)
        status = find_sides(r, error);
    if (lines && status == IG_OK)
        status = index_texts(r, error);
    if (status == IG_OK)
        status = lines ? ig_lines_each(r->path, &content, NULL,
                                       r->scored ? add_sentences : add_words, r, error)
                       : ig_table_parse(r->path, &content, 0, true, read_record, r,
                                        NULL, error);
    if (status == IG_OK && r->count == 0)
        status = lines ? ig_fail(error, IG_VALUE,
                                 "%s: no line has a word of %s and one of %s that are "
                                 "in %s",
                                 r->path, set->language[r->lang[0]],
                                 set->language[r->lang[1]], set->name)
                       : ig_fail(error, IG_VALUE, "%s: has a header and no %s", r->path,
                                 r->scored ? "scores" : "pairs");
    ig_content_close(&content);
    ig_names_free(&r->texts);
    IG_FREE(r->first, r->next);
    return status;
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
    reading r = {.set = set, .path = path};
    ig_status status = read_file(&r, error);

    *pairs = (ig_pairs){.count = r.count,
                        .left = r.row[0],
                        .right = r.row[1],
                        .group = r.kind,
                        .given = true,
                        .unknown = r.unknown};
    ig_free(r.score);
    if (status == IG_OK)
        status = group_pairs(pairs, set, error);
    if (status != IG_OK)
        ig_pairs_free(pairs);
    return status;
}

/* --- scores ----------------------------------------------------------------------- */

/* Kinds by the languages of the rows, the lower number first: "en-de". */
static ig_status name_kinds(ig_scores *s, const ig_dataset *set, ig_error *error)
{
    ig_builder name = {0};
    ig_status status = IG_OK;

    for (size_t i = 0; i < s->count && status == IG_OK; i++) {
        size_t a = set->lang[s->left[i]], b = set->lang[s->right[i]];

        name.length = 0;
        ig_builder_add(&name, "%s-%s", set->language[a < b ? a : b],
                       set->language[a < b ? b : a]);
        status = name.failed ? ig_fail_memory(error, "kinds of pairs")
                             : ig_names_add(&s->kinds, name.text, name.length,
                                            &s->pair[i], error);
    }
    ig_builder_free(&name);
    return status;
}

ig_status ig_scores_read(ig_scores *scores, const ig_dataset *set, const char *path,
                         ig_error *error)
{
    reading r = {.set = set, .path = path, .scored = true};
    ig_status status = read_file(&r, error);

    *scores = (ig_scores){.count = r.count,
                          .left = r.row[0],
                          .right = r.row[1],
                          .score = r.score,
                          .pair = r.kind,
                          .kinds = r.kinds};
    if (status == IG_OK && r.column[KIND] == SIZE_MAX && set->languages > 1)
        status = name_kinds(scores, set, error);
    scores->pairs = scores->kinds.count;
    scores->pair_name = scores->kinds.name;
    if (status != IG_OK) {
        ig_scores_free(scores);
    } else if (!scores->pairs) {
        ig_free(scores->pair);
        scores->pair = NULL;
    }
    return status;
}

void ig_scores_keep(ig_scores *s, const uint8_t *mark)
{
    size_t n = 0;

    for (size_t i = 0; i < s->count; i++) {
        if (!mark[s->left[i]] || !mark[s->right[i]])
            continue;
        s->left[n] = s->left[i];
        s->right[n] = s->right[i];
        s->score[n] = s->score[i];
        if (s->pair)
            s->pair[n] = s->pair[i];
        n++;
    }
    s->count = n;
}

static void *copy_block(const void *from, size_t size)
{
    void *block = ig_alloc(size, 1);

    if (block && size)
        memcpy(block, from, size);
    return block;
}

ig_status ig_scores_copy(ig_scores *to, const ig_scores *from, ig_error *error)
{
    size_t n = from->count;

    *to = *from;
    to->kinds = (ig_names){0}; /* names are shared */
    to->left = copy_block(from->left, n * sizeof *to->left);
    to->right = copy_block(from->right, n * sizeof *to->right);
    to->score = copy_block(from->score, n * sizeof *to->score);
    to->pair = from->pair ? copy_block(from->pair, n * sizeof *to->pair) : NULL;
    if (to->left && to->right && to->score && (to->pair || !from->pair))
        return IG_OK;
    ig_scores_free(to);
    return ig_fail_memory(error, "the scores");
}

void ig_scores_free(ig_scores *scores)
{
    if (!scores)
        return;
    IG_FREE(scores->left, scores->right, scores->score, scores->pair);
    ig_names_free(&scores->kinds);
    *scores = (ig_scores){0};
}
