/* Runs: a trainer with its split, live measures and history. */
#include "train/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
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
    info->options.strength = strength;
    if (strength != 1)
        snprintf(info->suffix, sizeof info->suffix, " strength %g", strength);
    return info->weights.size ? ig_extractor_strengthen(&info->weights, strength, error)
                              : IG_OK;
}

static void describe_progress(ig_run *run)
{
    static const char *const ending[] = {
        [IG_TRAIN_ALL_EPOCHS] = "all epochs done",
        [IG_TRAIN_PATIENCE] = "no better epoch within the patience",
        [IG_TRAIN_CLOSED] = "closed form"};
    ig_run_info *info = &run->info;

    if (run->failed)
        info->ending = run->why.message;
    else if (run->trainer->state == IG_TRAIN_RUNNING)
        info->ending = run->setup.checkpoint ? IG_RUN_CHECKPOINT : "interrupted";
    else
        info->ending = ending[run->trainer->state];
    run->going = !run->failed && run->trainer->state == IG_TRAIN_RUNNING;
    info->best = run->trainer->best_epoch;
}

/* --- life ------------------------------------------------------------------------- */

/* What describes a run from its start on. */
static ig_status describe_run(ig_run *run, const ig_run_setup *s, ig_error *error)
{
    const ig_dataset *set = s->set;
    const ig_objective *objective = &run->objective;
    const char *pairing = s->pairing ? s->pairing : "pivot";
    ig_run_info *info = &run->info;
    ig_arena *arena = &info->arena;
    uint8_t *mark = ig_arena_array(arena, set->languages, 1);

    run->setup.method = ig_arena_text(arena, s->method, strlen(s->method));
    run->setup.init = s->init ? ig_arena_text(arena, s->init, strlen(s->init)) : NULL;
    info->pairing = ig_arena_text(arena, pairing, strlen(pairing));
    info->trained.text = ig_arena_array(arena, set->languages, sizeof(char *));
    info->terms.text = ig_arena_array(arena, objective->terms, sizeof(char *));
    if (arena->failed)
        return ig_fail_memory(error, "a run");
    for (size_t i = 0; i < run->split.train; i++)
        mark[set->lang[s->pairs->left[run->split.train_pair[i]]]] =
            mark[set->lang[s->pairs->right[run->split.train_pair[i]]]] = 1;
    for (size_t k = 0; k < set->languages; k++)
        if (mark[k] && objective->extractor != IG_IDENTITY)
            info->trained.text[info->trained.count++] = set->language[k];
    for (size_t t = 0; t < objective->terms; t++)
        info->terms.text[info->terms.count++] = objective->term[t].name;
    info->method = objective->name;
    info->init = run->setup.init;
    info->extractor = &run->trainer->best;
    info->languages = (ig_texts){set->languages, set->language};
    info->data = set->name;
    info->version = set->version ? set->version : "";
    info->dims = set->dims;
    info->checksum = set->checksum;
    info->pairs = s->pairs->count;
    info->pairs_checksum = ig_pairs_checksum(s->pairs);
    info->train_pairs = run->split.train;
    info->valid_pairs = run->split.valid;
    info->holdout_pairs = run->split.holdout;
    describe_progress(run);
    return ig_run_set_strength(info, info->options.strength, error);
}

/* Draw the pairs of the live measures: validation pairs (without any: training pairs)
 * in random order, at most 1,000 of each language pair. Two spaces of 2n rows cost
 * 8·n²·d flops, which shall be a tenth of an epoch, but at least 1e9 (some
 * milliseconds) and at most 1e11, as they are not cancelled. */
static ig_status draw_measured(ig_run *run, ig_error *error)
{
    const ig_dataset *set = run->setup.set;
    const ig_pairs *pairs = run->setup.pairs;
    const ig_split *split = &run->split;
    bool valid = split->valid > 0;
    const uint32_t *from = valid ? split->valid_pair : split->train_pair;
    size_t n = valid ? split->valid : split->train, languages = set->languages;
    double d = (double)set->dims, epoch = 8 * d * d * (double)split->train;
    double tenth = run->objective.extractor >= IG_RESIDUAL ? 0.1 * epoch : 0;
    size_t limit = (size_t)sqrt(fmin(fmax(1e9, tenth), 1e11) / (8 * d));
    ig_arena work = {0};
    size_t *seen = ig_arena_array(&work, languages, languages * sizeof *seen);
    uint32_t *order = ig_arena_array(&work, n, sizeof *order);
    bool failed = work.failed;
    ig_random random;

    run->left = ig_arena_array(&run->info.arena, n, sizeof *run->left);
    run->right = ig_arena_array(&run->info.arena, n, sizeof *run->right);
    failed |= run->info.arena.failed;
    if (!failed && n)
        memcpy(order, from, n * sizeof *order);
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
    *options = s->options;
    ig_train_resolve(options, &objective->settings);
    if (objective->extractor < IG_RESIDUAL)
        run->setup.checkpoint = 0;
    initial.kind = objective->extractor;
    initial.classifies = ig_objective_classifies(objective);
    status = ig_split_make(&run->split, s->set, s->pairs, options->valid,
                           options->holdout, options->split_seed, error);
    if (status == IG_OK && read)
        status = ig_weights_load(&initial, s->init, error);
    if (status == IG_OK)
        status = ig_trainer_new(&run->trainer, s->set, s->pairs, &run->split, objective,
                                options, read ? &initial : s->from, s->pool, error);
    ig_extractor_free(&initial);
    if (status == IG_OK)
        status = draw_measured(run, error);
    if (status != IG_OK)
        return status;
    run->history =
        (ig_history){.budget = s->keep, .size = run->trainer->now.size, .every = 1};
    return describe_run(run, s, error);
}

ig_status ig_run_new(ig_run **run, const ig_run_setup *setup, ig_error *error)
{
    ig_status status;

    *run = ig_alloc(1, sizeof **run);
    if (!*run)
        return ig_fail_memory(error, "a run");
    (*run)->setup = *setup;
    (*run)->setup.from = NULL; /* the caller's, as the texts are */
    (*run)->setup.init = (*run)->setup.method = NULL;
    (*run)->setup.text = (*run)->setup.pairing = NULL;
    status = init_run(*run, setup, error);
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
    run->setup.checkpoint = 0;
    describe_progress(run);
}

const ig_run_record *ig_run_best(const ig_run *run)
{
    size_t best = run->trainer->best_epoch;

    return best < run->info.records ? &run->info.record[best] : NULL;
}

/* --- as text ---------------------------------------------------------------------- */

size_t ig_run_notes(const ig_run *run, char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE])
{
    const ig_run_record *best = ig_run_best(run);
    size_t processes = ig_comm_processes(ig_pool_comm(run->setup.pool));
    size_t epochs = run->info.options.epochs, n = 0, others = IG_SPACES;

    for (size_t i = 0; i < run->objective.terms && n + others < IG_RUN_NOTES; i++) {
        const ig_term *t = &run->objective.term[i];

        if (!t->off && t->from > epochs)
            snprintf(note[n++], IG_RUN_NOTE_SIZE,
                     "%.60s never counts: it begins with epoch %zu, and --epochs is "
                     "%zu",
                     t->name, t->from, epochs);
        /* A classifier's is a mean over rows. */
        else if (!t->off && processes > 1 && !t->kind->row && !t->kind->classifier)
            snprintf(note[n++], IG_RUN_NOTE_SIZE,
                     "%.60s: a term over a batch, taken within each of %zu ranks, over "
                     "%zu pairs at most",
                     t->name, processes,
                     (run->trainer->batch_size + processes - 1) / processes);
    }
    if (run->objective.extractor >= IG_RESIDUAL && run->split.train > IG_PAIRS_BEFORE)
        snprintf(note[n++], IG_RUN_NOTE_SIZE,
                 "the training loss of epoch 0 is of %d of %zu pairs", IG_PAIRS_BEFORE,
                 run->split.train);
    for (int s = IG_SPACE_MEANING; best && s < IG_SPACES; s++)
        if (best->geometry[s].uniformity > IG_UNIFORMITY_POINT)
            snprintf(note[n++], IG_RUN_NOTE_SIZE,
                     "the %s embeddings are nearly one point (live uniformity %.4f): "
                     "that translations are near says little",
                     ig_space_name((ig_space)s), best->geometry[s].uniformity);
    return n;
}

char *ig_run_objective(const ig_run *run)
{
    ig_builder out = {.failed = run->changes.failed};

    if (!run->changes.length)
        return ig_strdup(run->objective.text);
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
