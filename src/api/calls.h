/* One call at a time on the handles of a set, whatever thread makes it, and the
 * caller's progress callback, which may cancel a call. */
#ifndef API_CALLS_H
#define API_CALLS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/watch.h"

typedef struct ig_calls ig_calls;

/* As isogloss_progress. */
typedef bool ig_call_progress(void *context, double share);

/* A call under way. Its stop is set once it is cancelled; work that knows its amount
 * sets `all`, and share is then watch.done / all. */
typedef struct ig_call {
    ig_watch watch;
    atomic_uint_least64_t all; /* 0: not known */
} ig_call;

typedef ig_status ig_call_work(void *context, ig_call *call, ig_error *error);

/* progress may be NULL. IG_OK or IG_NOMEM. */
ig_status ig_calls_new(ig_calls **calls, ig_call_progress *progress, void *context,
                       ig_error *error);

/* NULL is accepted. No call may be under way. */
void ig_calls_delete(ig_calls *calls);

/* The flag that is set while a call is being cancelled; of every call. */
const atomic_bool *ig_calls_stop(const ig_calls *calls);

/* Wait until no other thread has a call under way; ig_calls_leave ends this one.
 * IG_OK, IG_INTERRUPTED (cancelled meanwhile), or IG_USAGE: this thread has one under
 * way, and its progress callback makes another. */
ig_status ig_calls_enter(ig_calls *calls, ig_error *error);
void ig_calls_leave(ig_calls *calls);

/* Do the work of a call between these two. With a progress callback the work runs on a
 * thread of its own, without signals, and the calling thread asks the callback: once
 * before the work begins, and then every 50 ms. The status of the work, IG_INTERRUPTED
 * when it was cancelled in time; IG_IO: there is no thread to be had. */
ig_status ig_calls_run(ig_calls *calls, ig_call_work *work, void *context,
                       ig_error *error);

/* Whether a call is being cancelled. */
static inline bool ig_call_stopped(const ig_call *call)
{
    return ig_watch_stopped(&call->watch);
}

#endif
