/* Marks over the points of a map, and the box that selects rows. */
#include "explorer/panels/map_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "explorer/colouring.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/searching.h"
#include "explorer/selection.h"

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

            ig_scatter_line(&app->canvas, on->rect, on->view, xy + 2 * point,
                            xy + 2 * i, ig_style_of(IG_COLOUR_LINK, 0));
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
    ig_style style = ig_accent;
    double x = g->xy[series][0], y = g->xy[series][1];
    int row, col;

    ig_scatter_mark(&app->canvas, on->rect, on->view, x, y, IG_GLYPH_STAR, style);
    if (ig_view_cell(on->view, on->rect, x, y, &row, &col))
        ig_canvas_print(&app->canvas, row, col + 1,
                        on->rect.col + on->rect.cols - col - 1, style, "%u", g->number);
}

void ig_map_marks_draw(ig_app *app, const ig_map_plane *on, const ig_linked *linked,
                       const ig_scatter *scatter)
{
    const ig_map *map = on->map;

    for (size_t s = 0; s < map->series; s++) {
        if (linked->link == IG_LINK_NEAR && scatter->of_series[s].marked)
            mark_linked(app, on, linked, s);
        for (size_t i = 0; i < map->typed_sentences; i++)
            mark_typed(app, on, &map->typed_sentence[i], s);
    }
    for (size_t s = 0; s < map->series; s++)
        mark_row(app, on, s, app->cursor,
                 s == on->series % map->series ? IG_GLYPH_CURSOR : IG_GLYPH_CIRCLE,
                 IG_COLOUR_CURSOR);
}

/* --- islands ---------------------------------------------------------------------- */

void ig_islands_update(const ig_app *app, const ig_map *map, ig_islands *n)
{
    const char *language = ig_gloss_language(app);
    bool words = ig_session_words(app->session) != NULL;

    if (n->serial == map->serial && n->language == language && n->words == words)
        return;
    n->serial = map->serial;
    n->language = language;
    n->words = words;
    n->places = (ig_named_places){0, n->xy, n->points, n->name};
    if (!map->islands || !ig_islands_name(app, map, n->text))
        return;
    for (size_t k = 0; k < map->islands; k++) {
        double sum[2] = {0};

        n->points[k] = 0;
        n->name[k] = n->text[k];
        for (size_t i = 0; i < map->rows; i++)
            if (map->island[i] == k) {
                sum[0] += (double)map->xy[0][2 * i];
                sum[1] += (double)map->xy[0][2 * i + 1];
                n->points[k]++;
            }
        for (size_t j = 0; j < 2; j++)
            n->xy[2 * k + j] = (float)(sum[j] / n->points[k]);
    }
    n->places.count = map->islands;
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
    const ig_row_set *m = ig_search_matches(app);
    bool near = !m && app->focus == &ig_neighbours_panel;

    if ((m && l->matches == m->serial) || (!m && !near && !l->link))
        return;
    if (l->row)
        memset(l->row, false, app->set->rows * sizeof *l->row);
    else
        l->row = ig_alloc(app->set->rows, sizeof *l->row);
    l->link = IG_LINK_NONE;
    l->matches = m ? m->serial : 0;
    if (!l->row)
        return;
    for (size_t i = 0; m && i < m->count; i++)
        l->row[m->row[i]] = true;
    if (m && m->count)
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
    ig_free(e->from);
    *e = (ig_easing){0};
}

/* Start positions of the animation: at the same screen position in another view. */
static void set_start(const ig_easing *e, const ig_map *map, const ig_view *a,
                      const ig_view *b, float *from)
{
    double across = (b->xmax - b->xmin) / (a->xmax - a->xmin);
    double down = (b->ymax - b->ymin) / (a->ymax - a->ymin);
    size_t n = 2 * map->rows;

    for (size_t s = 0; s < map->series; s++) {
        size_t like = e->series > 1 && e->of[1] == map->of[s];
        const float *p = (e->span > 0 ? e->drawn : e->to) + like * n;

        for (size_t i = 0; i < n; i += 2) {
            from[s * n + i] = (float)(b->xmin + ((double)p[i] - a->xmin) * across);
            from[s * n + i + 1] =
                (float)(b->ymin + ((double)p[i + 1] - a->ymin) * down);
        }
    }
}

void ig_easing_take(ig_easing *e, const ig_map *map, const ig_view *before,
                    const ig_view *after, double now, double span)
{
    size_t n = 2 * map->rows * map->series;
    float *from = map->row || map->rows > IG_EASED_MAX ? NULL
                                                       : ig_alloc(3, n * sizeof *from);
    bool moves = from && span > 0 && e->rows == map->rows;

    if (moves)
        set_start(e, map, before, after, from);
    ig_easing_free(e);
    if (!from)
        return;
    *e = (ig_easing){.from = from,
                     .to = from + n,
                     .drawn = from + 2 * n,
                     .rows = map->rows,
                     .series = map->series,
                     .of = {map->of[0], map->of[1]},
                     .serial = map->serial,
                     .begun = now,
                     .span = moves ? span : 0};
    memcpy(e->to, map->xy[0], n * sizeof *from);
    ig_easing_move(e, now);
}

void ig_easing_move(ig_easing *e, double now)
{
    double t = e->span > 0 ? fmax(0, (now - e->begun) / e->span) : 1;
    double part = t * t * (3 - 2 * t); /* ease in and out */

    if (t >= 1)
        e->span = 0;
    for (size_t i = 0; e->span > 0 && i < 2 * e->rows * e->series; i++)
        e->drawn[i] = e->from[i] + (float)part * (e->to[i] - e->from[i]);
}

const float *ig_easing_xy(const ig_easing *e, const ig_map *map, size_t series)
{
    return e->span > 0 && e->serial == map->serial ? e->drawn + 2 * series * e->rows
                                                   : map->xy[series];
}

/* --- box -------------------------------------------------------------------------- */

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

        for (size_t s = 0; s < map->series; s++) {
            double x = (double)map->xy[s][2 * i], y = (double)map->xy[s][2 * i + 1];

            inside |= ig_view_cell(view, plane, x, y, &row, &col) &&
                      ig_rect_has(box, row, col);
        }
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
        mark = ig_alloc(app->set->rows, sizeof *mark);
        if (mark)
            mark_rows(app, mark);
        ig_selection_take(app, mark);
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

    if (b.on && b.dragged && key.mouse == IG_MOUSE_RELEASE) {
        select_box(app);
    } else if (b.on && b.dragged && key.mouse == IG_MOUSE_DRAG) {
        set_box(app, (ig_box){true, true, b.row, b.col, row, col});
    } else if ((key.mouse == IG_MOUSE_SECOND ||
                (b.on && key.mouse == IG_MOUSE_PRESS)) &&
               ig_rect_has(plane, key.row, key.col)) {
        set_box(app, (ig_box){true, true, row, col, row, col});
    } else {
        return false;
    }
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
