/* Parses decimal numbers: a fast path that verifies its own rounding, and strtod for
 * the rest, which gets the decimal point of the locale. */
#include "data/number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Powers of ten that a double holds exactly. */
static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum {
    EXACT_POWER = 22,
    KEPT_DIGITS = 19,
    SLOW_SIZE = 4096, /* longer texts are no numbers */
    EXPONENT_LIMIT = 99999
};

/* A parsed number: (-1)^negative · digits · 10^exponent. */
typedef struct decimal {
    bool negative;
    uint64_t digits;   /* first 19 significant digits */
    long exponent;     /* of `digits` */
    bool cut;          /* further non-zero digits follow */
    const char *first; /* the text after the sign … */
    size_t length;     /* … and its length, for the slow path */
    double special;    /* NaN or infinity when not 0 */
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool read_special(const char *text, size_t length, decimal *out)
{
    static const char *const words[] = {"nan", "inf", "infinity"};

    for (size_t i = 0; i < 3 && out->special == 0; i++)
        if (strlen(words[i]) == length && strncasecmp(text, words[i], length) == 0)
            out->special = i ? (double)INFINITY : (double)NAN;
    return out->special != 0;
}

/* Parse digits around an optional point; false if there are none. */
static bool read_digits(const char **at, const char *end, decimal *out)
{
    const char *p = *at;
    bool point = false;
    bool any = false;
    int kept = 0;

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
    if (p == end || end - p >= SLOW_SIZE)
        return false;
    out->first = p;
    out->length = (size_t)(end - p);
    if (!is_digit(*p) && *p != '.')
        return read_special(p, (size_t)(end - p), out);
    if (!read_digits(&p, end, out))
        return false;
    if (p < end && (*p | 0x20) == 'e' && !read_exponent(&p, end, out))
        return false;
    return p == end;
}

/* The text of a number as strtod expects it. Returns `out`. */
static const char *copy_text(const decimal *in, char out[SLOW_SIZE])
{
    char *point;

    memcpy(out, in->first, in->length);
    out[in->length] = '\0';
    point = strchr(out, '.');
    if (point)
        *point = *localeconv()->decimal_point;
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
        x = strtod(copy_text(&in, digits), NULL);
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
            f = strtof(copy_text(&in, digits), NULL);
    } else {
        f = strtof(copy_text(&in, digits), NULL);
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
