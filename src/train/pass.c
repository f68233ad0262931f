/* A pass over pairs, batch by batch: rows, partners, layers, Adam.
 *
 * With several processes each computes a share of every batch. Partners are drawn from
 * the whole batch; partner rows of other processes (ghosts) are read locally. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"
#include "core/clock.h"
#include "core/rows.h"
#include "data/dataset.h"
#include "train/trainer_state.h"

/* --- partners: another row of the same side and language (METHODS.md §1) ---------- */

static size_t get_language(const void *lang, size_t i)
{
    return ((const uint16_t *)lang)[i];
}

/* Draw partners for n rows of a side of the whole batch, starting at `base`. Returns
 * the number of rows that are their offset partner. O(n + languages). */
static size_t draw_side(ig_pass *s, size_t base, size_t n)
{
    ig_trainer *t = s->trainer;
    const uint16_t *lang = t->lang + base;
    size_t alone = 0;

    ig_array_order(n, t->set->languages, get_language, lang, t->start, t->row);
    for (size_t i = 0; i < n; i++)
        t->place[t->row[i]] = (uint32_t)i;
    for (size_t i = 0; i < n; i++) {
        size_t first = t->start[lang[i]];
        size_t count = t->start[lang[i] + 1] - first;
        size_t place = t->place[i] - first;

        if (count == 1)
            alone++;
        else if (s->next_partner)
            place++;
        else
            place += 1 + ig_random_below(&s->random, count - 1);
        t->drawn[base + i] = (uint32_t)(base + t->row[first + place % count]);
    }
    return alone;
}

/* Map the partners of one side to stacked rows; partners outside the share are
 * ghosts. */
static void place_partners(const ig_pass *s, size_t side)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t offset = side * b->size, from = side * b->whole + s->from - s->at;
    bool used = ig_plan_uses_partners(&t->plan, side);

    for (size_t i = 0; i < b->size; i++) {
        size_t p = used ? t->drawn[from + i] : from + i;
        size_t at = p - from; /* wraps around for rows before `from` */

        if (at >= b->size && t->stack[p] == UINT32_MAX) {
            size_t ghosts = b->ghosts[0] + b->ghosts[1];

            t->stack[p] = (uint32_t)(2 * b->size + ghosts);
            t->ghost[ghosts] = (uint32_t)p;
            b->meaning[b->size + ghosts] =
                t->pairs->group[s->list[s->at + p % b->whole]];
            b->ghosts[side]++;
        }
        b->partner[offset + i] = at < b->size ? (uint32_t)(offset + at) : t->stack[p];
    }
}

static size_t get_partner(const void *partner, size_t i)
{
    return ((const uint32_t *)partner)[i];
}

static void draw_partners(ig_pass *s)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t n = b->whole;

    for (size_t i = 0; i < n; i++) {
        uint32_t pair = s->list[s->at + i];

        t->lang[i] = t->set->lang[t->pairs->left[pair]];
        t->lang[n + i] = t->set->lang[t->pairs->right[pair]];
    }
    s->alone += draw_side(s, 0, n);
    s->alone += draw_side(s, n, n);
    memset(t->stack, 0xff, 2 * n * sizeof *t->stack);
    b->ghosts[0] = b->ghosts[1] = 0;
    for (size_t side = 0; side < 2; side++)
        place_partners(s, side);
    ig_array_order(2 * b->size, ig_batch_rows(b), get_partner, b->partner, b->first,
                   b->user);
}

/* --- a batch ---------------------------------------------------------------------- */

static void open_batch(ig_pass *s)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t full = s->train || !s->short_last ? t->batch_size : t->largest, last;

    b->whole = s->count - s->at < full ? s->count - s->at : full;
    ig_comm_share(t->comm, ig_comm_process(t->comm), b->whole, &s->from, &last);
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
    draw_partners(s);
}

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
        ig_dataset_gather(t->set, row, n, e, b->dims);
        if (t->options.normalize)
            ig_rows_unit(e, b->dims, e, b->dims, n, b->dims);
    }
}

/* --- layers ----------------------------------------------------------------------- */

/* Adam step for n parameters from `offset` on. */
static void step_adam(ig_trainer *t, size_t offset, size_t n)
{
    const ig_train_options *o = &t->options;
    double step = (double)t->steps;

    t->batch.kernels->adam(t->now.weights + offset, t->first + offset,
                           t->second + offset, t->gradient + offset, n, (float)o->lr,
                           0.9f, 0.999f, 1e-8f, (float)(1 - pow(0.9, step)),
                           (float)(1 - pow(0.999, step)),
                           (float)(o->lr * o->weight_decay));
}

/* A layer: weights (out, in) and biases (out) in the block, gradients by its outputs
 * (2B, out), and its inputs (2B, in). */
struct layer {
    ig_trainer *trainer;
    size_t weight, bias, out, in;
    const float *g, *x;
    bool step; /* also take an Adam step */
};

/* ∂/∂W = Gᵀ X and ∂/∂b = Σ rows of G, for outputs first … last−1 of a layer.
 * 4·B·in flops per output. */
static void find_gradient(const struct layer *l, size_t first, size_t last)
{
    enum { CHUNK = 64 };
    ig_trainer *t = l->trainer;
    size_t rows = ig_batch_rows(&t->batch);
    float *weight = t->gradient + l->weight, *bias = t->gradient + l->bias;
    const float *v[CHUNK];
    float ones[CHUNK];

    if (rows == 0) { /* a process without pairs */
        memset(weight + first * l->in, 0, (last - first) * l->in * sizeof *weight);
        memset(bias + first, 0, (last - first) * sizeof *bias);
        return;
    }
    ig_gemm_rows(true, false, 1, ig_matrix_of((float *)l->g, rows, l->out),
                 ig_matrix_of((float *)l->x, rows, l->in), 0,
                 ig_matrix_of(weight, l->out, l->in), first, last);
    for (size_t i = 0; i < CHUNK; i++)
        ones[i] = 1;
    for (size_t at = 0; at < rows; at += CHUNK) {
        size_t n = rows - at < CHUNK ? rows - at : CHUNK;

        for (size_t i = 0; i < n; i++)
            v[i] = l->g + (at + i) * l->out + first;
        t->batch.kernels->combine(v, ones, n, last - first, at > 0, bias + first);
    }
}

static void step_outputs(void *context, size_t member, size_t first, size_t last)
{
    const struct layer *l = context;

    (void)member;
    find_gradient(l, first, last);
    if (!l->step)
        return;
    step_adam(l->trainer, l->weight + first * l->in, (last - first) * l->in);
    step_adam(l->trainer, l->bias + first, last - first);
}

static void step_layer(struct layer l)
{
    ig_parallel_for(l.trainer->pool, l.out, IG_GEMM_ROWS, step_outputs, &l);
}

/* Whether an active term uses the classifier in this way (IG_TRAINS_CLASSIFIER, …). If
 * all are disabled, the classifier is frozen: momentum alone would move it. */
static bool uses_classifier(const ig_trainer *t, int how)
{
    for (size_t i = 0; i < t->plan.terms; i++)
        if (t->plan.term[i].on && (int)t->plan.term[i].term->kind->classifier == how)
            return true;
    return false;
}

/* Its parameters are last in the block. */
static void step_classifier(ig_trainer *t)
{
    size_t at = (size_t)t->now.classifier;

    step_adam(t, at, t->now.size - at);
}

/* Gradients of all layers from those of their outputs, and with `step` an Adam step. */
static void step_layers(ig_trainer *t, bool step)
{
    ig_batch *b = &t->batch;
    size_t d = b->dims, w = b->width, h = b->hidden, out = w * b->outputs;

    if (t->now.kind == IG_HEAD) {
        step_layer((struct layer){t, 0, h * d + w * h, h, d, b->layer_g, b->e, step});
        step_layer(
            (struct layer){t, h * d, h * d + w * h + h, w, h, b->g, b->layer, step});
    } else {
        step_layer((struct layer){t, 0, out * d, out, d, b->g, b->e, step});
    }
    if (step && uses_classifier(t, IG_TRAINS_CLASSIFIER))
        step_classifier(t);
}

/* Outputs of the head for stacked rows first … last−1, scaled to unit norm. */
static void forward_head(ig_trainer *t, size_t first, size_t last)
{
    ig_batch *b = &t->batch;
    size_t w = b->width, n = last - first;

    if (n == 0)
        return;
    ig_extractor_head(&t->now, ig_matrix_of(b->e + first * b->dims, n, b->dims),
                      ig_matrix_of(b->layer + first * b->hidden, n, b->hidden),
                      ig_matrix_of(b->h + first * w, n, w));
    for (size_t i = first; i < last; i++) {
        float *row = b->h + i * w;

        b->inverse[i] = (float)(1 / sqrt(b->kernels->unit(row, w, row) + IG_COS_EPS));
    }
}

/* Backward through the normalisation, o = f u: ∂/∂o = (∂/∂u − u <u,∂/∂u>) / |o|, then
 * the second layer and max(0, ·). */
static void backward_head(ig_trainer *t, size_t first, size_t last)
{
    ig_batch *b = &t->batch;
    size_t rows = ig_batch_rows(b), w = b->width, h = b->hidden;
    float *w2 = t->now.weights + h * b->dims;

    for (size_t i = first; i < last; i++) {
        const float *v[2] = {b->g + i * w, b->h + i * w};
        float f = b->inverse[i];
        float c[2] = {f, -f * (float)b->kernels->dot(v[0], v[1], w)};

        b->kernels->combine(v, c, 2, w, 0, b->g + i * w);
    }
    ig_gemm_rows(false, false, 1, ig_matrix_of(b->g, rows, w), ig_matrix_of(w2, w, h),
                 0, ig_matrix_of(b->layer_g, rows, h), first, last);
    for (size_t i = first * h; i < last * h; i++)
        b->layer_g[i] = b->layer[i] > 0 ? b->layer_g[i] : 0;
}

/* --- forward and backward --------------------------------------------------------- */

/* MEAT's first half of a batch: the discriminator learns, the extractor is frozen, so
 * its outputs are reused without a second forward pass. [meat] */
static void step_discriminator(ig_trainer *t)
{
    size_t at = (size_t)t->now.classifier;

    ig_batch_discriminate(&t->batch, t->pool);
    ig_comm_sum_floats(t->comm, t->gradient + at, t->now.size - at);
    step_classifier(t);
    memset(t->gradient + at, 0, (t->now.size - at) * sizeof *t->gradient);
}

static void forward_rows(void *context, size_t member, size_t first, size_t last)
{
    ig_pass *s = context;
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t out = b->width * b->outputs;

    (void)member;
    read_rows(s, first, last);
    if (t->now.kind == IG_HEAD)
        forward_head(t, first, last);
    else
        ig_batch_forward(b, t->now.weights, t->now.weights + out * b->dims, first,
                         last);
}

static void find_values(void *context, size_t member, size_t first, size_t last)
{
    const ig_pass *s = context;

    (void)member;
    ig_batch_values(&s->trainer->batch, s->train, first, last);
}

static double forward_batch(ig_pass *s, double value[IG_PLAN_TERMS])
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;

    ig_parallel_for(t->pool, ig_batch_rows(b), IG_GEMM_ROWS, forward_rows, s);
    if (s->step && uses_classifier(t, IG_FOOLS_CLASSIFIER))
        step_discriminator(t);
    ig_parallel_for(t->pool, b->size, IG_TERM_ROWS, find_values, s);
    ig_batch_run_terms(b, t->pool, s->train);
    return ig_batch_loss(b, value);
}

static void backward_rows(void *context, size_t member, size_t first, size_t last)
{
    ig_trainer *t = context;

    (void)member;
    ig_batch_gradient(&t->batch, first, last);
    if (t->now.kind == IG_HEAD)
        backward_head(t, first, last);
}

static void backward_batch(ig_trainer *t, bool step)
{
    ig_parallel_for(t->pool, ig_batch_rows(&t->batch), IG_GEMM_ROWS, backward_rows, t);
    step_layers(t, step);
}

/* --- a batch of several processes ------------------------------------------------- */

/* Split a double into two floats whose sum preserves its precision. */
static void split_double(double x, float out[2])
{
    out[0] = (float)x;
    out[1] = (float)(x - (double)out[0]);
}

/* Allreduce the gradient with loss, values and stop request, which follow it in its
 * block (IG_PASS_TAIL). Returns whether any process requested to stop. */
static bool sum_step(ig_trainer *t, bool stop_request, double *loss, double *value)
{
    float *tail = t->gradient + t->now.size;
    size_t terms = t->plan.terms;

    split_double(*loss, tail);
    for (size_t i = 0; i < terms; i++)
        split_double(value[i], tail + 2 + 2 * i);
    tail[2 + 2 * terms] = stop_request;
    ig_comm_sum_floats(t->comm, t->gradient, t->now.size + 3 + 2 * terms);
    *loss = (double)tail[0] + (double)tail[1];
    for (size_t i = 0; i < terms; i++)
        value[i] = (double)tail[2 + 2 * i] + (double)tail[3 + 2 * i];
    return tail[2 + 2 * terms] > 0;
}

/* The same without a gradient. */
static bool sum_values(ig_trainer *t, bool stop_request, double *loss, double *value)
{
    double all[2 + IG_PLAN_TERMS] = {*loss, stop_request};
    size_t terms = t->plan.terms;

    memcpy(all + 2, value, terms * sizeof *value);
    ig_comm_sum(t->comm, all, 2 + terms);
    *loss = all[0];
    memcpy(value, all + 2, terms * sizeof *value);
    return all[1] > 0;
}

static void step_adam_chunk(void *context, size_t member, size_t first, size_t last)
{
    (void)member;
    step_adam(context, first, last - first);
}

static void step_together(ig_trainer *t)
{
    size_t n = t->now.size;

    if (t->now.classifier >= 0 && !uses_classifier(t, IG_TRAINS_CLASSIFIER))
        n = (size_t)t->now.classifier;
    ig_parallel_for(t->pool, n, 1024, step_adam_chunk, t);
}

/* --- the pass --------------------------------------------------------------------- */

/* Train on or evaluate the batch at pass->at. *stop_request: in, whether this process
 * requests to stop; out, whether any does. Returns whether the loss is finite. */
static bool run_batch(ig_pass *s, bool *stop_request)
{
    ig_trainer *t = s->trainer;
    double value[IG_PLAN_TERMS], loss, size;

    open_batch(s);
    size = (double)t->batch.whole;
    t->steps += s->train;
    loss = forward_batch(s, value);
    if (s->train && (isfinite(loss) || t->comm))
        backward_batch(t, !t->comm);
    if (t->comm)
        *stop_request =
            (s->train ? sum_step : sum_values)(t, *stop_request, &loss, value);
    if (t->comm && s->train && isfinite(loss))
        step_together(t);
    s->loss += loss * size;
    for (size_t i = 0; i < t->plan.terms; i++)
        s->value[i] += value[i] * size;
    s->done += t->batch.whole;
    s->at += t->batch.whole;
    if (s->train)
        atomic_fetch_add(&t->progress, 1);
    return isfinite(loss);
}

/* With several processes, stop requests are summed with the batch, and all processes
 * stop after it. */
static ig_status run_batches(ig_pass *s, ig_between *between, void *context)
{
    const ig_trainer *t = s->trainer;
    bool stop_request = false;

    for (;;) {
        size_t left = s->count - s->at;

        /* Also after the last batch, whose data may be invalid. */
        if (between) {
            double since = ig_clock_now();

            stop_request = between(context);
            s->seconds -= ig_clock_now() - since;
        }
        if (stop_request && !t->comm)
            return IG_INTERRUPTED;
        if (left == 0 || (!s->short_last && left < t->batch_size))
            return IG_OK;
        if (!run_batch(s, &stop_request))
            return IG_DIVERGED;
        if (stop_request)
            return IG_INTERRUPTED;
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
    double start = ig_clock_now();
    ig_status status = run_batches(&t->pass, between, context);

    t->pass.seconds += ig_clock_now() - start;
    return status;
}

double ig_trainer_evaluate(ig_trainer *t, const uint32_t *list, size_t n,
                           float *gradient, double *value)
{
    ig_pass pass = {
        .trainer = t, .list = list, .count = n, .train = true, .next_partner = true};
    double values[IG_PLAN_TERMS], loss;
    size_t epoch = t->batch.epoch; /* epoch of a pass in progress */

    t->batch.epoch = SIZE_MAX;
    open_batch(&pass);
    loss = forward_batch(&pass, values);
    if (gradient)
        backward_batch(t, false);
    t->batch.epoch = epoch;
    memcpy(value, values, t->plan.terms * sizeof *value);
    if (gradient)
        memcpy(gradient, t->gradient, t->now.size * sizeof *gradient);
    return loss;
}
