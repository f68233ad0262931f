/* The trainer: creation, epochs, early stopping, the best epoch, edits of the
 * objective, serialisation. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "data/dataset.h"
#include "train/trainer_state.h"

/* --- creation --------------------------------------------------------------------- */

static ig_status init_extractor(ig_trainer *t, const ig_extractor *initial,
                                ig_error *error)
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
                       "%s distinguishes languages, but the dataset has only %s",
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
            ig_form_of(initial->kind)->name, initial->dims, ig_form_of(kind)->name,
            t->set->dims);
    ig_random_init(&random, t->options.seed, IG_STREAM_INIT);
    if (initial)
        memcpy(t->now.weights, initial->weights, t->now.size * sizeof(float));
    else
        ig_extractor_randomize(&t->now, &random);
    return ig_extractor_copy(&t->best, &t->now, error);
}

/* Allocate; this process gets at most max_pairs pairs of a batch. */
static bool alloc_arrays(ig_trainer *t, size_t max_pairs)
{
    size_t rows = 2 * t->largest, languages = t->set->languages;

    return (t->lang = ig_alloc(rows, sizeof *t->lang)) &&
           (t->drawn = ig_alloc(rows, sizeof *t->drawn)) &&
           (t->stack = ig_alloc(rows, sizeof *t->stack)) &&
           (t->start = ig_alloc(languages + 2, sizeof *t->start)) &&
           (t->row = ig_alloc(t->largest, sizeof *t->row)) &&
           (t->place = ig_alloc(t->largest, sizeof *t->place)) &&
           (t->ghost = ig_alloc(2 * max_pairs, sizeof *t->ghost)) &&
           (t->gradient = ig_alloc(t->now.size + IG_PASS_TAIL, sizeof *t->gradient)) &&
           (t->order = ig_alloc(t->split->train, sizeof *t->order)) &&
           (t->first = ig_alloc(t->now.size, sizeof *t->first)) &&
           (t->second = ig_alloc(t->now.size, sizeof *t->second));
}

static ig_status prepare_batches(ig_trainer *t, ig_error *error)
{
    size_t train = t->split->train, valid = t->split->valid, max_pairs;
    size_t processes = ig_comm_processes(t->comm);
    ig_status status;

    if (t->objective->extractor < IG_RESIDUAL)
        return IG_OK;
    if (train == 0)
        return ig_fail(error, IG_VALUE, "there are no pairs to train on");
    t->batch_size = t->options.batch < train ? t->options.batch : train;
    t->largest = t->batch_size > valid      ? t->batch_size
                 : t->options.batch < valid ? t->options.batch
                                            : valid;
    max_pairs = (t->largest + processes - 1) / processes;
    status = ig_plan_make(&t->plan, t->objective, error);
    if (status != IG_OK)
        return status;
    t->batch = (ig_batch){.plan = &t->plan,
                          .capacity = max_pairs,
                          .dims = t->set->dims,
                          .width = t->now.width,
                          .outputs = t->objective->extractor == IG_TWIN ? 2 : 1,
                          .hidden = t->now.hidden,
                          .languages = t->set->languages};
    /* A row has at most one partner from another process. */
    status = ig_batch_init(&t->batch, t->comm ? 2 * max_pairs : 0, error);
    if (status == IG_OK && !alloc_arrays(t, max_pairs))
        status = ig_fail_memory(error, "the trainer");
    for (size_t i = 0; i < t->plan.terms; i++) {
        t->weight[i] = t->plan.term[i].weight;
        t->on[i] = t->plan.term[i].on;
    }
    if (t->now.classifier >= 0) {
        t->batch.classifier = t->now.weights + t->now.classifier;
        t->batch.classifier_gradient = t->gradient + t->now.classifier;
    }
    return status;
}

ig_status ig_trainer_new(ig_trainer **out, const ig_dataset *set, const ig_pairs *pairs,
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
    t->comm = ig_pool_comm(pool);
    t->best_loss = INFINITY;
    status = init_extractor(t, initial, error);
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
    IG_FREE(t->order, t->gradient, t->first, t->second, t->lang, t->drawn, t->stack,
            t->ghost, t->start, t->row, t->place);
    ig_plan_free(&t->plan);
    ig_batch_free(&t->batch);
    ig_extractor_free(&t->now);
    ig_extractor_free(&t->best);
    ig_free(t);
}

/* --- epochs ----------------------------------------------------------------------- */

/* Shuffle the training pairs; sequential: as they are. Returns the number of pairs in
 * the epoch: all, except for epoch 0 of a large dataset, of which sequential takes them
 * evenly spaced. */
static size_t make_order(ig_trainer *t, size_t epoch)
{
    size_t n = t->split->train;
    size_t some = epoch == 0 && n > IG_PAIRS_BEFORE ? IG_PAIRS_BEFORE : n;
    bool shuffled = t->options.order == IG_ORDER_SHUFFLED;
    size_t count = shuffled ? n : some;
    uint64_t stream = IG_STREAM_SHUFFLE + IG_STREAMS * (uint64_t)epoch;
    ig_random random;

    for (size_t i = 0; i < count; i++)
        t->order[i] = t->split->train_pair[i * n / count];
    ig_random_init(&random, t->options.seed, stream);
    if (shuffled)
        ig_random_shuffle(&random, t->order, n);
    return some;
}

/* Apply changes for the next epoch: edits, and terms whose from= it is. Losses of two
 * objectives are not comparable, so the search for the best epoch and patience restart;
 * the previous best epoch remains the result until the first new epoch is done. */
static void change_objective(ig_trainer *t)
{
    bool changed = t->edited;

    for (size_t i = 0; i < t->plan.terms; i++) {
        ig_plan_term *term = &t->plan.term[i];

        term->weight = t->weight[i];
        term->on = t->on[i];
        if (term->on && t->next > 1 && term->term->from == t->next) {
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

static bool has_later_stages(const ig_trainer *t, size_t epoch)
{
    for (size_t i = 0; i < t->plan.terms; i++)
        if (t->on[i] && t->plan.term[i].term->from > epoch &&
            t->plan.term[i].term->from <= t->options.epochs)
            return true;
    return false;
}

static void update_best(ig_trainer *t, ig_epoch *e)
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

static void decide_state(ig_trainer *t, size_t epoch)
{
    size_t since = epoch - t->best_epoch;

    if (t->objective->extractor < IG_RESIDUAL)
        t->state = epoch >= (ig_form_of(t->objective->extractor)->fit != NULL)
                       ? IG_TRAIN_CLOSED
                       : IG_TRAIN_RUNNING;
    else if (t->options.patience > 0 && since >= (size_t)t->options.patience &&
             !has_later_stages(t, epoch))
        t->state = IG_TRAIN_PATIENCE;
    else if (epoch >= t->options.epochs)
        t->state = IG_TRAIN_ALL_EPOCHS;
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

static ig_status run_epoch(ig_trainer *t, ig_between *between, void *context,
                           ig_error *error)
{
    ig_status status = IG_OK;

    if (t->phase == IG_AT_START) {
        size_t n = make_order(t, t->epoch.epoch);

        ig_pass_begin(t, t->order, n, t->epoch.epoch > 0, false, IG_STREAM_TRAIN);
        t->phase = IG_IN_TRAIN;
    }
    if (t->phase == IG_IN_TRAIN) {
        status = ig_pass_run(t, between, context);
        if (status == IG_OK)
            finish_train(t);
    }
    if (status == IG_OK && t->split->valid > 0) {
        status = ig_pass_run(t, between, context);
        if (status == IG_OK)
            t->epoch.valid_loss = t->pass.loss / (double)t->pass.done;
    }
    if (status != IG_DIVERGED)
        return status;
    t->state = IG_TRAIN_DIVERGED;
    memcpy(t->now.weights, t->best.weights, t->now.size * sizeof(float));
    return ig_fail(error, IG_DIVERGED,
                   "the %s loss is not finite in epoch %zu, batch %zu; the weights of "
                   "epoch %zu are kept",
                   t->phase == IG_IN_TRAIN ? "training" : "validation", t->epoch.epoch,
                   t->pass.at / t->batch_size, t->best_epoch);
}

/* Collect pairs with the pivot into left and right (train) each, pivot rows in
 * `right`. */
static size_t collect_pivot_pairs(const ig_trainer *t, size_t pivot, uint32_t *left,
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

/* Fit a closed form on rows of training pairs, or on all rows if there are none, before
 * epoch 0. */
static ig_status fit_closed(ig_trainer *t, ig_between *between, void *context,
                            ig_error *error)
{
    size_t train = t->split->train;
    ig_rows rows = ig_rows_of_dataset(t->set);
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
        data.pairs = collect_pivot_pairs(t, data.pivot, left, right);
        for (size_t i = 0; i < train; i++) {
            mark[t->pairs->left[t->split->train_pair[i]]] = 1;
            mark[t->pairs->right[t->split->train_pair[i]]] = 1;
        }
        status = ig_closed_fit(&t->now, &data, &t->untrained, error);
    } else {
        status = ig_fail_memory(error, "a fit");
    }
    IG_FREE(mark, left, right);
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
        status = run_epoch(t, between, context, error);
    else if (t->next == 0)
        status = fit_closed(t, between, context, error);
    if (status == IG_INTERRUPTED)
        return ig_fail(error, status, "training was interrupted in epoch %zu", t->next);
    t->phase = IG_AT_START;
    if (status != IG_OK)
        return status;
    update_best(t, &t->epoch);
    decide_state(t, t->next);
    t->next++;
    *out = t->epoch;
    return IG_OK;
}

/* --- state ------------------------------------------------------------------------ */

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

/* --- editing the objective -------------------------------------------------------- */

size_t ig_trainer_edits_from(const ig_trainer *t)
{
    return t->next + (t->phase != IG_AT_START);
}

ig_status ig_trainer_set_weight(ig_trainer *t, size_t term, double weight, bool on,
                                ig_error *error)
{
    bool any = on;

    if (term >= t->plan.terms)
        return ig_fail(error, IG_VALUE, "there is no term %zu of %zu", term + 1,
                       t->plan.terms);
    if (!isfinite(weight))
        return ig_fail(error, IG_VALUE, "the weight of %s must be a finite number",
                       t->objective->term[term].name);
    for (size_t i = 0; i < t->plan.terms; i++)
        any |= i != term && t->on[i];
    if (!any)
        return ig_fail(error, IG_VALUE,
                       "%s is the last term that counts: one must stay",
                       t->objective->term[term].name);
    t->weight[term] = weight;
    t->on[term] = on;
    t->edited = false;
    for (size_t i = 0; i < t->plan.terms; i++)
        t->edited |= t->weight[i] != t->plan.term[i].weight ||
                     t->on[i] != t->plan.term[i].on;
    return IG_OK;
}

double ig_trainer_weight(const ig_trainer *t, size_t term, bool *on)
{
    if (on)
        *on = t->on[term];
    return t->weight[term];
}

/* Gradient norm of term i alone at weight 1, on a batch spread over all training pairs
 * (which may be sorted by language). */
static double compute_norm(ig_trainer *t, size_t i, uint32_t *list, float *gradient)
{
    size_t n = t->batch_size, train = t->split->train;
    /* Exclude the discriminator: the adversarial term does not train it. */
    size_t size = t->now.classifier >= 0 ? (size_t)t->now.classifier : t->now.size;
    ig_plan_term *term = &t->plan.term[i];
    double weight = term->weight, value[IG_TERMS_MAX], square = 0;
    bool on[IG_TERMS_MAX];

    for (size_t k = 0; k < n; k++)
        list[k] = t->split->train_pair[k * train / n];
    for (size_t k = 0; k < t->plan.terms; k++) {
        on[k] = t->plan.term[k].on;
        t->plan.term[k].on = k == i;
    }
    term->weight = 1;
    ig_trainer_evaluate(t, list, n, gradient, value);
    term->weight = weight;
    for (size_t k = 0; k < t->plan.terms; k++)
        t->plan.term[k].on = on[k];
    for (size_t k = 0; k < size; k++)
        square += (double)gradient[k] * gradient[k];
    return sqrt(square);
}

ig_status ig_trainer_norm(ig_trainer *t, size_t term, double *norm, ig_error *error)
{
    uint32_t *list = ig_alloc(t->batch_size, sizeof *list);
    float *gradient = ig_alloc(t->now.size, sizeof *gradient);
    ig_status status = IG_OK;

    if (list && gradient)
        *norm = compute_norm(t, term, list, gradient);
    else
        status = ig_fail_memory(error, "a term's gradient");
    IG_FREE(list, gradient);
    return status;
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

bool ig_epoch_stands_still(const ig_epoch *e, const ig_objective *o, ig_space space)
{
    static const double NOTHING = 1e-4;
    size_t epoch = e->epoch ? e->epoch
                            : 1; /* the epoch that decides which terms are active */
    bool any = false;

    for (size_t i = 0; i < o->terms; i++) {
        if (!uses_space(&o->term[i], o->extractor, space) || o->term[i].from > epoch ||
            isnan(e->value[i]))
            continue;
        if (fabs(e->value[i]) >= NOTHING)
            return false;
        any = true;
    }
    return any;
}
