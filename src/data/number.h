/* Numbers in text, whatever the locale. */
#ifndef DATA_NUMBER_H
#define DATA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Parse a number: decimal digits with optional sign, point and exponent, or nan, inf,
 * infinity in any case, between blanks. Rounds to the nearest double, and that to the
 * nearest float; overflow gives infinity. False, with *value unchanged: anything else,
 * or more than 4,095 bytes. */
bool ig_number_double(const char *text, size_t length, double *value);
bool ig_number_float(const char *text, size_t length, float *value);

/* Parse digits alone, below 2^53. */
bool ig_number_size(const char *text, size_t length, size_t *value);

#endif
