/* A document as a list of sections, built once (report/tables.h) and drawn by two
 * writers: as text for terminals, and as HTML (one file, no scripts, nothing fetched).
 * Texts are untrusted: both print them by grapheme, so that control characters and
 * directional overrides are visible but have no effect. */
#pragma once

#include "report/text_table.h"

/* A title, and what is below it in this order; each part may be missing. */
typedef struct ig_section {
    const char *title;   /* of HTML; NULL: it continues the section before */
    bool folded;         /* hidden until its title is clicked; printed, it is shown */
    const char *text;    /* a paragraph, or the caption of the picture */
    const char *picture; /* of HTML: an SVG */
    bool terms;          /* the table is a list: names, and what they are */
    ig_table table;
    const char *code;
    struct ig_section *next;
} ig_section;

/* A zeroed list is empty. It keeps the first failure. */
typedef struct ig_sections {
    ig_section *first, *last;
    ig_arena arena;   /* of the sections, and of texts and pictures */
    ig_status status; /* but of memory, which the arenas remember */
    ig_error error;
    ig_section none; /* stands for a section when memory is short */
} ig_sections;

/* Append an empty section. */
ig_section *ig_sections_add(ig_sections *sections, const char *title);

/* Append a list of terms. */
ig_table *ig_sections_add_terms(ig_sections *sections, const char *title);

/* Print it unless it failed. IG_AS_TABLE: without titles and pictures, each section
 * after a blank line, in lines of `columns` as far as that goes; ASCII without `utf8`.
 * IG_AS_MARKDOWN, IG_AS_LATEX: the tables. IG_OK, or the failure of the list. */
ig_status ig_sections_print(ig_sections *sections, FILE *out, ig_table_format format,
                            size_t columns, bool utf8, ig_error *error);

/* Write it as a page (HTML). IG_OK, IG_IO, or the failure of the list. */
ig_status ig_sections_write(const ig_sections *sections, const char *path,
                            const char *title, ig_error *error);

void ig_sections_free(ig_sections *sections);
