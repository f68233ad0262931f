/* Tables of typed cells: built once, row after row, and printed for terminals, papers
 * (Markdown, LaTeX), pages (tables.h) and programs (CSV, JSON). A zeroed table is
 * empty; it remembers an allocation failure in its arena. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "core/error.h"
#include "core/memory.h"

/* Formats of tables and documents. */
typedef enum ig_table_format {
    IG_AS_TABLE, /* for a terminal */
    IG_AS_CSV,
    IG_AS_JSON,
    IG_AS_MARKDOWN,
    IG_AS_LATEX
} ig_table_format;

typedef enum ig_table_cell_type {
    IG_CELL_TEXT,
    IG_CELL_NUMBER,
    IG_CELL_COUNT
} ig_table_cell_type;

typedef struct ig_table_cell {
    const char *text;  /* also in place of a number; or NULL */
    const char *below; /* smaller, under it; or NULL */
    double number;     /* of a number or count; not finite: missing */
    ig_table_cell_type type;
    unsigned char heat; /* 1 … IG_TABLE_HEATS: a colour behind it; 0: none */
    bool best;          /* of its column: bold, on a terminal after an asterisk */
    bool label;         /* a head that is saved as "label_NAME" if another is NAME */
} ig_table_cell;

enum { IG_TABLE_HEATS = 11 };

typedef struct ig_table {
    const char *caption; /* or NULL */
    const char *source;  /* or NULL: saved after the caption, as fields in each row */
    bool matrix;         /* of languages: cells have heat, … */
    bool leak;           /* … which should not be: another hue */
    int digits;          /* significant digits of numbers; 0: 7, in papers 4 */
    size_t first, last;  /* leading and trailing columns that stand in each part of a
                            table that is too wide for a terminal; first 0: it has no
                            parts */
    size_t cols;         /* of the first row, which has the heads */
    bool flushed;        /* a part was printed */
    size_t cells, room;  /* cells that are filled and allocated */
    ig_table_cell *cell; /* (rows, cols) */
    ig_arena arena;
    ig_table_cell none; /* stands for a cell when memory is short */
} ig_table;

/* Append a cell: a text, which must outlive the table; a text printf-style; a number; a
 * count. The pointer is valid until the next one is appended. */
ig_table_cell *ig_table_text(ig_table *table, const char *text);
#define ig_table_add(table, ...)                                                       \
    ig_table_text(table, ig_table_text_of(table, __VA_ARGS__))
ig_table_cell *ig_table_number(ig_table *table, double number);
ig_table_cell *ig_table_count(ig_table *table, size_t n);

/* Append heads, separated by blanks. */
void ig_table_heads(ig_table *table, const char *heads);

/* End a row; the first one determines the number of columns, to which others are filled
 * with empty cells. */
void ig_table_end_row(ig_table *table);

/* Append a row of a list of terms: a name, which must outlive it, and a text. */
void ig_terms_add(ig_table *terms, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A text that the table owns, printf-style. */
const char *ig_table_text_of(ig_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void ig_table_free(ig_table *table);

/* Print it for a terminal, in parts of at most `columns` where it is wider: numbers to
 * the right, what is below on a line of its own; ASCII without `utf8`. Of a matrix that
 * is wider, only the caption; 0 columns, of a pipe: all in one part. */
void ig_table_print(ig_table *table, FILE *out, size_t columns, bool utf8);

/* Print it as Markdown or LaTeX (booktabs), what is below in parentheses; `texts`:
 * columns to the left. */
void ig_table_markup(const ig_table *table, FILE *out, bool latex, bool texts);

/* Print the rows as fields (IG_AS_CSV) with a delimiter, the first time with the heads;
 * or those below the heads as JSON objects (IG_AS_JSON) separated by commas; then drop
 * them: a table of any length is printed in parts. Missing texts and numbers are empty
 * fields or null. */
void ig_table_flush(ig_table *table, FILE *out, ig_table_format format, char delimiter);

/* Write it to a file of its type: .tsv, .json (a list of objects), .md, .tex, else CSV.
 * IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_table_save(ig_table *table, const char *path, ig_error *error);

/* Print words from column `indent` on, broken before `width` (0: 80) but not at U+00A0,
 * and end the line; control characters made visible. */
void ig_text_wrap(FILE *out, const char *text, size_t indent, size_t width, bool utf8);
