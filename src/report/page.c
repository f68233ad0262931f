/* Pages for terminals, as Markdown and HTML. */
#include "report/page.h"

#include <stdarg.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"

enum { LABEL = 11 }; /* columns of the labels of lines on a terminal */

extern const char ig_page_style[]; /* assets/report.css */

void ig_page_fail_memory(ig_page *page)
{
    if (page->status == IG_OK)
        page->status = ig_fail_memory(page->error, "the report");
}

static bool is_html(const ig_page *page)
{
    return page->format == IG_AS_HTML;
}

/* --- texts ------------------------------------------------------------------------ */

/* A text, or nothing for NULL. `code`: line ends are kept, and Markdown has no
 * escapes. */
static void put_text(const ig_page *page, const char *text, bool code)
{
    static const char special[] = "&<>\"'";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    size_t length = text ? strlen(text) : 0;

    if (!is_html(page) && !code && text) {
        ig_table_quote(page->file, text, false);
        return;
    }
    while (length) {
        ig_grapheme g = ig_text_grapheme(text, length);

        for (size_t i = 0; i < g.length; i++) {
            char c = code && *text == '\n' ? '\n' : g.bytes[i];
            const char *at = is_html(page) && c ? strchr(special, c) : NULL;

            if (at)
                fputs(entity[at - special], page->file);
            else
                fputc(c, page->file);
            if (c == '\n')
                break;
        }
        text += g.source;
        length -= g.source;
    }
}

static void put_element(const ig_page *page, const char *open, const char *text,
                        const char *close)
{
    fputs(open, page->file);
    put_text(page, text, false);
    fputs(close, page->file);
}

/* A text as a block: an element of HTML, or after `mark` in Markdown. */
static void put_block(const ig_page *page, const char *tag, const char *mark,
                      const char *text)
{
    if (!is_html(page)) {
        put_element(page, mark, text, "\n");
    } else {
        fprintf(page->file, "<%s dir=\"auto\">", tag);
        put_element(page, "", text, "</");
        fprintf(page->file, "%s>\n", tag);
    }
}

/* Begin or end a list of terms. */
static void open_terms(ig_page *page, bool open)
{
    if (page->terms != open && page->format != IG_AS_TABLE)
        fputs(!is_html(page) ? "\n" : open ? "<dl>\n" : "</dl>\n", page->file);
    page->terms = open;
}

/* --- blocks ----------------------------------------------------------------------- */

static void put_term(ig_page *page, const char *name, const char *text)
{
    if (!text)
        ig_page_fail_memory(page);
    open_terms(page, true);
    if (page->format == IG_AS_TABLE) {
        ig_text_put(page->file, name, strlen(name), LABEL, true);
        ig_text_wrap(page->file, text ? text : "", LABEL, page->columns);
    } else {
        put_element(page, is_html(page) ? "<dt dir=\"auto\">" : "* **", name,
                    is_html(page) ? "</dt>" : "**: ");
        put_block(page, "dd", "", text);
    }
}

void ig_page_term(ig_page *page, const char *name, const char *format, ...)
{
    ig_arena arena = {0};
    va_list list;

    va_start(list, format);
    put_term(page, name, ig_arena_format(&arena, format, list));
    va_end(list);
    ig_arena_free(&arena);
}

void ig_page_terms(ig_page *page, const ig_table *terms)
{
    for (size_t i = 0; i + 1 < terms->cells; i += 2)
        put_term(page, terms->cell[i].text, terms->cell[i + 1].text);
    open_terms(page, false);
}

void ig_page_begin(ig_page *page, const char *title)
{
    if (is_html(page)) {
        put_element(
            page,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, "
            "initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
            title, "</title>\n<style>\n");
        fprintf(page->file, "%s</style>\n</head>\n<body>\n<main>\n", ig_page_style);
    }
    put_block(page, "h1", "# ", title);
}

void ig_page_heading(ig_page *page, int level, const char *text)
{
    open_terms(page, false);
    fputc('\n', page->file);
    put_block(page, level > 2 ? "h3" : "h2", level > 2 ? "### " : "## ", text);
}

void ig_page_paragraph(ig_page *page, const char *format, ...)
{
    ig_arena arena = {0};
    va_list list;
    char *text;

    va_start(list, format);
    text = ig_arena_format(&arena, format, list);
    va_end(list);
    if (!text)
        ig_page_fail_memory(page);
    put_block(page, "p", "\n", text);
    ig_arena_free(&arena);
}

void ig_page_item(ig_page *page, const char *text)
{
    fputs(is_html(page) ? "<ul>" : "", page->file);
    put_block(page, "li", "* ", text);
    fputs(is_html(page) ? "</ul>" : "", page->file);
}

void ig_page_code(ig_page *page, const char *text)
{
    open_terms(page, false);
    fputs(is_html(page) ? "<pre><code>" : "\n~~~~\n", page->file);
    put_text(page, text, true);
    fputs(is_html(page) ? "</code></pre>\n" : "\n~~~~\n", page->file);
}

void ig_page_side_by_side(ig_page *page, bool open)
{
    if (is_html(page))
        fputs(open ? "<div class=\"row\">\n" : "</div>\n", page->file);
}

void ig_page_fold(ig_page *page, const char *title)
{
    /* Markdown viewers know these elements. */
    put_element(page, "\n<details><summary>", title, "</summary>\n\n");
}

void ig_page_unfold(ig_page *page)
{
    open_terms(page, false);
    fputs("\n</details>\n", page->file);
}

void ig_page_end(ig_page *page)
{
    if (is_html(page))
        fputs("</main>\n</body>\n</html>\n", page->file);
}

void ig_page_picture_begin(ig_page *page, const char *svg, size_t size,
                           const char *caption, double width, double height)
{
    put_element(page, "<figure><div class=\"picture\"><img alt=\"", caption,
                "\" src=\"data:image/svg+xml,");
    for (size_t i = 0; i < size; i++) /* shorter than base64 */
        if (svg[i] < ' ' || strchr("\"#%&<>", svg[i]))
            fprintf(page->file, svg[i] == '\n' ? " " : "%%%02X", (unsigned char)svg[i]);
        else
            fputc(svg[i], page->file);
    fputs("\">", page->file);
    if (width > 0)
        fprintf(page->file, "<svg viewBox=\"0 0 %g %g\">\n", width, height);
}

void ig_page_picture_point(ig_page *page, const double place[2], const char *text)
{
    fprintf(page->file, "<circle cx=%.0f cy=%.0f r=5><title>", place[0], place[1]);
    put_element(page, "", text, "</title></circle>\n");
}

void ig_page_picture_end(ig_page *page, const char *caption, double width)
{
    fputs(width > 0 ? "</svg>" : "", page->file);
    put_element(page, "</div>\n<figcaption dir=\"auto\">", caption,
                "</figcaption></figure>\n");
}

/* --- tables ----------------------------------------------------------------------- */

static void put_cell(ig_page *page, const ig_table_cell *cell, const char *head)
{
    fputs(*head ? "<th scope=\"" : "<td", page->file);
    if (*head)
        fprintf(page->file, "%s\" dir=\"auto\"", head);
    if (cell->heat)
        fprintf(page->file, " class=\"h%d\"", cell->heat - 1);
    put_element(page, cell->strong ? "><b>" : ">", cell->text,
                cell->strong ? "</b>" : "");
    if (cell->below)
        put_element(page, "<br><small>", cell->below, "</small>");
    fputs(*head ? "</th>" : "</td>", page->file);
}

static void put_html_table(ig_page *page, const ig_table *t)
{
    bool heat = false;

    for (size_t i = 0; i < t->cells; i++)
        heat |= t->cell[i].heat > 0;
    fprintf(page->file, "<div class=\"table\"><table%s>\n",
            t->wraps  ? " class=\"wrap\""
            : !heat   ? ""
            : t->leak ? " class=\"heat leak\""
                      : " class=\"heat\"");
    if (t->caption)
        put_element(page, "<caption dir=\"auto\">", t->caption, "</caption>\n");
    for (size_t i = 0; i < t->cells; i++) {
        size_t row = i / t->cols, col = i % t->cols;

        if (col == 0)
            fputs(row == 0   ? "<thead><tr>"
                  : row == 1 ? "<tbody>\n<tr>"
                             : "<tr>",
                  page->file);
        put_cell(page, &t->cell[i], row == 0 ? "col" : col == 0 ? "row" : "");
        if (col + 1 == t->cols)
            fputs(row == 0 ? "</tr></thead>\n" : "</tr>\n", page->file);
    }
    fprintf(page->file, "%s</table>\n</div>\n", t->cells > t->cols ? "</tbody>" : "");
}

void ig_page_table(ig_page *page, ig_table *table)
{
    open_terms(page, false);
    if (table->arena.failed) {
        ig_page_fail_memory(page);
    } else if (page->format == IG_AS_TABLE) {
        ig_table_print(table, page->file, page->columns, page->utf8);
    } else if (page->format == IG_AS_HTML) {
        put_html_table(page, table);
    } else {
        if (table->caption)
            put_element(page, "\n", table->caption, "\n");
        fputc('\n', page->file);
        ig_table_markup(table, page->file, false);
    }
    if (table->arena.failed)
        ig_page_fail_memory(page);
    ig_table_free(table);
}
