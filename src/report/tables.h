/* The tables and pictures of a document (report/document.h). A function of a table
 * begins it; the caller prints and frees it. */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include "report/document.h"
#include "report/page.h"

/* What the columns of figures are. */
typedef enum ig_table_form {
    IG_TABLE_SPACES, /* spaces, each figure with its arrow */
    IG_TABLE_RUNS,   /* runs in one space: one column of arrows, the best is strong */
    IG_TABLE_PAPER   /* spaces, without arrows, chance and parts of measures */
} ig_table_form;

/* Measures of some columns of the document; with IG_TABLE_RUNS the last column has the
 * space. full: all measures, not only the main ones. */
void ig_table_measures(ig_table *table, const ig_document *document, ig_table_form form,
                       bool full, const ig_document_column *column, size_t columns);

/* "91.5–93.1"; "−1.96…−1.94"; NULL: none. The table owns it. */
const char *ig_table_interval(ig_table *table, const ig_measure *measure, double low,
                              double high);

void ig_table_difference(ig_table *table, const ig_document *document,
                         const ig_document_difference *difference, bool full);

/* A measure from each language (rows) to each (columns) in percent, with means where
 * there are figures of a language with all.
 *   decimals  in  −1: one for up to 10 languages, else none
 * False: there are no such figures (or table->failed), and nothing to print. */
bool ig_table_pairs(ig_table *table, const ig_document *document,
                    const ig_document_column *column, const ig_measure *measure,
                    int decimals);

/* Loss, alignment and uniformity of all runs over the epochs. */
void ig_report_curves(ig_page *page, const ig_document *document);

/* The original space, and the meanings of each run of the last version, in all
 * versions: their measures, and their shares as curves. */
void ig_report_versions(ig_page *page, const ig_document *first,
                        const ig_document *last);

/* Maps of the original space and of the meanings of each run, side by side; `both`: of
 * meanings and languages of each run in one map [seed fig.1]. Principal components,
 * exact over all rows scaled to length 1. stop: or NULL. */
void ig_report_maps(ig_page *page, const ig_document *document, bool both,
                    ig_pool *pool, const atomic_bool *stop);

#endif
