/* The map: choice of rows and spaces, projection, rotation. */
#include "explorer/map_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"

enum {
    MIN_SAMPLE = 500,
    STREAM_SAMPLE = 1u << 21,
    LAYOUT_ROWS = 12000, /* of a neighbour layout; of more rows first a … */
    LAYOUT_SAMPLE = 4000,
    LAYOUT_MOST = 200000 /* of more a sample of LAYOUT_ROWS: it takes O(rows²) */
};

/* --- rows and spaces -------------------------------------------------------------- */

static void choose_spaces(ig_map_result *m, ig_map *map)
{
    bool meaning = ig_shown_rows(m->shown, IG_SPACE_MEANING) != NULL;
    bool language = ig_shown_rows(m->shown, IG_SPACE_LANGUAGE) != NULL;

    map->space = m->work->view->space;
    map->series = 1;
    if (map->space == IG_MAP_XY && !m->work->set->xy[0])
        map->space = IG_MAP_JOINT;
    map->layout = m->work->view->layout && map->space != IG_MAP_XY;
    if (map->layout && map->space == IG_MAP_JOINT) /* its rows have two positions */
        map->space = IG_MAP_MEANING;
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

/* Draw a random subset stratified by language, at least one row of each, in row order
 * and the same for all frames of the session. False: out of memory. */
static bool draw_sample(ig_map_result *m, ig_map *map, size_t rows)
{
    const ig_dataset *set = m->work->set;
    size_t n = set->rows, k = 0;
    uint8_t *chosen = ig_alloc(n, 1);
    size_t *left = ig_alloc(set->languages, sizeof *left); /* rows still to be chosen */

    if (!m->sample && (m->sample = ig_alloc(n, sizeof *m->sample))) {
        ig_random random;

        for (size_t i = 0; i < n; i++)
            m->sample[i] = (uint32_t)i;
        ig_random_init(&random, m->work->view->seed, STREAM_SAMPLE);
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
    IG_FREE(chosen, left);
    return map->row != NULL;
}

static bool choose_rows(ig_map_result *m, ig_map *map, bool exact)
{
    double each = ig_shown_flops(m->work, 1);
    double max_rows = map->layout ? exact ? LAYOUT_ROWS : LAYOUT_SAMPLE
                                  : m->work->cheap / each;

    map->total = map->rows = m->work->set->rows;
    exact = exact && !(map->layout && map->rows > LAYOUT_MOST);
    if (exact || (!map->layout && ig_shown_cheap(m->work)) ||
        (map->layout && map->rows <= LAYOUT_ROWS))
        return true;
    if (max_rows >= (double)map->total || map->total <= MIN_SAMPLE)
        return true;
    return draw_sample(m, map, max_rows < MIN_SAMPLE ? MIN_SAMPLE : (size_t)max_rows);
}

/* --- fitting and projecting ------------------------------------------------------- */

ig_rows ig_map_result_rows(ig_map_result *m, const ig_map *map, ig_space space,
                           ig_rows_pick *pick)
{
    const ig_rows *all = ig_shown_rows(m->shown, space);

    if (!map->row)
        return *all;
    *pick = (ig_rows_pick){all, map->row, map->rows};
    return ig_rows_of_pick(pick);
}

/* --- custom axes ------------------------------------------------------------------ */

enum { MIN_END_ROWS = 200 }; /* rows of an end, if the map is a sample */

/* Resolve an end of an axis: rows, or the vectors of a typed sentence in the spaces of
 * the map.
 *   context, vector  scratch  (spaces) */
static ig_status find_end(const ig_map_result *m, const ig_map *map,
                          const ig_map_end *end, ig_typed_rows *context,
                          ig_rows *vector, ig_map_group *group, ig_error *error)
{
    size_t max_rows = map->rows / 4 > MIN_END_ROWS ? map->rows / 4 : MIN_END_ROWS,
           i = 0;

    if (end->kind != IG_END_TYPED_SENTENCE)
        return ig_map_end_rows(group, m->work->set, end, map->row ? max_rows : 0,
                               error);
    while (i < m->typed_sentences.count &&
           m->typed_sentences.typed_sentence[i].number != end->number)
        i++;
    if (i == m->typed_sentences.count)
        return ig_fail(error, IG_VALUE, "no typed sentence %u", end->number);
    for (size_t s = 0; s < map->series; s++)
        ig_typed_list_rows(&m->typed_sentences, i, 1, m->shown, map->of[s], &context[s],
                           &vector[s]);
    *group = (ig_map_group){.vector = vector};
    return IG_OK;
}

static ig_status fit_axis(ig_map_result *m, const ig_map *map, const ig_map_axis *axis,
                          ig_error *error)
{
    ig_map_group from = {0}, to = {0};
    ig_typed_rows context[2][2];
    ig_rows vector[2][2];
    const ig_rows *all[2];
    ig_status status = find_end(m, map, &axis->to, context[0], vector[0], &to, error);

    for (size_t s = 0; s < map->series; s++)
        all[s] = ig_shown_rows(m->shown, map->of[s]);
    if (status == IG_OK && axis->kind == IG_AXIS_BETWEEN)
        status = find_end(m, map, &axis->from, context[1], vector[1], &from, error);
    if (status == IG_OK)
        status = ig_map_axis_add(&m->projection, axis, &from, &to, all, map->series,
                                 map->unit, m->work->pool, m->work->cancel, error);
    IG_FREE(from.row, to.row);
    return status;
}

/* Fit the requested custom axes. An axis without a direction under these weights (its
 * ends may coincide in an epoch) is a component in this frame; map->axis_failure is the
 * reason.
 *   number  out  (2) indices of the axes on x and y in the projection */
static ig_status fit_axes(ig_map_result *m, ig_map *map, const ig_map_source *space,
                          size_t number[2], ig_error *error)
{
    static const ig_map_axis none[2] = {{0}};
    const ig_map_axis *custom = map->layout ? none : m->work->view->custom;
    size_t index[2] = {0};

    for (int j = 0; j < 2; j++) {
        char name[IG_MAP_AXIS_SIZE];
        ig_error why;
        ig_status status;

        if (custom[j].kind == IG_AXIS_COMPONENT)
            continue;
        index[j] = m->projection.custom;
        status = fit_axis(m, map, &custom[j], &why);
        if (status == IG_OK)
            map->custom[j] = custom[j];
        else if (status == IG_VALUE)
            snprintf(map->axis_failure, sizeof map->axis_failure, "%.64s: %.80s",
                     ig_map_axis_format(name, &custom[j], m->work->set, "→"),
                     why.message);
        else
            return ig_fail(error, status, "%s", why.message);
    }
    for (int j = 0; j < 2; j++)
        if (map->custom[j].kind == IG_AXIS_COMPONENT)
            number[j] = m->projection.custom + map->axis[j];
        else
            number[j] = index[j];
    if (number[0] == number[1] && space[0].rows.dims > 1) {
        number[1] += number[1] + 1 < m->projection.custom + space[0].rows.dims ? 1 : -1;
        map->axis[1] = number[1] - m->projection.custom;
    }
    return IG_OK;
}

/* Fit the projection and project the spaces of the map. A linear image of the originals
 * is derived from their moments: exact for all rows, at O(d³).
 *   number  out  (2) indices of the axes on x and y in the projection */
static ig_status fit_and_place(ig_map_result *m, ig_map *map, bool image,
                               size_t number[2], ig_error *error)
{
    const atomic_bool *stop = m->work->cancel;
    ig_map_source space[2] = {0};
    ig_rows_pick pick[2];
    size_t k;
    ig_status status;

    for (size_t i = 0; i < map->series; i++) {
        space[i].rows = ig_map_result_rows(m, map, map->of[i], &pick[i]);
        if (image)
            space[i].image =
                ig_extractor_image(&m->shown->x, map->of[i], &m->shown->of->originals);
    }
    status = ig_projection_sum(&m->projection, space, map->series, map->unit,
                               m->work->pool, stop, error);
    map->zero_rows = m->projection.zero_rows;
    if (status == IG_OK)
        status = fit_axes(m, map, space, number, error);
    k = 1 + (map->axis[0] > map->axis[1] ? map->axis[0] : map->axis[1]);
    if (status == IG_OK)
        status = ig_projection_solve(&m->projection, k, error);
    if (status == IG_OK)
        status = ig_projection_place(&m->projection, space, map->series, number, 2,
                                     map->unit, m->work->pool, stop, map->xy, 2, error);
    return status;
}

static ig_status place_typed_sentences(const ig_map_result *m, ig_map *map,
                                       const size_t number[2], ig_error *error)
{
    size_t n = m->typed_sentences.count;
    float *xy = ig_alloc(n, 2 * sizeof *xy);
    ig_status status = IG_OK;

    map->typed_sentence = ig_alloc(n, sizeof *map->typed_sentence);
    if (!map->typed_sentence || !xy)
        status = ig_fail_memory(error, "the map");
    for (size_t s = 0; s < map->series && status == IG_OK; s++) {
        ig_map_source source = {0};
        ig_typed_rows context;

        ig_typed_list_rows(&m->typed_sentences, 0, n, m->shown, map->of[s], &context,
                           &source.rows);
        status = ig_projection_place(&m->projection, &source, 1, number, 2, map->unit,
                                     NULL, NULL, &xy, 2, error);
        for (size_t i = 0; i < n; i++)
            memcpy(map->typed_sentence[i].xy[s], xy + 2 * i,
                   sizeof map->typed_sentence[i].xy[s]);
    }
    for (size_t i = 0; i < n && status == IG_OK; i++)
        map->typed_sentence[i].number = m->typed_sentences.typed_sentence[i].number;
    map->typed_sentences = status == IG_OK ? n : 0;
    ig_free(xy);
    return status;
}

/* --- rotation --------------------------------------------------------------------- */

/* Cross products of n points with others, each centred: (2, 2). */
static void find_cross(const float *from, const float *to, size_t n, double cross[4])
{
    double sum[4] = {0};

    memset(cross, 0, 4 * sizeof *cross);
    for (size_t i = 0; i < n; i++, from += 2, to += 2)
        for (int j = 0; j < 4; j++) {
            sum[j] += (double)(j < 2 ? from[j] : to[j - 2]);
            cross[j] += (double)from[j / 2] * (double)to[j % 2];
        }
    for (int j = 0; j < 4 && n > 0; j++)
        cross[j] -= sum[j / 2] * sum[2 + j % 2] / (double)n;
}

/* The rotation or reflection (row := row q) that fits best: the best rotation has the
 * trace |(c00 + c11, c01 − c10)|, the best reflection |(c00 − c11, c01 + c10)|. The
 * identity if there is none. */
static void solve_procrustes(const double c[4], double q[4])
{
    double turn[2] = {c[0] + c[3], c[1] - c[2]}, flip[2] = {c[0] - c[3], c[1] + c[2]};
    double turned = hypot(turn[0], turn[1]), flipped = hypot(flip[0], flip[1]);
    bool mirror = flipped > turned * (1 + 1e-9);
    const double *best = mirror ? flip : turn;
    double size = mirror ? flipped : turned;

    if (!(size > 0))
        return;
    q[0] = best[0] / size;
    q[1] = best[1] / size;
    q[2] = mirror ? q[1] : -q[1];
    q[3] = mirror ? -q[0] : q[0];
}

/* Rotation of a frame onto the one before; one of the two may be a sample. With a
 * custom axis the frame is not rotated, and a component is only flipped. */
static ig_status find_rotation(const ig_map *before, const ig_map *map, double q[4],
                               ig_error *error)
{
    const ig_map *sample = map->row ? map : before, *all = map->row ? before : map;
    const float *from = map->xy[0], *to = before->xy[0];
    size_t n = sample->rows * sample->series;
    float *picked = NULL;
    double cross[4];

    if (all->rows != sample->rows) {
        picked = ig_alloc(n, 2 * sizeof *picked);
        if (!picked)
            return ig_fail_memory(error, "the map");
        for (size_t i = 0; i < n; i++)
            memcpy(picked + 2 * i,
                   all->xy[i / sample->rows] +
                       2 * (size_t)sample->row[i % sample->rows],
                   2 * sizeof *picked);
        *(all == map ? &from : &to) = picked;
    }
    find_cross(from, to, n, cross);
    if (!map->custom[0].kind && !map->custom[1].kind)
        solve_procrustes(cross, q);
    for (int j = 0; j < 2; j++)
        if ((map->custom[0].kind || map->custom[1].kind) && !map->custom[j].kind &&
            cross[3 * j] < 0)
            q[3 * j] = -1;
    ig_free(picked);
    return IG_OK;
}

static void rotate_points(const double q[4], float *xy, size_t n)
{
    for (size_t i = 0; i < n; i++, xy += 2) {
        double x = (double)xy[0], y = (double)xy[1];

        xy[0] = (float)(x * q[0] + y * q[2]);
        xy[1] = (float)(x * q[1] + y * q[3]);
    }
}

/* Rotate a frame with its typed sentences onto the previous one (`before`, or NULL), so
 * that points move smoothly and never flip; sets map->share and map->turned.
 *   share  in  (2) shares of the variance along x and y before rotation */
static ig_status rotate_frame(const ig_map *before, ig_map *map, const double share[2],
                              ig_error *error)
{
    double q[4] = {1, 0, 0, 1};
    ig_status status = IG_OK;

    if (before && !before->layout && ig_map_same_view(before, map))
        status = find_rotation(before, map, q, error);
    if (status != IG_OK)
        return status;
    rotate_points(q, map->xy[0], map->rows * map->series);
    for (size_t i = 0; i < map->typed_sentences; i++)
        rotate_points(q, map->typed_sentence[i].xy[0], 2);
    for (int j = 0; j < 2; j++)
        map->share[j] = share[0] * q[j] * q[j] + share[1] * q[2 + j] * q[2 + j];
    map->turned = fabs(q[1]) > 1e-3;
    return IG_OK;
}

/* --- frames ----------------------------------------------------------------------- */

static bool by_image(const ig_map_result *m, const ig_map *map)
{
    return !map->unit && map->of[0] != IG_SPACE_ORIGINAL &&
           m->shown->x.dims == m->shown->of->set->dims &&
           ig_extractor_image(&m->shown->x, map->of[0], &m->shown->originals).of;
}

/* --- progress --------------------------------------------------------------------- */

static void report_progress(void *context, double done)
{
    ig_map_result *m = context;

    ig_work_progress(m->work, done / m->to_do);
}

/* Report the progress of a long map of all rows: rows summed and projected. */
static void begin_progress(ig_map_result *m, const ig_map *map, ig_progress *watch)
{
    double rows = (double)map->rows, all = rows * (double)map->series;
    bool summed = m->projection.of == &m->shown->of->originals &&
                  m->projection.originals.rows > 0;

    m->to_do = !by_image(m, map) ? 2 * all : summed ? rows : 2 * rows;
    *watch = (ig_progress){.tick = report_progress, .context = m};
    if (map->rows == map->total && !ig_shown_cheap(m->work))
        m->projection.watch = watch;
}

/* --- a frame --------------------------------------------------------------------- */

static ig_status begin_frame(ig_map_result *m, ig_map *map, bool exact, ig_error *error)
{
    if (!choose_rows(m, map,
                     exact || (by_image(m, map) && !map->layout) ||
                         map->space == IG_MAP_XY))
        return ig_fail_memory(error, "the map");
    map->xy[0] = ig_alloc(map->rows * map->series * 2, sizeof(float));
    if (!map->xy[0])
        return ig_fail_memory(error, "the map");
    if (map->series == 2)
        map->xy[1] = map->xy[0] + 2 * map->rows;
    return IG_OK;
}

static ig_status make_frame(ig_map_result *m, const ig_map *before, ig_map *map,
                            ig_error *error)
{
    size_t number[2];
    double share[2];
    ig_status status;

    if (map->space == IG_MAP_XY) {
        for (size_t i = 0; i < 2 * map->rows; i++)
            map->xy[0][i] = (float)m->work->set->xy[i % 2]->number[i / 2];
        return IG_OK;
    }
    status = fit_and_place(m, map, by_image(m, map), number, error);
    if (status == IG_OK && m->typed_sentences.count)
        status = place_typed_sentences(m, map, number, error);
    if (status != IG_OK)
        return status;
    for (int j = 0; j < 2; j++)
        share[j] = ig_projection_share(&m->projection, number[j]);
    status = rotate_frame(before, map, share, error);
    if (status == IG_OK && map->layout)
        status = ig_map_layout_make(m, before, map, error);
    return status;
}

/* A map of the request, without rows yet; NULL: out of memory. */
static ig_map *new_frame(ig_map_result *m)
{
    ig_map *map = ig_alloc(1, sizeof *map);
    size_t last;

    if (!map)
        return NULL;
    map->unit = m->work->view->unit;
    map->run = m->shown->run;
    map->version = m->shown->version;
    map->epoch = m->shown->epoch;
    map->serial = m->maps + 1;
    choose_spaces(m, map);
    last = ig_shown_rows(m->shown, map->of[0])->dims - 1;
    for (size_t j = 0; j < 2; j++) {
        size_t axis = map->layout ? j : m->work->view->axis[j];

        map->axis[j] = axis > last ? last : axis;
    }
    return map;
}

ig_status ig_map_result_make(ig_map_result *m, const ig_map *before, const ig_map *like,
                             bool *exact, ig_map **out, ig_error *error)
{
    ig_map *map = new_frame(m);
    ig_progress watch;
    ig_status status;

    if (!map)
        return ig_fail_memory(error, "the map");
    status = begin_frame(m, map, *exact, error);
    if (status == IG_OK) {
        begin_progress(m, map, &watch);
        if (!before || (like && before->run != map->run))
            before = like;
        status = make_frame(m, before, map, error);
        m->projection.watch = NULL;
    }
    if (status != IG_OK) {
        ig_map_free(map);
        return status;
    }
    m->maps++;
    *exact = map->rows == map->total;
    *out = map;
    return IG_OK;
}

void ig_map_result_free(ig_map_result *m)
{
    ig_shown_release(m->shown);
    ig_typed_list_free(&m->typed_sentences);
    ig_projection_free(&m->projection);
    ig_free(m->sample);
}
