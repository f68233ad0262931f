/* The evaluation: every measure of methods.md §5 of one space, by one call, so that the
 * command, the explorer and the report show the same numbers. */
#ifndef MEASURE_EVALUATION_H
#define MEASURE_EVALUATION_H

#include "measure/geometry.h"
#include "measure/isotropy.h"
#include "measure/probe.h"
#include "measure/purity.h"
#include "measure/retrieval.h"
#include "measure/similarity.h"

/* Which measures to take. */
enum {
    IG_MEASURE_GEOMETRY = 1,
    IG_MEASURE_RETRIEVAL = 2,
    IG_MEASURE_ISOTROPY = 4,
    IG_MEASURE_PROBE = 8,
    IG_MEASURE_PURITY = 16,
    IG_MEASURE_SIMILARITY = 32,
    IG_MEASURE_ALL = 63
};

/* What is measured: some rows of a set, and pairs among them. Nothing is owned. */
typedef struct ig_subject {
    unsigned measures;   /* IG_MEASURE_… */
    const uint32_t *row; /* (rows) those of isotropy, probe and purity, ascending; NULL:
                            all of the source */
    size_t rows;
    const uint32_t *id;       /* (N) of the source's rows, or NULL: even and odd ones
                                 are what the probe is fitted and tested on */
    ig_retrieval_pairs pairs; /* rows are the source's; those of geometry too. Its lang
                                 (N) is also the probe's and the purity's */
    const ig_scores *scores;  /* or NULL: no similarity; rows are the source's */
    uint64_t seed;            /* of the probe's shuffled labels */
    size_t memory; /* bytes that the rows may take; more are read by each measure for
                      itself. 0: 2 GB */
} ig_subject;

/* Measures of one space; those not taken are zero, and `taken` says so. A zeroed struct
 * may be freed. */
typedef struct ig_evaluation {
    unsigned taken; /* IG_MEASURE_… */
    ig_geometry geometry;
    ig_retrieval retrieval;
    ig_isotropy isotropy;
    ig_probe probe; /* its rows are numbers of the source */
    ig_purity purity;
    ig_similarity similarity;
    size_t rows;      /* distinct rows that were measured, for one thing or another */
    size_t zero_rows; /* of them of length 0 */
} ig_evaluation;

/* Take the measures of one space.
 *   rows   in  (N, d) the source; read once where its rows fit into memory
 *   watch  in  or NULL; its work is in flops, ig_evaluation_work in all
 *   evaluation  out  replaced; free it with ig_evaluation_free
 * IG_OK (figures that cannot be had are NaN with a reason: no pairs, no scores, …),
 * IG_SHAPE (a row that is not there), IG_NOMEM, IG_VALUE (not finite) or
 * IG_INTERRUPTED; *evaluation is empty unless IG_OK. */
ig_status ig_evaluation_take(ig_evaluation *evaluation, const ig_rows *rows,
                             const ig_subject *subject, ig_pool *pool, ig_watch *watch,
                             ig_error *error);

/* The work of it, in flops; 0 where a row is not there or memory is short. O(N +
 * pairs). */
double ig_evaluation_work(const ig_rows *rows, const ig_subject *subject);

void ig_evaluation_free(ig_evaluation *evaluation);

#endif
