/* The session: creation, commands, reports, and the steps of its thread. */
#include "explorer/session.h"

#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/pool.h"
#include "explorer/state.h"
#include "explorer/training.h"
#include "report/document.h"
#include "report/reporting.h"

/* Datasets up to this size are checked when they are opened; larger ones by an idle
 * job. */
static const size_t CHECKED_BYTES = 64u << 20;

/* Flops that a frame of the map may take during training (about 50 ms). */
static const double CHEAP_FLOPS = 2e10;

/* Memory for the weights of past epochs of a run. */
static const size_t KEPT_BYTES = 256u << 20;

/* --- life ------------------------------------------------------------------------- */

static bool init_view(ig_session *s, ig_view_state *v)
{
    v->shown = ig_shown_new(&s->work, 0, &s->of[0], 0, NULL, 0, 0);
    v->map.work = &s->lane[IG_LANE_MAP].work;
    v->neighbours.work = &s->lane[IG_LANE_NEIGHBOURS].work;
    v->neighbours.index = &s->index;
    v->evaluation.work = &s->lane[IG_LANE_MEASURES].work;
    s->measuring.work = v->evaluation.work;
    s->measuring.only = IG_MEASURE_GEOMETRY | IG_MEASURE_MULTILINGUAL_POOL |
                        IG_MEASURE_RETRIEVAL | IG_MEASURE_CKA | IG_MEASURE_PROBE;
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

/* Rows of the versions. The addresses of originals identify them in caches. */
static ig_status open_versions(ig_session *s, const ig_versions *versions,
                               ig_error *error)
{
    s->of = ig_alloc(versions->room, sizeof *s->of);
    s->figures = ig_alloc(versions->room, sizeof *s->figures);
    if (!s->of || !s->figures)
        return ig_fail_memory(error, "the session");
    s->dataset = *versions;
    s->opened = versions->count;
    ig_session_add_versions(s);
    return IG_OK;
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
    atomic_init(&s->texts, NULL);
    atomic_init(&s->has_words, false);
    s->clock = ig_clock_now;
    s->pairing = pairing;
    s->request = ig_view_request_defaults();
    s->work = (ig_work){.set = set,
                        .pairs = pairs,
                        .pool = pool,
                        .originals = ig_rows_of_dataset(set),
                        .cheap = CHEAP_FLOPS,
                        .request = &s->request,
                        .results = &s->results};
    s->training.keep = KEPT_BYTES;
    s->checked = versions->count == 1 && ig_dataset_bytes(set) <= CHECKED_BYTES;
    pthread_mutex_init(&s->results, NULL);
    for (int i = 0; i < IG_LANES; i++)
        ig_lane_init(&s->lane[i], &s->work, s, &s->channel);
    ig_jobs_init(s);
    status = ig_channel_open(&s->channel, error);
    if (status == IG_OK)
        status = open_versions(s, versions, error);
    if (status == IG_OK && !(init_view(s, &s->main) && init_view(s, &s->other)))
        status = ig_fail_memory(error, "the session");
    if (status != IG_OK) {
        ig_session_delete(s);
        return status;
    }
    *out = s;
    return IG_OK;
}

void ig_session_scores(ig_session *s, const ig_scores *scores)
{
    s->main.evaluation.scores = s->other.evaluation.scores = scores;
}

void ig_session_data(ig_session *s, const char *const *data, size_t words)
{
    s->data = data;
    s->data_words = words;
}

void ig_session_encoder(ig_session *s, const ig_encoder_options *options,
                        const char *why)
{
    s->typed_sentences.options = options;
    s->typed_sentences.why = why;
}

ig_status ig_session_load(ig_session *s, const char *path, bool any_dims,
                          ig_error *error)
{
    ig_status status = ig_training_read(s, path, any_dims, error);

    if (status == IG_OK)
        ig_training_select(s);
    s->out.dirty = true;
    return status;
}

ig_status ig_session_follow(ig_session *s, const char *path, ig_error *error)
{
    s->following.path = ig_strdup(path);
    if (!s->following.path)
        return ig_fail_memory(error, "a run");
    if (!ig_following_look(s))
        ig_show_message(s, false, "waiting for the first checkpoint of %s", path);
    return IG_OK;
}

static void free_view(ig_view_state *v)
{
    ig_map_result_free(&v->map);
    ig_neighbourhood_free(&v->neighbours);
    ig_evaluation_state_free(&v->evaluation);
    ig_shown_release(v->shown);
}

void ig_session_delete(ig_session *s)
{
    if (!s)
        return;
    for (int i = 0; i < IG_LANES; i++)
        atomic_store(&s->lane[i].cancel, true); /* so that all end at the same time */
    if (s->threaded) {
        ig_channel_end(&s->channel);
        pthread_join(s->thread, NULL);
    }
    for (int i = 0; i < IG_LANES; i++)
        ig_lane_end(&s->lane[i]);
    ig_typed_free(&s->typed_sentences);
    ig_typed_list_free(&s->searched);
    ig_snapshot_free(ig_channel_receive(&s->channel));
    free_view(&s->main);
    free_view(&s->other);
    ig_row_order_release(s->table);
    ig_evaluation_state_free(&s->measuring);
    for (size_t v = 0; s->figures && v < s->versions; v++)
        ig_shared_evaluation_release((ig_shared_evaluation *)s->figures[v].evaluation);
    ig_free(s->figures);
    ig_row_index_free(&s->index);
    ig_runs_free(&s->training.runs);
    ig_free(s->following.path);
    s->versions = s->looked.count > s->versions ? s->looked.count : s->versions;
    while (s->versions > s->opened)
        ig_dataset_free(s->dataset.set[--s->versions]);
    ig_free(s->of);
    ig_textsearch_delete(atomic_load(&s->texts));
    ig_corpus_free(&s->words);
    ig_channel_close(&s->channel);
    pthread_mutex_destroy(&s->results);
    ig_free(s);
}

/* --- reports ---------------------------------------------------------------------- */

struct job {
    ig_session *session;
    ig_document document;
    const uint8_t *held_out; /* held-out rows of the last run … */
    bool differ;             /* … which are not the same for all runs */
    ig_subset subset;
    ig_pairs pairs;   /* room for those of all languages */
    ig_scores scores; /* of the held-out ids, if only these are measured */
    ig_evaluation_spec subject;
};

static void report_progress(void *context, const char *what, double share)
{
    struct job *j = context;

    (void)what;
    ig_session_poll(j->session, share);
}

static ig_status add_runs(struct job *j, ig_error *error)
{
    ig_session *s = j->session;
    const ig_runs *runs = &s->training.runs;
    ig_status status =
        ig_document_init(&j->document, s->of[s->version].set, runs->count + 1, error);

    for (size_t i = 0; i < runs->count && status == IG_OK; i++) {
        const ig_run_entry *one = runs->entry[i];
        const uint8_t *held_out = ig_training_held_out(s, one->number);

        if (one->version != s->version)
            continue;
        if (one->run ? !one->info->records : !one->info->extractor)
            continue;
        j->differ |= !held_out || (j->held_out && memcmp(j->held_out, held_out,
                                                         s->work.set->rows) != 0);
        j->held_out = held_out;
        status = ig_reporting_add(&j->document,
                                  &(ig_reported){.number = one->number,
                                                 .run = one->run,
                                                 .info = one->info,
                                                 .data = s->data,
                                                 .words = s->data_words},
                                  error);
    }
    return status;
}

/* Choose the rows to measure: the held-out ids, if they are the same for all runs. */
static ig_status choose_rows(struct job *j, ig_error *error)
{
    ig_session *s = j->session;
    const uint8_t *only = s->request.all_rows || j->differ ? NULL : j->held_out;
    const ig_scores *scores = s->main.evaluation.scores;
    ig_document *d = &j->document;
    ig_status status = ig_subset_take(&j->subset, s->work.set,
                                      ig_evaluation_pairs(&s->work, &j->pairs), only, 0,
                                      s->request.seed, error);

    d->of_scores = scores ? scores->count : 0;
    if (status == IG_OK && scores && only) {
        status = ig_scores_keep(&j->scores, scores, only, error);
        scores = &j->scores;
    }
    d->split = only ? IG_DOCUMENT_VALID : IG_DOCUMENT_ALL;
    d->subset = &j->subset;
    d->scored = scores ? scores->count : 0;
    if (scores)
        ig_property_list_add(&d->properties, "scores", "%zu of %zu pairs", d->scored,
                             d->of_scores);
    d->seed = s->request.seed;
    j->subject =
        ig_evaluation_spec_of(s->work.set, &j->subset, scores, s->request.seed);
    return status;
}

static void write_report(ig_session *s, const char *path)
{
    const atomic_bool *cancel = &s->channel.cancel;
    struct job j = {.session = s};
    size_t runs;
    ig_error error;
    ig_status status;

    s->out.reporting = true;
    ig_channel_begin(&s->channel, IG_ARRIVAL_CANCEL);
    status = add_runs(&j, &error);
    runs = j.document.runs;
    if (status == IG_OK)
        status = choose_rows(&j, &error);
    if (status == IG_OK)
        status = ig_document_measure(&j.document, &s->of[s->version].originals,
                                     &j.subject, s->work.pool, cancel, report_progress,
                                     &j, &error);
    if (status == IG_OK)
        status = ig_report_write(&j.document, path, s->work.pool, cancel, &error);
    ig_channel_begin(&s->channel, IG_ARRIVAL_WAKE);
    s->out.reporting = false;
    if (status == IG_INTERRUPTED)
        ig_show_message(s, false, "report cancelled");
    else if (status != IG_OK)
        ig_show_message(s, true, "%s", error.message);
    else
        ig_show_message(s, false, "report of %zu run%s saved to %s", runs,
                        runs == 1 ? "" : "s", path);
    ig_document_free(&j.document);
    ig_subset_free(&j.subset);
    ig_pairs_free(&j.pairs);
    ig_scores_free(&j.scores);
}

/* --- arrivals --------------------------------------------------------------------- */

/* Cancel the sentence that is being encoded, and those behind it. */
static void cancel_encoding(ig_session *s)
{
    bool encoding = s->lane[IG_LANE_ENCODE].job.product != NULL;

    if (s->typed_sentences.queued)
        ig_show_message(s, false, "encoding cancelled");
    s->typed_sentences.queued = encoding;
    if (encoding)
        atomic_store(&s->lane[IG_LANE_ENCODE].cancel, true);
}

static void execute_command(ig_session *s, const ig_command *command)
{
    ig_error error;

    switch (command->kind) {
    case IG_COMMAND_START:
        ig_training_start(s, command);
        break;
    case IG_COMMAND_STOP:
        ig_training_stop(s);
        break;
    case IG_COMMAND_SAVE:
        if (ig_report_writes(command->path))
            write_report(s, command->path);
        else
            ig_training_save(s, command->run, command->path);
        break;
    case IG_COMMAND_LOAD:
        ig_training_load(s, command->path);
        break;
    case IG_COMMAND_DROP:
        ig_training_drop(s, command->run);
        break;
    case IG_COMMAND_EDIT:
        ig_training_edit(s, command);
        break;
    case IG_COMMAND_MEASURE:
        ig_jobs_measure_all(s);
        break;
    case IG_COMMAND_ASK:
        if (ig_typed_ask(&s->typed_sentences, s->work.set, command->path,
                         command->method, &error) != IG_OK)
            ig_show_message(s, true, "%s", error.message);
        s->out.dirty = true;
        break;
    case IG_COMMAND_FORGET:
        if (!ig_typed_forget(&s->typed_sentences, command->run, s->work.set->dims))
            ig_show_message(s, true, "no typed sentence %u", command->run);
        s->out.dirty = true;
        break;
    case IG_COMMAND_CANCEL:
        ig_jobs_cancel_measures(s);
        cancel_encoding(s);
        s->out.dirty = true;
        break;
    }
}

static void adopt_request(ig_session *s, const ig_view_request *request)
{
    ig_view_request old = s->request;
    bool paused = ig_training_is_paused(s);

    s->request = *request;
    if (s->request.row >= s->work.set->rows)
        s->request.row = IG_NO_ROW;
    if (s->request.pace != old.pace)
        s->training.next_epoch = 0;
    s->filters += !ig_request_same_languages(&old, &s->request);
    s->axes += !ig_request_same_axes(&old, &s->request);
    ig_training_select(s);
    if (s->request.looking != old.looking ||
        (s->request.looking && s->request.epoch != old.epoch)) {
        s->looking = s->request.looking;
        ig_training_show(s);
        ig_scheduler_hurry(s->product, IG_PRODUCTS);
        s->out.dirty = true;
    }
    ig_scheduler_retry(s->product, IG_PRODUCTS);
    s->out.dirty |= paused != ig_training_is_paused(s);
}

/* Take over the newest request, the next command, and results. True: there was a
 * command. */
static bool take_arrivals(ig_session *s)
{
    ig_view_request request;
    ig_command command;
    bool has_command;

    if (ig_channel_take_request(&s->channel, &request))
        adopt_request(s, &request);
    has_command = ig_channel_take_command(&s->channel, &command);
    if (has_command) {
        execute_command(s, &command);
        ig_training_select(s);
    }
    ig_jobs_take(s);
    if (s->out.asking != s->typed_sentences.queued) {
        s->out.asking = s->typed_sentences.queued;
        s->out.dirty = s->out.at_once = true;
    }
    return has_command;
}

/* --- steps ------------------------------------------------------------------------ */

/* Do the most urgent work; false: none. *sleep: seconds until there is some, or < 0. */
static bool do_next(ig_session *s, double *sleep)
{
    double wait;

    *sleep = -1;
    if (take_arrivals(s) || ig_jobs_begin(s, false))
        return true;
    if (!ig_training_is_busy(s))
        return false;
    wait = s->live ? s->training.next_epoch - s->clock() : 0;
    if (wait <= 0)
        ig_training_step(s);
    else
        *sleep = wait;
    return wait <= 0;
}

/* Publish the progress of jobs when it is due. Returns the seconds until the next; < 0:
 * no jobs. */
static double watch_jobs(ig_session *s)
{
    double since = s->clock() - s->out.last;
    bool job = s->out.reporting;

    for (int i = 0; i < IG_LANES; i++)
        job |= s->lane[i].job.product != NULL;
    if (!job || !s->live)
        return -1;
    s->out.dirty |= since >= IG_BETWEEN_TICKS;
    return fmax(IG_BETWEEN_TICKS - since, 0.001);
}

void ig_session_poll(ig_session *s, double part)
{
    ig_view_request request;

    s->out.part = part;
    if (!s->threaded)
        return;
    if (ig_channel_take_request(&s->channel, &request))
        adopt_request(s, &request);
    ig_jobs_take(s);
    ig_jobs_begin(s, true);
    watch_jobs(s);
    ig_publish_if_due(s);
}

/* The shorter of two waits; < 0: never. */
static double shorter_wait(double a, double b)
{
    return a < 0 ? b : b < 0 ? a : fmin(a, b);
}

double ig_session_step(ig_session *s)
{
    double sleep = -1, tick, due;
    bool worked = ig_following_look(s) || do_next(s, &sleep);

    tick = watch_jobs(s);
    due = ig_publish_if_due(s);
    if (worked)
        return 0;
    if (s->live && s->dataset.folder && !ig_jobs_under_way(s, IG_PRODUCT_FOLDER))
        sleep = shorter_wait(sleep, fmax(s->next_look - s->clock(), 0.001));
    return shorter_wait(shorter_wait(sleep, tick),
                        shorter_wait(due, ig_following_wait(s)));
}

/* The session thread and the pool run at lower priority, so that the screen thread
 * answers keys within milliseconds. */
static void *run_worker(void *argument)
{
    ig_session *s = argument;

    ig_priority_lower();
    ig_pool_lower(s->work.pool);
    while (ig_channel_arrived(&s->channel) != IG_ARRIVAL_END) {
        double sleep = ig_session_step(s);

        if (sleep != 0)
            ig_channel_sleep(&s->channel, sleep);
    }
    return NULL;
}

ig_status ig_session_start(ig_session *s, ig_error *error)
{
    int failed = 0;

    s->threaded = s->live = true; /* before any thread reads it */
    for (int i = 0; i < IG_LANE_SESSION && !failed; i++)
        failed = ig_lane_start(&s->lane[i]);
    if (!failed)
        failed = ig_thread_start(&s->thread, run_worker, s);
    if (!failed)
        return IG_OK;
    s->threaded = s->live = false;
    return ig_fail(error, IG_IO, "cannot start the worker: %s", strerror(failed));
}

void ig_session_settle(ig_session *s)
{
    s->settles = true;
    while (ig_session_step(s) == 0)
        ;
    s->settles = false;
}

/* --- from the screen -------------------------------------------------------------- */

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

const ig_corpus *ig_session_words(const ig_session *s)
{
    return atomic_load(&s->has_words) ? &s->words : NULL;
}

int ig_session_fd(const ig_session *s)
{
    return s->channel.pipe[0];
}

ig_snapshot *ig_session_take(ig_session *s)
{
    return ig_channel_receive(&s->channel);
}
