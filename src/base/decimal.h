/* Numbers as decimal text. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

/* The shortest decimal number that reads back as the same double, or the same float,
 * in the form of %g; "nan", "inf". A float takes about 50 ns. */
enum { IG_SHORTEST_SIZE = 32 };
const char *ig_shortest(char out[IG_SHORTEST_SIZE], double value);
const char *ig_shortest_float(char out[IG_SHORTEST_SIZE], float value);

#endif
