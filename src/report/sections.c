/* The two writers of a list of sections. */
#include "report/sections.h"

#include <string.h>

#include "core/text.h"

enum { LABEL = 11 }; /* columns of the terms of lists on a terminal */

extern const char ig_page_style[]; /* assets/report.css */

ig_section *ig_sections_add(ig_sections *sections, const char *title)
{
    ig_section *added = ig_arena_array(&sections->arena, 1, sizeof *added);

    if (!added) {
        ig_table_free(&sections->none.table);
        ig_table_free(&sections->none.list);
        return &sections->none;
    }
    *(sections->last ? &sections->last->next : &sections->first) = added;
    sections->last = added;
    added->title = title;
    return added;
}

void ig_sections_free(ig_sections *sections)
{
    for (ig_section *s = sections->first; s; s = s->next) {
        ig_table_free(&s->table);
        ig_table_free(&s->list);
    }
    ig_table_free(&sections->none.table);
    ig_table_free(&sections->none.list);
    ig_arena_free(&sections->arena);
    *sections = (ig_sections){0};
}

static ig_status check_sections(const ig_sections *sections, ig_error *error)
{
    bool failed = sections->arena.failed;

    for (const ig_section *s = sections->first; s; s = s->next)
        failed |= s->table.arena.failed || s->list.arena.failed;
    if (sections->status != IG_OK)
        return ig_fail(error, sections->status, "%s", sections->error.message);
    return failed ? ig_fail_memory(error, "the document") : IG_OK;
}

/* --- text ------------------------------------------------------------------------- */

ig_status ig_sections_text(ig_sections *sections, FILE *out, size_t columns, bool utf8,
                           ig_error *error)
{
    ig_status status = check_sections(sections, error);

    for (ig_section *s = sections->first; s && status == IG_OK; s = s->next) {
        if (s != sections->first)
            fputc('\n', out);
        if (s->text)
            ig_text_wrap(out, s->text, 0, columns, utf8);
        if (s->table.cols)
            ig_table_print(&s->table, out, columns, utf8);
        for (size_t i = 0; i + 1 < s->list.cells; i += 2) {
            const char *name = s->list.cell[i].text;

            ig_text_put(out, name, strlen(name), LABEL, true);
            ig_text_wrap(out, s->list.cell[i + 1].text, LABEL, columns, utf8);
        }
    }
    return status == IG_OK ? check_sections(sections, error) : status;
}

/* --- HTML ------------------------------------------------------------------------- */

/* Write a text without the blanks that align it on terminals, or nothing for NULL;
 * `code` as it is, with its line ends. */
static void put_text(FILE *out, const char *text, bool code)
{
    static const char special[] = "&<>\"'";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    size_t length = text ? strlen(text) : 0;

    while (!code && length && text[length - 1] == ' ')
        length--;
    while (length) {
        ig_grapheme g = ig_text_grapheme(text, length);

        if (code && *text == '\n')
            g = (ig_grapheme){.bytes = text, .length = 1, .source = 1};
        for (size_t i = 0; i < g.length; i++) {
            const char *at = g.bytes[i] ? strchr(special, g.bytes[i]) : NULL;

            if (at)
                fputs(entity[at - special], out);
            else
                fputc(g.bytes[i], out);
        }
        text += g.source;
        length -= g.source;
    }
}

/* Write a text between marks, or nothing for NULL. */
static void put_between(FILE *out, const char *open, const char *text,
                        const char *close)
{
    if (!text)
        return;
    fputs(open, out);
    put_text(out, text, false);
    fputs(close, out);
}

static void put_cell(FILE *out, const ig_table_cell *cell, const char *head)
{
    fprintf(out, *head ? "<th scope=\"%s\" dir=\"auto\"" : "<td%s", head);
    if (cell->heat)
        fprintf(out, " class=\"h%d\"", cell->heat - 1);
    fputs(cell->strong ? "><b>" : ">", out);
    put_text(out, cell->text, false);
    fputs(cell->strong ? "</b>" : "", out);
    put_between(out, "<br><small>", cell->below, "</small>");
    fputs(*head ? "</th>" : "</td>", out);
}

static void put_table(FILE *out, const ig_table *t)
{
    bool heat = false;

    for (size_t i = 0; i < t->cells; i++)
        heat |= t->cell[i].heat > 0;
    fprintf(out, "<div class=\"table\"><table%s>\n",
            t->wraps          ? " class=\"wrap\""
            : heat && t->leak ? " class=\"heat leak\""
            : heat            ? " class=\"heat\""
                              : "");
    put_between(out, "<caption dir=\"auto\">", t->caption, "</caption>\n");
    fputs("<thead>", out);
    for (size_t i = 0; i < t->cells; i++) {
        size_t col = i % t->cols;

        fputs(col ? "" : "<tr>", out);
        put_cell(out, &t->cell[i], i < t->cols ? "col" : col == 0 ? "row" : "");
        fputs(col + 1 < t->cols ? "" : "</tr>\n", out);
        fputs(i + 1 == t->cols ? "</thead>\n" : "", out);
    }
    fputs("</table></div>\n", out);
}

static void put_list(FILE *out, const ig_table *t)
{
    fputs(t->cols == 1 ? "<ul>\n" : "<dl>\n", out);
    for (size_t i = 0; i < t->cells; i += t->cols) {
        put_between(out, t->cols == 1 ? "<li dir=\"auto\">" : "<dt dir=\"auto\">",
                    t->cell[i].text, t->cols == 1 ? "</li>\n" : "</dt>");
        if (t->cols == 2)
            put_between(out, "<dd dir=\"auto\">", t->cell[i + 1].text, "</dd>\n");
    }
    fputs(t->cols == 1 ? "</ul>\n" : "</dl>\n", out);
}

/* Write a picture as an image of its own (a data: URI), because the names inside one
 * SVG would collide with those of another if they were part of the page. */
static void put_picture(FILE *out, const char *svg, const char *caption)
{
    put_between(out, "<figure><img alt=\"", caption, "\" src=\"data:image/svg+xml,");
    for (; *svg; svg++) /* shorter than base64 */
        if (*svg == '\n')
            fputc(' ', out);
        else
            fprintf(out, *svg < ' ' || strchr("\"#%&<>", *svg) ? "%%%02X" : "%c",
                    (unsigned char)*svg);
    put_between(out, "\"><figcaption dir=\"auto\">", caption,
                "</figcaption></figure>\n");
}

ig_status ig_sections_html(ig_sections *sections, FILE *out, const char *title,
                           ig_error *error)
{
    ig_status status = check_sections(sections, error);
    bool folded = false;

    if (status != IG_OK)
        return status;
    put_between(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
        title, "</title>\n<style>\n");
    fprintf(out, "%s</style>\n</head>\n<body>\n<main>\n", ig_page_style);
    put_between(out, "<h1 dir=\"auto\">", title, "</h1>\n");
    for (const ig_section *s = sections->first; s; s = s->next) {
        if (s->title && folded)
            fputs("</details>\n", out);
        folded = s->title ? s->folded : folded;
        put_between(out, s->folded ? "<details><summary>" : "<h2 dir=\"auto\">",
                    s->title, s->folded ? "</summary>\n" : "</h2>\n");
        if (s->picture)
            put_picture(out, s->picture, s->text);
        else
            put_between(out, "<p dir=\"auto\">", s->text, "</p>\n");
        if (s->table.cols)
            put_table(out, &s->table);
        if (s->list.cols)
            put_list(out, &s->list);
        if (s->code) {
            fputs("<pre><code>", out);
            put_text(out, s->code, true);
            fputs("</code></pre>\n", out);
        }
    }
    fputs(folded ? "</details>\n" : "", out);
    fputs("</main>\n</body>\n</html>\n", out);
    return IG_OK;
}
