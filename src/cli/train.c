/* isogloss train: a training without a screen, ended by its method, by a limit or by
 * Ctrl-C, and written as a run directory. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/run_path.h"
#include "cli/shrunk.h"
#include "cli/train_loop.h"
#include "cli/train_report.h"
#include "runs/run_directory.h"

static const char DEFAULT_METHOD[] = "seed";

/* Methods without weights need no pairs: a set without ids will do. */
static ig_status needs_pairs(const char *method, bool *needs, ig_error *error)
{
    ig_objective objective;
    ig_status status = ig_objective_load(&objective, method, error);

    *needs = status == IG_OK && ig_extractor_needs_pairs(objective.extractor);
    ig_objective_free(&objective);
    return status;
}

/* A run in the way will be replaced: that is said before it is. */
static void tell_replaced(const char *path)
{
    char *json = ig_path_join(path, "run.json");

    if (json && access(json, F_OK) == 0)
        ig_complain("note: %s holds an earlier run, which this one will replace", path);
    ig_free(json);
}

static ig_status open_run(ig_run **run, ig_loaded *loaded, const ig_options *options,
                          ig_error *error)
{
    ig_run_setup setup = {
        .method = options->method ? options->method : DEFAULT_METHOD,
        .options = options->train,
        .pairing = options->pairs ? "file" : options->pairing,
        .init = options->init,
    };
    bool needs;
    ig_status status = needs_pairs(setup.method, &needs, error);

    if (status == IG_OK)
        status = ig_run_path_check(options->out, &ig_run_dir, error);
    if (status == IG_OK && !options->quiet)
        tell_replaced(options->out);
    if (status == IG_OK)
        status = ig_load_open(loaded, options, error);
    if (status == IG_OK)
        status = ig_load_check(loaded, options, error);
    if (status == IG_OK)
        status = ig_load_pairs(loaded, options, !needs, error);
    setup.set = loaded->set;
    setup.pairs = &loaded->pairs;
    setup.pool = loaded->pool;
    return status == IG_OK ? ig_run_new(run, &setup, error) : status;
}

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

static void tell_shrunk(const ig_run *run, const ig_options *options)
{
    const ig_run_record *best = ig_run_best(run);

    if (best)
        ig_complain("%s became shorter while it was read; %s has the best epoch before "
                    "that, %zu",
                    ig_shrunk_file(), options->out, best->epoch.epoch);
    else
        ig_complain("%s became shorter while it was read; nothing was trained yet, and "
                    "nothing is written",
                    ig_shrunk_file());
}

int ig_train_command(const ig_options *options)
{
    ig_loaded loaded = {0};
    ig_run *run = NULL;
    ig_error error = {0}, written = {0};
    ig_status status, ended;
    int code = IG_EXIT_OK;

    if (!options->out) {
        ig_complain("train needs --out RUN, the run directory to write");
        return IG_EXIT_USAGE;
    }
    status = open_run(&run, &loaded, options, &error);
    if (status != IG_OK) {
        code = ig_fail_exit(&error);
        goto done;
    }
    ig_interrupt_catch(IG_INTERRUPT_WRITES);
    ig_shrunk_ask(0);
    ended = ig_train_loop(run, NULL, options->quiet, &error);
    if (ended != IG_OK)
        code = ended == IG_INTERRUPTED ? IG_EXIT_INTERRUPTED : IG_EXIT_FAILED;
    /* What a file that became shorter would still give is not measured. */
    if (ig_run_best(run) && !ig_shrunk_file())
        status = ig_run_finish(run, NULL, &written);
    if (status == IG_OK && ig_run_best(run))
        status = ig_run_write(run, options->out, &written);
    if (status != IG_OK) {
        ig_complain("%s", written.message);
        code = IG_EXIT_FAILED;
        goto done;
    }
    if (ig_shrunk_file()) {
        tell_shrunk(run, options);
        code = IG_EXIT_FAILED;
        goto done;
    }
    tell_end(run, ended, error.message, options);
    if (ig_run_best(run) && ig_train_report(run, options, ended) != IG_EXIT_OK)
        code = IG_EXIT_FAILED;
done:
    ig_run_delete(run);
    ig_load_free(&loaded);
    return code;
}
