/* Training against the golden values of an independent float64 implementation
 * (tests/golden): values, gradients, five Adam steps; finite differences for every term. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "training.h"

#include "core/blas.h"
#include "data/npy.h"
#include "train/trainer.h"

enum { B = 24, D = 16 };

static float *golden(const char *name, size_t *rows, size_t *cols)
{
    char path[256];
    float *values;

    snprintf(path, sizeof path, "tests/golden/%s.npy", name);
    ok(ig_npy_read(path, rows, cols, &values, &error));
    return values;
}

/* A set of 2n rows: left sides, then right sides, with languages by number; all are
 * trained on. */
static void make_set(struct world *w, size_t n, size_t d, const int *lang)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    const char *code[512];

    for (size_t i = 0; i < 2 * n; i++)
        code[i] = names[lang[i]];
    ok(ig_dataset_of_rows(&w->set, "test", w->rows, 2 * n, d, code, NULL, NULL,
                          &error));
    ok(ig_pairs_allocate(&w->pairs, n, &error));
    w->pairs.count = w->pairs.groups = n;
    for (uint32_t i = 0; i < n; i++) {
        w->pairs.left[i] = w->pairs.group[i] = i;
        w->pairs.right[i] = (uint32_t)n + i;
    }
    ok(ig_split_make(&w->split, w->set, &w->pairs, 0, 0, 1, &error));
}

static void start(struct world *w, const char *method)
{
    ok(ig_objective_load(&w->objective, method, &error));
    w->options = ig_train_defaults();
    w->options.partner = IG_PARTNER_NEXT;
    w->options.order = IG_ORDER_SEQUENTIAL;
    w->options.valid = 0;
    w->options.patience = 0;
}

/* The golden runs of ORACLE gather all languages of a batch, as its eq. 5 reads without
 * the sentence before it: tests/golden has their objectives. */
static void use_golden_objective(struct world *w, const char *method)
{
    char path[96], text[2048];
    size_t n;
    FILE *file;

    snprintf(path, sizeof path, "tests/golden/%s.objective", method);
    file = fopen(path, "r");
    if (!file)
        return;
    n = fread(text, 1, sizeof text, file);
    fclose(file);
    ig_objective_free(&w->objective);
    ok(ig_objective_parse(&w->objective, method, path, text, n, &error));
}

/* The golden run of `structure` has all its stages on from the first step. */
static void switch_stages_on(struct world *w)
{
    for (size_t i = 0; i < w->objective.terms; i++)
        w->objective.term[i].from = 0;
}

/* The golden batch with the golden initial weights; `shipped`: with the program's own
 * objective. */
static void golden_world(struct world *w, const char *method, bool shipped)
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
    if (!shipped)
        use_golden_objective(w, method);
    if (strcmp(method, "structure") == 0)
        switch_stages_on(w);
    w->options.lr = 1e-2;
    w->options.batch = B;
    w->options.epochs = 5;
    w->options.weight_decay = 0;
    w->initial = (ig_extractor){.kind = w->objective.extractor,
                                .dims = D,
                                .languages = w->set->languages,
                                .classifies = w->objective.classifies,
                                .hidden = D,
                                .width = D / 2};
    ok(ig_extractor_init(&w->initial, &error));
    for (size_t i = 0; i < w->initial.parameters; i++) {
        const ig_parameter *p = &w->initial.parameter[i];
        char name[64];
        float *v;

        snprintf(name, sizeof name, "init.%s", p->name);
        v = golden(name, &rows, &cols);
        memcpy(w->initial.weights + p->offset, v, rows * cols * sizeof(float));
        ig_free(v);
    }
    world_train(w, &w->initial);
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

static double golden_total(const char *method)
{
    double value[64];

    /* the line `total` is the last but for MEAT's `discriminator` */
    return value[golden_column("terms.csv", method, "discriminator", value) - 1];
}

static void close_to(double value, double want, double tolerance, const char *what)
{
    if (!(fabs(value - want) < tolerance * fabs(want) + 1e-9))
        fail_msg("%s: %.9g, wanted %.9g", what, value, want);
}

/* The golden table has one line for the clusters of both sides, and two for each term of
 * `structure` that has two directions. */
static void compare_values(struct world *w, const char *method)
{
    double want[64], value[64], clusters = 0;
    bool structure = strcmp(method, "structure") == 0;
    size_t k = 0, seen = 0;

    golden_column("terms.csv", method, NULL, want);
    close_to(ig_trainer_evaluate(w->trainer, w->split.pair[IG_SPLIT_TRAIN], B, value),
             golden_total(method), 1e-5, method);
    for (size_t i = 0; i < w->objective.terms; i++) {
        const char *name = w->objective.term[i].name;

        if (strncmp(name, "cluster", 7) == 0) {
            clusters += value[i];
            if (++seen == 2)
                close_to(clusters, want[k++], 1e-5, name);
        } else if (structure && i != 1) {
            close_to(value[i], (want[k] + want[k + 1]) / 2, 1e-5, name);
            k += 2;
        } else {
            close_to(value[i], want[k++], 1e-5, name);
        }
    }
}

/* Golden files of the head are named without its name. */
static float *golden_parameter(const char *method, const char *kind, const char *name,
                               size_t *count)
{
    size_t rows, cols;
    char file[96];
    float *values;

    if (strncmp(name, "head.", 5) == 0)
        name += 5;
    snprintf(file, sizeof file, "%s.%s.%s", method, kind, name);
    values = golden(file, &rows, &cols);
    *count = rows * cols;
    return values;
}

/* Parameters that a method's loss does not depend on have no golden gradient. */
static bool has_gradient(const char *method, const char *name)
{
    if (strcmp(method, "oracle-code") == 0)
        return strncmp(name, "meaning", 7) != 0;
    return strncmp(method, "meat", 4) != 0 || strncmp(name, "classifier", 10) != 0;
}

static void compare_gradient(struct world *w, const char *method)
{
    const float *gradient = w->trainer->batch.gradient;
    double value[64];

    ig_trainer_evaluate(w->trainer, w->split.pair[IG_SPLIT_TRAIN], B, value);
    for (size_t i = 0; i < w->initial.parameters; i++) {
        const ig_parameter *p = &w->initial.parameter[i];
        size_t n = p->rows * (p->cols ? p->cols : 1);
        float *want;

        if (!has_gradient(method, p->name)) {
            for (size_t k = 0; k < n; k++)
                assert_true(gradient[p->offset + k] == 0);
            continue;
        }
        want = golden_parameter(method, "grad", p->name, &n);
        if (!(distance(gradient + p->offset, want, n) < 1e-4))
            fail_msg("%s: gradient by %s is off by %g", method, p->name,
                     distance(gradient + p->offset, want, n));
        ig_free(want);
    }
}

static void compare_trajectory(struct world *w, const char *method)
{
    double want[8];
    ig_epoch epoch;

    assert_int_equal(golden_column("losses.csv", method, NULL, want), 5);
    ok(ig_trainer_epoch(w->trainer, NULL, NULL, &epoch, &error));
    close_to(epoch.train_loss, golden_total(method), 1e-5, method);
    for (int i = 0; i < 5; i++) {
        ok(ig_trainer_epoch(w->trainer, NULL, NULL, &epoch, &error));
        close_to(epoch.train_loss, want[i], 1e-4, method);
    }
    assert_string_equal(w->trainer->ending, "all epochs done");
    for (size_t i = 0; i < w->initial.parameters; i++) {
        const ig_parameter *p = &w->initial.parameter[i];
        size_t n;
        float *final;

        if (strcmp(method, "structure") == 0)
            continue; /* has no golden final weights */
        final = golden_parameter(method, "final", p->name, &n);
        if (!(distance(w->trainer->now.weights + p->offset, final, n) < 1e-4))
            fail_msg("%s: final %s is off", method, p->name);
        ig_free(final);
    }
}

static void golden_values_gradients_and_steps(void **state)
{
    static const char *const method[] = {
        "seed",  "intra", "inter",        "oracle",      "oracle-code",
        "dream", "meat",  "dream+oracle", "meat+oracle", "structure"};

    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        struct world w;

        golden_world(&w, method[i], false);
        compare_values(&w, method[i]);
        compare_gradient(&w, method[i]);
        compare_trajectory(&w, method[i]);
        world_end(&w);
    }
}

/* ORACLE as it is shipped gathers each language by itself: losses of five steps, and
 * after them, by tests/golden/shipped.py. */
static void shipped_objectives_train_as_a_second_implementation(void **state)
{
    static const char *const method[] = {"oracle", "dream+oracle", "meat+oracle"};

    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        struct world w;
        double want[8];
        ig_epoch epoch;

        golden_world(&w, method[i], true);
        assert_int_equal(golden_column("shipped.csv", method[i], NULL, want), 6);
        w.trainer->options.epochs = 6;
        ok(ig_trainer_epoch(w.trainer, NULL, NULL, &epoch, &error));
        for (int k = 0; k < 6; k++) {
            ok(ig_trainer_epoch(w.trainer, NULL, NULL, &epoch, &error));
            close_to(epoch.train_loss, want[k], 1e-5, method[i]);
        }
        world_end(&w);
    }
}

/* --- finite differences ----------------------------------------------------------- */

/* A world of n random pairs in `languages` languages a side, d dims. Rows 0 and 1 repeat
 * when `awkward`, and row 2 is zero. */
static void random_world(struct world *w, const char *text, size_t n, size_t d,
                         int languages, bool awkward)
{
    int lang[512];
    ig_random random;

    memset(w, 0, sizeof *w);
    w->rows = ig_alloc(2 * n * d, sizeof(float));
    ig_random_init(&random, 7, n * 1000 + d);
    for (size_t i = 0; i < 2 * n * d; i++)
        w->rows[i] = (float)ig_random_normal(&random);
    if (awkward) {
        memcpy(w->rows + d, w->rows, d * sizeof(float));
        if (n > 2)
            memset(w->rows + 2 * d, 0, d * sizeof(float));
    }
    for (size_t i = 0; i < n; i++) {
        lang[i] = (int)ig_random_below(&random, (size_t)languages);
        lang[n + i] = 2 + (int)ig_random_below(&random, (size_t)languages);
    }
    make_set(w, n, d, lang);
    start(w, "seed");
    ig_objective_free(&w->objective);
    ok(ig_objective_parse(&w->objective, "test", "test", text, strlen(text), &error));
    w->options.batch = n;
    w->options.lr = 1e-2;
    world_train(w, NULL);
}

static void check_differences(struct world *w)
{
    float *weights = w->trainer->now.weights;
    const ig_extractor *now = &w->trainer->now;
    /* what an adversary learns is no part of the loss's gradient */
    size_t size = strstr(w->objective.text, "confuse") ? now->classifier : now->size;
    size_t n = w->split.train;
    float *gradient = ig_alloc(now->size, sizeof(float));
    double value[64], largest = 0;
    /* a difference may straddle a kink of max(0, ·) */
    bool head = now->kind == IG_HEAD;
    double tolerance = head ? 1e-2 : 1e-3, noise = head ? 5e-4 : 1e-4;
    float step = head ? 3e-4f : 2e-3f;
    ig_random random;

    ig_trainer_evaluate(w->trainer, w->split.pair[IG_SPLIT_TRAIN], n, value);
    memcpy(gradient, w->trainer->batch.gradient, size * sizeof *gradient);
    for (size_t i = 0; i < size; i++)
        largest = fmax(largest, fabs((double)gradient[i]));
    ig_random_init(&random, 3, 0);
    for (int i = 0; i < 40; i++) {
        size_t k = ig_random_below(&random, size);
        float keep = weights[k], h = step;
        double up, down;

        weights[k] = keep + h;
        up = ig_trainer_evaluate(w->trainer, w->split.pair[IG_SPLIT_TRAIN], n, value);
        weights[k] = keep - h;
        down = ig_trainer_evaluate(w->trainer, w->split.pair[IG_SPLIT_TRAIN], n, value);
        weights[k] = keep;
        if (fabs((up - down) / (2.0 * h) - gradient[k]) >= tolerance * largest + noise)
            fail_msg("%s: weight %zu: difference %g, gradient %g, largest %g",
                     w->objective.text, k, (up - down) / (2.0 * h), gradient[k],
                     largest);
    }
    ig_free(gradient);
}

/* One direction of InfoNCE of x against y in plain double: row i against the others,
 * those of its meaning left out. */
static double plain_contrast(const struct world *w, const float *a, const float *b,
                             size_t n, size_t d, double tau)
{
    double value = 0;

    for (size_t i = 0; i < n; i++) {
        double total = 0, own = 0;

        for (size_t j = 0; j < n; j++) {
            double dot = 0;

            for (size_t k = 0; k < d; k++)
                dot += (double)a[i * d + k] * b[j * d + k];
            if (i == j)
                own = dot / tau;
            if (i == j || w->pairs.group[i] != w->pairs.group[j])
                total += exp(dot / tau);
        }
        value += log(total) - own;
    }
    return value / (double)n;
}

/* Pairs of one sentence with several languages stand in one batch: they are no
 * negatives of one another. */
static void contrast_leaves_out_the_same_meaning(void **state)
{
    static const char *const text[] = {
        "extractor residual\npull 0 m(x) m(y)\ncontrast 1 x y tau=2\n",
        "extractor residual\ncontrast 1 m(x) m(y) tau=0.5\n",
        "extractor twin\ncontrast 1 m(x') l(y) tau=0.5\n"};
    enum { N = 14, DIMS = 6 };
    double value[64], want;
    struct world w;

    for (size_t t = 0; t < 3; t++) {
        random_world(&w, text[t], N, DIMS, 3, false);
        for (uint32_t i = 0; i < N; i++)
            w.pairs.group[i] = i % 4;
        if (t == 0) {
            ig_trainer_evaluate(w.trainer, w.split.pair[IG_SPLIT_TRAIN], N, value);
            want = (plain_contrast(&w, w.rows, w.rows + N * DIMS, N, DIMS, 2) +
                    plain_contrast(&w, w.rows + N * DIMS, w.rows, N, DIMS, 2)) /
                   2;
            close_to(value[1], want, 1e-5, text[t]);
        } else {
            check_differences(&w);
        }
        world_end(&w);
    }
}

/* What `head` can serve. */
static bool only_meanings(const char *term)
{
    const char *p = strpbrk(term, "(");

    if (strstr(term, "l("))
        return false;
    for (p = term; *p; p++)
        if ((*p == ' ' || *p == '+') && (p[1] == 'x' || p[1] == 'y'))
            return false;
    return true;
}

static void differences_of(const char *term, size_t number)
{
    static const char *const extractor[] = {"residual", "twin", "head"};
    static const struct {
        size_t n, d;
        int languages;
        bool awkward;
    } size[] = {{12, 8, 2, false}, {2, 5, 1, true}, {9, 70, 3, true}, {3, 33, 3, true}};

    for (size_t x = 0; x < 3; x++)
        for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
            struct world w;
            char text[128];

            if (x == 2 && !only_meanings(term))
                continue;
            /* One extractor after the other sees the large sizes. */
            if (!thorough() && size[k].d > 30 && number % 3 != x)
                continue;
            snprintf(text, sizeof text, "extractor %s\n%s\n", extractor[x], term);
            random_world(&w, text, size[k].n, size[k].d, size[k].languages,
                         size[k].awkward);
            check_differences(&w);
            world_end(&w);
        }
}

/* A term without an example here is tried on meanings. */
static void every_term_by_finite_differences(void **state)
{
    static const char *const example[] = {
        "pull 1.5 m(x) m(y)",
        "push 0.7 m(x) m(x')",
        "pull 2 l(x) l(x')",
        "push 1 m(x)+l(y) l(y')",
        "pull 1 y m(x')+l(y)",
        "mse 3 x m(x)+l(y)",
        "mse 2 m(x)+l(x') y'",
        "cluster 1 l(x)",
        "cluster 2 m(y)+l(x) all=1",
        "cluster -1 m(x')",
        "pull 1 x+y m(x)+m(y)",
        "pull 1 l(y') x'",
        "pull 1 m(x) m(x)",
        "identify 1 l(x)",
        "identify 2 m(y)+l(x)",
        "confuse 1.5 m(y)",
        "contrast 1 m(x) m(y) tau=0.5",
        "contrast 2 l(x) m(x') tau=0.3",
        "cluster 1 l(x) by=language",
        "cluster 2 m(y') all=1 by=language",
        "isotropy 0.1 m(x) l(y)",
        "topology 1 m(x) m(y) tau=2",
        "topology 3 m(x)+l(x) m(y')",
    };
    enum { EXAMPLES = sizeof example / sizeof *example };
    const ig_term_kind *kind;

    for (size_t e = 0; e < EXAMPLES; e++)
        differences_of(example[e], e);
    for (size_t i = 0; (kind = ig_term_at(i)) != NULL; i++) {
        size_t e = 0, length = strlen(kind->name);
        char term[64];

        while (e < EXAMPLES && (strncmp(example[e], kind->name, length) != 0 ||
                                example[e][length] != ' '))
            e++;
        snprintf(term, sizeof term, "%s 1.5 m(x)%s", kind->name,
                 kind->operands == 2 ? " m(y)" : "");
        if (e == EXAMPLES)
            differences_of(term, i);
    }
}

/* --- memory ----------------------------------------------------------------------- */

static void each_refused_allocation_of_a_trainer_is_an_error(void **state)
{
    ig_status status = IG_NOMEM;
    struct world w;
    long refused = 0;

    random_world(&w,
                 "extractor residual\npull 2 m(x) m(y)\npush 1 m(x) m(x')\n"
                 "cluster 1 l(y)\n",
                 20, 8, 2, false);
    ig_trainer_delete(w.trainer);
    while (status != IG_OK) {
        ig_alloc_fail_at(refused + 1);
        status = ig_trainer_new(&w.trainer, w.set, &w.pairs, &w.split, &w.objective,
                                &w.options, NULL, NULL, &error);
        ig_alloc_fail_at(0);
        assert_true(status == IG_OK || status == IG_NOMEM);
        refused += status == IG_NOMEM;
    }
    assert_true(refused > 6);
    world_end(&w);
}

SUITE(learn, NULL, NULL, TEST(golden_values_gradients_and_steps),
      TEST(shipped_objectives_train_as_a_second_implementation),
      TEST(every_term_by_finite_differences),
      TEST(contrast_leaves_out_the_same_meaning),
      TEST(each_refused_allocation_of_a_trainer_is_an_error))
