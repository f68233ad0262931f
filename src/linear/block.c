/* Blocks of rows: their centre, and which of them are identical. */
#include "linear/block.h"

#include <math.h>
#include <stdbool.h>
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

/* Fills same (n); returns whether any two rows are identical.
 *   mark  scratch  (n) a part of the hash of each: rows are read again only where they
 *                  may be identical */
static int find_same(const float *from, const uint32_t *list, size_t n, size_t d,
                     uint32_t *same, uint32_t *mark, uint32_t *table)
{
    size_t mask = table_size(n) - 1;
    int any = 0;

    memset(table, 0, (mask + 1) * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        const float *row = row_at(from, list, i, d);
        uint64_t key = hash(row, d);
        size_t at = key & mask;

        mark[i] = (uint32_t)(key >> 32);
        while (table[at] && (mark[table[at] - 1] != mark[i] ||
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

ig_status ig_block_same(const float *from, const uint32_t *list, size_t n, size_t d,
                        uint32_t **same, ig_error *error)
{
    uint32_t *table = ig_alloc(table_size(n), sizeof *table);
    uint32_t *mark = ig_alloc(n, sizeof *mark);
    bool any = true;

    *same = ig_alloc(n, sizeof **same);
    if (table && mark && *same)
        any = find_same(from, list, n, d, *same, mark, table);
    ig_free(mark);
    if (!table || !mark || !*same || !any) {
        bool short_of = !table || !mark || !*same;

        ig_free(table);
        ig_free(*same);
        *same = NULL;
        return short_of ? ig_fail_memory(error, "rows to compare") : IG_OK;
    }
    ig_free(table);
    return IG_OK;
}

/* The mean of the rows that are not of length 0, as well as floats add them up: any
 * vector would do. */
static void find_centre(const float *from, const uint32_t *list, size_t n, size_t d,
                        size_t zeros, float *centre)
{
    enum { RUN = 16 };
    const ig_kernels *kernels = ig_kernels_best();
    const float *v[RUN], *own = centre;
    float one[RUN], share = zeros < n ? 1 / (float)(n - zeros) : 0;

    memset(centre, 0, d * sizeof *centre);
    for (size_t i = 0; i < n; i += RUN) {
        size_t run = n - i < RUN ? n - i : RUN;

        for (size_t r = 0; r < run; r++) {
            v[r] = row_at(from, list, i + r, d);
            one[r] = 1;
        }
        kernels->combine(v, one, run, d, 1, centre);
    }
    kernels->combine(&own, &share, 1, d, 0, centre);
}

ig_status ig_block_init(ig_block *block, const float *from, const uint32_t *list,
                        size_t n, size_t d, const uint8_t *zero, ig_error *error)
{
    const ig_kernels *kernels = ig_kernels_best();
    size_t zeros = 0;
    ig_status status;

    *block = (ig_block){.count = n};
    block->centre = ig_alloc(d, sizeof *block->centre);
    status = block->centre ? ig_block_same(from, list, n, d, &block->same, error)
                           : ig_fail_memory(error, "rows to compare");
    if (status != IG_OK) {
        ig_block_free(block);
        return status;
    }
    for (size_t i = 0; i < n; i++)
        zeros += zero[i];
    block->zero = zeros ? zero : NULL;
    find_centre(from, list, n, d, zeros, block->centre);
    block->distance = sqrt(kernels->dot(block->centre, block->centre, d));
    return IG_OK;
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
