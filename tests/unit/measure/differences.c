/* Tests of differences against values of SciPy 1.17, and of draws that are known. */
#include "measure/bootstrap.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"

/* scipy.stats.t.ppf(.975, f), and of 2 · scipy.stats.t.sf(2, 5). */
static void test_t(void **state)
{
    static const double known[][3] = {{.05, 1, 12.706204736432095},
                                      {.05, 9, 2.262157162740992},
                                      {.05, 149, 1.976013177679121},
                                      {0.10193947882985828, 5, 2}};

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_near_to(ig_t_quantile(known[i][0], known[i][1]), known[i][2], 1e-7);
}

static const ig_difference *named(const ig_difference *of, size_t count,
                                  const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(of[i].measure->name, key) == 0)
            return &of[i];
    fail_msg("no difference of %s", key);
    return NULL;
}

static size_t take_one(ig_difference *of, const ig_figures *first,
                       const ig_figures *second)
{
    return ig_differences_take(of, (ig_seeds){&first, 1}, (ig_seeds){&second, 1});
}

enum { SEEDS = 3, UNITS = 50 };

/* Add a figure whose draws are its value and a wave of that height. */
static void add_waved(ig_figures *e, const char *measure, double value, double height)
{
    ig_figure *row = ig_figures_add(e, measure, value, NULL);

    row->units = UNITS;
    row->draw = ig_arena_array(&e->arena, IG_DRAWS, sizeof *row->draw);
    for (size_t b = 0; b < IG_DRAWS; b++)
        row->draw[b] = (float)(value + height * sin((double)b));
}

/* Draws that are NaN do not count, and half of them are too many. */
static void test_nan_draws(void **state)
{
    (void)state;
    for (size_t nan = 2; nan < 4; nan++) { /* of 5 */
        ig_figures e[2] = {{0}, {0}};
        ig_difference of[IG_CHOICE_MAX];
        double half = ig_t_quantile(0.05, UNITS - 1) * .01 * sqrt(.5);

        for (int k = 0; k < 2; k++)
            add_waved(&e[k], "alignment", k * .02, k * .01);
        for (size_t b = 0; b < IG_DRAWS; b++)
            if (b % 5 < nan)
                e[1].row[0]->draw[b] = NAN;
        assert_int_equal(take_one(of, &e[0], &e[1]), nan == 2);
        if (nan == 2)
            assert_near_to(of->high - of->value, half, half / 50);
        for (int k = 0; k < 2; k++)
            ig_figures_free(&e[k]);
    }
}

/* Holm's correction, by his steps: the smallest p times 5, the next times 4 …; two are
 * equal. */
static void test_holm(void **state)
{
    static const char *const measure[] = {"alignment", "uniformity", "top1", "pearson",
                                          "isoscore"};
    static const double value[] = {.021, .018, .018, .03, .001};
    ig_figures e[2] = {{0}, {0}};
    ig_difference of[IG_CHOICE_MAX], one;
    double least = 0;

    (void)state;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 2; k++)
            add_waved(&e[k], measure[i], k * value[i], k ? .01 : 0);
    for (int k = 0; k < 2; k++)
        ig_figures_sort(&e[k]);
    assert_int_equal(take_one(of, &e[0], &e[1]), 5);
    for (int i = 0; i < 5; i++) {
        static const int order[] = {3, 0, 2, 1, 4}; /* by falling value */
        const ig_difference *d = named(of, 5, measure[order[i]]);
        const ig_figures *run[] = {&e[0], &e[1]};

        one =
            ig_difference_take(d->measure, (ig_seeds){run, 1}, (ig_seeds){run + 1, 1});
        least = fmin(1, fmax(least, (5 - i) * one.holm));
        assert_true(one.holm > 0 && one.holm < 1);
        assert_near_to(d->holm, least, 1e-12);
    }
    for (int k = 0; k < 2; k++)
        ig_figures_free(&e[k]);
}

/* Means over seeds, V and Welch's degrees of freedom, written out: of 3 and 3 seeds, of
 * 3 and one, of one and one. The waves of both sides cancel as far as they are equal. */
static void test_seeds(void **state)
{
    static const struct {
        size_t count[2];
        double value[2][SEEDS], height[2];
        bool significant;
    } cases[] = {
        {{3, 3}, {{.50, .52, .54}, {.60, .61, .62}}, {.01, .03}, true},
        {{3, 3}, {{.40, .52, .64}, {.50, .61, .72}}, {.01, .03}, false},
        {{1, 3}, {{.5}, {.53, .60, .67}}, {0, .001}, false},
        {{1, 1}, {{.5}, {.52}}, {.01, .03}, false},
        {{1, 1}, {{.5}, {.53}}, {.01, .02}, true},
        {{1, 1}, {{.5}, {.5004}}, {.01, .0100001}, false}, /* it rounds to 0 */
        {{2, 2}, {{.5, .5}, {.5, .5}}, {.01, .01}, false},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const ig_figures *run[2][SEEDS];
        ig_figures e[2][SEEDS];
        double mean[2] = {0}, part[3], ids = 0, all, freedom, t;
        ig_difference d[128];

        for (int k = 0; k < 2; k++) {
            size_t n = cases[c].count[k];

            part[k] = 0;
            for (size_t i = 0; i < n; i++) {
                e[k][i] = (ig_figures){0};
                add_waved(&e[k][i], "alignment", cases[c].value[k][i],
                          cases[c].height[k]);
                run[k][i] = &e[k][i];
                mean[k] += cases[c].value[k][i] / (double)n;
            }
            for (size_t i = 0; i < n && n > 1; i++)
                part[k] += pow(cases[c].value[k][i] - mean[k], 2) / (double)(n - 1) /
                           (double)n;
        }
        /* Σ sin² over b, less the mean: half of the height's square. */
        for (size_t b = 0; b < IG_DRAWS; b++)
            ids += pow((cases[c].height[1] - cases[c].height[0]) * sin((double)b), 2) /
                   (IG_DRAWS - 1);
        part[2] = ids;
        all = part[0] + part[1] + part[2];
        freedom = pow(part[2], 2) / (UNITS - 1);
        for (int k = 0; k < 2; k++)
            if (cases[c].count[k] > 1)
                freedom += pow(part[k], 2) / (double)(cases[c].count[k] - 1);
        freedom = freedom > 0 ? all * all / freedom : UNITS - 1;
        t = ig_t_quantile(0.05, freedom) * sqrt(all);
        assert_int_equal(ig_differences_take(d, (ig_seeds){run[0], cases[c].count[0]},
                                             (ig_seeds){run[1], cases[c].count[1]}),
                         1);
        assert_near_to(d->value, mean[1] - mean[0], 1e-12);
        assert_near_to(d->low, mean[1] - mean[0] - t, 1e-4 * t + 1e-7);
        assert_near_to(d->high, mean[1] - mean[0] + t, 1e-4 * t + 1e-7);
        if (d->holm > 1e-6 && d->holm < 1)
            assert_near_to(ig_t_quantile(d->holm, freedom),
                           fabs(mean[1] - mean[0]) / sqrt(all), 1e-3);
        assert_int_equal(d->significant, cases[c].significant);
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; i < cases[c].count[k]; i++)
                ig_figures_free(&e[k][i]);
    }
}

SUITE(differences, NULL, NULL, TEST(test_t), TEST(test_holm), TEST(test_nan_draws),
      TEST(test_seeds))
