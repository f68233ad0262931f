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

#include "core/blas.h"
#include "core/kernels.h"
#include "measure/evaluation.h"

enum {
    SHARED_LEAST = 20, /* ids of two languages */
    BLOCK = 4096
};

/* The number of a meaning that is not compared. */
static const uint32_t NONE = UINT32_MAX;

/* One representation. */
struct side {
    uint32_t *id;   /* (n) what each row is resampled with */
    ig_matrix row;  /* (n, d) centred */
    ig_matrix gram; /* (n, n) K where n ≤ d, else without rows */
    double *square; /* (n) k_i */
    float *self;    /* (n) what each row adds to HSIC₁ of A with itself */
    double sum;     /* Σr of A with itself */
};

struct cka {
    const ig_embeddings *e;
    ig_figures *figures;
    double *r; /* (n) of the last two sides */
};

/* --- two sides -------------------------------------------------------------------- */

/* Fill in r of two sides; without intervals their sum may stand first alone. */
static void multiply(const struct cka *c, const struct side *a, const struct side *b)
{
    size_t n = a->row.rows, p = a->row.cols, q = b->row.cols;
    ig_matrix product, image; /* AᵀB; BLOCK rows of A(AᵀB) */
    ig_arena brief = {0};

    if (a->gram.rows && b->gram.rows) {
        for (size_t i = 0; i < n; i++)
            c->r[i] = ig_dot(ig_matrix_row(a->gram, i), ig_matrix_row(b->gram, i), n);
        return;
    }
    memset(c->r, 0, n * sizeof *c->r);
    product = ig_arena_matrix(&brief, p, q);
    image = ig_arena_matrix(&brief, BLOCK, q);
    c->figures->failed |= brief.failed;
    if (!brief.failed)
        ig_gemm_pool(c->e->pool, true, false, 1, a->row, b->row, 0, product);
    for (size_t i = 0; i < p * q && !c->e->intervals && !brief.failed; i++)
        c->r[0] += (double)product.a[i] * (double)product.a[i];
    for (size_t first = 0; first < n && c->e->intervals && !brief.failed;
         first += BLOCK) {
        size_t rows = n - first < BLOCK ? n - first : BLOCK;

        ig_gemm_pool(c->e->pool, false, false, 1, ig_matrix_rows(a->row, first, rows),
                     product, 0, ig_matrix_rows(image, 0, rows));
        for (size_t i = 0; i < rows; i++)
            c->r[first + i] =
                ig_dot(ig_matrix_row(image, i), ig_matrix_row(b->row, first + i), q);
    }
    ig_arena_free(&brief);
}

/* Fill in what each row of two sides adds to HSIC₁. Returns Σr. */
static double fill_items(const struct cka *c, const struct side *a,
                         const struct side *b, float *item)
{
    size_t rows = a->row.rows;
    double n = (double)rows, all = 0, k = 0, l = 0, kl = 0, debiased;

    multiply(c, a, b);
    for (size_t i = 0; i < rows; i++) {
        all += c->r[i];
        k += a->square[i];
        l += b->square[i];
        kl += a->square[i] * b->square[i];
    }
    debiased = (all - kl - 2 / (n - 2) * kl + k * l / ((n - 1) * (n - 2))) /
               (n * (n - 3));
    for (size_t i = 0; i < rows; i++)
        item[i] = (float)(debiased +
                          2 / (n - 1) *
                              (c->r[i] - a->square[i] * b->square[i] - (all - kl) / n));
    return all;
}

/* Read rows of a source, centred.
 *   list    in  rows of the source by place, or NULL: they are the places
 *   first   in  the first place of so many
 *   number  in  (meanings) the row of the side that their mean becomes; NULL: each is
 *               a row
 *   n       in  rows of the side */
static void open_side(const struct cka *c, struct side *s, const ig_rows *rows,
                      const uint32_t *list, size_t first, size_t count,
                      const uint32_t *number, size_t n, ig_arena *a)
{
    const ig_embeddings *e = c->e;
    size_t d = rows->dims;
    ig_chunk chunk = ig_chunk_of(e, rows, list, count, a);
    double *mean = ig_arena_array(a, d, sizeof *mean);
    float *parts = ig_arena_array(a, n, sizeof *parts);
    int power;

    s->id = ig_arena_array(a, n, sizeof *s->id);
    s->row = ig_arena_matrix(a, n, d);
    s->gram = n <= d ? ig_arena_matrix(a, n, n) : s->gram;
    s->square = ig_arena_array(a, n, sizeof *s->square);
    s->self = ig_arena_array(a, n, sizeof *s->self);
    c->figures->failed |= a->failed;
    if (c->figures->failed)
        return;
    chunk.first = first;
    chunk.n = first + count;
    while (ig_chunk_next(&chunk))
        for (size_t i = 0; i < chunk.count; i++) {
            uint32_t meaning = e->meaning[chunk.first + i];
            size_t to = number ? number[meaning] : chunk.first + i;

            if (to == NONE)
                continue;
            s->id[to] = meaning;
            parts[to]++; /* the mean so far: of equal rows exactly that row */
            for (size_t j = 0; j < d; j++) {
                float *x = ig_matrix_row(s->row, to) + j;

                *x += (chunk.row[i * d + j] - *x) / parts[to];
            }
        }
    for (size_t i = 0; i < n * d; i++)
        mean[i % d] += (double)s->row.a[i];
    /* A power of 2 changes no figure, and keeps fourth powers within floats. */
    frexpf(ig_max_abs(s->row.a, n * d), &power);
    for (size_t i = 0; i < n * d; i++)
        s->row.a[i] =
            (float)ldexp((double)s->row.a[i] - mean[i % d] / (double)n, -power);
    for (size_t i = 0; i < n; i++)
        s->square[i] = ig_dot(ig_matrix_row(s->row, i), ig_matrix_row(s->row, i), d);
    if (s->gram.rows)
        ig_gemm_pool(e->pool, false, true, 1, s->row, s->row, 0, s->gram);
    s->sum = fill_items(c, s, s, s->self);
}

/* Append plain and debiased CKA of two sides. */
static void append_pair(const struct cka *c, const char *const measure[2], size_t from,
                        size_t to, const struct side *a, const struct side *b)
{
    size_t n = a->row.rows;
    const char *few = from != IG_ALL_LANGUAGES && n < SHARED_LEAST
                          ? "the languages share fewer than 20 ids"
                          : NULL;
    ig_figure *f =
        ig_figures_add_items(c->figures, measure[1], from, to, IG_CORRELATION, n);
    double cka, both = sqrt(a->sum * b->sum);

    if (c->figures->failed)
        return;
    cka = fill_items(c, a, b, f->item[0]) / both;
    memcpy(f->item[1], a->self, n * sizeof *a->self);
    memcpy(f->item[2], b->self, n * sizeof *b->self);
    memcpy(f->unit, a->id, n * sizeof *a->id);
    f->n = n;
    f->items = few || n < 4 || !(both > 0) ? 0 : n;
    ig_figures_close(c->figures, f,
                     few ? few
                         : "fewer than 4 pairs, or no more variation than chance");
    ig_figures_add_languages(c->figures, measure[0], from, to,
                             few || !(both > 0) ? (double)NAN : cka,
                             few ? few : "the rows do not differ")
        ->n = n;
}

/* --- between languages ------------------------------------------------------------ */

static const char *const between[2] = {"cka", "cka_debiased"};

/* Compare the meanings that two languages share.
 *   open    in/out  (languages) sides of all meanings of a language, once they are read
 *   number  scratch (meanings) */
static void compare_languages(const struct cka *c, struct side *open,
                              const size_t lang[2], uint32_t *number)
{
    const ig_embeddings *e = c->e;
    struct side part[2] = {{0}}, *side[2];
    ig_arena brief = {0};
    uint32_t n = 0;

    memset(number, 0, e->meanings * sizeof *number);
    for (int s = 0; s < 2; s++)
        for (size_t i = e->first[lang[s]]; i < e->first[lang[s] + 1]; i++)
            number[e->meaning[i]] |= 1U << s;
    for (size_t m = 0; m < e->meanings; m++)
        number[m] = number[m] == 3 ? n++ : NONE;
    for (int s = 0; s < 2; s++) {
        size_t first = e->first[lang[s]], count = e->first[lang[s] + 1] - first;
        bool all = true;

        for (size_t i = first; i < first + count; i++)
            all &= number[e->meaning[i]] != NONE;
        side[s] = all ? &open[lang[s]] : &part[s];
        if (!side[s]->id)
            open_side(c, side[s], &e->rows, NULL, first, count, number, n,
                      all ? &c->figures->brief : &brief);
    }
    append_pair(c, between, lang[0], lang[1], side[0], side[1]);
    ig_arena_free(&brief);
}

static ig_status measure_cka(const ig_embeddings *e, ig_evaluation *out)
{
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    size_t k = e->languages, pairs = 0;
    uint32_t *number = ig_arena_array(a, e->meanings, sizeof *number);
    struct side *open = ig_arena_array(a, k, sizeof *open);
    struct cka c = {e, figures, ig_arena_array(a, e->n, sizeof *c.r)};

    for (size_t l = 0; l < k * k && !a->failed; l++)
        if (e->pair_start[l] < e->pair_start[l + 1] &&
            !ig_progress_cancelled(e->progress)) {
            compare_languages(&c, open, (size_t[2]){l / k, l % k}, number);
            pairs++;
        }
    for (int m = 0; m < 2; m++)
        ig_figures_add_mean_of(figures, between[m], between[m], true,
                               "no pairs of different languages")
            ->n = pairs;
    return IG_OK;
}

/* --- between representations ------------------------------------------------------ */

static ig_status measure_space_cka(const ig_embeddings *e, ig_evaluation *out)
{
    static const char *const measure[][2] = {{"cka_original", "cka_original_debiased"},
                                             {"cka_parts", "cka_parts_debiased"},
                                             {"cka_run", "cka_run_debiased"}};
    const ig_rows *other[] = {e->spec->part ? e->spec->part[0] : NULL,
                              e->spec->part ? e->spec->part[2] : NULL, e->spec->other};
    size_t all = IG_ALL_LANGUAGES;
    ig_arena *a = &out->figures.brief;
    struct side own = {0};
    struct cka c = {e, &out->figures, ig_arena_array(a, e->n, sizeof *c.r)};

    open_side(&c, &own, &e->rows, NULL, 0, e->n, NULL, e->n, a);
    for (int i = 0; i < 3; i++) {
        struct side side = {0};
        ig_arena brief = {0};

        if (!other[i])
            continue;
        open_side(&c, &side, other[i], e->row, 0, e->n, NULL, e->n, &brief);
        append_pair(&c, measure[i], all, all, &own, &side);
        ig_arena_free(&brief);
    }
    return IG_OK;
}

const ig_measure_group ig_cka_group = {"cka", IG_NEEDS_PAIRS, .measure = measure_cka};

const ig_measure_group ig_space_cka_group = {
    "space_cka", IG_NEEDS_ROWS | IG_NEEDS_OTHER, .measure = measure_space_cka};
