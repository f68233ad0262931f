/* The probe with one hidden layer: h = max(0, W1 z), scores W2 h, softmax
 * cross-entropy, Adam on mini-batches with a rate that falls to 0. z is a row of length
 * 1 less the mean of the fitting rows, whitened by their covariance; z and h have a
 * last column of ones, so that the last row of W1 and of W2 is a bias. Legend: n
 * fitting rows, d dims, H hidden units, K languages, B rows of a batch. */
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/moments.h"
#include "core/random.h"
#include "measure/probe.h"

enum {
    HIDDEN = 128, /* H */
    BATCH = 128,
    PASSES = 16, /* over the fitting rows, unless that is less or more than */
    PASSES_MOST = 256,
    VISITS_LEAST = 1 << 15,
    VISITS_MOST = 1 << 18, /* rows seen in all */
    STREAM = 0x68696464
};

/* RIDGE: added before whitening, as a share of the mean variance. */
static const double RATE = 3e-3, BETA1 = 0.9, BETA2 = 0.999, EPSILON = 1e-8,
                    RIDGE = 1e-4;

struct hidden {
    const ig_embeddings *e;
    const uint16_t *label; /* (base rows) */
    uint32_t *fit;         /* (n) the fitting rows */
    size_t d, k, n;
    double *mean;     /* (d) of the fitting rows */
    ig_matrix whiten; /* (d, d) */

    size_t weights;
    float *weight, *gradient, *first, *second; /* (weights), of Adam the last two */
    ig_matrix w[2], g[2];          /* (d + 1, H), (H + 1, K): weights, gradients */
    ig_matrix hidden, score, back; /* (IG_CHUNK, H + 1), (IG_CHUNK, K), (B, H) */
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
    h->hidden = make_matrix(a, IG_CHUNK, HIDDEN + 1);
    h->score = make_matrix(a, IG_CHUNK, k);
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

/* z (n, d + 1) of rows x (n, d), which lose the mean. */
static void whiten_rows(const struct hidden *h, float *x, ig_matrix z)
{
    for (size_t i = 0; i < z.rows * h->d; i++)
        x[i] = (float)((double)x[i] - h->mean[i % h->d]);
    ig_gemm_pool(h->e->pool, false, false, 1, ig_matrix_of(x, z.rows, h->d), h->whiten,
                 0, ig_matrix_cols(z, 0, h->d));
    fill_ones(z);
}

/* The mean and V diag((λ + ε)^-1/2) of the fitting rows. *reason when they do not
 * differ. */
static ig_status fit_whitening(struct hidden *h, const ig_moments *m,
                               const char **reason, ig_error *error)
{
    size_t d = h->d;
    double *vector = ig_arena_array(&h->arena, d, d * sizeof *vector);
    double *value = ig_arena_array(&h->arena, d, sizeof *value), trace = 0;
    ig_status status = h->arena.failed
                           ? ig_fail_memory(error, "the probe with a hidden layer")
                           : ig_eigen_symmetric(m->scatter, d, d, value, vector, error);

    for (size_t i = 0; i < d && status == IG_OK; i++)
        trace += m->scatter[i * d + i] / (double)m->rows;
    for (size_t i = 0; i < d && status == IG_OK; i++) {
        double scale =
            1 / sqrt(fmax(value[i] / (double)m->rows, 0) + RIDGE * trace / (double)d);

        h->mean[i] = m->mean[i];
        for (size_t j = 0; j < d; j++)
            ig_matrix_row(h->whiten, j)[i] = (float)(vector[i * d + j] * scale);
    }
    if (trace < IG_SPREAD_MIN)
        *reason = "the rows do not differ";
    return status;
}

/* Gather the fitting rows and whiten them: z (n, d + 1). */
static ig_status fit_rows(struct hidden *h, ig_matrix z, const char **reason,
                          ig_error *error)
{
    const ig_embeddings *e = h->e;
    ig_arena *a = &h->arena;
    ig_chunk c = ig_chunk_of(&e->units, h->fit, h->n, e->pool, e->progress, a);
    float *x = ig_arena_array(a, h->n, h->d * sizeof *x);
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(x, h->n, h->d));
    ig_moments m = {0};
    ig_status status = ig_moments_init(&m, h->d, error);

    if (status == IG_OK)
        status =
            ig_chunk_status(a, e->progress, "the probe with a hidden layer", error);
    if (status == IG_OK) {
        ig_chunk_read(&c, 0, h->n, x);
        status = ig_moments_add(&m, &rows, false, e->pool, NULL, NULL, error);
    }
    if (status == IG_OK)
        status = fit_whitening(h, &m, reason, error);
    if (status == IG_OK && !*reason)
        whiten_rows(h, x, z);
    ig_moments_free(&m);
    return status;
}

/* --- training --------------------------------------------------------------------- */

/* Scores of z, at most IG_CHUNK rows. */
static void score_rows(struct hidden *h, ig_matrix z)
{
    ig_matrix hidden = ig_matrix_rows(h->hidden, 0, z.rows);

    ig_gemm_pool(h->e->pool, false, false, 1, z, h->w[0], 0,
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
    ig_gemm_pool(h->e->pool, true, false, 1, x, back, 0, h->g[0]);
    ig_gemm(true, false, 1, hidden, score, 0, h->g[1]);
}

/* Rows that are seen in all, of so many different ones. */
static double visits_of(size_t rows)
{
    double n = (double)rows, least = fmin(VISITS_LEAST, PASSES_MOST * n);

    return fmin(fmax(PASSES * n, least), VISITS_MOST);
}

static ig_status train_net(struct hidden *h, ig_matrix z, ig_random *random,
                           ig_error *error)
{
    ig_matrix x = make_matrix(&h->arena, BATCH, h->d + 1);
    uint32_t *order = ig_arena_array(&h->arena, h->n, sizeof *order);
    double visits = floor(visits_of(h->n));
    uint16_t label[BATCH];
    size_t at = 0, n, step = 0;
    ig_status status = ig_chunk_status(&h->arena, h->e->progress,
                                       "the probe with a hidden layer", error);

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
            label[i] = h->label[h->fit[order[at]]];
        }
        score_rows(h, ig_matrix_rows(x, 0, n));
        find_gradient(h, ig_matrix_rows(x, 0, n), label);
        step++;
        ig_kernels_best()->adam(h->weight, h->first, h->second, h->gradient, h->weights,
                                (float)(RATE * (1 - seen / visits)), (float)BETA1,
                                (float)BETA2, (float)EPSILON,
                                (float)(1 - pow(BETA1, (double)step)),
                                (float)(1 - pow(BETA2, (double)step)), 0);
        ig_progress_add(h->e->progress, 6 * (double)n * (double)h->d * HIDDEN, 0);
        status = ig_chunk_status(&h->arena, h->e->progress, "", error);
    }
    return status;
}

static ig_status read_rows(struct hidden *h, ig_probe *probe, ig_error *error)
{
    const ig_embeddings *e = h->e;
    const ig_probe_split *of = &e->split;
    ig_chunk c =
        ig_chunk_of(&e->units, of->test, of->tests, e->pool, e->progress, &h->arena);
    ig_matrix z = make_matrix(&h->arena, IG_CHUNK, h->d + 1);

    while (!h->arena.failed && ig_chunk_next(&c)) {
        ig_matrix some = ig_matrix_rows(z, 0, c.count);

        whiten_rows(h, c.row, some);
        score_rows(h, some);
        for (size_t i = 0, at = c.first; i < c.count; i++, at++)
            ig_probe_read(ig_matrix_row(h->score, i), NULL, h->k,
                          h->label[of->test[at]], &probe->read[at],
                          &probe->certainty[at]);
    }
    probe->answers = of->tests;
    return ig_chunk_status(&h->arena, e->progress, "the probe with a hidden layer",
                           error);
}

/* --- the group -------------------------------------------------------------------- */

static ig_status take_probe(struct hidden *h, ig_probe *probe, ig_error *error)
{
    const ig_probe_split *of = &h->e->split;
    ig_matrix z = make_matrix(&h->arena, h->n, h->d + 1);
    ig_random random;
    ig_status status;

    h->fit = ig_arena_array(&h->arena, h->n, sizeof *h->fit);
    h->mean = ig_arena_array(&h->arena, h->d, sizeof *h->mean);
    h->whiten = make_matrix(&h->arena, h->d, h->d);
    ig_random_init(&random, h->e->spec->seed, STREAM);
    status = open_net(h, &random, error);
    for (size_t i = 0; i < h->n && status == IG_OK; i++)
        h->fit[i] = of->fit[i * of->fits / h->n];
    if (status == IG_OK)
        status = fit_rows(h, z, &probe->reason, error);
    if (status != IG_OK || probe->reason)
        return status;
    status = train_net(h, z, &random, error);
    return status == IG_OK ? read_rows(h, probe, error) : status;
}

/* The rows of the linear probe. */
static ig_status measure_rows(const ig_embeddings *e, ig_evaluation *out,
                              ig_error *error)
{
    ig_figures *figures = &out->figures;
    ig_probe_task task = {.label = e->lang, .labels = e->languages, .split = e->split};
    ig_probe probe;
    ig_status status = ig_probe_init(&probe, e, &task, error);
    struct hidden h = {
        .e = e, .label = e->lang, .n = probe.fitted, .d = e->d, .k = e->languages};

    if (status == IG_OK && !probe.reason)
        status = take_probe(&h, &probe, error);
    if (status == IG_OK)
        status = ig_probe_append(&probe, e, &task, "probe_hidden", figures, error);
    ig_arena_free(&h.arena);
    ig_arena_free(&probe.arena);
    return status;
}

const ig_measure_group ig_hidden_probe_group = {.word = "hidden_probe",
                                                .needs = IG_NEEDS_ROWS | IG_NEEDS_REST,
                                                .measure = measure_rows};
