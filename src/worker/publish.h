/* What the screen is told: messages, and snapshots of the worker's state. */
#ifndef WORKER_PUBLISH_H
#define WORKER_PUBLISH_H

#include "worker/state.h"

/* Seconds between snapshots while training: at most ten a second (a little less, so
 * that a pace of ten is not halved by jitter); and while a job lasts. */
#define IG_BETWEEN_SNAPSHOTS 0.09
#define IG_BETWEEN_TICKS     0.2

/* Have the screen say something. */
void ig_tell(ig_session *session, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Publish a snapshot now. */
void ig_publish(ig_session *session);

/* Publish what is new if it is time for it; else in how many seconds (< 0: there is
 * nothing). */
double ig_publish_if_due(ig_session *session);

/* A job that is told of while it lasts: it begins, so much of it is done, it ends. */
void ig_long_job_begin(ig_session *session);
void ig_long_job_tick(ig_session *session, double part);
void ig_long_job_end(ig_session *session);

#endif
