#include "core/decimal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

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
    char digits[IG_NUMBER_SIZE];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%zu", count), n = 0;

    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[n++] = ',';
        out[n++] = digits[i];
    }
    out[n] = '\0';
    return out;
}
