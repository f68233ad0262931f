/* Extractors split an embedding e into a meaning m(e) and a language l(e) (METHODS.md
 * §2). Weights are one block of floats described by one table, in [out][in] order like
 * a PyTorch Linear. Legend: d dims, K languages, n rows. */
#pragma once

#include <stdbool.h>

#include "core/file.h"
#include "core/pool.h"
#include "core/random.h"
#include "core/rows.h"
#include "data/pairs.h"
#include "train/objective.h"

typedef enum ig_space {
    IG_SPACE_ORIGINAL,
    IG_SPACE_MEANING,
    IG_SPACE_LANGUAGE,
    IG_SPACES
} ig_space;

const char *ig_space_name(ig_space space); /* "original", … */

/* One array of the block. */
typedef struct ig_parameter {
    const char *name; /* "meaning.weight": the file is NAME.npy */
    size_t rows;
    size_t cols;   /* 0: a vector of `rows` floats */
    size_t offset; /* floats from the start of the block */
    /* Equal parts by language, K or with one for unknown ones; 0: not by language. */
    size_t blocks;
} ig_parameter;

enum { IG_PARAMETERS_MAX = 8 };

typedef struct ig_extractor {
    /* The layout: what ig_extractor_init reads. */
    ig_extractor_kind kind;
    size_t dims;      /* d: of the rows it reads */
    size_t languages; /* K, of blocks per language or the classifier */
    bool classifies;  /* the objective uses identify or confuse */
    size_t width;  /* dimensions of the meanings: d; of `head`, or 0: 256, d if less */
    size_t hidden; /* of `head`: its hidden width, or 0: d */
    size_t rank;   /* of `lir`: the directions of a language, or 0: 1 */

    bool normalize; /* rows are scaled to unit length before anything else */
    float strength; /* a: the spaces are (1 − a) e + a m(e) and the rest of e; 1: as
                       trained */
    char name[IG_SPACES][128]; /* of rows in messages (core/rows.h) */
    size_t parameters;
    ig_parameter parameter[IG_PARAMETERS_MAX];
    size_t size;       /* floats in the block */
    float *weights;    /* (size); twin: both weight matrices first, one (2d, d) block */
    size_t classifier; /* offset of the language classifier: weights (K, width), then K
                          biases, last in the block; size: none */
} ig_extractor;

enum { IG_HEAD_OUTPUT = 256 };

/* Complete the layout, with zero weights and strength 1; set the strength, and the run
 * for messages. IG_OK, IG_NOMEM, IG_VALUE: meanings of another width than the rows. */
ig_status ig_extractor_init(ig_extractor *extractor, ig_error *error);
ig_status ig_extractor_strengthen(ig_extractor *extractor, double strength,
                                  const char *run, ig_error *error);

/* Deep copy; free the weights, also of a zeroed struct; parameter by name, or NULL. */
ig_status ig_extractor_copy(ig_extractor *to, const ig_extractor *from,
                            ig_error *error);
void ig_extractor_free(ig_extractor *extractor);
const ig_parameter *ig_extractor_find(const ig_extractor *extractor, const char *name);

/* Weights and biases uniform in ±1/sqrt(fan_in) (METHODS.md §2). */
void ig_extractor_randomize(ig_extractor *extractor, ig_random *random);

/* Whether the extractor has this space (identity and head: no language). */
bool ig_extractor_serves(const ig_extractor *extractor, ig_space space);

/* A space as a linear image of the originals `of`. None (its `of` is NULL) if it is not
 * one map for all rows (blocks per language, normalised rows, a strength), and for the
 * original space. */
ig_image ig_extractor_image(const ig_extractor *extractor, ig_space space,
                            const ig_rows *of);

/* Rows of a space as a source (core/rows.h), computed tile by tile from `originals`.
 * The struct is the context: it, extractor, originals and `lang` outlive the source. */
typedef struct ig_space_rows {
    const ig_extractor *extractor;
    ig_space space;
    const ig_rows *originals;
    const uint16_t *lang; /* (N), < K; for extractors with blocks per language */
} ig_space_rows;
ig_rows ig_rows_of_space(ig_space_rows *context);

/* --- weights in directories: .npy files, also of PyTorch's weights ---------------- */

/* Complete the layout (ig_extractor_init) and read the weights. The widths of a `head`
 * and the rank of a basis are those of the files. IG_IO (a file is missing), IG_SHAPE
 * (names both shapes) or IG_VALUE (not finite); empty on failure. */
ig_status ig_weights_load(ig_extractor *extractor, const char *directory,
                          ig_error *error);

/* Write the weights into a new directory. Returns as ig_writer_end. */
ig_status ig_weights_write(const ig_extractor *extractor, const ig_dir *dir,
                           ig_error *error);

/* Copy an extractor for a dataset, with the blocks per language in its order; an
 * unknown language gets the block for such, or without one the mean of the known ones.
 *   language  in   (from->languages) those that it was fitted on
 *   dims      in   of the rows that it is for: the dataset's, or its first columns
 *   unknown   out  number of the dataset's languages that are not among them; 0 if the
 *                  extractor treats these like others
 * IG_OK, IG_SHAPE (other dimensions) or IG_NOMEM; empty on failure. */
ig_status ig_extractor_adapt(ig_extractor *extractor, const ig_extractor *from,
                             const char *const *language, const ig_dataset *set,
                             size_t dims, size_t *unknown, ig_error *error);
