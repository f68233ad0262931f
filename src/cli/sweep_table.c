/* The table of a sweep: columns, figures, CSV and JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/sweep.h"
#include "core/file.h"
#include "measure/measure_group.h"
#include "report/tables.h"

static const char *const states[] = {[IG_SWEEP_OK] = "ok",
                                     [IG_SWEEP_FAILED] = "failed",
                                     [IG_SWEEP_UNWRITTEN] = "unwritten"};

/* --- columns ---------------------------------------------------------------------- */

static void copy_stem(const char *path, char out[61])
{
    size_t length;
    const char *stem = ig_path_stem(path, &length);

    snprintf(out, 61, "%.*s", (int)length, stem);
}

/* "sts." of sets/sts.npy, "sts~2." if an earlier --test has the same name. */
static void name_test(const ig_options *o, size_t number, char out[96])
{
    char name[61], other[61];
    size_t alike = 1;

    copy_stem(o->measure.test[number].set, name);
    for (size_t i = 0; i < number; i++) {
        copy_stem(o->measure.test[i].set, other);
        alike += strcmp(name, other) == 0;
    }
    snprintf(out, 96, alike > 1 ? "%s~%zu." : "%s.", name, alike);
}

static ig_status add_column(ig_sweep_table *table, const char *name,
                            ig_sweep_column column, ig_error *error)
{
    column.name = ig_arena_text(&table->arena, name, strlen(name));
    table->column[table->columns++] = column;
    if (column.measure)
        table->measures[column.set] |= 1u << column.measure->family;
    return column.name ? IG_OK : ig_fail_memory(error, "the columns of a sweep");
}

/* Add a column per space: "sts." and "pearson" give sts.pearson_meaning. */
static ig_status add_measure(ig_sweep_table *table, const char *before,
                             const char *name, const ig_measure *measure, size_t set,
                             ig_error *error)
{
    ig_status status = IG_OK;
    char text[200];

    for (int s = IG_SPACE_MEANING; s < IG_SPACES && status == IG_OK; s++) {
        snprintf(text, sizeof text, "%s%s_%s", before, name,
                 ig_space_name((ig_space)s));
        status = add_column(
            table, text,
            (ig_sweep_column){.measure = measure, .set = set, .space = (ig_space)s},
            error);
    }
    return status;
}

/* Add the columns of DATA or of a --test: those of --measures, or the default. */
static ig_status add_set(ig_sweep_table *table, const ig_options *o, size_t set,
                         ig_error *error)
{
    bool scores = set ? o->measure.test[set - 1].scores != NULL
                      : o->measure.scores != NULL;
    const char *list = o->measure.measures ? o->measure.measures
                       : !set              ? "top1,alignment,uniformity,similarity"
                       : scores            ? "similarity"
                                           : "top1";
    ig_measure_choice choice = {0};
    char before[96] = "";
    ig_status status = ig_measures_choose(&choice, "--measures", list, error);

    if (set)
        name_test(o, set - 1, before);
    for (size_t i = 0; i < choice.count && status == IG_OK; i++) {
        const ig_measure *m = choice.measure[i];

        if (scores ? o->measure.labelled || !m->positive
                   : !(ig_measure_groups[m->family]->needs & IG_NEEDS_SCORES))
            status = add_measure(table, before, m->name, m, set, error);
    }
    return status;
}

static ig_status add_columns(ig_sweep_table *table, const ig_options *o,
                             ig_error *error)
{
    static const char *const training[IG_SWEEP_MEASURES] = {"epochs", "best_epoch",
                                                            "train_loss", "valid_loss"};
    size_t max = IG_SWEEP_MEASURES + 3 +
                 (size_t)2 * IG_CHOICE_MAX * (o->measure.tests + 1);
    size_t before;
    ig_status status = IG_OK;

    table->column = ig_arena_alloc(&table->arena, max * sizeof *table->column);
    table->measures =
        ig_arena_alloc(&table->arena, (o->measure.tests + 1) * sizeof(unsigned));
    if (!table->column || !table->measures)
        return ig_fail_memory(error, "the columns of a sweep");
    for (size_t i = 0; i < IG_SWEEP_MEASURES && status == IG_OK; i++)
        status =
            add_column(table, /* besides a swept option of that name */
                       i == IG_SWEEP_EPOCHS && ig_grid_axis(&table->grid, training[i])
                           ? "epochs_trained"
                           : training[i],
                       (ig_sweep_column){0}, error);
    before = table->columns;
    for (size_t set = 0; set <= o->measure.tests && status == IG_OK; set++)
        status = add_set(table, o, set, error);
    if (status == IG_OK && o->measure.measures && table->columns == before)
        status = ig_fail(error, IG_USAGE,
                         "--measures %s: similarity needs --scores FILE, AUC and "
                         "average precision --positive X, too",
                         o->measure.measures);
    return status == IG_OK ? add_column(table, "seconds", (ig_sweep_column){0}, error)
                           : status;
}

static ig_status add_rows(ig_sweep_table *t, bool intervals, ig_error *error)
{
    size_t width = t->columns, seeds = t->grid.seeds, points = t->grid.points;
    size_t each = intervals ? width * sizeof(ig_interval) : 0;
    double *value = ig_arena_alloc(&t->arena, points * width * sizeof *value);
    ig_interval *interval = ig_arena_alloc(&t->arena, points * each);
    float *draw = ig_arena_alloc(
        &t->arena, intervals ? seeds * width * IG_DRAWS * sizeof *draw : 0);

    t->row = ig_arena_alloc(&t->arena, points * sizeof *t->row);
    t->units = ig_arena_alloc(&t->arena, width * sizeof *t->units);
    if (intervals)
        t->mean = ig_arena_alloc(&t->arena, points / seeds * each);
    if (!value || !interval || !draw || !t->row || !t->units || (intervals && !t->mean))
        return ig_fail_memory(error, "the runs of the grid");
    for (size_t i = 0; i < points; i++) {
        t->row[i].value = value + i * width;
        if (intervals) {
            t->row[i].interval = interval + i * width;
            t->row[i].draw = draw + i % seeds * width * IG_DRAWS;
        }
    }
    return IG_OK;
}

ig_status ig_sweep_table_init(ig_sweep_table *table, const ig_options *options,
                              ig_error *error)
{
    ig_status status;

    *table = (ig_sweep_table){0};
    status = ig_grid_init(&table->grid, options, error);
    if (status == IG_OK)
        status = add_columns(table, options, error);
    return status == IG_OK ? add_rows(table, options->measure.ci, error) : status;
}

void ig_sweep_table_free(ig_sweep_table *table)
{
    ig_arena_free(&table->arena);
    *table = (ig_sweep_table){0};
}

/* --- figures ---------------------------------------------------------------------- */

void ig_sweep_keep(const ig_sweep_table *table, ig_sweep_row *row, size_t set,
                   ig_space space, const ig_evaluation *e)
{
    for (size_t i = 0; i < table->columns; i++) {
        const ig_sweep_column *c = &table->column[i];
        const ig_figure *f = c->measure && c->set == set && c->space == space
                                 ? ig_figures_whole(&e->figures, c->measure->name)
                                 : NULL;

        if (!f)
            continue;
        row->value[i] = f->value;
        if (!row->interval || !f->draw)
            continue;
        row->interval[i] = (ig_interval){f->low, f->high};
        table->units[i] = f->units;
        memcpy(row->draw + i * IG_DRAWS, f->draw, IG_DRAWS * sizeof *row->draw);
    }
}

void ig_sweep_mean(const ig_sweep_table *table, size_t first, size_t count,
                   size_t column, double *mean, double *deviation)
{
    double sum = 0, square = 0;
    size_t n = 0;

    for (size_t i = first; i < first + count; i++) {
        double value = table->row[i].value[column];

        sum += isnan(value) ? 0 : value;
        n += !isnan(value);
    }
    *mean = n ? sum / (double)n : NAN;
    for (size_t i = first; i < first + count; i++)
        if (!isnan(table->row[i].value[column]))
            square += pow(table->row[i].value[column] - *mean, 2);
    *deviation = n > 1 ? sqrt(square / (double)(n - 1)) : NAN;
}

void ig_sweep_take_means(const ig_sweep_table *table, size_t point)
{
    size_t seeds = table->grid.seeds, n;
    const float *draw[IG_SEEDS_MAX];
    double value[IG_SEEDS_MAX];

    for (size_t f = 0; table->mean && f < table->columns; f++) {
        ig_interval *mean = &table->mean[point / seeds * table->columns + f];
        const ig_measure *m = table->column[f].measure;

        for (size_t i = n = 0; i < seeds && n < IG_SEEDS_MAX; i++) {
            value[n] = table->row[point + i].value[f];
            draw[n] = table->row[point + i].draw + f * IG_DRAWS;
            n += !isnan(value[n]);
        }
        *mean = ig_interval_of_seeds(value, draw, n, table->units[f]);
        if (m && m->unit == IG_UNIT_SHARE && ig_interval_is(*mean))
            *mean = (ig_interval){fmax(mean->low, 0), fmin(mean->high, 1)};
    }
}

/* The intervals of the means of a group of seeds, or NULL. */
static const ig_interval *means_of(const ig_sweep_table *table, size_t point)
{
    return table->mean ? table->mean + point / table->grid.seeds * table->columns
                       : NULL;
}

static size_t count_finished(const ig_sweep_table *table, size_t first)
{
    size_t n = 0;

    for (size_t i = first; i < first + table->grid.seeds; i++)
        n += !isnan(table->row[i].value[IG_SWEEP_EPOCHS]);
    return n;
}

/* --- settings of a point ---------------------------------------------------------- */

static bool has_fixed_column(const ig_axis *axis)
{
    return strcmp(axis->key, "version") == 0 || strcmp(axis->key, "method") == 0 ||
           strcmp(axis->key, "dims") == 0 || strcmp(axis->key, "seed") == 0;
}

static unsigned long long number_at(const ig_grid *grid, size_t point, const char *key,
                                    unsigned long long fallback)
{
    const ig_axis *axis = ig_grid_axis(grid, key);

    return axis ? strtoull(ig_grid_value(grid, point, axis), NULL, 10) : fallback;
}

static unsigned long long dims_at(const ig_sweep_table *table, size_t point)
{
    return number_at(&table->grid, point, "dims", table->row[point].dims);
}

static unsigned long long seed_at(const ig_sweep_table *table, size_t point)
{
    return number_at(&table->grid, point, "seed", table->grid.options->seed);
}

/* --- CSV -------------------------------------------------------------------------- */

void ig_sweep_put_header(const ig_sweep_table *table)
{
    static const char *const ends[2][4] = {
        {"", "_low", "_high", NULL}, {"_mean", "_mean_low", "_mean_high", "_std"}};
    const ig_grid *grid = &table->grid;
    bool summary = grid->options->measure.summary;

    if (ig_grid_axis(grid, "version"))
        fputs("version,", stdout);
    fputs(summary ? "method,dims" : "method,dims,seed", stdout);
    for (size_t i = 0; i < grid->axes; i++)
        if (!has_fixed_column(grid->axis[i])) {
            putchar(',');
            ig_field_put(stdout, grid->axis[i]->key, ',');
        }
    for (size_t f = 0; f < table->columns; f++)
        for (int i = 0; i < 4; i++) {
            char text[220];

            if (!ends[summary][i] ||
                ((i == 1 || i == 2) && !(table->mean && table->column[f].measure)))
                continue;
            snprintf(text, sizeof text, "%s%s", table->column[f].name,
                     ends[summary][i]);
            putchar(',');
            ig_field_put(stdout, text, ',');
        }
    puts(summary ? ",n" : ",status");
}

static void put_number(double value)
{
    if (isfinite(value))
        printf(",%.9g", value);
    else
        putchar(',');
}

void ig_sweep_put_point(const ig_sweep_table *table, size_t point)
{
    const ig_grid *grid = &table->grid;
    bool summary = grid->options->measure.summary;
    size_t first = summary ? point + 1 - grid->seeds : point;
    const ig_sweep_row *row = &table->row[point];
    const ig_interval *interval = summary ? means_of(table, first) : row->interval;

    if (summary && (point + 1) % grid->seeds)
        return;
    if (ig_grid_version(grid, point)) {
        ig_field_put(stdout, ig_grid_version(grid, point), ',');
        putchar(',');
    }
    ig_field_put(stdout, ig_grid_method(grid, point), ',');
    printf(",%llu", dims_at(table, first));
    if (!summary)
        printf(",%llu", seed_at(table, point));
    for (size_t i = 0; i < grid->axes; i++)
        if (!has_fixed_column(grid->axis[i])) {
            putchar(',');
            ig_field_put(stdout, ig_grid_value(grid, point, grid->axis[i]), ',');
        }
    for (size_t f = 0; f < table->columns; f++) {
        double mean = row->value[f], deviation = NAN;

        if (summary)
            ig_sweep_mean(table, first, grid->seeds, f, &mean, &deviation);
        put_number(mean);
        if (interval && table->column[f].measure) {
            put_number(interval[f].low);
            put_number(interval[f].high);
        }
        if (summary)
            put_number(deviation);
    }
    if (summary)
        printf(",%zu\n", count_finished(table, first));
    else
        printf(",%s\n", states[row->state]);
}

/* --- JSON ------------------------------------------------------------------------- */

static json_t *point_json(const ig_sweep_table *table, size_t point)
{
    const ig_grid *grid = &table->grid;
    json_t *settings = json_object(), *out;

    for (size_t i = 0; i < grid->axes; i++)
        if (!has_fixed_column(grid->axis[i]))
            settings =
                ig_json_set(settings, grid->axis[i]->key,
                            ig_json_string(ig_grid_value(grid, point, grid->axis[i])));
    out = json_pack("{s:o, s:I, s:o}", "method",
                    ig_json_string(ig_grid_method(grid, point)), "dims",
                    (json_int_t)dims_at(table, point), "settings", settings);
    return ig_grid_version(grid, point)
               ? ig_json_set(out, "version",
                             ig_json_string(ig_grid_version(grid, point)))
               : out;
}

/* Add "ci": {"NAME": [low, high], …} of the figures with intervals. */
static json_t *add_intervals(json_t *out, const ig_sweep_table *table,
                             const ig_interval *interval)
{
    json_t *all = interval ? json_object() : NULL;

    for (size_t f = 0; all && f < table->columns; f++)
        if (table->column[f].measure && ig_interval_is(interval[f]))
            all = ig_json_set(all, table->column[f].name,
                              json_pack("[f, f]", interval[f].low, interval[f].high));
    return interval ? ig_json_set(out, "ci", all) : out;
}

static json_t *run_json(const ig_sweep_table *table, size_t point)
{
    const ig_sweep_row *row = &table->row[point];
    json_t *out = point_json(table, point);

    out = ig_json_set(out, "seed", json_integer((json_int_t)seed_at(table, point)));
    for (size_t f = 0; f < table->columns; f++)
        out = ig_json_set(out, table->column[f].name,
                          f <= IG_SWEEP_BEST && !isnan(row->value[f])
                              ? json_integer((json_int_t)row->value[f])
                              : ig_json_number(row->value[f]));
    out = add_intervals(out, table, row->interval);
    return ig_json_set(out, "status", json_string(states[row->state]));
}

static json_t *summary_json(const ig_sweep_table *table, size_t first)
{
    json_t *out = point_json(table, first);
    double mean, deviation;

    out = ig_json_set(out, "n", json_integer(count_finished(table, first)));
    for (size_t f = 0; f < table->columns; f++) {
        ig_sweep_mean(table, first, table->grid.seeds, f, &mean, &deviation);
        out = ig_json_set(out, table->column[f].name,
                          json_pack("{s:o, s:o}", "mean", ig_json_number(mean), "std",
                                    ig_json_number(deviation)));
    }
    return add_intervals(out, table, means_of(table, first));
}

int ig_sweep_put_json(const ig_sweep_table *table, size_t done)
{
    size_t seeds = table->grid.seeds;
    json_t *runs = json_array(), *summary = json_array();

    for (size_t i = 0; i < done; i++)
        runs = ig_json_append(runs, run_json(table, i));
    for (size_t i = 0; i + seeds <= done; i += seeds)
        summary = ig_json_append(summary, summary_json(table, i));
    return ig_json_print(json_pack("{s:o, s:o}", "runs", runs, "summary", summary));
}

/* --- tables ----------------------------------------------------------------------- */

/* "91.2% 90.1–92.3": mean, and interval or standard deviation. */
static void put_mean(ig_table *out, size_t row, size_t col, const ig_sweep_table *table,
                     size_t f)
{
    const ig_measure *m = table->column[f].measure;
    size_t point = (row - 1) * table->grid.seeds;
    const ig_interval *ends = means_of(table, point);
    const char *spread = ends ? ig_table_interval(out, m, ends[f].low, ends[f].high)
                              : NULL;
    double mean, deviation;
    char text[40], sd[40] = "";

    ig_sweep_mean(table, point, table->grid.seeds, f, &mean, &deviation);
    if (!ends && !isnan(deviation))
        ig_document_figure(sd, m->unit, m->decimals, deviation);
    spread = spread ? spread : sd;
    ig_table_put(out, row, col, "%s%s%s",
                 ig_document_figure(text, m->unit, m->decimals, mean),
                 *spread ? " " : "", spread);
}

/* Begin a table with the columns that name a row. Returns how many there are. */
static size_t begin_table(ig_table *out, const ig_sweep_table *table, size_t groups,
                          size_t shown)
{
    const ig_grid *grid = &table->grid;
    size_t n = 2;

    for (size_t i = 0; i < grid->axes; i++)
        n += strcmp(grid->axis[i]->key, "method") && strcmp(grid->axis[i]->key, "seed");
    ig_table_init(out, groups + 1, n + shown);
    for (size_t g = 0, c = 1; g <= groups; g++, c = 1) {
        size_t point = g ? (g - 1) * grid->seeds : 0;

        ig_table_put(out, g, 0, "%s", g ? ig_grid_method(grid, point) : "method");
        for (size_t i = 0; i < grid->axes; i++)
            if (strcmp(grid->axis[i]->key, "method") &&
                strcmp(grid->axis[i]->key, "seed"))
                ig_table_put(out, g, c++, "%s",
                             g ? ig_grid_value(grid, point, grid->axis[i])
                               : grid->axis[i]->key);
        ig_table_put(out, g, c, g ? "%zu" : "seeds", count_finished(table, point));
    }
    return n;
}

ig_status ig_sweep_put_tables(const ig_sweep_table *table, size_t done, int format,
                              ig_error *error)
{
    size_t groups = done / table->grid.seeds, width = ig_terminal_columns(stdout);
    size_t last = table->columns - 1, shown;
    ig_status status = IG_OK;

    width = format != IG_AS_TABLE ? SIZE_MAX : width ? width : 80;
    if (format == IG_AS_TABLE)
        puts(table->mean ? "mean over the seeds, 95% interval (t; variance over seeds "
                           "and draws of ids)\n"
                         : "mean over the seeds, standard deviation; --ci has "
                           "intervals\n");
    for (size_t at = IG_SWEEP_MEASURES; at < last && status == IG_OK; at += shown) {
        ig_table out = {0};

        for (shown = last - at;; shown--) {
            size_t n;

            ig_table_free(&out);
            n = begin_table(&out, table, groups, shown);
            for (size_t i = 0; i < shown; i++) {
                ig_table_put(&out, 0, n + i, "%s", table->column[at + i].name);
                for (size_t g = 1; g <= groups; g++)
                    put_mean(&out, g, n + i, table, at + i);
            }
            if (out.failed || shown == 1 || ig_table_width(&out) <= width)
                break;
        }
        if (format == IG_AS_TABLE || out.failed)
            status = ig_table_print(&out, stdout, ig_locale_utf8(), error);
        else
            ig_table_markup(&out, stdout, format == IG_AS_LATEX);
        if (at + shown < last)
            putchar('\n');
        ig_table_free(&out);
    }
    return status;
}
