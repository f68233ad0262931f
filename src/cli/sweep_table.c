/* The figures of a sweep as CSV and JSON. */
#include "cli/sweep_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/file.h"
#include "cli/output.h"

static const char *const names[IG_SWEEP_MEASURES] = {
    "epochs",    "best_epoch", "train_loss",        "valid_loss",
    "alignment", "uniformity", "retrieval_meaning", "retrieval_language"};

size_t ig_sweep_seconds(const ig_sweep_table *table)
{
    return IG_SWEEP_MEASURES + table->columns->count;
}

size_t ig_sweep_width(const ig_sweep_table *table)
{
    return ig_sweep_seconds(table) + 1;
}

bool ig_sweep_measured(const ig_sweep_table *table, size_t figure)
{
    return figure == IG_SWEEP_MEANING || figure == IG_SWEEP_LANGUAGE ||
           (figure >= IG_SWEEP_MEASURES && figure < ig_sweep_seconds(table));
}

/* Whether there are columns of an interval beside a figure's. */
static bool has_interval(const ig_sweep_table *table, size_t figure)
{
    return table->mean && ig_sweep_measured(table, figure);
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

void ig_sweep_take_means(const ig_sweep_table *table, size_t point,
                         const ig_sweep_row *rows, double *scratch)
{
    size_t width = ig_sweep_width(table), seeds = table->grid->seeds;

    for (size_t f = 0; table->mean && f < width; f++) {
        for (size_t b = 0; b < IG_DRAWS; b++) {
            double sum = 0;
            size_t n = 0;

            for (size_t i = point; i < point + seeds; i++)
                if (!isnan(rows[i].draw[f * IG_DRAWS + b])) {
                    sum += (double)rows[i].draw[f * IG_DRAWS + b];
                    n++;
                }
            scratch[b] = n ? sum / (double)n : (double)NAN;
        }
        table->mean[point / seeds * width + f] = ig_interval_of(scratch, IG_DRAWS);
    }
}

/* --- CSV ------------------------------------------------------------------------- */

/* The columns of a figure: itself and its interval, or the same of its mean and, at the
 * end, the deviation. */
static void put_names(const char *name, bool summary, bool interval)
{
    static const char *const ends[2][4] = {
        {"", "_low", "_high", NULL}, {"_mean", "_mean_low", "_mean_high", "_std"}};

    for (int i = 0; i < 4; i++) {
        char text[200];

        if (!ends[summary][i] || (!interval && (i == 1 || i == 2)))
            continue;
        snprintf(text, sizeof text, "%s%s", name, ends[summary][i]);
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
    for (size_t f = 0; f < ig_sweep_width(table); f++)
        put_names(name_of(table, f), summary, has_interval(table, f));
    puts(summary ? ",n" : ",status");
}

static void put_number(double value)
{
    if (isfinite(value))
        printf(",%.9g", value);
    else
        putchar(',');
}

/* The columns of the interval of a figure, which may be empty. */
static void put_interval(const ig_sweep_table *table, size_t figure,
                         const ig_interval *interval)
{
    if (!has_interval(table, figure))
        return;
    put_number(interval[figure].low);
    put_number(interval[figure].high);
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
    for (size_t f = 0; f < ig_sweep_width(table); f++) {
        put_number(row->figure[f]);
        put_interval(table, f, row->interval);
    }
    printf(",%s\n", row->status);
}

/* The intervals of the means of a group of seeds. */
static const ig_interval *means_of(const ig_sweep_table *table, size_t point)
{
    return table->mean
               ? table->mean + point / table->grid->seeds * ig_sweep_width(table)
               : NULL;
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
    for (size_t f = 0; f < ig_sweep_width(table); f++) {
        ig_sweep_mean(rows + point, grid->seeds, f, &mean, &deviation);
        put_number(mean);
        put_interval(table, f, means_of(table, point));
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

/* {"NAME": [low, high], …} of the figures that have intervals, as "ci". */
static void put_intervals(ig_json *out, const ig_sweep_table *table,
                          const ig_interval *interval)
{
    ig_json *all = table->mean ? ig_json_object() : NULL;

    for (size_t f = 0; all && f < ig_sweep_width(table); f++) {
        ig_json *ends = NULL;

        if (!has_interval(table, f) || !ig_interval_is(interval[f]))
            continue;
        ends = ig_json_array();
        ig_json_push(ends, figure(interval[f].low));
        ig_json_push(ends, figure(interval[f].high));
        ig_json_put(all, name_of(table, f), ends);
    }
    if (all)
        ig_json_put(out, "ci", all);
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
    for (size_t f = 0; f < ig_sweep_width(table); f++)
        ig_json_put(out, name_of(table, f),
                    f <= IG_SWEEP_BEST && !isnan(row->figure[f])
                        ? ig_json_count((size_t)row->figure[f])
                        : figure(row->figure[f]));
    put_intervals(out, table, row->interval);
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
    for (size_t f = 0; f < ig_sweep_width(table); f++) {
        ig_json *both = ig_json_object();

        ig_sweep_mean(rows + point, grid->seeds, f, &mean, &deviation);
        ig_json_put(both, "mean", figure(mean));
        ig_json_put(both, "std", figure(deviation));
        ig_json_put(out, name_of(table, f), both);
    }
    put_intervals(out, table, means_of(table, point));
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
