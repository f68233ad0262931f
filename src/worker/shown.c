/* Weights that are shown, and rows of their spaces. */
#include "worker/shown.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

/* The most floats that rows of a space are kept in. */
static const double CACHE_FLOATS = 6.4e7;

/* --- weights ---------------------------------------------------------------------- */

static void drop_rows(ig_shown *v)
{
    for (int space = IG_SPACE_MEANING; space < IG_SPACES; space++) {
        ig_free(v->cache[space]);
        v->cache[space] = NULL;
        v->layout[space]++;
    }
    v->cached = 0;
}

bool ig_shown_put(ig_shown *v, unsigned run, const ig_extractor *x, size_t epoch)
{
    if (v->serial == 0 || v->x.size != x->size || v->x.kind != x->kind ||
        v->x.hidden != x->hidden) {
        ig_extractor copy;

        if (ig_extractor_copy(&copy, x, NULL) != IG_OK)
            return false;
        drop_rows(v);
        ig_extractor_free(&v->x);
        v->x = copy;
    } else if (x->size) {
        memcpy(v->x.weights, x->weights, x->size * sizeof(float));
    }
    v->x.normalize = x->normalize;
    v->run = run;
    v->epoch = epoch;
    v->serial = ++v->serials;
    return true;
}

void ig_shown_clear(ig_shown *v)
{
    v->run = 0;
    v->serial = 0;
}

void ig_shown_free(ig_shown *v)
{
    drop_rows(v);
    ig_extractor_free(&v->x);
}

/* --- rows ------------------------------------------------------------------------- */

double ig_shown_flops(const ig_work *work, double rows)
{
    double d = (double)work->set->dims;

    return 6 * rows * d * d;
}

bool ig_shown_cheap(const ig_work *work)
{
    return ig_shown_flops(work, (double)work->set->rows) <= work->cheap;
}

/* Keep the rows of a space in memory when they are few: everything reads them there. */
static bool fill_cache(ig_shown *v, ig_space space)
{
    const ig_work *work = v->work;
    size_t n = work->set->rows, d = v->rows[space].dims;
    size_t each = (v->rows[space].scratch + 15) / 16 * 16; /* whole cache lines */
    float *scratch;

    if (!ig_shown_cheap(work) || (double)n * (double)d > CACHE_FLOATS)
        return false;
    if (!v->cache[space])
        v->cache[space] = ig_alloc(n * d, sizeof(float));
    scratch = ig_alloc(ig_pool_threads(work->pool) * each, sizeof(float));
    if (v->cache[space] && scratch)
        ig_rows_share(&v->rows[space], NULL, 0, n, work->pool, v->cache[space], scratch,
                      each);
    ig_free(scratch);
    return v->cache[space] && scratch;
}

static void refresh(ig_shown *v)
{
    const ig_work *work = v->work;
    const ig_rows *originals = &work->originals;

    if (ig_shown_is_cached(v))
        return;
    v->cached = v->serial;
    if (v->x.dims < work->set->dims) {
        v->narrow = (ig_rows_narrow){&work->originals, v->x.dims};
        v->narrowed = ig_rows_of_narrow(&v->narrow);
        originals = &v->narrowed;
    }
    for (int space = IG_SPACE_MEANING; space < IG_SPACES; space++) {
        ig_rows before = v->rows[space], *rows = &v->rows[space];

        v->space[space] =
            (ig_space_rows){&v->x, (ig_space)space, originals, work->set->lang};
        if (!ig_extractor_serves(&v->x, (ig_space)space))
            continue;
        *rows = ig_rows_of_space(&v->space[space]);
        if (fill_cache(v, (ig_space)space))
            *rows = ig_rows_of_matrix(
                ig_matrix_of(v->cache[space], work->set->rows, rows->dims));
        v->layout[space] += rows->direct != before.direct ||
                            rows->dims != before.dims ||
                            rows->scratch != before.scratch;
    }
}

bool ig_shown_is_cached(const ig_shown *v)
{
    return v->serial == 0 || v->cached == v->serial;
}

const ig_rows *ig_shown_rows(ig_shown *v, ig_space space)
{
    if (space == IG_SPACE_ORIGINAL)
        return &v->work->originals;
    if (v->serial == 0 || !ig_extractor_serves(&v->x, space))
        return NULL;
    refresh(v);
    return &v->rows[space];
}

/* --- row index -------------------------------------------------------------------- */

static size_t id_of(const void *set, size_t row)
{
    uint32_t id = ((const ig_set *)set)->id[row];

    return id == IG_NO_ID ? SIZE_MAX : id;
}

static size_t language_of(const void *set, size_t row)
{
    return ((const ig_set *)set)->lang[row];
}

/* Whole or not at all. */
static bool make(const ig_set *set, size_t keys, ig_array_key *key, uint32_t **first,
                 uint32_t **row)
{
    uint32_t *start = ig_alloc(keys + 2, sizeof *start);
    uint32_t *list = ig_alloc(set->rows, sizeof *list);

    if (!start || !list) {
        ig_free(start);
        ig_free(list);
        return false;
    }
    ig_array_order(set->rows, keys, key, set, start, list);
    *first = start;
    *row = list;
    return true;
}

bool ig_row_index_make(ig_row_index *index, const ig_set *set)
{
    if (set->has_ids && !index->id_first &&
        !make(set, set->ids, id_of, &index->id_first, &index->id_row))
        return false;
    return index->language_first || make(set, set->languages, language_of,
                                         &index->language_first, &index->language_row);
}

void ig_row_index_free(ig_row_index *index)
{
    ig_free(index->id_first);
    ig_free(index->id_row);
    ig_free(index->language_first);
    ig_free(index->language_row);
    *index = (ig_row_index){0};
}

static const uint32_t *list_of(const uint32_t *first, const uint32_t *row, size_t key,
                               size_t *n)
{
    *n = first[key + 1] - first[key];
    return row + first[key];
}

const uint32_t *ig_row_index_id(const ig_row_index *index, uint32_t id, size_t *n)
{
    *n = 0;
    return id == IG_NO_ID ? NULL : list_of(index->id_first, index->id_row, id, n);
}

const uint32_t *ig_row_index_language(const ig_row_index *index, size_t language,
                                      size_t *n)
{
    return list_of(index->language_first, index->language_row, language, n);
}
