/* A pass over pairs, batch by batch. */
#include "learn/pass.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "data/set.h"
#include "learn/gather.h"
#include "learn/group.h"
#include "learn/layers.h"
#include "learn/rank_share.h"
#include "linear/blas.h"

/* Set up the batch that begins at pass->at. */
static void open_batch(ig_pass *s)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    ig_rank_share share = ig_rank_share_at(s, s->at);

    s->window = share.window;
    s->from = share.from;
    b->whole = share.whole;
    b->size = share.size;
    for (size_t i = 0; i < b->size; i++) {
        uint32_t pair = s->list[s->from + i];

        b->meaning[i] = t->pairs->group[pair];
        b->lang[i] = t->set->lang[t->pairs->left[pair]];
        b->lang[b->size + i] = t->set->lang[t->pairs->right[pair]];
    }
    if (t->now.classifier >= 0)
        memset(b->classifier_gradient, 0,
               (t->now.size - (size_t)t->now.classifier) * sizeof *t->gradient);
    s->alone += ig_rank_partners(s);
}

/* MEAT's first half of a batch: the discriminator learns, the extractor stands still.
 * Its outputs are then the same, so that they need no second forward pass. [meat] */
static void step_discriminator(ig_trainer *t)
{
    size_t at = (size_t)t->now.classifier;

    ig_group_discriminate(&t->batch, t->pool);
    ig_rank_sum(t, at, t->now.size - at);
    ig_layers_step_classifier(t);
    memset(t->gradient + at, 0, (t->now.size - at) * sizeof *t->gradient);
}

/* Rows gathered, and their outputs. */
static void forward_piece(void *context, size_t member, size_t first, size_t last)
{
    ig_pass *s = context;
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t out = b->width * b->outputs;

    (void)member;
    ig_gather_rows(s, first, last);
    if (t->now.kind == IG_HEAD)
        ig_layers_forward_head(t, first, last);
    else
        ig_batch_forward(b, t->now.weights, t->now.weights + out * b->dims, first,
                         last);
}

static void value_piece(void *context, size_t member, size_t first, size_t last)
{
    const ig_pass *s = context;

    (void)member;
    ig_batch_values(&s->trainer->batch, s->train, first, last);
}

/* Steps of one batch up to its loss. */
static double forward_batch(ig_pass *s, double value[IG_PLAN_TERMS])
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;

    ig_pool_hand_out(t->pool, ig_batch_rows(b), IG_GEMM_ROWS, forward_piece, s);
    if (s->train && s->step && ig_layers_use_classifier(t, IG_FOOLS_CLASSIFIER))
        step_discriminator(t);
    ig_pool_hand_out(t->pool, b->size, IG_BATCH_SUMMED, value_piece, s);
    if (t->plan.shared)
        ig_group_run(b, t->pool, s->train);
    return ig_batch_loss(b, value);
}

static void gradient_piece(void *context, size_t member, size_t first, size_t last)
{
    const ig_pass *s = context;
    ig_trainer *t = s->trainer;

    (void)member;
    ig_batch_gradient(&t->batch, first, last);
    if (t->now.kind == IG_HEAD)
        ig_layers_backward_head(t, first, last);
}

static void backward_batch(ig_pass *s, bool step)
{
    ig_trainer *t = s->trainer;

    ig_pool_hand_out(t->pool, ig_batch_rows(&t->batch), IG_GEMM_ROWS, gradient_piece,
                     s);
    ig_layers_step(t, step);
}

/* Where pairs are visited in shuffled blocks, what comes next is read beside training.
 */
static void expect_pairs(ig_pass *s)
{
    enum { GROUP = IG_BLOCK_PAIRS * IG_BLOCKS_AT_ONCE, AHEAD = 8192 };
    const ig_trainer *t = s->trainer;
    size_t at = ig_rank_before(s, s->at);
    size_t left = ig_rank_before(s, s->count) - s->expected;

    if (t->options.order != IG_ORDER_BLOCKS)
        return;
    if (s->list == t->order.pair && at >= s->expected) {
        ig_pair_order_expect(&t->order, s->expected);
        s->expected += GROUP;
    } else if (s->list != t->order.pair && at + AHEAD / 2 >= s->expected) {
        left = left < AHEAD ? left : AHEAD;
        ig_pair_order_expect_list(&t->order, s->list + s->expected, left);
        s->expected += left;
    }
}

/* Before each batch and after the last: other work, and whether to go on. */
static void next_batch(ig_pass *s)
{
    size_t left = s->count - s->at;

    s->stop = s->diverged;
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
    open_batch(s);
    s->trainer->steps += s->train;
}

/* After each batch: what it came to, over all ranks. */
static void close_batch(ig_pass *s, double loss, double value[IG_PLAN_TERMS])
{
    ig_trainer *t = s->trainer;
    double size = (double)t->batch.whole;

    ig_rank_close(t, &loss, value);
    s->diverged = !isfinite(loss);
    s->loss += loss * size;
    for (size_t i = 0; i < t->plan.terms; i++)
        s->value[i] += value[i] * size;
    s->done += t->batch.whole;
    s->at += s->window;
    if (s->train)
        atomic_fetch_add(&t->progress, 1);
}

static void run_batches(ig_pass *s)
{
    const ig_trainer *t = s->trainer;
    double value[IG_PLAN_TERMS];

    for (next_batch(s); !s->stop; next_batch(s)) {
        double loss = forward_batch(s, value);

        s->gathered = 0;
        if (s->train && isfinite(loss))
            backward_batch(s, !t->team);
        if (s->train && t->team)
            ig_rank_step(s, isfinite(loss));
        close_batch(s, loss, value);
    }
}

void ig_pass_begin(ig_trainer *t, const uint32_t *list, size_t count, bool train,
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
                   ig_rank_stream(t, stream + IG_STREAMS * (uint64_t)epoch));
    t->batch.epoch = epoch ? epoch : 1;
}

ig_status ig_pass_run(ig_trainer *t, ig_between *between, void *context)
{
    ig_pass *s = &t->pass;
    double start = ig_clock_now();

    s->between = between;
    s->context = context;
    if (t->options.order == IG_ORDER_BLOCKS)
        ig_set_scattered(t->set, true);
    s->stop = s->interrupted = s->ended = false;
    run_batches(s);
    if (t->options.order == IG_ORDER_BLOCKS)
        ig_set_scattered(t->set, false);
    s->seconds += ig_clock_now() - start;
    return s->diverged ? IG_DIVERGED : s->interrupted ? IG_INTERRUPTED : IG_OK;
}

/* --- one batch by itself ---------------------------------------------------------- */

double ig_trainer_evaluate(ig_trainer *t, const uint32_t *list, size_t n,
                           float *gradient, double *value)
{
    ig_pass pass = {
        .trainer = t, .list = list, .count = n, .train = true, .next_partner = true};
    double values[IG_PLAN_TERMS], loss;
    size_t epoch = t->batch.epoch; /* of the pass that may be under way */

    t->pass.gathered = 0;
    t->batch.epoch = SIZE_MAX;
    open_batch(&pass);
    loss = forward_batch(&pass, values);
    if (gradient)
        backward_batch(&pass, false);
    t->batch.epoch = epoch;
    memcpy(value, values, t->plan.terms * sizeof *value);
    if (gradient)
        memcpy(gradient, t->gradient, t->now.size * sizeof *gradient);
    return loss;
}
