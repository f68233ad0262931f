/* The measures of a session: of what, when, and what they say of rows; and its report.
 * Run under ThreadSanitizer as well. */
#include "explorer/session.h"

#include <math.h>

#include "explorer/panels/leakage_panel.h"
#include "scratch.h"
#include "settled.h"
#include "stepped.h"

static void open_measured(bench *b, const struct look *look, size_t threads)
{
    open_bench(b, look, threads);
    b->s.session->view.asks |= IG_ASKS_EVALUATION;
}

static void start(bench *b)
{
    command(b->s.session, &b->s.app.start);
}

/* By hand from what was found. */
static void test_values_of_rows(void **state)
{
    const ig_retrieval *meaning, *language;
    bench b;

    open_measured(&b, &usual, 1);
    start(&b);
    b.s.session->view.all_rows = true;
    settle(&b);
    meaning = &b.now->evaluation->space[IG_SPACE_MEANING]->retrieval;
    language = &b.now->evaluation->space[IG_SPACE_LANGUAGE]->retrieval;
    for (uint32_t row = 0; row < 120; row += 17) {
        double alignment = 0, rank = 0, leak = 0;
        const ig_shown_evaluation *f = b.now->evaluation;

        for (size_t i = 0; i < meaning->queries; i++)
            if (meaning->found[i].query == row) {
                alignment += 2 - 2 * (double)meaning->found[i].cosine;
                rank += meaning->found[i].rank;
            }
        for (size_t i = 0; i < language->queries; i++)
            if (language->found[i].query == row && !language->found[i].tied)
                leak += 1.0 / language->found[i].rank;
        assert_float_equal(f->value[IG_VALUE_ALIGNMENT][row], alignment / 3, 1e-5);
        assert_float_equal(f->value[IG_VALUE_RANK][row], rank / 3, 1e-5);
        assert_float_equal(f->value[IG_VALUE_LEAK][row], leak / 3, 1e-5);
    }
    close_bench(&b);
}

/* Figures of other rows or another epoch are dim, with their own source. */
static void test_old_figures(void **state)
{
    bench b;
    ig_app *app = &b.s.app;
    ig_rect in;

    open_measured(&b, &usual, 1);
    start(&b);
    settle(&b);
    for (int of = 0; of < 3; of++) {
        size_t bright = 0;
        char *text, source[64];

        b.s.session->view.all_rows = of == 1;
        b.s.session->view.looking = of == 2;
        ig_training_show(b.s.session);
        assert_int_equal(ig_session_old(b.now, IG_PRODUCT_EVALUATION), of > 0);
        ig_leakage_show(app, 2);
        assert_int_equal(ig_explorer_draw(app, 40, 120, NULL), IG_OK);
        in = ig_app_pane(app, &ig_leakage_panel).inside;
        for (int row = in.row; row < in.row + in.rows; row++)
            for (int col = in.col; col < in.col + in.cols; col++)
                bright += ig_canvas_cell(&app->canvas, row, col)->style.fg !=
                          IG_COLOUR_DIM;
        assert_int_equal(bright == 0, of > 0);
        text = ig_canvas_format(&app->canvas, false);
        snprintf(source, sizeof source, "epoch %zu, 3 validation ids",
                 b.now->info->best);
        assert_non_null(strstr(text, source));
        snprintf(source, sizeof source, "epoch %zu, all 120 rows",
                 b.now->map->by.epoch);
        assert_non_null(strstr(text, source)); /* also if it is an older one */
        ig_free(text);
    }
    settle(&b);
    assert_false(ig_session_old(b.now, IG_PRODUCT_EVALUATION));
    close_bench(&b);
}

/* With threads: measures come while it trains, commands are heard, and giving up
 * leaves what there is. */
static void test_beside_training(void **state)
{
    bench b;
    unsigned long seen = 0, steps = 0;

    open_measured(&b, &usual, 2);
    b.s.app.start.options.epochs = 1000000;
    b.s.app.start.options.patience = 0;
    ig_session_start(b.s.session);
    command(b.s.session, &b.s.app.start);
    do {
        step(b.s.session);
        if (b.now->evaluation && b.now->evaluation->serial != seen) {
            seen = b.now->evaluation->serial;
            b.s.session->view.row = (uint32_t)(steps++ % 120);
            b.s.session->view.all_rows = steps % 2;
            if (steps % 2 == 0)
                b.s.session->main.asked++;
            if (steps == 3)
                ig_session_cancel(b.s.session);
            if (steps == 4)
                post(&b, IG_COMMAND_STOP, 0, "");
        }
    } while (b.now->activity != IG_FINISHED || !b.now->evaluation ||
             b.now->evaluation->by.epoch != b.now->main.shown->epoch);
    close_bench(&b);
}

/* What was cancelled does not begin again with the same weights. */
static void test_given_up(void **state)
{
    bench b;
    ig_result *r;

    open_measured(&b, &usual, 2);
    r = &b.s.session->result[IG_PRODUCT_EVALUATION];
    while (!r->job)
        step(b.s.session);
    ig_session_cancel(b.s.session);
    while (r->job)
        step(b.s.session);
    assert_string_equal(r->failure, "cancelled");
    assert_true(ig_session_measured(b.now) < 0);
    close_bench(&b);
}

/* Half of a sample is too few rows to fit a probe on. */
static void test_no_probe_of_a_sample(void **state)
{
    const struct look look = {120, 8, 4, true, true, false, false, 0.8};
    char *text;
    bench b;

    open_measured(&b, &look, 1);
    make_large(b.s.session, 1);
    drive(b.s.session);
    command(b.s.session, &b.s.app.start);
    do
        step(b.s.session);
    while (!b.now->evaluation || !b.now->evaluation->by.run);
    assert_true(b.now->evaluation->ids < b.now->evaluation->of_ids);
    assert_int_equal(
        b.now->evaluation->space[IG_SPACE_MEANING]->taken & IG_MEASURE_PROBE, 0);
    for (int view = 0; view < 2; view++) { /* findings, main measures */
        ig_leakage_show(&b.s.app, (size_t)view);
        assert_int_equal(
            ig_explorer_draw(&b.s.app, 40 - 16 * view, 120 - 40 * view, NULL), IG_OK);
        text = ig_canvas_format(&b.s.app.canvas, false);
        assert_non_null(strstr(text, view ? "estim., z: more" : "Estimates (sample "));
        ig_free(text);
    }
    close_bench(&b);
}

SUITE(session_evaluation, scratch_enter, scratch_leave, TEST(test_values_of_rows),
      TEST(test_old_figures), TEST(test_beside_training), TEST(test_given_up),
      TEST(test_no_probe_of_a_sample))
