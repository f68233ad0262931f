/* The leakage panel. */
#include "tui/app.h"

void ig_leak_draw(ig_app *app)
{
    const ig_slot *slot = &app->layout.panel[IG_PANEL_LEAKAGE];

    if (ig_rect_empty(slot->rect))
        return;
    ig_frame_draw(&app->canvas, slot->rect, slot->edges, "leakage", NULL,
                  app->settings.focus == IG_PANEL_LEAKAGE);
    ig_canvas_text(&app->canvas, slot->inside.row, slot->inside.col, slot->inside.cols,
                   "nothing measured yet", ig_style_of(IG_COLOUR_DIM, 0));
}
