/* Names that may be typed by their beginnings. */
#ifndef TUI_ABBREVIATION_H
#define TUI_ABBREVIATION_H

#include <stddef.h>

/* Name i, or NULL past the last. */
typedef const char *ig_abbreviation_name(const void *context, size_t i);

/* The number of the name that was typed, or of the only one that begins so; -1: there
 * is none, or several begin so. */
long ig_abbreviation_find(const char *typed, ig_abbreviation_name *name,
                          const void *context);

#endif
