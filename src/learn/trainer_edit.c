/* The objective, edited while it is trained: weights of terms, and what each of them
 * does at the present weights. */
#include <math.h>

#include "learn/trainer_state.h"

size_t ig_trainer_edits_from(const ig_trainer *t)
{
    return t->next + (t->phase != IG_AT_START);
}

ig_status ig_trainer_set_weight(ig_trainer *t, size_t term, double weight, bool on,
                                ig_error *error)
{
    bool any = on;

    if (term >= t->plan.terms)
        return ig_fail(error, IG_VALUE, "there is no term %zu of %zu", term + 1,
                       t->plan.terms);
    if (!isfinite(weight))
        return ig_fail(error, IG_VALUE, "the weight of %s must be a finite number",
                       t->objective->term[term].name);
    for (size_t i = 0; i < t->plan.terms; i++)
        any |= i != term && t->on[i];
    if (!any)
        return ig_fail(error, IG_VALUE,
                       "%s is the last term that counts: one must stay",
                       t->objective->term[term].name);
    t->weight[term] = weight;
    t->on[term] = on;
    t->edited = false;
    for (size_t i = 0; i < t->plan.terms; i++)
        t->edited |= t->weight[i] != t->plan.term[i].weight ||
                     t->on[i] != t->plan.term[i].on;
    return IG_OK;
}

double ig_trainer_weight(const ig_trainer *t, size_t term, bool *on)
{
    if (on)
        *on = t->on[term];
    return t->weight[term];
}

/* A batch from all over the training pairs, which may stand in order of languages. */
static size_t spread_batch(const ig_trainer *t, uint32_t *list)
{
    size_t n = t->batch_size, train = t->split->train;

    for (size_t i = 0; i < n; i++)
        list[i] = t->split->train_pair[i * train / n];
    return n;
}

/* The norm of the gradient of term i alone at weight 1. */
static double norm_of(ig_trainer *t, size_t i, const uint32_t *list, size_t n,
                      float *gradient)
{
    /* A discriminator is fooled, not trained, by the terms that see it. */
    size_t size = t->now.classifier >= 0 ? (size_t)t->now.classifier : t->now.size;
    ig_plan_term *term = &t->plan.term[i];
    double weight = term->weight, value[IG_TERMS_MAX], square = 0;
    bool on[IG_TERMS_MAX];

    for (size_t k = 0; k < t->plan.terms; k++) {
        on[k] = t->plan.term[k].on;
        t->plan.term[k].on = k == i;
    }
    term->weight = 1;
    ig_trainer_evaluate(t, list, n, gradient, value);
    term->weight = weight;
    for (size_t k = 0; k < t->plan.terms; k++)
        t->plan.term[k].on = on[k];
    for (size_t k = 0; k < size; k++)
        square += (double)gradient[k] * gradient[k];
    return sqrt(square);
}

ig_status ig_trainer_norm(ig_trainer *t, size_t term, double *norm, ig_error *error)
{
    uint32_t *list = ig_alloc(t->batch_size, sizeof *list);
    float *gradient = ig_alloc(t->now.size, sizeof *gradient);
    ig_status status = IG_OK;

    if (list && gradient)
        *norm = norm_of(t, term, list, spread_batch(t, list), gradient);
    else
        status = ig_fail_memory(error, "a term's gradient");
    ig_free(list);
    ig_free(gradient);
    return status;
}

/* Whether a term sees a space's weights; those of a residual are of both spaces. */
static bool sees(const ig_term *term, ig_extractor_kind kind, ig_space space)
{
    for (size_t k = 0; k < term->kind->operands; k++)
        for (size_t i = 0; i < term->operand[k].atoms; i++) {
            uint8_t atom = term->operand[k].atom[i];

            if (atom >= IG_ATOM_MEANING &&
                (kind != IG_TWIN ||
                 (space == IG_SPACE_LANGUAGE) == (atom >= IG_ATOM_LANGUAGE)))
                return true;
        }
    return false;
}

bool ig_epoch_stands_still(const ig_epoch *e, const ig_objective *o, ig_space space)
{
    static const double NOTHING = 1e-4;
    size_t epoch = e->epoch ? e->epoch : 1; /* as of which terms count */
    bool any = false;

    for (size_t i = 0; i < o->terms; i++) {
        if (!sees(&o->term[i], o->extractor, space) || o->term[i].from > epoch ||
            isnan(e->value[i]))
            continue;
        if (fabs(e->value[i]) >= NOTHING)
            return false;
        any = true;
    }
    return any;
}
