/* Distinct rows of pairs, gathered by the tile over the pool and scaled to length 1. */
#include "measure/units.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "linear/kernels.h"
#include "linear/products.h"

/* While rows are gathered, the mark of one that is not finite. */
enum { ODD = 2 };

void ig_units_free(ig_units *u)
{
    ig_free(u->row);
    ig_spill_free(&u->held);
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
    size_t room; /* floats of scratch of a member */
    float *scratch;

    /* of blocks */
    const uint32_t *first;
    size_t blocks;
    ig_block *block;
    double *offset;
    const float *from; /* rows of the blocks … */
    const uint32_t *list;
    uint64_t *key;
    double *reach; /* (members, blocks) */
    atomic_size_t next;
    atomic_bool failed;
};

/* A row of the units as it was read: scaled, and marked. */
static void take_row(ig_units *u, const ig_rows *rows, size_t r, float *row)
{
    float peak;

    if (rows->unit) {
        u->zero[r] = ig_kernels_best()->peak(row, u->dims) == 0;
        return;
    }
    u->zero[r] = (uint8_t)ig_rows_unit(row, u->dims, row, u->dims, 1, u->dims);
    peak = ig_kernels_best()->peak(row, u->dims);
    if (!isfinite(peak))
        u->zero[r] = ODD;
}

/* Rows that were read into `own`, as units `unit` (n), to their places: as many as
 * follow one another at a time. */
static void put_rows(ig_units *u, const uint32_t *unit, size_t n, const float *own)
{
    size_t bytes = u->dims * sizeof *own;

    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && unit[end] == unit[end - 1] + 1; end++)
            continue;
        ig_spill_copy(&u->held, unit[i] * bytes, (end - i) * bytes, own + i * u->dims);
    }
}

/* Up to IG_ROWS_SHARE units, whichever is their turn from number i on.
 *   own  scratch  (n, d), where they do not lie in memory as they are read */
static void gather_some(const struct pass *pass, size_t i, size_t n, float *own,
                        float *scratch)
{
    ig_units *u = pass->u;
    size_t bytes = u->dims * sizeof *own;
    float *out = u->turn ? own : ig_spill_place(&u->held, i * bytes, own);
    uint32_t row[IG_ROWS_SHARE];

    for (size_t r = 0; r < n; r++)
        row[r] = u->row[u->turn ? u->turn[i + r] : i + r];
    ig_rows_gather(pass->rows, row, n, out, u->dims, scratch);
    for (size_t r = 0; r < n; r++)
        take_row(u, pass->rows, u->turn ? u->turn[i + r] : i + r, out + r * u->dims);
    if (u->turn)
        put_rows(u, u->turn + i, n, own);
    else
        ig_spill_put(&u->held, i * bytes, n * bytes, out);
}

static void gather_piece(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *pass = context;
    float *scratch = pass->scratch + member * pass->room;

    for (size_t i = first; i < last && !ig_watch_stopped(pass->watch);
         i += IG_ROWS_SHARE) {
        size_t n = last - i < IG_ROWS_SHARE ? last - i : IG_ROWS_SHARE;

        gather_some(pass, i, n, scratch + pass->rows->scratch, scratch);
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

/* Room for the units and for what members write. */
static ig_status make_room(struct pass *pass, ig_pool *pool, ig_error *error)
{
    ig_units *u = pass->u;
    ig_status status;

    u->dims = pass->rows->dims;
    status = ig_spill_init(&u->held, u->count, u->dims * sizeof *u->unit, u->directory,
                           error);
    if (status != IG_OK)
        return status;
    u->unit = (float *)(uintptr_t)u->held.bytes;
    u->zero = ig_alloc(u->count, 1);
    pass->room = pass->rows->scratch;
    pass->room += u->held.in_file || u->turn ? IG_ROWS_SHARE * u->dims : 0;
    pass->scratch = ig_alloc(ig_pool_threads(pool), pass->room * sizeof(float));
    return u->zero && pass->scratch ? IG_OK
                                    : ig_fail_memory(error, "the rows to measure");
}

static ig_status gather(struct pass *pass, ig_pool *pool, ig_error *error)
{
    ig_units *u = pass->u;

    ig_pool_hand_out(pool, u->count, IG_ROWS_SHARE, gather_piece, pass);
    if (ig_watch_stopped(pass->watch))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    for (size_t i = 0; i < u->count; i++) {
        u->zero_rows += u->zero[i] == 1;
        u->odd_rows += u->zero[i] == ODD;
        u->zero[i] = u->zero[i] == 1;
    }
    return ig_spill_check(&u->held, error);
}

ig_status ig_units_gather(ig_units *u, const ig_rows *rows, ig_pool *pool,
                          ig_watch *watch, ig_error *error)
{
    struct pass pass = {.u = u, .rows = rows, .watch = watch};
    ig_status status = make_room(&pass, pool, error);

    if (status == IG_OK)
        status = gather(&pass, pool, error);
    ig_free(pass.scratch);
    if (status != IG_OK)
        ig_units_free(u);
    return status;
}

ig_status ig_units_init_chunk(ig_units *u, const ig_rows *rows, const uint32_t *list,
                              size_t first, size_t n, ig_pool *pool, ig_watch *watch,
                              ig_error *error)
{
    *u = (ig_units){.count = n, .row = ig_alloc(n, sizeof *u->row)};
    if (!u->row)
        return ig_fail_memory(error, "the rows to measure");
    for (size_t i = 0; i < n; i++)
        u->row[i] = list ? list[i] : (uint32_t)(first + i);
    return ig_units_gather(u, rows, pool, watch, error);
}

/* --- blocks ----------------------------------------------------------------------- */

/* What the blocks are made of. */
static void look_member(void *context, size_t member, size_t members)
{
    struct pass *pass = context;
    size_t b;

    (void)member, (void)members;
    while ((b = atomic_fetch_add(&pass->next, 1)) < pass->blocks &&
           !ig_watch_stopped(pass->watch)) {
        size_t first = pass->first[b], d = pass->u->dims;

        if (ig_block_init(&pass->block[b],
                          pass->list ? pass->from : pass->from + first * d,
                          pass->list ? pass->list + first : NULL,
                          pass->first[b + 1] - first, d, pass->u->zero + first,
                          pass->list != NULL, pass->key + first, NULL) != IG_OK)
            atomic_store(&pass->failed, true);
        ig_watch_add(pass->watch, 0, member);
    }
}

/* Rows first … last − 1, all of one block, moved to `out`. */
static void move_rows(const struct pass *pass, size_t b, size_t first, size_t last,
                      size_t member, float *out)
{
    const ig_block *block = &pass->block[b];
    double *reach = &pass->reach[member * pass->blocks + b];
    size_t d = pass->u->dims;

    *reach = fmax(*reach, ig_block_move(block, pass->from, pass->list, first,
                                        last - first, d, pass->u->zero + first, out));
    for (size_t i = first; pass->offset && i < last; i++)
        pass->offset[i] =
            ig_kernels_best()->dot(out + (i - first) * d, block->centre, d);
}

static void move_piece(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *pass = context;
    ig_units *u = pass->u;
    float *own = pass->scratch + member * pass->room + pass->rows->scratch;
    size_t b = 0, bytes = u->dims * sizeof *own;

    for (size_t i = first; i < last && !ig_watch_stopped(pass->watch);
         i += IG_ROWS_SHARE) {
        size_t end = last - i < IG_ROWS_SHARE ? last : i + IG_ROWS_SHARE;
        float *out = ig_spill_place(&u->held, i * bytes, own);

        for (size_t at = i, to; at < end; at = to) {
            while (pass->first[b + 1] <= at)
                b++;
            to = pass->first[b + 1] < end ? pass->first[b + 1] : end;
            move_rows(pass, b, at, to, member, out + (at - i) * u->dims);
        }
        ig_spill_put(&u->held, i * bytes, (end - i) * bytes, out);
        ig_watch_add(pass->watch, 0, member);
    }
}

/* The rows as they lie in their source, or gathered. */
static ig_status find_rows(struct pass *pass, ig_pool *pool, ig_error *error)
{
    ig_units *u = pass->u;

    if (!ig_rows_lie_as_units(pass->rows)) {
        pass->from = u->unit;
        return gather(pass, pool, error);
    }
    pass->from = pass->rows->direct;
    pass->list = u->row;
    return IG_OK;
}

/* The centres are found, then the rows moved. */
static ig_status make_blocks(struct pass *pass, uint32_t **same, ig_pool *pool,
                             ig_error *error)
{
    ig_units *u = pass->u;
    size_t members = ig_pool_threads(pool);
    ig_status status = IG_OK;

    pass->reach = ig_alloc(members * pass->blocks, sizeof *pass->reach);
    pass->key = ig_alloc(u->count, sizeof *pass->key);
    if (!pass->reach || !pass->key)
        return ig_fail_memory(error, "the rows to measure");
    ig_pool_run(pool, look_member, pass);
    if (ig_watch_stopped(pass->watch))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    if (atomic_load(&pass->failed))
        return ig_fail_memory(error, "the rows to measure");
    if (same)
        status = ig_block_same(pass->from, pass->list, pass->key, u->count, u->dims,
                               same, error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; pass->list && i < u->count; i++)
        u->zero_rows += u->zero[i];
    if (!ig_watch_stopped(pass->watch))
        ig_pool_hand_out(pool, u->count, IG_ROWS_SHARE, move_piece, pass);
    if (ig_watch_stopped(pass->watch))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    for (size_t b = 0; b < pass->blocks; b++) {
        size_t from = pass->first[b] * u->dims;

        pass->block[b].row = u->unit + from;
        if (u->held.in_file)
            pass->block[b].single = (const float *)u->held.single + from;
        for (size_t m = 0; m < members; m++)
            pass->block[b].reach =
                fmax(pass->block[b].reach, pass->reach[m * pass->blocks + b]);
    }
    return ig_spill_check(&u->held, error);
}

ig_status ig_units_gather_blocks(ig_units *u, const ig_rows *rows,
                                 const uint32_t *first, size_t blocks, ig_block *block,
                                 uint32_t **same, double *offset, ig_pool *pool,
                                 ig_watch *watch, ig_error *error)
{
    struct pass pass = {.u = u,
                        .rows = rows,
                        .watch = watch,
                        .first = first,
                        .blocks = blocks,
                        .block = block,
                        .offset = offset};
    ig_status status = make_room(&pass, pool, error);

    if (status == IG_OK)
        status = find_rows(&pass, pool, error);
    if (status == IG_OK)
        status = make_blocks(&pass, same, pool, error);
    ig_free(pass.scratch);
    ig_free(pass.reach);
    ig_free(pass.key);
    if (status != IG_OK)
        ig_units_free(u);
    return status;
}

void ig_units_group(const uint32_t *first, size_t blocks, size_t dims, size_t *group)
{
    size_t from = 0;

    for (size_t b = 0, number = 0; b < blocks; b++) {
        double bytes = (double)(first[b + 1] - first[from]) * (double)dims * 4;

        if (b > from && bytes > IG_SQUARE_BYTES / 2) {
            number++;
            from = b;
        }
        group[b] = number;
    }
}

/* --- distinct rows ---------------------------------------------------------------- */

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
