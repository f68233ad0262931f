/* The one pass over all values that opening leaves out: are they finite. */
#include <math.h>

#include "data/inside.h"
#include "linear/kernels.h"

/* Bytes of floats that are looked at between two looks at `stop`. */
enum { TILE_FLOATS = 64 * 1024 };

static ig_status fail_value(const ig_set *set, size_t row, const float *values,
                            ig_error *error)
{
    size_t local;
    const ig_part *part = ig_set_part_of(set, row, &local);
    size_t column = 0;

    while (column + 1 < set->dims && isfinite(values[column]))
        column++;
    return ig_fail(error, IG_VALUE,
                   "%s: row %zu holds a value that is not finite (column %zu)",
                   part->file, local, column);
}

ig_status ig_set_check(const ig_set *set, size_t *zero_rows, const atomic_bool *stop,
                       ig_error *error)
{
    const ig_kernels *kernels = ig_kernels_best();
    size_t tile_rows = TILE_FLOATS / set->dims + 1;
    float *tile = ig_alloc(tile_rows, set->dims * sizeof *tile);
    ig_status status = IG_OK;
    size_t zeros = 0;

    if (!tile)
        return ig_fail_memory(error, "a tile of rows");
    for (size_t i = 0; i < set->rows && status == IG_OK; i += tile_rows) {
        size_t n = set->rows - i < tile_rows ? set->rows - i : tile_rows;

        if (stop && atomic_load_explicit(stop, memory_order_relaxed)) {
            status = ig_fail(error, IG_INTERRUPTED, "the check was stopped");
            break;
        }
        ig_set_rows(set, i, n, tile, set->dims);
        for (size_t k = 0; k < n && status == IG_OK; k++) {
            const float *row = tile + k * set->dims;
            float peak = kernels->peak(row, set->dims);

            zeros += peak == 0;
            if (!isfinite(peak))
                status = fail_value(set, i + k, row, error);
        }
    }
    ig_free(tile);
    if (status == IG_OK && zero_rows)
        *zero_rows = zeros;
    return status;
}

size_t ig_set_bytes(const ig_set *set)
{
    size_t bytes = 0;

    if (set->inside->pick)
        return set->rows * set->dims *
               ig_dtype_size(set->inside->part[0].vectors.dtype);
    for (size_t i = 0; i < set->inside->parts; i++) {
        const ig_vectors *v = &set->inside->part[i].vectors;

        bytes += v->rows * set->dims * ig_dtype_size(v->dtype);
    }
    return bytes;
}
