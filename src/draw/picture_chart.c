/* Charts as pictures, by cairo: axes with round numbers, a light grid, lines that are
 * named where they end. Knows nothing of epochs and runs. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "draw/axes.h"
#include "draw/chart.h"
#include "draw/palette.h"
#include "draw/picture_pen.h"

/* The sheet, in points. */
enum {
    WIDTH = 560,
    HEIGHT = 320,
    LEFT = 64,
    RIGHT = 122,
    TOP = 14,
    BOTTOM = 46,
    TICKS = 6,
    NAMES_MOST = 20,
    DASHES = 6,
    POINTS_MOST = 2000 /* of one line; more are not to be seen */
};

static const double NAME_STEP = 14, NAME_SIZE = 11.5, TICK_SIZE = 11;

/* One axis: values low … high (their logarithms, if `log`) lie at from … to. */
struct axis {
    bool log;
    double low, high;
    double from, to;
};

/* --- where things are ------------------------------------------------------------ */

static double value_on(const struct axis *a, double value)
{
    if (!a->log)
        return value;
    return value > 0 ? log10(value) : NAN;
}

static double place(const struct axis *a, double value)
{
    return a->from +
           (value_on(a, value) - a->low) / (a->high - a->low) * (a->to - a->from);
}

static void widen(struct axis *a, double value)
{
    double at = value_on(a, value);

    if (isfinite(at)) {
        a->low = fmin(a->low, at);
        a->high = fmax(a->high, at);
    }
}

/* Room above and below; an axis of one value or none is one unit long. */
static void settle(struct axis *a, double air)
{
    double span = a->high - a->low;

    if (!(span >= 0)) {
        a->low = 0;
        a->high = 1;
    } else if (span <= 1e-12 * fmax(fabs(a->low), fabs(a->high))) {
        a->low -= 0.5;
        a->high += 0.5;
    } else {
        a->low -= air * span;
        a->high += air * span;
    }
}

static bool shown(const ig_chart *chart, const ig_chart_line *line, size_t i)
{
    double x = line->first + (double)i;

    return isfinite(line->y[i]) && !(chart->log_y && !(line->y[i] > 0)) &&
           !(chart->log_x && !(x > 0));
}

static void fit_axes(const ig_chart *chart, struct axis *x, struct axis *y)
{
    *x = (struct axis){chart->log_x, INFINITY, -INFINITY, LEFT, WIDTH - RIGHT};
    *y = (struct axis){chart->log_y, INFINITY, -INFINITY, HEIGHT - BOTTOM, TOP};
    for (size_t l = 0; l < chart->lines; l++)
        for (size_t i = 0; i < chart->line[l].count; i++) {
            if (!shown(chart, &chart->line[l], i))
                continue;
            widen(x, chart->line[l].first + (double)i);
            widen(y, chart->log_y ? fmax(chart->line[l].y[i], chart->low)
                                  : chart->line[l].y[i]);
        }
    settle(x, 0);
    settle(y, 0.05);
}

/* --- axes ------------------------------------------------------------------------ */

static void grid_line(cairo_t *c, bool across, double at)
{
    ig_pen_grey(c, IG_PEN_PALE);
    cairo_set_line_width(c, 0.7);
    cairo_move_to(c, across ? LEFT : at, across ? at : TOP);
    cairo_line_to(c, across ? WIDTH - RIGHT : at, across ? at : HEIGHT - BOTTOM);
    cairo_stroke(c);
}

static void put_tick(cairo_t *c, bool across, double at, const char *number)
{
    grid_line(c, across, at);
    ig_pen_grey(c, IG_PEN_INK);
    if (across)
        ig_pen_text(c, number, LEFT - 7, at, TICK_SIZE, IG_PEN_END);
    else
        ig_pen_text(c, number, at, HEIGHT - BOTTOM + 13, TICK_SIZE, IG_PEN_MIDDLE);
}

/* 0.001, 100, 1e−7. */
static const char *power_of_ten(char out[IG_NUMBER_SIZE], int e)
{
    if (abs(e) <= 4)
        return ig_fixed_format(out, pow(10, e), e < 0 ? -e : 0, 0);
    snprintf(out, IG_NUMBER_SIZE, "1e%s%d", e < 0 ? "−" : "", abs(e));
    return out;
}

/* Powers of ten; between them lines without numbers where there is room. */
static void put_log_ticks(cairo_t *c, const struct axis *a, bool across)
{
    int first = (int)floor(a->low), last = (int)ceil(a->high);
    int step = (last - first + TICKS - 1) / TICKS;
    char number[IG_NUMBER_SIZE];

    for (int e = first; e <= last; e++)
        for (int m = 1; m < 10; m++) {
            double value = m * pow(10, e), at = place(a, value);

            if (value_on(a, value) < a->low - 1e-9 ||
                value_on(a, value) > a->high + 1e-9)
                continue;
            if (m == 1 && (e - first) % step == 0)
                put_tick(c, across, at, power_of_ten(number, e));
            else if (step == 1 && (m == 1 || m == 2 || m == 5))
                grid_line(c, across, at);
        }
}

static void put_ticks(cairo_t *c, const struct axis *a, bool across)
{
    double tick[TICKS];
    size_t count = ig_axes_ticks(a->low, a->high, TICKS, tick);
    int decimals = ig_axes_decimals(tick, count);
    char number[IG_NUMBER_SIZE];

    for (size_t i = 0; i < count; i++)
        put_tick(c, across, place(a, tick[i]),
                 ig_fixed_format(number, tick[i], decimals, 0));
}

static void put_axes(cairo_t *c, const ig_chart *chart, const struct axis *x,
                     const struct axis *y)
{
    if (x->log)
        put_log_ticks(c, x, false);
    else
        put_ticks(c, x, false);
    if (y->log)
        put_log_ticks(c, y, true);
    else
        put_ticks(c, y, true);
    ig_pen_grey(c, IG_PEN_GREY);
    cairo_set_line_width(c, 1);
    cairo_move_to(c, LEFT, TOP);
    cairo_line_to(c, LEFT, HEIGHT - BOTTOM);
    cairo_line_to(c, WIDTH - RIGHT, HEIGHT - BOTTOM);
    cairo_stroke(c);
    ig_pen_grey(c, IG_PEN_INK);
    ig_pen_text(c, chart->x_label, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 13, 12,
                IG_PEN_MIDDLE);
    ig_pen_upright(c, chart->y_label, 14, TOP + (HEIGHT - TOP - BOTTOM) / 2.0, 12);
}

/* --- lines ----------------------------------------------------------------------- */

static void use_dash(cairo_t *c, int dash)
{
    static const double pattern[DASHES][6] = {
        {0}, {7, 3}, {1.5, 2.5}, {8, 3, 1.5, 3}, {3, 3}, {8, 3, 1.5, 3, 1.5, 3}};
    static const int parts[DASHES] = {0, 2, 2, 4, 2, 6};
    int which = (dash % DASHES + DASHES) % DASHES;

    cairo_set_dash(c, pattern[which], parts[which], 0);
}

static void put_dot(cairo_t *c, double x, double y, double radius)
{
    cairo_new_path(c);
    cairo_arc(c, x, y, radius, 0, 2 * 3.14159265358979);
    cairo_fill(c);
}

/* A white ring around a dot, so that it is seen on its line. */
static void put_best(cairo_t *c, double x, double y, int colour)
{
    cairo_set_source_rgb(c, 1, 1, 1);
    put_dot(c, x, y, 5.5);
    ig_pen_colour(c, colour, 1);
    put_dot(c, x, y, 4);
}

static double height_of(const ig_chart *chart, const struct axis *y, double value)
{
    return place(y, chart->log_y ? fmax(value, chart->low) : value);
}

/* The value drawn after value i: every step-th and the last. */
static size_t next(const ig_chart_line *line, size_t i, size_t step)
{
    return i + step < line->count || i + 1 == line->count ? i + step : line->count - 1;
}

static void put_line(cairo_t *c, const ig_chart *chart, const ig_chart_line *line,
                     const struct axis *x, const struct axis *y)
{
    size_t step = (line->count + POINTS_MOST - 1) / POINTS_MOST;
    bool open = false; /* the pen is on the paper */

    ig_pen_colour(c, line->colour, 1);
    use_dash(c, line->dash);
    cairo_set_line_width(c, 1.8);
    cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
    for (size_t i = 0; i < line->count; i = next(line, i, step)) {
        double px = place(x, line->first + (double)i);
        size_t after;
        bool alone;

        if (!shown(chart, line, i)) {
            open = false;
            continue;
        }
        after = next(line, i, step);
        alone = !open && !(after < line->count && shown(chart, line, after));
        if (alone) {
            cairo_stroke(c);
            put_dot(c, px, height_of(chart, y, line->y[i]), 2.2);
        } else if (open) {
            cairo_line_to(c, px, height_of(chart, y, line->y[i]));
        } else {
            cairo_move_to(c, px, height_of(chart, y, line->y[i]));
        }
        open = !alone;
    }
    cairo_stroke(c);
    cairo_set_dash(c, NULL, 0, 0);
}

static void put_bests(cairo_t *c, const ig_chart *chart, const struct axis *x,
                      const struct axis *y)
{
    for (size_t l = 0; l < chart->lines; l++) {
        const ig_chart_line *line = &chart->line[l];
        double at = line->best - line->first;
        size_t i = at >= 0 && at < (double)line->count ? (size_t)at : line->count;

        if (i < line->count && shown(chart, line, i))
            put_best(c, place(x, line->best), height_of(chart, y, line->y[i]),
                     line->colour);
    }
}

/* --- names ----------------------------------------------------------------------- */

/* A line's name: where the line ends, and where the name stands. */
struct name {
    size_t line;
    double x, end, at;
};

/* Where a line ends, or false: nothing of it is shown. */
static bool end_of(const ig_chart *chart, size_t l, const struct axis *x,
                   const struct axis *y, struct name *name)
{
    const ig_chart_line *line = &chart->line[l];
    size_t i = line->count;

    while (i > 0 && !shown(chart, line, i - 1))
        i--;
    if (i == 0 || !line->name)
        return false;
    name->line = l;
    name->x = place(x, line->first + (double)(i - 1));
    name->end = name->at = height_of(chart, y, line->y[i - 1]);
    return true;
}

/* Names in the order of the ends, none on another: pushed down, then up from below. */
static void spread(struct name *name, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct name moved = name[i];
        size_t k = i;

        for (; k > 0 && name[k - 1].end > moved.end; k--)
            name[k] = name[k - 1];
        name[k] = moved;
    }
    for (size_t i = 1; i < n; i++)
        name[i].at = fmax(name[i].at, name[i - 1].at + NAME_STEP);
    for (size_t i = n; i-- > 0;)
        name[i].at =
            fmin(name[i].at, i + 1 < n ? name[i + 1].at - NAME_STEP : HEIGHT - BOTTOM);
}

/* A name with a piece of its line before it, which the line's end leads to. */
static void put_name(cairo_t *c, const ig_chart_line *line, const struct name *name)
{
    double x = WIDTH - RIGHT + 6;

    ig_pen_grey(c, IG_PEN_GREY);
    cairo_set_line_width(c, 0.6);
    if (x - name->x > 20) /* a long way: not to be taken for the line going on */
        cairo_set_dash(c, (const double[]){1, 4}, 2, 0);
    cairo_move_to(c, name->x + 2, name->end);
    cairo_line_to(c, x + 2, name->at);
    cairo_stroke(c);
    ig_pen_colour(c, line->colour, 1);
    cairo_set_line_width(c, 1.8);
    use_dash(c, line->dash);
    cairo_move_to(c, x + 2, name->at);
    cairo_line_to(c, x + 22, name->at);
    cairo_stroke(c);
    cairo_set_dash(c, NULL, 0, 0);
    ig_pen_grey(c, IG_PEN_INK);
    ig_pen_text(c, line->name, x + 26, name->at, NAME_SIZE, IG_PEN_START);
}

static void put_names(cairo_t *c, const ig_chart *chart, const struct axis *x,
                      const struct axis *y)
{
    struct name name[NAMES_MOST];
    size_t n = 0, left_out = 0;
    char more[48];

    for (size_t l = 0; l < chart->lines; l++) {
        struct name one;

        if (!end_of(chart, l, x, y, &one))
            continue;
        if (n < NAMES_MOST)
            name[n++] = one;
        else
            left_out++;
    }
    spread(name, n);
    for (size_t i = 0; i < n; i++)
        put_name(c, &chart->line[name[i].line], &name[i]);
    if (left_out) {
        snprintf(more, sizeof more, "and %zu more", left_out);
        ig_pen_text(c, more, WIDTH - RIGHT + 32, HEIGHT - BOTTOM + 14, NAME_SIZE,
                    IG_PEN_START);
    }
}

static void draw(cairo_t *c, const void *what)
{
    const ig_chart *chart = what;
    struct axis x, y;

    fit_axes(chart, &x, &y);
    ig_pen_sheet(c);
    put_axes(c, chart, &x, &y);
    for (size_t l = 0; l < chart->lines; l++)
        put_line(c, chart, &chart->line[l], &x, &y);
    put_bests(c, chart, &x, &y);
    put_names(c, chart, &x, &y);
    cairo_show_page(c);
}

ig_status ig_chart_svg(const ig_chart *chart, char **svg, size_t *size, ig_error *error)
{
    return ig_pen_svg(WIDTH, HEIGHT, draw, chart, svg, size, error);
}
