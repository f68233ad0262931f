/* Cells as terminals with wcwidth's knowledge take them: a character and its marks. */
#ifndef TUI_CELLS_H
#define TUI_CELLS_H

#include <wchar.h>

#include "draw/canvas.h"

enum { IG_CELL_POINTS = 5 }; /* code points that curses keeps together */

/* A cell's grapheme as one text of its width, or, where the locale knows the parts of a
 * wide grapheme as narrow characters (flags, some vowel signs), as two of one column
 * each. Returns how many. Each begins with a character and goes on with marks only;
 * what was joined to it (emoji families) is left out, and what the locale cannot show
 * is '?'. */
int ig_cell_split(const ig_cell *cell, wchar_t out[2][IG_CELL_POINTS + 1]);

#endif
