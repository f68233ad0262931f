/* A model: an extractor read back from a run directory, or from weights that PyTorch
 * wrote with numpy.save under the same names, to be applied to any set of its size. */
#ifndef RUNS_MODEL_H
#define RUNS_MODEL_H

#include "base/dir.h"
#include "base/json.h"
#include "data/set.h"
#include "learn/extractor.h"

typedef struct ig_model {
    ig_extractor extractor;
    char method[128]; /* from run.json, or "weights" */
    size_t epoch;     /* the best one, 0 when not known */
    /* Languages of the set that the run did not know, where each has something of its
     * own: see `unknown` of learn/kinds.h. */
    size_t unknown_languages;
    char **language; /* (extractor.languages) by ig_model_read_own, of an extractor that
                        is fitted by language; else NULL */
} ig_model;

/* Lay out an extractor and read its weights. A `head` takes its hidden and output
 * widths from the files, whatever the shape says. Other files are ignored. IG_IO (one
 * is missing), IG_SHAPE (both shapes named) or IG_VALUE (not finite); empty then. */
ig_status ig_weights_load(ig_extractor *extractor, ig_extractor_shape shape,
                          const char *directory, ig_error *error);

/* Write them into a directory that is being filled. As ig_dir_writer_put. */
ig_status ig_weights_write(const ig_extractor *extractor, ig_dir_writer *writer,
                           ig_error *error);

/* Read a run for a set: the kind from run.json, or else from which weights are there.
 * IG_SHAPE when the run has other dimensions than the set. */
ig_status ig_model_read(ig_model *model, const char *directory, const ig_set *set,
                        ig_error *error);

/* The same for a run that was trained on the first `dims` columns of such a set. */
ig_status ig_model_read_dims(ig_model *model, const char *directory, const ig_set *set,
                             size_t dims, ig_error *error);

/* The same, with what it has for each language in the order of the run:
 * model->language says which they are. IG_FORMAT: run.json does not name them. */
ig_status ig_model_read_own(ig_model *model, const char *directory, const ig_set *set,
                            ig_error *error);

/* An extractor that was fitted to one set, to be applied to another: what it has for
 * each language in the other's order. IG_OK, IG_SHAPE or IG_NOMEM; empty on failure. */
ig_status ig_model_take(ig_model *model, const ig_extractor *extractor,
                        const ig_set *trained_on, const ig_set *set, ig_error *error);

void ig_model_free(ig_model *model);

/* run.json of a run directory; NULL where there is none. IG_OK, IG_IO, IG_FORMAT or
 * IG_NOMEM. */
ig_status ig_run_json_read(ig_json **document, const char *directory, ig_error *error);

#endif
