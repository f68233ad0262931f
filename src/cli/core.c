/* BLAS kernel selection. OpenBLAS selects its kernels when it is loaded, before main:
 * another selection requires another process. */
#include "cli/core.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/pool.h"

/* REPLACED is set with CORE, to the core that OpenBLAS selected; ALONE with THREADS, so
 * that THREADS is removed before child processes are started. */
static const char CORE[] = "OPENBLAS_CORETYPE", REPLACED[] = "ISOGLOSS_CORE_REPLACED";
static const char THREADS[] = "OPENBLAS_NUM_THREADS", ALONE[] = "ISOGLOSS_BLAS_ALONE";

/* Whether the processor has AVX-512 and the chosen core lacks it. */
static bool lacks_avx512(void)
{
    const char *core = ig_blas_core();

    return !getenv(CORE) && !getenv(REPLACED) &&
           strcmp(ig_kernels_isa(), "avx512") == 0 &&
           strstr(ig_blas_config(), "DYNAMIC_ARCH") && strcmp(core, "SkylakeX") != 0 &&
           strcmp(core, "Cooperlake") != 0 && strcmp(core, "SapphireRapids") != 0;
}

/* OpenBLAS starts a thread per processor, which are unused here. Each reserves 128 MB;
 * under a memory limit (ulimit -v, -d) OpenBLAS retries the allocation forever. */
static bool has_threads_too_many(void)
{
    return !getenv(THREADS) && strstr(ig_blas_config(), "OpenBLAS") &&
           ig_machine_limits_memory();
}

void ig_core_choose(char **argv)
{
    bool core = lacks_avx512(), threads = !getenv(ALONE) && has_threads_too_many();
    char path[PATH_MAX] = "";

    if ((core &&
         (setenv(CORE, "SkylakeX", 1) || setenv(REPLACED, ig_blas_core(), 1))) ||
        (threads && (setenv(THREADS, "1", 1) || setenv(ALONE, "1", 1))))
        return;
    if (core || threads) {
        /* With /proc/self/exe the process would be named "exe". */
        if (readlink("/proc/self/exe", path, sizeof path - 1) < 0 ||
            access(path, X_OK) != 0)
            strcpy(path, "/proc/self/exe");
        execv(path, argv);
    }
    if (core) { /* execv failed */
        unsetenv(CORE);
        unsetenv(REPLACED);
    }
    if (getenv(ALONE)) {
        unsetenv(THREADS);
        unsetenv(ALONE);
    }
}

const char *ig_core_replaced(void)
{
    return getenv(CORE) ? getenv(REPLACED) : NULL;
}
