/* A group of measures: figures of one space that are computed together.
 * ig_evaluation_take computes groups without knowing them by name; each appends the
 * rows of its figures (measure/figure.h).
 *
 * A new group is a file of its own, which defines an ig_measure_group, its result in
 * measure/results.h, and a line of IG_MEASURE_GROUPS in measure/figure.h. A new figure
 * is a line of the table in measure/measures.c and a row that its group appends. */
#ifndef MEASURE_MEASURE_GROUP_H
#define MEASURE_MEASURE_GROUP_H

#include <stdbool.h>

#include "core/error.h"
#include "core/pool.h"
#include "core/progress.h"
#include "core/rows.h"
#include "core/scan.h"
#include "measure/embeddings.h"

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

/* Counts of every language by every other. Empty: `languages` is 0. */
typedef struct ig_language_counts {
    size_t languages;
    size_t *count; /* (languages, languages) */
} ig_language_counts;

static inline size_t ig_language_count(const ig_language_counts *counts, size_t of,
                                       size_t by)
{
    return of < counts->languages && by < counts->languages
               ? counts->count[of * counts->languages + by]
               : 0;
}

/* Append the shares of each language's rows that are counted as every other, with
 * chance: the share of the other's rows among all that a row may be counted as
 * (`pooled`), or that of one language among those that have rows. */
void ig_figures_add_counts(ig_figures *figures, const char *measure,
                           const ig_language_counts *counts, bool pooled);

/* The resampling units of the rows (n), for figures of all rows, or NULL: no memory. */
uint32_t *ig_figures_units(ig_figures *figures, const ig_embeddings *e);

/* --- the group ------------------------------------------------------------------- */

typedef struct ig_evaluation ig_evaluation; /* measure/evaluation.h */

typedef struct ig_measure_group {
    const char *name; /* "language probe" */
    const char *word; /* for --measures; NULL: as IG_MEASURE_GROUPS has it */
    unsigned needs;   /* IG_NEEDS_… */

    /* The work of it, in flops: of numbers of rows, pairs and dimensions alone, for the
     * rows are not gathered yet. NULL with `join`. */
    double (*work)(const ig_embeddings *e);

    /* Append figures to out->figures, in any order, and leave there what panels read.
     * IG_OK (undefined figures are NaN with a reason), IG_SHAPE, IG_NOMEM, IG_VALUE
     * (not finite) or IG_INTERRUPTED. */
    ig_status (*measure)(const ig_embeddings *e, ig_evaluation *out, ig_error *error);

    /* Instead, of a group that looks at all pairs of rows: what it needs to see of the
     * scan, which groups share. *state is for `finish`, which does what `measure` does
     * when the scan is done, and for `forget`. IG_OK or IG_NOMEM. */
    ig_status (*join)(const ig_embeddings *e, const ig_scan *scan,
                      ig_consumer *consumer, void **state, ig_error *error);
    ig_status (*finish)(void *state, ig_evaluation *out, ig_error *error);
    void (*forget)(void *state);
} ig_measure_group;

#endif
