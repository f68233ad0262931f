/* The measures of a session: of what, when, and what they say of rows; and its report.
 * Run under ThreadSanitizer as well. */
#include "explorer/session.h"

#include <math.h>
#include <poll.h>

#include "core/file.h"
#include "scratch.h"
#include "settled.h"
#include "stepped.h"

static void open_measured(bench *b, const struct look *look, size_t threads)
{
    open_bench(b, look, threads);
    b->request.asks |= IG_ASKS_EVALUATION;
}

static void start(bench *b)
{
    command(b->s.session, &b->s.app.start, NULL);
}

static void test_the_originals_before_a_run(void **state)
{
    const ig_shown_evaluation *f;
    bench b;

    open_measured(&b, &usual, 1);
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
                           IG_MEASURE_SPACE_CKA | IG_MEASURE_ZERO_SHOT_TRANSFER));
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

    open_measured(&b, &usual, 1);
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

    open_measured(&b, &usual, 1);
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

    open_measured(&b, &usual, 1);
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

/* With a worker: measures come while it trains, commands are heard, and giving up
 * leaves what there is. */
static void test_beside_training(void **state)
{
    bench b;
    ig_error error;
    unsigned long seen = 0, steps = 0;

    open_measured(&b, &usual, 2);
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
                post(&b, IG_COMMAND_MEASURE, 0, "");
            if (steps % 5 == 0)
                post(&b, IG_COMMAND_CANCEL, 0, "");
            ig_session_request(b.s.session, &b.request);
        }
    } while (!b.now || b.now->activity != IG_FINISHED || !b.now->evaluation ||
             b.now->evaluation->epoch != b.now->shown);
    assert_int_equal(b.now->activity, IG_FINISHED);
    assert_true(seen > 1);
    close_bench(&b);
}

/* Half of a sample is too few rows to fit a probe on. */
static void test_no_probe_of_a_sample(void **state)
{
    const struct look look = {120, 8, 4, true, true, false, false, 0.8};
    bench b;

    open_measured(&b, &look, 1);
    make_large(b.s.session, 1);
    drive(b.s.session);
    command(b.s.session, &b.s.app.start, &b.request);
    do {
        step(b.s.session);
        take(&b);
    } while (!b.now || !b.now->evaluation || !b.now->evaluation->run);
    assert_true(b.now->evaluation->ids < b.now->evaluation->of_ids);
    assert_int_equal(
        b.now->evaluation->space[IG_SPACE_MEANING]->taken & IG_MEASURE_PROBE, 0);
    close_bench(&b);
}

/* The report as it was written, ig_free it. */
static char *report_of(bench *b)
{
    ig_mapping file;
    char *text;

    order(b, IG_COMMAND_SAVE, 0, "report.html");
    if (b->now->is_error)
        fail_msg("%s", b->now->message);
    assert_int_equal(ig_mapping_open(&file, "report.html", NULL), IG_OK);
    text = ig_alloc(file.size + 1, 1);
    memcpy(text, file.bytes, file.size);
    ig_mapping_close(&file);
    return text;
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

    for (uint32_t i = 0; i < SCORES; i++) {
        left[i] = i;
        right[i] = i ^ 1;
        score[i] = i * 7 % 11;
    }
    open_measured(&b, &usual, 1);
    ig_session_scores(b.s.session, &scores);
    start(&b);
    settle(&b);
    scored = b.now->evaluation->space[IG_SPACE_ORIGINAL]->similarity.all.pairs;
    assert_true(b.now->evaluation->held_out && scored > 0 && scored < SCORES);
    order(&b, IG_COMMAND_SAVE, 0, "written");
    snprintf(line, sizeof line, ">%zu of %d pairs</dd>", scored, SCORES);
    text = report_of(&b);
    assert_non_null(strstr(text, "held out; 18 pairs of 3 meanings"));
    assert_non_null(strstr(text, line));
    ig_free(text);
    close_bench(&b);

    open_measured(&b, &usual, 1);
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

SUITE(session_evaluation, scratch_enter, scratch_leave,
      TEST(test_the_originals_before_a_run), TEST(test_held_out_ids_of_a_run_or_all),
      TEST(test_values_of_rows), TEST(test_a_run_that_has_not_begun),
      TEST(test_beside_training), TEST(test_no_probe_of_a_sample),
      TEST(test_a_report_of_what_was_held_out))
