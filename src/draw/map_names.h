/* The names on a map: each near the middle of its points, where it hides few of them,
 * never one over another. */
#ifndef DRAW_MAP_NAMES_H
#define DRAW_MAP_NAMES_H

#include "draw/canvas.h"

/* The points of a name, and where it stands. Zeroed: no points. */
struct ig_place {
    double row, col, points; /* sums over its points, in cells of the rectangle … */
    double square; /* … and of (2·row)² + col²; once its name is drawn, row
                                and col are means */
    int at_row, at_col, width;
    bool placed, tried;
};

/* Add the points of another one. */
void ig_place_add(struct ig_place *to, const struct ig_place *place);

/* Mean squared distance of its points from their middle, in cell widths; of one without
 * a name drawn, with points. */
double ig_place_spread(const struct ig_place *place);

/* The map that names are drawn on. */
typedef struct ig_map_names {
    ig_canvas *canvas;
    ig_rect rect;
    struct ig_place *place; /* (keys) all that names can stand for */
    size_t keys;
    const uint32_t *bits; /* (rows · high, cols) not 0 under `mask`: points are there */
    uint32_t mask;
    int high; /* rows of `bits` in a row of cells */
    int room; /* columns that names may still take */
} ig_map_names;

/* A map without names as yet; the arrays are the caller's. */
ig_map_names ig_map_names_on(ig_canvas *canvas, ig_rect rect, struct ig_place *place,
                             size_t keys, const uint32_t *bits, uint32_t mask,
                             int high);

/* The one name of a whole series, at a place of the map with its points; even over
 * points. */
void ig_map_names_one(ig_map_names *names, struct ig_place *place, const char *name);

/* The names of a series' categories whose spread is at most `most`: the largest first,
 * so many that the points are seen; after the first ones only names that hide none.
 * place, name and colour: (categories); NULL for the colours of languages. */
void ig_map_names_each(ig_map_names *names, struct ig_place *place, size_t categories,
                       const char *const *name, const uint8_t *colour, double most);

#endif
