/* eval --json: interface.md §2, with further fields beside. What cannot be computed is
 * null, and `reasons` says why. */
#include <math.h>

#include "cli/eval_print.h"
#include "cli/json.h"
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

/* Of one direction, or of their mean. */
static void put_retrieval(ig_json *out, const ig_retrieval_score *score)
{
    size_t count;
    const ig_measure_entry *entry = ig_measure_catalogue(&count);

    for (size_t i = 0; i < count; i++)
        if (entry[i].of_pair)
            put_real(out, entry[i].key, entry[i].of_pair(score));
}

static ig_json *directions_json(const ig_retrieval *retrieval, const ig_set *set)
{
    ig_json *out = ig_json_array();

    for (size_t i = 0; i < retrieval->count; i++) {
        const ig_retrieval_score *score = &retrieval->score[i];
        ig_json *one = ig_json_object();

        ig_json_put(one, "from", ig_json_text(set->language[score->from]));
        ig_json_put(one, "to", ig_json_text(set->language[score->to]));
        put_count(one, "pairs", score->pairs);
        put_count(one, "candidates", score->candidates);
        put_retrieval(one, score);
        ig_json_push(out, one);
    }
    return out;
}

static ig_json *mean_json(const ig_retrieval *retrieval)
{
    ig_json *out = ig_json_object();

    put_count(out, "directions", retrieval->count);
    put_count(out, "pairs", retrieval->mean.pairs);
    put_retrieval(out, &retrieval->mean);
    return out;
}

static ig_json *probe_json(const ig_probe *probe)
{
    ig_json *out = ig_json_object();
    ig_json *rows = ig_json_array();

    put_real(out, "accuracy", probe->accuracy);
    put_real(out, "majority", probe->majority);
    put_real(out, "shuffled", probe->shuffled);
    put_count(out, "fitted", probe->fitted);
    put_count(out, "tested", probe->tested);
    for (size_t i = 0; probe->confusion && i < probe->languages; i++) {
        ig_json *row = ig_json_array();

        for (size_t j = 0; j < probe->languages; j++)
            ig_json_push(row,
                         ig_json_count(probe->confusion[i * probe->languages + j]));
        ig_json_push(rows, row);
    }
    ig_json_put(out, "confusion", rows);
    return out;
}

static void put_correlation(ig_json *out, const ig_correlation *c)
{
    put_count(out, "pairs", c->pairs);
    put_real(out, "pearson", c->pearson);
    put_real(out, "spearman", c->spearman);
    if (c->reason)
        ig_json_put(out, "reason", ig_json_text(c->reason));
}

static ig_json *similarity_json(const ig_similarity *s)
{
    ig_json *out = ig_json_object();
    ig_json *kinds = ig_json_array();

    put_correlation(out, &s->all);
    for (size_t i = 0; i < s->kinds; i++) {
        ig_json *one = ig_json_object();

        ig_json_put(one, "pair", ig_json_text(s->by_pair[i].pair));
        put_correlation(one, &s->by_pair[i]);
        ig_json_push(kinds, one);
    }
    ig_json_put(out, "by_pair", kinds);
    put_real(out, "mean_pearson", s->mean_pearson);
    put_real(out, "mean_spearman", s->mean_spearman);
    return out;
}

static ig_json *spectrum_json(const ig_isotropy *isotropy)
{
    ig_json *out = ig_json_array();

    for (size_t i = 0; isotropy->eigenvalue && i < isotropy->dims; i++)
        ig_json_push(out, ig_json_float((float)isotropy->eigenvalue[i]));
    return out;
}

/* Why figures are null, by their names. */
static ig_json *reasons_json(const ig_evaluation *e)
{
    ig_json *out = ig_json_object();
    size_t count;
    const ig_measure_entry *entry = ig_measure_catalogue(&count);

    for (size_t i = 0; i < count; i++)
        if (e->taken & entry[i].taken && ig_measure_reason(&entry[i], e))
            ig_json_put(out, entry[i].key,
                        ig_json_text(ig_measure_reason(&entry[i], e)));
    return out;
}

static ig_json *space_json(const ig_evaluation *e, const ig_set *set)
{
    ig_json *out = ig_json_object();

    if (!e) {
        ig_json_delete(out);
        return ig_json_text(NULL);
    }
    put_real(out, "alignment", e->geometry.alignment);
    put_real(out, "uniformity", e->geometry.uniformity);
    put_real(out, "isoscore", e->isotropy.isoscore);
    ig_json_put(out, "probe", probe_json(&e->probe));
    put_real(out, "purity10", e->purity.purity);
    put_real(out, "purity10_chance", e->purity.expected);
    ig_json_put(out, "retrieval", directions_json(&e->retrieval, set));
    ig_json_put(out, "retrieval_mean", mean_json(&e->retrieval));
    if (e->taken & IG_MEASURE_SIMILARITY)
        ig_json_put(out, "similarity", similarity_json(&e->similarity));
    put_count(out, "zero_rows", e->zero_rows);
    ig_json_put(out, "reasons", reasons_json(e));
    ig_json_put(out, "spectrum", spectrum_json(&e->isotropy));
    return out;
}

/* --- the document ---------------------------------------------------------------- */

static void put_run_spaces(ig_json *spaces, const ig_evaluated *e, size_t run)
{
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
        ig_json_put(spaces, ig_space_name((ig_space)s),
                    space_json(ig_evaluated_space(e, run, (ig_space)s), e->loaded.set));
}

static void put_run(ig_json *out, const ig_evaluated_run *r)
{
    ig_json_put(out, "run", ig_json_text(r->name));
    ig_json_put(out, "method", ig_json_text(r->method));
    put_count(out, "epoch", r->epoch);
}

static ig_json *languages_json(const ig_set *set)
{
    ig_json *out = ig_json_object();

    for (size_t k = 0; k < set->languages; k++)
        put_count(out, set->language[k], set->language_rows[k]);
    return out;
}

static void put_measured(ig_json *out, const ig_evaluated *e)
{
    const ig_set_notes *notes = &e->loaded.set->notes;
    ig_json *measured = ig_json_object();

    ig_json_put(measured, "split", ig_json_text(ig_part_name(e->part)));
    put_count(measured, "rows", e->portion.rows);
    put_count(measured, "pairs", e->portion.pairs);
    put_count(measured, "meanings", e->portion.meanings);
    if (e->has_scores) {
        put_count(measured, "scores", e->loaded.scores.count);
        put_count(measured, "of_scores", e->of_scores);
    }
    ig_json_put(out, "measured", measured);
    put_count(out, "zero_rows", e->loaded.zero_rows);
    put_count(out, "repeated_ids", notes->repeated_ids);
    put_count(out, "single_languages", notes->single_languages);
    if (notes->sampled_from)
        put_count(out, "sampled_from", notes->sampled_from);
    put_count(out, "seed", (size_t)e->options->seed);
}

int ig_eval_put_json(const ig_evaluated *e)
{
    const ig_set *set = e->loaded.set;
    ig_json *out = ig_json_object();
    ig_json *spaces = ig_json_object();
    ig_json *runs = e->runs > 1 ? ig_json_array() : NULL;

    ig_json_put(out, "name", ig_json_text(set->name));
    put_count(out, "rows", set->rows);
    put_count(out, "dims", set->dims);
    ig_json_put(out, "languages", languages_json(set));
    put_measured(out, e);
    if (e->runs == 1)
        put_run(out, &e->run[0]);
    ig_json_put(spaces, "original", space_json(&e->original, set));
    if (e->runs == 1)
        put_run_spaces(spaces, e, 0);
    ig_json_put(out, "spaces", spaces);
    for (size_t i = 0; runs && i < e->runs; i++) {
        ig_json *run = ig_json_object(), *own = ig_json_object();

        put_run(run, &e->run[i]);
        put_run_spaces(own, e, i);
        ig_json_put(run, "spaces", own);
        ig_json_push(runs, run);
    }
    if (runs)
        ig_json_put(out, "runs", runs);
    return ig_json_print(out);
}
