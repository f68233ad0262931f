/* Parallel pairs from equal ids (a counting pass, then a filling pass), and their split
 * by meaning. */
#include "data/pairs.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/random.h"
#include "data/columns.h"

/* Limits against columns that are no ids: fail if there are more pairs than both,
 * before allocating. 200 languages, each paired with all others, give 100 pairs per
 * row. */
enum { MIN_PAIR_LIMIT = 1000000, MAX_PAIRS_PER_ROW = 1000 };

/* Which languages to pair. */
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

/* Counts pairs, or fills arrays if not NULL. Rows are ordered by id, then language:
 * those of language k are row[begin[k]] … row[end[k] − 1]. */
typedef struct gathering {
    ig_pairs *pairs;
    const ig_dataset *set;
    const pairing *pairing;
    ig_by_id by_id;
    uint32_t *begin, *end; /* (languages) rows of the current id, both 0 if none */
    uint32_t *present;     /* (here) its languages, ascending */
    size_t here;
    uint64_t count;
} gathering;

/* Whether a code is English: en, eng, en-US, eng_Latn. */
static bool is_english(const char *code)
{
    size_t length = strcspn(code, "-_");

    return (length == 2 && strncmp(code, "en", 2) == 0) ||
           (length == 3 && strncmp(code, "eng", 3) == 0);
}

size_t ig_pairs_pivot(const ig_dataset *set)
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

/* Parse one LANG-LANG; codes may contain a dash (zh-Hans-en). */
static ig_status add_named(pairing *p, const ig_dataset *set, const char *text,
                           size_t length, ig_error *error)
{
    char quoted[IG_QUOTE_SIZE];
    char list[IG_LIST_SIZE];

    for (size_t dash = 1; dash + 1 < length; dash++) {
        int left, right;
        ig_status status;

        if (text[dash] != '-')
            continue;
        left = ig_dataset_language_of(set, text, dash);
        right = ig_dataset_language_of(set, text + dash + 1, length - dash - 1);
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

static ig_status read_pairing(pairing *p, const ig_dataset *set, const char *text,
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

static void add_languages(gathering *g, uint32_t a, uint32_t b)
{
    const uint32_t *row = g->by_id.row;
    ig_pairs *pairs = g->pairs;

    if (!pairs->left) {
        g->count += (uint64_t)(g->end[a] - g->begin[a]) * (g->end[b] - g->begin[b]);
        return;
    }
    for (uint32_t i = g->begin[a]; i < g->end[a]; i++)
        for (uint32_t k = g->begin[b]; k < g->end[b]; k++) {
            pairs->left[g->count] = row[i];
            pairs->right[g->count] = row[k];
            pairs->group[g->count++] = (uint32_t)pairs->groups;
        }
}

static void add_id(gathering *g)
{
    const pairing *p = g->pairing;

    for (size_t a = 0; a < g->here; a++) {
        if (p->mode == PAIR_PIVOT && g->present[a] != p->pivot)
            add_languages(g, p->pivot, g->present[a]);
        for (size_t b = a + 1; b < g->here && p->mode == PAIR_ALL; b++)
            add_languages(g, g->present[a], g->present[b]);
    }
    for (size_t k = 0; k < p->count; k++)
        add_languages(g, p->list[k].left, p->list[k].right);
}

static void gather_pairs(gathering *g)
{
    const uint32_t *start = g->by_id.start;

    g->count = 0;
    g->pairs->groups = 0;
    for (size_t i = 0; i < g->set->ids && g->count <= IG_MAX_ROWS; i++) {
        uint64_t before = g->count;

        g->here = 0;
        for (uint32_t k = start[i]; k < start[i + 1]; k++) {
            uint16_t language = g->set->lang[g->by_id.row[k]];

            if (g->end[language] == 0) {
                g->begin[language] = k;
                g->present[g->here++] = language;
            }
            g->end[language] = k + 1;
        }
        add_id(g);
        g->pairs->groups += g->count > before;
        while (g->here > 0) {
            uint32_t language = g->present[--g->here];

            g->begin[language] = g->end[language] = 0;
        }
    }
}

/* Fail for none or too many pairs; else allocate the arrays. */
static ig_status make_arrays(gathering *g, const char *text, ig_error *error)
{
    const ig_dataset *set = g->set;
    ig_pairs *pairs = g->pairs;
    size_t count = (size_t)g->count;

    if (g->count > IG_MAX_ROWS)
        return ig_fail(error, IG_VALUE,
                       "%s has more than %zu pairs, the most that are held", set->name,
                       IG_MAX_ROWS);
    if (g->count > MIN_PAIR_LIMIT && g->count / MAX_PAIRS_PER_ROW > set->rows)
        return ig_fail(error, IG_VALUE,
                       "%s has %zu pairs from %zu rows: its %zu ids stand for too many "
                       "rows each (ids name meanings)",
                       set->name, count, set->rows, set->ids);
    if (count == 0)
        return ig_fail(error, IG_VALUE,
                       "%s has no pairs: no id occurs in two languages of the pairing "
                       "%s",
                       set->name, text ? text : "pivot");
    pairs->count = count;
    pairs->left = ig_alloc(count, sizeof *pairs->left);
    pairs->right = ig_alloc(count, sizeof *pairs->right);
    pairs->group = ig_alloc(count, sizeof *pairs->group);
    return pairs->left && pairs->right && pairs->group ? IG_OK
                                                       : ig_fail_memory(error, "pairs");
}

ig_status ig_pairs_derive(ig_pairs *pairs, const ig_dataset *set, const char *text,
                          ig_error *error)
{
    pairing p = {0};
    gathering g = {.pairs = pairs, .set = set, .pairing = &p};
    ig_status status;

    *pairs = (ig_pairs){0};
    if (!set->has_ids)
        return ig_fail(
            error, IG_VALUE,
            "%s has no ids, from which pairs follow; --pairs FILE names them",
            set->name);
    status = read_pairing(&p, set, text, error);
    if (status == IG_OK)
        status = ig_by_id_init(&g.by_id, set->id, set->ids, set->lang, set->languages,
                               set->rows, error);
    g.begin = ig_alloc(set->languages, 3 * sizeof *g.begin);
    if (status == IG_OK && !g.begin)
        status = ig_fail_memory(error, "pairs");
    if (status == IG_OK) {
        g.end = g.begin + set->languages;
        g.present = g.end + set->languages;
        gather_pairs(&g);
        status = make_arrays(&g, text, error);
    }
    if (status == IG_OK)
        gather_pairs(&g);
    else
        ig_pairs_free(pairs);
    IG_FREE(p.list, g.begin);
    ig_by_id_free(&g.by_id);
    return status;
}

uint64_t ig_pairs_checksum(const ig_pairs *pairs)
{
    uint64_t hash = IG_FNV_BEGIN;

    for (size_t i = 0; i < pairs->count; i++) {
        uint64_t pair = (uint64_t)pairs->left[i] << 32 ^ pairs->right[i];
        unsigned char bytes[8];

        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)(pair >> 8 * k);
        hash = ig_fnv(hash, bytes, sizeof bytes);
    }
    return hash;
}

void ig_pairs_free(ig_pairs *pairs)
{
    IG_FREE(pairs->left, pairs->right, pairs->group);
    *pairs = (ig_pairs){0};
}

/* --- the split by meaning -------------------------------------------------------- */

enum { STREAM = 0x53504c54 };

static size_t count_validation_groups(double fraction, size_t groups)
{
    size_t held = (size_t)llround(fraction * (double)groups);

    if (fraction <= 0 || groups < 2)
        return 0;
    if (held < 1)
        return 1;
    return held < groups ? held : groups - 1;
}

/* Number of test groups, leaving at least one to train on. */
static size_t count_test_groups(double fraction, size_t groups, size_t valid)
{
    size_t held = count_validation_groups(fraction, groups);

    return held + valid < groups ? held : groups - valid - (groups > valid);
}

/* Draw the validation and test groups: out[group] = part. */
static ig_status draw_split(uint8_t *out, size_t groups, double fraction,
                            double holdout, uint64_t seed, ig_error *error)
{
    size_t valid = count_validation_groups(fraction, groups);
    size_t apart = count_test_groups(holdout, groups, valid);
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

static const uint32_t *get_pair_indices(const ig_split *split, ig_split_part part)
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

ig_status ig_split_mark(const ig_split *split, const ig_dataset *set,
                        const ig_pairs *pairs, ig_split_part part, uint8_t *mark,
                        ig_error *error)
{
    uint8_t *marked_id = ig_alloc(set->ids, 1);
    const uint32_t *pair = get_pair_indices(split, part);
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

static void assign_pairs(ig_split *split, const ig_pairs *pairs, const uint8_t *part)
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

ig_status ig_split_make(ig_split *split, const ig_dataset *set, const ig_pairs *pairs,
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
        assign_pairs(split, pairs, part);
        status = ig_split_mark(split, set, pairs,
                               split->holdout ? IG_SPLIT_HOLDOUT : IG_SPLIT_VALID,
                               split->held_out, error);
    }
    ig_free(part);
    if (status != IG_OK)
        ig_split_free(split);
    return status;
}

void ig_split_free(ig_split *split)
{
    IG_FREE(split->train_pair, split->valid_pair, split->holdout_pair, split->held_out);
    *split = (ig_split){0};
}
