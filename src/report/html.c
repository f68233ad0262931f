/* Pages as HTML: one file, no scripts, nothing fetched. Pictures are images of their
 * own (data: URIs), because the names inside one SVG would collide with those of
 * another if they were part of the page. */
#include <math.h>
#include <stdio.h>

#include "report/page.h"

enum { HEATS = 10 }; /* classes h0 … h10 of the style */

static const char *mark(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static void begin(ig_page *page, const char *title)
{
    const char *shown = ig_page_safe(page, title);

    fprintf(page->file,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n"
            "<h1 dir=\"auto\">%s</h1>\n",
            shown, ig_page_style, shown);
}

static void heading(ig_page *page, int level, const char *text)
{
    fprintf(page->file, "\n<h%d dir=\"auto\">%s</h%d>\n", level,
            ig_page_safe(page, text), level);
}

static void paragraph(ig_page *page, const char *text)
{
    fprintf(page->file, "<p dir=\"auto\">%s</p>\n", ig_page_safe(page, text));
}

static void facts(ig_page *page, const ig_report_fact *fact, size_t count)
{
    fputs("<dl>\n", page->file);
    for (size_t i = 0; i < count; i++)
        fprintf(page->file, "<dt dir=\"auto\">%s</dt><dd dir=\"auto\">%s</dd>\n",
                ig_page_safe(page, fact[i].name), ig_page_safe(page, fact[i].value));
    fputs("</dl>\n", page->file);
}

static void put_cell(ig_page *page, const ig_cell *cell, bool top)
{
    const char *tag = cell->head ? "th" : "td";

    fprintf(page->file, "<%s", tag);
    if (cell->head)
        fprintf(page->file, " scope=\"%s\" dir=\"auto\"", top ? "col" : "row");
    if (!isnan(cell->heat))
        fprintf(page->file, " class=\"h%d\"",
                (int)(fmin(fmax(cell->heat, 0), 1) * HEATS + 0.5));
    fprintf(page->file, ">%s%s%s", cell->strong ? "<b>" : "",
            ig_page_safe(page, cell->text), cell->strong ? "</b>" : "");
    if (cell->note)
        fprintf(page->file, "<sup>%zu</sup>", cell->note);
    fprintf(page->file, "</%s>", tag);
}

static bool has_heat(const ig_table *t)
{
    for (size_t i = 0; i < t->rows * t->cols; i++)
        if (!isnan(t->cell[i].heat))
            return true;
    return false;
}

static void table(ig_page *page, const ig_table *t)
{
    fprintf(page->file, "<div class=\"table\"><table%s>\n",
            !has_heat(t) ? ""
            : t->leak    ? " class=\"heat leak\""
                         : " class=\"heat\"");
    if (t->caption)
        fprintf(page->file, "<caption dir=\"auto\">%s</caption>\n",
                ig_page_safe(page, t->caption));
    for (size_t r = 0; r < t->rows; r++) {
        fputs(r == 0 ? "<thead><tr>" : r == 1 ? "<tbody>\n<tr>" : "<tr>", page->file);
        for (size_t c = 0; c < t->cols; c++)
            put_cell(page, &t->cell[r * t->cols + c], r == 0);
        fputs(r == 0 ? "</tr></thead>\n" : "</tr>\n", page->file);
    }
    fprintf(page->file, "%s</table>\n", t->rows > 1 ? "</tbody>" : "");
    for (size_t i = 0; i < t->notes; i++)
        fprintf(page->file, "<p class=\"note\" dir=\"auto\"><sup>%zu</sup> %s</p>\n",
                i + 1, ig_page_safe(page, t->note[i]));
    fputs("</div>\n", page->file);
}

static void picture(ig_page *page, const char *svg, size_t size, const char *caption)
{
    const char *shown = ig_page_safe(page, caption);

    fprintf(page->file, "<figure><img alt=\"%s\" src=\"data:image/svg+xml;base64,",
            shown);
    ig_page_base64(page->file, svg, size);
    fprintf(page->file, "\">\n<figcaption dir=\"auto\">%s</figcaption></figure>\n",
            shown);
}

static void code(ig_page *page, const char *text)
{
    fprintf(page->file, "<pre><code>%s</code></pre>\n", ig_page_text(page, text, true));
}

static void beside(ig_page *page, bool open)
{
    fputs(open ? "<div class=\"beside\">\n" : "</div>\n", page->file);
}

static void end(ig_page *page)
{
    fputs("</main>\n</body>\n</html>\n", page->file);
}

const ig_page_form ig_page_html = {begin,   heading, paragraph, facts, table,
                                   picture, code,    beside,    end,   mark};
