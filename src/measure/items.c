/* Connected components of scored pairs, by union-find. */
#include "measure/items.h"

#include "core/array.h"

static void join_rows(uint32_t *joined, uint32_t *first, const ig_scores *scores,
                      const uint32_t *id)
{
    for (size_t i = 0; i < scores->count; i++) {
        const uint32_t side[2] = {scores->left[i], scores->right[i]};

        ig_joined_add(joined, side[0], side[1]);
        for (int k = 0; id && k < 2; k++) {
            uint32_t *seen = id[side[k]] == IG_NO_ID ? NULL : &first[id[side[k]]];

            if (seen && *seen)
                ig_joined_add(joined, *seen - 1, side[k]);
            else if (seen)
                *seen = side[k] + 1;
        }
    }
}

ig_status ig_items_connect(const ig_scores *scores, const uint32_t *id, size_t rows,
                           uint32_t *item, size_t *items, ig_error *error)
{
    size_t ids = 0;
    uint32_t *joined = ig_alloc(rows, sizeof *joined), *number;
    bool ready;

    *items = 0;
    for (size_t i = 0; id && i < rows; i++)
        if (id[i] != IG_NO_ID && id[i] >= ids)
            ids = (size_t)id[i] + 1;
    number = ig_alloc(ids > rows ? ids : rows, sizeof *number);
    ready = joined && number;
    for (size_t i = 0; ready && i < rows; i++)
        joined[i] = (uint32_t)i;
    if (ready)
        join_rows(joined, number, scores, id);
    for (size_t i = 0; ready && i < rows; i++) /* from 1, by the root */
        number[i] = 0;
    for (size_t i = 0; ready && i < scores->count; i++) {
        uint32_t root = ig_joined_root(joined, scores->left[i]);

        if (!number[root])
            number[root] = (uint32_t)++ * items;
        item[i] = number[root] - 1;
    }
    IG_FREE(joined, number);
    return ready ? IG_OK : ig_fail_memory(error, "the items of scores");
}
