/* The loop: wait for keys or a snapshot, let the app have them, show what changed. */
#include "tui/loop.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "tui/clipboard.h"
#include "tui/explorer.h"
#include "tui/external_editor.h"
#include "tui/signals.h"

enum { PATIENCE = 12 /* ms */ };

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
    for (size_t i = 0; i < setup->runs && status == IG_OK; i++)
        status =
            ig_session_load(*session, setup->run[i], i >= setup->strict_runs, error);
    if (status == IG_OK)
        status = ig_explorer_init(app, setup->set, *session, &setup->request,
                                  &setup->start, error);
    if (status != IG_OK)
        return status;
    app->remap = setup->remap;
    app->inputs = setup->inputs;
    app->origin = setup->origin;
    app->keep_unasked = setup->keep_unasked;
    app->zero_rows = setup->zero_rows;
    if (setup->train)
        ig_app_start(app, app->start.method, 0);
    if (setup->note)
        ig_app_note(app, false, "%s", setup->note);
    return IG_OK;
}

/* --- with a terminal -------------------------------------------------------------- */

static ig_status show(ig_app *app, ig_terminal *terminal, ig_error *error)
{
    int rows, cols, row, col;
    ig_status status;

    ig_terminal_size(terminal, &rows, &cols);
    status = ig_explorer_draw(app, rows, cols, &row, &col, error);
    if (status == IG_OK)
        ig_terminal_show(terminal, &app->canvas, row, col);
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

/* After a move of the cursor its neighbours mostly come within milliseconds: one frame
 * with them is better than one without and another with. */
static void await_neighbours(ig_app *app)
{
    struct pollfd news = {.fd = ig_session_fd(app->session), .events = POLLIN};
    const ig_neighbours *near = app->now->neighbours;

    if (near && near->row != app->cursor && poll(&news, 1, PATIENCE) > 0)
        ig_explorer_update(app);
}

static ig_status loop(ig_app *app, ig_terminal *terminal, ig_error *error)
{
    struct pollfd wait[3] = {
        {.events = POLLIN}, {.events = POLLIN}, {.events = POLLIN}};
    int fd[2];
    ig_status status = show(app, terminal, error);

    ig_terminal_fds(terminal, fd);
    wait[0].fd = fd[0];
    wait[1].fd = fd[1];
    wait[2].fd = ig_session_fd(app->session);
    while (status == IG_OK) {
        bool changed = false;

        if (poll(wait, 3, -1) < 0 && errno != EINTR)
            return ig_fail(error, IG_IO, "poll: %s", strerror(errno));
        if (wait[0].revents || wait[1].revents) {
            ig_key_result result = take_keys(app, terminal);

            if (result == IG_APP_ENDED)
                return ig_fail(error, IG_INTERRUPTED, "ended from outside");
            if (result == IG_APP_QUIT)
                return IG_OK;
            await_neighbours(app);
            changed = true;
        }
        if (wait[2].revents)
            changed |= ig_explorer_update(app);
        if (changed)
            status = show(app, terminal, error);
    }
    return status;
}

ig_status ig_explore(const ig_explore_setup *setup, ig_error *error)
{
    ig_session *session = NULL;
    ig_terminal *terminal = NULL;
    ig_app app = {0};
    ig_status status = ig_terminal_open(&terminal, &setup->terminal, error);

    if (status == IG_OK)
        status = open_app(&app, &session, setup, error);
    if (status == IG_OK)
        status = ig_session_start(session, error);
    if (status == IG_OK) {
        app.canvas.glyphs = setup->glyphs >= 0 ? (ig_glyphs)setup->glyphs
                                               : ig_terminal_glyphs(terminal);
        app.canvas.depth = ig_terminal_depth(terminal);
        if (setup->colours >= 0 && setup->colours < (int)app.canvas.depth)
            app.canvas.depth = (ig_depth)setup->colours;
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

static void settle(ig_app *app)
{
    ig_session_settle(app->session);
    ig_explorer_update(app);
}

ig_status ig_render(const ig_explore_setup *setup, const char *keys, int rows, int cols,
                    ig_glyphs glyphs, ig_depth depth, char **text, ig_error *error)
{
    ig_session *session = NULL;
    ig_app app = {0};
    ig_key key;
    bool names;
    int row, col;
    ig_status status = open_app(&app, &session, setup, error);

    *text = NULL;
    app.canvas.glyphs = glyphs;
    app.canvas.depth = depth;
    if (status == IG_OK) {
        settle(&app);
        status = ig_explorer_draw(&app, rows, cols, &row, &col, error);
    }
    names = ig_key_is_list(keys);
    while (status == IG_OK &&
           (names ? ig_key_listed(&keys, &key) : ig_key_script(&keys, &key))) {
        ig_key_result result = ig_explorer_key(&app, key);

        if (result == IG_APP_QUIT)
            break;
        if (result == IG_APP_EDITOR)
            ig_app_note(&app, true, "your editor needs the terminal");
        settle(&app);
        /* Handlers look at the layout of the last frame. */
        status = ig_explorer_draw(&app, rows, cols, &row, &col, error);
    }
    if (status == IG_OK && *keys == '<')
        status = ig_fail(error, IG_USAGE, "there is no key '%.20s'", keys);
    if (status == IG_OK) {
        *text = depth ? ig_canvas_sgr(&app.canvas) : ig_canvas_plain(&app.canvas);
        if (!*text)
            status = ig_fail_memory(error, "the frame");
    }
    ig_session_delete(session);
    ig_explorer_free(&app);
    return status;
}
