/* The measures of a session: of what, when, and what they say of rows; and its report.
 * Run under ThreadSanitizer as well. */
#include "worker/session.h"

#include <math.h>
#include <poll.h>

#include "base/file.h"
#include "explorer.h"
#include "scratch.h"
#include "stepped.h"

/* 30 ids in 4 languages, 3 of them held out. */
static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

typedef struct bench {
    scene s;
    ig_view_request request;
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
    ig_session_request(b->s.session, &b->request);
    ig_session_settle(b->s.session);
    take(b);
}

static void start(bench *b)
{
    command(b->s.session, &b->s.app.start, NULL);
}

static void save(bench *b, const char *path)
{
    ig_command one = {.kind = IG_COMMAND_SAVE};

    snprintf(one.path, sizeof one.path, "%s", path);
    command(b->s.session, &one, NULL);
}

static void open_bench(bench *b, const struct look *look, size_t threads)
{
    open_scene(&b->s, look, threads);
    b->request = b->s.app.request;
    b->request.asks |= IG_ASKS_EVALUATION;
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
    b.request.asks &= ~(unsigned)IG_ASKS_EVALUATION;
    settle(&b);
    assert_null(b.now->evaluation);
    close_bench(&b);
}

static void test_the_originals_before_a_run(void **state)
{
    const ig_shown_evaluation *f;
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    settle(&b);
    f = b.now->evaluation;
    assert_non_null(f);
    assert_int_equal(f->run, 0);
    assert_false(f->held_out);
    assert_int_equal(f->ids, 30);
    assert_int_equal(f->of_ids, 30);
    assert_int_equal(f->rows, 120);
    assert_non_null(f->space[IG_SPACE_ORIGINAL]);
    assert_null(f->space[IG_SPACE_MEANING]);
    assert_int_equal(f->space[IG_SPACE_ORIGINAL]->taken,
                     IG_MEASURE_ALL &
                         ~(IG_MEASURE_SIMILARITY | IG_MEASURE_REVERSIBILITY |
                           IG_MEASURE_LABEL_TRANSFER));
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
    start(&b);
    settle(&b);
    assert_true(b.now->evaluation->held_out);
    assert_int_equal(b.now->evaluation->run, b.now->shown_run);
    assert_int_equal(b.now->evaluation->ids, 3);
    assert_int_equal(b.now->evaluation->of_ids, 3);
    assert_int_equal(b.now->evaluation->rows, 12);
    assert_int_equal(b.now->evaluation->epoch, b.now->shown);
    serial = b.now->evaluation->serial;
    settle(&b); /* the same is not measured again */
    assert_int_equal(b.now->evaluation->serial, serial);
    b.request.all_rows = true;
    settle(&b);
    assert_false(b.now->evaluation->held_out);
    assert_int_equal(b.now->evaluation->ids, 30);
    assert_int_equal(b.now->evaluation->rows, 120);
    for (int s = 0; s < IG_SPACES; s++)
        assert_int_equal(b.now->evaluation->space[s]->retrieval.count, 12);
    /* Other weights: the originals are not measured anew. */
    original = b.now->evaluation->space[IG_SPACE_ORIGINAL];
    serial = b.now->evaluation->serial;
    b.request.looking = true;
    b.request.epoch = 0;
    settle(&b);
    assert_int_not_equal(b.now->evaluation->serial, serial);
    assert_int_equal(b.now->evaluation->epoch, 0);
    assert_ptr_equal(b.now->evaluation->space[IG_SPACE_ORIGINAL], original);
    close_bench(&b);
}

/* By hand from what was found. */
static void test_values_of_rows(void **state)
{
    const ig_retrieval *meaning, *language;
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    start(&b);
    b.request.all_rows = true;
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

/* Weights of one run are never measured in the name of another that has none yet. */
static void test_a_run_that_has_not_begun(void **state)
{
    const ig_shown_evaluation *f;
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    start(&b);
    settle(&b);
    assert_int_equal(b.now->evaluation->run, 1);
    b.s.app.start.options.seed = 9;
    b.request.paused = true;
    start(&b);
    settle(&b);
    assert_int_equal(b.now->shown_run, 2);
    f = b.now->evaluation;
    assert_int_equal(f->run, 1);
    assert_int_equal(f->epoch, b.now->run_line[0].best);
    assert_false(b.now->measuring);
    b.request.paused = false;
    settle(&b);
    assert_int_equal(b.now->evaluation->run, 2);
    close_bench(&b);
}

/* Where the matrix has no rank, a row has none. */
static void test_values_that_ties_decide(void **state)
{
    static const struct look alone = {4, 4, 4, true, true, false, false, 0};
    static const struct look same = {120, 8, 4, true, true, true, false, 0};
    const struct look *look[] = {&alone, &same};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        bench b;

        open_bench(&b, look[i], 1);
        snprintf(b.s.app.start.method, sizeof b.s.app.start.method, "centre");
        start(&b);
        settle(&b);
        assert_true(isnan(
            b.now->evaluation->space[IG_SPACE_LANGUAGE]->retrieval.score[0].top1));
        for (size_t row = 0; row < look[i]->rows; row++) {
            const ig_shown_evaluation *f = b.now->evaluation;

            assert_true(isnan(f->value[IG_VALUE_RANK][row]));
            assert_false(isnan(f->value[IG_VALUE_ALIGNMENT][row]));
            /* One row alone is found by whatever is sought; of equal ones none is. */
            assert_true(i == 0 ? isnan(f->value[IG_VALUE_LEAK][row])
                               : f->value[IG_VALUE_LEAK][row] == 0);
        }
        close_bench(&b);
    }
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
        assert_non_null(b.now->evaluation);
        close_bench(&b);
    }
}

/* Rows without pairs are many, too: a sample of them comes first, all when there is
 * nothing else to do. */
static void test_many_rows_without_ids(void **state)
{
    enum { ROWS = 12000, DIMS = 96 };
    static float row[ROWS * DIMS];
    static const char *lang[ROWS];
    ig_view_request want = ig_view_request_defaults();
    ig_pairs none = {0};
    ig_random random;
    ig_session *session;
    ig_snapshot *now = NULL;
    ig_set *set;
    bool sampled = false;

    (void)state;
    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < ROWS * DIMS; i++)
        row[i] = (float)ig_random_normal(&random);
    for (size_t i = 0; i < ROWS; i++)
        lang[i] = i % 3 ? "en" : "de";
    assert_int_equal(
        ig_set_of_rows(&set, "set", row, ROWS, DIMS, lang, NULL, NULL, NULL), IG_OK);
    assert_int_equal(ig_session_new(&session, set, &none, "all", NULL, NULL), IG_OK);
    want.asks |= IG_ASKS_EVALUATION;
    ig_session_request(session, &want);
    while (ig_session_step(session) == 0) {
        ig_snapshot *next = ig_session_take(session);
        const ig_shown_evaluation *f = next ? next->evaluation : NULL;

        if (next) {
            ig_snapshot_free(now);
            now = next;
        }
        if (!f)
            continue;
        assert_int_equal(f->of_rows, ROWS);
        assert_int_equal(f->space[IG_SPACE_ORIGINAL]->rows, f->rows);
        sampled |= f->rows < ROWS;
    }
    assert_true(sampled);
    assert_int_equal(now->evaluation->rows, ROWS);
    ig_snapshot_free(now);
    ig_session_delete(session);
    ig_set_free(set);
}

/* With a worker: measures come while it trains, commands are heard, and giving up
 * leaves what there is. */
static void test_beside_training(void **state)
{
    bench b;
    ig_error error;
    unsigned long seen = 0, steps = 0;

    (void)state;
    open_bench(&b, &usual, 2);
    b.s.app.start.options.epochs = 80;
    b.s.app.start.options.patience = 0;
    assert_int_equal(ig_session_start(b.s.session, &error), IG_OK);
    command(b.s.session, &b.s.app.start, &b.request);
    do {
        struct pollfd fd = {.fd = ig_session_fd(b.s.session), .events = POLLIN};

        poll(&fd, 1, -1);
        take(&b);
        if (b.now && b.now->evaluation && b.now->evaluation->serial != seen) {
            seen = b.now->evaluation->serial;
            b.request.row = (uint32_t)(steps++ % 120);
            b.request.all_rows = steps % 2;
            if (steps % 3 == 0)
                command(b.s.session, &(ig_command){.kind = IG_COMMAND_MEASURE}, NULL);
            if (steps % 5 == 0)
                command(b.s.session, &(ig_command){.kind = IG_COMMAND_CANCEL}, NULL);
            ig_session_request(b.s.session, &b.request);
        }
    } while (!b.now || b.now->activity != IG_FINISHED || !b.now->evaluation ||
             b.now->evaluation->epoch != b.now->shown);
    assert_int_equal(b.now->activity, IG_FINISHED);
    assert_true(seen > 1);
    close_bench(&b);
}

/* Every step another wish for measures: it trains on all the same. */
static void test_wishes_leave_time_for_training(void **state)
{
    enum { STEPS = 400 };
    bench b;
    size_t before;

    (void)state;
    open_bench(&b, &usual, 1);
    drive(b.s.session);
    b.s.app.start.options.epochs = 100000;
    b.s.app.start.options.patience = 0;
    start(&b);
    ig_session_request(b.s.session, &b.request);
    while (b.s.session->training.runs.count == 0 ||
           b.s.session->training.newest->run->records < 3)
        assert_true(ig_session_step(b.s.session) >= 0);
    before = b.s.session->training.newest->run->records;
    for (int i = 0; i < STEPS; i++) {
        b.request.all_rows = !b.request.all_rows;
        command(b.s.session, &(ig_command){.kind = IG_COMMAND_MEASURE}, &b.request);
        ig_session_step(b.s.session); /* hears of it */
        ig_session_step(b.s.session);
    }
    assert_true(b.s.session->training.newest->run->records - before > STEPS / 4);
    close_bench(&b);
}

/* Moves the cursor amid a long job, each time that it looks up. */
static struct {
    void (*attend)(void *session, double part);
    bench *b;
    size_t moves, served;
} mover;

static void move_and_attend(void *session, double part)
{
    ig_session *s = session;

    if (s->main.neighbours.found &&
        s->main.neighbours.found->row == mover.b->request.row)
        mover.served += mover.moves > 0;
    mover.b->request.row = (uint32_t)(++mover.moves * 7 % 120);
    ig_session_request(s, &mover.b->request);
    mover.attend(session, part);
}

/* Whoever moves about without a pause has the measures all the same, and the neighbours
 * of every row at once. */
static void test_beside_a_moving_cursor(void **state)
{
    ig_session *s;
    bench b;

    (void)state;
    open_bench(&b, &usual, 2);
    b.request.asks &= ~(unsigned)IG_ASKS_EVALUATION;
    start(&b);
    settle(&b); /* a trained run */
    s = b.s.session;
    drive(s);
    mover.attend = s->work.attend;
    mover.b = &b;
    mover.moves = mover.served = 0;
    s->work.attend = move_and_attend;
    b.request.asks |= IG_ASKS_EVALUATION;
    b.request.all_rows = true;
    ig_session_request(s, &b.request);
    do {
        step(s);
        take(&b);
    } while (!b.now->evaluation);
    assert_int_equal(b.now->evaluation->rows, 120);
    assert_true(mover.moves > 3);
    assert_true(mover.served + 3 >= mover.moves); /* once a step there is no amid */
    s->work.attend = mover.attend;
    close_bench(&b);
}

/* Memory that is short is said; the evaluation there is stays, and another comes when
 * it is asked for anew. */
static void test_without_memory(void **state)
{
    uint32_t left[4] = {0, 1, 2, 3}, right[4] = {4, 5, 6, 7};
    double score[4] = {1, 2, 3, 2};
    ig_scores scores = {.count = 4, .left = left, .right = right, .score = score};
    size_t errors = 0;
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    ig_session_scores(b.s.session, &scores);
    b.request.asks &= ~(unsigned)IG_ASKS_EVALUATION;
    start(&b);
    settle(&b);
    for (long n = 1; n < 1000; n += 1 + n / (thorough() ? 16 : 3)) {
        unsigned long before = b.now->evaluation ? b.now->evaluation->serial : 0;
        unsigned long news = b.now->news;

        b.request.asks |= IG_ASKS_EVALUATION;
        b.request.all_rows = !b.request.all_rows; /* a subset of its own, each time */
        ig_alloc_fail_at(n);
        ig_session_request(b.s.session, &b.request);
        ig_session_settle(b.s.session);
        ig_alloc_fail_at(0);
        b.request.row++; /* something to publish: a snapshot may have failed */
        settle(&b);
        errors += b.now->news != news;
        assert_non_null(b.now->evaluation);
        assert_true(b.now->evaluation->serial > before);
        assert_true(b.now->evaluation->held_out == !b.request.all_rows);
    }
    assert_true(errors > 5);
    close_bench(&b);
}

/* The report as it was written, ig_free it. */
static char *report_of(bench *b)
{
    ig_mapping file;
    char *text;

    save(b, "report.html");
    settle(b);
    if (b->now->is_error)
        fail_msg("%s", b->now->message);
    assert_int_equal(ig_mapping_open(&file, "report.html", NULL), IG_OK);
    text = ig_alloc(file.size + 1, 1);
    memcpy(text, file.bytes, file.size);
    ig_mapping_close(&file);
    return text;
}

static void test_a_report_of_all_runs(void **state)
{
    char *text;
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    start(&b);
    settle(&b);
    snprintf(b.s.app.start.method, sizeof b.s.app.start.method, "centre");
    start(&b);
    settle(&b);
    text = report_of(&b);
    assert_non_null(strstr(b.now->message, "report of 2 runs"));
    assert_non_null(strstr(text, "</html>"));
    ig_free(text);
    close_bench(&b);
}

/* Of a run that was read too, and scores as well as pairs. */
static void test_a_report_of_what_was_held_out(void **state)
{
    enum { SCORES = 90 };
    uint32_t left[SCORES], right[SCORES];
    double score[SCORES];
    ig_scores scores = {.count = SCORES, .left = left, .right = right, .score = score};
    char *text, line[64];
    size_t scored;
    bench b;

    (void)state;
    for (uint32_t i = 0; i < SCORES; i++) {
        left[i] = i;
        right[i] = i ^ 1;
        score[i] = i * 7 % 11;
    }
    open_bench(&b, &usual, 1);
    ig_session_scores(b.s.session, &scores);
    start(&b);
    settle(&b);
    scored = b.now->evaluation->space[IG_SPACE_ORIGINAL]->similarity.all.pairs;
    assert_true(b.now->evaluation->held_out && scored > 0 && scored < SCORES);
    save(&b, "written");
    settle(&b);
    snprintf(line, sizeof line, ">%zu of %d pairs</dd>", scored, SCORES);
    text = report_of(&b);
    assert_non_null(strstr(text, "held out; 18 pairs of 3 meanings"));
    assert_non_null(strstr(text, line));
    ig_free(text);
    close_bench(&b);

    open_bench(&b, &usual, 1);
    ig_session_scores(b.s.session, &scores);
    assert_int_equal(ig_session_load(b.s.session, "written", false, NULL), IG_OK);
    text = report_of(&b);
    assert_non_null(strstr(text, "held out; 18 pairs of 3 meanings"));
    assert_non_null(strstr(text, line));
    ig_free(text);
    b.request.all_rows = true;
    text = report_of(&b);
    assert_non_null(strstr(text, "all rows; 180 pairs of 30 meanings"));
    assert_non_null(strstr(text, ">90 of 90 pairs</dd>"));
    ig_free(text);
    close_bench(&b);
}

static void test_a_report_of_many_runs(void **state)
{
    const int runs = thorough() ? 66 : 9;
    char counted[64], *text;
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    b.request.asks &= ~(unsigned)IG_ASKS_EVALUATION;
    snprintf(b.s.app.start.method, sizeof b.s.app.start.method, "centre");
    for (int i = 0; i < runs; i++) {
        start(&b);
        settle(&b);
    }
    text = report_of(&b);
    snprintf(counted, sizeof counted, "%d centre", runs);
    assert_non_null(strstr(text, counted));
    snprintf(counted, sizeof counted, "report of %d runs", runs);
    assert_non_null(strstr(b.now->message, counted));
    ig_free(text);
    close_bench(&b);
}

/* Memory that is short is said, and nothing is lost. */
static void test_a_report_without_memory(void **state)
{
    bool failed = true;
    bench b;

    (void)state;
    open_bench(&b, &usual, 1);
    b.request.asks &= ~(unsigned)IG_ASKS_EVALUATION;
    start(&b);
    settle(&b);
    for (long n = 1; failed; n++) {
        save(&b, "report.html");
        ig_alloc_fail_at(n);
        ig_session_request(b.s.session, &b.request);
        ig_session_settle(b.s.session);
        ig_alloc_fail_at(0);
        b.request.row++; /* something to publish: a snapshot may have failed */
        settle(&b);
        failed = b.now->is_error;
        assert_true(n < 100000);
    }
    assert_non_null(strstr(b.now->message, "report of 1 run written"));
    close_bench(&b);
}

SUITE(session_evaluation)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_measured_unasked),
        cmocka_unit_test(test_the_originals_before_a_run),
        cmocka_unit_test(test_held_out_ids_of_a_run_or_all),
        cmocka_unit_test(test_values_of_rows),
        cmocka_unit_test(test_a_run_that_has_not_begun),
        cmocka_unit_test(test_values_that_ties_decide),
        cmocka_unit_test(test_sets_of_which_little_can_be_said),
        cmocka_unit_test(test_many_rows_without_ids),
        cmocka_unit_test(test_beside_training),
        cmocka_unit_test(test_wishes_leave_time_for_training),
        cmocka_unit_test(test_beside_a_moving_cursor),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_a_report_of_all_runs),
        cmocka_unit_test(test_a_report_of_what_was_held_out),
        cmocka_unit_test(test_a_report_of_many_runs),
        cmocka_unit_test(test_a_report_without_memory),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
