/* The worker's state. Everything here belongs to the worker (the session's thread, or
 * the caller of ig_session_settle) but for the part named `shared`, whose rule stands
 * there. */
#ifndef LIVE_WORKER_H
#define LIVE_WORKER_H

#include <pthread.h>

#include "isogloss/live/session.h"
#include "isogloss/map/pca.h"
#include "isogloss/search/neighbours.h"

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

    /* shared: `lock` guards want, wants and ending; `published` is exchanged; `urgent`
     * is set by the screen to break off a long job and cleared by the worker */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    ig_want want;
    unsigned long wants; /* calls of ig_session_want */
    bool ending;
    atomic_bool urgent;
    _Atomic(ig_snapshot *) published;
    _Atomic(ig_textsearch *) texts; /* set once by the worker */
    atomic_bool closing;            /* breaks off even what `urgent` does not */
    int pipe[2];

    pthread_t thread;
    bool threaded;

    ig_want now;        /* the want being served */
    unsigned long seen; /* its number */
    ig_rows originals;

    /* the run */
    ig_run *run;
    bool stopped;       /* by hand */
    bool refused;       /* the last start came to nothing */
    unsigned run_start; /* the `start` that made it */
    double norm[IG_TERMS_MAX];
    size_t norms_at;   /* records when they were computed; 0: not yet */
    double norms_next; /* clock: not before */
    size_t keep;       /* bytes for the weights of past epochs */
    double next_epoch; /* clock: not before (pace) */
    size_t told;       /* records when the last snapshot was published */
    bool saved;

    /* the weights shown, and rows made from them */
    ig_extractor shown;
    char shown_name[128]; /* of what is shown without a run */
    size_t shown_epoch;
    bool looking;               /* they are of a past epoch and stay */
    unsigned long shown_serial; /* 0: none, the originals alone */
    float *cache[IG_SPACES];    /* (N, d) of meaning and language, or NULL */
    unsigned long cached;       /* serial of what is in the cache */
    ig_space_rows space[IG_SPACES];
    ig_rows rows[IG_SPACES];

    /* the map */
    ig_map *map;
    bool mapped; /* map_key stands for a map made or failed */
    ig_map_key map_key;
    unsigned long maps;
    ig_moments raw;        /* of the originals, once */
    ig_moments moments[3]; /* work: two spaces and what they make together */
    ig_pca pca;
    uint32_t *sample; /* (N) rows in a random order, once */

    /* neighbours */
    ig_neighbours *searcher[IG_SPACES];
    unsigned long searched[IG_SPACES]; /* serial of the weights it knows */
    ig_nearby *nearby;
    unsigned long nearbys;
    uint32_t searched_row; /* the last query and its weights, found or failed */
    unsigned long nearby_weights;
    uint32_t *id_first, *id_row; /* rows by id: id_row[id_first[i] …] */

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

/* Whether the run waits, by hand or where it was to halt. */
bool ig_worker_paused(const ig_session *session);

/* Find the neighbours that are wanted. Session.nearby is replaced. */
ig_status ig_worker_nearby(ig_session *session, ig_error *error);

/* Do the most urgent job. Returns how long the worker may sleep: 0 there is more to do,
 * > 0 seconds, < 0 until something is wanted. */
double ig_worker_step(ig_session *session);

/* Show these weights from now on; false when memory is short. */
bool ig_worker_show(ig_session *session, const ig_extractor *extractor, size_t epoch);

/* How many wants there have been. */
unsigned long ig_session_wants(ig_session *session);

/* Tell the screen that a snapshot waits. */
void ig_session_wake_screen(ig_session *session);

void ig_map_release(ig_map *map);
void ig_nearby_release(ig_nearby *nearby);

/* A snapshot of the worker's state, or NULL when memory is short. */
ig_snapshot *ig_snapshot_make(ig_session *session);

#endif
