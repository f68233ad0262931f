/* The map of the weights shown: exact PCA over all rows, or over a sample stratified by
 * language during training, rotated onto the map before; or a neighbour layout. */
#include "explorer/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "explorer/row_query.h"
#include "view/neighbour_map.h"

enum {
    MIN_SAMPLE = 500,
    MIN_END_ROWS = 200,  /* of an end of a custom axis, where the map is a sample */
    LAYOUT_ROWS = 12000, /* of a neighbour layout; of more points first a sample, … */
    LAYOUT_MOST = 200000 /* … of more only that: a layout takes O(points²) */
};

/* --- rows and spaces -------------------------------------------------------------- */

static void choose_spaces(ig_job *job, ig_map *map)
{
    static const ig_space of[IG_MAP_SPACES] = {IG_SPACE_ORIGINAL, IG_SPACE_MEANING,
                                               IG_SPACE_LANGUAGE, IG_SPACE_MEANING};
    ig_map_space space = job->view.space;
    bool language = ig_shown_rows(job->shown, IG_SPACE_LANGUAGE);

    if (space == IG_MAP_XY && !job->work->set->xy[0])
        space = IG_MAP_JOINT;
    map->layout = job->view.layout && space != IG_MAP_XY;
    if ((space == IG_MAP_LANGUAGE || space == IG_MAP_JOINT) && !language)
        space = IG_MAP_MEANING;
    if (space != IG_MAP_XY && !ig_shown_rows(job->shown, IG_SPACE_MEANING))
        space = IG_MAP_ORIGINAL;
    map->space = space;
    map->series = space == IG_MAP_JOINT ? 2 : 1;
    map->of[0] = of[space];
    map->of[1] = IG_SPACE_LANGUAGE;
}

/* Whether the spaces are linear images of the originals, whose covariances follow from
 * that of the originals: exact for all rows, at O(d³). */
static bool has_images(const ig_job *job, const ig_map *map)
{
    const ig_shown *shown = job->shown;

    return !map->unit && map->of[0] != IG_SPACE_ORIGINAL &&
           shown->x.dims == shown->of->set->dims &&
           ig_extractor_image(&shown->x, map->of[0], &shown->of->originals).of;
}

/* A sample of rows, evenly spaced: of each language its share and at least one. */
static void draw_sample(const ig_job *job, ig_map *map, size_t rows)
{
    const ig_dataset *set = job->work->set;
    double share = (double)rows / (double)set->rows;
    size_t *seen = ig_arena_array(&map->arena, set->languages, sizeof *seen);

    map->rows = 0;
    map->row = ig_arena_array(&map->arena, rows + set->languages, sizeof *map->row);
    for (size_t i = 0; !map->arena.failed && i < set->rows; i++) {
        double before = ceil(share * (double)seen[set->lang[i]]++);

        if (ceil(share * (double)seen[set->lang[i]]) > before)
            map->row[map->rows++] = (uint32_t)i;
    }
}

/* Choose the rows to which the axes are fitted: those in languages shown, or all. */
static void choose_fitted(const ig_map_result *m, const ig_job *job, ig_map *map)
{
    const ig_dataset *set = job->work->set;
    size_t n = 0;

    map->fitted = map->rows;
    if (map->layout || map->space == IG_MAP_XY)
        return;
    map->hidden = job->view.hidden;
    if (!memchr(m->seen, false, set->languages))
        return;
    map->fit = ig_arena_array(&map->arena, map->rows, sizeof *map->fit);
    for (size_t i = 0; map->fit && i < map->rows; i++) {
        map->fit[n] = map->row ? map->row[i] : (uint32_t)i;
        n += m->seen[set->lang[map->fit[n]]];
    }
    map->fitted = n ? n : map->rows;
    map->fit = n && n < map->rows ? map->fit : NULL;
}

/* Rows of a space: those of a list, or all (NULL). */
static ig_rows rows_of(const ig_job *job, ig_space space, const uint32_t *list,
                       size_t count, ig_rows_pick *pick)
{
    const ig_rows *all = ig_shown_rows(job->shown, space);

    if (!list)
        return *all;
    *pick = (ig_rows_pick){all, list, count};
    return ig_rows_of_pick(pick);
}

/* The originals fitted; those of the job before at its address: known moments. */
static const ig_rows *find_originals(ig_map_result *m, const ig_job *job,
                                     const ig_map *map)
{
    const ig_rows *all = &job->shown->of->originals;

    if (!map->fit)
        return all;
    if (m->fit.all != all || m->hidden != map->hidden)
        ig_moments_free(&m->projection.originals);
    m->hidden = map->hidden;
    m->fit = (ig_rows_pick){all, map->fit, map->fitted};
    m->fitted = ig_rows_of_pick(&m->fit);
    return &m->fitted;
}

/* Fit the custom axes of the view. An axis without a direction under these weights (its
 * ends may coincide in an epoch) is a component in this frame; map->axis_failure is the
 * reason.
 *   number  out  (2) indices of the axes on x and y in the projection */
static ig_status fit_axes(ig_map_result *m, ig_job *job, ig_map *map, size_t dims,
                          size_t number[2])
{
    const ig_rows *all[2];

    for (size_t s = 0; s < map->series; s++)
        all[s] = ig_shown_rows(job->shown, map->of[s]);
    for (int j = 0; j < 2 && !map->layout; j++) {
        const ig_map_axis *custom = &job->view.custom[j];
        ig_status status;

        if (custom->kind == IG_AXIS_COMPONENT)
            continue;
        number[j] = m->projection.custom;
        status = ig_map_axis_add(&m->projection, custom, job->work->set, all,
                                 map->series,
                                 map->row ? MIN_END_ROWS + map->rows / 4 : 0, map->unit,
                                 job->work->pool, &job->cancel, &job->error);
        if (status == IG_OK)
            map->custom[j] = *custom;
        else if (status == IG_VALUE)
            snprintf(map->axis_failure, sizeof map->axis_failure, "%c: %.150s",
                     j ? 'y' : 'x', job->error.message);
        else
            return status;
    }
    for (int j = 0; j < 2; j++)
        if (map->custom[j].kind == IG_AXIS_COMPONENT)
            number[j] = m->projection.custom + map->axis[j];
    if (number[0] == number[1] && dims > 1) {
        number[1] += number[1] + 1 < m->projection.custom + dims ? 1 : -1;
        map->axis[1] = number[1] - m->projection.custom;
    }
    return IG_OK;
}

/* --- fitting and projecting ------------------------------------------------------- */

/* Fit the projection and project the spaces of the map.
 *   number  out  (2) indices of the axes on x and y in the projection */
static ig_status project_rows(ig_map_result *m, ig_job *job, ig_map *map,
                              ig_map_source space[2], size_t number[2])
{
    bool images = has_images(job, map);
    ig_job_part part = {.job = job, .each = 0.5 / (double)(map->rows * map->series)};
    ig_progress watch = {.tick = ig_job_tick, .context = &part};
    ig_map_source fit[2];
    ig_rows_pick fitted[2];
    ig_status status;

    for (size_t i = 0; i < map->series; i++) {
        if (images)
            space[i].image = ig_extractor_image(&job->shown->x, map->of[i],
                                                &job->shown->of->originals);
        fit[i] = space[i];
        if (map->fit)
            fit[i].rows = rows_of(job, map->of[i], map->fit, map->fitted, &fitted[i]);
        if (images)
            fit[i].image.of = find_originals(m, job, map);
    }
    if (!map->row && (double)map->rows > ig_shown_cheap_rows(job->work))
        m->projection.watch = &watch;
    status = ig_projection_sum(&m->projection, fit, map->series, map->unit,
                               job->work->pool, &job->cancel, &job->error);
    if (status == IG_OK)
        status = fit_axes(m, job, map, space[0].rows.dims, number);
    if (status == IG_OK)
        status = ig_projection_solve(
            &m->projection,
            1 + (map->axis[0] > map->axis[1] ? map->axis[0] : map->axis[1]),
            &job->error);
    if (status == IG_OK)
        status = ig_projection_place(&m->projection, space, map->series, number, 2,
                                     map->unit, job->work->pool, &job->cancel, map->xy,
                                     2, &job->error);
    m->projection.watch = NULL;
    return status;
}

/* Place the typed sentences on the axes, or (rows) of a layout at their nearest. */
static ig_status place_typed(const ig_map_result *m, ig_job *job, ig_map *map,
                             const size_t number[2], const ig_rows *rows)
{
    ig_searcher *searcher = NULL;
    ig_status status = IG_OK;

    map->typed_sentences = m->typed.count;
    if (rows && m->typed.count)
        status = ig_searcher_new(&searcher, rows, NULL, NULL, job->work->pool, NULL,
                                 &job->error);
    for (size_t k = 0; k < m->typed.count * map->series && status == IG_OK; k++) {
        const ig_typed *typed = &m->typed.typed_sentence[k / map->series];
        ig_map_typed *on = &map->typed_sentence[k / map->series];
        float *xy = on->xy[k % map->series];
        ig_map_source source = {0};
        ig_typed_rows context;
        ig_scored best;
        size_t found = 0;

        on->number = typed->number;
        source.rows =
            ig_typed_row(typed, job->shown, map->of[k % map->series], &context);
        if (searcher)
            status = ig_searcher_find(searcher, &source.rows, NULL, NULL, 1, NULL,
                                      &best, &found, &job->error);
        else
            status = ig_projection_place(&m->projection, &source, 1, number, 2,
                                         map->unit, NULL, NULL, &xy, 2, &job->error);
        if (found)
            memcpy(xy, map->xy[0] + 2 * (size_t)best.row, 2 * sizeof *xy);
    }
    ig_searcher_delete(searcher);
    return status;
}

/* Of a joint map, move language nearer where the gap makes both halves thin. */
static void shorten_gaps(ig_map *map)
{
    for (size_t j = 0; j < 2; j++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, gap;

        for (size_t i = 0; i < 2 * map->rows; i++) {
            double at = (double)map->xy[i % 2][(i & ~(size_t)1) + j];

            low[i % 2] = fmin(low[i % 2], at);
            high[i % 2] = fmax(high[i % 2], at);
        }
        gap = fmax(low[1] - high[0], low[0] - high[1]) -
              (high[0] - low[0] + high[1] - low[1]) / 4;
        if (map->custom[j].kind || gap <= 0)
            continue;
        map->shortened = true;
        gap = copysign(gap, low[1] - high[0]);
        for (size_t i = j; i < 2 * map->rows; i += 2)
            map->xy[1][i] -= (float)gap;
        for (size_t i = 0; i < map->typed_sentences; i++)
            map->typed_sentence[i].xy[1][j] -= (float)gap;
    }
}

/* --- rotation --------------------------------------------------------------------- */

const float *ig_map_xy(const ig_map *map, size_t series, uint32_t row)
{
    size_t point = map && map->row ? ig_array_find(map->row, map->rows, row) : row;

    return map && point < map->rows && (!map->row || map->row[point] == row)
               ? map->xy[series % map->series] + 2 * point
               : NULL;
}

/* Cross products (2, 2) of the centred points of both frames; one may be a sample. */
static void find_cross(const ig_map *map, const ig_map *before, double cross[4])
{
    const ig_map *sample = map->row ? map : before;
    size_t rows = sample->rows, n = rows * sample->series;
    double sum[4] = {0};

    for (size_t i = 0; i < n; i++) {
        size_t row = sample->row ? sample->row[i % rows] : i % rows;
        const float *from = ig_map_xy(map, i / rows, (uint32_t)row);
        const float *to = ig_map_xy(before, i / rows, (uint32_t)row);

        for (int j = 0; j < 4; j++) {
            sum[j] += (double)(j < 2 ? from[j] : to[j - 2]);
            cross[j] += (double)from[j / 2] * (double)to[j % 2];
        }
    }
    for (int j = 0; j < 4; j++)
        cross[j] -= sum[j / 2] * sum[2 + j % 2] / (double)n;
}

/* Rotate a frame with its typed sentences onto the previous one (`before`, or NULL), so
 * that points move smoothly and never flip; sets map->share and map->turned. With a
 * custom axis a component is only flipped.
 *   share  in  (2) shares of the variance along x and y before rotation */
static void rotate_frame(const ig_map *before, ig_map *map, const double share[2])
{
    double q[4] = {1, 0, 0, 1}, cross[4] = {0};

    if (before && !before->layout && ig_map_same_view(before, map))
        find_cross(map, before, cross);
    if (!map->custom[0].kind && !map->custom[1].kind)
        ig_procrustes_solve(cross, q);
    else
        for (int j = 0; j < 2; j++)
            q[3 * j] = !map->custom[j].kind && cross[3 * j] < 0 ? -1 : 1;
    ig_points_rotate(q, map->xy[0], map->rows * map->series);
    for (size_t i = 0; i < map->typed_sentences; i++)
        ig_points_rotate(q, map->typed_sentence[i].xy[0], 2);
    for (int j = 0; j < 2; j++)
        map->share[j] = share[0] * q[j] * q[j] + share[1] * q[2 + j] * q[2 + j];
    map->turned = fabs(q[1]) > 1e-3;
}

/* --- neighbour layout ------------------------------------------------------------- */

/* Name islands (series, rows) at the middles of their rows: by the language or label
 * whose share of these exceeds that of all rows most, by 40 points or more. */
static void name_islands(const ig_dataset *set, ig_map *map, const uint8_t *island)
{
    ig_islands *named = &map->islands;
    size_t islands = named->count, n = map->rows * map->series;
    double best[IG_MAP_ISLANDS] = {0};

    for (size_t i = 0; i < 2 * n; i++) {
        size_t k = island[i / 2], j = i % 2;

        if (k >= islands)
            continue;
        named->points[k] += j == 0;
        named->series[k] = i / 2 >= map->rows;
        named->xy[k][j] += (map->xy[0][i] - named->xy[k][j]) / (float)named->points[k];
    }
    for (size_t l = 0; l <= set->labels; l++) {
        size_t column = l ? IG_ROW_LABELS - 1 + l : IG_ROW_LANG;
        ig_row_column of = ig_row_column_of(set, column);
        size_t names = of.words;
        uint32_t *count; /* (islands + 1, names) rows, of all at last */

        if (names * 2 > set->rows) /* ids, measured values */
            continue;
        count = ig_alloc(islands + 1, names * sizeof *count);
        for (size_t i = 0; count && i < n; i++) {
            size_t at = i % map->rows;
            size_t word = ig_row_word_number(set, column, map->row ? map->row[at] : at);

            count[islands * names + word]++;
            if (island[i] < islands)
                count[island[i] * names + word]++;
        }
        for (size_t c = 0; count && c < islands * names; c++) {
            size_t k = c / names;
            double excess = count[c] / (double)named->points[k] -
                            count[islands * names + c % names] / (double)n;

            if (excess >= 0.4 && excess > best[k]) {
                best[k] = excess;
                snprintf(named->name[k], IG_ISLAND_NAME, "%s", of.word[c % names]);
            }
        }
        ig_free(count);
    }
}

/* Replace the principal components of a map by its neighbour layout, starting from the
 * layout `before`, if it is one of as many rows, and name its islands. */
static ig_status make_layout(const ig_map_result *m, ig_job *job, const ig_map *before,
                             ig_map_source space[2], ig_map *map)
{
    enum { NEAR = IG_NEIGHBOUR_MAP_K - 1 };
    size_t n = map->rows * map->series, near = n <= NEAR ? n - 1 : NEAR;
    bool placed = before && before->layout && before->rows * before->series == n;
    ig_rows rows = ig_map_source_join(space, map->series);
    ig_job_part part = {.job = job, .each = 0.5 / (double)n};
    ig_progress watch = {.stop = &job->cancel, .tick = ig_job_tick, .context = &part};
    ig_progress fit = watch;
    ig_arena arena = {0};
    uint32_t *neighbour = ig_arena_array(&arena, n * near, sizeof *neighbour);
    float *distance = ig_arena_array(&arena, n * near, sizeof *distance);
    uint8_t *island = ig_arena_array(&arena, n, 1);
    ig_status status = IG_OK;

    if (arena.failed)
        status = ig_fail_memory(&job->error, "the neighbour layout");
    atomic_store(&job->permille, 1); /* it is shown from the beginning */
    if (status == IG_OK && near)
        status = ig_searcher_nearest(&rows, job->work->pool, near, &watch, neighbour,
                                     distance, &job->error);
    if (placed)
        memcpy(map->xy[0], before->xy[0], 2 * n * sizeof *map->xy[0]);
    part.done = 0.5;
    part.each = 0.5 / (double)ig_neighbour_map_epochs(n, placed);
    if (status == IG_OK && near)
        status = ig_neighbour_map_fit(neighbour, distance, n, near, map->xy[0], placed,
                                      job->work->pool, &fit, &job->error);
    if (status == IG_OK)
        status = place_typed(m, job, map, NULL, &rows);
    if (status == IG_OK && near) {
        map->islands.count = ig_neighbour_map_islands(map->xy[0], n, island);
        name_islands(job->work->set, map, island);
    }
    ig_arena_free(&arena);
    return status;
}

static ig_status place_rows(ig_map_result *m, ig_job *job, const ig_map *before,
                            ig_map *map)
{
    ig_map_source space[2] = {0};
    ig_rows_pick pick[2];
    size_t number[2] = {0};
    ig_status status;

    if (map->space == IG_MAP_XY) {
        for (size_t i = 0; i < 2 * map->rows; i++) {
            const ig_label *of = job->work->set->xy[i % 2];

            map->xy[0][i] = (float)of->number[of->value[i / 2]];
        }
        return IG_OK;
    }
    for (size_t i = 0; i < map->series; i++)
        space[i].rows = rows_of(job, map->of[i], map->row, map->rows, &pick[i]);
    status = project_rows(m, job, map, space, number);
    if (status == IG_OK && !map->layout)
        status = place_typed(m, job, map, number, NULL);
    if (status != IG_OK)
        return status;
    if (map->series == 2 && !map->layout)
        shorten_gaps(map);
    rotate_frame(before, map,
                 (double[]){ig_projection_share(&m->projection, number[0]),
                            ig_projection_share(&m->projection, number[1])});
    return map->layout ? make_layout(m, job, before, space, map) : IG_OK;
}

static void free_map(void *value)
{
    if (value)
        ig_arena_free(&((ig_map *)value)->arena);
    ig_free(value);
}

/* Begin a map of the view, whose rows have no coordinates yet: of all, or of a sample
 * if all would take longer than a frame and not `exact`; false: out of memory. */
static bool init_map(ig_map_result *m, ig_job *job, bool exact, ig_map *map)
{
    size_t total = map->rows = job->work->set->rows, most = total, last;

    map->unit = job->view.unit;
    choose_spaces(job, map);
    map->by = ig_shown_made(job->shown);
    if (map->space == IG_MAP_ORIGINAL || map->space == IG_MAP_XY) /* the same for all */
        map->by = (ig_made_by){.version = job->shown->version, .strength = -1};
    last = ig_shown_rows(job->shown, map->of[0])->dims - 1;
    for (size_t j = 0; j < 2; j++) {
        size_t axis = map->layout ? j : job->view.axis[j];

        map->axis[j] = axis > last ? last : axis;
    }
    if (map->layout)
        most = exact && total * map->series <= LAYOUT_MOST ? total
                                                           : LAYOUT_ROWS / map->series;
    else if (!exact && map->space != IG_MAP_XY && !has_images(job, map))
        most = (size_t)fmin((double)total, ig_shown_cheap_rows(job->work));
    if (most < total && total > MIN_SAMPLE)
        draw_sample(job, map, most < MIN_SAMPLE ? MIN_SAMPLE : most);
    choose_fitted(m, job, map);
    map->xy[0] =
        ig_arena_array(&map->arena, map->rows * map->series * 2, sizeof *map->xy[0]);
    map->xy[1] = map->xy[0] && map->series == 2 ? map->xy[0] + 2 * map->rows : NULL;
    return !map->arena.failed;
}

/* Whether maps are the same for all runs. */
static bool is_fixed(const ig_session *s)
{
    return s->view.space == IG_MAP_ORIGINAL ||
           (s->view.space == IG_MAP_XY && s->work.set->xy[0]);
}

bool ig_session_compares_maps(const ig_session *s)
{
    return s->compares &&
           (!is_fixed(s) || s->main.shown->version != s->other.shown->version);
}

static bool map_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    const ig_view_request *view = &s->view;
    bool fixed = is_fixed(s);

    key->asked[0] = view->space;
    key->asked[1] = view->unit | (uint64_t)view->layout << 1;
    key->asked[2] = view->axis[0];
    key->asked[3] = view->axis[1];
    /* Grows with each sentence added or deleted. */
    key->asked[4] = 2 * s->typed_sentences.last - s->typed_sentences.list.count;
    key->asked[5] = view->axes | (view->layout ? 0 : (uint64_t)view->hidden << 32);
    key->asked[6] = fixed ? (*r->shown)->version : ig_shown_view(*r->shown);
    key->weights = fixed ? 0 : (*r->shown)->serial; /* of no run */
    return r->view == &s->main || ig_session_compares_maps(s);
}

static void prepare_map(ig_session *s, ig_job *job)
{
    ig_map_result *m = &((ig_view_state *)job->result->view)->map;

    for (size_t i = 0; i < s->work.set->languages; i++)
        m->seen[i] = !s->view.seen || s->view.seen[i];
    m->typed = s->typed_sentences.list;
    if (job->shown->version) /* they have vectors of the first version alone */
        m->typed.count = 0;
}

static ig_status make_map(ig_job *job)
{
    ig_session *s = job->session;
    ig_map_result *m = &((ig_view_state *)job->result->view)->map;
    bool exact = job->cause == IG_CAUSE_WHOLE || !s->live;
    const ig_map *before = job->result->value;
    const ig_map *like =
        job->result->view == &s->main ? NULL : s->result[IG_PRODUCT_MAP].value;
    ig_map *map = ig_alloc(1, sizeof *map);
    ig_status status;

    if (!map || !init_map(m, job, exact, map)) {
        free_map(map);
        return ig_fail_memory(&job->error, "the map");
    }
    map->serial = before ? before->serial + 1 : 1;
    if (like && (!before || before->by.run != map->by.run))
        before = like;
    status = place_rows(m, job, before, map);
    job->made.sample = !exact && map->row;
    if (status == IG_OK)
        ig_job_report(job, map);
    else
        free_map(map);
    return status;
}

/* Frames for new weights take an eighth of the time. */
const ig_result_kind ig_map_kind = {IG_LANE_MAP,      .share = 0.125,
                                    .key = map_key,   .prepare = prepare_map,
                                    .make = make_map, .free = free_map};
