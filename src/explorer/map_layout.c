/* The neighbour layout of a map: positions and islands. */
#include <math.h>
#include <string.h>

#include "explorer/map_result.h"
#include "measure/searcher.h"
#include "view/neighbour_map.h"

enum { NEAR = IG_NEIGHBOUR_MAP_K - 1 };

typedef struct layout {
    uint32_t *neighbour; /* (rows, near) points */
    float *distance;     /* (rows, near) */
    double *xy;          /* (rows, 2) */
    size_t near;
} layout;

/* Start from the positions of the layout before; a point that it lacks starts at the
 * mean of its nearest points, and without any in the middle. False: no such layout. */
static bool start_from(const ig_map *before, const ig_map *map, layout *l)
{
    size_t at = 0;

    if (!before || !before->layout)
        return false;
    for (size_t i = 0; i < map->rows; i++) {
        uint32_t row = map->row ? map->row[i] : (uint32_t)i;

        l->xy[2 * i] = l->xy[2 * i + 1] = NAN;
        while (before->row && at < before->rows && before->row[at] < row)
            at++;
        if (!before->row)
            at = row;
        if (at < before->rows && (!before->row || before->row[at] == row))
            for (size_t j = 0; j < 2; j++)
                l->xy[2 * i + j] = (double)before->xy[0][2 * at + j];
    }
    for (size_t i = 0; i < map->rows; i++) {
        double sum[2] = {0}, known = 0;

        for (size_t k = 0; k < l->near && isnan(l->xy[2 * i]); k++) {
            const double *near = l->xy + 2 * (size_t)l->neighbour[i * l->near + k];

            for (size_t j = 0; j < 2 && !isnan(near[0]); j++)
                sum[j] += near[j];
            known += !isnan(near[0]);
        }
        if (isnan(l->xy[2 * i]) && known > 0)
            for (size_t j = 0; j < 2; j++)
                l->xy[2 * i + j] = sum[j] / known;
    }
    for (size_t i = 0; i < 2 * map->rows; i++)
        if (isnan(l->xy[i]))
            l->xy[i] = 0;
    return true;
}

static void report_layout(void *context, double done)
{
    ig_map_result *m = context;

    ig_work_progress(m->work, fmin(1, m->done + done * m->each));
}

/* Replace the principal components of a map by its neighbour layout. */
static ig_status fit_layout(ig_map_result *m, const ig_map *before, ig_map *map,
                            layout *l, ig_error *error)
{
    ig_rows_pick pick;
    ig_rows rows = ig_map_result_rows(m, map, map->of[0], &pick);
    bool placed;
    ig_progress search = {.stop = m->work->cancel, .tick = report_layout, .context = m};
    ig_progress fit = search;
    /* Seconds of the search and of the layout, about: 2·n²·d flops, 0.25 µs a row and
       epoch. */
    double n = (double)map->rows, searching = 2 * n * n * (double)rows.dims / 4e10;
    double laying = n * 200 * 2.5e-7;
    ig_status status;

    m->done = 0;
    m->each = searching / (searching + laying) / n;
    ig_work_progress(m->work, 0.001); /* not that of the layout before */
    status = ig_searcher_nearest(&rows, m->work->pool, l->near, &search, l->neighbour,
                                 l->distance, error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < 2 * map->rows; i++)
        l->xy[i] = (double)map->xy[0][i];
    placed = start_from(before, map, l);
    m->done = m->each * n;
    m->each = (1 - m->done) / (double)ig_neighbour_map_epochs(map->rows, placed);
    status = ig_neighbour_map_fit(l->neighbour, l->distance, map->rows, l->near, l->xy,
                                  placed, m->work->pool, &fit, error);
    for (size_t i = 0; i < 2 * map->rows && status == IG_OK; i++)
        map->xy[0][i] = (float)l->xy[i];
    return status;
}

static ig_status lay_out_typed(ig_map_result *m, ig_map *map, ig_error *error)
{
    ig_rows_pick pick;
    ig_rows rows = ig_map_result_rows(m, map, map->of[0], &pick), vector;
    ig_searcher *searcher = NULL;
    ig_typed_rows context;
    ig_status status = map->typed_sentences
                           ? ig_searcher_new(&searcher, &rows, NULL, NULL, 1,
                                             m->work->pool, m->work->cancel, error)
                           : IG_OK;

    for (size_t i = 0; i < map->typed_sentences && status == IG_OK; i++) {
        ig_scored best;
        size_t found;

        ig_typed_list_rows(&m->typed_sentences, i, 1, m->shown, map->of[0], &context,
                           &vector);
        status = ig_searcher_find(searcher, &vector, NULL, NULL, NULL, 1,
                                  &(ig_progress){.stop = m->work->cancel}, &best,
                                  &found, error);
        if (status == IG_OK && found)
            memcpy(map->typed_sentence[i].xy[0], map->xy[0] + 2 * (size_t)best.row,
                   sizeof map->typed_sentence[i].xy[0]);
    }
    ig_searcher_delete(searcher);
    return status;
}

ig_status ig_map_layout_make(ig_map_result *m, const ig_map *before, ig_map *map,
                             ig_error *error)
{
    size_t n = map->rows;
    layout l = {.near = n < 2 ? 0 : n - 1 < NEAR ? n - 1 : NEAR};
    ig_status status = IG_OK;

    if (l.near == 0)
        return IG_OK;
    l.neighbour = ig_alloc(n, l.near * sizeof *l.neighbour);
    l.distance = ig_alloc(n, l.near * sizeof *l.distance);
    l.xy = ig_alloc(n, 2 * sizeof *l.xy);
    if (!l.neighbour || !l.distance || !l.xy)
        status = ig_fail_memory(error, "the neighbour layout");
    if (status == IG_OK)
        status = fit_layout(m, before, map, &l, error);
    if (status == IG_OK)
        status = lay_out_typed(m, map, error);
    if (status == IG_OK && !(map->island = ig_alloc(n, 1)))
        status = ig_fail_memory(error, "the islands");
    if (status == IG_OK)
        map->islands = ig_neighbour_map_islands(map->xy[0], n, map->island);
    IG_FREE(l.neighbour, l.distance, l.xy);
    return status;
}
