/* The map: points of the snapshot's map, the cursor, lines to its translations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "draw/axes.h"
#include "tui/app.h"

static const double MARGIN = 0.05;

/* --- what is drawn ---------------------------------------------------------------- */

/* What keeps together is named: languages but in the meanings, which mix them, labels
 * where they do but for the language embeddings. The steps of a scale do nowhere. */
static ig_labels labels_of(const ig_colouring *c, ig_space space)
{
    if (space == (c->choice ? IG_SPACE_LANGUAGE : IG_SPACE_MEANING) ||
        (c->steps && space != IG_SPACE_ORIGINAL))
        return IG_LABELS_SERIES;
    return c->steps    ? IG_LABELS_NONE
           : c->choice ? IG_LABELS_COMPACT
                       : IG_LABELS_CATEGORIES;
}

size_t ig_map_series(ig_app *app, const ig_map *map, ig_series series[2])
{
    const ig_colouring *c = &app->colours;
    const ig_selection *selected = &app->selection;

    for (size_t i = 0; map && i < map->series; i++)
        series[i] = (ig_series){
            .x = map->xy[i],
            .y = map->xy[i] + 1,
            .stride = 2,
            .count = map->rows,
            .row = map->row,
            .category = c->drawn,
            .categories = c->groups,
            .shown = c->shown,
            .category_name = c->name,
            .letter = c->letter,
            .colour = c->colour,
            .steps = c->steps,
            .name = ig_space_name(map->of[i]),
            .labels = labels_of(c, map->of[i]),
            .marked = selected->isolated || !selected->count ? NULL : selected->row};
    return map ? map->series : 0;
}

long ig_map_point(const ig_map *map, uint32_t row)
{
    size_t point;

    if (!map->row)
        return row < map->rows ? (long)row : -1;
    point = ig_array_find(map->row, map->rows, row);
    return point < map->rows && map->row[point] == row ? (long)point : -1;
}

void ig_map_places(const ig_app *app, ig_rect *plane, ig_rect *legend)
{
    ig_rect inside = app->layout.panel[IG_PANEL_MAP].inside, half, beside;
    int lines, most;

    ig_beside_halves(app, &half, &beside);
    if (!ig_rect_empty(beside))
        inside = ig_frame_inside(half, IG_EDGE_ALL);
    lines = ig_legend_lines(inside.cols, app->colours.legend, app->colours.items);
    most = inside.rows / 5;
    lines = lines < most ? lines : most;
    *plane = ig_rect_inset(inside, 0, 0, lines, 0);
    *legend = ig_rect_inset(inside, inside.rows - lines, 0, 0, 0);
}

/* --- the view --------------------------------------------------------------------- */

/* Keep an axis as long as it shows everything and is not much too large, so that the
 * map does not jitter from frame to frame. */
static void settle_axis(double *low, double *high, double new_low, double new_high)
{
    double margin = (new_high - new_low) * MARGIN / (1 + 2 * MARGIN);

    if (new_low + margin >= *low && new_high - margin <= *high &&
        new_high - new_low > 0.75 * (*high - *low))
        return;
    *low = new_low;
    *high = new_high;
}

void ig_map_settle(ig_view *view, ig_view fit)
{
    settle_axis(&view->xmin, &view->xmax, fit.xmin, fit.xmax);
    settle_axis(&view->ymin, &view->ymax, fit.ymin, fit.ymax);
}

/* Other coordinates than those the view was made for. */
static bool is_another_view(const ig_app *app, const ig_map *map)
{
    return app->viewed_as.space != map->space || app->viewed_as.unit != map->unit ||
           app->viewed_as.axis[0] != map->axis[0] ||
           app->viewed_as.axis[1] != map->axis[1];
}

ig_view ig_map_fit_of(ig_app *app, const ig_map *map)
{
    const ig_selection *selected = &app->selection;
    ig_series series[2];
    size_t n = ig_map_series(app, map, series);

    for (size_t s = 0; s < n && selected->isolated && !selected->fitted; s++)
        series[s].category = app->colours.of;
    return ig_view_fit(series, n, MARGIN);
}

void ig_map_fit(ig_app *app)
{
    const ig_map *map = app->now->map;
    ig_view fit = ig_map_fit_of(app, map);

    if (!map)
        return;
    if (app->viewed && is_another_view(app, map)) {
        app->view_is_mine = false;
        app->viewed = 0;
    }
    if (!app->viewed) {
        app->view = fit;
    } else if (!app->view_is_mine) {
        ig_map_settle(&app->view, fit);
    }
    app->viewed = map->serial;
    app->viewed_as.space = map->space;
    app->viewed_as.unit = map->unit;
    memcpy(app->viewed_as.axis, map->axis, sizeof map->axis);
}

/* The middle of what zooming keeps: the cursor's point, or the view's middle. */
static void focus_point(ig_app *app, double *x, double *y)
{
    const ig_map *map = app->now->map;
    long point = map ? ig_map_point(map, app->cursor) : -1;

    *x = (app->view.xmin + app->view.xmax) / 2;
    *y = (app->view.ymin + app->view.ymax) / 2;
    if (point < 0)
        return;
    *x = map->xy[app->cursor_of % map->series][2 * point];
    *y = map->xy[app->cursor_of % map->series][2 * point + 1];
}

static void zoom(ig_app *app, double factor, double x, double y)
{
    app->view = ig_view_zoom(app->view, factor, x, y);
    ig_beside_zoom(app, factor);
    app->view_is_mine = true;
}

static bool view_act(ig_app *app, ig_action action)
{
    double right = (action == IG_ACT_PAN_RIGHT) - (action == IG_ACT_PAN_LEFT);
    double up = (action == IG_ACT_PAN_UP) - (action == IG_ACT_PAN_DOWN);
    double x, y;

    focus_point(app, &x, &y);
    if (right != 0 || up != 0) {
        app->view = ig_view_pan(app->view, 0.15 * right, 0.15 * up);
        ig_beside_pan(app, 0.15 * right, 0.15 * up);
        app->view_is_mine = true;
    } else if (action == IG_ACT_ZOOM_IN) {
        zoom(app, 0.7, x, y);
    } else if (action == IG_ACT_ZOOM_OUT) {
        zoom(app, 1 / 0.7, x, y);
    } else if (action == IG_ACT_FIT) {
        app->view_is_mine = false;
        app->viewed = 0;
        app->selection.fitted = app->selection.isolated;
        ig_map_fit(app);
        ig_beside_fit(app, true);
    } else {
        return false;
    }
    return true;
}

/* --- the cursor ------------------------------------------------------------------- */

static void go_to(ig_app *app, ig_hit hit)
{
    const ig_map *map = app->now->map;

    app->cursor_of = hit.series;
    ig_app_go(app, map->row ? map->row[hit.point] : (uint32_t)hit.point);
}

static void move_cursor(ig_app *app, ig_direction direction)
{
    const ig_map *map = app->now->map;
    ig_series series[2];
    size_t n = ig_map_series(app, app->now->map, series);
    ig_rect plane, legend;
    long point = map ? ig_map_point(map, app->cursor) : -1;
    ig_hit hit, from;

    ig_map_places(app, &plane, &legend);
    if (n == 0)
        return;
    from = (ig_hit){app->cursor_of % n, (size_t)(point < 0 ? 0 : point)};
    if (point < 0
            ? ig_scatter_nearest(app->view, plane, series, n,
                                 plane.row + plane.rows / 2, plane.col + plane.cols / 2,
                                 &hit)
            : ig_scatter_toward(app->view, plane, series, n, from, direction, &hit))
        go_to(app, hit);
}

bool ig_map_act(ig_app *app, ig_action action)
{
    size_t rows = app->set->rows;

    switch (action) {
    case IG_ACT_LEFT:
        move_cursor(app, IG_LEFT);
        return true;
    case IG_ACT_RIGHT:
        move_cursor(app, IG_RIGHT);
        return true;
    case IG_ACT_UP:
        move_cursor(app, IG_UP);
        return true;
    case IG_ACT_DOWN:
        move_cursor(app, IG_DOWN);
        return true;
    case IG_ACT_FIRST:
        ig_app_go(app, 0);
        return true;
    case IG_ACT_LAST:
        ig_app_go(app, (uint32_t)(rows - 1));
        return true;
    case IG_ACT_PAGE_DOWN:
        ig_app_go(app, (uint32_t)((app->cursor + 1) % rows));
        return true;
    case IG_ACT_PAGE_UP:
        ig_app_go(app, (uint32_t)((app->cursor + rows - 1) % rows));
        return true;
    case IG_ACT_ENTER:
        ig_app_focus(app, IG_PANEL_NEIGHBOURS);
        return true;
    default:
        return view_act(app, action);
    }
}

static void click(ig_app *app, ig_key key, ig_rect plane, ig_rect legend)
{
    long group = ig_colouring_at(app, legend, key.row, key.col);
    ig_series series[2];
    size_t n = ig_map_series(app, app->now->map, series);
    ig_hit hit;

    app->drag_row = key.row;
    app->drag_col = key.col;
    if (group >= 0)
        ig_colouring_toggle(app, (size_t)group);
    else if (n && ig_rect_has(plane, key.row, key.col) &&
             ig_scatter_nearest(app->view, plane, series, n, key.row, key.col, &hit))
        go_to(app, hit);
}

void ig_map_mouse(ig_app *app, ig_key key)
{
    ig_rect plane, legend;
    double x, y, right, up;

    ig_map_places(app, &plane, &legend);
    if (ig_rect_empty(plane) || ig_beside_mouse(app, key) || ig_box_mouse(app, key))
        return;
    ig_view_point(app->view, plane, key.row, key.col, &x, &y);
    switch (key.mouse) {
    case IG_MOUSE_PRESS:
        click(app, key, plane, legend);
        break;
    case IG_MOUSE_WHEEL_UP:
        zoom(app, 0.8, x, y);
        break;
    case IG_MOUSE_WHEEL_DOWN:
        zoom(app, 1.25, x, y);
        break;
    case IG_MOUSE_DRAG:
        right = (double)(app->drag_col - key.col) / plane.cols;
        up = (double)(key.row - app->drag_row) / plane.rows;
        app->view = ig_view_pan(app->view, right, up);
        ig_beside_pan(app, right, up);
        app->view_is_mine = true;
        app->drag_row = key.row;
        app->drag_col = key.col;
        break;
    case IG_MOUSE_RELEASE:
    case IG_MOUSE_SECOND:
        break;
    }
}

/* --- drawing ---------------------------------------------------------------------- */

static void draw_title(ig_app *app, char *title, char *note, size_t size)
{
    const ig_map *map = app->now->map;
    const char *plain = map && map->turned ? "axis " : "PC";
    char rows[IG_NUMBER_SIZE], total[IG_NUMBER_SIZE], name[IG_RUN_LABEL];
    int used;

    note[0] = '\0';
    if (!map) {
        snprintf(title, size, "map");
        return;
    }
    snprintf(name, sizeof name, "map");
    if (app->now->beside_run) /* whose it is */
        ig_run_label(app, app->now->shown_run, name);
    used = snprintf(title, size, "%s %s %s", name, ig_map_space_name(map->space),
                    map->unit ? "unit" : "raw");
    if (app->selection.count)
        used += snprintf(title + used, size - (size_t)used, " %s %s",
                         ig_count_format(rows, app->selection.count),
                         app->selection.isolated ? "alone" : "selected");
    if (map->rows < map->total)
        snprintf(title + used, size - (size_t)used, " sampled %s of %s",
                 ig_count_format(rows, map->rows), ig_count_format(total, map->total));
    snprintf(note, size, "%s%zu %.1f%%  %s%zu %.1f%%", plain, map->axis[0] + 1,
             100 * map->share[0], plain, map->axis[1] + 1, 100 * map->share[1]);
}

static bool same_meaning(const ig_set *set, uint32_t a, uint32_t b)
{
    return set->id[a] != IG_NO_ID && set->id[a] == set->id[b] &&
           set->lang[a] != set->lang[b];
}

/* From the cursor's point to its translations', in every series. */
static void draw_lines(ig_app *app, const ig_map *map, ig_rect plane, ig_view view)
{
    long point = ig_map_point(map, app->cursor);
    ig_style style = ig_style_of(IG_COLOUR_LINK, 0);

    if (!app->lines || !app->set->has_ids || point < 0)
        return;
    for (size_t i = 0; i < map->rows; i++) {
        uint32_t row = map->row ? map->row[i] : (uint32_t)i;

        if (!same_meaning(app->set, app->cursor, row) || !ig_colouring_shows(app, row))
            continue;
        for (size_t s = 0; s < map->series; s++)
            ig_scatter_line(&app->canvas, plane, view, map->xy[s][2 * point],
                            map->xy[s][2 * point + 1], map->xy[s][2 * i],
                            map->xy[s][2 * i + 1], style);
    }
}

static void draw_cursor(ig_app *app, const ig_map *map, ig_rect plane, ig_view view)
{
    long point = ig_map_point(map, app->cursor);

    for (size_t s = 0; point >= 0 && s < map->series; s++)
        ig_scatter_mark(
            &app->canvas, plane, view, map->xy[s][2 * point], map->xy[s][2 * point + 1],
            s == app->cursor_of % map->series ? IG_GLYPH_CURSOR : IG_GLYPH_CIRCLE,
            ig_style_of(IG_COLOUR_CURSOR, IG_BOLD));
}

void ig_map_points_draw(ig_app *app, const ig_map *map, ig_rect plane, ig_view view,
                        ig_scatter *scatter)
{
    ig_rect clip = ig_canvas_clip(&app->canvas, plane);
    ig_series series[2];
    size_t n = ig_map_series(app, map, series);

    draw_lines(app, map, plane, view);
    ig_scatter_draw(scatter, &app->canvas, plane, view, series, n, 0, NULL);
    draw_cursor(app, map, plane, view);
    app->canvas.clip = clip;
}

void ig_map_draw(ig_app *app)
{
    const ig_slot *slot = &app->layout.panel[IG_PANEL_MAP];
    const ig_map *map = app->now->map;
    char title[160], note[160];
    ig_rect plane, legend, frame, beside;

    if (ig_rect_empty(slot->rect))
        return;
    draw_title(app, title, note, sizeof title);
    ig_beside_halves(app, &frame, &beside);
    ig_frame_draw(&app->canvas, frame, slot->edges, title, note,
                  app->settings.focus == IG_PANEL_MAP);
    ig_beside_draw(app);
    ig_map_places(app, &plane, &legend);
    if (!map) {
        ig_canvas_text(&app->canvas, plane.row + plane.rows / 2, plane.col + 2,
                       plane.cols - 2, "computing the map …",
                       ig_style_of(IG_COLOUR_DIM, 0));
        return;
    }
    ig_map_points_draw(app, map, plane, app->view, &app->scatter);
    ig_box_draw(app);
    ig_legend_draw(&app->canvas, legend, app->colours.legend, app->colours.items,
                   IG_NO_ITEM);
}
