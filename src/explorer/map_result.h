/* The map of the weights shown: exact PCA over all rows, or over a sample during
 * training. */
#ifndef WORKER_MAP_PRODUCT_H
#define WORKER_MAP_PRODUCT_H

#include "core/progress.h"
#include "explorer/results.h"
#include "explorer/shown.h"
#include "explorer/typed.h"
#include "view/projection.h"

/* Zeroed except `work` and `shown`: no map yet. */
typedef struct ig_map_result {
    const ig_work *work;
    ig_shown *shown;               /* held: the weights */
    ig_typed_list typed_sentences; /* typed sentences to project */

    /* Private. */
    unsigned long maps;
    ig_projection projection;
    uint32_t *sample;  /* (N) rows in random order, computed once */
    double to_do;      /* rows to sum and to project, for the progress of a long map */
    double done, each; /* of a layout: part done before this step, part of a unit */
} ig_map_result;

/* Compute the map of the request, of a sample stratified by language if all rows would
 * take longer than a frame. It is rotated onto the previous map, or
 * onto `like` if that is given and the previous one, `before`, is of another run or
 * NULL.
 *   exact  in/out  in: use all rows, whatever it costs; out: all rows were used
 *   map    out     for ig_map_free
 * IG_OK, IG_INTERRUPTED, or an error. */
ig_status ig_map_result_make(ig_map_result *state, const ig_map *before,
                             const ig_map *like, bool *exact, ig_map **map,
                             ig_error *error);

/* A source of the map's rows in a space. */
ig_rows ig_map_result_rows(ig_map_result *state, const ig_map *map, ig_space space,
                           ig_rows_pick *pick);

/* Replace the principal components of a map by its neighbour layout (map_layout.c),
 * starting from the layout `before`, if it is one, and find its islands. IG_OK,
 * IG_NOMEM or IG_INTERRUPTED. */
ig_status ig_map_layout_make(ig_map_result *state, const ig_map *before, ig_map *map,
                             ig_error *error);

void ig_map_result_free(ig_map_result *state);

#endif
