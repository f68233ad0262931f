/* The map panel. */
#include "explorer/panels/map_panel.h"
#include "explorer/version_strip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/narration.h"
#include "explorer/overlay.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/playback.h"
#include "explorer/provenance.h"
#include "explorer/selection.h"
#include "view/axes.h"

static const double MARGIN = 0.05;
static const double OTHER_SPAN = 0.4, LAYOUT_SPAN = 0.8; /* seconds */

enum { MIN_COLS = 44 /* of a frame for two maps side by side */ };

ig_map_state *ig_map_of(const ig_app *app)
{
    return ig_app_state(app, &ig_map_panel);
}

/* --- series ----------------------------------------------------------------------- */

ig_scatter ig_map_scatter(const ig_app *app, const ig_map *map)
{
    const ig_colouring *c = app->colouring;
    const ig_selection *selected = app->selection;
    const ig_map_state *m = ig_map_of(app);
    bool linked = m->linked.link != IG_LINK_NONE, there = false;
    ig_scatter out = {.count = map->rows,
                      .row = map->row,
                      .series = map->series,
                      .groups = c->groups,
                      .of = c->drawn,
                      .group = c->name,
                      .colour = c->colour,
                      .letter = c->letter,
                      .shown = c->shown,
                      .steps = c->steps,
                      .generation = map->serial ? (uint64_t)map->serial << 32 |
                                                      (uint32_t)c->drawings
                                                : 0};

    for (size_t i = 0; i < map->series; i++)
        there |= map->of[i] == m->linked.space;
    for (size_t i = 0; i < map->series; i++)
        out.of_series[i] = (ig_series){
            .name = map->space == IG_MAP_XY ? ig_map_space_name(map->space)
                                            : ig_space_name(map->of[i]),
            .xy = map->xy[i],
            .grouped = !c->steps &&
                       map->of[i] != (c->choice ? IG_SPACE_LANGUAGE : IG_SPACE_MEANING),
            .marked = m->box.on && m->in_box ? m->boxed
                      : linked ? ig_linked_rows(&m->linked, map->of[i], there)
                      : selected->isolated || !selected->set.count ? NULL
                                                                   : selected->set.has};
    return out;
}

/* Position of the cursor's row in a map; false: not in it. */
static bool place_of_cursor(const ig_app *app, const ig_map *map, double *x, double *y)
{
    long point = map ? ig_map_point(map, app->cursor) : -1;
    const float *xy;

    if (point < 0)
        return false;
    xy = map->xy[ig_map_of(app)->series % map->series] + 2 * point;
    *x = xy[0];
    *y = xy[1];
    return true;
}

/* --- layout ----------------------------------------------------------------------- */

/* Split the frame for two maps with a shared border; *compared is empty for a single
 * map. */
static void split_frame(const ig_app *app, ig_rect *main, ig_rect *compared)
{
    ig_pane pane = ig_app_pane(app, &ig_map_panel);
    ig_rect all = pane.rect;

    *main = all;
    *compared = (ig_rect){0};
    if (!app->now->compares || all.cols < MIN_COLS ||
        (pane.edges & IG_EDGE_ALL) != IG_EDGE_ALL)
        return;
    main->cols = all.cols / 2;
    *compared = (ig_rect){all.row, all.col + main->cols - 1, all.rows,
                          all.cols - main->cols + 1};
}

/* Plane of the compared map. */
static ig_rect compared_plane(const ig_app *app)
{
    ig_rect main, compared;

    split_frame(app, &main, &compared);
    return ig_rect_empty(compared) ? compared : ig_frame_inside(compared, IG_EDGE_ALL);
}

void ig_map_places(const ig_app *app, ig_rect *plane, ig_rect *legend)
{
    const ig_colouring *c = app->colouring;
    ig_rect inside = ig_app_pane(app, &ig_map_panel).inside, half, compared;
    int lines, most;

    split_frame(app, &half, &compared);
    if (!ig_rect_empty(compared))
        inside = ig_frame_inside(half, IG_EDGE_ALL);
    lines = ig_legend_lines(inside.cols, c->legend, c->items);
    most = inside.rows / (c->choice && !c->steps ? 4 : 5);
    lines = lines < most ? lines : most;
    *legend = ig_rect_inset(inside, inside.rows - lines, 0, 0, 0);
    inside = ig_rect_inset(inside, 0, 0, lines, 0);
    *plane =
        ig_rect_inset(inside, 0, 0, app->versions.count > 1 && inside.rows >= 4, 0);
}

/* The strip of versions, between plane and legend. */
static ig_rect strip_of(const ig_app *app)
{
    ig_rect plane, legend;

    ig_map_places(app, &plane, &legend);
    return (ig_rect){plane.row + plane.rows, plane.col,
                     legend.row - plane.row - plane.rows, plane.cols};
}

void ig_map_next_legend(ig_app *app)
{
    ig_rect plane, legend;

    ig_map_places(app, &plane, &legend);
    ig_colouring_scroll(app, legend, 1);
}

/* --- the view --------------------------------------------------------------------- */

/* Keep an axis while it shows everything and is not much too long, so that the map does
 * not jitter. */
static void settle_axis(double *low, double *high, double new_low, double new_high)
{
    double margin = (new_high - new_low) * MARGIN / (1 + 2 * MARGIN);

    if (new_low + margin >= *low && new_high - margin <= *high &&
        new_high - new_low > 0.75 * (*high - *low))
        return;
    *low = new_low;
    *high = new_high;
}

/* Fit the view to all visible points; rows hidden only by the selection count until the
 * view is fitted to it. */
static ig_view fit_of(const ig_app *app, const ig_map *map)
{
    ig_scatter scatter = ig_map_scatter(app, map);

    if (app->selection->isolated && !ig_map_of(app)->fitted_to_alone)
        scatter.of = app->colouring->of;
    return ig_view_fit(&scatter, MARGIN);
}

/* Seconds of the animation between maps: for another space or axes, and steps to past
 * epochs and other versions. Training animates without it. */
static double span_of(const ig_app *app, const ig_map *map, bool other, bool steps)
{
    return map->layout ? LAYOUT_SPAN
           : other     ? OTHER_SPAN
           : steps     ? ig_replay_span(app)
                       : 0;
}

/* Fit a map's view if the map has changed. */
static void fit_half(ig_app *app, ig_map_half *half, const ig_map *map, unsigned run)
{
    ig_map_state *m = ig_map_of(app);
    bool other = half->run != run || !ig_map_same_view(&half->map, map);
    bool another = half->easing.serial != map->serial, begun = half->map.serial;
    bool steps = app->now->looking || half->map.version != map->version;
    ig_view all, before = half->view;

    if (half->map.serial == map->serial && !other)
        return;
    if (begun && other && half == &m->main)
        m->view_is_mine = false;
    all = fit_of(app, map);
    if (!begun || other) {
        half->view = all;
    } else if (!m->view_is_mine) {
        settle_axis(&half->view.xmin, &half->view.xmax, all.xmin, all.xmax);
        settle_axis(&half->view.ymin, &half->view.ymax, all.ymin, all.ymax);
    }
    if (app->options.motion && another)
        ig_easing_take(&half->easing, map, &before, &half->view, app->clock(),
                       begun && half->run == run ? span_of(app, map, other, steps) : 0);
    half->run = run;
    half->map = *map;
}

void ig_map_link(ig_app *app)
{
    ig_linked_update(app, &ig_map_of(app)->linked);
}

void ig_map_fit(ig_app *app, bool anew)
{
    ig_map_state *m = ig_map_of(app);

    if (anew)
        m->main.map.serial = m->compared.map.serial = 0;
    if (app->now->map)
        fit_half(app, &m->main, app->now->map, 0);
    if (app->now->compared_map)
        fit_half(app, &m->compared, app->now->compared_map, app->now->compared_run);
}

static void fit_maps(ig_app *app)
{
    ig_map_fit(app, false);
}

bool ig_map_moves(const ig_app *app)
{
    const ig_map_state *m = ig_map_of(app);

    return m->main.easing.span > 0 || m->compared.easing.span > 0;
}

bool ig_map_move(ig_app *app)
{
    ig_map_state *m = ig_map_of(app);
    double now = app->clock();
    bool moved = ig_map_moves(app);

    ig_easing_move(&m->main.easing, now);
    ig_easing_move(&m->compared.easing, now);
    return moved;
}

void ig_map_rest(ig_app *app)
{
    ig_map_of(app)->main.easing.span = ig_map_of(app)->compared.easing.span = 0;
}

/* Zoom both maps by the same factor: the first about a point, the other about the
 * cursor. */
static void zoom_maps(ig_app *app, double factor, double x, double y)
{
    ig_map_state *m = ig_map_of(app);
    ig_view *other = &m->compared.view;
    double at_x = (other->xmin + other->xmax) / 2,
           at_y = (other->ymin + other->ymax) / 2;

    m->main.view = ig_view_zoom(m->main.view, factor, x, y);
    if (app->now->compared_map) {
        place_of_cursor(app, app->now->compared_map, &at_x, &at_y);
        *other = ig_view_zoom(*other, factor, at_x, at_y);
    }
    m->view_is_mine = true;
}

static void pan_maps(ig_app *app, double right, double up)
{
    ig_map_state *m = ig_map_of(app);

    m->main.view = ig_view_pan(m->main.view, right, up);
    if (app->now->compared_map)
        m->compared.view = ig_view_pan(m->compared.view, right, up);
    m->view_is_mine = true;
}

static void fit_all(ig_app *app)
{
    ig_map_state *m = ig_map_of(app);

    m->view_is_mine = false;
    m->fitted_to_alone = app->selection->isolated;
    ig_map_fit(app, true);
}

bool ig_map_leave_view(ig_app *app)
{
    bool mine = ig_map_of(app)->view_is_mine;

    if (mine)
        fit_all(app);
    return mine;
}

void ig_map_isolate(ig_app *app)
{
    ig_map_state *m = ig_map_of(app);

    if (!ig_selection_isolate(app))
        return;
    if (!app->selection->isolated && m->fitted_to_alone && !m->view_is_mine)
        fit_all(app);
    m->fitted_to_alone = false;
}

static bool view_act(ig_app *app, ig_action action)
{
    const ig_view *view = &ig_map_of(app)->main.view;
    double right = (action == IG_ACT_PAN_RIGHT) - (action == IG_ACT_PAN_LEFT);
    double up = (action == IG_ACT_PAN_UP) - (action == IG_ACT_PAN_DOWN);
    double x = (view->xmin + view->xmax) / 2, y = (view->ymin + view->ymax) / 2;

    place_of_cursor(app, app->now->map, &x, &y);
    if (right != 0 || up != 0)
        pan_maps(app, 0.15 * right, 0.15 * up);
    else if (action == IG_ACT_ZOOM_IN)
        zoom_maps(app, 0.7, x, y);
    else if (action == IG_ACT_ZOOM_OUT)
        zoom_maps(app, 1 / 0.7, x, y);
    else if (action == IG_ACT_FIT)
        fit_all(app);
    else
        return false;
    return true;
}

static bool hint_box(const ig_app *app, char *out, size_t size)
{
    char count[IG_NUMBER_SIZE];
    size_t rows;

    if (!ig_map_of(app)->box.on)
        return false;
    rows = ig_map_of(app)->in_box;
    snprintf(out, size, "box of %s row%s|%s|Esc cancel", ig_count_format(count, rows),
             rows == 1 ? "" : "s",
             ig_map_of(app)->box.dragged
                 ? "release: select"
                 : "Enter select|arrows HJKL resize|b other corner");
    return true;
}

/* --- the cursor ------------------------------------------------------------------- */

static void go_to(ig_app *app, const ig_map *map, ig_hit hit)
{
    ig_map_of(app)->series = hit.series;
    ig_app_go(app, ig_map_row(map, hit.point));
}

static bool move_cursor(ig_app *app, ig_direction direction)
{
    const ig_map *map = app->now->map;
    const ig_map_state *m = ig_map_of(app);
    long point = map ? ig_map_point(map, app->cursor) : -1;
    ig_rect plane, legend;
    ig_scatter scatter;
    ig_hit hit;
    bool found;

    if (!map)
        return true;
    scatter = ig_map_scatter(app, map);
    ig_map_places(app, &plane, &legend);
    if (point < 0)
        found = ig_scatter_nearest(&scatter, m->main.view, plane,
                                   plane.row + plane.rows / 2,
                                   plane.col + plane.cols / 2, &hit);
    else
        found = ig_scatter_toward(&scatter, m->main.view, plane,
                                  (ig_hit){m->series % map->series, (size_t)point},
                                  direction, &hit);
    if (found)
        go_to(app, map, hit);
    return true;
}

static bool go_to_row(ig_app *app, size_t row)
{
    ig_app_go(app, (uint32_t)(row % app->set->rows));
    return true;
}

static bool act_on_map(ig_app *app, ig_action action)
{
    ig_map_state *m = ig_map_of(app);
    size_t rows = app->set->rows;

    if (m->box.on && app->focus == &ig_map_panel && ig_box_act(app, action))
        return true;
    switch (action) {
    case IG_ACT_LEFT:
        return ig_talk_step(app, -1) || move_cursor(app, IG_LEFT);
    case IG_ACT_RIGHT:
        return ig_talk_step(app, 1) || move_cursor(app, IG_RIGHT);
    case IG_ACT_UP:
        return move_cursor(app, IG_UP);
    case IG_ACT_DOWN:
        return move_cursor(app, IG_DOWN);
    case IG_ACT_FIRST:
        return go_to_row(app, 0);
    case IG_ACT_LAST:
        return go_to_row(app, rows - 1);
    case IG_ACT_PAGE_DOWN:
        return go_to_row(app, (size_t)app->cursor + 1);
    case IG_ACT_PAGE_UP:
        return go_to_row(app, app->cursor + rows - 1);
    case IG_ACT_ENTER:
        ig_app_focus(app, &ig_neighbours_panel);
        return true;
    case IG_ACT_BOX:
        ig_map_open_box(app);
        return true;
    case IG_ACT_LINES:
        m->lines = !m->lines;
        return true;
    default:
        return view_act(app, action);
    }
}

/* Move the cursor to the point nearest to a cell of a map's plane. */
static void go_to_nearest(ig_app *app, const ig_map *map, ig_view view, ig_rect plane,
                          ig_key key)
{
    ig_scatter scatter;
    ig_hit hit;

    if (!map)
        return;
    scatter = ig_map_scatter(app, map);
    if (ig_scatter_nearest(&scatter, view, plane, key.row, key.col, &hit)) {
        uint32_t before = app->cursor;

        go_to(app, map, hit);
        ig_app_came(app, before);
    }
}

static void press_map(ig_app *app, ig_key key, ig_rect plane, ig_rect legend)
{
    ig_map_state *m = ig_map_of(app);
    long group = ig_colouring_at(app, legend, key.row, key.col);

    m->drag_row = m->press_row = key.row;
    m->drag_col = m->press_col = key.col;
    m->pressed_again = false;
    if (group >= 0) {
        ig_colouring_toggle(app, (size_t)group);
    } else if (ig_rect_has(plane, key.row, key.col)) {
        uint32_t before = app->cursor;

        go_to_nearest(app, app->now->map, m->main.view, plane, key);
        m->pressed_again = app->cursor == before;
    }
}

static void handle_mouse(ig_app *app, ig_key key)
{
    ig_map_state *m = ig_map_of(app);
    ig_rect plane, legend, other = compared_plane(app);
    double x, y;

    if (app->grabs) {
        ig_box_mouse(app, key);
        return;
    }
    ig_map_places(app, &plane, &legend);
    if (ig_rect_empty(plane))
        return;
    if (key.mouse == IG_MOUSE_PRESS && ig_rect_has(other, key.row, key.col)) {
        go_to_nearest(app, app->now->compared_map, m->compared.view, other, key);
        return;
    }
    if (ig_box_mouse(app, key))
        return;
    if (key.mouse == IG_MOUSE_PRESS && ig_rect_has(strip_of(app), key.row, key.col)) {
        ig_version_strip_click(app, strip_of(app), key.col);
        return;
    }
    if (ig_rect_has(legend, key.row, key.col) &&
        (key.mouse == IG_MOUSE_WHEEL_UP || key.mouse == IG_MOUSE_WHEEL_DOWN)) {
        ig_colouring_scroll(app, legend, key.mouse == IG_MOUSE_WHEEL_UP ? -1 : 1);
        return;
    }
    ig_view_point(m->main.view, plane, key.row, key.col, &x, &y);
    switch (key.mouse) {
    case IG_MOUSE_PRESS:
        press_map(app, key, plane, legend);
        break;
    case IG_MOUSE_WHEEL_UP:
        zoom_maps(app, 0.8, x, y);
        break;
    case IG_MOUSE_WHEEL_DOWN:
        zoom_maps(app, 1.25, x, y);
        break;
    case IG_MOUSE_DRAG:
        pan_maps(app, (double)(m->drag_col - key.col) / plane.cols,
                 (double)(key.row - m->drag_row) / plane.rows);
        m->drag_row = key.row;
        m->drag_col = key.col;
        break;
    case IG_MOUSE_RELEASE:
        if (m->pressed_again && key.row == m->press_row && key.col == m->press_col)
            ig_inspect_open(app);
        m->pressed_again = false;
        break;
    case IG_MOUSE_SECOND:
        break;
    }
}

/* --- drawing ---------------------------------------------------------------------- */

/* Name the axes, with their shares of the variance if these fit. */
static void describe_axes(const ig_app *app, const ig_map *map, int cols, char *note,
                          size_t size)
{
    char x[IG_MAP_AXES_NAME], y[IG_MAP_AXES_NAME];

    ig_map_axes_name(app, map, 0, x);
    ig_map_axes_name(app, map, 1, y);
    if (map->axis_failure[0]) {
        snprintf(note, size, "%s", map->axis_failure);
        return;
    }
    if (map->layout) {
        static const char *const says[] = {"distances between islands mean nothing",
                                           "islands not to scale", "not to scale"};
        size_t i = 0;

        while (i < 2 && (int)strlen(says[i]) > cols)
            i++;
        snprintf(note, size, "%s", says[i]);
        return;
    }
    if (map->space != IG_MAP_XY)
        snprintf(note, size, "%.60s %.1f%%  %.60s %.1f%%", x, 100 * map->share[0], y,
                 100 * map->share[1]);
    if (!*note || ig_text_columns(note) > cols)
        snprintf(note, size, "%.60s  %.60s", x, y);
}

/* Title and note of a frame of `cols` columns. */
static void describe_map(const ig_app *app, int cols, char *title, char *note,
                         size_t size)
{
    const ig_map *map = app->now->map;
    char rows[IG_NUMBER_SIZE], name[IG_RUN_LABEL];

    note[0] = '\0';
    if (!map) {
        snprintf(title, size, "map");
        return;
    }
    snprintf(name, sizeof name, "map");
    if (app->now->compares) /* of which run or version */
        ig_side_label(app, 0, name);
    snprintf(title, size, "%s %s%s", name, ig_map_space_name(map->space),
             map->space == IG_MAP_XY ? ""
             : map->unit             ? " unit"
                                     : " raw");
    if (app->selection->set.count)
        ig_text_append(title, size, " %s %s",
                       ig_count_format(rows, app->selection->set.count),
                       app->selection->isolated ? "isolated" : "selected");
    if (ig_session_progress(app->now, IG_PRODUCT_MAP) > 0)
        ig_text_append(title, size, ", %s %.0f%%",
                       app->view->layout ? "layout" : "exact",
                       100 * ig_session_progress(app->now, IG_PRODUCT_MAP));
    describe_axes(app, map, cols - (int)strlen(title) - 7, note, size);
}

/* Draw points, cursor and lines, or why there is no map. */
static void draw_points(ig_app *app, const ig_map *map, ig_result_id product,
                        ig_rect plane, ig_map_half *half)
{
    ig_rect clip = ig_canvas_clip(&app->canvas, plane);
    const char *why = map ? NULL
                          : ig_session_waits(app->now, product, "computing the map …");
    ig_map_plane on = {map, &half->easing, half->view, plane, ig_map_of(app)->series};

    if (map) {
        ig_scatter scatter = ig_map_scatter(app, map);

        if (half->easing.span > 0) {
            for (size_t i = 0; i < map->series; i++)
                scatter.of_series[i].xy = ig_easing_xy(&half->easing, map, i);
            scatter.generation = 0; /* still being computed */
        } else if (map->layout) {
            ig_islands_update(app, map, &half->islands);
            scatter.places = half->islands.places.count ? &half->islands.places : NULL;
        }
        if (ig_map_of(app)->lines)
            ig_map_lines_draw(app, &on);
        if (ig_scatter_draw(&half->scatter, &app->canvas, plane, half->view, &scatter,
                            NULL) != IG_OK)
            why = "out of memory for the map";
        ig_map_marks_draw(app, &on, &ig_map_of(app)->linked, &scatter);
    }
    app->canvas.clip = clip;
    if (why)
        ig_canvas_wrap(&app->canvas,
                       ig_rect_inset(plane, plane.rows / 2, 0, plane.rows / 4, 2), why,
                       ig_dim);
}

static void draw_source(ig_app *app, const ig_map *map, ig_rect frame)
{
    char rows[IG_PROVENANCE], text[IG_PROVENANCE];

    if (map)
        ig_source_draw(
            app, frame,
            ig_provenance(app, map->run, map->version, map->epoch,
                          ig_sampled_rows(map->rows, map->total, "rows", rows), text));
}

static void draw_compared(ig_app *app, ig_rect main, ig_rect frame)
{
    const ig_map *map = app->now->compared_map;
    char label[IG_RUN_LABEL], title[IG_RUN_LABEL + 32];

    snprintf(title, sizeof title, "%s", ig_side_label(app, 1, label));
    ig_frame_draw(&app->canvas, frame, IG_EDGE_ALL | IG_EDGE_JOIN, title, NULL, false);
    draw_source(app, map, frame);
    if (frame.row == main.row) /* redraw the corner over the end of a note */
        ig_canvas_put(&app->canvas, frame.row, frame.col,
                      ig_glyphs_line(app->canvas.glyphs,
                                     IG_ARM_LEFT | IG_ARM_RIGHT | IG_ARM_DOWN),
                      ig_style_of(IG_COLOUR_FRAME, 0));
    draw_points(app, map, IG_PRODUCT_MAP_COMPARED, compared_plane(app),
                &ig_map_of(app)->compared);
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    char title[160], note[160];
    ig_rect plane, legend, frame, compared;

    split_frame(app, &frame, &compared);
    describe_map(app, frame.cols, title, note, sizeof title);
    ig_frame_draw(&app->canvas, frame, pane->edges, title, note,
                  app->focus == &ig_map_panel);
    draw_source(app, app->now->map, frame);
    if (!ig_rect_empty(compared))
        draw_compared(app, frame, compared);
    ig_map_places(app, &plane, &legend);
    if (app->versions.count > 1)
        ig_version_strip_draw(app, strip_of(app));
    ig_box_mark(app);
    draw_points(app, app->now->map, IG_PRODUCT_MAP, plane, &ig_map_of(app)->main);
    if (!app->now->map)
        return;
    ig_box_draw(app);
    ig_colouring_draw(app, legend);
}

/* --- the panel -------------------------------------------------------------------- */

static void open_state(ig_app *app)
{
    ig_map_of(app)->lines = true;
    ig_map_of(app)->linked.chosen = IG_NO_ROW;
}

static void free_state(ig_app *app)
{
    ig_free(ig_map_of(app)->linked.row);
    ig_scatter_free(&ig_map_of(app)->main.scatter);
    ig_scatter_free(&ig_map_of(app)->compared.scatter);
    ig_free(ig_map_of(app)->boxed);
    ig_easing_free(&ig_map_of(app)->main.easing);
    ig_easing_free(&ig_map_of(app)->compared.easing);
}

/* The map that is on the screen; NULL: the principal components of the original. */
static const char *describe_view(const ig_app *app)
{
    static const char *const spaces[IG_MAP_SPACES] = {
        [IG_MAP_MEANING] =
            "Each dot is the meaning embedding of a sentence, each colour a language. "
            "Where the languages mix, translations are neighbours. Press the arrow "
            "keys to move from sentence to sentence.",
        [IG_MAP_LANGUAGE] =
            "Each dot is the language embedding of a sentence, each colour a language. "
            "Languages should be apart. Press the arrow keys to move from sentence to "
            "sentence.",
        [IG_MAP_JOINT] =
            "Each sentence is here twice: its meaning embedding in dots, where "
            "languages should mix, and its language embedding in solid colours, where "
            "they should be apart. Press the arrow keys to move.",
        [IG_MAP_XY] = "Each dot is a sentence, each colour a language, at the x and y "
                      "of the dataset. Press the arrow keys to move from sentence to "
                      "sentence."};
    const ig_map *map = app->now->map;

    if (map && map->layout)
        return "Each dot is a sentence, each colour a language, close to the rows "
               "nearest to it: islands are groups, the distances between them mean "
               "nothing. Press the arrow keys to move from sentence to sentence.";
    return map && (map->space != IG_MAP_JOINT || map->series == 2) ? spaces[map->space]
                                                                   : NULL;
}

const ig_panel ig_map_panel = {
    .name = "map",
    .about = "all rows on two exact principal components, or by nearest rows (U)",
    .reads = "Each dot is a sentence, coloured by language, on the two directions "
             "of greatest variance. Islands of one colour mean that the encoder "
             "groups sentences by language; a mixed, pale cloud means that it "
             "groups them by meaning. Move with the arrows, press Space to train "
             "and v to switch the embeddings.",
    .role = IG_ROLE_MAIN,
    .frames = true,
    .state = sizeof(ig_map_state),
    .open = open_state,
    .close = free_state,
    .update = fit_maps,
    .describe = describe_view,
    .act = act_on_map,
    .wheel = true,
    .mouse = handle_mouse,
    .keys = "b select|w picture|Enter neighbours",
    .draw = draw_panel,
    .hint = hint_box};
