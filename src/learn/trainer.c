/* The trainer: passes over pairs, epochs, early stopping, edits of the objective while
 * it is trained. Legend: B pairs of a batch, d dims, o outputs. */
#include "learn/trainer.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "data/set.h"
#include "learn/closed.h"
#include "learn/group.h"
#include "linear/blas.h"

/* Streams of one seed; the epoch's number is added in the bits above. */
enum {
    IG_STREAM_INIT,
    IG_STREAM_SHUFFLE,
    IG_STREAM_TRAIN,
    IG_STREAM_VALID,
    IG_STREAMS
};

/* --- a pass over pairs ------------------------------------------------------------ */

/* Pairs of the batch that begins at `at`, all ranks together. */
static size_t whole_batch(const ig_pass *s, size_t at)
{
    const ig_trainer *t = s->trainer;
    size_t left = s->count - at;
    size_t full = s->train || !s->short_last ? t->batch_size : t->largest;

    return left < full ? left : full;
}

/* This rank's share of it: pairs from *from on. */
static size_t own_share(const ig_pass *s, size_t whole, size_t *from)
{
    const ig_team *team = s->trainer->team;
    size_t last;

    ig_team_share(team, ig_team_rank(team), whole, 1, from, &last);
    return last - *from;
}

/* Partners are drawn from the batch of all ranks: those that are other ranks' rows are
 * read here, too. */
static size_t draw_partners(ig_pass *s)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    ig_random *random = s->next_partner ? NULL : &s->random;
    size_t alone;

    if (!t->team)
        return ig_partner_draw(&t->partners, b, random);
    for (size_t i = 0; i < b->whole; i++) {
        uint32_t pair = s->list[s->at + i];

        t->lang[i] = t->set->lang[t->pairs->left[pair]];
        t->lang[b->whole + i] = t->set->lang[t->pairs->right[pair]];
    }
    alone = ig_partner_draw_share(&t->partners, b, t->lang, s->from, random, t->ghost);
    for (size_t i = 0; i < b->ghosts[0] + b->ghosts[1]; i++)
        b->meaning[b->size + i] =
            t->pairs->group[s->list[s->at + t->ghost[i] % b->whole]];
    return alone;
}

/* Member 0 sets up the batch that begins at pass->at, for all members of the task. */
static void open_batch(ig_pass *s, size_t members)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;

    b->whole = whole_batch(s, s->at);
    b->size = own_share(s, b->whole, &s->from);
    for (size_t i = 0; i < b->size; i++) {
        uint32_t pair = s->list[s->at + s->from + i];

        b->meaning[i] = t->pairs->group[pair];
        b->lang[i] = t->set->lang[t->pairs->left[pair]];
        b->lang[b->size + i] = t->set->lang[t->pairs->right[pair]];
    }
    if (t->now.classifier >= 0)
        memset(b->classifier_gradient, 0,
               (t->now.size - (size_t)t->now.classifier) * sizeof *t->gradient);
    for (size_t i = 0; i < IG_PASS_STEPS; i++)
        ig_pieces_reset(&s->piece[i], members, s->fine);
    s->alone += draw_partners(s);
}

enum { GATHERED = 256 }; /* rows at once, at most */

/* Rows of the set, n ≤ GATHERED, into stacked rows `at` … of the batch. */
static void gather_rows(ig_trainer *t, const uint32_t *row, size_t n, size_t at)
{
    ig_batch *b = &t->batch;
    float *e = b->e + at * b->dims;

    ig_set_gather(t->set, row, n, e, b->dims);
    if (t->options.normalize)
        ig_rows_unit(e, b->dims, e, b->dims, n, b->dims);
}

/* Rows of the set that are the own pairs of a batch, stacked.
 *   own  in  the first of them, of `size` */
static void own_rows(const ig_pass *s, const uint32_t *own, size_t size, size_t first,
                     size_t n, uint32_t *row)
{
    const ig_pairs *pairs = s->trainer->pairs;

    for (size_t i = 0; i < n; i++) {
        size_t r = first + i;

        row[i] = r < size ? pairs->left[own[r]] : pairs->right[own[r - size]];
    }
}

static void gather(ig_pass *s, size_t first, size_t last)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    const uint32_t *list = s->list + s->at;
    uint32_t row[GATHERED];

    first = first < s->gathered ? s->gathered : first;
    for (size_t at = first, n; at < last; at += n) {
        n = last - at < GATHERED ? last - at : GATHERED;
        if (at < 2 * b->size) {
            n = n < 2 * b->size - at ? n : 2 * b->size - at;
            own_rows(s, list + s->from, b->size, at, n, row);
        } else {
            for (size_t i = 0; i < n; i++) {
                size_t r = t->ghost[at + i - 2 * b->size];

                row[i] = r < b->whole ? t->pairs->left[list[r]]
                                      : t->pairs->right[list[r - b->whole]];
            }
        }
        gather_rows(t, row, n, at);
    }
}

static void adam_slice(ig_trainer *t, size_t offset, size_t n)
{
    const ig_train_options *o = &t->options;
    double step = (double)t->steps;

    t->batch.kernels->adam(t->now.weights + offset, t->first + offset,
                           t->second + offset, t->gradient + offset, n, (float)o->lr,
                           0.9f, 0.999f, 1e-8f, (float)(1 - pow(0.9, step)),
                           (float)(1 - pow(0.999, step)),
                           (float)(o->lr * o->weight_decay));
}

/* A layer: its weights (out, in) and biases (out) in the block. */
struct layer {
    size_t weight, bias, out, in;
};

/* ∂/∂W = Gᵀ X and ∂/∂b = Σ rows of G, for outputs first … last−1 of a layer.
 *   g (2B, out)   x (2B, in).   4·B·in flops an output. */
static void layer_gradient(ig_trainer *t, struct layer l, const float *g,
                           const float *x, size_t first, size_t last)
{
    enum { CHUNK = 64 };
    size_t rows = ig_batch_rows(&t->batch);
    const float *v[CHUNK];
    float ones[CHUNK];

    if (rows == 0) { /* a rank without a pair of this batch */
        memset(t->gradient + l.weight + first * l.in, 0,
               (last - first) * l.in * sizeof *t->gradient);
        memset(t->gradient + l.bias + first, 0, (last - first) * sizeof *t->gradient);
        return;
    }
    ig_gemm_rows(true, false, 1, ig_matrix_of((float *)g, rows, l.out),
                 ig_matrix_of((float *)x, rows, l.in), 0,
                 ig_matrix_of(t->gradient + l.weight, l.out, l.in), first, last);
    for (size_t i = 0; i < CHUNK; i++)
        ones[i] = 1;
    for (size_t at = 0; at < rows; at += CHUNK) {
        size_t n = rows - at < CHUNK ? rows - at : CHUNK;

        for (size_t i = 0; i < n; i++)
            v[i] = g + (at + i) * l.out + first;
        t->batch.kernels->combine(v, ones, n, last - first, at > 0,
                                  t->gradient + l.bias + first);
    }
}

/* The gradient of a layer and, with `step`, Adam's step, for the outputs that the
 * member takes. */
static void step_layer(ig_pass *s, size_t which, struct layer l, const float *g,
                       const float *x, bool step)
{
    ig_trainer *t = s->trainer;
    size_t first, last;

    while (ig_gemm_take(&s->piece[which], l.out, &first, &last)) {
        layer_gradient(t, l, g, x, first, last);
        if (!step)
            continue;
        adam_slice(t, l.weight + first * l.in, (last - first) * l.in);
        adam_slice(t, l.bias + first, last - first);
    }
}

/* --- forward -----------------------------------------------------------------------
 * */

/* The head on the member's rows, scaled to length 1. */
static void forward_head(ig_trainer *t, size_t first, size_t last)
{
    ig_batch *b = &t->batch;
    size_t w = b->width, n = last - first;

    if (n == 0)
        return;
    ig_extractor_head(&t->now, ig_matrix_of(b->e + first * b->dims, n, b->dims),
                      ig_matrix_of(b->layer + first * b->hidden, n, b->hidden),
                      ig_matrix_of(b->h + first * w, n, w));
    for (size_t i = first; i < last; i++)
        b->inverse[i] =
            (float)(1 /
                    sqrt(b->kernels->unit(b->h + i * w, w, b->h + i * w) + IG_COS_EPS));
}

/* The classifier's own parameters, which stand last in the block. */
static void step_classifier(ig_trainer *t, size_t member)
{
    size_t at = (size_t)t->now.classifier;

    if (member == 0)
        adam_slice(t, at, t->now.size - at);
}

/* Whether a term uses the classifier so. With all of them struck out it stands still:
 * its momentum would carry it on without a reason. */
static bool uses_classifier(const ig_trainer *t, int how)
{
    for (size_t i = 0; i < t->plan.terms; i++)
        if (t->plan.term[i].on && (int)t->plan.term[i].term->kind->classifier == how)
            return true;
    return false;
}

/* Member 0: the gradients of some weights from all ranks. */
static void sum_gradient(ig_trainer *t, size_t offset, size_t n)
{
    ig_team_sum_begin(t->team, t->gradient + offset, n);
    ig_team_sum_end(t->team);
}

/* MEAT's first half of a batch: the discriminator learns, the extractor stands still.
 * Its outputs are then the same, so that they need no second forward pass. [meat] */
static void step_discriminator(ig_trainer *t, size_t member, size_t members)
{
    size_t at = (size_t)t->now.classifier;

    ig_group_discriminate(&t->batch, t->pool, member, members);
    if (member == 0)
        sum_gradient(t, at, t->now.size - at);
    step_classifier(t, member);
    if (member == 0)
        memset(t->gradient + at, 0, (t->now.size - at) * sizeof *t->gradient);
    ig_pool_barrier(t->pool);
}

/* Steps of one batch up to its loss, which every member learns. */
static double forward_batch(ig_pass *s, size_t member, size_t members,
                            double value[IG_PLAN_TERMS])
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t out = b->width * b->outputs;
    size_t first, last;

    while (ig_gemm_take(&s->piece[IG_STEP_FORWARD], ig_batch_rows(b), &first, &last)) {
        gather(s, first, last);
        if (t->now.kind == IG_HEAD)
            forward_head(t, first, last);
        else
            ig_batch_forward(b, t->now.weights, t->now.weights + out * b->dims, first,
                             last);
    }
    ig_pool_barrier(t->pool);
    if (s->train && s->step && uses_classifier(t, IG_FOOLS_CLASSIFIER))
        step_discriminator(t, member, members);
    while (ig_pieces_take(&s->piece[IG_STEP_VALUES], b->size, IG_BATCH_SUMMED, &first,
                          &last))
        ig_batch_values(b, s->train, first, last);
    ig_pool_barrier(t->pool);
    if (t->plan.shared)
        ig_group_run(b, t->pool, s->train, member, members);
    return ig_batch_loss(b, value);
}

/* --- backward ----------------------------------------------------------------------
 * */

/* Back through the unit scale, o = f u: ∂/∂o = (∂/∂u − u <u,∂/∂u>) / |o|; then through
 * the second layer and max(0, ·), for the member's rows. */
static void backward_head(ig_trainer *t, size_t first, size_t last)
{
    ig_batch *b = &t->batch;
    size_t rows = ig_batch_rows(b), w = b->width, h = b->hidden;
    const float *w2 = t->now.weights + h * b->dims;

    for (size_t i = first; i < last; i++) {
        const float *v[2] = {b->g + i * w, b->h + i * w};
        float f = b->inverse[i];
        float c[2] = {f, -f * (float)b->kernels->dot(v[0], v[1], w)};

        b->kernels->combine(v, c, 2, w, 0, b->g + i * w);
    }
    ig_gemm_rows(false, false, 1, ig_matrix_of(b->g, rows, w),
                 ig_matrix_of((float *)w2, w, h), 0, ig_matrix_of(b->layer_g, rows, h),
                 first, last);
    b->kernels->gate(b->layer + first * h, (last - first) * h, b->layer_g + first * h);
}

static void backward_batch(ig_pass *s, size_t member, bool step)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t d = b->dims, w = b->width, h = b->hidden, out = w * b->outputs;
    size_t first, last;

    while (ig_gemm_take(&s->piece[IG_STEP_GRADIENT], ig_batch_rows(b), &first, &last)) {
        ig_batch_gradient(b, first, last);
        if (t->now.kind == IG_HEAD)
            backward_head(t, first, last);
    }
    ig_pool_barrier(t->pool);
    if (t->now.kind == IG_HEAD) {
        struct layer one = {0, h * d + w * h, h, d};
        struct layer two = {h * d, h * d + w * h + h, w, h};

        step_layer(s, IG_STEP_LAYER, one, b->layer_g, b->e, step);
        step_layer(s, IG_STEP_SECOND, two, b->g, b->layer, step);
    } else {
        struct layer one = {0, out * d, out, d};

        step_layer(s, IG_STEP_LAYER, one, b->g, b->e, step);
    }
    if (step && uses_classifier(t, IG_TRAINS_CLASSIFIER))
        step_classifier(t, member);
}

/* Rows of the next batch, while the gradients of this one are summed: a member's slice
 * of this rank's own, of which the batch does not need its present ones any more.
 * `alone`: this is the thread that lets the sum go on. */
static void gather_next(ig_pass *s, size_t member, size_t members, bool alone)
{
    ig_trainer *t = s->trainer;
    size_t at = s->at + t->batch.whole, from, first, last;
    size_t size = own_share(s, whole_batch(s, at), &from);
    uint32_t row[GATHERED];

    ig_pool_slice(2 * size, 16, member, members, &first, &last);
    for (size_t r = first; r < last; r += GATHERED) {
        size_t n = last - r < GATHERED ? last - r : GATHERED;

        own_rows(s, s->list + at + from, size, r, n, row);
        gather_rows(t, row, n, r);
        if (alone)
            ig_team_sum_going(t->team);
    }
    if (member == 0)
        s->gathered = 2 * size;
}

/* The gradients of all ranks, and Adam's step by them. */
static void step_together(ig_pass *s, bool finite, size_t member, size_t members)
{
    ig_trainer *t = s->trainer;
    size_t n = t->now.size, first, last;

    if (t->now.classifier >= 0 && !uses_classifier(t, IG_TRAINS_CLASSIFIER))
        n = (size_t)t->now.classifier;
    ig_pool_barrier(t->pool);
    if (member == 0 && !finite) /* this rank's part; the others learn it afterwards */
        memset(t->gradient, 0, n * sizeof *t->gradient);
    if (member == 0)
        ig_team_sum_begin(t->team, t->gradient, n);
    /* The sum goes on while member 0 asks for it. */
    if (members == 1)
        gather_next(s, 0, 1, true);
    else if (member > 0)
        gather_next(s, member - 1, members - 1, false);
    if (member == 0)
        ig_team_sum_end(t->team);
    ig_pool_barrier(t->pool);
    ig_pool_slice(n, 1024, member, members, &first, &last);
    adam_slice(t, first, last - first);
}

/* --- a pass over pairs ------------------------------------------------------------ */

/* Where pairs are visited in shuffled blocks, what comes next is read beside training.
 */
static void expect_pairs(ig_pass *s)
{
    enum { GROUP = IG_BLOCK_PAIRS * IG_BLOCKS_AT_ONCE, AHEAD = 8192 };
    const ig_trainer *t = s->trainer;
    size_t left = s->count - s->expected;

    if (t->options.order != IG_ORDER_BLOCKS)
        return;
    if (s->list == t->order.pair && s->at >= s->expected) {
        ig_pair_order_expect(&t->order, s->expected);
        s->expected += GROUP;
    } else if (s->list != t->order.pair && s->at + AHEAD / 2 >= s->expected) {
        left = left < AHEAD ? left : AHEAD;
        ig_pair_order_expect_list(&t->order, s->list + s->expected, left);
        s->expected += left;
    }
}

/* Member 0, before each batch and after the last: other work, and whether to go on. */
static void next_batch(ig_pass *s, size_t members)
{
    size_t left = s->count - s->at;

    s->stop = s->diverged || ig_clock_now() >= s->until;
    if (s->stop)
        return;
    /* After the last batch too: what was read for it may not count. */
    if (s->between) {
        double since = ig_clock_now();

        s->stop = s->interrupted =
            ig_team_any(s->trainer->team, s->between(s->context));
        s->seconds -= ig_clock_now() - since;
    }
    s->ended = left == 0 || (!s->short_last && left < s->trainer->batch_size);
    s->stop |= s->ended;
    if (s->stop)
        return;
    expect_pairs(s);
    open_batch(s, members);
    s->trainer->steps += s->train;
}

/* Member 0, after each batch: what it came to, over all ranks. */
static void close_batch(ig_pass *s, double loss, double value[IG_PLAN_TERMS])
{
    ig_trainer *t = s->trainer;
    double size = (double)t->batch.whole;

    ig_team_sum(t->team, &loss, 1);
    ig_team_sum(t->team, value, t->plan.terms);
    s->diverged = !isfinite(loss);
    s->loss += loss * size;
    for (size_t i = 0; i < t->plan.terms; i++)
        s->value[i] += value[i] * size;
    s->done += t->batch.whole;
    s->at += t->batch.whole;
    if (s->train)
        atomic_fetch_add(&t->progress, 1);
}

static void pass_as_member(void *context, size_t member, size_t members)
{
    ig_pass *s = context;
    ig_trainer *t = s->trainer;
    double value[IG_PLAN_TERMS];

    for (;;) {
        double loss;

        if (member == 0)
            next_batch(s, members);
        ig_pool_barrier(t->pool);
        if (s->stop)
            return;
        loss = forward_batch(s, member, members, value);
        if (member == 0)
            s->gathered = 0;
        if (s->train && isfinite(loss))
            backward_batch(s, member, !t->team);
        if (s->train && t->team)
            step_together(s, isfinite(loss), member, members);
        ig_pool_barrier(t->pool);
        if (member == 0)
            close_batch(s, loss, value);
    }
}

/* Set up the trainer's pass over `count` pairs; train, or only measure. `stream` and
 * the epoch choose the random numbers of the partners. */
static void begin_pass(ig_trainer *t, const uint32_t *list, size_t count, bool train,
                       bool short_last, uint64_t stream)
{
    size_t epoch = t->epoch.epoch;

    t->pass = (ig_pass){.trainer = t,
                        .list = list,
                        .count = count,
                        .train = train,
                        .step = train,
                        .short_last = short_last,
                        .next_partner = t->options.partner == IG_PARTNER_NEXT};
    ig_random_init(&t->pass.random, t->options.seed,
                   stream + IG_STREAMS * (uint64_t)epoch);
    t->batch.epoch = epoch ? epoch : 1;
}

/* Batches for a while, by as many members as go well together (base/pace.h): what comes
 * of a batch does not depend on it. */
static void run_stretch(ig_trainer *t)
{
    static const double STRETCH = 0.05; /* seconds */
    ig_pass *s = &t->pass;
    ig_pace_way way = ig_pace_next(&t->pace);
    double start = ig_clock_now(), waited = ig_pool_waited(t->pool), seconds;
    size_t done = s->done;

    s->fine = way.fine;
    s->until = start + STRETCH;
    s->stop = s->interrupted = s->ended = false;
    ig_pool_run_some(t->pool, way.members, pass_as_member, s);
    seconds = ig_clock_now() - start;
    if (seconds >= STRETCH)
        ig_pace_tell(&t->pace, (double)(s->done - done) / seconds,
                     (ig_pool_waited(t->pool) - waited) /
                         (seconds * (double)way.members));
}

/* Go through the pairs that are left, batch by batch. IG_OK at the end, IG_INTERRUPTED
 * when `between` said so (call again to go on), IG_DIVERGED. */
static ig_status run_pass(ig_trainer *t, ig_between *between, void *context)
{
    ig_pass *s = &t->pass;
    double start = ig_clock_now();

    s->between = between;
    s->context = context;
    if (t->options.order == IG_ORDER_BLOCKS)
        ig_set_scattered(t->set, true);
    do
        run_stretch(t);
    while (!s->ended && !s->interrupted && !s->diverged);
    if (t->options.order == IG_ORDER_BLOCKS)
        ig_set_scattered(t->set, false);
    s->seconds += ig_clock_now() - start;
    return s->diverged ? IG_DIVERGED : s->interrupted ? IG_INTERRUPTED : IG_OK;
}

/* --- one batch by itself ---------------------------------------------------------- */

struct evaluation {
    ig_pass pass;
    double loss;
    double *value;
    bool gradients;
};

static void run_evaluation(void *context, size_t member, size_t members)
{
    struct evaluation *v = context;
    ig_trainer *t = v->pass.trainer;
    double value[IG_PLAN_TERMS];
    double loss;

    if (member == 0)
        open_batch(&v->pass, members);
    ig_pool_barrier(t->pool);
    loss = forward_batch(&v->pass, member, members, value);
    if (v->gradients)
        backward_batch(&v->pass, member, false);
    if (member)
        return;
    v->loss = loss;
    memcpy(v->value, value, t->plan.terms * sizeof *value);
}

double ig_trainer_evaluate(ig_trainer *t, const uint32_t *list, size_t n,
                           float *gradient, double *value)
{
    struct evaluation v = {.value = value, .gradients = gradient != NULL};

    size_t epoch = t->batch.epoch; /* of the pass that may be under way */

    t->pass.gathered = 0;
    v.pass = (ig_pass){
        .trainer = t, .list = list, .count = n, .train = true, .next_partner = true};
    t->batch.epoch = SIZE_MAX;
    ig_pool_run(t->pool, run_evaluation, &v);
    t->batch.epoch = epoch;
    if (gradient)
        memcpy(gradient, t->gradient, t->now.size * sizeof *gradient);
    return v.loss;
}

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
    size_t train = t->split->train, valid = t->split->valid;
    size_t outputs = t->objective->extractor == IG_TWIN ? 2 : 1;
    size_t ranks = ig_team_ranks(t->team), most, ghosts;
    ig_status status;

    if (t->objective->extractor < IG_RESIDUAL)
        return IG_OK;
    if (train == 0)
        return ig_fail(error, IG_VALUE, "there are no pairs to train on");
    t->batch_size = t->options.batch < train ? t->options.batch : train;
    t->largest = t->batch_size > valid      ? t->batch_size
                 : t->options.batch < valid ? t->options.batch
                                            : valid;
    /* A row has one partner at most that is another rank's. */
    most = (t->largest + ranks - 1) / ranks;
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
        status = ig_partner_init(&t->partners, t->set->languages, t->largest, error);
    if (status != IG_OK)
        return status;
    if (t->team) {
        t->lang = ig_alloc(2 * t->largest, sizeof *t->lang);
        t->ghost = ig_alloc(ghosts, sizeof *t->ghost);
        if (!t->lang || !t->ghost)
            return ig_fail_memory(error, "the trainer");
    }
    t->gradient = ig_alloc(t->now.size, sizeof *t->gradient);
    t->first = ig_alloc(t->now.size, sizeof *t->first);
    t->second = ig_alloc(t->now.size, sizeof *t->second);
    if (!t->gradient || !t->first || !t->second)
        return ig_fail_memory(error, "the trainer");
    status = ig_pair_order_init(&t->order, t->set, t->pairs, t->split->train_pair,
                                train, t->options.order == IG_ORDER_BLOCKS, error);
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
    ig_pace_init(&t->pace, ig_pool_threads(pool));
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
    ig_random random;

    ig_random_init(&random, t->options.seed,
                   IG_STREAM_SHUFFLE + IG_STREAMS * (uint64_t)epoch);
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

static void decide_state(ig_trainer *t, size_t epoch)
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
    begin_pass(t, t->split->valid_pair, t->split->valid, false, true, IG_STREAM_VALID);
}

/* The epoch under way, from where it was left. */
static ig_status learn_epoch(ig_trainer *t, ig_between *between, void *context,
                             ig_error *error)
{
    ig_status status;

    if (t->phase == IG_AT_START) {
        size_t n = make_order(t, t->epoch.epoch);

        begin_pass(t, t->order.pair, n, t->epoch.epoch > 0, false, IG_STREAM_TRAIN);
        t->phase = IG_IN_TRAIN;
    }
    if (t->phase == IG_IN_TRAIN) {
        status = run_pass(t, between, context);
        if (status == IG_DIVERGED)
            return diverged(t, "training", error);
        if (status != IG_OK)
            return status;
        finish_train(t);
    }
    if (t->split->valid > 0) {
        status = run_pass(t, between, context);
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
    decide_state(t, t->next);
    t->next++;
    *out = t->epoch;
    return IG_OK;
}

void ig_trainer_pack(ig_trainer *t, ig_pack *p)
{
    ig_pack_agree(p, t->now.size);
    ig_pack_agree(p, t->plan.terms);
    ig_pack_floats(p, t->now.weights, t->now.size);
    ig_pack_floats(p, t->best.weights, t->best.size);
    ig_pack_floats(p, t->first, t->now.size);
    ig_pack_floats(p, t->second, t->now.size);
    ig_pack_count(p, &t->steps);
    ig_pack_count(p, &t->next);
    ig_pack_count(p, &t->best_epoch);
    ig_pack_double(p, &t->best_loss);
    ig_pack_count(p, &t->best_since);
    ig_pack_flag(p, &t->anew);
    ig_pack_flag(p, &t->edited);
    for (size_t i = 0; i < t->plan.terms; i++) {
        ig_pack_count(p, &t->stage[i]);
        ig_pack_double(p, &t->weight[i]);
        ig_pack_flag(p, &t->on[i]);
        ig_pack_double(p, &t->plan.term[i].weight);
        ig_pack_flag(p, &t->plan.term[i].on);
    }
    if (!p->reading || p->failed)
        return;
    t->state = IG_TRAIN_RUNNING;
    if (t->next > 0)
        decide_state(t, t->next - 1);
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

/* --- edits while it is trained ---------------------------------------------------- */

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

/* A batch from all over the training pairs, which may stand in order of languages. */
static size_t spread_batch(const ig_trainer *t, uint32_t *list)
{
    size_t n = t->batch_size, train = t->split->train;

    for (size_t i = 0; i < n; i++)
        list[i] = t->split->train_pair[i * train / n];
    return n;
}

/* The norm of the gradient of term i alone at weight 1. */
static double norm_of(ig_trainer *t, size_t i, const uint32_t *list, size_t n,
                      float *gradient)
{
    /* A discriminator is fooled, not trained, by the terms that see it. */
    size_t size = t->now.classifier >= 0 ? (size_t)t->now.classifier : t->now.size;
    ig_plan_term *term = &t->plan.term[i];
    double weight = term->weight, value[IG_TERMS_MAX], square = 0;
    bool on[IG_TERMS_MAX];

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
        *norm = norm_of(t, term, list, spread_batch(t, list), gradient);
    else
        status = ig_fail_memory(error, "a term's gradient");
    ig_free(list);
    ig_free(gradient);
    return status;
}

/* Whether a term sees a space's weights; those of a residual are of both spaces. */
static bool sees(const ig_term *term, ig_extractor_kind kind, ig_space space)
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
    size_t epoch = e->epoch ? e->epoch : 1; /* as of which terms count */
    bool any = false;

    for (size_t i = 0; i < o->terms; i++) {
        if (!sees(&o->term[i], o->extractor, space) || o->term[i].from > epoch ||
            isnan(e->value[i]))
            continue;
        if (fabs(e->value[i]) >= NOTHING)
            return false;
        any = true;
    }
    return any;
}
