/* The runs: a table of all of the session, one line each, and below it what is told of
 * the one that is shown. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/axes.h"
#include "draw/list.h"
#include "tui/facts.h"

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
} table[FIELDS] = {
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

int ig_run_colour(unsigned number)
{
    return ig_colour_language(number - 1);
}

const ig_run_line *ig_run_numbered(const ig_app *app, unsigned number)
{
    for (size_t i = 0; i < app->now->runs; i++)
        if (app->now->run_line[i].number == number)
            return &app->now->run_line[i];
    return NULL;
}

const char *ig_run_label(const ig_app *app, unsigned number, char out[IG_RUN_LABEL])
{
    const ig_run_line *line = ig_run_numbered(app, number);

    snprintf(out, IG_RUN_LABEL, "%u %.*s", number, IG_RUN_LABEL - 16,
             line ? line->method : "");
    return out;
}

/* --- what is done to runs ------------------------------------------------------- */

/* The run of the selected line, or the one that is shown. */
static const ig_run_line *selected(const ig_app *app)
{
    if (app->settings.focus == IG_PANEL_RUNS && app->list_line < app->now->runs)
        return &app->now->run_line[app->list_line];
    return ig_run_numbered(app, app->now->shown_run);
}

size_t ig_runs_shown_line(const ig_app *app)
{
    const ig_run_line *line = ig_run_numbered(app, app->now->shown_run);

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

static void show(ig_app *app, const ig_run_line *line)
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
        size_t i = ig_runs_shown_line(app), n = app->now->runs;

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

void ig_runs_drop(ig_app *app, unsigned number)
{
    if (app->request.compared == number)
        app->request.compared = 0;
    if (app->request.show == number)
        app->request.show = 0;
    ig_app_order(app, IG_COMMAND_DROP, number);
}

void ig_runs_delete(ig_app *app)
{
    const ig_run_line *line = selected(app);

    if (app->settings.focus != IG_PANEL_RUNS || app->list_line >= app->now->runs) {
        ig_app_note(app, false, "choose a run in the runs panel to delete it");
        return;
    }
    if (line->saved && line->activity != IG_TRAINING && line->activity != IG_PAUSED) {
        ig_runs_drop(app, line->number);
        return;
    }
    app->doomed = line->number;
    app->overlay = IG_OVER_DELETE;
}

/* --- keys ------------------------------------------------------------------------ */

size_t ig_runs_lines(const ig_app *app)
{
    return app->now->runs + ig_run_facts(app);
}

bool ig_runs_act(ig_app *app, ig_action action)
{
    ig_rect inside = app->layout.panel[IG_PANEL_RUNS].inside;

    if (action == IG_ACT_ENTER && app->list_line < app->now->runs) {
        show(app, &app->now->run_line[app->list_line]);
        return true;
    }
    return ig_list_act(app, action, ig_runs_lines(app),
                       inside.rows > 1 ? (size_t)inside.rows - 1 : 1);
}

/* --- drawing --------------------------------------------------------------------- */

struct runs {
    const ig_app *app;
    enum field field[FIELDS]; /* (columns) */
    char text[160];
};

static void state_of(char *out, size_t size, const ig_run_line *line)
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
        state_of(out, size, line);
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
    cell->length = strlen(r->text);
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
    int dims_rank = dims_differ(app) ? 2 : table[DIMS].rank;
    int used = LEAST_METHOD;
    bool fits[FIELDS] = {false};
    size_t n = 0;

    for (int rank = 0; rank <= 10; rank++)
        for (int f = 0; f < FIELDS; f++) {
            if ((f == DIMS ? dims_rank : table[f].rank) != rank)
                continue;
            if (used + table[f].width + 1 > cols && rank > 0)
                goto chosen;
            used += table[f].width ? table[f].width + 1 : 0;
            fits[f] = true;
        }
chosen:
    for (int f = 0; f < FIELDS; f++)
        if (fits[f]) {
            column[n] = (ig_column){table[f].title, table[f].width, table[f].align};
            field[n++] = (enum field)f;
        }
    return n;
}

static void draw_table(ig_app *app, ig_rect rect, bool focused)
{
    struct runs runs = {.app = app};
    ig_column column[FIELDS];
    size_t columns = choose_columns(app, rect.cols, column, runs.field);
    size_t n = app->now->runs, page;
    ig_list list = {.column = column,
                    .columns = columns,
                    .rows = n,
                    .header = rect.rows > 2,
                    .selected = focused && app->list_line < n ? (long)app->list_line
                                                              : -1,
                    .focused = focused,
                    .source = run_cell,
                    .context = &runs};

    page = ig_list_page(rect, list.header);
    app->runs_offset = ig_list_scroll(
        app->runs_offset,
        (long)(list.selected >= 0 ? app->list_line : ig_runs_shown_line(app)), n, page);
    list.offset = app->runs_offset;
    ig_list_draw(&app->canvas, rect, &list);
}

/* The table has as many lines as it needs, but half the panel at most; where there is
 * no room for both, the part with the selection is there alone. */
void ig_runs_draw(ig_app *app)
{
    const ig_slot *slot = &app->layout.panel[IG_PANEL_RUNS];
    ig_rect inside = slot->inside;
    bool focused = app->settings.focus == IG_PANEL_RUNS;
    size_t n = app->now->runs, facts = ig_run_facts(app);
    size_t line = app->list_line < n ? 0 : app->list_line - n;
    int most = inside.rows / 2, rows = (int)(n < 1000 ? n : 1000) + 1;

    if (ig_rect_empty(slot->rect))
        return;
    if (focused && app->list_line >= ig_runs_lines(app))
        app->list_line = ig_runs_lines(app) - 1;
    ig_frame_draw(&app->canvas, slot->rect, slot->edges, "runs", NULL, focused);
    if (inside.rows < 6)
        rows = focused && app->list_line >= n ? 0 : inside.rows;
    else if (rows > most && n + 1 + facts > (size_t)inside.rows)
        rows = most;
    if (n == 0)
        rows = 0;
    if (rows > 0)
        draw_table(app, (ig_rect){inside.row, inside.col, rows, inside.cols}, focused);
    inside = ig_rect_inset(inside, rows, 0, 0, 0);
    app->list_offset = ig_list_scroll(focused ? app->list_offset : 0, (long)line, facts,
                                      ig_list_page(inside, false));
    ig_facts_draw(app, inside, facts, 20, focused ? app->list_offset : 0,
                  focused && app->list_line >= n ? (long)line : -1, ig_run_fact);
}
