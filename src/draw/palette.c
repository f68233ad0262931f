/* Colours by meaning into colours by number, by the tables of themes.c. */
#include "draw/palette.h"

#include <math.h>
#include <string.h>

#include "draw/themes.h"

/* --- themes ----------------------------------------------------------------------- */

/* What can be chosen: the theme on a dark and on a light background. */
static const struct choice {
    const char *name;
    ig_theme theme[2];
} choices[] = {
    {"dark", {IG_THEME_DARK, IG_THEME_DARK}},
    {"light", {IG_THEME_LIGHT, IG_THEME_LIGHT}},
    {"contrast", {IG_THEME_CONTRAST_DARK, IG_THEME_CONTRAST_LIGHT}},
    {"contrast-dark", {IG_THEME_CONTRAST_DARK, IG_THEME_CONTRAST_DARK}},
    {"contrast-light", {IG_THEME_CONTRAST_LIGHT, IG_THEME_CONTRAST_LIGHT}},
    {"colour-blind", {IG_THEME_SAFE_DARK, IG_THEME_SAFE_LIGHT}},
    {"colour-blind-dark", {IG_THEME_SAFE_DARK, IG_THEME_SAFE_DARK}},
    {"colour-blind-light", {IG_THEME_SAFE_LIGHT, IG_THEME_SAFE_LIGHT}},
};

enum { CHOICES = sizeof choices / sizeof *choices };

const char *ig_theme_choice(int choice)
{
    return choice >= 0 && choice < CHOICES ? choices[choice].name : NULL;
}

ig_theme ig_theme_of(int choice, bool light)
{
    return ig_theme_choice(choice) ? choices[choice].theme[light]
                                   : choices[light].theme[light];
}

bool ig_theme_follows(int choice)
{
    return ig_theme_of(choice, false) != ig_theme_of(choice, true);
}

bool ig_theme_is_light(ig_theme theme)
{
    return ig_theme_find(theme)->light;
}

void ig_theme_own(ig_theme theme, unsigned char text[3], unsigned char ground[3])
{
    memcpy(text, ig_theme_find(theme)->text, 3);
    memcpy(ground, ig_theme_find(theme)->ground, 3);
}

/* --- logical colours -------------------------------------------------------------- */

/* The attributes that stand for a colour where there are none. */
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
    case IG_COLOUR_QUERY:
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

/* Where the shades of languages are: shade 2·pale + thin of language n at
 * IG_COLOUR_LANGUAGE + shade · IG_LANGUAGE_COLOURS + n. */
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

static int of_depth(ig_numbers numbers, ig_depth depth)
{
    switch (depth) {
    case IG_DEPTH_256:
        return numbers.of256;
    case IG_DEPTH_16:
        return numbers.of16;
    case IG_DEPTH_8:
        return numbers.of8;
    default:
        return -1;
    }
}

/* A shade of a language. All languages at once have the terminal's own colour, which
 * reads on its background and is no language's. */
static int number_of_language(const ig_theme_table *theme, int colour, ig_depth depth)
{
    int number = (colour - IG_COLOUR_LANGUAGE) % IG_LANGUAGE_COLOURS;
    int shade = (colour - IG_COLOUR_LANGUAGE) / IG_LANGUAGE_COLOURS;

    if (depth < IG_DEPTH_256 && shade >= 2 * IG_SHADES_PALE)
        return of_depth(theme->mixed, depth); /* few colours: mostly mixed is mixed */
    if (depth == IG_DEPTH_256) {
        while (!theme->language && theme->base)
            theme = theme->base;
        return theme->language[number][shade];
    }
    while (!theme->few && theme->base)
        theme = theme->base;
    return depth == IG_DEPTH_NONE ? -1 : theme->few[number][depth == IG_DEPTH_8];
}

static int number_of(int colour, ig_theme chosen, ig_depth depth)
{
    const ig_theme_table *theme = ig_theme_find(chosen);

    if (colour < 0 || colour >= IG_COLOURS)
        return -1;
    if (colour >= IG_COLOUR_MIXED)
        return of_depth(colour == IG_COLOUR_MIXED ? theme->mixed : theme->mixed_thin,
                        depth);
    if (is_language(colour))
        return number_of_language(theme, colour, depth);
    while (!theme->colour[colour].said && theme->base)
        theme = theme->base;
    return of_depth(theme->colour[colour], depth);
}

/* --- colours by number ------------------------------------------------------------ */

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

void ig_palette_rgb(int colour, ig_theme theme, unsigned char rgb[3])
{
    ig_palette_number_rgb(number_of(colour, theme, IG_DEPTH_256), rgb);
}

double ig_palette_luminance(const unsigned char rgb[3])
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
    double x = ig_palette_luminance(a) + 0.05, y = ig_palette_luminance(b) + 0.05;

    return x > y ? x / y : y / x;
}

static double contrast_of(int a, int b)
{
    unsigned char x[3], y[3];

    ig_palette_number_rgb(a, x);
    ig_palette_number_rgb(b, y);
    return ig_palette_contrast(x, y);
}

/* Black or white, whichever reads better on a background. */
static int ink_on(int background, ig_depth depth)
{
    int black = depth == IG_DEPTH_256 ? 16 : 0;
    int white = depth == IG_DEPTH_256 ? 231 : depth == IG_DEPTH_16 ? 15 : 7;

    if (background < 0)
        return -1;
    return contrast_of(black, background) > contrast_of(white, background) ? black
                                                                           : white;
}

/* One of 256 colours as it reads on a background: nearer to black or white, as far as
 * need be, so that a language in a selected row keeps something of its hue. */
static int readable(int number, int background, bool light)
{
    enum { STEPS = 8 };
    const double wanted = 4.5, towards = light ? 0 : 255;
    unsigned char full[3];
    double rgb[3];
    int read = number;

    ig_palette_number_rgb(number, full);
    for (int step = 1; step <= STEPS && contrast_of(read, background) < wanted;
         step++) {
        for (int i = 0; i < 3; i++)
            rgb[i] = full[i] + (towards - full[i]) * step / STEPS;
        read = nearest(rgb);
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
    if (depth == IG_DEPTH_8 && ink.fg < 0) /* no grey among them */
        ink.attributes |= attributes_of(style.fg) & IG_FAINT;
    if (style.fg == IG_COLOUR_INK)
        ink.fg = ink_on(ink.bg, depth);
    /* On a selected row, a dim or frame colour could vanish in the background. */
    if (style.bg == IG_COLOUR_SELECTION && depth == IG_DEPTH_256 && ink.fg >= 0)
        ink.fg = readable(ink.fg, ink.bg, ig_theme_is_light(theme));
    else if (style.bg == IG_COLOUR_SELECTION && ink.fg == ink.bg)
        ink.fg = -1;
    return ink;
}

/* --- letters ---------------------------------------------------------------------- */

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
