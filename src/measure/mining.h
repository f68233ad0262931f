/* Bitext mining as BUCC scores it [bucc], by margin scores [margin]: which rows of two
 * languages are translations, if it is unknown which have a partner (METHODS.md).
 *
 * Each row proposes the one of its k = 4 nearest rows of the other language with the
 * greatest margin ratio; proposals are accepted greedily, best first, while both rows
 * are free. Accepted pairs above a threshold are mined. The threshold maximises F1 on
 * one half of the shared meanings; figures are those of the other half. Rows without a
 * partner are candidates, too. */
#ifndef MEASURE_MINING_H
#define MEASURE_MINING_H

#include "measure/measure_group.h"

/* Two languages. What is counted is of the tested half. */
typedef struct ig_mining_pair {
    uint16_t lang[2];             /* lang[0] < lang[1] */
    size_t rows[2], partner[2];   /* candidates, and those that have a partner: all */
    size_t gold, mined, right;    /* pairs to be found, mined, and those of both */
    double threshold;             /* minimum ratio margin; ∞: no pair is mined */
    double f1, precision, recall; /* NaN, precision also where nothing is mined */
    const char *reason;           /* why there is no F1, or NULL; static */
} ig_mining_pair;

/* A zeroed struct may be freed. */
typedef struct ig_mining {
    size_t count;                 /* two languages that have pairs */
    ig_mining_pair *pair;         /* (count) by (lang[0], lang[1]) */
    double f1, precision, recall; /* means over those that have one; NaN */
    double f1_chance, precision_chance, recall_chance; /* of a random choice of partners
                                                          for all that can have one */
    size_t lone; /* candidates without a partner, over all pairs of languages, … */
    size_t candidates;  /* … of so many */
    const char *reason; /* why there are no figures, or NULL; static */
} ig_mining;

/* Mine the rows for each two languages that have pairs (input: pairs, some, some_row,
 * lang, meaning, retrieval). IG_OK, IG_NOMEM or IG_INTERRUPTED; *mining is empty unless
 * IG_OK. Where all rows of two languages are paired with one another, and `retrieval`
 * is there, its picks are the proposals; else 2·rows·rows·d flops. */
ig_status ig_mining_measure(ig_mining *mining, const ig_measure_input *in,
                            ig_error *error);

void ig_mining_free(ig_mining *mining);

/* What rows of two languages each pick, found in a pass over all pairs of rows. A
 * zeroed struct may be freed; do not move it while the pass runs. */
typedef struct ig_mining_picks {
    const ig_pair_pass *pass;
    size_t *first; /* (languages, languages) of lower and higher: where the picks of
                       the lower one's rows begin, and behind them the other's */
    uint8_t
        *found; /* (languages, languages) 1: they are found, 2: and nearly all tie */
    uint32_t *pick; /* place within the other language … */
    float *ratio;   /* … and its margin ratio */
} ig_mining_picks;

/* Observe a pass by languages over the rows that are mined. IG_OK or IG_NOMEM. */
ig_status ig_mining_observe(ig_mining_picks *picks, ig_pair_pass *pass,
                            ig_error *error);

void ig_mining_picks_free(ig_mining_picks *picks);

extern const ig_measure_group ig_mining_group;

#endif
