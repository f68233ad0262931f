/* A mini-batch: the objective over bases, rows, layers, terms of rows, gradients.
 * Legend as in batch.h. */
#include "train/batch.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"

/* --- the objective over bases ----------------------------------------------------- */

static void add_part(ig_combination *c, size_t part, double factor)
{
    size_t i = 0;

    while (i < c->n && c->part[i] != part)
        i++;
    c->part[i] = (uint8_t)part;
    c->factor[i] += factor;
    c->n += i == c->n;
}

static void add_atom(ig_batch *b, ig_combination *c, size_t atom, double factor)
{
    if (b->of[atom] < 0) {
        b->of[atom] = (int)b->bases;
        b->base[b->bases++] = (uint8_t)atom;
    }
    add_part(c, (size_t)b->of[atom], factor);
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

/* <x,y> as a sum of dot products of bases. */
static void multiply_operands(ig_batch *b, const ig_combination *x,
                              const ig_combination *y, ig_combination *product)
{
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++) {
            uint8_t k = x->part[i], l = y->part[j];
            size_t dot = 0;

            while (dot < b->dots && !(b->left[dot] == k && b->right[dot] == l) &&
                   !(b->left[dot] == l && b->right[dot] == k))
                dot++;
            b->left[dot] = k;
            b->right[dot] = l;
            b->dots += dot == b->dots;
            add_part(product, dot, x->factor[i] * y->factor[j]);
        }
}

static ig_status make_terms(ig_batch *b, const ig_objective *objective, ig_error *error)
{
    for (size_t atom = 0; atom < IG_ATOMS; atom++)
        b->of[atom] = -1;
    b->terms = objective->terms;
    b->term = ig_arena_array(&b->arena, b->terms, sizeof *b->term);
    if (!b->term)
        return ig_fail_memory(error, "the objective");
    for (size_t i = 0; i < b->terms; i++) {
        const ig_term *term = &objective->term[i];
        ig_batch_term *t = &b->term[i];
        const ig_combination *x = &t->operand[0], *y = &t->operand[1];

        t->term = term;
        t->gradient = b->operands;
        for (size_t k = 0; k < term->kind->operands; k++)
            expand_operand(b, term->operand[k], &t->operand[k]);
        if (term->kind->row) {
            multiply_operands(b, x, x, &t->product[0]);
            multiply_operands(b, x, y, &t->product[1]);
            multiply_operands(b, y, y, &t->product[2]);
        } else {
            b->operands += term->kind->operands;
        }
        if (b->operands > IG_BATCH_OPERANDS)
            return ig_fail(error, IG_VALUE, "line %zu: too many terms of the batch",
                           term->line);
    }
    return IG_OK;
}

bool ig_batch_uses_classifier(const ig_batch *b, int how)
{
    for (size_t i = 0; i < b->terms; i++)
        if (!b->term[i].term->off && (int)b->term[i].term->kind->classifier == how)
            return true;
    return false;
}

/* Whether a term is active in this epoch: enabled, and not before its from=. */
static bool is_active(const ig_batch *b, const ig_batch_term *t)
{
    return !t->term->off && b->epoch >= t->term->from;
}

/* The same of a term of the batch; a process may have no pairs. */
static bool is_group(const ig_batch *b, const ig_batch_term *t)
{
    return t->term->kind->batch && is_active(b, t) && b->size;
}

/* --- storage ---------------------------------------------------------------------- */

static void init_layers(ig_batch *b, size_t rows)
{
    const ig_extractor *x = b->extractor;
    size_t d = x->dims, w = x->width, h = x->hidden, out = w * b->outputs;

    b->layers = x->kind == IG_HEAD ? 2 : 1;
    if (x->kind == IG_HEAD) {
        b->layer[0] = (ig_layer){.in = d, .out = h, .bias = h * d + w * h};
        b->layer[1] =
            (ig_layer){.in = h, .out = w, .weight = h * d, .bias = h * d + w * h + h};
    } else {
        b->layer[0] = (ig_layer){.in = d, .out = out, .bias = out * d};
    }
    b->layer[0].x = ig_arena_array(&b->arena, rows, d * sizeof(float));
    for (ig_layer *l = b->layer; l < b->layer + b->layers; l++) {
        l->x = l == b->layer ? l->x : l[-1].y;
        l->y = ig_arena_array(&b->arena, rows, l->out * sizeof(float));
        l->g = ig_arena_array(&b->arena, rows, l->out * sizeof(float));
    }
}

static void init_group_work(ig_batch *b, size_t n)
{
    size_t bytes = b->width * sizeof(float);
    ig_arena *a = &b->arena;
    bool squares = false;

    for (size_t i = 0; i < b->terms; i++)
        squares |= b->term[i].term->kind->squares;
    b->operand = ig_arena_array(a, 2 * n, bytes);
    b->operand_g = ig_arena_array(a, b->operands * n, bytes);
    b->square = ig_arena_array(a, squares ? 4 * n : 0, n * sizeof *b->square);
    b->logit = ig_arena_array(a, n, b->languages * sizeof *b->logit);
    b->row_value = ig_arena_array(a, 2 * n, sizeof *b->row_value);
    b->sum = ig_arena_array(a, b->languages, bytes);
    b->count = ig_arena_array(a, b->languages, sizeof *b->count);
}

ig_status ig_batch_init(ig_batch *b, const ig_dataset *set,
                        const ig_objective *objective, ig_extractor *extractor,
                        size_t capacity, size_t ghosts, ig_pool *pool, ig_error *error)
{
    size_t rows = 2 * capacity + ghosts;
    ig_arena *a = &b->arena;
    ig_status status;

    *b = (ig_batch){.set = set,
                    .extractor = extractor,
                    .pool = pool,
                    .kernels = ig_kernels_best(),
                    .width = extractor->width,
                    .outputs = extractor->kind == IG_TWIN ? 2 : 1,
                    .languages = extractor->languages};
    status = make_terms(b, objective, error);
    if (status != IG_OK)
        return status;
    init_layers(b, rows);
    b->row = ig_arena_array(a, rows, sizeof *b->row);
    b->lang = ig_arena_array(a, rows, sizeof *b->lang);
    b->meaning = ig_arena_array(a, rows, sizeof *b->meaning);
    b->partner = ig_arena_array(a, 2 * capacity, sizeof *b->partner);
    b->inverse = ig_arena_array(a, rows, sizeof *b->inverse);
    b->partner_g =
        ig_arena_array(a, 2 * capacity, b->width * b->outputs * sizeof(float));
    b->first = ig_arena_array(a, rows + 2, sizeof *b->first);
    b->user = ig_arena_array(a, 2 * capacity, sizeof *b->user);
    b->value = ig_arena_array(a, capacity, b->terms * sizeof *b->value);
    b->gradient = ig_arena_array(a, extractor->size, sizeof *b->gradient);
    if (b->operands)
        init_group_work(b, capacity);
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
        ig_dataset_gather(b->set, b->row + first, last - first, x, l->in);
        if (b->extractor->normalize)
            ig_rows_unit(x, l->in, x, l->in, last - first, l->in);
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

        b->inverse[i] =
            (float)(1 / sqrt(b->kernels->unit(row, b->width, row) + IG_COS_EPS));
    }
}

/* Grains of loops over rows and outputs: shorter loops are not worth waking threads. */
enum { ROWS = 64, OUTPUTS = 256 };

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

static const float *get_vector(const ig_batch *b, size_t atom, size_t row)
{
    if (atom < IG_ATOM_MEANING)
        return b->layer[0].x + row * b->extractor->dims;
    return b->layer[b->layers - 1].y + row * b->width * b->outputs +
           (atom < IG_ATOM_LANGUAGE ? 0 : b->width);
}

/* Vectors of pair i, by base. */
static void find_bases(const ig_batch *b, size_t i, const float *v[IG_ATOMS])
{
    for (size_t k = 0; k < b->bases; k++) {
        size_t atom = b->base[k];
        size_t row = (atom >> 1 & 1) * b->size + i;

        v[k] = get_vector(b, atom, atom & 1 ? b->partner[row] : row);
    }
}

static double sum_dots(const ig_combination *c, const double *dots)
{
    double sum = 0;

    for (size_t i = 0; i < c->n; i++)
        sum += c->factor[i] * dots[c->part[i]];
    return sum;
}

/* Value of a term of rows for one pair; adds its slopes by the dot products. Rounding
 * can make a square negative when a vector vanishes. */
static double run_term(const ig_batch *b, const ig_batch_term *t, const double *dots,
                       double *slope)
{
    ig_row_dots by;
    double scale = t->term->weight / (double)b->whole;
    double value =
        t->term->kind->row((ig_row_dots){.aa = fmax(sum_dots(&t->product[0], dots), 0),
                                         .ab = sum_dots(&t->product[1], dots),
                                         .bb = fmax(sum_dots(&t->product[2], dots), 0)},
                           (double)b->width, &by);
    const double each[3] = {scale * by.aa, scale * by.ab, scale * by.bb};

    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < t->product[k].n; i++)
            slope[t->product[k].part[i]] += each[k] * t->product[k].factor[i];
    return value;
}

/* Gradient of pair i by a base: a combination of the bases and of the gradients by
 * operands of terms of the batch. base −1: 0. */
static void write_gradient(const ig_batch *b, size_t i, int base, const double *slope,
                           const float *const *v, float *out)
{
    const float *part[IG_ATOMS + IG_BATCH_OPERANDS];
    float factor[IG_ATOMS + IG_BATCH_OPERANDS];
    size_t n = 0;

    for (size_t k = 0; k < b->dots; k++)
        if (slope[k] != 0 && (b->left[k] == base || b->right[k] == base)) {
            bool square = b->left[k] == b->right[k];

            part[n] = v[b->left[k] == base ? b->right[k] : b->left[k]];
            factor[n++] = (float)(square ? 2 * slope[k] : slope[k]);
        }
    for (size_t t = 0; b->operands && t < b->terms; t++) {
        const ig_batch_term *term = &b->term[t];

        for (size_t k = 0; is_group(b, term) && k < term->term->kind->operands; k++)
            for (size_t p = 0; p < term->operand[k].n; p++)
                if (term->operand[k].part[p] == base) {
                    part[n] = b->operand_g +
                              ((term->gradient + k) * b->size + i) * b->width;
                    factor[n++] = (float)term->operand[k].factor[p];
                }
    }
    b->kernels->combine(part, factor, n, b->width, 0, out);
}

static void run_pairs(void *context, size_t member, size_t first, size_t last)
{
    ig_batch *b = context;
    size_t out = b->width * b->outputs;

    (void)member;
    for (size_t i = first; i < last; i++) {
        const float *v[IG_ATOMS];
        double dots[IG_BASE_PAIRS], slope[IG_BASE_PAIRS] = {0};

        find_bases(b, i, v);
        b->kernels->dots(v, b->left, b->right, b->dots, b->width, dots);
        for (size_t t = 0; t < b->terms; t++)
            if (b->term[t].term->kind->row && is_active(b, &b->term[t]))
                b->value[i * b->terms + t] = run_term(b, &b->term[t], dots, slope);
        for (size_t k = 0; b->gradients && k < 2 * b->outputs; k++) {
            size_t side = k % 2, o = k / 2, at = (side * b->size + i) * out;
            size_t atom = (o ? IG_ATOM_LANGUAGE : IG_ATOM_MEANING) + 2 * side;

            at += o * b->width;
            write_gradient(b, i, b->of[atom], slope, v, b->layer[b->layers - 1].g + at);
            if (b->of[atom + 1] >= 0)
                write_gradient(b, i, b->of[atom + 1], slope, v, b->partner_g + at);
        }
    }
}

/* --- terms of the batch ----------------------------------------------------------- */

/* Rows of the operands of a term. */
static void make_operands(void *context, size_t member, size_t first, size_t last)
{
    const ig_group *g = context;
    const ig_batch *b = g->batch;

    (void)member;
    for (size_t i = first; i < last; i++) {
        const float *v[IG_ATOMS], *part[4];
        float factor[4];

        find_bases(b, i, v);
        for (size_t o = 0; o < g->term->kind->operands; o++) {
            const ig_combination *c = &g->operand[o];

            for (size_t k = 0; k < c->n; k++) {
                part[k] = v[c->part[k]];
                factor[k] = (float)c->factor[k];
            }
            b->kernels->combine(part, factor, c->n, b->width, 0,
                                ig_matrix_row(g->z[o], i));
        }
    }
}

static ig_group make_group(ig_batch *b, const ig_batch_term *t, bool gradients)
{
    size_t n = b->size, w = b->width;
    float *dz = b->operand_g + t->gradient * n * w;
    ig_group g = {
        .batch = b,
        .term = t->term,
        .operand = t->operand,
        .gradients = gradients,
        .weight = t->term->weight * (double)n / (double)b->whole,
        .z = {ig_matrix_of(b->operand, n, w), ig_matrix_of(b->operand + n * w, n, w)},
        .dz = {ig_matrix_of(dz, n, w), ig_matrix_of(dz + n * w, n, w)}};

    ig_parallel_for(b->pool, n, ROWS, make_operands, &g);
    return g;
}

void ig_batch_discriminate(ig_batch *b)
{
    for (size_t t = 0; t < b->terms; t++)
        if (b->term[t].term->kind->classifier == IG_FOOLS_CLASSIFIER &&
            is_group(b, &b->term[t])) {
            ig_group g = make_group(b, &b->term[t], true);

            g.weight = (double)b->size / (double)b->whole;
            g.discriminates = true;
            g.term->kind->batch(&g);
        }
}

double ig_batch_terms(ig_batch *b, bool gradients, double *value)
{
    double loss = 0;

    b->gradients = gradients;
    for (size_t t = 0; t < b->terms; t++) {
        value[t] = b->term[t].term->off ? NAN : 0;
        if (is_group(b, &b->term[t])) {
            ig_group g = make_group(b, &b->term[t], gradients);

            value[t] = g.term->kind->batch(&g) * (double)b->size / (double)b->whole;
        }
    }
    ig_parallel_for(b->pool, b->size, ROWS / 2, run_pairs, b);
    for (size_t t = 0; t < b->terms; t++) {
        const ig_batch_term *term = &b->term[t];
        double sum = 0;

        for (size_t i = 0; term->term->kind->row && is_active(b, term) && i < b->size;
             i++)
            sum += b->value[i * b->terms + t];
        value[t] += sum / (double)b->whole;
        loss += term->term->off ? 0 : term->term->weight * value[t];
    }
    return loss;
}

/* --- backward --------------------------------------------------------------------- */

/* Add each row's gradients as a partner; for the head go back through the
 * normalisation, o = f u: ∂/∂o = (∂/∂u − u <u,∂/∂u>) / |o|. */
static void finish_outputs(void *context, size_t member, size_t first, size_t last)
{
    ig_batch *b = context;
    const ig_layer *l = &b->layer[b->layers - 1];
    size_t w = b->width;

    (void)member;
    for (size_t row = first; row < last; row++) {
        float *g = l->g + row * l->out;

        if (row >= 2 * b->size) /* a ghost */
            memset(g, 0, l->out * sizeof *g);
        for (size_t u = b->first[row]; u < b->first[row + 1]; u++) {
            size_t side = b->user[u] >= b->size;
            const float *part = b->partner_g + b->user[u] * l->out;

            for (size_t o = 0; o < b->outputs; o++, part += w)
                if (b->of[(o ? IG_ATOM_LANGUAGE : IG_ATOM_MEANING) + 2 * side + 1] >= 0)
                    b->kernels->combine(&part, (float[]){1}, 1, w, 1, g + o * w);
        }
        if (b->layers == 2) {
            const float *v[2] = {g, l->y + row * w};
            float f = b->inverse[row];
            float c[2] = {f, -f * (float)b->kernels->dot(v[0], v[1], w)};

            b->kernels->combine(v, c, 2, w, 0, g);
        }
    }
}

static size_t get_partner(const void *partner, size_t i)
{
    return ((const uint32_t *)partner)[i];
}

/* ∂/∂b, the sum of the rows of ∂/∂y, for outputs first … last−1. */
static void sum_biases(void *context, size_t member, size_t first, size_t last)
{
    const ig_batch *b = context;
    const ig_layer *l = b->current;

    (void)member;
    for (size_t row = 0; row < b->rows; row++) {
        const float *g = l->g + row * l->out + first;

        b->kernels->combine(&g, (float[]){1}, 1, last - first, row > 0,
                            b->gradient + l->bias + first);
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
    ig_array_order(2 * b->size, b->rows, get_partner, b->partner, b->first, b->user);
    ig_parallel_for(b->pool, b->rows, ROWS, finish_outputs, b);
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
