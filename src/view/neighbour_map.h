/* A map of nearest neighbours: UMAP's objective [McInnes, Healy, Melville 2018] on
 * exact neighbours. Local distances are meaningful, distances between clusters are not.
 * Legend: n rows, k neighbours each. */
#ifndef VIEW_NEIGHBOUR_MAP_H
#define VIEW_NEIGHBOUR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/pool.h"
#include "core/progress.h"

enum { IG_NEIGHBOUR_MAP_K = 15 }; /* as umap-learn: a row and 14 others */

typedef struct ig_neighbour_map_options {
    size_t epochs; /* 0: 500 up to 10,000 rows, else 200 */
    float rate;    /* initial learning rate, falling to 0; 0: 1 */
    uint64_t seed;
} ig_neighbour_map_options;

/* Lay out n rows in the plane.
 *   neighbour  in      (n, k) nearest rows of each, without itself, nearest first
 *   distance   in      (n, k) their 1 − cosine
 *   xy         in/out  (n, 2) initial positions (principal components, current map) and
 *                      results: centred, coordinates up to about 10
 *   watch      in      or NULL; counts epochs
 * IG_OK, IG_NOMEM or IG_INTERRUPTED (xy then has the positions reached). About 60·n·k
 * flops per epoch on the pool; bit-identical for any number of threads. */
ig_status ig_neighbour_map_fit(const uint32_t *neighbour, const float *distance,
                               size_t n, size_t k, double *xy,
                               ig_neighbour_map_options options, ig_pool *pool,
                               ig_progress *watch, ig_error *error);

#endif
