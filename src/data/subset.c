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

static void keep_pairs(ig_subset *p, const ig_pairs *pairs, const uint8_t *only,
                       const uint8_t *chosen)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (is_included(pairs, only, i) && chosen[pairs->group[i]]) {
            p->left[p->pairs] = pairs->left[i];
            p->right[p->pairs] = pairs->right[i];
            p->group[p->pairs++] = pairs->group[i];
        }
}

/* Keep all marked rows, or in a sample only rows of pairs. */
static void keep_rows(ig_subset *p, const ig_dataset *set, const uint8_t *only,
                      uint8_t *mark)
{
    bool sampled = p->meanings < p->of_meanings;

    p->rows = p->of_rows = set->rows;
    for (size_t i = 0; only && i < set->rows; i++)
        p->of_rows -= !only[i];
    if (!sampled && !only) {
        ig_free(p->row);
        p->row = NULL;
        return;
    }
    for (size_t i = 0; sampled && i < p->pairs; i++)
        mark[p->left[i]] = mark[p->right[i]] = 1;
    p->rows = 0;
    for (uint32_t i = 0; i < set->rows; i++)
        if (sampled ? mark[i] : only[i])
            p->row[p->rows++] = i;
}

ig_status ig_subset_take(ig_subset *subset, const ig_dataset *set,
                         const ig_pairs *pairs, const uint8_t *only, size_t limit,
                         uint64_t seed, ig_error *error)
{
    uint8_t *chosen = ig_alloc(pairs->groups, 1), *mark = ig_alloc(set->rows, 1);
    ig_status status;

    *subset = (ig_subset){.row = ig_alloc(set->rows, sizeof *subset->row),
                          .left = ig_alloc(pairs->count, sizeof *subset->left),
                          .right = ig_alloc(pairs->count, sizeof *subset->right),
                          .group = ig_alloc(pairs->count, sizeof *subset->group)};
    status = chosen && mark && subset->row && subset->left && subset->right &&
                     subset->group
                 ? choose_groups(subset, pairs, only, limit, seed, chosen, error)
                 : ig_fail_memory(error, "the measured pairs");
    if (status == IG_OK) {
        keep_pairs(subset, pairs, only, chosen);
        keep_rows(subset, set, only, mark);
    } else {
        ig_subset_free(subset);
    }
    IG_FREE(chosen, mark);
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
