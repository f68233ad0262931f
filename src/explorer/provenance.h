/* Where figures come from: "seed·2 epoch 14, 60 validation ids". */
#pragma once

#include "explorer/app.h"
#include "report/document.h"

enum { IG_PROVENANCE = IG_TRAINED_SIZE };

/* The rows measured: "all 600 ids", "sample 1,000 of 4,800 rows". */
const char *ig_measured_rows(const ig_app *app, const ig_shown_evaluation *e,
                             char out[IG_PROVENANCE]);

/* Where the figures of an evaluation (NULL: none) come from. */
void ig_measured_source(const ig_app *app, const ig_shown_evaluation *e, char *out);

/* The run and its epoch, or the version: "seed·2 epoch 14"; the strength, if it is ≥ 0
 * and not the run's own; then the rows. */
const char *ig_provenance(const ig_app *app, ig_made_by by, const char *rows,
                          char out[IG_PROVENANCE]);
const char *ig_map_provenance(const ig_app *app, const ig_map *map, char *out);

/* That of live figures of a run (or NULL): "seed·1 epoch 3, 420 validation pairs". */
void ig_live_source(const ig_app *app, const ig_run_entry *entry, size_t epoch,
                    char *out);

/* "all 4,800 rows", "sample 1,000 of 4,800 rows". */
const char *ig_sampled_rows(size_t rows, size_t of, const char *what,
                            char out[IG_PROVENANCE]);

/* "lr: seed 0.0001, meat 1e-05; …": in what the trainings of the run compared and of
 * another differ; "" if they do not, or there are not two. */
const char *ig_unlike_compared(const ig_app *app, const ig_run_entry *run,
                               char out[IG_UNLIKE_SIZE]);

/* "1 seed was trained on 70% of the rows measured", or on another dataset: "1 seed was
 * trained on news", of what is compared; or "". */
const char *ig_trained_compared(const ig_app *app, char out[IG_PROVENANCE]);

/* Draw a source in the lower line of a frame, right of the message, shortened to fit,
 * or why a newer result than that (0: none) failed. */
void ig_source_draw(ig_app *app, ig_rect frame, ig_result_id of, const char *source);
