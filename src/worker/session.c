/* The session: its life, its thread, its commands, and what the worker does next. */
#include "worker/session.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/priority.h"
#include "encode/address.h"
#include "report/document.h"
#include "runs/reporting.h"
#include "worker/state.h"
#include "worker/training.h"

/* Sets up to this size are looked through when they are opened; larger ones by the
 * worker when nothing else is to do. */
static const size_t CHECKED_BYTES = 64u << 20;

/* Arithmetic that a frame of the map may take beside training (some 50 ms). */
static const double CHEAP_FLOPS = 2e10;

/* For the weights of past epochs, of one run. */
static const size_t KEPT_BYTES = 256u << 20;

/* --- life ------------------------------------------------------------------------- */

static void lay_out_view(ig_session *s, ig_view_state *v)
{
    v->shown.work = v->map.work = v->neighbours.work = &s->work;
    v->map.shown = v->neighbours.shown = &v->shown;
    v->map.guests = &s->guests;
    v->map.frame.work = &s->work;
}

ig_status ig_session_new(ig_session **out, const ig_set *set, const ig_pairs *pairs,
                         const char *pairing, ig_pool *pool, ig_error *error)
{
    ig_session *s = ig_alloc(1, sizeof *s);
    ig_status status;

    *out = NULL;
    if (!s)
        return ig_fail_memory(error, "the session");
    atomic_init(&s->texts, NULL);
    s->clock = ig_clock_now;
    s->pairing = pairing;
    s->request = ig_view_request_defaults();
    s->work = (ig_work){.set = set,
                        .pairs = pairs,
                        .pool = pool,
                        .originals = ig_rows_of_set(set),
                        .index = &s->index,
                        .cheap = CHEAP_FLOPS,
                        .request = &s->request,
                        .cancel = &s->channel.cancel,
                        .attend = ig_product_table_attend,
                        .session = s};
    s->training.keep = KEPT_BYTES;
    s->checked = ig_set_bytes(set) <= CHECKED_BYTES;
    lay_out_view(s, &s->main);
    lay_out_view(s, &s->other);
    s->other.neighbours.without_original = true;
    s->evaluation.work = &s->work;
    s->evaluation.shown = &s->main.shown;
    s->evaluation_compared.work = &s->work;
    s->evaluation_compared.shown = &s->other.shown;
    ig_product_table_init(s);
    status = ig_channel_open(&s->channel, error);
    if (status != IG_OK) {
        ig_session_delete(s);
        return status;
    }
    *out = s;
    return IG_OK;
}

void ig_session_scores(ig_session *s, const ig_scores *scores)
{
    s->evaluation.scores = s->evaluation_compared.scores = scores;
}

void ig_session_data(ig_session *s, const char *const *data, size_t words)
{
    s->data = data;
    s->data_words = words;
}

static void answered(void *context);

void ig_session_encoder(ig_session *s, const ig_encoder_options *options,
                        const char *why)
{
    s->guests.options = options;
    s->guests.answered = answered;
    s->guests.context = s;
    s->guests.why = why;
}

ig_status ig_session_load(ig_session *s, const char *path, bool any_dims,
                          ig_error *error)
{
    ig_status status =
        ig_runs_load(&s->training.runs, path, s->work.set, any_dims, error);

    if (status == IG_OK)
        ig_training_select(s);
    s->telling.dirty = true;
    return status;
}

ig_status ig_session_follow(ig_session *s, const char *path, ig_error *error)
{
    s->following.path = ig_strdup(path);
    if (!s->following.path)
        return ig_fail_memory(error, "a run");
    if (!ig_following_look(s))
        ig_tell(s, false, "waiting for the first checkpoint of %s", path);
    return IG_OK;
}

static void free_view(ig_view_state *v)
{
    ig_map_product_free(&v->map);
    ig_neighbourhood_free(&v->neighbours);
    ig_shown_free(&v->shown);
}

void ig_session_delete(ig_session *s)
{
    if (!s)
        return;
    if (s->threaded) {
        ig_channel_end(&s->channel);
        pthread_join(s->thread, NULL);
    }
    ig_guests_free(&s->guests); /* its thread wakes the channel */
    ig_snapshot_free(ig_channel_receive(&s->channel));
    ig_evaluation_state_free(&s->evaluation);
    ig_evaluation_state_free(&s->evaluation_compared);
    free_view(&s->main);
    free_view(&s->other);
    ig_row_index_free(&s->index);
    ig_runs_free(&s->training.runs);
    ig_free(s->following.path);
    ig_textsearch_delete(atomic_load(&s->texts));
    ig_channel_close(&s->channel);
    ig_free(s);
}

/* --- reports ---------------------------------------------------------------------- */

struct job {
    ig_session *session;
    ig_document document;
    const uint8_t *held_out; /* ids that all runs so far held out … */
    bool differ;             /* … which are not the same for all */
    ig_subset subset;
    ig_scores scores; /* those of the held-out ids, where these alone are measured */
    ig_subject subject;
};

static void tick(void *context, const char *what, double share)
{
    struct job *j = context;

    (void)what;
    ig_product_table_attend(j->session, share);
}

/* Add the runs with weights. */
static ig_status add_runs(struct job *j, ig_error *error)
{
    ig_session *s = j->session;
    const ig_runs *runs = &s->training.runs;
    ig_status status =
        ig_document_init(&j->document, s->work.set, runs->count + 1, error);

    for (size_t i = 0; i < runs->count && status == IG_OK; i++) {
        const ig_run_entry *one = runs->entry[i];
        const uint8_t *held_out = ig_training_held_out(s, one->number);

        if (one->run ? !one->run->records : !one->stored->has_weights)
            continue;
        j->differ |= !held_out || (j->held_out && memcmp(j->held_out, held_out,
                                                         s->work.set->rows) != 0);
        j->held_out = held_out;
        status = ig_reporting_add(&j->document,
                                  &(ig_reported){.number = one->number,
                                                 .run = one->run,
                                                 .stored = one->stored,
                                                 .data = s->data,
                                                 .words = s->data_words},
                                  error);
    }
    return status;
}

/* What all is measured on: the ids that all runs held out, when they are the same for
 * all. */
static ig_status choose_rows(struct job *j, ig_error *error)
{
    ig_session *s = j->session;
    const uint8_t *only = s->request.all_rows || j->differ ? NULL : j->held_out;
    const ig_scores *scores = s->evaluation.scores;
    ig_document *d = &j->document;
    ig_status status = ig_subset_take(&j->subset, s->work.set,
                                      ig_evaluation_state_pairs(&s->evaluation), only,
                                      0, s->request.seed, error);

    d->of_scores = scores ? scores->count : 0;
    if (status == IG_OK && scores && only) {
        status = ig_scores_copy(&j->scores, scores, error);
        if (status == IG_OK)
            ig_scores_keep(&j->scores, only);
        scores = &j->scores;
    }
    d->split = only ? IG_DOCUMENT_VALID : IG_DOCUMENT_ALL;
    d->subset = &j->subset;
    d->scored = scores ? scores->count : 0;
    if (scores)
        ig_property_list_add(&d->properties, "scores", "%zu of %zu pairs", d->scored,
                             d->of_scores);
    d->seed = s->request.seed;
    j->subject = ig_subject_of(s->work.set, &j->subset, scores, s->request.seed);
    ig_reporting_machine(d);
    return status;
}

/* Measure and write the report of all runs with weights, each at its best epoch; say
 * what became of it. */
static void write_report(ig_session *s, const char *path)
{
    const atomic_bool *cancel = s->work.cancel;
    struct job j = {.session = s};
    size_t runs;
    ig_error error;
    ig_status status;

    s->telling.reporting = true;
    ig_long_job_begin(s);
    ig_channel_begin(&s->channel, IG_ARRIVAL_CANCEL);
    status = add_runs(&j, &error);
    runs = j.document.runs;
    if (status == IG_OK)
        status = choose_rows(&j, &error);
    if (status == IG_OK)
        status = ig_document_measure(&j.document, &s->work.originals, &j.subject,
                                     s->work.pool, cancel, tick, &j, &error);
    if (status == IG_OK)
        status = ig_report_write(&j.document, path, s->work.pool, cancel, &error);
    ig_channel_begin(&s->channel, IG_ARRIVAL_ROW);
    ig_long_job_end(s);
    s->telling.reporting = false;
    if (status == IG_INTERRUPTED)
        ig_tell(s, false, "the report was given up");
    else if (status != IG_OK)
        ig_tell(s, true, "%s", error.message);
    else
        ig_tell(s, false, "report of %zu run%s written to %s", runs,
                runs == 1 ? "" : "s", path);
    ig_document_free(&j.document);
    ig_subset_free(&j.subset);
    ig_scores_free(&j.scores);
}

/* --- what arrives ----------------------------------------------------------------- */

/* Called on the encoder's thread. */
static void answered(void *context)
{
    ig_channel_wake(&((ig_session *)context)->channel);
}

/* Let in whose sentence is encoded. */
static void hear_answers(ig_session *s)
{
    const ig_set *set = s->work.set;
    unsigned number;
    ig_status status;
    ig_error error;

    while (ig_guests_answer(&s->guests, set, &s->main.neighbours, &number, &status,
                            &error))
        if (status == IG_OK) {
            const ig_guest *guest = &s->guests.guest[s->guests.count - 1];

            char server[IG_ADDRESS_SIZE];
            bool asked = !s->guests.told &&
                         ig_address_server(server, s->guests.options->encoder);

            s->guests.told = true;
            ig_tell(s, false,
                    "%s%s%sguest %u (%.60s%s) is on the map; @ tells what is near it",
                    asked ? "asked " : "", asked ? server : "", asked ? ": " : "",
                    number, set->language[guest->lang], guest->said ? "" : "?");
        } else if (status == IG_INTERRUPTED) {
            ig_tell(s, false, "the question was given up");
        } else {
            ig_tell(s, true, "%s", error.message);
        }
}

/* Have a sentence encoded, beside all else; where nobody looks on, it is waited for. */
static void ask(ig_session *s, const ig_command *command)
{
    ig_error error;

    if (ig_guests_begin(&s->guests, &error) != IG_OK ||
        ig_guests_ask(&s->guests, s->work.set, command->path, command->method,
                      &error) != IG_OK)
        ig_tell(s, true, "%s", error.message);
    else if (!s->live)
        ig_guests_wait(&s->guests);
    s->telling.dirty = true;
}

static void name_guest(ig_session *s, const ig_command *command)
{
    if (!ig_guests_rename(&s->guests, command->run, command->path))
        ig_tell(s, true, "there is no guest %u", command->run);
    s->telling.dirty = s->telling.at_once = true;
}

static void write_guests(ig_session *s, const char *path)
{
    ig_error error;

    if (ig_guests_write(&s->guests, s->work.set, path, &error) == IG_OK)
        ig_tell(s, false, "%zu guest%s written to %s", s->guests.count,
                s->guests.count == 1 ? "" : "s", path);
    else
        ig_tell(s, true, "%s", error.message);
}

static void carry_out(ig_session *s, const ig_command *command)
{
    switch (command->kind) {
    case IG_COMMAND_START:
        ig_training_start(s, command);
        break;
    case IG_COMMAND_STOP:
        ig_training_stop(s);
        break;
    case IG_COMMAND_SAVE:
        ig_training_finish_epoch(s);
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
        ig_evaluation_state_ask(&s->evaluation);
        if (s->compared)
            ig_evaluation_state_ask(&s->evaluation_compared);
        break;
    case IG_COMMAND_ASK:
        ask(s, command);
        break;
    case IG_COMMAND_FORGET:
        if (!ig_guests_forget(&s->guests, command->run))
            ig_tell(s, true, "there is no guest %u", command->run);
        s->telling.dirty = true;
        break;
    case IG_COMMAND_RENAME:
        name_guest(s, command);
        break;
    case IG_COMMAND_WRITE_GUESTS:
        write_guests(s, command->path);
        break;
    case IG_COMMAND_CANCEL:
        ig_evaluation_state_cancel(&s->evaluation);
        ig_evaluation_state_cancel(&s->evaluation_compared);
        ig_guests_give_up(&s->guests);
        s->telling.dirty = true;
        break;
    }
}

/* Take over the newest request. */
static void look_at(ig_session *s, const ig_view_request *request)
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
        s->telling.dirty = true;
    }
    ig_scheduler_retry(s->product, IG_PRODUCTS);
    s->telling.dirty |= paused != ig_training_is_paused(s);
}

/* Take over what has arrived: the newest request, then the next command. Whether there
 * was a command, or something to tell. */
static bool take_arrivals(ig_session *s)
{
    ig_command command;
    bool has_request, has_command;

    if (!ig_channel_take(&s->channel, &has_request, &command, &has_command))
        return false;
    if (has_request)
        look_at(s, s->channel.taken);
    if (has_command) {
        carry_out(s, &command);
        ig_training_select(s);
    }
    hear_answers(s);
    if (s->telling.asking != ig_guests_waiting(&s->guests)) {
        s->telling.asking = ig_guests_waiting(&s->guests);
        s->telling.dirty = s->telling.at_once = true;
    }
    return has_command || s->telling.dirty;
}

/* --- what is done next ------------------------------------------------------------ */

static ig_scheduled choose(ig_session *s)
{
    bool shares = s->live && ig_training_is_busy(s);

    ig_training_compare(s);
    return ig_scheduler_choose(s->product, IG_PRODUCTS, s,
                               shares ? s->clock() : INFINITY);
}

static void make(ig_session *s, const ig_scheduled *choice)
{
    const ig_product *p = choice->product;
    unsigned long times = p->times;
    ig_error error;
    ig_status status = ig_scheduler_make(choice, s, &s->channel, s->clock, &error);

    if (status != IG_OK && status != IG_INTERRUPTED)
        ig_tell(s, true, "%s", error.message);
    if (p->times == times)
        return;
    s->telling.dirty = true;
    if (choice->cause == IG_CAUSE_FOLLOW ? s->looking
                                         : choice->urgency >= IG_URGENCY_SEEN)
        s->telling.at_once = true;
}

/* Make a product, and what follows the same weights with it. */
static void make_together(ig_session *s, ig_scheduled choice)
{
    int ten = choice.urgency / 10;

    do {
        make(s, &choice);
        if (choice.cause != IG_CAUSE_FOLLOW || atomic_load(&s->channel.cancel))
            return;
        choice = choose(s);
    } while (choice.product && choice.cause == IG_CAUSE_FOLLOW &&
             choice.urgency / 10 == ten);
}

/* Do what is most urgent; whether there was something. *sleep: seconds until there is,
 * or < 0. */
static bool work(ig_session *s, double *sleep)
{
    ig_scheduled choice;

    *sleep = -1;
    if (take_arrivals(s))
        return true;
    choice = choose(s);
    if (ig_training_is_busy(s) && choice.urgency < IG_URGENCY_TRAINING) {
        double wait = s->live ? s->training.next_epoch - s->clock() : 0;

        if (wait <= 0)
            ig_training_step(s);
        else
            *sleep = wait;
        return wait <= 0;
    }
    if (choice.product)
        make_together(s, choice);
    return choice.product != NULL;
}

/* The sooner of two waits, of which one below 0 never ends. */
static double sooner(double a, double b)
{
    return a < 0 ? b : b < 0 ? a : fmin(a, b);
}

double ig_session_step(ig_session *s)
{
    double sleep = -1;
    bool worked = ig_following_look(s) || work(s, &sleep);
    double due = ig_publish_if_due(s);

    if (worked)
        return 0;
    return sooner(sleep, sooner(due, ig_following_wait(s)));
}

static void give_way(void *context, size_t member, size_t members)
{
    (void)context;
    (void)member;
    (void)members;
    ig_priority_lower();
}

/* The thread and those of the pool work for seconds on end; the screen's, which answers
 * a key within milliseconds, is not to wait until they have had their time. */
static void *run_worker(void *argument)
{
    ig_session *s = argument;

    ig_pool_run(s->work.pool, give_way, NULL);
    while (ig_channel_arrived(&s->channel) != IG_ARRIVAL_END) {
        double sleep = ig_session_step(s);

        if (sleep != 0)
            ig_channel_sleep(&s->channel, sleep);
    }
    return NULL;
}

ig_status ig_session_start(ig_session *s, ig_error *error)
{
    ig_status status = ig_guests_begin(&s->guests, error);
    int failed;

    if (status != IG_OK)
        return status;
    s->threaded = s->live = true; /* before the thread reads it */
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
    if (command && command->kind == IG_COMMAND_ASK && s->threaded) {
        /* The encoder need not wait until the worker can be interrupted. */
        ig_status status = ig_guests_ask(&s->guests, s->work.set, command->path,
                                         command->method, error);

        if (status != IG_OK)
            return status;
        ig_channel_wake(&s->channel);
        command = NULL;
    }
    return ig_channel_post(&s->channel, command, request, error);
}

void ig_session_request(ig_session *s, const ig_view_request *request)
{
    ig_channel_post(&s->channel, NULL, request, NULL);
}

const ig_textsearch *ig_session_texts(const ig_session *s)
{
    const ig_textsearch *texts = atomic_load(&s->texts);

    return texts && ig_textsearch_is_whole(texts) ? texts : NULL;
}

const ig_textsearch *ig_session_texts_so_far(const ig_session *s)
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
