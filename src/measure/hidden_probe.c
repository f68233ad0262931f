/* The net of the probe with a hidden layer: softmax cross-entropy, Adam on mini-batches
 * with a rate that falls to 0, on rows less their mean that are whitened by their
 * covariance. Legend in probe.h; B rows of a batch, G whitening. */
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/random.h"
#include "measure/probe.h"

enum {
    HIDDEN = 128, /* H */
    BATCH = 128,
    PASSES = 8, /* over the rows, unless that is less or more than */
    PASSES_MOST = 256,
    VISITS_LEAST = 1 << 15,
    VISITS_MOST = 1 << 17, /* rows seen in all */
    STREAM = 0x68696464
};

/* RIDGE: added before whitening, as a share of the mean variance. */
static const double RATE = 3e-3, BETA1 = 0.9, BETA2 = 0.999, EPSILON = 1e-8,
                    RIDGE = 1e-4;

/* Uniform in ± 1/√inputs; the last row, the bias, is 0. */
static void draw_weights(ig_matrix w, ig_random *random)
{
    for (size_t i = 0; i < (w.rows - 1) * w.cols; i++)
        w.a[i] = (float)((2 * ig_random_unit(random) - 1) / sqrt((double)(w.rows - 1)));
}

/* G (d, d): the eigenvectors of the covariance, over the root of their variance. */
static ig_status fit_whitening(const ig_moments *m, ig_matrix g, ig_arena *arena,
                               ig_error *error)
{
    size_t d = m->dims;
    double *vector = ig_arena_array(arena, d, d * sizeof *vector), n = (double)m->rows;
    double *value = ig_arena_array(arena, d, sizeof *value), trace = 0;
    ig_status status = arena->failed
                           ? ig_fail_memory(error, "the probe with a hidden layer")
                           : ig_eigen_symmetric(m->scatter, d, d, value, vector, error);

    for (size_t i = 0; i < d && status == IG_OK; i++)
        trace += m->scatter[i * d + i] / n;
    for (size_t i = 0; i < d && status == IG_OK; i++) {
        double scale = 1 / sqrt(fmax(value[i] / n, 0) + RIDGE * trace / (double)d);

        for (size_t j = 0; j < d; j++)
            ig_matrix_row(g, j)[i] = (float)(vector[i * d + j] * scale);
    }
    return status;
}

/* [(x − μ) G, 1] of all rows of a chunk. */
static void whiten_rows(ig_chunk *c, const double *mean, ig_matrix g, ig_matrix z)
{
    while (ig_chunk_next(c)) {
        ig_matrix some = ig_matrix_rows(z, c->first, c->count);

        for (size_t i = 0; i < c->count * c->d; i++)
            c->row[i] = (float)((double)c->row[i] - mean[i % c->d]);
        ig_gemm_pool(c->pool, false, false, 1, ig_matrix_of(c->row, c->count, c->d), g,
                     0, ig_matrix_cols(some, 0, c->d));
        for (size_t i = 0; i < c->count; i++)
            ig_matrix_row(some, i)[c->d] = 1;
    }
}

/* Gradients of V and W for the rows x (B, d + 1) that were scored.
 *   back  scratch  (B, H) */
static void find_gradient(ig_probe_model *model, ig_matrix x, const uint16_t *label,
                          ig_matrix back, ig_matrix g[2], ig_pool *pool)
{
    size_t n = x.rows, k = model->score.cols;
    ig_matrix hidden = ig_matrix_rows(model->hidden, 0, n);
    ig_matrix score = ig_matrix_rows(model->score, 0, n);

    for (size_t i = 0; i < n; i++) { /* (softmax − one-hot) / B */
        float *s = ig_matrix_row(score, i), most = ig_kernels_best()->max_of(s, k);
        double sum = 0;

        for (size_t j = 0; j < k; j++) {
            s[j] = expf(s[j] - most);
            sum += (double)s[j];
        }
        for (size_t j = 0; j < k; j++)
            s[j] = (float)(((double)s[j] / sum - (j == label[i])) / (double)n);
    }
    back = ig_matrix_rows(back, 0, n);
    ig_gemm(false, true, 1, score, ig_matrix_rows(model->w, 0, HIDDEN), 0, back);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < HIDDEN; j++)
            ig_matrix_row(back, i)[j] *= ig_matrix_row(hidden, i)[j] > 0;
    ig_gemm_pool(pool, true, false, 1, x, back, 0, g[0]);
    ig_gemm(true, false, 1, hidden, score, 0, g[1]);
}

/* Rows that are seen in all, of so many different ones. */
static double count_visits(double n)
{
    return fmin(fmax(PASSES * n, fmin(VISITS_LEAST, PASSES_MOST * n)), VISITS_MOST);
}

ig_status ig_probe_train(ig_probe_model *model, ig_chunk *rows, const ig_moments *m,
                         const uint16_t *label, size_t labels, uint64_t seed,
                         ig_arena *a, ig_error *error)
{
    size_t d = m->dims, n = rows->n, first = (d + 1) * HIDDEN;
    size_t weights = first + (HIDDEN + 1) * labels, at = 0, count, step = 0;
    float *net = ig_arena_array(a, 4 * weights, sizeof *net); /* then its gradient, */
    float *change = net + weights;                            /* and Adam's moments */
    ig_matrix z = ig_arena_matrix(a, n, d + 1), white = ig_arena_matrix(a, d, d);
    ig_matrix x = ig_arena_matrix(a, BATCH, d + 1),
              back = ig_arena_matrix(a, BATCH, HIDDEN);
    ig_matrix v = ig_arena_matrix(a, d + 1, HIDDEN), gradient[2];
    uint32_t *order = ig_arena_array(a, n, sizeof *order);
    uint16_t own[BATCH];
    double visits = floor(count_visits((double)n));
    ig_random random;
    ig_status status = fit_whitening(m, white, a, error);

    model->hidden = ig_arena_matrix(a, IG_CHUNK, HIDDEN + 1);
    if (status == IG_OK)
        status =
            ig_chunk_status(a, rows->watch, "the probe with a hidden layer", error);
    if (status != IG_OK)
        return status;
    model->v = ig_matrix_of(net, d + 1, HIDDEN);
    model->w = ig_matrix_of(net + first, HIDDEN + 1, labels);
    gradient[0] = ig_matrix_of(change, d + 1, HIDDEN);
    gradient[1] = ig_matrix_of(change + first, HIDDEN + 1, labels);
    ig_random_init(&random, seed, STREAM);
    draw_weights(model->v, &random);
    draw_weights(model->w, &random);
    whiten_rows(rows, model->mean, white, z);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (double seen = 0; seen < visits && !ig_progress_cancelled(rows->watch);
         seen += (double)count) {
        at = at == n ? 0 : at;
        count = n - at < BATCH ? n - at : BATCH;
        if (at == 0)
            ig_random_shuffle(&random, order, n);
        for (size_t i = 0; i < count; i++, at++) {
            memcpy(ig_matrix_row(x, i), ig_matrix_row(z, order[at]),
                   x.cols * sizeof *x.a);
            own[i] = label[rows->list[order[at]]];
        }
        ig_probe_score(model, ig_matrix_rows(x, 0, count), 0, rows->pool);
        find_gradient(model, ig_matrix_rows(x, 0, count), own, back, gradient,
                      rows->pool);
        step++;
        ig_kernels_best()->adam(net, net + 2 * weights, net + 3 * weights, change,
                                weights, (float)(RATE * (1 - seen / visits)),
                                (float)BETA1, (float)BETA2, (float)EPSILON,
                                (float)(1 - pow(BETA1, (double)step)),
                                (float)(1 - pow(BETA2, (double)step)), 0);
        ig_progress_add(rows->watch, 6 * (double)count * (double)d * HIDDEN, 0);
    }
    /* V of rows that are not whitened. */
    memcpy(v.a, net, first * sizeof *net);
    ig_gemm_pool(rows->pool, false, false, 1, white, ig_matrix_rows(model->v, 0, d), 0,
                 ig_matrix_rows(v, 0, d));
    model->v = v;
    return IG_OK;
}
