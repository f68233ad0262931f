/* Settings: values read, written and compared with none. */
#include "base/setting.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

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

    /* strtod also takes spaces before the number, nan, inf and hexadecimal ones. */
    if (text[strspn(text, "0123456789+-.eE")] != '\0' || !strpbrk(text, "0123456789"))
        return false;
    *out = strtod(text, &end);
    return *end == '\0' && isfinite(*out);
}

/* Number of a name among "one|two|three", or -1. */
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

/* --- reading ---------------------------------------------------------------------- */

static ig_status refuse(ig_error *error, const char *label, const char *wanted,
                        const char *value)
{
    return ig_fail(error, IG_USAGE, "%s must be %s, not '%s'", label, wanted, value);
}

/* A whole number from `least` to `most`, or the sentence. */
static ig_status take_whole(uint64_t *number, uint64_t least, uint64_t most,
                            const char *label, const char *text, ig_error *error)
{
    if (ig_whole_parse(text, most, number) && *number >= least)
        return IG_OK;
    return refuse(error, label,
                  least ? "a whole number from 1" : "a whole number from 0", text);
}

static ig_status take_real(double *number, ig_kind kind, const char *label,
                           const char *text, ig_error *error)
{
    double value;
    bool good = ig_real_parse(text, &value);

    if (kind == IG_KIND_POSITIVE && !(good && value > 0))
        return refuse(error, label, "a number above 0", text);
    if (kind == IG_KIND_FRACTION && !(good && value >= 0 && value < 1))
        return refuse(error, label, "at least 0 and less than 1", text);
    if (kind == IG_KIND_WEIGHT && !(good && value >= 0))
        return refuse(error, label, "a number of at least 0", text);
    *number = value;
    return IG_OK;
}

ig_status ig_setting_parse(const ig_setting *field, void *record, const char *label,
                           const char *text, ig_error *error)
{
    static const char *const flags[] = {"no", "yes", "off", "on", "false", "true"};
    void *to = (char *)record + field->offset;
    uint64_t number = 0;
    ig_status status = IG_OK;
    int choice;

    switch (field->kind) {
    case IG_KIND_FLAG:
        for (int i = 0; i < (int)(sizeof flags / sizeof *flags); i++)
            if (strcmp(text, flags[i]) == 0) {
                *(int *)to = i % 2;
                return IG_OK;
            }
        return refuse(error, label, "yes or no", text);
    case IG_KIND_CHOICE:
        choice = find_choice(field->choices, text);
        if (choice < 0)
            return refuse(error, label, field->value, text);
        *(int *)to = strcmp(text, "auto") == 0 ? -1 : choice;
        return IG_OK;
    case IG_KIND_TEXT:
        if (!*text)
            return ig_fail(error, IG_USAGE, "%s needs a value, not an empty one",
                           label);
        *(const char **)to = text;
        return IG_OK;
    case IG_KIND_COUNT:
    case IG_KIND_INDEX:
        status = take_whole(&number, field->kind == IG_KIND_COUNT, SIZE_MAX / 2, label,
                            text, error);
        if (status == IG_OK)
            *(size_t *)to = (size_t)number;
        return status;
    case IG_KIND_LONG:
        status = take_whole(&number, 0, INT32_MAX, label, text, error);
        if (status == IG_OK)
            *(long *)to = (long)number;
        return status;
    case IG_KIND_SEED:
        /* JSON's integers end there, and a seed is written as one. */
        status = take_whole(&number, 0, INT64_MAX, label, text, error);
        if (status == IG_OK)
            *(uint64_t *)to = number;
        return status;
    case IG_KIND_POSITIVE:
    case IG_KIND_WEIGHT:
    case IG_KIND_FRACTION:
        return take_real(to, field->kind, label, text, error);
    case IG_KIND_OTHER:
        break;
    }
    return ig_fail(error, IG_USAGE, "%s cannot be set here", label);
}

/* --- said or not, and as text ----------------------------------------------------- */

static const int no_int = -1;
static const long no_long = -1;
static const size_t no_count = 0, no_index = SIZE_MAX;
static const double no_real = -1;
static const char *const no_text = NULL;

/* How large a value is, and what stands for none (NULL: there is always one). */
static const struct {
    size_t size;
    const void *none;
} kinds[] = {
    [IG_KIND_FLAG] = {sizeof(int), &no_int},
    [IG_KIND_CHOICE] = {sizeof(int), &no_int},
    [IG_KIND_TEXT] = {sizeof(char *), &no_text},
    [IG_KIND_COUNT] = {sizeof(size_t), &no_count},
    [IG_KIND_INDEX] = {sizeof(size_t), &no_index},
    [IG_KIND_LONG] = {sizeof(long), &no_long},
    [IG_KIND_SEED] = {sizeof(uint64_t), NULL},
    [IG_KIND_POSITIVE] = {sizeof(double), &no_real},
    [IG_KIND_WEIGHT] = {sizeof(double), &no_real},
    [IG_KIND_FRACTION] = {sizeof(double), &no_real},
    [IG_KIND_OTHER] = {0, NULL},
};

bool ig_setting_said(const ig_setting *field, const void *record)
{
    const void *none = kinds[field->kind].none;

    return !none || memcmp((const char *)record + field->offset, none,
                           kinds[field->kind].size) != 0;
}

void ig_setting_unsay(const ig_setting *field, void *record)
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

/* Name number n of "one|two|three". */
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
    if (!ig_setting_said(field, record))
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
        ig_shortest(out, *(const double *)at);
        break;
    case IG_KIND_OTHER:
        break;
    }
    return out;
}
