/* Figures of every ordered pair of languages, for a terminal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "report/matrices.h"

enum {
    TEXT = 2048,
    LISTED = 5 /* language pairs of a list */
};

/* As a matrix where it fits the width, as two lines where all have one language in
 * common, else its worst and best. */
typedef struct matrix {
    const ig_document *document;
    FILE *out;
    size_t width; /* columns of the terminal */
    bool utf8;
    const ig_document_column *column;
    const ig_measure *measure;
    const ig_figure *row; /* (rows) those of the measure, parts and means, too */
    size_t rows;
    bool *used;       /* (languages of the dataset) those with pairs */
    size_t languages; /* of them */
    size_t code;      /* columns of the longest code */
} matrix;

/* Cells of so many columns, figures with so many decimals. */
typedef struct grid {
    size_t cell;
    int decimals;
} grid;

/* A text whole, or cut to so many columns and filled up to them. */
static void put(const matrix *m, const char *text, size_t columns)
{
    ig_text_put(m->out, text, strlen(text), columns, columns != SIZE_MAX);
}

static const char *code_of(const matrix *m, size_t language)
{
    return m->document->set->language[language];
}

static void find_languages(matrix *m)
{
    for (size_t i = 0; i < m->rows; i++)
        if (ig_figure_is_pair(&m->row[i]))
            m->used[m->row[i].lang[0] - 1] = m->used[m->row[i].lang[1] - 1] = true;
    m->languages = m->code = 0;
    for (size_t k = 0; k < m->document->set->languages; k++)
        if (m->used[k]) {
            size_t width = ig_text_width(code_of(m, k), strlen(code_of(m, k)));

            m->languages++;
            m->code = width > m->code ? width : m->code;
        }
}

/* "1 seed: top-1 by meaning in %, from row to column (chance 0.2)" */
static void put_title(const matrix *m, const char *what)
{
    static const char *const how[] = {"the original vectors", "meaning",
                                      "language embeddings"};
    const ig_document_column *c = m->column;
    const ig_figure *whole = ig_document_cell(c, m->measure, NULL);
    char chance[IG_NUMBER_SIZE];

    fputc('\n', m->out);
    if (m->document->runs > 1 && c->space != IG_SPACE_ORIGINAL) {
        const char *method = m->document->run[c->run].method;

        fprintf(m->out, "%zu ", c->run + 1);
        ig_text_put(m->out, method, strlen(method), 20, false);
        fputs(": ", m->out);
    }
    fprintf(m->out, "%s by %s in %%, %s (chance %s)\n", m->measure->brief,
            how[c->space], what,
            ig_fixed_format(chance, 100 * (whole ? whole->chance : (double)NAN), 1, 1));
}

static void put_right(const matrix *m, const char *text, size_t cell)
{
    size_t width = ig_text_width(text, strlen(text));

    fprintf(m->out, "%*s", (int)(cell > width ? cell - width : 1), "");
    put(m, text, SIZE_MAX);
}

/* The figure of a measure in a space. */
static double value_of(const matrix *m, size_t from, size_t to)
{
    const ig_figure *row =
        ig_figures_find(&m->column->measures->figures, m->measure, from, to);

    return row ? row->value : (double)NAN;
}

/* A direction: a figure, a dot on the diagonal, a dash where there is none. */
static void put_direction(const matrix *m, size_t from, size_t to, grid g)
{
    double value = from == to ? (double)NAN : value_of(m, from, to);
    char number[IG_NUMBER_SIZE];

    if (from == to)
        put_right(m, m->utf8 ? "·" : ".", g.cell);
    else if (isnan(value))
        put_right(m, m->utf8 ? "–" : "-", g.cell);
    else
        put_right(m, ig_fixed_format(number, 100 * value, g.decimals, 1), g.cell);
}

/* The codes of all languages but `hub`. */
static void put_codes(const matrix *m, size_t hub, size_t indent, grid g)
{
    fprintf(m->out, "%*s", (int)indent, "");
    for (size_t k = 0; k < m->document->set->languages; k++)
        if (m->used[k] && k != hub)
            put_right(m, code_of(m, k), g.cell);
    fputc('\n', m->out);
}

static void put_matrix(const matrix *m, grid g)
{
    size_t languages = m->document->set->languages;

    put_title(m, "from row to column");
    put_codes(m, SIZE_MAX, m->code + 1, g);
    for (size_t from = 0; from < languages; from++) {
        if (!m->used[from])
            continue;
        put(m, code_of(m, from), m->code + 1);
        for (size_t to = 0; to < languages; to++)
            if (m->used[to])
                put_direction(m, from, to, g);
        fputc('\n', m->out);
    }
}

/* The means over the directions out of each language, and into it. */
static void put_means(const matrix *m, bool into)
{
    char text[TEXT] = "", number[IG_NUMBER_SIZE];
    size_t used = 0;

    for (size_t k = 0; k < m->document->set->languages && used < sizeof text; k++) {
        double mean =
            value_of(m, into ? IG_ALL_LANGUAGES : k, into ? k : IG_ALL_LANGUAGES);

        if (m->used[k] && !isnan(mean))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.60s%s%s",
                                     used ? ", " : "", code_of(m, k),
                                     m->utf8 ? "\u00A0" : "=",
                                     ig_fixed_format(number, 100 * mean, 1, 1));
    }
    ig_document_line(m->out, into ? "mean into" : "mean from", text, m->width);
}

/* All directions have one language in common: two lines tell them. */
static void put_star(const matrix *m, size_t hub, grid g)
{
    put_title(m, "both ways");
    put_codes(m, hub, m->code + 6, g);
    for (int back = 0; back < 2; back++) {
        fputs(back ? "to   " : "from ", m->out);
        put(m, code_of(m, hub), m->code + 1);
        for (size_t k = 0; k < m->document->set->languages; k++)
            if (m->used[k] && k != hub)
                put_direction(m, back ? k : hub, back ? hub : k, g);
        fputc('\n', m->out);
    }
}

/* The language that all directions have in common, of several; or SIZE_MAX. */
static size_t find_hub(const matrix *m)
{
    for (size_t k = 0; k < m->document->set->languages && m->languages > 2; k++) {
        size_t with = 0, pairs = 0;

        for (size_t i = 0; i < m->rows; i++) {
            const ig_figure *row = &m->row[i];

            pairs += ig_figure_is_pair(row);
            with += ig_figure_is_pair(row) &&
                    (row->lang[0] == k + 1 || row->lang[1] == k + 1);
        }
        if (with == pairs)
            return k;
    }
    return SIZE_MAX;
}

static int by_value(const void *a, const void *b)
{
    const ig_figure *x = *(const ig_figure *const *)a;
    const ig_figure *y = *(const ig_figure *const *)b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void put_some(const matrix *m, const char *label, const ig_figure *const *row,
                     size_t count, bool back)
{
    char text[TEXT] = "";
    size_t used = 0;

    for (size_t i = 0; i < LISTED && i < count && used < sizeof text; i++) {
        const ig_figure *r = row[back ? count - 1 - i : i];

        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s%.60s%s%.60s%s%.1f", i ? ", " : "",
            code_of(m, r->lang[0] - 1u), m->utf8 ? "→" : ">",
            code_of(m, r->lang[1] - 1u), m->utf8 ? "\u00A0" : "=", 100 * r->value);
    }
    ig_document_line(m->out, label, text, m->width);
}

/* False: memory was short. */
static bool put_list(const matrix *m)
{
    const ig_figure **row = ig_alloc(m->rows, sizeof(*row));
    bool leaks = m->measure->better[m->column->space] < 0;
    char what[64], number[IG_NUMBER_SIZE];
    size_t n = 0;

    if (!row)
        return false;
    for (size_t i = 0; i < m->rows; i++)
        if (ig_figure_is_pair(&m->row[i]) && !isnan(m->row[i].value))
            row[n++] = &m->row[i];
    qsort(row, n, sizeof(*row), by_value);
    snprintf(what, sizeof what, "%s directions", ig_count_format(number, n));
    put_title(m, what);
    put_some(m, leaks ? "leaks most" : "worst", row, n, leaks);
    put_some(m, leaks ? "least" : "best", row, n, !leaks);
    ig_free(row);
    return true;
}

/* In the form that fits. False: memory was short. */
static bool put_pairs(matrix *m)
{
    size_t hub, cells, before, width = m->width;
    grid fine, coarse;

    find_languages(m);
    hub = find_hub(m);
    cells = m->languages - (hub != SIZE_MAX);
    before = m->code + (hub != SIZE_MAX ? 6 : 1);
    fine = (grid){1 + (m->code > 5 ? m->code : 5), 1};
    coarse = (grid){1 + (m->code > 3 ? m->code : 3), 0};
    if (before + cells * coarse.cell > width)
        return put_list(m);
    if (hub != SIZE_MAX)
        put_star(m, hub, before + cells * fine.cell > width ? coarse : fine);
    else
        put_matrix(m, before + cells * fine.cell > width ? coarse : fine);
    put_means(m, false);
    put_means(m, true);
    return true;
}

/* The rows of a measure. */
static void find_rows(matrix *m, const ig_figures *figures)
{
    m->row = NULL;
    m->rows = 0;
    for (size_t i = 0; i < figures->count; i++)
        if (figures->row[i].measure == m->measure) {
            m->row = m->row ? m->row : &figures->row[i];
            m->rows++;
        }
}

bool ig_report_matrices_text(const ig_document *document,
                             const ig_document_column *column, size_t columns,
                             FILE *out, size_t width, bool utf8)
{
    size_t languages = document->set->languages;
    matrix m = {.document = document,
                .out = out,
                .width = width,
                .utf8 = utf8,
                .used = ig_alloc(languages, sizeof *m.used)};
    bool whole = m.used != NULL;

    for (size_t k = 0; whole && (m.measure = ig_measure_at(k)) != NULL; k++)
        for (size_t i = 0; whole && m.measure->matrix == 3 && i < columns; i++) {
            m.column = &column[i];
            find_rows(&m, &column[i].measures->figures);
            memset(m.used, 0, languages * sizeof *m.used);
            if (m.rows && !isnan(m.row->value))
                whole = put_pairs(&m);
        }
    ig_free(m.used);
    return whole;
}
