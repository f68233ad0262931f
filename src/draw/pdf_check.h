/* Whether a PDF is whole: cairo leaves fonts out when memory is short, or stops before
 * the end, and says nothing. */
#ifndef DRAW_PDF_CHECK_H
#define DRAW_PDF_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* True when the file ends as PDFs do, and every object that its table names is where
 * the table says. One without a table (PDF 1.5 may have a stream in its place) has no
 * more than its end looked at. */
bool ig_pdf_is_whole(const char *bytes, size_t size);

#endif
