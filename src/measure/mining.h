/* Bitext mining as BUCC scores it [bucc], by margin scores [margin]: which rows of two
 * languages mean the same, when nobody says which have a partner at all (METHODS.md).
 *
 * Each row proposes the one of its k = 4 nearest rows of the other language with the
 * greatest margin ratio; of all proposals, best first, those are kept whose rows are
 * both still free. What is kept above a threshold is mined. The threshold is the one
 * of the greatest F1 over every other meaning that both languages have, and what is
 * told is of the others. Rows without a partner are candidates, too. */
#ifndef MEASURE_MINING_H
#define MEASURE_MINING_H

#include "measure/family.h"

/* Two languages. What is counted is of the tested half. */
typedef struct ig_mining_pair {
    uint16_t lang[2];           /* lang[0] < lang[1] */
    size_t rows[2], partner[2]; /* candidates, and those that have a partner: all */
    size_t gold, mined, right;  /* pairs to be found, mined, and those of both */
    double threshold;           /* least margin ratio; ∞: nothing was worth mining */
    double f1, precision, recall; /* NaN, precision also where nothing is mined */
    size_t first;                 /* its items */
    const char *reason;           /* why there is no F1, or NULL; static */
} ig_mining_pair;

/* A pair that was mined, or one that was to be found: F1 is the mean of `right` over
 * both, precision and recall over the ones and the others. */
typedef struct ig_mining_item {
    uint32_t row; /* of the source, in the lower language */
    bool mined, right;
} ig_mining_item;

/* A zeroed struct may be freed. */
typedef struct ig_mining {
    size_t count;                 /* two languages that have pairs */
    ig_mining_pair *pair;         /* (count) by (lang[0], lang[1]) */
    double f1, precision, recall; /* means over those that have one; NaN */
    double f1_chance, precision_chance, recall_chance; /* of a random choice of partners
                                                          for all that can have one */
    size_t lone; /* candidates without a partner, over all pairs of languages, … */
    size_t candidates; /* … of so many */
    size_t items;
    ig_mining_item *item; /* (items) by pair */
    const char *reason;   /* why there are no figures, or NULL; static */
} ig_mining;

/* Mine a subject's rows for each two languages that its pairs name (family.h: pairs,
 * some, some_row, lang, meaning, retrieval). IG_OK, IG_NOMEM or IG_INTERRUPTED; *mining
 * is empty unless IG_OK. Where all rows of two languages are paired with one another,
 * and `retrieval` is there, its picks are the proposals; else 2·rows·rows·d flops. */
ig_status ig_mining_measure(ig_mining *mining, const ig_measure_input *in,
                            ig_error *error);

void ig_mining_free(ig_mining *mining);

extern const ig_family ig_mining_family;

#endif
