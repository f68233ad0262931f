/* The table of measures: name, label, definition, unit and direction of each. */
#include "measure/figure.h"

#include <string.h>

#define OURS        NULL
#define NUMBER      .decimals = 3
#define SHARE       .unit = IG_UNIT_SHARE, .decimals = 1, .share = true
#define RANK        .unit = IG_UNIT_RANK, .decimals = 1
#define COUNT       .unit = IG_UNIT_COUNT
#define BETTER      .better = {1, 1, -1}
#define MAIN        .main = true
#define QUIET       .quiet = true
#define PARTS       .parts = true
#define NO_INTERVAL .no_interval = true

/* Name, label and label for narrow tables; definition; source and group. */
static const ig_measure measures[] = {
    {"alignment", "alignment", "alignment",
     "Mean squared distance between the unit vectors of a sentence and its "
     "translation. It is also small if a space has collapsed to a point: compare "
     "spaces by relative alignment.",
     "wang; bias eq.8", IG_GROUP_GEOMETRY, NUMBER},
    {"uniformity", "uniformity", "uniformity",
     "How evenly the unit vectors fill the sphere: log of the mean of exp(−2‖u−v‖²) "
     "over pairs of rows.",
     "wang; bias eq.9", IG_GROUP_GEOMETRY, NUMBER, .better = {-1, -1, 0}},
    {"relative_alignment", "relative alignment", "relative",
     "Alignment divided by the mean squared distance of rows that are not "
     "translations: 0 perfect, 1 chance, at any scale of the space.",
     OURS, IG_GROUP_RELATIVE_ALIGNMENT, NUMBER, .better = {-1, -1, 0}},
    {"pool_translation", "multilingual top-1", "pool top-1",
     "Share of sentences whose nearest row, among those of all languages together, is "
     "a translation.",
     "LAReQA", IG_GROUP_MULTILINGUAL_POOL, SHARE, BETTER, MAIN},
    {"pool_same_language", "same-language neighbours", "same language",
     "Share of sentences whose nearest row, among those of all languages together, "
     "has the same language: the language bias that hides translations.",
     "LAReQA", IG_GROUP_MULTILINGUAL_POOL, SHARE, .better = {-1, -1, 1}, MAIN},
    {"pool_mrr", "multilingual MRR", "pool MRR",
     "Mean of 1/rank of the best translation among the rows of all languages together.",
     "LAReQA", IG_GROUP_MULTILINGUAL_POOL, NUMBER, .share = true, BETTER},
    {"pool_ndcg10", "multilingual nDCG@10", "pool nDCG",
     "Normalised discounted cumulative gain of the ten nearest rows of all languages, "
     "of which the translations count: 1 if they come first.",
     "MTEB", IG_GROUP_MULTILINGUAL_POOL, NUMBER, .share = true, BETTER},
    {"pool_last_rank", "multilingual last rank", "last rank",
     "Mean rank of a sentence's farthest translation among the rows of all languages "
     "together: where a search would have found all of them.",
     OURS, IG_GROUP_MULTILINGUAL_POOL, RANK, .better = {-1, -1, 1}},
    {"first_translation", "first translation", "first",
     "Of the sentences with translations in two or more languages, this one among "
     "them, the share whose nearest translation is of this language.",
     OURS, IG_GROUP_MULTILINGUAL_POOL, SHARE, PARTS},
    {"preference", "language preference", "preference",
     "Share of sentences whose nearest translation would have to be of another "
     "language, so that each came first as often as by chance: 0 is no preference.",
     OURS, IG_GROUP_MULTILINGUAL_POOL, SHARE, .better = {-1, -1, 0}, NO_INTERVAL},
    {"pool_nearest", "nearest of all", "nearest",
     "Share of the rows of a language whose nearest row, among those of all languages "
     "together, is of another (or the same) language.",
     "LAReQA", IG_GROUP_MULTILINGUAL_POOL, SHARE, .better = {-1, -1, 1}, PARTS},
    {"purity10", "purity@10", "purity",
     "Share of the ten nearest rows that are no translation of a row, over all "
     "languages, that have its language.",
     OURS, IG_GROUP_MULTILINGUAL_POOL, SHARE, .better = {-1, -1, 1}, MAIN},
    {"hubness10", "hubness@10", "hubness",
     "Skewness of how often a row is among the ten nearest of others: large if a few "
     "rows (hubs) are near all others.",
     OURS, IG_GROUP_MULTILINGUAL_POOL, .decimals = 2, .better = {-1, -1, 0},
     NO_INTERVAL},
    {"top1", "retrieval top-1", "top-1",
     "Share of sentences whose translation is the nearest row of the other language; "
     "in the language space, translations that are found have leaked.",
     "oracle §5.4", IG_GROUP_RETRIEVAL, SHARE, BETTER, MAIN, .matrix = 3},
    {"top5", "retrieval top-5", "top-5",
     "Share of sentences whose translation is among the five nearest rows of the "
     "other language.",
     "oracle §5.4", IG_GROUP_RETRIEVAL, SHARE, BETTER},
    {"mean_rank", "mean rank", "rank",
     "Mean rank of the translation among the rows of the other language.", OURS,
     IG_GROUP_RETRIEVAL, RANK, .better = {-1, -1, 1}, NO_INTERVAL},
    {"median_rank", "median rank", "median",
     "Median rank of the translation, averaged over the language pairs.", OURS,
     IG_GROUP_RETRIEVAL, RANK, .better = {-1, -1, 1}, NO_INTERVAL},
    {"top1_worst", "worst top-1", "worst",
     "Top-1 of the worst direction, which the mean over directions hides.",
     "oracle §5.4", IG_GROUP_RETRIEVAL, SHARE, .better = {1, 1, 0}, NO_INTERVAL},
    {"language_top1", "top-1 by language", "by language",
     "Difficulty of a language: mean top-1 of the directions out of it and into it; "
     "of all languages: top-1.",
     "oracle §5.4", IG_GROUP_RETRIEVAL, SHARE, BETTER},
    {"csls_top1", "CSLS top-1", "CSLS",
     "Top-1 by twice the cosine minus the mean cosines of both rows with their ten "
     "nearest: penalises rows that are near all others (hubs).",
     "csls", IG_GROUP_RETRIEVAL, SHARE, BETTER, MAIN, .matrix = 1},
    {"csls_top1_worst", "worst CSLS top-1", "worst CSLS",
     "CSLS top-1 of the worst direction.", "csls", IG_GROUP_RETRIEVAL, SHARE,
     .better = {1, 1, 0}, NO_INTERVAL},
    {"ratio_margin_top1", "ratio-margin top-1", "ratio",
     "Top-1 by the ratio margin: the cosine divided by the mean cosine of both rows "
     "with their ten nearest, among all candidates.",
     "margin", IG_GROUP_RETRIEVAL, SHARE, BETTER},
    {"ratio_margin_top1_worst", "worst ratio-margin top-1", "worst ratio",
     "Ratio-margin top-1 of the worst direction.", "margin", IG_GROUP_RETRIEVAL, SHARE,
     .better = {1, 1, 0}, NO_INTERVAL},
    {"mutual_top1", "mutual top-1", "mutual top-1",
     "Share of translations that are strictly nearest to each other, among the rows "
     "of both languages: mean over pairs of languages.",
     "MEXA", IG_GROUP_RETRIEVAL, SHARE, BETTER},
    {"mutual_top1_worst", "worst mutual top-1", "worst mutual",
     "Mutual top-1 of the worst pair of languages.", "MEXA", IG_GROUP_RETRIEVAL, SHARE,
     BETTER, NO_INTERVAL},
    {"xsim", "xsim error", "xsim",
     "Share of sentences for which ratio-margin retrieval (k = 4) finds a row that is "
     "no translation.",
     "margin", IG_GROUP_RETRIEVAL, SHARE, .better = {-1, -1, 1}, .matrix = 1},
    {"similarity_gap", "similarity gap", "gap",
     "Cosine of the translation minus that of the best other row, mean.",
     "struct §IV.3", IG_GROUP_RETRIEVAL, NUMBER, BETTER},
    {"overlap5", "overlap@5", "overlap",
     "Share of meanings in common among the five nearest rows of the same language, "
     "of a sentence and of its translation.",
     "struct §IV.3", IG_GROUP_RETRIEVAL, SHARE, BETTER, NO_INTERVAL},
    {"tied", "tied", "tied",
     "Share of sentences whose translation ties with another row: near 100% the space "
     "cannot distinguish them.",
     OURS, IG_GROUP_RETRIEVAL, SHARE, QUIET, NO_INTERVAL},
    {"candidates", "candidates", "candidates",
     "Number of rows of the other language that compete with a translation, the "
     "translation included.",
     OURS, IG_GROUP_RETRIEVAL, COUNT, PARTS},
    {"mining_f1", "mining F1", "mining",
     "How well a threshold on the ratio margin, chosen on other meanings, separates "
     "translations from all other pairs of rows: harmonic mean of precision and "
     "recall.",
     "bucc; margin", IG_GROUP_MINING, SHARE, BETTER, .matrix = 1, NO_INTERVAL},
    {"mining_precision", "mining precision", "precision",
     "Share of the mined pairs that are translations.", "bucc; margin", IG_GROUP_MINING,
     SHARE, BETTER, NO_INTERVAL},
    {"mining_recall", "mining recall", "recall",
     "Share of the translations that are mined.", "bucc; margin", IG_GROUP_MINING,
     SHARE, BETTER, NO_INTERVAL},
    {"mining_threshold", "mining threshold", "threshold",
     "Smallest ratio margin of a mined pair.", "bucc; margin", IG_GROUP_MINING, NUMBER,
     PARTS},
    {"mean_pearson", "Pearson, mean of pairs", "mean Pearson",
     "Correlation of the cosines with human similarity scores: mean over the language "
     "pairs (or kinds of pairs).",
     "seed §3; oracle §5.4", IG_GROUP_SIMILARITY, NUMBER, BETTER, MAIN, QUIET},
    {"mean_spearman", "Spearman, mean of pairs", "mean Spearman",
     "Correlation of the ranks of the cosines with those of the human scores: mean "
     "over the language pairs (or kinds of pairs).",
     "seed §3; oracle §5.4", IG_GROUP_SIMILARITY, NUMBER, BETTER, MAIN, QUIET},
    {"pearson", "Pearson, pooled", "Pearson",
     "Correlation over all scored pairs; rows of language pairs have that of each.",
     "seed §3; oracle §5.4", IG_GROUP_SIMILARITY, NUMBER, BETTER, MAIN},
    {"spearman", "Spearman, pooled", "Spearman",
     "Rank correlation over all scored pairs, pooled.", "seed §3; oracle §5.4",
     IG_GROUP_SIMILARITY, NUMBER, BETTER, MAIN},
    {"pearson_monolingual", "Pearson, one language", "Pearson mono",
     "Correlation over the pairs within one language.", "seed §3; oracle §5.4",
     IG_GROUP_SIMILARITY, NUMBER, BETTER, QUIET},
    {"spearman_monolingual", "Spearman, one language", "Spearman mono",
     "Rank correlation over the pairs within one language.", "seed §3; oracle §5.4",
     IG_GROUP_SIMILARITY, NUMBER, BETTER, QUIET},
    {"pearson_crosslingual", "Pearson, two languages", "Pearson cross",
     "Correlation over the pairs across languages, which language bias disturbs.",
     "seed §3; oracle §5.4", IG_GROUP_SIMILARITY, NUMBER, BETTER, QUIET},
    {"spearman_crosslingual", "Spearman, two languages", "Spearman cross",
     "Rank correlation over the pairs across languages.", "seed §3; oracle §5.4",
     IG_GROUP_SIMILARITY, NUMBER, BETTER, QUIET},
    {"kendall", "Kendall, pooled", "Kendall",
     "Kendall's τ-b of the cosines with human scores, all scored pairs pooled.",
     "Kendall 1945", IG_GROUP_SIMILARITY, NUMBER, BETTER, NO_INTERVAL, QUIET},
    {"mean_kendall", "Kendall, mean of pairs", "mean Kendall",
     "Macro mean of Kendall's τ-b of each language pair (or kind of pair).",
     "Kendall 1945", IG_GROUP_SIMILARITY, NUMBER, BETTER, NO_INTERVAL, QUIET},
    {"auc", "AUC, pooled", "AUC",
     "Area under the ROC curve of the cosine as a detector of positive pairs, whose "
     "score is at least that of --positive; all scored pairs pooled.",
     OURS, IG_GROUP_SIMILARITY, NUMBER, BETTER, NO_INTERVAL, QUIET, .positive = true},
    {"mean_auc", "AUC, mean of pairs", "mean AUC",
     "Macro mean of the AUC of each language pair (or kind of pair).", OURS,
     IG_GROUP_SIMILARITY, NUMBER, BETTER, NO_INTERVAL, QUIET, .positive = true},
    {"average_precision", "average precision, pooled", "avg. precision",
     "Average precision of the cosine as a detector of positive pairs; all scored "
     "pairs pooled.",
     OURS, IG_GROUP_SIMILARITY, NUMBER, BETTER, NO_INTERVAL, QUIET, .positive = true},
    {"mean_average_precision", "average precision, mean of pairs", "mean avg. prec.",
     "Macro mean of the average precision of each language pair (or kind of pair).",
     OURS, IG_GROUP_SIMILARITY, NUMBER, BETTER, NO_INTERVAL, QUIET, .positive = true},
    {"reversible", "reversibility, cosine", "reversibility",
     "Mean cosine of a vector with the sum of its meaning and its language: 1 if "
     "nothing is lost.",
     "seed eq.6", IG_GROUP_REVERSIBILITY, NUMBER, .better = {0, 1, 0}},
    {"reversible_error", "reversibility, error", "reverse error",
     "Distance of that sum from the vector, as a share of its length.", "seed eq.6",
     IG_GROUP_REVERSIBILITY, NUMBER, .better = {0, -1, 0}},
    {"exchanged_language", "exchanged language, cosine", "language swap",
     "The cosine with the language of another row of that language: near 1 if "
     "language embeddings contain no meaning.",
     "seed eq.6", IG_GROUP_REVERSIBILITY, NUMBER, .better = {0, 1, 0}},
    {"exchanged_language_error", "exchanged language, error", "language error",
     "Distance of the sum with the language of another row from the vector, as a "
     "share of its length.",
     "seed eq.6", IG_GROUP_REVERSIBILITY, NUMBER, .better = {0, -1, 0}},
    {"exchanged_meaning", "exchanged meaning, cosine", "meaning swap",
     "The cosine with the meaning of a translation: near 1 if translations have the "
     "same meaning.",
     "seed eq.6", IG_GROUP_REVERSIBILITY, NUMBER, .better = {0, 1, 0}},
    {"exchanged_meaning_error", "exchanged meaning, error", "meaning error",
     "Distance of the sum with the meaning of a translation from the vector, as a "
     "share of its length.",
     "seed eq.6", IG_GROUP_REVERSIBILITY, NUMBER, .better = {0, -1, 0}},
    {"parts_cosine", "|cos(m, l)|", "|cos(m, l)|",
     "Mean absolute cosine of the meaning with the language of a row: 0 if they are "
     "orthogonal.",
     "seed eq.6", IG_GROUP_REVERSIBILITY, NUMBER, .better = {0, -1, 0}},
    {"isoscore", "IsoScore", "IsoScore",
     "How evenly variance is spread over all directions: 0 a line, 1 a ball.",
     "struct §III.3", IG_GROUP_ISOTROPY, NUMBER, .better = {1, 1, 0}, NO_INTERVAL},
    {"mean_cosine", "mean cosine", "mean cosine",
     "Mean cosine of two different rows, of any language: near 0 if they point in all "
     "directions, near 1 in a narrow cone, which IsoScore does not see.",
     "Ethayarajh 2019", IG_GROUP_ISOTROPY, NUMBER, .better = {-1, -1, 0}},
    {"language_share", "variance of languages", "language var.",
     "Share of the variance of the vectors, as they are, that lies between the means "
     "of languages: what subtracting these would remove. Chance is that of random "
     "languages.",
     OURS, IG_GROUP_ISOTROPY, SHARE, .better = {-1, -1, 1}},
    {"eigenvalue", "eigenvalue", "eigenvalue",
     "Eigenvalues of the covariance of the unit rows, largest first.", "struct §III.3",
     IG_GROUP_ISOTROPY, NUMBER, PARTS},
    {"cka", "CKA between languages", "CKA",
     "Linear centred kernel alignment of two languages, rows paired by translation: 1 "
     "if one is a rotation of the other, at any distance between them; mean over "
     "pairs of languages.",
     "Kornblith et al. 2019", IG_GROUP_CKA, NUMBER, .better = {1, 1, 0}, MAIN,
     NO_INTERVAL},
    {"cka_debiased", "debiased CKA", "debiased CKA",
     "CKA by an unbiased estimator: near 0 for independent rows, however few.",
     "Nguyen, Raghu, Kornblith 2021", IG_GROUP_CKA, NUMBER, .better = {1, 1, 0}, MAIN},
    {"cka_original", "CKA with the original", "CKA original",
     "Linear CKA of meaning embeddings with the original vectors: how much of the "
     "geometry is preserved.",
     "Kornblith et al. 2019", IG_GROUP_SPACE_CKA, NUMBER, NO_INTERVAL},
    {"cka_original_debiased", "debiased CKA with original", "debiased orig.",
     "The CKA above by an unbiased estimator.", "Nguyen, Raghu, Kornblith 2021",
     IG_GROUP_SPACE_CKA, NUMBER},
    {"cka_parts", "CKA of both parts", "CKA parts",
     "Linear CKA of meaning embeddings with language embeddings: near 0 if they carry "
     "different information.",
     "Kornblith et al. 2019", IG_GROUP_SPACE_CKA, NUMBER, .better = {0, -1, 0},
     NO_INTERVAL},
    {"cka_parts_debiased", "debiased CKA of both parts", "debiased parts",
     "The CKA above by an unbiased estimator.", "Nguyen, Raghu, Kornblith 2021",
     IG_GROUP_SPACE_CKA, NUMBER, .better = {0, -1, 0}},
    {"cka_run", "CKA with the first run", "CKA first run",
     "Linear CKA of the space with the same space of the first run: 1 if one is a "
     "rotation of the other.",
     "Kornblith et al. 2019", IG_GROUP_SPACE_CKA, NUMBER, MAIN, NO_INTERVAL},
    {"cka_run_debiased", "debiased CKA with first run", "debiased first",
     "The CKA above by an unbiased estimator.", "Nguyen, Raghu, Kornblith 2021",
     IG_GROUP_SPACE_CKA, NUMBER, MAIN},
    {"probe", "probe, unit rows", "probe",
     "Share of rows whose language a linear classifier predicts from unit rows; each "
     "half of the rows is read by a probe of the other. Chance is the share of the "
     "largest language.",
     OURS, IG_GROUP_PROBE, SHARE, .better = {-1, -1, 1}, MAIN},
    {"probe_fitted", "probe, fitted on others", "fitted",
     "The probe learned from the rows that are not measured, such as those that the "
     "extractor was fitted to: an eraser that overfits looks clean to it.",
     OURS, IG_GROUP_PROBE, SHARE, .better = {-1, -1, 1}, MAIN},
    {"probe_read", "read as", "read as",
     "Share of the tested rows of a language that the linear probe predicts as "
     "another (or the same) language.",
     OURS, IG_GROUP_PROBE, SHARE, .better = {-1, -1, 1}, .matrix = 2, PARTS},
    {"probe_shuffled", "probe, labels shuffled", "shuffled",
     "Accuracy of the linear probe of unit rows trained on shuffled labels, mean of "
     "20 shuffles: the baseline of a probe without information.",
     OURS, IG_GROUP_PROBE, SHARE, NO_INTERVAL},
    {"probe_raw", "probe, raw rows", "raw probe",
     "The linear probe of rows as they are: scaling rows to unit length brings some "
     "of an erased language back.",
     OURS, IG_GROUP_PROBE, SHARE, .better = {-1, -1, 1}, MAIN},
    {"probe_raw_fitted", "raw probe, fitted on others", "raw fitted",
     "The raw probe learned from the rows that are not measured: erasure promises "
     "chance where probe and erasure are fitted to the same rows.",
     OURS, IG_GROUP_PROBE, SHARE, .better = {-1, -1, 1}, MAIN},
    {"probe_hidden", "probe, hidden layer", "hidden",
     "Share of rows whose language a classifier with one hidden layer predicts: it "
     "also finds what no linear classifier can.",
     OURS, IG_GROUP_HIDDEN_PROBE, SHARE, .better = {-1, -1, 1}},
    {"probe_hidden_fitted", "hidden layer, fitted on others", "hidden fitted",
     "The probe with a hidden layer learned from the rows that are not measured.", OURS,
     IG_GROUP_HIDDEN_PROBE, SHARE, .better = {-1, -1, 1}},
    {"zero_shot_transfer", "zero-shot transfer", "transfer",
     "Share of rows whose label a linear classifier predicts that was trained in the "
     "pivot language only: mean over the other languages.",
     OURS, IG_GROUP_ZERO_SHOT_TRANSFER, SHARE, BETTER, NO_INTERVAL},
    {"zero_shot_transfer_worst", "zero-shot transfer, worst", "worst transfer",
     "Zero-shot transfer in the worst language.", OURS, IG_GROUP_ZERO_SHOT_TRANSFER,
     SHARE, BETTER, NO_INTERVAL},
    {"zero_shot_transfer_pivot", "zero-shot transfer, pivot", "pivot transfer",
     "Accuracy in the pivot language itself, on other sentences.", OURS,
     IG_GROUP_ZERO_SHOT_TRANSFER, SHARE, BETTER, NO_INTERVAL},
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
