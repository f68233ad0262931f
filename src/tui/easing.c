/* Points on their way. */
#include "tui/easing.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

void ig_easing_free(ig_easing *e)
{
    ig_free(e->last);
    ig_free(e->from);
    ig_free(e->drawn);
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

static bool grow(float **array, size_t *capacity, size_t floats)
{
    return floats <= *capacity || ig_array_grow(array, capacity, floats, sizeof **array,
                                                "the points", NULL) == IG_OK;
}

static bool same_rows(const ig_easing *e, const ig_map *map)
{
    return e->serial && e->rows == map->rows && e->sampled == (map->row != NULL) &&
           (!map->row || memcmp(e->row, map->row, e->rows * sizeof *e->row) == 0);
}

/* The same place on the screen in another view. */
static double across(double x, double from, double from_end, double to, double to_end)
{
    return to + (x - from) / (from_end - from) * (to_end - to);
}

/* Where the points of the map set out from; false: memory is short. */
static bool set_out(ig_easing *e, const ig_map *map, const ig_view *a, const ig_view *b)
{
    const float *here = ig_easing_moves(e) ? e->drawn : e->last;
    size_t n = e->rows;

    if (!grow(&e->from, &e->from_capacity, 4 * n))
        return false;
    for (size_t s = 0; s < map->series; s++) {
        size_t like = 0;

        for (size_t i = 0; i < e->series; i++)
            like = e->of[i] == map->of[s] ? i : like;
        for (size_t i = 0; i < n; i++) {
            const float *p = here + 2 * (like * n + i);
            float *q = e->from + 2 * (s * n + i);

            q[0] = (float)across((double)p[0], a->xmin, a->xmax, b->xmin, b->xmax);
            q[1] = (float)across((double)p[1], a->ymin, a->ymax, b->ymin, b->ymax);
        }
    }
    return true;
}

/* Keep a map's points for the next one; false: memory is short, or there are too
 * many. */
static bool keep(ig_easing *e, const ig_map *map)
{
    size_t n = map->rows;

    if (n > IG_EASED_MOST || !grow(&e->last, &e->last_capacity, 4 * n) ||
        !grow(&e->drawn, &e->drawn_capacity, 4 * n))
        return false;
    if (map->row && n > e->row_capacity &&
        ig_array_grow(&e->row, &e->row_capacity, n, sizeof *e->row, "the rows", NULL) !=
            IG_OK)
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
    bool moves = span > 0 && same_rows(e, map) && set_out(e, map, before, after);

    e->serial = keep(e, map) ? map->serial : 0;
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
    part = t * t * (3 - 2 * t); /* slow at both ends */
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
