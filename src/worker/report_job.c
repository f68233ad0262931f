/* The worker's report: every run with weights, measured in full at its best epoch, and
 * written. It is one job, which goes on until the user gives it up. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "draw/axes.h"
#include "runs/reporting.h"
#include "worker/kept.h"
#include "worker/measuring.h"

static const double BETWEEN_TICKS = 0.2;

/* A run with weights. */
struct entry {
    unsigned number;
    const ig_run *run; /* or: */
    const ig_stored *stored;
    const ig_extractor *extractor;
    ig_evaluation space[IG_SPACES];
    bool has[IG_SPACES];
};

struct job {
    ig_session *session;
    ig_portion portion;
    ig_scores scores; /* those of the held-out ids … */
    bool held_out;    /* … which alone are measured */
    ig_subject subject;
    struct entry *entry; /* (entries) */
    size_t entries;
    ig_evaluation original;
    double before, all; /* work done before this evaluation, of so much */
};

static void tick(void *context, double done)
{
    struct job *j = context;
    ig_session *s = j->session;

    s->reported_part = j->all > 0 ? (j->before + done) / j->all : 0;
    if (ig_channel_arrived(&s->channel) == IG_ARRIVAL_ROW)
        ig_worker_serve(s);
    if (s->threaded && ig_clock_now() - s->shown_at >= BETWEEN_TICKS)
        ig_worker_publish(s);
}

static void add_entry(struct job *j, unsigned number, const ig_run *run,
                      const ig_stored *stored)
{
    struct entry *e = &j->entry[j->entries];

    if ((run && !run->records) || (stored && !stored->has_weights))
        return;
    *e = (struct entry){.number = number, .run = run, .stored = stored};
    e->extractor = run ? ig_trainer_best(run->trainer, NULL) : &stored->model.extractor;
    j->entries++;
}

static void list_runs(struct job *j)
{
    ig_session *s = j->session;

    for (size_t i = 0; i < s->kepts; i++)
        add_entry(j, s->kept[i].number, s->kept[i].run, s->kept[i].stored);
    if (s->run)
        add_entry(j, s->run_number, s->run, NULL);
}

/* The ids that all runs held out, when they are the same for all. */
static const uint8_t *common_held_out(const struct job *j)
{
    const uint8_t *first = NULL;

    for (size_t i = 0; i < j->entries; i++) {
        const uint8_t *one = ig_worker_held_out(j->session, j->entry[i].number);

        if (!one || (first && memcmp(first, one, j->session->set->rows) != 0))
            return NULL;
        first = one;
    }
    return first;
}

/* What all is measured on. */
static ig_status choose(struct job *j, ig_error *error)
{
    ig_session *s = j->session;
    const uint8_t *only = s->now.all_rows ? NULL : common_held_out(j);
    ig_status status = ig_portion_take(&j->portion, s->set, ig_worker_pairs(s), only, 0,
                                       s->now.seed, error);
    const ig_scores *scores = s->measuring ? s->measuring->scores : NULL;

    j->held_out = only != NULL;
    if (status == IG_OK && scores && only) {
        status = ig_scores_copy(&j->scores, scores, error);
        if (status == IG_OK)
            ig_scores_keep(&j->scores, only);
        scores = &j->scores;
    }
    j->subject = ig_worker_subject(s, &j->portion, scores);
    return status;
}

/* The rows of a run's space; the contexts are the caller's. */
static bool rows_of(const struct job *j, const ig_extractor *x, ig_space space,
                    ig_rows_narrow *narrow, ig_rows *originals, ig_space_rows *context,
                    ig_rows *rows)
{
    const ig_session *s = j->session;

    if (!ig_extractor_serves(x, space))
        return false;
    *narrow = (ig_rows_narrow){&s->originals, x->dims};
    *originals = x->dims < s->set->dims ? ig_rows_of_narrow(narrow) : s->originals;
    *context = (ig_space_rows){x, space, originals, s->set->lang};
    *rows = ig_rows_of_space(context);
    return true;
}

static ig_status measure(struct job *j, ig_evaluation *out, const ig_rows *rows,
                         ig_error *error)
{
    ig_watch watch = {.stop = &j->session->channel.cancel, .tick = tick, .context = j};
    ig_status status =
        ig_evaluation_take(out, rows, &j->subject, j->session->pool, &watch, error);

    j->before += ig_evaluation_work(rows, &j->subject);
    return status;
}

static ig_status measure_all(struct job *j, ig_error *error)
{
    ig_session *s = j->session;
    double each = ig_evaluation_work(&s->originals, &j->subject);
    ig_status status;

    j->all = each * (1 + 2 * (double)j->entries);
    status = measure(j, &j->original, &s->originals, error);
    for (size_t i = 0; i < j->entries; i++)
        for (int space = IG_SPACE_MEANING; space < IG_SPACES && status == IG_OK;
             space++) {
            struct entry *e = &j->entry[i];
            ig_rows_narrow narrow;
            ig_space_rows context;
            ig_rows originals, rows;

            e->has[space] = rows_of(j, e->extractor, (ig_space)space, &narrow,
                                    &originals, &context, &rows);
            if (e->has[space])
                status = measure(j, &e->space[space], &rows, error);
        }
    return status;
}

static ig_status write_report(struct job *j, const char *path, ig_error *error)
{
    ig_session *s = j->session;
    ig_reporting r;
    char measured[160], rows[IG_NUMBER_SIZE], pairs[IG_NUMBER_SIZE],
        ids[IG_NUMBER_SIZE];
    ig_status status = IG_OK;

    ig_count_format(rows, j->portion.rows);
    if (j->portion.pairs == 0 && !j->held_out)
        snprintf(measured, sizeof measured, "all %s rows; there are no pairs", rows);
    else
        snprintf(measured, sizeof measured, "%s%s ids: %s rows, %s pairs",
                 ig_count_format(ids, j->portion.meanings),
                 j->held_out ? " held-out" : "", rows,
                 ig_count_format(pairs, j->portion.pairs));
    ig_reporting_init(&r, s->set, s->data, s->data_words, &j->original);
    for (size_t i = 0; i < j->entries && status == IG_OK; i++) {
        const struct entry *e = &j->entry[i];

        status = ig_reporting_add(
            &r,
            &(ig_reported){
                .number = e->number,
                .run = e->run,
                .stored = e->stored,
                .strangers = e->stored ? e->stored->model.strangers : 0,
                .meaning = e->has[IG_SPACE_MEANING] ? &e->space[IG_SPACE_MEANING]
                                                    : NULL,
                .language = e->has[IG_SPACE_LANGUAGE] ? &e->space[IG_SPACE_LANGUAGE]
                                                      : NULL},
            error);
    }
    if (status == IG_OK)
        status =
            ig_reporting_write(&r, measured, path, s->pool, &s->channel.cancel, error);
    ig_reporting_free(&r);
    return status;
}

void ig_worker_report(ig_session *s, const char *path)
{
    struct job j = {.session = s, .entry = ig_alloc(s->kepts + 1, sizeof *j.entry)};
    ig_error error;
    ig_status status;

    if (!j.entry) {
        ig_worker_tell(s, true, "out of memory for the report");
        return;
    }
    list_runs(&j);
    s->reporting = true;
    ig_channel_begin(&s->channel, IG_ARRIVAL_CANCEL);
    status = choose(&j, &error);
    if (status == IG_OK)
        status = measure_all(&j, &error);
    if (status == IG_OK)
        status = write_report(&j, path, &error);
    ig_channel_begin(&s->channel, IG_ARRIVAL_ROW);
    s->reporting = false;
    if (status == IG_INTERRUPTED)
        ig_worker_tell(s, false, "the report was given up");
    else if (status != IG_OK)
        ig_worker_tell(s, true, "%s", error.message);
    else
        ig_worker_tell(s, false, "report of %zu run%s written to %s", j.entries,
                       j.entries == 1 ? "" : "s", path);
    ig_evaluation_free(&j.original);
    for (size_t i = 0; i < j.entries; i++)
        for (int space = 0; space < IG_SPACES; space++)
            ig_evaluation_free(&j.entry[i].space[space]);
    ig_portion_free(&j.portion);
    ig_scores_free(&j.scores);
    ig_free(j.entry);
}
