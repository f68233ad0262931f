/* The config file: options by the same names, and keys. */
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/option_table.h"

/* A line of the file, as far as it has been read. */
typedef struct line {
    const char *path;
    size_t number;
    const char *name, *value; /* into the arena */
} line;

__attribute__((format(printf, 3, 4))) static ig_status
refuse(const line *l, ig_error *error, const char *format, ...)
{
    char why[IG_ERROR_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return ig_fail(error, IG_USAGE, "%s:%zu: %s", l->path, l->number, why);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* text[0 … *length) without the spaces around it. */
static const char *trim(const char *text, size_t *length)
{
    while (*length && is_space(*text)) {
        text++;
        --*length;
    }
    while (*length && is_space(text[*length - 1]))
        --*length;
    return text;
}

/* Bytes before a comment: '#' at the beginning or after a space. */
static size_t before_comment(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '#' && (i == 0 || is_space(text[i - 1])))
            return i;
    return length;
}

static ig_status add_binding(ig_options *options, const line *l, ig_error *error)
{
    const char *action = l->name + 3;
    ig_status status = ig_array_grow(&options->binding, &options->binding_capacity,
                                     options->bindings + 1, sizeof *options->binding,
                                     l->path, error);

    while (is_space(*action))
        action++;
    if (status == IG_OK)
        options->binding[options->bindings++] =
            (ig_binding){action, l->value, l->number};
    return status;
}

static ig_status take_line(ig_options *options, const line *l, ig_error *error)
{
    const ig_option *option = ig_option_named(l->name, strlen(l->name));
    const ig_option *near;
    ig_error problem;

    if (strncmp(l->name, "key", 3) == 0 && is_space(l->name[3]))
        return add_binding(options, l, error);
    if (!option) {
        near = ig_option_near(l->name, strlen(l->name), ~0u);
        if (near && !near->once)
            return ig_fail(error, IG_USAGE,
                           "%s:%zu: there is no option '%s'; did you mean %s?", l->path,
                           l->number, l->name, near->name);
        return refuse(l, error, "there is no option '%s'", l->name);
    }
    if (options->command == IG_EVAL && strcmp(option->name, "method") == 0)
        return IG_OK; /* what is trained by default; eval trains when it is told to */
    if (option->once)
        return refuse(l, error, "'%s' belongs on the command line", l->name);
    if (ig_option_take(options, option, l->name, l->value, &problem) != IG_OK)
        return refuse(l, error, "%s", problem.message);
    return IG_OK;
}

static ig_status read_line(ig_options *options, line *l, const char *text,
                           size_t length, ig_error *error)
{
    const char *equals;
    size_t name_length, value_length;
    const char *name, *value;

    length = before_comment(text, length);
    text = trim(text, &length);
    if (length == 0)
        return IG_OK;
    equals = memchr(text, '=', length);
    if (!equals || ig_text_valid(text, length) != length || memchr(text, 0, length))
        return refuse(l, error, "expected a line '%s'", "option = value");
    name_length = (size_t)(equals - text);
    value_length = length - name_length - 1;
    name = trim(text, &name_length);
    value = trim(equals + 1, &value_length);
    l->name = ig_arena_text(&options->arena, name, name_length);
    l->value = ig_arena_text(&options->arena, value, value_length);
    if (!l->name || !l->value)
        return ig_fail_memory(error, l->path);
    if (!*l->name || !*l->value)
        return refuse(l, error, "expected a line '%s'", "option = value");
    return take_line(options, l, error);
}

ig_status ig_options_config_text(ig_options *options, const char *path,
                                 const char *text, size_t length, ig_error *error)
{
    line l = {.path = path};
    size_t at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    while (at < length) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t n = end ? (size_t)(end - text) - at : length - at;
        ig_status status;

        l.number++;
        status = read_line(options, &l, text + at, n, error);
        if (status != IG_OK)
            return status;
        at += n + 1;
    }
    return IG_OK;
}

ig_status ig_options_config(ig_options *options, const char *path, ig_error *error)
{
    ig_mapping file = {0};
    ig_status status;

    if (access(path, F_OK) != 0)
        return IG_OK;
    status = ig_mapping_open(&file, path, error);
    if (status != IG_OK)
        return status;
    options->config = ig_arena_text(&options->arena, path, strlen(path));
    status = ig_options_config_text(options, path, (const char *)file.bytes, file.size,
                                    error);
    ig_mapping_close(&file);
    return status;
}
