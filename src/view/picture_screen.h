/* Renders a canvas to pixels, as a terminal would show it, for screenshots and
 * recordings. Lines, blocks and dots are drawn as shapes that connect; letters use the
 * system's monospaced typeface, then any typeface that has them. */
#ifndef DRAW_PICTURE_SCREEN_H
#define DRAW_PICTURE_SCREEN_H

#include <stdint.h>

#include "view/canvas.h"

enum { IG_SCREEN_CELL_WIDTH = 9, IG_SCREEN_CELL_HEIGHT = 18 }; /* pixels */

typedef struct ig_screen_picture {
    int width, height;     /* pixels, including a margin */
    const uint32_t *pixel; /* (height, width) 0x00RRGGBB; upper bits undefined */
    struct ig_screen_pen *pen;
} ig_screen_picture;

/* A blank picture for a screen of rows × cols cells. IG_OK or IG_NOMEM; empty then. */
ig_status ig_screen_picture_init(ig_screen_picture *picture, int rows, int cols,
                                 ig_error *error);

/* Draw a canvas of that size; unchanged cells are skipped. IG_OK, IG_SHAPE (size
 * differs) or IG_NOMEM. */
ig_status ig_screen_picture_draw(ig_screen_picture *picture, const ig_canvas *canvas,
                                 ig_error *error);

/* Write a PNG file atomically. IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_screen_picture_write(const ig_screen_picture *picture, const char *path,
                                  ig_error *error);

/* A zeroed struct is accepted. */
void ig_screen_picture_free(ig_screen_picture *picture);

#endif
