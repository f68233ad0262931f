/* Training, commands on runs, and the weights shown. */
#include "explorer/session.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/file.h"
#include "core/text.h"
#include "report/document.h"

/* The ending of a run whose trainer was killed, while it is followed. */
static const char trainer_ended[] = "trainer ended";

/* Memory for the weights of past epochs of all runs. */
static const size_t KEPT_BYTES = 256u << 20;

/* --- weights shown ---------------------------------------------------------------- */

bool ig_session_going(const ig_session *s)
{
    return s->newest && ig_run_entry_going(s->newest);
}

bool ig_session_training(const ig_session *s)
{
    size_t halt = s->view.halt;

    return ig_session_going(s) && !s->view.paused &&
           !(halt && s->newest->run->info.records >= halt);
}

/* Show in a view the newest weights of a run, or in the main one those of the epoch
 * that is looked at, if they are kept (true); without a run the vectors of a version.
 * What was shown before stays while the run has no weights, and without memory. */
static bool show_view(ig_session *s, ig_view_state *v, const ig_run_entry *entry,
                      size_t version)
{
    static const char no_memory[] = "out of memory for the weights shown";
    bool looking = entry && v == &s->main && s->view.looking;
    size_t epoch = looking ? s->view.epoch : 0;
    unsigned run = entry ? entry->number : 0;
    ig_extractor x;
    ig_shown *shown;

    if (entry && !ig_run_entry_weights(entry, &looking, &x, &epoch))
        return false;
    if (entry && v == &s->main && s->view.strength >= 0 && x.width == x.dims)
        x.strength = s->view.strength;
    v->renew |= entry && v->shown->run == run && v->shown->x.strength != x.strength;
    if (v->shown->version == version && v->shown->run == run &&
        v->shown->epoch == epoch && !v->renew)
        return looking;
    shown = ig_shown_new(&s->work, version, &s->of[version], run, entry ? &x : NULL,
                         epoch, s->weights + 1);
    if (!shown) { /* said once: each update tries again */
        if (strcmp(s->message, no_memory) != 0)
            ig_show_message(s, true, "%s", no_memory);
        return looking;
    }
    s->weights++;
    ig_shown_release(v->shown);
    v->shown = shown;
    v->renew = false;
    return looking;
}

/* The run of the version shown to be shown: the requested one, else the newest, else
 * the last, of those trained here or with weights. */
static const ig_run_entry *select_run(const ig_session *s)
{
    const ig_run_entry *best = NULL;
    int rank = 0;

    for (size_t i = 0; i < s->runs.count; i++) {
        const ig_run_entry *one = s->runs.entry[i];
        int its = one->number == s->view.show ? 3 : one == s->newest ? 2 : 1;

        if (one->version != s->version || !one->info->extractor || its < rank)
            continue;
        best = one;
        rank = its;
    }
    return best;
}

/* The other view: a run of the list, or the vectors of a version. */
static void show_compared(ig_session *s)
{
    const ig_view_request *view = &s->view;
    const ig_run_entry *run = ig_runs_find(&s->runs, view->compared);

    s->compared_run = 0;
    s->compares = view->compares && view->compared_version < s->dataset.count &&
                  (view->compared_version != s->version || s->shown_run);
    if (run && run->number != s->shown_run) {
        show_view(s, &s->other, run, run->version);
        if (s->other.shown->run == run->number)
            s->compared_run = run->number;
    }
    if (s->compares && !s->compared_run)
        show_view(s, &s->other, NULL, view->compared_version);
    s->compares |= s->compared_run > 0;
}

bool ig_training_show(ig_session *s)
{
    const unsigned long before[] = {s->weights, s->shown_run, s->looking, s->compares,
                                    s->compared_run};
    const ig_run_entry *run;

    if (s->view.version < s->dataset.count)
        s->version = s->view.version;
    run = select_run(s);
    s->shown_run = run ? run->number : 0;
    if (s->shown_run != before[1])
        s->view.strength = -1;
    s->looking = show_view(s, &s->main, run, s->version);
    show_compared(s);
    if (s->weights == before[0] && s->shown_run == before[1] &&
        s->looking == before[2] && s->compares == before[3] &&
        s->compared_run == before[4])
        return false;
    return s->jobs.changed = true;
}

const uint8_t *ig_training_rows(const ig_session *s, unsigned number, bool held_out)
{
    ig_run_entry *entry = ig_runs_find(&s->runs, number);
    const ig_pairs *given = s->work.pairs->given ? s->work.pairs : NULL;

    return entry ? ig_run_entry_rows(entry, s->work.set, given, held_out) : NULL;
}

/* --- training --------------------------------------------------------------------- */

/* Whether an order waits for the epoch of the newest run, which ends first. */
static bool ends_epoch(const ig_session *s)
{
    return s->order && s->order->command.kind == IG_COMMAND_SAVE &&
           ig_session_going(s) &&
           (s->jobs.lane[IG_LANE_TRAIN].result || s->newest->run->trainer->begun);
}

static bool training_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    (void)r;
    key->asked[0] = s->newest ? s->newest->number : 0;
    return ends_epoch(s) || (ig_session_training(s) && !s->order);
}

static bool must_pause(void *cancel)
{
    return atomic_load((atomic_bool *)cancel);
}

static ig_status make_training(ig_job *job)
{
    ig_session *s = job->session;

    return ig_run_train(s->newest->run, must_pause, &job->cancel, &s->record,
                        &job->error);
}

const char *ig_run_cut(const ig_run_entry *entry)
{
    const char *ending = ig_run_entry_ending(entry);
    bool cut = !strcmp(ending, "interrupted") || !strcmp(ending, IG_RUN_CHECKPOINT) ||
               !strcmp(ending, trainer_ended);

    return cut ? ending : entry->stopped ? "stopped" : NULL;
}

const char *ig_run_ending(const ig_run_entry *entry, char out[IG_RUN_ENDING])
{
    const char *ending = ig_run_entry_ending(entry), *option = strstr(ending, "; --");

    snprintf(out, IG_RUN_ENDING, "%s", ending);
    if (ig_run_cut(entry))
        ig_text_append(out, IG_RUN_ENDING, " at epoch %zu of %zu",
                       ig_run_epochs(entry->info), entry->info->options.epochs);
    if (option) /* of the commands: still improving; --epochs */
        snprintf(out, IG_RUN_ENDING, "%.*s (:set epochs %zu)", (int)(option - ending),
                 ending, 3 * entry->info->options.epochs);
    return out;
}

static void finish_training(ig_session *s, ig_job *job)
{
    char ending[IG_RUN_ENDING];
    ig_run *run = s->newest->run;
    ig_status status = ig_run_add(run, job->status, &s->record, &job->error);

    job->result->next = s->live && s->view.pace > 0 ? job->start + 1 / s->view.pace : 0;
    if (status == IG_INTERRUPTED)
        return;
    s->newest->saved = false;
    if (status != IG_OK)
        ig_show_message(s, true, "%s", job->error.message);
    else if (!run->going && run->objective.extractor >= IG_RESIDUAL)
        ig_show_message(s, false, "%s: %s", run->info.name,
                        ig_run_ending(s->newest, ending));
}

const ig_result_kind ig_training_kind = {IG_LANE_TRAIN, .repeats = true,
                                         .key = training_key, .make = make_training,
                                         .finish = finish_training};

/* --- orders ------------------------------------------------------------------------
 * A job of one carries out what takes long, and writes its message; the rest follows on
 * the screen thread. Nothing trains meanwhile. Runs are numbered in this lane alone. */

ig_status ig_edited_objective(const ig_run *run, ig_objective *o, ig_error *error)
{
    const char *name = run->objective.name, *text = run->objective.text;
    ig_status status = ig_objective_parse(o, name, name, text, strlen(text), error);

    for (size_t i = 0; i < o->terms; i++) {
        o->term[i].weight = run->trainer->weight[i];
        o->term[i].off = !run->trainer->on[i];
    }
    return status;
}

const char *ig_edit_of(const ig_run *run, char out[IG_RUN_EDIT])
{
    ig_objective o;

    *out = '\0';
    if (ig_edited_objective(run, &o, NULL) == IG_OK)
        ig_objective_edits(&o, out, IG_RUN_EDIT);
    ig_objective_free(&o);
    return out;
}

static void name_run(ig_run *run)
{
    ig_edit_of(run, run->info.edit);
    if (run->trainer->edited && !*run->info.edit)
        snprintf(run->info.edit, IG_RUN_EDIT, " (edited)");
    ig_run_set_strength(&run->info, run->info.options.strength, NULL);
}

/* The run takes over edited terms, or weights of one that held out the same ids. */
static ig_status edit_as(ig_order *order, const ig_run *from, ig_error *error)
{
    const ig_train_options *a = &order->run->info.options, *b = &from->info.options;
    ig_trainer *to = order->run->trainer;

    if (strcmp(from->objective.text, order->run->objective.text) == 0) {
        memcpy(to->weight, from->trainer->weight, sizeof to->weight);
        memcpy(to->on, from->trainer->on, sizeof to->on);
    }
    if (!order->command.continues ||
        (a->valid == b->valid && a->holdout == b->holdout &&
         a->split_seed == b->split_seed))
        return IG_OK;
    ig_run_delete(order->run);
    order->run = NULL;
    return ig_fail(error, IG_VALUE,
                   "run %u was trained on ids that another valid, holdout or "
                   "split-seed holds out: start a new run",
                   order->command.run);
}

static ig_status start_run(const ig_session *s, ig_order *order, ig_error *error)
{
    const ig_command *command = &order->command;
    const ig_run_entry *before = ig_runs_find(&s->runs, command->run);
    ig_run_setup setup = {.pairs = s->work.pairs,
                          .method = command->method,
                          .options = command->options,
                          .pairing = s->setup.pairing,
                          .init = command->init[0] ? command->init : NULL,
                          .pool = s->work.pool,
                          .keep = KEPT_BYTES};
    bool suited =
        ig_objective_suit(&setup.options, command->method, s->work.pairs->count);
    char name[64], count[IG_NUMBER_SIZE];
    ig_builder words = {0};
    ig_extractor best;
    bool looking = false;
    size_t epoch;
    ig_status status;

    if (before && command->continues && before->run &&
        ig_run_entry_weights(before, &looking, &best, &epoch)) {
        snprintf(name, sizeof name, "epoch %zu of run %u of the session", epoch,
                 command->run);
        snprintf(order->message, sizeof order->message,
                 "run %u continues run %u from its epoch %zu", s->runs.numbers + 1,
                 command->run, epoch);
        order->version = before->version;
        setup.from = &best;
        setup.init = name;
    }
    setup.set = s->of[order->version].set;
    status = ig_run_new(&order->run, &setup, error);
    if (status == IG_OK && before && before->run)
        status = edit_as(order, before->run, error);
    if (status == IG_OK)
        name_run(order->run);
    if (status == IG_OK && suited && !setup.from && !*order->run->info.edit) {
        ig_command_options(&words, setup.method, &setup.options,
                           strcmp(s->setup.pairing, "pivot") ? s->setup.pairing : NULL,
                           setup.init);
        snprintf(order->message, sizeof order->message,
                 "lr and epochs suit %s pairs; isogloss train DATA%s",
                 ig_count_format(count, s->work.pairs->count),
                 words.text ? words.text : "");
        ig_builder_free(&words);
    } else if (status == IG_OK && !setup.from &&
               order->run->objective.extractor >= IG_RESIDUAL &&
               ig_objective_suit(&setup.options, "seed", s->work.pairs->count) &&
               setup.options.lr != order->run->info.options.lr)
        snprintf(order->message, sizeof order->message,
                 "lr %g, epochs %zu of the file; presets get %g, %zu here: :set lr %g",
                 order->run->info.options.lr, order->run->info.options.epochs,
                 setup.options.lr, setup.options.epochs, setup.options.lr);
    return status;
}

/* Read a run directory as a run of the version it was trained on, or the one shown. */
static ig_status read_run(const ig_session *s, ig_order *order, bool any_dims,
                          ig_error *error)
{
    const char *path = order->command.path;
    size_t fits = order->version, of;
    ig_run_info *info = ig_alloc(1, sizeof *info);
    ig_status status =
        info ? ig_run_read(info, path, s->of[fits].set, any_dims, -1, error)
             : ig_fail_memory(error, "a run");

    for (size_t v = 0; v < s->dataset.count && status == IG_SHAPE; v++)
        status = ig_run_read(info, path, s->of[fits = v].set, any_dims, -1, error);
    if (status != IG_OK) {
        ig_free(info);
        return status;
    }
    order->info = info;
    of = ig_run_version(info, &s->dataset);
    order->version =
        of < s->dataset.count && s->of[of].set->dims == s->of[fits].set->dims ? of
                                                                              : fits;
    if (order->command.follows)
        snprintf(order->message, sizeof order->message, "%s: %s, epoch %zu, best %zu",
                 path, info->ending, ig_run_epochs(info), info->best);
    else
        snprintf(order->message, sizeof order->message, "run %u loaded from %s",
                 s->runs.numbers + 1, path);
    return IG_OK;
}

/* Save a run, in a new folder, too. */
static ig_status save_run(const ig_session *s, ig_order *order, ig_error *error)
{
    ig_run_entry *entry = order->saved = ig_runs_find(&s->runs, order->command.run);
    char *path = order->command.path, *slash;

    if (entry && !entry->run)
        return ig_fail(error, IG_VALUE, "run %u is saved already, in %s",
                       order->command.run, entry->info->path);
    if (!entry || entry->run->info.records < 2)
        return ig_fail(error, IG_VALUE, "%s",
                       !entry && s->runs.count ? "no run is shown: :run N shows one"
                                               : "no trained run to save yet");
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
        path[n - 1] = '\0';
    if ((slash = strrchr(path, '/')) && slash > path) {
        *slash = '\0';
        mkdir(path, 0777); /* what is in the way is said when the run is written */
        *slash = '/';
    }
    snprintf(order->message, sizeof order->message, "run saved to %s: %u %.40s", path,
             entry->number, entry->info->name);
    return ig_run_write(entry->run, path, error);
}

static bool order_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    (void)r;
    key->asked[0] = (uint64_t)(uintptr_t)s->order;
    return s->order && !s->jobs.lane[IG_LANE_TRAIN].result && !ends_epoch(s);
}

static void set_strength(ig_run_entry *entry, double strength)
{
    ig_run_set_strength(entry->info, strength, NULL);
    if (entry->run)
        entry->run->trainer->best.strength = (float)strength;
}

static void prepare_order(ig_session *s, ig_job *job)
{
    ig_run_entry *shown = ig_runs_find(&s->runs, s->shown_run);
    ig_order *order = s->order;

    (void)job;
    order->version = s->version;
    if (shown && order->command.kind == IG_COMMAND_SAVE && s->view.strength >= 0) {
        order->shown = shown; /* saved with the strength shown, which it has now */
        order->strength = shown->info->options.strength;
        set_strength(shown, round(10 * (double)s->view.strength) / 10);
    }
    for (size_t i = 0; i < s->runs.count; i++) /* a report reads them */
        ig_training_rows(s, s->runs.entry[i]->number, true);
}

static ig_status make_order(ig_job *job)
{
    const ig_session *s = job->session;
    ig_order *order = s->order;

    if (order->command.kind == IG_COMMAND_START)
        return start_run(s, order, &job->error);
    if (order->command.kind == IG_COMMAND_LOAD &&
        !(order->command.follows && s->following.over))
        return read_run(s, order, false, &job->error);
    if (order->command.kind != IG_COMMAND_SAVE)
        return IG_OK;
    return ig_path_ends(order->command.path, ".html") ? ig_session_report(s, order, job)
                                                      : save_run(s, order, &job->error);
}

/* Keep at most KEPT_BYTES of weights of past epochs, those of the newest runs. */
static void thin_runs(ig_runs *runs)
{
    size_t held = 0;

    for (size_t i = runs->count; i-- > 0;) {
        ig_run *run = runs->entry[i]->run;

        if (!run)
            continue;
        held += run->history.count * run->history.size * sizeof(float);
        if (held > KEPT_BYTES)
            ig_history_free(&run->history);
    }
}

/* Stop the newest run; the message of the order says so, too. */
static void stop_newest(const ig_session *s, ig_order *order)
{
    ig_run_entry *run = s->newest;
    char ending[IG_RUN_ENDING];

    run->stopped = true;
    ig_text_append(order->message, sizeof order->message, "%srun %u %s: %s",
                   *order->message ? "; " : "", run->number, run->info->name,
                   ig_run_ending(run, ending));
    if (order->command.kind == IG_COMMAND_STOP && s->shown_run == run->number)
        ig_text_append(order->message, sizeof order->message, "; Space continues it");
    else if (run->info->records > 1)
        ig_text_append(order->message, sizeof order->message,
                       "; :run %u and Space continue it", run->number);
}

/* The newest run ends; without a trained epoch it is removed. */
static void replace_newest(ig_session *s, ig_run_entry *entry, ig_order *order)
{
    ig_run_entry *before = s->newest;
    bool going = ig_session_going(s);

    if (before && before->info->records < (going ? 2 : 1))
        ig_runs_remove(&s->runs, before);
    else if (going)
        stop_newest(s, order);
    thin_runs(&s->runs);
    s->newest = entry;
    s->started = order->command;
    s->result[IG_PRODUCT_TRAINING].next = 0;
}

/* Take the run trained or read, or a newer checkpoint of one; false: no memory. */
static bool take_run(ig_session *s, ig_order *order)
{
    ig_following *f = &s->following;
    bool follows = order->command.follows;
    ig_run_entry *entry = follows ? ig_runs_find(&s->runs, f->number) : NULL;

    if (entry) {
        ig_run_entry_replace(entry, order->info);
        s->main.renew |= s->main.shown->run == f->number;
        s->other.renew |= s->other.shown->run == f->number;
    } else if (!(entry = ig_runs_add(&s->runs, order->run, order->info))) {
        ig_run_delete(order->run);
        if (order->info)
            ig_run_info_free(order->info);
        ig_free(order->info);
        return false;
    }
    entry->version = order->version;
    if (order->run)
        replace_newest(s, entry, order);
    if (follows) {
        f->number = entry->number;
        f->over = strcmp(entry->info->ending, IG_RUN_CHECKPOINT) != 0;
    }
    return true;
}

/* Of a finished run for its continuation. */
static void edit_run(ig_session *s, const ig_command *command)
{
    const ig_run_entry *entry = ig_runs_find(&s->runs, command->run);
    ig_run *run = entry ? entry->run : NULL;
    ig_error error;

    if (!run)
        return;
    if (ig_trainer_set_weight(run->trainer, command->term, command->weight, command->on,
                              &error) != IG_OK)
        ig_show_message(s, true, "%s", error.message);
    else if (ig_run_entry_going(entry))
        name_run(run);
}

static void drop_run(ig_session *s, unsigned number)
{
    ig_run_entry *entry = ig_runs_find(&s->runs, number);
    const char *path;

    if (!entry)
        return;
    path = entry->info->path ? entry->info->path : entry->path;
    ig_show_message(s, false, path ? "run %u closed; %s is kept" : "run %u deleted",
                    number, path);
    if (entry == s->newest)
        s->newest = NULL;
    if (number == s->following.number)
        s->following.over = true;
    ig_runs_remove(&s->runs, entry);
}

static void finish_order(ig_session *s, ig_job *job)
{
    ig_order *order = s->order;
    const ig_command *command = &order->command;
    bool taken = !(order->run || order->info) || take_run(s, order);

    if (order->shown) {
        double shown = order->shown->info->options.strength;

        set_strength(order->shown, order->strength);
        if (shown != order->strength && (!order->saved || order->saved == order->shown))
            ig_text_append(order->message, sizeof order->message,
                           "; run %u with strength %g%s", order->shown->number, shown,
                           order->saved ? ", epochs.csv as trained" : "");
    }
    if (command->kind == IG_COMMAND_STOP && ig_session_going(s))
        stop_newest(s, order);
    if (command->kind == IG_COMMAND_DROP)
        drop_run(s, command->run);
    else if (command->kind == IG_COMMAND_EDIT)
        edit_run(s, command);
    if (order->saved && job->status == IG_OK) {
        order->saved->saved = true;
        ig_free(order->saved->path);
        order->saved->path = ig_path_format("%s", command->path);
    }
    if (job->status == IG_INTERRUPTED)
        ig_show_message(s, false, "report cancelled");
    else if (!taken)
        ig_show_message(s, true, "out of memory for one more run");
    else if (job->status == IG_OK && *order->message)
        ig_show_message(s, false, "%s", order->message);
    s->order = order->next;
    ig_free(order);
}

const ig_result_kind ig_order_kind = {IG_LANE_FILES,      .repeats = true,
                                      .key = order_key,   .prepare = prepare_order,
                                      .make = make_order, .finish = finish_order};

ig_status ig_session_load(ig_session *s, const char *path, bool any_dims,
                          ig_error *error)
{
    ig_order order = {.version = s->version};
    ig_status status;

    snprintf(order.command.path, sizeof order.command.path, "%s", path);
    status = read_run(s, &order, any_dims, error);
    return status == IG_OK && !take_run(s, &order) ? ig_fail_memory(error, "a run")
                                                   : status;
}

/* --- what other processes write ----------------------------------------------------
 * Each second: the run directory that is followed, and the folder of the versions. */

void ig_session_follow(ig_session *s, const char *path)
{
    snprintf(s->following.path, sizeof s->following.path, "%s", path);
    ig_show_message(s, false, "waiting for %s: train --checkpoint N saves it", path);
}

static bool follows(const ig_session *s)
{
    return *s->following.path && !s->following.over;
}

static bool watch_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    (void)r;
    (void)key;
    return s->live && (follows(s) || s->dataset.folder);
}

static ig_status make_watch(ig_job *job)
{
    ig_session *s = job->session;
    ig_following *f = &s->following;
    char *json = follows(s) ? ig_path_join(f->path, "run.json") : NULL;
    char *lock = json ? ig_path_format("%s.isogloss-lock", f->path) : NULL;
    int fd = lock ? open(lock, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;

    if (json && stat(json, &f->found) != 0)
        f->found = f->seen;
    f->free = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0; /* it was killed */
    if (fd >= 0)
        close(fd);
    ig_free(json);
    ig_free(lock);
    s->looked = s->dataset; /* which finish_watch alone extends */
    if (s->looked.folder)
        ig_versions_look(&s->looked, &job->cancel, &s->found);
    return IG_OK;
}

static void finish_watch(ig_session *s, ig_job *job)
{
    ig_following *f = &s->following;
    ig_command load = {.kind = IG_COMMAND_LOAD, .follows = true};
    ig_run_entry *entry = ig_runs_find(&s->runs, f->number);
    char ending[IG_RUN_ENDING];

    job->result->next = s->jobs.clock() + (follows(s) ? 1 : 3);
    if (follows(s) && !ig_file_unchanged(&f->seen, &f->found)) { /* a new checkpoint */
        memcpy(load.path, f->path, sizeof load.path);
        f->seen = f->found;
        ig_session_command(s, &load);
    } else if (f->free && ig_session_activity(s, entry) == IG_FOLLOWED) {
        entry->info->ending = trainer_ended;
        ig_show_message(s, false, "%s: its %s", f->path, ig_run_ending(entry, ending));
    }
    if (!*s->found.message)
        return;
    /* Who looks at the last version, not at a run or a comparison, sees the new one. */
    if (s->view.version + 1 == s->dataset.count && !s->runs.count && !s->view.compares)
        s->view.version = s->looked.count - 1;
    ig_session_add_versions(s, &s->looked);
    ig_show_message(s, s->found.status != IG_OK, "%s", s->found.message);
    s->found.message[0] = '\0';
    s->jobs.at_once = true;
}

const ig_result_kind ig_watch_kind = {IG_LANE_FILES, .repeats = true, .key = watch_key,
                                      .make = make_watch, .finish = finish_watch};
