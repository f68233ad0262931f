/* Alignment and uniformity [wang; bias eq.8-9]. Legend: R distinct rows u of length 1
 * (or 0), d dims.
 *
 * For intervals the sums of single rows are kept, too. Members take tiles as they come,
 * and what they add must not depend on the order: it is added as whole numbers of
 * 2^-40. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "measure/pair_pass.h"
#include "measure/results.h"

enum { BLOCK = 256 }; /* pairs whose distances are summed together */

/* --- alignment -------------------------------------------------------------------- */

struct pairs {
    const ig_points *points;
    const uint32_t *at;           /* (rows) place of a row */
    const uint32_t *left, *right; /* (pairs) */
    size_t pairs, each;
    float *buffer; /* (members, each) two rows, their difference, and what reading them
                      takes */
    double *sum;   /* (blocks) Σ ‖a − b‖²: added up in this order */
    float *value;  /* (pairs) ‖a − b‖², or NULL */
};

static size_t blocks_of(size_t n)
{
    return (n + BLOCK - 1) / BLOCK;
}

/* ‖a − b‖² of two points. Points are stored relative to the centre of their language,
 * except zero rows. */
static double squared_distance(const ig_points *p, uint32_t a, uint32_t b,
                               float *buffer)
{
    const ig_kernels *kernels = ig_kernels_best();
    const uint32_t place[2] = {a, b};
    size_t d = p->dims, terms = 2;
    const float *v[4];
    float by[4] = {1, -1}, *difference = buffer + 2 * d;

    if (p->same && p->same[a] == p->same[b])
        return 0;
    for (size_t k = 0; k < 2; k++)
        v[k] = ig_points_view(p, &place[k], 1, buffer + k * d, buffer + 3 * d);
    if (p->language[a] != p->language[b] || p->zero[a] || p->zero[b]) {
        for (size_t k = 0; k < 2; k++) {
            v[2 + k] = p->centre + p->language[place[k]] * d;
            by[2 + k] = p->zero[place[k]] ? 0 : by[k];
        }
        terms = 4;
    }
    kernels->combine(v, by, terms, d, 0, difference);
    return kernels->dot(difference, difference, d);
}

static void align_pairs(void *context, size_t member, size_t first, size_t last)
{
    const struct pairs *p = context;
    float *buffer = p->buffer + member * p->each;

    for (size_t i = first; i < last; i++) {
        double by =
            squared_distance(p->points, p->at[p->left[i]], p->at[p->right[i]], buffer);

        p->sum[i / BLOCK] += by;
        if (p->value)
            p->value[i] = (float)by;
    }
}

/* --- uniformity ------------------------------------------------------------------- */

struct spread {
    const uint32_t *query; /* (queries) places of the rows that ask */
    const uint8_t *part;   /* (R) by place, 1: a row takes part; NULL: all do */
    double *sum;   /* (tiles) added up in this order, so that who took which does
                            not matter */
    int64_t *each; /* (members, queries) the same of single rows, in 2^-40; or NULL */
    size_t queries, tiles, members;
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
static void add_tile(void *context, size_t member, const ig_tile *tile)
{
    const struct spread *spread = context;
    const ig_kernels *kernels = ig_kernels_best();
    int64_t *each = spread->each ? spread->each + member * spread->queries : NULL;
    const uint8_t *part = spread->part;
    bool columns = each && !spread->sample; /* have sums, too */
    float shift = (float)(4 - 4 * tile->base), row[IG_TILE_COLS];
    double column[IG_TILE_COLS] = {0};

    for (size_t i = 0; i < tile->count[0]; i++) {
        /* Diagonal tile: count each pair once. */
        size_t own = tile->first[0] + i + 1;
        size_t skip = tile->columns || spread->sample || own < tile->first[1]
                          ? 0
                          : own - tile->first[1];
        const float *product = tile->product[0] + i * IG_TILE_COLS + skip;
        double sum = 0;

        if (skip >= tile->count[1] || (part && !part[spread->query[own - 1]]))
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

static ig_status reduce_sums(void *context, ig_comm *team, ig_error *error)
{
    struct spread *spread = context;

    (void)error;
    ig_comm_sum(team, spread->sum, spread->tiles);
    for (size_t m = 1; spread->each && m < spread->members; m++)
        for (size_t i = 0; i < spread->queries; i++) {
            spread->each[i] += spread->each[m * spread->queries + i];
            spread->each[m * spread->queries + i] = 0;
        }
    if (spread->each)
        ig_comm_sum64(team, spread->each, spread->queries);
    return IG_OK;
}

static ig_status spread_init(struct spread *spread, const ig_pair_pass *pass,
                             size_t members, bool keep, ig_error *error)
{
    *spread = (struct spread){.query = pass->query,
                              .queries = pass->queries,
                              .tiles = ig_pair_pass_tiles(pass),
                              .members = members,
                              .sample = pass->asks != NULL};
    keep |= spread->sample;
    spread->sum = ig_alloc(spread->tiles, sizeof *spread->sum);
    if (keep)
        spread->each = ig_alloc(members, pass->queries * sizeof *spread->each);
    return spread->sum && (!keep || spread->each) ? IG_OK
                                                  : ig_fail_memory(error, "uniformity");
}

static void spread_free(struct spread *spread)
{
    IG_FREE(spread->sum, spread->each);
}

static double spread_sum(const struct spread *spread)
{
    double sum = 0;

    for (size_t t = 0; t < spread->tiles; t++)
        sum += spread->sum[t];
    return sum;
}

static double spread_of(const struct spread *spread, size_t query)
{
    int64_t all = 0;

    for (size_t m = 0; m < spread->members; m++)
        all += spread->each[m * spread->queries + query];
    return (double)all * 0x1p-40;
}

/* --- both ------------------------------------------------------------------------- */

/* Numbers of measured rows and of zero rows. */
struct counts {
    size_t rows, zeros, pairs;
};

static void fill_figures(ig_geometry *geometry, struct counts counts, double apart,
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

static ig_status measure_alignment(struct pairs *work, double *apart, ig_pool *pool,
                                   ig_error *error)
{
    size_t blocks = blocks_of(work->pairs);
    ig_status status = IG_OK;

    work->each = 3 * work->points->dims + work->points->source->scratch;
    work->buffer = ig_alloc(ig_pool_threads(pool), work->each * sizeof *work->buffer);
    work->sum = ig_alloc(blocks, sizeof *work->sum);
    if (work->buffer && work->sum)
        ig_parallel_for(pool, work->pairs, BLOCK, align_pairs, work);
    else
        status = ig_fail_memory(error, "alignment");
    *apart = 0;
    for (size_t b = 0; b < blocks && status == IG_OK; b++)
        *apart += work->sum[b];
    IG_FREE(work->buffer, work->sum);
    return status;
}

/* --- in a pass -------------------------------------------------------------------- */

/* State shared by both measures during a pass. */
struct asked {
    const ig_pair_pass *pass;
    uint32_t *at; /* (rows of the base) place */
    uint8_t *part;
    struct counts counts;
    struct spread spread;
};

static void free_state(void *state)
{
    struct asked *asked = state;

    if (!asked)
        return;
    IG_FREE(asked->at, asked->part);
    spread_free(&asked->spread);
    ig_free(asked);
}

static bool asks(const struct asked *asked, size_t query)
{
    return query < asked->pass->queries && asked->part[asked->pass->query[query]] &&
           ig_pair_pass_is_drawn(asked->pass, query);
}

/* Find the rows of the pairs; false if the pass lacks one. */
static bool find_rows(struct asked *asked, const ig_measure_input *in)
{
    const ig_retrieval_pairs *pairs = in->pairs;
    const ig_points *points = &asked->pass->points;

    for (size_t i = 0; i < in->base->rows; i++)
        asked->at[i] = UINT32_MAX;
    for (size_t p = 0; p < points->count; p++)
        asked->at[points->row[p]] = (uint32_t)p;
    for (size_t i = 0; i < pairs->pairs; i++)
        for (int s = 0; s < 2; s++) {
            uint32_t row = s ? pairs->right[i] : pairs->left[i];

            if (row >= in->base->rows || asked->at[row] == UINT32_MAX)
                return false;
            asked->part[asked->at[row]] = 1;
        }
    asked->counts.pairs = pairs->pairs;
    for (size_t p = 0; p < points->count; p++) {
        asked->counts.rows += asked->part[p];
        asked->counts.zeros += asked->part[p] && points->zero[p];
    }
    return true;
}

static ig_status group_join(const ig_measure_input *in, ig_pair_pass *pass,
                            void **state, ig_error *error)
{
    struct asked *asked = ig_alloc(1, sizeof *asked);
    ig_status status = IG_OK;

    if (asked) {
        asked->pass = pass;
        asked->at = ig_alloc(in->base->rows, sizeof *asked->at);
        asked->part = ig_alloc(pass->points.count, 1);
    }
    if (!asked || !asked->at || !asked->part) {
        free_state(asked);
        return ig_fail_memory(error, "uniformity");
    }
    if (!find_rows(asked, in)) {
        free_state(asked);
        return IG_OK;
    }
    status = spread_init(&asked->spread, pass, ig_pool_threads(in->pool), in->intervals,
                         error);
    if (status != IG_OK) {
        free_state(asked);
        return status;
    }
    if (asked->counts.rows < pass->points.count)
        asked->spread.part = asked->part;
    pass->consumer[pass->consumers++] = (ig_consumer){
        .take = add_tile, .context = &asked->spread, .unite = reduce_sums};
    *state = asked;
    return IG_OK;
}

static double mean_of_query(const struct asked *asked, size_t query)
{
    return mean_of_row(asked->counts, spread_of(&asked->spread, query),
                       asked->pass->points.zero[asked->pass->query[query]]);
}

/* The values of the pairs, which are had, and of the rows that ask, in the order of the
 * base. What a row adds to the mean over all pairs of rows is twice its own mean, less
 * that of all; of a sample, whose rows have theirs over all rows, its own mean. */
static void keep_values(ig_geometry *geometry, const struct asked *asked,
                        const ig_measure_input *in, ig_item_values *items)
{
    size_t at = geometry->pairs;

    for (uint32_t i = 0; i < in->base->rows; i++) {
        size_t query = asked->at[i] == UINT32_MAX
                           ? SIZE_MAX
                           : ig_pair_pass_query(asked->pass, asked->at[i]);
        double mean;

        if (!asks(asked, query))
            continue;
        mean = mean_of_query(asked, query);
        items->row[at] = i;
        items->value[at++] =
            (float)(asked->spread.sample ? mean : 2 * mean - exp(geometry->uniformity));
    }
    memcpy(items->row, in->pairs->left, geometry->pairs * sizeof *items->row);
    geometry->items = *items;
    *items = (ig_item_values){0};
}

static size_t count_asking(const struct asked *asked)
{
    size_t n = 0;

    for (size_t q = 0; q < asked->pass->queries; q++)
        n += asks(asked, q);
    return n;
}

/* Estimate uniformity from sampled rows against all others; NaN if no sampled row
 * occurs in a pair. */
static void estimate_uniformity(ig_geometry *geometry, const struct asked *asked)
{
    double sum = 0;
    size_t n = 0;

    for (size_t q = 0; q < asked->pass->queries; q++)
        if (asks(asked, q)) {
            sum += mean_of_query(asked, q);
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
    const ig_points *points = &asked->pass->points;
    struct pairs work = {.points = points,
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
    work.value = items.value;
    if (status == IG_OK && !points->odd_rows)
        status = measure_alignment(&work, &by, in->pool, error);
    if (status == IG_OK)
        fill_figures(geometry, asked->counts, by, spread_sum(&asked->spread));
    if (status == IG_OK && asked->spread.sample)
        estimate_uniformity(geometry, asked);
    if (status == IG_OK && keeps && !geometry->reason)
        keep_values(geometry, asked, in, &items);
    ig_item_values_free(&items);
    return status;
}

static ig_status measure_pairs(ig_geometry *geometry, const ig_measure_input *in,
                               ig_error *error)
{
    const ig_retrieval_pairs *pairs = in->pairs;
    size_t n = in->base->rows, rows = 0;
    uint8_t *seen = ig_alloc(n, 1);
    uint32_t *list = ig_alloc(n, sizeof *list);
    ig_pair_pass pass = {0};
    void *state = NULL;
    ig_status status = seen && list ? IG_OK
                                    : ig_fail_memory(error, "the rows to measure");

    for (size_t i = 0; status == IG_OK && i < 2 * pairs->pairs; i++) {
        uint32_t row = i % 2 ? pairs->right[i / 2] : pairs->left[i / 2];

        if (row >= n)
            status = ig_fail(error, IG_SHAPE,
                             "row %u of a pair, but there are %zu rows", (unsigned)row,
                             n);
        else
            seen[row] = 1;
    }
    for (uint32_t i = 0; status == IG_OK && i < n; i++)
        if (seen[i])
            list[rows++] = i;
    if (status == IG_OK)
        status = ig_pair_pass_init(&pass, in->base, list, rows, NULL, 1, NULL, in->hold,
                                   in->pool, in->watch, error);
    if (status == IG_OK)
        status = group_join(in, &pass, &state, error);
    if (status == IG_OK)
        status = ig_pair_pass_run(&pass, in->pool, in->watch, error);
    if (status == IG_OK)
        status = conclude_pass(geometry, state, in, error);
    free_state(state);
    ig_pair_pass_free(&pass);
    IG_FREE(seen, list);
    return status;
}

ig_status ig_geometry_measure(ig_geometry *geometry, const ig_rows *rows,
                              const uint32_t *left, const uint32_t *right, size_t pairs,
                              ig_pool *pool, ig_progress *watch, ig_error *error)
{
    const ig_retrieval_pairs of = {.left = left, .right = right, .pairs = pairs};

    return measure_pairs(geometry,
                         &(ig_measure_input){.base = rows,
                                             .pairs = &of,
                                             .hold = IG_HELD_BYTES,
                                             .pool = pool,
                                             .watch = watch},
                         error);
}

bool ig_geometry_is_point(const ig_geometry *geometry)
{
    return geometry->uniformity > -0.02;
}

/* --- items ------------------------------------------------------------------------ */

IG_ITEM(value_of, double, ig_geometry, r->items.value[i])
IG_ITEM(row_of, uint32_t, ig_geometry, r->items.row[i])

static double log_of_mean(const void *result, const double *mean)
{
    (void)result;
    return log(mean[0]); /* NaN where a draw leaves nothing */
}

/* --- the group -------------------------------------------------------------------- */

static void group_append(const void *result, ig_figures *figures)
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

static double group_work(const ig_measure_input *in)
{
    return (double)in->paired * (double)in->paired * (double)in->base->dims;
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_geometry *g = result;
    ig_status status = in->state ? conclude_pass(g, in->state, in, error)
                                 : measure_pairs(g, in, error);

    ig_item_values_rename(&g->items, in->row);
    return status;
}

static void group_free(void *result)
{
    ig_geometry *g = result;

    ig_item_values_free(&g->items);
    *g = (ig_geometry){0};
}

IG_GROUP(geometry, "alignment and uniformity", IG_NEEDS_PAIRS, .join = group_join,
         .forget = free_state, .free = group_free);
