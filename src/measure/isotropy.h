/* Isotropy: whether variance is spread over all directions [struct §III.3], whether the
 * rows point one way [Ethayarajh 2019], and how much of their variance is that of
 * languages (METHODS.md). */
#ifndef MEASURE_ISOTROPY_H
#define MEASURE_ISOTROPY_H

#include "measure/measure_group.h"

/* Legend: u the rows scaled to length 1, n of them not 0; λ the eigenvalues of the
 * covariance of u; x the rows as they are, μ their mean, μ_l that of a language. A
 * zeroed struct may be freed. */
typedef struct ig_isotropy {
    double isoscore;    /* ((Σλ)²/Σλ² − 1)/(d − 1): 0 a line, 1 a ball; NaN */
    double mean_cosine; /* of two different rows: (|Σu|² − n)/(n(n − 1)); NaN */
    double language_share; /* Σ_l n_l |μ_l − μ|² / Σ |x − μ|²; NaN */
    double share_chance;   /* (K − 1)/(N − 1) of K languages */
    size_t rows, dims;
    double *eigenvalue; /* (dims) the spectrum, greatest first, as shares of their sum;
                           NULL where there is none */
    const char *reason; /* why isoscore is NaN ("the rows do not differ"), or NULL … */
    const char *no_cosine, *no_share; /* … and the others; static */
    struct ig_isotropy_item *item;    /* (rows) of an evaluation with intervals */
} ig_isotropy;

/* What a row adds to Σλ and, to first order, to Σλ²; its mean cosine with the others;
 * |x − μ_l|² and |x − μ|². */
typedef struct ig_isotropy_item {
    uint32_t row; /* of the source */
    float cosine, within, total;
} ig_isotropy_item;

/* Measure all rows of a source, without languages.
 *   watch     in   or NULL; its work is in flops, ig_isotropy_work in all
 *   isotropy  out  replaced; free it with ig_isotropy_free
 * IG_OK (also when a figure is NaN), IG_NOMEM, IG_VALUE (not finite) or IG_INTERRUPTED;
 * *isotropy is empty unless IG_OK. N·d² + 4/3·d³ flops. */
ig_status ig_isotropy_measure(ig_isotropy *isotropy, const ig_rows *rows, ig_pool *pool,
                              ig_progress *watch, ig_error *error);

/* The work of it. */
double ig_isotropy_work(size_t rows, size_t dims);

void ig_isotropy_free(ig_isotropy *isotropy);

extern const ig_measure_group ig_isotropy_group;

#endif
