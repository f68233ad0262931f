/* Extractors split an embedding e into a meaning m(e) and a language l(e) embedding
 * (METHODS.md §2). Weights are one block of floats described by one table, in [out][in]
 * order like a PyTorch Linear. Legend: d dims, K languages, n rows. */
#ifndef LEARN_EXTRACTOR_H
#define LEARN_EXTRACTOR_H

#include <stdbool.h>

#include "base/random.h"
#include "learn/objective.h"
#include "linear/rows.h"

typedef enum ig_space {
    IG_SPACE_ORIGINAL,
    IG_SPACE_MEANING,
    IG_SPACE_LANGUAGE,
    IG_SPACES
} ig_space;

/* "original", "meaning", "language". */
const char *ig_space_name(ig_space space);

/* One array of the block. */
typedef struct ig_parameter {
    const char *name; /* "meaning.weight": the file is NAME.npy */
    size_t rows;
    size_t cols;   /* 0: a vector of `rows` floats */
    size_t offset; /* floats from the start of the block */
} ig_parameter;

enum { IG_PARAMETERS_MAX = 8 };

typedef struct ig_extractor {
    ig_extractor_kind kind;
    size_t dims;      /* d: of the rows it reads */
    size_t width;     /* of the meanings it gives: d, but for `head` its output */
    size_t hidden;    /* of `head`: its hidden width */
    size_t rank;      /* of `lir`: the directions of a language */
    size_t languages; /* K, whose blocks the weights have, or the classifier */
    bool normalize;   /* rows are scaled to unit length before anything else */
    size_t parameters;
    ig_parameter parameter[IG_PARAMETERS_MAX];
    size_t size;     /* floats in the block */
    float *weights;  /* (size); twin: both weight matrices first, one (2d, d) block */
    long classifier; /* offset of the language classifier's (K, width) weights, its K
                        biases behind them, the last in the block; −1: has none */
} ig_extractor;

/* What decides the layout. */
typedef struct ig_extractor_shape {
    ig_extractor_kind kind;
    size_t dims;
    size_t languages; /* of what there is for each, and of the classifier */
    bool classifier;  /* the objective identifies or confuses languages */
    size_t hidden;    /* of `head`; 0: d */
    size_t output;    /* of `head`; 0: 256, or d if smaller */
    size_t rank;      /* of `lir`; 0: 1 */
} ig_extractor_shape;

enum { IG_HEAD_OUTPUT = 256 };

/* Lay out an extractor with its weights zero. IG_OK or IG_NOMEM. */
ig_status ig_extractor_init(ig_extractor *extractor, ig_extractor_shape shape,
                            ig_error *error);

/* A copy with a block of its own. */
ig_status ig_extractor_copy(ig_extractor *to, const ig_extractor *from,
                            ig_error *error);

/* What the weights have for one language: `count` floats from `offset` on for each of
 * `languages` in turn. */
typedef struct ig_language_block {
    size_t offset, count, languages;
} ig_language_block;

/* The blocks by language of an extractor, at most 4, into `out`: how many. Where there
 * is one more than K, the last is for languages that are not known. */
size_t ig_extractor_language_blocks(const ig_extractor *extractor,
                                    ig_language_block out[4]);

/* Release the block; a zeroed struct is accepted. */
void ig_extractor_free(ig_extractor *extractor);

/* Weights and biases uniform in ±1/sqrt(fan_in) (METHODS.md §2). */
void ig_extractor_randomize(ig_extractor *extractor, ig_random *random);

/* Whether the extractor has this space (identity and head: no language). */
bool ig_extractor_serves(const ig_extractor *extractor, ig_space space);

/* Whether its language embeddings are what the meanings leave of the vectors, e − m(e),
 * as they are read. */
bool ig_extractor_leaves(const ig_extractor *extractor);

/* A space as a linear image of the originals: W (d, d), b (d), and whether it is
 * e − (W e + b). False when it is not one for all rows alike (what a language has of
 * its own, normalised rows; original itself). */
bool ig_extractor_linear(const ig_extractor *extractor, ig_space space, ig_matrix *w,
                         const float **b, bool *residual);

/* The rows of a space as a source (linear/rows.h): computed by the tile from the rows
 * of `originals`. The struct is the context; it, the extractor, the originals and
 * `lang` must outlive the source. */
typedef struct ig_space_rows {
    const ig_extractor *extractor;
    ig_space space;
    const ig_rows *originals;
    const uint16_t *lang; /* (N), < K; what is fitted by language needs it */
} ig_space_rows;
ig_rows ig_rows_of_space(ig_space_rows *context);

/* The head's two layers, before the unit scale (METHODS.md §2):
 * hidden = max(0, W1 e + b1), out = W2 hidden + b2.
 *   e (n, d)   hidden out (n, hidden)   out out (n, width), not yet of length 1
 * 2·n·hidden·(d + width) flops. [struct] */
void ig_extractor_head(const ig_extractor *extractor, ig_matrix e, ig_matrix hidden,
                       ig_matrix out);

#endif
