/* What is measured of the weights shown, and how far it is. All of it belongs to the
 * worker. */
#ifndef WORKER_MEASURING_H
#define WORKER_MEASURING_H

#include "worker/worker.h"

/* An evaluation that several findings have; the first member, so that one is the
 * other. */
typedef struct ig_evaluated {
    ig_evaluation evaluation;
    atomic_int users;
} ig_evaluated;

/* Of what findings are made. */
typedef struct ig_findings_key {
    unsigned long weights; /* serial; 0: the originals alone */
    unsigned run;          /* whose held-out ids; 0: all rows */
    bool exact;            /* all of them, not a sample */
} ig_findings_key;

typedef struct ig_measuring {
    const ig_scores *scores; /* all of them, or NULL */
    ig_scores some;          /* those of the portion's run */
    ig_pairs pairs;          /* of all languages, by ids, once */
    bool paired;             /* they were sought */

    ig_findings *findings; /* the newest, or NULL */
    ig_findings_key key;   /* of it */
    unsigned long serials;

    /* What is measured now: space by space, and of each the steps. */
    bool going;
    ig_findings_key going_key;
    ig_portion portion;
    unsigned portion_run; /* the portion is that run's … */
    size_t portion_most;  /* … sample of so many meanings, 0: all of it */
    bool thinned;         /* … and some of its rows alone */
    bool portioned;
    ig_evaluated *space[IG_SPACES];
    ig_evaluated *original; /* of this portion, kept from findings to findings */
    int space_now;
    unsigned left;    /* measures that space_now still lacks */
    double work, all; /* done, of so much */

    bool exact_wanted;
    unsigned long ceased; /* serial of weights whose exact measures were given up + 1 */
    double next;          /* clock: not before, while training */
    double spent;         /* seconds, on what is measured now */
} ig_measuring;

/* Fill in the values of rows, from the spaces; those that memory is short for stay
 * NULL. */
void ig_row_values(ig_findings *findings, size_t rows);

/* Let go of all of it. NULL is accepted. */
void ig_measuring_delete(ig_measuring *measuring);

/* The rows held out by the run of a number (rows of the set), or NULL: it has none. */
const uint8_t *ig_worker_held_out(ig_session *session, unsigned run);

#endif
