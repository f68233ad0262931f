/* Row sources: tiled reads, subsets, and normalisation. */
#include "core/rows.h"

#include <math.h>
#include <string.h>

#include "core/kernels.h"

ig_rows ig_rows_of_matrix(ig_matrix m)
{
    return (ig_rows){
        .rows = m.rows, .dims = m.cols, .direct = m.a, .direct_stride = m.stride};
}

void ig_rows_read(const ig_rows *rows, const uint32_t *list, size_t first, size_t count,
                  float *out, size_t stride, float *scratch)
{
    for (size_t i = 0; i < count && !rows->direct; i += IG_ROWS_TILE)
        rows->read(rows, list ? list + i : NULL, first + i,
                   count - i < IG_ROWS_TILE ? count - i : IG_ROWS_TILE,
                   out + i * stride, stride, scratch);
    for (size_t i = 0; i < count && rows->direct; i++)
        memcpy(out + i * stride,
               rows->direct + (list ? list[i] : first + i) * rows->direct_stride,
               rows->dims * sizeof *out);
}

static void read_pick(const ig_rows *rows, const uint32_t *row, size_t first,
                      size_t count, float *out, size_t stride, float *scratch)
{
    const ig_rows_pick *pick = rows->context;
    uint32_t list[IG_ROWS_TILE];

    for (size_t i = 0; i < count; i++)
        list[i] = pick->list[row ? row[i] : first + i];
    ig_rows_read(pick->all, list, 0, count, out, stride, scratch);
}

ig_rows ig_rows_of_pick(ig_rows_pick *pick)
{
    ig_rows rows = *pick->all;

    rows.rows = pick->count;
    rows.direct = NULL;
    rows.name = NULL;
    rows.read = read_pick;
    rows.context = pick;
    return rows;
}

struct reading {
    const ig_rows *rows;
    const uint32_t *list;
    size_t first;
    float *out, *scratch;
};

static void read_piece(void *context, size_t member, size_t first, size_t last)
{
    const struct reading *r = context;
    size_t d = r->rows->dims;

    for (size_t at = first; at < last; at += IG_ROWS_SHARE) {
        size_t n = last - at < IG_ROWS_SHARE ? last - at : IG_ROWS_SHARE;

        ig_rows_read(r->rows, r->list ? r->list + at : NULL, r->first + at, n,
                     r->out + at * d, d, r->scratch + member * r->rows->scratch);
    }
}

ig_status ig_rows_share(const ig_rows *rows, const uint32_t *list, size_t first,
                        size_t count, ig_pool *pool, float *out, float *scratch,
                        ig_error *error)
{
    struct reading r = {rows, list, first, out, scratch};

    ig_parallel_for(pool, count, IG_ROWS_SHARE, read_piece, &r);
    for (size_t i = 0; i < count && rows->name; i++)
        if (!isfinite(ig_max_abs(out + i * rows->dims, rows->dims)))
            return ig_fail(error, IG_VALUE,
                           "row %zu%s is not finite: weights or strength are too large",
                           list ? list[i] : first + i, rows->name);
    return IG_OK;
}

const float *ig_rows_view(const ig_rows *rows, size_t first, size_t count, float *tile,
                          float *scratch, size_t *stride)
{
    *stride = rows->direct ? rows->direct_stride : rows->dims;
    if (rows->direct)
        return rows->direct + first * *stride;
    rows->read(rows, NULL, first, count, tile, *stride, scratch);
    return tile;
}

double ig_rows_length(const float *row, size_t d)
{
    double square = ig_dot(row, row, d);

    /* A float product of another length over- or underflows beyond rounding. */
    if (!(square > 1e-24 && square < 1e30)) {
        square = 0;
        for (size_t j = 0; j < d; j++)
            square += (double)row[j] * (double)row[j];
    }
    return sqrt(square);
}

void ig_rows_unit(float *row, size_t stride, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++, row += stride) {
        double length = ig_rows_length(row, d);
        float by = (float)(1 / length);

        /* The inverse of an extreme length has few digits; rows of 1 are equal. */
        if (length < 1e-30 || length > 1e30 || d == 1)
            for (size_t j = 0; j < d && length > 0; j++)
                row[j] = (float)((double)row[j] / length);
        else
            for (size_t j = 0; j < d; j++)
                row[j] *= by;
    }
}
