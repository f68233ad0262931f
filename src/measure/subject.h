/* What is measured: the groups of measures, and an evaluation spec, which names the
 * rows and pairs that they are to measure. */
#ifndef MEASURE_SUBJECT_H
#define MEASURE_SUBJECT_H

#include "data/set.h"
#include "data/subset.h"
#include "measure/family.h"

/* What is measured: some rows of a set, and pairs among them. Nothing is owned. */
typedef struct ig_subject {
    unsigned measures;   /* IG_MEASURE_… */
    const uint32_t *row; /* (rows) those of families that need rows, ascending; NULL:
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
    uint64_t seed;              /* of what is drawn */
    bool
        rest; /* the probe is fitted on the source's other rows, where they are at least
                  half as many as those measured */
    bool intervals; /* keep what intervals are made of also where that takes work (of
                       uniformity, of IsoScore); without it these have none */
    size_t sample;  /* about so many rows ask, of whole meanings that are drawn by the
                       seed, in what looks at all pairs of rows; 0, or as many as there
                       are: all */
    size_t
        memory; /* bytes that rows may take in memory; what does not fit lies in files.
                       0: half of what the machine grants */
    const char *directory; /* of these files; NULL: one of the system's
                              (ig_spill_directory) */
} ig_subject;

/* The subject of a subset of a set and its pairs: every measure, similarity only with
 * scores (NULL: there are none), whose rows are the set's. The probe learns from the
 * rest of the set where the subset is all held-out (or all training) ids, no sample of
 * them. Nothing is copied. */
ig_subject ig_subject_of(const ig_set *set, const ig_subset *subset,
                         const ig_scores *scores, uint64_t seed);

/* The families that can be taken of a subject (without scores, those that need none,
 * and likewise without parts, and without labels), and what they need: IG_NEEDS_… */
unsigned ig_subject_takes(const ig_subject *subject);
unsigned ig_subject_needs(const ig_subject *subject);

/* How many rows of the source are those of families that need rows. */
size_t ig_subject_rows(const ig_rows *rows, const ig_subject *subject);

/* What each row of a source means: rows of one meaning share a number. It is their id;
 * where there are none, the group of their pairs, and without groups what pairs join.
 *   meaning  out  (rows) IG_NO_ID: nothing is known of it
 * O(rows + pairs). */
void ig_subject_meanings(const ig_subject *subject, size_t rows, uint32_t *meaning);

/* The meanings of the rows and pairs that are measured, numbered, and then rows without
 * any, each by itself.
 *   unit   out  (rows) < units; IG_NO_ID: the row is not measured
 * IG_OK or IG_NOMEM. O(rows + pairs). */
ig_status ig_subject_units(const ig_subject *subject, size_t rows, uint32_t *unit,
                           size_t *units, ig_error *error);

/* Measures that are asked for by their names. */
enum { IG_CHOICE_MOST = 128 };
typedef struct ig_measure_choice {
    unsigned measures; /* IG_MEASURE_… of their groups */
    size_t count;
    const ig_measure *measure[IG_CHOICE_MOST]; /* (count) in the list's order */
} ig_measure_choice;

/* Read a list such as "retrieval,pearson": words of groups (all figures of each) and
 * names of measures. IG_OK, or IG_USAGE with a sentence that begins with `label` and
 * names what there is. */
ig_status ig_measures_choose(ig_measure_choice *choice, const char *label,
                             const char *list, ig_error *error);

/* Whether any measure needs scored pairs. */
bool ig_choice_needs_scores(const ig_measure_choice *choice);

/* Family i < IG_FAMILY_COUNT, and the word by which it is asked for: "retrieval". */
const ig_family *ig_family_at(size_t i);
const char *ig_family_word(size_t i);

#endif
