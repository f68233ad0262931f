/* Logical colours to colour numbers. The terminal keeps its background, so there are
 * themes for dark and light ones. The numbers of the 256-colour palette were searched
 * by OKLab distance under the conditions measured in tests/unit/view/themes.c: contrast
 * to the background, and separation of hue families. */
#include "view/palette.h"

#include <math.h>
#include <string.h>

/* Colour numbers at 256, 16 and 8 colours; −1: the terminal's default. */
typedef struct numbers {
    int16_t of256;
    int8_t of16, of8;
} numbers;

typedef struct theme_table {
    numbers mixed, mixed_thin;
    /* (IG_LANGUAGE_COLOURS) at 256 colours: the full hue, the same for few points, then
     * pairs of paler ones. */
    const uint8_t (*language)[IG_SHADES];
    const int8_t (*few)[2];             /* (IG_LANGUAGE_COLOURS) at 16 and 8 */
    numbers colour[IG_COLOUR_LANGUAGE]; /* all colours before the languages */
} theme_table;

/* --- language hues ---------------------------------------------------------------- */

/* Each: full, full for few points, pale, pale for few, paler, paler for few. The first
 * eight are close to Okabe & Ito: sky blue, orange, bluish green, yellow, vermilion,
 * purple, then violet and light green. Reds and pinks are reserved for runs. */
static const uint8_t dark_hues[IG_LANGUAGE_COLOURS][IG_SHADES] = {
    {74, 31, 109, 67, 250, 246},    {214, 136, 179, 137, 187, 246},
    {36, 29, 108, 65, 250, 245},    {227, 142, 229, 143, 187, 144},
    {202, 166, 209, 131, 181, 138}, {177, 134, 183, 139, 182, 103},
    {105, 62, 147, 103, 146, 245},  {120, 71, 157, 108, 187, 109},
    {33, 32, 75, 67, 146, 103},     {222, 179, 223, 144, 187, 247},
    {159, 109, 255, 145, 189, 247}, {201, 164, 213, 133, 182, 139},
    {136, 130, 144, 101, 250, 102}, {40, 34, 114, 71, 151, 108},
    {139, 96, 146, 244, 250, 246},  {182, 139, 181, 246, 250, 248},
    {117, 74, 116, 109, 189, 247},  {106, 64, 143, 65, 151, 101},
    {43, 36, 115, 73, 116, 246},    {210, 131, 217, 138, 181, 246},
    {151, 108, 187, 246, 250, 248}, {148, 106, 150, 107, 187, 144},
    {46, 34, 120, 71, 151, 108},    {206, 169, 212, 132, 182, 139},
};

static const uint8_t light_hues[IG_LANGUAGE_COLOURS][IG_SHADES] = {
    {25, 68, 24, 67, 238, 243},    {130, 137, 94, 138, 239, 243},
    {28, 64, 22, 65, 239, 243},    {90, 133, 53, 96, 238, 95},
    {58, 101, 239, 65, 59, 242},   {56, 99, 55, 61, 238, 60},
    {29, 65, 23, 66, 239, 243},    {18, 25, 17, 60, 238, 241},
    {127, 170, 90, 133, 239, 96},  {96, 139, 60, 244, 239, 242},
    {63, 105, 61, 104, 60, 103},   {21, 27, 26, 62, 24, 60},
    {160, 202, 124, 131, 239, 95}, {129, 171, 91, 134, 60, 96},
    {125, 168, 89, 132, 238, 95},  {53, 96, 238, 60, 240, 242},
    {162, 169, 125, 132, 239, 95}, {22, 64, 58, 65, 238, 242},
    {98, 105, 61, 103, 239, 243},  {131, 138, 95, 102, 239, 243},
    {92, 135, 54, 97, 60, 96},     {61, 104, 60, 103, 239, 243},
    {17, 25, 18, 60, 238, 59},     {19, 26, 18, 61, 238, 60},
};

/* At 16 and 8 colours. Blue comes late: too dark on black. */
static const int8_t few_on_dark[IG_LANGUAGE_COLOURS][2] = {
    {12, 6}, {3, 3}, {2, 2},  {11, 5}, {1, 1}, {13, 4}, {5, 6},  {10, 2},
    {4, 4},  {7, 3}, {14, 6}, {9, 1},  {3, 3}, {13, 5}, {6, 6},  {1, 1},
    {14, 4}, {5, 5}, {2, 2},  {7, 7},  {4, 4}, {11, 3}, {10, 2}, {13, 5},
};

/* Yellow and cyan come late: too pale on white. */
static const int8_t few_on_light[IG_LANGUAGE_COLOURS][2] = {
    {4, 4}, {1, 1},  {2, 2}, {5, 5}, {3, 3}, {12, 6}, {6, 6}, {13, 1},
    {9, 5}, {8, 2},  {4, 4}, {1, 1}, {2, 2}, {5, 5},  {3, 3}, {12, 6},
    {6, 6}, {13, 1}, {9, 5}, {8, 2}, {4, 4}, {1, 1},  {2, 2}, {5, 5},
};

/* --- dark background -------------------------------------------------------------- */

static const theme_table dark = {
    .mixed = {-1, -1, -1},
    .mixed_thin = {246, 8, -1},
    .language = dark_hues,
    .few = few_on_dark,
    .colour = /* families: losses are cyan, spaces grey and sand, runs red */
    {
        [IG_COLOUR_DEFAULT] = {-1, -1, -1},   [IG_COLOUR_TEXT] = {-1, -1, -1},
        [IG_COLOUR_DIM] = {246, 8, -1},       [IG_COLOUR_FRAME] = {242, 8, -1},
        [IG_COLOUR_FOCUS] = {75, 12, 6},      [IG_COLOUR_ACCENT] = {81, 14, 6},
        [IG_COLOUR_GOOD] = {72, 10, 2},       [IG_COLOUR_WARN] = {214, 11, 3},
        [IG_COLOUR_BAD] = {203, 9, 1},        [IG_COLOUR_SELECTION] = {24, 4, 4},
        [IG_COLOUR_CURSOR] = {231, 15, 7},    [IG_COLOUR_AWAY] = {239, 8, -1},
        [IG_COLOUR_LINK] = {245, 7, 7},       [IG_COLOUR_TRAIN] = {80, 14, 6},
        [IG_COLOUR_VALID] = {37, 6, 6},       [IG_COLOUR_ORIGINAL] = {246, 8, -1},
        [IG_COLOUR_MEANING] = {-1, -1, -1},   [IG_COLOUR_OF_LANGUAGE] = {180, 11, 3},
        [IG_COLOUR_RUN + 0] = {204, 13, 5},   [IG_COLOUR_RUN + 1] = {224, 9, 1},
        [IG_COLOUR_RUN + 2] = {199, 5, 5},    [IG_COLOUR_RUN + 3] = {212, 1, 1},
        [IG_COLOUR_RUN + 4] = {174, 13, 5},   [IG_COLOUR_RUN + 5] = {169, 9, 1},
        [IG_COLOUR_RUN + 6] = {217, 5, 5},    [IG_COLOUR_RUN + 7] = {167, 1, 1},
        [IG_COLOUR_INK] = {-1, -1, -1},       [IG_COLOUR_HEAT + 0] = {17, 4, 4},
        [IG_COLOUR_HEAT + 1] = {54, 4, 4},    [IG_COLOUR_HEAT + 2] = {90, 5, 5},
        [IG_COLOUR_HEAT + 3] = {126, 5, 5},   [IG_COLOUR_HEAT + 4] = {167, 9, 1},
        [IG_COLOUR_HEAT + 5] = {208, 9, 1},   [IG_COLOUR_HEAT + 6] = {214, 11, 3},
        [IG_COLOUR_HEAT + 7] = {229, 15, 3},  [IG_COLOUR_SCALE + 0] = {62, 4, 4},
        [IG_COLOUR_SCALE + 1] = {98, 12, 4},  [IG_COLOUR_SCALE + 2] = {134, 5, 5},
        [IG_COLOUR_SCALE + 3] = {169, 13, 5}, [IG_COLOUR_SCALE + 4] = {203, 9, 1},
        [IG_COLOUR_SCALE + 5] = {209, 3, 1},  [IG_COLOUR_SCALE + 6] = {215, 11, 3},
        [IG_COLOUR_SCALE + 7] = {229, 15, 3},
    },
};

/* --- light background ------------------------------------------------------------- */

static const theme_table light = {
    .mixed = {-1, -1, -1},
    .mixed_thin = {243, 8, -1},
    .language = light_hues,
    .few = few_on_light,
    .colour =
        {
            [IG_COLOUR_DEFAULT] = {-1, -1, -1},   [IG_COLOUR_TEXT] = {-1, -1, -1},
            [IG_COLOUR_DIM] = {242, 8, -1},       [IG_COLOUR_FRAME] = {246, 8, -1},
            [IG_COLOUR_FOCUS] = {25, 4, 4},       [IG_COLOUR_ACCENT] = {26, 4, 4},
            [IG_COLOUR_GOOD] = {22, 2, 2},        [IG_COLOUR_WARN] = {130, 5, 5},
            [IG_COLOUR_BAD] = {160, 1, 1},        [IG_COLOUR_SELECTION] = {153, 7, 7},
            [IG_COLOUR_CURSOR] = {16, 0, 0},      [IG_COLOUR_AWAY] = {249, 7, -1},
            [IG_COLOUR_LINK] = {244, 8, -1},      [IG_COLOUR_TRAIN] = {23, 4, 4},
            [IG_COLOUR_VALID] = {24, 6, 6},       [IG_COLOUR_ORIGINAL] = {242, 8, -1},
            [IG_COLOUR_MEANING] = {-1, -1, -1},   [IG_COLOUR_OF_LANGUAGE] = {94, 3, 3},
            [IG_COLOUR_RUN + 0] = {161, 1, 1},    [IG_COLOUR_RUN + 1] = {52, 5, 5},
            [IG_COLOUR_RUN + 2] = {95, 9, 1},     [IG_COLOUR_RUN + 3] = {89, 13, 5},
            [IG_COLOUR_RUN + 4] = {124, 1, 1},    [IG_COLOUR_RUN + 5] = {163, 5, 5},
            [IG_COLOUR_RUN + 6] = {126, 9, 1},    [IG_COLOUR_RUN + 7] = {88, 13, 5},
            [IG_COLOUR_INK] = {-1, -1, -1},       [IG_COLOUR_HEAT + 0] = {230, 7, 7},
            [IG_COLOUR_HEAT + 1] = {223, 7, 7},   [IG_COLOUR_HEAT + 2] = {216, 11, 3},
            [IG_COLOUR_HEAT + 3] = {209, 11, 3},  [IG_COLOUR_HEAT + 4] = {167, 3, 3},
            [IG_COLOUR_HEAT + 5] = {161, 9, 1},   [IG_COLOUR_HEAT + 6] = {125, 1, 1},
            [IG_COLOUR_HEAT + 7] = {53, 5, 5},    [IG_COLOUR_SCALE + 0] = {136, 3, 3},
            [IG_COLOUR_SCALE + 1] = {166, 9, 1},  [IG_COLOUR_SCALE + 2] = {161, 1, 1},
            [IG_COLOUR_SCALE + 3] = {125, 13, 5}, [IG_COLOUR_SCALE + 4] = {90, 5, 5},
            [IG_COLOUR_SCALE + 5] = {54, 12, 4},  [IG_COLOUR_SCALE + 6] = {18, 4, 4},
            [IG_COLOUR_SCALE + 7] = {17, 0, 0},
        },
};

/* --- themes ----------------------------------------------------------------------- */

static const theme_table *find_theme(ig_theme theme)
{
    return theme == IG_THEME_LIGHT ? &light : &dark;
}

/* --- logical colours -------------------------------------------------------------- */

/* Attributes that replace a colour at depth 0. */
static int attributes_of(int colour)
{
    switch (colour) {
    case IG_COLOUR_DIM:
    case IG_COLOUR_FRAME:
    case IG_COLOUR_AWAY:
    case IG_COLOUR_ORIGINAL:
    case IG_COLOUR_MIXED_THIN:
        return IG_FAINT;
    case IG_COLOUR_BAD:
        return IG_BOLD | IG_UNDERLINE;
    case IG_COLOUR_FOCUS:
    case IG_COLOUR_ACCENT:
    case IG_COLOUR_GOOD:
    case IG_COLOUR_TRAIN:
    case IG_COLOUR_MEANING:
    case IG_COLOUR_HEAT + 5:
    case IG_COLOUR_HEAT + 6:
        return IG_BOLD;
    case IG_COLOUR_WARN:
        return IG_UNDERLINE;
    case IG_COLOUR_SELECTION:
    case IG_COLOUR_CURSOR:
    case IG_COLOUR_HEAT + 7:
        return IG_REVERSE;
    default:
        return 0;
    }
}

/* True for language shades: shade 2·pale + thin of language n is IG_COLOUR_LANGUAGE +
 * shade · IG_LANGUAGE_COLOURS + n. */
static bool is_language(int colour)
{
    return colour >= IG_COLOUR_LANGUAGE && colour < IG_COLOUR_MIXED;
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

static int of_depth(numbers n, ig_depth depth)
{
    switch (depth) {
    case IG_DEPTH_256:
        return n.of256;
    case IG_DEPTH_16:
        return n.of16;
    case IG_DEPTH_8:
        return n.of8;
    default:
        return -1;
    }
}

/* The number of a language shade. "All languages mixed" is the terminal's default
 * colour, which is readable and not used for a language. */
static int number_of_language(const theme_table *theme, int colour, ig_depth depth)
{
    int number = (colour - IG_COLOUR_LANGUAGE) % IG_LANGUAGE_COLOURS;
    int shade = (colour - IG_COLOUR_LANGUAGE) / IG_LANGUAGE_COLOURS;

    if (depth < IG_DEPTH_256 && shade >= 2 * IG_SHADES_PALE)
        return of_depth(theme->mixed, depth); /* few colours: treat mostly mixed as
                                                 mixed */
    if (depth == IG_DEPTH_256)
        return theme->language[number][shade];
    return depth == IG_DEPTH_NONE ? -1 : theme->few[number][depth == IG_DEPTH_8];
}

static int number_of(int colour, ig_theme chosen, ig_depth depth)
{
    const theme_table *theme = find_theme(chosen);

    if (colour < 0 || colour >= IG_COLOURS)
        return -1;
    if (colour >= IG_COLOUR_MIXED)
        return of_depth(colour == IG_COLOUR_MIXED ? theme->mixed : theme->mixed_thin,
                        depth);
    if (is_language(colour))
        return number_of_language(theme, colour, depth);
    return of_depth(theme->colour[colour], depth);
}

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

/* The nearest colour of the 6 × 6 × 6 cube. */
static int nearest_number(const double rgb[3])
{
    int number = 16;

    for (int i = 0, place = 36; i < 3; i++, place /= 6) {
        int level = rgb[i] < 48 ? 0 : rgb[i] < 115 ? 1 : (int)((rgb[i] - 35) / 40);

        number += place * (level < 5 ? level : 5);
    }
    return number;
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

/* Move a 256-colour number towards black or white until it is readable on a background,
 * so that a language keeps some of its hue in a selected row. */
static int make_readable(int number, int background, bool on_light)
{
    enum { STEPS = 8 };
    const double wanted = 4.5, towards = on_light ? 0 : 255;
    unsigned char full[3];
    double rgb[3];
    int read = number;

    ig_palette_number_rgb(number, full);
    for (int step = 1; step <= STEPS && contrast_of(read, background) < wanted;
         step++) {
        for (int i = 0; i < 3; i++)
            rgb[i] = full[i] + (towards - full[i]) * step / STEPS;
        read = nearest_number(rgb);
    }
    return read;
}

ig_ink ig_palette_ink(ig_style style, ig_theme theme, ig_depth depth)
{
    ig_ink ink = {number_of(style.fg, theme, depth), number_of(style.bg, theme, depth),
                  style.attributes};

    if (depth == IG_DEPTH_NONE)
        ink.attributes |= attributes_of(style.fg) | attributes_of(style.bg);
    if (depth == IG_DEPTH_8 && style.fg == IG_COLOUR_CURSOR)
        ink.attributes |= IG_BOLD;
    if (depth == IG_DEPTH_8 && ink.fg < 0) /* has no grey */
        ink.attributes |= attributes_of(style.fg) & IG_FAINT;
    if (style.fg == IG_COLOUR_INK)
        ink.fg = ink_on(ink.bg, depth);
    /* On a selected row, dim and frame colours could be invisible. */
    if (style.bg == IG_COLOUR_SELECTION && depth == IG_DEPTH_256 && ink.fg >= 0)
        ink.fg = make_readable(ink.fg, ink.bg, theme == IG_THEME_LIGHT);
    else if (style.bg == IG_COLOUR_SELECTION && ink.fg == ink.bg)
        ink.fg = -1;
    return ink;
}

/* --- letters ---------------------------------------------------------------------- */

static char lower_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* True if no earlier name, in steps of `apart`, has this letter. */
static bool is_free(const char *letter, size_t i, size_t apart, char c)
{
    size_t j = i % apart;

    while (j < i && letter[j] != c)
        j += apart;
    return j >= i;
}

void ig_palette_letters(const char *const *name, size_t n, char *letter)
{
    static const char spare[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    static const size_t apart[] = {1, IG_LANGUAGE_COLOURS};

    for (size_t i = 0; i < n; i++) {
        const char *candidates[] = {name[i] ? name[i] : "", spare};

        letter[i] = '*';
        for (int k = 0; k < 4; k++) /* unique, then unique for its colour */
            for (const char *at = candidates[k % 2]; *at && letter[i] == '*'; at++)
                if (strchr(spare, lower_letter(*at)) &&
                    is_free(letter, i, apart[k / 2], lower_letter(*at)))
                    letter[i] = lower_letter(*at);
    }
}
