/* Languages × languages: the matrices of a report and of a table. */
#ifndef REPORT_MATRICES_H
#define REPORT_MATRICES_H

#include "report/document.h"
#include "report/page.h"

/* Retrieval and mining of each pair of languages, and what the probe reads of each;
 * those that were not measured are left out. */
void ig_report_matrices(ig_page *page, const ig_document *document);

/* Top-1 of each ordered pair in the columns of a table, as wide as so many columns of a
 * terminal: a matrix, two lines, or the worst and the best. False: memory was short. */
bool ig_report_matrices_text(const ig_document *document,
                             const ig_document_column *column, size_t columns,
                             FILE *out, size_t width, bool utf8);

#endif
