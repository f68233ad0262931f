/* What an evaluation needs: rows, a scan of all pairs of rows, work and memory. */
#ifndef MEASURE_NEEDS_H
#define MEASURE_NEEDS_H

#include "measure/evaluation_spec.h"

/* Mark which groups need each row of the source.
 *   needed  in/out  (N) gets IG_NEEDS_… of the subject's groups
 * IG_OK or IG_SHAPE: a row is not there. */
ig_status ig_needs_mark(uint8_t *needed, const ig_rows *rows,
                        const ig_evaluation_spec *subject, ig_error *error);

/* Rows needed by any group of `by`. */
size_t ig_needs_count(const uint8_t *needed, size_t n, uint8_t by);

/* Groups, as IG_MEASURE_…, that take part in a scan over all pairs of rows; and what
 * groups need, as IG_NEEDS_…. */
unsigned ig_needs_scan(const ig_evaluation_spec *subject);
unsigned ig_needs_of(unsigned groups);

/* The work of an evaluation, in flops; 0 if a row is out of range or out of memory. O(N
 * + pairs). */
double ig_evaluation_work(const ig_rows *rows, const ig_evaluation_spec *subject);

/* --- a sample --------------------------------------------------------------------- */

/* A sample of the rows that are measured: whole meanings, drawn at random, whose rows
 * are the queries. All rows remain candidates, so that a mean over the sample estimates
 * the mean over all rows, not that of a smaller, easier task. */
typedef struct ig_query_sample {
    size_t rows, of_rows; /* that ask, of so many that are measured; rows 0: all ask */
    size_t meanings, of_meanings; /* drawn, without replacement (a row without a meaning
                                     is one by itself) */
    size_t extra;                 /* additional queries, of language pairs with few
                                     pairs */
    uint64_t seed;
} ig_query_sample;

/* Draw about `wanted` rows: so many meanings as have these in the mean, 2 at least. If
 * there are no more rows, all are queries. Pairs of languages with few pairs would have
 * too few sampled queries: all of their paired rows are additional queries, replacing
 * at most half of `wanted`.
 *   pairs  in   whose retrieval is measured, or NULL
 *   unit   in   (rows) the meaning of each row, < units; IG_NO_ID: it is not measured
 *   asks   out  (rows) IG_ASKS_DRAWN, IG_ASKS_EXTRA (core/scan.h), or 0
 * IG_OK or IG_NOMEM. O(rows + units + pairs + languages²). */
ig_status ig_query_sample_draw(ig_query_sample *sample, uint8_t *asks,
                               const ig_retrieval_pairs *pairs, const uint32_t *unit,
                               size_t rows, size_t units, size_t wanted, uint64_t seed,
                               ig_error *error);

#endif
