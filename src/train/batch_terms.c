/* Terms of METHODS.md §3, and their table. Legend: B pairs, w width, K languages,
 * u unit rows. */
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "train/batch.h"

/* --- terms of rows ---------------------------------------------------------------- */

/* c = <A,B> / sqrt((|A|²+ε)(|B|²+ε)), and its derivatives times `sign`. */
static double cosine(ig_row_dots g, double sign, ig_row_dots *slope)
{
    double a = g.aa + IG_COS_EPS, b = g.bb + IG_COS_EPS;
    double inverse = 1 / sqrt(a * b), c = g.ab * inverse;

    *slope = (ig_row_dots){
        .aa = -0.5 * sign * c / a, .ab = sign * inverse, .bb = -0.5 * sign * c / b};
    return c;
}

/* 1 − cos(A,B)   [seed eq.4-6] */
static double pull(ig_row_dots g, double d, ig_row_dots *slope)
{
    (void)d;
    return 1 - cosine(g, -1, slope);
}

/* max(0, cos(A,B)); the gradient passes at exactly 0   [seed eq.4-6, oracle eq.6] */
static double push(ig_row_dots g, double d, ig_row_dots *slope)
{
    double c = cosine(g, 1, slope);

    (void)d;
    if (c >= 0)
        return c;
    *slope = (ig_row_dots){0};
    return isnan(c) ? c : 0;
}

/* Mean over the d elements of (A−B)²: (|A|² − 2<A,B> + |B|²) / d   [dream] */
static double mse(ig_row_dots g, double d, ig_row_dots *slope)
{
    *slope = (ig_row_dots){.aa = 1 / d, .ab = -2 / d, .bb = 1 / d};
    return (g.aa - 2 * g.ab + g.bb) / d;
}

/* --- terms of the batch ----------------------------------------------------------- */

static void run_rows(const ig_group *g, size_t rows, ig_parallel_task *task,
                     void *context)
{
    ig_parallel_for(g->batch->pool, rows, 64, task, context);
}

static double sum_rows(const ig_group *g, size_t rows)
{
    double sum = 0;

    for (size_t i = 0; i < rows; i++)
        sum += g->batch->row_value[i];
    return sum;
}

/* C = alpha · op(A) op(B) + beta · C. */
static void multiply(const ig_group *g, bool ta, bool tb, double alpha, ig_matrix a,
                     ig_matrix b, float beta, ig_matrix c)
{
    ig_gemm_pool(g->batch->pool, ta, tb, (float)alpha, a, b, beta, c);
}

static ig_matrix get_square(const ig_group *g, size_t i)
{
    size_t n = g->batch->size;

    return ig_matrix_of(g->batch->square + i * n * n, n, n);
}

static size_t get_language(const ig_group *g, size_t i)
{
    size_t side = g->term->operand[0].atom[0] >> 1 & 1;

    return g->batch->lang[side * g->batch->size + i];
}

/* Whether the classifier is a discriminator that the term's operand shall fool. */
static bool is_adversary(const ig_group *g)
{
    return g->term->kind->classifier == IG_FOOLS_CLASSIFIER && !g->discriminates;
}

/* --- cluster ---------------------------------------------------------------------- */

static size_t get_class(const ig_group *g, size_t i)
{
    return g->term->by_language ? get_language(g, i) : 0;
}

/* ∂L/∂u = −2κ(S_k − u), κ = weight / entries, and through u = A f, f = 1/sqrt(|A|²+ε):
 * ∂L/∂A = −2κf S_k + (2κf² + 2κf³(<A,S_k> − |A|²f)) A; all=1 has no terms in u. */
static void cluster_gradient(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    const ig_kernels *k = g->batch->kernels;
    size_t w = g->z[0].cols;
    double others = !g->term->all;

    (void)member;
    for (size_t i = first; i < last; i++) {
        const float *a = ig_matrix_row(g->z[0], i);
        const float *sum = g->batch->sum + get_class(g, i) * w, *v[2] = {sum, a};
        double aa = k->dot(a, a, w), f = 1 / sqrt(aa + IG_COS_EPS);
        double along = k->dot(a, sum, w) - others * aa * f;
        float factor[2] = {(float)(-2 * g->weight * f),
                           (float)(2 * g->weight * f * f * (f * along + others))};

        k->combine(v, factor, 2, w, 0, ig_matrix_row(g->dz[0], i));
    }
}

/* The mean of 1 − cos over the entries i ≠ j of a class, from its sums S_k = Σ u:
 * L = 1 − Σ_k (|S_k|² − Σ|u|²) / Σ_k n_k(n_k−1), with all=1: 1 − Σ_k |S_k|² / Σ_k n_k².
 * One class of all rows [oracle eq.5], or the languages. O(B·d). */
static double cluster(ig_group *g)
{
    ig_batch *b = g->batch;
    size_t w = g->z[0].cols, classes = g->term->by_language ? b->languages : 1;
    double own = 0, sums = 0, entries = 0;

    memset(b->sum, 0, classes * w * sizeof *b->sum);
    memset(b->count, 0, classes * sizeof *b->count);
    for (size_t i = 0; i < b->size; i++) {
        const float *a = ig_matrix_row(g->z[0], i);
        double aa = b->kernels->dot(a, a, w) + IG_COS_EPS;
        float f = (float)(1 / sqrt(aa));

        own += g->term->all ? 0 : 1 - IG_COS_EPS / aa;
        b->kernels->combine(&a, &f, 1, w, 1, b->sum + get_class(g, i) * w);
        b->count[get_class(g, i)]++;
    }
    for (size_t k = 0; k < classes; k++) {
        double n = (double)b->count[k];

        sums += b->kernels->dot(b->sum + k * w, b->sum + k * w, w);
        entries += n * (n - !g->term->all);
    }
    g->weight = entries > 0 ? g->weight / entries : 0;
    if (g->gradients)
        run_rows(g, b->size, cluster_gradient, g);
    return entries > 0 ? 1 - (sums - own) / entries : 0;
}

/* --- the language classifier ------------------------------------------------------ */

/* Cross-entropies of the rows against the language, or the uniform distribution
 * (minimum ln K), and weighted ∂/∂logits in place of the logits. */
static void classify_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    size_t k = g->batch->languages;
    bool uniform = is_adversary(g);

    (void)member;
    for (size_t i = first; i < last; i++) {
        float *z = g->batch->logit + i * k;
        size_t lang = get_language(g, i);
        double top = g->batch->kernels->max_of(z, k), total = 0, mean = 0, log_total;

        for (size_t j = 0; j < k; j++) {
            mean += z[j] / (double)k;
            total += exp(z[j] - top);
        }
        log_total = top + log(total);
        g->batch->row_value[i] = log_total - (uniform ? mean : z[lang]);
        for (size_t j = 0; j < k; j++)
            z[j] = (float)(g->weight / (double)g->batch->size *
                           (exp(z[j] - log_total) -
                            (uniform ? 1.0 / (double)k : j == lang)));
    }
}

/* Cross-entropy of the logits Z = A Cᵀ + c, against A's language   [dream], or of an
 * adversary against the uniform distribution   [meat]. ∂/∂A = ∂/∂Z C; unless it is an
 * adversary, ∂/∂C += ∂/∂Zᵀ A and ∂/∂c += Σ ∂/∂Z. */
static double classify(ig_group *g)
{
    const ig_batch *b = g->batch;
    size_t k = b->languages, w = g->z[0].cols, n = b->size;
    size_t at = b->extractor->classifier;
    ig_matrix logit = ig_matrix_of(b->logit, n, k);
    ig_matrix weights = ig_matrix_of(b->extractor->weights + at, k, w);

    for (size_t i = 0; i < n; i++)
        memcpy(ig_matrix_row(logit, i), weights.a + k * w, k * sizeof(float));
    multiply(g, false, true, 1, g->z[0], weights, 1, logit);
    run_rows(g, n, classify_rows, g);
    if (g->gradients)
        multiply(g, false, false, 1, logit, weights, 0, g->dz[0]);
    if (g->gradients && !is_adversary(g)) {
        multiply(g, true, false, 1, logit, g->z[0], 1,
                 ig_matrix_of(b->gradient + at, k, w));
        for (size_t i = 0; i < n * k; i++)
            b->gradient[at + k * w + i % k] += logit.a[i];
    }
    return sum_rows(g, n) / (double)n;
}

/* --- logits between rows ---------------------------------------------------------- */

/* The operand that square s multiplies z_s by: itself, or the other one. */
static size_t get_other(const ig_group *g, size_t s)
{
    return g->term->kind->crossed ? 1 - s : s;
}

/* Softmax of a row of n values into `out`, which may be the row; returns log Σ exp. */
static double softmax(const ig_group *g, const float *z, size_t n, float *out)
{
    float top = g->batch->kernels->max_of(z, n), scale;
    double total = g->batch->kernels->exp_sum(z, 1, top, n, out);

    scale = (float)(1 / total);
    for (size_t j = 0; j < n; j++)
        out[j] *= scale;
    return top + log(total);
}

/* Rows of squares 2 and 3: D_s + D_oᵀ of the slopes D in squares 0 and 1. */
static void join_slopes(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;

    (void)member;
    for (size_t s = 0; s < 2; s++) {
        ig_matrix own = get_square(g, s), other = get_square(g, get_other(g, s));

        for (size_t i = first; i < last; i++)
            for (size_t j = 0; j < own.cols; j++)
                ig_matrix_row(get_square(g, 2 + s), i)[j] = ig_matrix_row(own, i)[j] +
                                                            ig_matrix_row(other, j)[i];
    }
}

/* A term of the logits z_s z_oᵀ/τ of squares 0 and 1: `rows` computes the values of
 * their rows, in `row_value`, and replaces the logits by the derivatives D.
 * ∂/∂z_s = (D_s + D_oᵀ) z_o / 2Bτ. */
static double compare_rows(ig_group *g, ig_parallel_task *rows)
{
    size_t n = g->batch->size;
    double times = 2 * (double)n, tau = g->term->tau;

    for (size_t s = 0; s < 2; s++)
        multiply(g, false, true, 1 / tau, g->z[s], g->z[get_other(g, s)], 0,
                 get_square(g, s));
    run_rows(g, n, rows, g);
    if (g->gradients)
        run_rows(g, n, join_slopes, g);
    for (size_t s = 0; g->gradients && s < 2; s++)
        multiply(g, false, false, g->weight / times / tau, get_square(g, 2 + s),
                 g->z[get_other(g, s)], 0, g->dz[s]);
    return sum_rows(g, n) / times;
}

/* Meaning of row i of an operand; for partners, the partner's. */
static uint32_t get_meaning(const ig_group *g, size_t which, size_t i)
{
    const ig_batch *b = g->batch;
    size_t atom = g->term->operand[which].atom[0];
    size_t row = (atom >> 1 & 1) * b->size + i;

    return b->meaning[atom & 1 ? b->partner[row] : row];
}

/* Cross-entropy of the logits against the diagonal: D = P − I. Other rows with the
 * same meaning are not negatives: −∞. */
static void contrast_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    size_t n = g->batch->size;

    (void)member;
    for (size_t i = first; i < last; i++) {
        double value = 0;

        for (size_t s = 0; s < 2; s++) {
            float *z = ig_matrix_row(get_square(g, s), i), own = z[i];
            uint32_t meaning = get_meaning(g, s, i);

            for (size_t j = 0; j < n; j++)
                z[j] = get_meaning(g, 1 - s, j) == meaning ? -INFINITY : z[j];
            z[i] = own;
            value += softmax(g, z, n, z) - (double)own;
            z[i] -= 1;
        }
        g->batch->row_value[i] = value;
    }
}

/* Symmetric InfoNCE: ½ (CE of rows + CE of columns) of A Bᵀ/τ against the diagonal,
 * excluding other rows with the same meaning. [struct] */
static double contrast(ig_group *g)
{
    return compare_rows(g, contrast_rows);
}

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

/* KL(P‖Q) + KL(Q‖P) of each row:
 * ∂/∂z_P = p((ln p − ln q) − KL(P‖Q)) + p − q, and likewise for Q. */
static void topology_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    size_t n = g->batch->size;

    (void)member;
    for (size_t i = first; i < last; i++) {
        float *lp = ig_matrix_row(get_square(g, 0), i);
        float *lq = ig_matrix_row(get_square(g, 1), i);
        float *p = ig_matrix_row(get_square(g, 2), i);
        float *q = ig_matrix_row(get_square(g, 3), i);
        double pq = 0, qp = 0;

        neighbour_softmax(g, lp, i, n, p);
        neighbour_softmax(g, lq, i, n, q);
        for (size_t k = 0; k < n; k++) {
            pq += (double)p[k] * ((double)lp[k] - lq[k]);
            qp += (double)q[k] * ((double)lq[k] - lp[k]);
        }
        for (size_t k = 0; k < n; k++) {
            double d = (double)lp[k] - lq[k];

            lp[k] = (float)(p[k] * (d - pq) + p[k] - q[k]);
            lq[k] = (float)(q[k] * (-d - qp) + q[k] - p[k]);
        }
        g->batch->row_value[i] = pq + qp;
    }
}

/* 1/(2B) Σ_i [KL(P_i^A‖P_i^B) + KL(P_i^B‖P_i^A)], P_i = softmax over k≠i of A_i·A_k/τ.
 * [struct] */
static double topology(ig_group *g)
{
    if (g->batch->size > 2)
        return compare_rows(g, topology_rows);
    /* At most one neighbour: KL is 0. */
    memset(g->dz[0].a, 0, 2 * g->dz[0].rows * g->dz[0].cols * sizeof(float));
    return 0;
}

/* --- isotropy --------------------------------------------------------------------- */

static void isotropy_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    size_t n = 2 * g->batch->size;

    (void)member;
    for (size_t i = first; i < last; i++) {
        float *row = g->batch->square + i * n;

        row[i] -= 1;
        g->batch->row_value[i] = g->batch->kernels->dot(row, row, n);
    }
}

/* ‖Z Zᵀ − I‖²_F, Z the 2B rows of A and B; ∂/∂Z = 4 (Z Zᵀ − I) Z.   [struct] */
static double isotropy(ig_group *g)
{
    size_t n = 2 * g->batch->size, w = g->z[0].cols;
    ig_matrix z = ig_matrix_of(g->z[0].a, n, w);
    ig_matrix gram = ig_matrix_of(g->batch->square, n, n);

    multiply(g, false, true, 1, z, z, 0, gram);
    run_rows(g, n, isotropy_rows, g);
    if (g->gradients)
        multiply(g, false, false, 4 * g->weight, gram, z, 0,
                 ig_matrix_of(g->dz[0].a, n, w));
    return sum_rows(g, n);
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
     .batch = classify, .classifier = IG_TRAINS_CLASSIFIER},
    {"confuse", .operands = 1, .shape = "confuse WEIGHT A",
     .about = "cross-entropy between a linear language discriminator on A and the "
              "uniform distribution; the discriminator takes one step of its own "
              "before each step of the extractor",
     .batch = classify, .classifier = IG_FOOLS_CLASSIFIER},
    {"contrast", .operands = 2, .shape = "contrast WEIGHT A B [tau=T]",
     .about = "symmetric InfoNCE of A and B with temperature T (default 0.05); rows "
              "with the same meaning are not negatives",
     .tau = 0.05, .squares = true, .crossed = true, .batch = contrast},
    {"isotropy", .operands = 2, .shape = "isotropy WEIGHT A B",
     .about = "‖Z Zᵀ − I‖² of the rows Z of A and B together", .squares = true,
     .batch = isotropy},
    {"topology", .operands = 2, .shape = "topology WEIGHT A B [tau=T]",
     .about = "symmetric divergence between the neighbourhoods of A and of B, with "
              "temperature T (default 0.07)",
     .tau = 0.07, .squares = true, .batch = topology},
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
