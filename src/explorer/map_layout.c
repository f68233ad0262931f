/* The neighbour layout of a map: positions and islands. */
#include "explorer/session.h"

#include <string.h>

#include "measure/searcher.h"
#include "view/neighbour_map.h"

/* The typed sentences stand where their nearest rows do. */
static ig_status place_typed(const ig_map_result *m, ig_job *job, ig_map *map,
                             const ig_rows *rows)
{
    ig_progress watch = {.stop = &job->cancel};
    ig_searcher *searcher = NULL;
    ig_status status = map->typed_sentences
                           ? ig_searcher_new(&searcher, rows, NULL, NULL, 1,
                                             job->work->pool, &job->cancel, &job->error)
                           : IG_OK;

    for (size_t i = 0; i < map->typed_sentences && status == IG_OK; i++) {
        float *xy = map->typed_sentence[i].xy[0];
        ig_typed_rows context;
        ig_rows vector;
        ig_scored best;
        size_t found;

        ig_typed_row(&m->typed.typed_sentence[i], job->shown, map->of[0], &context,
                     &vector);
        status = ig_searcher_find(searcher, &vector, NULL, NULL, NULL, 1, &watch, &best,
                                  &found, &job->error);
        if (status == IG_OK && found)
            memcpy(xy, map->xy[0] + 2 * (size_t)best.row, 2 * sizeof *xy);
    }
    ig_searcher_delete(searcher);
    return status;
}

ig_status ig_map_layout_make(const ig_map_result *m, ig_job *job, const ig_map *before,
                             ig_map *map)
{
    enum { NEAR = IG_NEIGHBOUR_MAP_K - 1 };
    size_t n = map->rows, near = n <= NEAR ? n - 1 : NEAR;
    bool placed = before && before->layout && before->rows == n;
    const float *start = placed ? before->xy[0] : map->xy[0];
    ig_rows_pick pick;
    ig_rows rows = ig_map_rows(job, map, map->of[0], &pick);
    /* Seconds of the search and of the layout, about: 2·n²·d flops, 0.25 µs a row and
     * epoch. */
    double searching = 2 * (double)n * (double)rows.dims / 4e10, laying = 200 * 2.5e-7;
    double part = searching / (searching + laying);
    ig_job_part progress = {.job = job, .each = part / (double)n};
    ig_progress watch = {
        .stop = &job->cancel, .tick = ig_job_tick, .context = &progress};
    ig_progress fit = watch;
    ig_arena arena = {0};
    uint32_t *neighbour = ig_arena_array(&arena, n * near, sizeof *neighbour);
    float *distance = ig_arena_array(&arena, n * near, sizeof *distance);
    double *xy = ig_arena_array(&arena, 2 * n, sizeof *xy);
    ig_status status = IG_OK;

    map->island = ig_arena_array(&map->arena, n, 1);
    if (near == 0 || arena.failed || map->arena.failed) {
        ig_arena_free(&arena);
        return near ? ig_fail_memory(&job->error, "the neighbour layout") : IG_OK;
    }
    ig_job_progress(job, 0.001); /* not that of the layout before */
    status = ig_searcher_nearest(&rows, job->work->pool, near, &watch, neighbour,
                                 distance, &job->error);
    for (size_t i = 0; i < 2 * n; i++)
        xy[i] = (double)start[i];
    progress.done = part;
    progress.each = (1 - part) / (double)ig_neighbour_map_epochs(n, placed);
    if (status == IG_OK)
        status = ig_neighbour_map_fit(neighbour, distance, n, near, xy, placed,
                                      job->work->pool, &fit, &job->error);
    for (size_t i = 0; i < 2 * n && status == IG_OK; i++)
        map->xy[0][i] = (float)xy[i];
    if (status == IG_OK)
        status = place_typed(m, job, map, &rows);
    if (status == IG_OK)
        map->islands = ig_neighbour_map_islands(map->xy[0], n, map->island);
    ig_arena_free(&arena);
    return status;
}
