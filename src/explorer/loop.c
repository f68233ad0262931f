/* The loop: wait for keys or a job, let the app have them, show what changed. */
#include "explorer/loop.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explorer/command.h"
#include "explorer/explorer.h"
#include "explorer/playback.h"
#include "explorer/writing.h"

static const double BETWEEN = 0.09; /* seconds between frames for new epochs */

static ig_status open_app(ig_app *app, ig_session **session,
                          const ig_explore_setup *setup, ig_error *error)
{
    ig_status status = ig_session_new(session, &setup->session, error);
    long gloss;

    if (status != IG_OK)
        return status;
    (*session)->view = setup->view;
    for (size_t i = 0; i < setup->runs && status == IG_OK; i++)
        status = ig_session_load(*session, setup->run[i], setup->runs > 1, error);
    if (status == IG_OK && setup->follow)
        ig_session_follow(*session, setup->follow);
    if (status == IG_OK)
        status = ig_explorer_init(app, *session, &setup->start, error);
    if (status != IG_OK)
        return status;
    app->options = setup->app;
    app->finds_theme = setup->theme < 0;
    app->canvas.theme = app->finds_theme ? IG_THEME_DARK : (ig_theme)setup->theme;
    if (setup->gloss &&
        (gloss = ig_argument_find(app, ig_action_named("gloss"), setup->gloss)) >= 0)
        ig_gloss_show(app, (size_t)gloss);
    if (app->options.narrate && app->versions->count > 1)
        ig_replay_toggle(app);
    else if (app->options.narrate && !setup->runs)
        ig_talk_open(app);
    if (setup->note && !app->note[0])
        ig_app_note(app, false, "%s", setup->note);
    return IG_OK;
}

/* New epochs are drawn at most ten times a second. */
static ig_status run_loop(ig_app *app, ig_error *error)
{
    struct pollfd wait[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                            {.fd = ig_terminal_signals(), .events = POLLIN},
                            {.fd = app->session->jobs.pipe[0], .events = POLLIN}};
    double drawn = 0; /* when */
    bool changed = true;

    for (;;) {
        ig_key_result result = IG_APP_NOTHING;
        double seconds, now;
        bool updated;
        ig_key key;

        while (result == IG_APP_NOTHING && ig_terminal_key(&key)) {
            app->at_once = true;
            result = ig_explorer_key(app, key);
        }
        if (result == IG_APP_ENDED)
            return ig_fail(error, IG_INTERRUPTED, "%s", "");
        if (result == IG_APP_QUIT)
            return IG_OK;
        updated = ig_explorer_update(app);
        changed |= updated;
        seconds = ig_explorer_tick(app);
        now = app->clock();
        if (app->at_once || (changed && now >= drawn + BETWEEN)) {
            ig_status status;
            int rows, cols;

            ig_terminal_size(&rows, &cols);
            status = ig_explorer_draw(app, rows, cols, error);
            if (status != IG_OK)
                return status;
            ig_terminal_show(&app->canvas, app->caret[0], app->caret[1]);
            drawn = app->clock();
            app->at_once = changed = false;
        }
        if (updated) /* panels may ask for more */
            seconds = 0;
        else if (changed && (seconds < 0 || seconds > drawn + BETWEEN - now))
            seconds = drawn + BETWEEN - now;
        if (poll(wait, 3, seconds < 0 ? -1 : (int)ceil(1000 * seconds)) < 0 &&
            errno != EINTR)
            return ig_fail(error, IG_IO, "poll: %s", strerror(errno));
    }
}

ig_status ig_explore(const ig_explore_setup *setup, ig_error *error)
{
    ig_session *session = NULL;
    ig_depth depth;
    ig_glyphs glyphs;
    ig_app app = {0};
    /* "0;15": text black, background white; the terminal's answer comes later. */
    const char *fgbg = getenv("COLORFGBG"), *back = fgbg ? strrchr(fgbg, ';') : NULL;
    const char *remark;
    ig_status status =
        ig_terminal_open(&setup->terminal, &depth, &glyphs, &remark, error);

    if (status == IG_OK)
        status = open_app(&app, &session, setup, error);
    if (status == IG_OK) {
        ig_session_start(session);
        app.canvas.glyphs = setup->glyphs < 0 ? glyphs : (ig_glyphs)setup->glyphs;
        app.canvas.depth = depth;
        if (setup->colours >= 0 && setup->colours < (int)depth)
            app.canvas.depth = (ig_depth)setup->colours;
        if (*remark)
            ig_app_note(&app, false, "%s", remark);
        if (app.finds_theme && back && (!strcmp(back, ";7") || !strcmp(back, ";15")))
            app.canvas.theme = IG_THEME_LIGHT;
        ig_terminal_ask_background();
        status = run_loop(&app, error);
    }
    ig_terminal_close(); /* first: ending the worker may take a moment */
    if (status == IG_INTERRUPTED)
        ig_write_unsaved(&app, error);
    ig_session_delete(session);
    ig_explorer_free(&app);
    return status;
}

void ig_render_settle(ig_app *app)
{
    do
        ig_session_settle(app->session);
    while (ig_explorer_update(app));
}

ig_status ig_render_keys(ig_app *app, const char *keys, ig_error *error)
{
    ig_status status = IG_OK;
    ig_key key;

    while (status == IG_OK && app->result != IG_APP_QUIT &&
           ig_key_script(&keys, &key)) {
        app->question.opens = 0; /* it does not interrupt typing */
        ig_explorer_key(app, key);
        ig_render_settle(app);
        status = ig_explorer_draw(app, app->canvas.rows, app->canvas.cols, error);
    }
    if (status == IG_OK && *keys && app->result != IG_APP_QUIT)
        status = ig_fail(error, IG_USAGE, "unknown key '%.20s'", keys);
    return status;
}

ig_status ig_render(const ig_explore_setup *setup, int rows, int cols,
                    ig_screen_use *use, void *context, ig_error *error)
{
    ig_session *session = NULL;
    ig_app app = {0};
    ig_status status = open_app(&app, &session, setup, error);

    if (status == IG_OK) {
        app.options.motion = false; /* a frame shows where points are */
        app.canvas.glyphs = setup->glyphs < 0 ? IG_BRAILLE : (ig_glyphs)setup->glyphs;
        app.canvas.depth = setup->colours < 0 ? IG_DEPTH_NONE
                                              : (ig_depth)setup->colours;
        ig_render_settle(&app);
        status = ig_explorer_draw(&app, rows, cols, error);
    }
    if (status == IG_OK)
        status = use(context, &app, error);
    ig_session_delete(session);
    ig_explorer_free(&app);
    return status;
}
