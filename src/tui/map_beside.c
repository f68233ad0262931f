/* A second map beside the first: that of the run compared. Both have the cursor of the
 * same row, and are zoomed and panned together, each about its own points. */
#include <stdio.h>
#include <string.h>

#include "tui/app.h"

/* The least that two maps are drawn in, side by side or one below the other. */
enum { LEAST_COLS = 44, LEAST_ROWS = 16 };

/* Two frames share the line between them. */
void ig_beside_halves(const ig_app *app, ig_rect *main, ig_rect *beside)
{
    const ig_slot *slot = &app->layout.panel[IG_PANEL_MAP];
    ig_rect all = slot->rect;

    *main = all;
    *beside = (ig_rect){0};
    if (!app->now->beside_run || (slot->edges & IG_EDGE_ALL) != IG_EDGE_ALL)
        return;
    if (all.cols >= LEAST_COLS) {
        main->cols = all.cols / 2;
        *beside = (ig_rect){all.row, all.col + main->cols - 1, all.rows,
                            all.cols - main->cols + 1};
    } else if (all.rows >= LEAST_ROWS) {
        main->rows = all.rows / 2;
        *beside = (ig_rect){all.row + main->rows - 1, all.col,
                            all.rows - main->rows + 1, all.cols};
    }
}

/* Where its points are. */
static ig_rect plane_of(const ig_app *app)
{
    ig_rect main, beside;

    ig_beside_halves(app, &main, &beside);
    return ig_rect_empty(beside) ? beside : ig_frame_inside(beside, IG_EDGE_ALL);
}

void ig_beside_fit(ig_app *app, bool anew)
{
    const ig_map *map = app->now->beside_map;
    ig_view fit;

    if (!map)
        return;
    fit = ig_map_fit_of(app, map);
    if (anew || app->beside_viewed.run != app->now->beside_run ||
        app->beside_viewed.space != map->space ||
        app->beside_viewed.unit != map->unit ||
        memcmp(app->beside_viewed.axis, map->axis, sizeof map->axis) != 0)
        app->beside_view = fit;
    else if (!app->view_is_mine)
        ig_map_settle(&app->beside_view, fit);
    app->beside_viewed.run = app->now->beside_run;
    app->beside_viewed.space = map->space;
    app->beside_viewed.unit = map->unit;
    memcpy(app->beside_viewed.axis, map->axis, sizeof map->axis);
}

void ig_beside_zoom(ig_app *app, double factor)
{
    const ig_map *map = app->now->beside_map;
    const ig_view *view = &app->beside_view;
    long point = map ? ig_map_point(map, app->cursor) : -1;
    double x = (view->xmin + view->xmax) / 2, y = (view->ymin + view->ymax) / 2;

    if (point >= 0) {
        x = map->xy[app->cursor_of % map->series][2 * point];
        y = map->xy[app->cursor_of % map->series][2 * point + 1];
    }
    if (map)
        app->beside_view = ig_view_zoom(*view, factor, x, y);
}

void ig_beside_pan(ig_app *app, double right, double up)
{
    if (app->now->beside_map)
        app->beside_view = ig_view_pan(app->beside_view, right, up);
}

bool ig_beside_mouse(ig_app *app, ig_key key)
{
    const ig_map *map = app->now->beside_map;
    ig_rect plane = plane_of(app);
    ig_series series[2];
    size_t n;
    ig_hit hit;

    if (key.mouse != IG_MOUSE_PRESS || !ig_rect_has(plane, key.row, key.col))
        return false;
    n = map ? ig_map_series(app, map, series) : 0;
    if (n && ig_scatter_nearest(app->beside_view, plane, series, n, key.row, key.col,
                                &hit)) {
        app->cursor_of = hit.series;
        ig_app_go(app, map->row ? map->row[hit.point] : (uint32_t)hit.point);
    }
    return true;
}

void ig_beside_draw(ig_app *app)
{
    const ig_map *map = app->now->beside_map;
    ig_rect main, beside, plane = plane_of(app);
    char label[IG_RUN_LABEL], title[IG_RUN_LABEL + 32], note[32] = "";

    ig_beside_halves(app, &main, &beside);
    if (ig_rect_empty(beside))
        return;
    snprintf(title, sizeof title, "%s", ig_run_label(app, app->now->beside_run, label));
    if (map)
        snprintf(note, sizeof note, "epoch %zu", map->epoch);
    ig_frame_draw(&app->canvas, beside, IG_EDGE_ALL | IG_EDGE_JOIN, title, note, false);
    if (beside.row == main.row) /* its corner may have met the end of a note */
        ig_canvas_put(&app->canvas, beside.row, beside.col,
                      ig_glyphs_line(app->canvas.glyphs,
                                     IG_ARM_LEFT | IG_ARM_RIGHT | IG_ARM_DOWN),
                      ig_style_of(IG_COLOUR_FRAME, 0));
    if (map)
        ig_map_points_draw(app, map, plane, app->beside_view, &app->beside_scatter);
    else
        ig_canvas_text(&app->canvas, plane.row + plane.rows / 2, plane.col + 2,
                       plane.cols - 2, "computing the map …",
                       ig_style_of(IG_COLOUR_DIM, 0));
}
