/* isogloss sweep: trains a grid of runs without a screen, and reports each when it is
 * done. A failed run is reported, and the sweep continues. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress_meter.h"
#include "cli/sweep.h"
#include "core/array.h"
#include "core/file.h"
#include "train/extractor.h"
#include "train/run.h"

/* What a process sends to the root, with the figures. */
typedef struct report {
    ig_status status; /* IG_INTERRUPTED, or IG_OK also for a run that failed */
    ig_sweep_state state;
    size_t dims;
    char messages[4096]; /* one per line */
} report;

/* A dataset that runs are trained or measured on. A zeroed struct may be freed. */
typedef struct dataset {
    ig_dataset *set;
    ig_pairs pairs;
    ig_scores scores;
    ig_subset subset; /* all of it */
} dataset;

typedef struct sweep {
    const ig_options *options;
    ig_sweep_table table;
    size_t done;   /* runs in the table */
    bool failed;   /* one of the runs */
    int format;    /* IG_AS_TABLE … */
    ig_comm *team; /* processes, one run each; NULL: single process */
    report report; /* of the run of this process */

    /* The datasets, and the dims they were opened with. */
    ig_loaded loaded; /* DATA, with the pairs to measure */
    ig_subset whole;  /* all of DATA, with --train */
    dataset train;    /* of --train (set NULL: DATA), and pairs of ids to train on */
    dataset *test;    /* (tests) */
    bool opened;
    size_t dims;
    const char *only;
    ig_names versions; /* of DATA */
} sweep;

/* --- the data --------------------------------------------------------------------- */

static const ig_dataset *trained_on(const sweep *s)
{
    return s->train.set ? s->train.set : s->loaded.set;
}

/* Those of --pairs, or of ids. */
static const ig_pairs *trained_pairs(const sweep *s)
{
    return s->options->pairs && !s->train.set ? &s->loaded.pairs : &s->train.pairs;
}

static void free_dataset(dataset *d)
{
    ig_subset_free(&d->subset);
    ig_scores_free(&d->scores);
    ig_pairs_free(&d->pairs);
    ig_dataset_free(d->set);
    *d = (dataset){0};
}

static void close_data(sweep *s)
{
    for (size_t i = 0; s->test && i < s->options->measure.tests; i++)
        free_dataset(&s->test[i]);
    ig_subset_free(&s->whole);
    free_dataset(&s->train);
    ig_load_free(&s->loaded);
    s->opened = false;
}

/* Pairs of ids of a dataset; without --pairing (NULL) those of all languages or of the
 * pivot, and it can have none. */
static ig_status derive_pairs(ig_pairs *pairs, const ig_dataset *set,
                              const char *pairing, bool all, ig_error *error)
{
    ig_error why;
    ig_status status =
        ig_pairs_derive(pairs, set, pairing || !all ? pairing : "all", &why);

    if (status != IG_VALUE || pairing)
        return status == IG_OK ? IG_OK : ig_fail(error, status, "%s", why.message);
    ig_pairs_free(pairs);
    return IG_OK;
}

static ig_status open_test(sweep *s, const ig_options *options, size_t i,
                           ig_error *error)
{
    dataset *d = &s->test[i];
    const ig_test *test = &options->measure.test[i];
    ig_status status =
        ig_load_other(&d->set, &s->loaded, test->set, test->meta, options, error);

    if (status == IG_OK)
        status = ig_load_scores(&d->scores, d->set, test->scores, options, error);
    if (status == IG_OK)
        status = derive_pairs(&d->pairs, d->set, NULL, true, error);
    return status == IG_OK
               ? ig_subset_take(&d->subset, d->set, &d->pairs, NULL, 0, 0, error)
               : status;
}

/* Open the pairs to measure, as eval has them, and the dataset of --train (DATA is then
 * measured as a whole) and pairs to train on, as train has them. */
static ig_status open_pairs(sweep *s, const ig_options *options, ig_error *error)
{
    ig_loaded *data = &s->loaded;
    ig_status status = options->pairs ? ig_load_given_pairs(data, options, error)
                                      : derive_pairs(&data->pairs, data->set,
                                                     options->pairing, true, error);

    if (status == IG_OK && options->measure.train)
        status = ig_load_other(&s->train.set, data, options->measure.train,
                               options->measure.train_meta, options, error);
    if (status == IG_OK && (!options->pairs || s->train.set))
        status = derive_pairs(&s->train.pairs, trained_on(s), options->pairing, false,
                              error);
    return status == IG_OK && s->train.set
               ? ig_subset_take(&s->whole, data->set, &data->pairs, NULL, 0, 0, error)
               : status;
}

static ig_status add_versions(sweep *s, ig_options *options, ig_error *error)
{
    ig_measure_options *o = &options->measure;
    ig_status status = ig_versions_names(&s->versions, options->word, options->words,
                                         &options->set, error);

    if (status != IG_OK || s->versions.count < 2)
        return status;
    if (o->axes == IG_AXES_MAX)
        return ig_fail(error, IG_USAGE, "a sweep varies at most %d options",
                       IG_AXES_MAX);
    o->axis[o->axes++] = (ig_axis){
        .key = "version", .values = s->versions.count, .value = s->versions.name};
    return IG_OK;
}

static ig_status open_data(sweep *s, const ig_options *options, ig_error *error)
{
    ig_options quiet = *options;
    ig_status status;

    if (s->opened && s->dims == options->set.dims && s->only == options->set.only)
        return IG_OK;
    quiet.quiet |= s->done > 0; /* notes once */
    close_data(s);
    status = ig_load_open(&s->loaded, options, error);
    if (status == IG_OK)
        status = ig_load_check(&s->loaded, &quiet, error);
    if (status == IG_OK)
        status = ig_load_scores(&s->loaded.scores, s->loaded.set,
                                options->measure.scores, options, error);
    if (status == IG_OK)
        status = open_pairs(s, options, error);
    for (size_t i = 0; i < options->measure.tests && status == IG_OK; i++)
        status = open_test(s, options, i, error);
    s->opened = status == IG_OK;
    s->dims = options->set.dims;
    s->only = options->set.only;
    return status;
}

/* --- weights of terms ------------------------------------------------------------- */

/* Set the weight of the terms with that name, or else of that kind ("topology").
 * Returns whether there are any. */
static bool set_weight(ig_objective *o, const char *name, double weight)
{
    bool any = false;

    for (int by_kind = 0; by_kind < 2 && !any; by_kind++)
        for (size_t t = 0; t < o->terms; t++) {
            char kind[IG_TERM_NAME_SIZE];

            ig_term_plain_name(&o->term[t], kind);
            kind[strcspn(kind, " ")] = '\0';
            if (strcmp(by_kind ? kind : o->term[t].name, name) == 0) {
                o->term[t].weight = weight;
                any = true;
            }
        }
    return any;
}

static ig_status fail_term(const ig_objective *o, const char *name, ig_error *error)
{
    char list[IG_ERROR_SIZE] = "";
    size_t used = 0;

    for (size_t t = 0; t < o->terms && used < sizeof list; t++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", t ? ", " : "",
                                 o->term[t].name);
    return ig_fail(error, IG_USAGE, "%s has no term '%s'; its terms: %s", o->name, name,
                   o->terms ? list : "none");
}

/* The objective of a point as text with the weights of the grid, freed with ig_free;
 * NULL if the grid has no weights. */
static ig_status format_objective(const sweep *s, size_t point, char **text,
                                  ig_error *error)
{
    const ig_grid *grid = &s->table.grid;
    bool weights = false;
    ig_builder out = {0};
    ig_objective o;
    ig_status status;

    *text = NULL;
    for (size_t i = 0; i < grid->axes; i++)
        weights |= ig_axis_weight(grid->axis[i]) != NULL;
    if (!weights)
        return IG_OK;
    status = ig_objective_load(&o, ig_grid_method(grid, point), error);
    for (size_t i = 0; i < grid->axes && status == IG_OK; i++) {
        const char *name = ig_axis_weight(grid->axis[i]);

        if (name &&
            !set_weight(&o, name,
                        strtod(ig_grid_value(grid, point, grid->axis[i]), NULL)))
            status = fail_term(&o, name, error);
    }
    if (status == IG_OK) {
        ig_objective_format(&o, &out);
        *text = ig_builder_take(&out);
        status = *text ? IG_OK : ig_fail_memory(error, "an objective");
    }
    ig_objective_free(&o);
    return status;
}

/* Check before training that all methods load, and that each weight has a term in one
 * of the methods. */
static ig_status check_methods(const sweep *s, ig_error *error)
{
    const ig_grid *grid = &s->table.grid;
    const ig_axis *axis = ig_grid_axis(grid, "method");
    size_t methods = axis ? axis->values : 1;
    bool used[IG_AXES_MAX] = {false};
    ig_status status = IG_OK;

    for (size_t m = 0; m < methods && status == IG_OK; m++) {
        ig_objective o;

        status = ig_objective_load(&o, axis ? axis->value[m] : ig_grid_method(grid, 0),
                                   error);
        for (size_t i = 0; i < grid->axes && status == IG_OK; i++) {
            const char *name = ig_axis_weight(grid->axis[i]);

            used[i] |= !name || set_weight(&o, name, 1);
            if (m + 1 == methods && !used[i])
                status = fail_term(&o, name, error);
        }
        ig_objective_free(&o);
    }
    return status;
}

/* --- one run ---------------------------------------------------------------------- */

/* Seed of the draws of measures: that of `eval --run RUN`, whatever seed trained the
 * run. Thus means over the seeds have intervals. */
enum { DRAWS_SEED = 1 };

/* Measure both spaces of a run on dataset `number` (0: DATA, 1 …: --test). */
static ig_status measure_set(const sweep *s, const ig_run *run, size_t number,
                             const dataset *d, ig_sweep_row *row, ig_error *error)
{
    ig_evaluation_spec spec = ig_evaluation_spec_of(
        d->set, &d->subset, d->scores.count ? &d->scores : NULL, DRAWS_SEED);
    ig_rows originals = ig_rows_of_dataset(d->set), rows[IG_SPACES] = {originals};
    const ig_rows *part[IG_SPACES] = {&rows[0], &rows[1], &rows[2]};
    ig_space_rows context[IG_SPACES];
    ig_progress progress = {.stop = ig_interrupt_flag()};
    ig_extractor x = {0};
    size_t unknown;
    ig_status status;

    spec.measures = s->table.measures[number];
    spec.intervals = s->options->measure.ci;
    if (!spec.measures)
        return IG_OK;
    status = ig_extractor_adapt(&x, run->info.extractor, trained_on(s)->language,
                                d->set, d->set->dims, &unknown, error);
    for (int space = IG_SPACE_MEANING; space < IG_SPACES; space++) {
        context[space] = (ig_space_rows){&x, (ig_space)space, &originals, d->set->lang};
        if (status == IG_OK && ig_extractor_serves(&x, (ig_space)space))
            rows[space] = ig_rows_of_space(&context[space]);
    }
    for (int space = IG_SPACE_MEANING; space < IG_SPACES && status == IG_OK; space++) {
        ig_evaluation e = {0};

        if (!ig_extractor_serves(&x, (ig_space)space))
            continue;
        spec.part = space == IG_SPACE_MEANING &&
                            ig_extractor_serves(&x, IG_SPACE_LANGUAGE)
                        ? part
                        : NULL;
        status = ig_evaluation_take(&e, &rows[space], &spec, s->loaded.pool, &progress,
                                    error);
        if (status == IG_OK)
            ig_sweep_keep(&s->table, row, number, (ig_space)space, &e);
        ig_evaluation_free(&e);
    }
    ig_extractor_free(&x);
    return status;
}

/* Measure on DATA: on the held-out ids, or on all rows if there are none or the run was
 * trained on another dataset. */
static ig_status measure_data(const sweep *s, const ig_run *run, ig_sweep_row *row,
                              ig_error *error)
{
    const ig_split *split = &run->split;
    const uint8_t *held = split->valid || split->holdout ? split->held_out : NULL;
    dataset d = {.set = s->loaded.set};
    ig_status status;

    if (s->train.set) {
        d.subset = s->whole;
        d.scores = s->loaded.scores;
        return measure_set(s, run, 0, &d, row, error);
    }
    status = ig_scores_keep(&d.scores, &s->loaded.scores, held, error);
    if (status == IG_OK)
        status = ig_subset_take(&d.subset, d.set, &s->loaded.pairs, held, 0, 0, error);
    if (status == IG_OK)
        status = measure_set(s, run, 0, &d, row, error);
    ig_subset_free(&d.subset);
    ig_scores_free(&d.scores);
    return status;
}

static ig_status measure_run(const sweep *s, ig_run *run, ig_sweep_row *row,
                             ig_error *error)
{
    const ig_run_record *best = ig_run_best(run);
    double *f = row->value;
    ig_status status = measure_data(s, run, row, error);

    for (size_t i = 0; i < s->options->measure.tests && status == IG_OK; i++)
        status = measure_set(s, run, 1 + i, &s->test[i], row, error);
    if (status != IG_OK)
        return status;
    f[IG_SWEEP_EPOCHS] = (double)run->info.records - 1;
    f[IG_SWEEP_BEST] = (double)best->epoch.epoch;
    f[IG_SWEEP_TRAIN_LOSS] = best->epoch.train_loss;
    f[IG_SWEEP_VALID_LOSS] = best->epoch.valid_loss;
    f[s->table.columns - 1] = run->info.seconds;
    return IG_OK;
}

/* Add a message, which the root prints with the run. */
__attribute__((format(printf, 2, 3))) static void add_message(sweep *s,
                                                              const char *format, ...)
{
    size_t used = strlen(s->report.messages), room = sizeof s->report.messages - used;
    va_list list;

    va_start(list, format);
    vsnprintf(s->report.messages + used, room, format, list);
    va_end(list);
    used = strlen(s->report.messages);
    snprintf(s->report.messages + used, sizeof s->report.messages - used, "\n");
}

static ig_status reserve_directory(const sweep *s, const char *name, ig_dir *dir,
                                   ig_error *error)
{
    char *path = s->options->out ? ig_path_join(s->options->out, name) : NULL;
    ig_status status = IG_OK;

    if (path)
        status = ig_run_path_open(dir, path, &ig_run_dir, NULL, error);
    else if (s->options->out)
        status = ig_fail_memory(error, "the name of a run");
    ig_free(path);
    return status;
}

static ig_status save_run(sweep *s, const ig_run *run, const char *name, ig_dir *dir,
                          ig_error *error)
{
    char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE];
    size_t notes = s->options->quiet ? 0 : ig_run_notes(run, note);
    ig_status status = dir->path ? ig_run_write_into(run, dir, error) : IG_OK;

    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < notes; i++)
        add_message(s, "note: %s: %s", name, note[i]);
    return IG_OK;
}

static ig_status begin_run(sweep *s, size_t point, ig_run **run, ig_error *error)
{
    ig_run_setup setup;
    ig_options options;
    char *text = NULL;
    ig_status status;

    ig_grid_options(&s->table.grid, point, &options);
    status = open_data(s, &options, error);
    if (status == IG_OK)
        status = format_objective(s, point, &text, error);
    setup = (ig_run_setup){.set = trained_on(s),
                           .pairs = trained_pairs(s),
                           .method = ig_grid_method(&s->table.grid, point),
                           .text = text,
                           .options = options.train,
                           .pairing = options.pairs && !s->train.set ? "file"
                                                                     : options.pairing,
                           .init = options.init,
                           .pool = s->loaded.pool};
    if (status == IG_OK)
        status = ig_run_new(run, &setup, error);
    ig_free(text);
    return status;
}

/* "2/6 seed-s1" */
enum { LABEL = IG_GRID_NAME_SIZE + 48 };

static void label_point(const sweep *s, size_t point, char label[LABEL])
{
    char name[IG_GRID_NAME_SIZE];

    snprintf(label, LABEL, "%zu/%zu %s", point + 1, s->table.grid.points,
             ig_grid_name(&s->table.grid, point, name));
}

static void clear_row(const sweep *s, ig_sweep_row *row)
{
    size_t width = s->table.columns;

    for (size_t f = 0; f < width; f++)
        row->value[f] = NAN;
    for (size_t f = 0; row->interval && f < width; f++)
        row->interval[f] = IG_NO_INTERVAL;
    for (size_t i = 0; row->draw && i < width * IG_DRAWS; i++)
        row->draw[i] = NAN;
}

static ig_status run_point(sweep *s, size_t point, const char *name, ig_error *error)
{
    ig_sweep_row *row = &s->table.row[point];
    ig_run *run = NULL;
    ig_dir dir = {0};
    char label[LABEL];
    ig_status status = reserve_directory(s, name, &dir, error);

    label_point(s, point, label);
    if (status == IG_OK)
        status = begin_run(s, point, &run, error);
    if (s->opened)
        row->dims = trained_on(s)->dims;
    if (status == IG_OK)
        status = ig_train_loop(run, label, s->options->quiet, NULL, NULL, error);
    if (status == IG_OK)
        status = measure_run(s, run, row, error);
    if (status == IG_OK)
        status = save_run(s, run, name, &dir, error);
    ig_dir_close(&dir);
    ig_run_delete(run);
    return status;
}

/* Run a point into its row and this process's report. */
static void run_reported(sweep *s, size_t point)
{
    ig_sweep_row *row = &s->table.row[point];
    char name[IG_GRID_NAME_SIZE];
    ig_error error;
    ig_status status;

    s->report = (report){0};
    clear_row(s, row);
    ig_grid_name(&s->table.grid, point, name);
    status = ig_interrupted() ? IG_INTERRUPTED : run_point(s, point, name, &error);
    if (status == IG_INTERRUPTED) {
        s->report.status = status;
    } else if (status != IG_OK) {
        add_message(s, "%s: %s", name, error.message);
        s->report.state = isnan(row->value[IG_SWEEP_EPOCHS]) ? IG_SWEEP_FAILED
                                                             : IG_SWEEP_UNWRITTEN;
    }
    s->report.dims = row->dims;
}

/* --- all runs --------------------------------------------------------------------- */

static ig_status record_point(sweep *s, size_t point, ig_status before)
{
    const ig_grid *grid = &s->table.grid;
    ig_sweep_row *row = &s->table.row[point];
    const double *f = row->value;
    char label[LABEL];

    for (char *rest = s->report.messages, *line; (line = strtok_r(rest, "\n", &rest));)
        ig_complain("%s", line);
    if (before != IG_OK || s->report.status != IG_OK)
        return before != IG_OK ? before : s->report.status;
    row->state = s->report.state;
    row->dims = s->report.dims;
    s->failed |= row->state != IG_SWEEP_OK;
    s->done = point + 1;
    if (s->done % grid->seeds == 0)
        ig_sweep_take_means(&s->table, s->done - grid->seeds);
    label_point(s, point, label);
    if (!s->options->quiet && row->state == IG_SWEEP_OK)
        fprintf(stderr, "%s  epoch %.0f of %.0f  %.1f s\n", label, f[IG_SWEEP_BEST],
                f[IG_SWEEP_EPOCHS], f[s->table.columns - 1]);
    if (s->format == IG_AS_CSV) {
        ig_sweep_put_point(&s->table, point);
        fflush(stdout);
    }
    return IG_OK;
}

/* Send a report and its row to the root, or (from > 0) receive them there. */
static void transfer_point(sweep *s, size_t point, size_t from)
{
    ig_sweep_row *row = &s->table.row[point];
    size_t width = s->table.columns;
    struct {
        void *bytes;
        size_t size;
    } part[] = {{&s->report, sizeof s->report},
                {row->value, width * sizeof *row->value},
                {row->interval, row->interval ? width * sizeof *row->interval : 0},
                {row->draw, row->draw ? width * IG_DRAWS * sizeof *row->draw : 0}};

    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (from == 0)
            ig_comm_send(s->team, 0, part[i].bytes, part[i].size);
        else
            ig_comm_receive(s->team, from, part[i].bytes, part[i].size);
}

/* One run per process, from point `first`; the root records them in order. */
static ig_status run_round(sweep *s, size_t first)
{
    size_t rank = ig_comm_process(s->team), points = s->table.grid.points;
    ig_status status = IG_OK;

    if (first + rank < points)
        run_reported(s, first + rank);
    if (rank > 0 && first + rank < points)
        transfer_point(s, first + rank, 0);
    for (size_t r = 0;
         rank == 0 && r < ig_comm_processes(s->team) && first + r < points; r++) {
        if (r > 0)
            transfer_point(s, first + r, r);
        status = record_point(s, first + r, status);
    }
    if (rank > 0 && first + rank < points)
        status = s->report.status;
    return ig_comm_any(s->team, status != IG_OK) && status == IG_OK ? IG_INTERRUPTED
                                                                    : status;
}

static int run_all(sweep *s)
{
    const ig_options *options = s->options;
    ig_status status = IG_OK, printed = IG_OK;
    ig_error error;

    ig_interrupt_catch(IG_INTERRUPT_WRITES);
    if (s->format == IG_AS_CSV) {
        ig_sweep_put_header(&s->table);
        fflush(stdout);
    }
    for (size_t i = 0; i < s->table.grid.points && status == IG_OK;
         i += ig_comm_processes(s->team))
        status = ig_comm_any(s->team, ferror(stdout))
                     ? IG_IO /* reported when stdout is closed */
                     : run_round(s, i);
    if (status == IG_INTERRUPTED && !options->quiet)
        ig_complain("interrupted; %zu of %zu runs are done", s->done,
                    s->table.grid.points);
    if (s->format == IG_AS_JSON)
        ig_sweep_put_json(&s->table, s->done);
    else if (s->format != IG_AS_CSV && ig_comm_process(s->team) == 0)
        printed = ig_sweep_put_tables(&s->table, s->done, s->format, &error);
    if (printed != IG_OK)
        return ig_fail_exit(&error);
    if (status != IG_OK)
        return status == IG_INTERRUPTED ? IG_EXIT_INTERRUPTED : IG_EXIT_FAILED;
    return s->failed ? IG_EXIT_FAILED : IG_EXIT_OK;
}

/* Report errors that would fail every run. */
static ig_status prepare(sweep *s, ig_error *error)
{
    ig_options first;
    ig_status status = ig_sweep_table_init(&s->table, s->options, error);
    char *inside = s->options->out ? ig_path_join(s->options->out, "run") : NULL;

    if (status == IG_OK)
        status = check_methods(s, error);
    s->test = ig_alloc(s->options->measure.tests, sizeof *s->test);
    if (status == IG_OK && !s->test)
        status = ig_fail_memory(error, "the datasets of --test");
    if (status == IG_OK && inside)
        status = ig_run_path_parents(inside, error);
    ig_free(inside);
    if (status != IG_OK)
        return status;
    ig_grid_options(&s->table.grid, 0, &first);
    status = open_data(s, &first, error);
    return status == IG_VALUE && ig_grid_axis(&s->table.grid, "dims")
               ? IG_OK /* other dims can work */
               : status;
}

int ig_sweep_command(const ig_options *given)
{
    ig_options options = *given;
    sweep s = {.options = &options, .team = given->team};
    ig_error error;
    int code;

    s.format = given->json                         ? IG_AS_JSON
               : given->measure.format != IG_UNSET ? given->measure.format
               : ig_terminal_columns(stdout)       ? IG_AS_TABLE
                                                   : IG_AS_CSV;
    if (given->json && given->measure.format != IG_UNSET &&
        given->measure.format != IG_AS_JSON) {
        ig_complain("--json cannot be combined with another --format");
        return IG_EXIT_USAGE;
    }
    if (options.measure.train_meta && !options.measure.train) {
        ig_complain("--train-meta FILE needs --train SET");
        return IG_EXIT_USAGE;
    }
    options.team = NULL; /* each process has its own datasets and runs */
    code = add_versions(&s, &options, &error) == IG_OK && prepare(&s, &error) == IG_OK
               ? run_all(&s)
               : ig_fail_exit(&error);
    close_data(&s);
    ig_free(s.test);
    ig_sweep_table_free(&s.table);
    ig_names_free(&s.versions);
    return code;
}
