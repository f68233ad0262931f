/* Axes: round numbers to mark and numbers in few columns. */
#ifndef DRAW_AXES_H
#define DRAW_AXES_H

#include <stddef.h>

enum { IG_NUMBER_SIZE = 32, IG_AXES_TICKS = 16 };

/* Round values (1, 2, 2.5 or 5 times a power of ten apart) within [low, high], at most
 * `most` of them, ascending: tick out (most). Returns how many; 0 when low > high or
 * one is not finite; low = high gives that value. */
size_t ig_axes_ticks(double low, double high, size_t most, double *tick);

/* Round values for a plot of `rows` rows, at even distances of whole rows: the range
 * grows for that, to *low at the last row and *high at the first. 2 … `most` of them;
 * 0, and the range stays: there are none, as in a plot of few rows or a range without
 * width. */
size_t ig_axes_rows(double *low, double *high, int rows, size_t most, double *tick);

/* Decimals that tell the ticks apart, 0 … 9. */
int ig_axes_decimals(const double *tick, size_t count);

/* A number in at most `columns` columns: 0.61, −3.02, 12.4k, 1.2e−9. "nan" as "–". With
 * `columns` too few for any form, '#'. ASCII when `ascii`, else with a real minus. */
const char *ig_number_format(char out[IG_NUMBER_SIZE], double value, int columns,
                             int ascii);

/* A number with that many decimals, 0 … 9, whatever its length (under
 * IG_NUMBER_SIZE). */
const char *ig_fixed_format(char out[IG_NUMBER_SIZE], double value, int decimals,
                            int ascii);

/* A count with thousands separated: 4,800. */
const char *ig_count_format(char out[IG_NUMBER_SIZE], size_t count);

#endif
