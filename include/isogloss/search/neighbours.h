/* Nearest rows by cosine, exact: every row of the source is looked at.
 *
 * A searcher holds one source with what can be known of it before a query comes (the
 * lengths of its rows, found during the first query) and the scratch of its pool, so
 * that a query allocates nothing. When the rows behind the source change (a new epoch),
 * say so with ig_neighbours_changed. One thread uses a searcher at a time. */
#ifndef ISOGLOSS_SEARCH_NEIGHBOURS_H
#define ISOGLOSS_SEARCH_NEIGHBOURS_H

#include <stdatomic.h>

#include "isogloss/base/error.h"
#include "isogloss/base/pool.h"
#include "isogloss/linear/rows.h"
#include "isogloss/linear/topk.h"

enum { IG_NO_ROW = 0xffffffffu };

typedef struct ig_neighbours ig_neighbours;

/* A searcher over a source. rows, lang (N; NULL: all rows are of language 0) and pool
 * must outlive it; pool may be NULL. IG_OK or IG_NOMEM. 8·N bytes and a tile a
 * member. */
ig_status ig_neighbours_new(ig_neighbours **neighbours, const ig_rows *rows,
                            const uint16_t *lang, ig_pool *pool, ig_error *error);

void ig_neighbours_delete(ig_neighbours *neighbours);

/* The rows behind the source are not what they were: forget their lengths. */
void ig_neighbours_changed(ig_neighbours *neighbours);

/* Which rows may be answers. A zeroed struct lets every row but row 0 be one: set
 * `row`. */
typedef struct ig_neighbours_filter {
    uint32_t row;      /* the query's own row, left out; IG_NO_ROW: none */
    const uint8_t *to; /* by language number: 0 is left out; NULL: all languages */
    size_t languages;  /* entries of `to`; languages past them are left out */
} ig_neighbours_filter;

/* Cosine of one vector (d) with every row, kept in the searcher for the calls below
 * until the next query: one pass over the rows, at the speed of memory. A row or vector
 * of length 0 has cosine 0. IG_OK or IG_INTERRUPTED. */
ig_status ig_neighbours_query(ig_neighbours *neighbours, const float *vector,
                              const atomic_bool *stop, ig_error *error);

/* The cosines of the last query (N). */
const float *ig_neighbours_cosines(const ig_neighbours *neighbours);

/* The k best of the last query, best first, ties by row; returns how many there are
 * (≤ k). best is storage for k. O(N). */
size_t ig_neighbours_best(const ig_neighbours *neighbours, ig_neighbours_filter filter,
                          size_t k, ig_scored *best);

/* Rank of row `target` in the last query among the rows of its own language: 1 + the
 * number of strictly better ones, the row `skip` (the query's, or IG_NO_ROW) left out.
 * Cosines closer than 2⁻²³ are equal. 0 when there was no query or no such row.
 * O(N). */
size_t ig_neighbours_rank(const ig_neighbours *neighbours, uint32_t target,
                          uint32_t skip);

/* The k best for each of n vectors, by matrix products; the kept cosines stay as they
 * are.
 *   vectors  in   (n, d)
 *   own      in   (n) row to leave out for each, or NULL; IG_NO_ROW: none
 *   filter   in   its `to`; its `row` is not used
 *   best     out  (n, k) best first, ties by row
 *   found    out  (n) how many there are, ≤ k
 * IG_OK, IG_SHAPE, IG_NOMEM or IG_INTERRUPTED. 2·n·N·d flops. */
ig_status ig_neighbours_batch(ig_neighbours *neighbours, ig_matrix vectors,
                              const uint32_t *own, ig_neighbours_filter filter,
                              size_t k, const atomic_bool *stop, ig_scored *best,
                              size_t *found, ig_error *error);

#endif
