/* What the formats of a document (report/document.h) share: tables, and its sections,
 * built once and drawn by two writers, as text for terminals and as HTML (one file, no
 * scripts, nothing fetched). Texts are untrusted: both print them by grapheme, so that
 * control characters and directional overrides are visible but have no effect. */
#pragma once

#include "measure/pivot.h"
#include "report/document.h"

/* --- sections --------------------------------------------------------------------- */

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

/* Print it unless it failed, and free it. IG_AS_TABLE: without titles and pictures,
 * each section after a blank line, in lines of `columns` as far as that goes; ASCII
 * without `utf8`. IG_AS_MARKDOWN, IG_AS_LATEX: no texts. IG_OK or its failure. */
ig_status ig_sections_print(ig_sections *sections, FILE *out, ig_table_format format,
                            size_t columns, bool utf8, ig_error *error);

/* Write it as a page (HTML), and free it. IG_OK, IG_IO, or the failure of the list. */
ig_status ig_sections_write(ig_sections *sections, const char *path, const char *title,
                            ig_error *error);

/* --- what is shown ---------------------------------------------------------------- */

/* The figure of a measure in a column, of the whole (`part` NULL) or of a part (a kind
 * of scored pairs); NULL: it was not measured. */
const ig_figure *ig_document_cell(const ig_document_column *column,
                                  const ig_measure *measure, const char *part);

/* Whether tables show a measure: some column has a value of it that is, if the measure
 * is quiet, not 0. */
bool ig_document_shows(ig_document_columns columns, const ig_measure *measure);

/* Append a section with the properties of a run, and the command that trains it anew,
 * with every option, if it is known. */
void ig_document_run_add(ig_sections *sections, const ig_document *document,
                         const ig_document_run *run);

/* IG_AS_CSV and IG_AS_JSON of ig_document_print. */
ig_status ig_document_data(const ig_document *document, FILE *out, bool json,
                           ig_error *error);

/* A figure as a page shows it: a share in percent, with the sign `percent` ("%", or
 * " points" of a difference), "–" where there is none, no −0.0. Returns out. */
const char *ig_document_figure(char out[40], const ig_measure *measure, double value,
                               const char *percent);

/* --- tables; the caller owns them ------------------------------------------------- */

/* "91.5–93.1"; "−1.96…−1.94"; NULL: none. The table owns it. */
const char *ig_table_interval(ig_table *table, const ig_measure *measure, double low,
                              double high);

/* Mark the best cells of a column of a measure below the heads, by their numbers; what
 * rounds to the same is as good. */
void ig_table_mark_best(ig_table *table, size_t col, const ig_measure *measure,
                        size_t space);

/* Measures of columns: all (`full`), or the main ones.
 *   space  in  that of the columns, but for the original first; or IG_SPACES: they are
 *              all spaces of a run */
ig_table ig_table_measures(ig_document_columns columns, size_t space, bool full);

ig_table ig_table_difference(const ig_document *document,
                             const ig_document_difference *difference, bool full);

/* A measure from each language (rows) to each (columns) in percent, with means where
 * there are figures of a language with all. Without columns: there are none. */
ig_table ig_table_pairs(const ig_document *document, const ig_document_column *column,
                        const ig_measure *measure);

/* --- the tables of a pivot (measure/pivot.h) -------------------------------------- */

/* Print them: a table for each block, shares in percent, the best of a column marked;
 * for programs (CSV, JSON) one table, a row for each row and block. IG_OK, IG_NOMEM. */
ig_status ig_pivot_print(const ig_pivot *pivot, FILE *out, ig_table_format format,
                         size_t columns, bool utf8, ig_error *error);

/* Write them as a page (HTML). IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_pivot_write(const ig_pivot *pivot, const char *path, ig_error *error);
