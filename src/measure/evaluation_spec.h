/* The evaluation spec: which measures are computed, of which rows and pairs. */
#ifndef MEASURE_EVALUATION_SPEC_H
#define MEASURE_EVALUATION_SPEC_H

#include "data/scores.h"
#include "measure/figure.h"

/* The measured pairs, of rows of the dataset. */
typedef struct ig_retrieval_pairs {
    const uint16_t *lang; /* (N) language of each row, < languages; NULL: one */
    size_t languages;
    const uint32_t *left, *right; /* (pairs) retrieval ignores pairs within one
                                     language */
    const uint32_t *group;        /* (pairs) number of the meaning, where rows have no
                                     ids; a row takes that of its first pair; or NULL */
    size_t pairs;
} ig_retrieval_pairs;

/* Owns nothing. Legend: N rows of the source, which are those of the dataset. */
typedef struct ig_evaluation_spec {
    unsigned measures;   /* IG_MEASURE_… */
    const uint32_t *row; /* (rows) those to measure, ascending; NULL: all */
    size_t rows;
    const uint32_t *id; /* (N) or NULL. Probes are fitted on even ones, tested on odd */
    ig_retrieval_pairs pairs;
    const ig_label *label;       /* (N) labels to transfer, or NULL … */
    size_t pivot;                /* … and the language in which they are learned */
    const ig_scores *scores;     /* or NULL */
    const char *const *language; /* (languages) names, or NULL */
    const uint8_t *unseen; /* (languages) 1: the space was not trained on it; or NULL */
    const ig_rows *const *part; /* (spaces) the rows in each, where the meanings are
                                   measured and both parts of the rows are known; or
                                   NULL: no reversibility */
    const ig_rows *other;       /* (N) the rows in another run or version, or NULL */
    uint64_t seed;
    bool rest;       /* fit probes on the rows that are not measured, if they are at
                        least half as many */
    bool intervals;  /* compute intervals */
    bool neighbours; /* keep the nearest rows of each (pool) */
    size_t sample;   /* approximate number of rows that are queries, drawn by meaning;
                        0: all */
} ig_evaluation_spec;

/* What groups of measures need. */
enum {
    IG_NEEDS_ROWS = 1,
    IG_NEEDS_PAIRS = 2,
    IG_NEEDS_SCORES = 4,
    IG_NEEDS_REST = 8,   /* the rows that are not measured, if the spec has them */
    IG_NEEDS_PARTS = 16, /* the vectors and both of their parts */
    IG_NEEDS_LABELS = 32,
    IG_NEEDS_OTHER = 64,     /* parts, or the rows in another run */
    IG_NEEDS_ALL_PAIRS = 128 /* a scan of all pairs of rows */
};

#endif
