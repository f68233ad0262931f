/* The table of measures: group, name, label, source, how it is written, in which spaces
 * greater is better, what it is, definition. */
#include "measure/figure.h"

#include <string.h>

#define OURS     NULL
#define LEAKAGE  "oracle §5.4"
#define CKA      "Kornblith et al. 2019"
#define DEBIASED "Nguyen, Raghu, Kornblith 2021"
#define NUMBER   IG_UNIT_NUMBER, 3, false
#define SCORE    IG_UNIT_NUMBER, 3, true
#define SHARE    IG_UNIT_SHARE, 1, true
#define RANK     IG_UNIT_RANK, 1, false
#define COUNT    IG_UNIT_COUNT, 0, false

/* Of cosines and human scores, whose greater values are better. */
#define COSINES  IG_GROUP_SIMILARITY
#define SCORED   "seed §3; oracle §5.4", NUMBER, "++-"
#define TAU      "Kendall 1945", NUMBER, "++-", IG_POINT_ONLY | IG_QUIET
#define POSITIVE OURS, NUMBER, "++-", IG_POINT_ONLY | IG_QUIET | IG_POSITIVE

static const ig_measure measures[] = {
    {IG_GROUP_GEOMETRY, "alignment", "alignment", "wang; bias eq.8", NUMBER, "000", 0,
     "Mean squared distance between the unit vectors of a sentence and its "
     "translation; small, too, in a space that has collapsed to a point."},
    {IG_GROUP_GEOMETRY, "uniformity", "uniformity", "wang; bias eq.9", NUMBER, "--0",
     IG_NOTED,
     "How evenly unit vectors fill the sphere: log of the mean of exp(−2‖u−v‖²)."},
    {IG_GROUP_GEOMETRY, "relative_alignment", "relative alignment", OURS, NUMBER, "--0",
     0,
     "Alignment divided by the mean squared distance of rows that are not "
     "translations: 0 perfect, 1 chance, at any scale of the space."},
    {IG_GROUP_POOL, "pool_translation", "multilingual top-1", "LAReQA", SHARE, "++-",
     IG_MAIN,
     "Share of sentences whose nearest row of all languages is a translation."},
    {IG_GROUP_POOL, "pool_same_language", "same-language neighbours", "LAReQA", SHARE,
     "--+", IG_MAIN,
     "Share of sentences whose nearest row of all languages has the same language: the "
     "language bias that hides translations."},
    {IG_GROUP_POOL, "pool_mrr", "multilingual MRR", "LAReQA", SCORE, "++-", 0,
     "Mean of 1/rank of the best translation among the rows of all languages."},
    {IG_GROUP_POOL, "pool_ndcg10", "multilingual nDCG@10", "MTEB", SCORE, "++-", 0,
     "Normalised discounted cumulative gain of the ten nearest rows of all languages: "
     "1 if translations come first."},
    {IG_GROUP_POOL, "pool_last_rank", "multilingual last rank", OURS, RANK, "--+", 0,
     "Mean rank of a sentence's farthest translation among the rows of all languages: "
     "where a search has found them all."},
    {IG_GROUP_POOL, "first_translation", "first translation", OURS, SHARE, "000",
     IG_PARTS,
     "Of the sentences with translations in two or more languages, this one among "
     "them, the share whose nearest translation is of this language."},
    {IG_GROUP_POOL, "preference", "language preference", OURS, SHARE, "--0",
     IG_POINT_ONLY,
     "How many more first translations than by chance the preferred languages have, "
     "as a share of sentences; 0: none is preferred."},
    {IG_GROUP_POOL, "pool_nearest", "nearest of all", "LAReQA", SHARE, "--+", IG_PARTS,
     "Share of the rows of a language whose nearest row of all is of another (or it)."},
    {IG_GROUP_POOL, "purity10", "purity@10", OURS, SHARE, "--+", IG_MAIN,
     "Of the ten nearest rows that are no translation, the share in its language."},
    {IG_GROUP_POOL, "hubness10", "hubness@10", OURS, IG_UNIT_NUMBER, 2, false, "--0",
     IG_POINT_ONLY,
     "Skewness of how often a row is among the ten nearest: large if hubs exist."},
    {IG_GROUP_RETRIEVAL, "top1", "retrieval top-1", LEAKAGE, SHARE, "++-",
     IG_MAIN | IG_MATRIX | IG_MATRIX_SPACES | IG_MATRIX_TEXT,
     "Share of sentences whose translation is the nearest of the other language's rows "
     "that have one (others do not compete); in the language space they have leaked."},
    {IG_GROUP_RETRIEVAL, "top5", "retrieval top-5", LEAKAGE, SHARE, "++-", 0,
     "Share of sentences whose translation is among the five nearest rows."},
    {IG_GROUP_RETRIEVAL, "mean_rank", "mean rank", OURS, RANK, "--+", IG_POINT_ONLY,
     "Mean rank of the translation among the rows that compete in top-1."},
    {IG_GROUP_RETRIEVAL, "median_rank", "median rank", OURS, RANK, "--+", IG_POINT_ONLY,
     "Median rank of the translation, averaged over the language pairs."},
    {IG_GROUP_RETRIEVAL, "top1_worst", "worst top-1", LEAKAGE, SHARE, "++0", IG_MINIMUM,
     "Top-1 of the worst direction, which the mean over directions hides."},
    {IG_GROUP_RETRIEVAL, "language_top1", "top-1 by language", LEAKAGE, SHARE, "++-", 0,
     "Mean top-1 of the directions out of a language and into it: its difficulty."},
    {IG_GROUP_RETRIEVAL, "csls_top1", "CSLS top-1", "csls", SHARE, "++-",
     IG_MAIN | IG_MATRIX,
     "Top-1 by twice the cosine minus the mean cosines of both rows with their ten "
     "nearest: penalises hubs, which are near all rows."},
    {IG_GROUP_RETRIEVAL, "csls_top1_worst", "worst CSLS top-1", "csls", SHARE, "++0",
     IG_MINIMUM, "CSLS top-1 of the worst direction."},
    {IG_GROUP_RETRIEVAL, "ratio_margin_top1", "ratio-margin top-1", "margin", SHARE,
     "++-", 0,
     "Top-1 by the cosine over the mean cosine of both rows with their ten nearest."},
    {IG_GROUP_RETRIEVAL, "ratio_margin_top1_worst", "worst ratio-margin top-1",
     "margin", SHARE, "++0", IG_MINIMUM, "Ratio-margin top-1 of the worst direction."},
    {IG_GROUP_RETRIEVAL, "mutual_top1", "mutual top-1", "MEXA", SHARE, "++-", 0,
     "Share of translations that are strictly nearest to each other, among the rows of "
     "both languages; mean over pairs of languages."},
    {IG_GROUP_RETRIEVAL, "mutual_top1_worst", "worst mutual top-1", "MEXA", SHARE,
     "++-", IG_MINIMUM, "Mutual top-1 of the worst pair of languages."},
    {IG_GROUP_RETRIEVAL, "xsim", "xsim error", "margin", SHARE, "--+", IG_MATRIX,
     "Share of sentences whose translation ratio-margin retrieval (k = 4) misses."},
    {IG_GROUP_RETRIEVAL, "similarity_gap", "similarity gap", "struct §IV.3", NUMBER,
     "++-", 0, "Cosine of the translation minus that of the best other row, mean."},
    {IG_GROUP_RETRIEVAL, "overlap5", "overlap@5", "struct §IV.3", SHARE, "++-",
     IG_POINT_ONLY,
     "Share of meanings that the five nearest rows of both rows have in common."},
    {IG_GROUP_RETRIEVAL, "tied", "tied", OURS, SHARE, "000", IG_QUIET | IG_POINT_ONLY,
     "Share of sentences whose translation ties with another row: no ranks near 100%."},
    {IG_GROUP_RETRIEVAL, "candidates", "candidates", OURS, COUNT, "000", IG_PARTS,
     "Rows of the other language that have translations and so compete, it included."},
    {IG_GROUP_MINING, "mining_f1", "mining F1", "bucc; margin", SHARE, "++-",
     IG_MATRIX | IG_POINT_ONLY,
     "F1 of pairs above a ratio margin that is chosen on other meanings."},
    {IG_GROUP_MINING, "mining_precision", "mining precision", "bucc; margin", SHARE,
     "++-", IG_POINT_ONLY, "Share of the mined pairs that are translations."},
    {IG_GROUP_MINING, "mining_recall", "mining recall", "bucc; margin", SHARE, "++-",
     IG_POINT_ONLY, "Share of the translations that are mined."},
    {IG_GROUP_MINING, "mining_threshold", "mining threshold", "bucc; margin", NUMBER,
     "000", IG_PARTS, "Smallest ratio margin of a mined pair."},
    {COSINES, "mean_pearson", "Pearson, mean of kinds", SCORED, IG_MAIN | IG_QUIET,
     "Correlation of the cosines with human scores: mean over the kinds of pairs."},
    {COSINES, "mean_spearman", "Spearman, mean of kinds", SCORED, IG_MAIN | IG_QUIET,
     "Rank correlation of the cosines with human scores: mean over kinds of pairs."},
    {COSINES, "pearson", "Pearson, pooled", SCORED, IG_MAIN,
     "Correlation over all scored pairs, pooled; each kind of pairs has its own."},
    {COSINES, "spearman", "Spearman, pooled", SCORED, IG_MAIN,
     "Rank correlation over all scored pairs, pooled; each kind of pairs has its own."},
    {COSINES, "pearson_monolingual", "Pearson, one language", SCORED, IG_QUIET,
     "Correlation over the pairs within one language."},
    {COSINES, "spearman_monolingual", "Spearman, one language", SCORED, IG_QUIET,
     "Rank correlation over the pairs within one language."},
    {COSINES, "pearson_crosslingual", "Pearson, two languages", SCORED, IG_QUIET,
     "Correlation over the pairs across languages, which language bias disturbs."},
    {COSINES, "spearman_crosslingual", "Spearman, two languages", SCORED, IG_QUIET,
     "Rank correlation over the pairs across languages."},
    {COSINES, "kendall", "Kendall, pooled", TAU,
     "Kendall's τ-b of the cosines with human scores, all scored pairs pooled."},
    {COSINES, "mean_kendall", "Kendall, mean of kinds", TAU,
     "Mean of Kendall's τ-b of each language pair (or kind of pair)."},
    {COSINES, "auc", "AUC, pooled", POSITIVE,
     "Area under the ROC curve of the cosine as a detector of positive pairs, whose "
     "score is at least that of --positive; pooled."},
    {COSINES, "mean_auc", "AUC, mean of kinds", POSITIVE,
     "Mean of the AUC of each language pair (or kind of pair)."},
    {COSINES, "average_precision", "average precision, pooled", POSITIVE,
     "Average precision of the cosine as a detector of positive pairs; pooled."},
    {COSINES, "mean_average_precision", "average precision, mean of kinds", POSITIVE,
     "Mean of the average precision of each language pair (or kind of pair)."},
    {IG_GROUP_JUDGED, "judged_ndcg10", "judged nDCG@10", "BEIR", SCORE, "++-", IG_MAIN,
     "Discounted cumulative gain of a query's ten nearest documents, of all languages, "
     "as a share of the best: linear gains, by log2(rank + 1)."},
    {IG_GROUP_JUDGED, "judged_recall100", "judged recall@100", "BEIR", SHARE, "++-",
     IG_MAIN, "Share of a query's relevant documents among its 100 nearest."},
    {IG_GROUP_JUDGED, "judged_mrr", "judged MRR", "BEIR", SCORE, "++-", IG_MAIN,
     "Mean of 1/rank of the first relevant document of a query."},
    {IG_GROUP_JUDGED, "judged_preference", "own language first", OURS, SHARE, "000",
     IG_MAIN,
     "Language preference rate: of the queries with relevant documents in their own "
     "and another language, the share whose first one is in their own."},
    {IG_GROUP_JUDGED, "judged_fairness", "rank fairness, p", "Kruskal, Wallis 1952",
     NUMBER, "000", IG_MAIN | IG_POINT_ONLY,
     "Probability of such differences between the ranks of languages if there were "
     "none: small if relevant documents of some languages come first."},
    {IG_GROUP_REVERSIBILITY, "reversible", "reversibility, cosine", "seed eq.1-2",
     NUMBER, "0+0", 0,
     "Mean cosine of a vector with the sum of meaning and language: 1 loses nothing."},
    {IG_GROUP_REVERSIBILITY, "reversible_error", "reversibility, error", "seed eq.1-2",
     NUMBER, "0-0", 0,
     "Distance of that sum from the vector, as a share of its length."},
    {IG_GROUP_REVERSIBILITY, "exchanged_language", "exchanged language, cosine",
     "seed eq.6", NUMBER, "0+0", 0,
     "Cosine with the language of another row of it: near 1 if it has no meaning."},
    {IG_GROUP_REVERSIBILITY, "exchanged_language_error", "exchanged language, error",
     "seed eq.6", NUMBER, "0-0", 0,
     "Distance of the sum with another row's language, as a share of the length."},
    {IG_GROUP_REVERSIBILITY, "exchanged_meaning", "exchanged meaning, cosine",
     "seed eq.6", NUMBER, "0+0", 0,
     "Cosine with a translation's meaning: near 1 if translations mean the same."},
    {IG_GROUP_REVERSIBILITY, "exchanged_meaning_error", "exchanged meaning, error",
     "seed eq.6", NUMBER, "0-0", 0,
     "Distance of the sum with a translation's meaning, as a share of the length."},
    {IG_GROUP_REVERSIBILITY, "parts_cosine", "|cos(m, l)|", "seed eq.6", NUMBER, "0-0",
     0, "Mean absolute cosine of meaning and language of a row: 0 if orthogonal."},
    {IG_GROUP_ISOTROPY, "isoscore", "IsoScore", "Rudman et al. 2022", NUMBER, "++0",
     IG_POINT_ONLY,
     "How evenly variance is spread over all directions: 0 a line, 1 a ball."},
    {IG_GROUP_ISOTROPY, "mean_cosine", "mean cosine", "Ethayarajh 2019", NUMBER, "--0",
     0,
     "Mean cosine of two different rows, of any language: near 1 if they point into a "
     "narrow cone, which IsoScore does not see."},
    {IG_GROUP_ISOTROPY, "language_share", "variance of languages", OURS, SHARE, "--+",
     0,
     "Share of the variance of the vectors, as they are, that the means of languages "
     "explain. Chance is that of random languages."},
    {IG_GROUP_ISOTROPY, "eigenvalue", "eigenvalue", "struct §III.3", NUMBER, "000",
     IG_PARTS, "Eigenvalues of the covariance of the unit rows, shares of the sum."},
    {IG_GROUP_CKA, "cka", "CKA between languages", CKA, NUMBER, "++0",
     IG_MAIN | IG_POINT_ONLY,
     "Linear centred kernel alignment of two languages, rows paired by translation: 1 "
     "if one is a rotation of the other; mean over pairs of languages."},
    {IG_GROUP_CKA, "cka_debiased", "debiased CKA", DEBIASED, NUMBER, "++0", IG_MAIN,
     "CKA by an unbiased estimator: near 0 for independent rows, however few."},
    {IG_GROUP_SPACE_CKA, "cka_original", "CKA with the original", CKA, NUMBER, "000",
     IG_POINT_ONLY, "Linear CKA of the meaning embeddings with the original vectors."},
    {IG_GROUP_SPACE_CKA, "cka_original_debiased", "debiased CKA with original",
     DEBIASED, NUMBER, "000", 0, "The CKA above by an unbiased estimator."},
    {IG_GROUP_SPACE_CKA, "cka_parts", "CKA of both parts", CKA, NUMBER, "0-0",
     IG_POINT_ONLY,
     "Linear CKA of meaning with language embeddings: near 0 if they share nothing."},
    {IG_GROUP_SPACE_CKA, "cka_parts_debiased", "debiased CKA of both parts", DEBIASED,
     NUMBER, "0-0", 0, "The CKA above by an unbiased estimator."},
    {IG_GROUP_SPACE_CKA, "cka_run", "CKA with the first run", CKA, NUMBER, "000",
     IG_MAIN | IG_POINT_ONLY,
     "Linear CKA of the space with that of the first run: 1 if it is a rotation."},
    {IG_GROUP_SPACE_CKA, "cka_run_debiased", "debiased CKA with first run", DEBIASED,
     NUMBER, "000", IG_MAIN, "The CKA above by an unbiased estimator."},
    {IG_GROUP_PROBE, "probe", "probe, unit rows", OURS, SHARE, "--+", IG_MAIN,
     "Share of rows whose language a linear classifier predicts, learned from unit "
     "rows of the other half. Chance: the accuracy of its answers in random order."},
    {IG_GROUP_PROBE, "probe_fitted", "probe, fitted on others", OURS, SHARE, "--+",
     IG_MAIN,
     "The probe learned from the rows that are not measured, such as those that the "
     "extractor was fitted to: it misses overfitted erasure."},
    {IG_GROUP_PROBE, "probe_read", "read as", OURS, SHARE, "--+",
     IG_MATRIX | IG_MATRIX_SPACES | IG_PARTS,
     "Share of a language's rows that the probe of unit rows reads as each language."},
    {IG_GROUP_PROBE, "probe_shuffled", "probe, labels shuffled", OURS, SHARE, "000",
     IG_POINT_ONLY,
     "Mean accuracy of up to 20 linear probes trained on shuffled labels: the baseline "
     "of a probe without information."},
    {IG_GROUP_PROBE, "probe_raw", "probe, raw rows", OURS, SHARE, "--+", IG_MAIN,
     "The linear probe of rows as they are: unit length brings some language back."},
    {IG_GROUP_PROBE, "probe_raw_fitted", "raw probe, fitted on others", OURS, SHARE,
     "--+", IG_MAIN,
     "The raw probe learned from the rows that are not measured: erasure promises "
     "chance where both are fitted to the same rows."},
    {IG_GROUP_HIDDEN_PROBE, "probe_hidden", "probe, hidden layer", OURS, SHARE, "--+",
     0,
     "Accuracy of a classifier with a hidden layer: it finds what no linear one can."},
    {IG_GROUP_HIDDEN_PROBE, "probe_hidden_fitted", "hidden layer, fitted on others",
     OURS, SHARE, "--+", 0,
     "The probe with a hidden layer learned from the rows that are not measured."},
    {IG_GROUP_ZERO_SHOT_TRANSFER, "zero_shot_transfer", "zero-shot transfer", OURS,
     SHARE, "++-", IG_POINT_ONLY,
     "Accuracy of a classifier of labels of the pivot language in other languages."},
    {IG_GROUP_ZERO_SHOT_TRANSFER, "zero_shot_transfer_worst",
     "zero-shot transfer, worst", OURS, SHARE, "++-", IG_MINIMUM,
     "Zero-shot transfer in the worst language."},
    {IG_GROUP_ZERO_SHOT_TRANSFER, "zero_shot_transfer_pivot",
     "zero-shot transfer, pivot", OURS, SHARE, "++-", IG_POINT_ONLY,
     "Accuracy in the pivot language itself, on other sentences."},
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

int ig_name_resembles(const char *name, const char *word, size_t n)
{
    size_t m = strlen(name), same = 0, most = n < 4 ? 1 : 2;

    while (same < n && word[same] == name[same])
        same++;
    if (same == n)
        return n > 2 ? 3 : 0;
    for (; same < n && same < m && word[n - 1] == name[m - 1]; n--)
        m--;
    n = (n > m ? n : m) - same; /* letters that differ */
    return n > most ? 0 : 3 - (int)n;
}
