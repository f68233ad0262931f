/* Starting other programs. Not by fork, which would run what libraries do at a fork,
 * while other threads run. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

/* Start a program, looked up in PATH, with all signals as usual.
 *   words  in  the program and its arguments, ended by NULL
 *   fd     in  (3) its standard streams, -1: /dev/null; or NULL: those of this process
 *   group  in  in a process group of its own, which keys of the terminal do not reach
 * 0 or an errno. */
int ig_program_start(pid_t *child, const char *const *words, const int *fd, bool group);

#endif
