/* Retrieval: where the best translation ranks by cosine, per ordered language pair
 * (METHODS.md). By meaning, higher is better; by language embeddings, what can still be
 * retrieved is semantic leakage [oracle §5.4].
 *
 * rank = 1 + the number of strictly better candidates; candidates are the distinct rows
 * of the other language in the same pair set (all pairs of these two languages). Of
 * several translations of a query the best one by the same score (cosine, CSLS, ratio)
 * counts, and the others are no competitors.
 * Cosines closer than 2⁻²³ (the resolution of floats) are equal, so that identical rows
 * tie whatever the order of summation.
 *
 * xsim is the error of margin-ratio retrieval [margin], k = 4: with mean(a) that of a's
 * k best cosines with candidates, ratio(a, b) = cos(a, b) over the mean of mean(a) and
 * mean(b), and 0 where the cosine is 0 (a row of length 0); the pick is the argmax of
 * it over the k best of a, of equals the one of greater cosine. Fewer than k
 * candidates: all.
 *
 * CSLS [csls] and the margin ratio over all candidates: top-1 is whether the
 * translation ranks first (no candidate before it by more than 2⁻²³ of a cosine) by 2
 * cos(a, b) − r(a) − r(b) and by cos(a, b) / ((r(a) + r(b)) / 2), r the mean of the k =
 * 10 best cosines. A ratio needs means that are positive: a query does not count whose
 * r(a) and the least r(b) of a candidate are not in their sum. */
#ifndef MEASURE_RETRIEVAL_H
#define MEASURE_RETRIEVAL_H

#include "measure/queries.h"

/* One ordered language pair. */
typedef struct ig_retrieval_score {
    uint16_t from; /* language of the queries */
    uint16_t to;   /* language of the candidates */
    size_t pairs; /* queries: rows with a translation; of a sample, those that ask … */
    size_t of_pairs; /* … of so many */
    size_t candidates;
    double targets; /* mean number of translations of a query */
    double top1;    /* share of rank 1 */
    double top5;    /* share of rank ≤ 5 */
    double mean_rank;
    double median_rank;
    double
        tied; /* share whose translation ties with a candidate that is none: near 1 if
                      the space cannot distinguish the candidates */
    double margin; /* mean of cos(true) − best cos(other); NaN: no other candidate */
    double xsim;   /* share whose pick is not the translation; a pick of the same group
                      (another row of the same id) is no error */
    double csls_top1;   /* share of truths that come first by CSLS … */
    double margin_top1; /* … and by the margin ratio, of the queries that count; NaN:
                           none does */
    double overlap5; /* mean share of common groups among the 5 nearest rows of the same
                        language and pair set, of the query and of its translation,
                        each row matched once; NaN: fewer than 6 rows on a side
                        [struct §IV.3] */
    size_t first;    /* its queries are found[first … first + pairs) */
} ig_retrieval_score;

/* A zeroed struct may be freed. */
typedef struct ig_retrieval {
    size_t count;              /* ordered language pairs that have pairs */
    ig_retrieval_score *score; /* (count) by (from, to) */
    ig_retrieval_score mean; /* mean over ordered pairs (of overlap5, margin: over those
                                that have one); NaN when there are none; pairs and
                                candidates are sums */
    struct {
        double top1, csls_top1,
            margin_top1; /* of the direction where it is least; NaN */
        double chance;   /* chance level among the most candidates */
    } least;
    size_t queries;
    ig_query_result
        *found;       /* (queries) by score, within one in the order of the pairs */
    bool sampled;     /* queries are those of a sample */
    size_t zero_rows; /* distinct rows of length 0 among the pairs */
    size_t blind,
        alone; /* directions with invalidated ranks (ig_retrieval_invalidate) */
    const char *reason; /* why figures are NaN, or NULL; static. Without pairs, and with
                            a value that is not finite, there are no scores */
} ig_retrieval;

/* Measure the pairs of rows of a source.
 *   watch        in   or NULL; its work is counted in flops
 *   retrieval    out  replaced; free it with ig_retrieval_free
 * IG_OK, IG_SHAPE, IG_NOMEM or IG_INTERRUPTED; *retrieval is empty unless IG_OK.
 * 2·rows·candidates·d flops for both directions of two languages, and half as many
 * again within each language (for each part of it that is paired with another one);
 * memory for the rows twice and a few tiles, none of the products. The same bytes
 * whatever the number of pool members. */
ig_status ig_retrieval_measure(ig_retrieval *retrieval, const ig_rows *rows,
                               const ig_retrieval_pairs *pairs, ig_pool *pool,
                               ig_progress *watch, ig_error *error);

/* The flops that it will count; 0 if the pairs are invalid or out of memory. */
double ig_retrieval_work(const ig_retrieval_pairs *pairs, size_t dims);

void ig_retrieval_free(ig_retrieval *retrieval);

/* --- figures --- */

/* The direction from a language to another, or NULL: nothing was asked so. */
const ig_retrieval_score *ig_retrieval_find(const ig_retrieval *retrieval, size_t from,
                                            size_t to);

/* Whether a direction's translations tie with other candidates, (nearly) all: the
 * language embeddings of `centre`, a constant space. Then every translation has rank 1,
 * which is meaningless. The one rule for ties. */
bool ig_retrieval_degenerate(const ig_retrieval_score *score);

/* Set tie-dependent figures (top-1, top-5, ranks, xsim, overlap) of degenerate
 * directions and of those with a single candidate to NaN; the mean is that of the
 * others, and when there are none, `reason` says why. `tied` and `margin` stay. Counts
 * them in `blind` and `alone`. */
void ig_retrieval_invalidate(ig_retrieval *retrieval);

extern const ig_measure_group ig_retrieval_group;

#endif
