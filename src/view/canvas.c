/* Canvas cells and text. All drawing goes through place_grapheme(), which clips and
 * keeps the halves of wide cells consistent. */
#include "view/canvas.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"

static const ig_cell blank = {" ", 1, 1, {0, 0, 0}};

/* --- glyphs ----------------------------------------------------------------------- */

/* From IG_GLYPH_BULLET on; the second in ASCII. */
enum { TEXTS = 23 };
static const char *const texts[2][TEXTS] = {
    {"·", "▸", "‖", "→", "│", "…", "■", "□", "●", "○", "◉", "▲",
     "▼", "←", "↑", "↓", "✓", "★", "−", "–", "█", "×", "α"},
    {".", ">", "=", ">", "|", "~", "#", "-", "*", "o", "@", "^",
     "v", "<", "^", "v", "+", "*", "-", "-", "#", "x", "a"}};

/* By bit mask of arms (1 up, 2 right, 4 down, 8 left); the second in ASCII. */
static const char *const lines[2][16] = {
    {" ", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"},
    {" ", "|", "-", "+", "|", "|", "+", "+", "-", "+", "-", "+", "+", "+", "+", "+"}};

const char *ig_glyph_text(ig_glyphs level, ig_glyph glyph)
{
    return texts[level == IG_ASCII][glyph];
}

char ig_glyph_ascii(const char *text)
{
    for (size_t i = 0; i < TEXTS; i++)
        if (strcmp(text, texts[0][i]) == 0)
            return *texts[1][i];
    return *text >= ' ' && *text < 0x7f ? *text : '?';
}

unsigned ig_braille_bit(int x, int y)
{
    /* Unicode numbers the upper six dots by column and the lowest two by row. */
    static const unsigned char bit[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};

    return bit[y & 3][x & 1];
}

const char *ig_braille_text(unsigned bits, char out[4])
{
    if (bits == 0)
        return strcpy(out, " ");
    out[0] = '\xe2';
    out[1] = (char)(0xa0 | (bits >> 6 & 3));
    out[2] = (char)(0x80 | (bits & 63));
    out[3] = '\0';
    return out;
}

unsigned ig_braille_bits(const char *bytes, int length)
{
    if (length != 3 || bytes[0] != '\xe2' || ((unsigned char)bytes[1] & 0xfc) != 0xa0)
        return 0;
    return ((unsigned)bytes[1] & 3) << 6 | ((unsigned)bytes[2] & 63);
}

const char *ig_glyphs_line(ig_glyphs level, unsigned arms)
{
    return lines[level == IG_ASCII][arms & 15];
}

/* Arms of a cell's text, in ASCII all that it may have; 0: it is not a line. */
static unsigned arms_of(const char *bytes, size_t length)
{
    const char *const *line = lines[length == 1];
    unsigned arms = 15;

    while (arms > 0 &&
           (strlen(line[arms]) != length || memcmp(bytes, line[arms], length) != 0))
        arms--;
    return arms;
}

/* --- rectangles ------------------------------------------------------------------- */

/* Overlap of [*a, *a + *n) and [b, b + m), without integer overflow. */
static void clip_range(int *a, int *n, int b, int m)
{
    long long end_a = (long long)*a + ig_max_int(*n, 0),
              end_b = (long long)b + ig_max_int(m, 0);
    long long end = end_a < end_b ? end_a : end_b;

    *a = ig_max_int(*a, b);
    *n = end > *a ? (int)(end - *a) : 0;
}

ig_rect ig_rect_clip(ig_rect a, ig_rect b)
{
    clip_range(&a.row, &a.rows, b.row, b.rows);
    clip_range(&a.col, &a.cols, b.col, b.cols);
    return a;
}

ig_rect ig_rect_inset(ig_rect r, int top, int right, int bottom, int left)
{
    top = ig_min_int(top, ig_max_int(r.rows, 0));
    left = ig_min_int(left, ig_max_int(r.cols, 0));
    return (ig_rect){r.row + top, r.col + left, ig_max_int(r.rows - top - bottom, 0),
                     ig_max_int(r.cols - left - right, 0)};
}

ig_rect ig_rect_across(ig_rect r, int index, int parts, int gap)
{
    int from = (index * (r.cols + gap) + parts - 1) / parts;
    int to = ((index + 1) * (r.cols + gap) + parts - 1) / parts - gap;

    return ig_rect_clip((ig_rect){r.row, r.col + from, r.rows, to - from}, r);
}

/* --- the canvas ------------------------------------------------------------------- */

void ig_canvas_free(ig_canvas *canvas)
{
    if (!canvas)
        return;
    ig_free(canvas->cell);
    *canvas = (ig_canvas){0};
}

ig_status ig_canvas_resize(ig_canvas *canvas, int rows, int cols, ig_error *error)
{
    size_t cells;

    rows = ig_max_int(rows, 0);
    cols = ig_max_int(cols, 0);
    cells = (size_t)rows * (size_t)cols;
    if (cells > canvas->capacity || !canvas->cell) {
        ig_cell *grown = ig_alloc(cells, sizeof *grown);

        if (!grown)
            return ig_fail_memory(error, "the screen");
        ig_free(canvas->cell);
        canvas->cell = grown;
        canvas->capacity = cells;
    }
    canvas->rows = rows;
    canvas->cols = cols;
    ig_canvas_clear(canvas);
    return IG_OK;
}

void ig_canvas_clear(ig_canvas *canvas)
{
    size_t cells = (size_t)canvas->rows * (size_t)canvas->cols;

    for (size_t i = 0; i < cells; i++)
        canvas->cell[i] = blank;
    canvas->clip = ig_canvas_rect(canvas);
}

ig_rect ig_canvas_rect(const ig_canvas *canvas)
{
    return (ig_rect){0, 0, canvas->rows, canvas->cols};
}

ig_rect ig_canvas_clip(ig_canvas *canvas, ig_rect rect)
{
    ig_rect before = canvas->clip;

    canvas->clip = ig_rect_clip(rect, before);
    return before;
}

static ig_cell *cell_at(const ig_canvas *canvas, int row, int col)
{
    return &canvas->cell[(size_t)row * (size_t)canvas->cols + (size_t)col];
}

const ig_cell *ig_canvas_cell(const ig_canvas *canvas, int row, int col)
{
    return ig_rect_has(ig_canvas_rect(canvas), row, col) ? cell_at(canvas, row, col)
                                                         : NULL;
}

/* --- cells ------------------------------------------------------------------------ */

/* Prepare a cell for writing: blank the other half of a wide grapheme. */
static void part_halves(ig_canvas *canvas, int row, int col)
{
    ig_cell *cell = cell_at(canvas, row, col);
    ig_cell *other = cell->width == 0 && col > 0                  ? cell - 1
                     : cell->width == 2 && col + 1 < canvas->cols ? cell + 1
                                                                  : NULL;

    if (other)
        *other = (ig_cell){" ", 1, 1, other->style};
}

/* Write the longest prefix of a grapheme that fits a cell, cut at a code point. */
static void write_cell(ig_canvas *canvas, int row, int col, const char *bytes,
                       size_t length, int width, ig_style style)
{
    size_t keep = length < IG_CELL_BYTES ? length : IG_CELL_BYTES;
    ig_cell *cell = cell_at(canvas, row, col);

    while (keep < length && keep > 0 && ((unsigned char)bytes[keep] & 0xc0) == 0x80)
        keep--;
    part_halves(canvas, row, col);
    cell->length = (uint8_t)keep;
    memcpy(cell->bytes, bytes, cell->length);
    cell->width = (uint8_t)width;
    cell->style = style;
}

/* Place a grapheme at (row, col), in ASCII a glyph's form. A wide one of which the clip
 * hides half is blank. */
static void place_grapheme(ig_canvas *canvas, int row, int col, const char *bytes,
                           size_t length, int width, ig_style style)
{
    bool left = ig_rect_has(canvas->clip, row, col);
    bool right = width == 2 && col < INT_MAX && ig_rect_has(canvas->clip, row, col + 1);
    size_t i = canvas->glyphs == IG_ASCII && length > 1 ? 0 : TEXTS;

    while (i < TEXTS && strncmp(bytes, texts[0][i], length) != 0)
        i++;
    bytes = i < TEXTS ? texts[1][i] : bytes;
    length = i < TEXTS ? 1 : length;
    if (width == 2 && left && right) {
        write_cell(canvas, row, col + 1, " ", 1, 1, style);
        write_cell(canvas, row, col, bytes, length, 2, style);
        cell_at(canvas, row, col + 1)->width = 0;
        cell_at(canvas, row, col + 1)->length = 0;
    } else if (left) {
        write_cell(canvas, row, col, width == 2 ? " " : bytes, width == 2 ? 1 : length,
                   1, style);
    } else if (right) {
        write_cell(canvas, row, col + 1, " ", 1, 1, style);
    }
}

void ig_canvas_put(ig_canvas *canvas, int row, int col, const char *glyph,
                   ig_style style)
{
    place_grapheme(canvas, row, col, glyph, strlen(glyph), 1, style);
}

/* --- text ------------------------------------------------------------------------- */

/* Append RLM and LRM to a cell's grapheme (see canvas.h) if they fit. */
static void close_rtl(ig_canvas *canvas, int row, int col)
{
    static const char marks[] = "\u200f\u200e";
    ig_cell *cell;

    if (!ig_rect_has(canvas->clip, row, col))
        return;
    cell = cell_at(canvas, row, col);
    if (cell->width == 0 && col > 0)
        cell--;
    if (cell->length == 0 || cell->length + sizeof marks - 1 > IG_CELL_BYTES)
        return;
    memcpy(cell->bytes + cell->length, marks, sizeof marks - 1);
    cell->length = (uint8_t)(cell->length + sizeof marks - 1);
}

int ig_canvas_text_n(ig_canvas *canvas, int row, int col, int columns, const char *text,
                     size_t length, ig_style style)
{
    size_t fits, offset = 0;
    bool cut;
    int used = 0;

    if (columns <= 0 || length == 0)
        return 0;
    fits = ig_text_fit(text, length, (size_t)columns, NULL);
    cut = fits < length;
    if (cut)
        fits = ig_text_fit(text, length, (size_t)columns - 1, NULL);
    while (offset < fits) {
        ig_grapheme g = ig_text_grapheme(text + offset, length - offset);

        place_grapheme(canvas, row, col + used, g.bytes, g.length, g.width, style);
        offset += g.source;
        used += g.width;
    }
    if (cut)
        ig_canvas_put(canvas, row, col + used++, "…", style);
    if (ig_text_rtl(text, length))
        close_rtl(canvas, row, col + used - 1);
    return used;
}

int ig_canvas_text(ig_canvas *canvas, int row, int col, int columns, const char *text,
                   ig_style style)
{
    return text ? ig_canvas_text_n(canvas, row, col, columns, text, strlen(text), style)
                : 0;
}

int ig_canvas_caption(ig_canvas *canvas, int row, int col, int columns,
                      const char *text, ig_style style)
{
    size_t length = strlen(text);
    size_t fits = ig_text_fit(text, length, columns > 0 ? (size_t)columns : 0, NULL);

    while (fits > 0 && fits < length &&
           (!strchr(" ,;:", text[fits]) || strchr(" ,;:", text[fits - 1])))
        fits--;
    return ig_canvas_text_n(canvas, row, col, columns, text, fits ? fits : length,
                            style);
}

int ig_canvas_print(ig_canvas *canvas, int row, int col, int columns, ig_style style,
                    const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ig_canvas_text(canvas, row, col, columns, text, style);
}

void ig_canvas_fill(ig_canvas *canvas, ig_rect rect, ig_style style)
{
    rect = ig_rect_clip(rect, canvas->clip);
    for (int row = rect.row; row < rect.row + rect.rows; row++)
        for (int col = rect.col; col < rect.col + rect.cols; col++)
            write_cell(canvas, row, col, " ", 1, 1, style);
}

void ig_canvas_highlight(ig_canvas *canvas, ig_rect rect, int bg, int attributes)
{
    rect = ig_rect_clip(rect, canvas->clip);
    for (int row = rect.row; row < rect.row + rect.rows; row++)
        for (int col = rect.col; col < rect.col + rect.cols; col++) {
            ig_style *style = &cell_at(canvas, row, col)->style;

            style->bg = (uint8_t)bg;
            style->attributes |= (uint8_t)attributes;
        }
}

void ig_canvas_dim(ig_canvas *canvas, ig_rect rect)
{
    rect = ig_rect_clip(rect, canvas->clip);
    for (int row = rect.row; row < rect.row + rect.rows; row++)
        for (int col = rect.col; col < rect.col + rect.cols; col++)
            cell_at(canvas, row, col)->style = ig_dim;
}

/* Bytes of the first wrapped line, and in *next the start of the second. */
static size_t wrap_line(const char *text, size_t length, int cols, size_t *next)
{
    const char *end = memchr(text, '\n', length);
    size_t newline = end ? (size_t)(end - text) : length, fits, cut;

    fits = ig_text_fit(text, newline, (size_t)cols, NULL);
    if (fits == newline) {
        *next = newline < length ? newline + 1 : newline;
        return newline;
    }
    if (fits == 0) /* a wide grapheme in one column: consume it, it shows as a blank */
        fits = ig_text_grapheme(text, newline).source;
    for (cut = fits; cut > 0 && text[cut] != ' ' && text[cut - 1] != ' '; cut--)
        ;
    /* A long word, or a script without spaces: break at the edge. */
    if (cut == 0)
        cut = fits;
    *next = cut;
    while (*next < newline && text[*next] == ' ')
        ++*next;
    while (cut > 0 && text[cut - 1] == ' ')
        cut--;
    return cut;
}

int ig_canvas_wrap_lit(ig_canvas *canvas, ig_rect rect, const char *text,
                       ig_style style, size_t start, size_t lit)
{
    size_t length = text ? strlen(text) : 0, offset = 0;
    int line = 0, used = 0;

    if (rect.cols <= 0)
        return 0;
    while (offset < length) {
        size_t next, size = wrap_line(text + offset, length - offset, rect.cols, &next);
        size_t from = start > offset ? start : offset;
        size_t to = start + lit < offset + size ? start + lit : offset + size;
        ig_rect at = {rect.row + line, rect.col, 1, 0};

        if (line < rect.rows) {
            used = (int)ig_text_width(text + offset, size);
            ig_canvas_text_n(canvas, at.row, at.col, rect.cols, text + offset, size,
                             style);
        }
        if (line < rect.rows && from < to) {
            at.col += (int)ig_text_width(text + offset, from - offset);
            at.cols = (int)ig_text_width(text + from, to - from);
            ig_canvas_highlight(canvas, at, IG_COLOUR_DEFAULT, IG_REVERSE);
        }
        offset += next;
        line++;
    }
    if (line > rect.rows && rect.rows > 0) /* it is cut */
        ig_canvas_put(canvas, rect.row + rect.rows - 1,
                      rect.col + ig_min_int(used, rect.cols - 1), "…", style);
    return line;
}

int ig_canvas_wrap(ig_canvas *canvas, ig_rect rect, const char *text, ig_style style)
{
    return ig_canvas_wrap_lit(canvas, rect, text, style, 0, 0);
}

/* --- frames ----------------------------------------------------------------------- */

/* Arms towards lines in the adjacent cells. */
static unsigned joined_arms(const ig_canvas *canvas, int row, int col)
{
    /* In the order of their bits; the opposite arm is two bits further. */
    static const int down[] = {-1, 0, 1, 0}, right[] = {0, 1, 0, -1};
    const ig_cell *own = ig_canvas_cell(canvas, row, col);
    unsigned arms = own ? arms_of(own->bytes, own->length) : 0;

    for (int i = 0; i < 4; i++) {
        const ig_cell *cell = ig_canvas_cell(canvas, row + down[i], col + right[i]);

        if (cell && arms_of(cell->bytes, cell->length) & 1u << (i + 2) % 4)
            arms |= 1u << i;
    }
    return arms;
}

static unsigned frame_arms(ig_rect r, unsigned edges, int row, int col)
{
    bool top = edges & IG_EDGE_TOP && row == r.row;
    bool bottom = edges & IG_EDGE_BOTTOM && row == r.row + r.rows - 1;
    bool left = edges & IG_EDGE_LEFT && col == r.col;
    bool right = edges & IG_EDGE_RIGHT && col == r.col + r.cols - 1;
    unsigned arms = 0;

    if (top || bottom)
        arms |= (left ? 0 : IG_ARM_LEFT) | (right ? 0 : IG_ARM_RIGHT);
    if (left || right)
        arms |= (top ? 0 : IG_ARM_UP) | (bottom ? 0 : IG_ARM_DOWN);
    return arms;
}

/* Draw title and note in the top edge: "┌ title ────── note ┐". */
static void draw_title(ig_canvas *canvas, ig_rect r, unsigned edges, const char *title,
                       const char *note, ig_style style)
{
    int room = r.cols - (edges & IG_EDGE_RIGHT ? 4 : 3), used = 0;
    int width = note ? ig_text_columns(note) : 0;

    if (title && *title && room >= 1) {
        ig_canvas_put(canvas, r.row, r.col + 1, " ", style);
        used = ig_canvas_caption(canvas, r.row, r.col + 2, room, title, style);
        if (used < room)
            ig_canvas_put(canvas, r.row, r.col + 2 + used, " ", style);
    }
    if (note && *note && width + used + 3 <= room)
        ig_canvas_print(canvas, r.row, r.col + r.cols - width - 3, width + 2, ig_dim,
                        " %s ", note);
}

void ig_thumb_draw(ig_canvas *c, ig_rect in, size_t offset, size_t page, size_t all)
{
    size_t rows = (size_t)in.rows, size = rows * page / all, most = all - page;
    size_t start;

    size += size == 0;
    start = (offset * (rows - size) + most / 2) / most;
    for (size_t i = start; i < start + size; i++)
        ig_canvas_put(c, in.row + (int)i, in.col + in.cols - 1, "█",
                      ig_style_of(IG_COLOUR_FRAME, 0));
}

void ig_frame_draw(ig_canvas *canvas, ig_rect r, unsigned edges, const char *title,
                   const char *note, bool focused)
{
    ig_style line = ig_style_of(focused ? IG_COLOUR_FOCUS : IG_COLOUR_FRAME, 0);
    ig_style text =
        ig_style_of(focused ? IG_COLOUR_FOCUS : IG_COLOUR_TEXT, focused ? IG_BOLD : 0);

    if (ig_rect_empty(r))
        return;
    edges &= ~(r.rows == 1 ? IG_EDGE_BOTTOM : 0u) & ~(r.cols == 1 ? IG_EDGE_RIGHT : 0u);
    for (int row = r.row; row < r.row + r.rows; row++)
        for (int col = r.col; col < r.col + r.cols; col++) {
            unsigned arms = frame_arms(r, edges, row, col);

            if (arms && edges & IG_EDGE_JOIN)
                arms |= joined_arms(canvas, row, col);
            if (arms)
                ig_canvas_put(canvas, row, col, ig_glyphs_line(canvas->glyphs, arms),
                              line);
        }
    if (edges & IG_EDGE_TOP)
        draw_title(canvas, r, edges, title, note, text);
}

ig_rect ig_frame_inside(ig_rect rect, unsigned edges)
{
    return ig_rect_inset(rect, !!(edges & IG_EDGE_TOP), !!(edges & IG_EDGE_RIGHT),
                         !!(edges & IG_EDGE_BOTTOM), !!(edges & IG_EDGE_LEFT));
}

ig_rect ig_frame_box(ig_canvas *canvas, ig_rect rect, const char *title)
{
    ig_canvas_fill(canvas, rect, ig_style_of(IG_COLOUR_DEFAULT, 0));
    ig_frame_draw(canvas, rect, IG_EDGE_ALL, title, NULL, true);
    return ig_rect_inset(rect, 1, 2, 1, 2);
}

/* --- dots ------------------------------------------------------------------------- */

void ig_dots_set(ig_canvas *canvas, ig_rect rect, int x, int y, char ascii,
                 ig_style style)
{
    int across = ig_glyphs_dot_cols(canvas->glyphs);
    int down = ig_glyphs_dot_rows(canvas->glyphs);
    int row = rect.row + y / down, col = rect.col + x / across;
    const ig_cell *cell = ig_canvas_cell(canvas, row, col);
    char text[4] = {ascii, '\0'};

    if (x < 0 || y < 0 || x / across >= rect.cols || y / down >= rect.rows || !cell)
        return;
    if (canvas->glyphs == IG_BRAILLE)
        ig_braille_text(ig_braille_bits(cell->bytes, cell->length) |
                            ig_braille_bit(x % across, y % down),
                        text);
    ig_canvas_put(canvas, row, col, text, style);
}

/* Narrow [*t0, *t1] to where from + t·by is in −½ … last + ½. */
static void narrow_range(double from, double by, double last, double *t0, double *t1)
{
    double a = (-0.5 - from) / by, b = (last + 0.5 - from) / by;

    *t0 = fmax(*t0, fmin(a, b));
    *t1 = fmin(*t1, fmax(a, b));
}

void ig_dots_line(ig_canvas *canvas, ig_rect rect, double x0, double y0, double x1,
                  double y1, int dash, char ascii, ig_style style)
{
    double right = (double)rect.cols * ig_glyphs_dot_cols(canvas->glyphs) - 1;
    double bottom = (double)rect.rows * ig_glyphs_dot_rows(canvas->glyphs) - 1;
    double dx = x1 - x0, dy = y1 - y0, t0 = 0, t1 = 1;
    double steps = fmax(1, ceil(fmax(fabs(dx), fabs(dy))));

    if (ig_rect_empty(rect) || !isfinite(x0) || !isfinite(y0) || !(steps <= 1e15))
        return;
    narrow_range(x0, dx, right, &t0, &t1);
    narrow_range(y0, dy, bottom, &t0, &t1);
    if (!(t0 <= t1))
        return;
    for (long i = (long)floor(t0 * steps); i <= (long)ceil(t1 * steps); i++) {
        double t = (double)i / steps;
        int x = (int)lround(fmin(fmax(x0 + t * dx, -1), right + 1));
        int y = (int)lround(fmin(fmax(y0 + t * dy, -1), bottom + 1));

        if (dash <= 0 || x / dash % 2 == 0)
            ig_dots_set(canvas, rect, x, y, ascii, style);
    }
}

/* --- as text ---------------------------------------------------------------------- */

/* Longest SGR sequence: all attributes and both colours of 256. */
enum { SGR_SIZE = 48 };

static bool is_blank(const ig_cell *cell, bool styled)
{
    return cell->length == 1 && cell->bytes[0] == ' ' &&
           (!styled || (cell->style.bg == IG_COLOUR_DEFAULT &&
                        (cell->style.attributes & (IG_REVERSE | IG_UNDERLINE)) == 0));
}

static size_t sgr_colour(char *out, int number, int base)
{
    if (number < 0)
        return 0;
    if (number < 8)
        return (size_t)sprintf(out, ";%d", base + number);
    if (number < 16)
        return (size_t)sprintf(out, ";%d", base + 60 + number - 8);
    return (size_t)sprintf(out, ";%d;5;%d", base + 8, number);
}

static size_t format_sgr(char out[SGR_SIZE], ig_ink ink)
{
    static const struct {
        int attribute, number;
    } as[] = {{IG_BOLD, 1}, {IG_FAINT, 2}, {IG_UNDERLINE, 4}, {IG_REVERSE, 7}};
    size_t n = (size_t)sprintf(out, "\x1b[0");

    for (int i = 0; i < 4; i++)
        if (ink.attributes & as[i].attribute)
            n += (size_t)sprintf(out + n, ";%d", as[i].number);
    n += sgr_colour(out + n, ink.fg, 30);
    n += sgr_colour(out + n, ink.bg, 40);
    return n + (size_t)sprintf(out + n, "m");
}

/* Write a row to out, which is large enough; returns its bytes. */
static size_t write_row(const ig_canvas *canvas, int row, bool styled, char *out)
{
    ig_ink plain = {-1, -1, 0}, now = plain;
    int cols = canvas->cols;
    size_t n = 0;

    while (cols > 0 && is_blank(ig_canvas_cell(canvas, row, cols - 1), styled))
        cols--;
    for (int col = 0; col < cols; col++) {
        const ig_cell *cell = ig_canvas_cell(canvas, row, col);
        ig_ink ink = styled ? ig_palette_ink(cell->style, canvas->theme, canvas->depth)
                            : plain;

        if (cell->width == 0)
            continue;
        if (memcmp(&ink, &now, sizeof ink) != 0)
            n += format_sgr(out + n, ink);
        now = ink;
        memcpy(out + n, cell->bytes, cell->length);
        n += cell->length;
    }
    if (memcmp(&now, &plain, sizeof now) != 0)
        n += (size_t)sprintf(out + n, "\x1b[0m");
    out[n++] = '\n';
    return n;
}

char *ig_canvas_format(const ig_canvas *canvas, bool styled)
{
    size_t cells = (size_t)canvas->rows * (size_t)canvas->cols;
    size_t each = IG_CELL_BYTES + (styled ? SGR_SIZE : 0);
    char *out = ig_alloc(cells * each + (size_t)canvas->rows * 8 + 1, 1);
    size_t n = 0;

    if (!out)
        return NULL;
    for (int row = 0; row < canvas->rows; row++)
        n += write_row(canvas, row, styled, out + n);
    out[n] = '\0';
    return out;
}
