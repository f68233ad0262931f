/* What lies over the panels: the list of keys, the choice of a method, a question. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/list.h"
#include "tui/app.h"

/* A rectangle in the middle of the canvas, blanked and framed; its inside. */
ig_rect ig_overlay_box(ig_app *app, int rows, int cols, const char *title)
{
    ig_canvas *c = &app->canvas;
    ig_rect over = app->layout.body, box;

    if (ig_rect_empty(over))
        over = (ig_rect){0, 0, c->rows, c->cols};
    box.rows = rows < over.rows ? rows : over.rows;
    box.cols = cols < over.cols ? cols : over.cols;
    box.row = over.row + (over.rows - box.rows) / 2;
    box.col = over.col + (over.cols - box.cols) / 2;
    ig_canvas_fill(c, box, ig_style_of(IG_COLOUR_DEFAULT, 0));
    if (box.rows < 4 || box.cols < 12)
        return box;
    ig_frame_draw(c, box, IG_EDGE_ALL, title, NULL, true);
    return ig_rect_inset(ig_frame_inside(box, IG_EDGE_ALL), 0, 1, 0, 1);
}

/* --- help ------------------------------------------------------------------------- */

/* Lines of the help: a heading for every group, a line for every binding. */
static size_t help_lines(void)
{
    size_t n = 0;

    for (size_t i = 0; ig_key_entry_at(i); i++)
        n += ig_key_entry_at(i)->group ? 2 + (i > 0) : 1;
    return n;
}

/* The binding of a line, or NULL: *heading gets its group, or NULL for a blank. */
static const ig_key_entry *help_line(size_t line, const char **heading)
{
    size_t n = 0;

    *heading = NULL;
    for (size_t i = 0; ig_key_entry_at(i); i++) {
        const ig_key_entry *b = ig_key_entry_at(i);

        if (b->group && i > 0 && n++ == line)
            return NULL;
        if (b->group && n++ == line) {
            *heading = b->group;
            return NULL;
        }
        if (n++ == line)
            return b;
    }
    return NULL;
}

struct help {
    const ig_app *app;
    char keys[64];
};

static void help_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct help *help = context;
    const char *heading;
    const ig_key_entry *b = help_line(row, &heading);

    if (b && column == 0) {
        ig_keymap_keys(help->app->remap, b, help->keys, sizeof help->keys);
        cell->text = help->keys;
        cell->style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
    } else if (b) {
        cell->text = b->help;
    } else if (column == 0) {
        cell->text = heading;
        cell->style = ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD | IG_UNDERLINE);
    }
    cell->length = cell->text ? strlen(cell->text) : 0;
}

static void draw_help(ig_app *app)
{
    static const ig_column column[] = {{NULL, 10, IG_ALIGN_LEFT},
                                       {NULL, 0, IG_ALIGN_LEFT}};
    size_t lines = help_lines();
    ig_rect in = ig_overlay_box(app, (int)lines + 2, 96, "keys");
    size_t page = in.rows > 0 ? (size_t)in.rows : 1;
    size_t most = lines > page ? lines - page : 0;
    struct help help = {.app = app};
    ig_list list = {.column = column,
                    .columns = 2,
                    .rows = lines,
                    .selected = -1,
                    .source = help_cell,
                    .context = &help};

    app->over_offset = app->over_offset < most ? app->over_offset : most;
    list.offset = app->over_offset;
    ig_list_draw(&app->canvas, in, &list);
}

/* --- methods ---------------------------------------------------------------------- */

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
        cell->length = strlen(cell->text);
        return;
    }
    /* The first line of the objective says what it is. */
    cell->text = ig_preset_text(row);
    cell->text += strspn(cell->text, "# ");
    cell->length = strcspn(cell->text, "\n");
}

void ig_method_open(ig_app *app)
{
    app->overlay = IG_OVER_METHOD;
    app->over_line = app->over_offset = 0;
    for (size_t i = 0; ig_preset_name(i); i++)
        if (strcmp(ig_preset_name(i), app->start.method) == 0)
            app->over_line = i;
}

static void draw_methods(ig_app *app)
{
    static const ig_column column[] = {{NULL, 13, IG_ALIGN_LEFT},
                                       {NULL, 0, IG_ALIGN_LEFT}};
    size_t n = method_count();
    ig_rect in = ig_overlay_box(app, (int)n + 4, 100, "method");
    ig_rect rows = ig_rect_inset(in, 0, 0, in.rows > 3 ? 2 : 0, 0);
    size_t page = rows.rows > 0 ? (size_t)rows.rows : 1;
    ig_list list = {.column = column,
                    .columns = 2,
                    .rows = n,
                    .selected = (long)app->over_line,
                    .focused = true,
                    .source = method_cell};

    app->over_offset = ig_list_scroll(app->over_offset, (long)app->over_line, n, page);
    list.offset = app->over_offset;
    ig_list_draw(&app->canvas, rows, &list);
    if (in.rows > 3)
        ig_canvas_text(
            &app->canvas, in.row + in.rows - 1, in.col, in.cols,
            "e edits a copy as a text and starts that; the command  :method FILE",
            ig_style_of(IG_COLOUR_DIM, 0));
}

/* --- quitting --------------------------------------------------------------------- */

static void draw_question(ig_app *app)
{
    ig_rect in = ig_overlay_box(app, 5, 52, "quit");
    ig_style bold = ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD);

    if (app->now->unsaved > 1)
        ig_canvas_print(&app->canvas, in.row, in.col, in.cols, bold,
                        "%zu runs are not written.", app->now->unsaved);
    else
        ig_canvas_text(&app->canvas, in.row, in.col, in.cols, "The run is not written.",
                       bold);
    ig_canvas_text(&app->canvas, in.row + in.rows - 1, in.col, in.cols,
                   "q quits without it, w writes it, Esc stays",
                   ig_style_of(IG_COLOUR_TEXT, 0));
}

static void draw_doomed(ig_app *app)
{
    const ig_run_line *line = ig_run_numbered(app, app->doomed);
    ig_rect in = ig_overlay_box(app, 5, 52, "delete");
    char label[IG_RUN_LABEL];

    ig_canvas_print(
        &app->canvas, in.row, in.col, in.cols, ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD),
        "Run %s is not %s.", ig_run_label(app, app->doomed, label),
        line && (line->activity == IG_TRAINING || line->activity == IG_PAUSED)
            ? "done"
            : "written");
    ig_canvas_text(&app->canvas, in.row + in.rows - 1, in.col, in.cols,
                   "d deletes it, Esc keeps it", ig_style_of(IG_COLOUR_TEXT, 0));
}

/* The first that is not written, when the one shown is. */
static void write_unwritten(ig_app *app)
{
    for (size_t i = 0; i < app->now->runs && app->now->saved; i++)
        if (!app->now->run_line[i].saved) {
            app->request.show = app->now->run_line[i].number;
            ig_app_send(app);
            break;
        }
    ig_write_open(app);
}

void ig_overlay_draw(ig_app *app)
{
    if (app->overlay == IG_OVER_HELP)
        draw_help(app);
    else if (app->overlay == IG_OVER_METHOD)
        draw_methods(app);
    else if (app->overlay == IG_OVER_DELETE)
        draw_doomed(app);
    else if (app->overlay == IG_OVER_EDITOR)
        ig_editor_draw(app);
    else if (app->overlay == IG_OVER_QUIT)
        draw_question(app);
}

/* --- keys ------------------------------------------------------------------------- */

static void move(size_t *line, ig_action action, size_t last)
{
    enum { PAGE = 10 };

    if (action == IG_ACT_DOWN)
        ++*line;
    else if (action == IG_ACT_UP)
        *line -= *line > 0;
    else if (action == IG_ACT_PAGE_DOWN)
        *line += PAGE;
    else if (action == IG_ACT_PAGE_UP)
        *line -= *line < PAGE ? *line : PAGE;
    else if (action == IG_ACT_FIRST)
        *line = 0;
    else if (action == IG_ACT_LAST)
        *line = last;
    *line = *line < last ? *line : last;
}

bool ig_overlay_key(ig_app *app, ig_action action, ig_key key, ig_app_request *request)
{
    if (action == IG_ACT_REDRAW || action == IG_ACT_SUSPEND ||
        (action == IG_ACT_STOP && app->overlay != IG_OVER_QUIT))
        return false;
    if (app->overlay == IG_OVER_EDITOR)
        return ig_editor_key(app, action, key, request);
    if (action == IG_ACT_BACK ||
        (action == IG_ACT_QUIT && app->overlay != IG_OVER_QUIT)) {
        app->overlay = IG_OVER_NONE;
        return true;
    }
    switch (app->overlay) {
    case IG_OVER_HELP:
        move(&app->over_offset, action, help_lines());
        if (action == IG_ACT_HELP)
            app->overlay = IG_OVER_NONE;
        break;
    case IG_OVER_METHOD:
        move(&app->over_line, action, method_count() - 1);
        if (action == IG_ACT_ENTER || action == IG_ACT_TRAIN) {
            app->overlay = IG_OVER_NONE;
            ig_app_start(app, ig_preset_name(app->over_line), 0);
        }
        if (action == IG_ACT_EDIT)
            *request = ig_visit_preset(app, app->over_line);
        break;
    case IG_OVER_QUIT:
        if (action == IG_ACT_QUIT || action == IG_ACT_STOP)
            *request = IG_APP_QUIT;
        if (action == IG_ACT_WRITE) {
            app->overlay = IG_OVER_NONE;
            write_unwritten(app);
        }
        break;
    case IG_OVER_DELETE:
        if (action == IG_ACT_DELETE || action == IG_ACT_ENTER) {
            app->overlay = IG_OVER_NONE;
            ig_runs_drop(app, app->doomed);
        }
        break;
    case IG_OVER_EDITOR:
    case IG_OVER_NONE:
        return false;
    }
    return true;
}
