/* The pool: chunks cover without overlap, two callers do not disturb each other. Run
 * under ThreadSanitizer as well. */
#include "core/pool.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "suite.h"

enum { MEMBERS = 4, ROUNDS = 2000 };

/* Signals of the process are for the thread that catches them. */
static void look_at_signals(void *context, size_t member, size_t first, size_t last)
{
    atomic_size_t *wrong = context;
    sigset_t mask;

    (void)first;
    (void)last;
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
    for (int round = 0; round < ROUNDS; round++)
        ig_parallel_for(pool, MEMBERS, 1, look_at_signals, &wrong);
    ig_pool_delete(pool);
    assert_int_equal(atomic_load(&wrong), 0);
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
    assert_int_equal(ig_pool_threads(t.pool), MEMBERS);
    ig_pool_delete(t.pool);

    t = (struct taking){.count = 7, .grain = 3};
    ig_parallel_for(NULL, t.count, t.grain, take_items, &t);
    assert_int_equal(t.pieces, 1);
    assert_int_equal(t.by[0], 1);
    assert_int_equal(ig_pool_threads(NULL), 1);
    ig_pool_delete(NULL);
}

static void *take_in_turn(void *pool)
{
    struct taking t = {.count = 100, .grain = 1, .pool = pool};

    for (size_t round = 1; round <= ROUNDS; round++) {
        ig_parallel_for(t.pool, t.count, t.grain, take_items, &t);
        for (size_t i = 0; i < t.count; i++)
            assert_int_equal(t.item[i], round);
    }
    return NULL;
}

static void test_loops_of_two_callers(void **state)
{
    pthread_t other;
    ig_pool *pool;

    assert_int_equal(ig_pool_new(&pool, MEMBERS, NULL), IG_OK);
    assert_int_equal(pthread_create(&other, NULL, take_in_turn, pool), 0);
    take_in_turn(pool);
    pthread_join(other, NULL);
    ig_pool_delete(pool);
}

SUITE(pool, NULL, NULL, TEST(test_members_block_signals),
      TEST(test_pieces_cover_without_overlap), TEST(test_loops_of_two_callers))
