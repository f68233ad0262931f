/* A mini-batch: bases, rows, layers, terms of rows, gradients. Legend as in batch.h. */
#include "train/batch.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"
#include "core/kernels.h"

/* Grains of loops over rows and outputs: shorter loops are not worth waking threads. */
enum { ROWS = 64, OUTPUTS = 64 };

/* --- the objective over bases ----------------------------------------------------- */

static void add_atom(ig_batch *b, ig_combination *c, size_t atom, float factor)
{
    size_t i = 0;

    if (b->of[atom] < 0) {
        b->of[atom] = (int)b->bases;
        b->base[b->bases++] = (uint8_t)atom;
    }
    while (i < c->n && c->base[i] != b->of[atom])
        i++;
    c->base[i] = (uint8_t)b->of[atom];
    c->factor[i] += factor;
    c->n += i == c->n;
    b->partners |= atom >= IG_ATOM_MEANING && atom & 1;
}

/* For `residual`, l = e − m. */
static void expand_operand(ig_batch *b, ig_operand operand, ig_combination *c)
{
    for (size_t i = 0; i < operand.atoms; i++) {
        size_t atom = operand.atom[i];

        if (atom >= IG_ATOM_LANGUAGE && b->extractor->kind == IG_RESIDUAL) {
            add_atom(b, c, IG_ATOM_ORIGINAL + (atom & 3), 1);
            add_atom(b, c, IG_ATOM_MEANING + (atom & 3), -1);
        } else {
            add_atom(b, c, atom, 1);
        }
    }
}

/* List the elements of G, k ≤ l, that <A,B> needs. */
static void list_dots(ig_batch *b, const ig_combination *x, const ig_combination *y)
{
    for (size_t i = 0; i < x->n * y->n; i++) {
        uint8_t k = x->base[i / y->n], l = y->base[i % y->n];
        uint8_t low = k < l ? k : l, high = k < l ? l : k;
        size_t dot = 0;

        while (dot < b->dots && (b->left[dot] != low || b->right[dot] != high))
            dot++;
        b->left[dot] = low;
        b->right[dot] = high;
        b->dots += dot == b->dots;
    }
}

static void make_terms(ig_batch *b)
{
    for (size_t atom = 0; atom < IG_ATOMS; atom++)
        b->of[atom] = -1;
    for (size_t t = 0; t < b->objective->terms; t++) {
        const ig_term *term = &b->objective->term[t];
        const ig_combination *x = &b->operand[t][0], *y = &b->operand[t][1];

        for (size_t k = 0; k < term->kind->operands; k++)
            expand_operand(b, term->operand[k], &b->operand[t][k]);
        if (term->kind->row) {
            list_dots(b, x, x);
            list_dots(b, x, y);
            list_dots(b, y, y);
        }
        b->grouped |= !term->kind->row;
        b->squares |= term->kind->squares;
    }
}

bool ig_batch_uses_classifier(const ig_batch *b, int how)
{
    const ig_term *term = b->objective->term;

    for (size_t t = 0; t < b->objective->terms; t++)
        if (!term[t].off && (int)term[t].kind->classifier == how)
            return true;
    return false;
}

/* Whether a term is enabled, and not before its from=. */
static bool is_active(const ig_batch *b, size_t t)
{
    const ig_term *term = &b->objective->term[t];

    return !term->off && b->epoch >= term->from;
}

/* --- storage ---------------------------------------------------------------------- */

static void init_layers(ig_batch *b, size_t rows)
{
    const ig_extractor *x = b->extractor;
    size_t d = x->dims, w = x->width, h = x->hidden, out = w * b->outputs;

    b->layers = x->kind == IG_HEAD ? 2 : 1;
    b->layer[0] = (ig_layer){.in = d, .out = out, .bias = out * d};
    if (x->kind == IG_HEAD) {
        b->layer[0] = (ig_layer){.in = d, .out = h, .bias = h * d + w * h};
        b->layer[1] =
            (ig_layer){.in = h, .out = w, .weight = h * d, .bias = h * d + w * h + h};
    }
    b->layer[0].x = ig_arena_array(&b->arena, rows, d * sizeof(float));
    for (ig_layer *l = b->layer; l < b->layer + b->layers; l++) {
        l->x = l == b->layer ? l->x : l[-1].y;
        l->y = ig_arena_array(&b->arena, rows, l->out * sizeof(float));
        l->g = ig_arena_array(&b->arena, rows, l->out * sizeof(float));
    }
}

ig_status ig_batch_init(ig_batch *b, const ig_dataset *set,
                        const ig_objective *objective, ig_extractor *extractor,
                        size_t capacity, size_t ghosts, ig_pool *pool, ig_error *error)
{
    size_t rows = 2 * capacity + ghosts, w = extractor->width * sizeof(float), group;
    ig_arena *a = &b->arena;

    *b = (ig_batch){.set = set,
                    .objective = objective,
                    .extractor = extractor,
                    .pool = pool,
                    .width = extractor->width,
                    .outputs = extractor->kind == IG_TWIN ? 2 : 1,
                    .languages = extractor->languages};
    b->operand = ig_arena_array(a, objective->terms, sizeof *b->operand);
    if (b->operand)
        make_terms(b);
    group = b->grouped ? capacity : 0; /* rows of a term of the batch */
    init_layers(b, rows);
    b->row = ig_arena_array(a, rows, sizeof *b->row);
    b->meaning = ig_arena_array(a, rows, sizeof *b->meaning);
    b->partner = ig_arena_array(a, 2 * capacity, sizeof *b->partner);
    b->inverse = ig_arena_array(a, rows, sizeof *b->inverse);
    b->start = ig_arena_array(a, rows + 2, sizeof *b->start);
    b->user = ig_arena_array(a, 2 * capacity, sizeof *b->user);
    b->slope = ig_arena_array(a, capacity, sizeof *b->slope);
    b->value = ig_arena_array(a, capacity, objective->terms * sizeof *b->value);
    b->gradient = ig_arena_array(a, extractor->size, sizeof *b->gradient);
    b->z = ig_arena_array(a, group, 2 * w);
    b->dz = ig_arena_array(a, group, 2 * w);
    b->work = ig_arena_array(a, group,
                             (b->squares ? 4 * group * sizeof(float) : 0) +
                                 b->languages * sizeof(float));
    b->sum = ig_arena_array(a, b->languages, w);
    b->count = ig_arena_array(a, b->languages, sizeof *b->count);
    b->row_value = ig_arena_array(a, group, sizeof *b->row_value);
    return a->failed ? ig_fail_memory(error, "a mini-batch") : IG_OK;
}

void ig_batch_free(ig_batch *b)
{
    ig_arena_free(&b->arena);
    *b = (ig_batch){0};
}

/* --- forward ---------------------------------------------------------------------- */

/* Inputs of the current layer: gathered rows, or max(0, ·) of the layer before. The
 * outputs start at the biases. */
static void prepare_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_batch *b = context;
    const ig_layer *l = b->current;
    float *x = l->x + first * l->in;

    (void)member;
    if (l == b->layer) {
        ig_dataset_rows(b->set, b->row + first, 0, last - first, x, l->in);
        if (b->extractor->normalize)
            ig_rows_unit(x, l->in, last - first, l->in);
    } else {
        for (size_t i = 0; i < (last - first) * l->in; i++)
            x[i] = x[i] < 0 ? 0 : x[i]; /* NaN propagates */
    }
    for (size_t i = first; i < last; i++)
        memcpy(l->y + i * l->out, b->extractor->weights + l->bias,
               l->out * sizeof(float));
}

/* Outputs of the head, scaled to unit norm. */
static void scale_rows(void *context, size_t member, size_t first, size_t last)
{
    ig_batch *b = context;

    (void)member;
    for (size_t i = first; i < last; i++) {
        float *row = b->layer[1].y + i * b->width;

        b->inverse[i] = (float)(1 / sqrt(ig_row_unit(row, b->width, row) + IG_COS_EPS));
    }
}

void ig_batch_forward(ig_batch *b)
{
    for (size_t i = 0; i < b->layers; i++) {
        const ig_layer *l = b->current = &b->layer[i];

        ig_parallel_for(b->pool, b->rows, ROWS, prepare_rows, b);
        ig_gemm_pool(b->pool, false, true, 1, ig_matrix_of(l->x, b->rows, l->in),
                     ig_matrix_of(b->extractor->weights + l->weight, l->out, l->in), 1,
                     ig_matrix_of(l->y, b->rows, l->out));
    }
    if (b->layers == 2)
        ig_parallel_for(b->pool, b->rows, ROWS, scale_rows, b);
}

/* --- terms of rows ---------------------------------------------------------------- */

/* A vector of pair i, or ∂loss by a meaning or language. A partner's is its row's. */
static float *get_vector(const ig_batch *b, size_t atom, size_t i, bool gradient)
{
    const ig_layer *last = &b->layer[b->layers - 1];
    size_t row = (atom >> 1 & 1) * b->size + i;

    if (atom & 1)
        row = b->partner[row];
    if (atom < IG_ATOM_MEANING)
        return b->layer[0].x + row * b->extractor->dims;
    return (gradient ? last->g : last->y) + row * last->out +
           (atom < IG_ATOM_LANGUAGE ? 0 : b->width);
}

/* Σ a_k b_l G_kl, and its adjoint. */
static double multiply_operands(const ig_combination *x, const ig_combination *y,
                                double gram[IG_ATOMS][IG_ATOMS])
{
    double sum = 0;

    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            sum += (double)x->factor[i] * y->factor[j] * gram[x->base[i]][y->base[j]];
    return sum;
}

static void add_slope(const ig_combination *x, const ig_combination *y, double by,
                      double slope[IG_ATOMS][IG_ATOMS])
{
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            slope[x->base[i]][y->base[j]] += by * x->factor[i] * y->factor[j];
}

/* Value of a term of rows for one pair; adds its slopes by G. Rounding can make a
 * square negative when a vector vanishes. */
static double run_term(const ig_batch *b, size_t t, double gram[IG_ATOMS][IG_ATOMS],
                       double slope[IG_ATOMS][IG_ATOMS])
{
    const ig_combination *x = &b->operand[t][0], *y = &b->operand[t][1];
    const ig_term *term = &b->objective->term[t];
    double scale = term->weight / (double)b->whole, value;
    ig_row_dots by;

    value = term->kind->row((ig_row_dots){.aa = fmax(multiply_operands(x, x, gram), 0),
                                          .ab = multiply_operands(x, y, gram),
                                          .bb = fmax(multiply_operands(y, y, gram), 0)},
                            (double)b->width, &by);
    add_slope(x, x, scale * by.aa, slope);
    add_slope(x, y, scale * by.ab, slope);
    add_slope(y, y, scale * by.bb, slope);
    return value;
}

/* Write the gradient of pair i by a meaning or language atom, or `add` it. */
static void write_gradient(const ig_batch *b, size_t atom, size_t i, int add)
{
    const float *part[IG_ATOMS];
    float factor[IG_ATOMS];
    size_t n = 0;
    int k = b->of[atom];

    for (size_t l = 0; k >= 0 && l < b->bases; l++) {
        part[n] = get_vector(b, b->base[l], i, false);
        factor[n] = (float)(b->slope[i][k][l] + b->slope[i][l][k]);
        n += factor[n] != 0;
    }
    ig_row_combine(part, factor, n, b->width, add, get_vector(b, atom, i, true));
}

/* The gradients by rows, in their pairs (ghosts have none) and as partners. */
static void write_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_batch *b = context;
    size_t n = b->size;

    (void)member;
    for (size_t at = first * b->outputs; at < last * b->outputs; at++) {
        size_t row = at / b->outputs, atom = IG_ATOM_MEANING + at % b->outputs * 4;
        int add = row < 2 * n;

        if (add)
            write_gradient(b, atom + row / n * 2, row % n, 0);
        for (size_t k = b->start[row]; k < b->start[row + 1]; k++, add = 1)
            write_gradient(b, atom + b->user[k] / n * 2 + 1, b->user[k] % n, add);
    }
}

static size_t get_partner(const void *batch, size_t row)
{
    return ((const ig_batch *)batch)->partner[row];
}

static void run_pairs(void *context, size_t member, size_t first, size_t last)
{
    ig_batch *b = context;
    size_t terms = b->objective->terms;

    (void)member;
    for (size_t i = first; i < last; i++) {
        double gram[IG_ATOMS][IG_ATOMS];
        const float *v[IG_ATOMS];

        memset(b->slope[i], 0, sizeof b->slope[i]);
        for (size_t k = 0; k < b->bases; k++)
            v[k] = get_vector(b, b->base[k], i, false);
        for (size_t k = 0; k < b->dots; k++)
            gram[b->left[k]][b->right[k]] = gram[b->right[k]][b->left[k]] =
                ig_dot(v[b->left[k]], v[b->right[k]], b->width);
        for (size_t t = 0; t < terms; t++)
            if (b->objective->term[t].kind->row && is_active(b, t))
                b->value[i * terms + t] = run_term(b, t, gram, b->slope[i]);
    }
}

/* --- terms of the batch ----------------------------------------------------------- */

/* Rows of the operands, sums of vectors, and zeros; `back`: of the gradients by them,
 * added to those by the vectors. Originals have none. */
static void link_operands(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    const ig_batch *b = g->batch;
    size_t operands = g->term->kind->operands;

    (void)member;
    for (size_t at = first * operands; at < last * operands; at++) {
        size_t i = at / operands, o = at % operands;
        const ig_combination *c = &g->operand[o];

        if (!g->back)
            memset(ig_matrix_row(g->dz[o], i), 0, b->width * sizeof(float));
        for (size_t k = 0; k < c->n; k++) {
            size_t atom = b->base[c->base[k]];
            const float *from = g->back ? ig_matrix_row(g->dz[o], i)
                                        : get_vector(b, atom, i, false);

            if (!g->back)
                ig_row_combine(&from, &c->factor[k], 1, b->width, k > 0,
                               ig_matrix_row(g->z[o], i));
            else if (atom >= IG_ATOM_MEANING)
                ig_row_combine(&from, &c->factor[k], 1, b->width, 1,
                               get_vector(b, atom, i, true));
        }
    }
}

/* The value of a term of the batch, or 0; a process may have no pairs. */
static double run_group(ig_batch *b, size_t t, bool gradients, bool discriminates)
{
    const ig_term *term = &b->objective->term[t];
    size_t n = b->size, w = b->width, atom = term->operand[0].atom[0];
    double share = (double)n / (double)b->whole, value;
    /* A sole operand that is a base, no partner's and no original, is not copied. */
    bool is_base = term->kind->operands == 1 && term->operand[0].atoms == 1 &&
                   b->of[atom] >= 0 && atom >= IG_ATOM_MEANING && !(atom & 1);
    ig_group g = {.batch = b,
                  .term = term,
                  .operand = b->operand[t],
                  .gradients = gradients,
                  .discriminates = discriminates,
                  .weight = discriminates ? share : share * term->weight,
                  .z = {ig_matrix_of(b->z, n, w), ig_matrix_of(b->z + n * w, n, w)},
                  .dz = {ig_matrix_of(b->dz, n, w), ig_matrix_of(b->dz + n * w, n, w)}};

    if (!term->kind->batch || !is_active(b, t) || !n)
        return 0;
    if (is_base) {
        g.z[0] = (ig_matrix){get_vector(b, atom, 0, false), n, w, w * b->outputs};
        g.dz[0] = (ig_matrix){get_vector(b, atom, 0, true), n, w, w * b->outputs};
    } else {
        ig_parallel_for(b->pool, n, ROWS, link_operands, &g);
    }
    value = share * term->kind->batch(&g);
    g.back = true;
    if (gradients && !discriminates && !is_base) /* a partner may have several rows */
        ig_parallel_for(b->pool, n, b->partners ? n : ROWS, link_operands, &g);
    return value;
}

void ig_batch_discriminate(ig_batch *b)
{
    for (size_t t = 0; t < b->objective->terms; t++)
        if (b->objective->term[t].kind->classifier == IG_FOOLS_CLASSIFIER)
            run_group(b, t, true, true);
}

double ig_batch_terms(ig_batch *b, bool gradients, double *value)
{
    size_t terms = b->objective->terms;
    double loss = 0;

    ig_parallel_for(b->pool, b->size, ROWS / 2, run_pairs, b);
    if (gradients) {
        ig_array_order(b->partners ? 2 * b->size : 0, b->rows, get_partner, b, b->start,
                       b->user);
        ig_parallel_for(b->pool, b->rows, ROWS / 2, write_rows, b);
    }
    for (size_t t = 0; t < terms; t++) {
        const ig_term *term = &b->objective->term[t];

        value[t] = run_group(b, t, gradients, false);
        if (term->kind->row && is_active(b, t)) {
            for (size_t i = 0; i < b->size; i++)
                value[t] += b->value[i * terms + t];
            value[t] /= (double)b->whole;
        }
        loss += term->off ? 0 : term->weight * value[t];
        value[t] = term->off ? NAN : value[t];
    }
    return loss;
}

/* --- backward --------------------------------------------------------------------- */

/* Back through the normalisation, o = f u: ∂/∂o = (∂/∂u − u <u,∂/∂u>) / |o|. */
static void unscale_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_batch *b = context;
    size_t w = b->width;

    (void)member;
    for (size_t i = first; i < last; i++) {
        float *g = b->layer[1].g + i * w, f = b->inverse[i];
        const float *v[2] = {g, b->layer[1].y + i * w};
        float c[2] = {f, -f * (float)ig_dot(v[0], v[1], w)};

        ig_row_combine(v, c, 2, w, 0, g);
    }
}

/* ∂/∂b, the sum of the rows of ∂/∂y, eight at a time, for outputs first … last−1. */
static void sum_biases(void *context, size_t member, size_t first, size_t last)
{
    const ig_batch *b = context;
    const ig_layer *l = b->current;

    (void)member;
    for (size_t row = 0, n; row < b->rows; row += n) {
        const float *g[8], one[8] = {1, 1, 1, 1, 1, 1, 1, 1};

        for (n = 0; n < 8 && row + n < b->rows; n++)
            g[n] = l->g + (row + n) * l->out + first;
        ig_row_combine(g, one, n, last - first, row > 0, b->gradient + l->bias + first);
    }
}

/* Back through max(0, ·), whose outputs are the inputs of the layer after. */
static void close_rows(void *context, size_t member, size_t first, size_t last)
{
    const ig_layer *l = &((const ig_batch *)context)->current[-1];

    (void)member;
    for (size_t i = first * l->out; i < last * l->out; i++)
        l->g[i] *= l->y[i] > 0;
}

/* ∂/∂W = Gᵀ X, ∂/∂b, and ∂/∂x = G W for the layer before. */
void ig_batch_backward(ig_batch *b)
{
    if (!b->rows) { /* a process without pairs */
        memset(b->gradient, 0, b->extractor->size * sizeof *b->gradient);
        return;
    }
    b->current = &b->layer[b->layers - 1];
    if (b->layers == 2)
        ig_parallel_for(b->pool, b->rows, ROWS, unscale_rows, b);
    for (size_t i = b->layers; i-- > 0;) {
        const ig_layer *l = b->current = &b->layer[i];
        ig_matrix g = ig_matrix_of(l->g, b->rows, l->out);

        ig_gemm_pool(b->pool, true, false, 1, g, ig_matrix_of(l->x, b->rows, l->in), 0,
                     ig_matrix_of(b->gradient + l->weight, l->out, l->in));
        ig_parallel_for(b->pool, l->out, OUTPUTS, sum_biases, b);
        if (i == 0)
            break;
        ig_gemm_pool(b->pool, false, false, 1, g,
                     ig_matrix_of(b->extractor->weights + l->weight, l->out, l->in), 0,
                     ig_matrix_of(l[-1].g, b->rows, l->in));
        ig_parallel_for(b->pool, b->rows, ROWS, close_rows, b);
    }
}
