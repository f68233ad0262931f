/* Every row of a set that was opened, and what is told of it: within its bounds. */
#ifndef TESTS_FUZZ_WALK_H
#define TESTS_FUZZ_WALK_H

#include "data/set.h"
#include "seeds.h"

static void walk_set(const ig_set *set)
{
    float *row = malloc(set->dims * sizeof *row);
    size_t zeros;

    for (size_t i = 0; i < set->rows; i++) {
        must(set->lang[i] < set->languages && set->text[i] != NULL);
        must(set->id[i] == IG_NO_ID || set->id[i] < set->ids);
        for (size_t k = 0; k < set->labels; k++)
            must(set->label[k].value[i] < set->label[k].categories);
        ig_set_rows(set, i, 1, row, set->dims);
    }
    free(row);
    (void)ig_set_check(set, &zeros, NULL, NULL);
}

#endif
