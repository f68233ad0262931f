/* UTF-8 text: validation, grapheme clusters, display width, case folding. Text is
 * untrusted data, shown by grapheme and never sent to a terminal raw. Uses utf8proc. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Offset of the first byte that is not valid UTF-8, or `length`. */
size_t ig_text_valid(const char *text, size_t length);

/* The code point at the start of text[0 … length), and its byte count; -1 and 1 byte if
 * invalid or if length is 0. */
int32_t ig_text_decode(const char *text, size_t length, size_t *bytes);

/* True for control characters, line and paragraph separators, bidi overrides and
 * isolates, and −1. */
bool ig_text_is_control(int32_t c);

/* Encode a code point without a terminating zero. Returns the number of bytes, 0 for
 * surrogates and values above U+10FFFF. */
size_t ig_text_encode(int32_t c, char out[4]);

/* A zero-terminated copy with invalid bytes replaced by U+FFFD (ig_free it), or NULL
 * when memory is short. */
char *ig_text_mend(const char *text, size_t length);

/* One grapheme cluster as displayed. */
typedef struct ig_grapheme {
    const char *bytes; /* points into the text, or to a static replacement */
    size_t length;     /* displayed bytes */
    size_t source;     /* bytes of the source text, ≥ 1 */
    int width;         /* columns: 1 or 2, never 0 */
    bool rtl;          /* starts with a strongly right-to-left character */
} ig_grapheme;

/* The first grapheme of text[0 … length), length > 0. Control and formatting characters
 * (C0, C1, DEL, bidi marks and overrides, separators) become visible symbols such as ␛
 * or ·; invalid bytes and unassigned characters become U+FFFD, a combining mark without
 * a letter the dotted circle U+25CC. A tab becomes a space.
 * Widths follow wcwidth, as terminals without grapheme support do: a spacing vowel sign
 * counts, characters joined to an emoji do not, and an emoji selector after a narrow
 * character is dropped with the rest of its cluster. */
ig_grapheme ig_text_grapheme(const char *text, size_t length);

/* Bytes of the longest prefix that fits `columns`; *used, or NULL: its columns. */
size_t ig_text_fit(const char *text, size_t length, size_t columns, size_t *used);

/* Display columns of `text`; of a whole one. */
size_t ig_text_width(const char *text, size_t length);
int ig_text_columns(const char *text);

/* Append to a text in `size` bytes; what does not fit is cut off. */
void ig_text_append(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Write text[0 … length) by graphemes, truncated to `columns` (SIZE_MAX: no limit) with
 * an ellipsis; `pad` fills with spaces. */
void ig_text_put(FILE *out, const char *text, size_t length, size_t columns, bool pad);

/* Write a text into HTML or SVG by graphemes; line ends stay. */
void ig_text_put_xml(FILE *out, const char *text);

/* True when the first strongly directional character is right-to-left. */
bool ig_text_rtl(const char *text, size_t length);

/* Case-folded, NFKC-normalised copy for searching (ig_free it), or NULL when memory is
 * short. `bare`: without marks (accents, points, vowel signs), but with ø and ł. */
char *ig_text_fold(const char *text, size_t length, bool bare);
