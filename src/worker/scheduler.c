/* Which product comes next, and how much time it may take. */
#include "worker/scheduler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Seconds between two beginnings of what follows by itself. */
static const double BETWEEN = 0.09;

static bool same_asked(const ig_product_key *a, const ig_product_key *b)
{
    return memcmp(a->asked, b->asked, sizeof a->asked) == 0;
}

static bool same_follows(const ig_product_key *a, const ig_product_key *b)
{
    return memcmp(a->follows, b->follows, sizeof a->follows) == 0;
}

static ig_cause cause_of(const ig_product *p, const ig_product_key *key)
{
    if (p->kind->restarts) {
        if (p->more && same_follows(&p->under, key))
            return IG_CAUSE_REST;
        if (!p->known)
            return IG_CAUSE_FOLLOW;
    } else {
        if (!p->known || !same_asked(&p->made, key))
            return IG_CAUSE_ASKED;
        if (p->more)
            return IG_CAUSE_REST;
    }
    if (!same_follows(&p->made, key))
        return IG_CAUSE_FOLLOW;
    return key->whole && !p->made.whole ? IG_CAUSE_WHOLE : IG_CAUSE_NONE;
}

ig_scheduled ig_scheduler_choose(ig_product *product, size_t n, void *context,
                                 double now)
{
    ig_scheduled best = {0};

    for (size_t i = 0; i < n; i++) {
        ig_product *p = &product[i];
        ig_product_key key = {0};
        ig_cause cause;
        int urgency;

        if (!p->kind->key(context, p, &key))
            continue;
        cause = cause_of(p, &key);
        urgency = p->kind->urgency[cause];
        if (cause == IG_CAUSE_NONE || (cause == IG_CAUSE_FOLLOW && now < p->next))
            continue;
        if (cause == IG_CAUSE_REST && urgency == 0)
            urgency = p->kind->urgency[p->began];
        if (urgency > best.urgency)
            best = (ig_scheduled){p, key, cause, urgency};
    }
    return best;
}

ig_status ig_scheduler_make(const ig_scheduled *choice, void *context,
                            ig_channel *channel, double (*clock)(void), ig_error *error)
{
    ig_product *p = choice->product;
    double start = clock();
    ig_status status;

    if (choice->cause != IG_CAUSE_REST) {
        p->began = choice->cause;
        p->spent = 0;
        p->more = false;
        p->failure[0] = '\0';
    }
    p->under = choice->key;
    ig_channel_begin(channel, p->kind->cancelled_by);
    status = p->kind->make(context, p, &choice->key, choice->cause, error);
    ig_channel_begin(channel, IG_ARRIVAL_ROW);
    p->spent += clock() - start;
    /* The time that it took, and as much more as makes it its share of both. */
    if (p->kind->share > 0)
        p->next = fmax(start + BETWEEN, clock() + p->spent * (1 / p->kind->share - 1));
    if (status != IG_OK && status != IG_INTERRUPTED)
        ig_product_failed(p, &choice->key, error);
    return status;
}

void ig_scheduler_hurry(ig_product *product, size_t n)
{
    for (size_t i = 0; i < n; i++)
        product[i].next = 0;
}

void ig_scheduler_retry(ig_product *product, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        product[i].known = product[i].known && !product[i].short_memory;
        product[i].short_memory = false;
    }
}

void ig_product_made(ig_product *product, const ig_product_key *key)
{
    product->made = *key;
    product->known = true;
    product->failure[0] = '\0';
    product->times++;
}

void ig_product_failed(ig_product *product, const ig_product_key *key,
                       const ig_error *error)
{
    ig_product_made(product, key);
    product->made.whole = true;
    product->more = false;
    product->short_memory = error->status == IG_NOMEM;
    snprintf(product->failure, sizeof product->failure, "%s", error->message);
}
