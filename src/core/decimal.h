/* Numbers as decimal text. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stddef.h>

/* A float in the form of %.9g, which is enough to read it back. About 20 ns below 9.5,
 * a tenth of the time of snprintf. Returns a place in `out`. */
enum { IG_FLOAT_SIZE = 32 };
const char *ig_float_format(char out[IG_FLOAT_SIZE], float value);

/* A count with thousands separators: 4,800. */
enum { IG_NUMBER_SIZE = 32 };
const char *ig_count_format(char out[IG_NUMBER_SIZE], size_t count);

#endif
