/* The language probe: ridge regression to one-hot labels. Legend: n fitting rows, d
 * dims, K labels, S sets of labels, the true ones and shuffles; W (SK, d): K rows for
 * each set. */
#include "measure/probe.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/moments.h"
#include "core/random.h"

enum {
    SHUFFLES = 20,
    SHUFFLE_STREAM = 0x70726f62,
    CONTROLS = 4096, /* tested rows of each shuffle: of more an even sample */
    TENTH = 10,      /* of the ids choose λ */
    POWER_LEAST = -6,
    POWER_EDGE = -1, /* λ is greater only while the greatest wins */
    POWER_MOST = 4
};

/* λ as a share of the mean variance, unless it is chosen. */
static const double RIDGE = 1e-3;

/* --- what probes share ------------------------------------------------------------ */

static const char *find_reason(const ig_probe_split *of, const uint16_t *label)
{
    if (of->fits + of->tests == 0)
        return "no rows";
    if (of->fits == 0)
        return "no row has an even-numbered id to fit the probe on";
    if (of->tests == 0)
        return "no row has an odd-numbered id to test the probe on";
    for (size_t i = 1; i < of->fits; i++)
        if (label[of->fit[i]] != label[of->fit[0]])
            return NULL;
    for (size_t i = 0; i < of->tests && !of->apart; i++)
        if (label[of->test[i]] != label[of->fit[0]])
            return "the rows with even-numbered ids have only one language";
    return of->apart ? "only one language to fit on" : "only one language";
}

ig_status ig_probe_init(ig_probe *probe, const ig_embeddings *e,
                        const ig_probe_task *task, ig_error *error)
{
    const ig_probe_split *of = &task->split;
    size_t n = of->tests;
    ig_arena *a = &probe->arena;

    *probe = (ig_probe){.reason = find_reason(of, task->label),
                        .fitted = of->fits < IG_PROBE_ROWS ? of->fits : IG_PROBE_ROWS,
                        .tested = n,
                        .thin = of->fits < 4 * e->d};
    probe->row = ig_arena_array(a, n, sizeof *probe->row);
    probe->read = ig_arena_array(a, n, sizeof *probe->read);
    probe->certainty = ig_arena_array(a, n, sizeof *probe->certainty);
    if (task->shuffles)
        probe->by_chance = ig_arena_array(a, n, sizeof *probe->by_chance);
    if (a->failed)
        return ig_fail_memory(error, "a probe");
    for (size_t i = 0; i < n; i++)
        probe->row[i] = e->row[of->test[i]];
    return IG_OK;
}

bool ig_probe_read(const float *score, const double *offset, size_t k, size_t own,
                   uint16_t *label, float *lead)
{
    double best = -INFINITY, other = -INFINITY, ours = 0;

    for (size_t j = 0; j < k; j++) {
        double value = (double)score[j] + (offset ? offset[j] : 0);

        if (!isfinite(value))
            return false;
        if (value > best) {
            best = value;
            *label = (uint16_t)j;
        }
        if (j == own)
            ours = value;
        else if (value > other)
            other = value;
    }
    *lead = (float)(ours - other);
    return true;
}

double ig_probe_majority(const ig_probe_task *task)
{
    const ig_probe_split *of = &task->split;
    size_t *count = ig_alloc(task->labels, sizeof *count), most = 0;

    for (size_t i = 0; count && i < of->tests; i++) {
        size_t n = ++count[task->label[of->test[i]]];

        most = n > most ? n : most;
    }
    ig_free(count);
    return (double)most / (double)of->tests;
}

/* Append the mean of values (tests) of the tested rows. */
static ig_status append_mean(const ig_probe *probe, const ig_embeddings *e,
                             const ig_probe_task *task, const char *measure,
                             const float *value, double chance, ig_figures *figures,
                             ig_error *error)
{
    ig_figure *f = ig_figures_add_items(figures, measure, IG_ALL_LANGUAGES,
                                        IG_ALL_LANGUAGES, IG_MEAN, probe->answers,
                                        NULL);

    if (!f)
        return ig_fail_memory(error, "a probe");
    for (size_t i = 0; i < f->items; i++) {
        f->unit[i] = e->meaning[task->split.test[i]];
        f->item[0][i] = value[i];
    }
    f->n = probe->tested;
    f->chance = chance;
    ig_figures_close(figures, f, probe->reason);
    return IG_OK;
}

ig_status ig_probe_append(const ig_probe *probe, const ig_embeddings *e,
                          const ig_probe_task *task, const char *measure,
                          ig_figures *figures, ig_error *error)
{
    float *right = ig_arena_array(&figures->brief, probe->answers, sizeof *right);

    if (!right)
        return ig_fail_memory(error, "a probe");
    for (size_t i = 0; i < probe->answers; i++)
        right[i] = probe->read[i] == task->label[task->split.test[i]];
    return append_mean(probe, e, task, measure, right, ig_probe_majority(task), figures,
                       error);
}

/* --- fitting ---------------------------------------------------------------------- */

struct probe {
    const ig_embeddings *e;
    const ig_probe_task *task;
    ig_rows rows;
    size_t n, kept; /* fitting rows; of which the first are kept when λ is chosen */
    size_t d, k, sets;
    float *x;        /* (n, d) the fitting rows, less … */
    double *mean;    /* (d) … their mean */
    uint16_t *label; /* (S, n) true, shuffled */

    /* of the first rows */
    ig_moments moments;
    double *share;        /* (K) of the labels */
    double *sum;          /* (SK, d) of the rows of each label */
    double *w, *offset;   /* (SK, d) W, (SK) what is added to a score */
    float *weight;        /* (SK, d) W */
    float *score;         /* (IG_CHUNK, K) */
    uint16_t *own, *read; /* (IG_CHUNK) labels of rows, and those that are read … */
    float *lead;          /* … with this certainty */
    ig_arena arena;
};

static uint32_t row_of(const struct probe *p, size_t i)
{
    return p->task->split.fit[i * p->task->split.fits / p->n];
}

/* Whether fitting row i is of every tenth id, which chooses λ. Rows without an id are
 * counted. */
static bool is_held(const struct probe *p, size_t i)
{
    const uint32_t *id = p->task->id;
    uint32_t row = row_of(p, i);
    size_t number = id && id[row] != IG_NO_ID ? id[row] : i;

    return p->task->split.apart && number % TENTH == TENTH - 1;
}

/* List the fitting rows, those that choose λ last, and draw their labels. */
static ig_status list_rows(struct probe *p, uint32_t *list, ig_error *error)
{
    size_t n = p->n, at[2] = {0, 0};
    uint32_t *order = ig_arena_array(&p->arena, n, sizeof *order);
    uint32_t *place = ig_arena_array(&p->arena, n, sizeof *place);
    ig_random random;

    if (p->arena.failed)
        return ig_fail_memory(error, "a probe");
    for (size_t i = 0; i < n; i++)
        at[1] += !is_held(p, i);
    p->kept = at[1];
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
        place[i] = (uint32_t)at[is_held(p, i)]++;
        list[place[i]] = row_of(p, i);
    }
    ig_random_init(&random, p->e->spec->seed, SHUFFLE_STREAM);
    for (size_t s = 0; s < p->sets; s++) {
        if (s)
            ig_random_shuffle(&random, order, n);
        for (size_t i = 0; i < n; i++)
            p->label[s * n + place[i]] = p->task->label[row_of(p, order[i])];
    }
    return IG_OK;
}

/* Sum the rows of each label of some sets. */
static void sum_labels(void *context, size_t member, size_t first, size_t last)
{
    const struct probe *p = context;

    (void)member;
    for (size_t s = first; s < last; s++)
        for (size_t i = 0; i < p->moments.rows; i++) {
            const float *row = p->x + i * p->d;
            double *sum = p->sum + (s * p->k + p->label[s * p->n + i]) * p->d;

            for (size_t j = 0; j < p->d; j++)
                sum[j] += (double)row[j];
        }
}

/* Moments and sums of the first n rows. */
static ig_status sum_up(struct probe *p, size_t n, ig_error *error)
{
    const ig_rows rows = ig_rows_of_matrix(ig_matrix_of(p->x, n, p->d));
    ig_progress *watch = p->e->progress;
    ig_status status;

    ig_moments_clear(&p->moments);
    status = ig_moments_add(&p->moments, &rows, false, p->e->pool,
                            watch ? watch->stop : NULL, NULL, error);
    if (status != IG_OK)
        return status;
    memset(p->sum, 0, p->sets * p->k * p->d * sizeof *p->sum);
    memset(p->share, 0, p->k * sizeof *p->share);
    ig_parallel_for(p->e->pool, p->sets, 1, sum_labels, p);
    for (size_t i = 0; i < n; i++)
        p->share[p->label[i]] += 1 / (double)n;
    ig_progress_add(watch, (double)n * (double)p->d * (double)p->d, 0);
    return IG_OK;
}

/* W of the first sets, by the rows that were summed. */
static ig_status solve(struct probe *p, size_t sets, double ridge, ig_error *error)
{
    size_t d = p->d, k = p->k;
    double n = (double)p->moments.rows;
    ig_status status;

    for (size_t r = 0; r < sets * k; r++)
        for (size_t j = 0; j < d; j++)
            p->w[r * d + j] = p->sum[r * d + j] / n -
                              p->share[r % k] * p->moments.mean[j];
    status = ig_ridge(p->moments.scatter, d, n, ridge, p->w, sets * k, error);
    for (size_t r = 0; r < sets * k && status == IG_OK; r++) {
        p->offset[r] = p->share[r % k];
        for (size_t j = 0; j < d; j++) {
            p->offset[r] -= p->w[r * d + j] * p->moments.mean[j];
            p->weight[r * d + j] = (float)p->w[r * d + j];
        }
    }
    return status;
}

/* Read n ≤ IG_CHUNK rows, less the mean, by a set of labels.
 *   own  in  (n) labels of the rows */
static ig_status read_rows(struct probe *p, const float *x, size_t n, size_t set,
                           const uint16_t *own, uint16_t *read, float *lead,
                           ig_error *error)
{
    size_t d = p->d, k = p->k;

    ig_gemm_pool(p->e->pool, false, true, 1, ig_matrix_of((float *)x, n, d),
                 ig_matrix_of(p->weight + set * k * d, k, d), 0,
                 ig_matrix_of(p->score, n, k));
    for (size_t i = 0; i < n; i++)
        if (!ig_probe_read(p->score + i * k, p->offset + set * k, k, own[i], &read[i],
                           &lead[i]))
            return ig_fail(error, IG_VALUE, "a value is not finite");
    return IG_OK;
}

/* The λ with the best accuracy on the last rows, fitted on the first. RIDGE if that is
 * impossible. */
static ig_status choose_ridge(struct probe *p, double *ridge, ig_error *error)
{
    size_t most = 0;
    int best = POWER_EDGE;
    bool differ = false;
    ig_status status;

    for (size_t i = 1; i < p->kept; i++)
        differ |= p->label[i] != p->label[0];
    if (!differ || p->kept == p->n)
        return IG_OK;
    status = sum_up(p, p->kept, error);
    for (int power = POWER_LEAST; power <= POWER_MOST && status == IG_OK; power++) {
        size_t right = 0;

        if (power > POWER_EDGE && best < power - 1)
            break;
        status = solve(p, 1, pow(10, power), error);
        for (size_t i = p->kept; i < p->n && status == IG_OK; i += IG_CHUNK) {
            size_t n = p->n - i < IG_CHUNK ? p->n - i : IG_CHUNK;

            status = read_rows(p, p->x + i * p->d, n, 0, p->label + i, p->read, p->lead,
                               error);
            for (size_t t = 0; t < n && status == IG_OK; t++)
                right += p->read[t] == p->label[i + t];
        }
        if (status == IG_VALUE) /* too small for rows that span few dimensions */
            status = IG_OK;
        if (right > most) {
            most = right;
            best = power;
        }
    }
    if (most)
        *ridge = pow(10, best);
    return status;
}

/* Gather the fitting rows and fit. */
static ig_status fit(struct probe *p, const char **reason, ig_error *error)
{
    const ig_embeddings *e = p->e;
    size_t n = p->n, d = p->d, k = p->k, sets = p->sets;
    ig_arena *a = &p->arena;
    uint32_t *list = ig_arena_array(a, n, sizeof *list);
    ig_chunk c = ig_chunk_of(&p->rows, list, n, e->pool, e->progress, a);
    double ridge = RIDGE, spread = 0, square = 0;
    ig_status status = ig_moments_init(&p->moments, d, error);

    p->x = ig_arena_array(a, n, d * sizeof *p->x);
    p->mean = ig_arena_array(a, d, sizeof *p->mean);
    p->label = ig_arena_array(a, n, sets * sizeof *p->label);
    p->share = ig_arena_array(a, k, sizeof *p->share);
    p->sum = ig_arena_array(a, sets * k, d * sizeof *p->sum);
    p->w = ig_arena_array(a, sets * k, d * sizeof *p->w);
    p->offset = ig_arena_array(a, sets, k * sizeof *p->offset);
    p->weight = ig_arena_array(a, sets * k, d * sizeof *p->weight);
    p->score = ig_arena_array(a, IG_CHUNK, k * sizeof *p->score);
    p->read = ig_arena_array(a, IG_CHUNK, sizeof *p->read);
    p->own = ig_arena_array(a, IG_CHUNK, sizeof *p->own);
    p->lead = ig_arena_array(a, IG_CHUNK, sizeof *p->lead);
    if (status == IG_OK)
        status = list_rows(p, list, error);
    if (status != IG_OK)
        return status;
    ig_chunk_read(&c, 0, n, p->x);
    for (size_t i = 0; i < n * d; i++)
        p->mean[i % d] += (double)p->x[i];
    for (size_t j = 0; j < d; j++) {
        p->mean[j] /= (double)n;
        square += p->mean[j] * p->mean[j];
    }
    for (size_t i = 0; i < n * d; i++)
        p->x[i] = (float)((double)p->x[i] - p->mean[i % d]);
    status = choose_ridge(p, &ridge, error);
    if (status == IG_OK)
        status = sum_up(p, n, error);
    for (size_t j = 0; j < d && status == IG_OK; j++)
        spread += p->moments.scatter[j * d + j] / (double)n;
    if (spread > 0 && spread >= IG_SPREAD_MIN * (spread + square))
        return solve(p, sets, ridge, error);
    *reason = "the rows do not differ";
    return status;
}

/* --- reading ---------------------------------------------------------------------- */

/* Whether the shuffles are tested on row i of n: of many an even sample, whatever the
 * order of the languages. */
static bool is_control(size_t i, size_t n)
{
    return (double)((uint32_t)i * 2654435769u) / 4294967296.0 * (double)n < CONTROLS;
}

/* Read a chunk of the tested rows by the shuffles: the share of them that read the own
 * label. The chunk keeps only the rows that are tested. */
static ig_status read_shuffles(struct probe *p, ig_chunk *c, float *by_chance,
                               ig_error *error)
{
    size_t n = 0, d = p->d;
    uint32_t at[IG_CHUNK];
    ig_status status = IG_OK;

    for (size_t i = 0; i < c->count; i++) {
        by_chance[i] = NAN;
        if (!is_control(c->first + i, c->n))
            continue;
        memmove(c->row + n * d, c->row + i * d, d * sizeof *c->row);
        p->own[n] = p->own[i];
        by_chance[i] = 0;
        at[n++] = (uint32_t)i;
    }
    for (size_t s = 1; s < p->sets && status == IG_OK; s++) {
        status = read_rows(p, c->row, n, s, p->own, p->read, p->lead, error);
        for (size_t i = 0; i < n; i++)
            by_chance[at[i]] += (float)(p->read[i] == p->own[i]) / (float)(p->sets - 1);
    }
    return status;
}

static ig_status read_tested(struct probe *p, ig_probe *probe, ig_error *error)
{
    const ig_probe_split *of = &p->task->split;
    ig_chunk c = ig_chunk_of(&p->rows, of->test, of->tests, p->e->pool, p->e->progress,
                             &p->arena);
    ig_status status = ig_chunk_status(&p->arena, p->e->progress, "a probe", error);

    while (status == IG_OK && ig_chunk_next(&c)) {
        for (size_t i = 0; i < c.count * c.d; i++)
            c.row[i] = (float)((double)c.row[i] - p->mean[i % c.d]);
        for (size_t i = 0; i < c.count; i++)
            p->own[i] = p->task->label[of->test[c.first + i]];
        status = read_rows(p, c.row, c.count, 0, p->own, probe->read + c.first,
                           probe->certainty + c.first, error);
        if (status == IG_OK && probe->by_chance)
            status = read_shuffles(p, &c, probe->by_chance + c.first, error);
        ig_progress_add(p->e->progress, 2 * (double)(c.count * p->k * p->d), 0);
    }
    probe->answers = of->tests;
    return status == IG_OK
               ? ig_chunk_status(&p->arena, p->e->progress, "a probe", error)
               : status;
}

ig_status ig_probe_take(ig_probe *probe, const ig_embeddings *e,
                        const ig_probe_task *task, ig_error *error)
{
    ig_status status = ig_probe_init(probe, e, task, error);
    struct probe p = {.e = e,
                      .task = task,
                      .rows = task->raw ? e->rows : e->units,
                      .n = probe->fitted,
                      .d = e->d,
                      .k = task->labels,
                      .sets = 1 + task->shuffles};

    if (status == IG_OK && !probe->reason)
        status = fit(&p, &probe->reason, error);
    if (status == IG_OK && !probe->reason)
        status = read_tested(&p, probe, error);
    ig_moments_free(&p.moments);
    ig_arena_free(&p.arena);
    return status;
}

/* --- the groups ------------------------------------------------------------------- */

/* Fit and test a probe of the language, and append its accuracy. */
static ig_status measure_language(const ig_embeddings *e, ig_probe_task *task,
                                  ig_probe *probe, const char *measure,
                                  ig_figures *figures, ig_error *error)
{
    ig_status status;

    task->label = e->lang;
    task->labels = e->languages;
    task->id = e->id;
    task->split = e->split;
    status = ig_probe_take(probe, e, task, error);
    return status == IG_OK ? ig_probe_append(probe, e, task, measure, figures, error)
                           : status;
}

/* Shares of each language's tested rows that are read as each. */
static ig_status append_counts(const ig_probe *probe, const ig_probe_task *task,
                               ig_figures *figures, ig_error *error)
{
    size_t k = task->labels;
    size_t *count = ig_arena_array(&figures->brief, k, k * sizeof *count);

    if (!count)
        return ig_fail_memory(error, "a probe");
    for (size_t i = 0; i < probe->answers; i++)
        count[task->label[task->split.test[i]] * k + probe->read[i]]++;
    ig_figures_add_counts(figures, "probe_read", count, k, false);
    return IG_OK;
}

static ig_status measure_units(const ig_embeddings *e, ig_evaluation *out,
                               ig_error *error)
{
    ig_figures *figures = &out->figures;
    ig_probe_task task = {.shuffles = SHUFFLES};
    ig_probe *probe = &out->probe;
    ig_status status = measure_language(e, &task, probe, "probe", figures, error);

    if (status == IG_OK)
        status = append_counts(probe, &task, figures, error);
    return status == IG_OK ? append_mean(probe, e, &task, "probe_shuffled",
                                         probe->by_chance, (double)NAN, figures, error)
                           : status;
}

static ig_status measure_raw(const ig_embeddings *e, ig_evaluation *out,
                             ig_error *error)
{
    ig_figures *figures = &out->figures;
    ig_probe_task task = {.raw = true};
    ig_probe probe;
    ig_status status = measure_language(e, &task, &probe, "probe_raw", figures, error);

    ig_arena_free(&probe.arena);
    return status;
}

const ig_measure_group ig_probe_group = {
    .word = "probe", .needs = IG_NEEDS_ROWS | IG_NEEDS_REST, .measure = measure_units};

const ig_measure_group ig_raw_probe_group = {.word = "probe_raw",
                                             .needs = IG_NEEDS_ROWS | IG_NEEDS_REST,
                                             .measure = measure_raw};
