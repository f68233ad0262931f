/* Pages as Markdown with tables (CommonMark and GitHub's). Columns are aligned, so that
 * the file reads well as text too.
 *
 * Pictures are SVG in data: URIs, as images by reference. Their long definitions
 * stand at the end, in nobody's way: the one file holds them, and who has no viewer
 * still reads the text. Inline <svg> or <img> would be dropped wherever a viewer
 * lets no HTML through. One that refuses SVG in such URIs (markdown-it as it comes
 * does, GitHub takes none at all) shows captions as text and the definitions below
 * everything else: the HTML form is for everybody. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/page.h"

static const char *mark(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '\\':
        return "\\\\";
    case '`':
        return "\\`";
    case '*':
        return "\\*";
    case '_':
        return "\\_";
    case '[':
        return "\\[";
    case ']':
        return "\\]";
    case '|':
        return "\\|";
    case '~':
        return "\\~";
    case '$':
        return "\\$";
    default:
        return NULL;
    }
}

/* Before a text that opens a line: what would make it a heading, a list or a rule. */
static const char *guard(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    if (digits == 0)
        return *text && strchr("#+-=", *text) ? "\\" : "";
    return text[digits] == '.' || text[digits] == ')' ? "&#8203;" : "";
}

static void begin(ig_page *page, const char *title)
{
    fprintf(page->file, "# %s\n", ig_page_safe(page, title));
}

static void heading(ig_page *page, int level, const char *text)
{
    fprintf(page->file, "\n%.*s %s\n", level, "####", ig_page_safe(page, text));
}

static void paragraph(ig_page *page, const char *text)
{
    const char *shown = ig_page_safe(page, text);

    fprintf(page->file, "\n%s%s\n", guard(shown), shown);
}

static void facts(ig_page *page, const ig_report_fact *fact, size_t count)
{
    putc('\n', page->file);
    for (size_t i = 0; i < count; i++)
        fprintf(page->file, "- **%s**: %s\n", ig_page_safe(page, fact[i].name),
                ig_page_safe(page, fact[i].value));
}

/* --- tables ---------------------------------------------------------------------- */

static const char *superscript(ig_page *page, size_t number)
{
    static const char digit[10][4] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char *out = ig_arena_alloc(&page->arena, 16);

    if (!out)
        return "";
    if (number >= 10)
        strcat(out, digit[number / 10 % 10]);
    return strcat(out, digit[number % 10]);
}

/* What stands in a cell. */
static const char *content(ig_page *page, const ig_cell *cell)
{
    const char *text = ig_page_safe(page, cell->text);
    const char *note = cell->note ? superscript(page, cell->note) : "";
    const char *strong = cell->strong ? "**" : "";
    size_t size = strlen(text) + strlen(note) + 5;
    char *out = ig_arena_alloc(&page->arena, size);

    if (!out) {
        ig_page_fail(page, ig_fail_memory(page->error, "the report"));
        return "";
    }
    snprintf(out, size, "%s%s%s%s", strong, text, strong, note);
    return out;
}

static size_t columns(const char *text)
{
    return ig_text_width(text, strlen(text));
}

static void pad(FILE *file, char c, size_t count)
{
    while (count-- > 0)
        putc(c, file);
}

/* Figures to the right; the first column and every head as their column. */
static void put_row(ig_page *page, const char *const *text, const size_t *width,
                    size_t cols)
{
    for (size_t c = 0; c < cols; c++) {
        size_t air = width[c] - columns(text[c]);

        fputs("| ", page->file);
        pad(page->file, ' ', c == 0 ? 0 : air);
        fputs(text[c], page->file);
        pad(page->file, ' ', c == 0 ? air + 1 : 1);
    }
    fputs("|\n", page->file);
}

static void put_rule(ig_page *page, const size_t *width, size_t cols)
{
    for (size_t c = 0; c < cols; c++) {
        fputs(c == 0 ? "|:" : "|-", page->file);
        pad(page->file, '-', width[c]);
        putc(c == 0 ? '-' : ':', page->file);
    }
    fputs("|\n", page->file);
}

static void put_grid(ig_page *page, const ig_table *t, const char **text, size_t *width)
{
    for (size_t i = 0; i < t->rows * t->cols; i++) {
        text[i] = content(page, &t->cell[i]);
        if (columns(text[i]) > width[i % t->cols])
            width[i % t->cols] = columns(text[i]);
    }
    for (size_t r = 0; r < t->rows; r++) {
        put_row(page, text + r * t->cols, width, t->cols);
        if (r == 0)
            put_rule(page, width, t->cols);
    }
}

static void table(ig_page *page, const ig_table *t)
{
    const char **text = ig_arena_alloc(&page->arena, t->rows * t->cols * sizeof *text);
    size_t *width = ig_arena_alloc(&page->arena, t->cols * sizeof *width);
    const char *caption = t->caption ? ig_page_safe(page, t->caption) : NULL;

    if (!text || !width) {
        ig_page_fail(page, ig_fail_memory(page->error, "the report"));
        return;
    }
    if (caption)
        fprintf(page->file, "\n%s%s\n", guard(caption), caption);
    putc('\n', page->file);
    put_grid(page, t, text, width);
    for (size_t i = 0; i < t->notes; i++)
        fprintf(page->file, "\n%s %s\n", superscript(page, i + 1),
                ig_page_safe(page, t->note[i]));
}

/* --- the rest -------------------------------------------------------------------- */

static void picture(ig_page *page, const char *svg, size_t size, const char *caption)
{
    (void)svg; /* kept by the page until its end */
    (void)size;
    fprintf(page->file, "\n![%s][picture-%zu]\n", ig_page_safe(page, caption),
            page->pictures);
}

/* The longest run of backticks: the fence is longer. */
static size_t longest_ticks(const char *text)
{
    size_t longest = 0, run = 0;

    for (; *text; text++) {
        run = *text == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static const char *no_mark(char c)
{
    (void)c;
    return NULL;
}

/* Within a fence nothing is escaped. */
static void code(ig_page *page, const char *text)
{
    static const ig_page_form plain = {.mark = no_mark};
    const ig_page_form *form = page->form;
    size_t fence = longest_ticks(text) < 3 ? 3 : longest_ticks(text) + 1;
    size_t length;

    page->form = &plain;
    text = ig_page_text(page, text, true);
    page->form = form;
    length = strlen(text);
    putc('\n', page->file);
    pad(page->file, '`', fence);
    fprintf(page->file, "\n%s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
    pad(page->file, '`', fence);
    putc('\n', page->file);
}

static void beside(ig_page *page, bool open)
{
    (void)page; /* Markdown has one column */
    (void)open;
}

static void end(ig_page *page)
{
    size_t number = 0;

    putc('\n', page->file);
    for (const ig_page_kept *k = page->kept; k; k = k->next) {
        fprintf(page->file, "[picture-%zu]: data:image/svg+xml;base64,", ++number);
        ig_page_base64(page->file, k->svg, k->size);
        putc('\n', page->file);
    }
}

const ig_page_form ig_page_markdown = {begin,   heading, paragraph, facts, table,
                                       picture, code,    beside,    end,   mark};
