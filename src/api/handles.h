/* Internals of the functions of include/isogloss.h: handles, calls and their settings.
 * A function fills an ig_call and runs it; all that functions share is there. */
#ifndef API_HANDLES_H
#define API_HANDLES_H

#include <isogloss.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "core/progress.h"
#include "data/pairs.h"
#include "train/run.h"
#include "train/train_options.h"
#include "view/projection.h"

/* --- handles ---------------------------------------------------------------------- */

typedef struct ig_handle_type {
    const char *name;    /* "dataset" */
    const char *made_by; /* functions */
    size_t size;
    void (*clear)(void *handle); /* frees what it owns, also after a failure */
} ig_handle_type;

extern const ig_handle_type ig_dataset_handle, ig_extractor_handle, ig_trainer_handle,
    ig_evaluation_handle;

/* The first member of every handle. */
typedef struct ig_handle {
    const ig_handle_type *type;  /* NULL: freed */
    const isogloss_dataset *set; /* that it belongs to, or itself */
    pid_t process; /* that made it: a forked child lacks its threads and locks */
} ig_handle;

/* Whether a handle is of a type. */
bool ig_handle_is(const void *handle, const ig_handle_type *type);

/* IG_OK, or IG_USAGE: NULL, freed, of another type or of another process. */
ig_status ig_handle_check(const void *handle, const ig_handle_type *type,
                          ig_error *why);

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

/* --- calls ------------------------------------------------------------------------ */

/* The calls that take settings. */
typedef enum ig_settings_of {
    IG_SETTINGS_OPEN = 1,
    IG_SETTINGS_ROWS = 2,
    IG_SETTINGS_TRAIN = 4, /* with all training options */
    IG_SETTINGS_EVALUATE = 8
} ig_settings_of;

/* The settings of all calls. */
typedef struct ig_settings {
    ig_dataset_options open;
    ig_train_options train;
    size_t threads, sample;
    const char *delimiter, *pairing, *pairs, *init, *scores[2]; /* ended by NULL */
    int ci, split;
} ig_settings;

/* A call: what it is made of, and from ig_call_begin on what it works with. */
typedef struct ig_call {
    const void *handle;                  /* that it is a call on, … */
    const ig_handle_type *of;            /* … of this type; NULL: a dataset */
    const isogloss_extractor *extractor; /* or NULL */
    isogloss_space space;                /* that is opened */
    ig_settings_of takes;
    const isogloss_setting *list; /* settings, or NULL */
    const ig_handle_type *makes;  /* type of the handle that it makes, or NULL */
    isogloss_progress *watch;     /* of a dataset that it makes */
    void *context;

    isogloss_dataset *set;
    ig_settings settings;
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
} ig_call;

/* Check the handles, wait for other calls, read the settings and open the space. The
 * progress callback is called now, and by the progress of the work every 50 ms.
 * IG_USAGE: a bad handle or setting, or called from a progress callback;
 * IG_INTERRUPTED; or the status of ig_call_open_space. */
ig_status ig_call_begin(ig_call *call);

/* End a call, with the status of its beginning or its work.
 *   made  out  pointer to the handle that is made, NULL after a failure; or NULL */
isogloss_status ig_call_end(ig_call *call, ig_status status, void *made,
                            isogloss_error *error);

/* Pairs from a file, or by a pairing of the settings.
 *   pairing   in  the default
 *   optional  in  a dataset without pairs is no error */
ig_status ig_call_pairs(ig_call *call, ig_pairs *pairs, const char *pairing,
                        bool optional);

/* Open the space of a call. IG_OK, IG_USAGE (unknown space), IG_VALUE (the extractor
 * lacks it or was not fitted on a language), IG_SHAPE or IG_NOMEM. */
ig_status ig_call_open_space(ig_call *call);

#endif
