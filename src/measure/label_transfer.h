/* Zero-shot transfer of labels: a linear classifier that learned a label column
 * (topics, say) in one language alone, asked in the others (METHODS.md). It is the
 * ridge of the language probe with labels in place of languages; what is tested are
 * translations of none of the rows that it learned from. */
#ifndef MEASURE_LABEL_TRANSFER_H
#define MEASURE_LABEL_TRANSFER_H

#include "measure/family.h"

/* A zeroed struct may be freed. */
typedef struct ig_label_transfer {
    double accuracy; /* share of the tested rows whose label is read, mean over the
                        languages other than the one that was learned in */
    double worst;    /* the least of these */
    double own;      /* the same in the language that was learned in */
    double majority; /* share of the commonest label among the tested rows */
    size_t fitted, tested; /* rows */
    size_t worst_language;
    const char *reason;      /* why figures are NaN, or NULL; static */
    ig_item_values items;    /* (tested) 1 where the label is read, else 0, by language;
                               none when there is a reason */
    size_t languages, learn; /* of them, and the one that was learned in */
    size_t *first;           /* (languages + 1) where the items of each begin */
} ig_label_transfer;

/* Fit on rows of one language and test on rows of all.
 *   lang   in  (N) < languages
 *   label  in  (N) < labels, or IG_NO_LABEL: the row has none, and is left out
 *   learn  in  the language to learn in
 *   id     in  (N) as for ig_probe_measure; λ is chosen on every tenth
 *   parts  in  rows to fit on, of which those of other languages are left out, and
 *              rows to test
 * IG_OK (also when figures are NaN), IG_SHAPE, IG_NOMEM, IG_VALUE or IG_INTERRUPTED;
 * *transfer is filled only with IG_OK; free it with ig_label_transfer_free. */
#define IG_NO_LABEL UINT16_MAX
struct ig_probe_parts;
ig_status ig_label_transfer_measure(ig_label_transfer *transfer, const ig_rows *rows,
                                    const uint16_t *lang, size_t languages,
                                    const uint16_t *label, size_t labels, size_t learn,
                                    const uint32_t *id,
                                    const struct ig_probe_parts *parts, uint64_t seed,
                                    ig_pool *pool, ig_watch *watch, ig_error *error);

void ig_label_transfer_free(ig_label_transfer *transfer);

/* The column to transfer: the first of the set whose labels repeat (at most 1,000
 * different ones, and 8 rows of each in the mean), or NULL. */
const ig_label *ig_label_to_transfer(const ig_set *set);

extern const ig_family ig_label_transfer_family;

#endif
