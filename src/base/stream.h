/* Streams of the C library over functions of ours, and one over a descriptor
 * that remembers why it could not be written. */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* What a stream does with `context`. Fewer bytes taken than given, with errno,
 * is a failure. `seek` and `close` may be NULL. */
typedef struct ig_stream_functions {
    size_t (*take)(void *context, const char *bytes, size_t length);
    off_t (*seek)(void *context, off_t offset, int whence); /* −1, with errno */
    int (*close)(void *context);                            /* likewise */
} ig_stream_functions;

/* What a stream writes to; stays in its place as long as the stream is open. */
typedef struct ig_sink {
    void *context;
    const ig_stream_functions *functions;
} ig_sink;

/* A stream to write to, or NULL. */
FILE *ig_stream_of(ig_sink *sink);

/* A stream over a descriptor, to write to. */
typedef struct ig_stream {
    ig_sink sink;
    FILE *file; /* has no descriptor of its own for fileno */
    int fd;
    int why; /* errno of what first could not be written, 0: all could. After that
              nothing more is */
} ig_stream;

/* A stream over an open descriptor, closed with it; NULL with errno, and the
 * descriptor is left as it is. */
ig_stream *ig_stream_new(int fd);

/* Write what was put into it. 0, or the errno of the first failure. */
int ig_stream_flush(ig_stream *stream);

/* The same, and close and free it. NULL is accepted. */
int ig_stream_close(ig_stream *stream);

#endif
