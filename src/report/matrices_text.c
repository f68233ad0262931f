/* Top-1 of every ordered pair of languages, for a terminal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "measure/catalogue.h"
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
    const ig_retrieval *r;
    bool *used;       /* (languages of the set) those with pairs */
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
    for (size_t i = 0; i < m->r->count; i++)
        m->used[m->r->score[i].from] = m->used[m->r->score[i].to] = true;
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
    const ig_measure_entry *top1 = ig_measure_named("top1");
    char chance[IG_NUMBER_SIZE];

    fputc('\n', m->out);
    if (m->document->runs > 1 && c->space != IG_SPACE_ORIGINAL) {
        const char *method = m->document->run[c->run].method;

        fprintf(m->out, "%zu ", c->run + 1);
        ig_text_put(m->out, method, strlen(method), 20, false);
        fputs(": ", m->out);
    }
    fprintf(m->out, "top-1 by %s in %%, %s (chance %s)\n", how[c->space], what,
            ig_fixed_format(chance, 100 * ig_measure_chance(top1, c->measures), 1, 1));
}

static void put_right(const matrix *m, const char *text, size_t cell)
{
    size_t width = ig_text_width(text, strlen(text));

    fprintf(m->out, "%*s", (int)(cell > width ? cell - width : 1), "");
    put(m, text, SIZE_MAX);
}

/* Top-1 of a direction: a figure, a dot on the diagonal, a dash where there is none. */
static void put_direction(const matrix *m, size_t from, size_t to, grid g)
{
    const ig_retrieval_score *score = ig_retrieval_find(m->r, from, to);
    double top1 = score ? score->top1 : (double)NAN;
    char number[IG_NUMBER_SIZE];

    if (from == to)
        put_right(m, m->utf8 ? "·" : ".", g.cell);
    else if (isnan(top1))
        put_right(m, m->utf8 ? "–" : "-", g.cell);
    else
        put_right(m, ig_fixed_format(number, 100 * top1, g.decimals, 1), g.cell);
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
    const ig_measure_entry *top1 = ig_measure_named("top1");
    char text[TEXT] = "", number[IG_NUMBER_SIZE];
    size_t used = 0;

    for (size_t k = 0; k < m->document->set->languages && used < sizeof text; k++) {
        double mean = ig_measure_of_language(top1, m->column->measures, k, into);

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
        size_t with = 0;

        for (size_t i = 0; i < m->r->count; i++)
            with += m->r->score[i].from == k || m->r->score[i].to == k;
        if (with == m->r->count)
            return k;
    }
    return SIZE_MAX;
}

static int by_top1(const void *a, const void *b)
{
    const ig_retrieval_score *x = *(ig_retrieval_score *const *)a;
    const ig_retrieval_score *y = *(ig_retrieval_score *const *)b;

    if (x->top1 != y->top1)
        return x->top1 < y->top1 ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void put_some(const matrix *m, const char *label,
                     const ig_retrieval_score *const *score, size_t count, bool back)
{
    char text[TEXT] = "";
    size_t used = 0;

    for (size_t i = 0; i < LISTED && i < count && used < sizeof text; i++) {
        const ig_retrieval_score *s = score[back ? count - 1 - i : i];

        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s%.60s%s%.60s%s%.1f", i ? ", " : "",
            code_of(m, s->from), m->utf8 ? "→" : ">", code_of(m, s->to),
            m->utf8 ? "\u00A0" : "=", 100 * s->top1);
    }
    ig_document_line(m->out, label, text, m->width);
}

/* False: memory was short. */
static bool put_list(const matrix *m)
{
    const ig_retrieval_score **score = ig_alloc(m->r->count, sizeof *score);
    bool leaks = m->column->space == IG_SPACE_LANGUAGE;
    char what[64], number[IG_NUMBER_SIZE];
    size_t n = 0;

    if (!score)
        return false;
    for (size_t i = 0; i < m->r->count; i++)
        if (!isnan(m->r->score[i].top1))
            score[n++] = &m->r->score[i];
    qsort(score, n, sizeof *score, by_top1);
    snprintf(what, sizeof what, "%s directions", ig_count_format(number, n));
    put_title(m, what);
    put_some(m, leaks ? "leaks most" : "worst", score, n, leaks);
    put_some(m, leaks ? "least" : "best", score, n, !leaks);
    ig_free(score);
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

bool ig_report_matrices_text(const ig_document *document,
                             const ig_document_column *column, size_t columns,
                             FILE *out, size_t width, bool utf8)
{
    matrix m = {.document = document,
                .out = out,
                .width = width,
                .utf8 = utf8,
                .used = ig_alloc(document->set->languages, sizeof *m.used)};
    bool whole = m.used != NULL;

    for (size_t i = 0; whole && i < columns; i++) {
        m.column = &column[i];
        m.r = &m.column->measures->retrieval;
        if (m.column->measures->taken & IG_MEASURE_RETRIEVAL && !isnan(m.r->mean.top1))
            whole = put_pairs(&m);
    }
    ig_free(m.used);
    return whole;
}
