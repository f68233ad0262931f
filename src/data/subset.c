/* Subsets: choose groups, then their pairs, then rows. */
#include "data/subset.h"

#include "core/array.h"
#include "core/memory.h"
#include "core/random.h"

enum { STREAM = 0x504f5254 };

static bool is_included(const ig_pairs *pairs, const uint8_t *only, size_t i)
{
    return !only || (only[pairs->left[i]] && only[pairs->right[i]]);
}

/* Set chosen (groups) to 1 for drawn groups that have pairs. */
static ig_status choose_groups(ig_subset *p, const ig_pairs *pairs, const uint8_t *only,
                               size_t limit, uint64_t seed, uint8_t *chosen,
                               ig_error *error)
{
    uint32_t *order = ig_alloc(pairs->groups, sizeof *order);
    ig_random random;

    if (!order)
        return ig_fail_memory(error, "the measured pairs");
    for (size_t i = 0; i < pairs->count; i++)
        if (is_included(pairs, only, i) && !chosen[pairs->group[i]]) {
            chosen[pairs->group[i]] = 1;
            order[p->of_meanings++] = pairs->group[i];
        }
    p->meanings = p->of_meanings;
    if (limit && limit < p->of_meanings) {
        p->meanings = limit;
        ig_random_init(&random, seed, STREAM);
        ig_random_shuffle(&random, order, p->of_meanings);
        for (size_t i = limit; i < p->of_meanings; i++)
            chosen[order[i]] = 0;
    }
    ig_free(order);
    return IG_OK;
}

static ig_status keep_pairs(ig_subset *p, const ig_pairs *pairs, const uint8_t *only,
                            const uint8_t *chosen, ig_error *error)
{
    size_t n = 0;

    for (size_t i = 0; i < pairs->count; i++)
        n += is_included(pairs, only, i) && chosen[pairs->group[i]];
    p->left = ig_alloc(n, sizeof *p->left);
    p->right = ig_alloc(n, sizeof *p->right);
    p->group = ig_alloc(n, sizeof *p->group);
    if (!p->left || !p->right || !p->group)
        return ig_fail_memory(error, "the measured pairs");
    for (size_t i = 0; i < pairs->count; i++)
        if (is_included(pairs, only, i) && chosen[pairs->group[i]]) {
            p->left[p->pairs] = pairs->left[i];
            p->right[p->pairs] = pairs->right[i];
            p->group[p->pairs++] = pairs->group[i];
        }
    return IG_OK;
}

/* Keep all marked rows, or in a sample only rows of pairs. */
static ig_status keep_rows(ig_subset *p, const ig_dataset *set, const uint8_t *only,
                           ig_error *error)
{
    bool sampled = p->meanings < p->of_meanings;
    uint8_t *mark = NULL;

    p->rows = p->of_rows = set->rows;
    for (size_t i = 0; only && i < set->rows; i++)
        p->of_rows -= !only[i];
    if (!sampled && !only)
        return IG_OK;
    if (sampled) {
        mark = ig_alloc(set->rows, 1);
        if (!mark)
            return ig_fail_memory(error, "the measured rows");
        for (size_t i = 0; i < p->pairs; i++)
            mark[p->left[i]] = mark[p->right[i]] = 1;
        only = mark;
    }
    p->rows = 0;
    for (size_t i = 0; i < set->rows; i++)
        p->rows += only[i] != 0;
    p->row = ig_alloc(p->rows, sizeof *p->row);
    p->rows = 0;
    for (size_t i = 0; p->row && i < set->rows; i++)
        if (only[i])
            p->row[p->rows++] = (uint32_t)i;
    ig_free(mark);
    return p->row ? IG_OK : ig_fail_memory(error, "the measured rows");
}

ig_status ig_subset_take(ig_subset *subset, const ig_dataset *set,
                         const ig_pairs *pairs, const uint8_t *only, size_t limit,
                         uint64_t seed, ig_error *error)
{
    uint8_t *chosen = ig_alloc(pairs->groups, 1);
    ig_status status;

    *subset = (ig_subset){0};
    status = chosen ? choose_groups(subset, pairs, only, limit, seed, chosen, error)
                    : ig_fail_memory(error, "the measured pairs");
    if (status == IG_OK)
        status = keep_pairs(subset, pairs, only, chosen, error);
    if (status == IG_OK)
        status = keep_rows(subset, set, only, error);
    ig_free(chosen);
    if (status != IG_OK)
        ig_subset_free(subset);
    return status;
}

ig_status ig_subset_thin(ig_subset *p, size_t limit, uint64_t seed, ig_error *error)
{
    uint32_t *all, *some;
    ig_random random;

    if (limit >= p->rows)
        return IG_OK;
    all = ig_alloc(p->rows, sizeof *all);
    some = ig_alloc(limit, sizeof *some);
    if (!all || !some) {
        IG_FREE(all, some);
        return ig_fail_memory(error, "the measured rows");
    }
    for (size_t i = 0; i < p->rows; i++)
        all[i] = p->row ? p->row[i] : (uint32_t)i;
    ig_random_init(&random, seed, STREAM + 1);
    ig_random_shuffle(&random, all, p->rows);
    for (size_t i = 0; i < limit; i++)
        some[i] = all[i];
    ig_array_sort32(some, limit);
    IG_FREE(all, p->row);
    p->row = some;
    p->rows = limit;
    return IG_OK;
}

void ig_subset_free(ig_subset *subset)
{
    IG_FREE(subset->row, subset->left, subset->right, subset->group);
    *subset = (ig_subset){0};
}
