/* All pairs of rows: every query with every other row, by tiles of products. Rows
 * are ordered by language, and held scaled to length 1 and centred by it; a place is
 * the number of a row.
 *
 * For rows a = a' + A and b = b' + B of languages with centres A, B, the cosine is <a',
 * b'> + <a', B> + <A, b'> + <A, B>. For close rows the first three are small, and so is
 * their float error. Doubles decide where floats cannot.
 *
 * A tile is the products of two blocks of rows, each of one language, and serves the
 * queries of both. Threads take tiles in any order, those of one query one after the
 * other; results must not depend on it. Legend: n rows, q queries, d dims. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/pool.h"
#include "core/progress.h"
#include "core/rows.h"

/* Cosines closer than this are ties: the resolution of floats. */
#define IG_COSINE_EQUAL 0x1p-23

enum { IG_SCAN_TILE = 256 }; /* rows of a block, stride of a tile */

struct ig_block {
    uint32_t first; /* place, or query; the next begins where it ends */
    uint16_t lang;
};

/* A zeroed struct may be freed. */
typedef struct ig_scan {
    size_t n, d, languages;
    const uint32_t *first; /* (languages + 1) first place of each language */
    const uint32_t *row;   /* (n) of equally near rows the lower one is nearer */
    uint16_t *lang;        /* (n) */
    uint8_t *zero;         /* (n) 1: of length 0; its cosines are 0 */
    size_t zeros;
    bool odd;            /* a row is not finite: nothing else is valid */
    uint32_t *same;      /* (n) first place of an identical row; NULL: all differ */
    uint32_t *next;      /* (n) the next identical row, or UINT32_MAX */
    const uint8_t *asks; /* (n) 1: it is a query; NULL: all are, both ways */
    size_t queries;
    uint32_t *query; /* (q) places of the queries, ascending */
    float *centre;   /* (languages, d) about the mean of the rows */
    double *base;    /* (languages, languages) products of the centres */

    /* private */
    float *along; /* (languages, n) products of the centres with the centred rows */
    double *distance, *reach; /* (languages) length of the centre; of the longest row */
    struct ig_block *block[2]; /* of queries, of rows */
    size_t blocks[2];
    float *held[2]; /* their rows */
    ig_arena arena;
} ig_scan;

/* Read the first n rows once, into n · d floats. The arrays that are given must outlive
 * the scan.
 *   first  in  (languages + 1) first row of each language; then n
 *   row    in  (n) ascending in each language; NULL: the places
 *   asks   in  (n) NULL: all are queries
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. */
ig_status ig_scan_init(ig_scan *scan, const ig_rows *rows, const uint32_t *first,
                       size_t languages, const uint32_t *row, const uint8_t *asks,
                       ig_pool *pool, ig_progress *watch, ig_error *error);

void ig_scan_free(ig_scan *scan);

static inline size_t ig_scan_rows(const ig_scan *scan, size_t lang)
{
    return scan->first[lang + 1] - scan->first[lang];
}

/* A row as it is held, (d), scaled and centred; the cosine of two, in double. */
float *ig_scan_row(const ig_scan *scan, uint32_t place);
double ig_scan_cosine(const ig_scan *scan, uint32_t a, uint32_t b);

/* Products of some queries with consecutive rows, each of one language. */
typedef struct ig_face {
    const ig_scan *scan;
    size_t at, queries;    /* numbers of the queries */
    const uint32_t *query; /* (queries) their places */
    uint32_t first;        /* places of the rows: first … first + n − 1 */
    size_t n;
    uint16_t from, to;    /* languages of the queries, of the rows */
    const float *product; /* (queries, IG_SCAN_TILE) cosine − base; −∞ with itself */
    const float *most;    /* (queries) maximum of each */
    double base, blur;    /* error bound of a product */
} ig_face;

/* Languages first[s] … last[s] − 1 of queries (0) and rows (1). */
typedef struct ig_scan_part {
    size_t first[2], last[2];
    bool both;       /* rows are queries, too: all faces of both directions come */
    ig_arena *arena; /* freed after the part */
} ig_scan_part;

/* Sees the faces of one part after the other; a part has all rows of its languages. */
typedef struct ig_consumer {
    void *state;
    void (*see)(void *state, const ig_face *face);

    /* Before and after a part, on the caller's thread; after all parts, to merge the
     * results of processes that have seen other ones. Or NULL. */
    void (*open)(void *state, const ig_scan_part *part);
    void (*close)(void *state);
    void (*unite)(void *state, ig_comm *comm);
} ig_consumer;

/* IG_OK, IG_NOMEM or IG_INTERRUPTED. n²·d flops, 2·q·n·d where some are queries, which
 * the watch counts. The processes of the pool divide the parts. */
ig_status ig_scan_run(const ig_scan *scan, const ig_consumer *consumer,
                      size_t consumers, ig_pool *pool, ig_progress *watch,
                      ig_error *error);

/* --- neighbours ------------------------------------------------------------------- *
 * The nearest rows of a query, and the rank of a known one: floats select, doubles
 * decide, in whatever order the faces come. */

enum { IG_NEAR_MAX = 10, IG_NEAR_ROOM = 20 };

typedef struct ig_candidate {
    double cosine;
    uint32_t row; /* place */
} ig_candidate;

/* Rows that can be among the k nearest, k ≤ IG_NEAR_MAX, one of each set of identical
 * rows of a language. A zeroed list is empty. */
typedef struct ig_near {
    uint32_t count;
    float blur;                /* error bound of the scores */
    float score[IG_NEAR_ROOM]; /* descending */
    uint32_t row[IG_NEAR_ROOM];
} ig_near;

/* Offer the rows of a face to the list of its query i.
 *   product  in  (n) those of the face, or −∞ for a row that is left out
 *   most     in  their maximum
 *   base     in  that all scores of the list lack to cosines, about */
void ig_near_offer(ig_near *near, size_t k, const ig_face *face, size_t i,
                   const float *product, float most, double base);

/* Add another list of the same query. */
void ig_near_join(ig_near *near, const ig_scan *scan, const ig_near *other);

/* Insert a row into a list of at most so many, best first; ties: the lower row. False:
 * a full list does not take it. */
bool ig_candidate_insert(ig_candidate *near, size_t *count, size_t most,
                         ig_candidate item, const ig_scan *scan);

/* The k nearest rows of a query with their exact cosines, best first, and how many.
 *   counts  in  whether a row that was not offered counts, with `context`; NULL: all do
 *   out     out (k) */
size_t ig_near_take(const ig_near *near, size_t k, const ig_scan *scan, uint32_t query,
                    bool (*counts)(const void *context, uint32_t row),
                    const void *context, ig_candidate *out);

/* How many rows of a face are nearer to its query i than a target with this cosine,
 * `best` of some (places, ascending); *tied: another row is as near. */
uint32_t ig_face_nearer(const ig_face *face, size_t i, const float *product, float most,
                        double cosine, uint32_t best, const uint32_t *target,
                        size_t targets, bool *tied);
