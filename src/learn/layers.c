/* The layers of an extractor in training. Legend: B pairs of a batch. */
#include "learn/layers.h"

#include <math.h>
#include <string.h>

#include "linear/blas.h"

void ig_layers_adam(ig_trainer *t, size_t offset, size_t n)
{
    const ig_train_options *o = &t->options;
    double step = (double)t->steps;

    t->batch.kernels->adam(t->now.weights + offset, t->first + offset,
                           t->second + offset, t->gradient + offset, n, (float)o->lr,
                           0.9f, 0.999f, 1e-8f, (float)(1 - pow(0.9, step)),
                           (float)(1 - pow(0.999, step)),
                           (float)(o->lr * o->weight_decay));
}

/* A layer: its weights (out, in) and biases (out) in the block, ∂ by its outputs
 * (2B, out) and its inputs (2B, in). */
struct layer {
    ig_trainer *trainer;
    size_t weight, bias, out, in;
    const float *g, *x;
    bool step; /* of Adam, too */
};

/* ∂/∂W = Gᵀ X and ∂/∂b = Σ rows of G, for outputs first … last−1 of a layer.
 * 4·B·in flops an output. */
static void layer_gradient(const struct layer *l, size_t first, size_t last)
{
    enum { CHUNK = 64 };
    ig_trainer *t = l->trainer;
    size_t rows = ig_batch_rows(&t->batch);
    const float *v[CHUNK];
    float ones[CHUNK];

    if (rows == 0) { /* a rank without a pair of this batch */
        memset(t->gradient + l->weight + first * l->in, 0,
               (last - first) * l->in * sizeof *t->gradient);
        memset(t->gradient + l->bias + first, 0, (last - first) * sizeof *t->gradient);
        return;
    }
    ig_gemm_rows(true, false, 1, ig_matrix_of((float *)l->g, rows, l->out),
                 ig_matrix_of((float *)l->x, rows, l->in), 0,
                 ig_matrix_of(t->gradient + l->weight, l->out, l->in), first, last);
    for (size_t i = 0; i < CHUNK; i++)
        ones[i] = 1;
    for (size_t at = 0; at < rows; at += CHUNK) {
        size_t n = rows - at < CHUNK ? rows - at : CHUNK;

        for (size_t i = 0; i < n; i++)
            v[i] = l->g + (at + i) * l->out + first;
        t->batch.kernels->combine(v, ones, n, last - first, at > 0,
                                  t->gradient + l->bias + first);
    }
}

static void layer_piece(void *context, size_t member, size_t first, size_t last)
{
    const struct layer *l = context;

    (void)member;
    layer_gradient(l, first, last);
    if (!l->step)
        return;
    ig_layers_adam(l->trainer, l->weight + first * l->in, (last - first) * l->in);
    ig_layers_adam(l->trainer, l->bias + first, last - first);
}

static void step_layer(struct layer l)
{
    ig_pool_hand_out(l.trainer->pool, l.out, IG_GEMM_ROWS, layer_piece, &l);
}

void ig_layers_forward_head(ig_trainer *t, size_t first, size_t last)
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

/* Its parameters stand last in the block. */
void ig_layers_step_classifier(ig_trainer *t)
{
    size_t at = (size_t)t->now.classifier;

    ig_layers_adam(t, at, t->now.size - at);
}

/* With all terms that use it struck out it stands still: its momentum would carry it on
 * without a reason. */
bool ig_layers_use_classifier(const ig_trainer *t, int how)
{
    for (size_t i = 0; i < t->plan.terms; i++)
        if (t->plan.term[i].on && (int)t->plan.term[i].term->kind->classifier == how)
            return true;
    return false;
}

/* Back through the unit scale, o = f u: ∂/∂o = (∂/∂u − u <u,∂/∂u>) / |o|. */
void ig_layers_backward_head(ig_trainer *t, size_t first, size_t last)
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

void ig_layers_step(ig_trainer *t, bool step)
{
    ig_batch *b = &t->batch;
    size_t d = b->dims, w = b->width, h = b->hidden, out = w * b->outputs;

    if (t->now.kind == IG_HEAD) {
        step_layer((struct layer){.trainer = t,
                                  .bias = h * d + w * h,
                                  .out = h,
                                  .in = d,
                                  .g = b->layer_g,
                                  .x = b->e,
                                  .step = step});
        step_layer((struct layer){.trainer = t,
                                  .weight = h * d,
                                  .bias = h * d + w * h + h,
                                  .out = w,
                                  .in = h,
                                  .g = b->g,
                                  .x = b->layer,
                                  .step = step});
    } else {
        step_layer((struct layer){.trainer = t,
                                  .bias = out * d,
                                  .out = out,
                                  .in = d,
                                  .g = b->g,
                                  .x = b->e,
                                  .step = step});
    }
    if (step && ig_layers_use_classifier(t, IG_TRAINS_CLASSIFIER))
        ig_layers_step_classifier(t);
}
