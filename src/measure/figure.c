/* Rows of figures: appended, found, ordered; how a figure follows from its items. */
#include "measure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

/* --- rows ------------------------------------------------------------------------- */

static ig_figure *add_row(ig_figures *f, const char *measure, size_t from, size_t to,
                          ig_combine how)
{
    const char *const *name = f->language;
    ig_figure *out = ig_arena_array(&f->arena, 1, sizeof *out);

    f->failed |= f->arena.failed || f->brief.failed ||
                 ig_array_grow(&f->row, &f->room, f->count + 1, sizeof(*f->row), "",
                               NULL) != IG_OK;
    out = f->failed ? &f->lost : out;
    *out = (ig_figure){.measure = ig_measure_named(measure),
                       .from = !name || from == IG_ALL_LANGUAGES ? NULL : name[from],
                       .to = !name || to == IG_ALL_LANGUAGES ? NULL : name[to],
                       .lang = {(uint16_t)(from + 1), (uint16_t)(to + 1)},
                       .value = (double)NAN,
                       .chance = (double)NAN,
                       .low = (double)NAN,
                       .high = (double)NAN,
                       .how = how};
    if (!f->failed)
        f->row[f->count++] = out;
    return out;
}

static void set_value(ig_figure *row, double value, const char *reason)
{
    row->value = value;
    row->reason = !isnan(value) ? NULL : reason ? reason : "it cannot be computed";
}

ig_figure *ig_figures_add_languages(ig_figures *f, const char *measure, size_t from,
                                    size_t to, double value, const char *reason)
{
    ig_figure *row = add_row(f, measure, from, to, IG_NO_ITEMS);

    set_value(row, value, reason);
    return row;
}

ig_figure *ig_figures_add(ig_figures *f, const char *measure, double value,
                          const char *reason)
{
    return ig_figures_add_languages(f, measure, IG_ALL_LANGUAGES, IG_ALL_LANGUAGES,
                                    value, reason);
}

void ig_figures_name_part(ig_figures *f, ig_figure *row, const char *part)
{
    row->lang[0] = UINT16_MAX;
    row->lang[1] = (uint16_t)f->parts++;
    row->from = ig_arena_text(&f->arena, part, strlen(part));
    f->failed |= !row->from;
}

/* --- items ------------------------------------------------------------------------ */

ig_figure *ig_figures_add_items(ig_figures *f, const char *measure, size_t from,
                                size_t to, ig_combine how, size_t items)
{
    static const size_t arrays[] = {
        [IG_MEAN] = 1, [IG_LOG_MEAN] = 1, [IG_RATIO] = 2, [IG_CORRELATION] = 3};
    ig_arena *arena = f->intervals ? &f->arena : &f->brief;
    ig_figure *row = add_row(f, measure, from, to, how);

    row->unit = ig_arena_array(arena, items, sizeof *row->unit);
    for (size_t k = 0; k < arrays[how]; k++)
        row->item[k] = ig_arena_array(arena, items, sizeof *row->item[k]);
    f->failed |= arena->failed;
    row->items = f->failed ? 0 : items;
    return row;
}

void ig_figures_close(ig_figures *f, ig_figure *row, const char *reason)
{
    double sum[IG_COLUMNS] = {0}, column[IG_COLUMNS];
    size_t counted = 0;

    for (size_t i = 0; i < row->items; i++) {
        if (!ig_figure_item(row, i, column))
            continue;
        counted++;
        for (size_t k = 0; k < IG_COLUMNS; k++)
            sum[k] += column[k];
    }
    row->n = row->n ? row->n : counted;
    set_value(row, ig_figure_combine(row, sum), reason);
    if (row->how != IG_CORRELATION)
        row->centre = row->how == IG_LOG_MEAN ? exp(row->value) : row->value;
    if (!f->intervals || isnan(row->value))
        row->items = 0;
}

ig_figure *ig_figures_add_mean(ig_figures *f, const char *measure, size_t from,
                               size_t to, ig_figure *const *part, size_t parts,
                               bool by_n, const char *reason)
{
    ig_figure *row = add_row(f, measure, from, to, IG_MEAN_OF);
    double sum = 0, chance = 0, weights = 0, chances = 0;

    row->part = ig_arena_array(&f->arena, parts, sizeof(*row->part));
    row->by_n = by_n;
    f->failed |= f->arena.failed;
    for (size_t i = 0; i < parts && !f->failed; i++) {
        double weight = by_n ? (double)part[i]->n : 1;

        row->part[row->items++] = part[i];
        row->n += part[i]->n;
        row->marked += part[i]->marked;
        reason = part[i]->marked ? part[i]->reason : reason;
        chance += isnan(part[i]->chance) ? 0 : part[i]->chance;
        chances += !isnan(part[i]->chance);
        sum += isnan(part[i]->value) ? 0 : weight * part[i]->value;
        weights += isnan(part[i]->value) ? 0 : weight;
    }
    row->chance = chance / chances; /* 0/0 is NaN */
    set_value(row, sum / weights, reason);
    row->reason = row->marked ? reason : row->reason;
    return row;
}

ig_figure *ig_figures_add_mean_of(ig_figures *f, const char *measure, const char *of,
                                  bool by_n, const char *none)
{
    const ig_measure *own = ig_measure_named(of);
    ig_figure **part = ig_arena_array(&f->brief, f->count, sizeof(*part));
    size_t parts = 0;

    for (size_t i = 0; i < f->count && part; i++)
        if (f->row[i]->measure == own && !ig_figure_is_whole(f->row[i]))
            part[parts++] = f->row[i];
    return ig_figures_add_mean(f, measure, IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, part,
                               parts, by_n, parts ? part[0]->reason : none);
}

bool ig_figure_item(const ig_figure *row, size_t i, double column[IG_COLUMNS])
{
    column[0] = (double)row->item[0][i];
    column[1] = row->item[1] ? (double)row->item[1][i] : 1;
    column[2] = row->item[2] ? (double)row->item[2][i] : 0;
    column[0] -= row->centre * column[1];
    return !isnan(column[0]);
}

double ig_figure_combine(const ig_figure *row, const double sum[IG_COLUMNS])
{
    double mean = row->centre + sum[0] / sum[1];

    if (!(sum[1] > 0) || (row->how == IG_CORRELATION && !(sum[2] > 0)))
        return (double)NAN;
    if (row->how == IG_CORRELATION)
        return sum[0] / sqrt(sum[1] * sum[2]);
    return row->how == IG_LOG_MEAN ? log(mean) : mean;
}

/* --- reading ---------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b)
{
    const ig_figure *x = *(ig_figure *const *)a, *y = *(ig_figure *const *)b;

    if (x->measure != y->measure)
        return x->measure < y->measure ? -1 : 1;
    return x->lang[0] != y->lang[0] ? x->lang[0] - y->lang[0] : x->lang[1] - y->lang[1];
}

void ig_figures_sort(ig_figures *f)
{
    if (f->count)
        qsort(f->row, f->count, sizeof(*f->row), compare_rows);
}

const ig_figure *ig_figures_find(const ig_figures *f, const ig_measure *measure,
                                 size_t from, size_t to)
{
    ig_figure row = {.measure = measure,
                     .lang = {(uint16_t)(from + 1), (uint16_t)(to + 1)}};
    ig_figure *key = &row, *const *found = NULL;

    if (f->count)
        found = bsearch(&key, f->row, f->count, sizeof(*f->row), compare_rows);
    return found ? *found : NULL;
}

const ig_figure *ig_figures_whole(const ig_figures *f, const char *measure)
{
    return ig_figures_find(f, ig_measure_named(measure), IG_ALL_LANGUAGES,
                           IG_ALL_LANGUAGES);
}

double ig_figures_value(const ig_figures *f, const char *measure)
{
    const ig_figure *row = ig_figures_whole(f, measure);

    return row ? row->value : (double)NAN;
}

void ig_figures_free(ig_figures *f)
{
    ig_free(f->row);
    ig_arena_free(&f->arena);
    ig_arena_free(&f->brief);
    *f = (ig_figures){0};
}
