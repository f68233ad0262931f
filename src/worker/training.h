/* The runs of a session: the one in training, commands on all of them, and whose
 * weights are shown and compared. */
#ifndef WORKER_TRAINING_H
#define WORKER_TRAINING_H

#include "worker/state.h"

/* Train on: an epoch, or until something arrives. */
void ig_training_step(ig_session *session);

/* Commands. */
void ig_training_start(ig_session *session, const ig_command *command);
void ig_training_stop(ig_session *session);
void ig_training_edit(ig_session *session, const ig_command *command);
void ig_training_save(ig_session *session, unsigned number, const char *path);
void ig_training_load(ig_session *session, const char *path);
void ig_training_drop(ig_session *session, unsigned number);

/* Make the measures of an epoch that were cancelled, before its run is written or
 * left. */
void ig_training_finish_epoch(ig_session *session);

/* Select the run that is asked for, or the newest where that is not to be had, and show
 * its weights. */
void ig_training_select(ig_session *session);

/* Show the weights of the run selected that are asked for. */
void ig_training_show(ig_session *session);

/* Have the weights of the run compared in the other view, when there is one. */
void ig_training_compare(ig_session *session);

/* The rows that a run held out, or NULL. */
const uint8_t *ig_training_held_out(ig_session *session, unsigned number);

#endif
