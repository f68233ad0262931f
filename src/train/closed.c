/* Closed-form extractors: solutions from means and products of the rows in double.
 * Legend: n rows to fit to, d dims, K languages; language K: all rows. */
#include "train/trainer.h"

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
    ig_trainer *t;
    const ig_form *form;
    ig_between *between; /* or NULL */
    void *context;       /* its */
    size_t d, languages;
    size_t trained; /* languages with rows */
    size_t n;
    uint32_t *row;     /* (n) by language */
    uint32_t *first;   /* (K + 2) start of each language in `row`; of all rows: 0 */
    size_t *count;     /* (K + 1) its rows */
    double *means;     /* (K + 1, d); of a language without rows: of all rows */
    double *mean;      /* (d) of all rows */
    float *tile;       /* (CHUNK, d) */
    double *wide[2];   /* (CHUNK, d) */
    double *part;      /* (d, d) */
    double *c, *v;     /* (d, d) of find_eigenvectors */
    double *values;    /* (d) */
    uint32_t *side[2]; /* (training pairs) as of find_pairs */
    size_t paired;     /* … pairs of all languages */
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
    if (f->status == IG_OK && f->between && f->between(f->context))
        f->status = ig_fail(f->error, IG_INTERRUPTED, "the fit was cancelled");
    return f->status == IG_OK;
}

static float *get_parameter(const ig_fit *f, const char *name)
{
    return f->t->now.weights + ig_extractor_find(&f->t->now, name)->offset;
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

    ig_dataset_rows(f->t->set, row, 0, count, f->tile, d);
    if (f->t->options.normalize)
        ig_rows_unit(f->tile, d, count, d);
    for (size_t i = 0; i < count; i++, out += d) {
        const float *in = f->tile + i * d;
        const double *mean = how == CENTRED ? f->mean
                                            : f->means + f->t->set->lang[row[i]] * d;
        double square = 0;

        for (size_t j = 0; j < d; j++) {
            out[j] = in[j] - (how == RAW ? 0 : mean[j]);
            square += out[j] * out[j];
        }
        for (size_t j = 0; j < d && how == OWN_CENTRED_UNIT && square > 0; j++)
            out[j] /= sqrt(square);
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

/* sum (d, d) = Σ a bᵀ over `count` rows a and b, which may be the same. */
static void multiply_rows(ig_fit *f, const uint32_t *a, const uint32_t *b, size_t count,
                          enum centring how, double *sum)
{
    size_t d = f->d;

    memset(sum, 0, d * d * sizeof *sum);
    for (size_t at = 0, n; at < count; at += n) {
        n = count - at < CHUNK ? count - at : CHUNK;
        widen_rows(f, a + at, n, how, f->wide[0]);
        if (a != b)
            widen_rows(f, b + at, n, how, f->wide[1]);
        ig_gemm_double(f->t->pool, true, false, d, d, n, f->wide[0], f->wide[a != b],
                       f->part);
        for (size_t i = 0; i < d * d; i++)
            sum[i] += f->part[i];
    }
}

/* --- rows by language ------------------------------------------------------------- */

static size_t get_language(const void *lang, size_t i)
{
    return ((const uint16_t *)lang)[i];
}

/* Sort the rows of training pairs, or all rows without pairs, by language. */
static void sort_rows(ig_fit *f)
{
    const ig_dataset *set = f->t->set;
    const ig_split *split = f->t->split;
    size_t n = set->rows, languages = f->languages;
    uint16_t *lang = ig_arena_array(&f->arena, n, sizeof *lang);

    f->row = ig_arena_array(&f->arena, n, sizeof *f->row);
    f->first = ig_arena_array(&f->arena, languages + 2, sizeof *f->first);
    f->count = ig_arena_array(&f->arena, languages + 1, sizeof *f->count);
    if (!proceed(f))
        return;
    memset(lang, 0xff, n * sizeof *lang);
    for (size_t i = 0; i < split->train; i++) {
        uint32_t l = f->t->pairs->left[split->pair[IG_SPLIT_TRAIN][i]];
        uint32_t r = f->t->pairs->right[split->pair[IG_SPLIT_TRAIN][i]];

        lang[l] = set->lang[l];
        lang[r] = set->lang[r];
    }
    if (!split->train)
        memcpy(lang, set->lang, n * sizeof *lang);
    ig_array_order(n, languages, get_language, lang, f->first, f->row);
    f->n = f->count[languages] = f->first[languages];
    for (size_t k = 0; k < languages; k++) {
        f->count[k] = f->first[k + 1] - f->first[k];
        f->trained += f->count[k] > 0;
    }
    f->t->untrained = languages - f->trained;
    f->first[languages] = 0;
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
    size_t d = f->d, square = f->form->means ? 0 : d;
    size_t pairs = f->form->pairs ? f->t->split->train : 0;

    f->means = alloc_matrix(f, f->languages + 1, d);
    f->mean = f->means + f->languages * d;
    f->tile = ig_arena_array(&f->arena, CHUNK, d * sizeof *f->tile);
    f->part = alloc_matrix(f, square, d);
    f->c = alloc_matrix(f, square, d);
    f->v = alloc_matrix(f, square, d);
    f->values = alloc_matrix(f, 1, d);
    for (size_t s = 0; s < 2; s++) {
        f->wide[s] = alloc_matrix(f, CHUNK, d);
        f->side[s] = ig_arena_array(&f->arena, pairs, sizeof **f->side);
    }
    for (size_t k = f->languages + 1; k-- > 0 && proceed(f);)
        if (f->count[k])
            average_rows(f, f->row + f->first[k], f->count[k], f->means + k * d);
        else
            memcpy(f->means + k * d, f->mean, d * sizeof(double));
}

/* Covariance of the centred one-hot language with rows: n_l/n (μ_l − μ), (K) rows. */
static double *make_language_covariance(ig_fit *f)
{
    double *z = alloc_matrix(f, f->languages, f->d);

    for (size_t i = 0; z && i < f->languages * f->d; i++)
        z[i] = (double)f->count[i / f->d] / (double)f->n *
               (f->means[i] - f->mean[i % f->d]);
    return z;
}

/* Training pairs of a language with the pivot; returns their number.
 *   f->side  out  rows of the language, and of the pivot */
static size_t find_pairs(ig_fit *f, size_t language)
{
    const ig_split *split = f->t->split;
    const uint16_t *lang = f->t->set->lang;
    size_t pivot = ig_pairs_pivot(f->t->set), n = 0;

    for (size_t i = 0; i < split->train && language != pivot; i++) {
        uint32_t l = f->t->pairs->left[split->pair[IG_SPLIT_TRAIN][i]];
        uint32_t r = f->t->pairs->right[split->pair[IG_SPLIT_TRAIN][i]];
        bool swap = lang[r] == language;

        f->side[0][n] = swap ? r : l;
        f->side[1][n] = swap ? l : r;
        n += lang[f->side[0][n]] == language && lang[f->side[1][n]] == pivot;
    }
    f->paired += n;
    return n;
}

/* --- solutions -------------------------------------------------------------------- */

/* The form's k, at most `max`. */
static size_t choose_k(ig_fit *f, size_t usual, size_t max)
{
    size_t k = f->t->objective->k ? f->t->objective->k : usual;

    if (k > max)
        f->status = ig_fail(f->error, IG_VALUE,
                            "%s k=%zu: there are %zu %s at most (%zu dimensions, %zu "
                            "languages)",
                            f->form->name, k, max, f->form->k, f->d, f->languages);
    return k;
}

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

/* W = I − Σ_i u_i v_iᵀ over r rows. */
static void make_erasure(ig_fit *f, size_t r, const double *u, const double *v,
                         double *w)
{
    size_t d = f->d;

    memset(w, 0, d * d * sizeof *w);
    if (r)
        ig_gemm_double(f->t->pool, true, false, d, d, r, u, v, w);
    for (size_t i = 0; i < d * d; i++)
        w[i] = (i % (d + 1) == 0) - w[i];
}

/* The same as the form's only W, and b = shift − W centre. */
static void store_erasure(ig_fit *f, size_t r, const double *u, const double *v,
                          const double *centre, const double *shift)
{
    if (!proceed(f))
        return;
    make_erasure(f, r, u, v, f->part);
    store(f, 0, f->part, centre, shift);
}

/* c = X_lᵀ X_l / n over the rows of a language (K: all), and its first k eigenvectors v
 * and all eigenvalues; k = 0: c alone. Returns whether to proceed. */
static bool find_eigenvectors(ig_fit *f, size_t language, enum centring how, size_t k)
{
    const uint32_t *row = f->row + f->first[language];
    size_t d = f->d;

    if (!proceed(f))
        return false;
    multiply_rows(f, row, row, f->count[language], how, f->c);
    for (size_t i = 0; i < d * d; i++)
        f->c[i] /= (double)f->count[language];
    if (k)
        f->status = ig_eigen_symmetric(f->c, d, k, f->values, f->v, f->error);
    return f->status == IG_OK;
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
    double ridge = 0;

    if (!find_eigenvectors(f, f->languages, OWN_CENTRED, d))
        return;
    for (size_t i = 0; i < d; i++)
        ridge += 0.01 * f->c[i * d + i] / (double)d;
    for (size_t i = 0; i < d * d; i++)
        f->v[i] /= sqrt(sqrt(fmax(f->values[i / d], 0) + ridge));
    ig_gemm_double(f->t->pool, true, false, d, d, d, f->v, f->v, f->c);
    for (size_t k = 0; k <= f->languages; k++)
        store(f, k, f->c, f->means + k * d, NULL);
    if (!(ridge > 0))
        f->status = ig_fail(f->error, IG_VALUE,
                            "the rows of each language are all the same: there is "
                            "nothing to whiten");
}

/* m = e − μ less its projection on the first k eigenvectors of covariance. [abtt] */
static void fit_abtt(ig_fit *f)
{
    size_t k = choose_k(f, f->d < 200 ? 1 : f->d / 100, f->d);

    if (find_eigenvectors(f, f->languages, CENTRED, k))
        store_erasure(f, k, f->v, f->v, f->mean, NULL);
}

/* m = e − μ minus its projection on k random directions: what erases as much as other
 * forms, but nothing of the languages. */
static void fit_random(ig_fit *f)
{
    size_t k = choose_k(f, 1, f->d);
    double *a = alloc_matrix(f, k, f->d), *v;
    ig_random random;

    if (!proceed(f))
        return;
    ig_random_init(&random, f->t->options.seed, STREAM);
    for (size_t i = 0; i < k * f->d; i++)
        a[i] = ig_random_normal(&random);
    v = find_span(f, a, k, &k);
    store_erasure(f, k, v, v, f->mean, NULL);
}

/* m = e minus its projection on the language space, the first r directions of the
 * differences of the means. The paper takes them from a common point with equal inner
 * products with all rank-r means: it differs from their mean by a vector of that space
 * alone, so the space is the same. [lsar alg.1] */
static void fit_lsar(ig_fit *f)
{
    size_t d = f->d, n = f->trained, k = 0;
    size_t max = n - 1 < d ? n - 1 : d, r = choose_k(f, max, max);
    double *a = alloc_matrix(f, n, d), *mean = alloc_matrix(f, 1, d), *v;

    if (!proceed(f))
        return;
    for (size_t l = 0; l < f->languages; l++)
        if (f->count[l])
            memcpy(a + k++ * d, f->means + l * d, d * sizeof *a);
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
    double *root = f->values, *z = make_language_covariance(f), *y, least;
    double *g = alloc_matrix(f, n, d), *up = alloc_matrix(f, p, d);
    double *down = alloc_matrix(f, p, d);

    if (!find_eigenvectors(f, n, CENTRED, d))
        return;
    least = RANK_TOLERANCE * root[0];
    for (size_t i = 0; i < d; i++)
        root[i] = root[i] > least ? sqrt(root[i]) : 0;
    ig_gemm_double(f->t->pool, false, true, n, d, d, z, f->v, g);
    for (size_t i = 0; i < n * d; i++)
        g[i] = root[i % d] > 0 ? g[i] / root[i % d] : 0;
    y = find_span(f, g, n, &r);
    if (f->status != IG_OK)
        return;
    for (size_t i = 0; i < r * d; i++) {
        z[i] = y[i] * root[i % d];
        y[i] = root[i % d] > 0 ? y[i] / root[i % d] : 0;
    }
    ig_gemm_double(f->t->pool, false, false, r, d, d, z, f->v, up);
    ig_gemm_double(f->t->pool, false, false, r, d, d, y, f->v, down);
    store_erasure(f, r, up, down, f->mean, f->mean);
}

/* m = B (e − μ), B the projection that removes the columns of k ridge classifiers of
 * the language, as of the probe: each is fitted to what those before leave. [inlp] */
static void fit_inlp(ig_fit *f)
{
    size_t d = f->d, n = f->languages, each = f->trained - 1, r = 0;
    size_t rounds = choose_k(f, 4, (d - 1) / each);
    double *z = make_language_covariance(f), *w = alloc_matrix(f, rounds * n, d);
    double *b = alloc_matrix(f, d, d), *c = alloc_matrix(f, d, d), *q = NULL;
    ig_pool *pool = f->t->pool;

    find_eigenvectors(f, n, CENTRED, 0);
    for (size_t round = 0; round < rounds && proceed(f); round++) {
        make_erasure(f, r, q, q, b);
        ig_gemm_double(pool, false, false, d, d, d, b, f->c, f->part);
        ig_gemm_double(pool, false, false, d, d, d, f->part, b, c);
        ig_gemm_double(pool, false, false, n, d, d, z, b, w + round * n * d);
        f->status = ig_ridge(c, d, 1, 1e-3, w + round * n * d, n, f->error);
        r = (round + 1) * each;
        q = find_span(f, w, (round + 1) * n, &r);
    }
    store_erasure(f, r, q, q, f->mean, NULL);
}

/* --- forms of each language ------------------------------------------------------- */

/* m = e minus its projection on the first k eigenvectors of the uncentred X_lᵀ X_l; of
 * a language without rows that of all rows. [lir] */
static void fit_lir(ig_fit *f)
{
    size_t each = f->d * choose_k(f, 1, f->d);
    float *all = get_parameter(f, "language.basis") + f->languages * each;

    for (size_t l = f->languages + 1; l-- > 0 && proceed(f);) {
        float *out = all - (f->languages - l) * each;

        if (!f->count[l])
            memcpy(out, all, each * sizeof *out);
        else if (find_eigenvectors(f, l, RAW, each / f->d))
            for (size_t i = 0; i < each; i++)
                out[i] = (float)f->v[i];
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
    double *c = f->c, *u = alloc_matrix(f, d, d);

    for (size_t l = 0; l <= f->languages && proceed(f); l++) {
        size_t n = find_pairs(f, l);
        double largest = 0;

        if (n && (!f->t->fewest || n < f->t->fewest))
            f->t->fewest = n;
        multiply_rows(f, f->side[0], f->side[1], n, OWN_CENTRED_UNIT, c);
        for (size_t i = 0; i < d * d; i++)
            largest = fmax(largest, fabs(c[i]));
        for (size_t i = 0; i < d; i++)
            c[i * d + i] += largest > 0 ? STAY * largest : 1;
        f->status = ig_svd(c, d, d, u, f->values, f->v, f->error);
        ig_gemm_double(f->t->pool, true, true, d, d, d, f->v, u, c);
        store(f, l, c, f->means + l * d, NULL);
    }
}

/* m = e − δ_l, δ_l the mean of the language's rows that are paired with the pivot less
 * that of their partners in the pivot, each row once; 0 for the pivot. */
static void fit_shift(ig_fit *f)
{
    float *out = get_parameter(f, "language.bias");
    double *mean = alloc_matrix(f, 2, f->d);

    for (size_t l = 0; l < f->languages && proceed(f); l++) {
        size_t n = find_pairs(f, l);

        for (size_t s = 0; s < 2; s++) {
            uint32_t *row = f->side[s];
            size_t kept = 0;

            ig_array_sort32(row, n);
            for (size_t i = 0; i < n; i++)
                if (!kept || row[i] != row[kept - 1])
                    row[kept++] = row[i];
            average_rows(f, row, kept, mean + s * f->d);
        }
        for (size_t j = 0; j < f->d; j++)
            out[l * f->d + j] = (float)(mean[j] - mean[f->d + j]);
    }
}

/* --- the table of kinds ----------------------------------------------------------- */

static const ig_form forms[IG_EXTRACTORS] = {
    [IG_IDENTITY] = {.name = "identity"},
    [IG_CENTRE] = {"centre", .means = true,
                   .unknown = "the mean of the other rows stands in for theirs",
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
    [IG_RESIDUAL] = {"residual", .weight = IG_ONE_BLOCK, .bias = IG_ONE_BLOCK,
                     .pairs = true},
    [IG_TWIN] = {"twin", .pairs = true},
    [IG_HEAD] = {"head", .pairs = true},
};

const ig_form *ig_form_of(ig_extractor_kind kind)
{
    return &forms[kind];
}

ig_status ig_closed_fit(ig_trainer *t, ig_between *between, void *context,
                        ig_error *error)
{
    ig_fit f = {.t = t,
                .form = ig_form_of(t->now.kind),
                .between = between,
                .context = context,
                .d = t->now.dims,
                .languages = t->set->languages,
                .error = error};

    if (!f.form->fit)
        return IG_OK;
    sort_rows(&f);
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
