/* The worker's state. Everything here belongs to the worker (the session's thread, or
 * the caller of ig_session_settle) but for `channel` and `texts`. */
#ifndef WORKER_WORKER_H
#define WORKER_WORKER_H

#include <pthread.h>

#include "data/portion.h"
#include "map/projection.h"
#include "search/searcher.h"
#include "worker/channel.h"
#include "worker/session.h"

/* What a map was made of. */
typedef struct ig_map_key {
    ig_map_space space;
    bool unit;
    size_t axis[2];
    unsigned long weights; /* serial of the weights shown */
    bool exact;            /* all rows, not a sample */
} ig_map_key;

struct ig_session {
    const ig_set *set;
    const ig_pairs *pairs;
    const char *pairing;
    ig_pool *pool;

    ig_channel channel;             /* all that passes between the threads, but for */
    _Atomic(ig_textsearch *) texts; /* set once by the worker */

    pthread_t thread;
    bool threaded;

    ig_view_request now; /* the request being served */
    ig_rows originals;

    /* the run */
    ig_run *run;
    bool stopped;    /* by hand */
    unsigned starts; /* commands to start carried out */
    bool refused;    /* the last of them came to nothing */
    double norm[IG_TERMS_MAX], new_norm[IG_TERMS_MAX];
    size_t new_norms;  /* terms of new_norm that are done */
    size_t norms_at;   /* records when they were computed; 0: not yet */
    double norms_next; /* clock: not before */
    size_t keep;       /* bytes for the weights of past epochs */
    double next_epoch; /* clock: not before (pace) */
    size_t told;       /* records when the last snapshot was published */
    bool saved;

    /* the others, and the one that is shown (worker/kept.h) */
    struct ig_kept *kept; /* (kepts) */
    size_t kepts, kept_capacity;
    unsigned numbers;    /* handed out */
    unsigned run_number; /* of `run` */
    unsigned shown_run;  /* whose weights are shown; 0: there is no run */

    /* A session without runs of its own for the map and neighbours beside (beside.c) */
    struct ig_session *beside;
    unsigned beside_run;        /* number, or 0 */
    unsigned long beside_shown; /* serial of the weights it has, when it is `run` */
    struct ig_session *main;    /* of a session beside: the one it belongs to */

    /* the weights shown, and rows made from them */
    ig_extractor shown;
    unsigned shown_of; /* number of their run: shown_run's follow when it has some */
    size_t shown_epoch;
    bool looking;               /* they are of a past epoch and stay */
    unsigned long shown_serial; /* 0: none, the originals alone */
    unsigned long serials;      /* handed out */
    float *cache[IG_SPACES];    /* (N, d) of meaning and language, or NULL */
    unsigned long cached;       /* serial of what is in the cache */
    ig_rows_narrow narrow;      /* of a run trained on the first columns alone: */
    ig_rows narrowed;           /* those of the originals */
    ig_space_rows space[IG_SPACES];
    ig_rows rows[IG_SPACES];

    /* the map */
    ig_map *map;
    bool mapped; /* map_key stands for a map made or failed */
    ig_map_key map_key;
    unsigned long maps;
    ig_projection projection;
    uint32_t *sample; /* (N) rows in a random order, once */

    /* neighbours */
    ig_searcher *searcher[IG_SPACES];
    unsigned long searched[IG_SPACES]; /* serial of the weights it knows */
    ig_neighbours *nearby;
    unsigned long nearbys;
    uint32_t searched_row; /* the last query and its weights, found or failed */
    unsigned long nearby_weights;
    unsigned long nearby_failed;           /* serial of one that cannot be completed */
    uint32_t *id_first, *id_row;           /* rows by id: id_row[id_first[i] …] */
    uint32_t *lang_first, *lang_row;       /* and by language */
    double *mean[IG_SPACES];               /* (languages) near(row) [margin] */
    uint8_t *to;                           /* (languages) the filter */
    struct ig_near_spaces *large, *coming; /* a large set's spaces, and those that are
                                              to follow (near.h) */
    double cheap; /* flops that a frame may take beside training */

    /* the measures of the weights shown (measuring.h) */
    struct ig_measuring *measuring;
    bool reporting;          /* a report is measured, or a run that has ended … */
    double reported_part;    /* … so far */
    const char *const *data; /* (data_words) DATA and its options, as typed */
    size_t data_words;

    bool texts_tried;
    bool checked;       /* all values seen to be finite */
    double shown_at;    /* clock: last snapshot */
    double quiet_until; /* clock: no map for new weights before this */
    bool dirty;         /* something to publish */
    bool at_once;       /* something was asked for: do not wait to publish */

    char message[IG_ERROR_SIZE];
    bool is_error;
    unsigned long news;
};

/* The rows of a space under the weights shown; false when it has none. */
bool ig_worker_rows(ig_session *session, ig_space space);

/* Make the map that is wanted. *exact asks for all rows whatever they cost, and tells
 * whether the map has them. IG_OK, IG_INTERRUPTED, or an error. Session.map is
 * replaced. */
ig_status ig_worker_map(ig_session *session, bool *exact, ig_error *error);

/* Whether all rows can be had beside training at little cost. */
bool ig_worker_cheap(const ig_session *session);

/* Whether the newest run is to go on, paused or not. */
bool ig_worker_training(const ig_session *session);

/* What the newest run does. */
ig_activity ig_worker_activity(const ig_session *session);

/* The trained run that is shown, or NULL: none is, or one that was read. */
ig_run *ig_worker_viewed(ig_session *session);

/* Whether the weights shown are to follow those of the newest run. */
bool ig_worker_follows(const ig_session *session);

/* The weights that are to be seen of a run: of the epoch *epoch when *looking and it is
 * kept (*looking: whether it is), else the newest, and of a run that is over the best.
 * *x is not a copy. False when there are none. */
bool ig_worker_weights(ig_session *session, unsigned number, bool *looking,
                       ig_extractor *x, size_t *epoch);

/* Show the weights of the run that is shown. */
void ig_worker_show_run(ig_session *session);

/* Show the run that is wanted, or the newest where that is not to be had. */
void ig_worker_select(ig_session *session);

/* Read, forget and write runs, and tell what became of it. */
void ig_worker_load(ig_session *session, const char *path);
void ig_worker_drop(ig_session *session, unsigned number);
void ig_worker_save(ig_session *session, unsigned number, const char *path);

/* The session for the run beside, with what is wanted and its weights; NULL when none
 * is to be seen. */
ig_session *ig_worker_beside(ig_session *session);

/* What cancels a long job. */
const atomic_bool *ig_worker_cancel(const ig_session *session);

/* Have the screen say something. */
void ig_worker_tell(ig_session *session, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether the run waits, by hand or where it was to halt. */
bool ig_worker_paused(const ig_session *session);

/* Amid a long task of the pool, on the worker's thread: find the neighbours of another
 * row when that is all that has arrived. False: more has, or it cannot be done now. */
bool ig_worker_serve(ig_session *session);

/* Find the neighbours that are wanted: what can be had at once, or `all` of them under
 * the weights shown. Session.nearby is replaced. */
ig_status ig_worker_nearby(ig_session *session, bool all, ig_error *error);

/* Do so as a job: tell what fails. Whether the row wanted is yet to be searched. */
void ig_worker_search(ig_session *session, bool all);
bool ig_worker_row_is_stale(const ig_session *session);

/* What was left out of them: whether there is something, and one more of it. */
bool ig_worker_nearby_due(const ig_session *session);
ig_status ig_worker_nearby_more(ig_session *session, ig_error *error);

/* Measure the weights shown. `idle`: there is nothing else to do. Whether there was
 * something to do. */
bool ig_worker_findings(ig_session *session, bool idle);

/* Measure on all there is, once; give up what is measured. */
void ig_worker_measure_exactly(ig_session *session);
void ig_worker_cancel_measuring(ig_session *session);

/* The pairs that are measured; what is measured of a portion of them. */
const ig_pairs *ig_worker_pairs(ig_session *session);
ig_subject ig_worker_subject(const ig_session *session, const ig_portion *portion,
                             const ig_scores *scores);

/* Measure all runs and write a report of them. */
void ig_worker_report(ig_session *session, const char *path);

/* Measure the best epoch of the run that has ended. IG_OK, IG_INTERRUPTED or
 * IG_NOMEM. */
ig_status ig_worker_finish(ig_session *session, ig_error *error);

/* Publish a snapshot amid a job. */
void ig_worker_publish(ig_session *session);

/* Do the most urgent job. Returns how long the worker may sleep: 0 there is more to do,
 * > 0 seconds, < 0 until something is wanted. */
double ig_worker_step(ig_session *session);

/* Show these weights from now on; false when memory is short. */
bool ig_worker_show(ig_session *session, const ig_extractor *extractor, size_t epoch);

void ig_course_release(ig_course *course);
void ig_map_release(ig_map *map);
void ig_neighbours_release(ig_neighbours *nearby);
void ig_findings_release(ig_findings *findings);

/* A snapshot of the worker's state, or NULL when memory is short. */
ig_snapshot *ig_snapshot_make(ig_session *session);

#endif
