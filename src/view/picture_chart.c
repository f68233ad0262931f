/* Charts as pictures, by cairo: axes with round numbers, a light grid, lines labelled
 * at their ends. Independent of epochs and runs. */
#include <math.h>
#include <stdio.h>

#include <cairo.h>

#include "view/picture.h"
#include "view/picture_pen.h"

/* Sheet dimensions in points. */
enum {
    WIDTH = 560,
    HEIGHT = 320,
    LEFT = 64,
    RIGHT = 122,
    TOP = 14,
    BOTTOM = 46,
    NAMES_MOST = 20,
    DASHES = 6,
    POINTS_MOST = 2000 /* per line */
};

static const double NAME_STEP = 14, NAME_SIZE = 11.5;

/* --- axes ------------------------------------------------------------------------ */

/* Add margins; an axis with one value or none gets unit length. */
static void pad_axis(ig_pen_axis *a, double air)
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

static void fit_axes(const ig_chart *chart, ig_pen_axis *x, ig_pen_axis *y)
{
    *x = (ig_pen_axis){INFINITY, -INFINITY, LEFT, WIDTH - RIGHT};
    *y = (ig_pen_axis){INFINITY, -INFINITY, HEIGHT - BOTTOM, TOP};
    for (size_t l = 0; l < chart->lines; l++)
        for (size_t i = 0; i < chart->line[l].count; i++) {
            if (!isfinite(chart->line[l].y[i]))
                continue;
            ig_pen_widen(x, chart->line[l].first + (double)i);
            ig_pen_widen(y, chart->line[l].y[i]);
        }
    pad_axis(x, 0);
    pad_axis(y, 0.05);
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

/* The index drawn after i: every step-th and the last. */
static size_t next_value(const ig_chart_line *line, size_t i, size_t step)
{
    return i + step < line->count || i + 1 == line->count ? i + step : line->count - 1;
}

static void put_line(cairo_t *c, const ig_chart_line *line, const ig_pen_axis *x,
                     const ig_pen_axis *y)
{
    size_t step = (line->count + POINTS_MOST - 1) / POINTS_MOST;
    bool open = false; /* a path is started */

    ig_pen_colour(c, line->colour, 1);
    use_dash(c, line->dash);
    cairo_set_line_width(c, 1.8);
    cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
    for (size_t i = 0; i < line->count; i = next_value(line, i, step)) {
        double px = ig_pen_place(x, line->first + (double)i);
        size_t after;
        bool alone;

        if (!isfinite(line->y[i])) {
            open = false;
            continue;
        }
        after = next_value(line, i, step);
        alone = !open && !(after < line->count && isfinite(line->y[after]));
        if (alone) {
            cairo_stroke(c);
            ig_pen_dot(c, px, ig_pen_place(y, line->y[i]), 2.2);
        } else if (open) {
            cairo_line_to(c, px, ig_pen_place(y, line->y[i]));
        } else {
            cairo_move_to(c, px, ig_pen_place(y, line->y[i]));
        }
        open = !alone;
    }
    cairo_stroke(c);
    cairo_set_dash(c, NULL, 0, 0);
}

static void put_bests(cairo_t *c, const ig_chart *chart, const ig_pen_axis *x,
                      const ig_pen_axis *y)
{
    for (size_t l = 0; l < chart->lines; l++) {
        const ig_chart_line *line = &chart->line[l];
        double at = line->best - line->first;
        size_t i = at >= 0 && at < (double)line->count ? (size_t)at : line->count;

        if (i >= line->count || !isfinite(line->y[i]))
            continue;
        cairo_set_source_rgb(c, 1, 1, 1);
        ig_pen_dot(c, ig_pen_place(x, line->best), ig_pen_place(y, line->y[i]), 5.5);
        ig_pen_colour(c, line->colour, 1);
        ig_pen_dot(c, ig_pen_place(x, line->best), ig_pen_place(y, line->y[i]), 4);
    }
}

/* --- labels ---------------------------------------------------------------------- */

struct name {
    size_t line;
    double x, end, at;
};

/* The visible end of a line; false if none. */
static bool end_of(const ig_chart *chart, size_t l, const ig_pen_axis *x,
                   const ig_pen_axis *y, struct name *name)
{
    const ig_chart_line *line = &chart->line[l];
    size_t i = line->count;

    while (i > 0 && !isfinite(line->y[i - 1]))
        i--;
    if (i == 0 || !line->name)
        return false;
    name->line = l;
    name->x = ig_pen_place(x, line->first + (double)(i - 1));
    name->end = name->at = ig_pen_place(y, line->y[i - 1]);
    return true;
}

/* Separate labels in the order of the ends: push down, then up from the bottom. */
static void spread_names(struct name *name, size_t n)
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

static void put_name(cairo_t *c, const ig_chart_line *line, const struct name *name)
{
    double x = WIDTH - RIGHT + 6;

    ig_pen_grey(c, IG_PEN_GREY);
    cairo_set_line_width(c, 0.6);
    if (x - name->x > 20) /* long: must not look like a continuation of the line */
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

static void put_names(cairo_t *c, const ig_chart *chart, const ig_pen_axis *x,
                      const ig_pen_axis *y)
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
    spread_names(name, n);
    for (size_t i = 0; i < n; i++)
        put_name(c, &chart->line[name[i].line], &name[i]);
    if (left_out) {
        snprintf(more, sizeof more, "and %zu more", left_out);
        ig_pen_text(c, more, WIDTH - RIGHT + 32, HEIGHT - BOTTOM + 14, NAME_SIZE,
                    IG_PEN_START);
    }
}

static void draw_chart(cairo_t *c, const void *what)
{
    const ig_chart *chart = what;
    ig_pen_axis x, y;

    fit_axes(chart, &x, &y);
    ig_pen_axes(c, &x, &y, chart->x_label, chart->y_label);
    for (size_t l = 0; l < chart->lines; l++)
        put_line(c, &chart->line[l], &x, &y);
    put_bests(c, chart, &x, &y);
    put_names(c, chart, &x, &y);
}

ig_status ig_chart_svg(const ig_chart *chart, char **svg, size_t *size, ig_error *error)
{
    return ig_pen_file(IG_SVG, WIDTH, HEIGHT, draw_chart, chart, svg, size, error);
}
