/* Runs the terms of the batch: operands, then each kind's function (batch_terms.c). */
#include "learn/group.h"

#include <string.h>

#include "linear/blas.h"

/* An operand that is made row by row. */
struct making {
    ig_batch *batch;
    const double *c; /* coefficients of the bases */
    ig_matrix out;
};

static void make_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct making *m = context;
    const ig_batch *b = m->batch;
    const float *v[IG_ATOMS], *part[IG_ATOMS];
    float factor[IG_ATOMS];

    (void)member;
    for (size_t i = first; i < last; i++) {
        size_t n = 0;

        ig_batch_locate(b, i, v);
        for (size_t k = 0; k < b->plan->bases; k++)
            if (m->c[k] != 0) {
                part[n] = v[k];
                factor[n++] = (float)m->c[k];
            }
        b->kernels->combine(part, factor, n, b->width, 0, ig_matrix_row(m->out, i));
    }
}

/* The operand as a matrix: the forward pass's own rows where it is just those, else a
 * copy. */
static ig_matrix operand(const ig_group *g, size_t which)
{
    ig_batch *b = g->batch;
    const double *c = g->term->coefficient[which];
    struct making m = {.batch = b,
                       .c = c,
                       .out = ig_matrix_of(b->operand + which * b->capacity * b->width,
                                           b->size, b->width)};
    size_t used = 0, only = 0;

    for (size_t k = 0; k < b->plan->bases; k++)
        if (c[k] != 0) {
            only = k;
            used++;
        }
    if (used == 1 && c[only] == 1 && !(b->plan->base[only] & 1))
        return ig_batch_base(b, only);
    ig_pool_hand_out(g->pool, b->size, IG_BATCH_SUMMED, make_rows, &m);
    return m.out;
}

static ig_group group_of(ig_batch *b, ig_pool *pool, const ig_plan_term *term,
                         bool gradients)
{
    ig_group g = {.batch = b, .pool = pool, .term = term, .gradients = gradients};

    g.a = operand(&g, 0);
    g.da = ig_batch_extra(b, (size_t)term->shared);
    if (term->term->kind->operands > 1) {
        g.b = operand(&g, 1);
        g.db = ig_batch_extra(b, (size_t)term->shared + 1);
    }
    return g;
}

void ig_group_run(ig_batch *b, ig_pool *pool, bool gradients)
{
    for (size_t t = 0; t < b->plan->terms; t++) {
        const ig_plan_term *term = &b->plan->term[t];
        ig_group g;

        if (b->size == 0)
            b->value[t] = 0; /* a rank without a pair of this batch */
        if (term->shared < 0 || !ig_batch_is_on(b, term) || b->size == 0)
            continue;
        g = group_of(b, pool, term, gradients);
        b->value[t] = term->term->kind->batch(&g) * ig_batch_share(b);
    }
}

double ig_group_discriminate(ig_batch *b, ig_pool *pool)
{
    double loss = 0;

    for (size_t t = 0; t < b->plan->terms; t++) {
        const ig_plan_term *term = &b->plan->term[t];
        ig_group g;

        if (term->term->kind->classifier != IG_FOOLS_CLASSIFIER ||
            !ig_batch_is_on(b, term) || b->size == 0)
            continue;
        g = group_of(b, pool, term, true);
        loss += ig_term_discriminate(&g);
    }
    return loss;
}
