/* The runs: a table of the session's runs, and below it details of the selected one. */
#include "explorer/panels/runs_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "explorer/command.h"
#include "explorer/overlay.h"
#include "explorer/playback.h"
#include "view/axes.h"

enum field {
    NUMBER,
    METHOD,
    LR,
    SEED,
    EPOCHS,
    BEST,
    LOSS,
    ALIGNMENT,
    UNIFORMITY,
    STATE,
    SAVED,
    FIELDS
};

static const ig_column fields[FIELDS] = {
    [NUMBER] = {"run", 4, IG_ALIGN_RIGHT, 0},
    [METHOD] = {"method", -8, IG_ALIGN_LEFT, 0},
    [LR] = {"lr", 6, IG_ALIGN_RIGHT, 5},
    [SEED] = {"seed", 4, IG_ALIGN_RIGHT, 6},
    [EPOCHS] = {"epochs", 6, IG_ALIGN_RIGHT, 8},
    [BEST] = {"best", 5, IG_ALIGN_RIGHT, 4},
    [LOSS] = {"loss", 6, IG_ALIGN_RIGHT, 1},
    [ALIGNMENT] = {"live alignment", 14, IG_ALIGN_RIGHT, 2},
    [UNIFORMITY] = {"live uniformity", 15, IG_ALIGN_RIGHT, 3},
    [STATE] = {"state", 8, IG_ALIGN_LEFT, 7},
    [SAVED] = {"saved", 5, IG_ALIGN_LEFT, 9},
};

struct state {
    ig_list_cursor cursor;
    unsigned chosen; /* number of the selected run */
    size_t sort;     /* the field of the order */
    size_t *order;   /* (ordered) runs of the session by line */
    size_t ordered;
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_runs_panel);
}

/* --- the table -------------------------------------------------------------------- */

/* The run in a line of the table, by number where it is not sorted. */
static const ig_run_entry *line_at(const ig_app *app, size_t line)
{
    const struct state *s = state_of(app);

    return app->now->runs
        .entry[s->order && s->ordered == app->now->runs.count ? s->order[line] : line];
}

enum { FIELD_SIZE = 160 };

/* Format a field; "": unknown. The loss is that of validation where there is one. */
static void format_field(const ig_app *app, const ig_run_entry *run, enum field field,
                         bool ascii, char out[FIELD_SIZE])
{
    static const char *const state[] = {"",         "training", "paused",
                                        "followed", "finished", "failed"};
    const ig_run_info *info = run->info;
    const ig_run_record *best = ig_run_best(info);
    const ig_geometry *meaning = best ? &best->geometry[IG_SPACE_MEANING] : NULL;
    ig_activity activity = ig_session_activity(app->session, run);
    bool known = info->options.lr >= 0;
    double value = NAN;

    out[0] = '\0';
    if (field == NUMBER)
        snprintf(out, FIELD_SIZE, "%u", run->number);
    else if (field == METHOD)
        snprintf(out, FIELD_SIZE, "%s%s", info->method, info->suffix);
    else if (field == LR && known)
        snprintf(out, FIELD_SIZE, "%.15g", info->options.lr);
    else if (field == SEED && known)
        snprintf(out, FIELD_SIZE, "%llu", (unsigned long long)info->options.seed);
    else if (field == EPOCHS || field == BEST)
        snprintf(out, FIELD_SIZE, "%zu",
                 field == BEST ? info->best : ig_run_epochs(info));
    else if (field == STATE)
        snprintf(out, FIELD_SIZE, "%s",
                 run->run || activity == IG_FOLLOWED ? state[activity] : "read");
    else if (field == SAVED)
        snprintf(out, FIELD_SIZE, "%s", ig_run_entry_saved(run) ? "yes" : "no");
    else if (field == LOSS && best)
        value = isnan(best->epoch.valid_loss) ? best->epoch.train_loss
                                              : best->epoch.valid_loss;
    else if (meaning && field >= ALIGNMENT)
        value = field == ALIGNMENT ? meaning->alignment : meaning->uniformity;
    if (isfinite(value))
        ig_number_format(out, value, 6, ascii);
}

/* Compare two runs by a field: numbers before names, what is unknown last. */
static int compare_field(const ig_app *app, const ig_run_entry *a,
                         const ig_run_entry *b, enum field field)
{
    char text[2][FIELD_SIZE], *end[2];
    double x, y;

    format_field(app, a, field, true, text[0]);
    format_field(app, b, field, true, text[1]);
    x = strtod(text[0], &end[0]);
    y = strtod(text[1], &end[1]);
    if (!*text[0] || !*text[1])
        return !*text[0] - !*text[1];
    return !*end[0] && !*end[1] ? (x > y) - (x < y) : strcmp(text[0], text[1]);
}

/* Sort the runs, equal ones by number, and keep the cursor on its run. Losses compare
 * within an objective alone. */
static void sort_runs(ig_app *app)
{
    struct state *s = state_of(app);
    ig_run_entry *const *run = app->now->runs.entry;
    size_t n = app->now->runs.count, at;

    ig_free(s->order);
    s->order = ig_alloc(n, sizeof *s->order);
    s->ordered = s->order ? n : 0; /* else by number */
    for (size_t i = 0; i < s->ordered; i++) {
        for (at = i; at > 0; at--) {
            const ig_run_entry *before = run[s->order[at - 1]];
            int order = s->sort == LOSS ? compare_field(app, before, run[i], METHOD)
                                        : 0;

            if (order == 0)
                order = compare_field(app, before, run[i], s->sort);
            if (order <= 0)
                break;
            s->order[at] = s->order[at - 1];
        }
        s->order[at] = i;
    }
    for (at = 0; at < n && line_at(app, at)->number != s->chosen; at++)
        ;
    s->cursor.line = at < n ? at : s->cursor.line < n ? s->cursor.line : n - (n > 0);
    s->chosen = n > 0 ? line_at(app, s->cursor.line)->number : 0;
}

static void sort_by(ig_app *app, size_t field)
{
    state_of(app)->sort = field;
    sort_runs(app);
    ig_app_note(app, false, "runs by %s%s", field == LOSS ? "method and " : "",
                fields[field].title);
}

void ig_runs_sort(ig_app *app)
{
    if (app->focus != &ig_runs_panel)
        ig_app_focus(app, &ig_runs_panel);
    else
        sort_by(app, (state_of(app)->sort + 1) % FIELDS);
}

const char *ig_runs_column(size_t i)
{
    return i < FIELDS ? fields[i].title : NULL;
}

void ig_runs_sort_named(ig_app *app, const char *name)
{
    long field = ig_argument_find(app, ig_action_named("sort"), name);

    if (field < 0)
        return;
    ig_app_focus(app, &ig_runs_panel);
    sort_by(app, (size_t)field);
}

/* --- what is done to runs --------------------------------------------------------- */

/* The run under the cursor, or NULL; without the focus the displayed one. */
static const ig_run_entry *selected_run(const ig_app *app)
{
    return ig_app_run(app, app->focus == &ig_runs_panel ? state_of(app)->chosen
                                                        : app->now->shown_run);
}

/* Whether the run has a map. */
static bool has_map(ig_app *app, const ig_run_entry *run)
{
    if (!run->info->extractor)
        ig_app_note(app, true,
                    "run %u was trained on %zu dimensions, not %zu: curves only, no "
                    "map",
                    run->number, run->info->dims, app->set->dims);
    return run->info->extractor;
}

void ig_runs_show(ig_app *app, const ig_run_entry *run)
{
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
    char a[IG_RUN_LABEL], b[IG_RUN_LABEL];

    if (run && !has_map(app, run))
        return;
    app->view->compared = run ? run->number : 0;
    app->view->compares = !run;
    app->view->compared_version = version;
    if (run)
        ig_app_note(app, false, "comparing run %s with run %s",
                    ig_run_label(app, run->number, a),
                    ig_run_label(app, app->now->shown_run, b));
    else
        ig_app_note(app, false, "comparing version %s with %s: { } step",
                    ig_version_shown(app), ig_version_name(app, version));
}

void ig_compare_side(ig_app *app, size_t side)
{
    size_t versions = app->versions->count > 1 ? app->versions->count : 0;

    compare_with(app, side < versions ? NULL : app->now->runs.entry[side - versions],
                 side);
}

/* The run or version shown with the one before it, the first with the second. */
bool ig_compare_stops(const ig_app *app)
{
    const ig_run_entry *run = selected_run(app);

    return run && run->number != app->now->shown_run
               ? app->view->compared == run->number
               : app->view->compared || app->view->compares;
}

void ig_compare(ig_app *app)
{
    const ig_run_entry *run = selected_run(app), *other = NULL;
    bool selected = run && run->number != app->now->shown_run;
    bool stops = ig_compare_stops(app);
    size_t at = app->now->version;

    for (size_t i = 0; i < app->now->runs.count; i++)
        if (run && app->now->runs.entry[i] != run &&
            (!other || app->now->runs.entry[i]->number < run->number))
            other = app->now->runs.entry[i];
    app->view->compared = 0;
    app->view->compares = false;
    if (stops)
        return;
    if (!run && app->versions->count > 1)
        compare_with(app, NULL, at ? at - 1 : 1);
    else if (run && (selected || other))
        compare_with(app, selected ? run : other, 0);
    else
        ig_app_note(app, false,
                    "comparing needs two runs: press m to train another, or :load RUN");
}

static void close_run(ig_app *app)
{
    unsigned number = state_of(app)->chosen;

    if (app->view->compared == number)
        app->view->compared = 0;
    if (app->view->show == number)
        app->view->show = 0;
    ig_app_order(app, IG_COMMAND_DROP, number);
}

/* Closing a saved run only removes it from the list. */
void ig_runs_delete(ig_app *app)
{
    static const ig_reply answers[] = {
        {"d", "delete", close_run}, {"n", "cancel", NULL}, {0}};
    const ig_run_entry *run = selected_run(app);
    char label[IG_RUN_LABEL];

    if (app->focus != &ig_runs_panel || !run) {
        ig_app_note(app, false, "select a run in the runs panel to delete it");
    } else if (ig_run_entry_saved(run) && !ig_run_entry_going(run)) {
        close_run(app);
    } else {
        ig_question_open(app, "delete", answers);
        ig_question_line(app, "Run %s is not %s.",
                         ig_run_label(app, run->number, label),
                         ig_run_entry_going(run) ? "finished" : "saved");
    }
}

/* --- details of a run ------------------------------------------------------------- */

/* What differs from `than`: method and options; or options from those of its own preset
 * and the defaults if NULL: "lr 0.001, not 0.0001; batch 64, not 512". */
static void add_difference(ig_details *p, const ig_app *app, const ig_run_entry *run,
                           const ig_run_entry *than)
{
    const ig_train_options *options = &run->info->options;
    ig_train_options base = than ? than->info->options : ig_train_defaults();
    const char *preset = run->run ? run->run->objective.text : run->info->objective;
    const ig_train_option *option;
    ig_objective o;
    char text[256] = "", name[24] = "differs from preset";
    char value[FIELD_SIZE], other[FIELD_SIZE]; /* at least IG_SETTING_SIZE */

    if (options->lr < 0 || (than && base.lr < 0) || !preset)
        return; /* unknown for bare weights */
    if (than) {
        snprintf(name, sizeof name, "differs from %u", than->number);
        format_field(app, run, METHOD, false, value);
        format_field(app, than, METHOD, false, other);
        if (strcmp(value, other) != 0)
            ig_text_append(text, sizeof text, "%s, not %s", value, other);
    } else if (ig_objective_parse(&o, "", "", preset, strlen(preset), NULL) == IG_OK) {
        ig_train_resolve(&base, &o.settings);
        ig_objective_free(&o);
    }
    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        ig_setting_format(&option->field, options, value);
        ig_setting_format(&option->field, &base, other);
        if (strcmp(value, other) != 0)
            ig_text_append(text, sizeof text, "%s%.24s %.24s, not %.24s",
                           *text ? "; " : "", option->field.name, value, other);
    }
    ig_details_add(p, name, ig_plain, "%s", *text ? text : "nothing");
}

static void describe_run(ig_details *p, const ig_app *app, const ig_run_entry *run)
{
    unsigned shown = app->now->shown_run;
    bool saved = ig_run_entry_saved(run);
    const char *path = run->info->path ? run->info->path : run->path;
    const char *ending = ig_run_entry_ending(run);
    const ig_run_record *last = ig_playback_record(app);
    char text[FIELD_SIZE], a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    if (run->number != shown)
        ig_details_add(p, "run", ig_plain, "%u, selected; run %u is shown%s",
                       run->number, shown,
                       run->info->extractor ? ", Enter: show this run" : "");
    format_field(app, run, STATE, false, text);
    ig_details_add(p, "state", ig_plain, "%s",
                   strcmp(text, "followed") == 0 ? "trained by another process"
                   : *ending                     ? ending
                                                 : text);
    add_difference(p, app, run, run->number == shown ? NULL : ig_app_run(app, shown));
    ig_details_add(p, "directory", saved ? ig_plain : ig_style_of(IG_COLOUR_WARN, 0),
                   "%s",
                   path    ? path
                   : saved ? "nothing to save"
                           : "not saved");
    if (run->number == shown && last)
        ig_details_add(p, app->now->looking ? "loss at epoch" : "current loss",
                       ig_plain, "train %s  valid %s",
                       ig_number_format(a, last->epoch.train_loss, 7, 0),
                       ig_number_format(b, last->epoch.valid_loss, 7, 0));
}

/* --- drawing ---------------------------------------------------------------------- */

static void fill_cell(void *context, size_t row, size_t field, ig_list_cell *cell)
{
    const ig_app *app = context;
    const ig_run_entry *run = line_at(app, row);
    bool shown = run->number == app->now->shown_run;
    const char *mark = shown ? ig_glyph_text(app->canvas.glyphs, IG_GLYPH_RUN)
                       : run->number == app->view->compared ? "="
                                                            : "";
    char text[FIELD_SIZE];

    format_field(app, run, (enum field)field, app->canvas.glyphs == IG_ASCII, text);
    snprintf(cell->room, sizeof cell->room, "%s%s", field == NUMBER ? mark : "", text);
    cell->text = cell->room;
    cell->style = ig_style_of(IG_COLOUR_TEXT, shown ? IG_BOLD : 0);
    if (field == NUMBER)
        cell->style.fg = ig_colour_run(run->number - 1);
    if (shown && field <= METHOD)
        cell->style.fg = IG_COLOUR_ACCENT;
    if (field == STATE && run->run && run->run->failed)
        cell->style = ig_style_of(IG_COLOUR_BAD, 0);
    if (field == SAVED && !ig_run_entry_saved(run))
        cell->style = ig_style_of(IG_COLOUR_WARN, 0);
}

static void choose_shown(ig_app *app)
{
    state_of(app)->chosen = app->now->shown_run;
    sort_runs(app);
}

/* The table takes the lines that it needs, of a large panel at most half; below are
 * the details of the selected run. */
static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct state *s = state_of(app);
    const ig_run_entry *run = selected_run(app);
    bool focused = app->focus == &ig_runs_panel;
    ig_rect table = pane->inside;
    size_t n = app->now->runs.count;
    int max = table.rows < 6 ? table.rows : table.rows / 2;
    ig_list list = {fields, FIELDS, n, .source = fill_cell, .context = app};
    ig_details details = {&app->canvas, .width = 20};

    table.rows = n == 0 ? 0 : n < (size_t)max ? (int)n + 1 : max;
    list.header = table.rows > 1;
    if (!focused)
        choose_shown(app);
    ig_list_cursor_draw(&s->cursor, &app->canvas, table, &list, focused, focused);
    details.in = ig_rect_inset(pane->inside, table.rows, 0, 0, 0);
    if (run)
        describe_run(&details, app, run);
    else
        ig_details_add(&details, "no run", ig_plain,
                       "Space: train, m: choose a method");
}

/* --- the panel -------------------------------------------------------------------- */

static bool act_on_line(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);

    if (action != IG_ACT_ENTER &&
        !ig_list_cursor_act(&s->cursor, action, app->now->runs.count))
        return false;
    if (app->now->runs.count > 0)
        s->chosen = line_at(app, s->cursor.line)->number;
    if (app->now->runs.count > 0 && action == IG_ACT_ENTER)
        ig_runs_show(app, line_at(app, s->cursor.line));
    return true;
}

static void press_line(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);

    long title = ig_list_cursor_title(&s->cursor, key);

    if (title >= 0)
        sort_by(app, (size_t)title);
    else if (ig_list_cursor_mouse(&s->cursor, key))
        act_on_line(app, IG_ACT_ENTER);
    else if (app->now->runs.count > 0)
        s->chosen = line_at(app, s->cursor.line)->number;
}

static void describe_title(ig_app *app, char *title, char *note, size_t size)
{
    const struct state *s = state_of(app);

    (void)note;
    if (s->sort != NUMBER)
        ig_text_append(title, size, " by %s", fields[s->sort].title);
}

static void free_state(ig_app *app)
{
    ig_free(state_of(app)->order);
}

const ig_panel ig_runs_panel = {
    .name = "runs",
    .about = "runs of this session with options and figures",
    .reads = "One line for each run of this session, and details of the selected "
             "run below. Losses of different methods cannot be compared: compare "
             "alignment, uniformity and leakage. Enter shows a run, C compares it "
             "with the one shown, w saves it, and :load RUN loads one from a "
             "directory.",
    .role = IG_ROLE_LIST,
    .state = sizeof(struct state),
    .close = free_state,
    .update = sort_runs,
    .focus = choose_shown,
    .act = act_on_line,
    .mouse = press_line,
    .keys = "Enter show|S sort|d delete",
    .title = describe_title,
    .draw = draw_panel};
