/* Reversibility, by the chunk: five rows are read for each one. Legend: e an original
 * row, m its meaning, l its language, d dims. */
#include <math.h>

#include "core/array.h"
#include "core/random.h"
#include "measure/results.h"
#include "measure/units.h"

enum { CHUNK = IG_ROWS_TILE, PARTS = 5, STREAM = 0x52455653 };

/* Result of one row; NaN if it or its sum has length 0, or no other row exists. */
struct ig_reversed {
    uint32_t row; /* of the source */
    float cosine, error;
    float language_cosine, language_error;
    float meaning_cosine, meaning_error;
    float overlap;
};

struct work {
    ig_rows part[PARTS];   /* e, m, l, l of another row, m of a translation */
    uint32_t *list[PARTS]; /* (n) rows of each; of the last two the row itself where
                              there is no other */
    size_t n, first;       /* rows; of the chunk the first */
    ig_units u[PARTS];     /* the chunk */
    struct ig_reversed *found;
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
        struct ig_reversed *f = &w->found[at];
        const float *v[PARTS];

        for (size_t p = 0; p < PARTS; p++)
            v[p] = w->u[p].unit + i * d;
        f->row = w->list[0][at];
        f->overlap = overlap(v[1], v[2], d);
        compare_sum(v[0], v[1], v[2], d, &f->cosine, &f->error);
        compare_sum(v[0], v[1], v[3], d, &f->language_cosine, &f->language_error);
        compare_sum(v[0], v[4], v[2], d, &f->meaning_cosine, &f->meaning_error);
        if (w->list[3][at] == f->row)
            f->language_cosine = f->language_error = NAN;
        if (w->list[4][at] == f->row)
            f->meaning_cosine = f->meaning_error = NAN;
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

/* --- figures ---------------------------------------------------------------------- */

#define VALUE(field)                                                                   \
    IG_ITEM(field##_of, double, ig_reversibility, (double)r->found[i].field)

VALUE(cosine)
VALUE(error)
VALUE(language_cosine)
VALUE(language_error)
VALUE(meaning_cosine)
VALUE(meaning_error)
VALUE(overlap)
IG_ITEM(row_of, uint32_t, ig_reversibility, r->found[i].row)

#define LINE(measure, field)                                                           \
    measure, .at = offsetof(ig_reversibility, field),                                  \
             .column = {.value = {field##_of}, .row = row_of}

static const ig_figure_line lines[] = {
    {LINE("reversible", cosine)},
    {LINE("reversible_error", error)},
    {LINE("exchanged_language", language_cosine),
     .missing = "no language has a second row"},
    {LINE("exchanged_language_error", language_error),
     .missing = "no language has a second row"},
    {LINE("exchanged_meaning", meaning_cosine), .missing = "no row has a translation"},
    {LINE("exchanged_meaning_error", meaning_error),
     .missing = "no row has a translation"},
    {LINE("parts_cosine", overlap),
     .missing = "every meaning or every language embedding is a zero vector"},
};

enum { LINES = sizeof lines / sizeof *lines };

static void average_rows(ig_reversibility *r)
{
    for (size_t f = 0; f < LINES; f++) {
        double sum = 0;
        size_t n = 0;

        for (size_t i = 0; i < r->rows; i++) {
            double value = lines[f].column.value[0](r, i);

            if (isnan(value))
                continue;
            sum += value;
            n++;
        }
        *(double *)((char *)r + lines[f].at) = sum / (double)n; /* 0/0 is NaN */
    }
}

/* --- the group -------------------------------------------------------------------- */

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    static const int part[PARTS] = {0, 1, 2, 2, 1};
    ig_reversibility *r = result;
    size_t n = in->some->rows;
    struct work w = {.n = n};
    ig_status status = IG_OK;

    for (size_t p = 0; p < PARTS; p++) {
        w.part[p] = ig_units_raw(in->part[part[p]]);
        w.list[p] = p == 1 || p == 2 ? w.list[0]
                                     : ig_arena_array(&w.arena, n, sizeof(uint32_t));
    }
    *r = (ig_reversibility){.rows = n, .reason = n ? NULL : "no rows"};
    r->found = w.found = ig_arena_array(&r->arena, n, sizeof *r->found);
    if (w.arena.failed || r->arena.failed)
        status = ig_fail_memory(error, "reversibility");
    for (size_t i = 0; i < n && status == IG_OK; i++)
        w.list[0][i] = in->some_row ? in->some_row[i] : (uint32_t)i;
    if (status == IG_OK)
        status = draw_exchanges(&w, in, error);
    if (status == IG_OK)
        status = compare_all(&w, in, error);
    ig_arena_free(&w.arena);
    if (status == IG_OK)
        average_rows(r);
    return status;
}

static double group_work(const ig_measure_input *in)
{
    return 30 * (double)in->some->rows * (double)in->some->dims;
}

static void group_append(const void *result, ig_figures *figures)
{
    const ig_reversibility *r = result;
    size_t first = figures->count;

    ig_figures_add_lines(figures, lines, LINES, r, r->rows, r->found ? r->rows : 0,
                         r->reason);
    /* Parts that add up by construction have nothing to compare. */
    for (size_t i = 0; i < 2 && r->error < 1e-5 && !figures->failed; i++)
        figures->row[first + i].column = NULL;
}

IG_GROUP(reversibility, "reversibility", IG_NEEDS_ROWS | IG_NEEDS_PARTS,
         .free = ig_result_free);
