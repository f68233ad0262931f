/* A plan: an objective turned into arithmetic on a row's few vectors.
 *
 * Every term of a row is a function of the dot products among the vectors that the
 * row's operands are made of: its *bases*, at most twelve (x, x', y, y' and their m and
 * l; for `residual`, l = x − m needs no base of its own). So one pass forms the dot
 * products the terms need, turns each term into a value and three slopes
 * (learn/terms.h), and every gradient is a linear combination of the same bases:
 *
 *     A = Σ a_k v_k,  |A|² = Σ a_k a_l <v_k,v_l>,  <A,B> = Σ a_k b_l <v_k,v_l>
 *     ∂/∂v_k = Σ_l C_kl v_l
 *     C = Σ_terms 2 s_aa a aᵀ + s_ab (a bᵀ + b aᵀ) + 2 s_bb b bᵀ
 *
 * A term of the batch (cluster, contrast, …) forms its gradient by its operands itself;
 * each of them adds one more vector to the combination: a row of that gradient, or (for
 * cluster) a vector that all rows share. Legend: T terms, V bases, P dot products, S
 * entries of C that matter. */
#ifndef LEARN_PLAN_H
#define LEARN_PLAN_H

#include "learn/objective.h"
#include "learn/terms.h"

enum {
    IG_PLAN_TERMS = 64,
    IG_PLAN_PAIRS = IG_ATOMS * (IG_ATOMS + 1) / 2,
    IG_PLAN_SLOTS = IG_ATOMS * IG_ATOMS,
    IG_PLAN_SHARED = 32, /* operands of terms of the batch */
    IG_PLAN_PARTS = 32   /* dot products that one term's |A|², … is made of */
};

/* A weighted sum of dot products: Σ factor[i] · dots[pair[i]]. */
typedef struct ig_quadratic {
    size_t parts;
    uint8_t pair[IG_PLAN_PARTS];
    double factor[IG_PLAN_PARTS];
} ig_quadratic;

/* Where one term's slopes go: C[slot] += aa·s_aa + ab·s_ab + bb·s_bb. */
typedef struct ig_slope_share {
    uint8_t slot;
    double aa, ab, bb;
} ig_slope_share;

typedef struct ig_plan_term {
    const ig_term *term;
    double weight; /* W; the objective's, until it is changed between two epochs */
    bool on;       /* false: struck out, as if the line were not there */
    double coefficient[2][IG_ATOMS]; /* a_k, b_k by base */
    ig_quadratic aa, bb, ab;
    size_t spreads;
    ig_slope_share *spread; /* (spreads) */
    int shared; /* number of its first operand's vector, or −1 for a term of rows */
} ig_plan_term;

/* One entry of C: ∂/∂(base `target`) gets C[slot] · (base `source`). */
typedef struct ig_slot {
    uint8_t target;
    uint8_t source;
} ig_slot;

typedef struct ig_plan {
    size_t bases;           /* V */
    uint8_t base[IG_ATOMS]; /* (V) the atom of each base */
    bool trained[IG_ATOMS]; /* (V) bases that weights produce */

    size_t pairs;                                      /* P */
    uint8_t left[IG_PLAN_PAIRS], right[IG_PLAN_PAIRS]; /* bases */

    size_t slots; /* S */
    ig_slot slot[IG_PLAN_SLOTS];

    size_t terms; /* T */
    ig_plan_term *term;
    size_t shared; /* operands of terms of the batch */
    ig_arena arena;
} ig_plan;

/* Compile an objective, which must outlive the plan. IG_OK, IG_NOMEM or IG_VALUE (too
 * many terms of the batch). A plan depends on no sizes. */
ig_status ig_plan_make(ig_plan *plan, const ig_objective *objective, ig_error *error);

void ig_plan_free(ig_plan *plan);

#endif
