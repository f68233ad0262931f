/* The probe with one hidden layer: h = max(0, W1 z + b1), scores W2 h + b2, softmax
 * cross-entropy, Adam on mini-batches with a rate that falls to 0. z is a row of length
 * 1 less the mean of the fitting rows, whitened by their covariance. Legend: n fitting
 * rows, t tested rows, d dims, H hidden units, K languages, B rows of a batch. */
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"
#include "core/random.h"
#include "measure/probe.h"
#include "measure/units.h"

enum {
    HIDDEN = 128, /* H */
    BATCH = 128,
    ROWS = 32,   /* rows of a batch per chunk */
    SLICE = 32,  /* … and dims, of W1 */
    PASSES = 16, /* over the fitting rows, unless that is less or more than */
    PASSES_MOST = 256,
    VISITS_LEAST = 1 << 15,
    VISITS_MOST = 1 << 18, /* rows seen in all */
    FITTED_MOST = 1 << 16, /* rows */
    CHUNK = 32 * BATCH,    /* rows that are whitened together */
    STREAM = 0x68696464
};

static const double RATE = 3e-3, BETA1 = 0.9, BETA2 = 0.999, EPSILON = 1e-8;
/* Ridge added before whitening, as a share of the mean variance. */
static const double RIDGE = 1e-4;

struct net {
    size_t d, k;
    size_t weights;
    float *weight, *gradient, *first, *second; /* (weights), of Adam the last two */
    ig_matrix w1, w2, g1, g2;                  /* (d, H), (H, K) */
    float *b1, *b2, *gb1, *gb2;                /* (H), (K) */
    ig_matrix x, hidden, score, back; /* (B, d), (B, H), (B, K), (B, H) of a batch */
    size_t steps;
};

/* --- the rows --------------------------------------------------------------------- */

/* What whitens rows. */
struct whitening {
    const ig_rows *rows;
    double *mean; /* (d) */
    ig_matrix by; /* (d, d) */
    ig_pool *pool;
    ig_progress *watch;
};

/* Some rows, of length 1, less the mean and whitened: out (n, d), n ≤ CHUNK. */
static ig_status whiten(ig_matrix out, const struct whitening *w, const uint32_t *list,
                        ig_error *error)
{
    size_t d = out.cols, n = out.rows;
    ig_units u = {0};
    ig_status status = ig_units_init(&u, w->rows, list, 0, n, w->pool, w->watch, error);

    if (status == IG_OK && u.odd_rows)
        status = ig_fail(error, IG_VALUE, "a value is not finite");
    for (size_t i = 0; status == IG_OK && i < n; i++)
        for (size_t j = 0; j < d; j++)
            u.unit[i * d + j] = (float)((double)u.unit[i * d + j] - w->mean[j]);
    if (status == IG_OK)
        ig_gemm_pool(w->pool, false, false, 1, ig_matrix_of(u.unit, n, d), w->by, 0,
                     out);
    ig_units_free(&u);
    return status;
}

/* V diag((λ + ε)^-1/2): (d, d). *reason when the rows do not differ. */
static ig_status find_whitening(ig_matrix out, const ig_moments *m, const char **reason,
                                ig_error *error)
{
    size_t d = m->dims;
    double *covariance = ig_alloc(d, d * sizeof *covariance);
    double *vector = ig_alloc(d, d * sizeof *vector);
    double *value = ig_alloc(d, sizeof *value), trace, squares;
    ig_status status = covariance && vector && value
                           ? IG_OK
                           : ig_fail_memory(error, "the probe with a hidden layer");

    ig_unit_spread(m, &trace, &squares);
    if (trace < IG_SPREAD_MIN)
        *reason = "the rows do not differ";
    for (size_t i = 0; status == IG_OK && i < d * d; i++)
        covariance[i] = m->scatter[i] / (double)m->rows;
    if (status == IG_OK && !*reason)
        status = ig_eigen_symmetric(covariance, d, d, value, vector, error);
    for (size_t i = 0; status == IG_OK && !*reason && i < d; i++) {
        double scale = 1 / sqrt(fmax(value[i], 0) + RIDGE * trace / (double)d);

        for (size_t j = 0; j < d; j++)
            ig_matrix_row(out, j)[i] = (float)(vector[i * d + j] * scale);
    }
    IG_FREE(covariance, vector, value);
    return status;
}

/* --- the net ---------------------------------------------------------------------- */

static float *cut_floats(float **at, size_t floats)
{
    float *out = *at;

    *at += floats;
    return out;
}

static ig_status net_init(struct net *net, size_t d, size_t k, ig_random *random,
                          ig_error *error)
{
    size_t work = BATCH * (d + 2 * (size_t)HIDDEN + k);
    float *at;

    *net = (struct net){.d = d, .k = k, .weights = (d + 1 + k) * HIDDEN + k};
    net->weight = ig_alloc(4 * net->weights + work, sizeof *net->weight);
    if (!net->weight)
        return ig_fail_memory(error, "the probe with a hidden layer");
    at = net->weight;
    net->w1 = ig_matrix_of(cut_floats(&at, d * HIDDEN), d, HIDDEN);
    net->w2 = ig_matrix_of(cut_floats(&at, HIDDEN * k), HIDDEN, k);
    net->b1 = cut_floats(&at, HIDDEN);
    net->b2 = cut_floats(&at, k);
    net->gradient = at;
    net->g1 = ig_matrix_of(cut_floats(&at, d * HIDDEN), d, HIDDEN);
    net->g2 = ig_matrix_of(cut_floats(&at, HIDDEN * k), HIDDEN, k);
    net->gb1 = cut_floats(&at, HIDDEN);
    net->gb2 = cut_floats(&at, k);
    net->first = cut_floats(&at, net->weights);
    net->second = cut_floats(&at, net->weights);
    net->x = ig_matrix_of(cut_floats(&at, BATCH * d), BATCH, d);
    net->hidden = ig_matrix_of(cut_floats(&at, (size_t)BATCH * HIDDEN), BATCH, HIDDEN);
    net->back = ig_matrix_of(cut_floats(&at, (size_t)BATCH * HIDDEN), BATCH, HIDDEN);
    net->score = ig_matrix_of(cut_floats(&at, BATCH * k), BATCH, k);
    for (size_t i = 0; i < d * HIDDEN; i++)
        net->w1.a[i] = (float)((2 * ig_random_unit(random) - 1) / sqrt((double)d));
    for (size_t i = 0; i < HIDDEN * k; i++)
        net->w2.a[i] = (float)((2 * ig_random_unit(random) - 1) / sqrt(HIDDEN));
    return IG_OK;
}

/* Scores of rows first … first + n − 1 of net->x. */
static void score_rows(const struct net *net, size_t first, size_t n)
{
    ig_matrix h = ig_matrix_rows(net->hidden, first, n);
    ig_matrix s = ig_matrix_rows(net->score, first, n);

    ig_gemm(false, false, 1, ig_matrix_rows(net->x, first, n), net->w1, 0, h);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < HIDDEN; j++) {
            float value = h.a[i * HIDDEN + j] + net->b1[j];

            h.a[i * HIDDEN + j] = value > 0 ? value : 0;
        }
    ig_gemm(false, false, 1, h, net->w2, 0, s);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < net->k; j++)
            s.a[i * net->k + j] += net->b2[j];
}

/* Scores into (softmax − one-hot) / batch, and these back to the hidden layer. */
static void backpropagate_errors(const struct net *net, const uint16_t *label,
                                 size_t first, size_t n, size_t batch)
{
    ig_matrix h = ig_matrix_rows(net->hidden, first, n);
    ig_matrix back = ig_matrix_rows(net->back, first, n);

    for (size_t i = first; i < first + n; i++) {
        float *s = net->score.a + i * net->k, most = s[0];
        double sum = 0;

        for (size_t j = 1; j < net->k; j++)
            most = s[j] > most ? s[j] : most;
        for (size_t j = 0; j < net->k; j++) {
            s[j] = expf(s[j] - most);
            sum += (double)s[j];
        }
        for (size_t j = 0; j < net->k; j++)
            s[j] = (float)(((double)s[j] / sum - (j == label[i])) / (double)batch);
    }
    ig_gemm(false, true, 1, ig_matrix_rows(net->score, first, n), net->w2, 0, back);
    for (size_t i = 0; i < n * HIDDEN; i++)
        back.a[i] = h.a[i] > 0 ? back.a[i] : 0;
}

static void add_columns(float *out, ig_matrix m)
{
    memset(out, 0, m.cols * sizeof *out);
    for (size_t i = 0; i < m.rows; i++)
        for (size_t j = 0; j < m.cols; j++)
            out[j] += m.a[i * m.cols + j];
}

/* A step of Adam of weights first … last − 1; `rate` falls. */
static void step_adam(const struct net *net, size_t first, size_t last, double rate)
{
    double c1 = 1 - pow(BETA1, (double)net->steps);
    double c2 = 1 - pow(BETA2, (double)net->steps);
    float lr = (float)(rate / c1), root = (float)(1 / sqrt(c2));
    float b1 = (float)BETA1, b2 = (float)BETA2, epsilon = (float)EPSILON;

    for (size_t i = first; i < last; i++) {
        float g = net->gradient[i];
        float m = net->first[i] = b1 * net->first[i] + (1 - b1) * g;
        float v = net->second[i] = b2 * net->second[i] + (1 - b2) * g * g;

        net->weight[i] -= lr * m / (sqrtf(v) * root + epsilon);
    }
}

/* Gradient and step of a slice of W1, by n rows. */
static void learn_slice(const struct net *net, size_t first, size_t n, double rate)
{
    size_t dims = net->d - first < SLICE ? net->d - first : SLICE;
    ig_matrix x = {net->x.a + first, n, dims, net->d};

    ig_gemm(true, false, 1, x, ig_matrix_rows(net->back, 0, n), 0,
            ig_matrix_rows(net->g1, first, dims));
    step_adam(net, first * HIDDEN, (first + dims) * HIDDEN, rate);
}

static void learn_rest(const struct net *net, size_t n, double rate)
{
    ig_matrix s = ig_matrix_rows(net->score, 0, n);

    ig_gemm(true, false, 1, ig_matrix_rows(net->hidden, 0, n), s, 0, net->g2);
    add_columns(net->gb2, s);
    add_columns(net->gb1, ig_matrix_rows(net->back, 0, n));
    step_adam(net, net->d * HIDDEN, net->weights, rate);
}

/* Rows that are seen in all, of so many different ones. */
static double visits_of(size_t rows)
{
    double n = (double)rows, least = fmin(VISITS_LEAST, PASSES_MOST * n);

    return fmin(fmax(PASSES * n, least), VISITS_MOST);
}

/* --- fitting, testing ------------------------------------------------------------- */

/* State shared by training threads. */
struct training {
    struct net *net;
    ig_matrix z;
    const uint16_t *label;
    uint32_t *order; /* (n) */
    ig_random *random;
    ig_pool *pool;
    ig_progress *watch;
    size_t visits;
    uint16_t of[BATCH];
    bool stopped;
};

/* First thread only: shuffle the rows, poll for cancellation. */
static void begin_batch(struct training *t, size_t at)
{
    t->stopped = ig_progress_cancelled(t->watch);
    t->net->steps++;
    if (at == 0)
        ig_random_shuffle(t->random, t->order, t->z.rows);
}

/* Rows first … first + n − 1 of a batch, whose first is number `at` of the order. */
static void take_rows(struct training *t, size_t at, size_t first, size_t n,
                      size_t batch)
{
    size_t d = t->z.cols;

    for (size_t i = first; i < first + n; i++) {
        uint32_t row = t->order[at + i];

        memcpy(t->net->x.a + i * d, t->z.a + row * d, d * sizeof *t->z.a);
        t->of[i] = t->label[row];
    }
    score_rows(t->net, first, n);
    backpropagate_errors(t->net, t->of, first, n, batch);
}

/* All threads process each batch together: rows first, then weights. Chunks do not
 * depend on the number of threads, so the result is bit-identical. */
static void train_member(void *context, size_t member, size_t members)
{
    struct training *t = context;
    struct net *net = t->net;
    size_t n;

    for (size_t seen = 0; seen < t->visits; seen += n) {
        size_t at = seen % t->z.rows, work = member;
        double rate = RATE * (1 - (double)seen / (double)t->visits);

        n = t->z.rows - at < BATCH ? t->z.rows - at : BATCH;
        if (member == 0)
            begin_batch(t, at);
        ig_pool_barrier(t->pool);
        if (t->stopped)
            return;
        for (; work * ROWS < n; work += members)
            take_rows(t, at, work * ROWS,
                      n - work * ROWS < ROWS ? n - work * ROWS : ROWS, n);
        ig_pool_barrier(t->pool);
        for (work = member; work * SLICE < net->d; work += members)
            learn_slice(net, work * SLICE, n, rate);
        if (member == members - 1)
            learn_rest(net, n, rate);
        ig_pool_barrier(t->pool);
        if (member == 0)
            ig_progress_add(t->watch, 6 * (double)n * (double)net->d * HIDDEN, 0);
    }
}

static ig_status train_net(struct net *net, ig_matrix z, const uint16_t *label,
                           ig_random *random, ig_pool *pool, ig_progress *watch,
                           ig_error *error)
{
    struct training t = {.net = net,
                         .z = z,
                         .label = label,
                         .order = ig_alloc(z.rows, sizeof *t.order),
                         .random = random,
                         .pool = pool,
                         .watch = watch,
                         .visits = (size_t)visits_of(z.rows)};

    if (!t.order)
        return ig_fail_memory(error, "the probe with a hidden layer");
    for (size_t i = 0; i < z.rows; i++)
        t.order[i] = (uint32_t)i;
    ig_pool_run(pool, train_member, &t);
    ig_free(t.order);
    return ig_progress_cancelled(watch) ? ig_fail(error, IG_INTERRUPTED, "interrupted")
                                        : IG_OK;
}

/* A batch that is tested. */
struct testing {
    struct net *net;
    ig_matrix z;
    const uint16_t *label;
    float *each;
};

/* 1 or 0 of each row: its label has the largest score, the lower one of equals. */
static void test_chunk(void *context, size_t member, size_t first, size_t last)
{
    const struct testing *t = context;
    struct net *net = t->net;

    (void)member;
    for (size_t at = first; at < last; at += ROWS) {
        size_t n = last - at < ROWS ? last - at : ROWS;

        memcpy(net->x.a + at * net->d, t->z.a + at * net->d,
               n * net->d * sizeof *net->x.a);
        score_rows(net, at, n);
        for (size_t i = at; i < at + n; i++) {
            const float *s = net->score.a + i * net->k;
            size_t best = 0;

            for (size_t j = 1; j < net->k; j++)
                best = s[j] > s[best] ? j : best;
            t->each[i] = best == t->label[i];
        }
    }
}

static size_t count_right(struct net *net, ig_matrix z, const uint16_t *label,
                          float *each, ig_pool *pool)
{
    size_t right = 0;

    for (size_t at = 0; at < z.rows; at += BATCH) {
        size_t n = z.rows - at < BATCH ? z.rows - at : BATCH;
        struct testing t = {net, ig_matrix_rows(z, at, n), label + at, each + at};

        ig_parallel_for(pool, n, ROWS, test_chunk, &t);
        for (size_t i = 0; i < n; i++)
            right += each[at + i] > 0;
    }
    return right;
}

/* What is fitted or tested. */
struct part {
    size_t rows;   /* n */
    uint32_t *row; /* (n) */
    uint16_t *label;
};

/* n of some rows, evenly. */
static struct part part_of(ig_arena *arena, const uint32_t *list, size_t rows, size_t n,
                           const uint16_t *lang)
{
    struct part p = {n, ig_arena_array(arena, n, sizeof *p.row),
                     ig_arena_array(arena, n, sizeof *p.label)};

    for (size_t i = 0; !arena->failed && i < n; i++) {
        p.row[i] = list[i * rows / n];
        p.label[i] = lang[p.row[i]];
    }
    return p;
}

static const char *find_reason(const struct part *fit, const struct part *test)
{
    if (fit->rows == 0)
        return "no rows to fit the probe on";
    if (test->rows == 0)
        return "no rows to test the probe on";
    for (size_t i = 1; i < fit->rows; i++)
        if (fit->label[i] != fit->label[0])
            return NULL;
    return "only one language to fit on";
}

static ig_status fit_whitening(struct whitening *w, const struct part *fit,
                               const char **reason, ig_error *error)
{
    ig_moments moments = {0};
    ig_status status = ig_moments_init(&moments, w->by.cols, error);

    if (status == IG_OK)
        status = ig_unit_moments(&moments, w->rows, fit->row, fit->rows, NULL, NULL,
                                 w->pool, w->watch, error);
    if (status == IG_OK)
        status = find_whitening(w->by, &moments, reason, error);
    if (status == IG_OK)
        memcpy(w->mean, moments.mean, w->by.cols * sizeof *w->mean);
    ig_moments_free(&moments);
    return status;
}

static ig_status fit_net(struct net *net, const struct whitening *w,
                         const struct part *fit, ig_random *random, ig_error *error)
{
    size_t d = w->by.cols;
    ig_matrix z = ig_matrix_of(ig_alloc(fit->rows, d * sizeof *z.a), fit->rows, d);
    ig_status status = z.a ? IG_OK
                           : ig_fail_memory(error, "the probe with a hidden layer");

    for (size_t at = 0; at < fit->rows && status == IG_OK; at += CHUNK) {
        size_t n = fit->rows - at < CHUNK ? fit->rows - at : CHUNK;

        status = whiten(ig_matrix_rows(z, at, n), w, fit->row + at, error);
    }
    if (status == IG_OK)
        status = train_net(net, z, fit->label, random, w->pool, w->watch, error);
    ig_free(z.a);
    return status;
}

static ig_status test_net(ig_hidden_probe *probe, struct net *net,
                          const struct whitening *w, const struct part *test,
                          ig_error *error)
{
    size_t d = w->by.cols, right = 0;
    ig_matrix z = ig_matrix_of(ig_alloc(CHUNK, d * sizeof *z.a), CHUNK, d);
    ig_status status = ig_item_values_init(&probe->items, test->rows, 1, error);

    if (status == IG_OK && !z.a)
        status = ig_fail_memory(error, "the probe with a hidden layer");
    for (size_t at = 0; at < test->rows && status == IG_OK; at += CHUNK) {
        size_t n = test->rows - at < CHUNK ? test->rows - at : CHUNK;
        ig_matrix some = ig_matrix_rows(z, 0, n);

        status = whiten(some, w, test->row + at, error);
        if (status == IG_OK)
            right += count_right(net, some, test->label + at, probe->items.value + at,
                                 w->pool);
    }
    ig_free(z.a);
    if (status != IG_OK)
        return status;
    memcpy(probe->items.row, test->row, test->rows * sizeof *test->row);
    probe->accuracy = (double)right / (double)test->rows;
    return IG_OK;
}

static ig_status fit_and_test(ig_hidden_probe *probe, const struct whitening *w,
                              const struct part *fit, const struct part *test,
                              size_t languages, uint64_t seed, ig_error *error)
{
    struct net net = {0};
    ig_random random;
    ig_status status;

    ig_random_init(&random, seed, STREAM);
    status = net_init(&net, w->by.cols, languages, &random, error);
    if (status == IG_OK)
        status = fit_net(&net, w, fit, &random, error);
    if (status == IG_OK)
        status = test_net(probe, &net, w, test, error);
    ig_free(net.weight);
    return status;
}

/* --- the group -------------------------------------------------------------------- */

static void group_free(void *result)
{
    ig_hidden_probe *probe = result;

    ig_item_values_free(&probe->items);
    *probe = (ig_hidden_probe){0};
}

/* The rows of the linear probe. */
static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    const ig_probe_split *of = &in->split;
    ig_hidden_probe *probe = result;
    ig_arena arena = {0};
    size_t d = in->base->dims, fits = of->fits < FITTED_MOST ? of->fits : FITTED_MOST;
    struct part fit = part_of(&arena, of->fit, of->fits, fits, in->base_lang);
    struct part test = part_of(&arena, of->test, of->tests, of->tests, in->base_lang);
    struct whitening w = {
        in->base, ig_arena_array(&arena, d, sizeof *w.mean),
        ig_matrix_of(ig_arena_array(&arena, d, d * sizeof(float)), d, d), in->pool,
        in->watch};
    ig_status status =
        arena.failed ? ig_fail_memory(error, "the probe with a hidden layer") : IG_OK;

    *probe = (ig_hidden_probe){.accuracy = (double)NAN,
                               .majority = ig_probe_majority(
                                   of->test, of->tests, in->base_lang, in->languages),
                               .fitted = fits,
                               .tested = of->tests};
    if (status == IG_OK)
        probe->reason = find_reason(&fit, &test);
    if (status == IG_OK && !probe->reason)
        status = fit_whitening(&w, &fit, &probe->reason, error);
    if (status == IG_OK && !probe->reason)
        status = fit_and_test(probe, &w, &fit, &test, in->languages, in->seed, error);
    ig_arena_free(&arena);
    ig_item_values_rename(&probe->items, in->row);
    if (status != IG_OK)
        group_free(probe);
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

IG_ITEM(right_of, double, ig_hidden_probe, r->items.value[i])
IG_ITEM(row_of, uint32_t, ig_hidden_probe, r->items.row[i])

static const ig_figure_line line = {"probe_hidden",
                                    .at = offsetof(ig_hidden_probe, accuracy),
                                    .chance_at = offsetof(ig_hidden_probe, majority),
                                    .column = {.value = {right_of}, .row = row_of}};

static void group_append(const void *result, ig_figures *figures)
{
    const ig_hidden_probe *p = result;

    ig_figures_add_lines(figures, &line, 1, p, p->tested, p->items.count, p->reason);
}

IG_GROUP(hidden_probe, "probe with a hidden layer", IG_NEEDS_ROWS | IG_NEEDS_REST,
         .free = group_free);
