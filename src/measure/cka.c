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
#include <stdlib.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "measure/results.h"

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
    const ig_rows *rows;
    uint32_t *row; /* (n) */
    size_t n;      /* 0: nothing is known */
    double *mean;  /* (d) */
    struct trace self;
};

/* Room for two chunks of rows and their products. */
struct work {
    ig_pool *pool;
    ig_progress *watch;
    bool keep;            /* what rows add */
    float *chunk[2];      /* (CHUNK, d) centred */
    double *squares[2];   /* (CHUNK) |row|² */
    float *image, *value; /* (CHUNK, d), (d, d) */
    double *product;      /* (d, d) */
    float *scratch;       /* (threads, each) */
    size_t each;
    ig_arena arena;
};

static void free_side(struct side *s)
{
    IG_FREE(s->row, s->mean, s->self.row);
    *s = (struct side){0};
}

/* Room for representations of at most so many dims, and scratch to read. */
static ig_status init_work(struct work *w, size_t d, size_t scratch, ig_error *error)
{
    ig_arena *a = &w->arena;

    for (int s = 0; s < 2; s++) {
        w->chunk[s] = ig_arena_array(a, CHUNK, d * sizeof *w->chunk[s]);
        w->squares[s] = ig_arena_array(a, CHUNK, sizeof *w->squares[s]);
    }
    w->each = (scratch + 15) / 16 * 16;
    w->image = ig_arena_array(a, CHUNK, d * sizeof *w->image);
    w->value = ig_arena_array(a, d, d * sizeof *w->value);
    w->product = ig_arena_array(a, d, d * sizeof *w->product);
    w->scratch =
        ig_arena_array(a, ig_pool_threads(w->pool), w->each * sizeof *w->scratch);
    return a->failed ? ig_fail_memory(error, "CKA") : IG_OK;
}

/* Read rows first … of a side into a chunk; returns how many. */
static size_t read_chunk(struct work *w, const struct side *s, size_t first, int to)
{
    size_t count = s->n - first < CHUNK ? s->n - first : CHUNK;

    ig_rows_share(s->rows, s->row + first, 0, count, w->pool, w->chunk[to], w->scratch,
                  w->each);
    return count;
}

static void centre_chunk(struct work *w, const struct side *s, size_t first, int to)
{
    size_t d = s->rows->dims, count = read_chunk(w, s, first, to);

    for (size_t i = 0; i < count; i++) {
        float *row = w->chunk[to] + i * d;

        for (size_t j = 0; j < d; j++)
            row[j] = (float)((double)row[j] - s->mean[j]);
        w->squares[to][i] = ig_kernels_best()->dot(row, row, d);
    }
}

/* Take rows `row` (NULL: the first n) of a source, unless they are the side's. */
static ig_status open_side(struct work *w, struct side *s, const ig_rows *rows,
                           const uint32_t *row, size_t n, ig_error *error)
{
    size_t d = rows->dims, count;

    if (n && s->n == n && row && memcmp(s->row, row, n * sizeof *row) == 0)
        return IG_OK;
    free_side(s);
    *s = (struct side){.rows = rows, .self = {(double)NAN, (double)NAN, NULL}};
    s->row = ig_alloc(n, sizeof *s->row);
    s->mean = ig_alloc(d, sizeof *s->mean);
    if (!s->row || !s->mean)
        return ig_fail_memory(error, "CKA");
    for (size_t i = 0; i < n; i++)
        s->row[i] = row ? row[i] : (uint32_t)i;
    s->n = n;
    for (size_t first = 0; first < n; first += count) {
        count = read_chunk(w, s, first, 0);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < d; j++)
                s->mean[j] += (double)w->chunk[0][i * d + j];
    }
    for (size_t j = 0; j < d; j++)
        s->mean[j] /= (double)n;
    return IG_OK;
}

/* Centre a chunk of both sides; the matrices of one side alone are the same. */
static void read_both(struct work *w, const struct side *a, const struct side *b,
                      size_t first, ig_matrix chunk[2])
{
    size_t count = a->n - first < CHUNK ? a->n - first : CHUNK;

    centre_chunk(w, a, first, 0);
    if (b != a)
        centre_chunk(w, b, first, 1);
    chunk[0] = ig_matrix_of(w->chunk[0], count, a->rows->dims);
    chunk[1] = ig_matrix_of(w->chunk[b != a], count, b->rows->dims);
}

/* a_iᵀ (AᵀB) b_i − k_i l_i of each row, and from it what the row adds. */
static ig_status keep_rows(struct work *w, struct trace *t, const struct side *a,
                           const struct side *b, ig_error *error)
{
    size_t n = a->n, products = a->rows->dims * b->rows->dims;
    ig_matrix chunk[2], image, value = {0};
    double mean = 0;

    t->row = ig_alloc(n, sizeof *t->row);
    if (!t->row)
        return ig_fail_memory(error, "the intervals of CKA");
    for (size_t i = 0; i < products; i++)
        w->value[i] = (float)w->product[i];
    value = ig_matrix_of(w->value, a->rows->dims, b->rows->dims);
    for (size_t first = 0; first < n; first += CHUNK) {
        read_both(w, a, b, first, chunk);
        image = ig_matrix_of(w->image, chunk[0].rows, value.cols);
        ig_gemm_pool(w->pool, false, false, 1, chunk[0], value, 0, image);
        for (size_t i = 0; i < image.rows; i++) {
            double *add = &t->row[first + i];

            *add = (ig_kernels_best()->dot(ig_matrix_row(image, i),
                                           ig_matrix_row(chunk[1], i), value.cols) -
                    w->squares[0][i] * w->squares[b != a][i]) /
                   ((double)n - 1);
            mean += *add / (double)n;
        }
    }
    for (size_t i = 0; i < n; i++)
        t->row[i] = t->debiased + 2 * (t->row[i] - mean);
    return IG_OK;
}

static ig_status measure_trace(struct work *w, struct trace *t, const struct side *a,
                               const struct side *b, ig_error *error)
{
    size_t products = a->rows->dims * b->rows->dims;
    double n = (double)a->n, k = 0, l = 0, kl = 0, squares = 0;
    ig_matrix chunk[2], product = ig_matrix_of(w->value, a->rows->dims, b->rows->dims);

    memset(w->product, 0, products * sizeof *w->product);
    for (size_t first = 0; first < a->n; first += CHUNK) {
        read_both(w, a, b, first, chunk);
        ig_gemm_pool(w->pool, true, false, 1, chunk[0], chunk[1], 0, product);
        for (size_t i = 0; i < products; i++)
            w->product[i] += (double)product.a[i];
        for (size_t i = 0; i < chunk[0].rows; i++) {
            double squared[2] = {w->squares[0][i], w->squares[b != a][i]};

            k += squared[0];
            l += squared[1];
            kl += squared[0] * squared[1];
        }
        if (b != a)
            ig_progress_add(w->watch, 2 * (double)chunk[0].rows * (double)products, 0);
        if (ig_progress_cancelled(w->watch))
            return ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    for (size_t i = 0; i < products; i++)
        squares += w->product[i] * w->product[i];
    t->biased = squares;
    t->debiased = (squares - kl + k * l / ((n - 1) * (n - 2)) - 2 / (n - 2) * kl) /
                  (n * (n - 3));
    return w->keep ? keep_rows(w, t, a, b, error) : IG_OK;
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
    if (status == IG_OK) {
        *value = (ig_cka_value){ratio_of(t.biased, a->self.biased, b->self.biased),
                                (double)NAN};
        if (a->n >= 4)
            value->debiased = ratio_of(t.debiased, a->self.debiased, b->self.debiased);
    }
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
    ig_status status = init_work(&w, a->dims > b->dims ? a->dims : b->dims,
                                 a->scratch > b->scratch ? a->scratch : b->scratch,
                                 error);

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

/* A pair of rows of two languages, the lower language's first. */
struct match {
    uint16_t lang[2];
    uint32_t place; /* in the list of pairs, which is their order within languages */
    uint32_t row[2];
};

static int compare_matches(const void *a, const void *b)
{
    const struct match *x = a, *y = b;

    for (int s = 0; s < 2; s++)
        if (x->lang[s] != y->lang[s])
            return x->lang[s] < y->lang[s] ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static size_t list_matches(const ig_retrieval_pairs *pairs, struct match *match)
{
    size_t count = 0;

    for (size_t i = 0; i < pairs->pairs; i++) {
        uint32_t row[2] = {pairs->left[i], pairs->right[i]};
        uint16_t lang[2] = {pairs->lang[row[0]], pairs->lang[row[1]]};
        int swap = lang[0] > lang[1];

        if (lang[0] != lang[1])
            match[count++] = (struct match){
                {lang[swap], lang[!swap]}, (uint32_t)i, {row[swap], row[!swap]}};
    }
    qsort(match, count, sizeof *match, compare_matches);
    return count;
}

static size_t end_of_languages(const struct match *match, size_t first, size_t count)
{
    size_t end = first;

    while (end < count && match[end].lang[0] == match[first].lang[0] &&
           match[end].lang[1] == match[first].lang[1])
        end++;
    return end;
}

static void average_pairs(ig_cka *cka)
{
    double sum[2] = {0, 0};
    size_t count[2] = {0, 0};

    for (size_t i = 0; i < cka->pairs; i++) {
        double value[2] = {cka->pair[i].value.cka, cka->pair[i].value.debiased};

        for (int v = 0; v < 2; v++)
            if (!isnan(value[v])) {
                sum[v] += value[v];
                count[v]++;
            }
    }
    cka->mean.cka = sum[0] / (double)count[0]; /* 0/0 is NaN */
    cka->mean.debiased = sum[1] / (double)count[1];
}

static ig_status compare_languages(struct work *w, ig_cka *cka, struct side *side,
                                   const ig_measure_input *in,
                                   const struct match *match, size_t first, size_t end,
                                   ig_error *error)
{
    size_t n = end - first;
    uint32_t *row = ig_alloc(n, sizeof *row);
    ig_cka_pair *pair = &cka->pair[cka->pairs++];
    ig_status status = row ? IG_OK : ig_fail_memory(error, "CKA");

    *pair = (ig_cka_pair){
        .lang = {match[first].lang[0], match[first].lang[1]}, .n = n, .first = first};
    for (int s = 0; s < 2 && status == IG_OK; s++) {
        for (size_t i = 0; i < n; i++)
            row[i] = match[first + i].row[s];
        status = open_side(w, &side[pair->lang[s]], in->raw, row, n, error);
    }
    for (size_t i = 0; i < n && cka->item && status == IG_OK; i++)
        cka->item[first + i].row = in->row ? in->row[row[i]] : row[i];
    if (status == IG_OK)
        status = compare_sides(w, &pair->value, &side[pair->lang[0]],
                               &side[pair->lang[1]],
                               cka->item ? cka->item + first : NULL, error);
    ig_free(row);
    return status;
}

static ig_status measure_languages(struct work *w, ig_cka *cka,
                                   const ig_measure_input *in,
                                   const struct match *match, size_t matches,
                                   ig_error *error)
{
    size_t languages = in->pairs->languages, end;
    struct side *side = ig_alloc(languages, sizeof *side);
    ig_status status = init_work(w, in->raw->dims, in->raw->scratch, error);

    cka->pair =
        ig_arena_array(&cka->arena, languages * languages / 2 + 1, sizeof *cka->pair);
    if (in->intervals)
        cka->item = ig_arena_array(&cka->arena, matches, sizeof *cka->item);
    if (!side || cka->arena.failed)
        status = ig_fail_memory(error, "CKA");
    for (size_t first = 0; status == IG_OK && first < matches; first = end) {
        end = end_of_languages(match, first, matches);
        status = compare_languages(w, cka, side, in, match, first, end, error);
    }
    for (size_t i = 0; side && i < languages; i++)
        free_side(&side[i]);
    ig_free(side);
    return status;
}

static ig_status take_cka(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_cka *cka = result;
    struct work w = {.pool = in->pool, .watch = in->watch, .keep = in->intervals};
    struct match *match = ig_alloc(in->pairs->pairs, sizeof *match);
    ig_status status = match ? IG_OK : ig_fail_memory(error, "CKA");
    size_t matches = match ? list_matches(in->pairs, match) : 0;

    if (matches == 0)
        cka->reason = "no pairs of different languages";
    else
        status = measure_languages(&w, cka, in, match, matches, error);
    ig_free(match);
    ig_arena_free(&w.arena);
    average_pairs(cka);
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
    size_t n = in->some->rows, d = in->raw->dims, scratch = in->raw->scratch;
    struct work w = {.pool = in->pool, .watch = in->watch, .keep = in->intervals};
    struct side own = {0}, side = {0};
    struct other other[OTHERS];
    size_t others = list_others(in, other);
    ig_status status;

    for (size_t i = 0; i < others; i++) {
        d = other[i].rows->dims > d ? other[i].rows->dims : d;
        scratch = other[i].rows->scratch > scratch ? other[i].rows->scratch : scratch;
    }
    status = init_work(&w, d, scratch, error);
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
