/* Errors: formats the message, truncated to its storage. */
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

ig_status ig_fail(ig_error *error, ig_status status, const char *format, ...)
{
    va_list args;

    if (!error)
        return status;
    error->status = status;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}

ig_status ig_fail_memory(ig_error *error, const char *what)
{
    return ig_fail(error, IG_NOMEM, "out of memory for %s", what);
}
