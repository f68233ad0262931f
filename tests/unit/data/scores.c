/* Tables of human scores: what they hold, and what is wrong with them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "suite.h"

#include "base/memory.h"
#include "data/scores.h"
#include "scratch.h"

static ig_set *set;

static int open_set(void **state)
{
    static const char *const lang[] = {"en", "en", "en", "en", "de", "de", "de", "de"};
    static float zeros[8];

    return scratch_enter(state) == 0 && ig_set_of_rows(&set, "sts", zeros, 8, 1, lang,
                                                       NULL, NULL, NULL) == IG_OK
               ? 0
               : -1;
}

static int close_set(void **state)
{
    ig_set_free(set);
    return scratch_leave(state);
}

static void test_read(void **state)
{
    ig_error error = {0};
    ig_scores scores;

    (void)state;
    scratch_text("s.csv", "score,note,right,left\n0.5,,4,0\n-1e-3,x,5,1\n5,y,1,1\n");
    if (ig_scores_read(&scores, set, "s.csv", &error) != IG_OK)
        fail_msg("%s", error.message);
    assert_int_equal(scores.count, 3);
    assert_int_equal(scores.left[0], 0);
    assert_int_equal(scores.right[0], 4);
    assert_int_equal(scores.left[1], 1);
    assert_int_equal(scores.right[1], 5);
    assert_int_equal(scores.right[2], 1);
    assert_true(scores.score[0] == 0.5);
    assert_true(scores.score[1] == -1e-3);
    assert_true(scores.score[2] == 5);
    assert_int_equal(scores.pairs, 0);
    assert_null(scores.pair);
    assert_null(scores.pair_name);
    ig_scores_free(&scores);
    assert_null(scores.left);
    ig_scores_free(&scores);
    ig_scores_free(NULL);
}

static void test_kinds(void **state)
{
    ig_scores scores;

    (void)state;
    scratch_text("s.tsv", "left\tright\tscore\tpair\n0\t4\t1\ten-de\n5\t1\t2\tde-en\n"
                          "2\t6\t3\ten-de\n3\t7\t4\tü\n");
    assert_int_equal(ig_scores_read(&scores, set, "s.tsv", NULL), IG_OK);
    assert_int_equal(scores.count, 4);
    assert_int_equal(scores.pairs, 3);
    assert_string_equal(scores.pair_name[0], "en-de");
    assert_string_equal(scores.pair_name[1], "de-en");
    assert_string_equal(scores.pair_name[2], "ü");
    assert_int_equal(scores.pair[0], 0);
    assert_int_equal(scores.pair[1], 1);
    assert_int_equal(scores.pair[2], 0);
    assert_int_equal(scores.pair[3], 2);
    ig_scores_free(&scores);
}

static void check_refused(const char *text, ig_status status, const char *message)
{
    ig_scores scores;
    ig_error error = {0};

    scratch_text("s.csv", text);
    assert_int_equal(ig_scores_read(&scores, set, "s.csv", &error), status);
    assert_string_equal(error.message, message);
    assert_null(scores.left);
    assert_int_equal(scores.count, 0);
}

static void test_refused(void **state)
{
    ig_scores scores;
    ig_error error;

    (void)state;
    check_refused("left,right,score\n0,4,1\n1,8,2\n", IG_VALUE,
                  "s.csv:3: column 2 (right) is row 8, but sts has rows 0 to 7");
    check_refused("left,right,score\n-1,4,1\n", IG_FORMAT,
                  "s.csv:2: column 1 (left) is not a row number: '-1'");
    check_refused("left,right,score\n0,4,nan\n", IG_VALUE,
                  "s.csv:2: column 3 (score) is not a finite number: 'nan'");
    check_refused("left,right,score\n0,4,1e999\n", IG_VALUE,
                  "s.csv:2: column 3 (score) is not a finite number: '1e999'");
    check_refused("left,right,score\n0,4,\n", IG_VALUE,
                  "s.csv:2: column 3 (score) is not a finite number: ''");
    check_refused("left,right,score\n0,4,good\n", IG_VALUE,
                  "s.csv:2: column 3 (score) is not a finite number: 'good'");
    check_refused(
        "left,right\n0,4\n", IG_FORMAT,
        "s.csv:1: no column score (scores are the columns left, right, score "
        "and, where there are several kinds, pair; or sentence1, sentence2, score)");
    check_refused(
        "0,4,1\n1,5,2\n", IG_FORMAT,
        "s.csv:1: no column left (scores are the columns left, right, score "
        "and, where there are several kinds, pair; or sentence1, sentence2, score)");
    check_refused("left,right,score,pair\n0,4,1,\n", IG_FORMAT,
                  "s.csv:2: column 4 (pair) is empty");
    check_refused("left,right,score,pair\n0,4,1,\xff\n", IG_FORMAT,
                  "s.csv:2: column 4 (pair) is not valid UTF-8");
    check_refused("left,right,score\n0,4\n", IG_FORMAT,
                  "s.csv:2: expected 3 fields as in the header, got 2");
    check_refused("left,right,score\n", IG_VALUE, "s.csv: has a header and no scores");
    assert_int_equal(ig_scores_read(&scores, set, "none.csv", &error), IG_IO);
    assert_null(scores.left);
}

static void test_memory(void **state)
{
    ig_status status = IG_NOMEM;
    ig_scores scores;
    long n = 0;

    (void)state;
    scratch_text("s.csv", "left,right,score,pair\n0,4,1,a\n1,5,2,b\n2,6,3,a\n");
    while (status == IG_NOMEM) {
        ig_alloc_fail_at(++n);
        status = ig_scores_read(&scores, set, "s.csv", NULL);
        ig_alloc_fail_at(0);
        if (status == IG_NOMEM)
            assert_null(scores.left);
    }
    assert_int_equal(status, IG_OK);
    assert_true(n > 8);
    assert_int_equal(scores.count, 3);
    ig_scores_free(&scores);
}

SUITE(scores)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, open_set, close_set);
}
