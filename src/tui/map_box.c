/* A box on the map, grown by keys or pulled with the mouse; its rows become the
 * selection. */
#include <stdio.h>
#include <string.h>

#include "draw/axes.h"
#include "tui/app.h"

/* What the keys that pan move the corner by. */
enum { LEAP_ROWS = 4, LEAP_COLS = 8 };

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

static ig_rect plane_of(const ig_app *app)
{
    ig_rect plane, legend;

    ig_map_places(app, &plane, &legend);
    return plane;
}

/* The box on the canvas; the plane may be another one than when it was begun. */
static ig_rect rect_of(const ig_app *app, ig_rect plane)
{
    const ig_box *b = &app->box;
    int row = clamp(b->row, plane.rows - 1), to_row = clamp(b->to_row, plane.rows - 1);
    int col = clamp(b->col, plane.cols - 1), to_col = clamp(b->to_col, plane.cols - 1);
    int top = row < to_row ? row : to_row, left = col < to_col ? col : to_col;

    return (ig_rect){plane.row + top, plane.col + left, row + to_row - 2 * top + 1,
                     col + to_col - 2 * left + 1};
}

/* Count the rows that have a shown point in the box, and mark them where `mark` is not
 * NULL: (rows of the set), cleared. */
static size_t rows_in(const ig_app *app, bool *mark)
{
    const ig_map *map = app->now->map;
    ig_rect plane = plane_of(app), box = rect_of(app, plane);
    size_t count = 0;

    for (size_t i = 0; map && i < map->rows; i++) {
        uint32_t row = map->row ? map->row[i] : (uint32_t)i;
        bool inside = false;

        for (size_t s = 0; s < map->series && !inside; s++) {
            int at_row, at_col;

            inside = ig_view_cell(app->view, plane, map->xy[s][2 * i],
                                  map->xy[s][2 * i + 1], &at_row, &at_col) &&
                     ig_rect_has(box, at_row, at_col);
        }
        if (!inside || !ig_colouring_shows(app, row))
            continue;
        count++;
        if (mark)
            mark[row] = true;
    }
    return count;
}

/* --- keys ------------------------------------------------------------------------- */

void ig_box_open(ig_app *app)
{
    const ig_map *map = app->now->map;
    long point = map ? ig_map_point(map, app->cursor) : -1;
    ig_box *b = &app->box;
    ig_rect plane;
    int row, col;

    ig_app_focus(app, IG_PANEL_MAP);
    if (b->on) {
        *b = (ig_box){true, false, b->to_row, b->to_col, b->row, b->col};
        return;
    }
    plane = plane_of(app);
    if (ig_rect_empty(plane))
        plane = (ig_rect){0, 0, 1, 1}; /* the map is not on the screen yet */
    *b = (ig_box){.on = true, .row = plane.rows / 2, .col = plane.cols / 2};
    if (point >= 0) {
        const float *xy = map->xy[app->cursor_of % map->series] + 2 * point;

        if (ig_view_cell(app->view, plane, xy[0], xy[1], &row, &col)) {
            b->row = row - plane.row;
            b->col = col - plane.col;
        }
    }
    b->to_row = b->row;
    b->to_col = b->col;
}

static void select_box(ig_app *app)
{
    bool *mark;

    app->box.on = false;
    if (rows_in(app, NULL) == 0) {
        ig_app_note(app, false, "no point lies in the box");
        return;
    }
    mark = ig_selection_begin(app);
    if (mark)
        rows_in(app, mark);
    ig_selection_take(app);
}

static void move(ig_app *app, int down, int right)
{
    ig_rect plane = plane_of(app);

    app->box.to_row =
        clamp(clamp(app->box.to_row, plane.rows - 1) + down, plane.rows - 1);
    app->box.to_col =
        clamp(clamp(app->box.to_col, plane.cols - 1) + right, plane.cols - 1);
}

bool ig_box_act(ig_app *app, ig_action action)
{
    if (!app->box.on || app->settings.focus != IG_PANEL_MAP)
        return false;
    switch (action) {
    case IG_ACT_LEFT:
    case IG_ACT_RIGHT:
        move(app, 0, action == IG_ACT_RIGHT ? 1 : -1);
        return true;
    case IG_ACT_UP:
    case IG_ACT_DOWN:
        move(app, action == IG_ACT_DOWN ? 1 : -1, 0);
        return true;
    case IG_ACT_PAN_LEFT:
    case IG_ACT_PAN_RIGHT:
        move(app, 0, action == IG_ACT_PAN_RIGHT ? LEAP_COLS : -LEAP_COLS);
        return true;
    case IG_ACT_PAN_UP:
    case IG_ACT_PAN_DOWN:
        move(app, action == IG_ACT_PAN_DOWN ? LEAP_ROWS : -LEAP_ROWS, 0);
        return true;
    case IG_ACT_ENTER:
        select_box(app);
        return true;
    case IG_ACT_BACK:
        app->box.on = false;
        return true;
    default:
        return false;
    }
}

/* --- the mouse -------------------------------------------------------------------- */

bool ig_box_mouse(ig_app *app, ig_key key)
{
    ig_rect plane = plane_of(app);
    int row = clamp(key.row - plane.row, plane.rows - 1);
    int col = clamp(key.col - plane.col, plane.cols - 1);
    ig_box *b = &app->box;

    switch (key.mouse) {
    case IG_MOUSE_SECOND:
    case IG_MOUSE_PRESS:
        if ((!b->on && key.mouse == IG_MOUSE_PRESS) ||
            !ig_rect_has(plane, key.row, key.col))
            return false;
        *b = (ig_box){true, true, row, col, row, col};
        return true;
    case IG_MOUSE_DRAG:
        if (!b->on || !b->pulled)
            return false;
        b->to_row = row;
        b->to_col = col;
        return true;
    case IG_MOUSE_RELEASE:
        if (!b->on || !b->pulled)
            return false;
        select_box(app);
        return true;
    default:
        return false;
    }
}

/* --- drawing ---------------------------------------------------------------------- */

void ig_box_draw(ig_app *app)
{
    ig_rect plane = plane_of(app), box = rect_of(app, plane);
    ig_style style = ig_style_of(IG_COLOUR_CURSOR, IG_BOLD);

    if (!app->box.on || ig_rect_empty(plane))
        return;
    if (box.rows == 1 && box.cols == 1)
        ig_canvas_put(&app->canvas, box.row, box.col,
                      ig_glyph_text(app->canvas.glyphs, IG_GLYPH_SQUARE_OPEN), style);
    else
        ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, NULL, NULL, true);
}

void ig_box_describe(ig_app *app, char *out, size_t size)
{
    char count[IG_NUMBER_SIZE];
    size_t rows = rows_in(app, NULL);

    snprintf(out, size,
             "box: %s row%s  arrows, HJKL: corner  b: the other  Enter: select  Esc: "
             "leave",
             ig_count_format(count, rows), rows == 1 ? "" : "s");
}
