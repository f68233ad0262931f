/* The report of all runs of a session. */
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "explorer/provenance.h"
#include "report/document.h"
#include "view/axes.h"

/* Add the runs of a version.
 *   only  out  the rows to measure: those that all runs hold out, or NULL: all */
static ig_status add_runs(ig_job *job, ig_document *d, size_t version,
                          const uint8_t **only)
{
    const ig_session *s = job->session;
    bool differ = job->view.all_rows;
    ig_status status =
        ig_document_init(d, s->of[version].set, s->runs.count + 1, &job->error);

    *only = NULL;
    if (status == IG_OK)
        status = ig_mapping_check(s->of[version].set->mapping, &job->error);
    for (size_t i = 0; i < s->runs.count && status == IG_OK; i++) {
        const ig_run_entry *one = s->runs.entry[i];
        const uint8_t *mask = ig_training_rows(s, one->number, true);

        if (one->version != version ||
            (one->run ? !one->info->records : !one->info->extractor))
            continue;
        differ |= !mask || (*only && memcmp(*only, mask, s->work.set->rows) != 0);
        *only = mask;
        status = ig_document_add(d,
                                 &(ig_document_run){.number = one->number,
                                                    .run = one->run,
                                                    .info = one->info,
                                                    .data = s->setup.data,
                                                    .words = s->setup.data_words},
                                 &job->error);
    }
    if (differ)
        *only = NULL;
    return status;
}

ig_status ig_session_report(const ig_session *s, ig_order *order, ig_job *job)
{
    const ig_work *work = job->work;
    const char *path = order->command.path;
    ig_error *error = &job->error;
    char count[IG_COUNTED], rows[IG_PROVENANCE];
    ig_document d;
    ig_subset subset = {0};
    ig_pairs pairs = {0}; /* room for those of all languages */
    ig_evaluation_spec spec;
    const uint8_t *only;
    ig_job_part all = {.job = job, .each = 1};
    const ig_progress watch = {
        .stop = &job->cancel, .tick = ig_job_tick, .context = &all};
    ig_status status = add_runs(job, &d, order->version, &only);

    if (status == IG_OK)
        status = ig_subset_take(&subset, work->set, ig_evaluation_pairs(work, &pairs),
                                s->setup.scores, only, (ig_subset_limits){0},
                                job->view.seed, error);
    d.of_scores = s->setup.scores ? s->setup.scores->count : 0;
    d.split = !only || !d.runs               ? 0
              : d.run[0].info->holdout_pairs ? 1 + IG_SPLIT_HOLDOUT
                                             : 1 + IG_SPLIT_VALID;
    for (size_t i = 0; i < d.runs && !only; i++)
        d.run[i].transductive = ig_run_fits(d.run[i].info, work->set);
    for (size_t i = 0; i < d.runs; i++) /* as panels say it */
        ig_terms_add(&d.terms, d.run[i].title, "%s·%zu epoch %zu, %s",
                     d.run[i].info->name, d.run[i].number, d.run[i].info->best,
                     ig_sampled_rows(subset.meanings, subset.of_meanings,
                                     !only                           ? "id"
                                     : d.split == 1 + IG_SPLIT_VALID ? "validation id"
                                                                     : "test id",
                                     rows));
    d.subset = &subset;
    d.scored = subset.scores.count;
    d.seed = job->view.seed;
    d.ci = true;
    d.scores = s->setup.scores ? "scored pairs" : NULL;
    spec = ig_evaluation_spec_of(work->set, &subset, d.seed);
    spec.intervals = true;
    if (status == IG_OK)
        status = ig_document_measure(&d, &s->of[order->version].originals, &spec,
                                     work->pool, &watch, error);
    if (status == IG_OK)
        status = ig_report_write(&d, path, work->pool, &job->cancel, error);
    snprintf(order->message, sizeof order->message, "report of %s saved to %s",
             ig_counted(count, d.runs, "run"), path);
    ig_document_free(&d);
    ig_subset_free(&subset);
    ig_pairs_free(&pairs);
    return status;
}
