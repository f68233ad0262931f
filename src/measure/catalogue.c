/* The figures of all families, one after the other. Reads evaluations; measures
 * nothing. */
#include "measure/catalogue.h"

#include <math.h>
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

double ig_measure_chance_of_pair(const ig_measure_entry *entry,
                                 const ig_retrieval_score *score)
{
    return entry->guess ? entry->guess((double)score->candidates) : (double)NAN;
}

double ig_measure_of_kind(const ig_measure_entry *entry, const ig_correlation *kind)
{
    return entry->kind_at ? number_at(kind, entry->kind_at) : (double)NAN;
}

/* --- reasons --------------------------------------------------------------------- */

const char *ig_measure_reason(const ig_measure_entry *entry, const ig_evaluation *e)
{
    const void *result = ig_evaluation_result(e, entry->family);
    const char *reason = NULL;

    if (!isnan(ig_measure_read(entry, e)))
        return NULL;
    if (!result)
        return "not measured";
    memcpy(&reason, (const char *)result + entry->family->reason_at, sizeof reason);
    if (!reason && entry->silent && !ig_measure_tells(entry, e))
        reason = entry->silent;
    if (!reason)
        reason = entry->missing;
    return reason ? reason : "it cannot be computed";
}
