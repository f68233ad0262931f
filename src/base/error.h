/* Errors: a status that is returned, and a sentence in storage the caller owns.
 *
 * A function that can fail returns ig_status and takes an ig_error *, which may be
 * NULL. The sentence names the thing, the value and the rule ("demo.npy has 4800 rows
 * but demo.csv has 4799"), without a trailing newline. Nothing here prints. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

typedef enum ig_status {
    IG_OK = 0,
    IG_NOMEM,      /* an allocation failed */
    IG_IO,         /* the system refused to open, read or write */
    IG_FORMAT,     /* the bytes are not what their format says */
    IG_SHAPE,      /* two sizes that must agree do not */
    IG_VALUE,      /* a value outside its range, or not finite */
    IG_USAGE,      /* an option or argument that does not exist */
    IG_DIVERGED,   /* training met a loss that is not finite */
    IG_INTERRUPTED /* the caller asked to stop */
} ig_status;

enum { IG_ERROR_SIZE = 1024 };

typedef struct ig_error {
    ig_status status;
    char message[IG_ERROR_SIZE]; /* one UTF-8 sentence; cut, never overrun */
} ig_error;

/* Fill *error (when not NULL) with a printf-style sentence and return `status`. */
ig_status ig_fail(ig_error *error, ig_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ig_fail for the commonest case: "out of memory for WHAT". */
ig_status ig_fail_memory(ig_error *error, const char *what);

#endif
