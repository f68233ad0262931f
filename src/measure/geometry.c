/* Alignment and uniformity [wang; bias eq.8-9]. Legend: R distinct rows u of length 1
 * (or 0), d dims. Uniformity works on blocks of BLOCK rows against tiles of WIDTH
 * rows. */
#include "isogloss/measure/geometry.h"

#include <math.h>
#include <string.h>

#include "isogloss/base/memory.h"
#include "isogloss/linear/blas.h"
#include "isogloss/linear/kernels.h"
#include "measure/units.h"

enum { BLOCK = 128, WIDTH = 256, LANES = 16 };

struct work {
    const ig_units *u;
    const uint32_t *left, *right; /* (pairs) */
    size_t pairs;
    const atomic_bool *stop;
    float *products;    /* (members, BLOCK, WIDTH), then d floats for a difference */
    size_t room;        /* floats of it for each member */
    double *sum;        /* (blocks) of pairs, then of rows: added in this order */
    atomic_size_t next; /* block */
};

/* Σ ‖a − b‖² over one block of pairs. */
static double align_block(const struct work *work, size_t first, size_t last,
                          float *difference)
{
    static const float minus[2] = {1, -1};
    const ig_kernels *kernels = ig_kernels_best();
    const ig_units *u = work->u;
    double sum = 0;

    for (size_t i = first; i < last; i++) {
        const float *v[2] = {u->unit + ig_units_find(u, work->left[i]) * u->dims,
                             u->unit + ig_units_find(u, work->right[i]) * u->dims};

        kernels->combine(v, minus, 2, u->dims, 0, difference);
        sum += kernels->dot(difference, difference, u->dims);
    }
    return sum;
}

/* exp(x) for −80 ≤ x ≤ 1, within 4e-7: 2^(n + f), |f| ≤ ½, 2^f by its series. Straight
 * code, so that the compiler makes vectors of the loop around it. NaN stays NaN. */
static inline float exp_near_zero(float x)
{
    const float round = 12582912.0f; /* 1.5 · 2²³: adding it leaves a whole number */
    float y = x * 1.44269504f, n = (y + round) - round, f = y - n, p;
    union {
        uint32_t bits;
        float value;
    } power = {.bits = (uint32_t)((int32_t)(n > -120.0f ? n : -120.0f) + 127) << 23};

    p = 1.54035304e-4f;
    p = p * f + 1.33335581e-3f;
    p = p * f + 9.61812911e-3f;
    p = p * f + 5.55041087e-2f;
    p = p * f + 2.40226507e-1f;
    p = p * f + 6.93147181e-1f;
    return (p * f + 1.0f) * power.value;
}

/* Σ exp(−2‖u−v_j‖²) over n ≤ WIDTH products <u, v_j>; the squared length of v_j is 1,
 * or 0 where zero[j]. */
static double sum_exp(const float *product, const uint8_t *zero, size_t n, bool zero_u)
{
    float lane[LANES] = {0}, base = zero_u ? -2.0f : -4.0f;
    double sum = 0;
    size_t j = 0;

    for (; j + LANES <= n; j += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] +=
                exp_near_zero(base + 2.0f * (float)zero[j + l] + 4.0f * product[j + l]);
    for (; j < n; j++)
        sum += (double)exp_near_zero(base + 2.0f * (float)zero[j] + 4.0f * product[j]);
    for (size_t l = 0; l < LANES; l++)
        sum += (double)lane[l];
    return sum;
}

/* Rows first … first+n−1 against themselves (each pair once) and all later rows. */
static double spread_block(const struct work *work, size_t first, size_t n, float *c)
{
    const ig_units *u = work->u;
    size_t d = u->dims;
    ig_matrix rows = ig_matrix_of(u->unit + first * d, n, d);
    double sum = 0;

    for (size_t j = first; j < u->count && !stopped(work->stop); j += WIDTH) {
        size_t width = u->count - j < WIDTH ? u->count - j : WIDTH;
        ig_matrix product = {c, n, width, WIDTH};

        ig_gemm(false, true, 1, rows, ig_matrix_of(u->unit + j * d, width, d), 0,
                product);
        for (size_t i = 0; i < n; i++) {
            /* Of the tile that holds the row itself, only what comes after it. */
            size_t skip = first + i + 1 > j ? first + i + 1 - j : 0;

            if (skip < width)
                sum += sum_exp(c + i * WIDTH + skip, u->zero + j + skip, width - skip,
                               u->zero[first + i]);
        }
    }
    return sum;
}

static size_t blocks_of(size_t n)
{
    return (n + BLOCK - 1) / BLOCK;
}

static size_t end_of(size_t first, size_t n)
{
    return n - first < BLOCK ? n : first + BLOCK;
}

/* Members take blocks as they come; the sums lie by block, so that who took which does
 * not matter. */
static void measure_member(void *context, size_t member, size_t members)
{
    struct work *work = context;
    size_t align = blocks_of(work->pairs), all = align + blocks_of(work->u->count), b;
    float *products = work->products + member * work->room;

    (void)members;
    while ((b = atomic_fetch_add(&work->next, 1)) < all && !stopped(work->stop)) {
        size_t first = (b < align ? b : b - align) * BLOCK;

        if (b < align)
            work->sum[b] = align_block(work, first, end_of(first, work->pairs),
                                       products + BLOCK * WIDTH);
        else
            work->sum[b] = spread_block(
                work, first, end_of(first, work->u->count) - first, products);
    }
}

static void conclude(ig_geometry *geometry, const struct work *work)
{
    size_t align = blocks_of(work->pairs);
    double rows = (double)work->u->count, near = 0, spread = 0;

    for (size_t b = 0; b < align; b++)
        near += work->sum[b];
    for (size_t b = 0; b < blocks_of(work->u->count); b++)
        spread += work->sum[align + b];
    *geometry = (ig_geometry){.alignment = near / (double)work->pairs,
                              .uniformity = log(spread / (rows * (rows - 1) / 2)),
                              .pairs = work->pairs,
                              .rows = work->u->count,
                              .zero_rows = work->u->zero_rows};
    if (work->pairs == 0) {
        geometry->alignment = (double)NAN;
        geometry->uniformity = (double)NAN;
        geometry->reason = "no pairs";
    } else if (work->u->count < 2) {
        geometry->uniformity = (double)NAN;
        geometry->reason = "only one row";
    } else if (!isfinite(near) || !isfinite(spread)) {
        geometry->alignment = geometry->uniformity = (double)NAN;
        geometry->reason = "a value is not finite";
    }
}

/* Both sides of the pairs as one list. */
static uint32_t *pool_sides(const uint32_t *left, const uint32_t *right, size_t pairs)
{
    uint32_t *list = ig_alloc(pairs, 2 * sizeof *list);

    if (list && pairs) {
        memcpy(list, left, pairs * sizeof *list);
        memcpy(list + pairs, right, pairs * sizeof *list);
    }
    return list;
}

ig_status ig_geometry_measure(ig_geometry *geometry, const ig_rows *rows,
                              const uint32_t *left, const uint32_t *right, size_t pairs,
                              ig_pool *pool, const atomic_bool *stop, ig_error *error)
{
    uint32_t *list = pool_sides(left, right, pairs);
    ig_units u = {0};
    struct work work = {
        .u = &u, .left = left, .right = right, .pairs = pairs, .stop = stop};
    ig_status status;

    if (!list)
        return ig_fail_memory(error, "the rows to measure");
    status = ig_units_init(&u, rows, list, 2 * pairs, pool, stop, error);
    if (status != IG_OK)
        goto done;
    work.room = BLOCK * WIDTH + (rows->dims + LANES - 1) / LANES * LANES;
    work.products = ig_alloc(ig_pool_threads(pool), work.room * sizeof *work.products);
    work.sum = ig_alloc(blocks_of(pairs) + blocks_of(u.count), sizeof *work.sum);
    if (!work.products || !work.sum) {
        status = ig_fail_memory(error, "alignment and uniformity");
        goto done;
    }
    ig_pool_run(pool, measure_member, &work);
    if (stopped(stop))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    else
        conclude(geometry, &work);
done:
    ig_free(list);
    ig_free(work.products);
    ig_free(work.sum);
    ig_units_free(&u);
    return status;
}
