/* The pictures of a report. */
#ifndef REPORT_PICTURES_H
#define REPORT_PICTURES_H

#include "report/document.h"
#include "report/page.h"

/* Loss, alignment and uniformity of all runs over the epochs; the spectra. */
void ig_report_curves(ig_page *page, const ig_document *document);
void ig_report_spectra(ig_page *page, const ig_document *document);

/* Maps of the original space and of each run: principal components, exact over all rows
 * scaled to length 1; meaning and language rows in one map [seed fig.1]. stop: or
 * NULL. */
void ig_report_maps(ig_page *page, const ig_document *document, ig_pool *pool,
                    const atomic_bool *stop);

#endif
