/* Verdicts over evaluations made by hand: what is said, in which tone, and where more of
 * it stands. */
#include "tui/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

enum { PAIRS = 2 };

static const char *const names[] = {"aa", "ba"};

struct world {
    ig_retrieval_score score[IG_SPACES][PAIRS];
    ig_evaluation space[IG_SPACES];
    ig_shown_evaluation shown;
    ig_verdict verdict[IG_VERDICTS];
    size_t count;
};

/* Retrieval of both directions, the pool, the probes of a space. */
static void set_space(struct world *w, ig_space s, double there, double back,
                      double pool, double own, double linear, double hidden)
{
    w->score[s][0] = (ig_retrieval_score){
        .from = 0, .to = 1, .pairs = 100, .candidates = 100, .top1 = there};
    w->score[s][1] = (ig_retrieval_score){
        .from = 1, .to = 0, .pairs = 100, .candidates = 100, .top1 = back};
    ig_figures_free(&w->space[s].figures);
    w->space[s] = (ig_evaluation){
        .taken = IG_MEASURE_RETRIEVAL | IG_MEASURE_MIXED_POOL | IG_MEASURE_PROBE |
                 IG_MEASURE_HIDDEN_PROBE | IG_MEASURE_GEOMETRY,
        .geometry = {.uniformity = -2},
        .retrieval = {.count = 2,
                      .score = w->score[s],
                      .mean = {.top1 = (there + back) / 2}},
        .mixed_pool = {.translation = pool, .own_language = own},
        .probe = {.accuracy = linear, .majority = 0.5},
        .hidden_probe = {.accuracy = hidden, .majority = 0.5}};
    assert_int_equal(ig_evaluation_append(&w->space[s], names, NULL, NULL), IG_OK);
    w->shown.space[s] = &w->space[s];
}

static void finish(struct world *w)
{
    for (int s = 0; s < IG_SPACES; s++)
        ig_figures_free(&w->space[s].figures);
}

static void make(struct world *w)
{
    w->count = ig_verdict_make(w->verdict, &w->shown, names);
}

/* The sentence that begins so, or NULL. */
static const ig_verdict *find(const struct world *w, const char *beginning)
{
    for (size_t i = 0; i < w->count; i++)
        if (strncmp(w->verdict[i].text, beginning, strlen(beginning)) == 0)
            return &w->verdict[i];
    return NULL;
}

static void expect(const struct world *w, const char *text, ig_tone tone,
                   const char *view)
{
    const ig_verdict *v = find(w, text);

    assert_non_null(v);
    assert_string_equal(v->text, text);
    assert_int_equal(v->tone, tone);
    if (view)
        assert_string_equal(v->view, view);
    else
        assert_null(v->view);
}

static void of_the_original_alone(void **state)
{
    struct world w = {0};

    (void)state;
    set_space(&w, IG_SPACE_ORIGINAL, 0.6, 0.4, 0.1, 0.9, 0.99, 1);
    make(&w);
    expect(&w, "The original vectors find 50.0% of all translations (chance 1.0%).",
           IG_TONE_PLAIN, "original");
    expect(&w, "Worst pair: ba finds its aa translation 40 of 100 times.",
           IG_TONE_PLAIN, "original");
    assert_true(find(&w, "Worst pair")->has_cell);
    assert_int_equal(find(&w, "Worst pair")->from, 1);
    assert_int_equal(find(&w, "Worst pair")->to, 0);
    expect(&w,
           "Among all languages together the nearest sentence is a translation for "
           "10%, a sentence in the same language for 90%.",
           IG_TONE_PLAIN, "pool-original");
    expect(&w,
           "A linear probe reads the language from 99% of unseen vectors (guessing: "
           "50%).",
           IG_TONE_PLAIN, "probe-original");
    expect(&w, "Space trains a run: then meaning and language are measured apart.",
           IG_TONE_PLAIN, NULL);
    assert_int_equal(w.count, 5);
    finish(&w);
}

static void of_a_run_that_helped(void **state)
{
    struct world w = {0};

    (void)state;
    set_space(&w, IG_SPACE_ORIGINAL, 0.6, 0.4, 0.1, 0.9, 0.99, 1);
    set_space(&w, IG_SPACE_MEANING, 0.9, 0.8, 0.7, 0.2, 0.52, 0.9);
    set_space(&w, IG_SPACE_LANGUAGE, 0.01, 0.03, 0, 1, 1, 1);
    make(&w);
    expect(&w,
           "Meaning finds 85.0% of all translations, 35.0 points better than by the "
           "original vectors (chance 1.0%).",
           IG_TONE_GOOD, "meaning");
    expect(&w,
           "Worst pair: ba finds its aa translation 80 of 100 times, 40.0 points "
           "better than by the original vectors.",
           IG_TONE_GOOD, "meaning");
    expect(&w,
           "Among all languages together the nearest sentence is a translation for "
           "70%, a sentence in the same language for 20% (original: 10% and 90%).",
           IG_TONE_GOOD, "pool-meaning");
    /* The linear probe is blind, the other one is not. */
    expect(&w,
           "A linear probe reads the language from 52% of unseen meaning embeddings, "
           "one with a hidden layer from 90% (guessing: 50%): language is still there.",
           IG_TONE_BAD, "probe-meaning");
    expect(&w,
           "A linear probe reads the language from 100% of unseen language embeddings "
           "(guessing: 50%).",
           IG_TONE_GOOD, "probe-language");
    expect(&w,
           "Language embeddings find 2.0% of translations, hardly more than guessing "
           "(1.0%).",
           IG_TONE_GOOD, "language");
    assert_null(find(&w, "Space trains"));
    finish(&w);
}

static void of_a_run_that_harmed(void **state)
{
    struct world w = {0};

    (void)state;
    set_space(&w, IG_SPACE_ORIGINAL, 0.9, 0.6, 0.5, 0.5, 1, 1);
    set_space(&w, IG_SPACE_MEANING, 0.7, 0.597, 0.4, 0.6, 0.5, 0.5);
    set_space(&w, IG_SPACE_LANGUAGE, 0.3, 0.4, 0, 1, 0.5, 0.5);
    w.space[IG_SPACE_MEANING].geometry.uniformity = -0.01;
    make(&w);
    expect(&w,
           "The meaning embeddings are nearly one point (uniformity -0.010): their "
           "other figures say little.",
           IG_TONE_BAD, "summary");
    expect(&w,
           "Worst pair: ba finds its aa translation 60 of 100 times, as well as by the "
           "original vectors.",
           IG_TONE_PLAIN, "meaning");
    expect(&w, "aa to ba lost most: 20.0 points.", IG_TONE_BAD, "meaning");
    expect(&w,
           "A linear probe reads the language from 50% of unseen meaning embeddings "
           "(guessing: 50%): language is gone.",
           IG_TONE_GOOD, "probe-meaning");
    expect(&w,
           "A linear probe reads the language from 50% of unseen language embeddings "
           "(guessing: 50%): they tell too little.",
           IG_TONE_BAD, "probe-language");
    expect(
        &w,
        "Language embeddings still find 35.0% of translations (chance 1.0%): meaning "
        "has leaked into them.",
        IG_TONE_BAD, "language");
    finish(&w);
}

static void where_figures_are_missing(void **state)
{
    struct world w = {0};

    (void)state;
    make(&w);
    assert_int_equal(w.count, 0);
    w.shown.space[IG_SPACE_ORIGINAL] = &w.space[IG_SPACE_ORIGINAL];
    make(&w); /* nothing was taken */
    assert_int_equal(w.count, 2);
    assert_non_null(find(&w, "No row shares an id"));
    set_space(&w, IG_SPACE_ORIGINAL, NAN, NAN, NAN, NAN, NAN, NAN);
    set_space(&w, IG_SPACE_MEANING, NAN, NAN, NAN, NAN, NAN, NAN);
    set_space(&w, IG_SPACE_LANGUAGE, NAN, NAN, NAN, NAN, NAN, NAN);
    make(&w);
    assert_int_equal(w.count, 0);
    w.space[IG_SPACE_LANGUAGE].retrieval.blind = 2;
    make(&w);
    expect(&w, "Language embeddings tell nothing of the meaning: all candidates tie.",
           IG_TONE_GOOD, "language");
    finish(&w);
}

SUITE(verdict)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_the_original_alone),
        cmocka_unit_test(of_a_run_that_helped),
        cmocka_unit_test(of_a_run_that_harmed),
        cmocka_unit_test(where_figures_are_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
