/* The map panel: views, box, keys, mouse and frame. */
#include "explorer/panels/map_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/overlay.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/playback.h"
#include "explorer/provenance.h"
#include "explorer/selection.h"

static const double MARGIN = 0.05;
static const double OTHER_SPAN = 0.4, LAYOUT_SPAN = 0.8; /* seconds */

enum {
    MIN_COLS = 44,     /* of a frame for two maps side by side */
    EASED_MAX = 20000, /* points that are animated: more take too long a frame */
    STEP_ROWS = 4,     /* of the corner of a box by the pan keys */
    STEP_COLS = 8
};

/* The parts of the panel; empty: not there. */
struct places {
    ig_rect frame[2], plane[2];
    ig_rect legend;
};

ig_map_state *ig_map_of(const ig_app *app)
{
    return ig_app_state(app, &ig_map_panel);
}

const ig_map *ig_map_in(const ig_app *app, int half)
{
    return half ? app->now->compared_map : app->now->map;
}

static struct places find_places(const ig_app *app)
{
    ig_pane pane = ig_app_pane(app, &ig_map_panel);
    const ig_colouring *c = app->colouring;
    struct places p = {.frame = {pane.rect}};
    ig_rect inside = pane.inside;
    int lines, most;

    if (app->now->compares && pane.rect.cols >= MIN_COLS &&
        (pane.edges & IG_EDGE_ALL) == IG_EDGE_ALL) { /* with a shared border */
        p.frame[0].cols = pane.rect.cols / 2;
        p.frame[1] = ig_rect_inset(pane.rect, 0, 0, 0, p.frame[0].cols - 1);
        p.plane[1] = ig_frame_inside(p.frame[1], IG_EDGE_ALL);
        inside = ig_frame_inside(p.frame[0], IG_EDGE_ALL);
    }
    lines = ig_legend_lines(&c->legend, inside.cols);
    most = inside.rows / (c->choice && !c->steps ? 4 : 5);
    lines = lines < most ? lines : most;
    p.legend = ig_rect_inset(inside, inside.rows - lines, 0, 0, 0);
    p.plane[0] = ig_rect_inset(inside, 0, 0, lines, 0);
    return p;
}

/* --- points ----------------------------------------------------------------------- */

long ig_map_point(const ig_map *map, uint32_t row)
{
    size_t point = row;

    if (map->row)
        point = ig_array_find(map->row, map->rows, row);
    return point < map->rows && (!map->row || map->row[point] == row) ? (long)point
                                                                      : -1;
}

static uint32_t row_of(const ig_map *map, size_t point)
{
    return map->row ? map->row[point] : (uint32_t)point;
}

ig_scatter ig_map_scatter(const ig_app *app, const ig_map *map)
{
    const ig_colouring *c = app->colouring;
    uint64_t serial = map->serial;
    ig_scatter out = {.count = map->rows,
                      .row = map->row,
                      .series = map->series,
                      .groups = c->groups,
                      .of = c->drawn,
                      .group = c->group,
                      .steps = c->steps,
                      .generation = serial << 32 |
                                    (serial ? (uint32_t)c->drawings : 0)};

    for (size_t i = 0; i < map->series; i++)
        out.of_series[i] = (ig_series){
            .name = map->space == IG_MAP_XY ? ig_map_space_name(map->space)
                                            : ig_space_name(map->of[i]),
            .xy = map->xy[i],
            .grouped = !c->steps && map->of[i] != (c->choice ? IG_SPACE_LANGUAGE
                                                             : IG_SPACE_MEANING)};
    return out;
}

/* Position of the cursor's row in a half; false: not in it. */
static bool find_cursor(const ig_app *app, int half, double *x, double *y)
{
    const ig_map *map = ig_map_in(app, half);
    long point = map ? ig_map_point(map, app->cursor) : -1;
    const float *xy;

    if (point < 0)
        return false;
    xy = map->xy[ig_map_of(app)->series % map->series] + 2 * point;
    *x = (double)xy[0];
    *y = (double)xy[1];
    return true;
}

/* --- animation -------------------------------------------------------------------- */

/* Move the points of a half to where they are at `now`. */
static void move_half(ig_app *app, int half, double now)
{
    ig_map_half *h = &ig_map_of(app)->half[half];
    const ig_map *map = ig_map_in(app, half);
    double t = h->span > 0 ? fmax(0, (now - h->begun) / h->span) : 1;
    float part = t < 1 ? (float)(t * t * (3 - 2 * t)) : 1; /* ease in and out */

    if (h->span > 0 && map && map->serial == h->of)
        for (size_t i = 0; i < 2 * map->rows * map->series; i++)
            h->at[i] = h->from[i] + part * (map->xy[0][i] - h->from[i]);
    if (t >= 1)
        h->span = 0;
}

bool ig_map_moves(const ig_app *app)
{
    return ig_map_of(app)->half[0].span > 0 || ig_map_of(app)->half[1].span > 0;
}

bool ig_map_move(ig_app *app)
{
    bool moved = ig_map_moves(app);

    for (int i = 0; i < 2; i++)
        move_half(app, i, app->clock());
    return moved;
}

void ig_map_rest(ig_app *app)
{
    for (int i = 0; i < 2; i++)
        move_half(app, i, INFINITY);
}

/* Take another map. If it has all rows, as the one before, its points start where they
 * are drawn in the view `before`, at the same screen position in the view now. A new
 * series starts from the one of its space or the first. */
static void start_moving(ig_app *app, ig_map_half *h, const ig_map *map, ig_view before,
                         double span)
{
    bool eased = !map->row && map->rows <= EASED_MAX;
    bool moves = eased && span > 0 && h->at && h->map.rows == map->rows;
    size_t each = 2 * map->rows, n = each * map->series;
    float *from = eased ? ig_alloc(2, n * sizeof *from) : NULL;
    double across = (h->view.xmax - h->view.xmin) / (before.xmax - before.xmin);
    double down = (h->view.ymax - h->view.ymin) / (before.ymax - before.ymin);

    for (size_t i = 0; from && i < n; i += 2) {
        size_t s = i / each;
        size_t like = h->map.series > 1 && h->map.of[1] == map->of[s] ? each : 0;
        const float *p = moves ? h->at + like + i % each : map->xy[0] + i;

        from[i] = moves ? (float)(h->view.xmin + ((double)p[0] - before.xmin) * across)
                        : p[0];
        from[i + 1] =
            moves ? (float)(h->view.ymin + ((double)p[1] - before.ymin) * down) : p[1];
    }
    ig_free(h->from);
    h->from = from;
    h->at = from ? from + n : NULL;
    h->of = map->serial;
    h->begun = app->clock();
    h->span = from && moves ? span : 0;
    if (from)
        memcpy(h->at, from, n * sizeof *from);
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

/* Fit the view of a half if its map has changed. */
static void fit_half(ig_app *app, int half)
{
    ig_map_state *m = ig_map_of(app);
    ig_map_half *h = &m->half[half];
    const ig_map *map = ig_map_in(app, half);
    unsigned run = half ? app->now->compared_run : 0;
    bool other = map && (h->run != run || !ig_map_same_view(&h->map, map));
    bool begun = h->map.serial;
    ig_view all, before = h->view;
    ig_scatter scatter;
    double span = 0; /* of other maps, and of steps to past epochs and versions */

    if (!map || (h->map.serial == map->serial && !other))
        return;
    if (begun && other && half == 0)
        m->view_is_mine = false;
    scatter = ig_map_scatter(app, map);
    if (app->selection->isolated) /* rows hidden only by it count */
        scatter.of = app->colouring->of;
    all = ig_view_fit(&scatter, MARGIN);
    if (!begun || other) {
        h->view = all;
    } else if (!m->view_is_mine) {
        settle_axis(&h->view.xmin, &h->view.xmax, all.xmin, all.xmax);
        settle_axis(&h->view.ymin, &h->view.ymax, all.ymin, all.ymax);
    }
    if (begun && h->run == run)
        span = map->layout ? LAYOUT_SPAN
               : other     ? OTHER_SPAN
               : app->now->looking || h->map.version != map->version
                   ? ig_replay_span(app)
                   : 0;
    if (app->options.motion && h->of != map->serial)
        start_moving(app, h, map, before, span);
    h->run = run;
    h->map = *map;
}

static void fit_maps(ig_app *app)
{
    fit_half(app, 0);
    fit_half(app, 1);
}

static void fit_all(ig_app *app)
{
    ig_map_state *m = ig_map_of(app);

    m->view_is_mine = false;
    m->half[0].map.serial = m->half[1].map.serial = 0;
    fit_maps(app);
}

bool ig_map_leave_view(ig_app *app)
{
    bool mine = ig_map_of(app)->view_is_mine;

    if (mine)
        fit_all(app);
    return mine;
}

/* Zoom both maps by the same factor: about the cursor, or their middles; the first
 * about the point `at` if it is given. */
static void zoom_maps(ig_app *app, double factor, const double at[2])
{
    for (int i = 0; i < 2; i++) {
        ig_view *view = &ig_map_of(app)->half[i].view;
        double x = (view->xmin + view->xmax) / 2, y = (view->ymin + view->ymax) / 2;

        find_cursor(app, i, &x, &y);
        if (ig_map_in(app, i))
            *view = ig_view_zoom(*view, factor, i == 0 && at ? at[0] : x,
                                 i == 0 && at ? at[1] : y);
    }
    ig_map_of(app)->view_is_mine = true;
}

static void pan_maps(ig_app *app, double right, double up)
{
    for (int i = 0; i < 2; i++)
        if (ig_map_in(app, i))
            ig_map_of(app)->half[i].view =
                ig_view_pan(ig_map_of(app)->half[i].view, right, up);
    ig_map_of(app)->view_is_mine = true;
}

/* --- box -------------------------------------------------------------------------- */

/* The box on the canvas, within the plane. */
static ig_rect box_of(const ig_app *app)
{
    const ig_map_box *b = &ig_map_of(app)->box;
    int row = ig_min_int(b->row[0], b->row[1]), col = ig_min_int(b->col[0], b->col[1]);
    ig_rect box = {row, col, abs(b->row[1] - b->row[0]) + 1,
                   abs(b->col[1] - b->col[0]) + 1};

    return ig_rect_clip(box, find_places(app).plane[0]);
}

/* Set the box and select the rows that have a visible point in it. While the mouse
 * drags it, it gets all mouse events. */
static void set_box(ig_app *app, ig_map_box box)
{
    ig_map_state *m = ig_map_of(app);
    ig_rect plane = find_places(app).plane[0], in;
    const ig_map *map = app->now->map;
    bool *rows = box.on && map ? ig_alloc(app->set->rows, sizeof *rows) : NULL;
    int row = ig_min_int(box.row[1], plane.row + plane.rows - 1);
    int col = ig_min_int(box.col[1], plane.col + plane.cols - 1);

    box.row[1] = ig_max_int(row, plane.row);
    box.col[1] = ig_max_int(col, plane.col);
    if (box.on && !m->box.on && app->selection->isolated) /* of all rows */
        ig_selection_isolate(app);
    box.plane = plane;
    m->box = box;
    app->grabs = box.dragged ? &ig_map_panel : NULL;
    in = box_of(app);
    for (size_t i = 0; rows && i < map->rows; i++)
        for (size_t s = 0; s < map->series; s++)
            rows[row_of(map, i)] |=
                ig_view_cell(m->half[0].view, plane, (double)map->xy[s][2 * i],
                             (double)map->xy[s][2 * i + 1], &row, &col) &&
                ig_rect_has(in, row, col) && ig_colouring_shows(app, row_of(map, i));
    if (box.on && map)
        ig_selection_take(app, rows);
}

bool ig_map_leave_box(ig_app *app)
{
    bool on = ig_map_of(app)->box.on && app->focus == &ig_map_panel;

    if (on)
        set_box(app, (ig_map_box){0});
    if (on)
        ig_selection_clear(app);
    return on;
}

/* Note what was selected, and end the box. */
static void close_box(ig_app *app)
{
    set_box(app, ig_map_of(app)->box);
    set_box(app, (ig_map_box){0});
}

/* Begin a box at the cursor. */
static void open_box(ig_app *app)
{
    ig_rect plane = find_places(app).plane[0];
    int row = plane.row + plane.rows / 2, col = plane.col + plane.cols / 2;
    double x, y;

    ig_app_focus(app, &ig_map_panel);
    if (find_cursor(app, 0, &x, &y))
        ig_view_cell(ig_map_of(app)->half[0].view, plane, x, y, &row, &col);
    set_box(app, (ig_map_box){.on = true, .row = {row, row}, .col = {col, col}});
}

/* The second mouse button begins a box; the first one drags the corners of one. False:
 * not handled. */
static bool drag_box(ig_app *app, ig_key key, ig_rect plane)
{
    ig_map_box b = ig_map_of(app)->box;
    bool begins = key.mouse == IG_MOUSE_SECOND || (b.on && key.mouse == IG_MOUSE_PRESS);

    if (b.dragged && key.mouse == IG_MOUSE_RELEASE) {
        close_box(app);
        return true;
    }
    if (begins && ig_rect_has(plane, key.row, key.col))
        b = (ig_map_box){.on = true, .row = {key.row}, .col = {key.col}};
    else if (!b.dragged || key.mouse != IG_MOUSE_DRAG)
        return false;
    b.dragged = true;
    b.row[1] = key.row;
    b.col[1] = key.col;
    set_box(app, b);
    return true;
}

static bool hint_box(const ig_app *app, char *out, size_t size)
{
    const ig_map_box *b = &ig_map_of(app)->box;

    if (b->on)
        snprintf(out, size, "%s|Esc cancel",
                 b->dragged ? "release: select" : "Enter select|arrows HJKL resize");
    return b->on;
}

/* --- keys ------------------------------------------------------------------------- */

static void move_cursor(ig_app *app, ig_direction direction)
{
    const ig_map *map = app->now->map;
    ig_map_state *m = ig_map_of(app);
    long point = map ? ig_map_point(map, app->cursor) : -1;
    ig_rect plane = find_places(app).plane[0];
    ig_scatter scatter;
    ig_hit hit;

    if (!map)
        return;
    scatter = ig_map_scatter(app, map);
    if (point < 0 ? ig_scatter_nearest(&scatter, m->half[0].view, plane,
                                       plane.row + plane.rows / 2,
                                       plane.col + plane.cols / 2, &hit)
                  : ig_scatter_toward(&scatter, m->half[0].view, plane,
                                      (ig_hit){m->series % map->series, (size_t)point},
                                      direction, &hit)) {
        m->series = hit.series;
        ig_app_go(app, row_of(map, hit.point));
    }
}

/* Move the cursor, the corner of a box, or the view, by the arrows or the pan keys. */
static void move_by(ig_app *app, ig_action action)
{
    static const struct {
        int right, down;
        ig_direction to;
    } ways[] = {{-1, 0, IG_LEFT}, {0, 1, IG_DOWN}, {0, -1, IG_UP}, {1, 0, IG_RIGHT}};
    bool pans = action >= IG_ACT_PAN_LEFT;
    unsigned way = action - (pans ? IG_ACT_PAN_LEFT : IG_ACT_LEFT);
    int right = ways[way].right, down = ways[way].down;
    ig_map_box b = ig_map_of(app)->box;

    if (b.on && app->focus == &ig_map_panel) {
        b.row[1] += down * (pans ? STEP_ROWS : 1);
        b.col[1] += right * (pans ? STEP_COLS : 1);
        set_box(app, b);
    } else if (pans) {
        pan_maps(app, 0.15 * right, -0.15 * down);
    } else {
        move_cursor(app, ways[way].to);
    }
}

static bool act_on_map(ig_app *app, ig_action action)
{
    ig_map_state *m = ig_map_of(app);
    size_t rows = app->set->rows;

    switch (action) {
    case IG_ACT_LEFT:
    case IG_ACT_DOWN:
    case IG_ACT_UP:
    case IG_ACT_RIGHT:
    case IG_ACT_PAN_LEFT:
    case IG_ACT_PAN_DOWN:
    case IG_ACT_PAN_UP:
    case IG_ACT_PAN_RIGHT:
        move_by(app, action);
        break;
    case IG_ACT_FIRST:
        ig_app_go(app, 0);
        break;
    case IG_ACT_LAST:
        ig_app_go(app, (uint32_t)(rows - 1));
        break;
    case IG_ACT_PAGE_DOWN:
        ig_app_go(app, (uint32_t)(((size_t)app->cursor + 1) % rows));
        break;
    case IG_ACT_PAGE_UP:
        ig_app_go(app, (uint32_t)((app->cursor + rows - 1) % rows));
        break;
    case IG_ACT_ENTER:
        if (m->box.on && app->focus == &ig_map_panel)
            close_box(app);
        else
            ig_app_focus(app, &ig_neighbours_panel);
        break;
    case IG_ACT_BOX:
        open_box(app);
        break;
    case IG_ACT_LINES:
        m->lines = !m->lines;
        break;
    case IG_ACT_ZOOM_IN:
    case IG_ACT_ZOOM_OUT:
        zoom_maps(app, action == IG_ACT_ZOOM_IN ? 0.7 : 1 / 0.7, NULL);
        break;
    case IG_ACT_FIT:
        fit_all(app);
        break;
    default:
        return false;
    }
    return true;
}

/* --- mouse ------------------------------------------------------------------------ */

/* Toggle a group of the legend, or move the cursor to the nearest point. */
static void press_cell(ig_app *app, ig_key key, const struct places *p)
{
    ig_map_state *m = ig_map_of(app);
    long group = ig_legend_at(p->legend, &app->colouring->legend, key.row, key.col);
    uint32_t before = app->cursor;

    m->drag_row = key.row;
    m->drag_col = key.col;
    m->pressed_again = false;
    if (group >= 0)
        ig_colouring_toggle(app, (size_t)group);
    for (int i = 0; i < 2; i++) {
        const ig_map *map = ig_map_in(app, i);
        ig_scatter scatter;
        ig_hit hit;

        if (!map || !ig_rect_has(p->plane[i], key.row, key.col))
            continue;
        scatter = ig_map_scatter(app, map);
        if (ig_scatter_nearest(&scatter, m->half[i].view, p->plane[i], key.row, key.col,
                               &hit)) {
            m->series = hit.series;
            ig_app_go(app, row_of(map, hit.point));
        }
        m->pressed_again = i == 0 && app->cursor == before;
    }
}

static void turn_wheel(ig_app *app, ig_key key, const struct places *p, bool up)
{
    double at[2];

    ig_view_point(ig_map_of(app)->half[0].view, p->plane[0], key.row, key.col, &at[0],
                  &at[1]);
    zoom_maps(app, up ? 0.8 : 1.25, at);
}

static void handle_mouse(ig_app *app, ig_key key)
{
    ig_map_state *m = ig_map_of(app);
    struct places p = find_places(app);

    if (ig_rect_empty(p.plane[0]) || drag_box(app, key, p.plane[0]) || app->grabs)
        return;
    switch (key.mouse) {
    case IG_MOUSE_PRESS:
        press_cell(app, key, &p);
        break;
    case IG_MOUSE_WHEEL_UP:
    case IG_MOUSE_WHEEL_DOWN:
        turn_wheel(app, key, &p, key.mouse == IG_MOUSE_WHEEL_UP);
        break;
    case IG_MOUSE_DRAG:
        pan_maps(app, (double)(m->drag_col - key.col) / p.plane[0].cols,
                 (double)(key.row - m->drag_row) / p.plane[0].rows);
        m->drag_row = key.row;
        m->drag_col = key.col;
        m->pressed_again = false;
        break;
    case IG_MOUSE_RELEASE:
        if (m->pressed_again && key.row == m->drag_row && key.col == m->drag_col)
            ig_inspect_open(app);
        m->pressed_again = false;
        break;
    case IG_MOUSE_SECOND:
        break;
    }
}

/* --- drawing ---------------------------------------------------------------------- */

/* The title and the note of the frame: what is shown, and the axes, with their shares
 * of the variance if these fit. */
static void describe_map(const ig_app *app, int cols, char *title, char *note,
                         size_t size)
{
    const ig_map *map = app->now->map;
    double done = ig_session_progress(app->now, IG_PRODUCT_MAP);
    char x[IG_MAP_AXES_NAME], y[IG_MAP_AXES_NAME], rows[IG_NUMBER_SIZE],
        name[IG_RUN_LABEL] = "map";

    note[0] = '\0';
    if (map && app->now->compares) /* of which run or version */
        ig_side_label(app, 0, name);
    snprintf(title, size, "%s", name);
    if (!map)
        return;
    ig_text_append(title, size, " %s%s", ig_map_space_name(map->space),
                   map->space == IG_MAP_XY ? ""
                   : map->unit             ? " unit"
                                           : " raw");
    if (app->selection->set.count)
        ig_text_append(title, size, " %s %s",
                       ig_count_format(rows, app->selection->set.count),
                       app->selection->isolated ? "isolated" : "selected");
    if (done > 0)
        ig_text_append(title, size, ", %s %.0f%%",
                       app->view->layout ? "layout" : "exact", 100 * done);
    cols -= (int)strlen(title) + 7;
    ig_map_axes_name(app, map, 0, x);
    ig_map_axes_name(app, map, 1, y);
    snprintf(note, size, "%.60s %.1f%%  %.60s %.1f%%", x, 100 * map->share[0], y,
             100 * map->share[1]);
    if (map->axis_failure[0])
        snprintf(note, size, "%s", map->axis_failure);
    else if (map->layout)
        snprintf(note, size,
                 cols >= 38 ? "distances between islands mean nothing"
                            : "islands not to scale");
    else if (map->space == IG_MAP_XY || ig_text_columns(note) > cols)
        snprintf(note, size, "%.60s  %.60s", x, y);
}

static void draw_source(ig_app *app, const ig_map *map, ig_rect frame)
{
    char rows[IG_PROVENANCE], text[IG_PROVENANCE];

    if (map)
        ig_source_draw(
            app, frame, "",
            ig_provenance(app, map->run, map->version, map->epoch,
                          ig_sampled_rows(map->rows, map->total, "rows", rows), text));
}

static void draw_compared(ig_app *app, const struct places *p)
{
    const ig_map *map = app->now->compared_map;
    ig_rect frame = p->frame[1];
    char label[IG_RUN_LABEL];

    ig_frame_draw(&app->canvas, frame, IG_EDGE_ALL | IG_EDGE_JOIN,
                  ig_side_label(app, 1, label), NULL, false);
    draw_source(app, map, frame);
    /* The corners may be at the end of a note and of a source. */
    for (int i = 0; i < 2; i++)
        ig_canvas_put(
            &app->canvas, frame.row + i * (frame.rows - 1), frame.col,
            ig_glyphs_line(app->canvas.glyphs,
                           IG_ARM_LEFT | IG_ARM_RIGHT | (i ? IG_ARM_UP : IG_ARM_DOWN)),
            ig_style_of(IG_COLOUR_FRAME, 0));
    ig_map_draw_half(app, 1, p->plane[1]);
}

static void draw_box(ig_app *app)
{
    ig_rect box = box_of(app);

    if (box.rows == 1 && box.cols == 1)
        ig_canvas_put(&app->canvas, box.row, box.col,
                      ig_glyph_text(app->canvas.glyphs, IG_GLYPH_SQUARE_OPEN),
                      ig_style_of(IG_COLOUR_CURSOR, IG_BOLD));
    else
        ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, NULL, NULL, true);
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct places p = find_places(app);
    ig_map_state *m = ig_map_of(app);
    char title[160], note[160];

    if (memcmp(&m->box.plane, &p.plane[0], sizeof m->box.plane) != 0)
        set_box(app, (ig_map_box){0});
    describe_map(app, p.frame[0].cols, title, note, sizeof title);
    ig_frame_draw(&app->canvas, p.frame[0], pane->edges, title, note,
                  app->focus == &ig_map_panel);
    draw_source(app, app->now->map, p.frame[0]);
    if (!ig_rect_empty(p.frame[1]))
        draw_compared(app, &p);
    ig_map_draw_half(app, 0, p.plane[0]);
    if (!app->now->map)
        return;
    if (m->box.on && !ig_rect_empty(p.plane[0]))
        draw_box(app);
    ig_legend_draw(&app->canvas, p.legend, &app->colouring->legend);
}

/* --- the panel -------------------------------------------------------------------- */

static void open_state(ig_app *app)
{
    ig_map_of(app)->lines = true;
}

static void free_state(ig_app *app)
{
    ig_map_state *m = ig_map_of(app);

    for (int i = 0; i < 2; i++) {
        ig_scatter_free(&m->half[i].scatter);
        ig_free(m->half[i].from);
    }
}

const ig_panel ig_map_panel = {
    .name = "map",
    .about = "all rows on two exact principal components, or by nearest rows (U)",
    .reads =
        "Each dot is a sentence, coloured by language, on the two directions of "
        "greatest variance. Islands of one colour: the encoder groups sentences by "
        "language; a mixed, pale cloud: by meaning. A joint map has each sentence "
        "twice, its meaning in dots, its language in solid colours; on a layout "
        "(U) distances between islands mean nothing. Move with the arrows, press "
        "Space to train and v to switch the embeddings.",
    .role = IG_ROLE_MAIN,
    .frames = true,
    .state = sizeof(ig_map_state),
    .open = open_state,
    .close = free_state,
    .update = fit_maps,
    .act = act_on_map,
    .wheel = true,
    .mouse = handle_mouse,
    .keys = "b select|w picture|Enter neighbours",
    .draw = draw_panel,
    .hint = hint_box};
