/* Linear CKA. Legend: n rows, A (n, p) and B (n, q) with centred columns, K = AAᵀ,
 * L = BBᵀ, k_i = |a_i|², l_i = |b_i|².
 *
 * tr(KL) = |AᵀB|² is the sum of r_i = a_iᵀ(AᵀB)b_i = Σ_j K_ij L_ij over rows. For many
 * rows the first is cheaper, for few the second: K serves all partners of a language.
 *
 * Debiased, with the diagonals of K and L set to zero (centred columns make every row
 * of K sum to 0, so that what remains of row i sums to −k_i):
 *
 *     HSIC₁ = [ Σr − Σkl + ΣkΣl/((n−1)(n−2)) − 2/(n−2) Σkl ] / (n(n−3))
 *
 * is a mean over pairs of rows: to first order a row adds twice its own mean, (r_i −
 * k_i l_i)/(n − 1), less the mean of all. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"
#include "core/kernels.h"
#include "measure/chunk.h"
#include "measure/measure_group.h"

enum {
    SHARED_LEAST = 20, /* ids of two languages */
    BLOCK = 4096
};

/* Rows of languages up to this size in total are held until all are compared. */
static const size_t HELD = (size_t)256 << 20;

/* One representation. */
struct side {
    uint32_t *id;   /* (n) what each row is resampled with; of a language ascending */
    ig_matrix row;  /* (n, d) centred */
    ig_matrix gram; /* (n, n) K where n ≤ d, else without rows */
    double *square; /* (n) k_i */
    double *self;   /* (n) r_i of A with itself */
    ig_arena arena;
};

static const char *const between[2] = {"cka", "cka_debiased"};
static const char few_ids[] = "the languages share fewer than 20 ids";

/* --- one side --------------------------------------------------------------------- */

static ig_status init_side(struct side *s, size_t n, size_t d, ig_error *error)
{
    *s = (struct side){0};
    s->id = ig_arena_array(&s->arena, n, sizeof *s->id);
    s->row = ig_arena_matrix(&s->arena, n, d);
    s->gram = n <= d ? ig_arena_matrix(&s->arena, n, n) : s->gram;
    s->square = ig_arena_array(&s->arena, n, sizeof *s->square);
    s->self = ig_arena_array(&s->arena, n, sizeof *s->self);
    return s->arena.failed ? ig_fail_memory(error, "CKA") : IG_OK;
}

static void free_side(struct side *s)
{
    ig_arena_free(&s->arena);
    *s = (struct side){0};
}

/* r (n) of two sides, each with its K, if any; without intervals their sum may stand
 * first alone. */
static ig_status multiply(const ig_embeddings *e, const struct side *a,
                          const struct side *b, double *r, ig_error *error)
{
    const ig_kernels *kernels = ig_kernels_best();
    size_t n = a->row.rows, p = a->row.cols, q = b->row.cols;
    ig_arena arena = {0};
    ig_matrix product, image;

    if (a->gram.rows && b->gram.rows) {
        for (size_t i = 0; i < n; i++)
            r[i] =
                kernels->dot(ig_matrix_row(a->gram, i), ig_matrix_row(b->gram, i), n);
        return IG_OK;
    }
    product = ig_arena_matrix(&arena, p, q);
    image = ig_arena_matrix(&arena, BLOCK, q);
    if (arena.failed)
        return ig_fail_memory(error, "CKA");
    ig_gemm_pool(e->pool, true, false, 1, a->row, b->row, 0, product);
    memset(r, 0, n * sizeof *r);
    for (size_t i = 0; i < p * q && !e->intervals; i++)
        r[0] += (double)product.a[i] * (double)product.a[i];
    for (size_t first = 0; first < n && e->intervals; first += BLOCK) {
        size_t count = n - first < BLOCK ? n - first : BLOCK;

        ig_gemm_pool(e->pool, false, false, 1, ig_matrix_rows(a->row, first, count),
                     product, 0, ig_matrix_rows(image, 0, count));
        for (size_t i = 0; i < count; i++)
            r[first + i] = kernels->dot(ig_matrix_row(image, i),
                                        ig_matrix_row(b->row, first + i), q);
    }
    ig_arena_free(&arena);
    return IG_OK;
}

/* Centre the rows, and find what follows from them alone. */
static ig_status complete_side(const ig_embeddings *e, struct side *s, ig_error *error)
{
    size_t n = s->row.rows, d = s->row.cols;
    double *mean = ig_arena_array(&s->arena, d, sizeof *mean);

    if (!mean)
        return ig_fail_memory(error, "CKA");
    for (size_t i = 0; i < n * d; i++)
        mean[i % d] += (double)s->row.a[i];
    for (size_t i = 0; i < n * d; i++)
        s->row.a[i] = (float)((double)s->row.a[i] - mean[i % d] / (double)n);
    for (size_t i = 0; i < n; i++) {
        const float *row = ig_matrix_row(s->row, i);

        s->square[i] = ig_kernels_best()->dot(row, row, d);
    }
    if (s->gram.rows) {
        s->gram = ig_matrix_of(s->gram.a, n, n);
        ig_gemm_pool(e->pool, false, true, 1, s->row, s->row, 0, s->gram);
    }
    return multiply(e, s, s, s->self, error);
}

/* Make rows first … last − 1 one, their mean, at row `to`. */
static void average_rows(ig_matrix m, size_t first, size_t last, size_t to)
{
    for (size_t j = 0; j < m.cols; j++) {
        double sum = 0;

        for (size_t i = first; i < last; i++)
            sum += (double)ig_matrix_row(m, i)[j];
        ig_matrix_row(m, to)[j] = (float)(sum / (double)(last - first));
    }
}

/* Read n rows of a source.
 *   list   in  rows of the source; NULL: the first n
 *   place  in  their places by meaning, of which one row each is made; NULL: all */
static ig_status open_side(const ig_embeddings *e, struct side *s, const ig_rows *rows,
                           const uint32_t *list, const uint32_t *place, size_t n,
                           ig_error *error)
{
    ig_status status = init_side(s, n, rows->dims, error);
    ig_chunk c = ig_chunk_of(rows, list, n, e->pool, e->progress, &s->arena);

    if (status == IG_OK)
        status = ig_chunk_status(&s->arena, e->progress, "CKA", error);
    if (status != IG_OK)
        return status;
    ig_chunk_read(&c, 0, n, s->row.a);
    s->row.rows = place ? 0 : n;
    for (size_t i = 0; i < n; i++)
        s->id[i] = e->meaning[place ? place[i] : i];
    for (size_t first = 0, last; first < n && place; first = last) {
        for (last = first + 1; last < n && s->id[last] == s->id[first];)
            last++;
        average_rows(s->row, first, last, s->row.rows);
        s->id[s->row.rows++] = s->id[first];
    }
    return complete_side(e, s, error);
}

/* --- two sides -------------------------------------------------------------------- */

static double sum_rows(const double *r, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += r[i];
    return sum;
}

/* Plain CKA from r (n) of two sides; NaN where one does not vary. */
static double find_cka(const double *r, const struct side *a, const struct side *b)
{
    size_t n = a->row.rows;
    double aa = sum_rows(a->self, n), bb = sum_rows(b->self, n);

    return aa > 0 && bb > 0 ? sum_rows(r, n) / sqrt(aa * bb) : (double)NAN;
}

/* What each row adds to HSIC₁. */
static void fill_items(const double *r, const struct side *a, const struct side *b,
                       float *item)
{
    size_t rows = a->row.rows;
    double n = (double)rows, all = sum_rows(r, rows), kl = 0, debiased;

    for (size_t i = 0; i < rows; i++)
        kl += a->square[i] * b->square[i];
    debiased =
        (all - kl - 2 / (n - 2) * kl +
         sum_rows(a->square, rows) * sum_rows(b->square, rows) / ((n - 1) * (n - 2))) /
        (n * (n - 3));
    for (size_t i = 0; i < rows; i++)
        item[i] = (float)(debiased +
                          2 / (n - 1) *
                              (r[i] - a->square[i] * b->square[i] - (all - kl) / n));
}

/* Append plain and debiased CKA of two sides: f[0], f[1]. */
static ig_status append_pair(const char *const measure[2], size_t from, size_t to,
                             const struct side *a, const struct side *b,
                             const ig_embeddings *e, ig_figures *figures,
                             ig_figure *f[2], ig_error *error)
{
    size_t n = a->row.rows;
    bool few = from != IG_ALL_LANGUAGES && n < SHARED_LEAST;
    double cka = (double)NAN, *r = ig_alloc(n, sizeof *r);
    ig_status status = IG_OK;

    f[1] = ig_figures_add_items(figures, measure[1], from, to, IG_CORRELATION, n, NULL);
    if (!f[1] || !r)
        status = ig_fail_memory(error, "CKA");
    else if (!few)
        status = multiply(e, a, b, r, error);
    if (status == IG_OK && !few) {
        cka = find_cka(r, a, b);
        fill_items(r, a, b, f[1]->item[0]);
        fill_items(a->self, a, a, f[1]->item[1]);
        fill_items(b->self, b, b, f[1]->item[2]);
    }
    ig_free(r);
    if (status != IG_OK)
        return status;
    f[0] = ig_figures_add_languages(figures, measure[0], from, to, cka,
                                    few ? few_ids : "the rows do not differ");
    memcpy(f[1]->unit, a->id, n * sizeof *a->id);
    f[0]->n = f[1]->n = n;
    f[1]->items = n < 4 || isnan(cka) ? 0 : n;
    ig_figures_close(figures, f[1],
                     few ? few_ids
                         : "fewer than 4 pairs, or no more variation than chance");
    return IG_OK;
}

/* --- between languages ------------------------------------------------------------ */

/* Languages, and room for two. */
struct languages {
    const ig_embeddings *e;
    uint32_t *place;     /* (n) rows by language and meaning */
    struct side *side;   /* (languages) those that are open */
    uint32_t *shared[2]; /* (meanings) of two: the rows of meanings that both have */
};

static size_t meaning_of(const void *context, size_t i)
{
    return ((const ig_embeddings *)context)->meaning[i];
}

static void sort_places(const struct languages *l, ig_arena *arena)
{
    const ig_embeddings *e = l->e;
    uint32_t *start = ig_arena_array(arena, e->meanings + 2, sizeof *start);
    uint32_t *order = ig_arena_array(arena, e->n, sizeof *order);
    uint32_t *next = ig_arena_array(arena, e->languages, sizeof *next);

    if (arena->failed)
        return;
    memcpy(next, e->first, e->languages * sizeof *next);
    ig_array_order(e->n, e->meanings, meaning_of, e, start, order);
    for (size_t i = 0; i < e->n; i++)
        l->place[next[e->lang[order[i]]]++] = order[i];
}

static ig_status open_language(struct languages *l, size_t lang, ig_error *error)
{
    const ig_embeddings *e = l->e;
    const uint32_t *place = l->place + e->first[lang];

    if (l->side[lang].id)
        return IG_OK;
    return open_side(e, &l->side[lang], &e->rows, place, place,
                     e->first[lang + 1] - e->first[lang], error);
}

/* Some rows of a language: all, or copies in `part`. */
static ig_status pick_rows(const ig_embeddings *e, const struct side **of,
                           const uint32_t *list, size_t n, struct side *part,
                           ig_error *error)
{
    const struct side *s = *of;
    ig_status status;

    if (n == s->row.rows)
        return IG_OK;
    *of = part;
    status = init_side(part, n, e->d, error);
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        part->id[i] = s->id[list[i]];
        memcpy(ig_matrix_row(part->row, i), ig_matrix_row(s->row, list[i]),
               e->d * sizeof(float));
    }
    return status == IG_OK ? complete_side(e, part, error) : status;
}

static ig_status compare_languages(struct languages *l, size_t a, size_t b,
                                   ig_figures *figures, ig_figure *f[2],
                                   ig_error *error)
{
    const struct side *side[2] = {&l->side[a], &l->side[b]};
    struct side part[2] = {{0}};
    size_t n = 0;
    ig_status status = open_language(l, a, error);

    if (status == IG_OK)
        status = open_language(l, b, error);
    for (uint32_t i = 0, j = 0; status == IG_OK && i < side[0]->row.rows; i++) {
        while (j < side[1]->row.rows && side[1]->id[j] < side[0]->id[i])
            j++;
        if (j < side[1]->row.rows && side[1]->id[j] == side[0]->id[i]) {
            l->shared[0][n] = i;
            l->shared[1][n++] = j;
        }
    }
    for (int s = 0; s < 2 && status == IG_OK; s++)
        status = pick_rows(l->e, &side[s], l->shared[s], n, &part[s], error);
    if (status == IG_OK)
        status = append_pair(between, a, b, side[0], side[1], l->e, figures, f, error);
    free_side(&part[0]);
    free_side(&part[1]);
    return status;
}

static ig_status measure_cka(const ig_embeddings *e, ig_evaluation *out,
                             ig_error *error)
{
    ig_arena *arena = &out->figures.brief;
    size_t k = e->languages, pairs = 0;
    struct languages l = {
        .e = e,
        .place = ig_arena_array(arena, e->n, sizeof *l.place),
        .side = ig_arena_array(arena, k, sizeof *l.side),
        .shared = {ig_arena_array(arena, e->meanings, sizeof(uint32_t)),
                   ig_arena_array(arena, e->meanings, sizeof(uint32_t))}};
    ig_language_pairs by;
    ig_figure *f[2], *mean,
        **of[2] = {ig_arena_array(arena, k * k / 2 + 1, sizeof *f),
                   ig_arena_array(arena, k * k / 2 + 1, sizeof *f)};
    ig_status status = ig_language_pairs_init(&by, e, arena, error);

    if (status == IG_OK)
        sort_places(&l, arena);
    if (arena->failed)
        return ig_fail_memory(error, "CKA");
    for (size_t a = 0; a < k && status == IG_OK; a++) {
        for (size_t b = a + 1; b < k && status == IG_OK; b++) {
            if (by.start[a * k + b] == by.start[a * k + b + 1])
                continue;
            status = compare_languages(&l, a, b, &out->figures, f, error);
            of[0][pairs] = f[0];
            of[1][pairs++] = f[1];
            if (e->n * e->d * sizeof(float) > HELD)
                free_side(&l.side[b]);
        }
        free_side(&l.side[a]);
    }
    for (size_t lang = 0; lang < k; lang++)
        free_side(&l.side[lang]);
    for (int m = 0; m < 2 && status == IG_OK; m++) {
        mean = ig_figures_add_mean(
            &out->figures, between[m], IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, of[m], pairs,
            true, pairs ? of[m][0]->reason : "no pairs of different languages");
        if (mean)
            mean->n = pairs;
    }
    return status;
}

/* --- between representations ------------------------------------------------------ */

static ig_status measure_space_cka(const ig_embeddings *e, ig_evaluation *out,
                                   ig_error *error)
{
    static const char *const measure[][2] = {{"cka_original", "cka_original_debiased"},
                                             {"cka_parts", "cka_parts_debiased"},
                                             {"cka_run", "cka_run_debiased"}};
    const ig_rows *other[] = {e->spec->part ? e->spec->part[0] : NULL,
                              e->spec->part ? e->spec->part[2] : NULL, e->spec->other};
    struct side own = {0}, side = {0};
    ig_figure *f[2];
    ig_status status = open_side(e, &own, &e->rows, NULL, NULL, e->n, error);

    for (int i = 0; i < 3 && status == IG_OK; i++) {
        if (!other[i])
            continue;
        status = open_side(e, &side, other[i], e->row, NULL, e->n, error);
        if (status == IG_OK)
            status = append_pair(measure[i], IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, &own,
                                 &side, e, &out->figures, f, error);
        free_side(&side);
    }
    free_side(&own);
    return status;
}

const ig_measure_group ig_cka_group = {
    .word = "cka", .needs = IG_NEEDS_PAIRS, .measure = measure_cka};

const ig_measure_group ig_space_cka_group = {.word = "space_cka",
                                             .needs = IG_NEEDS_ROWS | IG_NEEDS_OTHER,
                                             .measure = measure_space_cka};
