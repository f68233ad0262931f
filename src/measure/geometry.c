/* Alignment and uniformity [wang; bias eq.8-9]. Legend: R distinct rows u of length 1
 * (or 0), d dims. Uniformity works on blocks of BLOCK rows against tiles of WIDTH
 * rows. */
#include "measure/geometry.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "linear/blas.h"
#include "linear/kernels.h"
#include "measure/units.h"

enum { BLOCK = 256, WIDTH = 256, LANES = 16 };

struct work {
    const ig_units *u;
    const uint32_t *left, *right; /* (pairs) */
    size_t pairs;
    ig_watch *watch;
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

/* Σ exp(−2‖u−v‖²) = Σ exp(4<u, v> − 4) of rows first … first+n−1 with themselves (each
 * pair once) and all later rows, as if none had length 0. */
static double spread_block(const struct work *work, size_t first, size_t n, float *c,
                           size_t member)
{
    static const float shift = 4;
    const ig_kernels *kernels = ig_kernels_best();
    const ig_units *u = work->u;
    size_t d = u->dims;
    ig_matrix rows = ig_matrix_of(u->unit + first * d, n, d);
    double sum = 0;

    for (size_t j = first; j < u->count && !ig_watch_stopped(work->watch); j += WIDTH) {
        size_t width = u->count - j < WIDTH ? u->count - j : WIDTH;

        ig_gemm(false, true, 4, rows, ig_matrix_of(u->unit + j * d, width, d), 0,
                (ig_matrix){c, n, width, WIDTH});
        for (size_t i = 0; i < n; i++) {
            /* Of the tile that holds the row itself, only what comes after it. */
            size_t skip = first + i + 1 > j ? first + i + 1 - j : 0;
            float *product = c + i * WIDTH + skip;

            if (skip < width)
                kernels->exp(product, &shift, 0, width - skip, product, &sum);
        }
        /* Of the square on the diagonal, which the first tile holds, a product is of
         * half use. */
        ig_watch_add(work->watch,
                     (2 * (double)width - (j == first ? (double)n : 0)) * (double)n *
                         (double)d,
                     member);
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
    while ((b = atomic_fetch_add(&work->next, 1)) < all &&
           !ig_watch_stopped(work->watch)) {
        size_t first = (b < align ? b : b - align) * BLOCK;

        if (b < align)
            work->sum[b] = align_block(work, first, end_of(first, work->pairs),
                                       products + BLOCK * WIDTH);
        else
            work->sum[b] = spread_block(
                work, first, end_of(first, work->u->count) - first, products, member);
    }
}

static void conclude(ig_geometry *geometry, const struct work *work)
{
    size_t align = blocks_of(work->pairs);
    double rows = (double)work->u->count, zeros = (double)work->u->zero_rows;
    double near = 0, spread = 0, half = zeros * (rows - zeros);

    for (size_t b = 0; b < align; b++)
        near += work->sum[b];
    for (size_t b = 0; b < blocks_of(work->u->count); b++)
        spread += work->sum[align + b];
    /* A row of length 0 is 1 from a unit row and 0 from its like, not √2. */
    spread += half * (exp(-2) - exp(-4)) + zeros * (zeros - 1) / 2 * (1 - exp(-4));
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
                              ig_pool *pool, ig_watch *watch, ig_error *error)
{
    uint32_t *list = pool_sides(left, right, pairs);
    ig_units u = {0};
    struct work work = {
        .u = &u, .left = left, .right = right, .pairs = pairs, .watch = watch};
    ig_status status;

    if (!list)
        return ig_fail_memory(error, "the rows to measure");
    status = ig_units_init(&u, rows, list, 2 * pairs, pool, watch, error);
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
    if (ig_watch_stopped(watch))
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

/* --- the family ------------------------------------------------------------------ */

static const ig_measure_entry entries[] = {
    {.family = &ig_geometry_family,
     .key = "alignment",
     .name = "alignment",
     .brief = "align.",
     .about = "Mean squared distance between the unit vectors of a sentence and its "
              "translation.",
     .source = "wang; bias eq.8",
     .decimals = 3,
     .better = {-1, -1, 0},
     .at = offsetof(ig_geometry, alignment)},
    {.family = &ig_geometry_family,
     .key = "uniformity",
     .name = "uniformity",
     .brief = "uniform.",
     .about = "How evenly the unit vectors fill the sphere: log of the mean of "
              "exp(−2‖u−v‖²) over pairs of rows.",
     .source = "wang; bias eq.9",
     .decimals = 3,
     .better = {-1, -1, 0},
     .at = offsetof(ig_geometry, uniformity)},
};

static double family_work(const ig_measure_input *in)
{
    return (double)in->paired * (double)in->paired * (double)in->base->dims;
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    return ig_geometry_measure(result, in->base, in->pairs->left, in->pairs->right,
                               in->pairs->pairs, in->pool, in->watch, error);
}

const ig_family ig_geometry_family = {.name = "alignment and uniformity",
                                      .needs = IG_NEEDS_PAIRS,
                                      .work = family_work,
                                      .take = family_take,
                                      .reason_at = offsetof(ig_geometry, reason),
                                      .entry = entries,
                                      .entries = sizeof entries / sizeof *entries};
