/* Who waits for files to be read. */
#include "data/reading.h"

ig_status ig_reading_tell(const ig_reading *r, const char *doing, const char *file,
                          double part, ig_error *error)
{
    if (!r)
        return IG_OK;
    if (atomic_load_explicit(r->stop, memory_order_relaxed))
        return ig_fail(error, IG_INTERRUPTED, "%s: the reading was given up", file);
    r->tell(r->context, doing, file, part);
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
