/* --limit: a random sample of meanings. A unit is an id with all its rows, or a row
 * without an id. The order of the rows is kept. */
#include "core/random.h"
#include "data/dataset_parts.h"

ig_status ig_dataset_sample(ig_dataset *set, size_t limit, uint64_t seed,
                            ig_error *error)
{
    enum { STREAM = 0x53414d50 };
    ig_columns *c = &set->inside->columns;
    const uint32_t *id = c->id.value;
    size_t rows = c->rows, ids = c->id.values.count, units = 0, kept = 0;
    ig_arena work = {0};
    uint32_t *unit = ig_arena_array(&work, ids + rows, sizeof *unit);
    uint32_t *keep = ig_alloc(rows, sizeof *keep);
    uint8_t *mark = ig_arena_array(&work, ids + rows, 1); /* of an id, or ids + row */
    ig_status status = work.failed || !keep ? ig_fail_memory(error, "the sample")
                                            : IG_OK;
    ig_random random;

    for (size_t i = 0; status == IG_OK && i < ids + rows; i++)
        if (i < ids || id[i - ids] == IG_NO_ID)
            unit[units++] = (uint32_t)i;
    if (status == IG_OK && limit < units) {
        ig_random_init(&random, seed, STREAM);
        for (size_t i = 0; i < limit; i++) { /* the first steps of a shuffle */
            size_t j = i + ig_random_below(&random, units - i);

            mark[unit[j]] = 1;
            unit[j] = unit[i];
        }
        for (size_t i = 0; i < rows; i++)
            if (mark[id[i] == IG_NO_ID ? ids + i : id[i]])
                keep[kept++] = (uint32_t)i;
        set->notes.sampled_from = rows;
        set->inside->pick = keep;
        status = ig_columns_keep(c, keep, kept, error);
    } else {
        ig_free(keep);
    }
    ig_arena_free(&work);
    return status;
}
