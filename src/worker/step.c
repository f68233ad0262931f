/* What the worker does next. Jobs by urgency: commands, what the user just asked to
 * see, training, what new weights changed, then what can wait for an idle moment. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "worker/kept.h"
#include "worker/worker.h"

/* Snapshots while training: at most ten a second (a little more, so that a pace of ten
 * is not halved by jitter). */
static const double BETWEEN_SNAPSHOTS = 0.09;

void ig_worker_tell(ig_session *s, bool is_error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(s->message, sizeof s->message, format, args);
    va_end(args);
    s->is_error = is_error;
    s->news++;
    s->dirty = true;
}

void ig_worker_publish(ig_session *s)
{
    ig_snapshot *new = ig_snapshot_make(s);

    if (!new)
        return; /* memory is short: the screen keeps what it has */
    ig_snapshot_free(ig_channel_publish(&s->channel, new));
    s->shown_at = ig_clock_now();
    s->dirty = s->at_once = false;
}

bool ig_worker_training(const ig_session *s)
{
    return s->run && !s->stopped && ig_run_going(s->run);
}

bool ig_worker_paused(const ig_session *s)
{
    return s->now.paused || (s->run && s->now.halt && s->run->records >= s->now.halt);
}

/* --- the run ---------------------------------------------------------------------- */

/* What was made for weights of another layout. */
static void forget_spaces(ig_session *s)
{
    for (int space = IG_SPACE_MEANING; space < IG_SPACES; space++) {
        ig_searcher_delete(s->searcher[space]);
        s->searcher[space] = NULL;
        ig_free(s->cache[space]);
        s->cache[space] = NULL;
    }
}

bool ig_worker_show(ig_session *s, const ig_extractor *x, size_t epoch)
{
    if (s->shown_serial == 0 || s->shown.size != x->size || s->shown.kind != x->kind ||
        s->shown.hidden != x->hidden) {
        ig_extractor copy;

        if (ig_extractor_copy(&copy, x, NULL) != IG_OK)
            return false;
        forget_spaces(s);
        ig_extractor_free(&s->shown);
        s->shown = copy;
    } else if (x->size) {
        memcpy(s->shown.weights, x->weights, x->size * sizeof(float));
    }
    s->shown.normalize = x->normalize;
    s->shown_epoch = epoch;
    s->shown_serial = ++s->serials;
    return true;
}

static void end_run(ig_session *s)
{
    if (ig_worker_follows(s))
        ig_worker_show_run(s);
    s->dirty = true;
}

static size_t best_epoch(const ig_session *s)
{
    size_t best;

    ig_trainer_best(s->run->trainer, &best);
    return best;
}

static bool must_pause(void *context)
{
    ig_session *s = context;

    return atomic_load(&s->channel.cancel) ||
           (s->threaded && ig_clock_now() - s->shown_at > BETWEEN_SNAPSHOTS);
}

static void train_on(ig_session *s)
{
    ig_error error;
    double start = ig_clock_now();
    ig_status status = ig_run_epoch(s->run, must_pause, s, &error);

    s->dirty = true;
    if (status == IG_INTERRUPTED)
        return;
    s->saved = false;
    if (status != IG_OK)
        ig_worker_tell(s, true, "%s", error.message);
    if (!ig_run_going(s->run)) {
        end_run(s);
        if (status == IG_OK && ig_trainer_state(s->run->trainer) == IG_TRAIN_CLOSED)
            ig_worker_tell(s, false, "%s: %s", s->run->objective.name,
                           ig_run_ending(s->run));
        else if (status == IG_OK)
            ig_worker_tell(s, false, "%s: %s; best epoch %zu", s->run->objective.name,
                           ig_run_ending(s->run), best_epoch(s));
        return;
    }
    if (ig_worker_follows(s))
        ig_worker_show_run(s);
    s->next_epoch = s->now.pace > 0 ? start + 1 / s->now.pace : 0;
}

/* The measures of an epoch that were broken off, before its run is written or left. */
static void finish_epoch(ig_session *s)
{
    if (!ig_worker_training(s) || !s->run->trained)
        return;
    ig_channel_begin(&s->channel, IG_ARRIVAL_END);
    train_on(s);
    ig_channel_begin(&s->channel, IG_ARRIVAL_ROW);
}

static void start_run(ig_session *s, const ig_command *command)
{
    ig_run_setup setup = {.set = s->set,
                          .pairs = s->pairs,
                          .method = command->method,
                          .options = command->options,
                          .pairing = s->pairing,
                          .init = command->init[0] ? command->init : NULL,
                          .pool = s->pool,
                          .stop = &s->channel.cancel,
                          .keep = s->keep};
    ig_error error;
    ig_run *run;

    s->starts++;
    /* A run that cannot start leaves the one there is. */
    s->refused = ig_run_new(&run, &setup, &error) != IG_OK;
    if (s->refused) {
        ig_worker_tell(s, true, "%s", error.message);
        return;
    }
    if (!ig_kept_reserve(s)) {
        ig_run_delete(run);
        ig_worker_tell(s, true, "out of memory for one more run");
        s->refused = true;
        return;
    }
    finish_epoch(s);
    ig_kept_put_newest(s);
    s->run = run;
    s->run_number = ++s->numbers;
    s->norms_at = s->new_norms = 0;
    s->looking = false;
    s->stopped = s->saved = false;
    s->next_epoch = 0;
    s->message[0] = '\0';
    s->dirty = true;
}

static void stop_run(ig_session *s)
{
    finish_epoch(s);
    if (!ig_worker_training(s))
        return;
    s->stopped = true;
    end_run(s);
    if (s->run->records)
        ig_worker_tell(s, false, "%s stopped; best epoch %zu", s->run->objective.name,
                       best_epoch(s));
    else
        ig_worker_tell(s, false, "%s stopped before its first epoch",
                       s->run->objective.name);
}

/* Weights as the editor has them. Terms that come in go first: one must always stay. */
static void edit_run(ig_session *s, const ig_command *command)
{
    ig_error error;

    if (!ig_worker_training(s) || command->run != s->run_number)
        return;
    for (int out = 0; out < 2; out++)
        for (size_t i = 0; i < s->run->objective.terms; i++)
            if (command->off[i] == (bool)out &&
                ig_run_set_weight(s->run, i, command->weight[i], !out, &error) !=
                    IG_OK) {
                ig_worker_tell(s, true, "%s", error.message);
                return;
            }
    s->dirty = true;
}

/* Look at another epoch, or no longer back. */
static void look(ig_session *s)
{
    s->looking = s->now.looking;
    ig_worker_show_run(s);
    s->quiet_until = 0;
    s->dirty = true;
}

/* --- what is asked ---------------------------------------------------------------- */

static void carry_out(ig_session *s, const ig_command *command)
{
    switch (command->kind) {
    case IG_COMMAND_START:
        start_run(s, command);
        break;
    case IG_COMMAND_STOP:
        stop_run(s);
        break;
    case IG_COMMAND_SAVE:
        finish_epoch(s);
        ig_worker_save(s, command->run, command->path);
        break;
    case IG_COMMAND_LOAD:
        ig_worker_load(s, command->path);
        break;
    case IG_COMMAND_DROP:
        ig_worker_drop(s, command->run);
        break;
    case IG_COMMAND_EDIT:
        edit_run(s, command);
        break;
    case IG_COMMAND_MEASURE:
        ig_worker_measure_exactly(s);
        break;
    case IG_COMMAND_CANCEL:
        ig_worker_cancel_measuring(s);
        break;
    }
}

/* Take over the newest request. */
static void look_at(ig_session *s, const ig_view_request *request)
{
    ig_view_request old = s->now;
    bool paused = ig_worker_paused(s);

    s->now = *request;
    if (s->now.row >= s->set->rows)
        s->now.row = IG_NO_ROW;
    if (s->now.pace != old.pace)
        s->next_epoch = 0;
    ig_worker_select(s);
    if (s->now.looking != old.looking || (s->now.looking && s->now.epoch != old.epoch))
        look(s);
    if (!ig_request_same_languages(&old, &s->now))
        s->searched_row = IG_NO_ROW;
    s->dirty |= paused != ig_worker_paused(s);
}

/* Take over what has arrived: the newest request, then the next command. True when it
 * changed something. */
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
        ig_worker_select(s);
    }
    return has_command || s->dirty;
}

static bool view_is_stale(const ig_session *s)
{
    const ig_map_key *k = &s->map_key;

    return !s->mapped || k->space != s->now.space || k->unit != s->now.unit ||
           k->axis[0] != s->now.axis[0] || k->axis[1] != s->now.axis[1];
}

bool ig_worker_row_is_stale(const ig_session *s)
{
    return s->now.row != IG_NO_ROW && s->now.row != s->searched_row;
}

static bool weights_are_stale(const ig_session *s)
{
    return s->map_key.weights != s->shown_serial ||
           (s->now.row != IG_NO_ROW && s->nearby_weights != s->shown_serial);
}

/* A job's end: news when it failed. Whether it is over: false when it was broken off
 * for something more urgent. A job that failed is over too, or it would be tried for
 * ever. */
static bool is_over(ig_session *s, ig_status status, const ig_error *error)
{
    if (status == IG_INTERRUPTED)
        return false;
    if (status != IG_OK)
        ig_worker_tell(s, true, "%s", error->message);
    s->dirty = true;
    return true;
}

static void map_job(ig_session *s, bool exact)
{
    ig_map_key key = {s->now.space,
                      s->now.unit,
                      {s->now.axis[0], s->now.axis[1]},
                      s->shown_serial,
                      exact};
    ig_error error;

    if (!is_over(s, ig_worker_map(s, &key.exact, &error), &error))
        return;
    s->mapped = true;
    s->map_key = key;
}

void ig_worker_search(ig_session *s, bool all)
{
    ig_error error;
    ig_status status = ig_worker_nearby(s, all, &error);

    if (!is_over(s, status, &error))
        return;
    s->searched_row = s->now.row;
    if (status != IG_OK)
        s->nearby_weights = s->shown_serial;
}

static void nearby_more_job(ig_session *s)
{
    ig_error error;

    is_over(s, ig_worker_nearby_more(s, &error), &error);
}

static bool texts_job(ig_session *s)
{
    ig_textsearch *texts;
    ig_error error;
    ig_status status;

    if (!s->now.texts || s->texts_tried)
        return false;
    ig_channel_begin(&s->channel, IG_ARRIVAL_END);
    status = ig_textsearch_new(&texts, s->set->text, s->set->rows, &s->channel.cancel,
                               &error);
    ig_channel_begin(&s->channel, IG_ARRIVAL_ROW);
    s->texts_tried = is_over(s, status, &error);
    if (status == IG_OK)
        atomic_store(&s->texts, texts);
    return true;
}

/* Frames for new weights take a quarter of the time at most. */
static bool follow_weights(ig_session *s)
{
    double start = ig_clock_now();

    if (!weights_are_stale(s) || (s->threaded && ig_worker_training(s) &&
                                  !ig_worker_paused(s) && start < s->quiet_until))
        return false;
    s->at_once |= s->looking;
    if (s->map_key.weights != s->shown_serial)
        map_job(s, false);
    if (s->now.row != IG_NO_ROW && !atomic_load(ig_worker_cancel(s)))
        ig_worker_search(s, true);
    s->quiet_until = start + fmax(BETWEEN_SNAPSHOTS, 4 * (ig_clock_now() - start));
    return true;
}

/* What the editor shows, a term at a time, so that what is urgent need not wait for all
 * of them. A tenth of the time at most goes into it. */
static bool norms_job(ig_session *s)
{
    double start = ig_clock_now();
    ig_error error;

    if (!s->now.norms || !s->run || !s->run->records || !s->run->objective.terms ||
        s->norms_at == s->run->records ||
        (s->threaded && s->new_norms == 0 && start < s->norms_next))
        return false;
    if (s->new_norms == 0)
        s->norms_next = start;
    is_over(s,
            ig_trainer_norm(s->run->trainer, s->new_norms, &s->new_norm[s->new_norms],
                            &error),
            &error);
    /* The time that it took, and nine times as much. */
    s->norms_next += 10 * (ig_clock_now() - start);
    if (++s->new_norms < s->run->objective.terms)
        return true;
    s->at_once |= s->norms_at == 0;
    memcpy(s->norm, s->new_norm, sizeof s->norm);
    s->norms_at = s->run->records;
    s->new_norms = 0;
    return true;
}

/* What stands beside, after the same of the run shown. */
static bool beside_job(ig_session *s)
{
    ig_session *b = ig_worker_beside(s);
    bool worked = true;

    if (!b)
        return false;
    if (ig_worker_row_is_stale(b))
        ig_worker_search(b, false);
    else if (ig_worker_nearby_due(b))
        nearby_more_job(b);
    else if (view_is_stale(b))
        map_job(b, false);
    else if (s->threaded && ig_worker_training(s) && ig_clock_now() < b->quiet_until)
        worked = false;
    else
        worked = follow_weights(b);
    if (b->news)
        ig_worker_tell(s, b->is_error, "%s", b->message);
    s->dirty |= b->dirty;
    b->news = 0;
    b->dirty = false;
    return worked;
}

static bool idle_job(ig_session *s)
{
    ig_error error;

    if (!s->checked) {
        s->checked =
            is_over(s, ig_set_check(s->set, NULL, &s->channel.cancel, &error), &error);
        return true;
    }
    if (s->run && s->run->records && !s->run->finished && !ig_worker_training(s) &&
        !s->run->failed) {
        s->run->finished = is_over(s, ig_worker_finish(s, &error), &error);
        return true;
    }
    if (ig_worker_findings(s, true))
        return true;
    if (!s->map_key.exact) {
        map_job(s, true);
        return true;
    }
    if (s->beside_run && !s->beside->map_key.exact) {
        map_job(s->beside, true);
        s->dirty = true;
        return true;
    }
    return false;
}

/* One job, the most urgent; whether there was one. *sleep: how long there is none. */
static bool one_job(ig_session *s, double *sleep)
{
    *sleep = -1;
    if (take_arrivals(s))
        return true;
    if (texts_job(s)) {
        s->at_once = true;
        return true;
    }
    s->at_once |= ig_worker_row_is_stale(s) || view_is_stale(s);
    if (ig_worker_row_is_stale(s)) {
        ig_worker_search(s, false);
        return true;
    }
    if (view_is_stale(s)) {
        map_job(s, false);
        return true;
    }
    if (ig_worker_nearby_due(s)) {
        s->at_once = true;
        nearby_more_job(s);
        return true;
    }
    if (follow_weights(s) || beside_job(s))
        return true;
    if (norms_job(s) || ig_worker_findings(s, false))
        return true;
    if (ig_worker_training(s) && !ig_worker_paused(s)) {
        double wait = s->threaded ? s->next_epoch - ig_clock_now() : 0;

        if (wait > 0) {
            *sleep = wait;
            return false;
        }
        train_on(s);
        return true;
    }
    return idle_job(s);
}

double ig_worker_step(ig_session *s)
{
    double sleep;
    bool worked = one_job(s, &sleep);
    double since = ig_clock_now() - s->shown_at;
    bool busy = ig_worker_training(s) && !ig_worker_paused(s);

    /* New epochs come at most ten times a second, what was asked for at once. */
    if (s->dirty && (!busy || s->at_once || since >= BETWEEN_SNAPSHOTS))
        ig_worker_publish(s);
    else if (s->dirty && !worked)
        sleep = sleep < 0 ? BETWEEN_SNAPSHOTS - since
                          : fmin(sleep, BETWEEN_SNAPSHOTS - since);
    return worked ? 0 : sleep;
}
