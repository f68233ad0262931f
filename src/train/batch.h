/* A mini-batch: rows, products of the layers, terms, products back.
 *
 * Every operand is a sum of *bases*, at most twelve: x, x', y, y' and their m and l
 * (for `residual`, l = x − m needs no base). A term of rows is a function of dot
 * products: for each pair one loop computes the Gram matrix G of its bases v, values
 * and slopes S by G; another each row's gradient by its own pair and as a partner:
 *
 *     A = Σ a_k v_k,  <A,B> = Σ a_k b_l G_kl,  S_kl = Σ_terms slope a_k b_l,
 *     ∂/∂v_k = Σ_l (S_kl + S_lk) v_l
 *
 * A term of the batch (cluster, contrast, …) then adds the gradients by its operands.
 *
 * Rows are stacked: first the x of the pairs, then the y. A batch may be a process's
 * share of a larger one (core/comm.h): values and gradients are partial sums, and
 * partner rows of other processes (ghosts) follow the process's own rows.
 *
 * Legend: B pairs, n stacked rows (2B and ghosts), d dims of the originals, w width of
 * a space (d, but for `head`), o outputs (1 or 2: meaning, language), K languages, T
 * terms, V bases. */
#pragma once

#include "core/pool.h"
#include "data/dataset.h"
#include "train/extractor.h"

/* cos(A,B) = <A,B> / sqrt((|A|²+ε)(|B|²+ε)), METHODS.md §1. */
#define IG_COS_EPS 1e-12

/* An operand: Σ factor[i] · base[i]. */
typedef struct ig_combination {
    size_t n;
    uint8_t base[4];
    float factor[4];
} ig_combination;

/* y = x Wᵀ + b; weights (out, in) and biases (out) are offsets in the block. */
typedef struct ig_layer {
    size_t in, out, weight, bias;
    float *x; /* (n, in) */
    float *y; /* (n, out) */
    float *g; /* (n, out) ∂loss/∂y */
} ig_layer;

typedef struct ig_batch {
    const ig_dataset *set;
    const ig_objective *objective; /* its weights may be edited between epochs */
    ig_extractor *extractor;
    ig_pool *pool;
    size_t width, outputs, languages;
    ig_arena arena;

    /* The objective over the bases. */
    size_t bases;
    uint8_t base[IG_ATOMS];       /* (V) atom of each base */
    int of[IG_ATOMS];             /* base of each atom, or −1 */
    ig_combination (*operand)[2]; /* (T) */
    size_t dots;                  /* elements of G that terms of rows need, … */
    uint8_t left[IG_ATOMS * IG_ATOMS], right[IG_ATOMS * IG_ATOMS]; /* … of bases */
    bool partners; /* a base is m or l of a partner */
    bool grouped;  /* there are terms of the batch, … */
    bool squares;  /* … with work (4, B, B) */

    /* The rows, set by the trainer. */
    size_t size;       /* B */
    size_t whole;      /* pairs of the whole batch; with one process: B */
    size_t rows;       /* n */
    size_t epoch;      /* 1-based; terms with a later from= are off */
    uint32_t *row;     /* (n) of the dataset */
    uint32_t *meaning; /* (n) rows with equal numbers are translations */
    uint32_t *partner; /* (2B) stacked row of each row's partner */

    size_t layers; /* 1; `head`: 2, then scaled to unit norm */
    ig_layer layer[2];
    const ig_layer *current;             /* of a loop over rows or outputs */
    float *inverse;                      /* (n) `head`: 1 / norm before scaling */
    uint32_t *start, *user;              /* rows with partner r: user[start[r]], … */
    double (*slope)[IG_ATOMS][IG_ATOMS]; /* (B) S of each pair */
    double *value;                       /* (B, T) of terms of rows */
    float *gradient; /* (weights) ∂loss/∂W, in the extractor's layout */

    /* Of a term of the batch. */
    float *z, *dz;     /* (2, B, w) operands, and the weighted gradients by them */
    float *work;       /* (4, B, B) or (B, K) logits */
    float *sum;        /* (K, w) */
    size_t *count;     /* (K) */
    double *row_value; /* (B) each row's contribution */
} ig_batch;

/* Prepare batches of at most `capacity` pairs, and `ghosts` rows of other processes.
 * All must outlive it. IG_OK or IG_NOMEM; free it in any case. */
ig_status ig_batch_init(ig_batch *batch, const ig_dataset *set,
                        const ig_objective *objective, ig_extractor *extractor,
                        size_t capacity, size_t ghosts, ig_pool *pool, ig_error *error);
void ig_batch_free(ig_batch *batch);

/* Whether an enabled term uses the classifier in this way (IG_TRAINS_CLASSIFIER, …). */
bool ig_batch_uses_classifier(const ig_batch *batch, int how);

/* Gather the rows and compute the layers. 2·n·w·d flops for each output. */
void ig_batch_forward(ig_batch *batch);

/* The discriminator's own step: the gradient of the cross-entropy of every `confuse`
 * operand against its language, added to batch->gradient. [meat] */
void ig_batch_discriminate(ig_batch *batch);

/* Values of the terms (METHODS.md §3; unweighted, NaN: disabled), summed in a fixed
 * order, and with `gradients` all by the outputs. Returns the loss, a weighted sum. */
double ig_batch_terms(ig_batch *batch, bool gradients, double *value);

/* batch->gradient of all layers. Flops of forward for each, twice for the second. */
void ig_batch_backward(ig_batch *batch);

/* A term of the batch at work (batch_terms.c). */
typedef struct ig_group {
    ig_batch *batch;
    const ig_term *term;
    const ig_combination *operand;
    bool gradients, back;
    bool discriminates;    /* the discriminator's step of a `confuse` term */
    double weight;         /* W times the process's share of the batch */
    ig_matrix z[2], dz[2]; /* (B, w) operands, two adjacent; gradients are added */
    double (*row)(const struct ig_group *group, size_t i); /* of a loop over rows */
} ig_group;
