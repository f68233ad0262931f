/* The split of pairs into training and validation, by meaning. */
#include <math.h>

#include "base/random.h"
#include "data/columns.h"
#include "data/pairs.h"

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

/* Draw the held-out groups: out[group] = 1. */
static ig_status draw_groups(uint8_t *out, size_t groups, size_t held, uint64_t seed,
                             ig_error *error)
{
    uint32_t *order = ig_alloc(groups, sizeof *order);
    ig_random random;

    if (!order)
        return ig_fail_memory(error, "the split");
    for (size_t i = 0; i < groups; i++)
        order[i] = (uint32_t)i;
    ig_random_init(&random, seed, STREAM);
    ig_random_shuffle(&random, order, groups);
    for (size_t i = 0; i < held; i++)
        out[order[i]] = 1;
    ig_free(order);
    return IG_OK;
}

ig_status ig_split_mark(const ig_split *split, const ig_set *set, const ig_pairs *pairs,
                        bool valid, uint8_t *mark, ig_error *error)
{
    uint8_t *marked_id = ig_alloc(set->ids, 1);
    const uint32_t *pair = valid ? split->valid_pair : split->train_pair;
    size_t n = valid ? split->valid : split->train;

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

ig_status ig_split_make(ig_split *split, const ig_set *set, const ig_pairs *pairs,
                        double fraction, uint64_t seed, ig_error *error)
{
    uint8_t *held = NULL;
    ig_status status;

    *split = (ig_split){0};
    if (!(fraction >= 0 && fraction < 1))
        return ig_fail(error, IG_VALUE,
                       "a validation fraction of %g is not in 0 to 1 (1 excluded)",
                       fraction);
    held = ig_alloc(pairs->groups, 1);
    split->train_pair = ig_alloc(pairs->count, sizeof *split->train_pair);
    split->valid_pair = ig_alloc(pairs->count, sizeof *split->valid_pair);
    split->held_out = ig_alloc(set->rows, 1);
    if (!held || !split->train_pair || !split->valid_pair || !split->held_out)
        status = ig_fail_memory(error, "the split");
    else
        status = draw_groups(held, pairs->groups, held_groups(fraction, pairs->groups),
                             seed, error);
    for (size_t i = 0; i < pairs->count && status == IG_OK; i++) {
        if (held[pairs->group[i]])
            split->valid_pair[split->valid++] = (uint32_t)i;
        else
            split->train_pair[split->train++] = (uint32_t)i;
    }
    if (status == IG_OK)
        status = ig_split_mark(split, set, pairs, true, split->held_out, error);
    ig_free(held);
    if (status != IG_OK)
        ig_split_free(split);
    return status;
}

void ig_split_free(ig_split *split)
{
    ig_free(split->train_pair);
    ig_free(split->valid_pair);
    ig_free(split->held_out);
    *split = (ig_split){0};
}
