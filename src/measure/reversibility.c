/* Reversibility, by the tile: five rows are read for each one. Legend: e an original
 * row, m its meaning, l its language, d dims. */
#include <math.h>

#include "core/array.h"
#include "core/memory.h"
#include "core/random.h"
#include "measure/results.h"

enum { TILE = 256, PARTS = 5, STREAM = 0x52455653 };

/* Result of one row; NaN if it or its sum has length 0, or no other row exists. */
struct ig_reversed {
    uint32_t row; /* of the source */
    float cosine, error;
    float language_cosine, language_error;
    float meaning_cosine, meaning_error;
    float overlap;
};

struct work {
    const ig_rows *part[PARTS]; /* e, m, l, l of another row, m of a translation */
    uint32_t *list[PARTS];      /* (n) rows of each */
    uint8_t *has[2];            /* (n) whether there is another row, a translation */
    size_t n, d, scratch;
    float *buffer; /* (members, PARTS tiles, and scratch) */
    struct ig_reversed *found;
    ig_progress *watch;
    atomic_size_t next;
    ig_arena arena;
};

/* --- exchanged parts -------------------------------------------------------------- */

/* Rows by a key. */
struct grouped {
    const uint16_t *lang;
    const uint32_t *same;
    uint32_t *start, *order;
};

static size_t by_language(const void *context, size_t i)
{
    return ((const struct grouped *)context)->lang[i];
}

static size_t by_meaning(const void *context, size_t i)
{
    const struct grouped *g = context;

    return g->same[i] == IG_NO_ID ? SIZE_MAX : g->same[i];
}

/* Draw another row of the language of each: any but itself. */
static void draw_rows(struct work *w, const struct grouped *g, const uint32_t *row,
                      ig_random *random)
{
    for (size_t i = 0; i < w->n; i++) {
        uint32_t first = g->start[g->lang[i]];
        size_t n = g->start[g->lang[i] + 1] - first;
        size_t at = n > 1 ? ig_random_below(random, n - 1) : 0;

        w->has[0][i] = n > 1;
        /* The last stands in for the row itself. */
        if (n > 1 && g->order[first + at] == i)
            at = n - 1;
        at = n > 1 ? g->order[first + at] : i;
        w->list[3][i] = row ? row[at] : (uint32_t)at;
    }
}

static void draw_translations(struct work *w, const struct grouped *g,
                              const uint32_t *row, ig_random *random)
{
    for (size_t i = 0; i < w->n; i++) {
        size_t m = by_meaning(g, i), count = 0, at = i;
        uint32_t from = m == SIZE_MAX ? 0 : g->start[m];
        uint32_t to = m == SIZE_MAX ? 0 : g->start[m + 1];

        /* Each of those so far with the same probability. */
        for (uint32_t k = from; k < to; k++)
            if (g->lang[g->order[k]] != g->lang[i] &&
                ig_random_below(random, ++count) == 0)
                at = g->order[k];
        w->has[1][i] = count > 0;
        w->list[4][i] = row ? row[at] : (uint32_t)at;
    }
}

static ig_status draw_exchanges(struct work *w, const ig_measure_input *in,
                                ig_error *error)
{
    const uint32_t *same = in->meaning;
    struct grouped g = {.lang = in->lang, .same = same};
    size_t meanings = 0, keys;
    ig_random random;

    for (size_t i = 0; i < w->n; i++)
        if (same[i] != IG_NO_ID && same[i] >= meanings)
            meanings = (size_t)same[i] + 1;
    keys = meanings > in->languages ? meanings : in->languages;
    g.start = ig_arena_array(&w->arena, keys + 2, sizeof *g.start);
    g.order = ig_arena_array(&w->arena, w->n, sizeof *g.order);
    if (w->arena.failed)
        return ig_fail_memory(error, "reversibility");
    ig_random_init(&random, in->seed, STREAM);
    ig_array_order(w->n, in->languages, by_language, &g, g.start, g.order);
    draw_rows(w, &g, in->some_row, &random);
    ig_array_order(w->n, meanings, by_meaning, &g, g.start, g.order);
    draw_translations(w, &g, in->some_row, &random);
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

static void compare_member(void *context, size_t member, size_t members)
{
    struct work *w = context;
    size_t tile = TILE * w->d, first;
    float *at = w->buffer + member * (PARTS * tile + w->scratch);

    (void)members;
    while ((first = TILE * atomic_fetch_add(&w->next, 1)) < w->n &&
           !ig_progress_cancelled(w->watch)) {
        size_t n = w->n - first < TILE ? w->n - first : TILE;

        for (size_t p = 0; p < PARTS; p++)
            ig_rows_gather(w->part[p], w->list[p] + first, n, at + p * tile, w->d,
                           at + PARTS * tile);
        for (size_t i = 0; i < n; i++) {
            struct ig_reversed *f = &w->found[first + i];
            const float *v[PARTS];

            for (size_t p = 0; p < PARTS; p++)
                v[p] = at + p * tile + i * w->d;
            f->row = w->list[0][first + i];
            f->overlap = overlap(v[1], v[2], w->d);
            compare_sum(v[0], v[1], v[2], w->d, &f->cosine, &f->error);
            compare_sum(v[0], v[1], v[3], w->d, &f->language_cosine,
                        &f->language_error);
            compare_sum(v[0], v[4], v[2], w->d, &f->meaning_cosine, &f->meaning_error);
            if (!w->has[0][first + i])
                f->language_cosine = f->language_error = NAN;
            if (!w->has[1][first + i])
                f->meaning_cosine = f->meaning_error = NAN;
        }
        ig_progress_add(w->watch, 30 * (double)n * (double)w->d, member);
    }
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

static bool work_init(struct work *w, size_t members)
{
    for (size_t p = 0; p < PARTS; p++) {
        size_t scratch = w->part[p]->scratch;

        w->scratch = scratch > w->scratch ? scratch : w->scratch;
        w->list[p] = p < 3 && p > 0 ? w->list[0]
                                    : ig_arena_array(&w->arena, w->n, sizeof(uint32_t));
    }
    w->scratch = (w->scratch + 15) / 16 * 16;
    w->has[0] = ig_arena_array(&w->arena, w->n, 1);
    w->has[1] = ig_arena_array(&w->arena, w->n, 1);
    w->buffer =
        ig_arena_array(&w->arena, members,
                       (PARTS * TILE * w->d + w->scratch + 15) * sizeof *w->buffer);
    return !w->arena.failed;
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    const ig_rows *e = in->part[0], *m = in->part[1], *l = in->part[2];
    ig_reversibility *r = result;
    size_t n = in->some->rows;
    struct work w = {.part = {e, m, l, l, m}, .n = n, .d = e->dims, .watch = in->watch};
    ig_status status = work_init(&w, ig_pool_threads(in->pool))
                           ? IG_OK
                           : ig_fail_memory(error, "reversibility");

    *r = (ig_reversibility){.rows = n, .reason = n ? NULL : "no rows"};
    r->found = w.found = ig_arena_array(&r->arena, n, sizeof *r->found);
    if (r->arena.failed)
        status = ig_fail_memory(error, "reversibility");
    for (size_t i = 0; i < n && status == IG_OK; i++)
        w.list[0][i] = in->some_row ? in->some_row[i] : (uint32_t)i;
    if (status == IG_OK)
        status = draw_exchanges(&w, in, error);
    if (status == IG_OK)
        ig_pool_run(in->pool, compare_member, &w);
    if (status == IG_OK && ig_progress_cancelled(in->watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
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
