/* The inside of a searcher, shared by single queries (neighbours.c) and batches of them
 * (batch.c). Legend: N rows, d dims. */
#ifndef SEARCH_SEARCHER_STATE_H
#define SEARCH_SEARCHER_STATE_H

#include <stdbool.h>

#include "search/searcher.h"

struct ig_searcher {
    const ig_rows *rows;
    ig_searcher_image image; /* `of` NULL: they are none */
    const ig_rows *source;   /* what a query reads: image.of, or rows */
    const uint16_t *lang;    /* (N) or NULL */
    ig_pool *pool;
    float *inverse; /* (N) 1/length, 0 for a row of length 0 */
    float *cosine;  /* (N) of the last query */
    float *tiles;   /* (members, IG_ROWS_TILE, d), or NULL when rows lie as floats */
    float *scratch; /* (members, each) */
    size_t each;
    float *query; /* (d) scaled to length 1 */
    float *asked; /* (d) what the source is asked for in its place: query, but for an
                       image */
    bool known;   /* the lengths are */
    bool queried; /* `cosine` holds an answer */
};

/* Rows first … first+n−1, n ≤ IG_ROWS_TILE, of `rows` (the searcher's or its source)
 * as a member of the pool sees them. */
const float *ig_searcher_view(ig_searcher *s, const ig_rows *rows, size_t member,
                              size_t first, size_t n, size_t *stride);

/* What a source is asked for in place of n unit vectors (n, d) of an image's rows, and
 * what is to be added to each one's answers: out (n, d), add (n). */
void ig_searcher_ask(const ig_searcher *s, ig_matrix unit, ig_matrix out, float *add);

/* Fill in `inverse` for n rows. */
void ig_searcher_lengths(ig_searcher *s, const float *rows, size_t stride, size_t first,
                         size_t n);

/* Whether the language of a row passes the filter. */
bool ig_searcher_pass(const ig_searcher *s, ig_searcher_filter filter, size_t row);

static inline bool stopped(const atomic_bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

#endif
