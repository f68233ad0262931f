/* Words of texts, and which of them are distinctive of a group of texts.
 *
 * A word is a run of letters (Unicode categories L and M), in lower case; a run of
 * Chinese or Japanese characters, which are written without spaces, is its pairs of
 * adjacent characters. Legend: T texts, V terms. */
#ifndef MEASURE_DISTINCTIVE_WORDS_H
#define MEASURE_DISTINCTIVE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "data/names.h"

/* Zeroed: no texts. */
typedef struct ig_corpus {
    size_t texts, tokens;
    ig_names term;      /* (V) UTF-8, by first appearance */
    uint32_t *token;    /* (tokens) terms, text after text */
    size_t *first;      /* (texts + 1) first token of a text */
    size_t capacity[2]; /* of token and first */
} ig_corpus;

/* Append a text. IG_OK or IG_NOMEM. */
ig_status ig_corpus_add(ig_corpus *words, const char *text, ig_error *error);
void ig_corpus_free(ig_corpus *words);

/* Log-odds ratio of each term in a group against the rest, with an informative
 * Dirichlet prior, as z-scores: δ / σ, [Monroe et al. 2008, eq. 16, 20, 22]
 *   δ = log((y + α) / (n + α0 − y − α)) − log((y' + α) / (n' + α0 − y' − α))
 *   σ² = 1 / (y + α) + 1 / (y' + α)
 * y and y' the counts of the term in the group and in the rest, n and n' their sums;
 * α = α0 · (y + y') / (n + n').
 *   in, all  in   (V) counts in the group, and in group and rest together
 *   z        out  (V) 0 for terms that are nowhere, or if group or rest is empty */
enum { IG_CORPUS_PRIOR = 500 };   /* α0, tokens */
#define IG_CORPUS_SIGNIFICANT 3.3 /* z of a distinctive term */
void ig_corpus_log_odds(const uint32_t *in, const uint32_t *all, size_t terms,
                        double *z);

#endif
