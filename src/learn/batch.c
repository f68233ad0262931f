/* The fused pass over the rows of a mini-batch. Legend as in batch.h. */
#include "learn/batch.h"

#include <math.h>
#include <string.h>

#include "linear/blas.h"

/* The storage that terms of the batch work in; none when there are none. */
static bool init_groups(ig_batch *b, const ig_plan *plan, ig_batch_shape shape)
{
    size_t n = shape.capacity, w = shape.width;
    size_t squares = 0;

    for (size_t t = 0; t < plan->terms; t++)
        if (plan->term[t].term->kind->squares > squares)
            squares = plan->term[t].term->kind->squares;
    return !plan->shared ||
           ((b->operand = ig_alloc(2 * n, w * sizeof *b->operand)) &&
            (b->extra = ig_alloc(plan->shared * n, w * sizeof *b->extra)) &&
            (b->square = ig_alloc(squares * n, n * sizeof *b->square)) &&
            (b->logit = ig_alloc(n, shape.languages * sizeof *b->logit)) &&
            (b->other = ig_alloc(n, sizeof *b->other)) &&
            (b->factor = ig_alloc(n, sizeof *b->factor)) &&
            (b->language_sum =
                 ig_alloc(shape.languages, w * sizeof *b->language_sum)) &&
            (b->language_rows = ig_alloc(shape.languages, sizeof *b->language_rows)) &&
            (b->row_value = ig_alloc(n, sizeof *b->row_value)));
}

ig_status ig_batch_init(ig_batch *b, const ig_plan *plan, ig_batch_shape shape,
                        ig_error *error)
{
    size_t rows = 2 * shape.capacity + shape.ghosts;
    size_t out = shape.width * shape.outputs;
    bool ok;

    *b = (ig_batch){.plan = plan,
                    .kernels = ig_kernels_best(),
                    .capacity = shape.capacity,
                    .dims = shape.dims,
                    .width = shape.width,
                    .outputs = shape.outputs,
                    .hidden = shape.hidden,
                    .languages = shape.languages};
    ok = (b->e = ig_alloc(rows, shape.dims * sizeof *b->e)) &&
         (b->h = ig_alloc(rows, out * sizeof *b->h)) &&
         (b->g = ig_alloc(rows, out * sizeof *b->g)) &&
         (b->layer = ig_alloc(rows, shape.hidden * sizeof *b->layer)) &&
         (b->layer_g = ig_alloc(rows, shape.hidden * sizeof *b->layer_g)) &&
         (b->inverse = ig_alloc(rows, sizeof *b->inverse)) &&
         (b->lang = ig_alloc(rows, sizeof *b->lang)) &&
         (b->meaning = ig_alloc(shape.capacity + shape.ghosts, sizeof *b->meaning)) &&
         (b->partner = ig_alloc(rows, sizeof *b->partner)) &&
         (b->first = ig_alloc(rows + 2, sizeof *b->first)) &&
         (b->user = ig_alloc(rows, sizeof *b->user)) &&
         (b->c = ig_alloc(shape.capacity * plan->slots, sizeof *b->c)) &&
         (b->sums = ig_alloc(shape.capacity / IG_BATCH_SUMMED + 1, sizeof *b->sums)) &&
         init_groups(b, plan, shape);
    if (ok)
        return IG_OK;
    ig_batch_free(b);
    return ig_fail_memory(error, "a mini-batch");
}

void ig_batch_free(ig_batch *b)
{
    void *const block[] = {b->e,
                           b->h,
                           b->g,
                           b->layer,
                           b->layer_g,
                           b->inverse,
                           b->lang,
                           b->meaning,
                           b->partner,
                           b->first,
                           b->user,
                           b->c,
                           b->sums,
                           b->operand,
                           b->extra,
                           b->square,
                           b->logit,
                           b->factor,
                           b->row_value,
                           b->language_sum,
                           b->language_rows,
                           b->other};

    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
        ig_free(block[i]);
    *b = (ig_batch){0};
}

size_t ig_batch_rows(const ig_batch *b)
{
    return 2 * b->size + b->ghosts[0] + b->ghosts[1];
}

size_t ig_batch_side(const ig_batch *b, size_t row)
{
    return row < 2 * b->size ? row >= b->size : row >= 2 * b->size + b->ghosts[0];
}

double ig_batch_share(const ig_batch *b)
{
    return (double)b->size / (double)b->whole;
}

void ig_batch_forward(ig_batch *b, const float *w, const float *bias, size_t first,
                      size_t last)
{
    size_t d = b->dims, out = b->width * b->outputs, rows = ig_batch_rows(b);

    for (size_t i = first; i < last; i++)
        memcpy(b->h + i * out, bias, out * sizeof *bias);
    ig_gemm_rows(false, true, 1, ig_matrix_of(b->e, rows, d),
                 ig_matrix_of((float *)w, out, d), 1, ig_matrix_of(b->h, rows, out),
                 first, last);
}

/* Where a stacked row's vector of an atom lies. */
static const float *vector(const ig_batch *b, size_t atom, size_t row)
{
    if (atom < IG_ATOM_MEANING)
        return b->e + row * b->dims;
    return b->h + row * b->width * b->outputs +
           (atom < IG_ATOM_LANGUAGE ? 0 : b->width);
}

void ig_batch_locate(const ig_batch *b, size_t i, const float *v[IG_ATOMS])
{
    for (size_t k = 0; k < b->plan->bases; k++) {
        size_t atom = b->plan->base[k];
        size_t row = (atom >> 1 & 1) * b->size + i;

        v[k] = vector(b, atom, atom & 1 ? b->partner[row] : row);
    }
}

ig_matrix ig_batch_base(const ig_batch *b, size_t base)
{
    size_t atom = b->plan->base[base];

    return (ig_matrix){(float *)vector(b, atom, (atom >> 1 & 1) * b->size), b->size,
                       b->width,
                       atom < IG_ATOM_MEANING ? b->dims : b->width * b->outputs};
}

ig_matrix ig_batch_extra(const ig_batch *b, size_t s)
{
    return ig_matrix_of(b->extra + s * b->capacity * b->width, b->size, b->width);
}

bool ig_batch_is_on(const ig_batch *b, const ig_plan_term *t)
{
    return t->on && b->epoch >= t->term->from;
}

enum { SIDE = IG_BATCH_SUMMED };

/* What is known of the pairs that are worked out side by side. */
struct block {
    double dots[IG_PLAN_PAIRS][SIDE];
    double c[IG_PLAN_SLOTS][SIDE];
};

static void add_quadratic(const struct block *v, const ig_quadratic *q, double *sum)
{
    for (size_t i = 0; i < SIDE; i++)
        sum[i] = 0;
    for (size_t k = 0; k < q->parts; k++)
        for (size_t i = 0; i < SIDE; i++)
            sum[i] += q->factor[k] * v->dots[q->pair[k]][i];
}

/* A rounded square can fall below zero where a vector vanishes. */
static void add_square(const struct block *v, const ig_quadratic *q, double *sum)
{
    add_quadratic(v, q, sum);
    for (size_t i = 0; i < SIDE; i++)
        sum[i] = sum[i] < 0 ? 0 : sum[i];
}

static void spread(const ig_plan_term *t, const ig_row_dots *slope, double scale,
                   struct block *v)
{
    for (size_t k = 0; k < t->spreads; k++) {
        const ig_slope_share *s = &t->spread[k];
        double aa = scale * s->aa, ab = scale * s->ab, bb = scale * s->bb;
        double *c = v->c[s->slot];

        for (size_t i = 0; i < SIDE; i++)
            c[i] += aa * slope->aa[i] + ab * slope->ab[i] + bb * slope->bb[i];
    }
}

/* Values of n pairs from `first` on, and their coefficients. */
static void block_values(ig_batch *b, struct block *v, size_t first, size_t n,
                         bool gradients)
{
    const ig_plan *plan = b->plan;
    ig_batch_sums *sums = &b->sums[first / SIDE];
    ig_row_dots g, slope;
    double value[SIDE];

    memset(sums->value, 0, sizeof sums->value);
    memset(v->c, 0, plan->slots * sizeof *v->c);
    for (size_t i = 0; i < SIDE; i++) {
        const float *vector[IG_ATOMS];
        double dots[IG_PLAN_PAIRS] = {0};

        if (i < n) {
            ig_batch_locate(b, first + i, vector);
            b->kernels->dots(vector, plan->left, plan->right, plan->pairs, b->width,
                             dots);
        }
        for (size_t k = 0; k < plan->pairs; k++)
            v->dots[k][i] = dots[k];
    }
    for (size_t t = 0; t < plan->terms; t++) {
        const ig_plan_term *term = &plan->term[t];

        if (term->shared >= 0 || !ig_batch_is_on(b, term))
            continue;
        add_square(v, &term->aa, g.aa);
        add_square(v, &term->bb, g.bb);
        add_quadratic(v, &term->ab, g.ab);
        term->term->kind->row(&g, b->width, value, &slope);
        for (size_t i = 0; i < n; i++)
            sums->value[t] += value[i];
        if (gradients)
            spread(term, &slope, term->weight / (double)b->whole, v);
    }
}

void ig_batch_values(ig_batch *b, bool gradients, size_t first, size_t last)
{
    size_t slots = b->plan->slots;
    struct block v;

    for (size_t at = first; at < last; at += SIDE) {
        size_t n = last - at < SIDE ? last - at : SIDE;

        block_values(b, &v, at, n, gradients);
        for (size_t i = 0; i < n && gradients; i++)
            for (size_t s = 0; s < slots; s++)
                b->c[(at + i) * slots + s] = v.c[s][i];
    }
}

double ig_batch_loss(const ig_batch *b, double value[IG_PLAN_TERMS])
{
    double loss = 0;

    for (size_t t = 0; t < b->plan->terms; t++) {
        const ig_plan_term *term = &b->plan->term[t];
        double sum = 0;

        for (size_t i = 0; i < b->size; i += IG_BATCH_SUMMED)
            sum += b->sums[i / IG_BATCH_SUMMED].value[t];
        value[t] = !term->on                  ? NAN
                   : !ig_batch_is_on(b, term) ? 0
                   : term->shared >= 0        ? b->value[t]
                                              : sum / (double)b->whole;
        loss += term->on ? term->weight * value[t] : 0;
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
    m->batch->kernels->combine(m->v, m->c, m->n, m->batch->width, m->add, m->out);
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

    ig_batch_locate(b, i, v);
    for (size_t s = 0; s < plan->slots; s++)
        if (plan->slot[s].target == target)
            put(m, v[plan->slot[s].source], c[s]);
    for (size_t t = 0; plan->shared && t < plan->terms; t++) {
        const ig_plan_term *term = &plan->term[t];

        if (term->shared < 0 || !ig_batch_is_on(b, term))
            continue;
        for (size_t k = 0; k < term->term->kind->operands; k++)
            put(m, ig_matrix_row(ig_batch_extra(b, (size_t)term->shared + k), i),
                term->coefficient[k][target]);
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
    size_t w = b->width, out = b->width * b->outputs;

    for (size_t o = 0; o < b->outputs; o++)
        for (size_t row = first; row < last; row++) {
            size_t side = ig_batch_side(b, row);
            size_t atom = (o ? IG_ATOM_LANGUAGE : IG_ATOM_MEANING) + 2 * side;
            int self = find_base(b->plan, atom);
            int partner = find_base(b->plan, atom + 1);
            struct mix m = {.batch = b, .out = b->g + row * out + o * w};

            if (self >= 0 && row < 2 * b->size)
                put_pair(&m, row - side * b->size, (size_t)self);
            for (size_t u = b->first[row]; partner >= 0 && u < b->first[row + 1]; u++)
                put_pair(&m, b->user[u] - side * b->size, (size_t)partner);
            flush(&m);
        }
}
