/* Commands, requests and snapshots between the screen thread and the session thread.
 *
 *     screen                                      session
 *     ig_channel_post(command, request)  ──────▶  ig_channel_take
 *     poll(ig_channel_fd)                ◀──────  ig_channel_publish
 *     ig_channel_receive                 ◀──────
 *
 * Commands are queued (FIFO); only the newest request is kept. An arrival may interrupt
 * the session thread: each step sets from which kind of arrival on (ig_channel_begin),
 * and polls one flag, `cancel`. */
#ifndef WORKER_CHANNEL_H
#define WORKER_CHANNEL_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/error.h"
#include "explorer/request.h"

struct ig_snapshot;

/* Pending arrivals, by what they may interrupt; the greatest counts. */
typedef enum ig_arrival {
    IG_ARRIVAL_NONE,
    IG_ARRIVAL_WAKE,    /* another thread has a result (ig_channel_wake) */
    IG_ARRIVAL_REQUEST, /* another request */
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
    ig_view_request request; /* the newest … */
    bool fresh;              /* … not taken yet */
    bool ending;
    bool woken;
    ig_arrival cancels; /* arrivals from this one on interrupt the current step */

    atomic_bool cancel; /* set under the lock, read without */
    _Atomic(struct ig_snapshot *) published;
    int pipe[2];
} ig_channel;

/* IG_OK or IG_IO. Close the channel in either case. */
ig_status ig_channel_open(ig_channel *channel, ig_error *error);
void ig_channel_close(ig_channel *channel);

/* --- the screen's side ------------------------------------------------------------ */

/* Post a command and the new view request together; either may be NULL. Both are
 * copied. IG_OK; or IG_NOMEM or IG_VALUE (the queue is full), and nothing is posted. */
ig_status ig_channel_post(ig_channel *channel, const ig_command *command,
                          const ig_view_request *request, ig_error *error);

/* Wake the session thread; from any thread. */
void ig_channel_wake(ig_channel *channel);

/* Ask the session thread to end after its current step. */
void ig_channel_end(ig_channel *channel);

/* The newest snapshot, owned by the caller, or NULL when there is no newer one. */
struct ig_snapshot *ig_channel_receive(ig_channel *channel);

/* --- the session's side ----------------------------------------------------------- */

/* Begin a step that arrivals from this one on interrupt. */
void ig_channel_begin(ig_channel *channel, ig_arrival cancels);

/* The greatest pending arrival. */
ig_arrival ig_channel_arrived(ig_channel *channel);

/* Take the newest request; false: none since the last call. */
bool ig_channel_take_request(ig_channel *channel, ig_view_request *request);

/* Take the next command; false: none. Clears a wake. */
bool ig_channel_take_command(ig_channel *channel, ig_command *command);

/* Sleep for `seconds` (< 0: until woken), unless an arrival is pending. */
void ig_channel_sleep(ig_channel *channel, double seconds);

/* Publish a snapshot; returns the previous one if it was not received. */
struct ig_snapshot *ig_channel_publish(ig_channel *channel,
                                       struct ig_snapshot *snapshot);

#endif
