/* The tables of a document, the same for terminals, papers and pages: measures by
 * spaces, differences, and the figures of language pairs. */
#include "report/tables.h"

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "view/axes.h"

const ig_figure *ig_document_cell(const ig_document_column *c,
                                  const ig_measure *measure, const char *part)
{
    const ig_figures *f = &c->measures->figures;

    if (!part)
        return ig_figures_find(f, measure, IG_ALL_LANGUAGES, IG_ALL_LANGUAGES);
    for (size_t i = 0; i < f->count; i++)
        if (f->row[i]->measure == measure && f->row[i]->lang[0] == UINT16_MAX &&
            strcmp(f->row[i]->from, part) == 0)
            return f->row[i];
    return NULL;
}

bool ig_document_shows(ig_document_columns columns, const ig_measure *measure)
{
    for (size_t c = 0; c < columns.count && !(measure->is & IG_PARTS); c++) {
        const ig_figure *row = ig_document_cell(&columns.at[c], measure, NULL);

        if (row && !isnan(row->value) && !(measure->is & IG_QUIET && row->value == 0))
            return true;
    }
    return false;
}

const char *ig_document_figure(char out[40], const ig_measure *m, double value,
                               const char *percent)
{
    bool share = m->unit == IG_UNIT_SHARE;
    char number[IG_NUMBER_SIZE];

    if (isnan(value))
        return strcpy(out, "–");
    value *= share ? 100 : 1;
    if (fabs(value) < 0.5 * pow(10, -m->decimals))
        value = 0; /* no −0.000 */
    snprintf(out, 40, "%s%s", ig_fixed_format(number, value, m->decimals, 0),
             share ? percent : "");
    return out;
}

const char *ig_table_interval(ig_table *table, const ig_measure *m, double low,
                              double high)
{
    char a[40], b[40];

    if (isnan(low) || isnan(high))
        return NULL;
    return ig_table_text_of(table, low < 0 ? "%s to %s" : "%s–%s",
                            ig_document_figure(a, m, low, ""),
                            ig_document_figure(b, m, high, ""));
}

void ig_table_mark_best(ig_table *t, size_t col, const ig_measure *m, size_t space)
{
    int better = ig_better(m, space), values = 0;
    double best = -INFINITY;
    double unit = pow(10, -m->decimals - (m->unit == IG_UNIT_SHARE ? 2 : 0));

    for (size_t at = t->cols + col; at < t->cells; at += t->cols) {
        best = fmax(best, round(better * t->cell[at].number / unit)); /* as printed */
        values += !isnan(t->cell[at].number);
    }
    for (size_t at = t->cols + col; at < t->cells && better && values > 1;
         at += t->cols)
        t->cell[at].best = round(better * t->cell[at].number / unit) >= best;
}

/* --- measures --------------------------------------------------------------------- */

/* Append which figures of a measure are better in a space; of all, in each. */
static void put_better(ig_table *table, const ig_measure *m, size_t space)
{
    static const char *const arrow[] = {"↓", "·", "↑"};
    char better[16] = "";

    for (size_t s = 0; s < IG_SPACES; s++)
        if (s == space || space == IG_SPACES)
            ig_text_append(better, sizeof better, "%s", arrow[1 + ig_better(m, s)]);
    ig_table_add(table, "%s", better);
}

/* Append a row of a measure, or of a part of it: "retrieval top-1", "· en, n 560". */
static void put_measure(ig_table *table, const ig_measure *m, const char *part,
                        ig_document_columns columns, size_t space)
{
    const ig_figure *whole = ig_document_cell(columns.at, m, NULL);
    const ig_figure *f = part ? ig_document_cell(columns.at, m, part) : NULL;
    double least = (double)NAN, most = (double)NAN; /* chance */
    char text[40], upto[40];

    ig_table_add(table, f && whole && f->n && f->n < whole->n ? "%s%s, n %zu" : "%s%s",
                 part ? "· " : "", part ? part : m->label, f ? f->n : 0);
    put_better(table, m, space);
    for (size_t c = 0; c < columns.count; c++) {
        f = ig_document_cell(&columns.at[c], m, part);
        ig_document_figure(text, m, f ? f->value : (double)NAN, "%");
        ig_table_add(table, "%s", text)->below =
            f ? ig_table_interval(table, m, f->low, f->high) : NULL;
        least = f && !part ? fmin(least, f->chance) : least;
        most = f && !part ? fmax(most, f->chance) : most;
    }
    ig_document_figure(text, m, least, "%");
    ig_document_figure(upto, m, most, "%");
    if (!isnan(most))
        ig_table_add(table, strcmp(text, upto) ? "%s–%s" : "%s", text, upto);
    ig_table_end_row(table);
}

/* Append the parts of a measure, of the first column that has any. */
static void put_parts(ig_table *table, const ig_measure *m, ig_document_columns columns,
                      size_t space)
{
    size_t before = table->cells;

    for (size_t c = 0; c < columns.count && table->cells == before; c++) {
        const ig_figures *f = &columns.at[c].measures->figures;

        for (size_t i = 0; i < f->count; i++)
            if (f->row[i]->measure == m && f->row[i]->lang[0] == UINT16_MAX)
                put_measure(table, m, f->row[i]->from, columns, space);
    }
}

ig_table ig_table_measures(ig_document_columns columns, size_t space, bool full)
{
    ig_table table = {0};
    const ig_measure *m;

    ig_table_heads(&table, "measure better");
    /* A wide one has the original in each part. */
    table.first = 2 + (space < IG_SPACES && !*columns.at[0].title);
    table.last = 1;
    if (space < IG_SPACES)
        table.caption =
            ig_table_text_of(&table, "%s space", ig_space_name((ig_space)space));
    for (const ig_document_column *c = columns.at; c < columns.at + columns.count; c++)
        ig_table_text(&table, space < IG_SPACES && *c->title ? c->title : c->name);
    ig_table_text(&table, "chance");
    ig_table_end_row(&table);
    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        if ((full || m->is & IG_MAIN) && ig_document_shows(columns, m)) {
            put_measure(&table, m, NULL, columns, space);
            put_parts(&table, m, columns, space);
        }
    return table;
}

/* --- differences ------------------------------------------------------------------ */

/* "2 centre", "seed (3 seeds)", "original". */
static const char *name_method(ig_table *table, const ig_document *d, size_t run,
                               size_t seeds)
{
    return run == IG_NO_RUN ? "original"
           : seeds > 1      ? ig_table_text_of(table, "method %.60s (%zu random seeds)",
                                               d->run[run].info->name, seeds)
                            : d->run[run].title;
}

ig_table ig_table_difference(const ig_document *d, const ig_document_difference *of,
                             bool full)
{
    ig_table table = {0};
    char text[40];

    table.caption = ig_table_text_of(
        &table, "%s minus %s, %s space%s%s%s",
        name_method(&table, d, of->second, of->seeds[1]),
        name_method(&table, d, of->first, of->seeds[0]), ig_space_name(of->space),
        d->set->version ? " of " : "", d->set->version ? d->set->version : "",
        of->only ? " (these runs only)" : "");
    ig_table_heads(&table, "measure difference 95% significant");
    ig_table_end_row(&table);
    for (size_t i = 0; i < of->count; i++) {
        const ig_difference *one = &of->figure[i];
        const ig_measure *m = one->measure;
        int better = ig_better(m, of->space);
        double low = one->value || one->low < one->high ? one->low : (double)NAN;

        if (!full && !(m->is & IG_MAIN))
            continue;
        ig_table_text(&table, m->label);
        ig_document_figure(text, m, one->value, " points");
        ig_table_add(&table, "%s", isnan(low) ? "no difference" : text);
        ig_table_text(&table, ig_table_interval(&table, m, low, one->high));
        ig_table_text(&table, !one->significant         ? NULL
                              : better == 0             ? "yes"
                              : better * one->value > 0 ? "better"
                                                        : "worse");
        ig_table_end_row(&table);
    }
    return table;
}

/* --- language pairs --------------------------------------------------------------- */

/* What a matrix has that its caption explains. */
enum { FEW = 1, MISSING = 2, BLANK = 4 };

/* Append the share from a language to another, or their mean, in percent; "–" where it
 * is missing, in parentheses where it is FEW and means leave it out (there are `enough`
 * others). It has no colour at chance, the full one at 1; small leaks are made visible.
 * For errors chance is the maximum and 0 the minimum. Returns one of the enum, or 0. */
static unsigned put_share(ig_table *table, const ig_figures *all, const ig_measure *m,
                          size_t from, size_t to, double chance, int decimals,
                          bool enough)
{
    const ig_figure *f = ig_figures_find(all, m, from, to);
    bool pair = from != IG_ALL_LANGUAGES && to != IG_ALL_LANGUAGES, few;
    char number[IG_NUMBER_SIZE];
    ig_table_cell *cell;
    double above;

    if (!f && pair) /* one without a direction stands both ways */
        f = ig_figures_find(all, m, to, from);
    if (!f || isnan(f->value)) {
        ig_table_text(table, f && f->reason ? "–" : NULL);
        return !pair || from == to ? 0 : f && f->reason ? MISSING : BLANK;
    }
    few = f->few && enough;
    cell = ig_table_add(table, few ? "(%s)" : "%s",
                        ig_fixed_format(number, 100 * f->value, decimals, 0));
    if (!pair)
        return 0;
    chance = isnan(f->chance) ? chance : f->chance;
    if (ig_better(m, IG_SPACE_MEANING) < 0 && chance > 0.5)
        chance = 0;
    above = chance < 1 ? fmin(fmax((f->value - chance) / (1 - chance), 0), 1) : 0;
    above = table->leak ? sqrt(above) : above;
    cell->heat = (unsigned char)(1 + lround(above * (IG_TABLE_HEATS - 1)));
    return few ? FEW : 0;
}

ig_table ig_table_pairs(const ig_document *d, const ig_document_column *column,
                        const ig_measure *m)
{
    const ig_figures *all = &column->measures->figures;
    const ig_figure *whole = ig_document_cell(column, m, NULL);
    ig_table table = {.matrix = true, .leak = ig_better(m, column->space) < 0};
    size_t n = d->set->languages, means = 0;
    unsigned marks = 0;
    bool pairs = false, enough = false;
    int decimals = n <= 8; /* of more, whole numbers fit 80 columns */
    double chance = whole ? whole->chance : (double)NAN;
    char value[40], guess[40], mean[120] = "";

    for (size_t i = 0; i < all->count; i++) {
        const ig_figure *f = all->row[i];
        bool pair = f->measure == m && f->from && f->to;

        means |= f->measure == m && f->from && !f->to && f->lang[0] <= n;
        pairs |= pair;
        enough |= pair && !f->few && !isnan(f->value);
    }
    if (!pairs || n > IG_LANGUAGES_SCANNED)
        return table;
    if (whole)
        snprintf(mean, sizeof mean, ": mean %s, chance %s",
                 ig_document_figure(value, m, whole->value, "%"),
                 ig_document_figure(guess, m, chance, "%"));
    ig_table_text(&table, "from ↓ to →");
    for (size_t j = 0; j < n + means; j++)
        ig_table_text(&table, j < n ? d->set->language[j] : "mean");
    ig_table_end_row(&table);
    for (size_t i = 0; i < n + means; i++) {
        ig_table_text(&table, i < n ? d->set->language[i] : "mean");
        for (size_t j = 0; j < n + (i < n && means); j++)
            marks |= put_share(&table, all, m, i < n ? i : IG_ALL_LANGUAGES,
                               j < n ? j : IG_ALL_LANGUAGES, chance, decimals, enough);
        ig_table_end_row(&table);
    }
    table.caption = ig_table_text_of(
        &table, "%s in %%, %s%s%s%s%s", m->label, column->name, mean,
        marks & FEW ? "; in parentheses: fewer than 20 candidates, left out of means "
                      "unless all have"
                    : "",
        marks & MISSING ? "; –: no figure" : "",
        marks & BLANK ? "; blank: no pairs" : "");
    return table;
}
