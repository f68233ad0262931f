/* The bootstrap. Legend: u units (meanings, or items of correlations), B draws. A
 * figure that is a mean is, in a draw, Σ w S / Σ w C, w (u) how often each unit was
 * drawn, S and C (u) the sum of its items' values and their number: W S and W C, W (B,
 * u), give all draws of many figures at once. Of figures that follow from several means
 * there are several S. Others, such as correlations, are computed from weighted items;
 * a mean over figures is that of their draws. Draw b is a function of the seed and b
 * alone. */
#include "measure/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"
#include "core/random.h"
#include "measure/resampling.h"
#include "measure/statistics.h"

enum {
    STREAM = 0x424f4f54,
    HELD = 1 << 23, /* weights held in memory */
    ITEMS_MIN = 10  /* connected items of a correlation that has an interval */
};

/* --- percentiles ------------------------------------------------------------------ */

/* Value k in ascending order; those before it are not above it, those behind it not
 * below (quickselect, Hoare). */
static double select_value(double *a, size_t n, size_t k)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, at = (ptrdiff_t)k;

    while (low < high) {
        double pivot = a[low + (high - low) / 2];
        ptrdiff_t i = low, j = high;

        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                double x = a[i];

                a[i++] = a[j];
                a[j--] = x;
            }
        }
        if (at <= j)
            high = j;
        else if (at >= i)
            low = i;
        else
            break;
    }
    return a[k];
}

static double percentile(double *a, size_t n, double share)
{
    double at = share * (double)(n - 1), below = floor(at);
    size_t k = (size_t)below;
    double low = select_value(a, n, k), next = low;

    if (at > below) {
        next = a[k + 1];
        for (size_t i = k + 2; i < n; i++)
            next = a[i] < next ? a[i] : next;
    }
    return low + (at - below) * (next - low);
}

/* The percentile, expanded for few units as a mean's interval would be (Hesterberg
 * 2015): Φ(−t √(n / (n − 1))), t the quantile with n − 1 degrees of freedom. */
static double tail_of(size_t units)
{
    double n = (double)units;

    return units > 1 ? 0.5 * erfc(ig_t_quantile(n - 1) * sqrt(n / (n - 1) / 2)) : 0.025;
}

ig_interval ig_interval_of(double *value, size_t n, size_t units)
{
    double tail = tail_of(units);
    size_t count = 0;
    ig_interval out;

    for (size_t i = 0; i < n; i++)
        if (!isnan(value[i]))
            value[count++] = value[i];
    if (count == 0 || 2 * count < n)
        return IG_NO_INTERVAL;
    out.low = percentile(value, count, tail);
    out.high = percentile(value, count, 1 - tail);
    return out;
}

/* --- draws ------------------------------------------------------------------------ */

/* A range of draws. */
struct drawing {
    uint64_t seed;
    size_t units, first, count;
    float *weight; /* (count, units) */
};

static void make_draws(void *context, size_t member, size_t first, size_t last)
{
    const struct drawing *d = context;

    (void)member;
    for (size_t b = first; b < last; b++) {
        float *weight = d->weight + b * d->units;
        ig_random random;

        ig_random_init(&random, d->seed, STREAM + d->first + b);
        memset(weight, 0, d->units * sizeof *weight);
        for (size_t i = 0; i < d->units; i++)
            weight[ig_random_below(&random, d->units)]++;
    }
}

static size_t draws_at_once(size_t units)
{
    size_t draws = units ? HELD / units : IG_DRAWS;

    return draws < 1 ? 1 : draws > IG_DRAWS ? IG_DRAWS : draws;
}

ig_status ig_resampling_init(ig_resampling *r, size_t rows,
                             const ig_evaluation_spec *subject, uint64_t seed,
                             ig_pool *pool, ig_error *error)
{
    ig_status status = IG_OK;

    *r = (ig_resampling){
        .rows = rows, .unit = ig_alloc(rows, sizeof *r->unit), .seed = seed};
    if (!r->unit)
        status = ig_fail_memory(error, "the intervals");
    else
        status = ig_evaluation_spec_units(subject, rows, r->unit, &r->units, error);
    if (status == IG_OK && r->units && draws_at_once(r->units) == IG_DRAWS) {
        struct drawing d = {.seed = seed, .units = r->units, .count = IG_DRAWS};

        d.weight = r->weight = ig_alloc(IG_DRAWS * r->units, sizeof *r->weight);
        if (r->weight)
            ig_parallel_for(pool, d.count, 1, make_draws, &d);
        else
            status = ig_fail_memory(error, "the intervals");
    }
    if (status != IG_OK)
        ig_resampling_free(r);
    return status;
}

void ig_resampling_free(ig_resampling *resampling)
{
    IG_FREE(resampling->unit, resampling->weight);
    *resampling = (ig_resampling){0};
}

/* --- items ------------------------------------------------------------------------ */

/* Items of a figure that follows from weighted items. */
struct listed {
    ig_weighted of;
    double *value[2];   /* (n) */
    uint32_t *order[2]; /* (n) */
    uint32_t *unit;     /* (n) */
};

/* The bootstrap of some rows of one group, drawn together. */
struct job {
    const ig_resampling *resampling;
    ig_pool *pool;
    const void *result;
    ig_figure **row; /* (rows) */
    size_t rows;
    size_t units;          /* meanings, or connected items */
    float *weight;         /* (draws of a pass, units) */
    size_t first, draws;   /* these of the pass */
    float *draw;           /* (rows, IG_DRAWS) */
    double *scratch;       /* (members, room) */
    size_t room;           /* IG_DRAWS, or 3 for each item */
    size_t *column;        /* (rows + 1) of `sum` */
    float *sum, *drawn;    /* (units, columns), (draws of a pass, columns) */
    struct listed *listed; /* (rows) of weighted items, or NULL: of means */
    ig_arena arena;        /* of these arrays, but `weight` */
};

static bool stopped(const struct job *job)
{
    const atomic_bool *stop = job->resampling->stop;

    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static size_t terms_of(const ig_items *column)
{
    size_t terms = 0;

    while (terms < 3 && column->value[terms])
        terms++;
    return terms;
}

static size_t unit_of(const struct job *job, const ig_items *column, size_t item)
{
    return column->item ? column->item(job->result, item)
                        : job->resampling->unit[column->row(job->result, item)];
}

static void add_up(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;
    size_t columns = job->column[job->rows];

    (void)member;
    for (size_t r = first; r < last; r++) {
        const ig_figure *row = job->row[r];
        const ig_items *column = row->column;
        size_t terms = terms_of(column);

        for (size_t i = row->first; i < row->first + row->items; i++) {
            double value = column->value[0](job->result, i);
            float *sum = job->sum + unit_of(job, column, i) * columns + job->column[r];

            if (isnan(value))
                continue;
            for (size_t t = 0; t < terms; t++)
                sum[t] += (float)(t ? column->value[t](job->result, i) : value);
            sum[terms]++;
        }
    }
}

struct placed {
    double value;
    uint32_t at;
};

static int by_value(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static ig_status list_items(struct listed *l, struct job *job, const ig_figure *row,
                            ig_error *error)
{
    const ig_items *column = row->column;
    ig_arena *a = &job->arena;
    struct placed *sorted = ig_arena_array(a, row->items, sizeof *sorted);

    l->unit = ig_arena_array(a, row->items, sizeof *l->unit);
    for (size_t k = 0; k < terms_of(column); k++) {
        l->of.value[k] = l->value[k] =
            ig_arena_array(a, row->items, sizeof *l->value[k]);
        l->of.order[k] = l->order[k] =
            ig_arena_array(a, row->items, sizeof *l->order[k]);
    }
    if (a->failed)
        return ig_fail_memory(error, "the intervals");
    for (size_t i = row->first; i < row->first + row->items; i++) {
        size_t n = l->of.n;

        for (size_t k = 0; k < terms_of(column); k++)
            l->value[k][n] = column->value[k](job->result, i);
        l->unit[n] = (uint32_t)unit_of(job, column, i);
        l->of.n += !isnan(l->value[0][n]);
    }
    for (size_t k = 0; k < terms_of(column); k++) {
        for (size_t i = 0; i < l->of.n; i++)
            sorted[i] = (struct placed){l->value[k][i], (uint32_t)i};
        qsort(sorted, l->of.n, sizeof *sorted, by_value);
        for (size_t i = 0; i < l->of.n; i++)
            l->order[k][i] = sorted[i].at;
    }
    return IG_OK;
}

/* Row r of draw b of a pass, from its means. */
static double mean_of(const struct job *job, size_t r, size_t b)
{
    const ig_items *column = job->row[r]->column;
    const float *drawn = job->drawn + b * job->column[job->rows] + job->column[r];
    size_t terms = terms_of(column);
    double mean[3], count = (double)drawn[terms];

    if (!(count > 0))
        return (double)NAN;
    for (size_t t = 0; t < terms; t++)
        mean[t] = (double)drawn[t] / count;
    return column->follows ? column->follows(job->result, mean) : mean[0];
}

/* The same from its weighted items; scratch (3n). */
static double weighted_of(const struct job *job, size_t r, size_t b, double *scratch)
{
    const struct listed *l = &job->listed[r];
    const float *weight = job->weight + b * job->units;
    float *each = (float *)(scratch + 2 * l->of.n);
    ig_weighted of = l->of;
    bool any = false;

    for (size_t i = 0; i < of.n; i++) {
        each[i] = weight[l->unit[i]];
        any |= each[i] > 0;
    }
    of.weight = each;
    of.room = scratch;
    return any ? job->row[r]->column->weighted(&of) : (double)NAN;
}

/* --- draws of rows ---------------------------------------------------------------- */

static void take_draws(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;
    double *scratch = job->scratch + member * job->room;

    for (size_t b = first; b < last && !stopped(job); b++)
        for (size_t r = 0; r < job->rows; r++)
            job->draw[r * IG_DRAWS + job->first + b] =
                (float)(job->listed ? weighted_of(job, r, b, scratch)
                                    : mean_of(job, r, b));
}

/* Every draw of the rows; their sums or items are ready. */
static ig_status draw_rows(struct job *job, ig_error *error)
{
    const ig_resampling *r = job->resampling;
    bool held = r->weight && job->units == r->units;
    size_t at_once = draws_at_once(job->units), columns = job->column[job->rows];
    ig_status status = IG_OK;

    job->weight = held ? r->weight : ig_alloc(at_once * job->units, sizeof(float));
    job->drawn = ig_alloc(at_once * columns, sizeof *job->drawn);
    if (!job->weight || !job->drawn)
        status = ig_fail_memory(error, "the intervals");
    for (job->first = 0; status == IG_OK && job->first < IG_DRAWS;
         job->first += at_once) {
        struct drawing d = {r->seed, job->units, job->first, at_once, job->weight};

        if (d.count > IG_DRAWS - d.first)
            d.count = IG_DRAWS - d.first;
        if (!held)
            ig_parallel_for(job->pool, d.count, 1, make_draws, &d);
        if (!job->listed)
            status = ig_gemm_pool(job->pool, false, false, 1,
                                  ig_matrix_of(job->weight, d.count, job->units),
                                  ig_matrix_of(job->sum, job->units, columns), 0,
                                  ig_matrix_of(job->drawn, d.count, columns));
        if (status == IG_OK)
            ig_parallel_for(job->pool, d.count, 1, take_draws, job);
        if (stopped(job))
            status = ig_fail(error, IG_INTERRUPTED, "the intervals were cancelled");
    }
    if (!held)
        ig_free(job->weight);
    ig_free(job->drawn);
    return status;
}

static void set_interval(ig_figure *row, const float *draw, size_t units,
                         double *scratch)
{
    ig_interval interval;

    for (size_t b = 0; b < IG_DRAWS; b++)
        scratch[b] = (double)draw[b];
    interval = ig_interval_of(scratch, IG_DRAWS, units);
    row->low = interval.low;
    row->high = interval.high;
    /* Draws of a corrected share may leave 0 … 1. */
    if (row->measure->unit == IG_UNIT_SHARE && ig_interval_is(interval)) {
        row->low = fmin(fmax(row->low, 0), 1);
        row->high = fmin(fmax(row->high, 0), 1);
    }
    row->units = units;
}

static void conclude_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;

    for (size_t r = first; r < last; r++)
        set_interval(job->row[r], job->draw + r * IG_DRAWS, job->units,
                     job->scratch + member * job->room);
}

static ig_status prepare_job(struct job *job, bool weighted, ig_error *error)
{
    size_t at = 0;
    ig_arena *a = &job->arena;
    ig_status status = IG_OK;

    job->room = IG_DRAWS;
    job->draw = ig_arena_array(a, job->rows * IG_DRAWS, sizeof *job->draw);
    job->column = ig_arena_array(a, job->rows + 1, sizeof *job->column);
    job->listed = weighted ? ig_arena_array(a, job->rows, sizeof *job->listed) : NULL;
    if (a->failed)
        return ig_fail_memory(error, "the intervals");
    for (size_t r = 0; r < job->rows && status == IG_OK; r++) {
        const ig_figure *row = job->row[r];

        job->column[r] = at;
        at += weighted ? 0 : terms_of(row->column) + 1;
        if (weighted && 3 * row->items > job->room)
            job->room = 3 * row->items;
        if (weighted)
            status = list_items(&job->listed[r], job, row, error);
    }
    job->column[job->rows] = at;
    job->sum = ig_arena_array(a, job->units * at, sizeof *job->sum);
    job->scratch =
        ig_arena_array(a, ig_pool_threads(job->pool), job->room * sizeof *job->scratch);
    if (status == IG_OK && a->failed)
        status = ig_fail_memory(error, "the intervals");
    if (status == IG_OK && !weighted)
        ig_parallel_for(job->pool, job->rows, 1, add_up, job);
    return status;
}

/* --- groups ----------------------------------------------------------------------- */

/* Draws of a figure that follows from others, while these are drawn. */
struct aggregate {
    double *sum;  /* (IG_DRAWS), or the least; NULL: the row is no such figure */
    uint32_t *n;  /* (IG_DRAWS) parts that count */
    size_t units; /* of a part */
};

/* The rows of one group. */
struct group {
    const ig_resampling *resampling;
    ig_pool *pool;
    ig_figures *figures;
    const void *result;
    ig_figure **row; /* (rows) */
    size_t rows;
    struct aggregate *aggregate; /* (figures) */
    ig_figure **drawn;           /* (rows) a list of rows to draw */
    const ig_figure **other;     /* (others) those of parts of other measures */
    size_t others;
    ig_arena arena;
};

static bool is_aggregate(const ig_figure *row)
{
    return row->column && row->column->how >= IG_OF_PARTS && !isnan(row->value) &&
           !row->measure->no_interval;
}

/* How the items of a figure are drawn. */
enum kind { OF_MEANS, OF_WEIGHTED, OF_CONNECTED, KINDS };

static bool is_drawn(const ig_figure *row, enum kind kind)
{
    const ig_items *c = row->column;

    return c && c->how == IG_OF_ITEMS && !row->measure->no_interval && row->items > 0 &&
           !isnan(row->value) && !(c->item && row->n < ITEMS_MIN) &&
           kind == (c->item       ? OF_CONNECTED
                    : c->weighted ? OF_WEIGHTED
                                  : OF_MEANS);
}

static ig_status keep_draws(const struct group *g, ig_figure *row, const float *draw,
                            ig_error *error)
{
    row->draw = ig_arena_array(&g->figures->arena, IG_DRAWS, sizeof *row->draw);
    if (!row->draw)
        return ig_fail_memory(error, "the intervals");
    memcpy(row->draw, draw, IG_DRAWS * sizeof *draw);
    return IG_OK;
}

static void add_draws(struct group *g, const ig_figure *to, const float *draw,
                      size_t units)
{
    struct aggregate *a = to ? &g->aggregate[to->at] : NULL;

    if (a)
        a->units = units;
    for (size_t b = 0; a && a->sum && b < IG_DRAWS; b++)
        if (!isnan(draw[b])) {
            double value = (double)draw[b];

            if (to->column->how == IG_OF_PARTS)
                a->sum[b] += value;
            else if (a->n[b] == 0 || value < a->sum[b])
                a->sum[b] = value;
            a->n[b]++;
        }
}

/* Whether two languages are a direction out of or into that of another figure. */
static bool is_of_language(const ig_figure *part, const ig_figure *of)
{
    return ig_figure_is_pair(part) && part->from && part->to &&
           (strcmp(part->from, of->from) == 0 || strcmp(part->to, of->from) == 0);
}

/* Add the draws of a part to the figures of its languages and to the overall figure. */
static void add_part(struct group *g, const ig_figure *part, const float *draw,
                     size_t units)
{
    const size_t all = IG_ALL_LANGUAGES;
    size_t from = part->lang[0] - 1u, to = part->lang[1] - 1u;

    if (ig_figure_is_whole(part))
        return;
    add_draws(g, ig_figures_find(g->figures, part->measure, all, all), draw, units);
    if (ig_figure_is_pair(part)) {
        add_draws(g, ig_figures_find(g->figures, part->measure, from, all), draw,
                  units);
        add_draws(g, ig_figures_find(g->figures, part->measure, all, to), draw, units);
    }
    for (size_t i = 0; i < g->others; i++)
        if (strcmp(g->other[i]->column->parts, part->measure->name) == 0 &&
            (ig_figure_is_whole(g->other[i]) || is_of_language(part, g->other[i])))
            add_draws(g, g->other[i], draw, units);
}

/* The connected items of some rows: those past the last number. */
static size_t count_connected(const struct group *g, ig_figure **row, size_t rows)
{
    size_t count = 0;

    for (size_t r = 0; r < rows; r++)
        for (size_t i = row[r]->first; i < row[r]->first + row[r]->items; i++) {
            size_t item = row[r]->column->item(g->result, i);

            count = item >= count ? item + 1 : count;
        }
    return count;
}

static ig_status take_rows(struct group *g, ig_figure **row, size_t rows,
                           enum kind kind, ig_error *error)
{
    struct job job = {.resampling = g->resampling,
                      .pool = g->pool,
                      .result = g->result,
                      .row = row,
                      .rows = rows,
                      .units = kind == OF_CONNECTED ? count_connected(g, row, rows)
                                                    : g->resampling->units};
    ig_status status = job.units ? prepare_job(&job, kind != OF_MEANS, error) : IG_OK;

    if (status == IG_OK && job.units) {
        status = draw_rows(&job, error);
        ig_parallel_for(job.pool, rows, 1, conclude_rows, &job);
    }
    for (size_t r = 0; r < rows && status == IG_OK && job.units; r++) {
        const float *draw = job.draw + r * IG_DRAWS;

        if (ig_figure_is_whole(row[r]))
            status = keep_draws(g, row[r], draw, error);
        add_part(g, row[r], draw, job.units);
    }
    ig_arena_free(&job.arena);
    return status;
}

static ig_status conclude_aggregates(struct group *g, ig_error *error)
{
    float draw[IG_DRAWS];
    double scratch[IG_DRAWS];
    ig_status status = IG_OK;

    for (size_t i = 0; i < g->rows && status == IG_OK; i++) {
        const struct aggregate *a = &g->aggregate[g->row[i]->at];

        if (!a->sum)
            continue;
        for (size_t b = 0; b < IG_DRAWS; b++)
            draw[b] = a->n[b] == 0 ? NAN
                      : g->row[i]->column->how == IG_OF_MIN
                          ? (float)a->sum[b]
                          : (float)(a->sum[b] / (double)a->n[b]);
        set_interval(g->row[i], draw, a->units, scratch);
        if (ig_figure_is_whole(g->row[i]))
            status = keep_draws(g, g->row[i], draw, error);
    }
    return status;
}

/* Rows are drawn as many at a time as their sums fit into the room of the weights. */
static ig_status take_group(struct group *g, ig_error *error)
{
    size_t units = g->resampling->units ? g->resampling->units : 1;
    size_t most = 4 * (size_t)HELD / units > 256 ? 4 * (size_t)HELD / units : 256;
    ig_arena *a = &g->arena;
    ig_status status = IG_OK;

    g->aggregate = ig_arena_array(a, g->figures->added, sizeof *g->aggregate);
    g->drawn = ig_arena_array(a, g->rows, sizeof(*g->drawn));
    g->other = ig_arena_array(a, g->rows, sizeof(*g->other));
    for (size_t i = 0; !a->failed && i < g->rows; i++)
        if (is_aggregate(g->row[i])) {
            struct aggregate *to = &g->aggregate[g->row[i]->at];

            if (g->row[i]->column->parts)
                g->other[g->others++] = g->row[i];
            to->sum = ig_arena_array(a, IG_DRAWS, sizeof(double));
            to->n = ig_arena_array(a, IG_DRAWS, sizeof(uint32_t));
        }
    if (a->failed)
        return ig_fail_memory(error, "the intervals");
    most = most > 4096 ? 4096 : most;
    for (enum kind kind = OF_MEANS; kind < KINDS; kind++) {
        size_t n = 0;

        for (size_t i = 0; i < g->rows; i++)
            if (is_drawn(g->row[i], kind))
                g->drawn[n++] = g->row[i];
        for (size_t at = 0; at < n && status == IG_OK; at += most / 4)
            status = take_rows(g, g->drawn + at, n - at < most / 4 ? n - at : most / 4,
                               kind, error);
    }
    return status == IG_OK ? conclude_aggregates(g, error) : status;
}

ig_status ig_bootstrap_take(ig_evaluation *e, const ig_resampling *resampling,
                            ig_pool *pool, ig_error *error)
{
    ig_figures *f = &e->figures;
    ig_status status = IG_OK;

    for (size_t at = 0, end; at < f->count && status == IG_OK; at = end) {
        int family = f->row[at]->measure->family;
        struct group g = {
            .resampling = resampling,
            .pool = pool,
            .figures = f,
            .result = ig_evaluation_result(e, ig_measure_group_at(family)),
            .row = &f->row[at]};

        for (end = at; end < f->count && f->row[end]->measure->family == family; end++)
            g.rows++;
        status = take_group(&g, error);
        ig_arena_free(&g.arena);
    }
    if (status == IG_OK)
        status =
            ig_figures_resample(f, resampling->seed, pool, resampling->stop, error);
    for (size_t i = 0; i < f->count && status != IG_OK; i++) {
        f->row[i]->low = f->row[i]->high = (double)NAN;
        f->row[i]->draw = NULL;
    }
    return status;
}
