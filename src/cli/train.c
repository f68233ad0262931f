/* isogloss train: a training without a screen, ended by its method, by a limit or by
 * Ctrl-C, and written as a run directory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/decimal.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/run_path.h"
#include "draw/axes.h"
#include "runs/run_directory.h"

static const char DEFAULT_METHOD[] = "seed";

/* Methods without weights need no pairs: a set without ids will do. */
static ig_status ask_method(const char *method, bool *pairs, ig_error *error)
{
    ig_objective objective;
    ig_status status = ig_objective_load(&objective, method, error);

    *pairs = status == IG_OK && ig_extractor_needs_pairs(objective.extractor);
    ig_objective_free(&objective);
    return status;
}

static bool is_there(const char *directory, const char *name)
{
    char *path = ig_path_join(directory, name);
    bool there = path && access(path, F_OK) == 0;

    ig_free(path);
    return there;
}

static bool is_same(const char *one, const char *other)
{
    struct stat a, b;

    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Lock --out, which holds no run but that of --resume, unless --overwrite says that its
 * run may go. */
static ig_status open_out(ig_dir *dir, const ig_options *options, ig_error *error)
{
    const char *out = options->out;
    ig_status status =
        ig_run_path_open(dir, out, &ig_run_dir, options->team, options->quiet, error);

    if (status == IG_OK && dir->marker.st_ino && !options->overwrite &&
        !(options->resume && is_same(options->resume, out)))
        status = ig_fail(error, IG_IO,
                         "%s holds a run already: --overwrite replaces it%s", out,
                         is_there(out, "checkpoint") ? ", --resume continues it" : "");
    return ig_team_agree(options->team, status, error);
}

static ig_status open_run(ig_run **run, ig_loaded *loaded, ig_dir *dir,
                          const ig_options *options, ig_error *error)
{
    ig_run_setup setup = {
        .method = options->method ? options->method : DEFAULT_METHOD,
        .options = options->train,
        .pairing = options->pairs ? "file" : options->pairing,
        .init = options->init,
        .checkpoint = options->checkpoint,
    };
    bool needs;
    ig_status status = ask_method(setup.method, &needs, error);

    if (status == IG_OK)
        status = open_out(dir, options, error);
    if (status == IG_OK)
        status = ig_load_open(loaded, options, error);
    if (status == IG_OK)
        status = ig_load_check(loaded, options, error);
    if (status == IG_OK)
        status = ig_load_pairs(loaded, options, !needs, error);
    setup.set = loaded->set;
    setup.pairs = &loaded->pairs;
    setup.pool = loaded->pool;
    if (status == IG_OK)
        status = ig_run_new(run, &setup, error);
    if (status == IG_OK && options->checkpoint && !(*run)->setup.checkpoint &&
        !options->quiet)
        ig_complain("note: %s is done at once and has no checkpoints",
                    (*run)->objective.name);
    return status;
}

/* --- going on with a run ---------------------------------------------------------- */

/* An option that is said and is not what the run had. */
static ig_status check_options(const ig_options *options, const ig_stored *stored,
                               ig_error *error)
{
    const ig_train_option *option;
    const ig_train_options *asked = &options->train, *had = &stored->options;

    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        const ig_setting *field = &option->field;
        char now[IG_SETTING_SIZE], then[IG_SETTING_SIZE], usual[IG_SETTING_SIZE];
        ig_train_options defaults = ig_train_defaults();

        if (strcmp(field->name, "epochs") == 0 || !ig_setting_said(field, asked))
            continue;
        ig_setting_format(field, asked, now);
        ig_setting_format(field, &defaults, usual);
        ig_setting_format(field, had, then);
        /* Of the seed it is not known whether it was said. */
        if (strcmp(now, then) != 0 && (option->method || strcmp(now, usual) != 0))
            return ig_fail(error, IG_VALUE,
                           "--%s is %s, but the run %s has %s: it goes on as it began "
                           "(--epochs alone may change)",
                           field->name, now, options->resume, then);
    }
    if (options->method && strcmp(options->method, stored->method) != 0)
        return ig_fail(
            error, IG_VALUE,
            "--method is %s, but the run %s is of %s: it goes on as it began",
            options->method, options->resume, stored->method);
    if (options->init)
        return ig_fail(error, IG_VALUE,
                       "--init %s: the run %s goes on from its own checkpoint",
                       options->init, options->resume);
    return IG_OK;
}

/* Pairs as the run had them. */
static ig_status resumed_pairs(ig_loaded *loaded, const ig_options *options,
                               const ig_stored *stored, ig_error *error)
{
    const char *had = stored->pairing ? stored->pairing : "pivot";
    bool file = strcmp(had, "file") == 0;
    ig_options with = *options;

    if (file && !options->pairs)
        return ig_fail(error, IG_VALUE,
                       "the run %s was trained on pairs of a file: to go on it needs "
                       "the same --pairs",
                       options->resume);
    if (!file &&
        (options->pairs || (options->pairing && strcmp(options->pairing, had) != 0)))
        return ig_fail(error, IG_VALUE,
                       "%s %s: the run %s was trained on pairs of ids (--pairing %s)",
                       options->pairs ? "--pairs" : "--pairing",
                       options->pairs ? options->pairs : options->pairing,
                       options->resume, had);
    with.pairing = file ? NULL : had;
    return ig_load_pairs(loaded, &with, false, error);
}

/* had: epochs that it was to have before --epochs changed them. */
static ig_status check_ended(const ig_run *run, size_t had, const char *path,
                             ig_error *error)
{
    size_t last = run->records ? run->records - 1 : 0, now = run->options.epochs;

    if (ig_run_going(run))
        return IG_OK;
    if (ig_trainer_state(run->trainer) == IG_TRAIN_ALL_EPOCHS &&
        (now < last || last < had))
        return ig_fail(error, IG_VALUE,
                       "the run %s has done %zu of %zu epochs; --epochs %zu is %s",
                       path, last, had, now, now < last ? "fewer" : "no more");
    if (ig_trainer_state(run->trainer) == IG_TRAIN_ALL_EPOCHS)
        return ig_fail(error, IG_VALUE,
                       "the run %s has ended: all its %zu epochs are done; --epochs N "
                       "with a greater number goes on",
                       path, last);
    return ig_fail(error, IG_VALUE, "the run %s has ended after epoch %zu: %s", path,
                   last, ig_run_ending(run));
}

/* Go on with the run of --resume. */
static ig_status open_resumed(ig_run **run, ig_loaded *loaded, ig_stored *stored,
                              ig_dir *dir, const ig_options *options, ig_error *error)
{
    char *json = ig_path_join(options->resume, "run.json");
    ig_run_setup setup = {.resume = options->resume};
    ig_status status = json ? IG_OK : ig_fail_memory(error, "a file name");

    ig_dir_recover(options->resume, &ig_run_dir);
    if (json && access(json, F_OK) != 0)
        status =
            ig_fail(error, IG_IO, "%s: there is no run (no run.json)", options->resume);
    ig_free(json);
    if (status == IG_OK)
        status = open_out(dir, options, error);
    if (status == IG_OK)
        status = ig_load_open(loaded, options, error);
    if (status == IG_OK)
        status = ig_stored_read(stored, options->resume, loaded->set, false, error);
    if (status == IG_OK)
        status = check_options(options, stored, error);
    if (status == IG_OK)
        status = ig_load_check(loaded, options, error);
    if (status == IG_OK)
        status = resumed_pairs(loaded, options, stored, error);
    if (status == IG_OK)
        status = ig_stored_resumable(stored, loaded->set, &loaded->pairs, &setup.values,
                                     error);
    if (status != IG_OK)
        return status;
    setup.set = loaded->set;
    setup.pairs = &loaded->pairs;
    setup.pool = loaded->pool;
    setup.method = stored->method;
    setup.text = stored->objective;
    setup.options = stored->options;
    if (options->train.epochs)
        setup.options.epochs = options->train.epochs;
    setup.pairing = stored->pairing;
    setup.checkpoint = options->checkpoint ? options->checkpoint : stored->checkpoint;
    status = ig_run_new(run, &setup, error);
    if (status == IG_OK)
        status = check_ended(*run, stored->options.epochs, options->resume, error);
    if (status == IG_OK && !options->quiet)
        ig_complain("note: %s goes on after epoch %zu", options->resume,
                    (*run)->records - 1);
    return status;
}

/* What there is to go on with; said at once when the ranks are told to end, for a rank
 * that is no more keeps the others from their next batch. */
struct checkpoints {
    ig_options *options;
    ig_dir *dir;
    char words[2][IG_ERROR_SIZE]; /* that stands, and the next one */
    int turn;
};

/* Seconds that ranks have for their batch once they are told to end. */
enum { LAST_BATCH = 30 };

/* run: a checkpoint of it was written; NULL: none yet. */
static void prepare_words(struct checkpoints *c, const ig_run *run)
{
    const ig_options *options = c->options;
    char *words = c->words[c->turn = !c->turn];
    char last[IG_ERROR_SIZE / 2];

    if (!options->team)
        return;
    if (run)
        snprintf(last, sizeof last, "%.200s has epoch %zu, and --resume goes on",
                 options->out, run->records - 1);
    else
        snprintf(last, sizeof last, "there is no checkpoint to go on with%s",
                 options->checkpoint ? "" : " (--checkpoint N)");
    snprintf(
        words, IG_ERROR_SIZE,
        "isogloss: the job is told to end, by somebody or because a rank has ended; "
        "%s\n",
        last);
    ig_interrupt_ranks(ig_team_speaks(options->team) ? words : NULL, LAST_BATCH);
}

/* Write the run into the directory that was locked for it at the start, or into a free
 * one when another run stands there by now: --out is then that one's name. */
static ig_status write_run(const ig_run *run, ig_dir *dir, ig_options *options,
                           ig_error *error)
{
    unsigned moved = dir->moved;
    ig_status status = ig_run_write_into(run, dir, error);

    if (dir->moved == moved)
        return status;
    if (status == IG_OK)
        ig_complain("another run was written meanwhile and stays; this one is saved "
                    "as %s",
                    dir->shown);
    options->out = dir->shown;
    return status;
}

/* After the epochs of which one is due, by one rank for all. A disk that is full now
 * may have room for the next one. */
static void write_checkpoint(ig_run *run, void *context)
{
    struct checkpoints *c = context;
    ig_error error;

    if (!ig_team_speaks(c->options->team))
        return;
    if (write_run(run, c->dir, c->options, &error) == IG_OK)
        prepare_words(c, run);
    else
        ig_complain("no checkpoint of epoch %zu: %s", run->records - 1, error.message);
}

/* --- what it came to -------------------------------------------------------------- */

/* Rows of the training batches, and how many were their own partner. */
static size_t self_partners(const ig_run *run, size_t *rows)
{
    size_t selves = 0;

    *rows = 0;
    for (size_t i = 1; i < run->records; i++) {
        selves += run->record[i].epoch.self_partners;
        *rows += run->record[i].epoch.rows;
    }
    return selves;
}

static bool batch_shrunk(const ig_run *run)
{
    return run->objective.extractor >= IG_RESIDUAL &&
           ig_trainer_batch(run->trainer) < run->options.batch;
}

/* A figure with the digits it has in epochs.csv. */
static ig_json *figure(double value)
{
    char text[IG_SHORTEST_SIZE];

    snprintf(text, sizeof text, "%.9g", value);
    return ig_json_real(isfinite(value) ? strtod(text, NULL) : NAN);
}

static ig_json *data_json(const ig_run *run)
{
    const ig_set *set = run->setup.set;
    ig_json *out = ig_json_object();
    ig_json *languages = ig_json_object();

    for (size_t k = 0; k < set->languages; k++)
        ig_json_put(languages, set->language[k], ig_json_count(set->language_rows[k]));
    ig_json_put(out, "name", ig_json_text(set->name));
    ig_json_put(out, "rows", ig_json_count(run->data.rows));
    if (set->notes.sampled_from)
        ig_json_put(out, "sampled_from", ig_json_count(set->notes.sampled_from));
    ig_json_put(out, "dims", ig_json_count(set->dims));
    ig_json_put(out, "languages", languages);
    ig_json_put(out, "pairs", ig_json_count(run->data.pairs));
    ig_json_put(out, "train_pairs", ig_json_count(run->data.part[IG_SPLIT_TRAIN]));
    ig_json_put(out, "valid_pairs", ig_json_count(run->data.part[IG_SPLIT_VALID]));
    ig_json_put(out, "holdout_pairs", ig_json_count(run->data.part[IG_SPLIT_HOLDOUT]));
    return out;
}

static ig_json *epoch_json(const ig_run *run, const ig_run_record *record)
{
    const ig_geometry *meaning = &record->geometry[IG_SPACE_MEANING];
    const ig_epoch *e = &record->epoch;
    ig_json *out = ig_json_object();
    ig_json *terms = ig_json_object();

    for (size_t t = 0; t < run->objective.terms; t++)
        ig_json_put(terms, run->objective.term[t].name, figure(e->value[t]));
    ig_json_put(out, "epoch", ig_json_count(e->epoch));
    ig_json_put(out, "train_loss", figure(e->train_loss));
    ig_json_put(out, "valid_loss", figure(e->valid_loss));
    ig_json_put(out, "alignment", figure(meaning->alignment));
    ig_json_put(out, "uniformity", figure(meaning->uniformity));
    ig_json_put(out, "seconds", figure(e->seconds));
    ig_json_put(out, "pairs_per_second", figure(e->pairs_per_second));
    ig_json_put(out, "terms", terms);
    return out;
}

static ig_json *spaces_json(const ig_run *run)
{
    ig_json *out = ig_json_object();

    for (int s = 0; s < IG_SPACES; s++) {
        ig_json *space = ig_json_object();

        ig_json_put(space, "alignment", figure(run->final[s].alignment));
        ig_json_put(space, "uniformity", figure(run->final[s].uniformity));
        ig_json_put(out, ig_space_name((ig_space)s), space);
    }
    return out;
}

static int put_json(const ig_run *run, const ig_options *options, ig_status ended)
{
    const ig_run_record *best = ig_run_best(run);
    ig_json *out = ig_json_object();
    ig_json *epochs = ig_json_array();
    ig_json *measured = ig_json_object(), *trained;
    ig_json *noted = ig_json_array();
    char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE];
    size_t rows, notes = ig_run_notes(run, note);

    for (size_t i = 0; i < notes; i++)
        ig_json_push(noted, ig_json_text(note[i]));
    for (size_t i = 0; i < run->records; i++)
        ig_json_push(epochs, epoch_json(run, &run->record[i]));
    ig_json_put(measured, "pairs", ig_json_count(run->drawn));
    ig_json_put(measured, "pairs_live", ig_json_count(run->measured));
    ig_json_put(measured, "of", ig_json_count(run->measurable));
    ig_json_put(measured, "held_out", ig_json_bool(run->measured_valid));

    ig_json_put(out, "method", ig_json_text(run->objective.name));
    ig_json_put(out, "extractor",
                ig_json_text(ig_extractor_name(run->objective.extractor)));
    ig_json_put(out, "seed", ig_json_count((size_t)run->options.seed));
    if (options->team)
        ig_json_put(out, "ranks", ig_json_count(ig_team_ranks(options->team)));
    trained = ig_train_options_json(&run->options);
    ig_json_put(trained, "batch_used", ig_json_count(ig_trainer_batch(run->trainer)));
    ig_json_put(out, "options", trained);
    ig_json_put(out, "data", data_json(run));
    ig_json_put(out, "epochs", epochs);
    ig_json_put(out, "best", ig_json_count(best->epoch.epoch));
    ig_json_put(
        out, "ending",
        ig_json_text(ended == IG_INTERRUPTED ? "interrupted" : ig_run_ending(run)));
    ig_json_put(out, "spaces", spaces_json(run));
    ig_json_put(out, "measured", measured);
    ig_json_put(out, "notes", noted);
    ig_json_put(out, "self_partners", ig_json_count(self_partners(run, &rows)));
    ig_json_put(out, "partner_rows", ig_json_count(rows));
    ig_json_put(out, "seconds", figure(run->seconds));
    ig_json_put(out, "path", ig_json_text(options->out));
    return ig_json_print(out);
}

/* --- lines ----------------------------------------------------------------------- */

static void put_losses(const ig_run *run, const ig_run_record *best)
{
    char train[IG_NUMBER_SIZE], valid[IG_NUMBER_SIZE];

    if (isnan(best->epoch.train_loss) && isnan(best->epoch.valid_loss))
        return;
    printf("loss         train %s",
           ig_fixed_format(train, best->epoch.train_loss, 4, 1));
    if (run->data.part[IG_SPLIT_VALID])
        printf("  valid %s", ig_fixed_format(valid, best->epoch.valid_loss, 4, 1));
    putchar('\n');
}

static void put_measure(const char *label, double original, double meaning,
                        double language)
{
    char number[3][IG_NUMBER_SIZE];

    printf("%-12s original %s -> meaning %s", label,
           ig_fixed_format(number[0], original, 3, 1),
           ig_fixed_format(number[1], meaning, 3, 1));
    if (!isnan(language))
        printf(", language %s", ig_fixed_format(number[2], language, 3, 1));
    putchar('\n');
}

static void put_measures(const ig_run *run)
{
    const ig_geometry *g = run->final;
    char some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];

    if (run->measured == 0) {
        puts("measured     nothing: there are no pairs");
        return;
    }
    put_measure("live align", g[IG_SPACE_ORIGINAL].alignment,
                g[IG_SPACE_MEANING].alignment, g[IG_SPACE_LANGUAGE].alignment);
    put_measure("live unif", g[IG_SPACE_ORIGINAL].uniformity,
                g[IG_SPACE_MEANING].uniformity, g[IG_SPACE_LANGUAGE].uniformity);
    printf("measured     on %s of %s %s pairs of the run's own languages\n",
           ig_count_format(some, run->drawn), ig_count_format(all, run->measurable),
           run->measured_valid ? "held-out" : "training");
}

/* What the reader of the figures should know. */
static void put_caveats(const ig_run *run)
{
    size_t untrained = ig_trainer_untrained_languages(run->trainer);
    size_t rows, selves = self_partners(run, &rows);
    char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE];
    size_t notes = ig_run_notes(run, note);
    char some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];

    if (batch_shrunk(run))
        printf("note         the batch shrank from %zu to %zu, the number of training "
               "pairs\n",
               run->options.batch, ig_trainer_batch(run->trainer));
    if (selves)
        printf("note         %s of %s rows were their own partner: a language is rare "
               "for this batch\n",
               ig_count_format(some, selves), ig_count_format(all, rows));
    if (untrained && ig_form_of(run->objective.extractor)->unknown)
        printf("note         %zu language%s without a training row; %s\n", untrained,
               untrained == 1 ? "" : "s",
               ig_form_of(run->objective.extractor)->unknown);
    for (size_t i = 0; i < notes; i++)
        printf("note         %s\n", note[i]);
}

static void put_lines(const ig_run *run, const ig_options *options, ig_status ended)
{
    const ig_run_record *best = ig_run_best(run);
    const ig_run_record *last = &run->record[run->records - 1];
    char seconds[IG_NUMBER_SIZE], speed[IG_NUMBER_SIZE];

    printf("method       %s on %s\n", run->objective.name, run->setup.set->name);
    printf("best         epoch %zu of %zu (%s)\n", best->epoch.epoch, last->epoch.epoch,
           ended == IG_INTERRUPTED ? "interrupted" : ig_run_ending(run));
    put_losses(run, best);
    put_measures(run);
    put_caveats(run);
    printf("time         %s s", ig_fixed_format(seconds, run->seconds, 1, 1));
    if (last->epoch.pairs_per_second > 0)
        printf(", %s pairs/s",
               ig_count_format(speed, (size_t)last->epoch.pairs_per_second));
    printf("\nwritten      %s\n", options->out);
}

static int tell_run(const ig_run *run, const ig_options *options, ig_status ended)
{
    if (options->json)
        return put_json(run, options, ended);
    if (!options->quiet)
        put_lines(run, options, ended);
    return IG_EXIT_OK;
}

/* --- the command ------------------------------------------------------------------ */

/* What is to be said when it did not end by itself. */
static void tell_end(const ig_run *run, ig_status ended, const char *why,
                     const ig_options *options)
{
    const ig_run_record *best = ig_run_best(run);

    if (ended != IG_OK && ended != IG_INTERRUPTED)
        ig_complain("%s", why);
    if (ended != IG_OK && !best)
        ig_complain("nothing was trained yet, and nothing is written");
    else if (ended == IG_INTERRUPTED && !options->quiet)
        ig_complain("interrupted in epoch %zu; %s has the best one, epoch %zu",
                    run->records, options->out, best->epoch.epoch);
    else if (ended != IG_OK && !options->quiet)
        ig_complain("%s has the best epoch before that, %zu", options->out,
                    best->epoch.epoch);
}

int ig_train_command(const ig_options *asked)
{
    ig_options with = *asked;
    const ig_options *options = &with;
    ig_loaded loaded = {0};
    ig_stored stored = {0};
    ig_dir dir = {0};
    struct checkpoints checkpoints = {.options = &with, .dir = &dir};
    ig_run *run = NULL;
    ig_error error = {0}, written = {0};
    ig_status status, ended;
    int code = IG_EXIT_OK;

    if (!with.out)
        with.out = with.resume;
    if (!with.out) {
        ig_complain("train needs --out RUN, the run directory to write");
        return IG_EXIT_USAGE;
    }
    status = with.resume ? open_resumed(&run, &loaded, &stored, &dir, options, &error)
                         : open_run(&run, &loaded, &dir, options, &error);
    if (status != IG_OK) {
        code = ig_fail_exit(&error);
        goto done;
    }
    ig_interrupt_catch(IG_INTERRUPT_WRITES);
    prepare_words(&checkpoints, NULL);
    ended = ig_train_loop(run, NULL, options->quiet, write_checkpoint, &checkpoints,
                          &error);
    ig_interrupt_ranks(NULL, 0);
    run->stopped = true;
    if (ended != IG_OK)
        code = ended == IG_INTERRUPTED ? IG_EXIT_INTERRUPTED : IG_EXIT_FAILED;
    if (ig_run_best(run))
        status = ig_run_finish(run, NULL, &written);
    if (status == IG_OK && ig_run_best(run) && ig_team_speaks(options->team))
        status = write_run(run, &dir, &with, &written);
    if (status != IG_OK) {
        ig_complain("%s", written.message);
        code = IG_EXIT_FAILED;
        goto done;
    }
    tell_end(run, ended, error.message, options);
    if (ig_run_best(run) && tell_run(run, options, ended) != IG_EXIT_OK)
        code = IG_EXIT_FAILED;
done:
    ig_dir_close(&dir);
    ig_run_delete(run);
    ig_stored_free(&stored);
    ig_load_free(&loaded);
    return code;
}
