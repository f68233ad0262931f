/* Measures chosen by name, for --measures. */
#ifndef MEASURE_MEASURE_CHOICE_H
#define MEASURE_MEASURE_CHOICE_H

#include "core/error.h"
#include "measure/figure.h"

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
 * of measures, and "all". IG_OK, or IG_USAGE with a sentence that begins with
 * `label`. */
ig_status ig_measures_choose(ig_measure_choice *choice, const char *label,
                             const char *list, ig_error *error);

/* Remove the figures of other measures. */
void ig_figures_choose(ig_figures *figures, const ig_measure_choice *choice);

/* The groups of main measures. */
unsigned ig_measures_main(void);

/* Whether any measure that is named needs scored pairs. */
bool ig_choice_needs_scores(const ig_measure_choice *choice);

#endif
