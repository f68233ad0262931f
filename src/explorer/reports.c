/* The report of all runs of a session. */
#include <stdio.h>
#include <string.h>

#include "explorer/session.h"
#include "report/document.h"

struct report {
    const ig_session *session;
    ig_job *job;
    ig_document document;
    const uint8_t *held_out; /* held-out rows of the last run … */
    bool differ;             /* … which are not the same for all runs */
    ig_subset subset;
    ig_pairs pairs; /* room for those of all languages */
    ig_evaluation_spec spec;
};

static void report_progress(void *context, const char *what, double share)
{
    (void)what;
    ig_job_progress(context, share);
}

static ig_status add_runs(struct report *r, size_t version, ig_error *error)
{
    const ig_session *s = r->session;
    ig_status status =
        ig_document_init(&r->document, s->of[version].set, s->runs.count + 1, error);

    for (size_t i = 0; i < s->runs.count && status == IG_OK; i++) {
        const ig_run_entry *one = s->runs.entry[i];
        const uint8_t *held_out = ig_training_held_out(s, one->number);

        if (one->version != version)
            continue;
        if (one->run ? !one->info->records : !one->info->extractor)
            continue;
        r->differ |= !held_out || (r->held_out && memcmp(r->held_out, held_out,
                                                         s->work.set->rows) != 0);
        r->held_out = held_out;
        status = ig_document_add(&r->document,
                                 &(ig_reported){.number = one->number,
                                                .run = one->run,
                                                .info = one->info,
                                                .data = s->data,
                                                .words = s->data_words},
                                 error);
    }
    return status;
}

/* Choose the rows to measure: the held-out ids, if they are the same for all runs. */
static ig_status choose_rows(struct report *r, ig_error *error)
{
    const ig_work *work = r->job->work;
    const ig_view_request *view = &r->job->view;
    const uint8_t *only = view->all_rows || r->differ ? NULL : r->held_out;
    const ig_scores *scores = r->session->scores;
    ig_document *d = &r->document;
    ig_status status = ig_subset_take(&r->subset, work->set,
                                      ig_evaluation_pairs(work, &r->pairs), scores,
                                      only, (ig_subset_limits){0}, view->seed, error);

    d->of_scores = scores ? scores->count : 0;
    d->split = only ? IG_DOCUMENT_VALID : IG_DOCUMENT_ALL;
    d->subset = &r->subset;
    d->scored = r->subset.scores.count;
    d->scores = scores ? "scored pairs" : NULL;
    d->seed = view->seed;
    r->spec = ig_evaluation_spec_of(work->set, &r->subset, view->seed);
    return status;
}

ig_status ig_session_report(const ig_session *s, ig_order *order, ig_job *job)
{
    struct report r = {.session = s, .job = job};
    ig_error *error = &job->error;
    ig_status status = add_runs(&r, order->version, error);

    snprintf(order->message, sizeof order->message, "report of %zu run%s saved to %s",
             r.document.runs, r.document.runs == 1 ? "" : "s", order->command.path);
    if (status == IG_OK)
        status = choose_rows(&r, error);
    if (status == IG_OK)
        status = ig_document_measure(&r.document, &s->of[order->version].originals,
                                     &r.spec, job->work->pool, &job->cancel,
                                     report_progress, job, error);
    if (status == IG_OK)
        status = ig_report_write(&r.document, order->command.path, job->work->pool,
                                 &job->cancel, error);
    ig_document_free(&r.document);
    ig_subset_free(&r.subset);
    ig_pairs_free(&r.pairs);
    return status;
}
