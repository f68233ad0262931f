/* The session: its life, its thread, and what passes between the threads. */
#include "worker/session.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "data/rows.h"
#include "worker/kept.h"
#include "worker/measuring.h"
#include "worker/near.h"
#include "worker/worker.h"

/* Sets up to this size are looked through when they are opened; larger ones by the
 * worker when nothing else is to do. */
static const size_t CHECKED_BYTES = 64u << 20;

/* Arithmetic that a frame of the map may take beside training (some 50 ms). */
static const double CHEAP_FLOPS = 2e10;

/* For the weights of past epochs, of one run. */
static const size_t KEPT_BYTES = 256u << 20;

ig_want ig_want_defaults(void)
{
    return (ig_want){.method = "seed",
                     .options = ig_train_defaults(),
                     .space = IG_MAP_JOINT,
                     .unit = true,
                     .axis = {0, 1},
                     .neighbours = 20};
}

bool ig_want_same_languages(const ig_want *a, const ig_want *b)
{
    return a->to == b->to &&
           (a->to != IG_TO_CHOSEN ||
            memcmp(a->to_language, b->to_language, sizeof a->to_language) == 0);
}

static ig_status open_pipe(ig_session *s, ig_error *error)
{
    if (pipe(s->pipe) != 0)
        return ig_fail(error, IG_IO, "cannot make a pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(s->pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(s->pipe[i], F_SETFD, FD_CLOEXEC);
    }
    return IG_OK;
}

ig_status ig_session_new(ig_session **out, const ig_set *set, const ig_pairs *pairs,
                         const char *pairing, ig_pool *pool, ig_error *error)
{
    ig_session *s = ig_alloc(1, sizeof *s);
    ig_status status;

    *out = NULL;
    if (!s)
        return ig_fail_memory(error, "the session");
    s->set = set;
    s->pairs = pairs;
    s->pairing = pairing;
    s->pool = pool;
    s->pipe[0] = s->pipe[1] = -1;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, NULL);
    atomic_init(&s->urgent, false);
    atomic_init(&s->published, NULL);
    atomic_init(&s->texts, NULL);
    atomic_init(&s->closing, false);
    s->want = s->now = ig_want_defaults();
    s->searched_row = IG_NO_ROW;
    s->keep = KEPT_BYTES;
    s->cheap = CHEAP_FLOPS;
    s->originals = ig_rows_of_set(set);
    s->rows[IG_SPACE_ORIGINAL] = s->originals;
    s->checked = ig_set_bytes(set) <= CHECKED_BYTES;
    status = open_pipe(s, error);
    if (status != IG_OK) {
        ig_session_delete(s);
        return status;
    }
    *out = s;
    return IG_OK;
}

void ig_session_data(ig_session *s, const char *const *data, size_t words)
{
    s->data = data;
    s->data_words = words;
}

ig_status ig_session_load(ig_session *s, const char *path, bool any_dims,
                          ig_error *error)
{
    ig_status status = ig_kept_load(s, path, any_dims, error);

    if (status == IG_OK)
        ig_worker_select(s);
    s->dirty = true;
    return status;
}

static void stop_worker(ig_session *s)
{
    if (!s->threaded)
        return;
    pthread_mutex_lock(&s->lock);
    s->ending = true;
    atomic_store(&s->closing, true);
    atomic_store(&s->urgent, true);
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
}

void ig_session_delete(ig_session *s)
{
    if (!s)
        return;
    stop_worker(s);
    ig_snapshot_free(atomic_exchange(&s->published, NULL));
    ig_map_release(s->map);
    ig_neighbours_release(s->nearby);
    ig_measuring_delete(s->measuring);
    for (int i = 0; i < IG_SPACES; i++) {
        ig_searcher_delete(s->searcher[i]);
        ig_free(s->cache[i]);
        ig_free(s->mean[i]);
    }
    ig_textsearch_delete(atomic_load(&s->texts));
    ig_session_delete(s->beside);
    ig_run_delete(s->run);
    ig_kept_free(s);
    ig_extractor_free(&s->shown);
    ig_projection_free(&s->projection);
    ig_free(s->sample);
    ig_free(s->id_first);
    ig_free(s->id_row);
    ig_free(s->lang_first);
    ig_free(s->lang_row);
    ig_free(s->to);
    ig_near_forget(s);
    for (int i = 0; i < 2; i++)
        if (s->pipe[i] >= 0)
            close(s->pipe[i]);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
    ig_free(s);
}

/* --- the worker's thread ---------------------------------------------------------- */

/* Sleep for `seconds` (< 0: until woken), unless something is wanted. */
static void sleep_for(ig_session *s, double seconds)
{
    struct timespec until;
    double whole;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(modf(seconds, &whole) * 1e9);
    until.tv_sec += (time_t)whole + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&s->lock);
    if (s->wants == s->seen && !s->ending) {
        if (seconds < 0)
            pthread_cond_wait(&s->wake, &s->lock);
        else
            pthread_cond_timedwait(&s->wake, &s->lock, &until);
    }
    pthread_mutex_unlock(&s->lock);
}

static bool is_ending(ig_session *s)
{
    bool ending;

    pthread_mutex_lock(&s->lock);
    ending = s->ending;
    pthread_mutex_unlock(&s->lock);
    return ending;
}

static void *work(void *argument)
{
    ig_session *s = argument;

    while (!is_ending(s)) {
        double sleep = ig_worker_step(s);

        if (sleep != 0)
            sleep_for(s, sleep);
    }
    return NULL;
}

ig_status ig_session_start(ig_session *s, ig_error *error)
{
    int failed;

    s->threaded = true; /* before the thread reads it */
    failed = pthread_create(&s->thread, NULL, work, s);
    if (!failed)
        return IG_OK;
    s->threaded = false;
    return ig_fail(error, IG_IO, "cannot start the worker: %s", strerror(failed));
}

void ig_session_settle(ig_session *s)
{
    while (ig_worker_step(s) == 0)
        ;
}

/* --- between the threads ---------------------------------------------------------- */

void ig_session_want(ig_session *s, const ig_want *want)
{
    pthread_mutex_lock(&s->lock);
    s->want = *want;
    s->wants++;
    atomic_store(&s->urgent, true);
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
}

unsigned long ig_session_wants(ig_session *s)
{
    unsigned long wants;

    pthread_mutex_lock(&s->lock);
    wants = s->wants;
    pthread_mutex_unlock(&s->lock);
    return wants;
}

/* A byte in the pipe; when it is full, the screen has bytes enough to wake on. */
void ig_session_wake_screen(ig_session *s)
{
    ssize_t written = write(s->pipe[1], "", 1);

    (void)written;
}

const ig_textsearch *ig_session_texts(const ig_session *s)
{
    return atomic_load(&s->texts);
}

int ig_session_fd(const ig_session *s)
{
    return s->pipe[0];
}

ig_snapshot *ig_session_take(ig_session *s)
{
    char bytes[64];

    while (read(s->pipe[0], bytes, sizeof bytes) > 0)
        ;
    return atomic_exchange(&s->published, NULL);
}
