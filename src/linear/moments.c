/* Moments by tile: each member of the pool centres its tiles on one first estimate of
 * the mean, multiplies them in float and adds the products in double, so that nothing
 * is lost where the mean is far from zero. Legend: N rows, d dims, tile ≤ IG_ROWS_TILE
 * rows. */
#include "isogloss/linear/moments.h"

#include <math.h>
#include <string.h>

#include "isogloss/base/memory.h"
#include "isogloss/linear/blas.h"
#include "isogloss/linear/kernels.h"

ig_status ig_moments_init(ig_moments *moments, size_t dims, ig_error *error)
{
    *moments = (ig_moments){.dims = dims};
    if (dims == 0)
        return ig_fail(error, IG_SHAPE, "moments of rows without dimensions");
    moments->mean = ig_alloc(dims, sizeof *moments->mean);
    if (dims <= SIZE_MAX / dims)
        moments->scatter = ig_alloc(dims * dims, sizeof *moments->scatter);
    if (!moments->mean || !moments->scatter) {
        ig_moments_free(moments);
        return ig_fail_memory(error, "a covariance");
    }
    return IG_OK;
}

void ig_moments_free(ig_moments *moments)
{
    if (!moments)
        return;
    ig_free(moments->mean);
    ig_free(moments->scatter);
    ig_free(moments->work);
    *moments = (ig_moments){0};
}

void ig_moments_clear(ig_moments *moments)
{
    moments->rows = 0;
    moments->zero_rows = 0;
    memset(moments->mean, 0, moments->dims * sizeof *moments->mean);
    memset(moments->scatter, 0,
           moments->dims * moments->dims * sizeof *moments->scatter);
}

/* What one member gathers. */
struct part {
    float *tile;     /* (IG_ROWS_TILE, d) centred rows */
    float *sum;      /* (d) of a few rows */
    float *product;  /* (d, d) of the tile, lower triangle */
    float *scratch;  /* the source's */
    double *total;   /* (d) of all tiles */
    double *scatter; /* (d, d) of all tiles, lower triangle */
    size_t zero_rows;
};

struct pass {
    const ig_rows *rows;
    bool unit;
    const atomic_bool *stop;
    ig_pool *pool;
    float *shift; /* (d) first estimate of the mean */
    struct part *part;
    size_t parts;
};

static void part_free(struct part *part)
{
    ig_free(part->tile);
    ig_free(part->sum);
    ig_free(part->product);
    ig_free(part->scratch);
    ig_free(part->total);
    ig_free(part->scatter);
}

static bool part_init(struct part *part, const ig_rows *rows)
{
    size_t d = rows->dims;

    part->tile = ig_alloc(IG_ROWS_TILE, d * sizeof *part->tile);
    part->sum = ig_alloc(d, sizeof *part->sum);
    part->product = ig_alloc(d, d * sizeof *part->product);
    part->scratch = ig_alloc(rows->scratch, sizeof *part->scratch);
    part->total = ig_alloc(d, sizeof *part->total);
    part->scatter = ig_alloc(d, d * sizeof *part->scatter);
    return part->tile && part->sum && part->product && part->scratch && part->total &&
           part->scatter;
}

/* A first estimate of the mean, from a tile of rows spread over the source. */
static void estimate(struct pass *pass)
{
    const ig_rows *rows = pass->rows;
    struct part *part = pass->part;
    size_t n = rows->rows < IG_ROWS_TILE ? rows->rows : IG_ROWS_TILE, d = rows->dims;
    uint32_t list[IG_ROWS_TILE] = {0};

    for (size_t i = 0; i < n; i++)
        list[i] = (uint32_t)(i * rows->rows / n);
    ig_rows_gather(rows, list, n, part->tile, d, part->scratch);
    if (pass->unit)
        ig_rows_unit(part->tile, d, part->tile, d, n, d);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            part->total[j] += (double)part->tile[i * d + j];
    for (size_t j = 0; j < d; j++)
        pass->shift[j] = (float)(part->total[j] / (double)n);
    memset(part->total, 0, d * sizeof *part->total);
}

/* tile := rows − shift, and their sum is added to the total. */
static void centre(const struct pass *pass, struct part *part, const float *rows,
                   size_t stride, size_t n)
{
    enum { TOGETHER = 16 };
    static const float minus[2] = {1, -1};
    static const float ones[TOGETHER] = {1, 1, 1, 1, 1, 1, 1, 1,
                                         1, 1, 1, 1, 1, 1, 1, 1};
    const ig_kernels *kernels = ig_kernels_best();
    size_t d = pass->rows->dims;

    for (size_t i = 0; i < n; i++) {
        const float *v[2] = {rows + i * stride, pass->shift};

        kernels->combine(v, minus, 2, d, 0, part->tile + i * d);
    }
    for (size_t i = 0; i < n; i += TOGETHER) {
        const float *v[TOGETHER];
        size_t m = n - i < TOGETHER ? n - i : TOGETHER;

        for (size_t r = 0; r < m; r++)
            v[r] = part->tile + (i + r) * d;
        kernels->combine(v, ones, m, d, 0, part->sum);
        for (size_t j = 0; j < d; j++)
            part->total[j] += (double)part->sum[j];
    }
}

static void add_tile(const struct pass *pass, struct part *part, size_t first, size_t n)
{
    size_t d = pass->rows->dims, stride;
    const float *rows =
        ig_rows_view(pass->rows, first, n, part->tile, part->scratch, &stride);
    ig_matrix product = ig_matrix_of(part->product, d, d);

    if (pass->unit) {
        part->zero_rows += ig_rows_unit(rows, stride, part->tile, d, n, d);
        rows = part->tile;
        stride = d;
    } else {
        for (size_t i = 0; i < n; i++)
            part->zero_rows += ig_kernels_best()->peak(rows + i * stride, d) == 0;
    }
    centre(pass, part, rows, stride, n);
    for (size_t i = 0; i < d; i++)
        memset(part->product + i * d, 0, (i + 1) * sizeof *part->product);
    ig_gram_add(ig_matrix_of(part->tile, n, d), product);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++)
            part->scatter[i * d + j] += (double)part->product[i * d + j];
}

static bool stopped(const atomic_bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

/* Every parts-th tile is a member's; then each adds its share of the parts, in
 * order. */
static void add_member(void *context, size_t member, size_t members)
{
    const struct pass *pass = context;
    const ig_rows *rows = pass->rows;
    size_t d = rows->dims, first, last;
    double *sum = pass->part[0].scatter;

    if (member < pass->parts)
        for (size_t i = member * IG_ROWS_TILE; i < rows->rows && !stopped(pass->stop);
             i += pass->parts * IG_ROWS_TILE)
            add_tile(pass, &pass->part[member], i,
                     rows->rows - i < IG_ROWS_TILE ? rows->rows - i : IG_ROWS_TILE);
    ig_pool_barrier(pass->pool);
    ig_pool_slice(d, 1, member, members, &first, &last);
    for (size_t p = 1; p < pass->parts; p++)
        for (size_t i = first; i < last; i++)
            for (size_t j = 0; j <= i; j++)
                sum[i * d + j] += pass->part[p].scatter[i * d + j];
}

/* Moments about the mean from sums about the shift, and a check that they are
 * numbers. */
static ig_status conclude(const struct pass *pass, ig_moments *sum, ig_error *error)
{
    size_t d = sum->dims;
    double n = (double)pass->rows->rows;
    double *scatter = pass->part[0].scatter;

    sum->rows = pass->rows->rows;
    for (size_t p = 0; p < pass->parts; p++) {
        sum->zero_rows += pass->part[p].zero_rows;
        for (size_t j = 0; p > 0 && j < d; j++)
            pass->part[0].total[j] += pass->part[p].total[j];
    }
    for (size_t i = 0; i < d; i++) {
        double off = pass->part[0].total[i] / n;

        sum->mean[i] = (double)pass->shift[i] + off;
        for (size_t j = 0; j <= i; j++) {
            double s = scatter[i * d + j] - off * pass->part[0].total[j];

            if (!isfinite(s))
                return ig_fail(error, IG_VALUE,
                               "the rows hold a value that is not finite or too large "
                               "(dimension %zu)",
                               i);
            sum->scatter[i * d + j] = s;
            sum->scatter[j * d + i] = s;
        }
    }
    return IG_OK;
}

ig_status ig_moments_add(ig_moments *moments, const ig_rows *rows, bool unit,
                         ig_pool *pool, const atomic_bool *stop, ig_error *error)
{
    struct pass pass = {.rows = rows, .unit = unit, .stop = stop, .pool = pool};
    size_t tiles = (rows->rows + IG_ROWS_TILE - 1) / IG_ROWS_TILE;
    ig_moments sum = {0};
    ig_status status;
    bool ready;

    if (rows->dims != moments->dims)
        return ig_fail(error, IG_SHAPE, "rows of %zu dimensions where %zu are expected",
                       rows->dims, moments->dims);
    if (rows->rows == 0)
        return IG_OK;
    status = ig_moments_init(&sum, rows->dims, error);
    if (status != IG_OK)
        return status;
    pass.parts = ig_pool_threads(pool) < tiles ? ig_pool_threads(pool) : tiles;
    pass.shift = ig_alloc(rows->dims, sizeof *pass.shift);
    pass.part = ig_alloc(pass.parts, sizeof *pass.part);
    ready = pass.shift && pass.part;
    for (size_t p = 0; ready && p < pass.parts; p++)
        ready = part_init(&pass.part[p], rows);
    if (!ready) {
        status = ig_fail_memory(error, "a covariance");
        goto done;
    }
    estimate(&pass);
    ig_pool_run(pool, add_member, &pass);
    if (stopped(stop))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    else
        status = conclude(&pass, &sum, error);
    if (status == IG_OK)
        status = ig_moments_merge(moments, &sum, error);
done:
    for (size_t p = 0; pass.part && p < pass.parts; p++)
        part_free(&pass.part[p]);
    ig_free(pass.part);
    ig_free(pass.shift);
    ig_moments_free(&sum);
    return status;
}

ig_status ig_moments_merge(ig_moments *into, const ig_moments *from, ig_error *error)
{
    double a = (double)into->rows, b = (double)from->rows;
    size_t d = into->dims;

    if (from->dims != d)
        return ig_fail(error, IG_SHAPE, "moments of %zu and of %zu dimensions", d,
                       from->dims);
    if (from->rows == 0)
        return IG_OK;
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
    size_t m = out->dims, d = in->dims;
    double sign = residual ? -1 : 1, *a, *t;
    ig_status status;

    if (w.rows != m || w.cols != d || out == in || (residual && m != d))
        return ig_fail(error, IG_SHAPE, "a map of %zu × %zu between %zu and %zu dims",
                       w.rows, w.cols, d, m);
    if (!out->work)
        out->work = ig_alloc(2 * m, d * sizeof *out->work);
    if (!out->work)
        return ig_fail_memory(error, "a covariance");
    a = out->work;
    t = out->work + m * d;
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
    out->zero_rows = 0;
    status = ig_gemm_double(pool, false, false, m, d, d, a, in->scatter, t);
    if (status == IG_OK)
        status = ig_gemm_double(pool, false, true, m, m, d, t, a, out->scatter);
    if (status != IG_OK)
        return ig_fail(error, status, "a map of %zu × %zu is too large", m, d);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++)
            out->scatter[j * m + i] = out->scatter[i * m + j];
    return IG_OK;
}
