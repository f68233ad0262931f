/* The closed forms. Passes over the rows form means and products, all else follows from
 * those: nothing here knows of training. */
#include "learn/closed.h"

#include <math.h>
#include <string.h>

#include "linear/blas.h"

enum { CHUNK = 1024, PART = 64 };

/* What counts as zero beside the largest singular value or eigenvalue. */
static const double NOTHING = 1e-10;

/* A fit under way. Blocks of it come from the arena. */
typedef struct ig_fit {
    ig_extractor *x;
    const ig_fit_data *data;
    size_t d, languages;
    size_t n;      /* training rows */
    uint32_t *row; /* (n) in the order of their languages */
    size_t *first; /* (K + 1) where each language begins in `row` */
    double *means; /* (K, d); μ for a language without training rows */
    double *mean;  /* (d) */
    ig_arena arena;
    ig_error *error;
} ig_fit;

static double *room(ig_fit *f, size_t rows, size_t cols)
{
    double *block = cols == 0 || rows <= SIZE_MAX / 16 / cols
                        ? ig_arena_alloc(&f->arena, (rows * cols + 1) * sizeof(double))
                        : NULL;

    if (!block)
        ig_fail_memory(f->error, ig_extractor_name(f->x->kind));
    return block;
}

static size_t rows_of(const ig_fit *f, size_t language)
{
    return f->first[language + 1] - f->first[language];
}

/* The block of the weights with that name. */
static float *block_of(const ig_fit *f, const char *name)
{
    for (size_t i = 0; i < f->x->parameters; i++)
        if (strcmp(f->x->parameter[i].name, name) == 0)
            return f->x->weights + f->x->parameter[i].offset;
    return NULL;
}

static void store(const double *from, size_t n, float *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (float)from[i];
}

static ig_status go_on(const ig_fit *f)
{
    if (f->data->between && f->data->between(f->data->context))
        return ig_fail(f->error, IG_INTERRUPTED, "the fit was broken off");
    return IG_OK;
}

/* --- passes over rows ------------------------------------------------------------- */

/* Rows in double, a chunk at a time; what is summed of a chunk is handed out by its
 * columns. */
struct pass {
    const ig_fit *f;
    const uint32_t *left, *right; /* (count) rows; right NULL: left again */
    size_t count;
    enum { AS_IT_IS, LESS_MEAN, LESS_LANGUAGE, UNIT_LESS_LANGUAGE } how;
    ig_piece *add;
    size_t at, n;    /* the chunk under way */
    double *sum;     /* (d, d), or (K, d) for the means */
    double *wide[2]; /* (CHUNK, d) */
    float *tile;     /* (members, each) */
    size_t each;
};

static void widen(const struct pass *p, const uint32_t *row, size_t n, float *tile,
                  double *out)
{
    const ig_fit *f = p->f;
    size_t d = f->d;

    ig_rows_gather(f->data->rows, row, n, tile, d, tile + PART * d);
    if (f->data->normalize)
        ig_rows_unit(tile, d, tile, d, n, d);
    for (size_t i = 0; i < n; i++, tile += d, out += d) {
        const double *less = p->how == AS_IT_IS ? NULL
                             : p->how == LESS_MEAN
                                 ? f->mean
                                 : f->means + f->data->lang[row[i]] * d;
        double square = 0;

        for (size_t j = 0; j < d; j++) {
            out[j] = tile[j] - (less ? less[j] : 0);
            square += out[j] * out[j];
        }
        if (p->how != UNIT_LESS_LANGUAGE || !(square > 0))
            continue;
        square = 1 / sqrt(square);
        for (size_t j = 0; j < d; j++)
            out[j] *= square;
    }
}

static void widen_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *p = context;
    float *tile = p->tile + member * p->each;

    for (size_t i = first; i < last; i += PART) {
        size_t part = last - i < PART ? last - i : PART;

        widen(p, p->left + p->at + i, part, tile, p->wide[0] + i * p->f->d);
        if (p->right)
            widen(p, p->right + p->at + i, part, tile, p->wide[1] + i * p->f->d);
    }
}

static void run_pass(struct pass *p)
{
    for (p->at = 0; p->at < p->count; p->at += CHUNK) {
        p->n = p->count - p->at < CHUNK ? p->count - p->at : CHUNK;
        ig_pool_hand_out(p->f->data->pool, p->n, 16, widen_rows, p);
        ig_pool_hand_out(p->f->data->pool, p->f->d, IG_GEMM_ROWS, p->add, p);
    }
}

/* Σ a bᵀ of the rows; below the diagonal alone where both are the same. */
static void add_product(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *p = context;
    const double *b = p->right ? p->wide[1] : p->wide[0];
    size_t d = p->f->d;

    (void)member;
    for (size_t row = first, end; row < last; row = end) {
        end = last - row < IG_GEMM_ROWS ? last : row + IG_GEMM_ROWS;
        ig_cross_add(p->n, p->wide[0] + row, d, end - row, b, d, p->right ? d : end,
                     p->sum + row * d, d);
    }
}

static void add_means(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *p = context;
    size_t d = p->f->d;

    (void)member;
    for (size_t i = 0; i < p->n; i++) {
        double *sum = p->sum + p->f->data->lang[p->left[p->at + i]] * d;

        for (size_t j = first; j < last; j++)
            sum[j] += p->wide[0][i * d + j];
    }
}

static ig_status make_pass(ig_fit *f, struct pass *p)
{
    size_t members = ig_pool_threads(f->data->pool);
    ig_status status = go_on(f);

    if (status != IG_OK)
        return status;
    p->f = f;
    p->each = (PART * f->d + f->data->rows->scratch + 15) / 16 * 16;
    p->tile = ig_alloc(members * p->each, sizeof *p->tile);
    p->wide[0] = ig_alloc(CHUNK * f->d, sizeof *p->wide[0]);
    p->wide[1] = ig_alloc(p->right ? CHUNK * f->d : 0, sizeof *p->wide[1]);
    if (p->tile && p->wide[0] && p->wide[1])
        run_pass(p);
    else
        status = ig_fail_memory(f->error, ig_extractor_name(f->x->kind));
    ig_free(p->tile);
    ig_free(p->wide[0]);
    ig_free(p->wide[1]);
    return status;
}

/* sum = Σ a aᵀ over rows (count, d), both triangles. */
static ig_status scatter_of(ig_fit *f, const uint32_t *row, size_t count, int how,
                            double *sum)
{
    struct pass p = {
        .left = row, .count = count, .how = how, .add = add_product, .sum = sum};
    size_t d = f->d;
    ig_status status;

    memset(sum, 0, d * d * sizeof *sum);
    status = make_pass(f, &p);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < i; j++)
            sum[j * d + i] = sum[i * d + j];
    return status;
}

/* The covariance of all training rows, about μ or each about its language's mean. */
static ig_status covariance_of(ig_fit *f, int how, double *c)
{
    ig_status status = scatter_of(f, f->row, f->n, how, c);

    for (size_t i = 0; i < f->d * f->d; i++)
        c[i] /= (double)f->n;
    return status;
}

static double trace_of(const double *c, size_t d)
{
    double sum = 0;

    for (size_t i = 0; i < d; i++)
        sum += c[i * d + i];
    return sum;
}

/* --- rows by language, means ------------------------------------------------------ */

/* A language without training rows has all its rows counted in where the form asks for
 * means over the rows at hand. */
static ig_status sort_rows(ig_fit *f, size_t *untrained)
{
    const ig_fit_data *data = f->data;
    size_t rows = data->rows->rows, *trained;
    bool hand = ig_form_of(f->x->kind)->means;

    f->row = ig_arena_alloc(&f->arena, (rows + 1) * sizeof *f->row);
    f->first = ig_arena_alloc(&f->arena, (f->languages + 2) * sizeof *f->first);
    trained = ig_arena_alloc(&f->arena, (f->languages + 1) * sizeof *trained);
    if (!f->row || !f->first || !trained)
        return ig_fail_memory(f->error, ig_extractor_name(f->x->kind));
    for (size_t i = 0; i < rows; i++)
        trained[data->lang[i]] += !data->train || data->train[i];
    *untrained = 0;
    for (size_t k = 0; k < f->languages; k++)
        *untrained += trained[k] == 0;
    for (size_t i = 0; i < rows; i++)
        f->first[data->lang[i] + 2] += !data->train || data->train[i] ||
                                       (hand && !trained[data->lang[i]]);
    for (size_t k = 2; k < f->languages + 2; k++)
        f->first[k] += f->first[k - 1];
    for (size_t i = 0; i < rows; i++)
        if (!data->train || data->train[i] || (hand && !trained[data->lang[i]]))
            f->row[f->first[data->lang[i] + 1]++] = (uint32_t)i;
    f->n = f->first[f->languages];
    return f->n ? IG_OK
                : ig_fail(f->error, IG_VALUE, "there are no rows to fit %s on",
                          ig_extractor_name(f->x->kind));
}

static ig_status make_means(ig_fit *f)
{
    struct pass p = {.left = f->row, .count = f->n, .how = AS_IT_IS, .add = add_means};
    size_t d = f->d;
    ig_status status;

    f->means = p.sum = room(f, f->languages, d);
    f->mean = room(f, 1, d);
    if (!f->means || !f->mean)
        return IG_NOMEM;
    status = make_pass(f, &p);
    for (size_t k = 0; k < f->languages; k++)
        for (size_t j = 0; j < d && rows_of(f, k); j++) {
            f->mean[j] += f->means[k * d + j] / (double)f->n;
            f->means[k * d + j] /= (double)rows_of(f, k);
        }
    for (size_t k = 0; k < f->languages; k++)
        if (!rows_of(f, k))
            memcpy(f->means + k * d, f->mean, d * sizeof *f->mean);
    return status;
}

/* --- what they store -------------------------------------------------------------- */

/* W = I − Σ_i u_i v_iᵀ, of r rows each; and b = −W shift, or b = shift − W shift when
 * what is taken away alone is about the shift. shift NULL: 0. */
static ig_status store_erasure(ig_fit *f, size_t r, const double *u, const double *v,
                               const double *shift, bool around)
{
    float *weight = block_of(f, "meaning.weight"), *bias = block_of(f, "meaning.bias");
    size_t d = f->d;
    double *w = room(f, d, d);

    if (!w)
        return IG_NOMEM;
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
    return IG_OK;
}

/* b = −W mean, for each language and for one that is not known. */
static void store_biases(ig_fit *f, size_t language, const double *w)
{
    float *bias = block_of(f, "meaning.bias") + language * f->d;
    const double *mean = language < f->languages ? f->means + language * f->d : f->mean;

    for (size_t i = 0; i < f->d; i++) {
        double sum = 0;

        for (size_t j = 0; j < f->d; j++)
            sum += (w ? w[i * f->d + j] : i == j) * mean[j];
        bias[i] = (float)-sum;
    }
}

static ig_status check_k(const ig_fit *f, size_t k, size_t most)
{
    if (k <= most)
        return IG_OK;
    return ig_fail(f->error, IG_VALUE,
                   "%s k=%zu: there are %zu %s at most (%zu dimensions, %zu languages)",
                   ig_extractor_name(f->x->kind), k, most, ig_form_of(f->x->kind)->k,
                   f->d, f->languages);
}

/* --- the forms -------------------------------------------------------------------- */

/* m = e − μ_l. */
ig_status ig_fit_centre(ig_fit *f)
{
    store(f->means, f->languages * f->d, block_of(f, "language.bias"));
    return IG_OK;
}

/* m = (C + εI)^(−½) (e − μ_l), C the covariance about the languages' means, ε a
 * hundredth of its mean eigenvalue. [whiten] */
ig_status ig_fit_whiten(ig_fit *f)
{
    size_t d = f->d;
    double *c = room(f, d, d), *v = room(f, d, d), *values = room(f, 1, d), least;
    ig_status status;

    if (!c || !v || !values)
        return IG_NOMEM;
    status = covariance_of(f, LESS_LANGUAGE, c);
    if (status == IG_OK)
        status = go_on(f);
    if (status != IG_OK)
        return status;
    least = 0.01 * trace_of(c, d) / (double)d;
    if (!(least > 0))
        return ig_fail(f->error, IG_VALUE,
                       "the rows of each language are all the same: there is nothing "
                       "to whiten");
    status = ig_eigen_symmetric(c, d, d, values, v, f->error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            v[i * d + j] /= sqrt(sqrt(fmax(values[i], 0) + least));
    ig_gemm_double(f->data->pool, true, false, d, d, d, v, v, c);
    store(c, d * d, block_of(f, "meaning.weight"));
    for (size_t k = 0; k <= f->languages; k++)
        store_biases(f, k, c);
    return IG_OK;
}

/* m = e − μ less its parts on the first k eigenvectors of the covariance. [abtt] */
ig_status ig_fit_abtt(ig_fit *f)
{
    size_t d = f->d, k = f->data->k ? f->data->k : d < 200 ? 1 : d / 100;
    double *c = room(f, d, d), *v = room(f, k, d), *values = room(f, 1, d);
    ig_status status = check_k(f, k, d);

    if (status == IG_OK && (!c || !v || !values))
        return IG_NOMEM;
    if (status == IG_OK)
        status = covariance_of(f, LESS_MEAN, c);
    if (status == IG_OK)
        status = ig_eigen_symmetric(c, d, k, values, v, f->error);
    return status == IG_OK ? store_erasure(f, k, v, v, f->mean, false) : status;
}

/* Unit vectors that span the rows of a (n, d), at most `most`: rows of `basis` (min(n,
 * d), d). Returns how many; SIZE_MAX on failure. */
static size_t span_of(ig_fit *f, const double *a, size_t n, size_t d, size_t most,
                      double *basis, ig_status *status)
{
    size_t p = n < d ? n : d, r = 0;
    double *u = room(f, n, p), *sigma = room(f, 1, p);

    *status = u && sigma ? ig_svd(a, n, d, u, sigma, basis, f->error) : IG_NOMEM;
    while (*status == IG_OK && r < p && r < most && sigma[r] > NOTHING * sigma[0])
        r++;
    return r;
}

/* The languages with training rows. */
static size_t trained_languages(const ig_fit *f)
{
    size_t n = 0;

    for (size_t k = 0; k < f->languages; k++)
        n += rows_of(f, k) > 0;
    return n;
}

/* The point c that is at right angles to the differences of the rows of a (n, d), and
 * whose inner product with each of them is the same: c = p / |p|², p = a⁺ 1. */
static ig_status foot_of(ig_fit *f, const double *a, size_t n, double *c)
{
    size_t d = f->d, p = n < d ? n : d;
    double *u = room(f, n, p), *sigma = room(f, 1, p), *vt = room(f, p, d), square = 0;
    ig_status status;

    if (!u || !sigma || !vt)
        return IG_NOMEM;
    status = ig_svd(a, n, d, u, sigma, vt, f->error);
    memset(c, 0, d * sizeof *c);
    for (size_t i = 0; i < p && status == IG_OK && sigma[i] > NOTHING * sigma[0]; i++) {
        double ones = 0;

        for (size_t k = 0; k < n; k++)
            ones += u[k * p + i];
        for (size_t j = 0; j < d; j++)
            c[j] += vt[i * d + j] * ones / sigma[i];
        square += ones / sigma[i] * ones / sigma[i];
    }
    for (size_t j = 0; j < d && square > 0; j++)
        c[j] /= square;
    return status;
}

/* m = e less its part in the space of languages: the r first directions of the means'
 * differences from the point that they have in common. [lsar alg.1] */
ig_status ig_fit_lsar(ig_fit *f)
{
    size_t d = f->d, n = trained_languages(f), p = n < d ? n : d, k = 0;
    size_t most = n - 1 < d ? n - 1 : d, r = f->data->k ? f->data->k : most;
    double *a = room(f, n, d), *vt = room(f, p, d), *u = room(f, n, p);
    double *sigma = room(f, 1, p), *c = room(f, 1, d);
    ig_status status = check_k(f, r, most);

    if (status == IG_OK && (!a || !vt || !u || !sigma || !c))
        return IG_NOMEM;
    for (size_t l = 0; l < f->languages && status == IG_OK; l++)
        if (rows_of(f, l))
            memcpy(a + k++ * d, f->means + l * d, d * sizeof *a);
    for (size_t i = 0; i < n && status == IG_OK; i++)
        for (size_t j = 0; j < d; j++)
            c[j] += a[i * d + j] / (double)n;
    for (size_t i = 0; i < n && status == IG_OK; i++)
        for (size_t j = 0; j < d; j++)
            a[i * d + j] -= c[j];
    if (status == IG_OK)
        status = ig_svd(a, n, d, u, sigma, vt, f->error);
    for (size_t i = 0; i < n && status == IG_OK; i++) /* of rank r again, and back */
        for (size_t j = 0; j < d; j++) {
            a[i * d + j] = c[j];
            for (size_t s = 0; s < r; s++)
                a[i * d + j] += u[i * p + s] * sigma[s] * vt[s * d + j];
        }
    if (status == IG_OK)
        status = foot_of(f, a, n, c);
    for (size_t i = 0; i < n && status == IG_OK; i++)
        for (size_t j = 0; j < d; j++)
            a[i * d + j] -= c[j];
    if (status == IG_OK)
        r = span_of(f, a, n, d, r, vt, &status);
    return status == IG_OK ? store_erasure(f, r, vt, vt, NULL, false) : status;
}

/* Covariance of a centred one-hot language with the rows: n_l/n (μ_l − μ), a row for
 * each language. */
static void language_covariance(const ig_fit *f, double *z)
{
    for (size_t k = 0; k < f->languages; k++)
        for (size_t j = 0; j < f->d; j++)
            z[k * f->d + j] = (double)rows_of(f, k) / (double)f->n *
                              (f->means[k * f->d + j] - f->mean[j]);
}

/* m = e − S^½ P S^(−½) (e − μ), P the projector onto the columns of S^(−½) Σ_xz. In the
 * basis of the eigenvectors of S: with y_j the orthonormal rows that span Σ_zx S^(−½),
 * what is taken away is Σ_j (S^½ y_j)(S^(−½) y_j)ᵀ. [leace] */
ig_status ig_fit_leace(ig_fit *f)
{
    size_t d = f->d, n = f->languages, p = n < d ? n : d, kept = 0, r;
    double *s = room(f, d, d), *v = room(f, d, d), *values = room(f, 1, d);
    double *z = room(f, n, d), *g = room(f, n, d), *y = room(f, p, d);
    double *up = room(f, p, d), *down = room(f, p, d);
    ig_status status;

    if (!s || !v || !values || !z || !g || !y || !up || !down)
        return IG_NOMEM;
    status = covariance_of(f, LESS_MEAN, s);
    if (status == IG_OK)
        status = go_on(f);
    if (status == IG_OK)
        status = ig_eigen_symmetric(s, d, d, values, v, f->error);
    if (status != IG_OK)
        return status;
    while (kept < d && values[kept] > NOTHING * values[0])
        kept++;
    language_covariance(f, z);
    ig_gemm_double(f->data->pool, false, true, n, d, d, z, v, g);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < d; i++)
            g[k * d + i] = i < kept ? g[k * d + i] / sqrt(values[i]) : 0;
    r = span_of(f, g, n, d, trained_languages(f) - 1, y, &status);
    if (status != IG_OK)
        return status;
    for (size_t j = 0; j < r; j++)
        for (size_t i = 0; i < d; i++) {
            z[j * d + i] = i < kept ? y[j * d + i] * sqrt(values[i]) : 0;
            y[j * d + i] = i < kept ? y[j * d + i] / sqrt(values[i]) : 0;
        }
    if (r) {
        ig_gemm_double(f->data->pool, false, false, r, d, d, z, v, up);
        ig_gemm_double(f->data->pool, false, false, r, d, d, y, v, down);
    }
    return store_erasure(f, r, up, down, f->mean, true);
}

/* One round: a ridge classifier of the language from what is left, and the columns of
 * it taken from b. Returns how many. */
static size_t remove_classifier(ig_fit *f, const double *s, const double *z, double *b,
                                double *work[3], double *w, ig_status *status)
{
    size_t d = f->d, n = f->languages, r;
    double *left = work[0], *c = work[1], *basis = work[2], ridge;

    ig_gemm_double(f->data->pool, false, false, d, d, d, b, s, left);
    ig_gemm_double(f->data->pool, false, false, d, d, d, left, b, c);
    ig_gemm_double(f->data->pool, false, false, n, d, d, z, b, w);
    ridge = 1e-3 * trace_of(c, d) / (double)d;
    for (size_t i = 0; i < d; i++)
        c[i * d + i] += ridge;
    *status = ig_solve_positive(c, d, w, n, f->error);
    if (*status != IG_OK)
        return 0;
    r = span_of(f, w, n, d, trained_languages(f) - 1, basis, status);
    if (r == 0 || *status != IG_OK)
        return 0;
    ig_gemm_double(f->data->pool, true, false, d, d, r, basis, basis, c);
    for (size_t i = 0; i < d * d; i++)
        b[i] -= c[i];
    return r;
}

/* m = B (e − μ), B what is left after n rounds; ridge as the probe has it. [inlp] */
ig_status ig_fit_inlp(ig_fit *f)
{
    size_t d = f->d, n = f->languages, rounds = f->data->k ? f->data->k : 4, gone = 0;
    double *s = room(f, d, d), *b = room(f, d, d), *z = room(f, n, d);
    double *w = room(f, n, d);
    double *work[3] = {room(f, d, d), room(f, d, d), room(f, d < n ? n : d, d)};
    ig_status status;

    if (!s || !b || !z || !w || !work[0] || !work[1] || !work[2])
        return IG_NOMEM;
    status = covariance_of(f, LESS_MEAN, s);
    language_covariance(f, z);
    for (size_t i = 0; i < d; i++)
        b[i * d + i] = 1;
    for (size_t round = 0; round < rounds && status == IG_OK; round++) {
        if (gone + trained_languages(f) - 1 >= d)
            return ig_fail(f->error, IG_VALUE,
                           "inlp: %zu rounds of %zu directions leave nothing of %zu "
                           "dimensions",
                           rounds, trained_languages(f) - 1, d);
        status = go_on(f);
        if (status == IG_OK)
            gone += remove_classifier(f, s, z, b, work, w, &status);
    }
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < d * d; i++) /* what is taken away */
        b[i] = (i % (d + 1) == 0) - b[i];
    memset(work[0], 0, d * d * sizeof *work[0]);
    for (size_t i = 0; i < d; i++)
        work[0][i * d + i] = 1;
    return store_erasure(f, d, work[0], b, f->mean, false);
}

/* --- languages by themselves ------------------------------------------------------ */

/* As many languages as there are threads at a time: the product of each by all of them,
 * then each solves one. */
struct each {
    ig_fit *f;
    size_t first, count; /* languages */
    double *product;     /* (threads, d, d) */
    ig_status (*solve)(ig_fit *f, size_t language, const double *product,
                       ig_error *error);
    ig_status *status; /* (threads) */
    ig_error *error;   /* (threads) */
};

static void solve_some(void *context, size_t member, size_t first, size_t last)
{
    struct each *e = context;
    size_t d = e->f->d;

    (void)member;
    for (size_t i = first; i < last; i++)
        e->status[i] =
            e->solve(e->f, e->first + i, e->product + i * d * d, &e->error[i]);
}

/* The eigenvectors, (k, d), into the language's basis. */
static ig_status solve_lir(ig_fit *f, size_t language, const double *product,
                           ig_error *error)
{
    size_t d = f->d, k = f->x->rank;
    double *v = ig_alloc(k * d + k, sizeof *v);
    ig_status status = v ? ig_eigen_symmetric(product, d, k, v + k * d, v, error)
                         : ig_fail_memory(error, "lir");

    if (status == IG_OK)
        store(v, k * d, block_of(f, "language.basis") + language * k * d);
    ig_free(v);
    return status;
}

static ig_status solve_each_language(struct each *e)
{
    ig_status status = go_on(e->f);

    if (status != IG_OK)
        return status;
    ig_pool_hand_out(e->f->data->pool, e->count, 1, solve_some, e);
    for (size_t i = 0; i < e->count; i++)
        if (e->status[i] != IG_OK)
            return ig_fail(e->f->error, e->status[i], "%s", e->error[i].message);
    return IG_OK;
}

static ig_status make_each(ig_fit *f, struct each *e)
{
    size_t threads = ig_pool_threads(f->data->pool);

    e->f = f;
    e->product = room(f, threads * f->d, f->d);
    e->status = ig_arena_alloc(&f->arena, threads * sizeof *e->status);
    e->error = ig_arena_alloc(&f->arena, threads * sizeof *e->error);
    return e->product && e->status && e->error ? IG_OK
                                               : ig_fail_memory(f->error, "a fit");
}

/* m = e less its parts on the first k eigenvectors of X_lᵀ X_l, which is not centred; a
 * language without rows takes those of all rows. [lir] */
ig_status ig_fit_lir(ig_fit *f)
{
    size_t d = f->d, k = f->x->rank, threads = ig_pool_threads(f->data->pool);
    float *basis = block_of(f, "language.basis");
    struct each e = {.solve = solve_lir};
    double *all = room(f, d, d);
    ig_status status = check_k(f, k, d);

    if (status == IG_OK)
        status = all ? make_each(f, &e) : IG_NOMEM;
    for (size_t l = 0; l < f->languages && status == IG_OK; l += threads) {
        e.first = l;
        e.count = f->languages - l < threads ? f->languages - l : threads;
        for (size_t i = 0; i < e.count && status == IG_OK; i++) {
            double *sum = e.product + i * d * d;

            status = scatter_of(f, f->row + f->first[l + i], rows_of(f, l + i),
                                AS_IT_IS, sum);
            for (size_t j = 0; j < d * d; j++)
                all[j] += sum[j];
        }
        if (status == IG_OK)
            status = solve_each_language(&e);
    }
    if (status == IG_OK)
        status = solve_lir(f, f->languages, all, f->error);
    for (size_t l = 0; l < f->languages && status == IG_OK; l++)
        if (!rows_of(f, l))
            memcpy(basis + l * k * d, basis + f->languages * k * d,
                   k * d * sizeof *basis);
    return status;
}

/* W = Qᵀ and b = −W μ_l from the cross product A Bᵀ = U Σ Vᵀ, Q = U Vᵀ. A little of the
 * identity decides only what the pairs leave open. */
static ig_status solve_procrustes(ig_fit *f, size_t language, const double *product,
                                  ig_error *error)
{
    static const double STAY = 1e-12;
    size_t d = f->d;
    float *weight = block_of(f, "meaning.weight") + language * d * d;
    double *work = ig_alloc(3 * d * d + d, sizeof *work), largest = 0;
    double *u = work + d * d, *vt = u + d * d;
    ig_status status;

    if (!work)
        return ig_fail_memory(error, "procrustes");
    for (size_t i = 0; i < d * d; i++)
        largest = fmax(largest, fabs(product[i]));
    for (size_t i = 0; i < d * d; i++)
        work[i] = product[i] +
                  (i % (d + 1) == 0 ? largest > 0 ? STAY * largest : 1 : 0);
    status = ig_svd(work, d, d, u, vt + d * d, vt, error);
    if (status == IG_OK) {
        ig_gemm_double(NULL, true, true, d, d, d, vt, u, work);
        store(work, d * d, weight);
        store_biases(f, language, work);
    }
    ig_free(work);
    return status;
}

/* The rows of pairs by the language of their other side, which comes first. */
static ig_status sort_pairs(ig_fit *f, uint32_t **left, uint32_t **right,
                            size_t **first)
{
    const ig_fit_data *data = f->data;

    *left = ig_arena_alloc(&f->arena, (data->pairs + 1) * sizeof **left);
    *right = ig_arena_alloc(&f->arena, (data->pairs + 1) * sizeof **right);
    *first = ig_arena_alloc(&f->arena, (f->languages + 2) * sizeof **first);
    if (!*left || !*right || !*first)
        return ig_fail_memory(f->error, "procrustes");
    for (size_t i = 0; i < data->pairs; i++)
        (*first)[data->lang[data->left[i]] + 2]++;
    for (size_t k = 2; k < f->languages + 2; k++)
        (*first)[k] += (*first)[k - 1];
    for (size_t i = 0; i < data->pairs; i++) {
        size_t at = (*first)[data->lang[data->left[i]] + 1]++;

        (*left)[at] = data->left[i];
        (*right)[at] = data->pivot_row[i];
    }
    return IG_OK;
}

/* m = (e − μ_l) Q_l, Q_l the rotation of the language's rows, centred and of length 1,
 * onto the pivot's rows of the same pairs; none for the pivot and for what has no pairs
 * with it. [procrustes] */
ig_status ig_fit_procrustes(ig_fit *f)
{
    size_t d = f->d, threads = ig_pool_threads(f->data->pool), *first;
    struct each e = {.solve = solve_procrustes};
    uint32_t *left, *right;
    float *weight = block_of(f, "meaning.weight") + f->languages * d * d;
    ig_status status = sort_pairs(f, &left, &right, &first);

    if (status == IG_OK)
        status = make_each(f, &e);
    for (size_t l = 0; l < f->languages && status == IG_OK; l += threads) {
        e.first = l;
        e.count = f->languages - l < threads ? f->languages - l : threads;
        memset(e.product, 0, e.count * d * d * sizeof *e.product);
        for (size_t i = 0; i < e.count && status == IG_OK; i++) {
            size_t k = l + i;
            struct pass p = {.left = left + first[k],
                             .right = right + first[k],
                             .count = first[k + 1] - first[k],
                             .how = UNIT_LESS_LANGUAGE,
                             .add = add_product,
                             .sum = e.product + i * d * d};

            if (k != f->data->pivot)
                status = make_pass(f, &p);
        }
        if (status == IG_OK)
            status = solve_each_language(&e);
    }
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < d * d; i++)
        weight[i] = i % (d + 1) == 0;
    store_biases(f, f->languages, NULL);
    return IG_OK;
}

/* --- all of them ------------------------------------------------------------------ */

ig_status ig_closed_fit(ig_extractor *x, const ig_fit_data *data, size_t *untrained,
                        ig_error *error)
{
    const ig_form *form = ig_form_of(x->kind);
    ig_fit f = {.x = x,
                .data = data,
                .d = x->dims,
                .languages = data->languages,
                .error = error};
    ig_status status;

    *untrained = 0;
    if (!form->fit)
        return IG_OK;
    if (form->pairs && data->pairs == 0)
        return ig_fail(error, IG_VALUE,
                       "%s needs pairs of parallel rows, one of them of the pivot",
                       form->name);
    status = sort_rows(&f, untrained);
    if (status == IG_OK && form->languages && trained_languages(&f) < 2)
        status = ig_fail(error, IG_VALUE,
                         "%s tells languages apart, but there is one language",
                         form->name);
    if (status == IG_OK)
        status = make_means(&f);
    if (status == IG_OK)
        status = form->fit(&f);
    ig_arena_free(&f.arena);
    return status;
}
