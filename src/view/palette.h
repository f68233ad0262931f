/* Logical colours. Drawing code names the thing (a frame, the third language); only the
 * writers and the terminal convert it to a number at 256, 16, 8 or no colours, by
 * theme. The terminal keeps its background. Colour is never the only cue: without
 * colours, attributes and letters replace it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ig_depth {
    IG_DEPTH_NONE = 0, /* attributes only (NO_COLOR, vt100) */
    IG_DEPTH_8 = 8,
    IG_DEPTH_16 = 16,
    IG_DEPTH_256 = 256
} ig_depth;

typedef enum ig_theme { IG_THEME_DARK = 0, IG_THEME_LIGHT, IG_THEMES } ig_theme;

enum {
    IG_LANGUAGE_COLOURS = 24, /* then repeated with another letter */
    IG_FEW_COLOURS = 5,       /* at 8 colours, then repeated with letters */
    IG_RUN_COLOURS = 8,       /* then repeated with another number */
    IG_HEAT_COLOURS = 8,      /* from low to high */
    IG_SHADES = 3             /* of a language hue: full, pale, paler */
};

/* A logical colour, for ig_style.fg or .bg. */
typedef enum ig_colour {
    IG_COLOUR_DEFAULT = 0, /* the terminal's default */
    IG_COLOUR_TEXT,
    IG_COLOUR_DIM,    /* inactive content */
    IG_COLOUR_FRAME,  /* borders and axes */
    IG_COLOUR_FOCUS,  /* border of the focused panel */
    IG_COLOUR_ACCENT, /* keys in the footer, the current epoch */
    IG_COLOUR_GOOD,
    IG_COLOUR_WARN,
    IG_COLOUR_BAD,
    IG_COLOUR_SELECTION, /* background of the selected row */
    IG_COLOUR_CURSOR,    /* cursor on the map, on mixed points, too */
    IG_COLOUR_AWAY,      /* unmarked points */
    IG_COLOUR_LINK,      /* lines between translations */
    IG_COLOUR_TRAIN,
    IG_COLOUR_VALID,
    /* Spaces; distinct from the language colours. */
    IG_COLOUR_ORIGINAL,
    IG_COLOUR_MEANING,
    IG_COLOUR_OF_LANGUAGE, /* language vectors */
    IG_COLOUR_RUN,         /* + 0 … IG_RUN_COLOURS − 1 */
    /* Text on a background: black or white, by contrast. */
    IG_COLOUR_INK = IG_COLOUR_RUN + IG_RUN_COLOURS,
    IG_COLOUR_HEAT, /* + 0 … IG_HEAT_COLOURS − 1 */
    /* The same range for dots and figures: heat colours are backgrounds and start too
     * dark. */
    IG_COLOUR_SCALE = IG_COLOUR_HEAT + IG_HEAT_COLOURS,
    IG_COLOUR_LANGUAGE = IG_COLOUR_SCALE + IG_HEAT_COLOURS, /* + 0 … 23 */
    /* Values that ig_colour_shade maps the above to. */
    IG_COLOUR_MIXED = IG_COLOUR_LANGUAGE + IG_SHADES * IG_LANGUAGE_COLOURS,
    IG_COLOURS
} ig_colour;

/* Attributes, a bit mask. */
enum { IG_BOLD = 1, IG_UNDERLINE = 2, IG_REVERSE = 4, IG_FAINT = 8 };

typedef struct ig_style {
    uint8_t fg; /* ig_colour */
    uint8_t bg; /* ig_colour */
    uint8_t attributes;
} ig_style;

/* A style with a foreground colour and attributes. */
static inline ig_style ig_style_of(int colour, int attributes)
{
    return (ig_style){(uint8_t)colour, IG_COLOUR_DEFAULT, (uint8_t)attributes};
}

/* Those used most: text, remarks, and keys and names. */
static const ig_style ig_plain = {.fg = IG_COLOUR_TEXT}, ig_dim = {.fg = IG_COLOUR_DIM},
                      ig_accent = {.fg = IG_COLOUR_ACCENT, .attributes = IG_BOLD};

/* Logical colour of a language or category by number. */
static inline int ig_colour_language(size_t number)
{
    return IG_COLOUR_LANGUAGE + (int)(number % IG_LANGUAGE_COLOURS);
}

/* Logical colour of a run by number, from 0. */
static inline int ig_colour_run(size_t number)
{
    return IG_COLOUR_RUN + (int)(number % IG_RUN_COLOURS);
}

/* A language colour made paler: 0 is the full hue, IG_SHADES the colour of all
 * languages together, white on black or black on white. Other colours are returned
 * unchanged. */
int ig_colour_shade(int colour, int pale);

/* Terminal colours and attributes. */
typedef struct ig_ink {
    int fg; /* terminal colour number, −1: default */
    int bg;
    int attributes;
} ig_ink;

/* Resolve a style for a theme and depth. Without colours, attributes replace them:
 * selection reverse, cursor and focus bold, warnings underlined, greys faint. */
ig_ink ig_palette_ink(ig_style style, ig_theme theme, ig_depth depth);

/* RGB value of a colour in the 256-colour palette; mid grey for IG_COLOUR_DEFAULT. */
void ig_palette_rgb(int colour, ig_theme theme, unsigned char rgb[3]);

/* RGB value of number 0 … 255 as most terminals show it; a mid grey for others. */
void ig_palette_number_rgb(int number, unsigned char rgb[3]);

/* Contrast ratio of two colours, 1 … 21, by WCAG 2. */
double ig_palette_contrast(const unsigned char a[3], const unsigned char b[3]);

/* --- groups ----------------------------------------------------------------------- */

/* A group of points: a language, a value of a label, a step of a scale. */
typedef struct ig_colour_group {
    const char *name;  /* borrowed */
    const char *range; /* name of a step in a picture, "0.5 to 1", or NULL */
    uint8_t colour;    /* ig_colour */
    char letter;       /* drawn without dots or colours */
    bool shown;
} ig_colour_group;

/* Set n groups to these names, shown in the colours of the languages. The letter of
 * each is the first of its name's not used before, else of a … z, 0 … 9; when all are
 * used, one not used for the same colour, else '*'. group out (n).
 * ig_colour_groups_new: allocated (ig_free), or NULL when memory is short. */
void ig_colour_groups_set(ig_colour_group *group, const char *const *name, size_t n);
ig_colour_group *ig_colour_groups_new(const char *const *name, size_t n);
