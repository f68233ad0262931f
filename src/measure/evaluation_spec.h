/* What is measured: the groups of measures, and an evaluation spec, which names the
 * rows and pairs that they are to measure. */
#ifndef MEASURE_EVALUATION_SPEC_H
#define MEASURE_EVALUATION_SPEC_H

#include "data/dataset.h"
#include "data/subset.h"
#include "measure/measure_group.h"

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

/* The subject of a subset of a set and its pairs: every measure, similarity only with
 * scores (NULL: there are none), whose rows are the set's. The probe learns from the
 * rest of the set where the subset is all held-out (or all training) ids, no sample of
 * them. Nothing is copied. */
ig_evaluation_spec ig_evaluation_spec_of(const ig_dataset *set, const ig_subset *subset,
                                         const ig_scores *scores, uint64_t seed);

/* The groups that can be taken of a subject (without scores, those that need none,
 * and likewise without parts, and without labels), and what they need: IG_NEEDS_… */
unsigned ig_evaluation_spec_takes(const ig_evaluation_spec *subject);
unsigned ig_evaluation_spec_needs(const ig_evaluation_spec *subject);

/* How many rows of the source are those of groups that need rows. */
size_t ig_evaluation_spec_rows(const ig_rows *rows, const ig_evaluation_spec *subject);

/* What each row of a source means: rows of one meaning share a number. It is their id;
 * where there are none, the group of their pairs, and without groups what pairs join.
 *   meaning  out  (rows) IG_NO_ID: nothing is known of it
 * O(rows + pairs). */
void ig_evaluation_spec_meanings(const ig_evaluation_spec *subject, size_t rows,
                                 uint32_t *meaning);

/* The meanings of the rows and pairs that are measured, numbered, and then rows without
 * any, each by itself.
 *   unit   out  (rows) < units; IG_NO_ID: the row is not measured
 * IG_OK or IG_NOMEM. O(rows + pairs). */
ig_status ig_evaluation_spec_units(const ig_evaluation_spec *subject, size_t rows,
                                   uint32_t *unit, size_t *units, ig_error *error);

/* Measures that are asked for by their names. */
enum { IG_CHOICE_MAX = 128 };
typedef struct ig_measure_choice {
    bool all;          /* "all": what can be measured, but what is asked for by name */
    unsigned measures; /* IG_MEASURE_… of their groups */
    unsigned groups;   /* IG_MEASURE_… of groups that are asked for as a whole */
    size_t count;
    const ig_measure *measure[IG_CHOICE_MAX]; /* (count) in the list's order */
} ig_measure_choice;

/* Read a list such as "retrieval,pearson": words of groups (all figures of each), names
 * of measures, and "all". IG_OK, or IG_USAGE with a sentence that begins with `label`
 * and names what there is. */
ig_status ig_measures_choose(ig_measure_choice *choice, const char *label,
                             const char *list, ig_error *error);

/* Remove the figures of other measures. */
void ig_figures_choose(ig_figures *figures, const ig_measure_choice *choice);

/* The groups of main measures. */
unsigned ig_measures_main(void);

/* Whether any measure that is named needs scored pairs. */
bool ig_choice_needs_scores(const ig_measure_choice *choice);

/* Family i < IG_GROUP_COUNT, and the word by which it is asked for: "retrieval". */
const ig_measure_group *ig_measure_group_at(size_t i);
const char *ig_measure_group_word(size_t i);

#endif
