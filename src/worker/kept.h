/* The runs of a session but the newest: earlier ones, whole, and those read from
 * directories. All of it belongs to the worker. */
#ifndef WORKER_KEPT_H
#define WORKER_KEPT_H

#include "runs/stored.h"
#include "worker/session.h"

typedef struct ig_kept {
    unsigned number;   /* from 1, in the order of their coming; never used again */
    ig_run *run;       /* trained here, or NULL: */
    ig_stored *stored; /* read from a directory */
    bool stopped;      /* by hand */
    bool saved;
    ig_course *course; /* its curves, once made */
    uint8_t *held_out; /* (rows) of one that was read, once looked for; or NULL */
    bool split_tried;
} ig_kept;

/* Room for one more; false when memory is short. */
bool ig_kept_reserve(ig_session *session);

/* Put the newest run away, when it was trained at all; there is room. */
void ig_kept_put_newest(ig_session *session);

/* The run of that number, or NULL; the newest is none of these. */
ig_kept *ig_kept_find(ig_session *session, unsigned number);

/* Forget it. */
void ig_kept_remove(ig_session *session, unsigned number);

/* Read a run directory as one more. IG_OK or a status of ig_stored_read. */
ig_status ig_kept_load(ig_session *session, const char *path, bool any_dims,
                       ig_error *error);

/* Fill the runs of a snapshot, by their numbers; false when memory is short. */
bool ig_kept_describe(ig_session *session, ig_snapshot *out);

/* What a snapshot tells of a run that was read, in place of one that was trained; false
 * when memory is short. */
bool ig_kept_describe_stored(const ig_stored *stored, ig_snapshot *out);

void ig_kept_free(ig_session *session);

#endif
