/* The table of measures: everything that outputs say of a figure but its value. */
#include "measure/figure.h"

#include <string.h>

#define SHARE    .unit = IG_UNIT_SHARE, .decimals = 1
#define RANK     .unit = IG_UNIT_RANK, .decimals = 1
#define COUNT    .unit = IG_UNIT_COUNT
#define OF(NAME) .family = IG_FAMILY_##NAME

static const ig_measure measures[] = {
    {OF(GEOMETRY), .name = "alignment", .label = "alignment", .brief = "align.",
     .about =
         "Mean squared distance between the unit vectors of a sentence and its "
         "translation. Small, too, where a space has collapsed to a point: compare "
         "spaces by relative alignment.",
     .source = "wang; bias eq.8", .decimals = 3},
    {OF(GEOMETRY), .name = "uniformity", .label = "uniformity", .brief = "uniform.",
     .about = "How evenly the unit vectors fill the sphere: log of the mean of "
              "exp(−2‖u−v‖²) over pairs of rows.",
     .source = "wang; bias eq.9", .decimals = 3, .better = {-1, -1, 0}},
    {OF(RELATIVE_ALIGNMENT), .name = "relative_alignment",
     .label = "alignment, relative", .brief = "relat.",
     .about = "The same over the mean squared distance of rows that are no "
              "translations: 0 perfect, 1 chance, however small the space is.",
     .decimals = 3, .better = {-1, -1, 0}},
    {OF(MIXED_POOL), .name = "pool_translation", .label = "pool, translation",
     .brief = "pool transl.",
     .about = "Share of sentences whose nearest row, among those of all languages "
              "together, is a translation.",
     .source = "LAReQA", SHARE, .better = {1, 1, -1}},
    {OF(MIXED_POOL), .name = "pool_same_language", .label = "pool, same language",
     .brief = "pool same",
     .about = "Share of sentences whose nearest row, among those of all languages "
              "together, has the same language: the language bias that hides "
              "translations.",
     .source = "LAReQA", SHARE, .better = {-1, -1, 1}},
    {OF(MIXED_POOL), .name = "pool_mrr", .label = "pool, MRR", .brief = "pool MRR",
     .about = "Mean of 1/rank of the best translation among the rows of all languages "
              "together.",
     .source = "LAReQA", .decimals = 3, .better = {1, 1, -1}},
    {OF(MIXED_POOL), .name = "pool_nearest", .label = "nearest of all",
     .brief = "nearest",
     .about = "Share of the rows of a language whose nearest row, among those of all "
              "languages together, is of another (or the same) language.",
     .source = "LAReQA", SHARE, .better = {-1, -1, 1}, .parts = true},
    {OF(MIXED_POOL), .name = "purity10", .label = "purity@10", .brief = "purity",
     .about = "Share of a row's ten nearest rows, over all languages, that have its "
              "language.",
     SHARE, .better = {-1, -1, 1}},
    {OF(MIXED_POOL), .name = "hubness10", .label = "hubness@10", .brief = "hubness",
     .about = "Skewness of how often a row is among the ten nearest of others: great "
              "where a few rows are near to everything.",
     .decimals = 2, .better = {-1, -1, 0}},
    {OF(RETRIEVAL), .name = "top1", .matrix = 3, .label = "retrieval top-1",
     .brief = "top-1",
     .about = "Share of sentences whose translation is the nearest row of the other "
              "language; by language embeddings, what is still found has leaked.",
     .source = "oracle §5.4", SHARE, .better = {1, 1, -1}},
    {OF(RETRIEVAL), .name = "top5", .label = "retrieval top-5", .brief = "top-5",
     .about = "Share of sentences whose translation is among the five nearest rows of "
              "the other language.",
     .source = "oracle §5.4", SHARE, .better = {1, 1, -1}},
    {OF(RETRIEVAL), .name = "mean_rank", .label = "mean rank", .brief = "rank",
     .about = "Mean rank of the translation among the rows of the other language.",
     RANK, .better = {-1, -1, 1}},
    {OF(RETRIEVAL), .name = "median_rank", .label = "median rank", .brief = "median",
     .about = "Median rank of the translation, averaged over the language pairs.", RANK,
     .better = {-1, -1, 1}},
    {OF(RETRIEVAL), .name = "top1_worst", .label = "worst top-1", .brief = "worst",
     .about = "Top-1 from the language to the language between which it is least: what "
              "a mean over the directions hides.",
     .source = "oracle §5.4", SHARE, .better = {1, 1, 0}},
    {OF(RETRIEVAL), .name = "csls_top1", .matrix = 1, .label = "CSLS top-1",
     .brief = "CSLS",
     .about = "Top-1 by twice the cosine less the mean cosines of both rows with their "
              "ten nearest: rows that are near to everything no longer win.",
     .source = "csls", SHARE, .better = {1, 1, -1}},
    {OF(RETRIEVAL), .name = "csls_top1_worst", .label = "worst CSLS top-1",
     .brief = "worst C.",
     .about = "CSLS top-1 from the language to the language between which it is least.",
     .source = "csls", SHARE, .better = {1, 1, 0}},
    {OF(RETRIEVAL), .name = "ratio_margin_top1", .label = "ratio-margin top-1",
     .brief = "ratio",
     .about = "Top-1 by the ratio margin: the cosine over the mean cosine of both rows "
              "with their ten nearest, among all candidates.",
     .source = "margin", SHARE, .better = {1, 1, -1}},
    {OF(RETRIEVAL), .name = "ratio_margin_top1_worst",
     .label = "worst ratio-margin top-1", .brief = "worst r.",
     .about = "Ratio-margin top-1 from the language to the language between which it "
              "is least.",
     .source = "margin", SHARE, .better = {1, 1, 0}},
    {OF(RETRIEVAL), .name = "xsim", .matrix = 1, .label = "xsim error", .brief = "xsim",
     .about = "Share of sentences for which ratio-margin retrieval (k = 4) picks a row "
              "that is no translation.",
     .source = "margin", SHARE, .better = {-1, -1, 1}},
    {OF(RETRIEVAL), .name = "similarity_gap", .label = "similarity gap", .brief = "gap",
     .about = "How much nearer the translation is than the best other row: mean "
              "difference of their cosines.",
     .source = "struct §IV.3", .decimals = 3, .better = {1, 1, -1}},
    {OF(RETRIEVAL), .name = "overlap5", .label = "overlap@5", .brief = "overlap",
     .about = "Share of meanings in common among the five nearest rows of the same "
              "language, of a sentence and of its translation.",
     .source = "struct §IV.3", SHARE, .better = {1, 1, -1}},
    {OF(RETRIEVAL), .name = "tied", .label = "tied", .brief = "tied",
     .about = "Share of sentences whose translation ties with another row: near 100% "
              "the space does not distinguish them at all.",
     SHARE, .quiet = true},
    {OF(RETRIEVAL), .name = "candidates", .label = "candidates", .brief = "candid.",
     .about = "Rows of the other language among which a translation is searched.",
     COUNT, .parts = true},
    {OF(MINING), .name = "mining_f1", .matrix = 1, .label = "mining F1",
     .brief = "mining",
     .about = "How well a threshold on the ratio margin, chosen on other meanings, "
              "separates translations from all other pairs of rows: harmonic mean of "
              "precision and recall.",
     .source = "bucc; margin", SHARE, .better = {1, 1, -1}},
    {OF(MINING), .name = "mining_precision", .label = "mining precision",
     .brief = "precis.",
     .about = "Share of the pairs that are mined that are translations.",
     .source = "bucc; margin", SHARE, .better = {1, 1, -1}},
    {OF(MINING), .name = "mining_recall", .label = "mining recall", .brief = "recall",
     .about = "Share of the translations that are mined.", .source = "bucc; margin",
     SHARE, .better = {1, 1, -1}},
    {OF(MINING), .name = "mining_threshold", .label = "mining threshold",
     .brief = "thresh.", .about = "Least ratio margin of a pair that is mined.",
     .source = "bucc; margin", .decimals = 3, .parts = true},
    {OF(SIMILARITY), .name = "pearson", .label = "similarity, Pearson",
     .brief = "Pearson",
     .about = "Correlation of the cosines with human similarity scores.",
     .source = "seed §3; oracle §5.4", .decimals = 3, .better = {1, 1, -1}},
    {OF(SIMILARITY), .name = "spearman", .label = "similarity, Spearman",
     .brief = "Spearman",
     .about = "Correlation of the ranks of the cosines with those of the human scores.",
     .source = "seed §3; oracle §5.4", .decimals = 3, .better = {1, 1, -1}},
    {OF(SIMILARITY), .name = "pearson_monolingual", .label = "Pearson, one language",
     .brief = "Pearson mono",
     .about = "The same over the pairs whose sentences are of one language.",
     .source = "seed §3; oracle §5.4", .decimals = 3, .better = {1, 1, -1},
     .quiet = true},
    {OF(SIMILARITY), .name = "spearman_monolingual", .label = "Spearman, one language",
     .brief = "Spearm. mono",
     .about = "Rank correlation over the pairs whose sentences are of one language.",
     .source = "seed §3; oracle §5.4", .decimals = 3, .better = {1, 1, -1},
     .quiet = true},
    {OF(SIMILARITY), .name = "pearson_crosslingual", .label = "Pearson, two languages",
     .brief = "Pearson cross",
     .about = "The same over the pairs of two languages: what language bias disturbs.",
     .source = "seed §3; oracle §5.4", .decimals = 3, .better = {1, 1, -1},
     .quiet = true},
    {OF(SIMILARITY), .name = "spearman_crosslingual",
     .label = "Spearman, two languages", .brief = "Spearm. cross",
     .about = "Rank correlation over the pairs of two languages.",
     .source = "seed §3; oracle §5.4", .decimals = 3, .better = {1, 1, -1},
     .quiet = true},
    {OF(SIMILARITY), .name = "mean_pearson", .label = "similarity, Pearson by pair",
     .brief = "Pearson by pair",
     .about = "Mean of the correlations of each kind of pair.",
     .source = "seed §3; oracle §5.4", .decimals = 3, .better = {1, 1, -1},
     .quiet = true},
    {OF(SIMILARITY), .name = "mean_spearman", .label = "similarity, Spearman by pair",
     .brief = "Spearm. by pair",
     .about = "Mean of the rank correlations of each kind of pair.",
     .source = "seed §3; oracle §5.4", .decimals = 3, .better = {1, 1, -1},
     .quiet = true},
    {OF(REVERSIBILITY), .name = "reversible", .label = "reversed, cosine",
     .brief = "reversed",
     .about = "Mean cosine of a vector with the sum of its meaning and its language: 1 "
              "where nothing is lost.",
     .source = "seed eq.6", .decimals = 3, .better = {0, 1, 0}},
    {OF(REVERSIBILITY), .name = "reversible_error", .label = "reversed, error",
     .brief = "rev. error",
     .about = "How far that sum is from the vector, as a share of its length.",
     .source = "seed eq.6", .decimals = 3, .better = {0, -1, 0}},
    {OF(REVERSIBILITY), .name = "exchanged_language", .label = "language exchanged",
     .brief = "lang. exch.",
     .about = "The same cosine with the language of another row of that language: near "
              "1 where language embeddings hold no meaning.",
     .source = "seed eq.6", .decimals = 3, .better = {0, 1, 0}},
    {OF(REVERSIBILITY), .name = "exchanged_language_error",
     .label = "language exchanged, error", .brief = "l. ex. error",
     .about = "How far the sum with the language of another row is from the vector.",
     .source = "seed eq.6", .decimals = 3, .better = {0, -1, 0}},
    {OF(REVERSIBILITY), .name = "exchanged_meaning", .label = "meaning exchanged",
     .brief = "mean. exch.",
     .about = "The same cosine with the meaning of a translation: near 1 where "
              "translations have one meaning.",
     .source = "seed eq.6", .decimals = 3, .better = {0, 1, 0}},
    {OF(REVERSIBILITY), .name = "exchanged_meaning_error",
     .label = "meaning exchanged, error", .brief = "m. ex. error",
     .about = "How far the sum with the meaning of a translation is from the vector.",
     .source = "seed eq.6", .decimals = 3, .better = {0, -1, 0}},
    {OF(REVERSIBILITY), .name = "parts_cosine", .label = "|cos(m, l)|",
     .brief = "|cos(m, l)|",
     .about = "Mean absolute cosine of the meaning with the language of a row: 0 where "
              "they stand at right angles.",
     .source = "seed eq.6", .decimals = 3, .better = {0, -1, 0}},
    {OF(ISOTROPY), .name = "isoscore", .label = "IsoScore", .brief = "IsoScore",
     .about = "How evenly variance is spread over all directions: 0 a line, 1 a ball.",
     .source = "struct §III.3", .decimals = 3, .better = {1, 1, 0}},
    {OF(ISOTROPY), .name = "eigenvalue", .label = "eigenvalue", .brief = "eigenv.",
     .about = "Eigenvalue of the covariance of the unit rows, the greatest first.",
     .source = "struct §III.3", .decimals = 3, .parts = true},
    {OF(PROBE), .name = "probe", .label = "language probe", .brief = "probe",
     .about = "Share of rows whose language a linear classifier reads from the space; "
              "chance is the share of the largest language.",
     SHARE, .better = {-1, -1, 1}},
    {OF(PROBE), .name = "probe_read", .matrix = 2, .label = "read as",
     .brief = "read as",
     .about = "Share of the tested rows of a language that the linear probe reads as "
              "another (or the same) language.",
     SHARE, .better = {-1, -1, 1}, .parts = true},
    {OF(PROBE), .name = "probe_shuffled", .label = "probe, labels shuffled",
     .brief = "shuffled",
     .about = "The same when the labels it learns from are shuffled: what it reads "
              "where there is nothing to read.",
     SHARE},
    {OF(HIDDEN_PROBE), .name = "probe_hidden", .label = "probe, hidden layer",
     .brief = "hidden",
     .about = "Share of rows whose language a classifier with one hidden layer reads "
              "from the space: what is left that no linear one finds.",
     SHARE, .better = {-1, -1, 1}},
    {OF(LABEL_TRANSFER), .name = "zero_shot_transfer", .label = "zero-shot transfer",
     .brief = "transfer",
     .about = "Share of rows whose label a linear classifier reads that learned labels "
              "in the pivot language alone: mean over the other languages.",
     SHARE, .better = {1, 1, -1}},
    {OF(LABEL_TRANSFER), .name = "zero_shot_transfer_worst",
     .label = "zero-shot transfer, worst", .brief = "tr. worst",
     .about = "The same in the language where it reads least.", SHARE,
     .better = {1, 1, -1}},
    {OF(LABEL_TRANSFER), .name = "zero_shot_transfer_pivot",
     .label = "zero-shot transfer, pivot", .brief = "tr. pivot",
     .about = "The same in the language that it learned in, on other sentences.", SHARE,
     .better = {1, 1, -1}},
};

enum { MEASURES = sizeof measures / sizeof *measures };

const ig_measure *ig_measure_at(size_t i)
{
    return i < MEASURES ? &measures[i] : NULL;
}

const ig_measure *ig_measure_named(const char *name)
{
    for (size_t i = 0; i < MEASURES; i++)
        if (strcmp(measures[i].name, name) == 0)
            return &measures[i];
    return NULL;
}
