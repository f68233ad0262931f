/* The runs of a session: training, commands on runs, and the weights shown and
 * compared. */
#ifndef WORKER_TRAINING_H
#define WORKER_TRAINING_H

#include "explorer/state.h"

/* Train for an epoch, or until something arrives. */
void ig_training_step(ig_session *session);

/* Commands. */
void ig_training_start(ig_session *session, const ig_command *command);
void ig_training_stop(ig_session *session);
void ig_training_edit(ig_session *session, const ig_command *command);
void ig_training_save(ig_session *session, unsigned number, const char *path);
void ig_training_load(ig_session *session, const char *path);
void ig_training_drop(ig_session *session, unsigned number);

/* Read the run directory `path` as a run of the version it was trained on, or of the
 * one shown. Errors as ig_runs_load. */
ig_status ig_training_read(ig_session *session, const char *path, bool any_dims,
                           ig_error *error);

/* Select the requested run, or the newest if it cannot be shown, and show its
 * weights. */
void ig_training_select(ig_session *session);

/* Show the requested weights of the selected run. */
void ig_training_show(ig_session *session);

/* Show the weights of the compared run in the other view. */
void ig_training_compare(ig_session *session);

/* Flags of the rows held out by a run, or NULL. */
const uint8_t *ig_training_held_out(ig_session *session, unsigned number);

/* --- following -------------------------------------------------------------------- */

/* Following a run directory that another process writes. The directory is polled; a
 * checkpoint that was replaced while it was read is read again. Following ends with the
 * run, or when the run is deleted from the list. */

/* Poll for a new checkpoint when it is due, and read it. True: there was one. */
bool ig_following_look(ig_session *session);

/* Seconds until the next poll; < 0: never. */
double ig_following_wait(const ig_session *session);

#endif
