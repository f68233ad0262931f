/* Pages: blocks on their way to a form. Writes nothing itself but base64. */
#include "report/page.h"

#include <stdarg.h>
#include <string.h>

#include "base/builder.h"
#include "base/text.h"

void ig_page_fail(ig_page *page, ig_status status)
{
    if (page->status == IG_OK)
        page->status = status;
}

/* Whether a block is to be printed; what the one before needed is released. */
static bool ready(ig_page *page)
{
    ig_arena_free(&page->arena);
    return page->status == IG_OK;
}

static void fail_memory(ig_page *page)
{
    if (page->status == IG_OK)
        page->status = ig_fail_memory(page->error, "the report");
}

/* --- blocks ---------------------------------------------------------------------- */

void ig_page_begin(ig_page *page, const char *title)
{
    if (ready(page))
        page->form->begin(page, title);
}

void ig_page_heading(ig_page *page, int level, const char *text)
{
    if (ready(page))
        page->form->heading(page, level, text);
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
        page->form->paragraph(page, text);
    else
        fail_memory(page);
    ig_arena_free(&arena);
}

void ig_page_facts(ig_page *page, const ig_report_fact *fact, size_t facts)
{
    if (ready(page) && facts)
        page->form->facts(page, fact, facts);
}

void ig_page_code(ig_page *page, const char *text)
{
    if (ready(page))
        page->form->code(page, text);
}

void ig_page_beside(ig_page *page, bool open)
{
    if (ready(page))
        page->form->beside(page, open);
}

void ig_page_end(ig_page *page)
{
    if (ready(page))
        page->form->end(page);
}

void ig_page_table(ig_page *page, ig_table *table)
{
    if (table->failed)
        fail_memory(page);
    if (ready(page))
        page->form->table(page, table);
    ig_table_free(table);
}

void ig_page_picture(ig_page *page, char *svg, size_t size, const char *caption)
{
    ig_page_kept *kept = ready(page) ? ig_alloc(1, sizeof *kept) : NULL;

    if (!kept) {
        ig_free(svg);
        fail_memory(page);
        return;
    }
    *kept = (ig_page_kept){NULL, svg, size};
    if (!page->kept)
        page->kept_end = &page->kept;
    *page->kept_end = kept;
    page->kept_end = &kept->next;
    page->pictures++;
    page->form->picture(page, svg, size, caption);
}

void ig_page_free(ig_page *page)
{
    while (page->kept) {
        ig_page_kept *next = page->kept->next;

        ig_free(page->kept->svg);
        ig_free(page->kept);
        page->kept = next;
    }
    ig_arena_free(&page->arena);
}

/* --- texts ----------------------------------------------------------------------- */

/* Where a text goes: counted first, then written. */
struct sink {
    char *out; /* or NULL: only counted */
    size_t size;
};

static void put(struct sink *sink, const char *bytes, size_t length)
{
    if (sink->out)
        memcpy(sink->out + sink->size, bytes, length);
    sink->size += length;
}

static void put_shown(struct sink *sink, const ig_page_form *form, const char *bytes,
                      size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char *mark = form->mark(bytes[i]);

        if (mark)
            put(sink, mark, strlen(mark));
        else
            put(sink, bytes + i, 1);
    }
}

static void put_text(struct sink *sink, const ig_page_form *form, const char *text,
                     bool lines)
{
    size_t length = strlen(text);

    while (length) {
        ig_grapheme g = ig_text_grapheme(text, length);

        if (lines && *text == '\n') {
            put(sink, "\n", 1);
        } else {
            if (g.carrier) /* or it would sit on what stands before */
                put(sink, "◌", strlen("◌"));
            put_shown(sink, form, g.bytes, g.length);
        }
        text += g.source;
        length -= g.source;
    }
}

const char *ig_page_text(ig_page *page, const char *text, bool lines)
{
    struct sink sink = {NULL, 0};

    put_text(&sink, page->form, text, lines);
    sink.out = ig_arena_alloc(&page->arena, sink.size + 1);
    if (!sink.out) {
        fail_memory(page);
        return "";
    }
    sink.size = 0;
    put_text(&sink, page->form, text, lines);
    return sink.out;
}

const char *ig_page_safe(ig_page *page, const char *text)
{
    return ig_page_text(page, text ? text : "", false);
}

void ig_page_base64(FILE *file, const char *bytes, size_t size)
{
    enum { BYTES = 3 * 256 };
    char coded[BYTES / 3 * 4];

    for (size_t i = 0; i < size; i += BYTES) {
        size_t n = size - i < BYTES ? size - i : BYTES;

        fwrite(coded, 1, ig_text_base64(bytes + i, n, coded), file);
    }
}
