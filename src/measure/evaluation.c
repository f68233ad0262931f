/* Every measure of one space. Groups work on the embeddings; those that look at all
 * pairs of rows share one scan. */
#include "measure/evaluation.h"

#include <math.h>

#include "core/memory.h"
#include "measure/bootstrap.h"
#include "measure/items.h"

struct job {
    unsigned scans; /* the groups that look at all pairs of rows */
    ig_embeddings e;
    ig_scan scan;
    void *state[IG_GROUP_COUNT];
    double begun, settled; /* work before, and of the groups so far */
};

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

/* The groups that can be taken of a spec: without scores, those that need none, and
 * likewise without parts, another run, and labels. */
static unsigned list_groups(const ig_evaluation_spec *s)
{
    unsigned groups = s->measures & IG_MEASURE_ALL;
    unsigned lacks = (s->scores ? 0 : IG_NEEDS_SCORES) |
                     (s->part ? 0 : IG_NEEDS_PARTS) |
                     (s->part || s->other ? 0 : IG_NEEDS_OTHER) |
                     (s->label ? 0 : IG_NEEDS_LABELS);

    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        if (ig_measure_group_at(i)->needs & lacks)
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
            needs |= ig_measure_group_at(i)->needs;
            *scans |= ig_measure_group_at(i)->join ? 1u << i : 0;
        }
    return needs | (*scans ? IG_NEEDS_ALL_PAIRS : 0);
}

/* --- input ------------------------------------------------------------------------ */

/* Rows to learn from and to test, in the order of the dataset. Rows without an id are
 * counted by language, so that of languages in turn each is learned and tested. */
static ig_status split_rows(ig_embeddings *e, ig_error *error)
{
    ig_probe_split *split = &e->split;
    uint32_t *fit = ig_arena_array(&e->arena, e->all, sizeof *fit);
    uint32_t *test = ig_arena_array(&e->arena, e->all, sizeof *test);
    uint32_t *seen = ig_arena_array(&e->arena, e->languages, sizeof *seen);

    *split = (ig_probe_split){.fit = fit, .test = test, .apart = e->rest > 0};
    if (e->arena.failed)
        return ig_fail_memory(error, "the rows to measure");
    for (size_t i = 0; i < e->all; i++) {
        uint32_t at = e->by_row[i];
        bool measured = at < e->n;
        size_t number = measured && e->id[at] == IG_NO_ID ? seen[e->lang[at]]++
                                                          : e->id[at];

        if (measured && (split->apart || number % 2))
            test[split->tests++] = at;
        else if (measured || split->apart)
            fit[split->fits++] = at;
    }
    return IG_OK;
}

static ig_status connect_scores(struct job *job, const ig_rows *source, ig_error *error)
{
    ig_scores *scores = &job->e.scores;
    uint32_t *item = ig_arena_array(&job->e.arena, scores->count, sizeof *item);

    if (!item)
        return ig_fail_memory(error, "the scores to measure");
    if (!scores->count)
        return IG_OK;
    scores->item = item;
    return ig_items_connect(job->e.spec->scores, job->e.spec->id, source->rows, item,
                            &scores->items, error);
}

/* --- the measures ----------------------------------------------------------------- */

/* Count the work of a group as done, whatever it reported itself. */
static void settle_work(struct job *job, double work)
{
    ig_progress *watch = job->e.progress;
    double counted = watch ? (double)atomic_load(&watch->done) - job->begun : 0;

    job->settled += work;
    if (watch && counted < job->settled)
        ig_progress_add(watch, job->settled - counted, 0);
}

static ig_status scan_all(struct job *job, ig_evaluation *out, ig_error *error)
{
    const ig_embeddings *e = &job->e;
    size_t hold = e->spec->hold ? e->spec->hold : IG_HELD_BYTES, consumers = 0;
    ig_consumer consumer[IG_GROUP_COUNT];
    ig_status status;

    if (!job->scans)
        return IG_OK;
    status = ig_scan_init(&job->scan, &e->rows, e->first, e->languages, e->row,
                          e->query, hold, e->pool, e->progress, error);
    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if (job->scans >> i & 1)
            status = ig_measure_group_at(i)->join(e, &job->scan, &consumer[consumers++],
                                                  &job->state[i], error);
    if (status == IG_OK)
        status =
            ig_scan_run(&job->scan, consumer, consumers, e->pool, e->progress, error);
    if (status == IG_OK)
        settle_work(job, ig_scan_work(&job->scan));
    for (size_t i = 0; i < IG_GROUP_COUNT; i++) {
        if (job->state[i] && status == IG_OK)
            status = ig_measure_group_at(i)->finish(job->state[i], out, error);
        ig_figures_forget(&out->figures);
        if (job->state[i])
            ig_measure_group_at(i)->forget(job->state[i]);
    }
    ig_scan_free(&job->scan);
    return status;
}

static ig_status take_all(struct job *job, ig_evaluation *out, ig_error *error)
{
    unsigned others = out->taken & ~job->scans;
    ig_status status = scan_all(job, out, error);

    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if (others >> i & 1) {
            status = ig_measure_group_at(i)->measure(&job->e, out, error);
            ig_figures_forget(&out->figures);
            if (status == IG_OK)
                settle_work(job, ig_measure_group_at(i)->work(&job->e));
        }
    return status;
}

double ig_evaluation_work(const ig_rows *rows, const ig_evaluation_spec *spec)
{
    uint8_t *mark = ig_alloc(rows->rows, 1);
    ig_embeddings e = {.spec = spec,
                       .d = rows->dims,
                       .languages = spec->pairs.languages,
                       .pairs = spec->pairs.pairs};
    unsigned groups = list_groups(spec), scans, needs = list_needs(groups, &scans);
    bool known = mark &&
                 ig_evaluation_spec_mark(spec, rows->rows, needs, mark, NULL) == IG_OK;
    double work = 0, asking;

    if (spec->scores)
        e.scores.count = spec->scores->count;
    for (size_t i = 0; known && i < rows->rows; i++) {
        e.n += (mark[i] & IG_ROW_MEASURED) != 0;
        e.rest += (mark[i] & IG_ROW_REST) != 0;
    }
    if (spec->sample && spec->sample < e.n)
        asking = 2 * (double)spec->sample;
    else
        asking = (double)e.n;
    if (scans)
        work = asking * (double)e.n * (double)rows->dims;
    for (size_t i = 0; known && i < IG_GROUP_COUNT; i++)
        if ((groups & ~scans) >> i & 1)
            work += ig_measure_group_at(i)->work(&e);
    ig_free(mark);
    return work;
}

ig_status ig_evaluation_take(ig_evaluation *evaluation, const ig_rows *rows,
                             const ig_evaluation_spec *spec, ig_pool *pool,
                             ig_progress *watch, ig_error *error)
{
    struct job job = {0};
    ig_evaluation taken = {
        .taken = list_groups(spec),
        .figures = {.language = spec->language, .unseen = spec->unseen}};
    /* Units are numbered over the rows of all measures that were asked for, also where
     * a space lacks some: figures of two spaces are drawn alike. */
    unsigned asked, rows_of = list_needs(spec->measures, &asked);
    unsigned needs = list_needs(taken.taken, &job.scans) |
                     (rows_of & (IG_NEEDS_ROWS | IG_NEEDS_PAIRS));
    ig_status status;

    *evaluation = (ig_evaluation){0};
    if (watch)
        job.begun = (double)atomic_load(&watch->done);
    status = ig_embeddings_init(&job.e, rows, spec, needs, pool, watch, error);
    if (status == IG_OK)
        status = connect_scores(&job, rows, error);
    if (status == IG_OK)
        status = split_rows(&job.e, error);
    if (status == IG_OK) {
        taken.figures.intervals = job.e.intervals;
        taken.sample = job.e.sample;
        taken.rows = job.e.used;
        taken.zero_rows = job.e.zeros;
        status = take_all(&job, &taken, error);
    }
    if (status == IG_OK && taken.figures.failed)
        status = ig_fail_memory(error, "the figures");
    if (status == IG_OK)
        ig_figures_sort(&taken.figures);
    if (status == IG_OK && taken.figures.intervals)
        status = ig_bootstrap(&taken.figures, spec->seed, pool,
                              watch ? watch->stop : NULL, error);
    ig_embeddings_free(&job.e);
    if (status == IG_OK)
        *evaluation = taken;
    else
        ig_evaluation_free(&taken);
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
