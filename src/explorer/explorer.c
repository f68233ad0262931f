/* Dispatch of updates, keys and screen areas. */
#include "explorer/explorer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/progress.h"
#include "core/text.h"
#include "data/pairs.h"
#include "explorer/colouring.h"
#include "explorer/command.h"
#include "explorer/overlay.h"
#include "explorer/panels/map_panel.h"
#include "explorer/playback.h"
#include "explorer/provenance.h"
#include "explorer/selection.h"
#include "explorer/writing.h"

/* In the order of Tab; a new one is a file, panels/NAME_panel.c, and a name here. The
 * first of a role is there when nothing else was asked for. */
extern const ig_panel ig_versions_panel, ig_curves_panel, ig_neighbours_panel,
    ig_leakage_panel, ig_rows_panel, ig_runs_panel;
const ig_panel *const ig_panels[] = {
    &ig_map_panel,     &ig_versions_panel, &ig_curves_panel, &ig_neighbours_panel,
    &ig_leakage_panel, &ig_rows_panel,     &ig_runs_panel};
const size_t ig_panels_count = sizeof ig_panels / sizeof *ig_panels;
_Static_assert(sizeof ig_panels / sizeof *ig_panels <= IG_PANELS_MAX, "state of each");

/* Ask for what is visible, and keep asking for texts. */
static void follow_panels(ig_app *app)
{
    bool narrates = app->options.narrate;
    unsigned asks = app->view->asks & IG_ASKS_TEXTS;

    for (int role = 0; role < IG_ROLES; role++)
        asks |= (app->expanded ? app->focus : app->in_role[role])->asks;
    asks |= app->overlay ? app->overlay->asks : 0;
    if (ig_colouring_value(app) < IG_VALUES ||
        (narrates && app->now->activity != IG_TRAINING && !app->now->looking))
        asks |= IG_ASKS_EVALUATION;
    if (narrates && app->versions->count > 1)
        asks |= IG_ASKS_VERSIONS;
    app->view->asks = asks;
}

/* --- life ------------------------------------------------------------------------- */

ig_status ig_explorer_init(ig_app *app, ig_session *session, const ig_command *start,
                           ig_error *error)
{
    bool several = session->dataset.room > 1;

    *app = (ig_app){.set = session->work.set,
                    .versions = &session->dataset,
                    .session = session,
                    .now = session,
                    .view = &session->view,
                    .start = *start,
                    .pace = session->view.pace > 0 ? session->view.pace : 10,
                    .clock = ig_clock_now,
                    .gloss = {.language = ig_pairs_pivot(session->work.set)},
                    .cursor = session->view.row};
    for (size_t i = 0; i < ig_panels_count; i++)
        if (several || ig_panels[i] != &ig_versions_panel)
            app->panel[app->panels++] = ig_panels[i];
    session->view.seed = start->options.seed;
    session->started = *start;
    for (int role = 0; role < IG_ROLES; role++)
        app->in_role[role] = ig_app_first(app, (ig_role)role);
    app->focus = app->panel[0];
    ig_app_show(app, app->panel[several && session->dataset.count == 1 ? 2 : 0]);
    for (size_t i = 0; i < app->panels; i++)
        app->state[i] = ig_arena_array(&app->memory, 1, app->panel[i]->state + 1);
    app->selection = ig_arena_array(&app->memory, 1, sizeof *app->selection);
    app->command_line = ig_command_line_new();
    if (!ig_colouring_new(app) || !app->command_line) {
        ig_explorer_free(app);
        return ig_fail_memory(error, "the explorer");
    }
    for (size_t i = 0; i < app->panels; i++)
        if (app->panel[i]->open)
            app->panel[i]->open(app);
    follow_panels(app);
    return IG_OK;
}

void ig_explorer_free(ig_app *app)
{
    ig_typed_stop_server(app);
    ig_editor_close(app);
    for (size_t i = 0; i < app->panels; i++)
        if (app->state[i] && app->panel[i]->close)
            app->panel[i]->close(app);
    if (app->selection)
        IG_FREE(app->selection->set.has, app->selection->set.row);
    IG_FREE(app->gloss.row, app->command_line);
    ig_arena_free(&app->memory);
    ig_canvas_free(&app->canvas);
    *app = (ig_app){0};
}

bool ig_explorer_update(ig_app *app)
{
    const ig_session *now = app->now;
    ig_jobs *jobs = &app->session->jobs;
    bool ended;

    ig_session_update(app->session);
    if (!jobs->changed)
        return false;
    app->at_once |= jobs->at_once || now->looking;
    jobs->changed = jobs->at_once = false;
    app->session->shown_at = jobs->clock();
    if (!ig_session_starting(now)) /* one that could not start is not meant again */
        memcpy(app->start.method, now->started.method, sizeof app->start.method);
    ended = now->activity == IG_FINISHED && !app->talk.ended;
    app->talk.ended = now->activity == IG_FINISHED;
    app->talk.keys *= !ended;
    if (ended && app->options.narrate && app->view->space == IG_MAP_JOINT)
        app->view->space = IG_MAP_MEANING; /* where the islands have dissolved */
    if (now->news && (now->is_error || !app->options.narrate || !ended))
        ig_app_note(app, now->is_error, "%s", now->message);
    app->session->news = false;
    ig_colouring_update(app);
    for (size_t i = 0; i < app->panels; i++)
        if (app->panel[i]->update)
            app->panel[i]->update(app);
    ig_selection_update(app);
    follow_panels(app);
    return true;
}

/* --- keys ------------------------------------------------------------------------- */

static void take_mouse(ig_app *app, ig_key key)
{
    bool press = key.mouse == IG_MOUSE_PRESS;
    bool wheel = key.mouse == IG_MOUSE_WHEEL_UP || key.mouse == IG_MOUSE_WHEEL_DOWN;
    ig_action arrow = key.mouse == IG_MOUSE_WHEEL_UP ? IG_ACT_UP : IG_ACT_DOWN;
    ig_role role = ig_layout_at(&app->layout, key.row, key.col);
    const ig_panel *panel = app->grabs;

    if (app->overlay && app->overlay->draw) {
        if (app->overlay->types || wheel)
            app->overlay->key(app, wheel ? arrow : IG_ACT_NONE,
                              app->overlay->types ? key : (ig_key){0});
        return;
    }
    app->overlay = NULL;
    for (size_t i = 0; i < app->panels && press && !panel; i++)
        if (ig_rect_has(app->tab[i], key.row, key.col)) {
            ig_app_focus(app, app->panel[i]);
            return;
        }
    if (!panel && role < IG_ROLES) {
        panel = ig_app_in(app, role);
        if (panel != app->focus && (press || key.mouse == IG_MOUSE_SECOND))
            ig_app_focus(app, panel);
    }
    if (panel && panel->mouse && (!wheel || panel == &ig_map_panel))
        panel->mouse(app, key);
    else if (panel && panel->act && wheel)
        panel->act(app, arrow); /* the wheel moves as the arrows do */
}

static void take_key(ig_app *app, ig_key key)
{
    const ig_action_entry *entry = ig_action_of_key(key);
    bool digit = key.unicode >= '1' && key.unicode <= '9';
    char letter[8];
    ig_action action = entry ? entry->action : IG_ACT_NONE;

    if (key.code == IG_KEY_STOP)
        app->result = IG_APP_ENDED;
    if (key.code == IG_KEY_BACKGROUND && app->finds_theme)
        app->canvas.theme = (ig_theme)key.unicode;
    if (key.code >= IG_KEY_RESIZE) /* no key of the user's */
        return;
    app->note[0] = '\0';
    app->talk.keys += !app->overlay && ig_session_measured(app->now) < 0;
    if (key.pasted && !(app->overlay && app->overlay->types)) {
        ig_app_note(app, false, "pasted text is ignored: / or : first");
        return;
    }
    if (app->talk.waits) { /* any key ends the waiting, these do nothing else */
        app->talk.waits = app->view->paused = false;
        if (ig_key_among("Space Enter Esc", key))
            return;
    }
    if (key.code == IG_KEY_MOUSE) {
        take_mouse(app, key);
    } else if (!(app->overlay &&
                 (app->overlay->types ||
                  (action != IG_ACT_REDRAW && action != IG_ACT_SUSPEND)) &&
                 app->overlay->key(app, action, key)) &&
               entry) {
        ig_action_run(app, entry, digit ? (int)(key.unicode - '0') : 0);
    } else if (!entry && !app->overlay && key.code == IG_KEY_TEXT) {
        letter[ig_text_encode((int32_t)key.unicode, letter)] = '\0';
        ig_app_note(app, false, "%s is no key: ? lists all", letter);
    }
}

static const double FRAME = 1.0 / 30; /* seconds between frames of what moves */

double ig_explorer_tick(ig_app *app)
{
    const double wait[] = {ig_replay_tick(app), ig_talk_tick(app),
                           ig_map_move(app, app->clock()) ? FRAME : -1,
                           ig_session_wait(app->session), ig_typed_tick(app)};
    double least = -1;

    app->at_once |= wait[2] > 0;
    for (size_t i = 0; i < sizeof wait / sizeof *wait; i++)
        if (wait[i] >= 0 && (least < 0 || wait[i] < least))
            least = wait[i];
    return least;
}

ig_key_result ig_explorer_key(ig_app *app, ig_key key)
{
    app->result = IG_APP_NOTHING;
    ig_map_move(app, INFINITY);
    if (key.code == IG_KEY_MOUSE && key.mouse == IG_MOUSE_PRESS &&
        ig_rect_has(app->layout.footer, key.row, key.col) && !app->grabs &&
        !(app->overlay && app->overlay->types)) { /* a hint is its key */
        app->press = key;
        app->hinted = (ig_key){.code = IG_KEY_NONE};
        ig_footer_draw(app);
        key = app->hinted;
    }
    if (key.code == IG_KEY_ALT && !(app->overlay && app->overlay->types)) {
        take_key(app, (ig_key){.code = IG_KEY_ESCAPE});
        key.code = IG_KEY_TEXT;
    }
    take_key(app, key);
    follow_panels(app);
    app->view->seed = app->start.options.seed;
    return app->result;
}

/* --- drawing ---------------------------------------------------------------------- */

static void draw_panel(ig_app *app, ig_role role)
{
    const ig_panel *panel = ig_app_in(app, role);
    const ig_pane *pane = &app->layout.role[role];
    char title[160] = "", note[160] = "", source[IG_PROVENANCE] = "";

    if (ig_rect_empty(pane->rect))
        return;
    snprintf(title, sizeof title, panel->titled ? "%s: " : "%s",
             ig_app_name(app, panel));
    if (panel->title)
        panel->title(app, title + (panel->titled ? strlen(title) : 0), note, 128);
    if (panel != &ig_map_panel) /* which has two */
        ig_frame_draw(&app->canvas, pane->rect, pane->edges, NULL, NULL,
                      panel == app->focus);
    panel->draw(app, pane);
    if (panel->shows && ig_session_old(app->now, panel->shows))
        ig_canvas_dim(&app->canvas, pane->inside);
    if (panel->source)
        panel->source(app, source);
    ig_source_draw(app, pane->rect, panel->shows, source);
    if (panel->tiled)
        pane = &app->layout.tile[0];
    if (panel != &ig_map_panel && pane->edges & IG_EDGE_TOP)
        ig_tabs_draw(app, pane->rect, panel, title, note);
}

ig_status ig_explorer_draw(ig_app *app, int rows, int cols, ig_error *error)
{
    ig_status status = ig_canvas_resize(&app->canvas, rows, cols, error);

    app->caret[0] = app->caret[1] = -1;
    if (status != IG_OK)
        return status;
    ig_canvas_clear(&app->canvas);
    memset(app->tab, 0, sizeof app->tab);
    app->layout = ig_layout_compute(
        rows, cols,
        (ig_layout_settings){.focus = app->focus->role,
                             .expanded = app->expanded,
                             .tiled = ig_app_in(app, IG_ROLE_SIDE)->tiled,
                             .below = app->options.narrate && rows < 36 ? 2 : 0});
    ig_header_draw(app);
    ig_message_choose(app);
    for (int role = 0; role < IG_ROLES; role++) /* the list's frame meets the side's */
        draw_panel(app, (ig_role)role);
    if (app->overlay && app->overlay->draw)
        app->overlay->draw(app);
    ig_footer_draw(app);
    return IG_OK;
}
