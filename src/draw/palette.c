/* Colours by meaning into colours by number. The first eight language colours are those
 * of Okabe & Ito, chosen to be told apart by colour-blind eyes; the further ones vary
 * lightness as much as hue. */
#include "draw/palette.h"

#include <math.h>
#include <string.h>

/* One logical colour: its number where there are 256, 16 and 8 colours, and the
 * attributes that stand for it where there are none. −1: the terminal's own. */
struct entry {
    int16_t of256;
    int8_t of16, of8;
    uint8_t attributes;
};

static const struct entry entries[IG_COLOUR_LANGUAGE + IG_LANGUAGE_COLOURS] = {
    [IG_COLOUR_DEFAULT] = {-1, -1, -1, 0},
    [IG_COLOUR_TEXT] = {-1, -1, -1, 0},
    [IG_COLOUR_DIM] = {244, 8, -1, 0},
    [IG_COLOUR_FRAME] = {240, 8, -1, 0},
    [IG_COLOUR_FOCUS] = {75, 12, 6, IG_BOLD},
    [IG_COLOUR_ACCENT] = {81, 14, 6, IG_BOLD},
    [IG_COLOUR_GOOD] = {72, 10, 2, 0},
    [IG_COLOUR_WARN] = {214, 11, 3, IG_UNDERLINE},
    [IG_COLOUR_BAD] = {203, 9, 1, IG_BOLD},
    [IG_COLOUR_SELECTION] = {24, 4, 4, IG_REVERSE},
    [IG_COLOUR_CURSOR] = {231, 15, 7, IG_REVERSE},
    [IG_COLOUR_QUERY] = {213, 13, 5, IG_BOLD},
    [IG_COLOUR_AWAY] = {239, 8, -1, IG_FAINT},
    [IG_COLOUR_LINK] = {245, 7, 7, 0},
    /* Families: losses are cyan, spaces grey and sand, runs red; the first languages
       have none of them. */
    [IG_COLOUR_TRAIN] = {80, 14, 6, IG_BOLD},
    [IG_COLOUR_VALID] = {37, 6, 6, 0},
    [IG_COLOUR_ORIGINAL] = {244, 8, -1, 0},
    [IG_COLOUR_MEANING] = {-1, -1, -1, IG_BOLD},
    [IG_COLOUR_OF_LANGUAGE] = {180, 11, 3, 0},
#define RUN(n, a, b, c) [IG_COLOUR_RUN + (n)] = {a, b, c, 0}
    RUN(0, 204, 13, 5),
    RUN(1, 167, 9, 1),
    RUN(2, 218, 5, 5),
    RUN(3, 125, 1, 1),
    RUN(4, 210, 13, 5),
    RUN(5, 131, 9, 1),
    RUN(6, 225, 5, 5),
    RUN(7, 161, 1, 1),
#undef RUN
    [IG_COLOUR_INK] = {-1, -1, -1, 0},
    [IG_COLOUR_HEAT + 0] = {17, 4, 4, 0},
    [IG_COLOUR_HEAT + 1] = {54, 4, 4, 0},
    [IG_COLOUR_HEAT + 2] = {90, 5, 5, 0},
    [IG_COLOUR_HEAT + 3] = {126, 5, 5, 0},
    [IG_COLOUR_HEAT + 4] = {167, 9, 1, 0},
    [IG_COLOUR_HEAT + 5] = {208, 9, 1, IG_BOLD},
    [IG_COLOUR_HEAT + 6] = {214, 11, 3, IG_BOLD},
    [IG_COLOUR_HEAT + 7] = {229, 15, 3, IG_REVERSE},
    [IG_COLOUR_SCALE + 0] = {61, 4, 4, 0},
    [IG_COLOUR_SCALE + 1] = {97, 12, 4, 0},
    [IG_COLOUR_SCALE + 2] = {133, 5, 5, 0},
    [IG_COLOUR_SCALE + 3] = {168, 13, 5, 0},
    [IG_COLOUR_SCALE + 4] = {203, 9, 1, 0},
    [IG_COLOUR_SCALE + 5] = {209, 3, 1, 0},
    [IG_COLOUR_SCALE + 6] = {215, 11, 3, 0},
    [IG_COLOUR_SCALE + 7] = {229, 15, 3, 0},
#define LANGUAGE(n, a, b, c) [IG_COLOUR_LANGUAGE + (n)] = {a, b, c, 0}
    LANGUAGE(0, 74, 12, 4),   /* sky blue */
    LANGUAGE(1, 214, 3, 3),   /* orange */
    LANGUAGE(2, 36, 2, 2),    /* bluish green */
    LANGUAGE(3, 227, 11, 6),  /* yellow */
    LANGUAGE(4, 166, 1, 1),   /* vermilion */
    LANGUAGE(5, 175, 13, 5),  /* reddish purple */
    LANGUAGE(6, 98, 5, 4),    /* violet */
    LANGUAGE(7, 120, 10, 2),  /* light green */
    LANGUAGE(8, 33, 4, 6),    /* blue */
    LANGUAGE(9, 223, 7, 3),   /* sand */
    LANGUAGE(10, 51, 14, 6),  /* cyan */
    LANGUAGE(11, 203, 9, 1),  /* coral */
    LANGUAGE(12, 143, 3, 3),  /* olive */
    LANGUAGE(13, 219, 13, 5), /* pink */
    LANGUAGE(14, 30, 6, 6),   /* teal */
    LANGUAGE(15, 130, 1, 1),  /* brown */
    LANGUAGE(16, 153, 14, 4), /* pale blue */
    LANGUAGE(17, 163, 5, 5),  /* magenta */
    LANGUAGE(18, 70, 2, 2),   /* grass */
    LANGUAGE(19, 251, 7, 7),  /* light grey */
    LANGUAGE(20, 61, 4, 4),   /* slate blue */
    LANGUAGE(21, 179, 11, 3), /* gold */
    LANGUAGE(22, 158, 10, 2), /* mint */
    LANGUAGE(23, 139, 13, 5), /* mauve */
#undef LANGUAGE
};

/* All languages at once: the terminal's own colour reads on its background, and no
 * language has it. */
static const struct entry mixed = {-1, -1, -1, 0}, mixed_thin = {246, 8, -1, 0};

/* Where the shades of languages are: shade 2·pale + thin of language n at
 * IG_COLOUR_LANGUAGE + shade · IG_LANGUAGE_COLOURS + n. */
static bool is_language(int colour)
{
    return colour >= IG_COLOUR_LANGUAGE && colour < IG_COLOUR_MIXED;
}

static int shade_of(int colour)
{
    return is_language(colour) ? (colour - IG_COLOUR_LANGUAGE) / IG_LANGUAGE_COLOURS
                               : 0;
}

int ig_colour_shade(int colour, int pale, bool thin)
{
    if (!is_language(colour) || pale < 0)
        return colour;
    if (pale > IG_SHADES_PALE)
        return thin ? IG_COLOUR_MIXED_THIN : IG_COLOUR_MIXED;
    return ig_colour_language((size_t)(colour - IG_COLOUR_LANGUAGE)) +
           (2 * pale + thin) * IG_LANGUAGE_COLOURS;
}

static const struct entry *entry_of(int colour)
{
    if (colour < 0 || colour >= IG_COLOURS)
        colour = IG_COLOUR_DEFAULT;
    if (colour >= IG_COLOUR_MIXED)
        return colour == IG_COLOUR_MIXED ? &mixed : &mixed_thin;
    return &entries[colour - shade_of(colour) * IG_LANGUAGE_COLOURS];
}

void ig_palette_number_rgb(int number, unsigned char rgb[3])
{
    static const unsigned char basic[16][3] = {
        {0, 0, 0},       {205, 49, 49},   {13, 188, 121}, {229, 229, 16},
        {36, 114, 200},  {188, 63, 188},  {17, 168, 205}, {229, 229, 229},
        {102, 102, 102}, {241, 76, 76},   {35, 209, 139}, {245, 245, 67},
        {59, 142, 234},  {214, 112, 214}, {41, 184, 219}, {255, 255, 255}};
    static const unsigned char level[6] = {0, 95, 135, 175, 215, 255};

    if (number < 0) {
        memset(rgb, 128, 3);
    } else if (number < 16) {
        memcpy(rgb, basic[number], 3);
    } else if (number < 232) {
        rgb[0] = level[(number - 16) / 36];
        rgb[1] = level[(number - 16) / 6 % 6];
        rgb[2] = level[(number - 16) % 6];
    } else {
        memset(rgb, 8 + (number - 232) * 10, 3);
    }
}

/* The number of the cube of 6 × 6 × 6 nearest to a colour. */
static int nearest(const double rgb[3])
{
    int number = 16;

    for (int i = 0, place = 36; i < 3; i++, place /= 6) {
        int level = rgb[i] < 48 ? 0 : rgb[i] < 115 ? 1 : (int)((rgb[i] - 35) / 40);

        number += place * (level < 5 ? level : 5);
    }
    return number;
}

/* A shade of one of 256 colours: towards a grey that is seen on black and on white, and
 * darker. */
static int shaded(int number, int shade)
{
    static const double share[1 + IG_SHADES_PALE] = {0, 0.4, 0.75};
    const double grey = 208, dark = 0.72;
    unsigned char full[3];
    double rgb[3];

    if (shade == 0 || number < 0)
        return number;
    ig_palette_number_rgb(number, full);
    for (int i = 0; i < 3; i++) {
        rgb[i] = full[i] + (grey - full[i]) * share[shade / 2];
        rgb[i] *= shade % 2 ? dark : 1;
    }
    return nearest(rgb);
}

static int number_of(int colour, ig_depth depth)
{
    const struct entry *entry = entry_of(colour);

    if (depth < IG_DEPTH_256 && shade_of(colour) >= 2 * IG_SHADES_PALE)
        entry = &mixed; /* few colours: mostly mixed is mixed */
    switch (depth) {
    case IG_DEPTH_256:
        return shaded(entry->of256, shade_of(colour));
    case IG_DEPTH_16:
        return entry->of16;
    case IG_DEPTH_8:
        return entry->of8;
    default:
        return -1;
    }
}

void ig_palette_rgb(int colour, unsigned char rgb[3])
{
    ig_palette_number_rgb(number_of(colour, IG_DEPTH_256), rgb);
}

/* Black or white on a background: where a contrast of 4.5 to both is not to be had, the
 * boundary of relative luminance is 0.179. */
static int ink_on(int background, ig_depth depth)
{
    unsigned char rgb[3];
    double y, c[3];

    if (background < 0)
        return -1;
    ig_palette_number_rgb(background, rgb);
    for (int i = 0; i < 3; i++)
        c[i] = pow(rgb[i] / 255.0, 2.2);
    y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    if (y > 0.179)
        return depth == IG_DEPTH_256 ? 16 : 0;
    return depth == IG_DEPTH_256 ? 231 : depth == IG_DEPTH_16 ? 15 : 7;
}

ig_ink ig_palette_ink(ig_style style, ig_depth depth)
{
    ig_ink ink = {number_of(style.fg, depth), number_of(style.bg, depth),
                  style.attributes};

    if (depth == IG_DEPTH_NONE)
        ink.attributes |= entry_of(style.fg)->attributes |
                          entry_of(style.bg)->attributes;
    if (depth == IG_DEPTH_8 && style.fg == IG_COLOUR_CURSOR)
        ink.attributes |= IG_BOLD;
    if (style.fg == IG_COLOUR_INK)
        ink.fg = ink_on(ink.bg, depth);
    /* On a selected row, a dim or frame colour could vanish in the background. */
    if (style.bg == IG_COLOUR_SELECTION && depth != IG_DEPTH_NONE && ink.fg == ink.bg)
        ink.fg = -1;
    return ink;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* A letter that no name before of the same colour has. */
static char letter_beside_colour(const char *const candidates[2], const char *letter,
                                 size_t i)
{
    for (int list = 0; list < 2; list++)
        for (const char *at = candidates[list]; *at; at++) {
            char c = lower(*at);
            bool free = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');

            for (size_t j = i % IG_LANGUAGE_COLOURS; j < i && free;
                 j += IG_LANGUAGE_COLOURS)
                free = letter[j] != c;
            if (free)
                return c;
        }
    return '*';
}

void ig_palette_letters(const char *const *name, size_t n, char *letter)
{
    static const char spare[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    bool taken[128] = {false};

    for (size_t i = 0; i < n; i++) {
        const char *candidates[] = {name[i] ? name[i] : "", spare};

        letter[i] = '*';
        for (int list = 0; list < 2 && letter[i] == '*'; list++) {
            for (const char *at = candidates[list]; *at && letter[i] == '*'; at++) {
                char c = lower(*at);

                if (strchr(spare, c) && !taken[(unsigned char)c])
                    letter[i] = c;
            }
        }
        if (letter[i] != '*')
            taken[(unsigned char)letter[i]] = true;
        else
            letter[i] = letter_beside_colour(candidates, letter, i);
    }
}
