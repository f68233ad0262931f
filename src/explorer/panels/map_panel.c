/* The map panel: views, box, keys, mouse and frame. */
#include "explorer/panels/map_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/provenance.h"
#include "explorer/selection.h"

static const double MARGIN = 0.05;
static const double EPOCH_SPAN = 0.2, OTHER_SPAN = 0.4, LONG_SPAN = 0.8; /* seconds */

enum {
    MIN_COLS = 41,     /* of a frame for two maps side by side */
    EASED_MAX = 20000, /* points that are animated: more take too long a frame */
    STEP_ROWS = 4,     /* of the corner of a box by the pan keys */
    STEP_COLS = 8
};

/* The parts of the panel; empty: not there. */
struct planes {
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

static struct planes find_planes(const ig_app *app)
{
    ig_pane pane = ig_app_pane(app, &ig_map_panel);
    struct planes p = {.frame = {pane.rect}};
    ig_rect in = pane.inside;
    int lines;

    if (ig_session_compares_maps(app->now) &&
        pane.rect.cols >= MIN_COLS) { /* with a shared border */
        p.frame[0].cols = pane.rect.cols / 2;
        p.frame[1] = ig_rect_inset(pane.rect, 0, 0, 0, p.frame[0].cols - 1);
        p.plane[1] = ig_frame_inside(p.frame[1], IG_EDGE_ALL);
        in = ig_frame_inside(p.frame[0], IG_EDGE_ALL);
    }
    lines = ig_min_int(ig_legend_lines(&app->colouring->legend, in.cols),
                       in.rows / (ig_rect_empty(p.frame[1]) ? 4 : 3));
    p.legend = ig_rect_inset(in, in.rows - lines, 0, 0, 0);
    p.plane[0] = ig_rect_inset(in, 0, 0, lines, 0);
    p.plane[1] = ig_rect_inset(p.plane[1], 0, 0, lines, 0); /* as high */
    return p;
}

ig_scatter ig_map_scatter(const ig_app *app, const ig_map *map)
{
    const ig_colouring *c = app->colouring;
    ig_scatter out = {.count = map->rows,
                      .row = map->row,
                      .series = map->series,
                      .groups = c->groups,
                      .of = c->drawn,
                      .group = c->group,
                      .steps = c->steps,
                      .islands = map->islands.count ? &map->islands : NULL,
                      .generation = (uint64_t)map->serial << 32 |
                                    (uint32_t)c->drawings};

    for (int i = 0; i < 2; i++) { /* those of this map */
        const ig_isoglosses *of = &ig_map_of(app)->half[i].isoglosses;

        if (of->generation != out.generation)
            continue;
        out.contour = of->piece;
        out.contours = of->count;
    }
    for (size_t i = 0; i < map->series; i++)
        out.of_series[i] = (ig_series){
            .name = map->series > 1 ? ig_space_name(map->of[i]) : NULL, /* titled */
            .xy = map->xy[i],
            .grouped = !c->steps && map->of[i] != (c->choice ? IG_SPACE_LANGUAGE
                                                             : IG_SPACE_MEANING)};
    return out;
}

/* Find the contours of a half, if they are shown. */
static void find_contours(ig_app *app, int half)
{
    const ig_map *map = ig_map_in(app, half);
    ig_map_half *h = &ig_map_of(app)->half[half];
    ig_scatter scatter;

    h->isoglosses.generation = ig_map_of(app)->contours ? h->isoglosses.generation : 0;
    if (!map || !ig_map_of(app)->contours)
        return;
    scatter = ig_map_scatter(app, map);
    ig_isoglosses_find(&h->isoglosses, &scatter, NULL);
}

/* Say how many rows are within the contours, or why there are none. */
static void note_contours(ig_app *app)
{
    const ig_isoglosses *found = &ig_map_of(app)->half[0].isoglosses;
    bool two = ig_session_compares_maps(app->now);
    char name[IG_RUN_LABEL];

    if (found->generation && found->count)
        ig_app_note(app, false, "%s%s%.0f%% of the points are within their isogloss",
                    two ? ig_side_label(app, 0, -1, 0, name) : "", two ? ": " : "",
                    100 * found->inside);
    else if (found->generation)
        ig_app_note(app, false, "%s",
                    app->colouring->steps
                        ? "a scale has no isoglosses: c colours by language"
                        : "no group of the legend has a majority here");
}

/* The cursor's point in a half, or NULL. */
static const float *find_cursor(const ig_app *app, int half)
{
    return ig_map_xy(ig_map_in(app, half), ig_map_of(app)->series, app->cursor);
}

/* Move the cursor to the point of a half that is nearest to a cell. */
static void go_to_cell(ig_app *app, int half, ig_rect plane, int row, int col)
{
    ig_map_state *m = ig_map_of(app);
    ig_scatter scatter = ig_map_scatter(app, ig_map_in(app, half));
    ig_hit hit;

    if (!ig_scatter_nearest(&scatter, m->half[half].view, plane, row, col, &hit))
        return;
    m->series = hit.series;
    ig_app_go(app, (uint32_t)ig_scatter_row(&scatter, hit.point));
}

/* --- animation -------------------------------------------------------------------- */

bool ig_map_move(ig_app *app, double now)
{
    bool moved = false;

    for (int half = 0; half < 2; half++) {
        ig_map_half *h = &ig_map_of(app)->half[half];
        const ig_map *map = ig_map_in(app, half);
        double t, part;
        float step;

        if (!(h->span > 0))
            continue;
        moved = true;
        t = fmin(fmax(0, (now - h->begun) / h->span), 1);
        part = t * t * (3 - 2 * t); /* ease in and out */
        step = (float)((part - h->part) / (1 - h->part));
        if (map && map->serial == h->map.serial)
            for (size_t i = 0; i < 2 * map->rows * map->series; i++)
                h->at[i] += step * (map->xy[0][i] - h->at[i]);
        h->part = part;
        if (t >= 1)
            h->span = 0;
    }
    return moved;
}

/* Take another map. If it has the rows of the one before, its points start where they
 * are drawn in the view `before`, at the same screen position in the view now. A new
 * series starts from the one of its space or the first. */
static void start_moving(ig_app *app, ig_map_half *h, const ig_map *map, ig_view before,
                         double span)
{
    size_t each = 2 * map->rows, n = each * map->series;
    float *at = map->rows <= EASED_MAX ? ig_alloc(n, sizeof *at) : NULL;
    bool moves = at && h->at && span > 0 && h->map.rows == map->rows;
    double across = (h->view.xmax - h->view.xmin) / (before.xmax - before.xmin);
    double down = (h->view.ymax - h->view.ymin) / (before.ymax - before.ymin);

    if (at)
        memcpy(at, map->xy[0], n * sizeof *at);
    for (size_t i = 0; moves && i < n; i += 2) {
        bool second = h->map.series > 1 && h->map.of[1] == map->of[i / each];
        const float *p = h->at + (second ? each : 0) + i % each;

        at[i] = (float)(h->view.xmin + ((double)p[0] - before.xmin) * across);
        at[i + 1] = (float)(h->view.ymin + ((double)p[1] - before.ymin) * down);
    }
    ig_free(h->at);
    h->at = at;
    h->begun = app->clock();
    h->span = moves ? span : 0;
    h->part = 0;
}

/* --- the view --------------------------------------------------------------------- */

/* Whether an axis shows all of a new range and is not much too long. */
static bool holds_range(double low, double high, double new_low, double new_high)
{
    double margin = (new_high - new_low) * MARGIN / (1 + 2 * MARGIN);

    return new_low + margin >= low && new_high - margin <= high &&
           new_high - new_low > 0.75 * (high - low);
}

/* Fit the view of a half if its map has changed, or `anew`. */
static void fit_half(ig_app *app, int half, bool anew)
{
    ig_map_state *m = ig_map_of(app);
    ig_map_half *h = &m->half[half];
    const ig_map *map = ig_map_in(app, half);
    ig_view all, before = h->view;
    double between = app->now->history->count < 2 /* versions */
                         ? LONG_SPAN
                         : fmin(EPOCH_SPAN, 0.9 / app->pace);
    ig_scatter scatter;
    bool other, steps, holds;

    if (!map || (h->map.serial == map->serial && !anew))
        return;
    other = !h->map.serial || !ig_map_same_view(&h->map, map) ||
            (half && h->map.by.run != map->by.run);
    if (other && half == 0)
        m->view_is_mine = false;
    scatter = ig_map_scatter(app, map);
    if (app->selection->isolated) /* rows hidden only by it count */
        scatter.of = app->colouring->of;
    all = ig_view_fit(&scatter, MARGIN);
    holds = holds_range(before.xmin, before.xmax, all.xmin, all.xmax) &&
            holds_range(before.ymin, before.ymax, all.ymin, all.ymax);
    if (other || anew || !(m->view_is_mine || holds)) /* it does not jitter */
        h->view = all;
    steps = app->now->looking || h->map.by.version != map->by.version;
    if (app->options.motion && h->map.serial != map->serial)
        start_moving(app, h, map, before,
                     map->layout ? LONG_SPAN
                     : other     ? OTHER_SPAN
                     : steps     ? between
                                 : 0);
    h->map = *map;
}

static void fit_maps(ig_app *app)
{
    fit_half(app, 0, false);
    fit_half(app, 1, false);
}

bool ig_map_leave_view(ig_app *app)
{
    bool mine = ig_map_of(app)->view_is_mine;

    ig_map_of(app)->view_is_mine = false;
    for (int i = 0; i < 2; i++)
        fit_half(app, i, true);
    return mine;
}

/* Zoom both maps: about the cursor, or their middles; the first about the point `at` if
 * it is given. Then pan them by parts of their width and height. */
static void change_views(ig_app *app, double factor, const double at[2], double right,
                         double up)
{
    for (int i = 0; i < 2; i++) {
        ig_view *view = &ig_map_of(app)->half[i].view;
        const float *xy = find_cursor(app, i);
        double x = xy ? (double)xy[0] : (view->xmin + view->xmax) / 2;
        double y = xy ? (double)xy[1] : (view->ymin + view->ymax) / 2;

        *view = i == 0 && at ? ig_view_zoom(*view, factor, at[0], at[1])
                             : ig_view_zoom(*view, factor, x, y);
        *view = ig_view_pan(*view, right, up);
    }
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

    return ig_rect_clip(box, find_planes(app).plane[0]);
}

/* Move a corner of the box, within the plane, and select the visible rows in it. */
static void move_corner(ig_app *app, int row, int col)
{
    ig_map_state *m = ig_map_of(app);
    ig_rect plane = find_planes(app).plane[0], in;
    const ig_map *map = app->now->map;
    bool *has = map ? ig_alloc(app->set->rows, sizeof *has) : NULL;

    row = ig_min_int(row, plane.row + plane.rows - 1);
    col = ig_min_int(col, plane.col + plane.cols - 1);
    m->box.row[1] = ig_max_int(row, plane.row);
    m->box.col[1] = ig_max_int(col, plane.col);
    m->box.plane = plane;
    in = box_of(app);
    for (size_t i = 0; has && i < map->rows; i++) {
        size_t at = map->row ? map->row[i] : i;

        for (size_t s = 0; s < map->series; s++)
            has[at] |= ig_view_cell(m->half[0].view, plane, (double)map->xy[s][2 * i],
                                    (double)map->xy[s][2 * i + 1], &row, &col) &&
                       ig_rect_has(in, row, col) &&
                       ig_colouring_shows(app, (uint32_t)at);
    }
    if (map)
        ig_selection_take(app, has);
}

/* Begin a box, of all rows. While the mouse drags it, it gets all mouse events. */
static void begin_box(ig_app *app, int row, int col, bool dragged)
{
    if (app->selection->isolated)
        ig_selection_isolate(app);
    ig_map_of(app)->box = (ig_map_box){true, dragged, {row}, {col}, {0}};
    app->grabs = dragged ? &ig_map_panel : NULL;
    move_corner(app, row, col);
}

/* End the box: note what it selects, or select nothing. */
static void close_box(ig_app *app, bool selects)
{
    ig_map_box *b = &ig_map_of(app)->box;

    if (selects)
        move_corner(app, b->row[1], b->col[1]);
    else
        ig_selection_set(app, NULL);
    b->on = b->dragged = false;
    app->grabs = NULL;
}

bool ig_map_leave_box(ig_app *app)
{
    bool on = ig_map_of(app)->box.on && app->focus == &ig_map_panel;

    if (on)
        close_box(app, false);
    return on;
}

/* The second mouse button begins a box, the first drags its corners; false: neither. */
static bool drag_box(ig_app *app, ig_key key, ig_rect plane)
{
    const ig_map_box *b = &ig_map_of(app)->box;
    bool begins = key.mouse == IG_MOUSE_SECOND ||
                  (b->on && key.mouse == IG_MOUSE_PRESS);

    if (b->dragged && key.mouse == IG_MOUSE_RELEASE)
        close_box(app, true);
    else if (begins && ig_rect_has(plane, key.row, key.col))
        begin_box(app, key.row, key.col, true);
    else if (b->dragged && key.mouse == IG_MOUSE_DRAG)
        move_corner(app, key.row, key.col);
    else
        return false;
    return true;
}

static bool hint_box(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "Enter select|arrows HJKL resize|Esc back");
    return ig_map_of(app)->box.on;
}

/* --- keys ------------------------------------------------------------------------- */

static void move_cursor(ig_app *app, ig_direction direction)
{
    const ig_map *map = app->now->map;
    ig_map_state *m = ig_map_of(app);
    const float *xy = find_cursor(app, 0);
    ig_rect in = find_planes(app).plane[0];
    ig_scatter scatter;
    ig_hit hit;

    if (map && !xy)
        go_to_cell(app, 0, in, in.row + in.rows / 2, in.col + in.cols / 2);
    if (!xy)
        return;
    scatter = ig_map_scatter(app, map);
    hit.series = m->series % map->series;
    hit.point = (size_t)(xy - map->xy[hit.series]) / 2;
    if (ig_scatter_toward(&scatter, m->half[0].view, in, hit, direction, &hit)) {
        m->series = hit.series;
        ig_app_go(app, (uint32_t)ig_scatter_row(&scatter, hit.point));
    }
}

/* Move the cursor, the view, or the corner of a box; false: it is no such key. */
static bool move_by(ig_app *app, ig_action action)
{
    static const struct {
        ig_action arrow, pan;
        int right, down;
        ig_direction to;
    } ways[] = {{IG_ACT_LEFT, IG_ACT_PAN_LEFT, -1, 0, IG_LEFT},
                {IG_ACT_DOWN, IG_ACT_PAN_DOWN, 0, 1, IG_DOWN},
                {IG_ACT_UP, IG_ACT_PAN_UP, 0, -1, IG_UP},
                {IG_ACT_RIGHT, IG_ACT_PAN_RIGHT, 1, 0, IG_RIGHT}};
    const ig_map_box *b = &ig_map_of(app)->box;

    for (int i = 0; i < 4; i++) {
        int right = ways[i].right, down = ways[i].down;
        bool pans = action == ways[i].pan;

        if (!pans && action != ways[i].arrow)
            continue;
        if (b->on && app->focus == &ig_map_panel)
            move_corner(app, b->row[1] + down * (pans ? STEP_ROWS : 1),
                        b->col[1] + right * (pans ? STEP_COLS : 1));
        else if (pans)
            change_views(app, 1, NULL, 0.15 * right, -0.15 * down);
        else
            move_cursor(app, ways[i].to);
        return true;
    }
    return false;
}

static bool act_on_map(ig_app *app, ig_action action)
{
    ig_map_state *m = ig_map_of(app);
    ig_list_cursor sentence = {.line = app->cursor}; /* a page is one */
    ig_rect plane = find_planes(app).plane[0];
    int row = plane.row + plane.rows / 2, col = plane.col + plane.cols / 2;
    const float *xy = find_cursor(app, 0);
    const ig_neighbours *near = app->now->neighbours;
    size_t others = near && near->row == app->cursor ? near->translations : 0;
    char count[IG_COUNTED];

    if (move_by(app, action))
        return true;
    if (ig_list_cursor_act(&sentence, action, app->set->rows)) {
        ig_app_go(app, (uint32_t)sentence.line);
        return true;
    }
    if (action == IG_ACT_ENTER && m->box.on && app->focus == &ig_map_panel)
        close_box(app, true);
    else if (action == IG_ACT_ENTER)
        ig_app_open(app, &ig_neighbours_panel);
    else if (action == IG_ACT_BOX) { /* from the cursor */
        ig_app_focus(app, &ig_map_panel);
        if (xy)
            ig_view_cell(m->half[0].view, plane, (double)xy[0], (double)xy[1], &row,
                         &col);
        begin_box(app, row, col, false);
    } else if (action == IG_ACT_LINES)
        ig_app_note(app, false, "%s from #%u to %s",
                    (m->hides_lines ^= true) ? "no lines" : "lines", app->cursor,
                    ig_counted(count, others, "translation"));
    else if (action == IG_ACT_CONTOURS) {
        m->contours = !m->contours;
        find_contours(app, 0);
        note_contours(app);
    } else if (action == IG_ACT_ZOOM_IN || action == IG_ACT_ZOOM_OUT)
        change_views(app, action == IG_ACT_ZOOM_IN ? 0.7 : 1 / 0.7, NULL, 0, 0);
    else if (action == IG_ACT_FIT) {
        ig_app_note(app, false, "all points fit into the map");
        ig_map_leave_view(app);
    } else
        return false;
    return true;
}

/* A press toggles a group of the legend, or moves the cursor to the nearest point. */
static void handle_mouse(ig_app *app, ig_key key)
{
    ig_map_state *m = ig_map_of(app);
    struct planes p = find_planes(app);
    double at[2];
    long group;

    if (ig_rect_empty(p.plane[0]) || drag_box(app, key, p.plane[0]) || app->grabs)
        return;
    if (key.mouse == IG_MOUSE_PRESS) {
        group = ig_legend_at(p.legend, &app->colouring->legend, key.row, key.col);
        if (group >= 0)
            ig_colouring_toggle(app, (int)group + 1);
        for (int i = 0; i < 2; i++)
            if (ig_map_in(app, i) && ig_rect_has(p.plane[i], key.row, key.col))
                go_to_cell(app, i, p.plane[i], key.row, key.col);
    } else if (key.mouse == IG_MOUSE_DRAG) {
        change_views(app, 1, NULL, (double)(m->mouse_col - key.col) / p.plane[0].cols,
                     (double)(key.row - m->mouse_row) / p.plane[0].rows);
    } else if (key.mouse == IG_MOUSE_WHEEL_UP || key.mouse == IG_MOUSE_WHEEL_DOWN) {
        ig_view_point(m->half[0].view, p.plane[0], key.row, key.col, &at[0], &at[1]);
        change_views(app, key.mouse == IG_MOUSE_WHEEL_UP ? 0.8 : 1.25, at, 0, 0);
    }
    m->mouse_row = key.row;
    m->mouse_col = key.col;
}

/* --- drawing ---------------------------------------------------------------------- */

/* Append the share of points of a half within their isogloss, if it fits. */
static void add_inside(const ig_app *app, int half, int room, char *title, size_t size)
{
    const ig_isoglosses *of = &ig_map_of(app)->half[half].isoglosses;
    char inside[24] = "";

    if (of->generation && of->count)
        snprintf(inside, sizeof inside, ", %.0f%% in isoglosses", 100 * of->inside);
    if (ig_text_columns(inside) > room && *inside)
        snprintf(inside, sizeof inside, ", isoglosses");
    ig_text_append(title, size, "%s", inside);
}

/* Title and note: what is shown, and the axes, with shares of variance if they fit. */
static void describe_map(const ig_app *app, int cols, char *title, char *note,
                         size_t size)
{
    const ig_map *map = app->now->map;
    const ig_isoglosses *contours = &ig_map_of(app)->half[0].isoglosses;
    double done = ig_session_progress(app->now, IG_PRODUCT_MAP);
    char x[IG_MAP_AXES_NAME], y[IG_MAP_AXES_NAME];
    char rows[IG_NUMBER_SIZE], name[IG_RUN_LABEL];
    const char *instead;
    int room;

    snprintf(title, size, "%s",
             map && ig_session_compares_maps(app->now)
                 ? ig_side_label(app, 0, map->by.strength, cols - 14, name)
                 : "map");
    if (!map)
        return;
    if (strlen(title) + strlen(ig_map_space_name(map->space)) + 5 > (size_t)cols)
        title[strcspn(title, " ")] = '\0'; /* the number of the run */
    ig_text_append(title, size, " %s%s", ig_map_space_name(map->space),
                   cols <= MIN_COLS && map->custom[0].kind ? ""
                   : map->space == IG_MAP_XY               ? ""
                   : map->unit                             ? " unit"
                                                           : " raw");
    if (app->selection->set.count)
        ig_text_append(title, size, " %s %s",
                       ig_count_format(rows, app->selection->set.count),
                       app->selection->isolated ? "isolated" : "selected");
    if (done > 0)
        ig_text_append(title, size, ", %s %.0f%%",
                       app->view->layout ? "layout" : "exact", 100 * done);
    ig_map_axes_name(app, map, 0, x);
    ig_map_axes_name(app, map, 1, y);
    instead = map->layout                                ? "not to scale"
              : map->axis_failure[0]                     ? map->axis_failure
              : contours->generation && !contours->count ? "no isoglosses"
                                                         : "";
    room = *instead ? 12 : ig_text_columns(x) + ig_text_columns(y) + 2;
    add_inside(app, 0, cols - ig_text_columns(title) - 7 - room, title, size);
    room = cols - ig_text_columns(title) - 7;
    snprintf(note, size, "%s", instead);
    if (!*instead)
        snprintf(note, size, "%.60s %.0f%%  %.60s %.0f%%", x, 100 * map->share[0], y,
                 100 * map->share[1]);
    if (!*instead && (map->space == IG_MAP_XY || ig_text_columns(note) > room))
        snprintf(note, size, "%.60s  %.60s", x, y);
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct planes p = find_planes(app);
    char title[160] = "", note[160] = "", source[IG_PROVENANCE], side[IG_RUN_LABEL];
    const ig_map_box *b = &ig_map_of(app)->box;
    ig_rect box;

    if (b->on && memcmp(&b->plane, &p.plane[0], sizeof b->plane) != 0)
        close_box(app, false);
    box = box_of(app);
    for (int i = 0; i < 2 && !ig_rect_empty(p.frame[i]); i++) {
        const ig_map *map = ig_map_in(app, i);

        find_contours(app, i);
        if (i == 0)
            describe_map(app, p.frame[0].cols, title, note, sizeof title);
        else
            snprintf(title, sizeof title, "%s",
                     ig_side_label(app, 1, -1, p.frame[0].cols / 2, side));
        if (i && map && app->now->map && map->space != app->now->map->space)
            ig_text_append(title, sizeof title, " %s", ig_map_space_name(map->space));
        if (i)
            add_inside(app, 1, p.frame[1].cols - ig_text_columns(title) - 4, title,
                       sizeof title);
        ig_frame_draw(&app->canvas, p.frame[i],
                      i ? IG_EDGE_ALL | IG_EDGE_JOIN : pane->edges, title,
                      i ? NULL : note, i == 0 && app->focus == &ig_map_panel);
        if (map)
            ig_source_draw(app, p.frame[i],
                           i ? IG_PRODUCT_MAP_COMPARED : IG_PRODUCT_MAP,
                           ig_map_provenance(app, map, source));
        ig_map_draw_half(app, i, p.plane[i]);
    }
    if (!app->now->map)
        return;
    if (b->on && box.rows * box.cols == 1)
        ig_canvas_put(&app->canvas, box.row, box.col, "□",
                      ig_style_of(IG_COLOUR_CURSOR, IG_BOLD));
    else if (b->on)
        ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, NULL, NULL, true);
    ig_legend_draw(&app->canvas, p.legend, &app->colouring->legend);
}

static void free_state(ig_app *app)
{
    for (int i = 0; i < 2; i++) {
        ig_scatter_free(&ig_map_of(app)->half[i].scatter);
        ig_isoglosses_free(&ig_map_of(app)->half[i].isoglosses);
        ig_free(ig_map_of(app)->half[i].at);
    }
}

const ig_panel ig_map_panel = {
    .name = "map",
    .about = "all rows on two exact principal components, or by nearest rows (U)",
    .reads =
        "Each dot is a sentence, coloured by language, on the two directions of "
        "greatest variance. Islands of one colour: the encoder groups sentences by "
        "language; a mixed cloud: by meaning. A joint map has each sentence "
        "twice, its meaning in dots, its language solid (moved nearer if far); on a "
        "layout (U) distances between islands mean nothing. Move with the arrows, "
        "press Space to train, v to switch the embeddings and B for boundaries.",
    .role = IG_ROLE_MAIN,
    .state = sizeof(ig_map_state),
    .close = free_state,
    .update = fit_maps,
    .act = act_on_map,
    .mouse = handle_mouse,
    .keys = "b box|w save|Enter neighbours",
    .draw = draw_panel,
    .hint = hint_box};
