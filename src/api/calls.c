/* Handles, and calls on a dataset: one at a time from any thread, with settings by
 * name, progress and cancellation. */
#include "api/calls.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/progress.h"
#include "core/setting.h"
#include "data/dataset.h"
#include "train/extractor.h"

static_assert((int)ISOGLOSS_INTERRUPTED == (int)IG_INTERRUPTED, "one list of statuses");
static_assert((int)ISOGLOSS_LANGUAGE == (int)IG_SPACE_LANGUAGE, "one list of spaces");
static_assert(sizeof((isogloss_error *)0)->message == IG_ERROR_SIZE,
              "one size of messages");

/* --- handles ---------------------------------------------------------------------- */

static const struct {
    const char *name, *made_by;
    size_t size;
} kinds[] = {
    [IG_DATASET_HANDLE] = {"dataset",
                           "isogloss_dataset_open or isogloss_dataset_of_rows",
                           sizeof(isogloss_dataset)},
    [IG_EXTRACTOR_HANDLE] = {"extractor",
                             "isogloss_trainer_best or isogloss_extractor_open",
                             sizeof(isogloss_extractor)},
    [IG_TRAINER_HANDLE] = {"trainer", "isogloss_trainer_new", sizeof(isogloss_trainer)},
    [IG_EVALUATION_HANDLE] = {"evaluation", "isogloss_evaluate",
                              sizeof(isogloss_evaluation)},
};

bool ig_handle_is(const void *handle, ig_handle_kind kind)
{
    return handle && ((const ig_handle *)handle)->kind == kind;
}

ig_status ig_handle_check(const void *handle, ig_handle_kind kind, ig_error *why)
{
    return ig_handle_is(handle, kind) &&
                   ((const ig_handle *)handle)->process == getpid()
               ? IG_OK
               : ig_fail(why, IG_USAGE,
                         "no %s (NULL, freed, another handle or made before a fork): "
                         "call %s",
                         kinds[kind].name, kinds[kind].made_by);
}

void isogloss_free(void *handle)
{
    isogloss_dataset *set = handle;
    isogloss_trainer *trainer = handle;
    isogloss_evaluation *e = handle;

    if (!handle || set->handle.process != getpid())
        return;
    switch (set->handle.kind) {
    case IG_NO_HANDLE:
        return;
    case IG_DATASET_HANDLE:
        ig_dataset_free(set->set);
        ig_pool_delete(set->pool);
        pthread_mutex_destroy(&set->running);
        break;
    case IG_EXTRACTOR_HANDLE:
        ig_run_info_free(&((isogloss_extractor *)handle)->info);
        break;
    case IG_TRAINER_HANDLE:
        ig_run_delete(trainer->run);
        ig_pairs_free(&trainer->pairs);
        break;
    case IG_EVALUATION_HANDLE:
        ig_evaluation_free(&e->evaluation);
        ig_subset_free(&e->subset);
        ig_scores_free(&e->scores);
    }
    set->handle.kind = IG_NO_HANDLE;
    ig_free(handle);
}

/* --- settings --------------------------------------------------------------------- */

static ig_status read_setting(ig_call *call, const isogloss_setting *one)
{
    const ig_train_option *option = call->trains ? ig_train_option_named(one->key)
                                                 : NULL;
    const ig_setting *field = option ? &option->field : call->takes;
    void *record = option ? (void *)&call->train : call;

    while (!option && field && field->name && strcmp(field->name, one->key) != 0)
        field++;
    if (!field || !field->name || !one->value)
        return ig_fail(&call->why, IG_USAGE, "%s setting '%s'; isogloss.h lists them",
                       one->value ? "unknown" : "no value of", one->key);
    if (field->kind == IG_KIND_OTHER)
        return ig_column_take(call->open.column, field->name, one->value, &call->why);
    return ig_setting_parse(field, record, field->name, one->value, &call->why);
}

ig_status ig_call_pairs(ig_call *call, ig_pairs *pairs, const char *pairing)
{
    const ig_dataset *set = call->set->set;
    ig_status status;

    if (call->pairs)
        return ig_pairs_read(pairs, set, call->pairs, &call->why);
    status = ig_pairs_derive(pairs, set, call->pairing ? call->pairing : pairing,
                             &call->why);
    return status == IG_VALUE && !call->pairing ? IG_OK : status;
}

/* --- spaces ----------------------------------------------------------------------- */

ig_status ig_space_check(const ig_dataset *set, const isogloss_extractor *extractor,
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

static ig_status open_space(ig_call *call)
{
    const ig_dataset *set = call->set->set;
    ig_space space = (ig_space)call->space;
    ig_status status = ig_space_check(set, call->extractor, call->space, &call->why);
    const ig_extractor *x;
    size_t unknown = 0;

    call->source.rows = call->set->originals;
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
    call->computed = (ig_space_rows){x, space, &call->set->originals, set->lang};
    call->source.rows = ig_rows_of_space(&call->computed);
    call->source.image = ig_extractor_image(x, space, &call->set->originals);
    return status;
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

ig_status ig_call_begin(ig_call *call)
{
    const ig_handle *handle = call->handle;
    ig_status status =
        ig_handle_check(handle, call->of ? call->of : IG_DATASET_HANDLE, &call->why);

    if (status == IG_OK && call->extractor)
        status = ig_handle_check(call->extractor, IG_EXTRACTOR_HANDLE, &call->why);
    if (status != IG_OK)
        return status;
    call->set = handle->set;
    if (call->makes) {
        call->made = ig_alloc(1, kinds[call->makes].size);
        if (!call->made)
            return ig_fail_memory(&call->why, kinds[call->makes].name);
        *(ig_handle *)call->made = (ig_handle){call->makes, call->set, getpid()};
    }
    if (pthread_mutex_lock(&call->set->running) != 0)
        return ig_fail(&call->why, IG_USAGE,
                       "a progress callback may not call functions of its dataset");
    call->locked = true;
    call->progress =
        (ig_progress){.stop = &call->stop, .tick = poll_callback, .context = call};
    call->train = ig_train_defaults();
    poll_callback(call, 0);
    status = atomic_load(&call->stop) ? IG_INTERRUPTED : IG_OK;
    for (const isogloss_setting *s = call->list; s && s->key && status == IG_OK; s++)
        status = read_setting(call, s);
    return status == IG_OK && call->set->set ? open_space(call) : status;
}

ig_status ig_call_check_size(ig_call *call, size_t n, size_t each)
{
    return each && n > PTRDIFF_MAX / sizeof(isogloss_neighbour) / each
               ? ig_fail(&call->why, IG_SHAPE, "%zu × %zu numbers exceed memory", n,
                         each)
               : IG_OK;
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
