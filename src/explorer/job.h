/* Jobs: work that the screen does not wait for. The screen thread owns the session; a
 * job owns its inputs and what it makes.
 *
 *     screen thread                                a thread for each job
 *     ig_jobs_begin: cancel jobs, start jobs  ───▶ kind->make, polls job->cancel
 *     poll(jobs.pipe[0])                      ◀─── ig_job_report: a value
 *     ig_jobs_take: kind->finish              ◀─── the end of the job
 *
 * A result, such as the map, has a key built from its inputs; it is stale when the key
 * differs from that of the last one made. There is no queue: an idle lane takes its
 * most urgent stale result with the inputs of that moment. A change of what the user
 * asked for cancels the job; of what follows by itself (weights) it does not. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "core/pool.h"
#include "data/pairs.h"
#include "data/versions.h"
#include "explorer/results.h"
#include "report/document.h"

/* What every job is given. */
typedef struct ig_work {
    const ig_dataset *set;
    const ig_pairs *pairs;
    ig_pool *pool;
    double cheap; /* flops that a frame may take during training */
} ig_work;

/* --- shown ------------------------------------------------------------------------ */

/* A version of the dataset. */
typedef struct ig_version_entry {
    const ig_dataset *set;
    ig_rows originals;
    bool measured;                          /* or that failed: */
    struct ig_shown_evaluation *evaluation; /* without values of rows; or NULL */
} ig_version_entry;

/* Weights of a run on a version, or that version alone; immutable, shared by count. */
typedef struct ig_shown {
    size_t version;
    const ig_version_entry *of;
    unsigned run; /* number of the run whose weights they are; 0: none, the originals */
    size_t epoch;
    unsigned long serial; /* unique */
    ig_extractor x;       /* a copy */

    /* Private: rows, made when they are asked for first. */
    const ig_work *work;
    atomic_int users;
    pthread_mutex_t lock; /* while they are made */
    bool ready;
    ig_measured computed;
    ig_rows rows[IG_SPACES]; /* the same, or … */
    ig_arena kept;           /* … (N, d) of meaning and language */
} ig_shown;

/* Weights on a version, which outlives them; x NULL: originals. NULL: no memory. */
ig_shown *ig_shown_new(const ig_work *work, size_t version, const ig_version_entry *of,
                       unsigned run, const ig_extractor *x, size_t epoch,
                       unsigned long serial);

/* Run and version, in keys of results. */
static inline uint64_t ig_shown_view(const ig_shown *shown)
{
    return shown->run | (uint64_t)shown->version << 32;
}

/* Its run, version, epoch and strength. */
static inline ig_made_by ig_shown_made(const ig_shown *shown)
{
    return (ig_made_by){shown->run, shown->version, shown->epoch, shown->x.strength};
}

/* One user less (NULL is accepted); *held := shown, with one user more. */
void ig_shown_release(ig_shown *shown);
void ig_shown_hold(ig_shown **held, ig_shown *shown);

/* The rows of a space, or NULL when it has none. */
const ig_rows *ig_shown_rows(ig_shown *shown, ig_space space);

/* The rows that a frame of the map may have during training, with their moments. */
double ig_shown_cheap_rows(const ig_work *work);

/* --- results and jobs ------------------------------------------------------------- */

typedef struct ig_session ig_session; /* explorer/session.h */
typedef struct ig_result ig_result;
typedef struct ig_job ig_job;

/* A lane has one job at a time. Without threads they work in this order. */
typedef enum ig_lane_id {
    IG_LANE_FILES, /* waits for a disk; commands first */
    IG_LANE_NEIGHBOURS,
    IG_LANE_MAP,
    IG_LANE_MEASURES,
    IG_LANE_ONCE,
    IG_LANE_ENCODE,
    IG_LANE_TRAIN,
    IG_LANES
} ig_lane_id;

/* The inputs of a result. */
typedef struct ig_result_key {
    uint64_t asked[7]; /* the user's view */
    uint64_t weights;  /* serial of those shown: changes without the user */
    bool sample;       /* set by `make`: not of all rows yet */
} ig_result_key;

/* Why a result is made, most urgent first. */
typedef enum ig_cause {
    IG_CAUSE_ASKED,  /* the user changed the view: at once */
    IG_CAUSE_FOLLOW, /* the weights changed: during training in its share of the time */
    IG_CAUSE_WHOLE,  /* it is a sample, or for idle time: when no run is training */
    IG_CAUSE_NONE    /* it is up to date */
} ig_cause;

/* A kind of result. Only `make` is required, and only it runs on the lane. */
typedef struct ig_result_kind {
    ig_lane_id lane;
    bool idle;      /* it waits for idle time */
    double share;   /* of the time during training, when it follows the weights */
    bool repeats;   /* it is never up to date */
    unsigned needs; /* IG_ASKS_… of the view, without which it is not wanted */
    /* The key that it should have now (zeroed before; NULL: zeros); false: unwanted. */
    bool (*key)(const ig_session *session, const ig_result *result, ig_result_key *key);
    /* Copy or lend further inputs; job->status: out of memory. */
    void (*prepare)(ig_session *session, ig_job *job);
    /* May change job->made. IG_OK, IG_INTERRUPTED, or an error. */
    ig_status (*make)(ig_job *job);
    /* The job is over, whatever its status. */
    void (*finish)(ig_session *session, ig_job *job);
    void (*free)(void *value); /* frees a value that was reported, or NULL */
} ig_result_kind;

struct ig_result {
    const ig_result_kind *kind;
    void *view;                  /* the view that it belongs to … */
    ig_shown **shown;            /* … and what that shows; each or NULL */
    void *value;                 /* reported last, or NULL; jobs of it may read it */
    char failure[IG_ERROR_SIZE]; /* why the last job failed, or "" */
    ig_job *job;                 /* under way, or NULL */
    ig_result_key made;          /* key of the last result … */
    bool known;                  /* … or failure; false: none yet */
    double next;                 /* clock: earliest start when it follows */
};

/* The job of a lane. */
struct ig_job {
    ig_session *session; /* `make` reads what does not change during the job */
    const ig_work *work;
    int post;           /* writing end of the pipe */
    ig_result *result;  /* NULL: the lane is idle */
    ig_result_key key;  /* wanted */
    ig_result_key made; /* out: initially `key` */
    ig_cause cause;
    double start;         /* clock */
    ig_view_request view; /* a copy */
    ig_shown *shown;      /* held: what the view of the result shows, or NULL */
    atomic_int permille;  /* progress of a long job, or 0 */
    atomic_bool cancel;
    ig_status status;
    ig_error error;
    pthread_t thread;
    bool threaded;
};

typedef struct ig_jobs {
    ig_session *session;
    const ig_view_request *view; /* the newest */
    double (*clock)(void);
    int pipe[2];
    bool threaded; /* else jobs run in ig_jobs_begin, one a call */
    ig_job lane[IG_LANES];
    ig_result *result; /* (results) of equal urgency the first goes first */
    size_t results;
    double wait;     /* seconds until the next job may start; < 0: none waits */
    bool changed;    /* since the screen set it to false: something was taken … */
    bool at_once;    /* … which is to be shown without delay … */
    ig_error failed; /* … the newest failure, or "" */
} ig_jobs;

/* Open the pipe. IG_OK or IG_IO; _close: cancel all jobs and free values, once. */
ig_status ig_jobs_open(ig_jobs *jobs, const ig_work *work, ig_error *error);
void ig_jobs_close(ig_jobs *jobs);

/* Take what jobs have reported. Cancel outdated jobs and start those of idle lanes;
 * without threads one job runs. Both: false, nothing was to be done.
 *   busy   in  a run is training: jobs for idle time wait
 *   share  in  what follows the weights waits for its share of the time */
bool ig_jobs_take(ig_jobs *jobs);
bool ig_jobs_begin(ig_jobs *jobs, bool busy, bool share);

/* From kind->make: pass a value that replaces the one of the result. */
void ig_job_report(ig_job *job, void *value);

/* Context of ig_progress.tick: `done` before a part of a job, `each` of its units. */
typedef struct ig_job_part {
    ig_job *job;
    double done, each;
} ig_job_part;
void ig_job_tick(void *part, double units);
