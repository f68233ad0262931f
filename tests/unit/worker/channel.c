/* What passes between the screen and the worker: an order that is kept, a request of
 * which the newest counts, and what cancels what. Without threads. */
#include "worker/channel.h"

#include <string.h>

#include "base/memory.h"
#include "suite.h"

/* Two requests that differ in nothing but the bytes between their fields. */
static void test_bytes_between_fields_mean_nothing(void **state)
{
    static ig_view_request a, b;
    ig_view_request usual = ig_view_request_defaults();

    (void)state;
    memset(&a, 0x55, sizeof a);
    memset(&b, 0xaa, sizeof b);
#define COPY(field) a.field = b.field = usual.field
    COPY(paused), COPY(halt), COPY(pace), COPY(seed), COPY(show), COPY(compared);
    COPY(looking), COPY(epoch), COPY(space), COPY(unit), COPY(axis[0]), COPY(axis[1]);
    COPY(neighbours), COPY(to), COPY(asks), COPY(all_rows);
    COPY(laid[0].kind), COPY(laid[1].kind);
#undef COPY
    a.row = 1;
    b.row = 2;
    assert_int_not_equal(memcmp(&a, &b, sizeof a), 0);
    assert_true(ig_request_same_but_row(&a, &b));
    b.unit = !b.unit;
    assert_false(ig_request_same_but_row(&a, &b));
    b.unit = !b.unit;
    b.laid[1] = (ig_map_axis){.kind = IG_AXIS_PROBE};
    assert_false(ig_request_same_but_row(&a, &b));
}

static ig_channel channel; /* large for a stack */

static void open_channel(void)
{
    memset(&channel, 0, sizeof channel);
    assert_int_equal(ig_channel_open(&channel, NULL), IG_OK);
}

static void post(ig_command_kind kind, unsigned run)
{
    ig_command command = {.kind = kind, .run = run};

    assert_int_equal(ig_channel_post(&channel, &command, NULL, NULL), IG_OK);
}

static void post_row(uint32_t row, bool unit)
{
    ig_view_request request = ig_view_request_defaults();

    request.row = row;
    request.unit = unit;
    assert_int_equal(ig_channel_post(&channel, NULL, &request, NULL), IG_OK);
}

static void test_commands_keep_their_order(void **state)
{
    enum { COMMANDS = 300 };
    ig_command command;
    bool request, has;

    (void)state;
    open_channel();
    for (unsigned i = 0; i < COMMANDS; i++) {
        post(IG_COMMAND_DROP, i);
        post_row(i, true);
    }
    for (unsigned i = 0; i < COMMANDS; i++) {
        assert_true(ig_channel_take(&channel, &request, &command, &has));
        assert_true(has && command.run == i);
        assert_int_equal(request, i == 0); /* the newest, with the first */
        assert_int_equal(channel.taken->row, COMMANDS - 1);
    }
    assert_false(ig_channel_take(&channel, &request, &command, &has));
    ig_channel_close(&channel);
}

static void test_what_cannot_be_queued_is_told(void **state)
{
    ig_command command = {.kind = IG_COMMAND_STOP};
    ig_error error;
    bool request, has;

    (void)state;
    open_channel();
    ig_alloc_fail_at(1);
    assert_int_equal(ig_channel_post(&channel, &command, NULL, &error), IG_NOMEM);
    ig_alloc_fail_at(0);
    assert_false(ig_channel_take(&channel, &request, &command, &has));
    for (unsigned i = 0; i < IG_COMMANDS_WAITING; i++)
        post(IG_COMMAND_STOP, 0);
    assert_int_equal(ig_channel_post(&channel, &command, NULL, &error), IG_VALUE);
    assert_non_null(strstr(error.message, "4096 commands wait"));
    ig_channel_close(&channel);
}

/* A job says from which arrival on it is cancelled. */
static void test_what_cancels_what(void **state)
{
    ig_command command;
    bool request, has;

    (void)state;
    open_channel();
    ig_channel_begin(&channel, IG_ARRIVAL_VIEW);
    post_row(3, true);
    assert_false(atomic_load(&channel.cancel));
    assert_true(ig_channel_take_row(&channel));
    assert_int_equal(channel.taken->row, 3);
    assert_false(ig_channel_take_row(&channel));
    post_row(4, false);
    assert_true(atomic_load(&channel.cancel));
    post_row(5, false); /* differs from that in its row alone, but not from row 3 */
    assert_false(ig_channel_take_row(&channel));
    ig_channel_begin(&channel, IG_ARRIVAL_COMMAND);
    assert_false(atomic_load(&channel.cancel));
    post(IG_COMMAND_SAVE, 0);
    assert_true(atomic_load(&channel.cancel));
    ig_channel_begin(&channel, IG_ARRIVAL_CANCEL);
    assert_false(atomic_load(&channel.cancel));
    post(IG_COMMAND_CANCEL, 0);
    assert_true(atomic_load(&channel.cancel));
    ig_channel_begin(&channel, IG_ARRIVAL_END);
    assert_false(atomic_load(&channel.cancel));
    assert_true(ig_channel_take(&channel, &request, &command, &has));
    assert_true(request && has && command.kind == IG_COMMAND_SAVE);
    assert_int_equal(ig_channel_arrived(&channel), IG_ARRIVAL_CANCEL);
    assert_true(ig_channel_take(&channel, &request, &command, &has));
    assert_int_equal(ig_channel_arrived(&channel), IG_ARRIVAL_NONE);
    ig_channel_end(&channel);
    assert_true(atomic_load(&channel.cancel));
    ig_channel_close(&channel);
}

SUITE(channel)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_between_fields_mean_nothing),
        cmocka_unit_test(test_commands_keep_their_order),
        cmocka_unit_test(test_what_cannot_be_queued_is_told),
        cmocka_unit_test(test_what_cancels_what),
    };

    return cmocka_run_group_tests_name("channel", tests, NULL, NULL);
}
