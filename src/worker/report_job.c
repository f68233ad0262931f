/* The report of all runs. */
#include "worker/report_job.h"

#include <string.h>

#include "runs/reporting.h"
#include "worker/product_table.h"
#include "worker/publish.h"
#include "worker/training.h"

struct job {
    ig_session *session;
    ig_document document;
    const uint8_t *held_out; /* ids that all runs so far held out … */
    bool differ;             /* … which are not the same for all */
    ig_subset subset;
    ig_scores scores; /* those of the held-out ids, where these alone are measured */
    ig_subject subject;
};

static void tick(void *context, const char *what, double share)
{
    struct job *j = context;

    (void)what;
    ig_product_table_attend(j->session, share);
}

/* Add the runs with weights. */
static ig_status add_runs(struct job *j, ig_error *error)
{
    ig_session *s = j->session;
    const ig_runs *runs = &s->training.runs;
    ig_status status =
        ig_document_init(&j->document, s->work.set, runs->count + 1, error);

    for (size_t i = 0; i < runs->count && status == IG_OK; i++) {
        const ig_run_entry *one = runs->entry[i];
        const uint8_t *held_out = ig_training_held_out(s, one->number);

        if (one->run ? !one->run->records : !one->stored->has_weights)
            continue;
        j->differ |= !held_out || (j->held_out && memcmp(j->held_out, held_out,
                                                         s->work.set->rows) != 0);
        j->held_out = held_out;
        status = ig_reporting_add(&j->document,
                                  &(ig_reported){.number = one->number,
                                                 .run = one->run,
                                                 .stored = one->stored,
                                                 .data = s->data,
                                                 .words = s->data_words},
                                  error);
    }
    return status;
}

/* What all is measured on: the ids that all runs held out, when they are the same for
 * all. */
static ig_status choose(struct job *j, ig_error *error)
{
    ig_session *s = j->session;
    const uint8_t *only = s->request.all_rows || j->differ ? NULL : j->held_out;
    const ig_scores *scores = s->evaluation.scores;
    ig_document *d = &j->document;
    ig_status status = ig_subset_take(&j->subset, s->work.set,
                                      ig_evaluation_state_pairs(&s->evaluation), only,
                                      0, s->request.seed, error);

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
    d->seed = s->request.seed;
    j->subject = ig_subject_of(s->work.set, &j->subset, scores, s->request.seed);
    ig_reporting_machine(d);
    return status;
}

void ig_report_job(ig_session *s, const char *path)
{
    const atomic_bool *cancel = s->work.cancel;
    struct job j = {.session = s};
    size_t runs;
    ig_error error;
    ig_status status;

    s->telling.reporting = true;
    ig_long_job_begin(s);
    ig_channel_begin(&s->channel, IG_ARRIVAL_CANCEL);
    status = add_runs(&j, &error);
    runs = j.document.runs;
    if (status == IG_OK)
        status = choose(&j, &error);
    if (status == IG_OK)
        status = ig_document_measure(&j.document, &s->work.originals, &j.subject,
                                     s->work.pool, cancel, tick, &j, &error);
    if (status == IG_OK)
        status = ig_report_write(&j.document, path, s->work.pool, cancel, &error);
    ig_channel_begin(&s->channel, IG_ARRIVAL_ROW);
    ig_long_job_end(s);
    s->telling.reporting = false;
    if (status == IG_INTERRUPTED)
        ig_tell(s, false, "the report was given up");
    else if (status != IG_OK)
        ig_tell(s, true, "%s", error.message);
    else
        ig_tell(s, false, "report of %zu run%s written to %s", runs,
                runs == 1 ? "" : "s", path);
    ig_document_free(&j.document);
    ig_subset_free(&j.subset);
    ig_scores_free(&j.scores);
}
