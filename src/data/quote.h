/* Pieces of files as they may stand in a message. */
#ifndef DATA_QUOTE_H
#define DATA_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

enum { IG_QUOTE_SIZE = 64, IG_LIST_SIZE = 256 };

/* `bytes` cut to fit, control characters and bytes that are no UTF-8 as '?'. Returns
 * `out`. */
const char *ig_quote(char out[IG_QUOTE_SIZE], const char *bytes, size_t length);

/* "a, b, c", cut with an ellipsis after as many as fit. Returns `out`. */
const char *ig_quote_list(char out[IG_LIST_SIZE], const char *const *name,
                          size_t count);

/* What is said of a text that is not: what it mostly is, and the way out. */
#define IG_NOT_UTF8                                                                    \
    "is not valid UTF-8; if it is Latin-1, iconv -f latin1 -t utf-8 converts it"

/* ig_text_valid, quick for ASCII: true when all of it is UTF-8 without a zero byte. */
bool ig_quote_is_text(const char *bytes, size_t length);

#endif
