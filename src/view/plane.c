/* Figures in the plane of two measures, on the screen. */
#include "view/plane.h"

#include <math.h>
#include <string.h>

#include "core/text.h"

static const double MARGIN = 0.06;
enum { NAMED = 14 }; /* tracks that are all named; of more those with room */

ig_track *ig_plane_arrow(ig_plane *plane, const double from[2], const double to[2],
                         int colour)
{
    ig_track *t = &plane->track[plane->tracks];

    if (plane->tracks == IG_TRACKS_MAX)
        return NULL;
    plane->tracks++;
    *t = (ig_track){.x = &t->own[0][0],
                    .y = &t->own[0][1],
                    .stride = 2,
                    .count = 2,
                    .colour = colour};
    memcpy(t->own[0], from, sizeof t->own[0]);
    memcpy(t->own[1], to, sizeof t->own[1]);
    return t;
}

bool ig_track_point(const ig_track *t, size_t i, double out[3])
{
    out[0] = t->x ? t->x[i * t->stride] : (double)i;
    out[1] = t->y[i * t->stride];
    out[2] = t->spread && isfinite(t->spread[i * t->stride]) ? t->spread[i * t->stride]
                                                             : 0;
    return isfinite(out[0]) && isfinite(out[1]);
}

bool ig_plane_ranges(const ig_plane *plane, ig_span axis[2])
{
    ig_span span[2] = {{.low = INFINITY, .high = -INFINITY},
                       {.low = INFINITY, .high = -INFINITY}};
    double at[3];

    for (size_t t = 0; t < plane->tracks; t++)
        for (size_t i = 0; i < plane->track[t].count; i++) {
            if (!ig_track_point(&plane->track[t], i, at))
                continue;
            ig_span_widen(&span[0], at[0]);
            ig_span_widen(&span[1], at[1] - at[2]);
            ig_span_widen(&span[1], at[1] + at[2]);
        }
    for (int a = 0; a < 2 && span[0].low <= span[0].high; a++) {
        double room = (span[a].high - span[a].low) * MARGIN;

        room = room > 0 ? room : fmax(fabs(span[a].high), 1) * MARGIN;
        axis[a].low = span[a].low - room;
        axis[a].high = span[a].high + room;
    }
    return span[0].low <= span[0].high;
}

/* Draw round numbers of an axis at the left (is_y) or below. */
static void put_ticks(ig_canvas *canvas, ig_rect plot, ig_rect at, ig_view view,
                      bool is_y)
{
    enum { TICKS = 5 };
    double tick[TICKS];
    size_t most = (size_t)ig_min_int(TICKS, is_y ? plot.rows / 2 : plot.cols / 12);
    size_t n = is_y ? ig_axes_ticks(view.ymin, view.ymax, most, tick)
                    : ig_axes_ticks(view.xmin, view.xmax, most, tick);
    char number[IG_NUMBER_SIZE];
    int row, col;

    for (size_t i = 0; i < n; i++) {
        if (!ig_view_cell(view, plot, is_y ? view.xmin : tick[i],
                          is_y ? tick[i] : view.ymin, &row, &col))
            continue;
        ig_fixed_format(number, tick[i], ig_axes_decimals(tick, n),
                        canvas->glyphs == IG_ASCII);
        col = is_y ? at.col + at.cols - 1 - ig_text_columns(number)
                   : ig_max_int(at.col, col - ig_text_columns(number) / 2);
        ig_canvas_text(canvas, is_y ? row : at.row, col, at.col + at.cols - col, number,
                       ig_dim);
    }
}

/* The column of a name on blank cells right or left of a mark; else `without`. */
static int find_room(const ig_canvas *canvas, ig_rect plot, int row, int mark,
                     int width, int without)
{
    plot = ig_rect_clip(plot, ig_canvas_rect(canvas));
    for (int col = mark + 1; col >= mark - width; col -= width + 1) {
        int c = 0;

        while (c < width && ig_rect_has(plot, row, col + c) &&
               *ig_canvas_cell(canvas, row, col + c)->bytes == ' ')
            c++;
        if (c == width)
            return col;
    }
    return without;
}

bool ig_plane_draw(ig_canvas *canvas, ig_rect rect, const ig_plane *plane)
{
    enum { LEFT = 7, NAME = 10 };
    double to[3];
    ig_span axis[2];
    ig_rect plot = ig_rect_inset(rect, 1, 0, 2, LEFT);
    ig_view view;

    if (ig_rect_empty(plot) || !ig_plane_ranges(plane, axis))
        return false;
    if (plane->tracks <= NAMED) /* the names are to the right */
        axis[0].high += (axis[0].high - axis[0].low) * NAME / plot.cols;
    view = (ig_view){axis[0].low, axis[0].high, axis[1].low, axis[1].high};
    put_ticks(canvas, plot, (ig_rect){rect.row, rect.col, rect.rows, LEFT}, view, true);
    put_ticks(canvas, plot, ig_rect_inset(rect, rect.rows - 2, 0, 0, LEFT), view,
              false);
    ig_canvas_print(canvas, rect.row, rect.col, rect.cols, ig_dim, "%s",
                    plane->y_label);
    ig_canvas_print(
        canvas, rect.row + rect.rows - 1,
        ig_max_int(plot.col, plot.col + plot.cols - ig_text_columns(plane->x_label)),
        plot.cols, ig_dim, "%s", plane->x_label);
    for (size_t n = 0; n < 3 * plane->tracks; n++) { /* lines, then marks, then names */
        const ig_track *track = &plane->track[n % plane->tracks];
        float last[2] = {NAN, NAN}, next[2];
        int row, col;

        for (size_t i = 0; i < track->count; i++) {
            if (!ig_track_point(track, i, to))
                continue;
            next[0] = (float)to[0];
            next[1] = (float)to[1];
            if (!isnan(last[0]) && n < plane->tracks)
                ig_scatter_line(canvas, plot, view, last, next,
                                ig_style_of(track->colour, 0));
            memcpy(last, next, sizeof last);
        }
        if (n < plane->tracks || isnan(last[0]) ||
            !ig_view_cell(view, plot, (double)last[0], (double)last[1], &row, &col))
            continue;
        if (n < 2 * plane->tracks) {
            ig_scatter_mark(canvas, plot, view, last, IG_GLYPH_CIRCLE, track->colour,
                            "");
            continue;
        }
        col = find_room(canvas, plot, row, col, ig_text_columns(track->name),
                        plane->tracks <= NAMED ? col + 1 : plot.col + plot.cols);
        ig_canvas_text(canvas, row, col, plot.col + plot.cols - col, track->name,
                       ig_style_of(track->colour, IG_BOLD));
    }
    return true;
}
