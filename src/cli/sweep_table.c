/* The figures of a sweep as CSV and JSON. */
#include "cli/sweep_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/output.h"

static const char *const names[IG_SWEEP_FIGURES] = {
    "epochs",     "best_epoch",        "train_loss",         "valid_loss", "alignment",
    "uniformity", "retrieval_meaning", "retrieval_language", "seconds"};

static bool is_own_column(const ig_axis *axis)
{
    return strcmp(axis->key, "method") == 0 || strcmp(axis->key, "dims") == 0 ||
           strcmp(axis->key, "seed") == 0;
}

void ig_sweep_mean(const ig_sweep_row *rows, size_t count, ig_sweep_figure figure,
                   double *mean, double *deviation)
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

void ig_sweep_put_header(const ig_grid *grid, bool summary)
{
    fputs(summary ? "method,dims" : "method,dims,seed", stdout);
    for (size_t i = 0; i < grid->axes; i++)
        if (!is_own_column(grid->axis[i])) {
            putchar(',');
            ig_field_put(stdout, grid->axis[i]->key, ',');
        }
    for (int f = 0; f < IG_SWEEP_FIGURES; f++)
        printf(summary ? ",%s_mean,%s_std" : ",%s", names[f], names[f]);
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

void ig_sweep_put_row(const ig_grid *grid, size_t point, const char *method,
                      const ig_sweep_row *row)
{
    put_point(grid, point, method, row->dims, false);
    for (int f = 0; f < IG_SWEEP_FIGURES; f++)
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

void ig_sweep_put_summary(const ig_grid *grid, size_t point, const char *method,
                          const ig_sweep_row *rows)
{
    double mean, deviation;

    put_point(grid, point, method, rows[point].dims, true);
    for (int f = 0; f < IG_SWEEP_FIGURES; f++) {
        ig_sweep_mean(rows + point, grid->seeds, (ig_sweep_figure)f, &mean, &deviation);
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

static ig_json *run_json(const ig_grid *grid, size_t point, const char *method,
                         const ig_sweep_row *row)
{
    const ig_axis *seed = ig_grid_axis(grid, "seed");
    ig_json *out = point_json(grid, point, method, row->dims);

    ig_json_put(out, "seed",
                ig_json_count(
                    seed ? (size_t)strtoull(ig_grid_value(grid, point, seed), NULL, 10)
                         : (size_t)grid->options->seed));
    for (int f = 0; f < IG_SWEEP_FIGURES; f++)
        ig_json_put(out, names[f],
                    f <= IG_SWEEP_BEST && !isnan(row->figure[f])
                        ? ig_json_count((size_t)row->figure[f])
                        : figure(row->figure[f]));
    ig_json_put(out, "status", ig_json_text(row->status));
    return out;
}

static ig_json *summary_json(const ig_grid *grid, size_t point, const char *method,
                             const ig_sweep_row *rows)
{
    ig_json *out = point_json(grid, point, method, rows[point].dims);
    double mean, deviation;

    ig_json_put(out, "n", ig_json_count(finished(rows + point, grid->seeds)));
    for (int f = 0; f < IG_SWEEP_FIGURES; f++) {
        ig_json *both = ig_json_object();

        ig_sweep_mean(rows + point, grid->seeds, (ig_sweep_figure)f, &mean, &deviation);
        ig_json_put(both, "mean", figure(mean));
        ig_json_put(both, "std", figure(deviation));
        ig_json_put(out, names[f], both);
    }
    return out;
}

int ig_sweep_put_json(const ig_grid *grid, const char *method, const ig_sweep_row *rows,
                      size_t done)
{
    ig_json *out = ig_json_object();
    ig_json *runs = ig_json_array(), *summary = ig_json_array();

    for (size_t i = 0; i < done; i++)
        ig_json_push(runs, run_json(grid, i, method, &rows[i]));
    for (size_t i = 0; i + grid->seeds <= done; i += grid->seeds)
        ig_json_push(summary, summary_json(grid, i, method, rows));
    ig_json_put(out, "runs", runs);
    ig_json_put(out, "summary", summary);
    return ig_json_print(out);
}
