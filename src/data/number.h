/* Decimal numbers in text, whatever the locale is. */
#ifndef DATA_NUMBER_H
#define DATA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Read one number: decimal digits with optional sign, point and exponent, or nan, inf,
 * infinity in any case; spaces around it are skipped. The nearest float (or double).
 * False when `text` is anything else; *value is then untouched. A number too large is
 * an infinity, as it is for strtod. */
bool ig_number_float(const char *text, size_t length, float *value);
bool ig_number_double(const char *text, size_t length, double *value);

/* Read a whole number, digits alone. False for anything else or past SIZE_MAX. */
bool ig_number_size(const char *text, size_t length, size_t *value);

#endif
