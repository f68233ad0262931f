/* The app: its life, its keys, its actions. */
#include "tui/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ig_status ig_app_init(ig_app *app, const ig_set *set, ig_session *session,
                      const ig_view_request *request, const ig_command *start,
                      ig_error *error)
{
    size_t k = set->languages;

    *app = (ig_app){.set = set,
                    .session = session,
                    .request = *request,
                    .start = *start,
                    .lines = true,
                    .near_column = 1};
    /* Without ids there are (mostly) no pairs: all measures, instead of a matrix. */
    app->leaks =
        (ig_leaks){.view = set->has_ids, .col = k > 1, .column = IG_SPACE_MEANING};
    app->pace = request->pace > 0 ? request->pace : 10;
    memcpy(app->started, start->method, sizeof app->started);
    app->cursor = request->row;
    app->shown = ig_alloc(k, sizeof *app->shown);
    app->letter = ig_alloc(k + 1, 1);
    app->now = ig_alloc(1, sizeof *app->now);
    if (!app->shown || !app->letter || !app->now) {
        ig_app_free(app);
        return ig_fail_memory(error, "the explorer");
    }
    ig_palette_letters(set->language, k, app->letter);
    memset(app->shown, true, k * sizeof *app->shown);
    if (ig_colouring_init(app, error) != IG_OK) {
        ig_app_free(app);
        return IG_NOMEM;
    }
    ig_app_send(app);
    return IG_OK;
}

void ig_app_free(ig_app *app)
{
    ig_snapshot_free(app->now);
    ig_objective_free(&app->editor.objective);
    ig_visit_free(&app->visit);
    ig_sentences_free(&app->sentences);
    ig_scatter_free(&app->scatter);
    ig_scatter_free(&app->beside_scatter);
    ig_canvas_free(&app->canvas);
    ig_free(app->shown);
    ig_free(app->letter);
    ig_colouring_free(&app->colours);
    ig_selection_free(&app->selection);
    ig_free(app->copied);
    *app = (ig_app){0};
}

static const ig_view_request *request_now(ig_app *app)
{
    app->request.row = app->cursor;
    app->request.seed = app->start.options.seed;
    return &app->request;
}

void ig_app_send(ig_app *app)
{
    ig_session_request(app->session, request_now(app));
}

bool ig_app_command(ig_app *app, const ig_command *command)
{
    ig_error error;

    if (ig_session_command(app->session, command, request_now(app), &error) == IG_OK)
        return true;
    ig_app_note(app, true, "%s", error.message);
    return false;
}

bool ig_app_order(ig_app *app, ig_command_kind kind, unsigned run)
{
    return ig_app_command(app, &(ig_command){.kind = kind, .run = run});
}

void ig_app_note(ig_app *app, bool is_error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(app->note, sizeof app->note, format, args);
    va_end(args);
    app->note_is_error = is_error;
}

/* A method that could not start is not what the next start means. */
static void remember_method(ig_app *app)
{
    if (app->now->starts != app->starts)
        return;
    if (app->now->refused)
        memcpy(app->start.method, app->started, sizeof app->started);
    else
        memcpy(app->started, app->start.method, sizeof app->started);
}

bool ig_app_update(ig_app *app)
{
    ig_snapshot *now = ig_session_take(app->session);

    if (!now)
        return false;
    ig_snapshot_free(app->now);
    app->now = now;
    remember_method(app);
    if (now->news != app->heard && now->message[0])
        ig_app_note(app, now->is_error, "%s", now->message);
    app->heard = now->news;
    ig_colouring_follow(app);
    if (now->map && now->map->serial != app->viewed)
        ig_map_fit(app);
    ig_beside_fit(app, false);
    ig_search_late(app);
    ig_filter_late(app);
    ig_editor_open_late(app);
    return true;
}

void ig_app_go(ig_app *app, uint32_t row)
{
    if (row >= app->set->rows || row == app->cursor)
        return;
    app->cursor = row;
    app->near_line = app->near_offset = 0;
    ig_app_send(app);
}

/* --- actions ---------------------------------------------------------------------- */

/* A start that the worker has not yet heard counts: a second key means that run. */
bool ig_app_busy(const ig_app *app)
{
    return app->now->starts != app->starts || app->now->busy;
}

void ig_app_start(ig_app *app, const char *method, size_t halt)
{
    if (method != app->start.method)
        snprintf(app->start.method, sizeof app->start.method, "%s", method);
    app->request.paused = app->request.looking = false;
    app->request.show = 0;
    app->request.halt = halt;
    app->starts += ig_app_command(app, &app->start);
}

static ig_app_request stop(ig_app *app)
{
    if (app->now->measuring)
        ig_app_order(app, IG_COMMAND_CANCEL, 0);
    else if (!ig_app_busy(app))
        return ig_app_act(app, IG_ACT_QUIT, 0);
    else
        ig_app_order(app, IG_COMMAND_STOP, 0);
    return IG_APP_NOTHING;
}

static ig_app_request quit(ig_app *app)
{
    if (app->now->unsaved == 0 || app->keep_unasked || app->overlay == IG_OVER_QUIT)
        return IG_APP_QUIT;
    app->overlay = IG_OVER_QUIT;
    return IG_APP_NOTHING;
}

static void go_back(ig_app *app)
{
    if (app->overlay)
        app->overlay = IG_OVER_NONE;
    else if (ig_look_end(app))
        return;
    else if (app->settings.focus == IG_PANEL_SENTENCES)
        ig_app_focus(app, app->sentences.from);
    else if (app->settings.expanded)
        app->settings.expanded = false;
    else if (app->selection.isolated)
        ig_selection_isolate(app);
    else if (app->view_is_mine)
        ig_map_act(app, IG_ACT_FIT);
    else if (app->selection.count)
        ig_selection_clear(app);
    else
        ig_app_focus(app, IG_PANEL_MAP);
}

void ig_app_focus(ig_app *app, ig_panel panel)
{
    ig_layout_focus(&app->settings, panel);
    app->list_line = app->list_offset = 0;
    if (panel == IG_PANEL_RUNS)
        app->list_line = ig_runs_shown_line(app);
}

/* A list of sentences that is empty is passed over. */
static void change_panel(ig_app *app, int step)
{
    int panel = (int)app->settings.focus;

    do
        panel = (panel + IG_PANELS + step) % IG_PANELS;
    while (panel == IG_PANEL_SENTENCES && app->sentences.count == 0);
    ig_app_focus(app, (ig_panel)panel);
}

static void change_space(ig_app *app)
{
    static const ig_map_space after[] = {IG_MAP_MEANING, IG_MAP_LANGUAGE, IG_MAP_JOINT,
                                         IG_MAP_ORIGINAL};
    ig_extractor shown = {.kind = app->now->extractor};

    if (!app->now->has_spaces) {
        ig_app_note(app, false,
                    "only the original embeddings so far: press space to "
                    "train");
        return;
    }
    app->request.space = after[app->request.space];
    if (!ig_extractor_serves(&shown, IG_SPACE_LANGUAGE) &&
        app->request.space != IG_MAP_MEANING) /* the others are none of its own */
        app->request.space = IG_MAP_ORIGINAL;
    ig_app_send(app);
}

static void change_axis(ig_app *app, int which)
{
    enum { MOST = 8 };
    size_t most = app->set->dims < MOST ? app->set->dims : MOST;
    size_t *axis = app->request.axis;

    if (most < 2)
        return;
    do
        axis[which] = (axis[which] + 1) % most;
    while (axis[0] == axis[1]);
    ig_app_send(app);
}

static void change_speed(ig_app *app)
{
    app->request.pace = app->request.pace > 0 ? 0 : app->pace;
    ig_app_note(app, false, app->request.pace > 0 ? "%g epochs a second" : "full speed",
                app->request.pace);
    ig_app_send(app);
}

static void change_glyphs(ig_app *app)
{
    static const char *const name[] = {"braille", "blocks", "ASCII"};

    app->canvas.glyphs = (ig_glyphs)((app->canvas.glyphs + 1) % 3);
    ig_app_note(app, false, "drawn with %s", name[app->canvas.glyphs]);
}

static bool list_act(ig_app *app, ig_action action, size_t lines)
{
    const ig_slot *place = &app->layout.panel[app->settings.focus];

    return ig_list_act(app, action, lines,
                       place->inside.rows > 0 ? (size_t)place->inside.rows : 1);
}

/* What a panel does with an action; false when it is not the panel's. */
static bool panel_act(ig_app *app, ig_action action)
{
    switch (app->settings.focus) {
    case IG_PANEL_MAP:
        return ig_map_act(app, action);
    case IG_PANEL_NEIGHBOURS:
        return ig_near_act(app, action);
    case IG_PANEL_RUNS:
        return ig_runs_act(app, action);
    case IG_PANEL_DATA:
        return ig_data_act(app, action) || list_act(app, action, ig_data_lines(app));
    case IG_PANEL_SENTENCES:
        return ig_sentences_act(app, action);
    case IG_PANEL_LEAKAGE:
        return ig_leak_act(app, action);
    case IG_PANEL_CURVES:
    case IG_PANELS:
        break;
    }
    return false;
}

ig_app_request ig_app_act(ig_app *app, ig_action action, int digit)
{
    switch (action) {
    case IG_ACT_QUIT:
        return quit(app);
    case IG_ACT_STOP:
        return stop(app);
    case IG_ACT_SUSPEND:
        return IG_APP_SUSPEND;
    case IG_ACT_REDRAW:
        return IG_APP_REDRAW;
    case IG_ACT_BACK:
        go_back(app);
        break;
    case IG_ACT_HELP:
        app->overlay = app->overlay == IG_OVER_HELP ? IG_OVER_NONE : IG_OVER_HELP;
        app->over_line = app->over_offset = 0;
        break;
    case IG_ACT_METHOD:
        ig_method_open(app);
        break;
    case IG_ACT_COMPARE:
        ig_runs_compare(app);
        break;
    case IG_ACT_DELETE:
        ig_runs_delete(app);
        break;
    case IG_ACT_EDIT:
        ig_editor_open(app);
        break;
    case IG_ACT_COMMAND:
        ig_prompt_open(app, IG_PROMPT_COMMAND, "");
        break;
    case IG_ACT_SEARCH:
        ig_prompt_open(app, IG_PROMPT_SEARCH, "");
        break;
    case IG_ACT_WRITE:
        ig_write_open(app);
        break;
    case IG_ACT_NEXT_MATCH:
    case IG_ACT_PREVIOUS_MATCH:
        ig_search_again(app, action == IG_ACT_PREVIOUS_MATCH);
        break;
    case IG_ACT_NEXT_MEASURE:
    case IG_ACT_PREVIOUS_MEASURE:
        ig_leak_step(app, action == IG_ACT_NEXT_MEASURE ? 1 : -1);
        break;
    case IG_ACT_ALL_ROWS:
        ig_findings_rows(app);
        break;
    case IG_ACT_MEASURE:
        ig_findings_exact(app);
        break;
    case IG_ACT_NEXT_SENTENCE:
    case IG_ACT_PREVIOUS_SENTENCE:
        ig_sentences_step(app, action == IG_ACT_NEXT_SENTENCE ? 1 : -1);
        break;
    case IG_ACT_NEXT_PANEL:
    case IG_ACT_PREVIOUS_PANEL:
        change_panel(app, action == IG_ACT_NEXT_PANEL ? 1 : -1);
        break;
    case IG_ACT_EXPAND:
        app->settings.expanded = !app->settings.expanded;
        break;
    case IG_ACT_TRAIN:
        ig_look_train(app);
        break;
    case IG_ACT_STEP:
        ig_look_step(app);
        break;
    case IG_ACT_EARLIER:
    case IG_ACT_LATER:
        ig_look_by(app, action == IG_ACT_LATER ? 1 : -1);
        break;
    case IG_ACT_MUCH_EARLIER:
    case IG_ACT_MUCH_LATER:
        ig_look_by(app, action == IG_ACT_MUCH_LATER ? 10 : -10);
        break;
    case IG_ACT_SPEED:
        change_speed(app);
        break;
    case IG_ACT_SPACE:
        change_space(app);
        break;
    case IG_ACT_SCALE:
        app->request.unit = !app->request.unit;
        ig_app_send(app);
        break;
    case IG_ACT_AXIS_X:
    case IG_ACT_AXIS_Y:
        change_axis(app, action == IG_ACT_AXIS_Y);
        break;
    case IG_ACT_LANGUAGE:
        ig_colouring_toggle(app, (size_t)digit - 1);
        break;
    case IG_ACT_ALL_LANGUAGES:
        ig_colouring_show_all(app);
        break;
    case IG_ACT_COLOUR:
        ig_colouring_choose(app, (app->colours.choice + 1) % ig_colouring_choices(app));
        break;
    case IG_ACT_BOX:
        ig_box_open(app);
        break;
    case IG_ACT_ISOLATE:
        ig_selection_isolate(app);
        break;
    case IG_ACT_FILTER: /* some panels have one of their own */
        if (!panel_act(app, action))
            ig_filter_open(app);
        break;
    case IG_ACT_LINES:
        app->lines = !app->lines;
        break;
    case IG_ACT_COPY:
        return ig_copy(app);
    case IG_ACT_GLYPHS:
        change_glyphs(app);
        break;
    default:
        if (!panel_act(app, action) && action != IG_ACT_NONE)
            ig_map_act(app, action); /* zoom and pan from any panel */
    }
    return IG_APP_NOTHING;
}

/* --- keys ------------------------------------------------------------------------- */

static void mouse(ig_app *app, ig_key key)
{
    ig_panel panel = ig_layout_at(&app->layout, key.row, key.col);

    if (app->box.on && app->box.pulled) { /* wherever the pointer is */
        ig_box_mouse(app, key);
        return;
    }
    if (panel == IG_PANELS)
        return;
    if (key.mouse == IG_MOUSE_PRESS || key.mouse == IG_MOUSE_SECOND)
        ig_layout_focus(&app->settings, panel);
    if (panel == IG_PANEL_MAP)
        ig_map_mouse(app, key);
    else if (panel == IG_PANEL_NEIGHBOURS)
        ig_near_mouse(app, key);
    else if (panel == IG_PANEL_LEAKAGE)
        ig_leak_mouse(app, key);
    else if (panel == IG_PANEL_SENTENCES)
        ig_sentences_mouse(app, key);
    else if (panel == IG_PANEL_CURVES && key.mouse <= IG_MOUSE_RELEASE)
        ig_curves_mouse(app, key);
    else if (key.mouse == IG_MOUSE_WHEEL_UP || key.mouse == IG_MOUSE_WHEEL_DOWN)
        panel_act(app, key.mouse == IG_MOUSE_WHEEL_UP ? IG_ACT_UP : IG_ACT_DOWN);
}

static ig_app_request take_key(ig_app *app, ig_key key)
{
    ig_action action = ig_keymap_find(app->remap, key);
    ig_app_request request = IG_APP_NOTHING;

    if (key.code == IG_KEY_STOP)
        return IG_APP_ENDED;
    if (key.code == IG_KEY_RESIZE)
        return IG_APP_NOTHING;
    app->note[0] = '\0';
    if (key.code == IG_KEY_MOUSE) {
        if (!app->overlay && !app->prompt.kind)
            mouse(app, key);
        return IG_APP_NOTHING;
    }
    if (app->prompt.kind)
        return ig_prompt_key(app, key);
    if (app->overlay && ig_overlay_key(app, action, key, &request))
        return request;
    if (ig_box_act(app, action))
        return IG_APP_NOTHING;
    return ig_app_act(
        app, action,
        key.unicode >= '1' && key.unicode <= '9' ? (int)(key.unicode - '0') : 0);
}

ig_app_request ig_app_key(ig_app *app, ig_key key)
{
    ig_app_request request = take_key(app, key);

    ig_findings_follow(app);
    return request;
}

/* --- drawing ---------------------------------------------------------------------- */

ig_status ig_app_draw(ig_app *app, int rows, int cols, int *row, int *col,
                      ig_error *error)
{
    ig_status status = ig_canvas_resize(&app->canvas, rows, cols, error);

    *row = *col = -1;
    if (status != IG_OK)
        return status;
    ig_canvas_clear(&app->canvas);
    app->layout = ig_layout_compute(rows, cols, app->settings);
    ig_header_draw(app);
    ig_map_draw(app);
    ig_curves_panel_draw(app);
    ig_near_draw(app);
    ig_leak_draw(app);
    ig_sentences_draw(app);
    ig_runs_draw(app);
    ig_data_draw(app);
    ig_overlay_draw(app);
    ig_footer_draw(app, row, col);
    return IG_OK;
}
