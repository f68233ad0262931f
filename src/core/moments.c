/* Moments by tile: each tile is centred on an initial estimate of the mean and
 * multiplied in float; the products are summed in double. This avoids cancellation when
 * the mean is far from zero. Legend: N rows, d dims, tile ≤ IG_ROWS_TILE rows. */
#include "core/moments.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"

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
    IG_FREE(moments->mean, moments->scatter, moments->work);
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

/* Per-thread buffers. */
struct desk {
    float *tile;    /* (IG_ROWS_TILE, d) centred rows */
    float *sum;     /* (d) sum of a few rows */
    float *scratch; /* of the source */
};

/* Sums of one tile of the round. */
struct part {
    double *total;  /* (d) */
    float *product; /* (d, d) lower triangle */
    size_t zero_rows;
};

/* Sums over the tiles so far, in order. */
struct sums {
    size_t tiles, zero_rows;
    float *shift;            /* (d) initial estimate of the mean */
    double *total, *scatter; /* (d), (d, d) lower triangle */
};

struct pass {
    const ig_rows *rows;
    bool unit;
    const atomic_bool *stop;
    ig_pool *pool;
    ig_progress *watch; /* or NULL */
    struct sums sum;
    struct desk *desk; /* (threads) */
    struct part *part; /* (parts) */
    size_t members, parts;
    size_t tiles;        /* total */
    size_t begin, count; /* first tile and number of tiles of the round */
    ig_arena arena;
};

/* Allocate rounds of two tiles per thread, which balances uneven progress. */
static bool make_rounds(struct pass *pass, size_t tiles)
{
    size_t d = pass->rows->dims;
    ig_arena *a = &pass->arena;

    pass->members = ig_pool_threads(pass->pool);
    pass->parts = 2 * pass->members < tiles ? 2 * pass->members : tiles;
    pass->desk = ig_arena_array(a, pass->members, sizeof *pass->desk);
    pass->part = ig_arena_array(a, pass->parts, sizeof *pass->part);
    for (size_t m = 0; m < pass->members && pass->desk; m++) {
        struct desk *desk = &pass->desk[m];

        desk->tile = ig_arena_array(a, IG_ROWS_TILE, d * sizeof *desk->tile);
        desk->sum = ig_arena_array(a, d, sizeof *desk->sum);
        desk->scratch = ig_arena_array(a, pass->rows->scratch, sizeof *desk->scratch);
    }
    for (size_t p = 0; p < pass->parts && pass->part; p++) {
        pass->part[p].total = ig_arena_array(a, d, sizeof *pass->part[p].total);
        pass->part[p].product = ig_arena_array(a, d, d * sizeof *pass->part[p].product);
    }
    pass->sum.shift = ig_arena_array(a, d, sizeof *pass->sum.shift);
    pass->sum.total = ig_arena_array(a, d, sizeof *pass->sum.total);
    pass->sum.scatter = ig_arena_array(a, d, d * sizeof *pass->sum.scatter);
    return !a->failed;
}

/* Estimate the mean from a tile of rows spread over the source. */
static void estimate_mean(struct pass *pass)
{
    const ig_rows *rows = pass->rows;
    struct desk *desk = pass->desk;
    size_t n = rows->rows < IG_ROWS_TILE ? rows->rows : IG_ROWS_TILE, d = rows->dims;
    uint32_t list[IG_ROWS_TILE] = {0};

    for (size_t i = 0; i < n; i++)
        list[i] = (uint32_t)(i * rows->rows / n);
    ig_rows_gather(rows, list, n, desk->tile, d, desk->scratch);
    if (pass->unit)
        ig_rows_unit(desk->tile, d, desk->tile, d, n, d);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            pass->sum.total[j] += (double)desk->tile[i * d + j];
    for (size_t j = 0; j < d; j++)
        pass->sum.shift[j] = (float)(pass->sum.total[j] / (double)n);
    memset(pass->sum.total, 0, d * sizeof *pass->sum.total);
}

/* tile := rows − shift; their sum is added to `total`. */
static void centre_rows(const struct pass *pass, struct desk *desk, const float *rows,
                        size_t stride, size_t n, double *total)
{
    enum { TOGETHER = 16 };
    static const float minus[2] = {1, -1};
    static const float ones[TOGETHER] = {1, 1, 1, 1, 1, 1, 1, 1,
                                         1, 1, 1, 1, 1, 1, 1, 1};
    const ig_kernels *kernels = ig_kernels_best();
    size_t d = pass->rows->dims;

    for (size_t i = 0; i < n; i++) {
        const float *v[2] = {rows + i * stride, pass->sum.shift};

        kernels->combine(v, minus, 2, d, 0, desk->tile + i * d);
    }
    memset(total, 0, d * sizeof *total);
    for (size_t i = 0; i < n; i += TOGETHER) {
        const float *v[TOGETHER];
        size_t m = n - i < TOGETHER ? n - i : TOGETHER;

        for (size_t r = 0; r < m; r++)
            v[r] = desk->tile + (i + r) * d;
        kernels->combine(v, ones, m, d, 0, desk->sum);
        for (size_t j = 0; j < d; j++)
            total[j] += (double)desk->sum[j];
    }
}

static void sum_tile(const struct pass *pass, struct desk *desk, struct part *part,
                     size_t first, size_t n)
{
    size_t d = pass->rows->dims, stride;
    const float *rows =
        ig_rows_view(pass->rows, first, n, desk->tile, desk->scratch, &stride);
    float *product = part->product;

    part->zero_rows = 0;
    if (pass->unit) {
        part->zero_rows += ig_rows_unit(rows, stride, desk->tile, d, n, d);
        rows = desk->tile;
        stride = d;
    } else {
        for (size_t i = 0; i < n; i++)
            part->zero_rows += ig_kernels_best()->max_abs(rows + i * stride, d) == 0;
    }
    centre_rows(pass, desk, rows, stride, n, part->total);
    for (size_t i = 0; i < d; i++)
        memset(product + i * d, 0, (i + 1) * sizeof *product);
    ig_gram_add(ig_matrix_of(desk->tile, n, d), ig_matrix_of(product, d, d));
}

static bool is_cancelled(const atomic_bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static void sum_round(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *pass = context;

    for (size_t p = first; p < last && !is_cancelled(pass->stop); p++) {
        size_t at = (pass->begin + p) * IG_ROWS_TILE, left = pass->rows->rows - at;

        sum_tile(pass, &pass->desk[member], &pass->part[p], at,
                 left < IG_ROWS_TILE ? left : IG_ROWS_TILE);
    }
}

/* Add the round's tiles to rows first … last−1 of the sums, in order. */
static void add_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *pass = context;
    size_t d = pass->rows->dims;

    (void)member;
    for (size_t i = first; i < last; i++)
        for (size_t p = 0; p < pass->count; p++) {
            const float *product = pass->part[p].product + i * d;
            double *sum = pass->sum.scatter + i * d;

            pass->sum.total[i] += pass->part[p].total[i];
            for (size_t j = 0; j <= i; j++)
                sum[j] += (double)product[j];
        }
}

static void end_round(struct pass *pass)
{
    size_t n = pass->rows->rows, first = pass->begin * IG_ROWS_TILE;
    size_t last = first + pass->count * IG_ROWS_TILE;

    for (size_t p = 0; p < pass->count; p++)
        pass->sum.zero_rows += pass->part[p].zero_rows;
    pass->sum.tiles += pass->count;
    ig_progress_add(pass->watch, (double)((last < n ? last : n) - first), 0);
}

/* Each round distributes tiles over the threads, then the rows of the sums. Every entry
 * is thus summed over the tiles in order, for any number of threads. */
static void run_rounds(struct pass *pass)
{
    while (pass->sum.tiles < pass->tiles && !is_cancelled(pass->stop)) {
        size_t left = pass->tiles - pass->sum.tiles;

        pass->begin = pass->sum.tiles;
        pass->count = left < pass->parts ? left : pass->parts;
        ig_parallel_for(pass->pool, pass->count, 1, sum_round, pass);
        ig_parallel_for(pass->pool, pass->rows->dims, 8, add_rows, pass);
        end_round(pass);
    }
}

/* Convert sums about the shift to moments about the mean. Reject non-finite values. */
static ig_status finish_moments(const struct pass *pass, ig_moments *sum,
                                ig_error *error)
{
    size_t d = sum->dims;
    double n = (double)pass->rows->rows;

    sum->rows = pass->rows->rows;
    sum->zero_rows = pass->sum.zero_rows;
    for (size_t i = 0; i < d; i++) {
        double off = pass->sum.total[i] / n;

        sum->mean[i] = (double)pass->sum.shift[i] + off;
        for (size_t j = 0; j <= i; j++) {
            double s = pass->sum.scatter[i * d + j] - off * pass->sum.total[j];

            if (!isfinite(s))
                return ig_fail(error, IG_VALUE,
                               "the rows have a value that is not finite or too large "
                               "(dimension %zu)",
                               i);
            sum->scatter[i * d + j] = s;
            sum->scatter[j * d + i] = s;
        }
    }
    return IG_OK;
}

static ig_status sum_tiles(struct pass *pass, ig_moments *of, ig_error *error)
{
    pass->tiles = (pass->rows->rows + IG_ROWS_TILE - 1) / IG_ROWS_TILE;
    if (!make_rounds(pass, pass->tiles))
        return ig_fail_memory(error, "a covariance");
    estimate_mean(pass);
    run_rounds(pass);
    if (is_cancelled(pass->stop))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    return finish_moments(pass, of, error);
}

ig_status ig_moments_add(ig_moments *moments, const ig_rows *rows, bool unit,
                         ig_pool *pool, const atomic_bool *stop, ig_progress *watch,
                         ig_error *error)
{
    struct pass pass = {
        .rows = rows, .unit = unit, .stop = stop, .pool = pool, .watch = watch};
    ig_moments of = {0};
    ig_status status = IG_OK;

    if (rows->dims != moments->dims)
        status = ig_fail(error, IG_SHAPE,
                         "rows of %zu dimensions where %zu are expected", rows->dims,
                         moments->dims);
    if (status == IG_OK && rows->rows > 0) {
        status = ig_moments_init(&of, rows->dims, error);
        if (status == IG_OK)
            status = sum_tiles(&pass, &of, error);
        if (status == IG_OK)
            status = ig_moments_merge(moments, &of, error);
    }
    ig_arena_free(&pass.arena);
    ig_moments_free(&of);
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
