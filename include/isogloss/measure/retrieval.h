/* Retrieval: where the true translation ranks by cosine, per ordered language pair
 * (methods.md §5). By meaning, higher is better; by language embeddings, what can still
 * be retrieved is semantic leakage [oracle §5.4].
 *
 * rank = 1 + the number of strictly better candidates; candidates are the distinct rows
 * of the other language in the same pair set (all pairs of these two languages).
 * Cosines closer than 2⁻²³ (what floats can tell apart) are equal, so that identical
 * rows tie whatever the order of summation. */
#ifndef ISOGLOSS_MEASURE_RETRIEVAL_H
#define ISOGLOSS_MEASURE_RETRIEVAL_H

#include <stdatomic.h>

#include "isogloss/base/error.h"
#include "isogloss/base/pool.h"
#include "isogloss/linear/rows.h"

/* One ordered language pair. */
typedef struct ig_retrieval_score {
    uint16_t from; /* language of the queries */
    uint16_t to;   /* language of the candidates */
    size_t pairs;  /* queries: one per pair */
    size_t candidates;
    double top1; /* share of rank 1 */
    double top5; /* share of rank ≤ 5 */
    double mean_rank;
    double median_rank;
    double tied; /* share whose translation ties with another candidate: near 1 says
                    that the space does not tell the candidates apart at all */
} ig_retrieval_score;

/* A zeroed struct may be freed. */
typedef struct ig_retrieval {
    size_t count;              /* ordered language pairs that have pairs */
    ig_retrieval_score *score; /* (count) by (from, to) */
    ig_retrieval_score mean; /* mean over ordered pairs; NaN when there are none; pairs
                                  and candidates are sums */
    size_t zero_rows;        /* distinct rows of length 0 among the pairs */
    const char *reason;      /* why figures are NaN, or NULL; static */
} ig_retrieval;

/* Measure the pairs (left[i], right[i]) of rows of a source.
 *   lang         in   (N) language of each row, < languages
 *   left, right  in   (pairs); pairs within one language are passed over
 *   pool, stop   in   or NULL
 *   retrieval    out  replaced; free it with ig_retrieval_free
 * IG_OK, IG_SHAPE, IG_NOMEM or IG_INTERRUPTED; *retrieval is empty unless IG_OK.
 * 2·pairs·candidates·d flops a direction; no memory of that size. */
ig_status ig_retrieval_measure(ig_retrieval *retrieval, const ig_rows *rows,
                               const uint16_t *lang, size_t languages,
                               const uint32_t *left, const uint32_t *right,
                               size_t pairs, ig_pool *pool, const atomic_bool *stop,
                               ig_error *error);

void ig_retrieval_free(ig_retrieval *retrieval);

#endif
