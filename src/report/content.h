/* What a report says, section by section. */
#ifndef REPORT_CONTENT_H
#define REPORT_CONTENT_H

#include "measure/catalogue.h"
#include "report/report.h"

/* Tables of all measures, and what each of them says. */
void ig_section_summary(ig_page *page, const ig_report *report);

/* What a reader of them should know. */
void ig_section_notes(ig_page *page, const ig_report *report);

/* Correlations with human scores by kind of pair, where there are any. */
void ig_section_similarity(ig_page *page, const ig_report *report);

/* Retrieval and probe by language pair. */
void ig_section_matrices(ig_page *page, const ig_report *report);

/* Loss, alignment and uniformity over the epochs; the spectra. */
void ig_section_curves(ig_page *page, const ig_report *report);
void ig_section_spectra(ig_page *page, const ig_report *report);

/* The maps, by exact PCA over all rows scaled to length 1. */
void ig_section_maps(ig_page *page, const ig_report *report, ig_pool *pool);

/* A figure as a text of a table: with the unit's sign, NaN as "–". */
const char *ig_report_figure(char out[40], ig_unit unit, int decimals, double value);

#endif
