/* A run: one objective trained on one dataset, with a record of every epoch. Shared by
 * `isogloss train`, the explorer and the tests; written as a run directory. */
#ifndef RUNS_RUN_H
#define RUNS_RUN_H

#include "measure/results.h"
#include "train/trainer.h"

/* Weights of past epochs within a budget of bytes. When it is full, every second epoch
 * is dropped repeatedly, so that those kept are evenly spaced. The newest is always
 * kept. */
typedef struct ig_history {
    size_t budget; /* bytes; two epochs are always kept */
    size_t size;   /* floats of an epoch's weights */
    size_t every;  /* kept: multiples of it, and the newest */
    size_t count, capacity;
    struct ig_history_epoch {
        size_t epoch;
        float *weights; /* (size) */
    } * kept;           /* (count) in the order of epochs */
} ig_history;

/* Start empty. */
void ig_history_init(ig_history *history, size_t budget, size_t size);

void ig_history_free(ig_history *history);

/* Copy the weights of an epoch, in ascending order of epochs; does nothing on out of
 * memory. */
void ig_history_add(ig_history *history, size_t epoch, const float *weights);

/* Weights of the last kept epoch ≤ *epoch, which is set to its number; NULL if none. */
const float *ig_history_find(const ig_history *history, size_t *epoch);

/* Record of one epoch: the trainer's figures, and the geometry of each space on the
 * measured pairs (measure/METHODS.md); NaN for a missing space. */
typedef struct ig_run_record {
    ig_epoch epoch;
    ig_geometry geometry[IG_SPACES];
} ig_run_record;

/* Parameters of a run. */
typedef struct ig_run_setup {
    const ig_dataset *set;
    const ig_pairs *pairs;    /* may be empty for methods without weights */
    const char *method;       /* a preset or the path of an objective */
    const char *text;         /* text of the objective named `method`, or NULL */
    ig_train_options options; /* as given; resolved by the run */
    const char *pairing;      /* as given ("pivot"), stored in run.json; or NULL */
    const char *init;         /* directory of weights to start from, or NULL */
    const ig_extractor *from; /* weights to start from, which `init` names; or NULL */
    ig_pool *pool;
    const atomic_bool *stop; /* set to true: cancels the measures; or NULL */
    size_t keep;             /* bytes for the weights of past epochs; 0: none kept */
    size_t
        checkpoint; /* epochs between checkpoints; 0 or a method without epochs: none */
} ig_run_setup;

/* A change of a term by ig_trainer_set_weight, once its epoch has started. */
typedef struct ig_run_edit {
    size_t epoch; /* first epoch with the change */
    size_t term;
    double weight, weight_before;
    bool on, on_before; /* false: disabled */
} ig_run_edit;

typedef struct ig_run {
    ig_run_setup setup; /* set, pairs and pool must outlive the run */
    char *asked;        /* method as given: a preset or a path */
    char *init;         /* directory of the initial weights, or NULL */
    ig_objective objective;
    ig_train_options options; /* resolved */
    ig_split split;
    ig_trainer *trainer;

    size_t records; /* epochs so far, including epoch 0 */
    ig_run_record *record;
    size_t capacity;
    bool trained; /* the next record's epoch is done, but not its measures */

    /* Live measures: at most 1,000 pairs of each language pair, drawn once, reduced to
     * at most a tenth of an epoch's flops. */
    uint32_t *left, *right; /* (drawn) */
    size_t measured;        /* pairs */
    size_t measurable;      /* pairs before sampling */
    bool measured_valid;    /* validation pairs; false: training pairs */
    size_t drawn; /* pairs in left and right: live measures use the first `measured` */
    bool finished;
    ig_geometry final[IG_SPACES]; /* of the best epoch on all pairs drawn */

    ig_history *history; /* or NULL */
    size_t edits, edit_capacity;
    ig_run_edit *edit; /* (edits) in the order of epochs */

    bool stopped; /* no longer being trained */

    double seconds;    /* of all epochs */
    ig_status failed;  /* IG_OK, or the error that ended it (IG_DIVERGED) */
    char message[256]; /* its message */
} ig_run;

/* Load the method, split the pairs, draw the measured pairs, and create the trainer.
 * *run is NULL on failure, with a status of ig_objective_load, ig_train_resolve,
 * ig_weights_load or ig_trainer_new. `setup` is copied, its strings are not. */
ig_status ig_run_new(ig_run **run, const ig_run_setup *setup, ig_error *error);

void ig_run_delete(ig_run *run);

/* Train one epoch, measure and record it. IG_INTERRUPTED by `between` or setup.stop:
 * call again to continue. Any other failure ends the run and sets failed and
 * message. */
ig_status ig_run_epoch(ig_run *run, ig_between *between, void *context,
                       ig_error *error);

/* Whether another epoch follows. */
bool ig_run_going(const ig_run *run);

/* Whether to write a checkpoint now: every setup.checkpoint epochs, including epoch 0,
 * while the run continues. */
bool ig_run_checkpoint_due(const ig_run *run);

/* Why the run ended: "all epochs done", "no better epoch within the patience", …;
 * IG_RUN_GOES_ON for a checkpoint. Static, or owned by the run. */
#define IG_RUN_GOES_ON "checkpoint"
const char *ig_run_ending(const ig_run *run);

/* Measure the best epoch on all drawn pairs, not only the live ones, into run->final
 * (sets `finished`). For a finished run. The work of `watch` (or NULL) is at most
 * ig_run_finish_work flops. IG_OK, IG_NOMEM, or IG_INTERRUPTED. */
ig_status ig_run_finish(ig_run *run, ig_progress *watch, ig_error *error);
double ig_run_finish_work(const ig_run *run);

/* Record of the best epoch, or NULL before the first. */
const ig_run_record *ig_run_best(const ig_run *run);

/* Caveats about a run's figures, one sentence each: terms that start after the last
 * epoch; terms of the batch computed within each of several processes; a training loss
 * of some pairs; spaces that are untrained or nearly collapsed at the best epoch.
 *   note  out  filled
 * Returns their number. */
enum { IG_RUN_NOTES = 7, IG_RUN_NOTE_SIZE = 240 };
size_t ig_run_notes(const ig_run *run, char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE]);

/* Mark the languages of its training pairs.
 *   mark  out  (languages of its dataset) 1 or 0
 * Returns their number; 0: no training pairs. */
size_t ig_run_languages(const ig_run *run, uint8_t *mark);

/* Current objective as text (free with ig_free): the source if unchanged, else the
 * current terms with a comment for every change. NULL on out of memory. */
char *ig_run_objective(const ig_run *run);

#endif
