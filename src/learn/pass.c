/* A pass over pairs, batch by batch. */
#include "learn/pass.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "data/set.h"
#include "learn/group.h"
#include "learn/layers.h"
#include "linear/blas.h"
#include "linear/rows.h"

/* --- a batch ---------------------------------------------------------------------- *
 * With a team each process takes a share of every batch. Partners are drawn from the
 * whole batch: those that are other processes' rows are read here, too (ghosts). */

size_t ig_pass_most(const ig_trainer *t)
{
    size_t ranks = ig_team_ranks(t->team);

    return (t->largest + ranks - 1) / ranks;
}

/* Draw partners; returns how many rows of the whole batch are their own. */
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
    alone = ig_partner_draw_share(&t->partners, b, t->lang, s->from - s->at, random,
                                  t->ghost);
    for (size_t i = 0; i < b->ghosts[0] + b->ghosts[1]; i++)
        b->meaning[b->size + i] =
            t->pairs->group[s->list[s->at + t->ghost[i] % b->whole]];
    return alone;
}

/* Set up the batch that begins at pass->at. */
static void open_batch(ig_pass *s)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t full = s->train || !s->short_last ? t->batch_size : t->largest, last;

    b->whole = s->count - s->at < full ? s->count - s->at : full;
    ig_team_share(t->team, ig_team_rank(t->team), b->whole, 1, &s->from, &last);
    b->size = last - s->from;
    s->from += s->at;
    for (size_t i = 0; i < b->size; i++) {
        uint32_t pair = s->list[s->from + i];

        b->meaning[i] = t->pairs->group[pair];
        b->lang[i] = t->set->lang[t->pairs->left[pair]];
        b->lang[b->size + i] = t->set->lang[t->pairs->right[pair]];
    }
    if (t->now.classifier >= 0)
        memset(b->classifier_gradient, 0,
               (t->now.size - (size_t)t->now.classifier) * sizeof *t->gradient);
    s->alone += draw_partners(s);
}

/* Read stacked rows first … last−1 from the set. */
static void read_rows(const ig_pass *s, size_t first, size_t last)
{
    enum { TOGETHER = 256 };
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    uint32_t row[TOGETHER];

    for (size_t at = first, n; at < last; at += n) {
        float *e = b->e + at * b->dims;

        n = last - at < TOGETHER ? last - at : TOGETHER;
        for (size_t i = 0; i < n; i++) {
            size_t r = at + i, side = r >= b->size, of = s->from + r - side * b->size;

            if (r >= 2 * b->size) {
                r = t->ghost[r - 2 * b->size];
                side = r >= b->whole;
                of = s->at + r - side * b->whole;
            }
            row[i] = (side ? t->pairs->right : t->pairs->left)[s->list[of]];
        }
        ig_set_gather(t->set, row, n, e, b->dims);
        if (t->options.normalize)
            ig_rows_unit(e, b->dims, e, b->dims, n, b->dims);
    }
}

/* MEAT's first half of a batch: the discriminator learns, the extractor stands still.
 * Its outputs are then the same, so that they need no second forward pass. [meat] */
static void step_discriminator(ig_trainer *t)
{
    size_t at = (size_t)t->now.classifier;

    ig_group_discriminate(&t->batch, t->pool);
    ig_team_sum_floats(t->team, t->gradient + at, t->now.size - at);
    ig_layers_step_classifier(t);
    memset(t->gradient + at, 0, (t->now.size - at) * sizeof *t->gradient);
}

/* Rows and their outputs. */
static void forward_piece(void *context, size_t member, size_t first, size_t last)
{
    ig_pass *s = context;
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t out = b->width * b->outputs;

    (void)member;
    read_rows(s, first, last);
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
    size_t at = s->at, left = s->count - s->expected;

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

/* Before each batch and after the last: other work, and whether to go on. With a team
 * the wish to stop is summed with the batch, and obeyed by all after it. */
static void next_batch(ig_pass *s)
{
    size_t left = s->count - s->at;

    s->stop = s->diverged || s->interrupted;
    if (s->stop)
        return;
    /* After the last batch too: what was read for it may not count. */
    if (s->between) {
        double since = ig_clock_now();

        s->wish = s->between(s->context);
        s->interrupted = s->stop = s->wish && !s->trainer->team;
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

/* After each batch. */
static void close_batch(ig_pass *s, double loss, const double value[IG_PLAN_TERMS])
{
    ig_trainer *t = s->trainer;
    double size = (double)t->batch.whole;

    s->diverged = !isfinite(loss);
    s->loss += loss * size;
    for (size_t i = 0; i < t->plan.terms; i++)
        s->value[i] += value[i] * size;
    s->done += t->batch.whole;
    s->at += t->batch.whole;
    if (s->train)
        atomic_fetch_add(&t->progress, 1);
}

/* --- a batch of several processes ------------------------------------------------- */

/* Two floats with the sum of a double, and back. */
static void split_double(double x, float out[2])
{
    out[0] = (float)x;
    out[1] = (float)(x - (double)out[0]);
}

/* One sum over the processes: the gradient, the loss, the values and the wish to stop,
 * which follow it in its block (IG_PASS_TAIL). */
static void sum_step(ig_pass *s, double *loss, double value[IG_PLAN_TERMS])
{
    ig_trainer *t = s->trainer;
    float *tail = t->gradient + t->now.size;
    size_t terms = t->plan.terms;

    split_double(*loss, tail);
    for (size_t i = 0; i < terms; i++)
        split_double(value[i], tail + 2 + 2 * i);
    tail[2 + 2 * terms] = s->wish;
    ig_team_sum_floats(t->team, t->gradient, t->now.size + 3 + 2 * terms);
    *loss = (double)tail[0] + (double)tail[1];
    for (size_t i = 0; i < terms; i++)
        value[i] = (double)tail[2 + 2 * i] + (double)tail[3 + 2 * i];
    s->interrupted = tail[2 + 2 * terms] > 0;
}

/* The same of a batch that is only measured. */
static void sum_values(ig_pass *s, double *loss, double value[IG_PLAN_TERMS])
{
    double all[2 + IG_PLAN_TERMS] = {*loss, s->wish};
    size_t terms = s->trainer->plan.terms;

    memcpy(all + 2, value, terms * sizeof *value);
    ig_team_sum(s->trainer->team, all, 2 + terms);
    *loss = all[0];
    s->interrupted = all[1] > 0;
    memcpy(value, all + 2, terms * sizeof *value);
}

static void adam_piece(void *context, size_t member, size_t first, size_t last)
{
    (void)member;
    ig_layers_adam(context, first, last - first);
}

/* Each process has its part of the gradient: the step by all of it. */
static void step_together(ig_pass *s, double *loss, double value[IG_PLAN_TERMS])
{
    ig_trainer *t = s->trainer;
    size_t n = t->now.size;

    if (t->now.classifier >= 0 && !ig_layers_use_classifier(t, IG_TRAINS_CLASSIFIER))
        n = (size_t)t->now.classifier;
    sum_step(s, loss, value);
    if (isfinite(*loss))
        ig_pool_hand_out(t->pool, n, 1024, adam_piece, t);
}

static void run_batches(ig_pass *s)
{
    const ig_trainer *t = s->trainer;
    double value[IG_PLAN_TERMS];

    for (next_batch(s); !s->stop; next_batch(s)) {
        double loss = forward_batch(s, value);

        if (s->train && (isfinite(loss) || t->team))
            backward_batch(s, !t->team);
        if (s->train && t->team)
            step_together(s, &loss, value);
        else if (t->team)
            sum_values(s, &loss, value);
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
                   stream + IG_STREAMS * (uint64_t)epoch);
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
