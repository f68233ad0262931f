/* The two writers of a list of sections. */
#include "report/tables.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "data/content.h"

enum { LABEL = 11 }; /* columns of the terms of lists on a terminal */

extern const char ig_page_style[]; /* assets/report.css */

ig_section *ig_sections_add(ig_sections *sections, const char *title)
{
    ig_section *added = ig_arena_array(&sections->arena, 1, sizeof *added);

    if (!added) {
        ig_table_free(&sections->none.table);
        return &sections->none;
    }
    *(sections->last ? &sections->last->next : &sections->first) = added;
    sections->last = added;
    added->title = title;
    return added;
}

ig_table *ig_sections_add_terms(ig_sections *sections, const char *title)
{
    ig_section *added = ig_sections_add(sections, title);

    added->terms = true;
    return &added->table;
}

static void free_sections(ig_sections *sections)
{
    for (ig_section *s = sections->first; s; s = s->next)
        ig_table_free(&s->table);
    ig_table_free(&sections->none.table);
    ig_arena_free(&sections->arena);
    *sections = (ig_sections){0};
}

/* IG_OK, or the failure of the list. */
static ig_status check(const ig_sections *sections, ig_error *error)
{
    bool failed = sections->arena.failed;

    for (const ig_section *s = sections->first; s; s = s->next)
        failed |= s->table.arena.failed;
    if (sections->status != IG_OK)
        return ig_fail(error, sections->status, "%s", sections->error.message);
    return failed ? ig_fail_memory(error, "the document") : IG_OK;
}

/* --- text ------------------------------------------------------------------------- */

static void put_section(ig_section *s, FILE *out, size_t columns, bool utf8)
{
    const ig_table_cell *cell = s->table.cell;

    if (s->text)
        ig_text_wrap(out, s->text, 0, columns, utf8);
    if (!s->terms)
        ig_table_print(&s->table, out, columns, utf8);
    for (size_t i = 0; s->terms && i < s->table.cells; i += 2) {
        ig_text_put(out, cell[i].text, strlen(cell[i].text), LABEL, true);
        ig_text_wrap(out, cell[i + 1].text, LABEL, columns, utf8);
    }
}

ig_status ig_sections_print(ig_sections *sections, FILE *out, ig_table_format format,
                            size_t columns, bool utf8, ig_error *error)
{
    ig_status status = check(sections, error);

    for (ig_section *s = sections->first; s && status == IG_OK; s = s->next) {
        fputs(s == sections->first || (s->terms && !s->table.cells) ? "" : "\n", out);
        if (format == IG_AS_TABLE)
            put_section(s, out, columns, utf8);
        else if (!s->terms)
            ig_table_markup(&s->table, out, format == IG_AS_LATEX, false);
        for (size_t i = 0; format > IG_AS_JSON && s->terms && i < s->table.cells;
             i += 2)
            fprintf(out, format == IG_AS_LATEX ? "%% %s: %s\n" : "* %s: %s\n",
                    s->table.cell[i].text, s->table.cell[i + 1].text);
    }
    status = status == IG_OK ? check(sections, error) : status;
    free_sections(sections);
    return status;
}

/* --- HTML ------------------------------------------------------------------------- */

/* Write a text between marks, or nothing for NULL. */
static void put_between(FILE *out, const char *open, const char *text,
                        const char *close)
{
    if (!text)
        return;
    fputs(open, out);
    ig_text_put_xml(out, text);
    fputs(close, out);
}

static void put_cell(FILE *out, const ig_table_cell *cell, const char *head)
{
    fprintf(out, *head ? "<th scope=\"%s\" dir=\"auto\"" : "<td%s", head);
    if (cell->heat)
        fprintf(out, " class=\"h%d\"", cell->heat - 1);
    fputc('>', out);
    put_between(out, cell->best ? "<b>" : "", cell->text, cell->best ? "</b>" : "");
    put_between(out, "<br><small>", cell->below, "</small>");
    fputs(*head ? "</th>" : "</td>", out);
}

static void put_table(FILE *out, const ig_table *t)
{
    fprintf(out, "<div class=\"table\"><table%s>\n",
            t->leak     ? " class=\"heat leak\""
            : t->matrix ? " class=\"heat\""
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

static void put_terms(FILE *out, const ig_table *t)
{
    fputs("<dl>\n", out);
    for (size_t i = 0; i < t->cells; i += 2) {
        put_between(out, "<dt dir=\"auto\">", t->cell[i].text, "</dt>");
        put_between(out, "<dd dir=\"auto\">", t->cell[i + 1].text, "</dd>\n");
    }
    fputs("</dl>\n", out);
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

static void put_page(const ig_sections *sections, FILE *out, const char *title)
{
    bool folded = false;

    put_between(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta name=\"generator\" content=\"isogloss\">\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
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
        if (s->table.cols && s->terms)
            put_terms(out, &s->table);
        else if (s->table.cols)
            put_table(out, &s->table);
        put_between(out, "<pre><code>", s->code, "</code></pre>\n");
    }
    fputs(folded ? "</details>\n" : "", out);
    fputs("</main>\n</body>\n</html>\n", out);
}

ig_status ig_sections_write(ig_sections *sections, const char *path, const char *title,
                            ig_error *error)
{
    ig_writer writer = {0};
    ig_status status = check(sections, error);
    char *bytes = NULL;
    size_t size;
    FILE *page = open_memstream(&bytes, &size);

    if (page)
        put_page(sections, page, title);
    if ((!page || fclose(page) != 0) && status == IG_OK)
        status = ig_fail_memory(error, "the report");
    if (status == IG_OK)
        status = ig_writer_open(&writer, path, error);
    if (status == IG_OK) {
        fwrite(bytes, 1, size, writer.file);
        fprintf(writer.file, IG_OWN_MARK, ig_crc32(bytes, size));
        status = ig_writer_end(&writer, IG_OK, error);
    }
    free(bytes);
    free_sections(sections);
    return status;
}
