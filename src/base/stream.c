/* Streams over functions: fopencookie, or funopen where the C library is another. */
#define _GNU_SOURCE /* fopencookie */
#include "base/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

/* --- over functions --------------------------------------------------------------- */

static int close_sink(void *of)
{
    ig_sink *s = of;

    return s->functions->close ? s->functions->close(s->context) : 0;
}

#if defined(__linux__)
static ssize_t take_some(void *of, const char *bytes, size_t length)
{
    ig_sink *s = of;

    return (ssize_t)s->functions->take(s->context, bytes, length);
}

static int seek_sink(void *of, off64_t *offset, int whence)
{
    ig_sink *s = of;
    off_t at = s->functions->seek(s->context, (off_t)*offset, whence);

    *offset = at;
    return at < 0 ? -1 : 0;
}

static FILE *open_sink(ig_sink *s)
{
    cookie_io_functions_t functions = {.write = take_some,
                                       .seek = s->functions->seek ? seek_sink : NULL,
                                       .close = close_sink};

    return fopencookie(s, "w", functions);
}
#else
static int take_some(void *of, const char *bytes, int length)
{
    ig_sink *s = of;
    size_t taken = s->functions->take(s->context, bytes, (size_t)length);

    return taken < (size_t)length ? -1 : length;
}

static fpos_t seek_sink(void *of, fpos_t offset, int whence)
{
    ig_sink *s = of;

    return s->functions->seek(s->context, (off_t)offset, whence);
}

static FILE *open_sink(ig_sink *s)
{
    return funopen(s, NULL, take_some, s->functions->seek ? seek_sink : NULL,
                   close_sink);
}
#endif

FILE *ig_stream_of(ig_sink *sink)
{
    return open_sink(sink);
}

/* --- over a descriptor ------------------------------------------------------------ */

static size_t take(void *of, const char *bytes, size_t length)
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

static off_t seek(void *of, off_t offset, int whence)
{
    return lseek(((ig_stream *)of)->fd, offset, whence);
}

static int shut(void *of)
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
    static const ig_stream_functions functions = {take, seek, shut};
    ig_stream *s = ig_alloc(1, sizeof *s);

    if (!s) {
        errno = ENOMEM;
        return NULL;
    }
    s->fd = fd;
    s->sink = (ig_sink){s, &functions};
    s->file = ig_stream_of(&s->sink);
    if (s->file)
        return s;
    ig_free(s);
    errno = ENOMEM;
    return NULL;
}

/* 0 or why, after a call of the C library that may have failed for a reason of
 * its own. */
static int reason(const ig_stream *s, int failed)
{
    return s->why ? s->why : !failed ? 0 : errno ? errno : EIO;
}

int ig_stream_flush(ig_stream *s)
{
    int failed;

    errno = 0;
    failed = fflush(s->file) != 0 || ferror(s->file);
    return reason(s, failed);
}

int ig_stream_close(ig_stream *s)
{
    int why, failed;

    if (!s)
        return 0;
    why = ig_stream_flush(s);
    errno = 0;
    failed = fclose(s->file) != 0;
    if (!why)
        why = reason(s, failed);
    ig_free(s);
    return why;
}
