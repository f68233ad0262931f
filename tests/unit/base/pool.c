/* The pool: every member runs, tasks and barriers are in order, slices cover. Run under
 * ThreadSanitizer as well. */
#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
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

/* Only the first of them run, and a barrier waits for those alone. */
static void test_some_members(void **state)
{
    shared s = {0};

    (void)state;
    assert_int_equal(ig_pool_new(&s.pool, MEMBERS, NULL), IG_OK);
    for (size_t round = 0; round < ROUNDS; round++)
        ig_pool_run_some(s.pool, 1 + round % MEMBERS, count_call, &s);
    for (size_t i = 0; i < MEMBERS; i++)
        assert_int_equal(s.ran[i], ROUNDS / MEMBERS * (MEMBERS - i));
    memset(s.ran, 0, sizeof s.ran);
    ig_pool_run_some(s.pool, 2, pass_on, &s);
    assert_int_equal(s.seen[0], 1275 * 2);
    assert_int_equal(s.seen[1], 1275);
    assert_int_equal(s.seen[2], 0);
    assert_true(ig_pool_waited(s.pool) >= 0);
    ig_pool_delete(s.pool);
}

/* Items that members take in pieces; each is counted where it was taken. */
struct taking {
    ig_pieces pieces;
    size_t count, grain;
    atomic_size_t taken[300];
};

static void take_pieces(void *context, size_t member, size_t members)
{
    struct taking *t = context;
    size_t first, last;

    (void)member, (void)members;
    while (ig_pieces_take(&t->pieces, t->count, t->grain, &first, &last)) {
        if (first % t->grain || (last % t->grain && last != t->count) || first >= last)
            continue; /* and the items are missing below */
        for (size_t i = first; i < last; i++)
            atomic_fetch_add(&t->taken[i], 1);
    }
}

static void test_pieces_cover_without_overlap(void **state)
{
    struct taking t;
    ig_pool *pool;

    (void)state;
    assert_int_equal(ig_pool_new(&pool, MEMBERS, NULL), IG_OK);
    for (t.count = 0; t.count < 300; t.count += 7)
        for (t.grain = 1; t.grain < 60; t.grain += 11)
            for (int fine = 0; fine < 2; fine++) {
                for (size_t i = 0; i < 300; i++)
                    atomic_init(&t.taken[i], 0);
                ig_pieces_reset(&t.pieces, MEMBERS, fine);
                ig_pool_run(pool, take_pieces, &t);
                for (size_t i = 0; i < 300; i++)
                    assert_int_equal(atomic_load(&t.taken[i]), i < t.count);
            }
    ig_pool_delete(pool);
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
        cmocka_unit_test(test_no_pool_is_the_caller_alone),
        cmocka_unit_test(test_some_members),
        cmocka_unit_test(test_pieces_cover_without_overlap),
        cmocka_unit_test(test_pools_come_and_go),
        cmocka_unit_test(test_slices_cover_without_overlap),
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
