/* Speed, one line a figure: what, CPU time, floor, ratio.
 *
 *   bench [SECTION...]     all sections but scale and mpi when none is named
 *
 * Times are CPU times of all threads, which a busy neighbour changes little; floors are
 * measured in the same run: the products by the best rate BLAS reaches, the reading by
 * memory. Measures only; no test depends on it. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "core/random.h"

/* OpenBLAS's own threads, which only the floor uses. */
#if defined(__APPLE__)
extern void openblas_set_num_threads(int threads) __attribute__((weak_import));
#else
extern void openblas_set_num_threads(int threads) __attribute__((weak));
#endif

static ig_pool *pool;

ig_pool *bench_pool(void)
{
    return pool;
}

void bench_fail(const char *why)
{
    fprintf(stderr, "bench: %s\n", why);
    exit(1);
}

struct fill {
    float *a;
    size_t n;
};

static void fill_chunk(void *context, size_t member, size_t first, size_t last)
{
    const struct fill *fill = context;
    ig_random random;

    (void)member;
    ig_random_init(&random, 1, first);
    /* The sum of four uniform numbers is near enough to normal, and quick. */
    for (size_t i = first; i < last; i++) {
        uint64_t bits = ig_random_next(&random);

        fill->a[i] = (float)((double)((bits & 0xffff) + (bits >> 16 & 0xffff) +
                                      (bits >> 32 & 0xffff) + (bits >> 48)) /
                                 37837.0 -
                             3.4641);
    }
}

float *bench_rows(size_t n)
{
    struct fill fill = {ig_alloc(n, sizeof(float)), n};

    if (!fill.a)
        bench_fail("out of memory");
    ig_parallel_for(pool, n, 64, fill_chunk, &fill);
    return fill.a;
}

double bench_cpu(void)
{
    struct rusage own, children;

    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec +
                    children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
           1e-6 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec +
                           children.ru_utime.tv_usec + children.ru_stime.tv_usec);
}

double bench_best(int runs, void (*work)(void *), void *context)
{
    double best = INFINITY;

    for (int i = 0; i < runs; i++) {
        double start = bench_cpu(), used;

        work(context);
        used = bench_cpu() - start;
        best = used < best ? used : best;
    }
    return best;
}

struct product {
    ig_pool *pool;
    ig_matrix a, b, c;
};

/* Mean CPU seconds of a product: the time of another running thread is counted at
 * ticks, so that the least of several is that of one thread. */
static double multiply(const struct product *p)
{
    enum { RUNS = 20 };
    double start = 0;

    for (int i = 0; i <= RUNS; i++) {
        if (i == 1)
            start = bench_cpu();
        ig_gemm_pool(p->pool, false, true, 1, p->a, p->b, 0, p->c);
    }
    return (bench_cpu() - start) / RUNS;
}

double bench_gemm_rate(size_t n, size_t m, size_t k)
{
    struct product p = {pool, ig_matrix_of(bench_rows(n * k), n, k),
                        ig_matrix_of(bench_rows(m * k), m, k),
                        ig_matrix_of(bench_rows(n * m), n, m)};
    double own, pooled;

    pooled = multiply(&p);
    if (openblas_set_num_threads)
        openblas_set_num_threads((int)ig_pool_threads(pool));
    p.pool = NULL;
    own = multiply(&p);
    ig_blas_init();
    ig_free(p.a.a);
    ig_free(p.b.a);
    ig_free(p.c.a);
    return 2.0 * (double)n * (double)m * (double)k / (own < pooled ? own : pooled);
}

struct reading {
    const unsigned char *block;
    size_t bytes;
    uint64_t *sum; /* (members, 8) kept, so that the reading is not left out */
};

static void read_chunk(void *context, size_t member, size_t first, size_t last)
{
    const struct reading *reading = context;
    uint64_t sum[8] = {0};

    for (size_t i = first; i + 64 <= last; i += 64) {
        uint64_t line[8];

        memcpy(line, reading->block + i, sizeof line);
        for (int j = 0; j < 8; j++)
            sum[j] += line[j];
    }
    memcpy(reading->sum + member * 8, sum, sizeof sum);
}

static void read_all(void *context)
{
    const struct reading *reading = context;

    ig_parallel_for(pool, reading->bytes, 64, read_chunk, context);
}

double bench_read_time(const void *block, size_t bytes)
{
    struct reading reading = {block, bytes,
                              ig_alloc(ig_pool_threads(pool), 8 * sizeof(uint64_t))};
    double time;

    if (!reading.sum)
        bench_fail("out of memory");
    time = bench_best(5, read_all, &reading);
    ig_free(reading.sum);
    return time;
}

void bench_line(const char *what, double seconds, const char *floor_name, double floor)
{
    printf("%-52s %9.1f ms", what, seconds * 1e3);
    if (floor > 0)
        printf("   %s %9.1f ms   ratio %5.2f", floor_name, floor * 1e3,
               seconds / floor);
    putchar('\n');
    fflush(stdout);
}

/* Where the processor has AVX-512 and OpenBLAS chose a lesser core, choose the better
 * one and start again, as the program itself does; never against the user's choice. */
static void choose_core(char **arguments)
{
    if (strcmp(ig_kernels_isa(), "avx512") != 0 || getenv("OPENBLAS_CORETYPE") ||
        strcmp(ig_blas_core(), "SkylakeX") == 0 ||
        strcmp(ig_blas_core(), "Cooperlake") == 0 ||
        strcmp(ig_blas_core(), "Sapphirerapids") == 0)
        return;
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 1);
    execvp(arguments[0], arguments);
}

static void run_script(const char *command)
{
    fflush(stdout);
    if (system(command) != 0)
        bench_fail(command);
}

static void bench_mpi(void)
{
    if (!ig_comm_library())
        puts("mpi: this was built without MPI: make MPI=1 bench BENCH=mpi");
    else
        run_script("sh tests/bench/mpi.sh");
}

/* Minutes: only when it is named. */
static void bench_scale(void)
{
    run_script("python3 tests/bench/scale.py");
}

static const struct section {
    const char *name;
    void (*run)(void);
} sections[] = {
    {"train", bench_train},   {"closed", bench_closed},   {"pca", bench_pca},
    {"search", bench_search}, {"measure", bench_measure}, {"screen", bench_screen},
    {"files", bench_files},   {"scale", bench_scale},     {"mpi", bench_mpi},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

static const struct section *find_section(const char *name)
{
    for (size_t i = 0; i < SECTIONS; i++)
        if (strcmp(sections[i].name, name) == 0)
            return &sections[i];
    fprintf(stderr, "bench: no section %s; there are", name);
    for (size_t i = 0; i < SECTIONS; i++)
        fprintf(stderr, " %s", sections[i].name);
    fputc('\n', stderr);
    exit(2);
}

int main(int count, char **arguments)
{
    ig_error error;

    choose_core(arguments);
    ig_blas_init();
    for (int i = 1; i < count; i++)
        find_section(arguments[i]);
    if (ig_pool_new(&pool, 0, &error) != IG_OK)
        bench_fail(error.message);
    printf("BLAS core %s, kernels %s, threads %zu\n", ig_blas_core(),
           ig_kernels_isa(), ig_pool_threads(pool));
    for (int i = 1; i < count; i++)
        find_section(arguments[i])->run();
    for (size_t i = 0; count == 1 && i < SECTIONS; i++)
        if (sections[i].run != bench_scale && sections[i].run != bench_mpi)
            sections[i].run();
    ig_pool_delete(pool);
    return 0;
}
