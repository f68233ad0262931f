/* Linear centred kernel alignment (CKA): how alike two representations of the same
 * sentences are, up to rotation and scale (METHODS.md). Between languages, whose rows
 * pairs match, and between a space and others of the same rows: the spaces of an
 * extractor, the space of another run. */
#ifndef MEASURE_CKA_H
#define MEASURE_CKA_H

#include "measure/measure_group.h"

/* Of two representations A (n, p) and B (n, q) with centred columns. */
typedef struct ig_cka_value {
    double cka; /* |AᵀB|² / (|AᵀA| |BᵀB|), Frobenius norms [Kornblith et al. 2019];
                   NaN: one is constant */
    double debiased; /* by the unbiased estimator of HSIC [Nguyen, Raghu, Kornblith
                        2021]; NaN: n < 4, or no more variation than chance */
} ig_cka_value;

/* Row a_row[i] of `a` is paired with row b_row[i] of `b` (NULL: row i), i < n. Rows are
 * taken as they are, not scaled; dims may differ.
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. 6·n·d² flops, on the pool; O(d²) memory. */
ig_status ig_cka_measure(ig_cka_value *value, const ig_rows *a, const uint32_t *a_row,
                         const ig_rows *b, const uint32_t *b_row, size_t n,
                         ig_pool *pool, ig_progress *watch, ig_error *error);

/* Two languages, or two representations. */
typedef struct ig_cka_pair {
    uint16_t lang[2];    /* the lower first */
    const char *measure; /* of representations */
    size_t n;            /* rows that are paired … */
    size_t first;        /* … and their first item */
    ig_cka_value value;
} ig_cka_pair;

/* What two rows that are paired add, to first order, to HSIC of A with B, of A and of B
 * with itself, debiased. */
typedef struct ig_cka_item {
    uint32_t row; /* of the source */
    double part[3];
} ig_cka_item;

/* A zeroed struct may be freed. */
typedef struct ig_cka {
    ig_cka_value mean; /* over the pairs of languages that have a value */
    size_t pairs;
    ig_cka_pair *pair;  /* (pairs) by lang, or in the order of the table of measures */
    ig_cka_item *item;  /* of an evaluation with intervals, or NULL */
    const char *reason; /* why there are no figures, or NULL; static */
} ig_cka, ig_space_cka;

extern const ig_measure_group ig_cka_group;
extern const ig_measure_group ig_space_cka_group;

#endif
