/* What the suites of the public interface share: planted rows as a set, and a training
 * that runs to its end. Included once by a suite. */
#pragma once

#include <isogloss.h>

#include <stdio.h>

#include "core/random.h"
#include "scratch.h"
#include "suite.h"

#define assert_ok(call)            assert_int_equal(call, ISOGLOSS_OK)
#define assert_fails(status, call) assert_int_equal(call, ISOGLOSS_##status)

enum { MEANINGS = 60, LANGUAGES = 3, N = MEANINGS * LANGUAGES, D = 12 };

static float rows[N * D];
static const char *language[N], *text[N], *id[N];
static isogloss_error error;
static const isogloss_setting two_threads[] = {{"threads", "2"}, {NULL, NULL}};

/* Group set-up: each language is shifted; meanings are alike in all. */
static inline int make_rows(void **state)
{
    static const char *const codes[LANGUAGES] = {"en", "de", "ja"};
    static char names[MEANINGS][8];
    float meaning[MEANINGS][D];
    ig_random random;

    ig_random_init(&random, 1, 0);
    for (size_t i = 0; i < MEANINGS * D; i++)
        meaning[i / D][i % D] = (float)ig_random_normal(&random);
    for (size_t i = 0; i < N; i++) {
        size_t l = i % LANGUAGES, m = i / LANGUAGES;

        language[i] = codes[l];
        snprintf(names[m], sizeof names[m], "%zu", m);
        text[i] = id[i] = names[m];
        for (size_t j = 0; j < D; j++)
            rows[i * D + j] = meaning[m][j] + (j == l ? 6 : 0) +
                              (float)(0.3 * ig_random_normal(&random));
    }
    return scratch_enter(state);
}

static inline isogloss_dataset *open_watched(isogloss_progress *progress, void *context)
{
    isogloss_dataset *set;

    assert_ok(isogloss_dataset_of_rows(&set, rows, N, D, language, text, id,
                                       two_threads, progress, context, &error));
    return set;
}

static inline isogloss_dataset *open_rows(void)
{
    return open_watched(NULL, NULL);
}

/* Train to the end, and save the run unless it is NULL. There is no extractor before the
 * first epoch, and no epoch after the last. */
static inline isogloss_extractor *fit(const isogloss_dataset *set, const char *method,
                                      const isogloss_setting *how, const char *run)
{
    isogloss_trainer *trainer;
    isogloss_extractor *x;
    isogloss_epoch epoch;
    size_t next = 0;

    assert_ok(isogloss_trainer_new(&trainer, set, method, how, &error));
    assert_fails(VALUE, isogloss_trainer_best(trainer, &x, &error));
    while (isogloss_trainer_is_running(trainer)) {
        assert_ok(isogloss_trainer_epoch(trainer, &epoch, &error));
        assert_int_equal(epoch.number, next++);
    }
    assert_fails(VALUE, isogloss_trainer_epoch(trainer, NULL, &error));
    assert_ok(isogloss_trainer_best(trainer, &x, &error));
    if (run)
        assert_ok(isogloss_trainer_save(trainer, run, &error));
    isogloss_free(trainer);
    return x;
}
