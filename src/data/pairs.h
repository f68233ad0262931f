/* Parallel pairs (rows that are translations), and their split in three. */
#pragma once

#include "core/memory.h"
#include "data/dataset.h"
#include "data/names.h"

/* Pairs of rows of the dataset. A zeroed struct may be freed. */
typedef struct ig_pairs {
    size_t count;
    uint32_t *left, *right;
    uint32_t *group; /* (count) meaning of each pair, < groups */
    size_t groups;
    bool given;      /* read from a file instead of derived from ids */
    ig_arena memory; /* of the arrays */
} ig_pairs;

/* Make pairs with room for `count`. IG_OK or IG_NOMEM. */
ig_status ig_pairs_allocate(ig_pairs *pairs, size_t count, ig_error *error);

/* What is measured unless the user chooses: pairs of all languages; of more than 100,
 * too many to read, those with the pivot. */
static inline const char *ig_pairing_usual(const ig_dataset *set)
{
    return set->languages > 100 ? "pivot" : "all";
}

/* Derive pairs from equal ids in different languages (train/METHODS.md). pairing:
 * "pivot" (default, NULL): the pivot on the left, with every other language; "all":
 * every two languages, lower number on the left; or a list, "en-de,en-ja". An id that
 * occurs several times in a language gives every combination. Order: by id, language,
 * row. IG_VALUE: no ids, no pairs, an unknown language, or too many pairs. */
ig_status ig_pairs_derive(ig_pairs *pairs, const ig_dataset *set, const char *pairing,
                          ig_error *error);

/* Number of the pivot: English, or the language with most rows (ties: lower number). */
size_t ig_pairs_pivot(const ig_dataset *set);

/* Read pairs from a table with columns left,right of 0-based rows. */
ig_status ig_pairs_read(ig_pairs *pairs, const ig_dataset *set, const char *path,
                        ig_error *error);

/* FNV-1a over the rows of all pairs, to compare the pairs of runs. */
uint64_t ig_pairs_checksum(const ig_pairs *pairs);

void ig_pairs_free(ig_pairs *pairs);

/* Parts of a split. */
typedef enum ig_split_part {
    IG_SPLIT_TRAIN,
    IG_SPLIT_VALID,  /* for early stopping */
    IG_SPLIT_HOLDOUT /* test pairs: used neither for training nor for early stopping */
} ig_split_part;

/* A split by meaning: of groups shuffled by the seed, round(fraction · groups), at
 * least one if fraction > 0 and there are two or more, become the validation part, then
 * likewise the test part. No translation of a held-out sentence is trained on. */
typedef struct ig_split {
    union { /* numbers of pairs, by ig_split_part */
        size_t count[3];
        struct {
            size_t train, valid, holdout;
        };
    };
    uint32_t *pair[3]; /* indices into the pairs, ascending */
    /* (rows of the dataset) 1: rows to evaluate a run on: those of a test group, or of
     * a validation group if there is no test part. */
    uint8_t *held_out;
    ig_arena memory; /* of the arrays */
} ig_split;

/* Split the pairs. valid, holdout: fractions in [0, 1), sum below 1; 0: none. */
ig_status ig_split_make(ig_split *split, const ig_dataset *set, const ig_pairs *pairs,
                        double valid, double holdout, uint64_t seed, ig_error *error);

/* Set mark (rows of the dataset) to 1 for the rows of a part, those of its pairs and
 * those that share an id with them, else 0. IG_OK or IG_NOMEM. */
ig_status ig_split_mark(const ig_split *split, const ig_dataset *set,
                        const ig_pairs *pairs, ig_split_part part, uint8_t *mark,
                        ig_error *error);

void ig_split_free(ig_split *split);

/* Human similarity scores of row pairs (STS, quality estimation), from --scores FILE.
 * A zeroed struct may be freed. */
typedef struct ig_scores {
    size_t count;
    uint32_t *left, *right; /* (count) rows of the set */
    double *score;          /* (count) finite */
    bool labelled;          /* pairs with scores from `positive` on are positive */
    double positive;
    size_t pairs;   /* kinds of pairs ("en-de"), named by `kinds`; 0: none */
    uint32_t *pair; /* (count) which */
    uint32_t *item; /* (count) the resampling unit of each, not owned
                       (measure/embeddings.h), or NULL: each pair is one */
    size_t items;
    ig_arena memory; /* of the arrays */
    ig_names kinds;
} ig_scores;

/* Read scores from the files path[0 …], ended by NULL: tables with columns left, right,
 * score (or `column`, if it is not NULL) and optionally pair, with 0-based rows; or
 * sentences that are texts of rows, as columns sentence1, sentence2, score, or
 * original, translation, z_mean. Without the column pair, the pairs of two languages
 * are a kind; in a dataset of one language, of several files each. IG_FORMAT or
 * IG_VALUE: an unknown row, a score that is not finite, a missing column. */
ig_status ig_scores_read(ig_scores *scores, const ig_dataset *set,
                         const char *const *path, const char *column, ig_error *error);

/* Fill in item (count), by first appearance, and items: pairs that are connected by
 * shared rows or ids, id (rows), < ids or IG_NO_ID, are one. IG_OK or IG_NOMEM. */
ig_status ig_scores_connect(ig_scores *scores, const uint32_t *id, size_t rows,
                            size_t ids, ig_error *error);

void ig_scores_free(ig_scores *scores);

/* A subset of the meanings, with rows and pairs, on which measures are computed:
 * everything, the held-out ids of a run, or a sample of either. A zeroed struct may be
 * freed. */
typedef struct ig_subset {
    size_t rows, of_rows; /* of_rows: before selection */
    uint32_t *row;        /* (rows) ascending; NULL: all rows of the set */
    size_t pairs;
    uint32_t *left, *right, *group; /* (pairs) */
    size_t meanings, of_meanings;   /* groups with pairs, kept and in total */
    ig_scores scores;               /* zeroed: none; names of the given ones */
    ig_arena memory;                /* of the arrays */
} ig_subset;

/* Largest sizes of a sample, drawn at random; 0: no limit. */
typedef struct ig_subset_limits {
    size_t meanings; /* only rows of their pairs are kept */
    size_t rows;     /* pairs are unchanged */
} ig_subset_limits;

/* Select pairs and scores (or NULL; they must outlive it) with both rows marked 1 by
 * `only` (rows of the dataset), and marked rows without pairs; NULL: all rows. IG_OK
 * (also without pairs) or IG_NOMEM. */
ig_status ig_subset_take(ig_subset *subset, const ig_dataset *set,
                         const ig_pairs *pairs, const ig_scores *scores,
                         const uint8_t *only, ig_subset_limits limits, uint64_t seed,
                         ig_error *error);

void ig_subset_free(ig_subset *subset);
