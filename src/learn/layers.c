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
        ig_layers_adam(t, l.weight + first * l.in, (last - first) * l.in);
        ig_layers_adam(t, l.bias + first, last - first);
    }
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
void ig_layers_step_classifier(ig_trainer *t, size_t member)
{
    size_t at = (size_t)t->now.classifier;

    if (member == 0)
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

void ig_layers_step(ig_pass *s, size_t member, bool step)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    size_t d = b->dims, w = b->width, h = b->hidden, out = w * b->outputs;

    if (t->now.kind == IG_HEAD) {
        struct layer one = {0, h * d + w * h, h, d};
        struct layer two = {h * d, h * d + w * h + h, w, h};

        step_layer(s, IG_STEP_LAYER, one, b->layer_g, b->e, step);
        step_layer(s, IG_STEP_SECOND, two, b->g, b->layer, step);
    } else {
        struct layer one = {0, out * d, out, d};

        step_layer(s, IG_STEP_LAYER, one, b->g, b->e, step);
    }
    if (step && ig_layers_use_classifier(t, IG_TRAINS_CLASSIFIER))
        ig_layers_step_classifier(t, member);
}
