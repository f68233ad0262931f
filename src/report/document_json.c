/* A document as JSON. What cannot be computed is null, and `reasons` says why. The
 * figures are those of the families' tables; here stands only what a family has beside
 * them. */
#include "report/document.h"

#include <math.h>
#include <stdio.h>

#include "measure/catalogue.h"

static void put_real(ig_json *object, const char *key, double value)
{
    ig_json_put(object, key, ig_json_real(value));
}

static void put_count(ig_json *object, const char *key, size_t value)
{
    ig_json_put(object, key, ig_json_count(value));
}

/* --- measures -------------------------------------------------------------------- */

/* [low, high] under a key of the object *ci, which is made when it is needed. */
static void add_interval(ig_json **ci, const char *key, ig_interval interval)
{
    ig_json *pair;

    if (!ig_interval_is(interval))
        return;
    if (!*ci)
        *ci = ig_json_object();
    pair = ig_json_array();
    ig_json_push(pair, ig_json_real(interval.low));
    ig_json_push(pair, ig_json_real(interval.high));
    ig_json_put(*ci, key, pair);
}

static void put_intervals(ig_json *object, ig_json *ci)
{
    if (ci)
        ig_json_put(object, "ci", ci);
}

/* A standard error under a key of the object *errors, which is made when it is
 * needed. */
static void add_error(ig_json **errors, const char *key, double error)
{
    if (isnan(error))
        return;
    if (!*errors)
        *errors = ig_json_object();
    put_real(*errors, key, error);
}

static void put_errors(ig_json *object, ig_json *errors)
{
    if (errors)
        ig_json_put(object, "standard_error", errors);
}

/* What stands beside figures: their intervals, their standard errors. */
struct beside {
    ig_json *ci, *errors;
};

static void put_beside(ig_json *object, const struct beside *beside)
{
    put_intervals(object, beside->ci);
    put_errors(object, beside->errors);
}

/* The figures of a family, what guessing gives and what stands beside them: in its
 * group, or in the space, beside whose figures stands *of_space. */
static void put_figures(ig_json *space, struct beside *of_space, ig_json *group,
                        const ig_family *family, const ig_evaluation *e)
{
    struct beside own = {0};

    for (size_t i = 0; i < family->entries; i++) {
        const ig_measure_entry *entry = &family->entry[i];
        const char *key = entry->member ? entry->member : entry->key;
        ig_json *out = entry->of_space ? space : group;
        struct beside *beside = out == space ? of_space : &own;
        char chance[64];

        put_real(out, key, ig_measure_read(entry, e));
        add_interval(&beside->ci, key, ig_measure_interval(entry, e));
        add_error(&beside->errors, key, ig_measure_error(entry, e));
        if (!ig_measure_has_chance(entry))
            continue;
        snprintf(chance, sizeof chance, "%s_chance", key);
        put_real(out, entry->guess_member ? entry->guess_member : chance,
                 ig_measure_chance(entry, e));
    }
    put_beside(group, &own);
}

static ig_json *directions_json(const ig_evaluation *e, const ig_set *set)
{
    const ig_retrieval *retrieval = &e->retrieval;
    ig_json *out = ig_json_array();

    for (size_t i = 0; i < retrieval->count; i++) {
        const ig_retrieval_score *score = &retrieval->score[i];
        ig_json *one = ig_json_object();
        struct beside beside = {0};

        ig_json_put(one, "from", ig_json_text(set->language[score->from]));
        ig_json_put(one, "to", ig_json_text(set->language[score->to]));
        put_count(one, "pairs", score->pairs);
        put_count(one, "candidates", score->candidates);
        for (size_t f = 0; f < ig_retrieval_family.entries; f++) {
            const ig_measure_entry *entry = &ig_retrieval_family.entry[f];

            if (!entry->pair_at)
                continue;
            put_real(one, entry->key, ig_measure_of_pair(entry, score));
            add_interval(&beside.ci, entry->key,
                         ig_measure_interval_of_pair(entry, e, i));
            add_error(&beside.errors, entry->key,
                      ig_measure_error_of_pair(entry, e, i));
        }
        put_beside(one, &beside);
        ig_json_push(out, one);
    }
    return out;
}

/* Means over the directions out of each language and into it. */
static ig_json *languages_json_of(const ig_evaluation *e, const ig_set *set)
{
    ig_json *out = ig_json_array();

    for (size_t k = 0; k < set->languages; k++) {
        ig_json *one = ig_json_object();

        ig_json_put(one, "of", ig_json_text(set->language[k]));
        for (int into = 0; into < 2; into++) {
            ig_json *means = ig_json_object();
            struct beside beside = {0};

            for (size_t f = 0; f < ig_retrieval_family.entries; f++) {
                const ig_measure_entry *entry = &ig_retrieval_family.entry[f];

                if (!entry->pair_at)
                    continue;
                put_real(means, entry->key, ig_measure_of_language(entry, e, k, into));
                add_interval(&beside.ci, entry->key,
                             ig_measure_interval_of_language(entry, e, k, into));
                add_error(&beside.errors, entry->key,
                          ig_measure_error_of_language(entry, e, k, into));
            }
            put_beside(means, &beside);
            ig_json_put(one, into ? "into" : "out_of", means);
        }
        ig_json_push(out, one);
    }
    return out;
}

/* Counts of one language by another, or an empty array. */
static ig_json *counts_json(const ig_language_counts *counts)
{
    ig_json *rows = ig_json_array();

    for (size_t i = 0; i < counts->languages; i++) {
        ig_json *row = ig_json_array();

        for (size_t j = 0; j < counts->languages; j++)
            ig_json_push(row, ig_json_count(ig_language_count(counts, i, j)));
        ig_json_push(rows, row);
    }
    return rows;
}

static void put_kind(ig_json *out, const ig_correlation *c)
{
    put_count(out, "pairs", c->pairs);
    put_real(out, "pearson", c->pearson);
    put_real(out, "spearman", c->spearman);
    if (c->reason)
        ig_json_put(out, "reason", ig_json_text(c->reason));
}

static ig_json *kinds_json(const ig_evaluation *e)
{
    const ig_similarity *s = &e->similarity;
    ig_json *kinds = ig_json_array();

    for (size_t i = 0; i < s->kinds; i++) {
        ig_json *one = ig_json_object(), *ci = NULL;

        ig_json_put(one, "pair", ig_json_text(s->by_pair[i].pair));
        put_kind(one, &s->by_pair[i]);
        for (size_t f = 0; f < ig_similarity_family.entries; f++) {
            const ig_measure_entry *entry = &ig_similarity_family.entry[f];

            if (entry->kind_at)
                add_interval(&ci,
                             entry->correlation == IG_SPEARMAN ? "spearman" : "pearson",
                             ig_measure_interval_of_kind(entry, e, i));
        }
        put_intervals(one, ci);
        ig_json_push(kinds, one);
    }
    return kinds;
}

static ig_json *spectrum_json(const ig_isotropy *isotropy)
{
    ig_json *out = ig_json_array();

    for (size_t i = 0; isotropy->eigenvalue && i < isotropy->dims; i++)
        ig_json_push(out, ig_json_float((float)isotropy->eigenvalue[i]));
    return out;
}

static ig_json *mining_json(const ig_evaluation *e, const ig_set *set)
{
    const ig_mining *mining = &e->mining;
    ig_json *out = ig_json_array();

    for (size_t i = 0; i < mining->count; i++) {
        const ig_mining_pair *pair = &mining->pair[i];
        ig_json *one = ig_json_object(), *languages = ig_json_array(), *ci = NULL;

        for (int k = 0; k < 2; k++)
            ig_json_push(languages, ig_json_text(set->language[pair->lang[k]]));
        ig_json_put(one, "languages", languages);
        put_count(one, "rows", pair->rows[0] + pair->rows[1]);
        put_count(one, "with_partner", pair->partner[0] + pair->partner[1]);
        put_count(one, "to_be_found", pair->gold);
        put_count(one, "mined", pair->mined);
        put_real(one, "threshold", pair->threshold);
        for (size_t f = 0; f < ig_mining_family.entries; f++) {
            const ig_measure_entry *entry = &ig_mining_family.entry[f];

            put_real(one, entry->member, ig_measure_of_mined(entry, pair));
            add_interval(&ci, entry->member, ig_measure_interval_of_mined(entry, e, i));
        }
        put_intervals(one, ci);
        if (pair->reason)
            ig_json_put(one, "reason", ig_json_text(pair->reason));
        ig_json_push(out, one);
    }
    return out;
}

/* What a family has beside its figures. */
static void put_details(ig_json *out, ig_json *group, const ig_family *family,
                        const ig_evaluation *e, const ig_set *set)
{
    if (family == &ig_retrieval_family) {
        put_count(group, "directions", e->retrieval.count);
        put_count(group, "pairs", e->retrieval.mean.pairs);
        ig_json_put(out, "retrieval", directions_json(e, set));
        ig_json_put(out, "retrieval_by_language", languages_json_of(e, set));
    } else if (family == &ig_mining_family) {
        put_count(group, "candidates", e->mining.candidates);
        put_count(group, "without_partner", e->mining.lone);
        ig_json_put(group, "by_languages", mining_json(e, set));
    } else if (family == &ig_probe_family) {
        put_count(group, "fitted", e->probe.fitted);
        put_count(group, "tested", e->probe.tested);
        ig_json_put(group, "confusion", counts_json(&e->probe.confusion));
    } else if (family == &ig_mixed_pool_family) {
        put_count(group, "queries", e->mixed_pool.queries);
        ig_json_put(group, "nearest", counts_json(&e->mixed_pool.met));
    } else if (family == &ig_similarity_family) {
        put_count(group, "pairs", e->similarity.all.pairs);
        if (e->similarity.all.reason)
            ig_json_put(group, "reason", ig_json_text(e->similarity.all.reason));
        ig_json_put(group, "by_pair", kinds_json(e));
    } else if (family == &ig_isotropy_family) {
        ig_json_put(out, "spectrum", spectrum_json(&e->isotropy));
    }
}

/* Why figures are null, by their names. */
static ig_json *reasons_json(const ig_evaluation *e)
{
    ig_json *out = ig_json_object();
    const ig_measure_entry *entry;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++)
        if (ig_measure_taken(entry, e) && ig_measure_reason(entry, e))
            ig_json_put(out, entry->key, ig_json_text(ig_measure_reason(entry, e)));
    return out;
}

static ig_json *space_json(const ig_evaluation *e, const ig_set *set)
{
    struct beside beside = {0};
    ig_json *out;

    if (!e)
        return ig_json_text(NULL);
    out = ig_json_object();
    for (size_t f = 0; f < IG_FAMILY_COUNT; f++) {
        const ig_family *family = ig_family_at(f);
        ig_json *group = family->group ? ig_json_object() : out;

        if (ig_evaluation_result(e, family)) {
            put_figures(out, &beside, group, family, e);
            put_details(out, group, family, e, set);
        }
        if (family->group && ig_evaluation_result(e, family))
            ig_json_put(out, family->group, group);
        else if (family->group)
            ig_json_delete(group);
    }
    put_beside(out, &beside);
    put_count(out, "zero_rows", e->zero_rows);
    ig_json_put(out, "reasons", reasons_json(e));
    return out;
}

/* --- the document ---------------------------------------------------------------- */

/* Means over the languages that the run was trained on, and those with another one. */
static void put_unseen(ig_json *space, const ig_document_run *run,
                       const ig_evaluation *e)
{
    const ig_family *family = &ig_retrieval_family;

    for (int any = 0; any < 2; any++) {
        ig_json *means = ig_json_object();

        for (size_t f = 0; f < family->entries; f++)
            if (family->entry[f].pair_at)
                put_real(means, family->entry[f].key,
                         ig_measure_of_pairs(&family->entry[f], e, run->unseen, any));
        ig_json_put(space, any ? "retrieval_unseen" : "retrieval_seen", means);
    }
}

static void put_run_spaces(ig_json *spaces, const ig_document *d, size_t run)
{
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++) {
        const ig_evaluation *e = ig_document_space(d, run, (ig_space)s);
        ig_json *space = space_json(e, d->set);

        if (e && d->run[run].unseen && ig_evaluation_result(e, &ig_retrieval_family))
            put_unseen(space, &d->run[run], e);
        ig_json_put(spaces, ig_space_name((ig_space)s), space);
    }
}

static void put_run(ig_json *out, const ig_document_run *r, const ig_set *set)
{
    ig_json *unseen = r->unseen ? ig_json_array() : NULL;

    ig_json_put(out, "run", ig_json_text(r->name));
    ig_json_put(out, "method", ig_json_text(r->method));
    put_count(out, "epoch", r->epoch);
    if (r->transductive)
        ig_json_put(out, "transductive", ig_json_bool(true));
    for (size_t k = 0; r->unseen && k < set->languages; k++)
        if (r->unseen[k])
            ig_json_push(unseen, ig_json_text(set->language[k]));
    if (r->unseen)
        ig_json_put(out, "unseen_languages", unseen);
}

static ig_json *languages_json(const ig_set *set)
{
    ig_json *out = ig_json_object();

    for (size_t k = 0; k < set->languages; k++)
        put_count(out, set->language[k], set->language_rows[k]);
    return out;
}

static void put_sample(ig_json *out, const ig_query_sample *s)
{
    ig_json *sample = ig_json_object();

    put_count(sample, "rows", s->rows);
    put_count(sample, "of", s->of_rows);
    put_count(sample, "meanings", s->meanings);
    put_count(sample, "of_meanings", s->of_meanings);
    put_count(sample, "beside", s->beside);
    put_count(sample, "seed", (size_t)s->seed);
    ig_json_put(out, "sample", sample);
}

static void put_measured(ig_json *out, const ig_document *d)
{
    const ig_set_notes *notes = &d->set->notes;
    ig_json *measured = ig_json_object();

    ig_json_put(measured, "split", ig_json_text(ig_document_split_name(d->split)));
    put_count(measured, "rows", d->subset->rows);
    put_count(measured, "pairs", d->subset->pairs);
    put_count(measured, "meanings", d->subset->meanings);
    if (d->scores) {
        put_count(measured, "scores", d->scored);
        put_count(measured, "of_scores", d->of_scores);
    }
    ig_json_put(out, "measured", measured);
    if (d->original.sample.rows)
        put_sample(out, &d->original.sample);
    put_count(out, "zero_rows", d->zero_rows);
    put_count(out, "repeated_ids", notes->repeated_ids);
    put_count(out, "single_languages", notes->single_languages);
    if (notes->sampled_from)
        put_count(out, "sampled_from", notes->sampled_from);
    put_count(out, "seed", (size_t)d->seed);
}

static ig_json *runs_json(const ig_document *d)
{
    ig_json *runs = ig_json_array();

    for (size_t r = 0; r < d->runs; r++) {
        ig_json *run = ig_json_object(), *own = ig_json_object();

        put_run(run, &d->run[r], d->set);
        put_run_spaces(own, d, r);
        ig_json_put(run, "spaces", own);
        ig_json_push(runs, run);
    }
    return runs;
}

static ig_json *run_name(const ig_document *d, size_t run)
{
    return ig_json_text(run == IG_NO_RUN ? "original" : d->run[run].name);
}

/* Differences, each with what it is of. */
static ig_json *differences_json(const ig_document *d)
{
    ig_json *out = ig_json_array();

    for (size_t i = 0; i < d->differences; i++)
        for (size_t f = 0; f < d->difference[i].count; f++) {
            const ig_difference *of = &d->difference[i].figure[f];
            ig_json *one = ig_json_object(), *ci = NULL;

            ig_json_put(one, "of", run_name(d, d->difference[i].second));
            ig_json_put(one, "less", run_name(d, d->difference[i].first));
            ig_json_put(one, "space",
                        ig_json_text(ig_space_name(d->difference[i].space)));
            ig_json_put(one, "measure", ig_json_text(of->entry->key));
            put_real(one, "difference", of->value);
            add_interval(&ci, "difference", of->interval);
            put_intervals(one, ci);
            ig_json_put(one, "stands", ig_json_bool(of->stands));
            if (!isnan(of->p))
                put_real(one, "p", of->p);
            if (of->parts) {
                put_count(one, "parts", of->parts);
                put_count(one, "parts_greater", of->more);
                put_count(one, "parts_smaller", of->less);
            }
            ig_json_push(out, one);
        }
    return out;
}

ig_json *ig_document_json(const ig_document *d)
{
    ig_json *out = ig_json_object();
    ig_json *spaces = ig_json_object();

    ig_json_put(out, "name", ig_json_text(d->set->name));
    put_count(out, "rows", d->set->rows);
    put_count(out, "dims", d->set->dims);
    ig_json_put(out, "languages", languages_json(d->set));
    put_measured(out, d);
    if (d->runs == 1)
        put_run(out, &d->run[0], d->set);
    ig_json_put(spaces, "original", space_json(&d->original, d->set));
    if (d->runs == 1)
        put_run_spaces(spaces, d, 0);
    ig_json_put(out, "spaces", spaces);
    if (d->runs > 1)
        ig_json_put(out, "runs", runs_json(d));
    if (d->differences)
        ig_json_put(out, "differences", differences_json(d));
    return out;
}
