/* The best epoch of a run that has ended, measured on all pairs drawn: broken off, it
 * goes on with the space it was at. */
#include "runs/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

#include "base/random.h"

/* So many that not all pairs are measured beside training. */
enum { IDS = 1000, ROWS = 2 * IDS, DIMS = 192 };

static ig_set *open_set(void)
{
    static char name[IDS][8];
    static const char *lang[ROWS], *id[ROWS];
    static float vectors[ROWS * DIMS];
    ig_random random;
    ig_set *set;

    ig_random_init(&random, 4, 0);
    for (size_t i = 0; i < (size_t)ROWS * DIMS; i++)
        vectors[i] = (float)ig_random_normal(&random);
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(name[i / 2], sizeof name[i / 2], "%zu", i / 2);
        lang[i] = i % 2 ? "en" : "de";
        id[i] = name[i / 2];
    }
    assert_int_equal(
        ig_set_of_rows(&set, "mem", vectors, ROWS, DIMS, lang, NULL, id, NULL), IG_OK);
    return set;
}

static ig_run *train(const ig_set *set, const ig_pairs *pairs)
{
    ig_run_setup setup = {.set = set,
                          .pairs = pairs,
                          .method = "seed",
                          .pairing = "all",
                          .options = ig_train_defaults()};
    ig_run *run;

    setup.options.epochs = 1;
    setup.options.valid = 0;
    assert_int_equal(ig_run_new(&run, &setup, NULL), IG_OK);
    while (ig_run_going(run))
        assert_int_equal(ig_run_epoch(run, NULL, NULL, NULL), IG_OK);
    assert_true(run->measured < run->drawn);
    return run;
}

/* Stops a work once so much of it is done. */
struct stopper {
    ig_watch watch;
    atomic_bool stop;
    double first, last, most;
};

static void tick(void *context, double done)
{
    struct stopper *s = context;

    s->first = s->first > 0 ? s->first : done;
    s->last = done;
    if (done > s->most)
        atomic_store(&s->stop, true);
}

static ig_status finish(ig_run *run, struct stopper *s, double most)
{
    *s = (struct stopper){.most = most};
    s->watch = (ig_watch){.stop = &s->stop, .tick = tick, .context = s};
    return ig_run_finish(run, &s->watch, NULL);
}

static void test_it_goes_on(void **state)
{
    ig_set *set = open_set();
    struct stopper s;
    ig_pairs pairs;
    ig_run *once, *often;
    double work;

    (void)state;
    assert_int_equal(ig_pairs_derive(&pairs, set, "all", NULL), IG_OK);
    once = train(set, &pairs);
    often = train(set, &pairs);
    work = ig_run_finish_work(once);
    assert_int_equal(finish(once, &s, INFINITY), IG_OK);
    assert_true(once->finished && s.first < 0.2 * work);
    assert_int_equal(finish(often, &s, 0.4 * work), IG_INTERRUPTED);
    assert_false(often->finished);
    assert_int_equal(finish(often, &s, 0.7 * work), IG_INTERRUPTED);
    assert_true(s.first > 0.3 * work); /* the first space is not measured again */
    assert_int_equal(finish(often, &s, INFINITY), IG_OK);
    assert_true(often->finished && s.first > 0.6 * work);
    for (int space = 0; space < IG_SPACES; space++) {
        const ig_geometry *a = &once->final[space], *b = &often->final[space];

        assert_memory_equal(&a->alignment, &b->alignment, sizeof a->alignment);
        assert_memory_equal(&a->uniformity, &b->uniformity, sizeof a->uniformity);
    }
    ig_run_delete(once);
    ig_run_delete(often);
    ig_pairs_free(&pairs);
    ig_set_free(set);
}

SUITE(finish)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_it_goes_on)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
