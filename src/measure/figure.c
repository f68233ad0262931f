/* Rows of figures: appended, found, ordered; how a figure follows from its items. */
#include "measure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

/* --- rows ------------------------------------------------------------------------- */

static ig_figure *add_row(ig_figures *f, const char *measure, ig_combine how)
{
    const ig_figure row = {.measure = ig_measure_named(measure),
                           .value = (double)NAN,
                           .chance = (double)NAN,
                           .low = (double)NAN,
                           .high = (double)NAN,
                           .how = how,
                           .at = f->count};
    ig_figure *out = ig_arena_alloc(&f->arena, sizeof *out);

    if (!out || ig_array_grow(&f->row, &f->room, f->count + 1, sizeof(*f->row),
                              "the figures", NULL) != IG_OK) {
        f->failed = true;
        f->lost = row;
        return &f->lost;
    }
    *out = row;
    f->row[f->count++] = out;
    return out;
}

static void set_languages(const ig_figures *f, ig_figure *row, size_t from, size_t to)
{
    if (from != IG_ALL_LANGUAGES) {
        row->lang[0] = (uint16_t)(from + 1);
        row->from = f->language ? f->language[from] : NULL;
    }
    if (to != IG_ALL_LANGUAGES) {
        row->lang[1] = (uint16_t)(to + 1);
        row->to = f->language ? f->language[to] : NULL;
    }
}

static void set_value(ig_figure *row, double value, const char *reason)
{
    row->value = value;
    row->reason = !isnan(value) ? NULL : reason ? reason : "it cannot be computed";
}

ig_figure *ig_figures_add(ig_figures *f, const char *measure, double value,
                          const char *reason)
{
    ig_figure *row = add_row(f, measure, IG_NO_ITEMS);

    set_value(row, value, reason);
    return row;
}

ig_figure *ig_figures_add_languages(ig_figures *f, const char *measure, size_t from,
                                    size_t to, double value, const char *reason)
{
    ig_figure *row = ig_figures_add(f, measure, value, reason);

    set_languages(f, row, from, to);
    return row;
}

void ig_figures_name_part(ig_figures *f, ig_figure *row, const char *part)
{
    row->lang[0] = row->lang[1] = UINT16_MAX;
    row->from = ig_arena_text(&f->arena, part, strlen(part));
    f->failed |= !row->from;
}

/* --- items ------------------------------------------------------------------------ */

ig_figure *ig_figures_add_items(ig_figures *f, const char *measure, size_t from,
                                size_t to, ig_combine how, size_t items, uint32_t *unit)
{
    static const size_t arrays[] = {
        [IG_MEAN] = 1, [IG_LOG_MEAN] = 1, [IG_RATIO] = 2, [IG_CORRELATION] = 3};
    ig_arena *arena = f->intervals ? &f->arena : &f->brief;
    ig_figure *row = add_row(f, measure, how);

    set_languages(f, row, from, to);
    row->items = items;
    row->unit = unit ? unit : ig_arena_array(arena, items, sizeof *row->unit);
    for (size_t k = 0; k < arrays[how]; k++)
        row->item[k] = ig_arena_array(arena, items, sizeof *row->item[k]);
    f->failed |= arena->failed;
    return f->failed ? NULL : row;
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
    if (f->intervals && !isnan(row->value))
        return;
    row->items = 0;
    row->unit = NULL;
    memset(row->item, 0, sizeof row->item);
}

ig_figure *ig_figures_add_mean(ig_figures *f, const char *measure, size_t from,
                               size_t to, ig_figure *const *part, size_t parts,
                               bool by_n, const char *reason)
{
    ig_figure *row = add_row(f, measure, IG_MEAN_OF);
    double sum = 0, chance = 0, weight = 0, chances = 0;

    set_languages(f, row, from, to);
    row->part = ig_arena_array(&f->arena, parts, sizeof(*row->part));
    f->failed |= f->arena.failed;
    if (f->failed)
        return NULL;
    row->by_n = by_n;
    for (size_t i = 0; i < parts; i++) {
        if (!part[i])
            continue;
        row->part[row->items++] = part[i];
        row->n += part[i]->n;
        chance += isnan(part[i]->chance) ? 0 : part[i]->chance;
        chances += !isnan(part[i]->chance);
        if (isnan(part[i]->value))
            continue;
        sum += part[i]->value * (by_n ? (double)part[i]->n : 1);
        weight += by_n ? (double)part[i]->n : 1;
    }
    row->chance = chance / chances; /* 0/0 is NaN */
    set_value(row, sum / weight, reason);
    return row;
}

void ig_figures_forget(ig_figures *f)
{
    ig_arena_free(&f->brief);
}

size_t ig_figure_columns(const ig_figure *row)
{
    return row->how == IG_CORRELATION ? 3 : 2;
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

/* Order of the rows. */
static int compare_rows(const ig_figure *a, const ig_measure *measure, uint16_t from,
                        uint16_t to)
{
    if (a->measure != measure)
        return a->measure < measure ? -1 : 1;
    if (a->lang[0] != from)
        return a->lang[0] < from ? -1 : 1;
    return (a->lang[1] > to) - (a->lang[1] < to);
}

/* Parts that are no languages stay as they were appended. */
static int by_measure(const void *a, const void *b)
{
    const ig_figure *x = *(ig_figure *const *)a, *y = *(ig_figure *const *)b;
    int order = compare_rows(x, y->measure, y->lang[0], y->lang[1]);

    return order ? order : (x->at > y->at) - (x->at < y->at);
}

void ig_figures_sort(ig_figures *f)
{
    if (f->count)
        qsort(f->row, f->count, sizeof(*f->row), by_measure);
}

const ig_figure *ig_figures_find(const ig_figures *f, const ig_measure *measure,
                                 size_t from, size_t to)
{
    uint16_t a = (uint16_t)(from == IG_ALL_LANGUAGES ? 0 : from + 1);
    uint16_t b = (uint16_t)(to == IG_ALL_LANGUAGES ? 0 : to + 1);
    size_t low = 0, high = f->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_rows(f->row[middle], measure, a, b);

        if (order == 0)
            return f->row[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
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

bool ig_figure_has_interval(const ig_figure *figure)
{
    return !isnan(figure->low) && !isnan(figure->high);
}

void ig_figures_free(ig_figures *f)
{
    ig_free(f->row);
    ig_arena_free(&f->arena);
    ig_arena_free(&f->brief);
    *f = (ig_figures){0};
}
