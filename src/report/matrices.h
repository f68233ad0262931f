/* Languages × languages: the matrices of a report. */
#ifndef REPORT_MATRICES_H
#define REPORT_MATRICES_H

#include "report/document.h"
#include "report/page.h"

/* Retrieval and mining of each pair of languages, and what the probe reads of each;
 * those that were not measured are left out. */
void ig_report_matrices(ig_page *page, const ig_document *document);

#endif
