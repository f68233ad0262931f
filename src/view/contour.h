/* Isoglosses: the contours of groups on a map. Where languages overlap there are none,
 * so that they vanish during training. */
#pragma once

#include "core/error.h"
#include "view/scatter.h"

/* Zeroed: empty; kept from one map to the next. */
typedef struct ig_isoglosses {
    size_t count, room;
    ig_contour *piece;   /* (count) */
    double inside;       /* share of points within that of their group; NaN: none */
    uint64_t generation; /* of the map (ig_scatter); 0: of none */
} ig_isoglosses;

/* Find them, unless they are those of this generation of the map: the density of each
 * group is that of its shown points, smoothed by a Gaussian of 2% of the width of all;
 * its isogloss is where its share of the density of all is one half, within the region
 * of the 95% of the points where that is greatest. None on a scale or of the dim rest.
 * IG_OK or IG_NOMEM. O(points × series + 30,000 × groups). */
ig_status ig_isoglosses_find(ig_isoglosses *out, const ig_scatter *map,
                             ig_error *error);
void ig_isoglosses_free(ig_isoglosses *isoglosses);
