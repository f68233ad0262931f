/* What terminals are and answer: backgrounds, graphics; and images on those that have
 * sixel or kitty's graphics, by libchafa. */
#ifndef TUI_GRAPHICS_H
#define TUI_GRAPHICS_H

#include "view/pixels.h"

/* Whether terminals of this type (TERM, or NULL) take the sequences that ask for the
 * background and set the clipboard, or pass over them. Others would show them. */
bool ig_terminal_knows_osc(const char *type);

/* The theme of a background, or -1: by an answer without its ESC ] and its end
 * ("11;rgb:ffff/ffff/ffff"), with its colour, and by COLORFGBG ("15;0", "15;default;0"
 * or NULL). */
int ig_theme_of_answer(const char *answer, unsigned char rgb[3]);
int ig_theme_of_variable(const char *value);

enum { IG_KEYS_KEPT = 128 }; /* curses keeps 137 */

typedef struct ig_answers {
    int theme;                   /* of the background, or -1: no answer */
    unsigned char ground[3];     /* its colour */
    bool kitty, sixel;           /* graphics that it has, with libchafa */
    int cell_width, cell_height; /* pixels, or 0 */
    char keys[IG_KEYS_KEPT];     /* pressed meanwhile */
} ig_answers;

/* Ask the terminal (stdin, stdout) for its background and, if wanted, graphics: kitty's
 * not through multiplexers, which take the question for a title. 150 ms. */
void ig_query(ig_answers *answers, bool graphics, bool kitty_too);

/* Send image `number` to stdout, in place of the one before. The cursor stays. With
 * kitty's protocol it is under the text; sixels replace the text. */
void ig_graphics_send(const ig_pixels *pixels, size_t number, bool kitty);

#endif
