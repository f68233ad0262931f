/* Pages as HTML and as Markdown. */
#include "report/page.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"

enum { HEATS = 10 }; /* classes h0 … h10 of the style */

extern const char ig_page_style[]; /* assets/report.css */

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

/* --- texts ------------------------------------------------------------------------ */

static void put_byte(FILE *file, char c)
{
    static const char special[] = "&<>\"'";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *at = c ? strchr(special, c) : NULL;

    if (at)
        fputs(entity[at - special], file);
    else
        fputc(c, file);
}

/* A text, or nothing for NULL. `code`: line ends are kept, and Markdown has no
 * escapes. */
static void put_text(const ig_page *page, const char *text, bool code)
{
    size_t length = text ? strlen(text) : 0;

    if (page->markdown && !code && text) {
        ig_table_quote(page->file, text, false);
        return;
    }
    while (length) {
        ig_grapheme g = ig_text_grapheme(text, length);

        if (code && *text == '\n') {
            fputc('\n', page->file);
        } else {
            for (size_t i = 0; i < g.length; i++)
                if (page->markdown)
                    fputc(g.bytes[i], page->file);
                else
                    put_byte(page->file, g.bytes[i]);
        }
        text += g.source;
        length -= g.source;
    }
}

/* A text in an element of HTML. */
static void put_element(ig_page *page, const char *open, const char *text,
                        const char *close)
{
    fputs(open, page->file);
    put_text(page, text, false);
    fputs(close, page->file);
}

/* A text as a block: in an element of HTML, or after `mark` in Markdown. */
static void put_block(ig_page *page, const char *open, const char *close,
                      const char *mark, const char *text)
{
    if (page->markdown)
        put_element(page, mark, text, "\n");
    else
        put_element(page, open, text, close);
}

/* --- blocks ----------------------------------------------------------------------- */

void ig_page_begin(ig_page *page, const char *title)
{
    if (!ready(page))
        return;
    if (!page->markdown) {
        put_element(
            page,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, "
            "initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
            title, "</title>\n<style>\n");
        fprintf(page->file, "%s</style>\n</head>\n<body>\n<main>\n", ig_page_style);
    }
    put_block(page, "<h1 dir=\"auto\">", "</h1>\n", "# ", title);
}

void ig_page_heading(ig_page *page, int level, const char *text)
{
    static const char *const element[][3] = {
        {"\n<h2 dir=\"auto\">", "</h2>\n", "\n## "},
        {"\n<h3 dir=\"auto\">", "</h3>\n", "\n### "}};
    const char *const *as = element[level > 2];

    if (ready(page))
        put_block(page, as[0], as[1], as[2], text);
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
        put_block(page, "<p dir=\"auto\">", "</p>\n", "\n", text);
    else
        ig_page_fail_memory(page);
    ig_arena_free(&arena);
}

void ig_page_item(ig_page *page, const char *text)
{
    if (ready(page))
        put_block(page, "<ul><li dir=\"auto\">", "</li></ul>\n", "* ", text);
}

void ig_page_properties(ig_page *page, const ig_property *property, size_t count)
{
    if (!ready(page) || count == 0)
        return;
    fputs(page->markdown ? "\n" : "<dl>\n", page->file);
    for (size_t i = 0; i < count; i++) {
        put_element(page, page->markdown ? "* **" : "<dt dir=\"auto\">",
                    property[i].name, page->markdown ? "**: " : "</dt>");
        put_block(page, "<dd dir=\"auto\">", "</dd>\n", "", property[i].value);
    }
    fputs(page->markdown ? "\n" : "</dl>\n", page->file);
}

void ig_page_code(ig_page *page, const char *text)
{
    if (!ready(page))
        return;
    fputs(page->markdown ? "\n~~~~\n" : "<pre><code>", page->file);
    put_text(page, text, true);
    fputs(page->markdown ? "\n~~~~\n" : "</code></pre>\n", page->file);
}

void ig_page_side_by_side(ig_page *page, bool open)
{
    if (ready(page) && !page->markdown)
        fputs(open ? "<div class=\"row\">\n" : "</div>\n", page->file);
}

void ig_page_fold(ig_page *page, const char *title)
{
    if (ready(page)) /* Markdown viewers know these elements */
        put_element(page, "\n<details><summary>", title, "</summary>\n\n");
}

void ig_page_unfold(ig_page *page)
{
    if (ready(page))
        fputs("\n</details>\n", page->file);
}

void ig_page_end(ig_page *page)
{
    if (ready(page) && !page->markdown)
        fputs("</main>\n</body>\n</html>\n", page->file);
}

/* Percent-encode an SVG, which is shorter than base64. */
static void put_encoded(FILE *file, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] < ' ' || strchr("\"#%&<>", bytes[i]))
            fprintf(file, bytes[i] == '\n' ? " " : "%%%02X", (unsigned char)bytes[i]);
        else
            fputc(bytes[i], file);
}

/* Of many rows one in each cell (its side in points) has a title: the others lie below
 * it. */
enum { TITLES_ALL = 1000, CELL = 7 };

static void put_titles(ig_page *page, const ig_page_titles *titles)
{
    size_t columns = (size_t)titles->width / CELL + 1;
    size_t cells = columns * ((size_t)titles->height / CELL + 1);
    bool *taken = ig_alloc(cells, sizeof *taken);
    double place[2];
    char text[160];

    if (!taken)
        ig_page_fail_memory(page);
    fprintf(page->file, "<svg viewBox=\"0 0 %g %g\">\n", titles->width, titles->height);
    for (size_t i = 0; taken && i < titles->count; i++) {
        size_t cell;

        if (!titles->title(titles->context, i, place, text))
            continue;
        cell = (size_t)fmax(place[1], 0) / CELL * columns +
               (size_t)fmax(place[0], 0) / CELL;
        if (titles->count > TITLES_ALL && (cell >= cells || taken[cell]))
            continue;
        taken[cell < cells ? cell : 0] = true;
        fprintf(page->file, "<circle cx=%.0f cy=%.0f r=%g><title>", place[0], place[1],
                titles->radius);
        put_element(page, "", text, "</title></circle>\n");
    }
    fputs("</svg>", page->file);
    ig_free(taken);
}

void ig_page_picture(ig_page *page, char *svg, size_t size, const char *caption,
                     const ig_page_titles *titles)
{
    if (ready(page) && !page->markdown) {
        put_element(page, "<figure><div class=\"picture\"><img alt=\"", caption,
                    "\" src=\"data:image/svg+xml,");
        put_encoded(page->file, svg, size);
        fputs("\">", page->file);
        if (titles)
            put_titles(page, titles);
        put_element(page, "</div>\n<figcaption dir=\"auto\">", caption,
                    "</figcaption></figure>\n");
    }
    ig_free(svg);
}

/* --- tables ----------------------------------------------------------------------- */

static void put_cell(ig_page *page, const ig_table_cell *cell, bool top)
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

static bool has_heat(const ig_table *t)
{
    for (size_t i = 0; i < t->rows * t->cols; i++)
        if (!isnan(t->cell[i].heat))
            return true;
    return false;
}

static void put_markdown_table(ig_page *page, const ig_table *t)
{
    if (t->caption)
        put_element(page, "\n", t->caption, "\n");
    fputc('\n', page->file);
    ig_table_markup(t, page->file, false);
    for (size_t i = 0; i < t->notes; i++) {
        fprintf(page->file, "\n%zu. ", i + 1);
        put_element(page, "", t->note[i], "\n");
    }
}

static void put_table(ig_page *page, const ig_table *t)
{
    fprintf(page->file, "<div class=\"table\"><table%s>\n",
            t->wraps       ? " class=\"wrap\""
            : !has_heat(t) ? ""
            : t->leak      ? " class=\"heat leak\""
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

void ig_page_table(ig_page *page, ig_table *table)
{
    if (table->failed)
        ig_page_fail_memory(page);
    if (ready(page) && page->markdown)
        put_markdown_table(page, table);
    else if (ready(page))
        put_table(page, table);
    ig_table_free(table);
}
