/* Probes: whether a label is read from rows, by ridge regression to one-hot labels, or
 * by a net with one hidden layer, trained by Adam on whitened rows; the language
 * probes, which are cross-fitted, and zero-shot transfer. Legend: n rows to learn from,
 * d dims, K labels, S sets of labels, the true ones and shuffles, H hidden units;
 * z = [x − μ, 1] of a row x, or [(x − μ) G, 1] whitened. */
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/moments.h"
#include "core/random.h"
#include "measure/evaluation.h"

enum {
    ROWS_MOST = 65536, /* to learn from */
    SHUFFLES = 20,
    TENTH = 10,
    POWER_LEAST = -6,
    POWER_EDGE = -1, /* λ is greater only while the greatest wins */
    POWER_MOST = 4,
    HIDDEN = 128, /* of the net */
    BATCH = 128,
    PASSES = 8, /* over the rows, unless that is less or more than */
    PASSES_MOST = 256,
    VISITS_LEAST = 1 << 15,
    VISITS_MOST = 1 << 17, /* rows seen in all */
    SPLIT_STREAM = 0x68616c66,
    SHUFFLE_STREAM = 0x70726f62,
    NET_STREAM = 0x68696464
};

/* λ as a share of the mean variance: where it cannot be chosen, and for whitening. */
static const double RIDGE = 1e-3, WHITENING_RIDGE = 1e-4;

/* Draws have √1.4 of the deviations: rows that are learned from add to the variance. */
static const float LEARNING = 0.1832F;

/* What is learned: scores are z W, or [max(0, z V), 1] W. */
struct probe {
    const ig_embeddings *e;
    size_t labels;         /* K */
    bool raw, hidden;      /* rows are not scaled; a net, not ridge regression */
    size_t sets;           /* S */
    const uint16_t *label; /* (all) by place, < K */
    uint32_t *number; /* (all) random ones that rows of one meaning share: number % 2
                         halves the measured rows, every tenth number / 2 chooses λ */
    uint32_t *fit, *test; /* (fits) places of the rows to learn from, then the (n) used,
                             those that choose λ last; (tests) of those to test */
    size_t fits, tests;

    uint16_t *read;        /* out (n) the label; of equal scores the lower one */
    size_t control, right; /* out: rows that shuffles read, and those read right */
    const char *reason;    /* out: why nothing is read, or NULL */

    /* while it learns */
    ig_rows rows;
    size_t d, n, kept;         /* rows to learn from; the first do when λ is chosen */
    uint32_t *order;           /* scratch (fits) */
    uint16_t *taught;          /* (S, n) labels */
    ig_chunk chunk;            /* what is read at a time */
    ig_moments moments;        /* of the rows so far … */
    double *count, *sum;       /* (K) rows of a label, (SK, d) sums of each */
    double *weight;            /* (SK, d) */
    ig_matrix whitening;       /* (d, d) G of a net, whose rows are columns of z */
    ig_matrix v, w;            /* (d + 1, H); (H + 1 or d + 1, SK) */
    ig_matrix z, layer, score; /* (IG_CHUNK, d + 1), (… H + 1), (… K) */
    ig_arena arena;
};

/* Give a probe of languages its arrays, without rows. False: memory is short. */
static bool begin_probe(struct probe *p, ig_arena *arena)
{
    const ig_embeddings *e = p->e;
    uint32_t *order = ig_arena_array(arena, e->meanings, sizeof *order);
    ig_random random;

    p->label = e->lang;
    p->fit = ig_arena_array(arena, e->all, sizeof *p->fit);
    p->test = ig_arena_array(arena, e->all, sizeof *p->test);
    p->number = ig_arena_array(arena, e->all, sizeof *p->number);
    p->read = ig_arena_array(arena, e->n, sizeof *p->read);
    if (arena->failed)
        return false;
    for (size_t m = 0; m < e->meanings; m++)
        order[m] = (uint32_t)m;
    ig_random_init(&random, e->spec->seed, SPLIT_STREAM);
    ig_random_shuffle(&random, order, e->meanings);
    for (uint32_t i = 0; i < e->all; i++)
        p->number[i] = i < e->n               ? order[e->meaning[i]]
                       : e->id[i] == IG_NO_ID ? 2 * i
                                              : 2 * e->id[i];
    return true;
}

/* --- rows and labels -------------------------------------------------------------- */

/* Order the rows to learn from, of many an even sample, those that choose λ last; and
 * list the labels to learn from, in every set shuffled anew. */
static void order_rows(struct probe *p)
{
    size_t fits = p->fits, kept = 0, held = 0;
    uint32_t *order = p->order;
    ig_random random;

    for (size_t i = 0; i < fits; i++)
        if (p->number[p->fit[i]] / 2 % TENTH == TENTH - 1)
            order[held++] = p->fit[i];
        else
            p->fit[kept++] = p->fit[i];
    for (size_t i = 0; i < held; i++)
        p->fit[kept + i] = order[i];
    p->n = fits < ROWS_MOST ? fits : ROWS_MOST;
    for (size_t i = 0; i < p->n; i++)
        order[i] = p->fit[i] = p->fit[i * fits / p->n];
    p->kept = fits ? (kept * p->n + fits - 1) / fits : 0;
    ig_random_init(&random, p->e->spec->seed, SHUFFLE_STREAM);
    for (size_t s = 0; s < p->sets; s++) {
        if (s)
            ig_random_shuffle(&random, order, p->n);
        for (size_t i = 0; i < p->n; i++)
            p->taught[s * p->n + i] = p->label[order[i]];
    }
}

/* Add rows first … last − 1 to the moments and the sums of labels. */
static ig_status add_rows(struct probe *p, size_t first, size_t last)
{
    ig_chunk *c = &p->chunk;
    ig_rows_pick pick = {&p->rows, p->fit + first, last - first};
    ig_rows rows = ig_rows_of_pick(&pick);
    ig_status status = ig_moments_add(&p->moments, &rows, false, p->e->pool,
                                      p->e->progress ? p->e->progress->stop : NULL,
                                      NULL, p->e->error);

    c->list = p->fit + first;
    c->n = last - first;
    while (status == IG_OK && ig_chunk_next(c))
        for (size_t s = 0; s < p->sets; s++)
            for (size_t i = 0; i < c->count; i++) {
                uint16_t label = p->taught[s * p->n + first + c->first + i];
                double *sum = p->sum + (s * p->labels + label) * p->d;

                p->count[label] += s == 0;
                for (size_t j = 0; j < p->d; j++)
                    sum[j] += (double)c->row[i * p->d + j];
            }
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
        if (!p->hidden)
            memcpy(ig_matrix_row(z, i), x, d * sizeof *x);
        ig_matrix_row(z, i)[d] = 1;
    }
    if (p->hidden)
        ig_gemm_pool(p->e->pool, false, false, 1, ig_matrix_of(c->row, c->count, d),
                     p->whitening, 0,
                     ig_matrix_cols(ig_matrix_rows(z, 0, c->count), 0, d));
}

/* Scores of at most IG_CHUNK rows z by the first sets of labels. */
static void score_rows(struct probe *p, ig_matrix z, size_t sets)
{
    size_t all = sets * p->labels;
    ig_matrix hidden = p->layer;

    if (p->hidden) {
        hidden.rows = z.rows;
        ig_gemm_pool(p->e->pool, false, false, 1, z, p->v, 0,
                     ig_matrix_cols(hidden, 0, HIDDEN));
        for (size_t i = 0; i < z.rows; i++) {
            float *h = ig_matrix_row(hidden, i);

            for (size_t j = 0; j < HIDDEN; j++)
                h[j] = h[j] > 0 ? h[j] : 0;
            h[HIDDEN] = 1;
        }
        z = hidden;
    }
    ig_gemm_pool(p->e->pool, false, false, 1, z, ig_matrix_cols(p->w, 0, all), 0,
                 ig_matrix_cols(ig_matrix_rows(p->score, 0, z.rows), 0, all));
}

/* Read rows by the first sets of labels; of those to test keep what the first reads,
 * and count what others read right. Returns how many the first reads right. */
static size_t read_rows(struct probe *p, const uint32_t *list, size_t n, size_t sets)
{
    ig_chunk *c = &p->chunk;
    size_t right = 0;

    c->list = list;
    c->n = n;
    while (ig_chunk_next(c)) {
        fill_z(p, p->z);
        score_rows(p, ig_matrix_rows(p->z, 0, c->count), sets);
        for (size_t i = 0; i < c->count * sets; i++) {
            const float *score = ig_matrix_row(p->score, i / sets) +
                                 i % sets * p->labels;
            uint32_t row = list[c->first + i / sets];
            uint16_t label = 0;
            float best = ig_max_of(score, p->labels);

            while (label < p->labels - 1u && score[label] != best)
                label++;
            *(i % sets ? &p->right : &right) += label == p->label[row];
            if (i % sets == 0 && list == p->test)
                p->read[row] = label;
        }
    }
    return right;
}

/* --- ridge regression ------------------------------------------------------------- */

/* W of the first sets by the rows so far. */
static ig_status solve(struct probe *p, size_t sets, double ridge)
{
    size_t d = p->d, k = p->labels;
    double n = (double)p->moments.rows;
    ig_status status;

    for (size_t r = 0; r < sets * k; r++)
        for (size_t j = 0; j < d; j++)
            p->weight[r * d + j] =
                (p->sum[r * d + j] - p->count[r % k] * p->moments.mean[j]) / n;
    ridge *= (double)d / (double)p->e->d; /* which is relative to all dims */
    status =
        ig_ridge(p->moments.scatter, d, n, ridge, p->weight, sets * k, p->e->error);
    for (size_t r = 0; r < sets * k && status == IG_OK; r++) {
        for (size_t j = 0; j < d; j++)
            ig_matrix_row(p->w, j)[r] = (float)p->weight[r * d + j];
        ig_matrix_row(p->w, d)[r] = (float)(p->count[r % k] / n);
    }
    return status;
}

/* The λ that reads most of the last rows when fitted on the first. Too small a λ cannot
 * be solved where rows span few dimensions. IG_OK or IG_NOMEM. */
static ig_status choose_ridge(struct probe *p, double *ridge)
{
    size_t most = 0;
    int best = POWER_EDGE;

    for (int power = POWER_LEAST;
         power <= POWER_EDGE || (power <= POWER_MOST && best == power - 1); power++) {
        ig_status status = solve(p, 1, pow(10, power));
        size_t right = status ? 0 : read_rows(p, p->fit + p->kept, p->n - p->kept, 1);

        if (status == IG_NOMEM)
            return status;
        best = right > most ? power : best;
        most = right > most ? right : most;
    }
    *ridge = most ? pow(10, best) : RIDGE;
    return IG_OK;
}

/* --- the net ---------------------------------------------------------------------- */

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
    size_t n = x.rows, k = p->labels;
    ig_matrix hidden = ig_matrix_rows(p->layer, 0, n);
    ig_matrix score = ig_matrix_rows(p->score, 0, n);

    for (size_t i = 0; i < n; i++) { /* (softmax − one-hot) / B */
        float *s = ig_matrix_row(score, i);
        double sum = ig_exp_sum(s, 1, ig_max_of(s, k), k, s);

        for (size_t j = 0; j < k; j++)
            s[j] = (float)(((double)s[j] / sum - (j == label[i])) / (double)n);
    }
    back.rows = n;
    ig_gemm(false, true, 1, score, ig_matrix_rows(p->w, 0, HIDDEN), 0, back);
    for (size_t i = 0; i < n * HIDDEN; i++)
        back.a[i] *= ig_matrix_row(hidden, i / HIDDEN)[i % HIDDEN] > 0;
    ig_gemm_pool(p->e->pool, true, false, 1, x, back, 0, gradient[0]);
    ig_gemm(true, false, 1, hidden, score, 0, gradient[1]);
}

/* Set G, the eigenvectors of the covariance over the root of their variance. */
static ig_status whiten(struct probe *p, double variance)
{
    ig_arena *a = &p->arena;
    size_t d = p->d;
    double *vector = ig_arena_array(a, d, d * sizeof *vector);
    double *value = ig_arena_array(a, d, sizeof *value);
    ig_status status = ig_embeddings_check(p->e, a);

    if (status == IG_OK)
        status =
            ig_eigen_symmetric(p->moments.scatter, d, d, value, vector, p->e->error);
    for (size_t i = 0; i < d * d && status == IG_OK; i++)
        ig_matrix_row(p->whitening, i % d)[i / d] =
            (float)(vector[i] / sqrt(fmax(value[i / d] / (double)p->n, 0) +
                                     WHITENING_RIDGE * variance));
    return status;
}

/* Whiten the rows, and learn by Adam, with a rate that falls from 3e-3 to 0.
 *   variance  in  mean of a dimension */
static ig_status train_net(struct probe *p, double variance)
{
    ig_arena *a = &p->arena;
    size_t d = p->d, n = p->n, first = (d + 1) * HIDDEN, step = 0;
    size_t weights = first + (HIDDEN + 1) * p->labels;
    float *net = ig_arena_array(a, 4 * weights, sizeof *net); /* then its gradient, */
    float *change = net + weights;                            /* and Adam's moments */
    ig_matrix z = ig_arena_matrix(a, n, d + 1);
    ig_matrix back = ig_arena_matrix(a, BATCH, HIDDEN);
    ig_matrix gradient[2] = {ig_matrix_of(change, d + 1, HIDDEN),
                             ig_matrix_of(change + first, HIDDEN + 1, p->labels)};
    ig_rows rows = ig_rows_of_matrix(z);
    ig_chunk batch = ig_chunk_of(p->e, &rows, p->order, n, a);
    uint16_t own[BATCH];
    double visits = floor(
        fmin(fmax(PASSES * (double)n, fmin(VISITS_LEAST, PASSES_MOST * (double)n)),
             VISITS_MOST));
    ig_random random;
    ig_status status = whiten(p, variance);

    if (status != IG_OK)
        return status;
    p->v = ig_matrix_of(net, d + 1, HIDDEN);
    p->w = ig_matrix_of(net + first, HIDDEN + 1, p->labels);
    ig_random_init(&random, p->e->spec->seed, NET_STREAM);
    draw_weights(p->v, &random);
    draw_weights(p->w, &random);
    p->chunk.list = p->fit;
    p->chunk.n = n;
    while (ig_chunk_next(&p->chunk))
        fill_z(p, ig_matrix_rows(z, p->chunk.first, p->chunk.count));
    for (size_t i = 0; i < n; i++)
        p->order[i] = (uint32_t)i;
    batch.each = batch.each < BATCH ? batch.each : BATCH;
    batch.first = n; /* shuffle first */
    for (double seen = 0; seen < visits && !ig_progress_cancelled(p->e->progress);
         seen += (double)batch.count) {
        if (!ig_chunk_next(&batch)) {
            ig_random_shuffle(&random, p->order, n);
            continue;
        }
        z = ig_matrix_of(batch.row, batch.count, d + 1);
        for (size_t i = 0; i < batch.count; i++)
            own[i] = p->taught[p->order[batch.first + i]];
        score_rows(p, z, 1);
        find_gradient(p, z, own, back, gradient);
        step++;
        ig_adam(net, net + 2 * weights, net + 3 * weights, change, weights,
                (float)(3e-3 * (1 - seen / visits)), 0.9F, 0.999F, 1e-8F,
                (float)(1 - pow(0.9, (double)step)),
                (float)(1 - pow(0.999, (double)step)), 0);
    }
    return IG_OK;
}

/* --- learning --------------------------------------------------------------------- */

/* Fit the model, or find the reason why that is impossible. */
static ig_status fit_model(struct probe *p)
{
    const ig_moments *m = &p->moments;
    double ridge = RIDGE, spread = 0, square = 0;
    ig_status status;

    order_rows(p);
    if (p->n == 0 || p->tests == 0) {
        p->reason = p->n + p->tests ? "only one meaning" : "no rows";
        return IG_OK;
    }
    status = add_rows(p, 0, p->kept);
    if (status == IG_OK && !p->hidden && p->kept < p->n &&
        p->count[p->taught[0]] < (double)p->kept)
        status = choose_ridge(p, &ridge);
    if (status == IG_OK)
        status = add_rows(p, p->kept, p->n);
    if (status != IG_OK)
        return status;
    for (size_t j = 0; j < p->d; j++) {
        spread += m->scatter[j * p->d + j] / (double)p->n;
        square += m->mean[j] * m->mean[j];
    }
    p->reason = p->count[p->taught[0]] >= (double)p->n
                    ? "only one language to learn from"
                : !(spread > 0 && spread >= IG_SPREAD_MIN * (spread + square))
                    ? "the rows do not differ"
                : p->hidden && p->n < p->d ? "fewer rows to learn from than dimensions"
                                           : NULL;
    return p->reason   ? IG_OK
           : p->hidden ? train_net(p, spread / (double)p->d)
                       : solve(p, p->sets, ridge);
}

/* Learn from the rows to fit, and read the others, by shuffled labels, too. λ is that
 * of 1e-6 … 1e-1, and of further powers of 10 up to 1e4 while the greatest wins, which
 * reads most of every tenth meaning when fitted on the rest; of equal ones the
 * smallest. IG_OK (also when nothing can be learned), IG_NOMEM, IG_VALUE (not finite)
 * or IG_INTERRUPTED. n·d² + 4·d³ flops. */
static ig_status learn(struct probe *p)
{
    const ig_embeddings *e = p->e;
    size_t all = p->sets * p->labels, d;
    ig_arena *a = &p->arena;
    ig_status status;

    p->rows = p->raw ? e->rows : e->units;
    status = ig_embeddings_span(e, &p->rows, 4, a);
    d = p->d = p->rows.dims;
    p->order = ig_arena_array(a, p->fits, sizeof *p->order);
    p->taught = ig_arena_array(a, ROWS_MOST, p->sets * sizeof *p->taught);
    p->chunk = ig_chunk_of(e, &p->rows, NULL, IG_CHUNK, a);
    p->count = ig_arena_array(a, p->labels, sizeof *p->count);
    p->sum = ig_arena_array(a, all, d * sizeof *p->sum);
    p->weight = ig_arena_array(a, all, d * sizeof *p->weight);
    p->w = ig_arena_matrix(a, d + 1, all);
    p->z = ig_arena_matrix(a, IG_CHUNK, d + 1);
    p->score = ig_arena_matrix(a, IG_CHUNK, all);
    p->layer = ig_arena_matrix(a, p->hidden ? IG_CHUNK : 0, HIDDEN + 1);
    p->whitening = ig_arena_matrix(a, p->hidden ? d : 0, d);
    if (status == IG_OK)
        status = ig_embeddings_check(e, a);
    if (status == IG_OK)
        status = fit_model(p);
    if (status == IG_OK && !p->reason) {
        read_rows(p, p->test, p->tests, p->sets);
        p->control += (p->sets - 1) * p->tests;
    }
    ig_moments_free(&p->moments);
    ig_arena_free(a);
    return status;
}

/* --- the language ----------------------------------------------------------------- */

/* Append what the probe of unit rows reads of languages. */
static void add_answers(const struct probe *p, ig_evaluation *out)
{
    const ig_embeddings *e = p->e;
    size_t k = e->languages;
    size_t *count = ig_arena_array(&out->figures.brief, k, k * sizeof *count);

    for (size_t i = 0; count && i < e->n && !p->reason; i++)
        count[e->lang[i] * k + p->read[i]]++;
    out->unread = p->reason;
    ig_figures_add_counts(&out->figures, "probe_read", count, k, false);
    ig_figures_add(&out->figures, "probe_shuffled",
                   p->reason ? (double)NAN : (double)p->right / (double)p->control,
                   p->reason)
        ->n = e->n;
}

/* Read each half of the rows by the probe of the other, or with `rest` all by a probe
 * of those that are not measured, if there are enough. Append the share of all measured
 * rows that are read; chance is that of these answers in random order. */
static ig_status measure_language(const ig_embeddings *e, ig_evaluation *out,
                                  const char *measure, bool rest, bool raw, bool hidden)
{
    bool keep = !rest && !raw && !hidden;
    size_t k = e->languages, most_read = IG_LANGUAGES_READ;
    size_t shuffles = k > most_read ? 1 + SHUFFLES * most_read / k : SHUFFLES;
    double expected = 0, n = (double)e->n, least = n, most = 0, own;
    struct probe p = {.e = e,
                      .labels = e->languages,
                      .raw = raw,
                      .hidden = hidden,
                      .sets = keep ? 1 + shuffles : 1};
    ig_figure *f;
    ig_status status = IG_OK;

    if ((rest && !e->rest) || !begin_probe(&p, &out->figures.brief))
        return IG_OK;
    for (uint32_t half = 0; half < (rest ? 1 : 2) && status == IG_OK && !p.reason;
         half++) {
        p.fits = p.tests = 0;
        for (uint32_t i = 0; i < (rest ? e->all : e->n); i++)
            if (rest ? i < e->n : p.number[i] % 2 != half)
                p.test[p.tests++] = i;
            else
                p.fit[p.fits++] = i;
        status = learn(&p);
    }
    if (status != IG_OK)
        return status;
    f = ig_figures_add_rows(&out->figures, measure, IG_MEAN, e);
    f->items = p.reason ? 0 : f->items;
    for (size_t i = 0; i < f->items; i++) {
        f->item[0][i] = p.read[i] == p.label[i];
        expected += (double)(e->first[p.read[i] + 1] - e->first[p.read[i]]);
        own = (double)(e->first[p.label[i] + 1] - e->first[p.label[i]]);
        least = fmin(least, own);
        most = fmax(most, own);
    }
    f->chance = f->items ? expected / (n * n) : (double)NAN;
    ig_figures_close(&out->figures, f, p.reason);
    if (f->value < 1 && (p.n < 4 * e->d || most > 2 * least)) {
        f->marked = p.n < 4 * e->d ? p.n : (size_t)least;
        f->reason = "rows of a language, another has over twice that: an underestimate";
        if (p.n < 4 * e->d)
            f->reason = "rows to learn from, under 4 per dimension: an "
                        "underestimate (baseline: --measures probe)";
    }
    for (size_t i = 0; i < f->items && !rest; i++) /* for draws */
        f->item[0][i] += LEARNING * (f->item[0][i] - (float)f->value);
    if (keep)
        add_answers(&p, out);
    return IG_OK;
}

static ig_status measure_linear(const ig_embeddings *e, ig_evaluation *out)
{
    static const char *const measure[] = {"probe", "probe_raw", "probe_fitted",
                                          "probe_raw_fitted"};
    ig_status status = IG_OK;

    for (int m = 0; m < 4 && status == IG_OK; m++)
        status = measure_language(e, out, measure[m], m / 2, m % 2, false);
    return status;
}

static ig_status measure_hidden(const ig_embeddings *e, ig_evaluation *out)
{
    ig_status status = measure_language(e, out, "probe_hidden", false, false, true);

    return status ? status
                  : measure_language(e, out, "probe_hidden_fitted", true, false, true);
}

/* --- zero-shot transfer ----------------------------------------------------------- */

enum { LABELS_MOST = 1000, NUMBERS_MOST = 20, ROWS_LEAST = 8 };

const ig_label *ig_label_to_transfer(const ig_dataset *set)
{
    for (size_t i = 0; i < set->labels; i++) {
        const ig_label *label = &set->label[i];

        if (label->categories >= 2 && label->categories <= set->rows / ROWS_LEAST &&
            label->categories <= (label->number ? NUMBERS_MOST : LABELS_MOST))
            return label;
    }
    return NULL;
}

/* Rows with a label: those of the pivot language that are not measured are learned
 * from, and all measured ones tested; without others, those of one half of the meanings
 * are learned from, and those of the other tested. */
static void choose_rows(struct probe *p, uint16_t *label)
{
    const ig_embeddings *e = p->e;
    const ig_label *column = e->spec->label;

    for (uint32_t i = 0; i < e->all; i++) {
        label[i] = (uint16_t)column->value[e->row[i]];
        if (!*column->category[label[i]])
            continue;
        if (i < e->n && (e->rest || p->number[i] % 2))
            p->test[p->tests++] = i;
        else if (e->lang[i] == e->spec->pivot && (i >= e->n) == (e->rest > 0))
            p->fit[p->fits++] = i;
    }
    p->label = label;
}

/* The shares of each language's rows that are read right, the mean and the minimum but
 * for the pivot, and the pivot's. Chance is the share of the commonest label. */
static ig_status measure_labels(const ig_embeddings *e, ig_evaluation *out)
{
    static const char transfer[] = "zero_shot_transfer",
                      pivot[] = "zero_shot_transfer_pivot";
    ig_figures *figures = &out->figures;
    ig_figure *f;
    struct probe p = {.e = e, .sets = 1, .labels = e->spec->label->categories};
    double least = (double)NAN, own = (double)NAN, most = 0;
    char what[128];
    double *count = ig_arena_array(&figures->brief, p.labels, sizeof *count);
    uint16_t *label = ig_arena_array(&figures->brief, e->all, sizeof *label);
    ig_status status;

    if (!begin_probe(&p, &figures->brief))
        return IG_OK;
    choose_rows(&p, label);
    if ((status = learn(&p)) != IG_OK)
        return status;
    for (size_t t = 0; t < p.tests; t++)
        most = fmax(most, ++count[p.label[p.test[t]]]);
    if (p.reason)
        p.reason = p.n ? "the training rows have only one label, or do not differ"
                       : "no labelled row of the pivot language to train on";
    for (size_t t = 0, end = 0; t < p.tests && !p.reason; t = end) {
        size_t l = e->lang[p.test[t]]; /* whose rows follow each other */
        bool is_pivot = l == e->spec->pivot;
        double share = 0;

        for (; end < p.tests && e->lang[p.test[end]] == l; end++)
            share += p.read[p.test[end]] == p.label[p.test[end]];
        share /= (double)(end - t);
        f = ig_figures_add_languages(figures, is_pivot ? pivot : transfer, l,
                                     IG_ALL_LANGUAGES, share, NULL);
        f->n = end - t;
        f->chance = most / (double)p.tests;
        own = is_pivot ? share : own;
        least = is_pivot ? least : fmin(least, share);
    }
    if (!p.reason && isnan(least))
        p.reason = "only one language has labels";
    f = ig_figures_add_mean_of(figures, transfer, transfer, false, p.reason);
    f->n = p.tests;
    if (!p.reason) {
        snprintf(what, sizeof what, "rows by the label %s", e->spec->label->name);
        f->reason = ig_arena_text(&figures->arena, what, strlen(what));
        f->marked = f->n;
    }
    ig_figures_add(figures, "zero_shot_transfer_worst", least, p.reason)->n = p.tests;
    ig_figures_add(figures, pivot, own, p.reason)->n = p.tests;
    return IG_OK;
}

const ig_measure_group ig_probe_group = {"probe", IG_NEEDS_ROWS | IG_NEEDS_REST,
                                         .measure = measure_linear};

const ig_measure_group ig_hidden_probe_group = {
    "hidden_probe", IG_NEEDS_ROWS | IG_NEEDS_REST, .measure = measure_hidden};

const ig_measure_group ig_zero_shot_transfer_group = {
    "zero_shot_transfer", IG_NEEDS_ROWS | IG_NEEDS_REST | IG_NEEDS_LABELS,
    .measure = measure_labels};
