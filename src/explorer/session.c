/* The session: creation, commands, and what one update does. */
#include "explorer/session.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/pool.h"
#include "core/progress.h"

/* Datasets up to this size are checked when they are opened; larger ones by an idle
 * job. */
static const size_t CHECKED_BYTES = 64u << 20;

/* Flops that a frame of the map may take during training (about 50 ms). */
static const double CHEAP_FLOPS = 2e10;

/* Memory for the weights of past epochs of a run. */
static const size_t KEPT_BYTES = 256u << 20;

/* Seconds between updates of the progress of jobs. */
static const double TICK = 0.2;

/* --- life ------------------------------------------------------------------------- */

static bool init_view(ig_session *s, ig_view_state *v)
{
    v->shown = ig_shown_new(&s->work, 0, &s->of[0], 0, NULL, 0, 0);
    return v->shown;
}

void ig_session_add_versions(ig_session *s)
{
    for (size_t v = 0; v < s->versions; v++)
        s->figures[v].tried = false; /* another version is the last one */
    for (; s->versions < s->dataset.count; s->versions++) {
        const ig_dataset *set = s->dataset.set[s->versions];

        s->of[s->versions] = (ig_version_rows){set, ig_rows_of_dataset(set)};
    }
}

static void init_results(ig_session *s)
{
    static const bool of_main[IG_PRODUCTS] = {[IG_PRODUCT_NEIGHBOURS] = true,
                                              [IG_PRODUCT_MAP] = true,
                                              [IG_PRODUCT_EVALUATION] = true,
                                              [IG_PRODUCT_TYPED_SENTENCES] = true};
    static const bool of_other[IG_PRODUCTS] = {[IG_PRODUCT_NEIGHBOURS_COMPARED] = true,
                                               [IG_PRODUCT_MAP_COMPARED] = true,
                                               [IG_PRODUCT_EVALUATION_COMPARED] = true};

    for (int i = 0; i < IG_PRODUCTS; i++) {
        ig_view_state *view = of_main[i] ? &s->main : of_other[i] ? &s->other : NULL;

        s->result[i] = (ig_result){.kind = ig_result_kinds[i],
                                   .view = view,
                                   .shown = view ? &view->shown : NULL};
    }
    s->jobs.session = s;
    s->jobs.view = &s->view;
    s->jobs.clock = ig_clock_now;
    s->jobs.result = s->result;
    s->jobs.results = IG_PRODUCTS;
}

ig_status ig_session_new(ig_session **out, const ig_versions *versions,
                         const ig_pairs *pairs, const char *pairing, ig_pool *pool,
                         ig_error *error)
{
    const ig_dataset *set = versions->set[0];
    ig_session *s = ig_alloc(1, sizeof *s);
    ig_status status;

    *out = NULL;
    if (!s)
        return ig_fail_memory(error, "the session");
    s->pairing = pairing;
    s->view = ig_view_request_defaults();
    s->work = (ig_work){.set = set,
                        .pairs = pairs,
                        .pool = pool,
                        .originals = ig_rows_of_dataset(set),
                        .cheap = CHEAP_FLOPS};
    s->keep = KEPT_BYTES;
    s->version_measures.only = IG_MEASURE_GEOMETRY | IG_MEASURE_POOL |
                               IG_MEASURE_RETRIEVAL | IG_MEASURE_CKA | IG_MEASURE_PROBE;
    init_results(s);
    s->result[IG_PRODUCT_CHECK].known = versions->count == 1 &&
                                        ig_dataset_bytes(set) <= CHECKED_BYTES;
    status = ig_jobs_open(&s->jobs, &s->work, error);
    /* The addresses of originals identify them in caches. */
    s->of = ig_alloc(versions->room, sizeof *s->of);
    s->figures = ig_alloc(versions->room, sizeof *s->figures);
    if (s->of && s->figures) {
        s->dataset = *versions;
        s->opened = versions->count;
        ig_session_add_versions(s);
    }
    if (status == IG_OK &&
        !(s->versions && init_view(s, &s->main) && init_view(s, &s->other)))
        status = ig_fail_memory(error, "the session");
    if (status != IG_OK) {
        ig_session_delete(s);
        return status;
    }
    ig_session_describe(s);
    *out = s;
    return IG_OK;
}

ig_status ig_session_start(ig_session *s, ig_error *error)
{
    int failed;

    s->live = true;
    failed = ig_jobs_start(&s->jobs);
    return failed ? ig_fail(error, IG_IO, "cannot start a thread: %s", strerror(failed))
                  : IG_OK;
}

static void free_view(ig_view_state *v)
{
    ig_projection_free(&v->map.projection);
    ig_neighbourhood_free(&v->neighbours);
    ig_evaluation_state_free(&v->evaluation);
    ig_shown_release(v->shown);
}

void ig_session_delete(ig_session *s)
{
    if (!s)
        return;
    ig_jobs_close(&s->jobs);
    for (ig_order *next; s->order; s->order = next) {
        next = s->order->next;
        ig_free(s->order);
    }
    ig_typed_free(&s->typed_sentences);
    free_view(&s->main);
    free_view(&s->other);
    ig_evaluation_state_free(&s->version_measures);
    for (size_t v = 0; s->figures && v < s->versions; v++)
        ig_shared_evaluation_release((ig_shared_evaluation *)s->figures[v].evaluation);
    ig_free(s->figures);
    ig_runs_free(&s->runs);
    ig_free(s->following.path);
    while (s->versions > s->opened)
        ig_dataset_free(s->dataset.set[--s->versions]);
    ig_free(s->of);
    IG_FREE(s->edit, s);
}

/* --- from the screen -------------------------------------------------------------- */

void ig_show_message(ig_session *s, bool is_error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(s->message, sizeof s->message, format, args);
    va_end(args);
    s->is_error = is_error;
    s->news++;
    s->jobs.changed = true;
}

static bool same_languages(const ig_view_request *a, const ig_view_request *b)
{
    return a->to == b->to &&
           (a->to != IG_TO_CHOSEN ||
            memcmp(a->to_language, b->to_language, sizeof a->to_language) == 0);
}

/* What changed in the view since the last update. */
static void take_view(ig_session *s)
{
    const ig_view_request *old = &s->seen, *view = &s->view;

    s->filters += !same_languages(old, view);
    s->axes += !ig_map_axis_same(&old->custom[0], &view->custom[0]) ||
               !ig_map_axis_same(&old->custom[1], &view->custom[1]);
    if (view->pace != old->pace || view->looking != old->looking ||
        view->epoch != old->epoch)
        ig_jobs_hurry(&s->jobs);
    memcpy(&s->seen, &s->view, sizeof s->seen);
}

const ig_textsearch *ig_session_texts(const ig_session *s)
{
    return s->result[IG_PRODUCT_TEXTS].value;
}

const ig_corpus *ig_session_words(const ig_session *s)
{
    return s->result[IG_PRODUCT_WORDS].value;
}

/* --- commands --------------------------------------------------------------------- */

ig_status ig_session_command(ig_session *s, const ig_command *command, ig_error *error)
{
    ig_order *order = ig_alloc(1, sizeof *order), **end = &s->order;

    if (!order)
        return ig_fail_memory(error, "a command");
    order->command = *command;
    s->asked = true;
    while (*end)
        end = &(*end)->next;
    *end = order;
    return IG_OK;
}

static void cancel_job(ig_job *job)
{
    if (job)
        atomic_store(&job->cancel, true);
}

void ig_session_cancel(ig_session *s)
{
    cancel_job(s->result[IG_PRODUCT_ORDER].job); /* of a report */
    ig_session_cancel_measures(s);
    if (s->typed_sentences.queued)
        ig_show_message(s, false, "encoding cancelled");
    s->typed_sentences.queued = s->result[IG_PRODUCT_ENCODING].job != NULL;
    cancel_job(s->result[IG_PRODUCT_ENCODING].job);
    s->jobs.changed = true;
}

static void carry_out(ig_session *s, const ig_command *command)
{
    if (command->kind == IG_COMMAND_STOP)
        ig_training_stop(s);
    else if (command->kind == IG_COMMAND_DROP)
        ig_training_drop(s, command->run);
    else
        ig_training_edit(s, command);
    s->jobs.changed = true;
}

/* Carry out the commands up to the first that is a job. What reads the newest run waits
 * meanwhile: training between two batches. */
static bool take_commands(ig_session *s)
{
    bool any = false;

    while (s->order && !s->jobs.lane[IG_LANE_TRAIN].result &&
           !ig_training_is_job(&s->order->command)) {
        ig_order *order = s->order;

        carry_out(s, &order->command);
        ig_training_show(s);
        s->order = order->next;
        ig_free(order);
        any = true;
    }
    return any;
}

/* --- updates ---------------------------------------------------------------------- */

bool ig_session_update(ig_session *s)
{
    bool worked = ig_jobs_take(&s->jobs), training;
    double now = s->jobs.clock();

    s->asked = false;
    take_view(s);
    worked |= take_commands(s);
    worked |= ig_training_show(s);
    training = ig_session_training(s);
    worked |= ig_jobs_begin(&s->jobs, training, s->live && training);
    if (s->jobs.failed.message[0])
        ig_show_message(s, true, "%s", s->jobs.failed.message);
    s->jobs.failed.message[0] = '\0';
    worked |= ig_training_show(s);
    for (int i = 0; i < IG_LANES && s->jobs.threaded; i++)
        if (s->jobs.lane[i].result && now >= s->shown_at + TICK)
            s->jobs.changed = true;
    ig_session_describe(s);
    return worked;
}

void ig_session_settle(ig_session *s)
{
    while (ig_session_update(s))
        ;
}

bool ig_session_changed(ig_session *s, bool *at_once)
{
    bool changed = s->jobs.changed;

    *at_once = s->jobs.at_once || s->looking;
    s->jobs.changed = s->jobs.at_once = false;
    if (changed)
        s->shown_at = s->jobs.clock();
    return changed;
}

double ig_session_wait(const ig_session *s)
{
    double wait = s->jobs.wait, tick = fmax(s->shown_at + TICK - s->jobs.clock(), 1e-3);

    if (s->asked || memcmp(&s->view, &s->seen, sizeof s->view) != 0)
        return 0;
    for (int i = 0; i < IG_LANES && s->jobs.threaded; i++)
        if (s->jobs.lane[i].result &&
            s->result[IG_PRODUCT_FOLDER].job != &s->jobs.lane[i])
            wait = wait < 0 ? tick : fmin(wait, tick);
    return wait;
}
