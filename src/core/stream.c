/* Streams over functions: fopencookie, or funopen on other C libraries. */
#define _GNU_SOURCE /* fopencookie */
#include "core/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"

static int close_sink(void *of)
{
    ig_sink *s = of;

    return s->close ? s->close(s->context) : 0;
}

#if defined(__linux__)
static ssize_t write_sink(void *of, const char *bytes, size_t length)
{
    ig_sink *s = of;

    return (ssize_t)s->write(s->context, bytes, length);
}

static int seek_sink(void *of, off64_t *offset, int whence)
{
    ig_sink *s = of;

    *offset = s->seek(s->context, (off_t)*offset, whence);
    return *offset < 0 ? -1 : 0;
}

FILE *ig_stream_of(ig_sink *s)
{
    return fopencookie(s, "w",
                       (cookie_io_functions_t){.write = write_sink,
                                               .seek = s->seek ? seek_sink : NULL,
                                               .close = close_sink});
}
#else
static int write_sink(void *of, const char *bytes, int length)
{
    ig_sink *s = of;

    return s->write(s->context, bytes, (size_t)length) < (size_t)length ? -1 : length;
}

static fpos_t seek_sink(void *of, fpos_t offset, int whence)
{
    ig_sink *s = of;

    return s->seek(s->context, (off_t)offset, whence);
}

FILE *ig_stream_of(ig_sink *s)
{
    return funopen(s, NULL, write_sink, s->seek ? seek_sink : NULL, close_sink);
}
#endif

/* --- over a file descriptor ------------------------------------------------------- */

static size_t write_bytes(void *of, const char *bytes, size_t length)
{
    ig_stream *s = of;
    size_t done = 0;

    while (done < length && !s->why) {
        ssize_t n = write(s->fd, bytes + done, length - done);

        if (n > 0)
            done += (size_t)n;
        else
            s->why = n < 0 ? errno : EIO;
    }
    if (s->why)
        errno = s->why;
    return done;
}

static off_t seek_file(void *of, off_t offset, int whence)
{
    return lseek(((ig_stream *)of)->fd, offset, whence);
}

static int close_file(void *of)
{
    ig_stream *s = of;

    if (close(s->fd) == 0)
        return 0;
    if (!s->why)
        s->why = errno;
    return -1;
}

ig_stream *ig_stream_new(int fd)
{
    ig_stream *s = ig_alloc(1, sizeof *s);

    if (s) {
        *s = (ig_stream){{write_bytes, seek_file, close_file, s}, NULL, fd, 0};
        s->file = ig_stream_of(&s->sink);
    }
    if (s && s->file)
        return s;
    ig_free(s);
    errno = ENOMEM;
    return NULL;
}

/* 0, or the errno of a write or of a C library call that failed itself. */
static int error_of(const ig_stream *s, int failed)
{
    return s->why ? s->why : !failed ? 0 : errno ? errno : EIO;
}

int ig_stream_flush(ig_stream *s)
{
    errno = 0;
    return error_of(s, fflush(s->file) != 0 || ferror(s->file));
}

int ig_stream_close(ig_stream *s)
{
    int why, at_close;

    if (!s)
        return 0;
    why = ig_stream_flush(s);
    errno = 0;
    at_close = error_of(s, fclose(s->file) != 0);
    ig_free(s);
    return why ? why : at_close;
}
