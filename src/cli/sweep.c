/* isogloss sweep: a grid of runs without a screen, each told when it is done. A run
 * that fails is told too, and the sweep goes on. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/grid.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/placing.h"
#include "cli/progress.h"
#include "cli/run_path.h"
#include "cli/sweep_table.h"
#include "runs/run.h"
#include "runs/run_directory.h"

static const char DEFAULT_METHOD[] = "seed";

typedef struct sweep {
    const ig_options *options;
    ig_grid grid;
    ig_sweep_columns columns;
    ig_sweep_table table;
    ig_sweep_row *row; /* (points) */
    double *figures;   /* (points, figures) */

    /* With --ci, else NULL. */
    ig_interval *intervals; /* (points, figures) */
    float *draws;           /* (seeds, figures, IG_DRAWS) of the runs of one group */
    double *scratch;        /* (IG_DRAWS) */

    size_t done; /* of them */
    bool failed; /* one of them */

    /* Ranks take a run each, and the first one has the table; NULL: alone. */
    ig_team *team;
    ig_builder said; /* by another rank of its run, a line each, for the first one */

    /* The sets, for the dims that they were opened with. */
    ig_loaded loaded;   /* DATA; its pairs are those of a run where it is trained on */
    ig_sweep_set train; /* of --train; set NULL: DATA */
    ig_sweep_set *test; /* (tests) */
    ig_subset whole;    /* DATA, where it is measured in whole */
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

/* The set that runs are trained on. */
static const ig_set *trained_on(const sweep *s)
{
    return s->train.set ? s->train.set : s->loaded.set;
}

static const ig_pairs *trained_pairs(const sweep *s)
{
    return s->train.set ? &s->train.pairs : &s->loaded.pairs;
}

static void close_data(sweep *s)
{
    for (size_t i = 0; i < s->options->tests; i++)
        ig_sweep_set_free(&s->test[i]);
    ig_subset_free(&s->whole);
    ig_sweep_set_free(&s->train);
    ig_load_free(&s->loaded);
    s->opened = false;
}

/* The set of --train with the pairs to train on, and DATA as it is to be measured. */
static ig_status open_train(sweep *s, const ig_options *options, ig_error *error)
{
    ig_options measured = *options;
    ig_status status = ig_sweep_set_open(
        &s->train, &(ig_test){.set = options->train_on, .meta = options->train_meta},
        options->set.dims, &s->loaded.inputs, error);

    ig_pairs_free(&s->train.pairs);
    if (status == IG_OK)
        status =
            ig_pairs_derive(&s->train.pairs, s->train.set, options->pairing, error);
    measured.pairing = NULL;
    if (status == IG_OK && options->pairs)
        status = ig_load_pairs(&s->loaded, &measured, true, error);
    else if (status == IG_OK &&
             ig_pairs_derive(&s->loaded.pairs, s->loaded.set, "all", NULL) != IG_OK)
        ig_pairs_free(&s->loaded.pairs);
    return status == IG_OK ? ig_subset_take(&s->whole, s->loaded.set, &s->loaded.pairs,
                                            NULL, 0, 0, error)
                           : status;
}

/* The sets with the dims of a point. */
static ig_status open_data(sweep *s, const ig_options *options, ig_error *error)
{
    ig_options quiet = *options;
    ig_status status;

    if (s->opened && s->dims == options->set.dims)
        return IG_OK;
    quiet.quiet |= s->done > 0; /* what is worth knowing has been said */
    close_data(s);
    status = ig_load_open(&s->loaded, options, error);
    if (status == IG_OK)
        status = ig_load_check(&s->loaded, &quiet, error);
    if (status == IG_OK)
        status = ig_load_scores(&s->loaded, options, error);
    if (status == IG_OK)
        status = options->train_on ? open_train(s, options, error)
                                   : ig_load_pairs(&s->loaded, options, true, error);
    for (size_t i = 0; i < options->tests && status == IG_OK; i++)
        status = ig_sweep_set_open(&s->test[i], &options->test[i], options->set.dims,
                                   &s->loaded.inputs, error);
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

/* Where the figures of a run go, from number `first` on. */
static ig_sweep_figures figures_from(const ig_sweep_row *row, size_t first)
{
    ig_sweep_figures out = {.value = row->figure + first};

    if (row->interval) {
        out.interval = row->interval + first;
        out.draw = row->draw + first * IG_DRAWS;
    }
    return out;
}

/* What a run is measured on: a set or some ids of it, by the measures that it has
 * columns for. Known before the run is trained. */
typedef struct scope {
    size_t of; /* number of the --test; SIZE_MAX: DATA */
    const ig_set *set;
    const ig_subset *subset; /* kept elsewhere, or the own one */
    const ig_scores *scores;
    ig_subset own;
    ig_scores own_scores;
    ig_subject subject;
} scope;

static void free_scope(scope *of)
{
    ig_subset_free(&of->own);
    ig_scores_free(&of->own_scores);
}

/* DATA: the ids that the run held out, or all of it where it held none out or was
 * trained on another set. */
static ig_status choose_data(const sweep *s, const ig_split *split, scope *of,
                             ig_error *error)
{
    bool held = split->valid || split->holdout;
    ig_status status;

    of->of = SIZE_MAX;
    of->set = s->loaded.set;
    of->subset = s->train.set ? &s->whole : &of->own;
    of->scores = s->train.set ? &s->loaded.scores : &of->own_scores;
    if (s->train.set)
        return IG_OK;
    status = ig_scores_copy(&of->own_scores, &s->loaded.scores, error);
    if (status == IG_OK && held)
        ig_scores_keep(&of->own_scores, split->held_out);
    if (status == IG_OK)
        status = ig_subset_take(&of->own, of->set, &s->loaded.pairs,
                                held ? split->held_out : NULL, 0, 0, error);
    return status;
}

/* Where the rows that are measured lie, in memory or in files, or why there is no
 * room. */
static ig_status place_rows(const sweep *s, scope *of, ig_error *error)
{
    ig_rows rows = ig_rows_of_set(of->set);

    return ig_placing_choose(
        &of->subject,
        &(ig_placing){.rows = &rows,
                      .shown = of->subset->rows,
                      .threads = ig_pool_threads(s->loaded.pool),
                      .advice = "--limit N takes some of the ids, --valid FRACTION "
                                "holds fewer out",
                      .quiet = true},
        error);
}

static ig_status plan_scope(const sweep *s, const ig_run *run, unsigned measures,
                            scope *of, ig_error *error)
{
    of->subject = ig_subject_of(
        of->set, of->subset, of->scores->count ? of->scores : NULL, run->options.seed);
    of->subject.measures &= measures;
    of->subject.intervals = s->options->ci;
    return of->subject.measures ? place_rows(s, of, error) : IG_OK;
}

/* What a run will be measured on, before it is trained: what does not fit is refused.
 *   measured  out  (1 + tests) DATA first; free each, in any case */
static ig_status plan(const sweep *s, const ig_run *run, scope *measured,
                      ig_error *error)
{
    unsigned measures = s->columns.data | IG_MEASURE_RETRIEVAL;
    ig_status status = choose_data(s, &run->split, &measured[0], error);

    if (status == IG_OK && !s->train.set && !measured[0].own.pairs)
        measures = s->columns.data;
    if (status == IG_OK)
        status = plan_scope(s, run, measures, &measured[0], error);
    for (size_t i = 0; i < s->options->tests && status == IG_OK; i++) {
        const ig_sweep_set *test = &s->test[i];

        measured[1 + i].of = i;
        measured[1 + i].set = test->set;
        measured[1 + i].subset = &test->subset;
        measured[1 + i].scores = &test->scores;
        status = plan_scope(s, run, s->columns.test[i], &measured[1 + i], error);
    }
    return status;
}

/* One set. The draws of intervals are the same for all runs, so that means over the
 * seeds have intervals, too. */
static ig_status measure_scope(const sweep *s, const ig_run *run, const scope *of,
                               ig_sweep_row *row, ig_error *error)
{
    ig_sweep_figures all = figures_from(row, 0);
    ig_sweep_figures columns = figures_from(row, IG_SWEEP_MEASURES);
    ig_resampling resampling = {0};
    ig_model model = {0};
    ig_status status;

    if (!of->subject.measures)
        return IG_OK;
    status = ig_model_take(&model, ig_trainer_best(run->trainer, NULL), trained_on(s),
                           of->set, error);
    if (status == IG_OK && s->options->ci)
        status = ig_resampling_init(&resampling, of->set->rows, &of->subject,
                                    s->options->seed, s->loaded.pool, error);
    for (int space = IG_SPACE_MEANING; space < IG_SPACES && status == IG_OK; space++) {
        ig_evaluation e = {0};

        status = ig_sweep_measure(&s->columns, of->of, &model.extractor, of->set,
                                  &of->subject, s->options->ci ? &resampling : NULL,
                                  (ig_space)space, s->loaded.pool, ig_interrupt_flag(),
                                  &columns, &e, error);
        if (of->of == SIZE_MAX && e.taken & IG_MEASURE_RETRIEVAL)
            ig_sweep_keep(
                &all, space == IG_SPACE_MEANING ? IG_SWEEP_MEANING : IG_SWEEP_LANGUAGE,
                ig_measure_named("top1"), &e);
        ig_evaluation_free(&e);
    }
    ig_resampling_free(&resampling);
    ig_model_free(&model);
    return status;
}

static ig_status measure(const sweep *s, ig_run *run, const scope *measured,
                         ig_sweep_row *row, ig_error *error)
{
    const ig_run_record *best = ig_run_best(run);
    double *f = row->figure;
    ig_status status = IG_OK;

    for (size_t i = 0; i <= s->options->tests && status == IG_OK; i++)
        status = measure_scope(s, run, &measured[i], row, error);
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
    f[ig_sweep_seconds(&s->table)] = run->seconds;
    return IG_OK;
}

/* Lock the directory of a run before it is trained. */
static ig_status reserve(const sweep *s, const char *name, ig_dir *dir, ig_error *error)
{
    char *path;
    ig_status status;

    if (!s->options->out)
        return IG_OK;
    path = ig_path_join(s->options->out, name);
    status =
        path ? ig_run_path_open(dir, path, &ig_run_dir, NULL, s->options->quiet, error)
             : ig_fail_memory(error, "the name of a run");
    ig_free(path);
    return status;
}

/* Said at once, or by the first rank when it has the run. */
static void say(sweep *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(sweep *s, const char *format, ...)
{
    char line[IG_ERROR_SIZE + IG_GRID_NAME_SIZE];
    va_list list;

    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (ig_team_speaks(s->team))
        ig_complain("%s", line);
    else
        ig_builder_add(&s->said, "%s\n", line);
}

static ig_status keep(sweep *s, const ig_run *run, const char *name, ig_dir *dir,
                      ig_error *error)
{
    ig_status status = dir->path ? ig_run_write_into(run, dir, error) : IG_OK;

    if (status == IG_OK && dir->moved)
        say(s, "%s: another run was written there meanwhile and stays; saved as %s",
            name, dir->shown);
    return status;
}

/* What the reader of its figures should know. */
static void tell_notes(sweep *s, const ig_run *run, const char *name)
{
    char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE];
    size_t notes = s->options->quiet ? 0 : ig_run_notes(run, note);

    for (size_t i = 0; i < notes; i++)
        say(s, "note: %s: %s", name, note[i]);
}

/* Open the data of a point, lay out its run, and see that it can be measured. */
static ig_status begin_point(sweep *s, size_t point, ig_run **run, scope *measured,
                             ig_error *error)
{
    ig_options options;
    char *text = NULL;
    ig_status status;

    ig_grid_options(&s->grid, point, &options);
    status = open_data(s, &options, error);
    if (status == IG_OK)
        status = weigh(s, point, &text, error);
    if (status == IG_OK) {
        ig_run_setup setup = {
            .set = trained_on(s),
            .pairs = trained_pairs(s),
            .method = method_at(s, point),
            .text = text,
            .options = options.train,
            .pairing = options.pairs && !s->train.set ? "file" : options.pairing,
            .init = options.init,
            .pool = s->loaded.pool};

        status = ig_run_new(run, &setup, error);
    }
    if (status == IG_OK)
        status = plan(s, *run, measured, error);
    ig_free(text);
    return status;
}

static void end_point(const sweep *s, ig_run *run, scope *measured)
{
    for (size_t i = 0; measured && i <= s->options->tests; i++)
        free_scope(&measured[i]);
    ig_free(measured);
    ig_run_delete(run);
}

static ig_status run_point(sweep *s, size_t point, const char *name, const char *label,
                           ig_sweep_row *row, ig_error *error)
{
    ig_run *run = NULL;
    scope *measured = ig_alloc(1 + s->options->tests, sizeof *measured);
    ig_dir dir = {0};
    ig_status status = measured ? reserve(s, name, &dir, error)
                                : ig_fail_memory(error, "what is measured");

    if (status == IG_OK)
        status = begin_point(s, point, &run, measured, error);
    if (s->opened)
        row->dims = trained_on(s)->dims;
    if (status == IG_OK)
        status = ig_train_loop(run, label, s->options->quiet, NULL, NULL, error);
    if (status == IG_OK)
        status = measure(s, run, measured, row, error);
    if (status == IG_OK)
        status = keep(s, run, name, &dir, error);
    if (status == IG_OK)
        tell_notes(s, run, name);
    ig_dir_close(&dir);
    end_point(s, run, measured);
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
            f[IG_SWEEP_EPOCHS], f[ig_sweep_seconds(&s->table)]);
}

static void put(const sweep *s, size_t point)
{
    const ig_grid *grid = &s->grid;

    if (s->options->json)
        return;
    if (!s->options->summary)
        ig_sweep_put_row(&s->table, point, method_at(s, point), &s->row[point]);
    else if ((point + 1) % grid->seeds == 0)
        ig_sweep_put_summary(&s->table, point + 1 - grid->seeds, method_at(s, point),
                             s->row);
    fflush(stdout);
}

static void clear_row(const sweep *s, ig_sweep_row *row)
{
    size_t width = ig_sweep_width(&s->table);

    row->status = "ok";
    for (size_t f = 0; f < width; f++)
        row->figure[f] = NAN;
    for (size_t f = 0; row->interval && f < width; f++)
        row->interval[f] = IG_NO_INTERVAL;
    for (size_t i = 0; row->draw && i < width * IG_DRAWS; i++)
        row->draw[i] = NAN;
}

/* "2/6 seed-s1" */
enum { LABEL = IG_GRID_NAME_SIZE + 48 };

static void label_point(const sweep *s, size_t point, char label[LABEL])
{
    char name[IG_GRID_NAME_SIZE];

    ig_grid_name(&s->grid, point, method_at(s, point), name);
    snprintf(label, LABEL, "%zu/%zu %s", point + 1, s->grid.points, name);
}

/* One point; IG_OK also for a run that failed and was told. */
static ig_status take_point(sweep *s, size_t point)
{
    ig_sweep_row *row = &s->row[point];
    char name[IG_GRID_NAME_SIZE], label[LABEL];
    ig_error error;
    ig_status status;

    ig_grid_name(&s->grid, point, method_at(s, point), name);
    label_point(s, point, label);
    clear_row(s, row);
    status = run_point(s, point, name, label, row, &error);
    if (status == IG_INTERRUPTED)
        return status;
    if (status != IG_OK) {
        say(s, "%s: %s", name, error.message);
        /* A run that was trained and could not be written has its figures. */
        row->status = isnan(row->figure[IG_SWEEP_EPOCHS]) ? "failed" : "unwritten";
    }
    return IG_OK;
}

/* A point that is done, in the table. */
static void book_point(sweep *s, size_t point)
{
    const ig_sweep_row *row = &s->row[point];
    char label[LABEL];

    label_point(s, point, label);
    s->failed |= strcmp(row->status, "ok") != 0;
    s->done = point + 1;
    if (s->done % s->grid.seeds == 0)
        ig_sweep_take_means(&s->table, s->done - s->grid.seeds, s->row, s->scratch);
    tell_done(s, label, row);
    put(s, point);
}

/* --- ranks ------------------------------------------------------------------------ */

/* The figures of a run and what they are made of, from one rank to another. */
static void pass_row(const sweep *s, size_t point, bool send, size_t rank)
{
    ig_sweep_row *row = &s->row[point];
    size_t width = ig_sweep_width(&s->table);
    struct {
        void *bytes;
        size_t size;
    } part[] = {{&row->dims, sizeof row->dims},
                {row->figure, width * sizeof *row->figure},
                {row->interval, row->interval ? width * sizeof *row->interval : 0},
                {row->draw, row->draw ? width * IG_DRAWS * sizeof *row->draw : 0}};

    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (send)
            ig_team_send(s->team, rank, part[i].bytes, part[i].size);
        else
            ig_team_take(s->team, rank, part[i].bytes, part[i].size);
}

/* What a rank tells of its run. */
struct told {
    ig_status status;
    char state[16]; /* ig_sweep_row.status */
    size_t said;    /* bytes */
};

static void send_point(sweep *s, size_t point, ig_status status)
{
    struct told told = {.status = status, .said = s->said.failed ? 0 : s->said.length};

    snprintf(told.state, sizeof told.state, "%s", s->row[point].status);
    ig_team_send(s->team, 0, &told, sizeof told);
    ig_team_send(s->team, 0, s->said.text, told.said);
    pass_row(s, point, true, 0);
    ig_builder_free(&s->said);
}

static ig_status bring_point(sweep *s, size_t point, size_t rank)
{
    static const char *const states[] = {"ok", "failed", "unwritten"};
    struct told told;
    char *said;

    ig_team_take(s->team, rank, &told, sizeof told);
    said = ig_alloc(told.said + 1, 1);
    if (!said) /* what is under way cannot be taken otherwise */
        ig_team_abort(s->team, IG_EXIT_FAILED);
    ig_team_take(s->team, rank, said, told.said);
    for (char *line = said; *line; line += strcspn(line, "\n") + 1)
        ig_complain("%.*s", (int)strcspn(line, "\n"), line);
    ig_free(said);
    clear_row(s, &s->row[point]);
    pass_row(s, point, false, rank);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(told.state, states[i]) == 0)
            s->row[point].status = states[i];
    return told.status;
}

/* A run of each rank, from point `first` on; the first rank has them all afterwards, in
 * their order. */
static ig_status take_round(sweep *s, size_t first)
{
    size_t ranks = ig_team_ranks(s->team), own = first + ig_team_rank(s->team);
    ig_status status = IG_OK;

    if (own < s->grid.points)
        status = ig_interrupted() ? IG_INTERRUPTED : take_point(s, own);
    if (!ig_team_speaks(s->team) && own < s->grid.points)
        send_point(s, own, status);
    else if (ig_team_speaks(s->team) && status == IG_OK)
        book_point(s, first);
    for (size_t r = 1; ig_team_speaks(s->team) && r < ranks; r++) {
        ig_status of_rank;

        if (first + r >= s->grid.points)
            break;
        of_rank = bring_point(s, first + r, r);
        status = status == IG_OK ? of_rank : status;
        if (status == IG_OK)
            book_point(s, first + r);
    }
    return ig_team_any(s->team, status != IG_OK) && status == IG_OK ? IG_INTERRUPTED
                                                                    : status;
}

static int sweep_all(sweep *s)
{
    const ig_options *options = s->options;
    ig_status status = IG_OK;

    if (!options->json) {
        ig_sweep_put_header(&s->table, options->summary);
        fflush(stdout);
    }
    for (size_t i = 0; i < s->grid.points && status == IG_OK;
         i += ig_team_ranks(s->team))
        status = ig_team_any(s->team, ferror(stdout))
                     ? IG_IO /* told when stdout is closed */
                     : take_round(s, i);
    if (status == IG_INTERRUPTED && !options->quiet)
        ig_complain("interrupted; %zu of %zu runs are done", s->done, s->grid.points);
    if (options->json)
        ig_sweep_put_json(&s->table, method_at(s, 0), s->row, s->done);
    if (status != IG_OK)
        return status == IG_INTERRUPTED ? IG_EXIT_INTERRUPTED : IG_EXIT_FAILED;
    return s->failed ? IG_EXIT_FAILED : IG_EXIT_OK;
}

static int check_usage(const ig_options *o)
{
    if (!o->train_meta || o->train_on)
        return IG_EXIT_OK;
    ig_complain("--train-meta FILE is the table of --train SET: it needs one");
    return IG_EXIT_USAGE;
}

/* Room for the figures of all runs. */
static ig_status make_rows(sweep *s, ig_error *error)
{
    size_t width = ig_sweep_width(&s->table), seeds = s->grid.seeds;

    s->row = ig_alloc(s->grid.points, sizeof *s->row);
    s->figures = ig_alloc(s->grid.points, width * sizeof *s->figures);
    if (!s->row || !s->figures)
        return ig_fail_memory(error, "the runs of the grid");
    if (s->options->ci) {
        s->intervals = ig_alloc(s->grid.points, width * sizeof *s->intervals);
        s->draws = ig_alloc(seeds * width, IG_DRAWS * sizeof *s->draws);
        s->scratch = ig_alloc(IG_DRAWS, sizeof *s->scratch);
        s->table.mean = ig_alloc(s->grid.points / seeds, width * sizeof *s->table.mean);
        if (!s->intervals || !s->draws || !s->scratch || !s->table.mean)
            return ig_fail_memory(error, "the intervals of the grid");
    }
    for (size_t i = 0; i < s->grid.points; i++) {
        s->row[i].figure = s->figures + i * width;
        if (s->options->ci) {
            s->row[i].interval = s->intervals + i * width;
            s->row[i].draw = s->draws + i % seeds * width * IG_DRAWS;
        }
    }
    return IG_OK;
}

/* Whether the first run can be measured; what it lacks otherwise is told when its turn
 * comes. Of a grid over options that say how much is measured, others may be. */
static ig_status try_first(sweep *s, ig_error *error)
{
    static const char *const sizes[] = {"dims", "valid", "holdout"};
    ig_run *run = NULL;
    scope *measured;
    ig_status status;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (ig_grid_axis(&s->grid, sizes[i]))
            return IG_OK;
    measured = ig_alloc(1 + s->options->tests, sizeof *measured);
    status = measured ? begin_point(s, 0, &run, measured, error)
                      : ig_fail_memory(error, "what is measured");
    end_point(s, run, measured);
    return status == IG_NOMEM ? status : IG_OK;
}

/* What would fail in every run is refused at once. */
static ig_status prepare(sweep *s, ig_error *error)
{
    ig_options first;
    ig_status status = ig_grid_init(&s->grid, s->options, error);
    char *inside = s->options->out ? ig_path_join(s->options->out, "run") : NULL;

    if (status == IG_OK)
        status = check_methods(s, error);
    if (status == IG_OK)
        status = ig_sweep_columns_make(&s->columns, s->options, error);
    s->test = ig_alloc(s->options->tests, sizeof *s->test);
    if (status == IG_OK && !s->test)
        status = ig_fail_memory(error, "the sets of --test");
    s->table = (ig_sweep_table){.grid = &s->grid, .columns = &s->columns};
    if (status == IG_OK && inside)
        status = ig_run_path_parents(inside, error);
    ig_free(inside);
    if (status != IG_OK)
        return status;
    ig_grid_options(&s->grid, 0, &first);
    status = open_data(s, &first, error);
    if (status == IG_VALUE && ig_grid_axis(&s->grid, "dims"))
        status = IG_OK; /* the others may be had */
    if (status == IG_OK)
        status = try_first(s, error);
    return status == IG_OK ? make_rows(s, error) : status;
}

int ig_sweep_command(const ig_options *asked)
{
    ig_options alone = *asked;
    const ig_options *options = &alone;
    sweep s = {.options = options, .team = asked->team};
    ig_error error;
    int code = check_usage(options);

    alone.team = NULL; /* of the sets and the runs of each rank */
    if (code != IG_EXIT_OK)
        return code;
    if (prepare(&s, &error) == IG_OK) {
        ig_interrupt_catch(IG_INTERRUPT_WRITES);
        code = sweep_all(&s);
    } else {
        code = ig_fail_exit(&error);
    }
    ig_free(s.row);
    ig_free(s.figures);
    ig_free(s.intervals);
    ig_free(s.draws);
    ig_free(s.scratch);
    ig_free(s.table.mean);
    if (s.test)
        close_data(&s);
    ig_free(s.test);
    ig_sweep_columns_free(&s.columns);
    return code;
}
