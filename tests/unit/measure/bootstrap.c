/* Intervals: draws by weights that are made by hand, and quantiles of numpy.
 * tests/oracle compares intervals of shares. */
#include "measure/bootstrap.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "pooled.h"

enum { ITEMS = 60, UNITS = 20, SEED = 7, UNIT = 900 /* the number of the first */ };

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* How often a draw has a unit: the quantile of Poisson's distribution with mean 1. */
static double weight(size_t b, uint32_t unit)
{
    uint64_t hash = mix(mix(mix(SEED) ^ b) + unit * 0xd1342543de82ef95u);
    double u = (double)(hash >> 32) / 0x1p32, p = exp(-1), sum = p, k = 0;

    while (u >= sum && k < 20)
        sum += p /= ++k;
    return k;
}

static ig_figure *add(ig_figures *f, const char *measure, size_t from, ig_combine how,
                      double height)
{
    ig_figure *row =
        ig_figures_add_items(f, measure, from, IG_ALL_LANGUAGES, how, ITEMS);

    for (uint32_t i = 0; i < ITEMS; i++) {
        row->unit[i] = UNIT + i % UNITS;
        row->item[0][i] = i % 7 == 3 ? NAN : (float)(height + sin((double)i));
        if (row->item[1])
            row->item[1][i] = (float)(2 + cos((double)i));
        if (row->item[2])
            row->item[2][i] = (float)(3 + cos((double)(i * i)));
    }
    ig_figures_close(f, row, NULL);
    return row;
}

/* Its value in a draw. */
static double plain_draw(const ig_figure *f, size_t b)
{
    double sum[3] = {0}, n = 0;

    for (size_t i = 0; i < ITEMS; i++) {
        double w = weight(b, f->unit[i]);

        if (isnan(f->item[0][i]))
            continue;
        n += w;
        for (int k = 0; k < 3; k++)
            sum[k] += f->item[k] ? w * (double)f->item[k][i] : 0;
    }
    return f->how == IG_MEAN       ? sum[0] / n
           : f->how == IG_LOG_MEAN ? log(sum[0] / n)
           : f->how == IG_RATIO    ? sum[0] / sum[1]
                                   : sum[0] / sqrt(sum[1] * sum[2]);
}

static void test_draws(void **state)
{
    const size_t all = IG_ALL_LANGUAGES;
    ig_figures f = {.intervals = true};
    const ig_figure *whole[4] = {add(&f, "alignment", all, IG_MEAN, 3),
                                 add(&f, "uniformity", all, IG_LOG_MEAN, 2),
                                 add(&f, "relative_alignment", all, IG_RATIO, 2),
                                 add(&f, "cka_debiased", all, IG_CORRELATION, 2)};
    ig_figure *part[2] = {add(&f, "similarity_gap", 0, IG_MEAN, 5),
                          add(&f, "similarity_gap", 1, IG_MEAN, 1)};
    const ig_figure *mean =
        ig_figures_add_mean(&f, "similarity_gap", all, all, part, 2, false, NULL);

    ig_figures_sort(&f);
    assert_int_equal(ig_bootstrap(&f, SEED, pool, NULL, NULL), IG_OK);
    for (size_t b = 0; b < IG_DRAWS; b++) {
        for (int i = 0; i < 4; i++)
            assert_near_to(whole[i]->draw[b], plain_draw(whole[i], b), 1e-5);
        assert_near_to(mean->draw[b],
                       (plain_draw(part[0], b) + plain_draw(part[1], b)) / 2, 1e-5);
    }
    assert_null(part[0]->draw);
    assert_true(part[0]->units == UNITS && mean->units == UNITS);
    for (size_t i = 0; i < f.count; i++)
        assert_true(f.row[i]->low < f.row[i]->value &&
                    f.row[i]->value < f.row[i]->high);
    ig_figures_free(&f);
}

/* numpy.percentile(numpy.sin(numpy.arange(n) * 12.9898) * 43758.5453 % 1, [2.5, 97.5]).
 */
static void test_quantiles(void **state)
{
    static const struct {
        size_t n;
        double low, high;
    } known[] = {
        {1, 0.000000000000, 0.000000000000},   {2, 0.023042259745, 0.898648130071},
        {3, 0.002860908468, 0.878466778793},   {7, 0.008582725404, 0.877349847292},
        {100, 0.022474197045, 0.976766683290}, {999, 0.028861713905, 0.979090785523},
        {1000, 0.028339913247, 0.979070192314}};
    static float value[1000];

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        for (size_t i = 0; i < known[k].n; i++) {
            double x = sin((double)i * 12.9898) * 43758.5453;

            value[i] = (float)(x - floor(x));
        }
        assert_near_to(ig_quantile(value, known[k].n, 0.025), known[k].low, 1e-7);
        assert_near_to(ig_quantile(value, known[k].n, 0.975), known[k].high, 1e-7);
    }
}

SUITE(bootstrap, pool_start, pool_end, TEST(test_draws), TEST(test_quantiles))
