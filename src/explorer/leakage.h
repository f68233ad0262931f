/* The views of the leakage panel, and the sentences behind a cell of a matrix. */
#ifndef TUI_LEAKAGE_H
#define TUI_LEAKAGE_H

#include "explorer/panels/rows_panel.h"
#include "measure/evaluation.h"

typedef enum ig_leakage_kind {
    IG_LEAKAGE_FINDINGS,  /* findings in sentences */
    IG_LEAKAGE_SUMMARY,   /* the main measures, or all, of all spaces */
    IG_LEAKAGE_RETRIEVAL, /* queries of the row's language in the column's */
    IG_LEAKAGE_PROBE,     /* rows of the row's language read as the column's */
    IG_LEAKAGE_POOL       /* rows whose nearest pool row is of the column's language */
} ig_leakage_kind;

/* What the figures of a view are less. */
typedef enum ig_leakage_gain {
    IG_GAIN_NONE = 0,
    IG_GAIN_ORIGINAL,
    IG_GAIN_RUN /* the meaning embeddings of another run */
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

/* The list that Enter opens in a space: "Enter: list missed". */
const char *ig_leakage_behind(const ig_leakage_view *view, ig_space space);

/* The sentences behind a cell, of the greatest value first:
 *   meaning, original   translations not found, by rank
 *   language            translations found, without ties, by their lead in cosine
 *   probe               tested rows that are read so, by the probe's certainty
 *   pool                rows with that nearest row, by the rank of their translation
 * *list is a new one; if it is empty, its title says what there is none of. IG_OK or
 * IG_NOMEM. */
ig_status ig_leakage_sentences(const ig_leakage_view *view, ig_space space,
                               const ig_shown_evaluation *measured,
                               const ig_dataset *set, size_t from, size_t to,
                               ig_sentences *list, ig_error *error);

#endif
