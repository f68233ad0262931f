/* Isotropy: whether variance is spread over all directions [struct §III.3]
 * (METHODS.md). */
#ifndef MEASURE_ISOTROPY_H
#define MEASURE_ISOTROPY_H

#include "measure/family.h"

/* A zeroed struct may be freed. */
typedef struct ig_isotropy {
    double isoscore; /* ((Σλ)²/Σλ² − 1)/(d − 1), λ the eigenvalues of the covariance of
                        the rows scaled to length 1: 0 a line, 1 a ball; NaN */
    size_t rows, dims;
    double *eigenvalue; /* (dims) the spectrum, greatest first, as shares of their sum;
                           NULL where there is none */
    const char *reason; /* why it is NaN ("the rows do not differ"), or NULL; static */
    ig_item_values items; /* (rows, 2) of an evaluation with intervals, else none: what
                             a row adds to Σλ and, to first order, to Σλ² */
} ig_isotropy;

/* Measure all rows of a source.
 *   watch     in   or NULL; its work is in flops, ig_isotropy_work in all
 *   isotropy  out  replaced; free it with ig_isotropy_free
 * IG_OK (also when the score is NaN), IG_NOMEM, IG_VALUE (not finite) or
 * IG_INTERRUPTED; *isotropy is empty unless IG_OK. N·d² + 4/3·d³ flops. */
ig_status ig_isotropy_measure(ig_isotropy *isotropy, const ig_rows *rows, ig_pool *pool,
                              ig_watch *watch, ig_error *error);

/* The work of it. */
double ig_isotropy_work(size_t rows, size_t dims);

void ig_isotropy_free(ig_isotropy *isotropy);

extern const ig_family ig_isotropy_family;

#endif
