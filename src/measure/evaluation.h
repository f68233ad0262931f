/* The evaluation: every measure of one space by one call, so that the command, the
 * explorer and the report show the same numbers. */
#ifndef MEASURE_EVALUATION_H
#define MEASURE_EVALUATION_H

#include "data/set.h"
#include "data/subset.h"
#include "measure/geometry.h"
#include "measure/hidden_probe.h"
#include "measure/intervals.h"
#include "measure/isotropy.h"
#include "measure/label_transfer.h"
#include "measure/mining.h"
#include "measure/mixed_pool.h"
#include "measure/probe.h"
#include "measure/query_sample.h"
#include "measure/relative_alignment.h"
#include "measure/retrieval.h"
#include "measure/reversibility.h"
#include "measure/similarity.h"
#include "measure/standard_error.h"

/* The families of measures, in the order in which they are computed and shown. A line
 * makes the member of ig_evaluation, of the type ig_<member>, a bit IG_MEASURE_<NAME>,
 * and has everybody show the figures of ig_<member>_family. */
#define IG_FAMILIES(FAMILY)                                                            \
    FAMILY(geometry, GEOMETRY)                                                         \
    FAMILY(relative_alignment, RELATIVE_ALIGNMENT)                                     \
    FAMILY(mixed_pool, MIXED_POOL)                                                     \
    FAMILY(retrieval, RETRIEVAL)                                                       \
    FAMILY(mining, MINING)                                                             \
    FAMILY(similarity, SIMILARITY)                                                     \
    FAMILY(reversibility, REVERSIBILITY)                                               \
    FAMILY(isotropy, ISOTROPY)                                                         \
    FAMILY(probe, PROBE)                                                               \
    FAMILY(hidden_probe, HIDDEN_PROBE)                                                 \
    FAMILY(label_transfer, LABEL_TRANSFER)

#define IG_FAMILY_NUMBER(member, NAME) IG_FAMILY_##NAME,
#define IG_FAMILY_BIT(member, NAME)    IG_MEASURE_##NAME = 1 << IG_FAMILY_##NAME,
#define IG_FAMILY_MEMBER(member, NAME) ig_##member member;

enum { IG_FAMILIES(IG_FAMILY_NUMBER) IG_FAMILY_COUNT };

/* Which measures to take. */
enum { IG_FAMILIES(IG_FAMILY_BIT) IG_MEASURE_ALL = (1 << IG_FAMILY_COUNT) - 1 };

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

/* Measures of one space; those not taken are zero, and `taken` says so. A zeroed struct
 * may be freed. */
typedef struct ig_evaluation {
    unsigned taken;               /* IG_MEASURE_… */
    IG_FAMILIES(IG_FAMILY_MEMBER) /* rows that they name are numbers of the source */
    size_t rows;      /* distinct rows that were measured, for one thing or another */
    size_t zero_rows; /* of them of length 0 */
    ig_query_sample sample;                    /* that asked; its rows 0: all did */
    ig_standard_errors error[IG_FAMILY_COUNT]; /* of a sample, by family */
    ig_intervals intervals; /* of its figures, where they were asked for
                               (measure/bootstrap.h) */
} ig_evaluation;

/* Take the measures of one space.
 *   rows   in  (N, d) the source; read once
 *   watch  in  or NULL; its work is in flops, ig_evaluation_work in all
 *   evaluation  out  replaced; free it with ig_evaluation_free
 * IG_OK (figures that cannot be had are NaN with a reason: no pairs, no scores, …),
 * IG_SHAPE (a row that is not there), IG_NOMEM, IG_IO (a file of rows), IG_VALUE (not
 * finite) or IG_INTERRUPTED; *evaluation is empty unless IG_OK. The same bytes whether
 * rows lie in memory or in files. */
ig_status ig_evaluation_take(ig_evaluation *evaluation, const ig_rows *rows,
                             const ig_subject *subject, ig_pool *pool, ig_watch *watch,
                             ig_error *error);

/* The work of it, in flops; 0 where a row is not there or memory is short. O(N +
 * pairs). */
double ig_evaluation_work(const ig_rows *rows, const ig_subject *subject);

/* The bytes that it will take at most, about. */
typedef struct ig_evaluation_room {
    double memory; /* in memory; 0 where a row is not there or memory is short */
    double kept;   /* of these, what stays in the evaluation */
    double files;  /* of files with rows that subject->memory leaves no room for */
} ig_evaluation_room;

/* … with so many threads. O(N + pairs). */
ig_evaluation_room ig_evaluation_room_of(const ig_rows *rows, const ig_subject *subject,
                                         size_t threads);

/* Move the measures that were taken in `part` into another evaluation of the same
 * space, which has not taken them. `part` is empty then. */
void ig_evaluation_join(ig_evaluation *into, ig_evaluation *part);

/* The result of a family, of the type it has in ig_evaluation; NULL: it was not
 * taken. */
const void *ig_evaluation_result(const ig_evaluation *evaluation,
                                 const ig_family *family);

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

/* Family i < IG_FAMILY_COUNT, and the word by which it is asked for: "retrieval". */
const ig_family *ig_family_at(size_t i);
const char *ig_family_word(size_t i);

void ig_evaluation_free(ig_evaluation *evaluation);

#endif
