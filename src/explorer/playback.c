/* Training, past epochs and versions: start, pause, step, look back, replay. */
#include "explorer/playback.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/overlay.h"

/* Seconds of the animation between two epochs, and between versions, each of which is
 * shown so long. */
static const double SPAN = 0.2, VERSION_SPAN = 0.8, VERSION_SECONDS = 1.2;

/* --- repeating a run -------------------------------------------------------------- */

/* The newest run, if the next has its method and weights, or NULL. */
static const ig_run_entry *find_repeated(const ig_app *app)
{
    const ig_command *next = &app->start, *last = &app->now->started;

    return strcmp(next->method, last->method) == 0 &&
                   strcmp(next->init, last->init) == 0
               ? app->now->newest
               : NULL;
}

static void repeat_run(ig_app *app)
{
    ig_app_start(app, app->start.method, app->halt);
}

/* Train it further, from its best epoch. */
static void continue_run(ig_app *app)
{
    app->start.run = app->now->newest->number;
    repeat_run(app);
    app->start.run = 0;
}

static void start_other(ig_app *app)
{
    uint64_t *seed = &app->start.options.seed;

    for (size_t i = 0; i < app->now->runs.count; i++)
        if (app->now->runs.entry[i]->info->options.seed > *seed)
            *seed = app->now->runs.entry[i]->info->options.seed;
    ++*seed;
    ig_app_note(app, false, "seed %llu", (unsigned long long)*seed);
    repeat_run(app);
}

/* Start a run; if one of this method has ended, ask what to do.
 *   halt  in  as in ig_app_start */
static void start_run(ig_app *app, size_t halt)
{
    static const ig_reply answers[] = {{"c", "continue", continue_run},
                                       {"o", "new seed", start_other},
                                       {"Space", "start anew", repeat_run},
                                       {"n", "cancel", NULL},
                                       {0}};
    const ig_run_entry *run = find_repeated(app);
    bool learned = run && run->run->objective.extractor >= IG_RESIDUAL;
    char label[IG_RUN_LABEL];

    app->halt = halt;
    if (!run) {
        repeat_run(app);
        return;
    }
    ig_run_label(app, run->number, label);
    ig_question_open(app, "train", answers + !learned);
    ig_question_line(app, "Run %s %s: best epoch %zu of %zu.", label,
                     run->run->failed ? "has failed" : "is done", run->info->best,
                     ig_run_epochs(run->info));
    if (learned)
        ig_question_line(app, "c continues it from there, with its weights of terms "
                              "and the options set now.");
    if (*run->info->suffix)
        ig_question_line(app, "o and Space start without the edit.");
    else if (memcmp(&app->start.options, &app->now->started.options,
                    sizeof app->start.options) == 0)
        ig_question_line(app, "The same method, options and seed give the same run.");
}

/* --- training --------------------------------------------------------------------- */

void ig_playback_train(ig_app *app)
{
    ig_view_request *view = app->view;

    if (!ig_app_busy(app)) {
        start_run(app, 0);
        return;
    }
    view->paused = !view->paused && !(view->halt && app->now->newest &&
                                      app->now->newest->info->records >= view->halt);
    view->halt = 0;
}

void ig_playback_step(ig_app *app)
{
    const ig_run_entry *run = app->now->newest;

    if (!ig_app_busy(app)) {
        start_run(app, 1); /* the state before training */
        return;
    }
    app->view->halt = (ig_session_starting(app->now) ? 0 : run->info->records) + 1;
    app->view->paused = false;
}

/* --- looking back ----------------------------------------------------------------- */

const ig_run_record *ig_playback_record(const ig_app *app)
{
    const ig_session *now = app->now;
    bool over = now->activity == IG_FINISHED || now->activity == IG_FAILED;
    size_t epoch = now->looking ? now->main.shown->epoch
                   : over       ? now->info->best
                                : now->info->records - 1;

    return epoch < now->info->records ? &now->info->record[epoch] : NULL;
}

bool ig_playback_end(ig_app *app)
{
    bool was = app->view->looking;

    app->view->looking = false;
    return was;
}

/* The kept epochs before one. */
static size_t count_before(const ig_app *app, size_t epoch)
{
    const ig_history *history = app->now->history;
    size_t n = 0;

    while (n < history->count && history->kept[n].epoch < epoch)
        n++;
    return n;
}

/* Show kept epoch i; at the newest of a run in progress, follow that again. */
static void show_kept(ig_app *app, size_t i)
{
    app->view->epoch = app->now->history->kept[i].epoch;
    app->view->looking = i + 1 < app->now->history->count || !ig_app_busy(app);
}

void ig_playback_at(ig_app *app, size_t epoch)
{
    size_t upto = count_before(app, epoch + 1);

    if (upto > 0)
        show_kept(app, upto - 1);
}

void ig_playback_by(ig_app *app, int epochs)
{
    size_t at = app->view->looking ? app->view->epoch : app->now->main.shown->epoch;
    size_t count = app->now->history->count, before = count_before(app, at);
    size_t to = count_before(app, at + 1) + (size_t)epochs - 1;

    if (epochs < 0)
        to = before > (size_t)-epochs ? before - (size_t)-epochs : 0;
    if (count == 0)
        ig_app_note(app, false, "no epochs yet: Space trains");
    else if (epochs < 0 && before == 0)
        ig_app_note(app, false, "this is the first epoch");
    else if (epochs > 0 && count_before(app, at + 1) == count)
        ig_app_note(app, false, "this is the newest epoch");
    else
        show_kept(app, to < count ? to : count - 1);
}

/* --- versions --------------------------------------------------------------------- */

void ig_version_show(ig_app *app, size_t version)
{
    if (version == app->view->compared_version) /* it stays compared */
        app->view->compared_version = app->view->version;
    app->view->version = version;
    app->view->looking = app->replay.on = false;
    app->view->show = 0;
    if (version && app->now->typed_sentences.list.count)
        ig_app_note(
            app, false,
            "typed sentences are on version %s alone: the encoder answers for it",
            ig_version_name(app, 0));
}

void ig_version_step(ig_app *app, int by)
{
    size_t at = app->view->version, count = app->versions->count;

    if (count < 2)
        ig_app_note(app, false,
                    "the dataset has one version; --versions opens layers, encoders or "
                    "checkpoints");
    else if (by < 0 ? at == 0 : at + 1 == count)
        ig_app_note(app, false, "%s is the %s version", ig_version_name(app, at),
                    by < 0 ? "first" : "last");
    else
        ig_version_show(app, by < 0 ? at - 1 : at + 1);
}

/* --- replay ----------------------------------------------------------------------- */

static double seconds_of(const ig_app *app)
{
    return app->replay.of_versions ? VERSION_SECONDS : 1 / app->pace;
}

/* The narration says what it shows by itself. */
static void note_replay(ig_app *app, const char *what)
{
    if (!app->replay.of_versions || !app->options.narrate)
        ig_app_note(app, false, "replay%s", what);
}

/* Whether the last version or kept epoch is requested. */
static bool is_at_end(const ig_app *app)
{
    const ig_history *history = app->now->history;

    return app->replay.of_versions
               ? app->view->version + 1 >= app->versions->count
               : app->view->epoch >= history->kept[history->count - 1].epoch;
}

void ig_replay_toggle(ig_app *app)
{
    if (app->replay.on) {
        app->replay.on = false;
        note_replay(app, " paused: p resume");
        return;
    }
    app->replay.of_versions = app->now->history->count < 2;
    if (app->replay.of_versions && app->versions->count < 2) {
        ig_app_note(app, false,
                    app->now->runs.count ? "this run has no past epochs to replay"
                                         : "no epochs to replay yet: Space trains");
        return;
    }
    if (!app->replay.of_versions && (!app->view->looking || is_at_end(app)))
        show_kept(app, 0);
    else if (app->replay.of_versions && is_at_end(app))
        ig_version_show(app, 0);
    app->replay.on = true;
    app->replay.at = app->clock() + seconds_of(app);
    note_replay(app, ": p pause");
}

/* Whether what was requested last is not shown yet. */
static bool is_behind(const ig_app *app)
{
    const ig_session *now = app->now;
    size_t shown = now->main.shown->epoch;
    bool moved = app->view->space != IG_MAP_XY && app->view->space != IG_MAP_ORIGINAL;

    if (app->replay.of_versions)
        return now->version != app->view->version || !now->map ||
               now->map->version != now->version;
    return !now->looking || shown != app->view->epoch ||
           (moved && now->map && !*now->result[IG_PRODUCT_MAP].failure &&
            now->map->epoch != shown);
}

double ig_replay_tick(ig_app *app)
{
    bool versions = app->replay.of_versions;
    bool left = !versions && !app->view->looking; /* or another run is shown */
    double now = app->clock();

    if (!app->replay.on || (!left && is_behind(app)))
        return -1;
    if (!left && now < app->replay.at)
        return app->replay.at - now;
    if (left || is_at_end(app)) {
        app->at_once = true;
        app->replay.on = false;
        if (!left)
            note_replay(app, " finished: p replay again");
        return -1;
    }
    app->replay.at = now + seconds_of(app);
    if (versions)
        ig_version_show(app, app->view->version + 1);
    else
        ig_playback_by(app, 1);
    app->replay.on = true;
    return 0;
}

double ig_replay_span(const ig_app *app)
{
    return app->replay.on                 ? fmin(SPAN, 0.9 * seconds_of(app))
           : app->now->history->count < 2 ? VERSION_SPAN
                                          : SPAN;
}
