/* Numbers in text: those of few digits exactly, the rest by strtod. */
#include "data/number.h"

#include <langinfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Up to 15 digits with a point: both integers are exact in double, so their quotient is
 * rounded once. It takes a fifth of the time of strtod. */
static bool read_short(const char *text, size_t length, double *value)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    size_t sign = length && *text == '-', digits = 0, point = SIZE_MAX;
    uint64_t number = 0;

    for (size_t i = sign; i < length; i++) {
        unsigned digit = (unsigned)(text[i] - '0');

        if (digit <= 9) {
            number = number * 10 + digit;
            digits++;
        } else if (text[i] != '.' || point != SIZE_MAX) {
            return false;
        } else {
            point = digits;
        }
    }
    if (digits == 0 || digits > 15)
        return false;
    *value = (double)number / power[point == SIZE_MAX ? 0 : digits - point];
    *value = sign ? -*value : *value;
    return true;
}

bool ig_number_double(const char *text, size_t length, double *value)
{
    enum { LIMIT = 4096 }; /* longer texts are no numbers */
    char number[LIMIT], *end;
    double x;

    if (read_short(text, length, value))
        return true;
    if (length >= LIMIT)
        return false;
    for (size_t i = 0; i < length; i++) {
        /* These exclude hexadecimal numbers, and the locale's own decimal point. */
        if (!text[i] || !strchr(" \t0123456789+-.einftyEINFATYa", text[i]))
            return false;
        number[i] = text[i] == '.' ? *nl_langinfo(RADIXCHAR) : text[i];
    }
    number[length] = '\0';
    x = strtod(number, &end);
    if (end == number || end[strspn(end, " \t")])
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
    size_t x = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)(text[i] - '0');

        if (digit > 9 || x > (SIZE_MAX - digit) / 10)
            return false;
        x = x * 10 + digit;
    }
    if (length)
        *value = x;
    return length > 0;
}
