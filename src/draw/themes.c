/* Themes. The terminal keeps its own background, so a theme is made for a dark one or a
 * light one. The numbers of 256 were looked for by their distance in OKLab under
 * conditions that tests/unit/draw/themes.c states and measures: contrast to the
 * background, families of hues that stay apart, and for the colour-blind themes hues
 * that deuteranopia and protanopia leave apart. */
#include "draw/themes.h"

#define SAY(of256, of16, of8)                                                          \
    {                                                                                  \
        of256, of16, of8, true                                                         \
    }

/* --- hues of languages ----------------------------------------------------------- */

/* Each: full, full for few points, pale, pale for few, paler, paler for few. The first
 * eight are near those of Okabe & Ito: sky blue, orange, bluish green, yellow,
 * vermilion, purple, then violet and light green. Reds and pinks are left to runs. */
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

static const uint8_t contrast_hues[IG_LANGUAGE_COLOURS][IG_SHADES] = {
    {75, 32, 110, 67, 251, 246},    {214, 136, 179, 137, 187, 246},
    {43, 36, 115, 73, 152, 246},    {227, 142, 229, 143, 187, 144},
    {209, 166, 216, 137, 181, 138}, {183, 140, 182, 139, 251, 247},
    {120, 71, 157, 108, 187, 109},  {195, 109, 194, 145, 152, 247},
    {40, 34, 114, 71, 151, 108},    {144, 101, 250, 245, 152, 247},
    {51, 37, 123, 109, 152, 247},   {187, 144, 251, 247, 152, 145},
    {117, 74, 152, 109, 251, 247},  {184, 142, 186, 143, 187, 144},
    {217, 138, 181, 246, 251, 248}, {225, 182, 189, 248, 224, 246},
    {46, 34, 120, 71, 151, 108},    {212, 169, 218, 139, 182, 138},
    {142, 100, 143, 101, 187, 246}, {113, 71, 150, 108, 151, 246},
    {193, 143, 194, 144, 187, 248}, {146, 103, 250, 245, 152, 247},
    {221, 143, 186, 144, 187, 247}, {154, 106, 192, 107, 187, 108},
};

static const uint8_t safe_dark_hues[IG_LANGUAGE_COLOURS][IG_SHADES] = {
    {33, 32, 75, 67, 146, 103},     {214, 136, 179, 137, 187, 246},
    {117, 74, 116, 109, 189, 247},  {167, 131, 174, 95, 181, 138},
    {229, 143, 230, 144, 255, 248}, {38, 31, 110, 66, 250, 245},
    {210, 131, 217, 138, 181, 246}, {226, 142, 228, 143, 187, 144},
    {123, 73, 195, 248, 255, 246},  {172, 130, 180, 137, 181, 245},
    {186, 143, 187, 144, 255, 247}, {205, 168, 211, 132, 181, 138},
    {218, 175, 182, 138, 224, 247}, {220, 178, 222, 143, 187, 144},
    {177, 134, 183, 139, 182, 103}, {68, 67, 110, 103, 146, 102},
    {107, 65, 144, 101, 250, 245},  {43, 36, 115, 73, 116, 246},
    {199, 162, 212, 132, 182, 138}, {158, 108, 195, 109, 255, 247},
    {201, 164, 213, 133, 182, 139}, {168, 132, 175, 131, 181, 138},
    {34, 28, 71, 65, 151, 101},     {176, 133, 182, 139, 250, 246},
};

static const uint8_t safe_light_hues[IG_LANGUAGE_COLOURS][IG_SHADES] = {
    {26, 69, 25, 67, 239, 243},   {130, 137, 94, 138, 239, 243},
    {17, 25, 18, 60, 238, 59},    {52, 95, 238, 131, 240, 242},
    {126, 169, 89, 132, 239, 96}, {124, 167, 88, 131, 238, 95},
    {20, 27, 18, 61, 238, 60},    {89, 132, 53, 96, 238, 95},
    {29, 65, 23, 66, 239, 243},   {18, 25, 17, 60, 238, 241},
    {22, 64, 58, 65, 238, 242},   {19, 26, 18, 61, 238, 60},
    {24, 67, 23, 66, 238, 242},   {163, 170, 126, 133, 239, 96},
    {21, 27, 26, 62, 24, 60},     {63, 105, 61, 104, 60, 103},
    {97, 139, 60, 103, 239, 243}, {125, 168, 89, 132, 238, 95},
    {53, 96, 238, 60, 240, 242},  {131, 138, 95, 102, 239, 243},
    {91, 134, 54, 97, 238, 96},   {28, 64, 22, 65, 239, 243},
    {128, 171, 90, 133, 60, 96},  {96, 139, 60, 244, 239, 242},
};

/* Where there are 16 and 8 colours. Blue is too dark on black to come early. */
static const int8_t few_on_dark[IG_LANGUAGE_COLOURS][2] = {
    {12, 6}, {3, 3}, {2, 2},  {11, 5}, {1, 1}, {13, 4}, {5, 6},  {10, 2},
    {4, 4},  {7, 3}, {14, 6}, {9, 1},  {3, 3}, {13, 5}, {6, 6},  {1, 1},
    {14, 4}, {5, 5}, {2, 2},  {7, 7},  {4, 4}, {11, 3}, {10, 2}, {13, 5},
};

/* Yellow and cyan are too pale on white to come early. */
static const int8_t few_on_light[IG_LANGUAGE_COLOURS][2] = {
    {4, 4}, {1, 1},  {2, 2}, {5, 5}, {3, 3}, {12, 6}, {6, 6}, {13, 1},
    {9, 5}, {8, 2},  {4, 4}, {1, 1}, {2, 2}, {5, 5},  {3, 3}, {12, 6},
    {6, 6}, {13, 1}, {9, 5}, {8, 2}, {4, 4}, {1, 1},  {2, 2}, {5, 5},
};

/* --- on a dark background --------------------------------------------------------- */

static const ig_theme_table dark = {
    .text = {214, 217, 222},
    .ground = {18, 20, 26},
    .mixed = SAY(-1, -1, -1),
    .mixed_thin = SAY(246, 8, -1),
    .language = dark_hues,
    .few = few_on_dark,
    .colour =
        {
            [IG_COLOUR_DEFAULT] = SAY(-1, -1, -1),
            [IG_COLOUR_TEXT] = SAY(-1, -1, -1),
            [IG_COLOUR_DIM] = SAY(246, 8, -1),
            [IG_COLOUR_FRAME] = SAY(242, 8, -1),
            [IG_COLOUR_FOCUS] = SAY(75, 12, 6),
            [IG_COLOUR_ACCENT] = SAY(81, 14, 6),
            [IG_COLOUR_GOOD] = SAY(72, 10, 2),
            [IG_COLOUR_WARN] = SAY(214, 11, 3),
            [IG_COLOUR_BAD] = SAY(203, 9, 1),
            [IG_COLOUR_SELECTION] = SAY(24, 4, 4),
            [IG_COLOUR_CURSOR] = SAY(231, 15, 7),
            [IG_COLOUR_QUERY] = SAY(213, 13, 5),
            [IG_COLOUR_AWAY] = SAY(239, 8, -1),
            [IG_COLOUR_LINK] = SAY(245, 7, 7),
            /* Families: losses are cyan, spaces grey and sand, runs red. */
            [IG_COLOUR_TRAIN] = SAY(80, 14, 6),
            [IG_COLOUR_VALID] = SAY(37, 6, 6),
            [IG_COLOUR_ORIGINAL] = SAY(246, 8, -1),
            [IG_COLOUR_MEANING] = SAY(-1, -1, -1),
            [IG_COLOUR_OF_LANGUAGE] = SAY(180, 11, 3),
            [IG_COLOUR_RUN + 0] = SAY(204, 13, 5),
            [IG_COLOUR_RUN + 1] = SAY(224, 9, 1),
            [IG_COLOUR_RUN + 2] = SAY(199, 5, 5),
            [IG_COLOUR_RUN + 3] = SAY(212, 1, 1),
            [IG_COLOUR_RUN + 4] = SAY(174, 13, 5),
            [IG_COLOUR_RUN + 5] = SAY(169, 9, 1),
            [IG_COLOUR_RUN + 6] = SAY(217, 5, 5),
            [IG_COLOUR_RUN + 7] = SAY(167, 1, 1),
            [IG_COLOUR_INK] = SAY(-1, -1, -1),
            [IG_COLOUR_HEAT + 0] = SAY(17, 4, 4),
            [IG_COLOUR_HEAT + 1] = SAY(54, 4, 4),
            [IG_COLOUR_HEAT + 2] = SAY(90, 5, 5),
            [IG_COLOUR_HEAT + 3] = SAY(126, 5, 5),
            [IG_COLOUR_HEAT + 4] = SAY(167, 9, 1),
            [IG_COLOUR_HEAT + 5] = SAY(208, 9, 1),
            [IG_COLOUR_HEAT + 6] = SAY(214, 11, 3),
            [IG_COLOUR_HEAT + 7] = SAY(229, 15, 3),
            [IG_COLOUR_SCALE + 0] = SAY(62, 4, 4),
            [IG_COLOUR_SCALE + 1] = SAY(98, 12, 4),
            [IG_COLOUR_SCALE + 2] = SAY(134, 5, 5),
            [IG_COLOUR_SCALE + 3] = SAY(169, 13, 5),
            [IG_COLOUR_SCALE + 4] = SAY(203, 9, 1),
            [IG_COLOUR_SCALE + 5] = SAY(209, 3, 1),
            [IG_COLOUR_SCALE + 6] = SAY(215, 11, 3),
            [IG_COLOUR_SCALE + 7] = SAY(229, 15, 3),
        },
};

static const ig_theme_table contrast_dark = {
    .base = &dark,
    .text = {255, 255, 255},
    .ground = {0, 0, 0},
    .mixed = SAY(-1, -1, -1),
    .mixed_thin = SAY(250, 7, -1),
    .language = contrast_hues,
    .colour =
        {
            [IG_COLOUR_DIM] = SAY(250, 7, -1),
            [IG_COLOUR_FRAME] = SAY(247, 7, -1),
            [IG_COLOUR_FOCUS] = SAY(123, 14, 6),
            [IG_COLOUR_ACCENT] = SAY(87, 14, 6),
            [IG_COLOUR_GOOD] = SAY(114, 10, 2),
            [IG_COLOUR_WARN] = SAY(220, 11, 3),
            [IG_COLOUR_BAD] = SAY(210, 9, 1),
            [IG_COLOUR_SELECTION] = SAY(20, 4, 4),
            [IG_COLOUR_AWAY] = SAY(243, 8, -1),
            [IG_COLOUR_LINK] = SAY(250, 7, 7),
            [IG_COLOUR_TRAIN] = SAY(87, 14, 6),
            [IG_COLOUR_VALID] = SAY(44, 6, 6),
            [IG_COLOUR_ORIGINAL] = SAY(250, 8, -1),
            [IG_COLOUR_OF_LANGUAGE] = SAY(223, 11, 3),
            [IG_COLOUR_RUN + 0] = SAY(211, 13, 5),
            [IG_COLOUR_RUN + 1] = SAY(224, 9, 1),
            [IG_COLOUR_RUN + 2] = SAY(212, 5, 5),
            [IG_COLOUR_RUN + 3] = SAY(217, 1, 1),
            [IG_COLOUR_RUN + 4] = SAY(210, 13, 5),
            [IG_COLOUR_RUN + 5] = SAY(225, 9, 1),
            [IG_COLOUR_RUN + 6] = SAY(218, 5, 5),
            [IG_COLOUR_RUN + 7] = SAY(219, 1, 1),
        },
};

/* Good is blue and bad is orange, which every eye tells apart. */
static const ig_theme_table safe_dark = {
    .base = &dark,
    .text = {214, 217, 222},
    .ground = {18, 20, 26},
    .mixed = SAY(-1, -1, -1),
    .mixed_thin = SAY(246, 8, -1),
    .language = safe_dark_hues,
    .colour =
        {
            [IG_COLOUR_GOOD] = SAY(39, 12, 6),
            [IG_COLOUR_WARN] = SAY(220, 11, 3),
            [IG_COLOUR_BAD] = SAY(208, 3, 1),
            [IG_COLOUR_RUN + 0] = SAY(204, 13, 5),
            [IG_COLOUR_RUN + 1] = SAY(225, 9, 1),
            [IG_COLOUR_RUN + 2] = SAY(201, 5, 5),
            [IG_COLOUR_RUN + 3] = SAY(216, 1, 1),
            [IG_COLOUR_RUN + 4] = SAY(182, 13, 5),
            [IG_COLOUR_RUN + 5] = SAY(208, 9, 1),
            [IG_COLOUR_RUN + 6] = SAY(199, 5, 5),
            [IG_COLOUR_RUN + 7] = SAY(206, 1, 1),
        },
};

/* --- on a light background -------------------------------------------------------- */

static const ig_theme_table light = {
    .light = true,
    .text = {36, 41, 47},
    .ground = {255, 255, 255},
    .mixed = SAY(-1, -1, -1),
    .mixed_thin = SAY(243, 8, -1),
    .language = light_hues,
    .few = few_on_light,
    .colour =
        {
            [IG_COLOUR_DEFAULT] = SAY(-1, -1, -1),
            [IG_COLOUR_TEXT] = SAY(-1, -1, -1),
            [IG_COLOUR_DIM] = SAY(242, 8, -1),
            [IG_COLOUR_FRAME] = SAY(246, 8, -1),
            [IG_COLOUR_FOCUS] = SAY(25, 4, 4),
            [IG_COLOUR_ACCENT] = SAY(26, 4, 4),
            [IG_COLOUR_GOOD] = SAY(22, 2, 2),
            [IG_COLOUR_WARN] = SAY(130, 5, 5),
            [IG_COLOUR_BAD] = SAY(160, 1, 1),
            [IG_COLOUR_SELECTION] = SAY(153, 7, 7),
            [IG_COLOUR_CURSOR] = SAY(16, 0, 0),
            [IG_COLOUR_QUERY] = SAY(127, 5, 5),
            [IG_COLOUR_AWAY] = SAY(249, 7, -1),
            [IG_COLOUR_LINK] = SAY(244, 8, -1),
            [IG_COLOUR_TRAIN] = SAY(23, 4, 4),
            [IG_COLOUR_VALID] = SAY(24, 6, 6),
            [IG_COLOUR_ORIGINAL] = SAY(242, 8, -1),
            [IG_COLOUR_MEANING] = SAY(-1, -1, -1),
            [IG_COLOUR_OF_LANGUAGE] = SAY(94, 3, 3),
            [IG_COLOUR_RUN + 0] = SAY(161, 1, 1),
            [IG_COLOUR_RUN + 1] = SAY(52, 5, 5),
            [IG_COLOUR_RUN + 2] = SAY(95, 9, 1),
            [IG_COLOUR_RUN + 3] = SAY(89, 13, 5),
            [IG_COLOUR_RUN + 4] = SAY(124, 1, 1),
            [IG_COLOUR_RUN + 5] = SAY(163, 5, 5),
            [IG_COLOUR_RUN + 6] = SAY(126, 9, 1),
            [IG_COLOUR_RUN + 7] = SAY(88, 13, 5),
            [IG_COLOUR_INK] = SAY(-1, -1, -1),
            [IG_COLOUR_HEAT + 0] = SAY(230, 7, 7),
            [IG_COLOUR_HEAT + 1] = SAY(223, 7, 7),
            [IG_COLOUR_HEAT + 2] = SAY(216, 11, 3),
            [IG_COLOUR_HEAT + 3] = SAY(209, 11, 3),
            [IG_COLOUR_HEAT + 4] = SAY(167, 3, 3),
            [IG_COLOUR_HEAT + 5] = SAY(161, 9, 1),
            [IG_COLOUR_HEAT + 6] = SAY(125, 1, 1),
            [IG_COLOUR_HEAT + 7] = SAY(53, 5, 5),
            [IG_COLOUR_SCALE + 0] = SAY(136, 3, 3),
            [IG_COLOUR_SCALE + 1] = SAY(166, 9, 1),
            [IG_COLOUR_SCALE + 2] = SAY(161, 1, 1),
            [IG_COLOUR_SCALE + 3] = SAY(125, 13, 5),
            [IG_COLOUR_SCALE + 4] = SAY(90, 5, 5),
            [IG_COLOUR_SCALE + 5] = SAY(54, 12, 4),
            [IG_COLOUR_SCALE + 6] = SAY(18, 4, 4),
            [IG_COLOUR_SCALE + 7] = SAY(17, 0, 0),
        },
};

static const ig_theme_table contrast_light = {
    .base = &light,
    .light = true,
    .text = {0, 0, 0},
    .ground = {255, 255, 255},
    .mixed = SAY(-1, -1, -1),
    .mixed_thin = SAY(240, 8, -1),
    .colour =
        {
            [IG_COLOUR_DIM] = SAY(239, 8, -1),
            [IG_COLOUR_FRAME] = SAY(242, 8, -1),
            [IG_COLOUR_FOCUS] = SAY(18, 4, 4),
            [IG_COLOUR_ACCENT] = SAY(19, 4, 4),
            [IG_COLOUR_WARN] = SAY(88, 5, 5),
            [IG_COLOUR_BAD] = SAY(124, 1, 1),
            [IG_COLOUR_SELECTION] = SAY(228, 11, 3),
            [IG_COLOUR_QUERY] = SAY(90, 5, 5),
            [IG_COLOUR_AWAY] = SAY(245, 8, -1),
            [IG_COLOUR_LINK] = SAY(240, 8, -1),
            [IG_COLOUR_ORIGINAL] = SAY(239, 8, -1),
            [IG_COLOUR_OF_LANGUAGE] = SAY(94, 3, 3),
        },
};

static const ig_theme_table safe_light = {
    .base = &light,
    .light = true,
    .text = {36, 41, 47},
    .ground = {255, 255, 255},
    .mixed = SAY(-1, -1, -1),
    .mixed_thin = SAY(243, 8, -1),
    .language = safe_light_hues,
    .colour =
        {
            [IG_COLOUR_GOOD] = SAY(20, 4, 4),
            [IG_COLOUR_WARN] = SAY(94, 5, 5),
            [IG_COLOUR_BAD] = SAY(130, 1, 1),
            [IG_COLOUR_RUN + 0] = SAY(161, 1, 1),
            [IG_COLOUR_RUN + 1] = SAY(52, 5, 5),
            [IG_COLOUR_RUN + 2] = SAY(127, 9, 1),
            [IG_COLOUR_RUN + 3] = SAY(53, 13, 5),
            [IG_COLOUR_RUN + 4] = SAY(124, 1, 1),
            [IG_COLOUR_RUN + 5] = SAY(90, 5, 5),
            [IG_COLOUR_RUN + 6] = SAY(96, 9, 1),
            [IG_COLOUR_RUN + 7] = SAY(130, 13, 5),
        },
};

/* --- all of them ------------------------------------------------------------------ */

const ig_theme_table *ig_theme_find(ig_theme theme)
{
    static const ig_theme_table *const tables[IG_THEMES] = {
        [IG_THEME_DARK] = &dark,
        [IG_THEME_LIGHT] = &light,
        [IG_THEME_CONTRAST_DARK] = &contrast_dark,
        [IG_THEME_CONTRAST_LIGHT] = &contrast_light,
        [IG_THEME_SAFE_DARK] = &safe_dark,
        [IG_THEME_SAFE_LIGHT] = &safe_light,
    };

    return tables[theme >= 0 && theme < IG_THEMES ? theme : IG_THEME_DARK];
}
