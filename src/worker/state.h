/* The state of a session, in parts with one owner each. All of it belongs to the worker
 * (the session's thread, or the caller of ig_session_settle) but for `channel` and
 * `texts`. */
#ifndef WORKER_STATE_H
#define WORKER_STATE_H

#include <pthread.h>
#include <sys/stat.h>

#include "search/textsearch.h"
#include "worker/channel.h"
#include "worker/evaluation_state.h"
#include "worker/guests.h"
#include "worker/map_product.h"
#include "worker/neighbours.h"
#include "worker/scheduler.h"
#include "worker/snapshot.h"

/* What is seen of one run: the one shown, and the one compared. */
typedef struct ig_view_state {
    ig_shown shown;
    ig_map_product map;
    ig_neighbourhood neighbours;
} ig_view_state;

/* The runs, and the newest of them, which may be in training (training.c). */
typedef struct ig_training {
    ig_runs runs;
    ig_run_entry *newest; /* NULL: there is none */
    unsigned starts;      /* commands to start carried out */
    bool refused;         /* the last of them came to nothing */
    size_t keep;          /* bytes for the weights of past epochs */
    double next_epoch;    /* clock: not before (pace) */
} ig_training;

/* A run directory that another process writes (following.c). */
typedef struct ig_following {
    char *path;       /* of the directory; NULL: none */
    unsigned number;  /* of its run; 0: nothing was there yet */
    bool over;        /* it is looked at no more */
    double next;      /* clock: not before */
    struct stat seen; /* run.json of the checkpoint that was read */
} ig_following;

/* The size of each term's gradient (product_table.c). */
typedef struct ig_norms {
    double norm[IG_TERMS_MAX];
    unsigned run; /* number, 0: none yet */
} ig_norms;

/* What the screen is told besides (publish.c). */
typedef struct ig_telling {
    char message[IG_ERROR_SIZE];
    bool is_error;
    unsigned long news;
    size_t asking;  /* sentences told to be at the encoder */
    bool dirty;     /* something to publish … */
    bool at_once;   /* … that was asked for: it does not wait */
    double last;    /* clock: last snapshot */
    bool reporting; /* a report is made */
    bool long_job;  /* a report is measured, or a run that has ended … */
    double part;    /* … so far: 0 … 1 */
} ig_telling;

enum { IG_NO_WEIGHTS = 0 }; /* tells apart from all that a run has */

struct ig_session {
    ig_channel channel;
    _Atomic(ig_textsearch *) texts; /* set once by the worker, which adds to it */
    pthread_t thread;
    bool threaded;
    bool live; /* somebody looks on: shares of the time count, and training is shared */
    bool settles; /* nobody sees what comes on the way: no sample before all rows */
    double (*clock)(void);

    ig_work work;
    ig_row_index index;
    ig_view_request request; /* the one being served; its row is one of the set */
    const char *pairing;
    const char *const *data; /* (data_words) DATA and its options, as typed */
    size_t data_words;
    bool checked; /* values were seen to be finite when the set was opened … */
    size_t checked_rows, zero_rows; /* … or those of so many rows since */

    ig_training training;
    ig_following following;
    unsigned selected; /* number of the run to be shown; it may have no weights yet */
    bool looking;      /* its weights are those of a past epoch, and stay */
    unsigned compared; /* number of the run compared, or 0 */
    uint64_t compared_weights; /* tells those of a run in training apart */
    unsigned long filters;     /* grows with every other choice of languages … */
    unsigned long axes;        /* … and of axes laid through the map */
    ig_view_state main, other;
    ig_evaluation_state evaluation, evaluation_compared;
    ig_norms norms;
    ig_guests guests;
    ig_product product[IG_PRODUCTS];
    ig_telling telling;
};

/* Whether the run of that number is written by another process now. */
static inline bool ig_following_goes_on(const ig_following *f, unsigned number)
{
    return f->path && !f->over && number && number == f->number;
}

/* Whether the newest run is to go on, paused or not. */
static inline bool ig_training_is_going(const ig_session *s)
{
    return s->training.newest && ig_run_entry_going(s->training.newest);
}

/* Whether it waits, by hand or where it was to halt. */
static inline bool ig_training_is_paused(const ig_session *s)
{
    const ig_run_entry *newest = s->training.newest;

    return s->request.paused ||
           (newest && s->request.halt && newest->run->records >= s->request.halt);
}

/* Whether it trains now. */
static inline bool ig_training_is_busy(const ig_session *s)
{
    return ig_training_is_going(s) && !ig_training_is_paused(s);
}

/* --- products --------------------------------------------------------------------- */

/* Lay out the products of a session. */
void ig_product_table_init(ig_session *session);

/* Products that are more urgent than this come before a step of training, others
 * after. */
enum { IG_URGENCY_TRAINING = 10, IG_URGENCY_SEEN = 50 };

/* Called amid a long job on the worker's thread (ig_work.attend): finds the neighbours
 * of another row when that is all that has arrived, or lets it cancel the job where
 * they cannot be had now. */
void ig_product_table_attend(void *session, double part);

/* --- publishing ------------------------------------------------------------------- */

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
