/* Name labels of a map: near the centre of their points, hiding few points, without
 * overlaps. */
#ifndef DRAW_MAP_NAMES_H
#define DRAW_MAP_NAMES_H

#include "view/canvas.h"

/* The points of a name and its position. Zeroed: no points. */
struct ig_place {
    double row, col, points; /* sums over its points, in cells of the rectangle … */
    double square; /* … and of (2·row)² + col²; row and col are means once the name
                      is drawn */
    int at_row, at_col, width;
    bool placed, tried;
};

/* Add the points of another place. */
void ig_place_add(struct ig_place *to, const struct ig_place *place);

/* Mean squared distance of the points from their centre, in cell widths. The name must
 * not be drawn yet. */
double ig_place_spread(const struct ig_place *place);

/* State of name placement on a map. */
typedef struct ig_map_names {
    ig_canvas *canvas;
    ig_rect rect;
    struct ig_place *place; /* (keys) all that may be named */
    size_t keys;
    const uint32_t *bits; /* (rows, cols) points where bits & mask */
    uint32_t mask;
    int room;     /* columns left for names */
    int dot_cost; /* columns a name moves rather than hide a cell */
} ig_map_names;

/* Start without names. Arrays are borrowed. */
ig_map_names ig_map_names_on(ig_canvas *canvas, ig_rect rect, struct ig_place *place,
                             size_t keys, const uint32_t *bits, uint32_t mask);

/* Draw the name of a whole series near its points; it may cover points. */
void ig_map_names_one(ig_map_names *names, struct ig_place *place, const char *name);

/* Draw the names of categories whose spread is at most `most`, largest first, as long
 * as the points stay visible; after the first ones only names that hide no points.
 * place, name and colour: (categories); colour NULL: language colours. */
void ig_map_names_each(ig_map_names *names, struct ig_place *place, size_t categories,
                       const char *const *name, const uint8_t *colour, double most);

#endif
