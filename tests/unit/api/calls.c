/* Calls on one dataset by several threads, and calls that the progress callback
 * cancels. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "api.h"

enum { THREADS = 3, ROUNDS = 2 };

/* --- several threads -------------------------------------------------------------- */

typedef struct answers {
    float meaning[N * D], map[N * 2];
    isogloss_neighbour best[8 * 3];
    double top1, pool;
    isogloss_status status;
} answers;

typedef struct asker {
    const isogloss_dataset *set;
    const isogloss_extractor *x;
    answers *out;
} asker;

static void *ask_all(void *context)
{
    const asker *a = context;
    const uint32_t row[8] = {0, 5, 9, 20, 33, 50, 71, 99};
    isogloss_evaluation *e = NULL;
    answers *out = a->out;
    size_t found[8];

    for (int round = 0; round < ROUNDS && out->status == ISOGLOSS_OK; round++) {
        out->status =
            isogloss_apply(a->set, a->x, ISOGLOSS_MEANING, 0, N, out->meaning, NULL);
        if (out->status == ISOGLOSS_OK)
            out->status = isogloss_search(a->set, a->x, ISOGLOSS_MEANING, row, 8, NULL,
                                          3, out->best, found, NULL);
        if (out->status == ISOGLOSS_OK)
            out->status = isogloss_project(a->set, a->x, ISOGLOSS_MEANING, 2, true,
                                           out->map, NULL, NULL);
        if (out->status == ISOGLOSS_OK)
            out->status =
                isogloss_evaluate(&e, a->set, a->x, ISOGLOSS_MEANING, NULL, NULL);
        if (out->status != ISOGLOSS_OK)
            break;
        out->top1 = isogloss_figure(e, "top1", NULL);
        out->pool = isogloss_figure(e, "uniformity", NULL);
        isogloss_free(e);
    }
    return NULL;
}

static bool never(void *context, double share)
{
    (void)context;
    return share > 1;
}

/* Each thread gets what one alone gets, with a progress callback and without. */
static void test_threads(void **state)
{
    static answers alone, each[THREADS];

    for (int watched = 0; watched < 2; watched++) {
        isogloss_dataset *set = open_watched(watched ? never : NULL, NULL);
        isogloss_extractor *x = fit(set, "centre", NULL, NULL);
        asker one = {set, x, &alone}, all[THREADS];
        pthread_t thread[THREADS];

        memset(each, 0, sizeof each);
        ask_all(&one);
        assert_ok(alone.status);
        for (int t = 0; t < THREADS; t++) {
            all[t] = (asker){set, x, &each[t]};
            assert_int_equal(pthread_create(&thread[t], NULL, ask_all, &all[t]), 0);
        }
        for (int t = 0; t < THREADS; t++)
            pthread_join(thread[t], NULL);
        for (int t = 0; t < THREADS; t++)
            assert_memory_equal(&each[t], &alone, sizeof alone);
        isogloss_free(x);
        isogloss_free(set);
    }
}

/* Two threads work at once, each with handles of its own. */
static void test_two_datasets(void **state)
{
    static answers alone, each[2];
    isogloss_dataset *set[2];
    isogloss_extractor *x[2];
    asker all[2];
    pthread_t thread[2];

    memset(each, 0, sizeof each);
    for (int t = 0; t < 2; t++) {
        set[t] = open_watched(t ? never : NULL, NULL);
        x[t] = fit(set[t], "centre", NULL, NULL);
        all[t] = (asker){set[t], x[t], &each[t]};
    }
    ask_all(&(asker){set[0], x[0], &alone});
    for (int t = 0; t < 2; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, ask_all, &all[t]), 0);
    for (int t = 0; t < 2; t++) {
        pthread_join(thread[t], NULL);
        assert_memory_equal(&each[t], &alone, sizeof alone);
        isogloss_free(x[t]);
        isogloss_free(set[t]);
    }
}

/* --- cancelling ------------------------------------------------------------------- */

/* A callback that cancels while `cancel` is set, and counts how often it was asked. */
typedef struct asked {
    bool cancel;
    int times;
    const isogloss_dataset *set; /* to be called from within, or NULL */
    isogloss_status within;
} asked;

static bool answer(void *context, double share)
{
    asked *a = context;
    float out[D];

    assert_true(share <= 1);
    a->times++;
    if (a->set)
        a->within = isogloss_apply(a->set, NULL, ISOGLOSS_ORIGINAL, 0, 1, out, NULL);
    return a->cancel;
}

#define CANCELLED(call)                                                                \
    do {                                                                               \
        a.cancel = true;                                                               \
        a.times = 0;                                                                   \
        error.message[0] = '\0';                                                       \
        assert_fails(INTERRUPTED, call);                                               \
        assert_fails(INTERRUPTED, error.status);                                       \
        assert_string_equal(error.message, "cancelled by the progress callback");      \
        assert_true(a.times > 0);                                                      \
        a.cancel = false;                                                              \
    } while (0)

/* The work begins, meets that it is cancelled, and leaves outputs as they were; the same
 * call then does it. */
static void test_cancelled(void **state)
{
    const isogloss_setting ci[] = {{"ci", "yes"}, {NULL, NULL}};
    const isogloss_setting how[] = {{"epochs", "2"}, {NULL, NULL}};
    const char *data[] = {"rows.jsonl"};
    const uint32_t row = 3;
    static float out[N * D];
    asked a = {.cancel = false};
    isogloss_dataset *set = open_watched(answer, &a), *other = set;
    isogloss_trainer *trainer;
    isogloss_extractor *x = NULL;
    isogloss_evaluation *e = NULL;
    isogloss_neighbour best = {77, 0};
    size_t found = 99;
    isogloss_epoch epoch = {.number = 55};
    double share = 3;

    scratch_text(data[0], "{\"lang\": \"en\", \"vector\": [1, 2]}\n");
    CANCELLED(isogloss_dataset_open(&other, data, 1, NULL, answer, &a, &error));
    assert_null(other);
    other = set;
    CANCELLED(isogloss_dataset_of_rows(&other, rows, N, D, language, NULL, id, NULL,
                                       answer, &a, &error));
    assert_null(other);
    trainer = (isogloss_trainer *)set;
    CANCELLED(isogloss_trainer_new(&trainer, set, "seed", how, &error));
    assert_null(trainer);
    assert_ok(isogloss_trainer_new(&trainer, set, "seed", how, &error));
    for (size_t number = 0; isogloss_trainer_is_running(trainer); number++) {
        CANCELLED(isogloss_trainer_epoch(trainer, &epoch, &error));
        assert_int_equal(epoch.number, number ? number - 1 : 55);
        assert_ok(isogloss_trainer_epoch(trainer, &epoch, &error));
        assert_int_equal(epoch.number, number);
    }
    CANCELLED(isogloss_trainer_save(trainer, "run", &error));
    assert_int_not_equal(access("run", F_OK), 0);
    assert_ok(isogloss_trainer_save(trainer, "run", &error));
    CANCELLED(isogloss_extractor_open(&x, set, "run", &error));
    assert_null(x);
    assert_ok(isogloss_extractor_open(&x, set, "run", &error));
    for (int space = 0; space < 2; space++) {
        CANCELLED(isogloss_evaluate(&e, set, x, (isogloss_space)space,
                                    space ? ci : NULL, &error));
        assert_null(e);
        CANCELLED(isogloss_apply(set, x, (isogloss_space)space, 0, N, out, &error));
        CANCELLED(isogloss_project(set, x, (isogloss_space)space, 2, !space, out,
                                   &share, &error));
        CANCELLED(isogloss_search(set, x, (isogloss_space)space, &row, 1, NULL, 1,
                                  &best, &found, &error));
        CANCELLED(isogloss_search_vectors(set, x, (isogloss_space)space, rows, NULL, 1,
                                          NULL, 1, &best, &found, &error));
    }
    for (size_t i = 0; i < N * D; i++)
        assert_true(out[i] == 0);
    assert_true(best.row == 77 && found == 99 && share == 3);
    assert_ok(isogloss_search(set, x, ISOGLOSS_MEANING, &row, 1, NULL, 1, &best, &found,
                              NULL));
    assert_int_equal(found, 1);
    isogloss_free(x);
    isogloss_free(trainer);
    isogloss_free(set);
}

/* A callback that calls its own dataset is refused; it would wait for itself. */
static void test_within(void **state)
{
    asked a = {.cancel = false};
    isogloss_dataset *set = open_watched(answer, &a);
    float out[D];

    a.set = set;
    assert_ok(isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, 0, 1, out, NULL));
    assert_fails(USAGE, a.within);
    isogloss_free(set);
}

SUITE(calls, make_rows, scratch_leave, TEST(test_threads), TEST(test_two_datasets),
      TEST(test_cancelled), TEST(test_within))
