/* A source of rows: N rows × d floats, in memory or read by the tile: any space (a
 * mapped file, an extractor's meaning vectors) is used without N × d floats in memory.
 * It owns nothing. Threads may read one source concurrently. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pool.h"

/* A matrix is a non-owning view of row-major floats, passed by value. */
typedef struct ig_matrix {
    float *a; /* element (i, j) is a[i * stride + j] */
    size_t rows, cols;
    size_t stride; /* floats between the starts of consecutive rows, ≥ cols */
} ig_matrix;

static inline ig_matrix ig_matrix_of(float *a, size_t rows, size_t cols)
{
    return (ig_matrix){a, rows, cols, cols};
}

static inline float *ig_matrix_row(ig_matrix m, size_t i)
{
    return m.a + i * m.stride;
}

/* Rows, or columns, first … first+count−1 of m, as a view. */
static inline ig_matrix ig_matrix_rows(ig_matrix m, size_t first, size_t count)
{
    return (ig_matrix){m.a + first * m.stride, count, m.cols, m.stride};
}

static inline ig_matrix ig_matrix_cols(ig_matrix m, size_t first, size_t count)
{
    return (ig_matrix){m.a + first, m.rows, count, m.stride};
}

/* The most rows of a call of `read`; the rows that one thread reads at a time. */
enum { IG_ROWS_TILE = 1024, IG_ROWS_SHARE = IG_ROWS_TILE / 4 };

typedef struct ig_rows ig_rows;

/* Fill out (count, rows->dims), rows `stride` floats apart, count ≤ IG_ROWS_TILE:
 *   row      in   (count) rows to read; NULL: rows first … first+count−1
 *   scratch  in   the source's `scratch` floats, per caller (64-byte aligned)
 * Must be thread-safe, and a row must not depend on the others read with it, up to
 * rounding. */
typedef void ig_rows_reader(const ig_rows *rows, const uint32_t *row, size_t first,
                            size_t count, float *out, size_t stride, float *scratch);

/* In memory, or of a dataset, a source may have fewer dims set: its first columns
 * (Matryoshka embeddings). */
struct ig_rows {
    size_t rows;          /* N */
    size_t dims;          /* d */
    const float *direct;  /* (N, d) rows in memory, or NULL: `read` gives them */
    size_t direct_stride; /* floats between the starts of consecutive rows */
    ig_rows_reader *read;
    void *context;
    size_t scratch; /* floats for one call of `read`: whole cache lines, or 0 */
    bool unit; /* all rows are finite and of length 1 or 0: need no normalisation */
    const char *name; /* of computed rows: " of the meaning embeddings"; or NULL */
};

/* The rows of a matrix, in place. */
ig_rows ig_rows_of_matrix(ig_matrix m);

/* A subset of another source: row i is row list[i] of `all`. The struct is the context
 * and must outlive the source made from it. */
typedef struct ig_rows_pick {
    const ig_rows *all;
    const uint32_t *list; /* (count) */
    size_t count;
} ig_rows_pick;
ig_rows ig_rows_of_pick(ig_rows_pick *pick);

/* Read rows first … first+count−1, or list[0 … count) if `list` is not NULL, into out,
 * any count, by the tile. */
void ig_rows_read(const ig_rows *rows, const uint32_t *list, size_t first, size_t count,
                  float *out, size_t stride, float *scratch);

/* The same into out (count, dims) on a pool, always IG_ROWS_SHARE rows at a time: the
 * same bytes for any number of threads. scratch (threads, rows->scratch). IG_OK or
 * IG_VALUE: a computed row is not finite. */
ig_status ig_rows_share(const ig_rows *rows, const uint32_t *list, size_t first,
                        size_t count, ig_pool *pool, float *out, float *scratch,
                        ig_error *error);

/* A tile of count ≤ IG_ROWS_TILE rows: in place if possible (*stride is set), else read
 * into `tile` (count, d) with stride d. */
const float *ig_rows_view(const ig_rows *rows, size_t first, size_t count, float *tile,
                          float *scratch, size_t *stride);

/* Scale n rows to length 1, in place; zero rows stay zero, others that are not finite
 * stay so. */
void ig_rows_unit(float *row, size_t stride, size_t n, size_t d);

/* |row| in double; as in ig_rows_unit accurate for very short and long rows. */
double ig_rows_length(const float *row, size_t d);

/* A linear image of other rows, W e + b or e − (W e + b), such as meaning vectors of a
 * linear extractor. Covariances and products follow from the rows e. */
typedef struct ig_image {
    const ig_rows *of; /* (N, d) the rows e; NULL: no linear map */
    ig_matrix w;       /* (m, d); m = d when `residual` */
    const float *b;    /* (m), or NULL for 0 */
    bool residual;
} ig_image;
