/* The loading thread, and what it tells. */
#include "worker/loading.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/pool.h"

struct ig_loading {
    pthread_t thread;
    ig_loading_work *work;
    void *context;
    atomic_bool stop;
    int input;
    int pipe[2];

    pthread_mutex_t lock; /* guards the following */
    char text[IG_LOADING_TEXT];
    double part;
    bool over;

    ig_status status; /* of the work, and its error: the thread's until it ends */
    ig_error error;
};

/* Let the screen look. When the pipe is full, it has bytes enough to wake on. */
static void wake(ig_loading *l)
{
    ssize_t written = write(l->pipe[1], "", 1);

    (void)written;
}

static int percent(double part)
{
    return part < 0 ? -1 : (int)(100 * part);
}

static void tell(void *context, const char *doing, const char *file, double part)
{
    ig_loading *l = context;
    const char *slash = strrchr(file, '/');
    char text[IG_LOADING_TEXT];
    bool differs;

    snprintf(text, sizeof text, "%s %s", doing, slash && slash[1] ? slash + 1 : file);
    pthread_mutex_lock(&l->lock);
    differs = strcmp(text, l->text) != 0 || percent(part) != percent(l->part);
    memcpy(l->text, text, sizeof text);
    l->part = part;
    pthread_mutex_unlock(&l->lock);
    if (differs)
        wake(l);
}

static void *run(void *argument)
{
    ig_loading *l = argument;
    const ig_reading reading = {
        .stop = &l->stop, .tell = tell, .context = l, .input = l->input};

    l->status = l->work(l->context, &reading, &l->error);
    pthread_mutex_lock(&l->lock);
    l->over = true;
    pthread_mutex_unlock(&l->lock);
    wake(l);
    return NULL;
}

static void release(ig_loading *l)
{
    for (int i = 0; i < 2; i++)
        if (l->pipe[i] >= 0)
            close(l->pipe[i]);
    pthread_mutex_destroy(&l->lock);
    ig_free(l);
}

ig_status ig_loading_start(ig_loading **loading, ig_loading_work *work, void *context,
                           int input, ig_error *error)
{
    ig_loading *l = ig_alloc(1, sizeof *l);
    int failed;

    *loading = NULL;
    if (!l)
        return ig_fail_memory(error, "the reading of the data");
    l->work = work;
    l->context = context;
    l->input = input;
    l->part = -1;
    l->pipe[0] = l->pipe[1] = -1;
    pthread_mutex_init(&l->lock, NULL);
    failed = pipe(l->pipe) == 0 ? 0 : errno;
    for (int i = 0; i < 2 && !failed; i++) {
        fcntl(l->pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(l->pipe[i], F_SETFD, FD_CLOEXEC);
    }
    if (!failed)
        failed = ig_thread_start(&l->thread, run, l);
    if (failed) {
        release(l);
        return ig_fail(error, IG_IO, "cannot start to read the data: %s",
                       strerror(failed));
    }
    *loading = l;
    return IG_OK;
}

int ig_loading_fd(const ig_loading *l)
{
    return l->pipe[0];
}

bool ig_loading_state(ig_loading *l, char text[IG_LOADING_TEXT], double *part)
{
    char bytes[64];
    bool over;

    while (read(l->pipe[0], bytes, sizeof bytes) > 0)
        ;
    pthread_mutex_lock(&l->lock);
    memcpy(text, l->text, sizeof l->text);
    *part = l->part;
    over = l->over;
    pthread_mutex_unlock(&l->lock);
    return !over;
}

ig_status ig_loading_end(ig_loading *l, bool stop, ig_error *error)
{
    ig_status status;

    if (!l)
        return IG_OK;
    if (stop)
        atomic_store(&l->stop, true);
    pthread_join(l->thread, NULL);
    status = l->status;
    if (status != IG_OK && error)
        *error = l->error;
    release(l);
    return status;
}
