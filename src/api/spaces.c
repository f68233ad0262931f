/* The public interface: spaces of a dataset, their rows, search and projection. */
#include "api/handles.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "measure/searcher.h"
#include "train/extractor.h"

static_assert((int)ISOGLOSS_LANGUAGE == (int)IG_SPACE_LANGUAGE, "one list of spaces");
static_assert(sizeof(isogloss_neighbour) == sizeof(ig_scored) &&
                  offsetof(isogloss_neighbour, cosine) == offsetof(ig_scored, score),
              "one kind of neighbours");

/* Whether an extractor (or NULL) has a space for the dataset. */
static ig_status check_space(const ig_dataset *set, const isogloss_extractor *extractor,
                             isogloss_space space, ig_error *why)
{
    const ig_extractor *x = extractor ? extractor->info.extractor : NULL;

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

ig_status ig_call_open_space(ig_call *call)
{
    const ig_dataset *set = call->set->set;
    const ig_rows *originals = &call->set->originals;
    ig_image *image = &call->source.image;
    ig_space space = (ig_space)call->space;
    ig_status status = check_space(set, call->extractor, call->space, &call->why);
    const ig_extractor *x;
    size_t unknown = 0;

    call->source.rows = *originals;
    if (status != IG_OK || space == IG_SPACE_ORIGINAL)
        return status;
    x = call->extractor->info.extractor;
    if (ig_form_of(x->kind)->unknown) { /* it depends on the language */
        status = ig_extractor_adapt(&call->adapted, x, call->extractor->language, set,
                                    set->dims, &unknown, &call->why);
        for (size_t l = 0; l < set->languages && status == IG_OK && unknown; l++) {
            size_t i = 0;

            while (i < x->languages &&
                   strcmp(call->extractor->language[i], set->language[l]) != 0)
                i++;
            if (i == x->languages)
                status = ig_fail(&call->why, IG_VALUE,
                                 "%s has rows of the language %s, which this extractor "
                                 "(%s) was not fitted on",
                                 set->name, set->language[l],
                                 ig_form_of(x->kind)->name);
        }
        x = &call->adapted;
    }
    call->computed = (ig_space_rows){x, space, originals, set->lang};
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
                                      : extractor->info.extractor->width;
}

isogloss_status isogloss_apply(const isogloss_dataset *set,
                               const isogloss_extractor *extractor,
                               isogloss_space space, size_t first, size_t n, float *out,
                               isogloss_error *error)
{
    enum { STEP = 16384 };
    ig_call call = {.handle = set, .extractor = extractor, .space = space};
    const ig_rows *rows = &call.source.rows;
    ig_status status = ig_call_begin(&call);
    size_t each = (rows->scratch + 15) / 16 * 16; /* whole cache lines */
    float *scratch;

    if (status == IG_OK && (first > rows->rows || n > rows->rows - first))
        status = ig_fail(&call.why, IG_SHAPE,
                         "%zu + %zu rows exceed the %zu of the dataset", first, n,
                         rows->rows);
    if (status != IG_OK)
        return ig_call_end(&call, status, NULL, error);
    scratch =
        ig_arena_array(&call.arena, ig_pool_threads(set->pool), each * sizeof *scratch);
    if (!scratch)
        status = ig_fail_memory(&call.why, "rows");
    call.all = (double)n;
    for (size_t i = 0; i < n && status == IG_OK; i += STEP) {
        size_t count = n - i < STEP ? n - i : STEP;

        ig_rows_share(rows, NULL, first + i, count, set->pool, out + i * rows->dims,
                      scratch, each);
        ig_progress_add(&call.progress, (double)count, 0);
        status = ig_progress_cancelled(&call.progress) ? IG_INTERRUPTED : IG_OK;
    }
    return ig_call_end(&call, status, NULL, error);
}

/* --- search ----------------------------------------------------------------------- */

typedef struct searching {
    const uint32_t *row;   /* (n) query rows, or NULL: … */
    const float *vector;   /* … (n, d) query vectors */
    const char *const *of; /* (n) their languages, or NULL */
    size_t n, k;
} searching;

/* The languages of query vectors, as given; an extractor that depends on the language
 * needs them. */
static ig_status find_languages(ig_call *call, const searching *a, uint16_t *lang)
{
    const ig_dataset *set = call->set->set;
    ig_status status = IG_OK;

    if (!a->of && call->adapted.weights)
        return ig_fail(&call->why, IG_USAGE,
                       "%s depends on the language: give those of the vectors",
                       ig_form_of(call->adapted.kind)->name);
    for (size_t i = 0; a->of && lang && i < a->n && status == IG_OK; i++) {
        size_t number = 0;

        status = ig_dataset_find_language(set, a->of[i], strlen(a->of[i]), &number,
                                          &call->why);
        lang[i] = (uint16_t)number;
    }
    return status;
}

static ig_status check_queries(ig_call *call, const searching *a)
{
    const ig_dataset *set = call->set->set;
    size_t largest = a->k > set->dims ? a->k : set->dims;

    if (a->n > PTRDIFF_MAX / sizeof(ig_scored) / largest)
        return ig_fail(&call->why, IG_SHAPE,
                       "%zu queries with %zu neighbours exceed memory", a->n, a->k);
    for (size_t i = 0; a->row && i < a->n; i++)
        if (a->row[i] >= set->rows)
            return ig_fail(&call->why, IG_SHAPE, "row %u, but there are %zu rows",
                           (unsigned)a->row[i], set->rows);
    for (size_t i = 0; a->vector && i < a->n * set->dims; i++)
        if (!isfinite(a->vector[i]))
            return ig_fail(&call->why, IG_VALUE,
                           "number %zu of vector %zu is not finite", i % set->dims,
                           i / set->dims);
    return IG_OK;
}

static isogloss_status search(const isogloss_dataset *set,
                              const isogloss_extractor *extractor, isogloss_space space,
                              const searching *a, const char *language,
                              isogloss_neighbour *out, size_t *found,
                              isogloss_error *error)
{
    ig_call call = {.handle = set, .extractor = extractor, .space = space};
    ig_rows_pick pick = {&call.source.rows, a->row, a->n};
    ig_rows vectors, queries;
    ig_space_rows mapped;
    ig_searcher *searcher = NULL;
    ig_status status = ig_call_begin(&call);
    uint8_t *to = NULL; /* (languages) to search in; NULL: all */
    size_t number;

    if (status == IG_OK)
        status = check_queries(&call, a);
    if (status == IG_OK && language) {
        status = ig_dataset_find_language(set->set, language, strlen(language), &number,
                                          &call.why);
        to = ig_arena_array(&call.arena, set->set->languages, 1);
        if (status == IG_OK && to)
            to[number] = 1;
    }
    if (status != IG_OK)
        return ig_call_end(&call, status, NULL, error);
    vectors = ig_rows_of_matrix(
        ig_matrix_of((float *)a->vector, a->n, set->set->dims)); /* only read */
    queries = a->row ? ig_rows_of_pick(&pick) : vectors;
    mapped = call.computed;
    if (a->vector && mapped.extractor) {
        uint16_t *lang = ig_arena_array(&call.arena, a->n, sizeof *lang);

        status = find_languages(&call, a, lang);
        mapped.originals = &vectors;
        mapped.lang = lang;
        queries = ig_rows_of_space(&mapped);
    }
    if (status == IG_OK && call.arena.failed)
        status = ig_fail_memory(&call.why, "a search");
    if (status == IG_OK)
        status = ig_searcher_new(&searcher, &call.source.rows, NULL, set->set->lang,
                                 set->set->languages, set->pool, &call.stop, &call.why);
    if (status == IG_OK)
        status = ig_searcher_batch(searcher, &queries, a->row, NULL, to, a->k,
                                   &call.progress, (ig_scored *)out, found, &call.why);
    ig_searcher_delete(searcher);
    return ig_call_end(&call, status, NULL, error);
}

isogloss_status isogloss_search(const isogloss_dataset *set,
                                const isogloss_extractor *extractor,
                                isogloss_space space, const uint32_t *row, size_t n,
                                const char *language, size_t k, isogloss_neighbour *out,
                                size_t *found, isogloss_error *error)
{
    return search(set, extractor, space, &(searching){row, NULL, NULL, n, k}, language,
                  out, found, error);
}

isogloss_status isogloss_search_vectors(const isogloss_dataset *set,
                                        const isogloss_extractor *extractor,
                                        isogloss_space space, const float *vector,
                                        const char *const *of, size_t n,
                                        const char *language, size_t k,
                                        isogloss_neighbour *out, size_t *found,
                                        isogloss_error *error)
{
    return search(set, extractor, space, &(searching){NULL, vector, of, n, k}, language,
                  out, found, error);
}

/* --- projection ------------------------------------------------------------------- */

isogloss_status isogloss_project(const isogloss_dataset *set,
                                 const isogloss_extractor *extractor,
                                 isogloss_space space, size_t k, bool unit, float *out,
                                 double *share, isogloss_error *error)
{
    ig_call call = {.handle = set, .extractor = extractor, .space = space};
    ig_projection map = {0};
    ig_status status = ig_call_begin(&call);

    if (status == IG_OK)
        status = ig_projection_fit(&map, &call.source, 1, k, unit, set->pool,
                                   &call.stop, &call.why);
    if (status == IG_OK)
        status = ig_projection_place(&map, &call.source, 1, NULL, k, unit, set->pool,
                                     &call.stop, &(float *){out}, k, &call.why);
    if (status == IG_OK && share)
        memcpy(share, map.pca.ratio, k * sizeof *share);
    ig_projection_free(&map);
    return ig_call_end(&call, status, NULL, error);
}
