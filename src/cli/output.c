/* Messages, terminal output and run directories of commands. */
#define _GNU_SOURCE /* fopencookie */
#include "cli/output.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "core/text.h"

void ig_complain(const char *format, ...)
{
    char text[2048];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("isogloss: ", stderr);
    ig_text_put(stderr, text, strlen(text), SIZE_MAX, false);
    fputc('\n', stderr);
}

int ig_finish_output(void)
{
    int why = ig_file_flush(stdout);

    if (why && why != EPIPE)
        ig_complain("cannot write to standard output: %s", strerror(why));
    return why == EPIPE ? 141 : why ? EXIT_FAILURE : EXIT_SUCCESS; /* as by SIGPIPE */
}

size_t ig_terminal_columns(FILE *stream, size_t otherwise)
{
    int fd = stream == stdout ? STDOUT_FILENO : fileno(stream);
    struct winsize size;

    if (!isatty(fd))
        return otherwise;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool ig_locale_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void ig_json_begin(const char *source)
{
    json_t *text = ig_json_string(source);

    printf("{\"isogloss\": %d, \"source\": ", IG_JSON_SHAPE);
    ig_json_write(stdout, text, 0);
    json_decref(text);
}

ig_status ig_json_print(json_t *document, ig_error *error)
{
    json_t *root = json_pack("{s:i}", "isogloss", IG_JSON_SHAPE);
    bool whole = json_object_update(root, document) == 0 &&
                 ig_json_write(stdout, root, JSON_INDENT(2));

    putchar('\n');
    json_decref(root);
    json_decref(document);
    return whole ? IG_OK : ig_fail_memory(error, "the JSON document");
}

/* --- JSON for readers ------------------------------------------------------------- */

/* Whether a value is null, false, 0 or empty, or has only such members. */
static bool says_nothing(json_t *v)
{
    const char *key;
    json_t *part;

    json_object_foreach (v, key, part)
        if (!says_nothing(part))
            return false;
    return !json_is_true(v) && json_number_value(v) == 0 && !json_string_length(v) &&
           !json_array_size(v);
}

/* "4,800", a text, a list; after its key, if there is one: "rows 4,800", "mapped",
 * "type float32", "topic (values 4)". */
static void add_value(ig_builder *out, const char *key, json_t *v)
{
    char number[IG_NUMBER_SIZE];
    const char *name, *comma = "";
    json_t *part;

    ig_builder_add(out, "%s%s", key, *key && !json_is_true(v) ? "\u00A0" : "");
    if (json_is_string(v))
        ig_builder_add(out, "%s", json_string_value(v));
    else if (json_is_integer(v))
        ig_builder_add(out, "%s",
                       ig_count_format(number, (size_t)json_integer_value(v)));
    else if (json_is_real(v))
        ig_builder_add(out, "%s%.4g", json_real_value(v) < 0 ? "−" : "",
                       fabs(json_real_value(v)));
    if (!json_is_object(v))
        return;
    ig_builder_add(out, *key ? "(" : "");
    json_object_foreach (v, name, part)
        if (!says_nothing(part)) {
            ig_builder_add(out, "%s", comma);
            add_value(out, name, part);
            comma = ", ";
        }
    ig_builder_add(out, *key ? ")" : "");
}

ig_status ig_json_report(json_t *document, bool json, bool quiet, ig_error *error)
{
    size_t columns = ig_terminal_columns(stdout, 80), label = 10;
    const char *key;
    json_t *v;

    if (json)
        return ig_json_print(document, error);
    json_object_foreach (document, key, v)
        if (!says_nothing(v) && strlen(key) > label)
            label = strlen(key);
    json_object_foreach (document, key, v) {
        size_t lines = json_is_array(v) ? json_array_size(v) : !says_nothing(v);

        for (size_t i = 0; i < lines && !quiet; i++) {
            json_t *one = json_is_array(v) ? json_array_get(v, i) : v;
            ig_builder text = {0};

            add_value(&text, json_is_true(one) ? "yes" : "", one);
            printf("%-*s ", (int)label, key);
            ig_text_wrap(stdout, text.text ? text.text : "", label + 1, columns,
                         ig_locale_utf8());
            ig_builder_free(&text);
        }
    }
    json_decref(document);
    return IG_OK;
}

/* --- standard output, on a terminal without control characters -------------------- */

static FILE *terminal;

#if defined(__linux__)
typedef size_t cookie_size;
typedef ssize_t cookie_result;
#define OPEN_COOKIE(put) fopencookie(NULL, "w", (cookie_io_functions_t){.write = put})
#else
typedef int cookie_size, cookie_result;
#define OPEN_COOKIE(put) funopen(NULL, NULL, put, NULL, NULL)
#endif

static cookie_result put_lines(void *context, const char *bytes, cookie_size length)
{
    const char *stop = bytes + length;

    (void)context;
    for (const char *end; bytes < stop; bytes = end + (end < stop)) {
        end = memchr(bytes, '\n', (size_t)(stop - bytes));
        end = end ? end : stop;
        ig_text_put(terminal, bytes, (size_t)(end - bytes), SIZE_MAX, false);
        if (end < stop)
            putc('\n', terminal);
    }
    return fflush(terminal) == 0 ? (cookie_result)length : 0;
}

bool ig_sanitize_begin(bool filter)
{
    FILE *lines = filter && isatty(STDOUT_FILENO) ? OPEN_COOKIE(put_lines) : stdout;

    if (!lines || (lines != stdout && setvbuf(lines, NULL, _IOLBF, 1 << 16) != 0))
        return false;
    terminal = stdout;
    stdout = lines;
    return true;
}

ig_status ig_pivot_output(const ig_pivot *p, const ig_options *options, ig_comm *team,
                          ig_error *error)
{
    const ig_measure_options *o = &options->measure;
    ig_status status = ig_pivot_print(p, stdout, (ig_table_format)o->format,
                                      ig_terminal_columns(stdout, 0), ig_locale_utf8(),
                                      error);

    if (status != IG_OK || !ig_comm_is_root(team))
        return status;
    for (size_t i = 0; i < p->members && !options->quiet; i++)
        if (!p->member[i].met)
            ig_complain("note: %s: no column is '%s'", o->groups, p->member[i].name);
    return o->report ? ig_pivot_write(p, o->report, error) : IG_OK;
}

ig_status ig_plane_output(const ig_plane *plane, const ig_options *o, ig_error *error)
{
    const char *const *path = o->project.picture;
    ig_status status = IG_OK;

    for (int f = 0; f <= IG_PNG && status == IG_OK; f++)
        if (path[f])
            status = ig_plane_write(plane, (ig_picture_format)f, path[f], error);
    return status;
}

ig_status ig_run_path_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                           const ig_inputs *inputs, bool overwrite, ig_comm *team,
                           ig_error *error)
{
    ig_status status;
    char parent[PATH_MAX];

    *dir = (ig_dir){0};
    if (strcmp(path, "-") == 0)
        return ig_fail(error, IG_USAGE,
                       "--out -: a folder is written, which needs a name");
    if (!ig_comm_is_root(team))
        return IG_OK;
    snprintf(parent, sizeof parent, "%s", path);
    for (char *at = strchr(parent, '/'); at && at[strspn(at, "/")];
         at = strchr(at + 1, '/')) {
        *at = '\0';
        if (*parent && mkdir(parent, 0777) != 0 && errno != EEXIST)
            return ig_fail_io(error, parent, errno);
        *at = '/';
    }
    status = ig_dir_open(dir, path, kind, error);
    return status == IG_OK ? ig_output_check(path, kind, inputs, overwrite, error)
                           : status;
}
