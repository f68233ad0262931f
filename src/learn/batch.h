/* One mini-batch and the fused pass over its rows (see plan.h for the arithmetic).
 *
 * Rows are stacked: rows 0 … B−1 are the x of the pairs, rows B … 2B−1 the y. The work
 * is cut into steps that members of a pool run on their slices, with a barrier between:
 *
 *     forward   E (2B, d) gathered; H = E Wᵀ + b          slice of stacked rows
 *     values    dot products, values, coefficients C      slice of pairs
 *     shared    (terms of the batch only) sums, then C    columns, then slice of pairs
 *     gradient  ∂/∂H, rows as combinations of bases       slice of stacked rows
 *
 * Legend: B pairs, d dims, o outputs (1 or 2: meaning, language), V bases, S slots. */
#ifndef LEARN_BATCH_H
#define LEARN_BATCH_H

#include "isogloss/data/set.h"
#include "isogloss/learn/extractor.h"
#include "isogloss/linear/kernels.h"
#include "isogloss/linear/matrix.h"
#include "learn/plan.h"

/* What one member adds up, in a place of its own. */
typedef struct ig_batch_sums {
    double value[IG_PLAN_TERMS];   /* Σ over its pairs, by term */
    double length[IG_PLAN_SHARED]; /* Σ |u|² by shared vector */
    float *shared;                 /* (shared, d) Σ u */
} ig_batch_sums;

typedef struct ig_batch {
    const ig_plan *plan;
    const ig_kernels *kernels;
    size_t size;     /* B */
    size_t capacity; /* the largest B */
    size_t dims;     /* d */
    size_t outputs;  /* o */
    size_t epoch;    /* 1-based; terms with from= after it are off */

    float *e;          /* (2B, d) */
    float *h;          /* (2B, o·d) */
    float *g;          /* (2B, o·d) */
    uint16_t *lang;    /* (2B) */
    uint32_t *partner; /* (2B) stacked row of each row's partner */
    uint32_t *first;   /* (2B + 1) where row r's entries of `user` begin */
    uint32_t *user;    /* (2B) the rows whose partner is r */
    double *c;         /* (B, S) */
    double *length;    /* (B, shared) |A|² */
    float *reach;      /* (B, shared) coefficient of the shared vector */
    float *total;      /* (shared, d) Σ u over the batch */

    size_t members;
    ig_batch_sums *sums; /* (members) */
} ig_batch;

/* Storage for batches of at most `capacity` pairs. IG_OK or IG_NOMEM. */
ig_status ig_batch_init(ig_batch *batch, const ig_plan *plan, size_t capacity,
                        size_t dims, size_t outputs, size_t members, ig_error *error);

void ig_batch_free(ig_batch *batch);

/* H = E Wᵀ + b for stacked rows first … last−1. W (o·d, d), b (o·d). */
void ig_batch_forward(ig_batch *batch, const float *w, const float *b, size_t first,
                      size_t last);

/* Values of pairs first … last−1 into the member's sums (cleared first), and their
 * coefficients into C when `gradients`. */
void ig_batch_values(ig_batch *batch, bool gradients, size_t member, size_t first,
                     size_t last);

/* Terms of the batch: columns first … last−1 of Σ u over all members … */
void ig_batch_shared_sum(ig_batch *batch, size_t first, size_t last);
/* … and, after a barrier, the coefficients of pairs first … last−1. */
void ig_batch_shared_slopes(ig_batch *batch, size_t first, size_t last);

/* ∂loss/∂H of stacked rows first … last−1. */
void ig_batch_gradient(ig_batch *batch, size_t first, size_t last);

/* Unweighted values of the batch's terms (methods.md §3) from all members' sums, in the
 * order of members; returns the weighted sum, the loss. Any member may call it. */
double ig_batch_loss(const ig_batch *batch, double value[IG_PLAN_TERMS]);

#endif
