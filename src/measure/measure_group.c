/* What groups share: counts of languages, and values of items kept for intervals. */
#include "measure/measure_group.h"

#include "core/memory.h"

void ig_figures_add_counts(ig_figures *figures, const char *measure,
                           const ig_language_counts *counts, bool pooled)
{
    size_t k = counts->languages, rows = 0, with = 0;
    size_t *total = ig_alloc(k, sizeof *total);

    figures->failed |= !total;
    for (size_t i = 0; total && i < k; i++) {
        for (size_t j = 0; j < k; j++)
            total[i] += ig_language_count(counts, i, j);
        rows += total[i];
        with += total[i] > 0;
    }
    for (size_t i = 0; total && i < k; i++)
        for (size_t j = 0; j < k && total[i]; j++) {
            double share = (double)ig_language_count(counts, i, j) / (double)total[i];
            ig_figure *row =
                ig_figures_add_languages(figures, measure, i, j, share, NULL);

            row->n = total[i];
            if (!pooled)
                row->chance = 1 / (double)with;
            else if (rows > 1)
                row->chance = (double)(total[j] - (i == j)) / (double)(rows - 1);
        }
    ig_free(total);
}

ig_status ig_item_values_init(ig_item_values *values, size_t count, size_t each,
                              ig_error *error)
{
    *values = (ig_item_values){.count = count,
                               .row = ig_alloc(count, sizeof *values->row),
                               .value = ig_alloc(count, each * sizeof *values->value)};
    if (values->row && values->value)
        return IG_OK;
    ig_item_values_free(values);
    return ig_fail_memory(error, "the values of intervals");
}

void ig_item_values_rename(ig_item_values *values, const uint32_t *row)
{
    for (size_t i = 0; row && i < values->count; i++)
        values->row[i] = row[values->row[i]];
}

void ig_item_values_free(ig_item_values *values)
{
    IG_FREE(values->row, values->value);
    *values = (ig_item_values){0};
}

void ig_result_free(void *result)
{
    ig_arena_free(result);
}
