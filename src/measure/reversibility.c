/* Reversibility [seed eq.6]: how far a row is the sum of its parts, and of exchanged
 * ones. Legend: e an original row, m its meaning, l its language, d dims. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/random.h"
#include "measure/chunk.h"
#include "measure/measure_group.h"

/* e, m and l of a row, l of another row of its language, m of a translation. */
enum { E, M, L, OTHER_L, OTHER_M, PARTS };

enum { SUMS = 3, STREAM = 0x52455653 };

/* Sums that are compared with e, and why there may be none. */
static const struct sum {
    const char *cosine, *error, *missing;
    int m, l;
} sums[SUMS] = {
    {"reversible", "reversible_error", "no row has a length", M, L},
    {"exchanged_language", "exchanged_language_error", "no language has a second row",
     M, OTHER_L},
    {"exchanged_meaning", "exchanged_meaning_error", "no row has a translation",
     OTHER_M, L},
};

/* --- exchanged parts -------------------------------------------------------------- */

static size_t by_meaning(const void *context, size_t i)
{
    const ig_embeddings *e = context;

    return e->by_row[i] < e->n ? e->meaning[e->by_row[i]] : SIZE_MAX;
}

/* Another row of the language of row i; i: there is none. */
static uint32_t draw_row(const ig_embeddings *e, uint32_t i, ig_random *random)
{
    uint32_t first = e->first[e->lang[i]], n = e->first[e->lang[i] + 1] - first;
    uint32_t at = n > 1 ? first + (uint32_t)ig_random_below(random, n - 1) : i;

    /* The last stands in for the row itself. */
    return at == i ? first + n - 1 : at;
}

/* A translation of row i, each with the same probability; i: there is none. */
static uint32_t draw_translation(const ig_embeddings *e, const uint32_t *start,
                                 const uint32_t *order, uint32_t i, ig_random *random)
{
    uint32_t m = e->meaning[i], at = i;
    size_t count = 0;

    for (size_t k = start[m]; k < start[m + 1]; k++)
        if (e->lang[e->by_row[order[k]]] != e->lang[i] &&
            ig_random_below(random, ++count) == 0)
            at = e->by_row[order[k]];
    return at;
}

/* The rows of the source of each part (n); of the last two the row itself where there
 * is no other. They are drawn in the order of the dataset. */
static ig_status list_rows(const ig_embeddings *e, uint32_t *list[PARTS],
                           ig_arena *arena, ig_error *error)
{
    uint32_t *start = ig_arena_array(arena, e->meanings + 2, sizeof *start);
    uint32_t *order = ig_arena_array(arena, e->all, sizeof *order);
    ig_random random;

    list[E] = list[M] = list[L] = e->row;
    list[OTHER_L] = ig_arena_array(arena, e->n, sizeof(uint32_t));
    list[OTHER_M] = ig_arena_array(arena, e->n, sizeof(uint32_t));
    if (arena->failed)
        return ig_fail_memory(error, "reversibility");
    ig_random_init(&random, e->spec->seed, STREAM);
    for (size_t k = 0; k < e->all; k++)
        if (e->by_row[k] < e->n)
            list[OTHER_L][e->by_row[k]] = e->row[draw_row(e, e->by_row[k], &random)];
    ig_array_order(e->all, e->meanings, by_meaning, e, start, order);
    for (size_t k = 0; k < e->all; k++)
        if (e->by_row[k] < e->n)
            list[OTHER_M][e->by_row[k]] =
                e->row[draw_translation(e, start, order, e->by_row[k], &random)];
    return IG_OK;
}

/* --- rows ------------------------------------------------------------------------- */

/* cos(a, b), or NaN where one has length 0. */
static float cosine(const float *a, const float *b, size_t d)
{
    const ig_kernels *kernels = ig_kernels_best();
    double aa = kernels->dot(a, a, d), bb = kernels->dot(b, b, d);

    return aa > 0 && bb > 0 ? (float)(kernels->dot(a, b, d) / (sqrt(aa) * sqrt(bb)))
                            : NAN;
}

/* ‖e − s‖/‖e‖ of a sum s, which is lost; NaN where e has length 0. */
static float find_error(const float *e, float *s, size_t d)
{
    static const float minus[2] = {1, -1};
    const ig_kernels *kernels = ig_kernels_best();
    const float *v[2] = {e, s};
    double ee = kernels->dot(e, e, d);

    kernels->combine(v, minus, 2, d, 0, s);
    return ee > 0 ? (float)sqrt(kernels->dot(s, s, d) / ee) : NAN;
}

/* The figures: cosine and error of each sum, and the overlap of the parts. */
enum { ERROR = 1, OVERLAP = 2 * SUMS, FIGURES };

/* Fill in the items of row i of the chunks. */
static void compare_parts(ig_figure *const f[FIGURES], const ig_chunk chunk[PARTS],
                          uint32_t *const list[PARTS], size_t i, float *sum)
{
    static const float plus[2] = {1, 1};
    size_t d = chunk->d, at = chunk->first + i;
    const float *e = chunk[E].row + i * d;

    for (int s = 0; s < SUMS; s++) {
        const struct sum *of = &sums[s];
        const float *part[2] = {chunk[of->m].row + i * d, chunk[of->l].row + i * d};
        bool missing = s && list[of->m][at] == list[of->l][at];

        ig_kernels_best()->combine(part, plus, 2, d, 0, sum);
        f[2 * s]->item[0][at] = missing ? NAN : cosine(e, sum, d);
        f[2 * s + 1]->item[0][at] = missing ? NAN : find_error(e, sum, d);
    }
    f[OVERLAP]->item[0][at] =
        fabsf(cosine(chunk[M].row + i * d, chunk[L].row + i * d, d));
}

static ig_status measure_rows(const ig_embeddings *e, ig_evaluation *out,
                              ig_error *error)
{
    static const int of[PARTS] = {0, 1, 2, 2, 1};
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    uint32_t *list[PARTS];
    float *sum = ig_arena_array(a, e->d, sizeof *sum);
    ig_chunk chunk[PARTS];
    ig_figure *f[FIGURES];
    ig_status status = list_rows(e, list, a, error);

    for (int p = 0; p < PARTS; p++)
        chunk[p] =
            ig_chunk_of(e->spec->part[of[p]], list[p], e->n, e->pool, e->progress, a);
    for (int i = 0; i < FIGURES; i++)
        f[i] = ig_figures_add_items(figures,
                                    i == OVERLAP ? "parts_cosine"
                                    : i % 2      ? sums[i / 2].error
                                                 : sums[i / 2].cosine,
                                    IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, IG_MEAN, e->n,
                                    i && f[0] ? f[0]->unit : NULL);
    if (status != IG_OK || a->failed || figures->failed)
        return ig_fail_memory(error, "reversibility");
    memcpy(f[0]->unit, e->meaning, e->n * sizeof *e->meaning);
    while (ig_chunk_next(&chunk[0])) {
        for (int p = 1; p < PARTS; p++)
            ig_chunk_next(&chunk[p]);
        for (size_t i = 0; i < chunk->count; i++)
            compare_parts(f, chunk, list, i, sum);
    }
    for (int i = 0; i < FIGURES; i++) {
        f[i]->n = e->n;
        ig_figures_close(figures, f[i],
                         i == OVERLAP ? "every meaning or every language embedding is "
                                        "a zero vector"
                                      : sums[i / 2].missing);
    }
    /* Parts that add up by construction have nothing to compare. */
    if (f[ERROR]->value < 1e-5)
        f[0]->how = f[ERROR]->how = IG_NO_ITEMS;
    return ig_chunk_status(a, e->progress, "reversibility", error);
}

const ig_measure_group ig_reversibility_group = {.word = "reversibility",
                                                 .needs = IG_NEEDS_ROWS |
                                                          IG_NEEDS_PARTS,
                                                 .measure = measure_rows};
