/* Training against the golden values of an independent float64 implementation
 * (tests/golden): values, gradients, five Adam steps; finite differences for every term;
 * reproducibility. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isogloss/data/npy.h"
#include "isogloss/learn/trainer.h"
#include "isogloss/linear/blas.h"

enum { B = 24, D = 16 };

static ig_error error;

#define ok(call)                                                                       \
    do {                                                                               \
        if ((call) != IG_OK)                                                           \
            fail_msg("%s: %s", #call, error.message);                                  \
    } while (0)

/* A set, its pairs and a split, made by hand. */
struct world {
    ig_set *set;
    ig_pairs pairs;
    ig_split split;
    ig_objective objective;
    ig_train_options options;
    ig_extractor initial;
    ig_pool *pool;
    ig_trainer *trainer;
    float *rows;
};

static float *golden(const char *name, size_t *rows, size_t *cols)
{
    char path[256];
    float *values;

    snprintf(path, sizeof path, "tests/golden/%s.npy", name);
    ok(ig_npy_read(path, rows, cols, &values, &error));
    return values;
}

static void make_pairs(struct world *w, size_t n, size_t held_out)
{
    w->pairs.count = n;
    w->pairs.left = ig_alloc(n, sizeof(uint32_t));
    w->pairs.right = ig_alloc(n, sizeof(uint32_t));
    w->pairs.group = ig_alloc(n, sizeof(uint32_t));
    w->pairs.groups = n;
    w->split.train = n - held_out;
    w->split.valid = held_out;
    w->split.train_pair = ig_alloc(n, sizeof(uint32_t));
    w->split.valid_pair = ig_alloc(n, sizeof(uint32_t));
    w->split.held_out = ig_alloc(2 * n, 1);
    for (uint32_t i = 0; i < n; i++) {
        w->pairs.left[i] = i;
        w->pairs.right[i] = (uint32_t)n + i;
        w->pairs.group[i] = i;
        if (i < w->split.train)
            w->split.train_pair[i] = i;
        else
            w->split.valid_pair[i - w->split.train] = i;
    }
}

/* A set of 2n rows: left sides, then right sides, with languages by number. */
static void make_set(struct world *w, size_t n, size_t d, const int *lang)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    const char *code[512];

    for (size_t i = 0; i < 2 * n; i++)
        code[i] = names[lang[i]];
    ok(ig_set_of_rows(&w->set, "test", w->rows, 2 * n, d, code, NULL, NULL, &error));
    make_pairs(w, n, 0);
}

static void start(struct world *w, const char *method)
{
    ok(ig_objective_load(&w->objective, method, &error));
    w->options = ig_train_defaults();
    w->options.next_partner = true;
    w->options.sequential = true;
    w->options.valid = 0;
    w->options.patience = 0;
    ok(ig_pool_new(&w->pool, 2, &error));
}

static void train(struct world *w, const ig_extractor *initial)
{
    ok(ig_train_resolve(&w->options, &w->objective, &error));
    ok(ig_trainer_new(&w->trainer, w->set, &w->pairs, &w->split, &w->objective,
                      &w->options, initial, w->pool, &error));
}

static void end(struct world *w)
{
    ig_trainer_delete(w->trainer);
    ig_pool_delete(w->pool);
    ig_extractor_free(&w->initial);
    ig_objective_free(&w->objective);
    ig_pairs_free(&w->pairs);
    ig_split_free(&w->split);
    ig_set_free(w->set);
    ig_free(w->rows);
    memset(w, 0, sizeof *w);
}

/* The golden batch with the golden initial weights. */
static void golden_world(struct world *w, const char *method)
{
    size_t rows, cols;
    float *x = golden("x", &rows, &cols), *y = golden("y", &rows, &cols);
    float *lx = golden("lang_x", &rows, &cols), *ly = golden("lang_y", &rows, &cols);
    int lang[2 * B];

    memset(w, 0, sizeof *w);
    w->rows = ig_alloc(2 * B * D, sizeof(float));
    memcpy(w->rows, x, B * D * sizeof(float));
    memcpy(w->rows + B * D, y, B * D * sizeof(float));
    for (int i = 0; i < B; i++) {
        lang[i] = (int)lx[i];
        lang[B + i] = (int)ly[i];
    }
    make_set(w, B, D, lang);
    start(w, method);
    w->options.lr = 1e-2;
    w->options.batch = B;
    w->options.epochs = 5;
    ok(ig_extractor_init(&w->initial, w->objective.extractor, D, w->set->languages,
                         &error));
    for (size_t i = 0; i < w->initial.parameters; i++) {
        const ig_parameter *p = &w->initial.parameter[i];
        char name[64];
        float *v;

        snprintf(name, sizeof name, "init.%s", p->name);
        v = golden(name, &rows, &cols);
        memcpy(w->initial.weights + p->offset, v, rows * cols * sizeof(float));
        ig_free(v);
    }
    train(w, &w->initial);
    ig_free(x), ig_free(y), ig_free(lx), ig_free(ly);
}

/* Largest difference as a share of the largest reference value. */
static double distance(const float *a, const float *b, size_t n)
{
    double worst = 0, scale = 0;

    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs((double)a[i] - b[i]));
        scale = fmax(scale, fabs((double)b[i]));
    }
    return worst / scale;
}

/* The values of a column "method,key,…,value" of a golden table, in order. */
static size_t golden_column(const char *file, const char *method, const char *omit,
                            double *out)
{
    char path[64], line[256];
    size_t n = 0;
    FILE *f;

    snprintf(path, sizeof path, "tests/golden/%s", file);
    f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *key = strchr(line, ',');

        *key++ = '\0';
        if (strcmp(line, method) == 0 && (!omit || strncmp(key, omit, strlen(omit))))
            out[n++] = atof(strrchr(key, ',') + 1);
    }
    fclose(f);
    return n;
}

static void compare_values(struct world *w, const char *method)
{
    double want[32], value[64], loss;
    size_t terms = golden_column("terms.csv", method, "total", want);
    double clusters = 0;
    size_t k = 0;

    loss = ig_trainer_evaluate(w->trainer, w->split.train_pair, B, NULL, value);
    for (size_t i = 0; i < w->objective.terms; i++) {
        /* the golden table has one line for the clusters of both sides */
        bool cluster = w->objective.term[i].operand[1].atoms == 0;

        clusters += cluster ? value[i] : 0;
        if (cluster && i == 0)
            continue;
        assert_true(fabs((cluster ? clusters : value[i]) - want[k]) <
                    1e-5 * fabs(want[k]) + 1e-9);
        k++;
    }
    assert_int_equal(k, terms);
    golden_column("losses.csv", method, NULL, want);
    assert_true(fabs(loss - want[0]) < 1e-5 * want[0]);
}

static void compare_gradient(struct world *w, const char *method)
{
    float *gradient = ig_alloc(w->initial.size, sizeof(float));
    double value[64];

    ig_trainer_evaluate(w->trainer, w->split.train_pair, B, gradient, value);
    for (size_t i = 0; i < w->initial.parameters; i++) {
        const ig_parameter *p = &w->initial.parameter[i];
        size_t rows, cols;
        char name[64];
        float *want;

        snprintf(name, sizeof name, "%s.grad.%s", method, p->name);
        want = golden(name, &rows, &cols);
        assert_true(distance(gradient + p->offset, want, rows * cols) < 1e-4);
        ig_free(want);
    }
    ig_free(gradient);
}

static void compare_trajectory(struct world *w, const char *method)
{
    double want[8];
    ig_epoch epoch;

    assert_int_equal(golden_column("losses.csv", method, NULL, want), 5);
    ok(ig_trainer_epoch(w->trainer, NULL, NULL, &epoch, &error));
    assert_true(fabs(epoch.train_loss - want[0]) < 1e-5 * want[0]);
    for (int i = 0; i < 5; i++) {
        ok(ig_trainer_epoch(w->trainer, NULL, NULL, &epoch, &error));
        assert_true(fabs(epoch.train_loss - want[i]) < 1e-4 * want[i]);
    }
    assert_int_equal(ig_trainer_state(w->trainer), IG_TRAIN_ALL_EPOCHS);
    for (size_t i = 0; i < w->initial.parameters; i++) {
        const ig_parameter *p = &w->initial.parameter[i];
        size_t rows, cols;
        char name[64];
        float *final;

        snprintf(name, sizeof name, "%s.final.%s", method, p->name);
        final = golden(name, &rows, &cols);
        assert_true(distance(ig_trainer_extractor(w->trainer)->weights + p->offset,
                             final, rows * cols) < 1e-4);
        ig_free(final);
    }
}

static void golden_values_gradients_and_steps(void **state)
{
    static const char *const method[] = {"seed", "intra", "inter", "oracle",
                                         "oracle-code"};

    (void)state;
    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        struct world w;

        golden_world(&w, method[i]);
        compare_values(&w, method[i]);
        compare_gradient(&w, method[i]);
        compare_trajectory(&w, method[i]);
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_values_gradients_and_steps),
    };

    ig_blas_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
