/* A trainer on a set and its pairs: what the suites of learn begin and end with. */
#pragma once

#include <string.h>

#include "core/memory.h"
#include "suite.h"
#include "train/trainer.h"

static ig_error error;

#define ok(call)                                                                       \
    do {                                                                               \
        if ((call) != IG_OK)                                                           \
            fail_msg("%s: %s", #call, error.message);                                  \
    } while (0)

/* A zeroed one may be ended. */
struct world {
    ig_dataset *set;
    float *rows; /* the set's, where a suite has made them */
    ig_pairs pairs;
    ig_split split;
    ig_objective objective;
    ig_train_options options;
    ig_extractor initial; /* or empty */
    ig_pool *pool;
    ig_trainer *trainer;
};

/* A trainer of the objective with the options, both parsed already, on two threads. */
static inline void world_train(struct world *w, const ig_extractor *initial)
{
    ig_train_resolve(&w->options, &w->objective.settings);
    ok(ig_pool_new(&w->pool, 2, &error));
    ok(ig_trainer_new(&w->trainer, w->set, &w->pairs, &w->split, &w->objective,
                      &w->options, initial, w->pool, &error));
}

/* Parse an objective, and split the pairs. */
static inline void world_plan(struct world *w, const char *objective, double valid)
{
    ok(ig_objective_parse(&w->objective, "test", "test", objective, strlen(objective),
                          &error));
    ok(ig_split_make(&w->split, w->set, &w->pairs, valid, 0, 1, &error));
}

/* The trainer goes, with what it was made of; the set and its pairs stay. */
static inline void world_forget(struct world *w)
{
    ig_trainer_delete(w->trainer);
    ig_pool_delete(w->pool);
    ig_objective_free(&w->objective);
    ig_split_free(&w->split);
    w->trainer = NULL;
    w->pool = NULL;
}

static inline void world_end(struct world *w)
{
    world_forget(w);
    ig_extractor_free(&w->initial);
    ig_pairs_free(&w->pairs);
    ig_dataset_free(w->set);
    ig_free(w->rows);
    memset(w, 0, sizeof *w);
}
