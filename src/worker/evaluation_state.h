/* The evaluation of the weights shown: on a sample beside training, on everything when
 * there is time. It is made space by space, and for large sets measure by measure: a
 * step that is cancelled is done anew, no more. */
#ifndef WORKER_EVALUATION_STATE_H
#define WORKER_EVALUATION_STATE_H

#include "data/subset.h"
#include "worker/shown.h"
#include "worker/snapshot.h"

/* Of what it is made. */
typedef struct ig_evaluation_key {
    unsigned long weights; /* serial; 0: the originals alone */
    unsigned run;          /* whose held-out ids; 0: all rows */
    bool exact;            /* all of them, not a sample */
} ig_evaluation_key;

/* A struct with `work` and `shown` alone has none. */
typedef struct ig_evaluation_state {
    const ig_work *work;
    ig_shown *shown;
    const ig_scores *scores; /* all of them, or NULL */
    ig_scores some;          /* those of the subset's run */
    ig_pairs pairs;          /* of all languages, by ids, once */
    bool paired;             /* they were sought */

    ig_shown_evaluation *evaluation; /* the newest, or NULL */
    ig_evaluation_key key;           /* of it */
    unsigned long serials;

    unsigned asked, answered; /* times that exact measures were asked for */
    unsigned long given_up;   /* serial + 1 of weights that get none unasked */

    /* What is measured now: space by space, and of each the steps. */
    bool going;
    ig_evaluation_key going_key;
    ig_subset subset;
    unsigned subset_run; /* the subset is that run's … */
    size_t subset_most;  /* … sample of so many meanings, 0: all of it */
    bool thinned;        /* … and some of its rows alone */
    bool has_subset;
    ig_shared_evaluation *space[IG_SPACES];
    ig_shared_evaluation *original; /* of this subset, kept from one to the next */
    int space_now;
    unsigned left;    /* measures that space_now still lacks */
    double done, all; /* flops */
} ig_evaluation_state;

/* Whether the newest is of all that there is: exact, or a sample that lacks
 * nothing. */
bool ig_evaluation_state_is_whole(const ig_evaluation_state *state);

/* Exact measures are asked for, once. */
void ig_evaluation_state_ask(ig_evaluation_state *state);

/* Do a step for a key; one that differs from what is under way begins anew.
 *   held_out  in   (rows) of key->run, or NULL
 *   made      out  whether it is complete: `evaluation` is replaced
 * IG_OK, IG_INTERRUPTED or an error, which ends what was under way. */
ig_status ig_evaluation_state_step(ig_evaluation_state *state,
                                   const ig_evaluation_key *key,
                                   const uint8_t *held_out, bool *made,
                                   ig_error *error);

/* Give up what is under way; what was asked for is no longer. */
void ig_evaluation_state_cancel(ig_evaluation_state *state);

/* The pairs that are measured: of all languages, unless the user gave some. */
const ig_pairs *ig_evaluation_state_pairs(ig_evaluation_state *state);

/* How far it is: 0 … 1. */
double ig_evaluation_state_part(const ig_evaluation_state *state);

void ig_evaluation_state_free(ig_evaluation_state *state);

#endif
