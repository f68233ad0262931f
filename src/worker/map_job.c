/* The worker's map: exact PCA over all rows, or over a stated sample while training. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "map/procrustes.h"
#include "worker/worker.h"

/* The most floats that rows of a space are kept in. */
static const double CACHE_FLOATS = 6.4e7;

enum { SAMPLE_LEAST = 500, STREAM_SAMPLE = 1u << 21 };

/* --- rows of the spaces ----------------------------------------------------------- */

/* Computing meaning and language rows, and the moments of both. */
static double frame_flops(const ig_session *s, double rows)
{
    double d = (double)s->set->dims;

    return 6 * rows * d * d;
}

bool ig_worker_cheap(const ig_session *s)
{
    return frame_flops(s, (double)s->set->rows) <= s->cheap;
}

struct fill {
    const ig_rows *from;
    float *to;
    float *scratch; /* (members, each) */
    size_t each;    /* from->scratch, a multiple of 64 bytes */
};

static void fill_slice(void *context, size_t member, size_t members)
{
    struct fill *f = context;
    size_t first, last;

    ig_pool_slice(f->from->rows, IG_ROWS_TILE / 4, member, members, &first, &last);
    ig_rows_read(f->from, first, last - first, f->to + first * f->from->dims,
                 f->from->dims, f->scratch + member * f->each);
}

/* Keep the rows of a space in memory when they are few: everything reads them there. */
static bool fill_cache(ig_session *s, ig_space space)
{
    size_t n = s->set->rows, d = s->rows[space].dims;
    struct fill f = {.from = &s->rows[space]};

    if (!ig_worker_cheap(s) || (double)n * (double)d > CACHE_FLOATS)
        return false;
    if (!s->cache[space])
        s->cache[space] = ig_alloc(n * d, sizeof(float));
    f.to = s->cache[space];
    f.each = (f.from->scratch + 15) / 16 * 16;
    f.scratch = ig_alloc(ig_pool_threads(s->pool) * f.each, sizeof(float));
    if (f.to && f.scratch)
        ig_pool_run(s->pool, fill_slice, &f);
    ig_free(f.scratch);
    return f.to && f.scratch;
}

static void refresh_rows(ig_session *s)
{
    const ig_rows *originals = &s->originals;

    if (s->cached == s->shown_serial)
        return;
    s->cached = s->shown_serial;
    if (s->shown.dims < s->set->dims) {
        s->narrow = (ig_rows_narrow){&s->originals, s->shown.dims};
        s->narrowed = ig_rows_of_narrow(&s->narrow);
        originals = &s->narrowed;
    }
    for (int space = IG_SPACE_MEANING; space < IG_SPACES; space++) {
        ig_rows before = s->rows[space];

        s->space[space] =
            (ig_space_rows){&s->shown, (ig_space)space, originals, s->set->lang};
        if (!ig_extractor_serves(&s->shown, (ig_space)space))
            continue;
        s->rows[space] = ig_rows_of_space(&s->space[space]);
        if (fill_cache(s, (ig_space)space))
            s->rows[space] = ig_rows_of_matrix(
                ig_matrix_of(s->cache[space], s->set->rows, s->rows[space].dims));
        /* A searcher has room for the rows it was made for, read as they were then. */
        if (s->rows[space].direct != before.direct ||
            s->rows[space].dims != before.dims ||
            s->rows[space].scratch != before.scratch) {
            ig_searcher_delete(s->searcher[space]);
            s->searcher[space] = NULL;
        }
    }
}

bool ig_worker_rows(ig_session *s, ig_space space)
{
    if (space == IG_SPACE_ORIGINAL)
        return true;
    if (s->shown_serial == 0 || !ig_extractor_serves(&s->shown, space))
        return false;
    refresh_rows(s);
    return true;
}

/* --- which rows, which spaces ----------------------------------------------------- */

/* The spaces of the map that is wanted, as far as there are weights for them. */
static void choose_spaces(ig_session *s, ig_map *map)
{
    bool meaning = ig_worker_rows(s, IG_SPACE_MEANING);
    bool language = ig_worker_rows(s, IG_SPACE_LANGUAGE);

    map->space = s->now.space;
    map->series = 1;
    if (!meaning || map->space == IG_MAP_ORIGINAL) {
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

/* A random subset, the same for every frame of the session, in the rows' order. */
static bool draw_sample(ig_session *s, ig_map *map, size_t rows)
{
    size_t n = s->set->rows;
    uint8_t *chosen;
    size_t k = 0;

    if (!s->sample) {
        ig_random random;

        s->sample = ig_alloc(n, sizeof *s->sample);
        if (!s->sample)
            return false;
        for (size_t i = 0; i < n; i++)
            s->sample[i] = (uint32_t)i;
        ig_random_init(&random, s->now.seed, STREAM_SAMPLE);
        ig_random_shuffle(&random, s->sample, n);
    }
    chosen = ig_alloc(n, 1);
    map->row = ig_alloc(rows, sizeof *map->row);
    if (!chosen || !map->row) {
        ig_free(chosen);
        return false;
    }
    for (size_t i = 0; i < rows; i++)
        chosen[s->sample[i]] = 1;
    for (size_t i = 0; i < n; i++)
        if (chosen[i])
            map->row[k++] = (uint32_t)i;
    ig_free(chosen);
    return true;
}

/* All rows, or as many as are cheap. */
static bool choose_rows(ig_session *s, ig_map *map, bool exact)
{
    double each = frame_flops(s, 1);
    double most = s->cheap / each;

    map->total = map->rows = s->set->rows;
    if (exact || ig_worker_cheap(s))
        return true;
    map->rows = most < SAMPLE_LEAST ? SAMPLE_LEAST : (size_t)most;
    if (map->rows >= map->total) {
        map->rows = map->total;
        return true;
    }
    return draw_sample(s, map, map->rows);
}

/* --- fitting and projecting ------------------------------------------------------- */

/* A source of the map's rows in a space. */
static ig_rows source_of(ig_session *s, const ig_map *map, ig_space space,
                         ig_rows_pick *pick)
{
    const ig_rows *all = space == IG_SPACE_ORIGINAL ? &s->originals : &s->rows[space];

    if (!map->row)
        return *all;
    *pick = (ig_rows_pick){all, map->row, map->rows};
    return ig_rows_of_pick(pick);
}

/* Fit and place the spaces of the map. What is an image of the originals follows from
 * them: exact for all rows, at O(d³). */
static ig_status fit_and_place(ig_session *s, ig_map *map, bool image, size_t k,
                               ig_error *error)
{
    const atomic_bool *stop = ig_worker_cancel(s);
    ig_map_source space[2] = {0};
    ig_rows_pick pick[2];
    ig_status status;

    for (size_t i = 0; i < map->series; i++) {
        ig_image *of = &space[i].image;

        space[i].rows = source_of(s, map, map->of[i], &pick[i]);
        if (image &&
            ig_extractor_linear(&s->shown, map->of[i], &of->w, &of->b, &of->residual))
            of->of = &s->originals;
    }
    status = ig_projection_fit(&s->projection, space, map->series, k, map->unit,
                               s->pool, stop, error);
    map->zero_rows = s->projection.zero_rows;
    if (status != IG_OK)
        return status;
    return ig_projection_place(&s->projection, space, map->series, map->axis, 2,
                               map->unit, s->pool, stop, map->xy, 2, error);
}

/* --- frames ----------------------------------------------------------------------- */

static bool same_view(const ig_map *a, const ig_map *b)
{
    return a->space == b->space && a->unit == b->unit && a->axis[0] == b->axis[0] &&
           a->axis[1] == b->axis[1];
}

/* The points that a sample has of a frame of all rows, series by series. */
static void pick_points(const ig_map *all, const ig_map *sample, float *xy)
{
    for (size_t k = 0; k < all->series; k++)
        for (size_t i = 0; i < sample->rows; i++, xy += 2)
            memcpy(xy, all->xy[k] + 2 * (size_t)sample->row[i], 2 * sizeof *xy);
}

/* What turns the new frame onto the old: one of them may be a sample, the other not. */
static ig_status find_turn(const ig_map *old, const ig_map *new, double q[4],
                           ig_error *error)
{
    const ig_map *sample = new->row ? new : old, *all = new->row ? old : new;
    size_t n = sample->rows * sample->series;
    const float *from = new->xy[0], *to = old->xy[0];
    float *picked = NULL;
    ig_status status;

    if (all->rows != sample->rows) {
        picked = ig_alloc(n, 2 * sizeof *picked);
        if (!picked)
            return ig_fail_memory(error, "the map");
        pick_points(all, sample, picked);
        *(all == new ? &from : &to) = picked;
    }
    status = ig_procrustes_fit(from, 2, to, 2, n, 2, q, error);
    ig_free(picked);
    return status;
}

/* Turn the frame onto the one before, so that points glide and never flip, and say how
 * much of the variance lies along the turned axes. */
static ig_status turn(ig_session *s, ig_map *map, ig_error *error)
{
    /* The first frame beside another is turned onto that one. */
    const ig_map *before = s->map || !s->main ? s->map : s->main->map;
    double q[4] = {1, 0, 0, 1};

    if (before && same_view(before, map)) {
        ig_status status = find_turn(before, map, q, error);

        if (status != IG_OK)
            return status;
        ig_procrustes_apply(q, 2, map->xy[0], 2, map->rows * map->series);
    }
    for (int j = 0; j < 2; j++)
        map->share[j] = s->projection.pca.ratio[map->axis[0]] * q[j] * q[j] +
                        s->projection.pca.ratio[map->axis[1]] * q[2 + j] * q[2 + j];
    map->turned = fabs(q[1]) > 1e-3;
    return IG_OK;
}

static bool by_image(const ig_session *s, const ig_map *map)
{
    ig_matrix w;
    const float *b;
    bool residual;

    return !map->unit && map->of[0] != IG_SPACE_ORIGINAL &&
           s->shown.dims == s->set->dims &&
           ig_extractor_linear(&s->shown, map->of[0], &w, &b, &residual);
}

static ig_status make_frame(ig_session *s, ig_map *map, bool exact, ig_error *error)
{
    size_t most = map->axis[0] > map->axis[1] ? map->axis[0] : map->axis[1];
    bool image = by_image(s, map);
    ig_status status;

    if (!choose_rows(s, map, exact || image))
        return ig_fail_memory(error, "the map");
    map->xy[0] = ig_alloc(map->rows * map->series * 2, sizeof(float));
    if (!map->xy[0])
        return ig_fail_memory(error, "the map");
    if (map->series == 2)
        map->xy[1] = map->xy[0] + 2 * map->rows;
    status = fit_and_place(s, map, image, most + 1, error);
    return status == IG_OK ? turn(s, map, error) : status;
}

ig_status ig_worker_map(ig_session *s, bool *exact, ig_error *error)
{
    ig_map *map = ig_alloc(1, sizeof *map);
    size_t last;
    ig_status status;

    if (!map)
        return ig_fail_memory(error, "the map");
    atomic_init(&map->users, 1);
    map->unit = s->now.unit;
    map->epoch = s->shown_epoch;
    map->serial = s->maps + 1;
    choose_spaces(s, map);
    last = s->rows[map->of[0]].dims - 1;
    map->axis[0] = s->now.axis[0] > last ? last : s->now.axis[0];
    map->axis[1] = s->now.axis[1] > last ? last : s->now.axis[1];
    status = make_frame(s, map, *exact, error);
    if (status != IG_OK) {
        ig_map_release(map);
        return status;
    }
    s->maps++;
    ig_map_release(s->map);
    s->map = map;
    *exact = map->rows == map->total;
    return IG_OK;
}
