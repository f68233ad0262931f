/* Locale-independent parsing of decimal numbers. */
#ifndef DATA_NUMBER_H
#define DATA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Parse a number: decimal digits with optional sign, point and exponent, or nan, inf,
 * infinity in any case; surrounding spaces are skipped. Rounds to the nearest double,
 * and that to the nearest float; overflow gives infinity, like strtod. Returns false
 * for anything else, with *value unchanged. */
bool ig_number_float(const char *text, size_t length, float *value);
bool ig_number_double(const char *text, size_t length, double *value);

/* Parse an unsigned integer, digits only. False for anything else or past SIZE_MAX. */
bool ig_number_size(const char *text, size_t length, size_t *value);

#endif
