/* What is shown before there is a set. */
#include "tui/loading_screen.h"

#include <stdio.h>
#include <string.h>

#include "draw/bars.h"
#include "tui/help.h"
#include "tui/hints.h"

enum { BAR = 30 };

/* "q quit  ? keys": the first key of each. */
static void draw_keys(ig_app *app, ig_rect at)
{
    int col = at.col + 1;

    for (const ig_action_entry *b = app->action; b->name; b++) {
        char keys[64];
        size_t length;

        if (b->action != IG_ACT_HELP && b->action != IG_ACT_QUIT)
            continue;
        ig_keymap_keys(app->remap, b, keys, sizeof keys);
        length = strcspn(keys, " ");
        col += ig_canvas_text_n(&app->canvas, at.row, col, at.cols, keys, length,
                                ig_style_of(IG_COLOUR_ACCENT, IG_BOLD));
        col += 1 + ig_canvas_text(&app->canvas, at.row, col + 1, at.cols, b->name,
                                  ig_style_of(IG_COLOUR_DIM, 0));
        col += 2;
    }
}

ig_status ig_loading_draw(ig_app *app, int rows, int cols, const char *text,
                          double part, ig_error *error)
{
    ig_status status = ig_canvas_resize(&app->canvas, rows, cols, error);
    char line[IG_LOADING_TEXT + 16];
    ig_rect at;
    int col, bar, used;

    if (status != IG_OK)
        return status;
    ig_canvas_clear(&app->canvas);
    app->hotspots = 0;
    app->layout = ig_layout_compute(rows, cols, (ig_layout_settings){0});
    ig_canvas_text(&app->canvas, app->layout.header.row, app->layout.header.col + 1,
                   app->layout.header.cols - 1, "isogloss",
                   ig_style_of(IG_COLOUR_ACCENT, IG_BOLD));
    if (part >= 0)
        snprintf(line, sizeof line, "%s %d%%", text, (int)(100 * part));
    else
        snprintf(line, sizeof line, "%s …", text);
    at = (ig_rect){rows / 2, 0, 1, cols};
    bar = cols < BAR + 4 ? cols - 4 : BAR;
    col = (cols - bar) / 2;
    used = ig_canvas_text(&app->canvas, at.row, col > 0 ? col : 0, cols, line,
                          ig_style_of(IG_COLOUR_TEXT, 0));
    if (used > 0 && part >= 0 && rows > 2)
        ig_bar_draw(&app->canvas, at.row + 1, col, bar, part,
                    ig_style_of(IG_COLOUR_ACCENT, 0));
    if (app->overlay)
        app->overlay->draw(app);
    at = app->layout.footer;
    if (app->overlay)
        ig_hints_draw_keys(app, ig_rect_inset(at, 0, 0, 0, 1), app->overlay->keys);
    else if (!ig_rect_empty(at))
        draw_keys(app, at);
    return IG_OK;
}

ig_key_result ig_loading_key(ig_app *app, ig_key key)
{
    const ig_action_entry *entry;

    if (key.code == IG_KEY_STOP)
        return IG_APP_ENDED;
    entry = ig_keymap_find(app->action, app->remap, key);
    switch (entry ? entry->action : IG_ACT_NONE) {
    case IG_ACT_STOP:
        return IG_APP_QUIT;
    case IG_ACT_SUSPEND:
        return IG_APP_SUSPEND;
    case IG_ACT_REDRAW:
        return IG_APP_REDRAW;
    default:
        break;
    }
    if (app->overlay)
        app->overlay->key(app, entry ? entry->action : IG_ACT_NONE, key);
    else if (entry && entry->action == IG_ACT_QUIT)
        return IG_APP_QUIT;
    else if (entry && entry->action == IG_ACT_HELP)
        ig_help_open(app);
    return IG_APP_NOTHING;
}
