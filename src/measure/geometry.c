/* Alignment and uniformity [wang; bias eq.8-9]. Legend: R distinct rows u of length 1
 * (or 0), d dims. */
#include "measure/geometry.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "linear/products.h"
#include "measure/units.h"

enum { BLOCK = 256 }; /* pairs whose distances are summed together */

/* --- alignment -------------------------------------------------------------------- */

struct pairs {
    const ig_units *u;
    const uint32_t *left, *right; /* (pairs) */
    size_t pairs;
    float *difference; /* (members, d) */
    double *sum;       /* (blocks) Σ ‖a − b‖²: added up in this order */
};

static size_t blocks_of(size_t n)
{
    return (n + BLOCK - 1) / BLOCK;
}

static void align_member(void *context, size_t member, size_t members)
{
    static const float minus[2] = {1, -1};
    const struct pairs *p = context;
    const ig_kernels *kernels = ig_kernels_best();
    size_t d = p->u->dims, first, last;
    float *difference = p->difference + member * d;

    ig_pool_slice(p->pairs, BLOCK, member, members, &first, &last);
    for (size_t i = first; i < last; i++) {
        const float *v[2] = {p->u->unit + ig_units_find(p->u, p->left[i]) * d,
                             p->u->unit + ig_units_find(p->u, p->right[i]) * d};

        kernels->combine(v, minus, 2, d, 0, difference);
        p->sum[i / BLOCK] += kernels->dot(difference, difference, d);
    }
}

/* --- uniformity ------------------------------------------------------------------- */

struct spread {
    const ig_kernels *kernels;
    double *sum; /* (tiles) added up in this order, so that who took which does not
                    matter */
};

/* Σ exp(−2‖u−v‖²) = Σ exp(4<u, v> − 4) of a tile of products 4<u, v>, each pair once,
 * as if no row had length 0. */
static void take(void *context, size_t part, const ig_tile *tile)
{
    static const float shift = 4;
    const struct spread *spread = context;

    (void)part;
    for (size_t i = 0; i < tile->count[0]; i++) {
        /* Where both (u, v) and (v, u) stand, only what comes after the row itself. */
        size_t own = tile->first[0] + i + 1;
        size_t skip = tile->columns || own < tile->first[1] ? 0 : own - tile->first[1];
        float *product = tile->product + i * IG_TILE_COLS + skip;

        if (skip < tile->count[1])
            spread->kernels->exp(product, &shift, 0, tile->count[1] - skip, product,
                                 &spread->sum[tile->number]);
    }
}

/* Σ over all pairs of units, which become twice as long. */
static ig_status spread_all(ig_units *u, double *sum, ig_pool *pool, ig_watch *watch,
                            ig_error *error)
{
    ig_products products = {0};
    struct spread spread = {.kernels = ig_kernels_best()};
    ig_consumer consumer = {.take = take, .context = &spread};
    ig_status status =
        ig_products_init(&products, u->count, 0, u->dims, ig_pool_threads(pool), error);
    size_t tiles;

    products.self = true;
    products.side[0] = (ig_block){.count = u->count, .row = u->unit};
    tiles = status == IG_OK ? ig_products_tiles(&products) : 0;
    spread.sum = ig_alloc(tiles, sizeof *spread.sum);
    if (status == IG_OK && !spread.sum)
        status = ig_fail_memory(error, "uniformity");
    /* <2u, 2v> = 4<u, v>, to the bit. */
    for (size_t i = 0; status == IG_OK && i < u->count * u->dims; i++)
        u->unit[i] *= 2;
    if (status == IG_OK && !ig_products_run_pool(&products, &consumer, 1, pool, watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    for (size_t t = 0; t < tiles && status == IG_OK; t++)
        *sum += spread.sum[t];
    ig_free(spread.sum);
    ig_products_free(&products);
    return status;
}

/* --- both ------------------------------------------------------------------------- */

static void conclude(ig_geometry *geometry, const ig_units *u, size_t pairs,
                     double apart, double spread)
{
    double rows = (double)u->count, zeros = (double)u->zero_rows;
    double half = zeros * (rows - zeros);

    /* A row of length 0 is 1 from a unit row and 0 from its like, not √2. */
    spread += half * (exp(-2) - exp(-4)) + zeros * (zeros - 1) / 2 * (1 - exp(-4));
    *geometry = (ig_geometry){.alignment = apart / (double)pairs,
                              .uniformity = log(spread / (rows * (rows - 1) / 2)),
                              .pairs = pairs,
                              .rows = u->count,
                              .zero_rows = u->zero_rows};
    if (pairs == 0) {
        geometry->alignment = (double)NAN;
        geometry->uniformity = (double)NAN;
        geometry->reason = "no pairs";
    } else if (u->count < 2) {
        geometry->uniformity = (double)NAN;
        geometry->reason = "only one row";
    } else if (!isfinite(apart) || !isfinite(spread)) {
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
    size_t blocks = blocks_of(pairs), members = ig_pool_threads(pool);
    ig_units u = {0};
    struct pairs work = {.u = &u, .left = left, .right = right, .pairs = pairs};
    double apart = 0, spread = 0;
    ig_status status;

    if (!list)
        return ig_fail_memory(error, "the rows to measure");
    status = ig_units_init(&u, rows, list, 2 * pairs, pool, watch, error);
    if (status != IG_OK)
        goto done;
    work.difference = ig_alloc(members, rows->dims * sizeof *work.difference);
    work.sum = ig_alloc(blocks, sizeof *work.sum);
    if (!work.difference || !work.sum) {
        status = ig_fail_memory(error, "alignment");
        goto done;
    }
    ig_pool_run(pool, align_member, &work);
    for (size_t b = 0; b < blocks; b++)
        apart += work.sum[b];
    status = spread_all(&u, &spread, pool, watch, error);
    if (status == IG_OK)
        conclude(geometry, &u, pairs, apart, spread);
done:
    ig_free(list);
    ig_free(work.difference);
    ig_free(work.sum);
    ig_units_free(&u);
    return status;
}

bool ig_geometry_is_point(const ig_geometry *geometry)
{
    return geometry->uniformity > -0.02;
}

/* --- the family ------------------------------------------------------------------ */

static const ig_measure_entry entries[] = {
    {.family = &ig_geometry_family,
     .key = "alignment",
     .name = "alignment",
     .brief = "align.",
     .about =
         "Mean squared distance between the unit vectors of a sentence and its "
         "translation. Small, too, where a space has collapsed to a point: what is "
         "better is told by the relative one.",
     .source = "wang; bias eq.8",
     .decimals = 3,
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
