/* How retrieval runs: the same bytes from any number of threads, all work counted;
 * stopped, out of memory, and not finite. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "linear/blas.h"
#include "planted.h"

static ig_pool *pools[3]; /* of 1, 2 and 3 members */

/* Without groups, rows that pairs join mean the same. */
static void test_joined(void **state)
{
    ig_retrieval_pairs pairs;
    ig_retrieval with, without;

    (void)state;
    plant(&(struct kind){.meanings = 90, .missing = true, .repeated = true}, 2);
    pairs = pairs_of_set();
    assert_int_equal(measure(&with, &pairs, pools[1], NULL), IG_OK);
    pairs.group = NULL;
    assert_int_equal(measure(&without, &pairs, pools[1], NULL), IG_OK);
    assert_memory_equal(with.score, without.score, with.count * sizeof *with.score);
    ig_retrieval_free(&with);
    ig_retrieval_free(&without);
}

static void test_threads(void **state)
{
    ig_retrieval_pairs pairs;

    (void)state;
    for (int pivot = 0; pivot < 2; pivot++) {
        ig_retrieval one, more;

        plant(&(struct kind){pivot ? 600 : 150, true, true, true, true, pivot}, 9);
        pairs = pairs_of_set();
        if (pivot) /* one pair of languages: all members work on it together */
            for (size_t p = pairs.pairs = 0; p < set.pairs; p++)
                if (set.lang[set.left[p]] < 2 && set.lang[set.right[p]] < 2) {
                    set.left[pairs.pairs] = set.left[p];
                    set.right[pairs.pairs] = set.right[p];
                    set.group[pairs.pairs++] = set.group[p];
                }
        assert_int_equal(measure(&one, &pairs, NULL, NULL), IG_OK);
        assert_int_equal(one.count, pivot ? 2 : LANGUAGES * (LANGUAGES - 1));
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(measure(&more, &pairs, pools[i], NULL), IG_OK);
            assert_memory_equal(&one.mean, &more.mean, sizeof one.mean);
            assert_memory_equal(one.score, more.score, one.count * sizeof *one.score);
            assert_memory_equal(one.found, more.found, one.queries * sizeof *one.found);
            ig_retrieval_free(&more);
        }
        ig_retrieval_free(&one);
    }
}

static void remember(void *context, double done)
{
    *(double *)context = done;
}

/* All of the work is counted, and the last of it told to one who waits. */
static void test_watched(void **state)
{
    ig_retrieval_pairs pairs;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        double told = 0;
        ig_watch watch = {.tick = remember, .context = &told};
        ig_retrieval r;
        double work;

        plant(&(struct kind){.meanings = i ? 90 : 700, .missing = i, .pivot = !i}, 1);
        pairs = pairs_of_set();
        work = ig_retrieval_work(&pairs, D);
        assert_true(work > 0);
        assert_int_equal(measure(&r, &pairs, NULL, &watch), IG_OK);
        assert_true(told == work);
        ig_retrieval_free(&r);
        atomic_store(&watch.done, 0);
        assert_int_equal(measure(&r, &pairs, pools[2], &watch), IG_OK);
        assert_true((double)atomic_load(&watch.done) == work);
        ig_retrieval_free(&r);
    }
}

static void pull(void *context, double done)
{
    (void)done;
    atomic_store((atomic_bool *)context, true);
}

/* Stopped at its first tick by whoever is told, which is the first member alone, and
 * from the start. */
static void test_stopped(void **state)
{
    ig_retrieval_pairs pairs;

    (void)state;
    plant(&(struct kind){.meanings = 300, .missing = true}, 1);
    pairs = pairs_of_set();
    for (size_t i = 0; i < 3; i++) {
        atomic_bool stop = i > 0;
        ig_watch watch = {.stop = &stop, .tick = pull, .context = &stop};
        ig_retrieval r;

        assert_int_equal(measure(&r, &pairs, pools[i], &watch), IG_INTERRUPTED);
        assert_true((double)atomic_load(&watch.done) < ig_retrieval_work(&pairs, D));
        assert_true(r.count == 0 && r.queries == 0 && !r.score && !r.found);
    }
}

/* Stopped in the midst of it, by a member that others run beside: whoever sees it first,
 * all come to an end. */
static void test_broken_off(void **state)
{
    ig_retrieval_pairs pairs;

    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        atomic_bool stop = false;
        ig_watch watch = {.stop = &stop, .tick = pull, .context = &stop};
        ig_retrieval r;
        ig_status status;

        if (i % 10 == 0) {
            plant(
                &(struct kind){.meanings = i ? 700 : 150, .missing = true, .pivot = i},
                1);
            pairs = pairs_of_set();
        }
        status = measure(&r, &pairs, pools[1 + i % 2], &watch);
        assert_true(status == IG_OK || status == IG_INTERRUPTED);
        assert_true((r.count > 0) == (status == IG_OK));
        ig_retrieval_free(&r);
    }
}

static void test_memory(void **state)
{
    ig_retrieval_pairs pairs;

    (void)state;
    plant(&(struct kind){.meanings = 30, .missing = true}, 1);
    pairs = pairs_of_set();
    for (size_t i = 0; i < 3; i++) {
        ig_status status = IG_NOMEM;
        ig_retrieval r;
        long n;

        for (n = 1; status != IG_OK; n++) {
            ig_alloc_fail_at(n);
            status = measure(&r, &pairs, pools[i], NULL);
            ig_alloc_fail_at(0);
            if (status != IG_OK) {
                assert_int_equal(status, IG_NOMEM);
                assert_true(r.count == 0 && !r.score && !r.found);
            }
        }
        assert_true(n > 20);
        ig_retrieval_free(&r);
    }
}

/* A value that is not finite is no figure. */
static void test_not_finite(void **state)
{
    ig_retrieval_pairs pairs;
    ig_retrieval r;

    (void)state;
    plant(&(struct kind){.meanings = 30}, 1);
    pairs = pairs_of_set();
    for (int i = 0; i < 2; i++) {
        set.row[set.left[3]][2] = i ? INFINITY : NAN;
        assert_int_equal(measure(&r, &pairs, pools[1], NULL), IG_OK);
        assert_true(isnan(r.mean.top1) && isnan(r.mean.margin) && r.queries == 0);
        assert_string_equal(r.reason, "a value is not finite");
        ig_retrieval_free(&r);
    }
}

static int start(void **state)
{
    (void)state;
    ig_blas_init();
    for (size_t i = 0; i < 3; i++)
        if (ig_pool_new(&pools[i], i + 1, NULL) != IG_OK)
            return 1;
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++)
        ig_pool_delete(pools[i]);
    return 0;
}

SUITE(retrieval_run)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joined),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_watched),    cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_broken_off), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_not_finite),
    };

    return cmocka_run_group_tests(tests, start, end);
}
