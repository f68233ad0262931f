/* A family of measures: figures of one space that are computed together, and the table
 * of functions and texts by which everybody knows them. ig_evaluation_take computes
 * families without knowing them by name, and the forms of an evaluation (text, JSON,
 * CSV, HTML, the explorer's summary) show their figures likewise.
 *
 * A new family is a file of its own, which defines its result and an ig_family, and a
 * line of IG_FAMILIES in measure/subject.h. A new figure is a field of a result and
 * an ig_measure_entry beside what computes it. */
#ifndef MEASURE_FAMILY_H
#define MEASURE_FAMILY_H

#include <stdbool.h>

#include "base/error.h"
#include "base/pool.h"
#include "base/watch.h"
#include "data/scores.h"
#include "data/set.h"
#include "linear/rows.h"
#include "measure/pair_pass.h"

/* --- what is measured ------------------------------------------------------------ */

/* The pairs that are measured. */
typedef struct ig_retrieval_pairs {
    const uint16_t *lang; /* (N) language of each row, < languages */
    size_t languages;
    const uint32_t *left, *right; /* (pairs) rows; pairs within one language are passed
                                     over */
    const uint32_t *group; /* (pairs) pairs of one meaning share a number; a row means
                              what the first of its pairs does. NULL: rows that pairs
                              join, directly or through others, mean the same */
    size_t pairs;
} ig_retrieval_pairs;

/* What a family works on: rows of one space. The same rows may have other numbers in
 * the source that the caller knows; results tell the caller's. */
typedef struct ig_measure_input {
    const ig_rows *base;             /* what pairs and scores number */
    const uint32_t *row;             /* (base rows) in the source; NULL: the same */
    const ig_retrieval_pairs *pairs; /* with what needs pairs */
    size_t paired;                   /* distinct rows that occur in them */
    const ig_scores *scores;         /* with what needs scores */

    /* with what needs rows */
    const ig_rows *some;      /* (n, d) the rows themselves */
    const uint32_t *some_row; /* (n) in the source; NULL: the same */
    const uint16_t *lang;     /* (n) < languages */
    size_t languages;
    const uint32_t *id;      /* (n) or IG_NO_ID */
    const uint32_t *meaning; /* (n) rows of one meaning share a number: the id, of rows
                                without any what their pairs say; IG_NO_ID */
    uint64_t seed;

    /* with what needs the rest: the rows of the source that are not measured, where
     * there are enough to learn from; else `fits` is 0. Numbers of the base. */
    const uint32_t *fit; /* (fits) */
    size_t fits;
    const uint32_t *some_base; /* (n) where `some` are */
    const uint16_t *base_lang; /* (base rows) */
    const uint32_t *base_id;   /* (base rows) or IG_NO_ID */

    /* with what needs parts: the source's rows as they are in each space, which
     * `some_row` numbers */
    const ig_rows *const *part;

    const ig_label *label; /* with what needs labels: a column of the source's rows */
    size_t pivot;          /* the language that labels are learned in */

    /* What the retrieval of the same rows and pairs has found, where it was taken
     * before; or NULL. */
    const struct ig_retrieval *retrieval;

    const uint8_t *asks; /* (base rows) IG_ASKS_…, 0: the row does not ask; NULL: all
                            rows do. Families that join are measured so */
    size_t asking;       /* how many do; 0: all */

    void *state; /* what the family has asked of the pass, and been given; or NULL */

    const char *directory; /* where copies of the rows lie in files; NULL: they lie in
                              memory */
    bool intervals;        /* keep the values of items, also where that takes work */

    ig_pool *pool;
    ig_watch *watch; /* or NULL; its work is in flops */
} ig_measure_input;

/* Counts of every language by every other. Where there is nothing to count there are no
 * languages, so that nobody goes through counts that are not there. */
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

/* --- figures --------------------------------------------------------------------- */

/* What a figure is, and so how it is written. */
typedef enum ig_unit {
    IG_UNIT_NUMBER, /* as it is */
    IG_UNIT_SHARE,  /* 0 … 1: a percentage for readers, a fraction for programs */
    IG_UNIT_RANK    /* from 1 */
} ig_unit;

/* Spaces as this room counts them: those of ig_space in the same order. */
enum { IG_MEASURE_SPACES = 3 };

typedef struct ig_family ig_family;

typedef struct ig_measure_entry {
    const ig_family *family;
    const char *key;    /* "top1": what CSV and reasons call it */
    const char *member; /* what JSON calls it within its family, or NULL: the key */
    const char *name;   /* "retrieval top-1" */
    const char *brief;  /* the same where there is little room: "top-1" */
    const char *about;  /* a sentence: what it says */
    const char *source; /* tag of a paper ("wang; bias eq.8"), or NULL: ours */
    ig_unit unit;
    int decimals; /* to write it with; of a share: of the percentage */
    /* In the original, the meaning and the language space: 1 greater is better,
     * −1 smaller, 0 neither. */
    signed char better[IG_MEASURE_SPACES];

    bool of_space; /* JSON has it in the space itself, not in the family's group */

    /* Where the figure, a double, stands in the family's result, and where what
     * guessing gives (0: nowhere). JSON calls the latter `guess_member` (NULL:
     * member_chance). */
    size_t at, chance_at;
    const char *guess_member;

    /* Of retrieval: where the figure of an ordered language pair stands in its
     * ig_retrieval_score (0: it has none), what guessing gives there among so many
     * candidates (NULL: not known), and whether ties leave nothing of it. */
    size_t pair_at;
    double (*guess)(double candidates);
    bool ranks;

    /* What the figure is made of, for its interval (ig_items): the mean of a value of
     * each item, NaN where an item does not count; what follows from the means of it
     * and of one or two more; or a correlation of two. */
    double (*value)(const void *result, size_t item);
    double (*more[2])(const void *result, size_t item);
    double (*follows)(const void *result, const double *mean); /* NULL: mean[0] */
    bool median; /* the median of the value in place of its mean */
    bool least;  /* the least over the strata in place of their mean */
    enum { IG_NO_CORRELATION, IG_PEARSON, IG_SPEARMAN } correlation;
    /* Of a correlation `value` says which pairs it is of: NaN of the others. */
    bool yes_no; /* in each direction the value of an item is 0 or 1: differences have
                    McNemar's test */
    bool pooled; /* over all items alike, and not the mean over the strata */

    /* Where a sample of the rows asks (ig_subject): whether the figure is estimated by
     * it, with a standard error, or why it cannot be. Neither: it is of all rows. */
    bool sampled;
    const char *unsampled;

    /* Of similarity: where the figure of a kind of pair stands in its ig_correlation
     * (0: this figure is no mean over the kinds). */
    size_t kind_at;

    /* Of mining: where that of two languages stands in its ig_mining_pair (0: it has
     * none). */
    size_t mined_at;

    /* Whether there is anything to tell of it, NULL: always; why not; and why it is NaN
     * where the family as a whole has no reason. */
    bool (*tells)(const void *result);
    const char *silent, *missing;
    size_t
        reason_at; /* where a result has a reason of this figure alone, a const char *
                         that is NULL when there is none (0: nowhere) */
} ig_measure_entry;

/* What the figures of a family are made of: items in strata, as queries in directions.
 * Functions are of the result. */
typedef struct ig_items {
    size_t count, strata;
    uint32_t (*row)(const void *result, size_t item); /* of the source: items are drawn
                                                         with all of its meaning; NULL:
                                                         each by itself */
    /* Where a stratum begins, count for the one past the last; NULL: there is one. */
    size_t (*first)(const void *result, size_t stratum);
    /* Whether a stratum has a part in a figure; NULL: all have. */
    bool (*counts)(const void *result, const ig_measure_entry *entry, size_t stratum);
    const double *x, *y; /* (count) what is correlated, or NULL */
} ig_items;

/* Values of items that a family keeps for its intervals. A zeroed struct may be
 * freed. */
typedef struct ig_item_values {
    size_t count;
    uint32_t *row; /* (count) of the source */
    double *value; /* (count, of the family's choice) */
} ig_item_values;

/* Room for `each` values of so many items. IG_OK or IG_NOMEM. */
ig_status ig_item_values_init(ig_item_values *values, size_t count, size_t each,
                              ig_error *error);

/* Numbers of rows that are of a base, as those of the source; `row` NULL: the same. */
void ig_item_values_rename(ig_item_values *values, const uint32_t *row);

void ig_item_values_free(ig_item_values *values);

/* --- the family ------------------------------------------------------------------ */

/* What a family needs. */
enum {
    IG_NEEDS_ROWS = 1,
    IG_NEEDS_PAIRS = 2,
    IG_NEEDS_SCORES = 4,
    IG_NEEDS_REST = 8,   /* the rows that are not measured, if asked for (ig_subject) */
    IG_NEEDS_PARTS = 16, /* the vectors and both of their parts (ig_subject) */
    IG_NEEDS_LABELS = 32
};

struct ig_family {
    const char *name; /* "language probe" */
    const char *word; /* by which it is asked for; NULL: as IG_FAMILIES has it */
    const char
        *group;     /* the object of JSON that holds its figures; NULL: the space's */
    unsigned needs; /* IG_NEEDS_… */

    /* The work of it, in flops: of rows and dimensions alone (some, base, paired,
     * pairs, scores, languages). */
    double (*work)(const ig_measure_input *input);

    /* Of a family that looks at all pairs of rows (else NULL): ask the pass over them,
     * which others share, for what it needs. *state is for `take`, which comes when the
     * pass is done, and for `forget`; it stays NULL where the rows of the pass do not
     * serve, and `take` does without. IG_OK, IG_SHAPE or IG_NOMEM. */
    ig_status (*join)(const ig_measure_input *input, ig_pair_pass *pass, void **state,
                      ig_error *error);
    void (*forget)(void *state);
    bool by_language; /* it takes part with the products of two languages each, and so
                         needs a pass that knows languages */

    /* Compute a result, which comes zeroed. IG_OK (figures that cannot be had are NaN,
     * and the result says why), IG_SHAPE, IG_NOMEM, IG_VALUE (not finite) or
     * IG_INTERRUPTED; then it is empty. */
    ig_status (*take)(const ig_measure_input *input, void *result, ig_error *error);

    void (*free)(void *result); /* NULL: it holds nothing */

    /* What the figures are made of; NULL: they have no intervals. */
    void (*items)(const void *result, ig_items *items);

    /* Where a result has its reason, a const char * that is NULL when there is none. */
    size_t reason_at;

    const ig_measure_entry *entry; /* (entries) in the order in which they are shown */
    size_t entries;
};

#endif
