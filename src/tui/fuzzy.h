/* How well what is typed fits a text that holds its characters in their order. */
#ifndef TUI_FUZZY_H
#define TUI_FUZZY_H

/* The fit of `typed` to a text, higher is better, or -1: it does not hold its
 * characters in this order. Case of ASCII letters and blanks of `typed` do not count.
 * Characters that begin words, that follow one another and that begin the text count
 * more; the text itself counts most. "" fits all, with 0. Of a text the first 127 bytes
 * are looked at, and 63 of what is typed. Cost: the product of both lengths. */
int ig_fuzzy_fit(const char *typed, const char *text);

#endif
