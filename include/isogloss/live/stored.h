/* A stored run: what a run directory holds, read back to be shown beside others: its
 * method and options, its history, and the weights of its best epoch. */
#ifndef ISOGLOSS_LIVE_STORED_H
#define ISOGLOSS_LIVE_STORED_H

#include "isogloss/live/model.h"
#include "isogloss/live/run.h"

typedef struct ig_stored {
    char *path;
    char method[128];
    char ending[256];
    ig_train_options options; /* as resolved when it ran */
    size_t best;              /* epoch */
    size_t dims;              /* of the vectors it was trained on; 0: not known */
    bool has_weights;         /* false: of another dimension, the history alone */
    ig_model model;

    size_t records; /* epochs of epochs.csv, that before training included; may be 0 */
    ig_record *record; /* only the meanings' geometry is kept in a directory */
    size_t terms;
    char (*term)[48]; /* (terms) names */
} ig_stored;

/* Read a run directory for a set; weights that come without run.json and epochs.csv are
 * a run without a history. With `any_dims`, a run of other dimensions than the set's is
 * read without its weights; else it is IG_SHAPE. Further statuses of ig_model_read;
 * IG_FORMAT names file and line. *stored is empty on failure. */
ig_status ig_stored_read(ig_stored *stored, const char *directory, const ig_set *set,
                         bool any_dims, ig_error *error);

/* A zeroed struct is accepted. */
void ig_stored_free(ig_stored *stored);

#endif
