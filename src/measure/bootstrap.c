/* The bootstrap. Legend: u units (meanings), B draws, s strata (directions). The figure
 * of a draw is the mean over the strata of Σ w S / Σ w C, w (u) how often each unit was
 * drawn, S and C (u, s) the sum of its items' values and their number: W S and W C, W
 * (B, u), give all draws at once. Of figures that follow from several means there are
 * several S. Medians go through the items in order; correlations have weighted moments
 * of their pairs. Draw b is a function of the seed and b alone. */
#include "measure/bootstrap.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "linear/blas.h"
#include "measure/catalogue.h"

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

void ig_intervals_free(ig_intervals *intervals)
{
    ig_free(intervals->figure);
    ig_free(intervals->draw);
    ig_free(intervals->pair);
    ig_free(intervals->language[0]);
    ig_free(intervals->language[1]);
    ig_free(intervals->kind);
    ig_free(intervals->two);
    *intervals = (ig_intervals){0};
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

/* --- a family --------------------------------------------------------------------- */

/* A figure that is bootstrapped. */
struct figure {
    const ig_measure_entry *entry;
    size_t number; /* in the catalogue */
    size_t column; /* of its first stratum in `stratum` */
    size_t sum;    /* the same in `sum`: `terms` values and their number each */
    size_t terms;
    struct placed *ascending; /* (items) of medians: the items of each stratum */
};

/* A value, and where it is from. */
struct placed {
    double value;
    uint32_t at;
};

/* The directions of each language: first[k] … first[k + 1] of `direction`. */
struct ways {
    uint32_t *direction; /* (directions) */
    size_t *first;       /* (languages + 1) */
};

struct job {
    const struct ways *ways; /* (2) out of a language, into it */
    const ig_evaluation *evaluation;
    ig_intervals *out;
    const ig_resampling *resampling;
    ig_pool *pool;

    const void *result;
    ig_items items;
    struct figure *figure;
    size_t figures, columns, sums;

    size_t units;          /* of the family: meanings, or items */
    float *sum;            /* (units, sums) of values and of their number */
    float *weight, *drawn; /* (draws at once, units), (…, sums) */
    size_t first, draws;   /* these of a pass */
    double *scratch;       /* (members, IG_DRAWS) */
    float *stratum;        /* (IG_DRAWS, columns) figures of the strata */

    /* of correlations: the pairs of a stratum by x and by y */
    uint32_t *order[2]; /* (count) */
    double *rank;       /* (members, 2, count) */
    float *some;        /* (members, count) weights of the pairs that a figure is of */
};

static bool stopped(const struct job *job)
{
    const atomic_bool *stop = job->resampling->stop;

    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static size_t begin_of(const struct job *job, size_t stratum)
{
    if (job->items.first)
        return job->items.first(job->result, stratum);
    return stratum ? job->items.count : 0;
}

static bool counts(const struct job *job, const ig_measure_entry *entry, size_t stratum)
{
    return !job->items.counts || job->items.counts(job->result, entry, stratum);
}

static size_t strata_of(const struct job *job, const ig_measure_entry *entry)
{
    return entry->pooled ? 1 : job->items.strata;
}

/* Means that a figure follows from; a median needs none. */
static size_t terms_of(const ig_measure_entry *entry)
{
    return entry->correlation || entry->median ? 0
           : entry->more[1]                    ? 3
           : entry->more[0]                    ? 2
                                               : 1;
}

/* The figures of the family that have intervals. */
static ig_status list_figures(struct job *job, const ig_family *family, size_t number,
                              ig_error *error)
{
    job->figure = ig_alloc(family->entries, sizeof *job->figure);
    if (!job->figure)
        return ig_fail_memory(error, "the intervals");
    for (size_t i = 0; i < family->entries; i++) {
        const ig_measure_entry *entry = &family->entry[i];

        if ((!entry->value && !entry->correlation) ||
            isnan(ig_measure_read(entry, job->evaluation)))
            continue;
        job->figure[job->figures] = (struct figure){.entry = entry,
                                                    .number = number + i,
                                                    .column = job->columns,
                                                    .sum = job->sums,
                                                    .terms = terms_of(entry)};
        job->columns += strata_of(job, entry);
        job->sums += strata_of(job, entry) * (job->figure[job->figures++].terms + 1);
    }
    return IG_OK;
}

static size_t unit_of(const struct job *job, size_t item)
{
    return job->resampling->unit[job->items.row(job->result, item)];
}

/* Values and numbers of the items of each unit, by stratum. */
static void add_up(struct job *job, const struct figure *f)
{
    for (size_t s = 0; s < job->items.strata; s++) {
        size_t column = f->sum + (f->entry->pooled ? 0 : s) * (f->terms + 1);

        if (!counts(job, f->entry, s))
            continue;
        for (size_t i = begin_of(job, s); i < begin_of(job, s + 1); i++) {
            double value = f->entry->value(job->result, i);
            float *sum = job->sum + unit_of(job, i) * job->sums + column;

            if (isnan(value))
                continue;
            for (size_t t = 0; t < f->terms; t++)
                sum[t] += (float)(t ? f->entry->more[t - 1](job->result, i) : value);
            sum[f->terms]++;
        }
    }
}

static int by_value(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The units of the items of a median, by value within each stratum. */
static ig_status order_items(const struct job *job, struct figure *f, ig_error *error)
{
    f->ascending = ig_alloc(job->items.count, sizeof *f->ascending);
    if (!f->ascending)
        return ig_fail_memory(error, "the intervals");
    for (size_t i = 0; i < job->items.count; i++)
        f->ascending[i] =
            (struct placed){f->entry->value(job->result, i), (uint32_t)unit_of(job, i)};
    for (size_t s = 0; s < job->items.strata; s++)
        qsort(f->ascending + begin_of(job, s), begin_of(job, s + 1) - begin_of(job, s),
              sizeof *f->ascending, by_value);
    return IG_OK;
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

/* The weights of the pairs that a figure is of, 0 of the others. */
static const float *some_of(const struct job *job, const ig_measure_entry *entry,
                            const float *weight, float *some)
{
    if (!entry->value)
        return weight;
    for (size_t i = 0; i < job->items.count; i++)
        some[i] = isnan(entry->value(job->result, i)) ? 0 : weight[i];
    return some;
}

/* The correlations of draws. */
static void correlate_draws(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;
    size_t n = job->items.count;
    double *rank[2] = {job->rank + 2 * member * n, job->rank + (2 * member + 1) * n};

    for (size_t b = first; b < last && !stopped(job); b++)
        for (size_t f = 0; f < job->figures; f++) {
            const ig_measure_entry *entry = job->figure[f].entry;
            const float *weight =
                some_of(job, entry, job->weight + b * n, job->some + member * n);
            size_t strata = strata_of(job, entry);

            for (size_t s = 0; s < strata; s++) {
                size_t from = entry->pooled ? 0 : begin_of(job, s);
                size_t count = (entry->pooled ? n : begin_of(job, s + 1)) - from;
                const double *v[2] = {job->items.x + from, job->items.y + from};

                for (int k = 0; k < 2 && entry->correlation == IG_SPEARMAN; k++) {
                    rank_values(v[k], weight + from,
                                job->order[k] + (entry->pooled ? n : 0) + from, count,
                                rank[k]);
                    v[k] = rank[k];
                }
                job->stratum[(job->first + b) * job->columns + job->figure[f].column +
                             s] = (float)correlate(v[0], v[1], weight + from, count);
            }
        }
}

static void order_part(const double *x, size_t from, size_t n, struct placed *room,
                       uint32_t *order)
{
    for (size_t i = 0; i < n; i++)
        room[i] = (struct placed){x[from + i], (uint32_t)i};
    qsort(room, n, sizeof *room, by_value);
    for (size_t i = 0; i < n; i++)
        order[i] = room[i].at;
}

/* x and y ascending, within the strata, and then of all. */
static ig_status order_pairs(struct job *job, ig_error *error)
{
    size_t n = job->items.count;
    struct placed *room = ig_alloc(n, sizeof *room);
    const double *v[2] = {job->items.x, job->items.y};

    job->rank = ig_alloc(2 * ig_pool_threads(job->pool) * n, sizeof *job->rank);
    job->some = ig_alloc(ig_pool_threads(job->pool) * n, sizeof *job->some);
    for (int k = 0; k < 2; k++) {
        job->order[k] = ig_alloc(2 * n, sizeof *job->order[k]);
        if (!room || !job->rank || !job->some || !job->order[k]) {
            ig_free(room);
            return ig_fail_memory(error, "the intervals");
        }
        for (size_t s = 0; s < job->items.strata; s++)
            order_part(v[k], begin_of(job, s), begin_of(job, s + 1) - begin_of(job, s),
                       room, job->order[k] + begin_of(job, s));
        order_part(v[k], 0, n, room, job->order[k] + n);
    }
    ig_free(room);
    return IG_OK;
}

/* --- the figures of the draws ----------------------------------------------------- */

/* The value before which that many items stand, of those that were drawn. */
static double value_behind(const struct placed **at, double *passed, double before,
                           const float *weight)
{
    while (*passed + (double)weight[(*at)->at] <= before)
        *passed += (double)weight[(*at)++->at];
    return (*at)->value;
}

/* The median of a stratum, of which `drawn` items were drawn. */
static double median_of(const struct placed *ascending, double drawn,
                        const float *weight)
{
    double passed = 0;
    double low = value_behind(&ascending, &passed, floor((drawn - 1) / 2), weight);

    return (low + value_behind(&ascending, &passed, floor(drawn / 2), weight)) / 2;
}

/* A figure of one stratum of draw b of a pass. */
static double figure_of(const struct job *job, const struct figure *f, size_t s,
                        size_t b)
{
    const float *drawn = job->drawn + b * job->sums + f->sum + s * (f->terms + 1);
    double mean[3], count = (double)drawn[f->terms];

    if (!(count > 0))
        return (double)NAN;
    if (f->ascending)
        return median_of(f->ascending + begin_of(job, s), count,
                         job->weight + b * job->units);
    for (size_t t = 0; t < f->terms; t++)
        mean[t] = (double)drawn[t] / count;
    return f->entry->follows ? f->entry->follows(job->result, mean) : mean[0];
}

/* Of the strata, from the products. */
static void divide_draws(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;

    (void)member;
    for (size_t b = first; b < last && !stopped(job); b++)
        for (size_t f = 0; f < job->figures; f++) {
            const struct figure *figure = &job->figure[f];
            size_t strata = strata_of(job, figure->entry);
            float *stratum = job->stratum + (job->first + b) * job->columns +
                             figure->column;

            for (size_t s = 0; s < strata; s++)
                stratum[s] = (float)figure_of(job, figure, s, b);
        }
}

static ig_status draw_all(struct job *job, ig_error *error)
{
    const ig_resampling *r = job->resampling;
    bool pairs = job->items.row == NULL, held = !pairs && r->weight;
    size_t at_once = draws_at_once(job->units), sums = job->sums;
    ig_status status = IG_OK;

    job->weight = held ? r->weight : ig_alloc(at_once * job->units, sizeof(float));
    job->drawn = pairs ? NULL : ig_alloc(at_once * sums, sizeof *job->drawn);
    if (!job->weight || !(pairs || job->drawn))
        status = ig_fail_memory(error, "the intervals");
    for (job->first = 0; status == IG_OK && job->first < IG_DRAWS;
         job->first += at_once) {
        struct drawing d = {r->seed, job->units, job->first, at_once, job->weight};

        if (d.count > IG_DRAWS - d.first)
            d.count = IG_DRAWS - d.first;
        job->draws = d.count;
        if (!held)
            ig_pool_hand_out(job->pool, d.count, 1, make_draws, &d);
        if (!pairs)
            status = ig_gemm_pool(job->pool, false, false, 1,
                                  ig_matrix_of(job->weight, d.count, job->units),
                                  ig_matrix_of(job->sum, job->units, sums), 0,
                                  ig_matrix_of(job->drawn, d.count, sums));
        if (status == IG_OK)
            ig_pool_hand_out(job->pool, job->draws, 1,
                             pairs ? correlate_draws : divide_draws, job);
        if (stopped(job))
            status = ig_fail(error, IG_INTERRUPTED, "the intervals were cancelled");
    }
    if (!held)
        ig_free(job->weight);
    ig_free(job->drawn);
    return status;
}

/* The mean over the strata of each draw, or the least of them. */
static void average(const struct job *job, const struct figure *f)
{
    size_t strata = strata_of(job, f->entry);

    for (size_t b = 0; b < IG_DRAWS; b++) {
        const float *stratum = job->stratum + b * job->columns + f->column;
        double sum = 0, least = (double)INFINITY;
        size_t n = 0;

        for (size_t s = 0; s < strata; s++)
            if (!isnan(stratum[s])) {
                sum += (double)stratum[s];
                least = fmin(least, (double)stratum[s]);
                n++;
            }
        job->out->draw[f->number * IG_DRAWS + b] =
            n == 0 ? NAN : (float)(f->entry->least ? least : sum / (double)n);
    }
}

/* The draws of the mean over the directions out of a language, or into it. */
static void average_language(const struct job *job, const struct figure *f, int into,
                             size_t language, double *draw)
{
    const struct ways *w = &job->ways[into];

    for (size_t b = 0; b < IG_DRAWS; b++) {
        const float *stratum = job->stratum + b * job->columns + f->column;
        double sum = 0;
        size_t n = 0;

        for (size_t i = w->first[language]; i < w->first[language + 1]; i++)
            if (!isnan(stratum[w->direction[i]])) {
                sum += (double)stratum[w->direction[i]];
                n++;
            }
        draw[b] = n ? sum / (double)n : (double)NAN;
    }
}

/* The intervals of a figure: its own, those of its strata, those of languages on either
 * side. */
struct conclusion {
    const struct job *job;
    const struct figure *figure;
    ig_interval *part; /* (strata), or NULL */
    size_t strata;
};

static void conclude_some(void *context, size_t member, size_t first, size_t last)
{
    const struct conclusion *c = context;
    const struct job *job = c->job;
    const struct figure *figure = c->figure;
    double *scratch = job->scratch + member * IG_DRAWS;

    for (size_t i = first; i < last; i++) {
        size_t s = i - 1, k = i - 1 - c->strata;

        if (i == 0) {
            for (size_t b = 0; b < IG_DRAWS; b++)
                scratch[b] = (double)job->out->draw[figure->number * IG_DRAWS + b];
            job->out->figure[figure->number] = ig_interval_of(scratch, IG_DRAWS);
        } else if (s < c->strata) {
            for (size_t b = 0; b < IG_DRAWS; b++)
                scratch[b] =
                    (double)job->stratum[b * job->columns + figure->column + s];
            c->part[s] = counts(job, figure->entry, s)
                             ? ig_interval_of(scratch, IG_DRAWS)
                             : IG_NO_INTERVAL;
        } else {
            size_t place = figure->number * job->out->languages + k / 2;

            average_language(job, figure, k % 2, k / 2, scratch);
            job->out->language[k % 2][place] = ig_interval_of(scratch, IG_DRAWS);
        }
    }
}

/* Percentiles of a figure. */
static void conclude(const struct job *job, const struct figure *figure)
{
    size_t of = strata_of(job, figure->entry);
    ig_interval *part = figure->entry->pair_at    ? job->out->pair + figure->number * of
                        : figure->entry->kind_at  ? job->out->kind + figure->number * of
                        : figure->entry->mined_at ? job->out->two + figure->number * of
                                                  : NULL;
    struct conclusion c = {job, figure, part, part ? of : 0};

    ig_pool_hand_out(job->pool,
                     1 + c.strata +
                         (figure->entry->pair_at ? 2 * job->out->languages : 0),
                     1, conclude_some, &c);
}

static ig_status take_family(struct job *job, const ig_family *family, size_t number,
                             ig_error *error)
{
    bool pairs = job->items.row == NULL;
    ig_status status = list_figures(job, family, number, error);

    job->units = pairs ? job->items.count : job->resampling->units;
    if (status != IG_OK || job->figures == 0 || job->units == 0)
        return status;
    job->scratch = ig_alloc(ig_pool_threads(job->pool), IG_DRAWS * sizeof(double));
    job->stratum = ig_alloc(IG_DRAWS * job->columns, sizeof *job->stratum);
    job->sum = pairs ? NULL : ig_alloc(job->units * job->sums, sizeof *job->sum);
    if (!job->scratch || !job->stratum || !(pairs || job->sum))
        return ig_fail_memory(error, "the intervals");
    for (size_t f = 0; !pairs && f < job->figures && status == IG_OK; f++) {
        add_up(job, &job->figure[f]);
        if (job->figure[f].entry->median)
            status = order_items(job, &job->figure[f], error);
    }
    if (pairs)
        status = order_pairs(job, error);
    if (status == IG_OK)
        status = draw_all(job, error);
    for (size_t f = 0; status == IG_OK && f < job->figures; f++)
        average(job, &job->figure[f]);
    for (size_t f = 0; status == IG_OK && f < job->figures; f++)
        conclude(job, &job->figure[f]);
    return status;
}

static void free_job(struct job *job)
{
    for (size_t f = 0; f < job->figures; f++)
        ig_free(job->figure[f].ascending);
    ig_free(job->figure);
    ig_free(job->sum);
    ig_free(job->scratch);
    ig_free(job->stratum);
    ig_free(job->order[0]);
    ig_free(job->order[1]);
    ig_free(job->rank);
    ig_free(job->some);
}

/* --- all -------------------------------------------------------------------------- */

/* Numbers of languages that the directions are of: those below. */
static size_t languages_of(const ig_retrieval *r)
{
    size_t most = 0;

    for (size_t i = 0; i < r->count; i++) {
        most = r->score[i].from >= most ? (size_t)r->score[i].from + 1 : most;
        most = r->score[i].to >= most ? (size_t)r->score[i].to + 1 : most;
    }
    return most;
}

static ig_status list_ways(struct ways *w, const ig_retrieval *r, size_t languages,
                           bool into, ig_error *error)
{
    w->direction = ig_alloc(r->count, sizeof *w->direction);
    w->first = ig_alloc(languages + 2, sizeof *w->first);
    if (!w->direction || !w->first)
        return ig_fail_memory(error, "the intervals");
    /* Counted one place on, so that writing them moves each beginning into place. */
    for (size_t i = 0; i < r->count; i++)
        w->first[(into ? r->score[i].to : r->score[i].from) + 2]++;
    for (size_t k = 1; k < languages + 2; k++)
        w->first[k] += w->first[k - 1];
    for (size_t i = 0; i < r->count; i++)
        w->direction[w->first[(into ? r->score[i].to : r->score[i].from) + 1]++] =
            (uint32_t)i;
    return IG_OK;
}

static void free_ways(struct ways ways[2])
{
    for (int way = 0; way < 2; way++) {
        ig_free(ways[way].direction);
        ig_free(ways[way].first);
    }
}

static ig_status lay_out(ig_intervals *out, const ig_evaluation *e, ig_error *error)
{
    size_t n = 0;

    while (ig_measure_at(n))
        n++;
    *out = (ig_intervals){.draws = IG_DRAWS,
                          .entries = n,
                          .directions = e->retrieval.count,
                          .languages = languages_of(&e->retrieval),
                          .kinds = e->similarity.kinds,
                          .mined = e->mining.count};
    out->figure = ig_alloc(n, sizeof *out->figure);
    out->draw = ig_alloc(n * IG_DRAWS, sizeof *out->draw);
    out->pair = ig_alloc(n * out->directions, sizeof *out->pair);
    out->kind = ig_alloc(n * out->kinds, sizeof *out->kind);
    out->two = ig_alloc(n * out->mined, sizeof *out->two);
    for (int way = 0; way < 2; way++)
        out->language[way] = ig_alloc(n * out->languages, sizeof(ig_interval));
    if (!out->figure || !out->draw || !out->pair || !out->kind || !out->two ||
        !out->language[0] || !out->language[1])
        return ig_fail_memory(error, "the intervals");
    for (size_t i = 0; i < n; i++)
        out->figure[i] = IG_NO_INTERVAL;
    for (size_t i = 0; i < n * IG_DRAWS; i++)
        out->draw[i] = NAN;
    for (size_t i = 0; i < n * out->directions; i++)
        out->pair[i] = IG_NO_INTERVAL;
    for (size_t i = 0; i < n * out->languages; i++)
        out->language[0][i] = out->language[1][i] = IG_NO_INTERVAL;
    for (size_t i = 0; i < n * out->kinds; i++)
        out->kind[i] = IG_NO_INTERVAL;
    for (size_t i = 0; i < n * out->mined; i++)
        out->two[i] = IG_NO_INTERVAL;
    return IG_OK;
}

ig_status ig_bootstrap_take(ig_evaluation *evaluation, const ig_resampling *resampling,
                            ig_pool *pool, ig_error *error)
{
    ig_intervals out = {0};
    struct ways ways[2] = {{0}, {0}};
    ig_status status = lay_out(&out, evaluation, error);
    size_t number = 0;

    for (int way = 0; way < 2 && status == IG_OK; way++)
        status = list_ways(&ways[way], &evaluation->retrieval, out.languages, way == 1,
                           error);

    for (size_t f = 0; f < IG_FAMILY_COUNT && status == IG_OK; f++) {
        const ig_family *family = ig_family_at(f);
        struct job job = {.ways = ways,
                          .evaluation = evaluation,
                          .out = &out,
                          .resampling = resampling,
                          .pool = pool,
                          .result = ig_evaluation_result(evaluation, family)};

        if (family->items && job.result) {
            job.items.strata = 1;
            family->items(job.result, &job.items);
            status = take_family(&job, family, number, error);
            free_job(&job);
        }
        number += family->entries;
    }
    free_ways(ways);
    ig_intervals_free(&evaluation->intervals);
    if (status == IG_OK)
        evaluation->intervals = out;
    else
        ig_intervals_free(&out);
    return status;
}
