/* The leakage panel: findings in sentences, a matrix of languages for a measure and a
 * space, or a table of all measures. Enter leads from a finding to its figures and from
 * a cell to its sentences. */
#ifndef TUI_LEAKAGE_PANEL_H
#define TUI_LEAKAGE_PANEL_H

#include "explorer/leakage.h"
#include "measure/findings.h"

/* Findings on the screen: of two runs, then of one evaluation. */
enum { IG_FINDINGS_SHOWN = 2 * IG_FINDINGS_MAX };

typedef struct ig_leakage_state {
    size_t view;
    ig_list_cursor finding;
    ig_rect paragraph[IG_FINDINGS_SHOWN]; /* screen area of each; empty: not drawn */
    ig_rect matrix;                       /* screen area of the matrix */
    ig_list_cursor row; /* of the matrix: language of the selected cell, … */
    size_t col;         /* … and the other one */
    size_t col_offset;
    ig_list_cursor measure;     /* of the table, */
    size_t space;               /* and its column */
    ig_shown_evaluation versus; /* difference of two runs, built on demand */
} ig_leakage_state;

extern const ig_panel ig_leakage_panel;

ig_leakage_state *ig_leakage_of(const ig_app *app);

/* Show the next (1) or previous (-1) view; this view. */
void ig_leakage_step(ig_app *app, int step);
void ig_leakage_show(ig_app *app, size_t view);

/* --- the table of measures -------------------------------------------------------- */

/* Table of measures by space, all or of one language pair. */
typedef struct ig_measure_table {
    bool pair;              /* only those of a matrix cell */
    bool main;              /* only the main ones */
    ig_leakage_kind kind;   /* its kind */
    size_t from, to;        /* row and column language of the cell */
    ig_list_cursor *cursor; /* selected line of the full table */
    ig_space space;         /* selected column */
    bool focused;
} ig_measure_table;

/* Number of lines, without the head. */
size_t ig_measure_table_lines(const ig_app *app, const ig_measure_table *table);

/* The measure of a line, or NULL past the last. */
const ig_measure *ig_measure_table_at(const ig_app *app, const ig_measure_table *table,
                                      size_t line);

/* Draw it; a cell's table is cut to fit. Needs an evaluation. */
void ig_measure_table_draw(ig_app *app, ig_rect rect, const ig_measure_table *table);

/* "95% 96.4 to 97.8": an interval, or "". */
const char *ig_measure_interval_text(const ig_figure *figure, bool ascii, char out[80]);

/* Description of a measure in a space, or why it has no figure. */
void ig_measure_about_draw(ig_app *app, ig_rect at, const ig_measure *measure,
                           ig_space space);

/* Append all figures to a table: measure, spaces. */
void ig_measure_table_put(ig_table_file *t, const ig_app *app);

#endif
