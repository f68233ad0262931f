/* What it takes to measure a subject: which rows, passes over pairs of rows, how much
 * work, and how much room. */
#ifndef MEASURE_NEEDS_H
#define MEASURE_NEEDS_H

#include "measure/subject.h"

/* Who needs each row of the source.
 *   needed  in/out  (N) gets IG_NEEDS_… of the subject's families
 * IG_OK or IG_SHAPE: a row is not there. */
ig_status ig_needs_mark(uint8_t *needed, const ig_rows *rows, const ig_subject *subject,
                        ig_error *error);

/* How many rows anybody of `by` needs. */
size_t ig_needs_count(const uint8_t *needed, size_t n, uint8_t by);

/* Families, as IG_MEASURE_…: those that take part in a pass over all pairs of rows, and
 * of these those of the first pass. Its rows are the subject's where any family needs
 * them, else those that occur in pairs; the rest is of a second one, of the latter.
 * Families of pairs take part in the first where it has no other rows, and those by
 * language where languages are not small. */
unsigned ig_needs_passes(const ig_subject *subject);
unsigned ig_needs_first_pass(const ig_rows *rows, const ig_subject *subject,
                             const uint8_t *needed);

/* Of such families, those that go by languages, and whether any needs rows. */
unsigned ig_needs_by_language(unsigned join);
bool ig_needs_rows(unsigned join);

/* The work of families that share a pass, in flops: that of the one that has most. */
double ig_needs_pass_work(const ig_measure_input *input, unsigned join);

/* Where rows lie. */
typedef struct ig_placement {
    double held, copied; /* bytes of rows held, and of copies at a time */
    bool held_in_file, copied_in_file;
} ig_placement;

/* … of a subject: copies are used most, and are the first to be in memory. */
ig_placement ig_needs_place(const ig_rows *rows, const ig_subject *subject,
                            const uint8_t *needed);

/* The work of an evaluation, in flops; 0 where a row is not there or memory is short.
 * O(N + pairs). */
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

#endif
