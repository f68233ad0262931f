/* Tables as text, Markdown and LaTeX. */
#include "report/text_table.h"

#include <stdarg.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"

enum { LABEL_MOST = 32, GAP = 2 }; /* columns of a terminal */

void ig_table_init(ig_table *table, size_t rows, size_t cols)
{
    *table = (ig_table){.rows = rows, .cols = cols};
    table->cell = ig_arena_array(&table->arena, rows * cols, sizeof *table->cell);
}

ig_table_cell *ig_table_cell_at(ig_table *table, size_t row, size_t col)
{
    return table->cell && row < table->rows && col < table->cols
               ? &table->cell[row * table->cols + col]
               : &table->none;
}

const char *ig_table_text_of(ig_table *table, const char *format, ...)
{
    const char *text;
    va_list list;

    va_start(list, format);
    text = ig_arena_format(&table->arena, format, list);
    va_end(list);
    return text;
}

ig_table_cell *ig_table_put(ig_table *table, size_t row, size_t col, const char *format,
                            ...)
{
    ig_table_cell *cell = ig_table_cell_at(table, row, col);
    va_list list;

    va_start(list, format);
    cell->text = ig_arena_format(&table->arena, format, list);
    va_end(list);
    return cell;
}

void ig_table_free(ig_table *table)
{
    ig_arena_free(&table->arena);
    *table = (ig_table){0};
}

/* --- for a terminal --------------------------------------------------------------- */

static size_t measure_text(const char *text)
{
    return text ? ig_text_width(text, strlen(text)) : 0;
}

static size_t measure_column(const ig_table *t, size_t col)
{
    size_t widest = 0;

    for (size_t row = 0; row < t->rows; row++) {
        const ig_table_cell *cell = &t->cell[row * t->cols + col];
        size_t width = measure_text(cell->text), below = measure_text(cell->below);

        width = below > width ? below : width;
        widest = width > widest ? width : widest;
    }
    return col || widest < LABEL_MOST ? widest : LABEL_MOST;
}

size_t ig_table_width(const ig_table *table)
{
    size_t width = 0;

    for (size_t col = 0; table->cell && col < table->cols; col++)
        width += measure_column(table, col) + (col ? GAP : 0);
    return width;
}

/* Print a text with ASCII for the symbols of tables, control characters made
 * visible. */
static void put_text(FILE *out, const char *text, size_t bytes, size_t columns,
                     bool utf8)
{
    static const char *const symbol[] = {"−", "–", "…", "↑", "↓", "→", "·"};
    static const char plain[] = "--,^v>.";
    enum { SYMBOLS = sizeof symbol / sizeof *symbol };
    const char *end = text + bytes;
    char copy[512];
    size_t n = 0;

    while (text < end && n < sizeof copy) {
        size_t k = 0, known = utf8 ? 1 : SYMBOLS; /* always a minus */

        while (k < known && strncmp(text, symbol[k], strlen(symbol[k])) != 0)
            k++;
        copy[n++] = k < known ? plain[k] : *text;
        text += k < known ? strlen(symbol[k]) : 1;
    }
    ig_text_put(out, copy, n, columns, false);
}

void ig_table_print_text(FILE *out, const char *text, bool utf8)
{
    put_text(out, text, strlen(text), SIZE_MAX, utf8);
}

void ig_text_wrap(FILE *out, const char *text, size_t indent, size_t width)
{
    size_t at = indent;

    for (size_t length; *text; text += length + strspn(text + length, " ")) {
        size_t columns;

        length = strcspn(text, " ");
        columns = ig_text_width(text, length);
        if (at > indent && at + 1 + columns > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        ig_text_put(out, text, length, SIZE_MAX, false);
        at += columns;
    }
    fputc('\n', out);
}

/* Print the texts of a row in the columns of a part, or what is below them. False:
 * nothing is below. */
static bool put_row(const ig_table *t, size_t row, bool below, const size_t *width,
                    size_t at, size_t shown, FILE *out, bool utf8)
{
    size_t gap = 0;
    bool any = false;

    for (size_t col = 0; col < t->cols && below && !any; col++)
        any = t->cell[row * t->cols + col].below != NULL;
    if (below && !any)
        return false;
    for (size_t col = 0; col < t->cols; col++) {
        const ig_table_cell *cell = &t->cell[row * t->cols + col];
        const char *text = below ? cell->below : cell->text;
        size_t columns = measure_text(text), trailing = 0;

        if (col >= t->first && col < t->cols - t->last &&
            (col < at || col >= at + shown))
            continue;
        columns = columns < width[col] ? columns : width[col];
        gap += col ? GAP + width[col] - columns : 0;
        for (size_t n = text ? strlen(text) : 0; n && text[n - 1] == ' '; n--)
            trailing++;
        if (columns > trailing) {
            fprintf(out, "%*s", (int)gap, "");
            put_text(out, text, strlen(text) - trailing, columns - trailing, utf8);
            gap = trailing;
        }
        gap += col ? 0 : width[col] - columns;
    }
    fputc('\n', out);
    return true;
}

ig_status ig_table_print(const ig_table *t, FILE *out, size_t columns, bool utf8,
                         ig_error *error)
{
    size_t *width = ig_alloc(t->cols, sizeof *width), end = t->cols - t->last, shown;
    size_t always = 0;

    if (!width || t->arena.failed) {
        ig_free(width);
        return ig_fail_memory(error, "the table");
    }
    for (size_t col = 0; col < t->cols; col++) {
        width[col] = measure_column(t, col) + (col ? GAP : 0);
        always += col < t->first || col >= end ? width[col] : 0;
        width[col] -= col ? GAP : 0;
    }
    for (size_t at = t->first; at < end; at += shown) {
        size_t used = always + width[at] + GAP;

        for (shown = 1; at + shown < end && used + width[at + shown] + GAP <= columns;
             shown++)
            used += width[at + shown] + GAP;
        if (at > t->first)
            fputc('\n', out);
        if (t->caption) {
            ig_table_print_text(out, t->caption, utf8);
            fputc('\n', out);
        }
        for (size_t row = 0; row < t->rows; row++) {
            put_row(t, row, false, width, at, shown, out, utf8);
            put_row(t, row, true, width, at, shown, out, utf8);
        }
    }
    ig_free(width);
    return IG_OK;
}

/* --- for a paper ------------------------------------------------------------------ */

void ig_table_quote(FILE *out, const char *text, bool latex)
{
    const char *mark = latex ? "#$%&_{}" : "|*_`<[&\\";

    if (latex && *text == '-' && text[1] >= '0' && text[1] <= '9') {
        fputs("$-$", out);
        text++;
    }
    for (size_t length = strlen(text); length;) {
        ig_grapheme g = ig_text_grapheme(text, length);

        if (latex && g.length == 3 && memcmp(g.bytes, "–", 3) == 0)
            fputs("--", out);
        else if (latex && g.length == 3 && memcmp(g.bytes, "−", 3) == 0)
            fputs("$-$", out);
        else
            for (size_t i = 0; i < g.length; i++)
                if (latex && strchr("\\^~", g.bytes[i]))
                    fprintf(out, "\\char%d ", g.bytes[i]);
                else
                    fprintf(out, strchr(mark, g.bytes[i]) ? "\\%c" : "%c", g.bytes[i]);
        text += g.source;
        length -= g.source;
    }
}

ig_status ig_table_markup(const ig_table *t, FILE *out, bool latex, ig_error *error)
{
    const char *next = latex ? " & " : " | ", *end = latex ? " \\\\\n" : " |\n";

    if (t->arena.failed)
        return ig_fail_memory(error, "the table");
    fputs(latex ? "% \\usepackage{booktabs}\n\\begin{tabular}{l" : "", out);
    for (size_t c = 1; latex && c < t->cols; c++)
        fputc(t->wraps ? 'l' : 'r', out);
    fputs(latex ? "}\n\\toprule\n" : "", out);
    for (size_t row = 0; row < t->rows; row++) {
        fputs(latex ? "" : "| ", out);
        for (size_t c = 0; c < t->cols; c++) {
            const ig_table_cell *cell = &t->cell[row * t->cols + c];

            fputs(c ? next : "", out);
            ig_table_quote(out, cell->text ? cell->text : "", latex);
            if (cell->below) {
                fputs(" (", out);
                ig_table_quote(out, cell->below, latex);
                fputc(')', out);
            }
        }
        fputs(end, out);
        if (row == 0)
            fputs(latex ? "\\midrule\n" : "| :--", out);
        for (size_t c = 1; row == 0 && !latex && c < t->cols; c++)
            fputs(t->wraps ? " | :--" : " | --:", out);
        fputs(row == 0 && !latex ? " |\n" : "", out);
    }
    fputs(latex ? "\\bottomrule\n\\end{tabular}\n" : "", out);
    return IG_OK;
}
