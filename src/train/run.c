/* Runs: a trainer with its split, live measures and history. */
#include "train/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "data/dataset.h"
#include "measure/evaluation.h"
#include "train/weights.h"

enum { PAIRS_A_LANGUAGE_PAIR = 1000, STREAM_MEASURE = 1u << 20 };

/* Flops per epoch that live measures may always use (some milliseconds). */
static const double FREE_FLOPS = 1e9;

/* --- measured pairs --------------------------------------------------------------- */

static double epoch_flops(const ig_run *run)
{
    double d = (double)run->info.dims;
    double outputs = run->objective.extractor == IG_TWIN ? 2 : 1;

    return run->objective.extractor < IG_RESIDUAL
               ? 0
               : 8.0 * outputs * d * d * (double)run->split.train;
}

/* Flops of alignment and uniformity of two spaces on n pairs, at most 2n rows. */
static double measure_flops(const ig_run *run, double n)
{
    double d = (double)run->info.dims, rows = fmin(2 * n, (double)run->info.rows);

    return 2 * (rows * rows * d + 2 * rows * d * d);
}

/* Draw at most 1,000 validation pairs (without any: training pairs) of each language
 * pair in random order, and limit the live measures to as many as are cheap. */
static ig_status draw_measured(ig_run *run, ig_error *error)
{
    const ig_dataset *set = run->setup.set;
    const ig_pairs *pairs = run->setup.pairs;
    bool valid = run->split.valid > 0;
    size_t n = valid ? run->split.valid : run->split.train;
    double budget = fmax(FREE_FLOPS, 0.1 * epoch_flops(run));
    size_t *seen = ig_alloc(set->languages, set->languages * sizeof *seen);
    uint32_t *order = ig_alloc(n, sizeof *order);
    ig_random random;

    run->left = ig_arena_array(&run->info.arena, n, sizeof *run->left);
    run->right = ig_arena_array(&run->info.arena, n, sizeof *run->right);
    if (!seen || !order || run->info.arena.failed) {
        IG_FREE(seen, order);
        return ig_fail_memory(error, "the measured pairs");
    }
    if (n)
        memcpy(order, valid ? run->split.valid_pair : run->split.train_pair,
               n * sizeof *order);
    ig_random_init(&random, run->info.options.seed, STREAM_MEASURE);
    ig_random_shuffle(&random, order, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t l = pairs->left[order[i]], r = pairs->right[order[i]];

        if (seen[set->lang[l] * set->languages + set->lang[r]]++ >=
            PAIRS_A_LANGUAGE_PAIR)
            continue;
        run->left[run->drawn] = l;
        run->right[run->drawn++] = r;
    }
    run->measured = run->drawn;
    while (run->measured > 256 && measure_flops(run, (double)run->measured) > budget)
        run->measured = run->measured * 9 / 10;
    run->measurable = n;
    run->measured_valid = valid;
    IG_FREE(seen, order);
    return IG_OK;
}

/* --- description ------------------------------------------------------------------ */

void ig_run_info_free(ig_run_info *info)
{
    ig_arena_free(&info->arena);
    ig_extractor_free(&info->weights);
    ig_free(info->record);
    *info = (ig_run_info){0};
}

static ig_status describe_data(ig_run *run, ig_error *error)
{
    const ig_dataset *set = run->setup.set;
    const ig_pairs *pairs = run->setup.pairs;
    ig_run_info *info = &run->info;
    ig_arena *arena = &info->arena;
    uint8_t *mark = ig_arena_array(arena, set->languages, 1);

    info->languages.text = ig_arena_array(arena, set->languages, sizeof(char *));
    info->trained.text = ig_arena_array(arena, set->languages, sizeof(char *));
    info->terms.text = ig_arena_array(arena, run->objective.terms, sizeof(char *));
    if (arena->failed)
        return ig_fail_memory(error, "a run");
    for (size_t i = 0; i < run->split.train; i++)
        mark[set->lang[pairs->left[run->split.train_pair[i]]]] =
            mark[set->lang[pairs->right[run->split.train_pair[i]]]] = 1;
    for (size_t k = 0; k < set->languages; k++) {
        info->languages.text[info->languages.count++] = set->language[k];
        if (mark[k] && run->objective.extractor != IG_IDENTITY)
            info->trained.text[info->trained.count++] = set->language[k];
    }
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
    IG_FREE(run->edit, run);
}

/* --- epochs ----------------------------------------------------------------------- */

/* Alignment and uniformity of the spaces on the first `pairs` pairs; NaN if the
 * extractor lacks one. original: as measured before, or NULL. */
static ig_status measure_spaces(const ig_run *run, const ig_extractor *x, size_t pairs,
                                ig_progress *progress, const ig_geometry *original,
                                ig_geometry out[IG_SPACES], ig_error *error)
{
    const ig_dataset *set = run->setup.set;
    ig_rows originals = ig_rows_of_dataset(set);
    ig_evaluation_spec spec = {
        .measures = IG_MEASURE_GEOMETRY,
        .pairs = {.left = run->left, .right = run->right, .pairs = pairs}};
    ig_status status = IG_OK;

    for (int s = 0; s < IG_SPACES && status == IG_OK; s++) {
        ig_space_rows context = {x, (ig_space)s, &originals, set->lang};
        ig_rows rows = ig_rows_of_space(&context);

        ig_evaluation e = {0};

        out[s] = (ig_geometry){.alignment = NAN, .uniformity = NAN};
        if (s == IG_SPACE_ORIGINAL && original)
            out[s] = *original;
        if ((s == IG_SPACE_ORIGINAL && original) ||
            !ig_extractor_serves(x, (ig_space)s))
            continue;
        status = ig_evaluation_take(&e, &rows, &spec, run->setup.pool, progress, error);
        if (status == IG_OK)
            out[s] = (ig_geometry){ig_figures_value(&e.figures, "alignment"),
                                   ig_figures_value(&e.figures, "uniformity")};
        ig_evaluation_free(&e);
    }
    return status;
}

double ig_run_finish_work(const ig_run *run)
{
    double rows = fmin(2 * (double)run->drawn, (double)run->info.rows);

    return run->measured == run->drawn
               ? 0
               : IG_SPACES * rows * rows * (double)run->info.dims;
}

ig_status ig_run_finish(ig_run *run, ig_progress *progress, ig_error *error)
{
    const ig_run_record *best = ig_run_best(run);
    ig_status status = IG_OK;

    if (best && run->measured == run->drawn)
        memcpy(run->final, best->geometry, sizeof run->final);
    else
        status = measure_spaces(run, &run->trainer->best, run->drawn, progress, NULL,
                                run->final, error);
    run->finished = status == IG_OK;
    return status;
}

/* Record the terms that the last epoch was the first to train with another weight, or
 * without, or with again. */
static void record_edits(ig_run *run)
{
    for (size_t t = 0; t < run->trainer->batch.terms; t++) {
        const ig_batch_term *now = &run->trainer->batch.term[t];
        ig_term *term = &run->objective.term[t];

        if (now->weight == term->weight && now->on == !term->off)
            continue;
        term->weight = now->weight;
        term->off = !now->on;
        run->edit[run->edits++] =
            (ig_run_edit){run->info.records, t, now->weight, now->on};
    }
}

/* The memory is reserved before the epoch is trained, so that nothing can fail
 * afterwards but the measures, which the next call repeats if they were cancelled. */
static ig_status run_epoch(ig_run *run, ig_between *between, void *context,
                           ig_error *error)
{
    ig_run_info *info = &run->info;
    ig_status status = ig_array_grow(&info->record, &info->capacity, info->records + 1,
                                     sizeof *info->record, "the history", error);
    ig_progress progress = {.stop = run->setup.stop};
    ig_run_record *record;

    if (status == IG_OK)
        status = ig_array_grow(&run->edit, &run->edit_capacity,
                               run->edits + run->objective.terms, sizeof *run->edit,
                               "the edits of a run", error);
    if (status != IG_OK)
        return status;
    record = &info->record[info->records];
    if (!run->trained)
        status =
            ig_trainer_epoch(run->trainer, between, context, &record->epoch, error);
    run->trained = status == IG_OK;
    if (status == IG_OK)
        status = measure_spaces(run, &run->trainer->now, run->measured, &progress,
                                info->records ? info->record->geometry : NULL,
                                record->geometry, error);
    if (status != IG_OK)
        return status;
    record_edits(run);
    run->trained = false;
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
    return !run->failed && (run->trained || run->trainer->state == IG_TRAIN_RUNNING);
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

struct notes {
    char (*note)[IG_RUN_NOTE_SIZE];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void add_note(struct notes *out,
                                                           const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (out->n < IG_RUN_NOTES)
        vsnprintf(out->note[out->n++], IG_RUN_NOTE_SIZE, format, list);
    va_end(list);
}

/* Terms that never start, and terms of the batch that each process computed on its
 * share; a classifier's is a mean over rows. */
static void note_terms(const ig_run *run, struct notes *out)
{
    size_t processes = ig_comm_processes(ig_pool_comm(run->setup.pool));
    size_t epochs = run->info.options.epochs;

    for (size_t i = 0; i < run->objective.terms; i++) {
        const ig_term *t = &run->objective.term[i];

        if (!t->off && t->from > epochs)
            add_note(out,
                     "%.60s never counts: it begins with epoch %zu, and --epochs is "
                     "%zu",
                     t->name, t->from, epochs);
        if (!t->off && processes > 1 && !t->kind->row && !t->kind->classifier)
            add_note(out,
                     "%.60s: a term over a batch, taken within each of %zu ranks, over "
                     "%zu pairs at most",
                     t->name, processes, (run->info.batch + processes - 1) / processes);
    }
}

/* The largest value in an epoch of the active terms that train a space; −1: none. The
 * weights of a residual serve both spaces, those of a twin one. */
static double find_largest(const ig_run *run, const ig_epoch *e, ig_space space)
{
    const ig_objective *o = &run->objective;
    size_t epoch = e->epoch ? e->epoch : 1; /* which decides the active terms */
    double largest = -1;

    for (size_t i = 0; i < o->terms; i++)
        for (size_t k = 0; k < 2 * o->term[i].kind->operands; k++) {
            const ig_operand *operand = &o->term[i].operand[k / 2];
            size_t atom = k % 2 < operand->atoms ? operand->atom[k % 2] : 0;
            bool other = o->extractor == IG_TWIN &&
                         (space == IG_SPACE_LANGUAGE) != (atom >= IG_ATOM_LANGUAGE);

            if (atom >= IG_ATOM_MEANING && !other && o->term[i].from <= epoch)
                largest = fmax(largest, fabs(e->value[i])); /* not if NaN: off */
        }
    return largest;
}

size_t ig_run_notes(const ig_run *run, char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE])
{
    const ig_run_record *best = ig_run_best(run);
    bool twin = run->objective.extractor == IG_TWIN;
    struct notes out = {note, 0};

    note_terms(run, &out);
    if (run->objective.extractor >= IG_RESIDUAL && run->split.train > IG_PAIRS_BEFORE)
        add_note(&out, "the training loss of epoch 0 is of %d of %zu pairs",
                 IG_PAIRS_BEFORE, run->split.train);
    for (int s = IG_SPACE_MEANING; best && s < IG_SPACES; s++) {
        const ig_geometry *g = run->finished ? &run->final[s] : &best->geometry[s];
        double largest = find_largest(run, &best->epoch, (ig_space)s);

        if ((twin || s == IG_SPACE_MEANING) && largest >= 0 && largest < 1e-4)
            add_note(&out,
                     "nothing trains the %s embeddings at epoch %zu: the terms that "
                     "see them are all 0",
                     ig_space_name((ig_space)s), best->epoch.epoch);
        if (g->uniformity > IG_UNIFORMITY_POINT)
            add_note(&out,
                     "the %s embeddings are nearly one point (live uniformity %.4f): "
                     "that translations are near says little",
                     ig_space_name((ig_space)s), g->uniformity);
    }
    return out.n;
}

/* --- as text ---------------------------------------------------------------------- */

char *ig_run_objective(const ig_run *run)
{
    ig_builder out = {0};

    if (run->edits == 0)
        return ig_strdup(run->objective.text);
    ig_builder_add(&out, "# %s, changed while it was trained\n", run->objective.name);
    ig_objective_format(&run->objective, &out);
    for (size_t i = 0; i < run->edits; i++)
        ig_builder_add(&out, "# changed at epoch %zu: %s: weight %.9g%s\n",
                       run->edit[i].epoch, run->objective.term[run->edit[i].term].name,
                       run->edit[i].weight, run->edit[i].on ? "" : ", off");
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
