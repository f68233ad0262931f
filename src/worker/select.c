/* Which run is shown, and what else is asked of runs by their numbers. */
#include <stdio.h>
#include <string.h>

#include "report/document.h"
#include "runs/past.h"
#include "worker/kept.h"
#include "worker/worker.h"

static bool is_newest(const ig_session *s, unsigned number)
{
    return s->run && number == s->run_number;
}

ig_run *ig_worker_viewed(ig_session *s)
{
    ig_kept *k = ig_kept_find(s, s->shown_run);

    return is_newest(s, s->shown_run) ? s->run : k ? k->run : NULL;
}

bool ig_worker_follows(const ig_session *s)
{
    return !s->looking && is_newest(s, s->shown_run);
}

bool ig_worker_weights(ig_session *s, unsigned number, bool *looking, ig_extractor *x,
                       size_t *epoch)
{
    ig_kept *k = ig_kept_find(s, number);
    const ig_run *run = is_newest(s, number) ? s->run : k ? k->run : NULL;
    bool going = run && run == s->run && ig_worker_training(s);
    const float *past;

    if (k && k->stored) {
        *looking = false;
        *x = k->stored->model.extractor;
        *epoch = k->stored->best;
        return k->stored->has_weights;
    }
    if (!run || !run->records)
        return false;
    *x = *ig_trainer_extractor(run->trainer);
    past = *looking ? ig_past_find(run->past, epoch) : NULL;
    *looking = past != NULL;
    if (!past && !going) {
        *x = *ig_trainer_best(run->trainer, epoch);
    } else {
        /* The trainer's own may stand amid an epoch. */
        *epoch = past ? *epoch : run->records - 1;
        past = past ? past : ig_past_find(run->past, epoch);
        x->weights = past ? (float *)past : x->weights;
    }
    return true;
}

void ig_worker_show_run(ig_session *s)
{
    size_t epoch = s->now.epoch;
    ig_extractor x;

    if (!ig_worker_weights(s, s->shown_run, &s->looking, &x, &epoch))
        return;
    if (ig_worker_show(s, &x, epoch))
        s->shown_of = s->shown_run;
    else
        ig_worker_tell(s, true, "out of memory for the weights shown");
}

/* A run that can be shown: the newest, or one with weights. */
static bool can_show(ig_session *s, unsigned number)
{
    const ig_kept *k = ig_kept_find(s, number);

    return is_newest(s, number) || (k && (k->run || k->stored->has_weights));
}

/* What is shown when nothing is chosen: the newest that can be. */
static unsigned newest(ig_session *s)
{
    if (s->run)
        return s->run_number;
    for (size_t i = s->kepts; i-- > 0;)
        if (can_show(s, s->kept[i].number))
            return s->kept[i].number;
    return 0;
}

void ig_worker_select(ig_session *s)
{
    unsigned number = can_show(s, s->now.show) ? s->now.show : newest(s);

    if (number == s->shown_run)
        return;
    s->shown_run = number;
    s->looking = false;
    if (number)
        ig_worker_show_run(s);
    else
        s->shown_serial = 0;
    s->quiet_until = 0;
    s->dirty = true;
}

void ig_worker_load(ig_session *s, const char *path)
{
    ig_error error;

    if (ig_kept_load(s, path, false, &error) != IG_OK)
        ig_worker_tell(s, true, "%s", error.message);
    else
        ig_worker_tell(s, false, "run %u read from %s", s->numbers, path);
}

void ig_worker_drop(ig_session *s, unsigned number)
{
    if (is_newest(s, number)) {
        ig_run_delete(s->run);
        s->run = NULL;
    } else if (ig_kept_find(s, number)) {
        ig_kept_remove(s, number);
    } else {
        return;
    }
    ig_worker_tell(s, false, "run %u deleted", number);
}

static void save_run(ig_session *s, unsigned number, const char *path)
{
    ig_kept *k = ig_kept_find(s, number);
    const ig_run *run = k ? k->run : s->run;
    ig_error error;

    if (k && k->stored) {
        ig_worker_tell(s, true, "run %u was read from %s", number, k->stored->path);
    } else if (!run || run->records < 2) {
        ig_worker_tell(s, true, "there is no trained run to write yet");
    } else if (ig_run_write(run, path, &error) != IG_OK) {
        ig_worker_tell(s, true, "%s", error.message);
    } else {
        *(k ? &k->saved : &s->saved) = true;
        ig_worker_tell(s, false, "run written to %s", path);
    }
}

void ig_worker_save(ig_session *s, unsigned number, const char *path)
{
    if (ig_report_writes(path)) {
        ig_worker_report(s, path);
        return;
    }
    save_run(s, number, path);
}
