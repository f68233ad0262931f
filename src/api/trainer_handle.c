/* The public interface: training. */
#include "api/handles.h"

#include "core/memory.h"
#include "train/run.h"
#include "train/run_directory.h"

struct isogloss_trainer {
    const isogloss_dataset *set;
    ig_pairs pairs;
    ig_run *run;
    char *pairing; /* the run refers to it */
};

void isogloss_trainer_free(isogloss_trainer *trainer)
{
    if (!trainer)
        return;
    ig_run_delete(trainer->run);
    ig_pairs_free(&trainer->pairs);
    IG_FREE(trainer->pairing, trainer);
}

typedef struct starting {
    isogloss_trainer *trainer;
    const char *method;
    ig_api_settings settings;
} starting;

static ig_status work_start(void *context, ig_call *call, ig_error *why)
{
    const starting *in = context;
    const ig_api_settings *s = &in->settings;
    isogloss_trainer *trainer = in->trainer;
    const isogloss_dataset *set = trainer->set;
    ig_run_setup setup = {.set = set->set,
                          .pairs = &trainer->pairs,
                          .method = in->method,
                          .options = s->train,
                          .init = s->init,
                          .pool = set->pool,
                          .stop = ig_calls_stop(set->calls)};
    bool needs;
    ig_status status = ig_call_stopped(call)
                           ? IG_INTERRUPTED
                           : ig_objective_needs_pairs(in->method, &needs, why);

    if (status == IG_OK)
        status = ig_api_take_pairs(&trainer->pairs, set, s, NULL, !needs, why);
    if (status != IG_OK)
        return status;
    if (s->pairs || s->pairing) {
        trainer->pairing = ig_strdup(s->pairs ? "file" : s->pairing);
        if (!trainer->pairing)
            return ig_fail_memory(why, "a trainer");
        setup.pairing = trainer->pairing;
    }
    return ig_run_new(&trainer->run, &setup, why);
}

isogloss_status isogloss_trainer_new(isogloss_trainer **trainer,
                                     const isogloss_dataset *set, const char *method,
                                     const isogloss_setting *list,
                                     isogloss_error *error)
{
    ig_error why;
    starting in = {.method = method};
    ig_status status = ig_api_read_settings(&in.settings, list, IG_API_TRAIN, &why);

    *trainer = NULL;
    if (status != IG_OK)
        return ig_api_give(status, &why, error);
    in.trainer = ig_alloc(1, sizeof *in.trainer);
    if (in.trainer)
        in.trainer->set = set;
    status = in.trainer ? ig_calls_run(set->calls, work_start, &in, &why)
                        : ig_fail_memory(&why, "a trainer");
    if (status == IG_OK)
        *trainer = in.trainer;
    else
        isogloss_trainer_free(in.trainer);
    return ig_api_give(status, &why, error);
}

bool isogloss_trainer_is_running(const isogloss_trainer *trainer)
{
    bool entered = ig_calls_enter(trainer->set->calls, NULL) == IG_OK;
    bool running = ig_run_going(trainer->run);

    if (entered)
        ig_calls_leave(trainer->set->calls);
    return running;
}

static bool is_cancelled(void *context)
{
    return ig_call_stopped(context);
}

typedef struct stepping {
    ig_run *run;
    isogloss_epoch *epoch; /* or NULL */
} stepping;

static ig_status work_epoch(void *context, ig_call *call, ig_error *why)
{
    const stepping *step = context;
    ig_run *run = step->run;
    ig_status status = ig_run_going(run) ? ig_run_epoch(run, is_cancelled, call, why)
                                         : ig_fail(why, IG_VALUE, "training ended: %s",
                                                   ig_run_ending(run));

    if (status == IG_OK && step->epoch) {
        const ig_run_record *record = &run->record[run->records - 1];

        *step->epoch = (isogloss_epoch){
            .number = record->epoch.epoch,
            .train_loss = record->epoch.train_loss,
            .valid_loss = record->epoch.valid_loss,
            .live_alignment = record->geometry[IG_SPACE_MEANING].alignment,
            .live_uniformity = record->geometry[IG_SPACE_MEANING].uniformity,
            .best = record->epoch.best};
    }
    return status;
}

isogloss_status isogloss_trainer_epoch(isogloss_trainer *trainer, isogloss_epoch *epoch,
                                       isogloss_error *error)
{
    ig_error why;
    stepping step = {trainer->run, epoch};

    return ig_api_give(ig_calls_run(trainer->set->calls, work_epoch, &step, &why), &why,
                       error);
}

static ig_status need_epoch(const isogloss_trainer *trainer, ig_error *why)
{
    return ig_run_best(trainer->run) ? IG_OK
                                     : ig_fail(why, IG_VALUE, "no epoch was completed");
}

/* Record the part of the split of each row. */
static ig_status keep_split(isogloss_extractor *x, const isogloss_trainer *trainer,
                            ig_error *why)
{
    const ig_dataset *set = trainer->set->set;
    uint8_t *mark = ig_alloc(set->rows, 1);
    ig_status status = IG_OK;

    x->trained_on = set;
    x->part = ig_alloc(set->rows, 1);
    if (!mark || !x->part)
        status = ig_fail_memory(why, "a split");
    for (int part = IG_SPLIT_TRAIN; part <= IG_SPLIT_HOLDOUT && status == IG_OK;
         part++) {
        status = ig_split_mark(&trainer->run->split, set, &trainer->pairs,
                               (ig_split_part)part, mark, why);
        for (size_t i = 0; i < set->rows && status == IG_OK; i++)
            if (mark[i])
                x->part[i] = (uint8_t)(1 + part);
    }
    ig_free(mark);
    return status;
}

isogloss_status isogloss_trainer_best(isogloss_trainer *trainer,
                                      isogloss_extractor **extractor,
                                      isogloss_error *error)
{
    ig_error why;
    size_t epoch;
    isogloss_extractor *x = NULL;
    ig_status status = ig_calls_enter(trainer->set->calls, &why);

    *extractor = NULL;
    if (status != IG_OK)
        return ig_api_give(status, &why, error);
    status = need_epoch(trainer, &why);
    if (status == IG_OK)
        status = ig_api_copy_extractor(&x,
                                       ig_trainer_best(trainer->run->trainer, &epoch),
                                       trainer->set->set->language, &why);
    if (status == IG_OK)
        status = keep_split(x, trainer, &why);
    ig_calls_leave(trainer->set->calls);
    if (status == IG_OK)
        *extractor = x;
    else
        isogloss_extractor_free(x);
    return ig_api_give(status, &why, error);
}

typedef struct saving {
    const isogloss_trainer *trainer;
    const char *directory;
} saving;

static ig_status work_save(void *context, ig_call *call, ig_error *why)
{
    const saving *s = context;
    ig_run *run = s->trainer->run;
    ig_status status = need_epoch(s->trainer, why);

    if (status == IG_OK) {
        atomic_store(&call->all, (uint_least64_t)ig_run_finish_work(run));
        status = ig_run_finish(run, &call->progress, why);
    }
    if (status == IG_OK && ig_call_stopped(call))
        return IG_INTERRUPTED;
    return status == IG_OK ? ig_run_write(run, s->directory, why) : status;
}

isogloss_status isogloss_trainer_save(isogloss_trainer *trainer, const char *directory,
                                      isogloss_error *error)
{
    ig_error why;
    saving s = {trainer, directory};

    return ig_api_give(ig_calls_run(trainer->set->calls, work_save, &s, &why), &why,
                       error);
}
