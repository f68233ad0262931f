/* Queue, request and snapshot between two threads. */
#include "worker/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "worker/request.h"

/* A command in the queue. */
struct ig_waiting {
    ig_command command;
    struct ig_waiting *next;
};

ig_status ig_channel_open(ig_channel *c, ig_error *error)
{
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->wake, NULL);
    atomic_init(&c->cancel, false);
    atomic_init(&c->published, NULL);
    c->cancels = IG_ARRIVAL_ROW;
    c->writing = &c->buffer[0];
    c->posted = &c->buffer[1];
    c->taken = c->newest = &c->buffer[2];
    *c->taken = ig_view_request_defaults();
    c->pipe[0] = c->pipe[1] = -1;
    if (pipe(c->pipe) != 0)
        return ig_fail(error, IG_IO, "cannot make a pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(c->pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(c->pipe[i], F_SETFD, FD_CLOEXEC);
    }
    return IG_OK;
}

void ig_channel_close(ig_channel *c)
{
    while (c->first) {
        struct ig_waiting *next = c->first->next;

        ig_free(c->first);
        c->first = next;
    }
    for (int i = 0; i < 2; i++)
        if (c->pipe[i] >= 0)
            close(c->pipe[i]);
    pthread_cond_destroy(&c->wake);
    pthread_mutex_destroy(&c->lock);
}

/* --- under the lock --------------------------------------------------------------- */

static ig_arrival arrived(const ig_channel *c)
{
    ig_arrival most = c->ending  ? IG_ARRIVAL_END
                      : c->woken ? IG_ARRIVAL_COMMAND
                      : c->fresh ? c->request
                                 : 0;

    for (const struct ig_waiting *w = c->first; w; w = w->next) {
        ig_arrival one = w->command.kind == IG_COMMAND_CANCEL ? IG_ARRIVAL_CANCEL
                                                              : IG_ARRIVAL_COMMAND;

        most = one > most ? one : most;
    }
    return most;
}

static void set_cancel(ig_channel *c)
{
    ig_arrival most = arrived(c);

    atomic_store(&c->cancel, most != IG_ARRIVAL_NONE && most >= c->cancels);
}

static void swap(ig_view_request **a, ig_view_request **b)
{
    ig_view_request *one = *a;

    *a = *b;
    *b = one;
}

static void take_request(ig_channel *c)
{
    swap(&c->posted, &c->taken);
    c->fresh = false;
}

/* --- the screen's side ------------------------------------------------------------ */

ig_status ig_channel_post(ig_channel *c, const ig_command *command,
                          const ig_view_request *request, ig_error *error)
{
    struct ig_waiting *w = command ? ig_alloc(1, sizeof *w) : NULL;
    ig_arrival differs = IG_ARRIVAL_NONE;
    ig_status status = IG_OK;

    if (command && !w)
        return ig_fail_memory(error, "a command");
    if (w)
        w->command = *command;
    if (request) {
        differs = ig_request_same_but_row(request, c->newest) ? IG_ARRIVAL_ROW
                                                              : IG_ARRIVAL_VIEW;
        *c->writing = *request;
    }
    pthread_mutex_lock(&c->lock);
    if (w && c->waiting == IG_COMMANDS_WAITING) {
        status = ig_fail(error, IG_VALUE, "%zu commands wait: no more are taken",
                         c->waiting);
        ig_free(w);
    } else {
        if (w) {
            *(c->first ? &c->last->next : &c->first) = w;
            c->last = w;
            c->waiting++;
        }
        if (request) {
            c->request = c->fresh && c->request > differs ? c->request : differs;
            c->fresh = true;
            swap(&c->writing, &c->posted);
            c->newest = c->posted;
        }
        set_cancel(c);
        pthread_cond_signal(&c->wake);
    }
    pthread_mutex_unlock(&c->lock);
    return status;
}

void ig_channel_wake(ig_channel *c)
{
    pthread_mutex_lock(&c->lock);
    c->woken = true;
    set_cancel(c);
    pthread_cond_signal(&c->wake);
    pthread_mutex_unlock(&c->lock);
}

void ig_channel_end(ig_channel *c)
{
    pthread_mutex_lock(&c->lock);
    c->ending = true;
    set_cancel(c);
    pthread_cond_signal(&c->wake);
    pthread_mutex_unlock(&c->lock);
}

struct ig_snapshot *ig_channel_receive(ig_channel *c)
{
    char bytes[64];

    while (read(c->pipe[0], bytes, sizeof bytes) > 0)
        ;
    return atomic_exchange(&c->published, NULL);
}

/* --- the worker's side ------------------------------------------------------------ */

void ig_channel_begin(ig_channel *c, ig_arrival cancels)
{
    pthread_mutex_lock(&c->lock);
    c->cancels = cancels;
    set_cancel(c);
    pthread_mutex_unlock(&c->lock);
}

ig_arrival ig_channel_arrived(ig_channel *c)
{
    ig_arrival most;

    pthread_mutex_lock(&c->lock);
    most = arrived(c);
    pthread_mutex_unlock(&c->lock);
    return most;
}

bool ig_channel_take(ig_channel *c, bool *has_request, ig_command *command,
                     bool *has_command)
{
    struct ig_waiting *w;
    bool woken;

    pthread_mutex_lock(&c->lock);
    woken = c->woken;
    c->woken = false;
    *has_request = c->fresh;
    if (c->fresh)
        take_request(c);
    w = c->first;
    if (w) {
        c->first = w->next;
        c->waiting--;
    }
    set_cancel(c);
    pthread_mutex_unlock(&c->lock);
    *has_command = w != NULL;
    if (w)
        *command = w->command;
    ig_free(w);
    return *has_request || *has_command || woken;
}

bool ig_channel_take_row(ig_channel *c)
{
    bool row;

    pthread_mutex_lock(&c->lock);
    row = arrived(c) == IG_ARRIVAL_ROW;
    if (row) {
        take_request(c);
        set_cancel(c);
    }
    pthread_mutex_unlock(&c->lock);
    return row;
}

void ig_channel_sleep(ig_channel *c, double seconds)
{
    struct timespec until;
    double whole;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(modf(seconds, &whole) * 1e9);
    until.tv_sec += (time_t)whole + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&c->lock);
    if (arrived(c) == IG_ARRIVAL_NONE) {
        if (seconds < 0)
            pthread_cond_wait(&c->wake, &c->lock);
        else
            pthread_cond_timedwait(&c->wake, &c->lock, &until);
    }
    pthread_mutex_unlock(&c->lock);
}

struct ig_snapshot *ig_channel_publish(ig_channel *c, struct ig_snapshot *snapshot)
{
    struct ig_snapshot *before = atomic_exchange(&c->published, snapshot);
    ssize_t written; /* when the pipe is full, the screen has bytes enough to wake on */

    written = write(c->pipe[1], "", 1);
    (void)written;
    return before;
}

/* --- requests --------------------------------------------------------------------- */

ig_command ig_command_defaults(void)
{
    return (ig_command){
        .kind = IG_COMMAND_START, .method = "seed", .options = ig_train_defaults()};
}

ig_view_request ig_view_request_defaults(void)
{
    return (ig_view_request){
        .space = IG_MAP_JOINT, .unit = true, .axis = {0, 1}, .neighbours = 20};
}

const char *ig_map_space_name(ig_map_space space)
{
    return (const char *[]){"original", "meaning", "language", "joint", "xy"}[space];
}

bool ig_request_same_languages(const ig_view_request *a, const ig_view_request *b)
{
    return a->to == b->to &&
           (a->to != IG_TO_CHOSEN ||
            memcmp(a->to_language, b->to_language, sizeof a->to_language) == 0);
}

bool ig_request_same_axes(const ig_view_request *a, const ig_view_request *b)
{
    return ig_map_axis_same(&a->laid[0], &b->laid[0]) &&
           ig_map_axis_same(&a->laid[1], &b->laid[1]);
}

/* Field by field: the bytes between the fields mean nothing. */
bool ig_request_same_but_row(const ig_view_request *a, const ig_view_request *b)
{
    return a->paused == b->paused && a->halt == b->halt && a->pace == b->pace &&
           a->seed == b->seed && a->show == b->show && a->compared == b->compared &&
           a->looking == b->looking && a->epoch == b->epoch && a->space == b->space &&
           a->unit == b->unit && a->axis[0] == b->axis[0] && a->axis[1] == b->axis[1] &&
           ig_request_same_axes(a, b) && a->neighbours == b->neighbours &&
           ig_request_same_languages(a, b) && a->asks == b->asks &&
           a->all_rows == b->all_rows;
}
