/* Standard errors of a sample, a figure after the other. Legend: n meanings that ask, s
 * strata. */
#include "measure/standard_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/random.h"
#include "measure/retrieval.h"

enum {
    TERMS = 3, /* means that a figure may follow from */
    DRAWS = 200,
    STREAM = 0x53454d44
};

/* A value, and the meaning that it is of. */
struct placed {
    double value;
    uint32_t of;
};

/* The directions of each language: order[start[k]] … order[start[k + 1] − 1]. */
struct ways {
    uint32_t *start, *order; /* (languages + 2), (strata) */
};

struct job {
    ig_standard_errors *out;
    const ig_query_sample *sample;
    const void *result;
    const ig_retrieval *directions; /* the result, of retrieval; or NULL */
    struct ways ways[2];            /* out of a language, into it */
    ig_items items;
    uint32_t *of; /* (items) the meaning of each among those that ask */
    size_t n;

    const ig_measure_entry *entry;
    double
        *move;   /* (s, n) z of each stratum by itself; of medians (s, DRAWS) medians */
    double *sum; /* (s, TERMS + 1) sums of values, and their number */
    size_t *meanings;         /* (s) that have items */
    size_t *list;             /* (s) those that are put together */
    double *all;              /* (n) or (DRAWS) of some strata together */
    double *have;             /* (the same) of how many it is the mean */
    struct placed *ascending; /* (items) */
    uint32_t *weight;         /* (n) */
};

static size_t begin_of(const struct job *job, size_t stratum)
{
    if (job->items.first)
        return job->items.first(job->result, stratum);
    return stratum ? job->items.count : 0;
}

static bool counts(const struct job *job, size_t stratum)
{
    return !job->items.counts || job->items.counts(job->result, job->entry, stratum);
}

/* The meanings of the items, numbered as they come. */
static ig_status number_items(struct job *job, const uint32_t *unit, ig_error *error)
{
    uint32_t *number = ig_alloc(job->sample->of_meanings, sizeof *number); /* from 1 */

    job->of = ig_alloc(job->items.count, sizeof *job->of);
    for (size_t i = 0; number && job->of && i < job->items.count; i++) {
        uint32_t *is = &number[unit[job->items.row(job->result, i)]];

        if (!*is)
            *is = (uint32_t)++job->n;
        job->of[i] = *is - 1;
    }
    ig_free(number);
    return number && job->of ? IG_OK : ig_fail_memory(error, "the standard errors");
}

/* --- means ------------------------------------------------------------------------ */

static size_t terms_of(const ig_measure_entry *entry)
{
    return entry->more[1] ? 3 : entry->more[0] ? 2 : 1;
}

static double value_of(const struct job *job, size_t item, size_t term)
{
    return term ? job->entry->more[term - 1](job->result, item)
                : job->entry->value(job->result, item);
}

static double figure_of(const struct job *job, const double *mean)
{
    return job->entry->follows ? job->entry->follows(job->result, mean) : mean[0];
}

/* How a figure moves with the mean of a term. */
static double slope_of(const struct job *job, const double *mean, size_t term)
{
    double at[2][TERMS], step = 1e-6 * fmax(fabs(mean[term]), 1e-12);

    for (int side = 0; side < 2; side++) {
        memcpy(at[side], mean, sizeof at[side]);
        at[side][term] += side ? step : -step;
    }
    return (figure_of(job, at[1]) - figure_of(job, at[0])) / (2 * step);
}

/* Whether all of a stratum was measured: then it does not move. */
static bool is_exact(const struct job *job, size_t stratum)
{
    const ig_retrieval_score *score = job->directions ? &job->directions->score[stratum]
                                                      : NULL;

    return score && score->pairs == score->of_pairs;
}

/* How the figure of a stratum moves with each meaning. */
static void move_stratum(struct job *job, size_t stratum)
{
    size_t terms = terms_of(job->entry);
    size_t first = begin_of(job, stratum), last = begin_of(job, stratum + 1);
    double *sum = job->sum + stratum * (TERMS + 1), mean[TERMS] = {0}, slope[TERMS];

    for (size_t i = first; i < last; i++) {
        if (isnan(value_of(job, i, 0)))
            continue;
        for (size_t t = 0; t < terms; t++)
            sum[t] += value_of(job, i, t);
        sum[TERMS]++;
    }
    if (!(sum[TERMS] > 0) || is_exact(job, stratum))
        return;
    for (size_t t = 0; t < terms; t++)
        mean[t] = sum[t] / sum[TERMS];
    for (size_t t = 0; t < terms; t++)
        slope[t] = job->entry->follows ? slope_of(job, mean, t) : 1;
    for (size_t i = first; i < last; i++) {
        double *move = &job->move[stratum * job->n + job->of[i]];

        if (isnan(value_of(job, i, 0)))
            continue;
        job->all[job->of[i]]++;
        for (size_t t = 0; t < terms; t++)
            *move += slope[t] * (value_of(job, i, t) - mean[t]) / sum[TERMS];
    }
    for (size_t u = 0; u < job->n; u++) {
        double share = job->all[u] / sum[TERMS];

        job->meanings[stratum] += share > 0;
        job->move[stratum * job->n + u] /= share < 1 ? 1 - share : 1;
        job->all[u] = 0;
    }
}

/* --- medians ---------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->of > y->of) - (x->of < y->of);
}

/* How often an item counts in a draw. */
static double weight_of(const struct job *job, size_t i, bool exact)
{
    return exact ? 1 : job->weight[job->ascending[i].of];
}

/* The median of a stratum in ascending order, each item counted as often as its meaning
 * was drawn (exact: once); NaN: none was. */
static double median_of(const struct job *job, size_t first, size_t last, bool exact)
{
    double drawn = 0, passed = 0, low = NAN;

    for (size_t i = first; i < last; i++)
        drawn += weight_of(job, i, exact);
    for (size_t i = first; i < last; i++) {
        passed += weight_of(job, i, exact);
        if (isnan(low) && passed > floor((drawn - 1) / 2))
            low = job->ascending[i].value;
        if (passed > floor(drawn / 2))
            return (low + job->ascending[i].value) / 2;
    }
    return (double)NAN;
}

/* The medians of draws of the meanings with replacement, in place of `move`. */
static void draw_medians(struct job *job)
{
    size_t strata = job->items.strata;

    for (size_t i = 0; i < job->items.count; i++)
        job->ascending[i] = (struct placed){value_of(job, i, 0), job->of[i]};
    for (size_t s = 0; s < strata; s++) {
        size_t first = begin_of(job, s), last = begin_of(job, s + 1);

        qsort(job->ascending + first, last - first, sizeof *job->ascending, by_value);
        job->sum[s * (TERMS + 1) + TERMS] = (double)(last - first);
        job->meanings[s] = is_exact(job, s) ? 0 : last - first;
    }
    for (size_t b = 0; b < DRAWS; b++) {
        ig_random random;

        ig_random_init(&random, job->sample->seed, STREAM + b);
        memset(job->weight, 0, job->n * sizeof *job->weight);
        for (size_t u = 0; u < job->n; u++)
            job->weight[ig_random_below(&random, job->n)]++;
        for (size_t s = 0; s < strata; s++)
            job->move[s * DRAWS + b] = median_of(
                job, begin_of(job, s), begin_of(job, s + 1), is_exact(job, s));
    }
}

/* --- of strata together ----------------------------------------------------------- */

/* Which are put together: all that have a part in the figure, one alone, or the
 * directions out of a language (into it). */
struct choice {
    size_t stratum, language;
    bool into;
};

enum { WHOLE = SIZE_MAX };

/* Whether a stratum has a part in the figure. */
static bool takes_part(const struct job *job, size_t stratum)
{
    return job->sum[stratum * (TERMS + 1) + TERMS] > 0 && counts(job, stratum);
}

/* List the strata of a choice; returns how many. */
static size_t list_chosen(struct job *job, struct choice choice)
{
    const struct ways *ways = &job->ways[choice.into];
    bool one = choice.stratum != WHOLE, of = choice.language != WHOLE;
    size_t first = one ? choice.stratum : of ? ways->start[choice.language] : 0;
    size_t last = one  ? choice.stratum + 1
                  : of ? ways->start[choice.language + 1]
                       : job->items.strata;
    size_t n = 0;

    for (size_t i = first; i < last; i++) {
        size_t stratum = of ? ways->order[i] : i;

        if (takes_part(job, stratum))
            job->list[n++] = stratum;
    }
    return n;
}

/* The standard error of their mean. Of a draw that leaves nothing of a stratum it is
 * that of the others. */
static double error_of(struct job *job, struct choice choice)
{
    const ig_query_sample *s = job->sample;
    bool median = job->entry->median;
    size_t rows = median ? DRAWS : job->n, drawn = 0;
    size_t count = list_chosen(job, choice), meanings = 0;
    double n = (double)job->n, mean = 0, squares = 0;

    for (size_t i = 0; i < count; i++)
        if (job->meanings[job->list[i]] > meanings)
            meanings = job->meanings[job->list[i]];
    if (meanings < 2)
        return (double)NAN;
    for (size_t r = 0; r < rows; r++)
        job->all[r] = job->have[r] = 0;
    for (size_t i = 0; i < count; i++) {
        const double *move = job->move + job->list[i] * rows;

        for (size_t r = 0; r < rows; r++) {
            job->all[r] += isnan(move[r]) ? 0 : move[r];
            job->have[r] += !isnan(move[r]);
        }
    }
    for (size_t r = 0; r < rows; r++) {
        job->all[r] /= job->have[r]; /* 0/0 is NaN */
        mean += job->have[r] > 0 ? job->all[r] : 0;
        drawn += job->have[r] > 0;
    }
    mean /= (double)drawn;
    for (size_t r = 0; r < rows; r++)
        if (!isnan(job->all[r]))
            squares += (job->all[r] - mean) * (job->all[r] - mean);
    squares *= median ? n / (n - 1) / (double)(drawn - 1) : (n - 1) / n;
    return sqrt(squares * (1 - (double)s->meanings / (double)s->of_meanings));
}

/* --- a family --------------------------------------------------------------------- */

static void take_figure(struct job *job, size_t number)
{
    ig_standard_errors *out = job->out;
    size_t strata = job->items.strata;
    struct choice whole = {WHOLE, WHOLE, false};

    memset(job->sum, 0, strata * (TERMS + 1) * sizeof *job->sum);
    memset(job->meanings, 0, strata * sizeof *job->meanings);
    memset(job->all, 0, (job->n > DRAWS ? job->n : DRAWS) * sizeof *job->all);
    memset(job->move, 0,
           (job->n > DRAWS ? job->n : DRAWS) * strata * sizeof *job->move);
    if (job->entry->median)
        draw_medians(job);
    for (size_t s = 0; s < strata && !job->entry->median; s++)
        if (counts(job, s))
            move_stratum(job, s);
    out->figure[number] = error_of(job, whole);
    for (size_t s = 0; job->entry->pair_at && s < strata; s++) {
        struct choice one = {s, WHOLE, false};

        out->stratum[number * strata + s] = takes_part(job, s) ? error_of(job, one)
                                                               : (double)NAN;
    }
    for (size_t k = 0; job->entry->pair_at && k < out->languages; k++)
        for (int into = 0; into < 2; into++)
            out->language[into][number * out->languages + k] =
                error_of(job, (struct choice){WHOLE, k, into});
}

/* Numbers of languages that directions are of: those below. */
static size_t languages_of(const ig_retrieval *r)
{
    size_t most = 0;

    for (size_t i = 0; r && i < r->count; i++) {
        most = r->score[i].from >= most ? (size_t)r->score[i].from + 1 : most;
        most = r->score[i].to >= most ? (size_t)r->score[i].to + 1 : most;
    }
    return most;
}

static size_t from_of(const void *context, size_t direction)
{
    return ((const ig_retrieval *)context)->score[direction].from;
}

static size_t to_of(const void *context, size_t direction)
{
    return ((const ig_retrieval *)context)->score[direction].to;
}

static ig_status list_ways(struct job *job, ig_error *error)
{
    const ig_retrieval *r = job->directions;
    size_t languages = languages_of(r);

    for (int into = 0; r && into < 2; into++) {
        struct ways *ways = &job->ways[into];

        ways->start = ig_alloc(languages + 2, sizeof *ways->start);
        ways->order = ig_alloc(r->count, sizeof *ways->order);
        if (!ways->start || !ways->order)
            return ig_fail_memory(error, "the standard errors");
        ig_array_order(r->count, languages, into ? to_of : from_of, r, ways->start,
                       ways->order);
    }
    return IG_OK;
}

static double *room_of(size_t count)
{
    double *room = ig_alloc(count, sizeof *room);

    for (size_t i = 0; room && i < count; i++)
        room[i] = (double)NAN;
    return room;
}

static ig_status lay_out(struct job *job, size_t entries, ig_error *error)
{
    size_t strata = job->items.strata, languages = languages_of(job->directions);
    size_t most = job->n > DRAWS ? job->n : DRAWS;
    ig_standard_errors *out = job->out;

    *out = (ig_standard_errors){
        .entries = entries,
        .strata = strata,
        .languages = languages,
        .figure = room_of(entries),
        .stratum = room_of(entries * strata),
        .language = {room_of(entries * languages), room_of(entries * languages)}};
    job->move = ig_alloc(most * strata, sizeof *job->move);
    job->sum = ig_alloc(strata, (TERMS + 1) * sizeof *job->sum);
    job->meanings = ig_alloc(strata, sizeof *job->meanings);
    job->list = ig_alloc(strata, sizeof *job->list);
    job->all = ig_alloc(most, sizeof *job->all);
    job->have = ig_alloc(most, sizeof *job->have);
    job->ascending = ig_alloc(job->items.count, sizeof *job->ascending);
    job->weight = ig_alloc(job->n, sizeof *job->weight);
    return out->figure && out->stratum && out->language[0] && out->language[1] &&
                   job->move && job->sum && job->meanings && job->list && job->all &&
                   job->have && job->ascending && job->weight
               ? IG_OK
               : ig_fail_memory(error, "the standard errors");
}

static void free_job(struct job *job)
{
    ig_free(job->of);
    for (int into = 0; into < 2; into++) {
        ig_free(job->ways[into].start);
        ig_free(job->ways[into].order);
    }
    ig_free(job->move);
    ig_free(job->sum);
    ig_free(job->meanings);
    ig_free(job->list);
    ig_free(job->all);
    ig_free(job->have);
    ig_free(job->ascending);
    ig_free(job->weight);
}

static bool estimates(const ig_family *family)
{
    bool any = false;

    for (size_t i = 0; i < family->entries; i++)
        any |= family->entry[i].sampled;
    return any && family->items;
}

ig_status ig_standard_errors_take(ig_standard_errors *errors, const ig_family *family,
                                  const void *result, const ig_query_sample *sample,
                                  const uint32_t *unit, ig_error *error)
{
    struct job job = {.out = errors,
                      .sample = sample,
                      .result = result,
                      .directions = family == &ig_retrieval_family ? result : NULL,
                      .items.strata = 1};
    ig_status status;

    *errors = (ig_standard_errors){0};
    if (!estimates(family))
        return IG_OK;
    family->items(result, &job.items);
    if (!job.items.count || !job.items.row)
        return IG_OK;
    status = number_items(&job, unit, error);
    if (status == IG_OK)
        status = lay_out(&job, family->entries, error);
    if (status == IG_OK)
        status = list_ways(&job, error);
    for (size_t i = 0; i < family->entries && status == IG_OK; i++) {
        const double *figure =
            (const double *)((const char *)result + family->entry[i].at);

        job.entry = &family->entry[i];
        if (job.entry->sampled && !isnan(*figure))
            take_figure(&job, i);
    }
    free_job(&job);
    if (status != IG_OK)
        ig_standard_errors_free(errors);
    return status;
}

void ig_standard_errors_free(ig_standard_errors *errors)
{
    ig_free(errors->figure);
    ig_free(errors->stratum);
    ig_free(errors->language[0]);
    ig_free(errors->language[1]);
    *errors = (ig_standard_errors){0};
}
