/* Rows, work and memory that an evaluation needs. */
#include "measure/needs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/random.h"

/* --- needed rows ----------------------------------------------------------------- */

static ig_status mark_rows(uint8_t *needed, size_t rows, const uint32_t *list, size_t n,
                           uint8_t by, const char *what, ig_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i] >= rows)
            return ig_fail(error, IG_SHAPE, "row %u of a %s, but there are %zu rows",
                           (unsigned)list[i], what, rows);
        needed[list[i]] |= by;
    }
    return IG_OK;
}

/* Whether the rows that are not measured are enough to learn from. */
static bool learns_from_rest(const ig_rows *rows, const ig_evaluation_spec *s)
{
    return s->rest && s->row && s->rows <= rows->rows &&
           2 * (rows->rows - s->rows) >= s->rows && s->rows < rows->rows;
}

/* Mark all rows that are not measured; the measured ones ascend. */
static void mark_rest(uint8_t *needed, size_t rows, const ig_evaluation_spec *s)
{
    size_t next = 0;

    for (size_t i = 0; i < rows; i++)
        if (next < s->rows && s->row[next] == i)
            next++;
        else
            needed[i] |= IG_NEEDS_REST;
}

ig_status ig_needs_mark(uint8_t *needed, const ig_rows *rows,
                        const ig_evaluation_spec *s, ig_error *error)
{
    const struct {
        const uint32_t *list;
        size_t n;
        unsigned by;
        const char *what;
    } lists[] = {
        {s->row, s->row ? s->rows : 0, IG_NEEDS_ROWS, "subject"},
        {s->pairs.left, s->pairs.pairs, IG_NEEDS_PAIRS, "pair"},
        {s->pairs.right, s->pairs.pairs, IG_NEEDS_PAIRS, "pair"},
        {s->scores ? s->scores->left : NULL, s->scores ? s->scores->count : 0,
         IG_NEEDS_SCORES, "score"},
        {s->scores ? s->scores->right : NULL, s->scores ? s->scores->count : 0,
         IG_NEEDS_SCORES, "score"},
    };
    unsigned needs = ig_evaluation_spec_needs(s);
    ig_status status = IG_OK;

    if (needs & IG_NEEDS_ROWS && !s->row && rows->rows)
        memset(needed, IG_NEEDS_ROWS, rows->rows);
    if (needs & IG_NEEDS_REST && learns_from_rest(rows, s))
        mark_rest(needed, rows->rows, s);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == IG_OK; i++)
        if (needs & lists[i].by)
            status = mark_rows(needed, rows->rows, lists[i].list, lists[i].n,
                               (uint8_t)lists[i].by, lists[i].what, error);
    return status;
}

size_t ig_needs_count(const uint8_t *needed, size_t n, uint8_t by)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += (needed[i] & by) != 0;
    return count;
}

/* --- the scan --------------------------------------------------------------------- */

unsigned ig_needs_scan(const ig_evaluation_spec *subject)
{
    unsigned measures = ig_evaluation_spec_takes(subject), join = 0;

    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        if (measures >> i & 1 && ig_measure_group_at(i)->join)
            join |= 1u << i;
    return join;
}

unsigned ig_needs_of(unsigned groups)
{
    unsigned needs = 0;

    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        if (groups >> i & 1)
            needs |= ig_measure_group_at(i)->needs;
    return needs;
}

/* --- the work -------------------------------------------------------------------- */

double ig_evaluation_work(const ig_rows *rows, const ig_evaluation_spec *subject)
{
    uint8_t *needed = ig_alloc(rows->rows, 1);
    ig_rows some = {.rows = ig_evaluation_spec_rows(rows, subject), .dims = rows->dims};
    ig_measure_input input = {.base = rows,
                              .pairs = &subject->pairs,
                              .scores = subject->scores,
                              .some = &some,
                              .label = subject->label,
                              .part = subject->part,
                              .other = subject->other,
                              .languages = subject->pairs.languages,
                              .intervals = subject->intervals};
    unsigned measures = ig_evaluation_spec_takes(subject);
    unsigned join = ig_needs_scan(subject);
    double work = 0;

    if (needed && ig_needs_mark(needed, rows, subject, NULL) == IG_OK) {
        size_t n = ig_needs_count(needed, rows->rows, (uint8_t)ig_needs_of(join));

        input.paired = ig_needs_count(needed, rows->rows, IG_NEEDS_PAIRS);
        input.fits = ig_needs_count(needed, rows->rows, IG_NEEDS_REST);
        if (subject->sample && subject->sample < n)
            input.asking = subject->sample;
        work = (input.asking ? 2 * (double)input.asking : (double)n) * (double)n *
               (double)rows->dims;
        for (size_t i = 0; i < IG_GROUP_COUNT; i++)
            if (measures >> i & 1 && !ig_measure_group_at(i)->join)
                work += ig_measure_group_at(i)->work(&input);
    }
    ig_free(needed);
    return work;
}

/* --- a sample --------------------------------------------------------------------- */

/* Constants of the sample. */
enum {
    STREAM = 0x53414d50,
    LEAST = 2,  /* meanings: one alone has no standard error */
    ENOUGH = 30 /* queries of a direction */
};

/* --- languages with few pairs ----------------------------------------------------- */

/* The pairs of two languages. */
struct couple {
    size_t pairs, first;
};

static int by_pairs(const void *a, const void *b)
{
    const struct couple *x = a, *y = b;

    if (x->pairs != y->pairs)
        return x->pairs < y->pairs ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Query all rows of language pairs that would have fewer than ENOUGH sampled queries,
 * fewest pairs first. */
static ig_status add_small_pairs(ig_query_sample *sample, uint8_t *asks,
                                 const ig_retrieval_pairs *pairs, size_t wanted,
                                 ig_error *error)
{
    ig_language_pairs by;
    ig_arena arena = {0};
    size_t couples = 0;
    ig_status status = ig_language_pairs_init(&by, pairs, &arena, error);
    struct couple *couple = ig_arena_array(&arena, by.cells, sizeof *couple);

    if (status == IG_OK && !couple)
        status = ig_fail_memory(error, "the sample");
    for (size_t c = 0; status == IG_OK && c < by.cells; c++)
        if (by.start[c + 1] > by.start[c])
            couple[couples++] =
                (struct couple){by.start[c + 1] - by.start[c], by.start[c]};
    if (status == IG_OK)
        qsort(couple, couples, sizeof *couple, by_pairs);
    for (size_t c = 0; c < couples; c++) {
        size_t first = couple[c].first, n = couple[c].pairs;
        double queries = (double)n * (double)(wanted - sample->extra) /
                         (double)sample->of_rows;

        if (queries >= ENOUGH || 2 * (sample->extra + 2 * n) > wanted)
            break;
        for (size_t i = 0; i < 2 * n; i++) {
            uint8_t *row = &asks[by.row[i % 2][first + i / 2]];

            sample->extra += *row == 0;
            *row = IG_ASKS_EXTRA;
        }
    }
    ig_arena_free(&arena);
    return status;
}

/* --- drawing ---------------------------------------------------------------------- */

/* So many meanings have about `wanted` rows. */
static size_t meanings_for(size_t wanted, size_t units, size_t of_rows)
{
    double n = rint((double)wanted * (double)units / (double)of_rows);

    return n < LEAST ? LEAST : n < (double)units ? (size_t)n : units;
}

static ig_status draw_meanings(ig_query_sample *sample, uint8_t *asks,
                               const uint32_t *unit, size_t rows, ig_error *error)
{
    size_t units = sample->of_meanings;
    uint32_t *order = ig_alloc(units, sizeof *order);
    uint8_t *drawn = ig_alloc(units, 1);
    bool ready = order && drawn;
    ig_random random;

    ig_random_init(&random, sample->seed, STREAM);
    for (size_t u = 0; ready && u < units; u++)
        order[u] = (uint32_t)u;
    if (ready)
        ig_random_shuffle(&random, order, units);
    for (size_t i = 0; ready && i < sample->meanings; i++)
        drawn[order[i]] = 1;
    for (size_t i = 0; ready && i < rows; i++)
        if (unit[i] != IG_NO_ID && drawn[unit[i]]) {
            sample->extra -= asks[i] == IG_ASKS_EXTRA;
            sample->rows++;
            asks[i] = IG_ASKS_DRAWN;
        }
    IG_FREE(order, drawn);
    return ready ? IG_OK : ig_fail_memory(error, "the sample");
}

ig_status ig_query_sample_draw(ig_query_sample *sample, uint8_t *asks,
                               const ig_retrieval_pairs *pairs, const uint32_t *unit,
                               size_t rows, size_t units, size_t wanted, uint64_t seed,
                               ig_error *error)
{
    ig_query_sample s = {.of_meanings = units, .seed = seed};
    ig_status status;

    *sample = (ig_query_sample){0};
    for (size_t i = 0; i < rows; i++) {
        s.of_rows += unit[i] != IG_NO_ID;
        asks[i] = 0;
    }
    if (wanted >= s.of_rows || meanings_for(wanted, units, s.of_rows) >= units)
        return IG_OK;
    status = pairs ? add_small_pairs(&s, asks, pairs, wanted, error) : IG_OK;
    s.meanings = meanings_for(wanted - s.extra, units, s.of_rows);
    if (status == IG_OK)
        status = draw_meanings(&s, asks, unit, rows, error);
    if (status == IG_OK)
        *sample = s;
    return status;
}
