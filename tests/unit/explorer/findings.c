/* Findings over evaluations made by hand: what is said, in which tone, and where more of
 * it stands. */
#include "measure/findings.h"

#include <math.h>
#include <string.h>

#include "explorer/snapshot.h"
#include "suite.h"

enum { PAIRS = 2 };

static const char *const names[] = {"aa", "ba"};

struct world {
    ig_retrieval_score score[IG_SPACES][PAIRS];
    ig_evaluation space[IG_SPACES];
    ig_shown_evaluation shown;
    ig_finding finding[IG_FINDINGS_MAX];
    size_t count;
};

/* Retrieval of both directions, the pool, the probes of a space. */
static void set_space(struct world *w, ig_space s, double there, double back,
                      double pool, double own, double linear, double hidden)
{
    w->score[s][0] = (ig_retrieval_score){.from = 0,
                                          .to = 1,
                                          .pairs = 100,
                                          .candidates = 100,
                                          .targets = 1,
                                          .top1 = there};
    w->score[s][1] = (ig_retrieval_score){.from = 1,
                                          .to = 0,
                                          .pairs = 100,
                                          .candidates = 100,
                                          .targets = 1,
                                          .top1 = back};
    ig_figures_free(&w->space[s].figures);
    w->space[s] = (ig_evaluation){
        .taken = IG_MEASURE_RETRIEVAL | IG_MEASURE_MULTILINGUAL_POOL |
                 IG_MEASURE_PROBE | IG_MEASURE_HIDDEN_PROBE | IG_MEASURE_GEOMETRY,
        .geometry = {.uniformity = -2},
        .retrieval = {.count = 2,
                      .score = w->score[s],
                      .mean = {.top1 = (there + back) / 2}},
        .multilingual_pool = {.translation = pool, .own_language = own},
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

/* The sentence that begins so, or NULL. */
static const ig_finding *find(const struct world *w, const char *beginning)
{
    for (size_t i = 0; i < w->count; i++)
        if (strncmp(w->finding[i].text, beginning, strlen(beginning)) == 0)
            return &w->finding[i];
    return NULL;
}

struct sentence {
    ig_tone tone;
    const char *view, *text;
};

/* All that is said, in any order. */
static void check(struct world *w, const struct sentence *said, size_t n)
{
    w->count = ig_findings_make(w->finding, w->shown.space, names);
    for (size_t i = 0; i < n; i++) {
        const ig_finding *v = find(w, said[i].text);

        if (!v)
            fail_msg("not said: %s", said[i].text);
        assert_string_equal(v->text, said[i].text);
        assert_int_equal(v->tone, said[i].tone);
        assert_string_equal(v->view ? v->view : "", said[i].view);
    }
    assert_int_equal(w->count, n);
}

static void of_the_original_alone(void **state)
{
    static const struct sentence said[] = {
        {IG_TONE_PLAIN, "original",
         "The original embeddings find 50.0% of all translations (chance 1.0%)."},
        {IG_TONE_PLAIN, "original", "Worst pair: ba to aa, 40% (40 of 100)."},
        {IG_TONE_PLAIN, "pool-original",
         "In the multilingual pool the nearest sentence is a translation for 10%, a "
         "sentence in the same language for 90%."},
        {IG_TONE_PLAIN, "probe-original",
         "A linear probe reads the language from 99% of unseen vectors (chance: 50%)."},
    };
    struct world w = {0};

    set_space(&w, IG_SPACE_ORIGINAL, 0.6, 0.4, 0.1, 0.9, 0.99, 1);
    check(&w, said, 4);
    assert_true(find(&w, "Worst pair")->has_cell);
    assert_int_equal(find(&w, "Worst pair")->from, 1);
    assert_int_equal(find(&w, "Worst pair")->to, 0);
    finish(&w);
}

static void of_a_run_that_harmed(void **state)
{
    static const struct sentence said[] = {
        {IG_TONE_BAD, "summary",
         "The meaning embeddings have collapsed to nearly one point (uniformity "
         "-0.010): their other figures are unreliable."},
        {IG_TONE_BAD, "meaning",
         "Meaning embeddings find 64.8% of all translations, 10.2 points worse than "
         "the original (chance 1.0%)."},
        {IG_TONE_BAD, "pool-meaning",
         "In the multilingual pool the nearest sentence is a translation for 40%, a "
         "sentence in the same language for 60% (original: 50% and 50%)."},
        {IG_TONE_PLAIN, "meaning",
         "Worst pair: ba to aa, 60% (60 of 100), the same as the original."},
        {IG_TONE_BAD, "meaning", "Largest loss: aa to ba, 20.0 points."},
        {IG_TONE_GOOD, "probe-meaning",
         "A linear probe reads the language from 50% of unseen meaning embeddings "
         "(chance: 50%): language removed."},
        {IG_TONE_BAD, "probe-language",
         "A linear probe reads the language from 50% of unseen language embeddings "
         "(chance: 50%): too little language."},
        {IG_TONE_BAD, "language",
         "Language embeddings find 35.0% of translations (chance 1.0%): meaning "
         "has leaked into them."},
    };
    struct world w = {0};

    set_space(&w, IG_SPACE_ORIGINAL, 0.9, 0.6, 0.5, 0.5, 1, 1);
    set_space(&w, IG_SPACE_MEANING, 0.7, 0.597, 0.4, 0.6, 0.5, 0.5);
    set_space(&w, IG_SPACE_LANGUAGE, 0.3, 0.4, 0, 1, 0.5, 0.5);
    w.space[IG_SPACE_MEANING].geometry.uniformity = -0.01;
    check(&w, said, 8);
    for (int space = IG_SPACE_MEANING; space <= IG_SPACE_LANGUAGE; space++)
        w.space[space].probe.thin = true;
    w.count = ig_findings_make(w.finding, w.shown.space, names);
    assert_non_null(find(&w,
                         "A linear probe reads the language from 50% of unseen "
                         "meaning embeddings (chance: 50%): too few rows to tell."));
    assert_non_null(find(&w,
                         "A linear probe reads the language from 50% of unseen "
                         "language embeddings (chance: 50%): too few rows to tell."));
    finish(&w);
}

static void where_figures_are_missing(void **state)
{
    static const struct sentence ties = {
        IG_TONE_GOOD, "language",
        "Language embeddings contain no meaning: all candidates tie."};
    struct world w = {0};

    check(&w, NULL, 0);
    w.shown.space[IG_SPACE_ORIGINAL] = &w.space[IG_SPACE_ORIGINAL];
    check(&w, NULL, 0); /* nothing was taken */
    w.space[IG_SPACE_ORIGINAL].taken = IG_MEASURE_RETRIEVAL;
    w.count = ig_findings_make(w.finding, w.shown.space, names);
    assert_int_equal(w.count, 1);
    assert_non_null(find(&w, "No id occurs in two languages"));
    for (int s = 0; s < IG_SPACES; s++)
        set_space(&w, (ig_space)s, NAN, NAN, NAN, NAN, NAN, NAN);
    check(&w, NULL, 0);
    w.space[IG_SPACE_LANGUAGE].retrieval.blind = 2;
    check(&w, &ties, 1);
    finish(&w);
}

SUITE(findings, NULL, NULL, TEST(of_the_original_alone),
      TEST(of_a_run_that_harmed), TEST(where_figures_are_missing))
