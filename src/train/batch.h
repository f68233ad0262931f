/* One mini-batch and the fused pass over its rows.
 *
 * An objective is compiled into a plan over a row's few vectors. Every term of a row is
 * a function of dot products among the row's *bases*, the vectors that its operands are
 * made of: at most twelve (x, x', y, y' and their m and l; for `residual`, l = x − m
 * needs no base). One pass computes the required dot products, evaluates each term to a
 * value and three slopes (train/terms.h), and forms every gradient as a linear
 * combination of the bases:
 *
 *     A = Σ a_k v_k,  |A|² = Σ a_k a_l <v_k,v_l>,  <A,B> = Σ a_k b_l <v_k,v_l>
 *     ∂/∂v_k = Σ_l C_kl v_l
 *     C = Σ_terms 2 s_aa a aᵀ + s_ab (a bᵀ + b aᵀ) + 2 s_bb b bᵀ
 *
 * A term of the batch (cluster, contrast, …) computes the gradient by its operands
 * itself; each operand adds one vector to the combination: a row of that gradient, or
 * (for cluster) a vector shared by all rows.
 *
 * Rows are stacked: rows 0 … B−1 are the x of the pairs, rows B … 2B−1 the y. The work
 * is split into parallel loops:
 *
 *     forward   E (2B, d) gathered; H from E              by stacked rows
 *     values    dot products, values, coefficients C      by pairs
 *     terms of the batch, if there are any                each a chain of loops
 *     gradient  ∂/∂H, rows as combinations of bases       by stacked rows
 *
 * A batch may be a process's share of a larger one (core/comm.h). Means are taken over
 * the whole batch, so values and gradients here are partial sums. Partners are drawn
 * from the whole batch, too; partner rows of other processes (ghosts) follow the
 * process's own rows, first the x, then the y, and receive their partial gradient here.
 *
 * Legend: B pairs, d dims of the originals, w width of the outputs (d, but for `head`),
 * o outputs (1 or 2: meaning, language), K languages; of the plan T terms, V bases,
 * P dot products, S entries of C that are not always 0. */
#ifndef LEARN_BATCH_H
#define LEARN_BATCH_H

#include "core/kernels.h"
#include "core/matrix.h"
#include "core/memory.h"
#include "core/pool.h"
#include "train/extractor.h"
#include "train/terms.h"

/* --- the plan --------------------------------------------------------------------- */

enum {
    IG_PLAN_TERMS = 64,
    IG_PLAN_PAIRS = IG_ATOMS * (IG_ATOMS + 1) / 2,
    IG_PLAN_SLOTS = IG_ATOMS * IG_ATOMS,
    IG_PLAN_SHARED = 32, /* operands of terms of the batch */
    IG_PLAN_PARTS = 32   /* dot products per |A|², <A,B> or |B|² of a term */
};

/* A weighted sum of dot products: Σ factor[i] · dots[pair[i]]. */
typedef struct ig_quadratic {
    size_t parts;
    uint8_t pair[IG_PLAN_PARTS];
    double factor[IG_PLAN_PARTS];
} ig_quadratic;

/* Contribution of a term's slopes to C: C[slot] += aa·s_aa + ab·s_ab + bb·s_bb. */
typedef struct ig_slope_share {
    uint8_t slot;
    double aa, ab, bb;
} ig_slope_share;

typedef struct ig_plan_term {
    const ig_term *term;
    double weight; /* W; from the objective; editable between epochs */
    bool on;       /* false: disabled, as if the line were absent */
    double coefficient[2][IG_ATOMS]; /* a_k, b_k by base */
    ig_quadratic aa, bb, ab;
    size_t spreads;
    ig_slope_share *spread; /* (spreads) */
    int shared;             /* index of its first operand, or −1 for a term of rows */
} ig_plan_term;

typedef struct ig_plan {
    size_t bases;           /* V */
    uint8_t base[IG_ATOMS]; /* (V) atom of each base; outputs of weights from
                               IG_ATOM_MEANING on */

    size_t pairs;                                      /* P */
    uint8_t left[IG_PLAN_PAIRS], right[IG_PLAN_PAIRS]; /* bases */

    size_t
        slots; /* S entries of C: ∂/∂(base `target`) gets C[slot] · (base `source`) */
    uint8_t target[IG_PLAN_SLOTS], source[IG_PLAN_SLOTS];

    size_t terms; /* T */
    ig_plan_term *term;
    size_t shared; /* operands of terms of the batch */
    ig_arena arena;
} ig_plan;

/* Compile an objective, which must outlive the plan. IG_OK, IG_NOMEM or IG_VALUE (too
 * many terms of the batch); free it in any case. A plan is independent of sizes. */
ig_status ig_plan_make(ig_plan *plan, const ig_objective *objective, ig_error *error);

void ig_plan_free(ig_plan *plan);

/* Whether a term uses partners of a side (0: of x, 1: of y). */
bool ig_plan_uses_partners(const ig_plan *plan, size_t side);

/* --- the batch -------------------------------------------------------------------- */

typedef struct ig_batch {
    const ig_plan *plan;
    const ig_kernels *kernels;
    size_t size;      /* B */
    size_t whole;     /* pairs of the whole batch; with one process: B */
    size_t ghosts[2]; /* rows of other processes, by side */
    size_t capacity;  /* the largest B */
    size_t dims;      /* d */
    size_t width;     /* w */
    size_t outputs;   /* o */
    size_t hidden;    /* of `head`, else 0 */
    size_t languages; /* K */
    size_t epoch;     /* 1-based; terms with a later from= are off */

    float *e;          /* (2B, d) */
    float *h;          /* (2B, o·w); `head`: scaled to unit norm */
    float *g;          /* (2B, o·w) */
    float *layer;      /* (2B, hidden) `head`: first layer */
    float *layer_g;    /* (2B, hidden) ∂ by it */
    float *inverse;    /* (2B) `head`: 1 / norm before scaling */
    uint16_t *lang;    /* (2B) */
    uint32_t *meaning; /* (B + ghosts) rows with equal numbers are translations */
    uint32_t *partner; /* (2B) stacked row of each row's partner */
    uint32_t *first;   /* (rows + 2) start of row r's entries in `user` */
    uint32_t *user;    /* (2B) rows whose partner is r */
    double *c;         /* (B, S) */
    double
        *sums; /* (⌈B / IG_TERM_ROWS⌉, T) partial sums by term of rows: the same order
                     for any number of threads */

    /* terms of the batch */
    float *operand;              /* (2, B, w) */
    float *extra;                /* (shared, B, w) weighted gradients by operands */
    float *square;               /* (squares, B, B) as many as a term needs */
    float *logit;                /* (B, K) */
    uint32_t *other;             /* (B) meaning of each operand row */
    float *factor;               /* (B) */
    float *language_sum;         /* (K, w) */
    size_t *language_rows;       /* (K) */
    double *row_value;           /* (B) each row's contribution to a term */
    double value[IG_PLAN_TERMS]; /* of terms of the batch */
    const float *classifier;     /* (K, w) and (K); owned by the trainer, or NULL */
    float *classifier_gradient;  /* same layout; owned by the trainer */
} ig_batch;

/* Allocate a batch whose plan, capacity, dims, width, outputs, hidden and languages are
 * set.
 *   ghosts  in  maximum number of rows of other processes
 * IG_OK or IG_NOMEM. */
ig_status ig_batch_init(ig_batch *batch, size_t ghosts, ig_error *error);

void ig_batch_free(ig_batch *batch);

/* Number of stacked rows: 2B plus ghosts. */
static inline size_t ig_batch_rows(const ig_batch *batch)
{
    return 2 * batch->size + batch->ghosts[0] + batch->ghosts[1];
}

/* H = E Wᵀ + b for stacked rows first … last−1. W (o·w, d), b (o·w). */
void ig_batch_forward(ig_batch *batch, const float *w, const float *b, size_t first,
                      size_t last);

/* Vectors of pair i, by base; rows of a base as a matrix (not for partners). */
void ig_batch_locate(const ig_batch *batch, size_t i, const float *v[IG_ATOMS]);
ig_matrix ig_batch_base(const ig_batch *batch, size_t base);

/* (B, w) gradient by operand s of the terms of the batch. */
ig_matrix ig_batch_extra(const ig_batch *batch, size_t s);

/* Whether a term is active in this epoch: enabled, and not before its from=. */
static inline bool ig_batch_is_on(const ig_batch *batch, const ig_plan_term *term)
{
    return term->on && batch->epoch >= term->term->from;
}

/* Add values of pairs first … last−1 to their sums (cleared first), and with
 * `gradients` set their coefficients in C; first is a multiple of IG_TERM_ROWS. */
void ig_batch_values(ig_batch *batch, bool gradients, size_t first, size_t last);

/* Compute all active terms of the batch into batch->value, and with `gradients` their
 * gradients. Call after ig_batch_values. */
void ig_batch_run_terms(ig_batch *batch, ig_pool *pool, bool gradients);

/* The discriminator's own step: cross-entropy of every `confuse` operand against its
 * language, and its gradient into batch->classifier_gradient [meat]. */
void ig_batch_discriminate(ig_batch *batch, ig_pool *pool);

/* ∂loss/∂H of stacked rows first … last−1. */
void ig_batch_gradient(ig_batch *batch, size_t first, size_t last);

/* Unweighted values of the terms (METHODS.md §3; NaN: disabled), summed in a fixed
 * order; returns the weighted sum, the loss. For a share of a batch: partial sums. */
double ig_batch_loss(const ig_batch *batch, double value[IG_PLAN_TERMS]);

#endif
