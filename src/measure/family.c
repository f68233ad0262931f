/* What families share: the values of items that are kept for intervals. */
#include "measure/family.h"

#include "base/memory.h"

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
    ig_free(values->row);
    ig_free(values->value);
    *values = (ig_item_values){0};
}
