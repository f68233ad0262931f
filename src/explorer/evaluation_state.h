/* The evaluation of the weights shown: of a sample during training, of all rows when
 * idle; and the main measures of all versions. */
#ifndef EXPLORER_EVALUATION_STATE_H
#define EXPLORER_EVALUATION_STATE_H

#include "data/pairs.h"
#include "explorer/job.h"
#include "explorer/results.h"

/* How much is measured. */
typedef enum ig_extent {
    IG_EXTENT_SAMPLE,    /* cheap enough during training */
    IG_EXTENT_WHOLE,     /* everything, unless it would take minutes */
    IG_EXTENT_EVERYTHING /* whatever it costs */
} ig_extent;

/* What one evaluation leaves to the next; zeroed: nothing. Used by its job. */
typedef struct ig_evaluation_state {
    unsigned run;      /* whose held-out ids; 0: all rows */
    uint8_t *held_out; /* (rows) of that run */
    unsigned only;     /* IG_MEASURE_… of versions, without intervals; 0: all */
    unsigned long serials;
    const ig_pairs *measured; /* pairs, once they were chosen */
    ig_pairs pairs;           /* room for them */
    ig_subset subset;
    bool has_subset;
    unsigned subset_run;     /* the subset is that run's … */
    ig_subset_limits limits; /* … sample of such a size */
    size_t version;
    ig_shared_evaluation
        *original; /* of that version and this subset, kept from one to the next */
} ig_evaluation_state;

/* The pairs that are measured: of all languages, unless the user gave some. *derived is
 * room for them, for ig_pairs_free. */
const ig_pairs *ig_evaluation_pairs(const ig_work *work, ig_pairs *derived);

void ig_evaluation_state_free(ig_evaluation_state *state);

#endif
