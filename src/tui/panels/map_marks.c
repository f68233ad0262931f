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
