/* Numbers in text: those of few digits exactly, the rest by strtod. */
#include "data/number.h"

#include <langinfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool ig_number_double(const char *text, size_t length, double *value)
{
    enum { LIMIT = 4096 };
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    size_t sign = length && *text == '-', digits = 0, point = SIZE_MAX, i = sign;
    char number[LIMIT], *end;
    uint64_t whole = 0;
    double x;

    /* Up to 15 digits with a point: both integers are exact in double, so their
     * quotient is rounded once. It takes a fifth of the time of strtod. */
    for (; i < length; i++)
        if ((unsigned)(text[i] - '0') <= 9) {
            whole = whole * 10 + (unsigned)(text[i] - '0');
            digits++;
        } else if (text[i] == '.' && point == SIZE_MAX) {
            point = digits;
        } else {
            break;
        }
    if (i == length && digits && digits <= 15) {
        x = (double)whole / power[point == SIZE_MAX ? 0 : digits - point];
        *value = sign ? -x : x;
        return true;
    }
    for (i = 0; i < length && i < LIMIT - 1; i++) {
        /* These exclude hexadecimal numbers, and the locale's own decimal point. */
        if (!text[i] || !strchr(" \t0123456789+-.einftyEINFATYa", text[i]))
            return false;
        number[i] = text[i] == '.' ? *nl_langinfo(RADIXCHAR) : text[i];
    }
    number[i] = '\0';
    x = strtod(number, &end);
    if (i < length || end == number || end[strspn(end, " \t")])
        return false;
    *value = x;
    return true;
}

bool ig_number_float(const char *text, size_t length, float *value)
{
    double x;
    bool number = ig_number_double(text, length, &x);

    if (number)
        *value = (float)x;
    return number;
}

bool ig_number_size(const char *text, size_t length, size_t *value)
{
    double x;

    for (size_t i = 0; i < length; i++)
        if ((unsigned)(text[i] - '0') > 9)
            return false;
    if (!ig_number_double(text, length, &x) || x >= 0x1p53)
        return false;
    *value = (size_t)x;
    return true;
}
