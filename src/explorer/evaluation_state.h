/* The evaluation of the weights shown: of a sample during training, of all rows when
 * idle. */
#ifndef WORKER_EVALUATION_STATE_H
#define WORKER_EVALUATION_STATE_H

#include "data/pairs.h"
#include "explorer/results.h"
#include "explorer/shown.h"

/* How much is measured. */
typedef enum ig_extent {
    IG_EXTENT_SAMPLE,    /* cheap enough during training */
    IG_EXTENT_WHOLE,     /* everything, unless it would take minutes */
    IG_EXTENT_EVERYTHING /* whatever it costs */
} ig_extent;

/* A struct with `work` alone has none. */
typedef struct ig_evaluation_state {
    const ig_work *work;
    ig_shown *shown;         /* held */
    unsigned run;            /* whose held-out ids; 0: all rows */
    uint8_t *held_out;       /* (rows) of that run */
    const ig_scores *scores; /* all human scores, or NULL */
    unsigned only;           /* IG_MEASURE_… of versions, without intervals; 0: all */

    /* Private. */
    unsigned long serials;
    const ig_pairs *measured; /* pairs, once they were chosen */
    ig_pairs pairs;           /* room for them */
    ig_subset subset;
    unsigned subset_run;     /* the subset is that run's … */
    ig_subset_limits limits; /* … sample of such a size */
    bool has_subset;
    size_t version;
    float *norm;         /* (rows) of the original vectors … */
    size_t norm_version; /* … of that version */
    ig_shared_evaluation
        *original;    /* of that version and this subset, kept from one to the next */
    double done, all; /* flops */
} ig_evaluation_state;

/* Measure the weights shown in all spaces.
 *   newest in   the evaluation before, or NULL
 *   whole  out  nothing is left to measure unasked
 *   made   out  for ig_shown_evaluation_release; not set if `newest` is all that is
 *               measured unasked
 * IG_OK, IG_INTERRUPTED or an error. */
ig_status ig_evaluation_state_make(ig_evaluation_state *state,
                                   const ig_shown_evaluation *newest, ig_extent extent,
                                   bool *whole, ig_shown_evaluation **made,
                                   ig_error *error);

/* The main measures of the version in `shown`, which has no weights, of all rows or a
 * sample; of a measured one the CKA to others alone.
 *   of  in  (versions)  figures  out  free the evaluation with
 *           ig_shared_evaluation_release
 * IG_OK, IG_INTERRUPTED or an error. */
ig_status ig_version_figures_make(ig_evaluation_state *state, const ig_version_rows *of,
                                  size_t versions, ig_version_figures *figures,
                                  ig_error *error);

/* The pairs that are measured: of all languages, unless the user gave some. *derived is
 * room for them, for ig_pairs_free. */
const ig_pairs *ig_evaluation_pairs(const ig_work *work, ig_pairs *derived);

void ig_evaluation_state_free(ig_evaluation_state *state);

#endif
