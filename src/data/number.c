/* Parses decimal numbers: a fast path that verifies its own rounding, and strtod for
 * the rest. strtod gets digits and an exponent without a decimal point, which makes it
 * independent of the locale. */
#include "data/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Powers of ten that a double holds exactly. */
static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum {
    EXACT_POWER = 22,
    KEPT_DIGITS = 19,
    SLOW_DIGITS = 800,
    SLOW_SIZE = SLOW_DIGITS + 32,
    EXPONENT_LIMIT = 99999
};

/* A parsed number: (-1)^negative · digits · 10^exponent. */
typedef struct decimal {
    bool negative;
    uint64_t digits;   /* first 19 significant digits */
    long exponent;     /* of `digits` */
    bool cut;          /* further non-zero digits follow */
    const char *first; /* the digits and the point, for the slow path */
    const char *end;
    double special; /* NaN or infinity when not 0 */
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(const char *text, size_t length, const char *word)
{
    if (strlen(word) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        if ((text[i] | 0x20) != word[i])
            return false;
    }
    return true;
}

static bool read_special(const char *text, size_t length, decimal *out)
{
    if (is_word(text, length, "nan"))
        out->special = (double)NAN;
    else if (is_word(text, length, "inf") || is_word(text, length, "infinity"))
        out->special = (double)INFINITY;
    else
        return false;
    return true;
}

static bool read_digits(const char **at, const char *end, decimal *out)
{
    const char *p = *at;
    bool point = false;
    bool any = false;
    int kept = 0;

    out->first = p;
    for (; p < end; p++) {
        unsigned digit = (unsigned)(*p - '0');

        if (digit > 9) {
            if (*p != '.' || point)
                break;
            point = true;
            continue;
        }
        any = true;
        if (kept < KEPT_DIGITS) {
            out->digits = out->digits * 10 + digit;
            kept += out->digits != 0;
            out->exponent -= point;
        } else {
            out->cut |= digit != 0;
            out->exponent += !point;
        }
    }
    out->end = p;
    *at = p;
    return any;
}

static bool read_exponent(const char **at, const char *end, decimal *out)
{
    const char *p = *at + 1;
    bool negative;
    long e = 0;

    negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !is_digit(*p))
        return false;
    for (; p < end && is_digit(*p); p++) {
        if (e < EXPONENT_LIMIT)
            e = e * 10 + (*p - '0');
    }
    out->exponent += negative ? -e : e;
    *at = p;
    return true;
}

static bool read_decimal(const char *text, size_t length, decimal *out)
{
    const char *p = text;
    const char *end = text + length;

    *out = (decimal){0};
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    while (p < end && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (p < end && (*p == '-' || *p == '+'))
        out->negative = *p++ == '-';
    if (p == end)
        return false;
    if (!is_digit(*p) && *p != '.')
        return read_special(p, (size_t)(end - p), out);
    if (!read_digits(&p, end, out))
        return false;
    if (p < end && (*p | 0x20) == 'e' && !read_exponent(&p, end, out))
        return false;
    return p == end;
}

/* Format all digits and the exponent as "123e-4" for strtod. Returns `out`. */
static const char *format_slow(const decimal *in, char out[SLOW_SIZE])
{
    long exponent = in->exponent;
    size_t seen = 0;
    size_t n = 0;

    /* in->exponent refers to the first 19 significant digits; each appended digit
     * lowers it. A double depends on at most 767 digits, plus one that records whether
     * any non-zero digit follows. */
    for (const char *p = in->first; p < in->end; p++) {
        if (*p == '.' || (n == 0 && *p == '0'))
            continue;
        seen++;
        if (n < SLOW_DIGITS) {
            out[n++] = *p;
            exponent -= seen > KEPT_DIGITS;
        } else if (*p != '0' && n == SLOW_DIGITS) {
            out[n++] = '1';
            exponent--;
        }
    }
    snprintf(out + n, SLOW_SIZE - n, "e%ld", exponent);
    return out;
}

/* digits · 10^exponent within exact powers: at most two rounding errors. */
static double scaled(const decimal *in)
{
    double x = (double)in->digits;

    return in->exponent < 0 ? x / power[-in->exponent] : x * power[in->exponent];
}

static bool within_powers(const decimal *in)
{
    return in->exponent >= -EXACT_POWER && in->exponent <= EXACT_POWER;
}

bool ig_number_double(const char *text, size_t length, double *value)
{
    char digits[SLOW_SIZE];
    decimal in;
    double x;

    if (!read_decimal(text, length, &in))
        return false;
    if (in.special != 0)
        x = in.special;
    else if (in.digits == 0)
        x = 0;
    else if (!in.cut && in.digits <= UINT64_C(1) << 53 && within_powers(&in))
        x = scaled(&in);
    else
        x = strtod(format_slow(&in, digits), NULL);
    *value = in.negative ? -x : x;
    return true;
}

bool ig_number_float(const char *text, size_t length, float *value)
{
    char digits[SLOW_SIZE];
    decimal in;
    float f;

    if (!read_decimal(text, length, &in))
        return false;
    if (in.special != 0) {
        f = (float)in.special;
    } else if (in.digits == 0) {
        f = 0;
    } else if (within_powers(&in)) {
        /* The exact value is within 4 ulp of x: if both ends of that interval round to
         * the same float, the result is correct. */
        double x = scaled(&in);
        double slack = x * 0x1p-51;

        f = (float)(x - slack);
        if (f != (float)(x + slack))
            f = strtof(format_slow(&in, digits), NULL);
    } else {
        f = strtof(format_slow(&in, digits), NULL);
    }
    *value = in.negative ? -f : f;
    return true;
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
