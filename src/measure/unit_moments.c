/* Moments of unit rows, chunk by chunk. */
#include "measure/unit_moments.h"

enum { CHUNK = 16 * IG_ROWS_TILE };

ig_status ig_unit_moments(ig_moments *moments, const ig_rows *rows,
                          const uint32_t *list, size_t n, ig_chunk_see *see,
                          void *context, ig_pool *pool, ig_watch *watch,
                          ig_error *error)
{
    const atomic_bool *stop = watch ? watch->stop : NULL;
    size_t d = rows->dims;
    ig_status status = IG_OK;

    for (size_t first = 0; first < n && status == IG_OK; first += CHUNK) {
        size_t count = n - first < CHUNK ? n - first : CHUNK;
        ig_units chunk = {0};

        status = ig_units_init_chunk(&chunk, rows, list ? list + first : NULL, first,
                                     count, pool, watch, error);
        if (status == IG_OK) {
            ig_rows unit = ig_rows_of_matrix(ig_matrix_of(chunk.unit, count, d));

            status = ig_moments_add(moments, &unit, false, pool, stop, error);
        }
        if (status == IG_OK) {
            if (see)
                see(context, &chunk, first, pool);
            ig_watch_add(watch, (double)count * (double)d * (double)d, 0);
        }
        ig_units_free(&chunk);
    }
    return status;
}

void ig_unit_spread(const ig_moments *moments, double *trace, double *squares)
{
    size_t d = moments->dims;
    double n = moments->rows ? (double)moments->rows : 1;

    *trace = *squares = 0;
    for (size_t i = 0; i < d; i++) {
        *trace += moments->scatter[i * d + i] / n;
        for (size_t j = 0; j < d; j++)
            *squares += moments->scatter[i * d + j] / n *
                        (moments->scatter[i * d + j] / n);
    }
}
