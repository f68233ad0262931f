/* Rows gathered by the tile over the pool and scaled to length 1. */
#include "measure/units.h"

#include <math.h>
#include <stdatomic.h>

#include "core/kernels.h"
#include "core/memory.h"

void ig_units_free(ig_units *u)
{
    IG_FREE(u->unit, u->length, u->zero);
    *u = (ig_units){0};
}

struct gathering {
    ig_units *u;
    const ig_rows *rows;
    const uint32_t *list;
    size_t first;
    const double *mean; /* (d) that is subtracted, or NULL */
    ig_progress *watch;
    float *scratch; /* (members, rows->scratch) */
    atomic_size_t zeros, odd;
};

static void gather_piece(void *context, size_t member, size_t first, size_t last)
{
    struct gathering *g = context;
    float *scratch = g->scratch + member * g->rows->scratch;
    size_t d = g->u->dims;

    for (size_t i = first; i < last && !ig_progress_cancelled(g->watch);
         i += IG_ROWS_SHARE) {
        size_t n = last - i < IG_ROWS_SHARE ? last - i : IG_ROWS_SHARE;
        float *out = g->u->unit + i * d;

        if (g->list)
            ig_rows_gather(g->rows, g->list + g->first + i, n, out, d, scratch);
        else
            ig_rows_read(g->rows, g->first + i, n, out, d, scratch);
        for (size_t r = 0; r < n; r++)
            g->u->length[i + r] = (float)ig_rows_length(out + r * d, d);
        if (!g->rows->unit)
            ig_rows_unit(out, d, out, d, n, d);
        for (size_t r = 0; r < n; r++) {
            float peak = ig_kernels_best()->max_abs(out + r * d, d);

            g->u->zero[i + r] = peak == 0;
            atomic_fetch_add(&g->zeros, peak == 0);
            atomic_fetch_add(&g->odd, !isfinite(peak));
        }
        for (size_t r = 0; r < n && g->mean; r++)
            for (size_t j = 0; j < d; j++)
                out[r * d + j] = (float)((double)out[r * d + j] - g->mean[j]);
        ig_progress_add(g->watch, 0, member);
    }
}

static ig_status gather(struct gathering *g, size_t n, ig_pool *pool, ig_error *error)
{
    ig_units *u = g->u;
    ig_status status = IG_OK;

    *u = (ig_units){.count = n, .dims = g->rows->dims};
    u->unit = ig_alloc(n, u->dims * sizeof *u->unit);
    u->length = ig_alloc(n, sizeof *u->length);
    u->zero = ig_alloc(n, 1);
    g->scratch = ig_alloc(ig_pool_threads(pool), g->rows->scratch * sizeof *g->scratch);
    if (u->unit && u->length && u->zero && g->scratch)
        ig_parallel_for(pool, n, IG_ROWS_SHARE, gather_piece, g);
    else
        status = ig_fail_memory(error, "the rows to measure");
    if (status == IG_OK && ig_progress_cancelled(g->watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    u->zero_rows = atomic_load(&g->zeros);
    u->odd_rows = atomic_load(&g->odd);
    if (status == IG_OK && g->mean && u->odd_rows)
        status = ig_fail(error, IG_VALUE, "a value is not finite");
    ig_free(g->scratch);
    if (status != IG_OK)
        ig_units_free(u);
    return status;
}

ig_status ig_units_init(ig_units *u, const ig_rows *rows, const uint32_t *list,
                        size_t first, size_t n, ig_pool *pool, ig_progress *watch,
                        ig_error *error)
{
    struct gathering g = {
        .u = u, .rows = rows, .list = list, .first = first, .watch = watch};

    return gather(&g, n, pool, error);
}

ig_status ig_units_centre(ig_units *u, const ig_rows *rows, const uint32_t *list,
                          size_t first, size_t n, const double *mean, ig_pool *pool,
                          ig_progress *watch, ig_error *error)
{
    struct gathering g = {.u = u,
                          .rows = rows,
                          .list = list,
                          .first = first,
                          .mean = mean,
                          .watch = watch};

    return gather(&g, n, pool, error);
}

ig_status ig_units_each(const ig_rows *rows, const uint32_t *list, size_t n,
                        ig_chunk_see *see, void *context, ig_pool *pool,
                        ig_progress *watch, ig_error *error)
{
    enum { CHUNK = 16 * IG_ROWS_TILE };
    ig_status status = IG_OK;

    for (size_t first = 0; first < n && status == IG_OK; first += CHUNK) {
        size_t count = n - first < CHUNK ? n - first : CHUNK;
        ig_units chunk = {0};

        status = ig_units_init(&chunk, rows, list, first, count, pool, watch, error);
        if (status == IG_OK)
            status = see(context, &chunk, first, pool);
        ig_units_free(&chunk);
    }
    return status;
}

/* --- moments ---------------------------------------------------------------------- */

struct summing {
    ig_moments *moments;
    ig_chunk_see *see;
    void *context;
    ig_progress *watch;
    ig_error *error;
};

static ig_status add_chunk(void *context, const ig_units *chunk, size_t first,
                           ig_pool *pool)
{
    struct summing *s = context;
    size_t n = chunk->count, d = chunk->dims;
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(chunk->unit, n, d));
    ig_status status = ig_moments_add(s->moments, &rows, false, pool,
                                      s->watch ? s->watch->stop : NULL, NULL, s->error);

    if (status == IG_OK && s->see)
        status = s->see(s->context, chunk, first, pool);
    ig_progress_add(s->watch, (double)n * (double)d * (double)d, 0);
    return status;
}

ig_status ig_unit_moments(ig_moments *moments, const ig_rows *rows,
                          const uint32_t *list, size_t n, ig_chunk_see *see,
                          void *context, ig_pool *pool, ig_progress *watch,
                          ig_error *error)
{
    struct summing s = {moments, see, context, watch, error};

    return ig_units_each(rows, list, n, add_chunk, &s, pool, watch, error);
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
