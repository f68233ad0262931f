/* Figures of each two languages, as tables whose cells are coloured. Blue is what a
 * space should know, orange what it should not. */
#include "report/matrices.h"

#include <math.h>
#include <stdio.h>

#include "draw/axes.h"

enum { DECIMALS_FIT = 10 }; /* languages of a matrix; more: whole percentages */

/* How strong a colour stands behind a share: none at chance, all at 1. Small leaks are
 * made visible. */
static double heat_of(double share, double chance, bool leak)
{
    double above = chance < 1 ? fmax((share - chance) / (1 - chance), 0) : 0;

    return leak ? sqrt(above) : above;
}

/* A square of figures over some of the languages. */
struct square {
    const ig_set *set;
    size_t languages;
    double *value;    /* (languages, languages) by row and column; NaN: not had */
    double *heat;     /* (languages, languages) */
    const char **why; /* (languages, languages) a value is NaN, or NULL */
    bool *used;       /* (languages) has figures */
};

static void square_free(struct square *q)
{
    ig_free(q->value);
    ig_free(q->heat);
    ig_free(q->why);
    ig_free(q->used);
}

static bool square_init(ig_page *page, struct square *q, const ig_set *set)
{
    size_t k = set->languages;

    *q = (struct square){set,
                         k,
                         ig_alloc(k * k, sizeof *q->value),
                         ig_alloc(k * k, sizeof *q->heat),
                         ig_alloc(k * k, sizeof(*q->why)),
                         ig_alloc(k, sizeof *q->used)};
    if (!q->value || !q->heat || !q->why || !q->used) {
        ig_page_fail_memory(page);
        square_free(q);
        return false;
    }
    for (size_t i = 0; i < k * k; i++)
        q->value[i] = NAN;
    return true;
}

static void square_set(struct square *q, size_t row, size_t col, double value,
                       double heat, const char *why)
{
    if (row >= q->languages || col >= q->languages)
        return;
    q->value[row * q->languages + col] = value;
    q->heat[row * q->languages + col] = heat;
    q->why[row * q->languages + col] = why;
    q->used[row] = q->used[col] = true;
}

/* The mean of a row of figures, or (`down`) of a column. */
static double mean_of(const struct square *q, size_t at, bool down)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < q->languages; i++) {
        double value = q->value[down ? i * q->languages + at : at * q->languages + i];

        sum += isnan(value) ? 0 : value;
        n += !isnan(value);
    }
    return n ? sum / (double)n : NAN;
}

/* The means of the rows in a column more, those of the columns in a row more. */
static void put_means(ig_page_table *table, const struct square *q, size_t n)
{
    char number[IG_NUMBER_SIZE];
    size_t at = 0;

    ig_page_table_put(table, 0, n + 1, "mean");
    ig_page_table_put(table, n + 1, 0, "mean");
    for (size_t i = 0; i < q->languages; i++) {
        at += q->used[i];
        for (int down = 0; down < 2 && q->used[i]; down++) {
            double mean = mean_of(q, i, down);

            if (!isnan(mean))
                ig_page_table_put(
                    table, down ? n + 1 : at, down ? at : n + 1, "%s",
                    ig_fixed_format(number, 100 * mean, n <= DECIMALS_FIT, 0));
        }
    }
}

/* Print it, figures in percent; frees it.
 *   means  in  whether the means out of each language and into it stand beside it */
static void put_square(ig_page *page, struct square *q, bool leak, bool means,
                       const char *corner, const char *caption)
{
    size_t n = 0, row = 0;
    char number[IG_NUMBER_SIZE];
    ig_page_table table;

    for (size_t i = 0; i < q->languages; i++)
        n += q->used[i];
    ig_page_table_init(&table, n + 1 + means, n + 1 + means);
    table.leak = leak;
    ig_page_table_caption(&table, "%s", caption);
    ig_page_table_put(&table, 0, 0, "%s", corner);
    for (size_t i = 0; i < q->languages; i++) {
        size_t col = 0;

        if (!q->used[i])
            continue;
        row++;
        ig_page_table_put(&table, row, 0, "%s", q->set->language[i]);
        ig_page_table_put(&table, 0, row, "%s", q->set->language[i]);
        for (size_t j = 0; j < q->languages; j++) {
            double value = q->value[i * q->languages + j];

            if (!q->used[j])
                continue;
            col++;
            if (isnan(value) && q->why[i * q->languages + j])
                ig_page_table_missing(&table, row, col, q->why[i * q->languages + j]);
            if (isnan(value))
                continue;
            ig_page_table_put(
                &table, row, col, "%s",
                ig_fixed_format(number, 100 * value, n <= DECIMALS_FIT, 0))
                ->heat = q->heat[i * q->languages + j];
        }
    }
    if (means)
        put_means(&table, q, n);
    ig_page_table_end(page, &table);
    square_free(q);
}

/* The rows of a measure of two languages; both ways where they have no direction. */
static void fill_square(struct square *q, const ig_figures *figures,
                        const ig_measure *measure, bool leak)
{
    const ig_figure *whole =
        ig_figures_find(figures, measure, IG_ALL_LANGUAGES, IG_ALL_LANGUAGES);

    for (size_t i = 0; i < figures->count; i++) {
        const ig_figure *row = &figures->row[i];
        double chance = isnan(row->chance) && whole ? whole->chance : row->chance;
        size_t from = row->lang[0] - 1u, to = row->lang[1] - 1u;
        double heat;

        if (row->measure != measure || !ig_figure_is_pair(row))
            continue;
        /* Of errors chance is the most, and none is the least. */
        heat = heat_of(
            row->value,
            measure->better[IG_SPACE_MEANING] < 0 && chance > 0.5 ? 0 : chance, leak);
        square_set(q, from, to, row->value, heat, row->reason);
        if (!ig_figures_find(figures, measure, to, from))
            square_set(q, to, from, row->value, heat, row->reason);
    }
}

static bool has_pairs(const ig_figures *figures, const ig_measure *measure)
{
    for (size_t i = 0; i < figures->count; i++)
        if (figures->row[i].measure == measure && ig_figure_is_pair(&figures->row[i]))
            return true;
    return false;
}

/* The matrix of a measure in a space; means where there is a figure of the whole. */
static void put_one(ig_page *page, const ig_document *document,
                    const ig_measure *measure, const ig_document_column *column)
{
    const ig_figures *figures = &column->measures->figures;
    const ig_figure *whole = ig_document_cell(column, measure, NULL);
    bool leak = measure->better[column->space] < 0;
    const char *title =
        column->space == IG_SPACE_ORIGINAL ? "" : document->run[column->run].title;
    char mean[40], chance[40], caption[320];
    struct square q;

    if (!has_pairs(figures, measure) || !square_init(page, &q, document->set))
        return;
    fill_square(&q, figures, measure, leak);
    if (whole)
        snprintf(
            caption, sizeof caption, "%.160s%s%s: mean %s, chance %s",
            column->of ? document->run[column->run].title : "", column->of ? ", " : "",
            ig_space_name(column->space),
            ig_document_figure(mean, measure->unit, measure->decimals, whole->value),
            ig_document_figure(chance, measure->unit, measure->decimals,
                               whole->chance));
    else
        snprintf(caption, sizeof caption, "%.160s%s%s", title, *title ? ", " : "",
                 ig_space_name(column->space));
    put_square(page, &q, leak, whole != NULL, "from ↓ to →", caption);
}

void ig_report_matrices(ig_page *page, const ig_document *document)
{
    size_t columns;
    ig_document_column *column = ig_document_columns(document, &columns);
    const ig_measure *measure;
    bool begun = false;

    if (!column)
        ig_page_fail_memory(page);
    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++) {
        bool any = false;

        for (size_t c = 0; c < columns && measure->matrix; c++)
            any |= has_pairs(&column[c].measures->figures, measure);
        if (!any)
            continue;
        if (!begun) {
            ig_page_heading(page, 2, "By language pair");
            ig_page_paragraph(
                page,
                "In percent, from a row's language to a column's. Blue is what a space "
                "should know, orange what it should not: errors, translations found by "
                "language, language read from meanings. Without colour is chance, or "
                "no error. Means at the right are out of a language, those below into "
                "it.");
        }
        begun = true;
        ig_page_heading(page, 3, measure->label);
        ig_page_paragraph(page, "%s", measure->about);
        ig_page_beside(page, true);
        for (size_t c = 0; c < columns; c++)
            if (measure->matrix > 1 || column[c].space != IG_SPACE_LANGUAGE)
                put_one(page, document, measure, &column[c]);
        ig_page_beside(page, false);
    }
    ig_free(column);
}
