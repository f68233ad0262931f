/* The pool: every member runs, tasks and barriers are in order, slices cover. Run under
 * ThreadSanitizer as well. */
#include "base/pool.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

enum { MEMBERS = 4, ROUNDS = 2000 };

typedef struct shared {
    ig_pool *pool;
    size_t ran[MEMBERS]; /* by member, not atomic: a barrier must order them */
    size_t seen[MEMBERS];
    size_t members;
    atomic_size_t calls;
} shared;

static void count_call(void *context, size_t member, size_t members)
{
    shared *s = context;

    s->ran[member]++;
    if (member == 0)
        s->members = members;
    atomic_fetch_add(&s->calls, 1);
}

static void test_every_member_runs_every_task(void **state)
{
    shared s = {0};

    (void)state;
    assert_int_equal(ig_pool_new(&s.pool, MEMBERS, NULL), IG_OK);
    assert_int_equal(ig_pool_threads(s.pool), MEMBERS);
    for (size_t round = 1; round <= ROUNDS; round++) {
        ig_pool_run(s.pool, count_call, &s);
        assert_int_equal(atomic_load(&s.calls), round * MEMBERS);
        for (size_t i = 0; i < MEMBERS; i++)
            assert_int_equal(s.ran[i], round);
    }
    assert_int_equal(s.members, MEMBERS);
    ig_pool_delete(s.pool);
}

/* Each member writes, waits, and reads what its neighbour wrote. */
static void pass_on(void *context, size_t member, size_t members)
{
    shared *s = context;

    for (size_t step = 1; step <= 50; step++) {
        s->ran[member] = step * (member + 1);
        ig_pool_barrier(s->pool);
        s->seen[member] += s->ran[(member + 1) % members];
        ig_pool_barrier(s->pool);
    }
}

static void test_a_barrier_orders_what_is_on_its_sides(void **state)
{
    shared s = {0};

    (void)state;
    assert_int_equal(ig_pool_new(&s.pool, MEMBERS, NULL), IG_OK);
    for (int round = 0; round < 20; round++)
        ig_pool_run(s.pool, pass_on, &s);
    for (size_t i = 0; i < MEMBERS; i++)
        assert_int_equal(s.seen[i], 20 * 1275 * ((i + 1) % MEMBERS + 1));
    ig_pool_delete(s.pool);
}

/* Signals of the process are for the thread that catches them. */
static void look_at_signals(void *context, size_t member, size_t members)
{
    atomic_size_t *wrong = context;
    sigset_t mask;

    (void)members;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if ((sigismember(&mask, SIGTERM) == 1) != (member > 0) ||
        sigismember(&mask, SIGBUS) == 1)
        atomic_fetch_add(wrong, 1);
}

static void test_members_block_signals(void **state)
{
    atomic_size_t wrong = 0;
    ig_pool *pool;

    (void)state;
    assert_int_equal(ig_pool_new(&pool, MEMBERS, NULL), IG_OK);
    ig_pool_run(pool, look_at_signals, &wrong);
    ig_pool_delete(pool);
    assert_int_equal(atomic_load(&wrong), 0);
}

static void test_no_pool_is_the_caller_alone(void **state)
{
    shared s = {0};

    (void)state;
    ig_pool_run(NULL, count_call, &s);
    assert_int_equal(s.members, 1);
    assert_int_equal(atomic_load(&s.calls), 1);
    assert_int_equal(ig_pool_threads(NULL), 1);
    ig_pool_barrier(NULL);
    ig_pool_delete(NULL);

    assert_int_equal(ig_pool_new(&s.pool, 1, NULL), IG_OK);
    ig_pool_run(s.pool, count_call, &s);
    assert_int_equal(atomic_load(&s.calls), 2);
    ig_pool_delete(s.pool);
}

/* Items that members take in pieces; each is counted where it was taken, and who took
 * pieces is known. */
struct taking {
    ig_pool *pool;
    size_t count, grain;
    size_t item[300]; /* not atomic: what is handed out is ordered by its beginning and
                       * end */
    atomic_size_t pieces;
    atomic_size_t by[MEMBERS];
    atomic_bool wrong;
};

static void take_items(void *context, size_t member, size_t first, size_t last)
{
    struct taking *t = context;

    if (first % t->grain || (last % t->grain && last != t->count) || first >= last ||
        last > t->count)
        atomic_store(&t->wrong, true);
    atomic_fetch_add(&t->pieces, 1);
    atomic_fetch_add(&t->by[member], 1);
    for (size_t i = first; i < last; i++)
        t->item[i]++;
}

static void test_pieces_cover_without_overlap(void **state)
{
    static struct taking t;
    size_t rounds = 0;

    (void)state;
    assert_int_equal(ig_pool_new(&t.pool, MEMBERS, NULL), IG_OK);
    for (t.grain = 1; t.grain < 60; t.grain += 11)
        for (t.count = 0; t.count < 300; t.count += 7)
            for (int turn = 0; turn < 4; turn++) {
                memset(t.item, 0, sizeof t.item);
                ig_pool_hand_out(t.pool, t.count, t.grain, take_items, &t);
                assert_false(atomic_load(&t.wrong));
                for (size_t i = 0; i < 300; i++)
                    assert_int_equal(t.item[i], i < t.count);
                rounds++;
            }
    assert_true(atomic_load(&t.pieces) > 2 * rounds);
    ig_pool_delete(t.pool);

    t = (struct taking){.count = 7, .grain = 3};
    ig_pool_hand_out(NULL, t.count, t.grain, take_items, &t);
    assert_int_equal(t.pieces, 1);
    assert_int_equal(t.by[0], 1);
}

/* A member that does not come back with its piece before all others are taken holds
 * nobody up who has one. */
struct slow {
    atomic_size_t done; /* items */
    atomic_bool stuck;
    size_t seen;
};

static void be_stuck(void *context, size_t member, size_t first, size_t last)
{
    struct slow *s = context;
    bool expected = false;

    (void)member;
    if (atomic_compare_exchange_strong(&s->stuck, &expected, true)) {
        while (atomic_load(&s->done) + (last - first) < 64)
            ;
        s->seen = atomic_load(&s->done);
    }
    atomic_fetch_add(&s->done, last - first);
}

static void test_others_take_what_a_slow_member_does_not(void **state)
{
    ig_pool *pool;

    (void)state;
    assert_int_equal(ig_pool_new(&pool, MEMBERS, NULL), IG_OK);
    for (int round = 0; round < 20; round++) {
        struct slow s = {0};

        ig_pool_hand_out(pool, 64, 1, be_stuck, &s);
        assert_int_equal(s.done, 64);
        assert_true(s.seen >= 64 - 8);
    }
    ig_pool_delete(pool);
}

/* Tasks of all members and pieces in turn. */
static void test_tasks_between_pieces(void **state)
{
    static struct taking t = {.count = 100, .grain = 1};
    shared s = {0};

    (void)state;
    assert_int_equal(ig_pool_new(&t.pool, MEMBERS, NULL), IG_OK);
    s.pool = t.pool;
    for (size_t round = 1; round <= ROUNDS; round++) {
        ig_pool_hand_out(t.pool, t.count, t.grain, take_items, &t);
        if (round % 3 == 0)
            ig_pool_run(s.pool, count_call, &s);
        ig_pool_hand_out(t.pool, t.count, t.grain, take_items, &t);
        for (size_t i = 0; i < t.count; i++)
            assert_int_equal(t.item[i], 2 * round);
    }
    for (size_t i = 0; i < MEMBERS; i++)
        assert_int_equal(s.ran[i], ROUNDS / 3);
    ig_pool_delete(t.pool);
}

static void test_pools_come_and_go(void **state)
{
    (void)state;
    for (size_t n = 0; n < 30; n++) {
        ig_pool *pool;

        assert_int_equal(ig_pool_new(&pool, n % 5, NULL), IG_OK);
        assert_true(ig_pool_threads(pool) >= 1);
        ig_pool_delete(pool);
    }
}

static void test_slices_cover_without_overlap(void **state)
{
    (void)state;
    for (size_t count = 0; count < 70; count++)
        for (size_t grain = 1; grain <= 16; grain++)
            for (size_t members = 1; members <= 9; members++) {
                size_t next = 0;

                for (size_t m = 0; m < members; m++) {
                    size_t first, last;

                    ig_pool_slice(count, grain, m, members, &first, &last);
                    assert_int_equal(first, next);
                    assert_true(last >= first && last <= count);
                    assert_true(last == count || last % grain == 0);
                    next = last;
                }
                assert_int_equal(next, count);
            }
}

SUITE(pool)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_member_runs_every_task),
        cmocka_unit_test(test_a_barrier_orders_what_is_on_its_sides),
        cmocka_unit_test(test_members_block_signals),
        cmocka_unit_test(test_no_pool_is_the_caller_alone),
        cmocka_unit_test(test_pieces_cover_without_overlap),
        cmocka_unit_test(test_others_take_what_a_slow_member_does_not),
        cmocka_unit_test(test_tasks_between_pieces),
        cmocka_unit_test(test_pools_come_and_go),
        cmocka_unit_test(test_slices_cover_without_overlap),
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
