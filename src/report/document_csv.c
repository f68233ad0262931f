/* A document as CSV: a line a figure, of a sample with its standard error. Language
 * pairs have `from` and `to`, kinds of scored pairs their name in `from`; what cannot
 * be computed has an empty value. */
#include "report/document.h"

#include <math.h>

#include "base/decimal.h"
#include "base/file.h"
#include "measure/catalogue.h"

typedef struct writer {
    FILE *out;
    const ig_set *set;
    const char *run; /* the first column; NULL: there is none */
    const char *space;
    bool errors; /* there is a column of standard errors */
} writer;

static void put_with(const writer *w, const char *measure, const char *kind,
                     const char *from, const char *to, double value, double error)
{
    char number[IG_SHORTEST_SIZE];

    if (w->run) {
        ig_field_put(w->out, w->run, ',');
        fputc(',', w->out);
    }
    fprintf(w->out, "%s,%s%s,", w->space, measure, kind);
    ig_field_put(w->out, from, ',');
    fputc(',', w->out);
    ig_field_put(w->out, to, ',');
    fprintf(w->out, ",%s", isfinite(value) ? ig_shortest(number, value) : "");
    if (w->errors)
        fprintf(w->out, ",%s", isfinite(error) ? ig_shortest(number, error) : "");
    fputc('\n', w->out);
}

static void put(const writer *w, const char *measure, const char *kind,
                const char *from, const char *to, double value)
{
    put_with(w, measure, kind, from, to, value, NAN);
}

/* The ends of an interval, where there is one. */
static void put_interval(const writer *w, const char *measure, const char *from,
                         const char *to, ig_interval interval)
{
    if (!ig_interval_is(interval))
        return;
    put(w, measure, "_low", from, to, interval.low);
    put(w, measure, "_high", from, to, interval.high);
}

/* The same of a mean over the directions of a language: "top1_into_low". */
static void put_bounds(const writer *w, const char *measure, bool into,
                       const char *language, ig_interval interval)
{
    const char *from = into ? "" : language, *to = into ? language : "";

    if (!ig_interval_is(interval))
        return;
    put(w, measure, into ? "_into_low" : "_out_of_low", from, to, interval.low);
    put(w, measure, into ? "_into_high" : "_out_of_high", from, to, interval.high);
}

static void put_entry(const writer *w, const ig_measure_entry *entry,
                      const ig_evaluation *e)
{
    put_with(w, entry->key, "", "", "", ig_measure_read(entry, e),
             ig_measure_error(entry, e));
    put_interval(w, entry->key, "", "", ig_measure_interval(entry, e));
    if (ig_measure_has_chance(entry))
        put(w, entry->key, "_chance", "", "", ig_measure_chance(entry, e));
    for (size_t i = 0; entry->pair_at && i < e->retrieval.count; i++) {
        const ig_retrieval_score *score = &e->retrieval.score[i];

        put_with(w, entry->key, "", w->set->language[score->from],
                 w->set->language[score->to], ig_measure_of_pair(entry, score),
                 ig_measure_error_of_pair(entry, e, i));
        put_interval(w, entry->key, w->set->language[score->from],
                     w->set->language[score->to],
                     ig_measure_interval_of_pair(entry, e, i));
    }
}

/* Means over the languages that a run was trained on, and those with one that it was
 * not. */
static void put_unseen(const writer *w, const ig_document_run *run,
                       const ig_evaluation *e)
{
    const ig_measure_entry *entry;

    for (size_t i = 0; run->unseen && (entry = ig_measure_at(i)) != NULL; i++) {
        if (!entry->pair_at || !ig_measure_taken(entry, e))
            continue;
        put(w, entry->key, "_seen", "", "",
            ig_measure_of_pairs(entry, e, run->unseen, false));
        put(w, entry->key, "_unseen", "", "",
            ig_measure_of_pairs(entry, e, run->unseen, true));
    }
}

static void put_kinds(const writer *w, const ig_evaluation *e)
{
    const ig_similarity *s = &e->similarity;

    for (size_t i = 0; i < s->kinds; i++) {
        const ig_correlation *c = &s->by_pair[i];

        put(w, "pearson", "", c->pair, "", c->pearson);
        put(w, "spearman", "", c->pair, "", c->spearman);
        put(w, "scored_pairs", "", c->pair, "", (double)c->pairs);
        for (size_t f = 0; f < ig_similarity_family.entries; f++) {
            const ig_measure_entry *entry = &ig_similarity_family.entry[f];

            if (entry->kind_at)
                put_interval(w,
                             entry->correlation == IG_SPEARMAN ? "spearman" : "pearson",
                             c->pair, "", ig_measure_interval_of_kind(entry, e, i));
        }
    }
    put(w, "scored_pairs", "", "", "", (double)s->all.pairs);
}

/* Of each two languages. */
static void put_mining(const writer *w, const ig_evaluation *e)
{
    for (size_t i = 0; i < e->mining.count; i++) {
        const ig_mining_pair *pair = &e->mining.pair[i];
        const char *one = w->set->language[pair->lang[0]];
        const char *other = w->set->language[pair->lang[1]];

        for (size_t f = 0; f < ig_mining_family.entries; f++) {
            const ig_measure_entry *entry = &ig_mining_family.entry[f];

            put(w, entry->key, "", one, other, ig_measure_of_mined(entry, pair));
            put_interval(w, entry->key, one, other,
                         ig_measure_interval_of_mined(entry, e, i));
        }
    }
}

static void put_counts(const writer *w, const ig_evaluation *e)
{
    const ig_retrieval *r = &e->retrieval;

    put(w, "rows", "", "", "", (double)e->rows);
    put(w, "zero_rows", "", "", "", (double)e->zero_rows);
    for (size_t i = 0; i < r->count; i++) {
        const char *from = w->set->language[r->score[i].from];
        const char *to = w->set->language[r->score[i].to];

        put(w, "pairs", "", from, to, (double)r->score[i].pairs);
        put(w, "candidates", "", from, to, (double)r->score[i].candidates);
    }
}

/* Means over the directions out of a language (`from`) and into it (`to`). */
static void put_languages(const writer *w, const ig_evaluation *e)
{
    const ig_measure_entry *entry;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++)
        for (size_t k = 0;
             entry->pair_at && e->retrieval.count && k < w->set->languages; k++) {
            put_with(w, entry->key, "_out_of", w->set->language[k], "",
                     ig_measure_of_language(entry, e, k, false),
                     ig_measure_error_of_language(entry, e, k, false));
            put_bounds(w, entry->key, false, w->set->language[k],
                       ig_measure_interval_of_language(entry, e, k, false));
            put_with(w, entry->key, "_into", "", w->set->language[k],
                     ig_measure_of_language(entry, e, k, true),
                     ig_measure_error_of_language(entry, e, k, true));
            put_bounds(w, entry->key, true, w->set->language[k],
                       ig_measure_interval_of_language(entry, e, k, true));
        }
}

/* Rows of language `from` that are counted as `to`. */
static void put_counted(const writer *w, const char *what,
                        const ig_language_counts *counts)
{
    for (size_t i = 0; i < counts->languages; i++)
        for (size_t j = 0; j < counts->languages; j++)
            put(w, what, "", w->set->language[i], w->set->language[j],
                (double)ig_language_count(counts, i, j));
}

static void put_space(const writer *w, const ig_evaluation *e)
{
    const ig_measure_entry *entry;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++)
        if (ig_measure_taken(entry, e))
            put_entry(w, entry, e);
    if (e->taken & IG_MEASURE_SIMILARITY)
        put_kinds(w, e);
    put_languages(w, e);
    put_mining(w, e);
    put_counts(w, e);
    put_counted(w, "probe_read", &e->probe.confusion);
    put_counted(w, "pool_nearest", &e->mixed_pool.met);
}

/* A figure of one run less that of another, which is named in `from`. */
static void put_differences(writer *w, const ig_document *d)
{
    for (size_t i = 0; i < d->differences; i++) {
        const ig_document_difference *of = &d->difference[i];
        const char *less = of->first == IG_NO_RUN ? "original" : d->run[of->first].name;

        if (w->run)
            w->run = d->run[of->second].name;
        w->space = ig_space_name(of->space);
        for (size_t f = 0; f < of->count; f++) {
            const char *key = of->figure[f].entry->key;

            put(w, key, "_difference", less, "", of->figure[f].value);
            put(w, key, "_difference_low", less, "", of->figure[f].interval.low);
            put(w, key, "_difference_high", less, "", of->figure[f].interval.high);
        }
    }
}

void ig_document_csv(const ig_document *d, FILE *out)
{
    bool several = d->runs > 1;
    writer w = {out, d->set, several ? "" : NULL, "original",
                d->original.sample.rows > 0};

    fprintf(out, "%sspace,measure,from,to,value%s\n", several ? "run," : "",
            w.errors ? ",standard_error" : "");
    put_space(&w, &d->original);
    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++) {
            const ig_evaluation *space = ig_document_space(d, r, (ig_space)s);

            if (several)
                w.run = d->run[r].name;
            w.space = ig_space_name((ig_space)s);
            if (space) {
                put_space(&w, space);
                put_unseen(&w, &d->run[r], space);
            }
        }
    put_differences(&w, d);
}
