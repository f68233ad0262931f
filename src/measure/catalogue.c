/* The figures of all families, one after the other. Reads evaluations; measures
 * nothing. */
#include "measure/catalogue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double number_at(const void *result, size_t at)
{
    return *(const double *)((const char *)result + at);
}

const ig_measure_entry *ig_measure_at(size_t i)
{
    for (size_t f = 0; f < IG_FAMILY_COUNT; f++) {
        const ig_family *family = ig_family_at(f);

        if (i < family->entries)
            return &family->entry[i];
        i -= family->entries;
    }
    return NULL;
}

const ig_measure_entry *ig_measure_named(const char *key)
{
    const ig_measure_entry *entry;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++)
        if (strcmp(entry->key, key) == 0)
            return entry;
    return NULL;
}

/* --- choosing -------------------------------------------------------------------- */

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static void add_entry(ig_measure_choice *choice, const ig_measure_entry *entry)
{
    for (size_t i = 0; i < choice->entries; i++)
        if (choice->entry[i] == entry)
            return;
    if (choice->entries < IG_CHOICE_MOST)
        choice->entry[choice->entries++] = entry;
}

/* Add what a word names; false when it names nothing. */
static bool add_word(ig_measure_choice *choice, const char *text, size_t length)
{
    bool found = false;

    for (size_t f = 0; f < IG_FAMILY_COUNT; f++) {
        const ig_family *family = ig_family_at(f);
        bool whole = is_word(text, length, ig_family_word(f));

        for (size_t i = 0; i < family->entries; i++)
            if (whole || is_word(text, length, family->entry[i].key)) {
                add_entry(choice, &family->entry[i]);
                choice->measures |= 1u << f;
                found = true;
            }
    }
    return found;
}

static ig_status no_measure(const char *label, const char *text, size_t length,
                            ig_error *error)
{
    char list[IG_ERROR_SIZE] = "";
    size_t used = 0;

    for (size_t f = 0; f < IG_FAMILY_COUNT && used < sizeof list; f++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", f ? ", " : "",
                                 ig_family_word(f));
    return ig_fail(
        error, IG_USAGE,
        "%s: there is no measure '%.*s'; there are the figures of eval --csv "
        "and the families %s",
        label, (int)(length < 40 ? length : 40), text, list);
}

ig_status ig_measures_choose(ig_measure_choice *choice, const char *label,
                             const char *list, ig_error *error)
{
    *choice = (ig_measure_choice){0};
    for (const char *at = list;; at++) {
        size_t n = strcspn(at, ",");

        if (!add_word(choice, at, n))
            return no_measure(label, at, n, error);
        at += n;
        if (!*at)
            return IG_OK;
    }
}

static bool needs(const ig_measure_choice *choice, unsigned what)
{
    for (size_t f = 0; f < IG_FAMILY_COUNT; f++)
        if (choice->measures >> f & 1 && ig_family_at(f)->needs & what)
            return true;
    return false;
}

bool ig_choice_needs_scores(const ig_measure_choice *choice)
{
    return needs(choice, IG_NEEDS_SCORES);
}

bool ig_choice_needs_labels(const ig_measure_choice *choice)
{
    return needs(choice, IG_NEEDS_LABELS);
}

/* --- reading --------------------------------------------------------------------- */

bool ig_measure_taken(const ig_measure_entry *entry, const ig_evaluation *e)
{
    return ig_evaluation_result(e, entry->family) != NULL;
}

bool ig_measure_tells(const ig_measure_entry *entry, const ig_evaluation *e)
{
    const void *result = e ? ig_evaluation_result(e, entry->family) : NULL;

    return result && (!entry->tells || entry->tells(result));
}

double ig_measure_read(const ig_measure_entry *entry, const ig_evaluation *e)
{
    const void *result = ig_evaluation_result(e, entry->family);

    return result ? number_at(result, entry->at) : (double)NAN;
}

/* --- chance ---------------------------------------------------------------------- */

/* Mean over the ordered language pairs of what guessing gives among so many candidates;
 * of one alone there is nothing to guess. */
static double mean_guess(const ig_measure_entry *entry, const ig_retrieval *r)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < r->count; i++)
        if (r->score[i].candidates > 1) {
            sum += entry->guess((double)r->score[i].candidates);
            n++;
        }
    return n ? sum / (double)n : (double)NAN;
}

bool ig_measure_has_chance(const ig_measure_entry *entry)
{
    return entry->guess || entry->chance_at;
}

double ig_measure_chance(const ig_measure_entry *entry, const ig_evaluation *e)
{
    const void *result = ig_evaluation_result(e, entry->family);

    if (!result || !ig_measure_has_chance(entry))
        return (double)NAN;
    return entry->guess ? mean_guess(entry, &e->retrieval)
                        : number_at(result, entry->chance_at);
}

/* --- parts of a figure ----------------------------------------------------------- */

double ig_measure_of_pair(const ig_measure_entry *entry,
                          const ig_retrieval_score *score)
{
    return entry->pair_at ? number_at(score, entry->pair_at) : (double)NAN;
}

double ig_measure_of_pairs(const ig_measure_entry *entry, const ig_evaluation *e,
                           const uint8_t *mark, bool any)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < e->retrieval.count; i++) {
        const ig_retrieval_score *score = &e->retrieval.score[i];
        double value = ig_measure_of_pair(entry, score);

        if ((mark[score->from] || mark[score->to]) == any && !isnan(value)) {
            sum += value;
            n++;
        }
    }
    return n ? sum / (double)n : (double)NAN;
}

double ig_measure_of_language(const ig_measure_entry *entry, const ig_evaluation *e,
                              size_t language, bool into)
{
    const ig_retrieval *r = &e->retrieval;
    size_t languages = r->count ? r->score[r->count - 1].from + 1u : 0, n = 0;
    double sum = 0;

    for (size_t l = 0; l < languages; l++) {
        const ig_retrieval_score *score = into ? ig_retrieval_find(r, l, language)
                                               : ig_retrieval_find(r, language, l);
        double value = score ? ig_measure_of_pair(entry, score) : (double)NAN;

        if (!isnan(value)) {
            sum += value;
            n++;
        }
    }
    return n ? sum / (double)n : (double)NAN;
}

double ig_measure_chance_of_pair(const ig_measure_entry *entry,
                                 const ig_retrieval_score *score)
{
    return entry->guess ? entry->guess((double)score->candidates) : (double)NAN;
}

double ig_measure_of_kind(const ig_measure_entry *entry, const ig_correlation *kind)
{
    return entry->kind_at ? number_at(kind, entry->kind_at) : (double)NAN;
}

double ig_measure_of_mined(const ig_measure_entry *entry, const ig_mining_pair *pair)
{
    return entry->mined_at ? number_at(pair, entry->mined_at) : (double)NAN;
}

/* --- intervals ------------------------------------------------------------------- */

size_t ig_measure_place(const ig_measure_entry *entry)
{
    size_t place = 0;

    for (size_t f = 0; ig_family_at(f) != entry->family; f++)
        place += ig_family_at(f)->entries;
    return place + (size_t)(entry - entry->family->entry);
}

/* `interval` (entries, n), or NULL. */
static ig_interval interval_at(const ig_intervals *intervals,
                               const ig_interval *interval,
                               const ig_measure_entry *entry, size_t n, size_t i)
{
    return intervals->draws && i < n ? interval[ig_measure_place(entry) * n + i]
                                     : IG_NO_INTERVAL;
}

ig_interval ig_measure_interval(const ig_measure_entry *entry, const ig_evaluation *e)
{
    return interval_at(&e->intervals, e->intervals.figure, entry, 1, 0);
}

ig_interval ig_measure_interval_of_pair(const ig_measure_entry *entry,
                                        const ig_evaluation *e, size_t i)
{
    return interval_at(&e->intervals, e->intervals.pair, entry, e->intervals.directions,
                       i);
}

ig_interval ig_measure_interval_of_language(const ig_measure_entry *entry,
                                            const ig_evaluation *e, size_t language,
                                            bool into)
{
    return interval_at(&e->intervals, e->intervals.language[into], entry,
                       e->intervals.languages, language);
}

ig_interval ig_measure_interval_of_kind(const ig_measure_entry *entry,
                                        const ig_evaluation *e, size_t kind)
{
    return interval_at(&e->intervals, e->intervals.kind, entry, e->intervals.kinds,
                       kind);
}

ig_interval ig_measure_interval_of_mined(const ig_measure_entry *entry,
                                         const ig_evaluation *e, size_t i)
{
    return interval_at(&e->intervals, e->intervals.two, entry, e->intervals.mined, i);
}

/* --- standard errors -------------------------------------------------------------- */

/* `value` (entries, n) of the family, or NULL. */
static double error_at(const ig_measure_entry *entry, const double *value, size_t n,
                       size_t i)
{
    size_t number = (size_t)(entry - entry->family->entry);

    return value && i < n ? value[number * n + i] : (double)NAN;
}

static const ig_standard_errors *errors_of(const ig_measure_entry *entry,
                                           const ig_evaluation *e)
{
    size_t f = 0;

    while (ig_family_at(f) != entry->family)
        f++;
    return &e->error[f];
}

double ig_measure_error(const ig_measure_entry *entry, const ig_evaluation *e)
{
    return error_at(entry, errors_of(entry, e)->figure, 1, 0);
}

double ig_measure_error_of_pair(const ig_measure_entry *entry, const ig_evaluation *e,
                                size_t i)
{
    const ig_standard_errors *errors = errors_of(entry, e);

    return error_at(entry, errors->stratum, errors->strata, i);
}

double ig_measure_error_of_language(const ig_measure_entry *entry,
                                    const ig_evaluation *e, size_t language, bool into)
{
    const ig_standard_errors *errors = errors_of(entry, e);

    return error_at(entry, errors->language[into], errors->languages, language);
}

/* --- reasons --------------------------------------------------------------------- */

static const char *reason_at(const void *result, size_t at)
{
    const char *reason;

    memcpy(&reason, (const char *)result + at, sizeof reason);
    return reason;
}

const char *ig_measure_reason(const ig_measure_entry *entry, const ig_evaluation *e)
{
    const void *result = ig_evaluation_result(e, entry->family);
    const char *reason = NULL;

    if (!isnan(ig_measure_read(entry, e)))
        return NULL;
    if (!result)
        return "not measured";
    if (e->sample.rows && entry->unsampled)
        return entry->unsampled;
    reason = reason_at(result, entry->family->reason_at);
    if (!reason && entry->reason_at)
        reason = reason_at(result, entry->reason_at);
    if (!reason && entry->silent && !ig_measure_tells(entry, e))
        reason = entry->silent;
    if (!reason)
        reason = entry->missing;
    return reason ? reason : "it cannot be computed";
}
