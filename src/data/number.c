/* Numbers in text: those of few digits exactly, the rest by strtod. */
#include "data/number.h"

#include <langinfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_DIGITS = 15, LIMIT = 4096 }; /* longer texts are no numbers */

/* Up to 15 digits with a point: both integers are exact in double, so their quotient is
 * rounded once. It takes a fifth of the time of strtod. */
static bool read_short(const char *text, size_t length, double *value)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    size_t i = length && *text == '-', digits = 0, decimals = 0;
    bool point = false;
    uint64_t number = 0;

    for (; i < length; i++) {
        unsigned digit = (unsigned)(text[i] - '0');

        if (digit > 9 && (text[i] != '.' || point))
            return false;
        point |= digit > 9;
        if (digit > 9)
            continue;
        number = number * 10 + digit;
        digits++;
        decimals += point;
    }
    if (digits == 0 || digits > EXACT_DIGITS)
        return false;
    *value = (double)number / power[decimals];
    *value = *text == '-' ? -*value : *value;
    return true;
}

bool ig_number_double(const char *text, size_t length, double *value)
{
    char number[LIMIT], *end;
    double x;

    for (; length && (*text == ' ' || *text == '\t'); length--)
        text++;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (read_short(text, length, value))
        return true;
    if (length == 0 || length >= LIMIT)
        return false;
    for (size_t i = 0; i < length; i++) {
        /* These exclude hexadecimal numbers, and the locale's own decimal point. */
        if (!text[i] || !strchr("0123456789+-.einftyEINFATYa", text[i]))
            return false;
        number[i] = text[i] == '.' ? *nl_langinfo(RADIXCHAR) : text[i];
    }
    number[length] = '\0';
    x = strtod(number, &end);
    if (*end)
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

    if (length == 0)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)(text[i] - '0');

        if (digit > 9 || x > (SIZE_MAX - digit) / 10)
            return false;
        x = x * 10 + digit;
    }
    *value = x;
    return true;
}
