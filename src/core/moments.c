/* Moments by tile: the rows of a tile are centred on its mean, which avoids
 * cancellation when the mean is far from zero, and multiplied in float; tiles are
 * merged in double, in order [Chan et al. 1979]. Legend: N rows, d dims, n ≤
 * IG_ROWS_TILE rows of a tile. */
#include "core/moments.h"

#include <float.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"

/* Give zeroed moments their storage. */
static ig_status allocate(ig_moments *m, size_t dims, ig_error *error)
{
    m->mean = ig_alloc(dims, sizeof *m->mean);
    m->scatter = ig_alloc(dims, dims * sizeof *m->scatter);
    m->dims = dims;
    if (m->mean && m->scatter)
        return IG_OK;
    ig_moments_free(m);
    return ig_fail_memory(error, "a covariance");
}

void ig_moments_free(ig_moments *moments)
{
    IG_FREE(moments->mean, moments->scatter);
    *moments = (ig_moments){0};
}

/* Columns that are centred at a time, and whose products with all before them are. */
enum { BLOCK = 48 };

/* The sums of all tiles before, and a tile. */
struct pass {
    const ig_rows *rows;
    bool unit;
    size_t at, n;    /* the rows of the tile */
    float *tile;     /* (n, d) */
    double *mean;    /* (d) of the tile */
    uint8_t *zero;   /* (n) 1: of length 0 */
    float *scratch;  /* (threads) of the source */
    float *product;  /* (threads, BLOCK, d) */
    ig_moments *sum; /* of the scatter only the lower triangle is changed */
};

static void scale_rows(void *context, size_t member, size_t first, size_t last)
{
    struct pass *p = context;
    size_t d = p->rows->dims;

    (void)member;
    for (size_t i = first; i < last; i++)
        p->zero[i] = ig_max_abs(p->tile + i * d, d) == 0;
    if (p->unit)
        ig_rows_unit(p->tile + first * d, d, last - first, d);
}

static void centre_columns(void *context, size_t member, size_t first, size_t last)
{
    struct pass *p = context;
    size_t d = p->rows->dims;

    (void)member;
    for (size_t j = first; j < last; j++)
        p->mean[j] = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = first; j < last; j++)
            p->mean[j] += (double)p->tile[i * d + j] / (double)p->n;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = first; j < last; j++)
            p->tile[i * d + j] -= (float)p->mean[j];
}

/* Merge the tile into blocks of rows of the scatter, the longest first. */
static void add_blocks(void *context, size_t member, size_t first, size_t last)
{
    struct pass *p = context;
    size_t d = p->rows->dims, blocks = (d + BLOCK - 1) / BLOCK;
    double a = (double)p->sum->rows, b = (double)p->n, share = a / (a + b) * b;
    ig_matrix tile = ig_matrix_of(p->tile, p->n, d);
    float *product = p->product + member * BLOCK * d;

    for (size_t k = first; k < last; k++) {
        size_t at = (blocks - 1 - k) * BLOCK, n = d - at < BLOCK ? d - at : BLOCK;

        ig_gemm(true, false, 1, ig_matrix_cols(tile, at, n),
                ig_matrix_cols(tile, 0, at + n), 0, (ig_matrix){product, n, at + n, d});
        for (size_t i = at; i < at + n; i++) {
            double way = (p->mean[i] - p->sum->mean[i]) * share;
            double off = b * (p->mean[i] - (double)(float)p->mean[i]); /* of the tile */

            for (size_t j = 0; j <= i; j++)
                p->sum->scatter[i * d + j] +=
                    (double)product[(i - at) * d + j] +
                    way * (p->mean[j] - p->sum->mean[j]) -
                    off * (p->mean[j] - (double)(float)p->mean[j]);
        }
    }
}

/* Complete the sums with those of the tile. */
static void add_tile(struct pass *p, ig_pool *pool)
{
    size_t d = p->rows->dims;
    ig_moments *m = p->sum;

    ig_rows_share(p->rows, NULL, p->at, p->n, pool, p->tile, p->scratch, NULL);
    ig_parallel_for(pool, p->n, 16, scale_rows, p);
    ig_parallel_for(pool, d, BLOCK, centre_columns, p);
    ig_parallel_for(pool, (d + BLOCK - 1) / BLOCK, 1, add_blocks, p);
    m->rows += p->n;
    for (size_t j = 0; j < d; j++)
        m->mean[j] += (p->mean[j] - m->mean[j]) * ((double)p->n / (double)m->rows);
    for (size_t i = 0; i < p->n; i++)
        m->zero_rows += p->zero[i];
}

/* Complete the scatter. Infinity, NaN and squares beyond floats are on the diagonal. */
static ig_status finish_moments(ig_moments *m, ig_error *error)
{
    size_t d = m->dims;

    for (size_t i = 0; i < d; i++) {
        if (!(m->scatter[i * d + i] <= (double)FLT_MAX))
            return ig_fail(error, IG_VALUE,
                           "the rows have a value that is not finite or too large "
                           "(dimension %zu)",
                           i);
        for (size_t j = 0; j < i; j++)
            m->scatter[j * d + i] = m->scatter[i * d + j];
    }
    return IG_OK;
}

ig_status ig_moments_add(ig_moments *moments, const ig_rows *rows, bool unit,
                         ig_pool *pool, const atomic_bool *stop, ig_progress *watch,
                         ig_error *error)
{
    size_t threads = ig_pool_threads(pool), d = rows->dims;
    ig_arena arena = {0};
    struct pass p = {
        .rows = rows,
        .unit = unit,
        .tile = ig_arena_array(&arena, IG_ROWS_TILE, d * sizeof *p.tile),
        .mean = ig_arena_array(&arena, d, sizeof *p.mean),
        .zero = ig_arena_array(&arena, IG_ROWS_TILE, 1),
        .scratch = ig_arena_array(&arena, threads, rows->scratch * sizeof *p.scratch),
        .product = ig_arena_array(&arena, threads, BLOCK * d * sizeof *p.product),
        .sum = moments,
    };
    ig_status status = arena.failed ? ig_fail_memory(error, "a covariance") : IG_OK;

    if (status == IG_OK && !moments->dims)
        status = allocate(moments, d, error);
    for (; status == IG_OK && p.at < rows->rows; p.at += p.n) {
        p.n = rows->rows - p.at < IG_ROWS_TILE ? rows->rows - p.at : IG_ROWS_TILE;
        add_tile(&p, pool);
        ig_progress_add(watch, (double)p.n, 0);
        if (stop && atomic_load_explicit(stop, memory_order_relaxed))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    if (status == IG_OK)
        status = finish_moments(moments, error);
    if (status != IG_OK)
        ig_moments_free(moments);
    ig_arena_free(&arena);
    return status;
}

ig_status ig_moments_add_image(ig_moments *into, const ig_moments *of, ig_matrix w,
                               const float *b, bool residual, ig_pool *pool,
                               ig_error *error)
{
    size_t m = w.rows, d = of->dims;
    double *a = ig_alloc(2 * d + m + 1, m * sizeof *a), *t, *scatter, *mean;
    double sign = residual ? -1 : 1, rows = (double)into->rows;
    double share = of->rows ? (double)of->rows / (rows + (double)of->rows) : 0;

    if (!a || (!into->dims && allocate(into, m, error) != IG_OK)) {
        ig_free(a);
        return ig_fail_memory(error, "a covariance");
    }
    t = a + m * d;
    scatter = t + m * d;
    mean = scatter + m * m; /* off that of `into` */
    for (size_t i = 0; i < m; i++) {
        const float *row = ig_matrix_row(w, i);

        mean[i] = b ? sign * (double)b[i] : 0;
        for (size_t j = 0; j < d; j++) {
            a[i * d + j] = sign * (double)row[j] + (residual && i == j ? 1 : 0);
            mean[i] += a[i * d + j] * of->mean[j];
        }
        mean[i] -= into->mean[i];
    }
    ig_gemm_double(pool, false, false, m, d, d, a, of->scatter, t);
    ig_gemm_double(pool, false, true, m, m, d, t, a, scatter);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++)
            into->scatter[i * m + j] += scatter[i > j ? i * m + j : j * m + i] +
                                        mean[i] * mean[j] * rows * share;
        into->mean[i] += mean[i] * share;
    }
    into->rows += of->rows;
    ig_free(a);
    return finish_moments(into, error);
}
