/* The program itself on sets of several sizes, beside what a user would do in numpy,
 * FAISS, pandas and PyTorch (tests/bench/peers.py, as far as they are installed).
 *
 *   SCALE_ROWS   of the largest set (default 48,000; 1,000,000 of 256 dimensions are 1 GB,
 *                and as much again twice for a while); others have a half, a quarter
 *                and an eighth
 *   SCALE_DIMS   (default 256)
 *   SCALE_LANGUAGES  (default 8)
 *   SCALE_SECONDS    what takes more by its products alone is left out, and so is the
 *                    same by others (default 100)
 *   TMPDIR       where the sets are made
 *
 * Rows are those of some languages: a meaning, in one of 40 clusters, the language, and
 * noise, each with a spectrum that falls as a power law. */
#define _DEFAULT_SOURCE /* wait4 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "data/npy.h"

enum { CLUSTERS = 40, SIZES = 4, PATH = 512, WORDS = 24 };

/* --- the sets --------------------------------------------------------------------- */

/* Adds `by` times a vector that is the same for a number of a kind. */
static void add_part(float *row, size_t d, unsigned kind, size_t number, double by)
{
    ig_random random;

    ig_random_init(&random, 77 + kind, number);
    for (size_t j = 0; j < d; j++)
        row[j] += (float)(by * ig_random_normal(&random) / sqrt(1 + (double)j));
}

static void make_set(const char *path, size_t rows, size_t dims, size_t languages)
{
    char table[PATH + 8];
    FILE *npy = fopen(path, "wb"), *csv;
    float *row = ig_alloc(dims, sizeof *row);

    snprintf(table, sizeof table, "%.*s.csv", (int)strlen(path) - 4, path);
    csv = fopen(table, "wb");
    if (!npy || !csv || !row ||
        ig_npy_write_header(npy, IG_F4, rows, dims, NULL) != IG_OK)
        bench_fail("a set cannot be made");
    fputs("id,lang,text\n", csv);
    for (size_t i = 0; i < rows; i++) {
        size_t meaning = i / languages, lang = i % languages;

        memset(row, 0, dims * sizeof *row);
        add_part(row, dims, 0, 0, 1); /* what all have in common */
        add_part(row, dims, 1, meaning % CLUSTERS, 0.7);
        add_part(row, dims, 2, meaning, 1);
        add_part(row, dims, 3, lang, 0.6);
        add_part(row, dims, 4, i, 0.45);
        if (ig_npy_write_values(npy, row, dims, NULL) != IG_OK)
            bench_fail("a set cannot be written");
        fprintf(csv, "m%zu,l%zu,sentence %zu of language %zu\n", meaning, lang, meaning,
                lang);
    }
    ig_free(row);
    if (fclose(npy) != 0 || fclose(csv) != 0)
        bench_fail("a set cannot be written");
}

/* --- runs of programs ------------------------------------------------------------- */

struct cost {
    double seconds, processor, megabytes; /* seconds NaN: it failed */
};

/* The words of a command, up to NULL; its output goes to `out`. */
static struct cost run(const char *const *word, const char *out)
{
    struct cost cost = {(double)NAN, 0, 0};
    double start = ig_clock_now();
    struct rusage used;
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        if (!freopen(out, "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(126);
        execvp(word[0], (char *const *)(uintptr_t)word);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) < 0 || status != 0)
        return cost;
    cost.seconds = ig_clock_now() - start;
    cost.processor = (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
                     1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    cost.megabytes = (double)used.ru_maxrss / 1024;
    return cost;
}

/* A command of ours, in words between spaces. */
static struct cost run_ours(const char *line)
{
    const char *program = getenv("ISOGLOSS"), *word[WORDS] = {0};
    char text[4 * PATH];
    size_t n = 0;

    word[n++] = program ? program : "build/isogloss";
    snprintf(text, sizeof text, "%s", line);
    for (char *at = strtok(text, " "); at && n + 1 < WORDS; at = strtok(NULL, " "))
        word[n++] = at;
    return run(word, "/dev/null");
}

/* What others need for the same, one line for each: "numpy 1.23", "faiss absent". */
static void print_peers(const char *what, const char *set, const char *folder,
                        size_t languages)
{
    char out[PATH], line[200], count[24];
    FILE *f;

    snprintf(out, sizeof out, "%.400s/peers", folder);
    snprintf(count, sizeof count, "%zu", languages);
    run((const char *[]){"python3", "tests/bench/peers.py", what, set, folder, count,
                         NULL},
        out);
    f = fopen(out, "r");
    while (f && fgets(line, sizeof line, f))
        printf("    %s", line);
    if (f)
        fclose(f);
    remove(out);
}

/* --- figures ---------------------------------------------------------------------- */

/* Commands, %s being the set and, of those that write, the folder; the work of one in flops. */
struct task {
    const char *name, *line;
    double (*work)(double n, double d, double l);
    bool applies; /* a run, which is named last */
};

static double no_work(double n, double d, double l)
{
    (void)n, (void)d, (void)l;
    return 0;
}

static double all_pairs(double n, double d, double l)
{
    (void)l;
    return n * n * d;
}

static double covariance(double n, double d, double l)
{
    (void)l;
    return n * d * d;
}

static double one_product(double n, double d, double l)
{
    (void)l;
    return 2 * n * d * d;
}

/* All rows of a meaning with the pivot's, 8 d² a pair, 9 of 10; validation 4 d². */
static double two_epochs(double n, double d, double l)
{
    return 2 * n * (l - 1) / l * (0.9 * 8 + 0.1 * 4) * d * d;
}

static const struct task tasks[] = {
    {"open", "render %s --keys q --size 80x24", no_work, false},
    {"search", "search %s --row 5 --k 10 -q", no_work, false},
    {"project", "project %s --components 10 -q", covariance, false},
    {"eval", "eval %s --format csv -q", all_pairs, false},
    {"train", "train %s --epochs 2 --patience 0 -q --out %s/run", two_epochs, false},
    {"transform", "transform %s -q --out %s/split --run ", one_product, true},
};
enum { TASKS = sizeof tasks / sizeof *tasks };

static void clean(const char *folder)
{
    const char *const word[] = {"rm", "-rf", folder, NULL};

    run(word, "/dev/null");
}

static size_t number_of(const char *name, size_t otherwise)
{
    const char *value = getenv(name);
    unsigned long long n = value ? strtoull(value, NULL, 10) : 0;

    return n ? (size_t)n : otherwise;
}

static struct cost measure(const struct task *task, const char *set, const char *folder)
{
    char line[4 * PATH], run_path[PATH + 8], split[PATH + 8];

    snprintf(run_path, sizeof run_path, "%s/run", folder);
    snprintf(split, sizeof split, "%s/split", folder);
    clean(split);
    if (!task->applies && strncmp(task->line, "train", 5) == 0)
        clean(run_path);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(line, sizeof line, task->line, set, folder);
#pragma GCC diagnostic pop
    if (task->applies)
        strncat(line, run_path, sizeof line - strlen(line) - 1);
    return run_ours(line);
}

/* The slope of the logarithms over sizes that double, those that were measured; NaN:
 * they are fewer than two. */
static double exponent(const double took[SIZES])
{
    double up = 0, square = 0, middle = 0, n = 0;

    for (size_t s = 0; s < SIZES; s++)
        if (isfinite(took[s])) {
            middle += (double)s;
            n++;
        }
    for (size_t s = 0; s < SIZES; s++)
        if (isfinite(took[s])) {
            up += ((double)s - middle / n) * log2(took[s]);
            square += ((double)s - middle / n) * ((double)s - middle / n);
        }
    return up / square; /* 0/0 is NaN */
}

static void print_cost(const char *name, const struct cost *cost, double floor)
{
    if (isfinite(cost->seconds))
        printf("  %-10s %8.2f s  %8.2f CPU-s  %6.0f MB", name, cost->seconds,
               cost->processor, cost->megabytes);
    else
        printf("  %-10s failed", name);
    if (floor > 0)
        printf("   products alone %8.2f s", floor);
    putchar('\n');
    fflush(stdout);
}

void bench_scale(void)
{
    size_t rows = number_of("SCALE_ROWS", 48000), dims = number_of("SCALE_DIMS", 256);
    size_t languages = number_of("SCALE_LANGUAGES", 8);
    double most = (double)number_of("SCALE_SECONDS", 100);
    const char *base = getenv("TMPDIR");
    char folder[PATH / 2], set[PATH];
    double rate = bench_gemm_rate(512, 256, dims), took[TASKS][SIZES];

    snprintf(folder, sizeof folder, "%.200s/isogloss-scale.XXXXXX",
             base ? base : "/tmp");
    if (!mkdtemp(folder))
        bench_fail("there is no folder for the sets");
    setenv("XDG_CONFIG_HOME", folder, 1);
    for (size_t s = 0; s < SIZES; s++) {
        size_t n = rows >> (SIZES - 1 - s);

        n -= n % languages;
        snprintf(set, sizeof set, "%s/set.npy", folder);
        make_set(set, n, dims, languages);
        printf("%zu rows of %zu dimensions, %zu languages\n", n, dims, languages);
        for (size_t t = 0; t < TASKS; t++) {
            double floor = tasks[t].work((double)n, (double)dims, (double)languages) /
                           rate;
            struct cost cost;

            took[t][s] = (double)NAN;
            if (floor > most) {
                printf("  %-10s left out: its products alone take %.0f s\n",
                       tasks[t].name, floor);
                continue;
            }
            cost = measure(&tasks[t], set, folder);
            if (isfinite(cost.seconds))
                took[t][s] = cost.processor;
            print_cost(tasks[t].name, &cost, floor);
            if (s + 1 == SIZES)
                print_peers(tasks[t].name, set, folder, languages);
        }
    }
    puts("CPU-s grow with the rows to the power of");
    for (size_t t = 0; t < TASKS; t++) {
        double power = exponent(took[t]);

        if (isfinite(power))
            printf("  %-10s %.2f\n", tasks[t].name, power);
        else
            printf("  %-10s -, of one size alone\n", tasks[t].name);
    }
    clean(folder);
}
