/* The box that selects rows on the map. */
#include <string.h>

#include "explorer/colouring.h"
#include "explorer/panels/map_panel.h"
#include "explorer/selection.h"

enum {
    STEP_ROWS = 4, /* of the pan keys */
    STEP_COLS = 8
};

static ig_rect plane_of(const ig_app *app)
{
    ig_rect plane, legend;

    ig_map_places(app, &plane, &legend);
    return plane;
}

static int clamp_to(int value, int max)
{
    return value > max ? max > 0 ? max : 0 : value < 0 ? 0 : value;
}

/* Set the box, its corners clamped to the plane. While the mouse drags it, it gets all
 * mouse events. */
static void set_box(ig_app *app, ig_box b)
{
    ig_rect plane = plane_of(app);

    b.row = clamp_to(b.row, plane.rows - 1);
    b.col = clamp_to(b.col, plane.cols - 1);
    b.to_row = clamp_to(b.to_row, plane.rows - 1);
    b.to_col = clamp_to(b.to_col, plane.cols - 1);
    ig_map_of(app)->box = b;
    app->grabs = b.on && b.dragged ? &ig_map_panel : NULL;
}

/* The box on the canvas. */
static ig_rect rect_of(const ig_app *app)
{
    const ig_box *b = &ig_map_of(app)->box;
    ig_rect plane = plane_of(app);
    int top = b->row < b->to_row ? b->row : b->to_row;
    int left = b->col < b->to_col ? b->col : b->to_col;

    return (ig_rect){plane.row + top, plane.col + left,
                     b->row + b->to_row - 2 * top + 1,
                     b->col + b->to_col - 2 * left + 1};
}

/* Count the rows that have a visible point in the box, and mark them if `mark` is not
 * NULL: (rows of the dataset). */
static size_t mark_rows(const ig_app *app, bool *mark)
{
    const ig_map *map = app->now->map;
    const ig_view view = ig_map_of(app)->main.view;
    ig_rect box = rect_of(app), plane = plane_of(app);
    size_t count = 0;
    int row, col;

    for (size_t i = 0; map && i < map->rows; i++) {
        bool inside = false;

        for (size_t s = 0; s < map->series; s++)
            inside |= ig_view_cell(view, plane, map->xy[s][2 * i],
                                   map->xy[s][2 * i + 1], &row, &col) &&
                      ig_rect_has(box, row, col);
        if (!inside || !ig_colouring_shows(app, ig_map_row(map, i)))
            continue;
        count++;
        if (mark)
            mark[ig_map_row(map, i)] = true;
    }
    return count;
}

void ig_map_open_box(ig_app *app)
{
    const ig_map_state *m = ig_map_of(app);
    const ig_map *map = app->now->map;
    long point = map ? ig_map_point(map, app->cursor) : -1;
    ig_rect plane = plane_of(app);
    int row = plane.row + plane.rows / 2, col = plane.col + plane.cols / 2;

    ig_app_focus(app, &ig_map_panel);
    if (m->box.on) {
        set_box(app, (ig_box){true, false, m->box.to_row, m->box.to_col, m->box.row,
                              m->box.col});
        return;
    }
    if (point >= 0) {
        const float *xy = map->xy[m->series % map->series] + 2 * point;
        int at_row, at_col;

        if (ig_view_cell(m->main.view, plane, xy[0], xy[1], &at_row, &at_col)) {
            row = at_row;
            col = at_col;
        }
    }
    row -= plane.row;
    col -= plane.col;
    set_box(app, (ig_box){true, false, row, col, row, col});
}

bool ig_map_leave_box(ig_app *app)
{
    bool on = ig_map_of(app)->box.on && app->focus == &ig_map_panel;

    if (on)
        set_box(app, (ig_box){0});
    return on;
}

static void select_box(ig_app *app)
{
    bool *mark;

    if (mark_rows(app, NULL) == 0) {
        ig_app_note(app, false, "no points in the box");
    } else {
        mark = ig_selection_begin(app);
        if (mark)
            mark_rows(app, mark);
        ig_selection_take(app);
    }
    set_box(app, (ig_box){0});
}

bool ig_box_act(ig_app *app, ig_action action)
{
    static const struct {
        ig_action action;
        int down, right;
    } moves[] = {{IG_ACT_LEFT, 0, -1},
                 {IG_ACT_RIGHT, 0, 1},
                 {IG_ACT_UP, -1, 0},
                 {IG_ACT_DOWN, 1, 0},
                 {IG_ACT_PAN_LEFT, 0, -STEP_COLS},
                 {IG_ACT_PAN_RIGHT, 0, STEP_COLS},
                 {IG_ACT_PAN_UP, -STEP_ROWS, 0},
                 {IG_ACT_PAN_DOWN, STEP_ROWS, 0}};
    ig_box b = ig_map_of(app)->box;

    if (action == IG_ACT_ENTER) {
        select_box(app);
        return true;
    }
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (moves[i].action == action) {
            b.to_row += moves[i].down;
            b.to_col += moves[i].right;
            set_box(app, b);
            return true;
        }
    return false;
}

bool ig_box_mouse(ig_app *app, ig_key key)
{
    ig_box b = ig_map_of(app)->box;
    ig_rect plane = plane_of(app);
    int row = key.row - plane.row, col = key.col - plane.col;

    if (b.on && b.dragged && key.mouse == IG_MOUSE_RELEASE)
        select_box(app);
    else if (b.on && b.dragged && key.mouse == IG_MOUSE_DRAG)
        set_box(app, (ig_box){true, true, b.row, b.col, row, col});
    else if ((key.mouse == IG_MOUSE_SECOND || (b.on && key.mouse == IG_MOUSE_PRESS)) &&
             ig_rect_has(plane, key.row, key.col))
        set_box(app, (ig_box){true, true, row, col, row, col});
    else
        return false;
    return true;
}

void ig_box_mark(ig_app *app)
{
    ig_map_state *m = ig_map_of(app);

    m->in_box = 0;
    if (!m->box.on)
        return;
    if (m->boxed)
        memset(m->boxed, 0, app->set->rows * sizeof *m->boxed);
    else
        m->boxed = ig_alloc(app->set->rows, sizeof *m->boxed);
    set_box(app, m->box);
    m->in_box = mark_rows(app, m->boxed);
}

void ig_box_draw(ig_app *app)
{
    ig_rect box = rect_of(app);
    ig_style style = ig_style_of(IG_COLOUR_CURSOR, IG_BOLD);

    if (!ig_map_of(app)->box.on || ig_rect_empty(plane_of(app)))
        return;
    if (box.rows == 1 && box.cols == 1)
        ig_canvas_put(&app->canvas, box.row, box.col,
                      ig_glyph_text(app->canvas.glyphs, IG_GLYPH_SQUARE_OPEN), style);
    else
        ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, NULL, NULL, true);
}
