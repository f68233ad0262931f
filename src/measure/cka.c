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

enum { SHARED_LEAST = 20 }; /* ids of two languages */

/* Rows of languages up to this size in total are held until all are compared. */
static const size_t HELD = (size_t)256 << 20;

/* One representation. */
struct side {
    size_t n, d;
    uint32_t *id;   /* (n) what each row is resampled with; of a language ascending */
    float *row;     /* (n, d) centred */
    double *square; /* (n) k_i */
    float *gram;    /* (n, n) K where n ≤ d, else NULL */
    double *self;   /* (n) r_i of A with itself */
    bool each;      /* r_i of each row is wanted, not only their sum, as that of one */
    ig_arena arena;
};

static const char *const between[2] = {"cka", "cka_debiased"};
static const char few_ids[] = "the languages share fewer than 20 ids";

/* --- one side --------------------------------------------------------------------- */

static ig_status init_side(struct side *s, size_t n, size_t d, bool each,
                           ig_error *error)
{
    *s = (struct side){.n = n, .d = d, .each = each};
    s->id = ig_arena_array(&s->arena, n, sizeof *s->id);
    s->row = ig_arena_array(&s->arena, n, d * sizeof *s->row);
    s->square = ig_arena_array(&s->arena, n, sizeof *s->square);
    s->gram = n <= d ? ig_arena_array(&s->arena, n, n * sizeof *s->gram) : NULL;
    s->self = ig_arena_array(&s->arena, n, sizeof *s->self);
    return s->arena.failed ? ig_fail_memory(error, "CKA") : IG_OK;
}

static void free_side(struct side *s)
{
    ig_arena_free(&s->arena);
    *s = (struct side){0};
}

/* r (n) of two sides, each with its K, if any. */
static ig_status multiply(const struct side *a, const struct side *b, double *r,
                          ig_pool *pool, ig_error *error)
{
    enum { BLOCK = 4096 };
    const ig_kernels *kernels = ig_kernels_best();
    size_t n = a->n, p = a->d, q = b->d;
    ig_matrix rows = ig_matrix_of(a->row, n, p), product, image;
    ig_arena arena = {0};

    for (size_t i = 0; a->gram && b->gram && i < n; i++)
        r[i] = kernels->dot(a->gram + i * n, b->gram + i * n, n);
    if (a->gram && b->gram)
        return IG_OK;
    product = ig_matrix_of(ig_arena_array(&arena, p, q * sizeof(float)), p, q);
    image = ig_matrix_of(ig_arena_array(&arena, BLOCK, q * sizeof(float)), BLOCK, q);
    if (arena.failed)
        return ig_fail_memory(error, "CKA");
    ig_gemm_pool(pool, true, false, 1, rows, ig_matrix_of(b->row, n, q), 0, product);
    for (size_t i = 0; i < n; i++)
        r[i] = 0;
    for (size_t i = 0; i < p * q && !a->each; i++)
        r[0] += (double)product.a[i] * (double)product.a[i];
    for (size_t first = 0; first < n && a->each; first += BLOCK) {
        size_t count = n - first < BLOCK ? n - first : BLOCK;

        ig_gemm_pool(pool, false, false, 1, ig_matrix_rows(rows, first, count), product,
                     0, ig_matrix_rows(image, 0, count));
        for (size_t i = 0; i < count; i++)
            r[first + i] =
                kernels->dot(ig_matrix_row(image, i), b->row + (first + i) * q, q);
    }
    ig_arena_free(&arena);
    return IG_OK;
}

/* Centre the rows, and find what follows from them alone. */
static ig_status complete_side(struct side *s, ig_pool *pool, ig_error *error)
{
    size_t n = s->n, d = s->d;
    double *mean = ig_alloc(d, sizeof *mean);
    ig_matrix rows = ig_matrix_of(s->row, n, d);

    if (!mean)
        return ig_fail_memory(error, "CKA");
    for (size_t i = 0; i < n * d; i++)
        mean[i % d] += (double)s->row[i];
    for (size_t i = 0; i < n * d; i++)
        s->row[i] = (float)((double)s->row[i] - mean[i % d] / (double)n);
    ig_free(mean);
    for (size_t i = 0; i < n; i++)
        s->square[i] = ig_kernels_best()->dot(s->row + i * d, s->row + i * d, d);
    if (s->gram)
        ig_gemm_pool(pool, false, true, 1, rows, rows, 0, ig_matrix_of(s->gram, n, n));
    return multiply(s, s, s->self, pool, error);
}

/* --- two sides -------------------------------------------------------------------- */

/* Σr; item (n), unless it is NULL, gets what each row adds to HSIC₁. */
static double sum_rows(const double *r, const struct side *a, const struct side *b,
                       float *item)
{
    double n = (double)a->n, all = 0, k = 0, l = 0, kl = 0, debiased;

    for (size_t i = 0; i < a->n; i++) {
        all += r[i];
        k += a->square[i];
        l += b->square[i];
        kl += a->square[i] * b->square[i];
    }
    debiased = (all - kl + k * l / ((n - 1) * (n - 2)) - 2 / (n - 2) * kl) /
               (n * (n - 3));
    for (size_t i = 0; i < a->n && item; i++) {
        double own = r[i] - a->square[i] * b->square[i];

        item[i] = (float)(debiased + 2 / (n - 1) * (own - (all - kl) / n));
    }
    return all;
}

/* Plain CKA of two sides of as many rows; NaN where one does not vary.
 *   item  out  what rows add to HSIC₁ of A with B, of A and of B: (n) each, or NULLs */
static ig_status compare_sides(double *cka, const struct side *a, const struct side *b,
                               float *const item[3], ig_pool *pool, ig_error *error)
{
    double *r = ig_alloc(a->n, sizeof *r);
    ig_status status = r ? multiply(a, b, r, pool, error)
                         : ig_fail_memory(error, "CKA");
    double ab, aa, bb;

    if (status == IG_OK) {
        ab = sum_rows(r, a, b, item[0]);
        aa = sum_rows(a->self, a, a, item[1]);
        bb = sum_rows(b->self, b, b, item[2]);
        *cka = aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : (double)NAN;
        if (!isfinite(ab))
            status = ig_fail(error, IG_VALUE, "a value is not finite");
    }
    ig_free(r);
    return status;
}

static ig_status read_side(struct side *s, const ig_rows *rows, const uint32_t *list,
                           size_t n, bool each, ig_pool *pool, ig_progress *watch,
                           ig_error *error)
{
    ig_arena arena = {0};
    ig_chunk c = ig_chunk_of(rows, list, n, pool, watch, &arena);
    ig_status status = init_side(s, n, rows->dims, each, error);

    if (status == IG_OK)
        status = ig_chunk_status(&arena, watch, "CKA", error);
    if (status == IG_OK)
        ig_chunk_read(&c, 0, n, s->row);
    ig_arena_free(&arena);
    return status;
}

ig_status ig_cka_measure(double *cka, const ig_rows *a, const ig_rows *b,
                         const uint32_t *list, size_t n, ig_pool *pool,
                         ig_progress *watch, ig_error *error)
{
    struct side side[2] = {{0}};
    ig_status status = IG_OK;

    for (int s = 0; s < 2 && status == IG_OK; s++) {
        status = read_side(&side[s], s ? b : a, list, n, false, pool, watch, error);
        if (status == IG_OK)
            status = complete_side(&side[s], pool, error);
    }
    if (status == IG_OK)
        status = compare_sides(cka, &side[0], &side[1], (float *[3]){NULL, NULL, NULL},
                               pool, error);
    free_side(&side[0]);
    free_side(&side[1]);
    return status;
}

/* Append plain and debiased CKA of two sides: f[0], f[1]. */
static ig_status append_pair(const char *const measure[2], size_t from, size_t to,
                             const struct side *a, const struct side *b,
                             const ig_embeddings *e, ig_figures *figures,
                             ig_figure *f[2], ig_error *error)
{
    bool few = from != IG_ALL_LANGUAGES && a->n < SHARED_LEAST;
    double cka = (double)NAN;
    ig_status status = IG_OK;

    f[1] =
        ig_figures_add_items(figures, measure[1], from, to, IG_CORRELATION, a->n, NULL);
    if (!f[1])
        return ig_fail_memory(error, "CKA");
    memcpy(f[1]->unit, a->id, a->n * sizeof *a->id);
    if (!few)
        status = compare_sides(&cka, a, b, f[1]->item, e->pool, error);
    f[0] = ig_figures_add_languages(figures, measure[0], from, to, cka,
                                    few ? few_ids : "the rows do not differ");
    f[0]->n = f[1]->n = a->n;
    f[1]->items = few || a->n < 4 || isnan(cka) ? 0 : a->n;
    ig_figures_close(figures, f[1],
                     few ? few_ids
                         : "fewer than 4 pairs, or no more variation than chance");
    return status;
}

/* --- between languages ------------------------------------------------------------ */

/* Languages, and room for two. */
struct languages {
    const ig_embeddings *e;
    size_t lang;             /* the one that is opened */
    struct side *side;       /* (languages) those that are open */
    uint32_t *start, *order; /* (meanings + 2), (n) its rows by meaning */
    uint32_t *shared[2];     /* (meanings) of two: the places of those that both have */
};

static size_t meaning_of(const void *context, size_t i)
{
    const struct languages *l = context;

    return l->e->meaning[l->e->first[l->lang] + i];
}

/* Read the rows of a language by meaning: of several rows of one their mean. */
static ig_status open_language(struct languages *l, size_t lang, ig_error *error)
{
    const ig_embeddings *e = l->e;
    size_t n = e->first[lang + 1] - e->first[lang], d = e->d, at = 0;
    struct side *s = &l->side[lang];
    ig_status status;

    l->lang = lang;
    ig_array_order(n, e->meanings, meaning_of, l, l->start, l->order);
    for (size_t i = 0; i < n; i++)
        l->order[i] += e->first[lang];
    status =
        read_side(s, &e->rows, l->order, n, e->intervals, e->pool, e->progress, error);
    for (uint32_t m = 0; m < e->meanings && status == IG_OK; m++) {
        size_t rows = l->start[m + 1] - l->start[m];

        if (!rows)
            continue;
        for (size_t j = 0; j < d; j++) {
            double sum = 0;

            for (size_t k = l->start[m]; k < l->start[m + 1]; k++)
                sum += (double)s->row[k * d + j];
            s->row[at * d + j] = (float)(sum / (double)rows);
        }
        s->id[at++] = m;
    }
    s->n = at;
    return status == IG_OK ? complete_side(s, e->pool, error) : status;
}

/* The rows of a language at some places: all, or copies in `part`. */
static ig_status pick_rows(const struct side **out, const struct side *s,
                           const uint32_t *place, size_t n, struct side *part,
                           ig_pool *pool, ig_error *error)
{
    size_t d = s->d;
    ig_status status;

    *out = n == s->n ? s : part;
    if (n == s->n)
        return IG_OK;
    status = init_side(part, n, d, s->each, error);
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        part->id[i] = s->id[place[i]];
        memcpy(part->row + i * d, s->row + place[i] * d, d * sizeof *s->row);
    }
    return status == IG_OK ? complete_side(part, pool, error) : status;
}

static ig_status compare_languages(struct languages *l, size_t a, size_t b,
                                   ig_figures *figures, ig_figure *f[2],
                                   ig_error *error)
{
    const struct side *x = &l->side[a], *y = &l->side[b];
    struct side part[2] = {{0}};
    size_t n = 0;
    ig_status status = IG_OK;

    if (!x->row)
        status = open_language(l, a, error);
    if (!y->row && status == IG_OK)
        status = open_language(l, b, error);
    for (uint32_t i = 0, j = 0; i < x->n && j < y->n && status == IG_OK; i++) {
        while (j < y->n && y->id[j] < x->id[i])
            j++;
        if (j < y->n && y->id[j] == x->id[i]) {
            l->shared[0][n] = i;
            l->shared[1][n++] = j;
        }
    }
    if (status == IG_OK)
        status = pick_rows(&x, x, l->shared[0], n, &part[0], l->e->pool, error);
    if (status == IG_OK)
        status = pick_rows(&y, y, l->shared[1], n, &part[1], l->e->pool, error);
    if (status == IG_OK)
        status = append_pair(between, a, b, x, y, l->e, figures, f, error);
    free_side(&part[0]);
    free_side(&part[1]);
    return status;
}

static ig_status measure_cka(const ig_embeddings *e, ig_evaluation *out,
                             ig_error *error)
{
    ig_figures *figures = &out->figures;
    ig_arena *arena = &figures->brief;
    struct languages l = {
        .e = e,
        .side = ig_arena_array(arena, e->languages, sizeof *l.side),
        .start = ig_arena_array(arena, e->meanings + 2, sizeof *l.start),
        .order = ig_arena_array(arena, e->n, sizeof *l.order)};
    ig_language_pairs by;
    ig_status status = ig_language_pairs_init(&by, e, arena, error);
    size_t k = e->languages, pairs = 0;
    bool keep = e->n * e->d * sizeof(float) <= HELD;
    ig_figure *f[2], *mean, **of[2];

    for (int m = 0; m < 2; m++) {
        of[m] = ig_arena_array(arena, k * k / 2 + 1, sizeof(*of[m]));
        l.shared[m] = ig_arena_array(arena, e->meanings, sizeof *l.shared[m]);
    }
    if (arena->failed)
        return ig_fail_memory(error, "CKA");
    for (size_t a = 0; a < k && status == IG_OK; a++) {
        for (size_t b = a + 1; b < k && status == IG_OK; b++) {
            if (by.start[a * k + b] == by.start[a * k + b + 1])
                continue;
            status = compare_languages(&l, a, b, figures, f, error);
            of[0][pairs] = f[0];
            of[1][pairs++] = f[1];
            if (!keep)
                free_side(&l.side[b]);
        }
        free_side(&l.side[a]);
    }
    for (size_t lang = 0; lang < k; lang++)
        free_side(&l.side[lang]);
    for (int m = 0; m < 2 && status == IG_OK; m++) {
        mean = ig_figures_add_mean(
            figures, between[m], IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, of[m], pairs, true,
            pairs ? of[m][0]->reason : "no pairs of different languages");
        if (mean)
            mean->n = pairs;
    }
    return status;
}

/* --- between representations ------------------------------------------------------ */

static ig_status measure_space_cka(const ig_embeddings *e, ig_evaluation *out,
                                   ig_error *error)
{
    ig_figures *figures = &out->figures;
    static const char *const measure[][2] = {{"cka_original", "cka_original_debiased"},
                                             {"cka_parts", "cka_parts_debiased"},
                                             {"cka_run", "cka_run_debiased"}};
    const ig_rows *other[] = {e->spec->part ? e->spec->part[0] : NULL,
                              e->spec->part ? e->spec->part[2] : NULL, e->spec->other};
    size_t n = e->n;
    struct side own = {0}, side = {0};
    ig_figure *f[2];
    ig_status status =
        read_side(&own, &e->rows, NULL, n, e->intervals, e->pool, e->progress, error);

    for (size_t i = 0; i < n && status == IG_OK; i++)
        own.id[i] = e->meaning[i];
    if (status == IG_OK)
        status = complete_side(&own, e->pool, error);
    for (int i = 0; i < 3 && status == IG_OK; i++) {
        if (!other[i])
            continue;
        status = read_side(&side, other[i], e->row, n, e->intervals, e->pool,
                           e->progress, error);
        if (status == IG_OK)
            status = complete_side(&side, e->pool, error);
        if (status == IG_OK)
            status = append_pair(measure[i], IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, &own,
                                 &side, e, figures, f, error);
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
