/* Closed-form extractors: means and products of the rows in double, from which the
 * solutions follow. Independent of training. Legend: n rows to fit to, d dims, K
 * languages; language K stands for all rows. */
#include "train/extractor.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"
#include "data/dataset.h"

enum {
    CHUNK = 1024, /* rows converted to double at a time */
    STREAM = 0x52414e44
};

/* Singular values or eigenvalues below this fraction of the largest count as zero. */
static const double RANK_TOLERANCE = 1e-10;

/* State of a fit. After a failure `status` is set, and `proceed` is false. */
typedef struct ig_fit {
    ig_extractor *x;
    const ig_form *form;
    const ig_fit_data *data;
    size_t d, languages;
    size_t trained; /* languages with rows */
    size_t n;
    uint32_t *row;   /* (n) by language */
    uint32_t *first; /* (K + 2) start of each language in `row` */
    double *means;   /* (K + 1, d); of a language without rows: of all rows */
    float *tile;     /* (CHUNK, d) */
    double *wide[2]; /* (CHUNK, d) */
    uint32_t *side;  /* forms with pairs: (2, training pairs) as of find_pairs */
    size_t paired;   /* … pairs of all languages */
    ig_arena arena;
    ig_status status;
    ig_error *error;
} ig_fit;

static double *alloc_matrix(ig_fit *f, size_t rows, size_t cols)
{
    return ig_arena_array(&f->arena, rows, cols * sizeof(double));
}

/* Whether nothing has failed, memory included, and the caller does not cancel. */
static bool proceed(ig_fit *f)
{
    if (f->status == IG_OK && f->arena.failed)
        f->status = ig_fail_memory(f->error, f->form->name);
    if (f->status == IG_OK && f->data->between && f->data->between(f->data->context))
        f->status = ig_fail(f->error, IG_INTERRUPTED, "the fit was cancelled");
    return f->status == IG_OK;
}

static float *get_parameter(const ig_fit *f, const char *name)
{
    return f->x->weights + ig_extractor_find(f->x, name)->offset;
}

static const double *get_mean(const ig_fit *f, size_t language)
{
    return f->means + language * f->d;
}

static size_t count_rows(const ig_fit *f, size_t language)
{
    return f->first[language + 1] - f->first[language];
}

/* --- means and products of rows --------------------------------------------------- */

/* What is subtracted from a row: nothing, the mean of all, or that of its language; and
 * whether the difference is scaled to unit length. */
enum centring { RAW, CENTRED, OWN_CENTRED, OWN_CENTRED_UNIT };

/* At most CHUNK rows in double. */
static void widen_rows(ig_fit *f, const uint32_t *row, size_t count, enum centring how,
                       double *out)
{
    size_t d = f->d;

    ig_dataset_gather(f->data->set, row, count, f->tile, d);
    if (f->data->normalize)
        ig_rows_unit(f->tile, d, f->tile, d, count, d);
    for (size_t i = 0; i < count; i++, out += d) {
        const float *in = f->tile + i * d;
        const double *mean =
            get_mean(f, how == CENTRED ? f->languages : f->data->set->lang[row[i]]);
        double square = 0, scale = 1;

        for (size_t j = 0; j < d; j++) {
            out[j] = in[j] - (how == RAW ? 0 : mean[j]);
            square += out[j] * out[j];
        }
        if (how == OWN_CENTRED_UNIT && square > 0)
            scale = 1 / sqrt(square);
        for (size_t j = 0; j < d && scale != 1; j++)
            out[j] *= scale;
    }
}

/* Mean of `count` rows; 0 without any. */
static void average_rows(ig_fit *f, const uint32_t *row, size_t count, double *mean)
{
    memset(mean, 0, f->d * sizeof *mean);
    for (size_t at = 0, n; at < count; at += n) {
        n = count - at < CHUNK ? count - at : CHUNK;
        widen_rows(f, row + at, n, RAW, f->wide[0]);
        for (size_t i = 0; i < n * f->d; i++)
            mean[i % f->d] += f->wide[0][i] / (double)count;
    }
}

/* A chunk of n rows of a sum of products a bᵀ. */
struct product {
    size_t d, n;
    const double *a, *b; /* (n, d); the same: the lower triangle only */
    double *sum;         /* (d, d) */
};

/* Rows first … last−1 of the sum. */
static void add_product(void *context, size_t member, size_t first, size_t last)
{
    const struct product *p = context;
    size_t d = p->d;

    (void)member;
    for (size_t row = first, end; row < last; row = end) {
        end = last - row < IG_GEMM_ROWS ? last : row + IG_GEMM_ROWS;
        ig_cross_add(p->n, p->a + row, d, end - row, p->b, d, p->a == p->b ? end : d,
                     p->sum + row * d, d);
    }
}

/* sum (d, d) = Σ a bᵀ over `count` rows a and b, which may be the same. */
static void multiply_rows(ig_fit *f, const uint32_t *a, const uint32_t *b, size_t count,
                          enum centring how, double *sum)
{
    size_t d = f->d;
    struct product p = {.d = d, .a = f->wide[0], .b = f->wide[a != b], .sum = sum};

    memset(sum, 0, d * d * sizeof *sum);
    for (size_t at = 0; at < count; at += CHUNK) {
        p.n = count - at < CHUNK ? count - at : CHUNK;
        widen_rows(f, a + at, p.n, how, f->wide[0]);
        if (a != b)
            widen_rows(f, b + at, p.n, how, f->wide[1]);
        ig_parallel_for(f->data->pool, d, IG_GEMM_ROWS, add_product, &p);
    }
    for (size_t i = 0; i < d && a == b; i++)
        for (size_t j = 0; j < i; j++)
            sum[j * d + i] = sum[i * d + j];
}

static double *make_covariance(ig_fit *f, enum centring how)
{
    double *c = alloc_matrix(f, f->d, f->d);

    if (!proceed(f))
        return NULL;
    multiply_rows(f, f->row, f->row, f->n, how, c);
    for (size_t i = 0; i < f->d * f->d; i++)
        c[i] /= (double)f->n;
    return c;
}

/* --- rows by language ------------------------------------------------------------- */

static size_t get_language(const void *lang, size_t i)
{
    return ((const uint16_t *)lang)[i];
}

/* Sort the rows of training pairs, or all rows without pairs, by language. For forms
 * with means at inference, a language without training rows counts all its rows. */
static void sort_rows(ig_fit *f, size_t *untrained)
{
    const ig_dataset *set = f->data->set;
    const ig_split *split = f->data->split;
    size_t n = set->rows, languages = f->languages;
    uint16_t *lang = ig_arena_array(&f->arena, n, sizeof *lang);
    bool *known = ig_arena_array(&f->arena, languages, sizeof *known);
    bool *mark = ig_arena_array(&f->arena, n, sizeof *mark);

    f->row = ig_arena_array(&f->arena, n, sizeof *f->row);
    f->first = ig_arena_array(&f->arena, languages + 2, sizeof *f->first);
    if (!proceed(f))
        return;
    for (size_t i = 0; i < split->train; i++)
        mark[f->data->pairs->left[split->train_pair[i]]] =
            mark[f->data->pairs->right[split->train_pair[i]]] = true;
    for (size_t i = 0; i < n; i++)
        known[set->lang[i]] |= mark[i] |= !split->train;
    for (size_t i = 0; i < n; i++)
        lang[i] = mark[i] || (f->form->means && !known[set->lang[i]]) ? set->lang[i]
                                                                      : UINT16_MAX;
    ig_array_order(n, languages, get_language, lang, f->first, f->row);
    f->n = f->first[languages];
    for (size_t k = 0; k < languages; k++) {
        *untrained += !known[k];
        f->trained += count_rows(f, k) > 0;
    }
    if (!f->n)
        f->status = ig_fail(f->error, IG_VALUE, "there are no rows to fit %s on",
                            f->form->name);
    else if (f->form->languages && f->trained < 2)
        f->status = ig_fail(f->error, IG_VALUE,
                            "%s distinguishes languages, but there is one language",
                            f->form->name);
}

static void make_means(ig_fit *f)
{
    size_t train = f->data->split->train;

    f->means = alloc_matrix(f, f->languages + 1, f->d);
    f->tile = ig_arena_array(&f->arena, CHUNK, f->d * sizeof *f->tile);
    f->wide[0] = alloc_matrix(f, CHUNK, f->d);
    f->wide[1] = alloc_matrix(f, CHUNK, f->d);
    f->side =
        ig_arena_array(&f->arena, f->form->pairs ? 2 * train : 0, sizeof *f->side);
    for (size_t k = f->languages + 1; k-- > 0 && proceed(f);) {
        size_t own = k < f->languages ? count_rows(f, k) : f->n;

        if (own)
            average_rows(f, f->row + (k < f->languages ? f->first[k] : 0), own,
                         f->means + k * f->d);
        else
            memcpy(f->means + k * f->d, get_mean(f, f->languages),
                   f->d * sizeof *f->means);
    }
}

/* Covariance of the centred one-hot language with the rows: n_l/n (μ_l − μ), one row
 * per language. */
static double *make_language_covariance(ig_fit *f)
{
    double *z = alloc_matrix(f, f->languages, f->d);

    for (size_t i = 0; z && i < f->languages * f->d; i++)
        z[i] = (double)count_rows(f, i / f->d) / (double)f->n *
               (f->means[i] - get_mean(f, f->languages)[i % f->d]);
    return z;
}

/* Training pairs of a language with the pivot; returns their number.
 *   f->side  out  rows of the language, then of the pivot */
static size_t find_pairs(ig_fit *f, size_t language)
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
        f->side[n] = swap ? r : l;
        f->side[split->train + n++] = swap ? l : r;
    }
    f->paired += n;
    return n;
}

/* --- solutions -------------------------------------------------------------------- */

/* Store W of a language, or the only one, and b = shift − W centre. */
static void store(ig_fit *f, size_t language, const double *w, const double *centre,
                  const double *shift)
{
    size_t d = f->d;
    float *weight = get_parameter(f, "meaning.weight");
    float *bias = get_parameter(f, "meaning.bias");

    weight += f->form->weight == IG_EACH_BLOCK ? language * d * d : 0;
    bias += f->form->bias == IG_EACH_BLOCK ? language * d : 0;
    for (size_t i = 0; i < d; i++) {
        double sum = shift ? shift[i] : 0;

        for (size_t j = 0; j < d; j++) {
            sum -= centre ? w[i * d + j] * centre[j] : 0;
            weight[i * d + j] = (float)w[i * d + j];
        }
        bias[i] = (float)sum;
    }
}

/* W = I − Σ_i u_i v_iᵀ over r rows, and b = shift − W centre. */
static void store_erasure(ig_fit *f, size_t r, const double *u, const double *v,
                          const double *centre, const double *shift)
{
    size_t d = f->d;
    double *w = alloc_matrix(f, d, d);

    if (!proceed(f))
        return;
    if (r)
        ig_gemm_double(f->data->pool, true, false, d, d, r, u, v, w);
    for (size_t i = 0; i < d * d; i++)
        w[i] = (i % (d + 1) == 0) - w[i];
    store(f, 0, w, centre, shift);
}

static void check_k(ig_fit *f, size_t k, size_t max)
{
    if (k > max)
        f->status = ig_fail(f->error, IG_VALUE,
                            "%s k=%zu: there are %zu %s at most (%zu dimensions, %zu "
                            "languages)",
                            f->form->name, k, max, f->form->k, f->d, f->languages);
}

/* First k eigenvectors of c (d, d); all eigenvalues in `values` (d). */
static double *find_eigenvectors(ig_fit *f, const double *c, size_t k, double **values)
{
    double *v = alloc_matrix(f, k, f->d);

    *values = alloc_matrix(f, 1, f->d);
    if (proceed(f))
        f->status = ig_eigen_symmetric(c, f->d, k, *values, v, f->error);
    return v;
}

/* Orthonormal rows v (min(n, d), d) whose first *r span the rows of a (n, d): its right
 * singular vectors, at most *r, those of the largest singular values. */
static double *find_span(ig_fit *f, const double *a, size_t n, size_t *r)
{
    size_t d = f->d, p = n < d ? n : d, rank = 0;
    double *u = alloc_matrix(f, n, p), *sigma = alloc_matrix(f, 1, p);
    double *v = alloc_matrix(f, p, d);

    if (proceed(f))
        f->status = ig_svd(a, n, d, u, sigma, v, f->error);
    while (f->status == IG_OK && rank < p && sigma[rank] > RANK_TOLERANCE * sigma[0])
        rank++;
    *r = rank < *r ? rank : *r;
    return v;
}

/* m = e − μ_l. */
static void fit_centre(ig_fit *f)
{
    float *out = get_parameter(f, "language.bias");

    for (size_t i = 0; i < f->languages * f->d; i++)
        out[i] = (float)f->means[i];
}

/* m = (C + εI)^(−½) (e − μ_l), C the covariance about the language means, ε one
 * hundredth of its mean eigenvalue. [whiten] */
static void fit_whiten(ig_fit *f)
{
    size_t d = f->d;
    double *c = make_covariance(f, OWN_CENTRED), *v, *values, ridge = 0;

    v = find_eigenvectors(f, c, d, &values);
    if (f->status != IG_OK)
        return;
    for (size_t i = 0; i < d; i++)
        ridge += 0.01 * c[i * d + i] / (double)d;
    if (!(ridge > 0)) {
        f->status = ig_fail(f->error, IG_VALUE,
                            "the rows of each language are all the same: there is "
                            "nothing to whiten");
        return;
    }
    for (size_t i = 0; i < d * d; i++)
        v[i] /= sqrt(sqrt(fmax(values[i / d], 0) + ridge));
    ig_gemm_double(f->data->pool, true, false, d, d, d, v, v, c);
    for (size_t k = 0; k <= f->languages; k++)
        store(f, k, c, get_mean(f, k), NULL);
}

/* m = e − μ minus its projection on the first k eigenvectors of the covariance.
 * [abtt] */
static void fit_abtt(ig_fit *f)
{
    size_t d = f->d, k = f->data->k ? f->data->k : d < 200 ? 1 : d / 100;
    double *c, *v, *values;

    check_k(f, k, d);
    c = make_covariance(f, CENTRED);
    v = find_eigenvectors(f, c, k, &values);
    store_erasure(f, k, v, v, get_mean(f, f->languages), NULL);
}

/* m = e − μ minus its projection on k random directions: what erases as much as other
 * forms, but nothing of the languages. */
static void fit_random(ig_fit *f)
{
    size_t k = f->data->k ? f->data->k : 1;
    double *a = alloc_matrix(f, k, f->d), *v;
    ig_random random;

    check_k(f, k, f->d);
    if (!proceed(f))
        return;
    ig_random_init(&random, f->data->seed, STREAM);
    for (size_t i = 0; i < k * f->d; i++)
        a[i] = ig_random_normal(&random);
    v = find_span(f, a, k, &k);
    store_erasure(f, k, v, v, get_mean(f, f->languages), NULL);
}

/* m = e minus its projection on the language space, the first r directions of the
 * differences of the means. The paper takes them from a common point with equal inner
 * products with all rank-r means: it differs from their mean by a vector of that space
 * alone, so the space is the same. [lsar alg.1] */
static void fit_lsar(ig_fit *f)
{
    size_t d = f->d, n = f->trained, k = 0;
    size_t max = n - 1 < d ? n - 1 : d, r = f->data->k ? f->data->k : max;
    double *a = alloc_matrix(f, n, d), *mean = alloc_matrix(f, 1, d), *v;

    check_k(f, r, max);
    if (!proceed(f))
        return;
    for (size_t l = 0; l < f->languages; l++)
        if (count_rows(f, l))
            memcpy(a + k++ * d, get_mean(f, l), d * sizeof *a);
    for (size_t i = 0; i < n * d; i++)
        mean[i % d] += a[i] / (double)n;
    for (size_t i = 0; i < n * d; i++)
        a[i] -= mean[i % d];
    v = find_span(f, a, n, &r);
    store_erasure(f, r, v, v, NULL, NULL);
}

/* m = e − S^½ P S^(−½) (e − μ), P the projector onto the columns of S^(−½) Σ_xz. In the
 * basis of the eigenvectors of S: with y_j the orthonormal rows that span Σ_zx S^(−½),
 * the removed part is Σ_j (S^½ y_j)(S^(−½) y_j)ᵀ. [leace] */
static void fit_leace(ig_fit *f)
{
    size_t d = f->d, n = f->languages, p = n < d ? n : d, r = f->trained - 1;
    const double *mean = get_mean(f, n);
    double *s = make_covariance(f, CENTRED), *values;
    double *v = find_eigenvectors(f, s, d, &values), *z = make_language_covariance(f);
    double *g = alloc_matrix(f, n, d), *up = alloc_matrix(f, p, d),
           *down = alloc_matrix(f, p, d), *y, least;

    if (!proceed(f))
        return;
    least = RANK_TOLERANCE * values[0];
    for (size_t i = 0; i < d; i++) /* roots */
        values[i] = values[i] > least ? sqrt(values[i]) : 0;
    ig_gemm_double(f->data->pool, false, true, n, d, d, z, v, g);
    for (size_t i = 0; i < n * d; i++)
        g[i] = values[i % d] > 0 ? g[i] / values[i % d] : 0;
    y = find_span(f, g, n, &r);
    if (f->status != IG_OK)
        return;
    for (size_t i = 0; i < r * d; i++) {
        z[i] = y[i] * values[i % d];
        y[i] = values[i % d] > 0 ? y[i] / values[i % d] : 0;
    }
    if (r) {
        ig_gemm_double(f->data->pool, false, false, r, d, d, z, v, up);
        ig_gemm_double(f->data->pool, false, false, r, d, d, y, v, down);
    }
    store_erasure(f, r, up, down, mean, mean);
}

/* m = B (e − μ), B the projection that removes the columns of k ridge classifiers of
 * the language, as of the probe: each is fitted to what those before leave. [inlp] */
static void fit_inlp(ig_fit *f)
{
    size_t d = f->d, n = f->languages, rounds = f->data->k ? f->data->k : 4, r = 0;
    double *s = make_covariance(f, CENTRED), *z = make_language_covariance(f);
    double *b = alloc_matrix(f, d, d), *w = alloc_matrix(f, rounds * n, d);
    double *left = alloc_matrix(f, d, d), *c = alloc_matrix(f, d, d), *q = NULL;
    ig_pool *pool = f->data->pool;

    if (rounds * (f->trained - 1) >= d)
        f->status = ig_fail(f->error, IG_VALUE,
                            "inlp: %zu rounds of %zu directions leave nothing of %zu "
                            "dimensions",
                            rounds, f->trained - 1, d);
    for (size_t round = 0; round < rounds && proceed(f); round++) {
        if (r)
            ig_gemm_double(pool, true, false, d, d, r, q, q, b);
        for (size_t i = 0; i < d * d; i++)
            b[i] = (i % (d + 1) == 0) - b[i];
        ig_gemm_double(pool, false, false, d, d, d, b, s, left);
        ig_gemm_double(pool, false, false, d, d, d, left, b, c);
        ig_gemm_double(pool, false, false, n, d, d, z, b, w + round * n * d);
        f->status = ig_ridge(c, d, 1, 1e-3, w + round * n * d, n, f->error);
        r = (round + 1) * (f->trained - 1);
        q = find_span(f, w, (round + 1) * n, &r);
    }
    store_erasure(f, r, q, q, get_mean(f, n), NULL);
}

/* --- forms of each language ------------------------------------------------------- */

/* m = e minus its projection on the first k eigenvectors of the uncentred X_lᵀ X_l; of
 * a language without rows that of all rows. [lir] */
static void fit_lir(ig_fit *f)
{
    size_t d = f->d, k = f->x->rank;
    float *basis = get_parameter(f, "language.basis");
    double *c = alloc_matrix(f, d, d), *v = alloc_matrix(f, k, d);
    double *values = alloc_matrix(f, 1, d);

    check_k(f, k, d);
    for (size_t l = f->languages + 1; l-- > 0 && proceed(f);) {
        const uint32_t *row = f->row + (l < f->languages ? f->first[l] : 0);
        size_t own = l < f->languages ? count_rows(f, l) : f->n;

        if (!own) {
            memcpy(basis + l * k * d, basis + f->languages * k * d,
                   k * d * sizeof *basis);
            continue;
        }
        multiply_rows(f, row, row, own, RAW, c);
        f->status = ig_eigen_symmetric(c, d, k, values, v, f->error);
        for (size_t i = 0; i < k * d; i++)
            basis[l * k * d + i] = (float)v[i];
    }
}

/* m = (e − μ_l) Q_l, Q_l = U Vᵀ of Σ a bᵀ = U Σ Vᵀ: the rotation of the language's rows
 * (centred, unit norm) onto the paired pivot rows. Q_l = I for the pivot and for
 * languages without pairs with it: a small multiple of the identity is added, which
 * determines directions without data. [procrustes] */
static void fit_procrustes(ig_fit *f)
{
    static const double STAY = 1e-12;
    size_t d = f->d;
    double *c = alloc_matrix(f, d, d), *u = alloc_matrix(f, d, d);
    double *vt = alloc_matrix(f, d, d), *sigma = alloc_matrix(f, 1, d);

    for (size_t l = 0; l <= f->languages && proceed(f); l++) {
        size_t n = find_pairs(f, l);
        double largest = 0;

        multiply_rows(f, f->side, f->side + f->data->split->train, n, OWN_CENTRED_UNIT,
                      c);
        for (size_t i = 0; i < d * d; i++)
            largest = fmax(largest, fabs(c[i]));
        for (size_t i = 0; i < d; i++)
            c[i * d + i] += largest > 0 ? STAY * largest : 1;
        f->status = ig_svd(c, d, d, u, sigma, vt, f->error);
        ig_gemm_double(f->data->pool, true, true, d, d, d, vt, u, c);
        store(f, l, c, get_mean(f, l), NULL);
    }
}

/* Sort rows and drop repeated ones; returns the number left. */
static size_t keep_distinct(uint32_t *row, size_t n)
{
    size_t kept = 0;

    ig_array_sort32(row, n);
    for (size_t i = 0; i < n; i++)
        if (!kept || row[i] != row[kept - 1])
            row[kept++] = row[i];
    return kept;
}

/* m = e − δ_l, δ_l the mean of the language's rows that are paired with the pivot less
 * that of the pivot's rows that these are paired with; 0 for the pivot. */
static void fit_shift(ig_fit *f)
{
    float *out = get_parameter(f, "language.bias");
    double *own = alloc_matrix(f, 1, f->d), *pivot = alloc_matrix(f, 1, f->d);

    for (size_t l = 0; l < f->languages && proceed(f); l++) {
        size_t n = find_pairs(f, l);
        uint32_t *other = f->side + f->data->split->train;

        average_rows(f, f->side, keep_distinct(f->side, n), own);
        average_rows(f, other, keep_distinct(other, n), pivot);
        for (size_t j = 0; j < f->d; j++)
            out[l * f->d + j] = (float)(own[j] - pivot[j]);
    }
}

/* --- the table of kinds ----------------------------------------------------------- */

static const ig_form forms[IG_EXTRACTORS] = {
    [IG_IDENTITY] = {.name = "identity"},
    [IG_CENTRE] = {"centre", .means = true,
                   .unknown = "their means are taken over the rows at hand",
                   .fit = fit_centre},
    [IG_SHIFT] = {"shift", .means = true, .languages = true, .pairs = true,
                  .unknown = "they are not shifted", .fit = fit_shift},
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
    [IG_RANDOM] = {"random", .weight = IG_ONE_BLOCK, .bias = IG_ONE_BLOCK,
                   .k = "directions to remove", .fit = fit_random},
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
    if (f.status == IG_OK)
        make_means(&f);
    if (f.status == IG_OK)
        f.form->fit(&f);
    if (f.status == IG_OK && f.form->pairs && !f.paired)
        f.status = ig_fail(error, IG_VALUE,
                           "%s needs pairs of parallel rows with the pivot language",
                           f.form->name);
    ig_arena_free(&f.arena);
    return f.status;
}
