/* A source of rows: N rows × d floats that are read by the tile, so that measures, maps
 * and searches work on any space (a mapped file, the meanings of an extractor) without
 * N × d floats in memory.
 *
 * Rows are had through the functions below, which also serve sources that lie in memory
 * (`direct`, whose `read` is not called).
 *
 * A source owns nothing and is passed by pointer; what it reads from must outlive it.
 * Members of a pool read from one source at the same time. */
#ifndef LINEAR_ROWS_H
#define LINEAR_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "linear/matrix.h"

enum { IG_ROWS_TILE = 1024 }; /* the most rows that one call of `read` is asked for */

/* Fill out (count, d), `stride` floats apart, count ≤ IG_ROWS_TILE:
 *   row      in   (count) the rows wanted; NULL: rows first … first+count−1
 *   scratch  in   the source's `scratch` floats, the caller's own (64-byte aligned)
 * Must be safe to call from several threads, and a row must come out the same whichever
 * rows it is read with, up to rounding. */
typedef void ig_rows_reader(void *context, const uint32_t *row, size_t first,
                            size_t count, float *out, size_t stride, float *scratch);

typedef struct ig_rows {
    size_t rows; /* N */
    size_t dims; /* d */
    ig_rows_reader *read;
    void *context;
    size_t scratch;       /* floats that one call of `read` needs (0: none) */
    const float *direct;  /* (N, d) the rows as they lie, or NULL */
    size_t direct_stride; /* floats from one row to the next */
    bool unit; /* all are finite and of length 1 or 0: who works on such takes them as
                  they are */
    bool far;  /* they lie in files larger than the memory: lists of rows go through
                 `read` all the same, which tells the system what will be read */
} ig_rows;

/* The rows of a matrix, where they lie. */
ig_rows ig_rows_of_matrix(ig_matrix m);

/* Whether rows can be taken where they lie, one after the other, as they are. */
static inline bool ig_rows_lie_as_units(const ig_rows *rows)
{
    return rows->unit && rows->direct && rows->direct_stride == rows->dims;
}

/* Some rows of another source: row i is row list[i] of `all`. The struct is the context
 * and must outlive the source made from it. */
typedef struct ig_rows_pick {
    const ig_rows *all;
    const uint32_t *list; /* (count) */
    size_t count;
} ig_rows_pick;
ig_rows ig_rows_of_pick(ig_rows_pick *pick);

/* The first `dims` columns of another source (Matryoshka embeddings, `--dims`). The
 * struct is the context and must outlive the source made from it. */
typedef struct ig_rows_narrow {
    const ig_rows *all;
    size_t dims; /* ≤ all->dims */
} ig_rows_narrow;
ig_rows ig_rows_of_narrow(ig_rows_narrow *narrow);

/* The rows of another source, each times a factor of its own, which is a column behind
 * its others: a linear image W e + b of rows that are scaled is then an image of these,
 * by the matrix (W b). The struct is the context and must outlive the source made from
 * it. */
typedef struct ig_rows_scaled {
    const ig_rows *all;
    const float *scale; /* (N) */
} ig_rows_scaled;
ig_rows ig_rows_of_scaled(ig_rows_scaled *scaled);

/* Rows first … first+count−1 into out, any count, by the tile. scratch: the
 * source's. */
void ig_rows_read(const ig_rows *rows, size_t first, size_t count, float *out,
                  size_t stride, float *scratch);

/* Rows list[0 … count) into out, any count, by the tile. */
void ig_rows_gather(const ig_rows *rows, const uint32_t *list, size_t count, float *out,
                    size_t stride, float *scratch);

/* Rows first … first+count−1, or list[0 … count) where there is a list, into out
 * (count, dims), handed out over a pool. They are read IG_ROWS_SHARE at a time
 * whichever member reads them, so that computed rows are the same bytes with any number
 * of threads.
 *   scratch  in  (members, each), each at least rows->scratch */
enum { IG_ROWS_SHARE = IG_ROWS_TILE / 4 };
void ig_rows_share(const ig_rows *rows, const uint32_t *list, size_t first,
                   size_t count, ig_pool *pool, float *out, float *scratch,
                   size_t each);

/* A tile of count ≤ IG_ROWS_TILE rows: where they lie when they can be used there
 * (*stride gets their distance), else read into `tile` (count, d), d apart. */
const float *ig_rows_view(const ig_rows *rows, size_t first, size_t count, float *tile,
                          float *scratch, size_t *stride);

/* Scale n rows of `out` to length 1, dst = src / |src| (in place when equal); a row of
 * length 0 is left zero. Unlike the kernels' `unit`, exact for short and long rows
 * alike. Returns the number of zero rows. */
size_t ig_rows_unit(const float *src, size_t src_stride, float *dst, size_t dst_stride,
                    size_t n, size_t d);

/* |row| in double, exact for short and long rows alike. */
double ig_rows_length(const float *row, size_t d);

#endif
