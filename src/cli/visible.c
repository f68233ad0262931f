/* Standard output of a terminal, made visible: a stream of the C library with a
 * write function of our own, which takes whole lines. */
#include "cli/visible.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/builder.h"
#include "base/stream.h"
#include "base/text.h"

static ig_stream *plain; /* NULL: stdout is the filter, or as it was */
static bool filtered;
static ig_builder pending; /* a line that has not ended */
static int why;            /* errno of what the filter could not write, or 0 */

/* All bytes, whatever interrupts it. */
static bool write_all(const char *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(STDOUT_FILENO, bytes, length);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes += n;
        length -= (size_t)n;
    }
    return true;
}

/* Text without control characters, but for the ends of lines. */
static bool write_visible(const char *text, size_t length)
{
    ig_builder out = {0};
    bool good;

    for (size_t at = 0; at < length;) {
        ig_grapheme g = ig_text_grapheme(text + at, length - at);

        if (text[at] == '\n') {
            ig_builder_put(&out, "\n", 1);
            at++;
            continue;
        }
        if (g.carrier)
            ig_builder_add(&out, "\u25CC");
        ig_builder_put(&out, g.bytes, g.length);
        at += g.source;
    }
    good = !out.failed && write_all(out.text, out.length);
    if (!good && !why)
        why = out.failed ? ENOMEM : errno;
    ig_builder_free(&out);
    return good;
}

/* Takes bytes as they come, and passes lines on as soon as they end. */
static size_t take(void *context, const char *bytes, size_t length)
{
    size_t whole = length;

    (void)context;
    while (whole && bytes[whole - 1] != '\n')
        whole--;
    if (whole) {
        ig_builder_put(&pending, bytes, whole);
        if (!pending.failed)
            write_visible(pending.text, pending.length);
        else if (!why)
            why = ENOMEM;
        ig_builder_free(&pending);
    }
    ig_builder_put(&pending, bytes + whole, length - whole);
    if (pending.failed && !why)
        why = ENOMEM;
    if (why)
        errno = why;
    return why ? 0 : length;
}

bool ig_visible_begin(bool filter)
{
    static const ig_stream_functions functions = {.take = take};
    static ig_sink sink = {NULL, &functions};
    FILE *stream;

    if (!isatty(STDOUT_FILENO)) {
        plain = ig_stream_new(STDOUT_FILENO);
        if (plain)
            stdout = plain->file;
        return plain != NULL;
    }
    if (!filter)
        return true;
    stream = ig_stream_of(&sink);
    if (!stream || setvbuf(stream, NULL, _IOLBF, BUFSIZ) != 0)
        return false;
    stdout = stream;
    filtered = true;
    return true;
}

int ig_visible_end(void)
{
    bool failed;

    if (plain)
        return ig_stream_flush(plain);
    errno = 0;
    failed = fflush(stdout) != 0 || ferror(stdout);
    if (failed && !why)
        why = errno ? errno : EIO;
    if (filtered && pending.length && !why)
        write_visible(pending.text, pending.length);
    ig_builder_free(&pending);
    return why;
}
