/* Settings: parsing, formatting, unset values. */
#include "core/setting.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers and names ------------------------------------------------------------ */

bool ig_whole_parse(const char *text, uint64_t most, uint64_t *out)
{
    uint64_t value = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(*text - '0');

        if (*text < '0' || *text > '9' || digit > most || value > (most - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *out = value;
    return true;
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

/* Index of a name in "one|two|three", or -1. */
static int find_choice(const char *choices, const char *name)
{
    size_t length = strlen(name);
    int number = 0;

    for (const char *at = choices;; number++) {
        size_t n = strcspn(at, "|");

        if (n == length && memcmp(at, name, n) == 0)
            return number;
        if (!at[n])
            return -1;
        at += n + 1;
    }
}

/* --- parsing ---------------------------------------------------------------------- */

static const int no_int = -1;
static const long no_long = -1;
static const size_t no_count = 0, no_index = SIZE_MAX;
static const double no_real = -1;
static const char *const no_text = NULL;

/* For each kind: the size of a value, the value that means unset (NULL: always set), a
 * description for messages, and for numbers the range `min` to `max`. */
static const struct {
    size_t size;
    const void *none;
    const char *wanted;
    double min; /* for real numbers; DBL_TRUE_MIN means above 0 */
    uint64_t max;
} kinds[] = {
    [IG_KIND_FLAG] = {sizeof(int), &no_int, "yes or no", 0, 0},
    [IG_KIND_CHOICE] = {sizeof(int), &no_int, NULL, 0, 0},
    [IG_KIND_TEXT] = {sizeof(char *), &no_text, NULL, 0, 0},
    [IG_KIND_COUNT] = {sizeof(size_t), &no_count, "a whole number from 1", 1,
                       SIZE_MAX / 2},
    [IG_KIND_INDEX] = {sizeof(size_t), &no_index, "a whole number from 0", 0,
                       SIZE_MAX / 2},
    [IG_KIND_LONG] = {sizeof(long), &no_long, "a whole number from 0", 0, INT32_MAX},
    /* JSON integers end there, and seeds are written as such. */
    [IG_KIND_SEED] = {sizeof(uint64_t), NULL, "a whole number from 0", 0, INT64_MAX},
    [IG_KIND_POSITIVE] = {sizeof(double), &no_real, "a number above 0", DBL_TRUE_MIN,
                          0},
    [IG_KIND_WEIGHT] = {sizeof(double), &no_real, "a number of at least 0", 0, 0},
    [IG_KIND_FRACTION] = {sizeof(double), &no_real, "at least 0 and less than 1", 0, 1},
    [IG_KIND_OTHER] = {0, NULL, NULL, 0, 0},
};

static bool parse_value(const ig_setting *field, const char *text, void *to)
{
    static const char *const flags[] = {"no", "yes", "off", "on", "false", "true"};
    uint64_t max = kinds[field->kind].max, whole;
    double min = kinds[field->kind].min, real;
    int n = 0;

    switch (field->kind) {
    case IG_KIND_FLAG:
        while (n < 6 && strcmp(text, flags[n]) != 0)
            n++;
        *(int *)to = n < 6 ? n % 2 : *(int *)to;
        return n < 6;
    case IG_KIND_CHOICE:
        n = find_choice(field->choices, text);
        if (n >= 0)
            *(int *)to = strcmp(text, "auto") == 0 ? -1 : n;
        return n >= 0;
    case IG_KIND_POSITIVE:
    case IG_KIND_WEIGHT:
    case IG_KIND_FRACTION:
        if (!ig_real_parse(text, &real) || real < min || (max && real >= (double)max))
            return false;
        *(double *)to = real;
        return true;
    default:
        if (!ig_whole_parse(text, max, &whole) || whole < (uint64_t)min)
            return false;
        if (field->kind == IG_KIND_LONG)
            *(long *)to = (long)whole;
        else if (field->kind == IG_KIND_SEED)
            *(uint64_t *)to = whole;
        else
            *(size_t *)to = (size_t)whole;
        return true;
    }
}

ig_status ig_setting_parse(const ig_setting *field, void *record, const char *label,
                           const char *text, ig_error *error)
{
    void *to = (char *)record + field->offset;
    const char *wanted = kinds[field->kind].wanted;

    if (field->kind == IG_KIND_OTHER)
        return ig_fail(error, IG_USAGE, "%s cannot be set here", label);
    if (field->kind == IG_KIND_TEXT && !*text)
        return ig_fail(error, IG_USAGE, "%s needs a value, not an empty one", label);
    if (field->kind == IG_KIND_TEXT)
        *(const char **)to = text;
    else if (!parse_value(field, text, to))
        return ig_fail(error, IG_USAGE, "%s must be %s, not '%s'", label,
                       wanted ? wanted : field->value, text);
    return IG_OK;
}

/* --- set or unset, and formatting ------------------------------------------------- */

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

/* Copy name number n of "one|two|three". */
static void name_choice(char out[IG_SETTING_SIZE], const char *choices, int n)
{
    for (; n > 0; n--)
        choices += strcspn(choices, "|") + 1;
    snprintf(out, IG_SETTING_SIZE, "%.*s", (int)strcspn(choices, "|"), choices);
}

const char *ig_setting_format(const ig_setting *field, const void *record,
                              char out[IG_SETTING_SIZE])
{
    const void *at = (const char *)record + field->offset;

    *out = '\0';
    if (!ig_setting_is_set(field, record))
        return out;
    switch (field->kind) {
    case IG_KIND_FLAG:
        name_choice(out, "no|yes", *(const int *)at);
        break;
    case IG_KIND_CHOICE:
        name_choice(out, field->choices, *(const int *)at);
        break;
    case IG_KIND_TEXT:
        return *(const char *const *)at;
    case IG_KIND_COUNT:
    case IG_KIND_INDEX:
        snprintf(out, IG_SETTING_SIZE, "%zu", *(const size_t *)at);
        break;
    case IG_KIND_LONG:
        snprintf(out, IG_SETTING_SIZE, "%ld", *(const long *)at);
        break;
    case IG_KIND_SEED:
        snprintf(out, IG_SETTING_SIZE, "%" PRIu64, *(const uint64_t *)at);
        break;
    case IG_KIND_POSITIVE:
    case IG_KIND_WEIGHT:
    case IG_KIND_FRACTION:
        snprintf(out, IG_SETTING_SIZE, "%.15g", *(const double *)at);
        break;
    case IG_KIND_OTHER:
        break;
    }
    return out;
}
