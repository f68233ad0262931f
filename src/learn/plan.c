/* Compiles an objective into dot products, slopes and linear combinations (plan.h). */
#include "learn/plan.h"

#include <string.h>

/* Number of an atom's base, made on first use. */
static size_t base_of(ig_plan *plan, size_t atom)
{
    for (size_t k = 0; k < plan->bases; k++)
        if (plan->base[k] == atom)
            return k;
    plan->base[plan->bases] = (uint8_t)atom;
    plan->trained[plan->bases] = atom >= IG_ATOM_MEANING;
    return plan->bases++;
}

/* Coefficients of an operand on the bases. For `residual`, l = e − m. */
static void expand(ig_plan *plan, ig_extractor_kind kind, ig_operand operand,
                   double *coefficient)
{
    for (size_t i = 0; i < operand.atoms; i++) {
        size_t atom = operand.atom[i];
        size_t row = atom & 3;

        if (atom >= IG_ATOM_LANGUAGE && kind == IG_RESIDUAL) {
            coefficient[base_of(plan, IG_ATOM_ORIGINAL + row)] += 1;
            coefficient[base_of(plan, IG_ATOM_MEANING + row)] -= 1;
        } else {
            coefficient[base_of(plan, atom)] += 1;
        }
    }
}

static size_t pair_of(ig_plan *plan, size_t k, size_t l)
{
    size_t low = k < l ? k : l;
    size_t high = k < l ? l : k;

    for (size_t i = 0; i < plan->pairs; i++)
        if (plan->left[i] == low && plan->right[i] == high)
            return i;
    plan->left[plan->pairs] = (uint8_t)low;
    plan->right[plan->pairs] = (uint8_t)high;
    return plan->pairs++;
}

static void add_part(ig_plan *plan, ig_quadratic *q, size_t k, size_t l, double factor)
{
    size_t pair = pair_of(plan, k, l);

    for (size_t i = 0; i < q->parts; i++)
        if (q->pair[i] == pair) {
            q->factor[i] += factor;
            return;
        }
    q->pair[q->parts] = (uint8_t)pair;
    q->factor[q->parts++] = factor;
}

/* <A,B> as a sum of dot products of bases. */
static void make_quadratic(ig_plan *plan, const double *a, const double *b,
                           ig_quadratic *q)
{
    for (size_t k = 0; k < plan->bases; k++)
        for (size_t l = 0; l < plan->bases; l++)
            if (a[k] != 0 && b[l] != 0)
                add_part(plan, q, k, l, a[k] * b[l]);
}

static size_t slot_of(ig_plan *plan, size_t target, size_t source)
{
    for (size_t i = 0; i < plan->slots; i++)
        if (plan->slot[i].target == target && plan->slot[i].source == source)
            return i;
    plan->slot[plan->slots] = (ig_slot){(uint8_t)target, (uint8_t)source};
    return plan->slots++;
}

/* Where the term's slopes go in C. */
static bool make_spread(ig_plan *plan, ig_plan_term *t)
{
    const double *a = t->coefficient[0];
    const double *b = t->coefficient[1];

    t->spread = ig_arena_alloc(&plan->arena, IG_PLAN_SLOTS * sizeof *t->spread);
    if (!t->spread)
        return false;
    for (size_t k = 0; k < plan->bases; k++)
        for (size_t l = 0; l < plan->bases; l++) {
            ig_slope_share s = {.aa = 2 * a[k] * a[l],
                                .ab = a[k] * b[l] + b[k] * a[l],
                                .bb = 2 * b[k] * b[l]};

            if (!plan->trained[k] || (s.aa == 0 && s.ab == 0 && s.bb == 0))
                continue;
            s.slot = (uint8_t)slot_of(plan, k, l);
            t->spread[t->spreads++] = s;
        }
    return true;
}

static ig_status make_term(ig_plan *plan, const ig_objective *objective,
                           const ig_term *term, ig_error *error)
{
    ig_plan_term *t = &plan->term[plan->terms++];

    t->term = term;
    t->weight = term->weight;
    t->on = !term->off;
    t->shared = -1;
    if (term->kind->batch) {
        if (plan->shared + term->kind->operands > IG_PLAN_SHARED)
            return ig_fail(error, IG_VALUE, "line %zu: too many terms of the batch",
                           term->line);
        t->shared = (int)plan->shared;
        plan->shared += term->kind->operands;
    }
    for (size_t i = 0; i < term->kind->operands; i++)
        expand(plan, objective->extractor, term->operand[i], t->coefficient[i]);
    if (term->kind->batch)
        return IG_OK; /* forms its gradient itself */
    make_quadratic(plan, t->coefficient[0], t->coefficient[0], &t->aa);
    make_quadratic(plan, t->coefficient[0], t->coefficient[1], &t->ab);
    make_quadratic(plan, t->coefficient[1], t->coefficient[1], &t->bb);
    return make_spread(plan, t) ? IG_OK : ig_fail_memory(error, "the objective's plan");
}

ig_status ig_plan_make(ig_plan *plan, const ig_objective *objective, ig_error *error)
{
    ig_status status = IG_OK;

    *plan = (ig_plan){0};
    plan->term =
        ig_arena_alloc(&plan->arena, (objective->terms + 1) * sizeof *plan->term);
    if (!plan->term)
        return ig_fail_memory(error, "the objective's plan");
    for (size_t i = 0; i < objective->terms && status == IG_OK; i++)
        status = make_term(plan, objective, &objective->term[i], error);
    if (status != IG_OK)
        ig_plan_free(plan);
    return status;
}

void ig_plan_free(ig_plan *plan)
{
    ig_arena_free(&plan->arena);
    *plan = (ig_plan){0};
}
