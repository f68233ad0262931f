/* Internals of the handles of include/isogloss.h: calls, one at a time per dataset from
 * any thread, with progress and cancellation; settings of calls; spaces of a
 * dataset. */
#ifndef API_HANDLES_H
#define API_HANDLES_H

#include <isogloss.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core/error.h"
#include "core/progress.h"
#include "core/setting.h"
#include "data/columns.h"
#include "data/dataset.h"
#include "data/pairs.h"
#include "train/extractor.h"
#include "train/train_options.h"
#include "view/projection.h"

/* --- calls ------------------------------------------------------------------------ */

typedef struct ig_calls ig_calls;

/* As isogloss_progress. */
typedef bool ig_call_progress(void *context, double share);

/* A running call. progress.stop is set when it is cancelled; the share of done work is
 * progress.done / all. */
typedef struct ig_call {
    ig_progress progress;
    atomic_uint_least64_t all; /* 0: unknown */
} ig_call;

typedef ig_status ig_call_work(void *context, ig_call *call, ig_error *error);

/* progress may be NULL. IG_OK or IG_NOMEM. */
ig_status ig_calls_new(ig_calls **calls, ig_call_progress *progress, void *context,
                       ig_error *error);

/* NULL is accepted. No call may be running. */
void ig_calls_delete(ig_calls *calls);

/* The cancel flag, shared by all calls. */
const atomic_bool *ig_calls_stop(const ig_calls *calls);

/* Wait for other calls and begin this one; ig_calls_leave ends it. IG_OK,
 * IG_INTERRUPTED (cancelled while waiting), or IG_USAGE: called from a progress
 * callback. */
ig_status ig_calls_enter(ig_calls *calls, ig_error *error);
void ig_calls_leave(ig_calls *calls);

/* Run `work` as a call. With a progress callback the work runs on a separate thread
 * with signals blocked, and the calling thread calls the callback once before the work
 * and then every 50 ms. Returns the status of the work, IG_INTERRUPTED if cancelled,
 * IG_IO if no thread can be started. */
ig_status ig_calls_run(ig_calls *calls, ig_call_work *work, void *context,
                       ig_error *error);

/* Whether a call is being cancelled. */
static inline bool ig_call_stopped(const ig_call *call)
{
    return ig_progress_cancelled(&call->progress);
}

/* --- handles and spaces ----------------------------------------------------------- */

/* Constant after opening; `calls` serialises its users. */
struct isogloss_dataset {
    ig_dataset *set;
    ig_pool *pool; /* used by the running call */
    ig_rows originals;
    ig_calls *calls;
};

struct isogloss_extractor {
    ig_extractor extractor;
    char **language; /* (extractor.languages) that it was fitted on; NULL: it does
                        not depend on the language */
    const ig_dataset *trained_on;
    uint8_t *part;   /* (rows of trained_on) 1 + ig_split_part, 0: none; or NULL */
    char *directory; /* that it was opened from, or NULL */
};

/* Copy an extractor, with its language codes if it depends on them. IG_OK or
 * IG_NOMEM. */
ig_status ig_api_copy_extractor(isogloss_extractor **out, const ig_extractor *from,
                                const char *const *language, ig_error *why);

/* Convert a status and copy its message into the caller's error. */
isogloss_status ig_api_give(ig_status status, const ig_error *why,
                            isogloss_error *error);

/* A space of a dataset as a source of rows. Contains pointers into itself: do not
 * copy. */
typedef struct ig_api_space {
    ig_space_rows context;
    ig_map_source source;
    uint16_t *number; /* (languages) index in the extractor; NULL: the same */
    uint16_t *lang;   /* (N) languages of the rows in the extractor, or NULL */
} ig_api_space;

/* Open a space. IG_OK, IG_USAGE (unknown space), IG_VALUE (the extractor lacks it or
 * was not fitted on a language), IG_SHAPE or IG_NOMEM. Close it with ig_api_leave_space
 * in any case. */
ig_status ig_api_take_space(ig_api_space *out, const isogloss_dataset *set,
                            const isogloss_extractor *extractor, isogloss_space space,
                            ig_error *why);

/* A zeroed space is accepted. */
void ig_api_leave_space(ig_api_space *space);

/* Read rows in parallel: those of `row` (n), or, if NULL, n rows from `first`.
 *   out  out  (n, d) */
ig_status ig_api_read_rows(const ig_rows *rows, const uint32_t *row, size_t first,
                           size_t n, float *out, ig_pool *pool, ig_error *why);

/* --- settings --------------------------------------------------------------------- */

/* The settings of all calls. */
typedef struct ig_api_settings {
    ig_train_options train;
    const char *meta, *vectors, *delimiter, *lang, *columns;
    const char *column[IG_COLUMN_ROLES];
    int type;
    size_t dims, limit, raw_dim, threads;
    const char *pairing, *pairs, *init, *scores;
    int ci, split;
    size_t sample;
} ig_api_settings;

/* The calls that take settings. */
typedef enum ig_api_call {
    IG_API_OPEN = 1,
    IG_API_ROWS = 2,
    IG_API_TRAIN = 4, /* with all training options */
    IG_API_EVALUATE = 8
} ig_api_call;

/* Read the settings of a call. IG_OK, IG_USAGE or IG_VALUE. */
ig_status ig_api_read_settings(ig_api_settings *out, const isogloss_setting *list,
                               ig_api_call call, ig_error *why);

/* Pairs from a file, or by a pairing.
 *   pairing   in  the default
 *   optional  in  a dataset without pairs is no error */
ig_status ig_api_take_pairs(ig_pairs *pairs, const isogloss_dataset *set,
                            const ig_api_settings *s, const char *pairing,
                            bool optional, ig_error *why);

#endif
