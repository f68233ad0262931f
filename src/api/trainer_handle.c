/* The public interface: extractors and training. */
#include "api/handles.h"

#include <string.h>

#include "core/memory.h"
#include "train/run.h"

static void clear_extractor(void *handle)
{
    ig_run_info_free(&((isogloss_extractor *)handle)->info);
}

const ig_handle_type ig_extractor_handle = {
    "extractor", "isogloss_trainer_best or isogloss_extractor_open",
    sizeof(isogloss_extractor), clear_extractor};

isogloss_status isogloss_extractor_open(isogloss_extractor **extractor,
                                        const isogloss_dataset *set,
                                        const char *directory, isogloss_error *error)
{
    ig_call call = {.handle = set, .makes = &ig_extractor_handle};
    ig_status status = ig_call_begin(&call);
    isogloss_extractor *x = call.made;

    if (status == IG_OK) {
        status = ig_run_read(&x->info, directory, set->set, IG_READ_OWN, -1, &call.why);
        x->language = x->info.languages.text;
    }
    return ig_call_end(&call, status, extractor, error);
}

/* --- training --------------------------------------------------------------------- */

struct isogloss_trainer {
    ig_handle handle;
    ig_pairs pairs;
    ig_run *run;
    char *pairing; /* the run refers to it */
    atomic_bool running;
};

static void clear_trainer(void *handle)
{
    isogloss_trainer *trainer = handle;

    ig_run_delete(trainer->run);
    ig_pairs_free(&trainer->pairs);
    ig_free(trainer->pairing);
}

const ig_handle_type ig_trainer_handle = {"trainer", "isogloss_trainer_new",
                                          sizeof(isogloss_trainer), clear_trainer};

isogloss_status isogloss_trainer_new(isogloss_trainer **trainer,
                                     const isogloss_dataset *set, const char *method,
                                     const isogloss_setting *list,
                                     isogloss_error *error)
{
    ig_call call = {.handle = set,
                    .makes = &ig_trainer_handle,
                    .takes = IG_SETTINGS_TRAIN,
                    .list = list};
    const ig_settings *s = &call.settings;
    ig_status status = ig_call_begin(&call);
    isogloss_trainer *t = call.made;
    bool needs;

    if (status == IG_OK)
        status = ig_objective_needs_pairs(method, &needs, &call.why);
    if (status == IG_OK)
        status = ig_call_pairs(&call, &t->pairs, NULL, !needs);
    if (status == IG_OK && (s->pairs || s->pairing)) {
        t->pairing = ig_strdup(s->pairs ? "file" : s->pairing);
        if (!t->pairing)
            status = ig_fail_memory(&call.why, "a trainer");
    }
    if (status == IG_OK)
        status = ig_run_new(&t->run,
                            &(ig_run_setup){.set = set->set,
                                            .pairs = &t->pairs,
                                            .method = method,
                                            .options = s->train,
                                            .pairing = t->pairing,
                                            .init = s->init,
                                            .pool = set->pool},
                            &call.why);
    if (status == IG_OK)
        atomic_store(&t->running, t->run->going);
    return ig_call_end(&call, status, trainer, error);
}

bool isogloss_trainer_is_running(const isogloss_trainer *trainer)
{
    return ig_handle_is(trainer, &ig_trainer_handle) && atomic_load(&trainer->running);
}

static bool is_cancelled(void *context)
{
    ig_progress_add(context, 0, 0);
    return ig_progress_cancelled(context);
}

isogloss_status isogloss_trainer_epoch(isogloss_trainer *t, isogloss_epoch *epoch,
                                       isogloss_error *error)
{
    ig_call call = {.handle = t, .of = &ig_trainer_handle};
    ig_status status = ig_call_begin(&call);

    if (status == IG_OK) {
        status = t->run->going
                     ? ig_run_epoch(t->run, is_cancelled, &call.progress, &call.why)
                     : ig_fail(&call.why, IG_VALUE, "training ended: %s",
                               t->run->info.ending);
        atomic_store(&t->running, t->run->going);
    }
    if (status == IG_OK && epoch) {
        const ig_run_record *record = &t->run->info.record[t->run->info.records - 1];

        *epoch = (isogloss_epoch){
            .number = record->epoch.epoch,
            .train_loss = record->epoch.train_loss,
            .valid_loss = record->epoch.valid_loss,
            .live_alignment = record->geometry[IG_SPACE_MEANING].alignment,
            .live_uniformity = record->geometry[IG_SPACE_MEANING].uniformity,
            .best = record->epoch.best};
    }
    return ig_call_end(&call, status, NULL, error);
}

/* Begin a call on the best extractor of a trainer. */
static ig_status begin_best(ig_call *call, const isogloss_trainer *t)
{
    ig_status status = ig_call_begin(call);

    return status == IG_OK && !ig_run_best(t->run)
               ? ig_fail(&call->why, IG_VALUE, "no epoch was completed")
               : status;
}

isogloss_status isogloss_trainer_best(isogloss_trainer *t,
                                      isogloss_extractor **extractor,
                                      isogloss_error *error)
{
    ig_call call = {
        .handle = t, .of = &ig_trainer_handle, .makes = &ig_extractor_handle};
    ig_status status = begin_best(&call, t);
    isogloss_extractor *x = call.made;

    if (status == IG_OK) { /* with what the split is recomputed from */
        const ig_run_info *of = &t->run->info;
        ig_run_info *info = &x->info;

        *info = (ig_run_info){.path = "of the trainer",
                              .data = call.set->set->name,
                              .options = of->options,
                              .checksum = of->checksum,
                              .pairs_checksum = of->pairs_checksum,
                              .pairs = of->pairs,
                              .train_pairs = of->train_pairs,
                              .valid_pairs = of->valid_pairs,
                              .holdout_pairs = of->holdout_pairs};
        info->pairing = ig_arena_text(&info->arena, of->pairing, strlen(of->pairing));
        x->language = call.set->set->language;
        status = info->pairing
                     ? ig_extractor_copy(&info->weights, of->extractor, &call.why)
                     : ig_fail_memory(&call.why, "an extractor");
        info->extractor = &info->weights;
    }
    return ig_call_end(&call, status, extractor, error);
}

isogloss_status isogloss_trainer_save(isogloss_trainer *t, const char *directory,
                                      isogloss_error *error)
{
    ig_call call = {.handle = t, .of = &ig_trainer_handle};
    ig_status status = begin_best(&call, t);

    if (status == IG_OK)
        status = ig_run_write(t->run, directory, &call.why);
    return ig_call_end(&call, status, NULL, error);
}
