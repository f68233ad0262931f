/* Glyphs: one ladder of four steps, for fonts and terminals that know less and less.
 *
 *   braille   a cell holds 2 × 4 dots
 *   blocks    a cell holds 2 × 2 quadrants
 *   halves    a cell holds 1 × 2 halves, each of which may have its own colour
 *   ascii     a cell holds 1 dot; nothing outside 7 bits is drawn (text of the data
 *             itself excepted: it is replaced by the terminal where it cannot be
 *             shown) */
#ifndef DRAW_GLYPHS_H
#define DRAW_GLYPHS_H

#include <stdint.h>

typedef enum ig_glyphs { IG_BRAILLE = 0, IG_BLOCKS, IG_HALVES, IG_ASCII } ig_glyphs;

enum { IG_GLYPHS = IG_ASCII + 1 };

/* Single-column glyphs, each with a 7-bit form. */
typedef enum ig_glyph {
    IG_GLYPH_SQUARE,      /* ■  #  legend, shown */
    IG_GLYPH_SQUARE_OPEN, /* □  -  legend, hidden */
    IG_GLYPH_CIRCLE,      /* ●  *  second series of a map, query */
    IG_GLYPH_CIRCLE_OPEN, /* ○  o  first series of a map */
    IG_GLYPH_CURSOR,      /* ◉  @  the cursor's point */
    IG_GLYPH_BULLET,      /* ·  .  between facts */
    IG_GLYPH_RUN,         /* ▸  >  training */
    IG_GLYPH_PAUSE,       /* ‖  = */
    IG_GLYPH_UP,          /* ▲  ^  best epoch, rising */
    IG_GLYPH_DOWN,        /* ▼  v  falling */
    IG_GLYPH_ARROW_LEFT,  /* ←  <  */
    IG_GLYPH_ARROW_RIGHT, /* →  >  */
    IG_GLYPH_ARROW_UP,    /* ↑  ^  */
    IG_GLYPH_ARROW_DOWN,  /* ↓  v  */
    IG_GLYPH_LINE,        /* ─  -  legend of a drawn line */
    IG_GLYPH_LINE_DASHED, /* ┄  .  legend of a dashed line */
    IG_GLYPH_VERTICAL,    /* │  |  separator */
    IG_GLYPH_CHECK,       /* ✓  +  done */
    IG_GLYPH_TRANSLATION, /* ✓  =  a translation among the neighbours */
    IG_GLYPH_ENTERED,     /* +  +  among the neighbours, and was not */
    IG_GLYPH_LEFT,        /* −  -  was among them, and no more */
    IG_GLYPH_ELLIPSIS,    /* …  ~  text goes on */
    IG_GLYPH_MINUS,       /* −  -  */
    IG_GLYPH_TIMES,       /* ×  x  */
    IG_GLYPH_COUNT
} ig_glyph;

/* The glyph's UTF-8 text at a step of the ladder. */
const char *ig_glyph_text(ig_glyphs level, ig_glyph glyph);

/* Dots of one cell: columns and rows. 2 × 4, 2 × 2, 1 × 2 or 1 × 1. */
int ig_glyphs_dot_cols(ig_glyphs level);
int ig_glyphs_dot_rows(ig_glyphs level);

/* Bit of the dot (x, y) of a cell, x and y from its upper left. */
unsigned ig_glyphs_dot_bit(ig_glyphs level, int x, int y);

/* The text of a cell of dots. `bits` as by ig_glyphs_dot_bit; 0 gives a blank. */
const char *ig_glyphs_dots(ig_glyphs level, unsigned bits, char out[5]);

/* The bits of a cell's text, or 0 when it is no cell of dots. */
unsigned ig_glyphs_bits(ig_glyphs level, const char *bytes, int length);

/* A horizontal bar's cell, filled `eighths` (0 … 8) from the left; 0: its track. */
const char *ig_glyphs_bar(ig_glyphs level, int eighths);

/* Arms of a line's cell. */
enum { IG_ARM_UP = 1, IG_ARM_RIGHT = 2, IG_ARM_DOWN = 4, IG_ARM_LEFT = 8 };

/* The line glyph with these arms (0: a blank). */
const char *ig_glyphs_line(ig_glyphs level, unsigned arms);

/* The arms of a cell's text, or 0 when it is no line. */
unsigned ig_glyphs_arms(const char *bytes, int length);

#endif
