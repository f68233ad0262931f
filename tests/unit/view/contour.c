/* Contours of groups: around clusters that are apart, none where they overlap. */
#include "view/contour.h"

#include <math.h>

#include "suite.h"

enum { N = 800 };

/* Two groups of points on sunflower discs of radius 1, `apart`; in alternate order. */
static ig_isoglosses find(float *xy, double apart, size_t steps)
{
    static uint16_t of[N];
    static const ig_colour_group group[2] = {{.name = "a", .shown = true},
                                             {.name = "b", .shown = true}};
    ig_scatter map = {.count = N,
                      .series = 1,
                      .of_series = {{"meaning", xy, true}},
                      .of = of,
                      .groups = 2,
                      .group = group,
                      .steps = steps,
                      .generation = 1};
    ig_isoglosses out = {0};

    for (int i = 0; i < N; i++) {
        double r = sqrt((i / 2 + 0.5) / (N / 2)), angle = 2.399963 * (i / 2) + i % 2;

        of[i] = (uint16_t)(i % 2);
        xy[2 * i] = (float)(r * cos(angle) + (i % 2 ? apart : 0));
        xy[2 * i + 1] = (float)(r * sin(angle));
    }
    assert_int_equal(ig_isoglosses_find(&out, &map, NULL), IG_OK);
    return out;
}

static void around_clusters(void **state)
{
    float xy[2 * N];
    ig_isoglosses out = find(xy, 4, 0);
    double length[2] = {0};

    (void)state;
    for (size_t i = 0; i < out.count; i++) {
        const ig_contour *c = &out.piece[i];
        double x = (double)c->from[0] - 4 * c->group, r = hypot(x, (double)c->from[1]);

        assert_true(r > 0.75 && r < 1.15); /* of its own disc */
        length[c->group] +=
            hypot((double)(c->to[0] - c->from[0]), (double)(c->to[1] - c->from[1]));
    }
    for (int g = 0; g < 2; g++) /* a closed curve */
        assert_true(length[g] > 5.2 && length[g] < 7.2);
    assert_true(out.inside >= 0.94 && out.inside <= 1);
    ig_isoglosses_free(&out);
}

static void none_where_they_overlap(void **state)
{
    float xy[2 * N];
    ig_isoglosses out = find(xy, 1, 0);

    (void)state;
    for (size_t i = 0; i < out.count; i++) /* each on its side */
        assert_true(out.piece[i].group ? out.piece[i].from[0] > -0.15f
                                       : out.piece[i].from[0] < 1.15f);
    assert_true(out.inside > 0.6 && out.inside < 0.85);
    ig_isoglosses_free(&out);
    out = find(xy, 4, 2); /* a scale has none */
    assert_int_equal(out.count, 0);
    assert_true(isnan(out.inside));
    ig_isoglosses_free(&out);
}

SUITE(contour, NULL, NULL, TEST(around_clusters), TEST(none_where_they_overlap))
