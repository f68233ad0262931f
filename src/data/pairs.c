/* Parallel pairs from equal ids (counted, then filled in), and their split. */
#include "data/pairs.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/random.h"
#include "data/reader.h"

size_t ig_pairs_pivot(const ig_dataset *set)
{
    size_t best = 0;

    for (size_t k = 0; k < set->languages; k++) {
        const char *code = set->language[k]; /* en, eng, en-US, eng_Latn */
        size_t length = strcspn(code, "-_");

        if ((length == 2 || length == 3) && strncmp(code, "eng", length) == 0)
            return k;
        if (set->language_rows[k] > set->language_rows[best])
            best = k;
    }
    return best;
}

/* Set paired (languages, languages) to 1 where the first is left of the other. */
static ig_status read_pairing(uint8_t *paired, const ig_dataset *set, const char *text,
                              ig_error *error)
{
    size_t languages = set->languages, pivot = ig_pairs_pivot(set), length;
    bool is_pivot = strcmp(text, "pivot") == 0, is_all = strcmp(text, "all") == 0;
    char quoted[IG_QUOTE_SIZE], list[IG_LIST_SIZE];

    for (bool more = true, found; more; text += length + 1) {
        length = strcspn(text, ",");
        more = text[length] != '\0';
        found = is_pivot || is_all;
        for (size_t i = 0; i < languages * languages; i++) {
            size_t a = i / languages, b = i % languages, n = strlen(set->language[a]);
            bool named = length == n + 1 + strlen(set->language[b]) &&
                         memcmp(text, set->language[a], n) == 0 && text[n] == '-' &&
                         memcmp(text + n + 1, set->language[b], length - n - 1) == 0;

            found |= named && a != b;
            paired[i] |= is_all ? a < b : is_pivot ? a == pivot && a != b : named;
        }
        if (!found)
            return ig_fail(
                error, IG_VALUE,
                "pairing %s is not pivot, all or LANG-LANG,… (languages: %s)",
                ig_quote(quoted, text, length),
                ig_quote_list(list, set->language, languages));
    }
    return IG_OK;
}

static size_t get_id(const void *set, size_t row)
{
    return ((const ig_dataset *)set)->id[row];
}

/* Order rows by id, then language, then row: id i has rows row[start[i]] …
 * row[start[i + 1] − 1]. False: memory is short. */
static bool order_rows(const ig_dataset *set, uint32_t **start, uint32_t **row,
                       ig_arena *work)
{
    uint64_t *key = ig_arena_array(work, set->rows, sizeof *key);
    uint32_t *at = *start = ig_arena_array(work, set->ids + 2, sizeof *at);

    *row = ig_arena_array(work, set->rows, sizeof **row);
    if (work->failed)
        return false;
    ig_array_order(set->rows, set->ids, get_id, set, at, *row);
    for (size_t i = 0; i < at[set->ids]; i++)
        key[i] = (uint64_t)set->lang[(*row)[i]] << 32 | (*row)[i];
    for (size_t k = 0; k < set->ids; k++)
        ig_array_sort64(key + at[k], at[k + 1] - at[k]);
    for (size_t i = 0; i < at[set->ids]; i++)
        (*row)[i] = (uint32_t)key[i];
    return true;
}

/* Add the pairs of an id's rows, by languages; count them while there is no array. */
static void pair_rows(ig_pairs *pairs, const ig_dataset *set, const uint8_t *paired,
                      const uint32_t *row, size_t rows)
{
    size_t before = pairs->count;

    for (size_t a = 0, a_end; a < rows; a = a_end) {
        const uint16_t left = set->lang[row[a]];

        for (a_end = a + 1; a_end < rows && set->lang[row[a_end]] == left;)
            a_end++;
        for (size_t b = 0, b_end; b < rows; b = b_end) {
            const uint16_t right = set->lang[row[b]];

            for (b_end = b + 1; b_end < rows && set->lang[row[b_end]] == right;)
                b_end++;
            if (!paired[left * set->languages + right])
                continue;
            for (size_t i = a; i < a_end && pairs->left; i++)
                for (size_t j = b; j < b_end; j++) {
                    size_t n = pairs->count + (i - a) * (b_end - b) + j - b;

                    pairs->left[n] = row[i];
                    pairs->right[n] = row[j];
                    pairs->group[n] = (uint32_t)pairs->groups;
                }
            pairs->count += (a_end - a) * (b_end - b);
        }
    }
    pairs->groups += pairs->count > before;
}

ig_status ig_pairs_allocate(ig_pairs *pairs, size_t count, ig_error *error)
{
    *pairs = (ig_pairs){0};
    pairs->left = ig_arena_array(&pairs->memory, count, sizeof *pairs->left);
    pairs->right = ig_arena_array(&pairs->memory, count, sizeof *pairs->right);
    pairs->group = ig_arena_array(&pairs->memory, count, sizeof *pairs->group);
    return pairs->memory.failed ? ig_fail_memory(error, "the pairs") : IG_OK;
}

ig_status ig_pairs_derive(ig_pairs *pairs, const ig_dataset *set, const char *pairing,
                          ig_error *error)
{
    /* Columns that are no ids give more: 200 languages, all paired, give 100 a row. */
    size_t limit = set->rows < IG_MAX_ROWS / 1000 ? set->rows * 1000 : IG_MAX_ROWS;
    ig_arena work = {0};
    uint8_t *paired = ig_arena_array(&work, set->languages, set->languages);
    uint32_t *start = NULL, *row = NULL;
    ig_status status = IG_OK;

    *pairs = (ig_pairs){0};
    pairing = pairing ? pairing : "pivot";
    if (!set->ids)
        status = ig_fail(error, IG_VALUE,
                         "%s has no ids, from which pairs follow; --column id=NAME "
                         "names the column that has them, --pairs FILE the pairs",
                         set->name);
    else if (!order_rows(set, &start, &row, &work))
        status = ig_fail_memory(error, "the rows of each id");
    if (status == IG_OK)
        status = read_pairing(paired, set, pairing, error);
    for (int pass = 0; pass < 2 && status == IG_OK; pass++) {
        for (size_t i = 0; i < set->ids; i++)
            pair_rows(pairs, set, paired, row + start[i], start[i + 1] - start[i]);
        if (pairs->count == 0)
            status = ig_fail(error, IG_VALUE,
                             set->languages < 2
                                 ? "%s has no pairs: it has one language"
                                 : "%s has no pairs: no two languages of the pairing "
                                   "%s share an id, which translations have in common",
                             set->name, pairing);
        else if (pairs->count > limit)
            status = ig_fail(error, IG_VALUE,
                             "%s has more than %zu pairs from %zu rows: its %zu ids "
                             "stand for too many rows each (ids name meanings)",
                             set->name, limit, set->rows, set->ids);
        else if (pass == 0)
            status = ig_pairs_allocate(pairs, pairs->count, error);
    }
    if (status != IG_OK)
        ig_pairs_free(pairs);
    ig_arena_free(&work);
    return status;
}

uint64_t ig_pairs_checksum(const ig_pairs *pairs)
{
    uint64_t hash = IG_FNV_BEGIN;

    for (size_t i = 0; i < pairs->count; i++) {
        hash = ig_fnv(hash, &pairs->right[i], sizeof *pairs->right);
        hash = ig_fnv(hash, &pairs->left[i], sizeof *pairs->left);
    }
    return hash;
}

void ig_pairs_free(ig_pairs *pairs)
{
    ig_arena_free(&pairs->memory);
    *pairs = (ig_pairs){0};
}

/* Number of groups of a part: at least one of two or more. */
static size_t count_groups(double fraction, size_t groups)
{
    size_t held = (size_t)llround(fraction * (double)groups);

    if (fraction <= 0 || groups < 2)
        return 0;
    return held < 1 ? 1 : held < groups ? held : groups - 1;
}

ig_status ig_split_mark(const ig_split *split, const ig_dataset *set,
                        const ig_pairs *pairs, ig_split_part part, uint8_t *mark,
                        ig_error *error)
{
    uint8_t *marked_id = ig_alloc(set->ids, 1);

    if (!marked_id)
        return ig_fail_memory(error, "the split");
    memset(mark, 0, set->rows);
    for (size_t i = 0; i < 2 * split->count[part]; i++) {
        uint32_t pair = split->pair[part][i / 2];
        uint32_t row = i % 2 ? pairs->right[pair] : pairs->left[pair];

        mark[row] = 1;
        if (set->id[row] != IG_NO_ID)
            marked_id[set->id[row]] = 1;
    }
    for (size_t i = 0; i < set->rows; i++)
        mark[i] |= set->id[i] != IG_NO_ID && marked_id[set->id[i]];
    ig_free(marked_id);
    return IG_OK;
}

ig_status ig_split_make(ig_split *split, const ig_dataset *set, const ig_pairs *pairs,
                        double fraction, double holdout, uint64_t seed, ig_error *error)
{
    enum { STREAM = 0x53504c54 };
    size_t groups = pairs->groups, valid = count_groups(fraction, groups);
    size_t test = count_groups(holdout, groups);
    ig_arena *m = &split->memory;
    uint32_t *order, *pair;
    uint8_t *part; /* of each group */
    ig_random random;
    ig_status status;

    *split = (ig_split){0};
    if (!(fraction >= 0 && holdout >= 0 && fraction + holdout < 1))
        return ig_fail(error, IG_VALUE,
                       "valid %g and holdout %g leave nothing to train on", fraction,
                       holdout);
    order = ig_arena_array(m, groups, sizeof *order);
    part = ig_arena_array(m, groups, 1);
    pair = ig_arena_array(m, pairs->count, sizeof *pair);
    split->held_out = ig_arena_array(m, set->rows, 1);
    if (m->failed) {
        ig_split_free(split);
        return ig_fail_memory(error, "the split");
    }
    if (test + valid >= groups) /* leave one to train on */
        test = groups - valid - (groups > valid);
    for (size_t i = 0; i < groups; i++)
        order[i] = (uint32_t)i;
    ig_random_init(&random, seed, STREAM);
    ig_random_shuffle(&random, order, groups);
    for (size_t i = 0; i < valid + test; i++)
        part[order[i]] = i < valid ? IG_SPLIT_VALID : IG_SPLIT_HOLDOUT;
    for (int p = IG_SPLIT_TRAIN; p <= IG_SPLIT_HOLDOUT; p++) {
        split->pair[p] = pair;
        for (uint32_t i = 0; i < pairs->count; i++)
            if (part[pairs->group[i]] == p)
                pair[split->count[p]++] = i;
        pair += split->count[p];
    }
    status = ig_split_mark(split, set, pairs,
                           split->holdout ? IG_SPLIT_HOLDOUT : IG_SPLIT_VALID,
                           split->held_out, error);
    if (status != IG_OK)
        ig_split_free(split);
    return status;
}

void ig_split_free(ig_split *split)
{
    ig_arena_free(&split->memory);
    *split = (ig_split){0};
}

/* Copy the scores that are kept; their names are those of the given ones. */
static void take_scores(ig_subset *p, const ig_scores *scores, const uint8_t *only)
{
    ig_scores *kept = &p->scores;
    size_t n = 0;

    *kept = *scores;
    kept->left = ig_arena_array(&p->memory, scores->count, sizeof *kept->left);
    kept->right = ig_arena_array(&p->memory, scores->count, sizeof *kept->right);
    kept->score = ig_arena_array(&p->memory, scores->count, sizeof *kept->score);
    kept->pair = ig_arena_array(&p->memory, scores->count, sizeof *kept->pair);
    for (size_t i = 0; i < scores->count && !p->memory.failed; i++)
        if (!only || (only[scores->left[i]] && only[scores->right[i]])) {
            kept->left[n] = scores->left[i];
            kept->right[n] = scores->right[i];
            kept->score[n] = scores->score[i];
            kept->pair[n++] = scores->pair[i];
        }
    kept->count = n;
}

ig_status ig_subset_take(ig_subset *p, const ig_dataset *set, const ig_pairs *pairs,
                         const ig_scores *scores, const uint8_t *only,
                         ig_subset_limits limits, uint64_t seed, ig_error *error)
{
    enum { STREAM = 0x504f5254 };
    ig_arena work = {0}, *m = &p->memory;
    uint8_t *chosen = ig_arena_array(&work, pairs->groups, 1);
    uint8_t *mark = ig_arena_array(&work, set->rows, 1);
    uint32_t *order = ig_arena_array(&work, pairs->groups, sizeof *order);
    bool sampled;
    ig_random random;

    *p = (ig_subset){0};
    p->row = ig_arena_array(m, set->rows, sizeof *p->row);
    p->left = ig_arena_array(m, pairs->count, sizeof *p->left);
    p->right = ig_arena_array(m, pairs->count, sizeof *p->right);
    p->group = ig_arena_array(m, pairs->count, sizeof *p->group);
    if (scores && scores->left)
        take_scores(p, scores, only);
    if (work.failed || m->failed) {
        ig_arena_free(&work);
        ig_subset_free(p);
        return ig_fail_memory(error, "the measured pairs");
    }
    for (size_t i = 0; i < pairs->count; i++)
        if ((!only || (only[pairs->left[i]] && only[pairs->right[i]])) &&
            !chosen[pairs->group[i]]) {
            chosen[pairs->group[i]] = 1;
            order[p->of_meanings++] = pairs->group[i];
        }
    sampled = limits.meanings && limits.meanings < p->of_meanings;
    p->meanings = sampled ? limits.meanings : p->of_meanings;
    ig_random_init(&random, seed, STREAM);
    if (sampled)
        ig_random_shuffle(&random, order, p->of_meanings);
    for (size_t i = p->meanings; i < p->of_meanings; i++)
        chosen[order[i]] = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t left = pairs->left[i], right = pairs->right[i];

        if (!chosen[pairs->group[i]] || (only && !(only[left] && only[right])))
            continue;
        mark[left] = mark[right] = 1;
        p->left[p->pairs] = left;
        p->right[p->pairs] = right;
        p->group[p->pairs++] = pairs->group[i];
    }
    /* All marked rows, or in a sample only rows of pairs. */
    for (uint32_t i = 0; i < set->rows; i++) {
        p->of_rows += !only || only[i];
        if (sampled ? mark[i] : !only || only[i])
            p->row[p->rows++] = i;
    }
    if (limits.rows && limits.rows < p->rows) {
        ig_random_init(&random, seed, STREAM + 1);
        ig_random_shuffle(&random, p->row, p->rows);
        ig_array_sort32(p->row, limits.rows);
        p->rows = limits.rows;
    } else if (!sampled && !only) {
        p->row = NULL;
    }
    ig_arena_free(&work);
    return IG_OK;
}

void ig_subset_free(ig_subset *subset)
{
    ig_arena_free(&subset->memory);
    *subset = (ig_subset){0};
}
