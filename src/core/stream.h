/* stdio streams over user functions, and one over a file descriptor that records write
 * errors. */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* The target of a stream; must outlive it. `write` returns the bytes written, fewer
 * than requested is a failure with errno; `seek` (−1: failure) and `close` may be
 * NULL. */
typedef struct ig_sink {
    size_t (*write)(void *context, const char *bytes, size_t length);
    off_t (*seek)(void *context, off_t offset, int whence);
    int (*close)(void *context);
    void *context;
} ig_sink;

/* Open a stream for writing, or NULL. */
FILE *ig_stream_of(ig_sink *sink);

/* A writable stream over a file descriptor. */
typedef struct ig_stream {
    ig_sink sink;
    FILE *file; /* fileno is not supported */
    int fd;
    int why; /* errno of the first failed write, after which writes are dropped; or 0 */
} ig_stream;

/* Open a stream over a descriptor, which it closes. NULL with errno, leaving the
 * descriptor open. */
ig_stream *ig_stream_new(int fd);

/* Flush. 0, or the errno of the first failure. */
int ig_stream_flush(ig_stream *stream);

/* Flush, close and free. NULL is accepted. */
int ig_stream_close(ig_stream *stream);

#endif
