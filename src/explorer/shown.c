/* Weights that are shown, and rows of their spaces. */
#include "explorer/job.h"

#include "core/memory.h"

/* The most floats that rows of a space are kept in. */
static const double CACHE_FLOATS = 6.4e7;

ig_shown *ig_shown_new(const ig_work *work, size_t version, const ig_version_entry *of,
                       unsigned run, const ig_extractor *x, size_t epoch,
                       unsigned long serial)
{
    ig_shown *v = ig_alloc(1, sizeof *v);

    if (!v)
        return NULL;
    *v = (ig_shown){.version = version,
                    .of = of,
                    .run = run,
                    .epoch = epoch,
                    .serial = serial,
                    .work = work};
    if (x && ig_extractor_copy(&v->x, x, NULL) != IG_OK) {
        ig_free(v);
        return NULL;
    }
    atomic_init(&v->users, 1);
    pthread_mutex_init(&v->lock, NULL);
    return v;
}

void ig_shown_release(ig_shown *v)
{
    if (!v || atomic_fetch_sub(&v->users, 1) > 1)
        return;
    ig_arena_free(&v->kept);
    ig_extractor_free(&v->x);
    pthread_mutex_destroy(&v->lock);
    ig_free(v);
}

void ig_shown_hold(ig_shown **held, ig_shown *shown)
{
    atomic_fetch_add(&shown->users, 1);
    ig_shown_release(*held);
    *held = shown;
}

double ig_shown_cheap_rows(const ig_work *work)
{
    double d = (double)work->set->dims;

    return work->cheap / (6 * d * d);
}

/* Keep the rows of a space in memory when they are few: everything reads them there. */
static void keep_rows(ig_shown *v, ig_rows *rows)
{
    const ig_work *work = v->work;
    size_t n = work->set->rows, d = rows->dims;
    float *kept, *scratch;

    if ((double)n > ig_shown_cheap_rows(work) || (double)n * (double)d > CACHE_FLOATS)
        return;
    kept = ig_arena_array(&v->kept, n * d, sizeof *kept);
    scratch = ig_alloc(ig_pool_threads(work->pool) * rows->scratch, sizeof *scratch);
    if (kept && scratch) {
        ig_rows_share(rows, NULL, 0, n, work->pool, kept, scratch, NULL);
        *rows = ig_rows_of_matrix(ig_matrix_of(kept, n, d));
    }
    ig_free(scratch);
}

const ig_rows *ig_shown_rows(ig_shown *v, ig_space space)
{
    if (space == IG_SPACE_ORIGINAL)
        return &v->of->originals;
    if (!v->run || !ig_extractor_serves(&v->x, space))
        return NULL;
    pthread_mutex_lock(&v->lock);
    if (!v->ready)
        ig_measured_open(&v->computed, &v->x, v->of->set, &v->of->originals);
    for (int s = IG_SPACE_MEANING; s < IG_SPACES && !v->ready; s++) {
        v->rows[s] = v->computed.rows[s];
        if (ig_extractor_serves(&v->x, (ig_space)s))
            keep_rows(v, &v->rows[s]);
    }
    v->ready = true;
    pthread_mutex_unlock(&v->lock);
    return &v->rows[space];
}
