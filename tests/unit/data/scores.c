/* Tables of human scores: what they hold, and what is wrong with them. */
#include <math.h>

#include "suite.h"

#include "core/memory.h"
#include "data/pairs.h"
#include "scratch.h"

static ig_dataset *set;

static int open_set(void **state)
{
    static const char *const lang[] = {"en", "en", "en", "en", "de", "de", "de", "de"};
    static float zeros[8];

    return scratch_enter(state) == 0 &&
                   ig_dataset_of_rows(&set, "sts", zeros, 8, 1, lang, NULL, NULL,
                                      NULL) == IG_OK
               ? 0
               : -1;
}

static int close_set(void **state)
{
    ig_dataset_free(set);
    return scratch_leave(state);
}

static ig_status read_scores(ig_scores *scores, const char *path, ig_error *error)
{
    return ig_scores_read(scores, set, (const char *const[]){path, NULL}, NULL, error);
}

/* Read a file, and compare it as "left-right score kind" a score. */
static void check_scores(const char *name, const char *text, const char *expected)
{
    ig_error error = {0};
    ig_scores scores;
    char spelled[256] = "";

    scratch_text(name, text);
    if (read_scores(&scores, name, &error) != IG_OK)
        fail_msg("%s", error.message);
    assert_int_equal(scores.pair != NULL, scores.pairs > 0);
    for (size_t i = 0; i < scores.count; i++)
        sprintf(spelled + strlen(spelled), "%u-%u %g %s\n", (unsigned)scores.left[i],
                (unsigned)scores.right[i], scores.score[i],
                scores.pair ? scores.pair_name[scores.pair[i]] : "");
    assert_string_equal(spelled, expected);
    ig_scores_free(&scores);
    assert_null(scores.left);
    ig_scores_free(&scores);
}

static void test_read(void **state)
{
    check_scores("s.csv", "score,note,right,left\n0.5,,4,0\n-1e-3,x,5,1\n5,y,1,1\n",
                 "0-4 0.5 en-de\n1-5 -0.001 en-de\n1-1 5 en-en\n");
    check_scores("s.tsv",
                 "left\tright\tscore\tpair\n0\t4\t1\ten-de\n5\t1\t2\tde-en\n"
                 "2\t6\t3\ten-de\n3\t7\t4\tü\n",
                 "0-4 1 en-de\n5-1 2 de-en\n2-6 3 en-de\n3-7 4 ü\n");
    ig_scores_free(NULL);
}

SUITE(scores, open_set, close_set, TEST(test_read))
