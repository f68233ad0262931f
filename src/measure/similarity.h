/* Similarity: whether cosines follow human scores [seed §3, oracle §5.4]
 * (METHODS.md). */
#ifndef MEASURE_SIMILARITY_H
#define MEASURE_SIMILARITY_H

#include "measure/measure_group.h"

/* How far cos(a, b) of some row pairs follows their scores. Cosines within 2⁻²² (the
 * resolution of floats) are equal. */
typedef struct ig_correlation {
    const char *pair; /* their kind ("en-de"), or NULL: all together */
    size_t pairs;
    double pearson;
    double spearman; /* with average ranks */
    double kendall;  /* τ-b */
    double auc; /* share of pairs of a positive and another pair in which the positive
                   one has the greater cosine, ties ½; NaN also where none is positive,
                   or all are */
    double average_precision; /* by falling cosine, ties together; NaN likewise */
    const char *reason;       /* why all are NaN ("the scores are all equal"), or NULL;
                           static */
} ig_correlation;

/* A zeroed struct may be freed. Names are those of the scores. */
typedef struct ig_similarity {
    ig_correlation all;
    size_t kinds;
    ig_correlation *by_pair;       /* (kinds) */
    ig_correlation mean;           /* of each over the kinds that have it; NaN */
    ig_correlation within, across; /* monolingual and cross-lingual pairs; none
                                      without languages */
    size_t undefined;              /* kinds that have none */
    bool labelled;                 /* the scores say which pairs are positive */
    size_t zero_rows;              /* distinct rows of length 0 (their cosines are 0) */
    double *cosine, *score; /* (all.pairs) by kind, within one in the order given */
    uint32_t *item; /* (all.pairs) connected items (measure/items.h) < items; NULL: each
                       pair is one */
    size_t items;
    uint8_t *two; /* (all.pairs) 1: of two languages; NULL: languages unknown */
} ig_similarity;

/* Measure the scored pairs of rows of a source.
 *   lang        in   (N) language of each row, or NULL
 *   watch       in   or NULL; its work is in flops, ig_similarity_work in all
 *   similarity  out  replaced; free it with ig_similarity_free
 * IG_OK (also when figures are NaN), IG_SHAPE (row out of range), IG_NOMEM or
 * IG_INTERRUPTED; *similarity is empty unless IG_OK. O(pairs · (d + log pairs)). */
ig_status ig_similarity_measure(ig_similarity *similarity, const ig_rows *rows,
                                const uint16_t *lang, const ig_scores *scores,
                                ig_pool *pool, ig_progress *watch, ig_error *error);

/* The work of it. */
double ig_similarity_work(const ig_scores *scores, size_t dims);

void ig_similarity_free(ig_similarity *similarity);

extern const ig_measure_group ig_similarity_group;

/* Pearson's r of two lists; NaN when one is constant or n < 2. Sums in double, about
 * the means. */
double ig_pearson(const double *a, const double *b, size_t n);

/* Spearman's ρ: Pearson's r of ranks, equal values sharing their mean rank. NaN
 * likewise, and if out of memory. */
double ig_spearman(const double *a, const double *b, size_t n);

#endif
