/* Maps as pictures, by cairo. Knows nothing of sets and runs. */
#include "draw/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cairo.h>

#include "base/file.h"
#include "base/memory.h"
#include "draw/axes.h"
#include "draw/palette.h"
#include "draw/picture_pen.h"

/* The sheet, in points; a PNG has PIXELS to a point. */
enum {
    WIDTH = 800,
    HEIGHT = 600,
    LEFT = 70,
    RIGHT = 130,
    TOP = 40,
    BOTTOM = 56,
    PIXELS = 2,
    TICKS = 7,
    LEGEND_MOST = 48,
    NAMES_MOST = 24,
    /* More would be slow to draw, and to open as vectors: they become an image. */
    VECTOR_POINTS = 20000
};

/* Where data lands on the sheet: x' = x0 + scale·x, y' = y0 − scale·y. */
typedef struct frame {
    double scale, x0, y0;
    double low[2], high[2]; /* of the visible data, by axis */
} frame;

/* --- the frame ------------------------------------------------------------------- */

static bool point_of(const ig_picture *p, size_t s, size_t row, double out[2])
{
    const float *xy = p->of_series[s].xy + row * p->of_series[s].stride;

    out[0] = (double)xy[0];
    out[1] = (double)xy[1];
    return isfinite(out[0]) && isfinite(out[1]);
}

/* One scale for both axes, the data in the middle with a little air. */
static frame fit_frame(const ig_picture *p)
{
    frame f = {.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    double inside[2] = {WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM};
    double point[2], scale = INFINITY;

    for (size_t s = 0; s < p->series; s++)
        for (size_t i = 0; i < p->rows; i++)
            for (int a = 0; point_of(p, s, i, point) && a < 2; a++) {
                f.low[a] = fmin(f.low[a], point[a]);
                f.high[a] = fmax(f.high[a], point[a]);
            }
    for (int a = 0; a < 2; a++) {
        double span = f.high[a] - f.low[a];

        if (!(span >= 0)) /* nothing is finite */
            f.low[a] = f.high[a] = span = 0;
        if (span > 0)
            scale = fmin(scale, inside[a] * 0.94 / span);
    }
    f.scale = isfinite(scale) ? scale : 1;
    for (int a = 0; a < 2; a++) {
        double middle = (f.low[a] + f.high[a]) / 2;

        f.low[a] = middle - inside[a] / f.scale / 2;
        f.high[a] = middle + inside[a] / f.scale / 2;
    }
    f.x0 = LEFT - f.scale * f.low[0];
    f.y0 = TOP + f.scale * f.high[1];
    return f;
}

/* --- ink ------------------------------------------------------------------------- */

static void use_group(cairo_t *c, const ig_picture *p, size_t group, double alpha)
{
    if (p->steps && group >= p->steps) /* what was not measured stays behind */
        cairo_set_source_rgba(c, 0.78, 0.78, 0.78, alpha);
    else
        ig_pen_colour(c, p->colour ? p->colour[group] : ig_colour_language(group),
                      alpha);
}

static void put_marker(cairo_t *c, double x, double y, double radius, bool ring)
{
    cairo_new_path(c);
    cairo_arc(c, x, y, ring ? radius * 0.85 : radius, 0, 2 * 3.14159265358979);
    if (ring) {
        cairo_set_line_width(c, radius * 0.45);
        cairo_stroke(c);
    } else {
        cairo_fill(c);
    }
}

/* --- points ---------------------------------------------------------------------- */

static size_t common_divisor(size_t a, size_t b)
{
    while (b) {
        size_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* A step that visits every one of n rows once, far from its neighbours. */
static size_t mixing_step(size_t n)
{
    size_t step = (size_t)((double)n * 0.6180339887) | 1;

    while (step > 1 && common_divisor(step, n) != 1)
        step--;
    return step;
}

static bool has_ring(const ig_picture *p, size_t s)
{
    return p->series == 2 && s == 0;
}

static double marker_radius(const ig_picture *p)
{
    double points = (double)(p->rows * p->series);

    return fmax(0.8, fmin(3.2, 3.2 * pow(2000 / fmax(points, 1), 0.25)));
}

/* Markers of a raster layer, drawn once: a stamp for each series, (2·half + 1)² pixels;
 * `density` pixels a point. */
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
        put_marker(c, m->half + 0.5, m->half + 0.5, radius, has_ring(p, s));
        cairo_destroy(c);
    }
}

/* Points of the groups from `first` up to `end`; by stamps, or as shapes (NULL). */
static void put_groups(cairo_t *c, const ig_picture *p, const frame *f, const stamps *m,
                       size_t first, size_t end)
{
    double radius = marker_radius(p);
    double point[2];
    size_t step = mixing_step(p->rows);
    size_t row = 0;

    for (size_t n = 0; n < p->rows; n++, row = (row + step) % p->rows)
        for (size_t s = 0; s < p->series; s++) {
            if (p->of[row] < first || p->of[row] >= end || !point_of(p, s, row, point))
                continue;
            point[0] = f->x0 + f->scale * point[0];
            point[1] = f->y0 - f->scale * point[1];
            use_group(c, p, p->of[row], 0.75);
            if (m)
                cairo_mask_surface(c, m->stamp[s],
                                   floor(m->density * point[0]) - m->half,
                                   floor(m->density * point[1]) - m->half);
            else
                put_marker(c, point[0], point[1], radius, has_ring(p, s));
        }
}

static void put_points(cairo_t *c, const ig_picture *p, const frame *f, const stamps *m)
{
    if (p->steps)
        put_groups(c, p, f, m, p->steps, p->groups);
    put_groups(c, p, f, m, 0, p->steps ? p->steps : p->groups);
}

/* The points as one image under the lines, where there are many. */
static void put_points_image(cairo_t *c, const ig_picture *p, const frame *f,
                             double density)
{
    stamps m = {.density = density};
    cairo_surface_t *image = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, (int)(WIDTH * density), (int)(HEIGHT * density));
    cairo_t *on = cairo_create(image);

    make_stamps(&m, p);
    put_points(on, p, f, &m);
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

/* The middle of a group's points in the last series; false when it has none. */
static bool middle_of(const ig_picture *p, size_t group, double middle[2])
{
    double point[2];
    size_t count = 0;

    middle[0] = middle[1] = 0;
    for (size_t i = 0; i < p->rows; i++)
        if (p->of[i] == group && point_of(p, p->series - 1, i, point)) {
            middle[0] += point[0];
            middle[1] += point[1];
            count++;
        }
    middle[0] /= (double)count;
    middle[1] /= (double)count;
    return count > 0;
}

/* A name on a white halo, its middle at x, y. */
static void put_name(cairo_t *c, const char *name, double x, double y)
{
    cairo_text_extents_t extents;

    cairo_text_extents(c, name, &extents);
    cairo_move_to(c, x - extents.width / 2, y + 5);
    cairo_text_path(c, name);
    cairo_set_source_rgba(c, 1, 1, 1, 0.85);
    cairo_set_line_width(c, 4);
    cairo_stroke_preserve(c);
    ig_pen_grey(c, IG_PEN_INK);
    cairo_fill(c);
}

/* The height nearest to y at which a name at x covers none of those that stand. */
static double free_height(double (*at)[2], size_t placed, double x, double y)
{
    for (int step = 0;; step++) {
        double height = y + (step % 2 ? 1 : -1) * ((step + 1) / 2) * 2.0;
        size_t i = 0;

        while (i < placed &&
               (fabs(x - at[i][0]) >= 22 || fabs(height - at[i][1]) >= 15))
            i++;
        if (i == placed)
            return height;
    }
}

/* The name of each group at the middle of its points, moved where others stand. */
static void put_names(cairo_t *c, const ig_picture *p, const frame *f)
{
    double at[NAMES_MOST][2];
    size_t placed = 0;

    if (p->groups > NAMES_MOST || p->steps)
        return; /* they would hide the points: the legend has them */
    cairo_set_font_size(c, 14);
    for (size_t g = 0; g < p->groups; g++) {
        double middle[2], x, y;
        char shown[64];

        if (!middle_of(p, g, middle))
            continue;
        ig_pen_clean(p->group[g], shown, sizeof shown);
        x = f->x0 + f->scale * middle[0];
        y = f->y0 - f->scale * middle[1];
        at[placed][0] = x;
        at[placed][1] = free_height(at, placed, x, y);
        put_name(c, shown, x, at[placed++][1]);
    }
}

/* --- axes and legend ------------------------------------------------------------- */

static void put_ticks(cairo_t *c, const frame *f, int axis)
{
    double tick[TICKS];
    size_t count = ig_axes_ticks(f->low[axis], f->high[axis], TICKS, tick);
    int decimals = ig_axes_decimals(tick, count);
    double bottom = HEIGHT - BOTTOM, right = WIDTH - RIGHT;
    char number[IG_NUMBER_SIZE];

    for (size_t i = 0; i < count; i++) {
        double at = axis == 0 ? f->x0 + f->scale * tick[i] : f->y0 - f->scale * tick[i];

        ig_pen_grey(c, IG_PEN_PALE);
        cairo_set_line_width(c, 0.7);
        cairo_move_to(c, axis == 0 ? at : LEFT, axis == 0 ? TOP : at);
        cairo_line_to(c, axis == 0 ? at : right, axis == 0 ? bottom : at);
        cairo_stroke(c);
        ig_pen_grey(c, IG_PEN_INK);
        ig_fixed_format(number, tick[i], decimals, 0);
        if (axis == 0)
            ig_pen_text(c, number, at, bottom + 14, 12, IG_PEN_MIDDLE);
        else
            ig_pen_text(c, number, LEFT - 8, at, 12, IG_PEN_END);
    }
}

static void put_axes(cairo_t *c, const ig_picture *p, const frame *f)
{
    put_ticks(c, f, 0);
    put_ticks(c, f, 1);
    ig_pen_grey(c, IG_PEN_GREY);
    cairo_set_line_width(c, 1);
    cairo_rectangle(c, LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    cairo_stroke(c);
    ig_pen_grey(c, IG_PEN_INK);
    ig_pen_text(c, p->x_label, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 18, 13,
                IG_PEN_MIDDLE);
    ig_pen_upright(c, p->y_label, 18, TOP + (HEIGHT - TOP - BOTTOM) / 2.0, 13);
    if (p->title)
        ig_pen_text(c, p->title, LEFT, TOP / 2.0, 14, IG_PEN_START);
}

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

static void draw(cairo_t *c, const ig_picture *p, bool vector)
{
    frame f = fit_frame(p);

    ig_pen_sheet(c);
    put_axes(c, p, &f);
    cairo_save(c);
    cairo_rectangle(c, LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    cairo_clip(c);
    if (p->rows * p->series > (vector && p->shapes ? p->shapes : VECTOR_POINTS))
        put_points_image(c, p, &f, vector && p->density > 0 ? p->density : PIXELS);
    else
        put_points(c, p, &f, NULL);
    put_names(c, p, &f);
    cairo_restore(c);
    put_legend(c, p);
    cairo_show_page(c);
}

static cairo_status_t write_bytes(void *file, const unsigned char *bytes,
                                  unsigned int count)
{
    return fwrite(bytes, 1, count, file) == count ? CAIRO_STATUS_SUCCESS
                                                  : CAIRO_STATUS_WRITE_ERROR;
}

static void draw_vector(cairo_t *c, const void *picture)
{
    draw(c, picture, true);
}

/* The picture in pixels; cairo's own word on what went wrong. */
static cairo_status_t draw_pixels(const ig_picture *p, cairo_surface_t **out)
{
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH * PIXELS, HEIGHT * PIXELS);
    cairo_t *c = cairo_create(surface);
    cairo_status_t status;

    cairo_scale(c, PIXELS, PIXELS);
    draw(c, p, false);
    status = cairo_status(c);
    cairo_destroy(c);
    cairo_surface_flush(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    *out = surface;
    return status;
}

/* A PNG into an open file. */
static cairo_status_t write_png(const ig_picture *p, FILE *file)
{
    cairo_surface_t *surface;
    cairo_status_t status = draw_pixels(p, &surface);

    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, write_bytes, file);
    cairo_surface_destroy(surface);
    return status;
}

/* The picture into an open file. */
static ig_status render(const ig_picture *p, ig_picture_format format, const char *path,
                        FILE *file, ig_error *error)
{
    cairo_status_t drawn;
    ig_status status;
    char *bytes;
    size_t size;

    if (format != IG_PNG) {
        status = (format == IG_PDF ? ig_pen_pdf : ig_pen_svg)(
            WIDTH, HEIGHT, draw_vector, p, &bytes, &size, error);
        if (status == IG_OK)
            fwrite(bytes, 1, size, file);
        else
            status = ig_fail_memory(error, path);
        ig_free(bytes);
        return status;
    }
    ig_pen_take();
    drawn = write_png(p, file);
    ig_pen_give();
    if (drawn == CAIRO_STATUS_SUCCESS)
        return IG_OK;
    return drawn == CAIRO_STATUS_NO_MEMORY
               ? ig_fail_memory(error, path)
               : ig_fail(error, IG_IO, "%s: %s", path, cairo_status_to_string(drawn));
}

static ig_status check(const ig_picture *picture, ig_error *error)
{
    if (picture->series < 1 || picture->series > IG_PICTURE_SERIES)
        return ig_fail(error, IG_SHAPE, "a picture has one or two series, not %zu",
                       picture->series);
    return IG_OK;
}

ig_status ig_picture_write(const ig_picture *picture, ig_picture_format format,
                           const char *path, ig_error *error)
{
    ig_writer writer = {0};
    ig_status status = check(picture, error);

    if (status == IG_OK)
        status = ig_writer_open(&writer, path, error);
    if (status != IG_OK)
        return status;
    status = render(picture, format, path, writer.file, error);
    return ig_writer_end(&writer, status, error);
}

ig_status ig_picture_svg(const ig_picture *picture, char **svg, size_t *size,
                         ig_error *error)
{
    ig_status status = check(picture, error);

    *svg = NULL;
    *size = 0;
    return status == IG_OK
               ? ig_pen_svg(WIDTH, HEIGHT, draw_vector, picture, svg, size, error)
               : status;
}
