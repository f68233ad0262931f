/* Name labels of a map. */
#include "view/map_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* Maximum distance of a name from the centre of its points. */
enum {
    LABEL_ROWS = 8,
    LABEL_COLS = 30,
    NAMES_SHARE = 8, /* at most one cell in so many is covered by names */
    MOST_NAMES = 64, /* per series */
    NAMES_OVER = 16  /* may cover points */
};

ig_map_names ig_map_names_on(ig_canvas *canvas, ig_rect rect, struct ig_place *place,
                             size_t keys, const uint32_t *bits, uint32_t mask)
{
    return (ig_map_names){.canvas = canvas,
                          .rect = rect,
                          .place = place,
                          .keys = keys,
                          .bits = bits,
                          .mask = mask,
                          .dot_cost = 4,
                          .room = rect.rows * rect.cols / NAMES_SHARE};
}

void ig_place_add(struct ig_place *to, const struct ig_place *place)
{
    to->row += place->row;
    to->col += place->col;
    to->points += place->points;
    to->square += place->square;
}

double ig_place_spread(const struct ig_place *p)
{
    return (p->square - (4 * p->row * p->row + p->col * p->col) / p->points) /
           p->points;
}

/* True if points are in a cell of the rectangle. */
static bool is_covered(const ig_map_names *names, int row, int col)
{
    return names->bits[(size_t)row * (size_t)names->rect.cols + (size_t)col] &
           names->mask;
}

/* Cost of a name of `width` at (row, col): its displacement plus a penalty for covered
 * dots; infinite outside and over other names. */
static double cost_of(const ig_map_names *names, const struct ig_place *place, int row,
                      int col)
{
    double down = row - place->row,
           across = col + (place->width - 1) / 2.0 - place->col;
    double cost = fabs(down) * 2 + fabs(across);

    if (row < 0 || row >= names->rect.rows || col < 0 ||
        col + place->width > names->rect.cols)
        return INFINITY;
    for (size_t key = 0; key < names->keys; key++) {
        const struct ig_place *other = &names->place[key];

        if (other->placed && other->at_row == row &&
            col <= other->at_col + other->width && other->at_col <= col + place->width)
            return INFINITY;
    }
    for (int i = -1; i <= place->width; i++) {
        if (col + i < 0 || col + i >= names->rect.cols)
            continue;
        if (is_covered(names, row, col + i))
            cost += i < 0 || i == place->width ? 0.5 : names->dot_cost;
    }
    return cost;
}

static bool covers_points(const ig_map_names *names, const struct ig_place *place)
{
    for (int i = 0; i < place->width; i++)
        if (is_covered(names, place->at_row, place->at_col + i))
            return true;
    return false;
}

/* Draw a name at its cheapest position; `over`: covering points is allowed. */
static void draw_name(ig_map_names *names, struct ig_place *place, const char *name,
                      ig_style style, bool over)
{
    int row0, col0;
    double best = INFINITY;

    place->width = ig_text_columns(name);
    if (place->width == 0 || place->width > names->rect.cols)
        return;
    place->row /= place->points;
    place->col /= place->points;
    row0 = (int)lround(place->row);
    col0 = (int)lround(place->col - (place->width - 1) / 2.0);
    for (int row = row0 - LABEL_ROWS; row <= row0 + LABEL_ROWS; row++) {
        for (int col = col0 - LABEL_COLS; col <= col0 + LABEL_COLS; col++) {
            /* The distance is a lower bound of the cost: most positions are skipped. */
            if (fabs(row - place->row) * 2 + abs(col - col0) - 1 < best) {
                double cost = cost_of(names, place, row, col);

                if (cost < best) {
                    best = cost;
                    place->at_row = row;
                    place->at_col = col;
                }
            }
        }
    }
    if (best == INFINITY || (!over && covers_points(names, place)))
        return;
    place->placed = true;
    names->room -= place->width;
    ig_canvas_text(names->canvas, names->rect.row + place->at_row,
                   names->rect.col + place->at_col, place->width, name, style);
}

/* The category with most points whose name is pending and whose spread is at most
 * `most`; `categories` if none. */
static size_t next_category(const struct ig_place *place, size_t categories,
                            const char *const *name, double most)
{
    size_t best = categories;

    for (size_t c = 0; c < categories; c++)
        if (!place[c].tried && place[c].points > 0 && name[c] &&
            ig_place_spread(&place[c]) <= most &&
            (best == categories || place[c].points > place[best].points))
            best = c;
    return best;
}

void ig_map_names_each(ig_map_names *names, struct ig_place *place, size_t categories,
                       const char *const *name, const uint8_t *colour, double most)
{
    for (int i = 0; i < MOST_NAMES && names->room > 0; i++) {
        size_t c = next_category(place, categories, name, most);

        if (c == categories)
            return;
        place[c].tried = true;
        draw_name(names, &place[c], name[c],
                  ig_style_of(colour ? colour[c] : ig_colour_language(c), IG_BOLD),
                  i < NAMES_OVER);
    }
}

void ig_map_names_one(ig_map_names *names, struct ig_place *place, const char *name)
{
    draw_name(names, place, name, ig_style_of(IG_COLOUR_TEXT, IG_BOLD), true);
}
