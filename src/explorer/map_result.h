/* The map of the weights shown: exact PCA over all rows, or over a sample stratified by
 * language during training, rotated onto the map before. */
#ifndef EXPLORER_MAP_RESULT_H
#define EXPLORER_MAP_RESULT_H

#include "explorer/job.h"
#include "explorer/typed.h"
#include "view/projection.h"

/* What one map leaves to the next; zeroed: nothing. Used by its job. */
typedef struct ig_map_result {
    ig_typed_list typed; /* to be projected */
    unsigned long maps;
    ig_projection projection;
} ig_map_result;

/* A source of the map's rows in a space. */
ig_rows ig_map_rows(const ig_job *job, const ig_map *map, ig_space space,
                    ig_rows_pick *pick);

/* Replace the principal components of a map by its neighbour layout (map_layout.c),
 * starting from the layout `before`, if it is one, and find its islands. IG_OK,
 * IG_NOMEM or IG_INTERRUPTED. */
ig_status ig_map_layout_make(ig_map_result *state, ig_job *job, const ig_map *before,
                             ig_map *map);

#endif
