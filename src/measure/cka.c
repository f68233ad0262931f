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
#include "measure/evaluation.h"

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
    double *cross;  /* (n) and with another side, the last one */
    ig_arena arena;
};

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
    size_t n = a->row.rows, p = a->row.cols, q = b->row.cols;
    bool gram = a->gram.rows && b->gram.rows;
    ig_arena arena = {0};
    ig_matrix product = ig_arena_matrix(&arena, gram ? 0 : p, q);
    ig_matrix image = ig_arena_matrix(&arena, gram ? 0 : BLOCK, q);

    if (arena.failed) {
        ig_arena_free(&arena);
        return ig_fail_memory(error, "CKA");
    }
    memset(r, 0, n * sizeof *r);
    for (size_t i = 0; i < n && gram; i++)
        r[i] = ig_dot(ig_matrix_row(a->gram, i), ig_matrix_row(b->gram, i), n);
    if (!gram)
        ig_gemm_pool(e->pool, true, false, 1, a->row, b->row, 0, product);
    for (size_t i = 0; i < p * q && !gram && !e->intervals; i++)
        r[0] += (double)product.a[i] * (double)product.a[i];
    for (size_t first = 0; first < n && !gram && e->intervals; first += BLOCK) {
        image.rows = n - first < BLOCK ? n - first : BLOCK;
        ig_gemm_pool(e->pool, false, false, 1,
                     ig_matrix_rows(a->row, first, image.rows), product, 0, image);
        for (size_t i = 0; i < image.rows; i++)
            r[first + i] =
                ig_dot(ig_matrix_row(image, i), ig_matrix_row(b->row, first + i), q);
    }
    ig_arena_free(&arena);
    return IG_OK;
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
    ig_arena *a = &s->arena;
    size_t d = rows->dims, kept = 0;
    ig_chunk c = ig_chunk_of(rows, list, n, e->pool, e->progress, a);
    double *mean = ig_arena_array(a, d, sizeof *mean);
    ig_status status;

    s->id = ig_arena_array(a, n, sizeof *s->id);
    s->row = ig_arena_matrix(a, n, d);
    s->gram = n <= d ? ig_arena_matrix(a, n, n) : s->gram;
    s->square = ig_arena_array(a, n, sizeof *s->square);
    s->self = ig_arena_array(a, n, sizeof *s->self);
    s->cross = ig_arena_array(a, n, sizeof *s->cross);
    status = ig_chunk_status(a, e->progress, "CKA", error);
    if (status != IG_OK)
        return status;
    ig_chunk_read(&c, 0, n, s->row.a);
    for (size_t i = 0; i < n; i++)
        s->id[i] = e->meaning[place ? place[i] : i];
    for (size_t first = 0, last; first < n && place; first = last, kept++) {
        for (last = first + 1; last < n && s->id[last] == s->id[first];)
            last++;
        average_rows(s->row, first, last, kept);
        s->id[kept] = s->id[first];
    }
    s->row.rows = n = place ? kept : n;
    for (size_t i = 0; i < n * d; i++)
        mean[i % d] += (double)s->row.a[i];
    for (size_t i = 0; i < n * d; i++)
        s->row.a[i] = (float)((double)s->row.a[i] - mean[i % d] / (double)n);
    for (size_t i = 0; i < n; i++)
        s->square[i] = ig_dot(ig_matrix_row(s->row, i), ig_matrix_row(s->row, i), d);
    if (s->gram.rows) {
        s->gram = ig_matrix_of(s->gram.a, n, n);
        ig_gemm_pool(e->pool, false, true, 1, s->row, s->row, 0, s->gram);
    }
    return multiply(e, s, s, s->self, error);
}

/* --- two sides -------------------------------------------------------------------- */

static double sum_rows(const double *r, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += r[i];
    return sum;
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

/* Append plain and debiased CKA of two sides, and set f[0], f[1]. */
static ig_status append_pair(const char *const measure[2], size_t from, size_t to,
                             const struct side *a, const struct side *b,
                             const ig_embeddings *e, ig_figures *figures,
                             ig_figure *f[2], ig_error *error)
{
    size_t n = a->row.rows;
    bool few = from != IG_ALL_LANGUAGES && n < SHARED_LEAST;
    const char *none = few ? "the languages share fewer than 20 ids" : NULL;
    double cka = (double)NAN, aa = sum_rows(a->self, n), bb = sum_rows(b->self, n);
    ig_status status;

    f[1] = ig_figures_add_items(figures, measure[1], from, to, IG_CORRELATION, n, NULL);
    status = f[1] ? multiply(e, a, b, a->cross, error) : ig_fail_memory(error, "CKA");
    if (status != IG_OK)
        return status;
    fill_items(a->cross, a, b, f[1]->item[0]);
    fill_items(a->self, a, a, f[1]->item[1]);
    fill_items(b->self, b, b, f[1]->item[2]);
    if (!few && aa > 0 && bb > 0)
        cka = sum_rows(a->cross, n) / sqrt(aa * bb);
    f[0] = ig_figures_add_languages(figures, measure[0], from, to, cka,
                                    few ? none : "the rows do not differ");
    memcpy(f[1]->unit, a->id, n * sizeof *a->id);
    f[0]->n = f[1]->n = n;
    f[1]->items = n < 4 || isnan(cka) ? 0 : n;
    ig_figures_close(figures, f[1],
                     few ? none
                         : "fewer than 4 pairs, or no more variation than chance");
    return IG_OK;
}

/* --- between languages ------------------------------------------------------------ */

static const char *const between[2] = {"cka", "cka_debiased"};

/* Of the places of two languages by meaning those whose meanings both have. */
static void share_places(const ig_embeddings *e, const uint32_t *place,
                         const size_t lang[2], uint32_t *const shared[2], size_t n[2])
{
    uint32_t at[2] = {e->first[lang[0]], e->first[lang[1]]};
    const uint32_t end[2] = {e->first[lang[0] + 1], e->first[lang[1] + 1]};

    n[0] = n[1] = 0;
    while (at[0] < end[0] && at[1] < end[1]) {
        uint32_t m[2] = {e->meaning[place[at[0]]], e->meaning[place[at[1]]]};

        at[0] += m[0] < m[1];
        at[1] += m[1] < m[0];
        for (int s = 0; s < 2 && m[0] == m[1]; s++)
            while (at[s] < end[s] && e->meaning[place[at[s]]] == m[s])
                shared[s][n[s]++] = place[at[s]++];
    }
}

static ig_status compare_languages(const ig_embeddings *e, const uint32_t *place,
                                   struct side *open, const size_t lang[2],
                                   uint32_t *const shared[2], ig_figures *figures,
                                   ig_figure *f[2], ig_error *error)
{
    struct side part[2] = {{0}}, *side[2];
    size_t n[2];
    ig_status status = IG_OK;

    share_places(e, place, lang, shared, n);
    for (int s = 0; s < 2; s++) {
        bool all = n[s] == e->first[lang[s] + 1] - e->first[lang[s]];

        side[s] = all ? &open[lang[s]] : &part[s];
        if (status == IG_OK && !side[s]->id)
            status = open_side(e, side[s], &e->rows, shared[s], shared[s], n[s], error);
    }
    if (status == IG_OK)
        status = append_pair(between, lang[0], lang[1], side[0], side[1], e, figures, f,
                             error);
    free_side(&part[0]);
    free_side(&part[1]);
    return status;
}

static ig_status measure_cka(const ig_embeddings *e, ig_evaluation *out,
                             ig_error *error)
{
    ig_arena *a = &out->figures.brief;
    size_t k = e->languages, pairs = 0;
    uint64_t *key = ig_arena_array(a, e->n, sizeof *key);
    uint32_t *place = ig_arena_array(a, e->n, sizeof *place); /* by language, meaning */
    uint32_t *shared[2] = {ig_arena_array(a, e->n, sizeof *place),
                           ig_arena_array(a, e->n, sizeof *place)};
    struct side *open = ig_arena_array(a, k, sizeof *open);
    ig_language_pairs by;
    ig_figure *f[2], *mean,
        **of[2] = {ig_arena_array(a, k * k / 2 + 1, sizeof *of),
                   ig_arena_array(a, k * k / 2 + 1, sizeof *of)};
    ig_status status = ig_language_pairs_init(&by, e, a, error);

    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < e->n; i++)
        key[i] = (uint64_t)e->meaning[i] << 32 | i;
    for (size_t l = 0; l < k; l++)
        ig_array_sort64(key + e->first[l], e->first[l + 1] - e->first[l]);
    for (size_t i = 0; i < e->n; i++)
        place[i] = (uint32_t)key[i];
    for (size_t l[2] = {0}; l[0] < k; free_side(&open[l[0]++]))
        for (l[1] = l[0] + 1; l[1] < k && status == IG_OK; l[1]++) {
            if (by.start[l[0] * k + l[1]] == by.start[l[0] * k + l[1] + 1])
                continue;
            status =
                compare_languages(e, place, open, l, shared, &out->figures, f, error);
            of[0][pairs] = f[0];
            of[1][pairs++] = f[1];
            if (e->n * e->d * sizeof(float) > HELD)
                free_side(&open[l[1]]);
        }
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
