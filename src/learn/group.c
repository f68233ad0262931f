/* Runs the terms of the batch: operands, then each kind's function (batch_terms.c). */
#include "learn/group.h"

#include <string.h>

#include "linear/blas.h"

/* The operand as a matrix: the forward pass's own rows where it is just those, else a
 * copy made by the members, each its rows. */
static ig_matrix operand(ig_group *g, size_t which)
{
    ig_batch *b = g->batch;
    const double *c = g->term->coefficient[which];
    const float *v[IG_ATOMS], *part[IG_ATOMS];
    float factor[IG_ATOMS];
    ig_matrix out =
        ig_matrix_of(b->operand + which * b->capacity * b->width, b->size, b->width);
    size_t used = 0, only = 0;

    for (size_t k = 0; k < b->plan->bases; k++)
        if (c[k] != 0) {
            only = k;
            used++;
        }
    if (used == 1 && c[only] == 1 && !(b->plan->base[only] & 1))
        return ig_batch_base(b, only);
    for (size_t i = g->first; i < g->last; i++) {
        size_t n = 0;

        ig_batch_locate(b, i, v);
        for (size_t k = 0; k < b->plan->bases; k++)
            if (c[k] != 0) {
                part[n] = v[k];
                factor[n++] = (float)c[k];
            }
        b->kernels->combine(part, factor, n, b->width, 0, ig_matrix_row(out, i));
    }
    return out;
}

static ig_group group_of(ig_batch *b, ig_pool *pool, const ig_plan_term *term,
                         bool gradients, size_t member, size_t members)
{
    ig_group g = {.batch = b,
                  .pool = pool,
                  .member = member,
                  .members = members,
                  .term = term,
                  .gradients = gradients};

    ig_gemm_slice(b->size, member, members, &g.first, &g.last);
    g.a = operand(&g, 0);
    g.da = ig_batch_extra(b, (size_t)term->shared);
    if (term->term->kind->operands > 1) {
        g.b = operand(&g, 1);
        g.db = ig_batch_extra(b, (size_t)term->shared + 1);
    }
    ig_pool_barrier(pool);
    return g;
}

void ig_group_run(ig_batch *b, ig_pool *pool, bool gradients, size_t member,
                  size_t members)
{
    for (size_t t = 0; t < b->plan->terms; t++) {
        const ig_plan_term *term = &b->plan->term[t];
        ig_group g;
        double value;

        if (member == 0 && b->size == 0)
            b->value[t] = 0; /* a rank without a pair of this batch */
        if (term->shared < 0 || !ig_batch_is_on(b, term) || b->size == 0)
            continue;
        g = group_of(b, pool, term, gradients, member, members);
        value = term->term->kind->batch(&g) * ig_batch_share(b);
        if (member == 0)
            b->value[t] = value;
        ig_pool_barrier(pool);
    }
}

double ig_group_discriminate(ig_batch *b, ig_pool *pool, size_t member, size_t members)
{
    double loss = 0;

    for (size_t t = 0; t < b->plan->terms; t++) {
        const ig_plan_term *term = &b->plan->term[t];
        ig_group g;

        if (term->term->kind->classifier != IG_FOOLS_CLASSIFIER ||
            !ig_batch_is_on(b, term) || b->size == 0)
            continue;
        g = group_of(b, pool, term, true, member, members);
        loss += ig_term_discriminate(&g);
    }
    return loss;
}
