/* Probes: ridge regression to one-hot labels, and a net with one hidden layer, trained
 * by Adam on whitened rows; the language probes, which are cross-fitted. Legend: n rows
 * to learn from, d dims, K labels, S sets of labels, the true ones and shuffles, H
 * hidden units; z = [x − μ, 1] of a row x, or [(x − μ) G, 1] whitened. */
#include "measure/probe.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/moments.h"
#include "core/random.h"

enum {
    ROWS_MOST = 65536, /* to learn from */
    SHUFFLES = 20,
    CONTROLS = 4096, /* rows that the shuffles read: of more an even sample */
    TENTH = 10,
    POWER_LEAST = -6,
    POWER_EDGE = -1, /* λ is greater only while the greatest wins */
    POWER_MOST = 4,
    SPLIT_STREAM = 0x68616c66,
    SHUFFLE_STREAM = 0x70726f62
};

enum { /* of the net */
       HIDDEN = 128,
       BATCH = 128,
       PASSES = 8, /* over the rows, unless that is less or more than */
       PASSES_MOST = 256,
       VISITS_LEAST = 1 << 15,
       VISITS_MOST = 1 << 17, /* rows seen in all */
       NET_STREAM = 0x68696464
};

/* λ as a share of the mean variance: where it cannot be chosen, and for whitening. */
static const double RIDGE = 1e-3, WHITENING_RIDGE = 1e-4;

static const char PROBE[] = "a probe";

/* What is learned: scores are z W, or [max(0, z V), 1] W. */
struct probe {
    ig_probe_task *task;
    ig_rows rows;
    size_t n, kept, tests; /* rows to learn from; of which the first do when λ is
                              chosen; rows to test */
    size_t d, sets;
    uint32_t *fit, *test;       /* (n), (tests) places */
    uint16_t *label;            /* (S, n) */
    ig_chunk chunk;             /* what is read at a time */
    ig_moments moments;         /* of the rows so far … */
    double *share, *sum;        /* (K), (SK, d) and of their labels */
    double *weight;             /* (SK, d) */
    ig_matrix whitening;        /* (d, d) G of a net, whose rows are columns of z */
    ig_matrix v, w;             /* (d + 1, H); (H + 1 or d + 1, SK) */
    ig_matrix z, hidden, score; /* (IG_CHUNK, d + 1), (… H + 1), (… K) */
    ig_arena arena;
};

ig_status ig_probe_init(ig_probe_task *task, ig_arena *arena, ig_error *error)
{
    const ig_embeddings *e = task->e;
    uint32_t *order = ig_arena_array(arena, e->meanings, sizeof *order);
    ig_random random;

    task->label = ig_arena_array(arena, e->all, sizeof *task->label);
    task->role = ig_arena_array(arena, e->all, sizeof *task->role);
    task->number = ig_arena_array(arena, e->all, sizeof *task->number);
    task->read = ig_arena_array(arena, e->n, sizeof *task->read);
    task->certainty = ig_arena_array(arena, e->n, sizeof *task->certainty);
    if (arena->failed)
        return ig_fail_memory(error, PROBE);
    for (size_t m = 0; m < e->meanings; m++)
        order[m] = (uint32_t)m;
    ig_random_init(&random, e->spec->seed, SPLIT_STREAM);
    ig_random_shuffle(&random, order, e->meanings);
    for (uint32_t i = 0; i < e->all; i++) {
        task->label[i] = e->lang[i];
        task->number[i] = i < e->n               ? order[e->meaning[i]]
                          : e->id[i] == IG_NO_ID ? 2 * i
                                                 : 2 * e->id[i];
    }
    return IG_OK;
}

/* --- rows and labels -------------------------------------------------------------- */

/* List the rows to learn from, those that choose λ last, and the rows to test; and the
 * labels to learn from, in every set shuffled anew. */
static void list_rows(struct probe *p)
{
    const ig_probe_task *task = p->task;
    size_t fits = 0, sets = p->sets;
    uint32_t *order = p->test; /* first */
    ig_random random;

    for (int held = 0; held < 2; held++) {
        p->kept = fits;
        for (uint32_t i = 0; i < task->e->all; i++)
            if (task->role[i] == IG_PROBE_FIT &&
                (task->number[i] / 2 % TENTH == TENTH - 1) == held)
                p->fit[fits++] = i;
    }
    p->n = fits < ROWS_MOST ? fits : ROWS_MOST;
    for (size_t i = 0; i < p->n; i++)
        order[i] = p->fit[i] = p->fit[i * fits / p->n];
    if (fits)
        p->kept = (p->kept * p->n + fits - 1) / fits;
    ig_random_init(&random, task->e->spec->seed, SHUFFLE_STREAM);
    for (size_t s = 0; s < sets; s++) {
        if (s)
            ig_random_shuffle(&random, order, p->n);
        for (size_t i = 0; i < p->n; i++)
            p->label[s * p->n + i] = task->label[order[i]];
    }
    for (uint32_t i = 0; i < task->e->n; i++)
        if (task->role[i] == IG_PROBE_TEST)
            p->test[p->tests++] = i;
}

static bool differ(const uint16_t *label, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (label[i] != label[0])
            return true;
    return false;
}

static void sum_labels(void *context, size_t member, size_t first, size_t last)
{
    const struct probe *p = context;
    const ig_chunk *c = &p->chunk;
    const uint16_t *label = p->label + (c->list - p->fit) + c->first;

    (void)member;
    for (size_t s = first; s < last; s++)
        for (size_t i = 0; i < c->count; i++) {
            double *sum = p->sum + (s * p->task->labels + label[s * p->n + i]) * p->d;

            for (size_t j = 0; j < p->d; j++)
                sum[j] += (double)c->row[i * p->d + j];
        }
}

/* Add rows first … last − 1 to the moments and the sums of labels. */
static ig_status add_rows(struct probe *p, size_t first, size_t last, ig_error *error)
{
    const ig_embeddings *e = p->task->e;
    ig_rows_pick pick = {&p->rows, p->fit + first, last - first};
    ig_rows rows = ig_rows_of_pick(&pick);
    ig_status status = ig_moments_add(&p->moments, &rows, false, e->pool,
                                      e->progress ? e->progress->stop : NULL, NULL,
                                      error);

    p->chunk.list = p->fit + first;
    p->chunk.n = last - first;
    while (status == IG_OK && !p->task->hidden && ig_chunk_next(&p->chunk))
        ig_parallel_for(e->pool, p->sets, 1, sum_labels, p);
    memset(p->share, 0, p->task->labels * sizeof *p->share);
    for (size_t i = 0; i < last; i++)
        p->share[p->label[i]] += 1 / (double)last;
    return status;
}

/* --- reading ---------------------------------------------------------------------- */

/* z of the rows of the chunk, which are lost. */
static void fill_z(struct probe *p, ig_matrix z)
{
    const ig_chunk *c = &p->chunk;
    size_t d = p->d;

    for (size_t i = 0; i < c->count; i++) {
        float *x = c->row + i * d;

        for (size_t j = 0; j < d; j++)
            x[j] = (float)((double)x[j] - p->moments.mean[j]);
        if (!p->task->hidden)
            memcpy(ig_matrix_row(z, i), x, d * sizeof *x);
        ig_matrix_row(z, i)[d] = 1;
    }
    if (p->task->hidden)
        ig_gemm_pool(c->pool, false, false, 1, ig_matrix_of(c->row, c->count, d),
                     p->whitening, 0,
                     ig_matrix_cols(ig_matrix_rows(z, 0, c->count), 0, d));
}

/* Scores of at most IG_CHUNK rows z by a set of labels. */
static void score_rows(struct probe *p, ig_matrix z, size_t set)
{
    size_t k = p->task->labels;
    ig_matrix hidden = p->hidden;
    ig_pool *pool = p->chunk.pool;

    if (p->task->hidden) {
        hidden.rows = z.rows;
        ig_gemm_pool(pool, false, false, 1, z, p->v, 0,
                     ig_matrix_cols(hidden, 0, HIDDEN));
        for (size_t i = 0; i < z.rows; i++) {
            float *h = ig_matrix_row(hidden, i);

            for (size_t j = 0; j < HIDDEN; j++)
                h[j] = h[j] > 0 ? h[j] : 0;
            h[HIDDEN] = 1;
        }
        z = hidden;
    }
    ig_gemm_pool(pool, false, false, 1, z, ig_matrix_cols(p->w, set * k, k), 0,
                 ig_matrix_rows(p->score, 0, z.rows));
}

/* Read rows by a set of labels. Returns how many are right.
 *   keep  in  write what is read to the task */
static size_t read_rows(struct probe *p, const uint32_t *list, size_t n, size_t set,
                        bool keep)
{
    ig_probe_task *task = p->task;
    ig_chunk *c = &p->chunk;
    size_t right = 0;

    c->list = list;
    c->n = n;
    while (ig_chunk_next(c)) {
        fill_z(p, p->z);
        score_rows(p, ig_matrix_rows(p->z, 0, c->count), set);
        for (size_t i = 0; i < c->count; i++) {
            const float *score = ig_matrix_row(p->score, i);
            uint32_t row = list[c->first + i];
            float best = -INFINITY, other = -INFINITY;
            uint16_t label = 0, own = task->label[row];

            for (uint16_t j = 0; j < task->labels; j++) {
                label = score[j] > best ? j : label;
                best = score[label];
                other = j == own ? other : fmaxf(other, score[j]);
            }
            right += label == own;
            if (keep) {
                task->read[row] = label;
                task->certainty[row] = score[own] - other;
            }
        }
    }
    return right;
}

/* --- ridge regression ------------------------------------------------------------- */

/* W of the first sets by the rows so far. */
static ig_status solve(struct probe *p, size_t sets, double ridge, ig_error *error)
{
    size_t d = p->d, k = p->task->labels;
    double n = (double)p->moments.rows;
    ig_status status;

    for (size_t r = 0; r < sets * k; r++)
        for (size_t j = 0; j < d; j++)
            p->weight[r * d + j] = p->sum[r * d + j] / n -
                                   p->share[r % k] * p->moments.mean[j];
    status = ig_ridge(p->moments.scatter, d, n, ridge, p->weight, sets * k, error);
    for (size_t r = 0; r < sets * k && status == IG_OK; r++) {
        for (size_t j = 0; j < d; j++)
            ig_matrix_row(p->w, j)[r] = (float)p->weight[r * d + j];
        ig_matrix_row(p->w, d)[r] = (float)p->share[r % k];
    }
    return status;
}

/* The λ that reads most of the last rows when fitted on the first. */
static double choose_ridge(struct probe *p)
{
    size_t most = 0, right;
    int best = POWER_EDGE;

    for (int power = POWER_LEAST; power <= POWER_MOST; power++) {
        if (power > POWER_EDGE && best < power - 1)
            break;
        /* Too small a λ cannot be solved where rows span few dimensions. */
        if (solve(p, 1, pow(10, power), NULL) != IG_OK)
            continue;
        right = read_rows(p, p->fit + p->kept, p->n - p->kept, 0, false);
        best = right > most ? power : best;
        most = right > most ? right : most;
    }
    return most ? pow(10, best) : RIDGE;
}

/* --- the net ---------------------------------------------------------------------- */

/* G: the eigenvectors of the covariance, over the root of their variance. */
static ig_status fit_whitening(struct probe *p, ig_error *error)
{
    size_t d = p->d;
    double *vector = ig_arena_array(&p->arena, d, d * sizeof *vector), trace = 0;
    double *value = ig_arena_array(&p->arena, d, sizeof *value), n = (double)p->n;
    ig_status status = p->arena.failed ? ig_fail_memory(error, PROBE)
                                       : ig_eigen_symmetric(p->moments.scatter, d, d,
                                                            value, vector, error);

    for (size_t i = 0; i < d && status == IG_OK; i++)
        trace += p->moments.scatter[i * d + i] / n;
    for (size_t i = 0; i < d && status == IG_OK; i++) {
        double ridge = WHITENING_RIDGE * trace / (double)d;
        double scale = 1 / sqrt(fmax(value[i] / n, 0) + ridge);

        for (size_t j = 0; j < d; j++)
            ig_matrix_row(p->whitening, j)[i] = (float)(vector[i * d + j] * scale);
    }
    return status;
}

/* Uniform in ± 1/√inputs; the last row, the bias, is 0. */
static void draw_weights(ig_matrix w, ig_random *random)
{
    for (size_t i = 0; i < (w.rows - 1) * w.cols; i++)
        w.a[i] = (float)((2 * ig_random_unit(random) - 1) / sqrt((double)(w.rows - 1)));
}

/* Gradients of the mean cross-entropy by V and W, for the rows x (B, d + 1) that were
 * scored.
 *   back  scratch  (BATCH, H) */
static void find_gradient(struct probe *p, ig_matrix x, const uint16_t *label,
                          ig_matrix back, const ig_matrix gradient[2])
{
    size_t n = x.rows, k = p->task->labels;
    ig_matrix hidden = ig_matrix_rows(p->hidden, 0, n);
    ig_matrix score = ig_matrix_rows(p->score, 0, n);

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
    back.rows = n;
    ig_gemm(false, true, 1, score, ig_matrix_rows(p->w, 0, HIDDEN), 0, back);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < HIDDEN; j++)
            ig_matrix_row(back, i)[j] *= ig_matrix_row(hidden, i)[j] > 0;
    ig_gemm_pool(p->chunk.pool, true, false, 1, x, back, 0, gradient[0]);
    ig_gemm(true, false, 1, hidden, score, 0, gradient[1]);
}

/* Adam, with a rate that falls from 3e-3 to 0. */
static ig_status train_net(struct probe *p, ig_error *error)
{
    ig_arena *a = &p->arena;
    ig_progress *watch = p->chunk.watch;
    size_t d = p->d, n = p->n, first = (d + 1) * HIDDEN, at = 0, count, step = 0;
    size_t weights = first + (HIDDEN + 1) * p->task->labels;
    float *net = ig_arena_array(a, 4 * weights, sizeof *net); /* then its gradient, */
    float *change = net + weights;                            /* and Adam's moments */
    ig_matrix x = ig_arena_matrix(a, BATCH, d + 1), z = ig_arena_matrix(a, n, d + 1);
    ig_matrix back = ig_arena_matrix(a, BATCH, HIDDEN);
    ig_matrix gradient[2] = {ig_matrix_of(change, d + 1, HIDDEN),
                             ig_matrix_of(change + first, HIDDEN + 1, p->task->labels)};
    uint32_t *order = ig_arena_array(a, n, sizeof *order);
    uint16_t own[BATCH];
    double visits = floor(
        fmin(fmax(PASSES * (double)n, fmin(VISITS_LEAST, PASSES_MOST * (double)n)),
             VISITS_MOST));
    ig_random random;
    ig_status status = fit_whitening(p, error);

    if (status == IG_OK)
        status = ig_chunk_status(a, watch, PROBE, error);
    if (status != IG_OK)
        return status;
    p->v = ig_matrix_of(net, d + 1, HIDDEN);
    p->w = ig_matrix_of(net + first, HIDDEN + 1, p->task->labels);
    ig_random_init(&random, p->task->e->spec->seed, NET_STREAM);
    draw_weights(p->v, &random);
    draw_weights(p->w, &random);
    while (ig_chunk_next(&p->chunk))
        fill_z(p, ig_matrix_rows(z, p->chunk.first, p->chunk.count));
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (double seen = 0; seen < visits && !ig_progress_cancelled(watch);
         seen += (double)count) {
        at = at == n ? 0 : at;
        x.rows = count = n - at < BATCH ? n - at : BATCH;
        if (at == 0)
            ig_random_shuffle(&random, order, n);
        for (size_t i = 0; i < count; i++, at++) {
            memcpy(ig_matrix_row(x, i), ig_matrix_row(z, order[at]),
                   x.cols * sizeof *x.a);
            own[i] = p->label[order[at]];
        }
        score_rows(p, x, 0);
        find_gradient(p, x, own, back, gradient);
        step++;
        ig_kernels_best()->adam(net, net + 2 * weights, net + 3 * weights, change,
                                weights, (float)(3e-3 * (1 - seen / visits)), 0.9F,
                                0.999F, 1e-8F, (float)(1 - pow(0.9, (double)step)),
                                (float)(1 - pow(0.999, (double)step)), 0);
        ig_progress_add(watch, 0, 0);
    }
    return IG_OK;
}

/* --- learning --------------------------------------------------------------------- */

/* Fit the model, or find the reason why that is impossible. */
static ig_status fit_model(struct probe *p, ig_error *error)
{
    const ig_moments *m = &p->moments;
    bool hidden = p->task->hidden;
    double ridge = RIDGE, spread = 0, square = 0;
    ig_status status = add_rows(p, 0, p->kept, error);

    if (status == IG_OK && !hidden && p->kept < p->n && differ(p->label, p->kept))
        ridge = choose_ridge(p);
    if (status == IG_OK)
        status = add_rows(p, p->kept, p->n, error);
    if (status != IG_OK)
        return status;
    for (size_t j = 0; j < p->d; j++) {
        spread += m->scatter[j * p->d + j] / (double)p->n;
        square += m->mean[j] * m->mean[j];
    }
    if (!(spread > 0 && spread >= IG_SPREAD_MIN * (spread + square)))
        p->task->reason = "the rows do not differ";
    else if (hidden && p->n < p->d)
        p->task->reason = "fewer rows to learn from than dimensions";
    if (p->task->reason)
        return IG_OK;
    p->chunk.list = p->fit;
    p->chunk.n = p->n;
    return hidden ? train_net(p, error) : solve(p, p->sets, ridge, error);
}

ig_status ig_probe_learn(ig_probe_task *task, ig_error *error)
{
    const ig_embeddings *e = task->e;
    size_t sets = 1 + task->shuffles, all = sets * task->labels, d = e->d, n;
    struct probe p = {
        .task = task, .rows = task->raw ? e->rows : e->units, .d = d, .sets = sets};
    ig_arena *a = &p.arena;
    ig_status status = ig_moments_init(&p.moments, d, error);

    p.fit = ig_arena_array(a, e->all, sizeof *p.fit);
    p.test = ig_arena_array(a, e->all, sizeof *p.test);
    p.label = ig_arena_array(a, ROWS_MOST, sets * sizeof *p.label);
    p.chunk = ig_chunk_of(&p.rows, NULL, IG_CHUNK, e->pool, e->progress, a);
    p.share = ig_arena_array(a, task->labels, sizeof *p.share);
    p.sum = ig_arena_array(a, all, d * sizeof *p.sum);
    p.weight = ig_arena_array(a, all, d * sizeof *p.weight);
    p.w = ig_arena_matrix(a, d + 1, all);
    p.z = ig_arena_matrix(a, IG_CHUNK, d + 1);
    p.score = ig_arena_matrix(a, IG_CHUNK, task->labels);
    p.hidden = ig_arena_matrix(a, task->hidden ? IG_CHUNK : 0, HIDDEN + 1);
    p.whitening = ig_arena_matrix(a, task->hidden ? d : 0, d);
    if (status == IG_OK)
        status = ig_chunk_status(a, e->progress, PROBE, error);
    if (status == IG_OK) {
        list_rows(&p);
        task->fitted = p.n;
        task->reason = p.n + p.tests == 0         ? "no rows"
                       : p.n == 0 || p.tests == 0 ? "only one meaning"
                       : differ(p.label, p.n)     ? NULL
                                                  : "only one language to learn from";
    }
    if (status == IG_OK && !task->reason)
        status = fit_model(&p, error);
    if (status == IG_OK && !task->reason) {
        read_rows(&p, p.test, p.tests, 0, true);
        n = p.tests < CONTROLS ? p.tests : CONTROLS;
        for (size_t i = 0; i < n; i++)
            p.test[i] = p.test[i * p.tests / n];
        for (size_t s = 1; s < sets; s++) {
            task->right += read_rows(&p, p.test, n, s, false);
            task->control += n;
        }
    }
    if (status == IG_OK)
        status = ig_chunk_status(a, e->progress, PROBE, error);
    ig_moments_free(&p.moments);
    ig_arena_free(a);
    return status;
}

/* --- the language ----------------------------------------------------------------- */

/* Read each half of the rows by the probe of the other, or with `rest` all by a probe
 * of those that are not measured, if there are enough. Append the share of all measured
 * rows that are read; chance is the share of the largest language.
 *   arena  in  of the arrays of the task */
static ig_status measure_language(ig_probe_task *task, bool rest, const char *measure,
                                  ig_arena *arena, ig_figures *figures, ig_error *error)
{
    const ig_embeddings *e = task->e;
    uint32_t most = 0;
    ig_figure *f;
    ig_status status;

    if (rest && !e->rest)
        return IG_OK;
    task->labels = e->languages;
    status = ig_probe_init(task, arena, error);
    for (uint32_t half = 0; half < (rest ? 1 : 2) && status == IG_OK; half++) {
        for (size_t i = 0; i < e->n; i++)
            task->role[i] = rest || task->number[i] % 2 != half ? IG_PROBE_TEST
                                                                : IG_PROBE_FIT;
        for (size_t i = e->n; i < e->all; i++)
            task->role[i] = rest ? IG_PROBE_FIT : IG_PROBE_IGNORE;
        status = ig_probe_learn(task, error);
        if (task->reason)
            break;
    }
    if (status != IG_OK)
        return status;
    f = ig_figures_add_rows(figures, measure, IG_MEAN, e);
    if (!f)
        return ig_fail_memory(error, PROBE);
    for (size_t i = 0; i < e->n; i++)
        f->item[0][i] = task->read[i] == task->label[i];
    for (size_t l = 0; l < e->languages; l++)
        most = e->first[l + 1] - e->first[l] > most ? e->first[l + 1] - e->first[l]
                                                    : most;
    f->items = task->reason ? 0 : e->n;
    f->chance = (double)most / (double)e->n;
    ig_figures_close(figures, f, task->reason);
    return IG_OK;
}

static ig_status measure_linear(const ig_embeddings *e, ig_evaluation *out,
                                ig_error *error)
{
    static const char *const measure[] = {"probe_raw", "probe_fitted",
                                          "probe_raw_fitted"};
    ig_probe *probe = &out->probe;
    ig_probe_task task = {.e = e, .shuffles = SHUFFLES};
    size_t k = e->languages;
    size_t *count = ig_arena_array(&out->arena, k, k * sizeof *count);
    ig_status status =
        measure_language(&task, false, "probe", &out->arena, &out->figures, error);

    probe->row = ig_arena_array(&out->arena, e->n, sizeof *probe->row);
    if (status == IG_OK && out->arena.failed)
        status = ig_fail_memory(error, PROBE);
    if (status != IG_OK)
        return status;
    memcpy(probe->row, e->row, e->n * sizeof *probe->row);
    probe->reason = task.reason;
    probe->fitted = task.fitted;
    probe->few = task.fitted < 4 * e->d;
    probe->answers = task.reason ? 0 : e->n;
    probe->read = task.read;
    probe->certainty = task.certainty;
    for (size_t i = 0; i < probe->answers; i++)
        count[e->lang[i] * k + task.read[i]]++;
    ig_figures_add_counts(&out->figures, "probe_read", count, k, false);
    ig_figures_add(&out->figures, "probe_shuffled",
                   task.reason ? (double)NAN
                               : (double)task.right / (double)task.control,
                   task.reason)
        ->n = e->n;
    for (int m = 0; m < 3 && status == IG_OK; m++) {
        task = (ig_probe_task){.e = e, .raw = m != 1};
        status = measure_language(&task, m > 0, measure[m], &out->figures.brief,
                                  &out->figures, error);
    }
    return status;
}

static ig_status measure_hidden(const ig_embeddings *e, ig_evaluation *out,
                                ig_error *error)
{
    static const char *const measure[] = {"probe_hidden", "probe_hidden_fitted"};
    ig_status status = IG_OK;

    for (int rest = 0; rest < 2 && status == IG_OK; rest++) {
        ig_probe_task task = {.e = e, .hidden = true};

        status = measure_language(&task, rest, measure[rest], &out->figures.brief,
                                  &out->figures, error);
    }
    return status;
}

const ig_measure_group ig_probe_group = {
    .word = "probe", .needs = IG_NEEDS_ROWS | IG_NEEDS_REST, .measure = measure_linear};

const ig_measure_group ig_hidden_probe_group = {.word = "hidden_probe",
                                                .needs = IG_NEEDS_ROWS | IG_NEEDS_REST,
                                                .measure = measure_hidden};
