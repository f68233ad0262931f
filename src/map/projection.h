/* A map: principal components fitted to the rows of some spaces together, and the
 * coordinates of rows on them. Axes of another meaning may be laid through the rows
 * (map/map_axis.h): they come first, and the components are then those of what is
 * orthogonal to them.
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

enum { IG_LAID_MAX = 2 }; /* axes laid through a map */

/* A zeroed struct is an empty map, and may be freed; what is in it may be used for one
 * map after another, which then allocate little. */
typedef struct ig_projection {
    ig_pca pca;   /* the last fit; its shares and total are of all variance, that
                         along laid axes counted */
    size_t laid;  /* axes laid, numbered before the components */
    double *line; /* (IG_LAID_MAX, d) of length 1 each, as they were laid */
    double offset[IG_LAID_MAX]; /* coordinate = <row, line> − offset */
    double share[IG_LAID_MAX];  /* of the total variance along each */
    size_t zero_rows;           /* rows of length 0 it saw; not known of images: 0 */
    ig_watch *watch; /* told of rows as they are summed and placed, its `stop` is not
                        used; or NULL */

    /* private */
    ig_moments originals; /* of the rows `of`, which must not change … */
    const ig_rows *of;
    ig_moments image, all; /* of one space, and of all */
    double *basis;         /* (IG_LAID_MAX, d) orthonormal, of the lines */
    size_t based, lines_dims;
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

/* The same in three steps, for who lays axes in between: the moments of the rows (axes
 * of another map are forgotten), … */
ig_status ig_projection_sum(ig_projection *map, const ig_map_source *space,
                            size_t spaces, bool unit, ig_pool *pool,
                            const atomic_bool *stop, ig_error *error);

/* … axes, at most IG_LAID_MAX: `line` (d) of length 1; IG_OK or IG_NOMEM; O(d²), … */
ig_status ig_projection_lay(ig_projection *map, const double *line, double offset,
                            ig_error *error);

/* … and k components, orthogonal to all of them (one that is left over where nothing
 * is orthogonal is zero). IG_OK, IG_VALUE or IG_NOMEM. O(d³). */
ig_status ig_projection_solve(ig_projection *map, size_t k, ig_error *error);

/* The share of the total variance along an axis: laid ones first, then components. */
double ig_projection_share(const ig_projection *map, size_t axis);

/* to := two axes of the last fit of `from` alone, with which rows can be placed after
 * that is used for another map. IG_OK or IG_NOMEM. O(d). */
ig_status ig_projection_keep(ig_projection *to, const ig_projection *from,
                             const size_t axis[2], ig_error *error);

/* Coordinates of the rows of spaces on some axes of the last fit.
 *   axis    in   (axes) which: laid ones first, then components; NULL: the first ones
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
