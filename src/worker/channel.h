/* What passes between the screen's thread and the worker's.
 *
 *     screen                                      worker
 *     ig_channel_post(command, request)  ──────▶  ig_channel_take
 *     poll(ig_channel_fd)                ◀──────  ig_channel_publish
 *     ig_channel_receive                 ◀──────
 *
 * Commands wait in a queue, first in, first out; of requests the newest counts. What
 * the screen posts may cancel the job that the worker does: every job says from which
 * kind of arrival on (ig_channel_begin), and watches one flag, `cancel`.
 *
 * Requests are written, waited for and read in three buffers that change places: the
 * lock is held for that alone, never for a copy. */
#ifndef WORKER_CHANNEL_H
#define WORKER_CHANNEL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/error.h"
#include "worker/request.h"

struct ig_snapshot;

/* What has arrived and is not taken, by what it may cancel: the greatest counts. */
typedef enum ig_arrival {
    IG_ARRIVAL_NONE,
    IG_ARRIVAL_ROW,     /* a request that differs in its row alone */
    IG_ARRIVAL_VIEW,    /* another request */
    IG_ARRIVAL_COMMAND, /* a command */
    IG_ARRIVAL_CANCEL,  /* the command to cancel */
    IG_ARRIVAL_END      /* the session ends */
} ig_arrival;

enum { IG_COMMANDS_WAITING = 4096 /* at most */ };

typedef struct ig_channel {
    pthread_mutex_t lock; /* guards the following */
    pthread_cond_t wake;
    struct ig_waiting *first, *last; /* commands */
    size_t waiting;
    ig_view_request *posted; /* the newest, not taken yet, or an old one: */
    bool fresh;
    ig_arrival request; /* how far the posted one differs from the one taken */
    bool ending;
    bool woken;         /* by what is neither a command nor a request */
    ig_arrival cancels; /* the job under way is cancelled from this arrival on */

    atomic_bool cancel; /* set under the lock, watched without */
    _Atomic(struct ig_snapshot *) published;
    int pipe[2];

    ig_view_request *writing, *newest; /* the screen's: newest is the last one posted */
    ig_view_request *taken;            /* the worker's */
    ig_view_request buffer[3];
} ig_channel;

/* IG_OK or IG_IO. A channel that was opened, or failed to open, is to be closed. */
ig_status ig_channel_open(ig_channel *channel, ig_error *error);
void ig_channel_close(ig_channel *channel);

/* --- the screen's side ------------------------------------------------------------ */

/* Post a command and what is looked at from then on, together; either may be NULL.
 * Both are copied. IG_OK; or IG_NOMEM or IG_VALUE (too many wait), and nothing is
 * posted. */
ig_status ig_channel_post(ig_channel *channel, const ig_command *command,
                          const ig_view_request *request, ig_error *error);

/* Something else has arrived, from whichever thread: it counts as a command. */
void ig_channel_wake(ig_channel *channel);

/* The worker is to end, after what it does. */
void ig_channel_end(ig_channel *channel);

/* The newest snapshot, now the caller's, or NULL when there is no newer one. */
struct ig_snapshot *ig_channel_receive(ig_channel *channel);

/* --- the worker's side ------------------------------------------------------------ */

/* A job begins that is cancelled from this arrival on; also amid it, to change that. */
void ig_channel_begin(ig_channel *channel, ig_arrival cancels);

/* The greatest arrival. */
ig_arrival ig_channel_arrived(ig_channel *channel);

/* Take the next command into *command, and the newest request into channel->taken:
 * which of both there was. False: neither, nor was it woken. */
bool ig_channel_take(ig_channel *channel, bool *has_request, ig_command *command,
                     bool *has_command);

/* Take the request when it differs from the one taken in its row at most, and nothing
 * else has arrived. */
bool ig_channel_take_row(ig_channel *channel);

/* Sleep for `seconds` (< 0: until woken), unless something has arrived. */
void ig_channel_sleep(ig_channel *channel, double seconds);

/* Publish a snapshot; one that nobody received is returned. */
struct ig_snapshot *ig_channel_publish(ig_channel *channel,
                                       struct ig_snapshot *snapshot);

#endif
