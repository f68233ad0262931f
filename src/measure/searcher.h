/* Nearest rows by cosine, exact: a query is compared with every row.
 *
 * A searcher holds what is known of the rows (their lengths, found when they are first
 * compared), the cosines of the last query and scratch. One thread uses a searcher at a
 * time. A row of length 0 has cosine 0. All return IG_OK, IG_NOMEM, IG_VALUE (a row is
 * not finite, shorter than 1e-30 or longer than 1e30; a computed query is not finite)
 * or, when the watch cancels, IG_INTERRUPTED. Legend: N rows, d dims, n queries. */
#pragma once

#include <stdint.h>

#include "core/error.h"
#include "core/pool.h"
#include "core/progress.h"
#include "core/rows.h"

#define IG_NO_ROW UINT32_MAX

typedef struct ig_searcher ig_searcher;

typedef struct ig_scored {
    uint32_t row;
    float score; /* cosine */
} ig_scored;

/* A searcher over rows; all that is passed but the watch must outlive it.
 *   image  in  the linear map (d, d) of other rows that `rows` are, or NULL. Queries
 *              read the other rows; the lengths of all rows are found now, by 2·N·d²
 *              flops
 *   lang   in  (N) language of each; or NULL: queries have no `to`
 * 8·N bytes and a block of rows a thread. */
ig_status ig_searcher_new(ig_searcher **searcher, const ig_rows *rows,
                          const ig_image *image, const uint16_t *lang, ig_pool *pool,
                          const ig_progress *watch, ig_error *error);
void ig_searcher_delete(ig_searcher *searcher);

/* The k best rows for each of n queries.
 *   queries  in   (n, d). The cosines of one alone are kept
 *   own      in   (n) the own row of each, which is left out, or IG_NO_ROW; NULL: none
 *   to       in   (languages) 0: rows of the language are left out; NULL: none
 *   watch    in   counts queries; or NULL
 *   best     out  (n, k) best first, ties by row
 *   found    out  (n) how many there are, ≤ k
 * One pass over the rows for 4,096 queries; 2·n·d flops for each row compared. */
ig_status ig_searcher_find(ig_searcher *searcher, const ig_rows *queries,
                           const uint32_t *own, const uint8_t *to, size_t k,
                           ig_progress *watch, ig_scored *best, size_t *found,
                           ig_error *error);

/* The `near` nearest rows of each of N rows, without itself, near < N.
 *   neighbour  out  (N, near) nearest first
 *   distance   out  (N, near) their 1 − cosine
 *   watch      in   counts rows (2·d·N flops each); or NULL */
ig_status ig_searcher_nearest(const ig_rows *rows, ig_pool *pool, size_t near,
                              ig_progress *watch, uint32_t *neighbour, float *distance,
                              ig_error *error);

/* Rank of a row in the last query, of one alone, among the rows of its language but
 * `own`: 1 + the number of nearer ones; 0: all are equally near, no rank. O(N). */
uint32_t ig_searcher_rank(const ig_searcher *searcher, uint32_t target, uint32_t own);
