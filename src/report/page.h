/* A page: the blocks a report is made of, printed by a form (HTML, Markdown). What is
 * said is decided once, by whoever puts the blocks; the forms only print it, so that
 * they never differ. Failures are remembered: the first one is the page's. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "report/report.h"
#include "report/table.h"

typedef struct ig_page ig_page;

/* How a form prints each block; texts are anybody's and not yet escaped. */
typedef struct ig_page_form {
    void (*begin)(ig_page *page, const char *title);
    void (*heading)(ig_page *page, int level, const char *text); /* 2, 3 */
    void (*paragraph)(ig_page *page, const char *text);
    void (*facts)(ig_page *page, const ig_report_fact *fact, size_t facts);
    void (*table)(ig_page *page, const ig_table *table);
    void (*picture)(ig_page *page, const char *svg, size_t size, const char *caption);
    void (*code)(ig_page *page, const char *text);
    void (*beside)(ig_page *page, bool open); /* blocks between stand side by side */
    void (*end)(ig_page *page);
    /* What a byte is written as when it means something to the form, or NULL. */
    const char *(*mark)(char c);
} ig_page_form;

/* A picture that the form prints later. */
typedef struct ig_page_kept {
    struct ig_page_kept *next;
    char *svg;
    size_t size;
} ig_page_kept;

struct ig_page {
    const ig_page_form *form;
    FILE *file;
    ig_status status; /* the first failure */
    ig_error *error;
    ig_arena arena; /* of the block being printed */
    size_t pictures;
    ig_page_kept *kept, **kept_end;
};

extern const ig_page_form ig_page_html, ig_page_markdown;

/* The look of the HTML form. */
extern const char ig_page_style[];

/* Put a block. Nothing happens on a page that has failed. */
void ig_page_begin(ig_page *page, const char *title);
void ig_page_heading(ig_page *page, int level, const char *text);
void ig_page_paragraph(ig_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ig_page_facts(ig_page *page, const ig_report_fact *fact, size_t facts);
void ig_page_code(ig_page *page, const char *text);
void ig_page_beside(ig_page *page, bool open);
void ig_page_end(ig_page *page);

/* Put a table and free it. */
void ig_page_table(ig_page *page, ig_table *table);

/* Put an SVG, which becomes the page's. */
void ig_page_picture(ig_page *page, char *svg, size_t size, const char *caption);

/* Remember a failure. */
void ig_page_fail(ig_page *page, ig_status status);

/* Release what the page holds. */
void ig_page_free(ig_page *page);

/* --- for the forms --- */

/* A text as the form may write it, valid until the next block: by graphemes, so that
 * control characters and directional overrides are seen and not obeyed, with the form's
 * marks. `lines`: line ends are kept. "" when memory is short. */
const char *ig_page_text(ig_page *page, const char *text, bool lines);

/* The same for the inside of a line; NULL is an empty one. */
const char *ig_page_safe(ig_page *page, const char *text);

/* Bytes as base64. */
void ig_page_base64(FILE *file, const char *bytes, size_t size);

#endif
