/* The public interface (include/isogloss.h): version, errors and datasets. Files of
 * this directory open, check and call the library; they compute nothing. */
#include "api/handles.h"

#include <assert.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"

static_assert((int)ISOGLOSS_INTERRUPTED == (int)IG_INTERRUPTED, "one list of statuses");
static_assert(sizeof((isogloss_error *)0)->message == IG_ERROR_SIZE,
              "one size of messages");
static_assert((int)ISOGLOSS_LANGUAGE == (int)IG_SPACE_LANGUAGE, "one list of spaces");

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

const char *isogloss_version(void)
{
    return IG_VERSION;
}

isogloss_status ig_api_give(ig_status status, const ig_error *why,
                            isogloss_error *error)
{
    if (status != IG_OK && error) {
        error->status = (isogloss_status)status;
        memcpy(error->message, why->message, sizeof error->message);
    }
    return (isogloss_status)status;
}

/* --- datasets --------------------------------------------------------------------- */

void isogloss_dataset_free(isogloss_dataset *set)
{
    if (!set)
        return;
    ig_dataset_free(set->set);
    ig_pool_delete(set->pool);
    ig_calls_delete(set->calls);
    ig_free(set);
}

/* A dataset to be opened, from files or from rows. */
typedef struct opening {
    isogloss_dataset *set;
    ig_api_settings settings;
    const char *const *data;
    size_t n, d;
    const float *rows;
    const char *const *language, *const *text, *const *id;
    ig_call *call;
} opening;

static void report_reading(void *context, const char *doing, const char *file,
                           double part)
{
    ig_call *call = context;
    enum { PARTS = 1000 };

    (void)doing;
    (void)file;
    atomic_store(&call->all, part < 0 ? 0 : PARTS);
    atomic_store(&call->progress.done, part < 0 ? 0 : (uint_least64_t)(part * PARTS));
}

static ig_status open_files(opening *o, ig_error *why)
{
    const ig_api_settings *s = &o->settings;
    ig_reading reading = {
        .stop = o->call->progress.stop, .report = report_reading, .context = o->call};
    ig_dataset_options options = {.meta = s->meta,
                                  .vectors = s->vectors,
                                  .delimiter = s->delimiter ? s->delimiter[0] : '\0',
                                  .dims = s->dims,
                                  .limit = s->limit,
                                  .seed = s->train.seed,
                                  .raw_dim = s->raw_dim,
                                  .lang = s->lang,
                                  .type = s->type,
                                  .reading = &reading};

    memcpy(options.column, s->column, sizeof options.column);
    return ig_dataset_open(&o->set->set, o->data, o->n, &options, why);
}

/* Open the dataset and reject non-finite values. */
static ig_status work_open(void *context, ig_call *call, ig_error *why)
{
    opening *o = context;
    isogloss_dataset *set = o->set;
    ig_status status;

    o->call = call;
    status = o->data ? open_files(o, why)
                     : ig_dataset_of_rows(&set->set, "rows", o->rows, o->n, o->d,
                                          o->language, o->text, o->id, why);
    if (status != IG_OK)
        return status;
    atomic_store(&call->all, 0);
    set->originals = ig_rows_of_dataset(set->set);
    return ig_dataset_check(set->set, NULL, call->progress.stop, why);
}

static isogloss_status open_set(isogloss_dataset **out, opening *o, ig_api_call call,
                                const isogloss_setting *list,
                                isogloss_progress *progress, void *context,
                                isogloss_error *error)
{
    ig_error why;
    ig_status status = ig_api_read_settings(&o->settings, list, call, &why);
    const char *delimiter = o->settings.delimiter;

    *out = NULL;
    if (status == IG_OK && delimiter && delimiter[0] && delimiter[1])
        status = ig_fail(&why, IG_USAGE, "delimiter: %s is more than one character",
                         delimiter);
    if (status == IG_OK && o->d && o->n > PTRDIFF_MAX / sizeof(float) / o->d)
        status = ig_fail(&why, IG_SHAPE, "%zu × %zu vectors exceed memory", o->n, o->d);
    if (status != IG_OK)
        return ig_api_give(status, &why, error);
    o->set = ig_alloc(1, sizeof *o->set);
    if (!o->set)
        return ig_api_give(ig_fail_memory(&why, "a dataset"), &why, error);
    ig_blas_init();
    status = ig_pool_new(&o->set->pool, o->settings.threads, &why);
    if (status == IG_OK)
        status = ig_calls_new(&o->set->calls, progress, context, &why);
    if (status == IG_OK)
        status = ig_calls_run(o->set->calls, work_open, o, &why);
    if (status == IG_OK)
        *out = o->set;
    else
        isogloss_dataset_free(o->set);
    return ig_api_give(status, &why, error);
}

isogloss_status isogloss_dataset_open(isogloss_dataset **set, const char *const *data,
                                      size_t n, const isogloss_setting *list,
                                      isogloss_progress *progress, void *context,
                                      isogloss_error *error)
{
    opening o = {.data = data, .n = n};

    return open_set(set, &o, IG_API_OPEN, list, progress, context, error);
}

isogloss_status isogloss_dataset_of_rows(isogloss_dataset **set, const float *rows,
                                         size_t n, size_t d,
                                         const char *const *language,
                                         const char *const *text, const char *const *id,
                                         const isogloss_setting *list,
                                         isogloss_progress *progress, void *context,
                                         isogloss_error *error)
{
    opening o = {
        .rows = rows, .n = n, .d = d, .language = language, .text = text, .id = id};

    return open_set(set, &o, IG_API_ROWS, list, progress, context, error);
}

size_t isogloss_dataset_rows(const isogloss_dataset *set)
{
    return set->set->rows;
}

size_t isogloss_dataset_dims(const isogloss_dataset *set)
{
    return set->set->dims;
}

const char *isogloss_dataset_language(const isogloss_dataset *set, size_t row)
{
    return set->set->language[set->set->lang[row]];
}

const char *isogloss_dataset_text(const isogloss_dataset *set, size_t row)
{
    return set->set->text[row];
}

const char *isogloss_dataset_id(const isogloss_dataset *set, size_t row)
{
    uint32_t id = set->set->has_ids ? set->set->id[row] : IG_NO_ID;

    return id == IG_NO_ID ? NULL : set->set->id_name[id];
}
