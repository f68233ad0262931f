/* A table of a report: cells of text with what they say beyond it (a heat, an emphasis,
 * a footnote), printed alike by every form of page. Memory that is short is remembered
 * and told when the table is printed. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct ig_cell {
    const char *text; /* NULL: empty */
    double heat;      /* 0 … 1 shown as a colour behind it; NaN: none */
    bool strong;      /* the best of its row */
    bool head;        /* names its row or column */
    size_t note;      /* its footnote, from 1; 0: none */
} ig_cell;

enum { IG_NOTES_MOST = 24 };

/* A zeroed struct may be freed. */
typedef struct ig_table {
    const char *caption; /* or NULL */
    bool leak;           /* heat is what should not be: another hue */
    size_t rows, cols;   /* the first row and the first column are heads */
    ig_cell *cell;       /* (rows, cols) */
    size_t notes;
    const char *note[IG_NOTES_MOST];
    ig_arena arena;
    bool failed; /* memory was short */
    ig_cell none;
} ig_table;

/* An empty table; its first row and column are heads. */
void ig_table_init(ig_table *table, size_t rows, size_t cols);

void ig_table_free(ig_table *table);

/* A cell, or one that nobody sees when there is no such cell. */
ig_cell *ig_table_cell(ig_table *table, size_t row, size_t col);

/* Set a cell's text, printf-style, and give the cell. */
ig_cell *ig_table_put(ig_table *table, size_t row, size_t col, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Set the caption, printf-style. */
void ig_table_caption(ig_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A cell without a figure: "–", and the reason as a footnote that cells with the same
 * one share. */
void ig_table_missing(ig_table *table, size_t row, size_t col, const char *reason);

#endif
