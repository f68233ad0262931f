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
#include "measure/pair_pass.h"

enum { BLOCK = 256 }; /* pairs whose distances are summed together */

/* --- alignment -------------------------------------------------------------------- */

struct pairs {
    const ig_units *u;
    const ig_pair_pass *pass;     /* whose units these are, or NULL: they ascend */
    const uint32_t *at;           /* with a pass: (rows) place of a row */
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

static size_t place_of(const struct pairs *p, uint32_t row)
{
    return p->at ? p->at[row] : ig_units_find(p->u, row);
}

/* ‖a − b‖² of two units. Those of a pass lie about the centres of their languages, but
 * those of length 0. */
static double apart(const struct pairs *p, size_t a, size_t b, float *difference)
{
    const ig_kernels *kernels = ig_kernels_best();
    const ig_pair_pass *pass = p->pass;
    size_t d = p->u->dims, terms = 2;
    const float *v[4] = {p->u->unit + a * d, p->u->unit + b * d};
    float by[4] = {1, -1};

    if (pass && pass->same && pass->same[a] == pass->same[b])
        return 0;
    if (pass &&
        (pass->language[a] != pass->language[b] || p->u->zero[a] || p->u->zero[b])) {
        v[2] = pass->block[pass->language[a]].centre;
        v[3] = pass->block[pass->language[b]].centre;
        by[2] = p->u->zero[a] ? 0 : 1;
        by[3] = p->u->zero[b] ? 0 : -1;
        terms = 4;
    }
    kernels->combine(v, by, terms, d, 0, difference);
    return kernels->dot(difference, difference, d);
}

static void align_pairs(void *context, size_t member, size_t first, size_t last)
{
    const struct pairs *p = context;
    float *difference = p->difference + member * p->u->dims;

    for (size_t i = first; i < last; i++) {
        double by =
            apart(p, place_of(p, p->left[i]), place_of(p, p->right[i]), difference);

        p->sum[i / BLOCK] += by;
        if (p->each)
            p->each[i] = by;
    }
}

/* --- uniformity ------------------------------------------------------------------- */

struct spread {
    const uint8_t *part; /* (R) 1: a row takes part; NULL: all do */
    double *sum;         /* (tiles) added up in this order, so that who took which does
                            not matter */
    int64_t *each;       /* (members, R) the same of single rows, in 2^-40; or NULL */
    size_t rows, tiles, members;
    bool sample; /* rows of a sample are summed over all rows; `sum` is not used */
};

static int64_t fixed(double sum)
{
    return (int64_t)llround(sum * 0x1p40);
}

/* Four times a row's products with n rows, −∞ with those that do not take part. */
static void quadruple(const float *product, const uint8_t *part, size_t n, float *out)
{
    for (size_t j = 0; j < n; j++)
        out[j] = 4 * product[j];
    for (size_t j = 0; part && j < n; j++)
        out[j] = part[j] ? out[j] : -INFINITY;
}

/* Σ exp(−2‖u−v‖²) = Σ exp(4<u, v> − 4) of a tile, each pair once (of a sample: of its
 * rows), as if no row had length 0. */
static void take(void *context, size_t member, const ig_tile *tile)
{
    const struct spread *spread = context;
    const ig_kernels *kernels = ig_kernels_best();
    int64_t *each = spread->each ? spread->each + member * spread->rows : NULL;
    const uint8_t *part = spread->part;
    bool columns = each && !spread->sample; /* have sums, too */
    float shift = (float)(4 - 4 * tile->base), row[IG_TILE_COLS];
    double column[IG_TILE_COLS] = {0};

    for (size_t i = 0; i < tile->count[0]; i++) {
        /* Where both (u, v) and (v, u) stand, only what comes after the row itself. */
        size_t own = tile->first[0] + i + 1;
        size_t skip = tile->columns || spread->sample || own < tile->first[1]
                          ? 0
                          : own - tile->first[1];
        const float *product = tile->product + i * IG_TILE_COLS + skip;
        double sum = 0;

        if (skip >= tile->count[1] || (part && !part[own - 1]))
            continue;
        if (!part)
            sum = kernels->exp_sum(product, 4, shift, tile->count[1] - skip);
        if (part || columns) {
            quadruple(product, part ? part + tile->first[1] + skip : NULL,
                      tile->count[1] - skip, row);
            kernels->exp(row, &shift, 0, tile->count[1] - skip, row,
                         part ? &sum : NULL);
        }
        if (!spread->sample)
            spread->sum[tile->number] += sum;
        if (each)
            each[own - 1] += fixed(sum);
        for (size_t j = 0; columns && j < tile->count[1] - skip; j++)
            column[skip + j] += (double)row[j];
    }
    for (size_t j = 0; columns && j < tile->count[1]; j++)
        each[tile->first[1] + j] += fixed(column[j]);
}

/* A tile is one rank's. */
static ig_status unite(void *context, ig_team *team, ig_error *error)
{
    struct spread *spread = context;

    (void)error;
    ig_team_sum(team, spread->sum, spread->tiles);
    for (size_t m = 1; spread->each && m < spread->members; m++)
        for (size_t i = 0; i < spread->rows; i++) {
            spread->each[i] += spread->each[m * spread->rows + i];
            spread->each[m * spread->rows + i] = 0;
        }
    if (spread->each)
        ig_team_sum64(team, spread->each, spread->rows);
    return IG_OK;
}

static ig_status spread_init(struct spread *spread, size_t rows, size_t tiles,
                             size_t members, bool keep, ig_error *error)
{
    *spread = (struct spread){.rows = rows, .tiles = tiles, .members = members};
    spread->sum = ig_alloc(tiles, sizeof *spread->sum);
    if (keep)
        spread->each = ig_alloc(members, rows * sizeof *spread->each);
    return spread->sum && (!keep || spread->each) ? IG_OK
                                                  : ig_fail_memory(error, "uniformity");
}

static void spread_free(struct spread *spread)
{
    ig_free(spread->sum);
    ig_free(spread->each);
}

/* Σ over all pairs. */
static double spread_sum(const struct spread *spread)
{
    double sum = 0;

    for (size_t t = 0; t < spread->tiles; t++)
        sum += spread->sum[t];
    return sum;
}

/* Σ over the pairs of one row. */
static double spread_of(const struct spread *spread, size_t row)
{
    int64_t all = 0;

    for (size_t m = 0; m < spread->members; m++)
        all += spread->each[m * spread->rows + row];
    return (double)all * 0x1p-40;
}

/* --- both ------------------------------------------------------------------------- */

/* Rows that were measured, of them of length 0. */
struct counts {
    size_t rows, zeros, pairs;
};

static void conclude(ig_geometry *geometry, struct counts counts, double apart,
                     double spread)
{
    double rows = (double)counts.rows, zeros = (double)counts.zeros;
    double half = zeros * (rows - zeros);

    /* A row of length 0 is 1 from a unit row and 0 from its like, not √2. */
    spread += half * (exp(-2) - exp(-4)) + zeros * (zeros - 1) / 2 * (1 - exp(-4));
    *geometry = (ig_geometry){.alignment = apart / (double)counts.pairs,
                              .uniformity = log(spread / (rows * (rows - 1) / 2)),
                              .pairs = counts.pairs,
                              .rows = counts.rows,
                              .zero_rows = counts.zeros};
    if (counts.pairs == 0) {
        geometry->alignment = (double)NAN;
        geometry->uniformity = (double)NAN;
        geometry->reason = "no pairs";
    } else if (counts.rows < 2) {
        geometry->uniformity = (double)NAN;
        geometry->reason = "only one row";
    } else if (!isfinite(apart) || !isfinite(spread)) {
        geometry->alignment = geometry->uniformity = (double)NAN;
        geometry->reason = "a value is not finite";
    }
}

/* The mean over the others of exp(−2‖u−v‖²) of a row, from its sum. */
static double mean_of_row(struct counts counts, double sum, bool zero)
{
    double n = (double)counts.rows - 1, zeros = (double)counts.zeros;
    double half = exp(-2) - exp(-4), whole = 1 - exp(-4);

    sum += zero ? (n + 1 - zeros) * half + (zeros - 1) * whole : zeros * half;
    return sum / n;
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

/* Σ ‖a − b‖² over the pairs. */
static ig_status align(struct pairs *work, double *apart, ig_pool *pool,
                       ig_error *error)
{
    size_t blocks = blocks_of(work->pairs);
    ig_status status = IG_OK;

    work->difference =
        ig_alloc(ig_pool_threads(pool), work->u->dims * sizeof *work->difference);
    work->sum = ig_alloc(blocks, sizeof *work->sum);
    if (work->difference && work->sum)
        ig_pool_hand_out(pool, work->pairs, BLOCK, align_pairs, work);
    else
        status = ig_fail_memory(error, "alignment");
    *apart = 0;
    for (size_t b = 0; b < blocks && status == IG_OK; b++)
        *apart += work->sum[b];
    ig_free(work->difference);
    ig_free(work->sum);
    return status;
}

ig_status ig_geometry_measure(ig_geometry *geometry, const ig_rows *rows,
                              const uint32_t *left, const uint32_t *right, size_t pairs,
                              ig_pool *pool, ig_watch *watch, ig_error *error)
{
    uint32_t *list = pool_sides(left, right, pairs);
    size_t members = ig_pool_threads(pool);
    ig_units u = {0};
    struct pairs work = {.u = &u, .left = left, .right = right, .pairs = pairs};
    struct spread spread = {0};
    ig_products products = {0};
    ig_consumer consumer = {.take = take, .context = &spread};
    double by = 0;
    ig_status status;

    if (!list)
        return ig_fail_memory(error, "the rows to measure");
    status = ig_units_init(&u, rows, list, 2 * pairs, pool, watch, error);
    if (status == IG_OK)
        status = align(&work, &by, pool, error);
    if (status == IG_OK)
        status = ig_products_init(&products, u.count, 0, u.dims, members, error);
    if (status != IG_OK)
        goto done;
    products.self = true;
    products.team = ig_pool_team(pool);
    products.side[0] = (ig_block){.count = u.count, .row = u.unit};
    status = spread_init(&spread, u.count, ig_products_tiles(&products), members, false,
                         error);
    if (status == IG_OK && !ig_products_run_pool(&products, &consumer, 1, pool, watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    if (status == IG_OK)
        status = unite(&spread, ig_pool_team(pool), error);
    if (status == IG_OK)
        conclude(geometry, (struct counts){u.count, u.zero_rows, pairs}, by,
                 spread_sum(&spread));
done:
    spread_free(&spread);
    ig_products_free(&products);
    ig_free(list);
    ig_units_free(&u);
    return status;
}

/* --- in a pass -------------------------------------------------------------------- */

/* What both ask of a pass. */
struct asked {
    const ig_pair_pass *pass;
    uint32_t *at; /* (rows of the base) place */
    uint8_t *part;
    struct counts counts;
    struct spread spread;
};

static void forget(void *state)
{
    struct asked *asked = state;

    if (!asked)
        return;
    ig_free(asked->at);
    ig_free(asked->part);
    spread_free(&asked->spread);
    ig_free(asked);
}

/* Whether a place is that of a row of the pairs that asks. */
static bool asks(const struct asked *asked, uint32_t place)
{
    return place != UINT32_MAX && asked->part[place] &&
           ig_pair_pass_asks(asked->pass, place);
}

/* Where the rows of the pairs are; false: not all of them are in the pass. */
static bool find_rows(struct asked *asked, const ig_measure_input *in)
{
    const ig_retrieval_pairs *pairs = in->pairs;
    const ig_pair_pass *pass = asked->pass;

    for (size_t i = 0; i < in->base->rows; i++)
        asked->at[i] = UINT32_MAX;
    for (size_t p = 0; p < pass->rows; p++)
        asked->at[pass->units.row[p]] = (uint32_t)p;
    for (size_t i = 0; i < pairs->pairs; i++)
        for (int s = 0; s < 2; s++) {
            uint32_t row = s ? pairs->right[i] : pairs->left[i];

            if (row >= in->base->rows || asked->at[row] == UINT32_MAX)
                return false;
            asked->part[asked->at[row]] = 1;
        }
    asked->counts.pairs = pairs->pairs;
    for (size_t p = 0; p < pass->rows; p++) {
        asked->counts.rows += asked->part[p];
        asked->counts.zeros += asked->part[p] && pass->units.zero[p];
    }
    return true;
}

static ig_status family_join(const ig_measure_input *in, ig_pair_pass *pass,
                             void **state, ig_error *error)
{
    struct asked *asked = ig_alloc(1, sizeof *asked);
    ig_status status = IG_OK;

    if (asked) {
        asked->pass = pass;
        asked->at = ig_alloc(in->base->rows, sizeof *asked->at);
        asked->part = ig_alloc(pass->rows, 1);
    }
    if (!asked || !asked->at || !asked->part) {
        forget(asked);
        return ig_fail_memory(error, "uniformity");
    }
    if (!find_rows(asked, in)) {
        forget(asked);
        return IG_OK;
    }
    status = spread_init(&asked->spread, pass->rows, ig_pair_pass_tiles(pass),
                         ig_pool_threads(in->pool), in->intervals || pass->asks, error);
    if (status != IG_OK) {
        forget(asked);
        return status;
    }
    asked->spread.sample = pass->asks != NULL;
    if (asked->counts.rows < pass->rows)
        asked->spread.part = asked->part;
    pass->consumer[pass->consumers++] =
        (ig_consumer){.take = take, .context = &asked->spread, .unite = unite};
    *state = asked;
    return IG_OK;
}

/* The values of the pairs, which are had, and of the rows that ask, in the order of the
 * base. What a row adds to the mean over all pairs of rows is twice its own mean, less
 * that of all; of a sample, whose rows have theirs over all rows, its own mean. */
static void keep_values(ig_geometry *geometry, const struct asked *asked,
                        const ig_measure_input *in, ig_item_values *items)
{
    size_t at = geometry->pairs;

    for (uint32_t i = 0; i < in->base->rows; i++) {
        uint32_t p = asked->at[i];
        double mean;

        if (!asks(asked, p))
            continue;
        mean = mean_of_row(asked->counts, spread_of(&asked->spread, p),
                           asked->pass->units.zero[p]);
        items->row[at] = i;
        items->value[at++] =
            asked->spread.sample ? mean : 2 * mean - exp(geometry->uniformity);
    }
    memcpy(items->row, in->pairs->left, geometry->pairs * sizeof *items->row);
    geometry->items = *items;
    *items = (ig_item_values){0};
}

/* Rows of the pairs that ask. */
static size_t count_asking(const struct asked *asked)
{
    size_t n = 0;

    for (uint32_t p = 0; p < asked->pass->rows; p++)
        n += asks(asked, p);
    return n;
}

/* Uniformity by the rows of a sample, each with all others; NaN where none of them
 * occurs in a pair. */
static void estimate(ig_geometry *geometry, const struct asked *asked)
{
    double sum = 0;
    size_t n = 0;

    for (uint32_t p = 0; p < asked->pass->rows; p++)
        if (asks(asked, p)) {
            sum += mean_of_row(asked->counts, spread_of(&asked->spread, p),
                               asked->pass->units.zero[p]);
            n++;
        }
    if (!geometry->reason)
        geometry->uniformity = log(sum / (double)n); /* 0/0 is NaN */
    if (!geometry->reason && n == 0)
        geometry->reason = "no row of the sample occurs in a pair";
}

static ig_status conclude_pass(ig_geometry *geometry, struct asked *asked,
                               const ig_measure_input *in, ig_error *error)
{
    bool keeps = in->intervals || asked->spread.sample;
    const ig_pair_pass *pass = asked->pass;
    struct pairs work = {.u = &pass->units,
                         .pass = pass,
                         .at = asked->at,
                         .left = in->pairs->left,
                         .right = in->pairs->right,
                         .pairs = in->pairs->pairs};
    ig_item_values items = {0};
    double by = (double)NAN;
    ig_status status = IG_OK;

    if (keeps)
        status =
            ig_item_values_init(&items, work.pairs + count_asking(asked), 1, error);
    work.each = items.value;
    if (status == IG_OK && !pass->units.odd_rows)
        status = align(&work, &by, in->pool, error);
    if (status == IG_OK)
        conclude(geometry, asked->counts, by, spread_sum(&asked->spread));
    if (status == IG_OK && asked->spread.sample)
        estimate(geometry, asked);
    if (status == IG_OK && keeps && !geometry->reason)
        keep_values(geometry, asked, in, &items);
    ig_item_values_free(&items);
    return status;
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

/* --- the family ------------------------------------------------------------------ */

static void family_append(const void *result, ig_figures *figures)
{
    static const ig_items alignment = {.value = {value_of}, .row = row_of},
                          uniformity = {.value = {value_of},
                                        .row = row_of,
                                        .follows = log_of_mean};
    const ig_geometry *g = result;
    ig_figure *row = ig_figures_add(figures, "alignment", g->alignment, g->reason);

    row->n = g->pairs;
    row->column = g->items.count ? &alignment : NULL;
    row->items = g->items.count ? g->pairs : 0;
    row = ig_figures_add(figures, "uniformity", g->uniformity, g->reason);
    row->n = g->rows;
    row->column = g->items.count > g->pairs ? &uniformity : NULL;
    row->first = g->pairs;
    row->items = row->column ? g->items.count - g->pairs : 0;
}

static double family_work(const ig_measure_input *in)
{
    return (double)in->paired * (double)in->paired * (double)in->base->dims;
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_geometry *g = result;
    ig_status status =
        in->state ? conclude_pass(g, in->state, in, error)
                  : ig_geometry_measure(g, in->base, in->pairs->left, in->pairs->right,
                                        in->pairs->pairs, in->pool, in->watch, error);

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
                                      .join = family_join,
                                      .forget = forget,
                                      .take = family_take,
                                      .free = family_free,
                                      .append = family_append};
