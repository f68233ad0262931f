/* Maps as pictures, by cairo. Independent of datasets and runs. */
#include "view/picture.h"

#include <math.h>
#include <stdio.h>

#include <cairo.h>

#include "core/memory.h"
#include "core/writer.h"
#include "view/palette.h"
#include "view/picture_pen.h"

/* Sheet dimensions in points. */
enum {
    WIDTH = IG_PICTURE_WIDTH,
    HEIGHT = IG_PICTURE_HEIGHT,
    LEFT = 70,
    RIGHT = 130,
    TOP = 40,
    BOTTOM = 56,
    LEGEND_MOST = 48,
    NAMES_MOST = 24,
    /* Larger vector files are slow to draw and open: use an image. */
    VECTOR_POINTS = 20000
};

/* A prime larger than any number of rows: n · MIXING modulo the rows visits each row
 * once, in scattered order. */
static const uint64_t MIXING = 2654435761;

/* --- axes ------------------------------------------------------------------------- */

static bool point_of(const ig_picture *p, size_t s, size_t row, double out[2])
{
    const float *xy = p->of_series[s].xy + row * p->of_series[s].stride;

    out[0] = (double)xy[0];
    out[1] = (double)xy[1];
    return p->of[row] < p->groups && isfinite(out[0]) && isfinite(out[1]);
}

/* Both axes have one scale and a margin around the data. */
void ig_picture_axes(const ig_picture *p, ig_span axis[2])
{
    double point[2], scale = INFINITY;

    axis[0] = (ig_span){INFINITY, -INFINITY, LEFT, WIDTH - RIGHT};
    axis[1] = (ig_span){INFINITY, -INFINITY, HEIGHT - BOTTOM, TOP};
    for (size_t s = 0; s < p->series; s++)
        for (size_t i = 0; i < p->rows; i++)
            for (int a = 0; point_of(p, s, i, point) && a < 2; a++)
                ig_span_widen(&axis[a], point[a]);
    for (int a = 0; a < 2; a++) {
        double span = axis[a].high - axis[a].low;

        if (!(span >= 0)) /* no finite value */
            axis[a].low = axis[a].high = span = 0;
        if (span > 0)
            scale = fmin(scale, fabs(axis[a].to - axis[a].from) * 0.94 / span);
    }
    scale = isfinite(scale) ? scale : 1;
    for (int a = 0; a < 2; a++) {
        double middle = (axis[a].low + axis[a].high) / 2;
        double half = fabs(axis[a].to - axis[a].from) / scale / 2;

        axis[a].low = middle - half;
        axis[a].high = middle + half;
    }
}

bool ig_picture_place(const ig_picture *p, const ig_span axis[2], size_t row,
                      double place[2])
{
    if (!point_of(p, 0, row, place))
        return false;
    for (int a = 0; a < 2; a++)
        place[a] = ig_span_place(&axis[a], place[a]);
    return true;
}

/* --- colours ---------------------------------------------------------------------- */

static void use_group(cairo_t *c, const ig_picture *p, size_t group, double alpha)
{
    if (p->steps && group >= p->steps) /* unmeasured groups stay behind */
        cairo_set_source_rgba(c, 0.78, 0.78, 0.78, alpha);
    else
        ig_pen_colour(c, p->colour ? p->colour[group] : ig_colour_language(group),
                      alpha);
}

static void put_marker(cairo_t *c, double x, double y, double radius, bool ring)
{
    if (!ring) {
        ig_pen_dot(c, x, y, radius);
        return;
    }
    cairo_new_path(c);
    cairo_arc(c, x, y, radius * 0.85, 0, 2 * 3.14159265358979);
    cairo_set_line_width(c, radius * 0.45);
    cairo_stroke(c);
}

/* --- points ---------------------------------------------------------------------- */

static bool has_ring(const ig_picture *p, size_t s)
{
    return p->series == 2 && s == 0;
}

static double marker_radius(const ig_picture *p)
{
    double points = 0;

    for (size_t i = 0; i < p->rows; i++)
        points += p->of[i] < p->groups ? (double)p->series : 0;
    return fmax(0.8, fmin(3.2, 3.2 * pow(2000 / fmax(points, 1), 0.25)));
}

/* Pre-rendered markers of a raster layer: one per series, (2·half + 1)² pixels,
 * `density` pixels per point. */
typedef struct stamps {
    cairo_surface_t *stamp[IG_PICTURE_SERIES];
    double density;
    int half;
} stamps;

static void make_stamps(stamps *m, const ig_picture *p)
{
    double radius = marker_radius(p) * m->density;

    m->half = (int)ceil(radius + 1);
    for (size_t s = 0; s < p->series; s++) {
        cairo_t *c;

        m->stamp[s] = cairo_image_surface_create(CAIRO_FORMAT_A8, 2 * m->half + 1,
                                                 2 * m->half + 1);
        c = cairo_create(m->stamp[s]);
        if (p->density > 0)
            cairo_set_antialias(c, CAIRO_ANTIALIAS_NONE);
        put_marker(c, m->half + 0.5, m->half + 0.5, radius, has_ring(p, s));
        cairo_destroy(c);
    }
}

static void put_groups(cairo_t *c, const ig_picture *p, const ig_span axis[2],
                       const stamps *m, size_t first, size_t end)
{
    double radius = marker_radius(p);
    double point[2];

    for (size_t n = 0; n < p->rows; n++)
        for (size_t s = 0; s < p->series; s++) {
            size_t row = n * MIXING % p->rows;

            if (p->of[row] < first || p->of[row] >= end || !point_of(p, s, row, point))
                continue;
            for (int a = 0; a < 2; a++)
                point[a] = ig_span_place(&axis[a], point[a]);
            use_group(c, p, p->of[row], m && p->density > 0 ? 1 : 0.75);
            if (m)
                cairo_mask_surface(c, m->stamp[s],
                                   floor(m->density * point[0]) - m->half,
                                   floor(m->density * point[1]) - m->half);
            else
                put_marker(c, point[0], point[1], radius, has_ring(p, s));
        }
}

static void put_points(cairo_t *c, const ig_picture *p, const ig_span axis[2],
                       const stamps *m)
{
    if (p->steps)
        put_groups(c, p, axis, m, p->steps, p->groups);
    put_groups(c, p, axis, m, 0, p->steps ? p->steps : p->groups);
}

static void put_points_image(cairo_t *c, const ig_picture *p, const ig_span axis[2],
                             double density)
{
    stamps m = {.density = density};
    cairo_surface_t *image = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, (int)(WIDTH * density), (int)(HEIGHT * density));
    cairo_t *on = cairo_create(image);

    make_stamps(&m, p);
    put_points(on, p, axis, &m);
    for (size_t s = 0; s < p->series; s++)
        cairo_surface_destroy(m.stamp[s]);
    cairo_destroy(on);
    cairo_save(c);
    cairo_scale(c, 1 / density, 1 / density);
    cairo_set_source_surface(c, image, 0, 0);
    cairo_paint(c);
    cairo_restore(c);
    cairo_surface_destroy(image);
}

/* Middle and mean squared distance from it of a group, or of all (group `groups`). */
static bool middle_of(const ig_picture *p, size_t group, double middle[2],
                      double *spread)
{
    double point[2], count = 0, square = 0;

    middle[0] = middle[1] = 0;
    for (size_t i = 0; i < p->rows; i++)
        if ((p->of[i] == group || group == p->groups) &&
            point_of(p, p->series - 1, i, point)) {
            middle[0] += point[0];
            middle[1] += point[1];
            square += point[0] * point[0] + point[1] * point[1];
            count++;
        }
    middle[0] /= count;
    middle[1] /= count;
    *spread = square / count - middle[0] * middle[0] - middle[1] * middle[1];
    return count > 0;
}

/* Draw a name on a white halo, centred at x, y. */
static void put_name(cairo_t *c, const char *name, double x, double y)
{
    cairo_move_to(c, x, y + 5);
    cairo_text_path(c, name);
    cairo_set_source_rgba(c, 1, 1, 1, 0.85);
    cairo_set_line_width(c, 4);
    cairo_stroke_preserve(c);
    ig_pen_grey(c, IG_PEN_INK);
    cairo_fill(c);
}

/* Move a name (left, middle height, width) up or down by a line at most, so that it
 * overlaps none of those placed. False: there is no place. */
static bool find_place(double (*at)[3], size_t placed, double name[3])
{
    double y = name[1];

    for (int step = 0; step <= 16; step++) {
        size_t i = 0;

        name[1] = y + (step % 2 ? 1 : -1) * ((step + 1) / 2) * 2.0;
        while (i < placed &&
               (name[0] >= at[i][0] + at[i][2] + 4 ||
                at[i][0] >= name[0] + name[2] + 4 || fabs(name[1] - at[i][1]) >= 15))
            i++;
        if (i == placed)
            return true;
    }
    return false;
}

/* Names of the groups that are compact, at their middles. */
static void put_names(cairo_t *c, const ig_picture *p, const ig_span axis[2])
{
    double at[NAMES_MOST][3], middle[2], all, spread;
    size_t placed = 0;

    if (p->groups > NAMES_MOST || p->steps)
        return; /* they would hide the points; the legend has them */
    cairo_set_font_size(c, 14);
    middle_of(p, p->groups, middle, &all);
    for (size_t g = 0; g < p->groups; g++) {
        cairo_text_extents_t extents;
        double *name = at[placed];
        char shown[64];

        if (!middle_of(p, g, middle, &spread) || !(spread <= all / 2))
            continue;
        ig_pen_clean(p->group[g], shown, sizeof shown);
        cairo_text_extents(c, shown, &extents);
        name[0] = ig_span_place(&axis[0], middle[0]) - extents.width / 2;
        name[1] = ig_span_place(&axis[1], middle[1]);
        name[2] = extents.width;
        if (find_place(at, placed, name)) {
            put_name(c, shown, name[0], name[1]);
            placed++;
        }
    }
}

/* --- legend ------------------------------------------------------------- */

static void put_legend(cairo_t *c, const ig_picture *p)
{
    size_t shown = p->groups < LEGEND_MOST ? p->groups : LEGEND_MOST;
    size_t lines = shown + (p->series > 1 ? p->series + 1 : 0) + 1 +
                   (p->legend != NULL);
    double step = fmin(20, (HEIGHT - TOP - BOTTOM) / (double)lines);
    double size = fmin(13, step * 0.8);
    double x = WIDTH - RIGHT + 20, y = TOP + 10;
    char more[64];

    for (size_t s = 0; s < p->series && p->series > 1; s++, y += step) {
        ig_pen_grey(c, IG_PEN_INK);
        put_marker(c, x, y, size * 0.35, has_ring(p, s));
        ig_pen_text(c, p->of_series[s].name, x + 12, y, size, IG_PEN_START);
    }
    y += p->series > 1 ? step / 2 : 0;
    if (p->legend) {
        ig_pen_grey(c, IG_PEN_GREY);
        ig_pen_text(c, p->legend, x - 4, y, size, IG_PEN_START);
        y += step;
    }
    for (size_t g = 0; g < shown; g++, y += step) {
        use_group(c, p, g, 1);
        put_marker(c, x, y, size * 0.35, false);
        ig_pen_grey(c, IG_PEN_INK);
        ig_pen_text(c, p->group[g], x + 12, y, size, IG_PEN_START);
    }
    if (shown < p->groups) {
        snprintf(more, sizeof more, "and %zu more", p->groups - shown);
        ig_pen_text(c, more, x - 4, y, size, IG_PEN_START);
    }
}

/* --- files ----------------------------------------------------------------------- */

static void draw_picture(cairo_t *c, const void *picture)
{
    const ig_picture *p = picture;
    bool vector = cairo_surface_get_type(cairo_get_target(c)) !=
                  CAIRO_SURFACE_TYPE_IMAGE;
    ig_span axis[2];

    ig_picture_axes(p, axis);
    ig_pen_axes(c, &axis[0], &axis[1], p->x_label, p->y_label);
    if (p->title)
        ig_pen_text(c, p->title, LEFT, TOP / 2.0, 14, IG_PEN_START);
    cairo_save(c);
    cairo_rectangle(c, LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    cairo_clip(c);
    if (p->rows * p->series > (vector && p->shapes ? p->shapes : VECTOR_POINTS))
        put_points_image(c, p, axis,
                         vector && p->density > 0 ? p->density : IG_PEN_PIXELS);
    else
        put_points(c, p, axis, NULL);
    put_names(c, p, axis);
    cairo_restore(c);
    put_legend(c, p);
}

static ig_status draw_file(const ig_picture *picture, ig_picture_format format,
                           char **bytes, size_t *size, ig_error *error)
{
    *bytes = NULL;
    *size = 0;
    if (picture->series < 1 || picture->series > IG_PICTURE_SERIES)
        return ig_fail(error, IG_SHAPE, "a picture has one or two series, not %zu",
                       picture->series);
    return ig_pen_file(format, WIDTH, HEIGHT, draw_picture, picture, bytes, size,
                       error);
}

ig_status ig_picture_write(const ig_picture *picture, ig_picture_format format,
                           const char *path, ig_error *error)
{
    ig_writer writer = {0};
    ig_status status = ig_writer_open(&writer, path, error);
    char *bytes;
    size_t size;

    if (status != IG_OK)
        return status;
    status = draw_file(picture, format, &bytes, &size, error);
    if (status == IG_OK)
        fwrite(bytes, 1, size, writer.file);
    ig_free(bytes);
    return ig_writer_end(&writer, status, error);
}

ig_status ig_picture_svg(const ig_picture *picture, char **svg, size_t *size,
                         ig_error *error)
{
    return draw_file(picture, IG_SVG, svg, size, error);
}
