/* Selects the fastest build of the row kernels that the processor supports. */
#include <string.h>

#include "core/kernels.h"

extern const ig_kernels ig_kernels_base;
#ifdef __x86_64__
extern const ig_kernels ig_kernels_avx2;
extern const ig_kernels ig_kernels_avx512;

static int runs_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static int runs_avx512(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

const ig_kernels *ig_kernels_named(const char *name)
{
    if (strcmp(name, "base") == 0)
        return &ig_kernels_base;
#ifdef __x86_64__
    if (strcmp(name, "avx2") == 0 && runs_avx2())
        return &ig_kernels_avx2;
    if (strcmp(name, "avx512") == 0 && runs_avx512())
        return &ig_kernels_avx512;
#endif
    return NULL;
}

const ig_kernels *ig_kernels_best(void)
{
    const ig_kernels *best = ig_kernels_named("avx512");

    if (!best)
        best = ig_kernels_named("avx2");
    return best ? best : &ig_kernels_base;
}
