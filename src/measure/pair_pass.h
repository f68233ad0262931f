/* One pass over all pairs of rows, shared by groups of measures: similarity blocks of
 * two languages are computed once, and each tile is passed to all consumers while it is
 * in cache.
 *
 * Consumers of the pass (core/similarity_blocks.h) are made for `shown`, whose first
 * list are the rows that ask (queries) and whose other list are all rows, by places
 * (core/points.h). One handler may have the products of two languages by themselves,
 * too, as retrieval has. Blocks are independent of each other, and nothing depends on
 * their order or on who takes which.
 *
 * With a sample, all rows are candidates and tiles serve only the sampled queries. Jobs
 * are then ordered pairs: query language, candidate language.
 *
 * Legend: n rows, d dims. */
#ifndef MEASURE_PAIR_PASS_H
#define MEASURE_PAIR_PASS_H

#include "core/array.h"
#include "core/similarity_blocks.h"

enum { IG_PAIR_PASS_CONSUMERS = 8 };

/* Processes the similarity blocks of two languages separately. A job is a pair of
 * languages (ordered, where a sample asks), or a language with itself; those with
 * itself come before all others. */
typedef struct ig_pair_pass_handler {
    void *context;
    size_t jobs;

    /* Languages of a job, lang[0] ≤ lang[1] unless ordered, and its work in flops.
     * Returns whether it takes the products of all rows of both: then those of the pass
     * serve it. */
    bool (*describe)(const void *context, size_t job, size_t lang[2], double *work);

    /* Room for any of some jobs, to be done by `parts` threads at once with `products`.
     * IG_OK or IG_NOMEM; *workspace is for `free` in any case. */
    ig_status (*init)(void *context, const size_t *job, size_t jobs,
                      ig_similarity_blocks *products, size_t parts, void **workspace,
                      ig_error *error);
    void (*free)(void *workspace);

    /* Do a job: all parts call it, as ig_similarity_blocks_run has it.
     *   also  in  gets the tiles, too; or NULL
     * Returns whether it came to its end. */
    bool (*run)(void *workspace, size_t job, const ig_consumer *also, size_t part,
                ig_pool *pool, ig_progress *watch, size_t member);

    /* Broadcast the result of a job from a process to its communicator. */
    void (*give)(void *context, size_t job, ig_comm *team, size_t rank);
} ig_pair_pass_handler;

/* A zeroed struct may be freed. Do not move it once it is begun: consumers point to
 * `shown`. */
typedef struct ig_pair_pass {
    ig_points points; /* where a value is not finite, there is no pass to run */
    size_t queries;   /* rows that ask */
    uint32_t *query;  /* (queries) their places, ascending */
    uint32_t *first;  /* (languages + 1) queries of each language */
    uint8_t *asks; /* (n) by place: IG_ASKS_…, 0: it does not; NULL: all rows ask, both
                         ways */
    ig_similarity_blocks shown; /* the queries and all rows */

    /* set by consumers before the run */
    ig_consumer consumer[IG_PAIR_PASS_CONSUMERS]; /* of `shown` */
    size_t consumers;
    ig_pair_pass_handler handler; /* jobs 0: there is none */
} ig_pair_pass;

/* The queries of a pass. */
enum {
    IG_ASKS_DRAWN = 1, /* it is of the sample */
    IG_ASKS_EXTRA      /* an additional query, of a language pair with few pairs */
};

/* Read the rows of a pass, scaled to length 1.
 *   list  in  (n) rows of the source; NULL: all
 *   lang  in  (n) of the list, < languages; NULL: they are of one
 *   asks  in  (n) of the list, IG_ASKS_…, 0: does not; NULL: all ask
 *   hold  in  bytes of rows that are held (IG_HELD_BYTES)
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. */
ig_status ig_pair_pass_init(ig_pair_pass *pass, const ig_rows *rows,
                            const uint32_t *list, size_t n, const uint16_t *lang,
                            size_t languages, const uint8_t *asks, size_t hold,
                            ig_pool *pool, ig_progress *watch, ig_error *error);

/* Whether a query is of the sample; where all rows ask, any. */
static inline bool ig_pair_pass_is_drawn(const ig_pair_pass *pass, size_t query)
{
    return !pass->asks || pass->asks[pass->query[query]] == IG_ASKS_DRAWN;
}

/* The query of a place; `queries`: it does not ask. O(log queries). */
static inline size_t ig_pair_pass_query(const ig_pair_pass *pass, uint32_t place)
{
    size_t q = pass->asks ? ig_array_find(pass->query, pass->queries, place) : place;

    return q < pass->queries && pass->query[q] == place ? q : pass->queries;
}

void ig_pair_pass_free(ig_pair_pass *pass);

/* How many tiles consumers will get at most: their numbers are below it. */
size_t ig_pair_pass_tiles(const ig_pair_pass *pass);

/* Queries of a language, and all of its rows. */
ig_places ig_pair_pass_queries(const ig_pair_pass *pass, size_t lang);
ig_places ig_pair_pass_rows(const ig_pair_pass *pass, size_t lang);

/* The work of a run, in flops; 0 if out of memory. */
double ig_pair_pass_work(const ig_pair_pass *pass);

/* Process all language pairs that a consumer or the handler needs. IG_OK, IG_NOMEM or
 * IG_INTERRUPTED. n²·d flops at most, and what the handler's jobs need beyond the
 * products; the watch counts it. The same bytes whatever the number of pool members.
 * Where the pool has a team, its ranks take pairs of languages each, or the tiles of
 * one in turn where it is large, and all have what was found. */
ig_status ig_pair_pass_run(ig_pair_pass *pass, ig_pool *pool, ig_progress *watch,
                           ig_error *error);

#endif
