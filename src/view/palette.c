/* Logical colours to colour numbers. The terminal keeps its background, so there are
 * themes for dark and light ones. The numbers of the 256-colour palette were searched
 * by OKLab distance under the conditions measured in tests/unit/view/themes.c: contrast
 * to the background, and separation of hue families. */
#include "view/palette.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

/* A logical colour: its numbers at 256, 16 and 8 colours by theme, −1: the terminal's
 * default, and the attributes that replace it without colours. */
struct entry {
    int16_t number[IG_THEMES][3];
    uint8_t attributes;
};

/* Cyan is for losses, grey and sand for spaces, most reds and pinks for runs. */
static const struct entry table[IG_COLOURS] = {
    [IG_COLOUR_DEFAULT] = {{{-1, -1, -1}, {-1, -1, -1}}, 0},
    [IG_COLOUR_TEXT] = {{{-1, -1, -1}, {-1, -1, -1}}, 0},
    [IG_COLOUR_DIM] = {{{246, 8, -1}, {242, 8, -1}}, IG_FAINT},
    [IG_COLOUR_FRAME] = {{{242, 8, -1}, {246, 8, -1}}, IG_FAINT},
    [IG_COLOUR_FOCUS] = {{{75, 12, 6}, {25, 4, 4}}, IG_BOLD},
    [IG_COLOUR_ACCENT] = {{{81, 14, 6}, {26, 4, 4}}, IG_BOLD},
    [IG_COLOUR_GOOD] = {{{72, 10, 2}, {22, 2, 2}}, IG_BOLD},
    [IG_COLOUR_WARN] = {{{214, 11, 3}, {130, 5, 5}}, IG_UNDERLINE},
    [IG_COLOUR_BAD] = {{{203, 9, 1}, {160, 1, 1}}, IG_BOLD | IG_UNDERLINE},
    [IG_COLOUR_SELECTION] = {{{24, 4, 4}, {153, 7, 7}}, IG_REVERSE},
    [IG_COLOUR_CURSOR] = {{{214, 11, 7}, {162, 0, 0}}, IG_REVERSE},
    [IG_COLOUR_AWAY] = {{{239, 8, -1}, {249, 8, -1}}, IG_FAINT},
    [IG_COLOUR_LINK] = {{{214, 11, 7}, {162, 0, 0}}, 0},
    [IG_COLOUR_TRAIN] = {{{80, 14, 6}, {23, 4, 4}}, IG_BOLD},
    [IG_COLOUR_VALID] = {{{37, 6, 6}, {24, 6, 6}}, 0},
    [IG_COLOUR_ORIGINAL] = {{{246, 8, -1}, {242, 8, -1}}, IG_FAINT},
    [IG_COLOUR_MEANING] = {{{-1, -1, -1}, {-1, -1, -1}}, IG_BOLD},
    [IG_COLOUR_OF_LANGUAGE] = {{{180, 11, 3}, {94, 2, 2}}, 0},
    [IG_COLOUR_RUN + 0] = {{{204, 13, 5}, {161, 1, 1}}, 0},
    [IG_COLOUR_RUN + 1] = {{{224, 9, 1}, {52, 5, 5}}, 0},
    [IG_COLOUR_RUN + 2] = {{{199, 5, 5}, {131, 9, 1}}, 0},
    [IG_COLOUR_RUN + 3] = {{{212, 1, 1}, {89, 13, 5}}, 0},
    [IG_COLOUR_RUN + 4] = {{{174, 13, 5}, {124, 1, 1}}, 0},
    [IG_COLOUR_RUN + 5] = {{{169, 9, 1}, {163, 5, 5}}, 0},
    [IG_COLOUR_RUN + 6] = {{{217, 5, 5}, {126, 9, 1}}, 0},
    [IG_COLOUR_RUN + 7] = {{{167, 1, 1}, {88, 13, 5}}, 0},
    [IG_COLOUR_INK] = {{{-1, -1, -1}, {-1, -1, -1}}, 0},
    [IG_COLOUR_HEAT + 0] = {{{17, 4, 4}, {230, 7, 7}}, 0},
    [IG_COLOUR_HEAT + 1] = {{{54, 4, 4}, {223, 7, 7}}, 0},
    [IG_COLOUR_HEAT + 2] = {{{90, 5, 5}, {216, 11, 3}}, 0},
    [IG_COLOUR_HEAT + 3] = {{{126, 5, 5}, {209, 11, 3}}, 0},
    [IG_COLOUR_HEAT + 4] = {{{167, 9, 1}, {167, 3, 3}}, 0},
    [IG_COLOUR_HEAT + 5] = {{{208, 9, 1}, {161, 9, 1}}, IG_BOLD},
    [IG_COLOUR_HEAT + 6] = {{{214, 11, 3}, {125, 1, 1}}, IG_BOLD},
    [IG_COLOUR_HEAT + 7] = {{{229, 15, 3}, {53, 5, 5}}, IG_REVERSE},
    [IG_COLOUR_SCALE + 0] = {{{62, 4, 4}, {136, 2, 2}}, 0},
    [IG_COLOUR_SCALE + 1] = {{{98, 12, 4}, {166, 9, 1}}, 0},
    [IG_COLOUR_SCALE + 2] = {{{134, 5, 5}, {161, 1, 1}}, 0},
    [IG_COLOUR_SCALE + 3] = {{{169, 13, 5}, {125, 13, 5}}, 0},
    [IG_COLOUR_SCALE + 4] = {{{203, 9, 1}, {90, 5, 5}}, 0},
    [IG_COLOUR_SCALE + 5] = {{{209, 3, 1}, {54, 12, 4}}, 0},
    [IG_COLOUR_SCALE + 6] = {{{215, 11, 3}, {18, 4, 4}}, 0},
    [IG_COLOUR_SCALE + 7] = {{{229, 15, 3}, {17, 0, 0}}, 0},
};

/* A language has one hue in both themes, at least 3 : 1 on #1e1e1e, 2.6 on white. The
 * first eight are 12 apart in OKLab for every eye, also without red or green cones, and
 * none is another's mixed shade. Numbers at 256, 16 and 8 colours; blue is too dark on
 * black, yellow too pale on white. */
static const int16_t language[IG_THEMES][IG_LANGUAGE_COLOURS][3] = {
    {{27, 12, 6}, {130, 9, 1},  {40, 2, 2},   {162, 1, 5}, {226, 3, 3},  {104, 5, 5},
     {50, 14, 6}, {183, 13, 5}, {203, 9, 1},  {39, 12, 6}, {70, 2, 2},   {201, 13, 5},
     {136, 3, 3}, {81, 14, 6},  {142, 3, 3},  {224, 9, 1}, {129, 13, 5}, {62, 12, 6},
     {196, 9, 1}, {36, 6, 6},   {206, 13, 5}, {222, 3, 3}, {155, 10, 2}, {95, 1, 1}},
    {{69, 12, 4}, {202, 9, 1}, {72, 2, 2},   {53, 5, 5},  {58, 1, 6},   {57, 4, 4},
     {30, 6, 6},  {91, 13, 5}, {167, 9, 1},  {63, 12, 4}, {28, 2, 2},   {96, 5, 5},
     {130, 9, 1}, {26, 12, 4}, {100, 2, 2},  {125, 9, 1}, {135, 13, 5}, {67, 6, 6},
     {52, 1, 1},  {23, 6, 6},  {164, 13, 5}, {137, 9, 1}, {22, 2, 2},   {160, 1, 1}}};

/* --- colour numbers --------------------------------------------------------------- */

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

/* A number moved `part` of the way to black or white, to the nearest of the cube. */
static int move_number(int number, bool to_black, double part)
{
    unsigned char rgb[3];
    int moved = 16;

    ig_palette_number_rgb(number, rgb);
    for (int i = 0, place = 36; i < 3; i++, place /= 6) {
        double mixed = rgb[i] + ((to_black ? 0 : 255) - rgb[i]) * part;
        int level = mixed < 48 ? 0 : mixed < 115 ? 1 : (int)((mixed - 35) / 40);

        moved += place * (level < 5 ? level : 5);
    }
    return moved;
}

/* --- logical colours to numbers --------------------------------------------------- */

int ig_colour_shade(int colour, int pale)
{
    if (colour < IG_COLOUR_LANGUAGE ||
        colour >= IG_COLOUR_LANGUAGE + IG_LANGUAGE_COLOURS)
        return colour;
    return pale < IG_SHADES ? colour + pale * IG_LANGUAGE_COLOURS : IG_COLOUR_MIXED;
}

/* "All languages mixed" is the terminal's default colour, which is readable and not
 * used for a language; with few colours, mostly mixed is mixed. */
static int number_of(int colour, ig_theme theme, ig_depth depth)
{
    int hue = (colour - IG_COLOUR_LANGUAGE) % IG_LANGUAGE_COLOURS;
    int shade = (colour - IG_COLOUR_LANGUAGE - hue) / IG_LANGUAGE_COLOURS;
    const int16_t *n;

    if (colour < 0 || colour >= IG_COLOUR_MIXED || depth == IG_DEPTH_NONE ||
        (depth < IG_DEPTH_256 && shade == IG_SHADES - 1))
        return -1;
    n = colour < IG_COLOUR_LANGUAGE ? table[colour].number[theme]
                                    : language[theme][hue];
    if (depth < IG_DEPTH_256)
        return n[depth == IG_DEPTH_16 ? 1 : 2];
    return shade > 0
               ? move_number(n[0], theme == IG_THEME_LIGHT, (double)shade / IG_SHADES)
               : n[0];
}

void ig_palette_rgb(int colour, ig_theme theme, unsigned char rgb[3])
{
    ig_palette_number_rgb(number_of(colour, theme, IG_DEPTH_256), rgb);
}

/* Relative luminance (WCAG), 0 … 1. */
static double luminance_of(const unsigned char rgb[3])
{
    static const double share[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0;

    for (int i = 0; i < 3; i++) {
        double c = rgb[i] / 255.0;

        sum += share[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

double ig_palette_contrast(const unsigned char a[3], const unsigned char b[3])
{
    double x = luminance_of(a) + 0.05, y = luminance_of(b) + 0.05;

    return x > y ? x / y : y / x;
}

static double contrast_of(int a, int b)
{
    unsigned char x[3], y[3];

    ig_palette_number_rgb(a, x);
    ig_palette_number_rgb(b, y);
    return ig_palette_contrast(x, y);
}

/* Black or white, whichever has more contrast on a background. */
static int ink_on(int background, ig_depth depth)
{
    int black = depth == IG_DEPTH_256 ? 16 : 0;
    int white = depth == IG_DEPTH_256 ? 231 : depth == IG_DEPTH_16 ? 15 : 7;

    if (background < 0)
        return -1;
    return contrast_of(black, background) > contrast_of(white, background) ? black
                                                                           : white;
}

ig_ink ig_palette_ink(ig_style style, ig_theme theme, ig_depth depth)
{
    ig_ink ink = {number_of(style.fg, theme, depth), number_of(style.bg, theme, depth),
                  style.attributes};
    int full;

    if (depth == IG_DEPTH_NONE)
        ink.attributes |= table[style.fg].attributes | table[style.bg].attributes;
    if (depth == IG_DEPTH_8 && ink.fg < 0) /* has no grey */
        ink.attributes |= table[style.fg].attributes & IG_FAINT;
    if (style.fg == IG_COLOUR_INK)
        ink.fg = ink_on(ink.bg, depth);
    /* On a selected row a colour keeps as much of its hue as is readable. */
    full = ink.fg;
    for (int step = 1; style.bg == IG_COLOUR_SELECTION && depth == IG_DEPTH_256 &&
                       full >= 0 && step <= 8 && contrast_of(ink.fg, ink.bg) < 4.5;
         step++)
        ink.fg = move_number(full, theme == IG_THEME_LIGHT, step / 8.0);
    if (style.bg == IG_COLOUR_SELECTION && ink.fg == ink.bg)
        ink.fg = -1;
    return ink;
}

/* --- groups ----------------------------------------------------------------------- */

/* True if no earlier group, in steps of `apart`, has this letter. */
static bool is_free(const ig_colour_group *group, size_t i, size_t apart, char c)
{
    for (size_t j = i % apart; j < i; j += apart)
        if (group[j].letter == c)
            return false;
    return true;
}

void ig_colour_groups_set(ig_colour_group *group, const char *const *name, size_t n)
{
    static const char spare[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    static const size_t apart[] = {1, IG_LANGUAGE_COLOURS};

    for (size_t i = 0; i < n; i++) {
        const char *from[] = {name[i], spare};
        char letter = '*';

        for (int k = 0; k < 4; k++) /* unique, then unique for its colour */
            for (const char *at = from[k % 2]; *at && letter == '*'; at++) {
                char c = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;

                if (strchr(spare, c) && is_free(group, i, apart[k / 2], c))
                    letter = c;
            }
        group[i] = (ig_colour_group){name[i], NULL, (uint8_t)ig_colour_language(i),
                                     letter, true};
    }
}

ig_colour_group *ig_colour_groups_new(const char *const *name, size_t n)
{
    ig_colour_group *group = ig_alloc(n, sizeof *group);

    if (group)
        ig_colour_groups_set(group, name, n);
    return group;
}
