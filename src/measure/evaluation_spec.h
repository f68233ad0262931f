/* What is measured: the groups of measures, and an evaluation spec, which names the
 * rows and pairs that they are to measure. */
#ifndef MEASURE_EVALUATION_SPEC_H
#define MEASURE_EVALUATION_SPEC_H

#include "data/scores.h"
#include "measure/figure.h"

/* The measured pairs, of rows of the dataset. */
typedef struct ig_retrieval_pairs {
    const uint16_t *lang; /* (N) language of each row, < languages; NULL: one */
    size_t languages;
    const uint32_t *left, *right; /* (pairs) rows; pairs within one language are
                                     ignored */
    const uint32_t *group; /* (pairs) pairs of one meaning share a number; a row means
                              what the first of its pairs does. NULL: rows that pairs
                              join, directly or through others, mean the same */
    size_t pairs;
} ig_retrieval_pairs;

/* The rows and pairs to measure. Owns nothing. */
typedef struct ig_evaluation_spec {
    unsigned measures;   /* IG_MEASURE_… */
    const uint32_t *row; /* (rows) those of groups that need rows, ascending; NULL:
                            all of the source */
    size_t rows;
    const uint32_t *id;       /* (N) of the source's rows, or NULL: even and odd ones
                                 are what the probe is fitted and tested on */
    ig_retrieval_pairs pairs; /* rows are the source's; those of geometry too. Its lang
                                 (N) is also the probe's and the pool's */
    const ig_label *label;    /* column of the source's rows that is transferred, or
                                 NULL: none */
    size_t pivot;             /* the language that it is learned in */
    const ig_scores *scores;  /* or NULL: no similarity; rows are the source's */
    const char *const *language; /* (languages) names, or NULL: rows have none */
    const uint8_t *unseen; /* (languages) 1: the space was not trained on it; or NULL */
    const ig_rows *const *part; /* the source's rows in all spaces, where both parts of
                                   them are known and the meanings are measured; or
                                   NULL: no reversibility */
    const ig_rows *other;       /* the source's rows in another run or version, of any
                                   dims, with which the space is compared; or NULL */
    uint64_t seed;              /* of what is drawn */
    bool rest; /* fit the probe on the other rows of the source, if they are at least
                 half as many as the measured rows */
    bool intervals;  /* keep item values that cost extra work (uniformity, IsoScore);
                       needed for their intervals */
    bool neighbours; /* keep the rows that are nearest to each (pool) */
    size_t sample;   /* approximate number of sampled queries, drawn by meaning; 0:
                       all rows */
    size_t hold;     /* memory for converted rows in bytes; 0: IG_HELD_BYTES. Does not
                    change the figures */
} ig_evaluation_spec;

/* What groups need. */
enum {
    IG_NEEDS_ROWS = 1,
    IG_NEEDS_PAIRS = 2,
    IG_NEEDS_SCORES = 4,
    IG_NEEDS_REST = 8,   /* the rows that are not measured, if asked for */
    IG_NEEDS_PARTS = 16, /* the vectors and both of their parts */
    IG_NEEDS_LABELS = 32,
    IG_NEEDS_OTHER = 64,     /* parts, or the rows in another run */
    IG_NEEDS_ALL_PAIRS = 128 /* a scan of all pairs of rows */
};

/* What the groups need each row for. */
enum {
    IG_ROW_MEASURED = 1, /* also the rows of pairs */
    IG_ROW_SCORED = 2,
    IG_ROW_REST = 4 /* not measured: probes learn from it, if there are at least half as
                       many as measured ones */
};

/* Mark the rows of a source.
 *   needs  in   IG_NEEDS_… of the groups
 *   mark   out  (rows) comes zeroed
 * IG_OK or IG_SHAPE: a row is not there. */
ig_status ig_evaluation_spec_mark(const ig_evaluation_spec *subject, size_t rows,
                                  unsigned needs, uint8_t *mark, ig_error *error);

/* What each row of a source means: rows of one meaning share a number. It is their id;
 * where there are none, the group of their pairs, and without groups what pairs join.
 *   meaning  out  (rows) IG_NO_ID: nothing is known of it
 * O(rows + pairs). */
void ig_evaluation_spec_meanings(const ig_evaluation_spec *subject, size_t rows,
                                 uint32_t *meaning);

/* The meanings of the marked rows, numbered in the order of the rows; a row without any
 * is one by itself.
 *   mark   in   (rows) IG_ROW_MEASURED: the row counts
 *   unit   out  (rows) < units; IG_NO_ID: the row does not count
 * IG_OK or IG_NOMEM. O(rows + pairs). */
ig_status ig_evaluation_spec_number(const ig_evaluation_spec *subject, size_t rows,
                                    const uint8_t *mark, uint32_t *unit, size_t *units,
                                    ig_error *error);

#endif
