/* --limit: a random sample of meanings. A unit is an id with all its rows, or a row
 * without an id. The order of the rows is kept. */
#include "core/random.h"
#include "data/dataset_parts.h"

/* Mark `limit` of the units, by the first steps of a Fisher–Yates shuffle. */
static void draw_units(uint32_t *unit, size_t units, size_t limit, uint64_t seed,
                       uint8_t *mark)
{
    enum { STREAM = 0x53414d50 };
    ig_random random;

    ig_random_init(&random, seed, STREAM);
    for (size_t i = 0; i < limit; i++) {
        size_t j = i + ig_random_below(&random, units - i);

        mark[unit[j]] = 1;
        unit[j] = unit[i];
    }
}

ig_status ig_dataset_sample(ig_dataset *set, size_t limit, uint64_t seed,
                            ig_error *error)
{
    ig_columns *c = &set->inside->columns;
    size_t rows = c->rows, ids = c->id.values.count, units = 0, kept = 0;
    uint32_t *unit = ig_alloc(ids + rows, sizeof *unit); /* id, or ids + row */
    uint32_t *keep = ig_alloc(rows, sizeof *keep);
    uint8_t *mark = ig_alloc(ids + rows, 1);
    ig_status status = unit && keep && mark ? IG_OK
                                            : ig_fail_memory(error, "the sample");

    for (size_t i = 0; status == IG_OK && i < ids + rows; i++)
        if (i < ids || c->id.value[i - ids] == IG_NO_ID)
            unit[units++] = (uint32_t)i;
    if (status == IG_OK && limit < units) {
        draw_units(unit, units, limit, seed, mark);
        for (size_t i = 0; i < rows; i++)
            if (mark[c->id.value[i] == IG_NO_ID ? ids + i : c->id.value[i]])
                keep[kept++] = (uint32_t)i;
        status = ig_columns_keep(c, keep, kept, error);
    }
    if (status == IG_OK && limit < units) {
        set->notes.sampled_from = rows;
        set->inside->pick = keep;
        keep = NULL;
    }
    IG_FREE(unit, keep, mark);
    return status;
}
