/* The public interface (include/isogloss.h): version and datasets. Files of this
 * directory open, check and call the library; they compute nothing. */
#include "api/handles.h"

#include <string.h>

#include "core/blas.h"

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

const char *isogloss_version(void)
{
    return IG_VERSION;
}

static void clear_dataset(void *handle)
{
    isogloss_dataset *set = handle;

    ig_dataset_free(set->set);
    ig_pool_delete(set->pool);
    pthread_mutex_destroy(&set->running);
}

const ig_handle_type ig_dataset_handle = {
    "dataset", "isogloss_dataset_open or isogloss_dataset_of_rows",
    sizeof(isogloss_dataset), clear_dataset};

/* Complete a dataset that was opened, and reject non-finite values. */
static ig_status complete_set(ig_call *call)
{
    isogloss_dataset *out = call->made;

    call->all = 0;
    out->originals = ig_rows_of_dataset(out->set);
    return ig_dataset_check(out->set, NULL, &call->stop, &call->why);
}

static ig_status begin_opening(ig_call *call)
{
    ig_status status = ig_call_begin(call);

    if (status != IG_OK)
        return status;
    ig_blas_init();
    return ig_pool_new(&call->set->pool, call->settings.threads, &call->why);
}

static void report_reading(void *context, const char *doing, const char *file,
                           double part)
{
    ig_call *call = context;

    (void)doing;
    (void)file;
    call->all = part < 0 ? 0 : 1;
    call->progress.tick(call, part);
}

isogloss_status isogloss_dataset_open(isogloss_dataset **set, const char *const *data,
                                      size_t n, const isogloss_setting *list,
                                      isogloss_progress *progress, void *context,
                                      isogloss_error *error)
{
    ig_call call = {.makes = &ig_dataset_handle,
                    .takes = IG_SETTINGS_OPEN,
                    .list = list,
                    .watch = progress,
                    .context = context};
    ig_reading reading = {
        .stop = &call.stop, .report = report_reading, .context = &call};
    ig_dataset_options *options = &call.settings.open;
    ig_status status = begin_opening(&call);
    const char *delimiter = call.settings.delimiter;

    if (status == IG_OK && delimiter && delimiter[0] && delimiter[1])
        status = ig_fail(&call.why, IG_USAGE,
                         "delimiter: %s is more than one character", delimiter);
    options->delimiter = delimiter ? delimiter[0] : '\0';
    options->seed = call.settings.train.seed;
    options->reading = &reading;
    if (status == IG_OK)
        status = ig_dataset_open(&call.set->set, data, n, options, &call.why);
    if (status == IG_OK)
        status = complete_set(&call);
    return ig_call_end(&call, status, set, error);
}

isogloss_status isogloss_dataset_of_rows(isogloss_dataset **set, const float *rows,
                                         size_t n, size_t d,
                                         const char *const *language,
                                         const char *const *text, const char *const *id,
                                         const isogloss_setting *list,
                                         isogloss_progress *progress, void *context,
                                         isogloss_error *error)
{
    ig_call call = {.makes = &ig_dataset_handle,
                    .takes = IG_SETTINGS_ROWS,
                    .list = list,
                    .watch = progress,
                    .context = context};
    ig_status status = begin_opening(&call);

    if (status == IG_OK && d && n > PTRDIFF_MAX / sizeof(float) / d)
        status = ig_fail(&call.why, IG_SHAPE, "%zu × %zu vectors exceed memory", n, d);
    if (status == IG_OK)
        status = ig_dataset_of_rows(&call.set->set, "rows", rows, n, d, language, text,
                                    id, &call.why);
    if (status == IG_OK)
        status = complete_set(&call);
    return ig_call_end(&call, status, set, error);
}

size_t isogloss_dataset_rows(const isogloss_dataset *set)
{
    return ig_handle_is(set, &ig_dataset_handle) ? set->set->rows : 0;
}

size_t isogloss_dataset_dims(const isogloss_dataset *set)
{
    return ig_handle_is(set, &ig_dataset_handle) ? set->set->dims : 0;
}

const char *isogloss_dataset_language(const isogloss_dataset *set, size_t row)
{
    return row < isogloss_dataset_rows(set) ? set->set->language[set->set->lang[row]]
                                            : NULL;
}

const char *isogloss_dataset_text(const isogloss_dataset *set, size_t row)
{
    return row < isogloss_dataset_rows(set) ? set->set->text[row] : NULL;
}

const char *isogloss_dataset_id(const isogloss_dataset *set, size_t row)
{
    bool has = row < isogloss_dataset_rows(set) && set->set->has_ids &&
               set->set->id[row] != IG_NO_ID;

    return has ? set->set->id_name[set->set->id[row]] : NULL;
}
