/* The public interface: search and maps. */
#include "api/handles.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "search/searcher.h"

/* A search under way: what isogloss_search and isogloss_search_vectors share. */
typedef struct asking {
    const isogloss_set *set;
    const isogloss_extractor *extractor;
    isogloss_space space;
    const uint32_t *row;     /* (n) that ask; or NULL: … */
    const float *vector;     /* (n, d) */
    const char *const *said; /* (n) their languages, or NULL */
    size_t n, k, most;       /* most: k, or the rows where they are fewer */
    const char *language;    /* to search in, or NULL: all */
    isogloss_neighbour *out;
    size_t *found;

    const atomic_bool *stop;
    ig_api_space of;
    uint8_t *mark;  /* (languages) may answer */
    uint16_t *lang; /* (n) of vectors */
    ig_matrix queries;
    ig_scored *best; /* (n, most) */
    size_t *had;     /* (n) */
} asking;

/* The k nearest rows of the queries; `own` (n): rows to leave out, or NULL. So many
 * queries at a time that a cancelled search ends soon. */
static ig_status find_nearest(asking *a, const ig_rows *rows, ig_matrix queries,
                              const uint32_t *own, const uint8_t *mark, size_t k,
                              ig_error *why)
{
    enum { STEP = 4096 };
    const ig_set *set = a->set->set;
    ig_searcher_filter filter = {.to = mark, .languages = set->languages};
    ig_searcher *searcher = NULL;
    ig_status status = ig_searcher_new(&searcher, rows, set->lang, a->set->pool, why);

    for (size_t i = 0; i < a->n && status == IG_OK; i += STEP) {
        size_t n = a->n - i < STEP ? a->n - i : STEP;

        status = ig_searcher_batch(
            searcher, ig_matrix_of(ig_matrix_row(queries, i), n, queries.cols),
            own ? own + i : NULL, filter, k, a->stop, a->best + i * k, a->had + i, why);
    }
    ig_searcher_delete(searcher);
    return status;
}

/* The number of a language of the set. */
static ig_status find_language(const ig_set *set, const char *code, int *number,
                               ig_error *why)
{
    *number = ig_set_language(set, code);
    return *number >= 0
               ? IG_OK
               : ig_fail(why, IG_VALUE, "%s has no language %s", set->name, code);
}

static ig_status take_row_queries(asking *a, ig_error *why)
{
    const ig_rows *rows = &a->of.source.rows;

    for (size_t i = 0; i < a->n; i++)
        if (a->row[i] >= rows->rows)
            return ig_fail(why, IG_SHAPE, "row %u, but there are %zu rows",
                           (unsigned)a->row[i], rows->rows);
    return ig_api_read_rows(rows, a->row, 0, a->n, a->queries.a, a->set->pool, why);
}

/* The languages of vectors: as they are said, or of the rows nearest to them. */
static ig_status find_languages(asking *a, ig_matrix vectors, ig_error *why)
{
    const ig_set *set = a->set->set;
    ig_status status = IG_OK;

    if (!a->said)
        status = find_nearest(a, &a->set->originals, vectors, NULL, NULL, 1, why);
    for (size_t i = 0; i < a->n && status == IG_OK; i++) {
        int number = 0;

        if (a->said)
            status = find_language(set, a->said[i], &number, why);
        a->lang[i] = a->said ? (uint16_t)number : set->lang[a->best[i].row];
    }
    for (size_t i = 0; i < a->n && a->of.number && status == IG_OK; i++)
        a->lang[i] = a->of.number[a->lang[i]];
    return status;
}

/* The vectors in the space that is searched. */
static ig_status take_vector_queries(asking *a, ig_error *why)
{
    size_t d = a->set->set->dims;
    ig_matrix vectors = ig_matrix_of((float *)a->vector, a->n, d); /* it is only read */
    ig_rows originals = ig_rows_of_matrix(vectors), through = originals;
    ig_space_rows context = a->of.context;
    ig_status status;

    for (size_t i = 0; i < a->n * d; i++)
        if (!isfinite(a->vector[i]))
            return ig_fail(why, IG_VALUE, "number %zu of vector %zu is not finite",
                           i % d, i / d);
    status = find_languages(a, vectors, why);
    if (context.extractor) {
        context.originals = &originals;
        context.lang = a->lang;
        through = ig_rows_of_space(&context);
    }
    return status == IG_OK ? ig_api_read_rows(&through, NULL, 0, a->n, a->queries.a,
                                              a->set->pool, why)
                           : status;
}

static ig_status make_room(asking *a, ig_error *why)
{
    const ig_set *set = a->set->set;
    size_t dims = a->of.source.rows.dims;

    if (a->k && a->n > PTRDIFF_MAX / sizeof *a->best / a->k)
        return ig_fail(why, IG_SHAPE, "%zu × %zu neighbours are more than memory holds",
                       a->n, a->k);
    if (a->n > PTRDIFF_MAX / sizeof(float) / (dims > set->dims ? dims : set->dims))
        return ig_fail(why, IG_SHAPE, "%zu × %zu vectors are more than memory holds",
                       a->n, dims);
    a->most = a->k < set->rows ? a->k : set->rows;
    a->best = ig_alloc(a->n, (a->most ? a->most : 1) * sizeof *a->best);
    a->had = ig_alloc(a->n, sizeof *a->had);
    a->mark = ig_alloc(set->languages, 1);
    a->lang = ig_alloc(a->n, sizeof *a->lang);
    a->queries = ig_matrix_of(ig_alloc(a->n, dims * sizeof(float)), a->n, dims);
    return a->best && a->had && a->mark && a->lang && a->queries.a
               ? IG_OK
               : ig_fail_memory(why, "a search");
}

static ig_status work_search(void *context, ig_call *call, ig_error *why)
{
    asking *a = context;
    int number = 0;
    ig_status status = ig_api_take_space(&a->of, a->set, a->extractor, a->space, why);

    a->stop = call->watch.stop;
    if (status == IG_OK)
        status = make_room(a, why);
    if (status == IG_OK && a->language)
        status = find_language(a->set->set, a->language, &number, why);
    if (status == IG_OK)
        status = a->row ? take_row_queries(a, why) : take_vector_queries(a, why);
    if (status == IG_OK && a->language)
        a->mark[number] = 1;
    if (status == IG_OK)
        status = find_nearest(a, &a->of.source.rows, a->queries, a->row,
                              a->language ? a->mark : NULL, a->most, why);
    for (size_t i = 0; i < a->n && status == IG_OK; i++) {
        a->found[i] = a->had[i];
        for (size_t j = 0; j < a->had[i]; j++)
            a->out[i * a->k + j] = (isogloss_neighbour){a->best[i * a->most + j].row,
                                                        a->best[i * a->most + j].score};
    }
    ig_api_leave_space(&a->of);
    ig_free(a->best);
    ig_free(a->had);
    ig_free(a->mark);
    ig_free(a->lang);
    ig_free(a->queries.a);
    return status;
}

static isogloss_status search(asking *a, isogloss_error *error)
{
    ig_error why;

    return ig_api_give(ig_calls_run(a->set->calls, work_search, a, &why), &why, error);
}

isogloss_status isogloss_search(const isogloss_set *set,
                                const isogloss_extractor *extractor,
                                isogloss_space space, const uint32_t *row, size_t n,
                                const char *language, size_t k, isogloss_neighbour *out,
                                size_t *found, isogloss_error *error)
{
    asking a = {.set = set,
                .extractor = extractor,
                .space = space,
                .row = row,
                .n = n,
                .k = k,
                .language = language,
                .out = out,
                .found = found};

    return search(&a, error);
}

isogloss_status
isogloss_search_vectors(const isogloss_set *set, const isogloss_extractor *extractor,
                        isogloss_space space, const float *vector,
                        const char *const *of, size_t n, const char *language, size_t k,
                        isogloss_neighbour *out, size_t *found, isogloss_error *error)
{
    asking a = {.set = set,
                .extractor = extractor,
                .space = space,
                .vector = vector,
                .said = of,
                .n = n,
                .k = k,
                .language = language,
                .out = out,
                .found = found};

    return search(&a, error);
}

/* --- maps ------------------------------------------------------------------------- */

typedef struct projecting {
    const isogloss_set *set;
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
                                   call->watch.stop, why);
    if (status == IG_OK) {
        out = ig_alloc(rows, p->k * sizeof *out);
        status = out ? ig_projection_place(&map, &of.source, 1, NULL, p->k, p->unit,
                                           p->set->pool, call->watch.stop, &out, p->k,
                                           why)
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

isogloss_status isogloss_project(const isogloss_set *set,
                                 const isogloss_extractor *extractor,
                                 isogloss_space space, size_t k, bool unit, float *out,
                                 double *share, isogloss_error *error)
{
    ig_error why;
    projecting p = {set, extractor, space, k, unit, out, share};

    return ig_api_give(ig_calls_run(set->calls, work_project, &p, &why), &why, error);
}
