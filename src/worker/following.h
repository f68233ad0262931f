/* A run directory that another process is writing, as its checkpoints come. The
 * directory is looked at once in a while; what was read while it was replaced is read
 * anew, so that nothing is shown that is of two checkpoints. It is left alone once the
 * run has ended, or when it was deleted from the list. */
#ifndef WORKER_FOLLOWING_H
#define WORKER_FOLLOWING_H

#include "worker/state.h"

/* Look whether there is a new checkpoint, when it is time to, and take it in. Whether
 * there was one. */
bool ig_following_look(ig_session *session);

/* Seconds until it is to be looked at again; < 0: never. */
double ig_following_wait(const ig_session *session);

#endif
