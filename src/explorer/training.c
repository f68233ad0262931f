/* Training, commands on runs, and the weights shown. */
#include "explorer/training.h"

#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "explorer/state.h"
#include "train/run.h"
#include "view/axes.h"

/* --- weights shown ---------------------------------------------------------------- */

static bool is_newest(const ig_session *s, unsigned number)
{
    return s->training.newest && s->training.newest->number == number;
}

/* Whether the view follows the weights of the newest run. */
static bool follows_newest(const ig_session *s)
{
    return !s->looking && is_newest(s, s->selected);
}

/* Show weights in a view (x NULL: only the originals); without memory it keeps the
 * previous ones. */
static void show_weights(ig_session *s, ig_view_state *v, size_t version, unsigned run,
                         const ig_extractor *x, size_t epoch)
{
    ig_shown *shown =
        ig_shown_new(&s->work, version, &s->of[version], run, x, epoch, s->weights + 1);

    if (!shown) {
        ig_show_message(s, true, "out of memory for the weights shown");
        return;
    }
    s->weights++;
    ig_shown_release(v->shown);
    v->shown = shown;
}

void ig_training_show(ig_session *s)
{
    const ig_run_entry *entry = ig_runs_find(&s->training.runs, s->selected);
    size_t epoch = s->request.epoch;
    ig_extractor x;

    if (!entry || !ig_run_entry_weights(entry, &s->looking, &x, &epoch))
        return;
    show_weights(s, &s->main, s->version, s->selected, &x, epoch);
}

/* Whether a run can be selected: of the version shown, trained here or with weights. */
static bool can_select(const ig_session *s, const ig_run_entry *entry)
{
    return entry && entry->version == s->version && entry->info->extractor;
}

/* The run to show by default: the newest, else the last that can be selected. */
static unsigned default_run(const ig_session *s)
{
    const ig_runs *runs = &s->training.runs;

    if (can_select(s, s->training.newest))
        return s->training.newest->number;
    for (size_t i = runs->count; i-- > 0;)
        if (can_select(s, runs->entry[i]))
            return runs->entry[i]->number;
    return 0;
}

void ig_training_select(ig_session *s)
{
    const ig_run_entry *asked = ig_runs_find(&s->training.runs, s->request.show);
    unsigned number;
    bool moved = s->request.version < s->versions && s->request.version != s->version;

    if (moved) {
        ig_dataset_release(s->of[s->version].set);
        s->version = s->request.version;
    }
    number = can_select(s, asked) ? s->request.show : default_run(s);
    if (number == s->selected && !moved)
        return;
    s->selected = number;
    s->looking = false;
    if (number)
        ig_training_show(s);
    else
        show_weights(s, &s->main, s->version, 0, NULL, 0);
    ig_scheduler_hurry(s->product, IG_PRODUCTS);
    s->out.dirty = true;
}

/* Identifies weights: those of a run in training change with every epoch. */
static uint64_t weights_now(const ig_session *s, const ig_run_entry *entry)
{
    return is_newest(s, entry->number)
               ? 2 + 2 * (uint64_t)entry->run->info.records + ig_run_entry_going(entry)
               : 1;
}

/* Compare with the vectors of a version. */
static void compare_version(ig_session *s)
{
    size_t version = s->request.compared_version;
    const ig_shown *other = s->other.shown;
    bool was = s->compares && !s->compared;

    s->compares = s->request.compares && version < s->versions &&
                  (version != s->version || s->selected);
    s->compared = 0;
    if (s->compares && !(was && !other->weights && other->version == version)) {
        ig_scheduler_hurry(s->product, IG_PRODUCTS);
        show_weights(s, &s->other, version, 0, NULL, 0);
        s->out.dirty = true;
    }
    s->out.dirty |= was != s->compares;
}

void ig_training_compare(ig_session *s)
{
    unsigned number = s->request.compared;
    const ig_run_entry *entry = ig_runs_find(&s->training.runs, number);
    bool looking = false;
    ig_extractor x;
    size_t epoch;

    if (!entry || number == s->selected ||
        !ig_run_entry_weights(entry, &looking, &x, &epoch)) {
        s->out.dirty |= s->compared != 0;
        compare_version(s);
        return;
    }
    if (number == s->compared && weights_now(s, entry) == s->compared_weights)
        return;
    if (number != s->compared)
        ig_scheduler_hurry(s->product, IG_PRODUCTS);
    show_weights(s, &s->other, entry->version, number, &x, epoch);
    s->compares = true;
    s->compared = number;
    s->compared_weights = weights_now(s, entry);
    s->out.dirty = true;
}

const uint8_t *ig_training_held_out(ig_session *s, unsigned number)
{
    ig_run_entry *entry = ig_runs_find(&s->training.runs, number);

    return entry ? ig_run_entry_held_out(entry, s->work.set,
                                         s->work.pairs->given ? s->work.pairs : NULL)
                 : NULL;
}

/* --- training --------------------------------------------------------------------- */

static void end_run(ig_session *s)
{
    if (follows_newest(s))
        ig_training_show(s);
    s->out.dirty = true;
}

static bool must_pause(void *context)
{
    ig_session *s = context;

    return atomic_load(&s->channel.cancel) ||
           (s->live && s->clock() - s->out.last > IG_BETWEEN_SNAPSHOTS);
}

void ig_training_step(ig_session *s)
{
    ig_run_entry *newest = s->training.newest;
    ig_run *run = newest->run;
    ig_error error;
    double start = s->clock();
    ig_status status = ig_run_epoch(run, must_pause, s, &error);

    s->out.dirty = true;
    if (status == IG_INTERRUPTED)
        return;
    newest->saved = false;
    if (status != IG_OK)
        ig_show_message(s, true, "%s", error.message);
    if (!ig_run_going(run)) {
        end_run(s);
        if (status == IG_OK && run->trainer->state == IG_TRAIN_CLOSED)
            ig_show_message(s, false, "%s: %s", run->objective.name, run->info.ending);
        else if (status == IG_OK)
            ig_show_message(s, false, "%s: %s; best epoch %zu", run->objective.name,
                            run->info.ending, run->trainer->best_epoch);
        return;
    }
    if (follows_newest(s))
        ig_training_show(s);
    s->training.next_epoch = s->request.pace > 0 ? start + 1 / s->request.pace : 0;
}

/* --- commands --------------------------------------------------------------------- */

/* End the newest run; one without a trained epoch is removed. */
static void retire_newest(ig_session *s)
{
    ig_run_entry *newest = s->training.newest;
    bool going = newest && ig_run_going(newest->run);

    s->training.newest = NULL;
    if (!newest)
        return;
    if (newest->run->info.records < (going ? 2 : 1)) {
        ig_runs_remove(&s->training.runs, newest);
        return;
    }
    newest->stopped |= going;
    ig_runs_thin(&s->training.runs, s->training.keep);
}

/* Continue `before` by a new run with its edited terms; *edited: whether any was. */
static ig_status continue_run(const ig_session *s, const ig_run_entry *before,
                              ig_run *run, bool *edited, ig_error *error)
{
    const ig_run *from = before->run;
    const ig_train_options *a = &run->info.options, *b = from ? &from->info.options : a;
    bool same = from && strcmp(from->objective.text, run->objective.text) == 0;
    ig_status status = IG_OK;

    if (before->version != s->version)
        return ig_fail(error, IG_VALUE,
                       "run %u is of version %s: show that version to continue it",
                       before->number, s->of[before->version].set->version);
    if (a->valid != b->valid || a->holdout != b->holdout ||
        a->split_seed != b->split_seed)
        return ig_fail(error, IG_VALUE,
                       "run %u was trained on ids that another valid, holdout or "
                       "split-seed holds out: start a new run",
                       before->number);
    for (int out = 0; out < 2 && same; out++) /* one term must always stay active */
        for (size_t i = 0; i < run->objective.terms && status == IG_OK; i++) {
            if (from->trainer->on[i] != (bool)out)
                status = ig_trainer_set_weight(run->trainer, i,
                                               from->trainer->weight[i], !out, error);
        }
    *edited = !same || from->changes.length;
    return status;
}

void ig_training_start(ig_session *s, const ig_command *command)
{
    ig_run_setup setup = {.set = s->of[s->version].set,
                          .pairs = s->work.pairs,
                          .method = command->method,
                          .options = command->options,
                          .pairing = s->pairing,
                          .init = command->init[0] ? command->init : NULL,
                          .pool = s->work.pool,
                          .keep = s->training.keep};
    ig_run_entry *entry = NULL,
                 *before = command->run ? ig_runs_find(&s->training.runs, command->run)
                                        : NULL;
    ig_extractor best;
    char name[IG_NUMBER_SIZE + 32];
    bool looking = false, edited = false, suited;
    size_t epoch;
    ig_error error;
    ig_run *run;
    ig_status status;

    suited = ig_objective_suit(&setup.options, command->method, s->work.pairs->count);
    /* A run that is continued starts from the best weights of the one before. */
    if (before && ig_run_entry_weights(before, &looking, &best, &epoch)) {
        snprintf(name, sizeof name, "run %u of the session", command->run);
        setup.from = &best;
        setup.init = name;
    }
    status = ig_run_new(&run, &setup, &error);
    s->training.starts++;
    if (status == IG_OK && setup.from)
        status = continue_run(s, before, run, &edited, &error);
    if (status == IG_OK && !(entry = ig_runs_add(&s->training.runs, run, NULL)))
        status = ig_fail(&error, IG_NOMEM, "out of memory for one more run");
    if (!entry)
        ig_run_delete(run);
    /* A run that cannot start does not replace the current one. */
    s->training.refused = status != IG_OK;
    if (status != IG_OK) {
        ig_show_message(s, true, "%s", error.message);
        return;
    }
    entry->version = s->version;
    retire_newest(s);
    s->training.newest = entry;
    s->training.next_epoch = 0;
    s->looking = false;
    s->out.message[0] = '\0';
    if (setup.from)
        ig_show_message(s, false, "run %u continues run %u from its epoch %zu%s",
                        entry->number, command->run, epoch,
                        edited ? " with the edited objective" : "");
    else if (suited)
        ig_show_message(s, false, "lr %g, %zu epochs, as suits %s pairs",
                        setup.options.lr, setup.options.epochs,
                        ig_count_format(name, s->work.pairs->count));
    s->out.dirty = true;
}

void ig_training_stop(ig_session *s)
{
    ig_run_entry *newest = s->training.newest;

    if (!ig_training_is_going(s))
        return;
    newest->stopped = true;
    end_run(s);
    if (newest->run->info.records)
        ig_show_message(s, false, "%s stopped; best epoch %zu",
                        newest->run->objective.name, newest->run->trainer->best_epoch);
    else
        ig_show_message(s, false, "%s stopped before its first epoch",
                        newest->run->objective.name);
}

/* Apply the editor's weights, to a finished run for its continuation. Terms are enabled
 * first: one must always stay active. */
void ig_training_edit(ig_session *s, const ig_command *command)
{
    ig_run *run = s->training.newest ? s->training.newest->run : NULL;
    ig_error error;

    if (!run || command->run != s->training.newest->number)
        return;
    for (int out = 0; out < 2; out++)
        for (size_t i = 0; i < run->objective.terms; i++)
            if (command->off[i] == (bool)out &&
                IG_OK != ig_trainer_set_weight(run->trainer, i, command->weight[i],
                                               !out, &error)) {
                ig_show_message(s, true, "%s", error.message);
                return;
            }
    s->out.dirty = true;
}

ig_status ig_training_read(ig_session *s, const char *path, bool any_dims,
                           ig_error *error)
{
    ig_runs *runs = &s->training.runs;
    ig_run_entry *entry;
    size_t fits = s->version, of;
    ig_status status = ig_runs_load(runs, path, s->of[fits].set, any_dims, error);

    /* Versions may differ in dimensions. */
    for (size_t v = 0; v < s->versions && status == IG_SHAPE; v++)
        status = ig_runs_load(runs, path, s->of[fits = v].set, any_dims, error);
    if (status != IG_OK)
        return status;
    entry = runs->entry[runs->count - 1];
    of = ig_run_version(entry->info, &s->dataset);
    entry->version =
        of < s->versions && s->of[of].set->dims == s->of[fits].set->dims ? of : fits;
    return IG_OK;
}

void ig_training_load(ig_session *s, const char *path)
{
    ig_error error;

    if (ig_training_read(s, path, false, &error) != IG_OK)
        ig_show_message(s, true, "%s", error.message);
    else
        ig_show_message(s, false, "run %u loaded from %s", s->training.runs.numbers,
                        path);
}

void ig_training_drop(ig_session *s, unsigned number)
{
    ig_run_entry *entry = ig_runs_find(&s->training.runs, number);
    const char *path;
    size_t length;

    if (!entry)
        return;
    path = entry->info->path ? entry->info->path : entry->path;
    length = path ? strlen(path) : 0;
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (path)
        ig_show_message(s, false, "run %u closed; %.*s/ is kept", number, (int)length,
                        path);
    else
        ig_show_message(s, false, "run %u %s", number,
                        ig_run_entry_saved(entry) ? "closed" : "deleted");
    if (entry == s->training.newest)
        s->training.newest = NULL;
    ig_runs_remove(&s->training.runs, entry);
}

void ig_training_save(ig_session *s, unsigned number, const char *path)
{
    ig_run_entry *entry = number ? ig_runs_find(&s->training.runs, number) : NULL;
    ig_error error;

    entry = entry ? entry : s->training.newest;
    if (entry && !entry->run)
        ig_show_message(s, true, "run %u is saved already, in %s", number,
                        entry->info->path);
    else if (!entry || entry->run->info.records < 2)
        ig_show_message(s, true, "no trained run to save yet");
    else if (ig_run_write(entry->run, path, &error) != IG_OK)
        ig_show_message(s, true, "%s", error.message);
    else {
        entry->saved = true;
        ig_free(entry->path);
        entry->path = ig_strdup(path);
        ig_show_message(s, false, "run saved to %s", path);
    }
}

/* --- following -------------------------------------------------------------------- */

static const double POLL_SECONDS = 1;
static const double RETRY_SECONDS = 0.05; /* after a checkpoint changed while read */

/* stat run.json, which every checkpoint replaces. */
static bool stat_run(const ig_following *f, struct stat *found)
{
    char *json = ig_path_join(f->path, "run.json");
    bool there = json && stat(json, found) == 0;

    ig_free(json);
    return there;
}

/* Replace the followed run's entry. False: it was deleted, or out of memory. */
static bool replace_run(ig_session *s, ig_run_info *stored)
{
    ig_following *f = &s->following;
    ig_run_entry *entry = ig_runs_find(&s->training.runs, f->number);

    if (f->number && !entry) { /* deleted by the user */
        f->over = true;
        return false;
    }
    if (!entry) {
        entry = ig_runs_add(&s->training.runs, NULL, stored);
        f->number = entry ? entry->number : 0;
        return entry != NULL;
    }
    ig_run_entry_replace(entry, stored);
    if (s->compared == f->number)
        s->compared_weights = IG_NO_WEIGHTS;
    return true;
}

static void announce_checkpoint(ig_session *s, const ig_run_info *stored)
{
    size_t last = stored->records ? stored->records - 1 : stored->best;

    if (s->following.over)
        ig_show_message(s, false, "%s has ended after epoch %zu: %s; best epoch %zu",
                        s->following.path, last, stored->ending, stored->best);
    else
        ig_show_message(s, false, "following %s: epoch %zu, best %zu",
                        s->following.path, last, stored->best);
}

bool ig_following_look(ig_session *s)
{
    ig_following *f = &s->following;
    struct stat before, after;
    ig_run_info *stored;
    ig_status status;
    ig_error error;

    if (!f->path || f->over || s->clock() < f->next)
        return false;
    f->next = s->clock() + POLL_SECONDS;
    if (!stat_run(f, &before) || ig_file_unchanged(&f->seen, &before))
        return false;
    stored = ig_alloc(1, sizeof *stored);
    status = stored ? ig_run_read(stored, f->path, s->work.set, 0, -1, &error)
                    : ig_fail_memory(&error, "a run");
    if (!stat_run(f, &after) || !ig_file_unchanged(&before, &after)) {
        f->next = s->clock() + RETRY_SECONDS;
        if (status == IG_OK)
            ig_run_info_free(stored);
        ig_free(stored);
        return false;
    }
    f->seen = after;
    if (status != IG_OK || !replace_run(s, stored)) {
        if (status == IG_OK)
            ig_run_info_free(stored);
        else
            ig_show_message(s, true, "%s", error.message);
        ig_free(stored);
        return status != IG_OK;
    }
    f->over = strcmp(stored->ending, IG_RUN_CHECKPOINT) != 0;
    ig_training_select(s);
    if (s->selected == f->number && !s->looking)
        ig_training_show(s);
    announce_checkpoint(s, stored);
    return true;
}

double ig_following_wait(const ig_session *s)
{
    double wait = s->following.next - s->clock();

    if (!s->following.path || s->following.over)
        return -1;
    return wait > 0.001 ? wait : 0.001;
}
