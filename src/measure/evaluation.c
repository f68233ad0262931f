/* Every measure of one space. Groups work on the embeddings; those that look at all
 * pairs of rows share one scan. */
#include "measure/evaluation.h"

#include <math.h>
#include <stdio.h>

#include "core/decimal.h"
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

static unsigned list_needs(unsigned groups)
{
    unsigned needs = 0;

    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        if (groups >> i & 1)
            needs |= ig_measure_groups[i]->needs |
                     (ig_measure_groups[i]->join ? IG_NEEDS_ALL_PAIRS : 0);
    return needs;
}

/* Of the scan each query takes n products; another group counts as d products a row. */
double ig_evaluation_work(const ig_rows *rows, const ig_evaluation_spec *s)
{
    double n = (double)(s->row ? s->rows : rows->rows), d = (double)rows->dims;
    double queries = s->sample && (double)s->sample < n ? 2 * (double)s->sample : n;
    unsigned groups = list_groups(s);
    double work = list_needs(groups) & IG_NEEDS_ALL_PAIRS ? queries * n * d : 0;

    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        work += groups >> i & 1 && !ig_measure_groups[i]->join ? n * d * d : 0;
    return work;
}

/* Measure the groups that look at all pairs of rows. */
static ig_status scan_all(const ig_embeddings *e, ig_evaluation *out, ig_error *error)
{
    size_t consumers = 0, done = 0;
    ig_consumer consumer[IG_GROUP_COUNT];
    ig_scan scan;
    ig_status status = ig_scan_init(&scan, &e->rows, e->first, e->languages, e->row,
                                    e->query, e->pool, e->progress, error);

    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if (out->taken >> i & 1 && ig_measure_groups[i]->join)
            status = ig_measure_groups[i]->join(e, &scan, out, &consumer[consumers++],
                                                error);
    if (status == IG_OK)
        status = ig_scan_run(&scan, consumer, consumers, e->pool, e->progress, error);
    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if (out->taken >> i & 1 && ig_measure_groups[i]->join)
            status = ig_measure_groups[i]->finish(consumer[done++].state, out, error);
    ig_arena_free(&out->figures.brief);
    ig_scan_free(&scan);
    return status;
}

static ig_status measure_all(const ig_embeddings *e, ig_evaluation *out,
                             ig_error *error)
{
    ig_figures *figures = &out->figures;
    ig_status status = IG_OK;

    if (list_needs(out->taken) & IG_NEEDS_ALL_PAIRS)
        status = scan_all(e, out, error);
    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if (out->taken >> i & 1 && !ig_measure_groups[i]->join) {
            status = ig_measure_groups[i]->measure(e, out, error);
            ig_arena_free(&figures->brief);
            ig_progress_add(e->progress, (double)e->n * (double)e->d * (double)e->d, 0);
        }
    if (status == IG_OK && figures->failed)
        status = ig_fail_memory(error, "the figures");
    if (status != IG_OK)
        return status;
    ig_figures_sort(figures);
    if (!e->intervals)
        return IG_OK;
    return ig_bootstrap(figures, e->spec->seed, e->pool,
                        e->progress ? e->progress->stop : NULL, error);
}

ig_status ig_evaluation_take(ig_evaluation *out, const ig_rows *rows,
                             const ig_evaluation_spec *spec, ig_pool *pool,
                             ig_progress *progress, ig_error *error)
{
    double begun = progress ? (double)atomic_load(&progress->done) : 0;
    ig_embeddings e;
    ig_status status;

    *out = (ig_evaluation){
        .taken = list_groups(spec),
        .figures = {.language = spec->language, .unseen = spec->unseen}};
    /* Units are numbered over the rows of all measures that were asked for, also where
     * a space lacks some: figures of two spaces are drawn alike. */
    status = ig_embeddings_init(
        &e, rows, spec,
        list_needs(out->taken) |
            (list_needs(spec->measures) & (IG_NEEDS_ROWS | IG_NEEDS_PAIRS)),
        pool, progress, error);
    out->figures.intervals = e.intervals;
    out->sample = e.sample;
    out->rows = e.used;
    out->zero_rows = e.zeros;
    if (status == IG_OK)
        status = measure_all(&e, out, error);
    if (progress)
        ig_progress_add(progress,
                        fmax(begun + ig_evaluation_work(rows, spec) -
                                 (double)atomic_load(&progress->done),
                             0),
                        0);
    ig_embeddings_free(&e);
    if (status != IG_OK)
        ig_evaluation_free(out);
    return status;
}

void ig_evaluation_free(ig_evaluation *evaluation)
{
    if (!evaluation)
        return;
    ig_arena_free(&evaluation->arena);
    ig_figures_free(&evaluation->figures);
    *evaluation = (ig_evaluation){0};
}

/* --- notes ------------------------------------------------------------------------ */

/* Means leave out directions with few candidates, where chance is high (unless all have
 * few), and those without a query of a sample. */
static size_t note_directions(const ig_retrieval *r, bool chosen, ig_note *note)
{
    size_t few = 0, none = 0, least = SIZE_MAX, n = 0;

    for (size_t i = 0; i < r->count; i++) {
        few += r->score[i].candidates < IG_FEW_CANDIDATES;
        least = r->score[i].candidates < least ? r->score[i].candidates : least;
        none += r->sampled && r->score[i].pairs == 0;
    }
    if (few) {
        note->name = "note";
        snprintf(note->text, sizeof note->text,
                 "%zu of %zu directions have fewer than %d candidates (minimum %zu); "
                 "means %s%s",
                 few, r->count, IG_FEW_CANDIDATES, least,
                 few < r->count ? "leave them out" : "weight every direction equally",
                 chosen || few == r->count ? "" : " (choose languages with --pairing)");
        n++;
    }
    if (none) {
        note[n].name = "note";
        snprintf(
            note[n].text, sizeof note->text,
            "%zu of %zu directions have no query in the sample and are left out of "
            "means (increase --sample, or choose fewer languages with --pairing)",
            none, r->count);
        n++;
    }
    return n;
}

size_t ig_evaluation_notes(const ig_evaluation *e, bool chosen, ig_note note[IG_NOTES])
{
    const ig_probe *p = &e->probe;
    char few[IG_NUMBER_SIZE];
    size_t n = note_directions(&e->retrieval, chosen, note);

    if (!isnan(ig_figures_value(&e->figures, "mining_f1"))) {
        note[n].name = "mining";
        snprintf(note[n++].text, sizeof note->text,
                 "thresholds are chosen on one half of the meanings, figures computed "
                 "on the other");
    }
    if (!p->reason && p->fitted) { /* from few rows it reads less */
        note[n].name = "probe";
        snprintf(note[n++].text, sizeof note->text,
                 "each half of the rows is read by a probe of the other, trained on %s "
                 "rows%s",
                 ig_count_format(few, p->fitted),
                 p->few ? "; few rows: accuracy is underestimated" : "");
    }
    return n;
}
