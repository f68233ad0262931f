/* What is drawn: the runs, the run shown, and the newest results. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "explorer/session.h"
#include "report/document.h"

ig_activity ig_session_activity(const ig_session *s, const ig_run_entry *entry)
{
    const ig_following *f = &s->following;

    if (!entry)
        return IG_IDLE;
    if (entry->run && entry->run->failed)
        return IG_FAILED;
    if (f->number == entry->number && !f->over)
        return IG_FOLLOWED;
    if (entry != s->newest || !ig_run_entry_going(entry))
        return IG_FINISHED;
    return ig_session_training(s) ? IG_TRAINING : IG_PAUSED;
}

static void describe_runs(ig_session *s)
{
    static const ig_run_info none = {.method = "", .ending = ""};
    static const ig_history no_history = {0};
    const ig_run_entry *entry = ig_runs_find(&s->runs, s->shown_run);
    const ig_run_info *of = s->info = entry ? entry->info : &none;

    s->trained = entry ? entry->run : NULL;
    s->busy = ig_session_going(s);
    s->activity = ig_session_activity(s, entry);
    s->run = s->trained && entry == s->newest ? entry->number : 0;
    s->extractor = s->trained      ? s->trained->objective.extractor
                   : of->extractor ? of->extractor->kind
                                   : IG_IDENTITY;
    s->history = s->trained ? &s->trained->history : &no_history;
    s->unsaved = s->edits = 0;
    for (size_t i = 0; i < s->runs.count; i++)
        s->unsaved += !ig_run_entry_saved(s->runs.entry[i]);
    for (size_t i = 0; s->trained && i < of->records; i++)
        if (of->record[i].epoch.changed &&
            ig_array_grow(&s->edit, &s->edits_room, s->edits + 1, sizeof *s->edit,
                          "the edits", NULL) == IG_OK)
            s->edit[s->edits++] = i;
}

/* --- results ---------------------------------------------------------------------- */

double ig_session_progress(const ig_session *s, ig_result_id product)
{
    const ig_job *job = s->result[product].job;

    return job ? atomic_load(&job->permille) / 1000.0 : 0;
}

/* Of the view compared nothing is shown that was made for another. */
static void describe_results(ig_session *s)
{
    const ig_map *map = s->result[IG_PRODUCT_MAP_COMPARED].value;
    const ig_neighbours *near = s->result[IG_PRODUCT_NEIGHBOURS_COMPARED].value;
    const ig_shown_evaluation *e = s->result[IG_PRODUCT_EVALUATION_COMPARED].value;
    const ig_shown *other = s->other.shown;
    const ig_job *measures = s->result[IG_PRODUCT_EVALUATION].job;

    s->map = s->result[IG_PRODUCT_MAP].value;
    s->neighbours = s->result[IG_PRODUCT_NEIGHBOURS].value;
    s->evaluation = s->result[IG_PRODUCT_EVALUATION].value;
    s->compared_map = s->compares && map && map->run == other->run &&
                              map->version == other->version
                          ? map
                          : NULL;
    s->compared_neighbours = s->compares && near && near->run == other->run &&
                                     near->version == other->version
                                 ? near
                                 : NULL;
    s->compared_evaluation =
        s->compares && e && e->run == other->run && e->version == other->version ? e
                                                                                 : NULL;
    s->reporting = s->result[IG_PRODUCT_ORDER].job &&
                   s->order->command.kind == IG_COMMAND_SAVE &&
                   ig_report_writes(s->order->command.path);
    /* During training samples are measured repeatedly; only the first, which may take
     * long with many languages, counts as measuring. */
    s->measuring = s->reporting || (measures && (measures->cause != IG_CAUSE_FOLLOW ||
                                                 !s->busy || !s->evaluation));
    s->measured_part =
        ig_session_progress(s, s->reporting ? IG_PRODUCT_ORDER : IG_PRODUCT_EVALUATION);
}

void ig_session_describe(ig_session *s)
{
    ig_activity before = s->activity;

    describe_runs(s);
    describe_results(s);
    s->jobs.changed |= s->activity != before;
    if (s->typed_sentences.queued != s->queued)
        s->jobs.changed = s->jobs.at_once = true;
    s->queued = s->typed_sentences.queued;
}

const char *ig_session_waits(const ig_session *s, ig_result_id product,
                             const char *meanwhile)
{
    return *s->result[product].failure ? s->result[product].failure : meanwhile;
}
