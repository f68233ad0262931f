/* The table of measures. Reads evaluations; measures nothing. */
#include "measure/catalogue.h"

#include <math.h>
#include <string.h>

/* --- readers --------------------------------------------------------------------- */

/* A figure of the retrieval: of one ordered language pair, and of their mean. */
#define OF_RETRIEVAL(name)                                                             \
    static double name##_of(const ig_retrieval_score *score)                           \
    {                                                                                  \
        return score->name;                                                            \
    }                                                                                  \
    static double name(const ig_evaluation *e)                                         \
    {                                                                                  \
        return e->retrieval.mean.name;                                                 \
    }

OF_RETRIEVAL(top1)
OF_RETRIEVAL(top5)
OF_RETRIEVAL(mean_rank)
OF_RETRIEVAL(median_rank)
OF_RETRIEVAL(xsim)
OF_RETRIEVAL(margin)
OF_RETRIEVAL(overlap5)
OF_RETRIEVAL(tied)

#define OF_EVALUATION(name, path)                                                      \
    static double name(const ig_evaluation *e)                                         \
    {                                                                                  \
        return e->path;                                                                \
    }

OF_EVALUATION(alignment, geometry.alignment)
OF_EVALUATION(uniformity, geometry.uniformity)
OF_EVALUATION(isoscore, isotropy.isoscore)
OF_EVALUATION(probe, probe.accuracy)
OF_EVALUATION(majority, probe.majority)
OF_EVALUATION(shuffled, probe.shuffled)
OF_EVALUATION(purity10, purity.purity)
OF_EVALUATION(purity_expected, purity.expected)
OF_EVALUATION(pearson, similarity.all.pearson)
OF_EVALUATION(spearman, similarity.all.spearman)
OF_EVALUATION(mean_pearson, similarity.mean_pearson)
OF_EVALUATION(mean_spearman, similarity.mean_spearman)

/* Mean over the ordered language pairs of what `one` says of so many candidates; of one
 * alone there is nothing to guess (measure/ties.h). */
static double mean_of(const ig_evaluation *e, double (*one)(double candidates))
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < e->retrieval.count; i++)
        if (e->retrieval.score[i].candidates > 1) {
            sum += one((double)e->retrieval.score[i].candidates);
            n++;
        }
    return n ? sum / (double)n : (double)NAN;
}

static double one_in(double candidates)
{
    return 1 / candidates;
}

static double five_in(double candidates)
{
    return fmin(5 / candidates, 1);
}

static double middle(double candidates)
{
    return (candidates + 1) / 2;
}

static double chance_top1(const ig_evaluation *e)
{
    return mean_of(e, one_in);
}

static double chance_top5(const ig_evaluation *e)
{
    return mean_of(e, five_in);
}

static double chance_rank(const ig_evaluation *e)
{
    return mean_of(e, middle);
}

static double chance_xsim(const ig_evaluation *e)
{
    return 1 - mean_of(e, one_in);
}

/* --- the table ------------------------------------------------------------------- */

static const ig_measure_entry entries[] = {
    {.key = "alignment",
     .name = "alignment",
     .brief = "align.",
     .about = "Mean squared distance between the unit vectors of a sentence and its "
              "translation.",
     .source = "wang; bias eq.8",
     .taken = IG_MEASURE_GEOMETRY,
     .decimals = 3,
     .better = {-1, -1, 0},
     .read = alignment},
    {.key = "uniformity",
     .name = "uniformity",
     .brief = "uniform.",
     .about = "How evenly the unit vectors fill the sphere: log of the mean of "
              "exp(−2‖u−v‖²) over pairs of rows.",
     .source = "wang; bias eq.9",
     .taken = IG_MEASURE_GEOMETRY,
     .decimals = 3,
     .better = {-1, -1, 0},
     .read = uniformity},
    {.key = "top1",
     .name = "retrieval top-1",
     .brief = "top-1",
     .about = "Share of sentences whose translation is the nearest row of the other "
              "language; by language embeddings, what is still found has leaked.",
     .source = "oracle §5.4",
     .taken = IG_MEASURE_RETRIEVAL,
     .unit = IG_UNIT_SHARE,
     .decimals = 1,
     .better = {1, 1, -1},
     .read = top1,
     .chance = chance_top1,
     .of_pair = top1_of},
    {.key = "top5",
     .name = "retrieval top-5",
     .brief = "top-5",
     .about = "Share of sentences whose translation is among the five nearest rows of "
              "the other language.",
     .source = "oracle §5.4",
     .taken = IG_MEASURE_RETRIEVAL,
     .unit = IG_UNIT_SHARE,
     .decimals = 1,
     .better = {1, 1, -1},
     .read = top5,
     .chance = chance_top5,
     .of_pair = top5_of},
    {.key = "mean_rank",
     .name = "mean rank",
     .brief = "rank",
     .about = "Mean rank of the translation among the rows of the other language.",
     .taken = IG_MEASURE_RETRIEVAL,
     .unit = IG_UNIT_RANK,
     .decimals = 1,
     .better = {-1, -1, 1},
     .read = mean_rank,
     .chance = chance_rank,
     .of_pair = mean_rank_of},
    {.key = "median_rank",
     .name = "median rank",
     .brief = "median",
     .about = "Median rank of the translation, averaged over the language pairs.",
     .taken = IG_MEASURE_RETRIEVAL,
     .unit = IG_UNIT_RANK,
     .decimals = 1,
     .better = {-1, -1, 1},
     .read = median_rank,
     .chance = chance_rank,
     .of_pair = median_rank_of},
    {.key = "xsim",
     .name = "xsim error",
     .brief = "xsim",
     .about = "Share of sentences for which margin-ratio retrieval (k = 4) picks a row "
              "that is no translation.",
     .source = "margin",
     .taken = IG_MEASURE_RETRIEVAL,
     .unit = IG_UNIT_SHARE,
     .decimals = 1,
     .better = {-1, -1, 1},
     .read = xsim,
     .chance = chance_xsim,
     .of_pair = xsim_of},
    {.key = "margin",
     .name = "margin",
     .brief = "margin",
     .about = "How much nearer the translation is than the best other row: mean "
              "difference of their cosines.",
     .source = "struct §IV.3",
     .taken = IG_MEASURE_RETRIEVAL,
     .decimals = 3,
     .better = {1, 1, -1},
     .read = margin,
     .of_pair = margin_of},
    {.key = "overlap5",
     .name = "overlap@5",
     .brief = "overlap",
     .about = "Share of meanings in common among the five nearest rows of the own "
              "language, of a sentence and of its translation.",
     .source = "struct §IV.3",
     .taken = IG_MEASURE_RETRIEVAL,
     .unit = IG_UNIT_SHARE,
     .decimals = 1,
     .better = {1, 1, -1},
     .read = overlap5,
     .of_pair = overlap5_of},
    {.key = "tied",
     .name = "tied",
     .brief = "tied",
     .about = "Share of sentences whose translation ties with another row: near 100% "
              "says that the space does not tell them apart.",
     .taken = IG_MEASURE_RETRIEVAL,
     .unit = IG_UNIT_SHARE,
     .decimals = 1,
     .read = tied,
     .of_pair = tied_of},
    {.key = "pearson",
     .name = "similarity, Pearson",
     .brief = "Pearson",
     .about = "Correlation of the cosines with human similarity scores.",
     .source = "seed §3; oracle §5.4",
     .taken = IG_MEASURE_SIMILARITY,
     .decimals = 3,
     .better = {1, 1, -1},
     .read = pearson},
    {.key = "spearman",
     .name = "similarity, Spearman",
     .brief = "Spearman",
     .about = "Correlation of the ranks of the cosines with those of the human scores.",
     .source = "seed §3; oracle §5.4",
     .taken = IG_MEASURE_SIMILARITY,
     .decimals = 3,
     .better = {1, 1, -1},
     .read = spearman},
    {.key = "mean_pearson",
     .name = "similarity, Pearson by pair",
     .brief = "Pearson by pair",
     .about = "Mean of the correlations of each kind of pair.",
     .source = "seed §3; oracle §5.4",
     .taken = IG_MEASURE_SIMILARITY,
     .decimals = 3,
     .better = {1, 1, -1},
     .read = mean_pearson},
    {.key = "mean_spearman",
     .name = "similarity, Spearman by pair",
     .brief = "Spearm. by pair",
     .about = "Mean of the rank correlations of each kind of pair.",
     .source = "seed §3; oracle §5.4",
     .taken = IG_MEASURE_SIMILARITY,
     .decimals = 3,
     .better = {1, 1, -1},
     .read = mean_spearman},
    {.key = "isoscore",
     .name = "IsoScore",
     .brief = "IsoScore",
     .about = "How evenly variance is spread over all directions: 0 a line, 1 a ball.",
     .source = "struct §III.3",
     .taken = IG_MEASURE_ISOTROPY,
     .decimals = 3,
     .better = {1, 1, 0},
     .read = isoscore},
    {.key = "probe",
     .name = "language probe",
     .brief = "probe",
     .about = "Share of rows whose language a linear classifier reads from the space; "
              "chance is the share of the largest language.",
     .taken = IG_MEASURE_PROBE,
     .unit = IG_UNIT_SHARE,
     .decimals = 1,
     .better = {-1, -1, 1},
     .read = probe,
     .chance = majority},
    {.key = "shuffled",
     .name = "probe, labels shuffled",
     .brief = "shuffled",
     .about = "The same when the labels it learns from are shuffled: what it reads "
              "where there is nothing to read.",
     .taken = IG_MEASURE_PROBE,
     .unit = IG_UNIT_SHARE,
     .decimals = 1,
     .read = shuffled},
    {.key = "purity10",
     .name = "purity@10",
     .brief = "purity",
     .about = "Share of a row's ten nearest rows, over all languages, that have its "
              "own language.",
     .taken = IG_MEASURE_PURITY,
     .unit = IG_UNIT_SHARE,
     .decimals = 1,
     .better = {-1, -1, 1},
     .read = purity10,
     .chance = purity_expected},
};

const ig_measure_entry *ig_measure_catalogue(size_t *count)
{
    *count = sizeof entries / sizeof *entries;
    return entries;
}

const ig_measure_entry *ig_measure_named(const char *key)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (strcmp(entries[i].key, key) == 0)
            return &entries[i];
    return NULL;
}

double ig_measure_read(const ig_measure_entry *entry, const ig_evaluation *evaluation)
{
    return evaluation->taken & entry->taken ? entry->read(evaluation) : NAN;
}

/* What the measure itself says of its figures. */
static const char *own_reason(const ig_measure_entry *entry, const ig_evaluation *e)
{
    switch (entry->taken) {
    case IG_MEASURE_GEOMETRY:
        return e->geometry.reason;
    case IG_MEASURE_RETRIEVAL:
        return e->retrieval.reason;
    case IG_MEASURE_ISOTROPY:
        return e->isotropy.reason;
    case IG_MEASURE_PROBE:
        return e->probe.reason;
    case IG_MEASURE_PURITY:
        return e->purity.reason;
    default:
        return e->similarity.all.reason;
    }
}

bool ig_measure_tells(const ig_measure_entry *entry, const ig_evaluation *evaluation)
{
    if (!evaluation || !(evaluation->taken & entry->taken))
        return false;
    if (entry->read == mean_pearson || entry->read == mean_spearman)
        return evaluation->similarity.kinds > 0;
    return entry->read != tied || entry->read(evaluation) > 0;
}

const char *ig_measure_reason(const ig_measure_entry *entry,
                              const ig_evaluation *evaluation)
{
    const char *reason;

    if (!isnan(ig_measure_read(entry, evaluation)))
        return NULL;
    if (!(evaluation->taken & entry->taken))
        return "not measured";
    reason = own_reason(entry, evaluation);
    if (reason)
        return reason;
    if (entry->read == margin)
        return "no language has a second candidate";
    if (entry->read == overlap5)
        return "fewer than 6 rows of a language";
    if (entry->read == mean_pearson || entry->read == mean_spearman)
        return evaluation->similarity.kinds ? "no kind of pair has a correlation"
                                            : "the scores name no kinds of pairs";
    return "it cannot be computed";
}
