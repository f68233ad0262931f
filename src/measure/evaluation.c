/* Every measure of one space. Groups work on the embeddings; those that look at all
 * pairs of rows share one scan. */
#include "measure/evaluation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/bootstrap.h"

ig_evaluation_spec ig_evaluation_spec_of(const ig_dataset *set, const ig_subset *subset,
                                         uint64_t seed)
{
    return (ig_evaluation_spec){.measures = IG_MEASURE_ALL,
                                .row = subset->row,
                                .rows = subset->rows,
                                .id = set->ids ? set->id : NULL,
                                .pairs = {.lang = set->lang,
                                          .languages = set->languages,
                                          .left = subset->left,
                                          .right = subset->right,
                                          .group = subset->group,
                                          .pairs = subset->pairs},
                                .label = ig_label_to_transfer(set),
                                .pivot = ig_pairs_pivot(set),
                                .scores = subset->scores.left ? &subset->scores : NULL,
                                .language = (const char *const *)set->language,
                                .seed = seed,
                                .rest = subset->row &&
                                        subset->rows == subset->of_rows &&
                                        subset->meanings == subset->of_meanings};
}

/* Whether a group is left out: what it has of two languages grows with the square. */
static bool is_left_out(const ig_evaluation_spec *s, size_t i)
{
    const ig_measure_group *group = ig_measure_groups[i];
    bool counts = group->needs & (IG_NEEDS_PAIRS | IG_NEEDS_REST);

    return s->pairs.languages > (group->join ? IG_LANGUAGES_SCANNED
                                 : counts    ? IG_LANGUAGES_COUNTED
                                             : UINT16_MAX);
}

/* The groups that can be measured: without scores those that need none, and likewise
 * without parts, another run, and labels. Units are numbered over the rows of all
 * chosen measures, also where a space lacks some: two spaces are drawn alike.
 *   needs  out  IG_NEEDS_… */
static unsigned list_groups(const ig_evaluation_spec *s, unsigned *needs)
{
    unsigned groups = 0;
    unsigned lacks = (s->scores ? 0 : IG_NEEDS_SCORES) |
                     (s->part ? 0 : IG_NEEDS_PARTS) |
                     (s->part || s->other ? 0 : IG_NEEDS_OTHER) |
                     (s->label ? 0 : IG_NEEDS_LABELS) |
                     (s->judged ? 0 : IG_NEEDS_JUDGED);

    *needs = 0;
    for (size_t i = 0; i < IG_GROUP_COUNT; i++) {
        const ig_measure_group *group = ig_measure_groups[i];

        if (!(s->measures >> i & 1) || is_left_out(s, i))
            continue;
        *needs |= group->needs & (IG_NEEDS_ROWS | IG_NEEDS_PAIRS);
        if (group->needs & lacks)
            continue;
        groups |= 1u << i;
        *needs |= group->needs | (group->join ? IG_NEEDS_ALL_PAIRS : 0);
    }
    return groups;
}

/* Of the scan each query takes n products; another group counts as d products a row. */
double ig_evaluation_work(const ig_rows *rows, const ig_evaluation_spec *s)
{
    double n = (double)(s->row ? s->rows : rows->rows), d = (double)rows->dims;
    double queries = s->sample && (double)s->sample < n ? 2 * (double)s->sample : n;
    unsigned needs, groups = list_groups(s, &needs);
    double work = needs & IG_NEEDS_ALL_PAIRS ? queries * n * d : 0;

    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        work += groups >> i & 1 && !ig_measure_groups[i]->join ? n * d * d : 0;
    return work;
}

/* Whether a group had memory, and was not cancelled. */
static ig_status check_group(const ig_embeddings *e, ig_evaluation *out)
{
    ig_arena *brief = &out->figures.brief;

    brief->failed |= out->figures.failed || out->arena.failed;
    return ig_embeddings_check(e, brief);
}

/* Measure the groups that look at all pairs of rows. */
static ig_status scan_all(const ig_embeddings *e, ig_evaluation *out)
{
    size_t consumers = 0, done = 0;
    ig_consumer consumer[IG_GROUP_COUNT];
    ig_scan scan;
    ig_status status = ig_scan_init(&scan, &e->rows, e->first, e->languages, e->row,
                                    e->query, e->pool, e->progress, e->error);

    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if (out->taken >> i & 1 && ig_measure_groups[i]->join) {
            consumer[consumers++] = ig_measure_groups[i]->join(e, &scan, out);
            status = check_group(e, out);
        }
    if (status == IG_OK)
        status =
            ig_scan_run(&scan, consumer, consumers, e->pool, e->progress, e->error);
    out->zero_rows = scan.zeros;
    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if (out->taken >> i & 1 && ig_measure_groups[i]->join) {
            ig_measure_groups[i]->finish(consumer[done++].state, out);
            status = check_group(e, out);
        }
    ig_arena_free(&out->figures.brief);
    ig_scan_free(&scan);
    return status;
}

/* Complete the reasons of values: of how many items, and why there is no interval. */
static ig_status complete_reasons(ig_figures *figures, ig_error *error)
{
    for (size_t i = 0; i < figures->count; i++) {
        ig_figure *f = figures->row[i];
        char text[256];
        const char *none =
            !figures->intervals || ig_figure_has_interval(f) ? ""
            : f->measure->is & IG_MINIMUM ? "; no interval: a minimum over directions"
            : f->measure->is & IG_POINT_ONLY
                ? "; no interval: draws would be biased, or take as long as measuring"
            : f->how == IG_NO_ITEMS ? "; no interval: it has no items to draw"
                                    : "; no interval: too few items to draw";

        if (isnan(f->value) || (!f->marked && !*none))
            continue;
        if (f->marked)
            snprintf(text, sizeof text, "%zu %s%s", f->marked, f->reason, none);
        f->reason = f->marked ? ig_arena_text(&figures->arena, text, strlen(text))
                              : none + 2;
    }
    return figures->arena.failed ? ig_fail_memory(error, "reasons") : IG_OK;
}

ig_status ig_evaluation_take(ig_evaluation *out, const ig_rows *rows,
                             const ig_evaluation_spec *spec, ig_pool *pool,
                             ig_progress *progress, ig_error *error)
{
    static const char too_many[] = "too many languages (at most 1,000; cka and probes "
                                   "10,000); --column lang=NAME reads groups instead";
    const ig_measure *m;
    unsigned needs;
    ig_embeddings e;
    ig_status status;

    *out = (ig_evaluation){
        .taken = list_groups(spec, &needs),
        .figures = {.language = spec->language,
                    .languages = spec->language ? spec->pairs.languages : 0}};
    for (size_t i = 0; (m = ig_measure_at(i)) != NULL; i++) {
        if (!(spec->measures >> m->group & 1) || !is_left_out(spec, (size_t)m->group))
            continue;
        if (!out->taken)
            return ig_fail(error, IG_VALUE, "%s: %s", ig_measure_groups[m->group]->word,
                           too_many);
        out->retrieval.reason = too_many;
        if (!(m->is & IG_PARTS))
            ig_figures_add(&out->figures, m->name, (double)NAN, too_many);
    }
    status = ig_embeddings_init(&e, rows, spec, needs, pool, progress, error);
    out->figures.intervals = e.intervals;
    out->sample = e.sample;
    if (status == IG_OK && needs & IG_NEEDS_ALL_PAIRS)
        status = scan_all(&e, out);
    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if (out->taken >> i & 1 && !ig_measure_groups[i]->join) {
            status = ig_measure_groups[i]->measure(&e, out);
            if (status == IG_OK)
                status = check_group(&e, out);
            ig_arena_free(&out->figures.brief);
            ig_progress_add(progress, (double)e.n * (double)e.d * (double)e.d, 0);
        }
    if (status == IG_OK)
        ig_figures_sort(&out->figures);
    if (status == IG_OK && e.intervals)
        status = ig_bootstrap(&out->figures, spec->seed, pool, progress, error);
    if (status == IG_OK)
        status = complete_reasons(&out->figures, error);
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

/* --- what groups share ------------------------------------------------------------ */

ig_figure *ig_figures_add_rows(ig_figures *figures, const char *measure, ig_combine how,
                               const ig_embeddings *e)
{
    ig_figure *f = ig_figures_add_items(figures, measure, IG_ALL_LANGUAGES,
                                        IG_ALL_LANGUAGES, how, e->n);

    if (f->items)
        memcpy(f->unit, e->meaning, f->items * sizeof *f->unit);
    f->n = e->n;
    return f;
}

void ig_figures_add_counts(ig_figures *figures, const char *measure,
                           const size_t *count, size_t k, bool pooled)
{
    size_t rows = 0;
    size_t *total = ig_arena_array(&figures->brief, 2 * k, sizeof *total);
    size_t *counted = total + k; /* as each language */

    for (size_t c = 0; total && c < k * k; c++) {
        total[c / k] += count[c];
        counted[c % k] += count[c];
        rows += count[c];
    }
    for (size_t c = 0; total && c < k * k; c++) {
        size_t i = c / k, j = c % k;
        ig_figure *row;

        if (!total[i] || (k > IG_LANGUAGES_READ && !count[c]))
            continue;
        row = ig_figures_add_languages(figures, measure, i, j,
                                       (double)count[c] / (double)total[i], NULL);
        row->n = total[i];
        row->chance = pooled ? (double)(total[j] - (i == j)) / (double)(rows - 1)
                             : (double)counted[j] / (double)rows;
    }
}

/* --- chosen by name --------------------------------------------------------------- */

#define GROUP(member, NAME) &ig_##member##_group,

const ig_measure_group *const ig_measure_groups[IG_GROUP_COUNT] = {
    IG_MEASURE_GROUPS(GROUP)};

ig_status ig_measures_choose(ig_measure_choice *choice, const char *label,
                             const char *list, ig_error *error)
{
    *choice = (ig_measure_choice){0};
    for (size_t n, at;; list += n + 1) {
        const ig_measure *measure;
        const char *near = NULL;
        bool found = false, all;

        n = strcspn(list, ",");
        choice->all |= all = n == 3 && memcmp(list, "all", n) == 0;
        for (size_t i = 0; (measure = ig_measure_at(i / 3)) != NULL; i++) {
            const char *const word[] = {
                measure->name, ig_measure_groups[measure->group]->word, measure->label};

            near = near || !ig_name_resembles(word[i % 3], list, n) ? near
                                                                    : word[i % 3];
            if (!all && (strlen(word[i % 3]) != n || memcmp(list, word[i % 3], n) != 0))
                continue;
            found = true;
            choice->measures |= 1u << measure->group;
            for (at = 0; at < choice->count && choice->measure[at] != measure;)
                at++;
            choice->measure[at] = measure;
            choice->count += at == choice->count;
        }
        if (!found)
            return ig_fail(error, IG_USAGE,
                           "%s: unknown measure '%.*s'%s%s%s (all, or a name of "
                           "isogloss-measures(7))",
                           label, (int)(n < 40 ? n : 40), list,
                           near ? "; did you mean " : "", near ? near : "",
                           near ? "?" : "");
        if (!list[n])
            return IG_OK;
    }
}

void ig_figures_choose(ig_figures *figures, const ig_measure_choice *choice)
{
    size_t n = 0;

    for (size_t i = 0; i < figures->count; i++)
        for (size_t c = 0; c < choice->count; c++)
            if (choice->measure[c] == figures->row[i]->measure)
                figures->row[n++] = figures->row[i];
    figures->count = n;
}
