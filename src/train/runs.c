/* The run list. */
#include "train/runs.h"

#include <string.h>

#include "core/array.h"
#include "train/run.h"

/* --- curves ----------------------------------------------------------------------- */

void ig_run_curves_release(ig_run_curves *curves)
{
    if (curves && atomic_fetch_sub(&curves->users, 1) == 1)
        ig_free(curves);
}

static ig_run_curves *make_curves(const ig_run_record *record, size_t records)
{
    ig_run_curves *curves =
        ig_alloc(1, sizeof *curves + records * sizeof curves->value[0]);

    if (!curves)
        return NULL;
    atomic_init(&curves->users, 1);
    curves->records = records;
    for (size_t i = 0; i < records; i++) {
        const ig_geometry *meaning = &record[i].geometry[IG_SPACE_MEANING];

        curves->value[i][IG_CURVE_TRAIN] = record[i].epoch.train_loss;
        curves->value[i][IG_CURVE_VALID] = record[i].epoch.valid_loss;
        curves->value[i][IG_CURVE_ALIGNMENT] = meaning->alignment;
        curves->value[i][IG_CURVE_UNIFORMITY] = meaning->uniformity;
    }
    return curves;
}

/* --- entries ---------------------------------------------------------------------- */

ig_run_summary ig_run_summarise(const ig_run *run, const ig_stored *stored)
{
    ig_run_summary s;

    if (!run)
        return (ig_run_summary){
            .method = stored->method,
            .ending = stored->ending,
            .options = &stored->options,
            .dims = stored->dims,
            .record = stored->record,
            .records = stored->records,
            .best = stored->best,
            .extractor = stored->has_weights ? &stored->model.extractor : NULL};
    s = (ig_run_summary){.method = run->objective.name,
                         .ending = ig_run_ending(run),
                         .options = &run->options,
                         .dims = run->setup.set->dims,
                         .record = run->record,
                         .records = run->records};
    s.extractor = &run->trainer->best;
    s.best = run->trainer->best_epoch;
    return s;
}

bool ig_run_entry_going(const ig_run_entry *entry)
{
    return entry->run && !entry->stopped && ig_run_going(entry->run);
}

bool ig_run_entry_saved(const ig_run_entry *entry)
{
    return entry->saved || !entry->run || entry->run->records < 2;
}

bool ig_run_entry_weights(const ig_run_entry *entry, bool *looking, ig_extractor *x,
                          size_t *epoch)
{
    const ig_run *run = entry->run;
    const float *past;

    if (!run) {
        *looking = false;
        *x = entry->stored->model.extractor;
        *epoch = entry->stored->best;
        return entry->stored->has_weights;
    }
    if (!run->records)
        return false;
    *x = run->trainer->now;
    past = *looking ? ig_history_find(run->history, epoch) : NULL;
    *looking = past != NULL;
    if (!past && !ig_run_entry_going(entry)) {
        *x = run->trainer->best;
        *epoch = run->trainer->best_epoch;
        return true;
    }
    if (!past) { /* the trainer's weights may be mid-epoch */
        *epoch = run->records - 1;
        past = ig_history_find(run->history, epoch);
    }
    x->weights = past ? (float *)past : x->weights;
    return true;
}

const ig_run_curves *ig_run_entry_curves(ig_run_entry *entry)
{
    ig_run_summary s = ig_run_summarise(entry->run, entry->stored);

    if (!entry->curves || entry->curves->records != s.records) {
        ig_run_curves_release(entry->curves);
        entry->curves = make_curves(s.record, s.records);
    }
    if (entry->curves)
        atomic_fetch_add(&entry->curves->users, 1);
    return entry->curves;
}

const uint8_t *ig_run_entry_held_out(ig_run_entry *entry, const ig_dataset *set,
                                     const ig_pairs *given)
{
    if (entry->run) {
        const ig_split *split = &entry->run->split;

        return split->valid || split->holdout ? split->held_out : NULL;
    }
    if (entry->split_tried)
        return entry->held_out;
    entry->split_tried = true;
    entry->held_out = ig_alloc(set->rows, 1);
    if (entry->held_out &&
        ig_stored_split(entry->stored, set, given,
                        entry->stored->holdout_pairs ? IG_SPLIT_HOLDOUT
                                                     : IG_SPLIT_VALID,
                        entry->held_out, NULL) != IG_OK) {
        ig_free(entry->held_out);
        entry->held_out = NULL;
    }
    return entry->held_out;
}

static void delete_entry(ig_run_entry *entry)
{
    ig_run_delete(entry->run);
    if (entry->stored)
        ig_stored_free(entry->stored);
    ig_free(entry->stored);
    ig_run_curves_release(entry->curves);
    IG_FREE(entry->held_out, entry->path, entry);
}

/* --- the list --------------------------------------------------------------------- */

void ig_runs_free(ig_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        delete_entry(runs->entry[i]);
    ig_free(runs->entry);
    *runs = (ig_runs){0};
}

ig_run_entry *ig_runs_add(ig_runs *runs, ig_run *run, ig_stored *stored)
{
    ig_run_entry *entry;

    if (runs->count == runs->capacity &&
        ig_array_grow(&runs->entry, &runs->capacity, runs->count + 1,
                      sizeof *runs->entry, "a run", NULL) != IG_OK)
        return NULL;
    entry = ig_alloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    entry->number = ++runs->numbers;
    entry->run = run;
    entry->stored = stored;
    entry->saved = stored != NULL;
    runs->entry[runs->count++] = entry;
    return entry;
}

ig_status ig_runs_load(ig_runs *runs, const char *path, const ig_dataset *set,
                       bool any_dims, ig_error *error)
{
    ig_stored *stored = ig_alloc(1, sizeof *stored);
    ig_status status = stored ? ig_stored_read(stored, path, set, any_dims, error)
                              : ig_fail_memory(error, "a run");

    if (status == IG_OK && !ig_runs_add(runs, NULL, stored)) {
        ig_stored_free(stored);
        status = ig_fail_memory(error, "a run");
    }
    if (status != IG_OK)
        ig_free(stored);
    return status;
}

ig_run_entry *ig_runs_find(const ig_runs *runs, unsigned number)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->entry[i]->number == number)
            return runs->entry[i];
    return NULL;
}

void ig_runs_remove(ig_runs *runs, ig_run_entry *entry)
{
    size_t i = 0;

    while (runs->entry[i] != entry)
        i++;
    memmove(&runs->entry[i], &runs->entry[i + 1],
            (runs->count - i - 1) * sizeof *runs->entry);
    runs->count--;
    delete_entry(entry);
}

void ig_runs_thin(ig_runs *runs, size_t bytes)
{
    size_t held = 0;

    for (size_t i = runs->count; i-- > 0;) {
        const ig_run *run = runs->entry[i]->run;

        if (!run || !run->history)
            continue;
        held += run->history->count * run->history->size * sizeof(float);
        if (held > bytes)
            ig_history_free(run->history);
    }
}
