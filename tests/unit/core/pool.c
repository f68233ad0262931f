/* The pool: every thread runs, chunks cover without overlap, callers wait for each other. Run under
 * ThreadSanitizer as well. */
#include "core/pool.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "suite.h"

enum { MEMBERS = 4, ROUNDS = 2000 };

typedef struct shared {
    ig_pool *pool;
    size_t ran[MEMBERS]; /* by member, not atomic: the call orders them */
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

    assert_int_equal(ig_pool_new(&pool, MEMBERS, NULL), IG_OK);
    ig_pool_run(pool, look_at_signals, &wrong);
    ig_pool_delete(pool);
    assert_int_equal(atomic_load(&wrong), 0);
}

static void test_no_pool_is_the_caller_alone(void **state)
{
    shared s = {0};

    ig_pool_run(NULL, count_call, &s);
    assert_int_equal(s.members, 1);
    assert_int_equal(atomic_load(&s.calls), 1);
    assert_int_equal(ig_pool_threads(NULL), 1);
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

    assert_int_equal(ig_pool_new(&t.pool, MEMBERS, NULL), IG_OK);
    for (t.grain = 1; t.grain < 60; t.grain += 11)
        for (t.count = 0; t.count < 300; t.count += 7)
            for (int turn = 0; turn < 4; turn++) {
                memset(t.item, 0, sizeof t.item);
                ig_parallel_for(t.pool, t.count, t.grain, take_items, &t);
                assert_false(atomic_load(&t.wrong));
                for (size_t i = 0; i < 300; i++)
                    assert_int_equal(t.item[i], i < t.count);
                rounds++;
            }
    assert_true(atomic_load(&t.pieces) > 2 * rounds);
    ig_pool_delete(t.pool);

    t = (struct taking){.count = 7, .grain = 3};
    ig_parallel_for(NULL, t.count, t.grain, take_items, &t);
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

/* Tasks of all members and pieces in turn. */
static void *alternate(void *context)
{
    shared *s = context;
    struct taking t = {.count = 100, .grain = 1, .pool = s->pool};

    for (size_t round = 1; round <= ROUNDS; round++) {
        ig_parallel_for(t.pool, t.count, t.grain, take_items, &t);
        if (round % 3 == 0)
            ig_pool_run(s->pool, count_call, s);
        ig_parallel_for(t.pool, t.count, t.grain, take_items, &t);
        for (size_t i = 0; i < t.count; i++)
            assert_int_equal(t.item[i], 2 * round);
    }
    return NULL;
}

static void test_tasks_between_pieces_of_two_callers(void **state)
{
    shared s[2] = {{0}};
    pthread_t other;

    assert_int_equal(ig_pool_new(&s[0].pool, MEMBERS, NULL), IG_OK);
    s[1].pool = s[0].pool;
    assert_int_equal(pthread_create(&other, NULL, alternate, &s[1]), 0);
    alternate(&s[0]);
    pthread_join(other, NULL);
    for (size_t i = 0; i < 2 * MEMBERS; i++)
        assert_int_equal(s[i % 2].ran[i / 2], ROUNDS / 3);
    ig_pool_delete(s[0].pool);
}

SUITE(pool, NULL, NULL, TEST(test_every_member_runs_every_task),
      TEST(test_members_block_signals), TEST(test_no_pool_is_the_caller_alone),
      TEST(test_pieces_cover_without_overlap),
      TEST(test_tasks_between_pieces_of_two_callers))
