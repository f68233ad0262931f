/* Reads files of row pairs: --pairs and --scores. Rows are given by number in tables
 * with columns left and right, or by their text: pairs as lines of two words
 * (dictionaries), scores as columns sentence1 and sentence2 or lines of two sentences
 * and a score. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "data/columns.h"
#include "data/number.h"
#include "data/pairs.h"
#include "data/scores.h"
#include "data/table.h"

enum { LEFT, RIGHT, SCORE, KIND, COLUMNS };
#define NONE UINT32_MAX /* no row */

/* Reader of pairs or scores. */
typedef struct reading {
    const ig_dataset *set;
    const char *path;
    ig_pairs *pairs;
    ig_scores *scores;
    size_t column[COLUMNS];   /* index in the table */
    size_t capacity[COLUMNS]; /* of the arrays */
    bool has_kinds;
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

static uint32_t find_text(const reading *r, const ig_field *text)
{
    uint32_t number = ig_names_find(&r->texts, text->bytes, text->length);

    return number == UINT32_MAX ? NONE : r->first[number];
}

/* Rows of two sentences; for equal sentences two different rows if possible. */
static ig_status find_sentences(const reading *r, size_t line, const ig_field *left,
                                const ig_field *right, uint32_t row[2], ig_error *error)
{
    const ig_field *side[2] = {left, right};
    char quoted[IG_QUOTE_SIZE];

    for (size_t k = 0; k < 2; k++) {
        row[k] = find_text(r, side[k]);
        if (row[k] == NONE)
            return ig_fail(error, IG_VALUE, "%s:%zu: no row of %s has the text '%s'",
                           r->path, line, r->set->name,
                           ig_quote(quoted, side[k]->bytes, side[k]->length));
    }
    if (row[0] == row[1] && r->next[row[0]] != NONE)
        row[1] = r->next[row[0]];
    return IG_OK;
}

static size_t find_field(const ig_record *record, const char *name)
{
    size_t length = strlen(name), i = 0;

    while (i < record->count && (record->field[i].length != length ||
                                 memcmp(record->field[i].bytes, name, length) != 0))
        i++;
    return i;
}

static ig_status read_row(const reading *r, const ig_record *record, size_t column,
                          const char *name, uint32_t *row, ig_error *error)
{
    const ig_field *f = &record->field[column];
    char quoted[IG_QUOTE_SIZE];
    size_t number;

    if (!ig_number_size(f->bytes, f->length, &number))
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: column %zu (%s) is not a row number: '%s'", r->path,
                       record->line, column + 1, name,
                       ig_quote(quoted, f->bytes, f->length));
    if (number >= r->set->rows)
        return ig_fail(error, IG_VALUE,
                       "%s:%zu: column %zu (%s) is row %zu, but %s has rows 0 to %zu",
                       r->path, record->line, column + 1, name, number, r->set->name,
                       r->set->rows - 1);
    *row = (uint32_t)number;
    return IG_OK;
}

/* --- adding pairs and scores ------------------------------------------------------ */

static ig_status add_pair(reading *r, size_t line, uint32_t left, uint32_t right,
                          ig_error *error)
{
    ig_pairs *pairs = r->pairs;
    uint32_t **array[3] = {&pairs->left, &pairs->right, &pairs->group};
    ig_status status = IG_OK;

    if (left == right)
        return ig_fail(error, IG_VALUE, "%s:%zu: row %u is paired with itself", r->path,
                       line, (unsigned)left);
    if (pairs->count == IG_MAX_ROWS)
        return ig_fail(error, IG_VALUE, "%s: more than %zu pairs", r->path,
                       IG_MAX_ROWS);
    for (size_t k = 0; k < 3 && status == IG_OK; k++)
        status = ig_array_grow(array[k], &r->capacity[k], pairs->count + 1,
                               sizeof **array[k], "the pairs", error);
    if (status != IG_OK)
        return status;
    pairs->left[pairs->count] = left;
    pairs->right[pairs->count++] = right;
    return IG_OK;
}

static ig_status add_score(reading *r, const uint32_t row[2], double score,
                           uint32_t kind, ig_error *error)
{
    ig_scores *s = r->scores;
    const struct {
        void *array;
        size_t size;
    } arrays[COLUMNS] = {{&s->left, sizeof *s->left},
                         {&s->right, sizeof *s->right},
                         {&s->score, sizeof *s->score},
                         {&s->pair, sizeof *s->pair}};
    ig_status status = IG_OK;

    if (s->count == IG_MAX_ROWS)
        return ig_fail(error, IG_VALUE, "%s: more than %zu scores", r->path,
                       IG_MAX_ROWS);
    for (size_t k = 0; k < (r->has_kinds ? COLUMNS : KIND) && status == IG_OK; k++)
        status = ig_array_grow(arrays[k].array, &r->capacity[k], s->count + 1,
                               arrays[k].size, "the scores", error);
    if (status != IG_OK)
        return status;
    s->left[s->count] = row[0];
    s->right[s->count] = row[1];
    s->score[s->count] = score;
    if (r->has_kinds)
        s->pair[s->count] = kind;
    s->count++;
    return IG_OK;
}

/* --- tables ----------------------------------------------------------------------- */

static const char *const by_row[COLUMNS] = {"left", "right", "score", "pair"};
static const char *const by_text[COLUMNS] = {"sentence1", "sentence2", "score", "pair"};

static ig_status read_header(reading *r, const ig_record *record, ig_error *error)
{
    bool texts = r->scores && find_field(record, by_text[LEFT]) < record->count;
    ig_status status = texts ? index_texts(r, error) : IG_OK;

    for (size_t k = 0; k < (r->scores ? COLUMNS : SCORE) && status == IG_OK; k++) {
        const char *name = texts ? by_text[k] : by_row[k];

        r->column[k] = find_field(record, name);
        if (k != KIND && r->column[k] == record->count)
            status = ig_fail(error, IG_FORMAT, "%s:%zu: no column %s (%s)", r->path,
                             record->line, name,
                             r->scores ? "scores are the columns left, right, score "
                                         "and, where there are several kinds, pair; or "
                                         "sentence1, sentence2, score"
                                       : "pairs are two columns, left and right");
    }
    r->has_kinds = r->scores && r->column[KIND] < record->count;
    return status;
}

static ig_status read_score(reading *r, const ig_record *record, double *score,
                            uint32_t *kind, ig_error *error)
{
    const ig_field *f = &record->field[r->column[SCORE]];
    char quoted[IG_QUOTE_SIZE];

    if (!ig_number_double(f->bytes, f->length, score) || !isfinite(*score))
        return ig_fail(error, IG_VALUE,
                       "%s:%zu: column %zu (score) is not a finite number: '%s'",
                       r->path, record->line, r->column[SCORE] + 1,
                       ig_quote(quoted, f->bytes, f->length));
    if (!r->has_kinds)
        return IG_OK;
    f = &record->field[r->column[KIND]];
    if (f->length == 0 || !ig_quote_is_text(f->bytes, f->length))
        return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu (pair) is %s", r->path,
                       record->line, r->column[KIND] + 1,
                       f->length ? "not valid UTF-8" : "empty");
    return ig_names_add(&r->scores->kinds, f->bytes, f->length, kind, error);
}

static ig_status read_record(void *context, const ig_record *record, ig_error *error)
{
    reading *r = context;
    uint32_t row[2], kind = 0;
    double score = 0;
    ig_status status = IG_OK;

    if (record->number == 0)
        return read_header(r, record, error);
    if (r->first)
        status = find_sentences(r, record->line, &record->field[r->column[LEFT]],
                                &record->field[r->column[RIGHT]], row, error);
    for (size_t k = LEFT; k <= RIGHT && status == IG_OK && !r->first; k++)
        status = read_row(r, record, r->column[k], by_row[k], &row[k], error);
    if (status == IG_OK && r->scores)
        status = read_score(r, record, &score, &kind, error);
    if (status != IG_OK)
        return status;
    return r->scores ? add_score(r, row, score, kind, error)
                     : add_pair(r, record->line, row[0], row[1], error);
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
    int n = (int)set->languages;

    for (int left = 0; left < n; left++) {
        size_t length = strlen(set->language[left]);

        if (strncmp(name, set->language[left], length) != 0 || name[length] != '-')
            continue;
        for (int right = 0; right < n; right++) {
            const char *rest = name + length + 1;
            size_t other = strlen(set->language[right]);

            if (right == left || strncmp(rest, set->language[right], other) != 0 ||
                (rest[other] != '.' && rest[other] != '\0'))
                continue;
            r->lang[0] = left;
            r->lang[1] = right;
            return IG_OK;
        }
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
    size_t before = r->pairs->count;
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
    for (uint32_t a = find_text(r, &word[0]); a != NONE; a = r->next[a])
        for (uint32_t b = find_text(r, &word[1]); b != NONE; b = r->next[b])
            if (status == IG_OK && lang[a] == r->lang[0] && lang[b] == r->lang[1])
                status = add_pair(r, number, a, b, error);
    r->pairs->unknown += r->pairs->count == before;
    return status;
}

enum { FIELDS = 7 };

/* Split at tabs into at most FIELDS fields, without quoting. */
static size_t split_tabs(const char *line, size_t length, ig_field field[FIELDS])
{
    const char *end = line + length;
    size_t count = 0;

    while (count < FIELDS) {
        const char *tab = memchr(line, '\t', (size_t)(end - line));

        field[count++] = (ig_field){line, (size_t)((tab ? tab : end) - line)};
        if (!tab)
            break;
        line = tab + 1;
    }
    return count;
}

/* Parse two sentences and a score: sentence, sentence, score; score, sentence,
 * sentence; or fields 5 to 7 as in the STS benchmark. False if the line has none of
 * these forms. */
static bool split_sentences(const char *line, size_t length, ig_field sentence[2],
                            double *score)
{
    static const size_t known[][4] = {{3, 0, 1, 2}, {3, 1, 2, 0}, {7, 5, 6, 4}};
    ig_field field[FIELDS];
    size_t count = split_tabs(line, length, field);

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const ig_field *f = &field[known[i][3]];

        if (count != known[i][0] || !ig_number_double(f->bytes, f->length, score))
            continue;
        sentence[0] = field[known[i][1]];
        sentence[1] = field[known[i][2]];
        return true;
    }
    return false;
}

static ig_status add_sentences(void *context, const char *line, size_t length,
                               size_t number, ig_error *error)
{
    reading *r = context;
    ig_field sentence[2];
    uint32_t row[2];
    double score;
    ig_status status;

    if (length == 0)
        return IG_OK;
    if (!split_sentences(line, length, sentence, &score))
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: expected two sentences and a score with tabs between "
                       "them",
                       r->path, number);
    status = find_sentences(r, number, &sentence[0], &sentence[1], row, error);
    if (status == IG_OK && !isfinite(score))
        status = ig_fail(error, IG_VALUE, "%s:%zu: the score is not finite", r->path,
                         number);
    return status == IG_OK ? add_score(r, row, score, 0, error) : status;
}

/* --- files ------------------------------------------------------------------------ */

/* Whether the first line holds texts rather than a table header. */
static bool is_lines(const reading *r, const ig_content *content)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    const char *line;
    size_t length;
    ig_field word[2];
    double score;

    if (!ig_lines_next(&lines, &line, &length))
        return false;
    if (r->scores)
        return split_sentences(line, length, word, &score);
    return split_words(line, length, word) &&
           !(word[0].length == 4 && memcmp(word[0].bytes, "left", 4) == 0) &&
           !(word[0].length == 5 && memcmp(word[0].bytes, "right", 5) == 0);
}

static ig_status read_lines(reading *r, const ig_content *content, ig_error *error)
{
    const ig_dataset *set = r->set;
    ig_status status = r->pairs ? find_sides(r, error) : IG_OK;

    if (status == IG_OK)
        status = index_texts(r, error);
    if (status == IG_OK)
        status = ig_lines_each(r->path, content, NULL,
                               r->pairs ? add_words : add_sentences, r, error);
    if (status == IG_OK && r->pairs && r->pairs->count == 0)
        status = ig_fail(error, IG_VALUE,
                         "%s: no line has a word of %s and one of %s that are in %s",
                         r->path, set->language[r->lang[0]], set->language[r->lang[1]],
                         set->name);
    return status;
}

static ig_status read_file(reading *r, ig_error *error)
{
    ig_content content;
    ig_status status = ig_content_open(&content, r->path, NULL, error);

    if (status == IG_OK)
        status = is_lines(r, &content) ? read_lines(r, &content, error)
                                       : ig_table_parse(r->path, &content, 0, true,
                                                        read_record, r, NULL, error);
    if (status == IG_OK && (r->pairs ? r->pairs->count : r->scores->count) == 0)
        status = ig_fail(error, IG_VALUE, "%s: has a header and no %s", r->path,
                         r->pairs ? "pairs" : "scores");
    ig_content_close(&content);
    ig_names_free(&r->texts);
    IG_FREE(r->first, r->next);
    return status;
}

/* --- pairs ------------------------------------------------------------------------ */

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
    for (size_t i = 0; i < set->rows; i++) {
        if (set->id[i] != IG_NO_ID)
            ig_joined_add(parent, (uint32_t)i, (uint32_t)(set->rows + set->id[i]));
    }
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
    reading r = {.set = set, .path = path, .pairs = pairs};
    ig_status status;

    *pairs = (ig_pairs){.given = true};
    status = read_file(&r, error);
    if (status == IG_OK)
        status = group_pairs(pairs, set, error);
    if (status != IG_OK)
        ig_pairs_free(pairs);
    return status;
}

/* --- scores ----------------------------------------------------------------------- */

/* Kinds by the languages of the rows, the lower number first: "en-de". */
static ig_status take_languages(ig_scores *scores, const ig_dataset *set,
                                ig_error *error)
{
    ig_builder name = {0};
    ig_status status = IG_OK;

    ig_free(scores->pair);
    scores->pair = ig_alloc(scores->count, sizeof *scores->pair);
    for (size_t i = 0; scores->pair && i < scores->count && status == IG_OK; i++) {
        size_t a = set->lang[scores->left[i]], b = set->lang[scores->right[i]];

        name.length = 0;
        ig_builder_add(&name, "%s-%s", set->language[a < b ? a : b],
                       set->language[a < b ? b : a]);
        if (!name.failed)
            status = ig_names_add(&scores->kinds, name.text, name.length,
                                  &scores->pair[i], error);
    }
    if (!scores->pair || name.failed)
        status = ig_fail_memory(error, "kinds of pairs");
    ig_builder_free(&name);
    return status;
}

ig_status ig_scores_read(ig_scores *scores, const ig_dataset *set, const char *path,
                         ig_error *error)
{
    reading r = {.set = set, .path = path, .scores = scores};
    ig_status status;

    *scores = (ig_scores){0};
    status = read_file(&r, error);
    if (status == IG_OK && !r.has_kinds && set->languages > 1)
        status = take_languages(scores, set, error);
    scores->pairs = scores->kinds.count;
    scores->pair_name = scores->kinds.name;
    if (status != IG_OK)
        ig_scores_free(scores);
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

    *to = (ig_scores){.count = n,
                      .labelled = from->labelled,
                      .positive = from->positive,
                      .pairs = from->pairs,
                      .pair_name = from->pair_name};
    to->left = copy_block(from->left, n * sizeof *to->left);
    to->right = copy_block(from->right, n * sizeof *to->right);
    to->score = copy_block(from->score, n * sizeof *to->score);
    if (from->pair)
        to->pair = copy_block(from->pair, n * sizeof *to->pair);
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
