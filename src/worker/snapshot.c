/* Snapshots: what the worker has finished, copied or shared by count. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runs/past.h"
#include "worker/kept.h"
#include "worker/measuring.h"
#include "worker/worker.h"

void ig_map_release(ig_map *map)
{
    if (!map || atomic_fetch_sub(&map->users, 1) > 1)
        return;
    ig_free(map->row);
    ig_free(map->xy[0]);
    ig_free(map);
}

void ig_neighbours_release(ig_neighbours *nearby)
{
    if (nearby && atomic_fetch_sub(&nearby->users, 1) == 1)
        ig_free(nearby);
}

void ig_snapshot_free(ig_snapshot *s)
{
    if (!s)
        return;
    ig_map_release((ig_map *)s->map);
    ig_neighbours_release((ig_neighbours *)s->nearby);
    ig_findings_release((ig_findings *)s->findings);
    ig_map_release((ig_map *)s->beside_map);
    ig_neighbours_release((ig_neighbours *)s->beside_nearby);
    for (size_t i = 0; s->run_line && i < s->runs; i++)
        ig_course_release((ig_course *)s->run_line[i].course);
    ig_free(s->run_line);
    ig_free(s->record);
    ig_free(s->objective);
    ig_free(s->edit);
    ig_free(s->past_epoch);
    ig_free(s);
}

ig_activity ig_worker_activity(const ig_session *s)
{
    if (!s->run)
        return IG_IDLE;
    if (s->run->failed)
        return IG_FAILED;
    if (s->stopped || !ig_run_going(s->run))
        return IG_FINISHED;
    return ig_worker_paused(s) ? IG_PAUSED : IG_TRAINING;
}

/* Seconds to the last epoch, from the mean of those seen and the pace. */
static double time_left(const ig_session *s)
{
    const ig_run *run = s->run;
    size_t done = run->records ? run->records - 1 : 0;
    double each;

    if (done == 0 || run->options.epochs < done)
        return NAN;
    each = run->seconds / (double)run->records;
    if (s->now.pace > 0 && each < 1 / s->now.pace)
        each = 1 / s->now.pace;
    return each * (double)(run->options.epochs - done);
}

/* Where the objective was changed, and which epochs can be looked at. */
static bool describe_past(const ig_session *s, const ig_run *run, ig_snapshot *out)
{
    const ig_past *past = run->past;

    out->objective = ig_strdup(run->objective.text);
    out->edit = ig_alloc(run->edits + run->objective.terms, sizeof *out->edit);
    out->past_epoch = ig_alloc(past->count, sizeof *out->past_epoch);
    if (!out->objective || !out->edit || !out->past_epoch)
        return false;
    out->edits = ig_run_changes(run, out->edit);
    for (size_t i = 0; i < past->count; i++)
        out->past_epoch[out->past++] = past->kept[i].epoch;
    out->past_every = past->every;
    out->looking = s->looking;
    return true;
}

/* The run that is shown; `stopped` by hand. */
static bool describe_run(const ig_session *s, const ig_run *run, bool stopped,
                         ig_snapshot *out)
{
    const ig_objective *o = &run->objective;
    bool newest = run == s->run;

    snprintf(out->method, sizeof out->method, "%s", o->name);
    snprintf(out->ending, sizeof out->ending, "%s",
             stopped ? "stopped by hand" : ig_run_ending(run));
    out->options = run->options;
    out->extractor = o->extractor;
    out->epochs = run->records ? run->records - 1 : 0;
    out->batches = ig_trainer_batches(run->trainer);
    out->progress = ig_trainer_progress(run->trainer);
    ig_trainer_best(run->trainer, &out->best);
    out->left = newest ? time_left(s) : NAN;
    out->measured = run->measured;
    out->measurable = run->measurable;
    out->measured_valid = run->measured_valid;
    out->finished = run->finished;
    memcpy(out->final, run->final, sizeof out->final);
    out->terms = o->terms;
    for (size_t t = 0; t < o->terms; t++) {
        snprintf(out->term[t], sizeof out->term[t], "%s", o->term[t].name);
        out->weight[t] = o->term[t].weight;
        if (o->extractor >= IG_RESIDUAL) {
            bool on;

            out->weight[t] = ig_trainer_weight(run->trainer, t, &on);
            out->off[t] = !on;
        }
    }
    memcpy(out->norm, s->norm, sizeof out->norm);
    out->has_norms = newest && s->norms_at > 0;
    out->run = newest ? s->run_number : 0;
    if (!describe_past(s, run, out))
        return false;
    out->records = run->records;
    out->record = ig_alloc(run->records, sizeof *out->record);
    if (!out->record)
        return false;
    if (run->records)
        memcpy(out->record, run->record, run->records * sizeof *out->record);
    return true;
}

/* What is told of the run that is shown; false when memory is short. */
static bool describe_shown(ig_session *s, ig_snapshot *out)
{
    ig_kept *k = ig_kept_find(s, s->shown_run);

    out->activity = k && k->run && k->run->failed ? IG_FAILED
                    : k                           ? IG_FINISHED
                                                  : ig_worker_activity(s);
    out->saved = k ? k->saved : s->saved || !s->run || s->run->records < 2;
    if (k && k->stored)
        return ig_kept_describe_stored(k->stored, out);
    if (k)
        return describe_run(s, k->run, k->stopped, out);
    if (s->run)
        return describe_run(s, s->run, s->stopped, out);
    return true;
}

static void share(const ig_map **to_map, const ig_neighbours **to_nearby,
                  const ig_session *s)
{
    *to_map = s->map;
    *to_nearby = s->nearby;
    if (s->map)
        atomic_fetch_add(&s->map->users, 1);
    if (s->nearby)
        atomic_fetch_add(&s->nearby->users, 1);
}

static void share_findings(ig_snapshot *out, const ig_measuring *m)
{
    if (!m)
        return;
    out->findings = m->findings;
    if (m->findings)
        atomic_fetch_add(&m->findings->users, 1);
    out->measuring = m->going && (m->going_key.exact || !out->busy);
    out->measured_part = m->all > 0 ? fmin(1, m->work / m->all) : 0;
}

ig_snapshot *ig_snapshot_make(ig_session *s)
{
    ig_snapshot *out = ig_alloc(1, sizeof *out);

    if (!out)
        return NULL;
    out->starts = s->starts;
    out->refused = s->refused;
    out->left = NAN;
    out->busy = ig_worker_training(s);
    out->shown_run = s->shown_run;
    if (!describe_shown(s, out) || !ig_kept_describe(s, out)) {
        ig_snapshot_free(out);
        return NULL;
    }
    snprintf(out->message, sizeof out->message, "%s", s->message);
    out->is_error = s->is_error;
    out->news = s->news;
    out->shown = s->shown_epoch;
    out->has_spaces = s->shown_serial > 0;
    share(&out->map, &out->nearby, s);
    share_findings(out, s->measuring);
    if (s->reporting) {
        out->measuring = true;
        out->measured_part = fmin(1, s->reported_part);
    }
    out->beside_run = s->beside_run;
    if (s->beside_run)
        share(&out->beside_map, &out->beside_nearby, s->beside);
    return out;
}
