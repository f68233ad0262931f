/* The session: kinds of results, what follows from its state, and an update. */
#include "explorer/session.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/progress.h"

/* Datasets up to this size are checked when opened, larger ones by an idle job. */
static const size_t CHECKED_BYTES = 64u << 20;

/* Flops that a frame of the map may take during training (about 50 ms). */
static const double CHEAP_FLOPS = 2e10;

/* Seconds between updates of the progress of jobs. */
static const double TICK = 0.2;

ig_view_request ig_view_request_defaults(void)
{
    return (ig_view_request){
        .space = IG_MAP_JOINT, .unit = true, .axis = {0, 1}, .strength = -1};
}

const char *ig_map_space_name(ig_map_space space)
{
    return (const char *[]){"original", "meaning", "language", "joint", "xy"}[space];
}

/* --- what is shown ---------------------------------------------------------------- */

void ig_show_message(ig_session *s, bool is_error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(s->message, sizeof s->message, format, args);
    va_end(args);
    s->is_error = is_error;
    s->news = true;
    s->jobs.changed = true;
}

ig_activity ig_session_activity(const ig_session *s, const ig_run_entry *entry)
{
    const ig_following *f = &s->following;

    if (!entry)
        return IG_IDLE;
    if (entry->run && entry->run->failed)
        return IG_FAILED;
    if (f->number == entry->number && !f->over &&
        strcmp(entry->info->ending, IG_RUN_CHECKPOINT) == 0)
        return IG_FOLLOWED;
    if (entry != s->newest || !ig_run_entry_going(entry))
        return IG_FINISHED;
    return ig_session_training(s) ? IG_TRAINING : IG_PAUSED;
}

/* Of the view compared nothing is shown that was made for another. */
static bool is_compared(const ig_session *s, ig_made_by by)
{
    return s->compares && by.run == s->other.shown->run &&
           by.version == s->other.shown->version;
}

static void describe(ig_session *s)
{
    static const ig_run_info none = {.method = "", .ending = ""};
    static const ig_history no_history = {0};
    const ig_run_entry *entry = ig_runs_find(&s->runs, s->shown_run);
    const ig_map *map =
        ig_session_compares_maps(s) ? s->result[IG_PRODUCT_MAP_COMPARED].value : NULL;
    ig_made_by by = map ? map->by : (ig_made_by){0};
    const ig_neighbours *near = s->result[IG_PRODUCT_NEIGHBOURS_COMPARED].value;
    ig_shown_evaluation *e = s->result[IG_PRODUCT_EVALUATION_COMPARED].value;
    ig_activity activity = ig_session_activity(s, entry);

    s->jobs.changed |= s->activity != activity;
    s->activity = activity;
    s->info = entry ? entry->info : &none;
    s->trained = entry ? entry->run : NULL;
    s->history = s->trained ? &s->trained->history : &no_history;
    s->map = s->result[IG_PRODUCT_MAP].value;
    s->neighbours = s->result[IG_PRODUCT_NEIGHBOURS].value;
    s->evaluation = s->result[IG_PRODUCT_EVALUATION].value;
    if (map && !by.run && map->space == s->view.space) /* of its originals */
        by.run = s->other.shown->run;
    s->compared_map = map && is_compared(s, by) ? map : NULL;
    s->compared_neighbours = near && is_compared(s, near->by) ? near : NULL;
    s->compared_evaluation = e && is_compared(s, e->by) ? e : NULL;
}

/* --- what is in progress ---------------------------------------------------------- */

double ig_session_progress(const ig_session *s, ig_result_id product)
{
    const ig_job *job = s->result[product].job;

    return job ? atomic_load(&job->permille) / 1000.0 : 0;
}

bool ig_session_old(const ig_session *s, ig_result_id product)
{
    const ig_result *r = &s->result[product];
    ig_result_key key = {0};

    return r->value && (*r->failure || !r->kind->key(s, r, &key) ||
                        memcmp(r->made.asked, key.asked, sizeof key.asked) ||
                        (r->made.weights != key.weights &&
                         (product == IG_PRODUCT_EVALUATION || s->looking ||
                          !ig_session_training(s))));
}

bool ig_session_reports(const ig_session *s)
{
    return s->result[IG_PRODUCT_ORDER].job &&
           s->order->command.kind == IG_COMMAND_SAVE &&
           ig_path_ends(s->order->command.path, ".html");
}

/* During training samples are measured repeatedly; only the first counts. */
double ig_session_measured(const ig_session *s)
{
    const ig_job *job = s->result[IG_PRODUCT_EVALUATION].job;

    if (ig_session_reports(s))
        return ig_session_progress(s, IG_PRODUCT_ORDER);
    return job && (job->cause != IG_CAUSE_FOLLOW || !ig_session_going(s) ||
                   !s->evaluation)
               ? ig_session_progress(s, IG_PRODUCT_EVALUATION)
               : -1;
}

const char *ig_session_waits(const ig_session *s, ig_result_id product,
                             const char *meanwhile)
{
    return *s->result[product].failure ? s->result[product].failure : meanwhile;
}

/* --- the kinds of results --------------------------------------------------------- */

static ig_status make_texts(ig_job *job)
{
    ig_textsearch *texts;
    ig_status status = ig_textsearch_new(
        &texts, job->work->set->text, job->work->set->rows, &job->cancel, &job->error);

    if (status == IG_OK)
        ig_job_report(job, texts);
    return status;
}

static void free_texts(void *texts)
{
    ig_textsearch_delete(texts);
}

/* A large set is looked through for values that are not finite. */
static ig_status make_check(ig_job *job)
{
    const ig_session *s = job->session;
    ig_status status = IG_OK;

    for (size_t i = 0; i < s->opened && status == IG_OK; i++)
        status = ig_dataset_check(s->of[i].set, NULL, &job->cancel, &job->error);
    return status;
}

void ig_session_add_versions(ig_session *s, const ig_versions *versions)
{
    for (size_t v = s->dataset.count; v < versions->count; v++)
        s->of[v] = (ig_version_entry){
            .set = versions->set[v], .originals = ig_rows_of_dataset(versions->set[v])};
    s->dataset = *versions;
}

static const ig_result_kind texts = {IG_LANE_ONCE, .needs = IG_ASKS_TEXTS,
                                     .make = make_texts, .free = free_texts},
                            check = {IG_LANE_ONCE, .idle = true, .make = make_check};

/* The kind of each result, and whose view it is of. */
static const struct {
    const ig_result_kind *kind;
    enum { NEITHER, MAIN, OTHER } view;
} results[IG_PRODUCTS] = {
    [IG_PRODUCT_TEXTS] = {&texts, NEITHER},
    [IG_PRODUCT_NEIGHBOURS] = {&ig_neighbours_kind, MAIN},
    [IG_PRODUCT_MAP] = {&ig_map_kind, MAIN},
    [IG_PRODUCT_NEIGHBOURS_COMPARED] = {&ig_neighbours_kind, OTHER},
    [IG_PRODUCT_MAP_COMPARED] = {&ig_map_kind, OTHER},
    [IG_PRODUCT_EVALUATION] = {&ig_evaluation_kind, MAIN},
    [IG_PRODUCT_EVALUATION_COMPARED] = {&ig_evaluation_kind, OTHER},
    [IG_PRODUCT_VERSIONS] = {&ig_versions_kind, NEITHER},
    [IG_PRODUCT_CHECK] = {&check, NEITHER},
    [IG_PRODUCT_ENCODING] = {&ig_encoding_kind, NEITHER},
    [IG_PRODUCT_ORDER] = {&ig_order_kind, NEITHER},
    [IG_PRODUCT_WATCH] = {&ig_watch_kind, NEITHER},
    [IG_PRODUCT_TRAINING] = {&ig_training_kind, NEITHER}};

/* --- life ------------------------------------------------------------------------- */

ig_status ig_session_new(ig_session **out, const ig_session_setup *setup,
                         ig_error *error)
{
    const ig_versions *versions = setup->versions;
    const ig_dataset *set = versions->set[0];
    ig_session *s = ig_alloc(1, sizeof *s);
    ig_status status;

    *out = NULL;
    if (!s)
        return ig_fail_memory(error, "the session");
    s->setup = *setup;
    s->view = ig_view_request_defaults();
    s->work = (ig_work){set, setup->pairs, setup->pool, .cheap = CHEAP_FLOPS};
    for (int i = 0; i < IG_PRODUCTS; i++) {
        ig_view_state *view =
            (ig_view_state *[]){NULL, &s->main, &s->other}[results[i].view];

        s->result[i] = (ig_result){
            .kind = results[i].kind, .view = view, .shown = view ? &view->shown : NULL};
    }
    s->jobs = (ig_jobs){.session = s,
                        .view = &s->view,
                        .clock = ig_clock_now,
                        .result = s->result,
                        .results = IG_PRODUCTS};
    s->result[IG_PRODUCT_CHECK].known = versions->count == 1 &&
                                        ig_dataset_bytes(set) <= CHECKED_BYTES;
    status = ig_jobs_open(&s->jobs, &s->work, error);
    /* The addresses of originals identify them in caches. */
    s->of = ig_arena_array(&s->memory, versions->room, sizeof *s->of);
    s->main.map.seen = ig_arena_array(&s->memory, set->languages, sizeof(bool));
    s->other.map.seen = ig_arena_array(&s->memory, set->languages, sizeof(bool));
    s->measures.held_out = ig_arena_array(&s->memory, set->rows, 1);
    if (!s->memory.failed) {
        s->opened = versions->count;
        ig_session_add_versions(s, versions);
        s->main.shown = ig_shown_new(&s->work, 0, s->of, 0, NULL, 0, 0);
        s->other.shown = ig_shown_new(&s->work, 0, s->of, 0, NULL, 0, 0);
    }
    if (status == IG_OK && !(s->main.shown && s->other.shown))
        status = ig_fail_memory(error, "the session");
    if (status != IG_OK) {
        ig_session_delete(s);
        return status;
    }
    describe(s);
    *out = s;
    return IG_OK;
}

void ig_session_start(ig_session *s)
{
    s->live = s->jobs.threaded = true;
}

static void free_view(ig_view_state *v)
{
    ig_projection_free(&v->map.projection);
    for (int space = 0; space < IG_SPACES; space++)
        ig_searcher_delete(v->neighbours.searcher[space]);
    ig_shown_release(v->neighbours.under);
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
    ig_encoder_close(s->typed_sentences.encoder);
    ig_searcher_delete(s->typed_sentences.searcher);
    free_view(&s->main);
    free_view(&s->other);
    for (size_t v = 0; v < s->dataset.count; v++)
        ig_versions_kind.free(s->of[v].evaluation);
    ig_subset_free(&s->measures.subset);
    ig_pairs_free(&s->measures.pairs);
    ig_runs_free(&s->runs);
    while (s->dataset.count > s->opened)
        ig_dataset_free(s->dataset.set[--s->dataset.count]);
    ig_arena_free(&s->memory);
    ig_free(s);
}

/* --- commands --------------------------------------------------------------------- */

bool ig_session_command(ig_session *s, const ig_command *command)
{
    ig_order *order = ig_alloc(1, sizeof *order), **end = &s->order;

    if (!order) {
        ig_show_message(s, true, "out of memory for a command");
        return false;
    }
    order->command = *command;
    while (*end)
        end = &(*end)->next;
    *end = order;
    return true;
}

bool ig_session_starting(const ig_session *s)
{
    const ig_order *order = s->order;

    while (order && order->command.kind != IG_COMMAND_START)
        order = order->next;
    return order;
}

void ig_session_cancel(ig_session *s)
{
    if (s->typed_sentences.asked)
        ig_show_message(s, false, "encoding cancelled");
    s->typed_sentences.asked = s->result[IG_PRODUCT_ENCODING].job != NULL;
    for (ig_result *r = s->result; r < s->result + IG_PRODUCTS; r++) {
        ig_view_state *v = r->view;

        if (r->kind != &ig_order_kind && r->kind != &ig_encoding_kind &&
            r->kind != &ig_evaluation_kind)
            continue;
        if (r->job)
            atomic_store(&r->job->cancel, true);
        if (v && r->job && r->job->cause != IG_CAUSE_WHOLE &&
            r->job->key.asked[1] == r->made.asked[1]) { /* these weights not again */
            r->made = r->job->key;
            r->known = true;
            snprintf(r->failure, IG_ERROR_SIZE, "cancelled");
        }
        if (v)
            v->asked = (unsigned)r->made.asked[1];
        r->made.sample = false;
    }
    s->jobs.changed = true;
}

/* --- updates ---------------------------------------------------------------------- */

bool ig_session_update(ig_session *s)
{
    bool worked = ig_jobs_take(&s->jobs), training;
    double now = s->jobs.clock();

    worked |= ig_training_show(s);
    training = ig_session_training(s);
    worked |= ig_jobs_begin(&s->jobs, training, s->live && training && !s->looking);
    if (s->jobs.failed.message[0])
        ig_show_message(s, true, "%s", s->jobs.failed.message);
    s->jobs.failed.message[0] = '\0';
    worked |= ig_training_show(s);
    for (int i = 0; i < IG_LANES && s->jobs.threaded; i++)
        if (s->jobs.lane[i].result && now >= s->shown_at + TICK)
            s->jobs.changed = true;
    describe(s);
    return worked;
}

void ig_session_settle(ig_session *s)
{
    while (ig_session_update(s))
        ;
}

double ig_session_wait(const ig_session *s)
{
    double wait = s->jobs.wait, tick = fmax(s->shown_at + TICK - s->jobs.clock(), 1e-3);

    for (int i = 0; i < IG_LANES && s->jobs.threaded; i++)
        if (s->jobs.lane[i].result)
            wait = wait < 0 ? tick : fmin(wait, tick);
    return wait;
}
