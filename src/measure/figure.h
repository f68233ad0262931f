/* Figures are rows, and measures are a table. A measure computes its result and appends
 * rows (ig_family.append); what outputs print are these rows and, of each measure, its
 * line of the one table in measure/measures.c. No output knows a measure by name.
 *
 * A new figure is a line of that table and a row that its family appends. */
#ifndef MEASURE_FIGURE_H
#define MEASURE_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* The groups of measures, in the order in which they are computed and shown: a member
 * of ig_evaluation of the type ig_<member>, a bit IG_MEASURE_<NAME>, and the figures
 * that ig_<member>_family appends. */
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

enum { IG_FAMILIES(IG_FAMILY_NUMBER) IG_FAMILY_COUNT };

/* Which groups to take. */
enum { IG_FAMILIES(IG_FAMILY_BIT) IG_MEASURE_ALL = (1 << IG_FAMILY_COUNT) - 1 };

/* --- the table of measures -------------------------------------------------------- */

/* How a figure is written. */
typedef enum ig_unit {
    IG_UNIT_NUMBER, /* as it is */
    IG_UNIT_SHARE,  /* 0 … 1: a percentage for readers, a fraction for programs */
    IG_UNIT_RANK,   /* from 1 */
    IG_UNIT_COUNT   /* a whole number */
} ig_unit;

/* Spaces as this room counts them: those of ig_space in the same order. */
enum { IG_MEASURE_SPACES = 3 };

/* One measure: a line of the table. */
typedef struct ig_measure {
    const char *name;   /* "top1": in every output, and for --measures */
    const char *label;  /* "retrieval top-1" */
    const char *brief;  /* the same where there is little room: "top-1" */
    const char *about;  /* its definition in a sentence */
    const char *source; /* tag of a paper ("wang; bias eq.8"), or NULL: ours */
    int family;         /* IG_FAMILY_… */
    ig_unit unit;
    int decimals; /* to write it with; of a share: of the percentage */
    /* In the original, the meaning and the language space: 1 greater is better,
     * −1 smaller, 0 neither. */
    signed char better[IG_MEASURE_SPACES];
    bool quiet; /* tables leave it out where it is 0 or missing in all spaces */
    bool parts; /* it has figures of languages or components alone, none of the whole */
    /* Reports show its figures of two languages as a matrix: 1 of the meanings, 2 of
     * all spaces, 3 in text, too. */
    int matrix;
} ig_measure;

/* Measure i in the order of the table, or NULL past the last; the measure of a name, or
 * NULL. */
const ig_measure *ig_measure_at(size_t i);
const ig_measure *ig_measure_named(const char *name);

/* --- what a figure is made of ----------------------------------------------------- */

/* How a figure follows from the values of its items, for its interval: a static table's
 * entry, read with the result of the measure's group. */
typedef struct ig_items {
    enum {
        IG_OF_MEAN,     /* the mean of a value, or what follows from two or three */
        IG_OF_MEDIAN,   /* the median of a value */
        IG_OF_PEARSON,  /* the correlation of two values */
        IG_OF_SPEARMAN, /* the same of their ranks */
        IG_OF_PARTS,    /* the mean of other figures of the measure */
        IG_OF_LEAST     /* the least of them */
    } how;
    double (*value[3])(const void *result, size_t item); /* NaN: it does not count */
    double (*follows)(const void *result, const double *mean); /* NULL: mean[0] */
    uint32_t (*row)(const void *result, size_t item); /* of the source: items are drawn
                                with all of its meaning; NULL: each by itself */
    const char *parts; /* measure of the other figures; NULL: the same */
    bool binary;       /* each value is 0 or 1: differences have McNemar's test */
} ig_items;

extern const ig_items ig_items_of_parts; /* the mean over its own parts */

/* --- figures ---------------------------------------------------------------------- */

enum { IG_DRAWS = 1000 }; /* of the bootstrap */

/* One figure. */
typedef struct ig_figure {
    const char *run, *version; /* NULL: of the data themselves */
    int space;                 /* ig_space */
    const ig_measure *measure;
    const char *from, *to; /* languages, or a part in `from` (a kind of scored pairs,
                              a component); NULL: all */
    size_t n;              /* items that count: queries, rows, pairs */
    double value;          /* NaN: it cannot be computed, and `reason` says why */
    double chance;         /* what guessing gives; NaN: not known */
    double low, high;      /* 95% interval; NaN: there is none */
    const char *reason;    /* NULL unless the value is NaN */

    uint16_t lang[2];       /* numbers of from and to, from 1; 0: all */
    const ig_items *column; /* NULL: it has no interval */
    size_t first, items;    /* its items of the result */
    float *draw; /* (IG_DRAWS) of a figure of the whole that has an interval, or NULL */
} ig_figure;

/* Rows in the order of the table, those of one measure by `lang`, those of parts that
 * are no languages last. A zeroed struct is empty, and may be freed. */
typedef struct ig_figures {
    ig_figure *row;
    size_t count, room;
    const char *const *language; /* names of the languages, or NULL: not known */
    const uint8_t *unseen; /* (languages) 1: not trained on; NULL: all are, or that is
                              not known */
    bool failed;           /* memory was short */
    ig_figure lost;        /* written in place of a row that had no room */
} ig_figures;

/* Append a row: of the whole; of languages `from` and `to` (IG_ALL_LANGUAGES: of all);
 * of a part by its name, which is copied. The value NaN keeps `reason` (NULL: "it
 * cannot be computed"). Returns the row, to be filled in before the next is
 * appended. */
#define IG_ALL_LANGUAGES SIZE_MAX
ig_figure *ig_figures_add(ig_figures *figures, const char *measure, double value,
                          const char *reason);
ig_figure *ig_figures_add_languages(ig_figures *figures, const char *measure,
                                    size_t from, size_t to, double value,
                                    const char *reason);
ig_figure *ig_figures_add_part(ig_figures *figures, const char *measure,
                               const char *part, double value, const char *reason);

/* A figure of the whole that is a field of a result: where its value is, what guessing
 * gives, why it is NaN, and how many items count (offsets; 0: nowhere, the group's). */
typedef struct ig_figure_line {
    const char *measure;
    size_t at, chance_at, reason_at, n_at;
    const char *missing; /* why it is NaN where nothing else says so */
    ig_items column;
} ig_figure_line;

/* Append rows of such figures, in this order.
 *   n       in  items that count, where a line has no n_at
 *   items   in  items of the result
 *   reason  in  why the group has no figures, or NULL */
void ig_figures_add_lines(ig_figures *figures, const ig_figure_line *line, size_t lines,
                          const void *result, size_t n, size_t items,
                          const char *reason);

/* The figure of a measure, of the whole or of languages from 0; NULL: it was not
 * measured. O(log count). */
const ig_figure *ig_figures_find(const ig_figures *figures, const ig_measure *measure,
                                 size_t from, size_t to);
const ig_figure *ig_figures_whole(const ig_figures *figures, const char *measure);

/* Its value, NaN also where there is no such figure. */
double ig_figures_value(const ig_figures *figures, const char *measure);

static inline bool ig_figure_is_whole(const ig_figure *figure)
{
    return !figure->lang[0] && !figure->lang[1];
}

static inline bool ig_figure_is_pair(const ig_figure *figure)
{
    return figure->lang[0] && figure->lang[1] && figure->lang[0] < UINT16_MAX;
}

/* Whether there is an interval. */
bool ig_figure_has_interval(const ig_figure *figure);

/* Move the rows of `part` into `into`, in order; `part` is empty then. */
void ig_figures_join(ig_figures *into, ig_figures *part);

void ig_figures_free(ig_figures *figures);

#endif
