/* Settings: parsing, formatting, unset values. */
#include "core/setting.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ig_whole_parse(const char *text, uint64_t most, uint64_t *out)
{
    /* strtoull also accepts leading spaces and signs. */
    if (!*text || text[strspn(text, "0123456789")] != '\0')
        return false;
    errno = 0;
    *out = strtoull(text, NULL, 10);
    return errno == 0 && *out <= most;
}

bool ig_real_parse(const char *text, double *out)
{
    char *end;

    /* strtod also accepts leading spaces, nan, inf and hexadecimal numbers. */
    if (text[strspn(text, "0123456789+-.eE")] != '\0' || !strpbrk(text, "0123456789"))
        return false;
    *out = strtod(text, &end);
    return *end == '\0' && isfinite(*out);
}

const char *ig_float_format(char out[IG_FLOAT_SIZE], float value)
{
    double size = fabs((double)value), power = 1e8;
    char *at = out + IG_FLOAT_SIZE;
    int decimals = 8;
    uint64_t digits;

    if (!(size >= 1e-4 && size < 9.5)) {
        snprintf(out, IG_FLOAT_SIZE, "%.9g", (double)value);
        return out;
    }
    for (; size * power < 99999999.95; power *= 10)
        decimals++;
    digits = (uint64_t)(size * power + 0.5);
    for (; digits % 10 == 0; digits /= 10)
        decimals--;
    *--at = '\0';
    for (int i = 0; i <= decimals; i++, digits /= 10) {
        if (i > 0 && i == decimals)
            *--at = '.';
        *--at = (char)('0' + digits % 10);
    }
    if (value < 0)
        *--at = '-';
    return at;
}

const char *ig_count_format(char out[IG_NUMBER_SIZE], size_t count)
{
    size_t length = (size_t)snprintf(out, IG_NUMBER_SIZE, "%zu", count);

    for (size_t at = length; at > 3; out[at] = ',') {
        at -= 3;
        memmove(out + at + 1, out + at, ++length - at);
    }
    return out;
}

/* Name number n of "one|two|three", of *length bytes, or NULL. */
static const char *name_choice(const char *choices, int n, size_t *length)
{
    for (; choices; choices = choices[*length] ? choices + *length + 1 : NULL) {
        *length = strcspn(choices, "|");
        if (n-- == 0)
            break;
    }
    return choices;
}

static_assert(sizeof(size_t) == sizeof(uint64_t), "whole numbers have one size");

static const int no_int = -1;
static const size_t no_count = 0, no_index = SIZE_MAX;
static const double no_real = -1;
static const char *const no_text = NULL;

/* For each kind: the size of a value, the value that means unset (NULL: always set), a
 * description for messages, the least number, and the end of real ones. */
static const struct {
    size_t size;
    const void *none;
    const char *wanted;
    double min, end;
} kinds[] = {
    [IG_KIND_FLAG] = {sizeof(int), &no_int, "yes or no", 0, 0},
    [IG_KIND_CHOICE] = {sizeof(int), &no_int, NULL, 0, 0},
    [IG_KIND_TEXT] = {sizeof(char *), &no_text, NULL, 0, 0},
    [IG_KIND_COUNT] = {sizeof(size_t), &no_count, "a whole number from 1", 1, 0},
    [IG_KIND_INDEX] = {sizeof(size_t), &no_index, "a whole number from 0", 0, 0},
    [IG_KIND_SEED] = {sizeof(uint64_t), NULL, "a whole number from 0", 0, 0},
    [IG_KIND_POSITIVE] = {sizeof(double), &no_real, "a number above 0", DBL_TRUE_MIN,
                          INFINITY},
    [IG_KIND_WEIGHT] = {sizeof(double), &no_real, "a number of at least 0", 0,
                        INFINITY},
    [IG_KIND_FRACTION] = {sizeof(double), &no_real, "at least 0 and less than 1", 0, 1},
    [IG_KIND_OTHER] = {0, NULL, NULL, 0, 0},
};

static bool is_choice(ig_kind kind)
{
    return kind == IG_KIND_FLAG || kind == IG_KIND_CHOICE;
}

static bool parse_value(const ig_setting *field, const char *text, void *to)
{
    bool flag = field->kind == IG_KIND_FLAG, valid;
    double min = kinds[field->kind].min, end = kinds[field->kind].end, real;
    const char *names = flag ? "no|yes|off|on|false|true" : field->choices, *name;
    size_t length;
    uint64_t whole;

    for (int n = 0; is_choice(field->kind); n++) {
        name = name_choice(names, n, &length);
        if (!name)
            return false;
        if (length != strlen(text) || memcmp(name, text, length) != 0)
            continue;
        *(int *)to = flag ? n % 2 : strcmp(text, "auto") == 0 ? -1 : n;
        return true;
    }
    /* JSON integers end at INT64_MAX, and seeds are written as such. */
    valid = end > 0 ? ig_real_parse(text, &real) && real >= min && real < end
                    : ig_whole_parse(text, INT64_MAX, &whole) && whole >= (uint64_t)min;
    if (valid)
        memcpy(to, end > 0 ? (void *)&real : (void *)&whole, sizeof whole);
    return valid;
}

ig_status ig_setting_parse(const ig_setting *field, void *record, const char *label,
                           const char *text, ig_error *error)
{
    void *to = (char *)record + field->offset;
    const char *wanted = kinds[field->kind].wanted;

    if (field->kind == IG_KIND_OTHER)
        return ig_fail(error, IG_USAGE, "%s cannot be set here", label);
    if (field->kind == IG_KIND_TEXT && !*text && strcmp(field->value, "TEXT") != 0)
        return ig_fail(error, IG_USAGE, "%s needs a value, not an empty one", label);
    if (field->kind == IG_KIND_TEXT)
        *(const char **)to = text;
    else if (!parse_value(field, text, to))
        return ig_fail(error, IG_USAGE, "%s must be %s, not '%s'", label,
                       wanted         ? wanted
                       : field->value ? field->value
                                      : field->choices,
                       text);
    return IG_OK;
}

bool ig_setting_is_set(const ig_setting *field, const void *record)
{
    const void *none = kinds[field->kind].none;

    return !none || memcmp((const char *)record + field->offset, none,
                           kinds[field->kind].size) != 0;
}

void ig_setting_unset(const ig_setting *field, void *record)
{
    if (kinds[field->kind].none)
        memcpy((char *)record + field->offset, kinds[field->kind].none,
               kinds[field->kind].size);
}

void ig_setting_copy(const ig_setting *field, void *to, const void *from)
{
    memcpy((char *)to + field->offset, (const char *)from + field->offset,
           kinds[field->kind].size);
}

const char *ig_setting_format(const ig_setting *field, const void *record,
                              char out[IG_SETTING_SIZE])
{
    const void *at = (const char *)record + field->offset;
    const char *name;
    size_t length = 0;
    uint64_t whole = 0;

    *out = '\0';
    if (field->kind == IG_KIND_OTHER || !ig_setting_is_set(field, record))
        return out;
    if (field->kind == IG_KIND_TEXT)
        return *(const char *const *)at;
    memcpy(&whole, at, kinds[field->kind].size);
    if (is_choice(field->kind)) {
        name = name_choice(field->choices ? field->choices : "no|yes", *(const int *)at,
                           &length);
        snprintf(out, IG_SETTING_SIZE, "%.*s", (int)length, name);
    } else if (kinds[field->kind].end > 0) {
        snprintf(out, IG_SETTING_SIZE, "%.15g", *(const double *)at);
    } else {
        snprintf(out, IG_SETTING_SIZE, "%" PRIu64, whole);
    }
    return out;
}
