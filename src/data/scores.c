/* Human similarity scores from a table (--scores): columns left, right (0-based rows),
 * score, and pair when there are several kinds of pairs. Other columns are passed
 * over. */
#include "data/scores.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "data/columns.h"
#include "data/lines.h"
#include "data/number.h"
#include "data/quote.h"
#include "data/table.h"
#include "data/text_rows.h"

enum { LEFT, RIGHT, SCORE, PAIR, COLUMNS };

static const char *const column_name[COLUMNS] = {"left", "right", "score", "pair"};

/* Scores while their table is read. */
typedef struct reading {
    const ig_set *set;
    ig_scores *scores;
    ig_names kinds;
    bool has_kinds;
    size_t capacity[COLUMNS]; /* of the arrays */
    size_t column[COLUMNS];   /* in the table */
    bool by_text;             /* left and right are sentences … */
    ig_text_rows index;       /* … of these rows */
} reading;

/* What other files call the columns; left and right are then sentences. */
static const char *const sentence_name[COLUMNS] = {"sentence1", "sentence2", "score",
                                                   "pair"};

static ig_status take_header(reading *r, const ig_record *record, ig_error *error)
{
    const char *const *name = column_name;

    if (ig_record_find(record, sentence_name[LEFT]) < record->count) {
        ig_status status = ig_text_rows_init(&r->index, r->set, record->file, error);

        if (status != IG_OK)
            return status;
        r->by_text = true;
        name = sentence_name;
    }
    for (size_t k = 0; k < COLUMNS; k++) {
        r->column[k] = ig_record_find(record, name[k]);
        if (k != PAIR && r->column[k] == record->count)
            return ig_fail(error, IG_FORMAT,
                           "%s:%zu: no column %s (scores are the columns left, right, "
                           "score and, where there are several kinds, pair; or "
                           "sentence1, sentence2, score)",
                           record->file, record->line, name[k]);
    }
    r->has_kinds = r->column[PAIR] < record->count;
    return IG_OK;
}

static ig_status take_number(const reading *r, const ig_record *record, double *score,
                             ig_error *error)
{
    const ig_field *f = &record->field[r->column[SCORE]];
    char quoted[IG_QUOTE_SIZE];

    if (ig_number_double(f->bytes, f->length, score) && isfinite(*score))
        return IG_OK;
    return ig_fail(error, IG_VALUE,
                   "%s:%zu: column %zu (score) is not a finite number: '%s'",
                   record->file, record->line, r->column[SCORE] + 1,
                   ig_quote(quoted, f->bytes, f->length));
}

static ig_status take_kind(reading *r, const ig_record *record, uint32_t *kind,
                           ig_error *error)
{
    const ig_field *f = &record->field[r->column[PAIR]];

    if (f->length == 0)
        return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu (pair) is empty",
                       record->file, record->line, r->column[PAIR] + 1);
    if (!ig_quote_is_text(f->bytes, f->length))
        return ig_fail(error, IG_FORMAT, "%s:%zu: column %zu (pair) is not valid UTF-8",
                       record->file, record->line, r->column[PAIR] + 1);
    return ig_names_add(&r->kinds, f->bytes, f->length, kind, error);
}

/* Append a score. */
static ig_status add_score(reading *r, const char *path, const uint32_t row[2],
                           double score, uint32_t kind, ig_error *error)
{
    ig_scores *s = r->scores;
    ig_status status = IG_OK;

    if (s->count == IG_MAX_ROWS)
        status =
            ig_fail(error, IG_VALUE, "%s: more than %zu scores", path, IG_MAX_ROWS);
    if (status == IG_OK)
        status = ig_array_grow(&s->left, &r->capacity[LEFT], s->count + 1,
                               sizeof *s->left, "the scores", error);
    if (status == IG_OK)
        status = ig_array_grow(&s->right, &r->capacity[RIGHT], s->count + 1,
                               sizeof *s->right, "the scores", error);
    if (status == IG_OK)
        status = ig_array_grow(&s->score, &r->capacity[SCORE], s->count + 1,
                               sizeof *s->score, "the scores", error);
    if (status == IG_OK && r->has_kinds)
        status = ig_array_grow(&s->pair, &r->capacity[PAIR], s->count + 1,
                               sizeof *s->pair, "the scores", error);
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

/* The rows of two sentences: of equal ones two rows, where there are. */
static ig_status find_rows(const reading *r, const char *path, size_t line,
                           const ig_field *left, const ig_field *right, uint32_t row[2],
                           ig_error *error)
{
    const ig_field *side[2] = {left, right};
    char quoted[IG_QUOTE_SIZE];

    for (size_t k = 0; k < 2; k++) {
        row[k] = ig_text_rows_find(&r->index, side[k]->bytes, side[k]->length);
        if (row[k] == IG_TEXT_ROWS_NONE)
            return ig_fail(error, IG_VALUE, "%s:%zu: no row of %s has the text '%s'",
                           path, line, r->set->name,
                           ig_quote(quoted, side[k]->bytes, side[k]->length));
    }
    if (row[0] == row[1] && r->index.next[row[0]] != IG_TEXT_ROWS_NONE)
        row[1] = r->index.next[row[0]];
    return IG_OK;
}

static ig_status take_score(void *context, const ig_record *record, ig_error *error)
{
    reading *r = context;
    uint32_t row[2], kind = 0;
    double score = 0;
    ig_status status = IG_OK;

    if (record->number == 0)
        return take_header(r, record, error);
    if (r->by_text)
        status = find_rows(r, record->file, record->line,
                           &record->field[r->column[LEFT]],
                           &record->field[r->column[RIGHT]], row, error);
    for (size_t k = LEFT; k <= RIGHT && status == IG_OK && !r->by_text; k++)
        status =
            ig_record_row(record, r->column[k], column_name[k], r->set, &row[k], error);
    if (status == IG_OK)
        status = take_number(r, record, &score, error);
    if (status == IG_OK && r->has_kinds)
        status = take_kind(r, record, &kind, error);
    return status == IG_OK ? add_score(r, record->file, row, score, kind, error)
                           : status;
}

/* --- sentences and a score a line, without a header --- */

enum { FIELDS = 7 };

/* Fields between tabs, at most FIELDS of them; quotes mean nothing. */
static size_t cut_tabs(const char *line, size_t length, ig_field field[FIELDS])
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

/* Where the score and the sentences stand: sentence, sentence, score; score, sentence,
 * sentence; or as the STS benchmark has them, fifth to seventh. False: nowhere. */
static bool find_fields(const ig_field *field, size_t count, size_t place[3])
{
    static const size_t known[][4] = {{3, 0, 1, 2}, {3, 1, 2, 0}, {7, 5, 6, 4}};
    double score;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const ig_field *f = &field[known[i][3]];

        if (count != known[i][0] || !ig_number_double(f->bytes, f->length, &score))
            continue;
        for (size_t k = 0; k < 3; k++)
            place[k] = known[i][k + 1];
        return true;
    }
    return false;
}

static bool is_sentences(const ig_content *content)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    ig_field field[FIELDS];
    size_t length, place[3];
    const char *line;

    return ig_lines_next(&lines, &line, &length) &&
           find_fields(field, cut_tabs(line, length, field), place);
}

static ig_status read_sentences(reading *r, const char *path, const ig_content *content,
                                ig_error *error)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    ig_status status = ig_text_rows_init(&r->index, r->set, path, error);
    ig_field field[FIELDS];
    size_t length, place[3];
    const char *line;
    uint32_t row[2];
    double score;

    while (status == IG_OK && ig_lines_next(&lines, &line, &length)) {
        if (length == 0)
            continue;
        if (!find_fields(field, cut_tabs(line, length, field), place)) {
            status = ig_fail(error, IG_FORMAT,
                             "%s:%zu: expected two sentences and a score with tabs "
                             "between them",
                             path, lines.number);
            break;
        }
        status = find_rows(r, path, lines.number, &field[place[0]], &field[place[1]],
                           row, error);
        ig_number_double(field[place[2]].bytes, field[place[2]].length, &score);
        if (status == IG_OK && !isfinite(score))
            status = ig_fail(error, IG_VALUE, "%s:%zu: the score is not finite", path,
                             lines.number);
        if (status == IG_OK)
            status = add_score(r, path, row, score, 0, error);
    }
    return status;
}

/* The names of the kinds and their texts, as one block. */
static ig_status keep_names(ig_scores *scores, const ig_names *kinds, ig_error *error)
{
    size_t size = kinds->count * sizeof *scores->pair_name;
    char *text;

    for (size_t i = 0; i < kinds->count; i++)
        size += strlen(kinds->name[i]) + 1;
    scores->pair_name = ig_alloc(size, 1);
    if (!scores->pair_name)
        return ig_fail_memory(error, "kinds of pairs");
    text = (char *)(scores->pair_name + kinds->count);
    for (size_t i = 0; i < kinds->count; i++) {
        size_t length = strlen(kinds->name[i]) + 1;

        scores->pair_name[i] = memcpy(text, kinds->name[i], length);
        text += length;
    }
    scores->pairs = kinds->count;
    return IG_OK;
}

ig_status ig_scores_read(ig_scores *scores, const ig_set *set, const char *path,
                         ig_error *error)
{
    reading r = {.set = set, .scores = scores};
    ig_content content;
    ig_status status = ig_content_open(&content, path, error);

    *scores = (ig_scores){0};
    if (status == IG_OK)
        status = is_sentences(&content) ? read_sentences(&r, path, &content, error)
                                        : ig_table_parse(path, &content, 0, true,
                                                         take_score, &r, NULL, error);
    ig_content_close(&content);
    ig_text_rows_free(&r.index);
    if (status == IG_OK && scores->count == 0)
        status = ig_fail(error, IG_VALUE, "%s: has a header and no scores", path);
    if (status == IG_OK && r.has_kinds)
        status = keep_names(scores, &r.kinds, error);
    ig_names_free(&r.kinds);
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

ig_status ig_scores_copy(ig_scores *to, const ig_scores *from, ig_error *error)
{
    size_t n = from->count;

    *to = (ig_scores){.count = n, .pairs = from->pairs};
    to->left = ig_alloc(n, sizeof *to->left);
    to->right = ig_alloc(n, sizeof *to->right);
    to->score = ig_alloc(n, sizeof *to->score);
    to->pair_name = ig_alloc(from->pairs, sizeof *to->pair_name);
    to->pair = from->pair ? ig_alloc(n, sizeof *to->pair) : NULL;
    if (!to->left || !to->right || !to->score || !to->pair_name ||
        (from->pair && !to->pair)) {
        ig_scores_free(to);
        return ig_fail_memory(error, "the scores");
    }
    for (size_t i = 0; i < n; i++) {
        to->left[i] = from->left[i];
        to->right[i] = from->right[i];
        to->score[i] = from->score[i];
        if (to->pair)
            to->pair[i] = from->pair[i];
    }
    for (size_t i = 0; i < from->pairs; i++)
        to->pair_name[i] = from->pair_name[i];
    return IG_OK;
}

void ig_scores_free(ig_scores *scores)
{
    if (!scores)
        return;
    ig_free(scores->left);
    ig_free(scores->right);
    ig_free(scores->score);
    ig_free(scores->pair_name);
    ig_free(scores->pair);
    *scores = (ig_scores){0};
}
