/* Runs: a trainer with its split, live measures and history. */
#include "train/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "data/dataset.h"
#include "measure/evaluation.h"
#include "train/extractor.h"

enum { PAIRS_A_LANGUAGE_PAIR = 1000, STREAM_MEASURE = 1u << 20 };

/* --- measured pairs --------------------------------------------------------------- */

/* How many pairs the live measures can use: two spaces of 2n rows cost 8·n²·d flops,
 * which shall be a tenth of an epoch, but at least 1e9 (some milliseconds) and at most
 * 1e11, as they are not cancelled. */
static size_t limit_measured(const ig_run *run)
{
    double d = (double)run->info.dims, epoch = 8 * d * d * (double)run->split.train;
    bool trains = run->objective.extractor >= IG_RESIDUAL;

    return (size_t)sqrt(fmin(fmax(1e9, trains ? 0.1 * epoch : 0), 1e11) / (8 * d));
}

/* Draw validation pairs (without any: training pairs) in random order, at most 1,000 of
 * each language pair. */
static ig_status draw_measured(ig_run *run, ig_error *error)
{
    const ig_dataset *set = run->setup.set;
    const ig_pairs *pairs = run->setup.pairs;
    bool valid = run->split.valid > 0;
    size_t n = valid ? run->split.valid : run->split.train;
    size_t limit = limit_measured(run), languages = set->languages;
    const uint32_t *from = valid ? run->split.valid_pair : run->split.train_pair;
    ig_arena work = {0};
    size_t *seen = ig_arena_array(&work, languages, languages * sizeof *seen);
    uint32_t *order = ig_arena_array(&work, n, sizeof *order);
    bool failed = work.failed;
    ig_random random;

    run->left = ig_arena_array(&run->info.arena, n, sizeof *run->left);
    run->right = ig_arena_array(&run->info.arena, n, sizeof *run->right);
    failed |= run->info.arena.failed;
    for (size_t i = 0; i < n && !failed; i++)
        order[i] = from[i];
    ig_random_init(&random, run->info.options.seed, STREAM_MEASURE);
    if (!failed)
        ig_random_shuffle(&random, order, n);
    for (size_t i = 0; i < n && run->measured < limit && !failed; i++) {
        uint32_t l = pairs->left[order[i]], r = pairs->right[order[i]];

        if (seen[set->lang[l] * languages + set->lang[r]]++ >= PAIRS_A_LANGUAGE_PAIR)
            continue;
        run->left[run->measured] = l;
        run->right[run->measured++] = r;
    }
    run->measurable = n;
    run->measured_valid = valid;
    ig_arena_free(&work);
    return failed ? ig_fail_memory(error, "the measured pairs") : IG_OK;
}

/* --- description ------------------------------------------------------------------ */

void ig_run_info_free(ig_run_info *info)
{
    ig_arena_free(&info->arena);
    ig_extractor_free(&info->weights);
    ig_free(info->record);
    *info = (ig_run_info){0};
}

ig_status ig_run_set_strength(ig_run_info *info, double strength, ig_error *error)
{
    const char *of[2] = {info->method, info->path ? info->path : info->method};
    const char **out[2] = {&info->title, &info->name};
    char suffix[40] = "";

    info->options.strength = strength;
    if (strength != 1)
        snprintf(suffix, sizeof suffix, " strength %g", strength);
    for (size_t i = 0; i < 2; i++) {
        size_t size = strlen(of[i]) + sizeof suffix;
        char *text = ig_arena_bytes(&info->arena, size);

        if (!text)
            return ig_fail_memory(error, "a run");
        snprintf(text, size, "%s%s", of[i], suffix);
        *out[i] = text;
    }
    return info->weights.size ? ig_extractor_strengthen(&info->weights, strength, error)
                              : IG_OK;
}

static ig_status describe_data(ig_run *run, ig_error *error)
{
    const ig_dataset *set = run->setup.set;
    const ig_pairs *pairs = run->setup.pairs;
    ig_run_info *info = &run->info;
    ig_arena *arena = &info->arena;
    uint8_t *mark = ig_arena_array(arena, set->languages, 1);

    info->languages = (ig_texts){set->languages, set->language};
    info->trained.text = ig_arena_array(arena, set->languages, sizeof(char *));
    info->terms.text = ig_arena_array(arena, run->objective.terms, sizeof(char *));
    if (arena->failed)
        return ig_fail_memory(error, "a run");
    for (size_t i = 0; i < run->split.train; i++)
        mark[set->lang[pairs->left[run->split.train_pair[i]]]] =
            mark[set->lang[pairs->right[run->split.train_pair[i]]]] = 1;
    for (size_t k = 0; k < set->languages; k++)
        if (mark[k] && run->objective.extractor != IG_IDENTITY)
            info->trained.text[info->trained.count++] = set->language[k];
    for (size_t t = 0; t < run->objective.terms; t++)
        info->terms.text[info->terms.count++] = run->objective.term[t].name;
    info->has_data = true;
    info->data = set->name;
    info->version = set->version ? set->version : "";
    info->rows = set->rows;
    info->dims = set->dims;
    info->checksum = set->checksum;
    info->pairing = run->setup.pairing ? run->setup.pairing : "pivot";
    info->pairs = pairs->count;
    info->pairs_checksum = ig_pairs_checksum(pairs);
    info->train_pairs = run->split.train;
    info->valid_pairs = run->split.valid;
    info->holdout_pairs = run->split.holdout;
    return IG_OK;
}

static const char *get_ending(const ig_run *run)
{
    if (run->failed)
        return run->why.message;
    switch (run->trainer->state) {
    case IG_TRAIN_ALL_EPOCHS:
        return "all epochs done";
    case IG_TRAIN_PATIENCE:
        return "no better epoch within the patience";
    case IG_TRAIN_CLOSED:
        return "closed form";
    default:
        return run->setup.checkpoint ? IG_RUN_CHECKPOINT : "interrupted";
    }
}

static void describe_progress(ig_run *run)
{
    run->info.ending = get_ending(run);
    run->info.best = run->trainer->best_epoch;
    run->info.best_since = run->trainer->best_since;
    run->info.epochs = run->info.records ? run->info.records - 1 : 0;
}

void ig_run_stop(ig_run *run)
{
    run->setup.checkpoint = 0;
    describe_progress(run);
}

/* --- life ------------------------------------------------------------------------- */

static ig_status make_trainer(ig_run *run, const ig_run_setup *s, ig_error *error)
{
    bool read = s->init && !s->from;
    ig_extractor initial = {.kind = run->objective.extractor,
                            .dims = s->set->dims,
                            .languages = s->set->languages,
                            .classifies = ig_objective_classifies(&run->objective)};
    ig_status status = read ? ig_weights_load(&initial, s->init, error) : IG_OK;

    if (status == IG_OK)
        status = ig_trainer_new(&run->trainer, s->set, s->pairs, &run->split,
                                &run->objective, &run->info.options,
                                read ? &initial : s->from, s->pool, error);
    ig_extractor_free(&initial);
    if (status != IG_OK)
        return status;
    ig_history_init(&run->history, s->keep, run->trainer->now.size);
    run->info.batch = run->trainer->batch_size;
    run->info.form = ig_form_of(run->objective.extractor)->name;
    run->info.extractor = &run->trainer->best;
    return IG_OK;
}

static ig_status init_run(ig_run *run, const ig_run_setup *s, ig_error *error)
{
    ig_train_options *options = &run->info.options;
    ig_arena *arena = &run->info.arena;
    ig_status status = s->text
                           ? ig_objective_parse(&run->objective, s->method, s->method,
                                                s->text, strlen(s->text), error)
                           : ig_objective_load(&run->objective, s->method, error);

    if (status == IG_OK)
        status = ig_train_resolve(options, &run->objective.settings, error);
    if (status == IG_OK)
        status = ig_split_make(&run->split, s->set, s->pairs, options->valid,
                               options->holdout, options->split_seed, error);
    if (status == IG_OK)
        status = describe_data(run, error);
    if (status == IG_OK)
        status = make_trainer(run, s, error);
    if (status == IG_OK)
        status = draw_measured(run, error);
    if (status != IG_OK)
        return status;
    if (run->objective.extractor < IG_RESIDUAL)
        run->setup.checkpoint = 0;
    run->info.method = run->objective.name;
    status = ig_run_set_strength(&run->info, options->strength, error);
    if (status != IG_OK)
        return status;
    run->asked = ig_arena_text(arena, s->method, strlen(s->method));
    run->info.init = s->init ? ig_arena_text(arena, s->init, strlen(s->init)) : NULL;
    describe_progress(run);
    return run->asked && (!s->init || run->info.init) ? IG_OK
                                                      : ig_fail_memory(error, "a run");
}

ig_status ig_run_new(ig_run **out, const ig_run_setup *setup, ig_error *error)
{
    ig_run *run = ig_alloc(1, sizeof *run);
    ig_status status;

    *out = NULL;
    if (!run)
        return ig_fail_memory(error, "a run");
    run->setup = *setup;
    run->setup.from = NULL; /* the caller's, as the strings are */
    run->setup.init = run->setup.method = run->setup.text = NULL;
    run->info.options = setup->options;
    status = init_run(run, setup, error);
    if (status == IG_OK)
        *out = run;
    else
        ig_run_delete(run);
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
    const ig_dataset *set = run->setup.set;
    const ig_extractor *x = &run->trainer->now;
    ig_rows originals = ig_rows_of_dataset(set);
    ig_evaluation_spec spec = {
        .measures = IG_MEASURE_GEOMETRY,
        .pairs = {.left = run->left, .right = run->right, .pairs = run->measured}};
    ig_status status = IG_OK;

    for (int s = 0; s < IG_SPACES && status == IG_OK; s++) {
        ig_space_rows context = {x, (ig_space)s, &originals, set->lang};
        ig_rows rows = ig_rows_of_space(&context);
        ig_evaluation e = {0};

        out[s] = (ig_geometry){.alignment = NAN, .uniformity = NAN};
        if (s == IG_SPACE_ORIGINAL && run->info.records) {
            out[s] = run->info.record->geometry[s];
            continue;
        }
        if (!ig_extractor_serves(x, (ig_space)s))
            continue;
        status = ig_evaluation_take(&e, &rows, &spec, run->setup.pool, NULL, error);
        if (status == IG_OK)
            out[s] = (ig_geometry){ig_figures_value(&e.figures, "alignment"),
                                   ig_figures_value(&e.figures, "uniformity")};
        ig_evaluation_free(&e);
    }
    return status;
}

static void note_changes(ig_run *run, const ig_epoch *epoch)
{
    for (size_t t = 0; t < run->objective.terms; t++) {
        const ig_term *term = &run->objective.term[t];

        if (epoch->changed >> t & 1)
            ig_builder_add(&run->changes, "# changed at epoch %zu: %s: weight %.9g%s\n",
                           epoch->epoch, term->name, term->weight,
                           term->off ? ", off" : "");
    }
}

static ig_status run_epoch(ig_run *run, ig_between *between, void *context,
                           ig_error *error)
{
    ig_run_info *info = &run->info;
    ig_status status = ig_array_grow(&info->record, &info->capacity, info->records + 1,
                                     sizeof *info->record, "the history", error);
    ig_run_record *record = status == IG_OK ? &info->record[info->records] : NULL;

    if (status == IG_OK)
        status =
            ig_trainer_epoch(run->trainer, between, context, &record->epoch, error);
    if (status == IG_OK)
        status = measure_spaces(run, record->geometry, error);
    if (status != IG_OK)
        return status;
    note_changes(run, &record->epoch);
    info->seconds += record->epoch.seconds;
    info->records++;
    ig_history_add(&run->history, record->epoch.epoch, run->trainer->now.weights);
    return IG_OK;
}

ig_status ig_run_epoch(ig_run *run, ig_between *between, void *context, ig_error *error)
{
    ig_error why = {0};
    ig_status status = run_epoch(run, between, context, &why);

    if (status != IG_OK && status != IG_INTERRUPTED) {
        run->failed = status;
        run->why = why;
    }
    describe_progress(run);
    return status == IG_OK ? IG_OK : ig_fail(error, status, "%s", why.message);
}

bool ig_run_going(const ig_run *run)
{
    return !run->failed && run->trainer->state == IG_TRAIN_RUNNING;
}

bool ig_run_checkpoint_due(const ig_run *run)
{
    return run->setup.checkpoint && run->info.records && ig_run_going(run) &&
           run->info.epochs % run->setup.checkpoint == 0;
}

const ig_run_record *ig_run_best(const ig_run *run)
{
    size_t best = run->trainer->best_epoch;

    return best < run->info.records ? &run->info.record[best] : NULL;
}

/* --- notes ------------------------------------------------------------------------ */

__attribute__((format(printf, 3, 4))) static void
add_note(char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE], size_t *n, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (*n < IG_RUN_NOTES)
        vsnprintf(note[(*n)++], IG_RUN_NOTE_SIZE, format, list);
    va_end(list);
}

size_t ig_run_notes(const ig_run *run, char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE])
{
    const ig_run_record *best = ig_run_best(run);
    size_t processes = ig_comm_processes(ig_pool_comm(run->setup.pool));
    size_t epochs = run->info.options.epochs, n = 0;

    for (size_t i = 0; i < run->objective.terms; i++) {
        const ig_term *t = &run->objective.term[i];

        if (!t->off && t->from > epochs)
            add_note(note, &n,
                     "%.60s never counts: it begins with epoch %zu, and --epochs is "
                     "%zu",
                     t->name, t->from, epochs);
        /* A classifier's is a mean over rows. */
        if (!t->off && processes > 1 && !t->kind->row && !t->kind->classifier)
            add_note(note, &n,
                     "%.60s: a term over a batch, taken within each of %zu ranks, over "
                     "%zu pairs at most",
                     t->name, processes, (run->info.batch + processes - 1) / processes);
    }
    if (run->objective.extractor >= IG_RESIDUAL && run->split.train > IG_PAIRS_BEFORE)
        add_note(note, &n, "the training loss of epoch 0 is of %d of %zu pairs",
                 IG_PAIRS_BEFORE, run->split.train);
    for (int s = IG_SPACE_MEANING; best && s < IG_SPACES; s++)
        if (best->geometry[s].uniformity > IG_UNIFORMITY_POINT)
            add_note(note, &n,
                     "the %s embeddings are nearly one point (live uniformity %.4f): "
                     "that translations are near says little",
                     ig_space_name((ig_space)s), best->geometry[s].uniformity);
    return n;
}

/* --- as text ---------------------------------------------------------------------- */

char *ig_run_objective(const ig_run *run)
{
    ig_builder out = {.failed = run->changes.failed};

    if (!run->changes.length)
        return ig_strdup(run->objective.text);
    ig_builder_add(&out, "# %s, changed while it was trained\n", run->objective.name);
    ig_objective_format(&run->objective, &out);
    ig_builder_put(&out, run->changes.text, run->changes.length);
    ig_builder_add(&out, "# the best epoch is of those since the last change\n");
    return ig_builder_take(&out);
}

/* --- weights of past epochs ------------------------------------------------------- */

void ig_history_init(ig_history *history, size_t budget, size_t size)
{
    *history = (ig_history){.budget = budget, .size = size, .every = 1};
}

void ig_history_free(ig_history *history)
{
    for (size_t i = 0; i < history->count; i++)
        ig_free(history->kept[i].weights);
    ig_free(history->kept);
    *history = (ig_history){0};
}

void ig_history_add(ig_history *history, size_t epoch, const float *weights)
{
    size_t bytes = history->size * sizeof *weights, left;
    float *copy = history->budget ? ig_alloc(history->size, sizeof *copy) : NULL;

    if (!copy || ig_array_grow(&history->kept, &history->capacity, history->count + 1,
                               sizeof *history->kept, "past epochs", NULL) != IG_OK) {
        ig_free(copy);
        return;
    }
    for (;; history->every *= 2) { /* also drops the previous newest epoch */
        left = 0;
        for (size_t i = 0; i < history->count; i++)
            if (history->kept[i].epoch % history->every == 0)
                history->kept[left++] = history->kept[i];
            else
                ig_free(history->kept[i].weights);
        history->count = left;
        if (left < 2 || (left + 1) * bytes <= history->budget)
            break;
    }
    if (bytes)
        memcpy(copy, weights, bytes);
    history->kept[history->count++] = (struct ig_history_epoch){epoch, copy};
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
