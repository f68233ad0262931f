/* Marks over the points of a map. */
#include "explorer/panels/map_panel.h"

#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "explorer/colouring.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/searching.h"

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

/* Those listed among the neighbours: none until these are found. */
void ig_map_lines_draw(ig_app *app, const ig_map_plane *on)
{
    const ig_map *map = on->map;
    const ig_neighbours *near = app->now->neighbours;
    long point = ig_map_point(map, app->cursor);

    for (size_t k = 0; point >= 0 && near && near->row == app->cursor; k++) {
        long i = k < near->listed ? ig_map_point(map, near->translation[k].row) : -1;

        if (k == near->listed)
            return;
        if (i < 0 || !ig_colouring_shows(app, near->translation[k].row))
            continue;
        for (size_t s = 0; s < map->series; s++) {
            const float *xy = ig_easing_xy(on->easing, map, s);

            ig_scatter_line(&app->canvas, on->rect, on->view, xy[2 * point],
                            xy[2 * point + 1], xy[2 * i], xy[2 * i + 1],
                            ig_style_of(IG_COLOUR_LINK, 0));
        }
    }
}

/* Mark a row in a series, if it is in the map. */
static void mark_row(ig_app *app, const ig_map_plane *on, size_t series, uint32_t row,
                     ig_glyph glyph, int colour)
{
    const float *xy = ig_easing_xy(on->easing, on->map, series);
    long point = ig_map_point(on->map, row);

    if (point >= 0)
        ig_scatter_mark(&app->canvas, on->rect, on->view, xy[2 * point],
                        xy[2 * point + 1], glyph, ig_style_of(colour, IG_BOLD));
}

static void mark_linked(ig_app *app, const ig_map_plane *on, const ig_linked *l,
                        size_t series)
{
    for (size_t i = 0; i < l->nears; i++) {
        uint32_t row = l->near[i];
        bool chosen = row == l->chosen;

        if (ig_colouring_shows(app, row) &&
            (chosen ||
             (app->set->has_ids && ig_dataset_translates(app->set, app->cursor, row))))
            mark_row(app, on, series, row,
                     chosen ? IG_GLYPH_CIRCLE_OPEN : IG_GLYPH_TRANSLATION,
                     chosen ? IG_COLOUR_ACCENT
                     : app->colouring->choice == 0
                         ? ig_colour_language(app->set->lang[row])
                         : IG_COLOUR_GOOD);
    }
}

/* A mark with the number of the typed sentence. */
static void mark_typed(ig_app *app, const ig_map_plane *on, const ig_map_typed *g,
                       size_t series)
{
    ig_style style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
    double x = g->xy[series][0], y = g->xy[series][1];
    int row, col;

    ig_scatter_mark(&app->canvas, on->rect, on->view, x, y, IG_GLYPH_STAR, style);
    if (ig_view_cell(on->view, on->rect, x, y, &row, &col))
        ig_canvas_print(&app->canvas, row, col + 1,
                        on->rect.col + on->rect.cols - col - 1, style, "%u", g->number);
}

void ig_map_marks_draw(ig_app *app, const ig_map_plane *on, const ig_linked *linked,
                       const ig_series *series)
{
    const ig_map *map = on->map;

    for (size_t s = 0; s < map->series; s++) {
        if (linked->link == IG_LINK_NEAR && series[s].marked)
            mark_linked(app, on, linked, s);
        for (size_t i = 0; i < map->typed_sentences; i++)
            mark_typed(app, on, &map->typed_sentence[i], s);
    }
    for (size_t s = 0; s < map->series; s++)
        mark_row(app, on, s, app->cursor,
                 s == on->series % map->series ? IG_GLYPH_CURSOR : IG_GLYPH_CIRCLE,
                 IG_COLOUR_CURSOR);
}

/* --- links ------------------------------------------------------------------------ */

static void link_neighbours(const ig_app *app, ig_linked *l)
{
    l->nears = ig_neighbours_chosen(app, l->near, &l->space, &l->chosen);
    if (l->nears == 0)
        return;
    l->near[l->nears++] = app->cursor;
    for (size_t i = 0; i < l->nears; i++)
        l->row[l->near[i]] = true;
    l->link = IG_LINK_NEAR;
}

void ig_linked_update(ig_app *app, ig_linked *l)
{
    ig_matches m = ig_search_matches(app);
    bool near = !m.serial && app->focus == &ig_neighbours_panel;

    if ((m.serial && l->matches == m.serial) || (!m.serial && !near && !l->link))
        return;
    if (l->row)
        memset(l->row, false, app->set->rows * sizeof *l->row);
    else
        l->row = ig_alloc(app->set->rows, sizeof *l->row);
    l->link = IG_LINK_NONE;
    l->matches = m.serial;
    if (!l->row)
        return;
    for (size_t i = 0; i < m.count; i++)
        l->row[m.row[i]] = true;
    if (m.count)
        l->link = IG_LINK_MATCHES;
    if (near)
        link_neighbours(app, l);
}

const bool *ig_linked_rows(const ig_linked *l, ig_space space, bool there)
{
    if (l->link == IG_LINK_NONE)
        return NULL;
    return l->link == IG_LINK_MATCHES || !there || space == l->space ? l->row : NULL;
}

/* --- easing ----------------------------------------------------------------------- */

void ig_easing_free(ig_easing *e)
{
    ig_free(e->last);
    ig_free(e->row);
    *e = (ig_easing){0};
}

bool ig_easing_moves(const ig_easing *e)
{
    return e->span > 0;
}

void ig_easing_rest(ig_easing *e)
{
    e->span = 0;
}

static bool same_rows(const ig_easing *e, const ig_map *map)
{
    return e->serial && e->rows == map->rows && e->sampled == (map->row != NULL) &&
           (!map->row || memcmp(e->row, map->row, e->rows * sizeof *e->row) == 0);
}

/* The same screen position in another view. */
static double convert_place(double x, double from, double from_end, double to,
                            double to_end)
{
    return to + (x - from) / (from_end - from) * (to_end - to);
}

/* Start positions of the animation. */
static void set_start(ig_easing *e, const ig_map *map, const ig_view *a,
                      const ig_view *b)
{
    const float *here = ig_easing_moves(e) ? e->drawn : e->last;
    size_t n = e->rows;

    for (size_t s = 0; s < map->series; s++) {
        size_t like = 0;

        for (size_t i = 0; i < e->series; i++)
            like = e->of[i] == map->of[s] ? i : like;
        for (size_t i = 0; i < n; i++) {
            const float *p = here + 2 * (like * n + i);
            float *q = e->from + 2 * (s * n + i);

            q[0] =
                (float)convert_place((double)p[0], a->xmin, a->xmax, b->xmin, b->xmax);
            q[1] =
                (float)convert_place((double)p[1], a->ymin, a->ymax, b->ymin, b->ymax);
        }
    }
}

/* Allocate for a map of `rows`; false: out of memory or too many points. */
static bool make_room(ig_easing *e, size_t rows)
{
    if (rows > IG_EASED_MAX)
        return false;
    if (rows <= e->capacity)
        return true;
    ig_easing_free(e);
    e->last = ig_alloc(3 * 4 * rows, sizeof *e->last);
    e->row = ig_alloc(rows, sizeof *e->row);
    if (!e->last || !e->row)
        return false;
    e->from = e->last + 4 * rows;
    e->drawn = e->from + 4 * rows;
    e->capacity = rows;
    return true;
}

/* Copy a map's points for the next animation; false: out of memory. */
static bool keep_points(ig_easing *e, const ig_map *map)
{
    size_t n = map->rows;

    if (!make_room(e, n))
        return false;
    if (map->row)
        memcpy(e->row, map->row, n * sizeof *e->row);
    for (size_t s = 0; s < map->series; s++)
        memcpy(e->last + 2 * s * n, map->xy[s], 2 * n * sizeof *e->last);
    e->rows = n;
    e->series = map->series;
    e->sampled = map->row != NULL;
    memcpy(e->of, map->of, sizeof e->of);
    return true;
}

void ig_easing_take(ig_easing *e, const ig_map *map, const ig_view *before,
                    const ig_view *after, double now, double span)
{
    bool moves = span > 0 && same_rows(e, map);

    if (moves)
        set_start(e, map, before, after);
    e->serial = keep_points(e, map) ? map->serial : 0;
    e->begun = now;
    e->span = moves && e->serial ? span : 0;
    if (ig_easing_moves(e))
        ig_easing_move(e, now);
}

bool ig_easing_move(ig_easing *e, double now)
{
    double t = e->span > 0 ? (now - e->begun) / e->span : 1, part;
    size_t floats = 2 * e->rows * e->series;

    if (!ig_easing_moves(e))
        return false;
    if (t >= 1) {
        e->span = 0;
        return true;
    }
    t = t < 0 ? 0 : t;
    part = t * t * (3 - 2 * t); /* ease in and out */
    for (size_t i = 0; i < floats; i++)
        e->drawn[i] = e->from[i] + (float)part * (e->last[i] - e->from[i]);
    return false;
}

const float *ig_easing_xy(const ig_easing *e, const ig_map *map, size_t series)
{
    return ig_easing_moves(e) && e->serial == map->serial
               ? e->drawn + 2 * series * e->rows
               : map->xy[series];
}
