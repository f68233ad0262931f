/* Subsets: choose groups, then their pairs, then rows. */
#include "data/subset.h"

#include "core/array.h"
#include "core/random.h"

enum { STREAM = 0x504f5254 };

static bool is_included(const ig_pairs *pairs, const uint8_t *only, size_t i)
{
    return !only || (only[pairs->left[i]] && only[pairs->right[i]]);
}

/* Set chosen (groups) to 1 for drawn groups that have pairs. */
static void choose_groups(ig_subset *p, const ig_pairs *pairs, const uint8_t *only,
                          size_t limit, uint64_t seed, uint8_t *chosen, uint32_t *order)
{
    ig_random random;

    for (size_t i = 0; i < pairs->count; i++)
        if (is_included(pairs, only, i) && !chosen[pairs->group[i]]) {
            chosen[pairs->group[i]] = 1;
            order[p->of_meanings++] = pairs->group[i];
        }
    p->meanings = p->of_meanings;
    if (!limit || limit >= p->of_meanings)
        return;
    p->meanings = limit;
    ig_random_init(&random, seed, STREAM);
    ig_random_shuffle(&random, order, p->of_meanings);
    for (size_t i = limit; i < p->of_meanings; i++)
        chosen[order[i]] = 0;
}

ig_status ig_subset_take(ig_subset *p, const ig_dataset *set, const ig_pairs *pairs,
                         const uint8_t *only, size_t limit, uint64_t seed,
                         ig_error *error)
{
    ig_arena work = {0}, *m = &p->memory;
    uint8_t *chosen = ig_arena_array(&work, pairs->groups, 1);
    uint8_t *mark = ig_arena_array(&work, set->rows, 1);
    uint32_t *order = ig_arena_array(&work, pairs->groups, sizeof *order);
    bool sampled;

    *p = (ig_subset){.rows = set->rows, .of_rows = set->rows};
    p->row = ig_arena_array(m, set->rows, sizeof *p->row);
    p->left = ig_arena_array(m, pairs->count, sizeof *p->left);
    p->right = ig_arena_array(m, pairs->count, sizeof *p->right);
    p->group = ig_arena_array(m, pairs->count, sizeof *p->group);
    if (work.failed || m->failed) {
        ig_arena_free(&work);
        ig_subset_free(p);
        return ig_fail_memory(error, "the measured pairs");
    }
    choose_groups(p, pairs, only, limit, seed, chosen, order);
    for (size_t i = 0; i < pairs->count; i++)
        if (is_included(pairs, only, i) && chosen[pairs->group[i]]) {
            mark[pairs->left[i]] = mark[pairs->right[i]] = 1;
            p->left[p->pairs] = pairs->left[i];
            p->right[p->pairs] = pairs->right[i];
            p->group[p->pairs++] = pairs->group[i];
        }
    for (size_t i = 0; only && i < set->rows; i++)
        p->of_rows -= !only[i];
    /* All marked rows, or in a sample only rows of pairs. */
    sampled = p->meanings < p->of_meanings;
    p->rows = 0;
    for (uint32_t i = 0; i < set->rows; i++)
        if (sampled ? mark[i] : !only || only[i])
            p->row[p->rows++] = i;
    if (!sampled && !only)
        p->row = NULL;
    ig_arena_free(&work);
    return IG_OK;
}

ig_status ig_subset_thin(ig_subset *p, size_t limit, uint64_t seed, ig_error *error)
{
    uint32_t *row;
    ig_random random;

    if (limit >= p->rows)
        return IG_OK;
    row = ig_arena_array(&p->memory, p->rows, sizeof *row);
    if (!row) {
        p->memory.failed = false;
        return ig_fail_memory(error, "the measured rows");
    }
    for (size_t i = 0; i < p->rows; i++)
        row[i] = p->row ? p->row[i] : (uint32_t)i;
    ig_random_init(&random, seed, STREAM + 1);
    ig_random_shuffle(&random, row, p->rows);
    ig_array_sort32(row, limit);
    p->row = row;
    p->rows = limit;
    return IG_OK;
}

void ig_subset_free(ig_subset *subset)
{
    ig_arena_free(&subset->memory);
    *subset = (ig_subset){0};
}
