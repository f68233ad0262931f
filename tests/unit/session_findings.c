/* The measures of a session: of what, when, and what they say of rows; and its report.
 * Run under ThreadSanitizer as well. */
#include "isogloss/live/session.h"

#include <math.h>
#include <poll.h>

#include "explorer.h"
#include "isogloss/base/file.h"
#include "scratch.h"

enum { SECONDS = 120 };

/* 30 ids in 4 languages, 3 of them held out. */
static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

typedef struct bench {
    scene s;
    ig_want want;
    ig_snapshot *now;
} bench;

static void take(bench *b)
{
    ig_snapshot *now = ig_session_take(b->s.session);

    if (now) {
        ig_snapshot_free(b->now);
        b->now = now;
    }
}

static void settle(bench *b)
{
    ig_session_want(b->s.session, &b->want);
    ig_session_settle(b->s.session);
    take(b);
}

static void open_bench(bench *b, const struct look *look, size_t threads)
{
    open_scene(&b->s, look, threads);
    b->want = b->s.app.want;
    b->want.findings = true;
    b->now = NULL;
}

static void close_bench(bench *b)
{
    ig_snapshot_free(b->now);
    close_scene(&b->s);
}

static void test_nothing_is_measured_unasked(void **state)
{
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    b.want.findings = false;
    settle(&b);
    assert_null(b.now->findings);
    close_bench(&b);
}

static void test_the_originals_before_a_run(void **state)
{
    const ig_findings *f;
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    settle(&b);
    f = b.now->findings;
    assert_non_null(f);
    assert_int_equal(f->run, 0);
    assert_false(f->held_out);
    assert_int_equal(f->ids, 30);
    assert_int_equal(f->of_ids, 30);
    assert_int_equal(f->rows, 120);
    assert_non_null(f->space[IG_SPACE_ORIGINAL]);
    assert_null(f->space[IG_SPACE_MEANING]);
    assert_int_equal(f->space[IG_SPACE_ORIGINAL]->taken,
                     IG_MEASURE_ALL & ~IG_MEASURE_SIMILARITY);
    assert_int_equal(f->space[IG_SPACE_ORIGINAL]->retrieval.count, 12);
    assert_null(f->value[IG_VALUE_LEAK]); /* there are no language embeddings */
    assert_non_null(f->value[IG_VALUE_RANK]);
    assert_false(b.now->measuring);
    close_bench(&b);
}

static void test_held_out_ids_of_a_run_or_all(void **state)
{
    const ig_evaluation *original;
    unsigned long serial;
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    b.want.start++;
    settle(&b);
    assert_true(b.now->findings->held_out);
    assert_int_equal(b.now->findings->run, b.now->shown_run);
    assert_int_equal(b.now->findings->ids, 3);
    assert_int_equal(b.now->findings->of_ids, 3);
    assert_int_equal(b.now->findings->rows, 12);
    assert_int_equal(b.now->findings->epoch, b.now->shown);
    serial = b.now->findings->serial;
    settle(&b); /* the same is not measured again */
    assert_int_equal(b.now->findings->serial, serial);
    b.want.all_rows = true;
    settle(&b);
    assert_false(b.now->findings->held_out);
    assert_int_equal(b.now->findings->ids, 30);
    assert_int_equal(b.now->findings->rows, 120);
    for (int s = 0; s < IG_SPACES; s++)
        assert_int_equal(b.now->findings->space[s]->retrieval.count, 12);
    /* Other weights: the originals are not measured anew. */
    original = b.now->findings->space[IG_SPACE_ORIGINAL];
    serial = b.now->findings->serial;
    b.want.looking = true;
    b.want.look = 0;
    settle(&b);
    assert_int_not_equal(b.now->findings->serial, serial);
    assert_int_equal(b.now->findings->epoch, 0);
    assert_ptr_equal(b.now->findings->space[IG_SPACE_ORIGINAL], original);
    close_bench(&b);
}

/* By hand from what was found. */
static void test_values_of_rows(void **state)
{
    const ig_retrieval *meaning, *language;
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    b.want.start++;
    b.want.all_rows = true;
    settle(&b);
    meaning = &b.now->findings->space[IG_SPACE_MEANING]->retrieval;
    language = &b.now->findings->space[IG_SPACE_LANGUAGE]->retrieval;
    for (uint32_t row = 0; row < 120; row += 17) {
        double alignment = 0, rank = 0, leak = 0;
        const ig_findings *f = b.now->findings;

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

static void test_sets_of_which_little_can_be_said(void **state)
{
    static const struct look look[] = {
        {12, 4, 1, true, true, false, false, 0},  /* one language */
        {4, 4, 4, true, true, false, false, 0},   /* a row a language */
        {12, 4, 3, true, false, false, false, 0}, /* no ids */
        {12, 4, 3, true, true, false, true, 0},   /* zero rows */
        {1, 1, 1, false, false, false, false, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof look / sizeof *look; i++) {
        bench b;

        open_bench(&b, &look[i], 1);
        settle(&b);
        assert_false(b.now->is_error);
        assert_non_null(b.now->findings);
        close_bench(&b);
    }
}

/* With a worker: measures come while it trains, commands are heard, and giving up leaves
 * what there is. */
static void test_beside_training(void **state)
{
    bench b;
    ig_error error;
    unsigned long seen = 0, steps = 0;

    (void)state;
    open_bench(&b, &usual, 2);
    b.want.options.epochs = 200;
    b.want.options.patience = 0;
    b.want.start++;
    assert_int_equal(ig_session_start(b.s.session, &error), IG_OK);
    ig_session_want(b.s.session, &b.want);
    for (int tries = 0; tries < SECONDS * 10; tries++) {
        struct pollfd fd = {.fd = ig_session_fd(b.s.session), .events = POLLIN};

        poll(&fd, 1, 100);
        take(&b);
        if (b.now && b.now->findings && b.now->findings->serial != seen) {
            seen = b.now->findings->serial;
            b.want.row = (uint32_t)(steps++ % 120);
            b.want.all_rows = steps % 2;
            b.want.exact += steps % 3 == 0;
            b.want.cease += steps % 5 == 0;
            ig_session_want(b.s.session, &b.want);
        }
        if (b.now && b.now->activity == IG_FINISHED && b.now->findings &&
            b.now->findings->epoch == b.now->shown)
            break;
    }
    assert_int_equal(b.now->activity, IG_FINISHED);
    assert_true(seen > 1);
    close_bench(&b);
}

static void test_a_report_of_all_runs(void **state)
{
    static const char *const ending[] = {"html", "md"};
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    b.want.start++;
    settle(&b);
    snprintf(b.want.method, sizeof b.want.method, "centre");
    b.want.start++;
    settle(&b);
    for (int i = 0; i < 2; i++) {
        ig_mapping file;

        snprintf(b.want.path, sizeof b.want.path, "report.%s", ending[i]);
        b.want.save++;
        settle(&b);
        if (b.now->is_error)
            fail_msg("%s", b.now->message);
        assert_non_null(strstr(b.now->message, "report of 2 runs"));
        assert_int_equal(ig_mapping_open(&file, b.want.path, NULL), IG_OK);
        assert_true(file.size > 1000);
        ig_mapping_close(&file);
    }
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_measured_unasked),
        cmocka_unit_test(test_the_originals_before_a_run),
        cmocka_unit_test(test_held_out_ids_of_a_run_or_all),
        cmocka_unit_test(test_values_of_rows),
        cmocka_unit_test(test_sets_of_which_little_can_be_said),
        cmocka_unit_test(test_beside_training),
        cmocka_unit_test(test_a_report_of_all_runs),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
