/* Epochs of every preset with weights, beside the floor of their matrix products. The
 * floor's rate is taken at the shapes of the forward product and of its gradient, just
 * before and after each epoch. By the CPU times of all threads, which a busy neighbour
 * changes little, and by the clock, which counts threads that wait. It measures only, no
 * test depends on it. Legend: B batch, d dims, h hidden and w output width of `head`. */
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

enum { CPU, CLOCK, TIMES };

/* Seconds of this process so far, and of the day. */
static void take_times(double out[TIMES])
{
    static const clockid_t clock[TIMES] = {CLOCK_PROCESS_CPUTIME_ID, CLOCK_MONOTONIC};
    struct timespec now;

    for (int t = 0; t < TIMES; t++) {
        clock_gettime(clock[t], &now);
        out[t] = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
}

/* Raise the rates to the flops a second of single precision products (n, d) · (d, d)ᵀ
 * and (n, d)ᵀ · (n, d), the mean of some. */
static void add_rates(size_t n, size_t d, double rate[TIMES])
{
    enum { RUNS = 80 }; /* about as many products as an epoch has */
    ig_matrix a = ig_matrix_of(random_rows(n * d), n, d);
    ig_matrix b = ig_matrix_of(random_rows(d * d), d, d);
    ig_matrix c = ig_matrix_of(random_rows(n * d), n, d);
    double start[TIMES], end[TIMES];

    for (int i = 0; i <= RUNS; i++) {
        if (i == 1)
            take_times(start);
        ig_gemm_pool(pool, false, true, 1, a, b, 0, c);
        ig_gemm_pool(pool, true, false, 1, c, a, 0, b);
    }
    take_times(end);
    for (int t = 0; t < TIMES; t++)
        rate[t] = fmax(rate[t], RUNS * 4.0 * (double)n * (double)d * (double)d /
                                    (end[t] - start[t]));
    IG_FREE(a.a, b.a, c.a);
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
    if (!lang || ig_pairs_allocate(&w->pairs, n, &error) != IG_OK)
        fail("out of memory");
    w->pairs.count = w->pairs.groups = n;
    for (uint32_t i = 0; i < n; i++) {
        lang[i] = "en";
        lang[n + i] = other[i % 4];
        w->pairs.left[i] = w->pairs.group[i] = i;
        w->pairs.right[i] = (uint32_t)n + i;
    }
    if (ig_dataset_of_rows(&w->set, "bench", w->rows, 2 * n, d, lang, NULL, NULL,
                           &error) != IG_OK ||
        ig_split_make(&w->split, w->set, &w->pairs, 0, 0, 1, &error) != IG_OK)
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

/* Seconds of the least epoch, by the method's own batch size; rate  out  the best that
 * products reached around the epochs. */
static void least_epoch(const struct world *w, ig_objective *objective, size_t *batch,
                        double seconds[TIMES], double rate[TIMES])
{
    ig_train_options options = ig_train_defaults();
    ig_trainer *trainer;
    ig_error error;
    ig_epoch epoch;

    options.epochs = EPOCHS;
    ig_train_resolve(&options, &objective->settings);
    if (ig_trainer_new(&trainer, w->set, &w->pairs, &w->split, objective, &options,
                       NULL, pool, &error) != IG_OK)
        fail(error.message);
    *batch = options.batch;
    for (int i = 0; i <= EPOCHS; i++) {
        double start[TIMES], end[TIMES];

        add_rates(2 * *batch, w->set->dims, rate);
        take_times(start);
        if (ig_trainer_epoch(trainer, NULL, NULL, &epoch, &error) != IG_OK)
            fail(error.message);
        take_times(end);
        for (int t = 0; t < TIMES; t++)
            seconds[t] = i > 1 ? fmin(seconds[t], end[t] - start[t])
                               : end[t] - start[t];
    }
    ig_trainer_delete(trainer);
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
    double d = (double)w->set->dims, rate[TIMES] = {0}, seconds[TIMES], flops;
    size_t batch;
    char what[80];

    least_epoch(w, objective, &batch, seconds, rate);
    flops = pair_flops(objective, d, (double)batch) *
            (double)(w->split.train / batch * batch);
    snprintf(what, sizeof what, "train %s d=%zu batch %zu", objective->name,
             w->set->dims, batch);
    printf("%-44s CPU %7.1f ms, %5.2f of products   clock %7.1f ms, %5.2f\n", what,
           seconds[CPU] * 1e3, seconds[CPU] * rate[CPU] / flops, seconds[CLOCK] * 1e3,
           seconds[CLOCK] * rate[CLOCK] / flops);
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
