/* Rows that follow from others by a linear map, as the meanings of a linear extractor
 * follow from the originals: W e + b, or e − (W e + b) when `residual`. Whoever knows
 * it can work with the others alone (their covariance, their products) and compute no
 * row. Nothing is owned. Legend: e a row of d dims. */
#ifndef LINEAR_IMAGE_H
#define LINEAR_IMAGE_H

#include <stdbool.h>

#include "linear/rows.h"

typedef struct ig_image {
    const ig_rows *of; /* (N, d) the rows e; NULL: there is no such map */
    ig_matrix w;       /* (m, d); m = d when `residual` */
    const float *b;    /* (m), or NULL for 0 */
    bool residual;
} ig_image;

#endif
