/* Who waits for files to be read. */
#include "data/reading.h"

#include <stdio.h>

static bool is_stopped(const ig_reading *r)
{
    return r->stop && atomic_load_explicit(r->stop, memory_order_relaxed);
}

ig_status ig_reading_tell(const ig_reading *r, const char *doing, const char *file,
                          double part, ig_error *error)
{
    if (!r)
        return IG_OK;
    if (is_stopped(r))
        return ig_fail(error, IG_INTERRUPTED, "%s: reading cancelled", file);
    if (!r->rarely)
        r->tell(r->context, doing, file, part);
    return IG_OK;
}

ig_status ig_reading_grow(const ig_reading *r, const char *file, size_t bytes,
                          size_t *said, ig_error *error)
{
    char doing[48];

    if (!r)
        return IG_OK;
    if (is_stopped(r))
        return ig_fail(error, IG_INTERRUPTED, "%s: reading cancelled", file);
    if (bytes - *said < (r->step ? r->step : 1000000000))
        return IG_OK;
    *said = bytes;
    snprintf(doing, sizeof doing, "%.1f GB so far of", (double)bytes / 1e9);
    r->tell(r->context, doing, file, -1);
    return IG_OK;
}

ig_status ig_reading_at(const ig_reading *r, const char *file, size_t done, size_t size,
                        size_t *told, ig_error *error)
{
    if (!r || done - *told < IG_READING_STEP)
        return IG_OK;
    *told = done;
    return ig_reading_tell(r, "reading", file, (double)done / (double)size, error);
}
