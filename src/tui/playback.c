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
