/* Plots and planes on the screen: axes count dots from the upper left of the plot. */
#include "view/plane.h"

#include <math.h>
#include <string.h>

#include "core/text.h"

enum {
    TICK_COLS = 16, /* minimum columns for the ticks at the left */
    BELOW_ROWS = 5, /* minimum rows for those below */
    NAMED = 12,     /* minimum columns of a plot with names */
    WORD = 9,       /* "original", which is not cut if MIN_PLOT columns remain */
    MIN_PLOT = 4,
    MOST_TICKS = 6,
    MOST_BELOW = 16,
    MOST_NAMES = 64
};

/* --- the layout ------------------------------------------------------------------- */

/* The last point of a track; false: it has none. */
static bool last_point(const ig_track *t, double at[3])
{
    for (size_t i = t->count; i-- > 0;)
        if (ig_track_point(t, i, at))
            return true;
    return false;
}

/* The name of a line that ends at the height `end`, at the height `at`. */
struct name {
    const ig_track *line;
    double end, at;
};

/* Place the names of the last lines in the order of their ends, `step` apart: name out
 * (MOST_NAMES). Returns the number of those for which there is room. */
static size_t place_names(const ig_plane *plot, const ig_span *y, double step,
                          struct name *name)
{
    double room = fabs(y->from - y->to) / step + 1, at[3];
    size_t most = room < MOST_NAMES ? (size_t)room : MOST_NAMES, n = 0;

    for (size_t l = plot->tracks; l-- > 0 && n < most;) {
        size_t k = n;

        if (!last_point(&plot->track[l], at) || !*plot->track[l].name)
            continue;
        at[1] = ig_span_place(y, at[1]);
        for (; k > 0 && name[k - 1].end >= at[1]; k--)
            name[k] = name[k - 1];
        name[k] = (struct name){&plot->track[l], at[1], at[1]};
        n++;
    }
    /* Push the names down, then up from the bottom. */
    for (size_t i = 1; i < n; i++)
        name[i].at = fmax(name[i].at, name[i - 1].at + step);
    for (size_t i = n; i-- > 0;)
        name[i].at = fmin(name[i].at, i + 1 < n ? name[i + 1].at - step : y->from);
    return n;
}

struct plan {
    ig_rect plot;
    ig_span axis[2]; /* to dots */
    size_t ticks;    /* at the left; 0: none */
    double tick[MOST_TICKS];
    char text[MOST_TICKS][IG_NUMBER_SIZE];
    int names; /* columns of names at the right, with a blank before them */
};

/* Widen the left axis until round values are a whole number of rows apart, by as little
 * as possible; a single one if two would take 1.3 times the space. */
static void space_ticks(struct plan *p, int dots)
{
    ig_span of = p->axis[1];
    double last = p->plot.rows * dots - 1, least = INFINITY;
    int most = ig_max_int(3, (p->plot.rows + 1) / 3);

    for (int apart = ig_max_int(2, (p->plot.rows + 4) / 5); apart <= most; apart++) {
        double dot = (of.high - of.low) / last, step = 0, first, end, n, cost;
        int each = apart * dots;

        do { /* bounds and ticks are on dots */
            step = ig_axes_step(fmax(dot * each, step * 1.01));
            dot = step / each;
            first = floor(of.low / dot + 1e-6);
            end = ceil(of.high / dot - 1e-6);
        } while (end - first > last);
        n = floor(first / each) * each; /* from a tick on if there is room */
        first = n < end - last ? ceil((first + end - last) / 2) : n;
        n = ceil(first / each);
        cost = dot * ((n + 1) * each > first + last ? 1.3 : 1);
        if (cost > least * (1 - 1e-9) || n * each > first + last)
            continue;
        least = cost;
        p->axis[1].low = (first + of.to) * dot;
        p->axis[1].high = (first + last - of.to) * dot;
        for (p->ticks = 0; n * each <= first + last; n++)
            p->tick[p->ticks++] = n * step + 0.0; /* avoids negative zero */
    }
}

/* Choose and format the ticks at the left. A low plot shows its bounds. */
static void find_ticks(struct plan *p, int dots)
{
    int widest = 0, decimals;
    size_t last = 0; /* that has a text */

    p->tick[0] = p->axis[1].high;
    p->tick[1] = p->axis[1].low;
    p->ticks = p->plot.rows > 1 ? 2 : 1;
    if (p->plot.rows >= BELOW_ROWS - 1)
        space_ticks(p, dots);
    decimals = ig_axes_decimals(p->tick, p->ticks);
    for (size_t i = 0; i < p->ticks; i++) {
        if (decimals <= 4 && fabs(p->tick[i]) < 1e5)
            ig_fixed_format(p->text[i], p->tick[i], decimals, 0);
        else
            ig_number_format(p->text[i], p->tick[i], p->tick[i] < 0 ? 5 : 4, 0);
        if (i && strcmp(p->text[i], p->text[last]) == 0)
            p->text[i][0] = '\0'; /* no room for what differs */
        else
            last = i;
        widest = ig_max_int(widest, ig_text_columns(p->text[i]));
    }
    p->plot = ig_rect_inset(p->plot, 0, 0, 0, widest + 1);
}

/* The name of a line in so many columns: brief if it does not fit, or cut. */
static const char *name_in(const ig_track *line, int columns)
{
    return *line->brief && ig_text_columns(line->name) > columns ? line->brief
                                                                 : line->name;
}

/* Columns for the names of the lines: at most half, or a word, or none. */
static int name_columns(const struct plan *p, const ig_plane *plot)
{
    int half = (p->plot.cols + 1) / 2, widest = 0;
    int room = ig_max_int(half, ig_min_int(WORD, p->plot.cols - MIN_PLOT));
    double at[3];

    for (size_t l = 0; l < plot->tracks; l++) {
        const char *name = name_in(&plot->track[l], room - 1);

        if (*name && last_point(&plot->track[l], at))
            widest = ig_max_int(widest, ig_text_columns(name) + 1);
    }
    return p->plot.cols < NAMED ? 0 : widest < room ? widest : room;
}

/* False: there is nothing to draw. A plane has its labels above and below. */
static bool plan_plot(struct plan *p, ig_rect rect, ig_glyphs glyphs,
                      const ig_plane *plot)
{
    bool plane = !plot->plot;
    int dots = ig_glyphs_dot_rows(glyphs);
    double half = plane ? 0.5 : 0; /* in the cells of ig_view_cell, for names */

    *p = (struct plan){.plot = plane ? ig_rect_inset(rect, 1, 0, 2, 0) : rect};
    if (!ig_plane_ranges(plot, p->axis) || ig_rect_empty(p->plot))
        return false;
    p->plot.rows -= !plane && rect.rows >= BELOW_ROWS;
    p->axis[1].from = p->plot.rows * dots - 1 + half;
    p->axis[0].from = p->axis[1].to = -half;
    if (plane || rect.cols >= TICK_COLS)
        find_ticks(p, dots);
    p->names = plane ? 0 : name_columns(p, plot);
    p->plot.cols -= p->names;
    p->axis[0].to = p->plot.cols * ig_glyphs_dot_cols(glyphs) - 1 + half;
    return !ig_rect_empty(p->plot);
}

/* --- drawing ---------------------------------------------------------------------- */

static int row_of(const ig_canvas *canvas, const struct plan *p, double dot)
{
    return p->plot.row + (int)lround(dot) / ig_glyphs_dot_rows(canvas->glyphs);
}

static int col_of(const ig_canvas *canvas, const struct plan *p, double x)
{
    return p->plot.col + (int)lround(ig_span_place(&p->axis[0], x)) /
                             ig_glyphs_dot_cols(canvas->glyphs);
}

static void draw_ticks(ig_canvas *canvas, const struct plan *p)
{
    ig_style line = ig_style_of(IG_COLOUR_FRAME, 0);
    int axis = p->plot.col - 1, arms = IG_ARM_UP | IG_ARM_DOWN;

    for (int i = 0; i < p->plot.rows; i++)
        ig_canvas_put(canvas, p->plot.row + i, axis,
                      ig_glyphs_line(canvas->glyphs, (unsigned)arms), line);
    for (size_t i = 0; i < p->ticks; i++) {
        int row = row_of(canvas, p, ig_span_place(&p->axis[1], p->tick[i]));
        int width = ig_text_columns(p->text[i]);

        ig_canvas_text(canvas, row, axis - width, width, p->text[i], ig_dim);
        ig_canvas_put(canvas, row, axis,
                      ig_glyphs_line(canvas->glyphs, (unsigned)arms | IG_ARM_LEFT),
                      line);
    }
}

/* The least step between named ticks for which there is room. */
static size_t find_step(const struct plan *p, const ig_plane *plot)
{
    int widest = 0;

    for (size_t i = 0; i < plot->names; i++)
        widest = ig_max_int(widest, ig_text_columns(plot->name[i]));
    return (size_t)ceil((widest + 1) * p->axis[0].high / p->plot.cols);
}

/* Draw the ticks below. */
static void draw_below(ig_canvas *canvas, const struct plan *p, const ig_plane *plane)
{
    int left = p->plot.col, right = left + p->plot.cols + (p->names > 0), end = left;
    int most = p->plot.cols / (plane->plot ? 8 : 12) + 1;
    bool named = plane->names;
    double tick[MOST_BELOW];
    size_t count = named ? plane->names
                         : ig_axes_ticks(p->axis[0].low, p->axis[0].high,
                                         most < MOST_BELOW ? (size_t)most : MOST_BELOW,
                                         tick);
    size_t step = named ? find_step(p, plane) : 1;
    int decimals = plane->plot ? 0 : ig_axes_decimals(tick, count);

    for (size_t i = 0; i < count; i += step) {
        char number[IG_NUMBER_SIZE];
        double at = named ? (double)i : tick[i];
        const char *text = named ? plane->name[i]
                                 : ig_fixed_format(number, at, decimals, 0);
        int width = ig_text_columns(text),
            col = col_of(canvas, p, at) - (width - 1) / 2;

        col = ig_min_int(ig_max_int(col, left), right - width);
        if ((plane->plot && at != floor(at)) || col < end)
            continue;
        ig_canvas_text(canvas, p->plot.row + p->plot.rows, col, width, text, ig_dim);
        end = col + width + 1;
    }
}

static void draw_track(ig_canvas *canvas, const struct plan *p, const ig_track *t)
{
    ig_style style = ig_style_of(t->colour, 0);
    char ascii = t->dashed || t->x ? '.' : '*';
    double at[3], x = NAN, y = NAN;

    for (size_t i = 0; i < t->count; i++) {
        double x0 = x, y0 = y;

        x = NAN;
        if (!ig_track_point(t, i, at))
            continue;
        x = ig_span_place(&p->axis[0], at[0]);
        y = ig_span_place(&p->axis[1], at[1]);
        if (isfinite(x0))
            ig_dots_line(canvas, p->plot, x0, y0, x, y, t->dashed ? 2 : 0, ascii,
                         style);
        else
            ig_dots_set(canvas, p->plot, (int)lround(x), (int)lround(y), ascii, style);
    }
}

static void draw_vertical(ig_canvas *canvas, const struct plan *p, double x, int each,
                          int colour)
{
    for (int i = 0; x >= p->axis[0].low && x <= p->axis[0].high && i < p->plot.rows;
         i += each)
        ig_canvas_put(canvas, p->plot.row + i, col_of(canvas, p, x), "│",
                      ig_style_of(colour, 0));
}

/* Whether a line is drawn in a cell. */
static bool has_line(const ig_canvas *canvas, const ig_plane *plot, int row, int col)
{
    const ig_cell *cell = ig_canvas_cell(canvas, row, col);
    size_t l = 0;

    while (cell && l < plot->tracks && cell->style.fg != plot->track[l].colour)
        l++;
    return cell && *cell->bytes != ' ' && l < plot->tracks;
}

/* Mark the best x in the highest row, which losses leave early, or where a line is in
 * the last one, that of the ticks if there is one; no line is hidden. */
static void draw_best(ig_canvas *canvas, const struct plan *p, const ig_plane *plot,
                      int last, double x)
{
    int row = p->plot.row, col = col_of(canvas, p, x);

    if (has_line(canvas, plot, row, col))
        row = last;
    if (x >= p->axis[0].low && x <= p->axis[0].high &&
        !has_line(canvas, plot, row, col))
        ig_canvas_put(canvas, row, col, "▼", ig_style_of(IG_COLOUR_GOOD, IG_BOLD));
}

static void draw_names(ig_canvas *canvas, const struct plan *p, const ig_plane *plot)
{
    struct name name[MOST_NAMES];
    size_t n = place_names(plot, &p->axis[1], ig_glyphs_dot_rows(canvas->glyphs), name);

    for (size_t i = 0; p->names && i < n; i++)
        ig_canvas_text(canvas, row_of(canvas, p, name[i].at),
                       p->plot.col + p->plot.cols + 1, p->names - 1,
                       name_in(name[i].line, p->names - 1),
                       ig_style_of(name[i].line->colour, IG_BOLD));
}

bool ig_plot_draw(ig_canvas *canvas, ig_rect rect, const ig_plane *plot)
{
    struct plan p;

    if (!plan_plot(&p, rect, canvas->glyphs, plot))
        return false;
    if (p.ticks)
        draw_ticks(canvas, &p);
    if (rect.rows >= BELOW_ROWS)
        draw_below(canvas, &p, plot);
    for (size_t i = 0; i < plot->marks; i++)
        draw_vertical(canvas, &p, (double)plot->mark[i], 2, IG_COLOUR_WARN);
    draw_vertical(canvas, &p, plot->cursor, 1, IG_COLOUR_ACCENT);
    for (size_t l = 0; l < plot->tracks; l++)
        draw_track(canvas, &p, &plot->track[l]);
    for (size_t l = 0; l < plot->tracks; l++)
        draw_best(canvas, &p, plot, rect.row + rect.rows - 1,
                  (double)plot->track[l].best - 1);
    draw_names(canvas, &p, plot);
    return true;
}

double ig_plot_at(ig_rect rect, ig_glyphs glyphs, const ig_plane *plot, int col)
{
    struct plan p;

    if (!plan_plot(&p, rect, glyphs, plot) || col < p.plot.col ||
        col >= p.plot.col + p.plot.cols + p.names)
        return NAN;
    return p.axis[0].low + (p.axis[0].high - p.axis[0].low) *
                               fmin(1, (col - p.plot.col) / fmax(1, p.plot.cols - 1));
}

bool ig_plane_draw(ig_canvas *canvas, ig_rect rect, const ig_plane *plane)
{
    struct plan p;
    int last = rect.row + rect.rows - 1, right = rect.col + rect.cols, end;
    ig_map_name name[IG_TRACKS_MAX];
    double at[3];
    size_t names;

    if (!plan_plot(&p, rect, canvas->glyphs, plane))
        return false;
    draw_ticks(canvas, &p);
    draw_below(canvas, &p, plane);
    end = ig_canvas_text(canvas, rect.row, rect.col, rect.cols, plane->y_label, ig_dim);
    if (plane->left_out)
        ig_canvas_print(canvas, rect.row, rect.col + end, rect.cols - end, ig_dim,
                        "; %zu of %zu drawn%s", plane->tracks,
                        plane->tracks + plane->left_out, plane->rule);
    end = ig_max_int(p.plot.col, right - ig_text_columns(plane->x_label));
    ig_canvas_text(canvas, last, end, right - end, plane->x_label, ig_dim);
    for (size_t n = 0; n < plane->tracks; n++)
        draw_track(canvas, &p, &plane->track[n]);
    for (size_t n = 0; n < plane->tracks; n++)
        if (last_point(&plane->track[n], at))
            ig_canvas_put(canvas, row_of(canvas, &p, ig_span_place(&p.axis[1], at[1])),
                          col_of(canvas, &p, at[0]), "●",
                          ig_style_of(plane->track[n].colour, IG_BOLD));
    names = ig_plane_names(plane, p.axis, p.plot, name);
    for (size_t i = 0; i < names; i++)
        ig_canvas_text(canvas, name[i].row, name[i].col, name[i].width, name[i].text,
                       ig_style_of(name[i].colour, IG_BOLD));
    return true;
}
