/* The catalogue of measures: every figure of an evaluation that stands on its own, with
 * its name, what it says, which way is better in which space, and how it is read; so
 * that the command's table, the explorer and the report list the same ones. */
#ifndef MEASURE_CATALOGUE_H
#define MEASURE_CATALOGUE_H

#include "measure/evaluation.h"

/* What a figure is, and so how it is written. */
typedef enum ig_unit {
    IG_UNIT_NUMBER, /* as it is */
    IG_UNIT_SHARE,  /* 0 … 1: a percentage for readers, a fraction for programs */
    IG_UNIT_RANK    /* from 1 */
} ig_unit;

/* Spaces as this room counts them: those of ig_space in the same order. */
enum { IG_MEASURE_SPACES = 3 };

typedef struct ig_measure_entry {
    const char *key;    /* "top1", as in interface.md §2 */
    const char *name;   /* "retrieval top-1" */
    const char *brief;  /* the same where there is little room: "top-1" */
    const char *about;  /* a sentence: what it says */
    const char *source; /* tag of methods.md ("wang; bias eq.8"), or NULL: ours */
    unsigned taken;     /* the IG_MEASURE_… that brings it */
    ig_unit unit;
    int decimals; /* to write it with; of a share: of the percentage */
    /* In the original, the meaning and the language space: 1 greater is better,
     * −1 smaller, 0 neither. */
    signed char better[IG_MEASURE_SPACES];
    /* The figure; NaN: it cannot be had. */
    double (*read)(const ig_evaluation *evaluation);
    /* What guessing gives, or NULL. */
    double (*chance)(const ig_evaluation *evaluation);
    /* The figure of one ordered language pair, or NULL: it has none. */
    double (*of_pair)(const ig_retrieval_score *score);
} ig_measure_entry;

/* All of them, in the order in which they are to be shown; *count (out) of them. */
const ig_measure_entry *ig_measure_catalogue(size_t *count);

/* The entry of a key, or NULL. */
const ig_measure_entry *ig_measure_named(const char *key);

/* Whether an evaluation has something to say of a measure: it was taken; means over the
 * kinds of scored pairs need kinds, and ties are told where there are some. */
bool ig_measure_tells(const ig_measure_entry *entry, const ig_evaluation *evaluation);

/* The figure; NaN also when it was not taken. */
double ig_measure_read(const ig_measure_entry *entry, const ig_evaluation *evaluation);

/* Why the figure is NaN; static or the evaluation's, or NULL when it is none. */
const char *ig_measure_reason(const ig_measure_entry *entry,
                              const ig_evaluation *evaluation);

#endif
