/* Messages and snapshots: results, copied or shared by count. */
#include "explorer/state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "explorer/snapshot.h"
#include "train/run.h"

void ig_show_message(ig_session *s, bool is_error, const char *format, ...)
{
    ig_message *t = &s->out;
    va_list args;

    va_start(args, format);
    vsnprintf(t->message, sizeof t->message, format, args);
    va_end(args);
    t->is_error = is_error;
    t->news++;
    t->dirty = true;
}

/* --- the list of runs ------------------------------------------------------------- */

static ig_activity activity_of(const ig_session *s, const ig_run_entry *entry)
{
    if (entry->run && entry->run->failed)
        return IG_FAILED;
    if (ig_following_goes_on(&s->following, entry->number))
        return IG_FOLLOWED;
    if (entry != s->training.newest || !ig_run_entry_going(entry))
        return IG_FINISHED;
    return ig_training_is_paused(s) ? IG_PAUSED : IG_TRAINING;
}

/* The figures of the best epoch: the loss that decided is that of validation. */
static void describe_best(ig_run_line *line, const ig_run_info *of)
{
    const ig_run_record *best;

    line->loss = line->alignment = line->uniformity = NAN;
    if (of->best >= of->records)
        return;
    best = &of->record[of->best];
    line->loss = isnan(best->epoch.valid_loss) ? best->epoch.train_loss
                                               : best->epoch.valid_loss;
    line->alignment = best->geometry[IG_SPACE_MEANING].alignment;
    line->uniformity = best->geometry[IG_SPACE_MEANING].uniformity;
}

/* False when memory is short. */
static bool describe_line(const ig_session *s, ig_run_entry *entry, ig_run_line *line)
{
    const ig_run_info *of = entry->info;
    const char *path = of->path ? of->path : entry->path;

    snprintf(line->method, sizeof line->method, "%s", of->method);
    line->number = entry->number;
    line->version = entry->version;
    line->options = of->options;
    line->activity = activity_of(s, entry);
    line->saved = ig_run_entry_saved(entry);
    line->stored = !entry->run;
    line->has_weights = of->extractor != NULL;
    line->learned = entry->run && entry->run->objective.extractor >= IG_RESIDUAL;
    line->edited = entry->run && entry->run->changes.length;
    line->dims = of->dims;
    line->epochs = of->records ? of->records - 1 : 0;
    line->best = of->best;
    describe_best(line, of);
    if (line->activity == IG_FINISHED || line->activity == IG_FAILED)
        snprintf(line->ending, sizeof line->ending, "%s",
                 entry->stopped ? "stopped by hand" : of->ending);
    line->ending[ig_text_valid(line->ending, strlen(line->ending))] = '\0';
    line->curves = ig_run_curves_make(of);
    line->directory = path ? ig_strdup(path) : NULL;
    return line->curves && (line->directory || !path);
}

static bool describe_runs(const ig_session *s, ig_snapshot *out)
{
    const ig_runs *runs = &s->training.runs;

    out->run_line = ig_alloc(runs->count, sizeof *out->run_line);
    for (size_t i = 0; out->run_line && i < runs->count; i++) {
        ig_run_line *line = &out->run_line[out->runs++];

        if (!describe_line(s, runs->entry[i], line))
            return false;
        out->unsaved += !line->saved;
    }
    return out->run_line != NULL;
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

/* Where the objective was changed, and which epochs can be looked at. */
static bool describe_history(const ig_session *s, const ig_run *run, ig_snapshot *out)
{
    const ig_history *history = &run->history;

    out->objective = ig_strdup(run->objective.text);
    out->edit = ig_alloc(run->info.records, sizeof *out->edit);
    out->history_epoch = ig_alloc(history->count, sizeof *out->history_epoch);
    if (!out->objective || !out->edit || !out->history_epoch)
        return false;
    for (size_t i = 0; i < run->info.records; i++)
        if (run->info.record[i].epoch.changed)
            out->edit[out->edits++] = i;
    for (size_t i = 0; i < history->count; i++)
        out->history_epoch[out->history++] = history->kept[i].epoch;
    out->history_every = history->every;
    out->looking = s->looking;
    return true;
}

static bool describe_trained(const ig_session *s, const ig_run_entry *entry,
                             ig_snapshot *out)
{
    const ig_run *run = entry->run;
    const ig_objective *o = &run->objective;
    bool newest = entry == s->training.newest;

    if (entry->stopped)
        snprintf(out->ending, sizeof out->ending, "stopped by hand");
    out->extractor = o->extractor;
    out->batches = run->trainer->batches;
    out->progress = atomic_load(&run->trainer->progress);
    out->left = newest ? time_left(s, run) : NAN;
    out->measured = run->measured;
    out->measurable = run->measurable;
    out->measured_valid = run->measured_valid;
    out->terms = o->terms;
    for (size_t t = 0; t < o->terms; t++) {
        snprintf(out->term[t], sizeof out->term[t], "%s", o->term[t].name);
        out->weight[t] = o->term[t].weight;
        if (o->extractor >= IG_RESIDUAL) {
            out->weight[t] = run->trainer->weight[t];
            out->off[t] = !run->trainer->on[t];
        }
    }
    memcpy(out->norm, s->norms.norm, sizeof out->norm);
    out->has_norms = newest && s->norms.run == entry->number;
    out->run = newest ? entry->number : 0;
    return describe_history(s, run, out);
}

static void describe_stored(const ig_run_info *of, ig_snapshot *out)
{
    out->extractor = of->extractor ? of->extractor->kind : IG_IDENTITY;
    if (of->records == 0)
        out->epochs = of->best;
    out->terms = of->terms.count;
    for (size_t t = 0; t < of->terms.count; t++) {
        snprintf(out->term[t], sizeof out->term[t], "%s", of->terms.text[t]);
        out->weight[t] = NAN;
    }
}

static bool describe_shown(const ig_session *s, ig_snapshot *out)
{
    const ig_run_entry *entry = ig_runs_find(&s->training.runs, s->selected);
    const ig_run_info *of = entry ? entry->info : NULL;

    out->activity = entry ? activity_of(s, entry) : IG_IDLE;
    out->saved = !entry || ig_run_entry_saved(entry);
    if (!entry)
        return true;
    snprintf(out->method, sizeof out->method, "%s", of->method);
    snprintf(out->ending, sizeof out->ending, "%s", of->ending);
    out->options = of->options;
    out->epochs = of->records ? of->records - 1 : 0;
    out->best = of->best;
    out->record = ig_alloc(of->records, sizeof *out->record);
    if (!out->record)
        return false;
    out->records = of->records;
    if (of->records)
        memcpy(out->record, of->record, of->records * sizeof *out->record);
    if (entry->run)
        return describe_trained(s, entry, out);
    describe_stored(of, out);
    return true;
}

/* --- snapshots -------------------------------------------------------------------- */

/* Share a result, unless it is of another run or version than the one compared (NULL:
 * any). */
static bool share_result(atomic_int *users, unsigned run, size_t version,
                         const ig_shown *compared)
{
    bool wanted = !compared || (run == compared->run && version == compared->version);

    if (wanted)
        atomic_fetch_add(users, 1);
    return wanted;
}

static void share_results(ig_view_state *v, const ig_shown *compared,
                          const ig_map **map, const ig_neighbours **near,
                          const ig_shown_evaluation **evaluation)
{
    ig_map *m = v->map.map;
    ig_neighbours *n = v->neighbours.found;
    ig_shown_evaluation *e = v->evaluation.evaluation;

    *map = m && share_result(&m->users, m->run, m->version, compared) ? m : NULL;
    *near = n && share_result(&n->users, n->run, n->version, compared) ? n : NULL;
    *evaluation = e && share_result(&e->users, e->run, e->version, compared) ? e : NULL;
}

static void use_results(ig_session *s, ig_snapshot *out)
{
    pthread_mutex_lock(&s->results);
    out->table = s->table;
    if (s->table)
        atomic_fetch_add(&s->table->users, 1);
    share_results(&s->main, NULL, &out->map, &out->neighbours, &out->evaluation);
    if (s->compares)
        share_results(&s->other, s->other.shown, &out->compared_map,
                      &out->compared_neighbours, &out->compared_evaluation);
    pthread_mutex_unlock(&s->results);
    out->compares = s->compares;
    out->compared_run = s->compared;
    out->compared_version = s->other.shown->version;
}

static double progress_of(const ig_lane *lane)
{
    return lane ? atomic_load(&lane->permille) / 1000.0 : 0;
}

static void describe_jobs(const ig_session *s, ig_snapshot *out)
{
    const ig_lane *measures = ig_jobs_under_way(s, IG_PRODUCT_EVALUATION);

    out->version_part = progress_of(ig_jobs_under_way(s, IG_PRODUCT_VERSIONS));
    out->map_part = progress_of(ig_jobs_under_way(s, IG_PRODUCT_MAP));
    /* During training samples are measured repeatedly; only the first, which may take
     * long with many languages, counts as measuring. */
    out->measuring = measures && (measures->job.cause != IG_CAUSE_FOLLOW ||
                                  !out->busy || !out->evaluation);
    out->measured_part = progress_of(measures);
    if (s->out.reporting) {
        out->measuring = true;
        out->reporting = s->out.reporting;
        out->measured_part = fmin(1, s->out.part);
    }
}

/* NULL when memory is short. */
static ig_snapshot *make_snapshot(ig_session *s)
{
    ig_snapshot *out = ig_alloc(1, sizeof *out);

    if (!out)
        return NULL;
    out->starts = s->training.starts;
    out->refused = s->training.refused;
    out->left = NAN;
    out->busy = ig_training_is_going(s);
    out->shown_run = s->selected;
    out->version = s->version;
    out->versions = s->versions;
    if (!describe_shown(s, out) || !describe_runs(s, out)) {
        ig_snapshot_free(out);
        return NULL;
    }
    snprintf(out->message, sizeof out->message, "%s", s->out.message);
    out->is_error = s->out.is_error;
    out->news = s->out.news;
    out->shown = s->main.shown->epoch;
    out->has_spaces = s->main.shown->weights;
    out->typed_sentence =
        ig_alloc(s->typed_sentences.list.count, sizeof *out->typed_sentence);
    if (out->typed_sentence && s->typed_sentences.list.count) {
        out->typed_sentences = s->typed_sentences.list.count;
        memcpy(out->typed_sentence, s->typed_sentences.list.typed_sentence,
               out->typed_sentences * sizeof *out->typed_sentence);
    }
    out->asking = s->typed_sentences.queued;
    for (size_t i = 0; i < IG_PRODUCTS; i++)
        memcpy(out->failure[i], s->product[i].failure, sizeof out->failure[i]);
    use_results(s, out);
    if (s->versions > 1)
        out->version_figures = ig_alloc(s->versions, sizeof *out->version_figures);
    for (size_t v = 0; out->version_figures && v < s->versions; v++) {
        out->version_figures[v] = s->figures[v];
        ig_shared_evaluation_use((ig_shared_evaluation *)s->figures[v].evaluation);
    }
    describe_jobs(s, out);
    return out;
}

static void publish_snapshot(ig_session *s)
{
    ig_snapshot *new = make_snapshot(s);

    if (!new)
        return; /* memory is short: the screen keeps what it has */
    ig_snapshot_free(ig_channel_publish(&s->channel, new));
    s->out.last = s->clock();
    s->out.dirty = s->out.at_once = false;
}

double ig_publish_if_due(ig_session *s)
{
    double since = s->clock() - s->out.last;

    if (!s->out.dirty)
        return -1;
    /* New epochs come at most ten times a second, what was asked for at once. */
    if (ig_training_is_busy(s) && !s->out.at_once && since < IG_BETWEEN_SNAPSHOTS)
        return IG_BETWEEN_SNAPSHOTS - since;
    publish_snapshot(s);
    return s->out.dirty ? IG_BETWEEN_SNAPSHOTS : -1; /* memory was short: again */
}

/* --- snapshots, on the screen's side ---------------------------------------------- */

void ig_map_release(ig_map *map)
{
    if (!map || atomic_fetch_sub(&map->users, 1) > 1)
        return;
    IG_FREE(map->row, map->island, map->xy[0], map->typed_sentence, map);
}

void ig_neighbours_release(ig_neighbours *neighbours)
{
    if (neighbours && atomic_fetch_sub(&neighbours->users, 1) == 1)
        ig_free(neighbours);
}

void ig_row_order_release(ig_row_order *order)
{
    if (!order || atomic_fetch_sub(&order->users, 1) > 1)
        return;
    ig_free(order->row);
    ig_free(order);
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

void ig_shown_evaluation_release(ig_shown_evaluation *f)
{
    if (!f || atomic_fetch_sub(&f->users, 1) > 1)
        return;
    for (int s = 0; s < IG_SPACES; s++)
        ig_shared_evaluation_release((ig_shared_evaluation *)f->space[s]);
    for (int v = 0; v < IG_VALUES; v++)
        ig_free(f->value[v]);
    ig_free(f);
}

void ig_snapshot_free(ig_snapshot *s)
{
    if (!s)
        return;
    ig_map_release((ig_map *)s->map);
    ig_neighbours_release((ig_neighbours *)s->neighbours);
    ig_row_order_release((ig_row_order *)s->table);
    ig_shown_evaluation_release((ig_shown_evaluation *)s->evaluation);
    ig_map_release((ig_map *)s->compared_map);
    ig_neighbours_release((ig_neighbours *)s->compared_neighbours);
    ig_shown_evaluation_release((ig_shown_evaluation *)s->compared_evaluation);
    for (size_t i = 0; s->run_line && i < s->runs; i++)
        IG_FREE((ig_run_curves *)s->run_line[i].curves,
                (char *)s->run_line[i].directory);
    for (size_t v = 0; s->version_figures && v < s->versions; v++)
        ig_shared_evaluation_release(
            (ig_shared_evaluation *)s->version_figures[v].evaluation);
    IG_FREE(s->version_figures, s->run_line, s->record, s->objective, s->edit,
            s->history_epoch, s->typed_sentence, s);
}

const char *ig_snapshot_waits(const ig_snapshot *snapshot, ig_result_id product,
                              const char *meanwhile)
{
    const char *failure = snapshot->failure[product];

    return *failure ? failure : meanwhile;
}
