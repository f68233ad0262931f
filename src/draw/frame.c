/* Frames: lines around a rectangle that meet the lines beside them. */
#include <string.h>

#include "base/text.h"
#include "draw/canvas.h"

static unsigned arms_at(const ig_canvas *canvas, int row, int col)
{
    const ig_cell *cell = ig_canvas_cell(canvas, row, col);

    return cell ? ig_glyphs_arms(cell->bytes, cell->length) : 0;
}

/* Arms towards neighbours that reach out to this cell. */
static unsigned joined(const ig_canvas *canvas, int row, int col)
{
    unsigned arms = 0;

    if (arms_at(canvas, row - 1, col) & IG_ARM_DOWN)
        arms |= IG_ARM_UP;
    if (arms_at(canvas, row + 1, col) & IG_ARM_UP)
        arms |= IG_ARM_DOWN;
    if (arms_at(canvas, row, col - 1) & IG_ARM_RIGHT)
        arms |= IG_ARM_LEFT;
    if (arms_at(canvas, row, col + 1) & IG_ARM_LEFT)
        arms |= IG_ARM_RIGHT;
    return arms;
}

/* The arms of a frame's cell by the edges it lies on. */
static unsigned own_arms(ig_rect r, unsigned edges, int row, int col)
{
    bool top = edges & IG_EDGE_TOP && row == r.row;
    bool bottom = edges & IG_EDGE_BOTTOM && row == r.row + r.rows - 1;
    bool left = edges & IG_EDGE_LEFT && col == r.col;
    bool right = edges & IG_EDGE_RIGHT && col == r.col + r.cols - 1;
    unsigned arms = 0;

    if (top || bottom)
        arms |= (left ? 0 : IG_ARM_LEFT) | (right ? 0 : IG_ARM_RIGHT);
    if (left || right)
        arms |= (top ? 0 : IG_ARM_UP) | (bottom ? 0 : IG_ARM_DOWN);
    return arms;
}

static void draw_cell(ig_canvas *canvas, ig_rect r, unsigned edges, int row, int col,
                      ig_style style)
{
    unsigned arms = own_arms(r, edges, row, col);

    if (arms == 0)
        return;
    if (edges & IG_EDGE_JOIN)
        arms |= joined(canvas, row, col);
    ig_canvas_put(canvas, row, col, ig_glyphs_line(canvas->glyphs, arms), style);
}

/* Title and note in the top edge: "┌ title ────── note ┐". */
static void draw_title(ig_canvas *canvas, ig_rect r, unsigned edges, const char *title,
                       const char *note, ig_style title_style, ig_style note_style)
{
    int room = r.cols - (edges & IG_EDGE_RIGHT ? 4 : 3), used = 0;

    if (title && *title && room >= 1) {
        ig_canvas_put(canvas, r.row, r.col + 1, " ", title_style);
        used = ig_canvas_text(canvas, r.row, r.col + 2, room, title, title_style);
        ig_canvas_put(canvas, r.row, r.col + 2 + used, " ", title_style);
    }
    if (note && *note) {
        int width = (int)ig_text_width(note, strlen(note));

        if (width + used + 3 > room)
            return;
        ig_canvas_put(canvas, r.row, r.col + r.cols - width - 3, " ", note_style);
        ig_canvas_text(canvas, r.row, r.col + r.cols - width - 2, width, note,
                       note_style);
        ig_canvas_put(canvas, r.row, r.col + r.cols - 2, " ", note_style);
    }
}

void ig_frame_draw(ig_canvas *canvas, ig_rect r, unsigned edges, const char *title,
                   const char *note, bool focused)
{
    ig_style line = ig_style_of(focused ? IG_COLOUR_FOCUS : IG_COLOUR_FRAME, 0);
    ig_style text =
        ig_style_of(focused ? IG_COLOUR_FOCUS : IG_COLOUR_TEXT, focused ? IG_BOLD : 0);

    if (ig_rect_empty(r))
        return;
    for (int col = r.col; col < r.col + r.cols; col++) {
        draw_cell(canvas, r, edges & ~(unsigned)IG_EDGE_BOTTOM, r.row, col, line);
        if (r.rows > 1)
            draw_cell(canvas, r, edges & ~(unsigned)IG_EDGE_TOP, r.row + r.rows - 1,
                      col, line);
    }
    for (int row = r.row + 1; row < r.row + r.rows - 1; row++) {
        draw_cell(canvas, r, edges & ~(unsigned)IG_EDGE_RIGHT, row, r.col, line);
        if (r.cols > 1)
            draw_cell(canvas, r, edges & ~(unsigned)IG_EDGE_LEFT, row,
                      r.col + r.cols - 1, line);
    }
    if (edges & IG_EDGE_TOP)
        draw_title(canvas, r, edges, title, note, text, ig_style_of(IG_COLOUR_DIM, 0));
}

ig_rect ig_frame_inside(ig_rect rect, unsigned edges)
{
    return ig_rect_inset(rect, !!(edges & IG_EDGE_TOP), !!(edges & IG_EDGE_RIGHT),
                         !!(edges & IG_EDGE_BOTTOM), !!(edges & IG_EDGE_LEFT));
}
