/* The table of a sweep: columns, figures, CSV and JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/sweep.h"
#include "core/file.h"
#include "measure/differences.h"
#include "report/tables.h"

/* --- columns ---------------------------------------------------------------------- */

/* Failures are remembered by the arena. */
static void add_column(ig_sweep_table *table, ig_sweep_column column,
                       const char *before, const char *name, const char *after)
{
    char text[200];

    snprintf(text, sizeof text, "%s%s%s%s", before, name, *after ? "_" : "", after);
    column.name = ig_arena_text(&table->arena, text, strlen(text));
    table->column[table->columns++] = column;
    if (column.measure)
        table->measures[column.set] |= 1u << column.measure->group;
}

/* "sts." of sets/sts.npy, "sts~2." if an earlier --test has the same name. */
static void name_test(const ig_options *o, size_t number, char out[96])
{
    size_t length, other, alike = 1;
    const char *stem = ig_path_stem(o->measure.test[number].set, &length);
    int shown = length < 60 ? (int)length : 60;

    for (size_t i = 0; i < number; i++) {
        const char *earlier = ig_path_stem(o->measure.test[i].set, &other);

        alike += other == length && memcmp(stem, earlier, length) == 0;
    }
    snprintf(out, 96, alike > 1 ? "%.*s~%zu." : "%.*s.", shown, stem, alike);
}

/* Add the columns of DATA or of a --test: those of --measures, or the default, in both
 * spaces. */
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
        bool scored = ig_measure_groups[m->group]->needs & IG_NEEDS_SCORES;

        if (scores ? m->is & IG_POSITIVE && !o->measure.labelled : scored)
            continue;
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            add_column(table, (ig_sweep_column){NULL, m, set, (ig_space)s}, before,
                       m->name, ig_space_name((ig_space)s));
    }
    return status;
}

static ig_status add_columns(ig_sweep_table *table, const ig_options *o,
                             ig_error *error)
{
    /* Besides a swept option of that name. */
    const char *epochs = ig_grid_axis(&table->grid, "epochs") ? "epochs_trained"
                                                              : "epochs";
    const char *training[IG_SWEEP_MEASURES] = {epochs, "best_epoch", "train_loss",
                                               "valid_loss"};
    size_t sets = 1 + o->measure.tests;
    ig_status status = IG_OK;

    table->column = ig_arena_array(&table->arena,
                                   IG_SWEEP_MEASURES + 1 + 2 * IG_CHOICE_MAX * sets,
                                   sizeof *table->column);
    table->measures = ig_arena_array(&table->arena, sets, sizeof *table->measures);
    if (table->arena.failed)
        return ig_fail_memory(error, "the columns of a sweep");
    for (size_t i = 0; i < IG_SWEEP_MEASURES; i++)
        add_column(table, (ig_sweep_column){0}, "", training[i], "");
    for (size_t set = 0; set < sets && status == IG_OK; set++)
        status = add_set(table, o, set, error);
    if (status == IG_OK && o->measure.measures && table->columns == IG_SWEEP_MEASURES)
        status = ig_fail(error, IG_USAGE,
                         "--measures %s: similarity needs --scores FILE, AUC and "
                         "average precision --positive X, too",
                         o->measure.measures);
    add_column(table, (ig_sweep_column){0}, "", "seconds", "");
    return status;
}

/* Rows without figures. */
static ig_sweep_row *make_rows(ig_sweep_table *t, size_t rows)
{
    ig_sweep_row *row = ig_arena_array(&t->arena, rows, sizeof *row);
    ig_sweep_cell *cell = ig_arena_array(&t->arena, rows, t->columns * sizeof *cell);

    for (size_t i = 0; cell && i < rows; i++) {
        row[i].cell = cell + i * t->columns;
        for (size_t c = 0; c < t->columns; c++)
            row[i].cell[c] = (ig_sweep_cell){NAN, NAN, NAN, NAN};
    }
    return row;
}

ig_status ig_sweep_table_init(ig_sweep_table *t, const ig_options *options,
                              ig_error *error)
{
    ig_status status;

    *t = (ig_sweep_table){0};
    status = ig_grid_init(&t->grid, options, error);
    if (status == IG_OK)
        status = add_columns(t, options, error);
    if (status != IG_OK)
        return status;
    t->run = make_rows(t, t->grid.points);
    t->group = make_rows(t, t->grid.points / t->grid.seeds);
    t->units = ig_arena_array(&t->arena, t->columns, sizeof *t->units);
    if (options->measure.ci)
        t->draw = ig_arena_array(&t->arena, t->grid.seeds * t->columns,
                                 IG_DRAWS * sizeof *t->draw);
    return t->arena.failed ? ig_fail_memory(error, "the runs of the grid") : IG_OK;
}

/* --- figures ---------------------------------------------------------------------- */

float *ig_sweep_draws(const ig_sweep_table *t, size_t point)
{
    return t->draw ? t->draw + point % t->grid.seeds * t->columns * IG_DRAWS : NULL;
}

void ig_sweep_keep(const ig_sweep_table *table, size_t point, size_t set,
                   ig_space space, const ig_evaluation *e)
{
    float *draw = ig_sweep_draws(table, point);

    for (size_t i = 0; i < table->columns; i++) {
        const ig_sweep_column *c = &table->column[i];
        ig_sweep_cell *cell = &table->run[point].cell[i];
        const ig_figure *f = c->measure && c->set == set && c->space == space
                                 ? ig_figures_whole(&e->figures, c->measure->name)
                                 : NULL;

        if (!f)
            continue;
        cell->value = f->value;
        for (size_t k = 0; draw && k < IG_DRAWS; k++)
            draw[i * IG_DRAWS + k] = f->draw ? f->draw[k] : (float)NAN;
        if (!draw || !f->draw)
            continue;
        cell->low = f->low;
        cell->high = f->high;
        table->units[i] = f->units;
    }
}

/* The mean of a column over the runs of a group that have it. */
static void take_mean(ig_sweep_table *t, size_t point, size_t column,
                      ig_sweep_cell *out)
{
    const ig_measure *m = t->column[column].measure;
    const float *draw[IG_SEEDS_MAX];
    double value[IG_SEEDS_MAX], sum = 0, square = 0;
    ig_interval ends;
    size_t n = 0;

    for (size_t i = point; i < point + t->grid.seeds && n < IG_SEEDS_MAX; i++) {
        value[n] = t->run[i].cell[column].value;
        if (t->draw)
            draw[n] = ig_sweep_draws(t, i) + column * IG_DRAWS;
        sum += isnan(value[n]) ? 0 : value[n];
        n += !isnan(value[n]);
    }
    out->value = n ? sum / (double)n : NAN;
    for (size_t i = 0; i < n; i++)
        square += pow(value[i] - out->value, 2);
    if (n > 1)
        out->deviation = sqrt(square / (double)(n - 1));
    if (!t->draw || !m)
        return;
    ends = ig_interval_of_seeds(value, draw, n, t->units[column]);
    if (m->unit == IG_UNIT_SHARE && ig_interval_is(ends))
        ends = (ig_interval){fmax(ends.low, 0), fmin(ends.high, 1)};
    out->low = ends.low;
    out->high = ends.high;
}

void ig_sweep_take_means(ig_sweep_table *t, size_t point)
{
    ig_sweep_row *group = &t->group[point / t->grid.seeds];

    group->dims = t->run[point].dims;
    for (size_t i = point; i < point + t->grid.seeds; i++)
        group->n += !isnan(t->run[i].cell[IG_SWEEP_EPOCHS].value);
    for (size_t c = 0; c < t->columns; c++)
        take_mean(t, point, c, &group->cell[c]);
}

/* --- settings of a point ---------------------------------------------------------- */

/* Axis i, or NULL: version, method, dims and seed have columns of their own. */
static const ig_axis *setting_at(const ig_grid *grid, size_t i)
{
    const char *key = grid->axis[i]->key;
    bool own = strcmp(key, "version") == 0 || strcmp(key, "method") == 0 ||
               strcmp(key, "dims") == 0 || strcmp(key, "seed") == 0;

    return own ? NULL : grid->axis[i];
}

static unsigned long long number_at(const ig_grid *grid, size_t point, const char *key,
                                    unsigned long long fallback)
{
    const ig_axis *axis = ig_grid_axis(grid, key);

    return axis ? strtoull(ig_grid_value(grid, point, axis), NULL, 10) : fallback;
}

/* --- CSV -------------------------------------------------------------------------- */

static void put_field(const char *name, const char *suffix)
{
    char text[220];

    snprintf(text, sizeof text, "%s%s", name, suffix);
    ig_field_put(stdout, text, ',');
}

/* A figure, or its name and suffix in the header. */
static void put_figure(const char *name, const char *suffix, double value, bool header)
{
    putchar(',');
    if (header)
        put_field(name, suffix);
    else if (isfinite(value))
        printf("%.9g", value);
}

void ig_sweep_put_line(const ig_sweep_table *table, size_t point, bool header)
{
    const ig_grid *grid = &table->grid;
    bool summary = grid->options->measure.summary;
    const char *version = ig_grid_version(grid, point);
    const ig_sweep_row *row = summary ? &table->group[point / grid->seeds]
                                      : &table->run[point];

    if (summary && !header && (point + 1) % grid->seeds)
        return;
    if (version) {
        put_field(header ? "version" : version, "");
        putchar(',');
    }
    put_field(header ? "method" : ig_grid_method(grid, point), "");
    if (header)
        fputs(summary ? ",dims" : ",dims,seed", stdout);
    else
        printf(",%llu", number_at(grid, point, "dims", row->dims));
    if (!header && !summary)
        printf(",%llu", number_at(grid, point, "seed", grid->options->seed));
    for (size_t i = 0; i < grid->axes; i++)
        if (setting_at(grid, i)) {
            putchar(',');
            put_field(header ? grid->axis[i]->key
                             : ig_grid_value(grid, point, grid->axis[i]),
                      "");
        }
    for (size_t c = 0; c < table->columns; c++) {
        const char *name = table->column[c].name;
        const ig_sweep_cell *cell = &row->cell[c];

        put_figure(name, summary ? "_mean" : "", cell->value, header);
        if (table->draw && table->column[c].measure) {
            put_figure(name, summary ? "_mean_low" : "_low", cell->low, header);
            put_figure(name, summary ? "_mean_high" : "_high", cell->high, header);
        }
        if (summary)
            put_figure(name, "_std", cell->deviation, header);
    }
    if (header)
        puts(summary ? ",n" : ",status");
    else if (summary)
        printf(",%zu\n", row->n);
    else
        printf(",%s\n", row->failed ? "failed" : "ok");
}

/* --- JSON ------------------------------------------------------------------------- */

static json_t *cell_json(const ig_sweep_cell *cell, size_t column, bool group)
{
    json_t *value = column <= IG_SWEEP_BEST && !group && !isnan(cell->value)
                        ? json_integer((json_int_t)cell->value)
                        : ig_json_number(cell->value);

    return group ? json_pack("{s:o, s:o}", "mean", value, "std",
                             ig_json_number(cell->deviation))
                 : value;
}

/* A run, or the group that starts at a point. */
static json_t *row_json(const ig_sweep_table *table, size_t point, bool group)
{
    const ig_grid *grid = &table->grid;
    const ig_sweep_row *row = group ? &table->group[point / grid->seeds]
                                    : &table->run[point];
    const char *version = ig_grid_version(grid, point);
    json_t *settings = json_object(), *ci = json_object(), *out;

    for (size_t i = 0; i < grid->axes; i++)
        if (setting_at(grid, i))
            settings =
                ig_json_set(settings, grid->axis[i]->key,
                            ig_json_string(ig_grid_value(grid, point, grid->axis[i])));
    out = json_pack("{s:o, s:I, s:o}", "method",
                    ig_json_string(ig_grid_method(grid, point)), "dims",
                    (json_int_t)number_at(grid, point, "dims", row->dims), "settings",
                    settings);
    if (version)
        out = ig_json_set(out, "version", ig_json_string(version));
    out = group ? ig_json_set(out, "n", json_integer((json_int_t)row->n))
                : ig_json_set(out, "seed",
                              json_integer((json_int_t)number_at(grid, point, "seed",
                                                                 grid->options->seed)));
    for (size_t c = 0; c < table->columns; c++) {
        const ig_sweep_cell *cell = &row->cell[c];

        out = ig_json_set(out, table->column[c].name, cell_json(cell, c, group));
        if (!isnan(cell->low) && !isnan(cell->high))
            ci = ig_json_set(ci, table->column[c].name,
                             json_pack("[f, f]", cell->low, cell->high));
    }
    if (table->draw)
        out = ig_json_set(out, "ci", json_incref(ci));
    json_decref(ci);
    return group
               ? out
               : ig_json_set(out, "status", json_string(row->failed ? "failed" : "ok"));
}

int ig_sweep_put_json(const ig_sweep_table *table, size_t done)
{
    size_t seeds = table->grid.seeds;
    json_t *runs = json_array(), *summary = json_array();

    for (size_t i = 0; i < done; i++)
        runs = ig_json_append(runs, row_json(table, i, false));
    for (size_t i = 0; i + seeds <= done; i += seeds)
        summary = ig_json_append(summary, row_json(table, i, true));
    return ig_json_print(json_pack("{s:o, s:o}", "runs", runs, "summary", summary));
}

/* --- tables ----------------------------------------------------------------------- */

/* "91.2% 90.1–92.3": mean, and interval or standard deviation. */
static void put_mean(ig_table *out, size_t row, size_t col, const ig_sweep_table *table,
                     size_t column)
{
    const ig_measure *m = table->column[column].measure;
    const ig_sweep_cell *cell = &table->group[row - 1].cell[column];
    const char *spread = table->draw ? ig_table_interval(out, m, cell->low, cell->high)
                                     : NULL;
    char text[40], sd[40] = "";

    if (!table->draw && !isnan(cell->deviation))
        ig_document_figure(sd, m->unit, m->decimals, cell->deviation);
    spread = spread ? spread : sd;
    ig_table_put(out, row, col, "%s%s%s",
                 ig_document_figure(text, m->unit, m->decimals, cell->value),
                 *spread ? " " : "", spread);
}

/* Columns `first` … of the groups, after those that name a row. */
static void fill_table(ig_table *out, const ig_sweep_table *table, size_t groups,
                       size_t first, size_t shown)
{
    const ig_grid *grid = &table->grid;
    const ig_axis *axis[IG_AXES_MAX];
    size_t axes = 0;

    for (size_t i = 0; i < grid->axes; i++)
        if (strcmp(grid->axis[i]->key, "method") && strcmp(grid->axis[i]->key, "seed"))
            axis[axes++] = grid->axis[i];
    ig_table_init(out, groups + 1, 2 + axes + shown);
    for (size_t g = 0; g <= groups; g++) {
        size_t point = g ? (g - 1) * grid->seeds : 0;

        ig_table_put(out, g, 0, "%s", g ? ig_grid_method(grid, point) : "method");
        for (size_t i = 0; i < axes; i++)
            ig_table_put(out, g, 1 + i, "%s",
                         g ? ig_grid_value(grid, point, axis[i]) : axis[i]->key);
        ig_table_put(out, g, 1 + axes, g ? "%zu" : "seeds",
                     table->group[point / grid->seeds].n);
        for (size_t c = 0; c < shown; c++)
            if (g)
                put_mean(out, g, 2 + axes + c, table, first + c);
            else
                ig_table_put(out, g, 2 + axes + c, "%s", table->column[first + c].name);
    }
}

ig_status ig_sweep_put_tables(const ig_sweep_table *table, size_t done, int format,
                              ig_error *error)
{
    size_t groups = done / table->grid.seeds, width = ig_terminal_columns(stdout);
    size_t last = table->columns - 1, shown;
    ig_status status = IG_OK;

    width = format != IG_AS_TABLE ? SIZE_MAX : width ? width : 80;
    if (format == IG_AS_TABLE)
        puts(table->draw ? "mean over the seeds, 95% interval (t; variance over seeds "
                           "and draws of ids)\n"
                         : "mean over the seeds, standard deviation; --ci has "
                           "intervals\n");
    for (size_t at = IG_SWEEP_MEASURES; at < last && status == IG_OK; at += shown) {
        ig_table out = {0};

        shown = last - at;
        fill_table(&out, table, groups, at, shown);
        while (shown > 1 && !out.failed && ig_table_width(&out) > width) {
            ig_table_free(&out);
            fill_table(&out, table, groups, at, --shown);
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
