/* Steps of a scale and their names. */
#include "draw/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
enum { STEPS = IG_HEAT_COLOURS };

ig_scale ig_scale_linear(double low, double high, bool open)
{
    ig_scale scale = {.to = high, .open = open};

    for (int i = 0; i < STEPS; i++)
        scale.from[i] = low + (high - low) * i / STEPS;
    return scale;
}

ig_scale ig_scale_round(double low, double high)
{
    static const double round[] = {1, 2, 2.5, 5};
    double least = high / STEPS - low / STEPS; /* finite, whatever they are */
    double power = least > 0 ? floor(log10(least)) : -1;

    for (;; power++)
        for (int i = 0; i < 4; i++) {
            double width = round[i] * pow(10, power);
            double begin = floor(low / width) * width;

            /* A width that doubles cannot resolve at `low` is passed over. */
            if (begin + width > begin && begin + STEPS * width >= high)
                return ig_scale_linear(begin, begin + STEPS * width, false);
        }
}

ig_scale ig_scale_of(const double from[IG_HEAT_COLOURS], double to, bool open)
{
    ig_scale scale = {.to = to, .open = open};

    memcpy(scale.from, from, sizeof scale.from);
    return scale;
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

/* A number in 7 bits, with no more digits than it needs: steps end at round ones. */
static void format(char out[IG_SCALE_NAME_SIZE], double value)
{
    snprintf(out, IG_SCALE_NAME_SIZE, "%.6g", value + 0.0); /* no -0 */
}

const char *ig_scale_name(char out[IG_SCALE_NAME_SIZE], const ig_scale *scale,
                          size_t step)
{
    bool last = step + 1 >= STEPS;
    double next = last ? scale->to : scale->from[step + 1];

    if (!scale->ranks)
        format(out, next);
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
        format(out, scale->from[0]);
    return out;
}
