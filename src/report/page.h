/* A page: the blocks that a report is made of, as HTML: one file, no scripts, nothing
 * fetched. Texts are anybody's: they are escaped, and shown by graphemes, so that
 * control characters and directional overrides are seen and not obeyed. Failures are
 * remembered, the first one is the page's. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"

/* A name and a value. */
typedef struct ig_property {
    const char *name, *value;
} ig_property;

typedef struct ig_page {
    FILE *file;
    ig_status status; /* the first failure */
    ig_error *error;
} ig_page;

/* The look of it. */
extern const char ig_page_style[];

/* Remember a failure; the second is that memory was short. */
void ig_page_fail(ig_page *page, ig_status status);
void ig_page_fail_memory(ig_page *page);

/* Put a block. Nothing happens on a page that has failed. */
void ig_page_begin(ig_page *page, const char *title);
void ig_page_heading(ig_page *page, int level, const char *text); /* 2, 3 */
void ig_page_paragraph(ig_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ig_page_properties(ig_page *page, const ig_property *property, size_t count);
void ig_page_code(ig_page *page, const char *text);
void ig_page_beside(ig_page *page, bool open); /* blocks between stand side by side */
void ig_page_end(ig_page *page);

/* Put an SVG and free it. It is an image of its own (a data: URI), because the names
 * inside one SVG would collide with those of another if they were part of the page. */
void ig_page_picture(ig_page *page, char *svg, size_t size, const char *caption);

/* --- tables --- */

typedef struct ig_page_cell {
    const char *text;  /* NULL: empty */
    const char *below; /* smaller, under it; or NULL */
    double heat;       /* 0 … 1 shown as a colour behind it; NaN: none */
    bool strong;       /* the best of its row */
    bool head;         /* names its row or column */
    size_t note;       /* its footnote, from 1; 0: none */
} ig_page_cell;

enum { IG_PAGE_NOTES = 24 };

/* A zeroed struct may be freed. */
typedef struct ig_page_table {
    const char *caption; /* or NULL */
    bool leak;           /* heat is what should not be: another hue */
    size_t rows, cols;   /* the first row and the first column are heads */
    ig_page_cell *cell;  /* (rows, cols) */
    size_t notes;
    const char *note[IG_PAGE_NOTES];
    ig_arena arena;
    bool failed; /* memory was short */
    ig_page_cell none;
} ig_page_table;

/* An empty table; its first row and column are heads. */
void ig_page_table_init(ig_page_table *table, size_t rows, size_t cols);

/* A cell, or one that nobody sees when there is no such cell. */
ig_page_cell *ig_page_table_cell(ig_page_table *table, size_t row, size_t col);

/* Set a cell's text, printf-style, and give the cell. */
ig_page_cell *ig_page_table_put(ig_page_table *table, size_t row, size_t col,
                                const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Set what stands below a cell's text, printf-style. */
void ig_page_table_below(ig_page_table *table, size_t row, size_t col,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Set the caption, printf-style. */
void ig_page_table_caption(ig_page_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A cell without a figure: "–", and the reason as a footnote that cells with the same
 * one share. */
void ig_page_table_missing(ig_page_table *table, size_t row, size_t col,
                           const char *reason);

/* Put a table and free it. */
void ig_page_table_end(ig_page *page, ig_page_table *table);

#endif
