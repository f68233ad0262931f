/* Distinct rows of pairs, gathered by the tile over the pool and scaled to length 1. */
#include "measure/units.h"

#include <math.h>

#include "base/array.h"
#include "base/memory.h"
#include "linear/kernels.h"

/* While rows are gathered, the mark of one that is not finite. */
enum { ODD = 2 };

void ig_units_free(ig_units *u)
{
    ig_free(u->row);
    ig_free(u->unit);
    ig_free(u->zero);
    *u = (ig_units){0};
}

size_t ig_units_find(const ig_units *u, uint32_t row)
{
    return ig_array_find(u->row, u->count, row);
}

struct pass {
    ig_units *u;
    const ig_rows *rows;
    ig_watch *watch;
    float *scratch; /* (members, rows->scratch) */
};

static void gather_member(void *context, size_t member, size_t members)
{
    const struct pass *pass = context;
    ig_units *u = pass->u;
    float *scratch = pass->scratch + member * pass->rows->scratch;
    size_t first, last;

    ig_pool_slice(u->count, IG_ROWS_SHARE, member, members, &first, &last);
    for (size_t i = first; i < last && !ig_watch_stopped(pass->watch);
         i += IG_ROWS_SHARE) {
        size_t n = last - i < IG_ROWS_SHARE ? last - i : IG_ROWS_SHARE;

        ig_rows_gather(pass->rows, u->row + i, n, u->unit + i * u->dims, u->dims,
                       scratch);
        for (size_t r = i; r < i + n; r++) {
            float *row = u->unit + r * u->dims;

            u->zero[r] = (uint8_t)ig_rows_unit(row, u->dims, row, u->dims, 1, u->dims);
            if (!isfinite(ig_kernels_best()->peak(row, u->dims)))
                u->zero[r] = ODD;
        }
        ig_watch_add(pass->watch, 0, member);
    }
}

/* The distinct rows of the list, by marking them. IG_OK, IG_SHAPE or IG_NOMEM. */
static ig_status list_rows(ig_units *u, const ig_rows *rows, const uint32_t *list,
                           size_t n, ig_error *error)
{
    uint8_t *seen = ig_alloc(rows->rows, 1);
    size_t at = 0;

    if (!seen)
        return ig_fail_memory(error, "the rows to measure");
    for (size_t i = 0; i < n; i++) {
        if (list[i] >= rows->rows) {
            ig_free(seen);
            return ig_fail(error, IG_SHAPE, "row %u of a pair, but there are %zu rows",
                           (unsigned)list[i], rows->rows);
        }
        u->count += !seen[list[i]];
        seen[list[i]] = 1;
    }
    u->row = ig_alloc(u->count, sizeof *u->row);
    for (size_t i = 0; u->row && i < rows->rows; i++)
        if (seen[i])
            u->row[at++] = (uint32_t)i;
    ig_free(seen);
    return u->row ? IG_OK : ig_fail_memory(error, "the rows to measure");
}

ig_status ig_units_gather(ig_units *u, const ig_rows *rows, ig_pool *pool,
                          ig_watch *watch, ig_error *error)
{
    struct pass pass = {u, rows, watch, NULL};
    ig_status status = IG_OK;

    u->dims = rows->dims;
    u->unit = ig_alloc(u->count, u->dims * sizeof *u->unit);
    u->zero = ig_alloc(u->count, 1);
    pass.scratch = ig_alloc(ig_pool_threads(pool), rows->scratch * sizeof(float));
    if (!u->unit || !u->zero || !pass.scratch) {
        status = ig_fail_memory(error, "the rows to measure");
        goto done;
    }
    ig_pool_run(pool, gather_member, &pass);
    if (ig_watch_stopped(watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    for (size_t i = 0; i < u->count; i++) {
        u->zero_rows += u->zero[i] == 1;
        u->odd_rows += u->zero[i] == ODD;
        u->zero[i] = u->zero[i] == 1;
    }
done:
    ig_free(pass.scratch);
    if (status != IG_OK)
        ig_units_free(u);
    return status;
}

ig_status ig_units_init(ig_units *u, const ig_rows *rows, const uint32_t *list,
                        size_t n, ig_pool *pool, ig_watch *watch, ig_error *error)
{
    ig_status status;

    *u = (ig_units){0};
    status = list_rows(u, rows, list, n, error);
    if (status == IG_OK)
        return ig_units_gather(u, rows, pool, watch, error);
    ig_units_free(u);
    return status;
}
