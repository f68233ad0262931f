/* A map of nearest neighbours: UMAP's objective [McInnes, Healy, Melville 2018] on
 * exact neighbours. Local distances are meaningful, distances between clusters are not.
 * Legend: n rows, k neighbours each. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/pool.h"
#include "core/progress.h"

enum { IG_NEIGHBOUR_MAP_K = 15 }; /* as umap-learn: a row and 14 others */

/* Epochs of a layout: fewer from an earlier one (`placed`). */
static inline size_t ig_neighbour_map_epochs(size_t n, bool placed)
{
    return placed ? 150 : n <= 10000 ? 350 : 200;
}

/* Lay out n rows in the plane.
 *   neighbour  in      (n, k) nearest rows of each, without itself, nearest first
 *   distance   in      (n, k) their 1 − cosine
 *   xy         in/out  (n, 2) initial positions (principal components, current map) and
 *                      results: centred, coordinates up to about 10
 *   placed     in      xy is of an earlier layout: keep its scale, move less
 *   watch      in      or NULL; counts epochs
 * IG_OK, IG_NOMEM or IG_INTERRUPTED (xy then has the positions reached). About 60·n·k
 * flops per epoch on the pool; bit-identical for any number of threads. */
ig_status ig_neighbour_map_fit(const uint32_t *neighbour, const float *distance,
                               size_t n, size_t k, float *xy, bool placed,
                               ig_pool *pool, ig_progress *watch, ig_error *error);

/* Islands of a layout: basins of the peaks of its density (a grid, smoothed). Two peaks
 * are of one island if the density between them is more than 0.7 of that at the lower
 * one. Islands of fewer than 1/80 of the rows are dropped, and all but the
 * IG_ISLANDS_MAX largest.
 *   xy      in   (n, 2)
 *   island  out  (n) by descending rows; IG_NO_ISLAND: none
 * Returns the number of islands; 0 also if memory is short. O(n). */
enum { IG_ISLANDS_MAX = 24, IG_NO_ISLAND = 0xff };
size_t ig_neighbour_map_islands(const float *xy, size_t n, uint8_t *island);
