/* Run directories: writing them, and reading them back as stored runs to display:
 * method, options, history, and weights of the best epoch. */
#ifndef RUNS_RUN_DIRECTORY_H
#define RUNS_RUN_DIRECTORY_H

#include "core/writer.h"
#include "data/pairs.h"
#include "data/versions.h"
#include "train/model.h"
#include "train/run.h"

/* File table of run directories. */
extern const ig_dir_kind ig_run_dir;
/* Write the run directory: run.json, objective, epochs.csv, valid.csv (held-out ids, or
 * rows if some have no id), weights of the best epoch. Atomic. IG_OK, IG_IO or
 * IG_NOMEM. */
ig_status ig_run_write(const ig_run *run, const char *path, ig_error *error);

/* The same into an open directory (core/writer.h), which stays open. */
ig_status ig_run_write_into(const ig_run *run, ig_dir *dir, ig_error *error);

/* A stored run. */
typedef struct ig_stored {
    char *path;
    char method[128];
    char ending[256];
    char *objective;          /* its text, or NULL */
    char *init;               /* directory of the initial weights, or NULL */
    ig_train_options options; /* resolved */
    size_t best;              /* best epoch */
    size_t dims;              /* dimensions of the training vectors; 0: unknown */
    /* Training data as recorded in run.json, to recompute the split. */
    bool has_data;
    char data[128];    /* name of the dataset … */
    char version[128]; /* … and of its version, or "" */
    uint64_t checksum;
    char *pairing; /* "pivot", …, or "file" */
    size_t pairs, train_pairs, valid_pairs, holdout_pairs;
    char **language;         /* (languages) languages with training pairs */
    size_t languages;        /* 0: unknown */
    uint64_t pairs_checksum; /* 0: unknown (runs of earlier versions) */

    bool has_weights; /* false: history only, as dimensions differ */
    ig_model model;

    size_t records;        /* rows of epochs.csv, including epoch 0; may be 0 */
    ig_run_record *record; /* only the geometry of meanings is stored */
    size_t terms;
    char (*term)[48]; /* (terms) names */
    ig_arena arena;   /* of the texts */
} ig_stored;

/* Read a run directory for a dataset; weights without run.json and epochs.csv are a run
 * without a history. If the dimensions differ from the dataset's: IG_SHAPE, or with
 * `any_dims` a run without weights. Other statuses as ig_model_read; IG_FORMAT names
 * file and line. *stored is empty on failure. */
ig_status ig_stored_read(ig_stored *stored, const char *directory,
                         const ig_dataset *set, bool any_dims, ig_error *error);

/* The version of a dataset that a run was trained on, found by its checksum, else by
 * its name; SIZE_MAX: none. */
size_t ig_stored_version(const ig_stored *stored, const ig_versions *versions);

/* Mark the rows in a part of the run's split (ig_split_mark), recomputed from run.json.
 *   given  in   pairs from a file, for a run trained on such; or NULL
 *   mark   out  (rows of the dataset)
 * IG_OK, IG_NOMEM, or IG_VALUE: run.json lacks the data, the run was trained on other
 * data or pairs, or held nothing out. */
ig_status ig_stored_split(const ig_stored *stored, const ig_dataset *set,
                          const ig_pairs *given, ig_split_part part, uint8_t *mark,
                          ig_error *error);

/* Free the members; a zeroed struct is accepted. */
void ig_stored_free(ig_stored *stored);

#endif
