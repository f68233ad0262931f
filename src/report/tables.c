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
        ig_table_missing(table, row, col, figure ? figure->reason : "not measured");
        if (form == IG_TABLE_SPACES)
            ig_table_put(table, row, col, "–  ");
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

/* "retrieval top-1"; of a part "· en, n 560", if it has fewer items than the whole. */
static void put_name(ig_table *table, size_t row, const ig_document_column *column,
                     const ig_measure *measure, const char *part)
{
    const ig_figure *f = part ? ig_document_cell(column, measure, part) : NULL;
    const ig_figure *whole = ig_document_cell(column, measure, NULL);

    if (f && whole && f->n && f->n < whole->n)
        ig_table_put(table, row, 0, "· %s, n %zu", part, f->n);
    else
        ig_table_put(table, row, 0, "%s%s", part ? "· " : "",
                     part ? part : measure->label);
}

void ig_table_measures(ig_table *table, const ig_document *d, ig_table_form form,
                       bool full, const ig_document_column *column, size_t columns)
{
    size_t lines, row = 1, first = 1 + (form == IG_TABLE_RUNS);
    size_t last = first + columns;
    ig_document_line *line = ig_document_lines(column, columns, full, &lines);
    bool versions = form == IG_TABLE_RUNS && column[0].version;

    for (size_t c = 1; c < columns && versions; c++)
        versions = column[c].version != column[0].version;
    ig_table_init(table, (line ? lines : 0) + 1, last + (form != IG_TABLE_PAPER));
    table->failed |= !line;
    ig_table_put(table, 0, 0, "measure");
    if (form == IG_TABLE_RUNS)
        ig_table_put(table, 0, 1, "better");
    if (form != IG_TABLE_PAPER)
        ig_table_put(table, 0, last, "chance");
    for (size_t c = 0; c < columns; c++)
        ig_table_put(table, 0, first + c, "%s%s",
                     versions ? column[c].version
                     : form == IG_TABLE_RUNS && column[c].space != IG_SPACE_ORIGINAL
                         ? d->run[column[c].run].title
                         : column[c].name,
                     form == IG_TABLE_SPACES ? "  " : "");
    for (size_t i = 0; line && i < lines; i++) {
        const ig_measure *m = line[i].measure;
        const char *part = line[i].part;
        double chance = part ? (double)NAN : ig_document_chance(column, columns, m);
        char text[40];

        if (part && form == IG_TABLE_PAPER)
            continue;
        put_name(table, row, &column[0], m, part);
        if (form == IG_TABLE_RUNS)
            ig_table_put(table, row, 1, "%s",
                         arrow_of(ig_better(m, column[columns - 1].space)));
        if (form != IG_TABLE_PAPER && !isnan(chance))
            ig_table_put(table, row, last, "%s",
                         ig_document_figure(text, m->unit, m->decimals, chance));
        for (size_t c = 0; c < columns; c++)
            put_figure(table, row, first + c, form, &column[c], m,
                       ig_document_cell(&column[c], m, part));
        if (form == IG_TABLE_RUNS)
            mark_best(table, row, first, m, part, column, columns);
        row++;
    }
    table->rows = row;
    ig_free(line);
}

void ig_table_difference(ig_table *table, const ig_document *d,
                         const ig_document_difference *of, bool full)
{
    static const char *const head[] = {"measure", "difference", "95%", "significant",
                                       "tests"};
    char name[300], text[40];
    size_t row = 1;

    ig_document_difference_name(d, of, name, sizeof name);
    ig_table_init(table, of->count + 1, sizeof head / sizeof *head);
    table->caption = ig_table_text_of(table, "%s", name);
    for (size_t k = 0; k < sizeof head / sizeof *head; k++)
        ig_table_put(table, 0, k, "%s", head[k]);
    for (size_t i = 0; i < of->count; i++) {
        const ig_difference *one = &of->figure[i];
        const ig_measure *m = one->measure;

        if (!full && !(m->is & IG_MAIN))
            continue;
        ig_table_put(table, row, 0, "%s", m->label);
        ig_table_put(table, row, 1, "%s",
                     ig_document_figure(text, m->unit, m->decimals, one->value))
            ->strong = one->significant;
        ig_table_cell_at(table, row, 2)->text =
            ig_table_interval(table, m, one->interval.low, one->interval.high);
        ig_table_put(table, row, 3, "%s", ig_document_finding(one, of->space));
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

/* How strong a colour is: none at chance, all at 1. Small leaks are made visible. For
 * errors chance is the maximum and 0 the minimum. */
static double heat_of(const ig_measure *measure, const ig_figure *row, double chance,
                      bool leak)
{
    double above;

    if (ig_better(measure, IG_SPACE_MEANING) < 0 && chance > 0.5)
        chance = 0;
    above = chance < 1 ? fmax((row->value - chance) / (1 - chance), 0) : 0;
    return leak ? sqrt(above) : above;
}

/* The languages with figures, (languages of the dataset); how many. */
static size_t find_languages(const ig_document_column *column,
                             const ig_measure *measure, size_t languages,
                             uint16_t *found)
{
    const ig_figures *f = &column->measures->figures;
    size_t n = 0;

    memset(found, 0, languages * sizeof *found);
    for (size_t i = 0; i < f->count; i++)
        if (f->row[i]->measure == measure && ig_figure_is_pair(f->row[i]))
            found[f->row[i]->lang[0] - 1] = found[f->row[i]->lang[1] - 1] = 1;
    for (size_t k = 0; k < languages; k++)
        if (found[k])
            found[n++] = (uint16_t)k;
    return n;
}

/* Put a share in percent, as a cell of figures. */
static ig_table_cell *put_share(ig_table *table, size_t row, size_t col,
                                const ig_figure *f, int decimals)
{
    char number[IG_NUMBER_SIZE];

    return f && !isnan(f->value)
               ? ig_table_put(table, row, col, "%s",
                              ig_fixed_format(number, 100 * f->value, decimals, 0))
               : NULL;
}

static void put_pairs(ig_table *table, const ig_dataset *set,
                      const ig_document_column *column, const ig_measure *measure,
                      const uint16_t *language, size_t n, int decimals)
{
    const ig_figures *all = &column->measures->figures;
    const ig_figure *whole = ig_document_cell(column, measure, NULL);

    for (size_t i = 0; i < n; i++) {
        ig_table_put(table, i + 1, 0, "%s", set->language[language[i]]);
        ig_table_put(table, 0, i + 1, "%s", set->language[language[i]]);
        put_share(table, i + 1, n + 1,
                  ig_figures_find(all, measure, language[i], IG_ALL_LANGUAGES),
                  decimals);
        put_share(table, n + 1, i + 1,
                  ig_figures_find(all, measure, IG_ALL_LANGUAGES, language[i]),
                  decimals);
        for (size_t j = 0; j < n; j++) {
            const ig_figure *f = figure_of(column, measure, language[i], language[j]);
            ig_table_cell *cell = put_share(table, i + 1, j + 1, f, decimals);

            if (cell)
                cell->heat = heat_of(
                    measure, f, isnan(f->chance) && whole ? whole->chance : f->chance,
                    table->leak);
            else if (f && f->reason)
                ig_table_missing(table, i + 1, j + 1, f->reason);
        }
    }
}

bool ig_table_pairs(ig_table *table, const ig_document *d,
                    const ig_document_column *column, const ig_measure *measure,
                    int decimals)
{
    const ig_figure *whole = ig_document_cell(column, measure, NULL);
    const char *title = column->of ? d->run[column->run].title : "";
    uint16_t *language = ig_alloc(d->set->languages, sizeof *language);
    size_t n = language ? find_languages(column, measure, d->set->languages, language)
                        : 0;
    char mean[40] = "", chance[40] = "";
    bool means = false;

    for (size_t i = 0; i < n; i++)
        means |= ig_figures_find(&column->measures->figures, measure, language[i],
                                 IG_ALL_LANGUAGES) != NULL;
    *table = (ig_table){.failed = !language};
    if (n) {
        ig_table_init(table, n + 1 + means, n + 1 + means);
        table->leak = ig_better(measure, column->space) < 0;
        ig_table_put(table, 0, 0, "from ↓ to →");
        ig_table_put(table, 0, n + 1, "mean");
        ig_table_put(table, n + 1, 0, "mean");
        if (whole) {
            ig_document_figure(mean, measure->unit, measure->decimals, whole->value);
            ig_document_figure(chance, measure->unit, measure->decimals, whole->chance);
        }
        table->caption =
            ig_table_text_of(table, "%.160s%s%s%s%s%s%s", title, *title ? ", " : "",
                             ig_space_name(column->space), whole ? ": mean " : "", mean,
                             whole ? ", chance " : "", chance);
        put_pairs(table, d->set, column, measure, language, n,
                  decimals < 0 ? n <= 10 : decimals);
    }
    ig_free(language);
    return n > 0;
}
