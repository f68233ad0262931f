/* Turns of maps. Axes that were laid keep their meaning: they are not turned. */
#include "worker/map_turn.h"

#include <math.h>
#include <string.h>

#include "map/procrustes.h"

static bool same_view(const ig_map *a, const ig_map *b)
{
    return a->space == b->space && a->unit == b->unit && a->axis[0] == b->axis[0] &&
           a->axis[1] == b->axis[1] && ig_map_axis_same(&a->laid[0], &b->laid[0]) &&
           ig_map_axis_same(&a->laid[1], &b->laid[1]);
}

/* The points that a sample has of a frame of all rows, series by series. */
static void pick_points(const ig_map *all, const ig_map *sample, float *xy)
{
    for (size_t k = 0; k < all->series; k++)
        for (size_t i = 0; i < sample->rows; i++, xy += 2)
            memcpy(xy, all->xy[k] + 2 * (size_t)sample->row[i], 2 * sizeof *xy);
}

/* An axis with a meaning is not turned: the component beside it may at most point the
 * other way, as it did before. */
static void find_sides(const float *from, const float *to, size_t n,
                       const ig_map_axis laid[2], double q[4])
{
    for (int j = 0; j < 2; j++) {
        double mean[2] = {0}, product = 0;

        for (size_t i = 0; i < n; i++) {
            mean[0] += (double)from[2 * i + j] / (double)n;
            mean[1] += (double)to[2 * i + j] / (double)n;
        }
        for (size_t i = 0; i < n; i++)
            product += ((double)from[2 * i + j] - mean[0]) *
                       ((double)to[2 * i + j] - mean[1]);
        if (laid[j].kind == IG_AXIS_COMPONENT && product < 0)
            q[3 * j] = -1;
    }
}

/* How the points of a map lie against the places of their languages: those of its last
 * series, which languages part best. The original embeddings lie as they are. */
static ig_status find_bearing(ig_map_turn *t, const ig_work *work, const ig_map *map,
                              double cross[4], ig_error *error)
{
    const ig_set *set = work->set;
    ig_status status = IG_OK;

    memset(cross, 0, 4 * sizeof *cross);
    if (map->of[0] == IG_SPACE_ORIGINAL)
        return IG_OK;
    if (!t->has_bearing)
        status = ig_bearing_init(&t->bearing, &work->originals, set->lang,
                                 set->languages, error);
    t->has_bearing = status == IG_OK;
    if (status == IG_OK)
        ig_bearing_of(&t->bearing, map->xy[map->series - 1], map->rows, map->row,
                      set->lang, cross);
    return status;
}

/* What turns the new frame onto the old: one of them may be a sample, the other not. */
static ig_status find_turn(ig_map_turn *t, const ig_work *work, const ig_map *old,
                           const ig_map *new, double q[4], ig_error *error)
{
    double before[4], place[4];
    bool laid = new->laid[0].kind || new->laid[1].kind;
    const ig_map *sample = new->row ? new : old, *all = new->row ? old : new;
    size_t n = sample->rows * sample->series;
    const float *from = new->xy[0], *to = old->xy[0];
    float *picked = NULL;
    ig_status status = find_bearing(t, work, new, place, error);

    if (status != IG_OK)
        return status;
    if (all->rows != sample->rows) {
        picked = ig_alloc(n, 2 * sizeof *picked);
        if (!picked)
            return ig_fail_memory(error, "the map");
        pick_points(all, sample, picked);
        *(all == new ? &from : &to) = picked;
    }
    if (laid) {
        find_sides(from, to, n, new->laid, q);
    } else if (new->of[0] == IG_SPACE_ORIGINAL) {
        status = ig_procrustes_fit(from, 2, to, 2, n, 2, q, error);
    } else {
        ig_bearing_between(from, to, n, before);
        ig_bearing_turn(before, place, q);
    }
    ig_free(picked);
    return status;
}

/* Which way the axes of the first frame of a view point: as those after it will. */
static ig_status find_signs(ig_map_turn *t, const ig_work *work, const ig_map *map,
                            double q[4], ig_error *error)
{
    double place[4];
    ig_status status = IG_OK;

    if (map->series < 2 || map->laid[0].kind || map->laid[1].kind)
        return IG_OK; /* one space by itself lies as the originals do */
    status = find_bearing(t, work, map, place, error);
    if (status == IG_OK)
        ig_bearing_signs(place, q);
    return status;
}

/* Whether the axis that is stronger by far stands upright, and nobody asked for it. */
static bool stands(const ig_map *map)
{
    const double by_far = 2;

    return map->turned && map->axis[0] < map->axis[1] &&
           map->share[1] > by_far * map->share[0];
}

ig_status ig_map_turn_frame(ig_map_turn *turn, const ig_work *work,
                            const ig_map *before, ig_map *map, const double share[2],
                            ig_error *error)
{
    double q[4] = {1, 0, 0, 1};
    ig_status status;
    bool follows = before && same_view(before, map) &&
                   !(turn->settle && stands(before));

    turn->settle = false;
    if (follows)
        status = find_turn(turn, work, before, map, q, error);
    else
        status = find_signs(turn, work, map, q, error);
    if (status != IG_OK)
        return status;
    memcpy(turn->q, q, sizeof q);
    ig_map_turn_points(turn, map->xy[0], map->rows * map->series);
    for (size_t i = 0; i < map->guests; i++)
        ig_map_turn_points(turn, map->guest[i].xy[0], 2);
    for (int j = 0; j < 2; j++)
        map->share[j] = share[0] * q[j] * q[j] + share[1] * q[2 + j] * q[2 + j];
    map->turned = fabs(q[1]) > 1e-3;
    return IG_OK;
}

void ig_map_turn_points(const ig_map_turn *turn, float *xy, size_t n)
{
    ig_procrustes_apply(turn->q, 2, xy, 2, n);
}

void ig_map_turn_free(ig_map_turn *turn)
{
    if (!turn)
        return;
    ig_bearing_free(&turn->bearing);
    *turn = (ig_map_turn){0};
}
