/* Pages as HTML. */
#include "report/page.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/builder.h"
#include "base/text.h"

enum { HEATS = 10 }; /* classes h0 … h10 of the style */

void ig_page_fail(ig_page *page, ig_status status)
{
    if (page->status == IG_OK)
        page->status = status;
}

void ig_page_fail_memory(ig_page *page)
{
    if (page->status == IG_OK)
        page->status = ig_fail_memory(page->error, "the report");
}

static bool ready(const ig_page *page)
{
    return page->status == IG_OK;
}

/* --- texts ----------------------------------------------------------------------- */

static void put_byte(FILE *file, char c)
{
    switch (c) {
    case '&':
        fputs("&amp;", file);
        break;
    case '<':
        fputs("&lt;", file);
        break;
    case '>':
        fputs("&gt;", file);
        break;
    case '"':
        fputs("&quot;", file);
        break;
    case '\'':
        fputs("&#39;", file);
        break;
    default:
        fputc(c, file);
    }
}

/* A text, or nothing for NULL. `lines`: line ends are kept. */
static void put_text(FILE *file, const char *text, bool lines)
{
    size_t length = text ? strlen(text) : 0;

    while (length) {
        ig_grapheme g = ig_text_grapheme(text, length);

        if (lines && *text == '\n') {
            fputc('\n', file);
        } else {
            if (g.carrier) /* or it would sit on what stands before */
                fputs("◌", file);
            for (size_t i = 0; i < g.length; i++)
                put_byte(file, g.bytes[i]);
        }
        text += g.source;
        length -= g.source;
    }
}

/* A text in an element. */
static void put_element(ig_page *page, const char *open, const char *text,
                        const char *close)
{
    fputs(open, page->file);
    put_text(page->file, text, false);
    fputs(close, page->file);
}

/* --- blocks ---------------------------------------------------------------------- */

void ig_page_begin(ig_page *page, const char *title)
{
    if (!ready(page))
        return;
    put_element(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
        title, "</title>\n<style>\n");
    fprintf(page->file, "%s</style>\n</head>\n<body>\n<main>\n", ig_page_style);
    put_element(page, "<h1 dir=\"auto\">", title, "</h1>\n");
}

void ig_page_heading(ig_page *page, int level, const char *text)
{
    if (!ready(page))
        return;
    fprintf(page->file, "\n<h%d dir=\"auto\">", level);
    put_text(page->file, text, false);
    fprintf(page->file, "</h%d>\n", level);
}

void ig_page_paragraph(ig_page *page, const char *format, ...)
{
    ig_arena arena = {0};
    va_list list;
    char *text;

    if (!ready(page))
        return;
    va_start(list, format);
    text = ig_arena_format(&arena, format, list);
    va_end(list);
    if (text)
        put_element(page, "<p dir=\"auto\">", text, "</p>\n");
    else
        ig_page_fail_memory(page);
    ig_arena_free(&arena);
}

void ig_page_properties(ig_page *page, const ig_property *property, size_t count)
{
    if (!ready(page) || count == 0)
        return;
    fputs("<dl>\n", page->file);
    for (size_t i = 0; i < count; i++) {
        put_element(page, "<dt dir=\"auto\">", property[i].name, "</dt>");
        put_element(page, "<dd dir=\"auto\">", property[i].value, "</dd>\n");
    }
    fputs("</dl>\n", page->file);
}

void ig_page_code(ig_page *page, const char *text)
{
    if (!ready(page))
        return;
    fputs("<pre><code>", page->file);
    put_text(page->file, text, true);
    fputs("</code></pre>\n", page->file);
}

void ig_page_beside(ig_page *page, bool open)
{
    if (ready(page))
        fputs(open ? "<div class=\"beside\">\n" : "</div>\n", page->file);
}

void ig_page_end(ig_page *page)
{
    if (ready(page))
        fputs("</main>\n</body>\n</html>\n", page->file);
}

static void put_base64(FILE *file, const char *bytes, size_t size)
{
    enum { BYTES = 3 * 256 };
    char coded[BYTES / 3 * 4];

    for (size_t i = 0; i < size; i += BYTES) {
        size_t n = size - i < BYTES ? size - i : BYTES;

        fwrite(coded, 1, ig_text_base64(bytes + i, n, coded), file);
    }
}

void ig_page_picture(ig_page *page, char *svg, size_t size, const char *caption)
{
    if (ready(page)) {
        put_element(page, "<figure><img alt=\"", caption,
                    "\" src=\"data:image/svg+xml;base64,");
        put_base64(page->file, svg, size);
        put_element(page, "\">\n<figcaption dir=\"auto\">", caption,
                    "</figcaption></figure>\n");
    }
    ig_free(svg);
}

/* --- tables ---------------------------------------------------------------------- */

void ig_page_table_init(ig_page_table *table, size_t rows, size_t cols)
{
    *table = (ig_page_table){.rows = rows, .cols = cols};
    table->cell = ig_alloc(rows * cols, sizeof *table->cell);
    table->failed = !table->cell;
    for (size_t i = 0; table->cell && i < rows * cols; i++) {
        table->cell[i].heat = NAN;
        table->cell[i].head = i < cols || i % cols == 0;
    }
}

ig_page_cell *ig_page_table_cell(ig_page_table *table, size_t row, size_t col)
{
    return table->cell && row < table->rows && col < table->cols
               ? &table->cell[row * table->cols + col]
               : &table->none;
}

/* A formatted text of the table's own. */
__attribute__((format(printf, 2, 0))) static const char *
own_text(ig_page_table *table, const char *format, va_list list)
{
    const char *text = ig_arena_format(&table->arena, format, list);

    table->failed |= !text;
    return text;
}

ig_page_cell *ig_page_table_put(ig_page_table *table, size_t row, size_t col,
                                const char *format, ...)
{
    ig_page_cell *cell = ig_page_table_cell(table, row, col);
    va_list list;

    va_start(list, format);
    cell->text = own_text(table, format, list);
    va_end(list);
    return cell;
}

void ig_page_table_below(ig_page_table *table, size_t row, size_t col,
                         const char *format, ...)
{
    va_list list;

    va_start(list, format);
    ig_page_table_cell(table, row, col)->below = own_text(table, format, list);
    va_end(list);
}

void ig_page_table_caption(ig_page_table *table, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    table->caption = own_text(table, format, list);
    va_end(list);
}

void ig_page_table_missing(ig_page_table *table, size_t row, size_t col,
                           const char *reason)
{
    ig_page_cell *cell = ig_page_table_put(table, row, col, "–");
    size_t i = 0;

    if (!reason)
        return;
    while (i < table->notes && strcmp(table->note[i], reason) != 0)
        i++;
    if (i == IG_PAGE_NOTES)
        return;
    if (i == table->notes) {
        table->note[i] = ig_arena_text(&table->arena, reason, strlen(reason));
        if (!table->note[i]) {
            table->failed = true;
            return;
        }
        table->notes++;
    }
    cell->note = i + 1;
}

static void put_cell(ig_page *page, const ig_page_cell *cell, bool top)
{
    const char *tag = cell->head ? "th" : "td";

    fprintf(page->file, "<%s", tag);
    if (cell->head)
        fprintf(page->file, " scope=\"%s\" dir=\"auto\"", top ? "col" : "row");
    if (!isnan(cell->heat))
        fprintf(page->file, " class=\"h%d\"",
                (int)(fmin(fmax(cell->heat, 0), 1) * HEATS + 0.5));
    put_element(page, cell->strong ? "><b>" : ">", cell->text,
                cell->strong ? "</b>" : "");
    if (cell->note)
        fprintf(page->file, "<sup>%zu</sup>", cell->note);
    if (cell->below)
        put_element(page, "<br><small>", cell->below, "</small>");
    fprintf(page->file, "</%s>", tag);
}

static bool has_heat(const ig_page_table *t)
{
    for (size_t i = 0; i < t->rows * t->cols; i++)
        if (!isnan(t->cell[i].heat))
            return true;
    return false;
}

static void put_table(ig_page *page, const ig_page_table *t)
{
    fprintf(page->file, "<div class=\"table\"><table%s>\n",
            !has_heat(t) ? ""
            : t->leak    ? " class=\"heat leak\""
                         : " class=\"heat\"");
    if (t->caption)
        put_element(page, "<caption dir=\"auto\">", t->caption, "</caption>\n");
    for (size_t r = 0; r < t->rows; r++) {
        fputs(r == 0 ? "<thead><tr>" : r == 1 ? "<tbody>\n<tr>" : "<tr>", page->file);
        for (size_t c = 0; c < t->cols; c++)
            put_cell(page, &t->cell[r * t->cols + c], r == 0);
        fputs(r == 0 ? "</tr></thead>\n" : "</tr>\n", page->file);
    }
    fprintf(page->file, "%s</table>\n", t->rows > 1 ? "</tbody>" : "");
    for (size_t i = 0; i < t->notes; i++) {
        fprintf(page->file, "<p class=\"note\" dir=\"auto\"><sup>%zu</sup> ", i + 1);
        put_element(page, "", t->note[i], "</p>\n");
    }
    fputs("</div>\n", page->file);
}

void ig_page_table_end(ig_page *page, ig_page_table *table)
{
    if (table->failed)
        ig_page_fail_memory(page);
    if (ready(page))
        put_table(page, table);
    ig_free(table->cell);
    ig_arena_free(&table->arena);
    *table = (ig_page_table){0};
}
