/* The choice of the BLAS core: where OpenBLAS took a lesser one than the processor has,
 * the program is started again with that of AVX-512. */
#include "cli/core.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "linear/blas.h"
#include "linear/kernels.h"

/* Set beside OPENBLAS_CORETYPE, to the core there was before: tells the second process
 * that it is one. */
static const char MARK[] = "ISOGLOSS_CORE_REPLACED";
static const char CORETYPE[] = "OPENBLAS_CORETYPE";

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

void ig_core_choose(char **argv)
{
    char path[PATH_MAX];
    const char *core;

    if (getenv(CORETYPE) || getenv(MARK))
        return;
    core = ig_blas_core();
    if (!strstr(ig_blas_config(), "DYNAMIC_ARCH") || uses_avx512(core) ||
        !ig_kernels_named("avx512"))
        return;
    own_path(path, sizeof path);
    if (setenv(CORETYPE, "SkylakeX", 1) != 0 || setenv(MARK, core, 1) != 0)
        return;
    execv(path, argv);
    /* It could not be: go on with what there is. */
    unsetenv(CORETYPE);
    unsetenv(MARK);
}

const char *ig_core_replaced(void)
{
    return getenv(CORETYPE) ? getenv(MARK) : NULL;
}
