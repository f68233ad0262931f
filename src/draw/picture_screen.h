/* A canvas as pixels: what a terminal would show, for pictures and moving pictures of
 * the screen. Lines, blocks and dots are drawn as shapes, so that they meet as they do
 * in a terminal; letters come from the typefaces of the machine, the monospaced one
 * first and then whichever knows the letter. */
#ifndef DRAW_PICTURE_SCREEN_H
#define DRAW_PICTURE_SCREEN_H

#include <stdint.h>

#include "draw/canvas.h"

enum { IG_SCREEN_CELL_WIDTH = 9, IG_SCREEN_CELL_HEIGHT = 18 }; /* pixels */

typedef struct ig_screen_picture {
    int width, height;     /* pixels: those of the cells and a margin */
    const uint32_t *pixel; /* (height, width) 0x00RRGGBB; bits above are not defined */
    struct ig_screen_pen *pen;
} ig_screen_picture;

/* A picture of a screen of so many cells, blank. IG_OK or IG_NOMEM; empty then. */
ig_status ig_screen_picture_init(ig_screen_picture *picture, int rows, int cols,
                                 ig_error *error);

/* Draw a canvas of that size; cells that are as they were are left alone. IG_OK,
 * IG_SHAPE (of another size) or IG_NOMEM. */
ig_status ig_screen_picture_draw(ig_screen_picture *picture, const ig_canvas *canvas,
                                 ig_error *error);

/* Write it as a PNG, complete or untouched. IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_screen_picture_write(const ig_screen_picture *picture, const char *path,
                                  ig_error *error);

/* A zeroed struct is accepted. */
void ig_screen_picture_free(ig_screen_picture *picture);

#endif
