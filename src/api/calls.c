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

/* When to call the callback next. */
static struct timespec next_poll(void)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += POLL_NS;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void *perform_call(void *context)
{
    ig_call *call = context;

    call->status =
        atomic_load(call->progress.stop)
            ? IG_INTERRUPTED
            : ig_settings_read(&call->settings, call->takes, call->list, &call->why);
    if (call->status == IG_OK)
        call->status = ig_call_open_space(call);
    if (call->status == IG_OK)
        call->status = call->work(call);
    sem_post(&call->done);
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
    struct timespec until;
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
    for (until = next_poll(); sem_timedwait(&call->done, &until) != 0;
         until = next_poll())
        if (set->progress(set->context, compute_share(call)))
            atomic_store(&set->stop, true);
    pthread_join(thread, NULL);
}

/* Perform the call when other calls on the dataset have ended. */
static ig_status perform_alone(isogloss_dataset *set, ig_call *call)
{
    if (pthread_mutex_lock(&set->running) != 0)
        return ig_fail(&call->why, IG_USAGE,
                       "a progress callback may not call functions of its dataset");
    atomic_store(&set->stop, false);
    call->progress.stop = &set->stop;
    sem_init(&call->done, 0, 0);
    if (set->progress)
        perform_with_progress(set, call);
    else
        perform_call(call);
    sem_destroy(&call->done);
    pthread_mutex_unlock(&set->running);
    if (call->status == IG_INTERRUPTED)
        ig_fail(&call->why, IG_INTERRUPTED, "cancelled by the progress callback");
    return call->status;
}

isogloss_status ig_call_run(ig_call *call, void *made, isogloss_error *error)
{
    isogloss_dataset *set = NULL;
    ig_status status = ig_handle_check(
        call->handle, call->of ? call->of : &ig_dataset_handle, &call->why);

    if (status == IG_OK)
        call->set = set = (isogloss_dataset *)((const ig_handle *)call->handle)->set;
    if (status == IG_OK && call->extractor)
        status = ig_handle_check(call->extractor, &ig_extractor_handle, &call->why);
    if (status == IG_OK && call->makes &&
        !(call->made = ig_handle_new(call->makes, set)))
        status = ig_fail_memory(&call->why, call->makes->name);
    if (status == IG_OK)
        status = perform_alone(set, call);
    ig_arena_free(&call->arena);
    ig_extractor_free(&call->adapted);
    if (status != IG_OK) {
        isogloss_free(call->made);
        call->made = NULL;
    }
    if (made)
        memcpy(made, &call->made, sizeof call->made);
    return ig_call_end(status, &call->why, error);
}
