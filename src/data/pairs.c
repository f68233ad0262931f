/* Parallel pairs: from equal ids (two passes over the ids: the first counts, the second
 * fills arrays of that size), from a table, and their split by meaning. */
#include "data/pairs.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "data/columns.h"
#include "data/lines.h"
#include "data/quote.h"
#include "data/table.h"
#include "data/text_rows.h"

/* More pairs than these, and than so many for each row, come of a column that is no id:
 * they are refused before there is memory for them. 200 languages, each paired with all
 * others, give 100 pairs a row. */
enum { FEW_PAIRS = 1000000, PAIRS_A_ROW = 1000 };

/* Which languages are paired. */
typedef enum mode { PAIR_PIVOT, PAIR_ALL, PAIR_LIST } mode;

typedef struct language_pair {
    uint32_t left, right;
} language_pair;

typedef struct pairing {
    mode mode;
    uint32_t pivot;
    language_pair *list; /* (count) */
    size_t count;
    size_t capacity;
} pairing;

/* The rows of one id, cut by language: run k is row[first[k]] … row[first[k + 1] − 1].
 * */
typedef struct runs {
    const ig_set *set;
    const uint32_t *row;
    uint32_t *first; /* (languages + 1) */
    size_t count;
} runs;

/* True for en, eng, en-US, eng_Latn. */
static bool is_english(const char *code)
{
    size_t length = strcspn(code, "-_");

    return (length == 2 && strncmp(code, "en", 2) == 0) ||
           (length == 3 && strncmp(code, "eng", 3) == 0);
}

size_t ig_pairs_pivot(const ig_set *set)
{
    size_t best = 0;

    for (size_t k = 0; k < set->languages; k++) {
        if (is_english(set->language[k]))
            return k;
        if (set->language_rows[k] > set->language_rows[best])
            best = k;
    }
    return best;
}

/* Number of the language named by `length` bytes, or -1. */
static int find_language(const ig_set *set, const char *code, size_t length)
{
    for (size_t k = 0; k < set->languages; k++) {
        if (strlen(set->language[k]) == length &&
            memcmp(set->language[k], code, length) == 0)
            return (int)k;
    }
    return -1;
}

/* One LANG-LANG; codes may hold a dash themselves (zh-Hans-en). */
static ig_status add_named(pairing *p, const ig_set *set, const char *text,
                           size_t length, ig_error *error)
{
    char quoted[IG_QUOTE_SIZE];
    char list[IG_LIST_SIZE];

    for (size_t dash = 1; dash + 1 < length; dash++) {
        int left, right;
        ig_status status;

        if (text[dash] != '-')
            continue;
        left = find_language(set, text, dash);
        right = find_language(set, text + dash + 1, length - dash - 1);
        if (left < 0 || right < 0)
            continue;
        if (left == right)
            return ig_fail(error, IG_VALUE, "pairing %s: a language with itself",
                           ig_quote(quoted, text, length));
        for (size_t i = 0; i < p->count; i++) {
            if (p->list[i].left == (uint32_t)left &&
                p->list[i].right == (uint32_t)right)
                return IG_OK;
        }
        status = ig_array_grow(&p->list, &p->capacity, p->count + 1, sizeof *p->list,
                               "the pairing", error);
        if (status == IG_OK)
            p->list[p->count++] = (language_pair){(uint32_t)left, (uint32_t)right};
        return status;
    }
    return ig_fail(error, IG_VALUE,
                   "pairing %s is not pivot, all or LANG-LANG,… (languages: %s)",
                   ig_quote(quoted, text, length),
                   ig_quote_list(list, set->language, set->languages));
}

static ig_status read_pairing(pairing *p, const ig_set *set, const char *text,
                              ig_error *error)
{
    ig_status status = IG_OK;

    *p = (pairing){0};
    if (!text || strcmp(text, "pivot") == 0) {
        p->pivot = (uint32_t)ig_pairs_pivot(set);
        return IG_OK;
    }
    if (strcmp(text, "all") == 0) {
        p->mode = PAIR_ALL;
        return IG_OK;
    }
    p->mode = PAIR_LIST;
    while (status == IG_OK) {
        size_t length = strcspn(text, ",");

        status = add_named(p, set, text, length, error);
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    return status;
}

/* Pairs while they are gathered; arrays NULL: only counted. */
typedef struct gathered {
    ig_pairs *pairs;
    uint64_t count;
    size_t group;
} gathered;

/* Every combination of two runs. */
static void add_runs(gathered *g, const runs *r, size_t a, size_t b)
{
    ig_pairs *pairs = g->pairs;

    if (!pairs->left) {
        g->count += (uint64_t)(r->first[a + 1] - r->first[a]) *
                    (r->first[b + 1] - r->first[b]);
        return;
    }
    for (uint32_t i = r->first[a]; i < r->first[a + 1]; i++) {
        for (uint32_t k = r->first[b]; k < r->first[b + 1]; k++) {
            pairs->left[g->count] = r->row[i];
            pairs->right[g->count] = r->row[k];
            pairs->group[g->count] = (uint32_t)g->group;
            g->count++;
        }
    }
}

/* The runs of an id are in the order of their languages. */
struct wanted {
    const runs *runs;
    uint32_t language;
};

static uint32_t language_of(const runs *r, size_t run)
{
    return r->set->lang[r->row[r->first[run]]];
}

static bool run_before(const void *context, size_t i)
{
    const struct wanted *w = context;

    return language_of(w->runs, i) < w->language;
}

/* The run of a language, or r->count. */
static size_t find_run(const runs *r, uint32_t language)
{
    const struct wanted wanted = {r, language};
    size_t run = ig_array_bisect(r->count, run_before, &wanted);

    return run < r->count && language_of(r, run) == language ? run : r->count;
}

/* The pairs of one id. */
static void add_id(gathered *g, const runs *r, const pairing *p)
{
    if (p->mode == PAIR_PIVOT) {
        size_t pivot = find_run(r, p->pivot);

        for (size_t b = 0; b < r->count && pivot < r->count; b++) {
            if (b != pivot)
                add_runs(g, r, pivot, b);
        }
    } else if (p->mode == PAIR_ALL) {
        for (size_t a = 0; a < r->count; a++) {
            for (size_t b = a + 1; b < r->count; b++)
                add_runs(g, r, a, b);
        }
    } else {
        for (size_t k = 0; k < p->count; k++) {
            size_t a = find_run(r, p->list[k].left);
            size_t b = find_run(r, p->list[k].right);

            if (a < r->count && b < r->count)
                add_runs(g, r, a, b);
        }
    }
}

/* One pass over all ids. */
static void gather(gathered *g, runs *r, const ig_by_id *by_id, const pairing *p)
{
    const ig_set *set = r->set;

    g->count = 0;
    g->group = 0;
    for (size_t i = 0; i < set->ids && g->count <= IG_MAX_ROWS; i++) {
        uint64_t before = g->count;

        r->count = 0;
        for (uint32_t k = by_id->start[i]; k < by_id->start[i + 1]; k++) {
            if (k == by_id->start[i] ||
                set->lang[by_id->row[k]] != set->lang[by_id->row[k - 1]])
                r->first[r->count++] = k;
        }
        r->first[r->count] = by_id->start[i + 1];
        add_id(g, r, p);
        g->group += g->count > before;
    }
}

static ig_status make_arrays(ig_pairs *pairs, size_t count, ig_error *error)
{
    pairs->left = ig_alloc(count, sizeof *pairs->left);
    pairs->right = ig_alloc(count, sizeof *pairs->right);
    pairs->group = ig_alloc(count, sizeof *pairs->group);
    if (pairs->left && pairs->right && pairs->group)
        return IG_OK;
    ig_pairs_free(pairs);
    return ig_fail_memory(error, "pairs");
}

ig_status ig_pairs_derive(ig_pairs *pairs, const ig_set *set, const char *text,
                          ig_error *error)
{
    gathered g = {.pairs = pairs};
    ig_by_id by_id = {0};
    runs r = {.set = set};
    pairing p;
    ig_status status;

    *pairs = (ig_pairs){0};
    if (!set->has_ids)
        return ig_fail(
            error, IG_VALUE,
            "%s has no ids, from which pairs follow; --pairs FILE names them",
            set->name);
    status = read_pairing(&p, set, text, error);
    if (status == IG_OK)
        status = ig_by_id_init(&by_id, set->id, set->ids, set->lang, set->languages,
                               set->rows, error);
    r.row = by_id.row;
    r.first = ig_alloc(set->languages + 1, sizeof *r.first);
    if (status == IG_OK && !r.first)
        status = ig_fail_memory(error, "pairs");
    if (status != IG_OK)
        goto done;
    gather(&g, &r, &by_id, &p);
    if (g.count > IG_MAX_ROWS)
        status = ig_fail(error, IG_VALUE,
                         "%s has more than %zu pairs, the most that are held",
                         set->name, IG_MAX_ROWS);
    else if (g.count > FEW_PAIRS && g.count / PAIRS_A_ROW > set->rows)
        status = ig_fail(error, IG_VALUE,
                         "%s has %llu pairs from %zu rows: ids name meanings, and so "
                         "few of them (%zu) stand for too many rows each",
                         set->name, (unsigned long long)g.count, set->rows, set->ids);
    else if (g.count == 0)
        status =
            ig_fail(error, IG_VALUE,
                    "%s has no pairs: no id occurs in two languages of the pairing "
                    "%s",
                    set->name, text ? text : "pivot");
    else
        status = make_arrays(pairs, (size_t)g.count, error);
    if (status != IG_OK)
        goto done;
    gather(&g, &r, &by_id, &p);
    pairs->count = (size_t)g.count;
    pairs->groups = g.group;
done:
    ig_free(p.list);
    ig_free(r.first);
    ig_by_id_free(&by_id);
    return status;
}

uint64_t ig_pairs_checksum(const ig_pairs *pairs)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < pairs->count; i++) {
        uint64_t pair = (uint64_t)pairs->left[i] << 32 ^ pairs->right[i];

        for (int byte = 0; byte < 8; byte++)
            hash = (hash ^ (pair >> 8 * byte & 0xff)) * 0x100000001b3u;
    }
    return hash;
}

void ig_pairs_free(ig_pairs *pairs)
{
    ig_free(pairs->left);
    ig_free(pairs->right);
    ig_free(pairs->group);
    *pairs = (ig_pairs){0};
}

/* --- pairs from a table (--pairs) --------------------------------------------------
 *
 * Columns left and right, rows counted from 0. What is connected through shared rows or
 * ids is one meaning. */

/* Pairs while their table is read. */
typedef struct reading {
    const ig_set *set;
    ig_pairs *pairs;
    size_t capacity[3]; /* of left, right and group */
    size_t column[2];   /* of left and right in the table */
} reading;

static const char *const side_name[2] = {"left", "right"};

static ig_status take_header(reading *r, const ig_record *record, ig_error *error)
{
    for (size_t side = 0; side < 2; side++) {
        r->column[side] = ig_record_find(record, side_name[side]);
        if (r->column[side] == record->count)
            return ig_fail(
                error, IG_FORMAT,
                "%s:%zu: no column %s (pairs are two columns, left and right)",
                record->file, record->line, side_name[side]);
    }
    return IG_OK;
}

static ig_status add_pair(reading *r, const char *path, size_t line, uint32_t left,
                          uint32_t right, ig_error *error)
{
    ig_pairs *pairs = r->pairs;
    uint32_t **array[3] = {&pairs->left, &pairs->right, &pairs->group};
    ig_status status = IG_OK;

    if (left == right)
        return ig_fail(error, IG_VALUE, "%s:%zu: row %u is paired with itself", path,
                       line, (unsigned)left);
    if (pairs->count == IG_MAX_ROWS)
        return ig_fail(error, IG_VALUE, "%s: more than %zu pairs", path, IG_MAX_ROWS);
    for (size_t k = 0; k < 3 && status == IG_OK; k++)
        status = ig_array_grow(array[k], &r->capacity[k], pairs->count + 1,
                               sizeof **array[k], "the pairs", error);
    if (status != IG_OK)
        return status;
    pairs->left[pairs->count] = left;
    pairs->right[pairs->count] = right;
    pairs->count++;
    return IG_OK;
}

static ig_status take_pair(void *context, const ig_record *record, ig_error *error)
{
    reading *r = context;
    ig_status status = IG_OK;
    uint32_t row[2];

    if (record->number == 0)
        return take_header(r, record, error);
    for (size_t side = 0; side < 2 && status == IG_OK; side++)
        status = ig_record_row(record, r->column[side], side_name[side], r->set,
                               &row[side], error);
    if (status != IG_OK)
        return status;
    return add_pair(r, record->file, record->line, row[0], row[1], error);
}

/* --- a dictionary: two texts a line --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Cut a line in two: at its tab, else at its one run of blanks. False: it is no such
 * line. */
static bool cut_words(const char *line, size_t length, ig_field word[2])
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

/* The languages of the two sides: of the file's name, else the two of the set. */
static ig_status find_sides(const ig_set *set, const char *path, int lang[2],
                            ig_error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    for (lang[0] = 0; lang[0] < (int)set->languages; lang[0]++) {
        const char *code = set->language[lang[0]];
        size_t length = strlen(code);

        if (strncmp(name, code, length) != 0 || name[length] != '-')
            continue;
        for (lang[1] = 0; lang[1] < (int)set->languages; lang[1]++) {
            size_t other = strlen(set->language[lang[1]]);

            if (strncmp(name + length + 1, set->language[lang[1]], other) == 0 &&
                (name[length + 1 + other] == '.' || name[length + 1 + other] == '\0') &&
                lang[0] != lang[1])
                return IG_OK;
        }
    }
    lang[0] = 0;
    lang[1] = 1;
    if (set->languages == 2)
        return IG_OK;
    return ig_fail(error, IG_VALUE,
                   "%s: the languages of its words are not known: %s has %zu, and the "
                   "file is not named after two of them (%s-%s.txt)",
                   path, set->name, set->languages, set->language[0],
                   set->languages > 1 ? set->language[1] : "de");
}

/* All pairs of rows that have the two texts in the two languages. */
static ig_status add_words(reading *r, const ig_text_rows *index, const int lang[2],
                           const ig_field word[2], const char *path, size_t line,
                           ig_error *error)
{
    size_t before = r->pairs->count;
    ig_status status = IG_OK;
    uint32_t a = ig_text_rows_find(index, word[0].bytes, word[0].length);

    for (; a != IG_TEXT_ROWS_NONE && status == IG_OK; a = index->next[a]) {
        uint32_t b = ig_text_rows_find(index, word[1].bytes, word[1].length);

        for (; b != IG_TEXT_ROWS_NONE && status == IG_OK; b = index->next[b])
            if (r->set->lang[a] == lang[0] && r->set->lang[b] == lang[1])
                status = add_pair(r, path, line, a, b, error);
    }
    r->pairs->unknown += r->pairs->count == before;
    return status;
}

static ig_status read_words(reading *r, const char *path, const ig_content *content,
                            ig_error *error)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    ig_text_rows index;
    const char *line;
    size_t length;
    ig_field word[2];
    int lang[2];
    ig_status status = find_sides(r->set, path, lang, error);

    if (status == IG_OK)
        status = ig_text_rows_init(&index, r->set, path, error);
    if (status != IG_OK)
        return status;
    while (status == IG_OK && ig_lines_next(&lines, &line, &length)) {
        if (length == 0)
            continue;
        status = cut_words(line, length, word)
                     ? add_words(r, &index, lang, word, path, lines.number, error)
                     : ig_fail(error, IG_FORMAT,
                               "%s:%zu: expected two words, or two texts with a tab "
                               "between them",
                               path, lines.number);
    }
    if (status == IG_OK && r->pairs->count == 0)
        status = ig_fail(error, IG_VALUE,
                         "%s: no line has a word of %s and one of %s that are in %s",
                         path, r->set->language[lang[0]], r->set->language[lang[1]],
                         r->set->name);
    ig_text_rows_free(&index);
    return status;
}

/* Whether the first line is two texts, and not the header of a table. */
static bool is_dictionary(const ig_content *content)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    const char *line;
    size_t length;
    ig_field word[2];

    return ig_lines_next(&lines, &line, &length) && cut_words(line, length, word) &&
           !(word[0].length == 4 && memcmp(word[0].bytes, "left", 4) == 0) &&
           !(word[0].length == 5 && memcmp(word[0].bytes, "right", 5) == 0);
}

/* The representative of a node, with the path to it halved. */
static uint32_t find_root(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* Groups: what is connected through shared rows or shared ids means the same. */
static ig_status group_pairs(ig_pairs *pairs, const ig_set *set, ig_error *error)
{
    size_t nodes = set->rows + set->ids; /* rows, then ids */
    uint32_t *parent = ig_alloc(nodes, sizeof *parent);
    uint32_t *number = ig_alloc(nodes, sizeof *number); /* of a root, plus 1 */

    if (!parent || !number) {
        ig_free(parent);
        ig_free(number);
        return ig_fail_memory(error, "groups of pairs");
    }
    for (size_t i = 0; i < nodes; i++)
        parent[i] = (uint32_t)i;
    for (size_t i = 0; i < set->rows; i++) {
        if (set->id[i] != IG_NO_ID)
            join(parent, (uint32_t)i, (uint32_t)(set->rows + set->id[i]));
    }
    for (size_t i = 0; i < pairs->count; i++)
        join(parent, pairs->left[i], pairs->right[i]);
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t root = find_root(parent, pairs->left[i]);

        if (number[root] == 0)
            number[root] = (uint32_t)++pairs->groups;
        pairs->group[i] = number[root] - 1;
    }
    ig_free(parent);
    ig_free(number);
    return IG_OK;
}

ig_status ig_pairs_read(ig_pairs *pairs, const ig_set *set, const char *path,
                        ig_error *error)
{
    reading r = {.set = set, .pairs = pairs};
    ig_content content;
    ig_status status = ig_content_open(&content, path, error);

    *pairs = (ig_pairs){.given = true};
    if (status == IG_OK)
        status = is_dictionary(&content) ? read_words(&r, path, &content, error)
                                         : ig_table_parse(path, &content, 0, true,
                                                          take_pair, &r, NULL, error);
    ig_content_close(&content);
    if (status == IG_OK && pairs->count == 0)
        status = ig_fail(error, IG_VALUE, "%s: has a header and no pairs", path);
    if (status == IG_OK)
        status = group_pairs(pairs, set, error);
    if (status != IG_OK)
        ig_pairs_free(pairs);
    return status;
}

/* --- the split by meaning -------------------------------------------------------- */

enum { STREAM = 0x53504c54 };

/* How many groups are held out. */
static size_t held_groups(double fraction, size_t groups)
{
    size_t held = (size_t)llround(fraction * (double)groups);

    if (fraction <= 0 || groups < 2)
        return 0;
    if (held < 1)
        return 1;
    return held < groups ? held : groups - 1;
}

/* Of all groups, so that one at least is left to train on. */
static size_t holdout_groups(double fraction, size_t groups, size_t valid)
{
    size_t held = held_groups(fraction, groups);

    return held + valid < groups ? held : groups - valid - (groups > valid);
}

/* Draw the groups of validation and holdout: out[group] = its part. */
static ig_status draw_split(uint8_t *out, size_t groups, double fraction,
                            double holdout, uint64_t seed, ig_error *error)
{
    size_t valid = held_groups(fraction, groups);
    size_t apart = holdout_groups(holdout, groups, valid);
    uint32_t *order = ig_alloc(groups, sizeof *order);
    ig_random random;

    if (!order)
        return ig_fail_memory(error, "the split");
    for (size_t i = 0; i < groups; i++)
        order[i] = (uint32_t)i;
    ig_random_init(&random, seed, STREAM);
    ig_random_shuffle(&random, order, groups);
    for (size_t i = 0; i < valid + apart; i++)
        out[order[i]] = i < valid ? IG_SPLIT_VALID : IG_SPLIT_HOLDOUT;
    ig_free(order);
    return IG_OK;
}

static const uint32_t *pairs_of(const ig_split *split, ig_split_part part)
{
    return part == IG_SPLIT_TRAIN   ? split->train_pair
           : part == IG_SPLIT_VALID ? split->valid_pair
                                    : split->holdout_pair;
}

size_t ig_split_count(const ig_split *split, ig_split_part part)
{
    return part == IG_SPLIT_TRAIN   ? split->train
           : part == IG_SPLIT_VALID ? split->valid
                                    : split->holdout;
}

ig_split_part ig_split_measured(const ig_split *split)
{
    return split->holdout ? IG_SPLIT_HOLDOUT : IG_SPLIT_VALID;
}

ig_status ig_split_mark(const ig_split *split, const ig_set *set, const ig_pairs *pairs,
                        ig_split_part part, uint8_t *mark, ig_error *error)
{
    uint8_t *marked_id = ig_alloc(set->ids, 1);
    const uint32_t *pair = pairs_of(split, part);
    size_t n = ig_split_count(split, part);

    if (!marked_id)
        return ig_fail_memory(error, "the split");
    for (size_t i = 0; i < set->rows; i++)
        mark[i] = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t side[2] = {pairs->left[pair[i]], pairs->right[pair[i]]};

        for (size_t k = 0; k < 2; k++) {
            mark[side[k]] = 1;
            if (set->id[side[k]] != IG_NO_ID)
                marked_id[set->id[side[k]]] = 1;
        }
    }
    for (size_t i = 0; i < set->rows; i++) {
        if (set->id[i] != IG_NO_ID && marked_id[set->id[i]])
            mark[i] = 1;
    }
    ig_free(marked_id);
    return IG_OK;
}

static ig_status check_shares(double valid, double holdout, ig_error *error)
{
    if (!(valid >= 0 && valid < 1))
        return ig_fail(error, IG_VALUE,
                       "a validation fraction of %g is not in 0 to 1 (1 excluded)",
                       valid);
    if (!(holdout >= 0 && valid + holdout < 1))
        return ig_fail(error, IG_VALUE,
                       "a validation fraction of %g and a holdout of %g leave nothing "
                       "to train on",
                       valid, holdout);
    return IG_OK;
}

/* Deal the pairs out by the parts of their groups. */
static void deal_pairs(ig_split *split, const ig_pairs *pairs, const uint8_t *part)
{
    for (size_t i = 0; i < pairs->count; i++)
        switch (part[pairs->group[i]]) {
        case IG_SPLIT_VALID:
            split->valid_pair[split->valid++] = (uint32_t)i;
            break;
        case IG_SPLIT_HOLDOUT:
            split->holdout_pair[split->holdout++] = (uint32_t)i;
            break;
        default:
            split->train_pair[split->train++] = (uint32_t)i;
        }
}

ig_status ig_split_make(ig_split *split, const ig_set *set, const ig_pairs *pairs,
                        double fraction, double holdout, uint64_t seed, ig_error *error)
{
    uint8_t *part;
    ig_status status;

    *split = (ig_split){0};
    status = check_shares(fraction, holdout, error);
    if (status != IG_OK)
        return status;
    part = ig_alloc(pairs->groups, 1);
    split->train_pair = ig_alloc(pairs->count, sizeof *split->train_pair);
    split->valid_pair = ig_alloc(pairs->count, sizeof *split->valid_pair);
    split->holdout_pair = ig_alloc(pairs->count, sizeof *split->holdout_pair);
    split->held_out = ig_alloc(set->rows, 1);
    if (!part || !split->train_pair || !split->valid_pair || !split->holdout_pair ||
        !split->held_out)
        status = ig_fail_memory(error, "the split");
    else
        status = draw_split(part, pairs->groups, fraction, holdout, seed, error);
    if (status == IG_OK) {
        deal_pairs(split, pairs, part);
        status = ig_split_mark(split, set, pairs, ig_split_measured(split),
                               split->held_out, error);
    }
    ig_free(part);
    if (status != IG_OK)
        ig_split_free(split);
    return status;
}

void ig_split_free(ig_split *split)
{
    ig_free(split->train_pair);
    ig_free(split->valid_pair);
    ig_free(split->holdout_pair);
    ig_free(split->held_out);
    *split = (ig_split){0};
}
