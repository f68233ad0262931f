/* Handles, and calls on a dataset: one at a time from any thread, with settings by
 * name, progress and cancellation. */
#include "api/handles.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/setting.h"
#include "data/columns.h"

static_assert((int)ISOGLOSS_INTERRUPTED == (int)IG_INTERRUPTED, "one list of statuses");
static_assert(sizeof((isogloss_error *)0)->message == IG_ERROR_SIZE,
              "one size of messages");

/* --- handles ---------------------------------------------------------------------- */

bool ig_handle_is(const void *handle, const ig_handle_type *type)
{
    return handle && ((const ig_handle *)handle)->type == type;
}

ig_status ig_handle_check(const void *handle, const ig_handle_type *type, ig_error *why)
{
    if (!ig_handle_is(handle, type))
        return ig_fail(why, IG_USAGE, "no %s (NULL, freed or another handle): call %s",
                       type->name, type->made_by);
    if (((const ig_handle *)handle)->process != getpid())
        return ig_fail(why, IG_USAGE,
                       "the %s was made before a fork: call %s in this process",
                       type->name, type->made_by);
    return IG_OK;
}

void isogloss_free(void *handle)
{
    static const ig_handle_type *const types[] = {
        &ig_dataset_handle, &ig_extractor_handle, &ig_trainer_handle,
        &ig_evaluation_handle};

    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (ig_handle_check(handle, types[t], NULL) == IG_OK) {
            types[t]->clear(handle);
            ((ig_handle *)handle)->type = NULL;
            ig_free(handle);
            return;
        }
}

/* --- settings --------------------------------------------------------------------- */

#define FIELD(name, kind, member, choices)                                             \
    {                                                                                  \
        name, NULL, choices, NULL, IG_KIND_##kind, offsetof(ig_settings, member)       \
    }

enum {
    OPEN = IG_SETTINGS_OPEN,
    ROWS = IG_SETTINGS_ROWS,
    TRAIN = IG_SETTINGS_TRAIN,
    EVALUATE = IG_SETTINGS_EVALUATE
};

/* All settings but training options, with the calls that take them. */
static const struct {
    int calls;
    ig_setting field;
} settings[] = {
    {OPEN, FIELD("meta", TEXT, open.meta, NULL)},
    {OPEN, FIELD("vectors", TEXT, open.vectors, NULL)},
    {OPEN, FIELD("delimiter", TEXT, delimiter, NULL)},
    {OPEN, FIELD("lang", TEXT, open.lang, NULL)},
    {OPEN, FIELD("column", OTHER, open.column, NULL)},
    {OPEN, FIELD("dims", COUNT, open.dims, NULL)},
    {OPEN, FIELD("limit", COUNT, open.limit, NULL)},
    {OPEN, FIELD("dim", COUNT, open.raw_dim, NULL)},
    {OPEN, FIELD("type", CHOICE, open.type, "f32|f16|bf16")},
    {OPEN | ROWS, FIELD("threads", COUNT, threads, NULL)},
    {OPEN | EVALUATE, FIELD("seed", SEED, train.seed, NULL)},
    {TRAIN | EVALUATE, FIELD("pairing", TEXT, pairing, NULL)},
    {TRAIN | EVALUATE, FIELD("pairs", TEXT, pairs, NULL)},
    {TRAIN, FIELD("init", TEXT, init, NULL)},
    {EVALUATE, FIELD("scores", TEXT, scores, NULL)},
    {EVALUATE, FIELD("ci", FLAG, ci, NULL)},
    {EVALUATE, FIELD("split", CHOICE, split, "all|train|valid|holdout")},
    {EVALUATE, FIELD("sample", COUNT, sample, NULL)},
};

static ig_status read_setting(ig_call *call, const isogloss_setting *one)
{
    const ig_train_option *option =
        call->takes == IG_SETTINGS_TRAIN ? ig_train_option_named(one->key) : NULL;
    const ig_setting *field = option ? &option->field : NULL;
    void *record = option ? (void *)&call->settings.train : &call->settings;

    for (size_t i = 0; i < sizeof settings / sizeof *settings && !field; i++)
        if (settings[i].calls & (int)call->takes &&
            strcmp(settings[i].field.name, one->key) == 0)
            field = &settings[i].field;
    if (!field || !one->value)
        return ig_fail(&call->why, IG_USAGE, "%s setting '%s'; isogloss.h lists them",
                       field ? "no value of" : "unknown", one->key);
    return field->kind == IG_KIND_OTHER
               ? ig_column_take(call->settings.open.column, field->name, one->value,
                                &call->why)
               : ig_setting_parse(field, record, field->name, one->value, &call->why);
}

ig_status ig_call_pairs(ig_call *call, ig_pairs *pairs, const char *pairing,
                        bool optional)
{
    const ig_settings *s = &call->settings;
    ig_status status;

    if (s->pairs)
        return ig_pairs_read(pairs, call->set->set, s->pairs, &call->why);
    status = ig_pairs_derive(pairs, call->set->set, s->pairing ? s->pairing : pairing,
                             &call->why);
    return status == IG_VALUE && optional && !s->pairing ? IG_OK : status;
}

/* --- calls ------------------------------------------------------------------------ */

static void poll_callback(void *context, double done)
{
    enum { EACH_MS = 50 };
    ig_call *call = context;
    double now = ig_clock_now();

    if (!call->set->progress || now < call->next)
        return;
    if (call->set->progress(call->set->context, call->all <= 0     ? -1
                                                : done < call->all ? done / call->all
                                                                   : 1))
        atomic_store(&call->stop, true);
    call->next = ig_clock_now() + EACH_MS / 1e3;
}

/* Check the handles, and make the new one. */
static ig_status open_handles(ig_call *call)
{
    bool makes_set = call->makes == &ig_dataset_handle;
    ig_status status = makes_set
                           ? IG_OK
                           : ig_handle_check(call->handle,
                                             call->of ? call->of : &ig_dataset_handle,
                                             &call->why);
    pthread_mutexattr_t checked;

    if (status == IG_OK && !makes_set)
        call->set = (isogloss_dataset *)((const ig_handle *)call->handle)->set;
    if (status == IG_OK && call->extractor)
        status = ig_handle_check(call->extractor, &ig_extractor_handle, &call->why);
    if (status != IG_OK || !call->makes)
        return status;
    call->made = ig_alloc(1, call->makes->size);
    if (!call->made)
        return ig_fail_memory(&call->why, call->makes->name);
    call->set = makes_set ? call->made : call->set;
    *(ig_handle *)call->made = (ig_handle){call->makes, call->set, getpid()};
    if (makes_set) {
        call->set->progress = call->watch;
        call->set->context = call->context;
        pthread_mutexattr_init(&checked);
        pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
        pthread_mutex_init(&call->set->running, &checked);
        pthread_mutexattr_destroy(&checked);
    }
    return IG_OK;
}

ig_status ig_call_begin(ig_call *call)
{
    const isogloss_setting *one = call->list;
    ig_status status = open_handles(call);

    if (status != IG_OK)
        return status;
    if (pthread_mutex_lock(&call->set->running) != 0)
        return ig_fail(&call->why, IG_USAGE,
                       "a progress callback may not call functions of its dataset");
    call->locked = true;
    call->progress =
        (ig_progress){.stop = &call->stop, .tick = poll_callback, .context = call};
    call->settings.train = ig_train_defaults();
    poll_callback(call, 0);
    status = atomic_load(&call->stop) ? IG_INTERRUPTED : IG_OK;
    for (; one && one->key && status == IG_OK; one++)
        status = read_setting(call, one);
    return status == IG_OK && call->set->set ? ig_call_open_space(call) : status;
}

isogloss_status ig_call_end(ig_call *call, ig_status status, void *made,
                            isogloss_error *error)
{
    if (call->locked)
        pthread_mutex_unlock(&call->set->running);
    ig_arena_free(&call->arena);
    ig_extractor_free(&call->adapted);
    if (status != IG_OK) {
        isogloss_free(call->made);
        call->made = NULL;
    }
    if (made)
        memcpy(made, &call->made, sizeof call->made);
    if (status == IG_INTERRUPTED)
        ig_fail(&call->why, IG_INTERRUPTED, "cancelled by the progress callback");
    if (status != IG_OK && error) {
        error->status = (isogloss_status)status;
        memcpy(error->message, call->why.message, sizeof error->message);
    }
    return (isogloss_status)status;
}
