/* The loop: wait for keys or a snapshot, let the app have them, show what changed. */
#include "tui/loop.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "draw/bars.h"
#include "tui/actions.h"
#include "tui/chrome.h"
#include "tui/clipboard.h"
#include "tui/explorer.h"
#include "tui/external_editor.h"
#include "tui/gloss.h"
#include "tui/help.h"
#include "tui/panels/map_panel.h"
#include "tui/playback.h"
#include "tui/signals.h"

enum { PATIENCE = 12, UNSEEN = 100 /* ms that nothing is shown of the loading */ };

static const double SLOW = 0.025; /* seconds, of a frame */

static ig_status open_runs(ig_session *session, const ig_explore_setup *setup,
                           ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < setup->runs && status == IG_OK; i++)
        status =
            ig_session_load(session, setup->run[i], i >= setup->strict_runs, error);
    return status;
}

static ig_status open_app(ig_app *app, ig_session **session,
                          const ig_explore_setup *setup, ig_error *error)
{
    ig_status status = ig_session_new(session, setup->set, setup->pairs, setup->pairing,
                                      setup->pool, error);

    if (status == IG_OK && setup->scores)
        ig_session_scores(*session, setup->scores);
    if (status == IG_OK)
        ig_session_data(*session, setup->data, setup->data_words);
    if (status == IG_OK)
        ig_session_encoder(*session, setup->encoder, setup->no_encoder);
    if (status == IG_OK)
        status = open_runs(*session, setup, error);
    if (status == IG_OK && setup->follow)
        status = ig_session_follow(*session, setup->follow, error);
    if (status == IG_OK)
        status = ig_explorer_init(app, setup->set, *session, &setup->request,
                                  &setup->start, error);
    if (status != IG_OK)
        return status;
    app->remap = setup->remap;
    app->inputs = setup->inputs;
    app->origin = setup->origin;
    app->pairs = setup->pairs;
    app->keep_unasked = setup->keep_unasked;
    app->narrate = setup->narrate;
    app->can_ask = setup->encoder != NULL;
    app->no_encoder = setup->no_encoder;
    app->zero_rows = setup->zero_rows;
    ig_app_theme(app, setup->theme);
    if (setup->gloss)
        ig_gloss_command(app, setup->gloss);
    if (setup->train)
        ig_app_start(app, app->start.method, 0);
    if (setup->note && !app->note[0])
        ig_app_note(app, false, "%s", setup->note);
    return IG_OK;
}

/* --- with a terminal -------------------------------------------------------------- */

static ig_status show(ig_app *app, ig_terminal *terminal, ig_error *error)
{
    int rows, cols, row, col;
    ig_status status;

    double began = app->clock();

    ig_terminal_size(terminal, &rows, &cols);
    status = ig_explorer_draw(app, rows, cols, &row, &col, error);
    if (status == IG_OK)
        ig_terminal_show(terminal, &app->canvas, row, col);
    if (app->clock() - began > SLOW) /* rather at once than by jerks */
        ig_map_rest(app);
    return status;
}

static void suspend(void *context)
{
    (void)context;
    ig_signals_stop();
}

/* All keys that wait; the request that ends the loop, or IG_APP_NOTHING. */
static ig_key_result take_keys(ig_app *app, ig_terminal *terminal)
{
    ig_key_result result;
    ig_key key;

    while (ig_terminal_key(terminal, &key))
        switch (result = ig_explorer_key(app, key)) {
        case IG_APP_QUIT:
        case IG_APP_ENDED:
            return result;
        case IG_APP_SUSPEND:
            ig_terminal_lend(terminal, suspend, NULL);
            break;
        case IG_APP_EDITOR:
            ig_terminal_lend(terminal, ig_external_editor_run, app);
            break;
        case IG_APP_COPY:
            ig_copy_done(app, ig_clipboard_send(app->copied));
            break;
        case IG_APP_REDRAW:
            ig_terminal_redraw(terminal);
            break;
        case IG_APP_NOTHING:
            break;
        }
    return IG_APP_NOTHING;
}

/* How long neighbours take. After a move of the cursor they mostly come within
 * milliseconds, and one frame with them is better than one without and another with.
 * Those of a large set take longer: it is not waited for them, once that was seen. */
struct answers {
    uint32_t row; /* asked for last … */
    double asked; /* … and when; clock */
    bool late;    /* the last that came took longer than is waited */
};

static bool is_answered(const ig_app *app)
{
    const ig_neighbours *near = app->now->neighbours;

    return !near || near->row == app->cursor;
}

static void await_neighbours(ig_app *app, struct answers *a)
{
    struct pollfd news = {.fd = ig_session_fd(app->session), .events = POLLIN};

    if (is_answered(app) || a->row == app->cursor)
        return;
    a->row = app->cursor;
    a->asked = app->clock();
    if (!a->late && poll(&news, 1, PATIENCE) > 0)
        ig_explorer_update(app);
    a->late |= !is_answered(app);
}

/* A snapshot came. */
static void hear_answer(const ig_app *app, struct answers *a)
{
    if (!is_answered(app) || a->row != app->cursor)
        return;
    a->late = app->clock() - a->asked > PATIENCE / 1000.0;
    a->row = IG_NO_ROW;
}

/* What poll waits for so many seconds. */
static int milliseconds(double seconds)
{
    return seconds < 0 ? -1 : (int)ceil(1000 * seconds);
}

static ig_status loop(ig_app *app, ig_terminal *terminal, ig_error *error)
{
    struct pollfd wait[3] = {
        {.events = POLLIN}, {.events = POLLIN}, {.events = POLLIN}};
    struct answers answers = {.row = IG_NO_ROW};
    int fd[2];
    ig_status status = show(app, terminal, error);

    ig_terminal_fds(terminal, fd);
    wait[0].fd = fd[0];
    wait[1].fd = fd[1];
    wait[2].fd = ig_session_fd(app->session);
    while (status == IG_OK) {
        bool changed = false, keys = ig_terminal_holds(terminal);

        if (poll(wait, 3, keys ? 0 : milliseconds(ig_explorer_waits(app))) < 0 &&
            errno != EINTR)
            return ig_fail(error, IG_IO, "poll: %s", strerror(errno));
        if (keys || wait[0].revents || wait[1].revents) {
            ig_key_result result = take_keys(app, terminal);

            if (result == IG_APP_ENDED)
                return ig_fail(error, IG_INTERRUPTED, "ended from outside");
            if (result == IG_APP_QUIT)
                return IG_OK;
            ig_app_background(app, ig_terminal_background(terminal));
            await_neighbours(app, &answers);
            changed = true;
        }
        if (wait[2].revents)
            changed |= ig_explorer_update(app);
        hear_answer(app, &answers);
        changed |= ig_explorer_tick(app);
        if (changed)
            status = show(app, terminal, error);
    }
    return status;
}

static void choose_glyphs(ig_canvas *canvas, const ig_explore_setup *setup,
                          const ig_terminal *terminal)
{
    canvas->glyphs = setup->glyphs >= 0 ? (ig_glyphs)setup->glyphs
                                        : ig_terminal_glyphs(terminal);
    canvas->depth = ig_terminal_depth(terminal);
    if (setup->colours >= 0 && setup->colours < (int)canvas->depth)
        canvas->depth = (ig_depth)setup->colours;
}

/* The theme that was chosen, or, once the terminal has told it, the background's. */
static void choose_theme(ig_app *app, ig_terminal *terminal)
{
    if (app->theme < 0)
        ig_terminal_await(terminal);
    ig_app_background(app, ig_terminal_background(terminal));
}

/* Keys while the data are read: IG_APP_QUIT, IG_APP_ENDED or IG_APP_NOTHING. */
static ig_key_result take_loading_keys(ig_app *app, ig_terminal *terminal)
{
    ig_key_result result;
    ig_key key;

    while (ig_terminal_key(terminal, &key)) {
        result = ig_loading_key(app, key);
        if (result == IG_APP_QUIT || result == IG_APP_ENDED)
            return result;
        if (result == IG_APP_SUSPEND)
            ig_terminal_lend(terminal, suspend, NULL);
        if (result == IG_APP_REDRAW)
            ig_terminal_redraw(terminal);
    }
    return IG_APP_NOTHING;
}

/* Show how far it is until it is over: IG_APP_NOTHING then. What is short is not
 * shown, and keys that are pressed until then are left for what comes after it. */
static ig_key_result watch_loading(ig_loading *loading, ig_app *app,
                                   ig_terminal *terminal)
{
    struct pollfd wait[3] = {
        {.events = POLLIN}, {.events = POLLIN}, {.events = POLLIN}};
    const double begun = ig_clock_now();
    char text[IG_LOADING_TEXT];
    ig_key_result result = IG_APP_NOTHING;
    double part;
    int fd[2];

    ig_terminal_fds(terminal, fd);
    wait[1].fd = fd[1];
    wait[2].fd = ig_loading_fd(loading);
    while (result == IG_APP_NOTHING && ig_loading_state(loading, text, &part)) {
        int unseen = UNSEEN - (int)(1000 * (ig_clock_now() - begun)), rows, cols;

        ig_terminal_size(terminal, &rows, &cols);
        if (unseen <= 0)
            choose_theme(app, terminal);
        if (unseen <= 0 && ig_loading_draw(app, rows, cols, text, part, NULL) == IG_OK)
            ig_terminal_show(terminal, &app->canvas, -1, -1);
        wait[0].fd = unseen > 0 ? -1 : fd[0];
        if (poll(wait, 3, unseen > 0 ? unseen : -1) > 0 &&
            (wait[0].revents || wait[1].revents))
            result = take_loading_keys(app, terminal);
        ig_terminal_fds(terminal, fd); /* the keyboard may have gone */
    }
    return result;
}

/* Make the setup ready while the screen says how far that is. *quit: the user does not
 * wait for it. */
static ig_status load(const ig_explore_setup *setup, ig_terminal **terminal,
                      ig_loading_work *prepare, void *context, bool *quit,
                      ig_error *error)
{
    ig_app app = {.action = ig_actions, .remap = setup->remap};
    ig_loading *loading;
    ig_key_result result;
    ig_status status;

    *quit = false;
    choose_glyphs(&app.canvas, setup, *terminal); /* the setup is the thread's then */
    ig_app_theme(&app, setup->theme);
    status = ig_loading_start(&loading, prepare, context, setup->input, error);
    if (status != IG_OK)
        return status;
    result = watch_loading(loading, &app, *terminal);
    ig_canvas_free(&app.canvas);
    if (result == IG_APP_NOTHING)
        return ig_loading_end(loading, false, error);
    ig_terminal_close(*terminal); /* first: ending it may take a moment */
    *terminal = NULL;
    ig_loading_end(loading, true, error);
    *quit = true;
    return result == IG_APP_QUIT ? IG_OK
                                 : ig_fail(error, IG_INTERRUPTED, "ended from outside");
}

ig_status ig_explore(const ig_explore_setup *setup, ig_loading_work *prepare,
                     void *context, ig_error *error)
{
    ig_session *session = NULL;
    ig_terminal *terminal = NULL;
    ig_app app = {0};
    bool quit = false;
    ig_error none;
    ig_status status = ig_terminal_open(&terminal, &setup->terminal, &none);

    if (status != IG_OK) {
        ig_status data = prepare(context, NULL, error);

        if (data == IG_OK && error)
            *error = none;
        return data == IG_OK ? status : data;
    }
    status = load(setup, &terminal, prepare, context, &quit, error);
    if (quit)
        return status;
    if (status == IG_OK)
        status = open_app(&app, &session, setup, error);
    if (status == IG_OK)
        status = ig_session_start(session, error);
    if (status == IG_OK) {
        choose_glyphs(&app.canvas, setup, terminal);
        choose_theme(&app, terminal);
        app.motion = setup->motion;
        app.can_copy = ig_clipboard_has(setup->terminal.type);
        if (ig_terminal_note(terminal))
            ig_app_note(&app, false, "%s", ig_terminal_note(terminal));
        status = loop(&app, terminal, error);
    }
    ig_terminal_close(terminal); /* first: ending the worker may take a moment */
    ig_session_delete(session);
    ig_explorer_free(&app);
    return status;
}

/* --- without one ------------------------------------------------------------------ */

/* Until nothing more is told: what comes may have something else asked for. */
static void settle(ig_app *app)
{
    do
        ig_session_settle(app->session);
    while (ig_explorer_update(app));
}

/* Press the next key of a script and let all its work end; false at the end, or where
 * the script stands at what is no key. */
static bool press(ig_app *app, const char **keys, bool names)
{
    ig_key key;

    if (!(names ? ig_key_listed(keys, &key) : ig_key_script(keys, &key)))
        return false;
    if (ig_explorer_key(app, key) == IG_APP_EDITOR)
        ig_app_note(app, true, "your editor needs the terminal");
    settle(app);
    return app->result != IG_APP_QUIT;
}

/* Handlers look at the layout of the last frame. */
static ig_status draw(ig_app *app, const ig_screen *screen, ig_error *error)
{
    int row, col;

    return ig_explorer_draw(app, screen->rows, screen->cols, &row, &col, error);
}

static ig_status open_screen(ig_app *app, ig_session **session,
                             const ig_explore_setup *setup, const ig_screen *screen,
                             ig_error *error)
{
    ig_status status = open_app(app, session, setup, error);

    app->canvas.glyphs = screen->glyphs;
    app->canvas.depth = screen->depth;
    if (status != IG_OK)
        return status;
    settle(app);
    return draw(app, screen, error);
}

static ig_status press_all(ig_app *app, const char *keys, const ig_screen *screen,
                           ig_error *error)
{
    bool names = ig_key_is_list(keys);
    ig_status status = IG_OK;

    while (status == IG_OK && press(app, &keys, names))
        status = draw(app, screen, error);
    if (status == IG_OK && *keys == '<')
        status = ig_fail(error, IG_USAGE, "there is no key '%.20s'", keys);
    return status;
}

ig_status ig_render(const ig_explore_setup *setup, const char *keys,
                    const ig_screen *screen, ig_canvas *canvas, ig_error *error)
{
    ig_session *session = NULL;
    ig_app app = {0};
    ig_status status = open_screen(&app, &session, setup, screen, error);

    if (status == IG_OK)
        status = press_all(&app, keys, screen, error);
    *canvas = (ig_canvas){0};
    if (status == IG_OK) {
        *canvas = app.canvas;
        app.canvas = (ig_canvas){0};
    }
    ig_session_delete(session);
    ig_explorer_free(&app);
    return status;
}

/* --- a recording ------------------------------------------------------------------ */

enum { TYPED = 12, LOOKED_AT = 1 }; /* keys a second: in a prompt, and elsewhere */
static const double FIRST = 1.0, LAST = 3.0; /* seconds that these frames stand */

struct take {
    ig_app *app;
    const ig_screen *screen;
    ig_frame_taker *taker;
    void *context;
};

static ig_status take_frame(const struct take *t, double seconds, ig_error *error)
{
    ig_status status = draw(t->app, t->screen, error);

    return status == IG_OK ? t->taker(t->context, &t->app->canvas, seconds, error)
                           : status;
}

/* A run that was halted to be drawn goes on, in what is seen of it. */
static void show_running(ig_snapshot *now)
{
    now->activity = now->activity == IG_PAUSED ? IG_TRAINING : now->activity;
    for (size_t i = 0; i < now->runs; i++)
        if (now->run_line[i].activity == IG_PAUSED)
            now->run_line[i].activity = IG_TRAINING;
}

/* Train to the end, a frame for the state before and for each epoch. */
static ig_status take_training(const struct take *t, double fps, ig_error *error)
{
    ig_app *app = t->app;
    ig_status status = IG_OK;

    do {
        ig_playback_step(app);
        settle(app);
        show_running(app->now);
        status = take_frame(t, 1 / fps, error);
    } while (status == IG_OK && ig_app_busy(app));
    if (status == IG_OK && (app->now->runs == 0 || app->now->activity == IG_FAILED))
        status = ig_fail(error, IG_VALUE, "%s",
                         app->note[0] ? app->note : "nothing could be trained");
    return status;
}

static ig_status take_keys_after(const struct take *t, const char *keys,
                                 ig_error *error)
{
    bool names = ig_key_is_list(keys);
    ig_status status = IG_OK;

    while (status == IG_OK && press(t->app, &keys, names))
        status = take_frame(t, 1.0 / (t->app->prompt.use ? TYPED : LOOKED_AT), error);
    if (status == IG_OK && *keys == '<')
        status = ig_fail(error, IG_USAGE, "there is no key '%.20s'", keys);
    return status;
}

ig_status ig_record(const ig_explore_setup *setup, const ig_screenplay *play,
                    const ig_screen *screen, ig_frame_taker *taker, void *context,
                    ig_error *error)
{
    ig_session *session = NULL;
    ig_app app = {0};
    struct take take = {&app, screen, taker, context};
    ig_status status = open_screen(&app, &session, setup, screen, error);

    if (status == IG_OK)
        status = press_all(&app, play->before, screen, error);
    app.note[0] = '\0'; /* what was said of these keys is not shown */
    if (status == IG_OK)
        status = take_frame(&take, FIRST, error);
    if (status == IG_OK)
        status = take_training(&take, play->epochs_a_second, error);
    if (status == IG_OK)
        status = take_keys_after(&take, play->after, error);
    if (status == IG_OK)
        status = take_frame(&take, LAST, error);
    ig_session_delete(session);
    ig_explorer_free(&app);
    return status;
}

/* --- loading screen --------------------------------------------------------------- */

enum { BAR = 30 };

/* "q quit  ? keys": the first key of each. */
static void draw_keys(ig_app *app, ig_rect at)
{
    int col = at.col + 1;

    for (const ig_action_entry *b = app->action; b->name; b++) {
        char keys[64];
        size_t length;

        if (b->action != IG_ACT_HELP && b->action != IG_ACT_QUIT)
            continue;
        ig_keymap_keys(app->remap, b, keys, sizeof keys);
        length = strcspn(keys, " ");
        col += ig_canvas_text_n(&app->canvas, at.row, col, at.cols, keys, length,
                                ig_style_of(IG_COLOUR_ACCENT, IG_BOLD));
        col += 1 + ig_canvas_text(&app->canvas, at.row, col + 1, at.cols, b->name,
                                  ig_style_of(IG_COLOUR_DIM, 0));
        col += 2;
    }
}

ig_status ig_loading_draw(ig_app *app, int rows, int cols, const char *text,
                          double part, ig_error *error)
{
    ig_status status = ig_canvas_resize(&app->canvas, rows, cols, error);
    char line[IG_LOADING_TEXT + 16];
    ig_rect at;
    int col, bar, used;

    if (status != IG_OK)
        return status;
    ig_canvas_clear(&app->canvas);
    app->hotspots = 0;
    app->layout = ig_layout_compute(rows, cols, (ig_layout_settings){0});
    ig_canvas_text(&app->canvas, app->layout.header.row, app->layout.header.col + 1,
                   app->layout.header.cols - 1, "isogloss",
                   ig_style_of(IG_COLOUR_ACCENT, IG_BOLD));
    if (part >= 0)
        snprintf(line, sizeof line, "%s %d%%", text, (int)(100 * part));
    else
        snprintf(line, sizeof line, "%s …", text);
    at = (ig_rect){rows / 2, 0, 1, cols};
    bar = cols < BAR + 4 ? cols - 4 : BAR;
    col = (cols - bar) / 2;
    used = ig_canvas_text(&app->canvas, at.row, col > 0 ? col : 0, cols, line,
                          ig_style_of(IG_COLOUR_TEXT, 0));
    if (used > 0 && part >= 0 && rows > 2)
        ig_bar_draw(&app->canvas, at.row + 1, col, bar, part,
                    ig_style_of(IG_COLOUR_ACCENT, 0));
    if (app->overlay)
        app->overlay->draw(app);
    at = app->layout.footer;
    if (app->overlay)
        ig_hints_draw_keys(app, ig_rect_inset(at, 0, 0, 0, 1), app->overlay->keys);
    else if (!ig_rect_empty(at))
        draw_keys(app, at);
    return IG_OK;
}

ig_key_result ig_loading_key(ig_app *app, ig_key key)
{
    const ig_action_entry *entry;

    if (key.code == IG_KEY_STOP)
        return IG_APP_ENDED;
    entry = ig_keymap_find(app->action, app->remap, key);
    switch (entry ? entry->action : IG_ACT_NONE) {
    case IG_ACT_STOP:
        return IG_APP_QUIT;
    case IG_ACT_SUSPEND:
        return IG_APP_SUSPEND;
    case IG_ACT_REDRAW:
        return IG_APP_REDRAW;
    default:
        break;
    }
    if (app->overlay)
        app->overlay->key(app, entry ? entry->action : IG_ACT_NONE, key);
    else if (entry && entry->action == IG_ACT_QUIT)
        return IG_APP_QUIT;
    else if (entry && entry->action == IG_ACT_HELP)
        ig_help_open(app);
    return IG_APP_NOTHING;
}
