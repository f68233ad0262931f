/* The evaluation: every measure of one space by one call, so that the command, the
 * explorer and the report show the same numbers. */
#ifndef MEASURE_EVALUATION_H
#define MEASURE_EVALUATION_H

#include "data/subset.h"
#include "measure/results.h"

/* The spec of all measures of a subset; scores may be NULL. Probes also learn from the
 * rest of the dataset where the subset is all held-out (or all training) ids, no sample
 * of them. Nothing is copied. */
ig_evaluation_spec ig_evaluation_spec_of(const ig_dataset *set, const ig_subset *subset,
                                         const ig_scores *scores, uint64_t seed);

/* Compute the measures of one space.
 *   rows   in  (N, d) the source; read once
 *   watch  in  or NULL; its work is in flops, ig_evaluation_work in all
 *   evaluation  out  replaced; free it with ig_evaluation_free
 * IG_OK (undefined figures are NaN with a reason: no pairs, no scores, …), IG_SHAPE
 * (row out of range), IG_NOMEM, IG_VALUE (not finite) or IG_INTERRUPTED; *evaluation is
 * empty unless IG_OK. */
ig_status ig_evaluation_take(ig_evaluation *evaluation, const ig_rows *rows,
                             const ig_evaluation_spec *subject, ig_pool *pool,
                             ig_progress *watch, ig_error *error);

/* The work of an evaluation, about, in flops. */
double ig_evaluation_work(const ig_rows *rows, const ig_evaluation_spec *subject);

void ig_evaluation_free(ig_evaluation *evaluation);

/* --- notes ------------------------------------------------------------------------ */

/* A caveat for readers of the original space: few rows, candidates or queries. */
typedef struct ig_note {
    const char *name; /* "note", "probe", "mining" */
    char text[400];
} ig_note;
enum { IG_NOTES = 4 };

/* The notes, and how many.
 *   chosen  in  the pairs were chosen, and are not those of all languages */
size_t ig_evaluation_notes(const ig_evaluation *evaluation, bool chosen,
                           ig_note note[IG_NOTES]);

#endif
