/* The public interface: datasets. */
#include "api/call_settings.h"

#include <string.h>

#include "base/memory.h"
#include "linear/blas.h"

void isogloss_set_free(isogloss_set *set)
{
    if (!set)
        return;
    ig_set_free(set->set);
    ig_pool_delete(set->pool);
    ig_calls_delete(set->calls);
    ig_free(set);
}

/* A set that is being opened: by files, or over rows. */
typedef struct opening {
    isogloss_set *set;
    ig_api_settings settings;
    const char *const *data;
    size_t n, d;
    const float *rows;
    const char *const *language, *const *text, *const *id;
    ig_call *call;
} opening;

static void tell_reading(void *context, const char *doing, const char *file,
                         double part)
{
    ig_call *call = context;
    enum { PARTS = 1000 };

    (void)doing;
    (void)file;
    atomic_store(&call->all, part < 0 ? 0 : PARTS);
    atomic_store(&call->watch.done, part < 0 ? 0 : (uint_least64_t)(part * PARTS));
}

static ig_status open_files(opening *o, ig_error *why)
{
    const ig_api_settings *s = &o->settings;
    ig_reading reading = {
        .stop = o->call->watch.stop, .tell = tell_reading, .context = o->call};
    ig_set_options options = {.meta = s->meta,
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
    return ig_set_open(&o->set->set, o->data, o->n, &options, why);
}

/* Open it; every value must be finite. */
static ig_status work_open(void *context, ig_call *call, ig_error *why)
{
    opening *o = context;
    isogloss_set *set = o->set;
    ig_status status;

    o->call = call;
    status = o->data ? open_files(o, why)
                     : ig_set_of_rows(&set->set, "rows", o->rows, o->n, o->d,
                                      o->language, o->text, o->id, why);
    if (status != IG_OK)
        return status;
    atomic_store(&call->all, 0);
    set->originals = ig_rows_of_set(set->set);
    return ig_set_check(set->set, NULL, call->watch.stop, why);
}

static isogloss_status open_set(isogloss_set **out, opening *o, const ig_setting *field,
                                const isogloss_setting *list,
                                isogloss_progress *progress, void *context,
                                isogloss_error *error)
{
    ig_error why;
    ig_status status = ig_api_read_settings(&o->settings, list, field, false, &why);
    const char *delimiter = o->settings.delimiter;

    *out = NULL;
    if (status == IG_OK && delimiter && delimiter[0] && delimiter[1])
        status = ig_fail(&why, IG_USAGE, "delimiter: %s is more than one character",
                         delimiter);
    if (status == IG_OK && o->d && o->n > PTRDIFF_MAX / sizeof(float) / o->d)
        status = ig_fail(&why, IG_SHAPE, "%zu × %zu vectors are more than memory holds",
                         o->n, o->d);
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
        isogloss_set_free(o->set);
    return ig_api_give(status, &why, error);
}

isogloss_status isogloss_set_open(isogloss_set **set, const char *const *data, size_t n,
                                  const isogloss_setting *list,
                                  isogloss_progress *progress, void *context,
                                  isogloss_error *error)
{
    opening o = {.data = data, .n = n};

    return open_set(set, &o, IG_API_SET_FIELDS, list, progress, context, error);
}

isogloss_status isogloss_set_of_rows(isogloss_set **set, const float *rows, size_t n,
                                     size_t d, const char *const *language,
                                     const char *const *text, const char *const *id,
                                     const isogloss_setting *list,
                                     isogloss_progress *progress, void *context,
                                     isogloss_error *error)
{
    opening o = {
        .rows = rows, .n = n, .d = d, .language = language, .text = text, .id = id};

    return open_set(set, &o, IG_API_THREAD_FIELDS, list, progress, context, error);
}

size_t isogloss_set_rows(const isogloss_set *set)
{
    return set->set->rows;
}

size_t isogloss_set_dims(const isogloss_set *set)
{
    return set->set->dims;
}

const char *isogloss_set_language(const isogloss_set *set, size_t row)
{
    return set->set->language[set->set->lang[row]];
}

const char *isogloss_set_text(const isogloss_set *set, size_t row)
{
    return set->set->text[row];
}

const char *isogloss_set_id(const isogloss_set *set, size_t row)
{
    uint32_t id = set->set->has_ids ? set->set->id[row] : IG_NO_ID;

    return id == IG_NO_ID ? NULL : set->set->id_name[id];
}
