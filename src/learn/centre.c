/* Mean centering, in closed form (METHODS.md §2). */
#include "learn/sweep.h"

/* Mean of every language's training rows (METHODS.md §2, centre). */
ig_status ig_centre_fit(ig_trainer *t, ig_error *error)
{
    size_t d = t->set->dims, languages = t->set->languages;
    double *sum = ig_alloc(languages * d, sizeof *sum);
    size_t *count = ig_alloc(languages, sizeof *count);
    uint8_t *used = ig_alloc(t->set->rows, 1);
    float *row = ig_alloc(d, sizeof *row);

    if (!sum || !count || !used || !row) {
        ig_free(sum), ig_free(count), ig_free(used), ig_free(row);
        return ig_fail_memory(error, "the language means");
    }
    for (size_t i = 0; i < t->split->train; i++) {
        used[t->pairs->left[t->split->train_pair[i]]] = 1;
        used[t->pairs->right[t->split->train_pair[i]]] = 1;
    }
    for (size_t i = 0; i < t->set->rows; i++)
        count[t->set->lang[i]] += used[i];
    t->untrained = 0;
    for (size_t k = 0; k < languages; k++)
        t->untrained += count[k] == 0;
    for (size_t i = 0; i < t->set->rows; i++) {
        size_t k = t->set->lang[i];

        if (!used[i] && count[k])
            continue;
        ig_set_rows(t->set, i, 1, row, d);
        if (t->options.normalize)
            ig_rows_unit(row, d, row, d, 1, d);
        for (size_t j = 0; j < d; j++)
            sum[k * d + j] += row[j];
    }
    for (size_t k = 0; k < languages; k++)
        for (size_t j = 0; j < d; j++)
            t->now.weights[k * d + j] =
                (float)(sum[k * d + j] /
                        (double)(count[k] ? count[k] : t->set->language_rows[k]));
    ig_free(sum), ig_free(count), ig_free(used), ig_free(row);
    return IG_OK;
}
