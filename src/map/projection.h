/* A map: principal components fitted to the rows of some spaces together, and the
 * coordinates of rows on them.
 *
 * A space that is a linear image of other rows is fitted and placed through these:
 * their moments are formed once, those of the image follow at O(d³) whatever N is, and
 * its coordinates are linear functions of the originals, e·(Wᵀp) + b·p. Legend: N rows,
 * d dims, k components. */
#ifndef MAP_PROJECTION_H
#define MAP_PROJECTION_H

#include "linear/image.h"
#include "map/pca.h"

/* A space of a map: where its rows come from. */
typedef struct ig_map_source {
    ig_rows rows;   /* (N, d) what is read where there is no image */
    ig_image image; /* how they follow from other rows; its `of` NULL: they are read */
} ig_map_source;

/* A zeroed struct is an empty map, and may be freed; what is in it may be used for one
 * map after another, which then allocate little. */
typedef struct ig_projection {
    ig_pca pca;       /* the last fit */
    size_t zero_rows; /* rows of length 0 it saw; not known of images: 0 */

    /* private */
    ig_moments originals; /* of the rows `of`, which must not change */
    const ig_rows *of;
    ig_moments image, all; /* of one space, and of all */
} ig_projection;

/* Fit k components to the rows of all spaces together, which have one d.
 *   unit   in  scale each row to length 1 first; images are then read like others
 *   stop   in  or NULL
 * IG_OK, IG_VALUE (k is 0 or above d, no rows, not finite), IG_SHAPE, IG_NOMEM or
 * IG_INTERRUPTED. N·d² flops for each space that is read and once for the originals of
 * images, O(d³) for each image and for the components. */
ig_status ig_projection_fit(ig_projection *map, const ig_map_source *space,
                            size_t spaces, size_t k, bool unit, ig_pool *pool,
                            const atomic_bool *stop, ig_error *error);

/* Coordinates of the rows of spaces on some components of the last fit.
 *   axis    in   (axes) which components, < k; NULL: the first ones
 *   unit    in   as it was fitted
 *   out     out  (spaces) each (N, axes), `stride` floats from row to row
 * IG_OK, IG_SHAPE, IG_NOMEM or IG_INTERRUPTED. 2·N·d·axes flops and one pass over the
 * rows for each space; images of the same rows share one pass. */
ig_status ig_projection_place(const ig_projection *map, const ig_map_source *space,
                              size_t spaces, const size_t *axis, size_t axes, bool unit,
                              ig_pool *pool, const atomic_bool *stop, float *const *out,
                              size_t stride, ig_error *error);

void ig_projection_free(ig_projection *map);

#endif
