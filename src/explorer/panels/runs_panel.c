/* The runs: a table of the session's runs, and below it details of the selected one. */
#include "explorer/panels/runs_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/command.h"
#include "explorer/overlay.h"
#include "explorer/provenance.h"
#include "view/axes.h"

enum field { RUN, METHOD, LR, SEED, EPOCHS, BEST, ALIGNMENT, UNIFORMITY, STATE, SAVED };

static const ig_column fields[] = {
    [RUN] = {"run", 4, IG_ALIGN_RIGHT, 0},
    [METHOD] = {"method", -8, IG_ALIGN_LEFT, 0},
    [LR] = {"lr", 6, IG_ALIGN_RIGHT, 5},
    [SEED] = {"random seed", 12, IG_ALIGN_RIGHT, 8},
    [EPOCHS] = {"epochs", 7, IG_ALIGN_RIGHT, 6},
    [BEST] = {"best", 6, IG_ALIGN_RIGHT, 4},
    [ALIGNMENT] = {"live alignment", 15, IG_ALIGN_RIGHT, 2},
    [UNIFORMITY] = {"live uniformity", 16, IG_ALIGN_RIGHT, 3},
    [STATE] = {"state", 9, IG_ALIGN_RIGHT, 7},
    [SAVED] = {"saved", 6, IG_ALIGN_RIGHT, 9},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static ig_list_cursor *cursor_of(const ig_app *app)
{
    return ig_app_state(app, &ig_runs_panel);
}

/* --- the table -------------------------------------------------------------------- */

/* A field of a run that is a number; NaN: unknown. */
static double number_of(const ig_run_entry *run, size_t field)
{
    const ig_run_info *info = run->info;
    const ig_run_record *best = ig_run_best(info);
    const ig_geometry *meaning = best ? &best->geometry[IG_SPACE_MEANING] : NULL;
    bool known = info->options.lr >= 0; /* else they are bare weights */
    bool steps = known && strcmp(info->ending, "closed form") != 0;

    return field == RUN                     ? run->number
           : field == LR && steps           ? info->options.lr
           : field == SEED && known         ? (double)info->options.seed
           : field == EPOCHS                ? (double)ig_run_epochs(info)
           : field == BEST                  ? (double)info->best
           : field == ALIGNMENT && meaning  ? meaning->alignment
           : field == UNIFORMITY && meaning ? meaning->uniformity
                                            : (double)NAN;
}

/* A field of a run, empty if unknown. */
static void fill_cell(void *context, size_t row, size_t field, ig_list_cell *cell)
{
    static const char *const state[] = {"",         "training", "paused",
                                        "followed", "finished", "failed"};
    const ig_app *app = context;
    const ig_run_entry *run = app->now->runs.entry[row];
    ig_activity activity = ig_session_activity(app->session, run);
    bool shown = run->number == app->now->shown_run;
    double number = number_of(run, field);
    char *out = cell->room;
    size_t size = sizeof cell->room;

    cell->text = out;
    cell->style = ig_style_of(IG_COLOUR_TEXT, shown ? IG_BOLD : 0);
    if (shown && field <= METHOD)
        cell->style.fg = IG_COLOUR_ACCENT;
    else if (field == RUN)
        cell->style.fg = ig_colour_run(run->number - 1);
    else if (field == STATE && activity == IG_FAILED)
        cell->style = ig_style_of(IG_COLOUR_BAD, 0);
    else if (field == SAVED && !ig_run_entry_saved(run))
        cell->style = ig_style_of(IG_COLOUR_WARN, 0);
    if (field == RUN)
        snprintf(out, size, "%s%u",
                 shown                                ? "▸"
                 : run->number == app->view->compared ? "="
                                                      : "",
                 run->number);
    else if (field == METHOD)
        cell->text = run->info->name;
    else if (field == STATE)
        cell->text = !run->run && activity != IG_FOLLOWED         ? "read"
                     : activity == IG_FINISHED && ig_run_cut(run) ? ig_run_cut(run)
                                                                  : state[activity];
    else if (field == SAVED)
        cell->text = ig_run_entry_saved(run) ? "yes" : "no";
    else if (field == ALIGNMENT || field == UNIFORMITY)
        ig_number_format(out, number, 6, 0);
    else if (field == SEED && !isnan(number)) /* exactly */
        snprintf(out, size, "%llu", (unsigned long long)run->info->options.seed);
    else if (!isnan(number))
        snprintf(out, size, field == LR ? "%.15g" : "%.0f", number);
}

/* --- what is done to runs --------------------------------------------------------- */

/* The run under the cursor, or NULL; without the focus the displayed one. */
static const ig_run_entry *selected_run(const ig_app *app)
{
    size_t line = cursor_of(app)->line;

    if (app->focus != &ig_runs_panel)
        return ig_runs_find(&app->now->runs, app->now->shown_run);
    return line < app->now->runs.count ? app->now->runs.entry[line] : NULL;
}

/* Whether the run has a map. */
static bool has_map(ig_app *app, const ig_run_entry *run)
{
    if (!run->info->extractor)
        ig_app_note(app, true,
                    "run %u was trained on %zu dimensions, not %zu: it has no map",
                    run->number, run->info->dims, app->set->dims);
    return run->info->extractor;
}

void ig_runs_show(ig_app *app, size_t i)
{
    const ig_run_entry *run = app->now->runs.entry[i];

    if (!has_map(app, run))
        return;
    app->view->show = run->number;
    app->view->version = run->version;
    app->view->looking = false;
    if (app->view->compared == run->number) /* swap the runs */
        app->view->compared = app->now->shown_run;
}

/* Compare the view with a run, or with the vectors of a version. */
static void compare_with(ig_app *app, const ig_run_entry *run, size_t version)
{
    if (run && !has_map(app, run))
        return;
    app->view->compared = run ? run->number : 0;
    app->view->compares = !run;
    app->view->compared_version = version;
}

void ig_compare_side(ig_app *app, size_t side)
{
    size_t count = app->now->dataset.count > 1 ? app->now->dataset.count : 0;
    const ig_run_entry *run = side < count ? NULL : app->now->runs.entry[side - count];
    unsigned shown = app->now->shown_run;
    char label[IG_RUN_LABEL];

    if (run ? run->number == shown : !shown && side == app->now->version)
        ig_app_note(app, true, "%s%s is the one shown", run ? "run " : "",
                    ig_side_label(app, 0, app->now->main.shown->x.strength, 0, label));
    else
        compare_with(app, run, side);
}

bool ig_compare_stops(const ig_app *app)
{
    const ig_run_entry *run = selected_run(app);

    return run && run->number != app->now->shown_run
               ? app->view->compared == run->number
               : app->view->compared || app->view->compares;
}

/* The run or version shown with the one before it, the first with the second. */
void ig_compare(ig_app *app)
{
    const ig_runs *runs = &app->now->runs;
    const ig_run_entry *run = selected_run(app), *other = NULL;
    unsigned shown = app->now->shown_run;
    bool stops = ig_compare_stops(app), versions = app->now->dataset.count > 1;

    for (size_t i = 0; i < runs->count; i++)
        if (runs->entry[i]->number != shown &&
            (!other || runs->entry[i]->number < shown))
            other = runs->entry[i];
    app->view->compared = 0;
    app->view->compares = false;
    if (stops)
        return;
    if (!run && versions) {
        compare_with(app, NULL, app->now->version ? app->now->version - 1 : 1);
    } else if (run && other) {
        compare_with(app, run->number == shown ? other : run, 0);
    } else {
        ig_app_note(app, false, "comparing needs two runs: m trains one, :load RUN");
        if (versions) /* with which the run can be compared */
            ig_command_line_open(app, "compare ", false);
    }
}

static void close_run(ig_app *app)
{
    unsigned n = app->question.run;

    if (app->view->compared == n)
        app->view->compared = 0;
    if (app->view->show == n)
        app->view->show = 0;
    ig_session_command(app->session, &(ig_command){.kind = IG_COMMAND_DROP, .run = n});
}

/* Closing a saved run only removes it from the list. */
void ig_runs_delete(ig_app *app)
{
    static const ig_reply answers[] = {
        {"y/d delete", close_run}, {"n/Enter/Esc cancel", NULL}, {0}};
    const ig_run_entry *run = selected_run(app);
    char label[IG_RUN_LABEL];

    if (app->focus != &ig_runs_panel || !run) {
        ig_app_note(app, false, "select a run in the runs panel to delete it");
        return;
    }
    ig_question_open(app, "delete", answers);
    app->question.run = run->number;
    ig_question_line(app, "Run %s is not %s.", ig_run_label(app, run->number, label),
                     ig_run_entry_going(run) ? "finished" : "saved");
    if (ig_run_entry_saved(run) && !ig_run_entry_going(run)) {
        app->overlay = NULL;
        close_run(app);
    }
}

/* What differs from its preset, or without one from its objective: "push m(x) m(x') 3;
 * lr 0.001, not 0.0001"; unknown for bare weights. */
static void add_difference(ig_details *p, const ig_run_entry *run)
{
    const ig_run_info *info = run->info;
    const char *preset = ig_preset_find(info->method);
    ig_train_options base = ig_train_defaults();
    const ig_train_option *option;
    char text[320] = "", value[IG_SETTING_SIZE], usual[IG_SETTING_SIZE];
    ig_objective o;

    if (!preset)
        preset = run->run ? run->run->objective.text : info->objective;
    if (isnan(number_of(run, LR)) || !preset ||
        ig_objective_parse(&o, "", "", preset, strlen(preset), NULL) != IG_OK)
        return;
    ig_train_resolve(&base, &o.settings);
    ig_objective_free(&o);
    if (*info->edit)
        snprintf(text, sizeof text, "%.*s", (int)strlen(info->edit) - 3,
                 info->edit + 2);
    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        ig_setting_format(&option->field, &info->options, value);
        ig_setting_format(&option->field, &base, usual);
        if (strcmp(value, usual) != 0)
            ig_text_append(text, sizeof text, "%s%.24s %.24s, not %.24s",
                           *text ? "; " : "", option->field.name, value, usual);
    }
    if (info->pairing && strcmp(info->pairing, "pivot") != 0)
        ig_text_append(text, sizeof text, "%spairing %.60s", *text ? "; " : "",
                       info->pairing);
    ig_details_add(p, "differs from preset", ig_plain, "%s", *text ? text : "nothing");
}

/* --- drawing ---------------------------------------------------------------------- */

/* Put the cursor on the run shown. */
static void select_shown(ig_app *app)
{
    for (size_t i = 0; i < app->now->runs.count; i++)
        if (app->now->runs.entry[i]->number == app->now->shown_run)
            cursor_of(app)->line = i;
}

/* A table of at most half a panel, with details of the selected run below. */
static void draw_panel(ig_app *app, const ig_pane *pane)
{
    const ig_run_entry *run;
    const char *path, *unlike;
    char room[IG_UNLIKE_SIZE], ending[IG_RUN_ENDING];
    bool focused = app->focus == &ig_runs_panel;
    ig_rect table = pane->inside;
    size_t n = app->now->runs.count;
    int max = table.rows < 6 ? table.rows : table.rows / 2;
    ig_list list = {fields, FIELDS, n, .source = fill_cell, .context = app};
    ig_details details = {&app->canvas, .width = 20};

    table.rows = n == 0 ? 0 : n < (size_t)max ? (int)n + 1 : max;
    list.header = table.rows > 1;
    if (!focused)
        select_shown(app);
    ig_list_cursor_draw(cursor_of(app), &app->canvas, table, &list, focused, focused);
    details.in = ig_rect_inset(pane->inside, table.rows, 0, 0, 0);
    run = selected_run(app);
    if (!run) {
        ig_details_add(&details, "no run", ig_plain,
                       "Space: train, m: choose a method");
        return;
    }
    path = run->info->path ? run->info->path : run->path;
    if (*ig_run_ending(run, ending))
        ig_details_add(&details, "state", ig_plain, "%s", ending);
    if (ig_run_best(run->info) && !isnan(ig_run_best(run->info)->epoch.valid_loss))
        ig_details_add(&details, "validation loss", ig_plain, "%.3f at the best epoch",
                       ig_run_best(run->info)->epoch.valid_loss);
    add_difference(&details, run);
    unlike = ig_unlike_compared(app, run, room);
    if (*unlike)
        ig_details_add(&details, "compared", ig_plain, "%s", unlike);
    if (path)
        ig_details_add(&details, "directory", ig_plain, "%s", path);
}

static void describe_source(const ig_app *app, char *out)
{
    const ig_run_entry *run = selected_run(app);

    ig_live_source(app, run, run ? run->info->best : 0, out);
}

static bool act_on_line(ig_app *app, ig_action action)
{
    if (action != IG_ACT_ENTER)
        return ig_list_cursor_act(cursor_of(app), action, app->now->runs.count);
    if (selected_run(app))
        ig_runs_show(app, cursor_of(app)->line);
    return true;
}

static void press_line(ig_app *app, ig_key key)
{
    if (ig_list_cursor_mouse(cursor_of(app), key) == IG_CLICK_AGAIN)
        act_on_line(app, IG_ACT_ENTER);
}

static bool name_file(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "runs.tsv");
    return app->now->runs.count > 0;
}

static void put_runs(const ig_app *app, ig_table *t)
{
    t->source = ig_table_text_of(t, "%s: each at its best epoch", app->set->name);
    for (size_t f = 0; f < FIELDS; f++)
        ig_table_text(t, fields[f].title);
    ig_table_end_row(t);
    for (size_t i = 0; i < FIELDS * app->now->runs.count; i++) {
        size_t run = i / FIELDS, field = i % FIELDS;
        ig_list_cell cell = {0};

        fill_cell((void *)app, run, field, &cell);
        if (field != METHOD && field < STATE) {
            ig_table_cell *out =
                ig_table_number(t, number_of(app->now->runs.entry[run], field));

            out->type = field == LR || field > BEST ? IG_CELL_NUMBER : IG_CELL_COUNT;
            out->text = field == SEED ? ig_table_text_of(t, "%s", cell.text) : NULL;
        } else {
            ig_table_add(t, "%s", cell.text);
        }
        if (field + 1 == FIELDS)
            ig_table_end_row(t);
    }
}

const ig_panel ig_runs_panel = {
    .name = "runs",
    .about = "runs of this session with options and figures",
    .reads =
        "One line for each run (seed·1: run 1, of method seed) at its best epoch, and "
        "details of the selected one. Compare alignment, uniformity and leakage: "
        "losses of different objectives have different scales. Enter shows a run, C "
        "compares it with the one shown, w saves it and this table, :load loads one.",
    .role = IG_ROLE_LIST,
    .state = sizeof(ig_list_cursor),
    .focus = select_shown,
    .act = act_on_line,
    .mouse = press_line,
    .keys = "Enter show|d delete",
    .source = describe_source,
    .draw = draw_panel,
    .file = name_file,
    .put = put_runs};
