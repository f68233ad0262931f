/* The rows that are measured, in one space, ordered by language once: every row number
 * in the measures is a place in this order; rows of the dataset appear in results
 * alone. Legend: n rows, d dims, N rows of the dataset. */
#ifndef MEASURE_EMBEDDINGS_H
#define MEASURE_EMBEDDINGS_H

#include "core/pool.h"
#include "core/progress.h"
#include "measure/evaluation_spec.h"

/* A sample of the measured rows: whole meanings, drawn at random, whose rows are the
 * queries. All rows remain candidates, so that a mean over the sample estimates the
 * mean over all rows, not that of a smaller, easier task. */
typedef struct ig_query_sample {
    size_t rows, of_rows; /* rows 0: there is no sample */
    size_t meanings, of_meanings;
    uint64_t seed;
} ig_query_sample;

/* Measures take it const. A zeroed struct may be freed; one in use does not move. */
typedef struct ig_embeddings {
    const ig_evaluation_spec *spec;
    size_t n, d, languages, meanings;
    size_t all;  /* n, and further rows: of scored pairs, and what probes learn from */
    size_t rest; /* … the rows that probes learn from: all further ones, or 0 */
    size_t used, zeros; /* rows but those that only probes learn from; of length 0 */
    ig_rows rows;       /* (all, d) as they are, held or read from the source */
    ig_rows units;      /* (all, d) the same, scaled to length 1 as they are read */
    uint32_t *row;      /* (all) row of the dataset, ascending within a language; the
                            further ones ascending */
    uint32_t *by_row;   /* (all) the places in the order of the dataset */
    uint16_t *lang;     /* (all) ascending, but for the further rows */
    uint32_t *first;    /* (languages + 1) first row of each; then n */
    uint32_t *id;       /* (all) or IG_NO_ID */
    uint32_t *meaning;  /* (n) < meanings, numbered in the order of the dataset: the id;
                            without ids the group of the first pair; else its own */
    uint8_t *query;     /* (n) 1: it is a query; or NULL: all are */
    uint32_t *start;    /* (n + 1) row i has the translations target[start[i]] … */
    uint32_t *target;   /* … target[start[i + 1] − 1] by the pairs, ascending */
    size_t pairs;
    uint32_t *left, *right; /* (pairs) the pairs as they were given */
    ig_scores scores; /* those of the spec, by place, or none. Scored pairs that share a
                         row, or rows that share an id, are one `item` */
    ig_query_sample sample;
    bool intervals; /* keep the values of items, also where that takes work */
    ig_pool *pool;
    ig_progress *progress; /* or NULL; in flops */
    ig_rows_pick pick;     /* private: what `rows` reads, if they are not held */
    ig_arena arena;
} ig_embeddings;

/* Gather what groups need.
 *   source  in  (N, d) rows in one space; it must outlive the embeddings
 *   needs   in  IG_NEEDS_… of the groups
 * Rows up to 64 MB are held, as are rows that are computed: computing them
 * again costs more than their products. IG_OK, IG_SHAPE (no such row or language),
 * IG_NOMEM or IG_INTERRUPTED, with *e empty. O(N d + pairs). */
ig_status ig_embeddings_init(ig_embeddings *e, const ig_rows *source,
                             const ig_evaluation_spec *spec, unsigned needs,
                             ig_pool *pool, ig_progress *progress, ig_error *error);

void ig_embeddings_free(ig_embeddings *e);

/* The translations of row i in a language by the pairs, and how many. O(log). */
const uint32_t *ig_embeddings_targets(const ig_embeddings *e, uint32_t i, size_t lang,
                                      size_t *count);

#endif
