/* isogloss sweep: trains a grid of runs without a screen, and reports each when it is
 * done. A failed run is reported, and the sweep continues. */
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
#include "core/text.h"
#include "report/document.h"
#include "train/extractor.h"
#include "train/run.h"

/* A dataset that runs are trained or measured on. A zeroed struct may be freed. */
typedef struct dataset {
    ig_dataset *set;
    ig_pairs pairs;
    ig_scores scores;
} dataset;

typedef struct sweep {
    const ig_options *options;
    ig_sweep_table table;
    size_t done; /* runs in the table */
    bool failed; /* one of the runs */
    int format;  /* IG_AS_TABLE … */

    /* Processes, one run each; NULL: single process. What one sends with the row of its
     * run: IG_INTERRUPTED, or IG_OK also for a run that failed, and messages, one a
     * line. */
    ig_comm *team;
    struct report {
        ig_status status;
        char messages[4096];
    } report;

    /* The datasets, and the options they were opened with. */
    ig_loaded loaded; /* DATA, with the pairs to measure */
    dataset train;    /* of --train (set NULL: DATA), and pairs of ids to train on */
    dataset *test;    /* (tests) */
    bool opened;
    size_t dims;
    const char *only;
} sweep;

/* --- the data --------------------------------------------------------------------- */

static const ig_dataset *trained_on(const sweep *s)
{
    return s->train.set ? s->train.set : s->loaded.set;
}

static void free_dataset(dataset *d)
{
    ig_scores_free(&d->scores);
    ig_pairs_free(&d->pairs);
    ig_dataset_free(d->set);
    *d = (dataset){0};
}

static void close_data(sweep *s)
{
    for (size_t i = 0; s->test && i < s->options->measure.tests; i++)
        free_dataset(&s->test[i]);
    free_dataset(&s->train);
    ig_load_free(&s->loaded);
    s->opened = false;
}

/* Pairs of ids; without a pairing of the options, there can be none. */
static ig_status derive_pairs(ig_pairs *pairs, const ig_dataset *set,
                              const char *pairing, const char *usual, ig_error *error)
{
    ig_status status = ig_pairs_derive(pairs, set, pairing ? pairing : usual, error);

    if (status != IG_VALUE || pairing)
        return status;
    ig_pairs_free(pairs);
    return IG_OK;
}

/* Open DATA with pairs to measure, as eval has them, the dataset of --train with pairs
 * to train on, as train has them, and those of --test. */
static ig_status open_data(sweep *s, const ig_options *options, ig_error *error)
{
    const ig_measure_options *o = &options->measure;
    ig_loaded *data = &s->loaded;
    ig_options quiet = *options;
    ig_error none;
    ig_status status;

    if (s->opened && s->dims == options->set.dims && s->only == options->set.only)
        return IG_OK;
    quiet.quiet |= s->done > 0; /* notes once */
    close_data(s);
    status = ig_load_open(data, options, error);
    if (status == IG_OK)
        status = ig_load_check(data, &quiet, error);
    if (status == IG_OK)
        status = ig_load_scores(&data->scores, data->set, o->scores, options, error);
    if (status == IG_OK)
        status = ig_load_pairs(data, options, "all", &none, error);
    if (status == IG_OK && o->train)
        status =
            ig_load_other(&s->train.set, data, o->train, o->train_meta, options, error);
    if (status == IG_OK && (!options->pairs || s->train.set))
        status =
            derive_pairs(&s->train.pairs, trained_on(s), options->pairing, NULL, error);
    for (size_t i = 0; i < o->tests && status == IG_OK; i++) {
        const ig_test *test = &o->test[i];
        dataset *d = &s->test[i];

        status = ig_load_other(&d->set, data, test->set, test->meta, options, error);
        if (status == IG_OK)
            status = ig_load_scores(&d->scores, d->set, test->scores, options, error);
        if (status == IG_OK)
            status = derive_pairs(&d->pairs, d->set, NULL, "all", error);
    }
    s->opened = status == IG_OK;
    s->dims = options->set.dims;
    s->only = options->set.only;
    return status;
}

/* --- one run ---------------------------------------------------------------------- */

/* Set the weight of the terms with that name, or else of that kind ("topology"). */
static ig_status set_weight(ig_objective *o, const char *name, const char *value,
                            ig_error *error)
{
    char list[IG_ERROR_SIZE] = "";
    size_t set = 0;

    for (int by_kind = 0; by_kind < 2 && !set; by_kind++)
        for (size_t t = 0; t < o->terms; t++) {
            ig_term *term = &o->term[t];

            if (strcmp(by_kind ? term->kind->name : term->name, name) != 0)
                continue;
            term->weight = strtod(value, NULL);
            set++;
        }
    for (size_t t = 0; t < o->terms; t++)
        ig_text_append(list, sizeof list, "%s%s", t ? ", " : "", o->term[t].name);
    return set ? IG_OK
               : ig_fail(error, IG_USAGE, "%s has no term '%s'; its terms: %s", o->name,
                         name, o->terms ? list : "none");
}

/* The objective of a point as text with the weights of the grid, to be released with
 * ig_free; NULL if the grid has no weights. */
static ig_status format_objective(const sweep *s, size_t point, char **text,
                                  ig_error *error)
{
    const ig_sweep_table *t = &s->table;
    bool weighted = false;
    ig_builder out = {0};
    ig_objective o;
    ig_status status = ig_objective_load(&o, ig_sweep_method(t, point), error);

    *text = NULL;
    for (size_t i = 0; i < t->axes && status == IG_OK; i++) {
        const char *name = ig_axis_weight(t->axis[i]);

        weighted |= name != NULL;
        if (name)
            status = set_weight(&o, name, ig_sweep_value(t, point, t->axis[i]), error);
    }
    if (status == IG_OK && weighted) {
        ig_objective_format(&o, &out);
        *text = ig_builder_take(&out);
        status = *text ? IG_OK : ig_fail_memory(error, "an objective");
    }
    ig_objective_free(&o);
    return status;
}

static ig_status train_run(sweep *s, size_t point, const char *name, ig_run **run,
                           ig_error *error)
{
    char label[IG_SWEEP_NAME_SIZE + 48]; /* "2/6 seed-s1" */
    ig_run_setup setup;
    ig_options options;
    bool given;
    char *text = NULL;
    ig_status status;

    ig_sweep_options(&s->table, point, &options);
    status = open_data(s, &options, error);
    if (status != IG_OK)
        return status;
    s->table.run[point].dims = trained_on(s)->dims;
    given = options.pairs && !s->train.set;
    status = format_objective(s, point, &text, error);
    setup = (ig_run_setup){.set = trained_on(s),
                           .pairs = given ? &s->loaded.pairs : &s->train.pairs,
                           .method = ig_sweep_method(&s->table, point),
                           .text = text,
                           .options = options.train,
                           .pairing = given ? "file" : options.pairing,
                           .init = options.init,
                           .pool = s->loaded.pool};
    if (status == IG_OK)
        status = ig_run_new(run, &setup, error);
    ig_free(text);
    snprintf(label, sizeof label, "%zu/%zu %s", point + 1, s->table.points, name);
    return status == IG_OK
               ? ig_train_loop(*run, label, s->options->quiet, NULL, NULL, error)
               : status;
}

/* Seed of the draws of measures: that of `eval --run RUN`, whatever seed trained the
 * run. Thus means over the seeds have intervals. */
enum { DRAWS_SEED = 1 };

/* Measure both spaces of a run on a dataset. `number` 0: DATA, on the held-out ids, or
 * on all rows if there are none or the run was trained on another dataset; 1 …: all of
 * a --test. */
static ig_status measure_set(const sweep *s, const ig_run *run, size_t point,
                             size_t number, ig_error *error)
{
    const dataset data = {s->loaded.set, s->loaded.pairs, s->loaded.scores};
    const dataset *d = number ? &s->test[number - 1] : &data;
    const ig_split *split = &run->split;
    bool part = !number && !s->train.set && (split->valid || split->holdout);
    ig_progress progress = {.stop = ig_interrupt_flag()};
    ig_rows originals = ig_rows_of_dataset(d->set);
    ig_measured spaces;
    ig_evaluation_spec spec;
    ig_subset subset = {0};
    ig_extractor x = {0};
    size_t unknown;
    ig_status status = ig_subset_take(&subset, d->set, &d->pairs, &d->scores,
                                      part ? split->held_out : NULL,
                                      (ig_subset_limits){0}, 0, error);

    if (status == IG_OK)
        status = ig_extractor_adapt(&x, run->info.extractor, trained_on(s)->language,
                                    d->set, d->set->dims, &unknown, error);
    if (status == IG_OK)
        ig_measured_open(&spaces, &x, d->set, &originals);
    spec = ig_evaluation_spec_of(d->set, &subset, DRAWS_SEED);
    spec.measures = s->table.measures[number];
    spec.intervals = s->options->measure.ci;
    if (!subset.scores.count)
        spec.scores = NULL;
    for (int space = IG_SPACE_MEANING;
         space < IG_SPACES && status == IG_OK && spec.measures; space++) {
        ig_evaluation e = {0};

        if (!ig_extractor_serves(&x, (ig_space)space))
            continue;
        spec.part = space == IG_SPACE_MEANING ? spaces.part : NULL;
        status = ig_evaluation_take(&e, &spaces.rows[space], &spec, s->loaded.pool,
                                    &progress, error);
        if (status == IG_OK)
            ig_sweep_keep(&s->table, point, number, (ig_space)space, &e);
        ig_evaluation_free(&e);
    }
    ig_extractor_free(&x);
    ig_subset_free(&subset);
    return status;
}

static ig_status measure_run(const sweep *s, const ig_run *run, size_t point,
                             ig_error *error)
{
    const ig_run_record *best = ig_run_best(run);
    ig_sweep_cell *cell = s->table.run[point].cell;
    ig_status status = IG_OK;

    for (size_t i = 0; i <= s->options->measure.tests && status == IG_OK; i++)
        status = measure_set(s, run, point, i, error);
    if (status != IG_OK)
        return status;
    cell[IG_SWEEP_EPOCHS].value = (double)run->info.records - 1;
    cell[IG_SWEEP_BEST].value = (double)best->epoch.epoch;
    cell[IG_SWEEP_TRAIN_LOSS].value = best->epoch.train_loss;
    cell[IG_SWEEP_VALID_LOSS].value = best->epoch.valid_loss;
    cell[s->table.columns - 1].value = run->info.seconds;
    return IG_OK;
}

/* Train, measure and save a point into its row and this process's report. */
static void run_point(sweep *s, size_t point)
{
    const char *out = s->options->out;
    char name[IG_SWEEP_NAME_SIZE], note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE];
    char *path = NULL, *messages = s->report.messages;
    ig_run *run = NULL;
    ig_dir dir = {0};
    ig_error error;
    ig_status status = ig_interrupted() ? IG_INTERRUPTED : IG_OK;

    s->report = (struct report){0};
    ig_sweep_name(&s->table, point, name);
    path = out ? ig_path_join(out, name) : NULL;
    if (out && !path)
        status = ig_fail_memory(&error, "the name of a run");
    if (status == IG_OK && path)
        status = ig_run_path_open(&dir, path, &ig_run_dir, NULL, &error);
    if (status == IG_OK)
        status = train_run(s, point, name, &run, &error);
    if (status == IG_OK)
        status = measure_run(s, run, point, &error);
    if (status == IG_OK && path)
        status = ig_run_write_into(run, &dir, &error);
    if (status == IG_OK && !s->options->quiet)
        for (size_t i = 0, notes = ig_run_notes(run, note); i < notes; i++)
            ig_text_append(messages, sizeof s->report.messages, "note: %s: %s\n", name,
                           note[i]);
    if (status == IG_INTERRUPTED)
        s->report.status = status;
    else if (status != IG_OK)
        ig_text_append(messages, sizeof s->report.messages, "%s: %s\n", name,
                       error.message);
    s->table.run[point].failed = status != IG_OK;
    ig_dir_close(&dir);
    ig_run_delete(run);
    ig_free(path);
}

/* --- all runs --------------------------------------------------------------------- */

/* Put a run into the table and print it, with the messages of its process. */
static ig_status record_point(sweep *s, size_t point)
{
    const ig_sweep_row *row = &s->table.run[point];
    char name[IG_SWEEP_NAME_SIZE];

    for (char *rest = s->report.messages, *line; (line = strtok_r(rest, "\n", &rest));)
        ig_complain("%s", line);
    if (s->report.status != IG_OK)
        return s->report.status;
    s->failed |= row->failed;
    s->done = point + 1;
    if (s->done % s->table.seeds == 0)
        ig_sweep_take_means(&s->table, s->done - s->table.seeds);
    if (!s->options->quiet && !row->failed)
        fprintf(stderr, "%zu/%zu %s  epoch %.0f of %.0f  %.1f s\n", s->done,
                s->table.points, ig_sweep_name(&s->table, point, name),
                row->cell[IG_SWEEP_BEST].value, row->cell[IG_SWEEP_EPOCHS].value,
                row->cell[s->table.columns - 1].value);
    if (s->format == IG_AS_CSV) {
        ig_sweep_put_line(&s->table, point, false);
        fflush(stdout);
    }
    return IG_OK;
}

/* One run per process, from point `first`; all record them in order, each copied from
 * the process that made it, and the root alone prints (cli/ranks.c). */
static ig_status run_round(sweep *s, size_t first)
{
    size_t own = first + ig_comm_process(s->team), width = s->table.columns;
    struct report report;
    ig_status status = IG_OK;

    if (own < s->table.points)
        run_point(s, own);
    report = s->report;
    for (size_t r = 0; r < ig_comm_processes(s->team) && first + r < s->table.points;
         r++) {
        ig_sweep_row *row = &s->table.run[first + r];
        float *draw = ig_sweep_draws(&s->table, first + r);

        if (first + r == own)
            s->report = report;
        ig_comm_broadcast(s->team, r, &s->report, sizeof s->report);
        ig_comm_broadcast(s->team, r, &row->failed, sizeof row->failed);
        ig_comm_broadcast(s->team, r, &row->dims, sizeof row->dims);
        ig_comm_broadcast(s->team, r, row->cell, width * sizeof *row->cell);
        if (draw)
            ig_comm_broadcast(s->team, r, draw, width * IG_DRAWS * sizeof *draw);
        if (status == IG_OK)
            status = record_point(s, first + r);
    }
    return status;
}

static int run_all(sweep *s)
{
    size_t points = s->table.points;
    ig_status status = IG_OK, printed = IG_OK;
    ig_error error;

    ig_interrupt_catch(IG_INTERRUPT_WRITES);
    if (s->format == IG_AS_CSV) {
        ig_sweep_put_line(&s->table, 0, true);
        fflush(stdout);
    }
    for (size_t i = 0; i < points && status == IG_OK; i += ig_comm_processes(s->team))
        status = ig_comm_any(s->team, ferror(stdout))
                     ? IG_IO /* reported when stdout is closed */
                     : run_round(s, i);
    if (status == IG_INTERRUPTED && !s->options->quiet)
        ig_complain("interrupted; %zu of %zu runs are done", s->done, points);
    if (s->format == IG_AS_JSON)
        ig_sweep_put_json(&s->table, s->done);
    else if (s->format != IG_AS_CSV && ig_comm_is_root(s->team))
        printed = ig_sweep_put_table(&s->table, s->done, s->format, &error);
    if (printed != IG_OK)
        return ig_fail_exit(&error);
    if (status == IG_INTERRUPTED)
        return IG_EXIT_INTERRUPTED;
    return status != IG_OK || s->failed ? IG_EXIT_FAILED : IG_EXIT_OK;
}

/* Make the table, with the versions of DATA as an axis if there are several; report
 * errors that would fail every run. */
static ig_status prepare(sweep *s, ig_options *options, const ig_names *versions,
                         ig_error *error)
{
    ig_measure_options *o = &options->measure;
    char *inside = options->out ? ig_path_join(options->out, "run") : NULL, *text;
    ig_options first;
    ig_status status = IG_OK;

    if (versions->count > 1 && o->axes == IG_AXES_MAX)
        status =
            ig_fail(error, IG_USAGE, "a sweep varies at most %d options", IG_AXES_MAX);
    else if (versions->count > 1)
        o->axis[o->axes++] = (ig_axis){
            .key = "version", .values = versions->count, .value = versions->name};
    if (status == IG_OK)
        status = ig_sweep_table_init(&s->table, options, error);
    for (size_t i = 0; status == IG_OK && i < s->table.points; i += s->table.seeds) {
        status = format_objective(s, i, &text, error);
        ig_free(text);
    }
    s->test = ig_alloc(o->tests, sizeof *s->test);
    if (status == IG_OK && (!s->test || (options->out && !inside)))
        status = ig_fail_memory(error, "the datasets of --test");
    if (status == IG_OK && inside)
        status = ig_run_path_parents(inside, error);
    ig_free(inside);
    if (status != IG_OK)
        return status;
    ig_sweep_options(&s->table, 0, &first);
    status = open_data(s, &first, error);
    return status == IG_VALUE && s->table.dims ? IG_OK /* others can work */ : status;
}

int ig_sweep_command(const ig_options *given)
{
    ig_options options = *given;
    sweep s = {.options = &options, .team = given->team};
    ig_names versions = {0};
    ig_error error;
    ig_status status;
    int code;

    s.format = given->measure.format != IG_UNSET ? given->measure.format
               : ig_terminal_columns(stdout)     ? IG_AS_TABLE
                                                 : IG_AS_CSV;
    options.team = NULL; /* each process has its own datasets and runs */
    status =
        ig_versions_names(&versions, options.word, options.words, &options.set, &error);
    if (status == IG_OK)
        status = prepare(&s, &options, &versions, &error);
    code = status == IG_OK ? run_all(&s) : ig_fail_exit(&error);
    close_data(&s);
    ig_free(s.test);
    ig_arena_free(&s.table.arena);
    ig_names_free(&versions);
    return code;
}
