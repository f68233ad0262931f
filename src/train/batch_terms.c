/* Terms of METHODS.md §3, and the table of them. A term of rows is a function of a
 * row's dot products; one of the batch has operands, then a sequence of parallel loops
 * over rows. Legend: B pairs, w width, K languages, u unit rows. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "train/batch.h"

/* --- terms of rows ---------------------------------------------------------------- */

/* c = <A,B> / sqrt((|A|²+ε)(|B|²+ε)), and its derivatives. */
static void cosine(const ig_row_dots *g, double *restrict c,
                   ig_row_dots *restrict slope)
{
    for (size_t i = 0; i < IG_TERM_ROWS; i++) {
        double a = g->aa[i] + IG_COS_EPS, b = g->bb[i] + IG_COS_EPS;
        double inverse = 1.0 / sqrt(a * b);

        c[i] = g->ab[i] * inverse;
        slope->ab[i] = inverse;
        slope->aa[i] = -0.5 * c[i] / a;
        slope->bb[i] = -0.5 * c[i] / b;
    }
}

/* 1 − cos(A,B)   [seed eq.4-6] */
static void pull(const ig_row_dots *g, size_t d, double *value, ig_row_dots *slope)
{
    double c[IG_TERM_ROWS];

    (void)d;
    cosine(g, c, slope);
    for (size_t i = 0; i < IG_TERM_ROWS; i++) {
        value[i] = 1.0 - c[i];
        slope->aa[i] = -slope->aa[i];
        slope->bb[i] = -slope->bb[i];
        slope->ab[i] = -slope->ab[i];
    }
}

/* max(0, cos(A,B)); the gradient passes at exactly 0   [seed eq.4-6, oracle eq.6] */
static void push(const ig_row_dots *g, size_t d, double *value, ig_row_dots *slope)
{
    (void)d;
    cosine(g, value, slope);
    for (size_t i = 0; i < IG_TERM_ROWS; i++) {
        double c = value[i], open = c < 0.0 || isnan(c) ? 0.0 : 1.0;

        value[i] = c < 0.0 ? 0.0 : c;
        slope->aa[i] = open ? slope->aa[i] : 0;
        slope->bb[i] = open ? slope->bb[i] : 0;
        slope->ab[i] = open ? slope->ab[i] : 0;
    }
}

/* Mean over the d elements of (A−B)²: (|A|² − 2<A,B> + |B|²) / d   [dream] */
static void mse(const ig_row_dots *g, size_t d, double *value, ig_row_dots *slope)
{
    double n = (double)d;

    for (size_t i = 0; i < IG_TERM_ROWS; i++) {
        value[i] = (g->aa[i] - 2.0 * g->ab[i] + g->bb[i]) / n;
        slope->aa[i] = slope->bb[i] = 1.0 / n;
        slope->ab[i] = -2.0 / n;
    }
}

/* --- terms of the batch: operands ------------------------------------------------- */

typedef struct ig_group {
    ig_batch *batch;
    ig_pool *pool;
    const ig_plan_term *term;
    bool gradients;
    ig_matrix a, b;   /* (B, w) operands */
    ig_matrix da, db; /* (B, w) weighted gradients by a, b */
} ig_group;

struct operand_task {
    ig_batch *batch;
    const double *c; /* coefficients of the bases */
    ig_matrix out;
};

static void make_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct operand_task *m = context;
    const ig_batch *b = m->batch;
    const float *v[IG_ATOMS], *part[IG_ATOMS];
    float factor[IG_ATOMS];

    (void)member;
    for (size_t i = first; i < last; i++) {
        size_t n = 0;

        ig_batch_locate(b, i, v);
        for (size_t k = 0; k < b->plan->bases; k++)
            if (m->c[k] != 0) {
                part[n] = v[k];
                factor[n++] = (float)m->c[k];
            }
        b->kernels->combine(part, factor, n, b->width, 0, ig_matrix_row(m->out, i));
    }
}

/* The operand as a matrix: rows of the forward pass if it is a single atom, else a
 * copy. */
static ig_matrix make_operand(const ig_group *g, size_t which)
{
    ig_batch *b = g->batch;
    const double *c = g->term->coefficient[which];
    struct operand_task m = {
        .batch = b,
        .c = c,
        .out = ig_matrix_of(b->operand + which * b->capacity * b->width, b->size,
                            b->width)};
    size_t used = 0, only = 0;

    for (size_t k = 0; k < b->plan->bases; k++)
        if (c[k] != 0) {
            only = k;
            used++;
        }
    if (used == 1 && c[only] == 1 && !(b->plan->base[only] & 1))
        return ig_batch_base(b, only);
    ig_parallel_for(g->pool, b->size, IG_TERM_ROWS, make_rows, &m);
    return m.out;
}

static ig_group make_group(ig_batch *b, ig_pool *pool, const ig_plan_term *term,
                           bool gradients)
{
    ig_group g = {.batch = b, .pool = pool, .term = term, .gradients = gradients};

    g.a = make_operand(&g, 0);
    g.da = ig_batch_extra(b, (size_t)term->shared);
    if (term->term->kind->operands > 1) {
        g.b = make_operand(&g, 1);
        g.db = ig_batch_extra(b, (size_t)term->shared + 1);
    }
    return g;
}

/* Fraction of the whole batch in this process: weight of a term computed per
 * process. */
static double get_share(const ig_batch *b)
{
    return (double)b->size / (double)b->whole;
}

void ig_batch_run_terms(ig_batch *b, ig_pool *pool, bool gradients)
{
    for (size_t t = 0; t < b->plan->terms; t++) {
        const ig_plan_term *term = &b->plan->term[t];
        ig_group g;

        b->value[t] = 0; /* also for a process without pairs */
        if (term->shared < 0 || !ig_batch_is_on(b, term) || b->size == 0)
            continue;
        g = make_group(b, pool, term, gradients);
        b->value[t] = term->term->kind->batch(&g) * get_share(b);
    }
}

/* --- helpers ---------------------------------------------------------------------- */

static void run_rows(const ig_group *g, ig_parallel_task *task, void *context)
{
    ig_parallel_for(g->pool, g->batch->size, IG_GEMM_ROWS, task, context);
}

static double sum_rows(const ig_group *g)
{
    double sum = 0;

    for (size_t i = 0; i < g->batch->size; i++)
        sum += g->batch->row_value[i];
    return sum;
}

static ig_matrix get_block(const ig_group *g, size_t i)
{
    size_t n = g->batch->size;

    assert(i < g->term->term->kind->squares);
    return ig_matrix_of(g->batch->square + i * n * n, n, n);
}

static double get_weight(const ig_group *g)
{
    return g->term->weight * get_share(g->batch);
}

static const uint16_t *get_languages(const ig_group *g)
{
    size_t side = g->term->term->operand[0].atom[0] >> 1 & 1;

    return g->batch->lang + side * g->batch->size;
}

/* --- cluster ---------------------------------------------------------------------- */

static size_t get_class(const ig_group *g, size_t i)
{
    return g->term->term->by_language ? get_languages(g)[i] : 0;
}

/* S_k = Σ u over the n_k rows of class k, u = A f, f = 1/sqrt(|A|²+ε). */
struct cluster {
    ig_group *g;
    size_t classes;
    double entries;
};

/* Normalisation factors of rows and their diagonal contributions. */
static void cluster_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct cluster *c = context;
    ig_batch *b = c->g->batch;
    bool all = c->g->term->term->all;

    (void)member;
    for (size_t i = first; i < last; i++) {
        const float *a = ig_matrix_row(c->g->a, i);
        double aa = b->kernels->dot(a, a, c->g->a.cols);

        b->factor[i] = (float)(1.0 / sqrt(aa + IG_COS_EPS));
        b->row_value[i] = all ? 0 : aa / (aa + IG_COS_EPS);
    }
}

static void cluster_columns(void *context, size_t member, size_t first, size_t last)
{
    const struct cluster *c = context;
    ig_batch *b = c->g->batch;
    size_t w = c->g->a.cols, n = last - first;

    (void)member;
    for (size_t k = 0; k < c->classes; k++)
        memset(b->language_sum + k * w + first, 0, n * sizeof(float));
    for (size_t i = 0; i < b->size; i++) {
        const float *a = ig_matrix_row(c->g->a, i) + first;

        b->kernels->combine(&a, &b->factor[i], 1, n, 1,
                            b->language_sum + get_class(c->g, i) * w + first);
    }
}

/* ∂L/∂u = −2κ(S_k − u), and through u = A f:
 * ∂L/∂A = −2κf S_k + (2κf² + 2κf³(<A,S_k> − |A|²f)) A; all=1 has no terms in u. */
static void cluster_gradient(void *context, size_t member, size_t first, size_t last)
{
    const struct cluster *cluster = context;
    const ig_group *g = cluster->g;
    const ig_kernels *k = g->batch->kernels;
    bool all = g->term->term->all;
    size_t w = g->a.cols;
    double kappa = cluster->entries > 0 ? get_weight(g) / cluster->entries : 0;

    (void)member;
    for (size_t i = first; i < last; i++) {
        const float *a = ig_matrix_row(g->a, i);
        const float *sum = g->batch->language_sum + get_class(g, i) * w;
        const float *v[2] = {sum, a};
        double aa = k->dot(a, a, w);
        double f = 1.0 / sqrt(aa + IG_COS_EPS);
        double along = k->dot(a, sum, w) - (all ? 0 : aa * f);
        float c[2] = {(float)(-2 * kappa * f),
                      (float)(2 * kappa * f * f * (f * along + (all ? 0 : 1)))};

        k->combine(v, c, 2, w, 0, ig_matrix_row(g->da, i));
    }
}

/* The mean of 1 − cos over the entries i ≠ j of a class, from its sums:
 * L = 1 − Σ_k (|S_k|² − Σ|u|²) / Σ_k n_k(n_k−1), with all=1: 1 − Σ_k |S_k|² / Σ_k n_k².
 * One class of all rows [oracle eq.5], or the languages. O(B·d). */
static double cluster(ig_group *g)
{
    ig_batch *b = g->batch;
    size_t w = g->a.cols;
    struct cluster c = {.g = g,
                        .classes = g->term->term->by_language ? b->languages : 1};
    double diagonal, sums = 0;

    memset(b->language_rows, 0, c.classes * sizeof *b->language_rows);
    for (size_t i = 0; i < b->size; i++)
        b->language_rows[get_class(g, i)]++;
    run_rows(g, cluster_rows, &c);
    ig_parallel_for(g->pool, w, 16, cluster_columns, &c);
    diagonal = sum_rows(g);
    for (size_t k = 0; k < c.classes; k++) {
        const float *sum = b->language_sum + k * w;
        double n = (double)b->language_rows[k];

        sums += b->kernels->dot(sum, sum, w);
        c.entries += n * (n - !g->term->term->all);
    }
    if (g->gradients)
        run_rows(g, cluster_gradient, &c);
    return c.entries > 0 ? 1 - (sums - diagonal) / c.entries : 0;
}

/* --- the language classifier ------------------------------------------------------ */

struct classify {
    ig_group *g;
    ig_matrix logit, classifier;
    bool uniform;    /* target: uniform distribution (minimum ln K) */
    bool by_operand; /* also compute the gradient by A */
    double scale;
};

/* Replace a row's logits by ∂/∂logits of the cross-entropy against the language or the
 * uniform distribution, and store the row's value. */
static void set_cross_entropy(const struct classify *c, size_t i)
{
    float *z = ig_matrix_row(c->logit, i);
    size_t k = c->logit.cols, lang = get_languages(c->g)[i];
    double top = z[0], total = 0, mean = 0, log_total;

    for (size_t j = 0; j < k; j++) {
        top = z[j] > top ? z[j] : top;
        mean += z[j] / (double)k;
    }
    for (size_t j = 0; j < k; j++)
        total += exp(z[j] - top);
    log_total = top + log(total);
    c->g->batch->row_value[i] = log_total - (c->uniform ? mean : z[lang]);
    for (size_t j = 0; j < k; j++) {
        double target = c->uniform ? 1.0 / (double)k : j == lang;

        z[j] = (float)(c->scale * (exp(z[j] - log_total) - target));
    }
}

/* Z = A Cᵀ + c, its cross-entropy, and ∂/∂A = ∂/∂Z C. */
static void classify_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct classify *c = context;
    const ig_group *g = c->g;
    size_t k = c->logit.cols;

    (void)member;
    for (size_t i = first; i < last; i++)
        memcpy(ig_matrix_row(c->logit, i), g->batch->classifier + k * g->a.cols,
               k * sizeof(float));
    ig_gemm_rows(false, true, 1, g->a, c->classifier, 1, c->logit, first, last);
    for (size_t i = first; i < last; i++)
        set_cross_entropy(c, i);
    if (c->by_operand)
        ig_gemm_rows(false, false, 1, c->logit, c->classifier, 0, g->da, first, last);
}

/* Columns of ∂/∂C += ∂/∂Zᵀ A. */
static void classifier_columns(void *context, size_t member, size_t first, size_t last)
{
    const struct classify *c = context;
    ig_matrix out =
        ig_matrix_of(c->g->batch->classifier_gradient, c->logit.cols, c->g->a.cols);

    (void)member;
    for (size_t j = first; j < last; j += IG_GEMM_ROWS) {
        size_t n = last - j < IG_GEMM_ROWS ? last - j : IG_GEMM_ROWS;

        ig_gemm(true, false, 1, c->logit, ig_matrix_cols(c->g->a, j, n), 1,
                ig_matrix_cols(out, j, n));
    }
}

/* ∂/∂C += ∂/∂Zᵀ A and ∂/∂c += Σ ∂/∂Z, over all rows. */
static void classifier_gradient(struct classify *c)
{
    size_t k = c->logit.cols, w = c->g->a.cols;
    float *bias = c->g->batch->classifier_gradient + k * w;

    ig_parallel_for(c->g->pool, w, IG_GEMM_ROWS, classifier_columns, c);
    for (size_t i = 0; i < c->logit.rows; i++)
        for (size_t j = 0; j < k; j++)
            bias[j] += ig_matrix_row(c->logit, i)[j];
}

static double classify(ig_group *g, bool uniform, double scale, bool by_operand,
                       bool by_classifier)
{
    ig_batch *b = g->batch;
    size_t k = b->languages;
    struct classify c = {
        .g = g,
        .logit = ig_matrix_of(b->logit, b->size, k),
        .classifier = ig_matrix_of((float *)b->classifier, k, g->a.cols),
        .uniform = uniform,
        .by_operand = by_operand,
        .scale = scale / (double)b->size};

    run_rows(g, classify_rows, &c);
    if (by_classifier)
        classifier_gradient(&c);
    return sum_rows(g) / (double)b->size;
}

/* Cross-entropy of the classifier on A against A's language   [dream] */
static double identify(ig_group *g)
{
    return classify(g, false, get_weight(g), g->gradients, g->gradients);
}

/* Cross-entropy of the discriminator on A against the uniform distribution   [meat] */
static double confuse(ig_group *g)
{
    return classify(g, true, get_weight(g), g->gradients, false);
}

void ig_batch_discriminate(ig_batch *b, ig_pool *pool)
{
    for (size_t t = 0; t < b->plan->terms; t++) {
        const ig_plan_term *term = &b->plan->term[t];
        ig_group g;

        if (term->term->kind->classifier != IG_FOOLS_CLASSIFIER ||
            !ig_batch_is_on(b, term) || b->size == 0)
            continue;
        g = make_group(b, pool, term, true);
        classify(&g, false, get_share(b), false, true);
    }
}

/* --- contrast --------------------------------------------------------------------- */

/* Softmax of a row of n values into `out`; returns log Σ exp. */
static double softmax(const ig_group *g, const float *z, size_t n, float *out)
{
    const ig_kernels *k = g->batch->kernels;
    double total = 0;
    float top = z[0], scale;

    for (size_t j = 1; j < n; j++)
        top = z[j] > top ? z[j] : top;
    k->exp(z, &top, 0, n, out, &total);
    scale = (float)(1 / total);
    for (size_t j = 0; j < n; j++)
        out[j] *= scale;
    return top + log(total);
}

/* Softmax of columns of block 0, added to block 1, computed in row-major sweeps for
 * cache locality. log Σ exp of column i is added to the value of row i. Uses block
 * 2. */
static void contrast_columns(void *context, size_t member, size_t first, size_t last)
{
    enum { WIDTH = 64 };
    const ig_group *g = context;
    const ig_kernels *k = g->batch->kernels;
    ig_matrix z = get_block(g, 0), out = get_block(g, 1), work = get_block(g, 2);

    (void)member;
    for (size_t from = first; from < last; from += WIDTH) {
        size_t n = last - from < WIDTH ? last - from : WIDTH;
        float top[WIDTH], scale[WIDTH];
        double total[WIDTH] = {0};

        memcpy(top, z.a + from, n * sizeof *top);
        for (size_t i = 1; i < z.rows; i++)
            k->max_each(ig_matrix_row(z, i) + from, n, top);
        for (size_t i = 0; i < z.rows; i++)
            k->exp(ig_matrix_row(z, i) + from, top, 1, n, ig_matrix_row(work, i) + from,
                   total);
        for (size_t j = 0; j < n; j++) {
            scale[j] = (float)(1 / total[j]);
            g->batch->row_value[from + j] += top[j] + log(total[j]);
        }
        for (size_t i = 0; i < z.rows; i++)
            for (size_t j = 0; j < n; j++)
                ig_matrix_row(out, i)[from + j] += ig_matrix_row(work, i)[from + j] *
                                                   scale[j];
    }
}

/* Meaning of row i of an operand; for partners, the partner's. */
static uint32_t get_meaning(const ig_group *g, size_t which, size_t i)
{
    const ig_batch *b = g->batch;
    size_t atom = g->term->term->operand[which].atom[0];
    size_t row = (atom >> 1 & 1) * b->size + i;

    row = atom & 1 ? b->partner[row] : row;
    return b->meaning[row < 2 * b->size ? row % b->size : row - b->size];
}

/* Exclude other rows with the same meaning from the negatives: set their entries in row
 * i to −∞. The diagonal is unchanged. */
static void mask_translations(const ig_group *g, float *row, size_t i)
{
    const uint32_t *other = g->batch->other;
    uint32_t meaning = get_meaning(g, 0, i);
    float diagonal = row[i];

    for (size_t j = 0; j < g->batch->size; j++)
        row[j] = other[j] == meaning ? -INFINITY : row[j];
    row[i] = diagonal;
}

/* Rows of Z = A Bᵀ/τ, and their softmax in block 1. */
static void contrast_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    size_t n = g->batch->size;
    ig_matrix z = get_block(g, 0), p = get_block(g, 1);

    (void)member;
    ig_gemm_rows(false, true, 1 / (float)g->term->term->tau, g->a, g->b, 0, z, first,
                 last);
    for (size_t i = first; i < last; i++) {
        mask_translations(g, ig_matrix_row(z, i), i);
        g->batch->row_value[i] =
            softmax(g, ig_matrix_row(z, i), n, ig_matrix_row(p, i)) -
            2 * ig_matrix_row(z, i)[i];
    }
}

static void contrast_gradient(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    ig_matrix p = get_block(g, 1);
    float scale = (float)(get_weight(g) / (2.0 * (double)g->batch->size)) /
                  (float)g->term->term->tau;

    (void)member;
    ig_gemm_rows(false, false, scale, p, g->b, 0, g->da, first, last);
    ig_gemm_rows(true, false, scale, p, g->a, 0, g->db, first, last);
}

/* Symmetric InfoNCE: ½ (CE of rows + CE of columns) of Z = A Bᵀ/τ against the diagonal,
 * excluding other rows with the same meaning.
 * ∂/∂Z = (P_rows + P_columns − 2I) / 2B; ∂/∂A = ∂/∂Z B/τ, ∂/∂B = ∂/∂Zᵀ A/τ.
 * [struct] */
static double contrast(ig_group *g)
{
    size_t n = g->batch->size;

    for (size_t i = 0; i < n; i++)
        g->batch->other[i] = get_meaning(g, 1, i);
    run_rows(g, contrast_rows, g);
    run_rows(g, contrast_columns, g);
    if (g->gradients) {
        for (size_t i = 0; i < n; i++)
            ig_matrix_row(get_block(g, 1), i)[i] -= 2;
        run_rows(g, contrast_gradient, g);
    }
    return sum_rows(g) / (2.0 * (double)n);
}

/* --- isotropy --------------------------------------------------------------------- */

/* Rows first … last−1 of X Yᵀ (− I); adds `times` Σ of squares to the rows' values. */
static void gram(const ig_group *g, ig_matrix x, ig_matrix y, bool same, double times,
                 ig_matrix out, size_t first, size_t last)
{
    ig_gemm_rows(false, true, 1, x, y, 0, out, first, last);
    for (size_t i = first; i < last; i++) {
        float *row = ig_matrix_row(out, i);

        row[i] -= same;
        g->batch->row_value[i] += times * g->batch->kernels->dot(row, row, out.cols);
    }
}

static void isotropy_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;

    (void)member;
    memset(g->batch->row_value + first, 0, (last - first) * sizeof(double));
    gram(g, g->a, g->a, true, 1, get_block(g, 0), first, last);
    gram(g, g->a, g->b, false, 2, get_block(g, 1), first, last);
    gram(g, g->b, g->b, true, 1, get_block(g, 2), first, last);
}

static void isotropy_gradient(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    ig_matrix aa = get_block(g, 0), ab = get_block(g, 1), bb = get_block(g, 2);
    float scale = (float)(4 * get_weight(g));

    (void)member;
    ig_gemm_rows(false, false, scale, aa, g->a, 0, g->da, first, last);
    ig_gemm_rows(false, false, scale, ab, g->b, 1, g->da, first, last);
    ig_gemm_rows(true, false, scale, ab, g->a, 0, g->db, first, last);
    ig_gemm_rows(false, false, scale, bb, g->b, 1, g->db, first, last);
}

/* ‖Z Zᵀ − I‖²_F, Z the 2B rows of A and B, in blocks; ∂/∂Z = 4 (Z Zᵀ − I) Z.
 * [struct] */
static double isotropy(ig_group *g)
{
    run_rows(g, isotropy_rows, g);
    if (g->gradients)
        run_rows(g, isotropy_gradient, g);
    return sum_rows(g);
}

/* --- topology --------------------------------------------------------------------- */

/* Log-softmax of row i over k ≠ i, in place; probabilities in p. */
static void neighbour_softmax(const ig_group *g, float *z, size_t i, size_t n, float *p)
{
    double log_total;

    z[i] = -INFINITY;
    log_total = softmax(g, z, n, p);
    for (size_t k = 0; k < n; k++)
        z[k] -= (float)log_total;
    z[i] = 0;
}

/* KL(P‖Q) + KL(Q‖P) of one row; ∂/∂logits replace the log-probabilities:
 * ∂/∂z_P = p((ln p − ln q) − KL(P‖Q)) + p − q, and likewise for Q. */
static double divergence(float *lp, float *lq, const float *p, const float *q, size_t n)
{
    double pq = 0, qp = 0;

    for (size_t k = 0; k < n; k++) {
        pq += (double)p[k] * ((double)lp[k] - lq[k]);
        qp += (double)q[k] * ((double)lq[k] - lp[k]);
    }
    for (size_t k = 0; k < n; k++) {
        double d = (double)lp[k] - lq[k];

        lp[k] = (float)(p[k] * (d - pq) + p[k] - q[k]);
        lq[k] = (float)(q[k] * (-d - qp) + q[k] - p[k]);
    }
    return pq + qp;
}

static void topology_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    size_t n = g->batch->size;
    float tau = (float)g->term->term->tau;
    ig_matrix za = get_block(g, 0), zb = get_block(g, 1), pa = get_block(g, 2),
              pb = get_block(g, 3);

    (void)member;
    ig_gemm_rows(false, true, 1 / tau, g->a, g->a, 0, za, first, last);
    ig_gemm_rows(false, true, 1 / tau, g->b, g->b, 0, zb, first, last);
    for (size_t i = first; i < last; i++) {
        float *lp = ig_matrix_row(za, i), *lq = ig_matrix_row(zb, i);
        float *p = ig_matrix_row(pa, i), *q = ig_matrix_row(pb, i);

        neighbour_softmax(g, lp, i, n, p);
        neighbour_softmax(g, lq, i, n, q);
        g->batch->row_value[i] = divergence(lp, lq, p, q, n);
    }
}

static void topology_gradient(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    float scale = (float)(get_weight(g) / (2.0 * (double)g->batch->size)) /
                  (float)g->term->term->tau;

    (void)member;
    for (size_t i = 0; i < 2; i++) {
        ig_matrix z = get_block(g, i), x = i ? g->b : g->a, dx = i ? g->db : g->da;

        ig_gemm_rows(false, false, scale, z, x, 0, dx, first, last);
        ig_gemm_rows(true, false, scale, z, x, 1, dx, first, last);
    }
}

/* 1/(2B) Σ_i [KL(P_i^A‖P_i^B) + KL(P_i^B‖P_i^A)], P_i = softmax over k≠i of A_i·A_k/τ.
 * ∂/∂A = (D + Dᵀ) A/τ with D the derivatives by the logits.   [struct] */
static double topology(ig_group *g)
{
    size_t n = g->batch->size;

    if (n < 3) { /* at most one neighbour: KL is 0 */
        memset(g->da.a, 0, n * g->a.cols * sizeof(float));
        memset(g->db.a, 0, n * g->a.cols * sizeof(float));
        return 0;
    }
    run_rows(g, topology_rows, g);
    if (g->gradients)
        run_rows(g, topology_gradient, g);
    return sum_rows(g) / (2.0 * (double)n);
}

/* --- the table -------------------------------------------------------------------- */

static const ig_term_kind kinds[] = {
    {"pull", .operands = 2, .shape = "pull WEIGHT A B",
     .about = "mean of 1 − cos(A, B)", .row = pull},
    {"push", .operands = 2, .shape = "push WEIGHT A B",
     .about = "mean of max(0, cos(A, B))", .row = push},
    {"mse", .operands = 2, .shape = "mse WEIGHT A B",
     .about = "mean of (A − B)² over all elements", .row = mse},
    {"cluster", .operands = 1, .shape = "cluster WEIGHT A [all=1] [by=language]",
     .about = "mean of 1 − cos(A_i, A_j) over all pairs of rows of the batch; all=1 "
              "includes i = j; by=language takes pairs of the same language only",
     .takes_all = true, .takes_by = true, .batch = cluster},
    {"identify", .operands = 1, .shape = "identify WEIGHT A",
     .about = "cross-entropy of a linear language classifier on A, trained jointly",
     .batch = identify, .classifier = IG_TRAINS_CLASSIFIER},
    {"confuse", .operands = 1, .shape = "confuse WEIGHT A",
     .about = "cross-entropy between a linear language discriminator on A and the "
              "uniform distribution; the discriminator takes one step of its own "
              "before each step of the extractor",
     .batch = confuse, .classifier = IG_FOOLS_CLASSIFIER},
    {"contrast", .operands = 2, .shape = "contrast WEIGHT A B [tau=T]",
     .about = "symmetric InfoNCE of A and B with temperature T (default 0.05); rows "
              "with the same meaning are not negatives",
     .tau = 0.05, .squares = 3, .batch = contrast},
    {"isotropy", .operands = 2, .shape = "isotropy WEIGHT A B",
     .about = "‖Z Zᵀ − I‖² of the rows Z of A and B together", .squares = 3,
     .batch = isotropy},
    {"topology", .operands = 2, .shape = "topology WEIGHT A B [tau=T]",
     .about = "symmetric divergence between the neighbourhoods of A and of B, with "
              "temperature T (default 0.07)",
     .tau = 0.07, .squares = 4, .batch = topology},
};

const ig_term_kind *ig_term_at(size_t i)
{
    return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

const ig_term_kind *ig_term_find(const char *name)
{
    const ig_term_kind *kind;

    for (size_t i = 0; (kind = ig_term_at(i)); i++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}
