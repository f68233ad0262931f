/* The tables of the themes, for palette.c alone. */
#ifndef DRAW_THEMES_H
#define DRAW_THEMES_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/colour.h"

/* A logical colour's number where there are 256, 16 and 8 colours; −1: the terminal's
 * own. Not said: as in the theme that this one is based on. */
typedef struct ig_numbers {
    int16_t of256;
    int8_t of16, of8;
    bool said;
} ig_numbers;

typedef struct ig_theme_table {
    const struct ig_theme_table *base; /* or NULL */
    bool light;                        /* dark on light */
    unsigned char text[3], ground[3];  /* the terminal's own, as pictures show them */
    ig_numbers mixed, mixed_thin;
    /* (IG_LANGUAGE_COLOURS) of 256: the full hue, the same for few points, and so on
       from pale to paler; NULL: the base's. */
    const uint8_t (*language)[IG_SHADES];
    const int8_t (*few)[2];                /* (IG_LANGUAGE_COLOURS) of 16, of 8 */
    ig_numbers colour[IG_COLOUR_LANGUAGE]; /* all before the languages */
} ig_theme_table;

/* The table of a theme; of another number: the first one's. */
const ig_theme_table *ig_theme_find(ig_theme theme);

#endif
