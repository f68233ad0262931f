/* A pass over pairs, batch by batch. Legend: B pairs, d dims, o outputs. */
#include "learn/sweep.h"

#include <math.h>
#include <string.h>

#include "isogloss/base/clock.h"
#include "isogloss/linear/blas.h"

enum { ROW_GRAIN = 16 };

/* Member 0 sets up the batch that begins at sweep->at. */
static void open_batch(ig_sweep *s)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t left = s->count - s->at;
    size_t full = s->train || !s->short_last ? t->batch_size : b->capacity;

    b->size = left < full ? left : full;
    for (size_t i = 0; i < b->size; i++) {
        uint32_t pair = s->list[s->at + i];

        b->lang[i] = t->set->lang[t->pairs->left[pair]];
        b->lang[b->size + i] = t->set->lang[t->pairs->right[pair]];
    }
    s->alone += ig_partner_draw(&t->partners, b, s->next_partner ? NULL : &s->random);
}

static void gather(ig_sweep *s, size_t first, size_t last)
{
    enum { CHUNK = 256 };
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    uint32_t row[CHUNK];

    for (size_t at = first; at < last; at += CHUNK) {
        size_t n = last - at < CHUNK ? last - at : CHUNK;

        for (size_t i = 0; i < n; i++) {
            size_t r = at + i;
            bool right = r >= b->size;
            uint32_t pair = s->list[s->at + (right ? r - b->size : r)];

            row[i] = right ? t->pairs->right[pair] : t->pairs->left[pair];
        }
        ig_set_gather(t->set, row, n, b->e + at * b->dims, b->dims);
        if (t->options.normalize)
            ig_rows_unit(b->e + at * b->dims, b->dims, b->e + at * b->dims, b->dims, n,
                         b->dims);
    }
}

/* ∂/∂W = Gᵀ E and ∂/∂b = Σ rows of G, for outputs first … last−1. 4·B·d flops each. */
static void weight_gradient(ig_trainer *t, size_t first, size_t last)
{
    enum { CHUNK = 64 };
    ig_batch *b = &t->batch;
    size_t d = b->dims, out = d * b->outputs, rows = 2 * b->size;
    ig_matrix g = {b->g + first, rows, last - first, out};
    float *bias = t->gradient + out * d + first;
    const float *v[CHUNK];
    float ones[CHUNK];

    if (first == last)
        return;
    ig_gemm(true, false, 1, g, ig_matrix_of(b->e, rows, d), 0,
            ig_matrix_of(t->gradient + first * d, last - first, d));
    for (size_t i = 0; i < CHUNK; i++)
        ones[i] = 1;
    for (size_t at = 0; at < rows; at += CHUNK) {
        size_t n = rows - at < CHUNK ? rows - at : CHUNK;

        for (size_t i = 0; i < n; i++)
            v[i] = b->g + (at + i) * out + first;
        b->kernels->combine(v, ones, n, last - first, at > 0, bias);
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

/* Steps of one batch up to its loss, which every member learns. */
static double forward_batch(ig_sweep *s, size_t member, size_t members,
                            double value[IG_PLAN_TERMS])
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t out = b->dims * b->outputs;
    size_t first, last;

    ig_pool_slice(2 * b->size, ROW_GRAIN, member, members, &first, &last);
    gather(s, first, last);
    ig_batch_forward(b, t->now.weights, t->now.weights + out * b->dims, first, last);
    ig_pool_barrier(t->pool);
    ig_pool_slice(b->size, 1, member, members, &first, &last);
    ig_batch_values(b, s->train, member, first, last);
    ig_pool_barrier(t->pool);
    if (t->plan.shared) {
        size_t from, to;

        ig_pool_slice(b->dims, ROW_GRAIN, member, members, &from, &to);
        ig_batch_shared_sum(b, from, to);
        ig_pool_barrier(t->pool);
        if (s->train) {
            ig_batch_shared_slopes(b, first, last);
            ig_pool_barrier(t->pool);
        }
    }
    return ig_batch_loss(b, value);
}

static void backward_batch(ig_trainer *t, size_t member, size_t members, bool step)
{
    ig_batch *b = &t->batch;
    size_t out = b->dims * b->outputs;
    size_t first, last;

    ig_pool_slice(2 * b->size, ROW_GRAIN, member, members, &first, &last);
    ig_batch_gradient(b, first, last);
    ig_pool_barrier(t->pool);
    ig_pool_slice(out, ROW_GRAIN, member, members, &first, &last);
    weight_gradient(t, first, last);
    if (step) {
        adam_slice(t, first * b->dims, (last - first) * b->dims);
        adam_slice(t, out * b->dims + first, last - first);
    }
}

/* --- a pass over pairs ------------------------------------------------------------ */

/* Member 0, before each batch: other work, and whether to go on. */
static void next_batch(ig_sweep *s)
{
    size_t left = s->count - s->at;

    if (s->diverged || left == 0 || (!s->short_last && left < s->trainer->batch_size)) {
        s->stop = true;
        return;
    }
    if (s->between) {
        double since = ig_clock_now();

        s->stop = s->interrupted = s->between(s->context);
        s->seconds -= ig_clock_now() - since;
        if (s->stop)
            return;
    }
    open_batch(s);
    s->trainer->steps += s->train;
}

static void run_sweep(void *context, size_t member, size_t members)
{
    ig_sweep *s = context;
    ig_trainer *t = s->trainer;
    double value[IG_PLAN_TERMS];

    for (;;) {
        double loss;

        if (member == 0)
            next_batch(s);
        ig_pool_barrier(t->pool);
        if (s->stop)
            return;
        loss = forward_batch(s, member, members, value);
        if (s->train && isfinite(loss))
            backward_batch(t, member, members, true);
        ig_pool_barrier(t->pool);
        if (member)
            continue;
        s->diverged = !isfinite(loss);
        s->loss += loss * (double)t->batch.size;
        for (size_t i = 0; i < t->plan.terms; i++)
            s->value[i] += value[i] * (double)t->batch.size;
        s->done += t->batch.size;
        s->at += t->batch.size;
        if (s->train)
            atomic_fetch_add(&t->progress, 1);
    }
}

void ig_sweep_begin(ig_trainer *t, const uint32_t *list, size_t count, bool train,
                    bool short_last, uint64_t stream)
{
    size_t epoch = t->epoch.epoch;

    t->sweep = (ig_sweep){.trainer = t,
                          .list = list,
                          .count = count,
                          .train = train,
                          .short_last = short_last,
                          .next_partner = t->options.next_partner};
    ig_random_init(&t->sweep.random, t->options.seed,
                   stream + IG_STREAMS * (uint64_t)epoch);
    t->batch.epoch = epoch ? epoch : 1;
}

ig_status ig_sweep_run(ig_trainer *t, ig_between *between, void *context)
{
    ig_sweep *s = &t->sweep;
    double start = ig_clock_now();

    s->between = between;
    s->context = context;
    s->stop = s->interrupted = false;
    ig_pool_run(t->pool, run_sweep, s);
    s->seconds += ig_clock_now() - start;
    return s->diverged ? IG_DIVERGED : s->interrupted ? IG_INTERRUPTED : IG_OK;
}

/* --- one batch by itself ---------------------------------------------------------- */

struct evaluation {
    ig_sweep sweep;
    double loss;
    double *value;
    bool gradients;
};

static void run_evaluation(void *context, size_t member, size_t members)
{
    struct evaluation *v = context;
    ig_trainer *t = v->sweep.trainer;
    double value[IG_PLAN_TERMS];
    double loss;

    if (member == 0)
        open_batch(&v->sweep);
    ig_pool_barrier(t->pool);
    loss = forward_batch(&v->sweep, member, members, value);
    if (v->gradients)
        backward_batch(t, member, members, false);
    if (member)
        return;
    v->loss = loss;
    memcpy(v->value, value, t->plan.terms * sizeof *value);
}

double ig_trainer_evaluate(ig_trainer *t, const uint32_t *list, size_t n,
                           float *gradient, double *value)
{
    struct evaluation v = {.value = value, .gradients = gradient != NULL};

    v.sweep = (ig_sweep){
        .trainer = t, .list = list, .count = n, .train = true, .next_partner = true};
    t->batch.epoch = SIZE_MAX;
    ig_pool_run(t->pool, run_evaluation, &v);
    if (gradient)
        memcpy(gradient, t->gradient, t->now.size * sizeof *gradient);
    return v.loss;
}
