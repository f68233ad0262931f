/* Runs: a trainer with its split, live measures and history; and the run list. */
#include "train/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "data/dataset.h"
#include "measure/evaluation.h"
#include "train/extractor.h"

enum { PAIRS_A_LANGUAGE_PAIR = 1000, STREAM_MEASURE = 1u << 20 };

/* --- description ------------------------------------------------------------------ */

void ig_run_info_free(ig_run_info *info)
{
    ig_arena_free(&info->arena);
    ig_extractor_free(&info->weights);
    json_decref(info->json);
    ig_free(info->record);
    *info = (ig_run_info){0};
}

ig_status ig_run_set_strength(ig_run_info *info, double strength, ig_error *error)
{
    size_t n = ig_text_valid(info->edit, strnlen(info->edit, 56));

    info->options.strength = strength;
    snprintf(info->suffix, sizeof info->suffix, "%.*s%s", (int)n, info->edit,
             info->edit[n] ? "…)" : "");
    if (strength != 1)
        ig_text_append(info->suffix, sizeof info->suffix, " strength %g", strength);
    snprintf(info->name, sizeof info->name, "%.63s%s", info->method, info->suffix);
    return info->weights.size
               ? ig_extractor_strengthen(&info->weights, strength, info->path, error)
               : IG_OK;
}

static void describe_progress(ig_run *run)
{
    const char *ending = run->failed ? run->why.message : run->trainer->ending;

    run->going = !ending;
    run->info.ending = ending            ? ending
                       : run->checkpoint ? IG_RUN_CHECKPOINT
                                         : "interrupted";
    run->info.best = run->trainer->best_epoch;
}

/* --- life ------------------------------------------------------------------------- */

/* What describes a run from its start on. */
static ig_status describe_run(ig_run *run, const ig_run_setup *s, ig_error *error)
{
    const ig_dataset *set = s->set;
    const char *pairing = s->pairing ? s->pairing : "pivot";
    ig_run_info *info = &run->info;
    ig_arena *arena = &info->arena;
    uint8_t *mark = ig_arena_array(arena, set->languages, 1);

    run->method = ig_arena_text(arena, s->method, strlen(s->method));
    info->init = s->init ? ig_arena_text(arena, s->init, strlen(s->init)) : NULL;
    info->pairing = ig_arena_text(arena, pairing, strlen(pairing));
    info->trained.text = ig_arena_array(arena, set->languages, sizeof(char *));
    if (arena->failed)
        return ig_fail_memory(error, "a run");
    for (size_t i = 0; i < run->split.train; i++)
        mark[set->lang[s->pairs->left[run->split.pair[IG_SPLIT_TRAIN][i]]]] =
            mark[set->lang[s->pairs->right[run->split.pair[IG_SPLIT_TRAIN][i]]]] = 1;
    for (size_t k = 0; k < set->languages; k++)
        if ((mark[k] || !run->split.train) && run->objective.extractor != IG_IDENTITY)
            info->trained.text[info->trained.count++] = set->language[k];
    info->method = run->objective.name;
    info->extractor = &run->trainer->best;
    info->languages = (ig_texts){set->languages, set->language};
    info->data = set->name;
    info->version = set->version ? set->version : "";
    info->numbers = set->numbers;
    info->dims = set->dims;
    info->checksum = set->checksum;
    info->pairs = s->pairs->count;
    info->pairs_checksum = ig_pairs_checksum(s->pairs);
    info->train_pairs = run->split.train;
    info->valid_pairs = run->split.valid;
    info->holdout_pairs = run->split.holdout;
    describe_progress(run);
    ig_objective_edits(&run->objective, info->edit, sizeof info->edit);
    return ig_run_set_strength(info, info->options.strength, error);
}

/* Draw the pairs of the live measures: validation pairs (without any: training pairs)
 * in random order, at most 1,000 of each language pair. Two spaces of 2n rows cost
 * 8·n²·d flops, which shall be a tenth of an epoch, but at least 1e9 (some
 * milliseconds) and at most 1e11, as they are not cancelled. */
static ig_status draw_measured(ig_run *run, ig_error *error)
{
    const ig_dataset *set = run->set;
    const ig_pairs *pairs = run->pairs;
    const ig_split *split = &run->split;
    ig_split_part part = split->valid ? IG_SPLIT_VALID : IG_SPLIT_TRAIN;
    size_t n = split->count[part], languages = set->languages;
    double d = (double)set->dims, epoch = 8 * d * d * (double)split->train;
    double tenth = run->objective.extractor >= IG_RESIDUAL ? 0.1 * epoch : 0;
    size_t limit = (size_t)sqrt(fmin(fmax(1e9, tenth), 1e11) / (8 * d));
    ig_arena *arena = &run->info.arena;
    size_t *seen = ig_arena_array(arena, languages, languages * sizeof *seen);
    uint32_t *order = ig_arena_array(arena, n, sizeof *order);
    ig_random random;

    run->left = ig_arena_array(arena, n, sizeof *run->left);
    run->right = ig_arena_array(arena, n, sizeof *run->right);
    if (arena->failed)
        return ig_fail_memory(error, "the measured pairs");
    if (n)
        memcpy(order, split->pair[part], n * sizeof *order);
    ig_random_init(&random, run->info.options.seed, STREAM_MEASURE);
    ig_random_shuffle(&random, order, n);
    for (size_t i = 0; i < n && run->measured < limit; i++) {
        uint32_t l = pairs->left[order[i]], r = pairs->right[order[i]];

        if (seen[set->lang[l] * languages + set->lang[r]]++ >= PAIRS_A_LANGUAGE_PAIR)
            continue;
        run->left[run->measured] = l;
        run->right[run->measured++] = r;
    }
    run->measurable = n;
    run->measured_valid = part == IG_SPLIT_VALID;
    return IG_OK;
}

static ig_status init_run(ig_run *run, const ig_run_setup *s, ig_error *error)
{
    ig_objective *objective = &run->objective;
    ig_train_options *options = &run->info.options;
    bool read = s->init && !s->from;
    ig_extractor initial = {.dims = s->set->dims, .languages = s->set->languages};
    ig_status status = s->text ? ig_objective_parse(objective, s->method, s->method,
                                                    s->text, strlen(s->text), error)
                               : ig_objective_load(objective, s->method, error);

    if (status != IG_OK)
        return status;
    run->set = s->set;
    run->pairs = s->pairs;
    run->pool = s->pool;
    run->checkpoint = objective->extractor < IG_RESIDUAL ? 0 : s->checkpoint;
    *options = s->options;
    ig_train_resolve(options, &objective->settings);
    initial.kind = objective->extractor;
    initial.classifies = objective->classifies;
    status = ig_split_make(&run->split, s->set, s->pairs, options->valid,
                           options->holdout, options->split_seed, error);
    if (status == IG_OK && read)
        status = ig_weights_load(&initial, s->init, error);
    if (status == IG_OK)
        status = ig_trainer_new(&run->trainer, s->set, s->pairs, &run->split, objective,
                                options, read ? &initial : s->from, s->pool, error);
    ig_extractor_free(&initial);
    if (status != IG_OK)
        return status;
    run->history = ig_history_of(options->epochs, run->trainer->now.size, s->keep);
    status = draw_measured(run, error);
    return status == IG_OK ? describe_run(run, s, error) : status;
}

ig_status ig_run_new(ig_run **run, const ig_run_setup *setup, ig_error *error)
{
    ig_status status;

    *run = ig_alloc(1, sizeof **run);
    status = *run ? init_run(*run, setup, error) : ig_fail_memory(error, "a run");
    if (status != IG_OK) {
        ig_run_delete(*run);
        *run = NULL;
    }
    return status;
}

void ig_run_delete(ig_run *run)
{
    if (!run)
        return;
    ig_history_free(&run->history);
    ig_trainer_delete(run->trainer);
    ig_split_free(&run->split);
    ig_objective_free(&run->objective);
    ig_run_info_free(&run->info);
    ig_builder_free(&run->changes);
    ig_free(run);
}

/* --- epochs ----------------------------------------------------------------------- */

/* Live alignment and uniformity of the spaces of the current weights; the original
 * space is measured in the first epoch. */
static ig_status measure_spaces(const ig_run *run, ig_geometry out[IG_SPACES],
                                ig_error *error)
{
    const ig_extractor *x = &run->trainer->now;
    ig_rows originals = ig_rows_of_dataset(run->set);
    ig_evaluation_spec spec = {
        .measures = IG_MEASURE_GEOMETRY,
        .pairs = {.left = run->left, .right = run->right, .pairs = run->measured}};
    ig_status status = IG_OK;

    for (int s = 0; s < IG_SPACES && status == IG_OK; s++) {
        ig_space_rows context = {x, (ig_space)s, &originals, run->set->lang};
        ig_rows rows = ig_rows_of_space(&context);
        ig_evaluation e = {0};

        out[s] = (ig_geometry){.alignment = NAN, .uniformity = NAN};
        if (s == IG_SPACE_ORIGINAL && run->info.records) {
            out[s] = run->info.record->geometry[s];
        } else if (ig_extractor_serves(x, (ig_space)s)) {
            status = ig_evaluation_take(&e, &rows, &spec, run->pool, NULL, error);
            out[s] = (ig_geometry){ig_figures_value(&e.figures, "alignment"),
                                   ig_figures_value(&e.figures, "uniformity")};
        }
        ig_evaluation_free(&e);
    }
    return status;
}

ig_status ig_run_train(ig_run *run, ig_between *between, void *context,
                       ig_run_record *record, ig_error *error)
{
    ig_status status =
        ig_trainer_epoch(run->trainer, between, context, &record->epoch, error);

    return status == IG_OK ? measure_spaces(run, record->geometry, error) : status;
}

ig_status ig_run_add(ig_run *run, ig_status status, const ig_run_record *record,
                     ig_error *error)
{
    ig_run_info *info = &run->info;
    const ig_term *term = run->objective.term;

    if (status == IG_OK)
        status = ig_array_grow(&info->record, &info->capacity, info->records + 1,
                               sizeof *info->record, "the history", error);
    if (status == IG_OK) {
        for (size_t t = 0; t < run->objective.terms; t++)
            if (record->epoch.changed >> t & 1)
                ig_builder_add(&run->changes,
                               "# changed at epoch %zu: %s: weight %.9g%s\n",
                               record->epoch.epoch, term[t].name, term[t].weight,
                               term[t].off ? ", off" : "");
        info->record[info->records++] = *record;
        info->seconds += record->epoch.seconds;
        ig_history_add(&run->history, record->epoch.epoch, run->trainer->now.weights);
    } else if (status != IG_INTERRUPTED) {
        run->failed = status;
        run->why = *error;
    }
    describe_progress(run);
    return status;
}

ig_status ig_run_epoch(ig_run *run, ig_between *between, void *context, ig_error *error)
{
    ig_run_record record;
    ig_error why = {0};
    ig_status status = ig_run_train(run, between, context, &record, &why);

    status = ig_run_add(run, status, &record, &why);
    return status == IG_OK ? IG_OK : ig_fail(error, status, "%s", why.message);
}

void ig_run_stop(ig_run *run)
{
    run->checkpoint = 0;
    describe_progress(run);
}

/* --- as text ---------------------------------------------------------------------- */

size_t ig_run_notes(const ig_run *run, char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE])
{
    const ig_run_record *best = ig_run_best(&run->info);
    size_t processes = ig_comm_processes(ig_pool_comm(run->pool));
    size_t epochs = run->info.options.epochs, n = 0;
    double less = run->info.options.lr / 10;
    char points[40] = "";

    for (size_t i = 0; i < run->objective.terms && n + 2 < IG_RUN_NOTES; i++) {
        const ig_term *t = &run->objective.term[i];

        if (!t->off && t->from > epochs)
            snprintf(note[n++], IG_RUN_NOTE_SIZE,
                     "%.60s never counts: it begins with epoch %zu, --epochs is %zu",
                     t->name, t->from, epochs);
        /* A classifier's is a mean over rows. */
        else if (!t->off && processes > 1 && !t->kind->row && !t->kind->classifier)
            snprintf(note[n++], IG_RUN_NOTE_SIZE,
                     "%.60s: a term over a batch, taken within each of %zu ranks, over "
                     "%zu pairs at most",
                     t->name, processes,
                     (run->trainer->batch_size + processes - 1) / processes);
    }
    if (run->trainer->fewest && run->trainer->fewest < run->trainer->now.dims)
        snprintf(note[n++], IG_RUN_NOTE_SIZE,
                 "a language has %zu pair%s with the pivot for %zu dimensions: its "
                 "rotation is not determined, and other directions stay as they are",
                 run->trainer->fewest, run->trainer->fewest == 1 ? "" : "s",
                 run->trainer->now.dims);
    for (int s = IG_SPACE_MEANING; best && s < IG_SPACES; s++)
        if (best->geometry[s].uniformity > IG_UNIFORMITY_POINT)
            ig_text_append(points, sizeof points, "%s%s", *points ? " and " : "",
                           ig_space_name((ig_space)s));
    if (*points)
        snprintf(note[n++], IG_RUN_NOTE_SIZE,
                 best->geometry[0].uniformity <= IG_UNIFORMITY_POINT
                     ? "the %s embeddings are nearly one point: that translations "
                       "are near says little; try lr %g"
                     : "the %s embeddings are nearly one point, as the vectors are",
                 points, less);
    else if (best && !best->epoch.epoch && run->info.records > 1)
        snprintf(note[n++], IG_RUN_NOTE_SIZE,
                 "no epoch is better than the start, epoch 0; try lr %g", less);
    return n;
}

char *ig_run_objective(const ig_run *run)
{
    ig_builder out = {.failed = run->changes.failed};

    if (!run->changes.length)
        return ig_path_format("%s", run->objective.text);
    ig_builder_add(&out, "# %s, changed while it was trained\n", run->objective.name);
    ig_objective_format(&run->objective, &out);
    ig_builder_add(&out, "%s# the best epoch is of those since the last change\n",
                   run->changes.text);
    return ig_builder_take(&out);
}

/* --- weights of past epochs ------------------------------------------------------- */

void ig_history_free(ig_history *history)
{
    for (size_t i = 0; i < history->count; i++)
        ig_free(history->kept[i].weights);
    ig_free(history->kept);
    *history = (ig_history){0};
}

ig_history ig_history_of(size_t epochs, size_t size, size_t budget)
{
    size_t room = budget / (size * sizeof(float) + 1), every = budget > 0;

    while (every && epochs / every + 2 > room && every <= epochs)
        every *= 2;
    return (ig_history){.every = every, .size = size};
}

void ig_history_add(ig_history *h, size_t epoch, const float *weights)
{
    size_t at = h->count;

    if (!h->every)
        return;
    if (at && h->kept[at - 1].epoch % h->every != 0) { /* is no longer the newest */
        at--;
    } else if (ig_array_grow(&h->kept, &h->capacity, at + 1, sizeof *h->kept,
                             "past epochs", NULL) != IG_OK ||
               !(h->kept[at].weights = ig_alloc(h->size, sizeof *weights))) {
        return;
    }
    if (h->size)
        memcpy(h->kept[at].weights, weights, h->size * sizeof *weights);
    h->kept[at].epoch = epoch;
    h->count = at + 1;
}

const float *ig_history_find(const ig_history *history, size_t *epoch)
{
    for (size_t i = history->count; i-- > 0;)
        if (history->kept[i].epoch <= *epoch) {
            *epoch = history->kept[i].epoch;
            return history->kept[i].weights;
        }
    return NULL;
}

/* --- the run list ----------------------------------------------------------------- */

bool ig_run_entry_going(const ig_run_entry *entry)
{
    return entry->run && !entry->stopped && entry->run->going;
}

bool ig_run_entry_saved(const ig_run_entry *entry)
{
    return entry->saved || !entry->run || entry->info->records < 2;
}

const char *ig_run_entry_ending(const ig_run_entry *entry)
{
    return ig_run_entry_going(entry) ? ""
           : entry->stopped          ? "stopped by hand"
                                     : entry->info->ending;
}

bool ig_run_entry_weights(const ig_run_entry *entry, bool *looking, ig_extractor *x,
                          size_t *epoch)
{
    const ig_run_info *info = entry->info;
    const ig_run *run = entry->run;
    bool going = ig_run_entry_going(entry);
    const float *past;

    if (!info->extractor || (run && !info->records))
        return false;
    past = run && *looking ? ig_history_find(&run->history, epoch) : NULL;
    *looking = past != NULL;
    *x = *info->extractor;
    if (!past) {
        *epoch = going ? info->records - 1 : info->best;
        past = going ? ig_history_find(&run->history, epoch) : NULL;
    }
    if (past || going) /* without past ones the trainer's, which may be mid-epoch */
        x->weights = past ? (float *)past : run->trainer->now.weights;
    return true;
}

const uint8_t *ig_run_entry_rows(ig_run_entry *entry, const ig_dataset *set,
                                 const ig_pairs *given, bool held_out)
{
    const ig_run_info *info = entry->info;
    const ig_run *run = entry->run;
    bool tests = info->holdout_pairs, none = held_out && !tests && !info->valid_pairs;
    ig_split_part part = !held_out ? IG_SPLIT_TRAIN
                         : tests   ? IG_SPLIT_HOLDOUT
                                   : IG_SPLIT_VALID;
    uint8_t *mark;

    if (held_out && run && !none)
        return run->split.held_out;
    if (entry->tried[held_out] || none)
        return entry->rows[held_out];
    entry->tried[held_out] = true;
    mark = ig_alloc(set->rows, 1);
    if (mark && (run ? ig_split_mark(&run->split, set, run->pairs, part, mark, NULL)
                     : ig_run_read_split(info, set, given, part, mark, NULL)) == IG_OK)
        entry->rows[held_out] = mark;
    else
        ig_free(mark);
    return entry->rows[held_out];
}

void ig_run_entry_replace(ig_run_entry *entry, ig_run_info *info)
{
    if (!entry->run && entry->info) {
        ig_run_info_free(entry->info);
        ig_free(entry->info);
    }
    IG_FREE(entry->rows[0], entry->rows[1]);
    memset(entry->rows, 0, sizeof entry->rows);
    memset(entry->tried, 0, sizeof entry->tried);
    entry->info = info;
}

void ig_runs_free(ig_runs *runs)
{
    while (runs->count)
        ig_runs_remove(runs, runs->entry[runs->count - 1]);
    ig_free(runs->entry);
    *runs = (ig_runs){0};
}

ig_run_entry *ig_runs_add(ig_runs *runs, ig_run *run, ig_run_info *info)
{
    ig_run_entry *entry = ig_alloc(1, sizeof *entry);

    if (!entry || ig_array_grow(&runs->entry, &runs->capacity, runs->count + 1,
                                sizeof entry, "a run", NULL) != IG_OK) {
        ig_free(entry);
        return NULL;
    }
    *entry = (ig_run_entry){.number = ++runs->numbers,
                            .run = run,
                            .info = run ? &run->info : info,
                            .saved = !run};
    runs->entry[runs->count++] = entry;
    return entry;
}

ig_run_entry *ig_runs_find(const ig_runs *runs, unsigned number)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->entry[i]->number == number)
            return runs->entry[i];
    return NULL;
}

void ig_runs_remove(ig_runs *runs, ig_run_entry *entry)
{
    size_t i = 0;

    while (runs->entry[i] != entry)
        i++;
    memmove(&runs->entry[i], &runs->entry[i + 1],
            (runs->count - i - 1) * sizeof *runs->entry);
    runs->count--;
    ig_run_entry_replace(entry, NULL);
    ig_run_delete(entry->run);
    IG_FREE(entry->path, entry);
}
