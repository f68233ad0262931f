/* Human similarity scores of row pairs (STS, quality estimation): --scores FILE. */
#ifndef DATA_SCORES_H
#define DATA_SCORES_H

#include "data/set.h"

/* A zeroed struct may be freed. */
typedef struct ig_scores {
    size_t count;
    uint32_t *left, *right; /* (count) rows of the set */
    double *score;          /* (count) finite */
    size_t pairs;           /* kinds of pairs ("en-de"); 0: there is no such column */
    const char **pair_name; /* (pairs) by first appearance */
    uint32_t *pair;         /* (count) which, or NULL */
} ig_scores;

/* Read a table with the columns left, right, score and optionally pair; rows are those
 * of the set, counted from 0. Or sentences in their place, which are texts of rows: the
 * columns sentence1, sentence2, score, or lines without a header, two sentences and a
 * score with tabs between them, also as the STS benchmark has them. A row that does not
 * exist, a score that is no finite number, a missing column: IG_FORMAT or IG_VALUE with
 * file, line and both facts. */
ig_status ig_scores_read(ig_scores *scores, const ig_set *set, const char *path,
                         ig_error *error);

/* Leave only those whose rows are both marked 1 (rows of the set): a split's. */
void ig_scores_keep(ig_scores *scores, const uint8_t *mark);

/* A copy with arrays of its own; names are shared with `from`, which must outlive it.
 * IG_OK or IG_NOMEM. */
ig_status ig_scores_copy(ig_scores *to, const ig_scores *from, ig_error *error);

void ig_scores_free(ig_scores *scores);

#endif
