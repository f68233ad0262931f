/* Zero-shot transfer of labels: a linear classifier that learned a label column
 * (topics, say) in one language alone, tested in the others (METHODS.md). It is the
 * ridge of the language probe with labels in place of languages; what is tested are
 * translations of none of the rows that it learned from. */
#ifndef MEASURE_ZERO_SHOT_TRANSFER_H
#define MEASURE_ZERO_SHOT_TRANSFER_H

#include "measure/measure_group.h"

/* A zeroed struct may be freed. */
typedef struct ig_zero_shot_transfer {
    double accuracy; /* share of the tested rows whose label is read, mean over the
                        languages other than the one that was learned in */
    double worst;    /* the minimum of these */
    double own;      /* the same in the language that was learned in */
    double majority; /* share of the commonest label among the tested rows */
    size_t fitted, tested; /* rows */
    size_t worst_language;
    const char *reason;      /* why figures are NaN, or NULL; static */
    size_t languages, learn; /* languages, and the pivot among them */
    size_t *all, *right;     /* (languages) tested rows, and those read right */
} ig_zero_shot_transfer;

/* Fit on rows of one language and test on rows of all.
 *   lang   in  (N) < languages
 *   label  in  (N) < labels, or IG_NO_LABEL: the row has none, and is left out
 *   learn  in  the language to learn in
 *   id     in  (N) as for ig_probe_measure; λ is chosen on every tenth
 *   parts  in  rows to fit on, of which those of other languages are left out, and
 *              rows to test
 * IG_OK (also when figures are NaN), IG_SHAPE, IG_NOMEM, IG_VALUE or IG_INTERRUPTED;
 * *transfer is filled only with IG_OK; free it with ig_zero_shot_transfer_free. */
#define IG_NO_LABEL UINT16_MAX
struct ig_probe_parts;
ig_status ig_zero_shot_transfer_measure(ig_zero_shot_transfer *transfer,
                                        const ig_rows *rows, const uint16_t *lang,
                                        size_t languages, const uint16_t *label,
                                        size_t labels, size_t learn, const uint32_t *id,
                                        const struct ig_probe_parts *parts,
                                        uint64_t seed, ig_pool *pool,
                                        ig_progress *watch, ig_error *error);

void ig_zero_shot_transfer_free(ig_zero_shot_transfer *transfer);

/* The column to transfer: the first of the set whose labels repeat (at most 1,000
 * different ones, and 8 rows of each in the mean), or NULL. */
const ig_label *ig_label_to_transfer(const ig_dataset *set);

extern const ig_measure_group ig_zero_shot_transfer_group;

#endif
