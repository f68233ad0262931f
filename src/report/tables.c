/* The tables of a document, the same for terminals, papers and pages: measures by
 * spaces, differences, and the figures of language pairs. */
#include "report/tables.h"

#include <math.h>
#include <string.h>

#include "view/axes.h"

const char *ig_table_interval(ig_table *table, const ig_measure *m, double low,
                              double high)
{
    double scale = m->unit == IG_UNIT_SHARE ? 100 : 1;
    char a[40], b[40];

    if (isnan(low) || isnan(high))
        return NULL;
    return ig_table_text_of(
        table, "%s%s%s",
        ig_document_figure(a, IG_UNIT_NUMBER, m->decimals, scale * low),
        low < 0 ? "…" : "–",
        ig_document_figure(b, IG_UNIT_NUMBER, m->decimals, scale * high));
}

static const char *arrow_of(signed char better)
{
    return better > 0 ? "↑" : better < 0 ? "↓" : "";
}

/* Put a figure, with its arrow where the column of arrows is missing. */
static void put_figure(ig_table *table, size_t row, size_t col, ig_table_form form,
                       const ig_document_column *column, const ig_measure *m,
                       const ig_figure *figure)
{
    const char *arrow = arrow_of(ig_better(m, column->space));
    char text[40];

    if (!figure || isnan(figure->value)) {
        ig_table_put(table, row, col, form == IG_TABLE_SPACES ? "–  " : "–");
        return;
    }
    ig_document_figure(text, m->unit, m->decimals, figure->value);
    if (form == IG_TABLE_SPACES)
        ig_table_put(table, row, col, "%s %s", text, *arrow ? arrow : " ");
    else
        ig_table_put(table, row, col, "%s", text);
    if (ig_figure_has_interval(figure))
        ig_table_cell_at(table, row, col)->below =
            ig_table_interval(table, m, figure->low, figure->high);
}

/* Bold: figures printed like the best of the row, from column `first` on; in tables by
 * language the original does not count. */
static void mark_best(ig_table *table, size_t row, size_t first, const ig_measure *m,
                      const char *part, const ig_document_column *column,
                      size_t columns)
{
    ig_space space = column[columns - 1].space;
    int better = ig_better(m, space);
    size_t from = space == IG_SPACE_LANGUAGE ? 1 : 0, competing = 0;
    double best = (double)NAN;
    char text[40];

    for (size_t c = from; c < columns && better; c++) {
        const ig_figure *figure = ig_document_cell(&column[c], m, part);

        if (!figure || isnan(figure->value))
            continue;
        competing++;
        if (isnan(best) || better * figure->value > better * best)
            best = figure->value;
    }
    if (competing < 2)
        return;
    ig_document_figure(text, m->unit, m->decimals, best);
    for (size_t c = from; c < columns; c++) {
        ig_table_cell *cell = ig_table_cell_at(table, row, first + c);

        cell->strong = cell->text && strcmp(cell->text, text) == 0;
    }
}

/* Append a line of a measure, or of a part of it: "retrieval top-1", "· en, n 560". */
static void put_measure(ig_table *table, ig_table_form form, const ig_measure *m,
                        const char *part, const ig_document_column *column,
                        size_t columns)
{
    size_t row = table->rows++, first = 1 + (form == IG_TABLE_RUNS);
    const ig_figure *whole = ig_document_cell(column, m, NULL);
    const ig_figure *f = part ? ig_document_cell(column, m, part) : NULL;
    char text[40];

    if (f && whole && f->n && f->n < whole->n)
        ig_table_put(table, row, 0, "· %s, n %zu", part, f->n);
    else
        ig_table_put(table, row, 0, "%s%s", part ? "· " : "", part ? part : m->label);
    if (form == IG_TABLE_RUNS)
        ig_table_put(table, row, 1, "%s",
                     arrow_of(ig_better(m, column[columns - 1].space)));
    for (size_t c = 0; c < columns; c++) {
        f = ig_document_cell(&column[c], m, part);
        put_figure(table, row, first + c, form, &column[c], m, f);
        if (f && !part && !isnan(f->chance) && form != IG_TABLE_PAPER &&
            !ig_table_cell_at(table, row, first + columns)->text)
            ig_table_put(table, row, first + columns, "%s",
                         ig_document_figure(text, m->unit, m->decimals, f->chance));
    }
    if (form == IG_TABLE_RUNS)
        mark_best(table, row, first, m, part, column, columns);
}

/* Append the parts of a measure, of the first column that has any; how many. `form`
 * IG_TABLE_PAPER: only count them. */
static size_t put_parts(ig_table *table, ig_table_form form, const ig_measure *m,
                        const ig_document_column *column, size_t columns)
{
    size_t n = 0;

    for (size_t c = 0; c < columns && n == 0; c++) {
        const ig_figures *f = &column[c].measures->figures;

        for (size_t i = 0; i < f->count; i++)
            if (f->row[i]->measure == m && f->row[i]->lang[0] == UINT16_MAX) {
                if (form != IG_TABLE_PAPER)
                    put_measure(table, form, m, f->row[i]->from, column, columns);
                n++;
            }
    }
    return n;
}

void ig_table_measures(ig_table *table, const ig_document *d, ig_table_form form,
                       bool full, const ig_document_column *column, size_t columns)
{
    size_t rows = 1, first = 1 + (form == IG_TABLE_RUNS);
    bool versions = form == IG_TABLE_RUNS && column[0].version;
    const ig_measure *m;

    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        rows += 1 + put_parts(table, IG_TABLE_PAPER, m, column, columns);
    for (size_t c = 1; c < columns && versions; c++)
        versions = column[c].version != column[0].version;
    ig_table_init(table, rows, first + columns + (form != IG_TABLE_PAPER));
    if (form == IG_TABLE_RUNS) { /* a wide one has the original in each part */
        table->first = first + (column[0].space == IG_SPACE_ORIGINAL && !versions);
        table->last = 1;
        ig_table_put(table, 0, 1, "better");
    }
    ig_table_put(table, 0, 0, "measure");
    if (form != IG_TABLE_PAPER)
        ig_table_put(table, 0, first + columns, "chance");
    for (size_t c = 0; c < columns; c++)
        ig_table_put(table, 0, first + c, "%s%s",
                     versions ? column[c].version
                     : form == IG_TABLE_RUNS && column[c].space != IG_SPACE_ORIGINAL
                         ? d->run[column[c].run].title
                         : column[c].name,
                     form == IG_TABLE_SPACES ? "  " : "");
    table->rows = 1;
    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        if ((full || m->is & IG_MAIN) && ig_document_shows(column, columns, m)) {
            put_measure(table, form, m, NULL, column, columns);
            put_parts(table, form, m, column, columns);
        }
}

/* "2 centre minus 1 seed, by meaning (these two runs only)", "seed (3 seeds) minus
 * original, by meaning". */
static const char *name_difference(ig_table *table, const ig_document *d,
                                   const ig_document_difference *of)
{
    const size_t run[2] = {of->second, of->first},
                 seeds[2] = {of->seeds[1], of->seeds[0]};
    char name[2][100] = {"", "original"};

    for (int k = 0; k < 2; k++)
        if (run[k] == IG_NO_RUN)
            continue;
        else if (seeds[k] > 1)
            snprintf(name[k], sizeof name[k], "%.60s (%zu seeds)",
                     d->run[run[k]].method, seeds[k]);
        else if (d->runs == 1)
            snprintf(name[k], sizeof name[k], "%.60s", d->run[run[k]].method);
        else
            snprintf(name[k], sizeof name[k], "%zu %.60s", run[k] + 1,
                     d->run[run[k]].method);
    return ig_table_text_of(table, "%s minus %s, by %s%s", name[0], name[1],
                            ig_space_name(of->space),
                            !of->only                  ? ""
                            : of->first == IG_NO_RUN   ? " (this run only)"
                            : seeds[0] * seeds[1] == 1 ? " (these two runs only)"
                                                       : " (these runs only)");
}

void ig_table_difference(ig_table *table, const ig_document *d,
                         const ig_document_difference *of, bool full)
{
    static const char *const head[] = {"measure", "difference", "95%", "significant",
                                       "tests"};
    char text[40];
    size_t row = 1;

    ig_table_init(table, of->count + 1, sizeof head / sizeof *head);
    table->caption = name_difference(table, d, of);
    for (size_t k = 0; k < sizeof head / sizeof *head; k++)
        ig_table_put(table, 0, k, "%s", head[k]);
    for (size_t i = 0; i < of->count; i++) {
        const ig_difference *one = &of->figure[i];
        const ig_measure *m = one->measure;
        int better = ig_better(m, of->space);

        if (!full && !(m->is & IG_MAIN))
            continue;
        ig_table_put(table, row, 0, "%s", m->label);
        ig_table_put(table, row, 1, "%s",
                     ig_document_figure(text, m->unit, m->decimals, one->value))
            ->strong = one->significant;
        ig_table_cell_at(table, row, 2)->text =
            ig_table_interval(table, m, one->interval.low, one->interval.high);
        if (one->significant)
            ig_table_put(table, row, 3, "%s",
                         better == 0               ? "yes"
                         : better * one->value > 0 ? "better"
                                                   : "worse");
        if (one->parts)
            ig_table_put(table, row, 4, "+%zu −%zu of %zu", one->more, one->less,
                         one->parts);
        row++;
    }
    table->rows = row;
}

/* --- language pairs --------------------------------------------------------------- */

/* The figure from one language to another, or NULL; one without a direction stands both
 * ways. */
static const ig_figure *figure_of(const ig_document_column *column,
                                  const ig_measure *measure, uint16_t from, uint16_t to)
{
    const ig_figures *f = &column->measures->figures;
    const ig_figure *row = ig_figures_find(f, measure, from, to);

    return row ? row : ig_figures_find(f, measure, to, from);
}

/* The colour of a figure: none at chance, all at 1. Small leaks are made visible. For
 * errors chance is the maximum and 0 the minimum. */
static int heat_of(const ig_measure *measure, double value, double chance, bool leak)
{
    double above;

    if (ig_better(measure, IG_SPACE_MEANING) < 0 && chance > 0.5)
        chance = 0;
    above = chance < 1 ? fmin(fmax((value - chance) / (1 - chance), 0), 1) : 0;
    return 1 + (int)((leak ? sqrt(above) : above) * (IG_TABLE_HEATS - 1) + 0.5);
}

/* Put a share in percent, as a cell of figures; "–" where it is missing. */
static ig_table_cell *put_share(ig_table *table, size_t row, size_t col,
                                const ig_figure *f, int decimals)
{
    char number[IG_NUMBER_SIZE];

    if (!f || isnan(f->value))
        return ig_table_put(table, row, col, f && f->reason ? "–" : "");
    return ig_table_put(table, row, col, "%s",
                        ig_fixed_format(number, 100 * f->value, decimals, 0));
}

bool ig_table_pairs(ig_table *table, const ig_document *d,
                    const ig_document_column *column, const ig_measure *measure,
                    int decimals)
{
    const ig_figures *all = &column->measures->figures;
    const ig_figure *whole = ig_document_cell(column, measure, NULL), *f;
    const char *title = column->of ? d->run[column->run].title : "";
    size_t languages = d->set->languages, n = 0, cell = 0;
    char mean[40] = "", chance[40] = "";
    uint16_t *language; /* (n) those with figures */
    uint8_t *found;
    bool means = false;

    ig_table_init(table, languages + 2, languages + 2);
    language = ig_arena_array(&table->arena, languages, sizeof *language);
    found = ig_arena_array(&table->arena, languages, 1);
    if (table->arena.failed)
        return false;
    for (size_t i = 0; i < all->count; i++)
        if (all->row[i]->measure == measure && ig_figure_is_pair(all->row[i]))
            found[all->row[i]->lang[0] - 1] = found[all->row[i]->lang[1] - 1] = 1;
    for (size_t k = 0; k < languages; k++)
        if (found[k])
            language[n++] = (uint16_t)k;
    for (size_t i = 0; i < n; i++)
        means |= ig_figures_find(all, measure, language[i], IG_ALL_LANGUAGES) != NULL;
    table->rows = table->cols = n + 1 + means;
    table->leak = ig_better(measure, column->space) < 0;
    decimals = decimals < 0 ? n <= 10 : decimals;
    ig_table_put(table, 0, 0, "from ↓ to →");
    ig_table_put(table, 0, n + 1, "mean");
    ig_table_put(table, n + 1, 0, "mean");
    if (whole) {
        ig_document_figure(mean, measure->unit, measure->decimals, whole->value);
        ig_document_figure(chance, measure->unit, measure->decimals, whole->chance);
    }
    table->caption = ig_table_text_of(table, "%.160s%s%s%s%s%s%s", title,
                                      *title ? ", " : "", ig_space_name(column->space),
                                      whole ? ": mean " : "", mean,
                                      whole ? ", chance " : "", chance);
    for (size_t i = 0; i < n; i++) {
        ig_table_put(table, i + 1, 0, "%s", d->set->language[language[i]]);
        ig_table_put(table, 0, i + 1, "%s", d->set->language[language[i]]);
        put_share(table, i + 1, n + 1,
                  ig_figures_find(all, measure, language[i], IG_ALL_LANGUAGES),
                  decimals);
        put_share(table, n + 1, i + 1,
                  ig_figures_find(all, measure, IG_ALL_LANGUAGES, language[i]),
                  decimals);
    }
    for (; cell < n * n; cell++) {
        size_t i = cell / n, j = cell % n;
        ig_table_cell *at;

        f = figure_of(column, measure, language[i], language[j]);
        at = put_share(table, i + 1, j + 1, f, decimals);
        if (f && !isnan(f->value))
            at->heat = heat_of(measure, f->value,
                               isnan(f->chance) && whole ? whole->chance : f->chance,
                               table->leak);
    }
    if (n == 0)
        ig_table_free(table);
    return n > 0;
}
