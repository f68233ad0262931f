/* The multilingual pool: every row is a query; its candidates are all other rows of all
 * languages [LAReQA]. It measures language bias: if same-language rows rank first,
 * search finds no translation, however good retrieval between two languages is. Purity
 * and hubness come from the same pass (METHODS.md). */
#ifndef MEASURE_MULTILINGUAL_POOL_H
#define MEASURE_MULTILINGUAL_POOL_H

#include "measure/measure_group.h"

enum { IG_POOL_NEAR = 10 }; /* k of purity and hubness */

/* Result of one query. */
typedef struct ig_pool_row {
    uint32_t row;     /* of the source */
    uint32_t nearest; /* row of the source; ties: the lower one */
    uint32_t rank;    /* of its best translation: 1 + rows strictly nearer; 0: it has no
                         translation */
    uint32_t hub;     /* rows that have it among their ten nearest */
    float effect;     /* on their purity, for intervals (METHODS.md) */
    uint16_t lang;
    uint8_t own;          /* of its ten nearest, those of the same language … */
    uint8_t translations; /* … and its translations */
    float gain;       /* nDCG@10: Σ 1/log2(1 + r) of the translations at r ≤ 10, as a
                             share of the sum when they come first */
    bool translation; /* the nearest is one … */
    bool own_language;    /* … is of the same language */
    bool tied, unsettled; /* its translation ties with a row that is none; rows of both
                             its own and another language tie for the nearest */
} ig_pool_row;

/* A zeroed struct may be freed. */
typedef struct ig_multilingual_pool {
    double translation;  /* share of the queries that have a translation whose nearest
                            row is one; NaN */
    double own_language; /* share of the rows whose nearest row has the same language */
    double mrr;          /* mean of 1/rank of the best translation, over such queries */
    double ndcg;         /* mean nDCG@10 of such queries */
    double purity; /* mean share of a row's 10 nearest rows that have the same language;
                      fewer rows: of those there are; NaN below two rows */
    double hubness; /* skewness of `hub`; NaN where it does not differ */
    double translation_chance, own_chance, mrr_chance, ndcg_chance, hubness_chance;
    size_t rows, queries; /* queries, and those with a translation */
    size_t k;             /* of a row: 10, or all others */
    ig_pool_row *found;   /* (rows) in the order of the rows */
    uint32_t *near; /* (rows, k) rows of the source, the nearest first; NULL: not kept
                       (ig_evaluation_spec.neighbours) */
    ig_language_counts met;  /* rows of one language whose nearest row is of another;
                               none when there is a reason */
    const char *reason;      /* why there are no figures at all, or NULL; static */
    const char *no_ranks;    /* why translation and mrr are NaN … */
    const char *no_language; /* … and own_language, or NULL; static */
} ig_multilingual_pool;

/* Measure all rows of a source.
 *   lang     in  (N) < languages
 *   meaning  in  (N) rows of other languages with the same number are translations;
 *                IG_NO_ID: of none. NULL: no row has any
 * IG_OK, IG_SHAPE, IG_NOMEM or IG_INTERRUPTED; *mixed is filled only with IG_OK; free
 * it with ig_multilingual_pool_free. N²·d flops (each product serves both rows), which
 * the watch counts; memory for the rows and a few tiles. */
ig_status ig_multilingual_pool_measure(ig_multilingual_pool *mixed, const ig_rows *rows,
                                       const uint16_t *lang, size_t languages,
                                       const uint32_t *meaning, ig_pool *pool,
                                       ig_progress *watch, ig_error *error);

void ig_multilingual_pool_free(ig_multilingual_pool *mixed);

extern const ig_measure_group ig_multilingual_pool_group;

#endif
