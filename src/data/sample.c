/* --limit: a random sample of meanings. A unit is an id with all its rows, or a row
 * without an id. The order of the rows is kept. */
#include <string.h>

#include "core/random.h"
#include "data/dataset_parts.h"

ig_status ig_dataset_sample(ig_dataset *set, size_t limit, uint64_t seed,
                            ig_error *error)
{
    enum { STREAM = 0x53414d50 };
    const ig_value_column *id = &set->inside->columns.column[IG_COLUMN_ID];
    size_t rows = set->rows, ids = id->values.count, units = 0, kept = 0;
    ig_arena work = {0};
    uint32_t *unit = ig_arena_array(&work, ids + rows, sizeof *unit);
    uint32_t *of = ig_arena_array(&work, rows, sizeof *of); /* an id, or ids + row */
    uint8_t *mark = ig_arena_array(&work, ids + rows, 1);
    uint32_t *pick = ig_arena_array(&set->inside->memory, rows, sizeof *pick);
    ig_random random;

    if (work.failed || !pick) {
        ig_arena_free(&work);
        return ig_fail_memory(error, "the sample");
    }
    for (size_t i = 0; i < rows; i++) {
        pick[i] = set->inside->pick ? set->inside->pick[i] : (uint32_t)i;
        of[i] = id->value[pick[i]] == IG_NO_ID ? (uint32_t)(ids + i)
                                               : id->value[pick[i]];
        mark[of[i]] = 1;
    }
    for (size_t k = 0; k < ids + rows; k++)
        if (mark[k])
            unit[units++] = (uint32_t)k;
    if (limit < units) {
        memset(mark, 0, ids + rows);
        ig_random_init(&random, seed, STREAM);
        for (size_t i = 0; i < limit; i++) { /* the first steps of a shuffle */
            size_t j = i + ig_random_below(&random, units - i);

            mark[unit[j]] = 1;
            unit[j] = unit[i];
        }
        for (size_t i = 0; i < rows; i++)
            if (mark[of[i]])
                pick[kept++] = pick[i];
        set->notes.sampled_from = rows;
        set->rows = kept;
        set->inside->pick = pick;
    }
    ig_arena_free(&work);
    return IG_OK;
}
