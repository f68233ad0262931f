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

ig_status ig_pairs_reserve(ig_pairs *pairs, size_t count, ig_error *error)
{
    uint32_t **const array[] = {&pairs->left, &pairs->right, &pairs->group};
    size_t capacity = pairs->capacity;
    ig_status status = IG_OK;

    if (count > IG_MAX_ROWS)
        return ig_fail(error, IG_VALUE, "more than %zu pairs, the most that are held",
                       IG_MAX_ROWS);
    for (size_t k = 0; k < 3 && status == IG_OK; k++) {
        capacity = pairs->capacity;
        status = ig_array_grow(array[k], &capacity, count, sizeof(uint32_t),
                               "the pairs", error);
    }
    if (status == IG_OK)
        pairs->capacity = capacity;
    return status;
}

/* Which languages to pair: the pivot with all others; all; or those of a list. */
typedef struct pairing {
    enum { PAIR_PIVOT, PAIR_ALL, PAIR_LIST } mode;
    size_t pivot;
    struct {
        int left, right;
    } * list; /* (count) */
    size_t count;
} pairing;

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

/* Add one LANG-LANG to the list; codes may contain a dash (zh-Hans-en). */
static ig_status add_named(pairing *p, const ig_dataset *set, const char *text,
                           size_t length, ig_error *error)
{
    char quoted[IG_QUOTE_SIZE], list[IG_LIST_SIZE];

    ig_quote(quoted, text, length);
    for (size_t dash = 1; dash + 1 < length; dash++) {
        int left, right;

        if (text[dash] != '-')
            continue;
        left = ig_dataset_language_of(set, text, dash);
        right = ig_dataset_language_of(set, text + dash + 1, length - dash - 1);
        if (left < 0 || right < 0)
            continue;
        if (left == right)
            return ig_fail(error, IG_VALUE, "pairing %s: a language with itself",
                           quoted);
        p->list[p->count].left = left;
        p->list[p->count++].right = right;
        return IG_OK;
    }
    return ig_fail(error, IG_VALUE,
                   "pairing %s is not pivot, all or LANG-LANG,… (languages: %s)",
                   quoted, ig_quote_list(list, set->language, set->languages));
}

static ig_status read_pairing(pairing *p, const ig_dataset *set, const char *text,
                              ig_arena *work, ig_error *error)
{
    ig_status status = IG_OK;

    p->list = ig_arena_array(work, strlen(text) + 1, sizeof *p->list);
    if (work->failed)
        return ig_fail_memory(error, "the pairing");
    p->pivot = ig_pairs_pivot(set);
    p->mode = strcmp(text, "pivot") == 0 ? PAIR_PIVOT
              : strcmp(text, "all") == 0 ? PAIR_ALL
                                         : PAIR_LIST;
    for (size_t length; p->mode == PAIR_LIST && status == IG_OK; text += length + 1) {
        length = strcspn(text, ",");
        status = add_named(p, set, text, length, error);
        if (!text[length])
            break;
    }
    return status;
}

static bool is_paired(const pairing *p, size_t left, size_t right)
{
    bool listed = false;

    if (p->mode != PAIR_LIST)
        return p->mode == PAIR_ALL ? left < right : left == p->pivot && right != left;
    for (size_t i = 0; i < p->count && !listed; i++)
        listed = (size_t)p->list[i].left == left && (size_t)p->list[i].right == right;
    return listed;
}

/* Add the pairs of rows row[a … b−1] with row[c … d−1]. */
static ig_status add_pairs(ig_pairs *pairs, const ig_dataset *set, const uint32_t *row,
                           const uint32_t left[2], const uint32_t right[2],
                           ig_error *error)
{
    size_t limit = set->rows * MAX_PAIRS_PER_ROW, n = pairs->count;
    size_t count = n + (size_t)(left[1] - left[0]) * (right[1] - right[0]);
    ig_status status = IG_OK;

    limit = limit > MIN_PAIR_LIMIT ? limit : MIN_PAIR_LIMIT;
    if (count > limit)
        return ig_fail(
            error, IG_VALUE,
            "%s has more than %zu pairs from %zu rows: its %zu ids stand for "
            "too many rows each (ids name meanings)",
            set->name, limit, set->rows, set->ids);
    status = ig_pairs_reserve(pairs, count, error);
    for (uint32_t j = left[0]; j < left[1] && status == IG_OK; j++)
        for (uint32_t k = right[0]; k < right[1]; k++, n++) {
            pairs->left[n] = row[j];
            pairs->right[n] = row[k];
            pairs->group[n] = (uint32_t)pairs->groups;
        }
    pairs->count = n;
    return status;
}

/* Add the pairs of one id, whose rows from `begin` to `end` are ordered by language.
 * `run` has room for the first row of each language. */
static ig_status pair_id(ig_pairs *pairs, const ig_dataset *set, const pairing *p,
                         const uint32_t *row, uint32_t begin, uint32_t end,
                         uint32_t *run, ig_error *error)
{
    size_t runs = 0, before = pairs->count;
    ig_status status = IG_OK;

    for (uint32_t k = begin; k < end; k++)
        if (k == begin || set->lang[row[k]] != set->lang[row[k - 1]])
            run[runs++] = k;
    run[runs] = end;
    for (size_t a = 0; a < runs; a++)
        for (size_t b = 0; b < runs && status == IG_OK; b++)
            if (is_paired(p, set->lang[row[run[a]]], set->lang[row[run[b]]]))
                status = add_pairs(pairs, set, row, run + a, run + b, error);
    pairs->groups += pairs->count > before;
    return status;
}

ig_status ig_pairs_derive(ig_pairs *pairs, const ig_dataset *set, const char *text,
                          ig_error *error)
{
    pairing p = {0};
    ig_by_id by_id = {0};
    ig_arena work = {0};
    uint32_t *run = ig_arena_array(&work, set->languages + 1, sizeof *run);
    ig_status status = IG_OK;

    *pairs = (ig_pairs){0};
    text = text ? text : "pivot";
    if (!set->has_ids)
        status = ig_fail(error, IG_VALUE,
                         "%s has no ids, from which pairs follow; --column id=NAME "
                         "names the column that has them, --pairs FILE the pairs",
                         set->name);
    if (status == IG_OK)
        status = read_pairing(&p, set, text, &work, error);
    if (status == IG_OK)
        status = ig_by_id_init(&by_id, set, error);
    for (size_t i = 0; i < set->ids && status == IG_OK; i++)
        status = pair_id(pairs, set, &p, by_id.row, by_id.start[i], by_id.start[i + 1],
                         run, error);
    if (status == IG_OK && !pairs->count)
        status =
            ig_fail(error, IG_VALUE,
                    "%s has no pairs: no id occurs in two languages of the pairing "
                    "%s",
                    set->name, text);
    if (status != IG_OK)
        ig_pairs_free(pairs);
    ig_arena_free(&work);
    ig_by_id_free(&by_id);
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

/* Number of groups of a part: at least one of two or more. */
static size_t count_groups(double fraction, size_t groups)
{
    size_t held = (size_t)llround(fraction * (double)groups);

    if (fraction <= 0 || groups < 2)
        return 0;
    return held < 1 ? 1 : held < groups ? held : groups - 1;
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
    const uint32_t *pair = part == IG_SPLIT_TRAIN   ? split->train_pair
                           : part == IG_SPLIT_VALID ? split->valid_pair
                                                    : split->holdout_pair;

    if (!marked_id)
        return ig_fail_memory(error, "the split");
    memset(mark, 0, set->rows);
    for (size_t i = 0; i < ig_split_count(split, part); i++) {
        const uint32_t row[2] = {pairs->left[pair[i]], pairs->right[pair[i]]};

        for (size_t k = 0; k < 2; k++) {
            mark[row[k]] = 1;
            if (set->id[row[k]] != IG_NO_ID)
                marked_id[set->id[row[k]]] = 1;
        }
    }
    for (size_t i = 0; i < set->rows; i++)
        if (set->id[i] != IG_NO_ID && marked_id[set->id[i]])
            mark[i] = 1;
    ig_free(marked_id);
    return IG_OK;
}

ig_status ig_split_make(ig_split *split, const ig_dataset *set, const ig_pairs *pairs,
                        double fraction, double holdout, uint64_t seed, ig_error *error)
{
    ig_arena work = {0}, *m = &split->memory;
    uint32_t *order = ig_arena_array(&work, pairs->groups, sizeof *order);
    uint8_t *part = ig_arena_array(&work, pairs->groups, 1); /* of each group */
    size_t groups = pairs->groups, valid = count_groups(fraction, groups);
    size_t test = count_groups(holdout, groups);
    ig_random random;
    ig_status status = IG_OK;

    *split = (ig_split){0};
    split->train_pair = ig_arena_array(m, pairs->count, sizeof *split->train_pair);
    split->valid_pair = ig_arena_array(m, pairs->count, sizeof *split->valid_pair);
    split->holdout_pair = ig_arena_array(m, pairs->count, sizeof *split->holdout_pair);
    split->held_out = ig_arena_array(m, set->rows, 1);
    if (!(fraction >= 0 && holdout >= 0 && fraction + holdout < 1))
        status =
            ig_fail(error, IG_VALUE,
                    "a validation fraction of %g and a holdout of %g leave nothing "
                    "to train on",
                    fraction, holdout);
    else if (work.failed || m->failed)
        status = ig_fail_memory(error, "the split");
    if (status == IG_OK) {
        if (test + valid >= groups) /* leave one to train on */
            test = groups - valid - (groups > valid);
        for (size_t i = 0; i < groups; i++)
            order[i] = (uint32_t)i;
        ig_random_init(&random, seed, STREAM);
        ig_random_shuffle(&random, order, groups);
        for (size_t i = 0; i < valid + test; i++)
            part[order[i]] = i < valid ? IG_SPLIT_VALID : IG_SPLIT_HOLDOUT;
        for (uint32_t i = 0; i < pairs->count; i++)
            if (part[pairs->group[i]] == IG_SPLIT_VALID)
                split->valid_pair[split->valid++] = i;
            else if (part[pairs->group[i]] == IG_SPLIT_HOLDOUT)
                split->holdout_pair[split->holdout++] = i;
            else
                split->train_pair[split->train++] = i;
        status = ig_split_mark(split, set, pairs,
                               split->holdout ? IG_SPLIT_HOLDOUT : IG_SPLIT_VALID,
                               split->held_out, error);
    }
    ig_arena_free(&work);
    if (status != IG_OK)
        ig_split_free(split);
    return status;
}

void ig_split_free(ig_split *split)
{
    ig_arena_free(&split->memory);
    *split = (ig_split){0};
}
