/* Languages × languages: the matrices of a report and of a table. */
#ifndef REPORT_MATRICES_H
#define REPORT_MATRICES_H

#include "report/document.h"
#include "report/page.h"

/* The measures that the table shows by language pair (ig_measure.matrix), where there
 * are such figures. */
void ig_report_matrices(ig_page *page, const ig_document *document);

/* Such a measure (top-1) of each ordered pair in the columns of a table, as wide as so
 * many columns of a terminal: a matrix, two lines, or the worst and the best. False:
 * memory was short. */
bool ig_report_matrices_text(const ig_document *document,
                             const ig_document_column *column, size_t columns,
                             FILE *out, size_t width, bool utf8);

#endif
