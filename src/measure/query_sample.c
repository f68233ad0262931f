/* Meanings in random order, of which the first ask. */
#include "measure/query_sample.h"

#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "data/set.h"

enum { STREAM = 0x53414d50, LEAST = 2 /* meanings: one alone has no standard error */ };

/* So many meanings have about `wanted` rows. */
static size_t meanings_for(size_t wanted, size_t units, size_t of_rows)
{
    double n = rint((double)wanted * (double)units / (double)of_rows);

    return n < LEAST ? LEAST : n < (double)units ? (size_t)n : units;
}

ig_status ig_query_sample_draw(ig_query_sample *sample, uint8_t *asks,
                               const uint32_t *unit, size_t rows, size_t units,
                               size_t wanted, uint64_t seed, ig_error *error)
{
    ig_query_sample s = {.of_meanings = units, .seed = seed};
    uint32_t *order;
    uint8_t *drawn;
    ig_random random;

    for (size_t i = 0; i < rows; i++)
        s.of_rows += unit[i] != IG_NO_ID;
    s.meanings = wanted < s.of_rows ? meanings_for(wanted, units, s.of_rows) : units;
    if (s.meanings >= units) {
        *sample = (ig_query_sample){0};
        return IG_OK;
    }
    order = ig_alloc(units, sizeof *order);
    drawn = ig_alloc(units, 1);
    if (!order || !drawn) {
        ig_free(order);
        ig_free(drawn);
        return ig_fail_memory(error, "the sample");
    }
    for (size_t u = 0; u < units; u++)
        order[u] = (uint32_t)u;
    ig_random_init(&random, seed, STREAM);
    ig_random_shuffle(&random, order, units);
    for (size_t i = 0; i < s.meanings; i++)
        drawn[order[i]] = 1;
    for (size_t i = 0; i < rows; i++) {
        asks[i] = unit[i] != IG_NO_ID && drawn[unit[i]];
        s.rows += asks[i];
    }
    ig_free(order);
    ig_free(drawn);
    *sample = s;
    return IG_OK;
}
