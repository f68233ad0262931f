/* The bootstrap. Legend: u units, B draws, c columns, three a figure. A figure is a
 * function of sums of its items (measure/figure.h). With S (u, c) the sums of each
 * unit, for many figures, and W (B, u) the weights of the units, W S has the sums of
 * all draws. Weights are Poisson with mean 1: to first order the multinomial ones of
 * the bootstrap, but independent, so that a weight is a function of the seed, the draw
 * and the number of the unit alone. */
#include "measure/bootstrap.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
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

/* A figure, by `at`, and a mean that it is part of. */
struct link {
    uint32_t part, mean;
};

struct job {
    ig_figures *figures;
    uint64_t seed;
    ig_pool *pool;
    size_t units;
    size_t first, drawn, block; /* draws of W at hand, and room */
    float *weight;              /* (block, units) W */
    ig_figure **figure;         /* (count) a batch of those that have items */
    size_t count;
    float *sum, *product; /* (units, columns) S, (block, columns) W S */
    float *draw;          /* (count, IG_DRAWS) */
    struct mean *mean;    /* (means) figures of parts */
    size_t means;
    struct link *link;       /* those of figure `at` are */
    uint32_t *start, *order; /* link[order[start[at] … start[at + 1])] */
    ig_arena arena;
};

/* Whether a figure and its parts with values have intervals, once units are counted. */
static bool is_drawn(const ig_figure *f)
{
    for (size_t i = 0; f->how == IG_MEAN_OF && i < f->items; i++)
        if (!isnan(f->part[i]->value) && !is_drawn(f->part[i]))
            return false;
    return f->how != IG_NO_ITEMS && f->items && !isnan(f->value) &&
           !f->measure->no_interval &&
           !(f->how == IG_CORRELATION && f->units < UNITS_MIN);
}

/* --- weights ---------------------------------------------------------------------- */

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

/* --- draws ------------------------------------------------------------------------ */

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

            job->draw[k * IG_DRAWS + job->first + b] =
                (float)ig_figure_combine(job->figure[k], sum);
        }
}

/* All draws of a batch. */
static ig_status draw_batch(struct job *job, const atomic_bool *stop, ig_error *error)
{
    size_t columns = IG_COLUMNS * job->count;
    ig_status status = IG_OK;

    memset(job->sum, 0, job->units * columns * sizeof *job->sum);
    ig_parallel_for(job->pool, job->count, 1, sum_items, job);
    for (size_t b = 0; b < IG_DRAWS && status == IG_OK; b += job->block) {
        job->first = b;
        job->drawn = IG_DRAWS - b < job->block ? IG_DRAWS - b : job->block;
        ig_parallel_for(job->pool, job->drawn, 1, draw_weights, job);
        status = ig_gemm_pool(job->pool, false, false, 1,
                              ig_matrix_of(job->weight, job->drawn, job->units),
                              ig_matrix_of(job->sum, job->units, columns), 0,
                              ig_matrix_of(job->product, job->drawn, columns));
        ig_parallel_for(job->pool, job->count, 1, combine_sums, job);
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

/* Clopper and Pearson's interval for the number of units that would give a share its
 * variance [Korn, Graubard 1998]. */
static void set_share(ig_figure *f, double variance)
{
    double p = fmin(fmax(f->value, 0), 1), n = (double)f->units;
    double t = n > 1 ? 1.96 / ig_t_quantile(n - 1) : 1;

    if (variance > 0 && p > 0 && p < 1)
        n = p * (1 - p) / variance * t * t;
    f->low = p > 0 ? ig_beta_quantile(0.025, p * n, n - p * n + 1) : 0;
    f->high = p < 1 ? ig_beta_quantile(0.975, p * n + 1, n - p * n) : 1;
}

/* Of others percentiles, expanded for few units as a mean's interval would be
 * (Hesterberg 2015): beyond each is Φ(−t √(u / (u − 1))). */
static void set_interval(ig_figure *f, const float *draw)
{
    float kept[IG_DRAWS];
    double variance, u = (double)f->units, tail = 0.025;
    size_t n;

    memcpy(kept, draw, sizeof kept);
    n = ig_draws_keep(kept, IG_DRAWS, &variance);
    if (u > 1)
        tail = 0.5 * erfc(ig_t_quantile(u - 1) * sqrt(u / (u - 1) / 2));
    if (n && f->measure->share && f->how != IG_RATIO) {
        set_share(f, variance);
    } else if (n) {
        f->low = ig_quantile(kept, n, tail);
        f->high = ig_quantile(kept, n, 1 - tail);
    }
}

static void set_intervals(void *context, size_t member, size_t first, size_t last)
{
    const struct job *job = context;

    (void)member;
    for (size_t k = first; k < last; k++)
        set_interval(job->figure[k], job->draw + k * IG_DRAWS);
}

/* Keep the draws of figures of the whole, for differences. */
static void keep_draws(const struct job *job, ig_figure *f, const float *draw)
{
    if (!ig_figure_is_whole(f))
        return;
    f->draw = ig_arena_array(&job->figures->arena, IG_DRAWS, sizeof *draw);
    if (f->draw)
        memcpy(f->draw, draw, IG_DRAWS * sizeof *draw);
}

/* --- means of figures ------------------------------------------------------------- */

static void add_to_means(const struct job *job, const ig_figure *f, const float *draw)
{
    for (size_t k = job->start[f->at]; k < job->start[f->at + 1]; k++) {
        struct mean *mean = &job->mean[job->link[job->order[k]].mean];
        double weight = mean->figure->by_n ? (double)f->n : 1;

        for (size_t b = 0; b < IG_DRAWS; b++)
            if (!isnan(draw[b])) {
                mean->sum[b] += weight * (double)draw[b];
                mean->weight[b] += weight;
            }
    }
}

static void conclude_means(const struct job *job)
{
    for (struct mean *m = job->mean; m < job->mean + job->means; m++) {
        float draw[IG_DRAWS];

        for (size_t b = 0; b < IG_DRAWS; b++)
            draw[b] = (float)(m->sum[b] / m->weight[b]); /* 0/0 is NaN */
        set_interval(m->figure, draw);
        keep_draws(job, m->figure, draw);
    }
}

static bool is_mean(const ig_figure *f)
{
    return f->how == IG_MEAN_OF && is_drawn(f);
}

static size_t part_of(const void *context, size_t i)
{
    return ((const struct link *)context)[i].part;
}

/* List the means, and by figure those that it is part of. */
static void list_means(struct job *job)
{
    const ig_figures *f = job->figures;
    size_t links = 0;

    for (size_t i = 0; i < f->count; i++)
        if (is_mean(f->row[i])) {
            job->means++;
            links += f->row[i]->items;
        }
    job->mean = ig_arena_array(&job->arena, job->means, sizeof *job->mean);
    job->link = ig_arena_array(&job->arena, links, sizeof *job->link);
    job->start = ig_arena_array(&job->arena, f->count + 2, sizeof *job->start);
    job->order = ig_arena_array(&job->arena, links, sizeof *job->order);
    if (job->arena.failed)
        return;
    job->means = links = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (!is_mean(f->row[i]))
            continue;
        for (size_t k = 0; k < f->row[i]->items; k++)
            job->link[links++] =
                (struct link){(uint32_t)f->row[i]->part[k]->at, (uint32_t)job->means};
        job->mean[job->means++].figure = f->row[i];
    }
    ig_array_order(links, f->count, part_of, job->link, job->start, job->order);
}

/* --- units ------------------------------------------------------------------------ */

/* Count the distinct units of a figure. seen: by unit, the last figure that had it. */
static size_t count_units(const ig_figure *f, uint32_t *seen, uint32_t stamp)
{
    size_t count = 0;

    for (size_t i = 0; i < f->items && f->how == IG_MEAN_OF; i++)
        count += isnan(f->part[i]->value) ? 0 : count_units(f->part[i], seen, stamp);
    for (size_t i = 0; i < f->items && f->how != IG_MEAN_OF; i++) {
        if (isnan(f->item[0][i]) || seen[f->unit[i]] == stamp)
            continue;
        seen[f->unit[i]] = stamp;
        count++;
    }
    return count;
}

static ig_status count_all_units(struct job *job, ig_error *error)
{
    const ig_figures *f = job->figures;
    uint32_t *seen;

    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->row[i]->items && f->row[i]->unit; k++)
            if (f->row[i]->unit[k] >= job->units)
                job->units = f->row[i]->unit[k] + (size_t)1;
    seen = ig_arena_array(&job->arena, job->units, sizeof *seen);
    for (size_t i = 0; i < f->count && !job->arena.failed; i++)
        f->row[i]->units = count_units(f->row[i], seen, (uint32_t)i + 1);
    return job->arena.failed ? ig_fail_memory(error, "the intervals") : IG_OK;
}

/* --- all -------------------------------------------------------------------------- */

/* Make room for a batch of so many figures. */
static ig_status prepare_job(struct job *job, size_t *most, ig_error *error)
{
    ig_arena *a = &job->arena;
    ig_status status = count_all_units(job, error);
    size_t u = job->units ? job->units : 1, c;

    if (status != IG_OK)
        return status;
    list_means(job);
    job->block = WEIGHTS / u < 1 ? 1 : WEIGHTS / u > IG_DRAWS ? IG_DRAWS : WEIGHTS / u;
    c = SUMS / u / IG_COLUMNS;
    *most = c < 1 ? 1 : c > FIGURES ? FIGURES : c;
    c = IG_COLUMNS * *most;
    job->weight = ig_arena_array(a, job->block, u * sizeof *job->weight);
    job->figure = ig_arena_array(a, *most, sizeof(*job->figure));
    job->sum = ig_arena_array(a, u, c * sizeof *job->sum);
    job->product = ig_arena_array(a, job->block, c * sizeof *job->product);
    job->draw = ig_arena_array(a, *most, IG_DRAWS * sizeof *job->draw);
    return a->failed ? ig_fail_memory(error, "the intervals") : IG_OK;
}

ig_status ig_bootstrap(ig_figures *f, uint64_t seed, ig_pool *pool,
                       const atomic_bool *stop, ig_error *error)
{
    struct job job = {.figures = f, .seed = seed, .pool = pool};
    size_t most, at = 0;
    ig_status status = prepare_job(&job, &most, error);

    while (at < f->count && status == IG_OK) {
        for (job.count = 0; at < f->count && job.count < most; at++)
            if (is_drawn(f->row[at]) && !is_mean(f->row[at]))
                job.figure[job.count++] = f->row[at];
        if (job.count)
            status = draw_batch(&job, stop, error);
        if (status == IG_OK)
            ig_parallel_for(pool, job.count, 1, set_intervals, &job);
        for (size_t k = 0; k < job.count && status == IG_OK; k++) {
            keep_draws(&job, job.figure[k], job.draw + k * IG_DRAWS);
            add_to_means(&job, job.figure[k], job.draw + k * IG_DRAWS);
        }
    }
    if (status == IG_OK)
        conclude_means(&job);
    if (status == IG_OK && f->arena.failed)
        status = ig_fail_memory(error, "the intervals");
    ig_arena_free(&job.arena);
    return status;
}
