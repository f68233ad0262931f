/* Round numbers for axes, and numbers in few columns. */
#include "draw/axes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The smallest round step of at least `step`. */
static double round_step(double step)
{
    static const double nice[] = {1, 2, 2.5, 5, 10};
    double power = pow(10, floor(log10(step)));

    for (int i = 0; i < 5; i++) {
        if (nice[i] * power >= step * (1 - 1e-9))
            return nice[i] * power;
    }
    return 10 * power;
}

/* Ticks at multiples of `step` in [low, high]; how many there are, even past `most`. */
static size_t at_step(double low, double high, double step, size_t most, double *tick)
{
    double first = ceil(low / step - 1e-9), last = floor(high / step + 1e-9);
    size_t count = 0;

    for (double i = first; i <= last && count <= most; i++, count++) {
        if (count < most)
            tick[count] = i * step + 0.0; /* no negative zero */
    }
    return count;
}

size_t ig_axes_ticks(double low, double high, size_t most, double *tick)
{
    double step, width = high - low;

    if (most == 0 || !isfinite(low) || !isfinite(width) || width < 0)
        return 0;
    if (width <= fmax(fabs(low), fabs(high)) * 1e-12) {
        tick[0] = low;
        return 1;
    }
    for (step = round_step(width / (double)most / 2);; step = round_step(step * 1.01)) {
        size_t count = at_step(low, high, step, most, tick);

        if (count <= most)
            return count;
    }
}

/* Ticks at multiples of `step` that stand on whole rows, `each` rows apart, over a
 * range that holds [low, high]; how many, or 0: too many, or fewer than two. */
static size_t on_rows(double low, double high, int rows, double step, int each,
                      size_t most, double range[2], double *tick)
{
    double row = step / each, top = ceil(high / row - 1e-9) * row;
    double spare = floor((low - (top - (rows - 1) * row)) / row + 1e-9);
    size_t count;

    if (spare < 0)
        return 0;
    /* Values from 0 on do not leave room below it. */
    if (low >= 0 && top - (rows - 1) * row < 0)
        top += fmin(spare, ceil((rows - 1) - top / row - 1e-9)) * row;
    range[0] = top - (rows - 1) * row;
    range[1] = top;
    count = at_step(range[0], range[1], step, most, tick);
    return count <= most && count >= 2 ? count : 0;
}

size_t ig_axes_rows(double *low, double *high, int rows, size_t most, double *tick)
{
    enum { TRIED = 3 }; /* round steps for each distance */
    double best = INFINITY, range[2] = {*low, *high}, width = *high - *low;
    double found[2], place[IG_AXES_TICKS];
    size_t count = 0;

    if (most > IG_AXES_TICKS)
        most = IG_AXES_TICKS;
    if (!isfinite(*low) || !isfinite(width) || width <= 0)
        return 0;
    for (int each = 2; each < rows; each++) {
        double step = round_step(width * each / (rows - 1));

        for (int i = 0; i < TRIED; i++, step = round_step(step * 1.01)) {
            size_t n = on_rows(*low, *high, rows, step, each, most, found, place);
            /* What is lost of the plot; two ticks alone say little. */
            double cost = (found[1] - found[0]) * (n == 2 ? 1.5 : 1);

            if (n == 0 || cost >= best * (1 - 1e-9))
                continue;
            best = cost;
            count = n;
            memcpy(range, found, sizeof range);
            memcpy(tick, place, n * sizeof *tick);
        }
    }
    *low = range[0];
    *high = range[1];
    return count;
}

int ig_axes_decimals(const double *tick, size_t count)
{
    for (int decimals = 0; decimals < 9; decimals++) {
        double scale = pow(10, decimals), step = count > 1 ? tick[1] - tick[0] : 0;
        bool exact = true;

        for (size_t i = 0; i < count && exact; i++) {
            double error = fabs(tick[i] * scale - round(tick[i] * scale));

            exact = error <= 1e-6 * fmax(1, step * scale);
        }
        if (exact)
            return decimals;
    }
    return 9;
}

/* Columns of a number's text: its bytes, as it is 7-bit here. */
static bool fits(const char *text, int columns)
{
    return (int)strlen(text) <= columns;
}

/* With a real minus sign in place of each hyphen. */
static void real_minus(char *out, const char *text)
{
    size_t n = 0;

    for (; *text && n + 4 < IG_NUMBER_SIZE; text++) {
        if (*text == '-') {
            memcpy(out + n, "−", 3);
            n += 3;
        } else {
            out[n++] = *text;
        }
    }
    out[n] = '\0';
}

/* 1234567 as 1.2M where that is shorter; text has IG_NUMBER_SIZE bytes. */
static bool with_suffix(char *text, double value, int columns)
{
    static const struct {
        double unit;
        char letter;
    } units[] = {{1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}};

    for (int i = 0; i < 4; i++) {
        if (fabs(value) < units[i].unit || fabs(value) >= units[i].unit * 1e3)
            continue;
        for (int decimals = 2; decimals >= 0; decimals--) {
            snprintf(text, IG_NUMBER_SIZE, "%.*f%c", decimals, value / units[i].unit,
                     units[i].letter);
            if (fits(text, columns))
                return true;
        }
    }
    return false;
}

/* 1.2e-9: the exponent without padding. */
static bool with_exponent(char *text, double value, int columns)
{
    for (int decimals = 3; decimals >= 0; decimals--) {
        char mantissa[IG_NUMBER_SIZE], *e;

        snprintf(mantissa, sizeof mantissa, "%.*e", decimals, value);
        e = strchr(mantissa, 'e');
        if (!e)
            return false;
        *e = '\0';
        snprintf(text, IG_NUMBER_SIZE, "%.16se%d", mantissa,
                 (int)strtol(e + 1, NULL, 10));
        if (fits(text, columns))
            return true;
    }
    return false;
}

/* What is rounded to zero has no sign. */
static void drop_negative_zero(char *text)
{
    size_t zeros = strspn(text + (*text == '-'), "0.");

    if (*text == '-' && zeros > 0 && !text[1 + zeros])
        memmove(text, text + 1, zeros + 1);
}

const char *ig_number_format(char out[IG_NUMBER_SIZE], double value, int columns,
                             int ascii)
{
    char text[IG_NUMBER_SIZE] = "#";
    bool done = false;

    if (isnan(value))
        return strcpy(out, ascii ? "-" : "–");
    if (isinf(value)) {
        snprintf(text, sizeof text, "%s", value < 0 ? "-inf" : "inf");
        done = fits(text, columns);
    } else if (value == 0 || (fabs(value) >= 1e-3 && fabs(value) < 1e5)) {
        int digits = fabs(value) >= 100 ? 1 : fabs(value) >= 10 ? 2 : 3;

        for (int decimals = digits; decimals >= 0 && !done; decimals--) {
            snprintf(text, sizeof text, "%.*f", decimals, value);
            done = fits(text, columns) &&
                   (decimals > 0 || fabs(value) >= 1 || value == 0);
        }
    }
    if (!done && isfinite(value))
        done = with_suffix(text, value, columns) || with_exponent(text, value, columns);
    if (!done)
        strcpy(text, "#");
    drop_negative_zero(text);
    if (ascii)
        return strcpy(out, text);
    real_minus(out, text);
    return out;
}

const char *ig_fixed_format(char out[IG_NUMBER_SIZE], double value, int decimals,
                            int ascii)
{
    char text[IG_NUMBER_SIZE];

    snprintf(text, sizeof text, "%.*f", decimals, value);
    drop_negative_zero(text);
    if (ascii)
        return strcpy(out, text);
    real_minus(out, text);
    return out;
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
