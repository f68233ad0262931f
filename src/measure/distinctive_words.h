/* Words of texts, and which of them are distinctive of a group of texts.
 *
 * A word is a run of letters (Unicode categories L and M), in lower case; a run of
 * Chinese or Japanese characters, which are written without spaces, is its pairs of
 * adjacent characters. Every punctuation character (category P) is a term too. Legend:
 * T texts, V terms. */
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
    bool *punctuation;  /* (V) */
    uint32_t *token;    /* (tokens) terms, text after text */
    size_t *first;      /* (texts + 1) first token of a text */
    size_t capacity[3]; /* of token, first and punctuation */
} ig_corpus;

/* Append a text. IG_OK or IG_NOMEM. O(length). */
ig_status ig_corpus_add(ig_corpus *words, const char *text, ig_error *error);
void ig_corpus_free(ig_corpus *words);

/* Class-based TF-IDF with the BM25 weight of rarity: of term t in a class c,
 * √tf(t, c) · log(1 + (A − f(t) + ½) / (f(t) + ½)), tf its share of the tokens of the
 * class, f its count in all classes, A the mean number of tokens of a class. Frequent
 * words, as pronouns are, weigh less by the root; those more frequent than A score
 * below 0 [Grootendorst 2022, reduce_frequent_words and bm25_weighting].
 *   in, all  in   (V) counts in the class and in all classes together
 *   classes  in   their number
 *   score    out  (V) */
void ig_corpus_tfidf(const uint32_t *in, const uint32_t *all, size_t terms,
                     size_t classes, double *score);

/* Log-odds ratio of each term in a group against the rest, with an informative
 * Dirichlet prior, as z-scores: δ / σ, [Monroe et al. 2008, eq. 16, 20, 22]
 *   δ = log((y + α) / (n + α0 − y − α)) − log((y' + α) / (n' + α0 − y' − α))
 *   σ² = 1 / (y + α) + 1 / (y' + α)
 * y and y' the counts of the term in the group and in the rest, n and n' their sums;
 * α = α0 · (y + y') / (n + n').
 *   in, all  in   (V) counts in the group, and in group and rest together
 *   z        out  (V) 0 for terms that are nowhere, or if group or rest is empty */
enum { IG_CORPUS_PRIOR = 500 }; /* α0, tokens */
void ig_corpus_log_odds(const uint32_t *in, const uint32_t *all, size_t terms,
                        double *z);

/* The |z| above which one of n terms is significant at 5%, two-sided, by Bonferroni's
 * correction. */
double ig_corpus_significant(size_t terms);

#endif
