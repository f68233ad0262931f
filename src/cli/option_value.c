/* Values of options: text into the field that the table names, or a sentence that says
 * what was expected. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_table.h"

static ig_status refuse(ig_error *error, const char *label, const char *wanted,
                        const char *value)
{
    return ig_fail(error, IG_USAGE, "%s must be %s, not '%s'", label, wanted, value);
}

/* A whole number ≥ 0 in decimal digits alone: no sign, no space. */
static bool whole(const char *text, uint64_t most, uint64_t *out)
{
    uint64_t value = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        if (value > (most - (uint64_t)(*text - '0')) / 10)
            return false;
        value = 10 * value + (uint64_t)(*text - '0');
    }
    *out = value;
    return true;
}

static bool real(const char *text, double *out)
{
    char *end;

    /* strtod also takes spaces before the number. */
    if (!strchr("+-.0123456789", *text) || !*text)
        return false;
    *out = strtod(text, &end);
    return *end == '\0' && isfinite(*out);
}

/* Number of `value` among "one|two|three", or -1. */
static int choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    int number = 0;

    for (const char *at = choices;; number++) {
        size_t n = strcspn(at, "|");

        if (n == length && memcmp(at, value, n) == 0)
            return number;
        if (!at[n])
            return -1;
        at += n + 1;
    }
}

static ig_status take_flag(bool *field, const char *label, const char *value,
                           ig_error *error)
{
    static const char *const names[] = {"no", "yes", "off", "on", "false", "true"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(value, names[i]) == 0) {
            *field = i % 2;
            return IG_OK;
        }
    return refuse(error, label, "yes or no", value);
}

static ig_status take_real(double *field, ig_option_kind kind, const char *label,
                           const char *value, ig_error *error)
{
    double number;
    bool good = real(value, &number);

    switch (kind) {
    case IG_KIND_POSITIVE:
        if (!good || number <= 0)
            return refuse(error, label, "a number above 0", value);
        break;
    case IG_KIND_FRACTION:
        if (!good || number < 0 || number >= 1)
            return refuse(error, label, "at least 0 and less than 1", value);
        break;
    default:
        if (!good || number < 0)
            return refuse(error, label, "a number of at least 0", value);
    }
    *field = number;
    return IG_OK;
}

static ig_status take_choice(int *field, const ig_option *option, const char *label,
                             const char *value, ig_error *error)
{
    int number = choice(option->choices, value);

    if (number < 0)
        return refuse(error, label, option->value, value);
    /* "auto" is the last name where there is one, and means that nothing is said. */
    *field = strcmp(value, "auto") == 0 ? IG_UNSAID : number;
    return IG_OK;
}

static ig_status take_colours(int *field, const ig_option *option, const char *label,
                              const char *value, ig_error *error)
{
    static const int number[] = {IG_UNSAID, 0, 8, 16, 256};
    int i = choice("auto|none|8|16|256", value);

    if (i < 0)
        return refuse(error, label, option->value, value);
    *field = number[i];
    return IG_OK;
}

static ig_status take_char(char *field, const char *label, const char *value,
                           ig_error *error)
{
    if (strcmp(value, "tab") == 0 || strcmp(value, "\\t") == 0) {
        *field = '\t';
        return IG_OK;
    }
    if (strlen(value) != 1 || *value < 0 || strchr("\"\r\n", *value))
        return refuse(error, label, "one ASCII character or 'tab'", value);
    *field = *value;
    return IG_OK;
}

/* 80x24, each from 1 to 10,000. */
static ig_status take_size(size_t *field, const char *label, const char *value,
                           ig_error *error)
{
    const char *x = strpbrk(value, "xX");
    char columns[8] = "";
    uint64_t c = 0, r = 0;

    if (x && x - value < (long)sizeof columns)
        memcpy(columns, value, (size_t)(x - value));
    if (!x || !whole(columns, 10000, &c) || !whole(x + 1, 10000, &r) || !c || !r)
        return refuse(error, label, "COLSxROWS such as 80x24, each at most 10000",
                      value);
    field[0] = (size_t)c;
    field[1] = (size_t)r;
    return IG_OK;
}

/* KEY=VALUE of a training option. */
static ig_status take_set(ig_options *options, const char *value, ig_error *error)
{
    size_t length = strcspn(value, "=");
    const ig_option *option = ig_option_named(value, length);
    const ig_option *near;
    char label[64];

    if (!value[length] || length == 0)
        return refuse(error, "--set", "KEY=VALUE", value);
    if (option && option->section == IG_SECTION_TRAINING &&
        option->kind != IG_KIND_SET) {
        snprintf(label, sizeof label, "--set %s", option->name);
        return ig_option_take(options, option, label, value + length + 1, error);
    }
    near = ig_option_near(value, length, 1u << IG_TRAIN);
    if (!option && near && near->section == IG_SECTION_TRAINING)
        return ig_fail(error, IG_USAGE,
                       "--set: there is no training option '%.*s'; did you mean %s?",
                       (int)length, value, near->name);
    return ig_fail(error, IG_USAGE, "--set: there is no training option '%.*s'",
                   (int)length, value);
}

static ig_status take_run(ig_options *options, const char *label, const char *value,
                          ig_error *error)
{
    const char **grown =
        ig_arena_alloc(&options->arena, (options->run_paths + 1) * sizeof *grown);

    if (!*value)
        return ig_fail(error, IG_USAGE, "%s needs a value, not an empty one", label);
    if (!grown)
        return ig_fail_memory(error, label);
    if (options->run_paths)
        memcpy(grown, options->run_path, options->run_paths * sizeof *grown);
    grown[options->run_paths++] = options->run = value;
    options->run_path = grown;
    return IG_OK;
}

ig_status ig_option_take(ig_options *options, const ig_option *option,
                         const char *label, const char *value, ig_error *error)
{
    void *field = (char *)options + option->offset;
    uint64_t number = 0;
    int second;

    switch (option->kind) {
    case IG_KIND_FLAG:
        return take_flag(field, label, value, error);
    case IG_KIND_TEXT:
        if (!*value)
            return ig_fail(error, IG_USAGE, "%s needs a value, not an empty one",
                           label);
        *(const char **)field = value;
        return IG_OK;
    case IG_KIND_COUNT:
        if (!whole(value, SIZE_MAX / 2, &number) || number == 0)
            return refuse(error, label, "a whole number from 1", value);
        *(size_t *)field = (size_t)number;
        return IG_OK;
    case IG_KIND_INDEX:
        if (!whole(value, SIZE_MAX / 2, &number))
            return refuse(error, label, "a whole number from 0", value);
        *(size_t *)field = (size_t)number;
        return IG_OK;
    case IG_KIND_LONG:
        if (!whole(value, INT32_MAX, &number))
            return refuse(error, label, "a whole number from 0", value);
        *(long *)field = (long)number;
        return IG_OK;
    case IG_KIND_SEED:
        /* JSON integers end at 2^63 - 1, and the seed is written to run.json. */
        if (!whole(value, INT64_MAX, &number))
            return refuse(error, label, "a whole number from 0", value);
        *(uint64_t *)field = number;
        return IG_OK;
    case IG_KIND_POSITIVE:
    case IG_KIND_WEIGHT:
    case IG_KIND_FRACTION:
        return take_real(field, option->kind, label, value, error);
    case IG_KIND_CHOICE:
        return take_choice(field, option, label, value, error);
    case IG_KIND_EITHER:
        second = choice(option->choices, value);
        if (second < 0)
            return refuse(error, label, option->value, value);
        *(bool *)field = second == 1;
        return IG_OK;
    case IG_KIND_COLOURS:
        return take_colours(field, option, label, value, error);
    case IG_KIND_CHAR:
        return take_char(field, label, value, error);
    case IG_KIND_SIZE:
        return take_size(field, label, value, error);
    case IG_KIND_RUN:
        return take_run(options, label, value, error);
    case IG_KIND_SET:
        return take_set(options, value, error);
    }
    return IG_USAGE;
}
