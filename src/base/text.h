/* UTF-8 text: validity, graphemes, display width, case folding. Text is data: it is
 * shown by grapheme and never sent to a terminal raw. Uses utf8proc. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The offset of the first byte that is not valid UTF-8 (overlong forms, surrogates and
 * values past U+10FFFF are invalid), or `length` when all of it is valid. */
size_t ig_text_valid(const char *text, size_t length);

/* The code point at the start of text[0 … length), length > 0, and its bytes; -1 and 1
 * byte where there is no valid one. */
int32_t ig_text_decode(const char *text, size_t length, size_t *bytes);

/* A code point as UTF-8, without an ending zero; returns its bytes, 0 when it has
 * none (a surrogate, or past U+10FFFF). */
size_t ig_text_encode(int32_t c, char out[4]);

/* A copy in which each byte that is not part of valid UTF-8 has become U+FFFD, ended by
 * a zero byte (ig_free it), or NULL when memory is short. *size (optional) gets its
 * bytes. */
char *ig_text_mend(const char *text, size_t length, size_t *size);

/* Bytes as base64: writes (n + 2) / 3 · 4 characters without an ending zero, and
 * returns how many. */
size_t ig_text_base64(const char *bytes, size_t n, char *out);

/* Base64 as bytes, at most n / 4 · 3 of them: returns how many, or SIZE_MAX where a
 * character is none of its digits or the end is not filled up to four. */
size_t ig_text_of_base64(const char *text, size_t n, char *out);

/* One grapheme cluster as it is to be shown. */
typedef struct ig_grapheme {
    const char *bytes; /* points into the text, or to a static replacement */
    size_t length;     /* bytes of what is shown */
    size_t source;     /* bytes of the text it stands for, ≥ 1 */
    int width;         /* columns: 1 or 2, never 0 */
    bool rtl;          /* a strongly right-to-left character opens it */
    bool carrier;      /* a lone combining mark: show it on U+25CC, the dotted circle */
} ig_grapheme;

/* The first grapheme of text[0 … length), length > 0. Control and escape characters
 * (C0, C1, DEL, bidi marks and overrides, separators) become visible symbols such as ␛
 * or ·; invalid bytes become U+FFFD, one per byte, and so do characters without a
 * meaning. A tab becomes one space. Widths are those of wcwidth, which terminals
 * without knowledge of graphemes go by: a spacing vowel sign counts, what is joined to
 * an emoji does not, and an emoji selector after a narrow character is left out with
 * what follows it. */
ig_grapheme ig_text_grapheme(const char *text, size_t length);

/* Columns that `text` takes when shown by graphemes. */
size_t ig_text_width(const char *text, size_t length);

/* Bytes of the longest prefix that fits `columns`; *used (optional) gets its
 * columns. */
size_t ig_text_fit(const char *text, size_t length, size_t columns, size_t *used);

/* Write text[0 … length) by graphemes, cut to `columns` (SIZE_MAX: not cut) with an
 * ellipsis where it was longer; `pad`: filled with spaces to `columns`. */
void ig_text_put(FILE *out, const char *text, size_t length, size_t columns, bool pad);

/* True when the first strongly directional character is right-to-left. */
bool ig_text_rtl(const char *text, size_t length);

/* Case-folded, NFKC-normalised copy for searching, ended by a zero byte (ig_free it),
 * or NULL when memory is short. Invalid bytes are kept as U+FFFD. */
char *ig_text_fold(const char *text, size_t length);

/* The same without marks: accents, points, vowel signs; "Wölfe" becomes "wolfe".
 * Letters of their own (ø, ł) stay what they are. */
char *ig_text_fold_bare(const char *text, size_t length);

#endif
