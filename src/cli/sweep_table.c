/* The figures of a sweep as CSV and JSON. */
#include "cli/sweep_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/output.h"

static const char *const names[IG_SWEEP_MEASURES] = {
    "epochs",    "best_epoch", "train_loss",        "valid_loss",
    "alignment", "uniformity", "retrieval_meaning", "retrieval_language"};

size_t ig_sweep_seconds(const ig_sweep_table *table)
{
    return IG_SWEEP_MEASURES + table->columns->count;
}

size_t ig_sweep_figures(const ig_sweep_table *table)
{
    return ig_sweep_seconds(table) + 1;
}

static const char *name_of(const ig_sweep_table *table, size_t figure)
{
    if (figure < IG_SWEEP_MEASURES)
        return names[figure];
    return figure == ig_sweep_seconds(table)
               ? "seconds"
               : table->columns->column[figure - IG_SWEEP_MEASURES].name;
}

static bool is_own_column(const ig_axis *axis)
{
    return strcmp(axis->key, "method") == 0 || strcmp(axis->key, "dims") == 0 ||
           strcmp(axis->key, "seed") == 0;
}

void ig_sweep_mean(const ig_sweep_row *rows, size_t count, size_t figure, double *mean,
                   double *deviation)
{
    double sum = 0, square = 0;
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        if (!isnan(rows[i].figure[figure])) {
            sum += rows[i].figure[figure];
            n++;
        }
    *mean = n ? sum / (double)n : NAN;
    for (size_t i = 0; i < count; i++)
        if (!isnan(rows[i].figure[figure]))
            square += pow(rows[i].figure[figure] - *mean, 2);
    *deviation = n > 1 ? sqrt(square / (double)(n - 1)) : NAN;
}

/* --- CSV ------------------------------------------------------------------------- */

static void put_name(const char *name, bool summary)
{
    for (int i = 0; i <= (int)summary; i++) {
        char text[200];

        snprintf(text, sizeof text, "%s%s", name,
                 !summary ? ""
                 : i == 0 ? "_mean"
                          : "_std");
        putchar(',');
        ig_field_put(stdout, text, ',');
    }
}

void ig_sweep_put_header(const ig_sweep_table *table, bool summary)
{
    const ig_grid *grid = table->grid;
    fputs(summary ? "method,dims" : "method,dims,seed", stdout);
    for (size_t i = 0; i < grid->axes; i++)
        if (!is_own_column(grid->axis[i])) {
            putchar(',');
            ig_field_put(stdout, grid->axis[i]->key, ',');
        }
    for (size_t f = 0; f < ig_sweep_figures(table); f++)
        put_name(name_of(table, f), summary);
    puts(summary ? ",n" : ",status");
}

static void put_number(double value)
{
    if (isfinite(value))
        printf(",%.9g", value);
    else
        putchar(',');
}

/* What the columns before the figures hold. */
static void put_point(const ig_grid *grid, size_t point, const char *method,
                      size_t dims, bool summary)
{
    const ig_axis *seed = ig_grid_axis(grid, "seed");
    const ig_axis *wide = ig_grid_axis(grid, "dims");

    ig_field_put(stdout, method, ',');
    if (wide)
        printf(",%s", ig_grid_value(grid, point, wide));
    else
        printf(",%zu", dims);
    if (!summary && seed)
        printf(",%s", ig_grid_value(grid, point, seed));
    else if (!summary)
        printf(",%llu", (unsigned long long)grid->options->seed);
    for (size_t i = 0; i < grid->axes; i++)
        if (!is_own_column(grid->axis[i])) {
            putchar(',');
            ig_field_put(stdout, ig_grid_value(grid, point, grid->axis[i]), ',');
        }
}

void ig_sweep_put_row(const ig_sweep_table *table, size_t point, const char *method,
                      const ig_sweep_row *row)
{
    const ig_grid *grid = table->grid;
    put_point(grid, point, method, row->dims, false);
    for (size_t f = 0; f < ig_sweep_figures(table); f++)
        put_number(row->figure[f]);
    printf(",%s\n", row->status);
}

/* Runs with figures. */
static size_t finished(const ig_sweep_row *rows, size_t count)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += !isnan(rows[i].figure[IG_SWEEP_EPOCHS]);
    return n;
}

void ig_sweep_put_summary(const ig_sweep_table *table, size_t point, const char *method,
                          const ig_sweep_row *rows)
{
    const ig_grid *grid = table->grid;
    double mean, deviation;

    put_point(grid, point, method, rows[point].dims, true);
    for (size_t f = 0; f < ig_sweep_figures(table); f++) {
        ig_sweep_mean(rows + point, grid->seeds, f, &mean, &deviation);
        put_number(mean);
        put_number(deviation);
    }
    printf(",%zu\n", finished(rows + point, grid->seeds));
}

/* --- JSON ------------------------------------------------------------------------ */

static ig_json *figure(double value)
{
    char text[IG_SHORTEST_SIZE];

    snprintf(text, sizeof text, "%.9g", value);
    return ig_json_real(isfinite(value) ? strtod(text, NULL) : NAN);
}

static ig_json *point_json(const ig_grid *grid, size_t point, const char *method,
                           size_t dims)
{
    const ig_axis *axis = ig_grid_axis(grid, "method");
    ig_json *out = ig_json_object(), *settings = ig_json_object();

    ig_json_put(out, "method",
                ig_json_text(axis ? ig_grid_value(grid, point, axis) : method));
    axis = ig_grid_axis(grid, "dims");
    if (axis)
        dims = (size_t)strtoull(ig_grid_value(grid, point, axis), NULL, 10);
    ig_json_put(out, "dims", ig_json_count(dims));
    for (size_t i = 0; i < grid->axes; i++)
        if (!is_own_column(grid->axis[i]))
            ig_json_put(settings, grid->axis[i]->key,
                        ig_json_text(ig_grid_value(grid, point, grid->axis[i])));
    ig_json_put(out, "settings", settings);
    return out;
}

static ig_json *run_json(const ig_sweep_table *table, size_t point, const char *method,
                         const ig_sweep_row *row)
{
    const ig_grid *grid = table->grid;
    const ig_axis *seed = ig_grid_axis(grid, "seed");
    ig_json *out = point_json(grid, point, method, row->dims);

    ig_json_put(out, "seed",
                ig_json_count(
                    seed ? (size_t)strtoull(ig_grid_value(grid, point, seed), NULL, 10)
                         : (size_t)grid->options->seed));
    for (size_t f = 0; f < ig_sweep_figures(table); f++)
        ig_json_put(out, name_of(table, f),
                    f <= IG_SWEEP_BEST && !isnan(row->figure[f])
                        ? ig_json_count((size_t)row->figure[f])
                        : figure(row->figure[f]));
    ig_json_put(out, "status", ig_json_text(row->status));
    return out;
}

static ig_json *summary_json(const ig_sweep_table *table, size_t point,
                             const char *method, const ig_sweep_row *rows)
{
    const ig_grid *grid = table->grid;
    ig_json *out = point_json(grid, point, method, rows[point].dims);
    double mean, deviation;

    ig_json_put(out, "n", ig_json_count(finished(rows + point, grid->seeds)));
    for (size_t f = 0; f < ig_sweep_figures(table); f++) {
        ig_json *both = ig_json_object();

        ig_sweep_mean(rows + point, grid->seeds, f, &mean, &deviation);
        ig_json_put(both, "mean", figure(mean));
        ig_json_put(both, "std", figure(deviation));
        ig_json_put(out, name_of(table, f), both);
    }
    return out;
}

int ig_sweep_put_json(const ig_sweep_table *table, const char *method,
                      const ig_sweep_row *rows, size_t done)
{
    const ig_grid *grid = table->grid;
    ig_json *out = ig_json_object();
    ig_json *runs = ig_json_array(), *summary = ig_json_array();

    for (size_t i = 0; i < done; i++)
        ig_json_push(runs, run_json(table, i, method, &rows[i]));
    for (size_t i = 0; i + grid->seeds <= done; i += grid->seeds)
        ig_json_push(summary, summary_json(table, i, method, rows));
    ig_json_put(out, "runs", runs);
    ig_json_put(out, "summary", summary);
    return ig_json_print(out);
}
