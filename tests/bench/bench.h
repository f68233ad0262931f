/* What the sections of the benchmark share: one pool, a clock that takes the best of
 * several runs, the machine's floors, and the form of a line. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/pool.h"

/* Sections, each in its own file. */
void bench_pca(void);
void bench_search(void);
void bench_measure(void);
void bench_train(void);
void bench_closed(void);
void bench_screen(void);
void bench_files(void);

/* The pool that all sections use, with a member for every processor. */
ig_pool *bench_pool(void);

/* A block of n floats, normally distributed and the same every time; ends the program
 * when memory is short. Release with ig_free. */
float *bench_rows(size_t n);

/* CPU seconds of this process and the ended ones that it started, so far. */
double bench_cpu(void);

/* CPU seconds of the least of `runs` calls. */
double bench_best(int runs, void (*work)(void *), void *context);

/* Most that single precision products reach here, in flops a CPU second: the better of
 * BLAS's own threads and the pool, measured once at the shape n × m × k. */
double bench_gemm_rate(size_t n, size_t m, size_t k);

/* CPU seconds to read `bytes` once by all threads. */
double bench_read_time(const void *block, size_t bytes);

/* One figure: what it is, its time, and the floor under it (0: there is none). */
void bench_line(const char *what, double seconds, const char *floor_name, double floor);

/* The program cannot go on. */
_Noreturn void bench_fail(const char *why);

#endif
