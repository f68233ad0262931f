/* A set's vectors as a source of rows. */
#include "data/rows.h"

static void read_set(void *context, const uint32_t *row, size_t first, size_t count,
                     float *out, size_t stride, float *scratch)
{
    const ig_set *set = context;

    (void)scratch;
    if (row)
        ig_set_gather(set, row, count, out, stride);
    else
        ig_set_rows(set, first, count, out, stride);
}

ig_rows ig_rows_of_set(const ig_set *set)
{
    ig_rows rows = {
        .rows = set->rows,
        .dims = set->dims,
        .read = read_set,
        /* Sources carry a plain pointer; read_set gives it back its const. */
        .context = (void *)set,
    };

    rows.direct = ig_set_direct(set, &rows.direct_stride);
    return rows;
}
