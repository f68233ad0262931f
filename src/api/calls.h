/* Internals of the functions of include/isogloss.h: handles, calls and their settings.
 * A function fills an ig_call, begins it, works and ends it; these two do all that
 * functions share. */
#ifndef API_CALLS_H
#define API_CALLS_H

#include <isogloss.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "core/progress.h"
#include "data/pairs.h"
#include "measure/evaluation.h"
#include "train/run.h"
#include "train/train_options.h"
#include "view/projection.h"

/* --- handles ---------------------------------------------------------------------- */

typedef enum ig_handle_kind {
    IG_NO_HANDLE,
    IG_DATASET_HANDLE,
    IG_EXTRACTOR_HANDLE,
    IG_TRAINER_HANDLE,
    IG_EVALUATION_HANDLE
} ig_handle_kind;

/* The first member of every handle. */
typedef struct ig_handle {
    ig_handle_kind kind;
    isogloss_dataset *set; /* that it belongs to, or itself */
    pid_t process; /* that made it: a forked child lacks its threads and locks */
} ig_handle;

struct isogloss_dataset {
    ig_handle handle;
    ig_dataset *set;
    ig_pool *pool; /* used by the running call */
    ig_rows originals;
    isogloss_progress *progress; /* or NULL */
    void *context;
    pthread_mutex_t running; /* held by the running call; checks for errors */
};

struct isogloss_extractor {
    ig_handle handle;
    ig_run_info info;            /* read, or its weights a copy of those of a trainer */
    const char *const *language; /* (extractor.languages) that it was fitted on */
};

struct isogloss_trainer {
    ig_handle handle;
    ig_pairs pairs;
    ig_run *run;
    atomic_bool running;
};

struct isogloss_evaluation {
    ig_handle handle;
    ig_evaluation evaluation;
    ig_subset subset;
    ig_scores scores;
    bool ci;           /* has intervals */
    uint64_t checksum; /* of the dataset, subset, scores and seed */
};

/* Whether a handle is of a kind. */
bool ig_handle_is(const void *handle, ig_handle_kind kind);

/* IG_OK, or IG_USAGE: NULL, of another kind or of another process. */
ig_status ig_handle_check(const void *handle, ig_handle_kind kind, ig_error *why);

/* --- calls ------------------------------------------------------------------------ */

/* A call: what it is made of, and from ig_call_begin on what it works with. */
typedef struct ig_call {
    const void *handle;                  /* that it is a call on, … */
    ig_handle_kind of;                   /* … of this kind; 0: a dataset */
    const isogloss_extractor *extractor; /* or NULL */
    isogloss_space space;                /* that is opened */
    const ig_setting *takes;      /* members that are settings, ended by {0} … */
    bool trains;                  /* … and all training options */
    const isogloss_setting *list; /* settings, or NULL */
    ig_handle_kind makes;         /* kind of the handle that it makes, or 0 */

    isogloss_dataset *set;
    void *made;             /* handle to be filled */
    ig_map_source source;   /* rows of the space */
    ig_space_rows computed; /* of the source */
    ig_extractor adapted;   /* that of the space, if it depends on the language */
    ig_arena arena;         /* memory of the work */
    ig_progress progress;   /* calls the callback; share of the work: done / all */
    double all;             /* 0: unknown */
    double next;            /* time of the next callback */
    atomic_bool stop;       /* set by the callback */
    bool locked;
    ig_error why;

    /* Settings. */
    ig_dataset_options open;
    ig_train_options train;
    size_t threads, sample;
    const char *delimiter, *pairing, *pairs, *init, *scores[2]; /* ended by NULL */
    int ci, split;
} ig_call;

/* Check the handles, wait for other calls, read the settings and open the space. The
 * progress callback is called now, and by the progress of the work every 50 ms.
 * IG_USAGE: a bad handle, setting or space, or called from a progress callback;
 * IG_VALUE: the extractor lacks the space or was not fitted on a language; IG_SHAPE;
 * IG_NOMEM; IG_INTERRUPTED. */
ig_status ig_call_begin(ig_call *call);

/* Fail with IG_SHAPE if n items of `each` numbers are too many for memory. */
ig_status ig_call_check_size(ig_call *call, size_t n, size_t each);

/* End a call, with the status of its beginning or its work.
 *   made  out  pointer to the handle that is made, NULL after a failure; or NULL */
isogloss_status ig_call_end(ig_call *call, ig_status status, void *made,
                            isogloss_error *error);

/* Pairs from a file, or by the pairing of the settings; by the default `pairing` there
 * may be none. */
ig_status ig_call_pairs(ig_call *call, ig_pairs *pairs, const char *pairing);

/* Whether an extractor (or NULL) has a space for the dataset; as ig_call_begin. */
ig_status ig_space_check(const ig_dataset *set, const isogloss_extractor *extractor,
                         isogloss_space space, ig_error *why);

#endif
