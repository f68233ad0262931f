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

/* --- following -------------------------------------------------------------------- */

/* A run directory that another process is writing, as its checkpoints come. The
 * directory is looked at once in a while; what was read while it was replaced is read
 * anew, so that nothing is shown that is of two checkpoints. It is left alone once the
 * run has ended, or when it was deleted from the list. */

/* Look whether there is a new checkpoint, when it is time to, and take it in. Whether
 * there was one. */
bool ig_following_look(ig_session *session);

/* Seconds until it is to be looked at again; < 0: never. */
double ig_following_wait(const ig_session *session);

#endif
