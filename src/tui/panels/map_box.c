/* The box on the map. */
#include "tui/panels/map_box.h"

#include "tui/colouring.h"
#include "tui/panels/map_marks.h"

enum {
    LEAP_ROWS = 4, /* the keys that pan move a corner by */
    LEAP_COLS = 8
};

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The box on the canvas; the plane may be another one than when it was begun. */
static ig_rect rect_of(const ig_box *b, ig_rect plane)
{
    int row = clamp(b->row, plane.rows - 1), to_row = clamp(b->to_row, plane.rows - 1);
    int col = clamp(b->col, plane.cols - 1), to_col = clamp(b->to_col, plane.cols - 1);
    int top = row < to_row ? row : to_row, left = col < to_col ? col : to_col;

    return (ig_rect){plane.row + top, plane.col + left, row + to_row - 2 * top + 1,
                     col + to_col - 2 * left + 1};
}

size_t ig_box_rows(const ig_app *app, const ig_box *b, const ig_map *map, ig_view view,
                   ig_rect plane, bool *mark)
{
    ig_rect box = rect_of(b, plane);
    size_t count = 0;

    for (size_t i = 0; map && i < map->rows; i++) {
        uint32_t row = ig_map_row(map, i);
        bool inside = false;

        for (size_t s = 0; s < map->series && !inside; s++) {
            int at_row, at_col;

            inside = ig_view_cell(view, plane, map->xy[s][2 * i], map->xy[s][2 * i + 1],
                                  &at_row, &at_col) &&
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

static bool move(ig_box *b, ig_rect plane, int down, int right)
{
    b->to_row = clamp(clamp(b->to_row, plane.rows - 1) + down, plane.rows - 1);
    b->to_col = clamp(clamp(b->to_col, plane.cols - 1) + right, plane.cols - 1);
    return true;
}

bool ig_box_act(ig_box *b, ig_rect plane, ig_action action)
{
    switch (action) {
    case IG_ACT_LEFT:
        return move(b, plane, 0, -1);
    case IG_ACT_RIGHT:
        return move(b, plane, 0, 1);
    case IG_ACT_UP:
        return move(b, plane, -1, 0);
    case IG_ACT_DOWN:
        return move(b, plane, 1, 0);
    case IG_ACT_PAN_LEFT:
        return move(b, plane, 0, -LEAP_COLS);
    case IG_ACT_PAN_RIGHT:
        return move(b, plane, 0, LEAP_COLS);
    case IG_ACT_PAN_UP:
        return move(b, plane, -LEAP_ROWS, 0);
    case IG_ACT_PAN_DOWN:
        return move(b, plane, LEAP_ROWS, 0);
    default:
        return false;
    }
}

bool ig_box_mouse(ig_box *b, ig_rect plane, ig_key key)
{
    int row = clamp(key.row - plane.row, plane.rows - 1);
    int col = clamp(key.col - plane.col, plane.cols - 1);

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
    default:
        return false;
    }
}

void ig_box_draw(ig_app *app, const ig_box *b, ig_rect plane)
{
    ig_rect box = rect_of(b, plane);
    ig_style style = ig_style_of(IG_COLOUR_CURSOR, IG_BOLD);

    if (!b->on || ig_rect_empty(plane))
        return;
    if (box.rows == 1 && box.cols == 1)
        ig_canvas_put(&app->canvas, box.row, box.col,
                      ig_glyph_text(app->canvas.glyphs, IG_GLYPH_SQUARE_OPEN), style);
    else
        ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, NULL, NULL, true);
}
