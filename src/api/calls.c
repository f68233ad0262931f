/* Handles, and calls on a dataset: one at a time from any thread, with progress and
 * cancellation. */
#include "api/handles.h"

#include <assert.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"

enum { POLL_NS = 50 * 1000 * 1000 };

static_assert((int)ISOGLOSS_INTERRUPTED == (int)IG_INTERRUPTED, "one list of statuses");
static_assert(sizeof((isogloss_error *)0)->message == IG_ERROR_SIZE,
              "one size of messages");

isogloss_status ig_call_end(ig_status status, const ig_error *why,
                            isogloss_error *error)
{
    if (status != IG_OK && error) {
        error->status = (isogloss_status)status;
        memcpy(error->message, why->message, sizeof error->message);
    }
    return (isogloss_status)status;
}

/* --- handles ---------------------------------------------------------------------- */

void *ig_handle_new(const ig_handle_type *type, const isogloss_dataset *set)
{
    ig_handle *handle = ig_alloc(1, type->size);

    if (handle)
        *handle = (ig_handle){type, set ? set : (isogloss_dataset *)handle, getpid()};
    return handle;
}

bool ig_handle_is(const void *handle, const ig_handle_type *type)
{
    return handle && ((const ig_handle *)handle)->type == type;
}

ig_status ig_handle_check(const void *handle, const ig_handle_type *type, ig_error *why)
{
    if (!ig_handle_is(handle, type))
        return ig_fail(why, IG_USAGE, "no %s (NULL, freed or another handle): call %s",
                       type->name, type->made_by);
    if (((const ig_handle *)handle)->process != getpid())
        return ig_fail(why, IG_USAGE,
                       "the %s was made before a fork: call %s in this process",
                       type->name, type->made_by);
    return IG_OK;
}

void isogloss_free(void *handle)
{
    static const ig_handle_type *const types[] = {
        &ig_dataset_handle, &ig_extractor_handle, &ig_trainer_handle,
        &ig_evaluation_handle};

    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (ig_handle_check(handle, types[t], NULL) == IG_OK) {
            types[t]->clear(handle);
            ((ig_handle *)handle)->type = NULL;
            ig_free(handle);
            return;
        }
}

/* --- calls ------------------------------------------------------------------------ */

/* Wait for a change of the dataset; with a callback for at most POLL_NS, and then call
 * it. The mutex is locked, but not during the callback. Returns whether to cancel. */
static bool wait_change(isogloss_dataset *set, double share)
{
    struct timespec until;
    bool cancel;

    if (!set->progress) {
        pthread_cond_wait(&set->changed, &set->mutex);
        return false;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += POLL_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&set->changed, &set->mutex, &until);
    pthread_mutex_unlock(&set->mutex);
    cancel = set->progress(set->context, share);
    pthread_mutex_lock(&set->mutex);
    return cancel;
}

/* Wait for other calls and begin this one. */
static ig_status enter_call(isogloss_dataset *set, ig_error *why)
{
    ig_status status = IG_OK;

    pthread_mutex_lock(&set->mutex);
    if (set->busy && pthread_equal(set->owner, pthread_self()))
        status = ig_fail(why, IG_USAGE,
                         "a progress callback may not call functions of its dataset");
    while (set->busy && status == IG_OK)
        if (wait_change(set, -1))
            status = IG_INTERRUPTED;
    if (status == IG_OK) {
        set->busy = true;
        set->owner = pthread_self();
        atomic_store(&set->stop, false);
    }
    pthread_mutex_unlock(&set->mutex);
    return status;
}

/* Set a flag of a call or its dataset, and wake the threads that wait for it. */
static void set_flag(isogloss_dataset *set, bool *flag, bool value)
{
    pthread_mutex_lock(&set->mutex);
    *flag = value;
    pthread_cond_broadcast(&set->changed);
    pthread_mutex_unlock(&set->mutex);
}

static void *perform_call(void *context)
{
    ig_call *call = context;

    call->status = atomic_load(call->progress.stop) ? IG_INTERRUPTED
                                                    : ig_settings_read(call);
    if (call->status == IG_OK)
        call->status = ig_call_open_space(call);
    if (call->status == IG_OK)
        call->status = call->kind->work(call);
    set_flag((isogloss_dataset *)call->set, &call->done, true);
    return NULL;
}

static double compute_share(ig_call *call)
{
    double all = (double)atomic_load(&call->all);
    double done = (double)atomic_load(&call->progress.done);

    return all <= 0 ? -1 : done < all ? done / all : 1;
}

/* Perform the call on a thread, and call the callback meanwhile. */
static void perform_with_progress(isogloss_dataset *set, ig_call *call)
{
    pthread_t thread;
    sigset_t all, before;
    int failed;

    if (set->progress(set->context, -1))
        atomic_store(&set->stop, true);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&thread, NULL, perform_call, call);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        call->status =
            ig_fail(&call->why, IG_IO, "cannot start a thread: %s", strerror(failed));
        return;
    }
    pthread_mutex_lock(&set->mutex);
    while (!call->done)
        if (wait_change(set, compute_share(call)))
            atomic_store(&set->stop, true);
    pthread_mutex_unlock(&set->mutex);
    pthread_join(thread, NULL);
}

isogloss_status ig_call_run(const ig_call_kind *kind, const void *handle,
                            const isogloss_extractor *extractor, isogloss_space space,
                            const isogloss_setting *list, const void *in, void *made,
                            isogloss_error *error)
{
    ig_call call = {.kind = kind,
                    .list = list,
                    .handle = handle,
                    .extractor = extractor,
                    .space = space,
                    .in = in};
    isogloss_dataset *set = NULL;
    ig_status status = ig_handle_check(handle, kind->of, &call.why);

    if (status == IG_OK)
        call.set = set = (isogloss_dataset *)((const ig_handle *)handle)->set;
    if (status == IG_OK && extractor)
        status = ig_handle_check(extractor, &ig_extractor_handle, &call.why);
    if (status == IG_OK && kind->makes) {
        call.made = ig_handle_new(kind->makes, set);
        if (!call.made)
            status = ig_fail_memory(&call.why, kind->makes->name);
    }
    if (status == IG_OK)
        status = enter_call(set, &call.why);
    if (status == IG_OK) {
        call.progress.stop = &set->stop;
        if (set->progress)
            perform_with_progress(set, &call);
        else
            perform_call(&call);
        set_flag(set, &set->busy, false);
        status = call.status;
    }
    ig_arena_free(&call.arena);
    if (status == IG_INTERRUPTED)
        ig_fail(&call.why, status, "cancelled by the progress callback");
    if (status != IG_OK) {
        isogloss_free(call.made);
        call.made = NULL;
    }
    if (made)
        memcpy(made, &call.made, sizeof call.made);
    return ig_call_end(status, &call.why, error);
}
