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

/* Append a figure, with its arrow where the column of arrows is missing. */
static void put_figure(ig_table *table, ig_table_form form,
                       const ig_document_column *column, const ig_measure *m,
                       const ig_figure *figure)
{
    const char *arrow = arrow_of(ig_better(m, column->space));
    const char *below = NULL;
    char text[40];

    if (!figure || isnan(figure->value)) {
        ig_table_text(table, form == IG_TABLE_SPACES ? "–  " : "–");
        return;
    }
    ig_document_figure(text, m->unit, m->decimals, figure->value);
    if (ig_figure_has_interval(figure))
        below = ig_table_interval(table, m, figure->low, figure->high);
    if (form == IG_TABLE_SPACES)
        ig_table_add(table, "%s %s", text, *arrow ? arrow : " ")->below = below;
    else
        ig_table_add(table, "%s", text)->below = below;
}

/* Append a row of a measure, or of a part of it: "retrieval top-1", "· en, n 560". Bold
 * is the best of several runs; in tables by language the original does not count. */
static void put_measure(ig_table *table, ig_table_form form, const ig_measure *m,
                        const char *part, ig_document_columns columns)
{
    const ig_figure *whole = ig_document_cell(columns.at, m, NULL);
    const ig_figure *f = part ? ig_document_cell(columns.at, m, part) : NULL;
    ig_space space = columns.at[columns.count - 1].space;
    int better = form == IG_TABLE_RUNS ? ig_better(m, space) : 0;
    double chance = (double)NAN, best = (double)NAN;
    size_t from = space == IG_SPACE_LANGUAGE && columns.at[0].space != space;
    size_t competing = 0, winner = 0;
    char text[40];

    if (f && whole && f->n && f->n < whole->n)
        ig_table_add(table, "· %s, n %zu", part, f->n);
    else
        ig_table_add(table, "%s%s", part ? "· " : "", part ? part : m->label);
    if (form == IG_TABLE_RUNS)
        ig_table_text(table, arrow_of(better));
    for (size_t c = 0; c < columns.count; c++) {
        f = ig_document_cell(&columns.at[c], m, part);
        put_figure(table, form, &columns.at[c], m, f);
        if (f && !part && isnan(chance))
            chance = f->chance;
        if (!better || !f || isnan(f->value) || c < from || table->arena.failed)
            continue;
        competing++;
        if (isnan(best) || better * f->value > better * best) {
            best = f->value;
            winner = table->cells - 1;
        }
    }
    for (size_t c = from; c < columns.count && competing > 1 && !table->arena.failed;
         c++) {
        ig_table_cell *cell = &table->cell[table->cells - columns.count + c];

        /* also those that are printed like it */
        cell->strong = strcmp(cell->text, table->cell[winner].text) == 0;
    }
    if (form != IG_TABLE_PAPER && !isnan(chance))
        ig_table_add(table, "%s",
                     ig_document_figure(text, m->unit, m->decimals, chance));
    ig_table_end_row(table);
}

/* Append the parts of a measure, of the first column that has any. */
static void put_parts(ig_table *table, ig_table_form form, const ig_measure *m,
                      ig_document_columns columns)
{
    size_t n = 0;

    for (size_t c = 0; c < columns.count && n == 0; c++) {
        const ig_figures *f = &columns.at[c].measures->figures;

        for (size_t i = 0; i < f->count; i++)
            if (f->row[i]->measure == m && f->row[i]->lang[0] == UINT16_MAX) {
                put_measure(table, form, m, f->row[i]->from, columns);
                n++;
            }
    }
}

ig_table ig_table_measures(const ig_document *d, ig_table_form form, bool full,
                           ig_document_columns columns)
{
    ig_table table = {0};
    bool versions = form == IG_TABLE_RUNS && d->next;
    const ig_measure *m;

    ig_table_text(&table, "measure");
    if (form == IG_TABLE_RUNS) { /* a wide one has the original in each part */
        table.first = 2 + (columns.at[0].space == IG_SPACE_ORIGINAL && !versions);
        table.last = 1;
        ig_table_text(&table, "better");
    }
    for (size_t c = 0; c < columns.count; c++) {
        const ig_document_column *column = &columns.at[c];
        bool again = false; /* another run of the version */

        for (size_t i = 0; i < columns.count && versions; i++)
            again |= i != c && columns.at[i].version == column->version;
        if (form == IG_TABLE_RUNS && column->run)
            ig_table_add(&table, "%s%s%s", versions ? column->version : "",
                         again ? " " : "",
                         again || !versions ? column->run->title : "");
        else
            ig_table_add(&table, "%s%s", versions ? column->version : column->name,
                         form == IG_TABLE_SPACES ? "  " : "");
    }
    if (form != IG_TABLE_PAPER)
        ig_table_text(&table, "chance");
    ig_table_end_row(&table);
    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        if ((full || m->is & IG_MAIN) && ig_document_shows(columns, m)) {
            put_measure(&table, form, m, NULL, columns);
            if (form != IG_TABLE_PAPER)
                put_parts(&table, form, m, columns);
        }
    return table;
}

/* --- differences ------------------------------------------------------------------ */

/* "2 centre", "seed (3 seeds)", "original". */
static const char *name_method(ig_table *table, const ig_document *d, size_t run,
                               size_t seeds)
{
    if (run == IG_NO_RUN)
        return "original";
    if (seeds > 1)
        return ig_table_text_of(table, "%.60s (%zu seeds)", d->run[run].info->method,
                                seeds);
    return d->runs == 1 ? d->run[run].info->method : d->run[run].title;
}

ig_table ig_table_difference(const ig_document *d, const ig_document_difference *of,
                             bool full)
{
    ig_table table = {0};
    char text[40];

    table.caption = ig_table_text_of(
        &table, "%s minus %s, by %s%s",
        name_method(&table, d, of->second, of->seeds[1]),
        name_method(&table, d, of->first, of->seeds[0]), ig_space_name(of->space),
        !of->only                          ? ""
        : of->first == IG_NO_RUN           ? " (this run only)"
        : of->seeds[0] * of->seeds[1] == 1 ? " (these two runs only)"
                                           : " (these runs only)");
    ig_table_heads(&table, "measure difference 95% significant");
    ig_table_end_row(&table);
    for (size_t i = 0; i < of->count; i++) {
        const ig_difference *one = &of->figure[i];
        const ig_measure *m = one->measure;
        int better = ig_better(m, of->space);

        if (!full && !(m->is & IG_MAIN))
            continue;
        ig_table_text(&table, m->label);
        ig_table_add(&table, "%s",
                     ig_document_figure(text, m->unit, m->decimals, one->value))
            ->strong = one->significant;
        ig_table_text(&table, ig_table_interval(&table, m, one->interval.low,
                                                one->interval.high));
        ig_table_text(&table, !one->significant         ? NULL
                              : better == 0             ? "yes"
                              : better * one->value > 0 ? "better"
                                                        : "worse");
        ig_table_end_row(&table);
    }
    return table;
}

/* --- language pairs --------------------------------------------------------------- */

/* The colour of a figure: none at chance, all at 1. Small leaks are made visible. For
 * errors chance is the maximum and 0 the minimum. */
static unsigned char heat_of(const ig_measure *measure, double value, double chance,
                             bool leak)
{
    double above;

    if (ig_better(measure, IG_SPACE_MEANING) < 0 && chance > 0.5)
        chance = 0;
    above = chance < 1 ? fmin(fmax((value - chance) / (1 - chance), 0), 1) : 0;
    return (unsigned char)(1 +
                           (int)((leak ? sqrt(above) : above) * (IG_TABLE_HEATS - 1) +
                                 0.5));
}

/* Append a share in percent, as a cell of figures; "–" where it is missing. */
static ig_table_cell *put_share(ig_table *table, const ig_figure *f, int decimals)
{
    char number[IG_NUMBER_SIZE];

    if (!f || isnan(f->value))
        return ig_table_text(table, f && f->reason ? "–" : NULL);
    return ig_table_add(table, "%s",
                        ig_fixed_format(number, 100 * f->value, decimals, 0));
}

/* "retrieval top-1 in %, 1 seed, meaning: mean 26.0%, chance 2.5%" */
static const char *make_caption(ig_table *table, const ig_document_column *column,
                                const ig_measure *measure, const ig_figure *whole)
{
    const char *title = column->run ? column->run->title : "";
    char mean[40] = "", chance[40] = "";

    if (whole) {
        ig_document_figure(mean, measure->unit, measure->decimals, whole->value);
        ig_document_figure(chance, measure->unit, measure->decimals, whole->chance);
    }
    return ig_table_text_of(table, "%s in %%, %.160s%s%s%s%s%s%s", measure->label,
                            title, *title ? ", " : "", ig_space_name(column->space),
                            whole ? ": mean " : "", mean, whole ? ", chance " : "",
                            chance);
}

/* The languages with figures, in the arena of the table; their number. */
static size_t list_languages(ig_table *table, const ig_document *d,
                             const ig_figures *all, const ig_measure *measure,
                             uint16_t **language)
{
    uint8_t *found = ig_arena_array(&table->arena, d->set->languages, 1);
    size_t n = 0;

    *language = ig_arena_array(&table->arena, d->set->languages, sizeof **language);
    if (table->arena.failed)
        return 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->row[i]->measure == measure && ig_figure_is_pair(all->row[i]))
            found[all->row[i]->lang[0] - 1] = found[all->row[i]->lang[1] - 1] = 1;
    for (size_t k = 0; k < d->set->languages; k++)
        if (found[k])
            (*language)[n++] = (uint16_t)k;
    return n;
}

ig_table ig_table_pairs(const ig_document *d, const ig_document_column *column,
                        const ig_measure *measure, size_t most)
{
    const ig_figures *all = &column->measures->figures;
    const ig_figure *whole = ig_document_cell(column, measure, NULL);
    ig_table table = {.leak = ig_better(measure, column->space) < 0};
    uint16_t *language;
    size_t n = list_languages(&table, d, all, measure, &language);
    int decimals = n <= most;
    bool means = false;

    if (n == 0)
        return table;
    for (size_t i = 0; i < n; i++)
        means |= ig_figures_find(all, measure, language[i], IG_ALL_LANGUAGES) != NULL;
    table.caption = make_caption(&table, column, measure, whole);
    ig_table_text(&table, "from ↓ to →");
    for (size_t j = 0; j < n; j++)
        ig_table_text(&table, d->set->language[language[j]]);
    if (means)
        ig_table_text(&table, "mean");
    ig_table_end_row(&table);
    for (size_t i = 0; i < n + means; i++) {
        size_t from = i < n ? language[i] : IG_ALL_LANGUAGES;

        ig_table_text(&table, i < n ? d->set->language[from] : "mean");
        for (size_t j = 0; j < n + (means && i < n); j++) {
            size_t to = j < n ? language[j] : IG_ALL_LANGUAGES;
            const ig_figure *f = ig_figures_find(all, measure, from, to);
            ig_table_cell *cell;

            if (!f && i < n && j < n) /* one without a direction stands both ways */
                f = ig_figures_find(all, measure, to, from);
            cell = put_share(&table, f, decimals);
            if (i < n && j < n && f && !isnan(f->value))
                cell->heat = heat_of(
                    measure, f->value,
                    isnan(f->chance) && whole ? whole->chance : f->chance, table.leak);
        }
        ig_table_end_row(&table);
    }
    return table;
}
