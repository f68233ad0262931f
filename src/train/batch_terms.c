/* Terms of METHODS.md §3. Legend: B pairs, w width, K languages, u unit rows. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
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

static void run_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;

    (void)member;
    for (size_t i = first; i < last; i++)
        g->batch->row_value[i] = g->row(g, i);
}

/* The sum of a function of the rows. */
static double sum_rows(ig_group *g, double (*row)(const ig_group *g, size_t i))
{
    double sum = 0;

    g->row = row;
    ig_parallel_for(g->batch->pool, g->batch->size, 64, run_rows, g);
    for (size_t i = 0; i < g->batch->size; i++)
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

    return ig_matrix_of(g->batch->work + i * n * n, n, n);
}

/* Row of the batch that row i of an operand's first vector is. */
static size_t get_row(const ig_group *g, size_t which, size_t i)
{
    size_t atom = g->term->operand[which].atom[0];
    size_t row = (atom >> 1 & 1) * g->batch->size + i;

    return atom & 1 ? g->batch->partner[row] : row;
}

/* Softmax of a row of n values into `out`, which may be the row; returns log Σ exp. */
static double softmax(const float *z, size_t n, float *out)
{
    float top = ig_max_of(z, n), scale;
    double total = ig_exp_sum(z, 1, top, n, out);

    scale = (float)(1 / total);
    for (size_t j = 0; j < n; j++)
        out[j] *= scale;
    return top + log(total);
}

/* --- cluster ---------------------------------------------------------------------- */

static size_t get_class(const ig_group *g, size_t i)
{
    const ig_batch *b = g->batch;

    return g->term->by_language ? b->set->lang[b->row[get_row(g, 0, i)]] : 0;
}

/* ∂L/∂u = −2κ(S_k − u), κ = weight / entries, and through u = A f, f = 1/sqrt(|A|²+ε):
 * ∂L/∂A = −2κf S_k + (2κf² + 2κf³(<A,S_k> − |A|²f)) A; all=1 has no terms in u. */
static double cluster_gradient(const ig_group *g, size_t i)
{
    size_t w = g->z[0].cols;
    const float *a = ig_matrix_row(g->z[0], i),
                *sum = g->batch->sum + get_class(g, i) * w;
    double aa = ig_dot(a, a, w), f = 1 / sqrt(aa + IG_COS_EPS), others = !g->term->all;
    double along = ig_dot(a, sum, w) - others * aa * f;

    ig_row_combine((const float *[]){sum, a},
                   (float[]){(float)(-2 * g->weight * f),
                             (float)(2 * g->weight * f * f * (f * along + others))},
                   2, w, 1, ig_matrix_row(g->dz[0], i));
    return 0;
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
        double aa = ig_dot(a, a, w) + IG_COS_EPS;
        float f = (float)(1 / sqrt(aa));

        own += g->term->all ? 0 : 1 - IG_COS_EPS / aa;
        ig_row_combine(&a, &f, 1, w, 1, b->sum + get_class(g, i) * w);
        b->count[get_class(g, i)]++;
    }
    for (size_t k = 0; k < classes; k++) {
        double n = (double)b->count[k];

        sums += ig_dot(b->sum + k * w, b->sum + k * w, w);
        entries += n * (n - !g->term->all);
    }
    g->weight = entries > 0 ? g->weight / entries : 0;
    if (g->gradients)
        sum_rows(g, cluster_gradient);
    return entries > 0 ? 1 - (sums - own) / entries : 0;
}

/* --- the language classifier ------------------------------------------------------ */

/* Whether the classifier is a discriminator that the term's operand shall fool. */
static bool is_adversary(const ig_group *g)
{
    return g->term->kind->classifier == IG_FOOLS_CLASSIFIER && !g->discriminates;
}

/* Cross-entropy of a row against the language, or the uniform distribution (minimum ln
 * K), and weighted ∂/∂logits in place of the logits. */
static double classify_row(const ig_group *g, size_t i)
{
    const ig_batch *b = g->batch;
    size_t k = b->languages, lang = b->set->lang[b->row[get_row(g, 0, i)]];
    float *z = b->work + i * k, scale = (float)(g->weight / (double)b->size);
    double target = 0;

    if (is_adversary(g))
        for (size_t j = 0; j < k; j++)
            target += z[j] / (double)k;
    else
        target = z[lang];
    target = softmax(z, k, z) - target;
    for (size_t j = 0; j < k; j++)
        z[j] = scale * (z[j] - (is_adversary(g) ? 1 / (float)k : j == lang));
    return target;
}

/* Cross-entropy of the logits Z = A Cᵀ + c, against A's language   [dream], or of an
 * adversary against the uniform distribution   [meat]. ∂/∂A = ∂/∂Z C; unless it is an
 * adversary, ∂/∂C += ∂/∂Zᵀ A and ∂/∂c += Σ ∂/∂Z. */
static double classify(ig_group *g)
{
    const ig_batch *b = g->batch;
    size_t k = b->languages, w = g->z[0].cols, n = b->size;
    float *gradient = b->gradient + b->extractor->classifier;
    ig_matrix weights =
        ig_matrix_of(b->extractor->weights + b->extractor->classifier, k, w);
    ig_matrix logit = ig_matrix_of(b->work, n, k);
    double value;

    for (size_t i = 0; i < n; i++)
        memcpy(ig_matrix_row(logit, i), weights.a + k * w, k * sizeof(float));
    multiply(g, false, true, 1, g->z[0], weights, 1, logit);
    value = sum_rows(g, classify_row) / (double)n;
    if (g->gradients && !g->discriminates)
        multiply(g, false, false, 1, logit, weights, 1, g->dz[0]);
    if (g->gradients && !is_adversary(g)) {
        multiply(g, true, false, 1, logit, g->z[0], 1, ig_matrix_of(gradient, k, w));
        for (size_t i = 0; i < n * k; i++)
            gradient[k * w + i % k] += logit.a[i];
    }
    return value;
}

/* --- logits between rows ---------------------------------------------------------- */

/* A term of the logits of squares s = 0 and 1: z_s z_sᵀ/τ, or `crossed` z_s z_oᵀ/τ, o
 * the other one. `row` computes the values of their rows i and replaces the logits by
 * the derivatives D. ∂/∂z_s = (D_s + D_oᵀ) z_o / 2Bτ. */
static double compare_rows(ig_group *g, bool crossed,
                           double (*row)(const ig_group *g, size_t i))
{
    double times = 2 * (double)g->batch->size, tau = g->term->tau, value;

    for (size_t s = 0; s < 2; s++)
        multiply(g, false, true, 1 / tau, g->z[s], g->z[crossed ? 1 - s : s], 0,
                 get_square(g, s));
    value = sum_rows(g, row) / times;
    for (size_t s = 0; g->gradients && s < 2; s++) {
        size_t o = crossed ? 1 - s : s;
        double by = g->weight / times / tau;

        multiply(g, false, false, by, get_square(g, s), g->z[o], 1, g->dz[s]);
        multiply(g, true, false, by, get_square(g, o), g->z[o], 1, g->dz[s]);
    }
    return value;
}

/* Cross-entropy of the logits against the diagonal: D = P − I. Other rows with the
 * same meaning are not negatives: −∞. */
static double contrast_row(const ig_group *g, size_t i)
{
    const uint32_t *meaning = g->batch->meaning;
    size_t n = g->batch->size;
    double value = 0;

    for (size_t s = 0; s < 2; s++) {
        float *z = ig_matrix_row(get_square(g, s), i), own = z[i];
        uint32_t same = meaning[get_row(g, s, i)];

        for (size_t j = 0; j < n; j++)
            z[j] = meaning[get_row(g, 1 - s, j)] == same ? -INFINITY : z[j];
        z[i] = own;
        value += softmax(z, n, z) - (double)own;
        z[i] -= 1;
    }
    return value;
}

/* Symmetric InfoNCE: ½ (CE of rows + CE of columns) of A Bᵀ/τ against the diagonal,
 * excluding other rows with the same meaning. [struct] */
static double contrast(ig_group *g)
{
    return compare_rows(g, true, contrast_row);
}

/* KL(P‖Q) + KL(Q‖P) of a row, P and Q the softmax over k ≠ i:
 * ∂/∂z_P = p((ln p − ln q) − KL(P‖Q)) + p − q, and likewise for Q. */
static double topology_row(const ig_group *g, size_t i)
{
    size_t n = g->batch->size;
    float *l[2], *p[2];
    double kl[2] = {0, 0};

    for (size_t s = 0; s < 2; s++) {
        double log_total;

        l[s] = ig_matrix_row(get_square(g, s), i);
        p[s] = ig_matrix_row(get_square(g, 2 + s), i);
        l[s][i] = -FLT_MAX; /* finite, for a batch of one row */
        log_total = softmax(l[s], n, p[s]);
        for (size_t k = 0; k < n; k++)
            l[s][k] -= (float)log_total;
        l[s][i] = 0;
    }
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; k < n; k++)
            kl[s] += (double)p[s][k] * ((double)l[s][k] - l[1 - s][k]);
    for (size_t k = 0; k < n; k++) {
        double d = (double)l[0][k] - l[1][k];

        l[0][k] = (float)(p[0][k] * (d - kl[0]) + p[0][k] - p[1][k]);
        l[1][k] = (float)(p[1][k] * (-d - kl[1]) + p[1][k] - p[0][k]);
    }
    return kl[0] + kl[1];
}

/* 1/(2B) Σ_i [KL(P_i^A‖P_i^B) + KL(P_i^B‖P_i^A)], P_i = softmax over k≠i of A_i·A_k/τ.
 * [struct] */
static double topology(ig_group *g)
{
    return compare_rows(g, false, topology_row);
}

/* ‖Z Zᵀ − I‖²_F, Z the 2B rows of A and B; ∂/∂Z = 4 (Z Zᵀ − I) Z.   [struct] */
static double isotropy(ig_group *g)
{
    size_t n = 2 * g->batch->size, w = g->z[0].cols;
    ig_matrix z = ig_matrix_of(g->z[0].a, n, w);
    ig_matrix gram = ig_matrix_of(g->batch->work, n, n);
    double value = 0;

    multiply(g, false, true, 1, z, z, 0, gram);
    for (size_t i = 0; i < n; i++) {
        float *row = ig_matrix_row(gram, i);

        row[i] -= 1;
        value += ig_dot(row, row, n);
    }
    if (g->gradients)
        multiply(g, false, false, 4 * g->weight, gram, z, 1,
                 ig_matrix_of(g->dz[0].a, n, w));
    return value;
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
     .clusters = true, .batch = cluster},
    {"identify", .operands = 1, .shape = "identify WEIGHT A",
     .about = "cross-entropy of a linear language classifier on A, trained jointly",
     .batch = classify, .classifier = IG_TRAINS_CLASSIFIER},
    {"confuse", .operands = 1, .shape = "confuse WEIGHT A",
     .about = "cross-entropy between a linear language discriminator on A and the "
              "uniform distribution; the discriminator takes one step of its own "
              "before each step of the extractor",
     .batch = classify, .classifier = IG_FOOLS_CLASSIFIER},
    {"contrast", .operands = 2, .shape = "contrast WEIGHT A B [tau=T]",
     .about =
         "symmetric InfoNCE of the dot products of A and B, temperature T (default "
         "0.05); rows with the same meaning are not negatives",
     .tau = 0.05, .squares = true, .batch = contrast},
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
