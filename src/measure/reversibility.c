/* Reversibility, by the chunk: five rows are read for each one. Legend: e an original
 * row, m its meaning, l its language, d dims. */
#include <math.h>

#include "core/array.h"
#include "core/random.h"
#include "measure/results.h"
#include "measure/units.h"

enum { CHUNK = IG_ROWS_TILE, PARTS = 5, STREAM = 0x52455653 };

/* The figures: means over the rows, of which those do not count that have length 0, or
 * whose sum has, or that have no other row. */
enum {
    COSINE,
    ERROR,
    LANGUAGE,
    LANGUAGE_ERROR,
    MEANING,
    MEANING_ERROR,
    OVERLAP,
    LINES
};

static const char NO_SECOND[] = "no language has a second row";
static const char NO_TRANSLATION[] = "no row has a translation";

static const struct {
    const char *measure, *missing;
} lines[LINES] = {
    [COSINE] = {"reversible", NULL},
    [ERROR] = {"reversible_error", NULL},
    [LANGUAGE] = {"exchanged_language", NO_SECOND},
    [LANGUAGE_ERROR] = {"exchanged_language_error", NO_SECOND},
    [MEANING] = {"exchanged_meaning", NO_TRANSLATION},
    [MEANING_ERROR] = {"exchanged_meaning_error", NO_TRANSLATION},
    [OVERLAP] = {"parts_cosine",
                 "every meaning or every language embedding is a zero vector"}};

struct work {
    ig_rows part[PARTS];   /* e, m, l, l of another row, m of a translation */
    uint32_t *list[PARTS]; /* (n) rows of each; of the last two the row itself where
                              there is no other */
    size_t n, first;       /* rows; of the chunk the first */
    ig_units u[PARTS];     /* the chunk */
    ig_figure *figure[LINES];
    ig_arena arena;
};

/* --- exchanged parts -------------------------------------------------------------- */

static size_t by_language(const void *context, size_t i)
{
    return ((const ig_measure_input *)context)->lang[i];
}

static size_t by_meaning(const void *context, size_t i)
{
    uint32_t meaning = ((const ig_measure_input *)context)->meaning[i];

    return meaning == IG_NO_ID ? SIZE_MAX : meaning;
}

/* Another row of the language of row i; i: there is none. */
static size_t draw_row(const ig_measure_input *in, const uint32_t *start,
                       const uint32_t *order, size_t i, ig_random *random)
{
    size_t first = start[in->lang[i]], n = start[in->lang[i] + 1] - first;
    size_t at = n > 1 ? order[first + ig_random_below(random, n - 1)] : i;

    /* The last stands in for the row itself. */
    return at == i ? order[first + n - 1] : at;
}

/* A translation of row i; i: there is none. */
static size_t draw_translation(const ig_measure_input *in, const uint32_t *start,
                               const uint32_t *order, size_t i, ig_random *random)
{
    size_t m = by_meaning(in, i), count = 0, at = i;

    /* Each of those so far with the same probability. */
    for (size_t k = m == SIZE_MAX ? 0 : start[m]; m != SIZE_MAX && k < start[m + 1];
         k++)
        if (in->lang[order[k]] != in->lang[i] && ig_random_below(random, ++count) == 0)
            at = order[k];
    return at;
}

static ig_status draw_exchanges(struct work *w, const ig_measure_input *in,
                                ig_error *error)
{
    uint32_t *start, *order = ig_arena_array(&w->arena, w->n, sizeof *order);
    size_t meanings = 0;
    ig_random random;

    for (size_t i = 0; i < w->n; i++)
        if (in->meaning[i] != IG_NO_ID && in->meaning[i] >= meanings)
            meanings = (size_t)in->meaning[i] + 1;
    start = ig_arena_array(&w->arena, meanings + in->languages + 2, sizeof *start);
    if (w->arena.failed)
        return ig_fail_memory(error, "reversibility");
    ig_random_init(&random, in->seed, STREAM);
    ig_array_order(w->n, in->languages, by_language, in, start, order);
    for (size_t i = 0; i < w->n; i++)
        w->list[3][i] = w->list[0][draw_row(in, start, order, i, &random)];
    ig_array_order(w->n, meanings, by_meaning, in, start, order);
    for (size_t i = 0; i < w->n; i++)
        w->list[4][i] = w->list[0][draw_translation(in, start, order, i, &random)];
    return IG_OK;
}

/* --- rows ------------------------------------------------------------------------- */

/* cos(e, a + b) and ‖e − a − b‖/‖e‖; NaN where e, or for the cosine the sum, has length
 * 0. Sums in double. */
static void compare_sum(const float *e, const float *a, const float *b, size_t d,
                        float *cosine, float *error)
{
    double ee = 0, ss = 0, es = 0, apart = 0;

    for (size_t j = 0; j < d; j++) {
        double x = (double)e[j], s = (double)a[j] + (double)b[j];

        ee += x * x;
        ss += s * s;
        es += x * s;
        apart += (x - s) * (x - s);
    }
    *cosine = ee > 0 && ss > 0 ? (float)(es / (sqrt(ee) * sqrt(ss))) : NAN;
    *error = ee > 0 ? (float)(sqrt(apart) / sqrt(ee)) : NAN;
}

static float overlap(const float *m, const float *l, size_t d)
{
    double mm = 0, ll = 0, ml = 0;

    for (size_t j = 0; j < d; j++) {
        mm += (double)m[j] * (double)m[j];
        ll += (double)l[j] * (double)l[j];
        ml += (double)m[j] * (double)l[j];
    }
    return mm > 0 && ll > 0 ? (float)fabs(ml / (sqrt(mm) * sqrt(ll))) : NAN;
}

static void compare_rows(void *context, size_t member, size_t first, size_t last)
{
    struct work *w = context;
    size_t d = w->u[0].dims;

    (void)member;
    for (size_t i = first; i < last; i++) {
        size_t at = w->first + i;
        float value[LINES];
        const float *v[PARTS];

        for (size_t p = 0; p < PARTS; p++)
            v[p] = w->u[p].unit + i * d;
        value[OVERLAP] = overlap(v[1], v[2], d);
        compare_sum(v[0], v[1], v[2], d, &value[COSINE], &value[ERROR]);
        compare_sum(v[0], v[1], v[3], d, &value[LANGUAGE], &value[LANGUAGE_ERROR]);
        compare_sum(v[0], v[4], v[2], d, &value[MEANING], &value[MEANING_ERROR]);
        if (w->list[3][at] == w->list[0][at])
            value[LANGUAGE] = value[LANGUAGE_ERROR] = NAN;
        if (w->list[4][at] == w->list[0][at])
            value[MEANING] = value[MEANING_ERROR] = NAN;
        for (size_t k = 0; k < LINES; k++)
            w->figure[k]->item[0][at] = value[k];
    }
}

static ig_status compare_all(struct work *w, const ig_measure_input *in,
                             ig_error *error)
{
    ig_status status = IG_OK;

    for (w->first = 0; w->first < w->n && status == IG_OK; w->first += CHUNK) {
        size_t left = w->n - w->first, n = left < CHUNK ? left : CHUNK;

        for (size_t p = 0; p < PARTS && status == IG_OK; p++)
            status = ig_units_init(&w->u[p], &w->part[p], w->list[p], w->first, n,
                                   in->pool, in->watch, error);
        if (status == IG_OK)
            ig_parallel_for(in->pool, n, 16, compare_rows, w);
        ig_progress_add(in->watch, 30 * (double)n * (double)w->u[0].dims, 0);
        for (size_t p = 0; p < PARTS; p++)
            ig_units_free(&w->u[p]);
    }
    return status;
}

/* --- the group -------------------------------------------------------------------- */

static ig_status add_figures(struct work *w, const ig_measure_input *in,
                             ig_figures *figures, ig_error *error)
{
    const size_t all = IG_ALL_LANGUAGES;
    uint32_t *unit = NULL;

    for (size_t k = 0; k < LINES; k++) {
        w->figure[k] = ig_figures_add_items(figures, lines[k].measure, all, all,
                                            IG_MEAN, w->n, unit);
        if (!w->figure[k])
            return ig_fail_memory(error, "reversibility");
        w->figure[k]->n = w->n;
        unit = w->figure[k]->unit;
    }
    for (size_t i = 0; i < w->n; i++)
        unit[i] = in->unit[in->some_base[i]];
    return IG_OK;
}

static void close_figures(struct work *w, ig_figures *figures)
{
    for (size_t k = 0; k < LINES; k++)
        ig_figures_close(figures, w->figure[k], w->n ? lines[k].missing : "no rows");
    /* Parts that add up by construction have nothing to compare. */
    if (w->figure[ERROR]->value < 1e-5)
        w->figure[COSINE]->how = w->figure[ERROR]->how = IG_NO_ITEMS;
}

static ig_status measure_rows(const ig_measure_input *in, ig_figures *figures,
                              ig_error *error)
{
    static const int part[PARTS] = {0, 1, 2, 2, 1};
    struct work w = {.n = in->some->rows};
    ig_status status = add_figures(&w, in, figures, error);

    for (size_t p = 0; p < PARTS; p++) {
        w.part[p] = ig_units_raw(in->part[part[p]]);
        w.list[p] = p == 1 || p == 2 ? w.list[0]
                                     : ig_arena_array(&w.arena, w.n, sizeof(uint32_t));
    }
    if (status == IG_OK && w.arena.failed)
        status = ig_fail_memory(error, "reversibility");
    for (size_t i = 0; i < w.n && status == IG_OK; i++)
        w.list[0][i] = in->some_row ? in->some_row[i] : (uint32_t)i;
    if (status == IG_OK)
        status = draw_exchanges(&w, in, error);
    if (status == IG_OK)
        status = compare_all(&w, in, error);
    if (status == IG_OK)
        close_figures(&w, figures);
    ig_arena_free(&w.arena);
    return status;
}

static double count_work(const ig_measure_input *in)
{
    return 30 * (double)in->some->rows * (double)in->some->dims;
}

const ig_measure_group ig_reversibility_group = {.name = "reversibility",
                                                 .needs = IG_NEEDS_ROWS |
                                                          IG_NEEDS_PARTS,
                                                 .work = count_work,
                                                 .measure = measure_rows};
