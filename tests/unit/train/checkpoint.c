/* Checkpoints: a run that was cut off after any epoch and gone on with is, to the byte,
 * the one that was never cut off, whatever its objective and options need to remember.
 */
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "suite.h"
#include "train/run_directory.h"
#include "train/trainer_state.h"

#include "scratch.h"

enum { IDS = 60, LANGUAGES = 3, ROWS = IDS * LANGUAGES, DIMS = 8 };

static float vectors[ROWS][DIMS];
static ig_dataset *set;
static ig_pairs pairs;
static ig_error error;

#define ok(call)                                                                       \
    do {                                                                               \
        if ((call) != IG_OK)                                                           \
            fail_msg("%s: %s", #call, error.message);                                  \
    } while (0)

static int set_up(void **state)
{
    static const char *const codes[LANGUAGES] = {"en", "de", "ja"};
    static char names[IDS][8];
    const char *lang[ROWS], *id[ROWS];
    ig_random random;

    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(names[i / LANGUAGES], sizeof *names, "%zu", i / LANGUAGES);
        lang[i] = codes[i % LANGUAGES];
        id[i] = names[i / LANGUAGES];
        for (size_t k = 0; k < DIMS; k++)
            vectors[i][k] = (float)(ig_random_normal(&random) +
                                    (i % LANGUAGES == k ? 2.0 : 0.0) +
                                    sin((double)(i / LANGUAGES * (k + 1))));
    }
    ok(ig_dataset_of_rows(&set, "mem", vectors[0], ROWS, DIMS, lang, NULL, id, &error));
    ok(ig_pairs_derive(&pairs, set, "pivot", &error));
    return scratch_enter(state);
}

static int tear_down(void **state)
{
    ig_pairs_free(&pairs);
    ig_dataset_free(set);
    return scratch_leave(state);
}

/* What is tried: an objective, and options that it goes with. */
struct example {
    const char *name, *text;
    const char *options[5]; /* "lr=0.1" */
};

static ig_run *new_run(const struct example *x, size_t checkpoint, const char *resume)
{
    ig_run_setup setup = {.set = set,
                          .pairs = &pairs,
                          .method = x->name,
                          .text = x->text,
                          .options = ig_train_defaults(),
                          .checkpoint = checkpoint,
                          .resume = resume};
    ig_run *run;

    setup.options.epochs = 9;
    setup.options.batch = 16;
    for (size_t i = 0; i < 5 && x->options[i]; i++) {
        const char *value = strchr(x->options[i], '=');
        char name[32];

        snprintf(name, sizeof name, "%.*s", (int)(value - x->options[i]),
                 x->options[i]);
        ok(ig_setting_parse(&ig_train_option_named(name)->field, &setup.options, name,
                            value + 1, &error));
    }
    ok(ig_run_new(&run, &setup, &error));
    return run;
}

static void train(ig_run *run, size_t records)
{
    while (ig_run_going(run) && run->records < records)
        ok(ig_run_epoch(run, NULL, NULL, &error));
}

static void assert_same_block(const float *a, const float *b, size_t n)
{
    assert_memory_equal(a, b, n * sizeof *a);
}

/* Two figures of which both may be none. */
static void assert_same(double a, double b)
{
    assert_true(a == b || (isnan(a) && isnan(b)));
}

static void assert_same_records(const ig_run *a, const ig_run *b)
{
    assert_int_equal(a->records, b->records);
    for (size_t i = 0; i < a->records; i++) {
        const ig_run_record *r = &a->record[i], *q = &b->record[i];

        assert_int_equal(r->epoch.epoch, q->epoch.epoch);
        assert_int_equal(r->epoch.best, q->epoch.best);
        assert_int_equal(r->epoch.self_partners, q->epoch.self_partners);
        assert_int_equal(r->epoch.rows, q->epoch.rows);
        assert_same(r->epoch.train_loss, q->epoch.train_loss);
        assert_same(r->epoch.valid_loss, q->epoch.valid_loss);
        for (size_t t = 0; t < a->objective.terms; t++)
            assert_same(r->epoch.value[t], q->epoch.value[t]);
        for (int s = 0; s < IG_SPACES; s++) {
            assert_same(r->geometry[s].alignment, q->geometry[s].alignment);
            assert_same(r->geometry[s].uniformity, q->geometry[s].uniformity);
        }
    }
}

static void assert_same_runs(const ig_run *a, const ig_run *b)
{
    const ig_trainer *t = a->trainer, *u = b->trainer;

    assert_int_equal(t->now.size, u->now.size);
    assert_same_block(t->now.weights, u->now.weights, t->now.size);
    assert_same_block(t->best.weights, u->best.weights, t->now.size);
    assert_same_block(t->first, u->first, t->now.size);
    assert_same_block(t->second, u->second, t->now.size);
    assert_int_equal(t->best_epoch, u->best_epoch);
    assert_int_equal(ig_trainer_best_since(t), ig_trainer_best_since(u));
    for (size_t i = 0; i < a->objective.terms; i++)
        assert_int_equal(ig_trainer_stage(t, i), ig_trainer_stage(u, i));
    assert_string_equal(ig_run_ending(a), ig_run_ending(b));
    assert_same_records(a, b);
}

static const struct example examples[] = {
    {"seed", NULL, {"lr=0.01", NULL}},
    /* the best epoch lies long before the end, which comes early */
    {"seed", NULL, {"lr=0.3", "patience=3", NULL}},
    {"seed", NULL, {"valid=0", "holdout=0.2", NULL}},
    {"seed",
     NULL,
     {"order=sequential", "partner=next", "normalize=yes", "seed=5", NULL}},
    {"meat", NULL, {"lr=0.01", NULL}},  /* a discriminator */
    {"dream", NULL, {"lr=0.01", NULL}}, /* a classifier */
    {"structure", NULL, {"batch=16", "valid=0.1", "lr=0.01", NULL}}, /* stages, decay */
    {"staged",
     "extractor residual\npull 2 m(x) m(y)\npush 1 m(x) m(x') from=4\n"
     "pull 1 l(x) l(x') from=7\n",
     {"lr=0.1", "patience=2", "holdout=0.1", NULL}},
};

static void test_same_bytes(void **state)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *x = &examples[i];
        ig_run *whole = new_run(x, 2, NULL);

        train(whole, SIZE_MAX);
        assert_in_range(whole->records, 3, 10);
        for (size_t cut = 1; cut < whole->records; cut++) {
            ig_run *first = new_run(x, 2, NULL), *second;

            train(first, cut);
            assert_string_equal(ig_run_ending(first), IG_RUN_GOES_ON);
            ok(ig_run_write(first, "cut", &error));
            ig_run_delete(first);
            second = new_run(x, 2, "cut");
            assert_int_equal(second->records, cut);
            train(second, SIZE_MAX);
            assert_same_runs(whole, second);
            ig_run_delete(second);
        }
        ig_run_delete(whole);
    }
}

/* What ended for want of epochs goes on with more of them, as a longer run has it. */
static void test_more_epochs(void **state)
{
    struct example x = {"seed", NULL, {"epochs=3", NULL}};
    ig_run *whole, *run = new_run(&x, 1, NULL);

    train(run, SIZE_MAX);
    assert_string_equal(ig_run_ending(run), "all epochs done");
    ok(ig_run_write(run, "ended", &error));
    ig_run_delete(run);
    run = new_run(&x, 1, "ended");
    assert_false(ig_run_going(run));
    ig_run_delete(run);
    x.options[0] = "epochs=6";
    run = new_run(&x, 1, "ended");
    assert_true(ig_run_going(run));
    train(run, SIZE_MAX);
    whole = new_run(&x, 1, NULL);
    train(whole, SIZE_MAX);
    assert_same_runs(whole, run);
    ig_run_delete(whole);
    ig_run_delete(run);
}

static void test_refused(void **state)
{
    const struct example seed = {"seed", NULL, {NULL}}, dream = {"dream", NULL, {NULL}};
    ig_run_setup setup = {.set = set,
                          .pairs = &pairs,
                          .method = "centre",
                          .options = ig_train_defaults(),
                          .checkpoint = 2,
                          .resume = "of-seed"};
    ig_run *run = new_run(&seed, 1, NULL);
    ig_stored stored;
    uint64_t values;

    train(run, 2);
    ok(ig_run_write(run, "of-seed", &error));
    ig_run_delete(run);
    setup.method = dream.name;
    assert_int_equal(ig_run_new(&run, &setup, &error), IG_FORMAT);
    assert_string_equal(error.message,
                        "of-seed/checkpoint: is not of this run and set");
    setup.method = "centre";
    assert_int_equal(ig_run_new(&run, &setup, &error), IG_VALUE);
    assert_string_equal(error.message,
                        "of-seed: centre has nothing to go on with: it is "
                        "no training in epochs");
    setup.resume = NULL; /* and writes no checkpoint */
    ok(ig_run_new(&run, &setup, &error));
    train(run, SIZE_MAX);
    ok(ig_run_write(run, "of-seed", &error));
    ig_run_delete(run);
    assert_int_not_equal(access("of-seed/checkpoint", F_OK), 0);
    ok(ig_stored_read(&stored, "of-seed", set, false, &error));
    assert_int_equal(ig_stored_resumable(&stored, set, &pairs, &values, &error),
                     IG_VALUE);
    assert_non_null(strstr(error.message, "the run of-seed has no checkpoint"));
    ig_stored_free(&stored);
}

/* A run that was written, and what was then made of its run.json. */
static ig_status resumable(const char *from, const char *to)
{
    static char text[8192];
    FILE *file = fopen("changed/run.json", "r+");
    size_t n = fread(text, 1, sizeof text - 1, file);
    char *at;
    ig_stored stored;
    ig_status status;
    uint64_t values;

    text[n] = '\0';
    at = strstr(text, from);
    assert_non_null(at);
    rewind(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(ftruncate(fileno(file), ftell(file)), 0);
    fclose(file);
    ok(ig_stored_read(&stored, "changed", set, false, &error));
    status = ig_stored_resumable(&stored, set, &pairs, &values, &error);
    ig_stored_free(&stored);
    return status;
}

/* What run.json says must be what the checkpoint was written by. */
static void test_contradictions(void **state)
{
    static const char *const changes[][2] = {
        {"\"method\": \"seed\"", "\"method\": \"meat\""},
        {"\"checkpoint\": 2", "\"checkpoint\": -3"},
        {"\"batch_used\": 16", "\"batch_used\": 99999999999"},
        {"\"lr\": 0.5", "\"lr\": 0.25"},
        {"\"seed\": 1", "\"seed\": 7"},
    };
    const struct example seed = {"seed", NULL, {"lr=0.5", NULL}};
    ig_run *run = new_run(&seed, 2, NULL);
    FILE *file;

    train(run, 3);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ok(ig_run_write(run, "changed", &error));
        assert_int_equal(resumable(changes[i][0], changes[i][0]), IG_OK);
        assert_int_equal(resumable(changes[i][0], changes[i][1]), IG_VALUE);
        assert_non_null(strstr(error.message, "was changed since the checkpoint"));
    }
    ok(ig_run_write(run, "changed", &error));
    file = fopen("changed/objective", "a");
    fputs("# and more\n", file);
    fclose(file);
    assert_int_equal(resumable("seed", "seed"), IG_VALUE);
    ig_run_delete(run);
}

/* One value among many is another: of a large set, the checksum that is taken on
 * opening does not see it, what a checkpoint goes by does. */
static void test_one_other_value(void **state)
{
    enum { N = 3000, D = 24 };
    static float values[N * D];
    static const char *lang[N];
    ig_dataset *large[2];
    uint64_t sum[2], other;

    for (size_t i = 0; i < N; i++)
        lang[i] = i % 2 ? "en" : "de";
    for (size_t i = 0; i < N * D; i++)
        values[i] = (float)i;
    for (size_t k = 0; k < 2; k++) {
        values[20000] += (float)k;
        ok(ig_dataset_of_rows(&large[k], "mem", values, N, D, lang, NULL, NULL,
                              &error));
        ok(ig_dataset_check_sum(large[k], NULL, &sum[k], NULL, &error));
    }
    assert_true(large[0]->checksum == large[1]->checksum);
    assert_true(sum[0] != sum[1]);
    values[20000] -= 1;
    ok(ig_dataset_check_sum(large[1], NULL, &other, NULL, &error));
    assert_true(sum[0] == other);
    ig_dataset_free(large[0]);
    ig_dataset_free(large[1]);
}

SUITE(checkpoint, set_up, tear_down, TEST(test_same_bytes), TEST(test_more_epochs),
      TEST(test_refused), TEST(test_contradictions), TEST(test_one_other_value))
