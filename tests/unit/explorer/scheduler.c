/* What passes between the screen and the session, and which product is made next:
 * priority by what changed, and what cancels a job. Products of the test's own, and a
 * clock that it moves. */
#include "explorer/scheduler.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "suite.h"

static ig_channel channel; /* large for a stack */

static void open_channel(void)
{
    memset(&channel, 0, sizeof channel);
    assert_int_equal(ig_channel_open(&channel, NULL), IG_OK);
}

/* --- arrivals --------------------------------------------------------------------- */

static void post(ig_command_kind kind, unsigned run)
{
    ig_command command = {.kind = kind, .run = run};

    assert_int_equal(ig_channel_post(&channel, &command, NULL, NULL), IG_OK);
}

static void test_commands_keep_their_order(void **state)
{
    enum { COMMANDS = 300 };
    ig_view_request request = ig_view_request_defaults();
    ig_command command;

    open_channel();
    for (unsigned i = 0; i < COMMANDS; i++) {
        post(IG_COMMAND_DROP, i);
        request.row = i;
        assert_int_equal(ig_channel_post(&channel, NULL, &request, NULL), IG_OK);
    }
    assert_true(ig_channel_take_request(&channel, &request)); /* the newest counts */
    assert_int_equal(request.row, COMMANDS - 1);
    assert_false(ig_channel_take_request(&channel, &request));
    for (unsigned i = 0; i < COMMANDS; i++)
        assert_true(ig_channel_take_command(&channel, &command) && command.run == i);
    assert_false(ig_channel_take_command(&channel, &command));
    ig_channel_close(&channel);
}

/* --- products --------------------------------------------------------------------- */

enum { PRODUCTS = 3 };

/* What the test's products find and do. */
typedef struct world {
    ig_result_key key[PRODUCTS];
    bool asked_for[PRODUCTS];
    ig_result product[PRODUCTS];
    ig_lane lane;
    double takes;     /* seconds that a product takes to be made */
    ig_status status; /* of the next one */
    ig_cause cause[PRODUCTS];
} world;

static double now;

static bool key_of(const ig_job *job)
{
    const world *w = job->context;
    size_t i = (size_t)(job->result - w->product);

    *job->key = w->key[i];
    return w->asked_for[i];
}

static ig_status make(const ig_job *job)
{
    world *w = job->context;

    now += w->takes;
    w->cause[job->result - w->product] = job->cause;
    job->key->whole = job->cause == IG_CAUSE_WHOLE;
    return w->status == IG_OK ? IG_OK
                              : ig_fail(job->error, w->status, "as the test says");
}

/* Until it is cancelled. */
static ig_status make_forever(const ig_job *job)
{
    world *w = job->context;

    ig_lane_announce(&w->lane);
    while (!atomic_load(w->lane.work.cancel))
        ;
    return ig_fail(job->error, IG_INTERRUPTED, "interrupted");
}

static const ig_result_kind kinds[PRODUCTS] = {
    {IG_LANE_MAP, IG_PRIORITY_ASKED, 0.25, key_of, .make = make},
    {IG_LANE_MAP, IG_PRIORITY_ASKED, 0.25, key_of, .make = make},
    {IG_LANE_MAP, IG_PRIORITY_FOLLOW, 0.1, key_of, .make = make}};

static void open_world(world *w)
{
    static const ig_view_request request;
    const ig_work work = {.request = &request};

    memset(w, 0, sizeof *w);
    open_channel();
    ig_lane_init(&w->lane, &work, w, &channel);
    now = 1000;
    for (size_t i = 0; i < PRODUCTS; i++) {
        w->product[i].kind = &kinds[i];
        w->asked_for[i] = true;
    }
}

static void close_world(world *w)
{
    ig_lane_end(&w->lane);
    ig_channel_close(&channel);
}

static void begin(world *w, const ig_scheduled *job)
{
    ig_lane_post(&w->lane, job, &w->lane.request, now);
}

/* The number of the product that is made, or −1. */
static int step(world *w, bool beside_training)
{
    ig_scheduled job = ig_scheduler_choose(w->product, PRODUCTS, IG_LANE_MAP, w,
                                           beside_training ? now : INFINITY);
    ig_result *made;

    if (!job.product)
        return -1;
    begin(w, &job);
    assert_true(ig_lane_take(&w->lane, now, &made));
    assert_true(made == (w->status == IG_INTERRUPTED ? NULL : job.product));
    return (int)(job.product - w->product);
}

static void test_by_priority_of_what_changed(void **state)
{
    world w;

    open_world(&w);
    w.key[1].whole = w.key[2].whole = true;
    for (int i = 0; i < 3; i++)
        assert_int_equal(step(&w, false), i);
    assert_int_equal(step(&w, false), 1); /* then all of what was a sample */
    assert_int_equal(w.cause[1], IG_CAUSE_WHOLE);
    assert_int_equal(step(&w, false), 2);
    assert_int_equal(step(&w, false), -1);
    for (int i = 0; i < 3; i++)
        w.key[i].follows[0]++; /* other weights */
    w.key[1].asked[0]++;       /* what is asked for comes before all */
    assert_int_equal(step(&w, false), 1);
    assert_int_equal(w.cause[1], IG_CAUSE_ASKED);
    assert_int_equal(step(&w, false), 0);
    assert_int_equal(w.cause[0], IG_CAUSE_FOLLOW);
    w.asked_for[2] = false;
    assert_int_equal(step(&w, false), 1);
    assert_int_equal(step(&w, false), -1);
    assert_int_equal(
        ig_scheduler_choose(w.product, PRODUCTS, IG_LANE_ONCE, &w, now).priority,
        IG_PRIORITY_NONE);
    close_world(&w);
}

/* --- threads ---------------------------------------------------------------------- */

/* A job ends when what it makes is no longer asked for, not when weights change, but
 * for one of everything. */
static void test_what_cancels_a_job(void **state)
{
    static const ig_result_kind endless = {IG_LANE_MAP, IG_PRIORITY_ASKED, 0.25, key_of,
                                           .make = make_forever};
    const ig_cause cause[] = {IG_CAUSE_ASKED, IG_CAUSE_WHOLE};
    ig_result *made;
    world w;

    open_world(&w);
    w.product[0].kind = &endless;
    assert_int_equal(ig_lane_start(&w.lane), 0);
    for (int i = 0; i < 2; i++) {
        ig_scheduled job = {&w.product[0], w.key[0], cause[i], IG_PRIORITY_ASKED};

        w.key[0].whole = job.key.whole = true;
        begin(&w, &job);
        while (!atomic_exchange(&w.lane.partial, false))
            ig_channel_sleep(&channel, 1);
        ig_lane_review(&w.lane);
        assert_false(atomic_load(&w.lane.cancel));
        w.key[0].follows[0]++;
        ig_lane_review(&w.lane);
        assert_int_equal(atomic_load(&w.lane.cancel), cause[i] == IG_CAUSE_WHOLE);
        w.key[0].asked[0]++;
        ig_lane_review(&w.lane);
        assert_true(atomic_load(&w.lane.cancel));
        while (!ig_lane_take(&w.lane, now, &made))
            ig_channel_sleep(&channel, 0.001);
        assert_null(made);
    }
    begin(&w,
          &(ig_scheduled){&w.product[0], w.key[0], IG_CAUSE_ASKED, IG_PRIORITY_ASKED});
    close_world(&w); /* amid a job */
}

SUITE(scheduler, NULL, NULL, TEST(test_commands_keep_their_order),
      TEST(test_by_priority_of_what_changed), TEST(test_what_cancels_a_job))
