/* The objective of the run, edited while it is trained: weights changed, terms struck
 * out and in. Every change goes to the session at once and holds from the next epoch
 * on. */
#include "tui/editor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "draw/axes.h"
#include "learn/presets.h"
#include "tui/external_editor.h"
#include "tui/overlay.h"
#include "tui/prompt.h"
#include "tui/writing.h"

enum { UNDO_MOST = 64 };

struct ig_editor {
    ig_objective objective; /* of the run, with the weights that it is to have */
    unsigned run;           /* its number */
    ig_list_cursor cursor;
    bool late;      /* to be opened once the run just asked for is there */
    char typed[24]; /* a weight that is being typed, or "" */
    size_t undos;
    struct {
        size_t term;
        double weight;
        bool off;
    } undo[UNDO_MOST]; /* what was before each change */
};

ig_status ig_editor_new(ig_app *app, ig_error *error)
{
    app->editor = ig_alloc(1, sizeof *app->editor);
    return app->editor ? IG_OK : ig_fail_memory(error, "the explorer");
}

void ig_editor_delete(ig_editor *editor)
{
    if (editor)
        ig_objective_free(&editor->objective);
    ig_free(editor);
}

static void close_editor(ig_app *app)
{
    app->overlay = NULL;
    app->request.asks &= ~(unsigned)IG_ASKS_NORMS;
    ig_app_send(app);
}

/* --- changes ---------------------------------------------------------------------- */

static void send(ig_app *app)
{
    const ig_objective *o = &app->editor->objective;
    ig_command edit = {.kind = IG_COMMAND_EDIT, .run = app->editor->run};

    if (!app->now->run ||
        (app->now->activity != IG_TRAINING && app->now->activity != IG_PAUSED)) {
        ig_app_note(app, false,
                    "the run is over: w writes the objective, E opens it as a text and "
                    "starts it");
        return;
    }
    for (size_t i = 0; i < o->terms; i++) {
        edit.weight[i] = o->term[i].weight;
        edit.off[i] = o->term[i].off;
    }
    ig_app_command(app, &edit);
}

static bool is_last(const ig_objective *o, size_t term)
{
    for (size_t i = 0; i < o->terms; i++)
        if (i != term && !o->term[i].off)
            return false;
    return true;
}

static void remember(ig_editor *e, const ig_term *term)
{
    if (e->undos == UNDO_MOST)
        memmove(e->undo, e->undo + 1, --e->undos * sizeof *e->undo);
    e->undo[e->undos].term = (size_t)(term - e->objective.term);
    e->undo[e->undos].weight = term->weight;
    e->undo[e->undos++].off = term->off;
}

static void change(ig_app *app, double weight, bool off)
{
    ig_editor *e = app->editor;
    ig_term *term = &e->objective.term[e->cursor.line];

    if (off && is_last(&e->objective, e->cursor.line)) {
        ig_app_note(app, true, "this is the last term that counts: one must stay");
        return;
    }
    if (term->weight == weight && term->off == off)
        return;
    remember(e, term);
    term->weight = weight;
    term->off = off;
    send(app);
}

static void undo(ig_app *app)
{
    ig_editor *e = app->editor;

    if (e->undos == 0) {
        ig_app_note(app, false, "nothing more to undo");
        return;
    }
    e->cursor.line = e->undo[--e->undos].term;
    e->objective.term[e->cursor.line].weight = e->undo[e->undos].weight;
    e->objective.term[e->cursor.line].off = e->undo[e->undos].off;
    send(app);
}

/* The next of 1, 1.2, 1.5, 2, … up or down: round numbers, about a quarter apart. */
static double scaled(double weight, int step)
{
    static const double ladder[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    enum { STEPS = sizeof ladder / sizeof *ladder - 1 };
    double size = fabs(weight), decade, unit;
    char text[32];
    int i = 0;

    if (size == 0)
        return step > 0 ? 0.01 : 0;
    decade = floor(log10(size) + 1e-9);
    unit = size / pow(10, decade);
    if (step > 0) {
        while (i < STEPS && ladder[i] <= unit * (1 + 1e-9))
            i++;
    } else {
        for (i = STEPS; i > 0 && ladder[i] >= unit * (1 - 1e-9);)
            i--;
        if (ladder[i] >= unit * (1 - 1e-9)) {
            i = STEPS - 1;
            decade--;
        }
    }
    if (fabs(decade) > 300)
        return weight;
    snprintf(text, sizeof text, "%ge%d", ladder[i], (int)decade);
    return copysign(strtod(text, NULL), weight);
}

/* --- a number being typed --------------------------------------------------------- */

static void finish_number(ig_app *app)
{
    ig_editor *e = app->editor;
    char *end;
    double weight = strtod(e->typed, &end);

    if (*end || !isfinite(weight))
        ig_app_note(app, true, "a weight is a finite number, not '%s'", e->typed);
    else
        change(app, weight, e->objective.term[e->cursor.line].off);
    e->typed[0] = '\0';
}

/* True when the key belongs to the number. */
static bool type_number(ig_app *app, ig_key key)
{
    char *typed = app->editor->typed;
    size_t length = strlen(typed);
    const char *known = length ? "0123456789.eE+-" : "0123456789.";

    if (key.code == IG_KEY_TEXT && key.unicode < 128 && key.unicode > 0 &&
        strchr(known, (int)key.unicode)) {
        if (length + 1 < sizeof app->editor->typed) {
            typed[length] = (char)key.unicode;
            typed[length + 1] = '\0';
        }
        return true;
    }
    if (length == 0)
        return false;
    if (key.code == IG_KEY_ENTER)
        finish_number(app);
    else if (key.code == IG_KEY_BACKSPACE)
        typed[length - 1] = '\0';
    else if (key.code == IG_KEY_ESCAPE)
        typed[0] = '\0';
    return true;
}

/* --- writing ---------------------------------------------------------------------- */

static void write_objective(ig_app *app, const char *path)
{
    ig_writer writer = {0};
    char comment[256], *text;
    ig_error error;
    ig_status status;

    snprintf(comment, sizeof comment, "# %.128s, edited at epoch %zu\n",
             app->editor->objective.name, app->now->epochs);
    text = ig_objective_text(&app->editor->objective, comment);
    status = text ? ig_writer_open(&writer, path, &error)
                  : ig_fail_memory(&error, "the objective");
    if (status == IG_OK) {
        fputs(text, writer.file);
        status = ig_writer_commit(&writer, &error);
    }
    ig_free(text);
    if (status == IG_OK)
        ig_app_note(app, false, "objective written to %s", path);
    else
        ig_app_note(app, true, "%s", error.message);
}

/* --- keys ------------------------------------------------------------------------- */

static bool is_text(ig_key key, uint32_t c)
{
    return key.code == IG_KEY_TEXT && key.unicode == c;
}

static int scale_of(ig_key key, ig_action action)
{
    if (action == IG_ACT_RIGHT || is_text(key, '+') || is_text(key, '='))
        return 1;
    return action == IG_ACT_LEFT || is_text(key, '-') ? -1 : 0;
}

static bool finish_write(ig_app *app, char *typed)
{
    ig_write_checked(app, typed, write_objective);
    return true;
}

static const ig_prompt_use write_prompt = {.sign = "write the objective to: ",
                                           .finish = finish_write};

static bool press(ig_app *app, ig_action action, ig_key key)
{
    ig_editor *e = app->editor;
    ig_term *term = &e->objective.term[e->cursor.line];
    size_t terms = e->objective.terms;
    char path[160];

    if (e->run != app->now->run) { /* another run has begun meanwhile */
        close_editor(app);
        return true;
    }
    if (type_number(app, key))
        return true;
    if (scale_of(key, action))
        change(app, scaled(term->weight, scale_of(key, action)), term->off);
    else if (is_text(key, ' ') || is_text(key, 'x'))
        change(app, term->weight, !term->off);
    else if (is_text(key, 'u'))
        undo(app);
    else if (is_text(key, 'E'))
        ig_external_editor_objective(app, &e->objective);
    else if (action == IG_ACT_WRITE) {
        snprintf(path, sizeof path, "%s.objective", e->objective.name);
        ig_prompt_open(app, &write_prompt, path);
    } else if (action == IG_ACT_BACK || action == IG_ACT_QUIT || action == IG_ACT_EDIT)
        close_editor(app);
    else if (action == IG_ACT_STEP || action == IG_ACT_SPEED || action == IG_ACT_STOP)
        return false;
    else
        ig_list_cursor_act(&e->cursor, action, terms, terms);
    return true;
}

/* --- drawing ---------------------------------------------------------------------- */

struct terms {
    const ig_app *app;
    double sum; /* of the weighted gradients' norms */
    char text[IG_TERM_NAME_SIZE + 32];
};

/* The norm of a term's weighted gradient. */
static double pull_of(const ig_app *app, size_t i)
{
    const ig_term *t = &app->editor->objective.term[i];
    bool waits = t->from > app->now->epochs + 1;

    return t->off || waits ? 0 : fabs(t->weight) * app->now->norm[i];
}

static void put_value(struct terms *terms, size_t i)
{
    const ig_snapshot *now = terms->app->now;
    double value = now->records ? now->record[now->records - 1].epoch.value[i] : NAN;

    snprintf(terms->text, sizeof terms->text, isnan(value) ? "-" : "%.4f", value);
}

static void put_weight(struct terms *terms, size_t i)
{
    const ig_editor *e = terms->app->editor;

    if (i == e->cursor.line && e->typed[0])
        snprintf(terms->text, sizeof terms->text, "%s_", e->typed);
    else
        snprintf(terms->text, sizeof terms->text, "%.6g", e->objective.term[i].weight);
}

static void term_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct terms *terms = context;
    const ig_app *app = terms->app;
    const ig_term *t = &app->editor->objective.term[row];

    cell->style = ig_style_of(t->off ? IG_COLOUR_DIM : IG_COLOUR_TEXT, 0);
    switch (column) {
    case 0:
        snprintf(terms->text, sizeof terms->text, t->off ? "out" : "");
        break;
    case 1:
        snprintf(terms->text, sizeof terms->text, t->from ? "%s from %zu" : "%s",
                 t->name, t->from);
        break;
    case 2:
        put_weight(terms, row);
        cell->style.attributes |= IG_BOLD;
        break;
    case 3:
        put_value(terms, row);
        break;
    default:
        if (!app->now->has_norms || !(terms->sum > 0))
            snprintf(terms->text, sizeof terms->text, "-");
        else
            snprintf(terms->text, sizeof terms->text, "%.0f%%",
                     100 * pull_of(app, row) / terms->sum);
    }
    cell->text = terms->text;
}

static void draw(ig_app *app)
{
    static const ig_column column[] = {{NULL, 3, IG_ALIGN_LEFT},
                                       {"term", 0, IG_ALIGN_LEFT},
                                       {"weight", 9, IG_ALIGN_RIGHT},
                                       {"value", 8, IG_ALIGN_RIGHT},
                                       {"gradient", 8, IG_ALIGN_RIGHT}};
    ig_editor *e = app->editor;
    size_t n = e->objective.terms;
    ig_rect in = ig_overlay_box(app, (int)n + 5, 76, "objective");
    ig_rect rows = ig_rect_inset(in, 0, 0, in.rows > 5 ? 2 : 0, 0);
    struct terms terms = {.app = app};
    ig_list list = {.column = column,
                    .columns = 5,
                    .rows = n,
                    .header = rows.rows > 2,
                    .source = term_cell,
                    .context = &terms};

    for (size_t i = 0; i < n; i++)
        terms.sum += pull_of(app, i);
    ig_list_cursor_follow(&e->cursor, n, ig_list_cursor_page(rows, list.header));
    ig_list_cursor_apply(&e->cursor, &list, true);
    ig_list_draw(&app->canvas, rows, &list);
    if (in.rows > 5)
        ig_canvas_text(
            &app->canvas, in.row + in.rows - 1, in.col, in.cols,
            ig_snapshot_waits(
                app->now, IG_PRODUCT_NORMS,
                "a number sets the weight, + - scale it, x strikes the term out or in"),
            ig_style_of(IG_COLOUR_DIM, 0));
}

/* --- opening ---------------------------------------------------------------------- */

static const ig_overlay overlay = {
    .keys = "u undo|w write it|E open as a text|s train one epoch|Esc close",
    .key = press,
    .draw = draw};

static bool load(ig_app *app)
{
    ig_editor *e = app->editor;

    ig_objective_free(&e->objective);
    *e = (ig_editor){.run = app->now->run};
    return ig_objective_of_run(app, &e->objective);
}

void ig_editor_open(ig_app *app)
{
    const ig_snapshot *now = app->now;

    app->editor->late = now->starts != app->starts;
    if (app->editor->late)
        return; /* the run just asked for is meant: wait for it */
    if (!now->objective)
        ig_app_note(app, false, "no run whose objective could be edited: Space trains");
    else if (now->terms == 0)
        ig_app_note(app, false, "%s has no terms to edit", now->method);
    else if (load(app)) {
        app->overlay = &overlay;
        if (now->run) /* of what is trained alone */
            app->request.asks |= IG_ASKS_NORMS;
        ig_app_send(app);
    }
}

void ig_editor_update(ig_app *app)
{
    if (!app->editor->late || app->now->starts != app->starts)
        return;
    app->editor->late = false;
    if (!app->now->refused && !app->overlay && !app->prompt.use)
        ig_editor_open(app);
}

/* --- methods ---------------------------------------------------------------------- */

enum { PAGE = 10 /* lines */ };

static size_t method_count(void)
{
    size_t n = 0;

    while (ig_preset_name(n))
        n++;
    return n;
}

static void method_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    (void)context;
    if (column == 0) {
        cell->text = ig_preset_name(row);
        cell->style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
        return;
    }
    /* The first line of the objective says what it is. */
    cell->text = ig_preset_text(row);
    cell->text += strspn(cell->text, "# ");
    cell->length = strcspn(cell->text, "\n");
}

static void draw_methods(ig_app *app)
{
    static const ig_column column[] = {{NULL, 13, IG_ALIGN_LEFT},
                                       {NULL, 0, IG_ALIGN_LEFT}};
    size_t n = method_count();
    ig_rect in = ig_overlay_box(app, (int)n + 4, 100, "method");
    ig_rect rows = ig_rect_inset(in, 0, 0, in.rows > 3 ? 2 : 0, 0);
    ig_list list = {.column = column, .columns = 2, .rows = n, .source = method_cell};

    ig_list_cursor_follow(&app->methods, n, ig_list_cursor_page(rows, false));
    ig_list_cursor_apply(&app->methods, &list, true);
    ig_list_draw(&app->canvas, rows, &list);
    ig_hotspot_list(app, rows, &app->methods, n);
    if (in.rows > 3)
        ig_canvas_text(
            &app->canvas, in.row + in.rows - 1, in.col, in.cols,
            "e edits a copy as a text and starts it; :method FILE starts one of a file",
            ig_style_of(IG_COLOUR_DIM, 0));
}

static bool key(ig_app *app, ig_action action, ig_key pressed)
{
    (void)pressed;
    if (action == IG_ACT_STOP)
        return false;
    if (ig_overlay_leave(app, action))
        return true;
    ig_list_cursor_act(&app->methods, action, method_count(), PAGE);
    if (action == IG_ACT_ENTER || action == IG_ACT_TRAIN) {
        app->overlay = NULL;
        ig_app_start(app, ig_preset_name(app->methods.line), 0);
    }
    if (action == IG_ACT_EDIT)
        ig_external_editor_preset(app, app->methods.line);
    return true;
}

void ig_methods_open(ig_app *app)
{
    static const ig_overlay methods = {
        .keys = "Enter start|e edit a copy|arrows choose|Esc close",
        .key = key,
        .draw = draw_methods};

    app->overlay = &methods;
    app->methods = (ig_list_cursor){0};
    for (size_t i = 0; ig_preset_name(i); i++)
        if (strcmp(ig_preset_name(i), app->start.method) == 0)
            app->methods.line = i;
}
