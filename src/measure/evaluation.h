/* The evaluation: every measure of one space by one call, so that the command, the
 * explorer and the report show the same numbers. Figures are rows (measure/figure.h,
 * METHODS.md); what panels read of single rows is in structs, by row of the source.
 * Where figures are NaN a static `reason` says why; else it is NULL. */
#pragma once

#include "core/scan.h"
#include "data/pairs.h"
#include "measure/embeddings.h"

/* Uniformity above which the rows are nearly one point: the mean squared distance of
 * two is under 0.01, and any cosine near 1. */
#define IG_UNIFORMITY_POINT (-0.02)

/* Share of ties above which ranks, and nearest rows, are meaningless. */
#define IG_NEARLY_ALL 0.999

/* Means leave out directions with fewer, unless all have. */
enum { IG_FEW_CANDIDATES = 20 };

/* --- what panels read ------------------------------------------------------------- */

/* One query of the multilingual pool. */
typedef struct ig_pool_row {
    uint32_t row;
    uint32_t hub;  /* rows that have it among their ten nearest */
    float density; /* mean cosine similarity to its ten nearest */
    float purity;  /* of the ten nearest rows of other meanings, the share of the same
                         language; NaN: there are none */
} ig_pool_row;

typedef struct ig_multilingual_pool {
    size_t rows;
    ig_pool_row *found; /* (rows) in their order, or NULL: no figures at all */
    size_t copies;      /* rows whose nearest one is equal, of their language */
} ig_multilingual_pool;

#define IG_COPIES                                                                      \
    "rows are copies of others of the same language, which nearest neighbours find"

/* Weight of what rows do to the figures of those that they are near to, in intervals.
 * All of it would count pairs of rows twice (Efron, Stein 1981); with three quarters
 * intervals have their coverage (make check-science). */
#define IG_AS_NEIGHBOUR 0.75

/* One query of one direction of retrieval. */
typedef struct ig_query_result {
    uint32_t query, truth; /* rows; of several translations the nearest … */
    uint32_t targets;      /* … of so many */
    uint32_t rank;         /* of truth: 1 + the candidates of greater cosine */
    uint32_t other; /* the best candidate that is no translation (ties: the lower row);
                       the query itself when there is none */
    uint32_t pick;  /* what margin-ratio retrieval finds */
    float cosine, margin;    /* of truth; less that of other, NaN: there is none */
    float lead;              /* of other over the next that is none; 0: there is none */
    float ratio, pick_ratio; /* margin ratios of truth and of pick */
    int8_t common;       /* meanings that the five nearest rows of query and of truth,
                             each in its own language, share */
    int8_t ratio_first;  /* a translation comes first by the margin ratio */
    int8_t wrong_pick;   /* pick is no translation, nor has the meaning of truth */
    int8_t mutual;       /* query and truth, one row on either side, are each strictly
                             nearest to the other; −1 of these four: none */
    bool csls_first : 1; /* … by CSLS */
    bool tied : 1;       /* truth ties with a candidate that is no translation */
} ig_query_result;

/* One direction: an ordered pair of languages. */
typedef struct ig_retrieval_score {
    uint16_t from, to; /* languages of the queries and of the candidates */
    size_t pairs; /* queries: rows with a translation; of a sample, the drawn ones */
    size_t candidates;
    double targets; /* mean number of translations of a query */
    double tied;  /* share whose translation ties with another row: near 1, if all do */
    size_t first; /* its queries are found[first … first + pairs) */
    const char *reason; /* why ranks say nothing: there is one candidate, or (nearly)
                           all translations tie with others, as in the language
                           embeddings of `centre`, which makes every rank 1; or NULL */
} ig_retrieval_score;

typedef struct ig_retrieval {
    size_t count;              /* directions that have pairs */
    ig_retrieval_score *score; /* (count) by (from, to) */
    size_t queries;
    ig_query_result *found; /* (queries) by score, within one in the order of rows */
    bool sampled;           /* queries are those of a sample */
    size_t blind;           /* directions without ranks: all candidates tie */
    const char *reason;     /* why no direction has ranks */
} ig_retrieval;

/* --- all -------------------------------------------------------------------------- */

/* Measures of one space, those in `taken`. A zeroed struct may be freed. */
typedef struct ig_evaluation {
    unsigned taken; /* IG_MEASURE_… */
    ig_multilingual_pool multilingual_pool;
    ig_retrieval retrieval;
    const char *unread;     /* why the probe of unit rows reads nothing, or NULL */
    size_t zero_rows;       /* of length 0, where all pairs of rows are scanned */
    ig_query_sample sample; /* the sampled queries; rows 0: all rows */
    ig_figures figures;     /* of all groups */
    ig_arena arena;         /* of the arrays above */
} ig_evaluation;

/* The column to transfer: the first of the set whose labels repeat (at most 1,000
 * different ones, or 20 numbers, and 8 rows of each in the mean), or NULL. */
const ig_label *ig_label_to_transfer(const ig_dataset *set);

/* The spec of all measures of a subset, which must outlive it. Probes also learn from
 * the rest of the dataset where the subset is all held-out (or all training) ids, no
 * sample. Nothing is copied. */
ig_evaluation_spec ig_evaluation_spec_of(const ig_dataset *set, const ig_subset *subset,
                                         uint64_t seed);

/* Compute the measures of one space.
 *   rows   in  (N, d) the source; read once
 *   watch  in  or NULL; its work is in flops, about ig_evaluation_work in all
 *   evaluation  out  replaced; free it with ig_evaluation_free
 * IG_OK (undefined figures are NaN with a reason: no pairs, no scores, …), IG_NOMEM,
 * IG_VALUE (not finite) or IG_INTERRUPTED; *evaluation is empty unless IG_OK. */
ig_status ig_evaluation_take(ig_evaluation *evaluation, const ig_rows *rows,
                             const ig_evaluation_spec *subject, ig_pool *pool,
                             ig_progress *watch, ig_error *error);
double ig_evaluation_work(const ig_rows *rows, const ig_evaluation_spec *subject);
void ig_evaluation_free(ig_evaluation *evaluation);

/* --- groups ----------------------------------------------------------------------- */

/* A group of measures: figures of one space computed together (src/README.md). */
typedef struct ig_measure_group {
    const char *word; /* for --measures */
    unsigned needs;   /* IG_NEEDS_… */

    /* Append figures to out->figures, in any order, and in `out` what panels read.
     * The caller checks whether memory was short or the watch cancels. IG_OK (undefined
     * figures are NaN with a reason) or IG_VALUE (not finite). */
    ig_status (*measure)(const ig_embeddings *e, ig_evaluation *out);

    /* Instead, of a group that looks at all pairs of rows: what sees the scan, which
     * groups share, with its state in out->figures.brief, and what then measures. */
    ig_consumer (*join)(const ig_embeddings *e, const ig_scan *scan,
                        ig_evaluation *out);
    void (*finish)(void *state, ig_evaluation *out);
} ig_measure_group;

/* The groups by IG_GROUP_…. */
extern const ig_measure_group *const ig_measure_groups[IG_GROUP_COUNT];

#define IG_DECLARE_GROUP(member, NAME)                                                 \
    extern const ig_measure_group ig_##member##_group;
IG_MEASURE_GROUPS(IG_DECLARE_GROUP)

/* Append a figure of all rows, its items by meaning; its caller fills in item[]. */
ig_figure *ig_figures_add_rows(ig_figures *figures, const char *measure, ig_combine how,
                               const ig_embeddings *e);

/* Append the shares of each language's rows that are counted as every other: count
 * (k, k). Chance is the share of the other's rows among all that a row may be counted
 * as (`pooled`), or that of all rows that are counted so. */
void ig_figures_add_counts(ig_figures *figures, const char *measure,
                           const size_t *count, size_t k, bool pooled);

/* --- chosen by name --------------------------------------------------------------- */

/* Measures that are chosen by their names, or by those of their groups. */
typedef struct ig_measure_choice {
    bool all;          /* "all": what can be measured, but what is chosen by name */
    unsigned measures; /* IG_MEASURE_… of their groups */
    size_t count;
    const ig_measure *measure[IG_CHOICE_MAX]; /* (count) in the list's order */
} ig_measure_choice;

/* Read a list such as "retrieval,pearson": words of groups (all figures of each), names
 * of measures, "all". IG_OK, or IG_USAGE with a sentence that begins with `label`. */
ig_status ig_measures_choose(ig_measure_choice *choice, const char *label,
                             const char *list, ig_error *error);

/* Remove the figures of other measures. */
void ig_figures_choose(ig_figures *figures, const ig_measure_choice *choice);

/* A finding in a sentence: retrieval, the change by a run, leakage. */
enum { IG_TONE_PLAIN, IG_TONE_GOOD, IG_TONE_BAD, IG_TONE_CHANCE };
enum { IG_FINDINGS_MAX = 13 };

typedef struct ig_finding {
    char text[480];
    int tone;         /* IG_TONE_…: beyond the interval, or at chance */
    const char *view; /* a view or measure that shows more of it, or NULL */
    const char *kind; /* the same text, but for its figures and space */
} ig_finding;

/* The findings, most important first; returns their number.
 *   space  in  (spaces) evaluations by ig_space, NULL: not measured, of the original: 0
 *   other  in  (spaces) those of another, `run`, compared with, or NULL: the original
 *   fitted in  to the rows, so not praised: 1: the method, as findings say; 2: run */
size_t ig_findings_make(ig_finding out[IG_FINDINGS_MAX],
                        const ig_evaluation *const *space,
                        const ig_evaluation *const *other, const char *run, int fitted);
