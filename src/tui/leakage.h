/* The views of the leakage panel: what is in their cells, and which sentences stand
 * behind one. Functions of the evaluation alone. */
#ifndef TUI_LEAKAGE_H
#define TUI_LEAKAGE_H

#include "draw/heat.h"
#include "measure/evaluation.h"
#include "tui/panels/sentences_panel.h"

typedef enum ig_leakage_kind {
    IG_LEAKAGE_VERDICT,   /* sentences: what the figures say */
    IG_LEAKAGE_SUMMARY,   /* all measures of all spaces */
    IG_LEAKAGE_RETRIEVAL, /* queries of the row's language in the column's */
    IG_LEAKAGE_PROBE,     /* rows of the row's language read as the column's */
    IG_LEAKAGE_POOL /* rows of the row's language whose nearest row, among those of all
                       languages together, is of the column's */
} ig_leakage_kind;

/* What a view shows the difference to: what became better, and worse. */
typedef enum ig_leakage_gain {
    IG_GAIN_NONE = 0,
    IG_GAIN_ORIGINAL,
    IG_GAIN_RUN /* another run, whose measures stand in the original's place */
} ig_leakage_gain;

typedef struct ig_leakage_view {
    const char *name; /* as the command knows it: "probe-meaning" */
    ig_leakage_kind kind;
    ig_space space;
    const char *measure; /* of its cells, or NULL: it has none */
    const char *title;   /* "top-1" */
    ig_leakage_gain gain;
} ig_leakage_view;

/* View i, or NULL past the last. */
const ig_leakage_view *ig_leakage_view_at(size_t i);

/* The view of a name or of a beginning that one name alone has, or -1. */
long ig_leakage_view_named(const char *name);

/* What a view of the difference between two runs is of: one run's measures with the
 * other's in the place of the original's. */
ig_shown_evaluation ig_leakage_versus(const ig_shown_evaluation *run,
                                      const ig_shown_evaluation *other);

/* The space that a view is of: the original as long as there is no other. Its
 * evaluation, or NULL: that is not measured either. */
ig_space ig_leakage_space(const ig_leakage_view *view,
                          const ig_shown_evaluation *measured);
const ig_evaluation *ig_leakage_evaluation(const ig_leakage_view *view,
                                           const ig_shown_evaluation *measured);

/* The figure of a cell, or NULL: there is none. */
const ig_figure *ig_leakage_figure(const ig_leakage_view *view,
                                   const ig_shown_evaluation *measured, size_t from,
                                   size_t to);

/* A cell; row or column number `languages` is the mean of those that have a figure, of
 * a retrieval. *cell comes as NaN without a mark. '~' marks what is no better than
 * chance, '=' where (nearly) all candidates tie. */
void ig_leakage_cell(const ig_leakage_view *view, const ig_shown_evaluation *measured,
                     size_t languages, size_t from, size_t to, ig_heat_cell *cell);

/* Whether it has cells at all. */
bool ig_leakage_has_matrix(const ig_leakage_view *view);

/* Whether its cells are shares of counted rows: of the probe, of the pool. */
bool ig_leakage_counts(const ig_leakage_view *view);

/* What guessing gives in a cell; NaN: not known, or there is nothing to guess. */
double ig_leakage_chance(const ig_leakage_view *view,
                         const ig_shown_evaluation *measured, size_t from, size_t to);

/* What Enter lists: "Enter: those missed". */
const char *ig_leakage_behind(const ig_leakage_view *view,
                              const ig_shown_evaluation *measured);

/* The sentences behind a cell, worst first:
 *   meaning, original   translations not found, by rank, then by how far the wrong one
 *                       is ahead
 *   language            translations still found, ties left out, by their lead
 *   xsim                wrong picks, by the lead of their margin ratio
 *   probe               tested rows that are read so, surest first
 *   pool                rows with that nearest row, by the rank of their translation
 * Equal ones by row. *list is a new one, empty when there are none: then its title says
 * so in a sentence. IG_OK or IG_NOMEM. */
ig_status ig_leakage_sentences(const ig_leakage_view *view,
                               const ig_shown_evaluation *measured, const ig_set *set,
                               size_t from, size_t to, ig_sentences *list,
                               ig_error *error);

#endif
