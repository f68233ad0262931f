/* Tables for terminals, papers and programs. */
#include "report/text_table.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/array.h"
#include "core/file.h"
#include "core/json.h"
#include "core/text.h"

enum { GAP = 2, PIPE = 80 }; /* between columns; the width where none is known */

static ig_table_cell *append(ig_table *t, ig_table_cell cell)
{
    if (t->cells == t->room) {
        size_t room = t->room ? 2 * t->room : 64;
        ig_table_cell *grown = ig_arena_array(&t->arena, room, sizeof *grown);

        if (!grown)
            return &t->none;
        if (t->cells)
            memcpy(grown, t->cell, t->cells * sizeof *grown);
        t->cell = grown;
        t->room = room;
    }
    t->cell[t->cells] = cell;
    return &t->cell[t->cells++];
}

ig_table_cell *ig_table_text(ig_table *table, const char *text)
{
    return append(table, (ig_table_cell){.text = text});
}

ig_table_cell *ig_table_number(ig_table *table, double number)
{
    return append(table, (ig_table_cell){.number = number, .type = IG_CELL_NUMBER});
}

ig_table_cell *ig_table_count(ig_table *table, size_t n)
{
    return append(table, (ig_table_cell){.number = (double)n, .type = IG_CELL_COUNT});
}

void ig_table_heads(ig_table *table, const char *heads)
{
    for (size_t n; *heads; heads += n + (heads[n] == ' ')) {
        n = strcspn(heads, " ");
        ig_table_add(table, "%.*s", (int)n, heads);
    }
}

/* Give labels names that no other head has. */
static void name_labels(ig_table *t)
{
    for (size_t c = 0; c < t->cells; c++)
        for (size_t i = 0; t->cell[c].label && i < t->cells && !t->arena.failed; i++)
            if (i != c && strcmp(t->cell[i].text, t->cell[c].text) == 0) {
                t->cell[c].text = ig_table_text_of(t, "label_%s", t->cell[c].text);
                i = SIZE_MAX; /* compare it anew */
            }
}

void ig_table_end_row(ig_table *t)
{
    bool heads = t->cols == 0;
    const char *const of[] = {heads ? "of" : t->caption, heads ? "source" : t->source};
    size_t more = t->source ? 2 : 0;

    if (heads)
        t->cols = t->cells + more;
    for (size_t at; t->cols && (at = t->cells % t->cols) && !t->arena.failed;)
        ig_table_text(t, at + more < t->cols ? NULL : of[at + more - t->cols]);
    if (heads)
        name_labels(t);
}

void ig_terms_add(ig_table *terms, const char *name, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    ig_table_text(terms, name);
    ig_table_text(terms, ig_arena_format(&terms->arena, format, list));
    va_end(list);
    ig_table_end_row(terms);
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

void ig_table_free(ig_table *table)
{
    ig_arena_free(&table->arena);
    *table = (ig_table){0};
}

/* The text of a cell, numbers in `room`; "" where it is empty. */
static const char *format_cell(const ig_table_cell *cell, int digits, char room[40])
{
    if (cell->text)
        return cell->text;
    if (cell->type == IG_CELL_TEXT || !isfinite(cell->number))
        return "";
    if (cell->type == IG_CELL_COUNT)
        snprintf(room, 40, "%.0f", cell->number);
    else if (digits == 9 && (double)(float)cell->number == cell->number)
        return ig_float_format(room, (float)cell->number);
    else
        snprintf(room, 40, "%.*g", digits, cell->number);
    return room;
}

/* --- for a terminal --------------------------------------------------------------- */

static size_t measure_text(const char *text)
{
    return text ? ig_text_width(text, strlen(text)) : 0;
}

/* Print a text with ASCII for symbols of documents; control characters are visible. */
static void put_text(FILE *out, const char *text, size_t length, bool utf8)
{
    static const char *const symbol[] = {"\u00A0", "−", "–", "…", "↑",
                                         "↓",      "→", "·", "±"};
    static const char plain[] = " --,^v>.~";
    const size_t known = utf8 ? 1 : sizeof plain - 1; /* a blank */

    while (length) {
        ig_grapheme g = ig_text_grapheme(text, length);
        size_t k = 0;

        while (k < known && (g.source != strlen(symbol[k]) ||
                             memcmp(text, symbol[k], g.source) != 0))
            k++;
        if (k < known)
            fputc(plain[k], out);
        else
            fwrite(g.bytes, 1, g.length, out);
        text += g.source;
        length -= g.source;
    }
}

void ig_text_wrap(FILE *out, const char *text, size_t indent, size_t width, bool utf8)
{
    size_t at = indent;

    for (size_t length; *text; text += length + strspn(text + length, " ")) {
        size_t columns;

        length = strcspn(text, " ");
        columns = ig_text_width(text, length);
        if (at > indent && at + 1 + columns > (width ? width : PIPE)) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        put_text(out, text, length, utf8);
        at += columns;
    }
    fputc('\n', out);
}

/* Print the texts of a row in the columns of the part that begins at column `at`, or
 * what is below them, if anything is. */
static void put_row(const ig_table *t, const ig_table_cell *cell, bool below,
                    const size_t *width, size_t at, size_t shown, FILE *out, bool utf8)
{
    size_t gap = 0;
    bool any = !below;

    for (size_t col = 0; col < t->cols; col++) {
        const char *text = below ? cell[col].below : cell[col].text;
        bool best = cell[col].best && !below;
        size_t blank = width[col] - measure_text(text) - best;

        if (col >= t->first && col < t->cols - t->last &&
            (col < at || col >= at + shown))
            continue;
        gap += col ? GAP + blank : 0;
        if (text && *text) {
            fprintf(out, "%*s%s", (int)gap, "", best ? "*" : "");
            put_text(out, text, strlen(text), utf8);
            gap = 0;
            any = true;
        }
        gap += col ? 0 : blank;
    }
    if (any)
        fputc('\n', out);
}

static size_t measure_column(const ig_table *t, size_t col)
{
    size_t widest = 0;

    for (size_t at = col; at < t->cells; at += t->cols) {
        size_t width = measure_text(t->cell[at].text) + t->cell[at].best;
        size_t below = measure_text(t->cell[at].below);

        width = below > width ? below : width;
        widest = width > widest ? width : widest;
    }
    return widest;
}

void ig_table_print(ig_table *t, FILE *out, size_t columns, bool utf8)
{
    size_t *width = ig_arena_array(&t->arena, t->cols, sizeof *width);
    size_t always = 0, end = t->cols - t->last, room = columns ? columns : SIZE_MAX;
    bool best = false;

    for (size_t cell = 0; cell < t->cells; cell++)
        best |= t->cell[cell].best;
    if (t->caption && best)
        t->caption = ig_table_text_of(t, "%s; * best of its column", t->caption);
    for (size_t col = 0; width && col < t->cols; col++) {
        width[col] = measure_column(t, col);
        if (col < t->first || col >= end)
            always += width[col] + (col ? GAP : 0);
    }
    for (size_t at = t->first, shown; width && at < end; at += shown) {
        size_t used = always + width[at] + GAP;

        for (shown = 1;
             at + shown < end && (!t->first || used + width[at + shown] + GAP <= room);
             shown++)
            used += width[at + shown] + GAP;
        if (at > t->first)
            fputs("\ncontinued (in one table: a pipe, or --format markdown)\n", out);
        if (t->caption && (at == t->first || t->matrix))
            ig_text_wrap(out, t->caption, 0, columns, utf8);
        if (columns && t->matrix && used > columns + GAP) {
            fprintf(out, "it is wider than %zu columns: a pipe has it, or --report\n",
                    columns);
            continue;
        }
        for (size_t cell = 0; cell < t->cells; cell += t->cols) {
            put_row(t, &t->cell[cell], false, width, at, shown, out, utf8);
            put_row(t, &t->cell[cell], true, width, at, shown, out, utf8);
        }
    }
}

/* --- for a paper ------------------------------------------------------------------ */

/* Write a text by graphemes as terminals show it. */
static void put_quoted(FILE *out, const char *text, bool latex)
{
    static const char *const special[][2] = {
        {"–", "--"},          {"−", "$-$"},
        {"↑", "$\\uparrow$"}, {"↓", "$\\downarrow$"},
        {"·", "$\\cdot$"},    {"±", "$\\pm$"},
        {"→", "$\\to$"},      {"✓", "$\\surd$"},
        {"\\", "\\char92 "},  {"^", "\\char94 "},
        {"~", "$\\sim$"}};
    enum { SPECIAL = sizeof special / sizeof *special };
    const char *mark = latex ? "#$%&_{}" : "|*_`<[&\\";

    if (latex && *text == '-' && text[1] >= '0' && text[1] <= '9') {
        fputs("$-$", out);
        text++;
    }
    for (size_t length = strlen(text); length;) {
        ig_grapheme g = ig_text_grapheme(text, length);
        size_t k = latex ? 0 : SPECIAL;

        while (k < SPECIAL && (g.length != strlen(special[k][0]) ||
                               memcmp(g.bytes, special[k][0], g.length) != 0))
            k++;
        if (k < SPECIAL)
            fputs(special[k][1], out);
        for (size_t i = 0; k == SPECIAL && i < g.length; i++)
            fprintf(out, strchr(mark, g.bytes[i]) ? "\\%c" : "%c", g.bytes[i]);
        text += g.source;
        length -= g.source;
    }
}

void ig_table_markup(const ig_table *t, FILE *out, bool latex, bool texts)
{
    const char *next = latex ? " & " : " | ", *end = latex ? " \\\\\n" : " |\n";
    size_t cols = t->cols - (t->source ? 2 : 0); /* those are above it */
    char room[40];

    if (t->caption)
        fprintf(out, latex ? "%% %s%s%s\n" : "%s%s%s\n\n", t->caption,
                t->source ? "; " : "", t->source ? t->source : "");
    fputs(latex ? "% \\usepackage{booktabs}\n\\begin{tabular}{l" : "", out);
    for (size_t c = 1; latex && c < cols; c++)
        fputc(texts ? 'l' : 'r', out);
    fputs(latex ? "}\n\\toprule\n" : "", out);
    for (size_t row = 0; row * t->cols < t->cells; row++) {
        for (size_t c = 0; c < cols; c++) {
            const ig_table_cell *cell = &t->cell[row * t->cols + c];

            fputs(c ? next : latex ? "" : "| ", out);
            fputs(!cell->best ? "" : latex ? "\\textbf{" : "**", out);
            put_quoted(out, format_cell(cell, t->digits ? t->digits : 4, room), latex);
            fputs(!cell->best ? "" : latex ? "}" : "**", out);
            if (cell->below) {
                fputs(" (", out);
                put_quoted(out, cell->below, latex);
                fputc(')', out);
            }
        }
        fputs(end, out);
        if (row == 0 && latex)
            fputs("\\midrule\n", out);
        for (size_t c = 0; row == 0 && !latex && c < cols; c++)
            fputs(c == 0 ? "| :--" : texts ? " | :--" : " | --:", out);
        fputs(row == 0 && !latex ? " |\n" : "", out);
    }
    fputs(latex ? "\\bottomrule\n\\end{tabular}\n" : "", out);
}

/* --- for programs ----------------------------------------------------------------- */

/* Print a row as fields; missing texts and numbers are empty. */
static void put_fields(const ig_table *t, size_t row, FILE *out, char delimiter)
{
    const ig_table_cell *cell = &t->cell[row * t->cols];
    char room[40];

    for (size_t c = 0; c < t->cols; c++) {
        if (c)
            fputc(delimiter, out);
        ig_field_put(out, format_cell(&cell[c], t->digits ? t->digits : 7, room),
                     delimiter);
    }
    fputc('\n', out);
}

/* Print a row as a JSON object with the heads as names; what is missing is null. */
static void put_object(ig_table *t, size_t row, FILE *out)
{
    json_t *object = t->arena.failed ? NULL : json_object();

    for (size_t c = 0; object && c < t->cols; c++) {
        const ig_table_cell *cell = &t->cell[row * t->cols + c];

        object = ig_json_set(object, t->cell[c].text,
                             cell->type == IG_CELL_TEXT ? ig_json_string(cell->text)
                             : cell->type == IG_CELL_COUNT
                                 ? json_integer(cell->number)
                                 : ig_json_number(cell->number));
    }
    fputs(t->flushed ? ",\n  " : "\n  ", out);
    t->arena.failed |=
        !ig_json_write(out, object, JSON_REAL_PRECISION(t->digits ? t->digits : 7));
    json_decref(object);
}

void ig_table_flush(ig_table *t, FILE *out, ig_table_format format, char delimiter)
{
    bool json = format == IG_AS_JSON;

    for (size_t row = json || t->flushed; row * t->cols < t->cells; row++) {
        if (json)
            put_object(t, row, out);
        else
            put_fields(t, row, out, delimiter);
        t->flushed = true;
    }
    t->cells = t->cols;
}

ig_status ig_table_save(ig_table *t, const char *path, ig_error *error)
{
    bool latex = ig_path_ends(path, ".tex"), texts = false;
    char delimiter = ig_path_ends(path, ".tsv") ? '\t' : ',';
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    if (latex || ig_path_ends(path, ".md")) {
        for (size_t i = t->cols; i < t->cells; i++)
            texts |= t->cell[i].type == IG_CELL_TEXT && i % t->cols &&
                     (!t->source || i % t->cols < t->cols - 2);
        ig_table_markup(t, writer.file, latex, texts);
    } else if (ig_path_ends(path, ".json")) {
        fputc('[', writer.file);
        ig_table_flush(t, writer.file, IG_AS_JSON, 0);
        fputs("\n]\n", writer.file);
    } else {
        ig_table_flush(t, writer.file, IG_AS_CSV, delimiter);
    }
    if (t->arena.failed)
        status = ig_fail_memory(error, "the table");
    return ig_writer_end(&writer, status, error);
}
