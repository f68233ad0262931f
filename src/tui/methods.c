/* The choice of a method: the presets, which can be started or edited as a text. */
#include "tui/methods.h"

#include <string.h>

#include "learn/presets.h"
#include "tui/external_editor.h"
#include "tui/hotspots.h"
#include "tui/overlay.h"

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
