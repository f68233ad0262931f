/* Ctrl-C and SIGTERM, asked for instead of obeyed: a training ends after its batch and
 * still writes its best epoch. A command that has caught nothing is ended at once. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* How long the command may take to end by itself. */
typedef enum ig_interrupt_grace {
    IG_INTERRUPT_SECOND, /* nothing is lost: after a second it is ended all the same */
    IG_INTERRUPT_WRITES  /* as long as it needs to write what it has, a run */
} ig_interrupt_grace;

/* From now on the first SIGINT, SIGTERM or SIGHUP only makes ig_interrupted true; a
 * second one of the kind ends the program. What is ignored (nohup) stays so. */
void ig_interrupt_catch(ig_interrupt_grace grace);

/* While several ranks train: what is said by the handler itself when the signal comes
 * (NULL: nothing; the words must stay), since nobody may come to say more, and the
 * seconds after which the process ends all the same, for it may wait for a rank that is
 * no more. 0: as long as it needs. */
void ig_interrupt_ranks(const char *words, unsigned seconds);

/* As if one had come; a signal handler may call it. */
void ig_interrupt(void);

/* Whether one has come. */
bool ig_interrupted(void);

/* The exit status of a command that ended by it: 128 and the number of the signal. */
int ig_interrupt_status(void);

/* The same as a flag that turns true, for work that is watched (base/watch.h). */
const atomic_bool *ig_interrupt_flag(void);

#endif
