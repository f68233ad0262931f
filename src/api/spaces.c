/* The public interface: search and maps. */
#include "api/handles.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "measure/searcher.h"

/* Arguments of isogloss_search and isogloss_search_vectors. */
typedef struct search_query {
    const isogloss_dataset *set;
    const isogloss_extractor *extractor;
    isogloss_space space;
    const uint32_t *row;   /* (n) query rows, or NULL: … */
    const float *vector;   /* … (n, d) query vectors */
    const char *const *of; /* (n) their languages, or NULL */
    size_t n, k;
    const char *language; /* to search in, or NULL: all */
    isogloss_neighbour *out;
    size_t *found;
} search_query;

/* A running search. */
typedef struct searching {
    const search_query *q;
    size_t k; /* at most the number of rows */
    const atomic_bool *stop;
    ig_api_space of;
    uint8_t *mark;  /* (languages) to search in */
    uint16_t *lang; /* (n) languages of vectors */
    ig_matrix queries;
    ig_scored *best; /* (n, k) */
    size_t *found;   /* (n) */
} searching;

/* The k nearest rows of the queries, in batches so that cancellation is fast.
 *   own  in  (n) rows to exclude, or NULL */
static ig_status find_nearest(searching *a, const ig_rows *rows, ig_matrix queries,
                              const uint32_t *own, const uint8_t *mark, size_t k,
                              ig_error *why)
{
    enum { STEP = 4096 };
    const ig_dataset *set = a->q->set->set;
    ig_searcher_filter filter = {.to = mark, .languages = set->languages};
    ig_searcher *searcher = NULL;
    ig_status status =
        ig_searcher_new(&searcher, rows, set->lang, a->q->set->pool, why);

    for (size_t i = 0; i < a->q->n && status == IG_OK; i += STEP) {
        size_t n = a->q->n - i < STEP ? a->q->n - i : STEP;

        status = ig_searcher_batch(
            searcher, ig_matrix_of(ig_matrix_row(queries, i), n, queries.cols),
            own ? own + i : NULL, filter, k, a->stop, a->best + i * k, a->found + i,
            why);
    }
    ig_searcher_delete(searcher);
    return status;
}

static ig_status take_row_queries(searching *a, ig_error *why)
{
    const ig_rows *rows = &a->of.source.rows;

    for (size_t i = 0; i < a->q->n; i++)
        if (a->q->row[i] >= rows->rows)
            return ig_fail(why, IG_SHAPE, "row %u, but there are %zu rows",
                           (unsigned)a->q->row[i], rows->rows);
    return ig_api_read_rows(rows, a->q->row, 0, a->q->n, a->queries.a, a->q->set->pool,
                            why);
}

/* The languages of query vectors: as given, or those of the nearest rows. */
static ig_status find_languages(searching *a, ig_matrix vectors, ig_error *why)
{
    const ig_dataset *set = a->q->set->set;
    ig_status status = IG_OK;

    if (!a->q->of)
        status = find_nearest(a, &a->q->set->originals, vectors, NULL, NULL, 1, why);
    for (size_t i = 0; i < a->q->n && status == IG_OK; i++) {
        size_t number = 0;

        if (a->q->of)
            status = ig_dataset_find_language(set, a->q->of[i], strlen(a->q->of[i]),
                                              &number, why);
        a->lang[i] = a->q->of ? (uint16_t)number : set->lang[a->best[i].row];
    }
    for (size_t i = 0; i < a->q->n && a->of.number && status == IG_OK; i++)
        a->lang[i] = a->of.number[a->lang[i]];
    return status;
}

/* Map query vectors into the searched space. */
static ig_status take_vector_queries(searching *a, ig_error *why)
{
    size_t d = a->q->set->set->dims;
    ig_matrix vectors =
        ig_matrix_of((float *)a->q->vector, a->q->n, d); /* it is only read */
    ig_rows originals = ig_rows_of_matrix(vectors), through = originals;
    ig_space_rows context = a->of.context;
    ig_status status;

    for (size_t i = 0; i < a->q->n * d; i++)
        if (!isfinite(a->q->vector[i]))
            return ig_fail(why, IG_VALUE, "number %zu of vector %zu is not finite",
                           i % d, i / d);
    status = find_languages(a, vectors, why);
    if (context.extractor) {
        context.originals = &originals;
        context.lang = a->lang;
        through = ig_rows_of_space(&context);
    }
    return status == IG_OK ? ig_api_read_rows(&through, NULL, 0, a->q->n, a->queries.a,
                                              a->q->set->pool, why)
                           : status;
}

static ig_status alloc_buffers(searching *a, ig_error *why)
{
    const ig_dataset *set = a->q->set->set;
    size_t dims = a->of.source.rows.dims;

    if (a->q->k && a->q->n > PTRDIFF_MAX / sizeof *a->best / a->q->k)
        return ig_fail(why, IG_SHAPE, "%zu × %zu neighbours exceed memory", a->q->n,
                       a->q->k);
    if (a->q->n > PTRDIFF_MAX / sizeof(float) / (dims > set->dims ? dims : set->dims))
        return ig_fail(why, IG_SHAPE, "%zu × %zu vectors exceed memory", a->q->n, dims);
    a->k = a->q->k < set->rows ? a->q->k : set->rows;
    a->best = ig_alloc(a->q->n, (a->k ? a->k : 1) * sizeof *a->best);
    a->found = ig_alloc(a->q->n, sizeof *a->found);
    a->mark = ig_alloc(set->languages, 1);
    a->lang = ig_alloc(a->q->n, sizeof *a->lang);
    a->queries = ig_matrix_of(ig_alloc(a->q->n, dims * sizeof(float)), a->q->n, dims);
    return a->best && a->found && a->mark && a->lang && a->queries.a
               ? IG_OK
               : ig_fail_memory(why, "a search");
}

static ig_status work_search(void *context, ig_call *call, ig_error *why)
{
    searching *a = context;
    size_t number = 0;
    ig_status status =
        ig_api_take_space(&a->of, a->q->set, a->q->extractor, a->q->space, why);

    a->stop = call->progress.stop;
    if (status == IG_OK)
        status = alloc_buffers(a, why);
    if (status == IG_OK && a->q->language)
        status = ig_dataset_find_language(a->q->set->set, a->q->language,
                                          strlen(a->q->language), &number, why);
    if (status == IG_OK)
        status = a->q->row ? take_row_queries(a, why) : take_vector_queries(a, why);
    if (status == IG_OK && a->q->language)
        a->mark[number] = 1;
    if (status == IG_OK)
        status = find_nearest(a, &a->of.source.rows, a->queries, a->q->row,
                              a->q->language ? a->mark : NULL, a->k, why);
    for (size_t i = 0; i < a->q->n && status == IG_OK; i++) {
        a->q->found[i] = a->found[i];
        for (size_t j = 0; j < a->found[i]; j++)
            a->q->out[i * a->q->k + j] = (isogloss_neighbour){
                a->best[i * a->k + j].row, a->best[i * a->k + j].score};
    }
    ig_api_leave_space(&a->of);
    IG_FREE(a->best, a->found, a->mark, a->lang, a->queries.a);
    return status;
}

static isogloss_status search(const search_query *query, isogloss_error *error)
{
    searching a = {.q = query};
    ig_error why;

    return ig_api_give(ig_calls_run(query->set->calls, work_search, &a, &why), &why,
                       error);
}

isogloss_status isogloss_search(const isogloss_dataset *set,
                                const isogloss_extractor *extractor,
                                isogloss_space space, const uint32_t *row, size_t n,
                                const char *language, size_t k, isogloss_neighbour *out,
                                size_t *found, isogloss_error *error)
{
    return search(&(search_query){set, extractor, space, row, NULL, NULL, n, k,
                                  language, out, found},
                  error);
}

isogloss_status isogloss_search_vectors(const isogloss_dataset *set,
                                        const isogloss_extractor *extractor,
                                        isogloss_space space, const float *vector,
                                        const char *const *of, size_t n,
                                        const char *language, size_t k,
                                        isogloss_neighbour *out, size_t *found,
                                        isogloss_error *error)
{
    return search(&(search_query){set, extractor, space, NULL, vector, of, n, k,
                                  language, out, found},
                  error);
}

/* --- maps ------------------------------------------------------------------------- */

typedef struct projecting {
    const isogloss_dataset *set;
    const isogloss_extractor *extractor;
    isogloss_space space;
    size_t k;
    bool unit;
    float *out;
    double *share; /* or NULL */
} projecting;

static ig_status work_project(void *context, ig_call *call, ig_error *why)
{
    const projecting *p = context;
    size_t rows = p->set->set->rows;
    ig_api_space of;
    ig_projection map = {0};
    float *out = NULL; /* a cancelled call leaves the caller's as it is */
    ig_status status = ig_api_take_space(&of, p->set, p->extractor, p->space, why);

    if (status == IG_OK)
        status = ig_projection_fit(&map, &of.source, 1, p->k, p->unit, p->set->pool,
                                   call->progress.stop, why);
    if (status == IG_OK) {
        out = ig_alloc(rows, p->k * sizeof *out);
        status = out ? ig_projection_place(&map, &of.source, 1, NULL, p->k, p->unit,
                                           p->set->pool, call->progress.stop, &out,
                                           p->k, why)
                     : ig_fail_memory(why, "the coordinates");
    }
    if (status == IG_OK)
        memcpy(p->out, out, rows * p->k * sizeof *out);
    for (size_t j = 0; j < p->k && status == IG_OK && p->share; j++)
        p->share[j] = map.pca.ratio[j];
    ig_free(out);
    ig_projection_free(&map);
    ig_api_leave_space(&of);
    return status;
}

isogloss_status isogloss_project(const isogloss_dataset *set,
                                 const isogloss_extractor *extractor,
                                 isogloss_space space, size_t k, bool unit, float *out,
                                 double *share, isogloss_error *error)
{
    ig_error why;
    projecting p = {set, extractor, space, k, unit, out, share};

    return ig_api_give(ig_calls_run(set->calls, work_project, &p, &why), &why, error);
}
