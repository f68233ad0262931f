/* Mapped files that become shorter while they are read: SIGBUS. */
#ifndef CLI_SHRUNK_H
#define CLI_SHRUNK_H

/* From now on SIGBUS in a mapped file restores the terminal, names the file on standard
 * error and ends the program with IG_EXIT_FAILED. */
void ig_shrunk_catch(void);

#endif
