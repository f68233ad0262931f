/* A pass over pairs, batch by batch. Legend: B pairs, d dims, o outputs. */
#include "learn/sweep.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "learn/group.h"
#include "learn/head.h"
#include "linear/blas.h"

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

        b->meaning[i] = t->pairs->group[pair];
        b->lang[i] = t->set->lang[t->pairs->left[pair]];
        b->lang[b->size + i] = t->set->lang[t->pairs->right[pair]];
    }
    if (t->now.classifier >= 0)
        memset(b->classifier_gradient, 0,
               (t->now.size - (size_t)t->now.classifier) * sizeof *t->gradient);
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

/* ∂/∂W = Gᵀ X and ∂/∂b = Σ rows of G, for the member's outputs, and their Adam step.
 *   g (2B, out)   x (2B, in).   4·B·in flops an output. */
static void step_layer(ig_trainer *t, struct layer l, const float *g, const float *x,
                       size_t member, size_t members, bool step)
{
    enum { CHUNK = 64 };
    size_t rows = 2 * t->batch.size, first, last;
    const float *v[CHUNK];
    float ones[CHUNK];

    ig_pool_slice(l.out, ROW_GRAIN, member, members, &first, &last);
    if (first == last)
        return;
    ig_gemm(true, false, 1, (ig_matrix){(float *)g + first, rows, last - first, l.out},
            ig_matrix_of((float *)x, rows, l.in), 0,
            ig_matrix_of(t->gradient + l.weight + first * l.in, last - first, l.in));
    for (size_t i = 0; i < CHUNK; i++)
        ones[i] = 1;
    for (size_t at = 0; at < rows; at += CHUNK) {
        size_t n = rows - at < CHUNK ? rows - at : CHUNK;

        for (size_t i = 0; i < n; i++)
            v[i] = g + (at + i) * l.out + first;
        t->batch.kernels->combine(v, ones, n, last - first, at > 0,
                                  t->gradient + l.bias + first);
    }
    if (!step)
        return;
    adam_slice(t, l.weight + first * l.in, (last - first) * l.in);
    adam_slice(t, l.bias + first, last - first);
}

/* --- forward -----------------------------------------------------------------------
 * */

/* The head on the member's rows, scaled to length 1. */
static void forward_head(ig_trainer *t, size_t first, size_t last)
{
    ig_batch *b = &t->batch;
    size_t n = last - first, w = b->width;
    ig_matrix h = ig_matrix_of(b->h + first * w, n, w);

    if (n == 0)
        return;
    ig_extractor_head(&t->now, ig_matrix_of(b->e + first * b->dims, n, b->dims),
                      ig_matrix_of(b->layer + first * b->hidden, n, b->hidden), h);
    for (size_t i = 0; i < n; i++)
        b->inverse[first + i] =
            (float)(1 /
                    sqrt(b->kernels->unit(ig_matrix_row(h, i), w, ig_matrix_row(h, i)) +
                         IG_COS_EPS));
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

/* MEAT's first half of a batch: the discriminator learns, the extractor stands still.
 * Its outputs are then the same, so that they need no second forward pass. [meat] */
static void step_discriminator(ig_trainer *t, size_t member, size_t members)
{
    size_t at = (size_t)t->now.classifier;

    ig_group_discriminate(&t->batch, t->pool, member, members);
    step_classifier(t, member);
    if (member == 0)
        memset(t->gradient + at, 0, (t->now.size - at) * sizeof *t->gradient);
    ig_pool_barrier(t->pool);
}

/* Steps of one batch up to its loss, which every member learns. */
static double forward_batch(ig_sweep *s, size_t member, size_t members,
                            double value[IG_PLAN_TERMS])
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t out = b->width * b->outputs;
    size_t first, last;

    ig_pool_slice(2 * b->size, ROW_GRAIN, member, members, &first, &last);
    gather(s, first, last);
    if (t->now.kind == IG_HEAD)
        forward_head(t, first, last);
    else
        ig_batch_forward(b, t->now.weights, t->now.weights + out * b->dims, first,
                         last);
    ig_pool_barrier(t->pool);
    if (s->train && s->step && uses_classifier(t, IG_FOOLS_CLASSIFIER))
        step_discriminator(t, member, members);
    ig_pool_slice(b->size, 1, member, members, &first, &last);
    ig_batch_values(b, s->train, member, first, last);
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
    size_t n = last - first, w = b->width, h = b->hidden;
    const float *w2 = t->now.weights + h * b->dims;

    if (n == 0)
        return;
    for (size_t i = first; i < last; i++) {
        const float *v[2] = {b->g + i * w, b->h + i * w};
        float f = b->inverse[i];
        float c[2] = {f, -f * (float)b->kernels->dot(v[0], v[1], w)};

        b->kernels->combine(v, c, 2, w, 0, b->g + i * w);
    }
    ig_gemm(false, false, 1, ig_matrix_of(b->g + first * w, n, w),
            ig_matrix_of((float *)w2, w, h), 0,
            ig_matrix_of(b->layer_g + first * h, n, h));
    b->kernels->gate(b->layer + first * h, n * h, b->layer_g + first * h);
}

static void backward_batch(ig_trainer *t, size_t member, size_t members, bool step)
{
    ig_batch *b = &t->batch;
    size_t d = b->dims, w = b->width, h = b->hidden, out = w * b->outputs;
    size_t first, last;

    ig_pool_slice(2 * b->size, ROW_GRAIN, member, members, &first, &last);
    ig_batch_gradient(b, first, last);
    if (t->now.kind == IG_HEAD)
        backward_head(t, first, last);
    ig_pool_barrier(t->pool);
    if (t->now.kind == IG_HEAD) {
        struct layer one = {0, h * d + w * h, h, d};
        struct layer two = {h * d, h * d + w * h + h, w, h};

        step_layer(t, one, b->layer_g, b->e, member, members, step);
        step_layer(t, two, b->g, b->layer, member, members, step);
    } else {
        struct layer one = {0, out * d, out, d};

        step_layer(t, one, b->g, b->e, member, members, step);
    }
    if (step && uses_classifier(t, IG_TRAINS_CLASSIFIER))
        step_classifier(t, member);
}

/* --- a pass over pairs ------------------------------------------------------------ */

/* Member 0, before each batch and after the last: other work, and whether to go on. */
static void next_batch(ig_sweep *s)
{
    size_t left = s->count - s->at;

    s->stop = s->diverged;
    /* After the last batch too: what was read for it may not count. */
    if (s->between && !s->stop) {
        double since = ig_clock_now();

        s->stop = s->interrupted = s->between(s->context);
        s->seconds -= ig_clock_now() - since;
    }
    if (left == 0 || (!s->short_last && left < s->trainer->batch_size))
        s->stop = true;
    if (s->stop)
        return;
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
                          .step = train,
                          .short_last = short_last,
                          .next_partner = t->options.partner == IG_PARTNER_NEXT};
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

    size_t epoch = t->batch.epoch; /* of the sweep that may be under way */

    v.sweep = (ig_sweep){
        .trainer = t, .list = list, .count = n, .train = true, .next_partner = true};
    t->batch.epoch = SIZE_MAX;
    ig_pool_run(t->pool, run_evaluation, &v);
    t->batch.epoch = epoch;
    if (gradient)
        memcpy(gradient, t->gradient, t->now.size * sizeof *gradient);
    return v.loss;
}
