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
    ig_snapshot *now = &s->now;
    const ig_run_entry *entry = ig_runs_find(&s->runs, now->shown_run);
    const ig_run_info *of = now->info = entry ? entry->info : &none;

    now->runs = &s->runs;
    now->trained = entry ? entry->run : NULL;
    now->busy = ig_session_going(s);
    now->activity = ig_session_activity(s, entry);
    now->run = now->trained && entry == s->newest ? entry->number : 0;
    now->extractor = now->trained    ? now->trained->objective.extractor
                     : of->extractor ? of->extractor->kind
                                     : IG_IDENTITY;
    now->history = now->trained ? &now->trained->history : &no_history;
    now->unsaved = now->edits = 0;
    for (size_t i = 0; i < s->runs.count; i++)
        now->unsaved += !ig_run_entry_saved(s->runs.entry[i]);
    for (size_t i = 0; now->trained && i < of->records; i++)
        if (of->record[i].epoch.changed &&
            ig_array_grow(&now->edit, &now->edits_room, now->edits + 1,
                          sizeof *now->edit, "the edits", NULL) == IG_OK)
            now->edit[now->edits++] = i;
}

/* --- results ---------------------------------------------------------------------- */

static void describe_results(const ig_session *s, ig_snapshot *now)
{
    const ig_view_state *o = &s->other;
    const ig_map *map = s->result[IG_PRODUCT_MAP_COMPARED].value;
    const ig_neighbours *near = s->result[IG_PRODUCT_NEIGHBOURS_COMPARED].value;
    const ig_shown_evaluation *e = s->result[IG_PRODUCT_EVALUATION_COMPARED].value;
    unsigned run = o->shown->run;
    size_t version = o->shown->version;
    const ig_job *measures = s->result[IG_PRODUCT_EVALUATION].job;
    const ig_job *order = s->result[IG_PRODUCT_ORDER].job;

    now->map = s->result[IG_PRODUCT_MAP].value;
    now->neighbours = s->result[IG_PRODUCT_NEIGHBOURS].value;
    now->evaluation = s->result[IG_PRODUCT_EVALUATION].value;
    now->compared_map =
        now->compares && map && map->run == run && map->version == version ? map : NULL;
    now->compared_neighbours =
        now->compares && near && near->run == run && near->version == version ? near
                                                                              : NULL;
    now->compared_evaluation =
        now->compares && e && e->run == run && e->version == version ? e : NULL;
    now->compared_version = version;
    now->version_figures = s->versions > 1 ? s->figures : NULL;
    now->version_part = ig_job_progress(s->result[IG_PRODUCT_VERSIONS].job);
    now->map_part = ig_job_progress(s->result[IG_PRODUCT_MAP].job);
    now->reporting = order && s->order->command.kind == IG_COMMAND_SAVE &&
                     ig_report_writes(s->order->command.path);
    /* During training samples are measured repeatedly; only the first, which may take
     * long with many languages, counts as measuring. */
    now->measuring = now->reporting ||
                     (measures && (measures->cause != IG_CAUSE_FOLLOW || !now->busy ||
                                   !now->evaluation));
    now->measured_part = ig_job_progress(now->reporting ? order : measures);
}

void ig_session_describe(ig_session *s)
{
    ig_snapshot *now = &s->now;
    ig_activity before = now->activity;
    size_t asking = now->asking;

    now->version = s->version;
    now->versions = s->versions;
    describe_runs(s);
    now->shown = s->main.shown->epoch;
    now->has_spaces = s->main.shown->weights;
    now->typed_sentences = s->typed_sentences.list.count;
    now->typed_sentence = s->typed_sentences.list.typed_sentence;
    now->asking = s->typed_sentences.queued;
    describe_results(s, now);
    s->jobs.changed |= now->activity != before;
    if (now->asking != asking)
        s->jobs.changed = s->jobs.at_once = true;
}

/* --- freeing ---------------------------------------------------------------------- */

void ig_map_free(void *value)
{
    ig_map *map = value;

    if (map)
        IG_FREE(map->row, map->island, map->xy[0], map->typed_sentence, map);
}

ig_shared_evaluation *ig_shared_evaluation_use(ig_shared_evaluation *e)
{
    if (e)
        atomic_fetch_add(&e->users, 1);
    return e;
}

void ig_shared_evaluation_release(ig_shared_evaluation *e)
{
    if (!e || atomic_fetch_sub(&e->users, 1) > 1)
        return;
    ig_evaluation_free(&e->evaluation);
    ig_free(e);
}

void ig_shown_evaluation_release(void *value)
{
    ig_shown_evaluation *f = value;

    if (!f || atomic_fetch_sub(&f->users, 1) > 1)
        return;
    for (int s = 0; s < IG_SPACES; s++)
        ig_shared_evaluation_release((ig_shared_evaluation *)f->space[s]);
    for (int v = 0; v < IG_VALUES; v++)
        ig_free(f->value[v]);
    ig_free(f);
}

const char *ig_snapshot_waits(const ig_snapshot *now, ig_result_id product,
                              const char *meanwhile)
{
    return *now->failure[product] ? now->failure[product] : meanwhile;
}
