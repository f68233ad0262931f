/* Pictures by cairo: maps on white paper, in the screen's colours. */
#include "view/picture.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include "core/file.h"
#include "core/pool.h"
#include "core/text.h"
#include "data/content.h"

enum { PIXELS = 2 /* of a PNG per point of the sheet */, SHOWN = 512 };

static const double PI = 3.14159265358979;

/* --- pens ------------------------------------------------------------------------- */

/* Greys, 0 black … 1 white: texts, frames, grids. */
static const double INK = 0.15, GREY = 0.55, PALE = 0.88;
static const double ALPHA = 0.75; /* of points */

enum anchor { MIDDLE, START, END };

static void use_grey(cairo_t *c, double level)
{
    cairo_set_source_rgb(c, level, level, level);
}

/* A palette colour as it is on white, where the terminal's own is that of texts. */
static void use_colour(cairo_t *c, int colour, double alpha)
{
    unsigned char rgb[3] = {255 * INK, 255 * INK, 255 * INK};

    if (colour != IG_COLOUR_TEXT && colour != IG_COLOUR_MEANING)
        ig_palette_rgb(colour, IG_THEME_LIGHT, rgb);
    cairo_set_source_rgba(c, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0, alpha);
}

static void put_dot(cairo_t *c, double x, double y, double radius)
{
    cairo_new_path(c);
    cairo_arc(c, x, y, radius, 0, 2 * PI);
    cairo_fill(c);
}

static void put_line(cairo_t *c, double x0, double y0, double x1, double y1)
{
    cairo_move_to(c, x0, y0);
    cairo_line_to(c, x1, y1);
    cairo_stroke(c);
}

/* The graphemes of a text as they are displayed. */
static void format_shown(char shown[SHOWN], const char *text)
{
    size_t used = 0;

    for (size_t length = strlen(text); length;) {
        ig_grapheme g = ig_text_grapheme(text, length);

        if (strncmp(text, "−", 3) == 0) /* Noto Sans, and others, lack U+2212 */
            g = (ig_grapheme){.bytes = "-", .length = 1, .source = g.source};
        if (used + g.length + 1 > SHOWN)
            break;
        memcpy(shown + used, g.bytes, g.length);
        used += g.length;
        text += g.source;
        length -= g.source;
    }
    shown[used] = '\0';
}

/* The texts of an SVG file, a FILE: cairo would make them outlines. */
static const cairo_user_data_key_t TEXTS;

static void add_element(cairo_t *c, FILE *out, const char *text, double x, double y,
                        double size, enum anchor anchor)
{
    static const char *const names[] = {"middle", "start", "end"};
    cairo_matrix_t m;
    double rgb[3], alpha;

    cairo_get_matrix(c, &m);
    cairo_pattern_get_rgba(cairo_get_source(c), &rgb[0], &rgb[1], &rgb[2], &alpha);
    fprintf(out,
            "<text transform=\"matrix(%g %g %g %g %g %g)\" x=\"%.1f\" y=\"%.1f\" "
            "font-family=\"sans-serif\" font-size=\"%.3g\" text-anchor=\"%s\" "
            "fill=\"rgb(%.0f,%.0f,%.0f)\">",
            m.xx, m.yx, m.xy, m.yy, m.x0, m.y0, x, y, size, names[anchor], 255 * rgb[0],
            255 * rgb[1], 255 * rgb[2]);
    ig_text_put_xml(out, text);
    fputs("</text>\n", out);
}

/* Draw text aligned at its middle, start or end to x, vertically centred at y. */
static void put_text(cairo_t *c, const char *text, double x, double y, double size,
                     enum anchor anchor)
{
    FILE *texts = cairo_surface_get_user_data(cairo_get_target(c), &TEXTS);
    cairo_text_extents_t extents;
    char shown[SHOWN];

    format_shown(shown, text);
    y += size * 0.35;
    if (texts) {
        add_element(c, texts, shown, x, y, size, anchor);
        return;
    }
    cairo_set_font_size(c, size);
    cairo_text_extents(c, shown, &extents);
    if (anchor == MIDDLE)
        x -= extents.width / 2 + extents.x_bearing;
    else if (anchor == END)
        x -= extents.x_advance;
    cairo_move_to(c, x, y);
    cairo_show_text(c, shown);
}

/* --- axes ------------------------------------------------------------------------- */

/* Draw the grid of one axis with round numbers at the left or below: the names, or the
 * whole numbers, of the plane, where its tracks have those along x. */
static void put_ticks(cairo_t *c, const ig_span *a, const ig_span *other, bool is_y,
                      const ig_plane *named)
{
    enum { TICKS = 6 };
    double tick[TICKS], size = 11;
    size_t round = ig_axes_ticks(a->low, a->high, TICKS, tick);
    bool whole = named && named->plot && !is_y, names = named && named->names;
    size_t count = names ? named->names : round;
    double step = fabs(a->to - a->from) / (double)(count + !count);
    int decimals = ig_axes_decimals(tick, round);

    for (size_t i = 0; i < count; i++) {
        double at = ig_span_place(a, names ? (double)i : tick[i]);
        char number[IG_NUMBER_SIZE];
        const char *text =
            names ? named->name[i]
                  : ig_fixed_format(number, tick[i], whole ? 0 : decimals, 0);

        if (whole && !names && tick[i] != floor(tick[i])) /* between two epochs */
            continue;
        if (names)
            size = fmin(11, fmin(0.9 * step, (is_y ? 40 : step) / 0.6 /
                                                 (ig_text_columns(text) + 1)));
        use_grey(c, PALE);
        cairo_set_line_width(c, 0.7);
        if (is_y)
            put_line(c, other->from, at, other->to, at);
        else
            put_line(c, at, other->from, at, other->to);
        use_grey(c, INK);
        if (is_y)
            put_text(c, text, other->from - 7, at, size, END);
        else
            put_text(c, text, at, other->from + 13, size, MIDDLE);
    }
}

/* Draw a grid, a frame, and the titles of the axes. */
static void put_axes(cairo_t *c, const ig_span *x, const ig_span *y,
                     const char *x_label, const char *y_label, const ig_plane *named)
{
    enum { SIZE = 12 };

    put_ticks(c, x, y, false, named);
    put_ticks(c, y, x, true, named && named->heat ? named : NULL);
    use_grey(c, GREY);
    cairo_set_line_width(c, 1);
    cairo_rectangle(c, x->from, y->to, x->to - x->from, y->from - y->to);
    cairo_stroke(c);
    use_grey(c, INK);
    put_text(c, x_label, (x->from + x->to) / 2, y->from + 34, SIZE, MIDDLE);
    cairo_save(c); /* vertical, read from below */
    cairo_translate(c, x->from - 50, (y->from + y->to) / 2);
    cairo_rotate(c, -PI / 2);
    put_text(c, y_label, 0, 0, SIZE, MIDDLE);
    cairo_restore(c);
}

/* --- files ------------------------------------------------------------------------ */

static cairo_status_t write_bytes(void *out, const unsigned char *bytes,
                                  unsigned int count)
{
    return out && fwrite(bytes, 1, count, out) == count ? CAIRO_STATUS_SUCCESS
                                                        : CAIRO_STATUS_NO_MEMORY;
}

/* End a file in memory: the texts of SVG, the title of PNG as a chunk of a length and
 * with a checksum before the last, and the mark of own files. */
static void put_end(FILE *out, char *const *bytes, const size_t *size,
                    ig_picture_format format, const char *text)
{
    static const char head[] = "iTXtDescription\0\0\0\0",
                      end[] = "\0\0\0\0IEND\xae\x42\x60\x82";
    uint32_t number = htonl((uint32_t)(sizeof head - 4 + strlen(text)));
    size_t at;

    if (format == IG_SVG) {
        fseek(out, -7, SEEK_CUR);
        fprintf(out, "%s</desc>\n</svg>\n", text);
    } else if (format == IG_PNG) {
        fseek(out, 1 - (long)sizeof end, SEEK_CUR);
        at = (size_t)ftell(out) + 4;
        fwrite(&number, 4, 1, out);
        fwrite(head, 1, sizeof head, out);
        fputs(text, out);
        fflush(out);
        number = htonl(ig_crc32(*bytes + at, *size - at));
        fwrite(&number, 4, 1, out);
        fwrite(end, 1, sizeof end - 1, out);
    }
    fputs(format == IG_PDF ? "%" : "", out);
    fflush(out);
    fprintf(out, IG_OWN_MARK, ig_crc32(*bytes, *size));
}

typedef void draw_sheet(cairo_t *c, const void *what);

/* Draw a white sheet of a size in points: *bytes (out) *size bytes for free(), or NULL
 * on failure. Cairo's typefaces and caches, which are shared and partly unlocked, are
 * for one thread at a time. */
static ig_status make_file(ig_picture_format format, int width, int height,
                           draw_sheet *draw, const void *what, const char *title,
                           char **bytes, size_t *size, ig_error *error)
{
    static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;
    char shown[SHOWN], *text = *bytes = NULL;
    size_t length;
    FILE *out = open_memstream(bytes, size), *texts = open_memstream(&text, &length);
    cairo_status_t status = out && texts ? CAIRO_STATUS_SUCCESS
                                         : CAIRO_STATUS_NO_MEMORY;
    cairo_surface_t *surface;
    cairo_t *c;

    pthread_mutex_lock(&drawing);
    surface = format == IG_SVG
                  ? cairo_svg_surface_create_for_stream(write_bytes, out, width, height)
              : format == IG_PDF
                  ? cairo_pdf_surface_create_for_stream(write_bytes, out, width, height)
                  : cairo_image_surface_create(CAIRO_FORMAT_RGB24, width * PIXELS,
                                               height * PIXELS);
    format_shown(shown, title ? title : "");
    if (format == IG_SVG)
        cairo_surface_set_user_data(surface, &TEXTS, texts, NULL);
    if (format == IG_PDF)
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, shown);
    c = cairo_create(surface);
    if (format == IG_PNG)
        cairo_scale(c, PIXELS, PIXELS);
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_source_rgb(c, 1, 1, 1);
    cairo_paint(c);
    draw(c, what);
    cairo_show_page(c);
    status = status ? status : cairo_status(c);
    cairo_destroy(c);
    if (format == IG_PNG && status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, write_bytes, out);
    cairo_surface_finish(surface);
    status = status ? status : cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    pthread_mutex_unlock(&drawing);
    if (texts && format == IG_SVG) {
        fputs("<desc>", texts);
        ig_text_put_xml(texts, shown);
    }
    if ((texts && fclose(texts) != 0) || (format == IG_SVG && !text))
        status = CAIRO_STATUS_NO_MEMORY;
    if (status == CAIRO_STATUS_SUCCESS)
        put_end(out, bytes, size, format, format == IG_SVG ? text : shown);
    if (out && fclose(out) != 0)
        status = CAIRO_STATUS_NO_MEMORY;
    free(text);
    if (status == CAIRO_STATUS_SUCCESS)
        return IG_OK;
    free(*bytes);
    *bytes = NULL;
    return status == CAIRO_STATUS_NO_MEMORY
               ? ig_fail_memory(error, "a picture")
               : ig_fail(error, IG_IO, "a picture: %s", cairo_status_to_string(status));
}

/* --- maps ------------------------------------------------------------------------- */

/* The sheet of a map, in points. */
enum {
    WIDTH = 800,
    HEIGHT = 600,
    LEFT = 70,
    RIGHT = 165,
    TOP = 40,
    BOTTOM = 56,
    LEGEND_MOST = 48,
    NAME_ROWS = 25, /* lines of the map for names … */
    NAME_COLS = 75  /* … and letters of each */
};

/* A map to draw. More points than `shapes` are one image in SVG and PDF, of `density`
 * pixels per point of the sheet: larger vector files are slow to draw and open. */
struct map {
    const ig_scatter *scatter;
    size_t shapes;
    double density;
    bool crisp; /* the markers of that image */
    ig_span axis[2];
};

static bool point_of(const ig_scatter *s, size_t series, size_t i, double out[2])
{
    out[0] = (double)s->of_series[series].xy[2 * i];
    out[1] = (double)s->of_series[series].xy[2 * i + 1];
    return ig_scatter_shows(s, i) && isfinite(out[0]) && isfinite(out[1]);
}

/* Both axes have one scale and a margin around the data. */
static void make_axes(const ig_scatter *s, ig_span axis[2])
{
    const double at[] = {LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM, TOP};
    ig_view v = ig_view_fit(s, 0.03);
    double scale =
        fmax((v.xmax - v.xmin) / (at[1] - at[0]), (v.ymax - v.ymin) / (at[2] - at[3]));

    for (int a = 0; a < 2; a++) {
        double from = at[2 * a], to = at[2 * a + 1], half = fabs(to - from) / 2 * scale;
        double middle = (a ? v.ymin + v.ymax : v.xmin + v.xmax) / 2;

        axis[a] = (ig_span){middle - half, middle + half, from, to};
    }
}

static void use_group(cairo_t *c, const ig_scatter *s, size_t group, double alpha)
{
    if (s->steps && group >= s->steps) /* unmeasured groups stay behind */
        cairo_set_source_rgba(c, 0.78, 0.78, 0.78, alpha);
    else
        use_colour(c, s->group[group].colour, alpha);
}

/* The first of two series has rings, the other discs. */
static void put_marker(cairo_t *c, const ig_scatter *s, size_t series, double x,
                       double y, double radius)
{
    if (s->series < 2 || series > 0) {
        put_dot(c, x, y, radius);
        return;
    }
    cairo_new_path(c);
    cairo_arc(c, x, y, radius * 0.85, 0, 2 * PI);
    cairo_set_line_width(c, radius * 0.45);
    cairo_stroke(c);
}

static double marker_radius(const ig_scatter *s)
{
    double points = 0;

    for (size_t i = 0; i < s->count; i++)
        points += ig_scatter_shows(s, i) ? (double)s->series : 0;
    return fmax(0.8, fmin(3.2, 3.2 * pow(2000 / fmax(points, 1), 0.25)));
}

/* Draw the points in a fixed scattered order, so that no group covers the others; on a
 * scale, those that are not measured stay behind. */
static void put_points(cairo_t *c, const struct map *map, double radius, double alpha)
{
    /* A prime larger than any number of rows. */
    static const uint64_t MIXING = 2654435761;
    const ig_scatter *s = map->scatter;
    double point[2];

    for (int behind = s->steps > 0; behind >= 0; behind--)
        for (size_t n = 0; n < s->count * s->series; n++) {
            size_t k = n % s->series, i = n / s->series * MIXING % s->count;
            size_t group = s->of[ig_scatter_row(s, i)];

            if ((s->steps && group >= s->steps) != behind || !point_of(s, k, i, point))
                continue;
            use_group(c, s, group, alpha);
            put_marker(c, s, k, ig_span_place(&map->axis[0], point[0]),
                       ig_span_place(&map->axis[1], point[1]), radius);
        }
}

static void put_points_image(cairo_t *c, const struct map *map, double radius)
{
    double density = map->density;
    cairo_surface_t *image = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, (int)(WIDTH * density), (int)(HEIGHT * density));
    cairo_t *on;

    cairo_surface_set_device_scale(image, density, density);
    on = cairo_create(image);
    if (map->crisp)
        cairo_set_antialias(on, CAIRO_ANTIALIAS_NONE);
    put_points(on, map, radius, map->crisp ? 1 : ALPHA);
    cairo_destroy(on);
    cairo_set_source_surface(c, image, 0, 0);
    cairo_paint(c);
    cairo_surface_destroy(image);
}

/* Write names on the cells where they were placed. */
static void put_placed(cairo_t *c, const ig_span axis[2], ig_rect cells,
                       const ig_map_name *name, size_t names, double size)
{
    double across = (axis[0].to - axis[0].from) / cells.cols;
    double down = (axis[1].from - axis[1].to) / cells.rows;

    for (size_t i = 0; i < names; i++)
        if (name[i].width) {
            use_colour(c, name[i].colour, 1);
            put_text(c, name[i].text,
                     axis[0].from + (name[i].col + name[i].width / 2.0) * across,
                     axis[1].to + (name[i].row + 0.5) * down, size, MIDDLE);
        }
}

/* The names of islands, groups or series where there are no points. */
static void put_names(cairo_t *c, const struct map *map)
{
    const ig_scatter *s = map->scatter;
    const ig_span *x = &map->axis[0], *y = &map->axis[1];
    ig_view view = {x->low, x->high, y->low, y->high};
    ig_rect rect = {0, 0, NAME_ROWS, NAME_COLS};
    uint32_t taken[NAME_ROWS * NAME_COLS] = {0};
    ig_middle *middle = ig_alloc(s->series * (s->groups + 1), sizeof *middle);
    ig_map_name name[IG_MAP_NAMES];
    size_t names;
    double point[2];
    int row, col;

    if (!middle) /* they are in the legend, too */
        return;
    for (size_t k = 0; k < s->series; k++) {
        ig_scatter_middles(s, k, middle + k * (s->groups + 1));
        for (size_t i = 0; i < s->count; i++)
            if (point_of(s, k, i, point) &&
                ig_view_cell(view, rect, point[0], point[1], &row, &col))
                taken[row * NAME_COLS + col] = 1;
    }
    names = ig_scatter_names(s, middle, view, rect, taken, name);
    for (size_t i = 0; i < names; i++)
        name[i].colour = IG_COLOUR_TEXT;
    put_placed(c, map->axis, rect, name, names, 13);
    ig_free(middle);
}

static void put_contours(cairo_t *c, const struct map *map)
{
    const ig_scatter *s = map->scatter;
    const ig_span *x = &map->axis[0], *y = &map->axis[1];

    cairo_set_line_width(c, 1.6);
    for (size_t i = 0; i < s->contours; i++) {
        const ig_contour *one = &s->contour[i];

        use_group(c, s, one->group, 1);
        put_line(c, ig_span_place(x, one->from[0]), ig_span_place(y, one->from[1]),
                 ig_span_place(x, one->to[0]), ig_span_place(y, one->to[1]));
    }
}

static void put_legend(cairo_t *c, const ig_scatter *s)
{
    size_t shown = s->groups < LEGEND_MOST ? s->groups : LEGEND_MOST;
    size_t lines = shown + (s->series > 1 ? s->series + 1 : 0) + 1 +
                   (s->legend != NULL);
    double step = fmin(20, (HEIGHT - TOP - BOTTOM) / (double)lines);
    double size = fmin(13, step * 0.8);
    double x = WIDTH - RIGHT + 20, y = TOP + 10;
    char more[64];

    for (size_t k = 0; k < s->series && s->series > 1; k++, y += step) {
        use_grey(c, INK);
        put_marker(c, s, k, x, y, size * 0.35);
        put_text(c, s->of_series[k].name, x + 12, y, size, START);
    }
    y += s->series > 1 ? step / 2 : 0;
    if (s->legend) {
        use_grey(c, GREY);
        put_text(c, s->legend, x - 4, y, size, START);
        y += step;
    }
    for (size_t g = 0; g < shown; g++) {
        const char *name = s->group[g].range ? s->group[g].range : s->group[g].name;

        if (!s->group[g].shown)
            continue;
        use_group(c, s, g, 1);
        put_dot(c, x, y, size * 0.35);
        use_grey(c, INK);
        put_text(c, name, x + 12, y,
                 fmin(size, (RIGHT - 32) / 0.6 / ig_text_columns(name)), START);
        y += step;
    }
    snprintf(more, sizeof more, "and %zu more", s->groups - shown);
    if (shown < s->groups)
        put_text(c, more, x - 4, y, size, START);
}

static void draw_map(cairo_t *c, struct map map)
{
    const ig_scatter *s = map.scatter;
    double radius = marker_radius(s);

    make_axes(s, map.axis);
    put_axes(c, &map.axis[0], &map.axis[1], s->x_label, s->y_label, NULL);
    if (s->title)
        put_text(c, s->heading ? s->heading : s->title, LEFT, TOP / 2.0,
                 fmin(14, 1350.0 / ig_text_columns(s->title)), START);
    cairo_save(c);
    cairo_rectangle(c, LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    cairo_clip(c);
    if (s->count * s->series > map.shapes)
        put_points_image(c, &map, radius);
    else
        put_points(c, &map, radius, ALPHA);
    put_contours(c, &map);
    put_names(c, &map);
    cairo_restore(c);
    put_legend(c, s);
}

static void draw_panels(cairo_t *c, const void *what)
{
    for (struct map map = *(const struct map *)what; map.scatter;
         map.scatter = map.scatter->next) {
        draw_map(c, map);
        cairo_translate(c, WIDTH, 0);
    }
}

/* --- planes ----------------------------------------------------------------------- */

/* The head of an arrow at its end. */
static void put_arrow(cairo_t *c, const double from[2], const double to[2])
{
    enum { LENGTH = 9 };
    double angle = atan2(to[1] - from[1], to[0] - from[0]);

    cairo_move_to(c, to[0], to[1]);
    for (int side = -1; side <= 1; side += 2)
        cairo_line_to(c, to[0] - LENGTH * cos(angle + side * 0.4),
                      to[1] - LENGTH * sin(angle + side * 0.4));
    cairo_close_path(c);
    cairo_fill(c);
}

/* A disc for each point, and a bar of its spread. */
static void put_bars(cairo_t *c, const ig_track *t, const ig_span axis[2])
{
    double at[3];

    for (size_t i = 0; i < t->count; i++)
        if (ig_track_point(t, i, at)) {
            double x = ig_span_place(&axis[0], at[0]);

            put_dot(c, x, ig_span_place(&axis[1], at[1]), 3);
            put_line(c, x, ig_span_place(&axis[1], at[1] - at[2]), x,
                     ig_span_place(&axis[1], at[1] + at[2]));
        }
}

static void use_track(cairo_t *c, const ig_track *t)
{
    use_colour(c, t->colour, 1);
    cairo_set_line_width(c, 1.4);
    cairo_set_dash(c, (double[]){6, 4}, t->dashed ? 2 : 0, 0);
}

/* `lines`: a disc for each point; else, in a plane, an arrow. False: no point. */
static bool put_track(cairo_t *c, const ig_track *t, const ig_span axis[2], bool lines)
{
    double at[3], last[2] = {0}, before[2] = {0};
    size_t n = 0;

    use_track(c, t);
    cairo_new_path(c);
    for (size_t i = 0; i < t->count; i++) {
        if (!ig_track_point(t, i, at)) {
            cairo_new_sub_path(c);
            continue;
        }
        memcpy(before, last, sizeof last);
        last[0] = ig_span_place(&axis[0], at[0]);
        last[1] = ig_span_place(&axis[1], at[1]);
        cairo_line_to(c, last[0], last[1]); /* the first one begins the path */
        n++;
    }
    cairo_stroke(c);
    if (t->best && ig_track_point(t, t->best - 1, at))
        put_dot(c, ig_span_place(&axis[0], at[0]), ig_span_place(&axis[1], at[1]), 4);
    cairo_set_dash(c, NULL, 0, 0);
    if (lines)
        put_bars(c, t, axis);
    else if (n > 1 && t->x)
        put_arrow(c, before, last);
    else if (n == 1)
        put_dot(c, last[0], last[1], 4);
    return n > 0;
}

/* A tile of a heat map with its figure. */
static void put_tile(cairo_t *c, const ig_heat *heat, size_t row, size_t col,
                     const double at[2], double width, double height)
{
    char figure[IG_HEAT_FIGURE];
    ig_style style = ig_heat_tile(heat, row, col, 4, IG_DEPTH_256, figure);

    use_grey(c, 1);
    if (style.bg != IG_COLOUR_DEFAULT)
        use_colour(c, style.bg, 1);
    cairo_rectangle(c, at[0], at[1], width, height);
    cairo_fill(c);
    use_grey(c,
             ig_palette_ink(style, IG_THEME_LIGHT, IG_DEPTH_256).fg == 231 ? 1 : INK);
    put_text(c, figure, at[0] + width / 2, at[1] + height / 2,
             fmin(12, fmin(0.8 * height, 0.3 * width)), MIDDLE);
}

/* The tiles of a matrix, and at the right its colours. */
static void put_matrix(cairo_t *c, const ig_heat *heat, const ig_span axis[2])
{
    size_t n = heat->n;
    double width = (axis[0].to - axis[0].from) / (double)n;
    double height = (axis[1].from - axis[1].to) / (double)n;

    for (size_t i = 0; i < n * n; i++)
        put_tile(
            c, heat, i / n, i % n,
            (double[]){LEFT + width * (double)(i % n), TOP + height * (double)(i / n)},
            width, height);
    for (size_t i = 0; i < IG_HEAT_COLOURS; i++)
        put_tile(c, heat, (size_t)IG_HEAT_SCALE, i,
                 (double[]){WIDTH - RIGHT + 24, TOP + 24 + 24 * (double)i}, 50, 24);
    use_grey(c, INK);
    put_text(c, heat->share ? "colours from, in %" : "colours from", WIDTH - RIGHT + 24,
             TOP + 8, 11, START);
}

/* The label of a track in the key, or "": of those with one label the first has it, a
 * single one without is called as the axis. */
static const char *find_label(const ig_plane *p, size_t track)
{
    bool brief = p->key || (p->plot && p->names);
    const char *label = brief ? p->track[track].brief : p->track[track].name;

    for (size_t t = 0; t < track && p->key; t++)
        label = strcmp(p->track[t].brief, label) == 0 ? "" : label;
    return label;
}

/* The names of tracks that have points. */
static void put_key(cairo_t *c, const ig_plane *p, const bool drawn[])
{
    double x = WIDTH - RIGHT + 20, y = TOP, step;
    int lines = p->key ? 2 : 1;

    for (size_t t = 0; t < p->tracks; t++)
        lines += drawn[t] && *find_label(p, t);
    step = fmin(20, (HEIGHT - TOP) / (double)lines);
    use_grey(c, GREY);
    if (p->key)
        put_text(c, p->key, x - 4, y + step / 2, fmin(11, step * 0.8), START);
    y += p->key ? 1.5 * step : 0.5 * step;
    for (size_t t = 0; t < p->tracks; t++) {
        const char *label = find_label(p, t);

        if (!drawn[t] || !*label)
            continue;
        use_track(c, &p->track[t]);
        cairo_set_line_width(c, 2);
        if (p->track[t].x)
            put_dot(c, x, y, fmin(4, step / 3));
        else
            put_line(c, x - 8, y, x + 8, y);
        cairo_set_dash(c, NULL, 0, 0);
        put_text(c, label, x + 12, y, fmin(11, step * 0.8), START);
        y += step;
    }
}

static void draw_plane(cairo_t *c, const ig_plane *p)
{
    const ig_rect cells = {0, 0, 28, 90}; /* of the plot, for names of this size */
    ig_span axis[2] = {{0, 1, LEFT, WIDTH - RIGHT}, {0, 1, HEIGHT - BOTTOM, TOP}};
    ig_map_name name[IG_TRACKS_MAX];
    char title[sizeof p->title + 80];
    bool named = false, drawn[IG_TRACKS_MAX];

    if (p->heat) {
        axis[0].low = axis[1].high = -0.5;
        axis[0].high = axis[1].low = (double)p->names - 0.5;
    }
    ig_plane_ranges(p, axis);
    put_axes(c, &axis[0], &axis[1], p->x_label, p->y_label, p);
    if (p->heat)
        put_matrix(c, p->heat, axis);
    snprintf(title, sizeof title, p->left_out ? "%s; %zu of %zu drawn%s" : "%s",
             p->title, p->tracks, p->tracks + p->left_out, p->rule);
    put_text(c, p->heading ? p->heading : title, LEFT, TOP / 2.0,
             fmin(14, 1350.0 / ig_text_columns(title)), START);
    for (size_t t = 0; t < p->tracks; t++) {
        drawn[t] = put_track(c, &p->track[t], axis, p->names);
        for (size_t k = 0; k < t; k++) /* a colour does not say which it is */
            named |= p->track[k].colour == p->track[t].colour;
    }
    put_key(c, p, drawn);
    if (named)
        put_placed(c, axis, cells, name, ig_plane_names(p, axis, cells, name), 11);
}

static int plane_width(const ig_plane *plane)
{
    int names = 0; /* columns of the legend, of 6 points */

    for (size_t t = 0; t < plane->tracks; t++)
        names = ig_max_int(names, ig_text_columns(plane->track[t].name));
    return ig_max_int(WIDTH, WIDTH - RIGHT + 40 + 6 * names);
}

static void draw_planes(cairo_t *c, const void *what)
{
    for (const ig_plane *p = what; p; p = p->next) {
        draw_plane(c, p);
        cairo_translate(c, plane_width(p), 0);
    }
}

/* --- writing ---------------------------------------------------------------------- */

/* Draw a sheet into a file. */
static ig_status write_sheet(ig_picture_format format, int width, draw_sheet *draw,
                             const void *what, const char *title, const char *path,
                             ig_error *error)
{
    ig_writer writer = {0};
    ig_status status = ig_writer_open(&writer, path, error);
    char *bytes;
    size_t size;

    if (status != IG_OK)
        return status;
    status = make_file(format, width, HEIGHT, draw, what, title, &bytes, &size, error);
    if (status == IG_OK)
        fwrite(bytes, 1, size, writer.file);
    free(bytes);
    return ig_writer_end(&writer, status, error);
}

ig_status ig_plane_write(const ig_plane *plane, ig_picture_format format,
                         const char *path, ig_error *error)
{
    int width = 0;

    for (const ig_plane *p = plane; p; p = p->next)
        width += plane_width(p);
    return write_sheet(format, width, draw_planes, plane, plane->title, path, error);
}

ig_status ig_picture_write(const ig_scatter *scatter, ig_picture_format format,
                           const char *path, ig_error *error)
{
    struct map map = {scatter, .shapes = 20000, .density = PIXELS};
    int panels = 0;

    for (const ig_scatter *s = scatter; s; s = s->next)
        panels++;
    return write_sheet(format, panels * WIDTH, draw_panels, &map, scatter->title, path,
                       error);
}

ig_status ig_picture_svg(const ig_scatter *scatter, char **svg, size_t *size,
                         ig_error *error)
{
    struct map map = {scatter, .shapes = 2500, .density = 1.5, .crisp = true};

    return make_file(IG_SVG, WIDTH, HEIGHT, draw_panels, &map, NULL, svg, size, error);
}
