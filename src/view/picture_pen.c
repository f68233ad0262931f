/* Colours, axes, texts and in-memory files shared by pictures. */
#include "view/picture_pen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include "core/array.h"
#include "core/memory.h"
#include "core/pool.h"
#include "core/text.h"
#include "view/palette.h"

static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;

void ig_pen_take(void)
{
    pthread_mutex_lock(&drawing);
}

void ig_pen_give(void)
{
    pthread_mutex_unlock(&drawing);
}

void ig_pen_grey(cairo_t *c, double level)
{
    cairo_set_source_rgb(c, level, level, level);
}

void ig_pen_colour(cairo_t *c, int colour, double alpha)
{
    unsigned char rgb[3];

    ig_palette_rgb(colour, IG_THEME_LIGHT, rgb);
    cairo_set_source_rgba(c, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0, alpha);
}

void ig_pen_dot(cairo_t *c, double x, double y, double radius)
{
    cairo_new_path(c);
    cairo_arc(c, x, y, radius, 0, 2 * 3.14159265358979);
    cairo_fill(c);
}

void ig_pen_clean(const char *text, char *out, size_t size)
{
    size_t length = strlen(text);
    size_t used = 0;

    while (length) {
        ig_grapheme g = ig_text_grapheme(text, length);

        if (used + g.length + 1 > size)
            break;
        /* Noto Sans, and others, lack U+2212. */
        if (strncmp(text, "−", 3) == 0) {
            out[used++] = '-';
        } else {
            memcpy(out + used, g.bytes, g.length);
            used += g.length;
        }
        text += g.source;
        length -= g.source;
    }
    out[used] = '\0';
}

void ig_pen_text(cairo_t *c, const char *text, double x, double y, double size,
                 int anchor)
{
    cairo_text_extents_t extents;
    char shown[256];

    ig_pen_clean(text, shown, sizeof shown);
    cairo_set_font_size(c, size);
    cairo_text_extents(c, shown, &extents);
    if (anchor == IG_PEN_MIDDLE)
        x -= extents.width / 2 + extents.x_bearing;
    else if (anchor == IG_PEN_END)
        x -= extents.x_advance;
    cairo_move_to(c, x, y + size * 0.35);
    cairo_show_text(c, shown);
}

/* --- axes ------------------------------------------------------------------------- */

enum { TICKS = 6 };

static const double TICK_SIZE = 11, LABEL_SIZE = 12;

static void put_tick(cairo_t *c, const ig_span *a, const ig_span *other, bool is_y,
                     double value, const char *number)
{
    double at = ig_span_place(a, value);

    ig_pen_grey(c, IG_PEN_PALE);
    cairo_set_line_width(c, 0.7);
    cairo_move_to(c, is_y ? other->from : at, is_y ? at : other->from);
    cairo_line_to(c, is_y ? other->to : at, is_y ? at : other->to);
    cairo_stroke(c);
    ig_pen_grey(c, IG_PEN_INK);
    if (is_y)
        ig_pen_text(c, number, other->from - 7, at, TICK_SIZE, IG_PEN_END);
    else
        ig_pen_text(c, number, at, other->from + 13, TICK_SIZE, IG_PEN_MIDDLE);
}

static void put_ticks(cairo_t *c, const ig_span *a, const ig_span *other, bool is_y)
{
    double tick[TICKS];
    size_t count = ig_axes_ticks(a->low, a->high, TICKS, tick);
    int decimals = ig_axes_decimals(tick, count);
    char number[IG_NUMBER_SIZE];

    for (size_t i = 0; i < count; i++)
        put_tick(c, a, other, is_y, tick[i],
                 ig_fixed_format(number, tick[i], decimals, 0));
}

void ig_pen_axes(cairo_t *c, const ig_span *x, const ig_span *y, const char *x_label,
                 const char *y_label)
{
    put_ticks(c, x, y, false);
    put_ticks(c, y, x, true);
    ig_pen_grey(c, IG_PEN_GREY);
    cairo_set_line_width(c, 1);
    cairo_rectangle(c, x->from, y->to, x->to - x->from, y->from - y->to);
    cairo_stroke(c);
    ig_pen_grey(c, IG_PEN_INK);
    ig_pen_text(c, x_label, (x->from + x->to) / 2, y->from + 34, LABEL_SIZE,
                IG_PEN_MIDDLE);
    cairo_save(c); /* vertical, read from below */
    cairo_translate(c, x->from - 50, (y->from + y->to) / 2);
    cairo_rotate(c, -3.14159265358979 / 2);
    ig_pen_text(c, y_label, 0, 0, LABEL_SIZE, IG_PEN_MIDDLE);
    cairo_restore(c);
}

/* --- files in memory -------------------------------------------------------------- */

struct bytes {
    char *bytes;
    size_t size, room;
    bool failed; /* out of memory */
};

static cairo_status_t write_bytes(void *context, const unsigned char *bytes,
                                  unsigned int count)
{
    struct bytes *b = context;

    if (b->failed || ig_array_grow(&b->bytes, &b->room, b->size + count + 1, 1,
                                   "a picture", NULL) != IG_OK) {
        b->failed = true;
        return CAIRO_STATUS_WRITE_ERROR;
    }
    memcpy(b->bytes + b->size, bytes, count);
    b->size += count;
    b->bytes[b->size] = '\0';
    return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t draw_file(ig_picture_format format, double width, double height,
                                void (*draw)(cairo_t *, const void *), const void *what,
                                struct bytes *out)
{
    cairo_surface_t *surface =
        format == IG_SVG
            ? cairo_svg_surface_create_for_stream(write_bytes, out, width, height)
        : format == IG_PDF
            ? cairo_pdf_surface_create_for_stream(write_bytes, out, width, height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width * IG_PEN_PIXELS,
                                         (int)height * IG_PEN_PIXELS);
    cairo_t *c = cairo_create(surface);
    cairo_status_t status;

    if (format == IG_PNG)
        cairo_scale(c, IG_PEN_PIXELS, IG_PEN_PIXELS);
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_source_rgb(c, 1, 1, 1);
    cairo_paint(c);
    draw(c, what);
    cairo_show_page(c);
    status = cairo_status(c);
    cairo_destroy(c);
    if (format == IG_PNG && status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, write_bytes, out);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

ig_status ig_pen_file(ig_picture_format format, double width, double height,
                      void (*draw)(cairo_t *, const void *), const void *what,
                      char **file, size_t *size, ig_error *error)
{
    struct bytes out = {0};
    ig_status status = IG_OK;
    cairo_status_t drawn;

    ig_pen_take();
    drawn = draw_file(format, width, height, draw, what, &out);
    ig_pen_give();
    if (out.failed || drawn == CAIRO_STATUS_NO_MEMORY)
        status = ig_fail_memory(error, "a picture");
    else if (drawn != CAIRO_STATUS_SUCCESS)
        status = ig_fail(error, IG_IO, "a picture: %s", cairo_status_to_string(drawn));
    if (status != IG_OK) {
        ig_free(out.bytes);
        out = (struct bytes){0};
    }
    *file = out.bytes;
    *size = out.size;
    return status;
}
