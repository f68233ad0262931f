/* Renders a canvas to pixels: shapes for lines, blocks and dots, typefaces for the
 * rest. */
#include "view/picture_screen.h"

#include <ctype.h>
#include <string.h>

#include <cairo-ft.h>
#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "view/picture_pen.h"

enum {
    W = IG_SCREEN_CELL_WIDTH,
    H = IG_SCREEN_CELL_HEIGHT,
    MARGIN = 10,
    FACES = 64 /* open typefaces, more than scripts on a screen */
};

static const double FONT_SIZE = 14.5;

struct face {
    cairo_font_face_t *face;
    FcCharSet *letters; /* owned by the typeface */
    bool bold;
};

struct ig_screen_pen {
    cairo_surface_t *surface;
    cairo_t *c;
    ig_canvas shown; /* content of the pixels; its cells are a copy */
    bool begun;
    int *place; /* (cols) for the row being drawn */
    struct face face[FACES];
    size_t faces;
};

/* --- typefaces -------------------------------------------------------------------- */

/* Open the typeface that fontconfig prefers for a letter. */
static struct face *open_face(struct ig_screen_pen *pen, int32_t letter, bool bold)
{
    FcPattern *wanted = FcPatternCreate(), *found = NULL;
    FcCharSet *letters = FcCharSetCreate(), *has = NULL;
    struct face *face = &pen->face[pen->faces];
    FcResult result;

    if (wanted && letters && FcCharSetAddChar(letters, (FcChar32)letter)) {
        FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)"monospace");
        FcPatternAddCharSet(wanted, FC_CHARSET, letters);
        FcPatternAddInteger(wanted, FC_WEIGHT,
                            bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR);
        FcPatternAddBool(wanted, FC_COLOR, FcFalse);
        FcConfigSubstitute(NULL, wanted, FcMatchPattern);
        FcDefaultSubstitute(wanted);
        found = FcFontMatch(NULL, wanted, &result);
    }
    *face = (struct face){.bold = bold};
    if (found) {
        face->face = cairo_ft_font_face_create_for_pattern(found);
        if (FcPatternGetCharSet(found, FC_CHARSET, 0, &has) == FcResultMatch)
            face->letters = FcCharSetCopy(has);
        FcPatternDestroy(found);
    }
    if (letters)
        FcCharSetDestroy(letters);
    if (wanted)
        FcPatternDestroy(wanted);
    if (!face->face)
        return NULL;
    pen->faces++;
    return face;
}

/* A typeface for a letter: an open one that has it, a new one, or the first. */
static struct face *face_of(struct ig_screen_pen *pen, int32_t letter, bool bold)
{
    struct face *face = NULL;

    for (size_t i = 0; i < pen->faces; i++)
        if (pen->face[i].bold == bold && pen->face[i].letters &&
            FcCharSetHasChar(pen->face[i].letters, (FcChar32)letter))
            return &pen->face[i];
    if (pen->faces < FACES)
        face = open_face(pen, letter, bold);
    return face || !pen->faces ? face : &pen->face[0];
}

/* --- cells ------------------------------------------------------------------------ */

static void set_source(cairo_t *c, const unsigned char rgb[3])
{
    cairo_set_source_rgb(c, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0);
}

static void fill_area(cairo_t *c, double x, double y, double width, double height)
{
    cairo_rectangle(c, x, y, width, height);
    cairo_fill(c);
}

static void colours_of(const ig_canvas *canvas, const ig_cell *cell,
                       unsigned char fg[3], unsigned char bg[3], int *attributes)
{
    ig_ink ink = ig_palette_ink(cell->style, canvas->theme, canvas->depth);
    unsigned char swap[3];

    ig_theme_own(canvas->theme, fg, bg);
    if (ink.fg >= 0)
        ig_palette_number_rgb(ink.fg, fg);
    if (ink.bg >= 0)
        ig_palette_number_rgb(ink.bg, bg);
    if (ink.attributes & IG_REVERSE) {
        memcpy(swap, fg, 3);
        memcpy(fg, bg, 3);
        memcpy(bg, swap, 3);
    }
    for (int i = 0; i < 3 && ink.attributes & IG_FAINT; i++)
        fg[i] = (unsigned char)((fg[i] + bg[i]) / 2);
    *attributes = ink.attributes;
}

static void put_line(cairo_t *c, double x, double y, unsigned arms)
{
    double mx = x + (W - 1) / 2, my = y + (H - 1) / 2;

    if (arms & IG_ARM_UP)
        fill_area(c, mx, y, 1, my - y + 1);
    if (arms & IG_ARM_DOWN)
        fill_area(c, mx, my, 1, y + H - my);
    if (arms & IG_ARM_LEFT)
        fill_area(c, x, my, mx - x + 1, 1);
    if (arms & IG_ARM_RIGHT)
        fill_area(c, mx, my, x + W - mx, 1);
}

static void put_dots(cairo_t *c, double x, double y, unsigned bits)
{
    static const unsigned char at[8][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 0},
                                           {1, 1}, {1, 2}, {0, 3}, {1, 3}};

    for (int i = 0; i < 8; i++)
        if (bits >> i & 1) {
            cairo_arc(c, x + W / 4.0 + at[i][0] * (W / 2.0),
                      y + H / 8.0 + at[i][1] * (H / 4.0), 1.65, 0, 6.2831853);
            cairo_fill(c);
        }
}

/* Draw quadrants: 1 upper left, 2 upper right, 4 lower left, 8 lower right. */
static void put_quarters(cairo_t *c, double x, double y, unsigned bits)
{
    double middle = (W + 1) / 2;

    for (int i = 0; i < 4; i++)
        if (bits >> i & 1)
            fill_area(c, i & 1 ? x + middle : x, i & 2 ? y + H / 2 : y,
                      i & 1 ? W - middle : middle, H / 2);
}

/* Draw a glyph that is a shape; false if it is a letter. */
static bool put_shape(cairo_t *c, double x, double y, const ig_cell *cell,
                      int32_t letter)
{
    unsigned arms = ig_glyphs_arms(cell->bytes, cell->length);
    unsigned quarters = ig_glyphs_bits(IG_BLOCKS, cell->bytes, cell->length);

    if (letter == ' ')
        return true;
    if (letter >= 0x2800 && letter <= 0x28ff)
        put_dots(c, x, y, (unsigned)(letter - 0x2800));
    else if (letter >= 0x2581 && letter <= 0x2588) /* from the bottom */
        fill_area(c, x, y + H * (0x2588 - letter) / 8.0, W,
                  H * (letter - 0x2580) / 8.0);
    else if (letter >= 0x2589 && letter <= 0x258f) /* from the left */
        fill_area(c, x, y, W * (0x2590 - letter) / 8.0, H);
    else if (cell->length == 3 && quarters)
        put_quarters(c, x, y, quarters);
    else if (cell->length == 3 && arms)
        put_line(c, x, y, arms);
    else
        return false;
    return true;
}

/* A cell's grapheme without direction marks. */
static void letters_of(const ig_cell *cell, char out[IG_CELL_BYTES + 1])
{
    size_t n = 0;

    for (size_t i = 0; i < cell->length; i++)
        if (i + 2 < cell->length && memcmp(cell->bytes + i, "\xe2\x80", 2) == 0 &&
            ((unsigned char)cell->bytes[i + 2] & 0xfe) == 0x8e)
            i += 2;
        else
            out[n++] = cell->bytes[i];
    out[n] = '\0';
}

/* Draw a grapheme in its typeface, compressed if it is too wide for its cells. */
static void put_letters(struct ig_screen_pen *pen, double x, double y,
                        const ig_cell *cell, int32_t letter, bool bold)
{
    struct face *face = face_of(pen, letter, bold);
    char text[IG_CELL_BYTES + 1];
    cairo_text_extents_t size;
    double room = cell->width * W;

    if (!face)
        return;
    letters_of(cell, text);
    cairo_set_font_face(pen->c, face->face);
    cairo_set_font_size(pen->c, FONT_SIZE);
    cairo_text_extents(pen->c, text, &size);
    if (size.x_advance > room + 0.5) {
        cairo_set_font_size(pen->c, FONT_SIZE * room / size.x_advance);
        cairo_text_extents(pen->c, text, &size);
    }
    cairo_move_to(pen->c, x + (room - size.x_advance) / 2, y + H * 0.76);
    cairo_show_text(pen->c, text);
}

/* Visual positions of a row's cells: runs of right-to-left text, with blanks and marks
 * in them, are reversed as in terminals with bidirectional support. Single-column cells
 * only. */
static bool order_row(const ig_canvas *canvas, int row, int *place)
{
    bool turned = false;

    for (int col = 0; col < canvas->cols; col++)
        place[col] = col;
    for (int col = 0; col < canvas->cols; col++) {
        int end = col, last = col;

        for (; end < canvas->cols; end++) {
            const ig_cell *cell = ig_canvas_cell(canvas, row, end);
            bool rtl = cell->length && ig_text_grapheme(cell->bytes, cell->length).rtl;
            bool neutral = cell->length == 1 && !isalnum((unsigned char)cell->bytes[0]);

            if (cell->width != 1 || (!rtl && !neutral) || (!rtl && end == col))
                break;
            last = rtl ? end : last;
        }
        if (end == col)
            continue;
        for (int i = col; i <= last; i++)
            place[i] = col + last - i;
        turned |= last > col;
        col = last;
    }
    return turned;
}

static void put_cell(struct ig_screen_pen *pen, const ig_canvas *canvas, int row,
                     int col, int place)
{
    const ig_cell *cell = ig_canvas_cell(canvas, row, col);
    double x = MARGIN + place * W, y = MARGIN + row * H;
    unsigned char fg[3], bg[3];
    size_t bytes;
    int32_t letter = ig_text_decode(cell->bytes, cell->length, &bytes);
    cairo_t *c = pen->c;
    int attributes;

    colours_of(canvas, cell, fg, bg, &attributes);
    cairo_save(c);
    cairo_rectangle(c, x, y, cell->width * W, H);
    cairo_clip(c);
    set_source(c, bg);
    cairo_paint(c);
    set_source(c, fg);
    if (!put_shape(c, x, y, cell, letter))
        put_letters(pen, x, y, cell, letter, attributes & IG_BOLD);
    if (attributes & IG_UNDERLINE)
        fill_area(c, x, y + H - 2, cell->width * W, 1);
    cairo_restore(c);
}

/* Redraw changed cells, or the whole row if its visual order differs from the logical
 * order. */
static void put_row(struct ig_screen_pen *pen, const ig_canvas *canvas, int row)
{
    const ig_cell *now = &canvas->cell[row * canvas->cols];
    ig_cell *shown = &pen->shown.cell[row * canvas->cols];
    size_t size = (size_t)canvas->cols * sizeof *now;
    bool all = !pen->begun;

    if (pen->begun && memcmp(now, shown, size) == 0)
        return;
    all |= order_row(&pen->shown, row, pen->place);
    all |= order_row(canvas, row, pen->place);
    for (int col = 0; col < canvas->cols; col++)
        if (now[col].width && (all || memcmp(&now[col], &shown[col], sizeof *now) != 0))
            put_cell(pen, canvas, row, col, pen->place[col]);
    memcpy(shown, now, size);
}

/* --- pictures --------------------------------------------------------------------- */

ig_status ig_screen_picture_init(ig_screen_picture *picture, int rows, int cols,
                                 ig_error *error)
{
    struct ig_screen_pen *pen = ig_alloc(1, sizeof *pen);

    *picture = (ig_screen_picture){
        .width = cols * W + 2 * MARGIN, .height = rows * H + 2 * MARGIN, .pen = pen};
    if (!pen)
        return ig_fail_memory(error, "a picture of the screen");
    pen->place = ig_alloc((size_t)cols, sizeof *pen->place);
    if (!pen->place || ig_canvas_init(&pen->shown, rows, cols, error) != IG_OK) {
        ig_screen_picture_free(picture);
        return ig_fail_memory(error, "a picture of the screen");
    }
    ig_pen_take();
    pen->surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture->width, picture->height);
    pen->c = cairo_create(pen->surface);
    ig_pen_give();
    if (cairo_status(pen->c) != CAIRO_STATUS_SUCCESS) {
        ig_screen_picture_free(picture);
        return ig_fail_memory(error, "a picture of the screen");
    }
    return IG_OK;
}

/* Draw the margin and mark all cells as changed. */
static void reset_picture(struct ig_screen_pen *pen, ig_theme theme)
{
    unsigned char text[3], ground[3];

    ig_theme_own(theme, text, ground);
    set_source(pen->c, ground);
    cairo_paint(pen->c);
    pen->shown.theme = theme;
    pen->begun = false;
}

ig_status ig_screen_picture_draw(ig_screen_picture *picture, const ig_canvas *canvas,
                                 ig_error *error)
{
    struct ig_screen_pen *pen = picture->pen;
    cairo_status_t status;

    if (canvas->rows != pen->shown.rows || canvas->cols != pen->shown.cols)
        return ig_fail(error, IG_SHAPE, "a screen of %d × %d in a picture of %d × %d",
                       canvas->cols, canvas->rows, pen->shown.cols, pen->shown.rows);
    ig_pen_take();
    if (!pen->begun || pen->shown.theme != canvas->theme)
        reset_picture(pen, canvas->theme);
    for (int row = 0; row < canvas->rows; row++)
        put_row(pen, canvas, row);
    pen->begun = true;
    cairo_surface_flush(pen->surface);
    status = cairo_status(pen->c);
    ig_pen_give();
    picture->pixel =
        (const uint32_t *)(const void *)cairo_image_surface_get_data(pen->surface);
    if (status != CAIRO_STATUS_SUCCESS)
        return ig_fail(error, IG_NOMEM, "a picture of the screen: %s",
                       cairo_status_to_string(status));
    return IG_OK;
}

static cairo_status_t write_bytes(void *file, const unsigned char *bytes,
                                  unsigned int count)
{
    return fwrite(bytes, 1, count, file) == count ? CAIRO_STATUS_SUCCESS
                                                  : CAIRO_STATUS_WRITE_ERROR;
}

ig_status ig_screen_picture_write(const ig_screen_picture *picture, const char *path,
                                  ig_error *error)
{
    ig_writer writer;
    cairo_status_t drawn;
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    ig_pen_take();
    drawn = cairo_surface_write_to_png_stream(picture->pen->surface, write_bytes,
                                              writer.file);
    ig_pen_give();
    if (drawn == CAIRO_STATUS_SUCCESS || drawn == CAIRO_STATUS_WRITE_ERROR)
        return ig_writer_commit(&writer, error);
    ig_writer_abort(&writer);
    return ig_fail(error, drawn == CAIRO_STATUS_NO_MEMORY ? IG_NOMEM : IG_IO, "%s: %s",
                   path, cairo_status_to_string(drawn));
}

void ig_screen_picture_free(ig_screen_picture *picture)
{
    struct ig_screen_pen *pen = picture->pen;

    if (pen) {
        ig_pen_take();
        for (size_t i = 0; i < pen->faces; i++) {
            cairo_font_face_destroy(pen->face[i].face);
            if (pen->face[i].letters)
                FcCharSetDestroy(pen->face[i].letters);
        }
        cairo_destroy(pen->c);
        cairo_surface_destroy(pen->surface);
        ig_pen_give();
        ig_canvas_free(&pen->shown);
        IG_FREE(pen->place, pen);
    }
    *picture = (ig_screen_picture){0};
}
