/* Tables of texts: built once, printed for terminals, papers and pages (report/page.h).
 * A table remembers an allocation failure in its arena. */
#ifndef REPORT_TEXT_TABLE_H
#define REPORT_TEXT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/error.h"
#include "core/memory.h"

typedef struct ig_table_cell {
    const char *text;  /* NULL: empty */
    const char *below; /* smaller, under it; or NULL */
    int heat;          /* 1 … IG_TABLE_HEATS: a colour behind it; 0: none */
    bool strong;       /* the best of its row */
} ig_table_cell;

enum { IG_TABLE_HEATS = 11 };

/* A zeroed struct may be freed. */
typedef struct ig_table {
    const char *caption; /* or NULL */
    bool leak;           /* heat is what should not be: another hue */
    bool wraps;          /* of sentences, which pages break into lines */
    size_t rows, cols;   /* the first row and the first column are heads */
    size_t first, last;  /* leading and trailing columns that stand in each part of a
                            table that is too wide for a terminal */
    ig_table_cell *cell; /* (rows, cols) */
    ig_arena arena;
    ig_table_cell none;
} ig_table;

/* An empty table. */
void ig_table_init(ig_table *table, size_t rows, size_t cols);

/* A cell, or a dummy if out of range. */
ig_table_cell *ig_table_cell_at(ig_table *table, size_t row, size_t col);

/* A text that the table owns, printf-style. */
const char *ig_table_text_of(ig_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Set a cell's text, printf-style, and give the cell. */
ig_table_cell *ig_table_put(ig_table *table, size_t row, size_t col, const char *format,
                            ...) __attribute__((format(printf, 4, 5)));

void ig_table_free(ig_table *table);

/* Columns of a terminal that it takes. */
size_t ig_table_width(const ig_table *table);

/* Print it for a terminal, in parts of at most `columns` where it is wider: numbers to
 * the right, what is below on a line of its own; ASCII without `utf8`. IG_OK or
 * IG_NOMEM. */
ig_status ig_table_print(const ig_table *table, FILE *out, size_t columns, bool utf8,
                         ig_error *error);

/* Print a text of a table as ig_table_print does. */
void ig_table_print_text(FILE *out, const char *text, bool utf8);

/* Print words from column `indent` on, broken before `width`, and end the line; control
 * characters made visible. */
void ig_text_wrap(FILE *out, const char *text, size_t indent, size_t width);

/* Write a text of Markdown or LaTeX, by graphemes as terminals show it. */
void ig_table_quote(FILE *out, const char *text, bool latex);

/* Print it as Markdown or LaTeX (booktabs), what is below in parentheses. IG_OK or
 * IG_NOMEM. */
ig_status ig_table_markup(const ig_table *table, FILE *out, bool latex,
                          ig_error *error);

#endif
