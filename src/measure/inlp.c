/* Iterative nullspace projection [inlp]. Legend: n fitted rows, t tested rows, d dims,
 * K languages; C (d, d) the covariance of the training rows and S (K, d) that of
 * languages with them, both of what is left of the rows.
 *
 * A round solves (C + λI) W = S, λ = 1e-3 · tr C / d as in the probe, and removes the
 * rows of W from C and S: no row is read again. What the rounds have removed is absent
 * from W, too, so that the classifiers of all rounds are tested on the rows as they
 * are, in one pass. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"
#include "core/moments.h"
#include "measure/probe.h"

static const double RIDGE = 1e-3;
static const double LEAST = 1e-6; /* share of the variance that is more than rounding */

struct work {
    const ig_measure_input *in;
    const ig_probe_split *of; /* n, t rows of the base */
    size_t k, d;
    double *c, *s;     /* (d, d), (K, d) */
    double *w, *solve; /* (K, d), (d, d) */
    double *basis;     /* (removed, d) the directions that are removed, orthonormal */
    size_t removed;
    float *weights; /* (rounds, K, d) */
    float *mean;    /* (d) of the training rows */
    double *prior;  /* (K) share of a language among them */
    size_t rounds;  /* that leave something */
    float *tile, *score, *scratch;
    size_t each;
    ig_arena arena;
};

static ig_status init_work(struct work *w, ig_error *error)
{
    size_t columns = IG_INLP_ROUNDS * w->k;
    ig_arena *a = &w->arena;

    w->each = (w->in->raw->scratch + 15) / 16 * 16;
    w->c = ig_arena_array(a, w->d, w->d * sizeof *w->c);
    w->s = ig_arena_array(a, w->k, w->d * sizeof *w->s);
    w->w = ig_arena_array(a, w->k, w->d * sizeof *w->w);
    w->solve = ig_arena_array(a, w->d, w->d * sizeof *w->solve);
    w->basis = ig_arena_array(a, columns + 1, w->d * sizeof *w->basis);
    w->weights = ig_arena_array(a, columns, w->d * sizeof *w->weights);
    w->mean = ig_arena_array(a, w->d, sizeof *w->mean);
    w->prior = ig_arena_array(a, w->k, sizeof *w->prior);
    w->tile = ig_arena_array(a, IG_ROWS_TILE, w->d * sizeof *w->tile);
    w->score = ig_arena_array(a, IG_ROWS_TILE, columns * sizeof *w->score);
    w->scratch =
        ig_arena_array(a, ig_pool_threads(w->in->pool), w->each * sizeof *w->scratch);
    return a->failed ? ig_fail_memory(error, "nullspace projection") : IG_OK;
}

static size_t read_tile(struct work *w, const uint32_t *list, size_t first, size_t n)
{
    size_t count = n - first < IG_ROWS_TILE ? n - first : IG_ROWS_TILE;

    ig_rows_share(w->in->raw, list + first, 0, count, w->in->pool, w->tile, w->scratch,
                  w->each);
    for (size_t i = 0; i < count * w->d; i++)
        w->tile[i] -= w->mean[i % w->d];
    return count;
}

/* C, S, the mean and the shares of the training rows. */
static ig_status take_moments(struct work *w, ig_error *error)
{
    const ig_measure_input *in = w->in;
    ig_rows_pick pick = {in->raw, w->of->fit, w->of->fits};
    ig_rows rows = ig_rows_of_pick(&pick);
    ig_moments m = {0};
    double n = (double)w->of->fits;
    ig_status status = ig_moments_init(&m, w->d, error);

    if (status == IG_OK)
        status = ig_moments_add(&m, &rows, false, in->pool,
                                in->watch ? in->watch->stop : NULL, NULL, error);
    for (size_t i = 0; status == IG_OK && i < w->d * w->d; i++)
        w->c[i] = m.scatter[i] / n;
    for (size_t first = 0, count; status == IG_OK && first < w->of->fits;
         first += count) {
        count = read_tile(w, w->of->fit, first, w->of->fits); /* less no mean yet */
        for (size_t i = 0; i < count; i++) {
            size_t k = w->in->base_lang[w->of->fit[first + i]];

            for (size_t j = 0; j < w->d; j++)
                w->s[k * w->d + j] += (double)w->tile[i * w->d + j] / n;
            w->prior[k] += 1 / n;
        }
    }
    for (size_t j = 0; status == IG_OK && j < w->d; j++) {
        double mean = 0; /* so that the rows of S add up to 0 */

        for (size_t k = 0; k < w->k; k++)
            mean += w->s[k * w->d + j];
        for (size_t k = 0; k < w->k; k++)
            w->s[k * w->d + j] -= w->prior[k] * mean;
        w->mean[j] = (float)mean;
    }
    ig_moments_free(&m);
    return status;
}

/* --- rounds ----------------------------------------------------------------------- */

static double dot(const double *a, const double *b, size_t d)
{
    double sum = 0;

    for (size_t j = 0; j < d; j++)
        sum += a[j] * b[j];
    return sum;
}

static double trace_of(const struct work *w)
{
    double sum = 0;

    for (size_t j = 0; j < w->d; j++)
        sum += w->c[j * w->d + j];
    return sum;
}

/* Remove a unit direction q: S − S q qᵀ, (I − q qᵀ) C (I − q qᵀ). */
static void remove_direction(struct work *w, const double *q)
{
    size_t d = w->d;
    double *image = w->solve, both;

    for (size_t k = 0; k < w->k; k++) {
        double along = dot(w->s + k * d, q, d);

        for (size_t j = 0; j < d; j++)
            w->s[k * d + j] -= along * q[j];
    }
    for (size_t i = 0; i < d; i++)
        image[i] = dot(w->c + i * d, q, d);
    both = dot(image, q, d);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            w->c[i * d + j] += both * q[i] * q[j] - image[i] * q[j] - q[i] * image[j];
}

static void project_row(const struct work *w, double *row, size_t rows)
{
    for (size_t i = 0; i < 2 * rows; i++) { /* twice: once leaves rounding */
        const double *q = w->basis + i % rows * w->d;
        double along = dot(row, q, w->d);

        for (size_t j = 0; j < w->d; j++)
            row[j] -= along * q[j];
    }
}

/* Remove the rows of W; those that the others span have no length. */
static void remove_classifier(struct work *w)
{
    double most = 0;

    for (size_t k = 0; k < w->k; k++)
        most = fmax(most, sqrt(dot(w->w + k * w->d, w->w + k * w->d, w->d)));
    for (size_t k = 0; k < w->k; k++) {
        double *q = w->basis + w->removed * w->d, length;

        memcpy(q, w->w + k * w->d, w->d * sizeof *q);
        project_row(w, q, w->removed);
        length = sqrt(dot(q, q, w->d));
        if (!(length > 1e-6 * most))
            continue;
        for (size_t j = 0; j < w->d; j++)
            q[j] /= length;
        remove_direction(w, q);
        w->removed++;
    }
}

/* The classifier of what is left. Rounding would bring back what was removed, times
 * 1/λ in every round. */
static ig_status train_classifier(struct work *w, ig_error *error)
{
    double trace = trace_of(w);
    ig_status status;

    memcpy(w->solve, w->c, w->d * w->d * sizeof *w->c);
    for (size_t j = 0; j < w->d; j++)
        w->solve[j * w->d + j] += RIDGE * trace / (double)w->d;
    memcpy(w->w, w->s, w->k * w->d * sizeof *w->s);
    status = ig_solve_positive(w->solve, w->d, w->w, w->k, error);
    for (size_t k = 0; status == IG_OK && k < w->k; k++)
        project_row(w, w->w + k * w->d, w->removed);
    return status;
}

static ig_status run_rounds(struct work *w, ig_error *error)
{
    double all = trace_of(w);
    size_t weights = w->k * w->d;
    ig_status status = train_classifier(w, error);

    if (status == IG_VALUE)
        return IG_OK;
    while (status == IG_OK && w->rounds < IG_INLP_ROUNDS) {
        remove_classifier(w);
        if (trace_of(w) <= LEAST * all)
            break;
        status = train_classifier(w, NULL);
        if (status == IG_VALUE) /* what is left is rounding */
            return IG_OK;
        for (size_t i = 0; status == IG_OK && i < weights; i++)
            w->weights[w->rounds * weights + i] = (float)w->w[i];
        w->rounds++;
        if (ig_progress_cancelled(w->in->watch))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    return status;
}

/* --- the tested rows -------------------------------------------------------------- */

static void test_rows(struct work *w, ig_inlp *inlp)
{
    size_t columns = w->rounds * w->k, hits[IG_INLP_ROUNDS] = {0};

    for (size_t first = 0, count; first < w->of->tests; first += count) {
        count = read_tile(w, w->of->test, first, w->of->tests);
        ig_gemm_pool(w->in->pool, false, true, 1, ig_matrix_of(w->tile, count, w->d),
                     ig_matrix_of(w->weights, columns, w->d), 0,
                     ig_matrix_of(w->score, count, columns));
        for (size_t i = 0; i < count * w->rounds; i++) {
            const float *score = w->score + i * w->k;
            size_t at = first + i / w->rounds, round = i % w->rounds, best = 0;

            for (size_t k = 1; k < w->k; k++)
                if ((double)score[k] + w->prior[k] >
                    (double)score[best] + w->prior[best])
                    best = k;
            if (best == w->in->base_lang[w->of->test[at]]) {
                inlp->right[at] |= (uint16_t)(1U << round);
                hits[round]++;
            }
        }
    }
    for (size_t r = 0; r < w->rounds; r++)
        inlp->accuracy[r] = (double)hits[r] / (double)w->of->tests;
}

/* --- the group -------------------------------------------------------------------- */

static ig_status measure_rounds(struct work *w, ig_inlp *inlp, ig_error *error)
{
    const ig_measure_input *in = w->in;
    ig_status status;

    inlp->majority = ig_probe_majority(w->of->test, w->of->tests, in->base_lang, w->k);
    if (w->of->tests == 0)
        inlp->reason = "no rows to test the probe on";
    else if (!(ig_probe_majority(w->of->fit, w->of->fits, in->base_lang, w->k) < 1))
        inlp->reason = "only one language";
    if (inlp->reason)
        return IG_OK;
    inlp->tested = w->of->tests;
    inlp->row = ig_arena_array(&inlp->arena, w->of->tests, sizeof *inlp->row);
    inlp->right = ig_arena_array(&inlp->arena, w->of->tests, sizeof *inlp->right);
    status = inlp->arena.failed ? ig_fail_memory(error, "nullspace projection")
                                : init_work(w, error);
    for (size_t i = 0; status == IG_OK && i < w->of->tests; i++)
        inlp->row[i] = in->row ? in->row[w->of->test[i]] : w->of->test[i];
    if (status == IG_OK)
        status = take_moments(w, error);
    if (status == IG_OK && trace_of(w) <= 0)
        inlp->reason = "the rows do not differ";
    else if (status == IG_OK)
        status = run_rounds(w, error);
    if (status == IG_OK && w->rounds)
        test_rows(w, inlp);
    return status;
}

/* The rows are those of the probe. */
static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_inlp *inlp = result;
    struct work w = {
        .in = in, .of = &in->split, .k = in->languages, .d = in->raw->dims};
    ig_status status;

    for (size_t r = 0; r < IG_INLP_ROUNDS; r++)
        inlp->accuracy[r] = (double)NAN;
    status = measure_rounds(&w, inlp, error);
    ig_arena_free(&w.arena);
    return status;
}

IG_ITEM(right_of, double, ig_inlp, r->right[i % r->tested] >> i / r->tested & 1)
IG_ITEM(row_of, uint32_t, ig_inlp, r->row[i % r->tested])

static void group_append(const void *result, ig_figures *figures)
{
    static const ig_items items = {.value = {right_of}, .row = row_of};
    static const char *const none = "no dimension is left";
    const ig_inlp *inlp = result;

    for (size_t i = 0; i <= IG_INLP_ROUNDS && !(inlp->reason && i); i++) {
        size_t round = i ? i - 1 : IG_INLP_ROUNDS - 1; /* the last for the whole */
        const char *why = inlp->reason ? inlp->reason : none;
        ig_figure *row;
        char name[8];

        snprintf(name, sizeof name, "%zu", i);
        row = i ? ig_figures_add_part(figures, "inlp", name, inlp->accuracy[round], why)
                : ig_figures_add(figures, "inlp", inlp->accuracy[round], why);
        row->n = inlp->tested;
        row->chance = inlp->majority;
        row->column = &items;
        row->first = round * inlp->tested;
        row->items = inlp->tested;
    }
}

static double group_work(const ig_measure_input *in)
{
    double d = (double)in->some->dims, n = (double)in->some->rows;

    return (in->fits ? (double)in->fits : n / 2) * d * d +
           IG_INLP_ROUNDS * (d * d * d / 3 + 2 * n * d * (double)in->languages);
}

IG_GROUP(inlp, "iterative nullspace projection", IG_NEEDS_ROWS | IG_NEEDS_REST,
         .free = ig_result_free);
