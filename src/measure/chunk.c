/* Rows of a source in order, some at a time. */
#include "measure/chunk.h"

ig_chunk ig_chunk_of(const ig_rows *rows, const uint32_t *list, size_t n, ig_pool *pool,
                     ig_progress *watch, ig_arena *arena)
{
    size_t most = rows->dims * IG_CHUNK > IG_CHUNK_VALUES ? IG_ROWS_TILE : IG_CHUNK;
    size_t each = n < most ? n : most, threads = ig_pool_threads(pool);

    return (ig_chunk){
        .rows = rows,
        .list = list,
        .n = n,
        .d = rows->dims,
        .each = each,
        .row = ig_arena_array(arena, each, rows->dims * sizeof(float)),
        .pool = pool,
        .watch = watch,
        .scratch = ig_arena_array(arena, threads, rows->scratch * sizeof(float))};
}

void ig_chunk_read(const ig_chunk *c, size_t first, size_t count, float *out)
{
    ig_rows_share(c->rows, c->list ? c->list + first : NULL, first, count, c->pool, out,
                  c->scratch, c->rows->scratch);
}

bool ig_chunk_next(ig_chunk *c)
{
    size_t left;

    c->first += c->count;
    left = c->n - c->first;
    c->count = left < c->each ? left : c->each;
    ig_progress_add(c->watch, 0, 0);
    if (!c->count || ig_progress_cancelled(c->watch)) {
        c->first = c->count = 0;
        return false;
    }
    ig_chunk_read(c, c->first, c->count, c->row);
    return true;
}

ig_status ig_chunk_status(const ig_arena *arena, const ig_progress *watch,
                          const char *what, ig_error *error)
{
    if (arena->failed)
        return ig_fail_memory(error, what);
    return ig_progress_cancelled(watch) ? ig_fail(error, IG_INTERRUPTED, "interrupted")
                                        : IG_OK;
}
