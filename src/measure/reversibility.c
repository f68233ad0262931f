/* Reversibility [seed eq.6]: how far a row is the sum of its parts, and of exchanged
 * ones. Legend: e an original row, m its meaning, l its language, d dims. */
#include <math.h>

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
    {"reversible", "reversible_error", NULL, M, L},
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

/* cos(e, m + l) and ‖e − m − l‖/‖e‖; NaN where e, or for the cosine the sum, has length
 * 0. */
static void compare_sum(const float *e, const float *m, const float *l, size_t d,
                        float *room, float *cosine, float *error)
{
    static const float plus[2] = {1, 1}, minus[3] = {1, -1, -1};
    const ig_kernels *kernels = ig_kernels_best();
    const float *v[3] = {e, m, l};
    double ee = kernels->dot(e, e, d), ss, es, apart;

    kernels->combine(v + 1, plus, 2, d, 0, room);
    ss = kernels->dot(room, room, d);
    es = kernels->dot(e, room, d);
    kernels->combine(v, minus, 3, d, 0, room);
    apart = kernels->dot(room, room, d);
    *cosine = ee > 0 && ss > 0 ? (float)(es / (sqrt(ee) * sqrt(ss))) : NAN;
    *error = ee > 0 ? (float)sqrt(apart / ee) : NAN;
}

static float overlap(const float *m, const float *l, size_t d)
{
    const ig_kernels *kernels = ig_kernels_best();
    double mm = kernels->dot(m, m, d), ll = kernels->dot(l, l, d);

    return mm > 0 && ll > 0 ? (float)fabs(kernels->dot(m, l, d) / (sqrt(mm) * sqrt(ll)))
                            : NAN;
}

/* The figures: cosine and error of each sum, and the overlap of the parts. */
enum { ERROR = 1, OVERLAP = 2 * SUMS, FIGURES };

/* Fill in the items of row i of the chunks. */
static void compare_parts(ig_figure *const f[FIGURES], const ig_chunk chunk[PARTS],
                          uint32_t *const list[PARTS], size_t i, float *room)
{
    size_t d = chunk->d, at = chunk->first + i;
    const float *row[PARTS];

    for (int p = 0; p < PARTS; p++)
        row[p] = chunk[p].row + i * d;
    for (int s = 0; s < SUMS; s++) {
        const struct sum *of = &sums[s];
        float *cosine = &f[2 * s]->item[0][at], *error = &f[2 * s + 1]->item[0][at];

        compare_sum(row[E], row[of->m], row[of->l], d, room, cosine, error);
        if (s && list[of->m][at] == list[of->l][at])
            *cosine = *error = NAN;
    }
    f[OVERLAP]->item[0][at] = overlap(row[M], row[L], d);
}

static ig_status measure_rows(const ig_embeddings *e, ig_evaluation *out,
                              ig_error *error)
{
    ig_figures *figures = &out->figures;
    static const int of[PARTS] = {0, 1, 2, 2, 1};
    size_t n = e->n;
    ig_arena *a = &figures->brief;
    uint32_t *list[PARTS], *unit = ig_figures_units(figures, e);
    float *room = ig_arena_array(a, e->d, sizeof *room);
    ig_chunk chunk[PARTS];
    ig_figure *f[FIGURES];
    ig_status status = list_rows(e, list, a, error);

    for (int p = 0; p < PARTS; p++)
        chunk[p] =
            ig_chunk_of(e->spec->part[of[p]], list[p], n, e->pool, e->progress, a);
    for (int i = 0; i < FIGURES; i++) {
        const struct sum *sum = &sums[i / 2 % SUMS];

        f[i] = ig_figures_add_items(figures,
                                    i == OVERLAP ? "parts_cosine"
                                    : i % 2      ? sum->error
                                                 : sum->cosine,
                                    IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, IG_MEAN, n,
                                    unit);
    }
    if (status != IG_OK || a->failed || figures->failed)
        return ig_fail_memory(error, "reversibility");
    while (ig_chunk_next(&chunk[0])) {
        for (int p = 1; p < PARTS; p++)
            ig_chunk_next(&chunk[p]);
        for (size_t i = 0; i < chunk->count; i++)
            compare_parts(f, chunk, list, i, room);
    }
    for (int i = 0; i < FIGURES; i++) {
        f[i]->n = n;
        ig_figures_close(figures, f[i],
                         !n ? "no rows"
                         : i == OVERLAP
                             ? "every meaning or every language embedding is "
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
