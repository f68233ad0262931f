/* The evaluation spec: which measures are computed, of which rows and pairs. And the
 * rows that are measured, in one space, ordered by language once: every row number in
 * the measures is a place in this order. Legend: n rows, d dims, N rows of the source,
 * which are those of the dataset. */
#pragma once

#include "core/pool.h"
#include "core/progress.h"
#include "data/pairs.h"
#include "measure/figure.h"

/* The measured pairs, of rows of the dataset. */
typedef struct ig_retrieval_pairs {
    const uint16_t *lang; /* (N) language of each row, < languages; NULL: one */
    size_t languages;
    const uint32_t *left, *right; /* (pairs) retrieval ignores pairs within one
                                     language */
    const uint32_t *group;        /* (pairs) number of the meaning, where rows have no
                                     ids; a row takes that of its first pair; or NULL */
    size_t pairs;
} ig_retrieval_pairs;

/* Owns nothing. */
typedef struct ig_evaluation_spec {
    unsigned measures;   /* IG_MEASURE_… */
    const uint32_t *row; /* (rows) those to measure, ascending; NULL: all */
    size_t rows;
    const uint32_t *id; /* (N) or NULL. Probes are fitted on even ones, tested on odd */
    ig_retrieval_pairs pairs;
    const ig_label *label;       /* (N) labels to transfer, or NULL … */
    size_t pivot;                /* … and the language in which they are learned */
    const ig_scores *scores;     /* or NULL */
    const char *const *language; /* (languages) names, or NULL */
    const ig_rows *const *part;  /* (spaces) the rows in each, where the meanings are
                                   measured and both parts of the rows are known; or
                                   NULL: no reversibility */
    const ig_rows *other;        /* (N) the rows in another run or version, or NULL */
    const struct ig_judged *judged; /* of all rows, or NULL … */
    const ig_rows *queries;         /* … and its queries in the space */
    uint64_t seed;
    bool rest;      /* fit probes on rows that are not measured, if half as many */
    bool intervals; /* compute intervals */
    size_t sample;  /* approximate number of queries, drawn by meaning; 0: all */
} ig_evaluation_spec;

/* What groups of measures need. */
enum {
    IG_NEEDS_ROWS = 1,
    IG_NEEDS_PAIRS = 2,
    IG_NEEDS_SCORES = 4,
    IG_NEEDS_REST = 8,   /* the rows that are not measured, if the spec has them */
    IG_NEEDS_PARTS = 16, /* the vectors and both of their parts */
    IG_NEEDS_LABELS = 32,
    IG_NEEDS_OTHER = 64,      /* parts, or the rows in another run */
    IG_NEEDS_ALL_PAIRS = 128, /* a scan of all pairs of rows */
    IG_NEEDS_JUDGED = 256
};

/* A sample of the measured rows: whole meanings, drawn at random, whose rows are the
 * queries. All rows remain candidates: the task stays as hard. */
typedef struct ig_query_sample {
    size_t rows, of_rows; /* rows 0: there is no sample */
    size_t meanings, of_meanings;
} ig_query_sample;

/* Measures take it const. A zeroed struct may be freed; one in use does not move. */
typedef struct ig_embeddings {
    const ig_evaluation_spec *spec;
    size_t n, d, languages, meanings;
    size_t all;   /* n, and further rows: of scored pairs, and what probes learn from */
    size_t rest;  /* … the rows that probes learn from: all further ones, or 0 */
    ig_rows rows; /* (all, d) as they are, held or read from the source */
    ig_rows units;     /* (all, d) the same, scaled to length 1 as they are read */
    uint32_t *row;     /* (all) row of the dataset, ascending within a language; the
                            further ones ascending */
    uint32_t *by_row;  /* (n) the places in the order of the dataset */
    uint16_t *lang;    /* (all) ascending, but for the further rows */
    uint32_t *first;   /* (languages + 1) first row of each; then n */
    uint32_t *id;      /* (all) or IG_NO_ID */
    uint32_t *meaning; /* (n) < meanings, numbered in the order of the dataset: the id;
                            without ids the group of the first pair; else its own */
    uint8_t *query;    /* (n) 1: it is a query; or NULL: all are */
    uint32_t *start;   /* (n + 1) row i has the translations target[start[i]] … */
    uint32_t *target;  /* … target[start[i + 1] − 1] by the pairs, ascending */
    size_t pairs;
    uint32_t *left, *right; /* (pairs) rows of the lower and the higher language, by
                               both, in the order given; at last of one language */
    uint32_t *pair_start;   /* (languages² + 2) pairs of a < b: pair_start[c] …
                               pair_start[c + 1] − 1, c = a · languages + b */
    ig_scores scores; /* those of the spec, by place, or none. Scored pairs that share a
                         row, or rows that share an id, are one unit */
    ig_query_sample sample;
    bool intervals; /* keep the values of items, also where that takes work */
    ig_pool *pool;
    ig_progress *progress; /* or NULL; in flops */
    ig_error *error;       /* of the call, or NULL */
    ig_rows_pick pick;     /* private: what `rows` reads, if they are not held */
    ig_arena arena;
} ig_embeddings;

/* Gather what groups need.
 *   source  in  (N, d) rows in one space; it must outlive the embeddings
 *   needs   in  IG_NEEDS_… of the groups
 * Rows up to 64 MB are held, as are rows that are computed: computing them again costs
 * more than their products. Or IG_NOMEM, IG_INTERRUPTED: *e empty. O(N d + pairs). */
ig_status ig_embeddings_init(ig_embeddings *e, const ig_rows *source,
                             const ig_evaluation_spec *spec, unsigned needs,
                             ig_pool *pool, ig_progress *progress, ig_error *error);

void ig_embeddings_free(ig_embeddings *e);

/* IG_OK, IG_NOMEM (the arena failed) or IG_INTERRUPTED (the progress cancels). */
ig_status ig_embeddings_check(const ig_embeddings *e, const ig_arena *arena);

/* Replace rows by their coordinates in the space that they span, in which they have the
 * same products, as many dims as rows, if these times `times` are fewer than dims.
 *   arena  in  owns them
 * IG_OK, IG_NOMEM, IG_INTERRUPTED or IG_VALUE (not finite). 2·n²·d + 9·n³ flops. */
ig_status ig_embeddings_span(const ig_embeddings *e, ig_rows *rows, size_t times,
                             ig_arena *arena);

/* Rows of a source in order, some at a time:
 *
 *     ig_chunk c = ig_chunk_of(e, rows, list, n, &arena);
 *     if (!arena.failed)
 *         while (ig_chunk_next(&c)) … c.row holds rows c.first … c.first + c.count − 1
 */
enum {
    IG_CHUNK = 4 * IG_ROWS_TILE, /* rows at a time, at most */
    IG_LANGUAGES_READ = 100, /* of more, two that nothing is counted of are no figure */
    IG_LANGUAGES_SCANNED = 1000, /* at most, where all pairs of rows are scanned, … */
    IG_LANGUAGES_COUNTED = 10000 /* … and where rows are counted by two languages */
};

/* Mean squared distance from the mean below which rows of length 1 do not differ: what
 * rounding them to floats makes of equal ones. */
#define IG_SPREAD_MIN 1e-13

/* A matrix of zeros, of an arena. */
static inline ig_matrix ig_arena_matrix(ig_arena *arena, size_t rows, size_t cols)
{
    return ig_matrix_of((float *)ig_arena_array(arena, rows, cols * sizeof(float)),
                        rows, cols);
}

typedef struct ig_chunk {
    const ig_embeddings *e; /* whose pool and progress it uses */
    const ig_rows *rows;
    const uint32_t *list; /* (n) rows of the source; NULL: rows 0 … n − 1 */
    size_t n, d, each, first, count;
    float *row; /* (count, d), the caller's until the next chunk */
    float *scratch;
} ig_chunk;

/* Before the first chunk. The arena owns its memory, and knows whether it failed. */
ig_chunk ig_chunk_of(const ig_embeddings *e, const ig_rows *rows, const uint32_t *list,
                     size_t n, ig_arena *arena);

/* Read the next rows, distributed over the pool. False: there are none, or the
 * progress cancels; a chunk is then before the first again. */
bool ig_chunk_next(ig_chunk *chunk);
