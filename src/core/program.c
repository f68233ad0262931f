/* Programs, by posix_spawn. */
#define _DEFAULT_SOURCE /* environ */
#include "core/program.h"

#include <signal.h>
#include <spawn.h>
#include <stdint.h>

extern char **environ;

int ig_program_start(pid_t *child, const char *const *words)
{
    posix_spawnattr_t how;
    sigset_t none, all;
    int failed = posix_spawnattr_init(&how);

    if (failed)
        return failed;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    failed = posix_spawnp(child, words[0], NULL, &how, (char *const *)(uintptr_t)words,
                          environ);
    posix_spawnattr_destroy(&how);
    return failed;
}
