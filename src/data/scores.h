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
    const char **pair_name; /* (pairs) by first appearance; of … */
    ig_names kinds;         /* … the scores that were read */
    uint32_t *pair;         /* (count) which, or NULL */
    const uint32_t *item;   /* (count) the connected item of each (measure/items.h), or
                               NULL: each pair is one; not owned */
    size_t items;
} ig_scores;

/* Read scores: a table with columns left, right, score and optionally pair, with
 * 0-based rows of the dataset; or sentences that are texts of rows, as columns
 * sentence1, sentence2, score or as lines of two sentences and a score separated by
 * tabs (also in the format of the STS benchmark). Without the column pair, the pairs of
 * two languages are a kind, unless the dataset has one language. IG_FORMAT or IG_VALUE,
 * naming file and line: an unknown row, a score that is not finite, a missing
 * column. */
ig_status ig_scores_read(ig_scores *scores, const ig_dataset *set, const char *path,
                         ig_error *error);

/* Keep only scores whose rows are both marked 1; mark: (rows of the dataset). */
void ig_scores_keep(ig_scores *scores, const uint8_t *mark);

/* Copy the arrays; names are shared with `from`, which must outlive the copy. IG_OK or
 * IG_NOMEM. */
ig_status ig_scores_copy(ig_scores *to, const ig_scores *from, ig_error *error);

void ig_scores_free(ig_scores *scores);

#endif
