/* The layout: sizes in, rectangles out. */
#include "draw/layout.h"

#include <string.h>

/* From these sizes of the screen on. */
enum {
    FLAT_ROWS = 20, /* flat: these at least, and FLAT columns a row or more */
    FLAT_COLS = 120,
    FLAT = 5,
    SEVERAL_ROWS = 16, /* several panels at once */
    SEVERAL_COLS = 60,
    MAIN_COLS = 44,    /* of the main panel at least, but 6 in 10 of all */
    LIST_ROWS = 17,    /* of a list along the width; more of very tall screens */
    STACKED_ROWS = 36, /* of a side whose tiles stand one above another */
    FRAME_ROWS = 6,    /* a body under this many rows or columns has no frame */
    FRAME_COLS = 12,
    HEADER_ROWS = 4 /* screens under this many rows have no header, 2 no footer */
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

static ig_rect top_of(ig_rect r, int rows)
{
    return (ig_rect){r.row, r.col, least(rows, r.rows), r.cols};
}

static ig_rect below(ig_rect r, int rows)
{
    return ig_rect_inset(r, rows, 0, 0, 0);
}

static ig_rect left_of(ig_rect r, int cols)
{
    return (ig_rect){r.row, r.col, r.rows, least(cols, r.cols)};
}

static ig_rect right_from(ig_rect r, int cols)
{
    return ig_rect_inset(r, 0, 0, 0, cols);
}

static ig_pane slot_of(ig_rect rect, unsigned edges)
{
    return (ig_pane){rect, ig_frame_inside(rect, edges), edges};
}

/* The header line, the body and the line of keys. */
static void place_lines(ig_layout *layout, int rows, int cols)
{
    int header = rows >= HEADER_ROWS, footer = rows >= 2;

    layout->header = (ig_rect){0, 0, header, cols};
    layout->body = (ig_rect){header, 0, rows - header - footer, cols};
    layout->footer = (ig_rect){rows - footer, 0, footer, cols};
}

/* The first above the other two, which stand side by side and share the line between
 * them. `open` leaves the lower edge to what comes below. */
static void place_tiles(ig_layout *layout, ig_rect area, bool open)
{
    int first = at_least(area.rows * 3 / 5, least(area.rows, 4));
    unsigned sides = IG_EDGE_JOIN | IG_EDGE_TOP | IG_EDGE_LEFT;
    unsigned bottom = open ? 0 : IG_EDGE_BOTTOM;
    ig_rect lower = below(area, first);

    layout->tile[0] = slot_of(top_of(area, first), sides | IG_EDGE_RIGHT);
    layout->tile[1] = slot_of(left_of(lower, lower.cols / 2), sides | bottom);
    layout->tile[2] =
        slot_of(right_from(lower, lower.cols / 2), sides | IG_EDGE_RIGHT | bottom);
}

/* The three one above another, the lines between them shared. */
static void stack_tiles(ig_layout *layout, ig_rect area)
{
    unsigned edges = IG_EDGE_JOIN | IG_EDGE_TOP | IG_EDGE_LEFT | IG_EDGE_RIGHT;

    for (int i = 0; i < IG_TILES; i++)
        layout->tile[i] = slot_of(ig_rect_down(area, i, IG_TILES, 0),
                                  i == IG_TILES - 1 ? edges | IG_EDGE_BOTTOM : edges);
}

static void place_alone(ig_layout *layout, ig_role role, bool tiled)
{
    ig_rect body = layout->body;
    bool framed = body.rows >= FRAME_ROWS && body.cols >= FRAME_COLS;
    unsigned edges = framed ? IG_EDGE_ALL : 0;

    layout->alone = true;
    if (role != IG_ROLE_SIDE || !tiled) {
        layout->role[role] = slot_of(body, edges);
        return;
    }
    layout->role[role] = slot_of(body, 0);
    if (framed && body.rows >= 30)
        stack_tiles(layout, body);
    else if (framed && body.rows >= 10 && body.cols >= 32)
        place_tiles(layout, body, false);
    else
        layout->tile[0] = slot_of(body, edges);
}

/* What stands beside the main panel. */
static void place_side(ig_layout *layout, ig_rect area, bool tiled, bool stacked,
                       bool open)
{
    unsigned edges = open ? IG_EDGE_ALL & ~(unsigned)IG_EDGE_BOTTOM : IG_EDGE_ALL;

    layout->role[IG_ROLE_SIDE] = slot_of(area, tiled ? 0 : edges);
    if (tiled && stacked)
        stack_tiles(layout, area);
    else if (tiled)
        place_tiles(layout, area, open);
}

/* Columns of the main panel over so many rows: about as wide as it is high (a cell is
 * twice as high as wide), between two parts in 100 of all. */
static int main_cols(int rows, int cols, int from, int to)
{
    return least(at_least(rows * 12 / 5, cols * from / 100), cols * to / 100);
}

/* Main panel and side above, the list along the whole width below. */
static void place_strip(ig_layout *layout, bool tiled)
{
    ig_rect body = layout->body;
    int most = at_least(LIST_ROWS, body.rows * 3 / 10);
    int list = at_least(least(body.rows * 2 / 5, most), 6);
    ig_rect upper = top_of(body, body.rows - list);
    int cols = main_cols(upper.rows, upper.cols, 50, 55);

    cols = at_least(cols, least(MAIN_COLS, upper.cols * 6 / 10));

    layout->role[IG_ROLE_MAIN] = slot_of(left_of(upper, cols), IG_EDGE_ALL);
    place_side(layout, right_from(upper, cols), tiled, upper.rows >= STACKED_ROWS,
               false);
    layout->role[IG_ROLE_LIST] = slot_of(below(body, body.rows - list), IG_EDGE_ALL);
}

/* The main panel at the left; side and list in a column at the right. */
static void place_flat(ig_layout *layout, bool tiled)
{
    ig_rect body = layout->body;
    int cols = main_cols(body.rows, body.cols, 40, 58);
    int rows = tiled ? body.rows / 2 : body.rows * 3 / 5;
    ig_rect column = right_from(body, cols);

    layout->role[IG_ROLE_MAIN] = slot_of(left_of(body, cols), IG_EDGE_ALL);
    place_side(layout, top_of(column, rows), tiled, false, true);
    layout->role[IG_ROLE_LIST] =
        slot_of(below(column, rows), IG_EDGE_JOIN | IG_EDGE_ALL);
}

ig_layout ig_layout_compute(int rows, int cols, ig_layout_settings settings)
{
    ig_layout layout;

    memset(&layout, 0, sizeof layout);
    rows = at_least(rows, 0);
    cols = at_least(cols, 0);
    place_lines(&layout, rows, cols);
    if (settings.expanded || rows < SEVERAL_ROWS || cols < SEVERAL_COLS)
        place_alone(&layout, settings.focus, settings.tiled);
    else if (rows >= FLAT_ROWS && cols >= FLAT_COLS && cols >= rows * FLAT)
        place_flat(&layout, settings.tiled);
    else
        place_strip(&layout, settings.tiled);
    return layout;
}

ig_role ig_layout_at(const ig_layout *layout, int row, int col)
{
    int i = 0;

    while (i < IG_ROLES && !ig_rect_has(layout->role[i].rect, row, col))
        i++;
    return (ig_role)i;
}
