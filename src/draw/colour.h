/* What colours there are: by meaning, by how many a terminal has, and by theme. */
#ifndef DRAW_COLOUR_H
#define DRAW_COLOUR_H

typedef enum ig_depth {
    IG_DEPTH_NONE = 0, /* attributes only (NO_COLOR, vt100) */
    IG_DEPTH_8 = 8,
    IG_DEPTH_16 = 16,
    IG_DEPTH_256 = 256
} ig_depth;

typedef enum ig_theme { IG_THEME_DARK = 0, IG_THEME_LIGHT, IG_THEMES } ig_theme;

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

#endif
