/* Weights that are shown, and rows of their spaces. */
#include "worker/shown.h"

#include <string.h>

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
