/* The probe with one hidden layer: h = max(0, W1 z), scores W2 h, softmax
 * cross-entropy, Adam on mini-batches with a rate that falls to 0. z is a row of length
 * 1 less the mean of the fitting rows, whitened by their covariance; z and h have a
 * last column of ones, so that the last row of W1 and of W2 is a bias. Legend: n
 * fitting rows, d dims, H hidden units, K languages, B rows of a batch. */
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/random.h"
#include "measure/probe.h"
#include "measure/units.h"

enum {
    HIDDEN = 128, /* H */
    BATCH = 128,
    PASSES = 16, /* over the fitting rows, unless that is less or more than */
    PASSES_MOST = 256,
    VISITS_LEAST = 1 << 15,
    VISITS_MOST = 1 << 18, /* rows seen in all */
    FITTED_MOST = 1 << 16, /* rows */
    CHUNK = 4096,          /* rows that are whitened together */
    STREAM = 0x68696464
};

/* RIDGE: added before whitening, as a share of the mean variance. */
static const double RATE = 3e-3, BETA1 = 0.9, BETA2 = 0.999, EPSILON = 1e-8,
                    RIDGE = 1e-4;

struct hidden {
    const ig_measure_input *in;
    const ig_probe_task *task;
    size_t d, k, n;
    double *mean;     /* (d) of the fitting rows */
    ig_matrix whiten; /* (d, d) */

    size_t weights;
    float *weight, *gradient, *first, *second; /* (weights), of Adam the last two */
    ig_matrix w[2], g[2];          /* (d + 1, H), (H + 1, K): weights, gradients */
    ig_matrix hidden, score, back; /* (CHUNK, H + 1), (CHUNK, K), (B, H) */
    ig_arena arena;
};

static ig_matrix make_matrix(ig_arena *arena, size_t rows, size_t cols)
{
    return ig_matrix_of(ig_arena_array(arena, rows, cols * sizeof(float)), rows, cols);
}

static void fill_ones(ig_matrix m)
{
    for (size_t i = 0; i < m.rows; i++)
        ig_matrix_row(m, i)[m.cols - 1] = 1;
}

static void draw_weights(ig_matrix w, ig_random *random)
{
    for (size_t i = 0; i < (w.rows - 1) * w.cols; i++)
        w.a[i] = (float)((2 * ig_random_unit(random) - 1) / sqrt((double)(w.rows - 1)));
}

static ig_status open_net(struct hidden *h, ig_random *random, ig_error *error)
{
    size_t d = h->d, k = h->k, at = (d + 1) * HIDDEN;
    ig_arena *a = &h->arena;

    h->weights = at + (HIDDEN + 1) * k;
    h->weight = ig_arena_array(a, h->weights, sizeof *h->weight);
    h->gradient = ig_arena_array(a, h->weights, sizeof *h->gradient);
    h->first = ig_arena_array(a, h->weights, sizeof *h->first);
    h->second = ig_arena_array(a, h->weights, sizeof *h->second);
    h->hidden = make_matrix(a, CHUNK, HIDDEN + 1);
    h->score = make_matrix(a, CHUNK, k);
    h->back = make_matrix(a, BATCH, HIDDEN);
    if (a->failed)
        return ig_fail_memory(error, "the probe with a hidden layer");
    h->w[0] = ig_matrix_of(h->weight, d + 1, HIDDEN);
    h->g[0] = ig_matrix_of(h->gradient, d + 1, HIDDEN);
    h->w[1] = ig_matrix_of(h->weight + at, HIDDEN + 1, k);
    h->g[1] = ig_matrix_of(h->gradient + at, HIDDEN + 1, k);
    fill_ones(h->hidden);
    draw_weights(h->w[0], random);
    draw_weights(h->w[1], random);
    return IG_OK;
}

/* --- the rows --------------------------------------------------------------------- */

/* The mean and V diag((λ + ε)^-1/2) of the fitting rows. *reason when they do not
 * differ. */
static ig_status fit_whitening(struct hidden *h, const char **reason, ig_error *error)
{
    const ig_measure_input *in = h->in;
    size_t d = h->d;
    double *vector = ig_arena_array(&h->arena, d, d * sizeof *vector);
    double *value = ig_arena_array(&h->arena, d, sizeof *value), trace, squares;
    ig_moments m = {0};
    ig_status status = ig_moments_init(&m, d, error);

    h->mean = ig_arena_array(&h->arena, d, sizeof *h->mean);
    h->whiten = make_matrix(&h->arena, d, d);
    if (status == IG_OK && h->arena.failed)
        status = ig_fail_memory(error, "the probe with a hidden layer");
    if (status == IG_OK)
        status = ig_unit_moments(&m, in->base, h->task->split.fit, h->n, NULL, NULL,
                                 in->pool, in->watch, error);
    if (status == IG_OK)
        status = ig_eigen_symmetric(m.scatter, d, d, value, vector, error);
    if (status == IG_OK)
        ig_unit_spread(&m, &trace, &squares);
    for (size_t i = 0; status == IG_OK && i < d; i++) {
        double scale =
            1 / sqrt(fmax(value[i] / (double)m.rows, 0) + RIDGE * trace / (double)d);

        h->mean[i] = m.mean[i];
        for (size_t j = 0; j < d; j++)
            ig_matrix_row(h->whiten, j)[i] = (float)(vector[i * d + j] * scale);
    }
    if (status == IG_OK && trace < IG_SPREAD_MIN)
        *reason = "the rows do not differ";
    ig_moments_free(&m);
    return status;
}

/* z of some rows: out (n, d + 1). */
static ig_status whiten_rows(const struct hidden *h, const uint32_t *list,
                             ig_matrix out, ig_error *error)
{
    const ig_measure_input *in = h->in;
    ig_status status = IG_OK;

    for (size_t at = 0, n; at < out.rows && status == IG_OK; at += n) {
        ig_units u = {0};

        n = out.rows - at < CHUNK ? out.rows - at : CHUNK;
        status = ig_units_centre(&u, in->base, list, at, n, h->mean, in->pool,
                                 in->watch, error);
        if (status == IG_OK)
            ig_gemm_pool(in->pool, false, false, 1, ig_matrix_of(u.unit, n, h->d),
                         h->whiten, 0,
                         ig_matrix_cols(ig_matrix_rows(out, at, n), 0, h->d));
        ig_units_free(&u);
    }
    fill_ones(out);
    return status;
}

/* --- training --------------------------------------------------------------------- */

/* Scores of z, at most CHUNK rows. */
static void score_rows(struct hidden *h, ig_matrix z)
{
    ig_matrix hidden = ig_matrix_rows(h->hidden, 0, z.rows);

    ig_gemm_pool(h->in->pool, false, false, 1, z, h->w[0], 0,
                 ig_matrix_cols(hidden, 0, HIDDEN));
    for (size_t i = 0; i < z.rows * hidden.cols; i++) /* ones stay */
        hidden.a[i] = hidden.a[i] > 0 ? hidden.a[i] : 0;
    ig_gemm(false, false, 1, hidden, h->w[1], 0, ig_matrix_rows(h->score, 0, z.rows));
}

/* Scores into (softmax − one-hot) / B, and these into gradients. */
static void find_gradient(struct hidden *h, ig_matrix x, const uint16_t *label)
{
    size_t n = x.rows, k = h->k;
    ig_matrix hidden = ig_matrix_rows(h->hidden, 0, n);
    ig_matrix score = ig_matrix_rows(h->score, 0, n);
    ig_matrix back = ig_matrix_rows(h->back, 0, n);

    for (size_t i = 0; i < n; i++) {
        float *s = ig_matrix_row(score, i), most = ig_kernels_best()->max_of(s, k);
        double sum = 0;

        for (size_t j = 0; j < k; j++) {
            s[j] = expf(s[j] - most);
            sum += (double)s[j];
        }
        for (size_t j = 0; j < k; j++)
            s[j] = (float)(((double)s[j] / sum - (j == label[i])) / (double)n);
    }
    ig_gemm(false, true, 1, score, ig_matrix_rows(h->w[1], 0, HIDDEN), 0, back);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < HIDDEN; j++)
            ig_matrix_row(back, i)[j] *= ig_matrix_row(hidden, i)[j] > 0;
    ig_gemm_pool(h->in->pool, true, false, 1, x, back, 0, h->g[0]);
    ig_gemm(true, false, 1, hidden, score, 0, h->g[1]);
}

/* Rows that are seen in all, of so many different ones. */
static double visits_of(size_t rows)
{
    double n = (double)rows, least = fmin(VISITS_LEAST, PASSES_MOST * n);

    return fmin(fmax(PASSES * n, least), VISITS_MOST);
}

static ig_status train_net(struct hidden *h, ig_random *random, ig_error *error)
{
    const uint32_t *list = h->task->split.fit;
    ig_matrix z = make_matrix(&h->arena, h->n, h->d + 1);
    ig_matrix x = make_matrix(&h->arena, BATCH, h->d + 1);
    uint32_t *order = ig_arena_array(&h->arena, h->n, sizeof *order);
    double visits = floor(visits_of(h->n));
    uint16_t label[BATCH];
    size_t at = 0, n, step = 0;
    ig_status status = h->arena.failed
                           ? ig_fail_memory(error, "the probe with a hidden layer")
                           : whiten_rows(h, list, z, error);

    for (size_t i = 0; status == IG_OK && i < h->n; i++)
        order[i] = (uint32_t)i;
    for (double seen = 0; status == IG_OK && seen < visits; seen += (double)n) {
        at = at == h->n ? 0 : at;
        n = h->n - at < BATCH ? h->n - at : BATCH;
        if (at == 0)
            ig_random_shuffle(random, order, h->n);
        for (size_t i = 0; i < n; i++, at++) {
            memcpy(ig_matrix_row(x, i), ig_matrix_row(z, order[at]),
                   x.cols * sizeof *x.a);
            label[i] = h->task->label[list[order[at]]];
        }
        score_rows(h, ig_matrix_rows(x, 0, n));
        find_gradient(h, ig_matrix_rows(x, 0, n), label);
        step++;
        ig_kernels_best()->adam(h->weight, h->first, h->second, h->gradient, h->weights,
                                (float)(RATE * (1 - seen / visits)), (float)BETA1,
                                (float)BETA2, (float)EPSILON,
                                (float)(1 - pow(BETA1, (double)step)),
                                (float)(1 - pow(BETA2, (double)step)), 0);
        ig_progress_add(h->in->watch, 6 * (double)n * (double)h->d * HIDDEN, 0);
        if (ig_progress_cancelled(h->in->watch))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    return status;
}

static ig_status fit_hidden(void *state, const char **reason, ig_error *error)
{
    struct hidden *h = state;
    ig_random random;
    ig_status status;

    ig_random_init(&random, h->in->seed, STREAM);
    status = open_net(h, &random, error);
    if (status == IG_OK)
        status = fit_whitening(h, reason, error);
    return status == IG_OK && !*reason ? train_net(h, &random, error) : status;
}

static ig_status read_hidden(void *state, const uint32_t *list, size_t n,
                             uint16_t *read, float *lead, ig_error *error)
{
    struct hidden *h = state;
    ig_matrix z = make_matrix(&h->arena, CHUNK, h->d + 1);
    ig_status status = h->arena.failed
                           ? ig_fail_memory(error, "the probe with a hidden layer")
                           : IG_OK;

    for (size_t at = 0, count; at < n && status == IG_OK; at += count) {
        ig_matrix some = ig_matrix_rows(z, 0, n - at < CHUNK ? n - at : CHUNK);

        count = some.rows;
        status = whiten_rows(h, list + at, some, error);
        if (status == IG_OK)
            score_rows(h, some);
        for (size_t i = 0; i < count && status == IG_OK; i++)
            ig_probe_read(ig_matrix_row(h->score, i), NULL, h->k,
                          h->task->label[list[at + i]], &read[at + i], &lead[at + i]);
    }
    return status;
}

/* --- the group -------------------------------------------------------------------- */

/* The rows of the linear probe; of many fitting ones an even sample. */
static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    size_t all = in->split.fits, fits = all < FITTED_MOST ? all : FITTED_MOST;
    ig_probe_task task = {
        .label = in->base_lang, .labels = in->languages, .split = in->split};
    struct hidden h = {
        .in = in, .task = &task, .d = in->base->dims, .k = in->languages, .n = fits};
    uint32_t *fit = ig_arena_array(&h.arena, fits, sizeof *fit);
    ig_status status = fit ? IG_OK
                           : ig_fail_memory(error, "the probe with a hidden layer");

    for (size_t i = 0; fit && i < fits; i++)
        fit[i] = in->split.fit[i * all / fits];
    task.split.fit = fit;
    task.split.fits = fits;
    if (status == IG_OK)
        status = ig_probe_run(result, in, &task, fit_hidden, read_hidden, &h, error);
    ig_arena_free(&h.arena);
    return status;
}

static double group_work(const ig_measure_input *in)
{
    size_t all = in->fits ? in->fits : in->some->rows;
    double n = (double)(all < FITTED_MOST ? all : FITTED_MOST);
    double d = (double)in->some->dims;

    return 3 * n * d * d + 9 * d * d * d +
           2 * (double)in->some->rows * d * (d + HIDDEN) +
           6 * visits_of(all) * d * HIDDEN;
}

static void group_append(const void *result, ig_figures *figures)
{
    ig_probe_append(result, "probe_hidden", figures);
}

IG_GROUP(hidden_probe, "probe with a hidden layer", IG_NEEDS_ROWS | IG_NEEDS_REST,
         .free = ig_result_free);
