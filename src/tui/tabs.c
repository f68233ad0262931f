/* Tabs in the line of a frame. */
#include "tui/tabs.h"

#include <string.h>

#include "base/text.h"
#include "tui/hotspots.h"

/* Columns. */
enum { SEPARATOR = 3, LEAST = 8, SHORT_NOTE = 10 };

static int width_of(const char *text)
{
    return (int)ig_text_width(text, strlen(text));
}

/* Whether a panel has a tab: one with something in it, and the open one. */
static bool is_tab(const ig_app *app, const ig_panel *panel, const ig_panel *open)
{
    return panel->role == open->role &&
           (panel == open || !panel->empty || !panel->empty(app));
}

/* Columns of the others' names with their separators, from panel `first` on. */
static int width_of_others(const ig_app *app, const ig_panel *open, size_t first)
{
    int width = 0;

    for (size_t i = first; i < app->panels; i++)
        if (app->panel[i] != open && is_tab(app, app->panel[i], open))
            width += SEPARATOR + width_of(app->panel[i]->name);
    return width;
}

/* The first panel whose tab is drawn: those that do not fit beside the open one are
 * left out at the left. */
static size_t first_that_fits(const ig_app *app, const ig_panel *open, int room,
                              int least)
{
    size_t first = 0;

    while (first < app->panels && room - width_of_others(app, open, first) < least)
        first++;
    return first;
}

/* The open one: bold while it has the keys, and in brackets where there are no
 * colours. */
static int draw_open(ig_app *app, ig_rect at, const ig_panel *open, const char *title,
                     bool alone)
{
    bool focused = app->focus == open;
    bool brackets = app->canvas.depth == IG_DEPTH_NONE && !alone && at.cols > 2;
    ig_style style =
        ig_style_of(focused ? IG_COLOUR_FOCUS : IG_COLOUR_TEXT, focused ? IG_BOLD : 0);
    int used = 0;

    if (!alone && !brackets)
        style.attributes |= IG_UNDERLINE;
    if (brackets)
        used += ig_canvas_text(&app->canvas, at.row, at.col, 1, "[", style);
    used += ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - 2 * brackets,
                           title, style);
    if (brackets)
        used += ig_canvas_text(&app->canvas, at.row, at.col + used, 1, "]", style);
    return used;
}

/* The panel that Tab gives the keys. */
static const ig_panel *next_panel(const ig_app *app)
{
    size_t i = 0;

    while (app->panel[i] != app->focus)
        i++;
    do
        i = (i + 1) % app->panels;
    while (app->panel[i]->empty && app->panel[i]->empty(app));
    return app->panel[i];
}

/* "Tab", where the line from `col` on has room for it before a note. */
static void draw_next(ig_app *app, ig_rect frame, int col, int taken)
{
    const ig_action_entry *entry = ig_keymap_named(app->action, "panel");
    char keys[IG_KEY_NAME_SIZE * 3];
    ig_rect at = {frame.row, 0, 1, 0};
    ig_key key;

    if (!entry)
        return;
    ig_keymap_keys(app->remap, entry, keys, sizeof keys);
    keys[strcspn(keys, " ")] = '\0';
    at.cols = width_of(keys);
    at.col = frame.col + frame.cols - taken - at.cols - 2;
    if (at.col <= col + 1 || !ig_key_parse(&key, keys))
        return;
    ig_canvas_print(&app->canvas, at.row, at.col - 1, at.cols + 2,
                    ig_style_of(IG_COLOUR_ACCENT, IG_BOLD), " %s ", keys);
    ig_hotspot_key(app, at, key);
}

void ig_tabs_draw(ig_app *app, ig_rect frame, const ig_panel *open, const char *title,
                  const char *note)
{
    int taken = *note ? width_of(note) + 3 : 0;
    bool noted = taken > 0 && taken <= SHORT_NOTE && taken + LEAST <= frame.cols - 4;
    int room = frame.cols - 4 - (noted ? taken : 0);
    int width = width_of(title) + 2, most = room * 2 / 3;
    int least = width < most ? width : most; /* columns that the open one keeps */
    size_t first = first_that_fits(app, open, room, least);
    int others = width_of_others(app, open, first);
    ig_rect at = {frame.row, frame.col + 2, 1, 0};
    ig_style dim = ig_style_of(IG_COLOUR_DIM, 0);

    if (room < 1)
        return;
    if (!noted && taken && room - taken - others >= least) {
        noted = true;
        room -= taken;
    }
    if (noted)
        ig_canvas_print(&app->canvas, at.row, frame.col + frame.cols - taken, taken - 1,
                        dim, " %s ", note);
    ig_canvas_put(&app->canvas, at.row, at.col - 1, " ", dim);
    for (size_t i = 0; i < app->panels; i++) {
        const ig_panel *panel = app->panel[i];

        if (!is_tab(app, panel, open) || (panel != open && i < first))
            continue;
        if (at.cols > 0)
            at.col +=
                ig_canvas_print(&app->canvas, at.row, at.col, SEPARATOR, dim, " %s ",
                                ig_glyph_text(app->canvas.glyphs, IG_GLYPH_VERTICAL));
        at.cols = room - others;
        if (panel == open)
            at.cols = draw_open(app, at, open, title, others == 0);
        else
            at.cols = ig_canvas_text(&app->canvas, at.row, at.col,
                                     width_of(panel->name), panel->name, dim);
        ig_hotspot_panel(app, at, panel);
        at.col += at.cols;
    }
    ig_canvas_put(&app->canvas, at.row, at.col, " ", dim);
    if (app->focus != open && next_panel(app)->role == open->role)
        draw_next(app, frame, at.col + 1, noted ? taken : 0);
}
