/* The run's time: on and on, by the epoch, and back to epochs that have been. */
#include "tui/playback.h"

#include "tui/repeating.h"

/* Epochs seen of the run that goes, which may not be the one shown. */
static size_t records(const ig_app *app)
{
    const ig_snapshot *now = app->now;

    for (size_t i = 0; i < now->runs; i++)
        if (now->run_line[i].activity == IG_TRAINING ||
            now->run_line[i].activity == IG_PAUSED)
            return now->run_line[i].curves->records;
    return now->records;
}

static bool is_paused(const ig_app *app)
{
    return app->request.paused ||
           (app->request.halt && records(app) >= app->request.halt);
}

void ig_playback_train(ig_app *app)
{
    if (!ig_app_busy(app)) {
        if (!ig_repeat_ask(app, 0))
            ig_app_start(app, app->start.method, 0);
        return;
    }
    app->request.paused = !is_paused(app);
    app->request.halt = 0;
    ig_app_send(app);
}

void ig_playback_step(ig_app *app)
{
    bool heard = app->now->starts == app->starts;

    if (!ig_app_busy(app)) {
        if (!ig_repeat_ask(app, 1))
            ig_app_start(app, app->start.method, 1); /* the state before training */
        return;
    }
    app->request.halt = (heard ? records(app) : 0) + 1;
    app->request.paused = false;
    ig_app_send(app);
}

/* --- looking back ----------------------------------------------------------------- */

const ig_run_record *ig_playback_record(const ig_app *app)
{
    const ig_snapshot *now = app->now;
    bool over = now->activity == IG_FINISHED || now->activity == IG_FAILED;
    size_t epoch = now->looking ? now->shown : over ? now->best : now->records - 1;

    return epoch < now->records ? &now->record[epoch] : NULL;
}

bool ig_playback_end(ig_app *app)
{
    if (!app->request.looking)
        return false;
    app->request.looking = false;
    ig_app_send(app);
    return true;
}

/* How many of the epochs kept are before this one. */
static size_t count_before(const ig_snapshot *now, size_t epoch)
{
    size_t n = 0;

    while (n < now->history && now->history_epoch[n] < epoch)
        n++;
    return n;
}

void ig_playback_at(ig_app *app, size_t epoch)
{
    const ig_snapshot *now = app->now;
    size_t upto = count_before(now, epoch + 1);

    if (upto == 0)
        return;
    app->request.epoch = now->history_epoch[upto - 1];
    app->request.looking = upto < now->history || !ig_app_busy(app);
    ig_app_send(app);
}

void ig_playback_by(ig_app *app, int epochs)
{
    const ig_snapshot *now = app->now;
    size_t at = app->request.looking ? app->request.epoch : now->shown;
    size_t before = count_before(now, at), after = count_before(now, at + 1), to;

    if (now->history == 0) {
        ig_app_note(app, false, "no epoch to look at yet: Space trains");
        return;
    }
    if (epochs < 0 && before == 0) {
        ig_app_note(app, false, "this is the first epoch");
        return;
    }
    if (epochs > 0 && after == now->history) {
        ig_app_note(app, false, "this is the newest epoch");
        return;
    }
    to = epochs < 0 ? (before > (size_t)-epochs ? before - (size_t)-epochs : 0)
                    : after + (size_t)epochs - 1;
    to = to < now->history ? to : now->history - 1;
    app->request.epoch = now->history_epoch[to];
    /* Back at the newest of a run that goes on, go on with it. */
    app->request.looking = to + 1 < now->history || !ig_app_busy(app) || epochs < 0;
    ig_app_send(app);
}

/* --- replay ----------------------------------------------------------------------- */

static const double SPAN = 0.2; /* seconds, from one epoch to another */

static double seconds_of(const ig_app *app)
{
    return app->replay.seconds > 0 ? app->replay.seconds : 1 / app->pace;
}

static size_t last_kept(const ig_app *app)
{
    return app->now->history_epoch[app->now->history - 1];
}

void ig_replay_toggle(ig_app *app)
{
    const ig_snapshot *now = app->now;

    if (app->replay.on) {
        app->replay.on = false;
        ig_app_note(app, false,
                    "the replay stands at epoch %zu: p goes on, Esc leaves it",
                    app->request.epoch);
        return;
    }
    if (now->history < 2) {
        ig_app_note(app, false,
                    now->runs ? "this run has no epochs to be replayed"
                              : "no epochs to be replayed yet: Space trains");
        return;
    }
    if (!app->request.looking || app->request.epoch >= last_kept(app))
        ig_playback_at(app, now->history_epoch[0]);
    app->replay.on = true;
    app->replay.at = app->clock() + seconds_of(app);
    ig_app_note(app, false,
                "replay: p pauses, f is faster, , and . go by epochs, Esc leaves");
}

void ig_replay_pace(ig_app *app)
{
    static const double fastest = 0.025, slowest = 0.4;
    double seconds = seconds_of(app) / 2;

    app->replay.seconds = seconds < fastest ? slowest : seconds;
    ig_app_note(app, false, "%g epochs a second", 1 / app->replay.seconds);
}

/* Whether the epoch that was asked for last is still to come. */
static bool is_behind(const ig_app *app)
{
    const ig_snapshot *now = app->now;
    bool moved = app->request.space != IG_MAP_XY &&
                 app->request.space != IG_MAP_ORIGINAL;

    return !now->looking || now->shown != app->request.epoch ||
           (moved && now->map && !*now->failure[IG_PRODUCT_MAP] &&
            now->map->epoch != now->shown);
}

double ig_replay_waits(const ig_app *app)
{
    double left = app->replay.at - app->clock();

    if (!app->replay.on || (app->request.looking && is_behind(app)))
        return -1;
    return left > 0 ? left : 0;
}

bool ig_replay_tick(ig_app *app)
{
    double now = app->clock();

    if (!app->replay.on)
        return false;
    if (!app->request.looking) { /* left, or another run is shown */
        app->replay.on = false;
        return true;
    }
    if (now < app->replay.at || is_behind(app) || app->now->history == 0)
        return false;
    if (app->request.epoch >= last_kept(app)) {
        app->replay.on = false;
        ig_app_note(app, false,
                    "that was the run: p replays it, Esc returns to its best");
        return true;
    }
    ig_playback_by(app, 1);
    app->replay.at += seconds_of(app);
    if (app->replay.at < now) /* what takes long is not made up for */
        app->replay.at = now;
    return false;
}

double ig_replay_span(const ig_app *app)
{
    double seconds = 0.9 * seconds_of(app);

    return app->replay.on && seconds < SPAN ? seconds : SPAN;
}
