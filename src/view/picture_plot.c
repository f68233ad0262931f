/* Plots as pictures, by cairo: axes with round numbers, a light grid, lines named at
 * their ends. */
#include <math.h>
#include <stdio.h>

#include <cairo.h>

#include "view/picture.h"
#include "view/picture_pen.h"

/* Sheet dimensions in points. */
enum { WIDTH = 560, HEIGHT = 320, LEFT = 64, RIGHT = 122, TOP = 14, BOTTOM = 46 };

static const double NAME_STEP = 14, NAME_SIZE = 11.5;

static void use_dash(cairo_t *c, int dash)
{
    enum { DASHES = 6 };
    static const double pattern[DASHES][6] = {
        {0}, {7, 3}, {1.5, 2.5}, {8, 3, 1.5, 3}, {3, 3}, {8, 3, 1.5, 3, 1.5, 3}};
    static const int parts[DASHES] = {0, 2, 2, 4, 2, 6};

    cairo_set_dash(c, pattern[dash % DASHES], parts[dash % DASHES], 0);
}

static void put_line(cairo_t *c, const ig_line *line, const ig_span *x,
                     const ig_span *y)
{
    size_t drawn = 0; /* values of the open path */

    ig_pen_colour(c, line->colour, 1);
    use_dash(c, line->dash);
    cairo_set_line_width(c, 1.8);
    cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
    for (size_t i = 0; i <= line->count; i++) {
        double value = i < line->count ? line->y[i * line->stride] : NAN;
        double px = ig_span_place(x, (double)i), py = ig_span_place(y, value);

        if (isfinite(py)) {
            if (drawn++)
                cairo_line_to(c, px, py);
            else
                cairo_move_to(c, px, py);
            continue;
        }
        if (drawn == 1) { /* a value between gaps */
            cairo_get_current_point(c, &px, &py);
            cairo_new_path(c);
            ig_pen_dot(c, px, py, 2.2);
        }
        cairo_stroke(c);
        drawn = 0;
    }
    cairo_set_dash(c, NULL, 0, 0);
}

static void put_best(cairo_t *c, const ig_line *line, const ig_span *x,
                     const ig_span *y)
{
    double px, py;

    if (!(line->best >= 0 && line->best < (double)line->count))
        return;
    px = ig_span_place(x, line->best);
    py = ig_span_place(y, line->y[(size_t)line->best * line->stride]);
    if (!isfinite(py))
        return;
    cairo_set_source_rgb(c, 1, 1, 1);
    ig_pen_dot(c, px, py, 5.5);
    ig_pen_colour(c, line->colour, 1);
    ig_pen_dot(c, px, py, 4);
}

static void put_name(cairo_t *c, const ig_plot_name *name)
{
    double x = WIDTH - RIGHT + 6;

    ig_pen_grey(c, IG_PEN_GREY);
    cairo_set_line_width(c, 0.6);
    if (x - name->x > 20) /* long: must not look like a continuation of the line */
        cairo_set_dash(c, (const double[]){1, 4}, 2, 0);
    cairo_move_to(c, name->x + 2, name->end);
    cairo_line_to(c, x + 2, name->at);
    cairo_stroke(c);
    ig_pen_colour(c, name->line->colour, 1);
    cairo_set_line_width(c, 1.8);
    use_dash(c, name->line->dash);
    cairo_move_to(c, x + 2, name->at);
    cairo_line_to(c, x + 22, name->at);
    cairo_stroke(c);
    cairo_set_dash(c, NULL, 0, 0);
    ig_pen_grey(c, IG_PEN_INK);
    ig_pen_text(c, name->line->name, x + 26, name->at, NAME_SIZE, IG_PEN_START);
}

static void draw_plot(cairo_t *c, const void *what)
{
    const ig_plot *plot = what;
    ig_span x = {.from = LEFT, .to = WIDTH - RIGHT};
    ig_span y = {.from = HEIGHT - BOTTOM, .to = TOP};
    ig_plot_name name[IG_PLOT_NAMES];
    size_t names, more;
    double air;
    char text[48];

    ig_plot_fit(plot, &x, &y);
    air = 0.05 * (y.high - y.low);
    y.low -= air;
    y.high += air;
    ig_pen_axes(c, &x, &y, plot->x_label, plot->y_label);
    for (size_t l = 0; l < plot->lines; l++)
        put_line(c, &plot->line[l], &x, &y);
    for (size_t l = 0; l < plot->lines; l++)
        put_best(c, &plot->line[l], &x, &y);
    names = ig_plot_names(plot, &x, &y, NAME_STEP, name, &more);
    for (size_t i = 0; i < names; i++)
        put_name(c, &name[i]);
    snprintf(text, sizeof text, "and %zu more", more);
    if (more)
        ig_pen_text(c, text, WIDTH - RIGHT + 32, HEIGHT - BOTTOM + 14, NAME_SIZE,
                    IG_PEN_START);
}

ig_status ig_plot_svg(const ig_plot *plot, char **svg, size_t *size, ig_error *error)
{
    return ig_pen_file(IG_SVG, WIDTH, HEIGHT, draw_plot, plot, svg, size, error);
}
