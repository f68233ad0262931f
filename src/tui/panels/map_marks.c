/* Marks over the points of a map. */
#include "tui/panels/map_marks.h"

#include <stdio.h>

#include "base/array.h"
#include "tui/colouring.h"
#include "tui/linked.h"

long ig_map_point(const ig_map *map, uint32_t row)
{
    size_t point;

    if (!map->row)
        return row < map->rows ? (long)row : -1;
    point = ig_array_find(map->row, map->rows, row);
    return point < map->rows && map->row[point] == row ? (long)point : -1;
}

uint32_t ig_map_row(const ig_map *map, size_t point)
{
    return map->row ? map->row[point] : (uint32_t)point;
}

static bool same_meaning(const ig_set *set, uint32_t a, uint32_t b)
{
    return set->id[a] != IG_NO_ID && set->id[a] == set->id[b] &&
           set->lang[a] != set->lang[b];
}

/* Have the translations of the cursor's row listed: all ids are looked at, which is for
 * another row alone. What there is no memory for is left out. */
static void list_translations(const ig_app *app, ig_map_links *links)
{
    const uint32_t *id = app->set->id, own = id[app->cursor];

    if (links->of == app->cursor)
        return;
    links->of = app->cursor;
    links->count = 0;
    for (size_t row = 0; own != IG_NO_ID && row < app->set->rows; row++)
        if (id[row] == own && same_meaning(app->set, app->cursor, (uint32_t)row) &&
            ig_array_grow(&links->row, &links->capacity, links->count + 1,
                          sizeof *links->row, "lines", NULL) == IG_OK)
            links->row[links->count++] = (uint32_t)row;
}

void ig_map_lines_draw(ig_app *app, const ig_map_plane *on, ig_map_links *links)
{
    const ig_map *map = on->map;
    long point = ig_map_point(map, app->cursor);
    ig_style style = ig_style_of(IG_COLOUR_LINK, 0);

    if (!app->set->has_ids || point < 0)
        return;
    list_translations(app, links);
    for (size_t k = 0; k < links->count; k++) {
        long i = ig_map_point(map, links->row[k]);

        if (i < 0 || !ig_colouring_shows(app, links->row[k]))
            continue;
        for (size_t s = 0; s < map->series; s++) {
            const float *xy = ig_easing_xy(on->easing, map, s);

            ig_scatter_line(&app->canvas, on->rect, on->view, xy[2 * point],
                            xy[2 * point + 1], xy[2 * i], xy[2 * i + 1], style);
        }
    }
}

void ig_map_cursor_draw(ig_app *app, const ig_map_plane *on)
{
    const ig_map *map = on->map;
    long point = ig_map_point(map, app->cursor);

    for (size_t s = 0; point >= 0 && s < map->series; s++) {
        const float *xy = ig_easing_xy(on->easing, map, s) + 2 * point;

        ig_scatter_mark(&app->canvas, on->rect, on->view, xy[0], xy[1],
                        s == on->series % map->series ? IG_GLYPH_CURSOR
                                                      : IG_GLYPH_CIRCLE,
                        ig_style_of(IG_COLOUR_CURSOR, IG_BOLD));
    }
}

void ig_map_linked_draw(ig_app *app, const ig_map_plane *on, const ig_series *series)
{
    const ig_map *map = on->map;
    const ig_linked *l = app->linked;

    for (size_t s = 0; l->link == IG_LINK_NEAR && s < map->series; s++)
        for (size_t i = 0; series[s].marked && i < l->nears; i++) {
            uint32_t row = l->near[i];
            long point = ig_map_point(map, row);
            bool chosen = row == l->chosen;
            int colour = app->colouring->choice == 0
                             ? ig_colour_language(app->set->lang[row])
                             : IG_COLOUR_GOOD;

            if (point >= 0 && ig_colouring_shows(app, row) &&
                (chosen || same_meaning(app->set, app->cursor, row)))
                ig_scatter_mark(
                    &app->canvas, on->rect, on->view,
                    ig_easing_xy(on->easing, map, s)[2 * point],
                    ig_easing_xy(on->easing, map, s)[2 * point + 1],
                    chosen ? IG_GLYPH_CIRCLE_OPEN : IG_GLYPH_TRANSLATION,
                    ig_style_of(chosen ? IG_COLOUR_ACCENT : colour, IG_BOLD));
        }
}

/* The name of a guest on the map, or its number. */
static const char *label_of(const ig_app *app, unsigned number, char out[IG_GUEST_NAME])
{
    for (size_t i = 0; i < app->now->guests; i++)
        if (app->now->guest[i].number == number && app->now->guest[i].name[0])
            return app->now->guest[i].name;
    snprintf(out, IG_GUEST_NAME, "%u", number);
    return out;
}

void ig_map_guests_draw(ig_app *app, const ig_map_plane *on)
{
    const ig_map *map = on->map;
    ig_rect plane = on->rect;
    ig_style style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);

    for (size_t i = 0; i < map->guests; i++)
        for (size_t s = 0; s < map->series; s++) {
            const ig_map_guest *g = &map->guest[i];
            double x = g->xy[s][0], y = g->xy[s][1];
            char name[IG_GUEST_NAME];
            int row, col;

            ig_scatter_mark(&app->canvas, plane, on->view, x, y, IG_GLYPH_ENTERED,
                            style);
            if (ig_view_cell(on->view, plane, x, y, &row, &col))
                ig_canvas_text(&app->canvas, row, col + 1,
                               plane.col + plane.cols - col - 1,
                               label_of(app, g->number, name), style);
        }
}

/* --- map box ---------------------------------------------------------------------- */

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
