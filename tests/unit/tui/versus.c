/* Two runs beside one another: what one finds more or less often than the other. */
#include <math.h>

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"
#include "tui/panels/leakage_panel.h"
#include "tui/verdict.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static void press(scene *s, const char *keys)
{
    press_at(s, keys, 40, 120);
}

static void see(const scene *s, const char *text)
{
    char *screen;

    if (on_screen(s, text))
        return;
    screen = ig_canvas_plain(&s->app.canvas);
    fprintf(stderr, "no \"%s\" on the screen:\n%s", text, screen);
    ig_free(screen);
    fail();
}

static const ig_leakage_view *versus(void)
{
    return ig_leakage_view_at((size_t)ig_leakage_view_named("versus"));
}

static ig_heat_cell cell_of(const ig_snapshot *now, size_t from, size_t to)
{
    const ig_shown_evaluation both =
        ig_leakage_versus(now->evaluation, now->compared_evaluation);
    ig_heat_cell cell = {NAN, NAN, false, 0, 0};

    ig_leakage_cell(versus(), &both, 4, from, to, &cell);
    return cell;
}

static double top1_of(const ig_shown_evaluation *of, size_t from, size_t to)
{
    return ig_figures_find(&of->space[IG_SPACE_MEANING]->figures,
                           ig_measure_named("top1"), from, to)
        ->value;
}

static void test_the_difference_of_two_runs(void **state)
{
    const ig_snapshot *now;
    double before;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":leakage versus<Enter>");
    see(&s, "this takes two runs: m trains another");
    press(&s, " ");
    press(&s, ":method centre<Enter>");
    see(&s, "C puts another run beside this one");
    press(&s, ":panel runs<Enter>gC:leakage versus<Enter>");
    now = s.app.now;
    assert_int_equal(now->evaluation->run, 2);
    assert_int_equal(now->compared_evaluation->run, 1);
    assert_int_equal(now->compared_evaluation->ids, now->evaluation->ids);
    assert_int_equal(now->compared_evaluation->held_out, now->evaluation->held_out);
    see(&s, "top-1 less run 1 seed");
    see(&s, "points more than run 1 seed");
    assert_true(cell_of(now, 1, 1).blank);
    before = cell_of(now, 0, 1).value;
    assert_true(fabs(before - (top1_of(now->evaluation, 0, 1) -
                               top1_of(now->compared_evaluation, 0, 1))) < 1e-12);
    assert_false(isnan(cell_of(now, 0, 4).value)); /* the mean of a row */
    press(&s, "w<Enter>");
    assert_int_equal(access("leakage-versus.csv", R_OK), 0);

    press(&s, ":leakage verdict<Enter>");
    see(&s, "Of 12 directions it is better in");

    press(&s, ":panel runs<Enter>g<Enter>:leakage versus<Enter>"); /* change places */
    now = s.app.now;
    assert_int_equal(now->evaluation->run, 1);
    assert_int_equal(now->compared_evaluation->run, 2);
    press(&s, ":panel runs<Enter>Gggjdd"); /* the other is gone */
    assert_null(s.app.now->compared_evaluation);
    press(&s, ":leakage versus<Enter>");
    see(&s, "this takes two runs");
    close_scene(&s);
}

/* A panel that does not show it asks for nothing. */
static void test_it_is_measured_when_it_is_looked_at(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, " :method centre<Enter>C");
    assert_int_equal(s.app.now->compared_run, 1);
    assert_null(s.app.now->compared_evaluation);
    press(&s, "]");
    assert_non_null(s.app.now->compared_evaluation);
    close_scene(&s);
}

/* --- made up ---------------------------------------------------------------------- */

/* Three languages; the other run was not measured on the last two directions. */
static ig_retrieval_score mine[] = {{.from = 0, .to = 1, .pairs = 10, .top1 = 0.9},
                                    {.from = 0, .to = 2, .pairs = 10, .top1 = 0.5},
                                    {.from = 1, .to = 0, .pairs = 10, .top1 = 0.4},
                                    {.from = 1, .to = 2, .pairs = 10, .top1 = 0.7}};
static ig_retrieval_score theirs[] = {{.from = 0, .to = 1, .pairs = 10, .top1 = 0.6},
                                      {.from = 1, .to = 0, .pairs = 10, .top1 = 0.8}};

static void lay_out(ig_evaluation *e, ig_shown_evaluation *shown,
                    ig_retrieval_score *score, size_t count, double mean)
{
    memset(e, 0, sizeof *e);
    e->taken = IG_MEASURE_RETRIEVAL;
    e->retrieval.score = score;
    e->retrieval.count = count;
    e->retrieval.mean.top1 = mean;
    assert_int_equal(ig_evaluation_append(e, NULL, NULL, NULL), IG_OK);
    memset(shown, 0, sizeof *shown);
    shown->ids = shown->of_ids = 10;
    shown->rows = 30;
    shown->space[IG_SPACE_ORIGINAL] = shown->space[IG_SPACE_MEANING] = e;
}

static void test_languages_that_one_run_lacks(void **state)
{
    static const char *const name[] = {"en", "de", "zh"};
    static ig_evaluation a, b;
    ig_shown_evaluation x, y, both;
    ig_verdict out[IG_VERDICTS];
    ig_heat_cell cell = {NAN, NAN, false, 0, 0};

    (void)state;
    lay_out(&a, &x, mine, 4, 0.625);
    lay_out(&b, &y, theirs, 2, 0.7);
    both = ig_leakage_versus(&x, &y);
    ig_leakage_cell(versus(), &both, 3, 0, 2, &cell);
    assert_true(isnan(cell.value));
    ig_leakage_cell(versus(), &both, 3, 0, 1, &cell);
    assert_true(fabs(cell.value - 0.3) < 1e-12 && cell.tone == 1);

    assert_int_equal(ig_verdict_versus(out, &x, "2 seed", &y, "1 centre", name), 4);
    assert_string_equal(out[0].text, "Run 2 seed finds 7.5 points fewer translations "
                                     "than run 1 centre.");
    assert_string_equal(out[1].text,
                        "Of 2 directions it is better in 1 and worse in 1.");
    assert_string_equal(out[2].text,
                        "Most ahead of run 1 centre: en to de, 30.0 points.");
    assert_true(out[2].has_cell && out[2].from == 0 && out[2].to == 1);
    assert_string_equal(out[3].text, "Most behind: de to en, 40.0 points.");
    y.ids = 9; /* other sentences */
    assert_int_equal(ig_verdict_versus(out, &x, "2 seed", &y, "1 centre", name), 0);
    assert_int_equal(ig_verdict_versus(out, &x, "2 seed", NULL, "1 centre", name), 0);
    ig_figures_free(&a.figures);
    ig_figures_free(&b.figures);
}

SUITE(versus)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_difference_of_two_runs),
        cmocka_unit_test(test_it_is_measured_when_it_is_looked_at),
        cmocka_unit_test(test_languages_that_one_run_lacks),
    };

    return cmocka_run_group_tests_name("versus", tests, scratch_enter, scratch_leave);
}
