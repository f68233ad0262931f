/* A run: one objective trained on one set, with what was seen at every epoch. The same
 * object serves `isogloss train`, the explorer and the tests, so that all show the same
 * numbers; and it knows how to become a run directory. */
#ifndef RUNS_RUN_H
#define RUNS_RUN_H

#include "learn/trainer.h"
#include "measure/geometry.h"

/* What one epoch was: the trainer's figures, and the geometry of each space on the
 * measured pairs (measure/METHODS.md). A space that the extractor has not is NaN. */
typedef struct ig_run_record {
    ig_epoch epoch;
    ig_geometry geometry[IG_SPACES];
} ig_run_record;

/* What to run. */
typedef struct ig_run_setup {
    const ig_set *set;
    const ig_pairs *pairs;    /* may be empty for methods without weights */
    const char *method;       /* a preset or the path of an objective */
    const char *text;         /* the objective itself, called `method`; or NULL */
    ig_train_options options; /* as asked for; resolved by the run */
    const char *pairing;      /* as asked for ("pivot"), for the record; or NULL */
    const char *init;         /* directory of weights to start from, or NULL */
    ig_pool *pool;
    const atomic_bool *stop; /* when it turns true, breaks off the measures; or NULL */
    size_t keep;             /* bytes for the weights of past epochs; 0: none kept */
    size_t checkpoint;       /* epochs from one checkpoint to the next; 0: none, as
                                always of methods without epochs */
    const char *resume; /* run directory with a checkpoint to go on from, or NULL */
    uint64_t values;    /* ig_set_checksum_values of the set, for checkpoints; 0: not
                           taken yet */
} ig_run_setup;

/* A term as it was changed while the run was going. */
typedef struct ig_run_edit {
    size_t epoch; /* the first with it */
    size_t term;
    double weight, weight_before;
    bool on, on_before; /* false: struck out */
} ig_run_edit;

/* The facts of a run's data. */
typedef struct ig_run_data {
    uint64_t rows, pairs;
    uint64_t part[IG_SPLIT_HOLDOUT + 1]; /* pairs by part of the split */
    uint64_t pairs_checksum;
    uint8_t *trained; /* (languages) 1: it has a training pair */
} ig_run_data;

typedef struct ig_run {
    ig_run_setup setup; /* set, pairs and pool must outlive the run */
    char *asked;        /* the method as it was asked for: a preset, or a path */
    char *init;         /* directory of the weights it started from, or NULL */
    ig_objective objective;
    ig_train_options options; /* resolved */
    ig_split split;
    ig_run_data data;
    ig_trainer *trainer;

    size_t records; /* epochs seen, the state before training included */
    ig_run_record *record;
    size_t capacity;
    bool trained; /* the epoch of the next record; its measures are still to come */

    /* Live measures: at most 1,000 pairs of each language pair, drawn once, and fewer
     * where they would take more than a tenth of an epoch's arithmetic. */
    uint32_t *left, *right; /* (drawn) */
    size_t measured;        /* pairs */
    size_t measurable;      /* pairs they were drawn from */
    bool measured_valid; /* validation pairs; false: there are none, training pairs */
    size_t drawn; /* pairs in left and right: the first `measured` are the live ones */
    bool finished;
    ig_geometry final[IG_SPACES]; /* of the best epoch on all pairs drawn … */
    size_t final_spaces;          /* … of so many spaces so far */

    struct ig_history *history; /* runs/history.h; or NULL */
    size_t edits, edit_capacity;
    ig_run_edit *edit; /* (edits) in the order of epochs */

    bool ordered;   /* in shuffled blocks, for the size of the set: nobody said so */
    ig_pack packed; /* with setup.checkpoint: the state after the last epoch */
    bool stopped;   /* nobody goes on with it now */

    double seconds;    /* of all epochs */
    ig_status failed;  /* IG_OK, or why it ended (IG_DIVERGED) */
    char message[256]; /* and its sentence */
} ig_run;

/* Load the method, split the pairs, draw what is measured, lay out the trainer; with
 * setup.resume, take up the state of that run, of which all else must be the same but
 * options.epochs. *run is NULL on failure: any of the statuses of ig_objective_load,
 * ig_train_resolve, ig_weights_load, ig_trainer_new and ig_pack_open. `setup` is
 * copied, its strings are not. */
ig_status ig_run_new(ig_run **run, const ig_run_setup *setup, ig_error *error);

void ig_run_delete(ig_run *run);

/* One epoch more: the trainer's, then the measures, then a record. IG_INTERRUPTED as
 * ig_trainer_epoch, or because of setup.stop: call again to go on. Any other failure
 * ends the run and also fills failed and message. */
ig_status ig_run_epoch(ig_run *run, ig_between *between, void *context,
                       ig_error *error);

/* Whether another epoch is to come. */
bool ig_run_going(const ig_run *run);

/* Whether a checkpoint is to be written after the epoch that was the last: every
 * setup.checkpoint epochs, the state before training included, while the run goes on.
 */
bool ig_run_checkpoint_due(const ig_run *run);

/* What a checkpoint remembers of the run that it is of, "name: value" a line: to be
 * compared with what the files beside it say.
 *   objective  in  its text, or NULL: it is lost
 *   every      in  epochs from one checkpoint to the next, as text; and likewise
 *   batch      in  the batch as it was used */
void ig_run_facts(ig_builder *facts, const char *method, const char *objective,
                  const ig_train_options *options, const char *every,
                  const char *batch);

/* The facts of a checkpoint, and the checksum of the values that its run was trained
 * on. IG_OK, or as ig_pack_open. */
ig_status ig_run_read_facts(const char *checkpoint, ig_builder *facts, uint64_t *values,
                            ig_error *error);

/* "all epochs done", "no better epoch within the patience", …; IG_RUN_GOES_ON of a
 * checkpoint; static, or inside the run. */
#define IG_RUN_GOES_ON "checkpoint"
const char *ig_run_ending(const ig_run *run);

/* Measure the best epoch on all pairs drawn, not on those that are cheap beside
 * training: into run->final, once (`finished`). For a run that has ended. `watch` or
 * NULL; its work is ig_run_finish_work flops at most. IG_OK, IG_NOMEM, or
 * IG_INTERRUPTED: called again, it goes on with the space that was broken off. */
ig_status ig_run_finish(ig_run *run, ig_watch *watch, ig_error *error);
double ig_run_finish_work(const ig_run *run);

/* The record of the best epoch, or NULL before the first. */
const ig_run_record *ig_run_best(const ig_run *run);

/* What the reader of a run's figures should know of it, a sentence each: terms that
 * never counted, because they begin after the last epoch; terms over a batch that were
 * taken within each of several ranks; what is done otherwise for the size of the set;
 * at the best epoch spaces that
 * nothing trains any more, and spaces that are nearly one point.
 *   note  out  filled
 * Returns how many. */
enum { IG_RUN_NOTES = 7, IG_RUN_NOTE_SIZE = 240 };
size_t ig_run_notes(const ig_run *run, char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE]);

/* Mark the languages that it is trained on: those of its training pairs.
 *   mark  out  (languages of its set) 1 or 0
 * Returns how many; 0: it is trained on nothing. */
size_t ig_run_languages(const ig_run *run, uint8_t *mark);

/* Change a term's weight, or strike it out and in, from the next epoch on; the best
 * epoch is then sought anew (see ig_trainer_set_weight). What is changed back before
 * that epoch begins leaves no trace. IG_OK, IG_VALUE, or IG_NOMEM. */
ig_status ig_run_set_weight(ig_run *run, size_t term, double weight, bool on,
                            ig_error *error);

/* The objective as last trained with, as text of its own (ig_free): as it was read when
 * nothing was changed, else its terms as they are now, and a comment for every change.
 * NULL when memory is short. */
char *ig_run_objective(const ig_run *run);

#endif
