/* Orthogonal Procrustes: turn a new frame of the map onto the previous one, so that
 * points glide and never flip. Legend: n points, k coordinates. */
#ifndef MAP_PROCRUSTES_H
#define MAP_PROCRUSTES_H

#include "base/error.h"

enum { IG_PROCRUSTES_MAX = 16 }; /* the largest k */

/* The orthogonal Q (k, k), a rotation or a reflection, that minimises
 * Σ |(from_i − mean from) Q − (to_i − mean to)|².
 *   from, to  in   (n, k), from_stride and to_stride floats apart
 *   q         out  (k, k) row-major
 * Where several Q are equally good (coinciding points, points on a line) the one
 * nearest to the identity; the identity when nothing is known (n = 0, all points equal,
 * values not finite). IG_OK, IG_SHAPE (k) or IG_NOMEM. O(n·k²). */
ig_status ig_procrustes_fit(const float *from, size_t from_stride, const float *to,
                            size_t to_stride, size_t n, size_t k, double *q,
                            ig_error *error);

/* Turn n points in place about the origin: row := row Q. */
void ig_procrustes_apply(const double *q, size_t k, float *points, size_t stride,
                         size_t n);

#endif
