/* Blocks of rows: their centre, and which of them are identical. */
#include "linear/block.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "linear/kernels.h"

/* Places of a table for n rows. */
static size_t table_size(size_t n)
{
    size_t room = 16;

    while (room < 2 * n)
        room *= 2;
    return room;
}

/* In four lanes, so that one product need not wait for another. */
static uint64_t hash(const float *row, size_t d)
{
    enum { LANES = 4 };
    const uint64_t by = 0x9e3779b97f4a7c15u;
    uint64_t lane[LANES] = {1, 2, 3, 4}, word[LANES], all = 0;

    for (size_t bytes = d * sizeof *row, at = 0; at < bytes; at += sizeof word) {
        memset(word, 0, sizeof word);
        memcpy(word, (const char *)row + at,
               bytes - at < sizeof word ? bytes - at : sizeof word);
        for (size_t l = 0; l < LANES; l++) {
            lane[l] = (lane[l] ^ word[l]) * by;
            lane[l] ^= lane[l] >> 32;
        }
    }
    for (size_t l = 0; l < LANES; l++)
        all = (all ^ lane[l]) * by;
    return all ^ all >> 32;
}

static const float *row_at(const float *from, const uint32_t *list, size_t i, size_t d)
{
    return from + (list ? list[i] : i) * d;
}

/* Fills same (n); returns whether any two rows are identical. */
static bool find_same(const float *from, const uint32_t *list, const uint64_t *key,
                      size_t n, size_t d, uint32_t *same, uint32_t *table)
{
    size_t mask = table_size(n) - 1;
    bool any = false;

    memset(table, 0, (mask + 1) * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        const float *row = row_at(from, list, i, d);
        size_t at = key[i] & mask;

        while (table[at] && (key[table[at] - 1] != key[i] ||
                             memcmp(row_at(from, list, table[at] - 1, d), row,
                                    d * sizeof *row) != 0))
            at = (at + 1) & mask;
        if (!table[at])
            table[at] = (uint32_t)i + 1;
        same[i] = table[at] - 1;
        any |= same[i] != i;
    }
    return any;
}

ig_status ig_block_same(const float *from, const uint32_t *list, const uint64_t *key,
                        size_t n, size_t d, uint32_t **same, ig_error *error)
{
    uint32_t *table = ig_alloc(table_size(n), sizeof *table);
    uint32_t *found = ig_alloc(n, sizeof *found);
    bool room = table && found;

    *same = NULL;
    if (room && find_same(from, list, key, n, d, found, table))
        *same = found;
    else
        ig_free(found);
    ig_free(table);
    return room ? IG_OK : ig_fail_memory(error, "rows to compare");
}

ig_status ig_block_init(ig_block *block, const float *from, const uint32_t *list,
                        size_t n, size_t d, uint8_t *zero, bool marks, uint64_t *key,
                        ig_error *error)
{
    enum { RUN = 16 };
    const ig_kernels *kernels = ig_kernels_best();
    const float *v[RUN], *own;
    float one[RUN], share;
    size_t zeros = 0;

    *block = (ig_block){.count = n};
    own = block->centre = ig_alloc(d, sizeof *block->centre);
    if (!block->centre)
        return ig_fail_memory(error, "rows to compare");
    /* The mean of the rows that are not of length 0, as well as floats add them up: any
     * vector would do. */
    for (size_t i = 0; i < n; i += RUN) {
        size_t run = n - i < RUN ? n - i : RUN;

        for (size_t r = 0; r < run; r++) {
            v[r] = row_at(from, list, i + r, d);
            one[r] = 1;
            key[i + r] = hash(v[r], d);
            if (marks)
                zero[i + r] = kernels->peak(v[r], d) == 0;
            zeros += zero[i + r];
        }
        kernels->combine(v, one, run, d, 1, block->centre);
    }
    share = zeros < n ? 1 / (float)(n - zeros) : 0;
    kernels->combine(&own, &share, 1, d, 0, block->centre);
    block->zero = zeros ? zero : NULL;
    block->distance = sqrt(kernels->dot(block->centre, block->centre, d));
    if (ig_block_same(from, list, key, n, d, &block->same, error) == IG_OK)
        return IG_OK;
    ig_block_free(block);
    return IG_NOMEM;
}

double ig_block_move(const ig_block *block, const float *from, const uint32_t *list,
                     size_t first, size_t n, size_t d, const uint8_t *zero, float *out)
{
    static const float less[2] = {1, -1};
    const ig_kernels *kernels = ig_kernels_best();
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        float *row = out + i * d;
        const float *v[2] = {row_at(from, list, first + i, d), block->centre};

        if (zero[i]) {
            memset(row, 0, d * sizeof *row);
            continue;
        }
        kernels->combine(v, less, 2, d, 0, row);
        most = fmax(most, kernels->dot(row, row, d));
    }
    return sqrt(most);
}

void ig_block_free(ig_block *block)
{
    ig_free(block->centre);
    ig_free(block->same);
    *block = (ig_block){0};
}
