/* A page: the blocks that a report is made of, as HTML (one file, no scripts, nothing
 * fetched) or as Markdown, without pictures. Texts are untrusted: they are escaped and
 * printed by grapheme, so that control characters and directional overrides are visible
 * but have no effect. The page keeps the first failure. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/error.h"
#include "core/memory.h"
#include "report/text_table.h"

/* A name and a value. */
typedef struct ig_property {
    const char *name, *value;
} ig_property;

typedef struct ig_page {
    FILE *file;
    bool markdown;
    ig_status status; /* the first failure */
    ig_error *error;
} ig_page;

/* Record a failure. */
void ig_page_fail(ig_page *page, ig_status status);
void ig_page_fail_memory(ig_page *page);

/* Put a block. Nothing happens on a page that has failed. */
void ig_page_begin(ig_page *page, const char *title);
void ig_page_heading(ig_page *page, int level, const char *text); /* 2, 3 */
void ig_page_paragraph(ig_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ig_page_properties(ig_page *page, const ig_property *property, size_t count);
void ig_page_code(ig_page *page, const char *text);
void ig_page_item(ig_page *page, const char *text); /* of a list of sentences */
void ig_page_side_by_side(ig_page *page,
                          bool open); /* blocks between stand side by side */
/* What follows, up to ig_page_unfold, is hidden until the title is clicked; printed, it
 * is shown. */
void ig_page_fold(ig_page *page, const char *title);
void ig_page_unfold(ig_page *page);
void ig_page_end(ig_page *page);

/* Points of a picture whose texts appear when they are pointed at: place (2) on the
 * sheet and text of point i; false: it has none. */
typedef struct ig_page_titles {
    size_t count;
    double width, height, radius; /* of the sheet, of a point */
    bool (*title)(const void *context, size_t i, double place[2], char text[160]);
    const void *context;
} ig_page_titles;

/* Put an SVG and free it. It is an image of its own (a data: URI), because the names
 * inside one SVG would collide with those of another if they were part of the page.
 *   titles  in  or NULL */
void ig_page_picture(ig_page *page, char *svg, size_t size, const char *caption,
                     const ig_page_titles *titles);

/* Put a table and free it. */
void ig_page_table(ig_page *page, ig_table *table);

#endif
