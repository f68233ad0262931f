/* Colours by meaning. Drawing names what a thing is (a frame, the third language); only
 * the writers and the terminal turn that into a number, for 256, 16, 8 or no colours,
 * by a theme. The terminal keeps its own background, which a theme is made for, and no
 * colour is the only sign of anything: without colours, attributes and letters carry
 * it. */
#ifndef DRAW_PALETTE_H
#define DRAW_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/colour.h"

/* Attributes; a style may have several. */
enum { IG_BOLD = 1, IG_UNDERLINE = 2, IG_REVERSE = 4, IG_FAINT = 8 };

typedef struct ig_style {
    uint8_t fg; /* ig_colour */
    uint8_t bg; /* ig_colour */
    uint8_t attributes;
} ig_style;

/* A style of a foreground colour and attributes. */
static inline ig_style ig_style_of(int colour, int attributes)
{
    return (ig_style){(uint8_t)colour, IG_COLOUR_DEFAULT, (uint8_t)attributes};
}

/* The logical colour of a language (or any category) by its number. */
static inline int ig_colour_language(size_t number)
{
    return IG_COLOUR_LANGUAGE + (int)(number % IG_LANGUAGE_COLOURS);
}

/* The logical colour of a run by its number, from 0. */
static inline int ig_colour_run(size_t number)
{
    return IG_COLOUR_RUN + (int)(number % IG_RUN_COLOURS);
}

/* A language's colour, paler by steps: 0 is the full hue, after IG_SHADES_PALE steps it
 * is what all languages together are, white on black and black on white; thin: nearer
 * to the background, for few points. Other colours have no shades. */
int ig_colour_shade(int colour, int pale, bool thin);

/* What a terminal is told. */
typedef struct ig_ink {
    int fg; /* index into the terminal's colours, −1: its own */
    int bg;
    int attributes;
} ig_ink;

/* The ink of a style in a theme where there are `depth` colours. Without any, what a
 * colour says becomes an attribute: selection reverse, cursor and focus bold, warnings
 * underlined, greys faint. */
ig_ink ig_palette_ink(ig_style style, ig_theme theme, ig_depth depth);

/* The colour's red, green and blue as index 0 … 255 of the 256-colour palette shows
 * them, for pictures. IG_COLOUR_DEFAULT gives a mid grey. */
void ig_palette_rgb(int colour, ig_theme theme, unsigned char rgb[3]);

/* Those of a number 0 … 255, as terminals mostly show it; of another: a mid grey. */
void ig_palette_number_rgb(int number, unsigned char rgb[3]);

/* Relative luminance, 0 … 1, and the contrast of two colours, 1 … 21, as WCAG 2 has
 * them. */
double ig_palette_luminance(const unsigned char rgb[3]);
double ig_palette_contrast(const unsigned char a[3], const unsigned char b[3]);

/* --- themes ----------------------------------------------------------------------- */

/* The terminal's own colours, as pictures show them. */
void ig_theme_own(ig_theme theme, unsigned char text[3], unsigned char ground[3]);

/* --- letters ---------------------------------------------------------------------- */

/* A letter for each of n names (language codes): the first letter of the name that
 * nobody before has, else another of its letters, else a … z, 0 … 9; when all are
 * taken, one that nobody of the same colour has, else '*'. letter out (n). */
void ig_palette_letters(const char *const *name, size_t n, char *letter);

#endif
