/* The public interface: spaces of a dataset, their rows, search and projection. */
#include "api/handles.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "measure/searcher.h"

static_assert((int)ISOGLOSS_LANGUAGE == (int)IG_SPACE_LANGUAGE, "one list of spaces");

/* Whether an extractor (or NULL) has a space for the dataset. */
static ig_status check_space(const ig_dataset *set, const isogloss_extractor *extractor,
                             isogloss_space space, ig_error *why)
{
    const ig_extractor *x = extractor ? &extractor->model.extractor : NULL;

    if ((unsigned)space >= IG_SPACES)
        return ig_fail(why, IG_USAGE, "unknown space %d (expected 0 to %d)", (int)space,
                       IG_SPACES - 1);
    if (space == ISOGLOSS_ORIGINAL)
        return IG_OK;
    if (!x || !ig_extractor_serves(x, (ig_space)space))
        return ig_fail(why, IG_VALUE, "%s has no %s space",
                       x ? ig_form_of(x->kind)->name : "a dataset without an extractor",
                       ig_space_name((ig_space)space));
    return x->dims == set->dims
               ? IG_OK
               : ig_fail(why, IG_SHAPE,
                         "the extractor has %zu dimensions, but %s has %zu", x->dims,
                         set->name, set->dims);
}

/* Map the languages of the dataset, and of its rows, to those of the extractor. */
static ig_status number_languages(ig_call *call)
{
    const ig_dataset *set = call->set->set;
    const ig_extractor *x = &call->extractor->model.extractor;
    uint16_t *lang = ig_arena_array(&call->arena, set->rows, sizeof *lang);

    call->number = ig_arena_array(&call->arena, set->languages, sizeof *call->number);
    if (call->arena.failed)
        return ig_fail_memory(&call->why, "the languages");
    for (size_t l = 0; l < set->languages; l++) {
        size_t i = 0;

        while (i < x->languages &&
               strcmp(call->extractor->language[i], set->language[l]) != 0)
            i++;
        if (i == x->languages)
            return ig_fail(&call->why, IG_VALUE,
                           "%s has rows of the language %s, which this extractor (%s) "
                           "was not fitted on",
                           set->name, set->language[l], ig_form_of(x->kind)->name);
        call->number[l] = (uint16_t)i;
    }
    for (size_t i = 0; i < set->rows; i++)
        lang[i] = call->number[set->lang[i]];
    call->computed.lang = lang;
    return IG_OK;
}

ig_status ig_call_open_space(ig_call *call)
{
    const ig_dataset *set = call->set->set;
    const ig_rows *originals = &call->set->originals;
    ig_image *image = &call->source.image;
    ig_space space = (ig_space)call->space;
    ig_status status = check_space(set, call->extractor, call->space, &call->why);
    const ig_extractor *x;

    call->source.rows = *originals;
    if (status != IG_OK || space == IG_SPACE_ORIGINAL)
        return status;
    x = &call->extractor->model.extractor;
    call->computed = (ig_space_rows){x, space, originals, set->lang};
    if (ig_form_of(x->kind)->unknown)
        status = number_languages(call);
    call->source.rows = ig_rows_of_space(&call->computed);
    if (ig_extractor_linear(x, space, &image->w, &image->b, &image->residual))
        image->of = originals;
    return status;
}

size_t isogloss_space_dims(const isogloss_dataset *set,
                           const isogloss_extractor *extractor, isogloss_space space)
{
    if (!ig_handle_is(set, &ig_dataset_handle) ||
        (extractor && !ig_handle_is(extractor, &ig_extractor_handle)) ||
        check_space(set->set, extractor, space, NULL) != IG_OK)
        return 0;
    return space == ISOGLOSS_ORIGINAL ? set->set->dims
                                      : extractor->model.extractor.width;
}

/* Read rows in parallel: those of `row` (n), or, if NULL, n rows from `first`. */
static ig_status read_rows(ig_call *call, const ig_rows *rows, const uint32_t *row,
                           size_t first, size_t n, float *out)
{
    ig_pool *pool = call->set->pool;
    size_t each = (rows->scratch + 15) / 16 * 16; /* whole cache lines */
    float *scratch = ig_alloc(ig_pool_threads(pool), each * sizeof *scratch);

    if (!scratch)
        return ig_fail_memory(&call->why, "rows");
    ig_rows_share(rows, row, first, n, pool, out, scratch, each);
    ig_free(scratch);
    return IG_OK;
}

static isogloss_status run_call(const isogloss_dataset *set,
                                const isogloss_extractor *extractor,
                                isogloss_space space, ig_status (*work)(ig_call *),
                                void *arguments, isogloss_error *error)
{
    ig_call call = {.handle = set,
                    .of = &ig_dataset_handle,
                    .work = work,
                    .arguments = arguments,
                    .extractor = extractor,
                    .space = space};

    return ig_call_run(&call, error);
}

typedef struct applying {
    size_t first, n;
    float *out;
} applying;

static ig_status work_apply(ig_call *call)
{
    enum { STEP = 16384 };
    const applying *a = call->arguments;
    const ig_rows *rows = &call->source.rows;
    ig_status status = IG_OK;

    if (a->first > rows->rows || a->n > rows->rows - a->first)
        return ig_fail(&call->why, IG_SHAPE,
                       "%zu + %zu rows exceed the %zu of the dataset", a->first, a->n,
                       rows->rows);
    atomic_store(&call->all, a->n);
    for (size_t i = 0; i < a->n && status == IG_OK; i += STEP) {
        size_t n = a->n - i < STEP ? a->n - i : STEP;

        status =
            ig_progress_cancelled(&call->progress)
                ? IG_INTERRUPTED
                : read_rows(call, rows, NULL, a->first + i, n, a->out + i * rows->dims);
        ig_progress_add(&call->progress, (double)n, 0);
    }
    return status;
}

isogloss_status isogloss_apply(const isogloss_dataset *set,
                               const isogloss_extractor *extractor,
                               isogloss_space space, size_t first, size_t n, float *out,
                               isogloss_error *error)
{
    applying a = {first, n, out};

    return run_call(set, extractor, space, work_apply, &a, error);
}

/* --- search ----------------------------------------------------------------------- */

enum { QUERIES = 4096 }; /* at once */

typedef struct searching {
    const uint32_t *row;   /* (n) query rows, or NULL: … */
    const float *vector;   /* … (n, d) query vectors */
    const char *const *of; /* (n) their languages, or NULL */
    size_t n, k;
    const char *language; /* to search in, or NULL: all */
    isogloss_neighbour *out;
    size_t *found;

    ig_searcher *searcher, *original; /* original: to find languages, or NULL */
    uint16_t *lang;                   /* (QUERIES) in the extractor */
    uint8_t *to;                      /* (languages) to search in, or NULL: all */
    ig_matrix queries;                /* (QUERIES, dims of the space) */
    ig_scored *best, *near;           /* (n, most), (QUERIES) */
    size_t most, *count;              /* (n) */
} searching;

/* Read query vectors, mapped into the space; languages are as given, or those of the
 * nearest rows. */
static ig_status read_vectors(ig_call *call, searching *a, size_t first, size_t n)
{
    const ig_dataset *set = call->set->set;
    const float *vector = a->vector + first * set->dims;
    ig_matrix vectors = ig_matrix_of((float *)vector, n, set->dims); /* only read */
    ig_rows originals = ig_rows_of_matrix(vectors), mapped = originals;
    ig_space_rows computed = call->computed;
    ig_status status = IG_OK;

    for (size_t i = 0; i < n * set->dims; i++)
        if (!isfinite(vector[i]))
            return ig_fail(&call->why, IG_VALUE,
                           "number %zu of vector %zu is not finite", i % set->dims,
                           first + i / set->dims);
    if (a->original)
        status = ig_searcher_batch(a->original, vectors, NULL, (ig_searcher_filter){0},
                                   1, call->progress.stop, a->near, a->count + first,
                                   &call->why);
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        size_t number = set->lang[a->near[i].row];

        if (a->of)
            status = ig_dataset_find_language(
                set, a->of[first + i], strlen(a->of[first + i]), &number, &call->why);
        a->lang[i] = call->number ? call->number[number] : (uint16_t)number;
    }
    computed.originals = &originals;
    computed.lang = a->lang;
    if (computed.extractor)
        mapped = ig_rows_of_space(&computed);
    return status == IG_OK ? read_rows(call, &mapped, NULL, 0, n, a->queries.a)
                           : status;
}

static ig_status start_search(ig_call *call, searching *a)
{
    const ig_dataset *set = call->set->set;
    const ig_rows *rows = &call->source.rows;
    size_t number, largest = a->k > set->dims ? a->k : set->dims;
    ig_status status = IG_OK;

    if (a->n > PTRDIFF_MAX / sizeof *a->best / largest)
        return ig_fail(&call->why, IG_SHAPE,
                       "%zu queries with %zu neighbours exceed memory", a->n, a->k);
    for (size_t i = 0; a->row && i < a->n; i++)
        if (a->row[i] >= set->rows)
            return ig_fail(&call->why, IG_SHAPE, "row %u, but there are %zu rows",
                           (unsigned)a->row[i], set->rows);
    a->most = a->k < set->rows ? a->k : set->rows;
    a->best = ig_arena_array(&call->arena, a->n, a->most * sizeof *a->best);
    a->near = ig_arena_array(&call->arena, QUERIES, sizeof *a->near);
    a->count = ig_arena_array(&call->arena, a->n, sizeof *a->count);
    a->lang = ig_arena_array(&call->arena, QUERIES, sizeof *a->lang);
    a->queries.a =
        ig_arena_array(&call->arena, QUERIES, rows->dims * sizeof *a->queries.a);
    a->to = a->language ? ig_arena_array(&call->arena, set->languages, 1) : NULL;
    if (call->arena.failed)
        return ig_fail_memory(&call->why, "a search");
    if (a->language)
        status = ig_dataset_find_language(set, a->language, strlen(a->language),
                                          &number, &call->why);
    if (status == IG_OK && a->language)
        a->to[number] = 1;
    if (status == IG_OK && a->vector && !a->of && call->number)
        status = ig_searcher_new(&a->original, &call->set->originals, NULL,
                                 call->set->pool, &call->why);
    return status == IG_OK ? ig_searcher_new(&a->searcher, rows, set->lang,
                                             call->set->pool, &call->why)
                           : status;
}

static ig_status work_search(ig_call *call)
{
    searching *a = call->arguments;
    const ig_rows *rows = &call->source.rows;
    ig_searcher_filter filter = {.languages = call->set->set->languages};
    ig_status status = start_search(call, a);

    filter.to = a->to;
    for (size_t i = 0; i < a->n && status == IG_OK; i += QUERIES) {
        size_t n = a->n - i < QUERIES ? a->n - i : QUERIES;

        a->queries = ig_matrix_of(a->queries.a, n, rows->dims);
        status = a->row ? read_rows(call, rows, a->row + i, 0, n, a->queries.a)
                        : read_vectors(call, a, i, n);
        if (status == IG_OK)
            status = ig_searcher_batch(
                a->searcher, a->queries, a->row ? a->row + i : NULL, filter, a->most,
                call->progress.stop, a->best + i * a->most, a->count + i, &call->why);
    }
    for (size_t i = 0; i < a->n && status == IG_OK; i++) {
        const ig_scored *best = a->best + i * a->most;

        a->found[i] = a->count[i];
        for (size_t j = 0; j < a->count[i]; j++)
            a->out[i * a->k + j] = (isogloss_neighbour){best[j].row, best[j].score};
    }
    ig_searcher_delete(a->searcher);
    ig_searcher_delete(a->original);
    return status;
}

isogloss_status isogloss_search(const isogloss_dataset *set,
                                const isogloss_extractor *extractor,
                                isogloss_space space, const uint32_t *row, size_t n,
                                const char *language, size_t k, isogloss_neighbour *out,
                                size_t *found, isogloss_error *error)
{
    searching a = {row, NULL, NULL, n, k, language, out, found, .most = 0};

    return run_call(set, extractor, space, work_search, &a, error);
}

isogloss_status isogloss_search_vectors(const isogloss_dataset *set,
                                        const isogloss_extractor *extractor,
                                        isogloss_space space, const float *vector,
                                        const char *const *of, size_t n,
                                        const char *language, size_t k,
                                        isogloss_neighbour *out, size_t *found,
                                        isogloss_error *error)
{
    searching a = {NULL, vector, of, n, k, language, out, found, .most = 0};

    return run_call(set, extractor, space, work_search, &a, error);
}

/* --- projection ------------------------------------------------------------------- */

typedef struct projecting {
    size_t k;
    bool unit;
    float *out;
    double *share; /* or NULL */
} projecting;

static ig_status work_project(ig_call *call)
{
    const projecting *p = call->arguments;
    ig_pool *pool = call->set->pool;
    size_t rows = call->source.rows.rows;
    ig_projection map = {0};
    float *out = NULL; /* a cancelled call leaves the caller's as it is */
    ig_status status = ig_projection_fit(&map, &call->source, 1, p->k, p->unit, pool,
                                         call->progress.stop, &call->why);

    if (status == IG_OK) {
        out = ig_arena_array(&call->arena, rows, p->k * sizeof *out);
        status = out ? ig_projection_place(&map, &call->source, 1, NULL, p->k, p->unit,
                                           pool, call->progress.stop, &out, p->k,
                                           &call->why)
                     : ig_fail_memory(&call->why, "the coordinates");
    }
    if (status == IG_OK)
        memcpy(p->out, out, rows * p->k * sizeof *out);
    if (status == IG_OK && p->share)
        memcpy(p->share, map.pca.ratio, p->k * sizeof *p->share);
    ig_projection_free(&map);
    return status;
}

isogloss_status isogloss_project(const isogloss_dataset *set,
                                 const isogloss_extractor *extractor,
                                 isogloss_space space, size_t k, bool unit, float *out,
                                 double *share, isogloss_error *error)
{
    projecting p = {k, unit, out, share};

    return run_call(set, extractor, space, work_project, &p, error);
}
