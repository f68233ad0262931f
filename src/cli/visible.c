/* Standard output of a terminal, made visible: a stream of the C library with a write
 * function of our own, which takes whole lines. */
#define _GNU_SOURCE /* fopencookie */
#include "cli/visible.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/builder.h"
#include "base/text.h"

static bool filtered;
static ig_builder pending; /* a line that has not ended */

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
    if (out.failed)
        errno = ENOMEM;
    good = !out.failed && write_all(out.text, out.length);
    ig_builder_free(&out);
    return good;
}

/* Takes bytes as they come, and passes lines on as soon as they end. */
static ssize_t take(void *cookie, const char *bytes, size_t length)
{
    size_t whole = length;
    bool good;

    (void)cookie;
    while (whole && bytes[whole - 1] != '\n')
        whole--;
    if (whole == 0) {
        ig_builder_put(&pending, bytes, length);
        return pending.failed ? 0 : (ssize_t)length;
    }
    ig_builder_put(&pending, bytes, whole);
    good = !pending.failed && write_visible(pending.text, pending.length);
    ig_builder_free(&pending);
    ig_builder_put(&pending, bytes + whole, length - whole);
    return good && !pending.failed ? (ssize_t)length : 0;
}

#if defined(__GLIBC__)
static FILE *open_filter(void)
{
    return fopencookie(NULL, "w", (cookie_io_functions_t){.write = take});
}
#else
static int take_some(void *cookie, const char *bytes, int length)
{
    return (int)take(cookie, bytes, (size_t)length);
}

static FILE *open_filter(void)
{
    return funopen(NULL, NULL, take_some, NULL, NULL);
}
#endif

bool ig_visible_begin(void)
{
    FILE *filter;

    if (!isatty(STDOUT_FILENO))
        return true;
    filter = open_filter();
    if (!filter || setvbuf(filter, NULL, _IOLBF, BUFSIZ) != 0)
        return false;
    stdout = filter;
    filtered = true;
    return true;
}

bool ig_visible_end(void)
{
    bool good = true;

    if (filtered && pending.length)
        good = write_visible(pending.text, pending.length);
    ig_builder_free(&pending);
    return good;
}
