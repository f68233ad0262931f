/* Screen layout: a pure function of size and settings. */
#include "view/layout.h"

/* Minimum sizes of the screen. */
enum {
    SEVERAL_ROWS = 16, /* for several panels at once */
    SEVERAL_COLS = 60,
    MAIN_COLS = 41,    /* of the main panel, if this remains … */
    SIDE_COLS = 30,    /* … for the side */
    LIST_ROWS = 17,    /* of a full-width list; more on very tall screens */
    STACKED_ROWS = 36, /* of a side with stacked tiles … */
    STACKED_ALONE = 30 /* … if it is alone */
};

static ig_pane slot_of(ig_rect rect, unsigned edges)
{
    return (ig_pane){rect, ig_frame_inside(rect, edges), edges};
}

/* Place the tiles of an area with shared borders: from `tall` rows on one above the
 * other, else the first above two that are next to each other. */
static void place_tiles(ig_layout *layout, ig_rect area, int tall)
{
    bool stacked = area.rows >= tall;
    int first = stacked ? area.rows / IG_TILES
                        : ig_max_int(ig_min_int(area.rows * 3 / 5, area.rows - 6),
                                     ig_min_int(area.rows, 4));
    unsigned sides = IG_EDGE_JOIN | IG_EDGE_TOP | IG_EDGE_LEFT;
    ig_rect rest = ig_rect_inset(area, first, 0, 0, 0);
    int rows = rest.rows / 2, cols = (rest.cols - 1) / 2;

    layout->tile[0] =
        slot_of(ig_rect_inset(area, 0, 0, rest.rows, 0), sides | IG_EDGE_RIGHT);
    if (stacked) {
        layout->tile[1] = slot_of(ig_rect_inset(rest, 0, 0, rest.rows - rows, 0),
                                  sides | IG_EDGE_RIGHT);
        rest = ig_rect_inset(rest, rows, 0, 0, 0);
    } else { /* the right edge is the last one's */
        layout->tile[1] = slot_of(ig_rect_inset(rest, 0, rest.cols - cols, 0, 0),
                                  sides | IG_EDGE_BOTTOM);
        rest = ig_rect_inset(rest, 0, 0, 0, cols);
    }
    layout->tile[2] = slot_of(rest, sides | IG_EDGE_RIGHT | IG_EDGE_BOTTOM);
}

static void place_alone(ig_layout *layout, ig_role role, bool tiled)
{
    ig_rect body = layout->body;

    tiled = tiled && role == IG_ROLE_SIDE;
    layout->role[role] = slot_of(body, tiled ? 0 : IG_EDGE_ALL);
    if (tiled)
        place_tiles(layout, body, STACKED_ALONE);
}

/* Main panel and side at the top, the list across the full width below. The main panel
 * is about square: a cell is twice as high as wide. */
static void place_all(ig_layout *layout, bool tiled, int below)
{
    ig_rect body = layout->body;
    int most = ig_max_int(LIST_ROWS, body.rows * 3 / 10);
    int list = ig_max_int(ig_min_int(body.rows * 2 / 5, most), 6) + below;
    ig_rect upper = ig_rect_inset(body, 0, 0, list, 0), side;
    int cols = ig_max_int(upper.rows * 12 / 5, upper.cols / 2);

    cols = ig_max_int(ig_min_int(cols, upper.cols * 55 / 100),
                      ig_min_int(MAIN_COLS, upper.cols - SIDE_COLS));
    side = ig_rect_inset(upper, 0, 0, 0, cols);
    layout->role[IG_ROLE_MAIN] =
        slot_of(ig_rect_inset(upper, 0, upper.cols - cols, 0, 0), IG_EDGE_ALL);
    layout->role[IG_ROLE_SIDE] = slot_of(side, tiled ? 0 : IG_EDGE_ALL);
    layout->role[IG_ROLE_LIST] =
        slot_of(ig_rect_inset(body, body.rows - list, 0, 0, 0), IG_EDGE_ALL);
    if (tiled)
        place_tiles(layout, side, STACKED_ROWS);
}

ig_layout ig_layout_compute(int rows, int cols, ig_layout_settings settings)
{
    ig_layout layout = {.header = {0, 0, rows >= IG_MIN_ROWS, cols},
                        .footer = {rows - (rows > 3), 0, rows > 3, cols}};

    layout.body = (ig_rect){layout.header.rows, 0,
                            layout.footer.row - layout.header.rows,
                            ig_max_int(cols, IG_MIN_COLS)};
    if (settings.expanded || rows < SEVERAL_ROWS || cols < SEVERAL_COLS)
        place_alone(&layout, settings.focus, settings.tiled);
    else
        place_all(&layout, settings.tiled, settings.below);
    return layout;
}

ig_role ig_layout_at(const ig_layout *layout, int row, int col)
{
    for (int i = 0; i < IG_ROLES; i++)
        if (ig_rect_has(layout->role[i].rect, row, col))
            return (ig_role)i;
    return IG_ROLES;
}

size_t ig_scroll(size_t offset, long selected, size_t lines, size_t page)
{
    size_t row = (size_t)selected; /* none: beyond all */

    if (page == 0 || lines <= page)
        return 0;
    if (row < lines)
        offset = row < offset ? row : row < offset + page ? offset : row - page + 1;
    return offset < lines - page ? offset : lines - page;
}
