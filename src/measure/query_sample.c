/* Languages with few pairs ask, and then meanings in random order, of which the first
 * do. */
#include "measure/query_sample.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/random.h"

enum {
    STREAM = 0x53414d50,
    LEAST = 2,  /* meanings: one alone has no standard error */
    ENOUGH = 30 /* queries of a direction */
};

/* --- languages with few pairs ----------------------------------------------------- */

static size_t languages_of(const void *context, size_t i)
{
    const ig_retrieval_pairs *pairs = context;
    size_t a = pairs->lang[pairs->left[i]], b = pairs->lang[pairs->right[i]];

    return a == b  ? SIZE_MAX
           : a < b ? a * pairs->languages + b
                   : b * pairs->languages + a;
}

/* The pairs of two languages: `order` has them from `first` on. */
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

/* Let the rows of a couple's pairs ask; returns how many did not before. */
static size_t let_ask(const struct couple *couple, const ig_retrieval_pairs *pairs,
                      const uint32_t *order, uint8_t *asks)
{
    size_t n = 0;

    for (size_t i = couple->first; i < couple->first + couple->pairs; i++)
        for (int s = 0; s < 2; s++) {
            uint8_t *row = &asks[(s ? pairs->right : pairs->left)[order[i]]];

            n += *row == 0;
            *row = IG_ASKS_BESIDE;
        }
    return n;
}

/* Those of which a sample would have fewer queries than ENOUGH ask, the fewest pairs
 * first. */
static ig_status ask_few(ig_query_sample *sample, uint8_t *asks,
                         const ig_retrieval_pairs *pairs, size_t wanted,
                         ig_error *error)
{
    size_t cells = pairs->languages * pairs->languages, couples = 0;
    uint32_t *start = ig_alloc(cells + 2, sizeof *start);
    uint32_t *order = ig_alloc(pairs->pairs, sizeof *order);
    struct couple *couple = ig_alloc(cells, sizeof *couple);
    bool ready = start && order && couple;

    if (ready)
        ig_array_order(pairs->pairs, cells, languages_of, pairs, start, order);
    for (size_t c = 0; ready && c < cells; c++)
        if (start[c + 1] > start[c])
            couple[couples++] = (struct couple){start[c + 1] - start[c], start[c]};
    if (ready)
        qsort(couple, couples, sizeof *couple, by_pairs);
    for (size_t c = 0; ready && c < couples; c++) {
        double queries = (double)couple[c].pairs * (double)(wanted - sample->beside) /
                         (double)sample->of_rows;

        if (queries >= ENOUGH || 2 * (sample->beside + 2 * couple[c].pairs) > wanted)
            break;
        sample->beside += let_ask(&couple[c], pairs, order, asks);
    }
    ig_free(start);
    ig_free(order);
    ig_free(couple);
    return ready ? IG_OK : ig_fail_memory(error, "the sample");
}

/* --- drawing ---------------------------------------------------------------------- */

/* So many meanings have about `wanted` rows. */
static size_t meanings_for(size_t wanted, size_t units, size_t of_rows)
{
    double n = rint((double)wanted * (double)units / (double)of_rows);

    return n < LEAST ? LEAST : n < (double)units ? (size_t)n : units;
}

/* Let the rows of so many meanings ask. */
static ig_status draw(ig_query_sample *sample, uint8_t *asks, const uint32_t *unit,
                      size_t rows, ig_error *error)
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
            sample->beside -= asks[i] == IG_ASKS_BESIDE;
            sample->rows++;
            asks[i] = IG_ASKS_DRAWN;
        }
    ig_free(order);
    ig_free(drawn);
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
    status = pairs ? ask_few(&s, asks, pairs, wanted, error) : IG_OK;
    s.meanings = meanings_for(wanted - s.beside, units, s.of_rows);
    if (status == IG_OK)
        status = draw(&s, asks, unit, rows, error);
    if (status == IG_OK)
        *sample = s;
    return status;
}
