/* The bootstrap. Legend: u units, B draws, c columns, three a figure. A figure is a
 * function of sums of its items (measure/figure.h). With S (u, c) the sums of each
 * unit, for many figures, and W (B, u) the weights of the units, W S has the sums of
 * all draws. Weights are Poisson with mean 1: to first order the multinomial ones of
 * the bootstrap, but independent, so that a weight is a function of the seed, the draw
 * and the number of the unit alone. */
#include "measure/bootstrap.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "measure/statistics.h"

enum {
    WEIGHTS = 1 << 23, /* floats of W at once */
    SUMS = 1 << 24,    /* … and of S */
    FIGURES = 1365,    /* … of so many figures at most */
    UNITS_MIN = 10     /* of a correlation that has an interval */
};

/* Sums of the draws of the parts of a figure, and of the weights that count. */
struct mean {
    ig_figure *figure;
    double sum[IG_DRAWS], weight[IG_DRAWS];
};

struct job {
    ig_figures *figures;
    uint64_t seed;
    size_t units;
    size_t first, drawn, block; /* draws of W at hand, and room */
    float *weight;              /* (block, units) W */
    ig_figure **figure;         /* (count) a batch of those that have items, … */
    size_t count, most;         /* … at most so many */
    float *sum, *product;       /* (units, columns) S, (block, columns) W S */
    float *room;                /* (most, IG_DRAWS) of figures that keep no draws */
    float **draw;               /* (figures) by `at`, of the batch; else NULL */
    struct mean *mean;          /* (means) figures of parts */
    size_t means;
    ig_arena arena;
};

/* --- units ------------------------------------------------------------------------ */

/* Whether a figure and its parts with values have intervals, once units are counted. */
static bool is_drawn(const ig_figure *f)
{
    for (size_t i = 0; f->how == IG_MEAN_OF && i < f->items; i++)
        if (!isnan(f->part[i]->value) && !is_drawn(f->part[i]))
            return false;
    return f->how != IG_NO_ITEMS && f->items && !isnan(f->value) &&
           !(f->measure->is & IG_POINT_ONLY) &&
           !(f->how == IG_CORRELATION && f->units < UNITS_MIN);
}

/* Count the distinct units of a figure. seen: by unit, the last figure that had it. */
static size_t count_units(const ig_figure *f, uint32_t *seen, uint32_t stamp)
{
    size_t count = 0;

    for (size_t i = 0; i < f->items; i++)
        if (f->how == IG_MEAN_OF) {
            count += count_units(f->part[i], seen, stamp);
        } else if (!isnan(f->item[0][i])) {
            count += seen[f->unit[i]] != stamp;
            seen[f->unit[i]] = stamp;
        }
    return count;
}

/* Count the units and the means, and make room for batches. */
static ig_status prepare_job(struct job *job, ig_error *error)
{
    const ig_figures *f = job->figures;
    ig_arena *a = &job->arena;
    uint32_t *seen;
    size_t u, c;

    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->row[i]->items && f->row[i]->how != IG_MEAN_OF; k++)
            if (f->row[i]->unit[k] >= job->units)
                job->units = f->row[i]->unit[k] + (size_t)1;
    u = job->units ? job->units : 1;
    c = SUMS / u / IG_COLUMNS;
    job->block = WEIGHTS / u < 1 ? 1 : WEIGHTS / u > IG_DRAWS ? IG_DRAWS : WEIGHTS / u;
    job->most = c < 1 ? 1 : c > FIGURES ? FIGURES : c;
    c = IG_COLUMNS * job->most;
    seen = ig_arena_array(a, u, sizeof *seen);
    job->weight = ig_arena_array(a, job->block, u * sizeof *job->weight);
    job->figure = ig_arena_array(a, job->most, sizeof(*job->figure));
    job->sum = ig_arena_array(a, u, c * sizeof *job->sum);
    job->product = ig_arena_array(a, job->block, c * sizeof *job->product);
    job->room = ig_arena_array(a, job->most, IG_DRAWS * sizeof *job->room);
    job->draw = ig_arena_array(a, f->count, sizeof(*job->draw));
    for (size_t i = 0; i < f->count && !a->failed; i++) {
        f->row[i]->units = count_units(f->row[i], seen, (uint32_t)i + 1);
        job->means += f->row[i]->how == IG_MEAN_OF;
    }
    job->mean = ig_arena_array(a, job->means, sizeof *job->mean);
    job->means = 0;
    for (size_t i = 0; i < f->count && !a->failed; i++)
        if (f->row[i]->how == IG_MEAN_OF && is_drawn(f->row[i]))
            job->mean[job->means++].figure = f->row[i];
    return a->failed ? ig_fail_memory(error, "the intervals") : IG_OK;
}

/* --- draws ------------------------------------------------------------------------ */

static uint64_t mix(uint64_t x) /* SplitMix64 */
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Weights of draws first … last − 1 of the block: how many of the cumulative
 * probabilities of Poisson's distribution a hash exceeds. */
static void draw_weights(void *context, size_t member, size_t first, size_t last)
{
    enum { MOST = 12 };
    const struct job *job = context;
    uint32_t limit[MOST];
    double p = exp(-1), sum = p;

    (void)member;
    for (int k = 0; k < MOST; sum += p /= ++k)
        limit[k] = (uint32_t)fmin(sum * 0x1p32, 0xffffffff);
    for (size_t b = first; b < last; b++) {
        uint64_t key = mix(mix(job->seed) ^ (job->first + b));
        float *weight = job->weight + b * job->units;

        for (size_t u = 0; u < job->units; u++) {
            uint32_t x = (uint32_t)(mix(key + u * 0xd1342543de82ef95u) >> 32);
            uint32_t times = 0;

            for (int k = 0; k < MOST; k++)
                times += x >= limit[k];
            weight[u] = (float)times;
        }
    }
}

static void sum_items(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;
    size_t columns = IG_COLUMNS * job->count;
    double column[IG_COLUMNS];

    (void)member;
    for (size_t k = first; k < last; k++) {
        const ig_figure *f = job->figure[k];

        for (size_t i = 0; i < f->items; i++) {
            float *sum = job->sum + f->unit[i] * columns + IG_COLUMNS * k;

            if (ig_figure_item(f, i, column))
                for (size_t c = 0; c < IG_COLUMNS; c++)
                    sum[c] += (float)column[c];
        }
    }
}

static void combine_sums(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;
    size_t columns = IG_COLUMNS * job->count;

    (void)member;
    for (size_t b = 0; b < job->drawn; b++)
        for (size_t k = first; k < last; k++) {
            const float *product = job->product + b * columns + IG_COLUMNS * k;
            const double sum[IG_COLUMNS] = {(double)product[0], (double)product[1],
                                            (double)product[2]};

            job->draw[job->figure[k]->at][job->first + b] =
                (float)ig_figure_combine(job->figure[k], sum);
        }
}

/* All draws of the batch. */
static ig_status draw_batch(struct job *job, ig_pool *pool, const atomic_bool *stop,
                            ig_error *error)
{
    size_t columns = IG_COLUMNS * job->count;
    ig_status status = IG_OK;

    memset(job->sum, 0, job->units * columns * sizeof *job->sum);
    ig_parallel_for(pool, job->count, 1, sum_items, job);
    for (size_t b = 0; b < IG_DRAWS && status == IG_OK; b += job->block) {
        job->first = b;
        job->drawn = IG_DRAWS - b < job->block ? IG_DRAWS - b : job->block;
        ig_parallel_for(pool, job->drawn, 1, draw_weights, job);
        ig_gemm_pool(pool, false, false, 1,
                     ig_matrix_of(job->weight, job->drawn, job->units),
                     ig_matrix_of(job->sum, job->units, columns), 0,
                     ig_matrix_of(job->product, job->drawn, columns));
        ig_parallel_for(pool, job->count, 1, combine_sums, job);
        if (stop && atomic_load_explicit(stop, memory_order_relaxed))
            status = ig_fail(error, IG_INTERRUPTED, "the intervals were cancelled");
    }
    return status;
}

/* --- intervals -------------------------------------------------------------------- */

size_t ig_draws_keep(float *draw, size_t draws, double *variance)
{
    double mean = 0, squares = 0;
    size_t n = 0;

    for (size_t b = 0; b < draws; b++)
        if (!isnan(draw[b])) {
            mean += (double)draw[b];
            draw[n++] = draw[b];
        }
    mean /= (double)n;
    for (size_t b = 0; b < n; b++)
        squares += ((double)draw[b] - mean) * ((double)draw[b] - mean);
    n = 2 * n > draws ? n : 0;
    *variance = n ? squares / ((double)n - 1) : (double)NAN;
    return n;
}

/* Of a share Clopper and Pearson's interval for the number of units that would give it
 * its variance [Korn, Graubard 1998]. Of others percentiles, expanded for few units as
 * a mean's interval would be (Hesterberg 2015): beyond each is Φ(−t √(u / (u − 1))). */
static void set_interval(ig_figure *f, const float *draw)
{
    float kept[IG_DRAWS];
    double variance, u = (double)f->units, tail = 0.025;
    double t = u > 1 ? ig_t_quantile(u - 1) : 1.96, p = fmin(fmax(f->value, 0), 1);
    size_t n;

    memcpy(kept, draw, sizeof kept);
    n = ig_draws_keep(kept, IG_DRAWS, &variance);
    if (n && f->measure->share && f->how != IG_RATIO) {
        if (variance > 0 && p > 0 && p < 1)
            u = p * (1 - p) / variance * (1.96 / t) * (1.96 / t);
        f->low = p > 0 ? ig_beta_quantile(0.025, p * u, u - p * u + 1) : 0;
        f->high = p < 1 ? ig_beta_quantile(0.975, p * u + 1, u - p * u) : 1;
    } else if (n) {
        tail = u > 1 ? 0.5 * erfc(t * sqrt(u / (u - 1) / 2)) : tail;
        f->low = ig_quantile(kept, n, tail);
        f->high = ig_quantile(kept, n, 1 - tail);
    }
}

static void set_intervals(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;

    (void)member;
    for (size_t k = first; k < last; k++)
        set_interval(job->figure[k], job->draw[job->figure[k]->at]);
}

/* Add the batch to the means that its figures are parts of. */
static void add_to_means(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;

    (void)member;
    for (struct mean *m = job->mean + first; m < job->mean + last; m++)
        for (size_t i = 0; i < m->figure->items; i++) {
            const ig_figure *part = m->figure->part[i];
            const float *draw = job->draw[part->at];
            double weight = m->figure->by_n ? (double)part->n : 1;

            for (size_t b = 0; draw && b < IG_DRAWS; b++)
                if (!isnan(draw[b])) {
                    m->sum[b] += weight * (double)draw[b];
                    m->weight[b] += weight;
                }
        }
}

/* List the next batch, of figures from number *at. Figures of the whole keep their
 * draws, for differences. */
static void list_batch(struct job *job, size_t *at)
{
    ig_figures *f = job->figures;

    memset(job->draw, 0, f->count * sizeof(*job->draw));
    for (job->count = 0; *at < f->count && job->count < job->most; ++*at) {
        ig_figure *row = f->row[*at];

        if (row->how == IG_MEAN_OF || !is_drawn(row))
            continue;
        if (ig_figure_is_whole(row))
            row->draw = ig_arena_array(&f->arena, IG_DRAWS, sizeof *row->draw);
        job->draw[row->at] = row->draw ? row->draw : job->room + job->count * IG_DRAWS;
        job->figure[job->count++] = row;
    }
}

ig_status ig_bootstrap(ig_figures *f, uint64_t seed, ig_pool *pool,
                       const atomic_bool *stop, ig_error *error)
{
    struct job job = {.figures = f, .seed = seed};
    ig_status status = prepare_job(&job, error);

    for (size_t at = 0; at < f->count && status == IG_OK;) {
        list_batch(&job, &at);
        if (!job.count)
            break;
        status = draw_batch(&job, pool, stop, error);
        if (status == IG_OK)
            ig_parallel_for(pool, job.count, 1, set_intervals, &job);
        if (status == IG_OK)
            ig_parallel_for(pool, job.means, 1, add_to_means, &job);
    }
    for (struct mean *m = job.mean; m < job.mean + job.means && status == IG_OK; m++) {
        float *draw = ig_arena_array(&f->arena, IG_DRAWS, sizeof *draw);

        for (size_t b = 0; b < IG_DRAWS && draw; b++)
            draw[b] = (float)(m->sum[b] / m->weight[b]); /* 0/0 is NaN */
        if (draw)
            set_interval(m->figure, draw);
        m->figure->draw = draw;
    }
    if (status == IG_OK && f->arena.failed)
        status = ig_fail_memory(error, "the intervals");
    ig_arena_free(&job.arena);
    return status;
}
