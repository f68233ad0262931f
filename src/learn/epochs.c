/* The trainer: its life, epochs, early stopping and the best of them. */
#include <math.h>
#include <string.h>

#include "data/set.h"
#include "learn/closed.h"
#include "learn/pass.h"

/* --- life ------------------------------------------------------------------------- */

static ig_status prepare(ig_trainer *t, const ig_extractor *initial, ig_error *error)
{
    ig_extractor_kind kind = t->objective->extractor;
    ig_random random;
    ig_status status;

    ig_extractor_shape shape = {.kind = kind,
                                .dims = t->set->dims,
                                .languages = t->set->languages,
                                .classifier = ig_objective_classifies(t->objective),
                                .rank = t->objective->k,
                                .hidden = initial ? initial->hidden : 0,
                                .output = initial ? initial->width : 0};

    if (shape.classifier && shape.languages < 2)
        return ig_fail(error, IG_VALUE,
                       "%s tells languages apart, but the set has one language, %s",
                       t->objective->name, t->set->language[0]);
    status = ig_extractor_init(&t->now, shape, error);
    if (status != IG_OK)
        return status;
    t->now.normalize = t->options.normalize;
    if (initial && (initial->kind != kind || initial->size != t->now.size))
        return ig_fail(
            error, IG_SHAPE,
            "the initial weights are of %s with %zu dimensions, the run needs "
            "%s with %zu",
            ig_extractor_name(initial->kind), initial->dims, ig_extractor_name(kind),
            t->set->dims);
    ig_random_init(&random, t->options.seed, IG_STREAM_INIT);
    if (initial)
        memcpy(t->now.weights, initial->weights, t->now.size * sizeof(float));
    else
        ig_extractor_randomize(&t->now, &random);
    return ig_extractor_copy(&t->best, &t->now, error);
}

static ig_status prepare_batches(ig_trainer *t, ig_error *error)
{
    size_t outputs = t->objective->extractor == IG_TWIN ? 2 : 1;
    size_t train = t->split->train, valid = t->split->valid, most, ghosts;
    ig_status status;

    if (t->objective->extractor < IG_RESIDUAL)
        return IG_OK;
    if (train == 0)
        return ig_fail(error, IG_VALUE, "there are no pairs to train on");
    t->batch_size = t->options.batch < train ? t->options.batch : train;
    t->largest = t->batch_size > valid      ? t->batch_size
                 : t->options.batch < valid ? t->options.batch
                                            : valid;
    /* A row has one partner at most that is another process's. */
    most = ig_pass_most(t);
    ghosts = t->team ? 2 * most : 0;
    status = ig_plan_make(&t->plan, t->objective, error);
    if (status == IG_OK)
        status = ig_batch_init(&t->batch, &t->plan,
                               (ig_batch_shape){.capacity = most,
                                                .ghosts = ghosts,
                                                .dims = t->set->dims,
                                                .width = t->now.width,
                                                .outputs = outputs,
                                                .hidden = t->now.hidden,
                                                .languages = t->set->languages},
                               error);
    if (status == IG_OK)
        status = ig_partner_init(&t->partners, t->set->languages,
                                 t->largest > most ? t->largest : most, error);
    if (status != IG_OK)
        return status;
    if (ghosts) {
        t->lang = ig_alloc(2 * t->largest, sizeof *t->lang);
        t->ghost = ig_alloc(ghosts, sizeof *t->ghost);
        if (!t->lang || !t->ghost)
            return ig_fail_memory(error, "the trainer");
    }
    t->gradient = ig_alloc(t->now.size + IG_PASS_TAIL, sizeof *t->gradient);
    t->first = ig_alloc(t->now.size, sizeof *t->first);
    t->second = ig_alloc(t->now.size, sizeof *t->second);
    if (!t->gradient || !t->first || !t->second)
        return ig_fail_memory(error, "the trainer");
    status = ig_pair_order_init(&t->order, t->set, t->pairs, t->split->train_pair,
                                t->split->train, t->options.order == IG_ORDER_BLOCKS,
                                error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < t->plan.terms; i++) {
        t->weight[i] = t->plan.term[i].weight;
        t->on[i] = t->plan.term[i].on;
    }
    if (t->now.classifier >= 0) {
        t->batch.classifier = t->now.weights + t->now.classifier;
        t->batch.classifier_gradient = t->gradient + t->now.classifier;
    }
    return IG_OK;
}

ig_status ig_trainer_new(ig_trainer **out, const ig_set *set, const ig_pairs *pairs,
                         const ig_split *split, const ig_objective *objective,
                         const ig_train_options *options, const ig_extractor *initial,
                         ig_pool *pool, ig_error *error)
{
    ig_trainer *t = ig_alloc(1, sizeof *t);
    ig_status status;

    *out = NULL;
    if (!t)
        return ig_fail_memory(error, "the trainer");
    t->set = set;
    t->pairs = pairs;
    t->split = split;
    t->objective = objective;
    t->options = *options;
    t->pool = pool;
    t->team = ig_pool_team(pool);
    t->best_loss = INFINITY;
    status = prepare(t, initial, error);
    if (status == IG_OK)
        status = prepare_batches(t, error);
    if (status != IG_OK) {
        ig_trainer_delete(t);
        return status;
    }
    *out = t;
    return IG_OK;
}

void ig_trainer_delete(ig_trainer *t)
{
    if (!t)
        return;
    ig_plan_free(&t->plan);
    ig_batch_free(&t->batch);
    ig_partner_free(&t->partners);
    ig_extractor_free(&t->now);
    ig_extractor_free(&t->best);
    ig_free(t->gradient);
    ig_free(t->first);
    ig_free(t->second);
    ig_pair_order_free(&t->order);
    ig_free(t->lang);
    ig_free(t->ghost);
    ig_free(t);
}

/* --- epochs ----------------------------------------------------------------------- */

/* Returns how many pairs the epoch visits: all, but for epoch 0 of a large set. */
static size_t make_order(ig_trainer *t, size_t epoch)
{
    size_t n = t->split->train;
    size_t some = epoch == 0 && n > IG_PAIRS_BEFORE ? IG_PAIRS_BEFORE : n;
    uint64_t stream = IG_STREAM_SHUFFLE + IG_STREAMS * (uint64_t)epoch;
    ig_random random;

    ig_random_init(&random, t->options.seed, stream);
    if (t->options.order == IG_ORDER_BLOCKS)
        ig_pair_order_blocks(&t->order, &random);
    else if (t->options.order == IG_ORDER_SHUFFLED)
        ig_pair_order_shuffle(&t->order, &random);
    else
        ig_pair_order_spread(&t->order, some);
    return some;
}

/* Whether a term is one that counts from this epoch on, and did not before it. */
static bool begins_at(const ig_plan_term *term, size_t epoch)
{
    return term->on && epoch > 1 && term->term->from == epoch;
}

/* What the next epoch changes: edits made since the last one, and terms whose from= it
 * is. Losses of two objectives cannot be compared: the best epoch is then sought anew
 * among the epochs since, and patience counts from there. The best epoch before it
 * stays the result until the first of them is done. */
static void change_objective(ig_trainer *t)
{
    bool changed = t->edited;

    for (size_t i = 0; i < t->plan.terms; i++) {
        t->plan.term[i].weight = t->weight[i];
        t->plan.term[i].on = t->on[i];
        if (begins_at(&t->plan.term[i], t->next)) {
            t->stage[i] = t->next;
            changed = true;
        }
    }
    t->edited = false;
    if (changed) {
        t->best_loss = INFINITY;
        t->anew = true;
    }
}

/* Whether a term is still to begin before the last epoch. */
static bool stages_to_come(const ig_trainer *t, size_t epoch)
{
    for (size_t i = 0; i < t->plan.terms; i++)
        if (t->on[i] && t->plan.term[i].term->from > epoch &&
            t->plan.term[i].term->from <= t->options.epochs)
            return true;
    return false;
}

static void keep_best(ig_trainer *t, ig_epoch *e)
{
    bool valid = t->split->valid > 0 && t->plan.terms > 0;

    if (t->anew)
        t->best_since = e->epoch;
    t->anew = false;
    e->best = !valid || e->valid_loss < t->best_loss;
    if (!e->best)
        return;
    t->best_loss = valid ? e->valid_loss : t->best_loss;
    t->best_epoch = e->epoch;
    memcpy(t->best.weights, t->now.weights, t->now.size * sizeof(float));
}

void ig_trainer_decide(ig_trainer *t, size_t epoch)
{
    size_t since = epoch - t->best_epoch;

    if (t->objective->extractor < IG_RESIDUAL)
        t->state = epoch >= (ig_form_of(t->objective->extractor)->fit != NULL)
                       ? IG_TRAIN_CLOSED
                       : IG_TRAIN_RUNNING;
    else if (t->options.patience > 0 && since >= (size_t)t->options.patience &&
             !stages_to_come(t, epoch))
        t->state = IG_TRAIN_PATIENCE;
    else if (epoch >= t->options.epochs)
        t->state = IG_TRAIN_ALL_EPOCHS;
}

static ig_status diverged(ig_trainer *t, const char *what, ig_error *error)
{
    t->state = IG_TRAIN_DIVERGED;
    memcpy(t->now.weights, t->best.weights, t->now.size * sizeof(float));
    return ig_fail(error, IG_DIVERGED,
                   "the %s loss is not finite in epoch %zu, batch %zu; the weights of "
                   "epoch %zu are kept",
                   what, t->epoch.epoch, t->pass.at / t->batch_size, t->best_epoch);
}

static void finish_train(ig_trainer *t)
{
    const ig_pass *s = &t->pass;
    ig_epoch *e = &t->epoch;

    e->seconds = s->seconds;
    e->pairs_per_second = e->epoch ? (double)s->done / s->seconds : NAN;
    e->train_loss = s->loss / (double)s->done;
    for (size_t i = 0; i < t->plan.terms; i++)
        e->value[i] = s->value[i] / (double)s->done;
    e->self_partners = s->alone;
    e->rows = 2 * s->done;
    t->phase = IG_IN_VALID;
    ig_pass_begin(t, t->split->valid_pair, t->split->valid, false, true,
                  IG_STREAM_VALID);
}

/* The epoch under way, from where it was left. */
static ig_status learn_epoch(ig_trainer *t, ig_between *between, void *context,
                             ig_error *error)
{
    ig_status status;

    if (t->phase == IG_AT_START) {
        size_t n = make_order(t, t->epoch.epoch);

        ig_pass_begin(t, t->order.pair, n, t->epoch.epoch > 0, false, IG_STREAM_TRAIN);
        t->phase = IG_IN_TRAIN;
    }
    if (t->phase == IG_IN_TRAIN) {
        status = ig_pass_run(t, between, context);
        if (status == IG_DIVERGED)
            return diverged(t, "training", error);
        if (status != IG_OK)
            return status;
        finish_train(t);
    }
    if (t->split->valid > 0) {
        status = ig_pass_run(t, between, context);
        if (status == IG_DIVERGED)
            return diverged(t, "validation", error);
        if (status != IG_OK)
            return status;
        t->epoch.valid_loss = t->pass.loss / (double)t->pass.done;
    }
    return IG_OK;
}

/* Pairs with the pivot, its row second, behind one another: (train) each. */
static size_t pivot_pairs(const ig_trainer *t, size_t pivot, uint32_t *left,
                          uint32_t *right)
{
    const uint16_t *lang = t->set->lang;
    size_t n = 0;

    for (size_t i = 0; i < t->split->train; i++) {
        uint32_t a = t->pairs->left[t->split->train_pair[i]];
        uint32_t b = t->pairs->right[t->split->train_pair[i]];

        if ((lang[a] == pivot) == (lang[b] == pivot))
            continue;
        left[n] = lang[a] == pivot ? b : a;
        right[n++] = lang[a] == pivot ? a : b;
    }
    return n;
}

/* A closed form on the rows of the training pairs; on all rows when there are none.
 * Before epoch 0, which is then as it will stay. */
static ig_status fit_closed(ig_trainer *t, ig_between *between, void *context,
                            ig_error *error)
{
    size_t train = t->split->train;
    ig_rows rows = ig_rows_of_set(t->set);
    uint8_t *mark = ig_alloc(t->set->rows, 1);
    uint32_t *left = ig_alloc(train, sizeof *left);
    uint32_t *right = ig_alloc(train, sizeof *right);
    ig_fit_data data = {.rows = &rows,
                        .lang = t->set->lang,
                        .languages = t->set->languages,
                        .train = train ? mark : NULL,
                        .left = left,
                        .pivot_row = right,
                        .pivot = ig_pairs_pivot(t->set),
                        .k = t->objective->k,
                        .normalize = t->options.normalize,
                        .pool = t->pool,
                        .between = between,
                        .context = context};
    ig_status status = IG_OK;

    if (mark && left && right) {
        data.pairs = pivot_pairs(t, data.pivot, left, right);
        for (size_t i = 0; i < train; i++) {
            mark[t->pairs->left[t->split->train_pair[i]]] = 1;
            mark[t->pairs->right[t->split->train_pair[i]]] = 1;
        }
        status = ig_closed_fit(&t->now, &data, &t->untrained, error);
    } else {
        status = ig_fail_memory(error, "a fit");
    }
    ig_free(mark);
    ig_free(left);
    ig_free(right);
    return status;
}

ig_status ig_trainer_epoch(ig_trainer *t, ig_between *between, void *context,
                           ig_epoch *out, ig_error *error)
{
    ig_status status = IG_OK;

    if (t->phase == IG_AT_START) {
        change_objective(t);
        t->epoch = (ig_epoch){.epoch = t->next,
                              .train_loss = NAN,
                              .valid_loss = NAN,
                              .pairs_per_second = NAN};
        atomic_store(&t->progress, 0);
    }
    if (t->objective->extractor >= IG_RESIDUAL)
        status = learn_epoch(t, between, context, error);
    else if (t->next == 0)
        status = fit_closed(t, between, context, error);
    if (status == IG_INTERRUPTED)
        return ig_fail(error, status, "training was interrupted in epoch %zu", t->next);
    t->phase = IG_AT_START;
    if (status != IG_OK)
        return status;
    keep_best(t, &t->epoch);
    ig_trainer_decide(t, t->next);
    t->next++;
    *out = t->epoch;
    return IG_OK;
}

/* --- questions -------------------------------------------------------------------- */

ig_train_state ig_trainer_state(const ig_trainer *t)
{
    return t->state;
}

const ig_extractor *ig_trainer_extractor(const ig_trainer *t)
{
    return &t->now;
}

const ig_extractor *ig_trainer_best(const ig_trainer *t, size_t *epoch)
{
    if (epoch)
        *epoch = t->best_epoch;
    return &t->best;
}

size_t ig_trainer_best_since(const ig_trainer *t)
{
    return t->best_since;
}

size_t ig_trainer_stage(const ig_trainer *t, size_t term)
{
    return term < t->plan.terms && t->stage[term] < t->next ? t->stage[term] : 0;
}

size_t ig_trainer_batch(const ig_trainer *t)
{
    return t->batch_size;
}

size_t ig_trainer_batches(const ig_trainer *t)
{
    return t->batch_size ? t->split->train / t->batch_size : 0;
}

size_t ig_trainer_progress(const ig_trainer *t)
{
    return atomic_load(&t->progress);
}

size_t ig_trainer_untrained_languages(const ig_trainer *t)
{
    return t->untrained;
}
