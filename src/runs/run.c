/* Runs: a trainer with its split, its live measures and its history. */
#include "runs/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/machine.h"
#include "data/set.h"
#include "learn/terms.h"
#include "runs/history.h"
#include "runs/model.h"

enum { PAIRS_A_LANGUAGE_PAIR = 1000, STREAM_MEASURE = 1u << 20 };

/* Measures may always take this much arithmetic an epoch (some milliseconds). */
static const double FREE_FLOPS = 1e9;

/* --- the pairs that are measured -------------------------------------------------- */

/* Flops of an epoch's matrix products. */
static double epoch_flops(const ig_run *run)
{
    double d = (double)run->setup.set->dims;
    double outputs = run->objective.extractor == IG_TWIN ? 2 : 1;

    return run->objective.extractor < IG_RESIDUAL
               ? 0
               : 8.0 * outputs * d * d * (double)run->data.part[IG_SPLIT_TRAIN];
}

/* Flops of alignment and uniformity of two spaces on n pairs, at most 2n rows. */
static double measure_flops(const ig_run *run, double n)
{
    double d = (double)run->setup.set->dims;
    double rows = fmin(2 * n, (double)run->data.rows);

    return 2 * (rows * rows * d + 2 * rows * d * d);
}

/* Draw pairs, at most PAIRS_A_LANGUAGE_PAIR of each kind, in a random order. */
static ig_status draw_pairs(ig_run *run, const uint32_t *from, size_t n,
                            ig_error *error)
{
    const ig_set *set = run->setup.set;
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
    ig_free(order);
    ig_free(seen);
    return status;
}

/* The first 1,000 of each language pair in a random order, then as many as are
 * cheap. */
static ig_status draw_measured(ig_run *run, ig_error *error)
{
    bool valid = run->data.part[IG_SPLIT_VALID] > 0;
    double budget = fmax(FREE_FLOPS, 0.1 * epoch_flops(run));
    ig_status status = draw_pairs(run,
                                  valid ? run->split.valid_pair : run->split.train_pair,
                                  valid ? run->split.valid : run->split.train, error);

    run->drawn = run->measured;
    while (run->measured > 256 && measure_flops(run, (double)run->measured) > budget)
        run->measured = run->measured * 9 / 10;
    run->measurable = (size_t)run->data.part[valid ? IG_SPLIT_VALID : IG_SPLIT_TRAIN];
    run->measured_valid = valid;
    return status;
}

/* --- what is told of the data ----------------------------------------------------- */

/* Languages with a training pair. */
static void mark_trained(const ig_run *run, uint8_t *mark)
{
    const ig_set *set = run->setup.set;
    const ig_pairs *pairs = run->setup.pairs;

    for (size_t i = 0; i < run->split.train; i++) {
        mark[set->lang[pairs->left[run->split.train_pair[i]]]] = 1;
        mark[set->lang[pairs->right[run->split.train_pair[i]]]] = 1;
    }
}

static ig_status find_data(ig_run *run, ig_error *error)
{
    const ig_set *set = run->setup.set;
    ig_run_data *data = &run->data;

    data->rows = set->rows;
    data->pairs = run->setup.pairs->count;
    for (int p = 0; p <= IG_SPLIT_HOLDOUT; p++)
        data->part[p] = ig_split_count(&run->split, (ig_split_part)p);
    data->pairs_checksum = ig_pairs_checksum(run->setup.pairs);
    data->trained = ig_alloc(set->languages, 1);
    if (!data->trained)
        return ig_fail_memory(error, "languages");
    mark_trained(run, data->trained);
    return IG_OK;
}

/* --- checkpoints ------------------------------------------------------------------ *
 * checkpoint: the facts, the shape of the weights, the records, the trainer's state. */

void ig_run_facts(ig_builder *facts, const char *method, const char *objective,
                  const ig_train_options *options, const char *every, const char *batch)
{
    const ig_train_option *option;
    size_t length = objective ? strlen(objective) : 0;

    ig_builder_add(facts, "method: %.127s\n", method);
    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        char text[IG_SETTING_SIZE];

        ig_builder_add(facts, "%s: %s\n", option->key,
                       ig_setting_format(&option->field, options, text));
    }
    ig_builder_add(facts, "checkpoint: %s\nbatch_used: %s\n", every, batch);
    ig_builder_add(
        facts, "objective: a text with checksum %016llx\n",
        (unsigned long long)ig_checksum(IG_CHECKSUM_BEGIN, objective, length));
}

/* In the order of the file; of a reader both are filled. */
static void pack_facts(ig_pack *p, ig_builder *facts, uint64_t *values)
{
    size_t sum = (size_t)*values;

    ig_pack_text(p, facts);
    ig_pack_count(p, &sum);
    *values = sum;
}

static void write_facts(ig_run *run)
{
    char every[IG_SETTING_SIZE], batch[IG_SETTING_SIZE];
    char *objective = ig_run_objective(run);
    ig_builder facts = {0};

    snprintf(every, sizeof every, "%zu", run->setup.checkpoint);
    snprintf(batch, sizeof batch, "%zu", ig_trainer_batch(run->trainer));
    ig_run_facts(&facts, run->objective.name, objective, &run->options, every, batch);
    run->packed.failed |= !objective;
    pack_facts(&run->packed, &facts, &run->setup.values);
    ig_builder_free(&facts);
    ig_free(objective);
}

ig_status ig_run_read_facts(const char *checkpoint, ig_builder *facts, uint64_t *values,
                            ig_error *error)
{
    ig_pack p;
    ig_status status = ig_pack_open(&p, checkpoint, error);

    if (status != IG_OK)
        return status;
    pack_facts(&p, facts, values);
    if (p.failed)
        status = ig_fail(error, IG_FORMAT, "%s: does not tell of its run", checkpoint);
    ig_pack_free(&p);
    return status;
}

/* In the order of the file; of a reader it is filled. */
static void pack_shape(ig_pack *p, ig_extractor_shape *shape)
{
    size_t kind = (size_t)shape->kind;

    ig_pack_count(p, &kind);
    shape->kind = (ig_extractor_kind)kind;
    ig_pack_count(p, &shape->dims);
    ig_pack_count(p, &shape->languages);
    ig_pack_flag(p, &shape->classifier);
    ig_pack_count(p, &shape->hidden);
    ig_pack_count(p, &shape->output);
}

static void pack_record(ig_pack *p, ig_run_record *record, size_t terms)
{
    ig_epoch *e = &record->epoch;

    ig_pack_count(p, &e->epoch);
    ig_pack_double(p, &e->train_loss);
    ig_pack_double(p, &e->valid_loss);
    for (size_t i = 0; i < terms; i++)
        ig_pack_double(p, &e->value[i]);
    ig_pack_double(p, &e->seconds);
    ig_pack_double(p, &e->pairs_per_second);
    ig_pack_count(p, &e->self_partners);
    ig_pack_count(p, &e->rows);
    ig_pack_flag(p, &e->best);
    for (int s = 0; s < IG_SPACES; s++) {
        ig_geometry *g = &record->geometry[s];

        ig_pack_double(p, &g->alignment);
        ig_pack_double(p, &g->uniformity);
        ig_pack_count(p, &g->pairs);
        ig_pack_count(p, &g->rows);
        ig_pack_count(p, &g->zero_rows);
    }
}

/* Room for the records so far and one more, before it is trained: afterwards nothing
 * may fail. */
static ig_status make_room(ig_run *run, ig_error *error)
{
    return ig_array_grow(&run->record, &run->capacity, run->records + 1,
                         sizeof *run->record, "the history", error);
}

/* All behind the shape. */
static ig_status pack_state(ig_run *run, ig_pack *p, ig_error *error)
{
    size_t records = run->records;

    ig_trainer_pack(run->trainer, p);
    ig_pack_double(p, &run->seconds);
    ig_pack_count(p, &records);
    for (size_t i = 0; i < records && !p->failed; i++) {
        if (p->reading) {
            if (make_room(run, error) != IG_OK)
                return IG_NOMEM;
            run->record[i] = (ig_run_record){0};
            run->records = i + 1;
        }
        pack_record(p, &run->record[i], run->objective.terms);
    }
    return IG_OK;
}

static ig_status pack_run(ig_run *run, ig_error *error)
{
    const ig_extractor *x = ig_trainer_extractor(run->trainer);
    ig_extractor_shape shape = {.kind = x->kind,
                                .dims = x->dims,
                                .languages = x->languages,
                                .classifier = x->classifier >= 0,
                                .hidden = x->hidden,
                                .output = x->width};

    ig_pack_reset(&run->packed);
    write_facts(run);
    pack_shape(&run->packed, &shape);
    pack_state(run, &run->packed, error);
    return run->packed.failed ? ig_fail_memory(error, "a checkpoint") : IG_OK;
}

/* The checkpoint of the run that is gone on with, and room for weights of its shape. */
static ig_status open_checkpoint(const ig_run *run, ig_pack *p, ig_extractor *initial,
                                 ig_error *error)
{
    char *path = ig_path_join(run->setup.resume, "checkpoint");
    ig_extractor_shape shape = {0};
    ig_builder facts = {0};
    uint64_t values = 0;
    ig_status status = path ? ig_pack_open(p, path, error)
                            : ig_fail_memory(error, "a file name");

    if (status == IG_OK) {
        pack_facts(p, &facts, &values); /* which ig_stored_resumable compares */
        pack_shape(p, &shape);
    }
    ig_builder_free(&facts);
    if (status == IG_OK && (p->failed || shape.kind != run->objective.extractor ||
                            shape.dims != run->setup.set->dims))
        status = ig_fail(error, IG_FORMAT, "%s: is not of this run and set", path);
    ig_free(path);
    return status == IG_OK ? ig_extractor_init(initial, shape, error) : status;
}

static ig_status take_up(ig_run *run, ig_pack *p, ig_error *error)
{
    ig_status status = pack_state(run, p, error);

    if (status == IG_OK && p->failed)
        status = ig_fail(error, IG_FORMAT, "%s/checkpoint: is not of this run and set",
                         run->setup.resume);
    return status;
}

bool ig_run_checkpoint_due(const ig_run *run)
{
    return run->setup.checkpoint && run->records && ig_run_going(run) &&
           (run->records - 1) % run->setup.checkpoint == 0;
}

/* --- sets beyond memory ----------------------------------------------------------- */

/* What is said of the order of pairs holds; else a set that would not stay in memory is
 * read in runs. */
static void choose_order(ig_run *run)
{
    ig_machine machine = ig_machine_find("");
    double memory = ig_machine_memory(&machine);
    bool beyond = memory > 0 && (double)ig_set_bytes(run->setup.set) > memory / 2;

    if (run->options.order >= 0 || run->objective.settings.order >= 0)
        return;
    /* Machines of ranks may differ, their order may not. */
    if (!ig_team_any(ig_pool_team(run->setup.pool), beyond))
        return;
    run->options.order = IG_ORDER_BLOCKS;
    run->ordered = true;
}

/* --- life ------------------------------------------------------------------------- */

static ig_status prepare(ig_run *run, ig_error *error)
{
    const ig_run_setup *s = &run->setup;
    ig_extractor initial = {0};
    ig_pack checkpoint = {0};
    ig_status status = s->text
                           ? ig_objective_parse(&run->objective, s->method, s->method,
                                                s->text, strlen(s->text), error)
                           : ig_objective_load(&run->objective, s->method, error);

    if (status == IG_OK && run->objective.extractor < IG_RESIDUAL) {
        run->setup.checkpoint = 0;
        if (s->resume)
            status = ig_fail(error, IG_VALUE,
                             "%s: %s has nothing to go on with: it is no training in "
                             "epochs",
                             s->resume, run->objective.name);
    }
    if (status == IG_OK && run->setup.checkpoint && !run->setup.values)
        status = ig_set_checksum_values(s->set, &run->setup.values, error);
    if (status == IG_OK)
        choose_order(run);
    if (status == IG_OK)
        status = ig_train_resolve(&run->options, &run->objective.settings, error);
    if (status == IG_OK)
        status = ig_split_make(&run->split, s->set, s->pairs, run->options.valid,
                               run->options.holdout, run->options.split_seed, error);
    if (status == IG_OK)
        status = find_data(run, error);
    if (status == IG_OK && s->init) {
        ig_extractor_shape shape = {
            .kind = run->objective.extractor,
            .dims = s->set->dims,
            .languages = s->set->languages,
            .classifier = ig_objective_classifies(&run->objective)};

        status = ig_weights_load(&initial, shape, s->init, error);
    }
    if (status == IG_OK && s->resume)
        status = open_checkpoint(run, &checkpoint, &initial, error);
    if (status == IG_OK)
        status = ig_trainer_new(&run->trainer, s->set, s->pairs, &run->split,
                                &run->objective, &run->options,
                                initial.weights ? &initial : NULL, s->pool, error);
    if (status == IG_OK && s->resume)
        status = take_up(run, &checkpoint, error);
    if (status == IG_OK)
        status = draw_measured(run, error);
    if (status == IG_OK && s->keep) {
        run->history = ig_alloc(1, sizeof *run->history);
        if (run->history)
            ig_history_init(run->history, s->keep,
                            ig_trainer_extractor(run->trainer)->size);
        else
            status = ig_fail_memory(error, "the history of weights");
    }
    if (status == IG_OK && s->checkpoint && run->records)
        status = pack_run(run, error);
    ig_extractor_free(&initial);
    ig_pack_free(&checkpoint);
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
    status = prepare(run, error);
    run->asked = ig_strdup(setup->method);
    run->init = setup->init ? ig_strdup(setup->init) : NULL;
    if (status == IG_OK && (!run->asked || (setup->init && !run->init)))
        status = ig_fail_memory(error, "a run");
    run->setup.init = NULL; /* the strings are the caller's */
    run->setup.method = run->objective.name;
    run->setup.text = NULL;
    run->setup.resume = NULL;
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
    ig_free(run->history);
    ig_free(run->edit);
    ig_pack_free(&run->packed);
    ig_free(run->asked);
    ig_free(run->init);
    ig_trainer_delete(run->trainer);
    ig_split_free(&run->split);
    ig_objective_free(&run->objective);
    ig_free(run->record);
    ig_free(run->left);
    ig_free(run->right);
    ig_free(run->data.trained);
    ig_free(run);
}

/* --- epochs ----------------------------------------------------------------------- */

/* Alignment and uniformity of a space on the first `pairs` pairs; NaN when the
 * extractor has it not. */
static ig_status measure_space(const ig_run *run, const ig_extractor *x, ig_space space,
                               size_t pairs, ig_watch *watch, ig_geometry *out,
                               ig_error *error)
{
    const ig_set *set = run->setup.set;
    ig_rows originals = ig_rows_of_set(set);
    ig_space_rows context = {x, space, &originals, set->lang};
    ig_rows rows = ig_rows_of_space(&context);

    *out = (ig_geometry){.alignment = NAN, .uniformity = NAN};
    if (!ig_extractor_serves(x, space))
        return IG_OK;
    return ig_geometry_measure(out, &rows, run->left, run->right, pairs,
                               run->setup.pool, watch, error);
}

/* Rows that are read here and there, of a set beyond memory: all at once. */
static void expect_measured(const ig_run *run)
{
    bool scattered = run->options.order == IG_ORDER_BLOCKS;

    for (size_t i = 0; i < run->measured && scattered; i++) {
        ig_set_expect(run->setup.set, run->left[i], 1);
        ig_set_expect(run->setup.set, run->right[i], 1);
    }
}

/* Broken off, it is done anew from its start: nothing of the record is read before. */
static ig_status measure(const ig_run *run, ig_run_record *record, ig_error *error)
{
    const ig_extractor *x = ig_trainer_extractor(run->trainer);
    ig_watch watch = {.stop = run->setup.stop};
    ig_status status = IG_OK;

    expect_measured(run);
    for (int s = 0; s < IG_SPACES && status == IG_OK; s++)
        if (s == IG_SPACE_ORIGINAL && run->records)
            record->geometry[s] = run->record[0].geometry[s];
        else
            status = measure_space(run, x, (ig_space)s, run->measured, &watch,
                                   &record->geometry[s], error);
    return status;
}

double ig_run_finish_work(const ig_run *run)
{
    double rows = fmin(2 * (double)run->drawn, (double)run->data.rows);

    return run->measured == run->drawn
               ? 0
               : IG_SPACES * rows * rows * (double)run->setup.set->dims;
}

ig_status ig_run_finish(ig_run *run, ig_watch *watch, ig_error *error)
{
    const ig_run_record *best = ig_run_best(run);
    const ig_extractor *x = ig_trainer_best(run->trainer, NULL);
    size_t *s = &run->final_spaces;
    ig_status status = IG_OK;

    if (*s)
        ig_watch_add(watch, (double)*s / IG_SPACES * ig_run_finish_work(run), 0);
    for (; *s < IG_SPACES && status == IG_OK; *s += status == IG_OK)
        if (best && run->measured == run->drawn)
            run->final[*s] = best->geometry[*s];
        else
            status = measure_space(run, x, (ig_space)*s, run->drawn, watch,
                                   &run->final[*s], error);
    run->finished = status == IG_OK;
    return status;
}

ig_status ig_run_epoch(ig_run *run, ig_between *between, void *context, ig_error *error)
{
    ig_error problem = {0};
    ig_status status = make_room(run, &problem);

    if (status == IG_OK && !run->trained) {
        status = ig_trainer_epoch(run->trainer, between, context,
                                  &run->record[run->records].epoch, &problem);
        run->trained = status == IG_OK;
    }
    if (status == IG_OK)
        status = measure(run, &run->record[run->records], &problem);
    if (status == IG_OK) {
        run->seconds += run->record[run->records++].epoch.seconds;
        run->trained = false;
        if (run->history)
            ig_history_add(run->history, run->records - 1,
                           ig_trainer_extractor(run->trainer)->weights);
        if (run->setup.checkpoint)
            status = pack_run(run, &problem);
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
    return !run->failed &&
           (run->trained || ig_trainer_state(run->trainer) == IG_TRAIN_RUNNING);
}

const char *ig_run_ending(const ig_run *run)
{
    if (run->failed)
        return run->message;
    switch (ig_trainer_state(run->trainer)) {
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
    size_t best;

    ig_trainer_best(run->trainer, &best);
    return best < run->records ? &run->record[best] : NULL;
}

/* Terms whose from= is after the last epoch that may be trained. */
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

/* Terms over a batch, of which each rank took its share by itself. */
static bool note_shared_terms(const ig_run *run, char note[IG_RUN_NOTE_SIZE])
{
    size_t ranks = ig_team_ranks(ig_pool_team(run->setup.pool)), taken = 0;
    const ig_term *first = NULL;
    char more[36] = "";

    for (size_t t = 0; t < run->objective.terms; t++) {
        const ig_term *term = &run->objective.term[t];

        /* A classifier's is a mean over rows. */
        if (!term->kind->row && !term->kind->classifier && !term->off && !taken++)
            first = term;
    }
    if (taken > 1)
        snprintf(more, sizeof more, " and %zu more", taken - 1);
    if (taken && ranks > 1)
        snprintf(
            note, IG_RUN_NOTE_SIZE,
            "%.60s%s: a term over a batch, taken within each of %zu ranks, over %zu "
            "pairs at most",
            first->name, more, ranks,
            (ig_trainer_batch(run->trainer) + ranks - 1) / ranks);
    return taken && ranks > 1;
}

/* What is done otherwise for the size of the set. */
static bool note_size(const ig_run *run, char note[IG_RUN_NOTE_SIZE])
{
    size_t all = (size_t)run->data.part[IG_SPLIT_TRAIN], used = 0;

    if (run->objective.extractor < IG_RESIDUAL)
        return false;
    if (all > IG_PAIRS_BEFORE)
        used = (size_t)snprintf(note, IG_RUN_NOTE_SIZE,
                                "the training loss of epoch 0 is of %d of %zu pairs",
                                IG_PAIRS_BEFORE, all);
    if (run->ordered)
        snprintf(note + used, IG_RUN_NOTE_SIZE - used,
                 "%sthe set is larger than half of the memory: its pairs are visited "
                 "in shuffled blocks (--order)",
                 used ? "; " : "");
    return used || run->ordered;
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
            ig_epoch_stands_still(&best->epoch, &run->objective, (ig_space)s))
            snprintf(note[n++], IG_RUN_NOTE_SIZE,
                     "nothing trains the %s embeddings at epoch %zu: the terms that "
                     "see them are all 0",
                     ig_space_name((ig_space)s), best->epoch.epoch);
    for (int s = IG_SPACE_MEANING; best && s < IG_SPACES; s++) {
        const ig_geometry *g = run->finished ? &run->final[s] : &best->geometry[s];

        if (ig_geometry_is_point(g))
            snprintf(note[n++], IG_RUN_NOTE_SIZE,
                     "the %s embeddings are nearly one point (uniformity %.4f): that "
                     "translations are near says little",
                     ig_space_name((ig_space)s), g->uniformity);
    }
    return n;
}

size_t ig_run_languages(const ig_run *run, uint8_t *mark)
{
    const ig_set *set = run->setup.set;
    size_t n = 0;

    for (size_t k = 0; k < set->languages; k++)
        mark[k] = 0;
    if (run->objective.extractor == IG_IDENTITY)
        return 0;
    memcpy(mark, run->data.trained, set->languages);
    for (size_t k = 0; k < set->languages; k++)
        n += mark[k];
    return n;
}
