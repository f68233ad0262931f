/* Parallel pairs: which rows are translations of which, and who is held out. */
#ifndef DATA_PAIRS_H
#define DATA_PAIRS_H

#include "data/set.h"

/* count pairs of rows; left and right are rows of the set. */
typedef struct ig_pairs {
    size_t count;
    uint32_t *left;
    uint32_t *right;
    uint32_t *group; /* (count) pairs of one meaning share a number < groups */
    size_t groups;
    bool given;     /* read from a file, in place of what ids say */
    size_t unknown; /* lines of it whose texts no row has */
} ig_pairs;

/* Pairs from equal ids in different languages (learn/METHODS.md).
 * `pairing`: "pivot" (English with every other language, or the most frequent language
 * when there is no English, lower number on a tie; the pivot is on the left), "all"
 * (every two languages, lower language number on the left), or a list such as
 * "en-de,en-ja". NULL is "pivot". An id that occurs several times in a language gives
 * every combination. Order: by id, then language, then row. IG_VALUE when there are no
 * ids, no pairs, an unknown language, or more than 2^31 pairs. */
ig_status ig_pairs_derive(ig_pairs *pairs, const ig_set *set, const char *pairing,
                          ig_error *error);

/* The pivot's number: English, or the language with most rows. */
size_t ig_pairs_pivot(const ig_set *set);

/* Pairs from a file: a table with columns left,right, 0-based rows of the set; or lines
 * of two texts with a tab or a blank between them, as dictionaries have them ("one
 * uno"). Their languages are those that the file's name begins with ("en-es.txt"), else
 * the two that the set has; lines that no rows fit are counted. */
ig_status ig_pairs_read(ig_pairs *pairs, const ig_set *set, const char *path,
                        ig_error *error);

/* FNV-1a over the rows of all pairs: whether two runs had the same ones. */
uint64_t ig_pairs_checksum(const ig_pairs *pairs);

/* Release the arrays; a zeroed struct is accepted. */
void ig_pairs_free(ig_pairs *pairs);

/* Its parts. */
typedef enum ig_split_part {
    IG_SPLIT_TRAIN,
    IG_SPLIT_VALID,  /* for early stopping */
    IG_SPLIT_HOLDOUT /* for what is told in the end: neither of the two has seen it */
} ig_split_part;

/* A split by meaning: groups are shuffled by the seed, round(fraction · groups) of
 * them are for validation, at least one when fraction > 0 and there are two or more,
 * and then likewise those of the holdout, so that no translation of such a sentence is
 * trained on. With and without a holdout the validation is of the same groups. */
typedef struct ig_split {
    size_t train; /* number of training pairs */
    size_t valid;
    size_t holdout;
    uint32_t *train_pair;   /* (train) indices into the pairs, ascending */
    uint32_t *valid_pair;   /* (valid) */
    uint32_t *holdout_pair; /* (holdout) */
    /* (rows of the set) 1: a row of a holdout group, or of a validation group where
     * there is no holdout: those to measure the run on. */
    uint8_t *held_out;
} ig_split;

/* valid, holdout in [0, 1), together less than 1; 0: none. */
ig_status ig_split_make(ig_split *split, const ig_set *set, const ig_pairs *pairs,
                        double valid, double holdout, uint64_t seed, ig_error *error);

/* The part to measure a run on: the holdout, or else the validation. */
ig_split_part ig_split_measured(const ig_split *split);

/* Pairs of a part. */
size_t ig_split_count(const ig_split *split, ig_split_part part);

/* Mark the rows of one part: those of its pairs, and all that share an id with one of
 * them. Rows without pairs are in none.
 *   mark  out  (rows of the set) 1: in that part, else 0
 * IG_OK or IG_NOMEM. */
ig_status ig_split_mark(const ig_split *split, const ig_set *set, const ig_pairs *pairs,
                        ig_split_part part, uint8_t *mark, ig_error *error);

void ig_split_free(ig_split *split);

#endif
