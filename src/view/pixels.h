/* Maps in pixels, for terminals with graphics: images under the text of a canvas. */
#ifndef DRAW_PIXELS_H
#define DRAW_PIXELS_H

#include "view/canvas.h"

enum { IG_PLANES = 2 };

/* The image of one map. */
typedef struct ig_plane {
    ig_rect rect;      /* the cells that it covers */
    int width, height; /* pixels */
    uint8_t *rgba;     /* (height, width, 4) */
    size_t capacity;
} ig_plane;

/* The images of a frame. Zeroed: none. */
typedef struct ig_pixels {
    int cell_width, cell_height; /* pixels; width 0: the terminal has no graphics */
    uint8_t ground[3];           /* colour behind the points */
    ig_plane plane[IG_PLANES];   /* (planes) */
    size_t planes;
} ig_pixels;

void ig_pixels_free(ig_pixels *pixels);

/* Begin the next image of the frame, blank. False: no memory, no more, or no cells. */
bool ig_pixels_begin(ig_pixels *pixels, ig_rect rect);

/* The image begun last, or NULL: none. */
static inline ig_plane *ig_pixels_plane(ig_pixels *pixels)
{
    return pixels && pixels->planes ? &pixels->plane[pixels->planes - 1] : NULL;
}

/* A disc, or with a `hole` of some radius a ring; in pixels from the upper left. */
typedef struct ig_spot {
    double x, y, radius, hole, alpha;
    uint8_t rgb[3];
} ig_spot;

/* Draw it, antialiased and clipped. */
void ig_plane_draw(ig_plane *plane, const ig_spot *spot);

#endif
