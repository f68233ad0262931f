/* The public interface: extractors, and the spaces of a dataset. */
#include "api/handles.h"

#include <string.h>

#include "core/memory.h"
#include "train/model.h"

void isogloss_extractor_free(isogloss_extractor *extractor)
{
    if (!extractor)
        return;
    for (size_t i = 0; extractor->language && i < extractor->extractor.languages; i++)
        ig_free(extractor->language[i]);
    IG_FREE(extractor->language, extractor->part, extractor->directory);
    ig_extractor_free(&extractor->extractor);
    ig_free(extractor);
}

ig_status ig_api_copy_extractor(isogloss_extractor **out, const ig_extractor *from,
                                const char *const *language, ig_error *why)
{
    bool each = ig_form_of(from->kind)->unknown != NULL;
    ig_status status = IG_OK;

    *out = ig_alloc(1, sizeof **out);
    if (*out && each)
        (*out)->language = ig_alloc(from->languages, sizeof *language);
    if (!*out || (each && !(*out)->language))
        status = ig_fail_memory(why, "an extractor");
    if (status == IG_OK)
        status = ig_extractor_copy(&(*out)->extractor, from, why);
    for (size_t i = 0; each && i < from->languages && status == IG_OK; i++) {
        (*out)->language[i] = ig_strdup(language[i]);
        if (!(*out)->language[i])
            status = ig_fail_memory(why, "an extractor");
    }
    if (status != IG_OK) {
        isogloss_extractor_free(*out);
        *out = NULL;
    }
    return status;
}

typedef struct reading_run {
    const isogloss_dataset *set;
    const char *directory;
    isogloss_extractor **out;
} reading_run;

static ig_status work_read(void *context, ig_call *call, ig_error *why)
{
    const reading_run *r = context;
    ig_model model = {0};
    ig_status status = ig_call_stopped(call)
                           ? IG_INTERRUPTED
                           : ig_model_read_own(&model, r->directory, r->set->set, why);

    if (status == IG_OK)
        status = ig_api_copy_extractor(r->out, &model.extractor,
                                       (const char *const *)model.language, why);
    ig_model_free(&model);
    if (status == IG_OK) {
        (*r->out)->directory = ig_strdup(r->directory);
        if (!(*r->out)->directory)
            status = ig_fail_memory(why, "an extractor");
    }
    return status;
}

isogloss_status isogloss_extractor_open(isogloss_extractor **extractor,
                                        const isogloss_dataset *set,
                                        const char *directory, isogloss_error *error)
{
    ig_error why;
    reading_run r = {set, directory, extractor};
    ig_status status;

    *extractor = NULL;
    status = ig_calls_run(set->calls, work_read, &r, &why);
    if (status != IG_OK) {
        isogloss_extractor_free(*extractor);
        *extractor = NULL;
    }
    return ig_api_give(status, &why, error);
}

static ig_status check_space(const isogloss_dataset *set,
                             const isogloss_extractor *extractor, isogloss_space space,
                             ig_error *why)
{
    const ig_extractor *x = extractor ? &extractor->extractor : NULL;

    if ((unsigned)space >= IG_SPACES)
        return ig_fail(why, IG_USAGE, "unknown space %d (expected 0 to %d)", (int)space,
                       IG_SPACES - 1);
    if (space == ISOGLOSS_ORIGINAL)
        return IG_OK;
    if (!x || !ig_extractor_serves(x, (ig_space)space))
        return ig_fail(why, IG_VALUE, "%s has no %s space",
                       x ? ig_form_of(x->kind)->name : "a dataset without an extractor",
                       ig_space_name((ig_space)space));
    if (x->dims != set->set->dims)
        return ig_fail(why, IG_SHAPE,
                       "the extractor has %zu dimensions, but %s has %zu", x->dims,
                       set->set->name, set->set->dims);
    return IG_OK;
}

/* Map the languages of a dataset, and of its rows, to those of the extractor. Fails on
 * a language that it was not fitted on. */
static ig_status number_languages(ig_api_space *out, const ig_dataset *set,
                                  const isogloss_extractor *extractor, ig_error *why)
{
    size_t known = extractor->extractor.languages;

    out->number = ig_alloc(set->languages, sizeof *out->number);
    out->lang = ig_alloc(set->rows, sizeof *out->lang);
    if (!out->number || !out->lang)
        return ig_fail_memory(why, "the languages");
    for (size_t l = 0; l < set->languages; l++) {
        size_t i = 0;

        while (i < known && strcmp(extractor->language[i], set->language[l]) != 0)
            i++;
        if (i == known)
            return ig_fail(why, IG_VALUE,
                           "%s has rows of the language %s, which this extractor (%s) "
                           "was not fitted on",
                           set->name, set->language[l],
                           ig_form_of(extractor->extractor.kind)->name);
        out->number[l] = (uint16_t)i;
    }
    for (size_t i = 0; i < set->rows; i++)
        out->lang[i] = out->number[set->lang[i]];
    return IG_OK;
}

void ig_api_leave_space(ig_api_space *space)
{
    IG_FREE(space->number, space->lang);
}

ig_status ig_api_take_space(ig_api_space *out, const isogloss_dataset *set,
                            const isogloss_extractor *extractor, isogloss_space space,
                            ig_error *why)
{
    const ig_extractor *x = extractor ? &extractor->extractor : NULL;
    ig_image *image = &out->source.image;
    ig_status status = check_space(set, extractor, space, why);

    *out = (ig_api_space){.source.rows = set->originals};
    if (status != IG_OK || space == ISOGLOSS_ORIGINAL)
        return status;
    if (extractor->language)
        status = number_languages(out, set->set, extractor, why);
    out->context = (ig_space_rows){x, (ig_space)space, &set->originals,
                                   out->lang ? out->lang : set->set->lang};
    out->source.rows = ig_rows_of_space(&out->context);
    if (ig_extractor_linear(x, (ig_space)space, &image->w, &image->b, &image->residual))
        image->of = &set->originals;
    return status;
}

size_t isogloss_space_dims(const isogloss_dataset *set,
                           const isogloss_extractor *extractor, isogloss_space space)
{
    if (check_space(set, extractor, space, NULL) != IG_OK)
        return 0;
    return space == ISOGLOSS_ORIGINAL ? set->set->dims : extractor->extractor.width;
}

ig_status ig_api_read_rows(const ig_rows *rows, const uint32_t *row, size_t first,
                           size_t n, float *out, ig_pool *pool, ig_error *why)
{
    size_t each = (rows->scratch + 15) / 16 * 16; /* whole cache lines */
    float *scratch = ig_alloc(ig_pool_threads(pool), each * sizeof *scratch);

    if (!scratch)
        return ig_fail_memory(why, "rows");
    ig_rows_share(rows, row, first, n, pool, out, scratch, each);
    ig_free(scratch);
    return IG_OK;
}

typedef struct applying {
    const isogloss_dataset *set;
    const isogloss_extractor *extractor;
    isogloss_space space;
    size_t first, n;
    float *out;
} applying;

static ig_status work_apply(void *context, ig_call *call, ig_error *why)
{
    enum { STEP = 16384 };
    const applying *a = context;
    size_t rows = a->set->set->rows;
    ig_api_space of;
    ig_status status = ig_api_take_space(&of, a->set, a->extractor, a->space, why);

    if (status == IG_OK && (a->first > rows || a->n > rows - a->first))
        status = ig_fail(why, IG_SHAPE, "%zu + %zu rows exceed the %zu of the dataset",
                         a->first, a->n, rows);
    atomic_store(&call->all, a->n);
    for (size_t i = 0; i < a->n && status == IG_OK; i += STEP) {
        size_t n = a->n - i < STEP ? a->n - i : STEP;

        status = ig_call_stopped(call)
                     ? IG_INTERRUPTED
                     : ig_api_read_rows(&of.source.rows, NULL, a->first + i, n,
                                        a->out + i * of.source.rows.dims, a->set->pool,
                                        why);
        ig_progress_add(&call->progress, (double)n, 0);
    }
    ig_api_leave_space(&of);
    return status;
}

isogloss_status isogloss_apply(const isogloss_dataset *set,
                               const isogloss_extractor *extractor,
                               isogloss_space space, size_t first, size_t n, float *out,
                               isogloss_error *error)
{
    ig_error why;
    applying a = {set, extractor, space, first, n, out};

    return ig_api_give(ig_calls_run(set->calls, work_apply, &a, &why), &why, error);
}
