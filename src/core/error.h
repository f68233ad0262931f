/* Errors: a returned status, and a message in storage of the caller, which may be NULL.
 * The message names the thing, the value and the rule ("demo.npy has 4800 rows but
 * demo.csv has 4799"), without a trailing newline. */
#pragma once

typedef enum ig_status {
    IG_OK = 0,
    IG_NOMEM,      /* an allocation failed */
    IG_IO,         /* the system failed to open, read or write */
    IG_FORMAT,     /* the content violates its file format */
    IG_SHAPE,      /* mismatched sizes */
    IG_VALUE,      /* a value outside its range, or not finite */
    IG_USAGE,      /* unknown option or argument */
    IG_DIVERGED,   /* the training loss is not finite */
    IG_INTERRUPTED /* cancelled by the caller */
} ig_status;

enum { IG_ERROR_SIZE = 1024 };

typedef struct ig_error {
    ig_status status;
    char message[IG_ERROR_SIZE]; /* one UTF-8 sentence, truncated to fit */
} ig_error;

/* Format a message into *error and return `status`; "out of memory for WHAT". */
ig_status ig_fail(ig_error *error, ig_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
ig_status ig_fail_memory(ig_error *error, const char *what);
