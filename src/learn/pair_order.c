/* Orders of the training pairs. */
#include "learn/pair_order.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

enum { GROUP = IG_BLOCK_PAIRS * IG_BLOCKS_AT_ONCE };

static size_t blocks_of(const ig_pair_order *o)
{
    return (o->n + IG_BLOCK_PAIRS - 1) / IG_BLOCK_PAIRS;
}

/* --- in the order of rows --------------------------------------------------------- */

static size_t left_row(const void *context, size_t i)
{
    const ig_pair_order *o = context;

    return o->pairs->left[o->given[i]];
}

static ig_status sort_by_row(ig_pair_order *o, ig_error *error)
{
    uint32_t *start = ig_alloc(o->set->rows + 2, sizeof *start);

    o->by_row = ig_alloc(o->n, sizeof *o->by_row);
    o->block = ig_alloc(blocks_of(o), sizeof *o->block);
    if (!start || !o->by_row || !o->block) {
        ig_free(start);
        return ig_fail_memory(error, "the order of the pairs");
    }
    ig_array_order(o->n, o->set->rows, left_row, o, start, o->by_row);
    for (size_t i = 0; i < o->n; i++)
        o->by_row[i] = o->given[o->by_row[i]];
    ig_free(start);
    return IG_OK;
}

ig_status ig_pair_order_init(ig_pair_order *o, const ig_set *set, const ig_pairs *pairs,
                             const uint32_t *given, size_t n, bool blocks,
                             ig_error *error)
{
    ig_status status = IG_OK;

    *o = (ig_pair_order){.set = set, .pairs = pairs, .given = given, .n = n};
    o->pair = ig_alloc(n, sizeof *o->pair);
    if (!o->pair)
        return ig_fail_memory(error, "the order of the pairs");
    if (blocks)
        status = sort_by_row(o, error);
    if (status == IG_OK)
        ig_pair_order_plain(o);
    return status;
}

void ig_pair_order_free(ig_pair_order *o)
{
    ig_free(o->pair);
    ig_free(o->by_row);
    ig_free(o->block);
    *o = (ig_pair_order){0};
}

/* --- orders ----------------------------------------------------------------------- */

void ig_pair_order_plain(ig_pair_order *o)
{
    if (o->n)
        memcpy(o->pair, o->given, o->n * sizeof *o->pair);
}

void ig_pair_order_shuffle(ig_pair_order *o, ig_random *random)
{
    ig_pair_order_plain(o);
    ig_random_shuffle(random, o->pair, o->n);
}

/* The pairs of a block: how many, from *first of by_row on. */
static size_t block_pairs(const ig_pair_order *o, size_t block, size_t *first)
{
    *first = block * IG_BLOCK_PAIRS;
    return o->n - *first < IG_BLOCK_PAIRS ? o->n - *first : IG_BLOCK_PAIRS;
}

void ig_pair_order_blocks(ig_pair_order *o, ig_random *random)
{
    size_t blocks = blocks_of(o), at = 0;

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

void ig_pair_order_spread(ig_pair_order *o, size_t some)
{
    for (size_t i = 0; i < some; i++)
        o->pair[i] = o->given[i * o->n / some];
}

/* --- what will be read ------------------------------------------------------------ */

/* Rows of pairs, n ≤ IG_BLOCK_PAIRS, in runs: what lies within NEAR bytes of one
 * another is read as one. What is read between is in memory for nothing, and so are
 * two groups of blocks at a time: of long rows, it would drive out what is needed. */
static void expect_rows(const ig_pair_order *o, const uint32_t *list, size_t n)
{
    enum { NEAR = 8192 };
    size_t near = 1 + NEAR * o->set->rows / (ig_set_bytes(o->set) + 1);
    uint32_t row[2 * IG_BLOCK_PAIRS];
    size_t begin = 0;

    for (size_t i = 0; i < n; i++) {
        row[i] = o->pairs->left[list[i]];
        row[n + i] = o->pairs->right[list[i]];
    }
    ig_array_sort32(row, 2 * n);
    for (size_t i = 1; i <= 2 * n; i++)
        if (i == 2 * n || row[i] > row[i - 1] + near) {
            ig_set_expect(o->set, row[begin], row[i - 1] - row[begin] + 1);
            begin = i;
        }
}

void ig_pair_order_expect_list(const ig_pair_order *o, const uint32_t *list, size_t n)
{
    for (size_t at = 0; at < n; at += IG_BLOCK_PAIRS)
        expect_rows(o, list + at, n - at < IG_BLOCK_PAIRS ? n - at : IG_BLOCK_PAIRS);
}

static void expect_group(const ig_pair_order *o, size_t group)
{
    size_t blocks = blocks_of(o), b = group * IG_BLOCKS_AT_ONCE;

    for (size_t last = b + IG_BLOCKS_AT_ONCE; b < blocks && b < last; b++) {
        size_t first, count = block_pairs(o, o->block[b], &first);

        expect_rows(o, o->by_row + first, count);
    }
}

void ig_pair_order_expect(const ig_pair_order *o, size_t at)
{
    if (at == 0)
        expect_group(o, 0);
    expect_group(o, at / GROUP + 1);
}
