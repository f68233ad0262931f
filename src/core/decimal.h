/* Numbers as decimal text. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stddef.h>

/* The shortest decimal number that round-trips to the same double or float, in the form
 * of %g; "nan", "inf". A float takes about 50 ns. */
enum { IG_SHORTEST_SIZE = 32 };
const char *ig_shortest(char out[IG_SHORTEST_SIZE], double value);
const char *ig_shortest_float(char out[IG_SHORTEST_SIZE], float value);

/* A count with thousands separators: 4,800. */
enum { IG_NUMBER_SIZE = 32 };
const char *ig_count_format(char out[IG_NUMBER_SIZE], size_t count);

#endif
