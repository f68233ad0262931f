/* Results and lanes: what is computed from a run and a request for the screen, and the
 * threads that compute it.
 *
 * A result, such as the map, has a key built from its inputs; it is stale when the key
 * differs from that of the last one computed. A lane computes one result at a time, as
 * a job: the session thread chooses the most urgent stale result of the lane, copies
 * its inputs, and posts the job; when it is done, the session thread records its key.
 * Jobs cannot be resumed: a job whose key is no longer requested is cancelled. */
#ifndef WORKER_SCHEDULER_H
#define WORKER_SCHEDULER_H

#include "core/error.h"
#include "explorer/channel.h"
#include "explorer/shown.h"

/* Every lane has a thread, except IG_LANE_SESSION, whose jobs need the trainer. */
typedef enum ig_lane_id {
    IG_LANE_NEIGHBOURS,
    IG_LANE_MAP,
    IG_LANE_MEASURES,
    IG_LANE_ONCE,
    IG_LANE_ENCODE,
    IG_LANE_TABLE,
    IG_LANE_SESSION,
    IG_LANES
} ig_lane_id;

enum { IG_KEY_ASKED = 6, IG_KEY_FOLLOWS = 3 };

/* The inputs of a result. */
typedef struct ig_result_key {
    uint64_t asked[IG_KEY_ASKED];     /* the user's view */
    uint64_t follows[IG_KEY_FOLLOWS]; /* changes without the user, as weights do */
    bool whole;                       /* all rows, not a sample */
} ig_result_key;

/* Urgency of a result. */
typedef enum ig_priority {
    IG_PRIORITY_NONE,
    IG_PRIORITY_IDLE,   /* when no run is training */
    IG_PRIORITY_FOLLOW, /* during training, in its share of the time */
    IG_PRIORITY_ASKED   /* at once */
} ig_priority;

/* Why a result is computed. */
typedef enum ig_cause {
    IG_CAUSE_NONE,   /* it is up to date */
    IG_CAUSE_ASKED,  /* the user changed the view */
    IG_CAUSE_FOLLOW, /* the weights changed */
    IG_CAUSE_WHOLE   /* a sample was computed, and there is time for all rows */
} ig_cause;

typedef struct ig_result ig_result;

/* The arguments of the functions of a kind. */
typedef struct ig_job {
    void *context; /* the session */
    ig_result *result;
    ig_result_key *key; /* of `key` and `make` */
    ig_cause cause;     /* of `make` */
    ig_error *error;    /* of `make` */
} ig_job;

/* A kind of result: an entry of a table (jobs.c). */
typedef struct ig_result_kind {
    ig_lane_id lane;
    ig_priority asked; /* priority when the user changed the view */
    double share;      /* of the time during training, when it follows the weights */

    /* The key that it should have now; false: not requested. */
    bool (*key)(const ig_job *job);

    /* On the session thread: copy the inputs, or NULL. False: out of memory. */
    bool (*prepare)(const ig_job *job);

    /* On the lane: compute it. *key is set to the key of the result. IG_OK,
     * IG_INTERRUPTED, or an error. */
    ig_status (*make)(const ig_job *job);

    /* On the session thread: take over the results, whatever the status; or NULL. */
    void (*finish)(const ig_job *job);
} ig_result_kind;

struct ig_result {
    const ig_result_kind *kind;
    void *view; /* the view that it belongs to, or NULL */

    ig_result_key made;          /* key of the last result … */
    bool known;                  /* … or failure; false: none yet */
    bool short_memory;           /* it failed for lack of memory */
    char failure[IG_ERROR_SIZE]; /* reason, or "" */
    double next;                 /* clock: earliest start when it follows */
};

/* A result to be computed. */
typedef struct ig_scheduled {
    ig_result *product; /* NULL: none */
    ig_result_key key;
    ig_cause cause;
    ig_priority priority;
} ig_scheduled;

/* The most urgent stale result of a lane; the first of equals.
 *   now  in  clock, or INFINITY: ignore shares of time */
ig_scheduled ig_scheduler_choose(ig_result *product, size_t n, ig_lane_id lane,
                                 void *context, double now);

/* Let results start now, whatever their share of time. */
void ig_scheduler_hurry(ig_result *product, size_t n);

/* Retry results that failed for lack of memory. */
void ig_scheduler_retry(ig_result *product, size_t n);

/* --- lanes ------------------------------------------------------------------------ */

typedef struct ig_lane {
    ig_scheduled job; /* current job, of the session thread; product NULL: none */
    double start;     /* clock: when it started */

    /* Inputs of the job: copies of the request and of the session's state. */
    bool known;           /* there is an earlier result … */
    ig_result_key before; /* … with this key; zeroed: none */
    ig_work work;
    ig_view_request request;

    /* Outputs. */
    ig_result_key made;
    ig_status status;
    ig_error error;
    atomic_int permille; /* progress */
    atomic_bool cancel;
    atomic_bool partial; /* a partial result can be shown */

    void *context;
    ig_channel *channel; /* woken when there is a result */
    pthread_t thread;
    bool threaded;
    pthread_mutex_t lock; /* guards the following */
    pthread_cond_t wake;
    bool posted, done, ending;
} ig_lane;

/* Copies `work`, except the fields that each lane has for itself. */
void ig_lane_init(ig_lane *lane, const ig_work *work, void *context,
                  ig_channel *channel);

/* Start its thread; 0 or an errno. Without a thread, posting a job runs it. */
int ig_lane_start(ig_lane *lane);

/* Cancel the job and end the thread. */
void ig_lane_end(ig_lane *lane);

/* Start a job for a request; the lane must be idle. */
void ig_lane_post(ig_lane *lane, const ig_scheduled *job,
                  const ig_view_request *request, double now);

/* From a job: a partial result can be shown. */
void ig_lane_announce(void *lane);

/* Cancel the job if its result is no longer requested. */
void ig_lane_review(ig_lane *lane);

/* Take over a finished job: *made is its result, or NULL if it was cancelled. False: no
 * job has finished. */
bool ig_lane_take(ig_lane *lane, double now, ig_result **made);

#endif
