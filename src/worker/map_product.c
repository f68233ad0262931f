/* The map: which rows and spaces, fitted and placed; map_turn.h turns it. */
#include "worker/map_product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "map/procrustes.h"

enum { SAMPLE_LEAST = 500, STREAM_SAMPLE = 1u << 21 };

/* --- which rows, which spaces ----------------------------------------------------- */

/* The spaces of the map that is wanted, as far as there are weights for them. */
static void choose_spaces(ig_map_product *m, ig_map *map)
{
    bool meaning = ig_shown_rows(m->shown, IG_SPACE_MEANING) != NULL;
    bool language = ig_shown_rows(m->shown, IG_SPACE_LANGUAGE) != NULL;

    map->space = m->work->request->space;
    map->series = 1;
    if (map->space == IG_MAP_XY && !m->work->set->xy[0])
        map->space = IG_MAP_JOINT;
    if (map->space == IG_MAP_XY)
        map->of[0] = IG_SPACE_ORIGINAL;
    else if (!meaning || map->space == IG_MAP_ORIGINAL) {
        map->space = IG_MAP_ORIGINAL;
        map->of[0] = IG_SPACE_ORIGINAL;
    } else if (!language || map->space == IG_MAP_MEANING) {
        map->space = IG_MAP_MEANING;
        map->of[0] = IG_SPACE_MEANING;
    } else if (map->space == IG_MAP_LANGUAGE) {
        map->of[0] = IG_SPACE_LANGUAGE;
    } else {
        map->series = 2;
        map->of[0] = IG_SPACE_MEANING;
        map->of[1] = IG_SPACE_LANGUAGE;
    }
}

/* A random subset, the same for every frame of the session, in the rows' order, in
 * which every language has its share: at least one row, if it has any. */
static bool draw_sample(ig_map_product *m, ig_map *map, size_t rows)
{
    const ig_set *set = m->work->set;
    size_t n = set->rows, k = 0;
    uint8_t *chosen = ig_alloc(n, 1);
    size_t *left = ig_alloc(set->languages, sizeof *left); /* rows still to be chosen */

    if (!m->sample && (m->sample = ig_alloc(n, sizeof *m->sample))) {
        ig_random random;

        for (size_t i = 0; i < n; i++)
            m->sample[i] = (uint32_t)i;
        ig_random_init(&random, m->work->request->seed, STREAM_SAMPLE);
        ig_random_shuffle(&random, m->sample, n);
    }
    if (chosen && left && m->sample) {
        for (size_t i = 0; i < n; i++)
            left[set->lang[i]]++;
        for (size_t l = 0; l < set->languages; l++) {
            left[l] = (left[l] * rows + n - 1) / n;
            k += left[l];
        }
        map->rows = k;
        map->row = ig_alloc(k, sizeof *map->row);
    }
    for (size_t i = 0; map->row && i < n; i++)
        if (left[set->lang[m->sample[i]]] > 0) {
            left[set->lang[m->sample[i]]]--;
            chosen[m->sample[i]] = 1;
        }
    k = 0;
    for (size_t i = 0; map->row && i < n; i++)
        if (chosen[i])
            map->row[k++] = (uint32_t)i;
    ig_free(chosen);
    ig_free(left);
    return map->row != NULL;
}

/* All rows, or as many as are cheap. */
static bool choose_rows(ig_map_product *m, ig_map *map, bool exact)
{
    double each = ig_shown_flops(m->work, 1);
    double most = m->work->cheap / each;

    map->total = map->rows = m->work->set->rows;
    if (exact || ig_shown_cheap(m->work))
        return true;
    if (most >= (double)map->total || map->total <= SAMPLE_LEAST)
        return true;
    return draw_sample(m, map, most < SAMPLE_LEAST ? SAMPLE_LEAST : (size_t)most);
}

/* --- fitting and projecting ------------------------------------------------------- */

/* A source of the map's rows in a space. */
static ig_rows source_of(ig_map_product *m, const ig_map *map, ig_space space,
                         ig_rows_pick *pick)
{
    const ig_rows *all = ig_shown_rows(m->shown, space);

    if (!map->row)
        return *all;
    *pick = (ig_rows_pick){all, map->row, map->rows};
    return ig_rows_of_pick(pick);
}

/* --- axes that are laid ----------------------------------------------------------- */

enum { LEAST_OF_END = 200 }; /* rows of an end, of a map that is a sample */

/* What an end is: rows, or the vectors of a guest in the spaces of the map, for which
 * `context` and `vector` (spaces) are room. */
static ig_status find_end(const ig_map_product *m, const ig_map *map,
                          const ig_map_end *end, ig_guest_rows *context,
                          ig_rows *vector, ig_map_group *group, ig_error *error)
{
    size_t most = map->rows / 4 > LEAST_OF_END ? map->rows / 4 : LEAST_OF_END, i = 0;

    if (end->kind != IG_END_GUEST)
        return ig_map_end_rows(group, m->work->set, end, map->row ? most : 0, error);
    while (i < m->guests->count && m->guests->guest[i].number != end->number)
        i++;
    if (i == m->guests->count)
        return ig_fail(error, IG_VALUE, "guest %u is not there", end->number);
    for (size_t s = 0; s < map->series; s++)
        ig_guests_rows(m->guests, i, m->shown, map->of[s], &context[s], &vector[s]);
    *group = (ig_map_group){.vector = vector};
    return IG_OK;
}

/* Lay one axis through the rows that were summed. */
static ig_status lay(ig_map_product *m, const ig_map *map, const ig_map_axis *axis,
                     const ig_map_source *space, ig_error *error)
{
    ig_map_group from = {0}, to = {0};
    ig_guest_rows context[2][2];
    ig_rows vector[2][2];
    const ig_rows *all[2];
    ig_status status = find_end(m, map, &axis->to, context[0], vector[0], &to, error);

    for (size_t s = 0; s < map->series; s++)
        all[s] = ig_shown_rows(m->shown, map->of[s]);
    if (status == IG_OK && axis->kind == IG_AXIS_BETWEEN)
        status = find_end(m, map, &axis->from, context[1], vector[1], &from, error);
    if (status == IG_OK)
        status = ig_map_axis_lay(&m->projection, axis, &from, &to, space, all,
                                 map->series, map->unit, m->work->pool, m->work->cancel,
                                 error);
    ig_free(from.row);
    ig_free(to.row);
    return status;
}

/* Lay the axes that are asked for. One that these weights do not have (both ends may
 * coincide in an epoch) is a component in this frame, and the map says why.
 *   number  out  (2) of the axes on x and y, as the projection counts them */
static ig_status lay_axes(ig_map_product *m, ig_map *map, const ig_map_source *space,
                          size_t number[2], ig_error *error)
{
    const ig_map_axis *asked = m->work->request->laid;
    size_t laid[2] = {0};

    for (int j = 0; j < 2; j++) {
        char name[IG_MAP_AXIS_SIZE];
        ig_error why;
        ig_status status;

        if (asked[j].kind == IG_AXIS_COMPONENT)
            continue;
        laid[j] = m->projection.laid;
        status = lay(m, map, &asked[j], space, &why);
        if (status == IG_OK)
            map->laid[j] = asked[j];
        else if (status == IG_VALUE)
            snprintf(map->unlaid, sizeof map->unlaid, "%.64s: %.80s",
                     ig_map_axis_format(name, &asked[j], m->work->set, "→"),
                     why.message);
        else
            return ig_fail(error, status, "%s", why.message);
    }
    for (int j = 0; j < 2; j++)
        if (map->laid[j].kind == IG_AXIS_COMPONENT)
            number[j] = m->projection.laid + map->axis[j];
        else
            number[j] = laid[j];
    if (number[0] == number[1] && space[0].rows.dims > 1) {
        number[1] += number[1] + 1 < m->projection.laid + space[0].rows.dims ? 1 : -1;
        map->axis[1] = number[1] - m->projection.laid;
    }
    return IG_OK;
}

/* Fit and place the spaces of the map. What is an image of the originals follows from
 * them: exact for all rows, at O(d³).
 *   number  out  (2) the axes on x and y, as the projection counts them */
static ig_status fit_and_place(ig_map_product *m, ig_map *map, bool image,
                               size_t number[2], ig_error *error)
{
    const atomic_bool *stop = m->work->cancel;
    ig_map_source space[2] = {0};
    ig_rows_pick pick[2];
    size_t k;
    ig_status status;

    for (size_t i = 0; i < map->series; i++) {
        ig_image *of = &space[i].image;

        space[i].rows = source_of(m, map, map->of[i], &pick[i]);
        if (image && ig_extractor_linear(&m->shown->x, map->of[i], &of->w, &of->b,
                                         &of->residual))
            of->of = &m->work->originals;
    }
    status = ig_projection_sum(&m->projection, space, map->series, map->unit,
                               m->work->pool, stop, error);
    map->zero_rows = m->projection.zero_rows;
    if (status == IG_OK)
        status = lay_axes(m, map, space, number, error);
    k = 1 + (map->axis[0] > map->axis[1] ? map->axis[0] : map->axis[1]);
    if (status == IG_OK)
        status = ig_projection_solve(&m->projection, k, error);
    if (status == IG_OK)
        status = ig_projection_place(&m->projection, space, map->series, number, 2,
                                     map->unit, m->work->pool, stop, map->xy, 2, error);
    return status;
}

/* Place all guests together, by the axes and the weights of a frame. */
static ig_status place_guests(const ig_map_product *m, ig_map *map,
                              const ig_shown *shown, const ig_projection *by,
                              const size_t *number, ig_error *error)
{
    size_t n = m->guests->count;
    float *vectors = ig_alloc(n, m->work->set->dims * sizeof *vectors);
    float *xy = ig_alloc(n, 2 * sizeof *xy);
    ig_status status = IG_OK;

    map->guest = ig_alloc(n, sizeof *map->guest);
    if (!map->guest || !vectors || !xy)
        status = ig_fail_memory(error, "the map");
    for (size_t s = 0; s < map->series && status == IG_OK; s++) {
        ig_map_source source = {0};
        ig_guest_rows context;

        if (!ig_guests_gather(m->guests, shown, map->of[s], vectors, &context,
                              &source.rows))
            continue;
        status = ig_projection_place(by, &source, 1, number, 2, map->unit, NULL, NULL,
                                     &xy, 2, error);
        for (size_t i = 0; i < n; i++)
            memcpy(map->guest[i].xy[s], xy + 2 * i, sizeof map->guest[i].xy[s]);
    }
    for (size_t i = 0; i < n && status == IG_OK; i++)
        map->guest[i].number = m->guests->guest[i].number;
    map->guests = status == IG_OK ? n : 0;
    ig_free(vectors);
    ig_free(xy);
    return status;
}

/* --- frames ----------------------------------------------------------------------- */

static bool by_image(const ig_map_product *m, const ig_map *map)
{
    ig_matrix w;
    const float *b;
    bool residual;

    return !map->unit && map->of[0] != IG_SPACE_ORIGINAL &&
           m->shown->x.dims == m->work->set->dims &&
           ig_extractor_linear(&m->shown->x, map->of[0], &w, &b, &residual);
}

/* The coordinates that the set has itself, and guests in the midst of the rows that are
 * nearest to them. */
static ig_status take_coordinates(const ig_map_product *m, ig_map *map, ig_error *error)
{
    const ig_set *set = m->work->set;

    map->guest = ig_alloc(m->guests->count, sizeof *map->guest);
    if (!map->guest)
        return ig_fail_memory(error, "the map");
    for (int j = 0; j < 2; j++)
        for (size_t i = 0; i < map->rows; i++)
            map->xy[0][2 * i + (size_t)j] = (float)set->xy[j]->number[i];
    for (size_t i = 0; i < m->guests->count; i++) {
        const ig_guest *guest = &m->guests->guest[i];
        size_t count = guest->count[IG_SPACE_ORIGINAL];
        ig_map_guest *placed = &map->guest[map->guests];

        if (count == 0) /* they follow, and then another map */
            continue;
        placed->number = guest->number;
        map->guests++;
        for (int j = 0; j < 2; j++) {
            double sum = 0;

            for (size_t k = 0; k < count; k++)
                sum += set->xy[j]->number[guest->near[IG_SPACE_ORIGINAL][k].row];
            placed->xy[0][j] = (float)(sum / (double)count);
        }
    }
    return IG_OK;
}

/* --- how far it is ---------------------------------------------------------------- */

/* To place a row takes as long as to sum it in so many dimensions. */
static const double PLACING = 32;

static void tick(void *context, double done)
{
    ig_map_product *m = context;
    double d = (double)m->work->set->dims, summed = fmin(done, m->to_sum);

    if (m->long_map)
        m->part = (summed * d + (done - summed) * PLACING) /
                  (m->to_sum * d + m->to_place * PLACING);
    m->work->attend(m->work->session, m->part);
}

/* Count the rows summed and placed; a long map of all rows says how far it is. */
static void begin_watch(ig_map_product *m, const ig_map *map)
{
    double rows = (double)map->rows, all = rows * (double)map->series;
    bool image = by_image(m, map);
    bool summed = m->projection.of == &m->work->originals &&
                  m->projection.originals.rows > 0;

    m->to_sum = !image ? all : summed ? 0 : rows;
    m->to_place = image ? rows : all;
    m->long_map = map->rows == map->total && !ig_shown_cheap(m->work);
    m->watch = (ig_watch){.tick = tick, .context = m};
    m->projection.watch = &m->watch;
}

/* --- a frame --------------------------------------------------------------------- */

/* Room for the coordinates of the rows that it has. */
static ig_status begin_frame(ig_map_product *m, ig_map *map, bool exact,
                             ig_error *error)
{
    if (!choose_rows(m, map, exact || by_image(m, map) || map->space == IG_MAP_XY))
        return ig_fail_memory(error, "the map");
    map->xy[0] = ig_alloc(map->rows * map->series * 2, sizeof(float));
    if (!map->xy[0])
        return ig_fail_memory(error, "the map");
    if (map->series == 2)
        map->xy[1] = map->xy[0] + 2 * map->rows;
    return IG_OK;
}

static ig_status make_frame(ig_map_product *m, const ig_map *like, ig_map *map,
                            ig_error *error)
{
    size_t number[2];
    ig_status status;

    m->framed &= map->space != IG_MAP_XY;
    if (map->space == IG_MAP_XY)
        return take_coordinates(m, map, error);
    status = fit_and_place(m, map, by_image(m, map), number, error);
    if (status == IG_OK && m->guests->count)
        status = place_guests(m, map, m->shown, &m->projection, number, error);
    if (status == IG_OK) {
        const double share[2] = {ig_projection_share(&m->projection, number[0]),
                                 ig_projection_share(&m->projection, number[1])};

        status = ig_map_turn_frame(&m->turn, m->work, m->map ? m->map : like, map,
                                   share, error);
    }
    if (status != IG_OK || !m->guests->options)
        return status;
    m->framed = ig_projection_keep(&m->axes, &m->projection, number, NULL) == IG_OK &&
                (m->shown->serial == 0 ||
                 ig_shown_put(&m->frame, m->shown->run, &m->shown->x, map->epoch));
    if (m->shown->serial == 0)
        ig_shown_clear(&m->frame);
    return IG_OK;
}

/* --- guests who come later -------------------------------------------------------- */

static bool runs_through_guests(const ig_map_axis *axis)
{
    return axis->kind != IG_AXIS_COMPONENT &&
           (axis->to.kind == IG_END_GUEST || axis->from.kind == IG_END_GUEST);
}

/* A frame with the same points, and no guests; or NULL: memory is short. */
static ig_map *copy_frame(const ig_map *from)
{
    size_t floats = from->rows * from->series * 2;
    ig_map *map = ig_alloc(1, sizeof *map);

    if (!map)
        return NULL;
    *map = *from;
    atomic_init(&map->users, 1);
    map->guests = 0;
    map->guest = NULL;
    map->xy[0] = ig_alloc(floats, sizeof(float));
    map->row = from->row ? ig_alloc(from->rows, sizeof *map->row) : NULL;
    if (!map->xy[0] || (from->row && !map->row)) {
        ig_map_release(map);
        return NULL;
    }
    memcpy(map->xy[0], from->xy[0], floats * sizeof(float));
    if (map->series == 2)
        map->xy[1] = map->xy[0] + 2 * map->rows;
    if (map->row)
        memcpy(map->row, from->row, from->rows * sizeof *map->row);
    return map;
}

bool ig_map_product_admit(ig_map_product *m)
{
    const ig_map_axis *asked = m->work->request->laid;
    ig_map *map;

    if (!m->map || !m->framed || runs_through_guests(&asked[0]) ||
        runs_through_guests(&asked[1]))
        return false;
    map = copy_frame(m->map);
    if (!map)
        return false;
    if (m->guests->count &&
        place_guests(m, map, &m->frame, &m->axes, NULL, NULL) != IG_OK) {
        ig_map_release(map);
        return false;
    }
    for (size_t i = 0; i < map->guests; i++)
        ig_map_turn_points(&m->turn, map->guest[i].xy[0], 2);
    map->serial = ++m->maps;
    ig_map_release(m->map);
    m->map = map;
    return true;
}

/* A map of what is asked for, without rows yet; or NULL. */
static ig_map *new_frame(ig_map_product *m)
{
    ig_map *map = ig_alloc(1, sizeof *map);
    size_t last;

    if (!map)
        return NULL;
    atomic_init(&map->users, 1);
    map->unit = m->work->request->unit;
    map->epoch = m->shown->epoch;
    map->serial = m->maps + 1;
    choose_spaces(m, map);
    last = ig_shown_rows(m->shown, map->of[0])->dims - 1;
    map->axis[0] = m->work->request->axis[0] > last ? last : m->work->request->axis[0];
    map->axis[1] = m->work->request->axis[1] > last ? last : m->work->request->axis[1];
    return map;
}

ig_status ig_map_product_make(ig_map_product *m, const ig_map *like, bool *exact,
                              ig_error *error)
{
    ig_map *map = new_frame(m);
    ig_status status;

    if (!map)
        return ig_fail_memory(error, "the map");
    status = begin_frame(m, map, *exact, error);
    if (status == IG_OK) {
        begin_watch(m, map);
        status = make_frame(m, like, map, error);
        m->projection.watch = NULL;
        m->part = 0;
    }
    if (status != IG_OK) {
        ig_map_release(map);
        return status;
    }
    m->maps++;
    ig_map_release(m->map);
    m->map = map;
    *exact = map->rows == map->total;
    return IG_OK;
}

void ig_map_product_forget(ig_map_product *m)
{
    ig_map_release(m->map);
    m->map = NULL;
    m->framed = false;
}

void ig_map_product_free(ig_map_product *m)
{
    ig_map_product_forget(m);
    ig_projection_free(&m->projection);
    ig_projection_free(&m->axes);
    ig_shown_free(&m->frame);
    ig_map_turn_free(&m->turn);
    ig_free(m->sample);
}

/* --- map turn --------------------------------------------------------------------- */

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
