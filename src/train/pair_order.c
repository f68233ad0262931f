/* Orders of the training pairs. */
#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "train/trainer_state.h"

enum { GROUP = IG_BLOCK_PAIRS * IG_BLOCKS_AT_ONCE };

static size_t count_blocks(const ig_pair_order *o)
{
    return (o->n + IG_BLOCK_PAIRS - 1) / IG_BLOCK_PAIRS;
}

static size_t get_left_row(const void *context, size_t i)
{
    const ig_pair_order *o = context;

    return o->pairs->left[o->given[i]];
}

static bool sort_by_row(ig_pair_order *o)
{
    uint32_t *start = ig_alloc(o->set->rows + 2, sizeof *start);

    o->by_row = ig_alloc(o->n, sizeof *o->by_row);
    o->block = ig_alloc(count_blocks(o), sizeof *o->block);
    if (start && o->by_row && o->block) {
        ig_array_order(o->n, o->set->rows, get_left_row, o, start, o->by_row);
        for (size_t i = 0; i < o->n; i++)
            o->by_row[i] = o->given[o->by_row[i]];
    }
    ig_free(start);
    return start && o->by_row && o->block;
}

ig_status ig_pair_order_init(ig_pair_order *o, const ig_dataset *set,
                             const ig_pairs *pairs, const uint32_t *given, size_t n,
                             bool blocks, ig_error *error)
{
    *o = (ig_pair_order){.set = set, .pairs = pairs, .given = given, .n = n};
    o->pair = ig_alloc(n, sizeof *o->pair);
    if (!o->pair || (blocks && !sort_by_row(o)))
        return ig_fail_memory(error, "the order of the pairs");
    return IG_OK;
}

void ig_pair_order_free(ig_pair_order *o)
{
    ig_free(o->pair);
    ig_free(o->by_row);
    ig_free(o->block);
    *o = (ig_pair_order){0};
}

static size_t block_pairs(const ig_pair_order *o, size_t block, size_t *first)
{
    *first = block * IG_BLOCK_PAIRS;
    return o->n - *first < IG_BLOCK_PAIRS ? o->n - *first : IG_BLOCK_PAIRS;
}

static void shuffle_blocks(ig_pair_order *o, ig_random *random)
{
    size_t blocks = count_blocks(o), at = 0;

    for (size_t b = 0; b < blocks; b++)
        o->block[b] = (uint32_t)b;
    ig_random_shuffle(random, o->block, blocks);
    for (size_t b = 0; b < blocks;) {
        size_t group = at, last = b + IG_BLOCKS_AT_ONCE;

        for (; b < blocks && b < last; b++) {
            size_t first, count = block_pairs(o, o->block[b], &first);

            memcpy(o->pair + at, o->by_row + first, count * sizeof *o->pair);
            at += count;
        }
        ig_random_shuffle(random, o->pair + group, at - group);
    }
}

void ig_pair_order_make(ig_pair_order *o, int how, size_t some, ig_random *random)
{
    if (how == IG_ORDER_BLOCKS) {
        shuffle_blocks(o, random);
        return;
    }
    some = how == IG_ORDER_SHUFFLED ? o->n : some;
    for (size_t i = 0; i < some; i++)
        o->pair[i] = o->given[i * o->n / some];
    if (how == IG_ORDER_SHUFFLED)
        ig_random_shuffle(random, o->pair, o->n);
}

/* Prefetch rows of n ≤ IG_BLOCK_PAIRS pairs in ranges: rows less than NEAR bytes apart
 * are merged; larger gaps would read rows that are not needed. */
static void expect_rows(const ig_pair_order *o, const uint32_t *list, size_t n)
{
    enum { NEAR = 8192 };
    size_t near = 1 + NEAR * o->set->rows / (ig_dataset_bytes(o->set) + 1);
    uint32_t row[2 * IG_BLOCK_PAIRS];
    size_t begin = 0;

    for (size_t i = 0; i < n; i++) {
        row[i] = o->pairs->left[list[i]];
        row[n + i] = o->pairs->right[list[i]];
    }
    ig_array_sort32(row, 2 * n);
    for (size_t i = 1; i <= 2 * n; i++)
        if (i == 2 * n || row[i] > row[i - 1] + near) {
            ig_dataset_expect(o->set, row[begin], row[i - 1] - row[begin] + 1);
            begin = i;
        }
}

void ig_pair_order_expect_list(const ig_pair_order *o, const uint32_t *list, size_t n)
{
    for (size_t at = 0; at < n; at += IG_BLOCK_PAIRS)
        expect_rows(o, list + at, n - at < IG_BLOCK_PAIRS ? n - at : IG_BLOCK_PAIRS);
}

void ig_pair_order_expect(const ig_pair_order *o, size_t at)
{
    size_t b = at == 0 ? 0 : (at / GROUP + 1) * IG_BLOCKS_AT_ONCE;
    size_t last = (at / GROUP + 2) * IG_BLOCKS_AT_ONCE;

    for (; b < count_blocks(o) && b < last; b++) {
        size_t first, count = block_pairs(o, o->block[b], &first);

        expect_rows(o, o->by_row + first, count);
    }
}
