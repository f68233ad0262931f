/* A map: principal components fitted to the rows of several spaces together, and
 * coordinates on them. Custom axes (view/map_axis.h) precede the components, which are
 * then fitted to the orthogonal complement of the axes.
 *
 * A space that is a linear image of other rows is processed through these: their
 * moments are computed once, those of the image follow in O(d³) independent of N, and
 * coordinates are linear functions of the originals, e·(Wᵀp) + b·p. Where all spaces
 * have fewer rows than dims, all rows are read and their products (N, N) take the place
 * of the covariance. Legend: N rows, d dims, k components. */
#pragma once

#include "core/memory.h"
#include "core/moments.h"
#include "core/rows.h"

/* --- principal components ---
 *
 * Exact over all rows: fitted to moments (core/moments.h); a joint map is fitted to
 * merged moments. Sign rule: the largest absolute loading of each component is
 * positive. */

/* A zeroed struct may be freed. */
typedef struct ig_pca {
    size_t dims;       /* d */
    size_t k;          /* components */
    double *component; /* (k, d) orthonormal rows, by descending variance */
    double *variance;  /* (k) along each component, divisor N−1 as numpy.cov */
    double *ratio;     /* (k) share of the total variance; 0 if that is 0 */
    ig_arena memory;
} ig_pca;

void ig_pca_free(ig_pca *pca);

/* --- projection ------------------------------------------------------------------- */

/* The source of a space's rows. */
typedef struct ig_map_source {
    ig_rows rows;   /* (N, d) read if there is no image */
    ig_image image; /* linear image of other rows; `of` NULL: none */
} ig_map_source;

/* The rows of several spaces of as many rows, one space after the other, for a layout
 * of all. `space` must outlive them. */
ig_rows ig_map_source_join(ig_map_source *space, size_t spaces);

enum { IG_CUSTOM_AXES_MAX = 2 }; /* maximum number of custom axes */

/* A zeroed struct is an empty map and may be freed; reuse avoids most allocations. */
typedef struct ig_projection {
    ig_pca pca;    /* last fit; ratio: of all variance, also of custom axes */
    size_t custom; /* number of custom axes, numbered before the components */
    double *line;  /* (IG_CUSTOM_AXES_MAX, d) unit vectors of the custom axes */
    double offset[IG_CUSTOM_AXES_MAX]; /* coordinate = <row, line> − offset */
    double share[IG_CUSTOM_AXES_MAX];  /* share of the total variance */
    ig_progress *watch; /* counts rows summed and mapped, or NULL; not its `stop` */
    ig_moments all; /* of all spaces; of fewer rows than d without the scatter … */

    /* private */
    double *centred; /* … but with (rows, d) the rows off their mean; else NULL */
    ig_moments originals; /* of the rows `of`, which must not change … */
    const ig_rows *of;
} ig_projection;

/* Fit k components to the rows of all spaces together, which have the same d.
 *   unit   in  normalise each row first; images are then read row by row
 *   stop   in  or NULL
 * IG_OK, IG_VALUE (k is 0 or above d, no rows, not finite), IG_SHAPE, IG_NOMEM or
 * IG_INTERRUPTED. N·d² flops for each space that is read and once for the originals of
 * images, O(d³) for each image and for the components; O(N²·d) where N < d. */
ig_status ig_projection_fit(ig_projection *map, const ig_map_source *space,
                            size_t spaces, size_t k, bool unit, ig_pool *pool,
                            const atomic_bool *stop, ig_error *error);

/* The same in three steps, to add custom axes in between: sum the moments of the rows
 * (which resets the axes), … */
ig_status ig_projection_sum(ig_projection *map, const ig_map_source *space,
                            size_t spaces, bool unit, ig_pool *pool,
                            const atomic_bool *stop, ig_error *error);

/* … add up to IG_CUSTOM_AXES_MAX axes: `line` (d) of length 1; IG_OK or IG_NOMEM;
 * O(d²), … */
ig_status ig_projection_add(ig_projection *map, const double *line, double offset,
                            ig_error *error);

/* (with w := (S/N + λ tr(S/N)/d · I)⁻¹ w, w (d), of their scatter S for a probe; as
 * ig_ridge) */
ig_status ig_projection_ridge(const ig_projection *map, double lambda, double *w,
                              ig_error *error);

/* … and fit k components orthogonal to all axes (zero vectors where the complement
 * or the variance of fewer rows than d is exhausted). IG_OK, IG_VALUE or IG_NOMEM.
 * O(d³). */
ig_status ig_projection_solve(ig_projection *map, size_t k, ig_error *error);

/* Add `share` of each of n rows, list[0 … n) or all (NULL), scaled to length 1 first if
 * `unit`, to mean (d), and copy them to x (n, d), or NULL. IG_OK, IG_NOMEM or
 * IG_INTERRUPTED. */
ig_status ig_rows_sum(const ig_rows *rows, const uint32_t *list, size_t n, bool unit,
                      double share, double *mean, double *x, ig_pool *pool,
                      const atomic_bool *stop, ig_progress *watch, ig_error *error);

double ig_dot_double(const double *a, const double *b, size_t n);

/* Share of the total variance along an axis: custom axes first, then components. */
double ig_projection_share(const ig_projection *map, size_t axis);

/* Coordinates of the rows of spaces on some axes of the last fit.
 *   axis    in   (axes) custom axes first, then components; NULL: the first ones
 *   unit    in   as fitted
 *   out     out  (spaces) each (N, axes), `stride` floats between rows
 * IG_OK, IG_SHAPE, IG_NOMEM or IG_INTERRUPTED. 2·N·d·axes flops and one pass over the
 * rows for each space; images of the same rows share one pass. */
ig_status ig_projection_place(const ig_projection *map, const ig_map_source *space,
                              size_t spaces, const size_t *axis, size_t axes, bool unit,
                              ig_pool *pool, const atomic_bool *stop, float *const *out,
                              size_t stride, ig_error *error);

void ig_projection_free(ig_projection *map);

/* The rotation or reflection q (2, 2), row := row q, that fits points best to others,
 * of their cross products c (2, 2), if these are not 0; rotate n points so. */
void ig_procrustes_solve(const double c[4], double q[4]);
void ig_points_rotate(const double q[4], float *xy, size_t n);
