/* The table of a sweep: points, columns, means, and its formats. */
#include "cli/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "core/file.h"
#include "core/text.h"
#include "measure/differences.h"
#include "report/tables.h"

enum { MAX_POINTS = 1000000 };

/* --- points ----------------------------------------------------------------------- */

/* Axes of lower order vary more slowly. */
enum { VERSION, DIMS, METHOD, SETTING, SEED, ORDERS };

static int order_of(const ig_axis *axis)
{
    static const char *const key[] = {"version", "dims", "method", "", "seed"};
    int order = 0;

    while (order < ORDERS && strcmp(axis->key, key[order]) != 0)
        order++;
    return order == ORDERS ? SETTING : order;
}

static const ig_axis *axis_of(const ig_sweep_table *t, int order)
{
    for (size_t i = 0; i < t->axes; i++)
        if (order_of(t->axis[i]) == order)
            return t->axis[i];
    return NULL;
}

/* An axis of one value, for an option that is not swept. */
static ig_axis make_axis(ig_sweep_table *t, const char *key, const char *value)
{
    ig_axis axis = {.key = key, .value = ig_arena_array(&t->arena, 1, sizeof(char *))};

    if (axis.value)
        axis.value[0] = ig_arena_text(&t->arena, value, strlen(value));
    axis.values = 1;
    return axis;
}

static ig_status make_points(ig_sweep_table *t, const ig_options *o, ig_error *error)
{
    char seed[24];

    snprintf(seed, sizeof seed, "%" PRIu64, o->seed);
    t->method = make_axis(t, "method", o->method ? o->method : "seed");
    t->seed = make_axis(t, "seed", seed);
    for (int order = 0; order < ORDERS; order++) {
        for (size_t i = 0; i < o->measure.axes; i++)
            if (order_of(&o->measure.axis[i]) == order)
                t->axis[t->axes++] = &o->measure.axis[i];
        if ((order == METHOD || order == SEED) && !axis_of(t, order))
            t->axis[t->axes++] = order == METHOD ? &t->method : &t->seed;
    }
    t->version = axis_of(t, VERSION);
    t->dims = axis_of(t, DIMS);
    t->seeds = axis_of(t, SEED)->values;
    t->points = 1;
    for (size_t i = 0; i < t->axes; i++) {
        if (t->axis[i]->values > MAX_POINTS / t->points)
            return ig_fail(error, IG_USAGE, "the grid has more than %d runs",
                           MAX_POINTS);
        t->points *= t->axis[i]->values;
    }
    return IG_OK;
}

static size_t index_at(const ig_sweep_table *t, size_t point, const ig_axis *axis)
{
    for (size_t i = t->axes; t->axis[--i] != axis;)
        point /= t->axis[i]->values;
    return point % axis->values;
}

const char *ig_sweep_value(const ig_sweep_table *t, size_t point, const ig_axis *axis)
{
    return axis->value[index_at(t, point, axis)];
}

const char *ig_sweep_method(const ig_sweep_table *t, size_t point)
{
    return ig_sweep_value(t, point, axis_of(t, METHOD));
}

void ig_sweep_options(const ig_sweep_table *t, size_t point, ig_options *out)
{
    ig_error error;

    *out = *t->options;
    /* The values were validated when they were parsed. */
    for (size_t i = 0; i < t->axes; i++)
        if (t->axis[i]->option)
            ig_option_take(out, t->axis[i]->option, t->axis[i]->key,
                           ig_sweep_value(t, point, t->axis[i]), &error);
    if (t->version)
        out->set.only = ig_sweep_value(t, point, t->version);
    out->seed = out->train.seed;
}

/* A text as part of a file name: the last component of a path, without ".objective",
 * with special characters replaced by '_'. */
static void copy_plain(const char *text, char out[IG_SWEEP_NAME_SIZE])
{
    const char *slash = strrchr(text, '/');
    size_t n = 0;

    for (const char *at = slash ? slash + 1 : text; *at && n < 100; at++)
        out[n++] = (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') ||
                           (*at >= 'A' && *at <= 'Z') || strchr("+-.=", *at)
                       ? *at
                       : '_';
    out[n] = '\0';
    if (n > 10 && strcmp(out + n - 10, ".objective") == 0)
        out[n - 10] = '\0';
}

const char *ig_sweep_name(const ig_sweep_table *t, size_t point,
                          char out[IG_SWEEP_NAME_SIZE])
{
    static const int orders[] = {METHOD, VERSION, DIMS, SETTING, SEED};
    char value[IG_SWEEP_NAME_SIZE], other[IG_SWEEP_NAME_SIZE];

    *out = '\0';
    for (size_t k = 0; k < ORDERS * t->axes; k++) {
        const ig_axis *axis = t->axis[k % t->axes];
        int order = orders[k / t->axes];
        size_t at = index_at(t, point, axis), alike = 1;

        if (order_of(axis) != order || axis == &t->seed)
            continue;
        copy_plain(axis->value[at], value);
        for (size_t i = 0; i < at; i++) { /* a number if an earlier value gives it */
            copy_plain(axis->value[i], other);
            alike += strcmp(other, value) == 0;
        }
        copy_plain(ig_axis_weight(axis) ? ig_axis_weight(axis) : axis->key, other);
        ig_text_append(out, IG_SWEEP_NAME_SIZE, "%s%s%s%s",
                       order == METHOD ? ""
                       : order == DIMS ? "-d"
                       : order == SEED ? "-s"
                                       : "-",
                       order == VERSION || order == SETTING ? other : "",
                       order == VERSION || order == SETTING ? "=" : "", value);
        if (alike > 1)
            ig_text_append(out, IG_SWEEP_NAME_SIZE, "~%zu", alike);
    }
    /* A truncated name need not be unique: append the number of the point. */
    if (strlen(out) == IG_SWEEP_NAME_SIZE - 1)
        snprintf(out + IG_SWEEP_NAME_SIZE - 12, 12, "~%zu", point + 1);
    return out;
}

/* --- columns ---------------------------------------------------------------------- */

static void add_column(ig_sweep_table *t, ig_sweep_column column, const char *before,
                       const char *name, const char *after)
{
    char text[200];

    snprintf(text, sizeof text, "%s%s%s%s", before, name, *after ? "_" : "", after);
    column.name = ig_arena_text(&t->arena, text, strlen(text));
    t->column[t->columns++] = column;
    if (column.measure)
        t->measures[column.set] |= 1u << column.measure->group;
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
static ig_status add_set(ig_sweep_table *t, const ig_options *o, size_t set,
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
        for (int s = IG_SPACE_MEANING; s < IG_SPACES && !(m->is & IG_PARTS); s++)
            add_column(t, (ig_sweep_column){NULL, m, set, (ig_space)s}, before, m->name,
                       ig_space_name((ig_space)s));
    }
    return status;
}

/* Rows without figures. */
static ig_sweep_row *make_rows(ig_sweep_table *t, size_t rows)
{
    ig_sweep_row *row = ig_arena_array(&t->arena, rows, sizeof *row);
    ig_sweep_cell *cell = ig_arena_array(&t->arena, rows, t->columns * sizeof *cell);

    for (size_t i = 0; cell && i < rows * t->columns; i++) {
        row[i / t->columns].cell = cell + i / t->columns * t->columns;
        cell[i] = (ig_sweep_cell){NAN, NAN, NAN, NAN};
    }
    return row;
}

ig_status ig_sweep_table_init(ig_sweep_table *t, const ig_options *o, ig_error *error)
{
    size_t sets = 1 + o->measure.tests;
    const char *epochs = "epochs";
    ig_status status;

    *t = (ig_sweep_table){.options = o};
    status = make_points(t, o, error);
    for (size_t i = 0; i < o->measure.axes; i++) /* besides a swept option */
        if (strcmp(o->measure.axis[i].key, "epochs") == 0)
            epochs = "epochs_trained";
    t->column = ig_arena_array(
        &t->arena, IG_SWEEP_MEASURES + 1 + 2 * IG_CHOICE_MAX * sets, sizeof *t->column);
    t->measures = ig_arena_array(&t->arena, sets, sizeof *t->measures);
    if (status != IG_OK)
        return status;
    if (t->arena.failed)
        return ig_fail_memory(error, "the columns of a sweep");
    add_column(t, (ig_sweep_column){0}, "", epochs, "");
    add_column(t, (ig_sweep_column){0}, "", "best_epoch", "");
    add_column(t, (ig_sweep_column){0}, "", "train_loss", "");
    add_column(t, (ig_sweep_column){0}, "", "valid_loss", "");
    for (size_t set = 0; set < sets && status == IG_OK; set++)
        status = add_set(t, o, set, error);
    if (status == IG_OK && o->measure.measures && t->columns == IG_SWEEP_MEASURES)
        status = ig_fail(error, IG_USAGE,
                         "--measures %s: similarity needs --scores FILE, AUC and "
                         "average precision --positive X, too",
                         o->measure.measures);
    add_column(t, (ig_sweep_column){0}, "", "seconds", "");
    t->run = make_rows(t, t->points);
    t->group = make_rows(t, t->points / t->seeds);
    t->units = ig_arena_array(&t->arena, t->columns, sizeof *t->units);
    if (o->measure.ci)
        t->draw = ig_arena_array(&t->arena, t->seeds * t->columns,
                                 IG_DRAWS * sizeof *t->draw);
    return status == IG_OK && t->arena.failed
               ? ig_fail_memory(error, "the runs of the grid")
               : status;
}

/* --- figures ---------------------------------------------------------------------- */

float *ig_sweep_draws(const ig_sweep_table *t, size_t point)
{
    return t->draw ? t->draw + point % t->seeds * t->columns * IG_DRAWS : NULL;
}

void ig_sweep_keep(const ig_sweep_table *t, size_t point, size_t set, ig_space space,
                   const ig_evaluation *e)
{
    float *draw = ig_sweep_draws(t, point);

    for (size_t i = 0; i < t->columns; i++) {
        const ig_sweep_column *c = &t->column[i];
        ig_sweep_cell *cell = &t->run[point].cell[i];
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
        t->units[i] = f->units;
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

    for (size_t i = point; i < point + t->seeds && n < IG_SEEDS_MAX; i++) {
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
    ig_sweep_row *group = &t->group[point / t->seeds];

    group->dims = t->run[point].dims;
    for (size_t i = point; i < point + t->seeds; i++)
        group->n += !isnan(t->run[i].cell[IG_SWEEP_EPOCHS].value);
    for (size_t c = 0; c < t->columns; c++)
        take_mean(t, point, c, &group->cell[c]);
}

/* --- CSV -------------------------------------------------------------------------- */

/* A field and a comma. */
static void put_text(const char *text)
{
    ig_field_put(stdout, text, ',');
    putchar(',');
}

/* A figure, or its name and suffix in the header. */
static void put_figure(const char *name, const char *suffix, double value, bool header)
{
    char text[220] = "";

    if (header)
        snprintf(text, sizeof text, "%s%s", name, suffix);
    else if (isfinite(value))
        snprintf(text, sizeof text, "%.9g", value);
    put_text(text);
}

void ig_sweep_put_line(const ig_sweep_table *t, size_t point, bool header)
{
    static const int orders[] = {VERSION, METHOD, DIMS, SEED, SETTING};
    bool summary = t->options->measure.summary;
    const ig_sweep_row *row = summary ? &t->group[point / t->seeds] : &t->run[point];

    if (summary && !header && (point + 1) % t->seeds)
        return;
    for (size_t k = 0; k < ORDERS * t->axes; k++) {
        const ig_axis *axis = t->axis[k % t->axes];
        int order = orders[k / t->axes];

        if (order == DIMS && !t->dims && k % t->axes == 0)
            printf(header ? "dims," : "%zu,", row->dims);
        if (order_of(axis) == order && !(summary && order == SEED))
            put_text(header ? axis->key : ig_sweep_value(t, point, axis));
    }
    for (size_t c = 0; c < t->columns; c++) {
        const char *name = t->column[c].name;
        const ig_sweep_cell *cell = &row->cell[c];

        put_figure(name, summary ? "_mean" : "", cell->value, header);
        if (t->draw && t->column[c].measure) {
            put_figure(name, summary ? "_mean_low" : "_low", cell->low, header);
            put_figure(name, summary ? "_mean_high" : "_high", cell->high, header);
        }
        if (summary)
            put_figure(name, "_std", cell->deviation, header);
    }
    if (header)
        puts(summary ? "n" : "status");
    else if (summary)
        printf("%zu\n", row->n);
    else
        puts(row->failed ? "failed" : "ok");
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
static json_t *row_json(const ig_sweep_table *t, size_t point, bool group)
{
    const ig_sweep_row *row = group ? &t->group[point / t->seeds] : &t->run[point];
    const char *seed = ig_sweep_value(t, point, axis_of(t, SEED));
    json_t *settings = json_object(), *ci = json_object(), *out;
    unsigned long long dims =
        t->dims ? strtoull(ig_sweep_value(t, point, t->dims), NULL, 10) : row->dims;

    for (size_t i = 0; i < t->axes; i++)
        if (order_of(t->axis[i]) == SETTING)
            settings =
                ig_json_set(settings, t->axis[i]->key,
                            ig_json_string(ig_sweep_value(t, point, t->axis[i])));
    out = json_pack("{s:o, s:I, s:o}", "method",
                    ig_json_string(ig_sweep_method(t, point)), "dims", (json_int_t)dims,
                    "settings", settings);
    if (t->version)
        out = ig_json_set(out, "version",
                          ig_json_string(ig_sweep_value(t, point, t->version)));
    out = group ? ig_json_set(out, "n", json_integer((json_int_t)row->n))
                : ig_json_set(out, "seed",
                              json_integer((json_int_t)strtoull(seed, NULL, 10)));
    for (size_t c = 0; c < t->columns; c++) {
        const ig_sweep_cell *cell = &row->cell[c];

        out = ig_json_set(out, t->column[c].name, cell_json(cell, c, group));
        if (!isnan(cell->low) && !isnan(cell->high))
            ci = ig_json_set(ci, t->column[c].name,
                             json_pack("[f, f]", cell->low, cell->high));
    }
    if (t->draw)
        out = ig_json_set(out, "ci", json_incref(ci));
    json_decref(ci);
    return group
               ? out
               : ig_json_set(out, "status", json_string(row->failed ? "failed" : "ok"));
}

int ig_sweep_put_json(const ig_sweep_table *t, size_t done)
{
    json_t *runs = json_array(), *summary = json_array();

    for (size_t i = 0; i < done; i++)
        runs = ig_json_append(runs, row_json(t, i, false));
    for (size_t i = 0; i + t->seeds <= done; i += t->seeds)
        summary = ig_json_append(summary, row_json(t, i, true));
    return ig_json_print(json_pack("{s:o, s:o}", "runs", runs, "summary", summary));
}

/* --- a table ---------------------------------------------------------------------- */

/* "91.2% 90.1–92.3": mean, and interval or standard deviation. */
static void put_mean(ig_table *out, const ig_sweep_table *t, size_t group,
                     size_t column)
{
    const ig_measure *m = t->column[column].measure;
    const ig_sweep_cell *cell = &t->group[group].cell[column];
    const char *spread = t->draw ? ig_table_interval(out, m, cell->low, cell->high)
                                 : NULL;
    char text[40], sd[40] = "";

    if (!t->draw && !isnan(cell->deviation))
        spread = ig_document_figure(sd, m->unit, m->decimals, cell->deviation);
    ig_table_add(out, "%s%s%s",
                 ig_document_figure(text, m->unit, m->decimals, cell->value),
                 spread ? " " : "", spread ? spread : "");
}

ig_status ig_sweep_put_table(const ig_sweep_table *t, size_t done, int format,
                             ig_error *error)
{
    size_t width = ig_terminal_columns(stdout), groups = done / t->seeds;
    ig_table out = {.first = t->axes};
    ig_status status;

    /* No columns of the method's and the seed's axes, but one of the method, and one of
     * their number. */
    for (size_t g = 0; g <= groups; g++) {
        size_t point = g ? (g - 1) * t->seeds : 0;

        ig_table_text(&out, g ? ig_sweep_method(t, point) : "method");
        for (size_t i = 0; i < t->axes; i++)
            if (order_of(t->axis[i]) != METHOD && order_of(t->axis[i]) != SEED)
                ig_table_text(&out, g ? ig_sweep_value(t, point, t->axis[i])
                                      : t->axis[i]->key);
        ig_table_add(&out, g ? "%zu" : "seeds", t->group[point / t->seeds].n);
        for (size_t c = IG_SWEEP_MEASURES; c + 1 < t->columns; c++)
            if (g)
                put_mean(&out, t, g - 1, c);
            else
                ig_table_text(&out, t->column[c].name);
        ig_table_end_row(&out);
    }
    if (format == IG_AS_TABLE)
        puts(t->draw ? "mean over the seeds, 95% interval (t; variance over seeds "
                       "and draws of ids)\n"
                     : "mean over the seeds, standard deviation; --ci has "
                       "intervals\n");
    if (format == IG_AS_TABLE)
        ig_table_print(&out, stdout, width ? width : 80, ig_locale_utf8());
    else
        ig_table_markup(&out, stdout, format == IG_AS_LATEX);
    status = out.arena.failed ? ig_fail_memory(error, "the table") : IG_OK;
    ig_table_free(&out);
    return status;
}
