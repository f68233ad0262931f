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

/* --- input ----------------------------------------------------------------------- */

/* The pairs ordered by their two languages, whichever side they are on. */
typedef struct ig_language_pairs {
    size_t cells;     /* languages² */
    uint32_t *start;  /* (cells + 2) the pairs of languages a < b are start[c] …
                        start[c + 1] − 1, c = a · languages + b */
    uint32_t *row[2]; /* (pairs) their rows of the lower and the higher language, in the
                         order given */
} ig_language_pairs;

/* IG_OK or IG_NOMEM. O(pairs + languages²). */
ig_status ig_language_pairs_init(ig_language_pairs *out,
                                 const ig_retrieval_pairs *pairs, ig_arena *arena,
                                 ig_error *error);

/* Rows to learn from, and rows to test, of the base, ascending. */
typedef struct ig_probe_split {
    const uint32_t *fit, *test; /* (fits), (tests) */
    size_t fits, tests;
    bool apart; /* those to learn from are the ones that are not measured; else both
                   are, by the parity of their ids */
} ig_probe_split;

/* Input of a group: rows of one space, by place (measure/embeddings.h). */
typedef struct ig_measure_input {
    const ig_embeddings *e;
    const ig_evaluation_spec *spec;
    ig_probe_split split; /* with what needs the rest */

    /* Parts of these. */
    const ig_rows *base;             /* what pairs and scores number: rows scaled to
                                        length 1 … */
    const uint32_t *row;             /* (base rows) in the source */
    const ig_rows *raw;              /* … and not scaled */
    const uint32_t *unit;            /* (n) what each is resampled with */
    const ig_retrieval_pairs *pairs; /* for groups that need pairs; by place */
    const ig_scores *scores;         /* for groups that need scores; by place */
    const ig_rows *some;             /* (n, d) the measured rows: the first of the
                                        base */
    const uint16_t *lang;            /* (base rows) < languages */
    size_t languages;
    uint64_t seed;
    size_t fits;               /* rows of the source that are not measured, where there
                                  are enough to learn from; else 0 */
    const uint16_t *base_lang; /* (base rows) */
    const uint32_t *base_id;   /* (base rows) or IG_NO_ID */

    /* with what needs parts: the source's rows as they are in each space */
    const ig_rows *const *part;
    const ig_rows *other; /* the source's rows in another run, or NULL */

    const ig_label *label; /* with what needs labels: a column of the source's rows */
    size_t pivot;          /* the language that labels are learned in */

    void *state;  /* the group's state of the scan, or NULL */
    void *result; /* of a group that has one: what panels read, zeroed */

    bool intervals; /* keep the values of items, also where that takes work */

    ig_pool *pool;
    ig_progress *watch; /* or NULL; its work is in flops */
} ig_measure_input;

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
uint32_t *ig_figures_units(ig_figures *figures, const ig_measure_input *input);

/* --- the group ------------------------------------------------------------------- */

typedef struct ig_measure_group {
    const char *name; /* "language probe" */
    const char *word; /* for --measures; NULL: as IG_MEASURE_GROUPS has it */
    unsigned needs;   /* IG_NEEDS_… */

    /* The work of it, in flops: of rows and dimensions alone (some, base, paired,
     * pairs, scores, languages). NULL with `join`. */
    double (*work)(const ig_measure_input *input);

    /* Of a group that looks at all pairs of rows (else NULL): what it needs to see of
     * the scan, which groups share. *state is for `measure`, which comes when the scan
     * is done, and for `forget`.
     * IG_OK or IG_NOMEM. */
    ig_status (*join)(const ig_measure_input *input, const ig_scan *scan,
                      ig_consumer *consumer, void **state, ig_error *error);
    void (*forget)(void *state);

    /* Append figures, in any order. IG_OK (undefined figures are NaN with a reason),
     * IG_SHAPE, IG_NOMEM, IG_VALUE (not finite) or IG_INTERRUPTED. */
    ig_status (*measure)(const ig_measure_input *input, ig_figures *figures,
                         ig_error *error);

    /* Number the rows of the result as those of the dataset are, when all groups are
     * taken:
     *   row  in  (n) row of the dataset at each place. NULL: it has done so */
    void (*hand_out)(void *result, const uint32_t *row);
} ig_measure_group;

#endif
