/* The probe with one hidden layer: how well a nonlinear classifier predicts the
 * language from a space (METHODS.md). It detects what a linear probe cannot: languages
 * with equal means but different covariance. Rows are whitened first, so that
 * directions of small variance count. */
#ifndef MEASURE_HIDDEN_PROBE_H
#define MEASURE_HIDDEN_PROBE_H

#include "measure/measure_group.h"

/* A zeroed struct may be freed. */
typedef struct ig_hidden_probe {
    double accuracy; /* accuracy on the tested rows; NaN */
    double majority; /* share of the language with most rows among the tested ones */
    size_t fitted, tested; /* rows */
    const char *reason;    /* why figures are NaN, or NULL; static */
    ig_item_values items;  /* (tested) 1 where the language is read, else 0; none when
                              there is a reason */
} ig_hidden_probe;

/* Fit on some rows of a source and test on others.
 *   lang       in   (N) < languages
 *   fit, test  in   (fits), (tests) rows, ascending; of more than 65,536 rows to fit
 *                   on as many are taken, evenly
 *   seed       in   of the first weights and the batches
 *   watch      in   or NULL; its work is in flops
 * IG_OK (also when figures are NaN), IG_NOMEM, IG_VALUE (not finite) or IG_INTERRUPTED;
 * *probe is filled only with IG_OK; free it with ig_hidden_probe_free. */
ig_status ig_hidden_probe_measure(ig_hidden_probe *probe, const ig_rows *rows,
                                  const uint16_t *lang, size_t languages,
                                  const uint32_t *fit, size_t fits,
                                  const uint32_t *test, size_t tests, uint64_t seed,
                                  ig_pool *pool, ig_progress *watch, ig_error *error);

void ig_hidden_probe_free(ig_hidden_probe *probe);

extern const ig_measure_group ig_hidden_probe_group;

#endif
