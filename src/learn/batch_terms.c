/* The terms of METHODS.md §3 that see the whole batch. Each function is run by all
 * members of the pool together (group.h). Legend: B pairs, w width, K languages, u unit
 * rows. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "learn/group.h"
#include "linear/blas.h"

/* What each row adds to the value. A member writes those of its rows. */
static double *row_values(const ig_group *g)
{
    memset(g->batch->row_value + g->first, 0, (g->last - g->first) * sizeof(double));
    return g->batch->row_value;
}

/* Their sum, in the order of rows, for every member. */
static double sum_rows(const ig_group *g)
{
    double sum = 0;

    ig_pool_barrier(g->pool);
    for (size_t i = 0; i < g->batch->size; i++)
        sum += g->batch->row_value[i];
    ig_pool_barrier(g->pool); /* before anybody writes the next one */
    return sum;
}

/* The member's rows of C = α A B + β C (`turned`: of Aᵀ B; `other_turned`: of A Bᵀ). */
static void multiply(const ig_group *g, bool turned, bool other_turned, float alpha,
                     ig_matrix a, ig_matrix b, float beta, ig_matrix c)
{
    ig_gemm_rows(turned, other_turned, alpha, a, b, beta, c, g->first, g->last);
}

/* One of the (B, B) blocks of working space. */
static ig_matrix block(const ig_group *g, size_t i)
{
    size_t n = g->batch->size;

    assert(i < g->term->term->kind->squares);
    return ig_matrix_of(g->batch->square + i * n * n, n, n);
}

static double weight(const ig_group *g)
{
    return g->term->weight * ig_batch_share(g->batch);
}

/* Which side an operand belongs to: rows of the batch's languages. */
static const uint16_t *languages_of(const ig_group *g)
{
    size_t side = g->term->term->operand[0].atom[0] >> 1 & 1;

    return g->batch->lang + side * g->batch->size;
}

/* --- cluster -----------------------------------------------------------------------
 * */

/* The class of row i: its language with by=language, else the only one. */
static size_t class_of(const ig_group *g, size_t i)
{
    return g->term->term->by_language ? languages_of(g)[i] : 0;
}

/* S_k = Σ u over the n_k rows of class k, u = A f, f = 1/sqrt(|A|²+ε): factors of the
 * member's rows, then the sums of its columns. */
static void sum_classes(ig_group *g, size_t classes)
{
    ig_batch *b = g->batch;
    size_t w = g->a.cols, from, to;

    for (size_t i = g->first; i < g->last; i++) {
        const float *a = ig_matrix_row(g->a, i);

        b->factor[i] = (float)(1.0 / sqrt(b->kernels->dot(a, a, w) + IG_COS_EPS));
    }
    ig_pool_slice(w, 16, g->member, g->members, &from, &to);
    for (size_t k = 0; k < classes; k++)
        memset(b->language_sum + k * w + from, 0, (to - from) * sizeof(float));
    if (g->member == 0) {
        memset(b->language_rows, 0, classes * sizeof *b->language_rows);
        for (size_t i = 0; i < b->size; i++)
            b->language_rows[class_of(g, i)]++;
    }
    ig_pool_barrier(g->pool);
    for (size_t i = 0; i < b->size && to > from; i++) {
        const float *a = ig_matrix_row(g->a, i) + from;

        b->kernels->combine(&a, &b->factor[i], 1, to - from, 1,
                            b->language_sum + class_of(g, i) * w + from);
    }
    ig_pool_barrier(g->pool);
}

/* ∂L/∂u = −2κ(S_k − u), and through u = A f:
 * ∂L/∂A = −2κf S_k + (2κf² + 2κf³(<A,S_k> − |A|²f)) A; all=1 has no terms in u. */
static void cluster_gradient(ig_group *g, double entries)
{
    const ig_kernels *k = g->batch->kernels;
    bool all = g->term->term->all;
    size_t w = g->a.cols;
    double kappa = entries > 0 ? weight(g) / entries : 0;

    for (size_t i = g->first; i < g->last; i++) {
        const float *a = ig_matrix_row(g->a, i);
        const float *sum = g->batch->language_sum + class_of(g, i) * w;
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
    size_t classes = g->term->term->by_language ? b->languages : 1, w = g->a.cols;
    bool all = g->term->term->all;
    double own, sums = 0, entries = 0, *value = row_values(g);

    sum_classes(g, classes);
    for (size_t i = g->first; i < g->last && !all; i++) {
        const float *a = ig_matrix_row(g->a, i);
        double aa = b->kernels->dot(a, a, w);

        value[i] = aa / (aa + IG_COS_EPS);
    }
    own = sum_rows(g);
    for (size_t k = 0; k < classes; k++) {
        const float *sum = b->language_sum + k * w;
        double n = (double)b->language_rows[k];

        sums += b->kernels->dot(sum, sum, w);
        entries += n * (n - !all);
    }
    if (g->gradients)
        cluster_gradient(g, entries);
    return entries > 0 ? 1 - (sums - own) / entries : 0;
}

/* --- the language classifier -------------------------------------------------------
 * */

/* Logits of the member's rows become ∂/∂logits, of cross-entropy against the language,
 * or against the uniform distribution when `uniform` (its minimum is ln K), and are
 * their rows' values. */
static void cross_entropy(ig_group *g, ig_matrix logit, bool uniform, double scale)
{
    const uint16_t *lang = languages_of(g);
    size_t k = logit.cols;
    double *value = row_values(g);

    for (size_t i = g->first; i < g->last; i++) {
        float *z = ig_matrix_row(logit, i);
        double top = z[0], total = 0, mean = 0, log_total;

        for (size_t j = 0; j < k; j++) {
            top = z[j] > top ? z[j] : top;
            mean += z[j] / (double)k;
        }
        for (size_t j = 0; j < k; j++)
            total += exp(z[j] - top);
        log_total = top + log(total);
        value[i] = log_total - (uniform ? mean : z[lang[i]]);
        for (size_t j = 0; j < k; j++) {
            double target = uniform ? 1.0 / (double)k : j == lang[i];

            z[j] = (float)(scale * (exp(z[j] - log_total) - target));
        }
    }
}

/* ∂/∂C += ∂/∂Zᵀ A and ∂/∂c += Σ ∂/∂Z, over all rows. */
static void classifier_gradient(ig_group *g, ig_matrix logit)
{
    ig_batch *b = g->batch;
    size_t k = logit.cols, w = g->a.cols, from, to;
    float *bias = b->classifier_gradient + k * w;
    ig_matrix out = ig_matrix_of(b->classifier_gradient, k, w);

    ig_gemm_slice(w, g->member, g->members, &from, &to);
    for (size_t j = from; j < to; j += IG_GEMM_ROWS) {
        size_t n = to - j < IG_GEMM_ROWS ? to - j : IG_GEMM_ROWS;

        ig_gemm(true, false, 1, logit, ig_matrix_cols(g->a, j, n), 1,
                ig_matrix_cols(out, j, n));
    }
    for (size_t i = 0; g->member == 0 && i < logit.rows; i++)
        for (size_t j = 0; j < k; j++)
            bias[j] += ig_matrix_row(logit, i)[j];
    ig_pool_barrier(g->pool);
}

/* Z = A Cᵀ + c, its cross-entropy, and the gradients asked for: by A, by the
 * classifier. */
static double classify(ig_group *g, bool uniform, double scale, bool by_operand,
                       bool by_classifier)
{
    ig_batch *b = g->batch;
    size_t k = b->languages;
    ig_matrix classifier = ig_matrix_of((float *)b->classifier, k, g->a.cols);
    ig_matrix logit = ig_matrix_of(b->logit, b->size, k);
    double value;

    for (size_t i = g->first; i < g->last; i++)
        memcpy(ig_matrix_row(logit, i), b->classifier + k * g->a.cols,
               k * sizeof(float));
    multiply(g, false, true, 1, g->a, classifier, 1, logit);
    cross_entropy(g, logit, uniform, scale / (double)b->size);
    if (by_operand)
        multiply(g, false, false, 1, logit, classifier, 0, g->da);
    value = sum_rows(g) / (double)b->size;
    if (by_classifier)
        classifier_gradient(g, logit);
    return value;
}

/* Cross-entropy of the classifier on A against A's language   [dream] */
static double identify(ig_group *g)
{
    return classify(g, false, weight(g), g->gradients, g->gradients);
}

/* Cross-entropy of the discriminator on A against the uniform distribution   [meat] */
static double confuse(ig_group *g)
{
    return classify(g, true, weight(g), g->gradients, false);
}

double ig_term_discriminate(ig_group *g)
{
    return classify(g, false, ig_batch_share(g->batch), false, true);
}

/* --- contrast ----------------------------------------------------------------------
 * */

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

/* Softmax of the member's columns, added to `out`, by sweeps along the rows: columns
 * would be read across the memory's grain. Their log Σ exp is added to `value` (B).
 * `work` has a third block's storage. */
static void column_softmax(ig_group *g, ig_matrix z, ig_matrix out, ig_matrix work,
                           double *value)
{
    enum { WIDTH = 64 };
    const ig_kernels *k = g->batch->kernels;

    for (size_t from = g->first; from < g->last; from += WIDTH) {
        size_t n = g->last - from < WIDTH ? g->last - from : WIDTH;
        float top[WIDTH], scale[WIDTH];
        double total[WIDTH] = {0};

        memcpy(top, z.a + from, n * sizeof *top);
        for (size_t i = 1; i < z.rows; i++)
            k->larger(ig_matrix_row(z, i) + from, n, top);
        for (size_t i = 0; i < z.rows; i++)
            k->exp(ig_matrix_row(z, i) + from, top, 1, n, ig_matrix_row(work, i) + from,
                   total);
        for (size_t j = 0; j < n; j++) {
            scale[j] = (float)(1 / total[j]);
            value[from + j] += top[j] + log(total[j]);
        }
        for (size_t i = 0; i < z.rows; i++)
            for (size_t j = 0; j < n; j++)
                ig_matrix_row(out, i)[from + j] += ig_matrix_row(work, i)[from + j] *
                                                   scale[j];
    }
}

/* The meaning of an operand's row i: of a partner, the partner's. */
static uint32_t meaning_of(const ig_group *g, size_t which, size_t i)
{
    const ig_batch *b = g->batch;
    size_t atom = g->term->term->operand[which].atom[0];
    size_t row = (atom >> 1 & 1) * b->size + i;

    row = atom & 1 ? b->partner[row] : row;
    return b->meaning[row < 2 * b->size ? row % b->size : row - b->size];
}

/* Rows of the same meaning are no negatives of one another: their entries of the
 * member's rows become −∞. The diagonal stays. */
static void leave_out_translations(const ig_group *g, ig_matrix z)
{
    uint32_t *other = g->batch->other;

    for (size_t i = g->first; i < g->last; i++)
        other[i] = meaning_of(g, 1, i);
    ig_pool_barrier(g->pool);
    for (size_t i = g->first; i < g->last; i++) {
        uint32_t meaning = meaning_of(g, 0, i);
        float *row = ig_matrix_row(z, i), own = row[i];

        for (size_t j = 0; j < z.cols; j++)
            row[j] = other[j] == meaning ? -INFINITY : row[j];
        row[i] = own;
    }
}

/* Symmetric InfoNCE: ½ (CE of rows + CE of columns) of Z = A Bᵀ/τ against the diagonal,
 * without the entries of other rows that mean the same.
 * ∂/∂Z = (P_rows + P_columns − 2I) / 2B; ∂/∂A = ∂/∂Z B/τ, ∂/∂B = ∂/∂Zᵀ A/τ.
 * [struct] */
static double contrast(ig_group *g)
{
    size_t n = g->batch->size;
    float tau = (float)g->term->term->tau;
    ig_matrix z = block(g, 0), p = block(g, 1);
    float scale = (float)(weight(g) / (2.0 * (double)n)) / tau;
    double *row_value = row_values(g), value;

    multiply(g, false, true, 1 / tau, g->a, g->b, 0, z);
    leave_out_translations(g, z);
    for (size_t i = g->first; i < g->last; i++)
        row_value[i] = softmax(g, ig_matrix_row(z, i), n, ig_matrix_row(p, i)) -
                       2 * ig_matrix_row(z, i)[i];
    ig_pool_barrier(g->pool);
    column_softmax(g, z, p, block(g, 2), row_value);
    value = sum_rows(g) / (2.0 * (double)n);
    if (!g->gradients)
        return value;
    for (size_t i = g->first; i < g->last; i++)
        ig_matrix_row(p, i)[i] -= 2;
    ig_pool_barrier(g->pool);
    multiply(g, false, false, scale, p, g->b, 0, g->da);
    multiply(g, true, false, scale, p, g->a, 0, g->db);
    return value;
}

/* --- isotropy ----------------------------------------------------------------------
 * */

/* Rows of X Yᵀ (− I) that are the member's; `times` the Σ of their squares is added to
 * their values. */
static void gram(const ig_group *g, ig_matrix x, ig_matrix y, bool same, double times,
                 ig_matrix out, double *value)
{
    multiply(g, false, true, 1, x, y, 0, out);
    for (size_t i = g->first; i < g->last; i++) {
        float *row = ig_matrix_row(out, i);

        row[i] -= same;
        value[i] += times * g->batch->kernels->dot(row, row, out.cols);
    }
}

/* ‖Z Zᵀ − I‖²_F, Z the 2B rows of A and B, in blocks; ∂/∂Z = 4 (Z Zᵀ − I) Z.
 * [struct] */
static double isotropy(ig_group *g)
{
    ig_matrix aa = block(g, 0), ab = block(g, 1), bb = block(g, 2);
    float scale = (float)(4 * weight(g));
    double *row_value = row_values(g), value;

    gram(g, g->a, g->a, true, 1, aa, row_value);
    gram(g, g->a, g->b, false, 2, ab, row_value);
    gram(g, g->b, g->b, true, 1, bb, row_value);
    value = sum_rows(g);
    if (!g->gradients)
        return value;
    multiply(g, false, false, scale, aa, g->a, 0, g->da);
    multiply(g, false, false, scale, ab, g->b, 1, g->da);
    multiply(g, true, false, scale, ab, g->a, 0, g->db);
    multiply(g, false, false, scale, bb, g->b, 1, g->db);
    return value;
}

/* --- topology ----------------------------------------------------------------------
 * */

/* Row i of the similarities as log-probabilities of k ≠ i; their probabilities into p.
 * */
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

/* 1/(2B) Σ_i [KL(P_i^A‖P_i^B) + KL(P_i^B‖P_i^A)], P_i = softmax over k≠i of A_i·A_k/τ.
 * ∂/∂A = (D + Dᵀ) A/τ with D the derivatives by the logits.   [struct] */
static double topology(ig_group *g)
{
    size_t n = g->batch->size;
    float tau = (float)g->term->term->tau;
    ig_matrix za = block(g, 0), zb = block(g, 1), pa = block(g, 2), pb = block(g, 3);
    float scale = (float)(weight(g) / (2.0 * (double)n)) / tau;
    double *row_value = row_values(g), value;

    if (n < 3) { /* one neighbour or none: both distributions are certain */
        if (g->gradients && g->member == 0) {
            memset(g->da.a, 0, n * g->a.cols * sizeof(float));
            memset(g->db.a, 0, n * g->a.cols * sizeof(float));
        }
        return 0;
    }
    multiply(g, false, true, 1 / tau, g->a, g->a, 0, za);
    multiply(g, false, true, 1 / tau, g->b, g->b, 0, zb);
    for (size_t i = g->first; i < g->last; i++) {
        float *lp = ig_matrix_row(za, i), *lq = ig_matrix_row(zb, i);
        float *p = ig_matrix_row(pa, i), *q = ig_matrix_row(pb, i);

        neighbour_softmax(g, lp, i, n, p);
        neighbour_softmax(g, lq, i, n, q);
        row_value[i] = divergence(lp, lq, p, q, n);
    }
    value = sum_rows(g) / (2.0 * (double)n);
    if (!g->gradients)
        return value;
    multiply(g, false, false, scale, za, g->a, 0, g->da);
    multiply(g, true, false, scale, za, g->a, 1, g->da);
    multiply(g, false, false, scale, zb, g->b, 0, g->db);
    multiply(g, true, false, scale, zb, g->b, 1, g->db);
    return value;
}

/* --- the table ------------------------------------------------------------------- */

static const ig_term_kind kinds[] = {
    {.name = "cluster",
     .operands = 1,
     .shape = "cluster WEIGHT A [all=1] [by=language]",
     .takes_all = true,
     .takes_by = true,
     .batch = cluster},
    {.name = "identify",
     .operands = 1,
     .shape = "identify WEIGHT A",
     .batch = identify,
     .classifier = IG_TRAINS_CLASSIFIER},
    {.name = "confuse",
     .operands = 1,
     .shape = "confuse WEIGHT A",
     .batch = confuse,
     .classifier = IG_FOOLS_CLASSIFIER},
    {.name = "contrast",
     .operands = 2,
     .shape = "contrast WEIGHT A B [tau=T]",
     .tau = 0.05,
     .squares = 3,
     .batch = contrast},
    {.name = "isotropy",
     .operands = 2,
     .shape = "isotropy WEIGHT A B",
     .squares = 3,
     .batch = isotropy},
    {.name = "topology",
     .operands = 2,
     .shape = "topology WEIGHT A B [tau=T]",
     .tau = 0.07,
     .squares = 4,
     .batch = topology},
};

const ig_term_kind *ig_batch_term_at(size_t i)
{
    return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}
