/* Round numbers for axes, and numbers in limited widths. */
#include "view/axes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

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

/* Ticks at multiples of `step` in [low, high]. Returns their number, which may exceed
 * the capacity. */
static size_t find_ticks(double low, double high, double step, size_t most,
                         double *tick)
{
    double first = ceil(low / step - 1e-9), last = floor(high / step + 1e-9);
    size_t count = 0;

    for (double i = first; i <= last && count <= most; i++, count++) {
        if (count < most)
            tick[count] = i * step + 0.0; /* avoids negative zero */
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
        size_t count = find_ticks(low, high, step, most, tick);

        if (count <= most)
            return count;
    }
}

/* Ticks at multiples of `step`, `each` rows apart, over a range that contains [low,
 * high]. Returns their number, or 0 if there are too many or fewer than two. */
static size_t find_row_ticks(double low, double high, int rows, double step, int each,
                             size_t most, double range[2], double *tick)
{
    double row = step / each, top = ceil(high / row - 1e-9) * row;
    double spare = floor((low - (top - (rows - 1) * row)) / row + 1e-9);
    size_t count;

    if (spare < 0)
        return 0;
    /* Non-negative values need no space below 0. */
    if (low >= 0 && top - (rows - 1) * row < 0)
        top += fmin(spare, ceil((rows - 1) - top / row - 1e-9)) * row;
    range[0] = top - (rows - 1) * row;
    range[1] = top;
    count = find_ticks(range[0], range[1], step, most, tick);
    return count <= most && count >= 2 ? count : 0;
}

size_t ig_axes_rows(double *low, double *high, int rows, size_t most, double *tick)
{
    enum { TRIED = 3 }; /* round steps tried for each distance */
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
            size_t n =
                find_row_ticks(*low, *high, rows, step, each, most, found, place);
            /* The range lost to padding; two ticks alone are penalised. */
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

/* True if the text fits; it is ASCII here, one column a byte. */
static bool fits_columns(const char *text, int columns)
{
    return (int)strlen(text) <= columns;
}

static void put_minus(char *out, const char *text)
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

/* 1234567 as 1.2M if shorter; text has IG_NUMBER_SIZE bytes. */
static bool format_suffix(char *text, double value, int columns)
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
            if (fits_columns(text, columns))
                return true;
        }
    }
    return false;
}

/* 1.2e-9: the exponent without padding. */
static bool format_exponent(char *text, double value, int columns)
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
        if (fits_columns(text, columns))
            return true;
    }
    return false;
}

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
        done = fits_columns(text, columns);
    } else if (value == 0 || (fabs(value) >= 1e-3 && fabs(value) < 1e5)) {
        int digits = fabs(value) >= 100 ? 1 : fabs(value) >= 10 ? 2 : 3;

        for (int decimals = digits; decimals >= 0 && !done; decimals--) {
            snprintf(text, sizeof text, "%.*f", decimals, value);
            done = fits_columns(text, columns) &&
                   (decimals > 0 || fabs(value) >= 1 || value == 0);
        }
    }
    if (!done && isfinite(value))
        done = format_suffix(text, value, columns) ||
               format_exponent(text, value, columns);
    if (!done)
        strcpy(text, "#");
    drop_negative_zero(text);
    if (ascii)
        return strcpy(out, text);
    put_minus(out, text);
    return out;
}

const char *ig_fixed_format(char out[IG_NUMBER_SIZE], double value, int decimals,
                            int ascii)
{
    char text[IG_NUMBER_SIZE];

    snprintf(text, sizeof text, "%.*f", decimals, isnan(value) ? fabs(value) : value);
    drop_negative_zero(text);
    if (ascii)
        return strcpy(out, text);
    put_minus(out, text);
    return out;
}

/* --- abbreviated names ------------------------------------------------------------ */

enum { LOOKED_AT = 1000, MOST_COLUMNS = 24 };

struct piece {
    const char *head, *tail;
    size_t head_length, tail_length;
};

static struct piece cut_name(const char *name, int columns, int tail)
{
    size_t length = strlen(name), width = ig_text_width(name, length);
    struct piece p = {name, name, length, 0};

    if ((int)width <= columns)
        return p;
    p.head_length =
        ig_text_fit(name, length, (size_t)(columns - tail - (tail > 0)), NULL);
    while (length > 0 && (int)width > tail) {
        ig_grapheme next = ig_text_grapheme(p.tail, length);

        width -= ig_text_width(p.tail, next.source);
        p.tail += next.source;
        length -= next.source;
    }
    p.tail_length = length;
    return p;
}

static bool is_alike(struct piece a, struct piece b)
{
    return a.head_length == b.head_length && a.tail_length == b.tail_length &&
           memcmp(a.head, b.head, a.head_length) == 0 &&
           memcmp(a.tail, b.tail, a.tail_length) == 0;
}

const char *ig_code_short(char out[IG_CODE_SIZE], const char *const *name, size_t n,
                          size_t i, int columns, ig_glyphs glyphs)
{
    struct piece own;
    int tail = -1;
    bool alike = true;

    columns = columns < 1 ? 1 : columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
    n = n < LOOKED_AT ? n : LOOKED_AT;
    while (alike && ++tail <= columns - 2) {
        own = cut_name(name[i], columns, tail);
        alike = false;
        for (size_t j = 0; j < n && !alike; j++)
            alike = j != i && is_alike(own, cut_name(name[j], columns, tail));
    }
    if (alike)
        own = cut_name(name[i], columns, 0);
    snprintf(out, IG_CODE_SIZE, "%.*s%s%.*s", (int)own.head_length, own.head,
             own.tail_length ? ig_glyph_text(glyphs, IG_GLYPH_ELLIPSIS) : "",
             (int)own.tail_length, own.tail);
    out[ig_text_valid(out, strlen(out))] = '\0';
    return out;
}

/* --- scales ----------------------------------------------------------------------- */

enum { STEPS = IG_HEAT_COLOURS };

ig_scale ig_scale_linear(double low, double high)
{
    ig_scale scale = {.to = high};

    for (int i = 0; i < STEPS; i++)
        scale.from[i] = low + (high - low) * i / STEPS;
    return scale;
}

ig_scale ig_scale_round(double low, double high)
{
    static const double round[] = {1, 2, 2.5, 5};
    double least = high / STEPS - low / STEPS; /* finite for any low and high */
    double power = least > 0 ? floor(log10(least)) : -1;

    for (;; power++)
        for (int i = 0; i < 4; i++) {
            double width = round[i] * pow(10, power);
            double begin = floor(low / width) * width;

            /* Skip a width below the double resolution at `low`. */
            if (begin + width > begin && begin + STEPS * width >= high)
                return ig_scale_linear(begin, begin + STEPS * width);
        }
}

ig_scale ig_scale_ranks(void)
{
    return (ig_scale){
        .from = {1, 2, 3, 6, 11, 31, 101, 301}, .to = 301, .open = true, .ranks = true};
}

int ig_scale_step(const ig_scale *scale, double value)
{
    int step = 0;

    if (!isfinite(value))
        return -1;
    if (scale->ranks)
        value = ceil(value);
    while (step + 1 < STEPS && value >= scale->from[step + 1])
        step++;
    return step;
}

/* An ASCII number with no more digits than needed: steps end at round numbers. */
static void format_bound(char out[IG_SCALE_NAME_SIZE], double value)
{
    snprintf(out, IG_SCALE_NAME_SIZE, "%.6g", value + 0.0); /* avoids -0 */
}

const char *ig_scale_name(char out[IG_SCALE_NAME_SIZE], const ig_scale *scale,
                          size_t step)
{
    bool last = step + 1 >= STEPS;
    double next = last ? scale->to : scale->from[step + 1];

    if (!scale->ranks)
        format_bound(out, next);
    else if (last || next - scale->from[step] <= 1)
        snprintf(out, IG_SCALE_NAME_SIZE, "%.0f", scale->from[step]);
    else
        snprintf(out, IG_SCALE_NAME_SIZE, "%.0f-%.0f", scale->from[step], next - 1);
    if (last && scale->open)
        strcat(out, "+");
    return out;
}

const char *ig_scale_begin(char out[IG_SCALE_NAME_SIZE], const ig_scale *scale)
{
    if (scale->ranks)
        out[0] = '\0';
    else
        format_bound(out, scale->from[0]);
    return out;
}
