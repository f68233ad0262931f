/* Coordinates of rows: each row is read once and multiplied with every direction. */
#include <string.h>

#include "base/memory.h"
#include "linear/kernels.h"
#include "map/pca.h"

enum { TOGETHER = 32 }; /* directions that one call of the kernel serves */

struct pass {
    const ig_projection *projection;
    const ig_rows *rows;
    bool unit;
    const atomic_bool *stop;
    float *tiles; /* (members, IG_ROWS_TILE, d), or NULL when rows are used in place */
    float *scratch; /* (members, rows->scratch) */
    float *out;     /* (N, count) */
    size_t stride;
};

/* Coordinates of one row, `scale` times its products. */
static void project_row(const ig_projection *projection, const float *row, double scale,
                        float *out)
{
    const ig_kernels *kernels = ig_kernels_best();
    uint8_t left[TOGETHER] = {0}, right[TOGETHER];
    const float *v[TOGETHER + 1] = {row};
    double product[TOGETHER];

    for (size_t first = 0; first < projection->count; first += TOGETHER) {
        size_t n = projection->count - first;

        if (n > TOGETHER)
            n = TOGETHER;
        for (size_t i = 0; i < n; i++) {
            right[i] = (uint8_t)(i + 1);
            v[i + 1] = projection->direction + (first + i) * projection->dims;
        }
        kernels->dots(v, left, right, n, projection->dims, product);
        for (size_t i = 0; i < n; i++)
            out[first + i] =
                (float)(product[i] * scale + projection->offset[first + i]);
    }
}

static void project_member(void *context, size_t member, size_t members)
{
    const struct pass *pass = context;
    const ig_rows *rows = pass->rows;
    size_t first, last, stride;
    float *tile = pass->tiles ? pass->tiles + member * IG_ROWS_TILE * rows->dims : NULL;
    float *scratch = pass->scratch + member * rows->scratch;

    ig_pool_slice(rows->rows, IG_ROWS_TILE, member, members, &first, &last);
    for (size_t i = first; i < last; i += IG_ROWS_TILE) {
        size_t n = last - i < IG_ROWS_TILE ? last - i : IG_ROWS_TILE;
        const float *row;

        if (pass->stop && atomic_load_explicit(pass->stop, memory_order_relaxed))
            return;
        row = ig_rows_view(rows, i, n, tile, scratch, &stride);
        for (size_t r = 0; r < n; r++, row += stride) {
            double length = pass->unit ? ig_rows_length(row, rows->dims) : 1;

            project_row(pass->projection, row, length > 0 ? 1 / length : 0,
                        pass->out + (i + r) * pass->stride);
        }
    }
}

ig_status ig_project(const ig_projection *projection, const ig_rows *rows, bool unit,
                     ig_pool *pool, const atomic_bool *stop, float *out, size_t stride,
                     ig_error *error)
{
    size_t members = ig_pool_threads(pool);
    struct pass pass = {.projection = projection,
                        .rows = rows,
                        .unit = unit,
                        .stop = stop,
                        .out = out,
                        .stride = stride};
    ig_status status = IG_OK;

    if (rows->dims != projection->dims || stride < projection->count)
        return ig_fail(error, IG_SHAPE, "rows of %zu dimensions where %zu are expected",
                       rows->dims, projection->dims);
    if (!rows->direct)
        pass.tiles = ig_alloc(members * IG_ROWS_TILE, rows->dims * sizeof *pass.tiles);
    pass.scratch = ig_alloc(members, rows->scratch * sizeof *pass.scratch);
    if ((!pass.tiles && !rows->direct) || !pass.scratch)
        status = ig_fail_memory(error, "coordinates");
    else
        ig_pool_run(pool, project_member, &pass);
    if (status == IG_OK && stop && atomic_load(stop))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    ig_free(pass.tiles);
    ig_free(pass.scratch);
    return status;
}
