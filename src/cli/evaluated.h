/* What `eval` has measured: the original space of a set and the spaces of runs, on all
 * ids or on those of a split. Measuring is here; printing and reports read it. */
#ifndef CLI_EVALUATED_H
#define CLI_EVALUATED_H

#include "cli/load.h"
#include "data/portion.h"
#include "measure/evaluation.h"
#include "runs/run.h"
#include "runs/stored.h"

/* One run: read from --run, or trained for --method. */
typedef struct ig_evaluated_run {
    const char *name;   /* the directory, or the method */
    const char *method; /* "seed" */
    size_t epoch;       /* of its weights, the best one */
    ig_stored stored;   /* read … */
    ig_run *run;        /* … or trained here (else NULL) */
    const ig_extractor *extractor;
    size_t strangers; /* languages a `centre` run did not know: their means are
                         those of the rows at hand */
    bool has[IG_SPACES];
    ig_evaluation space[IG_SPACES]; /* meaning and language, those it has */
} ig_evaluated_run;

/* A zeroed struct may be freed. Do not move it: it points into itself. */
typedef struct ig_evaluated {
    const ig_options *options;
    ig_loaded loaded;                 /* its pairs are those to measure */
    char why_no_pairs[IG_ERROR_SIZE]; /* or "" */
    ig_pairs trained;                 /* pairs that --method trains on */
    bool has_scores;  /* loaded.scores are those with both rows measured … */
    size_t of_scores; /* … of so many */
    ig_part part;
    ig_portion portion; /* the rows and pairs that are measured */
    size_t runs;
    ig_evaluated_run *run; /* (runs) */
    ig_evaluation original;
} ig_evaluated;

/* Open DATA, pairs and scores, read runs, train --method, choose what is measured.
 * Trains with progress on stderr unless --quiet. IG_OK, IG_INTERRUPTED, or any status
 * of opening and training. */
ig_status ig_evaluated_open(ig_evaluated *evaluated, const ig_options *options,
                            ig_error *error);

/* Take all measures of all spaces.
 *   stop  in  or NULL
 *   told  in  called now and then with the space under way and the share that is done,
 *             on the caller's thread; or NULL
 * IG_OK, IG_INTERRUPTED, IG_NOMEM or IG_VALUE. */
typedef void ig_evaluated_teller(void *context, const char *what, double share);
ig_status ig_evaluated_measure(ig_evaluated *evaluated, const atomic_bool *stop,
                               ig_evaluated_teller *told, void *context,
                               ig_error *error);

/* The measures of a space of a run (`run` < runs; the original's are the same for all),
 * or NULL: it has not that space. */
const ig_evaluation *ig_evaluated_space(const ig_evaluated *evaluated, size_t run,
                                        ig_space space);

/* "all", "valid", "train". */
const char *ig_part_name(ig_part part);

void ig_evaluated_free(ig_evaluated *evaluated);

#endif
