/* One pair of languages, measured by one thread or by all of a pool. */
#ifndef MEASURE_RETRIEVAL_JOB_H
#define MEASURE_RETRIEVAL_JOB_H

#include "linear/knn.h"
#include "linear/ranking.h"
#include "measure/retrieval_plan.h"

/* What all jobs share. */
typedef struct ig_retrieval_shared {
    const ig_retrieval_plan *plan;
    size_t dims;
    const ig_block *block; /* (languages) the units of each */
    uint32_t *nearby;      /* (units, IG_OVERLAP_NEAR) of the units of whole languages,
                                the groups of the knn, ascending */
    ig_retrieval *retrieval; /* scores and found are filled in */
    ig_watch *watch;
} ig_retrieval_shared;

/* One side of a job. */
typedef struct ig_retrieval_side {
    ig_block block;
    uint32_t *list;         /* (n) units */
    uint32_t *first;        /* (n + 1) where the pairs of a row begin among … */
    uint32_t *truth;        /* (pairs) the rows that they lead to */
    uint32_t *row, *probe;  /* (pairs) row, and place in `truth`, of each pair */
    const uint32_t *nearby; /* (n, IG_OVERLAP_NEAR); NULL: too few rows */

    /* where the rows of a part of a language are brought together: as many as it has,
     * but for the last, as many as the whole language has */
    float *part;
    uint8_t *part_zero;
    uint32_t *part_same, *part_nearby;
    uint32_t *lowest;
} ig_retrieval_side;

/* Where a job is done: room that serves one after the other. A zeroed struct may be
 * freed. */
typedef struct ig_retrieval_desk {
    ig_products products;
    ig_knn knn;
    ig_ranking ranking;
    ig_retrieval_side side[2];
} ig_retrieval_desk;

/* What a desk must hold. */
typedef struct ig_retrieval_room {
    size_t rows[2], pairs;
    size_t part[2];  /* the most rows of a part of a language */
    size_t whole[2]; /* and of a language that has such a part */
} ig_retrieval_room;

/* Make `room` large enough for a job, too. */
void ig_retrieval_room_fit(ig_retrieval_room *room, const ig_retrieval_plan *plan,
                           const ig_retrieval_job *job);

/* IG_OK or IG_NOMEM. */
ig_status ig_retrieval_desk_init(ig_retrieval_desk *desk, const ig_retrieval_room *room,
                                 size_t dims, size_t parts, ig_error *error);

void ig_retrieval_desk_free(ig_retrieval_desk *desk);

/* Do the part `part` of a job, as ig_products_run does. The neighbours of the whole
 * languages must be known. */
bool ig_retrieval_job_run(ig_retrieval_desk *desk, const ig_retrieval_shared *work,
                          const ig_retrieval_job *job, size_t part, ig_pool *pool,
                          size_t member);

/* Find the neighbours of a whole language, likewise. */
bool ig_retrieval_nearby_run(ig_retrieval_desk *desk, const ig_retrieval_shared *work,
                             uint16_t lang, size_t part, ig_pool *pool, size_t member);

#endif
