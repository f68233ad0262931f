/* The pace: quiet machines try nothing; where members wait for one another, the fastest
 * way is found, and left again when the machine is quiet. */
#include "base/pace.h"

#include "base/random.h"
#include "suite.h"

/* A machine: how fast a way of working is, and how long members wait. */
typedef double machine(ig_pace_way way);

static double quiet(ig_pace_way w)
{
    return (double)w.members * (w.fine ? 0.9 : 1);
}

/* Every member more makes it slower. */
static double crowded(ig_pace_way w)
{
    return 10 / (double)w.members;
}

/* One of the members is slow: small pieces help. */
static double lame(ig_pace_way w)
{
    return (double)w.members * (w.fine ? 0.9 : 0.5);
}

/* Work n stretches; how many of them were tries. */
static size_t work(ig_pace *p, machine *speed, double waited, size_t n)
{
    size_t tries = 0;

    for (size_t i = 0; i < n; i++) {
        ig_pace_way way = ig_pace_next(p);

        assert_in_range(way.members, 1, p->most);
        tries += p->trying &&
                 (way.members != p->way.members || way.fine != p->way.fine);
        ig_pace_tell(p, speed(way), 1, way.members > 1 ? waited : 0);
    }
    return tries;
}

static void test_quiet(void **state)
{
    ig_pace p;

    (void)state;
    ig_pace_init(&p, 8);
    assert_int_equal(work(&p, quiet, 0.05, 1000), 0);
    assert_int_equal(ig_pace_next(&p).members, 8);
    assert_false(ig_pace_next(&p).fine);
    ig_pace_init(&p, 1); /* nothing else can be done */
    assert_int_equal(work(&p, crowded, 0, 100), 0);
}

static void test_crowded_and_back(void **state)
{
    ig_pace p;

    (void)state;
    ig_pace_init(&p, 8);
    work(&p, crowded, 0.6, 60);
    assert_int_equal(p.way.members, 1);
    /* A way that is not faster is tried seldom. */
    assert_in_range(work(&p, crowded, 0.6, 1000), 1, 100);
    work(&p, quiet, 0.02, 200);
    assert_int_equal(p.way.members, 8);
    assert_false(p.way.fine);
}

/* Waiting that nothing helps against costs few tries. */
static void test_waits_in_vain(void **state)
{
    ig_pace p;

    (void)state;
    ig_pace_init(&p, 8);
    assert_in_range(work(&p, quiet, 0.3, 1000), 1, 50);
    assert_int_equal(p.way.members, 8);
}

static void test_small_pieces(void **state)
{
    ig_pace p;

    (void)state;
    ig_pace_init(&p, 4);
    work(&p, lame, 0.4, 40);
    assert_int_equal(p.way.members, 4);
    assert_true(p.way.fine);
    work(&p, quiet, 0.02, 100); /* no longer needed */
    assert_false(p.way.fine);
}

/* Beside other programs: two members are 1.3 times as fast as one, but any stretch may
 * be twice as fast as another of its kind. */
static void test_noise(void **state)
{
    ig_random random;
    ig_pace p;
    size_t both = 0;

    (void)state;
    ig_random_init(&random, 1, 0);
    ig_pace_init(&p, 2);
    for (size_t i = 0; i < 10000; i++) {
        ig_pace_way way = ig_pace_next(&p);
        double luck = 0.7 + 0.7 * ig_random_unit(&random);

        ig_pace_tell(&p, (way.members == 2 ? 1.3 : 1) * luck, 1,
                     way.members == 2 ? 0.4 : 0);
        both += way.members == 2;
    }
    assert_in_range(both, 9000, 10000);
}

SUITE(pace)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quiet),         cmocka_unit_test(test_crowded_and_back),
        cmocka_unit_test(test_waits_in_vain), cmocka_unit_test(test_small_pieces),
        cmocka_unit_test(test_noise),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
