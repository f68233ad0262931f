/* The bootstrap. Legend: u units (meanings), B draws. A figure that is a mean is, in a
 * draw, Σ w S / Σ w C, w (u) how often each unit was drawn, S and C (u) the sum of its
 * items' values and their number: W S and W C, W (B, u), give all draws of many figures
 * at once. Of figures that follow from several means there are several S. Medians go
 * through the items in order; correlations have weighted moments of their pairs; a mean
 * over figures is that of their draws. Draw b is a function of the seed and b alone. */
#include "measure/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "linear/blas.h"

enum { STREAM = 0x424f4f54, HELD = 1 << 24 /* weights that are held at once */ };

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

ig_interval ig_interval_of(double *value, size_t n)
{
    size_t count = 0;
    ig_interval out;

    for (size_t i = 0; i < n; i++)
        if (!isnan(value[i]))
            value[count++] = value[i];
    if (count == 0 || 2 * count < n)
        return IG_NO_INTERVAL;
    out.low = percentile(value, count, 0.025);
    out.high = percentile(value, count, 0.975);
    return out;
}

/* --- draws ------------------------------------------------------------------------ */

/* Draws first … of so many units. */
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

/* How many draws are made at once. */
static size_t draws_at_once(size_t units)
{
    size_t draws = units ? HELD / units : IG_DRAWS;

    return draws < 1 ? 1 : draws > IG_DRAWS ? IG_DRAWS : draws;
}

ig_status ig_resampling_init(ig_resampling *r, size_t rows, const ig_subject *subject,
                             uint64_t seed, ig_pool *pool, ig_error *error)
{
    ig_status status = IG_OK;

    *r = (ig_resampling){
        .rows = rows, .unit = ig_alloc(rows, sizeof *r->unit), .seed = seed};
    if (!r->unit)
        status = ig_fail_memory(error, "the intervals");
    else
        status = ig_subject_units(subject, rows, r->unit, &r->units, error);
    if (status == IG_OK && r->units && draws_at_once(r->units) == IG_DRAWS) {
        struct drawing d = {.seed = seed, .units = r->units, .count = IG_DRAWS};

        d.weight = r->weight = ig_alloc(IG_DRAWS * r->units, sizeof *r->weight);
        if (r->weight)
            ig_pool_hand_out(pool, d.count, 1, make_draws, &d);
        else
            status = ig_fail_memory(error, "the intervals");
    }
    if (status != IG_OK)
        ig_resampling_free(r);
    return status;
}

void ig_resampling_free(ig_resampling *resampling)
{
    ig_free(resampling->unit);
    ig_free(resampling->weight);
    *resampling = (ig_resampling){0};
}

/* --- means ------------------------------------------------------------------------ */

/* A value, and where it is from. */
struct placed {
    double value;
    uint32_t at;
};

/* The bootstrap of some rows of one group, at most `at_once` together. */
struct job {
    const ig_resampling *resampling;
    ig_pool *pool;
    const void *result;
    ig_figure **row; /* (rows) */
    size_t rows;
    size_t units;             /* meanings, or items that are drawn each by itself */
    float *weight;            /* (draws of a pass, units) */
    size_t first, draws;      /* these of the pass */
    float *draw;              /* (rows, IG_DRAWS) */
    double *scratch;          /* (members, IG_DRAWS) */
    size_t *column;           /* (rows + 1) of `sum` */
    float *sum, *drawn;       /* (units, columns), (draws of a pass, columns) */
    struct placed **sorted;   /* (rows) of medians: the items; else NULL */
    struct correlated *pairs; /* (rows) of correlations */
};

static bool stopped(const struct job *job)
{
    const atomic_bool *stop = job->resampling->stop;

    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static size_t terms_of(const ig_items *column)
{
    size_t terms = 0;

    while (terms < 3 && column->value[terms] && column->how == IG_OF_MEAN)
        terms++;
    return terms;
}

static size_t unit_of(const struct job *job, const ig_items *column, size_t item)
{
    return job->resampling->unit[column->row(job->result, item)];
}

static int by_value(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Values and numbers of the items of each unit; of a median, its items in order. */
static void add_up(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;
    size_t columns = job->column[job->rows];

    (void)member;
    for (size_t r = first; r < last; r++) {
        const ig_figure *row = job->row[r];
        const ig_items *column = row->column;
        size_t terms = terms_of(column);

        for (size_t i = 0; i < row->items; i++) {
            double value = column->value[0](job->result, row->first + i);
            size_t unit = unit_of(job, column, row->first + i);
            float *sum = job->sum + unit * columns + job->column[r];

            if (job->sorted[r])
                job->sorted[r][i] = (struct placed){value, (uint32_t)unit};
            if (isnan(value))
                continue;
            for (size_t t = 0; t < terms; t++)
                sum[t] +=
                    (float)(t ? column->value[t](job->result, row->first + i) : value);
            sum[terms]++;
        }
        if (job->sorted[r])
            qsort(job->sorted[r], row->items, sizeof **job->sorted, by_value);
    }
}

/* The value before which that many items stand, of those that were drawn. */
static double value_behind(const struct placed **at, double *passed, double before,
                           const float *weight)
{
    while (*passed + (double)weight[(*at)->at] <= before)
        *passed += (double)weight[(*at)++->at];
    return (*at)->value;
}

/* The median of items of which `drawn` were drawn. */
static double median_of(const struct placed *ascending, double drawn,
                        const float *weight)
{
    double passed = 0;
    double low = value_behind(&ascending, &passed, floor((drawn - 1) / 2), weight);

    return (low + value_behind(&ascending, &passed, floor(drawn / 2), weight)) / 2;
}

/* Row r of draw b of a pass. */
static double figure_of(const struct job *job, size_t r, size_t b)
{
    const ig_items *column = job->row[r]->column;
    const float *drawn = job->drawn + b * job->column[job->rows] + job->column[r];
    size_t terms = terms_of(column);
    double mean[3], count = (double)drawn[terms];

    if (!(count > 0))
        return (double)NAN;
    if (job->sorted[r])
        return median_of(job->sorted[r], count, job->weight + b * job->units);
    for (size_t t = 0; t < terms; t++)
        mean[t] = (double)drawn[t] / count;
    return column->follows ? column->follows(job->result, mean) : mean[0];
}

/* --- correlations ----------------------------------------------------------------- */

/* Pearson's r of pairs that count so often each. */
static double correlate(const double *x, const double *y, const float *weight, size_t n)
{
    double all = 0, mx = 0, my = 0, xx = 0, yy = 0, xy = 0;

    for (size_t i = 0; i < n; i++) {
        all += (double)weight[i];
        mx += (double)weight[i] * x[i];
        my += (double)weight[i] * y[i];
    }
    mx /= all;
    my /= all;
    for (size_t i = 0; i < n; i++) {
        double w = (double)weight[i], a = x[i] - mx, b = y[i] - my;

        xx += w * a * a;
        yy += w * b * b;
        xy += w * a * b;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}

/* Ranks of values that count so often each, equal ones sharing their mean rank; `order`
 * has them ascending. */
static void rank_values(const double *x, const float *weight, const uint32_t *order,
                        size_t n, double *rank)
{
    double before = 0;

    for (size_t i = 0, end; i < n; i = end) {
        double here = 0;

        for (end = i; end < n && x[order[end]] <= x[order[i]]; end++)
            here += (double)weight[order[end]];
        for (size_t j = i; j < end; j++)
            rank[order[j]] = before + 0.5 * (here + 1);
        before += here;
    }
}

/* The items of a correlation that count. */
struct correlated {
    size_t count;
    uint32_t *item;     /* (count) */
    double *v[2];       /* (count) */
    uint32_t *order[2]; /* (count) ascending */
};

static void free_pairs(struct correlated *c)
{
    ig_free(c->item);
    for (int k = 0; k < 2; k++) {
        ig_free(c->v[k]);
        ig_free(c->order[k]);
    }
}

static ig_status list_pairs(struct correlated *c, const ig_figure *row,
                            const void *result, ig_error *error)
{
    struct placed *room = ig_alloc(row->items, sizeof *room);

    c->item = ig_alloc(row->items, sizeof *c->item);
    for (int k = 0; k < 2; k++) {
        c->v[k] = ig_alloc(row->items, sizeof *c->v[k]);
        c->order[k] = ig_alloc(row->items, sizeof *c->order[k]);
        if (!room || !c->item || !c->v[k] || !c->order[k]) {
            ig_free(room);
            return ig_fail_memory(error, "the intervals");
        }
    }
    for (size_t i = row->first; i < row->first + row->items; i++) {
        c->v[0][c->count] = row->column->value[0](result, i);
        c->v[1][c->count] = row->column->value[1](result, i);
        c->item[c->count] = (uint32_t)i;
        c->count += !isnan(c->v[0][c->count]);
    }
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < c->count; i++)
            room[i] = (struct placed){c->v[k][i], (uint32_t)i};
        qsort(room, c->count, sizeof *room, by_value);
        for (size_t i = 0; i < c->count; i++)
            c->order[k][i] = room[i].at;
    }
    ig_free(room);
    return IG_OK;
}

/* Draws of correlations. */
static void correlate_draws(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;
    double *rank[2] = {job->scratch + 3 * member * job->units,
                       job->scratch + (3 * member + 1) * job->units};
    float *weight = (float *)(job->scratch + (3 * member + 2) * job->units);

    for (size_t b = first; b < last && !stopped(job); b++)
        for (size_t r = 0; r < job->rows; r++) {
            const struct correlated *c = &job->pairs[r];
            bool ranks = job->row[r]->column->how == IG_OF_SPEARMAN;

            for (size_t i = 0; i < c->count; i++)
                weight[i] = job->weight[b * job->units + c->item[i]];
            for (int k = 0; k < 2 && ranks; k++)
                rank_values(c->v[k], weight, c->order[k], c->count, rank[k]);
            job->draw[r * IG_DRAWS + job->first + b] = (float)correlate(
                ranks ? rank[0] : c->v[0], ranks ? rank[1] : c->v[1], weight, c->count);
        }
}

/* --- draws of rows ---------------------------------------------------------------- */

static void divide_draws(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;

    (void)member;
    for (size_t b = first; b < last && !stopped(job); b++)
        for (size_t r = 0; r < job->rows; r++)
            job->draw[r * IG_DRAWS + job->first + b] = (float)figure_of(job, r, b);
}

/* Every draw of the rows; their sums or pairs are ready. */
static ig_status draw_rows(struct job *job, ig_error *error)
{
    const ig_resampling *r = job->resampling;
    bool held = !job->pairs && r->weight;
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
            ig_pool_hand_out(job->pool, d.count, 1, make_draws, &d);
        if (!job->pairs)
            status = ig_gemm_pool(job->pool, false, false, 1,
                                  ig_matrix_of(job->weight, d.count, job->units),
                                  ig_matrix_of(job->sum, job->units, columns), 0,
                                  ig_matrix_of(job->drawn, d.count, columns));
        if (status == IG_OK)
            ig_pool_hand_out(job->pool, d.count, 1,
                             job->pairs ? correlate_draws : divide_draws, job);
        if (stopped(job))
            status = ig_fail(error, IG_INTERRUPTED, "the intervals were cancelled");
    }
    if (!held)
        ig_free(job->weight);
    ig_free(job->drawn);
    return status;
}

static void set_interval(ig_figure *row, const float *draw, double *scratch)
{
    ig_interval interval;

    for (size_t b = 0; b < IG_DRAWS; b++)
        scratch[b] = (double)draw[b];
    interval = ig_interval_of(scratch, IG_DRAWS);
    row->low = interval.low;
    row->high = interval.high;
}

static void conclude_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;

    for (size_t r = first; r < last; r++)
        set_interval(job->row[r], job->draw + r * IG_DRAWS,
                     job->scratch + member * IG_DRAWS);
}

static ig_status prepare(struct job *job, bool pairs, ig_error *error)
{
    size_t members = ig_pool_threads(job->pool), at = 0;
    size_t scratch = pairs && 3 * job->units > IG_DRAWS ? 3 * job->units : IG_DRAWS;
    ig_status status = IG_OK;

    job->draw = ig_alloc(job->rows * IG_DRAWS, sizeof *job->draw);
    job->scratch = ig_alloc(members * scratch, sizeof *job->scratch);
    job->column = ig_alloc(job->rows + 1, sizeof *job->column);
    job->sorted = ig_alloc(job->rows, sizeof(*job->sorted));
    job->pairs = pairs ? ig_alloc(job->rows, sizeof *job->pairs) : NULL;
    if (!job->draw || !job->scratch || !job->column || !job->sorted ||
        (pairs && !job->pairs))
        return ig_fail_memory(error, "the intervals");
    for (size_t r = 0; r < job->rows && status == IG_OK; r++) {
        const ig_figure *row = job->row[r];

        job->column[r] = at;
        at += pairs ? 0 : terms_of(row->column) + 1;
        if (row->column->how == IG_OF_MEDIAN)
            job->sorted[r] = ig_alloc(row->items, sizeof **job->sorted);
        if (row->column->how == IG_OF_MEDIAN && !job->sorted[r])
            status = ig_fail_memory(error, "the intervals");
        if (pairs && status == IG_OK)
            status = list_pairs(&job->pairs[r], row, job->result, error);
    }
    job->column[job->rows] = at;
    job->sum = ig_alloc(job->units * at, sizeof *job->sum);
    if (status == IG_OK && !job->sum)
        status = ig_fail_memory(error, "the intervals");
    if (status == IG_OK && !pairs)
        ig_pool_hand_out(job->pool, job->rows, 1, add_up, job);
    return status;
}

static void free_job(struct job *job)
{
    for (size_t r = 0; r < job->rows; r++) {
        if (job->sorted)
            ig_free(job->sorted[r]);
        if (job->pairs)
            free_pairs(&job->pairs[r]);
    }
    ig_free(job->draw);
    ig_free(job->scratch);
    ig_free(job->column);
    ig_free(job->sorted);
    ig_free(job->pairs);
    ig_free(job->sum);
}

/* --- groups ----------------------------------------------------------------------- */

/* Draws of a figure that follows from others, while these are drawn. */
struct aggregate {
    double *sum; /* (IG_DRAWS), or the least; NULL: the row is no such figure */
    uint32_t *n; /* (IG_DRAWS) parts that count */
};

/* The rows of one group. */
struct group {
    const ig_resampling *resampling;
    ig_pool *pool;
    const ig_figures *figures;
    const void *result;
    ig_figure *row; /* (rows) */
    size_t rows;
    struct aggregate *aggregate; /* (rows) */
    ig_figure **drawn;           /* (rows) a list of rows to draw */
    const ig_figure *other[8];   /* (others) those of parts of other measures */
    size_t others;
};

static bool is_aggregate(const ig_figure *row)
{
    return row->column && row->column->how >= IG_OF_PARTS && !isnan(row->value);
}

static bool is_drawn(const ig_figure *row, bool pairs)
{
    return row->column && row->column->how < IG_OF_PARTS && row->items > 0 &&
           !isnan(row->value) && pairs == (row->column->row == NULL);
}

static ig_status keep_draws(ig_figure *row, const float *draw, ig_error *error)
{
    row->draw = ig_alloc(IG_DRAWS, sizeof *row->draw);
    if (!row->draw)
        return ig_fail_memory(error, "the intervals");
    memcpy(row->draw, draw, IG_DRAWS * sizeof *draw);
    return IG_OK;
}

static void add_draws(struct group *g, const ig_figure *to, const float *draw)
{
    struct aggregate *a = to ? &g->aggregate[to - g->row] : NULL;

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

/* The draws of a part go to the figures of its languages and of the whole. */
static void add_part(struct group *g, const ig_figure *part, const float *draw)
{
    const size_t all = IG_ALL_LANGUAGES;

    if (ig_figure_is_whole(part))
        return;
    add_draws(g, ig_figures_find(g->figures, part->measure, all, all), draw);
    if (ig_figure_is_pair(part)) {
        add_draws(g,
                  ig_figures_find(g->figures, part->measure, part->lang[0] - 1u, all),
                  draw);
        add_draws(g,
                  ig_figures_find(g->figures, part->measure, all, part->lang[1] - 1u),
                  draw);
    }
    for (size_t i = 0; i < g->others; i++)
        if (strcmp(g->other[i]->column->parts, part->measure->name) == 0)
            add_draws(g, g->other[i], draw);
}

/* Draw some rows together. */
static ig_status take_rows(struct group *g, ig_figure **row, size_t rows, bool pairs,
                           ig_error *error)
{
    struct job job = {.resampling = g->resampling,
                      .pool = g->pool,
                      .result = g->result,
                      .row = row,
                      .rows = rows,
                      .units = pairs ? 0 : g->resampling->units};
    ig_status status;

    for (size_t r = 0; r < rows && pairs; r++)
        if (row[r]->first + row[r]->items > job.units)
            job.units = row[r]->first + row[r]->items;
    status = job.units ? prepare(&job, pairs, error) : IG_OK;
    if (status == IG_OK && job.units) {
        status = draw_rows(&job, error);
        ig_pool_hand_out(job.pool, rows, 1, conclude_rows, &job);
    }
    for (size_t r = 0; r < rows && status == IG_OK && job.units; r++) {
        const float *draw = job.draw + r * IG_DRAWS;

        if (ig_figure_is_whole(row[r]))
            status = keep_draws(row[r], draw, error);
        add_part(g, row[r], draw);
    }
    free_job(&job);
    return status;
}

static ig_status conclude_aggregates(struct group *g, ig_error *error)
{
    float *draw = ig_alloc(IG_DRAWS, sizeof *draw);
    double *scratch = ig_alloc(IG_DRAWS, sizeof *scratch);
    ig_status status = draw && scratch ? IG_OK : ig_fail_memory(error, "the intervals");

    for (size_t i = 0; i < g->rows && status == IG_OK; i++) {
        const struct aggregate *a = &g->aggregate[i];

        if (!a->sum)
            continue;
        for (size_t b = 0; b < IG_DRAWS; b++)
            draw[b] = a->n[b] == 0 ? NAN
                      : g->row[i].column->how == IG_OF_LEAST
                          ? (float)a->sum[b]
                          : (float)(a->sum[b] / (double)a->n[b]);
        set_interval(&g->row[i], draw, scratch);
        if (ig_figure_is_whole(&g->row[i]))
            status = keep_draws(&g->row[i], draw, error);
    }
    ig_free(draw);
    ig_free(scratch);
    return status;
}

/* Rows are drawn as many at a time as their sums fit into the room of the weights. */
static ig_status take_group(struct group *g, ig_error *error)
{
    size_t units = g->resampling->units ? g->resampling->units : 1;
    size_t most = 4 * (size_t)HELD / units > 256 ? 4 * (size_t)HELD / units : 256;
    ig_status status = IG_OK;

    g->aggregate = ig_alloc(g->rows, sizeof *g->aggregate);
    g->drawn = ig_alloc(g->rows, sizeof(*g->drawn));
    if (!g->aggregate || !g->drawn)
        return ig_fail_memory(error, "the intervals");
    for (size_t i = 0; i < g->rows; i++)
        if (is_aggregate(&g->row[i])) {
            if (g->row[i].column->parts && g->others < 8)
                g->other[g->others++] = &g->row[i];
            g->aggregate[i].sum = ig_alloc(IG_DRAWS, sizeof(double));
            g->aggregate[i].n = ig_alloc(IG_DRAWS, sizeof(uint32_t));
            if (!g->aggregate[i].sum || !g->aggregate[i].n)
                return ig_fail_memory(error, "the intervals");
        }
    most = most > 4096 ? 4096 : most;
    for (int pairs = 0; pairs < 2; pairs++) {
        size_t n = 0;

        for (size_t i = 0; i < g->rows; i++)
            if (is_drawn(&g->row[i], pairs))
                g->drawn[n++] = &g->row[i];
        for (size_t at = 0; at < n && status == IG_OK; at += most / 4)
            status = take_rows(g, g->drawn + at, n - at < most / 4 ? n - at : most / 4,
                               pairs, error);
    }
    return status == IG_OK ? conclude_aggregates(g, error) : status;
}

static void free_group(struct group *g)
{
    for (size_t i = 0; g->aggregate && i < g->rows; i++) {
        ig_free(g->aggregate[i].sum);
        ig_free(g->aggregate[i].n);
    }
    ig_free(g->aggregate);
    ig_free(g->drawn);
}

ig_status ig_bootstrap_take(ig_evaluation *e, const ig_resampling *resampling,
                            ig_pool *pool, ig_error *error)
{
    ig_figures *f = &e->figures;
    ig_status status = IG_OK;

    for (size_t at = 0, end; at < f->count && status == IG_OK; at = end) {
        int family = f->row[at].measure->family;
        struct group g = {.resampling = resampling,
                          .pool = pool,
                          .figures = f,
                          .result = ig_evaluation_result(e, ig_family_at(family)),
                          .row = &f->row[at]};

        for (end = at; end < f->count && f->row[end].measure->family == family; end++)
            g.rows++;
        status = take_group(&g, error);
        free_group(&g);
    }
    for (size_t i = 0; i < f->count && status != IG_OK; i++) {
        f->row[i].low = f->row[i].high = (double)NAN;
        ig_free(f->row[i].draw);
        f->row[i].draw = NULL;
    }
    return status;
}
