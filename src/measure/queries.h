/* Results of each query of retrieval (measure/results.h), as a consumer of a scan over
 * all pairs of rows. A query is a row, a language that it is asked in (its direction),
 * and its targets there: rows that pairs join with it. Candidates are the rows of that
 * language that are queries the other way round. Legend: n rows of the scan, L
 * languages. */
#ifndef MEASURE_QUERIES_H
#define MEASURE_QUERIES_H

#include "core/nearest.h"
#include "measure/results.h"

enum {
    IG_MARGIN_K = 4, /* nearest candidates that xsim looks at */
    IG_CSLS_K = 10,  /* those whose mean corrects CSLS and the margin ratio over all */
    IG_OVERLAP_K = 5 /* same-language neighbours that overlap@5 compares */
};

/* A row that can be asked in a language. */
struct ig_query_cell {
    uint32_t first; /* its targets begin here, and end where those of the next begin */
    uint16_t to;
};

/* A query. */
struct ig_query_ask {
    uint32_t found;  /* its result, or IG_NO_ID: none */
    uint32_t own;    /* its neighbours among the candidates of its own language, or
                        IG_NO_ID: those of the whole language */
    uint32_t list;   /* of the part at hand, or IG_NO_ID; … */
    uint32_t within; /* … and that of its own language */
};

/* Means of the cosines of a query: with the IG_MARGIN_K nearest candidates, and half
 * that with the IG_CSLS_K nearest. */
struct ig_query_means {
    double near, half;
};

/* A zeroed struct may be freed. */
typedef struct ig_queries {
    const ig_scan *scan;
    ig_pool *pool;
    bool picks; /* rows without targets, of which only the picks are wanted */
    const uint32_t *group;      /* (n) meaning of each */
    uint32_t *start;            /* (n + 1) the cells of each, by language */
    struct ig_query_cell *cell; /* (start[n] + 1) */
    uint32_t *asked;            /* (q + 1) the cells of the rows that ask … */
    struct ig_query_ask *ask;   /* (asked[q]) … in the same order */
    const uint32_t *target;     /* places, ascending in each cell */
    uint32_t *rows;             /* (L, L) queries of a direction … */
    size_t *first; /* (L · L + 1) … and where the ones that are taken begin in … */
    ig_query_result *found; /* (first[L · L]) … the results, by place. Of a sample
                               without what takes the neighbourhoods of candidates */
    uint32_t *nearest;  /* (q, IG_OVERLAP_K) groups of the nearest of the same language,
                           ascending */
    uint32_t *selected; /* (incomplete cells, IG_OVERLAP_K) the same among candidates */
    size_t selections;

    /* of a part */
    struct ig_query_list *list;
    struct ig_query_means *means; /* (lists) */
    size_t lists;
    uint32_t *whole; /* (q) list within the own language, or IG_NO_ID */
    double *least;   /* (L, L) the least `half` of a direction */
    ig_arena part;
    ig_arena arena;
} ig_queries;

/* The translations of all rows, which the scan has. IG_OK or IG_NOMEM. What is given
 * must outlive it. */
ig_status ig_queries_init(ig_queries *queries, const ig_scan *scan,
                          const ig_embeddings *e, ig_pool *pool, ig_error *error);

/* Every row in each other language for which `mark` (L, L) is 1 from the lower to the
 * higher one; only what margin-ratio retrieval picks is found, and ties for it. */
ig_status ig_queries_init_all(ig_queries *queries, const ig_scan *scan,
                              const uint8_t *mark, ig_pool *pool, ig_error *error);

void ig_queries_free(ig_queries *queries);

ig_consumer ig_queries_consumer(ig_queries *queries);

/* Complete the results after the scan. */
void ig_queries_finish(ig_queries *queries);

/* --- shared by its files ---------------------------------------------------------- */

/* Queries of a direction: of the other way round, its candidates. */
static inline size_t ig_queries_rows(const ig_queries *q, size_t from, size_t to)
{
    return q->rows[from * q->scan->languages + to];
}

/* Whether all rows of a language are candidates for another. */
static inline bool ig_queries_whole(const ig_queries *q, size_t lang, size_t other)
{
    return ig_queries_rows(q, lang, other) == ig_scan_rows(q->scan, lang);
}

/* The query of a row in a language, or NULL. */
static inline struct ig_query_cell *ig_queries_cell(const ig_queries *q, uint32_t place,
                                                    size_t to)
{
    uint32_t low = q->start[place], end = q->start[place + 1], high = end;
    size_t guess = low + to - (to > q->scan->lang[place]); /* if it has all languages */

    if (guess < end && q->cell[guess].to == to)
        return &q->cell[guess];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (q->cell[middle].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && q->cell[low].to == to ? &q->cell[low] : NULL;
}

/* What is asked by a query with a cell of its row. */
static inline struct ig_query_ask *ig_queries_ask(const ig_queries *q, size_t query,
                                                  const struct ig_query_cell *cell)
{
    return &q->ask[q->asked[query] +
                   (cell - (q->cell + q->start[q->scan->query[query]]))];
}

static inline size_t ig_query_targets(const struct ig_query_cell *cell)
{
    return cell[1].first - cell->first;
}

static inline uint32_t ig_queries_group(const ig_queries *q, uint32_t place)
{
    return q->group ? q->group[place] : place;
}

#endif
