/* Rows of a source in order, some at a time:
 *
 *     ig_chunk c = ig_chunk_of(rows, list, n, pool, watch, &arena);
 *     if (!arena.failed)
 *         while (ig_chunk_next(&c)) … c.row holds rows c.first … c.first + c.count − 1
 */
#ifndef MEASURE_CHUNK_H
#define MEASURE_CHUNK_H

#include "core/error.h"
#include "core/memory.h"
#include "core/progress.h"
#include "core/rows.h"

enum {
    IG_CHUNK = 4 * IG_ROWS_TILE, /* rows at a time, at most; a tile where these are … */
    IG_CHUNK_VALUES = 1 << 20    /* … more values than this */
};

/* Mean squared distance from the mean below which rows of length 1 do not differ: what
 * rounding them to floats makes of equal ones. */
#define IG_SPREAD_MIN 1e-13

/* A matrix of zeros, of an arena. */
static inline ig_matrix ig_arena_matrix(ig_arena *arena, size_t rows, size_t cols)
{
    return ig_matrix_of((float *)ig_arena_array(arena, rows, cols * sizeof(float)),
                        rows, cols);
}

typedef struct ig_chunk {
    const ig_rows *rows;
    const uint32_t *list; /* (n) rows of the source; NULL: rows 0 … n − 1 */
    size_t n, d, each;
    size_t first, count;
    float *row; /* (count, d), the caller's until the next chunk */
    ig_pool *pool;
    ig_progress *watch;
    float *scratch;
} ig_chunk;

/* Before the first chunk. The arena owns its memory, and knows whether it failed. */
ig_chunk ig_chunk_of(const ig_rows *rows, const uint32_t *list, size_t n, ig_pool *pool,
                     ig_progress *watch, ig_arena *arena);

/* Read the next rows, distributed over the pool. False: there are none, or the watch
 * cancels; a chunk is then before the first again. */
bool ig_chunk_next(ig_chunk *chunk);

/* Read rows first … first + count − 1 of the list into out (count, d), any number. */
void ig_chunk_read(const ig_chunk *chunk, size_t first, size_t count, float *out);

/* IG_NOMEM where the arena failed, IG_INTERRUPTED where the watch cancels, or IG_OK. */
ig_status ig_chunk_status(const ig_arena *arena, const ig_progress *watch,
                          const char *what, ig_error *error);

#endif
