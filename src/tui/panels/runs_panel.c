/* The runs: a table of all of the session, one line each, and below it what is told of
 * the one that is selected. */
#include "tui/panels/runs_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "draw/axes.h"
#include "tui/narration.h"
#include "tui/overlay.h"
#include "tui/playback.h"

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

static const struct field_of {
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
    unsigned chosen;      /* number of the run that is told of, 0: that is shown */
    unsigned doomed;      /* number of a run that may be deleted */
    enum field sort;      /* the table is sorted by … */
    bool down;            /* … from the greatest on */
    size_t *order;        /* (ordered) runs of the snapshot, as the table has them */
    size_t ordered, capacity;
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_runs_panel);
}

/* --- the columns that there is room for ------------------------------------------- */

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

/* --- the order of the table ------------------------------------------------------- */

/* The run in a line of the table. */
static const ig_run_line *line_at(const ig_app *app, size_t line)
{
    const struct state *s = state_of(app);

    return &app->now->run_line[s->ordered == app->now->runs ? s->order[line] : line];
}

/* The line of a run of that number; the first: there is none. */
static size_t line_of(const ig_app *app, unsigned number)
{
    for (size_t i = 0; i < app->now->runs; i++)
        if (line_at(app, i)->number == number)
            return i;
    return 0;
}

static double key_of(const ig_run_line *line, enum field field)
{
    bool known = line->options.lr >= 0;

    switch (field) {
    case LR:
        return known ? line->options.lr : NAN;
    case SEED:
        return known ? (double)line->options.seed : NAN;
    case DIMS:
        return (double)line->dims;
    case EPOCHS:
        return (double)line->epochs;
    case BEST:
        return (double)line->best;
    case LOSS:
        return line->loss;
    case ALIGNMENT:
        return line->alignment;
    case UNIFORMITY:
        return line->uniformity;
    case STATE:
        return line->stored ? IG_FAILED + 1 : line->activity;
    case SAVED:
        return line->saved;
    default:
        return line->number;
    }
}

/* Whether a run stands behind another: what is not known at the end, equal ones by
 * their numbers. */
static bool is_behind(const struct state *s, const ig_run_line *a, const ig_run_line *b)
{
    double x = key_of(a, s->sort), y = key_of(b, s->sort);
    int order = s->sort == METHOD ? strcmp(a->method, b->method) : (x > y) - (x < y);

    if (isnan(x) != isnan(y))
        return isnan(x);
    if (order == 0)
        return a->number > b->number;
    return s->down ? order < 0 : order > 0;
}

/* Order the runs anew, with the cursor on the one that it is on. */
static void put_in_order(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_run_line *run = app->now->run_line;
    size_t n = app->now->runs;

    s->ordered = 0;
    if (n > s->capacity && ig_array_grow(&s->order, &s->capacity, n, sizeof *s->order,
                                         "the runs", NULL) != IG_OK)
        return; /* by number, then */
    for (size_t i = 0; i < n; i++) {
        size_t at = i;

        for (; at > 0 && is_behind(s, &run[s->order[at - 1]], &run[i]); at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
    s->ordered = n;
    if (s->runs.line < n && ig_app_run(app, s->chosen))
        s->runs.line = line_of(app, s->chosen);
}

static void sort_by(ig_app *app, enum field field, bool down)
{
    struct state *s = state_of(app);

    s->sort = field;
    s->down = down;
    put_in_order(app);
    ig_app_note(app, false, "runs by %s%s", fields[field].title,
                down ? ", the greatest first" : "");
}

/* Whether the greatest of a column come first, if not said otherwise. */
static bool begins_great(enum field field)
{
    return field == EPOCHS || field == SAVED;
}

/* The next column of those that fit; once more by number after the last. */
void ig_runs_sort(ig_app *app)
{
    struct state *s = state_of(app);
    ig_column column[FIELDS];
    enum field field[FIELDS];
    ig_rect inside = ig_app_pane(app, &ig_runs_panel).inside;
    size_t n = choose_columns(app, inside.cols, column, field), at = 0;

    if (app->focus != &ig_runs_panel) {
        ig_app_focus(app, &ig_runs_panel);
        return;
    }
    while (at < n && field[at] != s->sort)
        at++;
    at = at + 1 < n ? at + 1 : 0;
    sort_by(app, field[at], begins_great(field[at]));
}

const char *ig_runs_columns(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    (void)app, (void)out;
    return i < FIELDS ? fields[i].title : NULL;
}

/* Take "loss" or "-loss"; false: there is no such column. */
static bool take_sorting(const char *name, enum field *field, bool *down)
{
    *down = *name == '-';
    for (int f = 0; f < FIELDS; f++)
        if (strcmp(fields[f].title, name + *down) == 0) {
            *field = (enum field)f;
            return true;
        }
    return false;
}

void ig_runs_sort_named(ig_app *app, const char *name)
{
    enum field field;
    bool down;
    char names[128] = "";
    size_t used = 0;

    if (take_sorting(name, &field, &down)) {
        ig_app_focus(app, &ig_runs_panel);
        sort_by(app, field, down);
        return;
    }
    for (int f = 0; f < FIELDS; f++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 f ? ", " : "", fields[f].title);
    ig_app_note(app, true, "runs are sorted by %s; -loss: the greatest first", names);
}

/* --- what is told of a run -------------------------------------------------------- */

/* The run that the cursor is or was last on, while it is here. */
static void tell_run(const ig_app *app, ig_property_line *line)
{
    unsigned chosen = app->focus == &ig_runs_panel ? state_of(app)->chosen : 0;
    const ig_run_line *run = chosen != app->now->shown_run ? ig_app_run(app, chosen)
                                                           : NULL;

    if (run)
        ig_run_properties_selected(app, run, line);
    else
        ig_run_properties_shown(app, line);
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
        return line_at(app, state_of(app)->runs.line);
    return ig_app_run(app, app->now->shown_run);
}

static size_t shown_line(const ig_app *app)
{
    return line_of(app, app->now->shown_run);
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
        size_t i = line ? (size_t)(line - app->now->run_line) : 0, n = app->now->runs;

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

static bool is_going(const ig_run_line *line)
{
    return line->activity == IG_TRAINING || line->activity == IG_PAUSED;
}

/* Whether something is lost when it goes; else only the list forgets it, and its
 * directory stays. */
static bool lost_with(const ig_run_line *line)
{
    return !line->saved || is_going(line);
}

void ig_runs_delete(ig_app *app)
{
    static const ig_reply answers[] = {{'d', IG_ACT_DELETE, "deletes it", drop_doomed},
                                       {'n', IG_ACT_NONE, "keeps it", NULL},
                                       {0}};
    const ig_run_line *line = selected(app);
    char label[IG_RUN_LABEL];

    if (app->focus != &ig_runs_panel || state_of(app)->runs.line >= app->now->runs) {
        ig_app_note(app, false, "choose a run in the runs panel to delete it");
        return;
    }
    if (!lost_with(line)) {
        drop(app, line->number);
        return;
    }
    state_of(app)->doomed = line->number;
    ig_question_open(app, "delete", answers);
    ig_question_line(app, "Run %s is not %s.", ig_run_label(app, line->number, label),
                     is_going(line) ? "done" : "written");
}

/* --- keys ------------------------------------------------------------------------- */

static size_t lines_of(const ig_app *app)
{
    return app->now->runs + properties_of(app);
}

static void focus(ig_app *app)
{
    state_of(app)->runs.line = shown_line(app);
    state_of(app)->chosen = app->now->shown_run;
}

/* What the cursor is on is told of below the table. */
static void follow_cursor(ig_app *app)
{
    struct state *s = state_of(app);

    if (s->runs.line < app->now->runs)
        s->chosen = line_at(app, s->runs.line)->number;
}

static bool act(ig_app *app, ig_action action)
{
    ig_list_cursor *cursor = &state_of(app)->runs;
    ig_rect inside = ig_app_pane(app, &ig_runs_panel).inside;

    if (action == IG_ACT_ENTER && cursor->line < app->now->runs) {
        ig_runs_show(app, line_at(app, cursor->line));
        return true;
    }
    if (!ig_list_cursor_act(cursor, action, lines_of(app),
                            ig_list_cursor_page(inside, true)))
        return false;
    follow_cursor(app);
    return true;
}

/* --- drawing --------------------------------------------------------------------- */

struct runs {
    const ig_app *app;
    enum field field[FIELDS]; /* (columns) */
    char text[160];
};

static void name_state(char *out, size_t size, const ig_run_line *line)
{
    static const char *const names[] = {"",         "training", "paused",
                                        "followed", "done",     "failed"};
    bool read = line->stored && line->activity != IG_FOLLOWED;

    snprintf(out, size, "%s", read ? "read" : names[line->activity]);
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
    const ig_run_line *line = line_at(r->app, row);
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

static bool has_head(ig_rect table)
{
    return table.rows > 1;
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
                    .header = has_head(rect),
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

/* The head of a column sorts by it, once more the other way round. */
static void press_head(ig_app *app, ig_rect table, int col)
{
    const struct state *s = state_of(app);
    ig_column column[FIELDS];
    enum field field[FIELDS];
    ig_list list = {.column = column,
                    .columns = choose_columns(app, table.cols, column, field),
                    .rows = app->now->runs,
                    .header = true};
    long at = ig_list_column_at(table, &list, col);

    if (at >= 0)
        sort_by(app, field[at],
                field[at] == s->sort ? !s->down : begins_great(field[at]));
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
    if (key.mouse == IG_MOUSE_PRESS && has_head(table) && key.row == table.row)
        press_head(app, table, key.col);
    else if (ig_list_cursor_mouse(&s->runs, key, table, has_head(table),
                                  app->now->runs))
        act(app, IG_ACT_ENTER);
    else
        follow_cursor(app);
}

static void draw(ig_app *app, const ig_pane *pane)
{
    struct state *s = state_of(app);
    ig_rect inside = pane->inside, table;
    bool focused = app->focus == &ig_runs_panel;
    size_t n = app->now->runs, properties = properties_of(app);

    if (focused && s->runs.line >= lines_of(app)) {
        s->runs.line = lines_of(app) - 1;
        follow_cursor(app);
    }
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

    return line < app->now->runs ? line_at(app, line) : NULL;
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
    const ig_run_line *line = pointed_at(app);

    return !line ? NULL : lost_with(line) ? "delete" : "close";
}

static const char *sort_word(const ig_app *app)
{
    return app->now->runs > 1 ? "sort" : NULL;
}

static const ig_panel_hint hints[] = {
    {"enter", NULL, show_word, 0},
    {"compare", NULL, compare_word, 0},
    {"sort", NULL, sort_word, 0},
    {"delete", NULL, delete_word, 11},
    {0},
};

static void title(ig_app *app, char *title, char *note, size_t size)
{
    const struct state *s = state_of(app);

    (void)note;
    if (s->sort == NUMBER && !s->down)
        snprintf(title, size, "runs");
    else
        snprintf(title, size, "runs by %s%s", fields[s->sort].title,
                 s->down ? ", greatest first" : "");
}

static void clear(ig_app *app)
{
    ig_free(state_of(app)->order);
}

const ig_panel ig_runs_panel = {
    .name = "runs",
    .about = "the runs of this session with their options and figures",
    .reads = "One line for each run of this session, and below it what is "
             "known of one of them. Of two runs the one with the lower loss "
             "of its own method is not always better: compare their "
             "alignment and uniformity, and what leaks. Enter shows a run, C "
             "puts it beside the one that is shown, w writes it, and :load "
             "RUN reads one from a directory.",
    .role = IG_ROLE_LIST,
    .state = sizeof(struct state),
    .close = clear,
    .update = put_in_order,
    .focus = focus,
    .act = act,
    .mouse = mouse,
    .hints = hints,
    .title = title,
    .draw = draw};

/* --- run properties --------------------------------------------------------------- */

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

/* "1e-4" and "0.0001" are the same. */
static bool same_number(const char *a, const char *b)
{
    char *end_a, *end_b;
    double x = strtod(a, &end_a), y = strtod(b, &end_b);

    return (end_a != a && end_b != b && !*end_a && !*end_b && x == y) ||
           strcmp(a, b) == 0;
}

/* "lr 0.001, not 0.0001; seed 2, not 1": where options differ from those of `than`, or
 * with NULL from the usual ones. */
static void tell_difference(const ig_run_line *run, const ig_run_line *than,
                            ig_property_line *line)
{
    const ig_train_option *option;
    char text[192] = "", name[24];
    size_t used = 0;

    if (run->options.lr < 0 || (than && than->options.lr < 0))
        return; /* of weights alone nothing is known */
    for (size_t i = 0; (option = ig_train_option_at(i)) && used < sizeof text; i++) {
        bool follows = strcmp(option->field.name, "split-seed") == 0 &&
                       run->options.split_seed == run->options.seed &&
                       (!than || than->options.split_seed == than->options.seed);
        char value[IG_SETTING_SIZE], other[IG_SETTING_SIZE];
        const char *before = option->usual ? option->usual : "";

        ig_setting_format(&option->field, &run->options, value);
        if (than)
            before = ig_setting_format(&option->field, &than->options, other);
        else if (!option->usual || same_number(before, value))
            continue;
        if (!follows && strcmp(value, before) != 0)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "%s%.24s %.24s, not %.24s", used ? "; " : "",
                                     option->field.name, value, before);
    }
    snprintf(name, sizeof name, than ? "unlike run %u" : "unlike the usual",
             than ? than->number : 0);
    ig_property(line, name, "%s", *text ? text : "nothing");
}

static void tell_options(const ig_train_options *o, ig_property_line *line)
{
    ig_property_if(line, o->lr >= 0, "options",
                   "lr %g  batch %zu  patience %ld  seed %llu", o->lr, o->batch,
                   o->patience, (unsigned long long)o->seed);
}

static void tell_directory(const ig_run_line *run, ig_property_line *line)
{
    ig_property(line, "directory", "%s",
                run->directory ? run->directory
                : run->saved   ? "nothing to write"
                               : "not written");
    ig_property_warn_if(line, !run->saved);
}

static void tell_advice(const ig_app *app, const ig_run_line *run,
                        ig_property_line *line)
{
    char advice[IG_ADVICE_MOST][IG_ADVICE_SIZE];
    size_t n = ig_advising_run(app, run, advice);

    for (size_t i = 0; i < n; i++)
        ig_property(line, i ? "" : "advice", "%s", advice[i]);
}

void ig_run_properties_selected(const ig_app *app, const ig_run_line *run,
                                ig_property_line *line)
{
    bool ascii = app->canvas.glyphs == IG_ASCII;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    ig_property(line, "run", "%u, selected; run %u is shown%s", run->number,
                app->now->shown_run, run->has_weights ? ", Enter shows this one" : "");
    ig_property(line, "method", "%s", run->method);
    ig_property(line, "state", "%s",
                run->activity == IG_FOLLOWED   ? "trained by another process"
                : *run->ending                 ? run->ending
                : run->activity == IG_PAUSED   ? "paused"
                : run->activity == IG_TRAINING ? "training"
                                               : "");
    tell_options(&run->options, line);
    tell_difference(run, ig_app_run(app, app->now->shown_run), line);
    tell_directory(run, line);
    ig_property(line, "epochs", "%zu of %zu, best %zu", run->epochs,
                run->options.epochs, run->best);
    ig_property_if(line, !isnan(run->loss), "loss, best epoch", "%s",
                   ig_number_format(a, run->loss, 7, ascii));
    ig_property_if(line, !isnan(run->alignment), "geometry, best epoch",
                   "alignment %s  uniformity %s",
                   ig_number_format(a, run->alignment, 6, ascii),
                   ig_number_format(b, run->uniformity, 6, ascii));
    tell_advice(app, run, line);
}

void ig_run_properties_shown(const ig_app *app, ig_property_line *line)
{
    const ig_snapshot *now = app->now;
    const ig_train_options *o = &now->options;
    const ig_run_record *last = ig_playback_record(app);
    const ig_run_line *run = ig_app_run(app, now->shown_run);
    bool timed = last && isfinite(last->epoch.pairs_per_second);
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    if (now->activity == IG_IDLE) {
        ig_property(line, "no run yet", "Space trains, m chooses a method");
        return;
    }
    ig_property(line, "method", "%s (%s)", now->method,
                ig_extractor_name(now->extractor));
    ig_property(line, "state", "%s",
                now->activity == IG_TRAINING   ? "training"
                : now->activity == IG_PAUSED   ? "paused"
                : now->activity == IG_FOLLOWED ? "trained by another process"
                                               : now->ending);
    tell_options(o, line);
    if (run) {
        tell_difference(run, NULL, line);
        tell_directory(run, line);
        tell_advice(app, run, line);
    }
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
