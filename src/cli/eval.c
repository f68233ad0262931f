/* isogloss eval: all measures of a dataset and of runs on it, as a document
 * (report/document.h) in the requested format. Output starts after all measures are
 * computed, so it is complete or absent. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress_meter.h"
#include "core/text.h"
#include "explorer/panels/leakage_panel.h"
#include "measure/judged.h"
#include "report/document.h"

/* One run: read from --run, or trained for --method. */
typedef struct source {
    ig_run_info read;   /* read … */
    ig_run *run;        /* … or trained here */
    ig_run_info asks;   /* its weights for the languages of the queries, … */
    ig_measured asking; /* … which it transforms */
} source;

/* The evaluation of a version. Contains pointers into itself: do not copy. */
typedef struct eval {
    const ig_options *options;
    ig_loaded *loaded; /* of all versions; its pairs are measured */
    ig_error no_pairs; /* reason, or "" */
    ig_other training; /* DATA, with pairs to train on; none with --pairs */
    ig_other queries;  /* of --query-set, or none … */
    ig_rows asked;     /* … its rows … */
    ig_judged judged;  /* … and judgements */
    source *source;    /* (sources) */
    size_t sources;
    ig_subset subset;           /* the rows and pairs that are measured */
    ig_measure_choice choice;   /* of --measures */
    const ig_measure *plane[2]; /* of --svg: along x and y; with --by both the first */
    ig_document document;
    char scores[IG_LIST_SIZE];   /* files of --scores */
    char unlike[IG_UNLIKE_SIZE]; /* seeds of the runs, and in what they differ */
} eval;

/* --- data ------------------------------------------------------------------------- */

/* Open everything but the values, whose check takes long in a large dataset. */
static ig_status open_data(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_status status = ig_load_open_versions(NULL, e->loaded, o, error);

    if (status == IG_OK && e->loaded->versions.count > 1 && o->run.count &&
        o->measure.split)
        return ig_fail(error, IG_USAGE,
                       "--split %s with --run goes with one version of DATA, which "
                       "--only NAME chooses; --method trains on each",
                       ig_document_split_name(o->measure.split));
    if (status == IG_OK)
        status = ig_load_pairs(e->loaded, o, ig_pairing_usual(e->loaded->set),
                               &e->no_pairs, error);
    if (status == IG_OK && e->choice.measures & IG_MEASURE_ZERO_SHOT_TRANSFER &&
        !e->choice.all && !ig_label_to_transfer(e->loaded->set))
        status = ig_fail(error, IG_VALUE,
                         "--measures %s: %s has no column of labels that repeat",
                         o->measure.measures, e->loaded->set->name);
    return status;
}

/* --- runs ------------------------------------------------------------------------- */

/* Train --method on pairs as in `train`. */
static ig_status train(eval *e, source *s, ig_error *error)
{
    const ig_options *o = e->options;
    ig_status status =
        o->pairs ? IG_OK
                 : ig_load_other(&e->training, e->loaded, &o->measure.train, o, error);

    if (status == IG_OK)
        status = ig_load_new_run(&s->run, e->loaded, &e->training, o, error);
    return status == IG_OK ? ig_train_loop(s->run, NULL, o->quiet, NULL, error)
                           : status;
}

/* Read a run: of versions for the one it was trained on; of another it stays empty. */
static ig_status read_run(const eval *e, ig_run_info *run, const char *path,
                          ig_error *error)
{
    const ig_loaded *loaded = e->loaded;
    bool several = loaded->versions.count > 1;
    ig_status status = ig_run_read(run, path, loaded->set,
                                   several ? IG_READ_ANY_DIMS : 0,
                                   e->options->train.strength, error);
    size_t version = status == IG_OK && several ? ig_run_version(run, &loaded->versions)
                                                : 0;

    if (version == SIZE_MAX)
        return ig_fail(error, IG_VALUE,
                       "--run %s: was trained on %s%s%s, which is no version of DATA; "
                       "--only NAME applies it to one",
                       path, run->data ? run->data : "other data",
                       run->version[0] ? ", version " : "", run->version);
    if (status != IG_OK || !several)
        return status;
    ig_run_info_free(run); /* again, with the dims of this version required */
    return loaded->versions.set[version] == loaded->set
               ? ig_run_read(run, path, loaded->set, 0, e->options->train.strength,
                             error)
               : IG_OK;
}

/* Read the queries and their judgements. */
static ig_status open_queries(eval *e, ig_error *error)
{
    const ig_measure_options *o = &e->options->measure;
    const ig_dataset *set = e->loaded->set, *queries;
    ig_status status = IG_OK;

    if (o->judgements)
        status = ig_load_other(&e->queries, e->loaded, &o->query, e->options, error);
    queries = e->queries.set;
    if (status != IG_OK || !queries)
        return status;
    e->asked = ig_rows_of_dataset(queries);
    if (queries->dims != set->dims)
        return ig_fail(error, IG_SHAPE, "%s has %zu dimension%s, but %s has %zu",
                       queries->name, queries->dims, queries->dims == 1 ? "" : "s",
                       set->name, set->dims);
    return ig_judged_read(&e->judged, queries, set, o->judgements, error);
}

/* Transform the queries by the last run, which must know their languages. */
static ig_status add_queries(eval *e, source *s, ig_error *error)
{
    const ig_dataset *queries = e->queries.set;
    ig_document_run *run = &e->document.run[e->sources - 1];
    ig_status status =
        s->run ? ig_extractor_adapt(&s->asks.weights, run->extractor,
                                    (const char *const *)e->loaded->set->language,
                                    queries, queries->dims, &s->asks.unknown, error)
               : ig_run_read(&s->asks, s->read.path, queries, 0,
                             e->options->train.strength, error);

    if (status == IG_OK && s->asks.unknown)
        status = ig_fail(error, IG_VALUE,
                         "%s: does not know %zu of the languages of %s", run->title,
                         s->asks.unknown, queries->name);
    if (status != IG_OK)
        return status;
    ig_measured_open(&s->asking, &s->asks.weights, queries, &e->asked);
    run->asks = s->asking.all;
    return IG_OK;
}

static ig_status open_runs(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    size_t runs = o->run.count + (o->method ? 1 : 0);
    ig_status status = ig_document_init(&e->document, e->loaded->set, runs, error);

    e->document.split = o->measure.split;
    e->document.of_scores = e->loaded->scores.count;
    e->source = ig_alloc(runs, sizeof *e->source);
    if (status == IG_OK && !e->source)
        status = ig_fail_memory(error, "the runs");
    for (size_t i = 0; i < runs && status == IG_OK; i++) {
        source *s = &e->source[e->sources++];

        status = i < o->run.count ? read_run(e, &s->read, o->run.list[i], error)
                                  : train(e, s, error);
        if (status == IG_OK && !s->run && !s->read.extractor) {
            e->sources--;
            continue;
        }
        if (status == IG_OK)
            status = ig_document_add(
                &e->document,
                &(ig_document_run){.number = i + 1,
                                   .run = s->run,
                                   .info = s->run ? &s->run->info : &s->read,
                                   .data = o->data,
                                   .words = o->data_words},
                error);
        if (status == IG_OK && e->queries.set)
            status = add_queries(e, s, error);
        if (status == IG_OK && o->project.drawn && o->measure.by != IG_UNSET &&
            !ig_extractor_serves(e->document.run[i].extractor, IG_SPACE_LANGUAGE))
            status = ig_fail(error, IG_VALUE, "%s: %s has no language embeddings",
                             o->project.drawn, e->document.run[i].name);
    }
    return status;
}

/* --- rows and pairs --------------------------------------------------------------- */

static ig_status mark_run(const eval *e, size_t i, ig_split_part part, uint8_t *mark,
                          ig_error *error)
{
    const source *s = &e->source[i];

    if (!s->run)
        return ig_run_read_split(&s->read, e->loaded->set,
                                 e->options->pairs ? &e->loaded->pairs : NULL, part,
                                 mark, error);
    if (part != IG_SPLIT_TRAIN && !s->run->split.count[part])
        return ig_fail(error, IG_VALUE, "%s has no ids in this split (--%s 0)",
                       e->document.run[i].name,
                       part == IG_SPLIT_HOLDOUT ? "holdout" : "valid");
    return ig_split_mark(&s->run->split, e->loaded->set, s->run->pairs, part, mark,
                         error);
}

/* Choose the measured rows: those of the split, which must be the same in all runs. */
static ig_status choose_rows(eval *e, ig_error *error)
{
    const ig_document *d = &e->document;
    size_t rows = e->loaded->set->rows;
    bool all = !e->options->measure.split;
    ig_arena arena = {0};
    uint8_t *mark = all ? NULL : ig_arena_array(&arena, rows, 2); /* two */
    ig_status status = arena.failed ? ig_fail_memory(error, "a split") : IG_OK;

    for (size_t i = 0; i < e->sources && status == IG_OK && !all; i++) {
        status =
            mark_run(e, i, (ig_split_part)(d->split - 1), mark + (i ? rows : 0), error);
        if (status == IG_VALUE && !e->loaded->set->ids)
            ig_text_append(error->message, sizeof error->message, "; %s has no ids",
                           e->loaded->set->name);
        if (status == IG_OK && i && memcmp(mark, mark + rows, rows) != 0)
            status = ig_fail(error, IG_VALUE,
                             "%s and %s have different splits: measure them with "
                             "--split %s one at a time",
                             d->run[0].name, d->run[i].name,
                             ig_document_split_name(d->split));
    }
    if (status == IG_OK)
        status = ig_subset_take(&e->subset, e->loaded->set, &e->loaded->pairs,
                                &e->loaded->scores, mark, (ig_subset_limits){0},
                                e->options->seed, error);
    ig_arena_free(&arena);
    return status;
}

/* The share of the measured rows that trained each run that was read, where all are
 * measured. An unknown split is no error. */
static ig_status find_trained(eval *e, ig_error *error)
{
    size_t rows = e->loaded->set->rows;
    uint8_t *mark = ig_alloc(rows, 1);
    ig_status status = mark ? IG_OK : ig_fail_memory(error, "a split");

    for (size_t i = 0; i < e->sources && status != IG_NOMEM; i++) {
        const source *s = &e->source[i];
        size_t count = 0;

        if (s->run || !ig_run_fits(&s->read, e->loaded->set))
            continue;
        status = mark_run(e, i, IG_SPLIT_TRAIN, mark, error);
        for (size_t row = 0; row < rows && status == IG_OK; row++)
            count += mark[row] != 0;
        if (status == IG_OK)
            e->document.run[i].trained = (double)count / (double)rows;
    }
    ig_free(mark);
    return status == IG_NOMEM ? status : IG_OK;
}

static ig_status add_properties(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_document *d = &e->document;
    size_t files = 0;

    for (size_t i = 0; i < e->sources; i++)
        d->run[i].transductive = d->split <= 1 + IG_SPLIT_TRAIN &&
                                 ig_run_fits(d->run[i].info, e->loaded->set);
    d->ci = o->measure.ci || (o->measure.report && o->measure.by == IG_UNSET);
    d->full = o->measure.measures;
    d->zero_rows = e->loaded->zero_rows;
    d->seed = o->seed;
    d->subset = &e->subset;
    d->pairing = o->pairs ? o->pairs : o->pairing;
    d->no_pairs = *e->no_pairs.message ? e->no_pairs.message : NULL;
    while (o->measure.scores && o->measure.scores[files])
        files++;
    d->scores = files ? ig_quote_list(e->scores, o->measure.scores, files) : NULL;
    d->scored = e->subset.scores.count;
    for (size_t i = 0; i < o->words; i++)
        ig_terms_add(&d->terms, "file", "%s", o->word[i]);
    ig_terms_add(&d->terms, "seed", "%llu", (unsigned long long)o->seed);
    if (o->config)
        ig_terms_add(&d->terms, "config file", "%s", o->config);
    ig_builder_add(&d->command, "isogloss");
    for (size_t i = 0; i < o->typed_words; i++)
        ig_command_word(&d->command, " ", o->typed[i]);
    return d->terms.arena.failed || d->command.failed
               ? ig_fail_memory(error, "the report")
               : IG_OK;
}

/* --- measuring -------------------------------------------------------------------- */

static void update_progress(void *context, double share)
{
    ig_progress_meter_share(context, "measuring", share);
}

static ig_status compute_measures(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_evaluation_spec spec =
        ig_evaluation_spec_of(e->loaded->set, &e->subset, o->seed);
    ig_progress_meter progress;
    const ig_progress watch = {.tick = update_progress, .context = &progress};
    const ig_measure *measure;
    unsigned main = 0;
    unsigned shown = IG_MAIN | (o->measure.format == IG_AS_TABLE ? IG_NOTED : 0);

    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++)
        main |= measure->is & shown ? 1u << measure->group : 0;
    spec.judged = e->queries.set ? &e->judged : NULL;
    spec.queries = &e->asked;
    spec.sample = o->measure.sample;
    spec.intervals = e->document.ci;
    if (e->choice.count)
        spec.measures = e->choice.measures;
    else if (o->measure.format != IG_AS_CSV && o->measure.format != IG_AS_JSON &&
             !o->measure.report)
        spec.measures &= main; /* what it shows, a table also notes */
    e->document.choice = e->choice.count && o->measure.by == IG_UNSET ? &e->choice
                                                                      : NULL;
    for (int i = 0; i < 2 && o->project.drawn; i++)
        spec.measures |= 1u << e->plane[i]->group;
    ig_progress_meter_init(&progress, o->quiet);
    ig_status status = ig_document_measure(&e->document, &e->loaded->originals, &spec,
                                           e->loaded->pool, &watch, error);
    ig_progress_meter_end(&progress);
    return status;
}

/* Train and measure one version. Memory-dependent steps that need no run come first, so
 * that they fail before values are read and runs trained. */
static ig_status measure_version(eval *e, ig_error *error)
{
    bool all = !e->options->measure.split;
    ig_status status = all ? choose_rows(e, error) : IG_OK;

    if (status == IG_OK) /* the table has the notes */
        status = ig_load_check(
            e->loaded, e->options->quiet || e->options->measure.format == IG_AS_TABLE,
            error);
    if (status == IG_OK)
        status = open_queries(e, error);
    if (status == IG_OK)
        status = open_runs(e, error);
    if (status == IG_OK)
        status = all ? find_trained(e, error) : choose_rows(e, error);
    if (status == IG_OK)
        status = add_properties(e, error);
    return status == IG_OK ? compute_measures(e, error) : status;
}

static ig_status begin_eval(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    const char *measures = o->measure.measures;
    size_t runs = o->run.count + (o->method != NULL);
    bool svg = o->project.drawn, by = o->measure.by != IG_UNSET;
    ig_status status = IG_OK;

    if (o->measure.split && o->measure.judgements)
        return ig_fail(error, IG_USAGE, "--judgements cannot be combined with --split");
    if (!runs && o->measure.spaces >> IG_SPACE_MEANING &&
        o->given[ig_option_named("space", 5) - ig_option_at(0)])
        return ig_fail(error, IG_USAGE,
                       "--space meaning or language needs --run RUN or --method NAME");
    if (!measures && by) /* each measure is a table */
        measures = o->measure.scores ? "mean_pearson" : "top1";
    if (measures)
        status = ig_measures_choose(&e->choice, "--measures", measures, error);
    if (status == IG_OK && !e->choice.all &&
        ((!o->measure.scores && e->choice.measures & IG_MEASURE_SIMILARITY) ||
         (!o->measure.judgements && e->choice.measures & IG_MEASURE_JUDGED)))
        return ig_fail(error, IG_USAGE,
                       "--measures %s: similarity needs --scores FILE, judged "
                       "--judgements FILE",
                       measures);
    if (status == IG_OK && svg && !by && e->choice.count == 1)
        return ig_fail(error, IG_USAGE, "%s needs two --measures, for x and y",
                       o->project.drawn);
    for (int i = 0; i < 2; i++)
        e->plane[i] = e->choice.count
                          ? e->choice.measure[by ? 0 : i]
                          : ig_measure_named(i ? "uniformity" : "alignment");
    if (status == IG_OK)
        status = open_data(e, error);
    if (status == IG_OK && svg && by &&
        (runs < 1 || runs > 2 || e->loaded->versions.count > 1 ||
         o->measure.by == IG_BY_LANGUAGE))
        return ig_fail(error, IG_USAGE,
                       "%s with --by pair|direction draws one run, or two, of one "
                       "version of DATA",
                       o->project.drawn);
    return status;
}

/* --- comparisons ------------------------------------------------------------------ */

/* With --by the seeds of all runs ("; seeds 1, 2"); in what their trainings differ. */
static ig_status describe_runs(eval *e, ig_error *error)
{
    ig_training *training;
    size_t count = 0, seeds = 0;
    char text[32], list[200] = "";

    for (const ig_document *d = &e->document; d; d = d->next)
        count += d->runs;
    training = ig_arena_array(&e->document.terms.arena, count, sizeof *training);
    if (!training)
        return ig_fail_memory(error, "the runs");
    count = 0;
    for (const ig_document *d = &e->document; d; d = d->next)
        for (size_t r = 0; r < d->runs; r++) {
            if (d->run[r].fitted)
                continue;
            training[count] = ig_training_of(d->run[r].info);
            for (size_t i = 0; i < d->runs; i++)
                if (d->run[i].group != d->run[r].group &&
                    strcmp(d->run[i].info->name, d->run[r].info->name) == 0)
                    snprintf(training[count].name, sizeof training->name, "%.60s",
                             d->run[r].name);
            count++;
            snprintf(text, sizeof text, " %llu,",
                     (unsigned long long)d->run[r].info->options.seed);
            seeds += !strstr(list, text);
            ig_text_append(list, sizeof list, "%s", strstr(list, text) ? "" : text);
        }
    if (seeds && e->options->measure.by != IG_UNSET)
        ig_text_append(e->unlike, IG_UNLIKE_SIZE, "; random seed%s%.*s",
                       seeds == 1 ? "" : "s", (int)strlen(list) - 1, list);
    ig_training_compare(e->unlike, training, count);
    return IG_OK;
}

/* --- tables by language pair ------------------------------------------------------ */

/* Add the values of a run, or of the original vectors (IG_NO_RUN), which stand for the
 * meaning embeddings of no run, to the last row. */
static ig_status add_values(ig_pivot *p, const ig_document *d, size_t run,
                            ig_error *error)
{
    ig_status status = IG_OK;

    for (uint32_t b = 0; b < p->blocks && status == IG_OK; b++) {
        ig_space space = (ig_space)p->title[b].space;
        bool meaning = space == IG_SPACE_MEANING, same = space == IG_SPACE_ORIGINAL;
        const ig_evaluation *of =
            run == IG_NO_RUN ? (meaning || same ? &d->original : NULL)
                             : (same ? NULL : ig_document_space(d, run, space));

        if (of)
            status = ig_pivot_add(p, b, &of->figures, error);
    }
    ig_pivot_end_run(p);
    return status;
}

/* Add a row: the original, or a method with all its seeds; note what trained it. */
static ig_status add_row(eval *e, ig_pivot *p, const ig_document *d, size_t first,
                         ig_error *error)
{
    ig_pivot_row *row = ig_pivot_row_add(p, error);
    const char *name = first == IG_NO_RUN ? "original" : d->run[first].info->name;
    ig_status status = row ? IG_OK : IG_NOMEM;
    char note[120] = "";

    for (size_t i = 0; i < d->runs && first != IG_NO_RUN; i++)
        if (d->run[i].group != first && strcmp(d->run[i].info->name, name) == 0)
            name = d->run[first].title;
    if (row) {
        row->original = first == IG_NO_RUN;
        row->text[0] = name;
        row->text[1] = d->set->version;
    }
    if (status == IG_OK && first == IG_NO_RUN)
        return add_values(p, d, IG_NO_RUN, error);
    for (size_t i = 0; i < d->runs && status == IG_OK; i++) {
        if (d->run[i].group != first)
            continue;
        status = add_values(p, d, i, error);
        if (d->run[i].transductive)
            snprintf(note, sizeof note, "; %.60s was trained on rows that are measured",
                     name);
        ig_text_append(e->unlike, sizeof e->unlike, "; %s", d->run[i].origin);
    }
    if (!strstr(e->unlike, note))
        ig_text_append(e->unlike, sizeof e->unlike, "%s", note);
    return status;
}

/* Fill the tables of --by, and output them. */
static ig_status output_tables(eval *e, ig_error *error)
{
    const ig_measure_options *o = &e->options->measure;
    bool any = e->options->run.count || e->options->method; /* run, else one space */
    unsigned spaces = !any        ? 1u << IG_SPACE_ORIGINAL
                      : o->spaces ? o->spaces
                                  : 1u << IG_SPACE_MEANING;
    ig_pivot_title title[IG_CHOICE_MAX * IG_SPACES];
    ig_pivot p = {.by = (ig_breakdown)o->by,
                  .title = title,
                  .head = {"method", "version"},
                  .heads = e->document.set->version ? 2 : 1,
                  .note = e->unlike};
    ig_status status = o->groups ? ig_pivot_groups(&p, o->groups, error) : IG_OK;

    for (size_t i = 0; i < e->choice.count * IG_SPACES; i++)
        if (spaces >> i % IG_SPACES & 1)
            title[p.blocks++] =
                (ig_pivot_title){.measure = e->choice.measure[i / IG_SPACES],
                                 .space = i % IG_SPACES,
                                 .data = e->document.set->name,
                                 .rows = e->document.subset->rows};
    for (const ig_document *d = &e->document; d && status == IG_OK; d = d->next) {
        status = add_row(e, &p, d, IG_NO_RUN, error);
        for (size_t r = 0; r < d->runs && status == IG_OK; r++)
            if (d->run[r].group == r)
                status = add_row(e, &p, d, r, error);
    }
    if (e->document.original.sample.rows)
        ig_text_append(e->unlike, sizeof e->unlike,
                       "; estimated from a sample: %zu rows are queries",
                       e->document.original.sample.rows);
    if (status == IG_OK)
        status = ig_pivot_output(&p, e->options, e->options->team, error);
    ig_pivot_free(&p);
    return status;
}

/* --- the figure of --svg ---------------------------------------------------------- */

/* The original vectors of each version, with arrows to the meanings of each run. */
static void add_runs(ig_plane *plane, const eval *e)
{
    for (const ig_document *d = &e->document; d; d = d->next)
        for (size_t r = 0; r <= d->runs; r++) {
            const ig_document_run *run = r ? &d->run[r - 1] : NULL;
            const char *version = d->set->version ? d->set->version : "";
            const ig_evaluation *of = run ? &run->space[IG_SPACE_MEANING]
                                          : &d->original;
            const char *origin = run ? run->origin : "original";
            size_t fit = ig_text_fit(origin, strlen(origin), 60, NULL);
            double from[2], to[2];
            ig_track *t;

            for (int i = 0; i < 2; i++) {
                const char *name = e->plane[i]->name;

                from[i] = run ? ig_figures_value(&d->original.figures, name) : NAN;
                to[i] = ig_figures_value(&of->figures, name);
            }
            if (isnan(to[0]) || isnan(to[1]))
                continue;
            t = ig_plane_arrow(plane, from, to,
                               run ? ig_colour_run(r - 1) : IG_COLOUR_ORIGINAL);
            if (t)
                snprintf(t->name, sizeof t->name, "%.30s%s%.*s%s", version,
                         *version ? " " : "", (int)fit, origin, origin[fit] ? "…" : "");
        }
}

static ig_status write_figure(const eval *e, ig_error *error)
{
    const ig_document *d = &e->document;
    bool by = e->options->measure.by != IG_UNSET;
    const ig_space space[] = {IG_SPACE_LANGUAGE, IG_SPACE_MEANING}; /* of x, y */
    const ig_evaluation *ends[2][2] = {{NULL}}; /* first run, last */
    const char *last = by && d->runs > 1 ? d->run[1].origin : "";
    char label[2][120], rows[IG_NUMBER_SIZE];
    ig_plane plane = {
        .x_label = label[0], .y_label = label[1], .heading = e->options->project.title};

    for (size_t i = 0; i < 4 && by; i++)
        if (i > 1 || d->runs > 1)
            ends[i / 2][i % 2] =
                ig_document_space(d, i > 1 ? d->runs - 1 : 0, space[i % 2]);
    for (int i = 0; i < 2; i++)
        snprintf(label[i], sizeof label[i],
                 by || !d->runs ? "%.80s, %s embeddings" : "%.80s", e->plane[i]->label,
                 ig_space_name(by ? space[i] : IG_SPACE_ORIGINAL));
    snprintf(plane.title, sizeof plane.title, "%.60s, %s rows%s%.60s%s%.60s",
             d->set->name, ig_count_format(rows, d->subset->rows), by ? ": " : "",
             by ? d->run[0].origin : "", *last ? " → " : "", last);
    if (by && ends[1][0])
        ig_leakage_pairs(&plane, d->set, ends[0], ends[1], *e->plane,
                         e->options->measure.by == IG_BY_DIRECTION);
    else if (!by)
        add_runs(&plane, e);
    if (!plane.tracks)
        return ig_fail(error, IG_VALUE,
                       "%s: no values of %s%s%s; choose others by --measures",
                       e->options->project.drawn, e->plane[0]->name, by ? "" : " and ",
                       by ? "" : e->plane[1]->name);
    return ig_plane_output(&plane, e->options, error);
}

/* --- printing --------------------------------------------------------------------- */

/* Print, then write the report. */
static ig_status output_all(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_document *d = &e->document;
    const char *report = ig_comm_is_root(o->team) ? o->measure.report : NULL;
    ig_status status = describe_runs(e, error);

    if (status != IG_OK)
        return status;
    d->unlike = *e->unlike ? e->unlike + 2 : NULL;
    ig_pool_join(e->loaded->pool, NULL); /* the rest runs on the root process */
    if (o->measure.by != IG_UNSET)
        return output_tables(e, error);
    status = ig_document_print(d, stdout, (ig_table_format)o->measure.format,
                               ig_terminal_columns(stdout, 0), ig_locale_utf8(), error);
    if (status == IG_OK && report)
        status = ig_report_write(d, report, e->loaded->pool, NULL, error);
    if (status == IG_OK && o->measure.format == IG_AS_TABLE && report)
        printf("%-11s%s\n", "saved", report);
    return status;
}

ig_status ig_eval_command(const ig_options *options, ig_error *error)
{
    ig_loaded loaded = {0};
    eval begun = {.options = options, .loaded = &loaded}, *of = NULL;
    ig_status status;

    ig_interrupt_catch(false);
    status = begin_eval(&begun, error);
    if (status == IG_OK && !(of = ig_alloc(loaded.versions.count, sizeof *of)))
        status = ig_fail_memory(error, "the versions");
    for (size_t i = 0; i < loaded.versions.count && status == IG_OK; i++) {
        of[i] = begun;
        ig_load_version(&loaded, i);
        status = measure_version(&of[i], error);
        if (i) /* the documents are linked in the order of the versions */
            of[i - 1].document.next = &of[i].document;
    }
    if (status == IG_OK)
        status = output_all(of, error);
    if (status == IG_OK && options->project.drawn && ig_comm_is_root(options->team))
        status = write_figure(of, error);
    for (eval *e = of; e && e < of + loaded.versions.count; e++) {
        ig_document_free(&e->document);
        for (size_t i = 0; i < e->sources; i++) {
            ig_run_info_free(&e->source[i].read);
            ig_run_info_free(&e->source[i].asks);
            ig_run_delete(e->source[i].run);
        }
        ig_free(e->source);
        ig_subset_free(&e->subset);
        ig_free(e->judged.judgement);
        ig_load_other_free(&e->queries);
        ig_load_other_free(&e->training);
    }
    ig_free(of);
    ig_load_free(&loaded);
    return status;
}
