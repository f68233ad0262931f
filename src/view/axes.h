/* Axes: round tick values and numbers in limited widths. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/setting.h"
#include "view/canvas.h"
#include "view/palette.h"

/* One axis: values low … high are drawn at from … to. */
typedef struct ig_span {
    double low, high, from, to;
} ig_span;

static inline double ig_span_place(const ig_span *axis, double value)
{
    return axis->from +
           (value - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

/* Extend the range to a value; an empty one is INFINITY … -INFINITY. */
static inline void ig_span_widen(ig_span *axis, double value)
{
    axis->low = value < axis->low ? value : axis->low;
    axis->high = value > axis->high ? value : axis->high;
}

/* The first round number from `step` on: 1, 2, 2.5 or 5 times a power of ten. */
double ig_axes_step(double step);

/* Ticks so far apart within [low, high], at most `most`, ascending: tick out (most).
 * Returns their number; 0: low > high or one is not finite; low = high gives one. */
size_t ig_axes_ticks(double low, double high, size_t most, double *tick);

/* Decimals that distinguish the ticks, 0 … 9. */
int ig_axes_decimals(const double *tick, size_t count);

/* Format a number in at most `columns` columns: 0.61, −3.02, 12.4k, 1.2e−9; nan as "–";
 * '#' if no form fits. ASCII when `ascii`, else with U+2212 as minus. */
const char *ig_number_format(char out[IG_NUMBER_SIZE], double value, int columns,
                             int ascii);

/* The same with a fixed number of decimals, 0 … 9. */
const char *ig_fixed_format(char out[IG_NUMBER_SIZE], double value, int decimals,
                            int ascii);

/* "1,200 rows", "1 row": a count and what is counted. */
enum { IG_COUNTED = IG_NUMBER_SIZE + 32 };
const char *ig_counted(char out[IG_COUNTED], size_t count, const char *noun);

enum { IG_CODE_SIZE = 128 };

/* Abbreviate name i of n to at most `columns` columns: truncated at the end, or in the
 * middle if it would equal another name ("zho…s" and "zho…t"), as late as distinguishes
 * them. Compares the first 1,000 names only. O(n × columns). */
const char *ig_code_short(char out[IG_CODE_SIZE], const char *const *name, size_t n,
                          size_t i, int columns);

/* --- scales ----------------------------------------------------------------------- */

enum { IG_SCALE_NAME_SIZE = 24 };

typedef struct ig_scale {
    double bound[IG_HEAT_COLOURS + 1]; /* of the steps, ascending */
    bool open;                         /* the last step has no upper bound */
    bool ranks;                        /* steps contain integers */
} ig_scale;

/* Eight equal steps from low to high (finite, low < high). */
ig_scale ig_scale_linear(double low, double high);

/* Eight steps with about as many of n > 0 finite values each, which it sorts, between
 * round numbers where these differ. */
ig_scale ig_scale_even(double *value, size_t n);

/* Steps for ranks: 1, 2, 3-5, 6-10, 11-30, 31-100, 101-300, 301+. A mean rank is
 * rounded up: only a mean of exactly 1 is in the first step. */
ig_scale ig_scale_ranks(void);

/* The step of a value, 0 … 7, clamped; −1 if not finite. */
int ig_scale_step(const ig_scale *scale, double value);

/* ASCII label of bound 0 … 8 ("0.25"), of ranks the step below it ("3-5"), or "": the
 * labels of all read like a ruler. */
const char *ig_scale_name(char out[IG_SCALE_NAME_SIZE], const ig_scale *scale,
                          size_t bound);
