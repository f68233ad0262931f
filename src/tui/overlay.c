/* What lies over the panels. */
#include "tui/overlay.h"

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
