/* Colours by meaning. Drawing names what a thing is (a frame, the third language); only
 * the writers and the terminal turn that into a number, for 256, 16, 8 or no colours.
 * The terminal keeps its own background, and no colour is the only sign of anything:
 * without colours, attributes and letters carry it. */
#ifndef DRAW_PALETTE_H
#define DRAW_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ig_depth {
    IG_DEPTH_NONE = 0, /* attributes only (NO_COLOR, vt100) */
    IG_DEPTH_8 = 8,
    IG_DEPTH_16 = 16,
    IG_DEPTH_256 = 256
} ig_depth;

enum {
    IG_LANGUAGE_COLOURS = 24, /* then they repeat, with another letter */
    IG_RUN_COLOURS = 8,       /* then they repeat, with another number */
    IG_HEAT_COLOURS = 8,      /* from low to high */
    /* A language's hue has shades: so many pale ones beside the full one, each of them
       at two intensities. */
    IG_SHADES_PALE = 2,
    IG_SHADES = 2 * (1 + IG_SHADES_PALE)
};

/* A logical colour; as ig_style.fg or .bg. */
typedef enum ig_colour {
    IG_COLOUR_DEFAULT = 0, /* the terminal's own */
    IG_COLOUR_TEXT,
    IG_COLOUR_DIM,    /* what is there but not looked at */
    IG_COLOUR_FRAME,  /* borders and axes */
    IG_COLOUR_FOCUS,  /* the border of the panel that takes the keys */
    IG_COLOUR_ACCENT, /* keys in the footer, the running epoch */
    IG_COLOUR_GOOD,
    IG_COLOUR_WARN,
    IG_COLOUR_BAD,
    IG_COLOUR_SELECTION, /* background of the selected row */
    IG_COLOUR_CURSOR,    /* the cursor's point on the map */
    IG_COLOUR_QUERY,     /* the query's point on the map */
    IG_COLOUR_AWAY,      /* points that are not looked at, while others are */
    IG_COLOUR_LINK,      /* lines between translations */
    IG_COLOUR_TRAIN,
    IG_COLOUR_VALID,
    /* The spaces: what a colour of languages cannot be taken for. */
    IG_COLOUR_ORIGINAL,
    IG_COLOUR_MEANING,
    IG_COLOUR_OF_LANGUAGE, /* the language embeddings' */
    IG_COLOUR_RUN,         /* + 0 … IG_RUN_COLOURS − 1 */
    /* Text on a background: black or white, whichever reads better. */
    IG_COLOUR_INK = IG_COLOUR_RUN + IG_RUN_COLOURS,
    IG_COLOUR_HEAT, /* + 0 … IG_HEAT_COLOURS − 1 */
    /* The same from low to high for dots and figures: the colours of heat are made to
       be backgrounds and begin too dark for them. */
    IG_COLOUR_SCALE = IG_COLOUR_HEAT + IG_HEAT_COLOURS,
    IG_COLOUR_LANGUAGE = IG_COLOUR_SCALE + IG_HEAT_COLOURS, /* + 0 … 23 */
    /* What ig_colour_shade makes of those. */
    IG_COLOUR_MIXED = IG_COLOUR_LANGUAGE + IG_SHADES * IG_LANGUAGE_COLOURS,
    IG_COLOUR_MIXED_THIN,
    IG_COLOURS
} ig_colour;

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
 * is what all languages together are, white on black and black on white; thin: less
 * bright, for few points. Other colours have no shades. */
int ig_colour_shade(int colour, int pale, bool thin);

/* What a terminal is told. */
typedef struct ig_ink {
    int fg; /* index into the terminal's colours, −1: its own */
    int bg;
    int attributes;
} ig_ink;

/* The ink of a style where there are `depth` colours. Without colours, what a colour
 * says becomes an attribute: selection reverse, cursor and focus bold, warnings
 * underlined. */
ig_ink ig_palette_ink(ig_style style, ig_depth depth);

/* The colour's red, green and blue as index 0 … 255 of the 256-colour palette shows
 * them, for pictures. IG_COLOUR_DEFAULT gives a mid grey. */
void ig_palette_rgb(int colour, unsigned char rgb[3]);

/* Those of a number 0 … 255, as terminals mostly show it; of another: a mid grey. */
void ig_palette_number_rgb(int number, unsigned char rgb[3]);

/* A letter for each of n names (language codes): the first letter of the name that
 * nobody before has, else another of its letters, else a … z, 0 … 9; when all are
 * taken, one that nobody of the same colour has, else '*'. letter out (n). */
void ig_palette_letters(const char *const *name, size_t n, char *letter);

#endif
