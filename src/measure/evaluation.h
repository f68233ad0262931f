/* The evaluation: every measure of one space by one call, so that the command, the
 * explorer and the report show the same numbers. */
#ifndef MEASURE_EVALUATION_H
#define MEASURE_EVALUATION_H

#include "measure/geometry.h"
#include "measure/hidden_probe.h"
#include "measure/isotropy.h"
#include "measure/label_transfer.h"
#include "measure/mining.h"
#include "measure/mixed_pool.h"
#include "measure/needs.h"
#include "measure/probe.h"
#include "measure/query_sample.h"
#include "measure/relative_alignment.h"
#include "measure/retrieval.h"
#include "measure/reversibility.h"
#include "measure/similarity.h"
#include "measure/subject.h"

#define IG_FAMILY_MEMBER(member, NAME) ig_##member member;

/* Measures of one space; those not taken are zero, and `taken` says so. A zeroed struct
 * may be freed. */
typedef struct ig_evaluation {
    unsigned taken;               /* IG_MEASURE_… */
    IG_FAMILIES(IG_FAMILY_MEMBER) /* rows that they name are numbers of the source */
    size_t rows;      /* distinct rows that were measured, for one thing or another */
    size_t zero_rows; /* of them of length 0 */
    ig_query_sample sample; /* that asked; its rows 0: all did */
    ig_figures figures;     /* of all that was measured; their intervals are taken where
                               they are asked for (measure/bootstrap.h) */
} ig_evaluation;

/* Take the measures of one space.
 *   rows   in  (N, d) the source; read once
 *   watch  in  or NULL; its work is in flops, ig_evaluation_work in all
 *   evaluation  out  replaced; free it with ig_evaluation_free
 * IG_OK (figures that cannot be had are NaN with a reason: no pairs, no scores, …),
 * IG_SHAPE (a row that is not there), IG_NOMEM, IG_IO (a file of rows), IG_VALUE (not
 * finite) or IG_INTERRUPTED; *evaluation is empty unless IG_OK. The same bytes whether
 * rows lie in memory or in files. */
ig_status ig_evaluation_take(ig_evaluation *evaluation, const ig_rows *rows,
                             const ig_subject *subject, ig_pool *pool, ig_watch *watch,
                             ig_error *error);

/* Move the measures that were taken in `part` into another evaluation of the same
 * space, which has not taken them. `part` is empty then. */
void ig_evaluation_join(ig_evaluation *into, ig_evaluation *part);

/* The result of a family, of the type it has in ig_evaluation; NULL: it was not
 * taken. */
const void *ig_evaluation_result(const ig_evaluation *evaluation,
                                 const ig_family *family);

/* Make the rows of figures of all that was measured; ig_evaluation_take has done so.
 *   language  in  names of the languages, or NULL; unseen  in  or NULL (ig_subject)
 * IG_OK or IG_NOMEM. */
ig_status ig_evaluation_append(ig_evaluation *evaluation, const char *const *language,
                               const uint8_t *unseen, ig_error *error);

void ig_evaluation_free(ig_evaluation *evaluation);

#endif
