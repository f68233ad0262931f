/* Similarity: whether cosines follow human scores [seed §3, oracle §5.4]
 * (METHODS.md). */
#ifndef MEASURE_SIMILARITY_H
#define MEASURE_SIMILARITY_H

#include "measure/family.h"

/* Correlation of cos(a, b) with the scores of some row pairs. Cosines that all lie
 * within 2⁻²² (what floats can tell apart) are equal. */
typedef struct ig_correlation {
    const char *pair; /* their kind ("en-de"), or NULL: all together */
    size_t pairs;
    double pearson;
    double spearman;    /* with average ranks */
    const char *reason; /* why they are NaN ("the scores are all equal"), or NULL;
                           static */
} ig_correlation;

/* A zeroed struct may be freed. Names are those of the scores. */
typedef struct ig_similarity {
    ig_correlation all;
    size_t kinds;
    ig_correlation *by_pair;            /* (kinds) */
    double mean_pearson, mean_spearman; /* over the kinds that have one; NaN */
    ig_correlation within, across; /* of the pairs of one language, and of two; where
                                      languages are not told there are none */
    size_t undefined;              /* kinds that have none */
    size_t zero_rows;              /* distinct rows of length 0 (their cosines are 0) */
    double *cosine, *score; /* (all.pairs) by kind, within one in the order given */
    uint8_t *two; /* (all.pairs) 1: of two languages; NULL: languages are not told */
} ig_similarity;

/* Measure the scored pairs of rows of a source.
 *   lang        in   (N) language of each row, or NULL
 *   watch       in   or NULL; its work is in flops, ig_similarity_work in all
 *   similarity  out  replaced; free it with ig_similarity_free
 * IG_OK (also when figures are NaN), IG_SHAPE (a row that is not there), IG_NOMEM or
 * IG_INTERRUPTED; *similarity is empty unless IG_OK. O(pairs · (d + log pairs)). */
ig_status ig_similarity_measure(ig_similarity *similarity, const ig_rows *rows,
                                const uint16_t *lang, const ig_scores *scores,
                                ig_pool *pool, ig_watch *watch, ig_error *error);

/* The work of it. */
double ig_similarity_work(const ig_scores *scores, size_t dims);

void ig_similarity_free(ig_similarity *similarity);

extern const ig_family ig_similarity_family;

/* Pearson's r of two lists; NaN when one is constant or n < 2. Sums in double, about
 * the means. */
double ig_pearson(const double *a, const double *b, size_t n);

/* Spearman's ρ: Pearson's r of ranks, equal values sharing their mean rank. NaN
 * likewise, and when memory is short. */
double ig_spearman(const double *a, const double *b, size_t n);

#endif
