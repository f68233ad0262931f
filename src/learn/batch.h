/* One mini-batch and the fused pass over its rows (see plan.h for the arithmetic).
 *
 * Rows are stacked: rows 0 … B−1 are the x of the pairs, rows B … 2B−1 the y. The work
 * is cut into steps that members of a pool run on their slices, with a barrier between:
 *
 *     forward   E (2B, d) gathered; H from E              slice of stacked rows
 *     values    dot products, values, coefficients C      slice of pairs
 *     terms of the batch (group.h), if there are any      together
 *     gradient  ∂/∂H, rows as combinations of bases       slice of stacked rows
 *
 * A batch may be a rank's share of a larger one (base/team.h). Its means are then over
 * the whole: what it gives are parts of sums, of values and of gradients. Partners are
 * drawn from the whole, too; those of them that are other ranks' rows stand behind its
 * own, and get their part of the gradient from here: first the x, then the y.
 *
 * Legend: B pairs, d dims of the originals, w width of the outputs (d, but for `head`),
 * o outputs (1 or 2: meaning, language), V bases, S slots, K languages. */
#ifndef LEARN_BATCH_H
#define LEARN_BATCH_H

#include "data/set.h"
#include "learn/extractor.h"
#include "learn/plan.h"
#include "linear/kernels.h"
#include "linear/matrix.h"

/* Pairs whose values are added up together, by one member: the sum over the batch is
 * made in the same order however many members there are. */
enum { IG_BATCH_SUMMED = IG_TERM_ROWS };

typedef struct ig_batch_sums {
    double value[IG_PLAN_TERMS]; /* Σ over these pairs, by term of rows */
} ig_batch_sums;

/* How much storage a batch takes. */
typedef struct ig_batch_shape {
    size_t capacity; /* the largest B */
    size_t ghosts;   /* the most rows of other ranks */
    size_t dims;     /* d */
    size_t width;    /* w */
    size_t outputs;  /* o */
    size_t hidden;   /* of `head`, else 0 */
    size_t languages;
} ig_batch_shape;

typedef struct ig_batch {
    const ig_plan *plan;
    const ig_kernels *kernels;
    size_t size;      /* B */
    size_t whole;     /* pairs of the batch that this one is a share of; alone: B */
    size_t ghosts[2]; /* rows of other ranks, by side */
    size_t capacity;  /* the largest B */
    size_t dims;      /* d */
    size_t width;     /* w */
    size_t outputs;   /* o */
    size_t hidden;
    size_t epoch; /* 1-based; terms with from= after it are off */

    float *e;          /* (2B, d) */
    float *h;          /* (2B, o·w); of `head`, scaled to length 1 */
    float *g;          /* (2B, o·w) */
    float *layer;      /* (2B, hidden) of `head`: its first layer */
    float *layer_g;    /* (2B, hidden) ∂ by it */
    float *inverse;    /* (2B) of `head`: 1 / length before scaling */
    uint16_t *lang;    /* (2B) */
    uint32_t *meaning; /* (B, and ghosts) what has the same number means the same */
    uint32_t *partner; /* (2B) stacked row of each row's partner */
    uint32_t *first;   /* (rows + 2) where row r's entries of `user` begin */
    uint32_t *user;    /* (2B) the rows whose partner is r */
    double *c;         /* (B, S) */

    /* terms of the batch */
    float *operand;              /* (2, B, w) */
    float *extra;                /* (shared, B, w) weighted ∂ by their operands */
    float *square;               /* (squares, B, B) as many as a term asks for */
    float *logit;                /* (B, K) */
    uint32_t *other;             /* (B) meanings of an operand's rows */
    float *factor;               /* (B) */
    float *language_sum;         /* (K, w) */
    size_t *language_rows;       /* (K) */
    double *row_value;           /* (B) what each row adds to a term's value */
    double value[IG_PLAN_TERMS]; /* of terms of the batch */
    size_t languages;            /* K */
    const float *classifier;     /* (K, w) and (K); the trainer's, or NULL */
    float *classifier_gradient;  /* the same layout; the trainer's */

    ig_batch_sums *sums; /* (B / IG_BATCH_SUMMED, rounded up) */
} ig_batch;

/* Storage for batches of that shape. IG_OK or IG_NOMEM. */
ig_status ig_batch_init(ig_batch *batch, const ig_plan *plan, ig_batch_shape shape,
                        ig_error *error);

void ig_batch_free(ig_batch *batch);

/* Stacked rows: 2B, and those of other ranks. */
size_t ig_batch_rows(const ig_batch *batch);

/* The side of a stacked row, 0 of x and 1 of y. */
size_t ig_batch_side(const ig_batch *batch, size_t row);

/* The batch's share of the whole: 1 alone. Terms of the batch are taken within a rank
 * and weighted so. */
double ig_batch_share(const ig_batch *batch);

/* H = E Wᵀ + b for stacked rows first … last−1. W (o·w, d), b (o·w). */
void ig_batch_forward(ig_batch *batch, const float *w, const float *b, size_t first,
                      size_t last);

/* The vectors of pair i, by base; a base's rows as a matrix (not a partner's). */
void ig_batch_locate(const ig_batch *batch, size_t i, const float *v[IG_ATOMS]);
ig_matrix ig_batch_base(const ig_batch *batch, size_t base);

/* (B, w) for the gradient by operand number s of the terms of the batch. */
ig_matrix ig_batch_extra(const ig_batch *batch, size_t s);

/* Whether a term counts in this epoch: not struck out, not before its from=. */
bool ig_batch_is_on(const ig_batch *batch, const ig_plan_term *term);

/* Values of pairs first … last−1 into their sums (cleared first), and their
 * coefficients into C when `gradients`; first is a multiple of IG_BATCH_SUMMED. */
void ig_batch_values(ig_batch *batch, bool gradients, size_t first, size_t last);

/* ∂loss/∂H of stacked rows first … last−1. */
void ig_batch_gradient(ig_batch *batch, size_t first, size_t last);

/* Unweighted values of the batch's terms (METHODS.md §3; NaN: struck out), those of
 * rows from all sums in their order; returns the weighted sum, the loss. Of a share of
 * a batch: its parts of them, that add up. Any member may call it. */
double ig_batch_loss(const ig_batch *batch, double value[IG_PLAN_TERMS]);

#endif
