/* Human similarity scores of row pairs (STS, quality estimation), from --scores
 * FILE. */
#ifndef DATA_SCORES_H
#define DATA_SCORES_H

#include "data/dataset.h"
#include "data/names.h"

/* A zeroed struct may be freed. */
typedef struct ig_scores {
    size_t count;
    uint32_t *left, *right; /* (count) rows of the set */
    double *score;          /* (count) finite */
    bool labelled;          /* pairs with scores from `positive` on are positive */
    double positive;
    size_t pairs;           /* kinds of pairs ("en-de"); 0: none */
    const char **pair_name; /* (pairs) by first appearance */
    uint32_t *pair;         /* (count) which, or NULL */
    const uint32_t *item;   /* (count) the connected item of each, not owned
                               (measure/embeddings.h), or NULL: each pair is one */
    size_t items;
    ig_arena memory; /* of the arrays; `kinds` owns the names */
    ig_names kinds;
} ig_scores;

/* Read scores from the files path[0 …], ended by NULL: tables with columns left, right,
 * score and optionally pair, with 0-based rows of the dataset; or sentences that are
 * texts of rows, as columns sentence1, sentence2, score, or original, translation,
 * z_mean. Without the column pair, the pairs of two languages are a kind; in a dataset
 * of one language, of several files each.
 *   column  in  name of the column with the scores, or NULL
 * IG_FORMAT or IG_VALUE, naming file and line: an unknown row, a score that is not
 * finite, a missing column. */
ig_status ig_scores_read(ig_scores *scores, const ig_dataset *set,
                         const char *const *path, const char *column, ig_error *error);

void ig_scores_free(ig_scores *scores);

#endif
