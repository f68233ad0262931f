/* Closed forms: extractors that are fitted at once to training rows, without descent
 * (the table of learn/kinds.c). Everything is summed and solved in double. Legend: n
 * training rows, d dims, K languages, μ_l the mean of language l, μ of all n rows. */
#ifndef LEARN_CLOSED_H
#define LEARN_CLOSED_H

#include "base/pool.h"
#include "learn/extractor.h"

/* What a closed form is fitted to. */
typedef struct ig_fit_data {
    const ig_rows *rows;
    const uint16_t *lang; /* (rows) */
    size_t languages;     /* K */
    const uint8_t *train; /* (rows) 1: fitted on; NULL: all are */
    /* Pairs of a row with one of the pivot's, for `procrustes`. */
    const uint32_t *left, *pivot_row; /* (pairs) */
    size_t pairs;
    size_t pivot;   /* the language of the pivot's rows */
    size_t k;       /* the form's k=N; 0: its own default */
    bool normalize; /* rows are scaled to unit length first */
    ig_pool *pool;
    bool (*between)(void *context); /* asked between steps: true breaks off; or NULL */
    void *context;
} ig_fit_data;

/* Fit an extractor of a closed form, laid out for these rows; `identity` is left as it
 * is.
 *   untrained  out  languages without training rows
 * IG_OK, IG_VALUE (too few rows, languages or pairs, a k that cannot be), IG_NOMEM or
 * IG_INTERRUPTED. The weights are the old ones or in part new on failure. About N·d²
 * flops for a covariance in double, and some d³. */
ig_status ig_closed_fit(ig_extractor *extractor, const ig_fit_data *data,
                        size_t *untrained, ig_error *error);

#endif
