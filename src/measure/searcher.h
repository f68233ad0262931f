/* Nearest rows by cosine, exact: every row of the source is looked at.
 *
 * A searcher holds one source with what can be known of it before a query comes (the
 * lengths of its rows, found during the first query) and the scratch of its pool, so
 * that a query allocates nothing. Where the pool has a team, each rank looks at its
 * share of the rows; all ask the same, and every rank has the whole answer; where each
 * has rows of its own, the answer of those. When the
 * rows behind the source change (a new epoch), say so with ig_searcher_changed. One
 * thread uses a searcher at a time. */
#ifndef MEASURE_SEARCHER_H
#define MEASURE_SEARCHER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/pool.h"
#include "core/progress.h"
#include "core/rows.h"
#include "core/topk.h"

#define IG_NO_ROW UINT32_MAX

typedef struct ig_searcher ig_searcher;

/* A searcher over a source. rows, lang (N; NULL: all rows are of language 0) and pool
 * must outlive it; pool may be NULL. IG_OK or IG_NOMEM. 8·N bytes and a tile a
 * member. */
ig_status ig_searcher_new(ig_searcher **searcher, const ig_rows *rows,
                          const uint16_t *lang, ig_pool *pool, ig_error *error);

/* The same over rows (N, d) that are a linear image of others: <q, W e + b> =
 * <Wᵀq, e> + <q, b>, so that once the lengths of the rows are known a query reads the
 * others alone, and no row is computed. The image's `of`, w and b must outlive the
 * searcher, what stands in w and b may change (ig_searcher_changed). Cosines differ
 * from those of computed rows by rounding. IG_OK, IG_SHAPE or IG_NOMEM. The first query
 * takes 2·N·d² flops for the lengths, those that follow one pass over the others. */
ig_status ig_searcher_new_image(ig_searcher **searcher, const ig_rows *rows,
                                const ig_image *image, const uint16_t *lang,
                                ig_pool *pool, ig_error *error);

void ig_searcher_delete(ig_searcher *searcher);

/* Invalidate the norms after the rows of the source have changed. */
void ig_searcher_changed(ig_searcher *searcher);

/* Find the lengths of all rows now, unless they are known. IG_OK or IG_INTERRUPTED. */
ig_status ig_searcher_prepare(ig_searcher *searcher, const atomic_bool *stop,
                              ig_error *error);

/* Which rows may be answers. A zeroed struct lets every row but row 0 be one: set
 * `row`. */
typedef struct ig_searcher_filter {
    uint32_t row;          /* the query's own row, left out; IG_NO_ROW: none */
    const uint8_t *to;     /* by language number: 0 is left out; NULL: all languages */
    size_t languages;      /* entries of `to`; languages past them are left out */
    const uint32_t *among; /* (amongs) rows, ascending: no others; of batches alone.
                              NULL: all */
    size_t amongs;
} ig_searcher_filter;

/* Cosine of one vector (d) with every row, kept in the searcher for the calls below
 * until the next query: one pass over the rows, at the speed of memory. A row or vector
 * of length 0 has cosine 0. IG_OK or IG_INTERRUPTED. */
ig_status ig_searcher_query(ig_searcher *searcher, const float *vector,
                            const atomic_bool *stop, ig_error *error);

/* The cosines of the last query (N). */
const float *ig_searcher_cosines(const ig_searcher *searcher);

/* The k best of the last query, best first, ties by row; returns how many there are
 * (≤ k). best is storage for k. O(N). */
size_t ig_searcher_best(const ig_searcher *searcher, ig_searcher_filter filter,
                        size_t k, ig_scored *best);

/* Where a row stands among those of its language. */
typedef struct ig_rank {
    uint32_t rank;  /* 1 + the number of strictly nearer ones; 0: no query */
    uint32_t equal; /* other rows whose cosine is equal to its own */
    uint32_t among; /* rows of its language, itself counted */
} ig_rank;

/* Whether a rank is meaningful: false if all rows of a language are equally near. */
static inline bool ig_rank_tells(ig_rank rank)
{
    return rank.among < 2 || rank.equal + 1 < rank.among;
}

/* Ranks of n rows (< N) in the last query, the row `skip` (the query's, or IG_NO_ROW)
 * left out, in one pass: O(N) and as much again for every further row of the same
 * language. rank (n) is zero when there was no query. IG_OK or IG_NOMEM. */
ig_status ig_searcher_ranks(const ig_searcher *searcher, const uint32_t *target,
                            size_t n, uint32_t skip, ig_rank *rank, ig_error *error);

/* The k best for each of n vectors, by matrix products; the kept cosines stay as they
 * are.
 *   vectors  in   (n, d)
 *   own      in   (n) row to leave out for each, or NULL; IG_NO_ROW: none
 *   filter   in   its `to` and `among`; its `row` is not used
 *   best     out  (n, k) best first, ties by row
 *   found    out  (n) how many there are, ≤ k
 * IG_OK, IG_SHAPE, IG_NOMEM or IG_INTERRUPTED. 2·n·N·d flops, N those searched. */
ig_status ig_searcher_batch(ig_searcher *searcher, ig_matrix vectors,
                            const uint32_t *own, ig_searcher_filter filter, size_t k,
                            const atomic_bool *stop, ig_scored *best, size_t *found,
                            ig_error *error);

/* The `near` nearest rows of each of N rows, without itself, near < N.
 *   neighbour  out  (N, near) nearest first
 *   distance   out  (N, near) their 1 − cosine
 *   watch      in   counts rows; or NULL
 * IG_OK, IG_NOMEM, IG_INTERRUPTED, or IG_VALUE: a row has fewer than `near` cosines
 * that are numbers. 2·N²·d flops. */
ig_status ig_searcher_nearest(const ig_rows *rows, ig_pool *pool, size_t near,
                              ig_progress *watch, uint32_t *neighbour, float *distance,
                              ig_error *error);

/* --- margins ---
 *
 * Ratio margin: the cosine of two rows relative to their neighbourhoods [margin]:
 *
 *     margin(a, b) = cos(a, b) / ((near(a) + near(b)) / 2)
 *
 * near(a) is the mean of a's 4 best cosines with rows of b's language, near(b) that of
 * b's 4 best with rows of a's language, each without the row itself; fewer than 4: all.
 * Above 1, two rows are nearer to one another than to their neighbourhoods. The first
 * mean comes with a query for a, in one more pass over its cosines; the second takes a
 * product with the rows of a's language. Legend: a is the row that was queried, b each
 * of n others. */
enum { IG_NEIGHBOURHOOD = 4 };

/* near(a) for every language, from the last query.
 *   row   in   a, or IG_NO_ROW where the query is none of the rows
 *   mean  out  (languages) NaN: it has no row, or there was no query
 * IG_OK or IG_NOMEM. O(N). */
ig_status ig_searcher_margin_means(const ig_searcher *searcher, uint32_t row,
                                   size_t languages, double *mean, ig_error *error);

/* What is known of a. */
typedef struct ig_margin_query {
    const double *mean;   /* (languages) by ig_searcher_margin_means */
    const uint32_t *same; /* (sames) the rows of its language, ascending */
    size_t sames;
} ig_margin_query;

/* Margins of a and n rows. The last query stays as it is, and need not be that of a.
 *   list    in   (n) the rows b
 *   cosine  in   (n) cos(a, b)
 *   margin  out  (n) NaN: there is nothing to hold it against
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. ig_searcher_margin_work flops. */
ig_status ig_searcher_margins(ig_searcher *searcher, const ig_margin_query *query,
                              const uint32_t *list, const float *cosine, size_t n,
                              const atomic_bool *stop, float *margin, ig_error *error);

/* Flops that it will take, those of computing rows and their lengths included. */
double ig_searcher_margin_work(const ig_searcher *searcher, size_t n, size_t sames);

#endif
