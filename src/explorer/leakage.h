/* The views of the leakage panel: their cells and the sentences behind each. Pure
 * functions of the evaluation. */
#ifndef TUI_LEAKAGE_H
#define TUI_LEAKAGE_H

#include "explorer/panels/rows_panel.h"
#include "measure/evaluation.h"
#include "view/heat.h"

typedef enum ig_leakage_kind {
    IG_LEAKAGE_FINDINGS,  /* findings in sentences */
    IG_LEAKAGE_SUMMARY,   /* the main measures, or all, of all spaces */
    IG_LEAKAGE_RETRIEVAL, /* queries of the row's language in the column's */
    IG_LEAKAGE_PROBE,     /* rows of the row's language read as the column's */
    IG_LEAKAGE_POOL       /* rows whose nearest pool row is of the column's language */
} ig_leakage_kind;

/* The baseline of a difference view. */
typedef enum ig_leakage_gain {
    IG_GAIN_NONE = 0,
    IG_GAIN_ORIGINAL,
    IG_GAIN_RUN /* another run, in place of the original */
} ig_leakage_gain;

typedef struct ig_leakage_view {
    const char *name; /* as the command knows it: "probe-meaning" */
    ig_leakage_kind kind;
    ig_space space;
    const char *measure; /* measure of its cells, or NULL: no matrix */
    const char *title;   /* "top-1" */
    ig_leakage_gain gain;
} ig_leakage_view;

/* View i, or NULL past the last. */
const ig_leakage_view *ig_leakage_view_at(size_t i);

/* The view with a name. */
size_t ig_leakage_view_named(const char *name);

/* The evaluation of a two-run difference view: one run's measures, with the other's in
 * place of the original's. */
ig_shown_evaluation ig_leakage_versus(const ig_shown_evaluation *run,
                                      const ig_shown_evaluation *other);

/* The space of a view, which is the original as long as there is no other; and its
 * evaluation, or NULL: not measured. */
ig_space ig_leakage_space(const ig_leakage_view *view,
                          const ig_shown_evaluation *measured);
const ig_evaluation *ig_leakage_evaluation(const ig_leakage_view *view,
                                           const ig_shown_evaluation *measured);

/* The figure of a cell, or NULL: there is none. */
const ig_figure *ig_leakage_figure(const ig_leakage_view *view,
                                   const ig_shown_evaluation *measured, size_t from,
                                   size_t to);

/* A cell; row or column number `languages` is the mean of the others in a retrieval
 * view. *cell is initially NaN without a mark. '~' marks a value no better than chance,
 * '=' one where (nearly) all candidates tie. */
void ig_leakage_cell(const ig_leakage_view *view, const ig_shown_evaluation *measured,
                     size_t languages, size_t from, size_t to, ig_heat_cell *cell);

/* Whether its cells are shares of counted rows: of the probe, of the pool. */
bool ig_leakage_counts(const ig_leakage_view *view);

/* Whether its cells are errors by ratio margin, not by cosine. */
bool ig_leakage_picks(const ig_leakage_view *view);

/* The list that Enter opens: "Enter: list missed". */
const char *ig_leakage_behind(const ig_leakage_view *view,
                              const ig_shown_evaluation *measured);

/* The sentences behind a cell, those of the greatest value first, then by row:
 *   meaning, original   translations not found, by rank
 *   language            translations found, without ties, by their lead in cosine
 *   probe               tested rows that are read so, by the probe's certainty
 *   pool                rows with that nearest row, by the rank of their translation
 * *list is a new one; if it is empty, its title says what there is none of. IG_OK or
 * IG_NOMEM. */
ig_status ig_leakage_sentences(const ig_leakage_view *view,
                               const ig_shown_evaluation *measured,
                               const ig_dataset *set, size_t from, size_t to,
                               ig_sentences *list, ig_error *error);

#endif
