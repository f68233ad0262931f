/* Which product comes next: urgency by what changed, and the share of the time that
 * each may take. Products of the test's own, and a clock that it moves. */
#include "worker/scheduler.h"

#include <math.h>
#include <string.h>

#include "suite.h"

enum { PRODUCTS = 3 };

/* What the test's products find and do. */
typedef struct world {
    ig_product_key key[PRODUCTS];
    bool asked_for[PRODUCTS];
    ig_product product[PRODUCTS];
    double takes;     /* seconds that a product takes to be made */
    unsigned rest;    /* steps that are left after a beginning */
    ig_status status; /* of the next one */
    ig_cause cause[PRODUCTS];
} world;

static ig_channel channel;
static double now;

static double clock_now(void)
{
    return now;
}

static bool key_of(void *context, const ig_product *p, ig_product_key *key)
{
    const world *w = context;
    size_t i = (size_t)(p - w->product);

    *key = w->key[i];
    return w->asked_for[i];
}

static ig_status make(void *context, ig_product *p, const ig_product_key *key,
                      ig_cause cause, ig_error *error)
{
    world *w = context;
    size_t i = (size_t)(p - w->product);

    now += w->takes;
    w->cause[i] = cause;
    if (w->status != IG_OK)
        return ig_fail(error, w->status, "as the test says");
    p->more = cause == IG_CAUSE_REST ? --w->rest > 0 : w->rest > 0;
    if (!p->kind->restarts || !p->more) {
        ig_product_key of = *key;

        of.whole = cause == IG_CAUSE_WHOLE;
        ig_product_made(p, &of);
    }
    return IG_OK;
}

static const ig_product_kind kinds[PRODUCTS] = {
    {"first",
     key_of,
     make,
     IG_ARRIVAL_ROW,
     0.25,
     false,
     {[IG_CAUSE_ASKED] = 90, [IG_CAUSE_REST] = 80, [IG_CAUSE_FOLLOW] = 50}},
    {"second",
     key_of,
     make,
     IG_ARRIVAL_ROW,
     0.25,
     false,
     {[IG_CAUSE_ASKED] = 85, [IG_CAUSE_FOLLOW] = 51, [IG_CAUSE_WHOLE] = 6}},
    {"measure",
     key_of,
     make,
     IG_ARRIVAL_VIEW,
     0.1,
     true,
     {[IG_CAUSE_FOLLOW] = 20, [IG_CAUSE_WHOLE] = 7}}};

static void open_world(world *w)
{
    memset(w, 0, sizeof *w);
    memset(&channel, 0, sizeof channel);
    assert_int_equal(ig_channel_open(&channel, NULL), IG_OK);
    now = 1000;
    for (size_t i = 0; i < PRODUCTS; i++) {
        w->product[i].kind = &kinds[i];
        w->asked_for[i] = true;
    }
}

/* The number of the product that is made, or −1. */
static int step(world *w, bool beside_training)
{
    ig_scheduled choice =
        ig_scheduler_choose(w->product, PRODUCTS, w, beside_training ? now : INFINITY);
    ig_error error;

    if (!choice.product)
        return -1;
    ig_scheduler_make(&choice, w, &channel, clock_now, &error);
    return (int)(choice.product - w->product);
}

static void test_by_urgency_of_what_changed(void **state)
{
    world w;

    (void)state;
    open_world(&w);
    w.key[1].whole = w.key[2].whole = true;
    for (int i = 0; i < 3; i++)
        assert_int_equal(step(&w, false), i);
    assert_int_equal(step(&w, false), 2); /* then all of what was a sample */
    assert_int_equal(w.cause[2], IG_CAUSE_WHOLE);
    assert_int_equal(step(&w, false), 1);
    assert_int_equal(step(&w, false), -1);
    for (int i = 0; i < 3; i++)
        w.key[i].follows[0]++; /* other weights: the map before the neighbours */
    assert_int_equal(step(&w, false), 1);
    assert_int_equal(w.cause[1], IG_CAUSE_FOLLOW);
    w.key[0].asked[0]++; /* a row before all */
    assert_int_equal(step(&w, false), 0);
    assert_int_equal(w.cause[0], IG_CAUSE_ASKED);
    w.asked_for[2] = false;
    assert_int_equal(step(&w, false), 1);
    assert_int_equal(step(&w, false), -1);
    ig_channel_close(&channel);
}

static void test_what_is_left_is_made_or_begun_anew(void **state)
{
    world w;

    (void)state;
    open_world(&w);
    w.rest = 2;
    assert_int_equal(step(&w, false), 0);
    w.key[0].follows[0]++; /* does not stop what is left of it */
    assert_int_equal(step(&w, false), 1);
    w.product[1].more = false;
    assert_int_equal(step(&w, false), 0);
    assert_int_equal(w.cause[0], IG_CAUSE_REST);
    w.product[0].more = false;
    w.asked_for[0] = w.asked_for[1] = false;
    w.rest = 3;
    assert_int_equal(step(&w, false), 2);
    assert_int_equal(step(&w, false), 2);
    assert_int_equal(w.cause[2], IG_CAUSE_REST);
    w.key[2].follows[0]++; /* what is left of it means nothing any more */
    assert_int_equal(step(&w, false), 2);
    assert_int_equal(w.cause[2], IG_CAUSE_FOLLOW);
    ig_channel_close(&channel);
}

/* However often the inputs change, a measure takes a tenth of the time beside training,
 * also when it is never finished. */
static void test_changes_do_not_buy_time(void **state)
{
    double took = 0, start;
    world w;

    (void)state;
    open_world(&w);
    w.asked_for[0] = w.asked_for[1] = false;
    w.takes = 0.5;
    w.rest = 1000;
    start = now;
    for (int i = 0; i < 1000; i++) {
        w.key[2].follows[0]++;
        if (step(&w, true) == 2)
            took += w.takes;
        now += 0.1; /* of training */
    }
    assert_true(took > 0.05 * (now - start) && took < 0.12 * (now - start));
    ig_channel_close(&channel);
}

static void test_what_fails_is_not_tried_for_ever(void **state)
{
    world w;

    (void)state;
    open_world(&w);
    w.asked_for[1] = w.asked_for[2] = false;
    w.status = IG_INTERRUPTED;
    assert_int_equal(step(&w, false), 0);
    assert_int_equal(step(&w, false), 0); /* cancelled: again */
    assert_string_equal(w.product[0].failure, "");
    w.status = IG_VALUE;
    assert_int_equal(step(&w, false), 0);
    assert_string_equal(w.product[0].failure, "as the test says"); /* to be shown */
    assert_int_equal(step(&w, false), -1);
    ig_scheduler_retry(w.product, PRODUCTS);
    assert_int_equal(step(&w, false), -1);
    w.key[0].asked[0]++;
    w.status = IG_NOMEM;
    assert_int_equal(step(&w, false), 0);
    assert_int_equal(step(&w, false), -1);
    ig_scheduler_retry(w.product, PRODUCTS); /* there may be memory again */
    w.status = IG_OK;
    assert_int_equal(step(&w, false), 0);
    assert_string_equal(w.product[0].failure, "");
    assert_int_equal(step(&w, false), -1);
    ig_channel_close(&channel);
}

SUITE(scheduler)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_urgency_of_what_changed),
        cmocka_unit_test(test_what_is_left_is_made_or_begun_anew),
        cmocka_unit_test(test_changes_do_not_buy_time),
        cmocka_unit_test(test_what_fails_is_not_tried_for_ever),
    };

    return cmocka_run_group_tests_name("scheduler", tests, NULL, NULL);
}
