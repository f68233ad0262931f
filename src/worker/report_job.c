/* The worker's report: every run with weights, measured in full at its best epoch, and
 * written. It is one job, which goes on until the user gives it up. */
#include <string.h>

#include "base/clock.h"
#include "runs/reporting.h"
#include "worker/kept.h"
#include "worker/measuring.h"

static const double BETWEEN_TICKS = 0.2;

struct job {
    ig_session *session;
    ig_document document;
    const uint8_t *held_out; /* ids that all runs so far held out … */
    bool differ;             /* … which are not the same for all */
    ig_portion subset;
    ig_scores scores; /* those of the held-out ids, where these alone are measured */
    ig_subject subject;
};

static void tick(void *context, const char *what, double share)
{
    struct job *j = context;
    ig_session *s = j->session;

    (void)what;
    s->reported_part = share;
    if (ig_channel_arrived(&s->channel) == IG_ARRIVAL_ROW)
        ig_worker_serve(s);
    if (s->threaded && ig_clock_now() - s->shown_at >= BETWEEN_TICKS)
        ig_worker_publish(s);
}

/* Add a run with weights. */
static ig_status add_run(struct job *j, unsigned number, const ig_run *run,
                         const ig_stored *stored, ig_error *error)
{
    ig_session *s = j->session;
    const uint8_t *held_out;

    if ((run && !run->records) || (stored && !stored->has_weights))
        return IG_OK;
    held_out = ig_worker_held_out(s, number);
    j->differ |= !held_out ||
                 (j->held_out && memcmp(j->held_out, held_out, s->set->rows) != 0);
    j->held_out = held_out;
    return ig_reporting_add(&j->document,
                            &(ig_reported){.number = number,
                                           .run = run,
                                           .stored = stored,
                                           .data = s->data,
                                           .words = s->data_words},
                            error);
}

static ig_status add_runs(struct job *j, ig_error *error)
{
    ig_session *s = j->session;
    ig_status status = ig_document_init(&j->document, s->set, s->kepts + 1, error);

    for (size_t i = 0; i < s->kepts && status == IG_OK; i++)
        status =
            add_run(j, s->kept[i].number, s->kept[i].run, s->kept[i].stored, error);
    if (s->run && status == IG_OK)
        status = add_run(j, s->run_number, s->run, NULL, error);
    return status;
}

/* What all is measured on: the ids that all runs held out, when they are the same for
 * all. */
static ig_status choose(struct job *j, ig_error *error)
{
    ig_session *s = j->session;
    const uint8_t *only = s->now.all_rows || j->differ ? NULL : j->held_out;
    const ig_scores *scores = s->measuring ? s->measuring->scores : NULL;
    ig_document *d = &j->document;
    ig_status status = ig_portion_take(&j->subset, s->set, ig_worker_pairs(s), only, 0,
                                       s->now.seed, error);

    d->of_scores = scores ? scores->count : 0;
    if (status == IG_OK && scores && only) {
        status = ig_scores_copy(&j->scores, scores, error);
        if (status == IG_OK)
            ig_scores_keep(&j->scores, only);
        scores = &j->scores;
    }
    d->split = only ? IG_DOCUMENT_VALID : IG_DOCUMENT_ALL;
    d->subset = &j->subset;
    d->scored = scores ? scores->count : 0;
    d->seed = s->now.seed;
    j->subject = ig_worker_subject(s, &j->subset, scores);
    ig_reporting_machine(d);
    return status;
}

void ig_worker_report(ig_session *s, const char *path)
{
    struct job j = {.session = s};
    size_t runs;
    ig_error error;
    ig_status status;

    s->reporting = true;
    ig_channel_begin(&s->channel, IG_ARRIVAL_CANCEL);
    status = add_runs(&j, &error);
    runs = j.document.runs;
    if (status == IG_OK)
        status = choose(&j, &error);
    if (status == IG_OK)
        status = ig_document_measure(&j.document, &s->originals, &j.subject, s->pool,
                                     &s->channel.cancel, tick, &j, &error);
    if (status == IG_OK)
        status =
            ig_report_write(&j.document, path, s->pool, &s->channel.cancel, &error);
    ig_channel_begin(&s->channel, IG_ARRIVAL_ROW);
    s->reporting = false;
    if (status == IG_INTERRUPTED)
        ig_worker_tell(s, false, "the report was given up");
    else if (status != IG_OK)
        ig_worker_tell(s, true, "%s", error.message);
    else
        ig_worker_tell(s, false, "report of %zu run%s written to %s", runs,
                       runs == 1 ? "" : "s", path);
    ig_document_free(&j.document);
    ig_portion_free(&j.subset);
    ig_scores_free(&j.scores);
}
