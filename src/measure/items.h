/* Items of correlations: scored pairs that share a row, or rows that share an id, are
 * one item and are resampled together (METHODS.md). */
#ifndef MEASURE_ITEMS_H
#define MEASURE_ITEMS_H

#include "data/scores.h"

/* Number the connected components of scored pairs by first appearance.
 *   scores  in   their rows are < rows
 *   id      in   (rows) or IG_NO_ID; NULL: rows have none
 *   item    out  (scores->count) < *items
 * IG_OK or IG_NOMEM. O(rows + pairs). */
ig_status ig_items_connect(const ig_scores *scores, const uint32_t *id, size_t rows,
                           uint32_t *item, size_t *items, ig_error *error);

#endif
