/* A model: an extractor read from a run directory, or from weights written by PyTorch
 * with numpy.save under the same names; applicable to any dataset with its
 * dimensions. */
#ifndef RUNS_MODEL_H
#define RUNS_MODEL_H

#include <jansson.h>

#include "core/writer.h"
#include "data/dataset.h"
#include "train/extractor.h"

typedef struct ig_model {
    ig_extractor extractor;
    char method[128]; /* from run.json, or "weights" */
    size_t epoch;     /* best epoch; 0 if unknown */
    /* Number of the dataset's languages unknown to an extractor with blocks per
     * language: see `unknown` in train/objective.h. */
    size_t unknown_languages;
    /* (extractor.languages) for an extractor with blocks per language, set by
     * ig_model_read_own; else NULL */
    char **language;
} ig_model;

/* Set the layout and read the weights. The widths of a `head` come from the files,
 * whatever the shape says. Other files are ignored. IG_IO (a file is missing), IG_SHAPE
 * (names both shapes) or IG_VALUE (not finite); empty on failure. */
ig_status ig_weights_load(ig_extractor *extractor, ig_extractor_shape shape,
                          const char *directory, ig_error *error);

/* Write the weights into a new directory. Returns as ig_writer_end. */
ig_status ig_weights_write(const ig_extractor *extractor, const ig_dir *dir,
                           ig_error *error);

/* Read a run for a dataset: the kind from run.json, else from the weight files present.
 *   dims  in  dimensions of the run: the dataset's, or its first columns only
 * IG_SHAPE if the run has others. */
ig_status ig_model_read(ig_model *model, const char *directory, const ig_dataset *set,
                        size_t dims, ig_error *error);

/* The same, with blocks per language in the run's order: see model->language.
 * IG_FORMAT: run.json does not name the languages. */
ig_status ig_model_read_own(ig_model *model, const char *directory,
                            const ig_dataset *set, ig_error *error);

/* Adapt an extractor fitted to one dataset to another: reorders the blocks per
 * language. IG_OK, IG_SHAPE or IG_NOMEM; empty on failure. */
ig_status ig_model_take(ig_model *model, const ig_extractor *extractor,
                        const ig_dataset *trained_on, const ig_dataset *set,
                        ig_error *error);

void ig_model_free(ig_model *model);

/* Read run.json of a run directory, to be released with json_decref; NULL if there is
 * none. IG_OK, IG_IO, IG_FORMAT or IG_NOMEM. */
ig_status ig_run_json_read(json_t **document, const char *directory, ig_error *error);

#endif
