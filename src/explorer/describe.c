/* What is drawn: the runs, the run shown, and the newest results. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "explorer/session.h"
#include "report/document.h"

/* --- the list of runs ------------------------------------------------------------- */

static ig_activity activity_of(const ig_session *s, const ig_run_entry *entry)
{
    const ig_following *f = &s->following;

    if (entry->run && entry->run->failed)
        return IG_FAILED;
    if (f->number == entry->number && !f->over)
        return IG_FOLLOWED;
    if (entry != s->newest || !ig_run_entry_going(entry))
        return IG_FINISHED;
    return ig_session_training(s) ? IG_TRAINING : IG_PAUSED;
}

static void describe_line(const ig_session *s, const ig_run_entry *entry,
                          ig_run_line *line)
{
    const ig_run_info *of = entry->info;
    const ig_run_record *best = of->best < of->records ? &of->record[of->best] : NULL;

    *line = (ig_run_line){
        .number = entry->number,
        .version = entry->version,
        .method = of->method,
        .options = of->options,
        .activity = activity_of(s, entry),
        .saved = ig_run_entry_saved(entry),
        .stored = !entry->run,
        .has_weights = of->extractor != NULL,
        .learned = entry->run && entry->run->objective.extractor >= IG_RESIDUAL,
        .edited = entry->run && entry->run->changes.length,
        .dims = of->dims,
        .epochs = of->records ? of->records - 1 : 0,
        .best = of->best,
        .loss = NAN,
        .alignment = best ? best->geometry[IG_SPACE_MEANING].alignment : NAN,
        .uniformity = best ? best->geometry[IG_SPACE_MEANING].uniformity : NAN,
        .records = of->records,
        .record = of->record,
        .directory = of->path ? of->path : entry->path};
    if (best) /* the loss that decided is that of validation */
        line->loss = isnan(best->epoch.valid_loss) ? best->epoch.train_loss
                                                   : best->epoch.valid_loss;
    if (line->activity == IG_FINISHED || line->activity == IG_FAILED)
        snprintf(line->ending, sizeof line->ending, "%s",
                 entry->stopped ? "stopped by hand" : of->ending);
    line->ending[ig_text_valid(line->ending, strlen(line->ending))] = '\0';
}

static void describe_runs(ig_session *s)
{
    ig_snapshot *now = &s->now;

    now->runs = now->unsaved = 0;
    if (ig_array_grow(&now->run_line, &now->lines, s->runs.count, sizeof *now->run_line,
                      "the runs", NULL) != IG_OK)
        return;
    for (size_t i = 0; i < s->runs.count; i++) {
        describe_line(s, s->runs.entry[i], &now->run_line[now->runs++]);
        now->unsaved += !now->run_line[i].saved;
    }
}

/* --- the run that is shown -------------------------------------------------------- */

static double time_left(const ig_session *s, const ig_run *run)
{
    size_t done = run->info.records ? run->info.records - 1 : 0;
    double each;

    if (done == 0 || run->info.options.epochs < done)
        return NAN;
    each = run->info.seconds / (double)run->info.records;
    if (s->request.pace > 0 && each < 1 / s->request.pace)
        each = 1 / s->request.pace;
    return each * (double)(run->info.options.epochs - done);
}

/* Epochs that began with a changed objective. */
static void describe_edits(const ig_run_info *of, ig_snapshot *now)
{
    now->edits = 0;
    for (size_t i = 0; i < of->records; i++)
        if (of->record[i].epoch.changed &&
            ig_array_grow(&now->edit, &now->edits_room, now->edits + 1,
                          sizeof *now->edit, "the edits", NULL) == IG_OK)
            now->edit[now->edits++] = i;
}

static void describe_trained(const ig_session *s, const ig_run_entry *entry,
                             ig_snapshot *now)
{
    const ig_run *run = entry->run;
    const ig_objective *o = &run->objective;
    bool newest = entry == s->newest;

    if (entry->stopped)
        now->ending = "stopped by hand";
    now->extractor = o->extractor;
    now->batches = run->trainer->batches;
    now->progress = atomic_load(&run->trainer->progress);
    now->left = newest ? time_left(s, run) : NAN;
    now->measured = run->measured;
    now->measurable = run->measurable;
    now->measured_valid = run->measured_valid;
    now->terms = o->terms;
    for (size_t t = 0; t < o->terms; t++) {
        bool edits = o->extractor >= IG_RESIDUAL;

        now->term[t] = o->term[t].name;
        now->weight[t] = edits ? run->trainer->weight[t] : o->term[t].weight;
        now->off[t] = edits && !run->trainer->on[t];
    }
    now->has_norms = newest && now->norms_of == entry->number;
    now->run = newest ? entry->number : 0;
    now->objective = run->objective.text;
    now->history = run->history.count;
    now->kept = run->history.kept;
    now->history_every = run->history.every;
    describe_edits(&run->info, now);
}

static void describe_stored(const ig_run_info *of, ig_snapshot *now)
{
    now->extractor = of->extractor ? of->extractor->kind : IG_IDENTITY;
    if (of->records == 0)
        now->epochs = of->best;
    now->terms = of->terms.count;
    for (size_t t = 0; t < of->terms.count; t++) {
        now->term[t] = of->terms.text[t];
        now->weight[t] = NAN;
        now->off[t] = false;
    }
    now->batches = now->progress = now->measured = now->measurable = 0;
    now->has_norms = now->measured_valid = false;
    now->run = 0;
    now->objective = NULL;
    now->history = now->edits = 0;
}

static void describe_shown(const ig_session *s, ig_snapshot *now)
{
    static const ig_run_info none = {.method = "", .ending = ""};
    const ig_run_entry *entry = ig_runs_find(&s->runs, now->shown_run);
    const ig_run_info *of = entry ? entry->info : &none;

    now->activity = entry ? activity_of(s, entry) : IG_IDLE;
    now->saved = !entry || ig_run_entry_saved(entry);
    now->method = of->method;
    now->ending = of->ending;
    now->options = of->options;
    now->epochs = of->records ? of->records - 1 : 0;
    now->best = of->best;
    now->records = of->records;
    now->record = of->record;
    now->left = NAN;
    if (entry && entry->run)
        describe_trained(s, entry, now);
    else
        describe_stored(of, now);
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
    now->table = s->result[IG_PRODUCT_TABLE].value;
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

    now->busy = ig_session_going(s);
    now->version = s->version;
    now->versions = s->versions;
    describe_shown(s, now);
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

void ig_row_order_free(void *value)
{
    ig_row_order *order = value;

    if (order)
        IG_FREE(order->row, order);
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
