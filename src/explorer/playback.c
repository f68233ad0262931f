/* Training, past epochs and versions: start, pause, step, look back, replay. */
#include "explorer/playback.h"

#include "explorer/overlay.h"

static const double VERSION_SECONDS = 1.2; /* that each is shown in a replay */

/* Start the method of the run shown: as its preset (p), continued (c) or anew (y). */
static void start_as(ig_app *app)
{
    const ig_run_entry *run = ig_runs_find(&app->now->runs, ig_app_run(app));
    bool trained = run && run->run;
    char how = *app->question.answer->keys;

    app->start.run = trained && how != 'p' ? run->number : 0;
    app->start.continues = how == 'c';
    ig_app_start(app, trained ? run->run->method : app->start.method);
    app->view->halt = app->halt;
    app->start.run = app->start.continues = 0;
}

/* Start a run; if one that has ended is shown, ask what to do. */
static void start_run(ig_app *app, size_t halt)
{
    static const ig_reply answers[] = {{"p start the preset", start_as},
                                       {"c continue", start_as},
                                       {"y/Enter/Space start anew", start_as},
                                       {"n/Esc cancel", NULL},
                                       {0}};
    const ig_run_entry *entry = ig_runs_find(&app->now->runs, ig_app_run(app));
    const ig_run *run = entry ? entry->run : NULL;
    char label[IG_RUN_LABEL], edit[IG_RUN_EDIT];

    app->halt = halt;
    app->question.answer = answers + 2;
    if (!run) {
        start_as(app);
        return;
    }
    app->view->show = entry->number; /* until it is answered */
    ig_edit_of(run, edit);
    ig_question_open(app, "train",
                     answers +
                         (*edit ? 0 : 1 + (run->objective.extractor < IG_RESIDUAL)));
    ig_question_line(app, "Run %s %s: best epoch %zu of %zu.",
                     ig_run_label(app, entry->number, label),
                     run->failed         ? "has failed"
                     : ig_run_cut(entry) ? "was stopped"
                                         : "is done",
                     run->info.best, ig_run_epochs(&run->info));
    if (*edit)
        ig_question_line(app, "Edited: %s%s", run->info.method, edit);
}

void ig_playback_train(ig_app *app)
{
    ig_view_request *view = app->view;

    if (!ig_app_busy(app)) {
        if (app->replay.on)
            ig_replay_toggle(app);
        else
            start_run(app, 0);
        return;
    }
    view->paused = ig_session_training(app->now) ||
                   (ig_session_starting(app->now) && !view->paused);
    view->halt = 0;
}

void ig_playback_step(ig_app *app)
{
    const ig_session *now = app->now;

    if (!ig_app_busy(app)) {
        start_run(app, 1); /* the state before training */
        return;
    }
    app->view->halt = 1 + (ig_session_starting(now) ? 0 : now->newest->info->records);
    app->view->paused = false;
}

void ig_version_show(ig_app *app, size_t version)
{
    if (version == app->view->compared_version) /* it stays compared */
        app->view->compared_version = app->view->version;
    app->view->version = version;
    app->view->looking = app->replay.on = false;
    app->view->show = 0;
    if (version && app->now->typed_sentences.list.count)
        ig_app_note(app, false, "typed sentences come from another %s, %s",
                    ig_version_word(app, false), ig_version_name(app, 0));
}

/* The number of kept epochs of the run, or of versions; *at: the last kept one up to
 * the epoch requested, or the version requested. */
static size_t count_places(const ig_app *app, bool versions, size_t *at)
{
    const ig_history *history = app->now->history;
    size_t epoch = app->view->looking ? app->view->epoch : app->now->main.shown->epoch;

    *at = versions ? app->view->version : 0;
    while (!versions && *at + 1 < history->count &&
           history->kept[*at + 1].epoch <= epoch)
        ++*at;
    return versions ? app->now->dataset.count : history->count;
}

/* Show one; at the newest of a run in progress, follow that again. */
static void show_place(ig_app *app, bool versions, size_t at)
{
    const ig_history *history = app->now->history;

    if (versions) {
        ig_version_show(app, at);
    } else {
        app->view->epoch = history->kept[at].epoch;
        app->view->looking = at + 1 < history->count || !ig_app_busy(app);
    }
}

static void step(ig_app *app, bool versions, int by)
{
    size_t at, count = count_places(app, versions, &at);
    size_t to = (size_t)ig_max_int(0, ig_min_int((int)at + by, (int)count - 1));

    if (versions && count < 2)
        ig_app_note(app, false, "one version: --versions opens layers, checkpoints");
    else if (count == 0)
        ig_app_note(app, false, "%s",
                    app->now->shown_run ? "of this run only the epoch shown is kept"
                                        : "no epochs yet: Space trains");
    else if (to == at)
        ig_app_note(app, false, "this is the %s %s", by < 0 ? "first" : "last",
                    versions ? ig_version_word(app, false) : "epoch");
    else
        show_place(app, versions, to);
}

void ig_playback_by(ig_app *app, int epochs)
{
    step(app, false, epochs);
}

void ig_version_step(ig_app *app, int by)
{
    step(app, true, by);
}

void ig_playback_at(ig_app *app, size_t epoch)
{
    size_t at;

    app->view->looking = app->now->history->count > 0;
    app->view->epoch = epoch;
    if (count_places(app, false, &at) > 0)
        show_place(app, false, at);
    else
        step(app, false, 0);
}

/* The narration says what it shows by itself. */
static void note_replay(ig_app *app, const char *what)
{
    if (!app->replay.of_versions || !app->options.narrate)
        ig_app_note(app, false, "replay%s", what);
}

/* Show a place for its time; this restarts the replay that ig_version_show ends. */
static void replay_place(ig_app *app, size_t at)
{
    bool versions = app->replay.of_versions;

    show_place(app, versions, at);
    app->replay.on = true;
    app->replay.at = app->clock() + (versions ? VERSION_SECONDS : 1 / app->pace);
}

void ig_replay_toggle(ig_app *app)
{
    bool versions = app->now->history->count < 2, starts;
    size_t at, count = count_places(app, versions, &at);

    if (app->replay.on) {
        app->replay.on = false;
        note_replay(app, " paused: p resume");
    } else if (count < 2) {
        step(app, false, 1);
    } else {
        starts = at + 1 == count || !(versions || app->view->looking);
        app->replay.of_versions = versions;
        replay_place(app, starts ? 0 : at);
        note_replay(app, versions || app->view->space != IG_MAP_ORIGINAL
                             ? ": p pause"
                             : " of curves, the original map stays: p pause");
    }
}

double ig_replay_tick(ig_app *app)
{
    const ig_session *now = app->now;
    const ig_job *map = now->result[IG_PRODUCT_MAP].job;
    double left = app->replay.at - app->clock();
    size_t at, count = count_places(app, app->replay.of_versions, &at);

    if (app->replay.on &&
        (!count || (!app->replay.of_versions && !app->view->looking))) {
        app->replay.on = false; /* another run is shown, none, or the newest epoch */
        app->at_once = true;
    }
    if (!app->replay.on || now->version != app->view->version ||
        (app->view->looking && now->main.shown->epoch != app->view->epoch) ||
        (map && map->cause != IG_CAUSE_WHOLE)) /* what was requested is not shown yet */
        return -1;
    if (left > 0)
        return left;
    app->at_once = true;
    if (at + 1 == count) {
        app->replay.on = false;
        note_replay(app, " finished: p replay again");
        return -1;
    }
    replay_place(app, at + 1);
    return 0;
}
