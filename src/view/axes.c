/* Round numbers for axes, and numbers in limited widths. */
#include "view/axes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

double ig_axes_step(double step)
{
    static const double nice[] = {1, 2, 2.5, 5, 10};
    double power = pow(10, floor(log10(step)));
    int i = 0;

    while (i < 4 && nice[i] * power < step * (1 - 1e-9))
        i++;
    return nice[i] * power;
}

size_t ig_axes_ticks(double low, double high, size_t most, double *tick)
{
    double width = high - low, step;

    if (most == 0 || !isfinite(low) || !isfinite(width) || width < 0)
        return 0;
    if (width <= fmax(fabs(low), fabs(high)) * 1e-12) {
        tick[0] = low;
        return 1;
    }
    for (step = ig_axes_step(width / (double)most / 2);;
         step = ig_axes_step(step * 1.01)) {
        double first = ceil(low / step - 1e-9), last = floor(high / step + 1e-9);

        if (last - first >= (double)most)
            continue;
        for (double i = first; i <= last; i++)
            *tick++ = i * step + 0.0; /* avoids negative zero */
        return last < first ? 0 : (size_t)(last - first) + 1;
    }
}

int ig_axes_decimals(const double *tick, size_t count)
{
    for (int decimals = 0; decimals < 9; decimals++) {
        double scale = pow(10, decimals), step = count > 1 ? tick[1] - tick[0] : *tick;
        bool exact = true;

        for (size_t i = 0; i < count && exact; i++)
            exact = fabs(remainder(tick[i] * scale, 1)) <= 1e-6 * fabs(step) * scale;
        if (exact)
            return decimals;
    }
    return 9;
}

/* Copy an ASCII number: zero without a sign, and unless `ascii` U+2212 as minus. */
static const char *put_number(char out[IG_NUMBER_SIZE], const char *text, int ascii)
{
    size_t zeros = strspn(text + (*text == '-'), "0."), n = 0;

    if (*text == '-' && zeros > 0 && !text[1 + zeros])
        text++;
    for (; *text && n + 4 < IG_NUMBER_SIZE; text++)
        if (*text == '-' && !ascii)
            n += (size_t)sprintf(out + n, "−");
        else
            out[n++] = *text;
    out[n] = '\0';
    return out;
}

const char *ig_number_format(char out[IG_NUMBER_SIZE], double value, int columns,
                             int ascii)
{
    double size = fabs(value);
    bool fixed = size == 0 || (size >= 1e-3 && size < 1e5);
    int decimals = !fixed || size < 10 ? 3 : size < 100 ? 2 : 1;
    char text[IG_NUMBER_SIZE];

    if (isnan(value))
        return strcpy(out, ascii ? "-" : "–");
    for (; decimals >= 0; decimals--) {
        char *e;

        snprintf(text, sizeof text, fixed ? "%.*f" : "%.*e", decimals, value);
        e = fixed ? NULL : strchr(text, 'e');
        if (e) /* 1.2e-9: the exponent without padding */
            sprintf(e, "e%d", (int)strtol(e + 1, NULL, 10));
        if ((int)strlen(text) <= columns)
            return put_number(out, text, ascii);
    }
    return strcpy(out, "#");
}

const char *ig_fixed_format(char out[IG_NUMBER_SIZE], double value, int decimals,
                            int ascii)
{
    char text[IG_NUMBER_SIZE];

    if (isnan(value))
        return strcpy(out, ascii ? "-" : "–");
    snprintf(text, sizeof text, "%.*f", decimals, value);
    return put_number(out, text, ascii);
}

const char *ig_counted(char out[IG_COUNTED], size_t count, const char *noun)
{
    char number[IG_NUMBER_SIZE];

    snprintf(out, IG_COUNTED, "%s %.24s%s", ig_count_format(number, count), noun,
             count == 1 ? "" : "s");
    return out;
}

/* --- abbreviated names ------------------------------------------------------------ */

/* A name in `columns` columns, with its last `tail` columns if it is cut. */
static void cut_name(char out[IG_CODE_SIZE], const char *name, int columns, int tail)
{
    size_t length = strlen(name), head;
    const char *end = name;
    int left = ig_text_columns(name);

    if (left <= columns)
        tail = columns = left;
    head = ig_text_fit(name, length, (size_t)(columns - tail - (tail > 0)), NULL);
    for (; left > tail; left = ig_text_columns(end))
        end += ig_text_grapheme(end, strlen(end)).source;
    snprintf(out, IG_CODE_SIZE, "%.*s%s%s", end > name ? (int)head : 0, name,
             end > name && tail ? "…" : "", end);
    out[ig_text_valid(out, strlen(out))] = '\0';
}

const char *ig_code_short(char out[IG_CODE_SIZE], const char *const *name, size_t n,
                          size_t i, int columns)
{
    enum { LOOKED_AT = 1000, MOST_COLUMNS = 24 };
    char other[IG_CODE_SIZE];
    bool alike = true;

    columns = columns < 1 ? 1 : columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
    n = n < LOOKED_AT ? n : LOOKED_AT;
    for (int tail = 0; alike && tail <= columns - 2; tail++) {
        cut_name(out, name[i], columns, tail);
        alike = false;
        for (size_t j = 0; j < n && !alike; j++) {
            if (j == i || name[j][0] != name[i][0])
                continue;
            cut_name(other, name[j], columns, tail);
            alike = strcmp(out, other) == 0;
        }
    }
    if (alike)
        cut_name(out, name[i], columns, 0);
    return out;
}

/* --- scales ----------------------------------------------------------------------- */

enum { STEPS = IG_HEAT_COLOURS };

ig_scale ig_scale_linear(double low, double high)
{
    ig_scale scale = {.bound[STEPS] = high};

    for (int i = 0; i < STEPS; i++)
        scale.bound[i] = low + (high - low) * i / STEPS;
    return scale;
}

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

ig_scale ig_scale_even(double *value, size_t n)
{
    ig_scale scale;
    double per, begin;

    qsort(value, n, sizeof *value, compare_values);
    scale = (ig_scale){.bound = {[0] = value[0], [STEPS] = value[n - 1]}};
    per = pow(10, 2 - floor(log10(value[n - 1] - value[0])));
    for (size_t i = 1, at = 0; i < STEPS; i++) {
        at += (n - at) / (STEPS - i + 1);
        while (value[at] <= scale.bound[i - 1] && at + 1 < n)
            at++;
        begin = floor(value[at] * per) / per;
        scale.bound[i] = begin > scale.bound[i - 1] ? begin : value[at];
    }
    return scale;
}

ig_scale ig_scale_ranks(void)
{
    return (ig_scale){
        .bound = {1, 2, 3, 6, 11, 31, 101, 301, 302}, .open = true, .ranks = true};
}

int ig_scale_step(const ig_scale *scale, double value)
{
    int step = 0;

    if (!isfinite(value))
        return -1;
    if (scale->ranks)
        value = ceil(value);
    while (step + 1 < STEPS && value >= scale->bound[step + 1])
        step++;
    return step;
}

const char *ig_scale_name(char out[IG_SCALE_NAME_SIZE], const ig_scale *scale,
                          size_t bound)
{
    const double *at = &scale->bound[bound];

    if (!scale->ranks) /* no more digits than needed: steps end at round numbers */
        snprintf(out, IG_SCALE_NAME_SIZE, "%.6g", *at + 0.0); /* avoids -0 */
    else if (bound == 0)
        out[0] = '\0';
    else if (at[0] - at[-1] <= 1)
        snprintf(out, IG_SCALE_NAME_SIZE, "%.0f", at[-1]);
    else
        snprintf(out, IG_SCALE_NAME_SIZE, "%.0f-%.0f", at[-1], at[0] - 1);
    if (bound == STEPS && scale->open)
        strcat(out, "+");
    return out;
}
