/* Names of languages and groups in few columns, told apart. */
#ifndef DRAW_CODES_H
#define DRAW_CODES_H

#include <stddef.h>

#include "draw/glyphs.h"

enum { IG_CODE_SIZE = 128 };

/* Name i of n in at most `columns` columns: cut at its end or, where another name would
 * look the same, in its middle ("zho…s" and "zho…t"), as late as tells them apart. Of
 * more than 1,000 names, the first are looked at. O(n × columns). */
const char *ig_code_short(char out[IG_CODE_SIZE], const char *const *name, size_t n,
                          size_t i, int columns, ig_glyphs glyphs);

#endif
