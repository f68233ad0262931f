/* A run: one objective trained on one dataset, recorded by epoch; its directory. */
#pragma once

#include "core/file.h"
#include "data/versions.h"
#include "train/trainer.h"

/* Weights of past epochs: those divisible by `every`, and the newest. */
typedef struct ig_history {
    size_t every; /* a power of two; 0: none is kept */
    size_t size;  /* floats of an epoch's weights */
    size_t count, capacity;
    struct ig_history_epoch {
        size_t epoch;
        float *weights; /* (size) */
    } * kept;           /* (count) in the order of epochs */
} ig_history;

/* An empty history that keeps so many epochs evenly in a budget of bytes, at least the
 * first and the newest; budget 0: none. */
ig_history ig_history_of(size_t epochs, size_t size, size_t budget);
void ig_history_free(ig_history *history);

/* Copy the weights of an epoch, in ascending order, or nothing without memory; those of
 * the last kept epoch ≤ *epoch, which is set to its number; NULL if none. */
void ig_history_add(ig_history *history, size_t epoch, const float *weights);
const float *ig_history_find(const ig_history *history, size_t *epoch);

/* --- description ------------------------------------------------------------------ */

/* Record of one epoch: the trainer's figures, and the live measures of each space
 * (measure/METHODS.md); NaN: not measured. */
typedef struct ig_geometry {
    double alignment, uniformity;
} ig_geometry;

typedef struct ig_run_record {
    ig_epoch epoch;
    ig_geometry geometry[IG_SPACES];
} ig_run_record;

typedef struct ig_texts {
    size_t count;
    const char **text; /* (count) */
} ig_texts;

/* What describes a run, in training or read from a directory (run_directory.c). Absent
 * texts are NULL, absent counts 0. */
typedef struct ig_run_info {
    const char *path;            /* that it was read from, or NULL */
    const char *method;          /* of the objective, or "weights" */
    char edit[4096], suffix[96]; /* " (pull x y 3)"; shortened, " strength 0.5" */
    char name[160];           /* with the method: what the run is called everywhere */
    const char *init;         /* directory of the initial weights */
    const char *ending;       /* why it ended, or IG_RUN_CHECKPOINT */
    ig_train_options options; /* resolved */
    size_t best;              /* best epoch */
    double seconds;           /* of all epochs */

    /* Training data, by which the split is recomputed. */
    const char *data, *version;    /* names of the dataset, and of its version or "" */
    size_t dims;                   /* 0: unknown */
    ig_texts languages, trained;   /* of the dataset; of the rows it trained on */
    uint64_t checksum;             /* of the dataset; 0: run.json has none */
    const char *pairing, *numbers; /* "pivot", …, or "file"; "float16", … */
    uint64_t pairs_checksum;       /* 0: unknown (runs of earlier versions) */
    size_t pairs, train_pairs, valid_pairs, holdout_pairs;

    size_t records;        /* epochs so far, including epoch 0 */
    ig_run_record *record; /* (records); read: only the geometry of meanings */
    const char *objective; /* its text; of a run in training see ig_run_objective */
    const ig_extractor *extractor; /* of the best epoch; NULL: no weights */
    ig_extractor weights;          /* that were read */
    size_t unknown;  /* languages of the dataset at hand that the weights that were read
                       do not know (ig_extractor_adapt) */
    size_t capacity; /* of record */
    ig_arena arena;  /* of texts … */
    json_t *json;    /* … those that were read from run.json apart, … */
    const char *wrong; /* … which has a value that this key cannot have; or NULL */
} ig_run_info;

/* Free the members; a zeroed struct is accepted. Set the strength of weights that were
 * read, and the name: ig_extractor_strengthen. */
void ig_run_info_free(ig_run_info *info);
ig_status ig_run_set_strength(ig_run_info *info, double strength, ig_error *error);

/* The number of trained epochs; read without a history: to the best one. */
static inline size_t ig_run_epochs(const ig_run_info *info)
{
    return info->records ? info->records - 1 : info->best;
}

/* The record of the best epoch, or NULL: none, or it is unknown. */
static inline const ig_run_record *ig_run_best(const ig_run_info *info)
{
    return info->best < info->records ? &info->record[info->best] : NULL;
}

/* Whether weights were fitted to the dataset, perhaps but for held-out ids. */
static inline bool ig_run_fits(const ig_run_info *info, const ig_dataset *set)
{
    return info->checksum == set->checksum && info->extractor &&
           info->extractor->kind != IG_IDENTITY;
}

/* --- training --------------------------------------------------------------------- */

typedef struct ig_run_setup {
    const ig_dataset *set;
    const ig_pairs *pairs;    /* may be empty for methods without weights */
    const char *method;       /* a preset or the path of an objective */
    const char *text;         /* text of the objective named `method`, or NULL */
    ig_train_options options; /* as given; resolved by the run */
    const char *pairing;      /* as given ("pivot"); NULL: the default */
    const char *init;         /* directory of weights to start from, or NULL */
    const ig_extractor *from; /* weights to start from, which `init` names; or NULL */
    ig_pool *pool;
    size_t keep;       /* bytes for the weights of past epochs; 0: none kept */
    size_t checkpoint; /* epochs between checkpoints; 0 or a closed form: none */
} ig_run_setup;

typedef struct ig_run {
    ig_run_info info;
    const ig_dataset *set; /* of the setup, which must outlive the run … */
    const ig_pairs *pairs; /* … as these and … */
    ig_pool *pool;         /* … this; or NULL */
    const char *method;    /* as given */
    size_t checkpoint;     /* epochs between checkpoints; 0: none */
    ig_objective objective;
    ig_split split;
    ig_trainer *trainer;

    uint32_t *left, *right; /* (measured) pairs of the live measures, drawn once */
    size_t measured;
    size_t measurable;   /* pairs before sampling */
    bool measured_valid; /* validation pairs; false: training pairs */

    ig_history history;
    ig_builder changes; /* of the objective, as comments; empty: unchanged */
    bool going;         /* another epoch follows */
    ig_status failed;   /* IG_OK, or the error that ended it (IG_DIVERGED) */
    ig_error why;       /* its message */
} ig_run;

/* Load the method, split the pairs, draw the measured pairs, and create the trainer.
 * Fails as ig_objective_load, ig_split_make, ig_weights_load, ig_trainer_new: NULL. */
ig_status ig_run_new(ig_run **run, const ig_run_setup *setup, ig_error *error);
void ig_run_delete(ig_run *run);

/* Train one epoch, measure and record it. IG_INTERRUPTED by `between`: call again to
 * continue. Any other failure ends the run and sets failed and why. */
ig_status ig_run_epoch(ig_run *run, ig_between *between, void *context,
                       ig_error *error);

/* The same in two steps. The first may run while other threads read the run: it changes
 * nothing but the weights in training and *record; the second one gets its status. */
ig_status ig_run_train(ig_run *run, ig_between *between, void *context,
                       ig_run_record *record, ig_error *error);
ig_status ig_run_add(ig_run *run, ig_status status, const ig_run_record *record,
                     ig_error *error);

/* info.ending of a run that continues and writes checkpoints; no epoch follows:
 * "interrupted" if one would have. */
#define IG_RUN_CHECKPOINT "checkpoint"
void ig_run_stop(ig_run *run);

/* Caveats about a run's figures, one sentence each; returns their number. */
enum { IG_RUN_NOTES = 8, IG_RUN_NOTE_SIZE = 240 };
size_t ig_run_notes(const ig_run *run, char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE]);

/* Current objective as text (ig_free): the source, or the current terms with a comment
 * for every change. NULL on out of memory. */
char *ig_run_objective(const ig_run *run);

/* --- directories (run_directory.c) ------------------------------------------------ *
 * run.json with what describes a run, its objective, epochs.csv, the held-out ids
 * (valid.csv, holdout.csv; rows if some have no id), and weights of the best epoch. */

extern const ig_dir_kind ig_run_dir; /* the files */

/* Write the run directory, whole or not at all; _into: an open one (core/file.h),
 * which stays open. IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_run_write(const ig_run *run, const char *path, ig_error *error);
ig_status ig_run_write_into(const ig_run *run, ig_dir *dir, ig_error *error);

/* Read a run directory for a dataset; run.json may have the extractor alone, and
 * epochs.csv may be missing.
 *   how       in  flags: IG_READ_ANY_DIMS: weights of fewer dimensions than the dataset
 *                 are for its first columns, those of more are not read; IG_READ_OWN:
 *                 without ig_extractor_adapt to the dataset's languages
 *   strength  in  of the extractor instead of the run's own; < 0: that
 * IG_OK, IG_SHAPE (other dimensions), IG_FORMAT (names file and line), or a status of
 * ig_weights_load. *info is empty on failure. */
enum { IG_READ_ANY_DIMS = 1, IG_READ_OWN = 2 };
ig_status ig_run_read(ig_run_info *info, const char *directory, const ig_dataset *set,
                      int how, double strength, ig_error *error);

/* The version that a run was trained on, by checksum, else by name; SIZE_MAX: none. */
size_t ig_run_version(const ig_run_info *info, const ig_versions *versions);

/* Mark the rows in a part of the split of a run that was read (ig_split_mark),
 * recomputed from seed, fractions and pairs; a closed form without pairs trains on all.
 *   given  in   pairs from a file, for a run trained on such; or NULL
 *   mark   out  (rows of the dataset)
 * IG_OK, IG_NOMEM, or IG_VALUE: checksums or counts say that the run was trained on
 * other data or pairs, or it held nothing out. */
ig_status ig_run_read_split(const ig_run_info *info, const ig_dataset *set,
                            const ig_pairs *given, ig_split_part part, uint8_t *mark,
                            ig_error *error);

/* --- the run list ----------------------------------------------------------------- *
 * Runs trained in this session and runs read from directories. */

typedef struct ig_run_entry {
    unsigned number;   /* from 1, in order of addition; never reused */
    size_t version;    /* of the dataset (data/versions.h), by number */
    ig_run *run;       /* trained here, or NULL */
    ig_run_info *info; /* of the run, or read from a directory */
    bool stopped;      /* by the user */
    bool saved;
    char *path;       /* last saved to, or NULL */
    uint8_t *rows[2]; /* (rows) those it trained on, held out; once computed, or NULL */
    bool tried[2];    /* they are known, or unknown for good */
} ig_run_entry;

/* A zeroed struct is empty. */
typedef struct ig_runs {
    ig_run_entry **entry; /* (count) by ascending numbers */
    size_t count, capacity;
    unsigned numbers; /* last number used */
} ig_runs;

/* Add a run (one of the two is NULL) and take ownership; NULL on out of memory. Find
 * the one with a number; NULL: none. */
ig_run_entry *ig_runs_add(ig_runs *runs, ig_run *run, ig_run_info *info);
ig_run_entry *ig_runs_find(const ig_runs *runs, unsigned number);

/* Remove and free a run; all runs; replace what was read. */
void ig_runs_remove(ig_runs *runs, ig_run_entry *entry);
void ig_runs_free(ig_runs *runs);
void ig_run_entry_replace(ig_run_entry *entry, ig_run_info *info);

/* Whether it can continue; why it ended, or ""; whether there is nothing to save. */
bool ig_run_entry_going(const ig_run_entry *entry);
const char *ig_run_entry_ending(const ig_run_entry *entry);
bool ig_run_entry_saved(const ig_run_entry *entry);

/* Weights to display: of epoch *epoch if *looking and they are kept (*looking: whether
 * they are), else the newest; of a finished run the best. False: none. */
bool ig_run_entry_weights(const ig_run_entry *entry, bool *looking, ig_extractor *x,
                          size_t *epoch);

/* The rows that the run holds out, or trained on; NULL if unknown; `given` as above. */
const uint8_t *ig_run_entry_rows(ig_run_entry *entry, const ig_dataset *set,
                                 const ig_pairs *given, bool held_out);
