/* Moments by tile: the rows of a tile are centred on an estimate of the mean, which
 * avoids cancellation when the mean is far from zero, and multiplied in float; the
 * products are summed in double, tile by tile. Legend: N rows, d dims, n ≤ IG_ROWS_TILE
 * rows of a tile. */
#include "core/moments.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"

/* Set moments to zero rows, keeping storage that fits. */
static ig_status clear_moments(ig_moments *m, size_t dims, ig_error *error)
{
    if (m->dims != dims) {
        ig_moments_free(m);
        m->mean = ig_alloc(dims, sizeof *m->mean);
        m->scatter = ig_alloc(dims, dims * sizeof *m->scatter);
    }
    if (!m->mean || !m->scatter) {
        ig_moments_free(m);
        return ig_fail_memory(error, "a covariance");
    }
    m->dims = dims;
    m->rows = m->zero_rows = 0;
    memset(m->mean, 0, dims * sizeof *m->mean);
    memset(m->scatter, 0, dims * dims * sizeof *m->scatter);
    return IG_OK;
}

void ig_moments_free(ig_moments *moments)
{
    IG_FREE(moments->mean, moments->scatter);
    *moments = (ig_moments){0};
}

/* Columns whose products with all before them are computed at a time. */
enum { BLOCK = 48 };

struct pass {
    const ig_rows *rows;
    bool unit;
    size_t n;       /* rows of the tile */
    float *tile;    /* (n, d) centred on the shift */
    float *product; /* (threads, BLOCK, d) */
    float *shift;   /* (d) estimate of the mean */
    uint8_t *zero;  /* (n) 1: of length 0 */
    ig_moments sum; /* `mean`: Σ (e − shift); `scatter`: lower triangle about shift */
};

/* Estimate the mean from rows spread over the source. */
static void estimate_mean(struct pass *p, float *scratch)
{
    size_t rows = p->rows->rows, d = p->rows->dims;
    size_t n = rows < IG_ROWS_TILE ? rows : IG_ROWS_TILE;
    uint32_t list[IG_ROWS_TILE] = {0};

    for (size_t i = 0; i < n; i++)
        list[i] = (uint32_t)(i * rows / n);
    ig_rows_read(p->rows, list, 0, n, p->tile, d, scratch);
    if (p->unit)
        ig_rows_unit(p->tile, d, p->tile, d, n, d);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            p->shift[j] += p->tile[i * d + j] / (float)n;
}

static void centre_rows(void *context, size_t member, size_t first, size_t last)
{
    static const float minus[2] = {1, -1};
    struct pass *p = context;
    size_t d = p->rows->dims;

    (void)member;
    for (size_t i = first; i < last; i++) {
        float *row = p->tile + i * d;
        const float *both[2] = {row, p->shift};

        p->zero[i] = ig_max_abs(row, d) == 0;
        if (p->unit)
            ig_rows_unit(row, d, row, d, 1, d);
        ig_row_combine(both, minus, 2, d, 0, row);
    }
}

/* Add the tile to blocks of rows of the sums, the longest first. */
static void add_blocks(void *context, size_t member, size_t first, size_t last)
{
    struct pass *p = context;
    size_t d = p->rows->dims, blocks = (d + BLOCK - 1) / BLOCK;
    ig_matrix tile = ig_matrix_of(p->tile, p->n, d);
    float *product = p->product + member * BLOCK * d;

    for (size_t b = first; b < last; b++) {
        size_t at = (blocks - 1 - b) * BLOCK, n = d - at < BLOCK ? d - at : BLOCK;

        ig_gemm(true, false, 1, ig_matrix_cols(tile, at, n),
                ig_matrix_cols(tile, 0, at + n), 0, (ig_matrix){product, n, at + n, d});
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= at + i; j++)
                p->sum.scatter[(at + i) * d + j] += (double)product[i * d + j];
        for (size_t r = 0; r < p->n; r++)
            for (size_t i = at; i < at + n; i++)
                p->sum.mean[i] += (double)p->tile[r * d + i];
    }
}

/* Convert sums about the shift to moments about the mean. Reject non-finite values. */
static ig_status finish_moments(struct pass *p, ig_error *error)
{
    ig_moments *m = &p->sum;
    size_t d = m->dims;
    double n = (double)p->rows->rows;

    m->rows = p->rows->rows;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++) {
            double s = m->scatter[i * d + j] - m->mean[i] / n * m->mean[j];

            if (!isfinite(s))
                return ig_fail(error, IG_VALUE,
                               "the rows have a value that is not finite or too large "
                               "(dimension %zu)",
                               i);
            m->scatter[i * d + j] = m->scatter[j * d + i] = s;
        }
    for (size_t i = 0; i < d; i++)
        m->mean[i] = (double)p->shift[i] + m->mean[i] / n;
    return IG_OK;
}

ig_status ig_moments_add(ig_moments *moments, const ig_rows *rows, bool unit,
                         ig_pool *pool, const atomic_bool *stop, ig_progress *watch,
                         ig_error *error)
{
    size_t threads = ig_pool_threads(pool), d = rows->dims;
    struct pass p = {.rows = rows, .unit = unit};
    ig_arena arena = {0};
    ig_status status;
    float *scratch;

    if (!moments->dims && clear_moments(moments, d, error) != IG_OK)
        return IG_NOMEM;
    if (rows->rows == 0)
        return IG_OK;
    scratch = ig_arena_array(&arena, threads, rows->scratch * sizeof *scratch);
    p.tile = ig_arena_array(&arena, IG_ROWS_TILE, d * sizeof *p.tile);
    p.product = ig_arena_array(&arena, threads, BLOCK * d * sizeof *p.product);
    p.shift = ig_arena_array(&arena, d, sizeof *p.shift);
    p.zero = ig_arena_array(&arena, IG_ROWS_TILE, 1);
    status = arena.failed ? ig_fail_memory(error, "a covariance")
                          : clear_moments(&p.sum, d, error);
    if (status == IG_OK)
        estimate_mean(&p, scratch);
    for (size_t at = 0; status == IG_OK && at < rows->rows; at += p.n) {
        p.n = rows->rows - at < IG_ROWS_TILE ? rows->rows - at : IG_ROWS_TILE;
        ig_rows_share(rows, NULL, at, p.n, pool, p.tile, scratch, rows->scratch);
        ig_parallel_for(pool, p.n, 16, centre_rows, &p);
        ig_parallel_for(pool, (d + BLOCK - 1) / BLOCK, 1, add_blocks, &p);
        for (size_t i = 0; i < p.n; i++)
            p.sum.zero_rows += p.zero[i];
        ig_progress_add(watch, (double)p.n, 0);
        if (stop && atomic_load_explicit(stop, memory_order_relaxed))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    if (status == IG_OK)
        status = finish_moments(&p, error);
    if (status == IG_OK)
        status = ig_moments_merge(moments, &p.sum, error);
    ig_arena_free(&arena);
    ig_moments_free(&p.sum);
    return status;
}

ig_status ig_moments_merge(ig_moments *into, const ig_moments *from, ig_error *error)
{
    double a = (double)into->rows, b = (double)from->rows;
    size_t d = from->dims;

    if (from->rows == 0)
        return IG_OK;
    if (!into->dims && clear_moments(into, d, error) != IG_OK)
        return IG_NOMEM;
    for (size_t i = 0; i < d; i++) {
        double way = (from->mean[i] - into->mean[i]) * (a / (a + b) * b);

        for (size_t j = 0; j < d; j++)
            into->scatter[i * d + j] += from->scatter[i * d + j] +
                                        way * (from->mean[j] - into->mean[j]);
    }
    for (size_t i = 0; i < d; i++)
        into->mean[i] += (from->mean[i] - into->mean[i]) * (b / (a + b));
    into->rows += from->rows;
    into->zero_rows += from->zero_rows;
    return IG_OK;
}

ig_status ig_moments_image(ig_moments *out, const ig_moments *in, ig_matrix w,
                           const float *b, bool residual, ig_pool *pool,
                           ig_error *error)
{
    size_t m = w.rows, d = in->dims;
    double sign = residual ? -1 : 1, *a = ig_alloc(2 * m, d * sizeof *a), *t;

    if (!a || clear_moments(out, m, error) != IG_OK) {
        ig_free(a);
        return ig_fail_memory(error, "a covariance");
    }
    t = a + m * d;
    for (size_t i = 0; i < m; i++) {
        const float *row = ig_matrix_row(w, i);
        double mean = b ? sign * (double)b[i] : 0;

        for (size_t j = 0; j < d; j++) {
            a[i * d + j] = sign * (double)row[j] + (residual && i == j ? 1 : 0);
            mean += a[i * d + j] * in->mean[j];
        }
        out->mean[i] = mean;
    }
    out->rows = in->rows;
    ig_gemm_double(pool, false, false, m, d, d, a, in->scatter, t);
    ig_gemm_double(pool, false, true, m, m, d, t, a, out->scatter);
    ig_free(a);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++)
            out->scatter[j * m + i] = out->scatter[i * m + j];
    return IG_OK;
}
