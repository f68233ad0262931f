/* Isotropy: whether variance is spread over all directions [struct §III.3]
 * (methods.md §5). */
#ifndef ISOGLOSS_MEASURE_ISOTROPY_H
#define ISOGLOSS_MEASURE_ISOTROPY_H

#include "isogloss/base/error.h"
#include "isogloss/base/pool.h"
#include "isogloss/base/watch.h"
#include "isogloss/linear/rows.h"

/* A zeroed struct may be freed. */
typedef struct ig_isotropy {
    double isoscore; /* ((Σλ)²/Σλ² − 1)/(d − 1), λ the eigenvalues of the covariance of
                        the rows scaled to length 1: 0 a line, 1 a ball; NaN */
    size_t rows, dims;
    double *eigenvalue; /* (dims) the spectrum, greatest first, as shares of their sum;
                           NULL where there is none */
    const char *reason; /* why it is NaN, or NULL; static */
} ig_isotropy;

/* Measure all rows of a source. IG_OK, IG_NOMEM, IG_VALUE (not finite) or
 * IG_INTERRUPTED. 2·N·d² + 10·d³ flops. */
ig_status ig_isotropy_measure(ig_isotropy *isotropy, const ig_rows *rows, ig_pool *pool,
                              ig_watch *watch, ig_error *error);

void ig_isotropy_free(ig_isotropy *isotropy);

#endif
