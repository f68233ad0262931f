/* Linear CKA. Legend: n rows, A (n, p) and B (n, q) with centred columns,
 * k = |a_i|² and l = |b_i|² by row.
 *
 * Biased: tr(KL) = |AᵀB|² of K = AAᵀ, L = BBᵀ. Debiased, with the diagonals set to zero
 * (centred columns make every row of K sum to 0, so that (K̃1)_i = −k_i):
 *
 *     HSIC₁ = [ |AᵀB|² − Σkl + ΣkΣl/((n−1)(n−2)) − 2/(n−2) Σkl ] / (n(n−3))
 *
 * For intervals a row keeps what it adds to HSIC₁, which is a mean over pairs of rows:
 * to first order twice its own mean, g_i = (a_iᵀ (AᵀB) b_i − k_i l_i)/(n − 1), less the
 * mean of all. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "measure/results.h"
#include "measure/units.h"

enum { CHUNK = IG_ROWS_TILE };

/* What two rows that are paired add, to first order, to HSIC of A with B, of A and of B
 * with itself, debiased. */
struct ig_cka_item {
    uint32_t row; /* of the source */
    double part[3];
};

/* AᵀB: tr(KL), HSIC₁, and of each row what it adds to it. */
struct trace {
    double biased, debiased;
    double *row; /* (n) or NULL */
};

/* One representation. What it is with itself is kept for the next partner that it has
 * with the same rows. */
struct side {
    ig_rows rows;        /* as they are */
    const uint32_t *row; /* (n) or NULL: the first n */
    size_t n;            /* 0: nothing is known */
    double *mean;        /* (d) */
    struct trace self;
};

/* Room for products. */
struct work {
    ig_pool *pool;
    ig_progress *watch;
    bool keep;            /* what rows add */
    float *image, *value; /* (CHUNK, d), (d, d) */
    double *product;      /* (d, d) */
    ig_arena arena;
};

static ig_status init_work(struct work *w, size_t d, ig_error *error)
{
    w->image = ig_arena_array(&w->arena, CHUNK, d * sizeof *w->image);
    w->value = ig_arena_array(&w->arena, d, d * sizeof *w->value);
    w->product = ig_arena_array(&w->arena, d, d * sizeof *w->product);
    return w->arena.failed ? ig_fail_memory(error, "CKA") : IG_OK;
}

static void free_side(struct side *s)
{
    IG_FREE(s->mean, s->self.row);
    *s = (struct side){0};
}

static ig_status add_rows(void *context, const ig_units *u, size_t first, ig_pool *pool)
{
    double *sum = context;

    (void)first, (void)pool;
    for (size_t i = 0; i < u->count; i++)
        for (size_t j = 0; j < u->dims; j++)
            sum[j] += (double)u->unit[i * u->dims + j];
    return IG_OK;
}

/* Take n rows of a source, unless they are the side's. */
static ig_status open_side(struct work *w, struct side *s, const ig_rows *rows,
                           const uint32_t *row, size_t n, ig_error *error)
{
    ig_status status;

    if (n && s->n == n && row && memcmp(s->row, row, n * sizeof *row) == 0)
        return IG_OK;
    free_side(s);
    *s = (struct side){.rows = ig_units_raw(rows),
                       .row = row,
                       .n = n,
                       .mean = ig_alloc(rows->dims, sizeof *s->mean),
                       .self = {(double)NAN, (double)NAN, NULL}};
    if (!s->mean)
        return ig_fail_memory(error, "CKA");
    status =
        ig_units_each(&s->rows, row, n, add_rows, s->mean, w->pool, w->watch, error);
    for (size_t j = 0; j < rows->dims; j++)
        s->mean[j] /= (double)n;
    return status;
}

/* Centred rows first … of both sides; those of one side alone are read once. */
struct chunk {
    ig_units u[2];
    ig_matrix m[2];
};

static ig_status read_chunk(struct chunk *c, const struct work *w, const struct side *a,
                            const struct side *b, size_t first, ig_error *error)
{
    const struct side *side[2] = {a, b};
    size_t n = a->n - first < CHUNK ? a->n - first : CHUNK;
    ig_status status = IG_OK;

    *c = (struct chunk){0};
    for (int s = 0; s < (b == a ? 1 : 2) && status == IG_OK; s++)
        status = ig_units_centre(&c->u[s], &side[s]->rows, side[s]->row, first, n,
                                 side[s]->mean, w->pool, w->watch, error);
    for (int s = 0; s < 2; s++)
        c->m[s] = ig_matrix_of(c->u[b == a ? 0 : s].unit, n, side[s]->rows.dims);
    return status;
}

static void free_chunk(struct chunk *c)
{
    ig_units_free(&c->u[0]);
    ig_units_free(&c->u[1]);
}

static double square_of(ig_matrix m, size_t i)
{
    return ig_kernels_best()->dot(ig_matrix_row(m, i), ig_matrix_row(m, i), m.cols);
}

/* a_iᵀ (AᵀB) b_i − k_i l_i of each row, and from it what the row adds. */
static ig_status keep_rows(struct work *w, struct trace *t, const struct side *a,
                           const struct side *b, ig_error *error)
{
    size_t n = a->n, d = b->rows.dims;
    ig_matrix value = ig_matrix_of(w->value, a->rows.dims, d);
    double mean = 0;
    ig_status status = IG_OK;

    t->row = ig_alloc(n, sizeof *t->row);
    if (!t->row)
        return ig_fail_memory(error, "the intervals of CKA");
    for (size_t i = 0; i < value.rows * d; i++)
        value.a[i] = (float)w->product[i];
    for (size_t first = 0; first < n && status == IG_OK; first += CHUNK) {
        struct chunk c;

        ig_matrix image;

        status = read_chunk(&c, w, a, b, first, error);
        image = ig_matrix_of(w->image, c.m[0].rows, d);
        if (status == IG_OK)
            ig_gemm_pool(w->pool, false, false, 1, c.m[0], value, 0, image);
        for (size_t i = 0; i < image.rows && status == IG_OK; i++) {
            double *add = &t->row[first + i];

            *add = (ig_kernels_best()->dot(ig_matrix_row(image, i),
                                           ig_matrix_row(c.m[1], i), d) -
                    square_of(c.m[0], i) * square_of(c.m[1], i)) /
                   ((double)n - 1);
            mean += *add / (double)n;
        }
        free_chunk(&c);
    }
    for (size_t i = 0; i < n; i++)
        t->row[i] = t->debiased + 2 * (t->row[i] - mean);
    return status;
}

static ig_status measure_trace(struct work *w, struct trace *t, const struct side *a,
                               const struct side *b, ig_error *error)
{
    size_t products = a->rows.dims * b->rows.dims;
    double n = (double)a->n, k = 0, l = 0, kl = 0;
    ig_matrix product = ig_matrix_of(w->value, a->rows.dims, b->rows.dims);
    ig_status status = IG_OK;

    memset(w->product, 0, products * sizeof *w->product);
    for (size_t first = 0; first < a->n && status == IG_OK; first += CHUNK) {
        struct chunk c;

        status = read_chunk(&c, w, a, b, first, error);
        if (status == IG_OK) {
            ig_gemm_pool(w->pool, true, false, 1, c.m[0], c.m[1], 0, product);
            for (size_t i = 0; i < products; i++)
                w->product[i] += (double)product.a[i];
            for (size_t i = 0; i < c.m[0].rows; i++) {
                double squares[2] = {square_of(c.m[0], i), square_of(c.m[1], i)};

                k += squares[0];
                l += squares[1];
                kl += squares[0] * squares[1];
            }
            if (b != a)
                ig_progress_add(w->watch, 2 * (double)c.m[0].rows * (double)products,
                                0);
        }
        free_chunk(&c);
    }
    t->biased = 0;
    for (size_t i = 0; i < products; i++)
        t->biased += w->product[i] * w->product[i];
    t->debiased = (t->biased - kl + k * l / ((n - 1) * (n - 2)) - 2 / (n - 2) * kl) /
                  (n * (n - 3));
    return status == IG_OK && w->keep ? keep_rows(w, t, a, b, error) : status;
}

static double ratio_of(double ab, double aa, double bb)
{
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : (double)NAN;
}

/* CKA of two sides of as many rows.
 *   item  out  (n) what rows add, or NULL */
static ig_status compare_sides(struct work *w, ig_cka_value *value, struct side *a,
                               struct side *b, struct ig_cka_item *item,
                               ig_error *error)
{
    struct side *side[2] = {a, b};
    struct trace t = {0};
    ig_status status = measure_trace(w, &t, a, b, error);

    for (int s = 0; s < 2 && status == IG_OK; s++)
        if (isnan(side[s]->self.biased))
            status = measure_trace(w, &side[s]->self, side[s], side[s], error);
    *value =
        (ig_cka_value){ratio_of(t.biased, a->self.biased, b->self.biased), (double)NAN};
    if (a->n >= 4)
        value->debiased = ratio_of(t.debiased, a->self.debiased, b->self.debiased);
    for (size_t i = 0; status == IG_OK && item && i < a->n; i++) {
        item[i].part[0] = t.row[i];
        item[i].part[1] = a->self.row[i];
        item[i].part[2] = b->self.row[i];
    }
    ig_free(t.row);
    return status;
}

ig_status ig_cka_measure(ig_cka_value *value, const ig_rows *a, const uint32_t *a_row,
                         const ig_rows *b, const uint32_t *b_row, size_t n,
                         ig_pool *pool, ig_progress *watch, ig_error *error)
{
    struct work w = {.pool = pool, .watch = watch};
    struct side side[2] = {0};
    ig_status status = init_work(&w, a->dims > b->dims ? a->dims : b->dims, error);

    if (status == IG_OK)
        status = open_side(&w, &side[0], a, a_row, n, error);
    if (status == IG_OK)
        status = open_side(&w, &side[1], b, b_row, n, error);
    if (status == IG_OK)
        status = compare_sides(&w, value, &side[0], &side[1], NULL, error);
    free_side(&side[0]);
    free_side(&side[1]);
    ig_arena_free(&w.arena);
    return status;
}

/* --- between languages ------------------------------------------------------------ */

static double average_pairs(const ig_cka *cka, bool debiased)
{
    double sum = 0, count = 0;

    for (size_t i = 0; i < cka->pairs; i++) {
        const ig_cka_value *value = &cka->pair[i].value;
        double own = debiased ? value->debiased : value->cka;

        sum += isnan(own) ? 0 : own;
        count += !isnan(own);
    }
    return sum / count; /* 0/0 is NaN */
}

static ig_status compare_languages(struct work *w, ig_cka *cka, struct side *side,
                                   const ig_measure_input *in,
                                   const ig_language_pairs *by, size_t cell,
                                   ig_error *error)
{
    size_t first = by->start[cell], n = by->start[cell + 1] - first;
    size_t lang[2] = {cell / in->pairs->languages, cell % in->pairs->languages};
    ig_cka_pair *pair = &cka->pair[cka->pairs++];
    struct ig_cka_item *item = cka->item ? cka->item + first : NULL;
    ig_status status = IG_OK;

    *pair = (ig_cka_pair){
        .lang = {(uint16_t)lang[0], (uint16_t)lang[1]}, .n = n, .first = first};
    for (int s = 0; s < 2 && status == IG_OK; s++)
        status = open_side(w, &side[lang[s]], in->raw, by->row[s] + first, n, error);
    for (size_t i = 0; i < n && item; i++) {
        uint32_t row = by->row[1][first + i];

        item[i].row = in->row ? in->row[row] : row;
    }
    return status == IG_OK ? compare_sides(w, &pair->value, &side[lang[0]],
                                           &side[lang[1]], item, error)
                           : status;
}

static ig_status take_cka(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_cka *cka = result;
    struct work w = {.pool = in->pool, .watch = in->watch, .keep = in->intervals};
    size_t languages = in->pairs->languages;
    ig_language_pairs by = {0};
    struct side *side = ig_arena_array(&w.arena, languages, sizeof *side);
    ig_status status = ig_language_pairs_init(&by, in->pairs, &w.arena, error);

    if (status == IG_OK)
        status = init_work(&w, in->raw->dims, error);
    cka->pair =
        ig_arena_array(&cka->arena, languages * languages / 2 + 1, sizeof *cka->pair);
    if (status == IG_OK && in->intervals)
        cka->item = ig_arena_array(&cka->arena, by.start[by.cells], sizeof *cka->item);
    if (status == IG_OK && cka->arena.failed)
        status = ig_fail_memory(error, "CKA");
    for (size_t c = 0; c < by.cells && status == IG_OK; c++)
        if (by.start[c + 1] > by.start[c])
            status = compare_languages(&w, cka, side, in, &by, c, error);
    if (cka->pairs == 0)
        cka->reason = "no pairs of different languages";
    for (size_t i = 0; side && i < languages; i++)
        free_side(&side[i]);
    ig_arena_free(&w.arena);
    cka->mean = (ig_cka_value){average_pairs(cka, false), average_pairs(cka, true)};
    return status;
}

static double work_of_cka(const ig_measure_input *in)
{
    double d = (double)in->base->dims;

    return 2 * (double)in->pairs->pairs * d * d;
}

/* --- between representations ------------------------------------------------------ */

/* The other representations of a space, of which there are any. */
struct other {
    const char *measure;
    const ig_rows *rows;
};

enum { OTHERS = 3 };

static size_t list_others(const ig_measure_input *in, struct other other[OTHERS])
{
    size_t n = 0;

    if (in->part) {
        other[n++] = (struct other){"cka_original", in->part[0]};
        other[n++] = (struct other){"cka_parts", in->part[2]};
    }
    if (in->other)
        other[n++] = (struct other){"cka_run", in->other};
    return n;
}

static ig_status take_space_cka(const ig_measure_input *in, void *result,
                                ig_error *error)
{
    ig_cka *cka = result;
    size_t n = in->some->rows, d = in->raw->dims;
    struct work w = {.pool = in->pool, .watch = in->watch, .keep = in->intervals};
    struct side own = {0}, side = {0};
    struct other other[OTHERS];
    size_t others = list_others(in, other);
    ig_status status;

    for (size_t i = 0; i < others; i++)
        d = other[i].rows->dims > d ? other[i].rows->dims : d;
    status = init_work(&w, d, error);
    cka->pair = ig_arena_array(&cka->arena, others, sizeof *cka->pair);
    if (in->intervals)
        cka->item = ig_arena_array(&cka->arena, others * n, sizeof *cka->item);
    if (status == IG_OK && cka->arena.failed)
        status = ig_fail_memory(error, "CKA");
    if (status == IG_OK)
        status = open_side(&w, &own, in->raw, in->some_base, n, error);
    for (size_t i = 0; status == IG_OK && i < others; i++) {
        struct ig_cka_item *item = cka->item ? cka->item + i * n : NULL;
        ig_cka_pair *pair = &cka->pair[cka->pairs++];

        *pair = (ig_cka_pair){.measure = other[i].measure, .n = n, .first = i * n};
        for (size_t k = 0; item && k < n; k++)
            item[k].row = in->some_row ? in->some_row[k] : (uint32_t)k;
        status = open_side(&w, &side, other[i].rows, in->some_row, n, error);
        if (status == IG_OK)
            status = compare_sides(&w, &pair->value, &own, &side, item, error);
        free_side(&side);
    }
    free_side(&own);
    ig_arena_free(&w.arena);
    return status;
}

static double work_of_space_cka(const ig_measure_input *in)
{
    struct other other[OTHERS];
    double columns = 0;

    for (size_t i = 0, n = list_others(in, other); i < n; i++)
        columns += (double)other[i].rows->dims;
    return 2 * (double)in->some->rows * (double)in->base->dims * columns;
}

/* --- figures ---------------------------------------------------------------------- */

IG_ITEM(cross_of, double, ig_cka, r->item[i].part[0])
IG_ITEM(left_of, double, ig_cka, r->item[i].part[1])
IG_ITEM(right_of, double, ig_cka, r->item[i].part[2])
IG_ITEM(row_of, uint32_t, ig_cka, r->item[i].row)

static double alignment_of(const void *result, const double *mean)
{
    (void)result;
    return ratio_of(mean[0], mean[1], mean[2]);
}

static const ig_items debiased_items = {
    .value = {cross_of, left_of, right_of}, .row = row_of, .follows = alignment_of};

static const char *const missing[2] = {
    "the rows do not differ", "fewer than 4 pairs, or no more variation than chance"};

static void fill_row(ig_figure *row, const ig_cka *cka, const ig_cka_pair *pair,
                     bool debiased)
{
    row->n = pair->n;
    row->first = pair->first;
    row->items = cka->item && debiased ? pair->n : 0;
    row->column = row->items ? &debiased_items : NULL;
}

static void append_cka(const void *result, ig_figures *figures)
{
    static const char *const measure[2] = {"cka", "cka_debiased"};
    const ig_cka *cka = result;

    for (int debiased = 0; debiased < 2; debiased++) {
        ig_figure *row = ig_figures_add(figures, measure[debiased],
                                        debiased ? cka->mean.debiased : cka->mean.cka,
                                        cka->reason ? cka->reason : missing[debiased]);

        row->n = cka->pairs;
        row->column = cka->item && debiased ? &ig_items_of_parts : NULL;
        for (size_t i = 0; i < cka->pairs; i++) {
            const ig_cka_pair *pair = &cka->pair[i];

            fill_row(ig_figures_add_languages(
                         figures, measure[debiased], pair->lang[0], pair->lang[1],
                         debiased ? pair->value.debiased : pair->value.cka,
                         missing[debiased]),
                     cka, pair, debiased);
        }
    }
}

static void append_space_cka(const void *result, ig_figures *figures)
{
    const ig_cka *cka = result;
    char name[64];

    for (size_t i = 0; i < 2 * cka->pairs; i++) {
        const ig_cka_pair *pair = &cka->pair[i / 2];
        bool debiased = i % 2;

        snprintf(name, sizeof name, "%s%s", pair->measure, debiased ? "_debiased" : "");
        fill_row(ig_figures_add(figures, name,
                                debiased ? pair->value.debiased : pair->value.cka,
                                missing[debiased]),
                 cka, pair, debiased);
    }
}

const ig_measure_group ig_cka_group = {.name = "CKA between languages",
                                       .word = "cka",
                                       .needs = IG_NEEDS_PAIRS,
                                       .work = work_of_cka,
                                       .take = take_cka,
                                       .free = ig_result_free,
                                       .append = append_cka};

const ig_measure_group ig_space_cka_group = {.name = "CKA between spaces",
                                             .word = "space_cka",
                                             .needs = IG_NEEDS_ROWS | IG_NEEDS_OTHER,
                                             .work = work_of_space_cka,
                                             .take = take_space_cka,
                                             .free = ig_result_free,
                                             .append = append_space_cka};
