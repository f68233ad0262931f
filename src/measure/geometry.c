/* Alignment and uniformity [wang; bias eq.8-9]. Legend: R distinct rows u of length 1
 * (or 0), d dims.
 *
 * For intervals the sums of single rows are kept, too. Members take tiles as they come,
 * and what they add must not depend on the order: it is added as whole numbers of
 * 2^-40. */
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
    double *each;      /* (pairs) ‖a − b‖², or NULL */
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
        double apart;

        kernels->combine(v, minus, 2, d, 0, difference);
        apart = kernels->dot(difference, difference, d);
        p->sum[i / BLOCK] += apart;
        if (p->each)
            p->each[i] = apart;
    }
}

/* --- uniformity ------------------------------------------------------------------- */

struct spread {
    const ig_kernels *kernels;
    double *sum;   /* (tiles) added up in this order, so that who took which does not
                    matter */
    int64_t *each; /* (members, R) the same of single rows, in 2^-40; or NULL */
    size_t rows;
};

static int64_t fixed(double sum)
{
    return (int64_t)llround(sum * 0x1p40);
}

/* Σ exp(−2‖u−v‖²) = Σ exp(4<u, v> − 4) of a tile of products 4<u, v>, each pair once,
 * as if no row had length 0. */
static void take(void *context, size_t part, const ig_tile *tile)
{
    static const float shift = 4;
    const struct spread *spread = context;
    int64_t *each = spread->each ? spread->each + part * spread->rows : NULL;
    double column[IG_TILE_COLS] = {0};

    for (size_t i = 0; i < tile->count[0]; i++) {
        /* Where both (u, v) and (v, u) stand, only what comes after the row itself. */
        size_t own = tile->first[0] + i + 1;
        size_t skip = tile->columns || own < tile->first[1] ? 0 : own - tile->first[1];
        float *product = tile->product + i * IG_TILE_COLS + skip;

        double sum = 0;

        if (skip >= tile->count[1])
            continue;
        spread->kernels->exp(product, &shift, 0, tile->count[1] - skip, product,
                             each ? &sum : &spread->sum[tile->number]);
        if (!each)
            continue;
        spread->sum[tile->number] += sum;
        each[tile->first[0] + i] += fixed(sum);
        for (size_t j = 0; j < tile->count[1] - skip; j++)
            column[skip + j] += (double)product[j];
    }
    for (size_t j = 0; each && j < tile->count[1]; j++)
        each[tile->first[1] + j] += fixed(column[j]);
}

/* Σ over all pairs of units, which become twice as long, and over those of each unit.
 *   each  out  (R) or NULL */
static ig_status spread_all(ig_units *u, double *sum, double *each, ig_pool *pool,
                            ig_watch *watch, ig_error *error)
{
    ig_products products = {0};
    struct spread spread = {.kernels = ig_kernels_best(), .rows = u->count};
    ig_consumer consumer = {.take = take, .context = &spread};
    ig_status status =
        ig_products_init(&products, u->count, 0, u->dims, ig_pool_threads(pool), error);
    size_t tiles;

    products.self = true;
    products.side[0] = (ig_block){.count = u->count, .row = u->unit};
    tiles = status == IG_OK ? ig_products_tiles(&products) : 0;
    spread.sum = ig_alloc(tiles, sizeof *spread.sum);
    if (each)
        spread.each = ig_alloc(ig_pool_threads(pool), u->count * sizeof *spread.each);
    if (status == IG_OK && (!spread.sum || (each && !spread.each)))
        status = ig_fail_memory(error, "uniformity");
    /* <2u, 2v> = 4<u, v>, to the bit. */
    for (size_t i = 0; status == IG_OK && i < u->count * u->dims; i++)
        u->unit[i] *= 2;
    if (status == IG_OK && !ig_products_run_pool(&products, &consumer, 1, pool, watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    for (size_t t = 0; t < tiles && status == IG_OK; t++)
        *sum += spread.sum[t];
    for (size_t i = 0; each && status == IG_OK && i < u->count; i++) {
        int64_t all = 0;

        for (size_t m = 0; m < ig_pool_threads(pool); m++)
            all += spread.each[m * u->count + i];
        each[i] = (double)all * 0x1p-40;
    }
    ig_free(spread.sum);
    ig_free(spread.each);
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

/* The values of the rows from their sums. */
static void keep_rows(ig_geometry *geometry, const ig_units *u)
{
    double n = (double)u->count - 1, zeros = (double)u->zero_rows;
    double mean = exp(geometry->uniformity);

    for (size_t i = 0; i < u->count; i++) {
        double *value = &geometry->items.value[geometry->pairs + i];
        double half = exp(-2) - exp(-4), whole = 1 - exp(-4);

        *value += u->zero[i] ? (n + 1 - zeros) * half + (zeros - 1) * whole
                             : zeros * half;
        *value = 2 * *value / n - mean;
        geometry->items.row[geometry->pairs + i] = u->row[i];
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

/* `keep`: the values of items, too. */
static ig_status measure(ig_geometry *geometry, const ig_rows *rows,
                         const uint32_t *left, const uint32_t *right, size_t pairs,
                         bool keep, ig_pool *pool, ig_watch *watch, ig_error *error)
{
    uint32_t *list = pool_sides(left, right, pairs);
    size_t blocks = blocks_of(pairs), members = ig_pool_threads(pool);
    ig_units u = {0};
    struct pairs work = {.u = &u, .left = left, .right = right, .pairs = pairs};
    double apart = 0, spread = 0;
    ig_item_values items = {0};
    ig_status status;

    if (!list)
        return ig_fail_memory(error, "the rows to measure");
    status = ig_units_init(&u, rows, list, 2 * pairs, pool, watch, error);
    if (status == IG_OK && keep)
        status = ig_item_values_init(&items, pairs + u.count, 1, error);
    if (status != IG_OK)
        goto done;
    work.each = items.value;
    work.difference = ig_alloc(members, rows->dims * sizeof *work.difference);
    work.sum = ig_alloc(blocks, sizeof *work.sum);
    if (!work.difference || !work.sum) {
        status = ig_fail_memory(error, "alignment");
        goto done;
    }
    ig_pool_run(pool, align_member, &work);
    for (size_t b = 0; b < blocks; b++)
        apart += work.sum[b];
    status =
        spread_all(&u, &spread, keep ? items.value + pairs : NULL, pool, watch, error);
    if (status == IG_OK)
        conclude(geometry, &u, pairs, apart, spread);
    if (status == IG_OK && keep && !geometry->reason) {
        geometry->items = items;
        items = (ig_item_values){0};
        memcpy(geometry->items.row, left, pairs * sizeof *left);
        keep_rows(geometry, &u);
    }
done:
    ig_item_values_free(&items);
    ig_free(list);
    ig_free(work.difference);
    ig_free(work.sum);
    ig_units_free(&u);
    return status;
}

ig_status ig_geometry_measure(ig_geometry *geometry, const ig_rows *rows,
                              const uint32_t *left, const uint32_t *right, size_t pairs,
                              ig_pool *pool, ig_watch *watch, ig_error *error)
{
    return measure(geometry, rows, left, right, pairs, false, pool, watch, error);
}

bool ig_geometry_is_point(const ig_geometry *geometry)
{
    return geometry->uniformity > -0.02;
}

/* --- what it is made of ----------------------------------------------------------- */

static double value_of(const void *result, size_t item)
{
    return ((const ig_geometry *)result)->items.value[item];
}

static double log_of_mean(const void *result, const double *mean)
{
    (void)result;
    return log(mean[0]); /* NaN where a draw leaves nothing */
}

static uint32_t row_of(const void *result, size_t item)
{
    return ((const ig_geometry *)result)->items.row[item];
}

/* The pairs, of which alignment is made, then the rows, of which uniformity is. */
static size_t first_of(const void *result, size_t stratum)
{
    const ig_geometry *g = result;

    return stratum == 0 ? 0 : stratum == 1 ? g->pairs : g->items.count;
}

static bool has_part(const void *result, const ig_measure_entry *entry, size_t stratum)
{
    (void)result;
    return (entry->follows != NULL) == (stratum == 1);
}

static void family_items(const void *result, ig_items *items)
{
    items->count = ((const ig_geometry *)result)->items.count;
    items->row = row_of;
    if (items->count == 0)
        return;
    items->strata = 2;
    items->first = first_of;
    items->counts = has_part;
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
     .at = offsetof(ig_geometry, alignment),
     .value = value_of},
    {.family = &ig_geometry_family,
     .key = "uniformity",
     .name = "uniformity",
     .brief = "uniform.",
     .about = "How evenly the unit vectors fill the sphere: log of the mean of "
              "exp(−2‖u−v‖²) over pairs of rows.",
     .source = "wang; bias eq.9",
     .decimals = 3,
     .better = {-1, -1, 0},
     .at = offsetof(ig_geometry, uniformity),
     .value = value_of,
     .follows = log_of_mean},
};

static double family_work(const ig_measure_input *in)
{
    return (double)in->paired * (double)in->paired * (double)in->base->dims;
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_geometry *g = result;
    ig_status status = measure(g, in->base, in->pairs->left, in->pairs->right,
                               in->pairs->pairs, in->intervals, in->pool, in->watch,
                               error);

    ig_item_values_rename(&g->items, in->row);
    return status;
}

static void family_free(void *result)
{
    ig_geometry *g = result;

    ig_item_values_free(&g->items);
    *g = (ig_geometry){0};
}

const ig_family ig_geometry_family = {.name = "alignment and uniformity",
                                      .needs = IG_NEEDS_PAIRS,
                                      .work = family_work,
                                      .take = family_take,
                                      .free = family_free,
                                      .items = family_items,
                                      .reason_at = offsetof(ig_geometry, reason),
                                      .entry = entries,
                                      .entries = sizeof entries / sizeof *entries};
