/* eval for readers: top-1 of every ordered language pair, as a matrix where it fits the
 * width, else its worst and best pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/eval_print.h"
#include "cli/output.h"
#include "draw/axes.h"
#include "measure/catalogue.h"

enum { LISTED = 5, TEXT = 1024 };

typedef struct matrix {
    FILE *out;
    const ig_set *set;
    const ig_evaluated_run *run; /* (runs) */
    size_t runs;
    const ig_eval_column *column;
    size_t width;
    bool utf8;
    bool *used;  /* (languages) those with pairs */
    size_t code; /* columns of the longest code */
    size_t languages;
} matrix;

/* Cells of so many columns, figures with so many decimals. */
typedef struct grid {
    size_t cell;
    int decimals;
} grid;

static size_t code_width(const ig_set *set, size_t language)
{
    return ig_text_width(set->language[language], strlen(set->language[language]));
}

static void find_languages(matrix *m)
{
    const ig_retrieval *r = &m->column->measures->retrieval;

    for (size_t i = 0; i < r->count; i++)
        m->used[r->score[i].from] = m->used[r->score[i].to] = true;
    m->languages = m->code = 0;
    for (size_t k = 0; k < m->set->languages; k++)
        if (m->used[k]) {
            size_t width = code_width(m->set, k);

            m->languages++;
            m->code = width > m->code ? width : m->code;
        }
}

/* "1 seed: top-1 by meaning in %, from row to column (chance 0.2)" */
static void put_title(const matrix *m, const char *what)
{
    static const char *const how[] = {"the original vectors", "meaning",
                                      "language embeddings"};
    const ig_eval_column *c = m->column;
    char chance[IG_NUMBER_SIZE];

    fputc('\n', m->out);
    if (m->runs > 1 && c->space != IG_SPACE_ORIGINAL) {
        fprintf(m->out, "%zu ", c->run + 1);
        ig_put_text(m->out, m->run[c->run].method, 20, false);
        fputs(": ", m->out);
    }
    fprintf(m->out, "top-1 by %s in %%, %s (chance %s)\n", how[c->space], what,
            ig_fixed_format(
                chance, 100 * ig_measure_chance(ig_measure_named("top1"), c->measures),
                1, 1));
}

/* --- the matrix ------------------------------------------------------------------ */

static void put_cell(const matrix *m, const char *text, size_t cell)
{
    size_t width = ig_text_width(text, strlen(text));

    fprintf(m->out, "%*s", (int)(cell > width ? cell - width : 1), "");
    ig_put_text(m->out, text, SIZE_MAX, false);
}

/* Top-1 of a direction: a figure, a dot on the diagonal, a dash where there is none. */
static void put_direction(const matrix *m, size_t from, size_t to, grid g)
{
    const ig_retrieval *r = &m->column->measures->retrieval;
    double top1 = (double)NAN;
    char number[IG_NUMBER_SIZE];

    for (size_t i = 0; i < r->count; i++)
        if (r->score[i].from == from && r->score[i].to == to)
            top1 = r->score[i].top1;
    if (from == to)
        put_cell(m, m->utf8 ? "\u00B7" : ".", g.cell);
    else if (isnan(top1))
        put_cell(m, m->utf8 ? "\u2013" : "-", g.cell);
    else
        put_cell(m, ig_fixed_format(number, 100 * top1, g.decimals, 1), g.cell);
}

/* The codes of all languages but `hub`. */
static void put_codes(const matrix *m, size_t hub, size_t indent, grid g)
{
    fprintf(m->out, "%*s", (int)indent, "");
    for (size_t k = 0; k < m->set->languages; k++)
        if (m->used[k] && k != hub)
            put_cell(m, m->set->language[k], g.cell);
    fputc('\n', m->out);
}

static void put_matrix(const matrix *m, grid g)
{
    put_title(m, "from row to column");
    put_codes(m, SIZE_MAX, m->code + 1, g);
    for (size_t from = 0; from < m->set->languages; from++) {
        if (!m->used[from])
            continue;
        ig_put_text(m->out, m->set->language[from], m->code + 1, true);
        for (size_t to = 0; to < m->set->languages; to++)
            if (m->used[to])
                put_direction(m, from, to, g);
        fputc('\n', m->out);
    }
}

/* All directions have one language in common: two lines tell them. */
static void put_star(const matrix *m, size_t hub, grid g)
{
    put_title(m, "both ways");
    put_codes(m, hub, m->code + 6, g);
    for (int back = 0; back < 2; back++) {
        fputs(back ? "to   " : "from ", m->out);
        ig_put_text(m->out, m->set->language[hub], m->code + 1, true);
        for (size_t k = 0; k < m->set->languages; k++)
            if (m->used[k] && k != hub)
                put_direction(m, back ? k : hub, back ? hub : k, g);
        fputc('\n', m->out);
    }
}

/* The language that all directions have in common, of several; or SIZE_MAX. */
static size_t find_hub(const matrix *m)
{
    const ig_retrieval *r = &m->column->measures->retrieval;

    for (size_t k = 0; k < m->set->languages && m->languages > 2; k++) {
        size_t with = 0;

        for (size_t i = 0; i < r->count; i++)
            with += r->score[i].from == k || r->score[i].to == k;
        if (with == r->count)
            return k;
    }
    return SIZE_MAX;
}

/* --- the list -------------------------------------------------------------------- */

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
            m->set->language[s->from], m->utf8 ? "\u2192" : ">",
            m->set->language[s->to], m->utf8 ? "\u00A0" : "=", 100 * s->top1);
    }
    ig_eval_put_lines(m->out, label, text, m->width);
}

static void put_list(const matrix *m)
{
    const ig_retrieval *r = &m->column->measures->retrieval;
    const ig_retrieval_score **score = ig_alloc(r->count, sizeof *score);
    bool leaks = m->column->space == IG_SPACE_LANGUAGE;
    char what[64], number[IG_NUMBER_SIZE];
    size_t n = 0;

    if (!score)
        return;
    for (size_t i = 0; i < r->count; i++)
        if (!isnan(r->score[i].top1))
            score[n++] = &r->score[i];
    qsort(score, n, sizeof *score, by_top1);
    snprintf(what, sizeof what, "%s directions", ig_count_format(number, n));
    put_title(m, what);
    put_some(m, leaks ? "leaks most" : "worst", score, n, leaks);
    put_some(m, leaks ? "least" : "best", score, n, !leaks);
    ig_free(score);
}

/* In the form that fits. */
static void put_space(matrix *m)
{
    size_t hub, cells, before;
    grid fine, coarse;

    find_languages(m);
    hub = find_hub(m);
    cells = m->languages - (hub != SIZE_MAX);
    before = m->code + (hub != SIZE_MAX ? 6 : 1);
    fine = (grid){1 + (m->code > 5 ? m->code : 5), 1};
    coarse = (grid){1 + (m->code > 3 ? m->code : 3), 0};
    if (before + cells * coarse.cell > m->width)
        put_list(m);
    else if (hub != SIZE_MAX)
        put_star(m, hub, before + cells * fine.cell > m->width ? coarse : fine);
    else
        put_matrix(m, before + cells * fine.cell > m->width ? coarse : fine);
}

void ig_eval_put_matrices(FILE *out, const ig_evaluated *e, size_t columns, bool utf8)
{
    size_t count;
    ig_eval_column *column = ig_eval_columns(e, &count);
    matrix m = {.out = out,
                .set = e->loaded.set,
                .run = e->run,
                .runs = e->runs,
                .width = columns,
                .utf8 = utf8};

    m.used = ig_alloc(m.set->languages, sizeof *m.used);
    for (size_t i = 0; column && m.used && i < count; i++) {
        const ig_evaluation *measures = column[i].measures;

        m.column = &column[i];
        if (measures->taken & IG_MEASURE_RETRIEVAL &&
            !isnan(measures->retrieval.mean.top1))
            put_space(&m);
    }
    ig_free(m.used);
    ig_free(column);
}
