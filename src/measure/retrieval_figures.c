/* The figures of retrieval: what they are called, their mean over the directions, and
 * what ties leave of them. Where all candidates are equally near, or there is one
 * alone, every translation has rank 1, and that says nothing: such figures are taken
 * back. */
#include <math.h>

#include "measure/retrieval.h"

static const double NEARLY_ALL = 0.999;

/* --- what guessing gives among n candidates --------------------------------------- */

static double one_in(double n)
{
    return 1 / n;
}

static double five_in(double n)
{
    return fmin(5 / n, 1);
}

static double all_but_one(double n)
{
    return 1 - 1 / n;
}

static double middle(double n)
{
    return (n + 1) / 2;
}

static bool has_ties(const void *result)
{
    return ((const ig_retrieval *)result)->mean.tied > 0;
}

/* --- the table -------------------------------------------------------------------- */

#define FIGURE(field)                                                                  \
    .family = &ig_retrieval_family, .key = #field,                                     \
    .at = offsetof(ig_retrieval, mean.field),                                          \
    .pair_at = offsetof(ig_retrieval_score, field)

static const ig_measure_entry entries[] = {
    {FIGURE(top1), .name = "retrieval top-1", .brief = "top-1",
     .about = "Share of sentences whose translation is the nearest row of the other "
              "language; by language embeddings, what is still found has leaked.",
     .source = "oracle §5.4", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .guess = one_in, .ranks = true},
    {FIGURE(top5), .name = "retrieval top-5", .brief = "top-5",
     .about = "Share of sentences whose translation is among the five nearest rows of "
              "the other language.",
     .source = "oracle §5.4", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .guess = five_in, .ranks = true},
    {FIGURE(mean_rank), .name = "mean rank", .brief = "rank",
     .about = "Mean rank of the translation among the rows of the other language.",
     .unit = IG_UNIT_RANK, .decimals = 1, .better = {-1, -1, 1}, .guess = middle,
     .ranks = true},
    {FIGURE(median_rank), .name = "median rank", .brief = "median",
     .about = "Median rank of the translation, averaged over the language pairs.",
     .unit = IG_UNIT_RANK, .decimals = 1, .better = {-1, -1, 1}, .guess = middle,
     .ranks = true},
    {FIGURE(xsim), .name = "xsim error", .brief = "xsim",
     .about = "Share of sentences for which margin-ratio retrieval (k = 4) picks a row "
              "that is no translation.",
     .source = "margin", .unit = IG_UNIT_SHARE, .decimals = 1, .better = {-1, -1, 1},
     .guess = all_but_one, .ranks = true},
    {FIGURE(margin), .name = "margin", .brief = "margin",
     .about = "How much nearer the translation is than the best other row: mean "
              "difference of their cosines.",
     .source = "struct §IV.3", .decimals = 3, .better = {1, 1, -1},
     .missing = "no language has a second candidate"},
    {FIGURE(overlap5), .name = "overlap@5", .brief = "overlap",
     .about = "Share of meanings in common among the five nearest rows of the own "
              "language, of a sentence and of its translation.",
     .source = "struct §IV.3", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .ranks = true, .missing = "fewer than 6 rows of a language"},
    {FIGURE(tied), .name = "tied", .brief = "tied",
     .about = "Share of sentences whose translation ties with another row: near 100% "
              "says that the space does not tell them apart.",
     .unit = IG_UNIT_SHARE, .decimals = 1, .tells = has_ties},
};

enum { ENTRIES = sizeof entries / sizeof *entries };

/* --- the mean --------------------------------------------------------------------- */

static double *figure_of(ig_retrieval_score *score, const ig_measure_entry *entry)
{
    return (double *)((char *)score + entry->pair_at);
}

/* The mean over the directions that have it; NaN: none has. */
static double mean_of(ig_retrieval *retrieval, const ig_measure_entry *entry)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < retrieval->count; i++) {
        double value = *figure_of(&retrieval->score[i], entry);

        if (isnan(value))
            continue;
        sum += value;
        n++;
    }
    return sum / (double)n; /* 0/0 is NaN */
}

void ig_retrieval_average(ig_retrieval *retrieval)
{
    retrieval->mean = (ig_retrieval_score){0};
    for (size_t i = 0; i < retrieval->count; i++) {
        retrieval->mean.pairs += retrieval->score[i].pairs;
        retrieval->mean.candidates += retrieval->score[i].candidates;
    }
    for (size_t f = 0; f < ENTRIES; f++)
        *figure_of(&retrieval->mean, &entries[f]) = mean_of(retrieval, &entries[f]);
}

/* --- ties ------------------------------------------------------------------------- */

bool ig_retrieval_blind(const ig_retrieval_score *score)
{
    return score->tied > NEARLY_ALL;
}

void ig_retrieval_take_back(ig_retrieval *retrieval)
{
    size_t blind = 0, alone = 0;

    for (size_t i = 0; i < retrieval->count; i++) {
        ig_retrieval_score *score = &retrieval->score[i];

        if (score->candidates < 2)
            alone++;
        else if (ig_retrieval_blind(score))
            blind++;
        else
            continue;
        for (size_t f = 0; f < ENTRIES; f++)
            if (entries[f].ranks)
                *figure_of(score, &entries[f]) = (double)NAN;
    }
    retrieval->blind = blind;
    retrieval->alone = alone;
    if (blind + alone == 0)
        return;
    for (size_t f = 0; f < ENTRIES; f++)
        if (entries[f].ranks)
            *figure_of(&retrieval->mean, &entries[f]) = mean_of(retrieval, &entries[f]);
    if (alone == retrieval->count)
        retrieval->reason = "one candidate alone: there is nothing to rank";
    else if (blind + alone == retrieval->count)
        retrieval->reason = "all candidates tie: the space does not tell them apart";
}

/* --- the family ------------------------------------------------------------------- */

static double work(const ig_measure_input *in)
{
    return ig_retrieval_work(in->pairs, in->base->dims);
}

static ig_status take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_retrieval *r = result;
    ig_status status =
        ig_retrieval_measure(r, in->base, in->pairs, in->pool, in->watch, error);

    ig_retrieval_take_back(r);
    for (size_t i = 0; in->row && i < r->queries; i++) {
        ig_found *found = &r->found[i];

        found->query = in->row[found->query];
        found->truth = in->row[found->truth];
        found->other = in->row[found->other];
        found->pick = in->row[found->pick];
    }
    return status;
}

static void release(void *result)
{
    ig_retrieval_free(result);
}

const ig_family ig_retrieval_family = {.name = "retrieval",
                                       .group = "retrieval_mean",
                                       .needs = IG_NEEDS_PAIRS,
                                       .work = work,
                                       .take = take,
                                       .free = release,
                                       .reason_at = offsetof(ig_retrieval, reason),
                                       .entry = entries,
                                       .entries = ENTRIES};
