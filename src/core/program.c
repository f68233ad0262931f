/* Programs, by posix_spawn. */
#define _DEFAULT_SOURCE /* environ */
#include "core/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>

extern char **environ;

int ig_program_start(pid_t *child, const char *const *words, const int *fd, bool group)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, all;
    int failed = posix_spawn_file_actions_init(&files);

    if (failed)
        return failed;
    failed = posix_spawnattr_init(&how);
    if (!failed) {
        for (int i = 0; fd && i < 3; i++)
            if (fd[i] < 0)
                posix_spawn_file_actions_addopen(&files, i, "/dev/null", O_RDWR, 0);
            else
                posix_spawn_file_actions_adddup2(&files, fd[i], i);
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setpgroup(&how, 0);
        posix_spawnattr_setsigmask(&how, &none);
        posix_spawnattr_setsigdefault(&how, &all);
        posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                           (group ? POSIX_SPAWN_SETPGROUP : 0));
        failed = posix_spawnp(child, words[0], &files, &how,
                              (char *const *)(uintptr_t)words, environ);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&files);
    return failed;
}
