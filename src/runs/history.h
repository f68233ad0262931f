/* Weights of past epochs, for looking back at them. They are kept up to a budget of
 * bytes; when it is full, every second of them goes, again and again, so that those
 * left stand evenly over the run. The newest epoch is always among them. */
#ifndef RUNS_HISTORY_H
#define RUNS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ig_history {
    size_t budget; /* bytes; two epochs are kept in any case */
    size_t size;   /* floats of an epoch's weights */
    size_t every;  /* epochs kept are its multiples, and the newest */
    size_t count, capacity;
    struct ig_history_epoch {
        size_t epoch;
        float *weights; /* (size) */
    } * kept;           /* (count) in the order of epochs */
} ig_history;

/* Nothing kept yet. */
void ig_history_init(ig_history *history, size_t budget, size_t size);

void ig_history_free(ig_history *history);

/* Keep a copy of an epoch's weights; epochs come in order. Where memory is short, it is
 * not kept. */
void ig_history_add(ig_history *history, size_t epoch, const float *weights);

/* The weights of the last epoch kept up to *epoch, which becomes its number; NULL when
 * there is none. */
const float *ig_history_find(const ig_history *history, size_t *epoch);

#endif
