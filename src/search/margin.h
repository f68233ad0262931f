/* Margins: how near two rows are, held against how near others are to them [margin].
 *
 *     margin(a, b) = cos(a, b) / ((near(a) + near(b)) / 2)
 *
 * near(a) is the mean of a's 4 best cosines with rows of b's language, near(b) that of
 * b's 4 best with rows of a's language, each without the row itself; fewer than 4: all.
 * Above 1, two rows are nearer to one another than to their neighbourhoods. The first
 * mean comes with a query for a, in one more pass over its cosines; the second takes a
 * product with the rows of a's language. Legend: a is the row that was queried, b each
 * of n others. */
#ifndef SEARCH_MARGIN_H
#define SEARCH_MARGIN_H

#include "search/searcher.h"

enum { IG_NEIGHBOURHOOD = 4 };

/* near(a) for every language, from the last query.
 *   row   in   a, or IG_NO_ROW where the query is none of the rows
 *   mean  out  (languages) NaN: it has no row, or there was no query
 * IG_OK or IG_NOMEM. O(N). */
ig_status ig_margin_means(const ig_searcher *neighbours, uint32_t row, size_t languages,
                          double *mean, ig_error *error);

/* What is known of a. */
typedef struct ig_margin_query {
    const double *mean;   /* (languages) by ig_margin_means */
    const uint32_t *same; /* (sames) the rows of its language, ascending */
    size_t sames;
} ig_margin_query;

/* Margins of a and n rows. The last query stays as it is, and need not be that of a.
 *   list    in   (n) the rows b
 *   cosine  in   (n) cos(a, b)
 *   margin  out  (n) NaN: there is nothing to hold it against
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. ig_margin_work flops. */
ig_status ig_margin_measure(ig_searcher *neighbours, const ig_margin_query *query,
                            const uint32_t *list, const float *cosine, size_t n,
                            const atomic_bool *stop, float *margin, ig_error *error);

/* Flops that it will take, those of computing rows and their lengths included. */
double ig_margin_work(const ig_searcher *neighbours, size_t n, size_t sames);

#endif
