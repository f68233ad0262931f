/* Arrays that grow. */
#include "base/array.h"

#include <string.h>

#include "base/memory.h"

ig_status ig_array_grow(void *array, size_t *capacity, size_t needed, size_t size,
                        const char *what, ig_error *error)
{
    size_t wanted = *capacity + *capacity / 2;
    void *old, *grown;

    if (needed <= *capacity)
        return IG_OK;
    if (wanted < needed)
        wanted = needed < 16 ? 16 : needed;
    grown = ig_alloc(wanted, size);
    if (!grown)
        return ig_fail_memory(error, what);
    memcpy(&old, array, sizeof old);
    if (old)
        memcpy(grown, old, *capacity * size);
    ig_free(old);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return IG_OK;
}
