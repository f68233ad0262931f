/* Subsets: choose groups, then their pairs, then rows. */
#include "data/subset.h"

#include "core/array.h"
#include "core/random.h"

/* Keep the scores whose rows are both marked 1. */
static void keep_scores(ig_subset *p, const ig_scores *scores, const uint8_t *only)
{
    ig_scores *kept = &p->scores;

    for (size_t i = 0; i < scores->count; i++)
        if (only[scores->left[i]] && only[scores->right[i]]) {
            kept->left[kept->count] = scores->left[i];
            kept->right[kept->count] = scores->right[i];
            kept->score[kept->count] = scores->score[i];
            if (kept->pair)
                kept->pair[kept->count] = scores->pair[i];
            kept->count++;
        }
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
    if (scores)
        p->scores = *scores;
    p->scores.memory = (ig_arena){0}; /* of the given ones, as their names */
    p->scores.kinds = (ig_names){0};
    if (only && p->scores.left) {
        p->scores.count = 0;
        p->scores.left = ig_arena_array(m, scores->count, sizeof *scores->left);
        p->scores.right = ig_arena_array(m, scores->count, sizeof *scores->right);
        p->scores.score = ig_arena_array(m, scores->count, sizeof *scores->score);
        if (scores->pair)
            p->scores.pair = ig_arena_array(m, scores->count, sizeof *scores->pair);
    }
    if (work.failed || m->failed) {
        ig_arena_free(&work);
        ig_subset_free(p);
        return ig_fail_memory(error, "the measured pairs");
    }
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t group = pairs->group[i];

        if (only && !(only[pairs->left[i]] && only[pairs->right[i]]))
            continue;
        if (!chosen[group])
            order[p->of_meanings++] = group;
        chosen[group] = 1;
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
    if (only && p->scores.left)
        keep_scores(p, scores, only);
    ig_arena_free(&work);
    return IG_OK;
}

void ig_subset_free(ig_subset *subset)
{
    ig_arena_free(&subset->memory);
    *subset = (ig_subset){0};
}
