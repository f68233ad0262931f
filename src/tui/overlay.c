/* What lies over the panels, and the list of keys. */
#include "tui/overlay.h"

#include <string.h>

enum { PAGE = 10 /* lines */ };

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

bool ig_overlay_leave(ig_app *app, ig_action action)
{
    if (action != IG_ACT_BACK && action != IG_ACT_QUIT)
        return false;
    app->overlay = NULL;
    return true;
}

/* --- help ------------------------------------------------------------------------- */

/* Lines of the help: a heading for every group, a line for every binding. */
static size_t help_lines(const ig_app *app)
{
    size_t n = 0;

    for (size_t i = 0; app->action[i].name; i++)
        n += app->action[i].group ? 2 + (i > 0) : 1;
    return n;
}

/* The binding of a line, or NULL: *heading gets its group, or NULL for a blank. */
static const ig_action_entry *help_line(const ig_app *app, size_t line,
                                        const char **heading)
{
    size_t n = 0;

    *heading = NULL;
    for (size_t i = 0; app->action[i].name; i++) {
        const ig_action_entry *b = &app->action[i];

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
    const ig_action_entry *b = help_line(help->app, row, &heading);

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
}

static void draw_help(ig_app *app)
{
    static const ig_column column[] = {{NULL, 10, IG_ALIGN_LEFT},
                                       {NULL, 0, IG_ALIGN_LEFT}};
    size_t lines = help_lines(app);
    ig_rect in = ig_overlay_box(app, (int)lines + 2, 96, "keys");
    size_t page = in.rows > 0 ? (size_t)in.rows : 1;
    struct help help = {.app = app};
    ig_list list = {.column = column,
                    .columns = 2,
                    .rows = lines,
                    .selected = IG_NO_LINE,
                    .source = help_cell,
                    .context = &help};

    if (app->help.line + page > lines) /* it is scrolled by its first line */
        app->help.line = lines > page ? lines - page : 0;
    list.offset = app->help.line;
    ig_list_draw(&app->canvas, in, &list);
}

static bool help_key(ig_app *app, ig_action action, ig_key key)
{
    (void)key;
    if (action == IG_ACT_STOP)
        return false;
    if (action == IG_ACT_HELP)
        app->overlay = NULL;
    else if (!ig_overlay_leave(app, action))
        ig_list_cursor_act(&app->help, action, help_lines(app), PAGE);
    return true;
}

void ig_help_open(ig_app *app)
{
    static const ig_overlay help = {.keys = "arrows PgUp PgDn scroll|Esc close",
                                    .key = help_key,
                                    .draw = draw_help};

    app->overlay = &help;
    app->help = (ig_list_cursor){0};
}
