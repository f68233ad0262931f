/* Moments by tile: each member of the pool centres its tiles on one first estimate of
 * the mean and multiplies them in float; the products are added in double, so that
 * nothing is lost where the mean is far from zero. Legend: N rows, d dims, tile ≤
 * IG_ROWS_TILE rows. */
#include "linear/moments.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "linear/blas.h"
#include "linear/kernels.h"

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

/* What one member gathers: of its tile of this round, and of the round before, which
 * the others may still be adding up. */
struct part {
    float *tile;       /* (IG_ROWS_TILE, d) centred rows */
    float *sum;        /* (d) of a few rows */
    float *scratch;    /* the source's */
    double *total[2];  /* (d) of the tile */
    float *product[2]; /* (d, d) of the tile, lower triangle */
    size_t zero_rows[2];
    bool taken[2]; /* there was no tile for it, or it took it; false: it was stopped */
};

struct pass {
    const ig_rows *rows;
    bool unit;
    const atomic_bool *stop;
    ig_pool *pool;
    ig_moments_pass *sum; /* of all tiles so far; the lower triangle of its scatter */
    struct part *part;
    size_t parts;
    size_t from, to; /* tiles that are this rank's */
    size_t all;      /* rows of all ranks */
};

void ig_moments_pass_free(ig_moments_pass *pass)
{
    ig_free(pass->shift);
    ig_free(pass->total);
    ig_free(pass->scatter);
    *pass = (ig_moments_pass){0};
}

static void part_free(struct part *part)
{
    ig_free(part->tile);
    ig_free(part->sum);
    ig_free(part->scratch);
    for (size_t k = 0; k < 2; k++) {
        ig_free(part->total[k]);
        ig_free(part->product[k]);
    }
}

static bool part_init(struct part *part, const ig_rows *rows)
{
    size_t d = rows->dims;
    bool ready;

    part->tile = ig_alloc(IG_ROWS_TILE, d * sizeof *part->tile);
    part->sum = ig_alloc(d, sizeof *part->sum);
    part->scratch = ig_alloc(rows->scratch, sizeof *part->scratch);
    ready = part->tile && part->sum && part->scratch;
    for (size_t k = 0; k < 2 && ready; k++) {
        part->total[k] = ig_alloc(d, sizeof *part->total[k]);
        part->product[k] = ig_alloc(d, d * sizeof *part->product[k]);
        ready = part->total[k] && part->product[k];
    }
    return ready;
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
            pass->sum->total[j] += (double)part->tile[i * d + j];
    for (size_t j = 0; j < d; j++)
        pass->sum->shift[j] = (float)(pass->sum->total[j] / (double)n);
    memset(pass->sum->total, 0, d * sizeof *pass->sum->total);
}

/* tile := rows − shift, and their sum is its total. */
static void centre(const struct pass *pass, struct part *part, const float *rows,
                   size_t stride, size_t n, double *total)
{
    enum { TOGETHER = 16 };
    static const float minus[2] = {1, -1};
    static const float ones[TOGETHER] = {1, 1, 1, 1, 1, 1, 1, 1,
                                         1, 1, 1, 1, 1, 1, 1, 1};
    const ig_kernels *kernels = ig_kernels_best();
    size_t d = pass->rows->dims;

    for (size_t i = 0; i < n; i++) {
        const float *v[2] = {rows + i * stride, pass->sum->shift};

        kernels->combine(v, minus, 2, d, 0, part->tile + i * d);
    }
    memset(total, 0, d * sizeof *total);
    for (size_t i = 0; i < n; i += TOGETHER) {
        const float *v[TOGETHER];
        size_t m = n - i < TOGETHER ? n - i : TOGETHER;

        for (size_t r = 0; r < m; r++)
            v[r] = part->tile + (i + r) * d;
        kernels->combine(v, ones, m, d, 0, part->sum);
        for (size_t j = 0; j < d; j++)
            total[j] += (double)part->sum[j];
    }
}

static void take_tile(const struct pass *pass, struct part *part, size_t first,
                      size_t n, size_t side)
{
    size_t d = pass->rows->dims, stride;
    const float *rows =
        ig_rows_view(pass->rows, first, n, part->tile, part->scratch, &stride);
    float *product = part->product[side];

    part->zero_rows[side] = 0;
    if (pass->unit) {
        part->zero_rows[side] += ig_rows_unit(rows, stride, part->tile, d, n, d);
        rows = part->tile;
        stride = d;
    } else {
        for (size_t i = 0; i < n; i++)
            part->zero_rows[side] += ig_kernels_best()->peak(rows + i * stride, d) == 0;
    }
    centre(pass, part, rows, stride, n, part->total[side]);
    for (size_t i = 0; i < d; i++)
        memset(product + i * d, 0, (i + 1) * sizeof *product);
    ig_gram_add(ig_matrix_of(part->tile, n, d), ig_matrix_of(product, d, d));
}

static bool stopped(const atomic_bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

/* Add a round's tiles to the sums, in their order: rows first … last−1 of them. */
static void add_round(const struct pass *pass, size_t tiles, size_t side, size_t first,
                      size_t last)
{
    size_t d = pass->rows->dims;

    for (size_t i = first; i < last; i++)
        for (size_t p = 0; p < tiles; p++) {
            const float *product = pass->part[p].product[side] + i * d;
            double *sum = pass->sum->scatter + i * d;

            pass->sum->total[i] += pass->part[p].total[side][i];
            for (size_t j = 0; j <= i; j++)
                sum[j] += (double)product[j];
        }
}

/* Count a round's tiles, and the rows of length 0 in them. By the first member. */
static void end_round(const struct pass *pass, size_t tiles, size_t side)
{
    size_t n = pass->rows->rows, first = (pass->from + pass->sum->tiles) * IG_ROWS_TILE;
    size_t last = first + tiles * IG_ROWS_TILE;

    for (size_t p = 0; p < tiles; p++)
        pass->sum->zero_rows += pass->part[p].zero_rows[side];
    pass->sum->tiles += tiles;
    ig_watch_add(pass->sum->watch, (double)((last < n ? last : n) - first), 0);
}

/* Whether no member was stopped in a round: all of them see the same. */
static bool all_taken(const struct pass *pass, size_t side)
{
    for (size_t p = 0; p < pass->parts; p++)
        if (!pass->part[p].taken[side])
            return false;
    return true;
}

/* In each round every member takes a tile, and then adds its share of all of them. A
 * number is thus summed over the tiles in their order, however many members there are.
 * A round in which one was stopped is not added, and is the last.
 * Rounds use two sides in turn, so that one barrier keeps them apart. */
static void add_member(void *context, size_t member, size_t members)
{
    const struct pass *pass = context;
    size_t n = pass->rows->rows, d = pass->rows->dims, side = 0;
    size_t tiles = pass->to;
    /* Shares of a triangle. */
    size_t first = (size_t)((double)d * sqrt((double)member / (double)members));
    size_t last = (size_t)((double)d * sqrt((double)(member + 1) / (double)members));

    for (size_t t = pass->from + pass->sum->tiles; t < tiles;
         t += pass->parts, side = !side) {
        size_t own = (t + member) * IG_ROWS_TILE;
        struct part *part = member < pass->parts ? &pass->part[member] : NULL;

        if (part)
            part->taken[side] = t + member >= tiles || !stopped(pass->stop);
        if (part && t + member < tiles && part->taken[side])
            take_tile(pass, part, own, n - own < IG_ROWS_TILE ? n - own : IG_ROWS_TILE,
                      side);
        ig_pool_barrier(pass->pool);
        if (!all_taken(pass, side))
            return;
        if (member == 0)
            end_round(pass, tiles - t < pass->parts ? tiles - t : pass->parts, side);
        add_round(pass, tiles - t < pass->parts ? tiles - t : pass->parts, side, first,
                  member + 1 < members ? last : d);
    }
}

/* The sums of all ranks, about the shift that they have in common. */
static void sum_ranks(struct pass *pass)
{
    ig_team *team = ig_pool_team(pass->pool);
    size_t d = pass->rows->dims;

    if (!team)
        return;
    ig_team_sum(team, pass->sum->total, d);
    ig_team_sum(team, pass->sum->scatter, d * d);
    pass->sum->zero_rows = (size_t)ig_team_total(team, pass->sum->zero_rows, NULL);
}

/* Moments about the mean from sums about the shift, and a check that they are
 * numbers. */
static ig_status conclude(const struct pass *pass, ig_moments *sum, ig_error *error)
{
    size_t d = sum->dims;
    double n = (double)pass->all;

    sum->rows = pass->all;
    sum->zero_rows = pass->sum->zero_rows;
    for (size_t i = 0; i < d; i++) {
        double off = pass->sum->total[i] / n;

        sum->mean[i] = (double)pass->sum->shift[i] + off;
        for (size_t j = 0; j <= i; j++) {
            double s = pass->sum->scatter[i * d + j] - off * pass->sum->total[j];

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

/* Have room for the sums of a pass, cleared. */
static bool begin_pass(ig_moments_pass *pass, size_t dims)
{
    ig_watch *watch = pass->watch;

    ig_moments_pass_free(pass);
    pass->watch = watch;
    pass->dims = dims;
    pass->shift = ig_alloc(dims, sizeof *pass->shift);
    pass->total = ig_alloc(dims, sizeof *pass->total);
    pass->scatter = ig_alloc(dims, dims * sizeof *pass->scatter);
    return pass->shift && pass->total && pass->scatter;
}

/* Sum the tiles that are left; those of all rows become the moments `of`. */
static ig_status sum_tiles(struct pass *pass, bool anew, ig_moments *of,
                           ig_error *error)
{
    const ig_rows *rows = pass->rows;
    size_t tiles = (rows->rows + IG_ROWS_TILE - 1) / IG_ROWS_TILE;
    ig_team *team = ig_pool_team(pass->pool);
    bool ready;

    ig_team_rows(team, tiles, 1, &pass->from, &pass->to);
    pass->all = ig_team_is_dealt(team) ? (size_t)ig_team_total(team, rows->rows, NULL)
                                       : rows->rows;
    pass->parts = ig_pool_threads(pass->pool);
    pass->parts = pass->parts < tiles ? pass->parts : tiles;
    pass->part = ig_alloc(pass->parts, sizeof *pass->part);
    ready = pass->part != NULL;
    for (size_t p = 0; ready && p < pass->parts; p++)
        ready = part_init(&pass->part[p], rows);
    if (ready && anew) {
        ready = begin_pass(pass->sum, rows->dims);
        if (ready)
            estimate(pass);
        if (ready && ig_team_is_dealt(team)) /* of the first one's rows, for all */
            ig_team_give(team, 0, pass->sum->shift, rows->dims * sizeof(float));
    }
    if (!ready)
        return ig_fail_memory(error, "a covariance");
    ig_pool_run(pass->pool, add_member, pass);
    if (pass->sum->tiles < pass->to - pass->from)
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    sum_ranks(pass);
    return conclude(pass, of, error);
}

ig_status ig_moments_add_on(ig_moments *moments, ig_moments_pass *sum,
                            const ig_rows *rows, bool unit, ig_pool *pool,
                            const atomic_bool *stop, ig_error *error)
{
    struct pass pass = {
        .rows = rows, .unit = unit, .stop = stop, .pool = pool, .sum = sum};
    ig_moments of = {0};
    ig_status status = IG_OK;

    if (rows->dims != moments->dims)
        status = ig_fail(error, IG_SHAPE,
                         "rows of %zu dimensions where %zu are expected", rows->dims,
                         moments->dims);
    if (status == IG_OK && rows->rows > 0) {
        status = ig_moments_init(&of, rows->dims, error);
        if (status == IG_OK)
            status =
                sum_tiles(&pass, !sum->scatter || sum->dims != rows->dims, &of, error);
        if (status == IG_OK)
            status = ig_moments_merge(moments, &of, error);
    }
    for (size_t p = 0; pass.part && p < pass.parts; p++)
        part_free(&pass.part[p]);
    ig_free(pass.part);
    ig_moments_free(&of);
    if (status != IG_INTERRUPTED)
        ig_moments_pass_free(sum);
    return status;
}

ig_status ig_moments_add(ig_moments *moments, const ig_rows *rows, bool unit,
                         ig_pool *pool, const atomic_bool *stop, ig_error *error)
{
    ig_moments_pass pass = {0};
    ig_status status = ig_moments_add_on(moments, &pass, rows, unit, pool, stop, error);

    ig_moments_pass_free(&pass);
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
