/* Runs that are kept beside the newest one. */
#include "worker/kept.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "runs/past.h"
#include "worker/worker.h"

bool ig_kept_reserve(ig_session *s)
{
    return ig_array_grow(&s->kept, &s->kept_capacity, s->kepts + 1, sizeof *s->kept,
                         "the runs", NULL) == IG_OK;
}

/* Past epochs of all runs together get what one may have: the oldest runs go first. */
static void thin_past(ig_session *s)
{
    size_t bytes = 0;

    for (size_t i = s->kepts; i-- > 0;) {
        ig_past *past = s->kept[i].run ? s->kept[i].run->past : NULL;

        if (!past)
            continue;
        bytes += past->count * past->size * sizeof(float);
        if (bytes > s->keep)
            ig_past_free(past);
    }
}

void ig_kept_put_newest(ig_session *s)
{
    if (s->run &&
        (s->run->records >= 2 || (s->run->records && !ig_run_going(s->run)))) {
        s->kept[s->kepts++] = (ig_kept){.number = s->run_number,
                                        .run = s->run,
                                        .stopped = s->stopped || ig_run_going(s->run),
                                        .saved = s->saved || s->run->records < 2};
        s->run->setup.stop = NULL;
        thin_past(s);
    } else {
        ig_run_delete(s->run);
    }
    s->run = NULL;
}

ig_kept *ig_kept_find(ig_session *s, unsigned number)
{
    for (size_t i = 0; i < s->kepts; i++)
        if (s->kept[i].number == number)
            return &s->kept[i];
    return NULL;
}

static void release(ig_kept *k)
{
    ig_run_delete(k->run);
    if (k->stored)
        ig_stored_free(k->stored);
    ig_free(k->stored);
    ig_course_release(k->course);
    ig_free(k->held_out);
}

void ig_kept_remove(ig_session *s, unsigned number)
{
    ig_kept *k = ig_kept_find(s, number);

    if (!k)
        return;
    release(k);
    memmove(k, k + 1, (size_t)(s->kept + s->kepts - (k + 1)) * sizeof *k);
    s->kepts--;
}

void ig_kept_free(ig_session *s)
{
    for (size_t i = 0; i < s->kepts; i++)
        release(&s->kept[i]);
    ig_free(s->kept);
    s->kept = NULL;
    s->kepts = s->kept_capacity = 0;
}

ig_status ig_kept_load(ig_session *s, const char *path, bool any_dims, ig_error *error)
{
    ig_stored *stored = ig_alloc(1, sizeof *stored);
    ig_status status = stored && ig_kept_reserve(s)
                           ? ig_stored_read(stored, path, s->set, any_dims, error)
                           : ig_fail_memory(error, "a run");

    if (status != IG_OK) {
        ig_free(stored);
        return status;
    }
    s->kept[s->kepts++] =
        (ig_kept){.number = ++s->numbers, .stored = stored, .saved = true};
    return IG_OK;
}

/* --- snapshots -------------------------------------------------------------------- */

void ig_course_release(ig_course *course)
{
    if (course && atomic_fetch_sub(&course->users, 1) == 1)
        ig_free(course);
}

/* One block: the values lie behind the struct. */
static ig_course *course_of(const ig_record *record, size_t records)
{
    ig_course *course = ig_alloc(1, sizeof *course + records * sizeof course->value[0]);

    if (!course)
        return NULL;
    atomic_init(&course->users, 1);
    course->records = records;
    for (size_t i = 0; i < records; i++) {
        const ig_geometry *meaning = &record[i].geometry[IG_SPACE_MEANING];

        course->value[i][IG_COURSE_TRAIN] = record[i].epoch.train_loss;
        course->value[i][IG_COURSE_VALID] = record[i].epoch.valid_loss;
        course->value[i][IG_COURSE_ALIGNMENT] = meaning->alignment;
        course->value[i][IG_COURSE_UNIFORMITY] = meaning->uniformity;
    }
    return course;
}

/* The figures of the best epoch: the loss that decided is that of validation. */
static void describe_best(ig_run_line *line, const ig_record *record, size_t records)
{
    line->loss = line->alignment = line->uniformity = NAN;
    line->epochs = records ? records - 1 : 0;
    if (line->best >= records)
        return;
    line->loss = isnan(record[line->best].epoch.valid_loss)
                     ? record[line->best].epoch.train_loss
                     : record[line->best].epoch.valid_loss;
    line->alignment = record[line->best].geometry[IG_SPACE_MEANING].alignment;
    line->uniformity = record[line->best].geometry[IG_SPACE_MEANING].uniformity;
}

static bool describe_trained(ig_run_line *line, const ig_run *run, ig_course **course)
{
    snprintf(line->method, sizeof line->method, "%s", run->objective.name);
    line->options = run->options;
    line->dims = run->setup.set->dims;
    line->has_weights = true;
    ig_trainer_best(run->trainer, &line->best);
    describe_best(line, run->record, run->records);
    if (!*course)
        *course = course_of(run->record, run->records);
    return *course != NULL;
}

static bool describe_stored(ig_run_line *line, const ig_stored *stored,
                            ig_course **course)
{
    memcpy(line->method, stored->method, sizeof line->method);
    line->options = stored->options;
    line->dims = stored->dims;
    line->has_weights = stored->has_weights;
    line->stored = true;
    line->best = stored->best;
    describe_best(line, stored->record, stored->records);
    if (!*course)
        *course = course_of(stored->record, stored->records);
    return *course != NULL;
}

bool ig_kept_describe(ig_session *s, ig_snapshot *out)
{
    ig_course *newest = NULL;
    size_t n = s->kepts + (s->run != NULL);

    out->run_line = ig_alloc(n, sizeof *out->run_line);
    if (!out->run_line)
        return false;
    for (size_t i = 0; i < s->kepts; i++) {
        ig_kept *k = &s->kept[i];
        ig_run_line *line = &out->run_line[out->runs];

        line->number = k->number;
        line->saved = k->saved;
        line->activity = k->run && k->run->failed ? IG_FAILED : IG_FINISHED;
        if (!(k->run ? describe_trained(line, k->run, &k->course)
                     : describe_stored(line, k->stored, &k->course)))
            return false;
        line->course = k->course;
        atomic_fetch_add(&k->course->users, 1);
        out->unsaved += !k->saved;
        out->runs++;
    }
    if (s->run) {
        ig_run_line *line = &out->run_line[out->runs];

        line->number = s->run_number;
        line->saved = s->saved || s->run->records < 2;
        line->activity = ig_worker_activity(s);
        if (!describe_trained(line, s->run, &newest))
            return false;
        line->course = newest;
        out->unsaved += !line->saved;
        out->runs++;
    }
    /* A run that is read while another is trained has the higher number. */
    for (size_t i = out->runs; i > 1; i--)
        if (out->run_line[i - 2].number > out->run_line[i - 1].number) {
            ig_run_line swap = out->run_line[i - 2];

            out->run_line[i - 2] = out->run_line[i - 1];
            out->run_line[i - 1] = swap;
        }
    return true;
}

bool ig_kept_describe_stored(const ig_stored *stored, ig_snapshot *out)
{
    memcpy(out->method, stored->method, sizeof out->method);
    memcpy(out->ending, stored->ending, sizeof out->ending);
    out->options = stored->options;
    out->extractor = stored->has_weights ? stored->model.extractor.kind : IG_IDENTITY;
    out->epochs = stored->records ? stored->records - 1 : stored->best;
    out->best = stored->best;
    out->terms = stored->terms;
    for (size_t t = 0; t < stored->terms; t++) {
        memcpy(out->term[t], stored->term[t], sizeof out->term[t]);
        out->weight[t] = NAN;
    }
    out->record = ig_alloc(stored->records, sizeof *out->record);
    if (!out->record)
        return false;
    out->records = stored->records;
    if (stored->records)
        memcpy(out->record, stored->record, stored->records * sizeof *out->record);
    return true;
}
