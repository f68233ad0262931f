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

/* One of the tiles that are summed at a time. */
struct tile {
    float *rows;    /* (n, d) centred */
    float *scratch; /* of the source */
    float *product; /* (d, d) lower triangle of rowsᵀ rows */
    double *total;  /* (d) */
    size_t zero_rows;
};

struct pass {
    const ig_rows *rows;
    bool unit;
    size_t at, count;  /* the first row of the tiles, their number */
    struct tile *tile; /* (threads) */
    float *shift;      /* (d) estimate of the mean */
    ig_moments sum; /* `mean`: Σ (e − shift); `scatter`: lower triangle about shift */
};

/* Estimate the mean from rows spread over the source. */
static void estimate_mean(struct pass *p)
{
    size_t rows = p->rows->rows, d = p->rows->dims;
    size_t n = rows < IG_ROWS_TILE ? rows : IG_ROWS_TILE;
    float *row = p->tile->rows;
    uint32_t list[IG_ROWS_TILE] = {0};

    for (size_t i = 0; i < n; i++)
        list[i] = (uint32_t)(i * rows / n);
    ig_rows_read(p->rows, list, 0, n, row, d, p->tile->scratch);
    if (p->unit)
        ig_rows_unit(row, d, row, d, n, d);
    for (size_t i = 0; i < n; i++, row += d)
        for (size_t j = 0; j < d; j++)
            p->shift[j] += row[j] / (float)n;
}

/* Centre the n rows of a tile, and sum them: a few in float. */
static void centre_rows(const struct pass *p, struct tile *t, const float *from,
                        size_t stride, size_t n)
{
    enum { FEW = 8 };
    static const float minus[2] = {1, -1}, ones[FEW] = {1, 1, 1, 1, 1, 1, 1, 1};
    size_t d = p->rows->dims;
    float *sum = t->product; /* not yet in use */

    memset(t->total, 0, d * sizeof *t->total);
    for (size_t i = 0; i < n; i += FEW) {
        const float *v[FEW];
        size_t few = n - i < FEW ? n - i : FEW;

        for (size_t k = 0; k < few; k++) {
            const float *both[2] = {from + (i + k) * stride, p->shift};

            v[k] = t->rows + (i + k) * d;
            ig_row_combine(both, minus, 2, d, 0, t->rows + (i + k) * d);
        }
        ig_row_combine(v, ones, few, d, 0, sum);
        for (size_t j = 0; j < d; j++)
            t->total[j] += (double)sum[j];
    }
}

static void sum_tiles(void *context, size_t member, size_t first, size_t last)
{
    struct pass *p = context;
    size_t d = p->rows->dims, stride;

    (void)member;
    for (size_t k = first; k < last; k++) {
        struct tile *t = &p->tile[k];
        size_t at = p->at + k * IG_ROWS_TILE, left = p->rows->rows - at;
        size_t n = left < IG_ROWS_TILE ? left : IG_ROWS_TILE;
        const float *rows = ig_rows_view(p->rows, at, n, t->rows, t->scratch, &stride);

        t->zero_rows = 0;
        for (size_t i = 0; i < n; i++)
            t->zero_rows += ig_max_abs(rows + i * stride, d) == 0;
        if (p->unit) {
            ig_rows_unit(rows, stride, t->rows, d, n, d);
            rows = t->rows;
            stride = d;
        }
        centre_rows(p, t, rows, stride, n);
        memset(t->product, 0, d * d * sizeof *t->product);
        ig_gram_add(ig_matrix_of(t->rows, n, d), ig_matrix_of(t->product, d, d));
    }
}

/* Add the tiles to rows first … last−1 of the sums, in order. */
static void add_rows(void *context, size_t member, size_t first, size_t last)
{
    struct pass *p = context;
    size_t d = p->rows->dims;

    (void)member;
    for (size_t i = first; i < last; i++)
        for (size_t k = 0; k < p->count; k++) {
            p->sum.mean[i] += p->tile[k].total[i];
            for (size_t j = 0; j <= i; j++)
                p->sum.scatter[i * d + j] += (double)p->tile[k].product[i * d + j];
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
    size_t tiles = (rows->rows + IG_ROWS_TILE - 1) / IG_ROWS_TILE;
    size_t threads = ig_pool_threads(pool) < tiles ? ig_pool_threads(pool) : tiles;
    size_t d = rows->dims;
    struct pass p = {.rows = rows, .unit = unit};
    ig_arena arena = {0};
    ig_status status;

    if (!moments->dims && clear_moments(moments, d, error) != IG_OK)
        return IG_NOMEM;
    if (rows->rows == 0)
        return IG_OK;
    p.tile = ig_arena_array(&arena, threads, sizeof *p.tile);
    p.shift = ig_arena_array(&arena, d, sizeof *p.shift);
    for (size_t k = 0; k < threads && p.tile; k++)
        p.tile[k] = (struct tile){
            .rows = ig_arena_array(&arena, IG_ROWS_TILE, d * sizeof(float)),
            .product = ig_arena_array(&arena, d, d * sizeof(float)),
            .total = ig_arena_array(&arena, d, sizeof(double)),
            .scratch = ig_arena_array(&arena, rows->scratch, sizeof(float)),
        };
    status = arena.failed ? ig_fail_memory(error, "a covariance")
                          : clear_moments(&p.sum, d, error);
    if (status == IG_OK)
        estimate_mean(&p);
    for (; status == IG_OK && p.at < rows->rows; p.at += p.count * IG_ROWS_TILE) {
        tiles -= p.count;
        p.count = tiles < threads ? tiles : threads;
        ig_parallel_for(pool, p.count, 1, sum_tiles, &p);
        ig_parallel_for(pool, d, 8, add_rows, &p);
        for (size_t k = 0; k < p.count; k++)
            p.sum.zero_rows += p.tile[k].zero_rows;
        ig_progress_add(watch, fmin(p.count * IG_ROWS_TILE, rows->rows - p.at), 0);
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
