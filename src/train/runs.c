/* The run list. */
#include "train/runs.h"

#include <string.h>

#include "core/array.h"

bool ig_run_entry_going(const ig_run_entry *entry)
{
    return entry->run && !entry->stopped && entry->run->going;
}

bool ig_run_entry_saved(const ig_run_entry *entry)
{
    return entry->saved || !entry->run || entry->info->records < 2;
}

const char *ig_run_entry_ending(const ig_run_entry *entry)
{
    return ig_run_entry_going(entry) ? ""
           : entry->stopped          ? "stopped by hand"
                                     : entry->info->ending;
}

bool ig_run_entry_weights(const ig_run_entry *entry, bool *looking, ig_extractor *x,
                          size_t *epoch)
{
    const ig_run_info *info = entry->info;
    const ig_run *run = entry->run;
    const float *past = NULL;

    if (!info->extractor || (run && !info->records))
        return false;
    if (run && *looking)
        past = ig_history_find(&run->history, epoch);
    *looking = past != NULL;
    *x = *info->extractor;
    if (!past && !ig_run_entry_going(entry)) {
        *epoch = info->best;
        return true;
    }
    if (!past) { /* the trainer's weights may be mid-epoch */
        *epoch = info->records - 1;
        past = ig_history_find(&run->history, epoch);
    }
    x->weights = past ? (float *)past : run->trainer->now.weights;
    return true;
}

const uint8_t *ig_run_entry_held_out(ig_run_entry *entry, const ig_dataset *set,
                                     const ig_pairs *given)
{
    const ig_run_info *info = entry->info;
    ig_split_part part = info->holdout_pairs ? IG_SPLIT_HOLDOUT : IG_SPLIT_VALID;
    uint8_t *mark;

    if (entry->run)
        return info->valid_pairs || info->holdout_pairs ? entry->run->split.held_out
                                                        : NULL;
    if (entry->split_tried)
        return entry->held_out;
    entry->split_tried = true;
    mark = ig_alloc(set->rows, 1);
    if (mark && ig_run_read_split(info, set, given, part, mark, NULL) == IG_OK)
        entry->held_out = mark;
    else
        ig_free(mark);
    return entry->held_out;
}

void ig_run_entry_replace(ig_run_entry *entry, ig_run_info *info)
{
    if (!entry->run && entry->info) {
        ig_run_info_free(entry->info);
        ig_free(entry->info);
    }
    ig_free(entry->held_out);
    entry->held_out = NULL;
    entry->split_tried = false;
    entry->info = info;
}

/* --- the list --------------------------------------------------------------------- */

void ig_runs_free(ig_runs *runs)
{
    while (runs->count)
        ig_runs_remove(runs, runs->entry[runs->count - 1]);
    ig_free(runs->entry);
    *runs = (ig_runs){0};
}

ig_run_entry *ig_runs_add(ig_runs *runs, ig_run *run, ig_run_info *info)
{
    ig_run_entry *entry = ig_alloc(1, sizeof *entry);

    if (!entry || ig_array_grow(&runs->entry, &runs->capacity, runs->count + 1,
                                sizeof entry, "a run", NULL) != IG_OK) {
        ig_free(entry);
        return NULL;
    }
    *entry = (ig_run_entry){.number = ++runs->numbers,
                            .run = run,
                            .info = run ? &run->info : info,
                            .saved = !run};
    runs->entry[runs->count++] = entry;
    return entry;
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
    ig_run_entry_replace(entry, NULL);
    ig_run_delete(entry->run);
    IG_FREE(entry->path, entry);
}

void ig_runs_thin(ig_runs *runs, size_t bytes)
{
    size_t held = 0;

    for (size_t i = runs->count; i-- > 0;) {
        ig_run *run = runs->entry[i]->run;

        if (!run)
            continue;
        held += run->history.count * run->history.size * sizeof(float);
        if (held > bytes)
            ig_history_free(&run->history);
    }
}
