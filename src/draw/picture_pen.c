/* Ink and texts that pictures have in common, and SVGs in memory. */
#include "draw/picture_pen.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include "base/array.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/palette.h"

static ig_lock drawing = IG_LOCK_OPEN;

void ig_pen_take(void)
{
    ig_lock_take(&drawing);
}

void ig_pen_give(void)
{
    ig_lock_give(&drawing);
}

void ig_pen_sheet(cairo_t *c)
{
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_source_rgb(c, 1, 1, 1);
    cairo_paint(c);
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

void ig_pen_clean(const char *text, char *out, size_t size)
{
    size_t length = strlen(text);
    size_t used = 0;

    while (length) {
        ig_grapheme g = ig_text_grapheme(text, length);

        if (used + g.length + 1 > size)
            break;
        memcpy(out + used, g.bytes, g.length);
        used += g.length;
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

void ig_pen_upright(cairo_t *c, const char *text, double x, double y, double size)
{
    cairo_save(c);
    cairo_translate(c, x, y);
    cairo_rotate(c, -3.14159265358979 / 2);
    ig_pen_text(c, text, 0, 0, size, IG_PEN_MIDDLE);
    cairo_restore(c);
}

/* --- SVG and PDF in memory -------------------------------------------------------- */

/* Bytes that grow as they are written; ended by a zero byte. */
struct bytes {
    char *bytes;
    size_t size;
    size_t room;
    bool failed; /* memory was short */
};

/* Room for `more` bytes and a zero byte. */
static bool make_room(struct bytes *b, size_t more)
{
    return ig_array_grow(&b->bytes, &b->room, b->size + more + 1, 1, "a picture",
                         NULL) == IG_OK;
}

static cairo_status_t write_bytes(void *context, const unsigned char *bytes,
                                  unsigned int count)
{
    struct bytes *b = context;

    if (b->failed || !make_room(b, count)) {
        b->failed = true;
        return CAIRO_STATUS_WRITE_ERROR;
    }
    memcpy(b->bytes + b->size, bytes, count);
    b->size += count;
    b->bytes[b->size] = '\0';
    return CAIRO_STATUS_SUCCESS;
}

/* What makes a surface that writes its file by a function. */
typedef cairo_surface_t *open_surface(cairo_write_func_t write, void *context,
                                      double width, double height);

/* Cairo's own word on what went wrong. */
static cairo_status_t draw_file(open_surface *open, double width, double height,
                                void (*draw)(cairo_t *, const void *), const void *what,
                                struct bytes *out)
{
    cairo_surface_t *surface = open(write_bytes, out, width, height);
    cairo_t *c = cairo_create(surface);
    cairo_status_t status;

    draw(c, what);
    status = cairo_status(c);
    cairo_destroy(c);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

static ig_status pen_file(open_surface *open, double width, double height,
                          void (*draw)(cairo_t *, const void *), const void *what,
                          char **file, size_t *size, ig_error *error)
{
    struct bytes out = {0};
    ig_status status = IG_OK;
    cairo_status_t drawn;

    ig_pen_take();
    drawn = draw_file(open, width, height, draw, what, &out);
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

ig_status ig_pen_svg(double width, double height, void (*draw)(cairo_t *, const void *),
                     const void *what, char **svg, size_t *size, ig_error *error)
{
    return pen_file(cairo_svg_surface_create_for_stream, width, height, draw, what, svg,
                    size, error);
}

ig_status ig_pen_pdf(double width, double height, void (*draw)(cairo_t *, const void *),
                     const void *what, char **pdf, size_t *size, ig_error *error)
{
    return pen_file(cairo_pdf_surface_create_for_stream, width, height, draw, what, pdf,
                    size, error);
}
