/* The public interface: evaluations, their figures and differences. */
#include "api/handles.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "data/scores.h"
#include "data/subset.h"
#include "measure/bootstrap.h"
#include "measure/differences.h"
#include "measure/figure.h"
#include "train/model.h"
#include "train/run_directory.h"

struct isogloss_evaluation {
    ig_evaluation evaluation;
    uint64_t checksum; /* of the dataset; measured on: */
    ig_subset subset;
    ig_scores scores;
    uint64_t seed;
    bool ci; /* has intervals */
};

void isogloss_evaluation_free(isogloss_evaluation *evaluation)
{
    if (!evaluation)
        return;
    ig_evaluation_free(&evaluation->evaluation);
    ig_subset_free(&evaluation->subset);
    ig_scores_free(&evaluation->scores);
    ig_free(evaluation);
}

typedef struct measuring {
    const isogloss_dataset *set;
    const isogloss_extractor *extractor;
    isogloss_space space;
    ig_api_settings settings;
    isogloss_evaluation *out;
    ig_call *call;
} measuring;

/* Mark the rows of a part of the split that an extractor was trained with. */
static ig_status mark_split(const measuring *m, const ig_pairs *pairs, uint8_t *mark,
                            ig_error *why)
{
    static const char *const names[] = {"", "train", "valid", "holdout"};
    const isogloss_extractor *x = m->extractor;
    const ig_dataset *set = m->set->set;
    ig_split_part part = (ig_split_part)(m->settings.split - 1);
    ig_stored stored;
    ig_status status;
    size_t marked = 0;

    if (!x)
        return ig_fail(why, IG_USAGE, "split = %s needs an extractor",
                       names[m->settings.split]);
    if (x->directory) {
        status = ig_stored_read(&stored, x->directory, set, true, why);
        if (status == IG_OK)
            status = ig_stored_split(&stored, set, m->settings.pairs ? pairs : NULL,
                                     part, mark, why);
        ig_stored_free(&stored);
        return status;
    }
    if (x->trained_on != set)
        return ig_fail(why, IG_VALUE,
                       "split = %s: the extractor was trained on another dataset, %s",
                       names[m->settings.split], x->trained_on->name);
    for (size_t i = 0; i < set->rows; i++) {
        mark[i] = x->part[i] == 1 + part;
        marked += mark[i];
    }
    return marked ? IG_OK
                  : ig_fail(why, IG_VALUE,
                            "split = %s: the extractor has no rows in this part",
                            names[m->settings.split]);
}

/* Choose the rows and pairs to measure. */
static ig_status choose_rows(const measuring *m, ig_error *why)
{
    const ig_api_settings *s = &m->settings;
    const ig_dataset *set = m->set->set;
    isogloss_evaluation *e = m->out;
    ig_pairs pairs = {0};
    uint8_t *mark = NULL;
    ig_status status = ig_api_take_pairs(&pairs, m->set, s, "all", true, why);

    if (status == IG_OK && s->split) {
        mark = ig_alloc(set->rows, 1);
        status = mark ? mark_split(m, &pairs, mark, why)
                      : ig_fail_memory(why, "a split");
    }
    if (status == IG_OK && s->scores)
        status = ig_scores_read(&e->scores, set, s->scores, why);
    if (status == IG_OK && s->scores && mark)
        ig_scores_keep(&e->scores, mark);
    if (status == IG_OK)
        status = ig_subset_take(&e->subset, set, &pairs, mark, 0, e->seed, why);
    ig_pairs_free(&pairs);
    ig_free(mark);
    return status;
}

static ig_status compute_figures(const measuring *m, const ig_rows *rows, ig_error *why)
{
    const ig_api_settings *s = &m->settings;
    isogloss_evaluation *e = m->out;
    ig_evaluation_spec spec = ig_evaluation_spec_of(
        m->set->set, &e->subset, s->scores ? &e->scores : NULL, e->seed);
    ig_resampling resampling = {0};
    ig_status status;

    e->ci = spec.intervals = s->ci || s->sample;
    spec.sample = s->sample;
    atomic_store(&m->call->all, (uint_least64_t)ig_evaluation_work(rows, &spec));
    status = ig_evaluation_take(&e->evaluation, rows, &spec, m->set->pool,
                                &m->call->progress, why);
    if (status == IG_OK && e->ci)
        status = ig_resampling_init(&resampling, m->set->set->rows, &spec, spec.seed,
                                    m->set->pool, why);
    resampling.stop = m->call->progress.stop;
    if (status == IG_OK && e->ci)
        status = ig_bootstrap_take(&e->evaluation, &resampling, m->set->pool, why);
    ig_resampling_free(&resampling);
    return status;
}

static ig_status work_evaluate(void *context, ig_call *call, ig_error *why)
{
    measuring *m = context;
    ig_api_space of;
    ig_status status = ig_api_take_space(&of, m->set, m->extractor, m->space, why);

    m->call = call;
    if (status == IG_OK)
        status = choose_rows(m, why);
    if (status == IG_OK)
        status = compute_figures(m, &of.source.rows, why);
    ig_api_leave_space(&of);
    return status;
}

isogloss_status isogloss_evaluate(isogloss_evaluation **evaluation,
                                  const isogloss_dataset *set,
                                  const isogloss_extractor *extractor,
                                  isogloss_space space, const isogloss_setting *list,
                                  isogloss_error *error)
{
    ig_error why;
    measuring m = {.set = set, .extractor = extractor, .space = space};
    ig_status status = ig_api_read_settings(&m.settings, list, IG_API_EVALUATE, &why);

    *evaluation = NULL;
    if (status == IG_OK) {
        m.out = ig_alloc(1, sizeof *m.out);
        if (m.out)
            *m.out = (isogloss_evaluation){.checksum = set->set->checksum,
                                           .seed = m.settings.train.seed};
        status = m.out ? ig_calls_run(set->calls, work_evaluate, &m, &why)
                       : ig_fail_memory(&why, "an evaluation");
    }
    if (status == IG_OK)
        *evaluation = m.out;
    else
        isogloss_evaluation_free(m.out);
    return ig_api_give(status, &why, error);
}

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

bool isogloss_figure_at(const isogloss_evaluation *evaluation, size_t i,
                        isogloss_figure_row *row)
{
    const ig_figures *figures = &evaluation->evaluation.figures;
    const ig_figure *f = i < figures->count ? &figures->row[i] : NULL;

    if (f)
        *row = (isogloss_figure_row){.measure = f->measure->name,
                                     .from = f->from,
                                     .to = f->to,
                                     .n = f->n,
                                     .value = f->value,
                                     .chance = f->chance,
                                     .low = f->low,
                                     .high = f->high,
                                     .reason = f->reason};
    return f != NULL;
}

double isogloss_figure(const isogloss_evaluation *evaluation, const char *key,
                       const char **reason)
{
    const ig_measure *measure = ig_measure_named(key);
    const ig_figure *f =
        measure ? ig_figures_whole(&evaluation->evaluation.figures, key) : NULL;

    if (reason)
        *reason = !measure ? "unknown figure" : !f ? "not measured" : f->reason;
    return f ? f->value : (double)NAN;
}

bool isogloss_interval(const isogloss_evaluation *evaluation, const char *key,
                       double *low, double *high)
{
    const ig_measure *measure = ig_measure_named(key);
    const ig_figure *f =
        measure ? ig_figures_whole(&evaluation->evaluation.figures, key) : NULL;

    *low = f ? f->low : (double)NAN;
    *high = f ? f->high : (double)NAN;
    return f && ig_figure_has_interval(f);
}

static bool is_equal_array(const void *a, const void *b, size_t n, size_t each)
{
    return n == 0 || memcmp(a, b, n * each) == 0;
}

/* Whether two evaluations have the same rows, pairs, scores and draws. */
static bool is_comparable(const isogloss_evaluation *a, const isogloss_evaluation *b)
{
    const ig_subset *x = &a->subset, *y = &b->subset;

    return a->checksum == b->checksum && a->seed == b->seed && !x->row == !y->row &&
           x->rows == y->rows && x->pairs == y->pairs &&
           a->scores.count == b->scores.count &&
           is_equal_array(x->row, y->row, x->row ? x->rows : 0, sizeof *x->row) &&
           is_equal_array(x->left, y->left, x->pairs, sizeof *x->left) &&
           is_equal_array(x->right, y->right, x->pairs, sizeof *x->right) &&
           is_equal_array(a->scores.left, b->scores.left, a->scores.count,
                          sizeof(uint32_t)) &&
           is_equal_array(a->scores.right, b->scores.right, a->scores.count,
                          sizeof(uint32_t)) &&
           is_equal_array(a->scores.score, b->scores.score, a->scores.count,
                          sizeof(double));
}

isogloss_status isogloss_compare(const isogloss_evaluation *first,
                                 const isogloss_evaluation *second, const char *key,
                                 isogloss_difference *difference, isogloss_error *error)
{
    const ig_evaluation *a = &first->evaluation, *b = &second->evaluation;
    const ig_measure *measure = ig_measure_named(key);
    ig_difference d;
    ig_error why;
    ig_status status;

    if (!measure)
        status = ig_fail(&why, IG_USAGE, "unknown figure '%s'", key);
    else if (!first->ci || !second->ci)
        status = ig_fail(&why, IG_USAGE,
                         "differences need intervals: evaluate with ci = yes");
    else if (!is_comparable(first, second))
        status = ig_fail(&why, IG_VALUE,
                         "the evaluations have different rows, pairs, scores or seeds");
    else
        status =
            ig_difference_take(&d, measure, (ig_seeds){&a, 1}, (ig_seeds){&b, 1}, &why);
    if (status == IG_OK && !ig_interval_is(d.interval))
        status = ig_fail(&why, IG_VALUE, "%s has no interval in one of the evaluations",
                         key);
    if (status == IG_OK)
        *difference = (isogloss_difference){.value = d.value,
                                            .low = d.interval.low,
                                            .high = d.interval.high,
                                            .significant = d.significant,
                                            .parts = d.parts,
                                            .more = d.more,
                                            .less = d.less};
    return ig_api_give(status, &why, error);
}
