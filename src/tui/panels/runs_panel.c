/* The runs: a table of all of the session, one line each, and below it what is told of
 * the one that is shown. */
#include "tui/panels/runs_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/axes.h"
#include "tui/playback.h"
#include "tui/properties.h"
#include "tui/question.h"

/* Columns of the table, and which go first where it is narrow. */
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

static const struct {
    const char *title;
    int width;
    ig_align align;
    int rank; /* the highest goes first */
} fields[FIELDS] = {
    [NUMBER] = {"run", 4, IG_ALIGN_RIGHT, 0},
    [METHOD] = {"method", 0, IG_ALIGN_LEFT, 0},
    [LR] = {"lr", 6, IG_ALIGN_RIGHT, 5},
    [SEED] = {"seed", 4, IG_ALIGN_RIGHT, 6},
    [DIMS] = {"dims", 5, IG_ALIGN_RIGHT, 9},
    [EPOCHS] = {"epochs", 6, IG_ALIGN_RIGHT, 8},
    [BEST] = {"best", 5, IG_ALIGN_RIGHT, 4},
    [LOSS] = {"loss", 6, IG_ALIGN_RIGHT, 1},
    [ALIGNMENT] = {"align", 6, IG_ALIGN_RIGHT, 2},
    [UNIFORMITY] = {"unif", 6, IG_ALIGN_RIGHT, 3},
    [STATE] = {"state", 8, IG_ALIGN_LEFT, 7},
    [SAVED] = {"saved", 5, IG_ALIGN_LEFT, 10},
};

enum { LEAST_METHOD = 8 };

struct state {
    ig_list_cursor runs;  /* in the table; its line goes on through … */
    ig_list_cursor below; /* … the properties */
    unsigned doomed;      /* number of a run that may be deleted */
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_runs_panel);
}

/* --- what is told of a run -------------------------------------------------------- */

static void tell_loss(ig_property_line *line, const char *name, const ig_run_record *r)
{
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    ig_property_if(line, r != NULL, name, "train %s  valid %s",
                   r ? ig_number_format(a, r->epoch.train_loss, 7, 0) : "",
                   r ? ig_number_format(b, r->epoch.valid_loss, 7, 0) : "");
}

static void tell_term(const ig_snapshot *now, const ig_run_record *record, size_t i,
                      ig_property_line *line)
{
    double from = now->records ? now->record[0].epoch.value[i] : NAN;

    if (now->off[i] || !record)
        ig_property(line, now->term[i], now->off[i] ? "struck out" : "");
    else if (isnan(now->weight[i])) /* of a run that was read */
        ig_property(line, now->term[i], "%8.4f  from %.4f", record->epoch.value[i],
                    from);
    else
        ig_property(line, now->term[i], "%8.4f  weight %g  from %.4f",
                    record->epoch.value[i], now->weight[i], from);
}

static void tell_run(const ig_app *app, ig_property_line *line)
{
    const ig_snapshot *now = app->now;
    const ig_train_options *o = &now->options;
    const ig_run_record *last = ig_playback_record(app);
    bool timed = last && isfinite(last->epoch.pairs_per_second);
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    if (now->activity == IG_IDLE) {
        ig_property(line, "no run yet", "Space trains, m chooses a method");
        return;
    }
    ig_property(line, "method", "%s (%s)", now->method,
                ig_extractor_name(now->extractor));
    ig_property(line, "state", "%s",
                now->activity == IG_TRAINING ? "training"
                : now->activity == IG_PAUSED ? "paused"
                                             : now->ending);
    ig_property(line, "options", "lr %g  batch %zu  patience %ld  seed %llu", o->lr,
                o->batch, o->patience, (unsigned long long)o->seed);
    ig_property(line, "epochs", "%zu of %zu, best %zu", now->epochs, o->epochs,
                now->best);
    tell_loss(line, now->looking ? "loss then" : "loss now", last);
    tell_loss(line, "loss, best epoch",
              now->best < now->records ? &now->record[now->best] : NULL);
    ig_property_if(
        line, timed, "speed", "%s pairs/s",
        ig_count_format(a, timed ? (size_t)last->epoch.pairs_per_second : 0));
    ig_property_if(line, last && last->epoch.rows, "self-partners", "%s of %s rows",
                   ig_count_format(a, last ? last->epoch.self_partners : 0),
                   ig_count_format(b, last ? last->epoch.rows : 0));
    ig_property_warn_if(line, last ? last->epoch.self_partners : 0);
    ig_property_if(line, now->measurable, "measured on", "%s of %s %s pairs",
                   ig_count_format(a, now->measured),
                   ig_count_format(b, now->measurable),
                   now->measured_valid ? "held-out" : "training");
    for (size_t i = 0; i < now->terms; i++)
        tell_term(now, last, i, line);
}

static size_t properties_of(const ig_app *app)
{
    return ig_properties_count(app, tell_run);
}

/* --- what is done to runs ------------------------------------------------------- */

/* The run of the selected line, or the one that is shown. */
static const ig_run_line *selected(const ig_app *app)
{
    if (app->focus == &ig_runs_panel && state_of(app)->runs.line < app->now->runs)
        return &app->now->run_line[state_of(app)->runs.line];
    return ig_app_run(app, app->now->shown_run);
}

static size_t shown_line(const ig_app *app)
{
    const ig_run_line *line = ig_app_run(app, app->now->shown_run);

    return line ? (size_t)(line - app->now->run_line) : 0;
}

/* Whether there is a map of it to be seen. */
static bool has_map(ig_app *app, const ig_run_line *line)
{
    if (!line->has_weights)
        ig_app_note(app, true,
                    "run %u was trained on %zu dimensions, not %zu: it has its curves, "
                    "but no map",
                    line->number, line->dims, app->set->dims);
    return line->has_weights;
}

void ig_runs_show(ig_app *app, const ig_run_line *line)
{
    if (!has_map(app, line))
        return;
    app->request.show = line->number;
    app->request.looking = false;
    if (app->request.compared == line->number) /* they change places */
        app->request.compared = app->now->shown_run;
    ig_app_send(app);
}

void ig_runs_compare(ig_app *app)
{
    const ig_run_line *line = selected(app);
    unsigned number = line ? line->number : 0;

    if (number && number == app->request.compared) {
        app->request.compared = 0;
        ig_app_send(app);
        return;
    }
    if (number == app->now->shown_run) { /* itself: the others in turn */
        size_t i = shown_line(app), n = app->now->runs;

        if (app->request.compared) {
            app->request.compared = 0;
            ig_app_send(app);
            return;
        }
        line = n > 1 ? &app->now->run_line[i > 0 ? i - 1 : 1] : NULL;
    }
    if (!line) {
        ig_app_note(app, false,
                    "comparing takes two runs: m trains another, :load RUN reads one");
        return;
    }
    if (!has_map(app, line))
        return;
    app->request.compared = line->number;
    ig_app_note(app, false, "run %u stands beside run %u", line->number,
                app->now->shown_run);
    ig_app_send(app);
}

static void drop(ig_app *app, unsigned number)
{
    if (app->request.compared == number)
        app->request.compared = 0;
    if (app->request.show == number)
        app->request.show = 0;
    ig_app_order(app, IG_COMMAND_DROP, number);
}

static void drop_doomed(ig_app *app)
{
    drop(app, state_of(app)->doomed);
}

void ig_runs_delete(ig_app *app)
{
    static const ig_reply answers[] = {{'d', IG_ACT_DELETE, "deletes it", drop_doomed},
                                       {'n', IG_ACT_NONE, "keeps it", NULL},
                                       {0}};
    const ig_run_line *line = selected(app);
    bool going;
    char label[IG_RUN_LABEL];

    if (app->focus != &ig_runs_panel || state_of(app)->runs.line >= app->now->runs) {
        ig_app_note(app, false, "choose a run in the runs panel to delete it");
        return;
    }
    going = line->activity == IG_TRAINING || line->activity == IG_PAUSED;
    if (line->saved && !going) {
        drop(app, line->number);
        return;
    }
    state_of(app)->doomed = line->number;
    ig_question_open(app, "delete", answers);
    ig_question_line(app, "Run %s is not %s.", ig_run_label(app, line->number, label),
                     going ? "done" : "written");
}

/* --- keys ------------------------------------------------------------------------- */

static size_t lines_of(const ig_app *app)
{
    return app->now->runs + properties_of(app);
}

static void focus(ig_app *app)
{
    state_of(app)->runs.line = shown_line(app);
}

static bool act(ig_app *app, ig_action action)
{
    ig_list_cursor *cursor = &state_of(app)->runs;
    ig_rect inside = ig_app_pane(app, &ig_runs_panel).inside;

    if (action == IG_ACT_ENTER && cursor->line < app->now->runs) {
        ig_runs_show(app, &app->now->run_line[cursor->line]);
        return true;
    }
    return ig_list_cursor_act(cursor, action, lines_of(app),
                              ig_list_cursor_page(inside, true));
}

/* --- drawing --------------------------------------------------------------------- */

struct runs {
    const ig_app *app;
    enum field field[FIELDS]; /* (columns) */
    char text[160];
};

static void name_state(char *out, size_t size, const ig_run_line *line)
{
    static const char *const names[] = {"", "training", "paused", "done", "failed"};

    snprintf(out, size, "%s", line->stored ? "read" : names[line->activity]);
}

static void format_field(struct runs *r, const ig_run_line *line, enum field field)
{
    const ig_app *app = r->app;
    bool ascii = app->canvas.glyphs == IG_ASCII;
    char *out = r->text;
    size_t size = sizeof r->text;
    char number[IG_NUMBER_SIZE] = "";
    double real = field == LOSS         ? line->loss
                  : field == ALIGNMENT  ? line->alignment
                  : field == UNIFORMITY ? line->uniformity
                                        : NAN;

    out[0] = '\0';
    switch (field) {
    case NUMBER:
        snprintf(out, size, "%s%u",
                 line->number == app->now->shown_run
                     ? ig_glyph_text(app->canvas.glyphs, IG_GLYPH_RUN)
                 : line->number == app->request.compared ? "="
                                                         : "",
                 line->number);
        break;
    case METHOD:
        snprintf(out, size, "%s", line->method);
        break;
    case LR:
        if (line->options.lr >= 0) /* else it is not known */
            snprintf(out, size, "%g", line->options.lr);
        break;
    case SEED:
        if (line->options.lr >= 0)
            snprintf(out, size, "%llu", (unsigned long long)line->options.seed);
        break;
    case DIMS:
        if (line->dims)
            snprintf(out, size, "%zu", line->dims);
        break;
    case EPOCHS:
        snprintf(out, size, "%zu", line->epochs);
        break;
    case BEST:
        snprintf(out, size, "%zu", line->best);
        break;
    case STATE:
        name_state(out, size, line);
        break;
    case SAVED:
        snprintf(out, size, "%s", line->saved ? "yes" : "no");
        break;
    default:
        if (isfinite(real))
            snprintf(out, size, "%s", ig_number_format(number, real, 6, ascii));
    }
}

static void run_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct runs *r = context;
    const ig_run_line *line = &r->app->now->run_line[row];
    enum field field = r->field[column];
    bool shown = line->number == r->app->now->shown_run;

    format_field(r, line, field);
    cell->text = r->text;
    cell->style = ig_style_of(IG_COLOUR_TEXT, shown ? IG_BOLD : 0);
    if (field == NUMBER && !shown)
        cell->style = ig_style_of(ig_run_colour(line->number), 0);
    else if (field == NUMBER || field == METHOD)
        cell->style =
            ig_style_of(shown ? IG_COLOUR_ACCENT : IG_COLOUR_TEXT, shown ? IG_BOLD : 0);
    else if (field == SAVED && !line->saved)
        cell->style = ig_style_of(IG_COLOUR_WARN, 0);
    else if (field == STATE && line->activity == IG_FAILED)
        cell->style = ig_style_of(IG_COLOUR_BAD, 0);
}

/* Only then are they worth a column where it is narrow. */
static bool dims_differ(const ig_app *app)
{
    for (size_t i = 0; i < app->now->runs; i++)
        if (app->now->run_line[i].dims != app->now->run_line[0].dims)
            return true;
    return false;
}

/* The columns that fit, in their order; how many. */
static size_t choose_columns(const ig_app *app, int cols, ig_column column[FIELDS],
                             enum field field[FIELDS])
{
    int dims_rank = dims_differ(app) ? 2 : fields[DIMS].rank;
    int used = LEAST_METHOD;
    bool fits[FIELDS] = {false};
    size_t n = 0;

    for (int rank = 0; rank <= 10; rank++)
        for (int f = 0; f < FIELDS; f++) {
            if ((f == DIMS ? dims_rank : fields[f].rank) != rank)
                continue;
            if (used + fields[f].width + 1 > cols && rank > 0)
                goto chosen;
            used += fields[f].width ? fields[f].width + 1 : 0;
            fits[f] = true;
        }
chosen:
    for (int f = 0; f < FIELDS; f++)
        if (fits[f]) {
            column[n] = (ig_column){fields[f].title, fields[f].width, fields[f].align};
            field[n++] = (enum field)f;
        }
    return n;
}

static void draw_table(ig_app *app, ig_rect rect, bool focused)
{
    struct runs runs = {.app = app};
    ig_column column[FIELDS];
    size_t columns = choose_columns(app, rect.cols, column, runs.field);
    ig_list_cursor *cursor = &state_of(app)->runs;
    size_t n = app->now->runs;
    bool here = focused && cursor->line < n;
    ig_list list = {.column = column,
                    .columns = columns,
                    .rows = n,
                    .header = rect.rows > 2,
                    .source = run_cell,
                    .context = &runs};

    cursor->offset = ig_list_scroll(cursor->offset,
                                    (long)(here ? cursor->line : shown_line(app)), n,
                                    ig_list_page(rect, list.header));
    ig_list_cursor_apply(cursor, &list, here);
    list.focused = focused;
    ig_list_draw(&app->canvas, rect, &list);
}

/* The table has as many lines as it needs, but half the panel at most; where there is
 * no room for both, the part with the cursor is there alone. */
static ig_rect table_of(const ig_app *app, ig_rect inside)
{
    const struct state *s = state_of(app);
    size_t n = app->now->runs;
    int most = inside.rows / 2, rows = (int)(n < 1000 ? n : 1000) + 1;

    if (inside.rows < 6)
        rows = app->focus == &ig_runs_panel && s->runs.line >= n ? 0 : inside.rows;
    else if (rows > most && n + 1 + properties_of(app) > (size_t)inside.rows)
        rows = most;
    inside.rows = n ? rows : 0;
    return inside;
}

static void mouse(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    ig_rect inside = ig_app_pane(app, &ig_runs_panel).inside;
    ig_rect table = table_of(app, inside);

    if (key.mouse == IG_MOUSE_WHEEL_UP || key.mouse == IG_MOUSE_WHEEL_DOWN) {
        act(app, key.mouse == IG_MOUSE_WHEEL_UP ? IG_ACT_UP : IG_ACT_DOWN);
        return;
    }
    if (ig_list_cursor_mouse(&s->runs, key, table, table.rows > 2, app->now->runs))
        act(app, IG_ACT_ENTER);
}

static void draw(ig_app *app, const ig_pane *pane)
{
    struct state *s = state_of(app);
    ig_rect inside = pane->inside, table;
    bool focused = app->focus == &ig_runs_panel;
    size_t n = app->now->runs, properties = properties_of(app);

    if (focused && s->runs.line >= lines_of(app))
        s->runs.line = lines_of(app) - 1;
    table = table_of(app, inside);
    if (table.rows > 0)
        draw_table(app, table, focused);
    inside = ig_rect_inset(inside, table.rows, 0, 0, 0);
    s->below.line = s->runs.line < n ? 0 : s->runs.line - n;
    if (!focused)
        s->below = (ig_list_cursor){0};
    ig_list_cursor_follow(&s->below, properties, ig_list_cursor_page(inside, false));
    ig_properties_draw(app, inside, 20, &s->below, focused && s->runs.line >= n,
                       tell_run);
}

/* The run of the cursor's line, if it is on one. */
static const ig_run_line *pointed_at(const ig_app *app)
{
    size_t line = state_of(app)->runs.line;

    return line < app->now->runs ? &app->now->run_line[line] : NULL;
}

static const char *show_word(const ig_app *app)
{
    const ig_run_line *line = pointed_at(app);

    return line && line->number != app->now->shown_run ? "show" : NULL;
}

static const char *compare_word(const ig_app *app)
{
    const ig_run_line *line = pointed_at(app);

    return app->now->runs < 2 || !line             ? NULL
           : line->number == app->request.compared ? "compare no more"
                                                   : "compare";
}

static const char *delete_word(const ig_app *app)
{
    return pointed_at(app) ? "delete" : NULL;
}

static const ig_panel_hint hints[] = {
    {"enter", NULL, show_word, 0},
    {"compare", NULL, compare_word, 0},
    {"delete", NULL, delete_word, 0},
    {0},
};

const ig_panel ig_runs_panel = {
    .name = "runs",
    .about = "the runs of this session with their options and figures",
    .role = IG_ROLE_LIST,
    .state = sizeof(struct state),
    .focus = focus,
    .act = act,
    .mouse = mouse,
    .hints = hints,
    .draw = draw};
