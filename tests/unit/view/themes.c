/* The themes, measured: contrast to their backgrounds as WCAG 2 defines it, and
 * distances of colours in OKLab, times 100 (2 is just
 * visible). */
#include "suite.h"

#include <math.h>
#include <string.h>

#include "view/heat.h"
#include "view/palette.h"

/* The least contrasts of a theme: of text and of the hues that names are written in, of
 * marks and languages, and of what is there without being looked at. */
struct demands {
    ig_theme theme;
    double text, hue, mark, away;
};

static const struct demands demands[IG_THEMES] = {
    {IG_THEME_DARK, 4.5, 4.5, 3, 2},
    {IG_THEME_LIGHT, 4.5, 4.5, 2.6, 2},
};

/* Backgrounds that a theme is made for: it reads on each of them. */
static const unsigned char *ground_of(ig_theme theme, int i)
{
    static const unsigned char dark[][3] = {{0, 0, 0}, {18, 20, 26}, {30, 30, 30}};
    static const unsigned char light[][3] = {{255, 255, 255}};

    if (theme == IG_THEME_LIGHT)
        return i < 1 ? light[i] : NULL;
    return i < 3 ? dark[i] : NULL;
}

/* Texts without a colour, as terminals show them. */
static const unsigned char text_of[IG_THEMES][3] = {
    [IG_THEME_DARK] = {214, 217, 222}, [IG_THEME_LIGHT] = {36, 41, 47}};

/* What a colour looks like in a theme; the terminal's own is the text's. */
static void rgb_of(ig_style style, ig_theme theme, unsigned char fg[3],
                   unsigned char bg[3])
{
    ig_ink ink = ig_palette_ink(style, theme, IG_DEPTH_256);

    memcpy(fg, text_of[theme], 3);
    memcpy(bg, ground_of(theme, theme == IG_THEME_DARK), 3);
    if (ink.fg >= 0)
        ig_palette_number_rgb(ink.fg, fg);
    if (ink.bg >= 0)
        ig_palette_number_rgb(ink.bg, bg);
}

static void assert_contrast(const struct demands *d, int colour, double wanted)
{
    unsigned char fg[3], bg[3];
    const unsigned char *ground;

    rgb_of(ig_style_of(colour, 0), d->theme, fg, bg);
    for (int i = 0; (ground = ground_of(d->theme, i)) != NULL; i++) {
        double contrast = ig_palette_contrast(fg, ground);

        if (contrast < wanted)
            fail_msg("theme %d, colour %d (%d %d %d): contrast %.2f, not %.1f",
                     d->theme, colour, fg[0], fg[1], fg[2], contrast, wanted);
    }
}

static const int texts[] = {IG_COLOUR_TEXT,   IG_COLOUR_DIM,      IG_COLOUR_FOCUS,
                            IG_COLOUR_ACCENT, IG_COLOUR_GOOD,     IG_COLOUR_WARN,
                            IG_COLOUR_BAD,    IG_COLOUR_CURSOR,   IG_COLOUR_TRAIN,
                            IG_COLOUR_VALID,  IG_COLOUR_ORIGINAL, IG_COLOUR_MEANING};

enum { TEXTS = sizeof texts / sizeof *texts };

/* The measure itself, by values that WCAG's own tools give. */
static void measure(void **state)
{
    static const unsigned char black[3] = {0, 0, 0}, white[3] = {255, 255, 255};
    static const unsigned char grey[3] = {119, 119, 119}, blue[3] = {0, 0, 255};

    assert_true(fabs(ig_palette_contrast(black, white) - 21) < 1e-9);
    assert_true(fabs(ig_palette_contrast(white, white) - 1) < 1e-9);
    assert_true(fabs(ig_palette_contrast(grey, white) - 4.478) < 0.001);
    assert_true(fabs(ig_palette_contrast(white, blue) - 8.592) < 0.001);
}

/* Every text, mark and hue reads on the background. */
static void contrast(void **state)
{
    for (int t = 0; t < IG_THEMES; t++) {
        const struct demands *d = &demands[t];

        for (int i = 0; i < TEXTS; i++)
            assert_contrast(d, texts[i], d->text);
        assert_contrast(d, IG_COLOUR_OF_LANGUAGE, d->hue);
        for (size_t i = 0; i < IG_RUN_COLOURS; i++)
            assert_contrast(d, ig_colour_run(i), d->hue);
        assert_contrast(d, IG_COLOUR_FRAME, d->mark);
        assert_contrast(d, IG_COLOUR_LINK, d->mark);
        assert_contrast(d, IG_COLOUR_MIXED, d->mark);
        assert_contrast(d, IG_COLOUR_AWAY, d->away);
        for (int i = 0; i < IG_HEAT_COLOURS; i++)
            assert_contrast(d, IG_COLOUR_SCALE + i, 3);
        for (size_t i = 0; i < IG_LANGUAGE_COLOURS; i++)
            for (int pale = 0; pale < IG_SHADES; pale++)
                assert_contrast(d, ig_colour_shade(ig_colour_language(i), pale),
                                d->mark);
    }
}

/* So does what is written on a background of ours: on a selected row, whatever colour
 * it has elsewhere, and on heat. */
static void selected(void **state)
{
    unsigned char fg[3], bg[3];

    for (int t = 0; t < IG_THEMES; t++) {
        for (int colour = 0; colour < IG_COLOURS; colour++) {
            if (colour == IG_COLOUR_SELECTION || colour == IG_COLOUR_INK ||
                (colour >= IG_COLOUR_HEAT && colour < IG_COLOUR_SCALE))
                continue; /* backgrounds, and what is for them */
            rgb_of((ig_style){(uint8_t)colour, IG_COLOUR_SELECTION, 0}, (ig_theme)t, fg,
                   bg);
            assert_true(ig_palette_contrast(fg, bg) >= 4.5);
        }
        for (int step = 1; step < IG_HEAT_COLOURS; step++) {
            ig_style style =
                ig_heat_style((step + 0.5) / IG_HEAT_COLOURS, IG_DEPTH_256);

            rgb_of(style, (ig_theme)t, fg, bg);
            assert_true(ig_palette_contrast(fg, bg) >= 4.5);
        }
    }
}

/* --- distances -------------------------------------------------------------------- */

/* Cones that an eye has: all, no green ones, no red ones (Machado et al. 2009, severity
 * 1). */
enum { NORMAL, DEUTAN, PROTAN, EYES };

static const double seen[EYES][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                        {{0.367322, 0.860646, -0.227968},
                                         {0.280085, 0.672501, 0.047413},
                                         {-0.011820, 0.042940, 0.968881}},
                                        {{0.152286, 1.052583, -0.204868},
                                         {0.114503, 0.786281, 0.099216},
                                         {-0.003882, -0.048116, 1.051998}}};

static void multiply(const double m[3][3], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

static void oklab(const unsigned char rgb[3], int eye, double lab[3])
{
    static const double cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                       {0.2119034982, 0.6806995451, 0.1073969566},
                                       {0.0883024619, 0.2817188376, 0.6299787005}};
    static const double axes[3][3] = {{21.04542553, 79.36177850, -0.40720468},
                                      {197.79984951, -242.85922050, 45.05937099},
                                      {2.59040371, 78.27717662, -80.86757660}};
    double c[3], s[3], l[3];

    for (int i = 0; i < 3; i++) {
        double v = rgb[i] / 255.0;

        c[i] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    }
    multiply(seen[eye], c, s);
    for (int i = 0; i < 3; i++)
        s[i] = fmin(fmax(0, s[i]), 1);
    multiply(cones, s, l);
    for (int i = 0; i < 3; i++)
        l[i] = cbrt(l[i]);
    multiply(axes, l, lab);
}

static double difference(const unsigned char a[3], const unsigned char b[3], int eye)
{
    double p[3], q[3], sum = 0;

    oklab(a, eye, p);
    oklab(b, eye, q);
    for (int i = 0; i < 3; i++)
        sum += (p[i] - q[i]) * (p[i] - q[i]);
    return sqrt(sum);
}

static double distance(ig_theme theme, int a, int b)
{
    unsigned char fg[2][3], bg[3];

    rgb_of(ig_style_of(a, 0), theme, fg[0], bg);
    rgb_of(ig_style_of(b, 0), theme, fg[1], bg);
    return difference(fg[0], fg[1], NORMAL);
}

static void assert_apart(ig_theme theme, int a, int b, double least)
{
    double apart = distance(theme, a, b);

    if (apart < least)
        fail_msg("theme %d: colours %d and %d are %.1f apart, not %.1f", theme, a, b,
                 apart, least);
}

/* A language has one hue in both themes, to 40 degrees; the first eight, to 25 degrees,
 * are apart for every eye, and from what is mixed with another. */
static void languages(void **state)
{
    unsigned char rgb[IG_THEMES][IG_LANGUAGE_COLOURS][3];

    for (size_t i = 0; i < IG_LANGUAGE_COLOURS; i++) {
        double lab[IG_THEMES][3], turned;

        for (int t = 0; t < IG_THEMES; t++) {
            ig_palette_rgb(ig_colour_language(i), (ig_theme)t, rgb[t][i]);
            oklab(rgb[t][i], NORMAL, lab[t]);
            for (size_t j = 0; i < 8 && j < i; j++)
                for (int eye = 0; eye < EYES; eye++)
                    assert_true(difference(rgb[t][i], rgb[t][j], eye) >= 12);
            for (size_t j = 0; i < 8 && j < 8; j++)
                for (int shade = 1; j != i && shade < IG_SHADES; shade++)
                    assert_apart((ig_theme)t, ig_colour_language(i),
                                 ig_colour_shade(ig_colour_language(j), shade), 5);
        }
        turned = fabs(atan2(lab[0][2], lab[0][1]) - atan2(lab[1][2], lab[1][1]));
        assert_true(fmin(turned, 2 * M_PI - turned) * 180 / M_PI < (i < 8 ? 25 : 40));
    }
}

/* A colour means one thing: losses, spaces, runs and languages share none, and those of
 * one family differ more than those that only few sets have. */
static void families(void **state)
{
    static const int others[] = {IG_COLOUR_TRAIN, IG_COLOUR_VALID, IG_COLOUR_ORIGINAL,
                                 IG_COLOUR_MEANING, IG_COLOUR_OF_LANGUAGE};

    for (int t = 0; t < IG_THEMES; t++) {
        ig_theme theme = (ig_theme)t;

        for (size_t i = 0; i < IG_LANGUAGE_COLOURS; i++)
            for (size_t j = 0; j < i; j++)
                assert_apart(theme, ig_colour_language(i), ig_colour_language(j),
                             i < 8 ? 12 : 9);
        for (size_t i = 0; i < IG_RUN_COLOURS; i++)
            for (size_t j = 0; j < i; j++)
                assert_apart(theme, ig_colour_run(i), ig_colour_run(j), 5);
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < i; j++)
                assert_apart(theme, others[i], others[j], 5);
        for (int i = 0; i < 5; i++)
            for (size_t j = 0; j < IG_RUN_COLOURS; j++)
                assert_apart(theme, others[i], ig_colour_run(j), 4.5);
        for (size_t i = 0; i < IG_LANGUAGE_COLOURS; i++)
            assert_apart(theme, ig_colour_language(i), IG_COLOUR_LINK, 5);
        for (size_t i = 0; i < 10; i++) {
            for (int j = 0; j < 5; j++)
                assert_apart(theme, ig_colour_language(i), others[j], 4.5);
            for (size_t j = 0; j < IG_RUN_COLOURS; j++)
                assert_apart(theme, ig_colour_language(i), ig_colour_run(j), 4.5);
        }
    }
    assert_int_equal(ig_colour_run(IG_RUN_COLOURS), ig_colour_run(0));
    assert_int_equal(ig_colour_language(IG_LANGUAGE_COLOURS), ig_colour_language(0));
}

/* --- shades, scales and few colours ----------------------------------------------- */

/* Where there are 16 or 8 colours, eight languages have as many as are drawn without
 * letters, none is that of lines, and all are read on the background. A light terminal's colours are darker
 * (those of GNOME's), but not all yellows, which are not used. */
static void few_colours(void **state)
{
    static const unsigned char light[16][3] = {
        {23, 20, 33},   {192, 28, 40},  {38, 162, 105}, {0},
        {18, 72, 139},  {163, 71, 186}, {42, 161, 179}, {208, 207, 204},
        {94, 92, 100},  {246, 97, 81},  {51, 209, 122}, {0},
        {42, 123, 222}, {192, 97, 203}, {51, 199, 222}, {255, 255, 255}};

    for (int t = 0; t < IG_THEMES; t++)
        for (int depth = IG_DEPTH_8; depth <= IG_DEPTH_16; depth += 8) {
            ig_style line = ig_style_of(IG_COLOUR_LINK, 0);
            int lines = ig_palette_ink(line, (ig_theme)t, (ig_depth)depth).fg;
            bool used[16] = {false};
            size_t different = 0;

            for (size_t i = 0; i < IG_LANGUAGE_COLOURS; i++) {
                ig_style style = ig_style_of(ig_colour_language(i), 0);
                int number = ig_palette_ink(style, (ig_theme)t, (ig_depth)depth).fg;
                unsigned char rgb[3];

                assert_true(number > 0 && number < depth && number != lines);
                assert_true(t == IG_THEME_DARK ? number != 4 : number % 8 != 3);
                ig_palette_number_rgb(number, rgb);
                assert_true(ig_palette_contrast(
                                t == IG_THEME_LIGHT ? light[number] : rgb,
                                ground_of((ig_theme)t, 2 * (t == IG_THEME_DARK))) >= 3);
                different += i < (depth == IG_DEPTH_8 ? IG_FEW_COLOURS : 8) &&
                             !used[number];
                used[number] = true;
            }
            assert_int_equal(different, depth == IG_DEPTH_8 ? IG_FEW_COLOURS : 8);
        }
}

/* What stands beside one another without a sign of its own still differs, with 16, 8 or
 * no colours, by them or by attributes. */
static void differences(void **state)
{
    static const ig_depth depths[] = {IG_DEPTH_256, IG_DEPTH_16, IG_DEPTH_8,
                                      IG_DEPTH_NONE};
    static const struct {
        int a, b;
    } pairs[] = {{IG_COLOUR_TEXT, IG_COLOUR_DIM},
                 {IG_COLOUR_TEXT, IG_COLOUR_ACCENT},
                 {IG_COLOUR_TEXT, IG_COLOUR_GOOD},
                 {IG_COLOUR_TEXT, IG_COLOUR_WARN},
                 {IG_COLOUR_TEXT, IG_COLOUR_BAD},
                 {IG_COLOUR_TEXT, IG_COLOUR_AWAY},
                 {IG_COLOUR_TEXT, IG_COLOUR_CURSOR},
                 {IG_COLOUR_GOOD, IG_COLOUR_BAD},
                 {IG_COLOUR_GOOD, IG_COLOUR_WARN},
                 {IG_COLOUR_WARN, IG_COLOUR_BAD},
                 {IG_COLOUR_FOCUS, IG_COLOUR_FRAME},
                 {IG_COLOUR_ORIGINAL, IG_COLOUR_MEANING},
                 {IG_COLOUR_MEANING, IG_COLOUR_OF_LANGUAGE},
                 {IG_COLOUR_ORIGINAL, IG_COLOUR_OF_LANGUAGE}};

    for (int t = 0; t < IG_THEMES; t++)
        for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
            ig_style selected = {IG_COLOUR_TEXT, IG_COLOUR_SELECTION, 0};
            ig_ink own =
                ig_palette_ink(ig_style_of(IG_COLOUR_TEXT, 0), (ig_theme)t, depths[d]);
            ig_ink row = ig_palette_ink(selected, (ig_theme)t, depths[d]);

            assert_true(row.bg != own.bg || row.attributes != own.attributes);
            for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
                ig_ink a =
                    ig_palette_ink(ig_style_of(pairs[i].a, 0), (ig_theme)t, depths[d]);
                ig_ink b =
                    ig_palette_ink(ig_style_of(pairs[i].b, 0), (ig_theme)t, depths[d]);

                if (a.fg == b.fg && a.attributes == b.attributes)
                    fail_msg("theme %d, %d colours: %d and %d look the same", t,
                             depths[d], pairs[i].a, pairs[i].b);
            }
        }
}

SUITE(themes, NULL, NULL, TEST(measure), TEST(contrast), TEST(selected), TEST(families),
      TEST(languages), TEST(few_colours), TEST(differences))
