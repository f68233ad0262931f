/* A group of measures: figures of one space that are computed together. A new group is
 * a file that defines an ig_measure_group, and a line of IG_MEASURE_GROUPS in
 * measure/figure.h; what panels read of it is in measure/evaluation.h. A new figure is a
 * line of the table in measure/measures.c and a row that its group appends. */
#ifndef MEASURE_MEASURE_GROUP_H
#define MEASURE_MEASURE_GROUP_H

#include "core/scan.h"
#include "measure/evaluation.h"

/* The pairs ordered by their two languages, whichever side they are on. */
typedef struct ig_language_pairs {
    size_t cells;     /* languages² */
    uint32_t *start;  /* (cells + 2) the pairs of languages a < b are start[c] …
                        start[c + 1] − 1, c = a · languages + b */
    uint32_t *row[2]; /* (pairs) their rows of the lower and the higher language, in the
                         order given */
} ig_language_pairs;

/* IG_OK or IG_NOMEM. O(pairs + languages²). */
ig_status ig_language_pairs_init(ig_language_pairs *out, const ig_embeddings *e,
                                 ig_arena *arena, ig_error *error);

/* Append a figure of all rows, which are its items by meaning; its caller fills in
 * item[]. NULL: out of memory. */
ig_figure *ig_figures_add_rows(ig_figures *figures, const char *measure, ig_combine how,
                               const ig_embeddings *e);

/* Append the shares of each language's rows that are counted as every other: count
 * (k, k). Chance is the share of the other's rows among all that a row may be counted
 * as (`pooled`), or that of one language among those that have rows. */
void ig_figures_add_counts(ig_figures *figures, const char *measure,
                           const size_t *count, size_t k, bool pooled);

/* --- the group ------------------------------------------------------------------- */

typedef struct ig_measure_group {
    const char *word; /* for --measures */
    unsigned needs;   /* IG_NEEDS_… */

    /* Append figures to out->figures, in any order, and leave there what panels read.
     * IG_OK (undefined figures are NaN with a reason), IG_SHAPE, IG_NOMEM, IG_VALUE
     * (not finite) or IG_INTERRUPTED. */
    ig_status (*measure)(const ig_embeddings *e, ig_evaluation *out, ig_error *error);

    /* Instead, of a group that looks at all pairs of rows: what it needs to see of the
     * scan, which groups share. The state of the consumer, in out->figures.brief, is
     * for `finish`, which does what `measure` does when the scan is done. IG_OK or
     * IG_NOMEM. */
    ig_status (*join)(const ig_embeddings *e, const ig_scan *scan, ig_evaluation *out,
                      ig_consumer *consumer, ig_error *error);
    ig_status (*finish)(void *state, ig_evaluation *out, ig_error *error);
} ig_measure_group;

/* The groups by IG_GROUP_…. */
extern const ig_measure_group *const ig_measure_groups[IG_GROUP_COUNT];

#define IG_DECLARE_GROUP(member, NAME)                                                 \
    extern const ig_measure_group ig_##member##_group;
IG_MEASURE_GROUPS(IG_DECLARE_GROUP)

/* --- chosen by name --------------------------------------------------------------- */

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

#endif
