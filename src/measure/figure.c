/* Rows of figures: appended, found, joined. */
#include "measure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

const ig_items ig_items_of_parts = {.how = IG_OF_PARTS};

static ig_figure *add_row(ig_figures *f, const char *measure, double value,
                          const char *reason)
{
    const ig_figure row = {.measure = ig_measure_named(measure),
                           .value = value,
                           .chance = (double)NAN,
                           .low = (double)NAN,
                           .high = (double)NAN,
                           .reason = !isnan(value) ? NULL
                                     : reason      ? reason
                                                   : "it cannot be computed"};

    if (ig_array_grow(&f->row, &f->room, f->count + 1, sizeof row, "the figures",
                      NULL) != IG_OK) {
        f->failed = true;
        f->lost = row;
        return &f->lost;
    }
    f->row[f->count] = row;
    return &f->row[f->count++];
}

ig_figure *ig_figures_add(ig_figures *f, const char *measure, double value,
                          const char *reason)
{
    return add_row(f, measure, value, reason);
}

ig_figure *ig_figures_add_languages(ig_figures *f, const char *measure, size_t from,
                                    size_t to, double value, const char *reason)
{
    ig_figure *row = add_row(f, measure, value, reason);

    if (from != IG_ALL_LANGUAGES) {
        row->lang[0] = (uint16_t)(from + 1);
        row->from = f->language ? f->language[from] : NULL;
    }
    if (to != IG_ALL_LANGUAGES) {
        row->lang[1] = (uint16_t)(to + 1);
        row->to = f->language ? f->language[to] : NULL;
    }
    return row;
}

ig_figure *ig_figures_add_part(ig_figures *f, const char *measure, const char *part,
                               double value, const char *reason)
{
    ig_figure *row = add_row(f, measure, value, reason);

    row->lang[0] = row->lang[1] = UINT16_MAX;
    row->from = ig_strdup(part);
    f->failed |= !row->from;
    return row;
}

void ig_figures_add_lines(ig_figures *f, const ig_figure_line *line, size_t lines,
                          const void *result, size_t n, size_t items,
                          const char *reason)
{
    const char *base = result, *why;

    for (const ig_figure_line *l = line; l < line + lines; l++) {
        ig_figure *row;

        why = reason;
        if (!why && l->reason_at)
            memcpy(&why, base + l->reason_at, sizeof why);
        row = add_row(f, l->measure, *(const double *)(base + l->at),
                      why ? why : l->missing);
        if (l->chance_at)
            row->chance = *(const double *)(base + l->chance_at);
        row->n = l->n_at ? *(const size_t *)(base + l->n_at) : n;
        row->column = l->column.value[0] ? &l->column : NULL;
        row->items = items;
    }
}

/* Order of the rows; parts that are no languages stay as they were appended. */
static int compare_rows(const ig_figure *a, const ig_measure *measure, uint16_t from,
                        uint16_t to)
{
    if (a->measure != measure)
        return a->measure < measure ? -1 : 1;
    if (a->lang[0] != from)
        return a->lang[0] < from ? -1 : 1;
    return (a->lang[1] > to) - (a->lang[1] < to);
}

const ig_figure *ig_figures_find(const ig_figures *f, const ig_measure *measure,
                                 size_t from, size_t to)
{
    uint16_t a = (uint16_t)(from == IG_ALL_LANGUAGES ? 0 : from + 1);
    uint16_t b = (uint16_t)(to == IG_ALL_LANGUAGES ? 0 : to + 1);
    size_t low = 0, high = f->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_rows(&f->row[middle], measure, a, b);

        if (order == 0)
            return &f->row[middle];
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

bool ig_figure_is_over_pushed(const ig_figure *f, int space)
{
    return f && f->measure->ends_at_chance &&
           (f->value - f->chance) * f->measure->better[space] > 0;
}

bool ig_figure_has_interval(const ig_figure *figure)
{
    return !isnan(figure->low) && !isnan(figure->high);
}

void ig_figure_free(ig_figure *figure)
{
    ig_free(figure->draw);
    if (figure->lang[0] == UINT16_MAX)
        ig_free((char *)figure->from);
    *figure = (ig_figure){0};
}

void ig_figures_free(ig_figures *f)
{
    for (size_t i = 0; i < f->count; i++)
        ig_figure_free(&f->row[i]);
    ig_free(f->row);
    *f = (ig_figures){0};
}
