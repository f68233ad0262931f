/* What commands say. */
#include "cli/output.h"

#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/visible.h"

void ig_complain(const char *format, ...)
{
    char text[2048];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("isogloss: ", stderr);
    ig_put_text(stderr, text, SIZE_MAX, false);
    fputc('\n', stderr);
}

int ig_fail_exit(const ig_error *error)
{
    ig_complain("%s", error->message);
    return error->status == IG_USAGE ? IG_EXIT_USAGE : IG_EXIT_FAILED;
}

int ig_finish_output(void)
{
    int why = ig_visible_end();

    if (why && why != EPIPE)
        ig_complain("cannot write to standard output: %s", strerror(why));
    return why ? IG_EXIT_FAILED : IG_EXIT_OK;
}

size_t ig_terminal_columns(FILE *stream)
{
    int fd = stream == stdout ? STDOUT_FILENO : fileno(stream);
    struct winsize size;
    const char *columns;
    long said;

    if (!isatty(fd))
        return 0;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    columns = getenv("COLUMNS");
    said = columns ? strtol(columns, NULL, 10) : 0;
    return said > 0 && said < 10000 ? (size_t)said : 80;
}

bool ig_locale_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void ig_put_text(FILE *out, const char *text, size_t columns, bool pad)
{
    ig_text_put(out, text, strlen(text), columns, pad);
}

int ig_json_print(ig_json *document)
{
    char *text;

    ig_json_lead(document, "isogloss", ig_json_count(IG_JSON_SHAPE));
    text = ig_json_format(document);
    if (!text) {
        ig_complain("out of memory for the JSON document");
        return IG_EXIT_FAILED;
    }
    fputs(text, stdout);
    ig_free(text);
    return IG_EXIT_OK;
}
