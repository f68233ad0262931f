/* Serialising calls, and calling the progress callback. */
#include "api/handles.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "core/memory.h"

enum { POLL_NS = 50 * 1000 * 1000 };

/* The mutex guards busy, owner, and `done` of the current job. */
struct ig_calls {
    ig_call_progress *progress; /* or NULL */
    void *context;
    atomic_bool stop;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool busy;
    pthread_t owner; /* while busy */
};

ig_status ig_calls_new(ig_calls **calls, ig_call_progress *progress, void *context,
                       ig_error *error)
{
    ig_calls *c = *calls = ig_alloc(1, sizeof *c);

    if (!c)
        return ig_fail_memory(error, "a dataset");
    c->progress = progress;
    c->context = context;
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->changed, NULL);
    return IG_OK;
}

void ig_calls_delete(ig_calls *c)
{
    if (!c)
        return;
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->mutex);
    ig_free(c);
}

const atomic_bool *ig_calls_stop(const ig_calls *c)
{
    return &c->stop;
}

/* Wait for a change, at most POLL_NS with a callback. The mutex is locked. */
static void wait_change(ig_calls *c)
{
    struct timespec until;

    if (!c->progress) {
        pthread_cond_wait(&c->changed, &c->mutex);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += POLL_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&c->changed, &c->mutex, &until);
}

/* Call the progress callback; true: cancel. Unlocks the mutex meanwhile. */
static bool poll_cancel(ig_calls *c, double share)
{
    bool cancel;

    if (!c->progress)
        return false;
    pthread_mutex_unlock(&c->mutex);
    cancel = c->progress(c->context, share);
    pthread_mutex_lock(&c->mutex);
    return cancel;
}

ig_status ig_calls_enter(ig_calls *c, ig_error *error)
{
    ig_status status = IG_OK;

    pthread_mutex_lock(&c->mutex);
    if (c->busy && pthread_equal(c->owner, pthread_self()))
        status = ig_fail(error, IG_USAGE,
                         "a progress callback may not call functions of its dataset");
    while (c->busy && status == IG_OK) {
        if (poll_cancel(c, -1))
            status = ig_fail(error, IG_INTERRUPTED,
                             "cancelled by the progress "
                             "callback");
        else if (c->busy)
            wait_change(c);
    }
    if (status == IG_OK) {
        c->busy = true;
        c->owner = pthread_self();
        atomic_store(&c->stop, false);
    }
    pthread_mutex_unlock(&c->mutex);
    return status;
}

void ig_calls_leave(ig_calls *c)
{
    pthread_mutex_lock(&c->mutex);
    c->busy = false;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

/* Work on a separate thread. */
struct job {
    ig_calls *calls;
    ig_call *call;
    ig_call_work *work;
    void *context;
    ig_error *error;
    ig_status status;
    bool done;
};

static void *run_job(void *context)
{
    struct job *job = context;
    ig_status status = job->work(job->context, job->call, job->error);

    pthread_mutex_lock(&job->calls->mutex);
    job->status = status;
    job->done = true;
    pthread_cond_broadcast(&job->calls->changed);
    pthread_mutex_unlock(&job->calls->mutex);
    return NULL;
}

static double compute_share(ig_call *call)
{
    double all = (double)atomic_load(&call->all);
    double done = (double)atomic_load(&call->progress.done);

    return all <= 0 ? -1 : done < all ? done / all : 1;
}

static ig_status run_with_progress(ig_calls *c, struct job *job)
{
    pthread_t thread;
    sigset_t all, before;
    int failed;

    if (c->progress(c->context, -1))
        atomic_store(&c->stop, true);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&thread, NULL, run_job, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return ig_fail(job->error, IG_IO, "cannot start a thread: %s",
                       strerror(failed));
    pthread_mutex_lock(&c->mutex);
    while (!job->done) {
        wait_change(c);
        if (!job->done && poll_cancel(c, compute_share(job->call)))
            atomic_store(&c->stop, true);
    }
    pthread_mutex_unlock(&c->mutex);
    pthread_join(thread, NULL);
    return job->status;
}

ig_status ig_calls_run(ig_calls *c, ig_call_work *work, void *context, ig_error *error)
{
    ig_call call = {.progress = {.stop = &c->stop}};
    struct job job = {c, &call, work, context, error, IG_OK, false};
    ig_status status = ig_calls_enter(c, error);

    if (status != IG_OK)
        return status;
    status = c->progress ? run_with_progress(c, &job) : work(context, &call, error);
    ig_calls_leave(c);
    return status == IG_INTERRUPTED
               ? ig_fail(error, status, "cancelled by the progress callback")
               : status;
}
