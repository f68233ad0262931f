/* The trainer. With several processes each computes a share of every batch. Partners
 * are drawn from the whole batch; partner rows of other processes are read locally. */
#include "train/trainer.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "core/progress.h"
#include "core/rows.h"
#include "data/dataset.h"

/* Random streams of one seed; the epoch number is added in the upper bits. */
enum { STREAM_INIT, STREAM_SHUFFLE, STREAM_TRAIN, STREAM_VALID, STREAMS };

/* --- creation --------------------------------------------------------------------- */

static ig_status init_extractor(ig_trainer *t, const ig_extractor *initial,
                                ig_error *error)
{
    const ig_dataset *set = t->set;
    ig_random random;
    ig_status status;

    t->now = (ig_extractor){.kind = t->objective->extractor,
                            .dims = set->dims,
                            .languages = set->languages,
                            .classifies = t->objective->classifies,
                            .rank = t->objective->k,
                            .hidden = initial ? initial->hidden : 0,
                            .width = initial ? initial->width : 0,
                            .normalize = t->options.normalize};
    if (t->now.classifies && set->languages < 2)
        return ig_fail(error, IG_VALUE,
                       "%s distinguishes languages, but the dataset has only %s",
                       t->objective->name, set->language[0]);
    status = ig_extractor_init(&t->now, error);
    if (status == IG_OK)
        status = ig_extractor_strengthen(&t->now, t->options.strength, NULL, error);
    if (status != IG_OK)
        return status;
    ig_random_init(&random, t->options.seed, STREAM_INIT);
    if (!initial)
        ig_extractor_randomize(&t->now, &random);
    else if (initial->kind == t->now.kind && initial->size == t->now.size)
        memcpy(t->now.weights, initial->weights, t->now.size * sizeof(float));
    else
        return ig_fail(error, IG_SHAPE,
                       "the initial weights are of %s with %zu dimensions, the run "
                       "needs %s with %zu",
                       ig_form_of(initial->kind)->name, initial->dims,
                       ig_form_of(t->now.kind)->name, set->dims);
    return ig_extractor_copy(&t->best, &t->now, error);
}

static ig_status prepare_batches(ig_trainer *t, ig_error *error)
{
    size_t train = t->split->train, valid = t->split->valid, batch = t->options.batch;
    size_t processes = ig_comm_processes(t->comm), share;
    ig_arena *a = &t->arena;
    ig_status status;

    if (train == 0)
        return ig_fail(error, IG_VALUE, "there are no pairs to train on");
    t->batch_size = batch < train ? batch : train;
    t->batches = train / t->batch_size;
    t->largest = batch < valid ? batch : valid;
    t->largest = t->batch_size > valid ? t->batch_size : t->largest;
    share = (t->largest + processes - 1) / processes;
    /* A row has at most one partner from another process. */
    status = ig_batch_init(&t->batch, t->set, t->objective, &t->now, share,
                           t->comm ? 2 * share : 0, t->pool, error);
    t->row = ig_arena_array(a, 2 * t->largest, sizeof *t->row);
    t->drawn = ig_arena_array(a, 2 * t->largest, sizeof *t->drawn);
    t->start = ig_arena_array(a, t->set->languages + 2, sizeof *t->start);
    t->sorted = ig_arena_array(a, t->largest, sizeof *t->sorted);
    t->order = ig_arena_array(a, train, sizeof *t->order);
    t->first = ig_arena_array(a, t->now.size, sizeof *t->first);
    t->second = ig_arena_array(a, t->now.size, sizeof *t->second);
    if (status != IG_OK || a->failed)
        return status != IG_OK ? status : ig_fail_memory(error, "the trainer");
    for (size_t i = 0; i < t->objective->terms; i++) {
        t->weight[i] = t->objective->term[i].weight;
        t->on[i] = !t->objective->term[i].off;
    }
    return IG_OK;
}

ig_status ig_trainer_new(ig_trainer **out, const ig_dataset *set, const ig_pairs *pairs,
                         const ig_split *split, ig_objective *objective,
                         const ig_train_options *options, const ig_extractor *initial,
                         ig_pool *pool, ig_error *error)
{
    ig_trainer *t = *out = ig_alloc(1, sizeof *t);
    ig_status status;

    if (!t)
        return ig_fail_memory(error, "the trainer");
    t->set = set;
    t->pairs = pairs;
    t->split = split;
    t->objective = objective;
    t->options = *options;
    t->pool = pool;
    t->comm = ig_pool_comm(pool);
    t->anew = true;
    status = init_extractor(t, initial, error);
    if (status == IG_OK && objective->extractor >= IG_RESIDUAL)
        status = prepare_batches(t, error);
    if (status != IG_OK) {
        ig_trainer_delete(t);
        *out = NULL;
    }
    return status;
}

void ig_trainer_delete(ig_trainer *t)
{
    if (!t)
        return;
    ig_arena_free(&t->arena);
    ig_batch_free(&t->batch);
    ig_extractor_free(&t->now);
    ig_extractor_free(&t->best);
    ig_free(t);
}

/* --- rows of a batch -------------------------------------------------------------- */

struct side {
    const uint16_t *lang;
    const uint32_t *row;
};

static size_t get_language(const void *side, size_t i)
{
    const struct side *s = side;

    return s->lang[s->row[i]];
}

/* Draw partners for the n rows of a side of the whole batch: another row of the same
 * language (METHODS.md §1); random NULL: the next one. Returns the number of rows
 * without another. O(n + languages). */
static size_t draw_side(ig_trainer *t, ig_random *random, size_t side, size_t n)
{
    struct side s = {t->set->lang, t->row + side * n};
    uint32_t *at = t->drawn + side * n; /* first the index of each row in `sorted` */
    size_t alone = 0;

    ig_array_order(n, t->set->languages, get_language, &s, t->start, t->sorted);
    for (size_t i = 0; i < n; i++)
        at[t->sorted[i]] = (uint32_t)i;
    for (size_t i = 0; i < n; i++) {
        size_t first = t->start[get_language(&s, i)];
        size_t count = t->start[get_language(&s, i) + 1] - first, step = count > 1;

        if (random && count > 1)
            step += ig_random_below(random, count - 1);
        alone += count == 1;
        at[i] = (uint32_t)(side * n) +
                t->sorted[first + (at[i] - first + step) % count];
    }
    return alone;
}

/* Fill the batch with this process's share of n pairs, and with the partners that are
 * rows of other processes. random NULL: partners by the `next` rule. Returns the number
 * of rows of the whole batch that are their own partner. */
static size_t fill_batch(ig_trainer *t, const uint32_t *list, size_t n,
                         ig_random *random)
{
    const uint32_t *group = t->pairs->group;
    ig_batch *b = &t->batch;
    size_t processes = ig_comm_processes(t->comm), process = ig_comm_process(t->comm);
    size_t first = n * process / processes, last = n * (process + 1) / processes, alone;

    for (size_t i = 0; i < n; i++) {
        t->row[i] = t->pairs->left[list[i]];
        t->row[n + i] = t->pairs->right[list[i]];
    }
    alone = draw_side(t, random, 0, n);
    alone += draw_side(t, random, 1, n);
    b->whole = n;
    b->size = last - first;
    b->rows = 2 * b->size;
    for (size_t i = 0; i < 2 * b->size; i++) {
        size_t side = i >= b->size, pair = first + i - side * b->size;
        size_t partner = t->drawn[side * n + pair], of = partner % n;

        b->row[i] = t->row[side * n + pair];
        b->meaning[i] = group[list[pair]];
        if (of >= first && of < last) {
            b->partner[i] = (uint32_t)(side * b->size + of - first);
        } else {
            b->partner[i] = (uint32_t)b->rows;
            b->row[b->rows] = t->row[partner];
            b->meaning[b->rows++] = group[list[of]];
        }
    }
    return alone;
}

/* --- a batch ---------------------------------------------------------------------- */

/* An Adam step for parameters first … last−1. */
static void step_adam(void *context, size_t member, size_t first, size_t last)
{
    ig_trainer *t = context;
    double lr = t->options.lr, step = (double)t->steps;

    (void)member;
    ig_adam(t->now.weights + first, t->first + first, t->second + first,
            t->batch.gradient + first, last - first, (float)lr, 0.9f, 0.999f, 1e-8f,
            (float)(1 - pow(0.9, step)), (float)(1 - pow(0.999, step)),
            (float)(lr * t->options.weight_decay));
}

/* Loss and values of a filled batch; `gradients`: by the outputs, too; `step`: after
 * MEAT's first half of a batch, in which the discriminator learns. The extractor is
 * frozen then, so its outputs are reused without a second forward pass. [meat] */
static double run_forward(ig_trainer *t, bool gradients, bool step, double *value)
{
    ig_batch *b = &t->batch;
    size_t n = t->now.size - t->now.classifier;
    float *gradient = b->gradient + t->now.classifier;

    memset(gradient, 0, n * sizeof *gradient);
    ig_batch_forward(b);
    if (step && ig_batch_uses_classifier(b, IG_FOOLS_CLASSIFIER)) {
        ig_batch_discriminate(b);
        ig_comm_sum(t->comm, IG_COMM_FLOAT, gradient, n);
        step_adam(t, 0, t->now.classifier, t->now.size);
        memset(gradient, 0, n * sizeof *gradient);
    }
    return ig_batch_terms(b, gradients, value);
}

/* Train on or evaluate the next n pairs of the pass. *stop: in, whether this process
 * requests to stop; out, whether any does. Returns whether the loss is finite. */
static bool run_batch(ig_trainer *t, size_t n, bool *stop)
{
    ig_pass *s = &t->pass;
    double value[IG_TERMS_MAX + 2], *loss = value + t->objective->terms;
    bool train = t->epoch.epoch > 0 && !s->valid;

    s->alone += fill_batch(t, s->list + s->at, n,
                           t->options.partner == IG_PARTNER_NEXT ? NULL : &s->random);
    t->steps += train;
    loss[0] = run_forward(t, train, train, value);
    loss[1] = *stop;
    ig_comm_sum(t->comm, IG_COMM_DOUBLE, value, t->objective->terms + 2);
    *stop = loss[1] > 0;
    if (train && isfinite(*loss)) {
        /* Momentum alone would move a classifier that no term trains. */
        bool teaches = ig_batch_uses_classifier(&t->batch, IG_TRAINS_CLASSIFIER);

        ig_batch_backward(&t->batch);
        ig_comm_sum(t->comm, IG_COMM_FLOAT, t->batch.gradient, t->now.size);
        ig_parallel_for(t->pool, teaches ? t->now.size : t->now.classifier, 1024,
                        step_adam, t);
    }
    for (size_t i = 0; i <= t->objective->terms; i++)
        s->value[i] += value[i] * (double)n;
    s->at += n;
    if (train)
        atomic_fetch_add(&t->progress, 1);
    return isfinite(*loss);
}

/* --- passes ----------------------------------------------------------------------- */

static void begin_pass(ig_trainer *t, const uint32_t *list, size_t count, bool valid)
{
    size_t epoch = t->epoch.epoch, stream = valid ? STREAM_VALID : STREAM_TRAIN;

    t->pass = (ig_pass){.list = list, .count = count, .valid = valid};
    ig_random_init(&t->pass.random, t->options.seed,
                   stream + STREAMS * (uint64_t)epoch);
    t->batch.epoch = epoch ? epoch : 1;
}

/* Process the remaining pairs. With several processes stop requests are summed with the
 * batch, and all stop after it. IG_OK at the end, IG_INTERRUPTED, IG_DIVERGED. */
static ig_status run_pass(ig_trainer *t, ig_between *between, void *context)
{
    ig_pass *s = &t->pass;
    size_t full = s->valid ? t->largest : t->batch_size;
    bool stop = false, finite = true;

    for (;;) {
        size_t n = s->count - s->at < full ? s->count - s->at : full;
        double start;

        /* Also after the last batch, whose data may be invalid. */
        if (between)
            stop = between(context);
        if (stop && !t->comm)
            return IG_INTERRUPTED;
        if (n == 0 || (n < full && !s->valid))
            return IG_OK;
        start = ig_clock_now();
        finite = run_batch(t, n, &stop);
        s->seconds += ig_clock_now() - start;
        if (!finite || stop)
            return finite ? IG_INTERRUPTED : IG_DIVERGED;
    }
}

double ig_trainer_evaluate(ig_trainer *t, const uint32_t *list, size_t n, double *value)
{
    double loss;

    t->batch.epoch = SIZE_MAX;
    fill_batch(t, list, n, NULL);
    loss = run_forward(t, true, false, value);
    ig_batch_backward(&t->batch);
    return loss;
}

/* --- epochs ----------------------------------------------------------------------- */

/* Begin the next epoch: apply edits, and start terms whose from= it is. Losses of two
 * objectives are not comparable, so the search for the best epoch and patience restart;
 * the previous best epoch remains the result until the first new epoch is done. */
static void begin_epoch(ig_trainer *t)
{
    size_t n = t->split->train;
    ig_random random;

    t->epoch = (ig_epoch){.epoch = t->next,
                          .train_loss = NAN,
                          .valid_loss = NAN,
                          .pairs_per_second = NAN};
    for (size_t i = 0; i < t->objective->terms; i++) {
        ig_term *term = &t->objective->term[i];
        bool edited = term->weight != t->weight[i] || term->off == t->on[i];

        t->epoch.changed |= (uint64_t)edited << i;
        t->edited |= edited;
        t->anew |= edited || (t->on[i] && t->next > 1 && term->from == t->next);
        term->weight = t->weight[i];
        term->off = !t->on[i];
    }
    t->begun = true;
    atomic_store(&t->progress, 0);
    if (t->objective->extractor < IG_RESIDUAL)
        return;
    memcpy(t->order, t->split->pair[IG_SPLIT_TRAIN], n * sizeof *t->order);
    ig_random_init(&random, t->options.seed,
                   STREAM_SHUFFLE + STREAMS * (uint64_t)t->next);
    if (t->options.order == IG_ORDER_SHUFFLED)
        ig_random_shuffle(&random, t->order, n);
    begin_pass(t, t->order, n, false);
}

/* The rest of the current epoch. */
static ig_status run_epoch(ig_trainer *t, ig_between *between, void *context,
                           ig_error *error)
{
    const ig_pass *s = &t->pass;
    ig_epoch *e = &t->epoch;
    size_t terms = t->objective->terms;
    ig_status status = run_pass(t, between, context);

    if (status == IG_OK && !s->valid) {
        e->seconds = s->seconds;
        e->pairs_per_second = e->epoch ? (double)s->at / s->seconds : NAN;
        e->train_loss = s->value[terms] / (double)s->at;
        for (size_t i = 0; i < terms; i++)
            e->value[i] = s->value[i] / (double)s->at;
        e->self_partners = s->alone;
        begin_pass(t, t->split->pair[IG_SPLIT_VALID], t->split->valid, true);
        status = run_pass(t, between, context);
    }
    if (status == IG_OK) /* NaN without validation pairs */
        e->valid_loss = s->value[terms] / (double)s->at;
    if (status != IG_DIVERGED)
        return status;
    t->ending = "diverged";
    memcpy(t->now.weights, t->best.weights, t->now.size * sizeof(float));
    return ig_fail(error, IG_DIVERGED,
                   "the %s loss is not finite in epoch %zu, batch %zu; the weights of "
                   "epoch %zu are kept",
                   s->valid ? "validation" : "training", e->epoch,
                   1 + (s->at - 1) / (s->valid ? t->largest : t->batch_size),
                   t->best_epoch);
}

/* Keep the weights of the best epoch, and decide whether another follows. */
static void end_epoch(ig_trainer *t)
{
    ig_epoch *e = &t->epoch;
    bool closed = t->objective->extractor < IG_RESIDUAL, later = false;
    bool last = t->options.keep == IG_KEEP_LAST || isnan(e->valid_loss);
    bool better = t->anew || !(e->valid_loss >= t->best_loss);

    e->best = better || last;
    t->best_since = t->anew ? e->epoch : t->best_since;
    t->anew = false;
    if (better) {
        t->best_loss = e->valid_loss;
        t->improved = e->epoch;
    }
    if (e->best) {
        t->best_epoch = e->epoch;
        memcpy(t->best.weights, t->now.weights, t->now.size * sizeof(float));
    }
    for (size_t i = 0; i < t->objective->terms; i++)
        later |= t->on[i] && t->objective->term[i].from > e->epoch &&
                 t->objective->term[i].from <= t->options.epochs;
    if (closed && e->epoch >= (ig_form_of(t->objective->extractor)->fit != NULL))
        t->ending = "closed form";
    else if (!closed && t->options.patience && !later &&
             e->epoch - t->improved >= t->options.patience)
        t->ending = "no better epoch within the patience";
    else if (!closed && e->epoch >= t->options.epochs)
        t->ending = last || e->epoch - t->improved > t->options.epochs / 20
                        ? "all epochs done"
                        : "still improving; --epochs";
    t->next++;
    t->begun = false;
}

ig_status ig_trainer_epoch(ig_trainer *t, ig_between *between, void *context,
                           ig_epoch *out, ig_error *error)
{
    ig_status status = IG_OK;

    if (!t->begun)
        begin_epoch(t);
    if (t->objective->extractor >= IG_RESIDUAL)
        status = run_epoch(t, between, context, error);
    else if (t->next == 0)
        status = ig_closed_fit(t, between, context, error);
    if (status == IG_INTERRUPTED)
        return ig_fail(error, status, "training was interrupted in epoch %zu", t->next);
    if (status != IG_OK)
        return status;
    end_epoch(t);
    *out = t->epoch;
    return IG_OK;
}

ig_status ig_trainer_set_weight(ig_trainer *t, size_t term, double weight, bool on,
                                ig_error *error)
{
    bool any = on;

    for (size_t i = 0; i < t->objective->terms; i++)
        any |= i != term && t->on[i];
    if (!any)
        return ig_fail(error, IG_VALUE, "cannot remove the last active term, %s",
                       t->objective->term[term].name);
    t->weight[term] = weight;
    t->on[term] = on;
    return IG_OK;
}
