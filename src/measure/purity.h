/* Purity: how much of a row's neighbourhood has its own language (METHODS.md). */
#ifndef MEASURE_PURITY_H
#define MEASURE_PURITY_H

#include "measure/family.h"

enum { IG_PURITY_NEAR = 10 };

typedef struct ig_purity {
    double
        purity; /* mean share of a row's 10 nearest rows by cosine, over all languages,
                      that have its own language; fewer rows: of those there are; NaN
                      below two rows. Ties: the lower row */
    double expected; /* the same for neighbours drawn at random */
    size_t rows;
    const char *reason; /* why it is NaN, or NULL; static */
} ig_purity;

/* Measure all rows of a source. lang (N) < languages. IG_OK, IG_NOMEM or
 * IG_INTERRUPTED; *purity is filled only with IG_OK. N²·d flops (each product serves
 * both rows), which the watch counts; memory for the rows and a few tiles. */
ig_status ig_purity_measure(ig_purity *purity, const ig_rows *rows,
                            const uint16_t *lang, size_t languages, ig_pool *pool,
                            ig_watch *watch, ig_error *error);

extern const ig_family ig_purity_family;

#endif
