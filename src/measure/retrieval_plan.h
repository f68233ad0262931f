/* What retrieval works on: the rows that take part, grouped by language, and the pairs,
 * grouped by pair of languages. A "unit" is a row's position in the first grouping. */
#ifndef MEASURE_RETRIEVAL_PLAN_H
#define MEASURE_RETRIEVAL_PLAN_H

#include "measure/measure_group.h"

/* The pairs of two languages. */
typedef struct ig_retrieval_job {
    uint16_t lang[2];    /* lang[0] < lang[1] */
    size_t first, pairs; /* pairs first … of ig_retrieval_plan.side */
    size_t rows[2];      /* distinct rows of each language among them */
    double work;         /* flops */
    size_t score[2];     /* place of lang[0] → lang[1] and back among all directions,
                            which go by (from, to) */
} ig_retrieval_job;

/* A zeroed struct may be freed. */
typedef struct ig_retrieval_plan {
    size_t languages;
    size_t units;
    uint32_t *row;     /* (units) rows of the source, by language, then ascending */
    uint32_t *first;   /* (languages + 2) the units of each language */
    bool *whole;       /* (languages) 1: some job uses all units */
    uint32_t *group;   /* (units) the meaning of each */
    size_t pairs;      /* of two languages */
    uint32_t *side[2]; /* (pairs) units, the lower language's first; by job, and within
                          one in the order given */
    size_t jobs;
    ig_retrieval_job *job; /* (jobs) by (lang[0], lang[1]) */
} ig_retrieval_plan;

/* IG_OK, IG_SHAPE or IG_NOMEM. O(pairs + rows + languages²).
 *   rows  in  of the source     dims  in  its columns, for the work
 *   near  in  rows that a language, or its part in a job, must exceed for the products
 *             within it to be counted */
ig_status ig_retrieval_plan_init(ig_retrieval_plan *plan,
                                 const ig_retrieval_pairs *pairs, size_t rows,
                                 size_t dims, size_t near, ig_error *error);

void ig_retrieval_plan_free(ig_retrieval_plan *plan);

/* All of the work, in flops. */
double ig_retrieval_plan_work(const ig_retrieval_plan *plan, size_t dims, size_t near);

/* Units of a language. */
static inline size_t ig_retrieval_plan_rows(const ig_retrieval_plan *plan, size_t lang)
{
    return plan->first[lang + 1] - plan->first[lang];
}

/* Whether all units of a side's language take part in a job. */
static inline bool ig_retrieval_plan_whole(const ig_retrieval_plan *plan,
                                           const ig_retrieval_job *job, int side)
{
    return job->rows[side] == ig_retrieval_plan_rows(plan, job->lang[side]);
}

#endif
