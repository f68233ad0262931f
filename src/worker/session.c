/* The session: its life, its thread, and what passes between the threads. */
#include "worker/session.h"

#include <string.h>

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
    atomic_init(&s->texts, NULL);
    s->now = ig_view_request_defaults();
    s->searched_row = IG_NO_ROW;
    s->keep = KEPT_BYTES;
    s->cheap = CHEAP_FLOPS;
    s->originals = ig_rows_of_set(set);
    s->rows[IG_SPACE_ORIGINAL] = s->originals;
    s->checked = ig_set_bytes(set) <= CHECKED_BYTES;
    status = ig_channel_open(&s->channel, error);
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
    ig_channel_end(&s->channel);
    pthread_join(s->thread, NULL);
}

void ig_session_delete(ig_session *s)
{
    if (!s)
        return;
    stop_worker(s);
    ig_snapshot_free(ig_channel_receive(&s->channel));
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
    ig_channel_close(&s->channel);
    ig_free(s);
}

/* --- the worker's thread ---------------------------------------------------------- */

static void *work(void *argument)
{
    ig_session *s = argument;

    while (ig_channel_arrived(&s->channel) != IG_ARRIVAL_END) {
        double sleep = ig_worker_step(s);

        if (sleep != 0)
            ig_channel_sleep(&s->channel, sleep);
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

ig_status ig_session_command(ig_session *s, const ig_command *command,
                             const ig_view_request *request, ig_error *error)
{
    return ig_channel_post(&s->channel, command, request, error);
}

void ig_session_request(ig_session *s, const ig_view_request *request)
{
    ig_channel_post(&s->channel, NULL, request, NULL);
}

const ig_textsearch *ig_session_texts(const ig_session *s)
{
    return atomic_load(&s->texts);
}

int ig_session_fd(const ig_session *s)
{
    return s->channel.pipe[0];
}

ig_snapshot *ig_session_take(ig_session *s)
{
    return ig_channel_receive(&s->channel);
}
