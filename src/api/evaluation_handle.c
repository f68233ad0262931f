/* The public interface: evaluations, their figures and differences. */
#include "api/handles.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "data/names.h"
#include "data/scores.h"
#include "data/subset.h"
#include "measure/differences.h"
#include "train/run.h"

struct isogloss_evaluation {
    ig_handle handle;
    ig_evaluation evaluation;
    ig_subset subset;
    ig_scores scores;
    bool ci;           /* has intervals */
    uint64_t checksum; /* of the dataset, subset, scores and seed */
};

static void clear_evaluation(void *handle)
{
    isogloss_evaluation *e = handle;

    ig_evaluation_free(&e->evaluation);
    ig_subset_free(&e->subset);
    ig_scores_free(&e->scores);
}

const ig_handle_type ig_evaluation_handle = {
    "evaluation", "isogloss_evaluate", sizeof(isogloss_evaluation), clear_evaluation};

/* Choose the rows, pairs and scores to measure. */
static ig_status choose_rows(ig_call *call, isogloss_evaluation *e)
{
    const ig_settings *s = &call->settings;
    const ig_dataset *set = call->set->set;
    ig_pairs pairs = {0};
    uint8_t *mark = s->split > 0 ? ig_arena_array(&call->arena, set->rows, 1) : NULL;
    ig_status status = ig_call_pairs(call, &pairs, "all", true);

    if (status == IG_OK && call->arena.failed)
        status = ig_fail_memory(&call->why, "a split");
    if (status == IG_OK && mark && !call->extractor)
        status = ig_fail(&call->why, IG_USAGE, "split needs an extractor");
    if (status == IG_OK && mark)
        status = ig_run_read_split(&call->extractor->info, set,
                                   s->pairs ? &pairs : NULL,
                                   (ig_split_part)(s->split - 1), mark, &call->why);
    if (status == IG_OK && *s->scores)
        status = ig_scores_read(&e->scores, set, s->scores, NULL, &call->why);
    if (status == IG_OK)
        status = ig_subset_take(&e->subset, set, &pairs, *s->scores ? &e->scores : NULL,
                                mark, (ig_subset_limits){0}, s->train.seed, &call->why);
    ig_pairs_free(&pairs);
    return status;
}

static uint64_t compute_checksum(const ig_call *call, const isogloss_evaluation *e)
{
    const ig_subset *s = &e->subset;
    uint64_t sum =
        ig_fnv(call->set->set->checksum, &call->settings.train.seed, sizeof(uint64_t));

    sum = ig_fnv(sum, &call->settings.sample, sizeof call->settings.sample);
    sum = ig_fnv(sum, s->row, s->row ? s->rows * sizeof *s->row : 0);
    sum = ig_fnv(sum, s->left, s->pairs * sizeof *s->left);
    sum = ig_fnv(sum, s->right, s->pairs * sizeof *s->right);
    sum = ig_fnv(sum, s->scores.left, s->scores.count * sizeof *s->scores.left);
    sum = ig_fnv(sum, s->scores.right, s->scores.count * sizeof *s->scores.right);
    return ig_fnv(sum, s->scores.score, s->scores.count * sizeof *s->scores.score);
}

isogloss_status isogloss_evaluate(isogloss_evaluation **evaluation,
                                  const isogloss_dataset *set,
                                  const isogloss_extractor *extractor,
                                  isogloss_space space, const isogloss_setting *list,
                                  isogloss_error *error)
{
    ig_call call = {.handle = set,
                    .extractor = extractor,
                    .space = space,
                    .takes = IG_SETTINGS_EVALUATE,
                    .list = list,
                    .makes = &ig_evaluation_handle};
    const ig_settings *s = &call.settings;
    ig_evaluation_spec spec;
    ig_status status = ig_call_begin(&call);
    isogloss_evaluation *e = call.made;

    if (status == IG_OK)
        status = choose_rows(&call, e);
    if (status == IG_OK) {
        spec = ig_evaluation_spec_of(set->set, &e->subset, s->train.seed);
        e->checksum = compute_checksum(&call, e);
        e->ci = s->ci || s->sample;
        spec.intervals = s->ci;
        spec.sample = s->sample;
        call.all = ig_evaluation_work(&call.source.rows, &spec);
        status = ig_evaluation_take(&e->evaluation, &call.source.rows, &spec, set->pool,
                                    &call.progress, &call.why);
    }
    return ig_call_end(&call, status, evaluation, error);
}

/* --- figures ---------------------------------------------------------------------- */

const char *isogloss_figure_key(size_t i)
{
    const ig_measure *measure = ig_measure_at(i);

    return measure ? measure->name : NULL;
}

const char *isogloss_figure_about(const char *key)
{
    const ig_measure *measure = ig_measure_named(key);

    return measure ? measure->about : NULL;
}

/* The row of a figure; NULL: why there is none. */
static isogloss_figure_row row_of(const ig_figure *f, const char *key, const char *why)
{
    const double none = (double)NAN;

    return f ? (isogloss_figure_row){f->measure->name, f->from,   f->to,  f->n,
                                     f->value,         f->chance, f->low, f->high,
                                     f->reason}
             : (isogloss_figure_row){key, NULL, NULL, 0, none, none, none, none, why};
}

bool isogloss_figure_at(const isogloss_evaluation *evaluation, size_t i,
                        isogloss_figure_row *row)
{
    if (!ig_handle_is(evaluation, &ig_evaluation_handle) ||
        i >= evaluation->evaluation.figures.count)
        return false;
    *row = row_of(evaluation->evaluation.figures.row[i], NULL, NULL);
    return true;
}

double isogloss_figure(const isogloss_evaluation *evaluation, const char *key,
                       isogloss_figure_row *row)
{
    const char *why = ig_measure_named(key) ? "not measured" : "unknown figure";
    const ig_figure *f = NULL;

    if (!ig_handle_is(evaluation, &ig_evaluation_handle))
        why = "no evaluation";
    else if (ig_measure_named(key))
        f = ig_figures_whole(&evaluation->evaluation.figures, key);
    if (row)
        *row = row_of(f, key, why);
    return f ? f->value : (double)NAN;
}

/* The evaluations of a group, which must have intervals of the draws of the first. */
static ig_status add_group(const isogloss_evaluation *const *group, size_t count,
                           const isogloss_evaluation *const *first,
                           const ig_evaluation **run, ig_error *why)
{
    if (count < 1 || count > IG_SEEDS_MAX)
        return ig_fail(why, IG_USAGE, "%zu evaluations in a group (expected 1 to %d)",
                       count, IG_SEEDS_MAX);
    for (size_t i = 0; i < count; i++) {
        const isogloss_evaluation *e = group[i];

        if (ig_handle_check(e, &ig_evaluation_handle, why) != IG_OK)
            return IG_USAGE;
        if (!e->ci)
            return ig_fail(why, IG_USAGE,
                           "differences need intervals: evaluate with ci = yes");
        if (e->checksum != (*first)->checksum)
            return ig_fail(
                why, IG_VALUE,
                "the evaluations have different rows, pairs, scores or seeds");
        run[i] = &e->evaluation;
    }
    return IG_OK;
}

isogloss_status isogloss_compare(const isogloss_evaluation *const *first, size_t firsts,
                                 const isogloss_evaluation *const *second,
                                 size_t seconds, const char *key,
                                 isogloss_difference *difference, isogloss_error *error)
{
    const ig_evaluation *run[2 * IG_SEEDS_MAX];
    const ig_measure *measure = ig_measure_named(key);
    ig_call call = {.why = {IG_OK, ""}};
    ig_difference d;
    ig_status status = measure
                           ? add_group(first, firsts, first, run, &call.why)
                           : ig_fail(&call.why, IG_USAGE, "unknown figure '%s'", key);

    if (status == IG_OK)
        status = add_group(second, seconds, first, run + firsts, &call.why);
    if (status == IG_OK)
        status = ig_difference_take(&d, measure, (ig_seeds){run, firsts},
                                    (ig_seeds){run + firsts, seconds}, &call.why);
    if (status == IG_OK && !ig_interval_is(d.interval))
        status = ig_fail(&call.why, IG_VALUE,
                         "%s has no interval in one of the evaluations", key);
    if (status == IG_OK)
        *difference = (isogloss_difference){
            d.value, d.interval.low, d.interval.high, d.significant,
            d.parts, d.more,         d.less};
    return ig_call_end(&call, status, NULL, error);
}
