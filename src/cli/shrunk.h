/* Files that become shorter while they are read: a mapped file raises SIGBUS then. */
#ifndef CLI_SHRUNK_H
#define CLI_SHRUNK_H

/* Catch SIGBUS: a sentence names the file, and the program ends at once … */
void ig_shrunk_catch(void);

/* … or, from now on, zeros are read instead and the work is asked to end:
 * ig_interrupted turns true, and `signal` (0: none) is sent to the program. */
void ig_shrunk_ask(int signal);

/* The file that became shorter, or NULL. What was read since is not to be believed. */
const char *ig_shrunk_file(void);

#endif
