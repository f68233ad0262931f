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

/* A dataset to be opened: n files, or n rows. */
typedef struct opening {
    const char *const *data; /* or NULL: rows */
    size_t n, d;
    const float *rows;
    const char *const *language, *const *text, *const *id;
} opening;

static void report_reading(void *context, const char *doing, const char *file,
                           double part)
{
    ig_call *call = context;

    (void)doing;
    (void)file;
    call->all = part < 0 ? 0 : 1;
    call->progress.tick(call, part);
}

static ig_status open_files(ig_call *call, const opening *o, ig_dataset **set)
{
    ig_settings *s = &call->settings;
    ig_reading reading = {
        .stop = &call->stop, .report = report_reading, .context = call};

    if (s->delimiter && s->delimiter[0] && s->delimiter[1])
        return ig_fail(&call->why, IG_USAGE, "delimiter: %s is more than one character",
                       s->delimiter);
    s->open.delimiter = s->delimiter ? s->delimiter[0] : '\0';
    s->open.seed = s->train.seed;
    s->open.reading = &reading;
    return ig_dataset_open(set, o->data, o->n, &s->open, &call->why);
}

/* Open the dataset and reject non-finite values. */
static ig_status work_open(ig_call *call)
{
    const opening *o = call->in;
    isogloss_dataset *out = (isogloss_dataset *)call->set;
    ig_status status;

    if (o->d && o->n > PTRDIFF_MAX / sizeof(float) / o->d)
        return ig_fail(&call->why, IG_SHAPE, "%zu × %zu vectors exceed memory", o->n,
                       o->d);
    ig_blas_init();
    status = ig_pool_new(&out->pool, call->settings.threads, &call->why);
    if (status == IG_OK)
        status = o->data ? open_files(call, o, &out->set)
                         : ig_dataset_of_rows(&out->set, "rows", o->rows, o->n, o->d,
                                              o->language, o->text, o->id, &call->why);
    if (status != IG_OK)
        return status;
    out->originals = ig_rows_of_dataset(out->set);
    return ig_dataset_check(out->set, NULL, &call->stop, &call->why);
}

static isogloss_status open_set(isogloss_dataset **out, const opening *o,
                                const isogloss_setting *list,
                                isogloss_progress *progress, void *context,
                                isogloss_error *error)
{
    isogloss_dataset *set = *out = ig_handle_new(&ig_dataset_handle, NULL);
    pthread_mutexattr_t checked;
    isogloss_status status;
    ig_error why;

    if (!set)
        return ig_call_end(ig_fail_memory(&why, "a dataset"), &why, error);
    set->progress = progress;
    set->context = context;
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&set->running, &checked);
    pthread_mutexattr_destroy(&checked);
    status =
        ig_call_run(&(ig_call){.work = work_open,
                               .handle = set,
                               .takes = o->data ? IG_SETTINGS_OPEN : IG_SETTINGS_ROWS,
                               .list = list,
                               .in = o},
                    NULL, error);
    if (status != ISOGLOSS_OK) {
        isogloss_free(set);
        *out = NULL;
    }
    return status;
}

isogloss_status isogloss_dataset_open(isogloss_dataset **set, const char *const *data,
                                      size_t n, const isogloss_setting *list,
                                      isogloss_progress *progress, void *context,
                                      isogloss_error *error)
{
    return open_set(set, &(opening){.data = data, .n = n}, list, progress, context,
                    error);
}

isogloss_status isogloss_dataset_of_rows(isogloss_dataset **set, const float *rows,
                                         size_t n, size_t d,
                                         const char *const *language,
                                         const char *const *text, const char *const *id,
                                         const isogloss_setting *list,
                                         isogloss_progress *progress, void *context,
                                         isogloss_error *error)
{
    return open_set(set, &(opening){NULL, n, d, rows, language, text, id}, list,
                    progress, context, error);
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
