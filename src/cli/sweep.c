/* isogloss sweep: a grid of runs without a screen, each told when it is done. A run
 * that fails is told too, and the sweep goes on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/grid.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/run_path.h"
#include "cli/sweep_table.h"
#include "measure/evaluation.h"
#include "runs/run.h"
#include "runs/run_directory.h"

static const char DEFAULT_METHOD[] = "seed";

typedef struct sweep {
    const ig_options *options;
    ig_grid grid;
    ig_sweep_row *row; /* (points) */
    size_t done;       /* of them */
    bool failed;       /* one of them */

    ig_loaded loaded; /* the set, for the dims that it was opened with */
    bool opened;
    size_t dims; /* as asked for */
} sweep;

static const char *method_at(const sweep *s, size_t point)
{
    const ig_axis *axis = ig_grid_axis(&s->grid, "method");

    if (axis)
        return ig_grid_value(&s->grid, point, axis);
    return s->options->method ? s->options->method : DEFAULT_METHOD;
}

/* --- the data --------------------------------------------------------------------- */

/* The set with the dims of a point. */
static ig_status open_data(sweep *s, const ig_options *options, ig_error *error)
{
    ig_options quiet = *options;
    ig_status status;

    if (s->opened && s->dims == options->set.dims)
        return IG_OK;
    quiet.quiet |= s->done > 0; /* what is worth knowing has been said */
    ig_load_free(&s->loaded);
    s->opened = false;
    status = ig_load_open(&s->loaded, options, error);
    if (status == IG_OK)
        status = ig_load_check(&s->loaded, &quiet, error);
    if (status == IG_OK)
        status = ig_load_pairs(&s->loaded, options, true, error);
    s->opened = status == IG_OK;
    s->dims = options->set.dims;
    return status;
}

/* --- the objective ------------------------------------------------------------------
 * */

/* Give the terms of that name a weight, or else all of that kind ("topology"); how many
 * there are. */
static size_t set_weight(ig_objective *o, const char *name, double weight)
{
    char plain[IG_TERM_NAME_SIZE];
    size_t named = 0, of_kind = 0;

    for (size_t t = 0; t < o->terms; t++)
        if (strcmp(o->term[t].name, name) == 0) {
            o->term[t].weight = weight;
            named++;
        }
    for (size_t t = 0; t < o->terms && !named; t++) {
        ig_term_plain_name(&o->term[t], plain);
        plain[strcspn(plain, " ")] = '\0';
        if (strcmp(plain, name) == 0) {
            o->term[t].weight = weight;
            of_kind++;
        }
    }
    return named + of_kind;
}

static ig_status no_term(const ig_objective *o, const char *name, ig_error *error)
{
    char list[IG_ERROR_SIZE] = "";
    size_t used = 0;

    for (size_t t = 0; t < o->terms && used < sizeof list; t++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", t ? ", " : "",
                                 o->term[t].name);
    return ig_fail(error, IG_USAGE, "%s has no term '%s'; its terms: %s", o->name, name,
                   o->terms ? list : "none");
}

static bool has_weights(const sweep *s)
{
    for (size_t i = 0; i < s->grid.axes; i++)
        if (ig_axis_weight(s->grid.axis[i]))
            return true;
    return false;
}

/* The objective of a point as text with its weights, to be released with ig_free; NULL
 * when they are the method's own. */
static ig_status weigh(const sweep *s, size_t point, char **text, ig_error *error)
{
    ig_objective o;
    ig_builder out = {0};
    ig_status status = IG_OK;

    *text = NULL;
    if (!has_weights(s))
        return IG_OK;
    status = ig_objective_load(&o, method_at(s, point), error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < s->grid.axes && status == IG_OK; i++) {
        const ig_axis *axis = s->grid.axis[i];
        const char *name = ig_axis_weight(axis);

        if (name &&
            !set_weight(&o, name, strtod(ig_grid_value(&s->grid, point, axis), NULL)))
            status = no_term(&o, name, error);
    }
    if (status == IG_OK) {
        ig_objective_format(&o, &out);
        *text = ig_builder_take(&out);
        if (!*text)
            status = ig_fail_memory(error, "an objective");
    }
    ig_objective_free(&o);
    return status;
}

/* Look at every method, and for every weight at whether one of them has its term,
 * before hours are spent. */
static ig_status check_methods(const sweep *s, ig_error *error)
{
    const ig_axis *axis = ig_grid_axis(&s->grid, "method");
    size_t methods = axis ? axis->values : 1;
    bool served[IG_AXES_MAX] = {false};

    for (size_t m = 0; m < methods; m++) {
        ig_objective o;
        ig_status status =
            ig_objective_load(&o, axis ? axis->value[m] : method_at(s, 0), error);

        if (status != IG_OK)
            return status;
        for (size_t i = 0; i < s->grid.axes; i++) {
            const char *name = ig_axis_weight(s->grid.axis[i]);

            served[i] |= !name || set_weight(&o, name, 1);
            if (m + 1 == methods && !served[i] && status == IG_OK)
                status = no_term(&o, name, error);
        }
        ig_objective_free(&o);
        if (status != IG_OK)
            return status;
    }
    return IG_OK;
}

/* --- one run ---------------------------------------------------------------------- */

/* Mean top-1 over the ordered language pairs of the held-out pairs, or of the training
 * pairs where none are held out, as `eval` has it; NaN where there is nothing to
 * retrieve. */
static ig_status retrieve(const sweep *s, const ig_run *run, ig_space space,
                          double *top1, ig_error *error)
{
    const ig_set *set = s->loaded.set;
    const ig_extractor *x = ig_trainer_best(run->trainer, NULL);
    bool valid = run->split.valid > 0;
    size_t n = valid ? run->split.valid : run->split.train;
    const uint32_t *pair = valid ? run->split.valid_pair : run->split.train_pair;
    ig_space_rows context = {x, space, &s->loaded.originals, set->lang};
    ig_rows rows = ig_rows_of_space(&context);
    ig_evaluation found = {0};
    uint32_t *left, *right;
    ig_status status = IG_OK;

    *top1 = NAN;
    if (n == 0 || !ig_extractor_serves(x, space))
        return IG_OK;
    left = ig_alloc(2 * n, sizeof *left);
    if (!left)
        return ig_fail_memory(error, "the pairs to retrieve");
    right = left + n;
    for (size_t i = 0; i < n; i++) {
        left[i] = s->loaded.pairs.left[pair[i]];
        right[i] = s->loaded.pairs.right[pair[i]];
    }
    status = ig_evaluation_take(&found, &rows,
                                &(ig_subject){.measures = IG_MEASURE_RETRIEVAL,
                                              .pairs = {.lang = set->lang,
                                                        .languages = set->languages,
                                                        .left = left,
                                                        .right = right,
                                                        .pairs = n}},
                                s->loaded.pool, NULL, error);
    if (status == IG_OK)
        *top1 = found.retrieval.mean.top1;
    ig_evaluation_free(&found);
    ig_free(left);
    return status;
}

static ig_status measure(const sweep *s, ig_run *run, ig_sweep_row *row,
                         ig_error *error)
{
    const ig_run_record *best = ig_run_best(run);
    double *f = row->figure, meaning, language;
    ig_status status = retrieve(s, run, IG_SPACE_MEANING, &meaning, error);

    if (status == IG_OK)
        status = retrieve(s, run, IG_SPACE_LANGUAGE, &language, error);
    if (status == IG_OK)
        status = ig_run_finish(run, NULL, error);
    if (status != IG_OK)
        return status;
    f[IG_SWEEP_EPOCHS] = (double)run->records - 1;
    f[IG_SWEEP_BEST] = (double)best->epoch.epoch;
    f[IG_SWEEP_TRAIN_LOSS] = best->epoch.train_loss;
    f[IG_SWEEP_VALID_LOSS] = best->epoch.valid_loss;
    f[IG_SWEEP_ALIGNMENT] = run->final[IG_SPACE_MEANING].alignment;
    f[IG_SWEEP_UNIFORMITY] = run->final[IG_SPACE_MEANING].uniformity;
    f[IG_SWEEP_MEANING] = meaning;
    f[IG_SWEEP_LANGUAGE] = language;
    f[IG_SWEEP_SECONDS] = run->seconds;
    return IG_OK;
}

static ig_status keep(const sweep *s, const ig_run *run, const char *name,
                      ig_error *error)
{
    char *path;
    ig_status status;

    if (!s->options->out)
        return IG_OK;
    path = ig_path_join(s->options->out, name);
    status = path ? ig_run_write(run, path, error)
                  : ig_fail_memory(error, "the name of a run");
    ig_free(path);
    return status;
}

static ig_status run_point(sweep *s, size_t point, const char *name, const char *label,
                           ig_sweep_row *row, ig_error *error)
{
    ig_options options;
    ig_run *run = NULL;
    char *text = NULL;
    ig_status status;

    ig_grid_options(&s->grid, point, &options);
    status = open_data(s, &options, error);
    if (status == IG_OK)
        row->dims = s->loaded.set->dims;
    if (status == IG_OK)
        status = weigh(s, point, &text, error);
    if (status == IG_OK) {
        ig_run_setup setup = {.set = s->loaded.set,
                              .pairs = &s->loaded.pairs,
                              .method = method_at(s, point),
                              .text = text,
                              .options = options.train,
                              .pairing = options.pairs ? "file" : options.pairing,
                              .init = options.init,
                              .pool = s->loaded.pool};

        status = ig_run_new(&run, &setup, error);
    }
    if (status == IG_OK)
        status = ig_train_loop(run, label, options.quiet, error);
    if (status == IG_OK)
        status = measure(s, run, row, error);
    if (status == IG_OK)
        status = keep(s, run, name, error);
    ig_run_delete(run);
    ig_free(text);
    return status;
}

/* --- all of them --------------------------------------------------------------------
 * */

/* One line of a log, where progress is no line that is rewritten. */
static void tell_done(const sweep *s, const char *label, const ig_sweep_row *row)
{
    const double *f = row->figure;

    if (s->options->quiet || strcmp(row->status, "ok") != 0)
        return;
    fprintf(stderr, "%s  epoch %.0f of %.0f  %.1f s\n", label, f[IG_SWEEP_BEST],
            f[IG_SWEEP_EPOCHS], f[IG_SWEEP_SECONDS]);
}

static void put(const sweep *s, size_t point)
{
    const ig_grid *grid = &s->grid;

    if (s->options->json)
        return;
    if (!s->options->summary)
        ig_sweep_put_row(grid, point, method_at(s, point), &s->row[point]);
    else if ((point + 1) % grid->seeds == 0)
        ig_sweep_put_summary(grid, point + 1 - grid->seeds, method_at(s, point),
                             s->row);
    fflush(stdout);
}

/* One point; IG_OK also for a run that failed and was told. */
static ig_status take_point(sweep *s, size_t point)
{
    ig_sweep_row *row = &s->row[point];
    char name[IG_GRID_NAME_SIZE], label[IG_GRID_NAME_SIZE + 48];
    ig_error error;
    ig_status status;

    ig_grid_name(&s->grid, point, method_at(s, point), name);
    snprintf(label, sizeof label, "%zu/%zu %s", point + 1, s->grid.points, name);
    row->status = "ok";
    for (int f = 0; f < IG_SWEEP_FIGURES; f++)
        row->figure[f] = NAN;
    status = run_point(s, point, name, label, row, &error);
    if (status == IG_INTERRUPTED)
        return status;
    if (status != IG_OK) {
        ig_complain("%s: %s", name, error.message);
        /* A run that was trained and could not be written has its figures. */
        row->status = isnan(row->figure[IG_SWEEP_EPOCHS]) ? "failed" : "unwritten";
        s->failed = true;
    }
    s->done = point + 1;
    tell_done(s, label, row);
    put(s, point);
    return IG_OK;
}

static int sweep_all(sweep *s)
{
    const ig_options *options = s->options;
    ig_status status = IG_OK;

    if (!options->json) {
        ig_sweep_put_header(&s->grid, options->summary);
        fflush(stdout);
    }
    for (size_t i = 0; i < s->grid.points && status == IG_OK; i++)
        status = ig_interrupted() ? IG_INTERRUPTED
                 : ferror(stdout) ? IG_IO /* told when stdout is closed */
                                  : take_point(s, i);
    if (status == IG_INTERRUPTED && !options->quiet)
        ig_complain("interrupted; %zu of %zu runs are done", s->done, s->grid.points);
    if (options->json)
        ig_sweep_put_json(&s->grid, method_at(s, 0), s->row, s->done);
    if (status != IG_OK)
        return status == IG_INTERRUPTED ? IG_EXIT_INTERRUPTED : IG_EXIT_FAILED;
    return s->failed ? IG_EXIT_FAILED : IG_EXIT_OK;
}

/* What would fail in every run is refused at once. */
static ig_status prepare(sweep *s, ig_error *error)
{
    ig_options first;
    ig_status status = ig_grid_init(&s->grid, s->options, error);
    char *inside = s->options->out ? ig_path_join(s->options->out, "run") : NULL;

    if (status == IG_OK)
        status = check_methods(s, error);
    if (status == IG_OK && inside)
        status = ig_run_path_check(inside, &ig_run_dir, error);
    ig_free(inside);
    if (status != IG_OK)
        return status;
    ig_grid_options(&s->grid, 0, &first);
    status = open_data(s, &first, error);
    if (status == IG_VALUE && ig_grid_axis(&s->grid, "dims"))
        status = IG_OK; /* the others may be had */
    s->row = ig_alloc(s->grid.points, sizeof *s->row);
    if (status == IG_OK && !s->row)
        status = ig_fail_memory(error, "the runs of the grid");
    return status;
}

int ig_sweep_command(const ig_options *options)
{
    sweep s = {.options = options};
    ig_error error;
    int code;

    if (prepare(&s, &error) == IG_OK) {
        ig_interrupt_catch(IG_INTERRUPT_WRITES);
        code = sweep_all(&s);
    } else {
        code = ig_fail_exit(&error);
    }
    ig_free(s.row);
    ig_load_free(&s.loaded);
    return code;
}
