/* What is drawn on a map: its points, with what is marked on them. */
#include <stdio.h>
#include <string.h>

#include "explorer/colouring.h"
#include "explorer/panels/map_panel.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/selection.h"

/* A map on the screen. */
struct plane {
    ig_map map; /* with its points where they are drawn */
    ig_rect rect;
    ig_view view;
};

static void mark_row(ig_app *app, const struct plane *on, size_t series, uint32_t row,
                     const char *mark, int colour)
{
    const float *xy = ig_map_xy(&on->map, series, row);

    if (xy)
        ig_scatter_mark(&app->canvas, on->rect, on->view, xy, mark, colour, "");
}

/* Draw lines to the cursor's listed translations, or mark these, in each series. */
static void draw_translations(ig_app *app, const struct plane *on, bool lines)
{
    const ig_neighbours *near = app->now->neighbours;
    ig_style style = ig_style_of(IG_COLOUR_LINK, 0);

    for (size_t k = 0; near && near->row == app->cursor && k < near->listed; k++) {
        uint32_t row = near->translation[k].row;
        int colour = app->colouring->choice ? IG_COLOUR_GOOD
                                            : ig_colour_language(app->set->lang[row]);

        for (size_t s = 0; ig_colouring_shows(app, row) && s < on->map.series; s++) {
            const float *from = ig_map_xy(&on->map, s, app->cursor);
            const float *to = ig_map_xy(&on->map, s, row);

            if (!lines)
                mark_row(app, on, s, row, "=", colour);
            else if (from && to)
                ig_scatter_line(&app->canvas, on->rect, on->view, from, to, style);
        }
    }
}

/* Draw the points of a map. While the neighbours have the focus, all but those of the
 * selected list are dim, and translations and the selected one are marked; else all but
 * the highlighted group and the selection. Then typed sentences and the cursor. */
static ig_status draw_map(ig_app *app, ig_map_half *h, struct plane *on)
{
    ig_map *map = &on->map;
    ig_scatter scatter = ig_map_scatter(app, map);
    const ig_row_set *set = &app->selection->set;
    const bool *selected = set->count && !app->selection->isolated ? set->has : NULL;
    bool *marked = app->colouring->marked, near;
    size_t cursor = ig_map_of(app)->series % map->series, only = app->colouring->only;
    uint32_t chosen = IG_NO_ROW;
    char number[16];
    ig_status status;

    if (h->span > 0 && h->map.serial == map->serial) { /* the points move */
        for (size_t s = 0; s < map->series; s++)
            scatter.of_series[s].xy = map->xy[s] = h->at + 2 * s * map->rows;
        scatter.generation = 0;
        scatter.islands = NULL;
        scatter.contours = 0;
    }
    memset(marked, false, app->set->rows * sizeof *marked);
    near = app->focus == &ig_neighbours_panel &&
           ig_neighbours_mark(app, marked, &chosen);
    for (size_t i = 0; i < app->set->rows && !near; i++)
        marked[i] = app->colouring->drawn[i] + 1u == only || (selected && selected[i]);
    scatter.marked = near || only || selected ? marked : NULL;
    if (!ig_map_of(app)->hides_lines)
        draw_translations(app, on, true);
    status =
        ig_scatter_draw(&h->scatter, &app->canvas, on->rect, on->view, &scatter, NULL);
    if (near)
        draw_translations(app, on, false);
    for (size_t s = 0; s < map->series; s++) {
        if (chosen != IG_NO_ROW && ig_colouring_shows(app, chosen))
            mark_row(app, on, s, chosen, "○", IG_COLOUR_ACCENT);
        for (size_t i = 0; i < map->typed_sentences; i++) {
            snprintf(number, sizeof number, "%u", map->typed_sentence[i].number);
            ig_scatter_mark(&app->canvas, on->rect, on->view,
                            map->typed_sentence[i].xy[s], "★", IG_COLOUR_ACCENT,
                            number);
        }
    }
    for (size_t s = 0; s < map->series; s++)
        mark_row(app, on, s, app->cursor, s == cursor ? "◉" : "●", IG_COLOUR_CURSOR);
    return status;
}

void ig_map_draw_half(ig_app *app, int half, ig_rect rect)
{
    const ig_map *map = ig_map_in(app, half);
    ig_map_half *h = &ig_map_of(app)->half[half];
    ig_rect clip = ig_canvas_clip(&app->canvas, rect);
    const char *why = NULL;

    if (!map)
        why = ig_session_waits(app->now,
                               half ? IG_PRODUCT_MAP_COMPARED : IG_PRODUCT_MAP,
                               "computing the map …");
    else if (draw_map(app, h, &(struct plane){*map, rect, h->view}) != IG_OK)
        why = "out of memory for the map";
    app->canvas.clip = clip;
    rect = ig_rect_inset(rect, rect.rows / 2, 0, rect.rows / 4, 2);
    ig_canvas_wrap(&app->canvas, rect, why, ig_dim);
}
