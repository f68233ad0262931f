/* A run once more. */
#include "tui/replay.h"

#include "tui/playback.h"

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
