/* A page: the blocks that a document is made of, written for a terminal (labelled lines
 * and tables), as Markdown without pictures or as HTML (one file, no scripts, nothing
 * fetched). Texts are untrusted: they are escaped and printed
 * by grapheme, so that control characters and directional overrides are visible but
 * have no effect. The page keeps the first failure. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/text_table.h"

typedef struct ig_page {
    FILE *file;
    ig_table_format format;
    size_t columns;   /* of a terminal, … */
    bool utf8;        /* … and whether it shows UTF-8 */
    bool terms;       /* a list of terms is open */
    ig_status status; /* the first failure */
    ig_error *error;
} ig_page;

/* Record that memory is short. */
void ig_page_fail_memory(ig_page *page);

/* A term and its text: a labelled line of a terminal, an item of a list elsewhere. */
void ig_page_term(ig_page *page, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A list of terms; and a table, which is freed. */
void ig_page_terms(ig_page *page, const ig_table *terms);
void ig_page_table(ig_page *page, ig_table *table);

/* Of pages alone: */
void ig_page_begin(ig_page *page, const char *title);
void ig_page_heading(ig_page *page, int level, const char *text); /* 2, 3 */
void ig_page_paragraph(ig_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ig_page_code(ig_page *page, const char *text);
void ig_page_item(ig_page *page, const char *text); /* of a list of sentences */
void ig_page_side_by_side(ig_page *page,
                          bool open); /* blocks between stand side by side */
/* What follows, up to ig_page_unfold, is hidden until the title is clicked; printed, it
 * is shown. */
void ig_page_fold(ig_page *page, const char *title);
void ig_page_unfold(ig_page *page);
void ig_page_end(ig_page *page);

/* Put a picture of HTML. It is an image of its own (a data: URI), because the names
 * inside one SVG would collide with those of another if they were part of the page.
 * Between begin and end stand points that show a text when they are pointed at, at a
 * place on a sheet of width × height, or none (width 0). */
void ig_page_picture_begin(ig_page *page, const char *svg, size_t size,
                           const char *caption, double width, double height);
void ig_page_picture_point(ig_page *page, const double place[2], const char *text);
void ig_page_picture_end(ig_page *page, const char *caption, double width);

#endif
