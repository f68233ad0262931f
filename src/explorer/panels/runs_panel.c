/* The runs: a table of the session's runs, and below it details of the selected one. */
#include "explorer/panels/runs_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "explorer/narration.h"
#include "explorer/overlay.h"
#include "explorer/playback.h"
#include "explorer/version_strip.h"
#include "view/axes.h"

enum field {
    NUMBER,
    METHOD,
    LR,
    SEED,
    DIMS,
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
    [DIMS] = {"dims", 5, IG_ALIGN_RIGHT, 9},
    [EPOCHS] = {"epochs", 6, IG_ALIGN_RIGHT, 8},
    [BEST] = {"best", 5, IG_ALIGN_RIGHT, 4},
    [LOSS] = {"loss", 6, IG_ALIGN_RIGHT, 1},
    [ALIGNMENT] = {"live alignment", 14, IG_ALIGN_RIGHT, 2},
    [UNIFORMITY] = {"live uniformity", 15, IG_ALIGN_RIGHT, 3},
    [STATE] = {"state", 8, IG_ALIGN_LEFT, 7},
    [SAVED] = {"saved", 5, IG_ALIGN_LEFT, 10},
};

static const char *const state_names[] = {"",         "training", "paused",
                                          "followed", "finished", "failed"};

struct state {
    ig_list_cursor cursor;
    unsigned chosen; /* number of the selected run */
    unsigned doomed; /* of the run to delete, awaiting the answer */
    size_t sort;     /* the field of the order … */
    bool down;       /* … is descending */
    size_t *order;   /* (ordered) runs of the session by line */
    size_t ordered, capacity;
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_runs_panel);
}

/* --- the order of the table ------------------------------------------------------- */

/* The run in a line of the table. */
static const ig_run_entry *line_at(const ig_app *app, size_t line)
{
    const struct state *s = state_of(app);

    return app->now->runs
        .entry[s->ordered == app->now->runs.count ? s->order[line] : line];
}

/* The line of run `number`; the first if there is none. */
static size_t line_of(const ig_app *app, unsigned number)
{
    size_t n = app->now->runs.count, line = 0;

    while (line < n && line_at(app, line)->number != number)
        line++;
    return line < n ? line : 0;
}

/* The loss of the best epoch, that of validation if there is one; NaN: unknown. */
static double loss_of(const ig_run_entry *run)
{
    const ig_run_record *best = ig_run_info_best(run->info);

    return !best                           ? (double)NAN
           : isnan(best->epoch.valid_loss) ? best->epoch.train_loss
                                           : best->epoch.valid_loss;
}

/* The sort key of a field; NaN: unknown. */
static double value_of(const ig_app *app, const ig_run_entry *line, size_t field)
{
    const ig_run_record *best = ig_run_info_best(line->info);
    const ig_geometry *meaning = best ? &best->geometry[IG_SPACE_MEANING] : NULL;
    bool known = line->info->options.lr >= 0;
    const double value[FIELDS] = {
        [NUMBER] = line->number,
        [METHOD] = line->number,
        [LR] = known ? line->info->options.lr : NAN,
        [SEED] = known ? (double)line->info->options.seed : NAN,
        [DIMS] = line->info->dims ? (double)line->info->dims : NAN,
        [EPOCHS] = (double)ig_run_epochs(line->info),
        [BEST] = (double)line->info->best,
        [LOSS] = loss_of(line),
        [ALIGNMENT] = meaning ? meaning->alignment : NAN,
        [UNIFORMITY] = meaning ? meaning->uniformity : NAN,
        [STATE] = line->run ? ig_session_activity(app->session, line) : IG_FAILED + 1,
        [SAVED] = ig_run_entry_saved(line)};

    return value[field];
}

/* Whether a run sorts after another: unknown values last, ties by number. */
static bool is_behind(const ig_app *app, const ig_run_entry *a, const ig_run_entry *b)
{
    const struct state *s = state_of(app);
    double x = value_of(app, a, s->sort), y = value_of(app, b, s->sort);
    int order = s->sort == METHOD ? strcmp(a->info->method, b->info->method)
                                  : (x > y) - (x < y);

    if (isnan(x) != isnan(y))
        return isnan(x);
    return order == 0 ? a->number > b->number : s->down ? order < 0 : order > 0;
}

/* Sort the runs and keep the cursor on its run. */
static void sort_runs(ig_app *app)
{
    struct state *s = state_of(app);
    ig_run_entry *const *run = app->now->runs.entry;
    size_t n = app->now->runs.count, at;

    s->ordered = 0;
    if (n > s->capacity && ig_array_grow(&s->order, &s->capacity, n, sizeof *s->order,
                                         "the runs", NULL) != IG_OK)
        return; /* by number, then */
    for (size_t i = 0; i < n; i++) {
        for (at = i; at > 0 && is_behind(app, run[s->order[at - 1]], run[i]); at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
    s->ordered = n;
    if (s->cursor.line < n && ig_app_run(app, s->chosen))
        s->cursor.line = line_of(app, s->chosen);
}

static void sort_by(ig_app *app, size_t field, bool down)
{
    struct state *s = state_of(app);

    s->sort = field;
    s->down = down;
    sort_runs(app);
    ig_app_note(app, false, "runs by %s%s", fields[field].title,
                down ? ", descending" : "");
}

/* Sort by the next visible column, by number after the last. */
void ig_runs_sort(ig_app *app)
{
    const ig_list list = {fields, FIELDS, app->now->runs.count, .header = true};

    if (app->focus != &ig_runs_panel)
        ig_app_focus(app, &ig_runs_panel);
    else
        sort_by(app,
                ig_list_column_after(ig_app_pane(app, &ig_runs_panel).inside, &list,
                                     state_of(app)->sort),
                false);
}

const char *ig_runs_column(size_t i)
{
    return i < FIELDS ? fields[i].title : NULL;
}

void ig_runs_sort_named(ig_app *app, const char *name)
{
    bool down = *name == '-';
    char names[128] = "";

    for (size_t f = 0; f < FIELDS; f++) {
        ig_list_word(names, sizeof names, fields[f].title);
        if (strcmp(fields[f].title, name + down) == 0) {
            ig_app_focus(app, &ig_runs_panel);
            sort_by(app, f, down);
            return;
        }
    }
    ig_app_note(app, true, "sort keys: %s (-loss: descending)", names);
}

/* --- what is done to runs --------------------------------------------------------- */

/* The run under the cursor, or NULL; without the focus the displayed one. */
static const ig_run_entry *selected_run(const ig_app *app)
{
    size_t line = state_of(app)->cursor.line;

    if (app->focus != &ig_runs_panel)
        return ig_app_run(app, app->now->shown_run);
    return line < app->now->runs.count ? line_at(app, line) : NULL;
}

/* Whether the run has a map. */
static bool has_map(ig_app *app, const ig_run_entry *line)
{
    if (!line->info->extractor)
        ig_app_note(app, true,
                    "run %u was trained on %zu dimensions, not %zu: curves only, no "
                    "map",
                    line->number, line->info->dims, app->set->dims);
    return line->info->extractor;
}

void ig_runs_show(ig_app *app, const ig_run_entry *line)
{
    if (!has_map(app, line))
        return;
    app->view->show = line->number;
    app->view->version = line->version;
    app->view->looking = false;
    if (app->view->compared == line->number) /* swap the runs */
        app->view->compared = app->now->shown_run;
}

/* The selected run with the displayed one; from that, with the one before it. */
void ig_runs_compare(ig_app *app)
{
    const ig_run_entry *line = selected_run(app), *other = NULL;
    ig_run_entry *const *run = app->now->runs.entry;
    size_t n = app->now->runs.count;
    char a[IG_RUN_LABEL], b[IG_RUN_LABEL];
    unsigned before = app->view->compared;

    if (app->versions.count > 1 && !line) {
        ig_versions_compare(app);
        return;
    }
    app->view->compared = 0;
    app->view->compares = false;
    if (line && line->number == app->now->shown_run) {
        for (size_t i = 0; run[i] != line; i++)
            other = run[i];
        line = before ? NULL : other ? other : n > 1 ? run[1] : NULL;
    }
    if (line && line->number != before && has_map(app, line)) {
        app->view->compared = line->number;
        ig_app_note(app, false, "comparing run %s with run %s",
                    ig_run_label(app, line->number, a),
                    ig_run_label(app, app->now->shown_run, b));
    } else if (!before && !line) {
        ig_app_note(app, false,
                    "comparing needs two runs: press m to train another, or :load RUN");
    }
}

static void close_run(ig_app *app, unsigned number)
{
    if (app->view->compared == number)
        app->view->compared = 0;
    if (app->view->show == number)
        app->view->show = 0;
    ig_app_order(app, IG_COMMAND_DROP, number);
}

static void drop_doomed(ig_app *app)
{
    close_run(app, state_of(app)->doomed);
}

/* Whether closing it loses data; a saved run only leaves the list. */
static bool lost_with(const ig_run_entry *line)
{
    return !ig_run_entry_saved(line) || ig_run_entry_going(line);
}

void ig_runs_delete(ig_app *app)
{
    static const ig_reply answers[] = {{"d", IG_ACT_DELETE, "delete", drop_doomed},
                                       {"n", IG_ACT_NONE, "cancel", NULL},
                                       {0}};
    const ig_run_entry *line = selected_run(app);
    char label[IG_RUN_LABEL];

    if (app->focus != &ig_runs_panel || !line) {
        ig_app_note(app, false, "select a run in the runs panel to delete it");
    } else if (!lost_with(line)) {
        close_run(app, line->number);
    } else {
        state_of(app)->doomed = line->number;
        ig_question_open(app, "delete", answers);
        ig_question_line(app, "Run %s is not %s.",
                         ig_run_label(app, line->number, label),
                         ig_run_entry_going(line) ? "finished" : "saved");
    }
}

/* --- details of a run ------------------------------------------------------------- */

/* Whether two settings are the same, as 1e-4 and 0.0001. */
static bool is_same_value(const char *a, const char *b)
{
    char *end;
    double x = strtod(a, &end);

    return strcmp(a, b) == 0 || (end != a && !*end && x == strtod(b, &end) && !*end);
}

/* Options that differ from those of `than`, or from the defaults if NULL: "lr 0.001,
 * not 0.0001; seed 2, not 1". */
static void add_difference(ig_details *p, const ig_run_entry *run,
                           const ig_run_entry *than)
{
    const ig_train_option *option;
    char text[192] = "", name[24] = "non-default";

    if (run->info->options.lr < 0 || (than && than->info->options.lr < 0))
        return; /* unknown for bare weights */
    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        char value[IG_SETTING_SIZE], other[IG_SETTING_SIZE];
        const char *before =
            than ? ig_setting_format(&option->field, &than->info->options, other)
                 : option->usual;

        ig_setting_format(&option->field, &run->info->options, value);
        if (before && !is_same_value(value, before))
            ig_text_append(text, sizeof text, "%s%.24s %.24s, not %.24s",
                           *text ? "; " : "", option->field.name, value, before);
    }
    if (than)
        snprintf(name, sizeof name, "differs from %u", than->number);
    ig_details_add(p, name, ig_plain, "%s", *text ? text : "none");
}

/* A term of the displayed run; the weights of one that was read are unknown. */
static void add_term(ig_details *p, const ig_session *now, const ig_run_record *record,
                     size_t i)
{
    const ig_run *run = now->trained;
    const char *name = run ? run->objective.term[i].name : now->info->terms.text[i];
    bool off = run && !run->trainer->on[i];
    char weight[32] = "";

    if (run)
        snprintf(weight, sizeof weight, "  weight %g", run->trainer->weight[i]);
    if (off || !record)
        ig_details_add(p, name, ig_plain, off ? "removed" : "");
    else
        ig_details_add(p, name, ig_plain, "%8.4f%s  from %.4f", record->epoch.value[i],
                       weight, now->info->record[0].epoch.value[i]);
}

/* What is known of the displayed run at its current epoch. */
static void describe_shown(ig_details *p, const ig_app *app)
{
    const ig_session *now = app->now;
    const ig_run *run = now->trained;
    const ig_run_record *last = ig_playback_record(app);
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    if (last)
        ig_details_add(p, now->looking ? "loss at epoch" : "current loss", ig_plain,
                       "train %s  valid %s",
                       ig_number_format(a, last->epoch.train_loss, 7, 0),
                       ig_number_format(b, last->epoch.valid_loss, 7, 0));
    if (last && isfinite(last->epoch.pairs_per_second))
        ig_details_add(p, "speed", ig_plain, "%s pairs/s",
                       ig_count_format(a, (size_t)last->epoch.pairs_per_second));
    if (last && last->epoch.rows)
        ig_details_add(p, "self-partners",
                       last->epoch.self_partners ? ig_style_of(IG_COLOUR_WARN, 0)
                                                 : ig_plain,
                       "%s of %s rows", ig_count_format(a, last->epoch.self_partners),
                       ig_count_format(b, last->epoch.rows));
    if (run && run->measurable)
        ig_details_add(p, "measured on", ig_plain, "%s of %s %s pairs",
                       ig_count_format(a, run->measured),
                       ig_count_format(b, run->measurable),
                       run->measured_valid ? "held-out" : "training");
    for (size_t i = 0; i < (run ? run->objective.terms : now->info->terms.count); i++)
        add_term(p, now, last, i);
}

static void describe_run(ig_details *p, const ig_app *app, const ig_run_entry *run)
{
    bool ascii = app->canvas.glyphs == IG_ASCII;
    bool shown = run->number == app->now->shown_run, saved = ig_run_entry_saved(run);
    ig_activity activity = ig_session_activity(app->session, run);
    const char *path = run->info->path ? run->info->path : run->path;
    const ig_train_options *o = &run->info->options;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE], c[IG_NUMBER_SIZE];
    char advice[IG_ADVICE_SIZE];

    if (!shown)
        ig_details_add(p, "run", ig_plain, "%u, selected; run %u is shown%s",
                       run->number, app->now->shown_run,
                       run->info->extractor ? ", Enter: show this run" : "");
    ig_details_add(p, "method", ig_plain, "%s", run->info->method);
    ig_details_add(p, "state", ig_plain, "%s",
                   activity == IG_FOLLOWED     ? "trained by another process"
                   : *ig_run_entry_ending(run) ? ig_run_entry_ending(run)
                                               : state_names[activity]);
    if (o->lr >= 0)
        ig_details_add(p, "options", ig_plain,
                       "lr %g  batch %zu  patience %zu  seed %llu", o->lr, o->batch,
                       o->patience, (unsigned long long)o->seed);
    add_difference(p, run, shown ? NULL : ig_app_run(app, app->now->shown_run));
    ig_details_add(p, "directory", saved ? ig_plain : ig_style_of(IG_COLOUR_WARN, 0),
                   "%s",
                   path    ? path
                   : saved ? "nothing to save"
                           : "not saved");
    if (ig_advice_for_run(run, advice))
        ig_details_add(p, "advice", ig_plain, "%s", advice);
    ig_details_add(p, "epochs", ig_plain, "%zu of %zu, best %zu",
                   ig_run_epochs(run->info), o->epochs, run->info->best);
    if (!isnan(loss_of(run)))
        ig_details_add(p, "best epoch", ig_plain,
                       "loss %s  live alignment %s  live uniformity %s",
                       ig_number_format(a, loss_of(run), 7, ascii),
                       ig_number_format(b, value_of(app, run, ALIGNMENT), 6, ascii),
                       ig_number_format(c, value_of(app, run, UNIFORMITY), 6, ascii));
    if (shown)
        describe_shown(p, app);
}

/* --- drawing ---------------------------------------------------------------------- */

struct cells {
    const ig_app *app;
    char text[160]; /* at least IG_NUMBER_SIZE */
};

static void fill_cell(void *context, size_t row, size_t field, ig_list_cell *cell)
{
    struct cells *c = context;
    const ig_app *app = c->app;
    const ig_run_entry *line = line_at(app, row);
    bool shown = line->number == app->now->shown_run;
    double value = value_of(app, line, field);
    ig_activity activity = ig_session_activity(app->session, line);

    cell->text = c->text;
    cell->style = ig_style_of(IG_COLOUR_TEXT, shown ? IG_BOLD : 0);
    switch (field) {
    case NUMBER:
        snprintf(c->text, sizeof c->text, "%s%u",
                 shown ? ig_glyph_text(app->canvas.glyphs, IG_GLYPH_RUN)
                 : line->number == app->view->compared ? "="
                                                       : "",
                 line->number);
        cell->style.fg = shown ? IG_COLOUR_ACCENT : ig_colour_run(line->number - 1);
        break;
    case METHOD:
        cell->text = line->info->method;
        cell->style.fg = shown ? IG_COLOUR_ACCENT : IG_COLOUR_TEXT;
        break;
    case STATE:
        cell->text = !line->run && activity != IG_FOLLOWED ? "read"
                                                           : state_names[activity];
        if (activity == IG_FAILED)
            cell->style = ig_style_of(IG_COLOUR_BAD, 0);
        break;
    case SAVED:
        cell->text = ig_run_entry_saved(line) ? "yes" : "no";
        if (!ig_run_entry_saved(line))
            cell->style = ig_style_of(IG_COLOUR_WARN, 0);
        break;
    default:
        if (!isfinite(value))
            cell->text = NULL;
        else if (field == SEED)
            snprintf(c->text, sizeof c->text, "%llu",
                     (unsigned long long)line->info->options.seed);
        else if (field >= LOSS)
            ig_number_format(c->text, value, 6, app->canvas.glyphs == IG_ASCII);
        else
            snprintf(c->text, sizeof c->text, "%.15g", value);
    }
}

/* The table takes the lines that it needs, of a large panel at most half; below are
 * the details of the selected run. */
static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct state *s = state_of(app);
    const ig_run_entry *run = selected_run(app);
    bool focused = app->focus == &ig_runs_panel;
    ig_rect table = pane->inside;
    struct cells cells = {.app = app};
    int n = (int)(app->now->runs.count < 1000 ? app->now->runs.count : 1000);
    int max = table.rows < 6 ? table.rows : table.rows / 2;
    ig_list list = {fields, FIELDS, app->now->runs.count, .source = fill_cell,
                    .context = &cells};
    ig_details details = {&app->canvas, .width = 20};

    table.rows = n == 0 ? 0 : n + 1 < max ? n + 1 : max;
    list.header = table.rows > 1;
    if (!focused)
        s->cursor.line = line_of(app, app->now->shown_run);
    if (n > 0)
        ig_list_cursor_draw(&s->cursor, &app->canvas, table, &list, focused, focused);
    details.in = ig_rect_inset(pane->inside, table.rows, 0, 0, 0);
    if (run)
        describe_run(&details, app, run);
    else
        ig_details_add(&details, "no run", ig_plain,
                       "Space: train, m: choose a method");
}

/* --- keys ------------------------------------------------------------------------- */

static void focus_shown(ig_app *app)
{
    state_of(app)->cursor.line = line_of(app, app->now->shown_run);
    state_of(app)->chosen = app->now->shown_run;
}

static bool act_on_line(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);
    const ig_run_entry *run;

    if (action != IG_ACT_ENTER &&
        !ig_list_cursor_act(&s->cursor, action, app->now->runs.count))
        return false;
    run = selected_run(app);
    s->chosen = run ? run->number : 0;
    if (run && action == IG_ACT_ENTER)
        ig_runs_show(app, run);
    return true;
}

/* A click on a column title sorts by it, a second one reverses. */
static void press_line(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    const ig_list list = {fields, FIELDS, app->now->runs.count, .header = true};
    long title = key.mouse == IG_MOUSE_PRESS && s->cursor.header &&
                         key.row == s->cursor.rect.row
                     ? ig_list_column_at(s->cursor.rect, &list, key.col)
                     : IG_NO_COLUMN;

    if (title >= 0)
        sort_by(app, (size_t)title, (size_t)title == s->sort && !s->down);
    else if (ig_list_cursor_mouse(&s->cursor, key))
        act_on_line(app, IG_ACT_ENTER);
    else if (s->cursor.line < app->now->runs.count)
        s->chosen = line_at(app, s->cursor.line)->number;
}

/* --- the panel -------------------------------------------------------------------- */

static void describe_title(ig_app *app, char *title, char *note, size_t size)
{
    const struct state *s = state_of(app);

    (void)note;
    if (s->sort == NUMBER && !s->down)
        snprintf(title, size, "runs");
    else
        snprintf(title, size, "runs by %s%s", fields[s->sort].title,
                 s->down ? ", descending" : "");
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
    .focus = focus_shown,
    .act = act_on_line,
    .mouse = press_line,
    .keys = "Enter show|C compare|S sort|d delete",
    .title = describe_title,
    .draw = draw_panel};
