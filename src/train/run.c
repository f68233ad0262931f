/* Runs: a trainer with its split, live measures and history. */
#include "train/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/file.h"
#include "data/dataset.h"
#include "train/model.h"
#include "train/terms.h"

enum { PAIRS_A_LANGUAGE_PAIR = 1000, STREAM_MEASURE = 1u << 20 };

/* Flops per epoch that live measures may always use (some milliseconds). */
static const double FREE_FLOPS = 1e9;

/* --- measured pairs --------------------------------------------------------------- */

static double epoch_flops(const ig_run *run)
{
    double d = (double)run->setup.set->dims;
    double outputs = run->objective.extractor == IG_TWIN ? 2 : 1;

    return run->objective.extractor < IG_RESIDUAL
               ? 0
               : 8.0 * outputs * d * d * (double)run->split.train;
}

/* Flops of alignment and uniformity of two spaces on n pairs, at most 2n rows. */
static double measure_flops(const ig_run *run, double n)
{
    double d = (double)run->setup.set->dims;
    double rows = fmin(2 * n, (double)run->setup.set->rows);

    return 2 * (rows * rows * d + 2 * rows * d * d);
}

static ig_status draw_pairs(ig_run *run, const uint32_t *from, size_t n,
                            ig_error *error)
{
    const ig_dataset *set = run->setup.set;
    const ig_pairs *pairs = run->setup.pairs;
    uint32_t *order = ig_alloc(n, sizeof *order);
    size_t *seen = ig_alloc(set->languages, set->languages * sizeof *seen);
    ig_status status = IG_OK;
    ig_random random;

    run->left = ig_alloc(n, sizeof *run->left);
    run->right = ig_alloc(n, sizeof *run->right);
    if (!order || !seen || !run->left || !run->right) {
        status = ig_fail_memory(error, "the measured pairs");
        n = 0;
    }
    if (n)
        memcpy(order, from, n * sizeof *order);
    ig_random_init(&random, run->options.seed, STREAM_MEASURE);
    ig_random_shuffle(&random, order, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t l = pairs->left[order[i]], r = pairs->right[order[i]];

        if (seen[set->lang[l] * set->languages + set->lang[r]]++ >=
            PAIRS_A_LANGUAGE_PAIR)
            continue;
        run->left[run->measured] = l;
        run->right[run->measured++] = r;
    }
    IG_FREE(order, seen);
    return status;
}

/* Draw at most 1,000 of each language pair in random order, and limit the live measures
 * to as many as are cheap. */
static ig_status draw_measured(ig_run *run, ig_error *error)
{
    bool valid = run->split.valid > 0;
    double budget = fmax(FREE_FLOPS, 0.1 * epoch_flops(run));
    ig_status status = draw_pairs(run,
                                  valid ? run->split.valid_pair : run->split.train_pair,
                                  valid ? run->split.valid : run->split.train, error);

    run->drawn = run->measured;
    while (run->measured > 256 && measure_flops(run, (double)run->measured) > budget)
        run->measured = run->measured * 9 / 10;
    run->measurable = (valid ? run->split.valid : run->split.train);
    run->measured_valid = valid;
    return status;
}

bool ig_run_checkpoint_due(const ig_run *run)
{
    return run->setup.checkpoint && run->records && ig_run_going(run) &&
           (run->records - 1) % run->setup.checkpoint == 0;
}

/* --- life ------------------------------------------------------------------------- */

static ig_status init_run(ig_run *run, ig_error *error)
{
    const ig_run_setup *s = &run->setup;
    ig_extractor initial = {0};
    ig_status status = s->text
                           ? ig_objective_parse(&run->objective, s->method, s->method,
                                                s->text, strlen(s->text), error)
                           : ig_objective_load(&run->objective, s->method, error);

    if (status == IG_OK && run->objective.extractor < IG_RESIDUAL)
        run->setup.checkpoint = 0;
    if (status == IG_OK)
        status = ig_train_resolve(&run->options, &run->objective.settings, error);
    if (status == IG_OK)
        status = ig_split_make(&run->split, s->set, s->pairs, run->options.valid,
                               run->options.holdout, run->options.split_seed, error);
    if (status == IG_OK && s->init && !s->from) {
        ig_extractor_shape shape = {
            .kind = run->objective.extractor,
            .dims = s->set->dims,
            .languages = s->set->languages,
            .classifier = ig_objective_classifies(&run->objective)};

        status = ig_weights_load(&initial, shape, s->init, error);
    }
    if (status == IG_OK)
        status = ig_trainer_new(&run->trainer, s->set, s->pairs, &run->split,
                                &run->objective, &run->options,
                                initial.weights ? &initial : s->from, s->pool, error);
    if (status == IG_OK)
        status = draw_measured(run, error);
    if (status == IG_OK && s->keep) {
        run->history = ig_alloc(1, sizeof *run->history);
        if (run->history)
            ig_history_init(run->history, s->keep, run->trainer->now.size);
        else
            status = ig_fail_memory(error, "the history of weights");
    }
    ig_extractor_free(&initial);
    return status;
}

ig_status ig_run_new(ig_run **out, const ig_run_setup *setup, ig_error *error)
{
    ig_run *run = ig_alloc(1, sizeof *run);
    ig_status status;

    *out = NULL;
    if (!run)
        return ig_fail_memory(error, "a run");
    run->setup = *setup;
    run->options = setup->options;
    status = init_run(run, error);
    run->asked = ig_strdup(setup->method);
    run->init = setup->init ? ig_strdup(setup->init) : NULL;
    if (status == IG_OK && (!run->asked || (setup->init && !run->init)))
        status = ig_fail_memory(error, "a run");
    run->setup.from = NULL;
    run->setup.init = NULL; /* the caller owns the strings */
    run->setup.method = run->objective.name;
    run->setup.text = NULL;
    if (status != IG_OK) {
        ig_run_delete(run);
        return status;
    }
    *out = run;
    return IG_OK;
}

void ig_run_delete(ig_run *run)
{
    if (!run)
        return;
    if (run->history)
        ig_history_free(run->history);
    IG_FREE(run->history, run->edit);
    IG_FREE(run->asked, run->init);
    ig_trainer_delete(run->trainer);
    ig_split_free(&run->split);
    ig_objective_free(&run->objective);
    IG_FREE(run->record, run->left, run->right, run);
}

/* --- epochs ----------------------------------------------------------------------- */

/* Alignment and uniformity of a space on the first `pairs` pairs; NaN if the extractor
 * lacks it. */
static ig_status measure_space(const ig_run *run, const ig_extractor *x, ig_space space,
                               size_t pairs, ig_progress *progress, ig_geometry *out,
                               ig_error *error)
{
    const ig_dataset *set = run->setup.set;
    ig_rows originals = ig_rows_of_dataset(set);
    ig_space_rows context = {x, space, &originals, set->lang};
    ig_rows rows = ig_rows_of_space(&context);

    *out = (ig_geometry){.alignment = NAN, .uniformity = NAN};
    if (!ig_extractor_serves(x, space))
        return IG_OK;
    return ig_geometry_measure(out, &rows, run->left, run->right, pairs,
                               run->setup.pool, progress, error);
}

/* Can be cancelled and repeated from the start: reads nothing from the record. */
static ig_status measure_epoch(const ig_run *run, ig_run_record *record,
                               ig_error *error)
{
    const ig_extractor *x = &run->trainer->now;
    ig_progress progress = {.stop = run->setup.stop};
    ig_status status = IG_OK;

    for (int s = 0; s < IG_SPACES && status == IG_OK; s++)
        if (s == IG_SPACE_ORIGINAL && run->records)
            record->geometry[s] = run->record[0].geometry[s];
        else
            status = measure_space(run, x, (ig_space)s, run->measured, &progress,
                                   &record->geometry[s], error);
    return status;
}

double ig_run_finish_work(const ig_run *run)
{
    double rows = fmin(2 * (double)run->drawn, (double)run->setup.set->rows);

    return run->measured == run->drawn
               ? 0
               : IG_SPACES * rows * rows * (double)run->setup.set->dims;
}

ig_status ig_run_finish(ig_run *run, ig_progress *progress, ig_error *error)
{
    const ig_run_record *best = ig_run_best(run);
    const ig_extractor *x = &run->trainer->best;
    ig_status status = IG_OK;

    for (int s = 0; s < IG_SPACES && status == IG_OK; s++)
        if (best && run->measured == run->drawn)
            run->final[s] = best->geometry[s];
        else
            status = measure_space(run, x, (ig_space)s, run->drawn, progress,
                                   &run->final[s], error);
    run->finished = status == IG_OK;
    return status;
}

/* Record the terms that the next epoch starts with another weight, or without. */
static ig_status record_edits(ig_run *run, ig_error *error)
{
    size_t terms = run->objective.terms;
    ig_status status = ig_array_grow(&run->edit, &run->edit_capacity,
                                     run->edits + terms, sizeof *run->edit,
                                     "the edits of a run", error);

    for (size_t t = 0; t < terms && status == IG_OK; t++) {
        ig_run_edit edit = {.epoch = run->records,
                            .term = t,
                            .weight_before = run->objective.term[t].weight,
                            .on_before = !run->objective.term[t].off};

        for (size_t i = 0; i < run->edits; i++)
            if (run->edit[i].term == t) {
                edit.weight_before = run->edit[i].weight;
                edit.on_before = run->edit[i].on;
            }
        edit.weight = run->trainer->weight[t];
        edit.on = run->trainer->on[t];
        if (edit.weight != edit.weight_before || edit.on != edit.on_before)
            run->edit[run->edits++] = edit;
    }
    return status;
}

ig_status ig_run_epoch(ig_run *run, ig_between *between, void *context, ig_error *error)
{
    ig_error problem = {0};
    /* Reserved before it is trained, so that nothing can fail afterwards. */
    ig_status status = ig_array_grow(&run->record, &run->capacity, run->records + 1,
                                     sizeof *run->record, "the history", &problem);

    /* Not if an interrupted epoch continues, whose weights are fixed. */
    if (status == IG_OK && !run->trained &&
        ig_trainer_edits_from(run->trainer) == run->records)
        status = record_edits(run, &problem);
    if (status == IG_OK && !run->trained) {
        status = ig_trainer_epoch(run->trainer, between, context,
                                  &run->record[run->records].epoch, &problem);
        run->trained = status == IG_OK;
    }
    if (status == IG_OK)
        status = measure_epoch(run, &run->record[run->records], &problem);
    if (status == IG_OK) {
        run->seconds += run->record[run->records++].epoch.seconds;
        run->trained = false;
        if (run->history)
            ig_history_add(run->history, run->records - 1, run->trainer->now.weights);
    }
    if (status == IG_OK)
        return IG_OK;
    if (status != IG_INTERRUPTED) {
        run->failed = status;
        snprintf(run->message, sizeof run->message, "%.*s",
                 (int)sizeof run->message - 1, problem.message);
    }
    return ig_fail(error, status, "%s", problem.message);
}

bool ig_run_going(const ig_run *run)
{
    return !run->failed && (run->trained || run->trainer->state == IG_TRAIN_RUNNING);
}

const char *ig_run_ending(const ig_run *run)
{
    if (run->failed)
        return run->message;
    switch (run->trainer->state) {
    case IG_TRAIN_ALL_EPOCHS:
        return "all epochs done";
    case IG_TRAIN_PATIENCE:
        return "no better epoch within the patience";
    case IG_TRAIN_CLOSED:
        return "closed form";
    case IG_TRAIN_DIVERGED:
        return run->message;
    case IG_TRAIN_RUNNING:
        break;
    }
    return run->setup.checkpoint && !run->stopped ? IG_RUN_GOES_ON : "interrupted";
}

const ig_run_record *ig_run_best(const ig_run *run)
{
    size_t best = run->trainer->best_epoch;

    return best < run->records ? &run->record[best] : NULL;
}

/* Whether a term trains a space's weights; a residual's weights serve both spaces. */
static bool uses_space(const ig_term *term, ig_extractor_kind kind, ig_space space)
{
    for (size_t k = 0; k < term->kind->operands; k++)
        for (size_t i = 0; i < term->operand[k].atoms; i++) {
            uint8_t atom = term->operand[k].atom[i];

            if (atom >= IG_ATOM_MEANING &&
                (kind != IG_TWIN ||
                 (space == IG_SPACE_LANGUAGE) == (atom >= IG_ATOM_LANGUAGE)))
                return true;
        }
    return false;
}

/* Whether a space's weights received no gradient in an epoch: all active terms that use
 * it are 0 (closed hinges). False if the objective has no such term. */
static bool stands_still(const ig_epoch *e, const ig_objective *o, ig_space space)
{
    size_t epoch = e->epoch ? e->epoch : 1; /* which decides the active terms */
    bool any = false;

    for (size_t i = 0; i < o->terms; i++) {
        if (!uses_space(&o->term[i], o->extractor, space) || o->term[i].from > epoch ||
            isnan(e->value[i]))
            continue;
        if (fabs(e->value[i]) >= 1e-4)
            return false;
        any = true;
    }
    return any;
}

static bool note_late_terms(const ig_run *run, char note[IG_RUN_NOTE_SIZE])
{
    const ig_objective *o = &run->objective;
    const ig_term *first = NULL;
    size_t late = 0;
    char more[36] = "";

    for (size_t t = 0; t < o->terms; t++)
        if (!o->term[t].off && o->term[t].from > run->options.epochs && !late++)
            first = &o->term[t];
    if (late > 1)
        snprintf(more, sizeof more, " (and %zu more)", late - 1);
    if (late)
        snprintf(note, IG_RUN_NOTE_SIZE,
                 "%.60s%s never count%s: it begins with epoch %zu, and --epochs is %zu",
                 first->name, more, late > 1 ? "" : "s", first->from,
                 run->options.epochs);
    return late > 0;
}

/* Note terms of the batch that each process computed on its share. */
static bool note_shared_terms(const ig_run *run, char note[IG_RUN_NOTE_SIZE])
{
    size_t ranks = ig_comm_processes(ig_pool_comm(run->setup.pool)), shared = 0;
    const ig_term *first = NULL;
    char more[36] = "";

    for (size_t t = 0; t < run->objective.terms; t++) {
        const ig_term *term = &run->objective.term[t];

        /* A classifier's is a mean over rows. */
        if (!term->kind->row && !term->kind->classifier && !term->off && !shared++)
            first = term;
    }
    if (shared > 1)
        snprintf(more, sizeof more, " and %zu more", shared - 1);
    if (shared && ranks > 1)
        snprintf(
            note, IG_RUN_NOTE_SIZE,
            "%.60s%s: a term over a batch, taken within each of %zu ranks, over %zu "
            "pairs at most",
            first->name, more, ranks, (run->trainer->batch_size + ranks - 1) / ranks);
    return shared && ranks > 1;
}

static bool note_size(const ig_run *run, char note[IG_RUN_NOTE_SIZE])
{
    size_t all = (size_t)run->split.train;

    if (run->objective.extractor < IG_RESIDUAL || all <= IG_PAIRS_BEFORE)
        return false;
    snprintf(note, IG_RUN_NOTE_SIZE,
             "the training loss of epoch 0 is of %d of %zu pairs", IG_PAIRS_BEFORE,
             all);
    return true;
}

size_t ig_run_notes(const ig_run *run, char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE])
{
    const ig_run_record *best = ig_run_best(run);
    bool twin = run->objective.extractor == IG_TWIN;
    size_t n = note_late_terms(run, note[0]);

    n += note_shared_terms(run, note[n]);
    n += note_size(run, note[n]);

    for (int s = IG_SPACE_MEANING; best && s < IG_SPACES; s++)
        if ((twin || s == IG_SPACE_MEANING) &&
            stands_still(&best->epoch, &run->objective, (ig_space)s))
            snprintf(note[n++], IG_RUN_NOTE_SIZE,
                     "nothing trains the %s embeddings at epoch %zu: the terms that "
                     "see them are all 0",
                     ig_space_name((ig_space)s), best->epoch.epoch);
    for (int s = IG_SPACE_MEANING; best && s < IG_SPACES; s++) {
        const ig_geometry *g = run->finished ? &run->final[s] : &best->geometry[s];

        if (ig_geometry_is_point(g))
            snprintf(
                note[n++], IG_RUN_NOTE_SIZE,
                "the %s embeddings are nearly one point (live uniformity %.4f): that "
                "translations are near says little",
                ig_space_name((ig_space)s), g->uniformity);
    }
    return n;
}

size_t ig_run_languages(const ig_run *run, uint8_t *mark)
{
    const ig_dataset *set = run->setup.set;
    const ig_pairs *pairs = run->setup.pairs;
    size_t n = 0;

    memset(mark, 0, set->languages);
    for (size_t i = 0; i < run->split.train; i++) {
        mark[set->lang[pairs->left[run->split.train_pair[i]]]] = 1;
        mark[set->lang[pairs->right[run->split.train_pair[i]]]] = 1;
    }
    for (size_t k = 0; k < set->languages; k++)
        n += mark[k] &= run->objective.extractor != IG_IDENTITY;
    return n;
}

/* --- as text ---------------------------------------------------------------------- */

/* "# changed at epoch 14: push m(x) m(x'): weight 1, was 2" */
static void format_edit(const ig_run *run, const ig_run_edit *e, ig_builder *out)
{
    ig_builder_add(out, "# changed at epoch %zu: %s: ", e->epoch,
                   run->objective.term[e->term].name);
    if (e->on && e->on_before)
        ig_builder_add(out, "weight %.9g, was %.9g\n", e->weight, e->weight_before);
    else
        ig_builder_add(out, "%s, weight %.9g\n", e->on ? "put back" : "struck out",
                       e->weight);
}

char *ig_run_objective(const ig_run *run)
{
    ig_objective o = run->objective;
    ig_builder out = {0};
    size_t edits = 0;

    while (edits < run->edits && run->edit[edits].epoch < run->records)
        edits++;
    if (edits == 0)
        return ig_strdup(o.text);
    o.term = ig_alloc(o.terms, sizeof *o.term);
    if (!o.term)
        return NULL;
    memcpy(o.term, run->objective.term, o.terms * sizeof *o.term);
    for (size_t i = 0; i < edits; i++) {
        o.term[run->edit[i].term].weight = run->edit[i].weight;
        o.term[run->edit[i].term].off = !run->edit[i].on;
    }
    ig_builder_add(&out, "# %s, changed while it was trained\n", o.name);
    ig_objective_format(&o, &out);
    for (size_t i = 0; i < edits; i++)
        format_edit(run, &run->edit[i], &out);
    ig_builder_add(&out, "# the best epoch is of those since the last change\n");
    ig_free(o.term);
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

static void thin_history(ig_history *history)
{
    size_t left = 0;

    for (size_t i = 0; i < history->count; i++)
        if (history->kept[i].epoch % history->every == 0)
            history->kept[left++] = history->kept[i];
        else
            ig_free(history->kept[i].weights);
    history->count = left;
}

void ig_history_add(ig_history *history, size_t epoch, const float *weights)
{
    size_t bytes = history->size * sizeof *weights;
    float *copy;

    thin_history(history); /* drops the previous newest epoch */
    while (history->count > 1 && (history->count + 1) * bytes > history->budget) {
        history->every *= 2;
        thin_history(history);
    }
    if (ig_array_grow(&history->kept, &history->capacity, history->count + 1,
                      sizeof *history->kept, "past epochs", NULL) != IG_OK)
        return;
    copy = ig_alloc(history->size, sizeof *copy);
    if (!copy)
        return;
    if (history->size)
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
