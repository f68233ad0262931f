/* Starting other programs. Not by fork, which would run what libraries do at a fork,
 * while other threads run. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include <sys/types.h>

/* Start a program, looked up in PATH, with all signals as usual and the standard
 * streams of this process. `words`: the program and its arguments, ended by NULL.
 * 0 or an errno. */
int ig_program_start(pid_t *child, const char *const *words);

#endif
