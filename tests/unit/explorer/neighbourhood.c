/* The worker's neighbours: cosines, ranks and translations against a plain computation,
 * and sets too large to be kept in memory. */
#include <math.h>

#include "explorer.h"
#include "scratch.h"
#include "stepped.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

/* Let all work end. */
static const ig_neighbours *settle(scene *s, uint32_t row)
{
    s->app.view->row = row;
    ig_session_settle(s->session);
    ig_explorer_update(&s->app);
    assert_non_null(s->app.now->neighbours);
    assert_int_equal(s->app.now->neighbours->row, row);
    return s->app.now->neighbours;
}

static double cosine(const scene *s, size_t a, size_t b)
{
    size_t d = s->set->dims;
    double ab = 0, aa = 0, bb = 0;

    for (size_t j = 0; j < d; j++) {
        double x = (double)s->row[a * d + j], y = (double)s->row[b * d + j];

        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return ab / sqrt(aa * bb);
}

static size_t rank(const scene *s, size_t query, size_t target)
{
    size_t found = 1;

    for (size_t i = 0; i < s->set->rows; i++)
        found += i != query && s->set->lang[i] == s->set->lang[target] &&
                 cosine(s, query, i) > cosine(s, query, target) + 1e-7;
    return found;
}

static void test_figures(void **state)
{
    scene s;

    open_scene(&s, &usual, 2);
    for (uint32_t row = 0; row < 120; row += 17) {
        const ig_neighbours *n = settle(&s, row);

        assert_false(n->has[1]);
        assert_int_equal(n->count[0], 20);
        for (size_t i = 0; i < n->count[0]; i++) {
            const ig_neighbour *near = &n->near[0][i];

            assert_near_to((double)near->cosine, cosine(&s, row, near->row), 1e-6);
            assert_int_equal(near->translation, near->row / 4 == row / 4);
        }
        assert_int_equal(n->translations, 3);
        assert_int_equal(n->listed, 3);
        for (size_t i = 0; i < n->listed; i++) {
            const ig_translation *t = &n->translation[i];

            assert_int_equal(t->row / 4, row / 4);
            assert_true(i == 0 || s.set->lang[t->row] > s.set->lang[t[-1].row]);
            assert_int_equal(t->rank[0], rank(&s, row, t->row));
        }
    }
    close_scene(&s);
}

/* --- large sets ---------------------------------------------------------------------
 * */

static void train(scene *s, const char *method, bool large)
{
    open_scene(s, &usual, 1);
    if (large)
        make_large(s->session, 0);
    snprintf(s->app.start.method, sizeof s->app.start.method, "%s", method);
    command(s->session, &s->app.start);
}

static void check_same(const scene *s, const ig_neighbours *a, const ig_neighbours *b)
{
    (void)s;
    for (int space = 0; space < IG_SPACES; space++) {
        assert_int_equal(a->has[space], b->has[space]);
        assert_int_equal(a->count[space], b->count[space]);
        for (size_t i = 0; i < a->count[space]; i++) {
            assert_int_equal(a->near[space][i].row, b->near[space][i].row);
            assert_near_to((double)a->near[space][i].cosine,
                           (double)b->near[space][i].cosine, 1e-5);
        }
        for (size_t i = 0; a->has[space] && i < a->listed; i++)
            assert_int_equal(a->translation[i].rank[space],
                             b->translation[i].rank[space]);
    }
    assert_int_equal(a->by.epoch, b->by.epoch);
}

/* What is searched without the rows in memory is what is searched with them. */
static void test_large_sets(void **state)
{
    static const char *const method[] = {"seed", "dream", "structure", "baseline"};
    static scene small, large;

    for (size_t m = 0; m < sizeof method / sizeof *method; m++) {
        train(&small, method[m], false);
        train(&large, method[m], true);
        for (uint32_t row = 3; row < 60; row += 19)
            check_same(&small, settle(&small, row), settle(&large, row));
        assert_true(large.app.now->neighbours->has[IG_SPACE_MEANING]);
        assert_null(large.session->main.shown->kept.head);
        assert_non_null(small.session->main.shown->kept.head);
        close_scene(&small);
        close_scene(&large);
    }
}

SUITE(neighbourhood, scratch_enter, scratch_leave, TEST(test_figures),
      TEST(test_large_sets))
