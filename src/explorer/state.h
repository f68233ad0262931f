/* The state of a session.
 *
 * The session thread (or the caller of ig_session_settle) owns all of it, except
 * `channel` and `texts`, and except the map, neighbours and evaluation states while a
 * job works on them; `prepare` copies the inputs of a job (explorer/jobs.c). The newest
 * results are exchanged under `results`. */
#ifndef WORKER_STATE_H
#define WORKER_STATE_H

#include <pthread.h>
#include <sys/stat.h>

#include "explorer/channel.h"
#include "explorer/evaluation_state.h"
#include "explorer/map_result.h"
#include "explorer/neighbours.h"
#include "explorer/scheduler.h"
#include "explorer/snapshot.h"
#include "explorer/typed.h"
#include "measure/distinctive_words.h"
#include "measure/textsearch.h"

/* The view of one run: the run shown, or the run compared. */
typedef struct ig_view_state {
    ig_shown *shown; /* held, never NULL */
    ig_map_result map;
    ig_neighbourhood neighbours;
    ig_evaluation_state evaluation;
    unsigned asked; /* number of exact measurements requested */
} ig_view_state;

/* The runs, and the newest one, which may be in training (training.c). */
typedef struct ig_training {
    ig_runs runs;
    ig_run_entry *newest; /* NULL: none */
    unsigned starts;      /* start commands executed */
    bool refused;         /* the last start command failed */
    size_t keep;          /* bytes for the weights of past epochs */
    double next_epoch;    /* clock: earliest start (pace) */
} ig_training;

/* A run directory that another process writes (training.c). */
typedef struct ig_following {
    char *path;       /* of the directory; NULL: none */
    unsigned number;  /* of its run; 0: no checkpoint yet */
    bool over;        /* no longer followed */
    double next;      /* clock: next look at the directory */
    struct stat seen; /* run.json of the checkpoint read */
} ig_following;

/* The size of each term's gradient. */
typedef struct ig_norms {
    double norm[IG_TERMS_MAX];
    unsigned run; /* number, 0: none yet */
} ig_norms;

/* The message on the screen, and when to publish (publish.c). */
typedef struct ig_message {
    char message[IG_ERROR_SIZE];
    bool is_error;
    unsigned long news;
    size_t asking;  /* sentences at the encoder, as last published */
    bool dirty;     /* there is something to publish … */
    bool at_once;   /* … without delay */
    double last;    /* clock: last snapshot */
    bool reporting; /* measuring and writing a report … */
    double part;    /* … progress, 0 … 1 */
} ig_message;

enum { IG_NO_WEIGHTS = 0 }; /* differs from the id of any weights of a run */

struct ig_session {
    ig_channel channel;
    _Atomic(ig_textsearch *) texts; /* set once, by the job that adds to it */
    ig_corpus words;                /* of that job alone until … */
    atomic_bool has_words;          /* … they are whole */
    pthread_t thread;
    bool threaded;
    bool live;    /* with a screen: training shares its time with results */
    bool settles; /* without one: only final results, no samples */
    double (*clock)(void);

    ig_work work;             /* of version 0; each lane has a copy */
    ig_version_rows *of;      /* (versions) */
    size_t versions, version; /* … the one shown */
    ig_versions dataset;      /* of them; this thread frees those that join */
    double next_look;         /* clock: at the folder they are in … */
    ig_versions looked;       /* … by a job, which opens them in this copy */
    ig_versions_news found;
    ig_version_figures *figures;   /* (versions) */
    ig_version_figures figured;    /* what the job measures, of version `figuring` */
    size_t figuring, figuring_of;  /* … of so many */
    ig_evaluation_state measuring; /* used by that job */
    pthread_mutex_t results;
    ig_lane lane[IG_LANES];
    ig_result product[IG_PRODUCTS];

    ig_row_index index;      /* used by IG_LANE_NEIGHBOURS */
    ig_view_request request; /* being served; `row` is valid or IG_NO_ROW */
    const char *pairing;
    const char *const *data; /* (data_words) DATA and its options, as typed */
    size_t data_words;
    size_t opened; /* versions, before any joined */
    bool checked;  /* values were checked to be finite when the dataset was opened */

    ig_training training;
    ig_following following;
    unsigned selected; /* number of the run to show; it may have no weights yet */
    bool looking;      /* showing a past epoch of it */
    bool compares;     /* `other` is shown, too */
    unsigned compared; /* number of the run compared, or 0 */
    uint64_t compared_weights; /* id of its weights, which training changes */
    unsigned long weights;     /* serial of the newest weights shown */
    unsigned long filters;     /* grows when the language filter changes … */
    unsigned long axes;        /* … and when the map's custom axes change */
    ig_view_state main, other;
    ig_norms norms;
    ig_row_order *table;                 /* the newest, or NULL; under `results` */
    ig_shown_evaluation *table_measured; /* held for the job, or NULL */
    ig_typed_sentences typed_sentences;
    ig_typed_list searched; /* the copy that a job searches */
    ig_message out;
};

/* Whether another process is writing the run of that number. */
static inline bool ig_following_goes_on(const ig_following *f, unsigned number)
{
    return f->path && !f->over && number && number == f->number;
}

/* Whether the newest run is unfinished, paused or not. */
static inline bool ig_training_is_going(const ig_session *s)
{
    return s->training.newest && ig_run_entry_going(s->training.newest);
}

/* Whether it is paused, by hand or at `halt`. */
static inline bool ig_training_is_paused(const ig_session *s)
{
    const ig_run_entry *newest = s->training.newest;

    return s->request.paused ||
           (newest && s->request.halt && newest->run->info.records >= s->request.halt);
}

/* Whether it is training now. */
static inline bool ig_training_is_busy(const ig_session *s)
{
    return ig_training_is_going(s) && !ig_training_is_paused(s);
}

/* Take over the versions that have joined the dataset. */
void ig_session_add_versions(ig_session *session);

/* --- results (jobs.c) --------------------------------------------------------- */

/* Initialise the table of results. */
void ig_jobs_init(ig_session *session);

/* Start jobs on idle lanes. True if one ran here, on the session thread; `attends`: not
 * here, because the session thread is inside a long job and only polls. */
bool ig_jobs_begin(ig_session *session, bool attends);

/* Take over the results of finished jobs. */
void ig_jobs_take(ig_session *session);

/* The lane that is computing a result, or NULL. */
const ig_lane *ig_jobs_under_way(const ig_session *session, ig_result_id product);

/* Measure all rows, whatever it costs; cancel measuring. */
void ig_jobs_measure_all(ig_session *session);
void ig_jobs_cancel_measures(ig_session *session);

/* --- publishing (publish.c) ------------------------------------------------------- */

/* Seconds between snapshots during training, so that a pace of ten epochs a second is
 * not halved by jitter; and during a job. */
#define IG_BETWEEN_SNAPSHOTS 0.09
#define IG_BETWEEN_TICKS     0.2

/* Set the message on the screen. */
void ig_show_message(ig_session *session, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Publish a snapshot if one is due. Returns the seconds until the next; < 0: nothing to
 * publish. */
double ig_publish_if_due(ig_session *session);

/* Call regularly during a long job on the session thread: serves the newest request and
 * publishes.
 *   part  in  progress of the job, 0 … 1 */
void ig_session_poll(ig_session *session, double part);

#endif
