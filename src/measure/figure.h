/* Figures are rows, and measures are a table. A group of measures appends figures with
 * the items that the bootstrap resamples: the value follows from the items, and so does
 * each draw. Outputs print these rows with what the table (measure/measures.c) says of
 * each measure, and never test for one by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/memory.h"

/* The groups of measures, in the order in which they are computed and shown: a number
 * IG_GROUP_<NAME>, a bit IG_MEASURE_<NAME>, and what ig_<member>_group appends. */
#define IG_MEASURE_GROUPS(FAMILY)                                                      \
    FAMILY(geometry, GEOMETRY)                                                         \
    FAMILY(multilingual_pool, POOL)                                                    \
    FAMILY(retrieval, RETRIEVAL)                                                       \
    FAMILY(mining, MINING)                                                             \
    FAMILY(similarity, SIMILARITY)                                                     \
    FAMILY(judged, JUDGED)                                                             \
    FAMILY(reversibility, REVERSIBILITY)                                               \
    FAMILY(isotropy, ISOTROPY)                                                         \
    FAMILY(cka, CKA)                                                                   \
    FAMILY(space_cka, SPACE_CKA)                                                       \
    FAMILY(probe, PROBE)                                                               \
    FAMILY(hidden_probe, HIDDEN_PROBE)                                                 \
    FAMILY(zero_shot_transfer, ZERO_SHOT_TRANSFER)

#define IG_GROUP_NUMBER(member, NAME) IG_GROUP_##NAME,
#define IG_GROUP_BIT(member, NAME)    IG_MEASURE_##NAME = 1 << IG_GROUP_##NAME,

enum { IG_MEASURE_GROUPS(IG_GROUP_NUMBER) IG_GROUP_COUNT };
enum { IG_MEASURE_GROUPS(IG_GROUP_BIT) IG_MEASURE_ALL = (1 << IG_GROUP_COUNT) - 1 };

/* --- the table of measures -------------------------------------------------------- */

/* How a figure is written. */
typedef enum ig_unit {
    IG_UNIT_NUMBER, /* as it is */
    IG_UNIT_SHARE,  /* 0 … 1: a percentage for readers, a fraction for programs */
    IG_UNIT_RANK,   /* from 1 */
    IG_UNIT_COUNT   /* a whole number */
} ig_unit;

/* Number of spaces, in the order of ig_space. */
enum { IG_MEASURE_SPACES = 3 };

/* What a measure is, besides. */
enum {
    IG_MAIN = 1,       /* in tables that are not of all measures */
    IG_QUIET = 2,      /* omitted from tables if 0 or missing in all spaces */
    IG_PARTS = 4,      /* only of languages or components, none overall */
    IG_POINT_ONLY = 8, /* draws would be biased, or cost as much as measuring */
    IG_POSITIVE = 16,  /* needs --positive X */
    IG_MATRIX = 32,    /* reports show its figures of two languages as a matrix, … */
    IG_MATRIX_SPACES = 64, /* … also of other spaces than meaning, … */
    IG_MATRIX_TEXT = 128,  /* … and in text, too */
    IG_MINIMUM = 256,      /* over directions or languages: draws would be biased */
    IG_NOTED = 512         /* tables that omit it have its reason as a note */
};

/* One measure: a line of the table. */
typedef struct ig_measure {
    int group;          /* IG_GROUP_… */
    const char *name;   /* "top1": in every output, and for --measures */
    const char *label;  /* "retrieval top-1" */
    const char *source; /* tag of a paper ("wang; bias eq.8"), or NULL: ours */
    ig_unit unit;
    int decimals; /* to write it with; of a share: of the percentage */
    bool share;   /* in 0 … 1 */
    char better[IG_MEASURE_SPACES + 1]; /* "++-": in the original, the meaning and the
                                           language space greater is better (+),
                                           smaller (-), or neither (0) */
    unsigned is;                        /* IG_MAIN | … */
    const char *about;                  /* its definition in a sentence */
} ig_measure;

/* 1: greater is better in a space, −1: smaller, 0: neither. */
static inline int ig_better(const ig_measure *measure, size_t space)
{
    return (measure->better[space] == '+') - (measure->better[space] == '-');
}

/* Measure i of the table, or that of a name; NULL: there is none. */
enum { IG_CHOICE_MAX = 128 }; /* measures, at most */
const ig_measure *ig_measure_at(size_t i);
const ig_measure *ig_measure_named(const char *name);

/* 3: a word of n bytes begins a name; 2, 1: one or two letters differ; 0: neither. */
int ig_name_resembles(const char *name, const char *word, size_t n);

/* --- figures ---------------------------------------------------------------------- */

enum { IG_DRAWS = 1000 }; /* of the bootstrap */

/* How a figure follows from its items, in a draw from their weighted sums. a, b, c:
 * item[0], [1], [2]; items whose a is NaN do not count. */
typedef enum ig_combine {
    IG_NO_ITEMS,    /* a value alone: it has no interval */
    IG_MEAN,        /* Σa / Σ1 */
    IG_LOG_MEAN,    /* log(Σa / Σ1) */
    IG_RATIO,       /* Σa / Σb */
    IG_CORRELATION, /* Σa / √(Σb Σc) */
    IG_MEAN_OF      /* the mean of other figures, its parts */
} ig_combine;

typedef struct ig_figure {
    const ig_measure *measure;
    const char *from, *to; /* languages, or a part in `from` (a kind of scored pairs,
                              a component); NULL: all */
    uint16_t lang[2];      /* numbers of from and to, from 1; 0: all; UINT16_MAX and
                              its number: a part that is no language */
    size_t n;              /* items that count: queries, rows, pairs */
    double value;          /* NaN: undefined, with a `reason` */
    double chance;         /* expected value of guessing; NaN: unknown */
    double low, high;      /* 95% interval; NaN: there is none */
    bool few;              /* its direction has fewer than IG_FEW_CANDIDATES, … */
    bool left_out;         /* … and others have more: means leave it out */
    const char *reason;    /* why it is NaN; or what is to be known of … */
    size_t marked;         /* … so many rows or parts (0: nothing), and, when all are
                              measured, why there is no interval */

    ig_combine how;
    size_t items;
    uint32_t *unit;          /* (items) those of a unit are resampled together */
    float *item[3];          /* (items), as many as `how` has */
    struct ig_figure **part; /* (items) of IG_MEAN_OF … */
    bool by_n;               /* … weighted by their n */
    double centre;           /* what the columns of a mean are relative to */
    size_t units;            /* distinct ones, set by the bootstrap as are … */
    float *draw; /* … (IG_DRAWS) of a figure of the whole that has an interval */
} ig_figure;

/* A zeroed struct is empty, and may be freed. Figures do not move. */
typedef struct ig_figures {
    ig_figure **row; /* (count) */
    size_t count, room, parts, languages;
    const char *const *language; /* (languages) names, or NULL */
    bool intervals;              /* keep items: there will be intervals */
    ig_arena arena;              /* of the figures and their arrays */
    ig_arena brief; /* until a group is done: scratch, items that are not kept */
    bool failed;    /* out of memory: figures are then `lost`, and have no items */
    ig_figure lost;
} ig_figures;

#define IG_ALL_LANGUAGES SIZE_MAX /* number 0 */

/* Append a value of the whole, or of languages from 0 or IG_ALL_LANGUAGES. NaN keeps
 * `reason` (NULL: "it cannot be computed"). Returns the row, to be filled in; as all
 * that append, never NULL. */
ig_figure *ig_figures_add(ig_figures *figures, const char *measure, double value,
                          const char *reason);
ig_figure *ig_figures_add_languages(ig_figures *figures, const char *measure,
                                    size_t from, size_t to, double value,
                                    const char *reason);

/* Append a figure that follows from items. The caller fills in `unit` and `item` of
 * f->items, may then lower their number, and closes the figure: its value is made, NaN
 * for the reason without items that count; `n` is their number, unless it is set. What
 * is then added to items, with the sum 0, is of draws alone. */
ig_figure *ig_figures_add_items(ig_figures *figures, const char *measure, size_t from,
                                size_t to, ig_combine how, size_t items);
void ig_figures_close(ig_figures *figures, ig_figure *figure, const char *reason);

/* Append the mean of closed figures, without those that are NaN; n is the sum of
 * theirs, chance the mean. `by_n`: they weigh by their n. */
ig_figure *ig_figures_add_mean(ig_figures *figures, const char *measure, size_t from,
                               size_t to, ig_figure *const *part, size_t parts,
                               bool by_n, const char *reason);

/* Append the mean of the parts of a measure, `of`, that were appended so far. The
 * reason is that of the first, or `none` without any. */
ig_figure *ig_figures_add_mean_of(ig_figures *figures, const char *measure,
                                  const char *of, bool by_n, const char *none);

/* Make a figure one of a part by its name, which is copied. */
void ig_figures_name_part(ig_figures *figures, ig_figure *figure, const char *part);

/* The columns that a figure sums over its items, of item i (false: it does not count),
 * and what follows from their sums. Those of means and ratios are relative to the
 * value, so that sums of floats lose nothing. */
enum { IG_COLUMNS = 3 };
bool ig_figure_item(const ig_figure *figure, size_t i, double column[IG_COLUMNS]);
double ig_figure_combine(const ig_figure *figure, const double sum[IG_COLUMNS]);

/* Order the rows: by the table, those of one measure by `lang`, at last parts that are
 * no languages. ig_figures_find needs it. */
void ig_figures_sort(ig_figures *figures);

/* The figure of a measure, of the whole or of languages from 0; NULL: it was not
 * measured. O(log count). The value is NaN also where there is no such figure. */
const ig_figure *ig_figures_find(const ig_figures *figures, const ig_measure *measure,
                                 size_t from, size_t to);
const ig_figure *ig_figures_whole(const ig_figures *figures, const char *measure);
double ig_figures_value(const ig_figures *figures, const char *measure);

static inline bool ig_figure_is_whole(const ig_figure *figure)
{
    return !figure->lang[0] && !figure->lang[1];
}

static inline bool ig_figure_has_interval(const ig_figure *figure)
{
    return figure->low <= figure->high; /* false of NaN */
}

void ig_figures_free(ig_figures *figures);
