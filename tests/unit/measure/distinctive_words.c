/* Words of texts, and what is distinctive, against numbers computed with numpy. */
#include "measure/distinctive_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

static void check_tokens(const char *text, const char *tokens)
{
    ig_corpus words = {0};
    char out[256] = "";

    assert_int_equal(ig_corpus_add(&words, text, NULL), IG_OK);
    assert_int_equal(words.first[1], words.tokens);
    for (size_t i = 0; i < words.tokens; i++) {
        strcat(out, i ? "|" : "");
        strcat(out, words.term.name[words.token[i]]);
    }
    assert_string_equal(out, tokens);
    ig_corpus_free(&words);
}

/* Letters by category in lower case, pairs of kana and ideographs; no punctuation. */
static void words_are_runs_of_letters(void **state)
{
    (void)state;
    check_tokens("", "");
    check_tokens("Wo ist 1 ÜBUNG?", "wo|ist|übung");
    check_tokens("どこへ？", "どこ|こへ");
    check_tokens("山", "山");
    check_tokens("'Don't' l’eau'", "don't|l’eau");
    check_tokens("Linux版です。x", "linux|版で|です|x");
    check_tokens("हिन्दी में", "हिन्दी|में");
    check_tokens("Я не знаю…", "я|не|знаю");
    check_tokens("a\xff"
                 "b",
                 "a|b");
}

static void terms_are_shared(void **state)
{
    ig_corpus words = {0};

    (void)state;
    for (int i = 0; i < 3000; i++) { /* more than the first hash table holds */
        char text[32];

        snprintf(text, sizeof text, "%c%c%c same", 'a' + i % 26, 'a' + i / 26 % 26,
                 'a' + i / 676);
        assert_int_equal(ig_corpus_add(&words, text, NULL), IG_OK);
    }
    assert_int_equal(words.texts, 3000);
    assert_int_equal(words.term.count, 3001);
    assert_int_equal(words.token[2 * 2999 + 1], words.token[1]);
    ig_corpus_free(&words);
}

static const uint32_t in[] = {30, 1, 0, 12, 5}, all[] = {40, 90, 25, 60, 0};

static void log_odds_are_those_of_numpy(void **state)
{
    /* a = 500 all / all.sum(); o = all - in; n = 43; m = 172
     * d = log((in + a) / (n + 500 - in - a)) - log((o + a) / (m + 500 - o - a))
     * d / sqrt(1 / (in + a) + 1 / (o + a)) */
    static const double wanted[] = {3.6021399268, -2.5915826848, -0.955454616493, 0, 0};
    uint32_t inside[5];
    double z[5];

    (void)state;
    memcpy(inside, in, sizeof in);
    inside[4] = 0;
    ig_corpus_log_odds(inside, all, 5, z);
    for (int i = 0; i < 5; i++)
        assert_near_to(z[i], wanted[i], 1e-9);
    ig_corpus_log_odds(all, all, 5, z); /* there is no rest */
    for (int i = 0; i < 5; i++)
        assert_true(z[i] == 0);
}

SUITE(distinctive_words, NULL, NULL, TEST(words_are_runs_of_letters),
      TEST(terms_are_shared), TEST(log_odds_are_those_of_numpy))
