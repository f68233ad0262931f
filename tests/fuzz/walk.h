/* A set that was opened: every row, and what is said of it, within its bounds. */
#pragma once

#include "data/pairs.h"
#include "fuzz.h"

static void walk_pairs(const ig_dataset *set, const ig_pairs *pairs)
{
    ig_split split;

    must(ig_split_make(&split, set, pairs, 0.3, 0, 1, NULL) == IG_OK);
    must(split.train + split.valid == pairs->count);
    for (size_t i = 0; i < split.train; i++)
        must(!split.held_out[pairs->left[split.pair[IG_SPLIT_TRAIN][i]]] &&
             !split.held_out[pairs->right[split.pair[IG_SPLIT_TRAIN][i]]]);
    ig_split_free(&split);
}

/* Open DATA and walk it, or see that it is refused with a sentence. */
static void walk_data(const char *const *data, size_t n,
                      const ig_dataset_options *options)
{
    ig_error error = {0};
    ig_pairs pairs;
    ig_dataset *set;
    float *row;

    if (ig_dataset_open(&set, data, n, options, &error) != IG_OK) {
        must(set == NULL && error.message[0] != '\0');
        return;
    }
    must(set->rows > 0 && set->dims > 0 && set->languages > 0);
    row = malloc(set->dims * sizeof *row);
    for (size_t i = 0; i < set->rows; i++) {
        must(set->lang[i] < set->languages && strlen(set->text[i]) < SIZE_MAX);
        must(set->id[i] == IG_NO_ID || set->id[i] < set->ids);
        for (size_t k = 0; k < set->labels; k++)
            must(set->label[k].value[i] < set->label[k].categories);
        ig_dataset_rows(set, NULL, i, 1, row, set->dims);
    }
    free(row);
    (void)ig_dataset_check(set, NULL, NULL, NULL);
    if (ig_pairs_derive(&pairs, set, "all", NULL) == IG_OK) {
        walk_pairs(set, &pairs);
        ig_pairs_free(&pairs);
    }
    ig_dataset_free(set);
}
