/* What is drawn on a map: its points, with what is marked on them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explorer/colouring.h"
#include "explorer/panels/map_panel.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/selection.h"

/* A map on the screen, with what is marked on it. */
struct plane {
    const ig_map *map;
    const ig_map_half *half;
    ig_rect rect;
    ig_scatter scatter;
    bool near;       /* neighbours are marked … */
    uint32_t chosen; /* … of which this is selected, or IG_NO_ROW */
};

/* Where a series of the map of a half is drawn, (rows, 2). */
static const float *drawn_xy(const struct plane *on, size_t series)
{
    const ig_map *map = on->map;

    return on->half->span > 0 && on->half->of == map->serial
               ? on->half->at + 2 * series * map->rows
               : map->xy[series];
}

/* Mark the list in the focused neighbours panel, which are near in one space: the marks
 * of its series, of all where none is of it; else the selection. */
static void mark_rows(ig_app *app, struct plane *on)
{
    bool *marked = app->colouring->marked, there = false;
    const ig_selection *selected = app->selection;
    const bool *rows = selected->isolated || !selected->set.count ? NULL
                                                                  : selected->set.has;
    ig_space space = IG_SPACES;

    memset(marked, false, app->set->rows * sizeof *marked);
    if (app->focus == &ig_neighbours_panel &&
        ig_neighbours_mark(app, marked, &space, &on->chosen)) {
        on->near = true;
        rows = marked;
    }
    for (size_t i = 0; i < on->map->series; i++)
        there |= on->map->of[i] == space;
    for (size_t i = 0; i < on->map->series; i++)
        if (!there || on->map->of[i] == space)
            on->scatter.of_series[i].marked = rows;
}

/* Mark a row in a series, if it is in the map. */
static void draw_mark(ig_app *app, const struct plane *on, size_t series, uint32_t row,
                      ig_glyph glyph, int colour)
{
    const float *xy = drawn_xy(on, series);
    long point = ig_map_point(on->map, row);

    if (point >= 0)
        ig_scatter_mark(&app->canvas, on->rect, on->half->view, xy[2 * point],
                        xy[2 * point + 1], glyph, ig_style_of(colour, IG_BOLD));
}

/* Draw a line from the cursor's point to a row in a series. */
static void draw_line(ig_app *app, const struct plane *on, size_t series, uint32_t row)
{
    long from = ig_map_point(on->map, app->cursor), to = ig_map_point(on->map, row);
    const float *xy = drawn_xy(on, series);

    if (from >= 0 && to >= 0)
        ig_scatter_line(&app->canvas, on->rect, on->half->view, xy + 2 * from,
                        xy + 2 * to, ig_style_of(IG_COLOUR_LINK, 0));
}

/* Draw lines to the translations of the cursor that are listed among the neighbours, or
 * mark these, in every series. */
static void draw_translations(ig_app *app, const struct plane *on, bool lines)
{
    const ig_neighbours *near = app->now->neighbours;

    for (size_t k = 0; near && near->row == app->cursor && k < near->listed; k++) {
        uint32_t row = near->translation[k].row;

        for (size_t s = 0; ig_colouring_shows(app, row) && s < on->map->series; s++)
            if (lines)
                draw_line(app, on, s, row);
            else if (on->scatter.of_series[s].marked)
                draw_mark(app, on, s, row, IG_GLYPH_TRANSLATION,
                          app->colouring->choice == 0
                              ? ig_colour_language(app->set->lang[row])
                              : IG_COLOUR_GOOD);
    }
}

/* The translations and the selected neighbour, the typed sentences with their numbers,
 * then the cursor in all series. */
static void draw_marks(ig_app *app, const struct plane *on)
{
    const ig_map *map = on->map;
    ig_rect rect = on->rect;
    int row, col;

    if (on->near)
        draw_translations(app, on, false);
    for (size_t s = 0; s < map->series; s++) {
        if (on->scatter.of_series[s].marked && on->chosen != IG_NO_ROW &&
            ig_colouring_shows(app, on->chosen))
            draw_mark(app, on, s, on->chosen, IG_GLYPH_CIRCLE_OPEN, IG_COLOUR_ACCENT);
        for (size_t i = 0; i < map->typed_sentences; i++) {
            const ig_map_typed *t = &map->typed_sentence[i];

            if (!ig_view_cell(on->half->view, rect, (double)t->xy[s][0],
                              (double)t->xy[s][1], &row, &col))
                continue;
            ig_canvas_put(&app->canvas, row, col,
                          ig_glyph_text(app->canvas.glyphs, IG_GLYPH_STAR), ig_accent);
            ig_canvas_print(&app->canvas, row, col + 1, rect.col + rect.cols - col - 1,
                            ig_accent, "%u", t->number);
        }
    }
    for (size_t s = 0; s < map->series; s++)
        draw_mark(app, on, s, app->cursor,
                  s == ig_map_of(app)->series % map->series ? IG_GLYPH_CURSOR
                                                            : IG_GLYPH_CIRCLE,
                  IG_COLOUR_CURSOR);
}

/* Name the islands of a layout, at their middles: by the language or label whose share
 * of their rows exceeds that of all rows most, by 40 points or more. */
static void name_islands(const ig_app *app, const ig_map *map, ig_named_places *places)
{
    const ig_dataset *set = app->set;
    double best[IG_NAMED_PLACES_MAX] = {0};

    *places = (ig_named_places){.count = map->islands};
    for (size_t i = 0; i < map->rows; i++)
        for (size_t j = 0, k = map->island[i]; k < map->islands && j < 2; j++) {
            places->points[k] += j == 0;
            places->xy[k][j] += (map->xy[0][2 * i + j] - places->xy[k][j]) /
                                (float)places->points[k];
        }
    for (size_t l = 0; l <= set->labels; l++) {
        size_t column = ig_colouring_column(l), names;
        const char *const *name = ig_row_words(set, column, &names);
        uint32_t *count; /* (islands + 1, names) rows, of all at last */

        if (l && (names * 2 > set->rows ||
                  (names > IG_SCALE_VALUES && ig_row_is_number(set, column))))
            continue;
        count = ig_alloc(map->islands + 1, names * sizeof *count);
        for (size_t i = 0; count && i < map->rows; i++) {
            size_t row = map->row ? map->row[i] : i;
            size_t word = ig_row_word_number(set, column, row);

            count[map->islands * names + word]++;
            if (map->island[i] < map->islands)
                count[map->island[i] * names + word]++;
        }
        for (size_t c = 0; count && c < map->islands * names; c++) {
            size_t k = c / names;
            double in = count[c] / (double)places->points[k];
            double all = count[map->islands * names + c % names] / (double)map->rows;

            if (in - all < 0.4 || in - all <= best[k])
                continue;
            best[k] = in - all;
            snprintf(places->name[k], IG_PLACE_NAME, "%s", name[c % names]);
        }
        ig_free(count);
    }
}

void ig_map_draw_half(ig_app *app, int half, ig_rect rect)
{
    const ig_map *map = ig_map_in(app, half);
    ig_map_half *h = &ig_map_of(app)->half[half];
    ig_rect clip = ig_canvas_clip(&app->canvas, rect);
    const char *why = NULL;

    if (map) {
        struct plane on = {.map = map,
                           .half = h,
                           .rect = rect,
                           .scatter = ig_map_scatter(app, map),
                           .chosen = IG_NO_ROW};

        mark_rows(app, &on);
        if (h->span > 0)
            on.scatter.generation = 0; /* the points move */
        if (!(h->span > 0) && map->layout && map->islands) {
            if (h->named != map->serial)
                name_islands(app, map, &h->places);
            h->named = map->serial;
            on.scatter.places = &h->places;
        }
        for (size_t i = 0; i < map->series; i++)
            on.scatter.of_series[i].xy = drawn_xy(&on, i);
        if (ig_map_of(app)->lines)
            draw_translations(app, &on, true);
        if (ig_scatter_draw(&h->scatter, &app->canvas, rect, h->view, &on.scatter,
                            NULL) != IG_OK)
            why = "out of memory for the map";
        draw_marks(app, &on);
    } else {
        why = ig_session_waits(app->now,
                               half ? IG_PRODUCT_MAP_COMPARED : IG_PRODUCT_MAP,
                               "computing the map …");
    }
    app->canvas.clip = clip;
    if (why)
        ig_canvas_wrap(&app->canvas,
                       ig_rect_inset(rect, rect.rows / 2, 0, rect.rows / 4, 2), why,
                       ig_dim);
}
