/* The glyphs of each step of the ladder, as tables. */
#include "draw/glyphs.h"

#include <string.h>

static const char *const texts[IG_GLYPH_COUNT][2] = {
    [IG_GLYPH_SQUARE] = {"■", "#"},      [IG_GLYPH_SQUARE_OPEN] = {"□", "-"},
    [IG_GLYPH_CIRCLE] = {"●", "*"},      [IG_GLYPH_CIRCLE_OPEN] = {"○", "o"},
    [IG_GLYPH_CURSOR] = {"◉", "@"},      [IG_GLYPH_BULLET] = {"·", "."},
    [IG_GLYPH_RUN] = {"▸", ">"},         [IG_GLYPH_PAUSE] = {"‖", "="},
    [IG_GLYPH_UP] = {"▲", "^"},          [IG_GLYPH_DOWN] = {"▼", "v"},
    [IG_GLYPH_ARROW_LEFT] = {"←", "<"},  [IG_GLYPH_ARROW_RIGHT] = {"→", ">"},
    [IG_GLYPH_ARROW_UP] = {"↑", "^"},    [IG_GLYPH_ARROW_DOWN] = {"↓", "v"},
    [IG_GLYPH_LINE] = {"─", "-"},        [IG_GLYPH_LINE_DASHED] = {"┄", "."},
    [IG_GLYPH_VERTICAL] = {"│", "|"},    [IG_GLYPH_CHECK] = {"✓", "+"},
    [IG_GLYPH_TRANSLATION] = {"✓", "="}, [IG_GLYPH_ENTERED] = {"+", "+"},
    [IG_GLYPH_LEFT] = {"−", "-"},        [IG_GLYPH_ELLIPSIS] = {"…", "~"},
    [IG_GLYPH_MINUS] = {"−", "-"},       [IG_GLYPH_TIMES] = {"×", "x"},
};

/* By bits: 1 upper left, 2 upper right, 4 lower left, 8 lower right. */
static const char *const quadrants[16] = {" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
                                          "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};

/* By bits: 1 upper, 2 lower. */
static const char *const halves[4] = {" ", "▀", "▄", "█"};

/* By arms: 1 up, 2 right, 4 down, 8 left. */
static const char *const lines[16] = {" ", "╵", "╶", "└", "╷", "│", "┌", "├",
                                      "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"};

const char *ig_glyph_text(ig_glyphs level, ig_glyph glyph)
{
    return texts[glyph][level == IG_ASCII];
}

int ig_glyphs_dot_cols(ig_glyphs level)
{
    return level >= IG_HALVES ? 1 : 2;
}

int ig_glyphs_dot_rows(ig_glyphs level)
{
    return level == IG_BRAILLE ? 4 : level == IG_ASCII ? 1 : 2;
}

unsigned ig_glyphs_dot_bit(ig_glyphs level, int x, int y)
{
    /* Unicode numbers the upper six dots by column and the lowest two by row. */
    static const unsigned char braille[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};

    switch (level) {
    case IG_BRAILLE:
        return braille[y & 3][x & 1];
    case IG_BLOCKS:
        return 1u << ((y & 1) * 2 + (x & 1));
    case IG_HALVES:
        return 1u << (y & 1);
    default:
        return 1;
    }
}

const char *ig_glyphs_dots(ig_glyphs level, unsigned bits, char out[5])
{
    if (bits == 0)
        return strcpy(out, " ");
    if (level == IG_BLOCKS)
        return strcpy(out, quadrants[bits & 15]);
    if (level == IG_HALVES)
        return strcpy(out, halves[bits & 3]);
    if (level == IG_ASCII)
        return strcpy(out, "*");
    out[0] = '\xe2';
    out[1] = (char)(0xa0 | (bits >> 6 & 3));
    out[2] = (char)(0x80 | (bits & 63));
    out[3] = '\0';
    return out;
}

unsigned ig_glyphs_bits(ig_glyphs level, const char *bytes, int length)
{
    if (length != 3 || bytes[0] != '\xe2')
        return 0;
    if (level == IG_BRAILLE && ((unsigned char)bytes[1] & 0xfc) == 0xa0)
        return ((unsigned)bytes[1] & 3) << 6 | ((unsigned)bytes[2] & 63);
    for (unsigned bits = 1; level == IG_BLOCKS && bits < 16; bits++) {
        if (memcmp(bytes, quadrants[bits], 3) == 0)
            return bits;
    }
    for (unsigned bits = 1; level == IG_HALVES && bits < 4; bits++) {
        if (memcmp(bytes, halves[bits], 3) == 0)
            return bits;
    }
    return 0;
}

const char *ig_glyphs_bar(ig_glyphs level, int eighths)
{
    static const char *const bars[9] = {"░", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

    eighths = eighths < 0 ? 0 : eighths > 8 ? 8 : eighths;
    if (level == IG_ASCII)
        return eighths >= 4 ? "#" : ".";
    return bars[eighths];
}

const char *ig_glyphs_line(ig_glyphs level, unsigned arms)
{
    arms &= 15;
    if (level != IG_ASCII)
        return lines[arms];
    if (arms == 0)
        return " ";
    if ((arms & ~(unsigned)(IG_ARM_UP | IG_ARM_DOWN)) == 0)
        return "|";
    if ((arms & ~(unsigned)(IG_ARM_LEFT | IG_ARM_RIGHT)) == 0)
        return "-";
    return "+";
}

unsigned ig_glyphs_arms(const char *bytes, int length)
{
    if (length == 1) {
        switch (bytes[0]) {
        case '|':
            return IG_ARM_UP | IG_ARM_DOWN;
        case '-':
            return IG_ARM_LEFT | IG_ARM_RIGHT;
        case '+':
            return 15;
        default:
            return 0;
        }
    }
    for (unsigned arms = 1; length == 3 && arms < 16; arms++) {
        if (memcmp(bytes, lines[arms], 3) == 0)
            return arms;
    }
    return 0;
}
