/* isogloss eval: every measure of a set and of runs on it, as a document
 * (report/document.h) in the form that was asked for. Nothing is printed before all is
 * measured, so that what is printed is whole. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/data_words.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/placing.h"
#include "cli/progress.h"
#include "draw/axes.h"
#include "measure/subject.h"
#include "runs/reporting.h"

#define FEWER                                                                          \
    "--limit N takes some of the ids, --measures NAME,... other measures, "            \
    "--pairing pivot fewer pairs"

/* One run: read from --run, or trained for --method. */
typedef struct source {
    ig_stored stored; /* read … */
    ig_run *run;      /* … or trained here (else NULL) */
    ig_model model;   /* of one trained on another set, for this one */
} source;

/* Do not move it: it points into itself. */
typedef struct eval {
    const ig_options *options;
    ig_loaded loaded;             /* its pairs are those to measure */
    char no_pairs[IG_ERROR_SIZE]; /* why, or "" */
    ig_set *train_on;             /* of --train, or NULL: the set that is measured */
    ig_pairs trained;             /* pairs that --method trains on */
    ig_data_words words;
    source *source; /* (sources) */
    size_t sources;
    ig_subset subset;         /* the rows and pairs that are measured */
    size_t memory;            /* that the rows may take (ig_subject) … */
    const char *directory;    /* … and where the rest of them lies */
    ig_measure_choice choice; /* of --measures */
    ig_document document;
} eval;

/* The values of --format, in its order. */
enum { TABLE, CSV, JSON, MARKDOWN, LATEX };

static int format_of(const ig_options *o)
{
    return o->json ? JSON : o->format == IG_UNSAID ? TABLE : o->format;
}

static int check_usage(const ig_options *o)
{
    if (o->json && o->format != IG_UNSAID && o->format != JSON)
        ig_complain("eval prints one form: --json or another --format, not both");
    else if (o->train_on && !o->method)
        ig_complain("--train SET is what --method NAME is trained on: it needs one");
    else if (o->train_meta && !o->train_on)
        ig_complain("--train-meta FILE is the table of --train SET: it needs one");
    else if (o->train_on && o->split > IG_DOCUMENT_ALL)
        ig_complain("--split is of the ids that a run was trained on: with --train SET "
                    "those are of another set");
    else if (o->split > IG_DOCUMENT_ALL && !o->run && !o->method)
        ig_complain("--split %s is that of a run: it needs --run RUN or --method NAME",
                    ig_document_split_name((ig_document_split)o->split));
    else
        return IG_EXIT_OK;
    return IG_EXIT_USAGE;
}

static ig_document_split split_of(const ig_options *o)
{
    return o->split == IG_UNSAID ? IG_DOCUMENT_ALL : (ig_document_split)o->split;
}

/* --- data ------------------------------------------------------------------------ */

/* The pairs to measure: of --pairs, of --pairing, or all; a set that has none is
 * measured as far as it goes. */
static ig_status open_pairs(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_error why = {0};
    ig_status status;

    if (o->pairs)
        return ig_load_given_pairs(&e->loaded, o, error);
    status = ig_pairs_derive(&e->loaded.pairs, e->loaded.set,
                             o->pairing ? o->pairing : "all", &why);
    if (status == IG_VALUE && !o->pairing) {
        memcpy(e->no_pairs, why.message, sizeof why.message);
        return IG_OK;
    }
    return status == IG_OK ? IG_OK : ig_fail(error, status, "%s", why.message);
}

/* All but the values, which a large set has not read in a moment. */
static ig_status open_data(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_status status = ig_load_open(&e->loaded, o, error);

    if (status == IG_OK)
        status = open_pairs(e, error);
    if (status == IG_OK)
        status = ig_load_scores(&e->loaded, o, error);
    if (status == IG_OK && e->choice.measures & IG_MEASURE_LABEL_TRANSFER &&
        !ig_label_to_transfer(e->loaded.set))
        status = ig_fail(error, IG_VALUE,
                         "--measures %s: %s has no column of labels that repeat",
                         o->measures, e->loaded.set->name);
    return status;
}

static ig_status check_values(eval *e, ig_error *error)
{
    ig_options silent = *e->options;

    /* The table has the notes itself. */
    silent.quiet |= format_of(e->options) == TABLE;
    return ig_load_check(&e->loaded, &silent, error);
}

/* --- runs ------------------------------------------------------------------------ */

/* Pairs to train on: pivot unless said otherwise, as `train` has it. Methods without
 * weights need none. */
static ig_status open_trained(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_objective objective;
    ig_status status = ig_objective_load(&objective, o->method, error);
    bool needs = status == IG_OK && ig_extractor_needs_pairs(objective.extractor);

    ig_objective_free(&objective);
    if (status == IG_OK && o->train_on) {
        ig_set_options data = {
            .meta = o->train_meta, .dims = o->set.dims, .inputs = &e->loaded.inputs};

        status = ig_set_open(&e->train_on, &o->train_on, 1, &data, error);
        if (status == IG_OK)
            status = ig_set_check(e->train_on, NULL, ig_interrupt_flag(), error);
    }
    if (status != IG_OK || (o->pairs && !o->train_on))
        return status;
    status = ig_pairs_derive(&e->trained, e->train_on ? e->train_on : e->loaded.set,
                             o->pairing, error);
    return status == IG_VALUE && !needs && !o->pairing ? IG_OK : status;
}

static const ig_pairs *trained_pairs(const eval *e)
{
    return e->options->pairs && !e->train_on ? &e->loaded.pairs : &e->trained;
}

static ig_status train(eval *e, source *s, ig_error *error)
{
    const ig_options *o = e->options;
    ig_status status = open_trained(e, error);
    ig_run_setup setup = {.set = e->train_on ? e->train_on : e->loaded.set,
                          .pairs = trained_pairs(e),
                          .method = o->method,
                          .options = o->train,
                          .pairing = o->pairs && !o->train_on ? "file" : o->pairing,
                          .init = o->init,
                          .pool = e->loaded.pool,
                          .stop = ig_interrupt_flag()};

    if (status == IG_OK)
        status = ig_run_new(&s->run, &setup, error);
    if (status == IG_OK)
        status = ig_train_loop(s->run, NULL, o->quiet, NULL, NULL, error);
    if (status == IG_OK && e->train_on)
        status = ig_model_take(&s->model, ig_trainer_best(s->run->trainer, NULL),
                               e->train_on, e->loaded.set, error);
    return status;
}

static size_t count_runs(const ig_options *o)
{
    return o->run_paths + (o->method ? 1 : 0);
}

/* Read or train the runs, and tell them in the document. */
static ig_status open_runs(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    size_t runs = count_runs(o);
    ig_status status = ig_document_init(&e->document, e->loaded.set, runs, error);

    e->document.split = split_of(o);
    e->document.of_scores = e->loaded.scores.count;
    e->source = ig_alloc(runs, sizeof *e->source);
    if (status == IG_OK && (!e->source || !ig_data_words_init(&e->words, o)))
        status = ig_fail_memory(error, "the runs");
    for (size_t i = 0; i < runs && status == IG_OK; i++) {
        source *s = &e->source[e->sources++];

        status = i < o->run_paths ? ig_stored_read(&s->stored, o->run_path[i],
                                                   e->loaded.set, false, error)
                                  : train(e, s, error);
        if (status == IG_OK)
            status = ig_reporting_add(
                &e->document,
                &(ig_reported){.number = i + 1,
                               .run = s->run,
                               .stored = &s->stored,
                               .model = s->run && e->train_on ? &s->model : NULL,
                               .data = s->run && e->train_on ? &o->train_on
                                                             : e->words.word,
                               .words = s->run && e->train_on ? 1 : e->words.count},
                error);
    }
    return status;
}

/* --- what is measured ------------------------------------------------------------ */

static ig_status mark_run(const eval *e, size_t i, uint8_t *mark, ig_error *error)
{
    const source *s = &e->source[i];
    static const ig_split_part parts[] = {[IG_DOCUMENT_VALID] = IG_SPLIT_VALID,
                                          [IG_DOCUMENT_TRAIN] = IG_SPLIT_TRAIN,
                                          [IG_DOCUMENT_HOLDOUT] = IG_SPLIT_HOLDOUT};
    ig_split_part part = parts[e->document.split];

    if (!s->run)
        return ig_stored_split(&s->stored, e->loaded.set,
                               e->options->pairs ? &e->loaded.pairs : NULL, part, mark,
                               error);
    if (part != IG_SPLIT_TRAIN && ig_split_count(&s->run->split, part) == 0)
        return ig_fail(error, IG_VALUE, "%s held nothing out (--%s 0)",
                       e->document.run[i].name,
                       part == IG_SPLIT_HOLDOUT ? "holdout" : "valid");
    return ig_split_mark(&s->run->split, e->loaded.set, trained_pairs(e), part, mark,
                         error);
}

/* The rows of the split, which must be that of every run. */
static ig_status mark_split(const eval *e, uint8_t *mark, ig_error *error)
{
    const ig_document *d = &e->document;
    size_t rows = e->loaded.set->rows;
    uint8_t *other = ig_alloc(rows, 1);
    ig_status status = other ? mark_run(e, 0, mark, error)
                             : ig_fail_memory(error, "a split");

    for (size_t i = 1; i < e->sources && status == IG_OK; i++) {
        status = mark_run(e, i, other, error);
        if (status == IG_OK && memcmp(mark, other, rows) != 0)
            status = ig_fail(error, IG_VALUE,
                             "%s and %s were split differently: --split %s measures "
                             "runs of one split, or one run at a time",
                             d->run[0].name, d->run[i].name,
                             ig_document_split_name(d->split));
    }
    ig_free(other);
    return status;
}

/* The rows of the split of the runs, or all. */
static ig_status choose(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    uint8_t *mark = NULL;
    ig_status status = IG_OK;

    if (split_of(o) != IG_DOCUMENT_ALL) {
        mark = ig_alloc(e->loaded.set->rows, 1);
        status = mark ? mark_split(e, mark, error) : ig_fail_memory(error, "a split");
    }
    if (status == IG_OK && mark)
        ig_scores_keep(&e->loaded.scores, mark);
    if (status == IG_OK)
        status = ig_subset_take(&e->subset, e->loaded.set, &e->loaded.pairs, mark, 0,
                                o->seed, error);
    ig_free(mark);
    return status;
}

/* What else is told of the data, and what was typed. */
static void tell_data(eval *e)
{
    const ig_options *o = e->options;
    ig_document *d = &e->document;
    char some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];
    const char *line = "isogloss";

    for (size_t i = 0; i < e->sources; i++)
        d->run[i].transductive = e->source[i].run && !e->train_on &&
                                 d->split == IG_DOCUMENT_ALL &&
                                 d->run[i].extractor->kind != IG_IDENTITY;
    d->ci = o->ci;
    d->zero_rows = e->loaded.zero_rows;
    d->seed = o->seed;
    d->subset = &e->subset;
    d->pairing = o->pairs ? o->pairs : o->pairing ? o->pairing : "all languages";
    d->chosen = o->pairs || o->pairing;
    d->no_pairs = *e->no_pairs ? e->no_pairs : NULL;
    d->scores = o->scores;
    d->scored = e->loaded.scores.count;
    ig_reporting_machine(d);
    for (size_t i = 0; i < o->words; i++)
        ig_property_list_add(&d->properties, "file", "%s", o->word[i]);
    if (o->scores)
        ig_property_list_add(&d->properties, "scores", "%s, %s of %s pairs", o->scores,
                             ig_count_format(some, d->scored),
                             ig_count_format(all, d->of_scores));
    if (d->no_pairs)
        ig_property_list_add(&d->properties, "note", "%s", d->no_pairs);
    ig_property_list_add(&d->properties, "seed", "%llu", (unsigned long long)o->seed);
    if (o->config)
        ig_property_list_add(&d->properties, "config file", "%s", o->config);
    for (size_t i = 0; i < o->typed_words; i++)
        line = ig_property_list_join(&d->properties, line, " ", o->typed[i]);
    ig_reporting_line(d, line);
}

/* --- measuring ------------------------------------------------------------------- */

static void tell(void *context, const char *what, double share)
{
    ig_progress_share(context, what, share);
}

static ig_subject subject_of(const eval *e)
{
    const ig_options *o = e->options;
    ig_subject subject = ig_subject_of(e->loaded.set, &e->subset,
                                       o->scores ? &e->loaded.scores : NULL, o->seed);

    subject.sample = o->sample;
    subject.intervals = o->ci || o->sample;
    subject.memory = e->memory;
    subject.directory = e->directory;
    if (o->measures)
        subject.measures &= e->choice.measures;
    return subject;
}

/* Where the rows lie, in memory or in files, or why there is no room. */
static ig_status place_rows(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_subject subject = subject_of(e);
    ig_status status = ig_placing_choose(
        &subject,
        &(ig_placing){.rows = &e->loaded.originals,
                      .shown = e->subset.rows,
                      .spaces = 2 * (double)count_runs(o),
                      .threads = ig_pool_threads(e->loaded.pool),
                      .team = o->team,
                      .advice = subject.sample || o->ci
                                    ? FEWER
                                    : "--sample N lets some of the rows ask, " FEWER,
                      .quiet = o->quiet},
        error);

    e->memory = subject.memory;
    e->directory = subject.directory;
    return status;
}

/* What is measured, and whether there is room for it. */
static ig_status plan(eval *e, ig_error *error)
{
    ig_status status = choose(e, error);

    return status == IG_OK ? place_rows(e, error) : status;
}

/* What a forecast is made of. */
typedef struct forecast {
    const eval *e;
    const ig_subject *subject;
} forecast;

/* "--sample 20000 takes 20 s": the largest sample that takes so long, at most, or the
 * smallest, where that is much less than what is measured. */
static void advise(void *context, double seconds, char *out, size_t size)
{
    static const size_t samples[] = {100000, 50000, 20000, 10000, 5000, 2000, 1000};
    enum { SAMPLES = sizeof samples / sizeof *samples, SOON = 20 };
    const forecast *f = context;
    const ig_rows *rows = &f->e->loaded.originals;
    ig_subject some = *f->subject;
    size_t asks = some.sample ? some.sample : f->e->subset.rows;
    double all = ig_document_work(&f->e->document, rows, f->subject), takes = seconds;
    char time[32];

    for (size_t i = 0; i < SAMPLES && takes > SOON; i++)
        if (2 * samples[i] <= asks) {
            some.sample = samples[i];
            takes = seconds * ig_document_work(&f->e->document, rows, &some) / all;
        }
    if (takes > seconds / 2)
        return;
    ig_progress_about(time, sizeof time, takes);
    snprintf(out, size, "--sample %zu takes %s; ", some.sample, time);
}

static ig_status measure(eval *e, ig_error *error)
{
    ig_subject subject = subject_of(e);
    forecast of = {e, &subject};
    ig_progress progress;
    ig_status status;

    ig_progress_init(&progress, e->options->quiet);
    progress.advice =
        "--limit N takes some of the ids, --measures NAME,... some of the measures";
    progress.advise = advise;
    progress.adviser = &of;
    status = ig_document_measure(&e->document, &e->loaded.originals, &subject,
                                 e->loaded.pool, ig_interrupt_flag(), tell, &progress,
                                 error);
    ig_progress_end(&progress);
    return status;
}

/* Whether the report can be written, before hours are spent. */
static ig_status check_report(const char *path, ig_error *error)
{
    ig_writer writer = {0};
    ig_status status = ig_report_check(path, error);

    if (status != IG_OK)
        return status;
    status = ig_writer_open(&writer, path, error);
    ig_writer_abort(&writer);
    return status;
}

static ig_status choose_measures(eval *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_status status = IG_OK;

    if (o->measures)
        status = ig_measures_choose(&e->choice, "--measures", o->measures, error);
    if (status == IG_OK && !o->scores && ig_choice_needs_scores(&e->choice))
        status = ig_fail(error, IG_USAGE,
                         "--measures %s: similarity is to scores, and there are no "
                         "--scores FILE",
                         o->measures);
    return status;
}

/* The report that this rank writes, or NULL. */
static const char *own_report(const eval *e)
{
    return ig_team_speaks(e->options->team) ? e->options->report : NULL;
}

/* Measure all that is asked for. What needs no run is planned before values are read
 * and runs trained: it may not fit. */
static ig_status take(eval *e, ig_error *error)
{
    const char *report = own_report(e);
    bool all = split_of(e->options) == IG_DOCUMENT_ALL;
    ig_status status = report ? check_report(report, error) : IG_OK;

    if (status == IG_OK)
        status = choose_measures(e, error);
    if (status == IG_OK)
        status = open_data(e, error);
    if (status == IG_OK && all)
        status = plan(e, error);
    if (status == IG_OK)
        status = check_values(e, error);
    if (status == IG_OK)
        status = open_runs(e, error);
    if (status == IG_OK && !all)
        status = plan(e, error);
    if (status != IG_OK)
        return status;
    tell_data(e);
    status = measure(e, error);
    return status == IG_OK && ig_interrupted() ? IG_INTERRUPTED : status;
}

/* --- printing -------------------------------------------------------------------- */

/* `reported`: the report is written. */
static int print(const eval *e, bool reported, ig_error *error)
{
    const ig_options *o = e->options;
    const ig_document *d = &e->document;
    size_t columns = ig_terminal_columns(stdout);
    ig_status status;

    columns = columns ? columns : 80;
    switch (format_of(o)) {
    case JSON:
        status = ig_document_json(d, stdout, error);
        break;
    case CSV:
        ig_document_csv(d, stdout);
        return IG_EXIT_OK;
    case MARKDOWN:
        status = ig_document_markdown(d, stdout, error);
        break;
    case LATEX:
        status = ig_document_latex(d, stdout, error);
        break;
    default:
        status = ig_document_text(d, stdout, columns, ig_locale_utf8(), error);
        if (status == IG_OK && reported)
            ig_document_line(stdout, "written", o->report, columns);
    }
    return status == IG_OK ? IG_EXIT_OK : ig_fail_exit(error);
}

/* Write the report, then print: the figures are had whatever became of it. */
static ig_status tell_all(const eval *e, int *code, ig_error *error)
{
    const char *report = own_report(e);
    ig_error why = {0};
    ig_status status;

    ig_pool_join(e->loaded.pool, NULL); /* what is left is this rank's alone */
    status = report ? ig_report_write(&e->document, report, e->loaded.pool,
                                      ig_interrupt_flag(), error)
                    : IG_OK;

    if (status != IG_INTERRUPTED)
        *code = print(e, report && status == IG_OK, &why);
    return status;
}

static void close_all(eval *e)
{
    ig_document_free(&e->document);
    for (size_t i = 0; i < e->sources; i++) {
        ig_stored_free(&e->source[i].stored);
        ig_run_delete(e->source[i].run);
        ig_model_free(&e->source[i].model);
    }
    ig_free(e->source);
    ig_subset_free(&e->subset);
    ig_pairs_free(&e->trained);
    ig_set_free(e->train_on);
    ig_data_words_free(&e->words);
    ig_load_free(&e->loaded);
}

int ig_eval_command(const ig_options *options)
{
    eval e = {.options = options};
    ig_error error = {0};
    ig_status status;
    int code = check_usage(options);

    if (code != IG_EXIT_OK)
        return code;
    ig_interrupt_catch(IG_INTERRUPT_SECOND);
    status = take(&e, &error);
    if (status == IG_OK)
        status = tell_all(&e, &code, &error);
    if (status == IG_INTERRUPTED)
        code = IG_EXIT_INTERRUPTED;
    else if (status != IG_OK)
        code = ig_fail_exit(&error);
    if (status == IG_INTERRUPTED && !options->quiet)
        ig_complain("interrupted; nothing was measured to its end");
    close_all(&e);
    return code;
}
