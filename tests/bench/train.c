/* Epochs of every preset with weights, beside the floor of their matrix products. The
 * floor's rate is taken at the shape of the forward product, just before and after each
 * epoch. CPU times of all threads, which a busy neighbour changes little; it measures
 * only, no test depends on it. Legend: B batch, d dims, h hidden and w output width of
 * `head`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/blas.h"
#include "core/memory.h"
#include "core/random.h"
#include "train/trainer.h"

enum { ROWS = 40 * 512, EPOCHS = 4 };

static ig_pool *pool;

_Noreturn static void fail(const char *why)
{
    fprintf(stderr, "bench: %s\n", why);
    exit(1);
}

/* Normally distributed numbers, the same every time. */
static float *random_rows(size_t n)
{
    float *a = ig_alloc(n, sizeof *a);
    ig_random random;

    if (!a)
        fail("out of memory");
    ig_random_init(&random, 1, 0);
    for (size_t i = 0; i < n; i++)
        a[i] = (float)ig_random_normal(&random);
    return a;
}

/* CPU seconds of this process so far. */
static double cpu_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Flops a CPU second of single precision products (n, k) · (m, k)ᵀ, the mean of some. */
static double product_rate(size_t n, size_t m, size_t k)
{
    enum { RUNS = 20 };
    ig_matrix a = ig_matrix_of(random_rows(n * k), n, k);
    ig_matrix b = ig_matrix_of(random_rows(m * k), m, k);
    ig_matrix c = ig_matrix_of(random_rows(n * m), n, m);
    double start = 0, seconds;

    for (int i = 0; i <= RUNS; i++) {
        if (i == 1)
            start = cpu_now();
        ig_gemm_pool(pool, false, true, 1, a, b, 0, c);
    }
    seconds = (cpu_now() - start) / RUNS;
    IG_FREE(a.a, b.a, c.a);
    return 2.0 * (double)n * (double)m * (double)k / seconds;
}

struct world {
    ig_dataset *set;
    ig_pairs pairs;
    ig_split split;
    float *rows;
};

/* n pairs of random rows, English with four other languages. */
static void make_world(struct world *w, size_t n, size_t d)
{
    static const char *const other[] = {"de", "fr", "ja", "ru"};
    const char **lang = ig_alloc(2 * n, sizeof *lang);
    ig_error error;

    *w = (struct world){.rows = random_rows(2 * n * d)};
    w->pairs = (ig_pairs){.count = n,
                          .left = ig_alloc(n, sizeof(uint32_t)),
                          .right = ig_alloc(n, sizeof(uint32_t)),
                          .group = ig_alloc(n, sizeof(uint32_t)),
                          .groups = n};
    w->split =
        (ig_split){.train = n, .pair[IG_SPLIT_TRAIN] = ig_alloc(n, sizeof(uint32_t))};
    for (uint32_t i = 0; i < n; i++) {
        lang[i] = "en";
        lang[n + i] = other[i % 4];
        w->pairs.left[i] = w->split.pair[IG_SPLIT_TRAIN][i] = w->pairs.group[i] = i;
        w->pairs.right[i] = (uint32_t)n + i;
    }
    if (ig_dataset_of_rows(&w->set, "bench", w->rows, 2 * n, d, lang, NULL, NULL,
                           &error) != IG_OK)
        fail(error.message);
    ig_free(lang);
}

static void free_world(struct world *w)
{
    ig_dataset_free(w->set);
    ig_pairs_free(&w->pairs);
    ig_split_free(&w->split);
    ig_free(w->rows);
}

/* CPU seconds of the least epoch, by the method's own batch size; *rate is the best that
 * products reached around the epochs. */
static double least_epoch(const struct world *w, ig_objective *objective, size_t *batch,
                          double *rate)
{
    ig_train_options options = ig_train_defaults();
    size_t d = w->set->dims;
    double best = INFINITY;
    ig_trainer *trainer;
    ig_error error;
    ig_epoch epoch;

    options.epochs = EPOCHS;
    *rate = 0;
    ig_train_resolve(&options, &objective->settings);
    if (ig_trainer_new(&trainer, w->set, &w->pairs, &w->split, objective, &options,
                       NULL, pool, &error) != IG_OK)
        fail(error.message);
    *batch = options.batch;
    for (int i = 0; i <= EPOCHS; i++) {
        double start;

        *rate = fmax(*rate, product_rate(2 * *batch, d, d));
        start = cpu_now();
        if (ig_trainer_epoch(trainer, NULL, NULL, &epoch, &error) != IG_OK)
            fail(error.message);
        if (i > 0)
            best = fmin(best, cpu_now() - start);
    }
    ig_trainer_delete(trainer);
    return best;
}

/* Flops of the products that a pair cannot do without: 8·d² for
 * `residual`, 16·d² for `twin`; of `head`, forward and weight gradient of both layers and
 * the second one's way back; and the B²·w products of the terms of the batch. */
static double pair_flops(const ig_objective *o, double d, double batch)
{
    double w = o->extractor == IG_HEAD ? (d < IG_HEAD_OUTPUT ? d : IG_HEAD_OUTPUT) : d;
    double flops = o->extractor == IG_TWIN   ? 16 * d * d
                   : o->extractor == IG_HEAD ? 8 * d * d + 12 * d * w
                                             : 8 * d * d;

    for (size_t i = 0; i < o->terms; i++) {
        char name[IG_TERM_NAME_SIZE];

        ig_term_plain_name(&o->term[i], name);
        flops += strncmp(name, "contrast", 8) == 0   ? 6 * batch * w
                 : strncmp(name, "isotropy", 8) == 0 ? 14 * batch * w
                 : strncmp(name, "topology", 8) == 0 ? 12 * batch * w
                                                     : 0;
    }
    return flops;
}

static void report(const struct world *w, ig_objective *objective)
{
    double d = (double)w->set->dims, rate, floor, pairs;
    size_t batch;
    double seconds = least_epoch(w, objective, &batch, &rate);
    char what[80];

    pairs = (double)(w->split.train / batch * batch);
    floor = pair_flops(objective, d, (double)batch) * pairs / rate;
    snprintf(what, sizeof what, "train %s d=%zu batch %zu, %.0f pairs/CPU s",
             objective->name, w->set->dims, batch, pairs / seconds);
    printf("%-52s %9.1f ms   products %9.1f ms   ratio %5.2f\n", what, seconds * 1e3,
           floor * 1e3, seconds / floor);
    fflush(stdout);
}

static void report_preset(const struct world *w, const char *name)
{
    ig_objective objective;
    ig_error error;

    if (ig_objective_load(&objective, name, &error) != IG_OK)
        fail(error.message);
    for (size_t i = 0; i < objective.terms; i++)
        objective.term[i].from = 0; /* all stages on */
    if (objective.extractor >= IG_RESIDUAL)
        report(w, &objective);
    ig_objective_free(&objective);
}

/* What one term more costs: seed with its last line twice. */
static void report_one_term_more(const struct world *w)
{
    const char *seed = NULL;
    ig_objective objective;
    ig_error error;
    char text[4096];

    for (size_t i = 0; ig_presets[i].name; i++)
        if (strcmp(ig_presets[i].name, "seed") == 0)
            seed = ig_presets[i].text;
    if (!seed)
        fail("there is no seed");
    snprintf(text, sizeof text, "%spull 1 y m(y)+l(x)\n", seed);
    if (ig_objective_parse(&objective, "seed and a term", "bench", text, strlen(text),
                           &error) != IG_OK)
        fail(error.message);
    report(w, &objective);
    ig_objective_free(&objective);
}

int main(void)
{
    static const size_t dims[] = {256, 768, 1024};
    ig_error error;

    ig_blas_init();
    if (ig_pool_new(&pool, 0, &error) != IG_OK)
        fail(error.message);

    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        struct world w;

        make_world(&w, ROWS, dims[i]);
        report_preset(&w, "seed");
        if (dims[i] == 768) {
            report_one_term_more(&w);
            for (size_t p = 0; ig_presets[p].name; p++)
                if (strcmp(ig_presets[p].name, "seed") != 0)
                    report_preset(&w, ig_presets[p].name);
        }
        free_world(&w);
    }
    ig_pool_delete(pool);
    return 0;
}
