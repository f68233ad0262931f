/* Shortest decimal form. A double is tried with 15, 16 and 17 digits. For a float,
 * double arithmetic decides: its 29 extra bits determine the nearest digits and whether
 * they round-trip. Where they do not suffice (a tie, or a decimal on the boundary
 * between two floats), digits are tried as for doubles. */
#include "core/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_DIGITS = 6, MAX_DIGITS = 9 };

/* Powers of ten, up to 9 digits of the smallest float, 1.4e-45. */
static const double ten[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
    1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27,
    1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38, 1e39, 1e40, 1e41,
    1e42, 1e43, 1e44, 1e45, 1e46, 1e47, 1e48, 1e49, 1e50, 1e51, 1e52, 1e53};

const char *ig_shortest(char out[IG_SHORTEST_SIZE], double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, IG_SHORTEST_SIZE, "%.*g", digits, value);
        if (isnan(value) || strtod(out, NULL) == value)
            break;
    }
    return out;
}

static const char *try_digits(char out[IG_SHORTEST_SIZE], float value)
{
    for (int digits = MIN_DIGITS; digits <= MAX_DIGITS; digits++) {
        snprintf(out, IG_SHORTEST_SIZE, "%.*g", digits, (double)value);
        if (isnan(value) || strtof(out, NULL) == value)
            break;
    }
    return out;
}

static double scale(double value, int power)
{
    return power < 0 ? value / ten[-power] : value * ten[power];
}

/* floor(log10(value)) of a positive float. */
static int decimal_exponent(double value)
{
    int binary, power;

    frexp(value, &binary);
    power = (int)floor((binary - 1) * 0.30102999566398120);
    return scale(1, power + 1) <= value ? power + 1 : power;
}

/* Write `digits` digits with the first at 10^power, in the form of %.*g. */
static void put_number(char *out, uint32_t number, int digits, int power)
{
    int precision = digits;
    char text[MAX_DIGITS + 1];

    while (digits > 1 && number % 10 == 0) {
        number /= 10;
        digits--;
    }
    for (int i = digits; i-- > 0; number /= 10)
        text[i] = (char)('0' + number % 10);
    if (power < -4 || power >= precision) {
        *out++ = text[0];
        if (digits > 1) {
            *out++ = '.';
            memcpy(out, text + 1, (size_t)digits - 1);
            out += digits - 1;
        }
        *out++ = 'e';
        *out++ = power < 0 ? '-' : '+';
        *out++ = (char)('0' + abs(power) / 10);
        *out++ = (char)('0' + abs(power) % 10);
        *out = '\0';
        return;
    }
    if (power < 0) {
        memcpy(out, "0.0000", (size_t)(1 - power));
        out += 1 - power;
    }
    for (int i = 0; i < digits || i <= power; i++) {
        if (i == power + 1 && power >= 0)
            *out++ = '.';
        *out++ = i < digits ? text[i] : '0';
    }
    *out = '\0';
}

const char *ig_shortest_float(char out[IG_SHORTEST_SIZE], float value)
{
    double v = fabs((double)value), low, high;
    int power;

    if (!isfinite(value) || v == 0 || v < 1e-44)
        return try_digits(out, value);
    power = decimal_exponent(v);
    low = (v + (double)nextafterf((float)v, 0)) / 2; /* values in between round-trip */
    high = v == 0x1.fffffep127 ? 0x1.ffffffp127
                               : (v + (double)nextafterf((float)v, INFINITY)) / 2;
    for (int digits = MIN_DIGITS; digits <= MAX_DIGITS; digits++) {
        int shift = digits - 1 - power;
        double exact = scale(v, shift), nearest = floor(exact + 0.5);
        double least = scale(low, shift), most = scale(high, shift);
        double unsure = exact * 0x1p-50; /* rounding error bound of the above */

        if (fabs(fabs(exact - nearest) - 0.5) <= unsure ||
            fabs(nearest - least) <= unsure || fabs(nearest - most) <= unsure)
            return try_digits(out, value);
        if (nearest > least && nearest < most) {
            bool carried = nearest >= ten[digits];

            out[0] = '-';
            put_number(out + (value < 0), (uint32_t)(carried ? nearest / 10 : nearest),
                       digits, power + carried);
            return out;
        }
    }
    return try_digits(out, value);
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
