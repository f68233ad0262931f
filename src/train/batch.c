/* The plan, and the fused pass over the rows of a mini-batch. Legend as in batch.h. */
#include "train/batch.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"

/* --- the plan --------------------------------------------------------------------- */

/* Number of the base for an atom, or −1. */
static int find_base(const ig_plan *plan, size_t atom)
{
    for (size_t k = 0; k < plan->bases; k++)
        if (plan->base[k] == atom)
            return (int)k;
    return -1;
}

static size_t get_base(ig_plan *plan, size_t atom)
{
    int base = find_base(plan, atom);

    if (base >= 0)
        return (size_t)base;
    plan->base[plan->bases] = (uint8_t)atom;
    return plan->bases++;
}

/* Coefficients of an operand over the bases. For `residual`, l = e − m. */
static void expand_operand(ig_plan *plan, ig_extractor_kind kind, ig_operand operand,
                           double *coefficient)
{
    for (size_t i = 0; i < operand.atoms; i++) {
        size_t atom = operand.atom[i];
        size_t row = atom & 3;

        if (atom >= IG_ATOM_LANGUAGE && kind == IG_RESIDUAL) {
            coefficient[get_base(plan, IG_ATOM_ORIGINAL + row)] += 1;
            coefficient[get_base(plan, IG_ATOM_MEANING + row)] -= 1;
        } else {
            coefficient[get_base(plan, atom)] += 1;
        }
    }
}

static size_t get_pair(ig_plan *plan, size_t k, size_t l)
{
    size_t low = k < l ? k : l;
    size_t high = k < l ? l : k;

    for (size_t i = 0; i < plan->pairs; i++)
        if (plan->left[i] == low && plan->right[i] == high)
            return i;
    plan->left[plan->pairs] = (uint8_t)low;
    plan->right[plan->pairs] = (uint8_t)high;
    return plan->pairs++;
}

static void make_quadratic(ig_plan *plan, const double *a, const double *b,
                           ig_quadratic *q)
{
    for (size_t k = 0; k < plan->bases; k++)
        for (size_t l = 0; l < plan->bases; l++) {
            size_t pair, i = 0;

            if (a[k] == 0 || b[l] == 0)
                continue;
            pair = get_pair(plan, k, l);
            while (i < q->parts && q->pair[i] != pair)
                i++;
            q->pair[i] = (uint8_t)pair;
            q->factor[i] += a[k] * b[l];
            q->parts += i == q->parts;
        }
}

static size_t get_slot(ig_plan *plan, size_t target, size_t source)
{
    for (size_t i = 0; i < plan->slots; i++)
        if (plan->target[i] == target && plan->source[i] == source)
            return i;
    plan->target[plan->slots] = (uint8_t)target;
    plan->source[plan->slots] = (uint8_t)source;
    return plan->slots++;
}

static bool make_spread(ig_plan *plan, ig_plan_term *t)
{
    const double *a = t->coefficient[0];
    const double *b = t->coefficient[1];

    t->spread = ig_arena_alloc(&plan->arena, IG_PLAN_SLOTS * sizeof *t->spread);
    if (!t->spread)
        return false;
    for (size_t k = 0; k < plan->bases; k++)
        for (size_t l = 0; l < plan->bases; l++) {
            ig_slope_share s = {.aa = 2 * a[k] * a[l],
                                .ab = a[k] * b[l] + b[k] * a[l],
                                .bb = 2 * b[k] * b[l]};

            if (plan->base[k] < IG_ATOM_MEANING ||
                (s.aa == 0 && s.ab == 0 && s.bb == 0))
                continue;
            s.slot = (uint8_t)get_slot(plan, k, l);
            t->spread[t->spreads++] = s;
        }
    return true;
}

static ig_status make_term(ig_plan *plan, const ig_objective *objective,
                           const ig_term *term, ig_error *error)
{
    ig_plan_term *t = &plan->term[plan->terms++];

    t->term = term;
    t->weight = term->weight;
    t->on = !term->off;
    t->shared = -1;
    if (term->kind->batch) {
        if (plan->shared + term->kind->operands > IG_PLAN_SHARED)
            return ig_fail(error, IG_VALUE, "line %zu: too many terms of the batch",
                           term->line);
        t->shared = (int)plan->shared;
        plan->shared += term->kind->operands;
    }
    for (size_t i = 0; i < term->kind->operands; i++)
        expand_operand(plan, objective->extractor, term->operand[i], t->coefficient[i]);
    if (term->kind->batch)
        return IG_OK; /* computes its own gradient */
    make_quadratic(plan, t->coefficient[0], t->coefficient[0], &t->aa);
    make_quadratic(plan, t->coefficient[0], t->coefficient[1], &t->ab);
    make_quadratic(plan, t->coefficient[1], t->coefficient[1], &t->bb);
    return make_spread(plan, t) ? IG_OK : ig_fail_memory(error, "the objective's plan");
}

ig_status ig_plan_make(ig_plan *plan, const ig_objective *objective, ig_error *error)
{
    ig_status status = IG_OK;

    *plan = (ig_plan){0};
    plan->term =
        ig_arena_alloc(&plan->arena, (objective->terms + 1) * sizeof *plan->term);
    if (!plan->term)
        return ig_fail_memory(error, "the objective's plan");
    for (size_t i = 0; i < objective->terms && status == IG_OK; i++)
        status = make_term(plan, objective, &objective->term[i], error);
    return status;
}

void ig_plan_free(ig_plan *plan)
{
    ig_arena_free(&plan->arena);
    *plan = (ig_plan){0};
}

bool ig_plan_uses_partners(const ig_plan *plan, size_t side)
{
    for (size_t atom = 1 + 2 * side; atom < IG_ATOMS; atom += 4)
        if (find_base(plan, atom) >= 0)
            return true;
    return false;
}

/* --- storage ---------------------------------------------------------------------- */

static bool init_terms(ig_batch *b)
{
    size_t n = b->capacity, w = b->width, squares = 0;

    for (size_t t = 0; t < b->plan->terms; t++)
        if (b->plan->term[t].term->kind->squares > squares)
            squares = b->plan->term[t].term->kind->squares;
    return !b->plan->shared ||
           ((b->operand = ig_alloc(2 * n, w * sizeof *b->operand)) &&
            (b->extra = ig_alloc(b->plan->shared * n, w * sizeof *b->extra)) &&
            (b->square = ig_alloc(squares * n, n * sizeof *b->square)) &&
            (b->logit = ig_alloc(n, b->languages * sizeof *b->logit)) &&
            (b->other = ig_alloc(n, sizeof *b->other)) &&
            (b->factor = ig_alloc(n, sizeof *b->factor)) &&
            (b->language_sum = ig_alloc(b->languages, w * sizeof *b->language_sum)) &&
            (b->language_rows = ig_alloc(b->languages, sizeof *b->language_rows)) &&
            (b->row_value = ig_alloc(n, sizeof *b->row_value)));
}

ig_status ig_batch_init(ig_batch *b, size_t ghosts, ig_error *error)
{
    size_t rows = 2 * b->capacity + ghosts, out = b->width * b->outputs;
    bool ready;

    b->kernels = ig_kernels_best();
    ready = (b->e = ig_alloc(rows, b->dims * sizeof *b->e)) &&
            (b->h = ig_alloc(rows, out * sizeof *b->h)) &&
            (b->g = ig_alloc(rows, out * sizeof *b->g)) &&
            (b->layer = ig_alloc(rows, b->hidden * sizeof *b->layer)) &&
            (b->layer_g = ig_alloc(rows, b->hidden * sizeof *b->layer_g)) &&
            (b->inverse = ig_alloc(rows, sizeof *b->inverse)) &&
            (b->lang = ig_alloc(rows, sizeof *b->lang)) &&
            (b->meaning = ig_alloc(b->capacity + ghosts, sizeof *b->meaning)) &&
            (b->partner = ig_alloc(rows, sizeof *b->partner)) &&
            (b->first = ig_alloc(rows + 2, sizeof *b->first)) &&
            (b->user = ig_alloc(rows, sizeof *b->user)) &&
            (b->c = ig_alloc(b->capacity * b->plan->slots, sizeof *b->c)) &&
            (b->sums = ig_alloc(b->capacity / IG_TERM_ROWS + 1,
                                b->plan->terms * sizeof *b->sums)) &&
            init_terms(b);
    return ready ? IG_OK : ig_fail_memory(error, "a mini-batch");
}

void ig_batch_free(ig_batch *b)
{
    IG_FREE(b->e, b->h, b->g, b->layer, b->layer_g, b->inverse, b->lang, b->meaning,
            b->partner, b->first, b->user, b->c, b->sums, b->operand, b->extra,
            b->square, b->logit, b->factor, b->other, b->language_sum, b->language_rows,
            b->row_value);
    *b = (ig_batch){0};
}

/* --- values ----------------------------------------------------------------------- */

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

static const float *get_vector(const ig_batch *b, size_t atom, size_t row)
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

        v[k] = get_vector(b, atom, atom & 1 ? b->partner[row] : row);
    }
}

ig_matrix ig_batch_base(const ig_batch *b, size_t base)
{
    size_t atom = b->plan->base[base];

    return (ig_matrix){(float *)get_vector(b, atom, (atom >> 1 & 1) * b->size), b->size,
                       b->width,
                       atom < IG_ATOM_MEANING ? b->dims : b->width * b->outputs};
}

ig_matrix ig_batch_extra(const ig_batch *b, size_t s)
{
    return ig_matrix_of(b->extra + s * b->capacity * b->width, b->size, b->width);
}

enum { SIDE = IG_TERM_ROWS };

/* Values of SIDE pairs processed together. */
struct block {
    double dots[IG_PLAN_PAIRS][SIDE];
    double c[IG_PLAN_SLOTS][SIDE];
};

/* Rounding can make a square negative when a vector vanishes: clamp to 0 if
 * `square`. */
static void add_quadratic(const struct block *v, const ig_quadratic *q, bool square,
                          double *sum)
{
    for (size_t i = 0; i < SIDE; i++)
        sum[i] = 0;
    for (size_t k = 0; k < q->parts; k++)
        for (size_t i = 0; i < SIDE; i++)
            sum[i] += q->factor[k] * v->dots[q->pair[k]][i];
    for (size_t i = 0; square && i < SIDE; i++)
        sum[i] = sum[i] < 0 ? 0 : sum[i];
}

static void add_slopes(const ig_plan_term *t, const ig_row_dots *slope, double scale,
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

static void compute_block(ig_batch *b, struct block *v, size_t first, size_t n,
                          bool gradients)
{
    const ig_plan *plan = b->plan;
    double *sums = b->sums + first / SIDE * plan->terms;
    ig_row_dots g, slope;
    double value[SIDE];

    memset(sums, 0, plan->terms * sizeof *sums);
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
        add_quadratic(v, &term->aa, true, g.aa);
        add_quadratic(v, &term->bb, true, g.bb);
        add_quadratic(v, &term->ab, false, g.ab);
        term->term->kind->row(&g, b->width, value, &slope);
        for (size_t i = 0; i < n; i++)
            sums[t] += value[i];
        if (gradients)
            add_slopes(term, &slope, term->weight / (double)b->whole, v);
    }
}

void ig_batch_values(ig_batch *b, bool gradients, size_t first, size_t last)
{
    size_t slots = b->plan->slots;
    struct block v;

    for (size_t at = first; at < last; at += SIDE) {
        size_t n = last - at < SIDE ? last - at : SIDE;

        compute_block(b, &v, at, n, gradients);
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

        for (size_t i = 0; i < b->size; i += SIDE)
            sum += b->sums[i / SIDE * b->plan->terms + t];
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

/* Linear combination, accumulated MIX vectors at a time. */
struct mix {
    const ig_batch *batch;
    float *out;
    size_t n;
    int add;
    const float *v[MIX];
    float c[MIX];
};

static void flush_mix(struct mix *m)
{
    m->batch->kernels->combine(m->v, m->c, m->n, m->batch->width, m->add, m->out);
    m->add = 1;
    m->n = 0;
}

static void add_vector(struct mix *m, const float *v, double c)
{
    if (c == 0)
        return;
    if (m->n == MIX)
        flush_mix(m);
    m->v[m->n] = v;
    m->c[m->n++] = (float)c;
}

static void add_pair(struct mix *m, size_t i, size_t target)
{
    const ig_batch *b = m->batch;
    const ig_plan *plan = b->plan;
    const double *c = b->c + i * plan->slots;
    const float *v[IG_ATOMS];

    ig_batch_locate(b, i, v);
    for (size_t s = 0; s < plan->slots; s++)
        if (plan->target[s] == target)
            add_vector(m, v[plan->source[s]], c[s]);
    for (size_t t = 0; plan->shared && t < plan->terms; t++) {
        const ig_plan_term *term = &plan->term[t];

        if (term->shared < 0 || !ig_batch_is_on(b, term))
            continue;
        for (size_t k = 0; k < term->term->kind->operands; k++)
            add_vector(m, ig_matrix_row(ig_batch_extra(b, (size_t)term->shared + k), i),
                       term->coefficient[k][target]);
    }
}

void ig_batch_gradient(ig_batch *b, size_t first, size_t last)
{
    size_t w = b->width, out = b->width * b->outputs;

    for (size_t o = 0; o < b->outputs; o++)
        for (size_t row = first; row < last; row++) {
            size_t side = row < 2 * b->size ? row >= b->size
                                            : row >= 2 * b->size + b->ghosts[0];
            size_t atom = (o ? IG_ATOM_LANGUAGE : IG_ATOM_MEANING) + 2 * side;
            int self = find_base(b->plan, atom);
            int partner = find_base(b->plan, atom + 1);
            struct mix m = {.batch = b, .out = b->g + row * out + o * w};

            if (self >= 0 && row < 2 * b->size)
                add_pair(&m, row - side * b->size, (size_t)self);
            for (size_t u = b->first[row]; partner >= 0 && u < b->first[row + 1]; u++)
                add_pair(&m, b->user[u] - side * b->size, (size_t)partner);
            flush_mix(&m);
        }
}
