/* The fused pass over the rows of a mini-batch. Legend as in batch.h. */
#include "learn/batch.h"

#include <math.h>
#include <string.h>

#include "isogloss/linear/blas.h"

ig_status ig_batch_init(ig_batch *b, const ig_plan *plan, size_t capacity, size_t dims,
                        size_t outputs, size_t members, ig_error *error)
{
    size_t rows = 2 * capacity;
    size_t shared = plan->shared;
    bool ok;

    *b = (ig_batch){.plan = plan,
                    .kernels = ig_kernels_best(),
                    .capacity = capacity,
                    .dims = dims,
                    .outputs = outputs,
                    .members = members};
    ok = (b->e = ig_alloc(rows * dims, sizeof *b->e)) &&
         (b->h = ig_alloc(rows * dims * outputs, sizeof *b->h)) &&
         (b->g = ig_alloc(rows * dims * outputs, sizeof *b->g)) &&
         (b->lang = ig_alloc(rows, sizeof *b->lang)) &&
         (b->partner = ig_alloc(rows, sizeof *b->partner)) &&
         (b->first = ig_alloc(rows + 1, sizeof *b->first)) &&
         (b->user = ig_alloc(rows, sizeof *b->user)) &&
         (b->c = ig_alloc(capacity * plan->slots, sizeof *b->c)) &&
         (b->length = ig_alloc(capacity * shared, sizeof *b->length)) &&
         (b->reach = ig_alloc(capacity * shared, sizeof *b->reach)) &&
         (b->total = ig_alloc(shared * dims, sizeof *b->total)) &&
         (b->sums = ig_alloc(members, sizeof *b->sums));
    for (size_t i = 0; ok && i < members; i++)
        ok = (b->sums[i].shared = ig_alloc(shared * dims, sizeof(float))) != NULL;
    if (ok)
        return IG_OK;
    ig_batch_free(b);
    return ig_fail_memory(error, "a mini-batch");
}

void ig_batch_free(ig_batch *b)
{
    for (size_t i = 0; b->sums && i < b->members; i++)
        ig_free(b->sums[i].shared);
    ig_free(b->e);
    ig_free(b->h);
    ig_free(b->g);
    ig_free(b->lang);
    ig_free(b->partner);
    ig_free(b->first);
    ig_free(b->user);
    ig_free(b->c);
    ig_free(b->length);
    ig_free(b->reach);
    ig_free(b->total);
    ig_free(b->sums);
    *b = (ig_batch){0};
}

void ig_batch_forward(ig_batch *b, const float *w, const float *bias, size_t first,
                      size_t last)
{
    size_t d = b->dims, out = b->dims * b->outputs;
    size_t n = last - first;
    ig_matrix h = ig_matrix_of(b->h + first * out, n, out);

    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        memcpy(ig_matrix_row(h, i), bias, out * sizeof *bias);
    ig_gemm(false, true, 1, ig_matrix_of(b->e + first * d, n, d),
            ig_matrix_of((float *)w, out, d), 1, h);
}

/* The vectors of pair i, by base. */
static void locate(const ig_batch *b, size_t i, const float *v[IG_ATOMS])
{
    size_t d = b->dims, out = b->dims * b->outputs;

    for (size_t k = 0; k < b->plan->bases; k++) {
        size_t atom = b->plan->base[k];
        size_t row = (atom >> 1 & 1) * b->size + i;

        if (atom & 1)
            row = b->partner[row];
        if (atom < IG_ATOM_MEANING)
            v[k] = b->e + row * d;
        else
            v[k] = b->h + row * out + (atom < IG_ATOM_LANGUAGE ? 0 : d);
    }
}

static bool is_on(const ig_batch *b, const ig_plan_term *t)
{
    return b->epoch >= t->term->from;
}

/* A rounded square can fall below zero where a vector vanishes. */
static double square(const ig_quadratic *q, const double *dots)
{
    double x = ig_quadratic_value(q, dots);

    return x < 0 ? 0 : x;
}

static void spread(const ig_plan_term *t, ig_row_dots slope, double *c)
{
    for (size_t i = 0; i < t->spreads; i++) {
        const ig_spread *s = &t->spread[i];

        c[s->slot] += s->aa * slope.aa + s->ab * slope.ab + s->bb * slope.bb;
    }
}

/* Add a row's unit vector u = A / sqrt(|A|²+ε) to the member's Σ u. */
static void add_unit(const ig_batch *b, const ig_plan_term *t, double length,
                     const float *const *v, float *sum)
{
    double scale = 1.0 / sqrt(length + IG_COS_EPS);
    const float *part[IG_ATOMS];
    float factor[IG_ATOMS];
    size_t n = 0;

    for (size_t k = 0; k < b->plan->bases; k++)
        if (t->coefficient[0][k] != 0) {
            part[n] = v[k];
            factor[n++] = (float)(scale * t->coefficient[0][k]);
        }
    b->kernels->combine(part, factor, n, b->dims, 1, sum);
}

static void pair_values(ig_batch *b, ig_batch_sums *sums, size_t i, double *c)
{
    const ig_plan *plan = b->plan;
    const float *v[IG_ATOMS];
    double dots[IG_PLAN_PAIRS];

    locate(b, i, v);
    b->kernels->dots(v, plan->left, plan->right, plan->pairs, b->dims, dots);
    for (size_t t = 0; t < plan->terms; t++) {
        const ig_plan_term *term = &plan->term[t];
        double scale = term->term->weight / (double)b->size;
        ig_row_dots g, slope;

        if (!is_on(b, term))
            continue;
        g.aa = square(&term->aa, dots);
        if (term->shared >= 0) {
            size_t s = (size_t)term->shared;

            b->length[i * plan->shared + s] = g.aa;
            sums->length[s] += g.aa / (g.aa + IG_COS_EPS);
            add_unit(b, term, g.aa, v, sums->shared + s * b->dims);
            continue;
        }
        g.bb = square(&term->bb, dots);
        g.ab = ig_quadratic_value(&term->ab, dots);
        sums->value[t] += term->term->kind->row(g, b->dims, &slope);
        slope.aa *= scale;
        slope.ab *= scale;
        slope.bb *= scale;
        if (c)
            spread(term, slope, c);
    }
}

void ig_batch_values(ig_batch *b, bool gradients, size_t member, size_t first,
                     size_t last)
{
    ig_batch_sums *sums = &b->sums[member];
    size_t slots = b->plan->slots;

    memset(sums->value, 0, sizeof sums->value);
    memset(sums->length, 0, sizeof sums->length);
    memset(sums->shared, 0, b->plan->shared * b->dims * sizeof(float));
    if (gradients)
        memset(b->c + first * slots, 0, (last - first) * slots * sizeof *b->c);
    for (size_t i = first; i < last; i++)
        pair_values(b, sums, i, gradients ? b->c + i * slots : NULL);
}

void ig_batch_shared_sum(ig_batch *b, size_t first, size_t last)
{
    for (size_t s = 0; s < b->plan->shared; s++) {
        float *total = b->total + s * b->dims;

        for (size_t j = first; j < last; j++) {
            double sum = 0;

            for (size_t m = 0; m < b->members; m++)
                sum += b->sums[m].shared[s * b->dims + j];
            total[j] = (float)sum;
        }
    }
}

/* cluster: L = 1 − (|S|² − Σ|u|²) / B(B−1), S = Σ u; or, with all=1, 1 − |S|²/B².
 * ∂L/∂u = −2(S − u)·κ, and through u = A f, f = 1/sqrt(|A|²+ε):
 * ∂L/∂A = −2κf S + (2κf² + 2κf³(<A,S> − |A|²f)) A; the terms in u are absent for all=1.
 * [oracle eq.5] */
static void cluster_slopes(ig_batch *b, const ig_plan_term *t, size_t i, double *c)
{
    const ig_plan *plan = b->plan;
    size_t s = (size_t)t->shared;
    double n = (double)b->size;
    bool all = t->term->all;
    double kappa = t->term->weight / (all ? n * n : n * (n - 1));
    double aa = b->length[i * plan->shared + s];
    double f = 1.0 / sqrt(aa + IG_COS_EPS);
    const float *v[IG_ATOMS];
    double along = 0;
    ig_row_dots slope = {0, 0, 0};

    if (b->size < 2)
        return;
    locate(b, i, v);
    for (size_t k = 0; k < plan->bases; k++)
        if (t->coefficient[0][k] != 0)
            along += t->coefficient[0][k] *
                     b->kernels->dot(v[k], b->total + s * b->dims, b->dims);
    b->reach[i * plan->shared + s] = (float)(-2 * kappa * f);
    slope.aa = kappa * f * f * f * (all ? along : along - aa * f);
    if (!all)
        slope.aa += kappa * f * f;
    spread(t, slope, c);
}

void ig_batch_shared_slopes(ig_batch *b, size_t first, size_t last)
{
    memset(b->reach + first * b->plan->shared, 0,
           (last - first) * b->plan->shared * sizeof *b->reach);
    for (size_t t = 0; t < b->plan->terms; t++) {
        const ig_plan_term *term = &b->plan->term[t];

        for (size_t i = first; term->shared >= 0 && is_on(b, term) && i < last; i++)
            cluster_slopes(b, term, i, b->c + i * b->plan->slots);
    }
}

double ig_batch_loss(const ig_batch *b, double value[IG_PLAN_TERMS])
{
    const ig_plan *plan = b->plan;
    double n = (double)b->size;
    double loss = 0;

    for (size_t t = 0; t < plan->terms; t++) {
        const ig_plan_term *term = &plan->term[t];
        double sum = 0, units = 0;

        if (!is_on(b, term)) {
            value[t] = 0;
            continue;
        }
        for (size_t m = 0; m < b->members; m++) {
            sum += b->sums[m].value[t];
            if (term->shared >= 0)
                units += b->sums[m].length[term->shared];
        }
        if (term->shared < 0) {
            value[t] = sum / n;
        } else {
            const float *total = b->total + (size_t)term->shared * b->dims;
            double all = b->kernels->dot(total, total, b->dims);

            value[t] = term->term->all ? 1 - all / (n * n)
                       : b->size > 1   ? 1 - (all - units) / (n * (n - 1))
                                       : 0;
        }
        loss += term->term->weight * value[t];
    }
    return loss;
}

/* --- gradients -------------------------------------------------------------------- */

enum { MIX = 64 };

/* A linear combination being collected, MIX vectors at a time. */
struct mix {
    const ig_batch *batch;
    float *out;
    size_t n;
    int add;
    const float *v[MIX];
    float c[MIX];
};

static void flush(struct mix *m)
{
    m->batch->kernels->combine(m->v, m->c, m->n, m->batch->dims, m->add, m->out);
    m->add = 1;
    m->n = 0;
}

static void put(struct mix *m, const float *v, double c)
{
    if (c == 0)
        return;
    if (m->n == MIX)
        flush(m);
    m->v[m->n] = v;
    m->c[m->n++] = (float)c;
}

/* What pair i says about its base `target`. */
static void put_pair(struct mix *m, size_t i, size_t target)
{
    const ig_batch *b = m->batch;
    const ig_plan *plan = b->plan;
    const double *c = b->c + i * plan->slots;
    const float *v[IG_ATOMS];

    locate(b, i, v);
    for (size_t s = 0; s < plan->slots; s++)
        if (plan->slot[s].target == target)
            put(m, v[plan->slot[s].source], c[s]);
    for (size_t t = 0; plan->shared && t < plan->terms; t++) {
        const ig_plan_term *term = &plan->term[t];
        size_t k = term->shared < 0 ? 0 : (size_t)term->shared;

        if (term->shared >= 0 && is_on(b, term))
            put(m, b->total + k * b->dims,
                term->coefficient[0][target] * b->reach[i * plan->shared + k]);
    }
}

/* Number of the base that is this atom, or −1. */
static int find_base(const ig_plan *plan, size_t atom)
{
    for (size_t k = 0; k < plan->bases; k++)
        if (plan->base[k] == atom)
            return (int)k;
    return -1;
}

void ig_batch_gradient(ig_batch *b, size_t first, size_t last)
{
    size_t d = b->dims, out = b->dims * b->outputs;

    for (size_t o = 0; o < b->outputs; o++)
        for (size_t row = first; row < last; row++) {
            size_t side = row / b->size;
            size_t atom = (o ? IG_ATOM_LANGUAGE : IG_ATOM_MEANING) + 2 * side;
            int self = find_base(b->plan, atom);
            int partner = find_base(b->plan, atom + 1);
            struct mix m = {.batch = b, .out = b->g + row * out + o * d};

            if (self >= 0)
                put_pair(&m, row - side * b->size, (size_t)self);
            for (size_t u = b->first[row]; partner >= 0 && u < b->first[row + 1]; u++)
                put_pair(&m, b->user[u] - side * b->size, (size_t)partner);
            flush(&m);
        }
}
