/* Every measure of one space. Groups work on the embeddings; those that look at all
 * pairs of rows share one scan. */
#include "measure/evaluation.h"

#include <math.h>

#include "measure/bootstrap.h"
#include "measure/measure_group.h"

ig_evaluation_spec ig_evaluation_spec_of(const ig_dataset *set, const ig_subset *subset,
                                         const ig_scores *scores, uint64_t seed)
{
    return (ig_evaluation_spec){.measures = IG_MEASURE_ALL,
                                .row = subset->row,
                                .rows = subset->rows,
                                .id = set->has_ids ? set->id : NULL,
                                .pairs = {.lang = set->lang,
                                          .languages = set->languages,
                                          .left = subset->left,
                                          .right = subset->right,
                                          .group = subset->group,
                                          .pairs = subset->pairs},
                                .label = ig_label_to_transfer(set),
                                .pivot = ig_pairs_pivot(set),
                                .scores = scores,
                                .language = (const char *const *)set->language,
                                .seed = seed,
                                .rest = subset->row &&
                                        subset->rows == subset->of_rows &&
                                        subset->meanings == subset->of_meanings};
}

/* The groups that can be measured: without scores those that need none, and likewise
 * without parts, another run, and labels. */
static unsigned list_groups(const ig_evaluation_spec *s)
{
    unsigned groups = s->measures & IG_MEASURE_ALL;
    unsigned lacks = (s->scores ? 0 : IG_NEEDS_SCORES) |
                     (s->part ? 0 : IG_NEEDS_PARTS) |
                     (s->part || s->other ? 0 : IG_NEEDS_OTHER) |
                     (s->label ? 0 : IG_NEEDS_LABELS);

    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        if (ig_measure_groups[i]->needs & lacks)
            groups &= ~(1u << i);
    return groups;
}

/* What groups need, and those that look at all pairs of rows. */
static unsigned list_needs(unsigned groups, unsigned *scans)
{
    unsigned needs = 0;

    *scans = 0;
    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        if (groups >> i & 1) {
            needs |= ig_measure_groups[i]->needs;
            *scans |= ig_measure_groups[i]->join ? 1u << i : 0;
        }
    return needs | (*scans ? IG_NEEDS_ALL_PAIRS : 0);
}

/* --- work ------------------------------------------------------------------------- */

/* Of the scan each query takes n products; another group counts as d products a row. */
static double count_work(const ig_evaluation_spec *s, const ig_rows *rows,
                         unsigned groups, unsigned scans)
{
    double n = (double)(s->row ? s->rows : rows->rows), d = (double)rows->dims;
    double queries = s->sample && (double)s->sample < n ? 2 * (double)s->sample : n;
    double work = scans ? queries * n * d : 0;

    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        work += (groups & ~scans) >> i & 1 ? n * d * d : 0;
    return work;
}

double ig_evaluation_work(const ig_rows *rows, const ig_evaluation_spec *spec)
{
    unsigned groups = list_groups(spec), scans;

    list_needs(groups, &scans);
    return count_work(spec, rows, groups, scans);
}

/* --- the measures ----------------------------------------------------------------- */

struct job {
    const ig_rows *source;
    ig_embeddings e;
    unsigned scans; /* the groups that look at all pairs of rows */
    unsigned done;  /* groups */
    double begun;   /* work before */
};

/* Report the work of groups as done, whatever they reported themselves. */
static void settle_work(struct job *job, unsigned groups)
{
    const ig_embeddings *e = &job->e;
    double more;

    job->done |= groups;
    if (!e->progress)
        return;
    more = job->begun +
           count_work(e->spec, job->source, job->done, job->done & job->scans) -
           (double)atomic_load(&e->progress->done);
    ig_progress_add(e->progress, fmax(more, 0), 0);
}

static ig_status scan_all(struct job *job, ig_evaluation *out, ig_error *error)
{
    const ig_embeddings *e = &job->e;
    size_t consumers = 0;
    ig_consumer consumer[IG_GROUP_COUNT];
    void *state[IG_GROUP_COUNT] = {NULL};
    ig_scan scan;
    ig_status status = ig_scan_init(&scan, &e->rows, e->first, e->languages, e->row,
                                    e->query, e->pool, e->progress, error);

    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if (job->scans >> i & 1)
            status = ig_measure_groups[i]->join(e, &scan, &consumer[consumers++],
                                                &state[i], error);
    if (status == IG_OK)
        status = ig_scan_run(&scan, consumer, consumers, e->pool, e->progress, error);
    if (status == IG_OK)
        settle_work(job, job->scans);
    for (size_t i = 0; i < IG_GROUP_COUNT; i++) {
        if (!state[i])
            continue;
        if (status == IG_OK)
            status = ig_measure_groups[i]->finish(state[i], out, error);
        ig_arena_free(&out->figures.brief);
        ig_measure_groups[i]->forget(state[i]);
    }
    ig_scan_free(&scan);
    return status;
}

static ig_status measure_all(struct job *job, ig_evaluation *out, ig_error *error)
{
    ig_status status = job->scans ? scan_all(job, out, error) : IG_OK;

    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if ((out->taken & ~job->scans) >> i & 1) {
            status = ig_measure_groups[i]->measure(&job->e, out, error);
            ig_arena_free(&out->figures.brief);
            if (status == IG_OK)
                settle_work(job, 1u << i);
        }
    if (status == IG_OK && out->figures.failed)
        status = ig_fail_memory(error, "the figures");
    if (status != IG_OK)
        return status;
    ig_figures_sort(&out->figures);
    if (!job->e.intervals)
        return IG_OK;
    return ig_bootstrap(&out->figures, job->e.spec->seed, job->e.pool,
                        job->e.progress ? job->e.progress->stop : NULL, error);
}

ig_status ig_evaluation_take(ig_evaluation *out, const ig_rows *rows,
                             const ig_evaluation_spec *spec, ig_pool *pool,
                             ig_progress *progress, ig_error *error)
{
    struct job job = {.source = rows,
                      .begun = progress ? (double)atomic_load(&progress->done) : 0};
    unsigned asked, rows_of = list_needs(spec->measures, &asked), needs;
    ig_status status;

    *out = (ig_evaluation){
        .taken = list_groups(spec),
        .figures = {.language = spec->language, .unseen = spec->unseen}};
    /* Units are numbered over the rows of all measures that were asked for, also where
     * a space lacks some: figures of two spaces are drawn alike. */
    needs = list_needs(out->taken, &job.scans) |
            (rows_of & (IG_NEEDS_ROWS | IG_NEEDS_PAIRS));
    status = ig_embeddings_init(&job.e, rows, spec, needs, pool, progress, error);
    out->figures.intervals = job.e.intervals;
    out->sample = job.e.sample;
    out->rows = job.e.used;
    out->zero_rows = job.e.zeros;
    if (status == IG_OK)
        status = measure_all(&job, out, error);
    ig_embeddings_free(&job.e);
    if (status != IG_OK)
        ig_evaluation_free(out);
    return status;
}

void ig_evaluation_free(ig_evaluation *evaluation)
{
    if (!evaluation)
        return;
    ig_arena_free(&evaluation->multilingual_pool.arena);
    ig_arena_free(&evaluation->retrieval.arena);
    ig_arena_free(&evaluation->probe.arena);
    ig_figures_free(&evaluation->figures);
    *evaluation = (ig_evaluation){0};
}
