/* The table of measures: name, label, definition, unit and direction of each. */
#include "measure/figure.h"

#include <string.h>

#define SHARE            .unit = IG_UNIT_SHARE, .decimals = 1, .share = true
#define RANK             .unit = IG_UNIT_RANK, .decimals = 1
#define COUNT            .unit = IG_UNIT_COUNT
#define OF(NAME)         .family = IG_GROUP_##NAME
#define NO_INTERVAL(WHY) .no_interval = WHY
#define BIASED           "few rows bias CKA upwards: see debiased CKA"
#define NOT_DRAWN        "only Pearson's and Spearman's correlations are resampled"
#define FITTED           "each draw would have to train the classifiers again"
#define NEIGHBOURS       "each draw would change who is near to whom"
#define CHOSEN           "each draw would choose another threshold"
#define CORRELATION      .source = "seed §3; oracle §5.4", .decimals = 3, BETTER
#define BETTER           .better = {1, 1, -1}
#define MINIMUM          "draws of a minimum lie below it"

static const ig_measure measures[] = {
    {OF(GEOMETRY), .name = "alignment", .label = "alignment", .brief = "alignment",
     .about = "Mean squared distance between the unit vectors of a sentence and its "
              "translation. It is also small if a space has collapsed to a point: "
              "compare spaces by relative alignment.",
     .source = "wang; bias eq.8", .decimals = 3},
    {OF(GEOMETRY), .name = "uniformity", .label = "uniformity", .brief = "uniformity",
     .about = "How evenly the unit vectors fill the sphere: log of the mean of "
              "exp(−2‖u−v‖²) over pairs of rows.",
     .source = "wang; bias eq.9", .decimals = 3, .better = {-1, -1, 0}},
    {OF(RELATIVE_ALIGNMENT), .name = "relative_alignment",
     .label = "relative alignment", .brief = "relative",
     .about = "Alignment divided by the mean squared distance of rows that are not "
              "translations: 0 perfect, 1 chance, at any scale of the space.",
     .decimals = 3, .better = {-1, -1, 0}},
    {OF(MULTILINGUAL_POOL), .name = "pool_translation", .main = true,
     .label = "multilingual top-1", .brief = "pool top-1",
     .about = "Share of sentences whose nearest row, among those of all languages "
              "together, is a translation.",
     .source = "LAReQA", SHARE, BETTER},
    {OF(MULTILINGUAL_POOL), .name = "pool_same_language", .main = true,
     .label = "same-language neighbours", .brief = "same language",
     .about = "Share of sentences whose nearest row, among those of all languages "
              "together, has the same language: the language bias that hides "
              "translations.",
     .source = "LAReQA", SHARE, .better = {-1, -1, 1}},
    {OF(MULTILINGUAL_POOL), .name = "pool_mrr", .label = "multilingual MRR",
     .brief = "pool MRR",
     .about = "Mean of 1/rank of the best translation among the rows of all languages "
              "together.",
     .source = "LAReQA", .decimals = 3, .share = true, BETTER},
    {OF(MULTILINGUAL_POOL), .name = "pool_ndcg10", .label = "multilingual nDCG@10",
     .brief = "pool nDCG",
     .about = "Normalised discounted cumulative gain of the ten nearest rows of all "
              "languages, of which the translations count: 1 if they come first.",
     .source = "MTEB", .decimals = 3, .share = true, BETTER},
    {OF(MULTILINGUAL_POOL), .name = "pool_last_rank", .label = "multilingual last rank",
     .brief = "last rank",
     .about = "Mean rank of a sentence's farthest translation among the rows of all "
              "languages together: where a search would have found all of them.",
     RANK, .better = {-1, -1, 1}},
    {OF(MULTILINGUAL_POOL), .name = "first_translation", .label = "first translation",
     .brief = "first",
     .about = "Of the sentences with translations in two or more languages, this one "
              "among them, the share whose nearest translation is of this language.",
     SHARE, .parts = true},
    {OF(MULTILINGUAL_POOL), .name = "preference", .label = "language preference",
     .brief = "preference",
     .about =
         "Share of sentences whose nearest translation would have to be of another "
         "language, so that each came first as often as by chance: 0 is no "
         "preference.",
     SHARE, .better = {-1, -1, 0},
     NO_INTERVAL("absolute values are biased upwards: see first_translation")},
    {OF(MULTILINGUAL_POOL), .name = "pool_nearest", .label = "nearest of all",
     .brief = "nearest",
     .about = "Share of the rows of a language whose nearest row, among those of all "
              "languages together, is of another (or the same) language.",
     .source = "LAReQA", SHARE, .better = {-1, -1, 1}, .parts = true},
    {OF(MULTILINGUAL_POOL), .name = "purity10", .main = true, .label = "purity@10",
     .brief = "purity",
     .about =
         "Share of the ten nearest rows that are no translation of a row, over all "
         "languages, that have its language.",
     SHARE, .better = {-1, -1, 1}},
    {OF(MULTILINGUAL_POOL), .name = "hubness10", .label = "hubness@10",
     .brief = "hubness",
     .about = "Skewness of how often a row is among the ten nearest of others: "
              "large if a few rows (hubs) are near all others.",
     .decimals = 2, .better = {-1, -1, 0}, NO_INTERVAL(NEIGHBOURS)},
    {OF(RETRIEVAL), .name = "top1", .main = true, .matrix = 3,
     .label = "retrieval top-1", .brief = "top-1",
     .about = "Share of sentences whose translation is the nearest row of the other "
              "language; in the language space, translations that are found have "
              "leaked.",
     .source = "oracle §5.4", SHARE, BETTER},
    {OF(RETRIEVAL), .name = "top5", .label = "retrieval top-5", .brief = "top-5",
     .about = "Share of sentences whose translation is among the five nearest rows of "
              "the other language.",
     .source = "oracle §5.4", SHARE, BETTER},
    {OF(RETRIEVAL), .name = "mean_rank", .label = "mean rank", .brief = "rank",
     .about = "Mean rank of the translation among the rows of the other language.",
     RANK, .better = {-1, -1, 1},
     NO_INTERVAL("a few long ranks decide their mean: intervals cover 92%")},
    {OF(RETRIEVAL), .name = "median_rank", .label = "median rank", .brief = "median",
     .about = "Median rank of the translation, averaged over the language pairs.", RANK,
     .better = {-1, -1, 1}, NO_INTERVAL("a median of few ranks moves in steps")},
    {OF(RETRIEVAL), .name = "top1_worst", .label = "worst top-1", .brief = "worst",
     .about = "Top-1 of the worst direction, which the mean over directions hides.",
     .source = "oracle §5.4", SHARE, NO_INTERVAL(MINIMUM), .better = {1, 1, 0}},
    {OF(RETRIEVAL), .name = "language_top1", .label = "top-1 by language",
     .brief = "by language",
     .about = "Difficulty of a language: mean top-1 of the directions out of it and "
              "into it; of all languages: top-1.",
     .source = "oracle §5.4", SHARE, BETTER},
    {OF(RETRIEVAL), .name = "csls_top1", .main = true, .matrix = 1,
     .label = "CSLS top-1", .brief = "CSLS",
     .about = "Top-1 by twice the cosine minus the mean cosines of both rows with "
              "their ten nearest: penalises rows that are near all others (hubs).",
     .source = "csls", SHARE, BETTER},
    {OF(RETRIEVAL), .name = "csls_top1_worst", .label = "worst CSLS top-1",
     .brief = "worst CSLS", .about = "CSLS top-1 of the worst direction.",
     .source = "csls", SHARE, NO_INTERVAL(MINIMUM), .better = {1, 1, 0}},
    {OF(RETRIEVAL), .name = "ratio_margin_top1", .label = "ratio-margin top-1",
     .brief = "ratio",
     .about = "Top-1 by the ratio margin: the cosine divided by the mean cosine of "
              "both rows with their ten nearest, among all candidates.",
     .source = "margin", SHARE, BETTER},
    {OF(RETRIEVAL), .name = "ratio_margin_top1_worst",
     .label = "worst ratio-margin top-1", .brief = "worst ratio",
     .about = "Ratio-margin top-1 of the worst direction.", .source = "margin", SHARE,
     NO_INTERVAL(MINIMUM), .better = {1, 1, 0}},
    {OF(RETRIEVAL), .name = "mutual_top1", .label = "mutual top-1",
     .brief = "mutual top-1",
     .about = "Share of translations that are strictly nearest to each other, among "
              "the rows of both languages: mean over pairs of languages.",
     .source = "MEXA", SHARE, BETTER},
    {OF(RETRIEVAL), .name = "mutual_top1_worst", .label = "worst mutual top-1",
     .brief = "worst mutual", .about = "Mutual top-1 of the worst pair of languages.",
     .source = "MEXA", SHARE, BETTER, NO_INTERVAL(MINIMUM)},
    {OF(RETRIEVAL), .name = "xsim", .matrix = 1, .label = "xsim error", .brief = "xsim",
     .about = "Share of sentences for which ratio-margin retrieval (k = 4) finds a "
              "row that is no translation.",
     .source = "margin", SHARE, .better = {-1, -1, 1}},
    {OF(RETRIEVAL), .name = "similarity_gap", .label = "similarity gap", .brief = "gap",
     .about = "Cosine of the translation minus that of the best other row, mean.",
     .source = "struct §IV.3", .decimals = 3, BETTER},
    {OF(RETRIEVAL), .name = "overlap5", .label = "overlap@5", .brief = "overlap",
     .about = "Share of meanings in common among the five nearest rows of the same "
              "language, of a sentence and of its translation.",
     .source = "struct §IV.3", SHARE, BETTER, NO_INTERVAL(NEIGHBOURS)},
    {OF(RETRIEVAL), .name = "tied", .label = "tied", .brief = "tied",
     .about = "Share of sentences whose translation ties with another row: near "
              "100% the space cannot distinguish them.",
     SHARE, .quiet = true, NO_INTERVAL("it is a diagnostic")},
    {OF(RETRIEVAL), .name = "candidates", .label = "candidates", .brief = "candidates",
     .about = "Number of rows of the other language that compete with a translation, "
              "the translation included.",
     COUNT, .parts = true},
    {OF(MINING), .name = "mining_f1", .matrix = 1, .label = "mining F1",
     .brief = "mining",
     .about = "How well a threshold on the ratio margin, chosen on other meanings, "
              "separates translations from all other pairs of rows: harmonic mean of "
              "precision and recall.",
     .source = "bucc; margin", SHARE, BETTER, NO_INTERVAL(CHOSEN)},
    {OF(MINING), .name = "mining_precision", .label = "mining precision",
     .brief = "precision", .about = "Share of the mined pairs that are translations.",
     .source = "bucc; margin", SHARE, BETTER, NO_INTERVAL(CHOSEN)},
    {OF(MINING), .name = "mining_recall", .label = "mining recall", .brief = "recall",
     .about = "Share of the translations that are mined.", .source = "bucc; margin",
     SHARE, BETTER, NO_INTERVAL(CHOSEN)},
    {OF(MINING), .name = "mining_threshold", .label = "mining threshold",
     .brief = "threshold", .about = "Smallest ratio margin of a mined pair.",
     .source = "bucc; margin", .decimals = 3, .parts = true},
    {OF(SIMILARITY), .name = "mean_pearson", .main = true,
     .label = "Pearson, mean of pairs", .brief = "mean Pearson",
     .about = "Correlation of the cosines with human similarity scores: mean over the "
              "language pairs (or kinds of pairs).",
     CORRELATION, .quiet = true},
    {OF(SIMILARITY), .name = "mean_spearman", .main = true,
     .label = "Spearman, mean of pairs", .brief = "mean Spearman",
     .about = "Correlation of the ranks of the cosines with those of the human scores: "
              "mean over the language pairs (or kinds of pairs).",
     CORRELATION, .quiet = true},
    {OF(SIMILARITY), .name = "pearson", .main = true, .label = "Pearson, pooled",
     .brief = "Pearson",
     .about =
         "Correlation over all scored pairs; rows of language pairs have that of each.",
     CORRELATION},
    {OF(SIMILARITY), .name = "spearman", .main = true, .label = "Spearman, pooled",
     .brief = "Spearman", .about = "Rank correlation over all scored pairs, pooled.",
     CORRELATION},
    {OF(SIMILARITY), .name = "pearson_monolingual", .label = "Pearson, one language",
     .brief = "Pearson mono",
     .about = "Correlation over the pairs within one language.", CORRELATION,
     .quiet = true},
    {OF(SIMILARITY), .name = "spearman_monolingual", .label = "Spearman, one language",
     .brief = "Spearman mono",
     .about = "Rank correlation over the pairs within one language.", CORRELATION,
     .quiet = true},
    {OF(SIMILARITY), .name = "pearson_crosslingual", .label = "Pearson, two languages",
     .brief = "Pearson cross",
     .about = "Correlation over the pairs across languages, which language bias "
              "disturbs.",
     CORRELATION, .quiet = true},
    {OF(SIMILARITY), .name = "spearman_crosslingual",
     .label = "Spearman, two languages", .brief = "Spearman cross",
     .about = "Rank correlation over the pairs across languages.", CORRELATION,
     .quiet = true},
    {OF(SIMILARITY), .name = "kendall", .label = "Kendall, pooled", .brief = "Kendall",
     .about =
         "Kendall's τ-b of the cosines with human scores, all scored pairs pooled.",
     .source = "Kendall 1945", .decimals = 3, NO_INTERVAL(NOT_DRAWN), BETTER,
     .quiet = true},
    {OF(SIMILARITY), .name = "mean_kendall", .label = "Kendall, mean of pairs",
     .brief = "mean Kendall",
     .about = "Macro mean of Kendall's τ-b of each language pair (or kind of pair).",
     .source = "Kendall 1945", .decimals = 3, NO_INTERVAL(NOT_DRAWN), BETTER,
     .quiet = true},
    {OF(SIMILARITY), .name = "auc", .label = "AUC, pooled", .brief = "AUC",
     .about = "Area under the ROC curve of the cosine as a detector of positive pairs, "
              "whose score is at least that of --positive; all scored pairs pooled.",
     .decimals = 3, NO_INTERVAL(NOT_DRAWN), BETTER, .quiet = true, .positive = true},
    {OF(SIMILARITY), .name = "mean_auc", .label = "AUC, mean of pairs",
     .brief = "mean AUC",
     .about = "Macro mean of the AUC of each language pair (or kind of pair).",
     .decimals = 3, NO_INTERVAL(NOT_DRAWN), BETTER, .quiet = true, .positive = true},
    {OF(SIMILARITY), .name = "average_precision", .label = "average precision, pooled",
     .brief = "avg. precision",
     .about = "Average precision of the cosine as a detector of positive pairs; all "
              "scored pairs pooled.",
     .decimals = 3, NO_INTERVAL(NOT_DRAWN), BETTER, .quiet = true, .positive = true},
    {OF(SIMILARITY), .name = "mean_average_precision",
     .label = "average precision, mean of pairs", .brief = "mean avg. prec.",
     .about = "Macro mean of the average precision of each language pair (or kind of "
              "pair).",
     .decimals = 3, NO_INTERVAL(NOT_DRAWN), BETTER, .quiet = true, .positive = true},
    {OF(REVERSIBILITY), .name = "reversible", .label = "reversibility, cosine",
     .brief = "reversibility",
     .about = "Mean cosine of a vector with the sum of its meaning and its "
              "language: 1 if nothing is lost.",
     .source = "seed eq.6", .decimals = 3, .better = {0, 1, 0}},
    {OF(REVERSIBILITY), .name = "reversible_error", .label = "reversibility, error",
     .brief = "reverse error",
     .about = "Distance of that sum from the vector, as a share of its length.",
     .source = "seed eq.6", .decimals = 3, .better = {0, -1, 0}},
    {OF(REVERSIBILITY), .name = "exchanged_language",
     .label = "exchanged language, cosine", .brief = "language swap",
     .about = "The cosine with the language of another row of that language: near 1 "
              "if language embeddings contain no meaning.",
     .source = "seed eq.6", .decimals = 3, .better = {0, 1, 0}},
    {OF(REVERSIBILITY), .name = "exchanged_language_error",
     .label = "exchanged language, error", .brief = "language error",
     .about = "Distance of the sum with the language of another row from the "
              "vector, as a share of its length.",
     .source = "seed eq.6", .decimals = 3, .better = {0, -1, 0}},
    {OF(REVERSIBILITY), .name = "exchanged_meaning",
     .label = "exchanged meaning, cosine", .brief = "meaning swap",
     .about = "The cosine with the meaning of a translation: near 1 if translations "
              "have the same meaning.",
     .source = "seed eq.6", .decimals = 3, .better = {0, 1, 0}},
    {OF(REVERSIBILITY), .name = "exchanged_meaning_error",
     .label = "exchanged meaning, error", .brief = "meaning error",
     .about = "Distance of the sum with the meaning of a translation from the "
              "vector, as a share of its length.",
     .source = "seed eq.6", .decimals = 3, .better = {0, -1, 0}},
    {OF(REVERSIBILITY), .name = "parts_cosine", .label = "|cos(m, l)|",
     .brief = "|cos(m, l)|",
     .about = "Mean absolute cosine of the meaning with the language of a row: 0 if "
              "they are orthogonal.",
     .source = "seed eq.6", .decimals = 3, .better = {0, -1, 0}},
    {OF(ISOTROPY), .name = "isoscore", .label = "IsoScore", .brief = "IsoScore",
     .about = "How evenly variance is spread over all directions: 0 a line, 1 a ball.",
     .source = "struct §III.3", .decimals = 3, .better = {1, 1, 0},
     NO_INTERVAL("few rows bias it downwards by more than an interval is wide")},
    {OF(ISOTROPY), .name = "mean_cosine", .label = "mean cosine",
     .brief = "mean cosine",
     .about =
         "Mean cosine of two different rows, of any language: near 0 if they point "
         "in all directions, near 1 in a narrow cone, which IsoScore does not see.",
     .source = "Ethayarajh 2019", .decimals = 3, .better = {-1, -1, 0}},
    {OF(ISOTROPY), .name = "language_share", .label = "variance of languages",
     .brief = "language var.",
     .about =
         "Share of the variance of the vectors, as they are, that lies between the "
         "means of languages: what subtracting these would remove. Chance is that "
         "of random languages.",
     SHARE, .better = {-1, -1, 1}},
    {OF(ISOTROPY), .name = "eigenvalue", .label = "eigenvalue", .brief = "eigenvalue",
     .about = "Eigenvalues of the covariance of the unit rows, largest first.",
     .source = "struct §III.3", .decimals = 3, .parts = true},
    {OF(CKA), .name = "cka", .main = true, .label = "CKA between languages",
     .brief = "CKA",
     .about = "Linear centred kernel alignment of two languages, rows paired by "
              "translation: 1 if one is a rotation of the other, at any distance "
              "between them; mean over pairs of languages.",
     .source = "Kornblith et al. 2019", .decimals = 3, NO_INTERVAL(BIASED),
     .better = {1, 1, 0}},
    {OF(CKA), .name = "cka_debiased", .main = true, .label = "debiased CKA",
     .brief = "debiased CKA",
     .about = "CKA by an unbiased estimator: near 0 for independent rows, however few.",
     .source = "Nguyen, Raghu, Kornblith 2021", .decimals = 3, .better = {1, 1, 0}},
    {OF(SPACE_CKA), .name = "cka_original", .label = "CKA with the original",
     .brief = "CKA original",
     .about = "Linear CKA of meaning embeddings with the original vectors: how much of "
              "the geometry is preserved.",
     .source = "Kornblith et al. 2019", .decimals = 3, NO_INTERVAL(BIASED)},
    {OF(SPACE_CKA), .name = "cka_original_debiased",
     .label = "debiased CKA with original", .brief = "debiased orig.",
     .about = "The CKA above by an unbiased estimator.",
     .source = "Nguyen, Raghu, Kornblith 2021", .decimals = 3},
    {OF(SPACE_CKA), .name = "cka_parts", .label = "CKA of both parts",
     .brief = "CKA parts",
     .about = "Linear CKA of meaning embeddings with language embeddings: near 0 if "
              "they carry different information.",
     .source = "Kornblith et al. 2019", .decimals = 3, NO_INTERVAL(BIASED),
     .better = {0, -1, 0}},
    {OF(SPACE_CKA), .name = "cka_parts_debiased", .label = "debiased CKA of both parts",
     .brief = "debiased parts", .about = "The CKA above by an unbiased estimator.",
     .source = "Nguyen, Raghu, Kornblith 2021", .decimals = 3, .better = {0, -1, 0}},
    {OF(SPACE_CKA), .name = "cka_run", .main = true, .label = "CKA with the first run",
     .brief = "CKA first run",
     .about = "Linear CKA of the space with the same space of the first run: 1 if one "
              "is a rotation of the other.",
     .source = "Kornblith et al. 2019", .decimals = 3, NO_INTERVAL(BIASED)},
    {OF(SPACE_CKA), .name = "cka_run_debiased", .main = true,
     .label = "debiased CKA with first run", .brief = "debiased first",
     .about = "The CKA above by an unbiased estimator.",
     .source = "Nguyen, Raghu, Kornblith 2021", .decimals = 3},
    {OF(PROBE), .name = "probe", .main = true, .label = "probe, unit rows",
     .brief = "probe",
     .about =
         "Share of rows whose language a linear classifier predicts from unit rows; "
         "each half of the rows is read by a probe of the other. Chance is the "
         "share of the largest language.",
     SHARE, .better = {-1, -1, 1}},
    {OF(PROBE), .name = "probe_fitted", .main = true,
     .label = "probe, fitted on others", .brief = "fitted",
     .about =
         "The probe learned from the rows that are not measured, such as those that "
         "the extractor was fitted to: an eraser that overfits looks clean to it.",
     SHARE, .better = {-1, -1, 1}},
    {OF(PROBE), .name = "probe_read", .matrix = 2, .label = "read as",
     .brief = "read as",
     .about = "Share of the tested rows of a language that the linear probe "
              "predicts as another (or the same) language.",
     SHARE, .better = {-1, -1, 1}, .parts = true},
    {OF(PROBE), .name = "probe_shuffled", .label = "probe, labels shuffled",
     .brief = "shuffled",
     .about = "Accuracy of the linear probe of unit rows trained on shuffled labels, "
              "mean of 20 shuffles: the baseline of a probe without information.",
     SHARE, NO_INTERVAL("it depends on the shuffles")},
    {OF(PROBE), .name = "probe_raw", .main = true, .label = "probe, raw rows",
     .brief = "raw probe",
     .about =
         "The linear probe of rows as they are: scaling rows to unit length brings "
         "some of an erased language back.",
     SHARE, .better = {-1, -1, 1}},
    {OF(PROBE), .name = "probe_raw_fitted", .main = true,
     .label = "raw probe, fitted on others", .brief = "raw fitted",
     .about = "The raw probe learned from the rows that are not measured: erasure "
              "promises chance where probe and erasure are fitted to the same rows.",
     SHARE, .better = {-1, -1, 1}},
    {OF(HIDDEN_PROBE), .name = "probe_hidden", .label = "probe, hidden layer",
     .brief = "hidden",
     .about = "Share of rows whose language a classifier with one hidden layer "
              "predicts: it also finds what no linear classifier can.",
     SHARE, .better = {-1, -1, 1}},
    {OF(HIDDEN_PROBE), .name = "probe_hidden_fitted",
     .label = "hidden layer, fitted on others", .brief = "hidden fitted",
     .about =
         "The probe with a hidden layer learned from the rows that are not measured.",
     SHARE, .better = {-1, -1, 1}},
    {OF(ZERO_SHOT_TRANSFER), .name = "zero_shot_transfer",
     .label = "zero-shot transfer", .brief = "transfer",
     .about = "Share of rows whose label a linear classifier predicts that was "
              "trained in the pivot language only: mean over the other languages.",
     SHARE, BETTER, NO_INTERVAL(FITTED)},
    {OF(ZERO_SHOT_TRANSFER), .name = "zero_shot_transfer_worst",
     .label = "zero-shot transfer, worst", .brief = "worst transfer",
     .about = "Zero-shot transfer in the worst language.", SHARE, BETTER,
     NO_INTERVAL(FITTED)},
    {OF(ZERO_SHOT_TRANSFER), .name = "zero_shot_transfer_pivot",
     .label = "zero-shot transfer, pivot", .brief = "pivot transfer",
     .about = "Accuracy in the pivot language itself, on other sentences.", SHARE,
     BETTER, NO_INTERVAL(FITTED)},
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
