/* The layout: sizes in, rectangles out. */
#include "draw/layout.h"

#include <string.h>

/* From these sizes of the screen on. */
enum {
    TALL_ROWS = 45,
    TALL_COLS = 160,
    WIDE_ROWS = 20,
    WIDE_COLS = 100,
    NARROW_ROWS = 16,
    NARROW_COLS = 60,
    FRAME_ROWS = 6, /* a body under this many rows or columns has no frame */
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

static ig_slot slot_of(ig_rect rect, unsigned edges)
{
    return (ig_slot){rect, ig_frame_inside(rect, edges), edges};
}

/* The header line, the body and the line of keys. */
static void place_lines(ig_layout *layout, int rows, int cols)
{
    int header = rows >= HEADER_ROWS, footer = rows >= 2;

    layout->header = (ig_rect){0, 0, header, cols};
    layout->body = (ig_rect){header, 0, rows - header - footer, cols};
    layout->footer = (ig_rect){rows - footer, 0, footer, cols};
}

/* Loss above alignment and uniformity side by side. The two share the line between
 * them, which belongs to uniformity; `open` leaves the lower edge to what comes
 * below. */
static void place_plots(ig_layout *layout, ig_rect area, bool open)
{
    int loss = at_least(area.rows * 3 / 5, least(area.rows, 4));
    unsigned bottom = open ? 0 : IG_EDGE_BOTTOM;
    ig_rect lower = below(area, loss);
    ig_rect alignment = left_of(lower, lower.cols / 2);

    layout->plot[IG_PLOT_LOSS] = slot_of(
        top_of(area, loss), IG_EDGE_JOIN | IG_EDGE_TOP | IG_EDGE_LEFT | IG_EDGE_RIGHT);
    layout->plot[IG_PLOT_ALIGNMENT] =
        slot_of(alignment, IG_EDGE_JOIN | IG_EDGE_TOP | IG_EDGE_LEFT | bottom);
    layout->plot[IG_PLOT_UNIFORMITY] =
        slot_of(right_from(lower, lower.cols / 2), IG_EDGE_JOIN | IG_EDGE_ALL);
    if (open)
        layout->plot[IG_PLOT_UNIFORMITY] =
            slot_of(right_from(lower, lower.cols / 2),
                    IG_EDGE_JOIN | IG_EDGE_TOP | IG_EDGE_LEFT | IG_EDGE_RIGHT);
}

/* The three plots one above another, the lines between them shared. */
static void stack_plots(ig_layout *layout, ig_rect area)
{
    for (int i = 0; i < IG_PLOTS; i++) {
        unsigned edges = IG_EDGE_JOIN | IG_EDGE_TOP | IG_EDGE_LEFT | IG_EDGE_RIGHT;

        layout->plot[i] = slot_of(ig_rect_down(area, i, IG_PLOTS, 0),
                                  i == IG_PLOTS - 1 ? edges | IG_EDGE_BOTTOM : edges);
    }
}

static void place_alone(ig_layout *layout, ig_panel panel)
{
    ig_rect body = layout->body;
    bool framed = body.rows >= FRAME_ROWS && body.cols >= FRAME_COLS;
    unsigned edges = framed ? IG_EDGE_ALL : 0;

    layout->alone = true;
    if (panel != IG_PANEL_CURVES) {
        layout->panel[panel] = slot_of(body, edges);
        return;
    }
    layout->panel[panel] = slot_of(body, 0);
    if (!framed)
        layout->plot[IG_PLOT_LOSS] = slot_of(body, 0);
    else if (body.rows >= 30)
        stack_plots(layout, body);
    else if (body.rows >= 10 && body.cols >= 32)
        place_plots(layout, body, false);
    else
        layout->plot[IG_PLOT_LOSS] = slot_of(body, edges);
}

static bool is_side(ig_panel panel)
{
    return panel == IG_PANEL_LEAKAGE || panel == IG_PANEL_SENTENCES;
}

static bool is_list(ig_panel panel)
{
    return panel == IG_PANEL_NEIGHBOURS || panel == IG_PANEL_RUNS ||
           panel == IG_PANEL_DATA;
}

/* What stands beside the map: the curves, or what has taken their place. */
static void place_side(ig_layout *layout, ig_panel side, ig_rect area, bool stacked,
                       bool open)
{
    unsigned edges = open ? IG_EDGE_ALL & ~(unsigned)IG_EDGE_BOTTOM : IG_EDGE_ALL;

    layout->panel[side] = slot_of(area, side == IG_PANEL_CURVES ? 0 : edges);
    if (side != IG_PANEL_CURVES)
        return;
    if (stacked)
        stack_plots(layout, area);
    else
        place_plots(layout, area, open);
}

/* Map and curves above, the list along the whole width below. */
static void place_strip(ig_layout *layout, ig_panel side, ig_panel list, int list_rows,
                        bool stacked)
{
    ig_rect upper = top_of(layout->body, layout->body.rows - list_rows);
    int map_cols = layout->body.cols * 3 / 5;

    layout->panel[IG_PANEL_MAP] = slot_of(left_of(upper, map_cols), IG_EDGE_ALL);
    place_side(layout, side, right_from(upper, map_cols), stacked, false);
    layout->panel[list] =
        slot_of(below(layout->body, layout->body.rows - list_rows), IG_EDGE_ALL);
}

/* The map at the left; curves and the list in a column at the right. */
static void place_wide(ig_layout *layout, ig_panel side, ig_panel list)
{
    ig_rect body = layout->body;
    int map_cols = body.cols * 58 / 100;
    int rows = side == IG_PANEL_CURVES ? body.rows / 2 : body.rows * 3 / 5;
    ig_rect column = right_from(body, map_cols);

    layout->panel[IG_PANEL_MAP] = slot_of(left_of(body, map_cols), IG_EDGE_ALL);
    place_side(layout, side, top_of(column, rows), false, true);
    layout->panel[list] = slot_of(below(column, rows), IG_EDGE_JOIN | IG_EDGE_ALL);
}

void ig_layout_focus(ig_layout_settings *settings, ig_panel panel)
{
    settings->focus = panel;
    if (is_list(panel))
        settings->list = panel;
    if (is_side(panel))
        settings->side = panel;
    else if (panel != IG_PANEL_MAP && panel != IG_PANEL_NEIGHBOURS)
        settings->side = IG_PANEL_CURVES;
}

ig_layout ig_layout_compute(int rows, int cols, ig_layout_settings settings)
{
    ig_layout layout;

    memset(&layout, 0, sizeof layout);
    rows = at_least(rows, 0);
    cols = at_least(cols, 0);
    place_lines(&layout, rows, cols);
    if (settings.focus < IG_PANELS)
        ig_layout_focus(&settings, settings.focus);
    else
        settings.focus = IG_PANEL_MAP;
    if (!is_list(settings.list))
        settings.list = IG_PANEL_NEIGHBOURS;
    if (!is_side(settings.side))
        settings.side = IG_PANEL_CURVES;
    if (settings.expanded || rows < NARROW_ROWS || cols < NARROW_COLS)
        place_alone(&layout, settings.focus);
    else if (rows >= TALL_ROWS && cols >= TALL_COLS)
        place_strip(&layout, settings.side, settings.list, layout.body.rows * 3 / 10,
                    true);
    else if (rows >= WIDE_ROWS && cols >= WIDE_COLS)
        place_wide(&layout, settings.side, settings.list);
    else
        place_strip(&layout, settings.side, settings.list,
                    at_least(layout.body.rows * 2 / 5, 6), false);
    return layout;
}

ig_panel ig_layout_at(const ig_layout *layout, int row, int col)
{
    for (int i = 0; i < IG_PANELS; i++) {
        if (ig_rect_has(layout->panel[i].rect, row, col))
            return (ig_panel)i;
    }
    return IG_PANELS;
}
