/* Queue, request and snapshot between two threads. */
#include "explorer/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"
#include "explorer/request.h"

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
    c->cancels = IG_ARRIVAL_WAKE;
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

static ig_arrival newest_arrival(const ig_channel *c)
{
    ig_arrival most = c->ending  ? IG_ARRIVAL_END
                      : c->first ? IG_ARRIVAL_COMMAND
                      : c->fresh ? IG_ARRIVAL_REQUEST
                      : c->woken ? IG_ARRIVAL_WAKE
                                 : IG_ARRIVAL_NONE;

    for (const struct ig_waiting *w = c->first; w && most < IG_ARRIVAL_CANCEL;
         w = w->next)
        if (w->command.kind == IG_COMMAND_CANCEL)
            most = IG_ARRIVAL_CANCEL;
    return most;
}

static void set_cancel(ig_channel *c)
{
    ig_arrival most = newest_arrival(c);

    atomic_store(&c->cancel, most != IG_ARRIVAL_NONE && most >= c->cancels);
}

/* --- the screen's side ------------------------------------------------------------ */

ig_status ig_channel_post(ig_channel *c, const ig_command *command,
                          const ig_view_request *request, ig_error *error)
{
    struct ig_waiting *w = command ? ig_alloc(1, sizeof *w) : NULL;
    ig_status status = IG_OK;

    if (command && !w)
        return ig_fail_memory(error, "a command");
    if (w)
        w->command = *command;
    pthread_mutex_lock(&c->lock);
    if (w && c->waiting == IG_COMMANDS_WAITING) {
        status = ig_fail(error, IG_VALUE, "%zu commands are queued already (the limit)",
                         c->waiting);
        ig_free(w);
    } else {
        if (w) {
            *(c->first ? &c->last->next : &c->first) = w;
            c->last = w;
            c->waiting++;
        }
        if (request) {
            c->request = *request;
            c->fresh = true;
        }
        set_cancel(c);
        pthread_cond_signal(&c->wake);
    }
    pthread_mutex_unlock(&c->lock);
    return status;
}

static void set_flag(ig_channel *c, bool *flag)
{
    pthread_mutex_lock(&c->lock);
    *flag = true;
    set_cancel(c);
    pthread_cond_signal(&c->wake);
    pthread_mutex_unlock(&c->lock);
}

void ig_channel_wake(ig_channel *c)
{
    set_flag(c, &c->woken);
}

void ig_channel_end(ig_channel *c)
{
    set_flag(c, &c->ending);
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
    most = newest_arrival(c);
    pthread_mutex_unlock(&c->lock);
    return most;
}

bool ig_channel_take_request(ig_channel *c, ig_view_request *request)
{
    bool fresh;

    pthread_mutex_lock(&c->lock);
    fresh = c->fresh;
    if (fresh)
        *request = c->request;
    c->fresh = false;
    set_cancel(c);
    pthread_mutex_unlock(&c->lock);
    return fresh;
}

bool ig_channel_take_command(ig_channel *c, ig_command *command)
{
    struct ig_waiting *w;

    pthread_mutex_lock(&c->lock);
    c->woken = false;
    w = c->first;
    if (w) {
        c->first = w->next;
        c->waiting--;
    }
    set_cancel(c);
    pthread_mutex_unlock(&c->lock);
    if (w)
        *command = w->command;
    ig_free(w);
    return w != NULL;
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
    if (newest_arrival(c) == IG_ARRIVAL_NONE) {
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
    ssize_t written; /* a full pipe already wakes the screen */

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
    return ig_map_axis_same(&a->custom[0], &b->custom[0]) &&
           ig_map_axis_same(&a->custom[1], &b->custom[1]);
}
