/* The choice of the BLAS core: where OpenBLAS took a lesser one than the processor has,
 * the program is started again with that of AVX-512. So it is where its memory is
 * limited (ulimit -v, -d): OpenBLAS begins with a thread a processor, none of which is
 * used here, and each takes 128 MB, or tries to for ever. */
#include "cli/core.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "linear/blas.h"
#include "linear/kernels.h"

/* Set beside OPENBLAS_CORETYPE, to the core there was before: tells the second process
 * that it is one. */
static const char MARK[] = "ISOGLOSS_CORE_REPLACED";
static const char CORETYPE[] = "OPENBLAS_CORETYPE";

/* The second process has one thread of OpenBLAS; programs that it starts shall not. */
static const char THREADS[] = "OPENBLAS_NUM_THREADS", ALONE[] = "ISOGLOSS_BLAS_ALONE";

static bool uses_avx512(const char *core)
{
    static const char *const cores[] = {"SkylakeX", "Cooperlake", "SapphireRapids"};

    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++)
        if (strcmp(core, cores[i]) == 0)
            return true;
    return false;
}

/* Where this program lies. Its real path rather than /proc/self/exe: the name of the
 * process would be "exe" otherwise. */
static void own_path(char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 1);

    path[n > 0 ? n : 0] = '\0';
    if (access(path, X_OK) != 0) /* replaced or removed while it runs */
        strcpy(path, "/proc/self/exe");
}

static bool has_lesser_core(void)
{
    return !getenv(CORETYPE) && !getenv(MARK) &&
           strstr(ig_blas_config(), "DYNAMIC_ARCH") && !uses_avx512(ig_blas_core()) &&
           ig_kernels_named("avx512");
}

static bool has_idle_threads(void)
{
    return !getenv(THREADS) && strstr(ig_blas_config(), "OpenBLAS") &&
           ig_machine_find("").process > 0;
}

void ig_core_choose(char **argv)
{
    char path[PATH_MAX];
    bool core = has_lesser_core(), alone;

    if (getenv(ALONE)) {
        unsetenv(THREADS);
        unsetenv(ALONE);
        return;
    }
    alone = has_idle_threads();
    if (!core && !alone)
        return;
    own_path(path, sizeof path);
    if ((!core || (setenv(CORETYPE, "SkylakeX", 1) == 0 &&
                   setenv(MARK, ig_blas_core(), 1) == 0)) &&
        (!alone || (setenv(THREADS, "1", 1) == 0 && setenv(ALONE, "1", 1) == 0)))
        execv(path, argv);
    /* It could not be: go on with what there is. */
    if (core) {
        unsetenv(CORETYPE);
        unsetenv(MARK);
    }
    if (alone) {
        unsetenv(THREADS);
        unsetenv(ALONE);
    }
}

const char *ig_core_replaced(void)
{
    return getenv(CORETYPE) ? getenv(MARK) : NULL;
}
