/* Run directories: written, and read back as a stored run, to be shown beside others:
 * its method and options, its history, and the weights of its best epoch. */
#ifndef RUNS_RUN_DIRECTORY_H
#define RUNS_RUN_DIRECTORY_H

#include "base/dir.h"
#include "data/pairs.h"
#include "runs/model.h"
#include "runs/run.h"

/* What run directories hold. */
extern const ig_dir_kind ig_run_dir;

/* Write the run directory: run.json, objective, epochs.csv, valid.csv (the held-out
 * ids, or rows where some have no id), weights of the best epoch; of a run with
 * checkpoints also the state after its last epoch, to go on from.
 * Complete or absent. IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_run_write(const ig_run *run, const char *path, ig_error *error);

/* The same into a directory that is open for it (base/dir.h), which stays open. */
ig_status ig_run_write_into(const ig_run *run, ig_dir *dir, ig_error *error);

/* A stored run. */
typedef struct ig_stored {
    char *path;
    char method[128];
    char ending[256];
    char *objective;           /* as it was run, or NULL */
    char *init;                /* weights it started from, or NULL */
    ig_train_options options;  /* as resolved when it ran */
    size_t best;               /* epoch */
    size_t checkpoint;         /* epochs from one to the next; 0: none */
    char every[48], batch[48]; /* that, and the batch that was used, in its words */
    size_t dims;               /* of the vectors it was trained on; 0: not known */
    /* What it was trained on, as far as run.json tells: enough to make its split
     * anew. */
    bool has_data;
    char data[128]; /* name of the set */
    uint64_t checksum;
    char *pairing; /* "pivot", …, or "file" */
    size_t pairs, train_pairs, valid_pairs, holdout_pairs;
    char **language;         /* (languages) those that it was trained on */
    size_t languages;        /* 0: not told */
    uint64_t pairs_checksum; /* 0: not told (runs of earlier versions) */

    bool has_weights; /* false: of another dimension, the history alone */
    ig_model model;

    size_t records; /* epochs of epochs.csv, that before training included; may be 0 */
    ig_run_record *record; /* only the meanings' geometry is kept in a directory */
    size_t terms;
    char (*term)[48]; /* (terms) names */
} ig_stored;

/* Read a run directory for a set; weights that come without run.json and epochs.csv are
 * a run without a history. With `any_dims`, a run of other dimensions than the set's is
 * read without its weights; else it is IG_SHAPE. Further statuses of ig_model_read;
 * IG_FORMAT names file and line. *stored is empty on failure. */
ig_status ig_stored_read(ig_stored *stored, const char *directory, const ig_set *set,
                         bool any_dims, ig_error *error);

/* Mark the rows of the set that are in a part of the run's split (ig_split_mark), made
 * anew from what run.json tells.
 *   given  in   pairs of a file, for a run that was trained on such; or NULL
 *   mark   out  (rows of the set)
 * IG_OK, IG_NOMEM, or IG_VALUE: the run does not tell, was trained on other data or
 * other pairs, or held nothing out. */
ig_status ig_stored_split(const ig_stored *stored, const ig_set *set,
                          const ig_pairs *given, ig_split_part part, uint8_t *mark,
                          ig_error *error);

/* Whether a run can go on (ig_run_setup.resume) with a set and its pairs: it has a
 * checkpoint that is of what run.json and the objective tell, and was trained on these
 * data, to the last value, and pairs. Reads the set once.
 *   values  out  for ig_run_setup
 * IG_OK, IG_VALUE, IG_NOMEM, or as ig_pack_open. */
ig_status ig_stored_resumable(const ig_stored *stored, const ig_set *set,
                              const ig_pairs *pairs, uint64_t *values, ig_error *error);

/* A zeroed struct is accepted. */
void ig_stored_free(ig_stored *stored);

#endif
