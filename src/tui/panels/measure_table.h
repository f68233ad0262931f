/* The table of the leakage panel: measures by space, all of them or those of one pair
 * of languages; and what a measure says. */
#ifndef TUI_MEASURE_TABLE_H
#define TUI_MEASURE_TABLE_H

#include "tui/app.h"
#include "tui/leakage.h"
#include "tui/list_cursor.h"

/* Which measures, and what of them. Zeroed: all. */
typedef struct ig_measure_table {
    bool pair;                    /* those of a cell of a matrix alone, … */
    ig_leakage_kind kind;         /* … of which kind, … */
    size_t from, to;              /* … in the row and the column of these languages */
    const ig_list_cursor *cursor; /* where the table is of all: its lines … */
    ig_space space;               /* … and the selected column */
    bool focused;
} ig_measure_table;

/* Its lines, without the head. */
size_t ig_measure_table_lines(const ig_app *app, const ig_measure_table *table);

/* The measure of a line, or NULL past the last. */
const ig_measure *ig_measure_table_at(const ig_app *app, const ig_measure_table *table,
                                      size_t line);

/* Draw it; that of a cell is cut where it does not fit. Takes an evaluation. */
void ig_measure_table_draw(ig_app *app, ig_rect rect, const ig_measure_table *table);

/* "95% 96.4 to 97.8": an interval, or "". */
const char *ig_measure_interval_text(const ig_figure *figure, bool ascii, char out[80]);

/* What a measure says of a space, or why it has no figure there. */
void ig_measure_about_draw(ig_app *app, ig_rect at, const ig_measure *entry,
                           ig_space space);

/* Append all of them to a table: measure, spaces. */
void ig_measure_table_put(ig_table_file *t, const ig_app *app);

#endif
