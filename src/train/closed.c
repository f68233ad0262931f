/* Closed-form extractors: passes over rows compute means and products; the solutions
 * follow from these. Independent of training. */
#include "train/extractor.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "data/dataset.h"

enum { CHUNK = 1024 /* rows converted to double at a time */ };

/* Singular values or eigenvalues below this fraction of the largest count as zero. */
static const double RANK_TOLERANCE = 1e-10;

/* State of a fit. Memory comes from the arena. After a failure (`status`) every step is
 * a no-op. */
typedef struct ig_fit {
    ig_extractor *x;
    const ig_form *form;
    const ig_fit_data *data;
    size_t d, languages;
    size_t trained; /* languages with rows */
    size_t n;       /* rows to fit to */
    uint32_t *row;  /* (n) by language */
    size_t *first;  /* (K + 2) start of each language in `row` */
    double *means;  /* (K, d); global mean for a language without rows */
    double *mean;   /* (d) */
    ig_arena arena;
    ig_status status;
    ig_error *error;
} ig_fit;

/* Zeroed memory from the arena, or NULL after a failure. */
static void *alloc_zeroed(ig_fit *f, size_t count, size_t size)
{
    void *block = f->status == IG_OK ? ig_arena_array(&f->arena, count + 1, size)
                                     : NULL;

    if (f->status == IG_OK && !block)
        f->status = ig_fail_memory(f->error, f->form->name);
    return block;
}

static double *alloc_matrix(ig_fit *f, size_t rows, size_t cols)
{
    return alloc_zeroed(f, rows, cols * sizeof(double));
}

static size_t count_rows(const ig_fit *f, size_t language)
{
    return f->first[language + 1] - f->first[language];
}

static float *get_parameter(const ig_fit *f, const char *name)
{
    return f->x->weights + ig_extractor_find(f->x, name)->offset;
}

static void store_floats(const double *from, size_t n, float *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (float)from[i];
}

static bool may_continue(ig_fit *f)
{
    if (f->status == IG_OK && f->data->between && f->data->between(f->data->context))
        f->status = ig_fail(f->error, IG_INTERRUPTED, "the fit was broken off");
    return f->status == IG_OK;
}

/* --- passes over rows ------------------------------------------------------------- */

/* A pass over rows converted to double, chunk by chunk; sums are parallel over
 * columns. */
struct pass {
    const ig_fit *f;
    ig_pool *pool;
    const uint32_t *side[2]; /* (count) rows; [1] NULL: the same as [0] */
    size_t count;
    enum { RAW, MINUS_MEAN, MINUS_LANGUAGE_MEAN, UNIT_MINUS_LANGUAGE_MEAN } how;
    ig_parallel_task *add;
    double *sum;     /* (d, d), or (K, d) for the means */
    size_t at, n;    /* current chunk */
    double *wide[2]; /* (CHUNK, d) */
    float *tile;     /* (CHUNK, d) */
};

static void widen_row(const struct pass *p, uint32_t row, const float *in, double *out)
{
    const ig_fit *f = p->f;
    const double *less = p->how == RAW ? NULL
                         : p->how == MINUS_MEAN
                             ? f->mean
                             : f->means + f->data->set->lang[row] * f->d;
    double square = 0;

    for (size_t j = 0; j < f->d; j++) {
        out[j] = in[j] - (less ? less[j] : 0);
        square += out[j] * out[j];
    }
    square = p->how == UNIT_MINUS_LANGUAGE_MEAN && square > 0 ? 1 / sqrt(square) : 1;
    for (size_t j = 0; j < f->d && square != 1; j++)
        out[j] *= square;
}

static void widen_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *p = context;
    size_t d = p->f->d;
    float *tile = p->tile + first * d;

    (void)member;
    for (size_t s = 0; s < 2 && p->side[s]; s++) {
        const uint32_t *row = p->side[s] + p->at;

        ig_dataset_gather(p->f->data->set, row + first, last - first, tile, d);
        if (p->f->data->normalize)
            ig_rows_unit(tile, d, tile, d, last - first, d);
        for (size_t i = first; i < last; i++)
            widen_row(p, row[i], p->tile + i * d, p->wide[s] + i * d);
    }
}

/* Rows first … last−1 of Σ a bᵀ; lower triangle only if a is b. */
static void add_product(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *p = context;
    size_t d = p->f->d;

    (void)member;
    for (size_t row = first, end; row < last; row = end) {
        end = last - row < IG_GEMM_ROWS ? last : row + IG_GEMM_ROWS;
        ig_cross_add(p->n, p->wide[0] + row, d, end - row, p->wide[p->side[1] != NULL],
                     d, p->side[1] ? d : end, p->sum + row * d, d);
    }
}

static void add_means(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *p = context;
    size_t d = p->f->d;

    (void)member;
    for (size_t i = 0; i < p->n; i++) {
        double *sum = p->sum + p->f->data->set->lang[p->side[0][p->at + i]] * d;

        for (size_t j = first; j < last; j++)
            sum[j] += p->wide[0][i * d + j];
    }
}

static ig_status run_pass(struct pass p, ig_error *error)
{
    size_t d = p.f->d;
    bool ready = (p.tile = ig_alloc(CHUNK * d, sizeof *p.tile)) &&
                 (p.wide[0] = ig_alloc(CHUNK * d, sizeof *p.wide[0])) &&
                 (p.wide[1] = ig_alloc(p.side[1] ? CHUNK * d : 0, sizeof *p.wide[1]));

    for (p.at = 0; ready && p.at < p.count; p.at += CHUNK) {
        p.n = p.count - p.at < CHUNK ? p.count - p.at : CHUNK;
        ig_parallel_for(p.pool, p.n, 16, widen_rows, &p);
        ig_parallel_for(p.pool, d, IG_GEMM_ROWS, p.add, &p);
    }
    IG_FREE(p.tile, p.wide[0], p.wide[1]);
    return ready ? IG_OK : ig_fail_memory(error, p.f->form->name);
}

/* Σ a aᵀ over rows (count), both triangles, into sum (d, d). */
static ig_status add_scatter(const ig_fit *f, ig_pool *pool, const uint32_t *row,
                             size_t count, int how, double *sum, ig_error *error)
{
    struct pass p = {.f = f,
                     .pool = pool,
                     .side = {row, NULL},
                     .count = count,
                     .how = how,
                     .add = add_product,
                     .sum = sum};
    ig_status status = run_pass(p, error);

    for (size_t i = 0; i < f->d; i++)
        for (size_t j = 0; j < i; j++)
            sum[j * f->d + i] = sum[i * f->d + j];
    return status;
}

/* Covariance of the rows about the global mean or their language's mean. */
static double *make_covariance(ig_fit *f, int how)
{
    double *c = alloc_matrix(f, f->d, f->d);

    if (may_continue(f))
        f->status = add_scatter(f, f->data->pool, f->row, f->n, how, c, f->error);
    for (size_t i = 0; c && i < f->d * f->d; i++)
        c[i] /= (double)f->n;
    return c;
}

static double compute_trace(const double *c, size_t d)
{
    double sum = 0;

    for (size_t i = 0; i < d; i++)
        sum += c[i * d + i];
    return sum;
}

/* First k eigenvectors of c (d, d); all eigenvalues in `values` (d). */
static double *find_eigenvectors(ig_fit *f, const double *c, size_t k, double **values)
{
    double *v = alloc_matrix(f, k, f->d);

    *values = alloc_matrix(f, 1, f->d);
    if (may_continue(f))
        f->status = ig_eigen_symmetric(c, f->d, k, *values, v, f->error);
    return v;
}

/* --- rows by language, means ------------------------------------------------------ */

/* Sort the rows of training pairs, or all rows without pairs, by language. For forms
 * with means at inference, a language without training rows counts all its rows. */
static void sort_rows(ig_fit *f, size_t *untrained)
{
    const ig_dataset *set = f->data->set;
    const ig_split *split = f->data->split;
    uint8_t *mark = alloc_zeroed(f, set->rows, 1);
    bool *known = alloc_zeroed(f, f->languages, sizeof *known);

    f->row = alloc_zeroed(f, set->rows, sizeof *f->row);
    f->first = alloc_zeroed(f, f->languages + 2, sizeof *f->first);
    if (f->status != IG_OK)
        return;
    for (size_t i = 0; i < split->train; i++)
        mark[f->data->pairs->left[split->train_pair[i]]] =
            mark[f->data->pairs->right[split->train_pair[i]]] = 1;
    for (size_t i = 0; i < set->rows; i++)
        known[set->lang[i]] |= mark[i] |= !split->train;
    for (size_t k = 0; k < f->languages; k++)
        *untrained += !known[k];
    for (size_t i = 0; i < set->rows; i++) {
        mark[i] |= f->form->means && !known[set->lang[i]];
        f->first[set->lang[i] + 2] += mark[i];
    }
    for (size_t k = 0; k < f->languages; k++) {
        f->trained += f->first[k + 2] > 0;
        f->first[k + 2] += f->first[k + 1];
    }
    for (size_t i = 0; i < set->rows; i++)
        if (mark[i])
            f->row[f->first[set->lang[i] + 1]++] = (uint32_t)i;
    f->n = f->first[f->languages];
    if (!f->n)
        f->status = ig_fail(f->error, IG_VALUE, "there are no rows to fit %s on",
                            f->form->name);
}

static void make_means(ig_fit *f)
{
    struct pass p = {.f = f,
                     .pool = f->data->pool,
                     .side = {f->row, NULL},
                     .count = f->n,
                     .add = add_means};
    size_t d = f->d;

    f->means = p.sum = alloc_matrix(f, f->languages, d);
    f->mean = alloc_matrix(f, 1, d);
    if (may_continue(f))
        f->status = run_pass(p, f->error);
    if (f->status != IG_OK)
        return;
    for (size_t k = 0; k < f->languages; k++)
        for (size_t j = 0; j < d && count_rows(f, k); j++) {
            f->mean[j] += f->means[k * d + j] / (double)f->n;
            f->means[k * d + j] /= (double)count_rows(f, k);
        }
    for (size_t k = 0; k < f->languages; k++)
        if (!count_rows(f, k))
            memcpy(f->means + k * d, f->mean, d * sizeof *f->mean);
}

/* --- storing weights -------------------------------------------------------------- */

/* W = I − Σ_i u_i v_iᵀ over r rows; b = −W shift, or b = shift − W shift if only the
 * removed part is centred (around). shift NULL: 0. */
static void store_erasure(ig_fit *f, size_t r, const double *u, const double *v,
                          const double *shift, bool around)
{
    float *weight = get_parameter(f, "meaning.weight"),
          *bias = get_parameter(f, "meaning.bias");
    size_t d = f->d;
    double *w = alloc_matrix(f, d, d);

    if (f->status != IG_OK)
        return;
    if (r)
        ig_gemm_double(f->data->pool, true, false, d, d, r, u, v, w);
    for (size_t i = 0; i < d; i++) {
        double sum = 0;

        for (size_t j = 0; j < d; j++) {
            sum += shift ? w[i * d + j] * shift[j] : 0;
            weight[i * d + j] = (float)((i == j) - w[i * d + j]);
        }
        bias[i] = (float)(shift ? sum - (around ? 0 : shift[i]) : 0);
    }
}

/* b = −W mean for each language, and for unknown languages. */
static void store_biases(ig_fit *f, size_t language, const double *w)
{
    float *bias = get_parameter(f, "meaning.bias") + language * f->d;
    const double *mean = language < f->languages ? f->means + language * f->d : f->mean;

    for (size_t i = 0; i < f->d; i++) {
        double sum = 0;

        for (size_t j = 0; j < f->d; j++)
            sum += (w ? w[i * f->d + j] : i == j) * mean[j];
        bias[i] = (float)-sum;
    }
}

static void check_k(ig_fit *f, size_t k, size_t max)
{
    if (k > max)
        f->status = ig_fail(f->error, IG_VALUE,
                            "%s k=%zu: there are %zu %s at most (%zu dimensions, %zu "
                            "languages)",
                            f->form->name, k, max, f->form->k, f->d, f->languages);
}

/* --- forms ------------------------------------------------------------------------ */

/* m = e − μ_l. */
static void fit_centre(ig_fit *f)
{
    store_floats(f->means, f->languages * f->d, get_parameter(f, "language.bias"));
}

/* m = (C + εI)^(−½) (e − μ_l), C the covariance about the language means, ε one
 * hundredth of its mean eigenvalue. [whiten] */
static void fit_whiten(ig_fit *f)
{
    size_t d = f->d;
    double *c = make_covariance(f, MINUS_LANGUAGE_MEAN), *v, *values, ridge;

    if (f->status != IG_OK)
        return;
    ridge = 0.01 * compute_trace(c, d) / (double)d;
    if (!(ridge > 0))
        f->status = ig_fail(f->error, IG_VALUE,
                            "the rows of each language are all the same: there is "
                            "nothing to whiten");
    v = find_eigenvectors(f, c, d, &values);
    if (f->status != IG_OK)
        return;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            v[i * d + j] /= sqrt(sqrt(fmax(values[i], 0) + ridge));
    ig_gemm_double(f->data->pool, true, false, d, d, d, v, v, c);
    store_floats(c, d * d, get_parameter(f, "meaning.weight"));
    for (size_t k = 0; k <= f->languages; k++)
        store_biases(f, k, c);
}

/* m = e − μ minus its projection on the first k eigenvectors of the covariance.
 * [abtt] */
static void fit_abtt(ig_fit *f)
{
    size_t d = f->d, k = f->data->k ? f->data->k : d < 200 ? 1 : d / 100;
    double *c, *v, *values;

    check_k(f, k, d);
    c = make_covariance(f, MINUS_MEAN);
    v = find_eigenvectors(f, c, k, &values);
    store_erasure(f, k, v, v, f->mean, false);
}

/* Right singular vectors of a (n, d) that span its rows, at most *r of the largest
 * singular values; *r: their number. */
static double *find_span(ig_fit *f, const double *a, size_t n, size_t *r)
{
    size_t d = f->d, p = n < d ? n : d, rank = 0;
    double *u = alloc_matrix(f, n, p), *sigma = alloc_matrix(f, 1, p);
    double *vt = alloc_matrix(f, p, d);

    if (f->status == IG_OK)
        f->status = ig_svd(a, n, d, u, sigma, vt, f->error);
    while (f->status == IG_OK && rank < p && sigma[rank] > RANK_TOLERANCE * sigma[0])
        rank++;
    *r = rank < *r ? rank : *r;
    return vt;
}

/* m = e minus its projection on the language space, the first r directions of the
 * differences of the means. The paper takes them from a common point with equal inner
 * products with all rank-r means: it differs from their mean by a vector of that space
 * alone, so the space is the same. [lsar alg.1] */
static void fit_lsar(ig_fit *f)
{
    size_t d = f->d, n = f->trained, k = 0;
    size_t max = n - 1 < d ? n - 1 : d, r = f->data->k ? f->data->k : max;
    double *a = alloc_matrix(f, n, d), *v;

    check_k(f, r, max);
    if (f->status != IG_OK)
        return;
    for (size_t l = 0; l < f->languages; l++)
        if (count_rows(f, l))
            memcpy(a + k++ * d, f->means + l * d, d * sizeof *a);
    for (size_t j = 0; j < d; j++) {
        double mean = 0;

        for (size_t i = 0; i < n; i++)
            mean += a[i * d + j] / (double)n;
        for (size_t i = 0; i < n; i++)
            a[i * d + j] -= mean;
    }
    v = find_span(f, a, n, &r);
    store_erasure(f, r, v, v, NULL, false);
}

/* Covariance of the centred one-hot language with the rows: n_l/n (μ_l − μ), one row
 * per language. */
static double *make_language_covariance(ig_fit *f)
{
    double *z = alloc_matrix(f, f->languages, f->d);

    for (size_t k = 0; z && k < f->languages; k++)
        for (size_t j = 0; j < f->d; j++)
            z[k * f->d + j] = (double)count_rows(f, k) / (double)f->n *
                              (f->means[k * f->d + j] - f->mean[j]);
    return z;
}

/* m = e − S^½ P S^(−½) (e − μ), P the projector onto the columns of S^(−½) Σ_xz. In the
 * basis of the eigenvectors of S: with y_j the orthonormal rows that span Σ_zx S^(−½),
 * the removed part is Σ_j (S^½ y_j)(S^(−½) y_j)ᵀ. [leace] */
static void fit_leace(ig_fit *f)
{
    size_t d = f->d, n = f->languages, p = n < d ? n : d, kept = 0;
    size_t r = f->trained - 1;
    double *s = make_covariance(f, MINUS_MEAN), *values;
    double *v = find_eigenvectors(f, s, d, &values), *z = make_language_covariance(f);
    double *g = alloc_matrix(f, n, d), *up = alloc_matrix(f, p, d),
           *down = alloc_matrix(f, p, d), *y;

    if (f->status != IG_OK)
        return;
    while (kept < d && values[kept] > RANK_TOLERANCE * values[0])
        kept++;
    ig_gemm_double(f->data->pool, false, true, n, d, d, z, v, g);
    for (size_t i = 0; i < n * d; i++)
        g[i] = i % d < kept ? g[i] / sqrt(values[i % d]) : 0;
    y = find_span(f, g, n, &r);
    if (f->status != IG_OK)
        return;
    for (size_t i = 0; i < r * d; i++) {
        double root = i % d < kept ? sqrt(values[i % d]) : 0;

        z[i] = y[i] * root;
        y[i] = root > 0 ? y[i] / root : 0;
    }
    if (r) {
        ig_gemm_double(f->data->pool, false, false, r, d, d, z, v, up);
        ig_gemm_double(f->data->pool, false, false, r, d, d, y, v, down);
    }
    store_erasure(f, r, up, down, f->mean, true);
}

static double dot(const double *a, const double *b, size_t d)
{
    double sum = 0;

    for (size_t i = 0; i < d; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Append rows y (r, d) to the orthonormal rows q (gone, d), orthogonal to all before
 * them: rounding would else grow with each round. The second pass removes the rounding
 * of the first. */
static void append_orthogonal(double *q, size_t gone, const double *y, size_t r,
                              size_t d)
{
    for (size_t n = gone; n < gone + r; n++) {
        double *row = memcpy(q + n * d, y + (n - gone) * d, d * sizeof *q), length;

        for (size_t i = 0; i < 2 * n; i++) {
            const double *before = q + i % n * d;
            double along = dot(row, before, d);

            for (size_t j = 0; j < d; j++)
                row[j] -= along * before[j];
        }
        length = sqrt(dot(row, row, d));
        for (size_t j = 0; j < d; j++)
            row[j] /= length;
    }
}

/* One round: fit a ridge classifier of the language to the remaining part, remove its
 * columns from b, and append them to the removed directions q (gone, d). Returns the
 * number of directions removed. */
static size_t remove_classifier(ig_fit *f, const double *s, const double *z, double *b,
                                double *left, double *c, double *w, double *q,
                                size_t gone)
{
    size_t d = f->d, n = f->languages, r = f->trained - 1;
    double *basis, ridge;

    ig_gemm_double(f->data->pool, false, false, d, d, d, b, s, left);
    ig_gemm_double(f->data->pool, false, false, d, d, d, left, b, c);
    ig_gemm_double(f->data->pool, false, false, n, d, d, z, b, w);
    ridge = 1e-3 * compute_trace(c, d) / (double)d;
    for (size_t i = 0; i < d; i++)
        c[i * d + i] += ridge;
    f->status = ig_solve_positive(c, d, w, n, f->error);
    basis = find_span(f, w, n, &r);
    if (r == 0 || f->status != IG_OK)
        return 0;
    append_orthogonal(q, gone, basis, r, d);
    q += gone * d;
    ig_gemm_double(f->data->pool, true, false, d, d, r, q, q, c);
    for (size_t i = 0; i < d * d; i++)
        b[i] -= c[i];
    return r;
}

/* m = B (e − μ), B the remaining projection after n rounds; ridge as in the probe.
 * [inlp] */
static void fit_inlp(ig_fit *f)
{
    size_t d = f->d, rounds = f->data->k ? f->data->k : 4, gone = 0;
    double *s = make_covariance(f, MINUS_MEAN), *z = make_language_covariance(f);
    double *b = alloc_matrix(f, d, d), *w = alloc_matrix(f, f->languages, d);
    double *left = alloc_matrix(f, d, d), *c = alloc_matrix(f, d, d);
    double *q = alloc_matrix(f, d, d);

    for (size_t i = 0; i < d && f->status == IG_OK; i++)
        b[i * d + i] = 1;
    for (size_t round = 0; round < rounds && may_continue(f); round++) {
        if (gone + f->trained - 1 < d)
            gone += remove_classifier(f, s, z, b, left, c, w, q, gone);
        else
            f->status = ig_fail(f->error, IG_VALUE,
                                "inlp: %zu rounds of %zu directions leave nothing of "
                                "%zu dimensions",
                                rounds, f->trained - 1, d);
    }
    store_erasure(f, gone, q, q, f->mean, false);
}

/* --- forms fitted per language ---------------------------------------------------- */

/* Languages of which each is solved on one thread. */
struct each {
    ig_fit *f;
    size_t first;    /* language */
    double *product; /* (threads, d, d) zeroed */
    ig_status (*solve)(ig_fit *f, size_t language, double *product, ig_error *error);
    ig_status *status; /* (threads) */
    ig_error *error;   /* (threads) */
};

static void solve_some(void *context, size_t member, size_t first, size_t last)
{
    struct each *e = context;

    (void)member;
    for (size_t i = first; i < last; i++)
        e->status[i] = e->solve(e->f, e->first + i, e->product + i * e->f->d * e->f->d,
                                &e->error[i]);
}

static void solve_languages(ig_fit *f,
                            ig_status (*solve)(ig_fit *, size_t, double *, ig_error *))
{
    size_t threads = ig_pool_threads(f->data->pool), square = f->d * f->d;
    struct each e = {.f = f,
                     .product = alloc_matrix(f, threads, square),
                     .solve = solve,
                     .status = alloc_zeroed(f, threads, sizeof *e.status),
                     .error = alloc_zeroed(f, threads, sizeof *e.error)};

    for (; e.first < f->languages && may_continue(f); e.first += threads) {
        size_t left = f->languages - e.first, count = left < threads ? left : threads;

        memset(e.product, 0, count * square * sizeof *e.product);
        ig_parallel_for(f->data->pool, count, 1, solve_some, &e);
        for (size_t i = 0; i < count && f->status == IG_OK; i++)
            if (e.status[i] != IG_OK)
                f->status = ig_fail(f->error, e.status[i], "%s", e.error[i].message);
    }
}

/* Store the first k eigenvectors of X_lᵀ X_l as the basis of a language; K: of all
 * rows. */
static ig_status solve_lir(ig_fit *f, size_t language, double *product, ig_error *error)
{
    size_t d = f->d, k = f->x->rank, all = language == f->languages;
    double *v = ig_alloc(k * d + k, sizeof *v);
    ig_status status = v ? add_scatter(f, all ? f->data->pool : NULL,
                                       f->row + (all ? 0 : f->first[language]),
                                       all ? f->n : count_rows(f, language), RAW,
                                       product, error)
                         : ig_fail_memory(error, "lir");

    if (status == IG_OK)
        status = ig_eigen_symmetric(product, d, k, v + k * d, v, error);
    if (status == IG_OK)
        store_floats(v, k * d, get_parameter(f, "language.basis") + language * k * d);
    ig_free(v);
    return status;
}

/* m = e minus its projection on the first k eigenvectors of the uncentred X_lᵀ X_l; a
 * language without rows uses those of all rows. [lir] */
static void fit_lir(ig_fit *f)
{
    size_t size = f->x->rank * f->d;
    float *basis = get_parameter(f, "language.basis");
    double *all = alloc_matrix(f, f->d, f->d);

    check_k(f, f->x->rank, f->d);
    solve_languages(f, solve_lir);
    if (may_continue(f))
        f->status = solve_lir(f, f->languages, all, f->error);
    for (size_t l = 0; l < f->languages && f->status == IG_OK; l++)
        if (!count_rows(f, l))
            memcpy(basis + l * size, basis + f->languages * size, size * sizeof *basis);
}

/* Training pairs of a language with the pivot; returns their number.
 *   side  out  (2, training pairs) rows of the language, then of the pivot; or NULL */
static size_t find_pairs(const ig_fit *f, size_t language, uint32_t *side)
{
    const ig_split *split = f->data->split;
    const uint16_t *lang = f->data->set->lang;
    size_t pivot = ig_pairs_pivot(f->data->set), n = 0;

    for (size_t i = 0; i < split->train && language != pivot; i++) {
        uint32_t l = f->data->pairs->left[split->train_pair[i]];
        uint32_t r = f->data->pairs->right[split->train_pair[i]];
        bool swap = lang[r] == language;

        if (lang[swap ? r : l] != language || lang[swap ? l : r] != pivot)
            continue;
        if (side) {
            side[n] = swap ? r : l;
            side[split->train + n] = swap ? l : r;
        }
        n++;
    }
    return n;
}

/* W = Qᵀ and b = −W μ_l from the cross product A Bᵀ = U Σ Vᵀ of the paired rows, Q = U
 * Vᵀ. A small multiple of the identity is added to determine directions without
 * data. */
static ig_status solve_procrustes(ig_fit *f, size_t language, double *product,
                                  ig_error *error)
{
    static const double STAY = 1e-12;
    size_t d = f->d, train = f->data->split->train;
    float *weight = get_parameter(f, "meaning.weight") + language * d * d;
    double *work = ig_alloc(3 * d * d + d, sizeof *work), largest = 0;
    double *u = work + d * d, *vt = u + d * d;
    uint32_t *side = ig_alloc(2 * train, sizeof *side);
    ig_status status = work && side ? IG_OK : ig_fail_memory(error, "procrustes");

    if (status == IG_OK)
        status = run_pass((struct pass){.f = f,
                                        .count = find_pairs(f, language, side),
                                        .side = {side, side + train},
                                        .how = UNIT_MINUS_LANGUAGE_MEAN,
                                        .add = add_product,
                                        .sum = product},
                          error);
    for (size_t i = 0; i < d * d; i++)
        largest = fmax(largest, fabs(product[i]));
    for (size_t i = 0; i < d * d && status == IG_OK; i++)
        work[i] = product[i] +
                  (i % (d + 1) == 0 ? largest > 0 ? STAY * largest : 1 : 0);
    if (status == IG_OK)
        status = ig_svd(work, d, d, u, vt + d * d, vt, error);
    if (status == IG_OK) {
        ig_gemm_double(NULL, true, true, d, d, d, vt, u, work);
        store_floats(work, d * d, weight);
        store_biases(f, language, work);
    }
    IG_FREE(work, side);
    return status;
}

/* m = (e − μ_l) Q_l, Q_l the rotation of the language's rows (centred, unit norm) onto
 * the paired pivot rows; Q_l = I for the pivot and for languages without pairs with it.
 * [procrustes] */
static void fit_procrustes(ig_fit *f)
{
    size_t d = f->d, pairs = 0;
    float *weight = get_parameter(f, "meaning.weight") + f->languages * d * d;

    for (size_t l = 0; l < f->languages; l++)
        pairs += find_pairs(f, l, NULL);
    if (pairs == 0)
        f->status = ig_fail(f->error, IG_VALUE,
                            "%s needs pairs of parallel rows with the pivot language",
                            f->form->name);
    solve_languages(f, solve_procrustes);
    for (size_t i = 0; i < d * d; i++)
        weight[i] = i % (d + 1) == 0;
    store_biases(f, f->languages, NULL);
}

/* --- the table of kinds ----------------------------------------------------------- */

static const ig_form forms[IG_EXTRACTORS] = {
    [IG_IDENTITY] = {.name = "identity"},
    [IG_CENTRE] = {"centre", .means = true,
                   .unknown = "their means are taken over the rows at hand",
                   .fit = fit_centre},
    [IG_WHITEN] = {"centre+whiten", .weight = IG_ONE_BLOCK, .bias = IG_EACH_BLOCK,
                   .unknown = "the mean of all training rows stands in for theirs",
                   .fit = fit_whiten},
    [IG_ABTT] = {"abtt", .weight = IG_ONE_BLOCK, .bias = IG_ONE_BLOCK,
                 .k = "directions to remove", .fit = fit_abtt},
    [IG_LIR] = {"lir", .basis = IG_EACH_BLOCK, .k = "directions to remove",
                .unknown = "the directions of all training rows stand in for theirs",
                .fit = fit_lir},
    [IG_LSAR] = {"lsar", .weight = IG_ONE_BLOCK, .bias = IG_ONE_BLOCK,
                 .k = "rank of the language space", .languages = true, .fit = fit_lsar},
    [IG_LEACE] = {"leace", .weight = IG_ONE_BLOCK, .bias = IG_ONE_BLOCK,
                  .languages = true, .fit = fit_leace},
    [IG_PROCRUSTES] = {"procrustes", .weight = IG_EACH_BLOCK, .bias = IG_EACH_BLOCK,
                       .languages = true, .pairs = true,
                       .unknown = "the mean of all training rows stands in for theirs, "
                                  "and they are not turned",
                       .fit = fit_procrustes},
    [IG_INLP] = {"inlp", .weight = IG_ONE_BLOCK, .bias = IG_ONE_BLOCK, .k = "rounds",
                 .languages = true, .fit = fit_inlp},
    [IG_RESIDUAL] = {"residual", .pairs = true},
    [IG_TWIN] = {"twin", .pairs = true},
    [IG_HEAD] = {"head", .pairs = true},
};

const ig_form *ig_form_of(ig_extractor_kind kind)
{
    return &forms[kind];
}

ig_status ig_closed_fit(ig_extractor *x, const ig_fit_data *data, size_t *untrained,
                        ig_error *error)
{
    ig_fit f = {.x = x,
                .form = ig_form_of(x->kind),
                .data = data,
                .d = x->dims,
                .languages = data->set->languages,
                .error = error};

    *untrained = 0;
    if (!f.form->fit)
        return IG_OK;
    sort_rows(&f, untrained);
    if (f.status == IG_OK && f.form->languages && f.trained < 2)
        f.status = ig_fail(error, IG_VALUE,
                           "%s distinguishes languages, but there is one language",
                           f.form->name);
    make_means(&f);
    if (f.status == IG_OK)
        f.form->fit(&f);
    ig_arena_free(&f.arena);
    return f.status;
}
